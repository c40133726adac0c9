"""A ruleset as one record of numbers, which is what the kernels read."""

from __future__ import annotations

import dataclasses
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solo_env.cards import N_CARDS, N_SEATS, N_TRICKS, SUITS
from solo_env.rules.model import (
    AT_LEAST,
    CONTRACT_BY_CALL,
    CONTRACTS,
    GENERAL,
    GENERAL_FORMS,
    MAX_CYCLE,
    N_CONTRACT_KINDS,
    N_CONTRACTS,
    NO_CONTRACT,
    NO_TRICK,
    OUV,
    RDECL,
    SECTIONS,
    Contract,
    Ruleset,
)

LEADER_ELDEST, LEADER_CALLER = range(2)
EXPOSE_NEVER, EXPOSE_AFTER_TRICK_1, EXPOSE_BEFORE_LEAD = range(3)
SOURCE_TURN_UP, SOURCE_SECOND_PACK, SOURCE_CYCLE, SOURCE_FIXED = range(4)
SHUFFLE_EVERY_DEAL, SHUFFLE_AFTER_BID, SHUFFLE_AFTER_WON, SHUFFLE_NEVER = range(4)
PILES_BY_SIDE, PILES_BY_SEAT, SINGLE_PILE = range(3)
LAST_TRICK_EXCEPT_MISERE, LAST_TRICK_ALWAYS, LAST_TRICK_NEVER = range(3)
NOT_GENERAL, LAST_TRICK, FEWEST, FIRST_TO_FIVE, MOST_TRICKS = range(5)
FIRST_TO_FOUR, LAST_TO_FOUR, ALL_WITH_FOUR = range(3)
N_ROTATIONS = N_SEATS
MAX_FLAGS = 40

# One column a property; an axis of eleven is the ten contracts of the ladder and the general misère.
RULES = np.dtype(
    [
        # where each card of the pack goes, as 13 * position + slot, by deal of the session modulo 4
        ("places", "i1", (N_ROTATIONS, N_CARDS)),
        ("goulash_places", "i1", (N_ROTATIONS, N_CARDS)),
        ("shuffle", "i8"),  # SHUFFLE_*: when the pack of the next deal is shuffled
        ("gather", "i8"),  # PILES_BY_SIDE, PILES_BY_SEAT or SINGLE_PILE
        ("cut", "i8"),  # 1: a pack that isn't shuffled is cut
        ("goulash", "i8"),  # 1: a deal that nobody bid on is followed by a goulash
        ("goulash_random", "i8"),  # 1: its hands are stacked in random order
        ("goulash_sorted", "i8"),  # 1: each is sorted first
        ("goulash_cut", "i8"),
        ("dealer_stays", "i8"),  # 1: after a deal that nobody bid on the same player deals
        ("cycle_waits", "i8"),  # 1: a cycle moves on after deals that were played only
        ("source", "i8"),  # SOURCE_*
        ("cycle", "i8", MAX_CYCLE),  # suits, -1 for a no-trump round
        ("n_cycle", "i8"),
        ("fixed_suit", "i8"),
        ("hide_turned", "i8"),  # 1: the turned card is no longer shown after trick 1
        ("rank", "i8", N_CONTRACT_KINDS),  # place in the ladder, 0 the lowest; -1 not offered
        ("only_over", "i8", N_CONTRACT_KINDS),  # the contract that must stand for this one to be called, or -1
        ("one_round", "i8"),
        ("eldest_cop", "i8"),
        ("proposer_raises", "i8"),  # 0: an unaccepted proposal is thrown in at once
        ("raise_to_solo", "i8"),  # 1: it may be raised to a solo only
        ("eldest_raises", "i8"),  # 1: only eldest may raise it
        ("acceptor_raises", "i8"),
        ("holder_raises", "i8"),
        ("aim", "i8", N_CONTRACT_KINDS),  # AT_LEAST or NO_TRICK
        ("target", "i8", N_CONTRACT_KINDS),  # tricks; 0 for NO_TRICK
        ("trumps", "i8", N_CONTRACT_KINDS),  # TURNED, NO_TRUMPS or NAMED
        ("needs_suit", "i8", N_CONTRACT_KINDS),  # 1: cannot be called in a no-trump round
        ("not_turned", "i8", N_CONTRACT_KINDS),  # 1: its caller may not name the deal's suit
        ("named_with_call", "i8", N_CONTRACT_KINDS),  # 1: trumps are named before the next player speaks
        ("leader", "i8", N_CONTRACT_KINDS),  # LEADER_ELDEST or LEADER_CALLER
        ("expose", "i8", N_CONTRACT_KINDS),  # EXPOSE_*
        ("stops", "i8", N_CONTRACT_KINDS),  # 1: play ends with the trick that decides it
        ("base", "i8", N_CONTRACT_KINDS),  # units between each paying pair
        ("over", "i8", N_CONTRACT_KINDS),  # units per trick over the target
        ("under", "i8", N_CONTRACT_KINDS),  # units per trick short of it
        ("slam_double", "i8", N_CONTRACT_KINDS),  # 1: tricks over count double when all 13 are taken
        ("unit", "i8"),  # every payment times this
        ("general", "i8"),  # which general misère is played when nobody bids, or NOT_GENERAL
        ("after_proposal", "i8"),  # 1: also when nobody accepts a proposal
        ("five_fallback", "i8"),
        ("revokes", "i8"),  # 1: every held card may be played
        ("penalty_tricks", "i8"),  # off the revoking side, for each revoke
        ("transfer", "i8"),  # 1: given to the other side
        ("shuffle_penalty", "i8"),  # units, in rulings
        ("table_memory", "i8"),  # 1: tricks before the last are not shown
        ("last_trick", "i8"),  # LAST_TRICK_*: whether the last one is, then
        # What a player is told of the rules: the blocks prices, targets, ladder and ruleset of the observation.
        ("shown", "i1", 5 * N_CONTRACTS + MAX_FLAGS),
    ],
    align=True,
)


def _flag_rows() -> tuple[tuple[str, str, tuple[Any, ...]], ...]:
    """Section, key and choices of every key that is a choice or a yes or no, in the order of the file."""
    rows = []
    for section, cls in SECTIONS.items():
        for f in dataclasses.fields(cls):
            choices = getattr(f.metadata["check"], "choices", None)
            if f.type in ("bool", bool):
                choices = (False, True)
            if choices and len(choices) > 1:
                rows.append((section, f.name, tuple(choices)))
    return tuple(rows)


# What a player is told of a ruleset besides prices, targets and ladder: one number a key, its choice's place.
FLAGS = _flag_rows()


@lru_cache(maxsize=256)
def pack_array(ruleset: Ruleset) -> NDArray[np.void]:
    """A ruleset as an array [1] of dtype ``RULES``, shared: what kernels that Python calls take."""
    rules = np.zeros(1, RULES)
    row = rules[0]
    _pack_deal(row, ruleset)
    _pack_auction(row, ruleset)
    for i, contract in enumerate(CONTRACTS):
        _pack_contract(row, i, contract, ruleset)
    row["rank"][GENERAL] = row["only_over"][GENERAL] = -1
    row["base"][GENERAL] = ruleset.general_price()
    row["unit"] = ruleset.pay.unit
    row["general"] = 1 + GENERAL_FORMS.index(ruleset.passout.mode) if ruleset.has_general() else NOT_GENERAL
    row["after_proposal"] = ruleset.passout.include_unaccepted_prop
    fallbacks = ("first_to_four", "last_to_four", "all_with_four")
    row["five_fallback"] = fallbacks.index(ruleset.passout.five_fallback)
    row["revokes"] = ruleset.play.revokes == "possible"
    row["penalty_tricks"] = ruleset.laws.revoke_penalty_tricks
    row["transfer"] = ruleset.laws.revoke_transfer
    row["shuffle_penalty"] = ruleset.laws.shuffle_penalty
    row["table_memory"] = ruleset.info.memory == "table_memory"
    row["last_trick"] = ("except_misere", "always", "never").index(ruleset.info.last_trick)
    row["shown"][:] = _shown(row, ruleset)
    return rules


def _shown(row: np.void, ruleset: Ruleset) -> list[int]:
    """Base, over- and under-trick prices, targets and places in the ladder of the contracts, then the flags."""
    offered = [int(rank) >= 0 for rank in row["rank"][:N_CONTRACTS]]
    shown = []
    for name in ("base", "over", "under", "target"):
        shown += [int(row[name][i]) if offered[i] else 0 for i in range(N_CONTRACTS)]
    shown += [int(rank) + 1 for rank in row["rank"][:N_CONTRACTS]]
    flags = [choices.index(getattr(getattr(ruleset, section), key)) for section, key, choices in FLAGS]
    return [*shown, *flags, *([0] * (MAX_FLAGS - len(flags)))]


def pack(ruleset: Ruleset) -> np.void:
    """A ruleset as a record of dtype ``RULES``: what kernels of one table take."""
    return pack_array(ruleset)[0]  # type: ignore[no-any-return]


def _pack_deal(row: np.void, ruleset: Ruleset) -> None:
    deal, trump, goulash = ruleset.deal, ruleset.trump, ruleset.deal.goulash
    for name, packets in (("places", deal.packets), ("goulash_places", goulash["packets"])):
        for rotation in range(N_ROTATIONS):
            row[name][rotation] = _places(packet_table(packets, rotation))
    if deal.shuffle == "barely":
        after = ("abu_or_better_bid", "abu_or_better_won", "never").index(deal.reshuffle_after)
        row["shuffle"] = SHUFFLE_AFTER_BID + after
    row["gather"] = ("piles_by_side", "piles_by_seat", "single_pile").index(deal.gather)
    row["cut"] = deal.cut
    row["goulash"] = ruleset.passout.mode == "goulash"
    row["goulash_random"] = goulash["stack"] == "random"
    row["goulash_sorted"] = goulash["sort_hands"]
    row["goulash_cut"] = goulash["cut"]
    row["dealer_stays"] = deal.dealer_after_passout == "same"
    row["cycle_waits"] = trump.cycle_advance == "played_deals"
    row["source"] = ("turn_up", "second_pack_cut", "cycle", "fixed").index(trump.source)
    row["cycle"][: len(trump.cycle)] = [SUITS.find(name) if name in SUITS else -1 for name in trump.cycle]
    row["n_cycle"] = len(trump.cycle)
    row["fixed_suit"] = SUITS.index(trump.fixed_suit)
    row["hide_turned"] = ruleset.info.turnup_after_pickup == "hide"


def packet_table(packets: tuple[int, ...] | str, rotation: int) -> list[list[int]]:
    """Cards by round of the deal and position (0 eldest), in the deals whose number leaves ``rotation`` by 4."""
    if packets == "rotating_4_by_deal":
        return [[3 + (number == rotation)] * N_SEATS for number in range(N_ROTATIONS)]
    if packets == "rotating_4_by_player":
        return [[3 + (position == number) for position in range(N_SEATS)] for number in range(N_SEATS)]
    return [[int(size)] * N_SEATS for size in packets]


def _places(rounds: list[list[int]]) -> list[int]:
    """Where each card of the pack goes when it is dealt in these rounds, as 13 * position + slot."""
    places, held = [], [0] * N_SEATS
    for packets in rounds:
        for position, cards in enumerate(packets):
            places += [N_TRICKS * position + held[position] + i for i in range(cards)]
            held[position] += cards
    return places


def _pack_auction(row: np.void, ruleset: Ruleset) -> None:
    auction = ruleset.auction
    row["rank"][:] = -1
    for rank, call in enumerate(ruleset.ladder()):
        row["rank"][CONTRACT_BY_CALL[call]] = rank
    row["one_round"] = auction.rounds == "one"
    row["eldest_cop"] = auction.eldest_cop == "pass_keeps_right"
    row["proposer_raises"] = auction.unaccepted_prop == "raise_or_throw_in"
    row["raise_to_solo"] = auction.unaccepted_prop_raise_to == "solo_only"
    row["eldest_raises"] = auction.unaccepted_prop_raise_seats == "eldest_only"
    row["acceptor_raises"] = auction.acceptor_may_raise
    row["holder_raises"] = auction.raise_own_call


def _pack_contract(row: np.void, i: int, contract: Contract, ruleset: Ruleset) -> None:
    name = contract.name
    over_abu = contract.only_over and ruleset.auction.abt_call == "over_abu_only"
    row["only_over"][i] = CONTRACT_BY_CALL[contract.only_over] if over_abu else NO_CONTRACT
    row["aim"][i] = contract.aim
    row["target"][i] = ruleset.contract.targets.get(name, 0) if contract.aim == AT_LEAST else 0
    row["trumps"][i] = ruleset.trumps_of(contract)
    row["needs_suit"][i] = bool(contract.only_over) or i == RDECL
    row["not_turned"][i] = name == "ABU" and not ruleset.contract.abu_may_choose_turned
    row["named_with_call"][i] = name == "ABU" and ruleset.contract.abu_suit_time == "with_call"
    row["leader"][i] = LEADER_CALLER if ruleset.leader_of(name) == "caller" else LEADER_ELDEST
    if i == OUV:
        before = ruleset.contract.ouv_expose == "before_lead"
        row["expose"][i] = EXPOSE_BEFORE_LEAD if before else EXPOSE_AFTER_TRICK_1
    row["stops"][i] = ruleset.stops(contract)
    row["base"][i] = ruleset.price_of(contract)
    row["over"][i] = ruleset.pay.over.get(name, 0)
    row["under"][i] = ruleset.pay.under.get(name, 0)
    row["slam_double"][i] = name in ruleset.pay.slam_double


def worst_payoff(ruleset: Ruleset) -> int:
    """The largest number of units one seat can lose in a deal (a positive whole number).

    Where revokes are possible, a defender may have to pay for his whole side.
    """
    worst = (N_SEATS - 1) * ruleset.general_price() if ruleset.has_general() else 0
    for contract in ruleset.contracts():
        i, rules = CONTRACT_BY_CALL[contract.call], pack(ruleset)
        target = int(rules["target"][i])
        most_short = N_TRICKS if contract.aim == NO_TRICK else target  # tricks taken, or lacking
        short = int(rules["base"][i]) + int(rules["under"][i]) * most_short
        double = 2 if rules["slam_double"][i] else 1
        made = int(rules["base"][i]) + double * int(rules["over"][i]) * (N_TRICKS - target)
        declarer_pays = short if contract.name == "PC" else (N_SEATS - 1) * short
        n_paid = 1 if ruleset.play.revokes == "impossible" else 2 if contract.name == "PC" else N_SEATS - 1
        worst = max(worst, declarer_pays, made * n_paid)
    return worst * ruleset.pay.unit
