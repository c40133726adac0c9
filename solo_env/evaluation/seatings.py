"""Seatings: who sits where at the tables of one deal, so that every player has every seat as often.

The dealer and the cards stay where they are while the players move round.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, permutations

import numpy as np
from numpy.typing import NDArray

from solo_env.cards import N_SEATS


class SeatingError(ValueError):
    """A seating that there is not, or for another number of players; the message is a sentence."""


@dataclass(frozen=True)
class Seating:
    """One way to seat players, over the tables of a deal."""

    name: str
    meaning: str
    rows: tuple[tuple[int, ...], ...]  # [R][4]: which player sits in each seat of each table

    @property
    def n_players(self) -> int:
        """How many different players it seats; player 0 is the challenger."""
        return 1 + max(map(max, self.rows))

    @property
    def seats(self) -> NDArray[np.int8]:
        """The rows as int8 [R, 4]."""
        return np.array(self.rows, np.int8)

    def seats_of(self, player: int) -> int:
        """How many seats a player has, over all tables of a deal."""
        return int((self.seats == player).sum())


SEATINGS = {
    seating.name: seating
    for seating in (
        Seating(
            "one_against_three", "the challenger once in every seat, the other player in the remaining three",
            tuple(tuple(int(seat != at) for seat in range(N_SEATS)) for at in range(N_SEATS)),
        ),
        Seating(
            "two_against_two", "two seats each, all six ways",
            tuple(tuple(int(seat not in pair) for seat in range(N_SEATS)) for pair in combinations(range(4), 2)),
        ),
        Seating("four", "four players, all 24 ways", tuple(permutations(range(N_SEATS)))),
        Seating(
            "square", "four players, four ways: everybody once in every seat",
            ((0, 1, 3, 2), (1, 2, 0, 3), (2, 3, 1, 0), (3, 0, 2, 1)),
        ),
    )
}  # fmt: skip
DEFAULT_SEATING = "one_against_three"


def find_seating(name: str, n_players: int) -> Seating:
    """The seating of that name, for so many players.

    Raises:
        SeatingError: no such name, or it seats another number of players.
    """
    if name not in SEATINGS:
        told = "; ".join(f"{seating.name} ({seating.meaning})" for seating in SEATINGS.values())
        raise SeatingError(f"there is no seating {name!r}; there are {told}.")
    seating = SEATINGS[name]
    if seating.n_players != n_players:
        raise SeatingError(
            f"the seating {name} is of {seating.n_players} players, the challenger and "
            f"{seating.n_players - 1} other{'s' * (seating.n_players > 2)}; {n_players - 1} given."  # noqa: PLR2004
        )
    return seating
