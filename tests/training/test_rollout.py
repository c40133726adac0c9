"""Whole deals as training sees them: replayed by hand, and the same in any batch."""

from __future__ import annotations

from dataclasses import fields
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from solo_env.actions import FIRST_CALL, N_CALLS, OVER, PLAY
from solo_env.cards import N_CARDS, N_SEATS, cards_of
from solo_env.engine.state import new_tables
from solo_env.engine.step import apply_action, legal_call_set, legal_card_set
from solo_env.player import Player, make_player
from solo_env.rules import load_ruleset, pack
from tests.training.nets import drawn_logits, wild
from training.config import DEFAULT_BLOCKS
from training.features import ACTION_OF, MAX_ACTIVE, N_HIDDEN, NETWORK_ACTION_OF, PAD, feature_table
from training.opponents import AUCTION, CARDS, LEARNER, OTHERS, Cast
from training.rollout import OWN, TAUGHT, Rollout, contract_mix, made_rates, play_deals, revoke_rate
from training.starts import FORCED, Starts, begin_deals
from training.starts import TAUGHT as BY_TEACHER

SEED, GAME, N = 7, 4, 24
RULESET = load_ruleset("pagat")
FEATURES = feature_table(DEFAULT_BLOCKS)
PLAIN = Starts()
MIXED = Starts(forced=0.2, taught=0.3, bidder=0.3, late=0.3)


def other(ids: NDArray[np.int16]) -> NDArray[np.float32]:
    return drawn_logits(ids, 2)


@cache
def player(name: str) -> Player:
    return make_player(name, RULESET)


class Telling:
    """Expects of every call its number, and of nothing else anything."""

    def call_units(self, views: NDArray[np.void]) -> NDArray[np.float32]:
        units = np.full((len(views), N_CALLS), np.nan, np.float32)
        for view, row in zip(views, units, strict=True):
            legal = [call for call in cards_of(int(view["legal_calls"])) if call < N_CALLS]
            row[legal] = legal
        return units


CASTS = {
    "learner": Cast(wild),
    "teacher": Cast(None, teacher=player("novice")),
    "mixed": Cast(
        wild, teacher=player("novice"), bidder=player("random"), adviser=Telling(), snapshots=(other,),
        players=(player("pass"),), with_snapshots=0.3, with_players=0.3,
    ),
}  # fmt: skip


def play(cast: str, deals: range, starts: Starts = PLAIN, hidden: bool = False) -> Rollout:
    return play_deals(CASTS[cast], starts, RULESET, FEATURES, SEED, deals, GAME, hidden=hidden)


def legal_actions(table: np.void, rules: np.void) -> list[int]:
    if table["phase"] == PLAY:
        return cards_of(legal_card_set(table, rules))
    return [FIRST_CALL + i for i in cards_of(int(legal_call_set(table, rules)))]


@pytest.fixture(scope="module")
def played() -> Rollout:
    """Deals in which all contracts come up, since the network calls wildly."""
    return play("learner", range(N))


@pytest.mark.parametrize("cast", ["learner", "teacher"])
def test_replaying_the_stored_choices_and_the_forced_moves_gives_the_deals(cast: str) -> None:
    deals = range(5, 5 + N)
    rollout, rules, tables = play(cast, deals), pack(RULESET), new_tables(N)
    begin_deals(tables, RULESET, Starts(), SEED, deals, GAME)
    assert (rollout.source == (OWN if cast == "learner" else TAUGHT)).all()
    for row, table in enumerate(tables):
        stored = iter(np.flatnonzero(rollout.row == row))
        while table["phase"] != OVER:
            legal = legal_actions(table, rules)
            action = legal[0]
            if len(legal) > 1:  # only these are stored, each with its seat and its mask
                i = next(stored)
                assert rollout.seat[i] == table["turn"]
                meant = ACTION_OF[rollout.order[i]]
                assert sorted(meant[rollout.mask[i] == 1].tolist()) == legal
                action = int(meant[rollout.action[i]])
                assert rollout.auction[i] == (action >= FIRST_CALL)
            apply_action(table, rules, action)
        assert next(stored, None) is None
        assert table.tobytes() == rollout.tables[row].tobytes()
        for seat in range(N_SEATS):  # the returns, by brute force
            mine = (rollout.row == row) & (rollout.seat == seat)
            assert (rollout.returns[mine] == table["payoff"][seat]).all()


def test_only_the_learners_own_choices_and_the_teachers_are_stored() -> None:
    n, cast = 200, CASTS["mixed"]
    rollout, tables = play("mixed", range(n), MIXED), new_tables(n)
    begun, who = (
        begin_deals(tables, RULESET, MIXED, SEED, range(n), GAME),
        cast.seat(SEED, range(n), GAME)[:, CARDS],
    )
    auction, card = rollout.auction, ~rollout.auction
    taught = rollout.source == TAUGHT
    assert (taught == (auction & (begun.auction[rollout.row] == BY_TEACHER))).all()
    assert (who[rollout.row, rollout.seat] < OTHERS)[~taught].all()
    assert (begun.auction[rollout.row[auction & ~taught]] == 0).all()
    assert (begun.trick[rollout.row[auction]] == 0).all()
    assert taught.any()
    assert (auction & ~taught).any()
    for row in range(n):  # nothing of the learner's is missing: from its trick on, all choices of its seats
        mine = who[row] < OTHERS
        stored = (rollout.row == row) & card
        assert mine[rollout.seat[stored]].all()
        first, plays = max(begun.trick[row] - 1, 0), int(rollout.tables["n_plays"][row])
        held = [cards_of(int(hand)) for hand in rollout.tables["hand_cards"][row]]
        cards = [int(c) for c in rollout.tables["plays"][row][:plays]]
        seats = [int(s) for s in rollout.tables["play_seats"][row][:plays]]
        choices = 0
        for i in range(plays - 1, -1, -1):
            held[seats[i]].append(cards[i])
            led = cards[i - i % N_SEATS] // 13
            follow = [c for c in held[seats[i]] if c // 13 == led] if i % N_SEATS else []
            open_to = follow or held[seats[i]]
            choices += i // N_SEATS >= first and bool(mine[seats[i]]) and len(open_to) > 1
        assert stored.sum() == choices


@pytest.mark.parametrize("learns", [AUCTION, CARDS])
def test_of_a_seat_whose_other_part_is_a_players_one_part_is_learnt_from(learns: int) -> None:
    cast = Cast(wild, players=(player("pass"),), alone=1.0, learns=learns)
    starts = Starts() if learns == AUCTION else Starts(forced=1.0)  # where all pass, no card is played
    rollout, who = (
        play_deals(cast, starts, RULESET, FEATURES, SEED, range(N), GAME),
        cast.seat(SEED, range(N), GAME),
    )
    tables, rules = new_tables(N), pack(RULESET)
    begin_deals(tables, RULESET, starts, SEED, range(N), GAME)
    assert len(rollout.action)
    assert (rollout.auction == (learns == AUCTION)).all()
    assert not rollout.alone.any()
    for row, table in enumerate(tables):
        stored = iter(np.flatnonzero(rollout.row == row))
        while table["phase"] != OVER:
            playing, legal = table["phase"] == PLAY, legal_actions(table, rules)
            action = min(legal, key=lambda card: (card % 13, card)) if playing else legal[0]  # as the player does
            if len(legal) > 1 and who[row, CARDS if playing else AUCTION, table["turn"]] == LEARNER:
                i = next(stored)
                assert rollout.seat[i] == table["turn"]
                action = int(ACTION_OF[rollout.order[i], rollout.action[i]])
            apply_action(table, rules, action)
        assert next(stored, None) is None
        assert table.tobytes() == rollout.tables[row].tobytes()


def test_forced_starts_are_played_from_their_first_card(played: Rollout) -> None:
    rollout = play("learner", range(N), Starts(forced=1.0))
    tables = new_tables(N)
    assert (begin_deals(tables, RULESET, Starts(forced=1.0), SEED, range(N), GAME).auction == FORCED).all()
    assert not rollout.auction.any()
    assert (rollout.tables["contract"] == tables["contract"]).all()
    assert (rollout.tables["calls"] == tables["calls"]).all()


def test_the_bidder_and_the_teacher_call_in_all_seats() -> None:
    rollout = play("mixed", range(60), Starts(taught=1.0))
    alone = play_deals(
        Cast(None, teacher=player("novice")), Starts(), RULESET, FEATURES, SEED, range(60), GAME
    )  # fmt: skip
    assert (rollout.tables["calls"] == alone.tables["calls"]).all()
    assert (rollout.tables["contract"] == alone.tables["contract"]).all()
    bid = play("mixed", range(60), Starts(bidder=1.0))
    assert not bid.auction.any()
    assert (bid.tables["calls"] != rollout.tables["calls"]).any()


def test_forced_moves_are_never_stored(played: Rollout) -> None:
    assert (played.mask.sum(1) > 1).all()
    assert played.mask[np.arange(len(played.action)), played.action].all()


def test_the_log_probability_is_that_of_the_action(played: Rollout) -> None:
    logits = np.where(played.mask == 1, wild(played.ids), -np.inf)
    expected = logits - np.log(np.exp(logits).sum(1, keepdims=True))
    assert played.log_probability == pytest.approx(expected[np.arange(len(logits)), played.action], abs=1e-4)


def test_calls_and_naming_are_told_from_cards(played: Rollout) -> None:
    n_calls = int(played.tables["n_calls"].sum())
    assert 0 < played.auction.sum() <= n_calls + len(played.tables)
    assert (~played.auction).sum() <= played.tables["n_plays"].sum()


def test_every_deal_is_over_and_sums_to_zero(played: Rollout) -> None:
    assert (played.tables["phase"] == OVER).all()
    assert (played.payoff.sum(1) == 0).all()
    assert played.payoff.any()


@pytest.mark.parametrize("hidden", [False, True])
def test_any_split_of_the_deals_plays_the_same_games(hidden: bool) -> None:
    together = play("mixed", range(16), MIXED, hidden)
    parts = [play("mixed", deals, MIXED, hidden) for deals in (range(1), range(1, 10), range(10, 16))]
    assert together.tables.tobytes() == b"".join(part.tables.tobytes() for part in parts)
    for part, first in zip(parts, (0, 1, 10), strict=True):
        here = (together.row >= first) & (together.row < first + len(part.tables))
        assert (together.row[here] == part.row + first).all()
        for name in ("ids", "mask", "order", "action", "log_probability", "source", "seat"):
            assert (getattr(together, name)[here] == getattr(part, name)).all(), name
        assert np.array_equal(together.advice[here], part.advice, equal_nan=True)


@pytest.mark.parametrize(("halves", "tables"), [(2, N), (3, N), (8, N), (1, 3), (2, 3)])
def test_parts_played_in_turn_or_by_threads_are_the_same_rollout(
    halves: int, tables: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def play(n: int, parts: int, most: int) -> Rollout:
        monkeypatch.setattr("training.rollout.MOST_TABLES", most)
        return play_deals(
            CASTS["mixed"], MIXED, RULESET, FEATURES, SEED, range(3, 3 + n), GAME, hidden=True, halves=parts
        )

    for n in (5, N):
        whole, parted = play(n, 1, N), play(n, halves, tables)
        for part in fields(Rollout):
            before, after = getattr(whole, part.name), getattr(parted, part.name)
            assert before.dtype == after.dtype
            assert before.tobytes() == after.tobytes(), part.name


def test_another_game_of_the_seed_has_other_deals(played: Rollout) -> None:
    again = play_deals(CASTS["learner"], Starts(), RULESET, FEATURES, SEED, range(N), GAME + 1)
    assert not (again.tables["dealt"] == played.tables["dealt"]).all(axis=(1, 2)).any()


def test_hidden_cards_are_those_that_the_others_still_hold() -> None:
    rollout, plain = play("learner", range(N), hidden=True), play("learner", range(N))
    assert plain.ids.shape[1] == MAX_ACTIVE
    assert rollout.ids.shape[1] == MAX_ACTIVE + N_HIDDEN
    assert (rollout.ids[:, :MAX_ACTIVE] == plain.ids).all()
    assert (plain.ids < FEATURES.n).all()
    for row in range(N):
        mine, table = np.flatnonzero(rollout.row == row), rollout.tables[row]
        dealt = table["dealt"]
        for i in mine:
            shown = rollout.ids[i, MAX_ACTIVE:]
            shown = shown[shown != PAD] - FEATURES.n
            own = [f for f in range(N_CARDS) if f in rollout.ids[i]]  # the block "hand" comes first
            for rel in range(1, N_SEATS):
                cards = shown[(shown >= N_CARDS * (rel - 1)) & (shown < N_CARDS * rel)] % N_CARDS
                seat = (rollout.seat[i] + rel) % N_SEATS
                assert set(cards) <= set(NETWORK_ACTION_OF[rollout.order[i], dealt[seat]].tolist())
                assert not set(cards) & set(own)
                assert abs(len(cards) - len(own)) <= 1


def test_advice_stands_at_the_calls_alone() -> None:
    rollout = play("mixed", range(N), MIXED)
    calls = rollout.auction & (rollout.action < FIRST_CALL + N_CALLS)
    legal = rollout.mask[:, FIRST_CALL : FIRST_CALL + N_CALLS] == 1
    expected = np.where(legal & calls[:, None], np.arange(N_CALLS), np.nan)
    assert np.array_equal(rollout.advice, expected, equal_nan=True)
    assert np.isnan(play("learner", range(2)).advice).all()


def test_shares_of_contracts_sum_to_one_and_rates_count_won_deals(played: Rollout) -> None:
    mix, rates = contract_mix(played.tables), made_rates(played.tables)
    assert sum(mix.values()) == pytest.approx(1)
    assert set(rates) == {name for name, share in mix.items() if share} - {"thrown_in"}
    won = sum(rates[name] * mix[name] for name in rates) * len(played.tables)
    assert won == pytest.approx(sum(table["payoff"][table["declarer"]] > 0 for table in played.tables))


def test_revokes_are_counted_against_the_plays_that_could_follow(played: Rollout) -> None:
    assert revoke_rate(played.tables) == 0
    ruleset = load_ruleset('pagat+play.revokes="possible"')
    rollout = play_deals(CASTS["learner"], Starts(forced=1.0), ruleset, FEATURES, SEED, range(N), GAME)
    assert 0.1 < revoke_rate(rollout.tables) < 0.9
