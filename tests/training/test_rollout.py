from __future__ import annotations

import numpy as np
import pytest

from solo_env.actions import FIRST_CALL, OVER, PLAY
from solo_env.cards import cards_of
from solo_env.engine.deal import start_session
from solo_env.engine.state import new_tables
from solo_env.engine.step import apply_action, legal_call_set, legal_card_set
from solo_env.player import make_player
from solo_env.rules import Ruleset, pack
from training.checkpoint import State
from training.rollout import (
    GAME_CLONE,
    GAME_SELF_PLAY,
    Decide,
    Rollout,
    contract_mix,
    decide_by_player,
    decide_by_sampling,
    made_rates,
    play_deals,
)
from training.suits import ACTION_OF, network_columns

SEED = 7


def play(state: State, ruleset: Ruleset, deals: range, decide: Decide | None = None) -> Rollout:
    columns = network_columns(state.config.net.blocks)
    return play_deals(decide or decide_by_sampling(state.actor), ruleset, columns, SEED, deals)


def legal_actions(table: np.void, rules: np.void) -> list[int]:
    if table["phase"] == PLAY:
        return cards_of(legal_card_set(table, rules))
    calls = int(legal_call_set(table, rules))
    return [FIRST_CALL + i for i in range(16) if calls >> i & 1]


@pytest.fixture
def played(state: State, ruleset: Ruleset) -> Rollout:
    """Deals in which all contracts come up: an untrained actor calls wildly, the novice does not."""
    return play(state, ruleset, range(24))


@pytest.mark.parametrize("who", ["actor", "novice"])
def test_replaying_the_stored_choices_and_the_forced_moves_gives_the_deals(
    state: State, ruleset: Ruleset, who: str
) -> None:
    decide = decide_by_player(make_player(who, ruleset)) if who != "actor" else None
    rollout, rules = play(state, ruleset, range(5, 29), decide), pack(ruleset)
    for row in range(24):
        stored = iter(np.flatnonzero(rollout.row == row))
        table = new_tables(1)[0]
        start_session(table, rules, SEED, 5 + row, GAME_SELF_PLAY, -1, 1)
        by_seat: dict[int, list[int]] = {seat: [] for seat in range(4)}
        while table["phase"] != OVER:
            legal = legal_actions(table, rules)
            action = legal[0]
            if len(legal) > 1:  # only these are stored, each with its seat and its mask
                i = next(stored)
                assert rollout.seat[i] == table["turn"]
                meant = ACTION_OF[rollout.first[i]]
                assert sorted(meant[rollout.mask[i] == 1].tolist()) == legal
                action = int(meant[rollout.action[i]])
                by_seat[int(table["turn"])].append(i)
            apply_action(table, rules, action)
        assert next(stored, None) is None
        assert table.tobytes() == rollout.tables[row].tobytes()
        for seat, decisions in by_seat.items():  # the returns, by brute force
            assert (rollout.returns[decisions] == table["payoff"][seat]).all()


def test_forced_moves_are_never_stored(played: Rollout) -> None:
    assert (played.mask.sum(1) > 1).all()
    assert played.mask[np.arange(len(played.action)), played.action].all()


def test_calls_and_naming_are_told_from_cards(played: Rollout) -> None:
    n_calls = int(played.tables["n_calls"].sum())
    assert 0 < played.auction.sum() <= n_calls + len(played.tables)
    assert (~played.auction).sum() <= played.tables["n_plays"].sum()


def test_every_deal_is_over_and_sums_to_zero(played: Rollout) -> None:
    assert (played.tables["phase"] == OVER).all()
    assert (played.payoff.sum(1) == 0).all()
    assert played.payoff.any()


def test_one_table_plays_the_same_games_as_sixteen(state: State, ruleset: Ruleset) -> None:
    together = play(state, ruleset, range(16))
    alone = [play(state, ruleset, range(deal, deal + 1)) for deal in range(16)]
    assert together.tables.tobytes() == b"".join(rollout.tables.tobytes() for rollout in alone)
    for deal, rollout in enumerate(alone):
        mine = together.row == deal
        assert (together.action[mine] == rollout.action).all()
        assert (together.log_probability[mine] == rollout.log_probability).all()


def test_cloning_and_self_play_see_different_deals(state: State, ruleset: Ruleset) -> None:
    columns = network_columns(state.config.net.blocks)
    decide = decide_by_player(make_player("novice", ruleset))
    cloning, self_play = (
        play_deals(decide, ruleset, columns, SEED, range(8), game) for game in (GAME_CLONE, GAME_SELF_PLAY)
    )
    assert not (cloning.tables["dealt"] == self_play.tables["dealt"]).all(axis=(1, 2)).any()


def test_shares_of_contracts_sum_to_one_and_rates_count_won_deals(played: Rollout) -> None:
    mix, rates = contract_mix(played.tables), made_rates(played.tables)
    assert sum(mix.values()) == pytest.approx(1)
    assert set(rates) == {name for name, share in mix.items() if share} - {"thrown_in"}
    won = sum(rates[name] * mix[name] for name in rates) * len(played.tables)
    assert won == pytest.approx(sum(table["payoff"][table["declarer"]] > 0 for table in played.tables))
