"""The plain C++ loop of ``cpp/solo.cpp``: compiled where it runs, and held against the engine."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from baselines.random_player import WEIGHT_BY_CALL
from benchmarks.machine import cpu_model
from benchmarks.measure import ROOT, Unavailable
from solo_env import layout
from solo_env.actions import FIRST_TRUMPS, N_ACTIONS
from solo_env.aec import raw_env
from solo_env.files import write_whole
from solo_env.record import Record
from solo_env.rules import load_ruleset
from solo_env.rules.model import KIND_NAMES, N_CONTRACTS
from solo_env.rules.pack import pack_array

SOURCE = Path(__file__).parent / "cpp" / "solo.cpp"
BUILDS = ROOT / ".cache" / "benchmarks"
FLAGS = ("-O3", "-march=native", "-std=c++17")
RULESET = "pagat"
WARM_UP_STEPS = 150  # some three deals, after which the tables of a batch are at different places
# Blocks that are the same in every observation of a session of one deal under one ruleset.
CONSTANT_BLOCKS = ("deals", "pack", "prices", "targets", "ladder", "ruleset")


@lru_cache(maxsize=1)
def program() -> Path:
    """The compiled program.

    Raises:
        Unavailable: there is no compiler, or it fails.
    """
    compiler = os.environ.get("CXX") or shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        raise Unavailable("The plain C++ loop is left out: there is no C++ compiler (g++ or clang++) here.")
    header = layout_header()
    text = "\0".join(
        [header, SOURCE.read_text(encoding="utf-8"), compiler, *FLAGS, cpu_model()]
    )  # -march: of this one
    folder = BUILDS / hashlib.sha256(text.encode()).hexdigest()[:12]
    built = folder / "solo"
    if not built.exists():
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(folder / "layout.h", header.encode())
        fresh = folder / f"solo-{os.getpid()}"
        done = subprocess.run(
            [compiler, *FLAGS, f"-I{folder}", str(SOURCE), "-o", str(fresh)],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode != 0:
            raise Unavailable(f"The plain C++ loop is left out: {compiler} says {done.stderr.strip()!r}.")
        fresh.replace(built)
    return built


def layout_header() -> str:
    """The columns of the observation and the numbers of the ruleset, as C++."""
    rules = pack_array(load_ruleset(RULESET))[0]
    env = raw_env(RULESET)
    env.reset(seed=0)
    seen = env.observe(env.agent_selection)["observation"]
    blank = np.zeros(layout.N_FEATURES, np.int8)
    for name in CONSTANT_BLOCKS:
        at = layout.OFFSETS[name]
        columns = slice(at, at + layout.block(name).size)
        blank[columns] = seen[columns]
    lines = [
        f"const int N_FEATURES = {layout.N_FEATURES}, N_ACTIONS = {N_ACTIONS}, MAX_CALLS = {layout.MAX_CALLS};",
        f"const int WARM_UP_STEPS = {WARM_UP_STEPS};",
        *(f"const int AT_{name.upper()} = {at};" for name, at in layout.OFFSETS.items()),
        *(
            f"const int {name.upper()}[{N_CONTRACTS}] = {_braces(rules[name][:N_CONTRACTS])};"
            for name in ("rank", "target", "base")
        ),
        f"const int WEIGHTS[{len(WEIGHT_BY_CALL)}] = {_braces(WEIGHT_BY_CALL)};",
        f"alignas(64) const signed char BLANK[N_FEATURES] = {_braces(blank)};",
    ]
    return "\n".join(lines) + "\n"


def _braces(numbers: Sequence[int] | NDArray[np.integer]) -> str:
    return "{" + ", ".join(str(int(number)) for number in numbers) + "}"


def mix(deals: int, seed: int) -> tuple[float, dict[str, float]]:
    """Steps a deal and the share of each contract ("none" for thrown in) over that many deals of the C++ loop."""
    out = subprocess.run(
        [program(), "mix", str(deals), str(seed)], capture_output=True, text=True, check=True
    ).stdout
    steps, *played = map(int, out.split())
    names = ("none", *KIND_NAMES[:N_CONTRACTS])
    return steps / deals, {name: times / deals for name, times in zip(names, played, strict=True)}


def replay(games: Sequence[Record]) -> list[tuple[NDArray[np.int8], NDArray[np.int32]]]:
    """Every position of each game as the C++ loop sees it: int8 [T, F + A], and the payoffs int32 [4]."""
    lines = []
    for game in games:
        actions = actions_of(game)
        cards = [card for hand in game.hands_by_seat() for card in hand]
        lines.append(" ".join(map(str, [game.dealer, len(actions), *cards, *actions])))
    out = subprocess.run(
        [program(), "replay"], input="\n".join(lines).encode(), capture_output=True, check=True
    ).stdout
    seen, at, width = [], 0, layout.N_FEATURES + N_ACTIONS
    for game in games:
        rows = 1 + len(actions_of(game))
        positions = np.frombuffer(out, np.int8, rows * width, at).reshape(rows, width)
        at += rows * width
        seen.append((positions, np.frombuffer(out, np.int32, 4, at)))
        at += 16
    if at != len(out):
        raise ValueError(f"the C++ loop wrote {len(out)} bytes, and {at} were expected.")
    return seen


def actions_of(game: Record) -> list[int]:
    """All actions of a game in order."""
    naming = [] if game.trump is None else [FIRST_TRUMPS + game.trump]
    return [*game.calls, *naming, *game.plays]
