"""Plays a plan, chunk by chunk, in one process or several, and keeps what is played so that a killed run goes on.

Chunks are played by whoever is free and handed over in order; what they hold does not depend on who played them.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import signal
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import active_children, get_context, parent_process
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solo_env.evaluation.books import Book
from solo_env.evaluation.outcomes import OUTCOME, outcomes_of
from solo_env.evaluation.plan import Plan
from solo_env.evaluation.play import play_chunk
from solo_env.files import write_whole
from solo_env.layout import table_hash
from solo_env.player import Player
from solo_env.signature import signature

CHUNK = 200  # clusters played at once; decides memory and speed, never the result
HASHED_DEALS = 32  # of self-play, that the hash of a player reads
MANIFEST = "manifest.json"
STORE_VERSION = 1
DIGEST_BYTES = 32
# A player's hash reads few deals, so of the first chunks that are kept some clusters are played again.
RECHECKED_CHUNKS, RECHECKED = 20, 4


class StoreError(ValueError):
    """A folder that holds another measurement; the message is a sentence."""


class CrewError(RuntimeError, ValueError):
    """A process that plays has died; the message is a sentence."""


def chunks_of(clusters: int) -> Iterator[tuple[int, int]]:
    """First cluster and number of clusters of every chunk."""
    return ((first, min(CHUNK, clusters - first)) for first in range(0, clusters, CHUNK))


def play_clusters(plan: Plan, players: Sequence[Sequence[Player]], first: int, n: int) -> NDArray[np.void]:
    """The outcomes of ``n`` clusters, all lineups one after the other."""
    return np.concatenate(
        [
            outcomes_of(play_chunk(lineup, plan.seating.seats, plan.book, first, n), number, first)
            for number, lineup in enumerate(players)
        ]
    )


def player_hash(player: Player, book: Book) -> str:
    """Twelve hex digits over what a player does: its self-play on the first deals of a book."""
    tables = play_chunk(
        [player], np.zeros((1, 4), np.int8), Book(book.name, book.seed, book.ruleset), 0, HASHED_DEALS
    )
    digest = hashlib.sha256()
    for field in ("calls", "call_seats", "n_calls", "trump", "plays", "n_plays"):
        digest.update(np.ascontiguousarray(tables[field]).tobytes())
    return digest.hexdigest()[:12]


# --- what is kept on disk


class Store:
    """The folder in which the chunks of one measurement are kept, each with a digest; a damaged one is none.

    Raises:
        StoreError: the folder holds the chunks of another measurement, or what they are of cannot be told.
    """

    def __init__(self, folder: Path, identity: dict[str, Any]) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        told = json.dumps({"version": STORE_VERSION, **identity}, indent=1).encode() + b"\n"
        manifest = folder / MANIFEST
        if manifest.exists():
            content = manifest.read_bytes()
            if not _is_json(content):
                raise StoreError(
                    f"{manifest} is damaged, so what {folder} holds cannot be told; give another folder, or remove "
                    "this one."
                )
            if content != told:
                raise StoreError(
                    f"{folder} holds the deals of another measurement (see {manifest}); give another folder, or "
                    "remove this one."
                )
        elif any(folder.glob("*.npy")):
            raise StoreError(
                f"{folder} holds deals, but no {MANIFEST} that tells of which measurement; give another folder, or "
                "remove this one."
            )
        else:
            write_whole(manifest, told)

    def path(self, first: int) -> Path:
        """Where the chunk that begins with this cluster is kept."""
        return self.folder / f"{first:010d}.npy"

    def write(self, first: int, outcomes: NDArray[np.void]) -> None:
        """Keep a chunk."""
        content = io.BytesIO()
        np.lib.format.write_array(content, outcomes, allow_pickle=False)
        told = content.getvalue()
        write_whole(self.path(first), told + hashlib.sha256(told).digest())

    def read(self, first: int, n: int) -> NDArray[np.void] | None:
        """The chunk of these clusters, None if it is not there as it was written."""
        try:
            content = self.path(first).read_bytes()
        except FileNotFoundError:
            return None
        told, digest = content[:-DIGEST_BYTES], content[-DIGEST_BYTES:]
        if hashlib.sha256(told).digest() != digest:
            return None
        outcomes: NDArray[np.void] = np.lib.format.read_array(io.BytesIO(told), allow_pickle=False)
        if (
            outcomes.dtype != OUTCOME
            or outcomes["cluster"][0] != first
            or outcomes["cluster"].max() < first + n - 1
        ):
            return None
        return outcomes[outcomes["cluster"] < first + n]


def _is_json(content: bytes) -> bool:
    """Whether this is a JSON object."""
    try:
        return isinstance(json.loads(content), dict)
    except (ValueError, RecursionError):
        return False


def identity_of(plan: Plan, hashes: Sequence[Sequence[str]]) -> dict[str, Any]:
    """What decides the outcome of every cluster, however many are played."""
    return {
        "lineups": [
            [{"spec": spec, "hash": told} for spec, told in zip(*pair, strict=True)]
            for pair in zip(plan.lineups, hashes, strict=True)
        ],
        "ruleset": f"{plan.ruleset.name}@{signature(plan.ruleset)}",
        "table_hash": table_hash(),
        "book": plan.book.id,
        "book_hash": plan.book.hash,
        "seating": plan.seating.name,
        "chunk": CHUNK,
    }


# --- who plays


class Crew:
    """Hands out chunks and gives back their outcomes in order; a context, so that its processes end with it."""

    def __init__(
        self, plan: Plan, players: Sequence[Sequence[Player]], workers: int = 1, store: Store | None = None
    ) -> None:
        self.plan, self.players, self.store = plan, players, store
        self.rechecked = 0
        self.processes: list[BaseProcess] = []
        self.pool: ProcessPoolExecutor | None = None
        self.workers = workers = min(workers, len(range(0, plan.clusters, CHUNK)))
        if workers > 1:
            # A process of its own from the start: a copy of this one would share pipes of players and threads.
            self.pool = ProcessPoolExecutor(workers, get_context("spawn"), _begin, (plan,))

    def __enter__(self) -> Crew:
        return self

    def __exit__(self, error: object, *_: object) -> None:
        if not self.pool:
            return
        if error is not None:  # nobody wants what they are at, which may take minutes
            for process in self.processes:
                process.terminate()
        self.pool.shutdown(cancel_futures=True)

    def warm_up(self) -> None:
        """Wait until every process is there and has its players."""
        if self.pool:
            others = active_children()
            try:
                for waiting in [self.pool.submit(_ready) for _ in range(self.workers)]:
                    waiting.result()
            except BrokenProcessPool:
                raise CrewError("a process that was to play has died before it began; see above for why.") from None
            self.processes = [child for child in active_children() if child not in others]

    def outcomes(self) -> Iterator[NDArray[np.void]]:
        """The chunks of the plan, in order, from the store where they are there."""
        for first, n, kept, promised in self._ahead():
            if kept is not None:
                self._recheck(kept, first, n)
                yield kept
                continue
            try:
                played = promised.result() if promised else play_clusters(self.plan, self.players, first, n)
            except BrokenProcessPool:
                raise CrewError(
                    "a process that played has died, maybe for want of memory; with --out the same command goes on "
                    "where it was, and --workers 1 plays in one process."
                ) from None
            if self.store:
                self.store.write(first, played)
            yield played

    def _recheck(self, kept: NDArray[np.void], first: int, n: int) -> None:
        """Refuse a kept chunk whose first clusters are played otherwise now."""
        if self.rechecked == RECHECKED_CHUNKS:
            return
        self.rechecked += 1
        n = min(n, RECHECKED)
        again = play_clusters(self.plan, self.players, first, n)
        if (again != kept[kept["cluster"] < first + n]).any():
            raise StoreError(
                f"what is kept of clusters {first} to {first + n - 1} is played otherwise now: a player has "
                "changed, or is not the same whenever it is asked; give another folder."
            )

    def _ahead(self) -> Iterator[tuple[int, int, NDArray[np.void] | None, Future[NDArray[np.void]] | None]]:
        """Every chunk: first cluster, clusters, what is kept of it, and what other processes promise."""
        ahead: deque[tuple[int, int, NDArray[np.void] | None, Future[NDArray[np.void]] | None]] = deque()
        for first, n in chunks_of(self.plan.clusters):
            kept = self.store.read(first, n) if self.store else None
            promised = self.pool.submit(_play, first, n) if self.pool and kept is None else None
            ahead.append((first, n, kept, promised))
            if len(ahead) > 2 * self.workers:
                yield ahead.popleft()
        yield from ahead


_HERE: dict[str, Any] = {}  # of a worker: its plan and its players


def _begin(plan: Plan) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that asks is the one that stops
    threading.Thread(target=_end_with_parent, daemon=True).start()
    try:
        _HERE["plan"], _HERE["players"] = plan, plan.make_players()
        play_clusters(plan, _HERE["players"], 0, 1)  # kernels are loaded before anybody waits for them
    except ValueError as error:  # what is raised here is not handed on, but ends the pool
        _HERE["failed"] = error


def _end_with_parent() -> None:
    """A worker whose parent was killed would wait for ever: it holds both ends of the queue."""
    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def _ready() -> None:
    """What a worker is asked first: whether it has its players."""
    if "failed" in _HERE:
        raise _HERE["failed"]


def _play(first: int, n: int) -> NDArray[np.void]:
    _ready()
    return play_clusters(_HERE["plan"], _HERE["players"], first, n)
