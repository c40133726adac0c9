"""OpenSpiel's trick-taking games as a worker: ``python -m benchmarks.peers.openspiel loop bridge``.

Steps are decisions; the cards are dealt uniformly, from ``legal_actions``, which is the fastest way in Python.
"""

from __future__ import annotations

import random
import sys
import time
from typing import Any

from benchmarks.measure import Work, serve, timed

SPECS = {"bridge": "bridge(use_double_dummy_result=false)"}
ENVIRONMENTS = 16


def loop(name: str) -> Work:
    """Python's own loop, nothing observed."""
    import pyspiel

    game, chance = pyspiel.load_game(SPECS.get(name, name)), random.Random(0).random

    def play() -> int:
        steps, state = 0, dealt(game, chance)
        while not state.is_terminal():
            legal = state.legal_actions()
            state.apply_action(legal[int(chance() * len(legal))])
            steps += 1
        return steps

    return timed(play)


def observe(name: str) -> Work:
    """The same, with observation and mask written into NumPy arrays before every decision."""
    import numpy as np
    import pyspiel
    from open_spiel.python.observation import make_observation

    game, chance = pyspiel.load_game(SPECS.get(name, name)), random.Random(0).random
    seen = make_observation(game)
    if seen is None or seen.tensor is None:  # some games only tell all that a player has seen
        everything = pyspiel.IIGObservationType(
            perfect_recall=True, public_info=True, private_info=pyspiel.PrivateInfoType.SINGLE_PLAYER
        )
        seen = make_observation(game, everything)
    if seen is None or seen.tensor is None:
        raise ImportError(f"{name} has no observation of one seat as a tensor")
    blank, written = bytes(game.num_distinct_actions()), bytearray(game.num_distinct_actions())
    mask = np.frombuffer(written, np.int8)  # filled through its bytes, which is the quickest way in Python
    assert not mask.any()

    def play() -> int:
        steps, state = 0, dealt(game, chance)
        while not state.is_terminal():
            seen.set_from(state, state.current_player())
            legal = state.legal_actions()
            written[:] = blank
            for action in legal:
                written[action] = 1
            state.apply_action(legal[int(chance() * len(legal))])
            steps += 1
        return steps

    return timed(play)


def bots(name: str) -> Work:
    """Their loop in C++ with their random bots."""
    import pyspiel

    game = pyspiel.load_game(SPECS.get(name, name))
    players = [pyspiel.make_uniform_random_bot(seat, seat) for seat in range(game.num_players())]
    seeds = random.Random(0)

    def play() -> tuple[int, float]:
        state, seed = game.new_initial_state(), seeds.randrange(2**31)
        start = time.perf_counter()
        pyspiel.evaluate_bots(state, players, seed)
        spent = time.perf_counter() - start
        return sum(row.player >= 0 for row in state.full_history()), spent

    return play


def sync(name: str) -> Work:
    """Sixteen of their environments in their vector."""
    import pyspiel
    from open_spiel.python import rl_environment
    from open_spiel.python.rl_agent import StepOutput
    from open_spiel.python.vector_env import SyncVectorEnv

    spec = SPECS.get(name, name)
    environments = SyncVectorEnv([rl_environment.Environment(pyspiel.load_game(spec)) for _ in range(ENVIRONMENTS)])
    chance = random.Random(0).random
    now: list[Any] = environments.reset()

    def step() -> int:
        outputs = []
        for told in now:
            legal = told.observations["legal_actions"][told.observations["current_player"]]
            outputs.append(StepOutput(action=legal[int(chance() * len(legal))], probs=None))
        now[:] = environments.step(outputs, reset_if_done=True)[0]
        return ENVIRONMENTS

    return timed(step)


def dealt(game: Any, chance: Any) -> Any:
    """A new state with its cards dealt."""
    state = game.new_initial_state()
    while state.is_chance_node():
        legal = state.legal_actions()
        state.apply_action(legal[int(chance() * len(legal))])
    return state


if __name__ == "__main__":
    kind = {"loop": loop, "observe": observe, "bots": bots, "sync": sync}[sys.argv[1]]
    serve(lambda: kind(sys.argv[2]))
