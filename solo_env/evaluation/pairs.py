"""What a ladder keeps of a pair of players: counts and signs, from which estimates and ratings are made.

One is alone among three of the other at the four tables of a deal, and the other way round at four more.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solo_env.cards import N_SEATS
from solo_env.evaluation.estimates import estimate, scores_of
from solo_env.evaluation.result import Document
from solo_env.evaluation.seatings import SEATINGS

SEATING = SEATINGS["one_against_three"]
# Seats above and below the lone player's at a table, by payoff: what four seats' ranks say of the two players.
PLACES = tuple((above, below) for above in range(N_SEATS) for below in range(N_SEATS - above))
# Three clusters a letter, each behind 0, even 1 or ahead 2; the first counts 1, the second 3, the third 9.
SIGNS = "abcdefghijklmnopqrstuvwxyz_"


def scores_and_places(
    outcomes: NDArray[np.void], n_lineups: int, session: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The lone player's score in whole clusters [lineup, cluster], and how many tables by place [lineup, place]."""
    tables = len(SEATING.rows)
    payoff = outcomes["payoff"].astype(np.int64).reshape(n_lineups, -1, tables, session, N_SEATS).sum(axis=3)
    alone = np.argmax(SEATING.seats == 0, axis=1)  # its seat at each table
    own = payoff[:, :, np.arange(tables), alone]
    above = (payoff > own[..., None]).sum(axis=3)
    below = (payoff < own[..., None]).sum(axis=3)
    places = np.stack([((above == a) & (below == b)).sum(axis=(1, 2)) for a, b in PLACES], axis=1)
    return own.sum(axis=2), places


class PairTally:
    """What is kept of a pair: whole numbers, so that neither order nor chunks matter."""

    def __init__(self) -> None:
        self.scores: list[Counter[int]] = [Counter(), Counter()]
        self.leads: Counter[int] = Counter()
        self.places = np.zeros((2, len(PLACES)), np.int64)
        self.signs: list[NDArray[np.int64]] = []

    def add(self, scores: NDArray[np.int64], places: NDArray[np.int64]) -> None:
        """Add clusters: scores [2, cluster] of each player alone among three of the other, places [2, place]."""
        for counter, found in zip(self.scores, scores, strict=True):
            counter.update(scores_of(found))
        leads = scores[0] - scores[1]
        self.leads.update(scores_of(leads))
        self.places += places
        self.signs.append(np.sign(leads))

    def as_json(self, session: int) -> Document:
        """JSON-ready."""
        seats = N_SEATS * session
        return {
            "alone": [
                {
                    **estimate(counter, seats).as_json(),
                    "scores": write_counts(counter),
                    "places": write_counts(dict(zip(("".join(map(str, p)) for p in PLACES), found, strict=True))),
                }
                for counter, found in zip(self.scores, self.places.tolist(), strict=True)
            ],
            # Half the difference: what the first gains on the other, the mean of both ways.
            "lead": {**estimate(self.leads, 2 * seats).as_json(), "scores": write_counts(self.leads)},
            "signs": write_signs(np.concatenate(self.signs)),
        }


# --- how counts and signs are written


def write_counts(counts: Counter[int] | dict[str, int]) -> str:
    """How often there was what, as "-2:5 0:12"; what there was not is left out."""
    items: list[tuple[Any, int]] = sorted(counts.items())
    return " ".join(f"{key}:{count}" for key, count in items if count)


def read_counts(text: str) -> Counter[int]:
    """What :func:`write_counts` has written of numbers."""
    try:
        return Counter({int(key): int(count) for key, _, count in (item.partition(":") for item in text.split())})
    except ValueError:
        return Counter()


def read_places(text: str) -> NDArray[np.int64]:
    """How many tables had each place, int64 [place]."""
    counts = read_counts(text)
    return np.array([counts[int(f"{above}{below}")] for above, below in PLACES], np.int64)


def write_signs(signs: NDArray[np.int64]) -> str:
    """Signs -1, 0, 1 of deals as letters, three a letter; what is behind the last is even."""
    padded = np.zeros(-(-len(signs) // 3) * 3, np.int64)
    padded[: len(signs)] = signs
    letters = (padded.reshape(-1, 3) + 1) @ np.array([1, 3, 9])
    return "".join(SIGNS[letter] for letter in letters)


def read_signs(text: str, clusters: int) -> NDArray[np.int8]:
    """What :func:`write_signs` has written, int8 [clusters]."""
    letters = np.array([SIGNS.index(letter) for letter in text], np.int64)
    found = np.stack([letters % 3, letters // 3 % 3, letters // 9], axis=1).reshape(-1)[:clusters] - 1
    return found.astype(np.int8)
