"""A trainer for measuring: in the joint stage at once, and how many decisions a second it learns from there."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch

from training.checkpoint import new_state, snapshot_of
from training.config import Config, build_config
from training.processes import Processes
from training.train import Trainer

WARM_UP = 2  # iterations of self-play before the clock runs


def trial_config(cloned: int, sections: Mapping[str, Mapping[str, Any]] | None = None) -> Config:
    """The default configuration, changed by ``sections``, for a trainer that is to be measured.

    Of what stands before the joint stage only a short cloning is left, of ``cloned`` decisions, so that the
    positions are those of sensible play. No update ends early, as it may while so young a policy moves fast: all
    decisions that are counted are learnt from. No matches are played.
    """
    raw: dict[str, dict[str, Any]] = {
        "ground": {"decisions": 0},
        "clone": {"decisions": cloned},
        "cards": {"decisions": 0},
        "ppo": {"target_kl": 1000},
        "evaluate": {"every": 0},
    }
    for section, changes in (sections or {}).items():
        raw[section] = raw.get(section, {}) | dict(changes)
    return build_config(raw)


def joint_trainer(config: Config, folder: str | Path, processes: Processes) -> Trainer:
    """A trainer in the joint stage, some iterations old, with a snapshot that may sit at its tables."""
    trainer = Trainer(new_state(config), Path(folder), processes)
    progress = trainer.state.progress
    while progress.stage != "joint":
        trainer.iterate()
    trainer.state.snapshots[0] = snapshot_of(trainer.state.actor)
    for _ in range(WARM_UP):
        trainer.iterate()
    return trainer


def is_time(processes: Processes, until: float) -> bool:
    """Whether the process that leads has come to ``until`` on its monotonic clock, told to all of them."""
    said = processes.leads and time.monotonic() >= until
    return bool(processes.sum(torch.full((len(processes.mine), 1), float(said))).item())


def decisions_a_second(trainer: Trainer, seconds: float) -> float:
    """Decisions that are learnt from a second, over at least so many seconds and one iteration."""
    learnt, started = trainer.state.progress.decisions, time.monotonic()
    before = learnt["joint"]
    while True:
        trainer.iterate()
        if is_time(trainer.processes, started + seconds):
            return (learnt["joint"] - before) / (time.monotonic() - started)
