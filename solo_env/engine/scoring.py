"""Settlement (clauses 7.1 to 7.3): whole units that sum to zero."""

from __future__ import annotations

import numpy as np

from solo_env.cards import N_SEATS
from solo_env.engine._jit import kernel
from solo_env.engine.state import NOBODY
from solo_env.rules.model import NO_TRICK


@kernel
def pair_amount(rules, contract, taken):
    """Units that change hands between each paying pair: positive when the declaring side has made it."""
    base = int(rules["base"][contract])
    if rules["aim"][contract] == NO_TRICK:
        return base if taken == 0 else -base
    margin = taken - int(rules["target"][contract])
    if margin >= 0:
        return base + margin * int(rules["over"][contract])
    return -(base - margin * int(rules["under"][contract]))


@kernel
def write_payoff(table, rules):
    """Fill ``payoff`` of a finished deal from its contract, sides and tricks."""
    declarer, partner = int(table["declarer"]), int(table["partner"])
    taken = int(table["tricks"][declarer])
    if partner != NOBODY:
        taken += int(table["tricks"][partner])
    amount = pair_amount(rules, np.int64(table["contract"]), taken)
    for seat in range(N_SEATS):
        table["payoff"][seat] = amount if seat == partner else -amount
    # Partners settle with one opponent each; a single declarer settles with all three (clause 7.1).
    table["payoff"][declarer] = amount if partner != NOBODY else 3 * amount
