"""Looking at a measurement while it runs: an interval that holds at every look together, and when it decided.

The normal-mixture confidence sequence with the variance estimated (Waudby-Smith, Arbour, Sinha, Kennedy and
Ramdas, "Time-uniform central limit theory and asymptotic confidence sequences", Annals of Statistics 2024).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solo_env.evaluation.estimates import LEVEL, Interval, mean_and_sd

LOOK = 100  # clusters between looks; also how many come before the first
TIGHTEST_AT = 2_000  # clusters at which the sequence is nearest to Student's interval


def radius(n: int, sd: float, level: float = LEVEL) -> float:
    """How far the interval reaches to each side of the mean of n clusters."""
    alpha = 1 - level
    rho2 = (-2 * math.log(alpha) + math.log(1 - 2 * math.log(alpha))) / TIGHTEST_AT
    x = n * rho2 + 1
    return sd * math.sqrt(2 * x / (n * n * rho2) * math.log(math.sqrt(x) / alpha))


@dataclass
class Sequence:
    """The looks at one challenger's scores, as they come in."""

    divisor: int
    until: float | None = None
    n: int = 0
    total: int = 0
    squares: int = 0
    decided_at: int | None = None  # the first look at which the interval had no 0 in it
    stopped: bool = False  # it reached no farther than ``until``

    def room(self, n: int) -> int:
        """How many of the n clusters to come are to be added before the next decision whether to stop."""
        return min(n, LOOK - self.n % LOOK) if self.until is not None else n

    def add(self, scores: NDArray[np.int64]) -> None:
        """Add the whole-number scores of clusters, in order; what lies between looks waits for the next."""
        for part in np.split(scores, range(LOOK - self.n % LOOK, len(scores), LOOK)):
            self.n += len(part)
            self.total += int(part.sum())
            self.squares += int(part @ part)
            if self.n % LOOK == 0:
                self._look()

    def interval(self) -> Interval | None:
        """The interval of the last look that there was or could be now; None before the first."""
        if self.n < LOOK:
            return None
        mean, sd = mean_and_sd(self.n, self.total, self.squares, self.divisor)
        half = radius(self.n, sd)
        return mean - half, mean + half

    def _look(self) -> None:
        found = self.interval()
        if found is None or found[0] == found[1]:  # clusters that are all alike say nothing of their spread
            return
        if self.decided_at is None and not found[0] <= 0 <= found[1]:
            self.decided_at = self.n
        if self.until is not None and (found[1] - found[0]) / 2 <= self.until:
            self.stopped = True

    def as_json(self) -> dict[str, Any]:
        """JSON-ready."""
        found = self.interval()
        return {
            "look_every": LOOK,
            "tightest_at": TIGHTEST_AT,
            "interval95": None if found is None else list(found),
            "decided_at": self.decided_at,
            "until": self.until,
            "stopped": self.stopped,
        }
