"""Several processes at one run."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from training.processes import ProcessError, Processes, run_together

ROOT = str(Path(__file__).resolve().parents[2])


def sums(processes: Processes, scale: float) -> tuple[list[float], dict[str, float], list[int]]:
    """Sums that come out differently in another order."""
    rows = torch.tensor([[0.1 * scale, 1e8, -1e8 * shard, 1.0 / (shard + 1)] for shard in processes.mine])
    tallies = [{"a": (float(shard), 2.0), "none": (0.0, 0.0)} for shard in processes.mine]
    large = processes.gather(
        torch.arange(len(processes.mine) * 6_000_000, dtype=torch.float32).reshape(-1, 6_000_000)
    )
    return processes.sum(rows).tolist(), processes.means(tallies), list(large.shape)


def ends_early(processes: Processes, rank: int) -> None:
    """The process ``rank`` ends while the others wait for it."""
    if processes.rank == rank:
        os._exit(3)
    processes.sum(torch.zeros(len(processes.mine), 1))


@pytest.mark.parametrize("size", [2, 4])
def test_several_processes_sum_what_one_does_bit_for_bit(size: int) -> None:
    assert run_together(sums, size, 4, (3.0,)) == run_together(sums, 1, 4, (3.0,))
    assert run_together(sums, size, 4, (3.0,))[1:] == ({"a": 0.75}, [4, 6_000_000])


def test_shards_that_cannot_be_shared_are_refused_before_anything_starts() -> None:
    with pytest.raises(ProcessError, match=r"run\.shards is 4, which 3 processes cannot share evenly"):
        run_together(sums, 3, 4, (1.0,))
    with pytest.raises(ProcessError, match="which 0 processes"):
        run_together(sums, 0, 4, (1.0,))


def test_nobody_waits_for_a_process_that_has_ended() -> None:
    with pytest.raises(ProcessError, match="another process of the run has ended; go on with --resume"):
        run_together(ends_early, 2, 2, (1,))


PROGRAM = """
import os, time
from training.processes import run_together

def wait(processes):
    print(os.getpid(), flush=True)
    time.sleep(600)

if __name__ == "__main__":
    run_together(wait, 2, 2, ())
"""


def test_the_others_end_when_the_first_is_killed(tmp_path: Path) -> None:
    (tmp_path / "waits.py").write_text(PROGRAM)
    command, environment = [sys.executable, str(tmp_path / "waits.py")], os.environ | {"PYTHONPATH": ROOT}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as first:
        assert first.stdout is not None
        assert len({int(first.stdout.readline()) for _ in range(2)}) == 2
        first.kill()
        assert first.stdout.read() == ""  # which ends when nobody is left who could write to it
