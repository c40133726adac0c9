"""PettingZoo's games as a worker: ``python -m benchmarks.peers.pettingzoo_games classic connect_four_v3``."""

from __future__ import annotations

import importlib
import random
import sys
from typing import Any

from benchmarks.measure import Work, serve, timed

SHIMMY: dict[str, tuple[str, dict[str, Any]]] = {"shimmy_bridge": ("bridge", {"use_double_dummy_result": False})}


def made(name: str) -> Any:
    """The environment: a classic one unwrapped, or a game of OpenSpiel through Shimmy."""
    if name not in SHIMMY:
        return importlib.import_module(f"pettingzoo.classic.{name}").raw_env()
    from shimmy.openspiel_compatibility import OpenSpielCompatibilityV0

    game, config = SHIMMY[name]  # reset loads the game anew from these
    return OpenSpielCompatibilityV0(game_name=game, config=config)


def turns(name: str) -> Work:
    """Whole games through agent_iter, last and step; turns are counted as ours are."""
    import numpy as np

    env, chance = made(name), random.Random(0).random
    env.reset(seed=0)

    def play() -> int:
        done = 0
        env.reset()
        for _ in env.agent_iter():
            observation, _, termination, truncation, info = env.last()
            if termination or truncation:
                action = None
            else:
                mask = observation["action_mask"] if isinstance(observation, dict) else info["action_mask"]
                legal = np.flatnonzero(mask)
                action = int(legal[int(chance() * len(legal))])
            env.step(action)
            done += 1
        return done

    return timed(play)


if __name__ == "__main__":
    serve(lambda: turns(sys.argv[2]))
