"""A GPU against the processor: ``python -m training.gpu``, ten minutes at most.

First the decisions a second that the joint stage learns from: the network ``base`` on a GPU, with many deals at a
time, played in two parts in turn; and ``small`` on all cores of the processor. Then both train for the same time,
each with the budget that its speed allows, and both players sit alone among three of ``expert`` on the same deals
of the book ``dev``. Where there is no GPU, or with ``--small``, all is done on the processor in a small size, to
see that it works.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from solo_env.files import write_whole
from solo_env.player import make_player
from solo_env.rules import load_ruleset
from training.checkpoint import new_state
from training.config import STAGES, Config, build_config
from training.paired import mean_of_runs, units_alone
from training.player import PpoPlayer
from training.processes import Processes, run_together
from training.train import Trainer, machine_facts, one_thread
from training.trial import decisions_a_second, is_time, joint_trainer, trial_config

MINUTES, SMALL_MINUTES = 9.0, 0.5
# Of the time: for each trial, for each training. The rest is for compiling kernels, starting and matches.
TRIAL, TRAINING = 0.06, 0.32
SHARES = {"ground": 0.03, "clone": 0.25, "cards": 0.2, "joint": 0.42, "settle": 0.1}  # of a run's decisions
MARGIN = 0.85  # of what its speed allows is a run's budget, so that it comes to its end
DEALS, SMALL_DEALS = 2_000, 100  # of each match
CLONED, SMALL_CLONED = 200_000, 2_000  # before a trial
LEAST = 5_000  # decisions of a stage

Sections = dict[str, dict[str, Any]]


@dataclass(frozen=True)
class Side:
    """One of the two that are compared."""

    name: str
    sections: Sections  # what differs from the defaults
    processes: int = 1


def sides(on_gpu: bool, cores: int) -> tuple[Side, Side]:
    """The GPU's side and the processor's, or both on the processor in a small size."""
    if not on_gpu:
        parted = {"deals": 64, "shards": 1, "halves": 2}
        return (
            Side("base, as on a GPU", {"run": parted, "net": {"size": "base"}, "ppo": {"minibatch": 512}}),
            Side("small", {"run": {"deals": 64}, "ppo": {"minibatch": 512}}, min(2, cores)),
        )
    many = {"device": "cuda", "deals": 16_384, "shards": 1, "halves": 2}
    return (
        Side("base, GPU", {"run": many, "net": {"size": "base"}, "ppo": {"minibatch": 16_384}}),
        Side("small, processor", {"run": {"deals": 1_024 * cores, "shards": cores}}, cores),
    )


def with_budgets(side: Side, decisions: float) -> Config:
    """The recipe with a budget of so many decisions in all; no matches."""
    raw: Sections = {section: dict(options) for section, options in side.sections.items()}
    for stage in STAGES:
        raw[stage] = {"decisions": max(LEAST, round(SHARES[stage] * decisions))}
    return build_config(raw | {"evaluate": {"every": 0}})


def trial(processes: Processes, config: Config, folder: str, seconds: float) -> float:
    """Decisions a second in the joint stage, seen from one process."""
    with one_thread(), joint_trainer(config, Path(folder) / "trial", processes) as trainer:
        return decisions_a_second(trainer, seconds)


def train_for(processes: Processes, config: Config, folder: str, seconds: float) -> dict[str, Any]:
    """Train to the end of the budget or of the time, seen from one process; what was done."""
    with one_thread(), Trainer(new_state(config), Path(folder), processes) as trainer:
        started = time.monotonic()
        while not trainer.finished and not is_time(processes, started + seconds):
            trainer.iterate()
        trainer.write()
        progress = trainer.state.progress
        return {
            "decisions": progress.total,
            "seconds": round(time.monotonic() - started, 1),
            "finished": trainer.finished,
        }


def compare(on_gpu: bool, minutes: float, deals: int, cloned: int, folder: Path) -> dict[str, Any]:
    """Measure both sides; JSON-ready."""
    ruleset = load_ruleset("pagat")
    expert = make_player("expert", ruleset)
    found, units = [], []
    for number, side in enumerate(sides(on_gpu, os.cpu_count() or 1)):
        run_dir, seconds = folder / str(number), 60 * minutes
        config = trial_config(cloned, side.sections)
        shards = config.run.shards
        rate = run_together(trial, side.processes, shards, (config, str(run_dir), TRIAL * seconds))
        say(f"{side.name}: {rate:,.0f} decisions/s in the joint stage, {side.processes} processes")
        config = with_budgets(side, MARGIN * rate * TRAINING * seconds)
        done = run_together(train_for, side.processes, shards, (config, str(run_dir), TRAINING * seconds))
        units.append(
            units_alone(PpoPlayer(ruleset, path=str(run_dir / "player.npz")), expert, ruleset, deals)[None, :]
        )
        mean, unfinished = mean_of_runs(units[-1]), "" if done["finished"] else ", not all stages"
        say(
            f"{side.name}: {done['decisions']:,} decisions in {done['seconds']:.0f} s{unfinished}; "
            f"{mean.mean:+.3f} units a deal ({mean.low:+.3f} … {mean.high:+.3f})"
        )
        found.append(
            {
                "side": side.name,
                "device": config.run.device,
                "processes": side.processes,
                "sections": side.sections,
                "decisions_a_second": round(rate),
                "trained": done,
                "units": mean._asdict(),
            }
        )
    difference = mean_of_runs(units[0] - units[1])
    times = found[0]["decisions_a_second"] / found[1]["decisions_a_second"]
    say(
        f"the first to the second: {times:.2f} × the decisions/s, "
        f"{difference.mean:+.3f} units a deal ({difference.low:+.3f} … {difference.high:+.3f})"
    )
    facts = machine_facts()
    return {
        "gpu": torch.cuda.get_device_name() if on_gpu else None,
        "cores": os.cpu_count(),
        "machine": facts["machine"],
        "commit": facts["commit"],
        "versions": facts["versions"],
        "minutes": minutes,
        "deals": deals,
        "sides": found,
        "difference": difference._asdict(),
    }


def say(sentence: str) -> None:
    """Print what is known so far."""
    print(sentence, flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(
        prog="python -m training.gpu", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--small", action="store_true", help="on the processor, in a small size")
    parser.add_argument("--minutes", type=float, metavar="M",
        help=f"for all, about ({MINUTES:g}; of the small size {SMALL_MINUTES:g})")  # fmt: skip
    parser.add_argument("--json", type=Path, default=Path("gpu.json"), metavar="FILE", help="(gpu.json)")
    given = parser.parse_args(arguments)
    on_gpu = torch.cuda.is_available() and not given.small
    if not on_gpu and not given.small:
        say("There is no GPU here: all is done on the processor, in a small size.")
    minutes = given.minutes or (MINUTES if on_gpu else SMALL_MINUTES)
    deals, cloned = (DEALS, CLONED) if on_gpu else (SMALL_DEALS, SMALL_CLONED)
    with tempfile.TemporaryDirectory() as folder:
        content: Mapping[str, Any] = compare(on_gpu, minutes, deals, cloned, Path(folder))
    write_whole(given.json, (json.dumps(content, indent=1) + "\n").encode())
    say(f"written to {given.json}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
