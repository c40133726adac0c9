"""Several processes at one run: one a core with one thread each, or one a GPU, here or on other machines.

An iteration's deals come in shards, and each process works on as many whole ones. What they find is gathered and
summed in the order of the shards, so one process with all of them computes the same numbers, bit for bit.

The processes speak through ``torch.distributed``: ``gloo`` between processors, ``nccl`` between GPUs. ``torchrun`` starts
them and says so in the environment; without it ``solo-whist train --processes N`` starts them itself.
"""

from __future__ import annotations

import os
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from multiprocessing import get_context, parent_process
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import torch
import torch.distributed as dist
from torch import Tensor

Tally = dict[str, tuple[float, float]]  # by name: a sum and how many it is of


class ProcessError(RuntimeError):
    """Another process of the run has ended; the message is a sentence."""


class Processes:
    """The processes of a run, seen from one of them: process ``rank`` of ``size``, for ``shards`` shards.

    Raises:
        ProcessError: the shards cannot be shared out evenly.
    """

    def __init__(self, shards: int, rank: int = 0, size: int = 1) -> None:
        if shards % size:
            raise ProcessError(
                f"run.shards is {shards}, which {size} processes cannot share evenly; take a number of processes "
                "that divides it."
            )
        self.rank, self.size, self.shards = rank, size, shards
        n = shards // size
        self.mine = range(rank * n, (rank + 1) * n)

    @property
    def leads(self) -> bool:
        """Whether this is the process that writes files and talks to the user."""
        return self.rank == 0

    def gather(self, local: Tensor) -> Tensor:
        """The rows of all shards [S, ...] in their order, from those of this process's shards [n, ...]."""
        if self.size == 1:
            return local
        parts = [torch.empty_like(local) for _ in range(self.size)]
        try:
            dist.all_gather(parts, local.contiguous())
        except RuntimeError as error:
            raise ProcessError(f"another process of the run has ended: {' '.join(str(error).split())[:200]}") from None
        return torch.cat(parts)

    def sum(self, local: Tensor) -> Tensor:
        """The sum [...] over all shards, in their order, of rows [n, ...] of this process's."""
        rows = self.gather(local)
        total = rows[0].clone()
        for row in rows[1:]:
            total += row
        return total

    def means(self, tallies: Sequence[Mapping[str, tuple[float, float]]]) -> dict[str, float]:
        """The mean of each thing that is told by the same names in every shard; without a case there is none."""
        names = list(tallies[0])
        local = torch.tensor([[part for name in names for part in tally[name]] for tally in tallies], dtype=torch.float64)
        totals = self.sum(local).tolist()
        return {name: totals[2 * i] / totals[2 * i + 1] for i, name in enumerate(names) if totals[2 * i + 1] > 0}


def started_outside() -> bool:
    """Whether ``torchrun`` started this process as one of several."""
    return int(os.environ.get("WORLD_SIZE", "1")) > 1


@contextmanager
def processes_of(shards: int, device: str) -> Iterator[Processes]:
    """The processes that the environment tells of, as ``torchrun`` does; one where it tells of none."""
    if not started_outside():
        yield Processes(shards)
        return
    rank, size = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
    processes = Processes(shards, rank, size)
    if device == "cuda":
        torch.cuda.set_device(int(os.environ.get("LOCAL_RANK", "0")))
    dist.init_process_group("nccl" if device == "cuda" else "gloo")
    try:
        yield processes
    finally:
        dist.destroy_process_group()


def run_together(work: Callable[..., Any], size: int, shards: int, arguments: tuple[Any, ...]) -> Any:
    """Do ``work(processes, *arguments)`` in ``size`` processes of which this is the first; returns what it returns here.

    The others end when this one does, however it ends.
    """
    if size == 1:
        return work(Processes(shards), *arguments)
    Processes(shards, 0, size)  # refuses before anything is started
    with tempfile.TemporaryDirectory() as folder:
        store = str(Path(folder) / "store")
        context = get_context("spawn")
        others: list[BaseProcess] = [
            context.Process(target=_help, args=(work, store, rank, size, shards, arguments), daemon=True)
            for rank in range(1, size)
        ]
        for other in others:
            other.start()
        try:
            return _join(work, store, 0, size, shards, arguments)
        except ProcessError:
            ended = [f"process {i + 1} with exit code {p.exitcode}" for i, p in enumerate(others) if not _alive(p)]
            raise ProcessError(
                f"the run cannot go on: {', '.join(ended) or 'another process'} has ended; go on with --resume."
            ) from None
        finally:
            for other in others:
                other.terminate()
                other.join()


def _alive(process: BaseProcess) -> bool:
    process.join(timeout=2.0)
    return process.is_alive()


def _help(work: Callable[..., Any], store: str, rank: int, size: int, shards: int, arguments: tuple[Any, ...]) -> None:
    """What a started process does."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    try:
        _join(work, store, rank, size, shards, arguments)
    except (ProcessError, KeyboardInterrupt):
        os._exit(1)  # the first process says why


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _join(work: Callable[..., Any], store: str, rank: int, size: int, shards: int, arguments: tuple[Any, ...]) -> Any:
    os.environ.setdefault("GLOO_SOCKET_IFNAME", "lo")
    try:
        dist.init_process_group("gloo", init_method=f"file://{store}", rank=rank, world_size=size)
    except RuntimeError as error:
        raise ProcessError(f"the processes do not find each other: {' '.join(str(error).split())[:200]}") from None
    try:
        return work(Processes(shards, rank, size), *arguments)
    finally:
        dist.destroy_process_group()
