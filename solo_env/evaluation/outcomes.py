"""What is kept of a finished table: one row of numbers, from which every estimate is made.

The rows of a chunk are what a worker hands back and what a run keeps on disk to be resumed.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solo_env.actions import COP, PASS, PROP
from solo_env.cards import N_SEATS
from solo_env.engine.state import NOBODY
from solo_env.layout import MAX_CALLS

OUTCOME = np.dtype(
    [
        ("cluster", "i8"),  # the cluster of the book: a deal, or a session
        ("payoff", "i4", N_SEATS),  # by absolute seat
        ("deal", "i2"),  # its number in the session
        ("lineup", "i1"),  # 0 the challenger's tables, 1 those of its rival
        ("row", "i1"),  # of the seating
        ("dealer", "i1"),
        ("contract", "i1"),  # -1 thrown in
        ("declarer", "i1"),  # a seat, -1 nobody
        ("partner", "i1"),
        ("trump", "i1"),
        ("tricks", "i1", N_SEATS),
        ("n_calls", "i1"),
        ("n_bids", "i1"),  # calls that were neither pass nor acceptance
        ("proposed", "i1"),  # 1: somebody proposed
        ("accepted", "i1"),  # 1: somebody accepted
        # Always zero: without it the row would end in bytes of no field, and copies of them hold old memory.
        ("unused", "i1", 7),
    ],
    align=True,
)


def outcomes_of(tables: NDArray[np.void], lineup: int, first: int) -> NDArray[np.void]:
    """The outcomes of finished tables [N, R, D], clusters from ``first`` on: OUTCOME [N * R * D], in order."""
    outcomes = np.zeros(tables.shape, OUTCOME)
    n, rows, deals = tables.shape
    outcomes["cluster"] = np.arange(first, first + n)[:, None, None]
    outcomes["row"] = np.arange(rows)[:, None]
    outcomes["deal"] = np.arange(deals)
    outcomes["lineup"] = lineup
    for name in ("payoff", "dealer", "contract", "declarer", "partner", "trump", "tricks", "n_calls"):
        outcomes[name] = tables[name]
    said = np.arange(MAX_CALLS) < tables["n_calls"][..., None]
    calls = tables["calls"]
    outcomes["n_bids"] = (said & (calls != PASS) & (calls != COP)).sum(axis=-1)
    outcomes["proposed"] = (said & (calls == PROP)).any(axis=-1)
    outcomes["accepted"] = (said & (calls == COP)).any(axis=-1)
    return outcomes.reshape(-1)


def is_made(outcomes: NDArray[np.void]) -> NDArray[np.bool_]:
    """Whether each contract was made, bool [N]; False where nobody declared."""
    rows = np.arange(len(outcomes))
    made: NDArray[np.bool_] = (outcomes["declarer"] != NOBODY) & (
        outcomes["payoff"][rows, outcomes["declarer"]] > 0
    )
    return made
