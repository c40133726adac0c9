"""Checkpoints: everything a run needs to go on, in one file that is either whole or not there.

The file is made in memory, because torch writes the file's name into what it saves and bytes would depend on
it; then it is written beside the old one and renamed over it, so that a crash leaves the old file or the new.
Its content depends on configuration, seed and versions alone: equal runs have equal content.
What is true of this one run (when, how long, on which commit) stands in ``checkpoint.json`` beside it.

Files are loaded as data, never as code (``weights_only``).
"""

from __future__ import annotations

import copy
import io
import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch

from solo_env.files import write_whole
from solo_env.layout import table_hash
from solo_env.rules import Ruleset, load_ruleset
from solo_env.signature import signature
from training.config import Config, ConfigError, as_dict, build_config
from training.policy import Actor, Critic, new_networks

FORMAT = "solo-whist checkpoint"
VERSION = 1
STAGES = ("clone", "self-play")


class CheckpointError(ValueError):
    """A checkpoint that cannot be used; the message is a sentence that names the file."""


@dataclass
class Progress:
    """How far a run is."""

    stage: str = STAGES[0]
    iteration: int = 0  # done in this stage
    decisions_cloned: int = 0
    decisions_played: int = 0
    deals: int = 0
    thrown_in_cloned: float = -1.0  # share of deals the cloned policy throws in, -1 until it has played

    @property
    def decisions(self) -> int:
        """Decisions learnt from in both stages."""
        return self.decisions_cloned + self.decisions_played


@dataclass
class State:
    """A run between two iterations."""

    config: Config
    actor: Actor
    critic: Critic
    cloned: Actor  # frozen when cloning ends; before, the untrained actor
    optimiser: torch.optim.Optimizer
    progress: Progress = field(default_factory=Progress)


def new_optimiser(actor: Actor, critic: Critic) -> torch.optim.Adam:
    """Adam over both networks; its step size is set before each update."""
    return torch.optim.Adam([*actor.parameters(), *critic.parameters()], lr=0.0, eps=1e-5)


def frozen_copy(actor: Actor) -> Actor:
    """A copy of ``actor`` that is never trained."""
    return copy.deepcopy(actor).requires_grad_(False)


def new_state(config: Config) -> State:
    """The state before the first iteration."""
    actor, critic = new_networks(config.net, config.run.seed)
    return State(config, actor, critic, frozen_copy(actor), new_optimiser(actor, critic))


def ruleset_id(ruleset: Ruleset) -> str:
    """A ruleset as checkpoints name it: "pagat@1a2b3c4d"."""
    return f"{ruleset.name}@{signature(ruleset)}"


def encode(state: State) -> bytes:
    """The bytes of a checkpoint."""
    content = {
        "format": FORMAT,
        "version": VERSION,
        "table_hash": table_hash(),
        "rulesets": [ruleset_id(load_ruleset(state.config.run.ruleset))],
        "config": as_dict(state.config),
        "progress": asdict(state.progress),
        "actor": state.actor.state_dict(),
        "critic": state.critic.state_dict(),
        "cloned": state.cloned.state_dict(),
        "optimiser": state.optimiser.state_dict(),
    }
    buffer = io.BytesIO()
    torch.save(content, buffer)
    return buffer.getvalue()


def write_facts(path: Path, facts: dict[str, Any]) -> None:
    """Write the facts of a run beside the checkpoint at ``path``, as ``checkpoint.json``."""
    write_whole(path.with_suffix(".json"), (json.dumps(facts, indent=2) + "\n").encode())


def read_facts(path: Path) -> dict[str, Any]:
    """The facts beside the checkpoint at ``path``; none where there is no readable file of them."""
    try:
        facts = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return facts if isinstance(facts, dict) else {}


def read_content(path: str | Path) -> dict[str, Any]:
    """The checked content of a checkpoint, as :func:`encode` put it together.

    Raises:
        CheckpointError: no file, no checkpoint, one of another version, or one made for other tables.
    """
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise CheckpointError(f"the checkpoint {path} cannot be read: {error.strerror}.") from None
    try:
        content = torch.load(io.BytesIO(data), map_location="cpu", weights_only=True)
    except Exception:  # torch raises whatever its readers of zip and pickle happen to raise
        raise CheckpointError(f"{path} is no checkpoint of this project, or it is cut short.") from None
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise CheckpointError(f"{path} is no checkpoint of this project; something else was saved there.")
    if content.get("version") != VERSION:
        raise CheckpointError(
            f"the checkpoint {path} has version {content.get('version')}; this program reads version {VERSION}."
        )
    if content.get("table_hash") != table_hash():
        raise CheckpointError(
            f"the checkpoint {path} was made for the action and observation tables "
            f"{content.get('table_hash')}; here they are {table_hash()}, "
            "so its networks would read other columns: train again."
        )
    return content


def load_state(path: str | Path) -> State:
    """The state of a run as its checkpoint has it.

    Raises:
        CheckpointError: see :func:`read_content`; or networks that do not fit the configuration beside them.
    """
    content = read_content(path)
    try:
        state = new_state(build_config(content["config"]))
        state.actor.load_state_dict(content["actor"])
        state.critic.load_state_dict(content["critic"])
        state.cloned.load_state_dict(content["cloned"])
        state.optimiser.load_state_dict(content["optimiser"])
        state.progress = Progress(**content["progress"])
    except (KeyError, TypeError, ValueError, RuntimeError) as error:
        raise CheckpointError(_misfit(path, error)) from None
    return state


def load_actor(path: str | Path) -> tuple[Actor, Config, list[str]]:
    """The actor of a checkpoint, the configuration it was trained with, and the rulesets it was trained on.

    Raises:
        CheckpointError: see :func:`read_content`; or a network that does not fit the configuration beside it.
    """
    content = read_content(path)
    try:
        config = build_config(content["config"])
        actor, _ = new_networks(config.net, seed=0)
        actor.load_state_dict(content["actor"])
        rulesets = [str(name) for name in content["rulesets"]]
    except (KeyError, TypeError, ValueError, RuntimeError) as error:
        raise CheckpointError(_misfit(path, error)) from None
    return actor.requires_grad_(False), config, rulesets


def _misfit(path: str | Path, error: Exception) -> str:
    if isinstance(error, ConfigError):
        return f"the checkpoint {path} has a configuration that this program does not take: {error}"
    reason = " ".join(str(error).split())[:200]
    return f"the checkpoint {path} does not hold the networks that its configuration names: {reason}"
