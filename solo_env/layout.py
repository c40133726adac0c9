"""The observation table: every block of the observation, its place and its meaning.

An observation is one flat ``int8`` buffer; each row below is a named block on it. Sizes, offsets, the Gymnasium
space, named views and the documentation are made from these rows, and the kernel that writes the buffer reads
its offsets from here. "Seat 0" is the observer, 1 the seat on its left, and so on clockwise.
"""

from __future__ import annotations

import hashlib
from math import prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solo_env.actions import N_ACTIONS, N_CALLS, PHASES
from solo_env.actions import TABLE as ACTION_TABLE
from solo_env.cards import N_CARDS, N_SEATS, N_SUITS, N_TRICKS
from solo_env.rules.model import MAX_PRICE, N_CONTRACT_KINDS, N_CONTRACTS
from solo_env.rules.pack import FLAGS, MAX_FLAGS

MAX_CALLS = 14  # a ladder of all ten rungs whose holder may raise his own call

# Numbers that may be large stand as digits of base 100, the lowest first, each with the sign of the number.
DIGIT_BASE, ACCOUNT_DIGITS, DEAL_DIGITS = 100, 4, 2
MAX_DEALS = DIGIT_BASE**DEAL_DIGITS - 1
MAX_ACCOUNT = DIGIT_BASE**ACCOUNT_DIGITS - 1

ROLES = ("undecided", "declarer", "partner", "defender", "for oneself")
PACKS = ("shuffled", "gathered from the deal before", "goulash")
TRUMPS = ("not yet named", "none", "clubs", "diamonds", "hearts", "spades")


FLAG_NAMES = ", ".join(f"{section}.{key}" for section, key, _ in FLAGS)


class Block(NamedTuple):
    """One row of the observation table."""

    name: str
    shape: tuple[int, ...]
    low: int
    high: int  # also the scale: divide by it to bring the block to -1..1
    meaning: str

    @property
    def size(self) -> int:
        """The number of int8 columns of the block."""
        return prod(self.shape)


BLOCKS: tuple[Block, ...] = (
    # --- cards
    Block("hand", (N_CARDS,), 0, 1, "the cards in one's own hand"),
    Block("played", (N_SEATS, N_CARDS), 0, 1, "the cards each seat has played"),
    Block("played_trick", (N_CARDS,), 0, N_TRICKS, "the trick (1 to 13) in which a card was played; 0 not yet"),
    Block("trick", (N_SEATS, N_CARDS), 0, 1, "the card each seat has in the current trick"),
    Block("leader", (N_SEATS,), 0, 1, "who leads the current trick"),
    Block("trick_winners", (N_TRICKS, N_SEATS), 0, 1, "who won each trick; the winner led the next"),
    Block("failed", (N_SEATS, N_SUITS), 0, 1, "who failed to follow which suit"),
    Block("turned", (N_CARDS,), 0, 1, "the card turned up by the dealer (known for the whole deal)"),
    Block("suit", (N_SUITS + 1,), 0, 1, "the suit of the deal, known from the start; the last: a no-trump round"),
    Block("exposed_seat", (N_SEATS,), 0, 1, "whose hand lies face up"),
    Block("exposed", (N_CARDS,), 0, 1, "the cards of the hand that lies face up"),
    # --- auction
    Block(
        "calls",
        (MAX_CALLS, N_CALLS + N_SEATS),
        0,
        1,
        "each call in order: which of the 12 calls, and by whom",
    ),
    Block("calls_by_seat", (N_SEATS, N_CALLS), 0, 1, "the calls each seat has made"),
    Block("standing", (N_CONTRACTS,), 0, 1, "the contract of the standing call"),
    Block("holder", (N_SEATS,), 0, 1, "who holds the standing call (the proposer of a proposal)"),
    Block("acceptor", (N_SEATS,), 0, 1, "who has accepted the standing proposal"),
    Block("asked", (3,), 0, 1, "why a seat is asked again: eldest to accept, proposer to raise, holder to raise"),
    Block("named", (N_SUITS,), 0, 1, "the suit that abundance named with its call, even if overcalled"),
    # --- contract
    Block("phase", (len(PHASES),), 0, 1, "auction, naming of trumps, play, over"),
    Block("contract", (N_CONTRACT_KINDS,), 0, 1, "the contract played (the last is the general misère)"),
    Block("declarer", (N_SEATS,), 0, 1, "the declarer (the proposer of an accepted proposal)"),
    Block("partner", (N_SEATS,), 0, 1, "the declarer's partner, if any"),
    Block("role", (len(ROLES),), 0, 1, "one's own role: " + ", ".join(ROLES)),
    Block("trump", (len(TRUMPS),), 0, 1, "trumps: " + ", ".join(TRUMPS)),
    Block("dealer", (N_SEATS,), 0, 1, "the dealer; eldest sits on the dealer's left"),
    # --- tricks
    Block("tricks", (N_SEATS,), 0, N_TRICKS, "tricks won by each seat"),
    Block("tricks_by_side", (2,), 0, N_TRICKS, "tricks won by the declaring side and by the others"),
    Block("tricks_needed", (1,), 0, N_TRICKS, "tricks the declaring side still needs"),
    Block("tricks_left", (1,), 0, N_TRICKS, "tricks not yet complete"),
    # --- the session and the rules
    Block(
        "account",
        (N_SEATS, ACCOUNT_DIGITS),
        1 - DIGIT_BASE,
        DIGIT_BASE - 1,
        "units each seat has won in the deals of the session settled so far; digits of base 100, lowest first",
    ),
    Block(
        "deals",
        (2, DEAL_DIGITS),
        0,
        DIGIT_BASE - 1,
        "deals of the session before this one, and deals in all; digits of base 100, lowest first",
    ),
    Block("pack", (len(PACKS),), 0, 1, "where the pack came from: " + ", ".join(PACKS)),
    Block("prices", (3, N_CONTRACTS), 0, MAX_PRICE, "base, over- and under-trick price of each contract"),
    Block("targets", (N_CONTRACTS,), 0, N_TRICKS, "tricks each contract asks (0 for a misère)"),
    Block(
        "ladder",
        (N_CONTRACTS,),
        0,
        N_CONTRACTS,
        "place of each call in the ladder, 1 the lowest; 0 not offered",
    ),
    Block("ruleset", (MAX_FLAGS,), 0, 7, "the keys with a choice, each as the place of its value: " + FLAG_NAMES),
)


def _offsets(blocks: tuple[Block, ...]) -> dict[str, int]:
    offsets, at = {}, 0
    for block in blocks:
        offsets[block.name] = at
        at += block.size
    return offsets


OFFSETS = _offsets(BLOCKS)
N_FEATURES = sum(block.size for block in BLOCKS)

# An observation as a record, for kernels: a field for each block, and ``columns`` [F] over all of them.
ROW = np.dtype(
    {
        "names": [*(block.name for block in BLOCKS), "columns"],
        "formats": [*((np.int8, block.shape) for block in BLOCKS), (np.int8, (N_FEATURES,))],
        "offsets": [*(OFFSETS[block.name] for block in BLOCKS), 0],
        "itemsize": N_FEATURES,
    }
)
MASK = np.dtype([("legal", np.int8, (N_ACTIONS,))])  # an action mask likewise
SEEN = np.dtype([("row", ROW), ("mask", MASK)])  # both, of one seat


def records(columns: NDArray[np.int8], dtype: np.dtype[np.void]) -> NDArray[np.void]:
    """The same memory, C-contiguous int8 [..., columns of a record], as records [n].

    NumPy's own ``view`` and ``empty`` look at every field of a dtype: 5 and 10 µs, this takes 0.7.
    """
    return np.ndarray(columns.size // dtype.itemsize, dtype, columns)


STATE_SHAPE = (N_SEATS, N_CARDS)  # all four hands, for a centralised critic
N_STATE = prod(STATE_SHAPE)


def block(name: str) -> Block:
    """The row called ``name``."""
    for row in BLOCKS:
        if row.name == name:
            return row
    raise ValueError(f"there is no block {name!r}; the blocks are {', '.join(row.name for row in BLOCKS)}.")


def where(index: int) -> str:
    """What column ``index`` of an observation means: "failed[2, 1]: who failed to follow which suit"."""
    if not 0 <= index < N_FEATURES:
        raise ValueError(f"column {index} does not exist; an observation has columns 0 to {N_FEATURES - 1}.")
    row = next(b for b in reversed(BLOCKS) if OFFSETS[b.name] <= index)
    rest, position = index - OFFSETS[row.name], []
    for size in reversed(row.shape):
        rest, place = divmod(rest, size)
        position.append(place)
    return f"{row.name}[{', '.join(map(str, reversed(position)))}]: {row.meaning}"


def action_rows() -> list[tuple[int, int, str]]:
    """What is frozen of the action table: id, phase and name of every action."""
    return [(a.id, a.phase, a.name) for a in ACTION_TABLE]


def observation_rows() -> list[tuple[str, tuple[int, ...], int, int]]:
    """What is frozen of the observation table: name, shape and range of every block, in order."""
    return [(b.name, b.shape, b.low, b.high) for b in BLOCKS]


def rows_hash(rows: object) -> str:
    """Eight hex digits over rows of a table."""
    return hashlib.sha256(repr(rows).encode()).hexdigest()[:8]


def table_hash() -> str:
    """Eight hex digits that change when the action or the observation table does; checkpoints carry it."""
    return rows_hash((action_rows(), observation_rows()))


def markdown_table() -> str:
    """The observation table as Markdown."""
    rows = ["| columns | block | shape | range | meaning |", "|---|---|---|---|---|"]
    for b in BLOCKS:
        first = OFFSETS[b.name]
        shape = " × ".join(map(str, b.shape))
        rows.append(f"| {first}–{first + b.size - 1} | `{b.name}` | {shape} | {b.low} … {b.high} | {b.meaning} |")
    return "\n".join(rows)
