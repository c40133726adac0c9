"""Whole runs by the command: however one is started, and however often it is killed, it is the same run."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.training.content import same_content

ROOT = Path(__file__).resolve().parents[2]
TRAIN = ["training.cli", "train", "smoke", "--quiet"]
# Behind "--" nothing is torchrun's own, else it would take --run for one of its options.
TORCHRUN = ["torch.distributed.run", "--nproc-per-node", "2", "--rdzv-backend", "c10d", "--rdzv-endpoint",
            "127.0.0.1:0", "--local-addr", "127.0.0.1", "-m", "--"]  # fmt: skip
BEGUN = "history.jsonl"  # written anew when a run begins or goes on, just before the first iteration
PATIENCE = 300  # seconds until a run counts as hung


def start(command: Sequence[str], run_dir: Path) -> subprocess.Popen[str]:
    """The run, going on where the folder holds one."""
    more = ["--run", str(run_dir), *(["--resume"] if (run_dir / "checkpoint.pt").exists() else [])]
    env = os.environ | {"OMP_NUM_THREADS": "1", "GLOO_SOCKET_IFNAME": "lo", "PYTHONPATH": str(ROOT)}
    whole = [sys.executable, "-m", *command, *more]
    return subprocess.Popen(whole, cwd=ROOT, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def finish(command: Sequence[str], run_dir: Path) -> Path:
    """Run to the end; the checkpoint."""
    with start(command, run_dir) as process:
        said, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, said
    return run_dir / "checkpoint.pt"


class Whole(NamedTuple):
    """A run that nobody disturbed."""

    checkpoint: Path
    seconds: float  # from its first iteration to its end


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Whole:
    run_dir = tmp_path_factory.mktemp("runs") / "whole"
    checkpoint = finish([*TRAIN, "--processes", "1"], run_dir)
    begun = (run_dir / "config.toml").stat().st_mtime
    return Whole(checkpoint, checkpoint.stat().st_mtime - begun)


def test_torchrun_trains_what_one_process_and_two_train(whole: Whole, tmp_path: Path) -> None:
    assert same_content(whole.checkpoint, finish([*TRAIN, "--processes", "2"], tmp_path / "two"))
    assert same_content(whole.checkpoint, finish([*TORCHRUN, *TRAIN], tmp_path / "torchrun"))


@pytest.mark.parametrize("kills", [3, pytest.param(20, marks=pytest.mark.long)])
def test_a_run_that_is_killed_again_and_again_ends_as_if_it_had_not_been(
    whole: Whole, tmp_path: Path, kills: int
) -> None:
    rng, run_dir, hit = random.Random(kills), tmp_path / "run", 0
    for kill in range(kills):
        before = changed(run_dir / BEGUN)
        with start([*TRAIN, "--processes", str(1 + kill % 2)], run_dir) as process:
            until = time.monotonic() + PATIENCE
            if rng.random() < 0.8:  # the others are killed while they are still getting ready
                while process.poll() is None and changed(run_dir / BEGUN) == before and time.monotonic() < until:
                    time.sleep(0.01)
            time.sleep(rng.uniform(0, 2 * whole.seconds / kills))
            hit += process.poll() is None
            process.kill()
            process.communicate()
    assert hit > kills // 2
    assert same_content(whole.checkpoint, finish([*TRAIN, "--processes", "1"], run_dir))


def changed(path: Path) -> int:
    """When a file was written last; 0 if it is not there."""
    return path.stat().st_mtime_ns if path.exists() else 0
