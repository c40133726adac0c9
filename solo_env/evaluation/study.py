"""The study of a match: its calls, their regret, calls and cards swapped, and three deals.

It is made beside the match, on the first clusters of the same book and with the players of the first lineup,
however many processes played the match.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from solo_env.evaluation.calls import CALL_DEALS, CallTally, watch_calls
from solo_env.evaluation.plan import Plan
from solo_env.evaluation.regret import REGRET_DEALS, study_regret
from solo_env.evaluation.run import chunks_of
from solo_env.evaluation.shown import study_deals
from solo_env.evaluation.sidecar import Clock
from solo_env.evaluation.swap import SWAP_DEALS, study_swap
from solo_env.player import Player


def study(plan: Plan, players: Sequence[Player], clusters: int, clock: Clock | None = None) -> dict[str, Any]:
    """What the document of a studied plan tells beside the match, JSON-ready.

    Args:
        plan: what was played.
        players: of its first lineup.
        clusters: how many clusters were counted in the match; no part of the study looks at more.
        clock: told how long each part took.

    Raises:
        PlayerError: a player failed while deciding or telling a chance, or chose an illegal action.
    """
    clock = clock or Clock()
    session = plan.book.session
    most = {  # limits are in deals, so that sessions make no study longer
        "calls": max(1, min(clusters, CALL_DEALS // session)),
        "regret": max(1, min(clusters, REGRET_DEALS // session)),
        "swap": max(1, min(clusters, SWAP_DEALS // session)),
    }
    tally = CallTally(plan)
    scores = []
    for first, n in chunks_of(most["calls"]):
        watched = watch_calls(plan, players, first, n)
        tally.add(players, watched)
        mine = np.where(watched.players_at == 0, watched.outcomes["payoff"], 0).sum(axis=1)
        scores.append(mine.reshape(n, -1).sum(axis=1))
    calls = tally.as_json()
    clock.lap("calls")
    regret = study_regret(plan, players, most["regret"])
    clock.lap("regret")
    swap = study_swap(plan, players, most["swap"])
    clock.lap("swap")
    deals = study_deals(plan, players, np.concatenate(scores))
    clock.lap("deals")
    return {"calls": calls, "regret": regret, "swap": swap, "deals": deals}
