"""What the critic says: a distribution over payoffs.

A payoff is a few units or, rarely, many, up or down, and seldom anything between: a mean alone would be a poor
target, and squares would let the rare contracts rule. So the critic gives chances of ``bins`` payoffs, close
together round 0 and far apart at the ends, and learns them by cross-entropy. A target between two of them is shared
out so that the mean stays exactly what it is.
"""

from __future__ import annotations

import torch
from torch import Tensor


def bin_payoffs(bins: int, largest: float) -> Tensor:
    """The payoffs of the bins, float32 [bins], from -largest to largest: evenly spaced in sign(x) log(1 + |x|)."""
    end = torch.log1p(torch.tensor(float(largest), dtype=torch.float64))
    even = torch.linspace(-1, 1, bins, dtype=torch.float64) * end
    return (even.sign() * torch.expm1(even.abs())).float()


def mean_payoff(logits: Tensor, payoffs: Tensor) -> Tensor:
    """The mean [N] of the distributions that ``logits`` [N, bins] stand for."""
    return torch.softmax(logits, 1) @ payoffs


def chance_above_zero(logits: Tensor, payoffs: Tensor) -> Tensor:
    """The chance [N] of a payoff above 0."""
    return torch.softmax(logits, 1) @ (payoffs > 0).float()


def value_loss(logits: Tensor, payoffs: Tensor, target: Tensor) -> Tensor:
    """Cross-entropy [N] with ``target`` [N], each shared out between its two neighbours in ``payoffs``."""
    target = target.clamp(float(payoffs[0]), float(payoffs[-1]))
    above = torch.searchsorted(payoffs, target).clamp(1, len(payoffs) - 1)
    low, high = payoffs[above - 1], payoffs[above]
    share = (target - low) / (high - low)
    log_chances = torch.log_softmax(logits, 1)
    of_low = log_chances.gather(1, above[:, None] - 1)[:, 0]
    of_high = log_chances.gather(1, above[:, None])[:, 0]
    return -((1 - share) * of_low + share * of_high)
