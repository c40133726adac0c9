"""Every legal action played out to the end, replayed by hand."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from solo_env.actions import FIRST_CALL, OVER
from solo_env.cards import N_CARDS, N_SEATS, cards_of
from solo_env.engine.batch import apply_choices, deal_rows, open_choices
from solo_env.engine.observe import write_view
from solo_env.engine.state import new_tables, new_views
from solo_env.engine.step import apply_action
from solo_env.player import Player, PlayerError, ask_player, make_player
from solo_env.rules import load_ruleset, pack_array
from tests.training.nets import wild
from training.config import DEFAULT_BLOCKS
from training.features import ACTION_OF, NETWORK_ACTION_OF, feature_table, write_inputs
from training.opponents import Cast
from training.playouts import distinct_actions, play_out_actions
from training.rollout import OWN, Rollout, play_deals
from training.starts import Starts

RULESET = load_ruleset("pagat")
RULES = pack_array(RULESET)
FEATURES = feature_table(DEFAULT_BLOCKS)
N, SEED = 12, 5


@cache
def player(name: str) -> Player:
    return make_player(name, RULESET)


class Decisions:
    """Decisions of deals that ``random`` calls and plays: tables, seats, masks and orders, one after the other."""

    def __init__(self) -> None:
        tables, views = new_tables(N), new_views(N)
        rows, seats = np.zeros(N, np.int64), np.zeros(N, np.int64)
        deal_rows(tables, RULES, SEED, 0, 0, -1, 1, 0, N)
        parts = []
        while n := open_choices(tables, RULES, views, rows, seats):
            _, mask, order = write_inputs(views[:n], RULES, FEATURES)
            parts.append((tables.take(rows[:n]), seats[:n].copy(), mask, order))
            keys = np.random.default_rng(n).integers(0, 2**62, n)
            apply_choices(tables, RULES, rows[:n], ask_player(player("random"), views[:n], keys))
        self.tables, self.seats, self.mask, self.order = (np.concatenate(part) for part in zip(*parts, strict=True))


@pytest.fixture(scope="module")
def decisions() -> Decisions:
    return Decisions()


def by_novice(
    tables: NDArray[np.void], rows: NDArray[np.int64], seats: NDArray[np.int64], views: NDArray[np.void],
    keys: NDArray[np.int64],
) -> NDArray[np.int64]:  # fmt: skip
    return ask_player(player("novice"), views, keys)


def plainly(table: np.void, action: int) -> list[int]:
    """The payoffs when ``novice`` goes on after an action, asked for forced moves too."""
    tables, views = np.array([table]), new_views(1)
    apply_action(tables[0], RULES[0], action)
    while tables[0]["phase"] != OVER:
        write_view(tables[0], RULES[0], np.int64(tables[0]["turn"]), views[0])
        apply_action(tables[0], RULES[0], int(ask_player(player("novice"), views, np.zeros(1, np.int64))[0]))
    return [int(units) for units in tables[0]["payoff"]]


def test_an_action_is_worth_what_its_seat_is_paid_when_a_player_goes_on(decisions: Decisions) -> None:
    before = decisions.tables.tobytes()
    units = play_out_actions(
        decisions.tables, decisions.seats, decisions.mask, decisions.order, lambda _: by_novice, RULES, SEED
    )
    assert decisions.tables.tobytes() == before
    assert (np.isnan(units) == (decisions.mask == 0)).all()
    seen = set()
    for i in range(0, len(units), 7):
        for a in np.flatnonzero(decisions.mask[i]).tolist():
            action = int(ACTION_OF[decisions.order[i], a])
            assert units[i, a] == plainly(decisions.tables[i], action)[decisions.seats[i]]
            seen.add(action >= FIRST_CALL)
    assert seen == {True, False}


def test_of_touching_cards_one_is_played_out(decisions: Decisions) -> None:
    decision, action, same = distinct_actions(
        decisions.tables, decisions.seats, decisions.mask, decisions.order
    )  # fmt: skip
    assert ((same >= 0) == (decisions.mask == 1)).all()
    merged = 0
    for i, (table, seat) in enumerate(zip(decisions.tables, decisions.seats, strict=True)):
        n = int(table["n_plays"])
        others = {int(card) for card in table["plays"][n - n % N_SEATS : n]}
        for other in set(range(N_SEATS)) - {int(seat)}:
            others |= set(cards_of(int(table["hand_cards"][other])))
        legal = np.flatnonzero(decisions.mask[i]).tolist()
        stands = {}
        for a in legal:
            card = int(ACTION_OF[decisions.order[i], a])
            stands[a] = a
            below = [b for b in legal if b < a < N_CARDS and b // 13 == a // 13]
            if below and not others & set(range(int(ACTION_OF[decisions.order[i], below[-1]]), card)):
                stands[a] = stands[below[-1]]
        assert {a: int(same[i, a]) for a in legal} == stands
        assert action[decision == i].tolist() == sorted(set(stands.values()))
        merged += len(stands) - len(set(stands.values()))
    assert merged > 100


def test_who_plays_on_must_do_what_is_open_to_him(decisions: Decisions) -> None:
    def wrong(
        tables: NDArray[np.void], rows: NDArray[np.int64], seats: NDArray[np.int64], views: NDArray[np.void],
        keys: NDArray[np.int64],
    ) -> NDArray[np.int64]:  # fmt: skip
        return np.full(len(rows), 999)

    with pytest.raises(PlayerError, match="chose 999 while a deal was played out"):
        play_out_actions(
            decisions.tables[:3], decisions.seats[:3], decisions.mask[:3], decisions.order[:3], lambda _: wrong,
            RULES, SEED,
        )  # fmt: skip


def play(deals: range = range(N), **options: object) -> Rollout:
    cast = Cast(
        wild, player("novice"), players=(player("pass"),), with_players=0.5, **options  # type: ignore[arg-type]
    )  # fmt: skip
    return play_deals(cast, Starts(taught=0.3), RULESET, FEATURES, SEED, deals, 0)


def names(rollout: Rollout) -> list[bytes]:
    """A name for each decision, the same in another rollout of the deals."""
    parts = (rollout.row, rollout.seat, rollout.action, rollout.order, rollout.ids)
    return [b"".join(part[i].tobytes() for part in parts) for i in range(len(rollout.action))]


def test_decisions_that_end_alike_whatever_is_done_are_not_learnt_from() -> None:
    cast = Cast(wild, player("novice"), playouts=1.0)
    rollout = play_deals(cast, Starts(), RULESET, FEATURES, SEED, range(4), 0)
    whole = play_deals(Cast(wild), Starts(), RULESET, FEATURES, SEED, range(4), 0)
    assert rollout.tables.tobytes() == whole.tables.tobytes()
    kept, tables = np.array([name in set(names(rollout)) for name in names(whole)]), new_tables(4)
    deal_rows(tables, RULES, SEED, 0, 0, -1, 1, 0, 4)
    views, rows, seats = new_views(1), np.zeros(1, np.int64), np.zeros(1, np.int64)
    for row in range(4):
        table, here = tables[row : row + 1], np.flatnonzero(whole.row == row)
        units = iter(rollout.worth[rollout.row == row])
        for i in here:
            assert open_choices(table, RULES, views, rows, seats) == 1
            legal = np.flatnonzero(whole.mask[i])
            worth = [plainly(table[0], int(ACTION_OF[whole.order[i], a]))[whole.seat[i]] for a in legal]
            assert kept[i] == (min(worth) < max(worth))
            if kept[i]:
                assert next(units)[legal].tolist() == worth
            apply_action(table[0], RULES[0], int(ACTION_OF[whole.order[i], whole.action[i]]))
    assert 0.05 < kept.mean() < 0.95


@pytest.mark.parametrize("plays_on", [False, True])
def test_a_share_of_the_decisions_is_played_out_and_the_rest_stays(plays_on: bool) -> None:
    deals = range(4 * N)
    none, some, every = (play(deals, playouts=share, plays_on=plays_on) for share in (0.0, 0.4, 1.0))
    assert none.worth.shape == (len(none.action), 0)
    assert every.tables.tobytes() == none.tables.tobytes()
    own = every.source == OWN
    assert (np.isnan(every.worth) == ((every.mask == 0) | ~own[:, None])).all()
    assert (np.nanmin(every.worth[own], 1) < np.nanmax(every.worth[own], 1)).all()
    drawn = ~np.isnan(some.worth).all(1)
    worth = dict(zip(names(every), every.worth, strict=True))
    for name, units in zip(names(some), some.worth, strict=True):
        assert np.isnan(units).all() or np.array_equal(worth[name], units, equal_nan=True)
    assert 0.3 < drawn.sum() / own.sum() < 0.5
    assert len(every.action) < len(some.action) < len(none.action)


def test_decisions_of_which_the_policy_is_certain_are_not_played_out() -> None:
    def sure(ids: NDArray[np.int16]) -> NDArray[np.float32]:
        return 10 * wild(ids)

    def play_sure(certain: float) -> Rollout:
        cast = Cast(sure, player("novice"), playouts=1.0, certain=certain)
        return play_deals(cast, Starts(), RULESET, FEATURES, SEED, range(N), 0)

    every, some = play_sure(1.0), play_sure(0.9)
    logits = np.where(every.mask == 1, sure(every.ids), -np.inf).astype(np.float64)
    likeliest = 1 / np.exp(logits - logits.max(1, keepdims=True)).sum(1)
    assert len(some.action) == (likeliest <= 0.9).sum() < len(every.action)
    assert np.array_equal(some.worth, every.worth[likeliest <= 0.9], equal_nan=True)


@pytest.mark.parametrize("plays_on", [False, True])
def test_the_worth_of_actions_is_the_same_in_any_split_of_the_deals(plays_on: bool) -> None:
    whole = play(playouts=1.0, plays_on=plays_on)
    for deals in (range(5), range(5, N)):
        part = play(deals, playouts=1.0, plays_on=plays_on)
        here = (whole.row >= deals.start) & (whole.row < deals.stop)
        assert np.array_equal(whole.worth[here], part.worth, equal_nan=True)


def test_those_who_sit_there_play_on_networks_by_their_likeliest_action() -> None:
    rollout, cast = play(playouts=1.0, plays_on=True), Cast(wild, players=(player("pass"),), with_players=0.5)
    who, tables = cast.seat(SEED, range(N), 0), new_tables(N)
    deal_rows(tables, RULES, SEED, 0, 0, -1, 1, 0, N)
    row = int(np.flatnonzero((who[:, 0] > 0).any(1) & (np.bincount(rollout.row, minlength=N) > 0))[0])
    first = int(np.flatnonzero((rollout.row == row) & rollout.auction)[0])
    checked = 0
    for a in np.flatnonzero(rollout.mask[first]).tolist():
        table = tables[row : row + 1].copy()
        while int(table[0]["turn"]) != rollout.seat[first]:  # before the learner's first decision, others passed
            apply_action(table[0], RULES[0], FIRST_CALL)
        apply_action(table[0], RULES[0], int(ACTION_OF[rollout.order[first], a]))
        views, rows, seats = new_views(1), np.zeros(1, np.int64), np.zeros(1, np.int64)
        while open_choices(table, RULES, views, rows, seats):
            chosen = ask_player(player("pass"), views, np.zeros(1, np.int64))
            if who[row, 0, seats[0]] == 0:
                ids, mask, order = write_inputs(views, RULES, FEATURES)
                best = int(np.where(mask[0] == 1, wild(ids)[0], -np.inf).argmax())
                chosen = ACTION_OF[order, [best]]
                assert NETWORK_ACTION_OF[order[0], chosen[0]] == best
            apply_choices(table, RULES, rows, chosen)
        assert table[0]["phase"] == OVER
        assert rollout.worth[first, a] == table[0]["payoff"][rollout.seat[first]]
        checked += 1
    assert checked > 1
