"""Deal books: which deals a measurement plays, addressed by counter, so that no two books share a deal.

A book is a game number of its own. Environments count their games from 0 and training plays the first few of its
seed, so neither ever meets a deal of a book, not even under the same seed.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from solo_env.cards import N_SEATS
from solo_env.checks import whole_number
from solo_env.engine import batch
from solo_env.engine.state import new_tables
from solo_env.layout import MAX_DEALS
from solo_env.rules import Ruleset, pack_array
from solo_env.table import check_deals, check_seed

# Game numbers of the books. (2**41 is where the tables of calls are measured, in baselines/play_out.py.)
BOOK_GAMES = {"train": 1 << 42, "dev": 1 << 43, "test": 1 << 40, "final": 1 << 44}
MEANINGS = {
    "train": "to fit a player on",
    "dev": "to choose between players",
    "test": "to report",
    "final": "to report once, at a release",
}
FOR_SELECTION = ("train", "dev")  # a number from these is no report
HASHED_DEALS = 64  # of a book, that its hash reads
KEY_SHIFT = 60  # the number of a book stands above every seed that people choose
MOST_DEALS = 100_000_000  # of one measurement
SESSION = 10  # deals of a session, where the pack carries over; every preset is a multiple


class BookError(ValueError):
    """A book that there is not, or that is used for what it is not for; the message is a sentence."""


@dataclass(frozen=True)
class Book:
    """The deals of one purpose and seed under one ruleset; their clusters are sessions of ``session`` deals.

    Args:
        name: ``train``, ``dev``, ``test`` or ``final``.
        seed: 0 .. 2**63 - 1, names the deals and with them the players' randomness.
        ruleset: what is played.
        session: deals of a cluster; 1 unless the pack carries over from deal to deal.
    """

    name: str
    seed: int
    ruleset: Ruleset
    session: int = 1

    def __post_init__(self) -> None:
        if self.name not in BOOK_GAMES:
            told = ", ".join(f"{name} ({meaning})" for name, meaning in MEANINGS.items())
            raise BookError(f"there is no book {self.name!r}; the books are {told}.")
        check_seed(self.seed)
        whole_number("the number of deals of a session", self.session, 1, MAX_DEALS)
        check_deals(self.session, self.ruleset)

    @property
    def game(self) -> int:
        """The game number under which every cluster of the book is dealt."""
        return BOOK_GAMES[self.name]

    @property
    def id(self) -> str:
        """Name and seed, "test-0"; with the deals of a session where there are more than one, "test-0x10"."""
        return f"{self.name}-{self.seed}" + (f"x{self.session}" if self.session > 1 else "")

    @property
    def key_seed(self) -> int:
        """The seed of the decision keys: that of the deals, told apart by book."""
        return self.seed ^ (sorted(BOOK_GAMES, key=BOOK_GAMES.__getitem__).index(self.name) << KEY_SHIFT)

    @cached_property
    def hash(self) -> str:
        """Twelve hex digits over its address and its first deals as this engine deals them."""
        digest = hashlib.sha256(f"{self.id} {self.game} {self.session} ".encode())
        tables = self.deal(0, HASHED_DEALS)
        for field in ("dealt", "dealer", "suit"):
            digest.update(np.ascontiguousarray(tables[field]).tobytes())
        return digest.hexdigest()[:12]

    def deal(self, first: int, n: int) -> NDArray[np.void]:
        """The clusters ``first`` to ``first + n`` at their first deal: tables [n], the auction open."""
        tables = new_tables(n)
        batch.deal_rows(tables, pack_array(self.ruleset), self.seed, first, self.game, -1, self.session, 0, n)
        return tables


def carries_over(ruleset: Ruleset) -> bool:
    """Whether a deal depends on the play of the one before (clauses 2.5, 2.6), so that sessions are measured."""
    return ruleset.deal.shuffle != "every_deal" or ruleset.passout.mode == "goulash"


def read_book_id(text: str) -> tuple[str, int]:
    """Name and seed of a book's id, such as "dev-0" or "test-0x10"; the length of its sessions is not told.

    Books that differ by that alone have deals in common.

    Raises:
        BookError: it is no book's id.
    """
    found = re.fullmatch(r"([a-z]+)-([0-9]{1,19})(x[0-9]{1,4})?", text)
    if not found or found[1] not in BOOK_GAMES:
        raise BookError(
            f"{text!r} is no book's id; it must be a book ({', '.join(BOOK_GAMES)}), a dash and a seed, as in "
            "dev-0."
        )
    return found[1], int(found[2])


def session_of(ruleset: Ruleset) -> int:
    """How many deals a cluster of a ruleset has, unless somebody says otherwise."""
    return SESSION if carries_over(ruleset) else 1


def check_clusters(deals: int, session: int) -> int:
    """How many clusters ``deals`` are.

    Raises:
        BookError: they are no whole number of sessions.
        ValueError: they are none, or too many.
    """
    deals = whole_number("the number of deals", deals, 1, MOST_DEALS)
    if deals % session:
        raise BookError(
            f"{deals} deals are no whole number of sessions; this ruleset is measured by sessions of {session}."
        )
    return deals // session


def dealt_hands(tables: NDArray[np.void]) -> NDArray[np.int64]:
    """The four hands of tables [N] as they were dealt, sets by absolute seat, int64 [N, 4]."""
    hands: NDArray[np.int64] = np.bitwise_or.reduce(np.int64(1) << tables["dealt"].astype(np.int64), axis=-1)
    return hands.reshape(-1, N_SEATS)
