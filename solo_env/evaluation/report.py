"""From running sums to the numbers of a document, each with how many clusters it rests on and an interval."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence as Row
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solo_env.cards import N_SEATS
from solo_env.evaluation.audit import Check, failed
from solo_env.evaluation.books import FOR_SELECTION, MEANINGS
from solo_env.evaluation.estimates import LEVEL, estimate, mean_and_sd, student_quantile, t_interval
from solo_env.evaluation.plan import Plan
from solo_env.evaluation.result import Document, sealed
from solo_env.evaluation.sequential import Sequence
from solo_env.evaluation.tally import (
    MADE,
    NEITHER,
    ROLES,
    SCORE,
    SCORE_2,
    SCORE_SEATS,
    SEATS,
    SEATS_2,
    THROWN_IN,
    LineupTally,
)
from solo_env.evaluation.variates import VariateTally
from solo_env.layout import table_hash
from solo_env.rules import Ruleset
from solo_env.rules.model import CONTRACT_BY_CALL, GENERAL, KIND_NAMES
from solo_env.signature import signature

EDGE = 0.1  # units a deal: the difference for which the deals needed are told
POWER_FACTOR = 7.849  # (z(0.975) + z(0.8))², of a two-sided test at 5 % that finds the edge 4 times in 5
POSITIONS = ("eldest", "second", "third", "dealer")
AUDIT_FAILED = "The audit failed: "  # begins the warning of a check


@dataclass
class Played:
    """What is kept of a plan that has been played."""

    lineups: list[LineupTally]
    variates: list[VariateTally]  # of each lineup and, if there is a rival, of the difference
    sequence: Sequence
    differences: Counter[int] | None  # of challenger and rival by cluster, if there is a rival
    first_clusters: NDArray[np.void]  # the outcomes of the first chunk


def report(
    plan: Plan, hashes: Row[Row[str]], played: Played, checks: Row[Check], study: dict[str, Any] | None = None
) -> Document:
    """The document of a plan that has been played, with its study if there was one."""
    seats = divisors(plan)
    first = played.lineups[0]
    content: dict[str, Any] = {
        "command": plan.command(),
        "ruleset": {"name": plan.ruleset.name, "signature": signature(plan.ruleset)},
        "table_hash": table_hash(),
        "book": {
            "id": plan.book.id, "name": plan.book.name, "seed": plan.book.seed, "session": plan.book.session,
            "game": plan.book.game, "hash": plan.book.hash,
        },
        "seating": {"name": plan.seating.name, "tables": [list(row) for row in plan.seating.rows]},
        "n": {"clusters": first.clusters, "deals": first.clusters * plan.book.session, "tables": first.tables},
        "lineups": [
            {"players": [{"spec": spec, "hash": told} for spec, told in zip(specs, told_hashes, strict=True)]}
            | lineup_numbers(plan, tally, variates)
            for specs, told_hashes, tally, variates in zip(
                plan.lineups, hashes, played.lineups, played.variates[: len(played.lineups)], strict=True
            )
        ],
        "rival_difference": None
        if played.differences is None
        else {
            **estimate(played.differences, seats[0]).as_json(),
            "adjusted": played.variates[-1].adjusted(plan.ruleset, seats[0]),
        },
        "sequential": played.sequence.as_json(),
        "audit": [check.as_json() for check in checks],
        "study": study,
        "warnings": warnings_of(plan, checks),
    }  # fmt: skip
    return sealed(content)


def divisors(plan: Plan) -> list[int]:
    """How many seats of a cluster, over its tables and deals, each player of a lineup has."""
    return [plan.seating.seats_of(player) * plan.book.session for player in range(plan.seating.n_players)]


def warnings_of(plan: Plan, checks: Row[Check]) -> list[str]:
    """What a reader of the numbers must know."""
    name = plan.book.name
    found = [f"{AUDIT_FAILED}{said}" for said in failed(checks)]
    if name in FOR_SELECTION:
        found.append(f"Book {name} is {MEANINGS[name]}; report on test, and choose nothing by that.")
    return found


def lineup_numbers(plan: Plan, tally: LineupTally, variates: VariateTally) -> dict[str, Any]:
    """All estimates of one lineup."""
    seats = divisors(plan)
    return {
        "units": [estimate(scores, seats[player]).as_json() for player, scores in enumerate(tally.scores)],
        "adjusted": variates.adjusted(plan.ruleset, seats[0]),
        "differences": [
            {
                "player": one,
                "minus": other,
                **estimate(scores, seats[one] * seats[other] // plan.book.session).as_json(),
            }
            for (one, other), scores in tally.differences.items()
        ],
        "by_position": {
            name: estimate(scores, seats[0] // N_SEATS).as_json()
            for name, scores in zip(POSITIONS, tally.by_position, strict=True)
        },
        "by_contract_and_role": cells_of(tally, seats[0]),
        "contracts": {**contracts_of(tally, plan.ruleset), "thrown_in": int(tally.contracts[THROWN_IN, 0])},
        "auction": {name: tally.auction[name] for name in ("bid", "proposed", "accepted", "overcalled")},
        "design": design_of(plan, tally),
    }


def cells_of(tally: LineupTally, divisor: int) -> list[dict[str, Any]]:
    """What the challenger won in each contract and role: a seat there, and as a part of its mean."""
    rows = []
    for kind, part in zip(*tally.cells[:, :, SEATS].nonzero(), strict=True):
        sums = [int(x) for x in tally.cells[kind, part]]
        n = tally.clusters
        mean, sd = mean_and_sd(n, sums[SCORE], sums[SCORE_2], divisor)
        around = t_interval(n, mean, sd)
        # A seat's mean is a ratio of two sums over clusters; its spread is that of score - ratio * seats.
        ratio = sums[SCORE] / sums[SEATS]
        spread = sums[SCORE_2] - 2 * ratio * sums[SCORE_SEATS] + ratio * ratio * sums[SEATS_2]
        of_ratio = None
        if around is not None:
            wide = (
                student_quantile((1 + LEVEL) / 2, n - 1) * math.sqrt(max(0.0, spread) * n / (n - 1)) / sums[SEATS]
            )
            of_ratio = [ratio - wide, ratio + wide]
        rows.append(
            {
                "contract": "thrown_in" if kind == THROWN_IN else KIND_NAMES[kind],
                "role": ROLES[part],
                "n": sums[SEATS],
                "made": None if part == NEITHER else sums[MADE],
                "units_a_seat": ratio,
                "t95_a_seat": of_ratio,
                "part_of_mean": mean,
                "t95_of_part": None if around is None else list(around),
            }
        )
    return rows


def contracts_of(tally: LineupTally, ruleset: Ruleset) -> dict[str, dict[str, int]]:
    """Of each contract that the ruleset has, how often it was played and made, by anybody and by the challenger."""
    kinds = [CONTRACT_BY_CALL[contract.call] for contract in ruleset.contracts()]
    return {
        KIND_NAMES[kind]: {
            "played": int(tally.contracts[kind, 0]),
            "made": int(tally.contracts[kind, 1]),
            "played_by_challenger": int(tally.declared[kind, 0]),
            "made_by_challenger": int(tally.declared[kind, 1]),
        }
        for kind in ([*kinds, GENERAL] if ruleset.has_general() else kinds)
    }


def design_of(plan: Plan, tally: LineupTally) -> dict[str, Any]:
    """How much the seating saved: the spread of a cluster, of a single table, and how the tables hang together."""
    tables, session = len(plan.seating.rows), plan.book.session
    per_table = divisors(plan)[0] // tables  # seats of the challenger at a table, over the session
    n = tally.clusters
    total, squares, one, one_squares = (int(x) for x in tally.rotation)
    _, sd_cluster = mean_and_sd(n, total, sum(s * s * c for s, c in tally.scores[0].items()), per_table * tables)
    _, sd_single = mean_and_sd(n, one, one_squares, per_table)
    # Mean over pairs of tables of a cluster: sum of s_i s_j over i != j, against the spread of all tables.
    pairs = sum(s * s * c for s, c in tally.scores[0].items()) - squares
    mean = total / (n * tables)
    spread = squares / (n * tables) - mean * mean
    correlation = None
    if spread > 0 and tables > 1:
        correlation = (pairs / (n * tables * (tables - 1)) - mean * mean) / spread
    return {
        "rotation_correlation": correlation,
        "sd_of_a_cluster": sd_cluster,
        "sd_of_a_single_table": sd_single,
        "edge": EDGE,
        "clusters_needed": clusters_needed(sd_cluster),
        "clusters_needed_single_table": clusters_needed(sd_single),
        "deals_a_cluster": session,
    }


def clusters_needed(sd: float) -> int:
    """Clusters after which an edge of 0.1 is found 4 times in 5 at 5 %, two-sided, for this spread of a cluster."""
    return math.ceil(POWER_FACTOR * sd * sd / EDGE**2)
