"""A ruleset as one record of numbers, which is what the kernels read."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from solo_env.rules.model import (
    AT_LEAST,
    CONTRACT_BY_CALL,
    CONTRACTS,
    N_CONTRACTS,
    NO_CONTRACT,
    Ruleset,
)

LEADER_ELDEST, LEADER_CALLER = range(2)
MAX_PACKETS = 13

# One column a property, one row (axis of ten) a contract.
RULES = np.dtype(
    [
        ("packets", "i8", MAX_PACKETS),  # cards a player in each round of the deal, then zeros
        ("top_rank", "i8"),  # the rank that closes the auction at once
        ("rank", "i8", N_CONTRACTS),  # place in the ladder, 0 the lowest; -1 not offered
        ("only_over", "i8", N_CONTRACTS),  # the contract that must stand for this one to be called, or -1
        ("aim", "i8", N_CONTRACTS),  # AT_LEAST or NO_TRICK
        ("target", "i8", N_CONTRACTS),  # tricks; 0 for NO_TRICK
        ("trumps", "i8", N_CONTRACTS),  # TURNED, NO_TRUMPS or NAMED
        ("leader", "i8", N_CONTRACTS),  # LEADER_ELDEST or LEADER_CALLER
        ("stops", "i8", N_CONTRACTS),  # 1: play ends with the trick that decides it
        ("base", "i8", N_CONTRACTS),  # units between each paying pair
        ("over", "i8", N_CONTRACTS),  # units per trick over the target
        ("under", "i8", N_CONTRACTS),  # units per trick short of it
    ],
    align=True,
)


def pack(ruleset: Ruleset) -> np.void:
    """A ruleset as a record of dtype ``RULES``: what kernels over many tables take."""
    return pack_array(ruleset)[0]  # type: ignore[no-any-return]


@lru_cache(maxsize=64)
def pack_array(ruleset: Ruleset) -> NDArray[np.void]:
    """A ruleset as an array [1] of dtype ``RULES``, shared: what kernels of ``engine.one`` take."""
    rules = np.zeros(1, RULES)
    row = rules[0]
    row["packets"][: len(ruleset.deal.packets)] = ruleset.deal.packets
    row["rank"][:] = -1
    for rank, call in enumerate(ruleset.auction.ladder):
        row["rank"][CONTRACT_BY_CALL[call]] = rank
    row["top_rank"] = len(ruleset.auction.ladder) - 1
    for i, contract in enumerate(CONTRACTS):
        name = contract.name
        row["only_over"][i] = CONTRACT_BY_CALL.get(contract.only_over, NO_CONTRACT)
        row["aim"][i] = contract.aim
        row["target"][i] = ruleset.contract.targets.get(name, 0) if contract.aim == AT_LEAST else 0
        row["trumps"][i] = contract.trumps
        row["leader"][i] = LEADER_CALLER if ruleset.leader_of(name) == "caller" else LEADER_ELDEST
        row["stops"][i] = ruleset.stops(contract)
        row["base"][i] = ruleset.pay.base.get(name, 0)
        row["over"][i] = ruleset.pay.over.get(name, 0)
        row["under"][i] = ruleset.pay.under.get(name, 0)
    return rules


def worst_payoff(ruleset: Ruleset) -> int:
    """The largest number of units one seat can lose in a deal (a positive whole number)."""
    rules = pack(ruleset)
    worst = 0
    for contract in ruleset.contracts():
        i = CONTRACT_BY_CALL[contract.call]
        pairs = 1 if contract.name == "PC" else 3
        most_under = int(rules["under"][i]) * int(rules["target"][i])
        most_over = int(rules["over"][i]) * (13 - int(rules["target"][i]))
        base = int(rules["base"][i])
        worst = max(worst, pairs * (base + most_under), base + most_over)
    return worst
