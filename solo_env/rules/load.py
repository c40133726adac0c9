"""From a name, a path or a name with overrides to a checked :class:`Ruleset`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any

from solo_env.rules.model import FrozenTable, Ruleset, RulesetError, build_ruleset, warn_of_falling_prices

DEFAULT_RULESET = "pagat"


@lru_cache(maxsize=1)
def shipped_rulesets() -> tuple[str, ...]:
    """The names of the rulesets that come with the package, the default first."""
    names = sorted(f.name[:-5] for f in resources.files(__package__).iterdir() if f.name.endswith(".toml"))
    return (DEFAULT_RULESET, *(name for name in names if name != DEFAULT_RULESET))


def load_ruleset(ruleset: str | Ruleset = DEFAULT_RULESET) -> Ruleset:
    """The ruleset that ``ruleset`` names.

    Args:
        ruleset: the name of a shipped set ("pagat"), such a name with overrides
            ("pagat+pay.base.MIS=3"), the path of a TOML file (which may name a shipped set as ``base`` and
            then gives only what differs), or a :class:`Ruleset`, returned as it is.

    Raises:
        RulesetError: no such set, a file that is no TOML, an unknown key or a bad value.
    """
    if isinstance(ruleset, Ruleset):
        return ruleset
    if not isinstance(ruleset, str):
        raise RulesetError(f"a ruleset is named by a string, not by {type(ruleset).__name__}.")
    if not ruleset.endswith(".toml"):
        return _load_name(ruleset)
    raw = _read_toml(Path(ruleset))
    try:
        return _from_file(raw)
    except RulesetError as error:
        raise RulesetError(f"{ruleset}: {error}") from None


def _from_file(raw: dict[str, Any]) -> Ruleset:
    base = raw.pop("base", DEFAULT_RULESET)
    if not isinstance(base, str) or base not in shipped_rulesets():
        raise RulesetError(f"base {base!r} is no shipped ruleset; {_shipped_sentence()}")
    return _merged(base, raw)


@lru_cache(maxsize=256)
def _load_name(name: str) -> Ruleset:
    """The ruleset of a shipped name with overrides; a name means the same for ever, a file may change."""
    base, *overrides = _split_overrides(name)
    if not base:
        raise RulesetError(f"no ruleset is named; {_shipped_sentence()}")
    if base not in shipped_rulesets():
        raise RulesetError(f"there is no ruleset {base!r}; {_shipped_sentence()} A file's name must end in .toml.")
    raw: dict[str, Any] = {}
    for override in overrides:
        raw = _deep_update(raw, _parse_override(override))
    return _merged(base, raw)


def _split_overrides(name: str) -> list[str]:
    """A name cut at every "+" (no key and no value of a ruleset holds one)."""
    base, *overrides = name.split("+")
    if "" in overrides:
        raise RulesetError(f"{name!r} has a + with nothing behind it; write +key=value, such as +pay.base.MIS=3.")
    return [base, *overrides]


def _merged(base: str, raw: Mapping[str, Any]) -> Ruleset:
    """The shipped set ``base`` with what ``raw`` changes, under the canonical name of the result."""
    original = build_ruleset(base, _shipped(base))
    if not raw:
        return original
    changed = build_ruleset(base, _deep_update(_shipped(base), raw))
    before, after = _leaves(original), _leaves(changed)
    overrides = [
        f"+{key}={_toml_value(after.get(key, _default(key, after)))}"
        for key in sorted(before.keys() | after.keys())
        if before.get(key, _default(key, before)) != after.get(key, _default(key, after))
    ]
    ruleset = build_ruleset(base + "".join(overrides), _deep_update(_shipped(base), raw))
    warn_of_falling_prices(ruleset)
    return ruleset


def _default(key: str, leaves: Mapping[str, Any]) -> Any:
    """What an entry of a table of contracts means where it is not written: the default leader, no price."""
    return leaves["contract.leader.default"] if key.startswith("contract.leader.") else 0


def _shipped(name: str) -> dict[str, Any]:
    raw = tomllib.loads((resources.files(__package__) / f"{name}.toml").read_text(encoding="utf-8"))
    base = raw.pop("base", None)
    return _deep_update(_shipped(base), raw) if base else raw


def _read_toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise RulesetError(f"the ruleset file {path} cannot be read: {error.strerror}.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise RulesetError(f"the ruleset file {path} is not TOML: {error}.") from None


def _parse_override(override: str) -> dict[str, Any]:
    key = override.partition("=")[0].strip()
    if "\n" in override or "#" in override or key in ("title", "base"):
        raise RulesetError(
            f"the override {override!r} must be one key of a section and its value, such as pay.base.MIS=3."
        )
    try:
        return tomllib.loads(override.strip())
    except (tomllib.TOMLDecodeError, RecursionError):  # the latter of "[[[[" a thousand deep
        raise RulesetError(
            f"the override {override!r} is not key=value with a TOML value, such as pay.base.MIS=3."
        ) from None


def _deep_update(base: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(base)
    for key, value in changes.items():
        old = merged.get(key)
        both_tables = isinstance(old, Mapping) and isinstance(value, Mapping)
        merged[key] = _deep_update(old, value) if both_tables else value  # type: ignore[arg-type]
    return merged


def _leaves(ruleset: Ruleset) -> dict[str, Any]:
    leaves: dict[str, Any] = {}
    for key, value, _, _ in ruleset.items():
        if isinstance(value, FrozenTable):
            leaves |= {f"{key}.{name}": item for name, item in value.items()}
        else:
            leaves[key] = value
    return leaves


def _toml_value(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return "[" + ",".join(_toml_value(item) for item in value) + "]"
    return f'"{value}"' if isinstance(value, str) else str(value)


def _shipped_sentence() -> str:
    return f"shipped are {', '.join(shipped_rulesets())}."
