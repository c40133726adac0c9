"""The pack, following suit and winning a trick (clauses 1.3, 2.1, 6.1, 6.2).

A card is two letters, suit then rank: "SA", "HT", "D2".
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

SUITS = "CDHS"
RANKS = "23456789TJQKA"  # low to high (clause 1.2)
PACK = [suit + rank for suit in SUITS for rank in RANKS]
POSITIONS = (0, 1, 2, 3)


def split_cards(text: str) -> list[str]:
    """Read cards written without separators: "SASJ" -> ["SA", "SJ"]."""
    cards = [text[i : i + 2] for i in range(0, len(text), 2)]
    for card in cards:
        if card not in PACK:
            raise ValueError(f"{card!r} in {text!r} is not a card.")
    return cards


def check_deal(hands: Sequence[Sequence[str]]) -> None:
    """Four hands of thirteen that make up one whole pack (clause 2.1)."""
    if len(hands) != 4 or any(len(hand) != 13 for hand in hands):
        raise ValueError("A deal is four hands of thirteen cards.")
    if sorted(card for hand in hands for card in hand) != sorted(PACK):
        raise ValueError("A deal holds each of the 52 cards exactly once.")


def playable(held: Collection[str], trick: Sequence[str]) -> set[str]:
    """The cards of `held` that may be added to `trick` (clause 6.1): follow suit if able, else anything goes.

    There is no duty to trump or to beat, and no restriction on leads.
    """
    if not trick:
        return set(held)
    led = trick[0][0]
    following = {card for card in held if card[0] == led}
    return following or set(held)


def trick_winner(cards: Sequence[str], trumps: str | None) -> int:
    """Which card of a complete trick wins (clause 6.2): the best trump, else the best of the suit led."""
    if len(cards) != 4:
        raise ValueError("A trick has four cards.")
    trumping = [card for card in cards if card[0] == trumps]
    led = [card for card in cards if card[0] == cards[0][0]]
    best = max(trumping or led, key=lambda card: RANKS.index(card[1]))
    return list(cards).index(best)
