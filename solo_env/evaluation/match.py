"""A match on duplicate deals: every deal is played four times, the challenger once in each seat.

The dealer and the cards of a deal stay where they are while the challenger moves round, so seat and luck of the
deal fall out of its mean; the deal is the unit of the interval. All randomness of a player comes from (seed,
deal, seat, decision), so a player against itself plays the same game four times and scores exactly zero.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solo_env import actions
from solo_env.cards import N_SEATS
from solo_env.checks import whole_number
from solo_env.engine import batch
from solo_env.engine.state import NOBODY, new_tables, new_views
from solo_env.evaluation.stats import mean_and_interval
from solo_env.player import Player, PlayerError, ask_player
from solo_env.record import from_table
from solo_env.rules import Ruleset, load_ruleset, pack_array
from solo_env.rules.model import CONTRACT_BY_CALL, GENERAL, KIND_NAMES
from solo_env.signature import signature
from solo_env.table import check_seed

# Game numbers of the deal books: environments and training count games from 0 and never reach them.
BOOK_GAMES = {"test": 1 << 40}
CHUNK = 512  # deals played at once; decides memory and speed, never the result


@dataclass(frozen=True)
class ContractCount:
    """How often one contract was played in a match, and by whom; nobody declares or makes a general misère."""

    played: int
    made: int
    played_by_challenger: int  # the challenger was declarer or partner
    made_by_challenger: int


@dataclass(frozen=True)
class MatchResult:
    """What a match showed. Units are those of the ruleset, per deal and seat of the challenger."""

    challenger: str
    against: str
    ruleset: str
    book: str
    seed: int
    deals: int
    seating: str
    mean_units: float
    ci95: tuple[float, float] | None
    mean_units_by_position: tuple[float, ...]  # the challenger as eldest, second, third, dealer
    contracts: dict[str, ContractCount]
    thrown_in: int

    @property
    def tables(self) -> int:
        """Tables played: four for each deal."""
        return N_SEATS * self.deals

    @property
    def contract_mix(self) -> dict[str, float]:
        """The share of tables that each contract had, and ``thrown_in``."""
        mix = {name: count.played / self.tables for name, count in self.contracts.items()}
        return mix | {"thrown_in": self.thrown_in / self.tables}

    def as_json(self) -> dict[str, Any]:
        """The result as a JSON-ready mapping."""
        return {
            "mean_units": self.mean_units,
            "ci95": None if self.ci95 is None else list(self.ci95),
            "deals": self.deals,
            "seating": self.seating,
            "book": self.book,
            "seed": self.seed,
            "ruleset": self.ruleset,
            "challenger": self.challenger,
            "against": self.against,
            "mean_units_by_position": list(self.mean_units_by_position),
            "contracts": {name: vars(count) for name, count in self.contracts.items()},
            "thrown_in": self.thrown_in,
        }


def play_match(
    challenger: Player,
    against: Player,
    ruleset: str | Ruleset = "pagat",
    deals: int = 500,
    seed: int = 0,
    progress: Callable[[int], None] | None = None,
) -> MatchResult:
    """Play ``challenger`` in each seat of ``deals`` deals, ``against`` in the other three.

    Args:
        challenger: the player measured.
        against: who sits in the other seats.
        ruleset: what is played.
        deals: how many deals, at least 1; four tables each.
        seed: names the book of deals and the players' randomness.
        progress: called with the number of deals done after each chunk.

    Raises:
        ValueError: a bad number of deals or seed.
        PlayerError: a player failed while deciding, or chose an illegal action.
    """
    ruleset = load_ruleset(ruleset)
    check_seed(seed)
    deals = whole_number("the number of deals", deals, 1)
    chunks = []
    for first in range(0, deals, CHUNK):
        chunks.append(_play_chunk(challenger, against, ruleset, first, min(CHUNK, deals - first), seed))
        if progress:
            progress(min(first + CHUNK, deals))
    tables = np.concatenate(chunks)
    return _result(tables, challenger, against, ruleset, deals, seed)


def _play_chunk(
    challenger: Player, against: Player, ruleset: Ruleset, first: int, n_deals: int, seed: int
) -> NDArray[np.void]:
    """Play deals ``first`` to ``first + n_deals``; returns their finished tables, [n_deals * 4]."""
    rules = pack_array(ruleset)
    dealt = new_tables(n_deals)
    batch.deal_rows(dealt, rules, seed, first, BOOK_GAMES["test"], -1, 1, 0, n_deals)
    tables = np.repeat(dealt, N_SEATS)
    seats = np.tile(np.arange(N_SEATS), n_deals)  # where the challenger sits
    deals = np.repeat(np.arange(first, first + n_deals), N_SEATS)
    views, keys = new_views(len(tables)), np.zeros(len(tables), np.int64)
    chosen = np.zeros(len(tables), np.int64)
    while (tables["phase"] != actions.OVER).any():
        turn = tables["turn"]
        batch.write_views(tables, rules, views, 0, len(tables))
        batch.write_keys(tables, seed, deals, keys)
        for player, rows in (
            (challenger, np.flatnonzero(turn == seats)),
            (against, np.flatnonzero((turn != seats) & (turn != NOBODY))),
        ):
            if len(rows):
                chosen[rows] = ask_player(player, views[rows], keys[rows])
        bad = batch.first_illegal(tables, rules, chosen)
        if bad >= 0:
            player = challenger if turn[bad] == seats[bad] else against
            raise PlayerError(
                f"player {player.name!r} chose {chosen[bad]}, which is not open, at: "
                f"{from_table(tables[bad], ruleset)}"
            )
        batch.apply_rows(tables, rules, chosen, 0, len(tables))
    return tables


def _result(
    tables: NDArray[np.void], challenger: Player, against: Player, ruleset: Ruleset, deals: int, seed: int
) -> MatchResult:
    seats = np.tile(np.arange(N_SEATS), deals)
    rows = np.arange(len(tables))
    units = tables["payoff"][rows, seats].astype(np.float64)
    positions = (seats - tables["dealer"] - 1) % N_SEATS
    mean, interval = mean_and_interval(units.reshape(deals, N_SEATS).mean(axis=1))
    return MatchResult(
        challenger=challenger.name,
        against=against.name,
        ruleset=f"{ruleset.name}@{signature(ruleset)}",
        book="test",
        seed=seed,
        deals=deals,
        seating="1 against 3, all four seats",
        mean_units=mean,
        ci95=interval,
        mean_units_by_position=tuple(float(units[positions == p].mean()) for p in range(N_SEATS)),
        contracts=_count_contracts(tables, seats, ruleset),
        thrown_in=int((tables["contract"] < 0).sum()),
    )


def _count_contracts(
    tables: NDArray[np.void], seats: NDArray[np.int64], ruleset: Ruleset
) -> dict[str, ContractCount]:
    made = tables["payoff"][np.arange(len(tables)), tables["declarer"]] > 0
    challenger = (tables["declarer"] == seats) | (tables["partner"] == seats)
    kinds = [CONTRACT_BY_CALL[contract.call] for contract in ruleset.contracts()]
    counts = {}
    for kind in [*kinds, GENERAL] if ruleset.has_general() else kinds:
        played = (tables["contract"] == kind) & (tables["declarer"] != NOBODY)
        counts[KIND_NAMES[kind]] = ContractCount(
            played=int((tables["contract"] == kind).sum()),
            made=int((played & made).sum()),
            played_by_challenger=int((played & challenger).sum()),
            made_by_challenger=int((played & challenger & made).sum()),
        )
    return counts
