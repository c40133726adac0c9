"""A table made from what one seat knows and a guess at the rest: what a search plays on from."""

from __future__ import annotations

import numpy as np

from solo_env.actions import FIRST_TRUMPS, NAMING, PLAY
from solo_env.cards import N_CARDS, N_RANKS, N_SEATS, N_TRICKS, NO_CARD, PACK, SUIT_MASK
from solo_env.engine._jit import kernel
from solo_env.engine.bits import lowest, popcount
from solo_env.engine.deal import open_auction
from solo_env.engine.state import NO_TRUMP, NOBODY
from solo_env.engine.step import apply_action, is_legal
from solo_env.rules.model import NO_CONTRACT
from solo_env.rules.pack import SOURCE_TURN_UP


@kernel
def rebuild_table(view, rules, seed, hands, table):
    """Bring ``table`` to where ``view`` stands, the cards still held being ``hands`` (int64[4] by relative seat).

    Calls and cards that the view shows are made again. Cards gone in tricks that are no longer shown (clause 8.4)
    are whatever is left, laid in an order in which they need not have been playable; only who won those tricks
    fits. ``seed`` is what the deals after this one are dealt from. Returns whether every step was possible; the
    table's view may yet differ from the one given, if that contradicts itself.
    """
    seat = int(view["seat"])
    dealer = (seat + int(view["dealer_rel"])) % N_SEATS
    if not lay_hands(view, rules, hands, table):
        return False
    table["seed"], table["index"], table["game"], table["cycle_place"] = seed, 0, 0, 0
    table["n_deals"], table["deal"], table["pack_kind"] = view["n_deals"], view["deal"], view["pack_kind"]
    for rel in range(N_SEATS):
        table["account"][(seat + rel) % N_SEATS] = view["account_rel"][rel] - view["payoff_rel"][rel]
    for card in range(N_CARDS):
        table["pack"][card] = card  # a shuffle or a gathering fills it before it is dealt
    open_auction(table, rules, dealer, np.int64(view["suit"]))
    for i in range(int(view["n_calls"])):
        if not take(table, rules, np.int64(view["calls"][i])):
            return False
        if table["phase"] == NAMING:
            suit = np.int64(view["named"] if table["contract"] == NO_CONTRACT else view["trump"])
            if suit > NO_TRUMP and not take(table, rules, FIRST_TRUMPS + suit):
                return False
    if view["n_hidden"] and not fill_hidden_tricks(view, hands, table):
        return False
    for i in range(int(view["n_hidden"]), int(view["n_plays"])):
        if not take(table, rules, np.int64(view["plays"][i])):
            return False
    return True


@kernel
def take(table, rules, action):
    """Take an action if it is legal; returns whether it was."""
    if not is_legal(table, rules, action):
        return False
    apply_action(table, rules, action)
    return True


@kernel
def lay_hands(view, rules, hands, table):
    """Fill ``dealt``: what each seat holds, has shown, and as much of what is gone as makes thirteen.

    A turned card lies last. Returns False where the cards don't make four hands of thirteen.
    """
    seat, dealer = int(view["seat"]), int(view["dealer_rel"])
    gone, n_gone = PACK, int(view["n_hidden"]) // N_SEATS
    for rel in range(N_SEATS):
        cards = int(hands[rel]) | int(view["played_cards_rel"][rel])
        if popcount(cards) != N_TRICKS - n_gone or cards & ~gone:
            return False
        gone &= ~cards
    turned = NO_CARD
    if rules["source"] == SOURCE_TURN_UP:
        turned = np.int64(view["turned_card"])
        if turned == NO_CARD:  # hidden: any card of the suit that the dealer was dealt
            suit = SUIT_MASK << (N_RANKS * int(view["suit"]))
            held = (int(hands[dealer]) | int(view["played_cards_rel"][dealer])) & suit
            if held | (gone & suit) == 0:
                return False
            turned = lowest(held if held else gone & suit)
    for position in range(N_SEATS):  # the dealer first, who may need one card of those gone
        rel = (dealer + position) % N_SEATS
        cards = int(hands[rel]) | int(view["played_cards_rel"][rel])
        if rel == dealer and turned != NO_CARD:
            cards |= gone & 1 << turned
            gone &= ~cards
            if cards >> turned & 1 == 0 or popcount(cards) > N_TRICKS:
                return False
        while popcount(cards) < N_TRICKS:
            cards |= gone & -gone
            gone &= gone - 1
        last = turned if rel == dealer and turned != NO_CARD else lowest(cards)
        dealt = table["dealt"][(seat + rel) % N_SEATS]
        dealt[N_TRICKS - 1] = last
        cards &= ~(1 << last)
        for slot in range(N_TRICKS - 1):
            dealt[slot] = lowest(cards)
            cards &= cards - 1
    return True


@kernel
def fill_hidden_tricks(view, hands, table):
    """Put the tricks that are no longer shown behind a table at its first lead; returns whether it could."""
    if table["phase"] != PLAY:
        return False
    seat, n_hidden = int(view["seat"]), int(view["n_hidden"])
    n_tricks, n_plays = n_hidden // N_SEATS, int(view["n_plays"])
    next_leader = view["play_seats_rel"][n_hidden] if n_plays > n_hidden else view["leader_rel"]
    last = (seat + int(next_leader)) % N_SEATS  # who won the last of them
    # Step 1: how many each seat won of them, beside the last.
    tricks, winners = table["tricks"], table["trick_winners"]
    for rel in range(N_SEATS):
        tricks[(seat + rel) % N_SEATS] = view["tricks_rel"][rel]
    for trick in range(n_tricks, n_plays // N_SEATS):
        tricks[(seat + int(view["trick_winners_rel"][trick])) % N_SEATS] -= 1
    tricks[last] -= 1
    # Step 2: who won which, one's own in a row; a trick is led by who won the one before.
    trick = 0
    for winner in range(N_SEATS):
        for _ in range(int(tricks[winner])):
            if trick < n_tricks - 1:
                winners[trick] = winner
            trick += 1
    if trick != n_tricks - 1 or tricks[last] < 0:
        return False
    winners[n_tricks - 1] = last
    tricks[last] += 1
    # Step 3: their cards, the lowest first.
    leader = int(table["leader"])
    for i in range(n_hidden):
        player = (leader + i % N_SEATS) % N_SEATS
        rel = (player - seat) % N_SEATS
        gone = int(table["hand_cards"][player]) & ~(int(hands[rel]) | int(view["played_cards_rel"][rel]))
        if gone == 0:
            return False
        card = lowest(gone)
        table["plays"][i], table["play_seats"][i] = card, player
        table["played_trick"][card] = 1 + i // N_SEATS
        table["hand_cards"][player] &= ~(gone & -gone)
        table["played_cards"][player] |= gone & -gone
        if i % N_SEATS == N_SEATS - 1:
            leader = int(winners[i // N_SEATS])
    table["n_plays"], table["leader"], table["turn"] = n_hidden, last, last
    exposed = int(view["exposed_rel"])
    table["exposed_seat"] = NOBODY if exposed == NOBODY else (seat + exposed) % N_SEATS
    return True
