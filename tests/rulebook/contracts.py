"""What each contract promises and pays (clauses 4.1, 6.4, 7.1 to 7.3), as one plain table of settings per ruleset.

Whatever published rulebooks disagree about in these tables belongs here, never in the code that reads them;
another ruleset is another dict of the same shape, added to RULESETS.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Settings = dict[str, Any]

PAGAT: Settings = {
    # Low to high. COP is absent on purpose: accepting a proposal outbids nothing (clause 3.5).
    "ladder": ["PROP", "SOLO", "MIS", "ABU", "ABT", "OUV", "DECL"],
    # What the declaring side undertakes (clause 4.1). PROP stands for the accepted proposal, counted jointly.
    "target": {
        "PROP": ("at least", 8),
        "SOLO": ("at least", 5),
        "MIS": ("at most", 0),
        "ABU": ("at least", 9),
        "ABT": ("at least", 9),
        "OUV": ("at most", 0),
        "DECL": ("at least", 13),
    },
    # "turned": the suit of the dealer's last card; "named": the caller's choice, after the auction.
    "trumps": {
        "PROP": "turned",
        "SOLO": "turned",
        "MIS": "none",
        "ABU": "named",
        "ABT": "turned",
        "OUV": "none",
        "DECL": "none",
    },
    # Who leads to the first trick (clause 5.1): "eldest" whoever called, or the "caller".
    "leader": {
        "PROP": "eldest",
        "SOLO": "eldest",
        "MIS": "eldest",
        "ABU": "eldest",
        "ABT": "eldest",
        "OUV": "eldest",
        "DECL": "caller",
    },
    # Complete tricks after which the caller's hand lies face up (clause 5.3).
    "exposed_after": {"OUV": 1},
    # What ends a deal before the thirteenth trick (clause 6.4): the caller "takes" or "loses" a trick.
    "stop": {"MIS": "takes", "OUV": "takes", "DECL": "loses"},
    # Units per paying pair (clauses 7.1 to 7.3), and per trick over or under the target; unlisted is none.
    "base": {"PROP": 1, "SOLO": 1, "MIS": 2, "ABU": 3, "ABT": 3, "OUV": 4, "DECL": 6},
    "over": {},
    "under": {},
}

RULESETS: dict[str, Settings] = {"pagat": PAGAT}


def made(contract: str, tricks: int, settings: Settings = PAGAT) -> bool:
    """Whether the declaring side, having taken `tricks`, kept its promise (clause 4.1)."""
    sense: str
    target: int
    sense, target = settings["target"][contract]
    return tricks >= target if sense == "at least" else tricks <= target


def payment(
    contract: str, declarer: int, partner: int | None, tricks: Sequence[int], settings: Settings = PAGAT
) -> list[int]:
    """Units won by each position, from the tricks each position took (clauses 7.1 to 7.3)."""
    side = {declarer} if partner is None else {declarer, partner}
    taken = sum(tricks[position] for position in side)
    _, target = settings["target"][contract]
    amount = settings["base"][contract]
    if made(contract, taken, settings):
        amount += settings["over"].get(contract, 0) * abs(taken - target)
    else:
        amount = -(amount + settings["under"].get(contract, 0) * abs(taken - target))
    # A lone caller settles with each of three opponents; partners settle with one opponent each.
    each = amount * (4 - len(side)) // len(side)
    return [each if position in side else -amount for position in range(4)]
