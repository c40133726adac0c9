"""Players: the protocol they fill, and how a spec in text becomes one.

A player decides from view records and nothing else. It decides for a batch at once; one decision is the batch
of one. Other packages register players under the entry point group ``solo_env.players``: a callable
``factory(ruleset, **options)`` whose options arrive as strings.
"""

from __future__ import annotations

import hashlib
import importlib
import inspect
import re
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.metadata import entry_points
from importlib.util import find_spec, module_from_spec
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from solo_env import actions
from solo_env.engine.state import new_views
from solo_env.rules import Ruleset, RulesetError, load_ruleset
from solo_env.view import View

GROUP = "solo_env.players"
EXTRAS = {  # what each extra brings: the modules by which it is known, and how a sentence names them
    "train": (("torch", "tensorboard", "rich"), "torch and what else training needs"),
    "onnx": (("onnx", "onnxruntime"), "the libraries for ONNX"),
    "evaluate": (("choix", "openskill", "scipy"), "the libraries for ratings"),
    "sb3": (("sb3_contrib", "stable_baselines3"), "Stable-Baselines3 and what it needs"),
    "rllib": (("ray",), "Ray RLlib and what it needs"),
    "torchrl": (("torchrl", "tensordict"), "TorchRL and what it needs"),
    "openspiel": (("pyspiel", "open_spiel"), "OpenSpiel"),
    "minari": (("minari",), "Minari and what it needs"),
}
NEED_MORE = {"process", "onnx", "rllib", "sb3", "torchrl"}  # registered, and no player without a program or a file
MOST_TOLD = 300  # letters of an exception


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


@runtime_checkable
class ChanceTeller(Protocol):
    """A player that says how likely it thinks its calls are to be made, so that it can be held to it."""

    def call_chances(self, views: NDArray[np.void]) -> NDArray[np.float64]:
        """The chance that each call is made if it becomes the contract, float64 [B, 12] by call from PASS on.

        Args:
            views: view records [B] of seats asked for a call; read only. NaN stands where nothing is told.
        """


class BatchPlayer(ABC):
    """A player that writes ``act_batch`` and gets the rest."""

    def __init__(self, ruleset: str | Ruleset = "pagat") -> None:
        self.name = type(self).__name__.removesuffix("Player").lower()
        self.ruleset = load_ruleset(ruleset)

    @abstractmethod
    def act_batch(self, views: NDArray[np.void], keys: NDArray[np.int64], out: NDArray[np.int64]) -> None:
        """Decide for B seats; see :class:`Player`."""

    def act(self, view: View, key: int = 0) -> int:
        """The action id for one seat that is on turn.

        Raises:
            PlayerError: nothing is asked of the seat, or what is given is no view.
        """
        check_asked(view)
        views = new_views(1)
        views[0] = view.record
        out = np.full(1, -1, np.int64)
        self.act_batch(views, np.array([key], np.int64), out)
        return int(out[0])

    def explain(self, view: View) -> str:
        """The action chosen and those it was chosen from."""
        check_asked(view)
        legal = ", ".join(actions.text(action) for action in view.legal_actions())
        return f"{self.name} chooses {actions.text(self.act(view))} from {legal}."


def player_names() -> list[str]:
    """The registered names, in alphabetical order."""
    return sorted({point.name for point in entry_points(group=GROUP)})


def make_player(spec: str, ruleset: str | Ruleset = "pagat") -> Player:
    """The player that a spec names.

    Args:
        spec: ``name:item,item``. The name is a registered one ("novice"), else ``module:Class`` or
            ``path/to/file.py:Class``. An item is ``key=value`` where the player takes an option of that name, else
            a path without commas ("ppo:runs/lr=1e-4/checkpoint.pt,sample=true"). ``process:COMMAND`` asks a program
            of its own; see ``solo_env.process``.
        ruleset: what it will play.

    Raises:
        PlayerError: an unknown name, a module or file that has no such class or cannot be imported, an option the
            player does not take, or a player that cannot be made.
    """
    ruleset = load_ruleset(ruleset)
    name, _, rest = spec.partition(":")
    points = {point.name: point for point in entry_points(group=GROUP)}
    if name in points:
        factory = _load(points[name].load, spec)
    elif name.endswith(".py"):
        if not rest:
            raise PlayerError(f"player {spec!r} names a file; name its class too, as in {name}:Class.")
        attribute, *items = re.split("[:,]", rest, maxsplit=1)
        factory = _load(lambda: _file_module(spec, Path(name)), spec, attribute, name)
        rest = "".join(items)
    elif rest:
        if not all(part.isidentifier() for part in name.split(".")):
            raise PlayerError(
                f"player {spec!r}: {name!r} is no module's name; write module:Class, or FILE.py:Class for a file."
            )
        if "." not in name and Path(f"{name}.py").is_file() and find_spec(name) is None:
            raise PlayerError(
                f"player {spec!r}: there is no module {name!r}, but a file; name it as in {name}.py:{rest}."
            )
        attribute, *items = re.split("[:,]", rest, maxsplit=1)
        factory = _load(lambda: importlib.import_module(name), spec, attribute, f"the module {name}")
        rest = "".join(items)
    else:
        raise PlayerError(
            f"there is no player {name!r}; registered are {', '.join(sorted(points)) or 'none'}, "
            "and module:Class or FILE.py:Class names any other."
        )
    options = _options(spec, rest, _parameters(spec, factory, ruleset))
    return _made(spec, factory, ruleset, options)


def ask_player(
    player: Player, views: NDArray[np.void], keys: NDArray[np.int64], out: NDArray[np.int64] | None = None
) -> NDArray[np.int64]:
    """What ``player`` decides for views [N] with keys [N], int64 [N]; not yet checked to be legal.

    It stands in ``out``, if that is given: full of -1, which is no action.

    Raises:
        PlayerError: the player failed; the message names it and says how.
    """
    if out is None:
        out = np.full(len(views), -1, np.int64)
    try:
        player.act_batch(views, keys, out)
    except (Exception, SystemExit, GeneratorExit) as error:
        raise PlayerError(f"player {player.name!r} failed while deciding: {told(error)}.") from error
    return out


def missing_module(error: ImportError) -> str:
    """Which module is missing, and what brings it; the end of a sentence that begins with who needs it."""
    needed = f"needs the module {error.name!r}, which is not here"
    for extra, (modules, what) in EXTRAS.items():
        if str(error.name).partition(".")[0] in modules:
            return f'{needed}; {what} come with: pip install "solo-whist[{extra}]".'
    return f"{needed}."


def check_asked(view: View) -> None:
    """Refuse what is no view, and a view in which nothing is asked of the seat, with a sentence."""
    if not isinstance(view, View):
        raise PlayerError(f"a player decides from a View, and this is {a_or_an(type(view).__name__)}.")
    if not (view.record["legal_cards"] or view.record["legal_calls"]):
        over = view.record["phase"] == actions.OVER
        raise PlayerError(
            f"nothing is asked of player_{view.seat}: {'the deal is over' if over else 'it is not on turn'}."
        )


def told(error: BaseException) -> str:
    """An exception in one line, without a full stop: "KeyError: 'x'"; a player's own sentence stands alone.

    What a terminal would obey is written out, and a long text is cut.
    """
    text = " ".join(str(error)[: 2 * MOST_TOLD].split())
    text = "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in text)
    if len(text) > MOST_TOLD:
        text = f"{text[:MOST_TOLD]} …"
    return (text if isinstance(error, PlayerError) else f"{type(error).__name__}: {text}").rstrip(".: ")


def a_or_an(noun: str) -> str:
    """A noun with its article: "a str", "an int"."""
    return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}"


def _load(load: Callable[[], Any], spec: str, attribute: str | None = None, where: str = "") -> Callable[..., Any]:
    """The factory that ``load`` imports, or the attribute of what it imports; ``where`` names that."""
    try:
        factory = load()
        if attribute is not None:
            if not hasattr(factory, attribute):
                raise PlayerError(f"player {spec!r} cannot be found: {where} has no {attribute!r}.")
            factory = getattr(factory, attribute)
    except ModuleNotFoundError as error:
        raise PlayerError(f"player {spec!r} {missing_module(error)}") from None
    except AttributeError as error:
        raise PlayerError(f"player {spec!r} cannot be found: {' '.join(str(error).split()).rstrip('.')}.") from None
    except PlayerError:
        raise
    except (Exception, SystemExit) as error:  # whatever a module does when it is imported
        raise PlayerError(f"player {spec!r} cannot be imported: {told(error)}.") from error
    if not callable(factory):
        raise PlayerError(
            f"player {spec!r} names {a_or_an(type(factory).__name__)}; it must name a class of players."
        )
    return factory  # type: ignore[no-any-return]


def _file_module(spec: str, path: Path) -> ModuleType:
    """The module that a Python file is; the same file is run once."""
    if not path.is_file():
        raise PlayerError(f"player {spec!r} cannot be found: there is no file {path}.")
    digest = hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:12]
    name = f"{re.sub(r'[^0-9A-Za-z_]', '_', path.stem)}_{digest}"  # no dot, which would be of a package
    if name not in sys.modules:
        loader = SourceFileLoader(name, str(path.resolve()))
        module = module_from_spec(ModuleSpec(name, loader, origin=loader.path))
        sys.modules[name] = module  # as an import does it: dataclasses and pickle look a class up there
        try:
            loader.exec_module(module)
        except BaseException:
            del sys.modules[name]
            raise
    return sys.modules[name]


def _parameters(spec: str, factory: Callable[..., Any], ruleset: Ruleset) -> list[inspect.Parameter]:
    """What a factory takes after the ruleset, each of it by name."""
    try:
        signature = inspect.signature(factory)
        signature.bind_partial(ruleset)
    except (TypeError, ValueError):
        raise PlayerError(
            f"player {spec!r} cannot be made from a ruleset; a player's class is called with the ruleset, "
            "and with its options by name."
        ) from None
    passed = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.POSITIONAL_ONLY)
    return [parameter for parameter in list(signature.parameters.values())[1:] if parameter.kind not in passed]


def _options(spec: str, rest: str, parameters: list[inspect.Parameter]) -> dict[str, str]:
    """The items of a spec by option."""
    any_name = any(parameter.kind is inspect.Parameter.VAR_KEYWORD for parameter in parameters)
    named = [p.name for p in parameters if p.kind is not inspect.Parameter.VAR_KEYWORD]
    others = ", ".join(name for name in named if name != "path") or ("any" if any_name else "none")
    options: dict[str, str] = {}
    for item in filter(None, rest.split(",")):
        key, equals, value = item.partition("=")
        if not (equals and key.isidentifier() and (any_name or key in named)):
            if not (any_name or "path" in named):
                what = key if equals else f"{item!r}, which is no key=value"
                raise PlayerError(f"player {spec!r}: it does not take {what}; its options are {others}.")
            if "path" in options:
                raise PlayerError(
                    f"player {spec!r}: {item!r} is none of its options, which are {others}, and it has its path "
                    "already; a path in a spec cannot have a comma in it."
                )
            key, value = "path", item
        if key in options:
            raise PlayerError(f"player {spec!r} gives {key} twice.")
        options[key] = value
    needed = [p.name for p in parameters if p.default is p.empty and p.name in named and p.name not in options]
    if needed:
        raise PlayerError(f"player {spec!r} needs a value for {', '.join(needed)}, as in key=value.")
    return options


def _made(spec: str, factory: Callable[..., Any], ruleset: Ruleset, options: dict[str, str]) -> Player:
    """The player that a factory makes, under the name of its spec."""
    try:
        player = factory(ruleset, **options)
    except (PlayerError, RulesetError, Warning):
        raise
    except ModuleNotFoundError as error:
        raise PlayerError(f"player {spec!r} {missing_module(error)}") from None
    except (Exception, SystemExit) as error:
        raise PlayerError(f"player {spec!r} cannot be made: {told(error)}.") from error
    try:
        player.name = spec
    except Exception:
        raise PlayerError(
            f"player {spec!r}: its name cannot be set; a player's name is a plain attribute."
        ) from None
    if not isinstance(player, Player):
        raise PlayerError(f"player {spec!r}: a player has name, act_batch, act and explain; this has not.")
    return player


def flag(name: str, value: str | bool) -> bool:
    """An option's text as a yes or no."""
    if isinstance(value, bool):
        return value
    if value in ("true", "false"):
        return value == "true"
    raise PlayerError(f"{name} is {value!r}; it must be true or false.")
