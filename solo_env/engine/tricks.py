"""Playing the tricks (clauses 6.1 to 6.5)."""

from __future__ import annotations

import numpy as np

from solo_env.actions import OVER
from solo_env.cards import N_CARDS, N_RANKS, N_SEATS, N_TRICKS
from solo_env.engine._jit import kernel
from solo_env.engine.bits import suit_cards
from solo_env.engine.scoring import settle
from solo_env.engine.state import NO_TRUMP, NOBODY
from solo_env.rules.model import FIVE, GENERAL, NO_TRICK
from solo_env.rules.pack import EXPOSE_AFTER_TRICK_1, FIRST_TO_FIVE


@kernel
def legal_cards(table, rules):
    """What the seat on turn may play: the led suit if it can follow and may not revoke, else any card it holds."""
    hand = int(table["hand_cards"][int(table["turn"])])
    n_plays = int(table["n_plays"])
    if n_plays % N_SEATS == 0 or rules["revokes"]:
        return hand
    led = int(table["plays"][n_plays - n_plays % N_SEATS]) // N_RANKS
    following = suit_cards(hand, led)
    return following if following else hand


@kernel
def trick_winner(cards, trump):
    """Which of the four cards of a trick (in the order played) wins it: 0 the leader's, 3 the last."""
    best = 0
    for i in range(1, N_SEATS):
        if beats(np.int64(cards[i]), np.int64(cards[best]), trump):
            best = i
    return best


@kernel
def beats(card, other, trump):
    """Whether ``card``, played later to the same trick, beats ``other``, the best card so far."""
    if card // N_RANKS == other // N_RANKS:
        return card > other
    return trump != NO_TRUMP and card // N_RANKS == trump


@kernel
def apply_card(table, rules, card):
    """Play a legal card: changes the table; completes the trick, and the deal when it is decided."""
    seat = int(table["turn"])
    n_plays = int(table["n_plays"])
    place = n_plays % N_SEATS
    bit = 1 << card
    table["hand_cards"][seat] &= ~bit
    table["played_cards"][seat] |= bit
    table["plays"][n_plays] = card
    table["play_seats"][n_plays] = seat
    table["played_trick"][card] = 1 + n_plays // N_SEATS
    n_plays += 1
    table["n_plays"] = n_plays
    if place > 0:
        led = int(table["plays"][n_plays - 1 - place]) // N_RANKS
        if card // N_RANKS != led:
            table["failed"][seat] |= 1 << led
            if suit_cards(int(table["hand_cards"][seat]), led):  # clause 6.5
                table["revokes"][seat] += 1
                if table["first_offender"] == NOBODY:
                    table["first_offender"] = seat
    if place < N_SEATS - 1:
        table["turn"] = (seat + 1) % N_SEATS
        return
    complete_trick(table, rules)


@kernel
def complete_trick(table, rules):
    """Credit a full trick to its winner, who leads next; end the deal when it is decided or played out."""
    n_plays = int(table["n_plays"])
    trick = n_plays // N_SEATS - 1
    won = trick_winner(table["plays"][n_plays - N_SEATS : n_plays], np.int64(table["trump"]))
    winner = (int(table["leader"]) + won) % N_SEATS
    table["trick_winners"][trick] = winner
    table["tricks"][winner] += 1
    table["leader"] = winner
    table["turn"] = winner
    contract = int(table["contract"])
    if trick == 0 and rules["expose"][contract] == EXPOSE_AFTER_TRICK_1:  # clause 5.3
        table["exposed_seat"] = table["declarer"]
    if n_plays == N_CARDS or is_decided(table, rules, trick + 1):
        table["phase"] = OVER
        table["turn"] = NOBODY
        settle(table, rules)


@kernel
def is_decided(table, rules, n_tricks):
    """Whether play ends here (clause 6.4): one trick has decided the contract, or a revoke a misère."""
    contract = int(table["contract"])
    if contract == GENERAL:
        return rules["general"] == FIRST_TO_FIVE and table["tricks"][int(table["leader"])] == FIVE
    if rules["aim"][contract] == NO_TRICK and table["first_offender"] != NOBODY:  # clause 9.1
        return True
    if not rules["stops"][contract]:
        return False
    taken = int(table["tricks"][int(table["declarer"])])
    if rules["aim"][contract] == NO_TRICK:
        return taken > 0
    return n_tricks - taken > N_TRICKS - int(rules["target"][contract])
