"""Every payment that the published schemes state, by the engine and by ``Ruleset.payoff``."""

from __future__ import annotations

import pytest

from solo_env.engine import scoring
from solo_env.engine.state import new_tables
from solo_env.rules import RulesetError, load_ruleset, pack
from solo_env.rules.model import KIND_NAMES


def settle(ruleset: str, contract: str, taken: int) -> tuple[int, ...]:
    """The payoff when seat 0 (with seat 2 in PC) has taken so many tricks, both ways of reckoning agreeing."""
    rules = load_ruleset(ruleset)
    sides = [0, 2] if contract == "PC" else [0]
    tricks = [taken, 13 - taken, 0, 0]
    table = new_tables(1)[0]
    table["contract"] = KIND_NAMES.index(contract)
    table["declarer"], table["partner"] = 0, 2 if contract == "PC" else -1
    table["tricks"][:] = tricks
    scoring.write_payoff(table, pack(rules))
    assert rules.payoff(contract, sides, tricks) == tuple(table["payoff"])
    return tuple(map(int, table["payoff"]))


def partners(amount: int) -> tuple[int, ...]:
    return (amount, -amount, amount, -amount)


def alone(amount: int) -> tuple[int, ...]:
    return (3 * amount, -amount, -amount, -amount)


HOYLE = [  # clauses 7.2 and 7.3; pence
    ("PC", 8, partners(6)),
    ("PC", 10, partners(8)),
    ("PC", 12, partners(10)),
    ("PC", 13, partners(16)),
    ("PC", 7, partners(-7)),
    ("PC", 5, partners(-9)),
    ("SOLO", 5, alone(6)),
    ("SOLO", 7, alone(8)),
    ("SOLO", 4, alone(-7)),
    ("SOLO", 2, alone(-9)),
    ("MIS", 0, alone(12)),
    ("MIS", 1, alone(-12)),
    ("ABU", 9, alone(18)),
    ("ABU", 10, alone(20)),
    ("ABU", 13, alone(26)),
    ("ABU", 8, alone(-19)),
    ("ABT", 8, alone(-19)),
    ("OUV", 0, alone(24)),
    ("DECL", 13, alone(36)),
    ("DECL", 12, alone(-36)),
]
MARGIN = [  # contract, tricks, the amount of a pair at a solo price of 4, 5 and 6
    ("PC", 10, (6, 7, 8)),
    ("PC", 13, (9, 10, 11)),
    ("PC", 6, (-6, -7, -8)),
    ("SOLO", 8, (7, 8, 9)),
    ("SOLO", 3, (-6, -7, -8)),
    ("MIS", 0, (8, 10, 12)),
    ("ABU", 11, (16, 19, 22)),
    ("ABU", 7, (-14, -17, -20)),
    ("OUV", 0, (16, 20, 24)),
    ("DECL", 5, (-24, -30, -36)),
]
FLAT = [
    ("PC", 8, partners(2)),
    ("SOLO", 5, alone(2)),
    ("MIS", 0, alone(3)),
    ("ABU", 9, alone(4)),
    ("ABT", 9, alone(4)),
    ("OUV", 1, alone(-6)),
    ("DECL", 2, alone(-8)),
]
EVERYTHING2 = [
    ("PC", 8, partners(10)),
    ("PC", 11, partners(13)),
    ("SOLO", 5, alone(10)),
    ("SOLO", 9, alone(14)),
    ("SOLO", 3, alone(-10)),
    ("MIS", 0, alone(25)),
    ("ABU", 9, alone(50)),
    ("ABT", 9, alone(60)),
    ("OUV", 0, alone(75)),
    ("DECL", 13, alone(100)),
]
PROJECT = [  # values that no source gives
    ("experienced", "ABU", 9, alone(2)),
    ("experienced", "MIS", 0, alone(3)),
    ("experienced", "DECL", 13, alone(4)),
    ("experienced", "OUV", 0, alone(6)),
    ("grand_slam_solo", "PETIT", 12, alone(4)),
    ("grand_slam_solo", "PETIT", 11, alone(-4)),
    ("grand_slam_solo", "GRAND", 13, alone(6)),
    ("morris_fagelson", "PC", 7, partners(1)),
    ("bga", "SOLO", 8, alone(8)),
]


@pytest.mark.parametrize(("contract", "taken", "payoff"), HOYLE)
def test_six_twelve_and_eighteen_pence(contract, taken, payoff):
    assert settle("hoyle", contract, taken) == payoff


@pytest.mark.parametrize(("contract", "taken", "amounts"), MARGIN)
def test_paying_the_margin(contract, taken, amounts):
    for solo, amount in zip((4, 5, 6), amounts, strict=True):
        expected = partners(amount) if contract == "PC" else alone(amount)
        assert settle(f"margin{solo}", contract, taken) == expected


@pytest.mark.parametrize(("contract", "taken", "payoff"), FLAT)
def test_the_flat_schedule(contract, taken, payoff):
    assert settle("flat", contract, taken) == payoff


@pytest.mark.parametrize(("contract", "taken", "payoff"), EVERYTHING2)
def test_prices_in_cents(contract, taken, payoff):
    assert settle("everything2", contract, taken) == payoff


@pytest.mark.parametrize(("ruleset", "contract", "taken", "payoff"), PROJECT)
def test_the_projects_own_values(ruleset, contract, taken, payoff):
    assert settle(ruleset, contract, taken) == payoff


def test_the_seven_amounts_that_hoyle_prints():
    """A solo made and failed by one; proposals of eight, seven, ten, thirteen tricks; a misère."""
    hoyle = load_ruleset("hoyle")
    printed = [
        ("SOLO", 5, "+1s 6d"),  # from the three together
        ("SOLO", 4, "-1s 9d"),
        ("PC", 8, "+6d"),
        ("PC", 7, "-7d"),
        ("PC", 10, "+8d"),
        ("PC", 13, "+1s 4d"),
        ("MIS", 0, "+3s"),  # twelve pence from each
    ]
    for contract, taken, amount in printed:
        assert hoyle.amount(settle("hoyle", contract, taken)[0]) == amount


def test_a_multiplier_multiplies_every_payment():
    for contract, taken in (("PC", 13), ("SOLO", 2), ("MIS", 0), ("ABU", 11)):
        one = settle("hoyle", contract, taken)
        assert settle("hoyle+pay.unit=3", contract, taken) == tuple(3 * units for units in one)


def test_flat_contracts_may_stay_as_they_are_when_the_rest_scales():
    assert settle("margin5+pay.scale_flat_contracts=false", "MIS", 0) == alone(2)
    assert settle("margin5+pay.scale_flat_contracts=false", "SOLO", 5) == alone(5)


def test_money_prints_in_pounds_shillings_and_pence():
    hoyle = load_ruleset("hoyle")
    shown = {0: "0d", 6: "+6d", -12: "-1s", 21: "+1s 9d", 240: "+£1 0s", -255: "-£1 1s 3d"}
    assert {amount: hoyle.amount(amount) for amount in shown} == shown
    assert load_ruleset("pagat").amount(-3) == "-3"
    assert load_ruleset("pagat").amount(0) == "0"


def general(mode: str, winners: list[int], extra: str = "") -> tuple[int, ...]:
    """The payoff of a general misère whose tricks went to ``winners``, both ways of reckoning agreeing."""
    rules = load_ruleset(f'pagat+passout.mode="{mode}"{extra}')
    table = new_tables(1)[0]
    table["contract"], table["declarer"], table["partner"] = KIND_NAMES.index("GM"), -1, -1
    table["trick_winners"][: len(winners)] = winners
    table["n_plays"] = 4 * len(winners)
    tricks = [winners.count(seat) for seat in range(4)]
    table["tricks"][:] = tricks
    scoring.write_payoff(table, pack(rules))
    assert rules.payoff("GM", [], tricks, winners) == tuple(table["payoff"])
    return tuple(map(int, table["payoff"]))


EVEN = [0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 3]  # 4-4-4-1


@pytest.mark.parametrize(
    ("mode", "winners", "extra", "payoff"),
    [
        ("last_trick", EVEN, "", (1, 1, 1, -3)),
        ("fewest", EVEN, "", (-1, -1, -1, 3)),
        ("fewest", [0] * 5 + [1] * 4 + [2] * 2 + [3] * 2, "", (-2, -2, 2, 2)),
        ("fewest", [0] * 10 + [1, 2, 3], "", (-3, 1, 1, 1)),
        ("fewest", [0] * 13, "", (-3, 1, 1, 1)),
        ("first_to_five", [0, 1] * 4 + [1], "", (1, -3, 1, 1)),
        ("first_to_five", EVEN, "", (-3, 1, 1, 1)),
        ("first_to_five", EVEN, '+passout.five_fallback="last_to_four"', (1, 1, -3, 1)),
        ("first_to_five", EVEN, '+passout.five_fallback="all_with_four"', (-1, -1, -1, 3)),
        ("most_tricks", [3] * 7 + [0] * 6, "", (1, 1, 1, -3)),
        ("most_tricks", EVEN, "", (-3, 1, 1, 1)),
        ("most_tricks", [1, 0] * 6 + [2], "", (1, -3, 1, 1)),
    ],
)
def test_the_four_general_miseres_and_their_ties(mode, winners, extra, payoff):
    """Clauses 7.5 to 7.8."""
    assert general(mode, winners, extra) == payoff


@pytest.mark.parametrize(
    ("contract", "sides", "tricks", "winners", "said"),
    [
        ("SOLO", [-1], [5, 5, 2, 1], [], "one seat from 0 to 3"),
        ("SOLO", [4], [5, 5, 2, 1], [], "one seat from 0 to 3"),
        ("SOLO", ["a"], [5, 5, 2, 1], [], "one seat from 0 to 3"),
        ("SOLO", None, [5, 5, 2, 1], [], "one seat from 0 to 3"),
        ("PC", [0, 0], [5, 5, 2, 1], [], "two different seats"),
        ("SOLO", [0], [99, 5, 2, 1], [], "four whole numbers"),
        ("SOLO", [0], [-3, 5, 2, 1], [], "four whole numbers"),
        ("PC", [0, 2], [5.5, 5, 2, 0.5], [], "four whole numbers"),
        ("SOLO", [0], [0, 0, 0, 0], [], "do not add up to 13"),
        ("PETIT", [0], [13, 0, 0, 0], [], "no contract 'PETIT'"),
        ("GM", [], [4, 4, 4, 1], [9] * 13, "those of its tricks"),
        ("GM", [], [4, 4, 4, 1], [], "those of its tricks"),
        ("GM", [], [4, 4, 4], [0, 1, 2] * 4, "four whole numbers"),
        ("GM", [1], [4, 4, 4, 1], EVEN, "give no sides"),
        ("GM", [], [1, 1, 0, 0], [0, 1], "is not over"),
    ],
)
def test_a_settlement_that_cannot_be_is_refused(contract, sides, tricks, winners, said):
    with pytest.raises(RulesetError, match=said):
        load_ruleset('pagat+passout.mode="last_trick"').payoff(contract, sides, tricks, winners)


def test_a_general_misere_is_played_for_the_price_of_a_solo():
    assert general("last_trick", EVEN, "+pay.base.SOLO=6") == (6, 6, 6, -18)
    assert general("last_trick", EVEN, "+pay.unit=2") == (2, 2, 2, -6)
