"""Estimates: intervals that cover as often as they say, also under looking, and corrections that move no mean.

Matches are simulated by drawing deals, with replacement, from those of real matches, so that the true difference
is known and the scores are as skewed and lumpy as real ones.
"""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest

from solo_env.evaluation import estimates, new_plan
from solo_env.evaluation.estimates import bca_interval, estimate, mean_and_sd, scores_of, t_interval
from solo_env.evaluation.match import count
from solo_env.evaluation.run import Crew
from solo_env.evaluation.sequential import LOOK, Sequence, radius
from solo_env.evaluation.variates import COUNTED_DEALS, FOLDS, VariateTally, expected_features
from solo_env.rules import load_ruleset

MATCHES = 4000
POPULATIONS = {
    "expert against club": ("expert", ["club"], "pagat", "one_against_three"),
    "novice against random, by the margin": ("novice", ["random"], "hoyle", "one_against_three"),
    "expert against novice, two and two": ("expert", ["novice"], "pagat", "two_against_two"),
}


def scores(challenger, against, ruleset, seating, deals=2500) -> np.ndarray:
    """The challenger's score of each deal of a match that is played."""
    plan = new_plan(challenger, against, ruleset=ruleset, seating=seating, deals=deals, book="dev")
    with Crew(plan, plan.make_players()) as crew:
        counted = count(plan, crew).lineups[0].scores[0]
    return np.repeat(list(counted), list(counted.values()))


@pytest.fixture(scope="module", params=POPULATIONS.values(), ids=POPULATIONS)
def population(request):
    return scores(*request.param)


def upper_bound(hits: int, n: int, level: float = 0.95) -> float:
    """The upper end of Clopper and Pearson's one-sided interval: with this share so few hits are that rare."""
    low, high = hits / n, 1.0
    for _ in range(60):
        p = (low + high) / 2
        below = sum(
            math.exp(
                math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
                + k * math.log(p) + (n - k) * math.log1p(-p)
            )
            for k in range(hits + 1)
        )  # fmt: skip
        low, high = (p, high) if below > 1 - level else (low, p)
    return high


def test_the_bound_is_that_of_printed_tables():
    assert upper_bound(0, 100) == pytest.approx(1 - 0.05 ** (1 / 100), abs=1e-6)
    assert upper_bound(5, 100) == pytest.approx(0.1023, abs=2e-4)


def test_intervals_of_simulated_matches_cover_the_known_difference(population):
    rng, n, hits = np.random.default_rng(1), 500, 0
    for _ in range(MATCHES):
        drawn = rng.choice(population, n)
        mean, sd = mean_and_sd(n, int(drawn.sum()), int(drawn @ drawn))
        low, high = t_interval(n, mean, sd)
        hits += low <= population.mean() <= high
    print(f"t: {hits / MATCHES:.4f} of {MATCHES}")
    assert 0.94 <= hits / MATCHES <= 0.96


@pytest.mark.long
def test_bootstrap_intervals_of_simulated_matches_cover_the_known_difference(population):
    rng, n, hits = np.random.default_rng(2), 500, 0
    values, counts = np.unique(population, return_counts=True)
    for _ in range(MATCHES):
        drawn = rng.multinomial(n, counts / counts.sum())
        seen = drawn > 0
        low, high = bca_interval(values[seen].astype(float), drawn[seen])
        hits += low <= population.mean() <= high
    print(f"BCa: {hits / MATCHES:.4f} of {MATCHES}")
    assert 0.94 <= hits / MATCHES <= 0.96


@pytest.mark.parametrize("deals", [4000, pytest.param(20_000, marks=pytest.mark.long)])
def test_looking_every_hundred_deals_finds_a_difference_that_is_not_there_less_often_than_said(population, deals):
    null = population * len(population) - population.sum()  # the mean is exactly zero
    rng, false = np.random.default_rng(3), 0
    for _ in range(MATCHES):
        sequence = Sequence(len(population))
        sequence.add(rng.choice(null, deals))
        false += sequence.decided_at is not None
    bound = upper_bound(false, MATCHES)
    print(f"looking: {false} of {MATCHES} null matches decided, at most {100 * bound:.2f} %")
    assert bound < 0.055


def test_looking_with_a_fixed_interval_would_find_them_far_too_often(population):
    """What the sequence is for: Student's interval looked at as often."""
    rng, false, looks = np.random.default_rng(3), 0, np.arange(LOOK, 4001, LOOK)
    for _ in range(500):
        drawn = rng.choice(population - population.mean(), 4000)
        means = np.cumsum(drawn)[looks - 1] / looks
        spread = np.sqrt(np.cumsum(drawn**2)[looks - 1] / looks - means**2)
        false += bool((np.abs(means) > 1.96 * spread / np.sqrt(looks)).any())
    assert false / 500 > 0.15


def test_a_difference_that_is_there_is_found_and_when_is_told():
    rng = np.random.default_rng(5)
    sequence = Sequence(1)
    sequence.add(rng.integers(-3, 5, 1000))  # 0.5 on average
    assert sequence.decided_at in range(100, 1001, 100)
    low, high = sequence.interval()
    assert low <= 0.5 <= high


def test_looks_do_not_depend_on_how_the_scores_come_in():
    values = np.random.default_rng(6).integers(-3, 5, 1050)
    whole, parts = Sequence(4, until=0.2), Sequence(4, until=0.2)
    whole.add(values)
    for part in np.split(values, [30, 100, 470, 1000]):
        parts.add(part)
    assert whole == parts
    assert whole.stopped


def test_the_radius_is_at_least_students_and_shrinks():
    for n in (100, 1000, 10_000, 100_000):
        assert radius(n, 1.0) > 1.96 / math.sqrt(n)
        assert radius(10 * n, 1.0) < radius(n, 1.0)
    assert radius(2000, 1.0) < 1.6 * 1.96 / math.sqrt(2000)


# --- estimates


def test_an_estimate_is_that_of_the_clusters_one_by_one():
    values = np.random.default_rng(8).integers(-9, 12, 400)
    found = estimate(scores_of(values), 4)
    assert found.mean == values.mean() / 4
    assert found.sd == pytest.approx((values / 4).std(ddof=1))
    drawn = np.random.default_rng(9).choice(values, (10_000, 400)).mean(axis=1) / 4
    assert found.bootstrap95 == pytest.approx(np.quantile(drawn, [0.025, 0.975]), abs=0.015)
    assert found.t95 == pytest.approx(found.bootstrap95, abs=0.02)


def test_the_bootstrap_leans_where_the_scores_lean():
    skewed = Counter({0: 480, 40: 20})
    found = estimate(skewed, 1)
    (low, high), (t_low, t_high) = found.bootstrap95, found.t95
    assert low > t_low
    assert high > t_high


def test_few_clusters_have_no_interval():
    assert estimate(Counter({1: 9}), 1).t95 is None
    assert estimate(Counter({1: 9}), 1).bootstrap95 is None
    assert estimate(Counter({1: 1}), 1).sd == 0


def test_turning_every_sign_turns_the_estimate():
    values = np.random.default_rng(8).integers(-9, 12, 400)
    one, other = estimate(scores_of(values), 3), estimate(scores_of(-values), 3)
    assert one.mean == -other.mean
    assert one.t95 == tuple(-end for end in reversed(other.t95))
    assert one.bootstrap95 == pytest.approx([-end for end in reversed(other.bootstrap95)], abs=0.02)


# --- control variates


def adjusted(tables, values):
    tally = VariateTally()
    tally.add(tables, 0, values)
    return tally.adjusted(load_ruleset("pagat"), 1)


def features_of(tables):
    from solo_env.evaluation.kernels import N_FEATURES, add_features

    features = np.zeros((len(tables), N_FEATURES), np.int64)
    add_features(tables, features, np.zeros(N_FEATURES, np.int64), np.zeros((N_FEATURES, N_FEATURES), np.int64))
    return features


def test_what_the_hands_explain_is_taken_off_and_the_mean_stays():
    """Scores of 3 plus a multiple of a feature plus noise: the feature's luck goes, the 3 is found."""
    book = new_plan("pass", ["pass"], deals=1).book
    tables = book.deal(0, 3000)
    rng = np.random.default_rng(4)
    features = features_of(tables)[:, 4]
    expected = expected_features(load_ruleset("pagat"))[0][4]
    noise = rng.integers(-4, 5, len(tables))
    found = adjusted(tables, 100 * features + 300 * noise)
    assert found["variance_left"] < 0.8
    low, high = found["t95"]
    assert low <= 100 * expected <= high
    assert high - low < 2 * 1.96 * (100 * features + 300 * noise).std() / math.sqrt(3000)


def test_the_correction_of_a_cluster_does_not_come_from_itself():
    """Adjusted cluster by cluster, with the coefficients of the other folds, comes to the same."""
    book = new_plan("pass", ["pass"], deals=1).book
    tables = book.deal(0, 2000)
    x = features_of(tables).astype(float)
    y = np.random.default_rng(4).integers(-9, 10, 2000) + x[:, 7].astype(int)
    expected = expected_features(load_ruleset("pagat"))[0]
    fold, corrected = np.arange(2000) % FOLDS, np.zeros(2000)
    for k in range(FOLDS):
        others = np.column_stack((np.ones((fold != k).sum()), x[fold != k] - expected))
        beta = np.linalg.lstsq(others, y[fold != k], rcond=None)[0][1:]
        corrected[fold == k] = y[fold == k] - (x[fold == k] - expected) @ beta
    found = adjusted(tables, y)
    assert found["mean"] == pytest.approx(corrected.mean(), rel=1e-6)
    assert found["sd"] == pytest.approx(corrected.std(ddof=1), rel=0.02)


@pytest.mark.long
def test_adjusted_intervals_cover_as_often_and_the_mean_is_not_moved():
    """Many matches on deals of their own, the score of each a crooked function of its hands and noise."""
    rules, rng, n, matches = load_ruleset("pagat"), np.random.default_rng(10), 1000, 1000
    found, plain = [], []
    for match in range(matches):
        tables = new_plan("pass", ["pass"], deals=1, seed=match).book.deal(0, n)
        features = features_of(tables)
        values = (features[:, 4] > 52) * 40 + (features[:, 17] > 0) * 30 - features[:, 15] * 10
        values += rng.integers(-20, 21, n)
        tally = VariateTally()
        tally.add(tables, 0, values)
        found.append(tally.adjusted(rules, 1))
        plain.append((values.mean(), values.var()))
    truth, spread = np.mean([mean for mean, _ in plain]), np.mean([variance for _, variance in plain])
    means = np.array([one["mean"] for one in found])
    hits = sum(one["t95"][0] <= truth <= one["t95"][1] for one in found)
    print(f"adjusted: {hits} of {matches}, {means.var() / (spread / n):.2f} of the variance")
    assert 0.93 <= hits / matches <= 0.97
    # The features' means are counted once, with an error that all matches share.
    assert abs(means.mean() - truth) < 3 * math.sqrt(spread / COUNTED_DEALS + spread / n / matches)
    assert means.var() < 0.9 * spread / n


def test_features_do_not_change_when_seats_turn_or_suits_are_renamed():
    book = new_plan("pass", ["pass"], deals=1).book
    tables = book.deal(0, 50)
    turned, renamed = tables.copy(), tables.copy()
    turned["dealt"], turned["dealer"] = np.roll(tables["dealt"], 1, axis=1), (tables["dealer"] + 1) % 4
    renamed["dealt"], renamed["suit"] = (tables["dealt"] + 13) % 52, (tables["suit"] + 1) % 4
    assert (features_of(turned) == features_of(tables)).all()
    assert (features_of(renamed) == features_of(tables)).all()


def test_few_clusters_are_not_corrected():
    tables = new_plan("pass", ["pass"], deals=1).book.deal(0, 300)
    assert adjusted(tables, np.ones(300, np.int64)) is None


def test_the_resamples_are_enough_that_the_interval_does_not_hang_on_their_seed(monkeypatch):
    values = scores_of(np.random.default_rng(8).integers(-9, 12, 400))
    one = estimate(values, 1).bootstrap95
    monkeypatch.setattr(estimates, "BOOTSTRAP_SEED", 1)
    assert estimate(values, 1).bootstrap95 == pytest.approx(one, abs=0.03)
