"""Shares and means of things that come in clumps: so many calls a deal, all of one deal hanging together.

Both are ratios of two sums over clusters; their spread is taken from whole clusters, as for every other number.
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


def sums_by_cluster(values: ArrayLike, clusters: NDArray[np.int64], n_clusters: int) -> NDArray[np.float64]:
    """The sum of ``values`` [N] in each cluster 0 .. n_clusters - 1, float64."""
    sums: NDArray[np.float64] = np.zeros(n_clusters)
    np.add.at(sums, clusters, np.asarray(values, np.float64))
    return sums


def mean_of(values: ArrayLike, clusters: NDArray[np.int64], n_clusters: int) -> Measured:
    """The mean of ``values`` [N], each of a cluster (int64 [N]), with Student's interval over all clusters."""
    return ratio(sums_by_cluster(values, clusters, n_clusters), sums_by_cluster(1, clusters, n_clusters))


def ratio(over: NDArray[np.float64], under: NDArray[np.float64]) -> Measured:
    """sum(over) / sum(under) of clusters [U], with Student's interval of the linearised ratio; n is sum(under)."""
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


def share_of(hits: ArrayLike, clusters: NDArray[np.int64], n_clusters: int) -> Measured:
    """How large a part of N things are hits (bool [N]), each of a cluster; see :func:`share`."""
    return share(sums_by_cluster(hits, clusters, n_clusters), sums_by_cluster(1, clusters, n_clusters))


def share(hits: NDArray[np.float64], tries: NDArray[np.float64]) -> Measured:
    """sum(hits) / sum(tries) of clusters [U], with Wilson's interval, for as many tries as the clumps are worth.

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
    """The standard error of a ratio of sums over clusters."""
    clusters = len(over)
    if clusters == 1:
        return 0.0
    off = over - mean * under
    return math.sqrt(float(off @ off) * clusters / (clusters - 1)) / float(under.sum())
