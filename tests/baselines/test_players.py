"""What holds of every player: legal, reproducible, blind to hidden cards, the same in any batch."""

import random

import numpy as np
import pytest

from baselines.club import ClubPlayer
from baselines.ev_bidder import EvBidderPlayer
from baselines.expert import ExpertPlayer
from baselines.novice import NovicePlayer
from baselines.pass_player import PassPlayer
from baselines.random_player import WEIGHTS, RandomPlayer
from baselines.uniform import UniformPlayer
from solo_env import actions
from solo_env.cards import card_set, cards_of
from solo_env.engine.bits import decision_key
from solo_env.engine.observe import write_view
from solo_env.engine.state import new_views
from solo_env.evaluation.match import play_match
from solo_env.player import Player, PlayerError, make_player
from solo_env.rules import load_ruleset, pack_array
from solo_env.rules.model import CONTRACT_NAMES
from solo_env.view import View

from .driving import PAGAT, dealt, position, said_without_compilation, self_play

PLAYERS = [UniformPlayer, RandomPlayer, PassPlayer, NovicePlayer, ClubPlayer, ExpertPlayer, EvBidderPlayer]
NAMES = {
    "uniform": UniformPlayer,
    "random": RandomPlayer,
    "pass": PassPlayer,
    "novice": NovicePlayer,
    "club": ClubPlayer,
    "expert": ExpertPlayer,
    "ev-bidder": EvBidderPlayer,
}
LONG_LADDER = 'pagat+auction.ladder=["PROP","SOLO","MIS","ABU","ABT","PETIT","OUV","DECL","GRAND","RDECL"]'
LONG_LADDER += "+pay.base.PETIT=4+pay.base.GRAND=6+pay.base.RDECL=7"


@pytest.fixture(params=PLAYERS, ids=lambda cls: cls.__name__)
def player(request):
    return request.param()


def sampled_decisions(player, n=60, every=7):
    """Some (table, view, key, action) of self-play, from all phases."""
    kept = []

    def see(tables, views, keys, chosen):
        for b in range(len(kept) % every, len(tables), every):
            kept.append((tables[b].copy(), views[b].copy(), int(keys[b]), int(chosen[b])))

    self_play(player, n, see)
    return kept


@pytest.mark.jit_only
def test_every_action_is_legal_and_every_deal_ends(player):
    tables = self_play(player, 2000)  # checks each action
    assert (tables["phase"] == actions.OVER).all()
    assert (tables["payoff"].sum(axis=1) == 0).all()


@pytest.mark.jit_only
@pytest.mark.parametrize("cls", PLAYERS)
@pytest.mark.parametrize(
    "ruleset",
    [
        LONG_LADDER,
        'pagat+auction.ladder=["SOLO","ABU","MIS","DECL","OUV"]+play.stop="never"',
        "pagat+contract.targets.PC=7",
    ],
)
def test_other_ladders_are_played_legally(cls, ruleset):
    rules = pack_array(load_ruleset(ruleset))
    tables = self_play(cls(ruleset), 200, rules=rules)
    assert (tables["phase"] == actions.OVER).all()


@pytest.mark.parametrize("name", NAMES)
def test_a_player_is_made_by_its_name_and_refuses_options_that_it_has_not(name):
    player = make_player(name)
    assert isinstance(player, Player)
    assert isinstance(player, NAMES[name])
    assert player.name == name
    with pytest.raises(PlayerError, match="does not take"):
        make_player(f"{name}:depth=3")


def test_one_decision_is_the_batch_of_one(player):
    for _, view, key, action in sampled_decisions(player):
        assert player.act(View(view), key) == action


def test_a_choice_does_not_depend_on_the_batch(player):
    decisions = sampled_decisions(player)
    order = list(range(len(decisions)))
    random.Random(3).shuffle(order)
    views, keys = new_views(len(order)), np.zeros(len(order), np.int64)
    for row, i in enumerate(order):
        views[row], keys[row] = decisions[i][1], decisions[i][2]
    before = views.tobytes()
    out = np.full(len(order), -1, np.int64)
    player.act_batch(views, keys, out)
    assert out.tolist() == [decisions[i][3] for i in order]
    assert views.tobytes() == before


@pytest.mark.parametrize("calls", [[], ["PASS"] * 4], ids=["not on turn", "over"])
def test_a_seat_of_which_nothing_is_asked_is_refused_by_every_player(player, calls):
    view = position({}, calls).view(2)
    why = "the deal is over" if calls else "it is not on turn"
    for asked in (player.act, player.explain):
        with pytest.raises(PlayerError, match=rf"^nothing is asked of player_2: {why}\.$"):
            asked(view)
        with pytest.raises(PlayerError, match=r"^a player decides from a View, and this is an int\.$"):
            asked(3)


def test_the_choice_stays_when_hidden_cards_are_dealt_anew(player):
    rng = random.Random(11)
    moved = 0
    for table, view, key, action in sampled_decisions(player):
        seat = int(table["turn"])
        shown = [(seat + int(view["exposed_rel"])) % 4] if view["exposed_rel"] >= 0 else []
        others = [s for s in range(4) if s != seat and s not in shown]
        # The turned card stays where everybody has seen it.
        seen = 1 << int(table["turned_card"])
        hidden = [c for s in others for c in cards_of(int(table["hand_cards"][s]) & ~seen)]
        rng.shuffle(hidden)
        before = table["hand_cards"].tolist()
        for s in others:
            kept = int(table["hand_cards"][s]) & seen
            n = bin(int(table["hand_cards"][s]) & ~seen).count("1")
            table["hand_cards"][s] = kept | card_set(hidden[:n])
            hidden = hidden[n:]
        moved += table["hand_cards"].tolist() != before
        again = new_views(1)
        write_view(table, PAGAT[0], seat, again[0])
        assert again[0] == view
        assert player.act(View(again[0]), key) == action
    assert moved > 25


def test_a_player_says_in_one_sentence_why(player):
    for _, view, _, _ in sampled_decisions(player, n=20):
        text = player.explain(View(view))
        assert text
        assert text.endswith(".")
        assert "\n" not in text
        assert ": )" not in text  # a list of reasons that is empty


def choices_of_all(n):
    """Every choice of every player in ``n`` deals of self-play."""
    chosen = []
    for cls in PLAYERS:
        self_play(cls(), n, lambda tables, views, keys, out: chosen.append(out.tolist()))
    return chosen


@pytest.mark.jit_only
def test_the_same_without_compilation():
    """Eight-bit fields and 64-bit sets must mean the same to plain Python."""
    code = "from tests.baselines.test_players import choices_of_all; print(choices_of_all(3))"
    assert said_without_compilation(code) == repr(choices_of_all(3))


# --- Chance ------------------------------------------------------------------------------------------------


def chi_square(counts, expected):
    return sum((n - e) ** 2 / e for n, e in zip(counts, expected, strict=True))


def drawn(player, view, n):
    views, out = new_views(n), np.zeros(n, np.int64)
    views[:] = view.record
    player.act_batch(views, np.array([decision_key(5, i, 0, 3) for i in range(n)]), out)
    return out.tolist()


def test_uniform_draws_cards_and_calls_alike():
    table = position({0: "CACKCQDADKDQHAHKHQSASKSQSJ"}, [])
    calls = drawn(UniformPlayer(), table.view(0), 7000)
    legal = table.legal_actions()
    assert len(legal) == 7  # PASS, PROP, SOLO, MIS, ABU, OUV, DECL
    # 99.9 % points of chi-square with 6 and 12 degrees of freedom.
    assert chi_square([calls.count(a) for a in legal], [1000] * 7) < 22.5
    for call in ("SOLO", "PASS", "PASS", "PASS"):
        table.apply(actions.parse(call))
    legal = table.legal_actions()
    assert len(legal) == 13
    cards = drawn(UniformPlayer(), table.view(0), 13_000)
    assert chi_square([cards.count(a) for a in legal], [1000] * 13) < 32.9


def test_random_calls_by_its_weights_and_plays_uniformly():
    table = position({}, [])
    legal = table.legal_actions()
    calls = drawn(RandomPlayer(), table.view(0), 20_000)
    total = sum(WEIGHTS[a] for a in legal)
    assert chi_square([calls.count(a) for a in legal], [20_000 * WEIGHTS[a] / total for a in legal]) < 22.5
    for call in ("SOLO", "PASS", "PASS", "PASS"):
        table.apply(actions.parse(call))
    cards = drawn(RandomPlayer(), table.view(0), 13_000)
    assert chi_square([cards.count(a) for a in table.legal_actions()], [1000] * 13) < 32.9


def test_random_names_all_suits_alike():
    table = position({}, ["PASS", "ABU", "PASS", "PASS"])
    named = drawn(RandomPlayer(), table.view(1), 4000)
    assert chi_square([named.count(actions.FIRST_TRUMPS + s) for s in range(4)], [1000] * 4) < 16.3


@pytest.mark.jit_only
def test_random_self_play_is_a_broad_mix():
    tables = self_play(RandomPlayer(), 4000)
    contracts = [CONTRACT_NAMES[c] for c in tables["contract"] if c >= 0]
    assert set(contracts) == {"PC", "SOLO", "MIS", "ABU", "ABT", "OUV", "DECL"}
    assert len(contracts) > 0.9 * len(tables)
    assert max(contracts.count(name) for name in set(contracts)) < 0.6 * len(contracts)
    decisions = tables["n_calls"].mean() + tables["n_plays"].mean()
    assert 50 < decisions < 58


# --- Passing -----------------------------------------------------------------------------------------------


def test_pass_never_calls():
    tables = self_play(PassPlayer(), 100)
    assert (tables["contract"] == -1).all()
    assert (tables["n_calls"] == 4).all()


def test_pass_plays_its_lowest_rank_then_its_lowest_number():
    table = position({0: "SAS3D3D4H9"}, ["SOLO", "PASS", "PASS", "PASS"])
    ranks = [(card % 13, card) for card in table.legal_actions()]
    assert PassPlayer().act(table.view(0)) == min(ranks)[1]
    table.apply(actions.parse("SA"))
    following = table.legal_actions()
    assert PassPlayer().act(table.view(1)) == min(following, key=lambda card: (card % 13, card))


def test_pass_names_the_first_suit_when_it_must():
    table = position({}, ["ABU", "PASS", "PASS", "PASS"])
    assert PassPlayer().act(table.view(0)) == actions.parse("TRUMPS C")


SEED_OF_MATCH = 20_261

# --- Strength ----------------------------------------------------------------------------------------------


@pytest.mark.jit_only
@pytest.mark.parametrize(("cls", "least"), [(UniformPlayer, 4.0), (RandomPlayer, 0.7), (PassPlayer, 0.25)])
def test_novice_wins_against_the_players_of_chance(cls, least):
    """Measured over 2,000 deals: 5.29, 1.10 and 0.44 units a deal; the bounds leave four standard errors."""
    assert play_match(NovicePlayer(), cls(), deals=300, seed=SEED_OF_MATCH).mean_units > least


@pytest.mark.jit_only
@pytest.mark.parametrize(
    ("cls", "other", "least"),
    [(ClubPlayer, NovicePlayer, 0.0), (ExpertPlayer, ClubPlayer, 0.0), (ExpertPlayer, NovicePlayer, 0.03)],
)
def test_each_level_is_stronger_than_the_one_below(cls, other, least):
    """Measured over 4,000 deals: see ``docs/players.md``."""
    assert play_match(cls(), other(), deals=2000, seed=SEED_OF_MATCH).mean_units > least


def test_tables_are_dealt_from_the_seed():
    assert dealt(3).tobytes() == dealt(5)[:3].tobytes()
