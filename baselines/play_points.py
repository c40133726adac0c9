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
    (TRUMP_LEAD, "a trump", (-111, -165, -592, -253, -148, -214), (-111, -165, -592, -253, -148, -214)),
    (TRUMP_LENGTH, "each trump held", (232, -37, 290, -53, 159, -81), (232, -37, 290, -53, 159, -81)),
    (TRUMPS_OUT, "each trump that the other side may hold", (-17, -50, 3, -43, 116, -22), (0, 0, 0, 0, 0, 0)),
    (
        NO_FOE_TRUMPS,
        "the other side has no trumps",
        (-1056, -174, -554, -1048, -348, 0),
        (-1056, -174, -554, -1048, -348, 0),
    ),
    (TRUMP_MASTER, "the highest trump out", (658, 442, 212, 551, 503, -345), (658, 442, 212, 551, 503, -345)),
    (TRUMP_LOW, "a low trump", (-61, 216, 307, 488, -323, -114), (-61, 216, 307, 488, -323, -114)),
    (
        TRUMP_FOE_LAST,
        "the other side plays last to a trump",
        (-111, 106, -111, -63, -148, -264),
        (0, 0, 0, 0, 0, 0),
    ),
    (
        TRUMP_FOE_NEXT,
        "the other side plays next to a trump",
        (-111, -156, -118, -142, -148, -231),
        (0, 0, 0, 0, 0, 0),
    ),
    (MASTER, "nothing can beat it", (86, 619, 421, 359, 133, 247), (86, 619, 421, 359, 133, 247)),
    (
        MASTER_RISK,
        "each sixteenth of a chance that it is ruffed",
        (-8, -48, -26, -41, -38, -2),
        (0, 0, 0, 0, 0, 0),
    ),
    (MASTERS_MORE, "each master beside it", (94, -33, -38, 55, 26, 110), (0, 0, 0, 0, 0, 0)),
    (MASTER_DRAWN, "a master, and trumps are drawn", (293, 406, 114, 312, -117, 368), (0, 0, 0, 0, 0, 0)),
    (
        OTHER_RISK,
        "each sixteenth of a chance that the other side ruffs",
        (8, -21, -9, -7, -13, 21),
        (0, 0, 0, 0, 0, 0),
    ),
    (SIDE_RUFF, "one's own side ruffs", (0, 314, 289, 368, 0, 446), (0, 314, 289, 368, 0, 446)),
    (LENGTH, "each card of the suit", (31, 0, 33, 39, 13, -8), (31, 0, 33, 39, 13, -8)),
    (SINGLETON, "a singleton, with trumps to ruff", (240, 7, 132, 156, 389, 313), (240, 7, 132, 156, 389, 313)),
    (DOUBLETON, "of two cards, with trumps to ruff", (2, -121, -1, 51, 56, 132), (0, 0, 0, 0, 0, 0)),
    (SEQUENCE, "heads a sequence", (195, 385, 274, 382, 181, 355), (195, 385, 274, 382, 181, 355)),
    (
        BARE_HONOUR,
        "an honour without support",
        (-440, -152, -248, -162, -207, -306),
        (-440, -152, -248, -162, -207, -306),
    ),
    (
        UNDER_ACE,
        "from under the best card out",
        (-371, -205, -475, -397, -274, -488),
        (-371, -205, -475, -397, -274, -488),
    ),
    (UNDER_KING, "from under the second best card out", (-115, 4, -121, 0, 176, 31), (0, 0, 0, 0, 0, 0)),
    (HIGHER_OUT, "each higher card out", (25, 12, 0, -6, -6, -7), (0, 0, 0, 0, 0, 0)),
    (OUT, "each card of the suit out", (5, -24, -27, -39, -29, -40), (0, 0, 0, 0, 0, 0)),
    (RETURN, "one's own side led the suit before", (0, -25, 1, -43, 0, 122), (0, -25, 1, -43, 0, 122)),
    (FOES_SUIT, "the other side led the suit before", (91, -4, 37, -13, -125, -89), (0, 0, 0, 0, 0, 0)),
    (FOE_LAST, "the other side plays last", (-2, 22, -41, -142, 59, -168), (-2, 22, -41, -142, 59, -168)),
    (FOE_NEXT, "the other side plays next", (-2, -216, -24, -116, 59, -55), (-2, -216, -24, -116, 59, -55)),
    (DECIDES, "the last trick that is needed", (149, -158, -38, -2, 777, 263), (0, 0, 0, 0, 0, 0)),
    (SAVES, "the last trick that the other side needs", (-462, -169, 105, -57, 919, 1178), (0, 0, 0, 0, 0, 0)),
    (LOW, "a low card", (-99, 113, 216, 97, -148, 191), (-99, 113, 216, 97, -148, 191)),
    (LOW_LENGTH, "each card of the suit, if low", (-16, 22, 12, 39, -25, 34), (0, 0, 0, 0, 0, 0)),
    (LONG_LAST, "longer than all that is out", (144, 118, 2, -97, 313, -16), (0, 0, 0, 0, 0, 0)),
)

# Following suit in a contract for tricks.
# Columns: second and third hand each: alone, against one, partners, against partners, long, against long.
FOLLOW_POINTS = (
    (
        WINS,
        "wins so far",
        (241, 165, 131, 176, -98, 439, -117, 442, 291, 304, 206, 232),
        (241, 165, 131, 176, -98, 439, -117, 442, 291, 304, 206, 232),
    ),
    (
        SURE,
        "cannot be beaten",
        (328, 97, 643, 423, 355, 576, 529, 576, 75, 48, 700, 472),
        (328, 97, 643, 423, 355, 576, 529, 576, 75, 48, 700, 472),
    ),
    (
        RISK,
        "each sixteenth of a chance to be beaten",
        (-8, 25, -48, -65, -7, -31, 7, -36, 12, 9, -54, -69),
        (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    ),
    (
        RISK_HIGH,
        "the same for an honour",
        (-16, 1, -42, 18, 16, 54, 12, 53, -30, 33, -27, 19),
        (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    ),
    (
        OVERTAKES,
        "overtakes one's own side",
        (0, 0, 97, 99, -129, -581, 123, -379, 0, 0, 302, 202),
        (0, 0, 97, 99, -129, -581, 123, -379, 0, 0, 302, 202),
    ),
    (
        WASTES,
        "its own side wins anyway",
        (0, 0, -858, -224, -989, -1187, -1291, -293, 0, 0, -470, 0),
        (0, 0, -858, -224, -989, -1187, -1291, -293, 0, 0, -470, 0),
    ),
    (
        OVER_RISK,
        "each sixteenth of the risk of its own side's card",
        (0, 0, 26, 38, 21, 31, 17, 4, 0, 0, 17, 26),
        (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    ),
    (
        MASTER_SPENT,
        "spends the best card of the suit",
        (197, 67, -229, -416, 180, -380, 116, -390, 196, -251, -517, -608),
        (197, 67, -229, -416, 180, -380, 116, -390, 196, -251, -517, -608),
    ),
    (
        SECOND_MASTER,
        "spends the second best",
        (-312, 508, -78, -140, -246, -122, -149, -79, -598, 171, -160, -269),
        (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    ),
    (
        MASTER_KEPT,
        "keeps a best card besides",
        (433, 384, -23, -13, 405, 318, 197, 270, 532, 112, 326, 38),
        (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    ),
    (
        LOWER_OUT,
        "each lower card out",
        (-1, 2, -104, -42, -16, -53, -26, -60, -27, -27, -97, -13),
        (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    ),
    (
        TAKES_HONOUR,
        "takes an honour",
        (732, 225, 613, 282, 609, 236, 442, 705, 196, 513, 317, 252),
        (732, 225, 613, 282, 609, 236, 442, 705, 196, 513, 317, 252),
    ),
    (
        SHORT,
        "from two cards or fewer",
        (345, 181, 243, -38, -11, 157, -1, -89, 98, -17, 477, 116),
        (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    ),
    (
        LONG_SUIT,
        "from five cards or more",
        (-192, 190, 232, -25, 1, 212, -188, 222, 50, 325, 324, 26),
        (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    ),
    (
        SUIT_OUT,
        "each card of the suit out",
        (-25, 22, 2, 39, -37, 18, -16, 52, -8, -9, -30, 36),
        (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    ),
    (
        CALLER_TO_COME,
        "the caller is to come",
        (0, 0, 97, 99, 0, 0, -53, 20, 0, 0, 302, 202),
        (0, 0, 97, 99, 0, 0, -53, 20, 0, 0, 302, 202),
    ),
    (
        FRIEND_TO_COME,
        "one's own side is to come",
        (0, 0, 4, 196, -4, -163, -168, -186, 0, 0, 80, 216),
        (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    ),
    (
        FRIEND_BEST,
        "and may win",
        (0, 0, -324, 67, -106, -447, -119, -344, 0, 0, -462, 118),
        (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    ),
    (
        TRUMPS_LED,
        "trumps were led",
        (297, 356, -38, 90, 257, 63, -15, -227, 662, 451, -55, 160),
        (297, 356, -38, 90, 257, 63, -15, -227, 662, 451, -55, 160),
    ),
    (
        WIN_DECIDES,
        "each sixteenth of a chance to decide the deal",
        (160, 55, 29, 10, 10, 17, 69, 40, 0, 0, 37, 41),
        (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    ),
    (
        WIN_SAVES,
        "each sixteenth of a chance to save it",
        (0, 37, 5, 17, -14, 12, 10, 20, 22, 27, -31, 17),
        (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    ),
    (
        LOSES_RANK,
        "each lower card out, for a card that loses",
        (153, -76, -62, -5, 20, 92, -2, 28, -120, -21, -124, -12),
        (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    ),
    (
        GUARD_LEFT,
        "leaves an honour with its guard",
        (-29, 41, 269, 275, -222, -129, -11, -57, -127, -233, 135, 77),
        (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    ),
)

# Ruffs and discards in a contract for tricks.
# Columns: alone, against one, partners, against partners, long, against long.
VOID_POINTS = (
    (RUFFS, "a ruff", (162, 162, 140, 127, 145, -45), (162, 162, 140, 127, 145, -45)),
    (RUFF_SURE, "that cannot be beaten", (158, 164, 109, 93, 162, -66), (158, 164, 109, 93, 162, -66)),
    (RUFF_RISK, "each sixteenth of a chance to be overruffed", (75, -47, -29, -11, 25, -166), (0, 0, 0, 0, 0, 0)),
    (RUFF_OVERTAKES, "over one's own side", (0, -795, -914, -1031, 0, -718), (0, -795, -914, -1031, 0, -718)),
    (RUFF_WASTES, "its own side wins anyway", (0, -494, -587, -685, 0, -491), (0, -494, -587, -685, 0, -491)),
    (
        RUFF_OVER_RISK,
        "each sixteenth of the risk of its own side's card",
        (0, 55, 56, 56, 0, 64),
        (0, 0, 0, 0, 0, 0),
    ),
    (RUFF_LENGTH, "each trump held", (45, 8, 18, 37, 33, 29), (45, 8, 18, 37, 33, 29)),
    (RUFF_SHORT, "from two trumps or fewer", (158, 70, 113, 129, 175, 139), (0, 0, 0, 0, 0, 0)),
    (RUFF_MASTER, "with the best trump out", (-518, -396, -312, -355, 69, -568), (0, 0, 0, 0, 0, 0)),
    (RUFF_LOWER_OUT, "each lower trump out", (-88, 22, -31, -26, 12, -10), (0, 0, 0, 0, 0, 0)),
    (RUFF_HONOUR, "of an honour", (164, 624, 410, 263, 158, 1136), (164, 624, 410, 263, 158, 1136)),
    (RUFF_FOES_OUT, "the other side has no trumps", (233, 655, 282, 144, 177, 1078), (0, 0, 0, 0, 0, 0)),
    (RUFF_FRIEND, "one's own side is to come", (0, -218, 361, 87, 0, -170), (0, 0, 0, 0, 0, 0)),
    (RUFF_DECIDES, "each sixteenth of a chance to decide the deal", (18, -2, 8, 3, 65, 34), (0, 0, 0, 0, 0, 0)),
    (RUFF_SAVES, "each sixteenth of a chance to save it", (12, -9, 6, -18, 15, 3), (0, 0, 0, 0, 0, 0)),
    (
        TRUMP_THROWN,
        "throws a trump",
        (-1134, -934, -833, -971, -1336, -942),
        (-1134, -934, -833, -971, -1336, -942),
    ),
    (THROWN_RANK, "each rank", (-13, -23, -17, -16, -18, -46), (-13, -23, -17, -16, -18, -46)),
    (THROWN_LENGTH, "each card of the suit", (-42, -31, -53, -16, -43, 6), (-42, -31, -53, -16, -43, 6)),
    (THROWN_SINGLE, "the only one of its suit", (-32, -121, -101, -66, -158, 3), (0, 0, 0, 0, 0, 0)),
    (
        THROWN_VOIDS,
        "and then there are trumps to ruff",
        (-34, 208, 95, 185, -156, 210),
        (-34, 208, 95, 185, -156, 210),
    ),
    (THROWN_MASTER, "throws a winner", (-173, -195, -301, -505, -190, -450), (-173, -195, -301, -505, -190, -450)),
    (MASTER_LEFT, "from a suit with a winner", (-117, -52, -35, -136, -160, 18), (0, 0, 0, 0, 0, 0)),
    (GUARD_ONE, "bares a king", (-420, -363, -186, -247, -380, -415), (-420, -363, -186, -247, -380, -415)),
    (GUARD_TWO, "leaves a queen with one guard", (-435, -198, -241, -292, -619, -266), (0, 0, 0, 0, 0, 0)),
    (DEAD_SUIT, "nobody of the other side has the suit", (-146, 246, -4, -82, -205, 371), (0, 0, 0, 0, 0, 0)),
    (THROWN_OUT, "each card of the suit out", (-15, 16, -2, -18, -18, -40), (0, 0, 0, 0, 0, 0)),
    (THROWN_HIGHER, "each higher card that the other side may hold", (-19, 7, 26, 0, -26, -4), (0, 0, 0, 0, 0, 0)),
)

# Leads of somebody who wants no trick.
# Columns: misère, general misère, one in which the last trick loses.
SAFE_POINTS = (
    (SAFE_LOWER, "each lower card out", (-49, -38, 20), (0, 0, 0)),
    (SAFE_SOME_LOWER, "the first two of them", (-64, -164, -114), (0, 0, 0)),
    (SAFE_NO_LOWER, "nothing lower is out", (-236, 142, -54), (-236, 142, -54)),
    (SAFE_HIGHER, "each higher card out, up to four", (67, 62, -35), (0, 0, 0)),
    (SAFE_NO_HIGHER, "nothing higher is out", (-285, -514, -266), (-285, -514, -266)),
    (SAFE_BEATEN, "each sixteenth of a chance that somebody must beat it", (23, 18, 2), (0, 0, 0)),
    (SAFE_LENGTH, "each card of the suit", (-15, -67, -26), (-15, -67, -26)),
    (SAFE_DANGER, "each danger left in the suit", (-108, -7, -2), (0, 0, 0)),
    (SAFE_TOP, "the top of the suit", (-256, -157, -435), (-256, -157, -435)),
    (SAFE_RANK, "each rank", (-27, -19, 2), (-27, -19, 2)),
    (SAFE_OUT, "each card of the suit out", (15, -7, 23), (0, 0, 0)),
)

# Following suit where tricks lose.
# Columns: misère, general misère, one in which the last trick loses.
DUCK_POINTS = (
    (UNDER, "loses", (291, 316, 172), (291, 316, 172)),
    (UNDER_RANK, "each rank, if it loses", (84, 86, 64), (84, 86, 64)),
    (UNDER_DANGER, "each danger left, if it loses", (-21, 16, -36), (0, 0, 0)),
    (OVER_RANK, "each rank, if it wins", (-29, -22, -11), (-29, -22, -11)),
    (OVER_BEATEN, "each sixteenth of a chance that somebody must beat it", (2, 26, 11), (0, 0, 0)),
    (OVER_HIGHEST, "wins with the highest", (-266, -81, 183), (-266, -81, 183)),
    (OVER_LAST, "wins for good", (-269, -187, 71), (-269, -187, 71)),
    (OVER_DANGER, "each danger left, if it wins", (-13, -38, -27), (0, 0, 0)),
)

# Discards where tricks lose.
# Columns: misère, general misère, one in which the last trick loses.
SHED_POINTS = (
    (SHED_DANGER, "each danger of the suit", (47, 26, 11), (0, 0, 0)),
    (SHED_CUT, "each danger less", (76, 34, 54), (0, 0, 0)),
    (SHED_RANK, "each rank", (35, 19, 20), (35, 19, 20)),
    (SHED_LENGTH, "each card of the suit", (-139, -80, -92), (-139, -80, -92)),
    (SHED_SINGLE, "the only one of its suit", (303, 65, 45), (303, 65, 45)),
    (SHED_TOP, "nothing higher is out", (193, 51, 67), (193, 51, 67)),
    (SHED_DEAD, "nobody else has the suit", (-652, -481, -484), (0, 0, 0)),
    (SHED_OUT, "each card of the suit out", (-8, -10, -13), (0, 0, 0)),
    (SHED_LOWER, "each lower card out", (58, 29, 47), (0, 0, 0)),
    (SHED_BOTTOM, "each card out below the lowest held", (50, 22, -15), (0, 0, 0)),
)

# Leads against the caller of a misère.
# Columns: his hand hidden, face up.
ATTACK_POINTS = (
    (HIS_VOID, "the caller has none of the suit", (-1194, -376), (-1194, -376)),
    (HIS_NO_HIGHER, "the caller has nothing higher", (-349, 225), (-349, 225)),
    (HIS_LOWER, "each lower card that he may hold", (-50, 72), (0, 0)),
    (HIS_ONE_LOWER, "just one", (159, -85), (0, 0)),
    (HIS_HIGHER, "each higher card that he may hold, up to four", (-6, 77), (0, 0)),
    (HIS_FORCED, "he has nothing lower", (2, 443), (2, 443)),
    (HIS_ESCAPE, "each sixteenth of a chance that he has something lower", (34, 30), (0, 0)),
    (HIS_WEAK, "each danger of his suit, seen face up", (0, 65), (0, 0)),
    (HIS_SAFE, "his suit, seen face up, is safe", (0, -504), (0, 0)),
    (FELLOWS_LOWER, "each card with which the fellows may stay under him, up to four", (-86, -50), (0, 0)),
    (FELLOWS_NONE, "the fellows have none of the suit", (903, 790), (0, 0)),
    (FELLOWS_OVER, "each sixteenth of a chance that a fellow must go over him", (9, -42), (0, 0)),
    (ATTACK_LENGTH, "each card of the suit", (-222, -93), (-222, -93)),
    (ATTACK_SINGLE, "the only one of its suit", (134, 398), (0, 0)),
    (ATTACK_RANK, "each rank", (-41, -42), (-41, -42)),
    (ATTACK_TOP, "the top of the suit", (-183, 55), (-183, 55)),
    (ATTACK_LOWEST, "the lowest of the suit", (284, 28), (0, 0)),
    (ATTACK_OUT, "each card of the suit out", (-2, 22), (0, 0)),
    (ATTACK_AGAIN, "a fellow led the suit before", (187, 112), (187, 112)),
)

# Following suit before or after the caller of a misère.
# Columns: his hand hidden, face up.
STAY_POINTS = (
    (STAY_OVER, "goes over", (113, 348), (113, 348)),
    (STAY_RANK, "each rank", (0, 2), (0, 2)),
    (STAY_ESCAPES, "each card with which he may stay under", (-101, 94), (0, 0)),
    (STAY_CHANCE, "each sixteenth of a chance that he can", (-43, -49), (0, 0)),
    (STAY_FORCED, "he cannot stay under", (450, 592), (450, 592)),
    (STAY_CANNOT, "he cannot go over", (-459, -554), (0, 0)),
    (STAY_VOID_RANK, "each rank, when he has none of the suit", (-1, -55), (-1, -55)),
    (STAY_LOWEST, "the lowest of the suit", (-224, -339), (-224, -339)),
    (DUCKED_RANK, "each rank, once he has ducked", (39, 31), (39, 31)),
    (DUCKED_WINS, "wins, once he has ducked", (282, -86), (282, -86)),
    (DUCKED_LAST, "and takes the lead for certain", (306, 317), (0, 0)),
)

# Discards against a misère.
# Columns: his hand hidden, face up.
THROW_POINTS = (
    (THROW_RANK, "each rank", (23, 13), (23, 13)),
    (THROW_BELOW, "each lower card that he may hold", (53, 58), (0, 0)),
    (THROW_ABOVE, "each higher card that he may hold", (-56, 53), (0, 0)),
    (THROW_NONE, "he has none of the suit", (-376, -188), (-376, -188)),
    (THROW_CANNOT, "he has nothing higher", (28, 252), (0, 0)),
    (THROW_ONLY_LOW, "he has nothing lower", (-985, -994), (-985, -994)),
    (THROW_KEEPS, "keeps a card that he may have to go over", (-432, -546), (0, 0)),
    (THROW_SAFE, "his suit, seen face up, is safe", (0, -760), (0, 0)),
    (THROW_LENGTH, "each card of the suit", (-103, 103), (-103, 103)),
    (THROW_SINGLE, "the only one of its suit", (-201, -1), (0, 0)),
    (THROW_OUT, "each card of the suit out", (-85, 146), (0, 0)),
    (THROW_FELLOWS, "each lower card that the fellows may hold", (21, -145), (0, 0)),
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
