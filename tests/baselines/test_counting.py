"""What a seat knows by counting. Seat 3 deals, seat 0 leads, hearts are turned up."""

import numpy as np
import pytest

from baselines.card_play import new_scratch
from baselines.counting import (
    BEST,
    FOES_NEED,
    FOES_TO_COME,
    MAY_HOLD,
    NEED,
    OURS,
    UNSEEN,
    beat_chance,
    can_be_beaten,
    count,
    ruff_chance,
)
from solo_env.actions import parse
from solo_env.cards import parse_card, parse_cards
from solo_env.rules import load_ruleset, pack_array

from .driving import PAGAT, position

SOLO_BY_1 = ["PASS", "SOLO", "PASS", "PASS"]
PARTNERS_0_AND_2 = ["PROP", "PASS", "COP", "PASS"]
MISERE_BY_1 = ["PASS", "MIS", "PASS", "PASS"]
REVOKES = pack_array(load_ruleset('pagat+play.revokes="possible"'))
SPADES, HEARTS = 3, 2


def known(table, seat=None, rules=PAGAT):
    """The facts of a seat, of the one on turn if it is not named."""
    facts, _ = new_scratch()
    count(table.view(table.turn if seat is None else seat).record, rules[0], facts[0])
    return facts[0]


def holds(facts, rel, card):
    """Whether a relative seat may hold a card, as far as is known."""
    return bool(int(facts[MAY_HOLD][rel]) >> parse_card(card) & 1)


def test_a_seat_that_failed_to_follow_has_none_of_the_suit():
    hands = {0: "S4", 1: "SK", 2: "C3"}
    facts = known(position(hands, PARTNERS_0_AND_2, "S4SKC3", void="2S"))
    assert not any(holds(facts, 3, f"S{rank}") for rank in "2356789TJQA")
    assert holds(facts, 2, "SA") == bool(int(facts[UNSEEN]) >> parse_card("SA") & 1)


def test_where_revokes_are_possible_failing_to_follow_proves_nothing():
    hands = {0: "S4", 1: "SK", 2: "C3"}
    facts = known(position(hands, PARTNERS_0_AND_2, "S4SKC3", void="2S"), rules=REVOKES)
    assert any(holds(facts, 3, f"S{rank}") for rank in "2356789TJQA")


def test_the_turned_card_is_with_the_dealer_until_it_is_played():
    facts = known(position({0: "S4S5"}, PARTNERS_0_AND_2))
    assert holds(facts, 3, "H2")
    assert not holds(facts, 1, "H2")
    assert not holds(facts, 2, "H2")


def test_an_exposed_hand_is_known_exactly():
    hands = {0: "SA", 1: "S2S3S4S5S6C2C3D2D3D7D8D9DT"}
    table = position(hands, ["PASS", "OUV", "PASS", "PASS"], "SAS2")
    while table.turn != 0:
        table.apply(table.legal_actions()[0])
    facts = known(table)
    assert int(facts[MAY_HOLD][1]) == sum(1 << card for card in parse_cards(hands[1]) if card != parse_card("S2"))
    assert not holds(facts, 2, "S3")


def test_a_caller_who_ducks_has_nothing_between_his_card_and_the_one_that_won():
    facts = known(position({0: "S9", 1: "S5"}, MISERE_BY_1, "S9S5"))
    assert not any(holds(facts, 3, card) for card in ("S6", "S7", "S8"))
    assert holds(facts, 3, "ST") or not int(facts[UNSEEN]) >> parse_card("ST") & 1


def test_a_caller_who_goes_over_has_nothing_below():
    facts = known(position({0: "S4", 1: "S7"}, MISERE_BY_1, "S4S7", void=""))
    assert not holds(facts, 3, "S3")
    assert not holds(facts, 3, "S2")


def test_both_sides_count_the_tricks_that_they_need():
    table = position({0: "SA", 1: "S2", 2: "S3", 3: "S4"}, PARTNERS_0_AND_2, "SAS2S3S4")
    facts = known(table)
    assert (int(facts[NEED]), int(facts[FOES_NEED])) == (7, 6)
    facts = known(table, seat=1)
    assert (int(facts[NEED]), int(facts[FOES_NEED])) == (6, 7)


# --- A sure winner, with what lies in the trick ------------------------------------------------------------


def test_an_ace_of_the_led_suit_is_sure_when_no_foe_to_come_can_ruff():
    facts = known(position({0: "S4", 1: "SAS3"}, PARTNERS_0_AND_2, "S4"))
    assert not can_be_beaten(facts, parse_card("SA"), int(facts[FOES_TO_COME]))
    assert beat_chance(facts, parse_card("SA"), int(facts[FOES_TO_COME])) > 0  # who knows who is void


def test_a_trump_in_the_trick_is_what_wins_it():
    facts = known(position({0: "S4", 1: "H9", 2: "SAS3"}, PARTNERS_0_AND_2, "S4H9", void="1S"))
    assert int(facts[BEST]) == parse_card("H9")
    assert not facts[OURS]


def test_a_card_of_another_suit_wins_nothing():
    facts = known(position({0: "S4", 1: "SK"}, PARTNERS_0_AND_2, "S4SK", void="2S"))
    assert beat_chance(facts, parse_card("CA"), int(facts[FOES_TO_COME])) == 16


def test_a_foe_known_to_be_void_ruffs_for_certain():
    hands = {0: "S4S5", 1: "C3", 2: "SK", 3: "S6"}
    table = position(hands, PARTNERS_0_AND_2, "S4C3SKS6", void="1S")
    assert table.turn == 2
    facts = known(table)
    assert ruff_chance(facts, SPADES, 0b1000) == 16  # seat 1, three to the left
    assert ruff_chance(facts, HEARTS, 0b1000) == 0  # trumps are not ruffed


@pytest.mark.parametrize("calls", [SOLO_BY_1, PARTNERS_0_AND_2, MISERE_BY_1])
def test_the_facts_do_not_depend_on_what_was_thought_before(calls):
    table = position({0: "S4", 1: "SAS3", 2: "C3"}, calls, "S4", void="2S")
    clean = known(table)
    used, _ = new_scratch()
    numbers = used.view(np.int64)
    numbers[:] = 77
    count(table.view(table.turn).record, PAGAT[0], used[0])
    wanted = np.atleast_1d(clean).view(np.int64)
    asked = (wanted != 0) | (numbers != 77)
    assert asked.sum() > 15
    assert numbers[asked].tolist() == wanted[asked].tolist()
    assert table.apply(parse("SA")) == 2
