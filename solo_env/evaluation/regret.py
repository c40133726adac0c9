"""What a call cost: each call decision is played out with every call that was legal, by the same players.

A play-out takes the table as it stood before the decision, makes one of the legal calls there, and lets the
players finish the deal with the cards that lay there and the chance that was theirs. Nothing is sampled. It tells
what that call would have brought in this very deal, so a single one is luck; over many deals its mean is the mean
of the call, for these players in the other seats and for the hands on which the decision was met.

Three numbers are made from it, in units of the seat that decides:

- *hindsight*: the best play-out less that of the call chosen. Never below 0. No player could have seen which would
  be best, so this bounds the regret of calls from above; it compares callers that meet like decisions.
- *instead*: the mean, over the decisions of one phase in which one call was chosen, of another call less the one
  chosen, where the other was legal. It is unbiased for what always calling that instead would gain there, if
  nothing else changed. An interval above 0 is a fault found.
- *deviation*: for each phase and call chosen, the change that gains the most on one half of the clusters is made on
  the other, if the gain is more than two standard errors. It is unbiased for what such a change of habit gains, and
  so bounds the regret of calls from below: a change that needs no more than the player's own call gains as much.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solo_env.actions import FIRST_CALL, N_ACTIONS, N_CALLS
from solo_env.actions import text as action_text
from solo_env.engine import batch
from solo_env.engine.state import NOBODY
from solo_env.evaluation.calls import CONTRACT_OF_ACTION, PHASES, Watched, watch_calls
from solo_env.evaluation.plan import Plan
from solo_env.evaluation.play import play_tables
from solo_env.evaluation.ratios import Measured, mean_of, ratio, share_of, sums_by_cluster
from solo_env.evaluation.run import chunks_of
from solo_env.evaluation.tally import DECLARER, DEFENDER, NEITHER, PARTNER, ROLES
from solo_env.player import Player
from solo_env.rules import pack_array
from solo_env.rules.model import KIND_NAMES, NO_CONTRACT, PC

REGRET_DEALS = 200  # at most so many are played out
N_OPTIONS = N_ACTIONS - FIRST_CALL  # calls and suits to name, by action - 52
FEWEST = 30  # decisions of which "instead" is told
CLEAR = 2.0  # standard errors by which a change has to gain before it is made
AT_ONCE = 20_000  # tables played out at once; decides memory, never the result


class PlayOuts:
    """Every legal call of call decisions played out. Axes: C decisions, O options (action - 52)."""

    def __init__(self, plan: Plan, players: Sequence[Player], watched: Watched, mine: NDArray[np.int64]) -> None:
        """Play out the watched calls ``mine`` [C], whose tables were kept."""
        calls = watched.calls[mine]
        self.calls = calls
        legal = (calls["legal"][:, None] >> np.arange(N_OPTIONS) & 1).astype(bool)
        which, option = legal.nonzero()
        self.units = np.full(legal.shape, np.nan)  # of the seat that decides
        self.won = np.zeros(legal.shape, bool)  # the call became the contract
        self.made = np.zeros(legal.shape, bool)
        player_of = watched.players_at[calls["table"]]
        for start in range(0, len(which), AT_ONCE):
            here, there = which[start : start + AT_ONCE], option[start : start + AT_ONCE]
            ends = play_on(plan, players, watched.tables[mine[here]], player_of[here], there + FIRST_CALL)
            seat, rows = calls["seat"][here], np.arange(len(here))
            self.units[here, there] = ends["payoff"][rows, seat]
            kind = CONTRACT_OF_ACTION[there]
            side = np.where((kind == PC) & (there != PC + 1), ends["partner"], ends["declarer"])
            won = (kind != NO_CONTRACT) & (ends["contract"] == kind) & (side == seat)
            self.won[here, there] = won
            self.made[here, there] = won & (ends["payoff"][rows, seat] > 0)
        self.chosen = calls["action"].astype(np.int64) - FIRST_CALL

    @property
    def of_chosen(self) -> NDArray[np.float64]:
        """The units of the calls chosen, float64 [C]: those of the game as it was played."""
        found: NDArray[np.float64] = self.units[np.arange(len(self.chosen)), self.chosen]
        return found

    @property
    def hindsight(self) -> NDArray[np.float64]:
        """The best of the units less those of the call chosen, float64 [C]."""
        best: NDArray[np.float64] = np.nanmax(self.units, axis=1, initial=-np.inf)
        return best - self.of_chosen


def play_on(
    plan: Plan,
    players: Sequence[Player],
    tables: NDArray[np.void],
    player_of: NDArray[np.int8],
    actions: NDArray[np.int64],
) -> NDArray[np.void]:
    """Copies of tables [B], each after a legal action (int64 [B]) played to its end by who sits there ([B, 4])."""
    ends, rules = tables.copy(), pack_array(plan.ruleset)
    batch.apply_choices(ends, rules, np.arange(len(ends)), actions)
    play_tables(players, player_of, ends, plan.ruleset, plan.book.key_seed)
    return ends


def study_regret(plan: Plan, players: Sequence[Player], clusters: int) -> dict[str, Any]:
    """The regret of every player of the first lineup over the first ``clusters`` clusters of the book."""
    found: list[list[tuple[PlayOuts, NDArray[np.int64], NDArray[np.int64]]]] = [[] for _ in players]
    for first, n in chunks_of(clusters):
        watched = watch_calls(plan, players, first, n, keep_tables=True)
        for number in range(len(players)):
            mine = np.flatnonzero(watched.calls["player"] == number)
            outs = PlayOuts(plan, players, watched, mine)
            at = watched.outcomes[outs.calls["table"]]
            found[number].append((outs, roles_of(at, outs.calls["seat"]), at["contract"].astype(np.int64)))
    return {
        "clusters": clusters,
        "players": [
            regret_of(parts, clusters, plan.seating.seats_of(number) * plan.book.session)
            for number, parts in enumerate(found)
        ],
    }


def roles_of(outcomes: NDArray[np.void], seats: NDArray[np.int8]) -> NDArray[np.int64]:
    """What the seats [C] became at their tables (OUTCOME [C]), int64 [C]."""
    role = np.full(len(seats), DEFENDER)
    role[seats == outcomes["partner"]] = PARTNER
    role[seats == outcomes["declarer"]] = DECLARER
    role[outcomes["declarer"] == NOBODY] = NEITHER
    return role


def regret_of(
    parts: Sequence[tuple[PlayOuts, NDArray[np.int64], NDArray[np.int64]]], clusters: int, seats: int
) -> dict[str, Any]:
    """The numbers of one player, from the play-outs of its decisions, its roles there and the contracts there."""
    table, chosen, at, phase, hindsight, won, made, role, contract = (
        np.concatenate(column)
        for column in zip(
            *(
                (
                    o.units,
                    o.chosen,
                    o.calls["cluster"],
                    o.calls["phase"],
                    o.hindsight,
                    o.won,
                    o.made,
                    role,
                    contract,
                )
                for o, role, contract in parts
            ),
            strict=True,
        )
    )
    by_cluster = sums_by_cluster(hindsight, at, clusters)
    habit = deviation(table, chosen, at, phase)

    def cut(names: Sequence[str], column: NDArray[np.int64]) -> list[dict[str, Any]]:
        rows = []
        for number, name in enumerate(names):
            here = column == number
            if here.any():
                rows.append({"name": name, **mean_of(hindsight[here], at[here], clusters)})
        return rows

    options = [action_text(FIRST_CALL + option) for option in range(N_CALLS)] + ["trumps named"]
    return {
        "hindsight": mean_of(hindsight, at, clusters),
        "hindsight_a_deal": ratio(by_cluster, np.full(clusters, float(seats))),
        "deviation": mean_of(habit, at, clusters),
        "deviation_a_deal": ratio(sums_by_cluster(habit, at, clusters), np.full(clusters, float(seats))),
        "by_phase": cut(PHASES, phase),
        "by_call": cut(options, np.minimum(chosen, N_CALLS)),
        "by_role": cut(ROLES, role),
        "by_contract": cut([*KIND_NAMES, "thrown_in"], np.where(contract < 0, len(KIND_NAMES), contract)),
        "instead": insteads(table, chosen, at, phase, clusters),
        "if_always": if_always(table, won, made, at, clusters),
    }


def insteads(
    table: NDArray[np.float64],
    chosen: NDArray[np.int64],
    at: NDArray[np.int64],
    phase: NDArray[np.int64],
    clusters: int,
) -> list[dict[str, Any]]:
    """What another call would have gained, by phase, call chosen and the other; only where that is often enough."""
    rows = []
    for p, call in sorted(set(zip(phase.tolist(), chosen.tolist(), strict=True))):
        here = np.flatnonzero((phase == p) & (chosen == call))
        gain = table[here] - table[here, call][:, None]
        for other in range(N_OPTIONS):
            legal = np.flatnonzero(~np.isnan(gain[:, other]))
            if other != call and len(legal) >= FEWEST:
                rows.append(
                    {
                        "phase": PHASES[p],
                        "call": action_text(FIRST_CALL + call),
                        "instead": action_text(FIRST_CALL + other),
                        **mean_of(gain[legal, other], at[here[legal]], clusters),
                    }
                )
    return rows


def deviation(
    table: NDArray[np.float64], chosen: NDArray[np.int64], at: NDArray[np.int64], phase: NDArray[np.int64]
) -> NDArray[np.float64]:
    """What the best change of habit found on the other half of the clusters gains at each decision, float64 [C]."""
    gain = np.nan_to_num(table - table[np.arange(len(chosen)), chosen][:, None])  # where it is illegal: no change
    found = np.zeros(len(chosen))
    for p, call in set(zip(phase.tolist(), chosen.tolist(), strict=True)):
        here = (phase == p) & (chosen == call)
        for half in range(2):
            learn, test = here & (at % 2 != half), here & (at % 2 == half)
            best = int(gain[learn].sum(axis=0).argmax())
            sums = sums_by_cluster(gain[learn, best], at[learn], int(at.max()) + 1)
            if sums.sum() > CLEAR * math.sqrt(float(sums @ sums)):
                found[test] = gain[test, best]
    return found


def if_always(
    table: NDArray[np.float64],
    won: NDArray[np.bool_],
    made: NDArray[np.bool_],
    at: NDArray[np.int64],
    clusters: int,
) -> list[dict[str, Any]]:
    """Of each call made wherever it is legal: how often it becomes the contract, and how often that is made."""
    rows: list[dict[str, Any]] = []
    for option in range(N_OPTIONS):
        legal, here = ~np.isnan(table[:, option]), won[:, option]
        if CONTRACT_OF_ACTION[option] == NO_CONTRACT or not legal.any():
            continue
        kept: Measured = share_of(here[legal], at[legal], clusters)
        rows.append(
            {
                "call": action_text(FIRST_CALL + option),
                "kept": kept,
                "made": share_of(made[here, option], at[here], clusters),
            }
        )
    return rows
