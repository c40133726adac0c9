"""Dealing the hidden cards anew: the tool of every test that a face leaks nothing."""

from __future__ import annotations

import random
from functools import cache
from typing import NamedTuple

from solo_env import actions, record
from solo_env.cards import N_RANKS, N_SEATS, NO_CARD, card_set, cards_of
from solo_env.record import Record
from solo_env.rules import load_ruleset
from solo_env.rules.model import KIND_NAMES
from solo_env.table import Table
from tests.playing import contracts_of, random_game

MAX_TRIES = 200


class Pair(NamedTuple):
    """A game, the same actions over another deal, and the seat that must not be able to tell them apart."""

    game: Record
    twin: Record
    seat: int


@cache
def pairs(ruleset_name: str, count: int) -> tuple[Pair, ...]:
    """Games in all contracts of a ruleset, broken off anywhere, each with its twin for one of the seats."""
    ruleset = load_ruleset(ruleset_name)
    rng = random.Random(ruleset_name)
    kinds = ["", *contracts_of(ruleset)]
    found: list[Pair] = []
    while len(found) < count:
        kind = kinds[len(found) % len(kinds)]
        table, seat = random_game(ruleset, rng, kind), rng.randrange(N_SEATS)
        if kind == "OUV" and not _telling(table, exposed=len(found) // len(kinds) % 2 == 0):
            continue
        twin = redealt(table, seat, rng)
        if twin is not None:
            games = (record.from_table(t.data, ruleset) for t in (table, twin))
            found.append(Pair(*games, seat))
    return tuple(found)


def _telling(table: Table, exposed: bool) -> bool:
    """Whether an ouverte is at a point that tells something: its hand exposed, or in play and not yet exposed."""
    if exposed or table.ruleset.contract.ouv_expose == "before_lead":
        return exposed_seat(table) >= 0
    return exposed_seat(table) < 0 and bool(table.data["phase"] == actions.PLAY)


def exposed_seat(table: Table) -> int:
    """Whose hand lies face up by the rules (clause 5.3), -1 for nobody; what the engine says is not asked."""
    data = table.data
    if data["contract"] < 0 or KIND_NAMES[data["contract"]] != "OUV":
        return -1
    before_lead = table.ruleset.contract.ouv_expose == "before_lead"
    return int(data["declarer"]) if before_lead or data["n_plays"] >= N_SEATS else -1


def turned_card(table: Table) -> int:
    """The card that the deal turned up (clause 2.3), -1 where none is."""
    data = table.data
    return int(data["dealt"][data["dealer"]][-1]) if table.ruleset.trump.source == "turn_up" else NO_CARD


def known_cards(table: Table, seat: int) -> int:
    """The cards still held whose holder the seat may know: its own, the exposed hand, the turned card."""
    hands, exposed, turned = table.data["hand_cards"], exposed_seat(table), turned_card(table)
    known = int(hands[seat])
    if exposed >= 0:
        known |= int(hands[exposed])
    if turned != NO_CARD:
        known |= (1 << turned) & int(hands[table.data["dealer"]])
    return known


def redealt(table: Table, seat: int, rng: random.Random) -> Table | None:
    """A table in which the cards hidden from ``seat`` lie elsewhere, all that happened being still possible.

    Cards that were played stay where they were played from. A seat that failed to follow a suit held none of it
    then, so it gets none of it, unless it may have revoked. None if no other deal was found.
    """
    data = table.data
    known = known_cards(table, seat)
    others = [s for s in range(N_SEATS) if s != seat]
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
            return _with_hands(table, hands, rng)
    return None


def _possible(table: Table, seat: int, hand: int) -> bool:
    if table.ruleset.play.revokes == "possible":
        return True
    failed = int(table.data["failed"][seat])
    return not any(failed >> (card // N_RANKS) & 1 for card in cards_of(hand))


def _with_hands(table: Table, hands: dict[int, int], rng: random.Random) -> Table:
    """A copy of the table with other hands, and with dealt cards that fit them, in another order."""
    other = table.clone()
    data, turned = other.data, turned_card(table)
    for seat, hand in hands.items():
        dealt = cards_of(hand | int(data["played_cards"][seat]))
        rng.shuffle(dealt)
        if seat == data["dealer"] and turned != NO_CARD:  # it is dealt last
            dealt.remove(turned)
            dealt.append(turned)
        data["dealt"][seat] = dealt
        data["hand_cards"][seat] = hand
    data["pack"] = data["seed"] = data["index"] = data["game"] = data["rng"] = -1
    return other
