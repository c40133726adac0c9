"""The training loop: clone a fixed player, then improve by self-play, deal by deal.

    stage "clone"       the teacher plays whole deals; actor and critic learn from each decision once
    stage "self-play"   the actor plays whole deals against itself; PPO improves it (ppo.py)

A run is a folder: ``config.toml`` (all options), ``checkpoint.pt`` and ``checkpoint.json`` (checkpoint.py),
and TensorBoard's event files (log.py). Nothing but configuration, seed and the count of iterations decides
what an iteration does, and a checkpoint is always taken between two iterations; so a run that was stopped and
went on is, bit for bit, the run that was never stopped.
"""

from __future__ import annotations

import dataclasses
import importlib.metadata
import platform
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any

import numba
import numpy as np
import torch
from tqdm import tqdm

from solo_env.evaluation.match import MatchResult, play_match
from solo_env.files import write_whole
from solo_env.player import make_player
from solo_env.rules import load_ruleset
from training import log
from training.checkpoint import (
    STAGES,
    State,
    encode,
    frozen_copy,
    load_state,
    new_optimiser,
    new_state,
    read_facts,
    write_facts,
)
from training.clone import clone_rate, clone_update
from training.config import Config, as_toml, canonical, differences
from training.player import PpoPlayer
from training.ppo import ppo_rate, ppo_update, prepare
from training.rollout import (
    GAME_CLONE,
    GAME_SELF_PLAY,
    Rollout,
    contract_mix,
    decide_by_player,
    decide_by_sampling,
    made_rates,
    play_deals,
    revoke_rate,
)
from training.suits import network_columns

# The watchdog: self-play that throws in this many times as many deals as the cloned policy is collapsing.
THROWN_IN_ALARM = 2.0
THROWN_IN_LEAST = 0.05  # below this share no alarm is raised, however few deals the cloned policy threw in


class TrainError(ValueError):
    """A run that cannot start or go on; the message is a sentence."""


def train(
    config: Config,
    run_dir: str | Path,
    *,
    resume: bool = False,
    stop_after: int | None = None,
    quiet: bool = False,
) -> Path:
    """Train a player and leave it in ``run_dir``; returns the path of its checkpoint.

    Args:
        config: what to train; see :mod:`training.config`.
        run_dir: the folder of the run, made if it is not there.
        resume: go on with the run that the folder holds; its configuration must be the same.
        stop_after: stop, with a checkpoint, once this many decisions of both stages together are done.
        quiet: no progress bar.

    Raises:
        TrainError: the folder has no name; it holds a run and ``resume`` is not given, or ``resume`` finds none
            or another configuration; or a loss is no longer a number.
        CheckpointError: the checkpoint to go on from cannot be used.
        PlayerError: the teacher or an opponent cannot be made.
        KeyboardInterrupt: as raised; the last whole iteration has been written before it is passed on.
    """
    if not str(run_dir).strip():
        raise TrainError("the folder of the run has an empty name; name one, such as runs/quick.")
    with one_number_of_threads(config.run.threads):
        state = open_run(config, Path(run_dir), resume)
        with Trainer(state, Path(run_dir), resume, quiet) as trainer:
            trainer.run(stop_after)
            return trainer.checkpoint


@contextmanager
def one_number_of_threads(threads: int) -> Iterator[None]:
    """Let torch use this many threads for the time being: their number decides the last bits of its sums."""
    before = torch.get_num_threads()
    torch.set_num_threads(threads)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def open_run(config: Config, run_dir: Path, resume: bool) -> State:
    """The state to start from: a new one in a folder without a run, or that of the run to go on with.

    A folder holds a run when it holds a checkpoint; what else lies in it does not matter.
    """
    checkpoint = run_dir / "checkpoint.pt"
    if resume:
        if not checkpoint.exists():
            raise TrainError(f"there is no run to go on with in {run_dir}: it has no checkpoint.pt.")
        state = load_state(checkpoint)
        now = canonical(config)
        if state.config.run.ruleset != now.run.ruleset:
            raise TrainError(
                f"the run in {run_dir} is played by {state.config.run.ruleset}, and your ruleset "
                f"{config.run.ruleset} is {now.run.ruleset}; go on with its own config.toml, or start a new run in "
                "another folder."
            )
        changed = differences(state.config, now)
        if changed:
            raise TrainError(
                f"the run in {run_dir} has another configuration: {', '.join(changed)} (the run's, yours); "
                "go on with its own config.toml, or start a new run in another folder."
            )
        return state
    if checkpoint.exists():
        raise TrainError(
            f"{run_dir} already holds a run; go on with it by --resume, or name another folder for a new one."
        )
    return new_state(config)


class Trainer:
    """One run in progress."""

    def __init__(self, state: State, run_dir: Path, resume: bool, quiet: bool) -> None:
        self.state, self.config, self.run_dir, self.quiet = state, state.config, run_dir, quiet
        self.ruleset = load_ruleset(self.config.run.ruleset)
        # In units, so that one configuration serves every scheme of payment.
        scale = self.config.ppo.reward_scale * self.ruleset.lone_solo()
        self.ppo = dataclasses.replace(self.config.ppo, reward_scale=scale)
        self.columns = network_columns(self.config.net.blocks)
        self.teacher = make_player(self.config.clone.teacher, self.ruleset)
        self.opponents = {spec: make_player(spec, self.ruleset) for spec in self.config.evaluate.against}
        self.player = PpoPlayer.of(state.actor, self.config.net, self.ruleset)
        self.matches: dict[str, MatchResult] = {}
        self.collapsing = False
        self.started = time.monotonic()
        run_dir.mkdir(parents=True, exist_ok=True)
        self.checkpoint = run_dir / "checkpoint.pt"
        self.hours_before = float(read_facts(self.checkpoint).get("hours", 0)) if resume else 0.0
        step = state.progress.decisions
        self.log = log.RunLog(run_dir, purge_from=step + 1 if resume else None)
        self.bar = tqdm(
            total=self.config.clone.decisions + self.config.run.decisions,
            initial=self.shown(),
            unit=" decisions",
            disable=quiet,
            smoothing=0.05,
        )
        self.keep()
        if not resume:
            self.write()  # the first file of a run: without it there is none to go on with
        if not (resume and (run_dir / "config.toml").exists()):
            write_whole(run_dir / "config.toml", as_toml(self.config).encode())
        if not resume:
            self.log.text("run/config", f"```toml\n{as_toml(self.config)}```", step)
            self.log.text("run/metrics", log.markdown_table(), step)

    def __enter__(self) -> Trainer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.bar.close()
        self.log.close()

    # --- The loop ---

    def run(self, stop_after: int | None) -> None:
        """Iterate until the budget is used up, ``stop_after`` is reached or the user interrupts."""
        progress, every = self.state.progress, self.config.run.checkpoint_every
        try:
            while not self.finished and (stop_after is None or progress.decisions < stop_after):
                self.iterate()
                self.keep()
                if progress.iteration % every == 0:
                    self.write()
        finally:
            self.write()  # after an interruption: the last whole iteration

    @property
    def finished(self) -> bool:
        """Whether the budget is used up."""
        progress = self.state.progress
        return progress.stage == STAGES[1] and progress.decisions_played >= self.config.run.decisions

    def iterate(self) -> None:
        """One iteration of the stage that the run is in."""
        progress = self.state.progress
        if progress.stage == STAGES[0] and progress.decisions_cloned >= self.config.clone.decisions:
            self.begin_self_play()
            return
        started = time.monotonic()
        rollout, metrics = self.clone() if progress.stage == STAGES[0] else self.self_play()
        if not all(np.isfinite(value) for value in metrics.values()):
            raise TrainError(
                f"a loss is no longer a number after {progress.decisions} decisions; {self.checkpoint} holds "
                "the iteration before: start again with a smaller ppo.lr or clone.lr."
            )
        seconds = max(time.monotonic() - started, 1e-9)
        progress.iteration += 1
        progress.deals += len(rollout.tables)
        metrics["speed/decisions"] = len(rollout.action) / seconds
        metrics["speed/deals"] = len(rollout.tables) / seconds
        self.log.scalars(metrics, progress.decisions)
        self.bar.update(self.shown() - self.bar.n)
        every = self.config.evaluate.every
        if progress.stage == STAGES[1] and every and (progress.iteration % every == 0 or self.finished):
            self.play_matches(self.config.evaluate.deals)

    def clone(self) -> tuple[Rollout, dict[str, float]]:
        """Learn from new deals of the teacher."""
        state, config, progress = self.state, self.config, self.state.progress
        decide = decide_by_player(self.teacher)
        rollout = self._play(decide, GAME_CLONE)
        rate = clone_rate(config.clone, progress.decisions_cloned / config.clone.decisions)
        self._set_rate(rate)
        metrics = clone_update(
            state.actor,
            state.critic,
            state.optimiser,
            rollout,
            self.ppo.reward_scale,
            config.clone,
            self._generator(),
        )
        progress.decisions_cloned += len(rollout.action)
        return rollout, metrics

    def begin_self_play(self) -> None:
        """Freeze the cloned actor as the anchor and start self-play with a fresh optimiser."""
        state = self.state
        state.cloned = frozen_copy(state.actor)
        state.optimiser = new_optimiser(state.actor, state.critic)
        state.progress.stage, state.progress.iteration = STAGES[1], 0
        if self.config.evaluate.every:
            self.play_matches(self.config.evaluate.deals)

    def self_play(self) -> tuple[Rollout, dict[str, float]]:
        """Play new deals by the actor alone and improve it."""
        state, config, progress = self.state, self.config, self.state.progress
        rollout = self._play(decide_by_sampling(state.actor), GAME_SELF_PLAY)
        mix = contract_mix(rollout.tables)
        self.watch_thrown_in(mix["thrown_in"])
        batch, explained = prepare(rollout, state.critic, state.cloned, self.ppo)
        rate = ppo_rate(config.ppo, progress.decisions_played / config.run.decisions)
        self._set_rate(rate)
        metrics = ppo_update(state.actor, state.critic, state.optimiser, batch, self.ppo, self._generator())
        progress.decisions_played += len(rollout.action)
        metrics |= explained | {"ppo/lr": rate}
        metrics |= {f"mix/{name}": share for name, share in mix.items()}
        metrics |= {f"made/{name}": share for name, share in made_rates(rollout.tables).items()}
        if self.ruleset.play.revokes == "possible":
            metrics["play/revokes"] = revoke_rate(rollout.tables)
        return rollout, metrics

    def watch_thrown_in(self, share: float) -> None:
        """Warn when self-play throws in far more deals than the cloned policy did in its first iteration."""
        progress = self.state.progress
        if progress.thrown_in_cloned < 0:
            progress.thrown_in_cloned = share
        limit = max(THROWN_IN_ALARM * progress.thrown_in_cloned, THROWN_IN_LEAST)
        if share > limit and not self.collapsing:
            self.log.warn(
                f"after {progress.decisions} decisions self-play throws in {share:.0%} of the deals, "
                f"the cloned policy {progress.thrown_in_cloned:.0%}: the auction is collapsing; "
                "raise ppo.anchor.",
                progress.decisions,
            )
        self.collapsing = share > limit

    # --- What the loop uses ---

    def _play(self, decide: Any, game: int) -> Rollout:
        """The deals of this iteration."""
        first = self.state.progress.iteration * self.config.run.deals
        deals = range(first, first + self.config.run.deals)
        return play_deals(decide, self.ruleset, self.columns, self.config.run.seed, deals, game)

    def _generator(self) -> np.random.Generator:
        """What orders the minibatches of this iteration."""
        progress = self.state.progress
        return np.random.default_rng((self.config.run.seed, STAGES.index(progress.stage), progress.iteration))

    def _set_rate(self, rate: float) -> None:
        for group in self.state.optimiser.param_groups:
            group["lr"] = rate

    def shown(self) -> int:
        """Decisions of the budget that are done; the last iteration of a stage does some more than its budget."""
        progress, config = self.state.progress, self.config
        cloned = min(progress.decisions_cloned, config.clone.decisions)
        return cloned + min(progress.decisions_played, config.run.decisions)

    def play_matches(self, deals: int) -> None:
        """Play the greedy policy against the fixed players and log what came of it.

        On the book ``dev``: who looks at these numbers chooses by them when to stop.
        """
        metrics, seed = {}, self.config.evaluate.seed
        for spec, opponent in self.opponents.items():
            result = play_match(self.player, opponent, self.ruleset, deals, seed, book="dev")
            self.matches[spec] = result
            metrics[f"match/{spec}"] = result.mean_units
            if result.ci95 is not None:
                metrics[f"match_low/{spec}"], metrics[f"match_high/{spec}"] = result.ci95
        self.log.scalars(metrics, self.state.progress.decisions)
        self.bar.set_postfix({spec: f"{result.mean_units:+.2f}" for spec, result in self.matches.items()})

    def keep(self) -> None:
        """Remember this moment between two iterations: an interruption falls back on it."""
        self.kept, self.kept_decisions = encode(self.state), self.state.progress.decisions

    def write(self) -> None:
        """Write the last whole iteration as the checkpoint, and the facts of the run beside it."""
        write_whole(self.checkpoint, self.kept)
        facts = machine_facts() | {
            "hours": round(self.hours_before + (time.monotonic() - self.started) / 3600, 4),
            "decisions": self.kept_decisions,
            "matches": {spec: result.as_json() for spec, result in self.matches.items()},
        }
        write_facts(self.checkpoint, facts)


def machine_facts() -> dict[str, Any]:
    """When, where and with what a run happens; nothing of it decides the result on one kind of machine."""
    return {
        "written": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "commit": _git("rev-parse", "HEAD"),
        "uncommitted_changes": bool(_git("status", "--porcelain")),
        "machine": f"{platform.machine()} {platform.processor()}".strip(),
        "system": platform.system(),
        "versions": {
            "python": platform.python_version(),
            "numpy": np.__version__,
            "numba": numba.__version__,
            "torch": str(torch.__version__),
            "solo-whist": _own_version(),
        },
        "command": sys.argv,
    }


def _git(*arguments: str) -> str | None:
    """What git says of the folder this program stands in, None without git or outside a checkout."""
    folder = str(Path(__file__).resolve().parent)
    try:
        done = subprocess.run(["git", "-C", folder, *arguments], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout.strip()


def _own_version() -> str | None:
    try:
        return importlib.metadata.version("solo-whist")
    except importlib.metadata.PackageNotFoundError:
        return None
