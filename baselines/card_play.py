"""The card play of ``club`` and ``expert``: what is known, which cards are worth a thought, which is best.

A decision goes in three steps. ``counting`` writes down what the seat knows. ``play_lead``, ``play_follow`` and
``play_misere`` list the candidates, at most a few of each suit, and what is to be said of each. ``play_points``
says how much that is worth to whom; the candidate with the most points is played. The levels differ in points only.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from baselines.counting import (
    AGAINST_LONG,
    AGAINST_MISERE,
    BEST,
    EXPOSED,
    FOES_NEED,
    FOES_TO_COME,
    GENERAL_MISERE,
    LED,
    LEGAL,
    N_FACTS,
    NEED,
    OURS,
    PLACE,
    ROLE,
    TRUMP,
    UNSEEN,
    can_be_beaten,
    count,
)
from baselines.novice_play import least_equal
from baselines.play_follow import write_follows, write_voids
from baselines.play_lead import CARD, FIRST, REASON, write_leads
from baselines.play_misere import (
    write_attacks,
    write_ducks,
    write_safe_leads,
    write_sheds,
    write_stays,
    write_throws,
)
from baselines.play_reasons import CANNOT_WIN, ONLY_CARD, SIDE_WINS, STAY_UNDER, WIN_CHEAPLY, WIN_DECIDING, WIN_HIGH
from solo_env.cards import N_RANKS, N_SEATS, NO_CARD
from solo_env.engine._jit import kernel
from solo_env.engine.bits import highest, lowest, suit_cards
from solo_env.engine.observe import honest_cards
from solo_env.engine.state import NO_TRUMP
from solo_env.rules.pack import LAST_TRICK

MAX_CANDIDATES = 12  # three of each suit, in an attack on a misère
WIDTH = FIRST + 33  # the most features that a table has

# The tables of points, one row a situation; the number of roles, places or forms is what each is wide.
N_ROLES, N_FORMS, N_HANDS = 6, 3, 2
LEADS = 0
FOLLOWS = LEADS + N_ROLES  # second hand and third hand of each role
VOIDS = FOLLOWS + 2 * N_ROLES
SAFE_LEADS = VOIDS + N_ROLES  # a misère, a general misère, one in which only the last trick counts
DUCKS_OF = SAFE_LEADS + N_FORMS
SHEDS = DUCKS_OF + N_FORMS
ATTACKS = SHEDS + N_FORMS  # his hand hidden, or face up
STAYS = ATTACKS + N_HANDS
THROWS = STAYS + N_HANDS
N_TABLES = THROWS + N_HANDS
SETTLED = -1  # no points are asked: there is one candidate


def new_scratch() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """What the kernels here work in: an array for the facts, and one for the candidates."""
    return np.zeros(N_FACTS, np.int64), np.zeros((MAX_CANDIDATES, WIDTH), np.int64)


@kernel
def play_rows(
    views: NDArray[np.void],
    rules: NDArray[np.void],
    points: NDArray[np.int64],
    facts: NDArray[np.int64],
    rows: NDArray[np.int64],
    out: NDArray[np.int64],
) -> None:
    """Fill ``out`` (int64[B]) with a card for each view that asks for one; the others, and the views, stay."""
    for b in range(len(views)):
        if views[b]["legal_cards"]:
            out[b], _ = choose_card(views[b], rules[0], points, facts, rows)


@kernel
def choose_card(
    view: np.void,
    rules: np.void,
    points: NDArray[np.int64],
    facts: NDArray[np.int64],
    rows: NDArray[np.int64],
) -> tuple[int, int]:
    """The card to play and the number of its reason; ``facts`` and ``rows`` are scratch."""
    table, n = write_candidates(view, rules, facts, rows)
    best = 0
    if n > 1:
        best_value = value_of(points[table], rows[0])
        for i in range(1, n):
            value = value_of(points[table], rows[i])
            if value > best_value:
                best, best_value = i, value
    return rows[best, CARD], rows[best, REASON]


@kernel
def value_of(points: NDArray[np.int64], row: NDArray[np.int64]) -> int:
    """What a candidate is worth by one table of points."""
    value = 0
    for i in range(WIDTH - FIRST):
        value += points[i] * row[FIRST + i]
    return value


@kernel
def settle(rows: NDArray[np.int64], card: int, reason: int) -> tuple[int, int]:
    """One candidate only."""
    rows[0, CARD], rows[0, REASON] = card, reason
    return SETTLED, 1


@kernel
def write_candidates(
    view: np.void, rules: np.void, facts: NDArray[np.int64], rows: NDArray[np.int64]
) -> tuple[int, int]:
    """Fill ``facts`` and ``rows``; returns the table of points to judge by, or SETTLED, and the number of rows."""
    legal = honest_cards(view)
    if legal & (legal - 1) == 0:
        return settle(rows, lowest(legal), ONLY_CARD)
    count(view, rules, facts)
    role = facts[ROLE]
    if role <= AGAINST_LONG:
        return write_for_tricks(facts, rows)
    if role == AGAINST_MISERE:
        return write_against_misere(facts, rows)
    form = 0
    if role == GENERAL_MISERE:
        form = 2 if rules["general"] == LAST_TRICK else 1
    return write_for_no_trick(facts, rows, form)


@kernel
def write_for_tricks(facts: NDArray[np.int64], rows: NDArray[np.int64]) -> tuple[int, int]:
    """The candidates of a contract for tricks."""
    legal, role, place, led = facts[LEGAL], facts[ROLE], facts[PLACE], facts[LED]
    if place == 0:
        return LEADS + role, write_leads(facts, rows)
    winners = winning_cards(facts)
    ours_for_good = facts[OURS] and facts[FOES_TO_COME] == 0
    if winners and not ours_for_good and (facts[NEED] == 1 or facts[FOES_NEED] == 1):
        card = deciding_card(facts, winners)
        if card != NO_CARD:
            return settle(rows, card, WIN_DECIDING)
    if not suit_cards(legal, led):
        return VOIDS + role, write_voids(facts, rows)
    if winners == 0 or ours_for_good:
        return settle(rows, lowest(legal), SIDE_WINS if facts[OURS] else CANNOT_WIN)
    if place == N_SEATS - 1:
        return settle(rows, lowest(winners), WIN_CHEAPLY)
    return FOLLOWS + 2 * role + place - 1, write_follows(facts, rows)


@kernel
def deciding_card(facts: NDArray[np.int64], winners: int) -> int:
    """The surest of the ``winners`` of a trick that decides the deal; NO_CARD if one's own side has it for sure."""
    if facts[FOES_TO_COME] == 0:
        return lowest(winners)
    if facts[OURS] and not can_be_beaten(facts, facts[BEST], facts[FOES_TO_COME]):
        return NO_CARD
    return least_equal(highest(winners), winners, facts[UNSEEN])


@kernel
def winning_cards(facts: NDArray[np.int64]) -> int:
    """The legal cards that would win the trick as it lies."""
    legal, best, trump = facts[LEGAL], facts[BEST], facts[TRUMP]
    suit = best // N_RANKS
    winners = suit_cards(legal, suit) & ~((1 << (best + 1)) - 1)
    if trump not in (NO_TRUMP, suit):
        winners |= suit_cards(legal, trump)
    return winners


@kernel
def write_for_no_trick(facts: NDArray[np.int64], rows: NDArray[np.int64], form: int) -> tuple[int, int]:
    """The candidates of somebody who wants no trick; the form of the misère chooses the points."""
    legal, place = facts[LEGAL], facts[PLACE]
    if place == 0:
        return SAFE_LEADS + form, write_safe_leads(facts, rows)
    if not suit_cards(legal, facts[LED]):
        return SHEDS + form, write_sheds(facts, rows)
    if place == N_SEATS - 1 and legal & ((1 << facts[BEST]) - 1) == 0:
        return settle(rows, highest(legal), WIN_HIGH)
    return DUCKS_OF + form, write_ducks(facts, rows)


@kernel
def write_against_misere(facts: NDArray[np.int64], rows: NDArray[np.int64]) -> tuple[int, int]:
    """The candidates of an attack on a misère."""
    legal, shown = facts[LEGAL], facts[EXPOSED]
    if facts[PLACE] == 0:
        return ATTACKS + shown, write_attacks(facts, rows)
    if not suit_cards(legal, facts[LED]):
        return THROWS + shown, write_throws(facts, rows)
    if facts[OURS]:
        return STAYS + shown, write_stays(facts, rows)
    # The caller is winning. What lies under his card is as good as anything, and the highest of it goes.
    under = legal & ((1 << facts[BEST]) - 1)
    return settle(rows, highest(under), STAY_UNDER) if under else settle(rows, highest(legal), WIN_HIGH)
