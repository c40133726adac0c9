"""RLCard's games as a worker: ``python -m benchmarks.peers.rlcard_games rlcard bridge``."""

from __future__ import annotations

import random
import sys

from benchmarks.measure import Work, serve, timed


def steps(name: str) -> Work:
    """Whole games through reset and step, which give observation and legal actions."""
    import rlcard

    env, chance = rlcard.make(name, config={"seed": 0}), random.Random(0).random

    def play() -> int:
        state, _ = env.reset()
        done = 0
        while not env.is_over():
            legal = list(state["legal_actions"])
            state, _ = env.step(legal[int(chance() * len(legal))])
            done += 1
        return done

    return timed(play)


if __name__ == "__main__":
    serve(lambda: steps(sys.argv[2]))
