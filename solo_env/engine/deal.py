"""Shuffling and dealing (clauses 2.1 to 2.3)."""

from __future__ import annotations

from solo_env.actions import AUCTION
from solo_env.cards import N_CARDS, N_SEATS, N_TRICKS
from solo_env.engine._jit import kernel
from solo_env.engine.bits import random_below, seed_stream
from solo_env.engine.state import ASKED_NORMALLY, NOBODY, TRUMP_NOT_NAMED
from solo_env.rules.model import NO_CONTRACT

# One stream a purpose, so that an option that draws from one never moves another.
STREAM_DEAL, STREAM_DEALER = range(2)


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
    open_auction(table, dealer)


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
    at, slot = 0, 0
    for packet in range(len(packets)):
        size = packets[packet]
        if size == 0:
            break
        for position in range(N_SEATS):
            seat = (dealer + 1 + position) % N_SEATS
            for i in range(size):
                dealt[seat, slot + i] = pack[at]
                at += 1
        slot += size


@kernel
def open_auction(table, dealer):
    """Set a table whose cards are dealt to the start of its auction: eldest on turn, the last card turned."""
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
    table["turned_card"] = dealt[dealer, N_TRICKS - 1]
    table["phase"] = AUCTION
    table["turn"] = eldest
    table["leader"] = eldest
    table["n_calls"] = 0
    table["passed"] = 0
    table["asked"] = ASKED_NORMALLY
    table["standing"] = NO_CONTRACT
    table["holder"] = NOBODY
    table["acceptor"] = NOBODY
    table["contract"] = NO_CONTRACT
    table["declarer"] = NOBODY
    table["partner"] = NOBODY
    table["trump"] = TRUMP_NOT_NAMED
    table["n_plays"] = 0
    table["exposed_seat"] = NOBODY
