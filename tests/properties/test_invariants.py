"""What is true of every position: 52 cards, units that sum to zero, hands that shrink in step."""

from __future__ import annotations

import random

from solo_env import actions
from solo_env.cards import PACK
from solo_env.table import Table
from tests.playing import position_of, random_position


def positions(seed: int, count: int = 300) -> list[Table]:
    rng = random.Random(seed)
    return [random_position(rng) for _ in range(count)]


def test_every_card_is_in_one_hand_or_played_once():
    for table in positions(1):
        seen = 0
        for seat in range(4):
            for cards in (int(table.data["hand_cards"][seat]), int(table.data["played_cards"][seat])):
                assert seen & cards == 0
                seen |= cards
        assert seen == PACK


def test_hands_differ_by_one_card_at_most_and_the_turned_card_is_the_dealers():
    for table in positions(2):
        sizes = [int(table.data["hand_cards"][seat]).bit_count() for seat in range(4)]
        assert max(sizes) - min(sizes) <= 1
        dealer, turned = int(table.data["dealer"]), int(table.data["turned_card"])
        owned = int(table.data["hand_cards"][dealer]) | int(table.data["played_cards"][dealer])
        assert owned >> turned & 1


def test_nobody_is_paid_before_the_end_and_units_sum_to_zero_at_it():
    over = 0
    for table in positions(3):
        assert sum(table.payoffs) == 0
        if not table.over:
            assert table.payoffs == (0, 0, 0, 0)
        over += table.over
    assert over > 10


def test_an_open_position_always_has_a_legal_action_and_a_finished_one_none():
    for table in positions(4):
        assert bool(table.legal_actions()) == (not table.over)
        assert (table.turn >= 0) == (not table.over)


def test_only_the_seat_on_turn_has_legal_actions():
    for table in positions(5):
        for seat in range(4):
            legal = table.view(seat).legal_actions()
            assert bool(legal) == (seat == table.turn)


def test_masked_in_actions_are_accepted_and_all_others_refused():
    for table in positions(6, 60):
        legal = set(table.legal_actions())
        for action in range(actions.N_ACTIONS):
            copy = table.clone()
            try:
                copy.apply(action)
                taken = True
            except ValueError:
                taken = False
            assert taken == (action in legal)


def test_failing_to_follow_is_public_and_right():
    for table in positions(7):
        data = table.data
        for seat in range(4):
            failed = 0
            for first in range(0, int(data["n_plays"]), 4):
                led = int(data["plays"][first]) // 13
                for i in range(first, min(first + 4, int(data["n_plays"]))):
                    if data["play_seats"][i] == seat and int(data["plays"][i]) // 13 != led:
                        failed |= 1 << led
            assert data["failed"][seat] == failed


def test_views_of_the_four_seats_tell_the_same_public_story():
    for table in positions(8, 80):
        views = [table.view(seat) for seat in range(4)]
        for name in ("phase", "turned_card", "n_calls", "n_plays", "standing", "contract", "trump", "asked"):
            assert len({getattr(view, name) for view in views}) == 1
        for name in ("dealer_rel", "turn_rel", "holder_rel", "declarer_rel", "partner_rel", "exposed_rel"):
            told = {view.seat_of(getattr(view, name)) if getattr(view, name) >= 0 else -1 for view in views}
            assert len(told) == 1
        assert all(position_of(table, table.data["dealer"]) == 3 for _ in views)
