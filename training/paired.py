"""Comparing trained players: all on the same deals, and of each recipe several runs from different seeds.

What a run of another seed would be worth is as uncertain as what other deals would bring, and few runs are seen. So
an interval here is for both: the mean over runs and deals, with the variance of runs and that of deals apart.

Axes: R runs, D deals.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solo_env.cards import N_SEATS
from solo_env.evaluation.books import Book
from solo_env.evaluation.play import play_chunk
from solo_env.evaluation.run import CHUNK
from solo_env.evaluation.seatings import SEATINGS
from solo_env.player import Player
from solo_env.rules import Ruleset

LEVEL = 0.95
STEPS = 4096  # of an integral
ALONE = SEATINGS["one_against_three"]


class Mean(NamedTuple):
    """A mean with its interval; both ends are the mean where nothing says how much it varies."""

    mean: float
    low: float
    high: float


def units_alone(
    player: Player, others: Player, ruleset: Ruleset, deals: int, seed: int = 0, book: str = "dev"
) -> NDArray[np.float64]:
    """Units a deal of ``player`` alone among three of ``others``, float64 [D]: the mean over its four seats.

    Raises:
        ValueError: a bad number of deals, seed or book.
        PlayerError: a player failed while deciding, or chose an illegal action.
    """
    dealt, own = Book(book, seed, ruleset), ALONE.seats == 0
    parts = []
    for first in range(0, deals, CHUNK):
        payoff = play_chunk([player, others], ALONE.seats, dealt, first, min(CHUNK, deals - first))["payoff"]
        parts.append(np.where(own[None, :, None], payoff, 0).sum(axis=(1, 2, 3)))  # of [n, 4 tables, 1, 4 seats]
    return np.concatenate(parts) / (N_SEATS * dealt.session)


def mean_of_runs(units: NDArray[np.float64]) -> Mean:
    """The mean of units [R, D] of runs on the same deals, with an interval for other seeds and other deals.

    Of differences between two recipes, seed by seed, it is the interval of the difference. With one run it is for
    other deals alone.
    """
    mean, runs, deals = float(units.mean()), *units.shape
    parts = [(float(units.mean(0).var(ddof=1)) / deals, deals - 1)] if deals > 1 else []
    if runs > 1:
        parts.append((float(units.mean(1).var(ddof=1)) / runs, runs - 1))
    variance = sum(part for part, _ in parts)  # what is of both counts twice: rather too wide than too narrow
    if not variance:
        return Mean(mean, mean, mean)
    freedom = variance**2 / sum(part**2 / free for part, free in parts)  # Satterthwaite's
    half = student_quantile((1 + LEVEL) / 2, freedom) * math.sqrt(variance)
    return Mean(mean, mean - half, mean + half)


def student_quantile(p: float, freedom: float) -> float:
    """Quantile ``p`` above 0.5 of Student's t with ``freedom`` degrees, of which there may be few."""
    # With t = sqrt(freedom) tan(x) the density is that of x, cos(x) ** (freedom - 1), on a finite range.
    x = (np.arange(STEPS) + 0.5) * (math.pi / 2 / STEPS)
    sums = np.cumsum(np.cos(x) ** (freedom - 1))
    at = np.interp(2 * p - 1, sums / sums[-1], x + math.pi / 4 / STEPS)
    return math.sqrt(freedom) * math.tan(float(at))
