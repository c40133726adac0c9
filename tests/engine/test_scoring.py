"""Settlement in basic units."""

from __future__ import annotations

import random

import pytest

from solo_env.engine import scoring
from solo_env.engine.state import new_tables
from solo_env.rules import load_ruleset, pack
from solo_env.rules.model import CONTRACT_NAMES
from tests.playing import call_on, play_on, random_hands, table_of

RULES = pack(load_ruleset("pagat"))

# contract, partner of seat 0, tricks by seat, payoff by seat; seat 0 is the declarer
SCHEME_B = [
    *(("PC", 2, (n, 13 - n, 0, 0), (1, -1, 1, -1)) for n in range(8, 14)),
    *(("PC", 2, (n, 13 - n, 0, 0), (-1, 1, -1, 1)) for n in range(8)),
    ("PC", 2, (4, 3, 4, 2), (1, -1, 1, -1)),
    ("PC", 1, (4, 4, 3, 2), (1, 1, -1, -1)),
    ("PC", 3, (0, 4, 3, 6), (-1, 1, 1, -1)),
    ("SOLO", -1, (5, 4, 4, 0), (3, -1, -1, -1)),
    ("SOLO", -1, (12, 1, 0, 0), (3, -1, -1, -1)),
    ("SOLO", -1, (4, 5, 4, 0), (-3, 1, 1, 1)),
    ("SOLO", -1, (0, 5, 4, 4), (-3, 1, 1, 1)),
    ("MIS", -1, (0, 5, 4, 4), (6, -2, -2, -2)),
    ("MIS", -1, (1, 0, 0, 0), (-6, 2, 2, 2)),
    ("ABU", -1, (9, 4, 0, 0), (9, -3, -3, -3)),
    ("ABU", -1, (8, 5, 0, 0), (-9, 3, 3, 3)),
    ("ABT", -1, (9, 4, 0, 0), (9, -3, -3, -3)),
    ("OUV", -1, (0, 5, 4, 4), (12, -4, -4, -4)),
    ("OUV", -1, (1, 3, 0, 0), (-12, 4, 4, 4)),
    ("DECL", -1, (13, 0, 0, 0), (18, -6, -6, -6)),
    ("DECL", -1, (12, 1, 0, 0), (-18, 6, 6, 6)),
    ("DECL", -1, (0, 1, 0, 0), (-18, 6, 6, 6)),
]


@pytest.mark.parametrize(("contract", "partner", "tricks", "payoff"), SCHEME_B)
def test_the_basic_scheme_pays_what_the_rules_print(contract, partner, tricks, payoff):
    table = new_tables(1)[0]
    table["contract"] = CONTRACT_NAMES.index(contract)
    table["declarer"], table["partner"] = 0, partner
    table["tricks"][:] = tricks
    scoring.write_payoff(table, RULES)
    assert tuple(table["payoff"]) == payoff


def test_margins_are_paid_where_a_ruleset_prices_them():
    rules = pack(load_ruleset("pagat+pay.over.SOLO=1+pay.under.SOLO=2"))
    solo = CONTRACT_NAMES.index("SOLO")
    assert [scoring.pair_amount(rules, solo, taken) for taken in (2, 4, 5, 8)] == [-7, -3, 1, 4]


def test_payoffs_sum_to_zero_whatever_is_played():
    rng = random.Random(12)
    for number in range(300):
        table = play_on(call_on(table_of(random_hands(rng), number % 4), rng), rng)
        assert sum(table.payoffs) == 0
