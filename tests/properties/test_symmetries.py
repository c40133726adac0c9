"""Turning the seats and renaming the suits changes names, nothing else."""

from __future__ import annotations

import random
from functools import cache

import numpy as np
import pytest

from solo_env.actions import FIRST_TRUMPS
from solo_env.aec import AGENTS, raw_env
from solo_env.cards import N_RANKS
from solo_env.observation import named_view
from solo_env.player import make_player
from solo_env.rules import Ruleset, load_ruleset
from solo_env.table import Table
from tests.playing import PAGAT, contracts_of, random_game, random_position

RULESETS = [
    "pagat",
    "anna_cubed",
    'pagat+contract.abu_suit_time="with_call"',
    'anna_cubed+contract.abu_suit_time="with_call"',
]


def turned(table: Table, by: int) -> Table:
    """The same game with every seat moved ``by`` places clockwise."""
    from solo_env import record

    game = record.parse(table.record())
    moved = record.Record(
        **{**vars(game), "dealer": (game.dealer + by) % 4},
    )
    return Table.from_record(moved)


def renamed(table: Table, suits: list[int]) -> Table:
    """The same game with suit s called ``suits[s]``."""
    from solo_env import record

    def card(c: int) -> int:
        return suits[c // N_RANKS] * N_RANKS + c % N_RANKS

    def call(action: int) -> int:  # a suit may be named among the calls
        return FIRST_TRUMPS + suits[action - FIRST_TRUMPS] if action >= FIRST_TRUMPS else action

    game = record.parse(table.record())
    return Table.from_record(
        record.Record(
            **{
                **vars(game),
                "suit": game.suit if game.suit in (None, -1) else suits[game.suit],
                "calls": tuple(call(c) for c in game.calls),
                "hands": tuple(tuple(card(c) for c in hand) for hand in game.hands),
                "plays": tuple(card(c) for c in game.plays),
                "trump": None if game.trump is None else suits[game.trump],
            }
        )
    )


@cache
def environment(ruleset: Ruleset) -> raw_env:
    env = raw_env(ruleset)
    env.reset(seed=0)
    return env


def observation(table: Table, seat: int) -> np.ndarray:
    env = environment(table.ruleset)
    env.table = table
    return env.observe(AGENTS[seat])["observation"]


def test_an_observation_does_not_know_the_absolute_seat():
    rng = random.Random(1)
    for _ in range(60):
        table, by = random_position(rng), rng.randrange(1, 4)
        other = turned(table, by)
        for seat in range(4):
            assert (observation(table, seat) == observation(other, (seat + by) % 4)).all()
        assert other.payoffs == tuple(np.roll(table.payoffs, by))


@pytest.mark.parametrize("name", RULESETS)
def test_renaming_suits_permutes_the_card_columns_and_the_game(name):
    rng = random.Random(2)
    ruleset = load_ruleset(name)
    kinds = ["", *contracts_of(ruleset)]
    named = no_trump = 0
    for number in range(60):
        table = random_game(ruleset, rng, kinds[number % len(kinds)])
        suits = rng.sample(range(4), 4)
        other = renamed(table, suits)
        assert other.payoffs == table.payoffs
        assert other.turn == table.turn
        order = np.concatenate([np.arange(13) + 13 * suits.index(s) for s in range(4)])
        for seat in range(4):
            ours, theirs = named_view(observation(table, seat)), named_view(observation(other, seat))
            for block in ("hand", "played", "trick", "turned", "exposed", "played_trick"):
                assert (theirs[block] == ours[block][..., order]).all(), block
            by_suit = [suits.index(s) for s in range(4)]
            assert (theirs["failed"] == ours["failed"][:, by_suit]).all()
            assert (theirs["named"] == ours["named"][by_suit]).all()
            assert (theirs["suit"] == ours["suit"][[*by_suit, 4]]).all()  # the last: a no-trump round
            assert (theirs["trump"] == ours["trump"][[0, 1, *(2 + s for s in by_suit)]]).all()  # not yet, none
        named += int(ours["named"].any())
        no_trump += int(ours["suit"][4])
    assert (named > 0) == (ruleset.contract.abu_suit_time == "with_call")
    assert (no_trump > 0) == ("NT" in ruleset.trump.cycle and ruleset.trump.source == "cycle")


@pytest.mark.parametrize("name", ["club", "ev-bidder", "expert", "novice", "pass", "random", "uniform"])
def test_a_player_does_not_care_which_chair_it_sits_in(name):
    player = make_player(name, PAGAT)
    rng = random.Random(3)
    for _ in range(80):
        table, by = random_position(rng), rng.randrange(1, 4)
        if not table.over:
            seat = table.turn
            other = turned(table, by)
            assert player.act(table.view(seat), 7) == player.act(other.view((seat + by) % 4), 7)
