"""Deals played out on the engine's kernels, to measure: contracts that are forced, and self-play that explores."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from baselines.call_values import (
    MADE,
    MEASURED,
    N_WEIGHED,
    NEVER,
    SCORE,
    VALUE,
    choose_action,
    contract_of,
    enough_trumps,
    place_of,
    position_of,
    situation_of,
)
from baselines.card_play import choose_card, new_scratch
from baselines.hand_score import LONG, LOW, OPEN, PETIT_SLAM, PROPOSE, PROPOSE_NT, SLAM, TOPS
from baselines.hand_value import best_trumps, hand_danger, hand_losers, hand_tenths, running_hand, wide
from solo_env.actions import AUCTION, COP, FIRST_CALL, FIRST_TRUMPS, N_CALLS, NAMING, PASS, PLAY, PROP
from solo_env.cards import N_CARDS, N_RANKS, N_SEATS, N_SUITS, N_TRICKS
from solo_env.engine._jit import kernel
from solo_env.engine.bits import decision_key, key_below, random_below, seed_stream
from solo_env.engine.deal import open_auction
from solo_env.engine.observe import write_view
from solo_env.engine.scoring import taken_by_declarers
from solo_env.engine.state import ASKED_HOLDER, NOBODY, SHUFFLED, new_views
from solo_env.engine.step import apply_action, legal_call_set, n_decisions
from solo_env.rules import load_ruleset, pack_array
from solo_env.rules.model import PC

CALIBRATION_GAME = 1 << 41  # no match, environment or training counts so far
HIGH_FROM = 7  # ranks above the nine are high
TRIES = 400  # hands drawn until one is worth playing
N_LOGGED = 12  # calls of a deal that are noted
# What is noted of a call.
(CALL, SITUATION, PLACE, POSITION, SCORED, SEAT, HOLDING, ROUND) = range(8)
N_NOTES = 8
# What is noted of a deal.
(CONTRACT, DECLARER, PARTNER, TRUMP, N_CALLED, LAST_EXPLORED) = range(6)
N_ENDS = 6


# A hand is worth playing when it has the tenths and no more losers, or so little danger, or runs so many tricks.
LEAST_TENTHS = (16, 16, 25, 62, 80, 90, 0, 0, 0, 14, 14, 14)
MOST_LOSERS_OF = (13, 13, 13, 6, 4, 3, 13, 13, 13, 13, 13, 13)
MOST_DANGER_OF = (0, 0, 0, 0, 0, 0, 0, 34, 12, 0, 0, 0)
LEAST_RUNNING = 8
PARTNER_TENTHS, PARTNER_TENTHS_NT, HOPELESS_TENTHS = 27, 22, 14  # of who accepts; of an acceptor who is measured
EXPLORING = 16  # a call of so many is drawn, if the auction has it
HOPELESS = -200  # no call of a lower score is drawn
EXPLORING_STREAM = 7  # no seat, so that no player's key is the same


class Desk(NamedTuple):
    """What play-outs need beside the tables: the rules, the points of the cards, and scratch."""

    rules: NDArray[np.void]
    points: NDArray[np.int64]
    facts: NDArray[np.void]  # [1], as rows
    rows: NDArray[np.void]
    views: NDArray[np.void]
    weights: NDArray[np.int64]  # of cards
    weighed: NDArray[np.float64]  # calls


class Log(NamedTuple):
    """What self-play notes of N deals."""

    hands: NDArray[np.int64]  # [N, 4], by seat
    chances: NDArray[np.float64]  # [N, 12], as told for each call
    notes: NDArray[np.int64]  # [N, 12, 8], of each call
    ends: NDArray[np.int64]  # [N, 6]


def new_desk(ruleset: str, points: NDArray[np.int64]) -> Desk:
    """A desk for play-outs of a ruleset."""
    rules = pack_array(load_ruleset(ruleset))
    return Desk(
        rules, points, *new_scratch(), new_views(1), np.zeros(N_CARDS, np.int64), np.zeros((N_CALLS, N_WEIGHED))
    )


def new_log(n: int) -> Log:
    """An empty log of ``n`` deals."""
    return Log(
        np.zeros((n, N_SEATS), np.int64), np.zeros((n, N_LOGGED)), np.zeros((n, N_LOGGED, N_NOTES), np.int64),
        np.zeros((n, N_ENDS), np.int64),
    )  # fmt: skip


@kernel
def write_weights(rng: NDArray[np.int64], kind: int, weights: NDArray[np.int64]) -> None:
    """Fill ``weights`` (int64 [52]): how likely each card is to be drawn for the kind of hand.

    Long hands lean towards a suit and high cards, hands for no trumps to the tops, misères to low cards.
    """
    main, more = random_below(rng, N_SUITS), 2 + random_below(rng, 6)
    for card in range(N_CARDS):
        rank, weight = card % N_RANKS, 10
        above, below = max(0, rank - HIGH_FROM), N_RANKS - 1 - rank
        in_main = more if card // N_RANKS == main else 1
        if kind in (LONG, PETIT_SLAM, SLAM):
            weight = (6 + above * (3 if kind == LONG else 12)) * in_main
        elif kind == TOPS:
            weight = (1 + above * above * 6) * in_main
        elif kind in (LOW, OPEN):
            weight = 1 + below * below // (8 if kind == LOW else 3)
            weight = 1 + weight * in_main // 3 if in_main > 1 else weight
        weights[card] = weight


@kernel
def draw_cards(rng: NDArray[np.int64], weights: NDArray[np.int64]) -> int:
    """Thirteen cards drawn by weight; the weights of those drawn become 0."""
    total, hand = 0, 0
    for card in range(N_CARDS):
        total += weights[card]
    for _ in range(N_TRICKS):
        at, card = random_below(rng, total), 0
        while at >= weights[card]:
            at -= weights[card]
            card += 1
        hand |= 1 << card
        total -= weights[card]
        weights[card] = 0
    return hand


@kernel
def deal_around(table: np.void, rng: NDArray[np.int64], caller: int, hand: int, dealer: int) -> None:
    """Deal ``hand`` to the caller and the rest at random: fills ``dealt``."""
    pack, n = table["pack"], 0
    for card in range(N_CARDS):
        if hand >> card & 1 == 0:
            place = random_below(rng, n + 1)
            pack[n] = pack[place]
            pack[place] = card
            n += 1
    at = 0
    for seat in range(N_SEATS):
        if seat != caller:
            for slot in range(N_TRICKS):
                table["dealt"][seat, slot] = pack[at]
                at += 1
    at = 0
    for card in range(N_CARDS):
        if hand >> card & 1:
            place = random_below(rng, at + 1)
            table["dealt"][caller, at] = table["dealt"][caller, place]
            table["dealt"][caller, place] = card
            at += 1


@kernel
def is_worth_playing(kind: int, hand: int, trump: int) -> bool:
    """Whether a hand is strong enough for its kind that its chance matters."""
    if kind in (LOW, OPEN):
        return hand_danger(hand) <= MOST_DANGER_OF[kind]
    if kind == TOPS:
        return running_hand(hand) >= LEAST_RUNNING
    if hand_tenths(hand, trump) < LEAST_TENTHS[kind]:
        return False
    long = kind in (LONG, PETIT_SLAM, SLAM)
    return not long or (enough_trumps(hand, trump) and hand_losers(hand, trump) <= MOST_LOSERS_OF[kind])


@kernel
def play_cards(tables: NDArray[np.void], desk: Desk, taken: NDArray[np.int64]) -> None:
    """Play tables whose auctions are closed to the end; ``taken`` (int64 [N]): the tricks of the declaring sides.

    It is a kernel of its own because the expert's card play takes a minute to compile.
    """
    rules, views = desk.rules[0], desk.views
    for b in range(len(tables)):
        table = tables[b]
        while table["phase"] == PLAY:
            write_view(table, rules, np.int64(table["turn"]), views[0])
            card, _ = choose_card(views[0], rules, desk.points, desk.facts[0], desk.rows[0])
            apply_action(table, rules, card)
        taken[b] = taken_by_declarers(table) if table["declarer"] != NOBODY else 0


@kernel
def deal_for(table: np.void, desk: Desk, kind: int, seat: int, dealer: int) -> int:
    """Deal until the seat's hand is worth playing as this kind, and open the auction; returns the trumps or -1."""
    rng, trump = table["rng"], -1
    for _ in range(TRIES):
        write_weights(rng, kind, desk.weights)
        hand = draw_cards(rng, desk.weights)
        deal_around(table, rng, seat, hand, dealer)
        trump = wide(table["dealt"][dealer, N_TRICKS - 1]) // N_RANKS
        if kind >= PROPOSE_NT or kind in (LOW, OPEN, TOPS):
            trump = -1
        elif kind >= LONG:
            trump = best_trumps(hand, 0b1111)
        if is_worth_playing(kind, hand, trump):
            break
    turned = np.int64(table["dealt"][dealer, N_TRICKS - 1]) // N_RANKS
    open_auction(table, desk.rules[0], dealer, -1 if kind >= PROPOSE_NT else turned)
    return trump


@kernel
def force_auction(table: np.void, rules: np.void, caller: int, partner: int, call: int, trump: int) -> None:
    """Let the caller call, the partner accept and everybody else pass, and name the trumps if they are named."""
    called = False
    while table["phase"] == AUCTION:
        turn, action = np.int64(table["turn"]), PASS
        if turn == caller and not called:
            action, called = FIRST_CALL + call, True
        elif turn == partner and legal_call_set(table, rules) >> (COP - FIRST_CALL) & 1:
            action = COP
        apply_action(table, rules, action)
    if table["phase"] == NAMING:
        apply_action(table, rules, FIRST_TRUMPS + trump)


@kernel
def forced_rows(
    tables: NDArray[np.void], desk: Desk, kind: int, call: int, seed: int, first: int, hands: NDArray[np.int64],
    notes: NDArray[np.int64],
) -> None:  # fmt: skip
    """Deal and bid the forced contracts ``first`` and on of a kind, a table each.

    ``hands`` (int64 [N, 2]) receives the caller's and the acceptor's hand, ``notes`` (int64 [N, 5]) position,
    trumps, the acceptor's position, its place, and 1 if there is somebody who may accept.
    """
    for b in range(len(hands)):
        table = tables[b]
        rng = table["rng"]
        seed_stream(rng, seed, first + b, CALIBRATION_GAME, kind)
        table["n_deals"], table["deal"], table["pack_kind"], table["cycle_place"] = 1, 0, SHUFFLED, 0
        dealer, position = random_below(rng, N_SEATS), random_below(rng, N_SEATS)
        caller = (dealer + 1 + position) % N_SEATS
        trump = deal_for(table, desk, kind, caller, dealer)
        partner = NOBODY
        if contract_of(call) == PC:
            partner = choose_partner(table, kind, caller, dealer, trump)
            if partner == NOBODY:
                continue
            other = (partner - dealer - 1) % N_SEATS
            notes[b, 2], notes[b, 3] = other, N_SEATS * other + (caller - partner) % N_SEATS
            hands[b, 1] = table["hand_cards"][partner]
        hands[b, 0] = table["hand_cards"][caller]
        force_auction(table, desk.rules[0], caller, partner, call, trump)
        notes[b, 0], notes[b, 1], notes[b, 4] = position, trump, 1


@kernel
def choose_partner(table: np.void, kind: int, caller: int, dealer: int, trump: int) -> int:
    """Who accepts: the first whose count of tricks lets it, or (for acceptors) a drawn one that is not hopeless.

    Whoever has passed before the proposal cannot, but for eldest.
    """
    proposing = kind in (PROPOSE, PROPOSE_NT)
    least = PARTNER_TENTHS if kind == PROPOSE else PARTNER_TENTHS_NT if kind == PROPOSE_NT else HOPELESS_TENTHS
    start = 0 if proposing else random_below(table["rng"], N_SEATS - 1)
    for i in range(N_SEATS - 1):
        seat = (caller + 1 + (start + i) % (N_SEATS - 1)) % N_SEATS
        place = (seat - dealer - 1) % N_SEATS
        if place != 0 and place < (caller - dealer - 1) % N_SEATS:
            continue
        if hand_tenths(int(table["hand_cards"][seat]), trump) >= least:
            return seat
    return NOBODY


@kernel
def may_explore(calls: int, weighed: NDArray[np.float64], call: int) -> bool:
    """Whether a call is legal and not hopeless; passing and proposing never are."""
    if calls >> call & 1 == 0:
        return False
    return call <= PROP - FIRST_CALL or (weighed[call, VALUE] > NEVER and weighed[call, SCORE] > HOPELESS)


@kernel
def explore(calls: int, key: int, weighed: NDArray[np.float64], best: int) -> int:
    """A legal call drawn among those that are not hopeless."""
    n = 0
    for call in range(N_CALLS):
        n += int(may_explore(calls, weighed, call))
    pick = key_below(key, max(n, 1))
    for call in range(N_CALLS):
        if may_explore(calls, weighed, call):
            if pick == 0:
                return FIRST_CALL + call
            pick -= 1
    return best


@kernel
def explored_rows(
    dealt: NDArray[np.void], desk: Desk, tables: NDArray[np.void], explores: int, seed: int, first: int, log: Log
) -> None:
    """Bid dealt tables by these tables of calls, one call in some of them drawn, and note what happens."""
    rules, views, weighed = desk.rules[0], desk.views, desk.weighed
    for b in range(len(dealt)):
        table = dealt[b]
        at = key_below(decision_key(seed, first + b, EXPLORING_STREAM, 0), EXPLORING) if explores else N_LOGGED
        n, last = 0, -1
        for owner in range(N_SEATS):
            log.hands[b, owner] = table["hand_cards"][owner]
        while table["phase"] == AUCTION or table["phase"] == NAMING:
            seat = wide(table["turn"])
            write_view(table, rules, seat, views[0])
            action = choose_action(views[0], rules, tables, 0.0, MEASURED, weighed)
            if table["phase"] == AUCTION and n < N_LOGGED:
                if n == at:
                    key = decision_key(seed, first + b, seat, n_decisions(table))
                    action, last = explore(int(views[0]["legal_calls"]), key, weighed, action), n
                note_call(views[0], rules, action - FIRST_CALL, seat, weighed, log.notes[b, n])
                log.chances[b, n] = weighed[action - FIRST_CALL, MADE]
                n += 1
            apply_action(table, rules, action)
        end = log.ends[b]
        end[CONTRACT], end[DECLARER], end[PARTNER] = table["contract"], table["declarer"], table["partner"]
        end[TRUMP], end[N_CALLED], end[LAST_EXPLORED] = table["trump"], n, last


@kernel
def note_call(
    view: np.void, rules: np.void, call: int, seat: int, weighed: NDArray[np.float64], note: NDArray[np.int64]
) -> None:
    """Note a call: ``note`` is int64 [8]."""
    note[CALL], note[SITUATION], note[PLACE] = call, situation_of(view, rules), place_of(view)
    note[POSITION], note[SCORED], note[SEAT] = position_of(view), np.int64(weighed[call, SCORE]), seat
    note[HOLDING], note[ROUND] = int(view["asked"] == ASKED_HOLDER), int(view["suit"] < 0)
