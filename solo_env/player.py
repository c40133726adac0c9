"""Players: the protocol they fill, and how a spec in text becomes one.

A player decides from view records and nothing else. It decides for a batch at once; one decision is the batch
of one. Other packages register players under the entry point group ``solo_env.players``: a callable
``factory(ruleset, **options)`` whose options arrive as strings.
"""

from __future__ import annotations

import importlib
import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable
from importlib.metadata import entry_points
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from solo_env import actions
from solo_env.engine.state import new_views
from solo_env.rules import Ruleset, load_ruleset
from solo_env.view import View

GROUP = "solo_env.players"


class PlayerError(ValueError):
    """A player that cannot be made or does not play by the protocol; the message is a sentence."""


@runtime_checkable
class Player(Protocol):
    """Whoever sits at a table."""

    name: str

    def act_batch(self, views: NDArray[np.void], keys: NDArray[np.int64], out: NDArray[np.int64]) -> None:
        """Decide for B seats that are on turn.

        Args:
            views: view records [B] of dtype ``VIEW``; read only.
            keys: int64 [B], 0 .. 2**62 - 1, one a decision: all randomness must be drawn from it, so that a
                decision does not depend on the batch, on the player's name or on the order of calls.
            out: int64 [B], receives an action id that the view lists as legal.
        """

    def act(self, view: View, key: int = 0) -> int:
        """The action id for one seat that is on turn."""

    def explain(self, view: View) -> str:
        """Why the player would act as it does, in a few words."""


class BatchPlayer(ABC):
    """A player that writes ``act_batch`` and gets the rest."""

    def __init__(self, ruleset: str | Ruleset = "pagat") -> None:
        self.name = type(self).__name__.removesuffix("Player").lower()
        self.ruleset = load_ruleset(ruleset)

    @abstractmethod
    def act_batch(self, views: NDArray[np.void], keys: NDArray[np.int64], out: NDArray[np.int64]) -> None:
        """Decide for B seats; see :class:`Player`."""

    def act(self, view: View, key: int = 0) -> int:
        """The action id for one seat that is on turn."""
        views = new_views(1)
        views[0] = view.record
        out = np.full(1, -1, np.int64)
        self.act_batch(views, np.array([key], np.int64), out)
        return int(out[0])

    def explain(self, view: View) -> str:
        """The action chosen and those it was chosen from."""
        legal = ", ".join(actions.text(action) for action in view.legal_actions())
        return f"{self.name} chooses {actions.text(self.act(view))} from {legal}."


def player_names() -> list[str]:
    """The registered names, in alphabetical order."""
    return sorted({point.name for point in entry_points(group=GROUP)})


def make_player(spec: str, ruleset: str | Ruleset = "pagat") -> Player:
    """The player that a spec names.

    Args:
        spec: ``name:item,item``. The name is a registered one ("novice"), else ``module:Class``. An item is
            ``key=value``, or a path ("ppo:runs/quick/checkpoint.pt,sample=true").
        ruleset: what it will play.

    Raises:
        PlayerError: an unknown name, a module that has no such class, an option the player does not take.
    """
    ruleset = load_ruleset(ruleset)
    name, _, rest = spec.partition(":")
    points = {point.name: point for point in entry_points(group=GROUP)}
    if name in points:
        factory = _load(points[name].load, spec)
    elif rest:
        attribute, _, rest = rest.partition(":") if ":" in rest else rest.partition(",")
        factory = _load(lambda: getattr(importlib.import_module(name), attribute), spec)
    else:
        raise PlayerError(
            f"there is no player {name!r}; registered are {', '.join(sorted(points)) or 'none'}, "
            "and module:Class names any other."
        )
    options = _options(spec, rest)
    try:
        inspect.signature(factory).bind(ruleset, **options)
    except TypeError:
        taken = [p for p in list(inspect.signature(factory).parameters)[1:] if p != "path"]
        raise PlayerError(
            f"player {spec!r}: it does not take {', '.join(options) or 'no options at all'}; "
            f"its options are {', '.join(taken) or 'none'}."
        ) from None
    player = factory(ruleset, **options)
    if not isinstance(player, Player):
        raise PlayerError(f"player {spec!r}: a player has name, act_batch, act and explain; this has not.")
    player.name = spec
    return player


def _load(load: Callable[[], Any], spec: str) -> Callable[..., Player]:
    try:
        return load()  # type: ignore[no-any-return]
    except ImportError as error:
        raise PlayerError(
            f"player {spec!r} needs the module {error.name!r}, which is not here; "
            'torch and what else training needs come with: pip install "solo-whist[train]".'
        ) from None
    except AttributeError as error:
        raise PlayerError(f"player {spec!r} cannot be found: {error}.") from None


def _options(spec: str, rest: str) -> dict[str, str]:
    options: dict[str, str] = {}
    for item in filter(None, rest.split(",")):
        key, equals, value = item.partition("=")
        if not equals:
            key, value = "path", item
        if key in options:
            raise PlayerError(f"player {spec!r} gives {key} twice.")
        options[key] = value
    return options


def flag(name: str, value: str | bool) -> bool:
    """An option's text as a yes or no."""
    if isinstance(value, bool):
        return value
    if value in ("true", "false"):
        return value == "true"
    raise PlayerError(f"{name} is {value!r}; it must be true or false.")
