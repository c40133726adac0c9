"""Game records: one line of text for a deal, finished or not.

    pagat@0123abcd; dealer 3; deal HAND ...; calls ...; trumps H; plays TRICK ...; result +9 -3 -3 -3
    anna_cubed+play.stop="never"@4567cdef; dealer 0; suit N; deal HAND ...; calls PASS ABU:H ...

All that goes by seat runs from eldest to dealer. The last four fields appear only once there is something to
say. `suit` stands in the records of just those rulesets that do not turn up a card, "N" being a round without
trumps. A suit named together with an abundance is written with the call, one named after the auction in `trumps`.
The name of the ruleset may be followed by keys that differ, in TOML. The text after "@" identifies the other
side's settings and is not looked at here.
"""

from __future__ import annotations

from .auction import CALLS
from .cards import SUITS, split_cards
from .contracts import ruleset
from .game import Game

FIELDS = ["dealer", "suit", "deal", "calls", "trumps", "plays", "result"]


def _split(line: str) -> tuple[str, dict[str, list[str]]]:
    """The name of the ruleset, and the fields by their words."""
    head, *rest = line.strip().split("; ")
    fields: dict[str, list[str]] = {}
    for field in rest:
        word, *values = field.split(" ")
        place = 1 + max((FIELDS.index(known) for known in fields), default=-1)
        if word not in FIELDS[place:]:
            raise ValueError(f"The field {word!r} is unknown, repeated or out of order.")
        fields[word] = values
    for word in ("dealer", "deal"):
        if word not in fields:
            raise ValueError(f"The record has no field {word!r}.")
    if len(fields["dealer"]) != 1 or fields["dealer"][0] not in ("0", "1", "2", "3"):
        raise ValueError("The dealer is one seat number from 0 to 3.")
    return head.rpartition("@")[0] if "@" in head else head, fields


def dealer_of(line: str) -> int:
    """The seat of the dealer, which only a session needs: all else goes by position (clause 1.2)."""
    return int(_split(line)[1]["dealer"][0])


def parse(line: str) -> tuple[Game, list[str], list[str] | None]:
    """The game as dealt, the actions to apply to it, and the result claimed (None if none is)."""
    name, fields = _split(line)
    settings = ruleset(name)
    if ("suit" in fields) != (settings["trump"]["source"] != "turn_up") or len(fields.get("suit", "1")) != 1:
        raise ValueError("The suit of the deal, one letter, is stated just where no card is turned up for it.")
    suit = fields["suit"][0] if "suit" in fields else None
    game = Game([split_cards(hand) for hand in fields["deal"]], settings, suit)

    calls: list[str] = []
    with_call = settings["contract"]["abu_suit_time"] == "with_call"
    for word in fields.get("calls", []):
        call, colon, named = word.partition(":")
        if call not in CALLS or (colon and (not with_call or call != "ABU" or named not in list(SUITS))):
            raise ValueError(f"{word!r} is not a call.")
        calls += [call, f"TRUMPS {named}"] if colon else [call]
    trumps = fields.get("trumps")
    if trumps is not None and with_call and calls[-1:] == ["ABU"]:
        raise ValueError("The suit of this abundance is named with the call.")
    if trumps is not None and (len(trumps) != 1 or trumps[0] not in list(SUITS)):
        raise ValueError("The trumps named are one suit letter.")
    tricks = [split_cards(trick) for trick in fields.get("plays", [])]
    # Spaces are how a reader finds the tricks, so a card in the wrong group is wrong even in the right order.
    sizes = [len(trick) for trick in tricks]
    if any(size != 4 for size in sizes[:-1]) or (sizes and sizes[-1] not in (1, 2, 3, 4)):
        raise ValueError("The plays are groups of four cards, of which only the last may be short.")
    naming = [f"TRUMPS {suit}" for suit in trumps or []]
    plays = [card for trick in tricks for card in trick]
    return game, calls + naming + plays, fields.get("result")


def _check_result(game: Game, result: list[str] | None) -> None:
    if result is None:
        return
    if game.payoffs is None:
        raise ValueError("The record states a result, but the deal is not over.")
    expected = [f"{units:+d}" if units else "0" for units in game.payoffs]
    if result != expected:
        raise ValueError(f"The record states the result {' '.join(result)}, but it is {' '.join(expected)}.")


def replay(line: str) -> Game:
    """The game after all that the record tells; ValueError if it breaks the rules or misstates the result."""
    game, actions, result = parse(line)
    for action in actions:
        game.act(action)
    _check_result(game, result)
    return game


def trace(line: str) -> list[tuple[int, frozenset[str]]]:
    """Who was on turn and what was legal at every decision of a record, a pending one at its end included."""
    game, actions, result = parse(line)
    seen: list[tuple[int, frozenset[str]]] = []

    def note() -> None:
        if game.turn is not None:
            seen.append((game.turn, frozenset(game.legal())))

    note()
    for action in actions:
        game.act(action)
        note()
    _check_result(game, result)
    return seen
