"""What players call: how often, how often it is made, and whether a chance that they tell is borne out.

The first clusters of a measurement are played again and every call is watched. A call is *decisive* if it became
the contract: the declarer's, and under a proposal the acceptor's too. Only decisive calls can be made or lost, so
the chance that a player tells is the chance that its call is made if it becomes the contract.

Axes: C calls, T finished tables, U clusters.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from solo_env.actions import COP, FIRST_CALL, FIRST_TRUMPS, N_CALLS, PASS, PROP
from solo_env.cards import N_SEATS, N_SUITS
from solo_env.engine.auction import CONTRACT_OF_CALL
from solo_env.engine.state import ASKED_NORMALLY, NOBODY, TABLE, VIEW
from solo_env.evaluation.outcomes import is_made, outcomes_of
from solo_env.evaluation.plan import Plan
from solo_env.evaluation.play import Round, play_chunk
from solo_env.evaluation.ratios import Measured, mean_of, share, share_of, sums_by_cluster
from solo_env.player import ChanceTeller, Player, PlayerError, told
from solo_env.rules import Ruleset
from solo_env.rules.model import CONTRACT_BY_CALL, GENERAL, KIND_NAMES, NO_CONTRACT, PC

CALL_DEALS = 2_000  # at most so many are watched
# What a seat is asked for in the auction.
OPENING, OVER_PROPOSAL, OVER_CALL, ASKED_AGAIN, NAMING = range(5)
PHASES = ("nobody has bid", "over an open proposal", "over a call", "asked again", "naming trumps")
CALLER, ACCEPTOR = range(2)
SIDES = ("caller", "acceptor")
N_BINS = 10  # of the calibration curve

CALL = np.dtype(
    [
        ("cluster", "i8"),
        ("table", "i8"),  # of the watched ones, session by session
        ("legal", "i8"),  # bit (action - 52)
        ("seat", "i1"),
        ("player", "i1"),
        ("phase", "i1"),  # OPENING to NAMING
        ("action", "i1"),
    ]
)


@dataclass(frozen=True)
class Watched:
    """What was called at the tables of some clusters, and what became of them."""

    clusters: int
    seats: NDArray[np.int8]  # [R, 4]
    outcomes: NDArray[np.void]  # OUTCOME [T]
    calls: NDArray[np.void]  # CALL [C], in the order of play, with the suits named
    views: NDArray[np.void]  # VIEW [C], from which they were decided
    tables: NDArray[np.void]  # TABLE [C], before the call; none if they were not kept

    @property
    def players_at(self) -> NDArray[np.int8]:
        """Who sits where at each table, int8 [T, 4]."""
        players: NDArray[np.int8] = self.seats[self.outcomes["row"]]
        return players


def watch_calls(plan: Plan, players: Sequence[Player], first: int, n: int, keep_tables: bool = False) -> Watched:
    """Play ``n`` clusters of a plan's first lineup and note each call.

    Units are numbered from ``first`` on, tables from 0.
    """
    seats, session = plan.seating.seats, plan.book.session
    parts: list[NDArray[np.void]] = []
    views: list[NDArray[np.void]] = []
    tables: list[NDArray[np.void]] = []

    def note(told: Round) -> None:
        calling = np.flatnonzero(told.actions >= FIRST_CALL)
        if not len(calling):
            return
        part, rows = np.zeros(len(calling), CALL), told.rows[calling]
        part["cluster"] = first + rows // len(seats)
        part["table"] = rows * session + told.tables["deal"][rows]
        part["seat"], part["player"] = told.seats[calling], told.players[calling]
        part["action"] = told.actions[calling]
        part["legal"] = told.views["legal_calls"][calling]
        part["phase"] = phases_of(told.views[calling])
        parts.append(part)
        views.append(told.views[calling])
        if keep_tables:
            tables.append(told.tables[rows])

    finished = play_chunk(players, seats, plan.book, first, n, note)
    return Watched(
        n, seats, outcomes_of(finished, 0, first), joined(parts, CALL), joined(views, VIEW), joined(tables, TABLE)
    )


def joined(parts: Sequence[NDArray[np.void]], dtype: np.dtype[Any]) -> NDArray[np.void]:
    """Parts as one array; an empty one of this dtype if there are none."""
    return np.concatenate(parts) if parts else np.zeros(0, dtype)


def phases_of(views: NDArray[np.void]) -> NDArray[np.int64]:
    """What each of the seats that are asked for a call or a suit is asked in, int64 [C]."""
    phase = np.full(len(views), OVER_CALL)
    phase[(views["standing"] == PC) & (views["acceptor_rel"] == NOBODY)] = OVER_PROPOSAL
    phase[views["standing"] == NO_CONTRACT] = OPENING
    phase[views["asked"] != ASKED_NORMALLY] = ASKED_AGAIN
    phase[views["legal_calls"] >> (FIRST_TRUMPS - FIRST_CALL) != 0] = NAMING
    return phase


# --- decisive calls


def decisive_calls(watched: Watched) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The calls that became contracts: their numbers among the watched calls, and CALLER or ACCEPTOR, [N] each."""
    calls, outcomes = watched.calls, watched.outcomes
    at = outcomes[calls["table"]]
    kind = CONTRACT_OF_ACTION[calls["action"] - FIRST_CALL]
    by_caller = (kind == at["contract"]) & (calls["seat"] == at["declarer"]) & (calls["action"] != COP)
    by_acceptor = (calls["action"] == COP) & (at["contract"] == PC) & (calls["seat"] == at["partner"])
    found = []
    for side, mine in ((CALLER, by_caller), (ACCEPTOR, by_acceptor)):
        numbers = np.flatnonzero(mine)
        # A call may be made twice, as a proposal after all have passed may: the last one is what stood.
        _, last = np.unique(calls["table"][numbers][::-1], return_index=True)
        found.append((numbers[::-1][last], np.full(len(last), side)))
    numbers, sides = (np.concatenate(column) for column in zip(*found, strict=True))
    order = np.argsort(numbers, kind="stable")
    return numbers[order], sides[order]


# By action - 52: the contract that a call is about; none for passing and for naming a suit.
CONTRACT_OF_ACTION = np.array([*CONTRACT_OF_CALL, *[NO_CONTRACT] * N_SUITS])
CONTRACT_OF_ACTION[COP - FIRST_CALL] = PC


def chances_of(player: Player, views: NDArray[np.void], actions: NDArray[np.int64]) -> NDArray[np.float64] | None:
    """The chance that a player tells of each of its calls, float64 [N]; None if it tells none.

    Raises:
        PlayerError: it fails, or tells what is no chance.
    """
    if not isinstance(player, ChanceTeller):
        return None
    try:
        chances = np.asarray(player.call_chances(views.copy()), np.float64)
    except Exception as error:
        raise PlayerError(f"player {player.name!r} failed while telling chances: {told(error)}.") from error
    if chances.shape != (len(views), N_CALLS):
        raise PlayerError(
            f"player {player.name!r} told chances of shape {chances.shape} for {len(views)} views; it must be "
            f"{(len(views), N_CALLS)}."
        )
    chosen: NDArray[np.float64] = chances[np.arange(len(views)), actions - FIRST_CALL]
    if ((chosen < 0) | (chosen > 1)).any():
        raise PlayerError(f"player {player.name!r} told a chance that is not from 0 to 1.")
    return chosen


# --- the numbers


DECISIVE = np.dtype(
    [("cluster", "i8"), ("told", "f8"), ("player", "i1"), ("contract", "i1"), ("side", "i1"), ("made", "?")]
)


ANYBODY = -1  # in the place of a player: all seats together
RATES = ("bids when nobody has", "accepts an open proposal", "calls over a call", "its proposals are accepted")


class CallTally:
    """What is kept of the watched clusters: counts by cluster, and one small row for each decisive call."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.clusters = self.tables = 0
        self.kinds = kinds_of(plan.ruleset)
        self.decisive: list[NDArray[np.void]] = []
        self.counts: dict[tuple[str, str | int, int], list[NDArray[np.float64]]] = {}  # what, of which, whose
        self.tells = [False] * plan.seating.n_players

    def add(self, players: Sequence[Player], watched: Watched) -> None:
        """Add the next clusters."""
        self._add_decisive(players, watched)
        self._add_mix(watched)
        self._add_rates(watched)
        self.clusters += watched.clusters
        self.tables += len(watched.outcomes)

    def _add_decisive(self, players: Sequence[Player], watched: Watched) -> None:
        numbers, sides = decisive_calls(watched)
        calls = watched.calls[numbers]
        rows = np.zeros(len(numbers), DECISIVE)
        outcomes = watched.outcomes[calls["table"]]
        rows["cluster"], rows["player"], rows["side"] = calls["cluster"], calls["player"], sides
        rows["contract"], rows["made"], rows["told"] = outcomes["contract"], is_made(outcomes), np.nan
        for number, player in enumerate(players):
            mine = np.flatnonzero(calls["player"] == number)
            chances = chances_of(player, watched.views[numbers[mine]], calls["action"][mine].astype(np.int64))
            if chances is not None:
                rows["told"][mine], self.tells[number] = chances, True
        self.decisive.append(rows)

    def _add_mix(self, watched: Watched) -> None:
        outcomes = watched.outcomes
        at = outcomes["cluster"] - self.clusters
        declares = np.arange(N_SEATS) == outcomes["declarer"][:, None]  # [T, 4]
        self._count("tables", "", ANYBODY, watched, at, 1)
        for player in range(self.plan.seating.n_players):
            self._count("seats", "", player, watched, at, (watched.players_at == player).sum(axis=1))
        for kind in self.kinds:
            played = outcomes["contract"] == kind
            self._count("contract", kind, ANYBODY, watched, at, played)
            for player in range(self.plan.seating.n_players):
                its_own = (declares & (watched.players_at == player)).any(axis=1)
                self._count("contract", kind, player, watched, at, played & its_own)

    def _add_rates(self, watched: Watched) -> None:
        calls = watched.calls
        bids = (calls["action"] != PASS) & (calls["action"] != COP)
        may_accept = calls["legal"] >> (COP - FIRST_CALL) & 1 == 1
        accepted = watched.outcomes["accepted"][calls["table"]] == 1
        over = (calls["phase"] == OVER_CALL) | (calls["phase"] == OVER_PROPOSAL)
        asked = (calls["phase"] == OPENING, may_accept, over, calls["action"] == PROP)
        did = (bids, calls["action"] == COP, bids, accepted)
        for player in range(self.plan.seating.n_players):
            mine = calls["player"] == player
            for name, when, hit in zip(RATES, asked, did, strict=True):
                at = calls["cluster"] - self.clusters
                self._count("asked", name, player, watched, at, mine & when)
                self._count("did", name, player, watched, at, mine & when & hit)

    def _count(
        self, what: str, which: str | int, whose: int, watched: Watched, at: NDArray[np.int64], values: ArrayLike
    ) -> None:
        counts = sums_by_cluster(values, at, watched.clusters)
        self.counts.setdefault((what, which, whose), []).append(counts)

    # --- as numbers of a document

    def as_json(self) -> dict[str, Any]:
        """All that was found, JSON-ready."""
        rows = np.concatenate(self.decisive)
        whose = range(self.plan.seating.n_players)
        return {
            "clusters": self.clusters,
            "tables": self.tables,
            "mix": [self._contract(kind) for kind in self.kinds],
            "rates": [
                {"name": name, "players": [self._share("did", name, player, "asked", name) for player in whose]}
                for name in RATES
            ],
            "made": [
                {
                    "player": player,
                    "contract": KIND_NAMES[kind],
                    "side": SIDES[side],
                    **made_row(part, self.clusters),
                }
                for player in whose
                for kind in self.kinds
                for side in (CALLER, ACCEPTOR)
                if len(part := rows[_is(rows, player, kind, side)])
            ],
            "calibration": [
                calibration(rows[rows["player"] == player], self.clusters) if self.tells[player] else None
                for player in whose
            ],
        }

    def _contract(self, kind: int) -> dict[str, Any]:
        declared = kind not in (NO_CONTRACT, GENERAL)
        return {
            "contract": KIND_NAMES[kind] if kind != NO_CONTRACT else "thrown_in",
            "tables": self._share("contract", kind, ANYBODY, "tables", ""),
            "players": [
                self._share("contract", kind, player, "seats", "") for player in range(self.plan.seating.n_players)
            ]
            if declared
            else None,
        }

    def _share(self, what: str, which: str | int, whose: int, of: str, of_which: str) -> Measured:
        hits, tries = self.counts[what, which, whose], self.counts[of, of_which, whose]
        return share(np.concatenate(hits), np.concatenate(tries))


def kinds_of(ruleset: Ruleset) -> list[int]:
    """The contracts of a ruleset as numbers, with the general misère where there is one, and "none"."""
    kinds = [CONTRACT_BY_CALL[contract.call] for contract in ruleset.contracts()]
    return [*kinds, *([GENERAL] if ruleset.has_general() else []), NO_CONTRACT]


def _is(rows: NDArray[np.void], player: int, kind: int, side: int) -> NDArray[np.bool_]:
    found: NDArray[np.bool_] = (rows["player"] == player) & (rows["contract"] == kind) & (rows["side"] == side)
    return found


def made_row(rows: NDArray[np.void], clusters: int) -> dict[str, Measured | None]:
    """How often decisive calls were made and, if told, what was said of it: the chance, what is missing to it."""
    rows_told = rows[~np.isnan(rows["told"])]
    at = rows_told["cluster"]
    return {
        "made": share_of(rows["made"], rows["cluster"], clusters),
        "told": mean_of(rows_told["told"], at, clusters) if len(rows_told) else None,
        "gap": mean_of(rows_told["told"] - rows_told["made"], at, clusters) if len(rows_told) else None,
    }


def calibration(rows: NDArray[np.void], clusters: int) -> dict[str, Any]:
    """How well told chances are borne out: the curve, the Brier score, and the score of always telling the mean.

    Args:
        rows: DECISIVE [N], of one player; those of which it told nothing are left out.
        clusters: how many clusters were watched.
    """
    rows = rows[~np.isnan(rows["told"])]
    at, chance, made = rows["cluster"], rows["told"], rows["made"].astype(np.float64)
    share_made = float(made.mean()) if len(rows) else 0.0
    bins = []
    number = np.minimum((chance * N_BINS).astype(np.int64), N_BINS - 1)
    for i in range(N_BINS):
        here = number == i
        if here.any():
            bins.append(
                {
                    "from": i / N_BINS,
                    "to": (i + 1) / N_BINS,
                    "told": float(chance[here].mean()),
                    "made": share_of(made[here], at[here], clusters),
                }
            )
    return {
        "brier": mean_of((chance - made) ** 2, at, clusters),
        "brier_of_the_mean": mean_of((share_made - made) ** 2, at, clusters),
        "gap": mean_of(chance - made, at, clusters),
        "bins": bins,
    }
