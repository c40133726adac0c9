"""What is counted for a network, held against sets of cards put together without haste."""

from __future__ import annotations

import numpy as np
import pytest

from baselines.counting import FACTS, FOE_CARDS, FRIENDS_LED, MAY_HOLD, count
from solo_env.actions import PLAY
from solo_env.cards import N_CARDS, N_RANKS, N_SEATS, N_SUITS, cards_of
from solo_env.rules import load_ruleset, pack_array
from tests.training.test_features import RULESETS, positions, rename_rows
from training.counted import COUNTED
from training.features import MAX_ACTIVE, PAD, feature_table, most_active, write_inputs

NAMES = tuple(row.name for row in COUNTED)
FIRST = dict(zip(NAMES, np.cumsum([0, *(row.size for row in COUNTED)]).tolist(), strict=False))


def counted(name: str) -> tuple[np.ndarray, list[dict[str, list[int]]]]:
    """Views of a ruleset as a network names their suits, and what is counted of each, by block."""
    views = positions(name)[0].copy()
    ids, _, order = write_inputs(views, pack_array(load_ruleset(name)), feature_table(NAMES))
    for i in range(len(views)):
        rename_rows(views[i : i + 1], order[i])
    told = []
    for row in ids.tolist():
        here = [feature for feature in row if feature != PAD]
        told.append({
            block.name: [f - FIRST[block.name] for f in here if 0 <= f - FIRST[block.name] < block.size]
            for block in COUNTED
        })  # fmt: skip
    return views, told


def by_suit(cards: list[int]) -> list[list[int]]:
    return [[card for card in cards if card // N_RANKS == suit] for suit in range(N_SUITS)]


def numbers(cards: list[int]) -> list[int]:
    return [N_RANKS * suit + len(held) - 1 for suit, held in enumerate(by_suit(cards)) if held]


def ends(hand: list[int], left: list[int], highest_first: bool) -> list[int]:
    """For each suit of a hand: which of the last four cards left it holds, bit 0 the last; and its length."""
    found = []
    for suit, held in enumerate(by_suit(hand)):
        last = sorted(by_suit(left)[suit], reverse=highest_first)[:4]
        bits = sum(1 << k for k, card in enumerate(last) if card in held)
        found += [(suit * 16 + bits) * N_RANKS + len(held) - 1] * bool(held)
    return found


def wins(card: int, other: int, trump: int) -> bool:
    if card // N_RANKS == other // N_RANKS:
        return card > other
    return card // N_RANKS == trump


@pytest.mark.parametrize("name", RULESETS)
def test_cards_that_are_out_are_counted_by_suit(name: str) -> None:
    views, told = counted(name)
    for view, blocks in zip(views, told, strict=True):
        hand = cards_of(int(view["hand_cards"]))
        assert blocks["lengths"] == numbers(hand)
        if view["phase"] != PLAY:
            told_too = {"lengths", "tops", "bottoms"}
            assert not any(blocks[other] for other in NAMES if other not in told_too)
            assert blocks["tops"] == ends(hand, list(range(N_CARDS)), highest_first=True)
            assert blocks["bottoms"] == ends(hand, list(range(N_CARDS)), highest_first=False)
            continue
        seen = {*hand, *(card for cards in view["played_cards_rel"] for card in cards_of(int(cards)))}
        out = [card for card in range(N_CARDS) if card not in seen]
        assert blocks["out"] == numbers(out)
        assert blocks["tops"] == ends(hand, hand + out, highest_first=True)
        assert blocks["bottoms"] == ends(hand, hand + out, highest_first=False)
        assert blocks["highest_out"] == [max(held) for held in by_suit(out) if held]
        lowest_out = [min(held, default=N_CARDS) for held in by_suit(out)]
        assert blocks["low"] == [card for card in hand if card < lowest_out[card // N_RANKS]]


@pytest.mark.parametrize("name", RULESETS)
def test_the_trick_so_far_is_told(name: str) -> None:
    views, told = counted(name)
    for view, blocks in zip(views, told, strict=True):
        if view["phase"] != PLAY:
            continue
        n = int(view["n_plays"])
        place, trump = n % N_SEATS, int(view["trump"])
        trick = [int(card) for card in view["plays"][n - place : n]]
        seats = [int(seat) for seat in view["play_seats_rel"][n - place : n]]
        assert blocks["place"] == [place]
        legal = cards_of(int(view["legal_cards"]))
        if not trick:
            assert not blocks["best"]
            assert not blocks["winning"]
            continue
        best = trick[0]
        for card in trick[1:]:
            best = card if wins(card, best, trump) else best
        assert blocks["best"] == [best]
        follow = [card for card in legal if card // N_RANKS == trick[0] // N_RANKS] or legal
        assert blocks["winning"] == [card for card in follow if wins(card, best, trump)]
        declaring = {int(view["declarer_rel"]), int(view["partner_rel"])}
        side = {seat: seat in declaring for seat in range(N_SEATS)}
        if int(view["declarer_rel"]) < N_SEATS and int(view["contract"]) < 10:
            assert blocks["ours"] == [0] * (side[seats[trick.index(best)]] == side[0])
            to_come = [seat for seat in range(1, N_SEATS - place) if side[seat] != side[0]]
            assert blocks["foes_to_come"] == [seat - 1 for seat in to_come]


@pytest.mark.parametrize("name", RULESETS)
def test_holdings_are_those_that_the_baselines_count(name: str) -> None:
    views, told = counted(name)
    rules, facts = pack_array(load_ruleset(name)), np.zeros(1, FACTS)
    for view, blocks in zip(views, told, strict=True):
        if view["phase"] != PLAY:
            continue
        count(view, rules[0], facts[0])
        follow = [
            N_SUITS * (rel - 1) + suit
            for rel in range(1, N_SEATS)
            for suit in range(N_SUITS)
            if int(facts[0][MAY_HOLD][rel]) >> (N_RANKS * suit) & (1 << N_RANKS) - 1
        ]
        assert blocks["may_follow"] == follow
        foes = by_suit(cards_of(int(facts[0][FOE_CARDS])))
        hand = cards_of(int(view["hand_cards"]))
        assert blocks["high"] == [card for card in hand if card > max(foes[card // N_RANKS], default=-1)]
        if view["n_plays"] % N_SEATS == 0:
            partners = [suit for suit in blocks["led"] if suit < N_SUITS]
            assert partners == cards_of(int(facts[0][FRIENDS_LED]))
        else:
            assert not blocks["led"]


def test_there_is_room_for_all_that_is_counted() -> None:
    assert most_active(NAMES) <= MAX_ACTIVE
    for name in RULESETS:
        for blocks in counted(name)[1]:
            for row in COUNTED:
                assert len(blocks[row.name]) <= row.most
