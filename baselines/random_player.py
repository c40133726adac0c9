"""A player that plays cards at random and calls by stated weights."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from baselines.uniform import nth_action
from solo_env.actions import (
    ABT,
    ABU,
    COP,
    DECL,
    FIRST_CALL,
    GRAND,
    MIS,
    N_CALLS,
    OUV,
    PASS,
    PETIT,
    PROP,
    RDECL,
    SOLO,
)
from solo_env.actions import text as action_text
from solo_env.engine._jit import kernel
from solo_env.engine.bits import key_below, popcount
from solo_env.player import BatchPlayer, check_asked
from solo_env.view import View

# How often each call is made, divided by the sum over the calls that are legal at the time. Calls drawn
# uniformly would end nearly every auction at the top of the ladder.
WEIGHTS = {
    PASS: 300,
    PROP: 300,
    COP: 900,
    SOLO: 60,
    MIS: 5,
    ABU: 24,
    ABT: 40,
    PETIT: 1,
    OUV: 1,
    DECL: 1,
    GRAND: 1,
    RDECL: 1,
}
WEIGHT_BY_CALL = tuple(WEIGHTS[FIRST_CALL + i] for i in range(N_CALLS))


class RandomPlayer(BatchPlayer):
    """Cards uniform, trumps uniform, calls by :data:`WEIGHTS`.

    Four of them, over 20,000 deals of ``pagat``: 52 decisions a deal, 5 % of the deals thrown in, and of the
    rest 51 % proposal and acceptance, 25 % solo, 14 % abundance, 4.4 % abundance in trumps, 3.2 % misère,
    0.9 % misère ouverte and 0.9 % abundance declared.
    """

    def act_batch(self, views: NDArray[np.void], keys: NDArray[np.int64], out: NDArray[np.int64]) -> None:
        """Write one of the legal actions of each view, drawn from its key."""
        choose_rows(views, keys, out)

    def explain(self, view: View) -> str:
        """The chances of the calls, or how many cards the choice was made from."""
        check_asked(view)
        legal = view.legal_actions()
        if any(action not in WEIGHTS for action in legal):
            return f"One of {len(legal)} legal actions, all equally likely."
        total = sum(WEIGHTS[call] for call in legal)
        chances = ", ".join(f"{action_text(call)} {100 * WEIGHTS[call] / total:.0f} %" for call in legal)
        return f"A call drawn from {chances}."


@kernel
def choose_rows(views: NDArray[np.void], keys: NDArray[np.int64], out: NDArray[np.int64]) -> None:
    """Fill ``out`` (int64[B]) with one legal action of each view; the views are not changed."""
    for b in range(len(views)):
        cards, calls = int(views[b]["legal_cards"]), int(views[b]["legal_calls"])
        key = int(keys[b])
        if cards or calls >> N_CALLS:  # cards, or suits to name as trumps
            out[b] = nth_action(cards, calls, key_below(key, popcount(cards) + popcount(calls)))
        else:
            out[b] = draw_call(calls, key)


@kernel
def draw_call(calls: int, key: int) -> int:
    """One of the legal calls (bit action - 52), drawn from a key by weight."""
    total = 0
    for i in range(N_CALLS):
        total += WEIGHT_BY_CALL[i] * (calls >> i & 1)
    left = key_below(key, total)
    for i in range(N_CALLS):
        left -= WEIGHT_BY_CALL[i] * (calls >> i & 1)
        if left < 0:
            return FIRST_CALL + i
    return PASS  # never reached: the weights of the legal calls add up to the total
