"""The counts that the novice calls by, on hands whose answer can be written down."""

import pytest

from baselines import hand_value as hv
from solo_env.cards import SUITS, card_set, parse_cards


def hand(text):
    """A hand from four holdings, spades first, as players write them: "AQJ73 AK AKQ AK6"."""
    cards = []
    for suit, ranks in zip("SHDC", text.split(), strict=True):
        if ranks != "-":
            cards += parse_cards("".join(suit + rank for rank in ranks))
    return card_set(cards)


def pattern(ranks):
    return hv.suit_pattern(hand(f"- - - {ranks}"), 0)


@pytest.mark.parametrize(
    ("ranks", "tenths"),
    [
        ("-", 0),
        ("2", 0),
        ("A", 10),
        ("K", 4),
        ("K2", 9),
        ("Q32", 7),
        ("AKQ", 26),
        ("5432", 10),
        ("AKQJT", 50),
    ],
)
def test_trump_tricks(ranks, tenths):
    assert hv.trump_tenths(pattern(ranks)) == tenths


def test_a_trump_suit_never_promises_more_tricks_than_cards():
    for bits in range(1 << 13):
        assert hv.trump_tenths(bits) <= 10 * bin(bits).count("1")


@pytest.mark.parametrize(
    ("ranks", "tenths"), [("-", 0), ("A2", 10), ("K", 2), ("K2", 6), ("AK", 18), ("Q2", 0), ("Q32", 3)]
)
def test_side_suit_tricks(ranks, tenths):
    assert hv.side_tenths(pattern(ranks)) == tenths


def test_short_suits_promise_ruffs_only_with_four_trumps():
    assert hv.ruff_tenths(hand("5432 - 2 AKQJT987"), 3) == 13
    assert hv.ruff_tenths(hand("543 - 2 AKQJT9876"), 3) == 0


def test_without_trumps_only_side_tricks_count():
    cards = hand("AK2 A32 432 5432")
    assert hv.hand_tenths(cards, -1) == 28


@pytest.mark.parametrize(
    ("ranks", "losers"),
    [("-", 0), ("2", 1), ("A", 0), ("K2", 1), ("AK", 0), ("AQ3", 1), ("J42", 3), ("5432", 3)],
)
def test_side_suit_losers(ranks, losers):
    assert hv.missing_tops(pattern(ranks)) == losers


@pytest.mark.parametrize(
    ("ranks", "losers"), [("AKQJT", 0), ("QJT87642", 2), ("JT98765432", 3), ("AK5432", 1), ("AKQJ", 1)]
)
def test_trump_losers(ranks, losers):
    assert hv.trump_losers(pattern(ranks)) == losers


def test_the_best_trumps_lose_the_fewest_tricks_among_those_allowed():
    cards = hand("AKQJT9 A2 KQ543 -")
    assert SUITS[hv.best_trumps(cards, 0b1111)] == "S"
    assert SUITS[hv.best_trumps(cards, 0b0111)] == "D"


@pytest.mark.parametrize(
    ("ranks", "tricks"), [("-", 0), ("A", 1), ("KQJ", 0), ("AKQ2", 3), ("AKQJ5432", 8), ("AQ", 1)]
)
def test_tricks_that_run_from_the_lead(ranks, tricks):
    assert hv.running_tricks(pattern(ranks)) == tricks


def test_parletts_unbeatable_spread_has_no_danger():
    assert hv.hand_danger(hand("432 642 AQT8642 -")) == 0


@pytest.mark.parametrize(("ranks", "danger"), [("2", 0), ("3", 1), ("A", 12), ("24", 0), ("25", 1), ("35", 2)])
def test_misere_danger_counts_the_lower_cards_too_many(ranks, danger):
    held = pattern(ranks)
    assert hv.suit_danger(held, hv.SUIT_MASK & ~held) == danger


def test_cards_that_have_gone_are_no_danger():
    assert hv.suit_danger(pattern("A"), 0) == 0
    assert hv.suit_danger(pattern("A"), pattern("2")) == 1
