"""What a measurement is: who plays whom on which deals, and nothing that does not decide its result."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from solo_env.evaluation.books import Book, BookError, check_clusters, read_book_id, session_of
from solo_env.evaluation.seatings import DEFAULT_SEATING, Seating, find_seating
from solo_env.player import Player, make_player
from solo_env.rules import Ruleset, load_ruleset

PRESETS = {"quick": 500, "standard": 4_000, "release": 20_000}  # deals, each at all tables of its seating
DEFAULT_PRESET = "quick"


@dataclass(frozen=True)
class Plan:
    """One measurement; make it by :func:`new_plan`, which checks it."""

    lineups: tuple[tuple[str, ...], ...]  # specs by number; a second lineup has the rival in the challenger's place
    seating: Seating
    book: Book
    clusters: int  # deals, or sessions where the pack carries over; the most, if it may end sooner
    until: float | None = None  # end when the interval that allows looking reaches so far to each side
    study: bool = False  # study the calls, swap calls and cards, and show three deals

    @property
    def ruleset(self) -> Ruleset:
        """What is played."""
        return self.book.ruleset

    @property
    def deals(self) -> int:
        """How many deals, at most."""
        return self.clusters * self.book.session

    def command(self) -> str:
        """The command that gives this result: all that decides it, and nothing else."""
        challenger, *against = self.lineups[0]
        words = ["solo-whist", "evaluate", challenger, "--against", *against]
        if len(self.lineups) > 1:
            words += ["--rival", self.lineups[1][0]]
        words += ["--ruleset", self.ruleset.name, "--book", self.book.name, "--seed", str(self.book.seed)]
        words += ["--seating", self.seating.name, "--deals", str(self.deals)]
        if self.book.session > 1:
            words += ["--session", str(self.book.session)]
        if self.until is not None:
            words += ["--until", f"ci={float(self.until)!r}"]
        if self.study:
            words.append("--study")
        return shlex.join(words)

    def make_players(self) -> list[list[Player]]:
        """The players of each lineup, one object a spec, so that a program of its own is started once."""
        made = {spec: make_player(spec, self.ruleset) for spec in dict.fromkeys(chain(*self.lineups))}
        return [[made[spec] for spec in lineup] for lineup in self.lineups]


def new_plan(  # noqa: PLR0913 - each argument is a word of the command
    challenger: str,
    against: Sequence[str],
    *,
    ruleset: str | Ruleset = "pagat",
    book: str = "test",
    seed: int = 0,
    deals: int = PRESETS[DEFAULT_PRESET],
    seating: str | None = None,
    session: int | None = None,
    until: float | None = None,
    rival: str | None = None,
    chosen_on: str | None = None,
    study: bool = False,
) -> Plan:
    """The plan that these words make.

    Args:
        challenger: the spec of who is measured.
        against: the specs of the others, one or three.
        ruleset: what is played.
        book: ``train``, ``dev``, ``test`` or ``final``.
        seed: names the deals of the book and the players' randomness.
        deals: how many deals, at most if ``until`` is given.
        seating: a name of ``SEATINGS``; by default one against three, and all 24 ways with three others.
        session: deals of a cluster; by default 1, and 10 where the pack carries over.
        until: end when the interval that allows looking reaches so many units to each side.
        rival: the spec of a second challenger, who plays the same deals against the same others.
        chosen_on: the id of the book that the challenger was chosen by, such as "dev-0"; not to be this one, with
            sessions of whatever length.
        study: whether the document also tells of calls and their regret, of calls and cards swapped, and of three
            deals; see ``solo_env.evaluation.study``.

    Raises:
        ValueError: what cannot be measured, in a sentence.
    """
    rules = load_ruleset(ruleset)
    length = session_of(rules) if session is None else session
    if until is not None and not 0 < until < float("inf"):
        raise ValueError(f"the interval to stop at is {until:g}; it must be a number of units above 0.")
    name = seating or (DEFAULT_SEATING if len(against) == 1 else "four")
    lineups = tuple((first, *against) for first in (challenger, rival) if first is not None)
    the_book = Book(book, seed, rules, length)
    if chosen_on is not None and read_book_id(chosen_on) == (the_book.name, the_book.seed):
        raise BookError(
            f"the challenger was chosen on book {chosen_on}, where it is lucky by choice: report on another book "
            "or another seed."
        )
    clusters = check_clusters(deals, length)
    return Plan(lineups, find_seating(name, 1 + len(against)), the_book, clusters, until, study)
