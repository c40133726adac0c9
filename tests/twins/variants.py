"""Deals of any ruleset that lead to a wanted contract, for the comparison with the rulebook."""

from __future__ import annotations

import random

from solo_env import actions
from solo_env.rules import Ruleset
from solo_env.rules.model import KIND_NAMES
from solo_env.table import Table
from tests.playing import kind_hands, position_of, texts


def finished(ruleset: Ruleset, contract: str, rng: random.Random, kind: bool) -> tuple[Table, list[object]]:
    """A finished deal whose auction led to ``contract`` ("" for any), with its trace of legal actions."""
    while True:
        table = Table(ruleset)
        table.deal(rng.randrange(2**40), dealer=rng.randrange(4))
        if kind:
            seat = rng.randrange(4)
            hands = kind_hands(rng, seat, contract not in ("MIS", "OUV"))
            concealed = ruleset.trump.source != "turn_up"
            table.deal_hands(hands, int(table.data["dealer"]), int(table.data["suit"]) if concealed else None)
        trace = play_towards(table, contract, seat if kind else -1, rng)
        reached = KIND_NAMES[table.data["contract"]] if table.data["contract"] >= 0 else "none"
        if contract in ("", reached):
            return table, trace


def play_towards(table: Table, contract: str, seat: int, rng: random.Random) -> list[object]:
    """Random play to the end, in whose auction ``seat`` (or anybody) makes for ``contract``."""
    calls = {"PC": ("PROP", "COP")}.get(contract, (contract,))
    trace: list[object] = []
    while not table.over:
        legal = table.legal_actions()
        names = texts(legal)
        trace.append((position_of(table, table.turn), names))
        wanted = [name for name in calls if name in names and (name == "COP" or seat in (-1, table.turn))]
        # ABT is called over somebody else's ABU; a general misère needs passes.
        if contract == "ABT" and "ABU" in names and not wanted and seat != table.turn:
            wanted = ["ABU"]
        if table.data["phase"] == actions.AUCTION and contract:
            likely = actions.parse(rng.choice(wanted)) if wanted and rng.random() < 0.8 else actions.PASS
            table.apply(likely if likely in legal and rng.random() < 0.95 else rng.choice(legal))
        elif table.data["phase"] == actions.AUCTION and rng.random() < 0.5:
            table.apply(actions.PASS)
        else:
            table.apply(rng.choice(legal))
    return trace
