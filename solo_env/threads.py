"""Threads that share a batch, handed over within some microseconds."""

from __future__ import annotations

from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread
from typing import Any
from weakref import finalize

import numpy as np
from numpy.typing import NDArray

Work = Callable[[int], None]  # what a thread does, told its number
LEAST_ROWS = 64  # of a part, but for the last: more than a line of cache for a column of bytes


def parts(n_rows: int, threads: int) -> NDArray[np.int64]:
    """Where the parts begin in which ``threads`` share a batch, and the end, int64[N + 1].

    Whoever is free takes the next part. They grow shorter, each two thirds of a fair share of what is left, so that
    all end at nearly the same time even if one came late or was held up. One thread takes all at once.
    """
    edges = [0]
    while threads > 1 and n_rows - edges[-1] > LEAST_ROWS:
        fair = (n_rows - edges[-1]) / threads
        edges.append(min(edges[-1] + max(1, round(fair * 2 / 3 / LEAST_ROWS)) * LEAST_ROWS, n_rows))
    return np.array(edges if edges[-1] == n_rows else [*edges, n_rows], np.int64)


class Threads:
    """``threads`` at work together, of which one is the caller.

    The others wait at a queue each, and end when this is closed or forgotten. A bare queue hands work over in
    20 µs where an executor of the standard library takes 80, which is a third of a step of a thousand tables.
    """

    def __init__(self, threads: int) -> None:
        self._queues: list[SimpleQueue[Any]] = [SimpleQueue() for _ in range(threads - 1)]
        for number, queue in enumerate(self._queues):
            Thread(target=_serve, args=(queue, number), daemon=True, name=f"solo-whist-{number}").start()
        self.close = finalize(self, _send_home, self._queues)

    def share(self, work: Work) -> None:
        """Do ``work(thread)`` on every thread; an error of any is raised when all have ended."""
        ended: SimpleQueue[BaseException | None] = SimpleQueue()
        try:
            for queue in self._queues:
                queue.put((work, ended))
            work(len(self._queues))  # so that T threads are T at work and none is waiting
            errors = [ended.get() for _ in self._queues]
        except BaseException:
            self._let_end()
            raise
        for error in errors:
            if error is not None:
                raise error

    def _let_end(self) -> None:
        """Wait until all that was handed over is done, whatever else the user interrupts: nobody writes later."""
        while True:
            try:
                ended: SimpleQueue[BaseException | None] = SimpleQueue()
                for queue in self._queues:  # each takes its turn, so what was there before is over
                    queue.put((_nothing, ended))
                for _ in self._queues:
                    ended.get()
                return
            except KeyboardInterrupt:
                continue


def _nothing(thread: int) -> None:
    """No work."""


def _serve(queue: SimpleQueue[Any], number: int) -> None:
    """Work whenever there is some; what is held while waiting keeps neither this nor an environment alive."""
    while (job := queue.get()) is not None:
        work, ended = job
        error = None
        try:
            work(number)
        except BaseException as raised:  # raised again where the work was shared out
            error = raised
        del job, work
        ended.put(error)


def _send_home(queues: list[SimpleQueue[Any]]) -> None:
    for queue in queues:
        queue.put(None)
