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
    FACTS,
    FOES_NEED,
    FOES_TO_COME,
    GENERAL_MISERE,
    LED,
    LEGAL,
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
from baselines.play_lead import CANDIDATES, CARD, N_FEATURES, REASON, ROW, SAID, write_leads
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


def new_scratch() -> tuple[NDArray[np.void], NDArray[np.void]]:
    """What the kernels here work in: a record for the facts, and one for the candidates; arrays [1]."""
    return np.zeros(1, FACTS), np.zeros(1, CANDIDATES)


@kernel
def play_rows(
    views: NDArray[np.void],
    rules: NDArray[np.void],
    points: NDArray[np.int64],
    facts: NDArray[np.void],
    rows: NDArray[np.void],
    out: NDArray[np.int64],
) -> None:
    """Fill ``out`` (int64[B]) with a card for each view that asks for one; the others, and the views, stay."""
    for b in range(len(views)):
        if views[b]["legal_cards"]:
            # As in ``choose_card``, which would have the references to the points counted at every card.
            table, n = write_candidates(views[b], rules[0], facts[0], rows[0])
            out[b] = rows[0][ROW][best_candidate(points, table, rows[0], n)][CARD]


@kernel
def choose_card(
    view: np.void,
    rules: np.void,
    points: NDArray[np.int64],
    facts: np.void,
    rows: np.void,
) -> tuple[int, int]:
    """The card to play and the number of its reason; ``facts`` and ``rows`` are scratch."""
    table, n = write_candidates(view, rules, facts, rows)
    best = best_candidate(points, table, rows, n)
    return rows[ROW][best][CARD], rows[ROW][best][REASON]


@kernel
def best_candidate(points: NDArray[np.int64], table: int, rows: np.void, n: int) -> int:
    """The first of the ``n`` candidates that are worth the most by one table of points.

    It calls nothing: a kernel that takes an array and calls others has the references to it counted.
    """
    best, best_value = 0, 0
    if n > 1:
        for at in range(n):
            value = 0
            for i in range(N_FEATURES):
                value += points[table, i] * rows[ROW][at][SAID][i]
            if at == 0 or value > best_value:
                best, best_value = at, value
    return best


@kernel
def settle(rows: np.void, card: int, reason: int) -> tuple[int, int]:
    """One candidate only."""
    rows[ROW][0][CARD], rows[ROW][0][REASON] = card, reason
    return SETTLED, 1


@kernel
def write_candidates(view: np.void, rules: np.void, facts: np.void, rows: np.void) -> tuple[int, int]:
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
def write_for_tricks(facts: np.void, rows: np.void) -> tuple[int, int]:
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
def deciding_card(facts: np.void, winners: int) -> int:
    """The surest of the ``winners`` of a trick that decides the deal; NO_CARD if one's own side has it for sure."""
    if facts[FOES_TO_COME] == 0:
        return lowest(winners)
    if facts[OURS] and not can_be_beaten(facts, facts[BEST], facts[FOES_TO_COME]):
        return NO_CARD
    return least_equal(highest(winners), winners, facts[UNSEEN])


@kernel
def winning_cards(facts: np.void) -> int:
    """The legal cards that would win the trick as it lies."""
    legal, best, trump = facts[LEGAL], facts[BEST], facts[TRUMP]
    suit = best // N_RANKS
    winners = suit_cards(legal, suit) & ~((1 << (best + 1)) - 1)
    if trump not in (NO_TRUMP, suit):
        winners |= suit_cards(legal, trump)
    return winners


@kernel
def write_for_no_trick(facts: np.void, rows: np.void, form: int) -> tuple[int, int]:
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
def write_against_misere(facts: np.void, rows: np.void) -> tuple[int, int]:
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
