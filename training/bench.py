"""How fast the environment is on this machine: a short measurement for people who are choosing one."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from solo_env import solo_whist_v0
from solo_env.player import make_player
from solo_env.seat_env import SeatEnv
from solo_env.seat_vector import SeatVectorEnv
from solo_env.vector import SoloVectorEnv

SECONDS = 2.0  # measured for each row, after a warm-up
SEED = 0


def speed_report(tables: int) -> str:
    """A table of actions a second, at the calls of the player ``random``, deals included."""
    rows = [
        (f"batch of {tables}, step + observation + mask", _batched(tables)),
        ("one table, raw_env through agent_iter, last and step", _aec),
        (f"single seats, batch of {tables}, novices in the others", _seats(tables)),
        ("single seat, novices in the others", _seat),
    ]
    lines = [f"{'random play, one thread; of single seats their own':<58} {'actions/s':>12}"]
    lines += [f"{name:<58} {_rate(work):>12,.0f}" for name, work in rows]
    return "\n".join(lines)


def _rate(work: Callable[[], tuple[int, float]]) -> float:
    """Actions a second of ``work``, which returns the actions it took and the seconds they took."""
    work()
    done, spent = 0, 0.0
    while spent < SECONDS:
        actions, seconds = work()
        done, spent = done + actions, spent + seconds
    return done / spent


def _batched(tables: int) -> Callable[[], tuple[int, float]]:
    env = SoloVectorEnv(tables, seed=SEED)
    player = make_player("random")
    env.reset()
    chosen = np.zeros(tables, np.int64)
    keys = np.random.default_rng(SEED).integers(2**62, size=tables)

    def work() -> tuple[int, float]:
        player.act_batch(env.views(), keys, chosen)  # choosing the actions is not what is measured
        keys[:] = (keys * 6364136223846793005 + 1442695040888963407) & (2**62 - 1)
        start = time.perf_counter()
        env.step(chosen)
        return tables, time.perf_counter() - start

    return work


def _seats(tables: int) -> Callable[[], tuple[int, float]]:
    env = SeatVectorEnv(tables, opponents="novice", autoreset_mode="SameStep")
    player = make_player("random")
    env.reset(seed=SEED)
    rng, chosen = np.random.default_rng(SEED), np.zeros(tables, np.int64)

    def work() -> tuple[int, float]:
        player.act_batch(env.views(), rng.integers(2**62, size=tables), chosen)
        start = time.perf_counter()
        env.step(chosen)
        return tables, time.perf_counter() - start

    return work


def _seat() -> tuple[int, float]:
    env = SeatEnv(opponents="novice")
    player, rng = make_player("random"), np.random.default_rng(SEED)
    actions, spent = 0, 0.0
    for _ in range(50):
        env.reset(seed=SEED if actions == 0 else None)
        over = False
        while not over:
            action = player.act(env.view(), int(rng.integers(2**62)))
            start = time.perf_counter()
            over = env.step(action)[2]
            spent += time.perf_counter() - start
            actions += 1
    return actions, spent


def _aec() -> tuple[int, float]:
    env = solo_whist_v0.raw_env()
    player = make_player("random")
    rng = np.random.default_rng(SEED)
    turns, start = 0, time.perf_counter()
    spent_choosing = 0.0
    env.reset(seed=SEED)
    for agent in env.agent_iter():
        _, _, termination, truncation, _ = env.last()
        choosing = time.perf_counter()
        action = None if termination or truncation else player.act(env.view(agent), int(rng.integers(2**62)))
        spent_choosing += time.perf_counter() - choosing
        env.step(action)
        turns += 1
    return turns, time.perf_counter() - start - spent_choosing
