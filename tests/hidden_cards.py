"""Dealing the hidden cards anew: the tool of every test that a face leaks nothing."""

from __future__ import annotations

import random

from solo_env.cards import card_set, cards_of
from solo_env.table import Table

MAX_TRIES = 200


def known_cards(table: Table, seat: int) -> int:
    """The cards whose holder the seat may know: its own, the exposed hand, the turned card."""
    data = table.data
    known = int(data["hand_cards"][seat])
    if data["exposed_seat"] >= 0:
        known |= int(data["hand_cards"][int(data["exposed_seat"])])
    turned = 1 << int(data["turned_card"])
    return known | (turned & int(data["hand_cards"][int(data["dealer"])]))


def redealt(table: Table, seat: int, rng: random.Random) -> Table | None:
    """A table in which the cards hidden from ``seat`` lie elsewhere, all that happened being still possible.

    A seat that failed to follow a suit gets none of it. None if no other deal was found.
    """
    data = table.data
    known = known_cards(table, seat)
    others = [s for s in range(4) if s != seat]
    held = {s: int(data["hand_cards"][s]) for s in others}
    hidden = [card for s in others for card in cards_of(held[s] & ~known)]
    for _ in range(MAX_TRIES):
        rng.shuffle(hidden)
        hands, at = {}, 0
        for s in others:
            n = (held[s] & ~known).bit_count()
            hands[s] = card_set(hidden[at : at + n]) | (held[s] & known)
            at += n
        if hands != held and all(_possible(table, s, hands[s]) for s in others):
            return _with_hands(table, hands)
    return None


def _possible(table: Table, seat: int, hand: int) -> bool:
    failed = int(table.data["failed"][seat])
    return not any(failed >> (card // 13) & 1 for card in cards_of(hand))


def _with_hands(table: Table, hands: dict[int, int]) -> Table:
    """A copy of the table with other hands, and with dealt cards that fit them."""
    other = table.clone()
    data = other.data
    for seat, hand in hands.items():
        was, now = int(data["hand_cards"][seat]), hand
        gone, come = cards_of(was & ~now), cards_of(now & ~was)
        dealt = data["dealt"][seat].tolist()
        for old, new in zip(gone, come, strict=True):
            dealt[dealt.index(old)] = new
        data["dealt"][seat] = dealt
        data["hand_cards"][seat] = now
    data["pack"] = -1
    data["seed"] = data["index"] = data["game"] = -1
    data["rng"] = -1
    return other
