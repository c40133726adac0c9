"""What speaks for a card and how much: the points of ``expert`` and ``club``, by role and situation.

A row is a feature: its number, what it says of a candidate, then the points that it is worth to the expert and to
the club player, each as many numbers as the table has columns. A candidate gets the points times the feature; the
candidate with the most is played. Only differences count, so a feature that all candidates share decides nothing.

The numbers are measured. Deals were played out, at some decisions once with every candidate, and the points chosen
so that the candidate with the most brings in the most under ``margin5`` (made or lost, and five tricks are worth as
much again); 100 points are a factor of e in the odds that a candidate is best. Half of the other seats were
novices, half the player itself. The club player has points for what a player sees without counting, and no others.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from baselines.card_play import (
    ATTACKS,
    DUCKS_OF,
    FOLLOWS,
    LEADS,
    N_TABLES,
    SAFE_LEADS,
    SHEDS,
    STAYS,
    THROWS,
    VOIDS,
    WIDTH,
)
from baselines.play_follow import (
    BACKED,
    CALLER_TO_COME,
    DEAD_SUIT,
    FRIEND_BEST,
    FRIEND_TO_COME,
    GUARD_LEFT,
    GUARD_ONE,
    GUARD_TWO,
    LONG_SUIT,
    LOSES_RANK,
    LOWER_OUT,
    MASTER_KEPT,
    MASTER_LEFT,
    MASTER_SPENT,
    OVER_RISK,
    OVERTAKES,
    RISK,
    RISK_HIGH,
    RUFF_DECIDES,
    RUFF_FOES_OUT,
    RUFF_FRIEND,
    RUFF_HONOUR,
    RUFF_LENGTH,
    RUFF_LOWER_OUT,
    RUFF_MASTER,
    RUFF_OVER,
    RUFF_OVER_RISK,
    RUFF_OVERTAKES,
    RUFF_RISK,
    RUFF_SAVES,
    RUFF_SHORT,
    RUFF_SURE,
    RUFF_WASTES,
    RUFFS,
    SECOND_MASTER,
    SHORT,
    SUIT_OUT,
    SURE,
    TAKES_HONOUR,
    THROWN_HIGHER,
    THROWN_LENGTH,
    THROWN_MASTER,
    THROWN_OUT,
    THROWN_RANK,
    THROWN_SINGLE,
    THROWN_VOIDS,
    TRUMP_THROWN,
    TRUMPS_LED,
    WASTES,
    WIN_DECIDES,
    WIN_SAVES,
    WINS,
)
from baselines.play_lead import (
    BARE_HONOUR,
    DECIDES,
    DOUBLETON,
    FIRST,
    FOE_LAST,
    FOE_NEXT,
    FOES_SUIT,
    HIGHER_OUT,
    LENGTH,
    LONG_LAST,
    LOW,
    LOW_LENGTH,
    MASTER,
    MASTER_DRAWN,
    MASTER_RISK,
    MASTERS_MORE,
    NO_FOE_TRUMPS,
    OTHER_RISK,
    OUT,
    RETURN,
    SAVES,
    SEQUENCE,
    SIDE_RUFF,
    SINGLETON,
    TRUMP_FOE_LAST,
    TRUMP_FOE_NEXT,
    TRUMP_LEAD,
    TRUMP_LENGTH,
    TRUMP_LOW,
    TRUMP_MASTER,
    TRUMPS_OUT,
    UNDER_ACE,
    UNDER_KING,
)
from baselines.play_misere import (
    ATTACK_AGAIN,
    ATTACK_LENGTH,
    ATTACK_LOWEST,
    ATTACK_OUT,
    ATTACK_RANK,
    ATTACK_SINGLE,
    ATTACK_TOP,
    DUCKED_LAST,
    DUCKED_RANK,
    DUCKED_WINS,
    FELLOWS_LOWER,
    FELLOWS_NONE,
    FELLOWS_OVER,
    HIS_ESCAPE,
    HIS_FORCED,
    HIS_HIGHER,
    HIS_LOWER,
    HIS_NO_HIGHER,
    HIS_ONE_LOWER,
    HIS_SAFE,
    HIS_VOID,
    HIS_WEAK,
    OVER_BEATEN,
    OVER_DANGER,
    OVER_HIGHEST,
    OVER_LAST,
    OVER_RANK,
    SAFE_BEATEN,
    SAFE_DANGER,
    SAFE_HIGHER,
    SAFE_LENGTH,
    SAFE_LOWER,
    SAFE_NO_HIGHER,
    SAFE_NO_LOWER,
    SAFE_OUT,
    SAFE_RANK,
    SAFE_SOME_LOWER,
    SAFE_TOP,
    SHED_BOTTOM,
    SHED_CUT,
    SHED_DANGER,
    SHED_DEAD,
    SHED_LENGTH,
    SHED_LOWER,
    SHED_OUT,
    SHED_RANK,
    SHED_SINGLE,
    SHED_TOP,
    STAY_CANNOT,
    STAY_CHANCE,
    STAY_ESCAPES,
    STAY_FORCED,
    STAY_LOWEST,
    STAY_OVER,
    STAY_RANK,
    STAY_VOID_RANK,
    THROW_ABOVE,
    THROW_BELOW,
    THROW_CANNOT,
    THROW_FELLOWS,
    THROW_KEEPS,
    THROW_LENGTH,
    THROW_NONE,
    THROW_ONLY_LOW,
    THROW_OUT,
    THROW_RANK,
    THROW_SAFE,
    THROW_SINGLE,
    UNDER,
    UNDER_DANGER,
    UNDER_RANK,
)

EXPERT, CLUB = range(2)

# Leads of a contract for tricks.
# Columns: alone, against one, partners, against partners, long, against long.
LEAD_POINTS = (
    (TRUMP_LEAD, "a trump", (-117, 15, -374, -143, -307, -430), (-117, 15, -374, -143, -307, -430)),
    (TRUMP_LENGTH, "each trump held", (300, -68, 199, -30, 321, -165), (300, -68, 199, -30, 321, -165)),
    (TRUMPS_OUT, "each trump that the other side may hold", (-13, -67, 50, -87, 162, -38), (0, 0, 0, 0, 0, 0)),
    (
        NO_FOE_TRUMPS,
        "the other side has no trumps",
        (-2398, -664, -406, -1423, -442, -112),
        (-2398, -664, -406, -1423, -442, -112),
    ),
    (TRUMP_MASTER, "the highest trump out", (1429, 628, 215, 709, 1147, -282), (1429, 628, 215, 709, 1147, -282)),
    (TRUMP_LOW, "a low trump", (-448, 364, 260, 839, -249, 309), (-448, 364, 260, 839, -249, 309)),
    (
        TRUMP_FOE_LAST,
        "the other side plays last to a trump",
        (-117, 135, -76, -120, -307, -662),
        (0, 0, 0, 0, 0, 0),
    ),
    (
        TRUMP_FOE_NEXT,
        "the other side plays next to a trump",
        (-117, -232, -263, -131, -307, -422),
        (0, 0, 0, 0, 0, 0),
    ),
    (MASTER, "nothing can beat it", (108, 806, 348, 218, 256, 22), (108, 806, 348, 218, 256, 22)),
    (
        MASTER_RISK,
        "each sixteenth of a chance that it is ruffed",
        (-34, -52, -22, -33, -39, 4),
        (0, 0, 0, 0, 0, 0),
    ),
    (MASTERS_MORE, "each master beside it", (363, -75, -73, 353, -210, 411), (0, 0, 0, 0, 0, 0)),
    (MASTER_DRAWN, "a master, and trumps are drawn", (271, 444, 134, 696, 170, 249), (0, 0, 0, 0, 0, 0)),
    (
        OTHER_RISK,
        "each sixteenth of a chance that the other side ruffs",
        (30, -33, -13, -4, -46, 138),
        (0, 0, 0, 0, 0, 0),
    ),
    (SIDE_RUFF, "one's own side ruffs", (0, 795, 520, 740, 0, 565), (0, 795, 520, 740, 0, 565)),
    (LENGTH, "each card of the suit", (50, 56, 115, 65, 147, 37), (50, 56, 115, 65, 147, 37)),
    (
        SINGLETON,
        "a singleton, with trumps to ruff",
        (543, -56, 331, 246, 271, 789),
        (543, -56, 331, 246, 271, 789),
    ),
    (DOUBLETON, "of two cards, with trumps to ruff", (332, -130, 6, -64, -29, -325), (0, 0, 0, 0, 0, 0)),
    (SEQUENCE, "heads a sequence", (426, 670, 379, 700, 518, 908), (426, 670, 379, 700, 518, 908)),
    (
        BARE_HONOUR,
        "an honour without support",
        (-500, -160, -502, -375, 38, -119),
        (-500, -160, -502, -375, 38, -119),
    ),
    (
        UNDER_ACE,
        "from under the best card out",
        (-306, -677, -606, -882, -623, -1285),
        (-306, -677, -606, -882, -623, -1285),
    ),
    (UNDER_KING, "from under the second best card out", (-70, -56, -136, -55, -185, 361), (0, 0, 0, 0, 0, 0)),
    (HIGHER_OUT, "each higher card out", (23, -8, 14, 1, 45, -18), (0, 0, 0, 0, 0, 0)),
    (OUT, "each card of the suit out", (0, -27, -44, -56, -79, -120), (0, 0, 0, 0, 0, 0)),
    (RETURN, "one's own side led the suit before", (0, 21, -94, -13, 0, 569), (0, 21, -94, -13, 0, 569)),
    (FOES_SUIT, "the other side led the suit before", (115, -175, 115, 110, -348, -111), (0, 0, 0, 0, 0, 0)),
    (FOE_LAST, "the other side plays last", (47, 144, -89, -173, 135, -391), (47, 144, -89, -173, 135, -391)),
    (FOE_NEXT, "the other side plays next", (47, -43, -134, 23, 135, 39), (47, -43, -134, 23, 135, 39)),
    (DECIDES, "the last trick that is needed", (1159, -134, 55, 601, 75, 1456), (0, 0, 0, 0, 0, 0)),
    (SAVES, "the last trick that the other side needs", (202, -395, 231, 961, 1228, 40), (0, 0, 0, 0, 0, 0)),
    (LOW, "a low card", (-405, 43, 132, 216, -230, 18), (-405, 43, 132, 216, -230, 18)),
    (LOW_LENGTH, "each card of the suit, if low", (-137, 90, 30, 16, -32, 79), (0, 0, 0, 0, 0, 0)),
    (LONG_LAST, "longer than all that is out", (326, 135, 43, -244, 312, -11), (0, 0, 0, 0, 0, 0)),
)

# Following suit in a contract for tricks.
# Columns: second and third hand each: alone, against one, partners, against partners, long, against long.
FOLLOW_POINTS = (
    (
        WINS,
        "wins so far",
        (288, 569, 91, 275, -36, 508, -283, 500, 421, 561, 521, 121),
        (288, 569, 91, 275, -36, 508, -283, 500, 421, 561, 521, 121),
    ),
    (
        SURE,
        "cannot be beaten",
        (195, 85, 742, 562, 499, 510, 1008, 556, -237, -304, 925, 738),
        (195, 85, 742, 562, 499, 510, 1008, 556, -237, -304, 925, 738),
    ),
    (
        RISK,
        "each sixteenth of a chance to be beaten",
        (15, 16, -43, -69, 3, -33, 33, -33, 52, 2, -92, -106),
        (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    ),
    (
        RISK_HIGH,
        "the same for an honour",
        (-17, 4, -3, 37, 34, 77, 18, 56, -21, 159, -19, 42),
        (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    ),
    (
        OVERTAKES,
        "overtakes one's own side",
        (0, 0, 210, 232, 11, -553, 95, -823, 0, 0, 390, 430),
        (0, 0, 210, 232, 11, -553, 95, -823, 0, 0, 390, 430),
    ),
    (
        WASTES,
        "its own side wins anyway",
        (0, 0, -510, -367, -1079, -397, -493, -571, 0, 0, -858, 0),
        (0, 0, -510, -367, -1079, -397, -493, -571, 0, 0, -858, 0),
    ),
    (
        OVER_RISK,
        "each sixteenth of the risk of its own side's card",
        (0, 0, 15, 40, 28, 38, 13, 37, 0, 0, 27, 41),
        (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    ),
    (
        MASTER_SPENT,
        "spends the best card of the suit",
        (542, -387, -410, -404, 440, -424, 73, -494, -359, -759, -954, -949),
        (542, -387, -410, -404, 440, -424, 73, -494, -359, -759, -954, -949),
    ),
    (
        SECOND_MASTER,
        "spends the second best",
        (-751, 763, -217, -106, -387, -96, -136, -195, -283, 350, -192, -503),
        (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    ),
    (
        MASTER_KEPT,
        "keeps a best card besides",
        (4, 796, 149, -77, -45, 286, 129, 560, 1707, 799, 487, 486),
        (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    ),
    (
        LOWER_OUT,
        "each lower card out",
        (51, -14, -94, -74, -27, -38, -27, -52, 0, 27, -101, -33),
        (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    ),
    (
        TAKES_HONOUR,
        "takes an honour",
        (-42, 280, 362, 729, 509, 528, 473, 404, 676, 1165, 216, 613),
        (-42, 280, 362, 729, 509, 528, 473, 404, 676, 1165, 216, 613),
    ),
    (
        SHORT,
        "from two cards or fewer",
        (175, 203, 279, 38, 31, 195, 26, 60, 413, 141, 325, 94),
        (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    ),
    (
        LONG_SUIT,
        "from five cards or more",
        (493, 34, 124, 442, 163, 192, 205, -53, -379, 706, -302, 472),
        (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    ),
    (
        SUIT_OUT,
        "each card of the suit out",
        (-21, 31, 15, -13, -48, 10, -35, 30, -47, -50, -4, 58),
        (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    ),
    (
        CALLER_TO_COME,
        "the caller is to come",
        (0, 0, 210, 232, 0, 0, 74, 59, 0, 0, 390, 430),
        (0, 0, 210, 232, 0, 0, 74, 59, 0, 0, 390, 430),
    ),
    (
        FRIEND_TO_COME,
        "one's own side is to come",
        (0, 0, -131, 5, -33, -295, -262, -258, 0, 0, 225, 23),
        (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    ),
    (
        FRIEND_BEST,
        "and may win",
        (0, 0, -702, -402, -556, -491, -432, -525, 0, 0, -1143, -785),
        (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    ),
    (
        TRUMPS_LED,
        "trumps were led",
        (293, 19, -123, 26, 63, 9, -278, -124, -460, 158, -424, 3),
        (293, 19, -123, 26, 63, 9, -278, -124, -460, 158, -424, 3),
    ),
    (
        WIN_DECIDES,
        "each sixteenth of a chance to decide the deal",
        (72, 56, 76, 10, 56, 58, 11, 8, 0, 0, 26, 37),
        (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    ),
    (
        WIN_SAVES,
        "each sixteenth of a chance to save it",
        (64, 0, 24, -6, 18, 67, -34, -7, 48, 99, -10, -24),
        (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    ),
    (
        LOSES_RANK,
        "each lower card out, for a card that loses",
        (33, -39, -99, -144, 94, 24, -55, -65, -394, 121, -117, -171),
        (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    ),
    (
        GUARD_LEFT,
        "leaves an honour with its guard",
        (138, -18, 75, 120, -289, -54, 57, 244, 1450, 0, -131, 144),
        (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    ),
    (
        BACKED,
        "has the next higher card too",
        (1033, 399, 59, 172, 301, 33, 246, 11, 322, 245, 213, 282),
        (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    ),
)

# Ruffs and discards in a contract for tricks.
# Columns: alone, against one, partners, against partners, long, against long.
VOID_POINTS = (
    (RUFFS, "a ruff", (494, 140, 136, 239, 445, 377), (494, 140, 136, 239, 445, 377)),
    (RUFF_SURE, "that cannot be beaten", (459, 131, 193, 280, 481, 385), (459, 131, 193, 280, 481, 385)),
    (RUFF_RISK, "each sixteenth of a chance to be overruffed", (58, -96, -37, -38, -7, -316), (0, 0, 0, 0, 0, 0)),
    (RUFF_OVERTAKES, "over one's own side", (0, -698, -1111, -1029, 0, -1018), (0, -698, -1111, -1029, 0, -1018)),
    (RUFF_WASTES, "its own side wins anyway", (0, -540, -272, -447, 0, -998), (0, -540, -272, -447, 0, -998)),
    (
        RUFF_OVER_RISK,
        "each sixteenth of the risk of its own side's card",
        (0, 66, 75, 65, 0, 30),
        (0, 0, 0, 0, 0, 0),
    ),
    (RUFF_LENGTH, "each trump held", (90, -13, 14, 71, 3, -139), (90, -13, 14, 71, 3, -139)),
    (RUFF_SHORT, "from two trumps or fewer", (470, 28, 115, 203, 165, 655), (0, 0, 0, 0, 0, 0)),
    (RUFF_MASTER, "with the best trump out", (-848, -937, -419, -1037, -696, -1498), (0, 0, 0, 0, 0, 0)),
    (RUFF_LOWER_OUT, "each lower trump out", (-143, 18, -69, -18, -49, 95), (0, 0, 0, 0, 0, 0)),
    (RUFF_HONOUR, "of an honour", (357, 1009, 663, 529, 4, 1733), (357, 1009, 663, 529, 4, 1733)),
    (RUFF_FOES_OUT, "the other side has no trumps", (-63, 1313, 259, 702, 229, 1815), (0, 0, 0, 0, 0, 0)),
    (RUFF_FRIEND, "one's own side is to come", (0, -636, -424, 85, 0, -746), (0, 0, 0, 0, 0, 0)),
    (RUFF_DECIDES, "each sixteenth of a chance to decide the deal", (11, -1, 30, 10, 128, 58), (0, 0, 0, 0, 0, 0)),
    (RUFF_SAVES, "each sixteenth of a chance to save it", (21, 26, 61, 25, 39, 16), (0, 0, 0, 0, 0, 0)),
    (
        TRUMP_THROWN,
        "throws a trump",
        (-1173, -885, -904, -599, -1524, -717),
        (-1173, -885, -904, -599, -1524, -717),
    ),
    (THROWN_RANK, "each rank", (20, -28, -27, -15, -14, -25), (20, -28, -27, -15, -14, -25)),
    (THROWN_LENGTH, "each card of the suit", (-99, -30, -59, -8, -250, 168), (-99, -30, -59, -8, -250, 168)),
    (THROWN_SINGLE, "the only one of its suit", (-196, 55, 58, 223, 210, 59), (0, 0, 0, 0, 0, 0)),
    (
        THROWN_VOIDS,
        "and then there are trumps to ruff",
        (15, 298, 166, 372, 358, 54),
        (15, 298, 166, 372, 358, 54),
    ),
    (
        THROWN_MASTER,
        "throws a winner",
        (-454, -521, -475, -721, -1067, -640),
        (-454, -521, -475, -721, -1067, -640),
    ),
    (MASTER_LEFT, "from a suit with a winner", (78, -192, -24, 90, -19, 159), (0, 0, 0, 0, 0, 0)),
    (GUARD_ONE, "bares a king", (-798, -383, -373, -427, -1208, -38), (-798, -383, -373, -427, -1208, -38)),
    (GUARD_TWO, "leaves a queen with one guard", (-73, -343, -198, -607, -199, -495), (0, 0, 0, 0, 0, 0)),
    (DEAD_SUIT, "nobody of the other side has the suit", (12, 296, 51, 414, 494, 813), (0, 0, 0, 0, 0, 0)),
    (THROWN_OUT, "each card of the suit out", (17, 12, 10, 1, 81, -72), (0, 0, 0, 0, 0, 0)),
    (THROWN_HIGHER, "each higher card that the other side may hold", (21, 1, 23, 54, 75, -37), (0, 0, 0, 0, 0, 0)),
    (RUFF_OVER, "over a ruff", (-726, 752, 395, 471, -446, 1128), (0, 0, 0, 0, 0, 0)),
)

# Leads of somebody who wants no trick.
# Columns: misère, general misère, one in which the last trick loses.
SAFE_POINTS = (
    (SAFE_LOWER, "each lower card out", (-135, -42, 60), (0, 0, 0)),
    (SAFE_SOME_LOWER, "the first two of them", (-56, -195, -150), (0, 0, 0)),
    (SAFE_NO_LOWER, "nothing lower is out", (-844, 126, -171), (-844, 126, -171)),
    (SAFE_HIGHER, "each higher card out, up to four", (93, 72, -105), (0, 0, 0)),
    (SAFE_NO_HIGHER, "nothing higher is out", (0, -231, -470), (0, -231, -470)),
    (SAFE_BEATEN, "each sixteenth of a chance that somebody must beat it", (60, 27, -5), (0, 0, 0)),
    (SAFE_LENGTH, "each card of the suit", (-102, -95, -148), (-102, -95, -148)),
    (SAFE_DANGER, "each danger left in the suit", (-274, -32, -12), (0, 0, 0)),
    (SAFE_TOP, "the top of the suit", (-256, -72, -658), (-256, -72, -658)),
    (SAFE_RANK, "each rank", (-114, -41, 9), (-114, -41, 9)),
    (SAFE_OUT, "each card of the suit out", (102, 22, 75), (0, 0, 0)),
)

# Following suit where tricks lose.
# Columns: misère, general misère, one in which the last trick loses.
DUCK_POINTS = (
    (UNDER, "loses", (598, 258, 405), (598, 258, 405)),
    (UNDER_RANK, "each rank, if it loses", (185, 91, 66), (185, 91, 66)),
    (UNDER_DANGER, "each danger left, if it loses", (-53, 7, -93), (0, 0, 0)),
    (OVER_RANK, "each rank, if it wins", (-45, -29, 17), (-45, -29, 17)),
    (OVER_BEATEN, "each sixteenth of a chance that somebody must beat it", (4, 7, -8), (0, 0, 0)),
    (OVER_HIGHEST, "wins with the highest", (-441, -302, 237), (-441, -302, 237)),
    (OVER_LAST, "wins for good", (-103, -79, -87), (-103, -79, -87)),
    (OVER_DANGER, "each danger left, if it wins", (-27, -2, -78), (0, 0, 0)),
)

# Discards where tricks lose.
# Columns: misère, general misère, one in which the last trick loses.
SHED_POINTS = (
    (SHED_DANGER, "each danger of the suit", (41, 16, -4), (0, 0, 0)),
    (SHED_CUT, "each danger less", (134, 60, 160), (0, 0, 0)),
    (SHED_RANK, "each rank", (42, 61, 82), (42, 61, 82)),
    (SHED_LENGTH, "each card of the suit", (-286, -244, -147), (-286, -244, -147)),
    (SHED_SINGLE, "the only one of its suit", (-665, 178, 436), (-665, 178, 436)),
    (SHED_TOP, "nothing higher is out", (55, 207, 359), (55, 207, 359)),
    (SHED_DEAD, "nobody else has the suit", (-873, -490, -568), (0, 0, 0)),
    (SHED_OUT, "each card of the suit out", (-42, 0, -16), (0, 0, 0)),
    (SHED_LOWER, "each lower card out", (3, 27, 69), (0, 0, 0)),
    (SHED_BOTTOM, "each card out below the lowest held", (484, 57, 46), (0, 0, 0)),
)

# Leads against the caller of a misère.
# Columns: his hand hidden, face up.
ATTACK_POINTS = (
    (HIS_VOID, "the caller has none of the suit", (-1758, -1883), (-1758, -1883)),
    (HIS_NO_HIGHER, "the caller has nothing higher", (-390, 268), (-390, 268)),
    (HIS_LOWER, "each lower card that he may hold", (-4, 98), (0, 0)),
    (HIS_ONE_LOWER, "just one", (315, -249), (0, 0)),
    (HIS_HIGHER, "each higher card that he may hold, up to four", (-68, 49), (0, 0)),
    (HIS_FORCED, "he has nothing lower", (27, 566), (27, 566)),
    (HIS_ESCAPE, "each sixteenth of a chance that he has something lower", (48, 55), (0, 0)),
    (HIS_WEAK, "each danger of his suit, seen face up", (0, 55), (0, 0)),
    (HIS_SAFE, "his suit, seen face up, is safe", (0, -585), (0, 0)),
    (FELLOWS_LOWER, "each card with which the fellows may stay under him, up to four", (-193, 31), (0, 0)),
    (FELLOWS_NONE, "the fellows have none of the suit", (740, 1627), (0, 0)),
    (FELLOWS_OVER, "each sixteenth of a chance that a fellow must go over him", (2, -122), (0, 0)),
    (ATTACK_LENGTH, "each card of the suit", (-287, -273), (-287, -273)),
    (ATTACK_SINGLE, "the only one of its suit", (-14, 573), (0, 0)),
    (ATTACK_RANK, "each rank", (-85, 14), (-85, 14)),
    (ATTACK_TOP, "the top of the suit", (-119, -567), (-119, -567)),
    (ATTACK_LOWEST, "the lowest of the suit", (172, 240), (0, 0)),
    (ATTACK_OUT, "each card of the suit out", (-5, -49), (0, 0)),
    (ATTACK_AGAIN, "a fellow led the suit before", (223, -273), (223, -273)),
)

# Following suit before or after the caller of a misère.
# Columns: his hand hidden, face up.
STAY_POINTS = (
    (STAY_OVER, "goes over", (466, 1251), (466, 1251)),
    (STAY_RANK, "each rank", (14, 4), (14, 4)),
    (STAY_ESCAPES, "each card with which he may stay under", (-200, 34), (0, 0)),
    (STAY_CHANCE, "each sixteenth of a chance that he can", (-100, -43), (0, 0)),
    (STAY_FORCED, "he cannot stay under", (521, 1425), (521, 1425)),
    (STAY_CANNOT, "he cannot go over", (-60, -858), (0, 0)),
    (STAY_VOID_RANK, "each rank, when he has none of the suit", (-97, -144), (-97, -144)),
    (STAY_LOWEST, "the lowest of the suit", (-284, -508), (-284, -508)),
    (DUCKED_RANK, "each rank, once he has ducked", (41, 100), (41, 100)),
    (DUCKED_WINS, "wins, once he has ducked", (29, -247), (29, -247)),
    (DUCKED_LAST, "and takes the lead for certain", (435, -624), (0, 0)),
)

# Discards against a misère.
# Columns: his hand hidden, face up.
THROW_POINTS = (
    (THROW_RANK, "each rank", (98, 110), (98, 110)),
    (THROW_BELOW, "each lower card that he may hold", (9, 38), (0, 0)),
    (THROW_ABOVE, "each higher card that he may hold", (-8, 120), (0, 0)),
    (THROW_NONE, "he has none of the suit", (-494, -173), (-494, -173)),
    (THROW_CANNOT, "he has nothing higher", (282, 622), (0, 0)),
    (THROW_ONLY_LOW, "he has nothing lower", (-2049, -1303), (-2049, -1303)),
    (THROW_KEEPS, "keeps a card that he may have to go over", (-212, -404), (0, 0)),
    (THROW_SAFE, "his suit, seen face up, is safe", (0, -1796), (0, 0)),
    (THROW_LENGTH, "each card of the suit", (-190, -195), (-190, -195)),
    (THROW_SINGLE, "the only one of its suit", (837, 648), (0, 0)),
    (THROW_OUT, "each card of the suit out", (-44, 134), (0, 0)),
    (THROW_FELLOWS, "each lower card that the fellows may hold", (81, 30), (0, 0)),
)

# Where the columns of each go among the tables that the kernels read.
TABLES = (
    (LEADS, LEAD_POINTS),
    (FOLLOWS, FOLLOW_POINTS),
    (VOIDS, VOID_POINTS),
    (SAFE_LEADS, SAFE_POINTS),
    (DUCKS_OF, DUCK_POINTS),
    (SHEDS, SHED_POINTS),
    (ATTACKS, ATTACK_POINTS),
    (STAYS, STAY_POINTS),
    (THROWS, THROW_POINTS),
)


def points_table(level: int) -> NDArray[np.int64]:
    """The points of a level, int64[N_TABLES, WIDTH - FIRST], as ``card_play`` reads them."""
    points = np.zeros((N_TABLES, WIDTH - FIRST), np.int64)
    for first, rows in TABLES:
        for feature, _, *levels in rows:
            for column, number in enumerate(levels[level]):
                points[first + column, feature] = number
    return points


def feature_text(table: int, feature: int) -> str:
    """What a feature of a table says, as a phrase."""
    rows = [rows for first, rows in TABLES if first <= table][-1]
    return next(text for number, text, *_ in rows if number == feature)
