"""The table of events: what can go wrong at a card table, as a record writes it (clauses 9.2 to 9.16).

An event is one word, ``AT:NAME:SEAT`` or ``AT:NAME:SEAT:ARGUMENT``. AT is the number of actions (calls, namings
of trumps and cards, as the record lists them) made before it; SEAT is a position: E, 2, 3 or D, eldest to dealer.
Reading, printing, the sentences of errors and the tables of the documentation are made from ``TABLE`` and
``CLAIMS``; what an event leads to is ruled by ``solo_env.laws``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

from solo_env import actions
from solo_env.cards import N_CARDS, N_SUITS, SUITS, card_text, parse_card, parse_suit
from solo_env.checks import whole_number

POSITIONS = "E23D"
POSITION_NAMES = ("eldest", "second", "third", "the dealer")

NOTHING, CARD, CALL, NUMBER, SUIT, CLAIM = range(6)  # what an event or a claim takes as its argument
ARGUMENTS = ("", "CARD", "CALL", "NUMBER", "SUIT", "CLAIM")
EXAMPLES = ("", "a card such as SA", "a call such as PROP", "a number of cards such as 14", "a suit such as H", "")
MAX_AT = 999  # of three digits
MAX_NUMBER = 99
# what is a card, a call, a number or a suit: its name, the lowest and the highest
VALUES = {
    CARD: ("the card", 0, N_CARDS - 1),
    CALL: ("the call", actions.FIRST_CALL, actions.FIRST_CALL + actions.N_CALLS - 1),
    NUMBER: ("the number of cards", 1, MAX_NUMBER),
    SUIT: ("the suit", 0, N_SUITS - 1),
}

AT_ANY_TIME, BEFORE_CALLS, IN_AUCTION, BEFORE_A_CALL, AFTER_AUCTION, AT_THE_END = range(6)
PLACES = (
    "anywhere",
    "before the first call",
    "in the auction",
    "before a call",
    "after the auction and the naming of trumps",
    "behind the last card",
)


class EventError(ValueError):
    """An event that cannot be read, or stands where it cannot be; the message is one sentence."""


class EventKind(NamedTuple):
    """One row of the table of events."""

    name: str
    argument: int
    place: int
    clause: str
    meaning: str


class ClaimKind(NamedTuple):
    """One row of the table of claims: what may be exacted by the event ``claim``."""

    name: str
    argument: int
    place: int
    clause: str
    meaning: str


TABLE = (
    EventKind("misdeal", NOTHING, BEFORE_CALLS, "9.5", "SEAT finds the cards dealt wrongly"),
    EventKind("expose_in_deal", CARD, BEFORE_CALLS, "9.5", "CARD, dealt to SEAT, is seen in the deal"),
    EventKind("shuffle", NOTHING, BEFORE_CALLS, "9.3", "SEAT has shuffled a pack that was not to be shuffled"),
    EventKind("bad_count", NUMBER, AT_ANY_TIME, "9.6", "it is found that SEAT was dealt NUMBER cards, not 13"),
    EventKind(
        "improper_call", CALL, IN_AUCTION, "9.7", "SEAT says a call that is not open to it; `calls` lacks it"
    ),
    EventKind("slip", CALL, BEFORE_A_CALL, "9.7", "SEAT says CALL and at once the call that stands in `calls`"),
    EventKind("remark", NOTHING, AT_ANY_TIME, "9.7", "SEAT says what tells its partners something"),
    EventKind("expose", CARD, AT_ANY_TIME, "9.8", "SEAT lets others see CARD, and keeps it"),
    EventKind("lead_out_of_turn", CARD, AFTER_AUCTION, "9.10", "SEAT leads CARD, the lead being another's"),
    EventKind("play_out_of_turn", CARD, AFTER_AUCTION, "9.11", "SEAT plays CARD to the trick before its turn"),
    EventKind(
        "correct", CARD, AFTER_AUCTION, "9.15", "SEAT takes back CARD; `plays` has the card put in its place"
    ),
    EventKind("refuse", NOTHING, AT_THE_END, "9.15", "SEAT does not let its side's tricks be examined"),
    EventKind("claim", CLAIM, AT_ANY_TIME, "9.12", "SEAT exacts a penalty or a right"),
    EventKind("waive", NOTHING, AT_ANY_TIME, "9.14", "SEAT forgoes what its side could exact now"),
)

CLAIMS = (
    ClaimKind("raise", NOTHING, BEFORE_A_CALL, "9.2", "the first proposer makes the next call, a higher one"),
    ClaimKind("redeal", NOTHING, AT_ANY_TIME, "9.7", "a fresh deal after an improper remark"),
    ClaimKind("play", CARD, AFTER_AUCTION, "9.9", "follow suit, or play CARD, which lies exposed"),
    ClaimKind("not", CARD, AFTER_AUCTION, "9.9", "do not play CARD, which lies exposed; do not lead it"),
    ClaimKind("pass", NOTHING, AFTER_AUCTION, "9.9", "follow suit or do not trump, of who has exposed a trump"),
    ClaimKind("highest", NOTHING, AFTER_AUCTION, "9.9", "play the highest of the suit led"),
    ClaimKind("lowest", NOTHING, AFTER_AUCTION, "9.9", "play the lowest of the suit led"),
    ClaimKind("suit", SUIT, AFTER_AUCTION, "9.10", "lead SUIT, at the offending side's next lead"),
    ClaimKind("trump", NOTHING, AFTER_AUCTION, "9.11", "trump, if you cannot follow"),
    ClaimKind("not-trump", NOTHING, AFTER_AUCTION, "9.11", "do not trump"),
    ClaimKind("stakes", NOTHING, AFTER_AUCTION, "9.13", "the stakes of a misère, for a fault of its opponents"),
)  # fmt: skip

_KINDS = {row.name: row for row in TABLE}
_CLAIMS = {row.name: row for row in CLAIMS}


@dataclass(frozen=True)
class Claim:
    """What is claimed: a name of ``CLAIMS`` and the card (0..51) or suit (0..3) it needs, else None."""

    name: str
    value: int | None = None

    @property
    def kind(self) -> ClaimKind:
        """Its row of the table."""
        return _CLAIMS[self.name]

    def __str__(self) -> str:
        return self.name if self.value is None else f"{self.name}-{_argument_text(self.kind.argument, self.value)}"


@dataclass(frozen=True)
class Event:
    """One thing that went wrong, or was exacted for it.

    Attributes:
        at: actions made before it.
        name: a name of ``TABLE``.
        seat: position 0 (eldest) to 3 (the dealer).
        argument: a card (0..51), a call (its action id), a number of cards or a claim, as its row of the table
            wants; None where it wants nothing.
    """

    at: int
    name: str
    seat: int
    argument: int | Claim | None = None

    @property
    def kind(self) -> EventKind:
        """Its row of the table."""
        return _KINDS[self.name]

    @property
    def place(self) -> int:
        """Where in a record it may stand: that of what it claims, or its own."""
        return self.argument.kind.place if isinstance(self.argument, Claim) else self.kind.place

    def __str__(self) -> str:
        word = f"{self.at}:{self.name}:{POSITIONS[self.seat]}"
        if self.argument is None:
            return word
        wanted = self.kind.argument
        return f"{word}:{self.argument if wanted == CLAIM else _argument_text(wanted, int(str(self.argument)))}"


def _argument_text(wanted: int, value: int) -> str:
    if wanted == CARD:
        return card_text(value)
    if wanted == CALL:
        return actions.text(value)
    return SUITS[value] if wanted == SUIT else str(value)


def parse(text: str) -> tuple[Event, ...]:
    """The events that the words of a text stand for.

    Raises:
        EventError: a word is no event, or they are not in order.
    """
    events = tuple(_parse_event(word) for word in text.split())
    check(events)
    return events


def check(events: Iterable[Any]) -> None:
    """Refuse events that no text can hold: whatever passes is printed and read again as it was.

    Raises:
        EventError: says what is wrong.
    """
    events = tuple(events)
    for event in events:
        if not isinstance(event, Event):
            raise EventError(f"{event!r} is no event; make events of solo_env.events.Event, or parse them.")
        try:
            whole_number("the number of actions before it", event.at, 0, MAX_AT)
            whole_number("its seat", event.seat, 0, len(POSITIONS) - 1)
            _check_argument(event.name, _KINDS, event.argument)
        except ValueError as error:
            raise EventError(f"{event!r} is no event: {error}") from None
    for earlier, event in pairwise(events):
        if event.at < earlier.at:
            raise EventError(f"the event {event} stands behind {earlier}; events go in the order they happened.")


def _check_argument(name: Any, kinds: Mapping[str, EventKind] | Mapping[str, ClaimKind], given: Any) -> None:
    """Refuse a name that is not among the kinds, or what stands behind it where it needs something else."""
    if not isinstance(name, str) or name not in kinds:
        raise EventError(f"{name!r} is none of {', '.join(kinds)}.")
    wanted = kinds[name].argument
    if wanted == NOTHING:
        if given is not None:
            raise EventError(f"{name} takes nothing, and {given!r} is given.")
    elif wanted == CLAIM:
        if not isinstance(given, Claim):
            raise EventError(f"{name} needs a claim ({_claim_names()}), not {given!r}.")
        _check_argument(given.name, _CLAIMS, given.value)
    elif given is None:
        raise EventError(f"{name} needs {EXAMPLES[wanted]}.")
    else:
        whole_number(VALUES[wanted][0], given, *VALUES[wanted][1:])


def _parse_event(word: str) -> Event:
    at, name, seat, *argument = [*word.split(":"), "", ""][: max(3, word.count(":") + 1)]
    if not re.fullmatch(r"0|[1-9][0-9]{0,2}", at) or not name or not seat:
        raise EventError(
            f"{word!r} is no event: write AT:NAME:SEAT or AT:NAME:SEAT:ARGUMENT, such as 10:expose:2:SA."
        )
    if name not in _KINDS:
        raise EventError(f"{name!r} in {word!r} is no event; the events are {', '.join(_KINDS)}.")
    if seat not in tuple(POSITIONS):
        raise EventError(f"the seat of {word!r} is {seat!r}; it must be one of {', '.join(POSITIONS)}.")
    return Event(int(at), name, POSITIONS.index(seat), _parse_argument(word, _KINDS[name], argument))


def _parse_argument(word: str, kind: EventKind, given: list[str]) -> int | Claim | None:
    if kind.argument == NOTHING:
        if given:
            raise EventError(f"{word!r} has too much: {kind.name} takes nothing behind its seat.")
        return None
    if len(given) != 1:
        wanted = f"a claim ({_claim_names()})" if kind.argument == CLAIM else EXAMPLES[kind.argument]
        raise EventError(f"{word!r} is no event: {kind.name} needs {wanted} behind its seat.")
    try:
        return _parse_claim(given[0]) if kind.argument == CLAIM else _parse_value(kind.argument, given[0])
    except ValueError as error:
        raise EventError(f"in the event {word!r}: {error}") from None


def _parse_value(wanted: int, text: str) -> int:
    if wanted == CARD:
        return parse_card(text)
    if wanted == SUIT:
        return parse_suit(text)
    if wanted == NUMBER:
        if not re.fullmatch(r"[1-9][0-9]?", text):
            raise EventError(f"{text!r} is no number of cards from 1 to 99.")
        return int(text)
    call = actions.parse(text)
    if actions.phase(call) != actions.AUCTION:
        raise EventError(f"{text} is no call.")
    return call


def _parse_claim(text: str) -> Claim:
    if text in _CLAIMS and _CLAIMS[text].argument == NOTHING:
        return Claim(text)
    name, _, value = text.rpartition("-")
    if name not in _CLAIMS or _CLAIMS[name].argument == NOTHING:
        raise EventError(f"{text!r} is no claim; the claims are {_claim_names()}.")
    return Claim(name, _parse_value(_CLAIMS[name].argument, value))


def _claim_names() -> str:
    return ", ".join(_claim_form(row) for row in CLAIMS)


def _claim_form(row: ClaimKind) -> str:
    return row.name if row.argument == NOTHING else f"{row.name}-{ARGUMENTS[row.argument]}"


def check_places(events: tuple[Event, ...], n_calls: int, named: bool, n_plays: int) -> None:
    """Refuse an event that stands where it cannot be, with a sentence.

    Args:
        events: those of a record.
        n_calls: its actions in the auction, suits named with a call among them.
        named: whether trumps are named after the auction.
        n_plays: its cards.

    Raises:
        EventError: says which.
    """
    opened = n_calls + named
    end = opened + n_plays
    latest_call = n_calls if end == n_calls else n_calls - 1
    span = {
        AT_ANY_TIME: (0, end),
        BEFORE_CALLS: (0, 0),
        IN_AUCTION: (0, latest_call),
        BEFORE_A_CALL: (0, n_calls - 1),
        AFTER_AUCTION: (opened, end),
        AT_THE_END: (end, end) if n_plays else (0, -1),
    }
    for event in events:
        if event.at > end:
            raise EventError(f"the event {event} comes after {event.at} actions, and the record has {end}.")
        first, last = span[event.place]
        if not first <= event.at <= last:
            what = f"the claim {event.argument}" if isinstance(event.argument, Claim) else event.name
            raise EventError(f"the event {event} is out of place: {what} can only stand {PLACES[event.place]}.")


def markdown_table() -> str:
    """The tables of events and claims as Markdown."""
    rows = ["| event | stands | what it says | clause |", "|---|---|---|---|"]
    for row in TABLE:
        argument = f":{ARGUMENTS[row.argument]}" if row.argument else ""
        rows.append(f"| `AT:{row.name}:SEAT{argument}` | {PLACES[row.place]} | {row.meaning} | {row.clause} |")
    rows += ["", "| claim | stands | what it asks | clause |", "|---|---|---|---|"]
    rows += [f"| `{_claim_form(row)}` | {PLACES[row.place]} | {row.meaning} | {row.clause} |" for row in CLAIMS]
    return "\n".join(rows)
