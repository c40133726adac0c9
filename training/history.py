"""What a run has written of itself, read again: ``history.jsonl``, ``config.toml`` and ``checkpoint.json``.

Nothing here refuses a run: what is missing or damaged is left out, and ``faults`` says so in a sentence each.
"""

from __future__ import annotations

import json
import math
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from solo_env.files import FileError, read_whole

HISTORY, CONFIG, FACTS = "history.jsonl", "config.toml", "checkpoint.json"
LIMIT = 256 * 1024 * 1024  # bytes of a file
FAULTS_TOLD = 5  # lines of a damaged history that are told one by one


@dataclass(frozen=True)
class Moment:
    """When something was: decisions learnt so far, hours of the run, the stage."""

    step: int
    hours: float
    stage: str


@dataclass(frozen=True)
class Iteration:
    """An iteration and its metrics, by the names of ``training.log.METRICS``; only finite ones are kept."""

    at: Moment
    metrics: dict[str, float]


@dataclass(frozen=True)
class Played:
    """A match of the greedy policy against a fixed player, units a deal; its 95 % interval where it has one."""

    at: Moment
    spec: str
    deals: int
    mean: float
    ends: tuple[float, float] | None


@dataclass(frozen=True)
class Event:
    """What the watchdog or the trainer had to say."""

    at: Moment
    sentence: str


@dataclass
class Run:
    """All that a run folder tells."""

    reference: dict[str, dict[str, float]] = field(default_factory=dict)  # of the teacher: "mix" and "made"
    iterations: list[Iteration] = field(default_factory=list)
    matches: list[Played] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    config: dict[str, Any] = field(default_factory=dict)  # section, key, value; empty where it cannot be read
    facts: dict[str, Any] = field(default_factory=dict)  # of checkpoint.json
    faults: list[str] = field(default_factory=list)

    def series(self, name: str) -> list[tuple[Moment, float]]:
        """A metric over the iterations that tell it."""
        return [(one.at, one.metrics[name]) for one in self.iterations if name in one.metrics]

    def names(self) -> list[str]:
        """The metrics that the run told, each once, in the order of their first appearance."""
        return list(dict.fromkeys(name for one in self.iterations for name in one.metrics))

    def option(self, section: str, key: str) -> Any:
        """An option of the configuration; None where it is not known."""
        part = self.config.get(section)
        return part.get(key) if isinstance(part, dict) else None

    @property
    def moments(self) -> list[Moment]:
        """When anything was told, in the order of the decisions."""
        told: list[Iteration | Played | Event] = [*self.iterations, *self.matches, *self.events]
        return sorted((one.at for one in told), key=lambda at: (at.step, at.hours))


class _OddLineError(ValueError):
    """A line that no trainer writes; the message is a clause."""


def read_run(folder: Path) -> Run:
    """All that the run folder ``folder`` tells."""
    run = Run()
    run.config = _parsed(folder / CONFIG, run.faults, tomllib.loads, "TOML") or {}
    run.facts = _parsed(folder / FACTS, run.faults, json.loads, "JSON") or {}
    text = _text(folder / HISTORY, run.faults)
    odd = []
    for number, line in enumerate((text or "").splitlines(), 1):
        if line.strip():
            try:
                _read_line(run, line)
            except _OddLineError as error:
                odd.append(f"Line {number} of {HISTORY} {error}, and is left out.")
    run.faults += odd[:FAULTS_TOLD]
    if len(odd) > FAULTS_TOLD:
        run.faults.append(f"{len(odd) - FAULTS_TOLD} more lines of {HISTORY} cannot be read, and are left out.")
    return run


def _text(path: Path, faults: list[str]) -> str | None:
    try:
        return read_whole(path, LIMIT).decode()
    except FileNotFoundError:
        faults.append(f"{path.name} is not in the folder of the run.")
    except UnicodeDecodeError:
        faults.append(f"{path.name} is damaged: it is not text.")
    except FileError as error:
        faults.append(str(error))
    except OSError as error:
        faults.append(f"{path.name} cannot be read: {error.strerror}.")
    return None


def _parsed(path: Path, faults: list[str], parse: Callable[[str], Any], what: str) -> dict[str, Any] | None:
    text = _text(path, faults)
    if text is None:
        return None
    try:
        found = parse(text)
    except (ValueError, RecursionError):  # both parsers' errors are ValueErrors
        faults.append(f"{path.name} is damaged: it is not {what}.")
        return None
    if not isinstance(found, dict):
        faults.append(f"{path.name} is damaged: it holds no table.")
        return None
    return found


def _read_line(run: Run, line: str) -> None:
    """Add what a line of the history tells.

    Raises:
        _OddLineError: it tells nothing that can be used.
    """
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        raise _OddLineError("is not JSON") from None
    if not isinstance(row, dict):
        raise _OddLineError("is no object")
    if isinstance(row.get("run"), dict):
        reference = row["run"].get("reference")
        tables = reference if isinstance(reference, dict) else {}
        run.reference = {name: _numbers(tables.get(name)) for name in ("mix", "made")}
        return
    at = Moment(_whole(row, "step"), _real(row, "hours"), str(row.get("stage", "")))
    if isinstance(row.get("match"), dict):
        run.matches.append(_match(at, row["match"]))
    elif "event" in row:
        run.events.append(Event(at, str(row["event"])))
    elif isinstance(row.get("metrics"), dict):
        run.iterations.append(Iteration(at, _numbers(row["metrics"])))
    else:
        raise _OddLineError("is neither an iteration nor a match nor an event")


def _match(at: Moment, told: Mapping[str, Any]) -> Played:
    if not isinstance(told.get("spec"), str):
        raise _OddLineError("is a match against nobody")
    ends = None
    if told.get("low") is not None and told.get("high") is not None:
        ends = (_real(told, "low", signed=True), _real(told, "high", signed=True))
    return Played(at, told["spec"], _whole(told, "deals"), _real(told, "mean", signed=True), ends)


def _numbers(told: object) -> dict[str, float]:
    """The finite numbers of a table."""
    if not isinstance(told, dict):
        return {}
    return {name: float(value) for name, value in told.items() if _is_number(value)}


def _is_number(value: object) -> bool:
    try:
        return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    except OverflowError:  # a whole number that no float holds
        return False


def _real(row: Mapping[str, Any], key: str, signed: bool = False) -> float:
    value = row.get(key)
    if not _is_number(value) or (value < 0 and not signed):  # type: ignore[operator]
        raise _OddLineError(f"has no {key}")
    return float(value)  # type: ignore[arg-type]


def _whole(row: Mapping[str, Any], key: str) -> int:
    value = row.get(key)
    if type(value) is not int or value < 0 or not _is_number(value):
        raise _OddLineError(f"has no {key}")
    return value
