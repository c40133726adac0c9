"""Checkpoints: everything a run needs to go on, in one file that is either whole or not there.

The file is made in memory, because torch writes the file's name into what it saves and bytes would depend on
it; then it is written beside the old one and renamed over it, so that a crash leaves the old file or the new.
Its content depends on configuration, seed and versions alone: equal runs have equal content. A digest of the
content stands in it, so that a file that was damaged later is refused.
What is true of this one run (when, how long, on which commit) stands in ``checkpoint.json`` beside it.

Files are loaded as data, never as code (``weights_only``).
"""

from __future__ import annotations

import copy
import hashlib
import io
import json
import math
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

import torch

from solo_env.files import write_whole
from solo_env.layout import table_hash
from solo_env.rules import load_ruleset
from training.config import STAGES, Config, ConfigError, as_dict, as_toml, build_config, canonical
from training.networks import Actor, Critic, Network, new_networks
from training.weights import Weights, from_layers, ruleset_id

FORMAT = "solo-whist checkpoint"
VERSION = 4


class CheckpointError(ValueError):
    """A checkpoint that cannot be used; the message is a sentence that names the file."""


@dataclass
class Progress:
    """How far a run is."""

    iteration: int = 0  # done in all stages
    stage: str = STAGES[0]
    stage_iteration: int = 0  # done in this stage
    decisions: dict[str, int] = field(default_factory=lambda: dict.fromkeys(STAGES, 0))  # learnt from, by stage
    deals: int = 0
    factor: float = 1.0  # the watchdog's, on the anchors
    rest: int = 0  # iterations until the watchdog may act again
    mix: dict[str, float] = field(default_factory=dict)  # the mix of contracts, averaged over iterations
    best: float | None = None  # the best mean against the first fixed player on ``dev``, in units a deal

    @property
    def total(self) -> int:
        """Decisions learnt from in all stages."""
        return sum(self.decisions.values())


@dataclass
class State:
    """A run between two iterations."""

    config: Config
    actor: Actor
    critic: Critic
    average: Actor  # of the actor's weights over the iterations of self-play; before, the actor: magnet and player
    optimiser: torch.optim.Optimizer
    snapshots: dict[int, Actor] = field(default_factory=dict)  # earlier selves, by iteration
    progress: Progress = field(default_factory=Progress)
    start: dict[str, Any] = field(default_factory=dict)  # the story of the player as which it began, if any


def new_optimiser(actor: Actor, critic: Critic) -> torch.optim.Adam:
    """Adam over both networks; its step size is set before each update."""
    return torch.optim.Adam([*actor.parameters(), *critic.parameters()], lr=0.0, eps=1e-5, fused=True)


def frozen_copy(actor: Actor) -> Actor:
    """A copy of ``actor`` that is never trained."""
    return copy.deepcopy(actor).requires_grad_(False)


def snapshot_of(actor: Actor) -> Actor:
    """A frozen copy whose weights are rounded to half precision, as which snapshots are stored."""
    rounded = frozen_copy(actor)
    for weight in rounded.parameters():
        weight.copy_(weight.half().float())
    return rounded


def new_state(config: Config) -> State:
    """The state before the first iteration; its configuration has the canonical name of the ruleset."""
    config = canonical(config)
    actor, critic = new_networks(config.net, config.ppo, config.run.seed)
    return State(config, actor, critic, frozen_copy(actor), new_optimiser(actor, critic))


def begin_as(state: State, weights: Weights) -> None:
    """Let the actor begin as a trained player.

    Raises:
        CheckpointError: the player's network is of other blocks or widths.
    """
    net = state.config.net
    for option, its, ours in (("blocks", weights.blocks, net.blocks), ("actor", weights.hidden, net.actor_widths)):
        if its != ours:
            raise CheckpointError(
                f"net.start names a player whose network has another net.{option}: "
                f"{json.dumps(its)}, where the configuration has {json.dumps(ours)}."
            )
    layers = [layer for layer in state.actor.layers if isinstance(layer, torch.nn.Linear)]
    first, *others = [(torch.from_numpy(weight), torch.from_numpy(bias)) for weight, bias in weights.layers]
    with torch.no_grad():
        state.actor.weight.copy_(first[0])
        state.actor.bias.copy_(first[1])
        for layer, (weight, bias) in zip(layers, others, strict=True):
            layer.weight.copy_(weight.T)
            layer.bias.copy_(bias)
    state.average = frozen_copy(state.actor)
    told = {key: value for key, value in weights.story.items() if key != "matches"}
    state.start = {"digest": weights.digest, **told}


def encode(state: State) -> bytes:
    """The bytes of a checkpoint."""
    content = {
        "format": FORMAT,
        "version": VERSION,
        "table_hash": table_hash(),
        "rulesets": [ruleset_id(load_ruleset(state.config.run.ruleset))],
        "config": as_dict(state.config),
        "progress": asdict(state.progress),
        "start": state.start,
        "actor": _on_processor(state.actor.state_dict()),
        "critic": _on_processor(state.critic.state_dict()),
        "average": _on_processor(state.average.state_dict()),
        "optimiser": _on_processor(state.optimiser.state_dict()),
        "snapshots": {
            number: {name: weight.half().cpu() for name, weight in actor.state_dict().items()}
            for number, actor in state.snapshots.items()
        },
    }
    buffer = io.BytesIO()
    torch.save(content | {"digest": content_digest(content)}, buffer)
    return buffer.getvalue()


def _on_processor(value: Any) -> Any:
    """The same content with its tensors in the memory of the processor."""
    if isinstance(value, torch.Tensor):
        return value.cpu()
    if isinstance(value, dict):
        return {key: _on_processor(item) for key, item in value.items()}
    return [_on_processor(item) for item in value] if isinstance(value, list) else value


def content_digest(content: dict[str, Any]) -> str:
    """A digest over all of a checkpoint's content but the digest itself; equal content has equal digests."""
    digest = hashlib.sha256()
    _digest_value(digest, {key: value for key, value in content.items() if key != "digest"})
    return digest.hexdigest()


def _digest_value(digest: hashlib._Hash, value: object) -> None:
    if isinstance(value, torch.Tensor):
        digest.update(f"{value.dtype} {list(value.shape)};".encode())
        digest.update(value.detach().numpy().tobytes())
        return
    if not isinstance(value, dict | list | tuple):
        digest.update(f"{type(value).__name__} {value!r};".encode())
        return
    digest.update(f"{'dict' if isinstance(value, dict) else type(value).__name__} {len(value)};".encode())
    for item in value.items() if isinstance(value, dict) else value:
        _digest_value(digest, item)


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
        CheckpointError: no file, no checkpoint, one of another version, one made for other tables, or one whose
            content is not what was written.
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
    if type(content.get("version")) is not int or content["version"] != VERSION:
        raise CheckpointError(
            f"the checkpoint {path} has version {content.get('version')!r}; this program reads version {VERSION}."
        )
    if content.get("table_hash") != table_hash():
        raise CheckpointError(
            f"the checkpoint {path} was made for the action and observation tables "
            f"{content.get('table_hash')}; here they are {table_hash()}, "
            "so its networks would read other columns: train again."
        )
    try:
        is_whole = content.get("digest") == content_digest(content)
    except (TypeError, ValueError, RuntimeError):  # something in it that no checkpoint holds
        is_whole = False
    if not is_whole:
        raise CheckpointError(f"the checkpoint {path} is damaged: its content is not what was written to it.")
    return content


def load_state(path: str | Path) -> State:
    """The state of a run as its checkpoint has it.

    Raises:
        CheckpointError: see :func:`read_content`; or networks that do not fit the configuration beside them, or
            a ruleset that is no longer what it was.
    """
    content = read_content(path)
    try:
        state = new_state(build_config(_table(content, "config")))
        _load_network(state.actor, content, "actor")
        _load_network(state.critic, content, "critic")
        _load_network(state.average, content, "average")
        _load_optimiser(state.optimiser, content)
        state.snapshots = _snapshots(content, state.actor)
        state.progress = _progress(_table(content, "progress"))
        state.start = _table(content, "start")
        then = _rulesets(content)
    except MISFITS as error:
        raise CheckpointError(_misfit(path, error)) from None
    now = ruleset_id(load_ruleset(state.config.run.ruleset))
    if then != [now]:
        raise CheckpointError(
            f"the checkpoint {path} was trained on {', '.join(then)}, and the ruleset of that name is {now} here: "
            "the rules have changed since, so train again."
        )
    return state


def load_weights(path: str | Path) -> Weights:
    """The player in a checkpoint: the averaged actor with the configuration and the rulesets it was trained on.

    Raises:
        CheckpointError: see :func:`read_content`; or a network that does not fit the configuration beside it.
    """
    content = read_content(path)
    try:
        config = build_config(_table(content, "config"), with_ruleset=False)
        actor, _ = new_networks(config.net, config.ppo, seed=0)
        _load_network(actor, content, "average")
        progress = _progress(_table(content, "progress"))
        start = _table(content, "start")
        story = {
            "config": as_toml(config),
            "seed": config.run.seed,
            "decisions": progress.total + start.get("decisions", 0),
            **told_start(start),
        }
        return weights_of(actor, config, _rulesets(content), story)
    except MISFITS as error:
        raise CheckpointError(_misfit(path, error)) from None


def told_start(start: dict[str, Any]) -> dict[str, Any]:
    """What the story of a run tells of the player as which it began."""
    return {"start": start} if start else {}


def weights_of(actor: Actor, config: Config, rulesets: list[str], story: dict[str, Any]) -> Weights:
    """An actor as a player that needs no torch; ``story`` tells how it was trained, see ``weights.STORY``."""
    layers = [(actor.weight.detach().cpu().numpy(), actor.bias.detach().cpu().numpy())]
    layers += [
        (layer.weight.detach().cpu().numpy().T, layer.bias.detach().cpu().numpy())
        for layer in actor.layers
        if isinstance(layer, torch.nn.Linear)
    ]
    return from_layers(layers, config.net.blocks, rulesets, story)


class _DamageError(ValueError):
    """A part of a checkpoint that no run can have written; the message says which, as a clause."""


# What torch, a configuration or the checks below raise at content that does not fit.
MISFITS = (KeyError, TypeError, ValueError, RuntimeError, AttributeError, IndexError)


def _table(content: dict[str, Any], name: str) -> dict[str, Any]:
    part = content.get(name)
    if not isinstance(part, dict):
        raise _DamageError(f"{name} is of type {type(part).__name__}, and must be a table")
    return part


def _rulesets(content: dict[str, Any]) -> list[str]:
    names = content.get("rulesets")
    if not isinstance(names, list) or not names or not all(isinstance(name, str) for name in names):
        raise _DamageError("rulesets must be a list of names")
    return names


def _load_network(network: Network, content: dict[str, Any], name: str) -> None:
    weights = _table(content, name)
    for key, tensor in weights.items():
        if not isinstance(tensor, torch.Tensor) or tensor.dtype != torch.float32:
            raise _DamageError(f"{name}.{key} must be a tensor of float32")
        if not bool(torch.isfinite(tensor).all()):
            raise _DamageError(f"{name}.{key} has a weight that is no finite number")
    network.load_state_dict(weights)


def _load_optimiser(optimiser: torch.optim.Optimizer, content: dict[str, Any]) -> None:
    """Load Adam's averages, after a look whether they are averages of these networks' weights."""
    fresh = optimiser.state_dict()["param_groups"][0]
    saved = _table(content, "optimiser")
    groups, averages = saved.get("param_groups"), _table(saved, "state")
    if not isinstance(groups, list) or len(groups) != 1 or not isinstance(groups[0], dict):
        raise _DamageError("optimiser.param_groups must be a list of one table")
    lr = groups[0].get("lr")
    if type(lr) is not float or not 0 <= lr < math.inf:
        raise _DamageError(f"optimiser.lr is {lr!r}, and must be a step size")
    for key, value in fresh.items():
        if key != "lr" and (type(groups[0].get(key)) is not type(value) or groups[0][key] != value):
            raise _DamageError(f"optimiser.{key} is {groups[0].get(key)!r}, and must be {value!r}")
    weights = optimiser.param_groups[0]["params"]
    if set(averages) - set(range(len(weights))):
        raise _DamageError("optimiser.state is of other weights")
    for number, values in averages.items():
        shapes = {"step": torch.Size(), "exp_avg": weights[number].shape, "exp_avg_sq": weights[number].shape}
        if not isinstance(values, dict) or values.keys() != shapes.keys():
            raise _DamageError(f"optimiser.state of weight {number} must have {', '.join(shapes)}")
        for key, tensor in values.items():
            if not isinstance(tensor, torch.Tensor) or tensor.dtype != torch.float32 or tensor.shape != shapes[key]:
                raise _DamageError(f"optimiser.{key} of weight {number} must be a tensor of float32 in its shape")
            least = -math.inf if key == "exp_avg" else 0
            if not bool((torch.isfinite(tensor) & (tensor >= least)).all()):
                raise _DamageError(f"optimiser.{key} of weight {number} has a number that cannot be")
    optimiser.load_state_dict(saved)


def _snapshots(content: dict[str, Any], actor: Actor) -> dict[int, Actor]:
    snapshots: dict[int, Actor] = {}
    saved: dict[Any, Any] = _table(content, "snapshots")
    for number, weights in saved.items():
        if not _is_count(number) or not isinstance(weights, dict):
            raise _DamageError("snapshots must be networks by the number of their iteration")
        if not all(isinstance(w, torch.Tensor) and w.dtype == torch.float16 for w in weights.values()):
            raise _DamageError(f"snapshot {number} must be of tensors of float16")
        snapshots[number] = frozen_copy(actor)
        whole = {name: weight.float() for name, weight in weights.items()}
        _load_network(snapshots[number], {"snapshot": whole}, "snapshot")
    return snapshots


def _progress(saved: dict[str, Any]) -> Progress:
    names = [f.name for f in fields(Progress)]
    if set(saved) != set(names):
        raise _DamageError(f"progress must have {', '.join(names)}")
    if saved["stage"] not in STAGES:
        raise _DamageError(f"progress.stage is {saved['stage']!r}, and must be one of {', '.join(STAGES)}")
    for name in ("iteration", "stage_iteration", "deals", "rest"):
        if type(saved[name]) is not int or saved[name] < 0:
            raise _DamageError(f"progress.{name} is {saved[name]!r}, and must be a whole number from 0")
    done, mix = saved["decisions"], saved["mix"]
    if not isinstance(done, dict) or list(done) != list(STAGES) or not all(_is_count(n) for n in done.values()):
        raise _DamageError("progress.decisions must have a whole number for each stage")
    if not isinstance(mix, dict) or not all(type(v) is float and 0 <= v <= 1 for v in mix.values()):
        raise _DamageError("progress.mix must be shares")
    if type(saved["factor"]) is not float or not 1 <= saved["factor"] < math.inf:
        raise _DamageError(f"progress.factor is {saved['factor']!r}, and must be a number from 1")
    if saved["best"] is not None and not (type(saved["best"]) is float and math.isfinite(saved["best"])):
        raise _DamageError(f"progress.best is {saved['best']!r}, and must be a number or nothing")
    return Progress(**saved)


def _is_count(value: object) -> bool:
    return type(value) is int and value >= 0


def _misfit(path: str | Path, error: Exception) -> str:
    if isinstance(error, _DamageError):
        return f"the checkpoint {path} is damaged: {error}."
    if isinstance(error, ConfigError):
        return f"the checkpoint {path} has a configuration that this program does not take: {error}"
    reason = " ".join(str(error).split())[:200]
    return f"the checkpoint {path} does not hold the networks that its configuration names: {reason}"
