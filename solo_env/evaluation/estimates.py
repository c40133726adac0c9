"""Means with intervals; the cluster of a book is what is drawn, whatever was played at its tables."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

MIN_FOR_INTERVAL = 10  # below this the expansion of Student's t used here is off by more than 0.1 %
LEVEL = 0.95
RESAMPLES = 10_000
BOOTSTRAP_SEED = 20_405  # of the resamples, so that the same scores give the same interval

Interval = tuple[float, float]


@dataclass(frozen=True)
class Estimate:
    """A mean over N clusters with two intervals, both None for fewer than ten clusters."""

    n: int
    mean: float
    sd: float  # of a cluster; 0 of a single one
    t95: Interval | None
    bootstrap95: Interval | None

    def as_json(self) -> dict[str, Any]:
        """JSON-ready."""
        return {
            "n": self.n,
            "mean": self.mean,
            "sd": self.sd,
            "t95": None if self.t95 is None else list(self.t95),
            "bootstrap95": None if self.bootstrap95 is None else list(self.bootstrap95),
        }


def estimate(scores: Mapping[int, int], divisor: int, resamples: int = RESAMPLES) -> Estimate:
    """The mean of whole-number scores, given as how many clusters had each, divided by ``divisor``.

    ``resamples`` of the bootstrap, 0 for none. Sums are exact, so the order of the clusters does not matter, and
    turning the sign of every score turns the sign of the mean.
    """
    values = np.array(sorted(scores), np.float64)
    counts = np.array([scores[int(value)] for value in values], np.int64)
    n = int(counts.sum())
    total = sum(value * count for value, count in scores.items())
    squares = sum(value * value * count for value, count in scores.items())
    mean, sd = mean_and_sd(n, total, squares, divisor)
    return Estimate(
        n,
        mean,
        sd,
        t_interval(n, mean, sd),
        bca_interval(values, counts, resamples, divisor) if resamples else None,
    )


def mean_and_sd(n: int, total: int, squares: int, divisor: int = 1) -> tuple[float, float]:
    """Mean and standard deviation of n whole numbers with this sum and sum of squares, divided by ``divisor``."""
    spread = (n * squares - total * total) / (n * (n - 1)) if n > 1 else 0.0
    return total / (n * divisor), math.sqrt(spread) / divisor


def t_interval(n: int, mean: float, sd: float, level: float = LEVEL) -> Interval | None:
    """Student's interval of the mean of n independent values."""
    if n < MIN_FOR_INTERVAL:
        return None
    half = student_quantile((1 + level) / 2, n - 1) * sd / math.sqrt(n)
    return mean - half, mean + half


def mean_and_interval(values: NDArray[np.float64], level: float = LEVEL) -> tuple[float, Interval | None]:
    """Mean of independent values [N] and its t interval; None for the interval of fewer than ten values.

    In a match the values are the means of whole deals (the cluster), not of single tables.
    """
    n, mean = len(values), float(np.mean(values))
    return mean, t_interval(n, mean, float(np.std(values, ddof=1)) if n > 1 else 0.0, level)


def bca_interval(
    values: NDArray[np.float64], counts: NDArray[np.int64], resamples: int = RESAMPLES, divisor: int = 1
) -> Interval | None:
    """Efron's BCa interval of a mean: whole clusters are drawn anew, bias and acceleration corrected.

    Few different scores stand for all clusters, so a resample of n clusters is one draw of how many had each score:
    the same distribution as drawing them one by one, at any n.
    """
    n = int(counts.sum())
    if n < MIN_FOR_INTERVAL:
        return None
    mean = float(counts @ values) / n
    if len(values) == 1:
        return mean / divisor, mean / divisor
    rng = np.random.default_rng(BOOTSTRAP_SEED)
    means = np.sort(rng.multinomial(n, counts / n, resamples) @ values / n)
    normal = NormalDist()
    # Half of the resamples that hit the mean itself count as below it: scores are whole numbers, so many do.
    below = (np.searchsorted(means, mean, "left") + np.searchsorted(means, mean, "right")) / 2
    bias = normal.inv_cdf(min(max(below / resamples, 0.5 / resamples), 1 - 0.5 / resamples))
    # Leaving out one cluster moves the mean by (mean - value) / (n - 1), whose skewness is the acceleration.
    off = values - mean
    second, third = float(counts @ off**2), float(counts @ off**3)
    acceleration = third / (6 * second**1.5)
    ends = []
    for tail in ((1 - LEVEL) / 2, (1 + LEVEL) / 2):
        z = bias + normal.inv_cdf(tail)
        p = normal.cdf(bias + z / (1 - acceleration * z))
        ends.append(float(np.quantile(means, p)) / divisor)
    return ends[0], ends[1]


def student_quantile(p: float, freedom: int) -> float:
    """Quantile ``p`` of Student's t with ``freedom`` degrees, at least 9 (Cornish-Fisher, to order 1/freedom^3)."""
    z, v = NormalDist().inv_cdf(p), freedom
    return (
        z
        + (z**3 + z) / (4 * v)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * v**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * v**3)
    )


def scores_of(values: NDArray[np.int64]) -> Counter[int]:
    """How many clusters had each score."""
    found, counts = np.unique(values, return_counts=True)
    return Counter(dict(zip(found.tolist(), counts.tolist(), strict=True)))
