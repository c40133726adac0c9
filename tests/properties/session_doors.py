"""What a seat gets of a deal in the middle of a session, told as ``doors`` tells of games.

No public door leads into the middle of a session, so the doors here put a table into the environment. What comes
of it they take from the public ways only. After the last action of a deal they look at the start of the next: at
all of it where it must be the same in both, else at what is public of it.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from solo_env.aec import AGENTS, raw_env
from solo_env.cards import N_SEATS
from solo_env.observation import named_view
from solo_env.solo_whist_v0 import env as wrapped_env
from solo_env.table import Table
from solo_env.vector import SoloVectorEnv
from tests.properties.doors import Story, agent_gets, differences, frozen, refusal, row_gets
from tests.sessions import DEALS, Fork

Door = Callable[[Sequence[Fork], Sequence[Table]], list[Story]]  # forks, the table of each to start from

DEALT_ANEW = ("hand", "turned", "suit")  # what a start tells of its cards


def noticed(forks: Sequence[Fork], door: Door) -> list[str]:
    """Every difference that a seat could see between a game and its twin, in words."""
    games = door(forks, [fork.game for fork in forks])
    twins = door(forks, [fork.twin for fork in forks])
    return differences(games, twins, [fork.seat for fork in forks])


def public_start(observation: NDArray[np.int8]) -> object:
    """What anybody may know of a deal that has just been dealt, whatever its cards are."""
    return frozen({name: cells for name, cells in named_view(observation).items() if name not in DEALT_ANEW})


# --- the AEC environment


def aec(forks: Sequence[Fork], tables: Sequence[Table]) -> list[Story]:
    """``raw_env``: after every action all that the agent can ask for, on its turn or not."""
    env = raw_env(tables[0].ruleset, render_mode="ansi", deals=DEALS)
    return [list(_aec_story(env, fork, table)) for fork, table in zip(forks, tables, strict=True)]


def put(env: raw_env, table: Table) -> None:
    """Have the environment go on from a table in the middle of a session."""
    env.table.data = table.data
    env.agent_selection = AGENTS[table.turn]


def _aec_story(env: raw_env, fork: Fork, table: Table) -> Iterator[tuple[str, object]]:
    agent = env.render_seat = AGENTS[fork.seat]
    env.reset(seed=1)
    put(env, table)
    for number, action in enumerate(fork.line):
        yield from agent_gets(env, agent, f"action {number}")
        env.step(action)
    if fork.ends and not env.terminations[agent] and not fork.next_is_known:
        told = [env.rewards, env._cumulative_rewards, env.terminations, env.truncations, env.infos[agent]]
        yield "next: told", frozen([told, env.agents, env.agent_selection])
        yield "next: observation", public_start(env.observe(agent)["observation"])
        return
    yield from agent_gets(env, agent, "end", read=True)
    while env.terminations.get(agent):
        env.step(None)
        yield from agent_gets(env, agent, "end")


def pictures(forks: Sequence[Fork], tables: Sequence[Table]) -> list[Story]:
    """``raw_env``: the picture of the last position before the end."""
    env = raw_env(tables[0].ruleset, render_mode="rgb_array", deals=DEALS)
    stories: list[Story] = []
    for fork, table in zip(forks, tables, strict=True):
        env.render_seat = AGENTS[fork.seat]
        env.reset(seed=1)
        put(env, table)
        for action in fork.line[:-1]:
            env.step(action)
        stories.append([("end: picture", frozen(env.render()))])
    return stories


def wrapped(forks: Sequence[Fork], tables: Sequence[Table]) -> list[Story]:
    """``env()``: what ``last`` gives the agent, and what an illegal action at the end brings it."""
    env = wrapped_env(tables[0].ruleset, deals=DEALS)
    return [list(_wrapped_story(env, *one)) for one in zip(forks, tables, strict=True)]


def _wrapped_story(env: raw_env, fork: Fork, table: Table) -> Iterator[tuple[str, object]]:
    env.reset(seed=1)
    put(env.unwrapped, table)
    agent = AGENTS[fork.seat]
    for number, action in enumerate(fork.line):
        if env.agent_selection == agent:
            yield f"action {number}: last", frozen(env.last())
        env.step(action)
    if env.agent_selection != agent:
        return
    seen, *told = env.last()
    if fork.ends and not env.terminations[agent] and not fork.next_is_known:
        yield "end: last", frozen([public_start(seen["observation"]), told])
        return
    yield "end: last", frozen([seen, told])
    if not env.terminations[agent]:
        with warnings.catch_warnings():  # PettingZoo's warning of the illegal action
            warnings.simplefilter("ignore")
            env.step(int(np.argmin(seen["action_mask"])))
        told = [env.rewards, env.terminations, env.truncations, env.infos[agent], env.observe(agent)]
        yield "end: broken off", frozen(told)


# --- the batch


def batched(forks: Sequence[Fork], tables: Sequence[Table]) -> list[Story]:
    """``SoloVectorEnv``: the rows of each step that are the seat's, payoffs and ends always."""
    env = SoloVectorEnv(len(forks), tables[0].ruleset, seed=1, deals=DEALS)
    told = env.reset()
    for b, table in enumerate(tables):
        env._tables[b] = table.data
    env._observe_all(env._observe)
    stories: list[Story] = [[] for _ in forks]
    actor = told.seat.copy()
    for number in range(max(len(fork.line) for fork in forks) + 1):
        for b, fork in enumerate(forks):
            if number <= len(fork.line):
                over = fork.ends and number == len(fork.line)
                stories[b] += _row_gets(env, b, fork, over, f"action {number}")
                if over and actor[b] == fork.seat:
                    stories[b].append(("end: final_observation", frozen(env.buffers.final_observation[b])))
        actor = told.seat.copy()
        chosen = [
            fork.line[number] if number < len(fork.line) else int(np.argmax(mask))
            for fork, mask in zip(forks, told.action_mask, strict=True)
        ]
        on_turn = [b for b, fork in enumerate(forks) if number < len(fork.line) and actor[b] == fork.seat]
        if on_turn:
            b = on_turn[number % len(on_turn)]
            stories[b].append((f"action {number}: refusals", refusal(env, b, chosen, number)))
        told = env.step(chosen)
    return stories


def _row_gets(env: SoloVectorEnv, b: int, fork: Fork, over: bool, when: str) -> Iterator[tuple[str, object]]:
    """What row ``b`` tells the seat; of the deal that follows all that is known to be the same."""
    if not over:
        yield from row_gets(env, b, [fork.seat], when)
    elif fork.next_is_known:
        yield from row_gets(env, b, range(N_SEATS), when)
    else:
        yield from row_gets(env, b, [], when)
        if not env.batch.done[b]:
            yield f"{when}: seat", int(env.batch.seat[b])
            yield f"{when}: observation", public_start(env.batch.observation[b])


FACES: dict[str, Door] = {"aec": aec, "wrapped": wrapped, "batch": batched}
