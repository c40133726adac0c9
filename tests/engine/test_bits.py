"""Card sets and random numbers."""

from __future__ import annotations

import random

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from solo_env.cards import cards_of
from solo_env.engine import bits

card_sets = st.integers(min_value=1, max_value=2**52 - 1)


@settings(deadline=None)  # the first call compiles
@given(card_sets)
def test_set_operations_agree_with_a_list_of_cards(cards):
    listed = cards_of(cards)
    assert bits.popcount(cards) == len(listed)
    assert bits.lowest(cards) == listed[0]
    assert bits.highest(cards) == listed[-1]
    for suit in range(4):
        assert cards_of(bits.suit_cards(cards, suit)) == [c for c in listed if c // 13 == suit]
    place = len(listed) // 2
    assert bits.nth_card(cards, place) == listed[place]


def test_the_empty_set_has_no_cards():
    assert bits.popcount(0) == 0


def test_streams_of_one_seed_differ_and_repeat():
    def numbers(*words: int) -> list[int]:
        rng = np.zeros(4, np.int64)
        bits.seed_stream(rng, *words)
        return [int(bits.next_random(rng)) for _ in range(8)]

    base = numbers(5, 6, 7, 0)
    assert numbers(5, 6, 7, 0) == base
    for other in ((4, 6, 7, 0), (5, 7, 7, 0), (5, 6, 8, 0), (5, 6, 7, 1), (5 + 2**40, 6, 7, 0), (6, 5, 7, 0)):
        assert numbers(*other) != base
    assert all(0 <= number < 2**32 for number in base)


def test_random_below_is_uniform():
    rng = np.zeros(4, np.int64)
    bits.seed_stream(rng, 1, 0, 0, 0)
    counts = np.bincount([bits.random_below(rng, 13) for _ in range(26_000)], minlength=13)
    chi_square = float(((counts - 2000) ** 2 / 2000).sum())
    assert chi_square < 32.9  # the 0.1 % point of 12 degrees of freedom
    assert len(counts) == 13


def test_decision_keys_differ_by_every_word():
    keys = {
        int(bits.decision_key(seed, deal, seat, decision))
        for seed in range(4)
        for deal in range(8)
        for seat in range(4)
        for decision in range(8)
    }
    assert len(keys) == 4 * 8 * 4 * 8
    assert all(0 <= key < 2**62 for key in keys)


def test_key_below_stays_below():
    rng = random.Random(3)
    assert {int(bits.key_below(rng.randrange(2**62), 5)) for _ in range(300)} == set(range(5))


def test_a_random_unit_is_even_and_below_one():
    rng = np.zeros(4, np.int64)
    bits.seed_stream(rng, 1, 2, 3, 4)
    drawn = np.array([bits.random_unit(rng) for _ in range(4_000)])
    assert drawn.min() >= 0
    assert drawn.max() < 1
    tenths = np.bincount((10 * drawn).astype(int), minlength=10)
    assert abs(tenths - 400).max() < 5 * 19  # standard deviations of such a count
