"""Cards, suits and card sets (clause 1.3).

A card is a number 0..51, ``13 * suit + rank``; a set of cards is an ``int64`` with bit ``card`` set.

    suit   0 C   1 D   2 H   3 S
    rank   0 '2' ... 8 'T'  9 'J'  10 'Q'  11 'K'  12 'A'

Fifty-two bits leave the sign bit clear, so a set behaves the same as a Python int, an ``np.int64`` and jitted.
"""

from __future__ import annotations

from collections.abc import Iterable

SUITS = "CDHS"
RANKS = "23456789TJQKA"
N_SEATS = 4
N_SUITS = 4
N_RANKS = 13
N_CARDS = 52
N_TRICKS = 13

SUIT_NAMES = ("clubs", "diamonds", "hearts", "spades")
SUIT_SYMBOLS = "♣♦♥♠"

NO_CARD = -1
SUIT_MASK = (1 << N_RANKS) - 1  # the thirteen cards of suit 0; shift by 13 * suit for the others
PACK = (1 << N_CARDS) - 1


def card_text(card: int) -> str:
    """Two letters for a card 0..51: suit, then rank ("SA" is 51)."""
    if not 0 <= card < N_CARDS:
        raise ValueError(f"{card} is no card: cards are numbered 0 to {N_CARDS - 1}.")
    return SUITS[card // N_RANKS] + RANKS[card % N_RANKS]


_CARD_BY_TEXT = {card_text(card): card for card in range(N_CARDS)}


def parse_card(text: str) -> int:
    """The card 0..51 that two letters name: suit of ``CDHS``, rank of ``23456789TJQKA``."""
    try:
        return _CARD_BY_TEXT[text]
    except KeyError:
        raise ValueError(
            f"{text!r} is no card: write the suit ({SUITS}) and the rank ({RANKS}), such as SA or H9."
        ) from None


def parse_suit(text: str) -> int:
    """The suit 0..3 that one letter of ``CDHS`` names."""
    if len(text) != 1 or text not in SUITS:
        raise ValueError(f"{text!r} is no suit: write one of {', '.join(SUITS)}.")
    return SUITS.index(text)


def parse_cards(text: str) -> list[int]:
    """The cards of a run of two-letter names, in the order written ("SAH9" is [51, 33])."""
    if len(text) % 2:
        raise ValueError(f"{text!r} is no run of cards: each card is two letters, and this has {len(text)}.")
    return [parse_card(text[i : i + 2]) for i in range(0, len(text), 2)]


def card_set(cards: Iterable[int]) -> int:
    """The set (a bit a card) of the given cards."""
    mask = 0
    for card in cards:
        mask |= 1 << int(card)
    return mask


def cards_of(mask: int) -> list[int]:
    """The cards of a set, lowest number first."""
    mask = int(mask)
    return [card for card in range(N_CARDS) if mask >> card & 1]


def sort_for_display(cards: Iterable[int]) -> list[int]:
    """Cards as a player holds them: spades, hearts, clubs, diamonds (colours alternate), high to low."""
    order = {3: 0, 2: 1, 0: 2, 1: 3}
    return sorted(cards, key=lambda card: (order[card // N_RANKS], -(card % N_RANKS)))
