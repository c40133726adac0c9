"""How the deals that training learns from begin: whose auction it is, and from which trick on they are learnt.

A learner that calls for himself sees the contracts that he already likes. So a share of the deals is bid by
others: by the teacher in all four seats, by a bidder in all four, or by nobody at all: then a contract is drawn
from those on offer, its caller gets a hand that suits it, and the others pass or accept. And a share of the deals,
whoever bid them, is learnt from a later trick on only, so that endings are seen from many middles.

All of it is a function of the seed, the game and the number of the deal, whatever else is played beside it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from baselines.call_tables import kinds_of_calls
from baselines.call_values import contract_of, suits_of
from baselines.hand_value import best_trumps, wide
from baselines.play_out import choose_partner, deal_around, draw_cards, is_worth_playing, write_weights
from solo_env.actions import AUCTION, COP, FIRST_CALL, FIRST_TRUMPS, NAMING, PASS, PLAY
from solo_env.cards import N_CARDS, N_SEATS
from solo_env.engine._jit import kernel
from solo_env.engine.bits import decision_key, key_below, nth_card, popcount, random_below, seed_stream
from solo_env.engine.deal import open_auction, start_session, suit_of_deal
from solo_env.engine.state import NOBODY
from solo_env.engine.step import apply_action, legal_call_set
from solo_env.rules import Ruleset, pack_array
from solo_env.rules.model import NO_TRUMPS, PC
from training.choosing import unit_of

OWN, TAUGHT, BIDDER, FORCED = range(4)  # whose auction it is
LAST_LATE = 9  # the latest trick from which on a deal is learnt
# What is drawn for a deal; DRAW_SEAT and the three behind it are one a seat. No seat has these numbers, so that no
# decision's key is the same.
DRAW_AUCTION, DRAW_LATE, DRAW_TRICK, DRAW_CAST, DRAW_OTHER, DRAW_SEATS, DRAW_SEAT = range(8, 15)
GAME_SHIFT = 32  # a game's number stands above the deal's
FORCED_STREAM = 1 << 20  # behind those of the engine
HANDS, ATTEMPTS = 400, 25  # hands drawn until one is worth playing; deals until somebody accepts


@dataclass(frozen=True)
class Starts:
    """The shares of the deals, 0 to 1 each, that begin in some way; the first three sum to 1 at most."""

    forced: float = 0.0  # a contract drawn from those on offer, the caller's hand drawn to suit it
    taught: float = 0.0  # the teacher calls in all seats
    bidder: float = 0.0  # the bidder calls in all seats
    late: float = 0.0  # learnt from one of the first tricks on, 1 to ``LAST_LATE``, and not the auction


class Begun(NamedTuple):
    """How each of B deals begins."""

    auction: NDArray[np.int64]  # [B], whose it is
    trick: NDArray[np.int64]  # [B], from which one on it is learnt; 0: from its auction on


class Room(NamedTuple):
    """What forced deals are made with."""

    kinds: NDArray[np.int64]  # by round and call: the kind of hand
    rng: NDArray[np.int64]
    weights: NDArray[np.int64]  # of cards


def begin_deals(
    tables: NDArray[np.void], ruleset: Ruleset, starts: Starts, seed: int, deals: range, game: int
) -> Begun:
    """Deal the deals of these numbers to ``tables`` (TABLE [B]), the forced ones with their auctions closed."""
    begun = Begun(np.zeros(len(deals), np.int64), np.zeros(len(deals), np.int64))
    shares = np.array([starts.forced, starts.taught, starts.bidder, starts.late])
    draw_starts(shares, seed, deals.start, game, *begun)
    room = Room(kinds_of_calls(ruleset), np.zeros(4, np.int64), np.zeros(N_CARDS, np.int64))
    deal_tables(tables, pack_array(ruleset), room, seed, deals.start, game, begun.auction)
    return begun


@kernel
def draw_key(seed: int, game: int, deal: int, what: int) -> int:
    """The key from which something is drawn for a deal of a game."""
    return int(decision_key(seed, deal ^ game << GAME_SHIFT, what, 0))


@kernel
def draw_starts(
    shares: NDArray[np.float64],
    seed: int,
    first: int,
    game: int,
    auction: NDArray[np.int64],
    trick: NDArray[np.int64],
) -> None:
    """Fill ``auction`` and ``trick`` (int64 [B]) for the deals from ``first`` on."""
    for b in range(len(auction)):
        at = unit_of(draw_key(seed, game, first + b, DRAW_AUCTION))
        auction[b] = OWN
        for share, whose in ((shares[0], FORCED), (shares[1], TAUGHT), (shares[2], BIDDER)):
            if 0.0 <= at < share:
                auction[b] = whose
            at -= share
        trick[b] = 0
        if unit_of(draw_key(seed, game, first + b, DRAW_LATE)) < shares[3]:
            trick[b] = 1 + key_below(draw_key(seed, game, first + b, DRAW_TRICK), LAST_LATE)


@kernel
def deal_tables(
    tables: NDArray[np.void], rules: NDArray[np.void], room: Room, seed: int, first: int, game: int,
    auction: NDArray[np.int64],
) -> None:  # fmt: skip
    """Deal each table; a forced deal for which no auction is found becomes a plain one."""
    for b in range(len(tables)):
        table = tables[b]
        start_session(table, rules[0], seed, first + b, game, -1, 1)
        if auction[b] == FORCED:
            seed_stream(room.rng, seed, first + b, game, FORCED_STREAM)
            if not force_deal(table, rules[0], room):
                start_session(table, rules[0], seed, first + b, game, -1, 1)
                auction[b] = OWN


@kernel
def force_deal(table: np.void, rules: np.void, room: Room) -> bool:
    """Deal anew at a table at the start of its auction, and close that in a contract drawn from those on offer.

    On offer is what may be called first. Returns whether an auction was found that ends in it.
    """
    rng, dealer = room.rng, wide(table["dealer"])
    calls = int(legal_call_set(table, rules)) & ~1
    call = nth_card(calls, random_below(rng, popcount(calls)))
    kind = room.kinds[0 if table["suit"] >= 0 else 1, call]
    for _ in range(ATTEMPTS):
        caller = (dealer + 1 + random_below(rng, N_SEATS)) % N_SEATS
        trump = deal_for_call(table, rules, room, call, kind, caller)
        partner = NOBODY
        if contract_of(call) == PC:
            partner = choose_partner(table, kind, caller, dealer, trump)
            if partner == NOBODY:
                continue
        if close_forced(table, rules, caller, partner, call, trump):
            return True
    return False


@kernel
def deal_for_call(table: np.void, rules: np.void, room: Room, call: int, kind: int, caller: int) -> int:
    """Deal until the caller's hand is worth the call, and open the auction; returns its trumps or -1."""
    dealer, contract, trump = wide(table["dealer"]), contract_of(call), -1
    for _ in range(HANDS):
        write_weights(room.rng, kind, room.weights)
        hand = draw_cards(room.rng, room.weights)
        deal_around(table, room.rng, caller, hand, dealer)
        suits, trump = suits_of(rules, contract, wide(suit_of_deal(table, rules, dealer))), -1
        if suits and rules["trumps"][contract] != NO_TRUMPS:
            trump = best_trumps(hand, suits)
        if is_worth_playing(kind, hand, trump):
            break
    open_auction(table, rules, dealer, wide(suit_of_deal(table, rules, dealer)))
    return trump


@kernel
def close_forced(table: np.void, rules: np.void, caller: int, partner: int, call: int, trump: int) -> bool:
    """Let the caller call and name, the partner accept and everybody else pass; whether the contract is played."""
    called = False
    while table["phase"] == AUCTION or table["phase"] == NAMING:
        action = PASS
        if table["phase"] == NAMING:
            action = FIRST_TRUMPS + trump
        elif table["turn"] == caller and not called:
            action, called = FIRST_CALL + call, True
        elif table["turn"] == partner and legal_call_set(table, rules) >> (COP - FIRST_CALL) & 1:
            action = COP
        if legal_call_set(table, rules) >> (action - FIRST_CALL) & 1 == 0:
            return False
        apply_action(table, rules, action)
    return bool(table["phase"] == PLAY and table["contract"] == contract_of(call))
