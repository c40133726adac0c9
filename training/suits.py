"""Suits as the networks see them: counted from trumps, as seats are counted from the observer.

Renaming the suits of a deal changes nothing in it, but a plain network would have to learn every suit for
itself: "five trumps to the ace" would be four facts. So its suit 0 is the trump suit (before trumps are known,
and where there are none, the suit of the deal), and the others follow in their order, round and round:

    first suit H:   network's suit 0 1 2 3   is   H S C D

Columns of the observation and actions are moved alike. A network's action is a number in this order; all code
outside ``training`` speaks of actions as the action table does.

Axes: F columns of the chosen blocks, A actions; the first axis of the tables is the first suit.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from solo_env.actions import FIRST_TRUMPS, N_ACTIONS
from solo_env.cards import N_CARDS, N_RANKS, N_SUITS
from solo_env.engine._jit import kernel
from solo_env.layout import OFFSETS, block

# Blocks whose last axis has an entry a suit, and where on it the suits begin; one of 52 is an entry a card.
SUITS_AT = {"failed": 0, "suit": 0, "named": 0, "trump": 2}


def network_columns(blocks: Sequence[str]) -> NDArray[np.int64]:
    """Which column of an observation each input of a network reads, int64 [4, F], by first suit."""
    return np.array(
        [
            np.concatenate([OFFSETS[name] + _moved_block(name, first).ravel() for name in blocks])
            for first in range(N_SUITS)
        ]
    )


def _moved_block(name: str, first: int) -> NDArray[np.int64]:
    """The places within a block, in its shape, as a network reads them."""
    shape = block(name).shape
    places = np.arange(block(name).size).reshape(shape)
    if shape[-1] == N_CARDS:
        return places[..., _moved(np.arange(N_CARDS), 0, N_RANKS, first)]
    if name in SUITS_AT:
        return places[..., _moved(np.arange(shape[-1]), SUITS_AT[name], 1, first)]
    return places


def _moved(order: NDArray[np.int64], start: int, width: int, first: int) -> NDArray[np.int64]:
    """``order`` with its four groups of ``width`` from ``start`` on turned so that group ``first`` leads."""
    groups = slice(start, start + N_SUITS * width)
    moved = order.copy()
    moved[groups] = np.roll(order[groups], -first * width)
    return moved


def _actions_by_first_suit() -> NDArray[np.int64]:
    cards_moved = [_moved(np.arange(N_ACTIONS), 0, N_RANKS, first) for first in range(N_SUITS)]
    return np.array([_moved(order, FIRST_TRUMPS, 1, first) for first, order in enumerate(cards_moved)])


# int64 [4, A]: the action that each of a network's actions means, and back.
ACTION_OF = _actions_by_first_suit()
NETWORK_ACTION_OF = np.argsort(ACTION_OF, axis=1)


@kernel
def first_suit(view: np.void) -> int:
    """The suit that is the network's suit 0: trumps, else the suit of the deal, else (there is none) clubs."""
    trump = int(view["trump"])
    return trump if trump >= 0 else max(0, int(view["suit"]))
