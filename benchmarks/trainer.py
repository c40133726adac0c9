"""The trainer as a worker: ``python -m benchmarks.trainer train 2 2048 300000`` is two processes that train.

``passes 2 1 2048 300000`` is what the networks of the second of two processes have to do, on positions of the
trainer's own, without a game.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable

import numpy as np
import torch

from benchmarks.measure import serve, timed
from training.networks import infer
from training.processes import Processes, run_together
from training.train import one_thread
from training.trial import joint_trainer, trial_config


def train(processes: Processes, deals: int, cloned: int) -> None:
    """One of the processes that train: the first is the worker, the others do an iteration when it does."""
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
    minibatches as the trainer's a pass of both there and back, with a step of the optimiser. The steps are of size
    0, since the loss here means nothing. What the processes tell each other is left out.
    """
    config = trial_config(cloned, {"run": {"deals": deals}})
    shards, alone = Processes(config.run.shards, part, size).mine, Processes(config.run.shards)
    with tempfile.TemporaryDirectory() as folder, joint_trainer(config, folder, alone) as trainer:
        pull = trainer.pull()
        played = [trainer.play(shard, pull).ids for shard in shards]
    actor, critic, optimiser = trainer.state.actor, trainer.state.critic, trainer.state.optimiser
    for group in optimiser.param_groups:
        group["lr"] = 0.0
    n_steps = -(-sum(map(len, played)) * size // config.ppo.minibatch)
    rng = np.random.default_rng(0)
    parts = [np.array_split(ids[rng.permutation(len(ids))], n_steps) for ids in played]
    minibatches = [[torch.from_numpy(rows) for rows in step] for step in zip(*parts, strict=True)]

    def once() -> int:
        for whole in played:
            infer(actor, whole)
            infer(critic, whole)
        for minibatch in minibatches:
            trainer.learner.gradient.zero_()
            for ids in minibatch:
                (actor(ids).sum() + critic(ids).sum()).backward()
            optimiser.step()
        return sum(map(len, played))

    return once


def main(what: str, size: int, *more: int) -> None:
    """Be the worker that the command names."""
    if what == "train":
        run_together(train, size, trial_config(0).run.shards, more)
    else:
        with one_thread():
            serve(lambda: timed(passes(size, *more)))


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
