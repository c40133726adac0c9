"""Advantages along each seat's own decisions.

A seat's chain in one deal is the list of its own stored decisions, in order. Nothing is paid before the end of a
deal and gamma is 1, so the whole payoff stands at the end of the chain:

    decision   d0      d1      d2      end of the deal
    value      V0      V1      V2
    delta      V1-V0   V2-V1   payoff-V2
    advantage  delta + lambda * advantage of the seat's next decision

That is ``gae``. ``vrpo`` has a critic that values actions, Q, of which V is the mean under the policy. What the
action taken was worth is then told apart from what followed, which is expected SARSA(lambda):

    delta      V1-Q0   V2-Q1   payoff-Q2
    trace      delta + lambda * trace of the seat's next decision
    target     Q + trace, what Q is to learn
    advantage  Q + trace - V

With lambda 1 the two advantages differ by the sum of ``V - Q`` over the seat's later decisions: the luck of its own
draws, taken off. What other seats do in between belongs to the environment. A deal is always played to its end, so
no value is ever put in place of a payoff that is not known yet.
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
    gae_lambda: float,
) -> NDArray[np.float32]:
    """Generalised advantages, float32 [N], of decisions that stand in the order in which they were taken.

    Args:
        row: [N], the deal (row of ``payoff``) of each decision.
        seat: [N], the seat that decided.
        value: [N], the payoff the critic expected there.
        payoff: [B, 4], what each seat of each deal was paid, in the unit of ``value``.
        gae_lambda: 1 gives ``payoff - value``; 0 gives one-step differences.
    """
    return _traces(row, seat, value, value, payoff, gae_lambda)


def vrpo_advantages(
    row: NDArray[np.int64],
    seat: NDArray[np.int64],
    taken: NDArray[np.float32],
    value: NDArray[np.float32],
    payoff: NDArray[np.float32],
    trace_lambda: float,
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Advantages and targets of expected SARSA(lambda), float32 [N] each, in the order of the decisions.

    Args:
        row: [N], the deal (row of ``payoff``) of each decision.
        seat: [N], the seat that decided.
        taken: [N], the payoff the critic expected after the action that was taken.
        value: [N], the same over all actions, weighted by the policy.
        payoff: [B, 4], what each seat of each deal was paid, in the unit of ``value``.
        trace_lambda: 1 gives a target of the payoff less the luck of the seat's own later draws; 0 gives the value
            of its next decision.
    """
    target = taken + _traces(row, seat, taken, value, payoff, trace_lambda)
    return target - value, target


def _traces(
    row: NDArray[np.int64],
    seat: NDArray[np.int64],
    told: NDArray[np.float32],
    value: NDArray[np.float32],
    payoff: NDArray[np.float32],
    factor: float,
) -> NDArray[np.float32]:
    trace = np.zeros(len(row), np.float32)
    next_value = payoff.astype(np.float32)  # [B, 4], what follows the decision at hand: at first the payoff
    next_trace = np.zeros((len(payoff), N_SEATS), np.float32)
    walk_back(row, seat, told, value, next_value, next_trace, float(factor), trace)
    return trace


@kernel
def walk_back(
    row: NDArray[np.int64],
    seat: NDArray[np.int64],
    told: NDArray[np.float32],
    value: NDArray[np.float32],
    next_value: NDArray[np.float32],
    next_trace: NDArray[np.float32],
    factor: float,
    trace: NDArray[np.float32],
) -> None:
    """Fill ``trace`` [N] from the last decision to the first; uses up the two [B, 4] arrays.

    ``told`` [N] is what was expected of the decision as it was taken, ``value`` [N] before it was.
    """
    for i in range(len(row) - 1, -1, -1):
        b, p = row[i], seat[i]
        trace[i] = next_value[b, p] - told[i] + factor * next_trace[b, p]
        next_trace[b, p] = trace[i]
        next_value[b, p] = value[i]
