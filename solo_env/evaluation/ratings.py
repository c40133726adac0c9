"""From the pairs of a ladder to who stands where: cycles, alpha-rank, and ratings on the scale of fixed anchors.

Ratings need the extra ``evaluate``; the rest does not.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Mapping, Sequence
from importlib.metadata import version

import numpy as np
from numpy.typing import NDArray

from solo_env.evaluation.estimates import BOOTSTRAP_SEED
from solo_env.evaluation.pairs import PLACES, read_places, read_signs
from solo_env.evaluation.result import Document

# Players that never change. Their ratings come from the matches among themselves and stay; the first that a ladder
# has is the zero of its scale.
ANCHORS = ("novice", "pass", "random")
POINTS = 400 / math.log(10)  # a rating of 400 points more is ahead in ten deals for each in which it is behind
RESAMPLES = 1_000  # of the deals, for the intervals of Bradley-Terry
HELD = 1e6  # how many times the deals played anchors are taken to have played among themselves, to stay put
REPEATS = 10  # of OpenSkill, each with tables drawn anew in an order of its own
ROUNDS = 200  # of a repeat: a table of every player alone among three of every other
HELD_SIGMA = 0.01  # how unsure OpenSkill is of an anchor
MU = 25.0  # OpenSkill's own middle; the zero of the scale lies there
PERTURBATION = 0.01  # of alpha-rank: how often a player spreads against one that is ahead of it

Matrix = NDArray[np.float64]


# --- who is ahead of whom


def standing(specs: Sequence[str], pairs: Sequence[Document]) -> Document:
    """Order by mean lead, cycles, and alpha-rank, of a ladder whose pairs are all played."""
    leads, ahead = lead_matrices(specs, pairs)
    by_mean = np.argsort(-leads.sum(axis=1), kind="stable")
    mass = alpha_rank(ahead)
    return {
        "order": [specs[i] for i in by_mean],
        "cycles": [[specs[i] for i in cycle] for cycle in cycles(ahead)],
        "alpha_rank": [{"spec": spec, "mass": round(float(m), 4)} for spec, m in zip(specs, mass, strict=True)],
    }


def lead_matrices(specs: Sequence[str], pairs: Sequence[Document]) -> tuple[Matrix, NDArray[np.bool_]]:
    """What player i gains on player j [i, j], and whether that is told apart from nothing (bool [i, j])."""
    place = {spec: i for i, spec in enumerate(specs)}
    leads, ahead = np.zeros((len(specs), len(specs))), np.zeros((len(specs), len(specs)), np.bool_)
    for pair in pairs:
        i, j = (place[spec] for spec in pair["players"])
        leads[i, j], leads[j, i] = pair["lead"]["mean"], -pair["lead"]["mean"]
        if pair["lead"]["t95"]:
            low, high = pair["lead"]["t95"]
            ahead[i, j], ahead[j, i] = low > 0, high < 0
    return leads, ahead


def cycles(ahead: NDArray[np.bool_]) -> list[list[int]]:
    """Of every group of players, each ahead of each through others, the shortest round from its first."""
    n = len(ahead)
    reach = ahead.copy()
    for k in range(n):
        reach |= reach[:, k, None] & reach[None, k]
    found, seen = [], set()
    for start in range(n):
        if reach[start, start] and start not in seen:
            seen |= {i for i in range(n) if reach[start, i] and reach[i, start]}
            found.append(_round_from(start, ahead))
    return found


def _round_from(start: int, ahead: NDArray[np.bool_]) -> list[int]:
    """The shortest way from a player back to it; there is one."""
    came_from: dict[int, int] = {}
    waiting = deque([start])
    while start not in came_from:
        here = waiting.popleft()
        for there in map(int, np.flatnonzero(ahead[here])):
            if there not in came_from:
                came_from[there] = here
                waiting.append(there)
    way = [came_from[start]]
    while way[-1] != start:
        way.append(came_from[way[-1]])
    return way[::-1]


def alpha_rank(ahead: NDArray[np.bool_]) -> Matrix:
    """The share of time that a population is of each player, by the evolution of alpha-rank [n], summing to 1.

    All play one player; now and then another comes up, and takes over if it is ahead, half the time if neither is,
    and hardly ever if it is behind (Omidshafiei et al., "alpha-Rank: multi-agent evaluation by evolution", 2019,
    for one population and selection without bound). A player that nobody is ahead of has nearly all; players of a
    cycle that nobody outside is ahead of share it.
    """
    n = len(ahead)
    takes_over = np.full((n, n), 0.5)  # [from, to]
    takes_over[ahead.T] = 1 - PERTURBATION
    takes_over[ahead] = PERTURBATION
    np.fill_diagonal(takes_over, 0)
    chain = takes_over / (n - 1)
    balance = chain.T - np.diag(chain.sum(axis=1))
    balance[-1] = 1  # the shares sum to one; the other rows say already what the last would
    return np.linalg.solve(balance, np.eye(n)[-1])


# --- ratings


def ratings(specs: Sequence[str], pairs: Sequence[Document], clusters: int) -> Document:
    """Bradley-Terry and OpenSkill of a ladder whose pairs are all played, each with how sure it is.

    Raises:
        ModuleNotFoundError: the extra ``evaluate`` is not installed.
    """
    anchors = [specs.index(name) for name in ANCHORS if name in specs]
    points, low, high = bradley_terry(specs, pairs, clusters, anchors)
    mu, spread = openskill(specs, pairs, anchors)
    return {
        "anchors": [specs[i] for i in anchors],
        "libraries": {name: version(name) for name in ("choix", "openskill")},
        "resamples": RESAMPLES,
        "repeats": REPEATS,
        "tables_a_repeat": ROUNDS * len(specs) * (len(specs) - 1),
        "players": [
            {
                "spec": spec,
                "bradley_terry": {
                    "points": round(float(points[i]), 1),
                    "bootstrap95": [round(float(low[i]), 1), round(float(high[i]), 1)],
                },
                "openskill": {"mu": round(float(mu[i]), 2), "sd_of_repeats": round(float(spread[i]), 2)},
            }
            for i, spec in enumerate(specs)
        ],
    }


def bradley_terry(
    specs: Sequence[str], pairs: Sequence[Document], clusters: int, anchors: Sequence[int]
) -> tuple[Matrix, Matrix, Matrix]:
    """Points [n] on the sign of the deal scores, and the ends of their cluster-bootstrap intervals.

    A cluster that is drawn anew is drawn with all its signs, for all pairs have played the same deals.
    """
    place = {spec: i for i, spec in enumerate(specs)}
    rows = np.array([[place[spec] for spec in pair["players"]] for pair in pairs])
    signs = np.stack([read_signs(pair["signs"], clusters) for pair in pairs], axis=1)
    # Of each cluster and pair, in halves, what the first and what the second has won.
    halves = np.concatenate([signs + 1, 1 - signs], axis=1).astype(np.float64)

    def wins(weights: Matrix) -> Matrix:
        won, n_pairs = weights @ halves / 2, len(pairs)
        matrix = np.zeros((len(specs), len(specs)))
        matrix[rows[:, 0], rows[:, 1]], matrix[rows[:, 1], rows[:, 0]] = won[:n_pairs], won[n_pairs:]
        return matrix

    def of_anchors(matrix: Matrix) -> dict[int, float]:
        inside = np.ix_(anchors, anchors)
        return dict(zip(anchors, fit(matrix[inside], {0: 0.0}), strict=True))

    whole = wins(np.ones(clusters))
    held = of_anchors(whole)
    found = fit(whole, held)
    rng = np.random.default_rng(BOOTSTRAP_SEED)
    resampled = np.empty((RESAMPLES, len(specs)))
    for row in resampled:
        matrix = wins(rng.multinomial(clusters, np.full(clusters, 1 / clusters)).astype(np.float64))
        row[:] = fit(matrix, held)
        for anchor, value in of_anchors(matrix).items():
            row[anchor] = value
    low, high = np.quantile(resampled, (0.025, 0.975), axis=0)
    return POINTS * found, POINTS * low, POINTS * high


def fit(wins: Matrix, held: Mapping[int, float]) -> Matrix:
    """Bradley-Terry strengths [n], natural logarithms, from wins [winner, loser]; those of ``held`` are given.

    Where nothing is held their mean is 0. Each pair counts one drawn cluster more than it played, so that whoever
    won every time has a rating too.
    """
    import choix

    n = len(wins)
    if n == 0:
        return np.zeros(0)
    played = float(wins.sum())
    matrix = wins + 0.5 * (1 - np.eye(n))
    for one, strength in held.items():
        for other, its in held.items():
            if one != other:  # as many more as keep both where they are
                matrix[one, other] += HELD * played / (1 + math.exp(its - strength))
    found: Matrix = choix.ilsr_pairwise_dense(matrix, max_iter=10_000)
    zero = next((found[first] - strength for first, strength in held.items()), found.mean())
    found -= zero
    return found


def openskill(specs: Sequence[str], pairs: Sequence[Document], anchors: Sequence[int]) -> tuple[Matrix, Matrix]:
    """Means [n] of OpenSkill from the ranks of the four seats, and their standard deviation over repeats.

    Of OpenSkill's models this is Bradley-Terry over all pairs of seats. Most seats of a table rank alike, and its
    Plackett-Luce then moves whoever wins alone three times as far up as whoever loses alone goes down.

    Ratings move with every table, so they depend on the order. Each repeat draws tables anew from those played and
    takes them in an order of its own.
    """
    place = {spec: i for i, spec in enumerate(specs)}
    tables = {}
    for pair in pairs:
        i, j = (place[spec] for spec in pair["players"])
        tables[i, j], tables[j, i] = (read_places(part["places"]) for part in pair["alone"])
    among = {key: counts for key, counts in tables.items() if key[0] in anchors and key[1] in anchors}
    first = openskill_repeats(len(specs), among, {}, anchors[:1])
    held = {i: float(first[:, i].mean()) for i in anchors}
    rest = {key: counts for key, counts in tables.items() if key not in among}
    repeats = openskill_repeats(len(specs), rest, held, anchors[:1])
    repeats[:, list(anchors)] = first[:, list(anchors)]
    return repeats.mean(axis=0), repeats.std(axis=0, ddof=1)


def openskill_repeats(
    n: int,
    tables: Mapping[tuple[int, int], NDArray[np.int64]],
    held: Mapping[int, float],
    reference: Sequence[int],
) -> Matrix:
    """Mu of every player after each repeat [REPEATS, n]; those of ``held`` stay as they are given.

    Without held ones the reference lies at ``MU``, or the mean of all if there is none.
    """
    from openskill.models import BradleyTerryFull

    model = BradleyTerryFull(tau=0.0)  # players do not change while they are rated
    found = np.empty((REPEATS, n))
    for repeat in range(REPEATS):
        rng = np.random.default_rng((BOOTSTRAP_SEED, repeat))
        rated = [model.rating(held[i], HELD_SIGMA) if i in held else model.rating() for i in range(n)]
        drawn = {key: rng.choice(len(PLACES), ROUNDS, p=counts / counts.sum()) for key, counts in tables.items()}
        keys = list(drawn)
        for number in range(ROUNDS):
            for alone, other in (keys[at] for at in rng.permutation(len(keys))):
                above, below = PLACES[drawn[alone, other][number]]
                rank = [2.0, *([1.0] * above), *([2.0] * (3 - above - below)), *([3.0] * below)]
                [lone], *others = model.rate([[rated[alone]], *([rated[other]] for _ in range(3))], ranks=rank)
                if alone not in held:
                    rated[alone] = lone
                if other not in held:  # three seats of one player: it moves by their mean
                    rated[other] = model.rating(
                        sum(seat.mu for [seat] in others) / 3, sum(seat.sigma for [seat] in others) / 3
                    )
        found[repeat] = [rating.mu for rating in rated]
        if not held:
            found[repeat] += MU - (found[repeat, reference[0]] if reference else found[repeat].mean())
    return found
