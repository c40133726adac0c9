"""Measuring in turns: every contender once a round, so that what slows the machine slows all of them alike."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from statistics import median
from typing import Protocol

ROOT = Path(__file__).resolve().parent.parent

# A piece of work: does some steps and says how many, and how many seconds of them count.
Work = Callable[[], tuple[int, float]]

ONE_THREAD = {
    name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
}
WARM_UP_SECONDS = 0.1


class Unavailable(Exception):  # noqa: N818 - it is no error: one contender less, and a sentence that says why
    """A contender cannot run here; the message is a sentence."""


@dataclass(frozen=True)
class Effort:
    """How long to measure: ``rounds`` times ``seconds`` for each contender."""

    rounds: int
    seconds: float
    quick: bool = False  # leave out what takes minutes


class Contender(Protocol):
    """Somebody whose speed is measured."""

    @property
    def name(self) -> str:
        """What it is called in the results."""

    def start(self) -> None:
        """Get ready, warm-up included.

        Raises:
            Unavailable: it cannot run here.
        """

    def rate(self, seconds: float) -> float:
        """Steps a second, measured over that many seconds."""

    def stop(self) -> None:
        """Let go of everything."""


def measure_in_turns(contenders: Sequence[Contender], effort: Effort) -> tuple[dict[str, list[float]], list[str]]:
    """The rates of each contender, one a round, by its name; and a sentence for each that cannot run."""
    missing = []
    with ExitStack() as stack:
        running = []
        for contender in contenders:
            stack.callback(contender.stop)
            try:
                contender.start()
                running.append(contender)
            except Unavailable as reason:
                missing.append(str(reason))
        rates: dict[str, list[float]] = {contender.name: [] for contender in running}
        for _ in range(effort.rounds):
            for contender in running:
                rates[contender.name].append(contender.rate(effort.seconds))
    return rates, missing


def measure_pairs(
    ours: Contender, theirs: Sequence[Contender], effort: Effort
) -> tuple[dict[str, tuple[list[float], list[float]]], list[str]]:
    """Ours in turns with each of theirs, A B A B: by name our rates and theirs, round by round; and who is missing.

    Raises:
        Unavailable: ours cannot run here.
    """
    missing = []
    pairs: dict[str, tuple[list[float], list[float]]] = {}
    with ExitStack() as stack:
        stack.callback(ours.stop)
        ours.start()
        for contender in theirs:
            stack.callback(contender.stop)
            try:
                contender.start()
            except Unavailable as reason:
                missing.append(str(reason))
                continue
            pairs[contender.name] = [], []
            for _ in range(effort.rounds):
                pairs[contender.name][0].append(ours.rate(effort.seconds))
                pairs[contender.name][1].append(contender.rate(effort.seconds))
            contender.stop()
    return pairs, missing


def ratios(ones: Sequence[float], others: Sequence[float]) -> list[float]:
    """How many times as fast, round by round."""
    return [one / other for one, other in zip(ones, others, strict=True)]


def summary(values: Sequence[float]) -> tuple[float, float, float]:
    """Median, lowest and highest."""
    return median(values), min(values), max(values)


def spend(work: Work, seconds: float) -> tuple[int, float]:
    """Repeat ``work`` until its own count of seconds is up."""
    done, spent = 0, 0.0
    while spent < seconds:
        steps, took = work()
        done, spent = done + steps, spent + took
    return done, spent


def timed(steps: Callable[[], int]) -> Work:
    """Work whose every second counts."""

    def work() -> tuple[int, float]:
        start = time.perf_counter()
        done = steps()
        return done, time.perf_counter() - start

    return work


class Local:
    """A contender in this process; ``make`` builds its work when it starts.

    It is kept on the first ``cores`` cores, and where these are several, each thread that ``make`` starts on one of
    them as workers are: a virtual machine may wake a thread on the core of the one that woke it, which halves both.
    """

    def __init__(self, name: str, make: Callable[[], Work], cores: int = 1) -> None:
        self.name = name
        self._make, self._cores = make, cores
        self._work: Work | None = None

    def start(self) -> None:
        """Build the work and warm it up."""
        before = threading.enumerate()
        with on_cores(self._cores):
            self._work = self._make()
            self._work()
            cores = available_cores()
        if len(cores) > 1:
            started = [thread.native_id for thread in threading.enumerate() if thread not in before]
            for native_id, core in zip(filter(None, started), cycle(cores[1:]), strict=False):
                os.sched_setaffinity(native_id, {core})

    def rate(self, seconds: float) -> float:
        """Steps a second."""
        assert self._work is not None
        with on_cores(1):
            done, spent = spend(self._work, seconds)
        return done / spent

    def stop(self) -> None:
        """Forget the work."""
        self._work = None


class Worker:
    """A contender in a process of its own, which answers each line of seconds with a line "steps seconds".

    Its first line is "ready", or "missing" and a sentence. It is kept on core number ``core``, or has all of them.
    """

    def __init__(self, name: str, command: Sequence[str], core: int | None = 0) -> None:
        self.name = name
        self._command, self._core = list(command), core
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Start the process, wait until it is ready, and warm it up."""
        self._process = subprocess.Popen(
            self._command,
            cwd=ROOT,
            env=os.environ | ONE_THREAD,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        cores = available_cores()
        if cores and self._core is not None:
            os.sched_setaffinity(self._process.pid, {cores[self._core % len(cores)]})
        word, _, reason = self._read().partition(" ")
        if word != "ready":
            raise Unavailable(reason or f"{self.name} said {word!r} where it should have said 'ready'.")
        self.ask(WARM_UP_SECONDS)
        self.answer()

    def ask(self, seconds: float) -> None:
        """Let it work for that many seconds."""
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.write(f"{seconds}\n")
        self._process.stdin.flush()

    def answer(self) -> float:
        """Wait for its answer: steps a second."""
        steps, seconds = self._read().split()
        return int(steps) / float(seconds)

    def rate(self, seconds: float) -> float:
        """Steps a second."""
        self.ask(seconds)
        return self.answer()

    def stop(self) -> None:
        """End the process by ending its input."""
        if self._process is not None:
            assert self._process.stdin is not None
            assert self._process.stdout is not None
            self._process.stdin.close()
            self._process.stdout.close()
            try:
                self._process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        self._process = None

    def _read(self) -> str:
        assert self._process is not None
        assert self._process.stdout is not None
        for line in self._process.stdout:  # libraries print lines of their own first
            words = line.split()
            if words and (words[0] in ("ready", "missing") or words[0].isdigit()):
                return line.strip()
        raise Unavailable(f"{self.name} ended with exit code {self._process.wait()} and no answer.")


class Together:
    """Several workers at the same time; their rates are added."""

    def __init__(self, name: str, workers: Sequence[Worker]) -> None:
        self.name = name
        self._workers = workers

    def start(self) -> None:
        """Start them all."""
        for worker in self._workers:
            worker.start()

    def rate(self, seconds: float) -> float:
        """The sum of their rates."""
        for worker in self._workers:
            worker.ask(seconds)
        return sum(worker.answer() for worker in self._workers)

    def stop(self) -> None:
        """Stop them all."""
        for worker in self._workers:
            worker.stop()


def serve(make: Callable[[], Work]) -> None:
    """Be a worker: the other end of :class:`Worker`. An ImportError of ``make`` is a contender that is missing."""
    try:
        work = make()
        work()
    except ImportError as error:
        print(f"missing {' '.join(sys.argv)} cannot run: {error}.", flush=True)
        return
    print("ready", flush=True)
    for line in sys.stdin:
        steps, seconds = spend(work, float(line))
        print(f"{steps} {seconds:.9f}", flush=True)


def available_cores() -> list[int]:
    """The cores this process may use; empty where the system doesn't tell."""
    return sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []


@contextmanager
def on_cores(n: int) -> Iterator[None]:
    """Keep this thread, and threads that it starts, on the first ``n`` cores."""
    cores = available_cores()
    if cores:
        os.sched_setaffinity(0, cores[:n])
    try:
        yield
    finally:
        if cores:
            os.sched_setaffinity(0, cores)
