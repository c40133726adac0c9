"""A game as one line of text: parse and print. ``solo_env.table`` replays it.

Grammar (fields in this order, separated by ``"; "``; what is by seat is listed from eldest to dealer)::

    record   = ruleset "; dealer " seat ["; suit " round] "; deal " hand " " hand " " hand " " hand
               ["; calls " call {" " call}] ["; trumps " suit] ["; plays " trick {" " trick}]
               ["; events " event {" " event}] ["; result " units " " units " " units " " units]
    ruleset  = name {"+" key "=" value} "@" signature     pagat@1f2e3d4c
    seat     = "0" | "1" | "2" | "3"                      the dealer's seat: player_0 ... player_3
    round    = suit | "N"                                 the deal's suit where no card is turned up; N for none
    hand     = 13 cards in the order dealt; the dealer's last card is the one turned up
    call     = "PASS" | "PROP" | ... | "ABU:" suit        names of the action table; the rules say who speaks;
                                                          the suit where abundance names it with the call
    trick    = up to 4 cards in the order played
    card     = suit rank                                  SA, H9, CT; suits C D H S
    event    = AT ":" name ":" position [":" argument]    what went wrong; see solo_env.events
    units    = "0" or a signed whole number               +3, -1; there once the deal is over

Cards are written without spaces inside a hand or a trick. Without a result the game is unfinished. A game with
events is not replayed but ruled on, by ``solo_env.laws``; a hand of more or fewer than 13 cards needs its event
``bad_count``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from solo_env import actions, events
from solo_env.cards import N_CARDS, N_SEATS, N_TRICKS, SUITS, card_text, parse_cards, parse_suit
from solo_env.engine.state import TRUMP_NOT_NAMED
from solo_env.events import Event
from solo_env.rules import Ruleset, load_ruleset
from solo_env.rules.model import ABU, CONTRACTS, N_CONTRACTS, NAMED
from solo_env.signature import signature

FIELDS = ("dealer", "suit", "deal", "calls", "trumps", "plays", "events", "result")
NO_SUIT = "N"


class RecordError(ValueError):
    """A record that cannot be read or replayed; the message says where it is wrong."""


@dataclass(frozen=True)
class Record:
    """A game as it was recorded; not yet checked against the rules.

    Attributes:
        ruleset: what it was played by.
        signature: eight hex digits, what the engine of the time did under that ruleset; "" if not written.
        dealer: absolute seat 0..3.
        hands: four hands of 13 cards in the order dealt, from eldest.
        suit: the deal's suit 0..3 where no card is turned up, -1 for a no-trump round; None where one is.
        calls: action ids in the order made, with the naming of trumps right behind a call that names them.
        trump: the suit 0..3 that the caller named after the auction, or None.
        plays: cards in the order played.
        events: what went wrong, in the order it happened.
        result: units from eldest, or None for an unfinished game.
    """

    ruleset: Ruleset
    signature: str
    dealer: int
    hands: tuple[tuple[int, ...], ...]
    suit: int | None = None
    calls: tuple[int, ...] = ()
    trump: int | None = None
    plays: tuple[int, ...] = ()
    events: tuple[Event, ...] = ()
    result: tuple[int, ...] | None = None

    def __str__(self) -> str:
        fields = [
            f"{self.ruleset.name}@{self.signature}" if self.signature else self.ruleset.name,
            f"dealer {self.dealer}",
            *([] if self.suit is None else [f"suit {NO_SUIT if self.suit < 0 else SUITS[self.suit]}"]),
            "deal " + " ".join("".join(map(card_text, hand)) for hand in self.hands),
        ]
        if self.calls:
            names = " ".join(map(actions.text, self.calls))
            fields.append("calls " + names.replace(" TRUMPS ", ":"))
        if self.trump is not None:
            fields.append(f"trumps {SUITS[self.trump]}")
        if self.plays:
            tricks = (self.plays[i : i + N_SEATS] for i in range(0, len(self.plays), N_SEATS))
            fields.append("plays " + " ".join("".join(map(card_text, trick)) for trick in tricks))
        if self.events:
            fields.append("events " + " ".join(map(str, self.events)))
        if self.result is not None:
            fields.append("result " + " ".join(f"{units:+d}" if units else "0" for units in self.result))
        return "; ".join(fields)

    def made(self) -> list[int]:
        """The action ids of calls, namings of trumps and cards, in the order in which they were made."""
        naming = [] if self.trump is None else [actions.FIRST_TRUMPS + self.trump]
        return [*self.calls, *naming, *self.plays]

    def hands_by_seat(self) -> list[list[int]]:
        """The hands as dealt, of player_0 ... player_3."""
        return [list(self.hands[(seat - self.dealer - 1) % N_SEATS]) for seat in range(N_SEATS)]


def from_table(table: np.void, ruleset: Ruleset) -> Record:
    """The record of a table (dtype ``TABLE``), finished or not."""
    eldest = (int(table["dealer"]) + 1) % N_SEATS
    seats = [(eldest + position) % N_SEATS for position in range(N_SEATS)]
    contract, trump = int(table["contract"]), int(table["trump"])
    calls: list[int] = []
    for call in map(int, table["calls"][: table["n_calls"]]):
        calls.append(call)
        if call == actions.ABU and table["named"] != TRUMP_NOT_NAMED:
            calls.append(actions.FIRST_TRUMPS + int(table["named"]))
    after_auction = (
        0 <= contract < N_CONTRACTS
        and ruleset.trumps_of(CONTRACTS[contract]) == NAMED
        and not names_with_call(ruleset, contract)
        and trump != TRUMP_NOT_NAMED
    )
    over = table["phase"] == actions.OVER
    return Record(
        ruleset=ruleset,
        signature=signature(ruleset),
        dealer=int(table["dealer"]),
        hands=tuple(tuple(map(int, table["dealt"][seat])) for seat in seats),
        suit=None if ruleset.trump.source == "turn_up" else int(table["suit"]),
        calls=tuple(calls),
        trump=trump if after_auction else None,
        plays=tuple(map(int, table["plays"][: table["n_plays"]])),
        result=tuple(int(table["payoff"][seat]) for seat in seats) if over else None,
    )


def names_with_call(ruleset: Ruleset, contract: int) -> bool:
    """Whether the caller of a contract names trumps with his call, in the middle of the auction."""
    return contract == ABU and ruleset.contract.abu_suit_time == "with_call"


def parse(line: str) -> Record:
    """The record that a line holds.

    Raises:
        RecordError: the line does not follow the grammar, or a card is there twice or missing.
        solo_env.rules.RulesetError: the ruleset it names does not exist.
    """
    head, *rest = line.strip().split(";")
    name, _, written_signature = head.strip().partition("@")
    ruleset = load_ruleset(name)
    if written_signature and not re.fullmatch(r"[0-9a-f]{8}", written_signature):
        raise RecordError(f"the signature {written_signature!r} is not eight hex digits.")
    fields: dict[str, str] = {}
    for field in rest:
        word, _, text = field.strip().partition(" ")
        if word not in FIELDS:
            raise RecordError(f"{word!r} is no field of a record; the fields are {', '.join(FIELDS)}.")
        if word in fields or any(FIELDS.index(word) < FIELDS.index(earlier) for earlier in fields):
            raise RecordError(f"the field {word!r} is out of place; the order is {', '.join(FIELDS)}.")
        fields[word] = text
    for needed in ("dealer", "deal"):
        if needed not in fields:
            raise RecordError(f"the record has no {needed!r} field.")
    try:
        found = events.parse(fields.get("events", ""))
        game = Record(
            ruleset=ruleset,
            signature=written_signature,
            dealer=parse_dealer(fields["dealer"]),
            suit=_parse_suit(fields.get("suit"), ruleset),
            hands=_parse_hands(fields["deal"], found),
            calls=_parse_calls(fields.get("calls", "")),
            trump=parse_suit(fields["trumps"]) if "trumps" in fields else None,
            plays=_parse_plays(fields.get("plays", "")),
            events=found,
            result=_parse_result(fields["result"]) if "result" in fields else None,
        )
        events.check_places(found, len(game.calls), game.trump is not None, len(game.plays))
    except RecordError:
        raise
    except ValueError as error:
        raise RecordError(str(error)) from None
    return game


def parse_dealer(text: str) -> int:
    """The dealer's seat 0..3."""
    if text not in ("0", "1", "2", "3"):
        raise RecordError(f"the dealer is {text!r}; it must be a seat from 0 to 3.")
    return int(text)


def check_deal(hands: tuple[tuple[int, ...], ...], found: tuple[Event, ...] = ()) -> None:
    """Refuse hands that are not four times 13 of 52 distinct cards, with a sentence.

    A wrong number of cards is let through where an event ``bad_count`` among those ``found`` says it.
    """
    if len(hands) != N_SEATS:
        raise RecordError(f"a deal has {len(hands)} hands; it must have four.")
    counted: dict[int, int] = {}
    for hand in hands:
        for card in hand:
            counted[card] = counted.get(card, 0) + 1
    twice = [card_text(card) for card, n in sorted(counted.items()) if n > 1]
    missing = [card_text(card) for card in range(N_CARDS) if card not in counted]
    if twice or missing:
        parts = [f"{', '.join(twice)} more than once"] if twice else []
        parts += [f"not {', '.join(missing)}"] if missing else []
        raise RecordError(f"the deal has {' and '.join(parts)}; it must have each of the 52 cards once.")
    miscounts = [event for event in found if event.name == "bad_count"]
    for event in miscounts:
        size = len(hands[event.seat])
        if size == N_TRICKS or event.argument != size:
            raise RecordError(f"the event {event} does not fit the deal: hand {event.seat + 1} has {size} cards.")
    for position, hand in enumerate(hands):
        if len(hand) != N_TRICKS and position not in [event.seat for event in miscounts]:
            raise RecordError(
                f"hand {position + 1} of the deal has {len(hand)} cards; it must have 13"
                + (", or an event bad_count that says so." if found else ".")
            )


def _parse_hands(text: str, found: tuple[Event, ...]) -> tuple[tuple[int, ...], ...]:
    hands = tuple(tuple(parse_cards(hand)) for hand in text.split())
    check_deal(hands, found)
    return hands


def _parse_suit(text: str | None, ruleset: Ruleset) -> int | None:
    if ruleset.trump.source == "turn_up":
        if text is not None:
            raise RecordError(f"{ruleset.name} turns up the dealer's last card, so its record has no 'suit' field.")
        return None
    if text is None:
        raise RecordError(f"the record has no 'suit' field, and {ruleset.name} turns up no card.")
    suit = -1 if text == NO_SUIT else parse_suit(text)
    check_suit(suit, ruleset)
    return suit


def check_suit(suit: int, ruleset: Ruleset) -> None:
    """Refuse a deal's suit (0..3, -1 for a no-trump round) that the ruleset cannot give, with a sentence."""
    trump = ruleset.trump
    name = "NT" if suit < 0 else SUITS[suit]
    possible = {"cycle": trump.cycle, "fixed": (trump.fixed_suit,)}.get(trump.source, tuple(SUITS))
    if name not in possible:
        raise RecordError(
            f"the deal's suit is {name}, and {ruleset.name} can only have {', '.join(possible)} (NT is written N)."
        )


def _parse_calls(text: str) -> tuple[int, ...]:
    calls: list[int] = []
    for word in text.split():
        name, colon, suit = word.partition(":")
        calls.append(actions.parse(name))
        if actions.phase(calls[-1]) != actions.AUCTION:
            raise RecordError(f"{name} stands among the calls, but is no call.")
        if colon:
            calls.append(actions.FIRST_TRUMPS + parse_suit(suit))
    return tuple(calls)


def _parse_plays(text: str) -> tuple[int, ...]:
    tricks = [parse_cards(trick) for trick in text.split()]
    for number, trick in enumerate(tricks, 1):
        last = number == len(tricks)
        if len(trick) > N_SEATS or (len(trick) < N_SEATS and not last):
            raise RecordError(f"trick {number} has {len(trick)} cards; only the last may have fewer than four.")
    return tuple(card for trick in tricks for card in trick)


def _parse_result(text: str) -> tuple[int, ...]:
    units = text.split()
    if len(units) != N_SEATS or not all(re.fullmatch(r"0|[+-][1-9][0-9]*", unit) for unit in units):
        raise RecordError(f"the result is {text!r}; it must be four numbers of units such as +3 -1 -1 -1.")
    if sum(map(int, units)) != 0:
        raise RecordError(f"the result {text} does not sum to zero.")
    return tuple(map(int, units))
