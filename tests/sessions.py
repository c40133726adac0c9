"""Sessions that the tests share: games of many deals, and pairs of them that one seat may not tell apart.

A fork is a deal in the middle of a session, followed from some point of it: as it was, and with everything changed
that the seat may not know: who holds the hidden cards, how the pack lay, the seed, and what earlier deals left in
the table.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

from solo_env import actions
from solo_env.cards import N_CARDS, N_RANKS, N_SEATS, N_SUITS, N_TRICKS
from solo_env.engine import one
from solo_env.layout import MAX_CALLS
from solo_env.rules import Ruleset, load_ruleset, shipped_rulesets
from solo_env.rules.model import KIND_NAMES
from solo_env.table import Table
from tests.hidden_cards import redealt, turned_card
from tests.playing import call_on, call_towards, contracts_of, play_on

DEALS = 8
SLIPS = 0.1  # how often a seat doesn't care about following, where revokes are possible
CHANGES = 40  # of hidden cards, tried one after the other

# What no shipped set has: packs never shuffled or never cut, goulashes, the table's memory, revokes.
FORGETFUL = 'pagat+info.memory="table_memory"'
REVOKES = 'bga+play.revokes="possible"'
CARRYING = [
    'pagat+passout.mode="goulash"',
    'pagat+deal.shuffle="barely"+deal.reshuffle_after="never"',
    'grand_slam_solo+deal.cut=false+deal.gather="single_pile"',
    'anna_cubed+deal.shuffle="barely"+deal.reshuffle_after="never"+deal.cut=false+deal.gather="piles_by_seat"',
    'everything2+passout.mode="goulash"+passout.include_unaccepted_prop=true+deal.dealer_after_passout="same"',
]
VARIANTS = [
    *CARRYING,
    FORGETFUL,
    f'{FORGETFUL}+info.last_trick="always"+play.revokes="possible"+info.turnup_after_pickup="hide"',
    f'{FORGETFUL}+info.last_trick="never"+passout.mode="most_tricks"+deal.shuffle="barely"',
    REVOKES,
]
SHIPPED = list(shipped_rulesets())


# --- sessions


class Written(Table):
    """A table that writes down what is done at it."""

    def __init__(self, ruleset: Ruleset) -> None:
        super().__init__(ruleset)
        self.line: list[int] = []

    def apply(self, action: Any) -> None:
        super().apply(action)
        self.line.append(int(action))


class Deal(NamedTuple):
    """A deal of a session: the table as it was dealt, and all actions of it."""

    start: Table
    line: tuple[int, ...]


def lines_of(ruleset: Ruleset, rng: random.Random, deals: int = DEALS) -> list[Deal]:
    """A session of deals passed out, thrown in and played in every contract, mostly at random."""
    table = Written(ruleset)
    table.deal(rng.randrange(2**40), rng.randrange(9), rng.randrange(9), deals=deals)
    found: list[Deal] = []
    while True:
        start, table.line = table.clone(), []
        _auction(table, rng)
        _play(table, rng)
        found.append(Deal(start, tuple(table.line)))
        if table.session_over:
            return found
        table.next_deal()


def _auction(table: Table, rng: random.Random) -> None:
    kind = rng.random()
    if kind < 0.55:
        call_towards(table, rng.choice(contracts_of(table.ruleset)), rng.randrange(N_SEATS), rng)
    else:
        call_on(table, rng, passing=1.0 if kind < 0.75 else 0.7)


def _play(table: Table, rng: random.Random) -> None:
    """Uniform play to the end of the deal; where revokes are possible, they stay rare."""
    if table.ruleset.play.revokes == "impossible":
        play_on(table, rng)
    while not table.over:
        table.apply(rng.choice(honest(table) if rng.random() >= SLIPS else table.legal_actions()))


def honest(table: Table) -> list[int]:
    """What the seat on turn may do without revoking."""
    legal, lying = table.legal_actions(), int(table.data["n_plays"]) % N_SEATS
    if table.data["phase"] != actions.PLAY or lying == 0:
        return legal
    led = int(table.data["plays"][table.data["n_plays"] - lying]) // N_RANKS
    return [card for card in legal if card // N_RANKS == led] or legal


def contents(table: Table) -> list[object]:
    """All that is in a table; bytes between its fields may hold anything."""
    return [table.data[name].tolist() for name in table.data.dtype.names or ()]


def after(table: Table, line: Sequence[int]) -> Table:
    """A copy of the table after some more actions."""
    copy = table.clone()
    for action in line:
        copy.apply(action)
    return copy


# --- forks


class Fork(NamedTuple):
    """A game and its twin at one point of a deal, and what is played from there under the eyes of one seat."""

    game: Table
    twin: Table
    line: tuple[int, ...]
    seat: int
    ends: bool  # whether the line ends the deal
    next_is_known: bool  # whether the deal after it starts the same in both
    moved: bool  # whether any card lies elsewhere; there is none to move where all 52 get played


@cache
def forks(name: str, sessions: int) -> tuple[Fork, ...]:
    """A fork in each deal but the first of so many sessions under a ruleset."""
    ruleset, rng = load_ruleset(name), random.Random(name)
    return tuple(fork_of(deal, rng) for _ in range(sessions) for deal in lines_of(ruleset, rng)[1:])


def fork_of(deal: Deal, rng: random.Random) -> Fork:
    """A fork of a deal for a random seat, from a random point to the end of the deal or to another point."""
    seat, length = rng.randrange(N_SEATS), len(deal.line)
    end = length if rng.random() < 0.6 else rng.randrange(length)
    begin = 0 if rng.random() < 0.3 else rng.randrange(length)
    begin, end = min(begin, end), max(begin, end)
    line = deal.line[begin:end]
    game, whole = after(deal.start, deal.line[:begin]), after(deal.start, deal.line[:end])
    other, moved = _other_start(deal.start, deal.line[:end], whole, seat, rng)
    twin = after(other, deal.line[:begin])
    revokes = deal.start.ruleset.play.revokes == "possible"
    other_end = after(twin, line)
    if revokes and (whole.over, whole.payoffs) != (other_end.over, other_end.payoffs):
        line, end = line[:-1], end - 1  # who revoked comes out when the deal is settled, and not before
    ends = end == length
    all_public = int(whole.data["n_plays"]) == N_CARDS or shuffled_always(deal.start.ruleset)
    next_is_known = ends and not whole.session_over and all_public and rng.random() < 0.75
    scramble(twin, rng, next_is_known)
    return Fork(game, twin, line, seat, ends, next_is_known, moved)


def shuffled_always(ruleset: Ruleset) -> bool:
    """Whether every deal of a session comes from the seed alone."""
    return ruleset.deal.shuffle == "every_deal" and ruleset.passout.mode != "goulash"


def _other_start(
    start: Table, line: Sequence[int], whole: Table, seat: int, rng: random.Random
) -> tuple[Table, bool]:
    """The deal with those cards elsewhere that the seat never sees, if there are any, and whether there are."""
    for _ in range(CHANGES):
        other = redealt(whole, seat, rng)
        if other is None:
            break
        changed = _dealt(start, other.data["dealt"].tolist())
        if _can_take(changed, line):
            return changed, True
    hands = start.data["dealt"].tolist()
    for hand in hands[:seat] + hands[seat + 1 :]:
        rng.shuffle(hand)
    hands[int(start.data["dealer"])].sort(key=turned_card(start).__eq__)  # the card turned up is the last
    return _dealt(start, hands), False


def _dealt(start: Table, hands: list[list[int]]) -> Table:
    """A deal of the same session with other cards."""
    table = start.clone()
    table.data["dealt"][:] = hands
    one.open_one(table.tables, table.rules, int(start.data["dealer"]), int(start.data["suit"]))
    return table


def _can_take(start: Table, line: Sequence[int]) -> bool:
    """Whether all the actions can be taken: a revoke may end a misère before they are."""
    table = start.clone()
    for action in line:
        if table.over:
            return False
        table.apply(action)
    return True


def scramble(table: Table, rng: random.Random, keep_seed: bool) -> None:
    """Change everything in the table that nobody may know, hands and the order of dealing apart."""
    data, ruleset = table.data, table.ruleset
    data["pack"] = rng.sample(range(N_CARDS), N_CARDS)
    data["rng"] = [rng.randrange(2**32) for _ in range(4)]
    if not keep_seed:
        for name in ("seed", "index", "game"):
            data[name] = rng.randrange(2**40)
    if ruleset.trump.source != "cycle":  # in a cycle the suit of the deal says where it stands
        data["cycle_place"] = rng.randrange(int(table.rules[0]["n_cycle"]))
    n_calls, n_plays = int(data["n_calls"]), int(data["n_plays"])
    for i in range(n_calls, MAX_CALLS):
        data["calls"][i], data["call_seats"][i] = rng.randrange(52, 64), rng.randrange(N_SEATS)
    for i in range(n_plays, N_CARDS):
        data["plays"][i], data["play_seats"][i] = rng.randrange(N_CARDS), rng.randrange(N_SEATS)
    for trick in range(n_plays // N_SEATS, N_TRICKS):
        data["trick_winners"][trick] = rng.randrange(N_SEATS)
    if ruleset.info.turnup_after_pickup == "hide" and n_plays >= N_SEATS:
        data["turned_card"] = rng.randrange(N_CARDS)
    if not keep_seed or shuffled_always(ruleset):  # else the pack of the next deal is made of the tricks
        _scramble_memory(table, rng)


def _scramble_memory(table: Table, rng: random.Random) -> None:
    """Change what only the tricks show that a player at the table can no longer look at."""
    data, old = table.data, forgotten(table)
    if not old:
        return
    cards = [int(card) for card in data["plays"][:old]]
    for card in cards:
        for seat in range(N_SEATS):
            data["played_cards"][seat] &= ~(1 << card)
    rng.shuffle(cards)
    for i, card in enumerate(cards):
        seat = rng.randrange(N_SEATS)
        data["plays"][i], data["play_seats"][i] = card, seat
        data["played_cards"][seat] |= 1 << card
    data["failed"] = [rng.randrange(1 << N_SUITS) for _ in range(N_SEATS)]
    if kind_of(table) != "GM":  # who pays a general misère may hang on the order of the tricks
        for trick in range(old // N_SEATS):
            data["trick_winners"][trick] = rng.randrange(N_SEATS)


def kind_of(table: Table) -> str:
    """The name of the contract played, "" while there is none."""
    return KIND_NAMES[table.data["contract"]] if table.data["contract"] >= 0 else ""


def forgotten(table: Table) -> int:
    """How many plays, from the first on, nobody may look at any more (clause 8.4)."""
    info, n_plays = table.ruleset.info, int(table.data["n_plays"])
    if info.memory == "perfect_recall":
        return 0
    closed = info.last_trick == "never" or (info.last_trick == "except_misere" and kind_of(table) in ("MIS", "OUV"))
    return max(0, n_plays // N_SEATS - (not closed)) * N_SEATS
