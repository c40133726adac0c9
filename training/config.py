"""The configuration of a training run: every option with its meaning, its default and its limits.

A run is described by a TOML file with the sections below and, on the command line, by overrides such as
``joint.lr=1e-4``. Everything is checked here, before anything is trained, and a mistake is answered with one
sentence that says what would be right. Budgets are counted in decisions, never in seconds, so that the same
file gives the same player on a fast and on a slow machine.

The line under each field is its meaning; the documentation's table of options is made from it
(:func:`options`), and so are the comments of the ``config.toml`` that a run writes.
"""

from __future__ import annotations

import ast
import dataclasses
import inspect
import json
import math
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple, get_type_hints

from solo_env.layout import BLOCKS
from solo_env.rules import RulesetError, load_ruleset
from training.counted import COUNTED

MAX_SEED = 2**62 - 1
MAX_WIDTH = 8192  # of a layer


class ConfigError(ValueError):
    """A configuration that cannot be run; the message is a sentence that says what would be right."""


# --- Checks: each takes the dotted key and the raw value, and returns the value to keep ------------------


def _whole(default: int, low: int, high: int) -> Any:
    def check(key: str, value: object) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise ConfigError(f"{key} is {value!r}; it must be a whole number from {low} to {high}.")
        return value

    return field(default=default, metadata={"check": check})


def _real(default: float, low: float, high: float, above: bool = False) -> Any:
    """A number from ``low`` to ``high``; with ``above``, ``low`` itself is not allowed."""

    def check(key: str, value: object) -> float:
        number = float(value) if isinstance(value, int | float) and type(value) is not bool else math.nan
        if low <= number <= high and not (above and number == low):
            return number
        least = f"above {low:g} and at most" if above else f"from {low:g} to"
        raise ConfigError(f"{key} is {value!r}; it must be a number {least} {high:g}.")

    return field(default=default, metadata={"check": check})


def _choice(*allowed: str) -> Any:
    def check(key: str, value: object) -> str:
        if value not in allowed:
            raise ConfigError(f"{key} is {value!r}; it must be one of {', '.join(allowed)}.")
        return str(value)

    return field(default=allowed[0], metadata={"check": check})


def _text(default: str) -> Any:
    def check(key: str, value: object) -> str:
        if not isinstance(value, str) or not value:
            raise ConfigError(f"{key} is {value!r}; it must be a name in quotes.")
        return value

    return field(default=default, metadata={"check": check})


def _player_or_none() -> Any:
    def check(key: str, value: object) -> str:
        if not isinstance(value, str):
            raise ConfigError(f"{key} is {value!r}; it must be a player in quotes, or empty quotes for none.")
        return value

    return field(default="", metadata={"check": check})


def _names(default: tuple[str, ...]) -> Any:
    def check(key: str, value: object) -> tuple[str, ...]:
        if not isinstance(value, list | tuple) or not all(isinstance(n, str) and n for n in value):
            raise ConfigError(f"{key} is {value!r}; it must be a list of names in quotes.")
        if len(set(value)) != len(value):
            raise ConfigError(f"{key} names something twice; each name may stand in it once.")
        return tuple(value)

    return field(default=default, metadata={"check": check})


def _sizes(default: tuple[int, ...]) -> Any:
    def check(key: str, value: object) -> tuple[int, ...]:
        if not isinstance(value, list | tuple):
            raise ConfigError(f"{key} is {value!r}; it must be a list of layer widths.")
        if not all(type(width) is int and 1 <= width <= MAX_WIDTH for width in value):
            raise ConfigError(f"{key} is {value!r}; a layer width is a whole number from 1 to {MAX_WIDTH}.")
        return tuple(value)

    return field(default=default, metadata={"check": check})


# --- The options, by section -----------------------------------------------------------------------------

# What a network needs to play. Left out: the order of calls and of tricks, which other blocks tell for the most
# part, the account of the session, and what never changes within one ruleset.
DEFAULT_BLOCKS = (
    "hand",
    "played",
    "trick",
    "leader",
    "failed",
    "turned",
    "suit",
    "exposed_seat",
    "exposed",
    "calls_by_seat",
    "standing",
    "holder",
    "acceptor",
    "asked",
    "named",
    "phase",
    "contract",
    "declarer",
    "partner",
    "role",
    "trump",
    "dealer",
    "tricks",
    "tricks_by_side",
    "tricks_needed",
    "tricks_left",
    *(row.name for row in COUNTED),
)

# Widths of the hidden layers of both networks, by name of the size.
SIZES: dict[str, tuple[int, ...]] = {
    "small": (256, 256, 256),
    "base": (512, 512, 512),
    "large": (1024, 1024, 1024, 1024),
}


@dataclass(frozen=True)
class Run:
    """What is trained, and from which seed."""

    ruleset: str = _text("pagat")
    """The rules to train on: a shipped name, a name with overrides, or a path."""
    seed: int = _whole(1, 0, MAX_SEED)
    """Fixes every deal, every sampled action, the first weights and the order of every minibatch."""
    deals: int = _whole(2048, 1, 10**6)
    """Whole deals played in each iteration."""
    shards: int = _whole(2, 1, 1024)
    """Parts of an iteration's deals; processes work on whole ones, and how many of them do changes nothing."""
    device: str = _choice("cpu", "cuda")
    """Where the networks are: on the processor, or on a GPU a process."""
    halves: int = _whole(1, 1, 8)
    """Parts of a shard that threads play at once, so that tables and a GPU overlap; 1 is best without one."""
    checkpoint_every: int = _whole(20, 1, 10**6)
    """Iterations between two checkpoints; there is always one at the end of a stage and after an interruption."""
    keep: int = _whole(2, 0, 1000)
    """Earlier checkpoints that are kept beside the latest and the best."""


@dataclass(frozen=True)
class Net:
    """The two networks, an actor shared by the four seats and a critic: plain layers with ReLU between."""

    blocks: tuple[str, ...] = _names(DEFAULT_BLOCKS)
    """What both networks see, by name: blocks of the observation, and those that are counted."""
    size: str = _choice(*SIZES)
    """Hidden layers: "small" has 3 of 256, "base" 3 of 512, "large" 4 of 1,024."""
    actor: tuple[int, ...] = _sizes(())
    """Widths of the actor's hidden layers; none given is as ``size`` says."""
    critic: tuple[int, ...] = _sizes(())
    """Widths of the critic's hidden layers; none given is as ``size`` says."""
    critic_sees: str = _choice("hands", "view")
    """What the critic sees: all four "hands", or the "view" of the seat that decides, as the actor does."""
    bins: int = _whole(51, 3, 1001)
    """Payoffs between which the critic's distribution lies."""
    start: str = _player_or_none()
    """A trained player as which the actor begins, ``ppo`` or ``ppo:PATH`` of these blocks and widths, or none."""

    @property
    def actor_widths(self) -> tuple[int, ...]:
        """The actor's hidden layers."""
        return self.actor or SIZES[self.size]

    @property
    def critic_widths(self) -> tuple[int, ...]:
        """The critic's hidden layers."""
        return self.critic or SIZES[self.size]


@dataclass(frozen=True)
class Ground:
    """Grounding: the critic learns what contracts are worth, from forced ones that the teacher plays out."""

    decisions: int = _whole(1_000_000, 0, 10**12)
    """The budget, in decisions with more than one legal action; 0 leaves the stage out."""
    lr: float = _real(2e-3, 0, 1, above=True)
    """Adam's step size at the start; it falls in a straight line to a tenth of itself."""


@dataclass(frozen=True)
class Clone:
    """Behaviour cloning: the networks learn what a fixed player in all four seats does and is paid."""

    teacher: str = _text("expert")
    """The player to learn from, as a player spec; the watchdog compares with it too."""
    decisions: int = _whole(8_000_000, 0, 10**12)
    """The budget, in decisions of the teacher, each learnt from once; 0 leaves the stage out."""
    lr: float = _real(2e-3, 0, 1, above=True)
    """Adam's step size at the start; it falls in a straight line to a tenth of itself."""
    forced: float = _real(0.2, 0, 1)
    """Share of the deals with a forced contract, so that rare ones are seen."""
    auction_weight: float = _real(3.0, 0, 1000)
    """What an auction decision weighs in the actor's loss; a card weighs 1 and is far more frequent."""


@dataclass(frozen=True)
class SelfPlay:
    """What the stages of self-play have in common; a value and its ``_end`` are joined by a straight line."""

    decisions: int = _whole(1_000_000, 0, 10**12)
    """The budget, in decisions that are learnt from, none of them forced; 0 leaves the stage out."""
    deals: int = _whole(0, 0, 10**6)
    """Whole deals played in each iteration of the stage; 0 takes ``run.deals``."""
    epochs: int = _whole(1, 1, 100)
    """Passes over the decisions of an iteration."""
    lr: float = _real(3e-4, 0, 1, above=True)
    """Adam's step size at the start of the stage."""
    lr_end: float = _real(3e-4, 0, 1)
    """Adam's step size at its end; half a cosine wave joins them."""
    entropy_auction: float = _real(0.01, 0, 100)
    """Weight of the entropy of calls and naming at the start, as a share of the largest possible."""
    entropy_auction_end: float = _real(0.01, 0, 100)
    """The same at the end."""
    entropy_cards: float = _real(0.004, 0, 100)
    """Weight of the entropy of card play at the start, as a share of the largest possible."""
    entropy_cards_end: float = _real(0.004, 0, 100)
    """The same at the end."""
    magnet: float = _real(0.2, 0, 1000)
    """Weight of the KL divergence of calls from the average of the actor's own weights, at the start."""
    magnet_end: float = _real(0.2, 0, 1000)
    """The same at the end."""
    magnet_cards: float = _real(0.0, 0, 1000)
    """The same for cards, all through; above 0 costs a pass of a network over all decisions."""
    advice: float = _real(0.0, 0, 1000)
    """Weight of the KL divergence of calls from what the bidder expects of them, at the start."""
    advice_end: float = _real(0.0, 0, 1000)
    """The same at the end."""
    forced: float = _real(0.25, 0, 1)
    """Share of the deals with a forced contract, drawn evenly from those on offer."""
    taught: float = _real(0.0, 0, 1)
    """Share of the deals whose auction the teacher makes in all seats; the actor goes on learning these calls."""
    bidder: float = _real(0.0, 0, 1)
    """Share of the deals whose auction the bidder makes in all seats."""
    late: float = _real(0.0, 0, 1)
    """Share of the deals that are learnt from only from a random trick on."""
    alone: float = _real(0.0, 0, 1)
    """Share of the deals in which the learner sits among three of a fixed player; ``opponents`` is for the rest."""
    playouts: float = _real(0.0, 0, 1)
    """Share of the decisions of which every legal action is played out and learnt from; the rest is PPO's."""
    certain: float = _real(0.98, 0, 1, above=True)
    """Decisions whose likeliest action has a larger chance than this are not played out, and not learnt from."""
    playouts_by: str = _choice("teacher", "cast")
    """Who plays on: the teacher in all seats, or those who sit there, networks without chance."""


@dataclass(frozen=True)
class Cards(SelfPlay):
    """What actions are worth, by play-outs; contracts come from a mixture of auctions."""

    decisions: int = _whole(30_000_000, 0, 10**12)
    """The budget, in decisions that are learnt from, none of them forced; 0 leaves the stage out."""
    lr: float = _real(5e-4, 0, 1, above=True)
    """Adam's step size at the start of the stage."""
    lr_end: float = _real(3e-5, 0, 1)
    """Adam's step size at its end; half a cosine wave joins them."""
    entropy_auction: float = _real(0.005, 0, 100)
    """Weight of the entropy of calls and naming at the start, as a share of the largest possible."""
    entropy_auction_end: float = _real(0.002, 0, 100)
    """The same at the end."""
    entropy_cards: float = _real(0.005, 0, 100)
    """Weight of the entropy of card play at the start, as a share of the largest possible."""
    entropy_cards_end: float = _real(0.002, 0, 100)
    """The same at the end."""
    magnet: float = _real(0.0, 0, 1000)
    """Weight of the KL divergence of calls from the average of the actor's own weights, at the start."""
    magnet_end: float = _real(0.0, 0, 1000)
    """The same at the end."""
    forced: float = _real(0.3, 0, 1)
    """Share of the deals with a forced contract, drawn evenly from those on offer."""
    taught: float = _real(0.3, 0, 1)
    """Share of the deals whose auction the teacher makes in all seats; the actor goes on learning these calls."""
    playouts: float = _real(1.0, 0, 1)
    """Share of the decisions of which every legal action is played out and learnt from; the rest is PPO's."""


@dataclass(frozen=True)
class Joint(SelfPlay):
    """Auction and cards together, the auction held by anchors."""

    decisions: int = _whole(100_000_000, 0, 10**12)
    """The budget, in decisions that are learnt from, none of them forced; 0 leaves the stage out."""
    magnet_end: float = _real(0.05, 0, 1000)
    """The same at the end."""
    advice: float = _real(0.1, 0, 1000)
    """Weight of the KL divergence of calls from what the bidder expects of them, at the start."""


@dataclass(frozen=True)
class Settle(SelfPlay):
    """Consolidation: as before, with steps and entropy going to their ends."""

    decisions: int = _whole(10_000_000, 0, 10**12)
    """The budget, in decisions that are learnt from, none of them forced; 0 leaves the stage out."""
    lr_end: float = _real(0.0, 0, 1)
    """Adam's step size at its end; half a cosine wave joins them."""
    entropy_auction_end: float = _real(0.0, 0, 100)
    """The same at the end."""
    entropy_cards_end: float = _real(0.0, 0, 100)
    """The same at the end."""
    magnet: float = _real(0.05, 0, 1000)
    """Weight of the KL divergence of calls from the average of the actor's own weights, at the start."""
    magnet_end: float = _real(0.05, 0, 1000)
    """The same at the end."""


@dataclass(frozen=True)
class Ppo:
    """Proximal policy optimisation, the same in all stages of self-play."""

    minibatch: int = _whole(4096, 1, 10**7)
    """Decisions in a step of the optimiser, of all shards together; of cloning too."""
    clip: float = _real(0.15, 0, 10, above=True)
    """How far a ratio of probabilities may leave 1 before it stops counting."""
    estimator: str = _choice("gae", "vrpo")
    """Advantages: "gae" from a critic of positions, "vrpo" (expected SARSA) from a critic of actions."""
    lambda_auction: float = _real(1.0, 0, 1)
    """Lambda of the advantages of calls: 1 trusts the payoff alone, less trusts the critic more."""
    lambda_cards: float = _real(1.0, 0, 1)
    """Lambda of the advantages of cards."""
    reward_scale: float = _real(1.0, 0, 10**6, above=True)
    """What counts as 1 in returns and values, in the payoffs of a lone solo made; a constant, so nothing drifts."""
    value_coef: float = _real(0.5, 0, 1000)
    """The weight of the critic's loss."""
    max_grad_norm: float = _real(0.5, 0, 10**6, above=True)
    """The gradient of each network is shortened to this norm."""
    worth_auction: float = _real(0.7, 0, 1000)
    """Weight, in the actor's loss, of what play-outs say of calls, in reward scales; noisier than of cards."""
    worth_cards: float = _real(5.0, 0, 1000)
    """The same of cards."""
    target_kl: float = _real(0.03, 0, 1000, above=True)
    """An iteration's update ends once a minibatch has moved the policy further; never where all is played out."""
    average: float = _real(0.995, 0, 1)
    """What the average of the actor's weights keeps of itself in an iteration; it is the magnet and the player."""
    bidder: str = _text("ev-bidder")
    """The player whose expectation of calls is the advice: ``ev-bidder`` or ``expert``, with options."""
    advice_temperature: float = _real(0.25, 0, 1000, above=True)
    """The bidder's chances of calls: a difference of this many reward scales counts for a factor e."""


@dataclass(frozen=True)
class Opponents:
    """Who sits at the learner's tables, for a whole deal each; only the learner's own decisions are learnt from."""

    snapshots: float = _real(0.2, 0, 1)
    """Share of the deals in which one to three seats are an earlier self."""
    players: float = _real(0.1, 0, 1)
    """Share of the deals in which one to three seats are a fixed player."""
    fixed: tuple[str, ...] = _names(("expert", "club"))
    """The fixed players, as player specs."""
    learns: str = _choice("all", "auction", "cards")
    """What the learner decides beside a fixed player: "all", or its "auction" or "cards", the player the rest."""
    ring: int = _whole(12, 1, 1000)
    """Earlier selves that are kept; beside them the first and that of every tenfold of iterations."""
    every: int = _whole(50, 1, 10**6)
    """Iterations between two of them."""


@dataclass(frozen=True)
class Watch:
    """The watchdog: what it compares with the teacher's self-play, and what it does."""

    thrown_in: float = _real(2.0, 1, 1000)
    """Alarm when more deals are thrown in than this many times the teacher's share (and than 5 %)."""
    least_share: float = _real(0.2, 0, 1)
    """Alarm when a contract is less frequent than this share of the teacher's frequency."""
    patience: int = _whole(10, 1, 10**6)
    """Iterations that an average over the mix looks back on."""
    factor: float = _real(1.5, 1, 1000)
    """What an alarm multiplies the anchors by, once in ``patience`` iterations; later they go back."""
    most: float = _real(10.0, 1, 10**6)
    """The largest factor on the anchors."""


@dataclass(frozen=True)
class Evaluate:
    """Matches of the averaged policy against fixed players, on deals that training never sees."""

    against: tuple[str, ...] = _names(("expert", "club", "novice"))
    """Players to measure against, as player specs; by the first the best is chosen; none leaves matches out."""
    deals: int = _whole(400, 1, 10**7)
    """Deals of each match during training; each is played once from every seat."""
    every: int = _whole(50, 0, 10**6)
    """Iterations between matches; 0 plays none."""
    final_deals: int = _whole(1000, 1, 10**7)
    """Deals of each match that ``solo-whist train`` plays when training is over."""
    seed: int = _whole(0, 0, MAX_SEED)
    """Names the books of the matches, ``dev`` in training, ``test`` after it; neither holds a deal of training."""


@dataclass(frozen=True)
class Config:
    """All options of a run."""

    run: Run = field(default_factory=Run)
    net: Net = field(default_factory=Net)
    ground: Ground = field(default_factory=Ground)
    clone: Clone = field(default_factory=Clone)
    cards: Cards = field(default_factory=Cards)
    joint: Joint = field(default_factory=Joint)
    settle: Settle = field(default_factory=Settle)
    ppo: Ppo = field(default_factory=Ppo)
    opponents: Opponents = field(default_factory=Opponents)
    watch: Watch = field(default_factory=Watch)
    evaluate: Evaluate = field(default_factory=Evaluate)

    @property
    def self_play(self) -> list[SelfPlay]:
        """The stages of self-play that have a budget."""
        return [stage for stage in (self.cards, self.joint, self.settle) if stage.decisions]

    @property
    def is_probe(self) -> bool:
        """Whether a fixed player sits in every deal of self-play, so that no auction is the learner's own."""
        stages = self.self_play
        return bool(stages) and all(stage.alone == 1 or self.opponents.players == 1 for stage in stages)


STAGES = ("ground", "clone", "cards", "joint", "settle")  # in their order, each a section

SECTIONS: dict[str, type[Any]] = {f.name: get_type_hints(Config)[f.name] for f in dataclasses.fields(Config)}


# --- From a file to a Config -----------------------------------------------------------------------------


def config_path(name: str) -> Path:
    """The file of a shipped configuration ("quick"), or ``name`` itself when it is the path of a TOML file.

    A checkout keeps the shipped files in ``configs/``, an installed wheel in ``training/configs/``.

    Raises:
        ConfigError: there is neither.
    """
    if Path(name).is_file():
        return Path(name)
    here = Path(__file__).resolve().parent
    folders = [folder for folder in (here.parent / "configs", here / "configs") if folder.is_dir()]
    for folder in folders:
        for file in (folder / f"{name}.toml", folder / Path(name).name):
            if file.suffix == ".toml" and file.is_file():
                return file
    shipped = sorted({file.stem for folder in folders for file in folder.glob("*.toml")})
    raise ConfigError(
        f"there is no configuration {name!r}; shipped are {', '.join(shipped) or 'none'}, "
        "and any other is the path of a TOML file."
    )


def load_config(path: str | Path, overrides: Sequence[str] = ()) -> Config:
    """The checked configuration of a TOML file (a path or a shipped name), changed by ``overrides``.

    Args:
        path: the file, which gives only what differs from the defaults.
        overrides: "section.key=value" with a TOML value; a bare word counts as text.

    Raises:
        ConfigError: no such file, no TOML, an unknown key, or a value of the wrong kind or size.
    """
    file = config_path(str(path))
    try:
        raw = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"the configuration {file} cannot be read: {error.strerror}.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"the configuration {file} is not TOML: {error}.") from None
    return build_config(overridden(raw, overrides))


def overridden(raw: Mapping[str, Any], overrides: Sequence[str]) -> dict[str, Any]:
    """A nested mapping of options with some changed by "section.key=value", not yet checked.

    Raises:
        ConfigError: an override that is not written like that, or of what is no section.
    """
    changed = dict(raw)
    for override in overrides:
        section, key, value = parse_override(override)
        options_of = changed.get(section, {})
        if not isinstance(options_of, Mapping):
            raise ConfigError(f"{section} is {options_of!r}; it must be a section of keys.")
        changed[section] = {**options_of, key: value}
    return changed


def build_config(raw: Mapping[str, Any], *, with_ruleset: bool = True) -> Config:
    """Check a nested mapping (as TOML or a checkpoint gives it) and freeze it.

    Args:
        raw: section, key, value.
        with_ruleset: whether ``run.ruleset`` is looked up too; who only wants a network does not need it.

    Raises:
        ConfigError: an unknown key, a value of the wrong kind or size, or values that do not fit together.
    """
    sections: dict[str, Any] = {}
    for name, given in raw.items():
        if name not in SECTIONS:
            raise ConfigError(f"there is no section {name!r}; the sections are {', '.join(SECTIONS)}.")
        if not isinstance(given, Mapping):
            raise ConfigError(f"{name} is {given!r}; it must be a section of keys.")
        fields = {f.name: f for f in dataclasses.fields(SECTIONS[name])}
        for key in given:
            if key not in fields:
                raise ConfigError(
                    f"there is no option {name}.{key}; {name} has {', '.join(f'{name}.{f}' for f in fields)}."
                )
        checked = {key: fields[key].metadata["check"](f"{name}.{key}", value) for key, value in given.items()}
        sections[name] = SECTIONS[name](**checked)
    config = Config(**sections)
    _check_together(config)
    if with_ruleset:
        canonical(config)
    return config


def canonical(config: Config) -> Config:
    """The configuration with its ruleset under the canonical name, which needs no file to be read again.

    Raises:
        ConfigError: there is no such ruleset, or it cannot be played.
    """
    try:
        name = load_ruleset(config.run.ruleset).name
    except RulesetError as error:
        raise ConfigError(f"run.ruleset is {config.run.ruleset!r}: {error}") from None
    return dataclasses.replace(config, run=dataclasses.replace(config.run, ruleset=name))


def _check_together(config: Config) -> None:
    known = [*(row.name for row in BLOCKS), *(row.name for row in COUNTED)]
    for name in config.net.blocks:
        if name not in known:
            raise ConfigError(f"net.blocks names {name!r}, which is no block; they are {', '.join(known)}.")
    if not config.net.blocks:
        raise ConfigError("net.blocks is empty; it must name at least one block of the observation.")
    for name in STAGES:
        stage = getattr(config, name)
        if isinstance(stage, SelfPlay) and stage.forced + stage.taught + stage.bidder > 1 + 1e-9:
            raise ConfigError(
                f"{name}.forced, {name}.taught and {name}.bidder are shares of the deals; together they must be "
                "at most 1."
            )
    for name in ("run", *STAGES):
        deals = getattr(getattr(config, name), "deals", 0)
        if deals % config.run.shards:
            raise ConfigError(f"{name}.deals is {deals}; it must be a multiple of run.shards, {config.run.shards}.")
    if config.opponents.snapshots + config.opponents.players > 1 + 1e-9:
        raise ConfigError(
            "opponents.snapshots and opponents.players are shares of the deals; together they must be at most 1."
        )
    beside = config.opponents.players > 0 or any(stage.alone > 0 for stage in config.self_play)
    if beside and not config.opponents.fixed:
        raise ConfigError(
            "opponents.fixed names no player; name one, or set opponents.players and what the stages have as alone "
            "to 0."
        )
    if config.opponents.learns != "all" and not beside:
        raise ConfigError(
            f"opponents.learns is {config.opponents.learns!r}, but no fixed player sits anywhere who would decide "
            'the rest; set opponents.players above 0, or opponents.learns to "all".'
        )


def parse_override(override: str) -> tuple[str, str, Any]:
    """Section, key and value of an override such as "joint.lr=1e-4"."""
    name, equals, text = override.partition("=")
    section, dot, key = name.strip().partition(".")
    if not equals or not dot or not key:
        raise ConfigError(f"the override {override!r} is not section.key=value, such as joint.lr=1e-4.")
    try:
        return section, key, tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return section, key, text.strip()


# --- From a Config to text -------------------------------------------------------------------------------


def as_dict(config: Config) -> dict[str, dict[str, Any]]:
    """The configuration as plain dicts, lists, numbers and text; ``build_config`` reads it back."""
    return {
        section: {
            f.name: list(value) if isinstance(value := getattr(part, f.name), tuple) else value
            for f in dataclasses.fields(part)
        }
        for section, part in ((name, getattr(config, name)) for name in SECTIONS)
    }


def as_toml(config: Config) -> str:
    """The whole configuration as TOML, each option under its meaning; ``load_config`` reads it back."""
    lines: list[str] = []
    values = as_dict(config)
    for option in options():
        section, key = option.name.split(".")
        if f"[{section}]" not in lines:
            lines += ["", f"[{section}]"]
        lines += [f"# {option.meaning}", f"{key} = {_toml_value(values[section][key])}"]
    return "\n".join(lines[1:]) + "\n"


def _toml_value(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)  # numbers, text and lists of them read the same in TOML


def differences(config: Config, other: Config) -> list[str]:
    """The options in which two configurations differ: "joint.lr (0.0003, 0.0001)"."""
    first, second = as_dict(config), as_dict(other)
    return [
        f"{section}.{key} ({first[section][key]}, {second[section][key]})"
        for section in first
        for key in first[section]
        if first[section][key] != second[section][key]
    ]


class Option(NamedTuple):
    """One row of the table of options."""

    name: str  # "joint.lr"
    type: str  # "float"
    default: Any
    meaning: str


@lru_cache(maxsize=1)
def options() -> tuple[Option, ...]:
    """Every option with its type, its default and its meaning, in the order of the sections."""
    rows = []
    for section, cls in SECTIONS.items():
        meanings, hints = _meanings(cls), get_type_hints(cls)
        for f in dataclasses.fields(cls):
            hint = hints[f.name]
            kind = hint.__name__ if isinstance(hint, type) else str(hint)
            rows.append(Option(f"{section}.{f.name}", kind, f.default, meanings[f.name]))
    return tuple(rows)


def _meanings(cls: type[Any]) -> dict[str, str]:
    """The line under each field of a class of options and of what it is derived from."""
    found: dict[str, str] = {}
    for part in reversed([part for part in cls.__mro__ if dataclasses.is_dataclass(part)]):
        found |= _own_meanings(part)
    return found


def _own_meanings(cls: type[Any]) -> dict[str, str]:
    definition = ast.parse(inspect.getsource(cls)).body[0]
    body = definition.body if isinstance(definition, ast.ClassDef) else []
    found: dict[str, str] = {}
    for statement, following in pairwise(body):
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            line = following.value if isinstance(following, ast.Expr) else None
            text = line.value if isinstance(line, ast.Constant) else ""
            found[statement.target.id] = " ".join(str(text).split())
    return found


def markdown_table() -> str:
    """The options as Markdown."""
    rows = ["| option | default | meaning |", "|---|---|---|"]
    for option in options():
        default = list(option.default) if isinstance(option.default, tuple) else option.default
        rows.append(f"| `{option.name}` | `{_toml_value(default)}` | {option.meaning} |")
    return "\n".join(rows)
