"""Calls: decisive ones, calibration, regret against play-outs, calls and cards swapped."""

from __future__ import annotations

import numpy as np
import pytest

from baselines.novice import NovicePlayer
from solo_env.actions import COP, FIRST_CALL, N_ACTIONS, PASS, SOLO
from solo_env.evaluation import new_plan
from solo_env.evaluation.calls import CALLER, CallTally, calibration, chances_of, decisive_calls, watch_calls
from solo_env.evaluation.calls import DECISIVE as DECISIVE_ROW
from solo_env.evaluation.outcomes import is_made
from solo_env.evaluation.play import play_chunk
from solo_env.evaluation.ratios import mean_of, ratio, share, share_of
from solo_env.evaluation.regret import PlayOuts, deviation, study_regret
from solo_env.evaluation.swap import TwoPlayers, study_swap
from solo_env.evaluation.tally import LineupTally
from solo_env.player import BatchPlayer, PlayerError, make_player
from solo_env.rules.model import PC


class Told(NovicePlayer):
    """A novice that tells the chances it is given, one for each call."""

    def __init__(self, ruleset="pagat", chances=None):
        super().__init__(ruleset)
        self.chances = chances

    def call_chances(self, views):
        return np.tile(self.chances, (len(views), 1))


class AlwaysSolo(BatchPlayer):
    """Calls a solo whenever it may, and plays as a novice."""

    def __init__(self, ruleset="pagat"):
        super().__init__(ruleset)
        self.cards = make_player("novice", ruleset)

    def act_batch(self, views, keys, out):
        self.cards.act_batch(views, keys, out)
        out[views["legal_calls"] >> (SOLO - FIRST_CALL) & 1 == 1] = SOLO


def watched_of(plan, players, n):
    return watch_calls(plan, players, 0, n, keep_tables=True)


# --- shares and means of clumps


def test_a_ratio_with_one_thing_a_cluster_is_a_plain_mean():
    rng = np.random.default_rng(3)
    values = rng.normal(1.0, 2.0, 50)
    found = ratio(values, np.ones(50))
    assert found["mean"] == pytest.approx(values.mean())
    half = 2.0096 * values.std(ddof=1) / np.sqrt(50)  # Student's t of 49 degrees, as printed
    assert found["interval95"] == pytest.approx([values.mean() - half, values.mean() + half], abs=1e-3)


def test_intervals_of_clumped_shares_and_means_cover_what_they_say():
    """Clusters of unlike sizes whose things hang together: taken as independent, intervals would be too short."""
    rng = np.random.default_rng(11)
    hits, means, naive, runs = 0, 0, 0, 1500
    for _ in range(runs):
        sizes = rng.integers(1, 9, 80)
        chance = rng.beta(1.5, 1.5, 80)  # of mean 0.5, so that things of a cluster hang together
        made = rng.binomial(sizes, chance)
        found = share(made.astype(float), sizes.astype(float))
        hits += found["interval95"][0] <= 0.5 <= found["interval95"][1]
        low, high = ratio(made.astype(float), sizes.astype(float))["interval95"]
        means += low <= 0.5 <= high
        p, n = made.sum() / sizes.sum(), sizes.sum()
        naive += abs(p - 0.5) <= 1.96 * np.sqrt(p * (1 - p) / n)
    assert 0.93 < hits / runs < 0.97
    assert 0.93 < means / runs < 0.97
    assert naive / runs < 0.85


def test_shares_of_none_and_all_keep_an_interval_and_nothing_has_none():
    clusters = np.arange(20)
    none, all_ = share_of(np.zeros(20), clusters, 20), share_of(np.ones(20), clusters, 20)
    assert none["interval95"][0] == 0
    assert 0.1 < none["interval95"][1] < 0.2  # Wilson: z² / (n + z²)
    assert all_["interval95"] == pytest.approx([1 - none["interval95"][1], 1])
    assert share_of(np.zeros(0), np.zeros(0, np.int64), 5) == {"n": 0, "mean": None, "interval95": None}


# --- decisive calls


def test_every_contract_has_its_caller_and_a_proposal_its_acceptor():
    plan = new_plan("random", ["novice"], deals=60, seed=4)
    watched = watched_of(plan, plan.make_players()[0], 60)
    numbers, sides = decisive_calls(watched)
    calls, at = watched.calls[numbers], watched.calls["table"][numbers]
    declared = np.flatnonzero(watched.outcomes["declarer"] >= 0)
    callers = np.flatnonzero(sides == CALLER)
    assert sorted(at[callers]) == sorted(declared)
    assert (calls["seat"][callers] == watched.outcomes["declarer"][at[callers]]).all()
    pairs = np.flatnonzero(watched.outcomes["contract"] == PC)
    assert sorted(at[sides != CALLER]) == sorted(pairs)
    assert (calls["action"][sides != CALLER] == COP).all()
    assert len(pairs) > 20


@pytest.mark.parametrize("ruleset", ["pagat", "bga", "straight", "hoyle"])
def test_the_numbers_of_calls_agree_with_the_outcomes(ruleset):
    plan = new_plan("novice", ["random"], deals=40, ruleset=ruleset, seed=2)
    players = plan.make_players()[0]
    watched = watched_of(plan, players, plan.clusters)
    tally, sums = CallTally(plan), LineupTally(2)
    tally.add(players, watched)
    sums.add(watched.outcomes, plan.seating.seats)
    told = tally.as_json()
    assert sum(row["tables"]["mean"] for row in told["mix"]) == pytest.approx(1)
    thrown_in = next(row for row in told["mix"] if row["contract"] == "thrown_in")
    assert thrown_in["tables"]["mean"] == pytest.approx((watched.outcomes["contract"] < 0).mean())
    made = sum(row["made"]["n"] * row["made"]["mean"] for row in told["made"] if row["side"] == "caller")
    assert made == pytest.approx(is_made(watched.outcomes).sum())
    accepted = next(row for row in told["rates"] if row["name"] == "accepts an open proposal")["players"]
    times = sum(one["n"] * one["mean"] for one in accepted if one["n"])
    assert times == pytest.approx(sums.auction["accepted"])


# --- calibration


def test_chances_drawn_as_told_are_borne_out_and_others_found_out():
    rng = np.random.default_rng(5)
    rows = np.zeros(4000, DECISIVE_ROW)
    truth = rng.uniform(0.05, 0.95, 4000)
    rows["cluster"], rows["made"] = np.arange(4000) // 4, rng.random(4000) < truth
    for off in (0.0, 0.04):
        rows["told"] = truth + off
        found = calibration(rows, 1000)
        low, high = found["gap"]["interval95"]
        assert (low <= 0 <= high) == (off == 0)
        assert low <= off <= high
        expected = (truth * (1 - truth)).mean() + off * off
        assert found["brier"]["interval95"][0] <= expected <= found["brier"]["interval95"][1]
        assert sum(one["made"]["n"] for one in found["bins"]) == 4000
    assert found["brier"]["mean"] < found["brier_of_the_mean"]["mean"]


def test_a_player_that_knows_its_chances_is_calibrated_and_one_that_boasts_is_not():
    """The chances are learnt on another book, call by call."""
    learnt = new_plan("novice", ["novice"], deals=1500, book="train", seed=1)
    watched = watched_of(learnt, learnt.make_players()[0], 1500)
    numbers, _ = decisive_calls(watched)
    call, made = (
        watched.calls["action"][numbers] - FIRST_CALL,
        is_made(watched.outcomes)[watched.calls["table"][numbers]],
    )
    chances = np.array([made[call == one].mean() if (call == one).any() else 0.5 for one in range(12)])
    plan = new_plan("novice", ["novice"], deals=500, seed=1)
    for boast, fits in ((0.0, True), (0.2, False)):
        player = Told(chances=np.minimum(chances + boast, 1))
        tally = CallTally(plan)
        tally.add([player, make_player("novice")], watched_of(plan, [player, make_player("novice")], 500))
        found, silent = tally.as_json()["calibration"]
        assert silent is None
        # 99.9 % instead of 95 %: the learnt chances have an error of their own
        middle, half = found["gap"]["mean"], 1.7 * np.ptp(found["gap"]["interval95"]) / 2
        assert (abs(middle) <= half) == fits


@pytest.mark.parametrize("name", ["expert", "ev-bidder", "club"])
def test_the_chances_that_shipped_players_tell_are_those_of_their_explanations(name):
    plan = new_plan(name, ["novice"], deals=20, seed=3)
    players = plan.make_players()[0]
    watched = watched_of(plan, players, 20)
    from solo_env.view import View

    mine = np.flatnonzero(
        (watched.calls["player"] == 0) & (watched.calls["action"] > PASS) & (watched.calls["action"] < 64)
    )
    chances = chances_of(players[0], watched.views[mine], watched.calls["action"][mine].astype(np.int64))
    assert len(mine) > 10
    for view, chance in zip(watched.views[mine], chances, strict=True):
        assert f"{100 * chance:.0f} of 100" in players[0].explain(View(view))


def test_what_is_no_chance_is_refused():
    plan = new_plan("novice", ["novice"], deals=10)
    watched = watched_of(plan, plan.make_players()[0], 10)
    views, calls = watched.views[:1], np.array([PASS])
    with pytest.raises(PlayerError, match="not from 0 to 1"):
        chances_of(Told(chances=np.full(12, 1.5)), views, calls)
    with pytest.raises(PlayerError, match=r"of shape \(1, 3\)"):
        chances_of(Told(chances=np.full(3, 0.5)), views, calls)


# --- regret


@pytest.fixture(scope="module")
def outs():
    plan = new_plan("random", ["novice"], deals=25, seed=9)
    players = plan.make_players()[0]
    watched = watched_of(plan, players, 25)
    mine = np.flatnonzero(watched.calls["player"] == 0)
    return watched, mine, PlayOuts(plan, players, watched, mine)


def test_the_play_out_of_the_call_made_is_the_game_as_it_was_played(outs):
    watched, mine, played = outs
    calls = watched.calls[mine]
    assert (played.of_chosen == watched.outcomes["payoff"][calls["table"], calls["seat"]]).all()


def test_what_is_legal_is_played_out_and_hindsight_is_never_below_zero(outs):
    _, _, played = outs
    legal = played.calls["legal"][:, None] >> np.arange(played.units.shape[1]) & 1
    assert (np.isnan(played.units) == (legal == 0)).all()
    assert (played.hindsight >= 0).all()
    assert (played.hindsight > 0).any()
    assert not (played.made & ~played.won).any()


def test_the_best_caller_has_no_more_regret_than_another_with_the_same_cards():
    plan = new_plan("expert", ["novice"], deals=150, seed=1)
    expert, novice = plan.make_players()[0]
    drawn = TwoPlayers(make_player("random"), expert)
    best = study_regret(plan, [expert, novice], 150)["players"][0]
    other = study_regret(plan, [drawn, novice], 150)["players"][0]
    for number in ("hindsight", "hindsight_a_deal"):
        assert best[number]["interval95"][1] < other[number]["interval95"][0]


def test_a_habit_that_loses_is_found_and_what_changing_it_gains_is_measured():
    plan = new_plan("novice", ["novice"], deals=60, seed=2)
    found = study_regret(plan, [AlwaysSolo(), make_player("novice")], 60)["players"]
    habit, honest = found
    change = next(
        row
        for row in habit["instead"]
        if (row["phase"], row["call"], row["instead"]) == ("nobody has bid", "SOLO", "PASS")
    )
    assert change["interval95"][0] > 0
    assert habit["deviation"]["interval95"][0] > 0
    assert honest["deviation"]["mean"] < habit["deviation"]["mean"]
    assert habit["deviation"]["mean"] <= habit["hindsight"]["mean"]


def test_a_change_of_habit_is_judged_on_other_deals_than_it_was_found_on():
    """Calls that are all worth the same: the change that looks best gains nothing where it was not found."""
    rng = np.random.default_rng(17)
    clusters, found = np.repeat(np.arange(60), 3), []
    for _ in range(300):
        table = np.full((180, N_ACTIONS - FIRST_CALL), np.nan)
        table[:, :6] = rng.normal(0, 1, (180, 6))
        gained = deviation(table, rng.integers(0, 2, 180), clusters, np.zeros(180, np.int64))
        found.append(gained.mean())
    found = np.array(found)
    assert (found != 0).mean() > 0.2
    assert abs(found.mean()) < 3 * found.std() / np.sqrt(len(found))


def test_cuts_of_regret_add_up_to_the_whole():
    plan = new_plan("novice", ["random"], deals=30, seed=5)
    for player in study_regret(plan, plan.make_players()[0], 30)["players"]:
        whole = player["hindsight"]["n"] * player["hindsight"]["mean"]
        for cut in ("by_phase", "by_call", "by_role", "by_contract"):
            assert sum(row["n"] for row in player[cut]) == player["hindsight"]["n"]
            assert sum(row["n"] * row["mean"] for row in player[cut]) == pytest.approx(whole)


# --- swaps


@pytest.mark.parametrize("seating", ["one_against_three", "two_against_two"])
@pytest.mark.parametrize("name", ["random", "novice"])
def test_a_player_swapped_with_itself_gains_exactly_nothing(name, seating):
    plan = new_plan(name, [name], deals=20, seating=seating, seed=6)
    found = study_swap(plan, plan.make_players()[0], 20)
    for one in [*found["cells"], *found["effects"]]:
        assert one["mean"] == 0
        assert one["t95"] == one["bootstrap95"] == [0, 0]


def test_calls_and_cards_together_are_the_match():
    plan = new_plan("novice", ["random"], deals=50, seed=7)
    players = plan.make_players()[0]
    found = study_swap(plan, players, 50)
    effects = {effect["name"]: effect["mean"] for effect in found["effects"]}
    cells = {(cell["calls"], cell["cards"]): cell["mean"] for cell in found["cells"]}
    assert cells[1, 1] == 0
    assert effects["calls, mean of both"] + effects["cards, mean of both"] == pytest.approx(cells[0, 0])
    assert effects["more together than apart"] == pytest.approx(cells[0, 0] - cells[0, 1] - cells[1, 0])
    watched = watched_of(plan, players, 50)
    mine = np.where(watched.players_at == 0, watched.outcomes["payoff"], 0).sum()
    assert cells[0, 0] == pytest.approx(mine / (4 * 50))


def test_two_players_in_one_call_as_the_first_and_play_as_the_second():
    first, second = make_player("random"), make_player("novice")
    both, seen = TwoPlayers(first, second), []

    def watch(told):
        for player, mine in ((first, told.actions >= FIRST_CALL), (second, told.actions < FIRST_CALL)):
            if mine.any():
                out = np.full(int(mine.sum()), -1, np.int64)
                player.act_batch(told.views[mine].copy(), told.keys[mine], out)
                assert (out == told.actions[mine]).all()
                seen.append(player)

    plan = new_plan("random", ["novice"], deals=10, seed=3)
    play_chunk([both], np.zeros((1, 4), np.int8), plan.book, 0, 10, watch)
    assert {first, second} == set(seen)


def test_who_calls_like_a_novice_and_plays_at_random_gains_by_calls_only():
    plan = new_plan("novice", ["random"], deals=100, seed=8)
    novice, random = plan.make_players()[0]
    found = study_swap(plan, [TwoPlayers(novice, random), random], 100)
    effects = {effect["name"]: effect for effect in found["effects"]}
    assert effects["calls, mean of both"]["t95"][0] > 0
    assert effects["cards, mean of both"]["t95"] == [0, 0]


def test_four_players_have_no_swap():
    plan = new_plan("novice", ["random", "pass", "uniform"], deals=10)
    assert study_swap(plan, plan.make_players()[0], 1) is None


def test_a_mean_knows_its_clusters():
    clusters = np.array([0, 0, 1, 1, 2])
    found = mean_of(np.array([1.0, 2.0, 3.0, 4.0, 5.0]), clusters, 3)
    assert (found["n"], found["mean"], found["interval95"]) == (5, 3.0, None)
