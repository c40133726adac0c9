"""The engine: random play in one kernel, the batched step by size, threads and ruleset, the C++ loop beside it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks import plain
from benchmarks.measure import (
    Contender,
    Effort,
    Local,
    Together,
    Unavailable,
    Work,
    Worker,
    measure_in_turns,
    timed,
)
from benchmarks.play import ACTION_WEIGHTS, Deals, draw_rows, new_rng
from benchmarks.results import Outcome
from solo_env.packing import Form
from solo_env.rules import shipped_rulesets
from solo_env.vector import SoloVectorEnv

BATCH = 1024
SIZES = (1, 16, 256, 1024, 4096, 16384, 65536)
QUICK_SIZES = (1, 1024, 16384)
# What a policy needs that is told everything but the rulebook and remembers the order of plays by itself.
SHORT = (
    "hand", "played", "trick", "leader", "failed", "suit", "exposed_seat", "exposed", "calls_by_seat", "standing",
    "holder", "acceptor", "asked", "phase", "contract", "declarer", "partner", "role", "trump", "dealer", "tricks",
    "tricks_by_side", "tricks_needed", "tricks_left",
)  # fmt: skip
DEALS_AT_ONCE = 500
STEPS_AT_ONCE = 2048  # of a batch, at least, between two looks at the clock


def without_observation() -> Work:
    """Random play, nothing observed."""
    deals = Deals()
    return timed(lambda: deals.play(DEALS_AT_ONCE))


def batched_step(size: int, **options: Any) -> Callable[[], Work]:
    """What builds the work of stepping a batch with these options; drawing the actions is not timed."""

    def make() -> Work:
        env = SoloVectorEnv(size, seed=0, **options)
        rng, chosen = new_rng(1), np.zeros(size, np.int64)
        mask = env.reset().action_mask
        times = max(1, STEPS_AT_ONCE // size)

        def work() -> tuple[int, float]:
            spent = 0.0
            for _ in range(times):
                draw_rows(mask, ACTION_WEIGHTS, rng, chosen)
                start = time.perf_counter()
                env.step(chosen)
                spent += time.perf_counter() - start
            return times * size, spent

        for _ in range(plain.WARM_UP_STEPS):
            draw_rows(mask, ACTION_WEIGHTS, rng, chosen)
            env.step(chosen)
        return work

    return make


def cpp(what: str, *arguments: object, core: int = 0) -> Worker:
    """The C++ loop as a contender."""
    return Worker(f"cpp_{what}", [str(plain.program()), what, *map(str, arguments)], core)


def engine(effort: Effort) -> Outcome:
    """Without observation, and with observation and mask, one core."""
    contenders: list[Contender] = [
        Local("play", without_observation),
        Local("step", batched_step(BATCH)),
    ]
    outcome = Outcome()
    try:
        contenders += [cpp("play", 1), cpp("observe", BATCH, 1)]
    except Unavailable as reason:
        outcome.notes.append(str(reason))
    rates, missing = measure_in_turns(contenders, effort)
    outcome.notes += missing
    outcome.rates("engine.play", "random play in one kernel, no observation", rates["play"])
    outcome.rates("engine.step", f"batch of {BATCH:,}: step, observation, mask", rates["step"])
    if "cpp_play" in rates:
        outcome.rates("engine.cpp_play", "the plain C++ loop, no observation", rates["cpp_play"])
        outcome.ratios(
            "engine.play_to_cpp", "ours to the C++ loop, no observation", rates["play"], rates["cpp_play"]
        )
    if "cpp_observe" in rates:
        outcome.rates("engine.cpp_step", "the plain C++ loop that writes the same bytes", rates["cpp_observe"])
        outcome.ratios(
            "engine.step_to_cpp", "ours to the C++ loop, same bytes", rates["step"], rates["cpp_observe"]
        )
    return outcome


def observation(effort: Effort) -> Outcome:
    """The step of a batch by what it writes, one core."""
    forms: dict[str, tuple[str, dict[str, Any]]] = {
        "whole": ("the whole observation", {}),
        "short": (f"{Form(SHORT).n_features} columns of it", {"form": Form(SHORT)}),
        "packed": (f"packed into {Form(packed=True).width} bytes", {"form": Form(packed=True)}),
        "state": ("with all four hands for a critic", {"with_state": True}),
        "forced": ("forced moves made in the engine, decisions counted", {"play_forced": True}),
    }
    contenders = [Local(name, batched_step(BATCH, **options)) for name, (_, options) in forms.items()]
    rates, _ = measure_in_turns(contenders, effort)
    outcome = Outcome()
    for name, (label, _) in forms.items():
        outcome.rates(f"observation.{name}", f"batch of {BATCH:,}: {label}", rates[name])
    return outcome


def batch(effort: Effort) -> Outcome:
    """The step of a batch by its size, one core."""
    sizes = QUICK_SIZES if effort.quick else SIZES
    rates, _ = measure_in_turns([Local(str(size), batched_step(size)) for size in sizes], effort)
    outcome = Outcome()
    for size in sizes:
        outcome.rates(f"batch.{size}", f"step, observation, mask: batch of {size:,}", rates[str(size)])
    best = max(sizes, key=lambda size: sorted(rates[str(size)])[len(rates[str(size)]) // 2])
    outcome.ratios(
        "batch.largest", f"{sizes[-1]:,} tables to the best, {best:,}", rates[str(sizes[-1])], rates[str(best)]
    )
    return outcome


def threads(effort: Effort) -> Outcome:
    """What a second core gains with as many tables for each: two threads, and two C++ processes."""
    size = 4 * BATCH
    contenders: list[Contender] = [
        Local("one", batched_step(size)),
        Local("two", batched_step(2 * size, threads=2), cores=2),
    ]
    outcome = Outcome()
    try:
        pair = [cpp("observe", size, seed, core=seed) for seed in range(2)]
        contenders += [cpp("observe", size, 2), Together("cpp_two", pair)]
    except Unavailable as reason:
        outcome.notes.append(str(reason))
    rates, missing = measure_in_turns(contenders, effort)
    outcome.notes += missing
    outcome.rates("threads.one", f"{size:,} tables, one thread", rates["one"])
    outcome.rates("threads.two", f"twice {size:,} tables, two threads on two cores", rates["two"])
    ours = outcome.ratios("threads.gain", "two threads to one", rates["two"], rates["one"])
    if "cpp_two" in rates:
        outcome.rates("threads.cpp_one", f"the plain C++ loop, {size:,} tables", rates["cpp_observe"])
        outcome.rates("threads.cpp_two", f"two C++ processes on two cores, {size:,} tables each", rates["cpp_two"])
        theirs = outcome.ratios(
            "threads.cpp_gain", "two C++ processes to one", rates["cpp_two"], rates["cpp_observe"]
        )
        outcome.ratios("threads.gain_to_cpp", "our gain to that of C++", ours, theirs)
    return outcome


def rulesets(effort: Effort) -> Outcome:
    """The step of a batch by ruleset, one core."""
    names = shipped_rulesets()[:2] if effort.quick else shipped_rulesets()
    rates, _ = measure_in_turns([Local(name, batched_step(BATCH, ruleset=name)) for name in names], effort)
    outcome = Outcome()
    for name in names:
        outcome.rates(f"rulesets.{name}", f"step, observation, mask: {name}", rates[name])
    return outcome
