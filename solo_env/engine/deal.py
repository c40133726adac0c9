"""Shuffling and dealing (clauses 2.1 to 2.3)."""

from __future__ import annotations

import numpy as np

from solo_env.actions import AUCTION
from solo_env.cards import N_CARDS, N_RANKS, N_SEATS, N_SUITS, N_TRICKS, NO_CARD
from solo_env.engine._jit import kernel
from solo_env.engine.bits import random_below, seed_stream
from solo_env.engine.state import ASKED_NORMALLY, NOBODY, TRUMP_NOT_NAMED
from solo_env.rules.model import NO_CONTRACT
from solo_env.rules.pack import SOURCE_CYCLE, SOURCE_SECOND_PACK, SOURCE_TURN_UP

# One stream a purpose, so that an option that draws from one never moves another.
STREAM_DEAL, STREAM_DEALER, STREAM_SUIT = range(3)


@kernel
def deal_random(table, rules, seed, index, game, dealer):
    """Fill the table with game number ``game`` of (seed, index); a dealer of -1 is drawn from the seed too."""
    table["seed"], table["index"], table["game"] = seed, index, game
    rng = table["rng"]
    if dealer < 0:
        seed_stream(rng, seed, index, game, STREAM_DEALER)
        dealer = random_below(rng, N_SEATS)
    seed_stream(rng, seed, index, game, STREAM_DEAL)
    shuffle(table["pack"], rng)
    deal_pack(table, rules, dealer)
    seed_stream(rng, seed, index, game, STREAM_SUIT)
    open_auction(table, rules, dealer, draw_suit(table, rules, dealer, rng))


@kernel
def shuffle(pack, rng):
    """Put all 52 cards into ``pack`` (int8[52]) in random order; moves ``rng``."""
    for card in range(N_CARDS):  # Fisher-Yates, inside out
        place = random_below(rng, card + 1)
        pack[card] = pack[place]
        pack[place] = card


@kernel
def deal_pack(table, rules, dealer):
    """Deal the pack in the packets of the ruleset, eldest first: fills ``dealt``, nothing else."""
    dealt, pack, packets = table["dealt"], table["pack"], rules["packets"]
    for position in range(N_SEATS):
        seat = (dealer + 1 + position) % N_SEATS
        slot, before = 0, 0  # the seat's next slot, and the cards of the pack dealt in earlier rounds
        for packet in range(len(packets)):
            at = before
            for earlier in range(position):
                at += packets[packet, earlier]
            for i in range(packets[packet, position]):
                dealt[seat, slot] = pack[at + i]
                slot += 1
            for other in range(N_SEATS):
                before += packets[packet, other]


@kernel
def draw_suit(table, rules, dealer, rng):
    """The suit of the deal (clause 2.8), NO_TRUMP for a no-trump round; moves ``rng``, not the table."""
    source = rules["source"]
    if source == SOURCE_TURN_UP:
        return np.int64(table["dealt"][dealer, N_TRICKS - 1]) // N_RANKS
    if source == SOURCE_SECOND_PACK:
        return random_below(rng, N_SUITS)
    if source == SOURCE_CYCLE:  # a single deal stands anywhere in the cycle
        return np.int64(rules["cycle"][random_below(rng, rules["n_cycle"])])
    return np.int64(rules["fixed_suit"])


@kernel
def open_auction(table, rules, dealer, suit):
    """Set a table whose cards are dealt to the start of its auction: eldest on turn, the deal's suit known.

    The dealer's last card is turned up where the suit comes from it; else no card is seen.
    """
    dealt = table["dealt"]
    for seat in range(N_SEATS):
        hand = 0
        for slot in range(N_TRICKS):
            hand |= 1 << int(dealt[seat, slot])
        table["hand_cards"][seat] = hand
        table["played_cards"][seat] = 0
        table["payoff"][seat] = 0
        table["tricks"][seat] = 0
        table["failed"][seat] = 0
    eldest = (dealer + 1) % N_SEATS
    table["dealer"] = dealer
    table["turned_card"] = dealt[dealer, N_TRICKS - 1] if rules["source"] == SOURCE_TURN_UP else NO_CARD
    table["suit"] = suit
    table["phase"] = AUCTION
    table["turn"] = eldest
    table["leader"] = eldest
    table["n_calls"] = 0
    table["passed"] = 0
    table["spoken"] = 0
    table["asked"] = ASKED_NORMALLY
    table["standing"] = NO_CONTRACT
    table["holder"] = NOBODY
    table["acceptor"] = NOBODY
    table["contract"] = NO_CONTRACT
    table["declarer"] = NOBODY
    table["partner"] = NOBODY
    table["trump"] = TRUMP_NOT_NAMED
    table["named"] = TRUMP_NOT_NAMED
    table["n_plays"] = 0
    table["exposed_seat"] = NOBODY
