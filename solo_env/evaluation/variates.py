"""Control variates: what the luck of the cards explains of a score is taken off, and the mean stays what it was.

Each deal has features of its hands, whose means over all deals are known: they are counted over many deals of a
book of their own, without any play. The coefficients that are used on one fifth of the clusters are fitted on the
other four, so a cluster never has a part in its own correction and the mean stays unbiased. Where every player has
every seat as often, most of the luck is gone already, and what is left to take off is told.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solo_env.engine import batch
from solo_env.engine.state import new_tables
from solo_env.evaluation.estimates import t_interval
from solo_env.evaluation.kernels import N_FEATURES, add_features
from solo_env.rules import Ruleset, pack_array

FOLDS = 5
COUNTED_GAME = 1 << 45  # no book's
COUNTED_DEALS = 1 << 17
AT_ONCE = 1 << 12
LEAST_UNITS = 50 * N_FEATURES  # below this fitting costs more than it saves
DIGITS = 10  # that are told: the rest of a solved system is the machine's own


@dataclass
class VariateTally:
    """Sums by fold over clusters of features x and whole-number scores y, all exact."""

    sums: NDArray[np.int64] = field(default_factory=lambda: np.zeros((FOLDS, N_FEATURES), np.int64))
    products: NDArray[np.int64] = field(default_factory=lambda: np.zeros((FOLDS, N_FEATURES, N_FEATURES), np.int64))
    with_score: NDArray[np.int64] = field(default_factory=lambda: np.zeros((FOLDS, N_FEATURES), np.int64))
    score: NDArray[np.int64] = field(default_factory=lambda: np.zeros((FOLDS, 3), np.int64))  # n, sum, squares

    def add(self, tables: NDArray[np.void], first: int, scores: NDArray[np.int64]) -> None:
        """Add clusters from ``first`` on: their tables as dealt and their scores, [N]."""
        fold = np.arange(first, first + len(scores)) % FOLDS
        for k in range(FOLDS):
            mine, y = tables[fold == k], scores[fold == k]
            x = np.zeros((len(mine), N_FEATURES), np.int64)
            add_features(mine, x, self.sums[k], self.products[k])
            self.with_score[k] += y @ x
            self.score[k] += (len(y), y.sum(), y @ y)

    def adjusted(self, ruleset: Ruleset, divisor: int) -> dict[str, Any] | None:
        """The mean with the luck of the hands taken off; None for too few clusters. See ``docs/evaluation.md``."""
        n = int(self.score[:, 0].sum())
        if n < LEAST_UNITS:
            return None
        expected, spread_of_expected = expected_features(ruleset)
        # Sums of y - b(x - m) and of its square, over all folds, each with the b of the others.
        total, squares, beta_sum = 0.0, 0.0, np.zeros(N_FEATURES)
        for k in range(FOLDS):
            beta = self._fitted(np.arange(FOLDS) != k, expected)
            size, sum_y, sum_yy = (float(x) for x in self.score[k])
            x, xx, xy = self._centred(np.arange(FOLDS) == k, expected)
            total += sum_y - float(beta @ x)
            squares += sum_yy - 2 * float(beta @ xy) + float(beta @ xx @ beta)
            beta_sum += beta * size
        mean = total / n
        sd = math.sqrt(max(0.0, squares / n - mean * mean) * n / (n - 1))
        beta_mean = beta_sum / n
        # What is not known of the expected features is in the interval too.
        sd_told = math.sqrt(sd * sd + n * float(beta_mean @ spread_of_expected @ beta_mean))
        plain = float(self.score[:, 2].sum()) / n - (float(self.score[:, 1].sum()) / n) ** 2
        interval = t_interval(n, mean / divisor, sd_told / divisor)
        return {
            "n": n,
            "mean": _round(mean / divisor),
            "sd": _round(sd_told / divisor),
            "t95": None if interval is None else [_round(end) for end in interval],
            "variance_left": _round(sd_told**2 * (n - 1) / n / plain) if plain > 0 else None,
        }

    def _centred(
        self, folds: NDArray[np.bool_], expected: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Sums over folds of x - m, of its products and of its products with the score."""
        n, sum_y = float(self.score[folds, 0].sum()), float(self.score[folds, 1].sum())
        x = self.sums[folds].sum(axis=0).astype(np.float64)
        xx = self.products[folds].sum(axis=0) - np.outer(x, expected) - np.outer(expected, x)
        xx += n * np.outer(expected, expected)
        return x - n * expected, xx, self.with_score[folds].sum(axis=0) - sum_y * expected

    def _fitted(self, folds: NDArray[np.bool_], expected: NDArray[np.float64]) -> NDArray[np.float64]:
        """The coefficients of a regression, with a constant, on these folds."""
        n, sum_y = float(self.score[folds, 0].sum()), float(self.score[folds, 1].sum())
        x, xx, xy = self._centred(folds, expected)
        beta: NDArray[np.float64] = np.linalg.pinv(xx - np.outer(x, x) / n, hermitian=True) @ (xy - x * sum_y / n)
        return beta


@lru_cache(maxsize=32)
def expected_features(ruleset: Ruleset) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The mean of each feature over shuffled deals, and the covariance of that mean as it was counted."""
    rules, tables = pack_array(ruleset), new_tables(AT_ONCE)
    sums, products = np.zeros(N_FEATURES, np.int64), np.zeros((N_FEATURES, N_FEATURES), np.int64)
    features = np.zeros((AT_ONCE, N_FEATURES), np.int64)
    for first in range(0, COUNTED_DEALS, AT_ONCE):
        batch.deal_rows(tables, rules, 0, first, COUNTED_GAME, -1, 1, 0, AT_ONCE)
        add_features(tables, features, sums, products)
    mean = sums / COUNTED_DEALS
    covariance = products / COUNTED_DEALS - np.outer(mean, mean)
    return mean, covariance / COUNTED_DEALS


def _round(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")
