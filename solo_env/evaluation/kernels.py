"""The loops that measuring needs and playing does not: sessions going on, deals put down anew."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solo_env.engine._jit import kernel
from solo_env.engine.deal import next_deal, open_auction


@kernel
def next_deals(tables: NDArray[np.void], rules: NDArray[np.void]) -> None:
    """Deal the next deal of its session at each table, all of which are over."""
    for b in range(len(tables)):
        next_deal(tables[b], rules[0])


@kernel
def reopen_deals(tables: NDArray[np.void], rules: NDArray[np.void]) -> None:
    """Open the auction anew at each table, in which ``dealt``, ``dealer`` and ``suit`` stand as they shall be."""
    for b in range(len(tables)):
        open_auction(tables[b], rules[0], np.int64(tables[b]["dealer"]), np.int64(tables[b]["suit"]))
