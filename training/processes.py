"""Several processes at one run: one a core with one thread each, or one a GPU, here or on other machines.

An iteration's deals come in shards, and each process works on as many whole ones. What they find is gathered and
summed in the order of the shards, so one process with all of them computes the same numbers, bit for bit.

Processes of one machine that ``solo-whist train --processes N`` starts speak through shared memory. Those that
``torchrun`` starts, perhaps on several machines, speak through ``torch.distributed``: ``gloo`` between processors,
``nccl`` between GPUs.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from multiprocessing import connection, get_context, parent_process
from multiprocessing.process import BaseProcess
from typing import Any, Protocol

import numpy as np
import torch
import torch.distributed as dist
from torch import Tensor

Tally = dict[str, tuple[float, float]]  # by name: a sum and how many it is of

SHARED_BYTES = 1 << 25  # of shared memory; what is larger goes through it in parts


class ProcessError(ValueError):
    """Processes that cannot work together, or one that has ended; the message is a sentence."""


class Exchange(Protocol):
    """How the processes of a run speak to each other."""

    def __call__(self, local: Tensor) -> Tensor:
        """The rows of all shards, from those of this process's."""

    def add_up(self, local: Tensor) -> None:
        """Replace ``local`` [n] by the sum of all processes', in their order."""


class Alone:
    """A process that has nobody to speak to."""

    def __call__(self, local: Tensor) -> Tensor:
        """The rows of all shards, which are this process's."""
        return local

    def add_up(self, local: Tensor) -> None:
        """The sum of all processes' is what it is."""


class Processes:
    """The processes of a run, seen from one of them: process ``rank`` of ``size``, for ``shards`` shards.

    Raises:
        ProcessError: the shards cannot be shared out evenly.
    """

    def __init__(self, shards: int, rank: int = 0, size: int = 1, exchange: Exchange | None = None) -> None:
        if size < 1 or shards % size:
            raise ProcessError(
                f"run.shards is {shards}, which {size} processes cannot share evenly; take a number of processes "
                "that divides it."
            )
        self.rank, self.size, self.shards = rank, size, shards
        n = shards // size
        self.mine = range(rank * n, (rank + 1) * n)
        self.gather = exchange or Alone()

    @property
    def leads(self) -> bool:
        """Whether this is the process that writes files and talks to the user."""
        return self.rank == 0

    def sum(self, local: Tensor) -> Tensor:
        """The sum [...] over all shards, in their order, of the rows [n, ...] of this process's."""
        rows = self.gather(local)
        total = rows[0].clone()
        for row in rows[1:]:
            total += row
        return total

    def add_up(self, local: Tensor) -> None:
        """Replace ``local`` [n], the sum over this process's shards, by that over all processes, in their order.

        It is the sum over all shards in their order if there is one process, or each has one shard.
        """
        self.gather.add_up(local)

    def means(self, tallies: Sequence[Mapping[str, tuple[float, float]]]) -> dict[str, float]:
        """The mean of each thing that is told by the same names in every shard; without a case there is none."""
        names = list(tallies[0])
        rows = [[part for name in names for part in tally[name]] for tally in tallies]
        totals = self.sum(torch.tensor(rows, dtype=torch.float64)).tolist()
        return {name: totals[2 * i] / totals[2 * i + 1] for i, name in enumerate(names) if totals[2 * i + 1] > 0}


def most_processes(shards: int, device: str) -> int:
    """As many processes as can share the shards evenly: one a core at most, and one alone on a GPU."""
    cores = 1 if device == "cuda" else os.cpu_count() or 1
    return max(n for n in range(1, shards + 1) if shards % n == 0 and n <= cores)


# --- Processes that torchrun has started ------------------------------------------------------------------


def started_outside() -> bool:
    """Whether ``torchrun`` started this process as one of several."""
    return int(os.environ.get("WORLD_SIZE", "1")) > 1


@contextmanager
def processes_outside(shards: int, device: str) -> Iterator[Processes]:
    """The processes that the environment tells of, as ``torchrun`` leaves it."""
    rank, size = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
    Processes(shards, rank, size)  # refuses before they wait for each other
    if device == "cuda":
        torch.cuda.set_device(int(os.environ.get("LOCAL_RANK", "0")))
    dist.init_process_group("nccl" if device == "cuda" else "gloo")

    try:
        yield Processes(shards, rank, size, OutsideExchange(rank, size, device))
        dist.barrier()  # who leaves while another still works may be aborted in its last moments
    finally:
        dist.destroy_process_group()


class OutsideExchange:
    """Rows exchanged through ``torch.distributed``, each with each: half the time of gloo's ``all_gather``."""

    def __init__(self, rank: int, size: int, device: str) -> None:
        self._rank, self._size, self._device = rank, size, device

    def __call__(self, local: Tensor) -> Tensor:
        """The rows of all shards, from those of this process's."""
        return torch.cat(self._gathered(local.to(self._device).contiguous()))

    def add_up(self, local: Tensor) -> None:
        """Replace ``local`` [n] by the sum of all processes', in their order."""
        first, *others = self._gathered(local)
        total = first.clone()  # ``local`` is one of the parts
        for other in others:
            total += other
        local.copy_(total)

    def _gathered(self, local: Tensor) -> list[Tensor]:
        parts = [local if i == self._rank else torch.empty_like(local) for i in range(self._size)]
        others = [i for i in range(self._size) if i != self._rank]
        sent = [dist.P2POp(dist.isend, local, i) for i in others]
        try:
            for work in dist.batch_isend_irecv([*sent, *(dist.P2POp(dist.irecv, parts[i], i) for i in others)]):
                work.wait()
        except RuntimeError as error:
            reason = " ".join(str(error).split())[:200]
            raise ProcessError(f"another process of the run has ended: {reason}") from None
        return parts


# --- Processes that this one starts -----------------------------------------------------------------------


class SharedExchange:
    """Rows exchanged through memory that the processes of one machine share."""

    def __init__(self, memory: Any, barrier: Any, rank: int, size: int) -> None:
        self._bytes, self._barrier = np.frombuffer(memory, np.uint8), barrier
        self._rank, self._size = rank, size

    def __call__(self, local: Tensor) -> Tensor:
        """The rows of all shards, from those of this process's."""
        mine = local.contiguous().numpy().reshape(-1).view(np.uint8)
        out = np.empty((self._size, len(mine)), np.uint8)
        width = SHARED_BYTES // self._size
        shared = self._bytes[: self._size * width].reshape(self._size, width)
        for start in range(0, len(mine), width):
            part = slice(start, min(start + width, len(mine)))
            n = part.stop - start
            shared[self._rank, :n] = mine[part]
            self._wait()
            out[:, part] = shared[:, :n]
            self._wait()  # nobody writes the next part before all have read this one
        shape = (self._size * len(local), *local.shape[1:])
        return torch.from_numpy(out.reshape(-1)).view(local.dtype).reshape(shape)

    def add_up(self, local: Tensor) -> None:
        """Replace ``local`` [n] by the sum of all processes', in their order, without a copy of theirs."""
        mine = local.numpy()
        width = len(self._bytes) // (self._size * mine.itemsize)
        shared = self._bytes.view(mine.dtype)[: self._size * width].reshape(self._size, width)
        for start in range(0, len(mine), width):
            part = mine[start : start + width]
            n = len(part)
            shared[self._rank, :n] = part
            self._wait()
            np.add(shared[0, :n], shared[1, :n], out=part)
            for other in shared[2:, :n]:
                part += other
            self._wait()  # nobody writes the next part before all have read this one

    def _wait(self) -> None:
        try:
            self._barrier.wait()
        except threading.BrokenBarrierError:
            raise ProcessError("another process of the run has ended; go on with --resume.") from None


def run_together(work: Callable[..., Any], size: int, shards: int, arguments: tuple[Any, ...]) -> Any:
    """Do ``work(processes, *arguments)`` in ``size`` processes, of which this is the first, and return its result.

    The others end when this one does, however it ends; and when one of them does, this one says so.
    """
    alone = Processes(shards, 0, size)  # refuses before anything is started
    if size == 1:
        return work(alone, *arguments)
    context = get_context("spawn")
    memory, barrier = context.RawArray("b", SHARED_BYTES), context.Barrier(size)
    others: list[BaseProcess] = [
        context.Process(target=_help, args=(work, memory, barrier, rank, size, shards, arguments), daemon=True)
        for rank in range(1, size)
    ]
    for other in others:
        other.start()
    threading.Thread(target=_abort_at_end, args=(others, barrier), daemon=True).start()
    try:
        return work(Processes(shards, 0, size, SharedExchange(memory, barrier, 0, size)), *arguments)
    finally:
        for other in others:
            other.terminate()
            other.join()


def _abort_at_end(others: Sequence[BaseProcess], barrier: Any) -> None:
    """Let nobody wait for a process that has ended."""
    connection.wait([other.sentinel for other in others])
    barrier.abort()


def _help(
    work: Callable[..., Any],
    memory: Any,
    barrier: Any,
    rank: int,
    size: int,
    shards: int,
    arguments: tuple[Any, ...],
) -> None:
    """What a started process does."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    try:
        work(Processes(shards, rank, size, SharedExchange(memory, barrier, rank, size)), *arguments)
    except (ProcessError, KeyboardInterrupt):
        os._exit(1)  # the first process says why
    except ValueError as error:  # a sentence, such as of a player that failed in this process's deals
        print(error, file=sys.stderr, flush=True)
        os._exit(1)
    _end_with_parent()  # and not before, since an end means that something went wrong


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
