"""What speaks for a card and how much: the points of ``expert`` and ``club``, by role and situation.

A row is a feature: its number, what it says of a candidate, then the points that it is worth to the expert and to
the club player, each as many numbers as the table has columns. A candidate gets the points times the feature; the
candidate with the most is played. Only differences count, so a feature that all candidates share decides nothing.

The numbers are measured. Deals were played out, at some decisions once with every candidate, and the points chosen
so that the candidate with the most brings in the most under ``margin5`` (five tricks are worth as much as the
contract); then again with the player so made, five times, when half of the other seats were novices, half the
player itself. The club player has points for what a player sees without counting, and no others.

Four numbers were moved by hand to where the literature wants them, at no cost that 30,000 deals show: SIDE_RUFF of
partners and of their opponents, RUFF_OVER of partners, STAY_OVER against a hidden hand. Elsewhere the measurement
differs from the literature and was kept: an opponent of a solo gains nothing by leading a singleton, a solo caller
leads middling trumps, a partner leads trumps even from two small ones, and second hand keeps king and queen back.
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
    (TRUMP_LEAD, "a trump", (-73, 11, -126, -56, -115, -216), (-270, 270, -290, -80, -330, 60)),
    (TRUMP_LENGTH, "each trump held", (116, -28, 96, -25, 170, -104), (250, -80, 290, -110, 410, -100)),
    (TRUMPS_OUT, "each trump that the other side may hold", (-5, -47, 26, -51, 121, -14), (0, 0, 0, 0, 0, 0)),
    (
        NO_FOE_TRUMPS,
        "the other side has no trumps",
        (-1133, -374, -371, -414, -446, 82),
        (-1530, -1000, -630, -1550, -980, 0),
    ),
    (TRUMP_MASTER, "the highest trump out", (744, 251, 189, 439, 518, 84), (1410, 820, 290, 1360, 810, 770)),
    (TRUMP_LOW, "a low trump", (-131, 234, 117, 399, -116, -8), (-190, 320, 240, 1390, -780, 0)),
    (TRUMP_FOE_LAST, "the other side plays last to a trump", (-73, 8, -58, -95, -115, -135), (0, 0, 0, 0, 0, 0)),
    (TRUMP_FOE_NEXT, "the other side plays next to a trump", (-73, -86, -89, -40, -115, 49), (0, 0, 0, 0, 0, 0)),
    (MASTER, "nothing can beat it", (51, 185, 222, 66, 110, 36), (140, 520, 400, 190, 110, 210)),
    (MASTER_RISK, "each sixteenth of a chance that it is ruffed", (-8, -13, -19, -23, -13, 9), (0, 0, 0, 0, 0, 0)),
    (MASTERS_MORE, "each master beside it", (151, 28, -24, 107, -34, 248), (0, 0, 0, 0, 0, 0)),
    (MASTER_DRAWN, "a master, and trumps are drawn", (65, 309, 20, 13, -119, 328), (0, 0, 0, 0, 0, 0)),
    (
        OTHER_RISK,
        "each sixteenth of a chance that the other side ruffs",
        (3, -8, -6, -10, 12, 73),
        (0, 0, 0, 0, 0, 0),
    ),
    (SIDE_RUFF, "one's own side ruffs", (0, 347, 428, 272, 0, 21), (0, 1050, 510, 910, 0, 890)),
    (LENGTH, "each card of the suit", (51, 28, 73, 45, 102, 24), (60, 130, 170, 170, 60, 120)),
    (SINGLETON, "a singleton, with trumps to ruff", (348, -68, 162, 206, 88, 265), (750, 110, 490, 580, 90, 1570)),
    (DOUBLETON, "of two cards, with trumps to ruff", (115, -97, -1, 48, -88, -184), (0, 0, 0, 0, 0, 0)),
    (SEQUENCE, "heads a sequence", (370, 323, 234, 398, 123, 402), (570, 840, 530, 1110, -170, 970)),
    (
        BARE_HONOUR,
        "an honour without support",
        (-232, -162, -126, -198, -190, -124),
        (-540, -320, -310, -210, -430, -360),
    ),
    (
        UNDER_ACE,
        "from under the best card out",
        (-160, -334, -347, -378, -528, -664),
        (-490, -690, -420, -470, -580, -950),
    ),
    (UNDER_KING, "from under the second best card out", (-3, 25, -73, 1, 14, 116), (0, 0, 0, 0, 0, 0)),
    (HIGHER_OUT, "each higher card out", (21, -6, 21, -9, -1, 0), (0, 0, 0, 0, 0, 0)),
    (OUT, "each card of the suit out", (-6, -28, -30, -34, -49, -49), (0, 0, 0, 0, 0, 0)),
    (RETURN, "one's own side led the suit before", (0, -40, 10, 46, 0, 236), (0, -30, 0, 180, 0, 930)),
    (FOES_SUIT, "the other side led the suit before", (-29, -15, 79, 107, -11, -153), (0, 0, 0, 0, 0, 0)),
    (FOE_LAST, "the other side plays last", (34, 2, -70, -118, 49, -20), (220, -170, -260, -470, 240, -120)),
    (FOE_NEXT, "the other side plays next", (34, -81, -52, 53, 49, -22), (220, -180, -110, 130, 240, -10)),
    (DECIDES, "the last trick that is needed", (604, 129, 17, 305, 448, 707), (0, 0, 0, 0, 0, 0)),
    (SAVES, "the last trick that the other side needs", (75, -170, 252, 295, 571, -47), (0, 0, 0, 0, 0, 0)),
    (LOW, "a low card", (-230, 37, 58, 66, -37, 115), (-410, 100, 280, 250, -410, 430)),
    (LOW_LENGTH, "each card of the suit, if low", (-20, 23, 20, 23, -2, 1), (0, 0, 0, 0, 0, 0)),
    (LONG_LAST, "longer than all that is out", (210, -8, 83, -45, 165, 81), (0, 0, 0, 0, 0, 0)),
)

# Following suit in a contract for tricks.
# Columns: second and third hand each: alone, against one, partners, against partners, long, against long.
FOLLOW_POINTS = (
    (
        WINS,
        "wins so far",
        (194, 360, 41, 139, -29, 248, -129, 296, 378, 416, 155, 205),
        (610, 1090, -310, 260, -560, 360, -600, 440, 570, 1060, 10, 350),
    ),
    (
        SURE,
        "cannot be beaten",
        (198, -35, 353, 313, 218, 239, 330, 305, 2, -81, 415, 371),
        (660, -110, 780, 890, 20, 760, 290, 750, -440, -90, 990, 900),
    ),
    (
        RISK,
        "each sixteenth of a chance to be beaten",
        (10, 3, -21, -30, 1, -21, 18, -11, 22, 17, -39, -50),
        (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    ),
    (
        RISK_HIGH,
        "the same for an honour",
        (-12, -1, -3, 20, 13, 42, 9, 23, -14, 87, 0, 13),
        (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    ),
    (
        OVERTAKES,
        "overtakes one's own side",
        (0, 0, 78, 147, 70, -395, 56, -502, 0, 0, 127, 260),
        (0, 0, 290, 120, 780, -680, 480, -800, 0, 0, 230, 280),
    ),
    (
        WASTES,
        "its own side wins anyway",
        (0, 0, -413, -450, -410, -128, -51, -88, 0, 0, -303, 0),
        (0, 0, -1130, -980, -1300, -590, -270, -610, 0, 0, 0, 0),
    ),
    (
        OVER_RISK,
        "each sixteenth of the risk of its own side's card",
        (0, 0, 6, 12, 13, 24, 7, 25, 0, 0, 8, 20),
        (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    ),
    (
        MASTER_SPENT,
        "spends the best card of the suit",
        (353, -306, -173, -224, 181, -257, 203, -207, -243, -301, -369, -432),
        (-150, -450, -340, -420, 440, -340, 290, -400, -280, -490, -510, -530),
    ),
    (
        SECOND_MASTER,
        "spends the second best",
        (-181, -104, -94, -74, -190, -53, -186, -70, -90, 234, -138, -146),
        (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    ),
    (
        MASTER_KEPT,
        "keeps a best card besides",
        (41, 250, -11, 2, 130, 112, 147, 39, 806, 273, 189, 236),
        (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    ),
    (
        LOWER_OUT,
        "each lower card out",
        (27, 56, -41, -30, -9, -21, -8, -24, 2, 26, -47, -20),
        (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    ),
    (
        TAKES_HONOUR,
        "takes an honour",
        (-121, 86, 250, 270, 85, 199, 240, 323, -510, 396, 71, 336),
        (-190, 550, 850, 130, 550, 300, 470, 180, -980, 370, 120, 140),
    ),
    (
        SHORT,
        "from two cards or fewer",
        (-133, 98, 81, 19, -25, 60, 29, 50, 191, 224, 93, 9),
        (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    ),
    (
        LONG_SUIT,
        "from five cards or more",
        (193, 17, 92, 117, 172, 44, 53, 184, 578, 14, 71, 104),
        (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    ),
    (
        SUIT_OUT,
        "each card of the suit out",
        (-31, 11, 7, 0, -17, 11, -16, -1, -8, -2, 14, -2),
        (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    ),
    (
        CALLER_TO_COME,
        "the caller is to come",
        (0, 0, 78, 147, 0, 0, -37, 27, 0, 0, 127, 260),
        (0, 0, 290, 120, 0, 0, 30, 80, 0, 0, 230, 280),
    ),
    (
        FRIEND_TO_COME,
        "one's own side is to come",
        (0, 0, -48, 5, -84, -115, -128, -183, 0, 0, 25, 85),
        (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    ),
    (
        FRIEND_BEST,
        "and may win",
        (0, 0, -464, -234, -208, -219, -221, -243, 0, 0, -470, -318),
        (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    ),
    (
        TRUMPS_LED,
        "trumps were led",
        (208, 104, -37, -100, -11, 21, -75, -93, -50, 67, -87, -83),
        (50, -630, -540, -130, 140, 30, -160, -70, 1650, 480, -880, 30),
    ),
    (
        WIN_DECIDES,
        "each sixteenth of a chance to decide the deal",
        (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
        (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    ),
    (
        WIN_SAVES,
        "each sixteenth of a chance to save it",
        (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
        (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    ),
    (
        LOSES_RANK,
        "each lower card out, for a card that loses",
        (35, -3, -42, -59, -2, -10, 6, -26, -365, 85, -116, -45),
        (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    ),
    (
        GUARD_LEFT,
        "leaves an honour with its guard",
        (-74, 185, -51, 20, -64, -181, -125, 90, 788, -1, 115, 136),
        (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    ),
    (
        BACKED,
        "has the next higher card too",
        (454, 287, 132, 96, 295, 107, 278, 106, 112, 207, 311, 67),
        (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    ),
)

# Ruffs and discards in a contract for tricks.
# Columns: alone, against one, partners, against partners, long, against long.
VOID_POINTS = (
    (RUFFS, "a ruff", (155, 35, 97, 98, 165, 102), (550, -10, -100, 30, -40, -60)),
    (RUFF_SURE, "that cannot be beaten", (144, 101, 91, 71, 182, 107), (-130, 60, 330, -110, -410, -60)),
    (RUFF_RISK, "each sixteenth of a chance to be overruffed", (39, -42, -15, -25, 57, -76), (0, 0, 0, 0, 0, 0)),
    (RUFF_OVERTAKES, "over one's own side", (0, -307, -552, -565, 0, -429), (0, -820, -1040, -1010, 0, -680)),
    (RUFF_WASTES, "its own side wins anyway", (0, -229, -245, -233, 0, -199), (0, -760, -230, -700, 0, -910)),
    (
        RUFF_OVER_RISK,
        "each sixteenth of the risk of its own side's card",
        (0, 30, 32, 31, 0, 46),
        (0, 0, 0, 0, 0, 0),
    ),
    (RUFF_LENGTH, "each trump held", (22, -7, 11, 7, 34, -2), (70, -10, -10, 160, -60, 10)),
    (RUFF_SHORT, "from two trumps or fewer", (210, -2, 82, -6, 5, 95), (0, 0, 0, 0, 0, 0)),
    (RUFF_MASTER, "with the best trump out", (-543, -456, -180, -301, -320, -946), (0, 0, 0, 0, 0, 0)),
    (RUFF_LOWER_OUT, "each lower trump out", (-75, 4, -30, -10, -63, 108), (0, 0, 0, 0, 0, 0)),
    (RUFF_HONOUR, "of an honour", (280, 599, 382, 412, 18, 866), (180, 340, 330, 370, 320, 1770)),
    (RUFF_FOES_OUT, "the other side has no trumps", (216, 626, 241, 292, -58, 1085), (0, 0, 0, 0, 0, 0)),
    (RUFF_FRIEND, "one's own side is to come", (0, -317, -241, -265, 0, -79), (0, 0, 0, 0, 0, 0)),
    (RUFF_DECIDES, "each sixteenth of a chance to decide the deal", (0, -63, -34, -32, 0, -8), (0, 0, 0, 0, 0, 0)),
    (RUFF_SAVES, "each sixteenth of a chance to save it", (0, 47, 4, -17, 0, 0), (0, 0, 0, 0, 0, 0)),
    (
        TRUMP_THROWN,
        "throws a trump",
        (-638, -455, -450, -574, -796, -273),
        (-1180, -1250, -1040, -1180, -2710, -1370),
    ),
    (THROWN_RANK, "each rank", (-24, -7, -14, -19, -9, -11), (-50, -40, -50, -40, -120, -100)),
    (THROWN_LENGTH, "each card of the suit", (-27, -30, -15, -18, -160, 78), (10, -130, -20, -70, -250, 180)),
    (THROWN_SINGLE, "the only one of its suit", (25, -38, 2, -2, 53, 82), (0, 0, 0, 0, 0, 0)),
    (
        THROWN_VOIDS,
        "and then there are trumps to ruff",
        (14, 182, 167, 113, 156, -121),
        (0, 220, 230, 450, -50, 150),
    ),
    (THROWN_MASTER, "throws a winner", (-200, -272, -320, -271, -708, -234), (-360, -710, -540, -730, -970, -410)),
    (MASTER_LEFT, "from a suit with a winner", (27, -49, -58, -92, -93, 142), (0, 0, 0, 0, 0, 0)),
    (GUARD_ONE, "bares a king", (-220, -251, -215, -303, -513, -146), (-420, -750, -360, -440, -880, -1040)),
    (GUARD_TWO, "leaves a queen with one guard", (-54, -131, -158, -165, -308, -82), (0, 0, 0, 0, 0, 0)),
    (DEAD_SUIT, "nobody of the other side has the suit", (125, 135, 95, 80, 191, 505), (0, 0, 0, 0, 0, 0)),
    (THROWN_OUT, "each card of the suit out", (-9, 14, 9, -1, 27, -26), (0, 0, 0, 0, 0, 0)),
    (THROWN_HIGHER, "each higher card that the other side may hold", (23, 5, 12, 11, 52, 7), (0, 0, 0, 0, 0, 0)),
    (RUFF_OVER, "over a ruff", (126, 714, 409, 296, -139, 674), (0, 0, 0, 0, 0, 0)),
)

# Leads of somebody who wants no trick.
# Columns: misère, general misère, one in which the last trick loses.
SAFE_POINTS = (
    (SAFE_LOWER, "each lower card out", (-74, 24, 70), (-240, -50, 50)),
    (SAFE_SOME_LOWER, "the first two of them", (109, 3, 244), (0, 0, 0)),
    (SAFE_NO_LOWER, "nothing lower is out", (-200, 32, -118), (-760, 130, -430)),
    (SAFE_HIGHER, "each higher card out, up to four", (45, 12, -155), (70, 90, -150)),
    (SAFE_NO_HIGHER, "nothing higher is out", (0, -313, -348), (0, -410, -400)),
    (SAFE_BEATEN, "each sixteenth of a chance that somebody must beat it", (51, 16, 6), (0, 0, 0)),
    (SAFE_LENGTH, "each card of the suit", (-37, -78, -159), (-40, -140, -260)),
    (SAFE_DANGER, "each danger left in the suit", (-156, -39, -6), (-260, -70, -10)),
    (SAFE_TOP, "the top of the suit", (-258, -445, -458), (-540, -240, -450)),
    (SAFE_RANK, "each rank", (-27, -10, 8), (-100, -50, 10)),
    (SAFE_OUT, "each card of the suit out", (37, 25, -21), (0, 0, 0)),
)

# Following suit where tricks lose.
# Columns: misère, general misère, one in which the last trick loses.
DUCK_POINTS = (
    (UNDER, "loses", (291, 523, 329), (540, 260, 380)),
    (UNDER_RANK, "each rank, if it loses", (92, 91, 69), (180, 100, 100)),
    (UNDER_DANGER, "each danger left, if it loses", (-27, -8, -97), (-60, 10, -120)),
    (OVER_RANK, "each rank, if it wins", (-23, -24, 24), (-50, -30, 20)),
    (OVER_BEATEN, "each sixteenth of a chance that somebody must beat it", (2, 36, -12), (0, 0, 0)),
    (OVER_HIGHEST, "wins with the highest", (-231, 91, 192), (-480, -320, 290)),
    (OVER_LAST, "wins for good", (-53, -27, 109), (-110, -80, -60)),
    (OVER_DANGER, "each danger left, if it wins", (-19, -47, -65), (-20, 0, -60)),
)

# Discards where tricks lose.
# Columns: misère, general misère, one in which the last trick loses.
SHED_POINTS = (
    (SHED_DANGER, "each danger of the suit", (46, -18, 7), (160, -20, -10)),
    (SHED_CUT, "each danger less", (136, 95, 97), (120, 140, 190)),
    (SHED_RANK, "each rank", (17, 59, 36), (10, 50, 60)),
    (SHED_LENGTH, "each card of the suit", (-149, -221, -39), (-270, -250, -50)),
    (SHED_SINGLE, "the only one of its suit", (144, 324, 180), (-300, 50, 320)),
    (SHED_TOP, "nothing higher is out", (131, 69, 73), (110, 50, 200)),
    (SHED_DEAD, "nobody else has the suit", (-480, -349, -446), (-910, -450, -110)),
    (SHED_OUT, "each card of the suit out", (-26, -8, -53), (0, 0, 0)),
    (SHED_LOWER, "each lower card out", (69, 37, 40), (0, 0, 0)),
    (SHED_BOTTOM, "each card out below the lowest held", (99, 48, 88), (0, 0, 0)),
)

# Leads against the caller of a misère.
# Columns: his hand hidden, face up.
ATTACK_POINTS = (
    (HIS_VOID, "the caller has none of the suit", (-1151, -572), (-2760, -1000)),
    (HIS_NO_HIGHER, "the caller has nothing higher", (-240, 21), (-560, 110)),
    (HIS_LOWER, "each lower card that he may hold", (4, 73), (-10, 260)),
    (HIS_ONE_LOWER, "just one", (79, 6), (0, 0)),
    (HIS_HIGHER, "each higher card that he may hold, up to four", (-46, 83), (-100, 0)),
    (HIS_FORCED, "he has nothing lower", (-65, 589), (-330, 790)),
    (HIS_ESCAPE, "each sixteenth of a chance that he has something lower", (17, 29), (0, 0)),
    (HIS_WEAK, "each danger of his suit, seen face up", (0, 65), (0, 0)),
    (HIS_SAFE, "his suit, seen face up, is safe", (0, -94), (0, 0)),
    (FELLOWS_LOWER, "each card with which the fellows may stay under him, up to four", (-92, -75), (0, 0)),
    (FELLOWS_NONE, "the fellows have none of the suit", (360, -36), (0, 0)),
    (FELLOWS_OVER, "each sixteenth of a chance that a fellow must go over him", (-6, -76), (0, 0)),
    (ATTACK_LENGTH, "each card of the suit", (-99, 22), (-230, 90)),
    (ATTACK_SINGLE, "the only one of its suit", (123, 415), (650, 780)),
    (ATTACK_RANK, "each rank", (-44, 15), (-70, 70)),
    (ATTACK_TOP, "the top of the suit", (-22, -223), (50, -700)),
    (ATTACK_LOWEST, "the lowest of the suit", (126, 123), (10, 730)),
    (ATTACK_OUT, "each card of the suit out", (17, -58), (0, 0)),
    (ATTACK_AGAIN, "a fellow led the suit before", (266, -186), (680, -100)),
)

# Following suit before or after the caller of a misère.
# Columns: his hand hidden, face up.
STAY_POINTS = (
    (STAY_OVER, "goes over", (119, 441), (440, 730)),
    (STAY_RANK, "each rank", (28, 0), (10, -30)),
    (STAY_ESCAPES, "each card with which he may stay under", (-76, 119), (0, 0)),
    (STAY_CHANCE, "each sixteenth of a chance that he can", (-55, -38), (0, 0)),
    (STAY_FORCED, "he cannot stay under", (301, 532), (1040, 1570)),
    (STAY_CANNOT, "he cannot go over", (-124, -567), (-580, -1070)),
    (STAY_VOID_RANK, "each rank, when he has none of the suit", (-69, -71), (-130, -170)),
    (STAY_LOWEST, "the lowest of the suit", (-50, -273), (-280, -610)),
    (DUCKED_RANK, "each rank, once he has ducked", (41, 22), (60, 80)),
    (DUCKED_WINS, "wins, once he has ducked", (-28, 185), (190, 310)),
    (DUCKED_LAST, "and takes the lead for certain", (115, -293), (260, -590)),
)

# Discards against a misère.
# Columns: his hand hidden, face up.
THROW_POINTS = (
    (THROW_RANK, "each rank", (9, -16), (-60, 40)),
    (THROW_BELOW, "each lower card that he may hold", (30, 33), (100, -90)),
    (THROW_ABOVE, "each higher card that he may hold", (-56, -262), (0, 0)),
    (THROW_NONE, "he has none of the suit", (-712, -107), (-410, -980)),
    (THROW_CANNOT, "he has nothing higher", (225, 449), (0, 0)),
    (THROW_ONLY_LOW, "he has nothing lower", (-971, -1104), (-1600, -2160)),
    (THROW_KEEPS, "keeps a card that he may have to go over", (-409, 9), (0, 0)),
    (THROW_SAFE, "his suit, seen face up, is safe", (0, -713), (0, 0)),
    (THROW_LENGTH, "each card of the suit", (-56, -124), (-230, -340)),
    (THROW_SINGLE, "the only one of its suit", (269, 123), (-180, -360)),
    (THROW_OUT, "each card of the suit out", (-26, -48), (0, 0)),
    (THROW_FELLOWS, "each lower card that the fellows may hold", (46, 6), (0, 0)),
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
