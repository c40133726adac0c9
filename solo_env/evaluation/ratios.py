"""Shares and means of things that come in clumps: so many calls a deal, all of one deal hanging together.

Both are ratios of two sums over units; their spread is taken from whole units, as for every other number.
"""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from solo_env.evaluation.estimates import LEVEL, MIN_FOR_INTERVAL, student_quantile

Measured = dict[str, Any]  # {"n": int, "mean": float | None, "interval95": [low, high] | None}
NOTHING: Measured = {"n": 0, "mean": None, "interval95": None}


def sums_by_unit(values: ArrayLike, units: NDArray[np.int64], n_units: int) -> NDArray[np.float64]:
    """The sum of ``values`` [N] in each unit 0 .. n_units - 1, float64."""
    sums: NDArray[np.float64] = np.zeros(n_units)
    np.add.at(sums, units, np.asarray(values, np.float64))
    return sums


def mean_of(values: ArrayLike, units: NDArray[np.int64], n_units: int) -> Measured:
    """The mean of ``values`` [N], each of a unit (int64 [N]), with Student's interval over all units."""
    return ratio(sums_by_unit(values, units, n_units), sums_by_unit(1, units, n_units))


def ratio(over: NDArray[np.float64], under: NDArray[np.float64]) -> Measured:
    """sum(over) / sum(under) of units [U], with Student's interval of the linearised ratio; n is sum(under)."""
    n = float(under.sum())
    if not n:
        return dict(NOTHING)
    mean = float(over.sum()) / n
    error = _error(over, under, mean)
    around = None
    if len(over) >= MIN_FOR_INTERVAL:
        half = student_quantile((1 + LEVEL) / 2, len(over) - 1) * error
        around = [mean - half, mean + half]
    return {"n": round(n), "mean": mean, "interval95": around}


def share_of(hits: ArrayLike, units: NDArray[np.int64], n_units: int) -> Measured:
    """How large a part of N things are hits (bool [N]), each of a unit; see :func:`share`."""
    return share(sums_by_unit(hits, units, n_units), sums_by_unit(1, units, n_units))


def share(hits: NDArray[np.float64], tries: NDArray[np.float64]) -> Measured:
    """sum(hits) / sum(tries) of units [U], with Wilson's interval, for as many tries as the clumps are worth.

    n is sum(tries). Where all or none hit, the tries are taken as independent, since nothing tells of clumps.
    """
    n = float(tries.sum())
    if not n:
        return dict(NOTHING)
    p = float(hits.sum()) / n
    clumped = _error(hits, tries, p) ** 2
    plain = p * (1 - p) / n
    worth = n / max(1.0, clumped / plain) if plain else n
    z = NormalDist().inv_cdf((1 + LEVEL) / 2)
    middle = (p + z * z / (2 * worth)) / (1 + z * z / worth)
    half = z / (1 + z * z / worth) * math.sqrt(p * (1 - p) / worth + z * z / (4 * worth * worth))
    low, high = (0.0 if p == 0 else middle - half), (1.0 if p == 1 else middle + half)
    return {"n": round(n), "mean": p, "interval95": [low, high]}


def _error(over: NDArray[np.float64], under: NDArray[np.float64], mean: float) -> float:
    """The standard error of a ratio of sums over units."""
    units = len(over)
    if units == 1:
        return 0.0
    off = over - mean * under
    return math.sqrt(float(off @ off) * units / (units - 1)) / float(under.sum())
