"""Means with intervals."""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

MIN_FOR_INTERVAL = 10  # below this the expansion of Student's t used here is off by more than 0.1 %


def mean_and_interval(values: NDArray[np.float64], level: float = 0.95) -> tuple[float, tuple[float, float] | None]:
    """Mean of independent values [N] and its t interval; None for the interval of fewer than ten values.

    In a match the values are the means of whole deals (the cluster), not of single tables.
    """
    n = len(values)
    mean = float(np.mean(values))
    if n < MIN_FOR_INTERVAL:
        return mean, None
    half = student_quantile((1 + level) / 2, n - 1) * float(np.std(values, ddof=1)) / math.sqrt(n)
    return mean, (mean - half, mean + half)


def student_quantile(p: float, freedom: int) -> float:
    """Quantile ``p`` of Student's t with ``freedom`` degrees, at least 9 (Cornish-Fisher, to order 1/freedom^3)."""
    z, v = NormalDist().inv_cdf(p), freedom
    return (
        z
        + (z**3 + z) / (4 * v)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * v**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * v**3)
    )
