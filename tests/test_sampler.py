"""The sampler's doors: its draws fit the view to the byte and depend on nothing hidden; what it refuses and how."""

from __future__ import annotations

import random

import numpy as np
import pytest

from solo_env import actions
from solo_env.cards import N_SEATS
from solo_env.engine import one
from solo_env.engine.state import new_views
from solo_env.layout import SEEN
from solo_env.rules import load_ruleset, shipped_rulesets
from solo_env.sampler import Sampler, SamplerError
from solo_env.table import StartError, Table
from solo_env.view import View
from tests.hidden_cards import pairs
from tests.playing import contracts_of, played, random_game

# Keys that move what a view shows, which no shipped set has so.
FLIPS = [
    'pagat+play.revokes="possible"',
    'pagat+info.turnup_after_pickup="hide"',
    'pagat+info.memory="table_memory"',
    'pagat+info.memory="table_memory"+info.last_trick="always"+info.turnup_after_pickup="hide"',
    'hoyle+info.memory="table_memory"+info.last_trick="never"+play.revokes="possible"',
    'anna_cubed+passout.mode="first_to_five"+contract.abu_suit_time="with_call"+contract.ouv_expose="before_lead"',
    'grand_slam_solo+info.memory="table_memory"+passout.mode="fewest"',
]
RULESETS = [*shipped_rulesets(), *FLIPS]


def seats_seen(name: str, count: int) -> list[tuple[Table, View]]:
    """Open positions in all contracts of a ruleset, in sessions too, each as one of the seats sees it."""
    ruleset, rng = load_ruleset(name), random.Random(name)
    kinds, found = ["", *contracts_of(ruleset)], []
    while len(found) < count:
        table = random_game(ruleset, rng, kinds[len(found) % len(kinds)])
        table.data["n_deals"], table.data["deal"], table.data["account"] = 8, 3, [5, -1, -1, -3]
        if not table.over:
            found.append((table, table.view(rng.randrange(N_SEATS))))
    return found


def observed(table: Table, seat: int) -> bytes:
    """The observation of a seat and its mask."""
    columns = np.zeros(SEEN.itemsize, np.int8)
    one.observe_one(table.desk, seat, columns)
    return columns.tobytes()


# 200 positions over all rulesets; each rebuilt table is compared to the byte by ``from_view`` itself.
@pytest.mark.parametrize("samples", [50, pytest.param(10_000, marks=pytest.mark.long)], ids=["quick", "long"])
@pytest.mark.parametrize("name", RULESETS)
def test_every_sample_is_a_table_that_looks_the_same(name, samples):
    sampler = Sampler(name)
    for number, (real, view) in enumerate(seats_seen(name, -(-200 // len(RULESETS)))):
        for hands in sampler.sample(view, samples, key=number).tolist():
            table = Table.from_view(view, hands, name)
            assert table.view(view.seat).record.tobytes() == view.record.tobytes()
            assert observed(table, view.seat) == observed(real, view.seat)
            assert [int(table.data["hand_cards"][view.seat_of(rel)]) for rel in range(N_SEATS)] == hands


@pytest.mark.parametrize("name", RULESETS)
def test_a_rebuilt_table_plays_on_as_the_real_one_would(name):
    rng = random.Random(name)
    for table, view in seats_seen(name, 12):
        hands = [int(table.data["hand_cards"][view.seat_of(rel)]) for rel in range(N_SEATS)]
        rebuilt = Table.from_view(view, hands, name, seed=4)
        while not table.over:
            assert rebuilt.legal_actions() == table.legal_actions()
            action = rng.choice(table.legal_actions())
            assert rebuilt.apply(action) == table.apply(action)
            if not (view.n_hidden and table.over):  # of revokes in forgotten tricks the payment alone tells
                assert rebuilt.view(view.seat).record.tobytes() == table.view(view.seat).record.tobytes()
        rebuilt.next_deal()
        assert rebuilt.data["deal"] == 4


@pytest.mark.parametrize("name", ["pagat", *FLIPS[:4]])
def test_samples_are_the_same_when_hidden_cards_move(name):
    sampler, telling = Sampler(name), 0
    for number, (game, twin, seat) in enumerate(pairs(name, 30)):
        table, other = (played(g, len(g.calls) + len(g.plays) + (g.trump is not None)) for g in (game, twin))
        if table.over:
            continue
        drawn = sampler.sample(table.view(seat), 20, key=number)
        assert (drawn == sampler.sample(other.view(seat), 20, key=number)).all()
        if sampler.n_deals(table.view(seat)) > 1e9:  # then no draw is the real deal, but by peeping
            real = [int(table.data["hand_cards"][(seat + rel) % N_SEATS]) for rel in range(N_SEATS)]
            assert not (drawn == real).all(axis=1).any()
            telling += 1
    assert telling > 5


def test_samples_fit_the_deal_that_a_record_resumes():
    table = Table()
    table.deal(3)
    for call in ("PASS", "PASS", "PASS", "SOLO"):
        table.apply(actions.parse(call))
    view = table.view(table.turn)
    for hands in Sampler().sample(view, 20, key=1):
        game = Table.from_view(view, hands, "pagat")
        assert Table.from_record(game.record()).view(view.seat).record.tobytes() == view.record.tobytes()


def test_a_deal_that_is_over_is_not_sampled():
    table = Table()
    table.deal(1)
    while not table.over:
        table.apply(actions.PASS)
    for ask in (Sampler().n_deals, Sampler().sample):
        with pytest.raises(SamplerError, match=r"the deal is over, .*; sample before\.$"):
            ask(table.view(0))


def test_a_view_of_no_deal_gets_a_sentence():
    view = Table().view(0)
    view.record["hand_cards"] = 7
    with pytest.raises(
        SamplerError, match=r"^view 0: no deal fits it under pagat; it is of another ruleset, or no view"
    ):
        Sampler().sample(view)
    with pytest.raises(SamplerError, match=r"^view 0: no deal fits it under pagat"):
        Sampler().n_deals(view)


@pytest.mark.parametrize(("played", "asked"), [("pagat", "anna_cubed"), ("anna_cubed", "pagat")])
def test_a_turned_card_is_of_a_ruleset_that_turns_one_up(played, asked):
    with pytest.raises(SamplerError, match=rf"not as under {asked}; it is of another ruleset"):
        Sampler(asked).sample(Table(played).view(0))


def test_bad_arguments_get_a_sentence():
    sampler, view = Sampler(), Table().view(0)
    with pytest.raises(ValueError, match="the number of samples is 0"):
        sampler.sample(view, 0)
    with pytest.raises(ValueError, match="the key is -1"):
        sampler.sample(view, 1, key=-1)
    with pytest.raises(ValueError, match="there are 2 views; give as many keys, as int64"):
        sampler.sample_batch(new_views(2), np.zeros(3, np.int64), 1)
    with pytest.raises(ValueError, match=r"keys go from 0 to 2\*\*62 - 1"):
        sampler.sample_batch(new_views(1), np.full(1, -1), 1)
    with pytest.raises(ValueError, match="give an array of dtype VIEW"):
        sampler.sample_batch(new_views(2).reshape(1, 2), np.zeros((1, 2), np.int64), 1)
    with pytest.raises(ValueError, match="give an array of dtype VIEW"):
        sampler.sample_batch([1], np.zeros(1, np.int64), 1)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="give an array of dtype VIEW"):
        sampler.sample_batch(np.zeros(1), np.zeros(1, np.int64), 1)  # type: ignore[arg-type]


def test_hands_that_do_not_fit_are_refused():
    table = Table()
    view = table.view(0)
    hands = Sampler().sample(view)[0].tolist()
    for wrong in (
        [hands[1], hands[0], *hands[2:]],  # another's hand for one's own
        [hands[0], hands[1] & hands[1] - 1, *hands[2:]],  # a card missing
        [hands[0], hands[0], *hands[2:]],
        [0, 0, 0, 0],
    ):
        with pytest.raises(
            StartError, match=r"^these hands are not what the view of player_0 leaves possible under pagat"
        ):
            Table.from_view(view, wrong)
    with pytest.raises(StartError, match=r"^there are 3 hands; give four, the observer's first"):
        Table.from_view(view, hands[:3])
    with pytest.raises(StartError, match=r"^a hand as a card set is -1"):
        Table.from_view(view, [-1, *hands[1:]])


@pytest.mark.parametrize("view", [None, 3, "SA"])
def test_what_is_no_view_gets_a_sentence(view):
    sampler = Sampler()
    for draw in (sampler.sample, sampler.n_deals):
        with pytest.raises(SamplerError, match=rf"drawn for a View, and this is {view!r}"):
            draw(view)
    with pytest.raises(StartError, match=rf"made from a View, and this is {view!r}"):
        Table.from_view(view, [0, 0, 0, 0])


def test_a_read_only_or_strided_batch_is_taken():
    views = new_views(4)
    views[:] = [Table().view(seat).record for seat in range(4)]
    keys = np.arange(4, dtype=np.int64)
    wanted = Sampler().sample_batch(views, keys, 3)
    views.flags.writeable = keys.flags.writeable = False
    assert (Sampler().sample_batch(views, keys, 3) == wanted).all()
    assert (Sampler().sample_batch(views[::-1], keys[::-1], 3) == wanted[::-1]).all()
