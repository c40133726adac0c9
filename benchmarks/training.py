"""The trainer: decisions learnt from a second, beside what its networks' passes alone allow, and beside a peer.

``python -m benchmarks.training trainer 2`` is a worker of two processes that train; ``passes 2 1`` one that does what the
second of two processes' networks have to do, on positions of the trainer's own, without a game.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks import peers
from benchmarks.measure import Effort, Together, Worker, measure_in_turns, serve, timed
from benchmarks.results import Outcome

DEALS, CLONED = 2048, 300_000  # of an iteration, as by default; decisions of the teacher before the clock runs
QUICK_DEALS, QUICK_CLONED = 64, 2_000
SECONDS = 10  # at least, for each contender in a round: an iteration takes one or two


def training(effort: Effort) -> Outcome:
    """Self-play with the network ``small`` on one core and on two; what passes alone allow; the peer on one core."""
    size = [str(QUICK_DEALS), str(QUICK_CLONED)] if effort.quick else [str(DEALS), str(CLONED)]
    us = [sys.executable, "-m", "benchmarks.training"]
    contenders = [
        Worker("one", [*us, "trainer", "1", *size]),
        Worker("passes_one", [*us, "passes", "1", "0", *size]),
        Worker("two", [*us, "trainer", "2", *size], core=None),
        Together(
            "passes_two",
            [Worker(f"passes_{part}", [*us, "passes", "2", str(part), *size], part) for part in range(2)],
        ),
    ]
    outcome = Outcome()
    if peers.PYTHON.exists():
        command = [
            str(peers.PYTHON),
            "-W",
            "ignore",
            "-m",
            "benchmarks.peers.sb3",
            "quick" if effort.quick else "whole",
        ]
        contenders.append(Worker("peer", command))
    else:
        outcome.notes.append("MaskablePPO is left out: there is no .venv-peers; make bench-peers makes it.")
    seconds = effort.seconds if effort.quick else max(effort.seconds, SECONDS)
    rates, missing = measure_in_turns(contenders, Effort(effort.rounds, seconds, effort.quick))
    outcome.notes += missing
    labels = {"one": "one core", "two": "two cores"}
    for cores, label in labels.items():
        outcome.rates(f"training.{cores}", f"the trainer, small networks, {label}", rates[cores], "decisions/s")
        passes = rates[f"passes_{cores}"]
        outcome.rates(f"training.passes_{cores}", f"its networks' passes alone, {label}", passes, "decisions/s")
        outcome.ratios(f"training.share_{cores}", f"the trainer to passes alone, {label}", rates[cores], passes)
    if "peer" in rates:
        label = "MaskablePPO on SeatEnv, the same networks, one core"
        outcome.rates("training.peer_rate", label, rates["peer"], "decisions/s")
        outcome.ratios("training.peer", "the trainer to that, one core", rates["one"], rates["peer"])
    return outcome


# --- Our workers


def train(processes: Any, deals: int, cloned: int) -> None:
    """One of the processes that train: the first is the worker, the others do an iteration when it does."""
    import torch

    from training.train import one_thread
    from training.trial import joint_trainer, trial_config

    config = trial_config(cloned, {"run": {"deals": deals}})
    with tempfile.TemporaryDirectory() as folder, one_thread(), joint_trainer(config, folder, processes) as trainer:
        learnt = trainer.state.progress.decisions

        def iterate() -> int:
            processes.sum(torch.ones(len(processes.mine), 1))  # nobody plays ahead while another is measured
            before = learnt["joint"]
            trainer.iterate()
            return int(learnt["joint"] - before)

        if processes.leads:
            serve(lambda: timed(iterate))
        else:
            while True:
                iterate()


def passes(size: int, part: int, deals: int, cloned: int) -> Callable[[], int]:
    """What the networks do for an iteration's decisions, those of process ``part`` of ``size``.

    A pass of the actor, that chose the action; a pass of the critic, that told what to expect; and in as large
    minibatches as the trainer's a pass of both there and back, with a step of the optimiser. The steps are of size 0, since
    the loss here means nothing.
    """
    import torch

    from training.networks import infer
    from training.processes import Processes
    from training.trial import joint_trainer, trial_config

    config = trial_config(cloned, {"run": {"deals": deals}})
    alone = Processes(config.run.shards)
    with tempfile.TemporaryDirectory() as folder, joint_trainer(config, folder, alone) as trainer:
        pull = trainer.pull()
        shards = Processes(trainer.config.run.shards, part, size).mine
        played = [trainer.play(shard, pull).ids for shard in shards]
    actor, critic, optimiser = trainer.state.actor, trainer.state.critic, trainer.state.optimiser
    for group in optimiser.param_groups:
        group["lr"] = 0.0
    n_steps = -(-sum(map(len, played)) * size // trainer.config.ppo.minibatch)
    rng = np.random.default_rng(0)
    steps = list(
        zip(
            *(
                [torch.from_numpy(ids[rows]) for rows in np.array_split(rng.permutation(len(ids)), n_steps)]
                for ids in played
            ),
            strict=True,
        )
    )

    def once() -> int:
        for ids in played:
            infer(actor, ids)
            infer(critic, ids)
        for parts in steps:
            trainer.learner.gradient.zero_()
            for ids in parts:
                (actor(ids).sum() + critic(ids).sum()).backward()
            optimiser.step()
        return sum(map(len, played))

    return once


def main(arguments: list[str]) -> None:
    """Be the worker that the command names."""
    from training.processes import run_together
    from training.train import one_thread

    what, size, *more = arguments
    if what == "trainer":
        run_together(train, int(size), 2, tuple(map(int, more)))
    else:
        with one_thread():
            serve(lambda: timed(passes(int(size), *map(int, more))))


if __name__ == "__main__":
    main(sys.argv[1:])
