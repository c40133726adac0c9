"""How good a hand is for each kind of contract, as the log-odds of making it: a sum over its suits.

Every suit of a hand adds a number that depends on its cards, on whether it is trumps, and on how many trumps stand
beside it; so a hand is judged by five look-ups. The numbers are those of a logistic regression on deals that were
played out (``calibrate``), in hundredths. What is shipped are its weights, one for each feature below, and the
tables are made from them when a player is made.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from baselines.hand_value import suit_pattern
from solo_env.cards import N_RANKS, N_SUITS, N_TRICKS
from solo_env.engine._jit import kernel
from solo_env.engine.bits import popcount

N_PATTERNS = 1 << N_RANKS


class HandKind(NamedTuple):
    """A way in which a hand is judged."""

    name: str
    meaning: str
    trumps: bool
    low: bool  # it is to take no trick
    tricks: int  # what counted as made in the regression


KINDS = (
    HandKind("propose", "the proposer's hand", True, False, 8),
    HandKind("accept", "the acceptor's hand", True, False, 8),
    HandKind("alone", "a solo", True, False, 5),
    HandKind("long", "an abundance, eldest on lead", True, False, 9),
    HandKind("petit", "a petit slam, eldest on lead", True, False, 12),
    HandKind("slam", "all tricks with trumps, the caller on lead", True, False, 13),
    HandKind("tops", "all tricks without trumps, the caller on lead", False, False, 13),
    HandKind("low", "a misère", False, True, 0),
    HandKind("open", "a misère ouverte", False, True, 0),
    HandKind("propose_nt", "the proposer's hand in a no-trump round", False, False, 8),
    HandKind("accept_nt", "the acceptor's hand in a no-trump round", False, False, 8),
    HandKind("alone_nt", "a solo in a no-trump round", False, False, 5),
)
N_KINDS = len(KINDS)
PROPOSE, ACCEPT, ALONE, LONG, PETIT_SLAM, SLAM, TOPS, LOW, OPEN, PROPOSE_NT, ACCEPT_NT, ALONE_NT = range(N_KINDS)

# How many trumps stand beside a side suit: three or fewer, four, five, six, seven or more.
N_GROUPS = 5
FEWEST, MOST = 3, 7
N_ROWS = 1 + N_GROUPS  # of a kind's table: the trump suit, then a side suit beside each number of trumps


@kernel
def trump_group(n: int) -> int:
    """The group of a number of trumps, 0 to 4."""
    return min(max(n, FEWEST), MOST) - FEWEST


@kernel
def score_hand(tables: np.void, kind: int, hand: int, trump: int) -> int:
    """The log-odds, in hundredths, that ``hand`` makes a contract of ``kind``; a trump of -1 means none.

    The scores of ``tables`` are int16 [8192, 6, kinds]: what several calls ask of a pattern stands side by side.
    """
    if trump < 0:
        value = int(tables["scores"][0, 0, kind]) + 0
        for suit in range(N_SUITS):
            value += int(tables["scores"][suit_pattern(hand, suit), 1, kind])
        return value
    trumps = suit_pattern(hand, trump)
    row = 1 + trump_group(popcount(trumps))
    value = int(tables["scores"][trumps, 0, kind]) + 0
    for suit in range(N_SUITS):
        if suit != trump:
            value += int(tables["scores"][suit_pattern(hand, suit), row, kind])
    return value


# --- Features of a suit ------------------------------------------------------------------------------------

MOST_LENGTH = 9  # lengths above count as this
LOW_CARDS, MOST_DANGER, MOST_SUM = 6, 7, 20


def ranks_held() -> NDArray[np.int64]:
    """int64 [8192, 13]: 1 where a suit pattern holds the rank, 2 first."""
    return np.arange(N_PATTERNS)[:, None] >> np.arange(N_RANKS) & 1


LENGTHS = ranks_held().sum(axis=1)


def trump_features() -> NDArray[np.float64]:
    """float64 [8192, features] of a trump suit: length, honours, how they are guarded, long suits' tops."""
    held = ranks_held()
    n = held.sum(axis=1)
    nine, ten, jack, queen, king, ace = (held[:, rank] for rank in range(7, 13))
    columns = [n == length for length in range(N_TRICKS + 1)]
    columns += [ace, king & (n > 1), king & (n == 1), queen & (n > 2), queen & (n <= 2)]  # noqa: PLR2004
    columns += [jack & (n > 3), jack & (n <= 3), ten, nine]  # noqa: PLR2004
    columns += [ace & king, ace & queen, king & queen, queen & jack, ace & king & queen, jack & ten]
    for honour in (ace, king, queen, jack):
        columns += [honour & (n == 5), honour & (n == 6), honour & (n > 6)]  # noqa: PLR2004
    return np.stack(columns, axis=1).astype(np.float64)


def side_features() -> NDArray[np.float64]:
    """float64 [8192, features] of a suit that is not trumps."""
    held = ranks_held()
    n = held.sum(axis=1)
    ten, jack, queen, king, ace = (held[:, rank] for rank in range(8, 13))
    columns = [np.minimum(n, MOST_LENGTH) == length for length in range(MOST_LENGTH + 1)]
    columns += [ace & (n <= 5), ace & (n > 5), king & (n == 1), king & (n == 2), king & (n > 2)]  # noqa: PLR2004
    columns += [queen & (n <= 2), queen & (n > 2), jack & (n > 2), ten & (n > 2)]  # noqa: PLR2004
    columns += [ace & king, ace & queen, king & queen, king & jack, queen & jack, ace & king & queen]
    columns += [ace & king & queen & (n > 4), ace & king & (n > 4), ace & king & queen & jack, (n == 1) & ace]  # noqa: PLR2004
    columns += [ace & king & queen & (n - 6 == 0), ace & king & queen & (n > 6)]  # noqa: PLR2004
    return np.stack(columns, axis=1).astype(np.float64)


def low_features() -> NDArray[np.float64]:
    """float64 [8192, features] of a suit at misère: by how much its k-th lowest card is too high, and the sum."""
    held = ranks_held()
    n = held.sum(axis=1)
    out_below = np.cumsum(1 - held, axis=1)  # for a held rank: the cards below it that the others may hold
    place = np.cumsum(held, axis=1)
    columns = [np.minimum(n, MOST_LENGTH) == length for length in range(MOST_LENGTH + 1)]
    total = np.zeros(N_PATTERNS, np.int64)
    for k in range(1, LOW_CARDS + 1):
        here = held * (place == k)
        danger = ((np.maximum(out_below - (k - 1), 0)) * here).sum(axis=1)
        total += danger
        columns += [(n >= k) & (np.minimum(danger, MOST_DANGER) == d) for d in range(MOST_DANGER + 1)]
    columns += [np.minimum(total, MOST_SUM) == d for d in range(MOST_SUM + 1)]
    columns += [(n == length) & (total > least) for length in (1, 2, 3) for least in (0, 3, 6, 9)]
    return np.stack(columns, axis=1).astype(np.float64)


TRUMP_FEATURES, SIDE_FEATURES, LOW_FEATURES = trump_features(), side_features(), low_features()
N_TRUMP_WEIGHTS, N_SIDE_WEIGHTS = TRUMP_FEATURES.shape[1], SIDE_FEATURES.shape[1]
N_LOW_WEIGHTS = LOW_FEATURES.shape[1]
N_POSITION_WEIGHTS = 4  # eldest, second, third, dealer; the first weights of every kind


def n_weights(kind: int) -> int:
    """How many weights a kind of hand has."""
    if KINDS[kind].low:
        return N_POSITION_WEIGHTS + N_LOW_WEIGHTS
    if not KINDS[kind].trumps:
        return N_POSITION_WEIGHTS + N_SIDE_WEIGHTS
    return N_POSITION_WEIGHTS + N_TRUMP_WEIGHTS + N_GROUPS * N_SIDE_WEIGHTS


def design(
    kind: int, hands: NDArray[np.int64], trumps: NDArray[np.int64], positions: NDArray[np.int64]
) -> NDArray[np.float64]:
    """The regression's rows: float64 [N, weights] for hands int64 [N], their trump suits and positions."""
    rows = np.zeros((len(hands), n_weights(kind)))
    rows[np.arange(len(hands)), positions] = 1
    at = N_POSITION_WEIGHTS
    patterns = hands[:, None] >> (N_RANKS * np.arange(N_SUITS)) & (N_PATTERNS - 1)
    if not KINDS[kind].trumps:
        features = LOW_FEATURES if KINDS[kind].low else SIDE_FEATURES
        rows[:, at:] = features[patterns].sum(axis=1)
        return rows
    trump_patterns = patterns[np.arange(len(hands)), trumps]
    rows[:, at : at + N_TRUMP_WEIGHTS] = TRUMP_FEATURES[trump_patterns]
    at += N_TRUMP_WEIGHTS
    sides = SIDE_FEATURES[patterns].sum(axis=1) - SIDE_FEATURES[trump_patterns]
    groups = np.clip(LENGTHS[trump_patterns], FEWEST, MOST) - FEWEST
    for group in range(N_GROUPS):
        here = groups == group
        rows[here, at : at + N_SIDE_WEIGHTS] = sides[here]
        at += N_SIDE_WEIGHTS
    return rows


def score_tables(weights: list[NDArray[np.float64]]) -> NDArray[np.int16]:
    """int16 [kinds, 6, 8192]: what ``score_hand`` looks up, transposed, from the weights of each kind (log-odds).

    The mean of the four positions goes with the trump suit (where there are none: with its pattern 0), so that a
    score says how good the hand is; what the position adds is in the distributions.
    """
    tables = np.zeros((N_KINDS, N_ROWS, N_PATTERNS))
    for kind, own in enumerate(weights):
        at = N_POSITION_WEIGHTS
        mean = own[:at].mean()
        if KINDS[kind].trumps:
            tables[kind, 0] = TRUMP_FEATURES @ own[at : at + N_TRUMP_WEIGHTS] + mean
            at += N_TRUMP_WEIGHTS
            for group in range(N_GROUPS):
                tables[kind, 1 + group] = SIDE_FEATURES @ own[at : at + N_SIDE_WEIGHTS]
                at += N_SIDE_WEIGHTS
        else:
            features = LOW_FEATURES if KINDS[kind].low else SIDE_FEATURES
            tables[kind, 0], tables[kind, 1] = mean, features @ own[at:]
    return np.clip(np.rint(100 * tables), -8000, 8000).astype(np.int16)
