"""Shuffling, gathering and dealing, and what goes on from deal to deal (clauses 2.1 to 2.9)."""

from __future__ import annotations

import numpy as np

from solo_env.actions import AUCTION, FIRST_CALL
from solo_env.cards import N_CARDS, N_RANKS, N_SEATS, N_SUITS, N_TRICKS, NO_CARD
from solo_env.engine._jit import kernel
from solo_env.engine.auction import CALL_OF_CONTRACT
from solo_env.engine.bits import lowest, nth_card, random_below, seed_stream
from solo_env.engine.scoring import is_made
from solo_env.engine.state import (
    ASKED_NORMALLY,
    BY_TRICKS,
    GATHERED,
    GOULASH,
    NOBODY,
    SHUFFLED,
    TRUMP_NOT_NAMED,
)
from solo_env.rules.model import ABUNDANCE_OR_BETTER, GENERAL, NO_CONTRACT
from solo_env.rules.pack import (
    N_ROTATIONS,
    PILES_BY_SEAT,
    SHUFFLE_AFTER_BID,
    SHUFFLE_AFTER_WON,
    SHUFFLE_EVERY_DEAL,
    SINGLE_PILE,
    SOURCE_CYCLE,
    SOURCE_SECOND_PACK,
    SOURCE_TURN_UP,
)

# One stream a purpose and deal, so that an option that draws from one never moves another.
STREAM_DEAL, STREAM_DEALER, STREAM_SUIT, STREAM_CUT, STREAM_STACK, STREAM_SEAT = range(6)
STREAMS = 8  # numbers kept for each deal of a session

# The calls that bring a shuffle of a barely shuffled pack, bit (action - 52).
BETTER_CALLS = sum(1 << (CALL_OF_CONTRACT[contract] - FIRST_CALL) for contract in ABUNDANCE_OR_BETTER)
IN_TURN = 0o3210  # the positions of four hands as octal digits, the topmost hand last


@kernel
def start_session(table, rules, seed, index, game, dealer, n_deals):
    """Deal the first of the ``n_deals`` deals of game ``game`` of (seed, index).

    A dealer of -1 is drawn from the seed, as is where a cycle of suits begins.
    """
    table["seed"], table["index"], table["game"] = seed, index, game
    table["n_deals"], table["deal"], table["pack_kind"] = n_deals, 0, SHUFFLED
    for seat in range(N_SEATS):
        table["account"][seat] = 0
    if dealer < 0:
        start_stream(table, STREAM_DEALER)
        dealer = random_below(table["rng"], N_SEATS)
    start_stream(table, STREAM_SUIT)
    table["cycle_place"] = random_below(table["rng"], int(rules["n_cycle"]))
    deal_cards(table, rules, dealer)


@kernel
def next_session(table, rules):
    """Deal the first deal of the next game of the same seed and index, a session as long as the one before."""
    game, n_deals = table["game"] + 1, np.int64(table["n_deals"])
    start_session(table, rules, table["seed"], table["index"], game, -1, n_deals)


@kernel
def next_deal(table, rules):
    """After a deal that is over, deal the next of the session: pack, dealer and suit as the rules say."""
    dealer = np.int64(next_dealer(table, rules))
    place, kind = next_cycle_place(table, rules), next_pack_kind(table, rules)
    table["deal"] += 1
    if kind == GATHERED:
        gather(table, rules, draw_cut(table, rules["cut"]))
    elif kind == GOULASH:
        order = stack_order(table) if rules["goulash_random"] else IN_TURN
        stack_hands(table, rules, order, draw_cut(table, rules["goulash_cut"]))
    table["pack_kind"], table["cycle_place"] = kind, place
    deal_cards(table, rules, dealer)


@kernel
def deal_cards(table, rules, dealer):
    """Deal the pack that lies ready, shuffling it first if it is to be, and open the auction."""
    if table["pack_kind"] == SHUFFLED:
        start_stream(table, STREAM_DEAL)
        shuffle(table["pack"], table["rng"])
    deal_pack(table, rules, dealer)
    open_auction(table, rules, dealer, suit_of_deal(table, rules, dealer))


@kernel
def start_stream(table, purpose):
    """Set the generator of the table to the start of the stream of this deal for one purpose."""
    number = purpose + STREAMS * np.int64(table["deal"])
    seed_stream(table["rng"], int(table["seed"]), int(table["index"]), int(table["game"]), number)


@kernel
def draw_seat(table):
    """A seat drawn from the seed of a game that is at its first deal: where a learner sits who sits anywhere."""
    start_stream(table, STREAM_SEAT)
    return random_below(table["rng"], N_SEATS)


# --- from deal to deal


@kernel
def nobody_bid(table, rules):
    """Whether a deal that is over was neither bid on nor played: passed out, or (by a key) thrown in."""
    unplayed = table["contract"] == NO_CONTRACT
    return unplayed and (table["standing"] == NO_CONTRACT or rules["after_proposal"] == 1)


@kernel
def next_dealer(table, rules):
    """Who deals after a deal that is over (clause 2.7)."""
    stays = rules["dealer_stays"] and nobody_bid(table, rules)
    return int(table["dealer"]) if stays else (int(table["dealer"]) + 1) % N_SEATS


@kernel
def next_cycle_place(table, rules):
    """The place in the cycle of suits of the deal that comes (clause 2.8)."""
    waits = rules["cycle_waits"] and table["contract"] == NO_CONTRACT
    return int(table["cycle_place"]) if waits else (int(table["cycle_place"]) + 1) % int(rules["n_cycle"])


@kernel
def next_pack_kind(table, rules):
    """Whether the pack of the deal that comes is shuffled, gathered or a goulash (clauses 2.5, 2.6)."""
    if rules["goulash"] and nobody_bid(table, rules):
        return GOULASH
    if rules["shuffle"] == SHUFFLE_EVERY_DEAL:
        return SHUFFLED
    if rules["shuffle"] == SHUFFLE_AFTER_BID:
        for i in range(int(table["n_calls"])):
            if BETTER_CALLS >> (int(table["calls"][i]) - FIRST_CALL) & 1:
                return SHUFFLED
    if rules["shuffle"] == SHUFFLE_AFTER_WON:
        contract = int(table["contract"])
        for better in ABUNDANCE_OR_BETTER:
            if contract == better and is_made(table, rules):
                return SHUFFLED
    return GATHERED


@kernel
def gather(table, rules, cut):
    """Stack the tricks as won, then what nobody played, into ``pack``; its top ``cut`` cards go to the bottom."""
    pack, n_tricks, at = table["pack"], int(table["n_plays"]) // N_SEATS, N_CARDS - cut
    for pile in range(N_SEATS):
        for trick in range(n_tricks):
            if pile_of(table, rules, np.int64(table["trick_winners"][trick])) == pile:
                for i in range(N_SEATS):
                    pack[at % N_CARDS] = table["plays"][N_SEATS * trick + i]
                    at += 1
    for position in range(N_SEATS):
        cards = int(table["hand_cards"][(int(table["dealer"]) + 1 + position) % N_SEATS])
        while cards:
            pack[at % N_CARDS] = lowest(cards)
            cards &= cards - 1
            at += 1


@kernel
def pile_of(table, rules, winner):
    """Which pile a trick of ``winner`` goes to, 0 the topmost (key ``deal.gather``)."""
    if rules["gather"] == SINGLE_PILE:
        return 0
    if rules["gather"] == PILES_BY_SEAT:
        return (winner - int(table["dealer"]) - 1) % N_SEATS
    declaring = winner == int(table["declarer"]) or winner == int(table["partner"])
    return 0 if declaring or table["contract"] == GENERAL else 1


@kernel
def stack_order(table):
    """A random order of the four hands, in the digits of ``IN_TURN``."""
    start_stream(table, STREAM_STACK)
    left, order = (1 << N_SEATS) - 1, 0
    for number in range(N_SEATS):
        position = nth_card(left, random_below(table["rng"], N_SEATS - number))
        left &= ~(1 << position)
        order |= position << (3 * number)
    return order


@kernel
def stack_hands(table, rules, order, cut):
    """Stack the four hands as they were thrown in into ``pack`` (clause 2.6); see ``gather`` for ``cut``."""
    pack, at = table["pack"], N_CARDS - cut
    for number in range(N_SEATS):
        seat = (int(table["dealer"]) + 1 + (order >> (3 * number) & 7)) % N_SEATS
        cards = int(table["hand_cards"][seat])
        for slot in range(N_TRICKS):
            pack[at % N_CARDS] = lowest(cards) if rules["goulash_sorted"] else int(table["dealt"][seat, slot])
            cards &= cards - 1
            at += 1


@kernel
def draw_cut(table, is_cut):
    """How many cards are cut off the top: 1 to 51, each as likely, or none where the pack isn't cut."""
    if not is_cut:
        return 0
    start_stream(table, STREAM_CUT)
    return 1 + random_below(table["rng"], N_CARDS - 1)


# --- one deal


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
    dealt, pack, rotation = table["dealt"], table["pack"], int(table["deal"]) % N_ROTATIONS
    places = rules["places"][rotation]
    if table["pack_kind"] == GOULASH:
        places = rules["goulash_places"][rotation]
    for i in range(N_CARDS):
        place = int(places[i])
        dealt[(dealer + 1 + place // N_TRICKS) % N_SEATS, place % N_TRICKS] = pack[i]


@kernel
def suit_of_deal(table, rules, dealer):
    """The suit of the deal (clause 2.8), NO_TRUMP for a no-trump round."""
    source = rules["source"]
    if source == SOURCE_TURN_UP:
        return np.int64(table["dealt"][dealer, N_TRICKS - 1]) // N_RANKS
    if source == SOURCE_SECOND_PACK:
        start_stream(table, STREAM_SUIT)
        return random_below(table["rng"], N_SUITS)
    if source == SOURCE_CYCLE:
        return np.int64(rules["cycle"][int(table["cycle_place"])])
    return np.int64(rules["fixed_suit"])


@kernel
def open_auction(table, rules, dealer, suit):
    """Set a table whose cards are dealt to the start of its auction: eldest on turn, the deal's suit known.

    The dealer's last card is turned up where the suit comes from it; else no card is seen. A suit that isn't
    that of the place in the cycle moves the place to where it stands first.
    """
    if rules["source"] == SOURCE_CYCLE and rules["cycle"][int(table["cycle_place"])] != suit:
        table["cycle_place"] = 0
        while rules["cycle"][int(table["cycle_place"])] != suit:
            table["cycle_place"] += 1
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
        table["revokes"][seat] = 0
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
    for card in range(N_CARDS):
        table["played_trick"][card] = 0
    table["exposed_seat"] = NOBODY
    table["first_offender"] = NOBODY
    table["verdict"] = BY_TRICKS
