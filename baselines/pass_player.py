"""A player that never calls and plays its lowest card."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solo_env.actions import FIRST_CALL
from solo_env.cards import N_RANKS
from solo_env.engine._jit import kernel
from solo_env.engine.bits import lowest
from solo_env.engine.observe import honest_cards
from solo_env.player import BatchPlayer, check_asked
from solo_env.view import View


class PassPlayer(BatchPlayer):
    """Passes, plays the lowest card it may without a revoke, and names the first suit it may if it must."""

    def act_batch(self, views: NDArray[np.void], keys: NDArray[np.int64], out: NDArray[np.int64]) -> None:
        """Write the pass or the lowest card of each view; the keys are not used."""
        choose_rows(views, out)

    def explain(self, view: View) -> str:
        """Which of its rules applies."""
        check_asked(view)
        return "The lowest card that may be played." if view.legal_cards else "It never calls."


@kernel
def choose_rows(views: NDArray[np.void], out: NDArray[np.int64]) -> None:
    """Fill ``out`` (int64[B]) with the pass or the lowest card of each view; the views are not changed."""
    for b in range(len(views)):
        cards, calls = honest_cards(views[b]), int(views[b]["legal_calls"])
        # PASS is the first call and clubs the first suit to name, so the lowest bit is the answer to both.
        out[b] = lowest_rank(cards) if cards else FIRST_CALL + lowest(calls)


@kernel
def lowest_rank(cards: int) -> int:
    """The card of the lowest rank, and of those the lowest number, in a set that is not empty."""
    best = lowest(cards)
    while cards:
        card = lowest(cards)
        if card % N_RANKS < best % N_RANKS:
            best = card
        cards &= cards - 1
    return best
