"""Running sums over the outcomes of a measurement: whole numbers, so that neither order nor chunks matter.

However many deals are played, this is all that is kept of them; every estimate of a report is made from it.

Axes: U clusters, T tables of a cluster over its session (R * D), P the four seats.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from solo_env.cards import N_SEATS
from solo_env.engine.state import NOBODY
from solo_env.evaluation.estimates import scores_of
from solo_env.evaluation.outcomes import is_made
from solo_env.rules.model import N_CONTRACT_KINDS

# What a seat may be in a deal. Nobody declares a general misère, and a deal may be thrown in.
DECLARER, PARTNER, DEFENDER, NEITHER = range(4)
ROLES = ("declarer", "partner", "defender", "nobody declares")
THROWN_IN = N_CONTRACT_KINDS  # stands behind the contracts
# Sums of a cell, that is a role in a contract: seats, seats where it was made, and over clusters score, score²,
# score * seats and seats².
(SEATS, MADE, SCORE, SCORE_2, SCORE_SEATS, SEATS_2) = range(6)


class LineupTally:
    """The sums of one lineup of ``n_players``."""

    def __init__(self, n_players: int) -> None:
        self.n_players = n_players
        self.clusters = 0
        self.tables = 0  # finished deals at all tables
        self.unbalanced = 0  # tables whose payoffs do not sum to zero
        self.out_of_turn = 0  # clusters that are not the next ones of the book
        # How many clusters had each sum of payoffs: by player; each two players' sums, weighed to the same seats,
        # subtracted; the challenger's by position.
        self.scores: list[Counter[int]] = [Counter() for _ in range(n_players)]
        self.differences: dict[tuple[int, int], Counter[int]] = {
            (one, other): Counter() for one in range(n_players) for other in range(one + 1, n_players)
        }
        self.by_position: list[Counter[int]] = [Counter() for _ in range(N_SEATS)]
        n_kinds = N_CONTRACT_KINDS + 1
        self.cells = np.zeros((n_kinds, len(ROLES), 6), np.int64)  # of the challenger, [contract, role, sum]
        self.contracts = np.zeros((n_kinds, 2), np.int64)  # played and made at all tables
        self.declared = np.zeros((n_kinds, 2), np.int64)  # where the challenger was declarer or partner
        self.auction: Counter[str] = Counter()  # tables by what happened
        # Of the challenger's score at single tables: sum and sum of squares, of all and of one a cluster in turn.
        self.rotation = np.zeros(4, np.int64)

    def add(self, outcomes: NDArray[np.void], seats: NDArray[np.int8]) -> NDArray[np.int64]:
        """Add whole clusters, in order; returns the challenger's score of each, int64 [U]."""
        tables = len(seats)
        deals = 1 + int(outcomes["deal"].max())
        shape = (-1, tables * deals)
        n_clusters = len(outcomes) // (tables * deals)
        whose = seats[outcomes["row"]]  # [N, P]
        payoff = outcomes["payoff"].astype(np.int64)
        sums = np.stack(
            [np.where(whose == p, payoff, 0).sum(axis=1).reshape(shape).sum(axis=1) for p in range(self.n_players)]
        )
        for player in range(self.n_players):
            self.scores[player] += scores_of(sums[player])
        weights = [int((seats == p).sum()) for p in range(self.n_players)]
        for (one, other), counter in self.differences.items():
            counter.update(scores_of(weights[other] * sums[one] - weights[one] * sums[other]))
        here = outcomes["cluster"].reshape(shape)
        self.out_of_turn += int((here != self.clusters + np.arange(n_clusters)[:, None]).any(axis=1).sum())
        self.clusters += n_clusters
        self.tables += len(outcomes)
        self.unbalanced += int((payoff.sum(axis=1) != 0).sum())
        self._add_positions(outcomes, whose, payoff, shape)
        self._add_cells(outcomes, whose, payoff, shape)
        self._add_rotation(outcomes, whose, payoff, (n_clusters, tables, deals))
        for name in ("proposed", "accepted"):
            self.auction[name] += int(outcomes[name].sum())
        self.auction["bid"] += int((outcomes["n_bids"] > 0).sum())
        self.auction["overcalled"] += int((outcomes["n_bids"] > 1).sum())
        challenger: NDArray[np.int64] = sums[0]
        return challenger

    def _add_positions(
        self, outcomes: NDArray[np.void], whose: NDArray[np.int8], payoff: NDArray[np.int64], shape: tuple[int, int]
    ) -> None:
        row, column = np.nonzero(whose == 0)
        position = (column - outcomes["dealer"][row].astype(np.int64) - 1) % N_SEATS
        place = row // shape[1] * N_SEATS + position
        by_cluster = np.bincount(place, payoff[row, column], len(outcomes) // shape[1] * N_SEATS).astype(np.int64)
        for p in range(N_SEATS):
            self.by_position[p] += scores_of(by_cluster[p::N_SEATS])

    def _add_cells(
        self, outcomes: NDArray[np.void], whose: NDArray[np.int8], payoff: NDArray[np.int64], shape: tuple[int, int]
    ) -> None:
        contract = np.where(outcomes["contract"] < 0, THROWN_IN, outcomes["contract"]).astype(np.int64)
        seat = np.arange(N_SEATS)
        role = np.full(payoff.shape, DEFENDER)
        role[seat == outcomes["partner"][:, None]] = PARTNER
        role[seat == outcomes["declarer"][:, None]] = DECLARER
        role[outcomes["declarer"] == NOBODY] = NEITHER
        made = is_made(outcomes)
        self.contracts += _by_kind(contract, made)
        mine = ((whose == 0) & ((role == DECLARER) | (role == PARTNER))).any(axis=1)
        self.declared += _by_kind(contract[mine], made[mine])
        # By cluster and cell: how many of the challenger's seats, how many of these made, and their score.
        n_clusters, n_cells = len(outcomes) // shape[1], self.cells[:, :, 0].size
        row, column = np.nonzero(whose == 0)
        cell = contract[row] * len(ROLES) + role[row, column]
        place = row // shape[1] * n_cells + cell
        seats, score = (
            np.bincount(place, weights, n_clusters * n_cells).astype(np.int64).reshape(n_clusters, n_cells)
            for weights in (None, payoff[row, column])
        )
        self.cells += np.stack(
            (
                seats.sum(axis=0), np.bincount(cell[made[row]], minlength=n_cells), score.sum(axis=0),
                (score * score).sum(axis=0), (score * seats).sum(axis=0), (seats * seats).sum(axis=0),
            ),
            axis=-1,
        ).reshape(self.cells.shape)  # fmt: skip

    def _add_rotation(
        self,
        outcomes: NDArray[np.void],
        whose: NDArray[np.int8],
        payoff: NDArray[np.int64],
        shape: tuple[int, int, int],
    ) -> None:
        score = np.where(whose == 0, payoff, 0).sum(axis=1).reshape(shape).sum(axis=2)  # [U, R]
        clusters = outcomes["cluster"].reshape(shape)[:, 0, 0]
        one = score[np.arange(len(score)), clusters % shape[1]]
        self.rotation += (score.sum(), (score * score).sum(), one.sum(), one @ one)


def _by_kind(contract: NDArray[np.int64], made: NDArray[np.bool_]) -> NDArray[np.int64]:
    """How often each contract was played and made, int64 [contracts, 2]."""
    n = N_CONTRACT_KINDS + 1
    return np.stack((np.bincount(contract, minlength=n), np.bincount(contract[made], minlength=n)), axis=1)
