"""A player that takes every legal action alike."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solo_env.actions import FIRST_CALL
from solo_env.engine._jit import kernel
from solo_env.engine.bits import key_below, nth_card, popcount
from solo_env.player import BatchPlayer, check_asked
from solo_env.view import View


class UniformPlayer(BatchPlayer):
    """Uniform over the legal actions: cards, calls and trumps alike.

    Most auctions end in the highest call, because any rung may be skipped: at a table of four such players
    the contract is an abundance declared more often than all others together. For self-play with a broad mix
    of contracts take :class:`baselines.random_player.RandomPlayer`.
    """

    def act_batch(self, views: NDArray[np.void], keys: NDArray[np.int64], out: NDArray[np.int64]) -> None:
        """Write one of the legal actions of each view, drawn from its key."""
        choose_rows(views, keys, out)

    def explain(self, view: View) -> str:
        """How many actions the choice was made from."""
        check_asked(view)
        return f"One of {len(view.legal_actions())} legal actions, all equally likely."


@kernel
def choose_rows(views: NDArray[np.void], keys: NDArray[np.int64], out: NDArray[np.int64]) -> None:
    """Fill ``out`` (int64[B]) with one legal action of each view; the views are not changed."""
    for b in range(len(views)):
        cards, calls = int(views[b]["legal_cards"]), int(views[b]["legal_calls"])
        out[b] = nth_action(cards, calls, key_below(int(keys[b]), popcount(cards) + popcount(calls)))


@kernel
def nth_action(cards: int, calls: int, n: int) -> int:
    """The n-th (from 0) of the legal actions, the cards first."""
    n_cards = popcount(cards)
    return nth_card(cards, n) if n < n_cards else FIRST_CALL + nth_card(calls, n - n_cards)
