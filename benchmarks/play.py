"""Random play with the calls of the player ``random``: in one kernel, and from the masks of a batch.

These kernels are compiled anew in every process: numba's cache would not notice an edit of the engine (see
``solo_env.engine._jit``, whose cache is for what is shipped).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from baselines.random_player import WEIGHTS, draw_call
from solo_env.actions import AUCTION, FIRST_CALL, N_ACTIONS, OVER, PLAY
from solo_env.engine._jit import F, compiled, config
from solo_env.engine.bits import next_random, nth_card, popcount, random_below
from solo_env.engine.deal import start_session
from solo_env.engine.state import new_tables
from solo_env.engine.step import apply_action, legal_call_set, legal_card_set
from solo_env.rules import load_ruleset
from solo_env.rules.model import N_CONTRACT_KINDS
from solo_env.rules.pack import pack_array

# How often each action is drawn, over the sum for the legal ones: calls as ``random`` makes them, the rest alike.
ACTION_WEIGHTS = np.array([WEIGHTS.get(action, 1) for action in range(N_ACTIONS)], np.int64)


def kernel_of_today(function: F) -> F:
    """Compile a kernel for this process only."""
    return function if config.DISABLE_JIT else compiled(function, nogil=True)


@kernel_of_today
def play_deals(
    tables: NDArray[np.void],
    rules: NDArray[np.void],
    rng: NDArray[np.int64],
    first: int,
    n: int,
    played: NDArray[np.int64],
) -> int:
    """Play ``n`` deals from number ``first`` at one table; returns the steps, counts contracts in ``played``."""
    table, rule, steps = tables[0], rules[0], 0
    for game in range(first, first + n):
        start_session(table, rule, 0, 0, game, -1, 1)
        while table["phase"] != OVER:
            if table["phase"] == PLAY:
                cards = legal_card_set(table, rule)
                action = nth_card(cards, random_below(rng, popcount(cards)))
            elif table["phase"] == AUCTION:
                action = draw_call(legal_call_set(table, rule), next_random(rng))
            else:
                suits = legal_call_set(table, rule)
                action = FIRST_CALL + nth_card(suits, random_below(rng, popcount(suits)))
            apply_action(table, rule, action)
            steps += 1
        played[int(table["contract"]) + 1] += 1
    return steps


@kernel_of_today
def draw_rows(
    mask: NDArray[np.int8], weights: NDArray[np.int64], rng: NDArray[np.int64], out: NDArray[np.int64]
) -> None:
    """Fill ``out`` (int64[B]) with one of the actions that each row of ``mask`` (int8[B, A]) allows, by weight."""
    for b in range(len(mask)):
        total = 0
        for action in range(N_ACTIONS):
            total += mask[b, action] * weights[action]
        left, action = random_below(rng, total), -1
        while left >= 0:
            action += 1
            left -= mask[b, action] * weights[action]
        out[b] = action


def new_rng(seed: int) -> NDArray[np.int64]:
    """A generator for these kernels."""
    rng = np.array([seed, 0x243F6A88, 0x13198A2E, 1], np.int64)
    for _ in range(12):
        next_random(rng)
    return rng


class Deals:
    """Deals played one after the other at one table, nothing observed."""

    def __init__(self, ruleset: str = "pagat", seed: int = 1) -> None:
        self.played = np.zeros(N_CONTRACT_KINDS + 1, np.int64)  # thrown in, then by contract
        self.n_deals = 0
        self.tables, self._rules = new_tables(1), pack_array(load_ruleset(ruleset))
        self._rng = new_rng(seed)

    def play(self, n: int) -> int:
        """Play ``n`` deals; returns the steps."""
        steps = play_deals(self.tables, self._rules, self._rng, self.n_deals, n, self.played)
        self.n_deals += n
        return int(steps)
