"""From a row of logits to an action: probabilities over the legal actions and nothing else.

Axes: N decisions, A actions.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from solo_env.actions import N_ACTIONS
from solo_env.engine._jit import kernel

KEY_BITS, FRACTION_BITS = 62, 53  # of a decision key, and of a float's fraction


@kernel
def unit_of(key: int) -> float:
    """A number from 0 up to but not including 1 from a decision key."""
    return (key >> (KEY_BITS - FRACTION_BITS)) / 2.0**FRACTION_BITS


@kernel
def sample_rows(
    logits: NDArray[np.float32],
    mask: NDArray[np.int8],
    keys: NDArray[np.int64],
    action: NDArray[np.int64],
    log_probability: NDArray[np.float32],
    likeliest: NDArray[np.float32],
) -> None:
    """Sample a legal action for each row by inverse CDF; the uniform number is the row's decision key.

    Args: logits float32 [N, A]; mask int8 [N, A]; keys int64 [N], 0 .. 2**62 - 1.
    Receives: action int64 [N], log_probability float32 [N], likeliest float32 [N], the largest chance of a row.
    """
    for i in range(len(action)):
        top = -math.inf
        for a in range(N_ACTIONS):
            if mask[i, a]:
                top = max(top, float(logits[i, a]))
        total = 0.0
        for a in range(N_ACTIONS):
            if mask[i, a]:
                total += math.exp(float(logits[i, a]) - top)
        likeliest[i] = 1 / total
        left = unit_of(keys[i]) * total
        for a in range(N_ACTIONS):
            if mask[i, a]:
                action[i] = a  # the last legal action stays where rounding leaves a rest
                left -= math.exp(float(logits[i, a]) - top)
                if left < 0:
                    break
        log_probability[i] = float(logits[i, action[i]]) - top - math.log(total)


@kernel
def choose_best_rows(logits: NDArray[np.float32], mask: NDArray[np.int8], action: NDArray[np.int64]) -> None:
    """The legal action with the largest logit for each row, the lowest id among equals.

    Args: logits float32 [N, A]; mask int8 [N, A]. Receives: action int64 [N].
    """
    for i in range(len(action)):
        best = -1
        for a in range(N_ACTIONS):
            if mask[i, a] and (best < 0 or logits[i, a] > logits[i, best]):
                best = a
        action[i] = best
