"""The training loop: stage by stage, deal by deal.

    ground    the teacher plays out forced contracts; the critic learns what they are worth
    clone     the teacher plays whole deals; actor and critic learn from each decision once
    cards     the actor plays contracts from a mixture of auctions and learns what its actions are worth, played out
    joint     the actor calls too, its auction held by anchors
    settle    the same with steps and entropy going to nothing

A run is a folder: ``config.toml`` (all options), ``checkpoint.pt`` and ``checkpoint.json`` (checkpoint.py), the
player as it stands (``player.npz``) and at its best on ``dev`` (``best.npz``), ``history.jsonl`` and TensorBoard's
event files (log.py), ``report.html``. Nothing but configuration, seed and the count of iterations decides what an
iteration does, and a checkpoint is always taken between two iterations; so a run that was stopped and went on is,
bit for bit, the run that was never stopped, however many processes it ran in.
"""

from __future__ import annotations

import dataclasses
import importlib.metadata
import os
import platform
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache, partial
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any, cast

import numba
import numpy as np
import torch

from solo_env.evaluation.match import play_match
from solo_env.files import write_whole
from solo_env.player import Player, make_player
from solo_env.rules import Ruleset, load_ruleset, worst_payoff
from solo_env.rules.model import CONTRACT_NAMES, KIND_NAMES
from training import log
from training.checkpoint import (
    State,
    begin_as,
    encode,
    load_state,
    new_optimiser,
    new_state,
    read_facts,
    snapshot_of,
    told_start,
    weights_of,
    write_facts,
)
from training.config import STAGES, Clone, Config, SelfPlay, as_toml, canonical, differences
from training.dashboard import Dashboard
from training.features import feature_table
from training.learner import Learner, Pull, explained, pull_at
from training.networks import infer
from training.opponents import PARTS, Adviser, Cast, Infer, beside
from training.player import PpoPlayer, trained
from training.processes import Processes, Tally, processes_outside, run_together, started_outside
from training.report import write_report
from training.rollout import Rollout, contract_mix, made_rates, play_deals, revoke_rate
from training.starts import Starts
from training.values import bin_payoffs
from training.watchdog import reference, watch
from training.weights import Weights, ruleset_id, write_weights


class TrainError(ValueError):
    """A run that cannot start or go on; the message is a sentence."""


def train(
    config: Config,
    run_dir: str | Path,
    *,
    resume: bool = False,
    stop_after: int | None = None,
    quiet: bool = False,
    processes: int = 1,
) -> Path:
    """Train a player and leave it in ``run_dir``; returns the path of its checkpoint.

    Args:
        config: what to train; see :mod:`training.config`.
        run_dir: the folder of the run, made if it is not there.
        resume: go on with the run that the folder holds; its configuration must be the same.
        stop_after: stop, with a checkpoint, once this many decisions of all stages together are done.
        quiet: nothing is shown.
        processes: how many work on it, one thread each, a divisor of ``run.shards``; it changes nothing but the
            time. Under ``torchrun`` the processes are those it started.

    Raises:
        TrainError: the folder has no name; it holds a run and ``resume`` is not given, or ``resume`` finds none
            or another configuration; or a loss is no longer a number.
        ProcessError: the processes cannot share the shards, or one has ended.
        CheckpointError: the checkpoint to go on from cannot be used.
        PlayerError: the teacher, the adviser or an opponent cannot be made.
        KeyboardInterrupt: the user wished to stop; the iteration in progress has been finished and written.
    """
    if not str(run_dir).strip():
        raise TrainError("the folder of the run has an empty name; name one, such as runs/quick.")
    if config.run.device == "cuda":
        check_gpu(processes)
    given = (config, str(run_dir), resume, stop_after, quiet)
    if started_outside():
        with processes_outside(config.run.shards, config.run.device) as others:
            return _train(others, *given)
    open_run(config, Path(run_dir), resume)  # refuses before other processes are started
    done: Path = run_together(_train, processes, config.run.shards, given)
    return done


def check_gpu(processes: int) -> None:
    """Refuse a run on a GPU that is not there, or that several processes started here would share."""
    if not torch.cuda.is_available():
        raise TrainError('run.device is "cuda", and torch finds no GPU here; set it to "cpu".')
    if processes > 1:
        raise TrainError(
            'processes with a GPU each are started by torchrun; take --processes 1, or set run.device to "cpu".'
        )


def _train(
    processes: Processes, config: Config, run_dir: str, resume: bool, stop_after: int | None, quiet: bool
) -> Path:
    """The part of one process in a run."""
    with one_thread():
        state = open_run(config, Path(run_dir), resume, leads=processes.leads)
        with Trainer(state, Path(run_dir), processes, resume=resume, quiet=quiet) as trainer:
            trainer.run(stop_after)
            return trainer.checkpoint


@contextmanager
def one_thread() -> Iterator[None]:
    """Let torch use one thread for the time being: their number decides the last bits of its sums."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def open_run(config: Config, run_dir: Path, resume: bool, leads: bool = True) -> State:
    """The state to start from: a new one in a folder without a run, or that of the run to go on with.

    A folder holds a run when it holds a checkpoint; what else lies in it does not matter. Processes that do not
    lead do not look: the one that does may have written the first checkpoint already.
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
    if leads and checkpoint.exists():
        raise TrainError(
            f"{run_dir} already holds a run; go on with it by --resume, or name another folder for a new one."
        )
    state = new_state(config)
    if config.net.start:
        begin_as(state, trained(config.net.start))
    return state


class Trainer:
    """One run in progress, seen from one of its processes."""

    def __init__(
        self, state: State, run_dir: Path, processes: Processes, *, resume: bool = False, quiet: bool = True
    ) -> None:
        self.state, self.config, self.processes = state, state.config, processes
        self.run_dir, self.checkpoint = run_dir, run_dir / "checkpoint.pt"
        self.ruleset = load_ruleset(self.config.run.ruleset)
        # In units, so that one configuration serves every scheme of payment.
        scale = self.config.ppo.reward_scale * self.ruleset.lone_solo()
        self.ppo = dataclasses.replace(self.config.ppo, reward_scale=scale)
        self.features = feature_table(self.config.net.blocks)
        seated = (self.config.clone.teacher, *self.config.opponents.fixed, *self.config.evaluate.against)
        made = {spec: make_player(spec, self.ruleset) for spec in dict.fromkeys(seated)}
        self.teacher = made[self.config.clone.teacher]
        self.bidder = make_bidder(self.config.ppo.bidder, self.ruleset)
        self.fixed = tuple(made[spec] for spec in self.config.opponents.fixed)
        self.opponents = {spec: made[spec] for spec in self.config.evaluate.against}
        for network in (state.actor, state.critic, state.average, *state.snapshots.values()):
            network.to(self.config.run.device)
        if self.config.run.device != "cpu":  # what the optimiser remembers of a run that goes on goes there too
            state.optimiser.load_state_dict(state.optimiser.state_dict())
        self.learner = self._new_learner()
        self.reference: dict[str, dict[str, float]] = {"mix": {}, "made": {}}
        if not self.config.is_probe:  # else there is no mix of the learner's own to hold against it
            self.reference = reference(self.teacher, self.ruleset, self.config.run.seed)
        self.matches: dict[str, Any] = {}  # the last against each fixed player, as JSON
        self.written = -1  # the iteration whose checkpoint stands in the folder
        self.started, self.interrupted = time.monotonic(), False
        self.hours_before = float(state.start.get("hours", 0))
        self.log: log.RunLog | None = None
        self.dashboard: Dashboard | None = None
        if processes.leads:
            self._open_folder(resume, quiet)

    def _open_folder(self, resume: bool, quiet: bool) -> None:
        self.run_dir.mkdir(parents=True, exist_ok=True)
        step = self.state.progress.total
        if resume:
            facts = read_facts(self.checkpoint)
            self.hours_before, self.matches = float(facts.get("hours", 0)), facts.get("matches", {})
            self.written = self.state.progress.iteration
        else:
            self.write()  # the first file of a run: without it there is none to go on with
        if not (resume and (self.run_dir / "config.toml").exists()):
            write_whole(self.run_dir / "config.toml", as_toml(self.config).encode())
        self.log = log.RunLog(self.run_dir, lambda: self.hours, purge_from=step + 1 if resume else None)
        if not resume:
            self.log.begin(as_toml(self.config), self.reference)
        budgets = [(stage, getattr(self.config, stage).decisions) for stage in STAGES]
        if not quiet:
            self.dashboard = Dashboard(
                str(self.run_dir), budgets, live=True, reference=self.reference["mix"]
            )  # fmt: skip

    def _new_learner(self) -> Learner:
        state = self.state
        largest = worst_payoff(self.ruleset) / self.ppo.reward_scale
        payoffs = bin_payoffs(self.config.net.bins, largest)
        return Learner(state.actor, state.critic, state.average, state.optimiser, self.ppo, payoffs, self.processes)

    def __enter__(self) -> Trainer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.dashboard is not None:
            self.dashboard.close()
        if self.log is not None:
            self.log.close()

    @property
    def hours(self) -> float:
        """Hours of the run so far, with those before a stop and those of the player as which it began."""
        return self.hours_before + (time.monotonic() - self.started) / 3600

    # --- The loop ---

    def run(self, stop_after: int | None) -> None:
        """Iterate until all stages are done, ``stop_after`` is reached or the user interrupts."""
        progress, every = self.state.progress, self.config.run.checkpoint_every
        with self._interruptible():
            while not self.finished and (stop_after is None or progress.total < stop_after):
                self.iterate()
                if self._stop_together():
                    break
                if progress.iteration % every == 0 or self._stage_is_done():
                    self.write()
        self.write()
        if self.processes.leads:
            write_report(self.run_dir)
        if self.interrupted:
            raise KeyboardInterrupt

    @contextmanager
    def _interruptible(self) -> Iterator[None]:
        """Let an interruption wait for the end of the iteration; a second one does not wait."""

        def interrupt(number: int, frame: FrameType | None) -> None:
            if self.interrupted:
                raise KeyboardInterrupt
            self.interrupted = True

        try:
            before = signal.signal(signal.SIGINT, interrupt)
        except ValueError:  # not the main thread: whoever runs this there has his own way to stop
            yield
            return
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)

    def _stop_together(self) -> bool:
        """Whether any process was interrupted."""
        local = torch.tensor([[float(self.interrupted)]] * len(self.processes.mine))
        self.interrupted = bool(self.processes.sum(local.to(self.config.run.device)).item())
        return self.interrupted

    @property
    def finished(self) -> bool:
        """Whether this stage is done, and no later one has a budget."""
        later = STAGES[STAGES.index(self.state.progress.stage) + 1 :]
        return self._stage_is_done() and not any(getattr(self.config, stage).decisions for stage in later)

    def _stage_is_done(self) -> bool:
        stage = self.state.progress.stage
        return self.state.progress.decisions[stage] >= int(getattr(self.config, stage).decisions)

    def iterate(self) -> None:
        """One iteration of the stage that the run is in, or, if that is done, of the next that has a budget."""
        progress, config = self.state.progress, self.config
        started = time.monotonic()
        while self._stage_is_done():
            self.next_stage()
        pull = self.pull()
        rollouts = [self.play(shard, pull) for shard in self.processes.mine]
        played = time.monotonic()
        counts = self.processes.means([self._counts(rollout) for rollout in rollouts])
        n = round(counts["decisions"] * config.run.shards)
        if not n:
            raise TrainError(
                f"{self.deals:,} deals of the stage {progress.stage} hold no decision to learn from: its options "
                "leave nothing to the learner."
            )
        batches, told = self.learner.prepare(rollouts, pull)
        metrics = self.learner.update(batches, pull, [self._generator(shard) for shard in self.processes.mine])
        if not all(np.isfinite(value) for value in metrics.values()):
            raise TrainError(
                f"a loss is no longer a number after {progress.total} decisions; {self.checkpoint} holds "
                f"an iteration before: start again with a smaller {progress.stage}.lr."
            )
        seconds = max(time.monotonic() - started, 1e-9)
        metrics |= self._told(told) | {
            "speed/decisions": n / seconds,
            "speed/deals": self.deals / seconds,
            "speed/playing": (played - started) / seconds,
        }
        metrics |= {name: value for name, value in counts.items() if "/" in name}
        progress.decisions[progress.stage] += n
        progress.iteration += 1
        progress.stage_iteration += 1
        progress.deals += self.deals
        if self._plays_itself():
            self._after_self_play(metrics, counts["alone"] * config.run.shards, pull)
        else:
            self.learner.follow(keep=0.0)
        if self.log is not None:
            self.log.scalars(metrics, progress)
        if self.dashboard is not None:
            self.dashboard.update(
                progress.stage, progress.decisions[progress.stage], progress.total, self.hours, metrics
            )
        every = config.evaluate.every
        if every and progress.stage != STAGES[0] and (progress.iteration % every == 0 or self.finished):
            self.play_matches(config.evaluate.deals)

    def next_stage(self) -> None:
        """Begin the next stage, with a fresh optimiser."""
        state, progress = self.state, self.state.progress
        progress.stage, progress.stage_iteration = STAGES[STAGES.index(progress.stage) + 1], 0
        state.optimiser = new_optimiser(state.actor, state.critic)
        self.learner = self._new_learner()

    def pull(self) -> Pull:
        """What pulls on the networks in this iteration."""
        progress, config = self.state.progress, self.config
        section = getattr(config, progress.stage)
        share = progress.decisions[progress.stage] / section.decisions
        if isinstance(section, SelfPlay):
            return pull_at(section, share, progress.factor, config.clone.auction_weight)
        lr = section.lr * (1 - 0.9 * min(share, 1.0))
        clones = progress.stage == "clone"
        return Pull(lr, clone=float(clones), clone_auction=config.clone.auction_weight * clones)

    def _after_self_play(self, metrics: dict[str, float], alone: float, pull: Pull) -> None:
        """The average, the snapshots and the watchdog; the learner made the auction of ``alone`` deals alone."""
        state, progress, config = self.state, self.state.progress, self.config
        self.learner.follow(self.ppo.average)
        if progress.iteration % config.opponents.every == 0:
            state.snapshots[progress.iteration] = snapshot_of(state.actor)
            for number in superfluous(list(state.snapshots), config.opponents.ring):
                del state.snapshots[number]
        mix = {name[len("mix/") :]: share for name, share in metrics.items() if name.startswith("mix/")}
        if alone:
            anchored = pull.magnet > 0 or pull.advice > 0
            said = watch(progress, mix, alone, self.reference["mix"], config.watch, anchored=anchored)
            metrics["watch/anchors"] = progress.factor
            if said:
                self.say(f"after {progress.total:,} decisions {said}")

    def say(self, sentence: str) -> None:
        """Tell the user, the log and the report."""
        if self.log is not None:
            self.log.event(sentence, self.state.progress)
        if self.dashboard is not None:
            self.dashboard.event(sentence)

    # --- What the loop uses ---

    def play(self, shard: int, pull: Pull) -> Rollout:
        """The deals of a shard in this iteration."""
        config, progress = self.config, self.state.progress
        n = self.deals // config.run.shards
        first = progress.stage_iteration * self.deals + shard * n
        return play_deals(
            self.seated(pull),
            self.starts(),
            self.ruleset,
            self.features,
            config.run.seed,
            range(first, first + n),
            STAGES.index(progress.stage),
            hidden=pull.critic and self.state.critic.sees_hands,
            halves=config.run.halves,
        )

    @property
    def deals(self) -> int:
        """Whole deals of an iteration of the stage."""
        section = getattr(self.config, self.state.progress.stage)
        return (section.deals if isinstance(section, SelfPlay) else 0) or self.config.run.deals

    def seated(self, pull: Pull) -> Cast:
        """Who may sit at the tables in this iteration: of the snapshots, one drawn by its number."""
        state, opponents = self.state, self.config.opponents
        section = getattr(self.config, state.progress.stage)
        if not isinstance(section, SelfPlay):
            return Cast(None, self.teacher)
        snapshots: tuple[Infer, ...] = ()
        if state.snapshots:
            numbers = list(state.snapshots)
            # No shard has this number, so no stream of minibatches is the same.
            rng = np.random.default_rng((self.config.run.seed, state.progress.iteration, self.config.run.shards))
            snapshots = (partial(infer, state.snapshots[numbers[rng.integers(len(numbers))]]),)
        return Cast(
            partial(infer, state.actor),
            self.teacher,
            cast(Player, self.bidder),
            self.bidder if pull.advice > 0 else None,
            snapshots,
            self.fixed,
            with_snapshots=opponents.snapshots,
            with_players=opponents.players,
            alone=section.alone,
            learns=PARTS[opponents.learns],
            playouts=section.playouts,
            certain=section.certain,
            plays_on=section.playouts_by == "cast",
        )

    def starts(self) -> Starts:
        """How the deals of this iteration begin."""
        section = getattr(self.config, self.state.progress.stage)
        if isinstance(section, SelfPlay):
            return Starts(section.forced, section.taught, section.bidder, section.late)
        return Starts(forced=section.forced if isinstance(section, Clone) else 1.0)

    def _plays_itself(self) -> bool:
        return isinstance(getattr(self.config, self.state.progress.stage), SelfPlay)

    def _generator(self, shard: int) -> np.random.Generator:
        """What orders the minibatches of a shard in this iteration."""
        return np.random.default_rng((self.config.run.seed, self.state.progress.iteration, shard))

    def _told(self, told: Mapping[str, float]) -> dict[str, float]:
        """Metrics of the critic, from the means of what ``prepare`` counted."""
        metrics = {"value/explained_variance": explained(told)} if "returns" in told else {}
        for name, value in told.items():
            part, slash, _ = name.partition("/")
            if slash:  # deals are counted by shard
                metrics[f"calls/{name}"] = value * self.processes.shards if part == "deals" else value
        return metrics

    def _counts(self, rollout: Rollout) -> Tally:
        """What is counted of a shard: its decisions, and of the learner's own auctions the contracts."""
        tally: Tally = {"decisions": (float(len(rollout.action)), 1.0)}
        tables = rollout.tables[rollout.alone]
        n = float(len(tables))
        tally["alone"] = (n, 1.0)
        mix = contract_mix(tables) if n else dict.fromkeys((*KIND_NAMES, "thrown_in"), 0.0)
        made = made_rates(tables)
        for name, share in mix.items():
            tally[f"mix/{name}"] = (share * n, n)
        for name in CONTRACT_NAMES:
            played = mix[name] * n
            tally[f"made/{name}"] = (made.get(name, 0.0) * played, played)
        if self.ruleset.play.revokes == "possible":
            tally["play/revokes"] = (revoke_rate(rollout.tables), 1.0)
        return tally

    def play_matches(self, deals: int) -> None:
        """Play the averaged policy, greedily, against the fixed players and log what came of it.

        On the book ``dev``: who looks at these numbers chooses by them when to stop.
        """
        if not self.processes.leads:
            return
        progress = self.state.progress
        actor, learns = PpoPlayer.of(self.weights(), self.ruleset), PARTS[self.config.opponents.learns]
        means = []
        for spec, opponent in self.opponents.items():
            player = beside(actor, opponent, learns, self.ruleset)
            result = play_match(player, opponent, self.ruleset, deals, self.config.evaluate.seed, book="dev")
            self.matches[spec] = result.as_json()
            means.append(float(result.mean_units))
            assert self.log is not None
            self.log.match(spec, result, progress)
            if self.dashboard is not None:
                low, high = result.ci95 or (result.mean_units, result.mean_units)
                self.dashboard.match(spec, result.mean_units, low, high)
        if means and (progress.best is None or means[0] > progress.best):
            progress.best = means[0]
            write_weights(self.run_dir / "best.npz", self.weights())

    def weights(self) -> Weights:
        """The player as it stands: the averaged actor, and how it was trained."""
        facts = checkout_facts()
        story = {
            "command": " ".join(facts["command"]),
            "config": as_toml(self.config),
            "seed": self.config.run.seed,
            "decisions": self.state.progress.total + self.state.start.get("decisions", 0),
            "hours": round(self.hours, 3),
            "machine": facts["machine"],
            "commit": facts["commit"],
            "versions": facts["versions"],
            **told_start(self.state.start),
        }
        return weights_of(self.state.average, self.config, [ruleset_id(self.ruleset)], story)

    def write(self) -> None:
        """Write the checkpoint, the player, and the facts of the run beside them; earlier checkpoints move on."""
        if not self.processes.leads or self.written == self.state.progress.iteration:
            return
        if self.log is not None:
            self.log.flush()  # first, so that what a resumed run drops is too much and never too little
        content, weights = encode(self.state), self.weights()  # which refuses what is no number: nothing is lost
        keep_earlier(self.checkpoint, self.config.run.keep)
        write_whole(self.checkpoint, content)
        write_weights(self.run_dir / "player.npz", weights)
        facts = machine_facts() | {
            "hours": round(self.hours, 6),
            "start_hours": self.state.start.get("hours", 0),  # of them, those of the player as which it began
            "decisions": self.state.progress.total,
            "matches": self.matches,
        }
        write_facts(self.checkpoint, facts)
        self.written = self.state.progress.iteration


def make_bidder(spec: str, ruleset: Ruleset) -> Adviser:
    """The player ``spec``, which must say what it expects of each call.

    Raises:
        PlayerError: it cannot be made.
        TrainError: it does not say.
    """
    player = make_player(spec, ruleset)
    if not hasattr(player, "call_units"):
        raise TrainError(
            f"ppo.bidder is {spec!r}, which does not say what it expects of calls; take ev-bidder or expert."
        )
    return cast(Adviser, player)


def keep_earlier(checkpoint: Path, keep: int) -> None:
    """Copy ``checkpoint.pt`` to ``checkpoint-1.pt``; what was there moves on, to ``checkpoint-2.pt`` and so on."""
    if not checkpoint.exists() or not keep:
        return
    names = [checkpoint.with_name(f"{checkpoint.stem}-{i}{checkpoint.suffix}") for i in range(1, keep + 1)]
    for older, newer in zip(reversed(names), reversed(names[:-1]), strict=False):
        if newer.exists():
            os.replace(newer, older)
    write_whole(names[0], checkpoint.read_bytes())


def superfluous(numbers: list[int], ring: int) -> list[int]:
    """Which snapshots, by iteration, are let go: all but the last ``ring`` and the first from 1, 10, 100 on."""
    kept = set(sorted(numbers)[-ring:])
    tenfold = 1
    while tenfold <= max(numbers):
        kept.add(min(number for number in numbers if number >= tenfold))
        tenfold *= 10
    return [number for number in numbers if number not in kept]


def machine_facts() -> dict[str, Any]:
    """When, where and with what a run happens; nothing of it decides the result on one kind of machine."""
    return {
        "written": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        **checkout_facts(),
    }


@lru_cache(maxsize=1)
def checkout_facts() -> dict[str, Any]:
    """What of the facts stays the same while a program runs."""
    return {
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
        "command": [Path(sys.argv[0]).name, *sys.argv[1:]],
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
