"""The cards that one seat's view leaves hidden: how many ways they may lie, and ways drawn alike.

An unseen card is in one of four *places*: with one of the three other seats, or *gone*, played in a trick that is
no longer shown (clause 8.4). A place has room for so many cards. A view tells of a card only

    its suit   a seat that failed to follow holds none of it, where a revoke is impossible (``proven_voids``)
    the turned card, or its suit where that is hidden: it was dealt to the dealer

so all unseen cards that may be in the same places are alike, and the suits fall into at most four *groups* of
such cards. The ways to fill the places are counted group by group from the last (``work["ways"]``) and drawn group
by group from the first: how many of the group's cards each place gets, each split with its number of ways as its
weight; then which ones. Nothing is drawn in vain, and every way is as likely as any other.

Ways are counted in float64: exact up to 2**53, beyond it to a few parts in 2**53.
"""

from __future__ import annotations

import math

import numpy as np

from solo_env.actions import OVER, PLAY
from solo_env.cards import N_CARDS, N_RANKS, N_SEATS, N_SUITS, N_TRICKS, NO_CARD, PACK, SUIT_MASK
from solo_env.engine._jit import kernel
from solo_env.engine.bits import nth_card, popcount, random_below, random_unit, seed_stream, suit_cards
from solo_env.rules.model import GENERAL, NO_TRICK
from solo_env.rules.pack import SOURCE_TURN_UP

N_OTHERS = N_SEATS - 1  # the places 0, 1, 2 are the seats 1, 2, 3 from the observer
GONE = N_OTHERS
N_PLACES = N_OTHERS + 1
SIDE = N_TRICKS + 1  # a hand has room for 0 to 13
N_STATES = SIDE**N_OTHERS
STREAM_HANDS = 1 << 30  # no deal has a stream of so high a number

# Where the turned card may be: nowhere unseen, in the dealer's hand, gone.
TURNED_SEEN, TURNED_HELD, TURNED_GONE = range(3)
N_TURNED = 3

CHOOSE = np.array([[math.comb(n, k) for k in range(N_CARDS + 1)] for n in range(N_CARDS + 1)], np.float64)

WORK = np.dtype(
    [
        # ways to fill the groups from the k-th on into the room left, an index as ``state`` makes it
        ("ways", "f8", (N_SUITS + 1, N_STATES)),
        ("group_cards", "i8", N_SUITS),  # the turned card's group is the first
        ("group_places", "i8", N_SUITS),  # bit a place: where its cards may be
        ("n_groups", "i8"),
        ("room", "i8", N_PLACES),  # for how many unseen cards
        ("left", "i8", N_PLACES),  # the same while one way is drawn
        ("split", "i8", N_PLACES),  # how many cards of a group each place gets
        ("turned", "f8", N_TURNED),  # ways by where the turned card is, an index TURNED_*
        ("candidates", "i8"),  # the unseen cards that may be the turned card
        ("cards", "i8", N_CARDS),
        ("rng", "i8", 4),
    ],
    align=True,
)


def new_work() -> np.ndarray:
    """Scratch for the kernels below, an array [1] of dtype ``WORK``; no two threads may share one."""
    return np.zeros(1, WORK)


@kernel
def sample_rows(views, rules, keys, work, hands, n_deals):
    """Fill ``hands`` (int64[B, N, 4]) with N draws for each view: by relative seat, the cards each still holds.

    ``n_deals`` (float64[B]) receives the number of deals that each view leaves possible: 0.0, and hands of no card,
    where there are none or the deal is over. Sample i of a view depends on view, rules, key (int64[B]) and i alone.
    """
    for b in range(len(views)):
        view, scratch = views[b], work[0]
        n_deals[b] = count_deals(view, rules[0], scratch)
        seed_stream(scratch["rng"], int(keys[b]), 0, 0, STREAM_HANDS)
        for i in range(hands.shape[1]):
            for rel in range(N_SEATS):
                hands[b, i, rel] = 0
            if n_deals[b] > 0.0:
                draw_hands(view, scratch, hands[b, i])


@kernel
def count_deals(view, rules, work):
    """How many deals the view leaves possible, 0.0 for none or a deal that is over; fills ``work`` for drawing.

    A deal is what each seat was dealt and what of it it has played; where the turned card is hidden, also which it
    was.
    """
    if view["phase"] == OVER:
        return 0.0
    unseen = open_places(view, work)
    if unseen < 0:
        return 0.0
    # Step 1: the turned card, or where it is hidden the cards it may have been, belongs to the dealer.
    dealer = int(view["dealer_rel"])
    marked, n_known = 0, 1
    if rules["source"] == SOURCE_TURN_UP:
        turned, suit = int(view["turned_card"]), int(view["suit"])
        marked = SUIT_MASK << (N_RANKS * suit) if turned == NO_CARD else 1 << turned
        n_known = popcount(known_cards(view, dealer) & marked)
    work["candidates"] = unseen & marked
    # Step 2: groups of cards that may be in the same places, and the ways to fill all but the first.
    gather_groups(view, rules, unseen, work)
    count_groups(work)
    # Step 3: the first group, with each place that the turned card may have.
    room, turned_ways = work["room"], work["turned"]
    n_first = popcount(int(work["group_cards"][0]))
    n_candidates = popcount(int(work["candidates"]))
    for where in range(N_TURNED):
        turned_ways[where] = 0.0
    if n_known:
        turned_ways[TURNED_SEEN] = n_known * split_group(work, 0, n_first, room, math.inf)
    if n_candidates:
        place = dealer - 1
        if place >= 0 and room[place] and work["group_places"][0] >> place & 1:
            room[place] -= 1
            turned_ways[TURNED_HELD] = n_candidates * split_group(work, 0, n_first - 1, room, math.inf)
            room[place] += 1
        if room[GONE]:
            # What is gone the four seats have played, a quarter each: so often it was the dealer who did.
            room[GONE] -= 1
            turned_ways[TURNED_GONE] = n_candidates * split_group(work, 0, n_first - 1, room, math.inf) / N_SEATS
            room[GONE] += 1
    tricks, gone = int(room[GONE]) // N_SEATS, int(room[GONE])
    shares = CHOOSE[gone, tricks] * CHOOSE[gone - tricks, tricks] * CHOOSE[2 * tricks, tricks]
    return shares * (turned_ways[TURNED_SEEN] + turned_ways[TURNED_HELD] + turned_ways[TURNED_GONE])


@kernel
def open_places(view, work):
    """Fill ``work["room"]``; returns the set of unseen cards, -1 where they don't fill the room."""
    room, tricks = work["room"], int(view["n_hidden"]) // N_SEATS
    exposed = int(view["exposed_rel"])
    seen, total = int(view["hand_cards"]), N_SEATS * tricks
    room[GONE] = total
    for rel in range(N_SEATS):
        seen |= int(view["played_cards_rel"][rel])
    for place in range(N_OTHERS):
        if place + 1 == exposed:
            room[place] = 0
            seen |= int(view["exposed_cards"])
        else:
            room[place] = N_TRICKS - tricks - popcount(int(view["played_cards_rel"][place + 1]))
        if room[place] < 0:
            return -1
        total += room[place]
    unseen = PACK & ~seen
    return unseen if popcount(unseen) == total else -1


@kernel
def known_cards(view, rel):
    """The cards that a seat (relative) was dealt as far as the view shows them."""
    cards = int(view["played_cards_rel"][rel])
    if rel == 0:
        cards |= int(view["hand_cards"])
    if rel == view["exposed_rel"]:
        cards |= int(view["exposed_cards"])
    return cards


@kernel
def proven_voids(view, rules, rel):
    """The suits, bit a suit, that a seat (relative) cannot hold because it failed to follow them.

    Where a revoke is possible nothing is proven, except in a misère that goes on: a revoke would have ended it with
    its trick (clause 9.1).
    """
    if not rules["revokes"]:
        return int(view["failed_rel"][rel])
    contract = int(view["contract"])
    if contract < 0 or contract == GENERAL or rules["aim"][contract] != NO_TRICK or view["phase"] != PLAY:
        return 0
    voids, led, n_plays = 0, 0, int(view["n_plays"])
    for i in range(int(view["n_hidden"]), n_plays - n_plays % N_SEATS):
        suit = int(view["plays"][i]) // N_RANKS
        if i % N_SEATS == 0:
            led = suit
        elif suit != led and view["play_seats_rel"][i] == rel:
            voids |= 1 << led
    return voids


@kernel
def gather_groups(view, rules, unseen, work):
    """Fill the groups of ``work``: the suits of the unseen cards, joined where they may be in the same places."""
    group_cards, group_places, n_groups = work["group_cards"], work["group_places"], 0
    group_cards[0] = group_places[0] = 0
    first = int(view["suit"]) & 3  # a turned card is of this suit; without one any suit may be the first
    for i in range(N_SUITS):
        suit = (first + i) % N_SUITS
        cards = suit_cards(unseen, suit)
        if cards == 0:
            continue
        places = 1 << GONE if work["room"][GONE] else 0
        for place in range(N_OTHERS):
            if work["room"][place] and proven_voids(view, rules, place + 1) >> suit & 1 == 0:
                places |= 1 << place
        k = 0
        while k < n_groups and group_places[k] != places:
            k += 1
        if k == n_groups:
            group_cards[k], group_places[k] = 0, places
            n_groups += 1
        group_cards[k] |= cards
    work["n_groups"] = n_groups


@kernel
def state(a, b, c):
    """The index of the room left with the three seats; what is left for the gone cards follows from it."""
    return a + SIDE * (b + SIDE * c)


@kernel
def count_groups(work):
    """Fill ``work["ways"]`` for all groups but the first, from the last on."""
    n_groups, room, left, ways = int(work["n_groups"]), work["room"], work["left"], work["ways"]
    ways[max(n_groups, 1), 0] = 1.0
    n_left = 0
    for k in range(n_groups - 1, 0, -1):
        n = popcount(int(work["group_cards"][k]))
        n_left += n
        for a in range(min(n_left, room[0]) + 1):
            for b in range(min(n_left - a, room[1]) + 1):
                rest = n_left - a - b
                for c in range(max(0, rest - room[GONE]), min(rest, room[2]) + 1):
                    left[0], left[1], left[2], left[GONE] = a, b, c, rest - c
                    ways[k, state(a, b, c)] = split_group(work, k, n, left, math.inf)


@kernel
def split_group(work, k, n, room, target):
    """The ways to put ``n`` cards of group ``k`` into ``room`` and the later groups into what is then left.

    Ways are added up split by split until there are more than ``target``; ``work["split"]`` is the last that has
    any.
    """
    places, ways, split, later = int(work["group_places"][k]), work["ways"], work["split"], k + 1
    most_0 = int(room[0]) if places & 1 else 0
    most_1 = int(room[1]) if places & 2 else 0
    most_2 = int(room[2]) if places & 4 else 0
    most_3 = int(room[GONE]) if places & 8 else 0
    total = 0.0
    for a in range(max(0, n - most_1 - most_2 - most_3), min(n, most_0) + 1):
        n_a = n - a
        ways_a = CHOOSE[n, a]
        for b in range(max(0, n_a - most_2 - most_3), min(n_a, most_1) + 1):
            n_b = n_a - b
            ways_b = ways_a * CHOOSE[n_a, b]
            for c in range(max(0, n_b - most_3), min(n_b, most_2) + 1):
                at = state(int(room[0]) - a, int(room[1]) - b, int(room[2]) - c)
                found = ways_b * CHOOSE[n_b, c] * ways[later, at]
                if found > 0.0:
                    split[0], split[1], split[2], split[GONE] = a, b, c, n_b - c
                    total += found
                    if total > target:
                        return total
    return total


@kernel
def draw_hands(view, work, hands):
    """Draw one way for a view whose deals were counted: fills ``hands`` (int64[4]), moves ``work["rng"]``."""
    rng, left, turned_ways = work["rng"], work["left"], work["turned"]
    hands[0] = view["hand_cards"]
    for place in range(N_PLACES):
        left[place] = work["room"][place]
        if place < N_OTHERS:
            hands[place + 1] = view["exposed_cards"] if place + 1 == view["exposed_rel"] else 0
    # Step 1: where the turned card is, and where that is hidden which card it is.
    cards, where = int(work["group_cards"][0]), TURNED_SEEN
    if work["candidates"]:
        target = random_unit(rng) * (turned_ways[TURNED_SEEN] + turned_ways[TURNED_HELD] + turned_ways[TURNED_GONE])
        while where < TURNED_GONE and (target >= turned_ways[where] or turned_ways[where] == 0.0):
            target -= turned_ways[where]
            where += 1
        if turned_ways[where] == 0.0:  # the last had no ways, and rounding led to it
            where = TURNED_HELD if turned_ways[TURNED_HELD] > 0.0 else TURNED_SEEN
        if where != TURNED_SEEN:
            candidates = int(work["candidates"])
            bit = 1 << nth_card(candidates, random_below(rng, popcount(candidates)))
            cards &= ~bit
            place = GONE if where == TURNED_GONE else int(view["dealer_rel"]) - 1
            left[place] -= 1
            if place != GONE:
                hands[place + 1] |= bit
    # Step 2: group by group how many cards go where, then which.
    for k in range(int(work["n_groups"])):
        if k > 0:
            cards = int(work["group_cards"][k])
        n, target = popcount(cards), 0.0
        if work["group_places"][k] & (work["group_places"][k] - 1):  # more than one place
            target = random_unit(rng) * split_group(work, k, n, left, math.inf)
        split_group(work, k, n, left, target)
        draw_cards(cards, work, hands)


@kernel
def draw_cards(cards, work, hands):
    """Draw which cards of a set go where, as many as ``work["split"]`` says; takes the room for them."""
    pile, split, left, rng = work["cards"], work["split"], work["left"], work["rng"]
    rest, n = cards, 0
    while rest:
        pile[n] = rest & -rest
        rest &= rest - 1
        n += 1
    rest = cards
    for place in range(N_OTHERS):
        count = int(split[place])
        left[place] -= count
        if count == n:  # all that is left
            hands[place + 1] |= rest
            rest, n = 0, 0
            continue
        for _ in range(count):
            at = random_below(rng, n)
            n -= 1
            hands[place + 1] |= pile[at]
            rest &= ~pile[at]
            pile[at] = pile[n]
    left[GONE] -= split[GONE]
