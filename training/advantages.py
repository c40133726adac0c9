"""Advantages along each seat's own decisions.

A seat's chain in one deal is the list of its own stored decisions, in order. Nothing is paid before the end
of a deal and gamma is 1, so the whole payoff stands at the end of the chain:

    decision   d0      d1      d2      end of the deal
    value      V0      V1      V2
    delta      V1-V0   V2-V1   payoff-V2
    advantage  delta + lambda * advantage of the seat's next decision

What other seats do in between belongs to the environment. A deal is always played to its end, so no value is
ever put in place of a payoff that is not known yet.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solo_env.cards import N_SEATS
from solo_env.engine._jit import kernel


def seat_advantages(
    row: NDArray[np.int64],
    seat: NDArray[np.int64],
    value: NDArray[np.float32],
    payoff: NDArray[np.float32],
    lam: NDArray[np.float32],
) -> NDArray[np.float32]:
    """Generalised advantages, float32 [N], of decisions that stand in the order in which they were taken.

    Args:
        row: [N], the deal (row of ``payoff``) of each decision.
        seat: [N], the seat that decided.
        value: [N], the payoff the critic expected there.
        payoff: [B, 4], what each seat of each deal was paid, in the unit of ``value``.
        lam: [N], lambda at each decision: 1 gives ``payoff - value``; 0 gives one-step differences.
    """
    advantage = np.zeros(len(row), np.float32)
    next_value = payoff.astype(np.float32)  # [B, 4], what follows the decision at hand: at first the payoff
    next_advantage = np.zeros((len(payoff), N_SEATS), np.float32)
    walk_back(row, seat, value, next_value, next_advantage, lam, advantage)
    return advantage


@kernel
def walk_back(
    row: NDArray[np.int64],
    seat: NDArray[np.int64],
    value: NDArray[np.float32],
    next_value: NDArray[np.float32],
    next_advantage: NDArray[np.float32],
    lam: NDArray[np.float32],
    advantage: NDArray[np.float32],
) -> None:
    """Fill ``advantage`` [N] from the last decision to the first; uses up the two [B, 4] arrays."""
    for i in range(len(row) - 1, -1, -1):
        b, p = row[i], seat[i]
        delta = next_value[b, p] - value[i]
        advantage[i] = delta + lam[i] * next_advantage[b, p]
        next_advantage[b, p] = advantage[i]
        next_value[b, p] = value[i]


def vrpo_advantages(
    row: NDArray[np.int64],
    seat: NDArray[np.int64],
    taken: NDArray[np.float32],
    value: NDArray[np.float32],
    payoff: NDArray[np.float32],
    lam: NDArray[np.float32],
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    raise NotImplementedError
