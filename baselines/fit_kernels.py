"""The kernels of ``fit_cards``: decisions with every candidate played out, and the climb to better points.

Sums run in a fixed order and nothing but + - * / and square roots is asked of floats, so a fit is the same to the
last bit on every machine, compiled or not.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from baselines.card_play import SETTLED, choose_card, new_scratch, write_candidates
from baselines.hand_value import best_trumps, hand_danger, hand_losers, hand_tenths
from baselines.novice_play import choose_card as choose_as_novice
from baselines.play_lead import CARD, MAX_CANDIDATES, N_FEATURES, ROW, SAID
from solo_env.actions import OVER
from solo_env.cards import N_SEATS, N_SUITS
from solo_env.engine._jit import kernel
from solo_env.engine.bits import next_random, random_below, seed_stream
from solo_env.engine.observe import write_view
from solo_env.engine.state import NOBODY, new_tables, new_views
from solo_env.engine.step import apply_action

STREAM_FIT = 1 << 29  # no deal has a stream of so high a number
ASTRAY = 10  # of 100 decisions that are looked at, so many are followed by a candidate drawn by chance

# Hands on which a contract that players seldom call is played all the same.
TRICKS, NO_TRICK, NO_TRICK_OPEN = range(3)
LEAST_TENTHS = 38  # tenths of a trick, one whole trick off for each loser: an abundance in reach
MOST_DANGER, MOST_DANGER_OPEN = 15, 9


class Work(NamedTuple):
    """What ``gather`` works in."""

    table: NDArray[np.void]  # [1], the table on which a candidate is played out
    views: NDArray[np.void]  # [2]
    facts: NDArray[np.void]  # [1], as all of these four
    rows: NDArray[np.void]
    facts_after: NDArray[np.void]
    rows_after: NDArray[np.void]
    rng: NDArray[np.int64]  # [4]
    own: NDArray[np.int64]  # [4], 1 for a seat that plays by points, 0 for a novice


class Decisions(NamedTuple):
    """Decisions and their candidates, one behind the other."""

    start: NDArray[np.int64]  # [D + 1], the first candidate of each decision
    table: NDArray[np.int64]  # [D], which points judge it
    features: NDArray[np.int16]  # [N, N_FEATURES]
    value: NDArray[np.int64]  # [N], what the seat was paid
    taken: NDArray[np.int64]  # [N], 1 for the card that the player would have played


def new_work() -> Work:
    """Scratch for ``gather``."""
    return Work(
        new_tables(1), new_views(2), *new_scratch(), *new_scratch(), np.zeros(4, np.int64), np.zeros(4, np.int64)
    )


def new_decisions(most: int) -> Decisions:
    """Room for ``most`` decisions."""
    n = most * MAX_CANDIDATES
    return Decisions(
        np.zeros(most + 1, np.int64),
        np.zeros(most, np.int64),
        np.zeros((n, N_FEATURES), np.int16),
        np.zeros(n, np.int64),
        np.zeros(n, np.int64),
    )


@kernel
def mark_declarers(tables: NDArray[np.void], kind: int, seats: NDArray[np.int64]) -> None:
    """Fill ``seats`` (int64[B]) with the seat of each deal whose hand suits a kind of contract best, or NOBODY."""
    for b in range(len(tables)):
        best, most = NOBODY, 0
        for seat in range(N_SEATS):
            hand = int(tables[b]["hand_cards"][seat])
            if kind == TRICKS:
                trump = best_trumps(hand, (1 << N_SUITS) - 1)
                fit = hand_tenths(hand, trump) - 10 * hand_losers(hand, trump) - LEAST_TENTHS
            elif kind == NO_TRICK:
                fit = MOST_DANGER - hand_danger(hand)
            else:
                fit = MOST_DANGER_OPEN - hand_danger(hand)
            if fit >= 0 and (best == NOBODY or fit > most):
                best, most = seat, fit
        seats[b] = best


@kernel
def name_trumps(tables: NDArray[np.void], seats: NDArray[np.int64], suits: NDArray[np.int64]) -> None:
    """Fill ``suits`` (int64[B]) with the best trumps of the seat given for each table."""
    for b in range(len(tables)):
        suits[b] = best_trumps(int(tables[b]["hand_cards"][seats[b]]), (1 << N_SUITS) - 1)


@kernel
def play_card(view: np.void, rules: np.void, own: int, points: NDArray[np.int64], work: Work) -> int:
    """The card of a player by points, or of a novice."""
    if own:
        return choose_card(view, rules, points, work.facts_after[0], work.rows_after[0])[0]
    return choose_as_novice(view, rules)[0]


@kernel
def play_out(rules: np.void, points: NDArray[np.int64], work: Work) -> None:
    """Play the table of ``work`` to the end, each seat as ``work.own`` says."""
    table, view = work.table[0], work.views[1]
    while table["phase"] != OVER:
        seat = np.int64(table["turn"])
        write_view(table, rules, seat, view)
        apply_action(table, rules, play_card(view, rules, work.own[seat], points, work))


@kernel
def gather(
    tables: NDArray[np.void],
    rules: NDArray[np.void],
    origin: NDArray[np.int64],
    share: NDArray[np.int64],
    points: NDArray[np.int64],
    mixed: int,
    work: Work,
    found: Decisions,
) -> int:
    """Play each table to the end and write down some of its decisions, each with all candidates played out.

    ``origin`` is seed, game and the number of the first table. Of 100 decisions of a table of points, ``share``
    of it are looked at. All seats are novices, or, if ``mixed``, every other by chance plays by ``points`` and so
    does the seat that decides. Returns the number of decisions; the tables are over then.
    """
    n = 0
    for b in range(len(tables)):
        seed_stream(work.rng, origin[0], origin[2] + b, origin[1], STREAM_FIT)
        for other in range(N_SEATS):
            work.own[other] = next_random(work.rng) & 1 if mixed else 0
        while tables[b]["phase"] != OVER:
            seat = np.int64(tables[b]["turn"])
            write_view(tables[b], rules[0], seat, work.views[0])
            table, m = write_candidates(work.views[0], rules[0], work.facts[0], work.rows[0])
            card = play_card(work.views[0], rules[0], work.own[seat], points, work)
            if table != SETTLED and m > 1 and random_below(work.rng, 100) < share[table]:
                try_all(tables[b], rules[0], points, mixed, m, work, n, found)
                found.table[n] = table
                n += 1
                if random_below(work.rng, 100) < ASTRAY:
                    card = work.rows[0][ROW][random_below(work.rng, m)][CARD]
            apply_action(tables[b], rules[0], card)
    return n


@kernel
def try_all(
    table: np.void,
    rules: np.void,
    points: NDArray[np.int64],
    mixed: int,
    m: int,
    work: Work,
    n: int,
    found: Decisions,
) -> None:
    """Play out the ``m`` candidates in ``work.rows`` and write decision ``n`` of ``found``."""
    seat, at = np.int64(table["turn"]), found.start[n]
    before = work.own[seat]
    work.own[seat] = 1 if mixed else 0
    would = play_card(work.views[0], rules, work.own[seat], points, work)
    for i in range(m):
        work.table[0] = table
        apply_action(work.table[0], rules, work.rows[0][ROW][i][CARD])
        play_out(rules, points, work)
        for j in range(N_FEATURES):
            found.features[at + i, j] = work.rows[0][ROW][i][SAID][j]
        found.value[at + i] = np.int64(work.table[0]["payoff"][seat])
        found.taken[at + i] = 1 if work.rows[0][ROW][i][CARD] == would else 0
    found.start[n + 1] = at + m
    work.own[seat] = before


# --- Points -------------------------------------------------------------------------------------------------

STEPS = 160
BATCH = 6000  # decisions drawn for a step
FIRST_RATE, LAST_RATE = 0.083, 0.003
SHRINK = 0.002  # pull on every weight towards 0, so that a feature that never matters gets no points
NEVER = -30.0  # e to this power is no chance at all
MEAN_KEPT, SQUARE_KEPT, TINY = 0.9, 0.999, 1e-8  # Adam's
GRADIENT, MEAN, SQUARE, CHANCE = range(4)


def new_slopes() -> NDArray[np.float64]:
    """Scratch for ``climb``."""
    return np.zeros((4, max(N_FEATURES, MAX_CANDIDATES)), np.float64)


@kernel
def power_of_e(x: float) -> float:
    """The power x (0 or less) of e, to six digits, by multiplications that mean the same everywhere."""
    if x < NEVER:
        return 0.0
    z = x / 1024.0
    y = 1.0 + z + z * z / 2.0 + z * z * z / 6.0
    for _ in range(10):
        y *= y
    return y


@kernel
def add_slope(
    found: Decisions,
    value: NDArray[np.float64],
    k: int,
    imitate: float,
    weights: NDArray[np.float64],
    slopes: NDArray[np.float64],
) -> None:
    """Add what decision ``k`` says of the weights to the gradient.

    Candidates are chosen with chances that go with e to the power of their points. Wanted is a high expected
    value, and ``imitate`` times the logarithm of the chance of the card that was taken.
    """
    first, last = found.start[k], found.start[k + 1]
    best = -1e300
    for i in range(first, last):
        score = 0.0
        for j in range(len(weights)):
            score += weights[j] * found.features[i, j]
        slopes[CHANCE, i - first] = score
        best = max(best, score)
    total, expected = 0.0, 0.0
    for i in range(first, last):
        chance = power_of_e(slopes[CHANCE, i - first] - best)
        slopes[CHANCE, i - first] = chance
        total += chance
        expected += chance * value[i]
    expected /= total
    for i in range(first, last):
        chance = slopes[CHANCE, i - first] / total
        slope = chance * (value[i] - expected) + imitate * (found.taken[i] - chance)
        for j in range(len(weights)):
            slopes[GRADIENT, j] += slope * found.features[i, j]


@kernel
def climb(
    found: Decisions,
    value: NDArray[np.float64],
    spread: NDArray[np.float64],
    imitate: float,
    rng: NDArray[np.int64],
    weights: NDArray[np.float64],
    slopes: NDArray[np.float64],
) -> None:
    """Move ``weights`` (float64[F]) so that the candidate with the most points is worth the most.

    ``value`` (float64[N]) is what each candidate brings above the mean of its decision, ``spread`` (float64[F])
    how much each feature varies.
    """
    n = len(found.start) - 1
    slopes[:] = 0.0
    mean_left, square_left = 1.0, 1.0
    for step in range(STEPS):
        slopes[GRADIENT] = 0.0
        for _ in range(min(BATCH, n)):
            add_slope(found, value, (next_random(rng) * n) >> 32, imitate, weights, slopes)
        rate = FIRST_RATE - (FIRST_RATE - LAST_RATE) * step / STEPS
        mean_left *= MEAN_KEPT
        square_left *= SQUARE_KEPT
        for j in range(len(weights)):
            slope = slopes[GRADIENT, j] / (spread[j] * min(BATCH, n)) - SHRINK * weights[j] * spread[j]
            slopes[MEAN, j] = MEAN_KEPT * slopes[MEAN, j] + (1.0 - MEAN_KEPT) * slope
            slopes[SQUARE, j] = SQUARE_KEPT * slopes[SQUARE, j] + (1.0 - SQUARE_KEPT) * slope * slope
            size = math.sqrt(slopes[SQUARE, j] / (1.0 - square_left)) + TINY
            weights[j] += rate * slopes[MEAN, j] / (1.0 - mean_left) / size / spread[j]
