"""A ladder: every player alone among three of every other, under several rulesets, in one file.

The file is a document like that of a measurement. It keeps of every pair what estimates and ratings are made from,
so a player is added by playing its own pairs and nothing else, and whoever has the file can go on with it. Of a
pair both ways are played on the same deals: one alone among three of the other, and the other way round.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shlex
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from solo_env.checks import whole_number
from solo_env.evaluation.audit import Check, audit, failed, renamed_suits, turned_seats
from solo_env.evaluation.books import Book, check_clusters, session_of
from solo_env.evaluation.match import MOST_WORKERS
from solo_env.evaluation.pairs import SEATING, SIGNS, PairTally, read_counts, scores_and_places
from solo_env.evaluation.plan import Plan
from solo_env.evaluation.ratings import ratings, standing
from solo_env.evaluation.result import (
    Document,
    ResultError,
    check_played,
    check_seal,
    document_bytes,
    read_json,
    schema,
    sealed,
)
from solo_env.evaluation.run import Crew, Store, identity_of, player_hash
from solo_env.evaluation.tally import LineupTally
from solo_env.files import check_writable, write_whole
from solo_env.layout import table_hash
from solo_env.player import Player, make_player, missing_module
from solo_env.rules import Ruleset, load_ruleset
from solo_env.signature import signature

if sys.platform != "win32":
    import fcntl

KIND = "solo-whist ladder"
SCHEMA_VERSION = 1
SCHEMA_FILE = "ladder.schema.json"
REMEDY = "begin it anew, in another file, by its command"
RULESETS, BOOK, SEED, DEALS = ("pagat",), "test", 0, 4_000  # of a new ladder, where not given
MOST_DEALS = 200_000  # so that the file stays one that can be read
PAIRS_AT_ONCE = 60  # played in one go; an outcome counts its lineup in a byte
Pair = tuple[str, str]


class LadderError(ValueError):
    """What cannot be done with a ladder; the message is a sentence."""


@dataclass(frozen=True)
class Wish:
    """What a ladder shall have; None or nothing where it shall be as it is."""

    add: tuple[str, ...] = ()  # specs of players
    rulesets: tuple[str, ...] = ()  # to add
    book: str | None = None
    seed: int | None = None
    deals: int | None = None
    replay: bool = False  # play anew the pairs of players that play otherwise than they did


def read_ladder(path: Path | str) -> Document:
    """The ladder in a file, if it is whole and of this version of the game.

    Raises:
        OSError: it cannot be read.
        ResultError: it is damaged, of another schema, table hash or book, or of a ruleset that plays otherwise now.
    """
    document = read_json(path, "ladder")
    if not isinstance(document, dict) or document.get("kind") != KIND:
        raise ResultError(f"{path} is no ladder of solo-whist ladder.")
    check_seal(document, str(path), SCHEMA_VERSION, schema(SCHEMA_FILE), REMEDY)
    for section in document["rulesets"]:
        check_played(section["ruleset"], section["book"], str(path), REMEDY)
        _check_section(document, section, str(path))
    return document


def extend_ladder(
    path: Path | str,
    wish: Wish | None = None,
    workers: int = 1,
    progress: Callable[[str, int, int], None] | None = None,
) -> tuple[Document, list[str]]:
    """Play what a ladder lacks and write its file, which is begun if it is not there.

    Args:
        path: the file; what is played of pairs that are not done lies in a folder beside it.
        wish: what it shall have.
        workers: how many processes play.
        progress: called with the ruleset, clusters done and clusters planned, after each chunk.

    Returns:
        The document, and sentences on what could not be said.

    Raises:
        ValueError: a ladder or a wish that cannot be, a player that fails or has changed, another run on the file.
        OSError: a file that cannot be read or written.
    """
    path, wish = check_writable(str(path)), wish or Wish()
    workers = whole_number("the number of workers", workers, 1, MOST_WORKERS)
    with _alone(path):
        return _extend(path, wish, workers, progress)


def _extend(
    path: Path, wish: Wish, workers: int, progress: Callable[[str, int, int], None] | None
) -> tuple[Document, list[str]]:
    """What :func:`extend_ladder` does while no other run does it."""
    before = read_ladder(path) if path.exists() else None
    ladder = _Ladder(path, before, wish)
    changed = ladder.changed()
    if changed and not wish.replay:
        raise LadderError(
            f"{'; '.join(changed)}: what {path} has of it is another player's. Nothing was played; with --replay "
            "its pairs are played anew."
        )
    for section in ladder.sections:
        for pairs in ladder.missing(section):
            _play(ladder, section, pairs, workers, progress)
        section.finish()
    notes = ladder.rate()
    document = ladder.write()
    # What is left of runs that were killed and never taken up again.
    left = re.compile(rf"\.{re.escape(path.name)}\.[0-9a-f]{{12}}\.deals")
    for folder in [found for found in path.parent.iterdir() if left.fullmatch(found.name)]:
        shutil.rmtree(folder)
    return document, notes


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Keep other runs off a ladder by a lock on a file beside it, which ends with the process at the latest.

    Raises:
        LadderError: another run has it.
    """
    lock = path.with_name(f".{path.name}.lock")
    try:
        held = _locked(lock)
    except (BlockingIOError, FileExistsError):
        raise LadderError(f"{path} is in use by another run; wait until that has ended.") from None
    try:
        yield
    finally:
        if sys.platform != "win32":
            lock.unlink(missing_ok=True)  # while it is locked, so that it is nobody else's
        os.close(held)


def _locked(lock: Path) -> int:
    """An open file that is locked; BlockingIOError or FileExistsError if another has it."""
    if sys.platform == "win32":
        return os.open(lock, os.O_CREAT | os.O_EXCL | os.O_TEMPORARY)  # removed when it is closed
    while True:
        held = os.open(lock, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(held)
            raise
        # Whoever had it may have removed the file between the two calls; then another may lock a new one.
        with suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(held), lock.stat()):
                return held
        os.close(held)


class _Section:
    """What a ladder has under one ruleset."""

    def __init__(self, ruleset: Ruleset, book: Book, specs: Sequence[str], told: Document | None) -> None:
        self.ruleset, self.book, self.specs = ruleset, book, specs
        self.players: dict[str, Player] = {spec: make_player(spec, ruleset) for spec in specs}
        self.hashes = {spec: player_hash(player, book) for spec, player in self.players.items()}
        self.told_hashes: dict[str, str] = {}
        self.pairs: dict[Pair, Document] = {}
        self.standing: Document | None = None
        self.ratings: Document | None = None
        if told:
            self.told_hashes = {player["spec"]: player["hash"] for player in told["players"]}
            self.pairs = {tuple(pair["players"]): pair for pair in told["pairs"]}
            self.standing, self.ratings = told["standing"], told["ratings"]

    def changed(self) -> list[str]:
        """Who plays otherwise than it did."""
        return [spec for spec, told in self.told_hashes.items() if self.hashes[spec] != told]

    def all_pairs(self) -> list[Pair]:
        """Every two players, in the order of the ladder."""
        return list(combinations(self.specs, 2))

    def finish(self) -> None:
        """Say who stands where, if that is not said yet; all pairs are played."""
        if self.standing is None:
            self.standing = standing(self.specs, list(self.pairs.values()))

    def as_json(self) -> Document:
        """JSON-ready."""
        book = self.book
        return {
            "ruleset": {"name": self.ruleset.name, "signature": signature(self.ruleset)},
            "book": {
                "id": book.id, "name": book.name, "seed": book.seed, "session": book.session, "game": book.game,
                "hash": book.hash,
            },
            "players": [{"spec": spec, "hash": self.hashes[spec]} for spec in self.specs],
            "pairs": [self.pairs[pair] for pair in self.all_pairs() if pair in self.pairs],
            "standing": self.standing,
            "ratings": self.ratings,
        }  # fmt: skip


class _Ladder:
    """A ladder that is being extended: what was in its file, and what shall be."""

    def __init__(self, path: Path, before: Document | None, wish: Wish) -> None:
        self.path = path
        old_specs = before["players"] if before else []
        self.specs: list[str] = list(dict.fromkeys([*old_specs, *wish.add]))
        if len(self.specs) < 2:  # noqa: PLR2004 - a pair
            raise LadderError(f"{path} would have fewer than two players; name them, as in --add novice pass.")
        self.name, self.seed, self.deals = self._kept(before, wish)
        old = {section["ruleset"]["name"]: section for section in before["rulesets"]} if before else {}
        rulesets = [load_ruleset(name) for name in (*old, *(wish.rulesets or (() if old else RULESETS)))]
        by_name = {ruleset.name: ruleset for ruleset in rulesets}
        self.sections: list[_Section] = []
        for name, ruleset in by_name.items():
            book = Book(self.name, self.seed, ruleset, session_of(ruleset))
            check_clusters(self.deals, book.session)
            self.sections.append(_Section(ruleset, book, self.specs, old.get(name)))

    def _kept(self, before: Document | None, wish: Wish) -> tuple[str, int, int]:
        """Book, seed and deals, which a ladder keeps."""
        if before is None:
            deals = DEALS if wish.deals is None else whole_number("the number of deals", wish.deals, 1, MOST_DEALS)
            return wish.book or BOOK, SEED if wish.seed is None else wish.seed, deals
        for what, wished in (("book", wish.book), ("seed", wish.seed), ("deals", wish.deals)):
            if wished is not None and wished != before[what]:
                raise LadderError(
                    f"{self.path} has {what} {before[what]}, which a ladder keeps; for {what} {wished} give "
                    "another file."
                )
        return before["book"], before["seed"], before["deals"]

    def changed(self) -> list[str]:
        """Who plays otherwise than in the file, in words; what they played is taken out."""
        told = []
        for section in self.sections:
            for spec in section.changed():
                told.append(
                    f"player {spec} has hash {section.hashes[spec]} under {section.ruleset.name}, and "
                    f"{section.told_hashes[spec]} when it was played"
                )
                section.pairs = {pair: row for pair, row in section.pairs.items() if spec not in pair}
        return told

    def missing(self, section: _Section) -> Iterator[list[Pair]]:
        """The pairs to play, in portions."""
        pairs = [pair for pair in section.all_pairs() if pair not in section.pairs]
        if pairs:
            section.standing = section.ratings = None
        for first in range(0, len(pairs), PAIRS_AT_ONCE):
            yield pairs[first : first + PAIRS_AT_ONCE]

    def rate(self) -> list[str]:
        """Make the ratings that are not there; sentences on what could not be made."""
        notes = []
        for section in self.sections:
            if section.ratings is None:
                try:
                    clusters = check_clusters(self.deals, section.book.session)
                    section.ratings = ratings(section.specs, list(section.pairs.values()), clusters)
                except ModuleNotFoundError as error:
                    notes.append(f"there are no ratings: this {missing_module(error)}")
        return list(dict.fromkeys(notes))

    def write(self) -> Document:
        """Write the file as things are."""
        content = {
            "command": self.command(),
            "table_hash": table_hash(),
            "book": self.name,
            "seed": self.seed,
            "deals": self.deals,
            "players": self.specs,
            "rulesets": [section.as_json() for section in self.sections],
        }
        document = sealed(content, KIND, SCHEMA_VERSION)
        content_bytes = document_bytes(document)
        if not self.path.exists() or self.path.read_bytes() != content_bytes:
            write_whole(self.path, content_bytes)
        return document

    def command(self) -> str:
        """The command that gives this ladder in a new file."""
        names = ",".join(section.ruleset.name for section in self.sections)
        words = ["solo-whist", "ladder", "FILE", "--add", *self.specs, "--ruleset", names]
        return shlex.join([*words, "--book", self.name, "--seed", str(self.seed), "--deals", str(self.deals)])


def _check_section(document: Document, section: Document, name: str) -> None:
    """Refuse what a digest does not find: pairs of other players, other numbers of deals than are told."""
    specs = document["players"]
    clusters = document["deals"] // section["book"]["session"]
    known = set(combinations(specs, 2))
    wrong = [player["spec"] for player in section["players"]] != specs
    for pair in section["pairs"]:
        wrong |= tuple(pair["players"]) not in known
        wrong |= any(
            sum(read_counts(part["scores"]).values()) != clusters for part in (*pair["alone"], pair["lead"])
        )
        wrong |= len(pair["signs"]) != -(-clusters // 3) or not set(pair["signs"]) <= set(SIGNS)
    if wrong:
        raise ResultError(
            f"{name} is damaged: what it has under {section['ruleset']['name']} does not fit together."
        )


# --- playing


def _play(
    ladder: _Ladder,
    section: _Section,
    pairs: Sequence[Pair],
    workers: int,
    progress: Callable[[str, int, int], None] | None,
) -> None:
    """Play pairs and put them into the section; a run that is killed goes on where it was.

    Raises:
        LadderError: the audit found something; nothing is put into the section.
    """
    lineups = tuple(lineup for one, other in pairs for lineup in ((one, other), (other, one)))
    plan = Plan(lineups, SEATING, section.book, check_clusters(ladder.deals, section.book.session))
    identity = identity_of(plan, [[section.hashes[spec] for spec in lineup] for lineup in lineups])
    told = hashlib.sha256(json.dumps(identity).encode()).hexdigest()[:12]
    folder = ladder.path.with_name(f".{ladder.path.name}.{told}.deals")
    players = [[section.players[spec] for spec in lineup] for lineup in lineups]
    tallies = [PairTally() for _ in pairs]
    done, first_clusters = 0, None
    with Crew(plan, players, workers, Store(folder, identity)) as crew:
        crew.warm_up()
        for outcomes in crew.outcomes():
            if first_clusters is None:
                first_clusters = outcomes
            if outcomes["payoff"].sum(axis=1).any():
                raise LadderError(
                    f"there are tables under {section.ruleset.name} whose payoffs do not sum to zero."
                )
            scores, places = scores_and_places(outcomes, len(lineups), section.book.session)
            for number, tally in enumerate(tallies):
                tally.add(scores[2 * number : 2 * number + 2], places[2 * number : 2 * number + 2])
            done += scores.shape[1]
            if progress:
                progress(section.ruleset.name, done, plan.clusters)
    assert first_clusters is not None  # a plan has at least one cluster
    found = failed(audit_of(plan, players, first_clusters))
    if found:
        raise LadderError(f"the audit under {section.ruleset.name} failed, so nothing was added. {' '.join(found)}")
    for pair, tally in zip(pairs, tallies, strict=True):
        section.pairs[pair] = {"players": list(pair), **tally.as_json(section.book.session)}
    ladder.write()
    shutil.rmtree(folder)


def audit_of(plan: Plan, players: Sequence[Sequence[Player]], first_clusters: NDArray[np.void]) -> list[Check]:
    """The audit of a measurement over all lineups; what it asks of a challenger is asked of every player."""
    parts = first_clusters.reshape(len(players), -1)
    tallies = [LineupTally(len(lineup)) for lineup in players]
    for tally, part in zip(tallies, parts, strict=True):
        tally.add(part, plan.seating.seats)
    checks = audit(plan, players, first_clusters, tallies)
    challengers = {lineup[0].name: number for number, lineup in enumerate(players)}
    del challengers[players[0][0].name]  # whom the audit has asked
    asked = [
        (number, check)
        for number in challengers.values()
        for check in (turned_seats(plan, players[number]), renamed_suits(plan, players[number]))
    ]
    of_lineups = {check.name for _, check in asked}
    asked[:0] = [(0, check) for check in checks if check.name in of_lineups]
    checks = [check for check in checks if check.name not in of_lineups]
    for number, check in asked:  # each is of a lineup: the one at fault may be any of it
        alone, others = plan.lineups[number]
        checks.append(replace(check, name=f"{check.name} with {alone} alone among three of {others}"))
    return checks
