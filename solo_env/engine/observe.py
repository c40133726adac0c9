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
from solo_env.engine._jit import kernel
from solo_env.engine.bits import lowest, suit_cards
from solo_env.engine.state import NOBODY
from solo_env.engine.step import legal_call_set, legal_card_set
from solo_env.layout import ACCOUNT_DIGITS, DEAL_DIGITS, DIGIT_BASE, MAX_CALLS, N_FEATURES, OFFSETS
from solo_env.rules.model import GENERAL, NO_CONTRACT, NO_TRICK
from solo_env.rules.pack import LAST_TRICK_ALWAYS, LAST_TRICK_NEVER

AT_HAND = OFFSETS["hand"]
AT_PLAYED = OFFSETS["played"]
AT_PLAYED_TRICK = OFFSETS["played_trick"]
AT_TRICK = OFFSETS["trick"]
AT_LEADER = OFFSETS["leader"]
AT_TRICK_WINNERS = OFFSETS["trick_winners"]
AT_FAILED = OFFSETS["failed"]
AT_TURNED = OFFSETS["turned"]
AT_SUIT = OFFSETS["suit"]
AT_EXPOSED_SEAT = OFFSETS["exposed_seat"]
AT_EXPOSED = OFFSETS["exposed"]
AT_CALLS = OFFSETS["calls"]
AT_CALLS_BY_SEAT = OFFSETS["calls_by_seat"]
AT_STANDING = OFFSETS["standing"]
AT_HOLDER = OFFSETS["holder"]
AT_ACCEPTOR = OFFSETS["acceptor"]
AT_ASKED = OFFSETS["asked"]
AT_NAMED = OFFSETS["named"]
AT_PHASE = OFFSETS["phase"]
AT_CONTRACT = OFFSETS["contract"]
AT_DECLARER = OFFSETS["declarer"]
AT_PARTNER = OFFSETS["partner"]
AT_ROLE = OFFSETS["role"]
AT_TRUMP = OFFSETS["trump"]
AT_DEALER = OFFSETS["dealer"]
AT_TRICKS = OFFSETS["tricks"]
AT_TRICKS_BY_SIDE = OFFSETS["tricks_by_side"]
AT_TRICKS_NEEDED = OFFSETS["tricks_needed"]
AT_TRICKS_LEFT = OFFSETS["tricks_left"]
AT_PRICES = OFFSETS["prices"]
AT_ACCOUNT = OFFSETS["account"]
AT_DEALS = OFFSETS["deals"]
AT_PACK = OFFSETS["pack"]

N_SHOWN = N_FEATURES - AT_PRICES
CARD_BITS, SEAT_BITS, CALL_BITS = 63, 3, 15  # what a card, a seat and a call need

ROLE_UNDECIDED, ROLE_DECLARER, ROLE_PARTNER, ROLE_DEFENDER, ROLE_FOR_ONESELF = range(5)


@kernel
def relative(seat, observer):
    """An absolute seat as the observer counts: 0 itself, 1 its left neighbour; NOBODY stays nobody."""
    return NOBODY if seat == NOBODY else (seat - observer) & SEAT_BITS


@kernel
def write_view(table, rules, seat, view):
    """Fill ``view`` with what ``seat`` may know of the table; the table is not changed."""
    view["seat"] = seat
    # Step 1: the seat's own hand, and what it may do if it is on turn (clause 8.2).
    view["hand_cards"] = table["hand_cards"][seat]
    on_turn = table["turn"] == seat
    view["legal_cards"] = legal_card_set(table, rules) if on_turn else 0
    view["legal_calls"] = legal_call_set(table, rules) if on_turn else 0
    # Step 2: facts that all may know, here and below (clause 8.1); nothing else is read (clause 8.3).
    phase = int(table["phase"])
    view["phase"] = phase
    view["turn_rel"] = relative(int(table["turn"]), seat)
    view["dealer_rel"] = relative(int(table["dealer"]), seat)
    # Once trick 1 is complete the turned card is in the dealer's hand, remembered or not (clause 8.4).
    hidden = rules["hide_turned"] and table["n_plays"] >= N_SEATS
    view["turned_card"] = NO_CARD if hidden else table["turned_card"]
    view["suit"] = table["suit"]
    view["deal"], view["n_deals"], view["pack_kind"] = table["deal"], table["n_deals"], table["pack_kind"]
    # Step 3: the auction.
    n_calls = int(table["n_calls"])
    view["n_calls"] = n_calls
    for i in range(MAX_CALLS):
        made = i < n_calls
        view["calls"][i] = table["calls"][i] if made else 0
        view["call_seats_rel"][i] = (table["call_seats"][i] - seat) & SEAT_BITS if made else NOBODY
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
    n_hidden = hidden_plays(table, rules)
    view["leader_rel"] = relative(int(table["leader"]), seat)
    view["n_plays"], view["n_hidden"] = n_plays, n_hidden
    for i in range(N_CARDS):  # `&` of two comparisons, not `and`: so the compiler makes it one vector
        made = (i >= n_hidden) & (i < n_plays)
        view["plays"][i] = table["plays"][i] if made else NO_CARD
        view["play_seats_rel"][i] = (table["play_seats"][i] - seat) & SEAT_BITS if made else NOBODY
    for trick in range(N_TRICKS):
        complete = (trick >= n_hidden >> 2) & (trick < n_plays >> 2)
        view["trick_winners_rel"][trick] = (
            (table["trick_winners"][trick] - seat) & SEAT_BITS if complete else NOBODY
        )
    for rel in range(N_SEATS):
        other = (seat + rel) % N_SEATS
        view["played_cards_rel"][rel] = table["played_cards"][other]
        view["tricks_rel"][rel] = table["tricks"][other]
        view["failed_rel"][rel] = table["failed"][other]
        view["payoff_rel"][rel] = table["payoff"][other] if phase == OVER else 0
        view["account_rel"][rel] = table["account"][other]
    if n_hidden:
        forget(view, n_hidden)
    # Step 6: an exposed hand.
    exposed = int(table["exposed_seat"])
    view["exposed_rel"] = relative(exposed, seat)
    view["exposed_cards"] = 0 if exposed == NOBODY else table["hand_cards"][exposed]


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
def forget(view, n_hidden):
    """Take out of a view what only the plays before the ``n_hidden``-th show: who played what and failed to."""
    for rel in range(N_SEATS):
        view["played_cards_rel"][rel] = 0
        view["failed_rel"][rel] = 0
    led = 0
    for i in range(n_hidden, int(view["n_plays"])):
        rel, card = int(view["play_seats_rel"][i]), int(view["plays"][i])
        view["played_cards_rel"][rel] |= 1 << card
        if i % N_SEATS == 0:
            led = card // N_RANKS
        elif card // N_RANKS != led:
            view["failed_rel"][rel] |= 1 << led


@kernel
def honest_cards(view):
    """The cards open to the observer that are no revoke; all that are open where revokes are impossible anyway."""
    cards, n_plays = int(view["legal_cards"]), int(view["n_plays"])
    lying = n_plays % N_SEATS
    if lying == 0:
        return cards
    following = suit_cards(cards, np.int64(view["plays"][n_plays - lying]) // N_RANKS)
    return following if following else cards


@kernel
def write_card_set(cards, out, at):
    """Set ``out[at + card]`` to 1 for every card of a set."""
    while cards:
        out[at + lowest(cards)] = 1
        cards &= cards - 1


@kernel
def write_one_hot(place, out, at):
    """Set ``out[at + place]`` to 1, nothing for a negative place (nobody, none)."""
    if place >= 0:
        out[at + place] = 1


@kernel
def write_observation(view, rules, out):
    """Fill ``out`` (int8[F], every column) with the observation of a view; blocks as in ``layout.py``."""
    for i in range(N_FEATURES):
        out[i] = 0
    write_cards(view, out)
    write_auction(view, out)
    write_contract(view, rules, out)
    write_session(view, out)
    write_rules(rules, out)


@kernel
def write_cards(view, out):
    """The blocks of cards: hand, played, trick, leader, failed, turned and exposed."""
    write_card_set(int(view["hand_cards"]), out, AT_HAND)
    n_plays, n_hidden = int(view["n_plays"]), int(view["n_hidden"])
    plays, seats = view["plays"], view["play_seats_rel"]
    # Masked as below, an index is known not to count from the end, which spares a comparison.
    for i in range(n_hidden, n_plays):
        card, rel = int(plays[i]) & CARD_BITS, int(seats[i]) & SEAT_BITS
        out[AT_PLAYED + N_CARDS * rel + card] = 1
        out[AT_PLAYED_TRICK + card] = 1 + (i >> 2)
    if view["phase"] != OVER:
        for i in range(n_plays - (n_plays & SEAT_BITS), n_plays):
            out[AT_TRICK + N_CARDS * (int(seats[i]) & SEAT_BITS) + (int(plays[i]) & CARD_BITS)] = 1
    if view["phase"] == PLAY:
        out[AT_LEADER + int(view["leader_rel"])] = 1
    winners = view["trick_winners_rel"]
    for trick in range(n_hidden >> 2, n_plays >> 2):
        out[AT_TRICK_WINNERS + N_SEATS * trick + (int(winners[trick]) & SEAT_BITS)] = 1
    for rel in range(N_SEATS):
        for suit in range(N_SUITS):
            out[AT_FAILED + N_SUITS * rel + suit] = int(view["failed_rel"][rel]) >> suit & 1
    write_one_hot(np.int64(view["turned_card"]), out, AT_TURNED)
    out[AT_SUIT + int(view["suit"]) % (N_SUITS + 1)] = 1  # -1, a no-trump round, is the last
    write_one_hot(np.int64(view["exposed_rel"]), out, AT_EXPOSED_SEAT)
    write_card_set(int(view["exposed_cards"]), out, AT_EXPOSED)


@kernel
def write_auction(view, out):
    """The blocks of the auction: calls in order and by seat, the standing call, why one is asked."""
    calls, seats = view["calls"], view["call_seats_rel"]
    for i in range(int(view["n_calls"])):
        call, rel = (int(calls[i]) - FIRST_CALL) & CALL_BITS, int(seats[i]) & SEAT_BITS
        at = AT_CALLS + (N_CALLS + N_SEATS) * i
        out[at + call] = 1
        out[at + N_CALLS + rel] = 1
        out[AT_CALLS_BY_SEAT + N_CALLS * rel + call] = 1
    write_one_hot(np.int64(view["standing"]), out, AT_STANDING)
    write_one_hot(np.int64(view["holder_rel"]), out, AT_HOLDER)
    write_one_hot(np.int64(view["acceptor_rel"]), out, AT_ACCEPTOR)
    write_one_hot(np.int64(view["asked"]) - 1, out, AT_ASKED)
    write_one_hot(np.int64(view["named"]), out, AT_NAMED)
    out[AT_PHASE + int(view["phase"])] = 1
    write_one_hot(np.int64(view["dealer_rel"]), out, AT_DEALER)


@kernel
def write_contract(view, rules, out):
    """The blocks of the contract: sides, role, trumps, tricks by seat and side, tricks still needed."""
    contract = np.int64(view["contract"])
    declarer, partner = np.int64(view["declarer_rel"]), np.int64(view["partner_rel"])
    write_one_hot(contract, out, AT_CONTRACT)
    write_one_hot(declarer, out, AT_DECLARER)
    write_one_hot(partner, out, AT_PARTNER)
    role = ROLE_UNDECIDED
    if contract == GENERAL:
        role = ROLE_FOR_ONESELF
    elif contract != NO_CONTRACT:
        role = ROLE_DECLARER if declarer == 0 else ROLE_PARTNER if partner == 0 else ROLE_DEFENDER
    out[AT_ROLE + role] = 1
    out[AT_TRUMP + int(view["trump"]) + 2] = 1  # -2 not yet named, -1 none, then the suits
    n_tricks, declaring = int(view["n_plays"]) // N_SEATS, 0
    for rel in range(N_SEATS):
        tricks = int(view["tricks_rel"][rel])
        out[AT_TRICKS + rel] = tricks
        if rel == declarer or rel == partner:
            declaring += tricks
    out[AT_TRICKS_LEFT] = N_TRICKS - n_tricks
    if declarer != NOBODY:
        out[AT_TRICKS_BY_SIDE] = declaring
        out[AT_TRICKS_BY_SIDE + 1] = n_tricks - declaring
        if rules["aim"][contract] != NO_TRICK:
            out[AT_TRICKS_NEEDED] = max(0, int(rules["target"][contract]) - declaring)


@kernel
def write_digits(number, out, at):
    """Write the digits of a number to base 100 from ``at`` on, the lowest first, each with its sign."""
    sign, left = -1 if number < 0 else 1, abs(number)
    while left:
        out[at] = sign * (left % DIGIT_BASE)
        left //= DIGIT_BASE
        at += 1


@kernel
def write_session(view, out):
    """The blocks of the session: the account, the number of the deal, where the pack came from."""
    for rel in range(N_SEATS):
        write_digits(np.int64(view["account_rel"][rel]), out, AT_ACCOUNT + ACCOUNT_DIGITS * rel)
    write_digits(np.int64(view["deal"]), out, AT_DEALS)
    write_digits(np.int64(view["n_deals"]), out, AT_DEALS + DEAL_DIGITS)
    out[AT_PACK + int(view["pack_kind"])] = 1


@kernel
def write_rules(rules, out):
    """The blocks of the ruleset, which lie ready in its record: prices, targets, the ladder and the other keys."""
    shown, block = rules["shown"], out[AT_PRICES:]
    for i in range(N_SHOWN):
        block[i] = shown[i]


@kernel
def write_mask(view, out):
    """Fill ``out`` (int8[A]) with 1 for what the observer may do now; zeros when it is not on turn."""
    for action in range(N_ACTIONS):
        out[action] = 0
    write_card_set(int(view["legal_cards"]), out, 0)
    write_card_set(int(view["legal_calls"]), out, FIRST_CALL)


@kernel
def write_state(table, seat, out):
    """Fill ``out`` (int8[4 * 52]) with all four hands as ``seat`` counts the seats: for critics only."""
    for i in range(N_SEATS * N_CARDS):
        out[i] = 0
    for rel in range(N_SEATS):
        write_card_set(int(table["hand_cards"][(seat + rel) % N_SEATS]), out, N_CARDS * rel)
