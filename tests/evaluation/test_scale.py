"""Measurements at size: what it takes to find a difference, and that memory does not grow with the deals."""

from __future__ import annotations

import gc
import tracemalloc

import numpy as np
import pytest

from solo_env.evaluation import new_plan
from solo_env.evaluation.match import count
from solo_env.evaluation.run import CHUNK, Crew, play_clusters
from training.power import PAIRS, measure, power_table


def test_rotation_needs_at_most_half_the_deals_of_single_seats():
    rows = measure("pagat", 1500)
    assert len(rows) == len(PAIRS) == 4
    for row in rows:
        assert 2 * row["rotated"] <= row["single"]
        assert 2 * row["adjusted"] <= row["single"]
    assert power_table(rows).count("\n") == 5


class Repeating(Crew):
    """Hands out one chunk over and over, as the next clusters of the book."""

    def __init__(self, plan, size) -> None:
        super().__init__(plan, plan.make_players())
        self.played, self.size = play_clusters(plan, self.players, 0, size), size

    def outcomes(self):
        for first in range(0, self.plan.clusters, self.size):
            outcomes = self.played.copy()
            outcomes["cluster"] += first
            yield outcomes


def memory_after(deals: int, size: int = CHUNK) -> int:
    """Bytes that are held when so many deals have been counted."""
    plan = new_plan("expert", ["club"], deals=deals)
    crew = Repeating(plan, size)
    gc.collect()
    tracemalloc.start()
    played = count(plan, crew)
    held = tracemalloc.get_traced_memory()[1]  # the peak
    tracemalloc.stop()
    assert played.lineups[0].clusters == deals
    assert played.lineups[0].tables == 4 * deals
    return held


def test_memory_is_flat_in_the_number_of_deals():
    assert memory_after(20_000) < 1.1 * memory_after(2_000) + 100_000


@pytest.mark.long
def test_memory_is_flat_at_ten_million_deals():
    few, many = memory_after(20_000, 5_000), memory_after(10_000_000, 5_000)
    print(f"{few:,} bytes at 20,000 deals, {many:,} at 10,000,000")
    assert many < 1.1 * few + 100_000


def test_sums_do_not_overflow_at_ten_million_deals():
    """The largest sums are squares of scores; those of the dearest ruleset stay far below 2**63."""
    from solo_env.rules import load_ruleset, shipped_rulesets
    from solo_env.rules.pack import worst_payoff

    dearest = max(worst_payoff(load_ruleset(name)) for name in shipped_rulesets())
    score = 24 * 10 * dearest  # all tables of four, a session of ten deals
    assert 10_000_000 * score**2 < np.iinfo(np.int64).max
