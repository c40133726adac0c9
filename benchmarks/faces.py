"""The faces: raw_env and env() turn by turn, the single-seat faces, records."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from baselines.random_player import WEIGHTS
from benchmarks.engine import BATCH, batched_step, without_observation
from benchmarks.measure import Contender, Effort, Local, Work, measure_in_turns, timed
from benchmarks.play import ACTION_WEIGHTS, Deals, draw_rows, new_rng
from benchmarks.results import Outcome
from solo_env import record, solo_whist_v0
from solo_env.actions import FIRST_CALL, N_ACTIONS
from solo_env.aec import AGENTS
from solo_env.layout import N_FEATURES
from solo_env.observation import observation_space
from solo_env.seat_env import SeatEnv
from solo_env.seat_vector import SeatVectorEnv
from solo_env.table import Table

TURNS_OF_A_DEAL = 52
RECORDS = 200
SEAT_TABLES = 4096  # of SeatVectorEnv: of the powers of two the fastest, by 4 % over 2,048 and 12 % over 1,024


def drawn(mask: NDArray[np.int8], chance: random.Random) -> int:
    """One of the actions that a mask allows: a call as the player ``random`` makes it, else all alike."""
    legal = np.flatnonzero(mask)
    if legal[0] < FIRST_CALL or legal[0] not in WEIGHTS:
        return int(legal[int(chance.random() * len(legal))])
    calls = legal.tolist()
    sums = list(accumulate(WEIGHTS[call] for call in calls))
    left = chance.random() * sums[-1]
    return next(call for call, upto in zip(calls, sums, strict=True) if left < upto)


def turn_by_turn(env: AECEnv) -> Work:
    """Whole episodes through agent_iter, last and step; turns that tell an agent of the end count too."""
    chance = random.Random(0)
    env.reset(seed=0)

    def play() -> int:
        turns = 0
        env.reset()
        for _ in env.agent_iter():
            observation, _, termination, truncation, _ = env.last()
            env.step(None if termination or truncation else drawn(observation["action_mask"], chance))
            turns += 1
        return turns

    return timed(play)


class Bookkeeping(AECEnv):
    """An environment that does what PettingZoo asks of one and nothing else: turns go round, then all is over."""

    metadata: dict[str, Any] = {"name": "bookkeeping", "render_modes": []}  # noqa: RUF012 - PettingZoo's own form

    def __init__(self) -> None:
        super().__init__()
        self.render_mode = None
        self.possible_agents = list(AGENTS)
        self.observation_spaces = {agent: observation_space() for agent in AGENTS}
        self.action_spaces = {agent: solo_whist_v0.raw_env().action_space(agent) for agent in AGENTS}
        mask = np.zeros(N_ACTIONS, np.int8)
        mask[::9] = 1  # eight actions, the first a card
        self._seen = {"observation": np.zeros(N_FEATURES, np.int8), "action_mask": mask}

    def observation_space(self, agent: str) -> Any:
        """The space of what an agent sees."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The space of actions."""
        return self.action_spaces[agent]

    def observe(self, agent: str) -> dict[str, NDArray[np.int8]]:
        """The same for all."""
        return self._seen

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start anew."""
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self.agent_selection = AGENTS[0]
        self._turns = 0

    def step(self, action: int | None) -> None:
        """Go on to the next agent."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._turns += 1
        if self._turns == TURNS_OF_A_DEAL:
            self.terminations = dict.fromkeys(AGENTS, True)
        self.agent_selection = AGENTS[self._turns % len(AGENTS)]
        self._accumulate_rewards()
        self._deads_step_first()


def empty_env() -> AECEnv:
    """:class:`Bookkeeping` in the wrappers of ``env()``."""
    wrapped = wrappers.TerminateIllegalWrapper(Bookkeeping(), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))


def aec(effort: Effort) -> Outcome:
    """The AEC environment, and its wrappers round an empty one."""
    rates, _ = measure_in_turns(
        [
            Local("raw", lambda: turn_by_turn(solo_whist_v0.raw_env())),
            Local("env", lambda: turn_by_turn(solo_whist_v0.env())),
            Local("empty", lambda: turn_by_turn(empty_env())),
            Local("empty_raw", lambda: turn_by_turn(Bookkeeping())),
        ],
        effort,
    )
    outcome = Outcome()
    outcome.rates("aec.raw", "raw_env: agent_iter, last, step", rates["raw"], "turns/s")
    outcome.rates("aec.env", "env(), in PettingZoo's wrappers", rates["env"], "turns/s")
    outcome.rates("aec.empty_raw", "an environment without a game", rates["empty_raw"], "turns/s")
    outcome.rates("aec.empty", "the same wrappers round that", rates["empty"], "turns/s")
    outcome.ratios("aec.env_time", "time of env() to that of the empty one", rates["empty"], rates["env"])
    return outcome


# --- one seat


def seat_env() -> Work:
    """``SeatEnv`` against three of ``novice``; drawing the actions is not timed."""
    env = SeatEnv(opponents="novice")
    chance = random.Random(0)
    env.reset(seed=0)

    def work() -> tuple[int, float]:
        start = time.perf_counter()
        _, info = env.reset()
        decisions, over, spent = 0, False, time.perf_counter() - start
        while not over:
            action = drawn(info["action_mask"], chance)
            start = time.perf_counter()
            _, _, over, _, info = env.step(action)
            spent += time.perf_counter() - start
            decisions += 1
        return decisions, spent

    return work


def seat_vector() -> Work:
    """``SeatVectorEnv`` against three of ``novice``; drawing the actions is not timed."""
    env = SeatVectorEnv(SEAT_TABLES, opponents="novice", autoreset_mode="SameStep")
    rng, chosen = new_rng(1), np.zeros(SEAT_TABLES, np.int64)
    _, info = env.reset(seed=0)
    masks = [info["action_mask"]]

    def work() -> tuple[int, float]:
        draw_rows(masks[0], ACTION_WEIGHTS, rng, chosen)
        start = time.perf_counter()
        *_, info = env.step(chosen)
        spent = time.perf_counter() - start
        masks[0] = info["action_mask"]
        return SEAT_TABLES, spent

    for _ in range(30):
        work()
    return work


def seat(effort: Effort) -> Outcome:
    """The single-seat faces."""
    rates, _ = measure_in_turns([Local("env", seat_env), Local("vector", seat_vector)], effort)
    outcome = Outcome()
    outcome.rates("seat.env", "SeatEnv, novice in the other seats", rates["env"], "decisions/s")
    outcome.rates(
        "seat.vector", f"SeatVectorEnv({SEAT_TABLES:,}), novice in the other seats", rates["vector"], "decisions/s"
    )
    return outcome


# --- records


def records(effort: Effort) -> Outcome:
    """Records printed, parsed and replayed."""
    deals = Deals()
    tables = [played_table(deals) for _ in range(RECORDS)]
    lines = [table.record() for table in tables]

    def over_all(do: Callable[[Any], object], things: list[Any]) -> Callable[[], Work]:
        def all_once() -> int:
            for thing in things:
                do(thing)
            return len(things)

        return lambda: timed(all_once)

    contenders: list[Contender] = [
        Local("print", over_all(Table.record, tables)),
        Local("parse", over_all(record.parse, lines)),
        Local("replay", over_all(Table.from_record, lines)),
    ]
    rates, _ = measure_in_turns(contenders, effort)
    outcome = Outcome()
    outcome.rates("records.print", "records printed", rates["print"], "deals/s")
    outcome.rates("records.parse", "records parsed", rates["parse"], "deals/s")
    outcome.rates("records.replay", "records parsed and replayed", rates["replay"], "deals/s")
    return outcome


def played_table(deals: Deals) -> Table:
    """A table at the end of the next deal."""
    deals.play(1)
    table = Table()
    table.data = deals.tables[0]
    return table


def for_peers() -> dict[str, Callable[[], Work]]:
    """Our side of the comparisons with peers."""
    return {
        "play": without_observation,
        "step": batched_step(BATCH),
        "aec": lambda: turn_by_turn(solo_whist_v0.raw_env()),
    }
