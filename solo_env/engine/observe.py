"""What one seat may know: the view record, and the observation and mask written from it.

``write_view`` is the only kernel that reads hidden cards on a player's behalf, so it is the one place where a
leak could happen. The observation reads the view, never the table.

Numba's ``int()`` leaves an int8 an int8, so what goes into another kernel is made an ``np.int64`` here: a kernel
compiles for one set of types only.
"""

from __future__ import annotations

import numpy as np

from solo_env.actions import FIRST_CALL, N_ACTIONS, N_CALLS, OVER, PLAY
from solo_env.cards import N_CARDS, N_RANKS, N_SEATS, N_SUITS, N_TRICKS, NO_CARD
from solo_env.engine._jit import inlined, kernel
from solo_env.engine.bits import suit_cards
from solo_env.engine.state import NOBODY
from solo_env.engine.step import legal_call_set, legal_card_set
from solo_env.layout import DIGIT_BASE, MAX_CALLS, N_FEATURES, OFFSETS
from solo_env.rules.model import GENERAL, NO_CONTRACT, NO_TRICK
from solo_env.rules.pack import LAST_TRICK_ALWAYS, LAST_TRICK_NEVER

AT_TRICK, AT_PRICES = OFFSETS["trick"], OFFSETS["prices"]

N_SHOWN = N_FEATURES - AT_PRICES
# An index masked by what it needs is known not to be negative, which spares a comparison: those count from the end.
CARD_BITS, SEAT_BITS, CALL_BITS, CALLS_BITS, TRICK_BITS, TRUMP_BITS = 63, 3, 15, 15, 15, 7
SUITS_BITS, PHASE_BITS, PACK_BITS = 15, 3, 3

# int8[256, 8]: the eight bits of a byte, the lowest first, each as a column.
COLUMNS_OF_BITS = np.array([[byte >> i & 1 for i in range(8)] for byte in range(256)], np.int8)
LAST_EIGHT = 48  # the first card of what is left of a pack after columns in eights

# Row n: 0 for the first n places, -1 for those that come later. Where the places are compared instead, the compiler
# widens them to 512 bits, which cost a single call 5 µs: the processor has to wake that part of itself.
LATER = np.array([[-(i >= n) for i in range(N_CARDS)] for n in range(N_CARDS + 1)], np.int8)

ROLE_UNDECIDED, ROLE_DECLARER, ROLE_PARTNER, ROLE_DEFENDER, ROLE_FOR_ONESELF = range(5)


@inlined
def relative(seat, observer):
    """An absolute seat as the observer counts: 0 itself, 1 its left neighbour; NOBODY stays nobody."""
    return NOBODY if seat == NOBODY else (seat - observer) & SEAT_BITS


@kernel
def write_view(table, rules, seat, view):
    """Fill ``view`` with what ``seat`` may know of the table; the table is not changed."""
    view["seat"] = seat
    # Step 1: the seat's own hand, and what it may do if it is on turn (clause 8.2).
    view["hand_cards"] = table["hand_cards"][seat]
    view["legal_cards"], view["legal_calls"] = legal_sets(table, rules, seat)
    # Step 2: facts that all may know, here and below (clause 8.1); nothing else is read (clause 8.3).
    phase = int(table["phase"])
    view["phase"] = phase
    view["turn_rel"] = relative(int(table["turn"]), seat)
    view["dealer_rel"] = relative(int(table["dealer"]), seat)
    view["turned_card"] = shown_turned(table, rules)
    view["suit"] = table["suit"]
    view["deal"], view["n_deals"], view["pack_kind"] = table["deal"], table["n_deals"], table["pack_kind"]
    # Step 3: the auction.
    n_calls = int(table["n_calls"])
    view["n_calls"] = n_calls
    later = LATER[n_calls & CALLS_BITS]
    for i in range(MAX_CALLS):
        view["calls"][i] = table["calls"][i] & ~later[i]
        view["call_seats_rel"][i] = (table["call_seats"][i] - seat) & SEAT_BITS | later[i]
    view["standing"] = table["standing"]
    view["holder_rel"] = relative(int(table["holder"]), seat)
    view["acceptor_rel"] = relative(int(table["acceptor"]), seat)
    view["asked"] = table["asked"]
    # Step 4: the contract.
    view["contract"] = table["contract"]
    view["declarer_rel"] = relative(int(table["declarer"]), seat)
    view["partner_rel"] = relative(int(table["partner"]), seat)
    view["trump"] = table["trump"]
    view["named"] = table["named"]
    # Step 5: the play, in the order it happened, as far as the set lets it be remembered (clause 8.4).
    n_plays = int(table["n_plays"])
    n_hidden = np.int64(hidden_plays(table, rules))
    view["leader_rel"] = relative(int(table["leader"]), seat)
    view["n_plays"], view["n_hidden"] = n_plays, n_hidden
    later = LATER[n_plays & CARD_BITS]
    for i in range(N_CARDS):
        view["plays"][i] = table["plays"][i] | later[i]
        view["play_seats_rel"][i] = (table["play_seats"][i] - seat) & SEAT_BITS | later[i]
    later = LATER[n_plays >> 2 & TRICK_BITS]
    for trick in range(N_TRICKS):
        view["trick_winners_rel"][trick] = (table["trick_winners"][trick] - seat) & SEAT_BITS | later[trick]
    for i in range(n_hidden):
        view["plays"][i], view["play_seats_rel"][i] = NO_CARD, NOBODY
    for trick in range(n_hidden >> 2):
        view["trick_winners_rel"][trick] = NOBODY
    for rel in range(N_SEATS):
        other = (seat + rel) & SEAT_BITS
        view["played_cards_rel"][rel] = played_by(table, other, n_hidden)
        view["failed_rel"][rel] = failed_by(table, other, n_hidden)
        view["tricks_rel"][rel] = table["tricks"][other]
        view["payoff_rel"][rel] = table["payoff"][other] if phase == OVER else 0
        view["account_rel"][rel] = table["account"][other]
    # Step 6: an exposed hand.
    exposed = int(table["exposed_seat"])
    view["exposed_rel"] = relative(exposed, seat)
    view["exposed_cards"] = 0 if exposed == NOBODY else table["hand_cards"][exposed]


# --- what a seat may know, in single facts: the view and the observation ask the same


@kernel
def legal_sets(table, rules, seat):
    """What ``seat`` may do now, as sets of cards and of calls (bit action - 52); both 0 when it is not on turn."""
    if table["turn"] != seat:
        return 0, 0
    return legal_card_set(table, rules), legal_call_set(table, rules)


@inlined
def shown_turned(table, rules):
    """The card turned up, NO_CARD if none is or it is no longer shown.

    Once trick 1 is complete it is in the dealer's hand, remembered or not (clause 8.4).
    """
    hidden = rules["hide_turned"] and table["n_plays"] >= N_SEATS
    return NO_CARD if hidden else int(table["turned_card"])


@inlined
def played_by(table, other, n_hidden):
    """The cards that a seat has played, as far as plays from the ``n_hidden``-th on show it."""
    if n_hidden == 0:
        return int(table["played_cards"][other])
    cards = 0
    for i in range(n_hidden, int(table["n_plays"])):
        if table["play_seats"][i] == other:
            cards |= 1 << int(table["plays"][i])
    return cards


@inlined
def failed_by(table, other, n_hidden):
    """The suits (bit a suit) that a seat has failed to follow, as far as the same plays show it."""
    if n_hidden == 0:
        return int(table["failed"][other])
    suits = 0
    for i in range(n_hidden, int(table["n_plays"])):
        led = int(table["plays"][i - i % N_SEATS]) // N_RANKS
        if table["play_seats"][i] == other and int(table["plays"][i]) // N_RANKS != led:
            suits |= 1 << led
    return suits


@kernel
def hidden_plays(table, rules):
    """How many plays, from the first on, are no longer shown: none unless the set has the table's memory."""
    if not rules["table_memory"]:
        return 0
    contract, n_plays = int(table["contract"]), int(table["n_plays"])
    misere = contract >= 0 and contract != GENERAL and rules["aim"][contract] == NO_TRICK
    shown = rules["last_trick"] == LAST_TRICK_ALWAYS or (rules["last_trick"] != LAST_TRICK_NEVER and not misere)
    turned = n_plays - n_plays % N_SEATS
    return max(0, turned - N_SEATS) if shown else turned


@kernel
def honest_cards(view):
    """The cards open to the observer that are no revoke; all that are open where revokes are impossible anyway."""
    cards, n_plays = int(view["legal_cards"]), int(view["n_plays"])
    lying = n_plays % N_SEATS
    if lying == 0:
        return cards
    following = suit_cards(cards, np.int64(view["plays"][n_plays - lying]) // N_RANKS)
    return following if following else cards


# --- the observation: of a view for players, of a table for environments, which need no view on the way
#
# A row is a record with a field for each block (``layout.ROW``). Numba counts the references to an array in an
# atomic variable, which took a quarter of a step where rows were slices; a record is a bare address.


@kernel
def write_observation(view, rules, row):
    """Fill ``row`` (a record ``ROW``) with the observation of a view."""
    n_plays, n_hidden, phase = np.int64(view["n_plays"]), np.int64(view["n_hidden"]), int(view["phase"])
    declarer, partner = np.int64(view["declarer_rel"]), np.int64(view["partner_rel"])
    clear_row(row)
    write_card_set(int(view["hand_cards"]), row["hand"])
    write_deal(int(view["suit"]), np.int64(view["turned_card"]), int(view["dealer_rel"]), phase, row)
    write_exposed(int(view["exposed_rel"]), int(view["exposed_cards"]), row)
    declaring = 0
    for rel in range(N_SEATS):
        tricks = int(view["tricks_rel"][rel])
        declaring += tricks if rel == declarer or rel == partner else 0
        played, failed = int(view["played_cards_rel"][rel]), int(view["failed_rel"][rel])
        write_seat(rel, played, failed, tricks, np.int64(view["account_rel"][rel]), row)
    write_played_trick(view["plays"], n_hidden, n_plays, row)
    if phase == PLAY:
        write_trick(view["plays"], view["play_seats_rel"], n_plays, np.int64(view["leader_rel"]), 0, row)
    write_winners(view["trick_winners_rel"], n_hidden, n_plays, 0, row)
    write_calls(view["calls"], view["call_seats_rel"], int(view["n_calls"]), 0, row)
    holder, acceptor = np.int64(view["holder_rel"]), np.int64(view["acceptor_rel"])
    write_standing(
        np.int64(view["standing"]), holder, acceptor, np.int64(view["asked"]), np.int64(view["named"]), row
    )
    write_contract(rules, np.int64(view["contract"]), declarer, partner, int(view["trump"]), row)
    write_tricks(rules, np.int64(view["contract"]), declarer, n_plays >> 2, declaring, row)
    write_session(np.int64(view["deal"]), np.int64(view["n_deals"]), int(view["pack_kind"]), row)
    write_rules(rules, row)


@kernel
def observe_table(table, rules, seat, row):
    """The same of a table, for ``seat``: reads the facts that ``write_view`` reads, and no other."""
    n_plays = np.int64(table["n_plays"])
    n_hidden = np.int64(hidden_plays(table, rules)) if rules["table_memory"] else 0
    phase, exposed = int(table["phase"]), int(table["exposed_seat"])
    declarer, partner = relative(np.int64(table["declarer"]), seat), relative(np.int64(table["partner"]), seat)
    clear_row(row)
    write_card_set(int(table["hand_cards"][seat]), row["hand"])
    turned = np.int64(shown_turned(table, rules))
    write_deal(int(table["suit"]), turned, relative(np.int64(table["dealer"]), seat), phase, row)
    if exposed != NOBODY:
        write_exposed(relative(exposed, seat), int(table["hand_cards"][exposed]), row)
    declaring = 0
    for rel in range(N_SEATS):
        other = (seat + rel) & SEAT_BITS
        tricks = int(table["tricks"][other])
        declaring += tricks if rel == declarer or rel == partner else 0
        played, failed = played_by(table, other, n_hidden), failed_by(table, other, n_hidden)
        write_seat(rel, played, failed, tricks, np.int64(table["account"][other]), row)
    if n_hidden:
        write_played_trick(table["plays"], n_hidden, n_plays, row)
    else:
        copy_columns(table["played_trick"], row["played_trick"], N_CARDS)
    if phase == PLAY:
        leader = relative(np.int64(table["leader"]), seat)
        write_trick(table["plays"], table["play_seats"], n_plays, leader, seat, row)
    write_winners(table["trick_winners"], n_hidden, n_plays, seat, row)
    write_calls(table["calls"], table["call_seats"], int(table["n_calls"]), seat, row)
    holder, acceptor = relative(np.int64(table["holder"]), seat), relative(np.int64(table["acceptor"]), seat)
    write_standing(
        np.int64(table["standing"]), holder, acceptor, np.int64(table["asked"]), np.int64(table["named"]), row
    )
    write_contract(rules, np.int64(table["contract"]), declarer, partner, int(table["trump"]), row)
    write_tricks(rules, np.int64(table["contract"]), declarer, n_plays >> 2, declaring, row)
    write_session(np.int64(table["deal"]), np.int64(table["n_deals"]), int(table["pack_kind"]), row)
    write_rules(rules, row)


@inlined
def clear_row(row):
    """Zero the columns of the blocks that are not written whole: those from ``trick`` to ``pack``."""
    for i in range(AT_TRICK, AT_PRICES):
        row["columns"][i] = 0


@inlined
def write_card_set(cards, out):
    """Fill ``out`` [52] with 1 for every card of a set, else 0: eight columns at a time."""
    for first in range(0, LAST_EIGHT, 8):
        bits = cards >> first & 255
        for i in range(8):
            out[first + i] = COLUMNS_OF_BITS[bits, i]
    bits = cards >> LAST_EIGHT & 15
    for i in range(4):
        out[LAST_EIGHT + i] = COLUMNS_OF_BITS[bits, i]


@inlined
def copy_columns(source, out, n):
    """Copy the first ``n`` columns; eight are read before any is written, since the compiler fears an overlap."""
    for i in range(0, n - 7, 8):
        a, b, c, d = source[i], source[i + 1], source[i + 2], source[i + 3]
        e, f, g, h = source[i + 4], source[i + 5], source[i + 6], source[i + 7]
        out[i], out[i + 1], out[i + 2], out[i + 3] = a, b, c, d
        out[i + 4], out[i + 5], out[i + 6], out[i + 7] = e, f, g, h
    for i in range(n - n % 8, n):
        out[i] = source[i]


@inlined
def write_one_hot(place, out):
    """Set ``out[place]`` to 1 in a block of zeros, nothing for a negative place (nobody, none).

    Without a branch, since no processor foresees who holds a call.
    """
    out[max(place, 0)] = place >= 0


@inlined
def write_deal(suit, turned, dealer, phase, row):
    """The deal and how far it is: suit, turned card, dealer, phase."""
    row["suit"][suit % (N_SUITS + 1)] = 1  # -1, a no-trump round, is the last
    write_one_hot(turned, row["turned"])
    row["dealer"][dealer & SEAT_BITS] = 1
    row["phase"][phase & PHASE_BITS] = 1


@inlined
def write_exposed(exposed, cards, row):
    """Whose hand lies face up, if anybody's, and its cards."""
    if exposed != NOBODY:
        row["exposed_seat"][exposed & SEAT_BITS] = 1
        write_card_set(cards, row["exposed"])


@inlined
def write_seat(rel, played, failed, tricks, account, row):
    """What one seat has played, failed to follow and won."""
    write_card_set(played, row["played"][rel])
    out = row["failed"][rel]
    for suit in range(N_SUITS):
        out[suit] = COLUMNS_OF_BITS[failed & SUITS_BITS, suit]
    row["tricks"][rel] = tricks
    write_digits(account, row["account"][rel])


@inlined
def write_played_trick(plays, n_hidden, n_plays, row):
    """The trick in which each card was played, as far as it is shown."""
    for card in range(N_CARDS):
        row["played_trick"][card] = 0
    for i in range(n_hidden, n_plays):
        row["played_trick"][int(plays[i]) & CARD_BITS] = 1 + (i >> 2)


@inlined
def write_trick(plays, seats, n_plays, leader, observer, row):
    """The current trick; ``seats`` count from a seat from which ``observer`` is so far clockwise."""
    for i in range(n_plays - (n_plays & SEAT_BITS), n_plays):
        row["trick"][(int(seats[i]) - observer) & SEAT_BITS, int(plays[i]) & CARD_BITS] = 1
    row["leader"][leader & SEAT_BITS] = 1


@inlined
def write_winners(winners, n_hidden, n_plays, observer, row):
    """Who won each complete trick that is shown."""
    for trick in range(n_hidden >> 2, n_plays >> 2):
        row["trick_winners"][trick & TRICK_BITS, (int(winners[trick]) - observer) & SEAT_BITS] = 1


@inlined
def write_calls(calls, seats, n_calls, observer, row):
    """The calls in order and by seat."""
    for i in range(n_calls):
        call, rel = (int(calls[i]) - FIRST_CALL) & CALL_BITS, (int(seats[i]) - observer) & SEAT_BITS
        row["calls"][i, call] = 1
        row["calls"][i, N_CALLS + rel] = 1
        row["calls_by_seat"][rel, call] = 1


@inlined
def write_standing(standing, holder, acceptor, asked, named, row):
    """The standing call, who holds and who has accepted it, why one is asked, a suit named with a call."""
    write_one_hot(standing, row["standing"])
    write_one_hot(holder, row["holder"])
    write_one_hot(acceptor, row["acceptor"])
    write_one_hot(asked - 1, row["asked"])
    write_one_hot(named, row["named"])


@inlined
def write_contract(rules, contract, declarer, partner, trump, row):
    """The contract, its sides, one's role, trumps."""
    write_one_hot(contract, row["contract"])
    write_one_hot(declarer, row["declarer"])
    write_one_hot(partner, row["partner"])
    role = ROLE_UNDECIDED
    if contract == GENERAL:
        role = ROLE_FOR_ONESELF
    elif contract != NO_CONTRACT:
        role = ROLE_DECLARER if declarer == 0 else ROLE_PARTNER if partner == 0 else ROLE_DEFENDER
    row["role"][role] = 1
    row["trump"][(trump + 2) & TRUMP_BITS] = 1  # -2 not yet named, -1 none, then the suits


@inlined
def write_tricks(rules, contract, declarer, n_tricks, declaring, row):
    """The tricks left, and of a contract those of each side (``declaring``: the declarers') and those needed."""
    row["tricks_left"][0] = N_TRICKS - n_tricks
    if declarer != NOBODY:
        row["tricks_by_side"][0] = declaring
        row["tricks_by_side"][1] = n_tricks - declaring
        if rules["aim"][contract] != NO_TRICK:
            row["tricks_needed"][0] = max(0, int(rules["target"][contract]) - declaring)


@inlined
def write_session(deal, n_deals, pack_kind, row):
    """The number of the deal, how many there are, where the pack came from."""
    write_digits(deal, row["deals"][0])
    write_digits(n_deals, row["deals"][1])
    row["pack"][pack_kind & PACK_BITS] = 1


@inlined
def write_digits(number, out):
    """Write the digits of a number to base 100, the lowest first, each with its sign."""
    sign, left, at = -1 if number < 0 else 1, abs(number), 0
    while left:
        out[at] = sign * (left % DIGIT_BASE)
        left //= DIGIT_BASE
        at += 1


@inlined
def write_rules(rules, row):
    """The blocks of the ruleset, which lie ready in its record: prices, targets, the ladder and the other keys."""
    copy_columns(rules["shown"], row["columns"][AT_PRICES:], N_SHOWN)


@kernel
def write_mask(cards, calls, mask):
    """Fill ``mask`` (a record ``MASK``) with 1 for the cards and calls (bit action - 52) of two sets, else 0."""
    write_card_set(cards, mask["legal"])
    for first in range(0, N_ACTIONS - FIRST_CALL, 8):
        bits = calls >> first & 255
        for i in range(8):
            mask["legal"][FIRST_CALL + first + i] = COLUMNS_OF_BITS[bits, i]


@kernel
def write_state(table, seat, out, b):
    """Fill ``out[b]`` (int8[N, 4 * 52]) with all four hands as ``seat`` counts the seats: for critics only."""
    for rel in range(N_SEATS):
        cards = int(table["hand_cards"][(seat + rel) & SEAT_BITS])
        for card in range(N_CARDS):
            out[b, N_CARDS * rel + card] = cards >> card & 1
