"""Intervals over runs and deals."""

from __future__ import annotations

from statistics import NormalDist

import numpy as np
import pytest

from solo_env.evaluation import play_match
from solo_env.player import make_player
from solo_env.rules import Ruleset
from training.paired import mean_of_runs, student_quantile, units_alone


@pytest.mark.parametrize(
    ("freedom", "quantile"),
    [(1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (9, 2.262), (30, 2.042), (999, 1.962)],
)
def test_quantiles_are_those_of_the_tables(freedom: float, quantile: float) -> None:
    assert student_quantile(0.975, freedom) == pytest.approx(quantile, rel=2e-3)


def test_quantiles_of_many_degrees_are_the_normal_ones() -> None:
    assert student_quantile(0.975, 1e5) == pytest.approx(NormalDist().inv_cdf(0.975), rel=1e-2)


@pytest.mark.parametrize(("spread_of_runs", "spread_of_deals"), [(0.0, 1.0), (0.3, 1.0), (0.5, 0.1)])
def test_intervals_cover_other_seeds_and_other_deals(spread_of_runs: float, spread_of_deals: float) -> None:
    rng, covered, times = np.random.default_rng(1), 0, 400
    for _ in range(times):
        units = (
            1.5
            + spread_of_runs * rng.normal(size=(3, 1))
            + spread_of_deals * rng.normal(size=(1, 200))
            + 0.5 * rng.normal(size=(3, 200))
        )
        found = mean_of_runs(units)
        covered += found.low <= 1.5 <= found.high
    assert covered >= 0.93 * times


def test_one_run_has_the_interval_of_its_deals_and_equal_ones_have_none() -> None:
    units = np.random.default_rng(1).normal(size=(1, 100))
    found = mean_of_runs(units)
    half = 1.984 * units.std(ddof=1) / 10
    assert found == pytest.approx((units.mean(), units.mean() - half, units.mean() + half), rel=1e-2)
    assert mean_of_runs(np.full((3, 5), 2.0)) == (2.0, 2.0, 2.0)


def test_units_of_deals_are_those_of_a_match(ruleset: Ruleset) -> None:
    one, other = make_player("novice", ruleset), make_player("pass", ruleset)
    units = units_alone(one, other, ruleset, 40, seed=3)
    assert units.shape == (40,)
    assert units.mean() == pytest.approx(play_match(one, other, ruleset, 40, seed=3, book="dev").mean_units)
