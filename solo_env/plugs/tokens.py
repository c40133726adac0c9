"""The history of a deal as a sequence of tokens, for models of sequences.

A sequence is what one seat knows: first who it is from, the deal and its own hand, then every call and card in the
order in which they were made, each said by a token for the seat, counted from the observer, and one for the action.
It ends where the seat is to act, or the deal is over. Vocabulary and positions come from one table.

Axes: N views, T places of a sequence.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solo_env.actions import N_ACTIONS, PLAY, TABLE
from solo_env.cards import N_CARDS, N_SEATS, N_SUITS, N_TRICKS, SUIT_NAMES, cards_of
from solo_env.engine.state import NO_TRUMP, TRUMP_NOT_NAMED
from solo_env.layout import MAX_CALLS
from solo_env.rules import Ruleset, load_ruleset
from solo_env.view import View


class Kind(NamedTuple):
    """A row of the vocabulary: tokens that belong together."""

    name: str
    size: int
    meaning: str


KINDS: tuple[Kind, ...] = (
    Kind("pad", 1, "behind the end of a sequence"),
    Kind("begin", 1, "the beginning of a sequence"),
    Kind("dealer", N_SEATS, "who deals, counted from the observer"),
    Kind("suit", N_SUITS + 1, "the suit of the deal: clubs, diamonds, hearts, spades, or none"),
    Kind("turned", N_CARDS, "the card turned up"),
    Kind("hand", N_CARDS, "a card that the observer was dealt; they come in order of their numbers"),
    Kind("seat", N_SEATS, "who does what the next token says, counted from the observer"),
    Kind("action", N_ACTIONS, "a call or a card, by its id"),
    Kind("named", N_SUITS, "the suit that abundance named with its call, even if overcalled"),
    Kind("trump", N_SUITS + 1, "the trumps that are played: clubs, diamonds, hearts, spades, or none"),
    Kind("exposed", N_CARDS, "a card of the hand that lies face up"),
    Kind("act", 1, "the observer is to act"),
    Kind("over", 1, "the deal is over"),
)


def _firsts() -> dict[str, int]:
    firsts, at = {}, 0
    for kind in KINDS:
        firsts[kind.name] = at
        at += kind.size
    return firsts


FIRST = _firsts()  # the first token of each kind
N_TOKENS = sum(kind.size for kind in KINDS)
PAD = FIRST["pad"]
# Beginning, dealer, suit and turned card; a hand; calls; suit named and trumps; cards; a hand exposed; the end.
MAX_TOKENS = 4 + N_TRICKS + 2 * MAX_CALLS + 2 + 2 * N_CARDS + N_TRICKS + 1


def token(kind: str, number: int = 0) -> int:
    """The token of a kind, the ``number``-th of it.

    Raises:
        ValueError: there is no such kind, or it has fewer.
    """
    row = next((row for row in KINDS if row.name == kind), None)
    if row is None or not 0 <= number < row.size:
        raise ValueError(f"there is no token {kind!r} number {number}; kinds are {', '.join(FIRST)}.")
    return FIRST[kind] + number


def text(number: int) -> str:
    """What a token says, as in "seat 2", "action PROP" or "hand SA".

    Raises:
        ValueError: there is no such token.
    """
    if not 0 <= number < N_TOKENS:
        raise ValueError(f"{number} is no token: they go from 0 to {N_TOKENS - 1}.")
    row = next(row for row in reversed(KINDS) if FIRST[row.name] <= number)
    place = number - FIRST[row.name]
    if row.name in ("turned", "hand", "action", "exposed"):
        return f"{row.name} {TABLE[place].name}"
    if row.name in ("suit", "named", "trump"):
        return f"{row.name} {(*SUIT_NAMES, 'none')[place]}"
    return row.name if row.size == 1 else f"{row.name} {place}"


def exposed(view: View, at: int) -> list[int]:
    """The hand that lies face up, as it lay down when ``at`` cards had been played, as far as the view shows it."""
    if view.exposed_rel < 0:
        return []
    later = [int(view.plays[i]) for i in range(at, view.n_plays) if view.play_seats_rel[i] == view.exposed_rel]
    return [token("exposed", card) for card in sorted([*cards_of(view.exposed_cards), *later])]


def tokens(view: View, ruleset: str | Ruleset = "pagat") -> NDArray[np.int16]:
    """What a seat knows as a sequence, int16 [T]; at most ``MAX_TOKENS``.

    What its view no longer shows (clause 8.4) is not in it. The ruleset says when a hand is laid open (clause 5.3).
    """
    before_lead = load_ruleset(ruleset).contract.ouv_expose == "before_lead"
    at = max(0 if before_lead else N_SEATS, view.n_hidden)
    said = [token("begin"), token("dealer", view.dealer_rel)]
    said.append(token("suit", N_SUITS if view.suit == NO_TRUMP else view.suit))
    if view.turned_card >= 0:
        said.append(token("turned", view.turned_card))
    dealt = int(view.hand_cards) | int(view.played_cards_rel[0])
    said += [token("hand", card) for card in cards_of(dealt)]
    for i in range(view.n_calls):
        said += [token("seat", int(view.call_seats_rel[i])), token("action", int(view.calls[i]))]
    if view.named >= 0:
        said.append(token("named", view.named))
    if view.trump != TRUMP_NOT_NAMED and view.phase >= PLAY and view.contract >= 0:
        said.append(token("trump", N_SUITS if view.trump == NO_TRUMP else view.trump))
    for i in range(view.n_hidden, view.n_plays):
        if i == at:
            said += exposed(view, at)
        said += [token("seat", int(view.play_seats_rel[i])), token("action", int(view.plays[i]))]
    if view.n_plays == at:
        said += exposed(view, at)
    if view.legal_cards or view.legal_calls:
        said.append(token("act"))
    elif view.phase > PLAY:
        said.append(token("over"))
    return np.array(said, np.int16)


def token_rows(views: NDArray[np.void], ruleset: str | Ruleset = "pagat") -> NDArray[np.int16]:
    """What the seats of view records [N] know, int16 [N, MAX_TOKENS], padded behind each end."""
    rows = np.full((len(views), MAX_TOKENS), PAD, np.int16)
    for row, record in zip(rows, views, strict=True):
        said = tokens(View(record), ruleset)
        row[: len(said)] = said
    return rows
