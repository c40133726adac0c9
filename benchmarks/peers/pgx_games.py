"""A game of pgx as a worker: ``python -m benchmarks.peers.pgx_games pgx bridge_bidding``."""

from __future__ import annotations

import sys
import tempfile
from contextlib import redirect_stderr
from io import StringIO
from pathlib import Path
from typing import Any

from benchmarks.measure import Work, serve, timed

BATCH, STEPS = 4096, 16
DEALS = 1000


def scan(name: str) -> Work:
    """A jitted scan over steps of a batch: random legal actions, observation, mask, new games where one ends."""
    import jax
    import jax.numpy as jnp
    from pgx.experimental import auto_reset

    env = made(name)
    step = jax.vmap(auto_reset(env.step, env.init))

    def one(carry: tuple[Any, Any], _: None) -> tuple[tuple[Any, Any], None]:
        state, key = carry
        key, draw, deal = jax.random.split(key, 3)
        legal = jnp.where(state.legal_action_mask, 0.0, -jnp.inf)
        action = jax.random.categorical(draw, legal, axis=-1)
        return (step(state, action, jax.random.split(deal, BATCH)), key), None

    run = jax.jit(lambda state, key: jax.lax.scan(one, (state, key), None, length=STEPS)[0])
    first, key = jax.random.split(jax.random.PRNGKey(0))
    now = [jax.jit(jax.vmap(env.init))(jax.random.split(first, BATCH)), key]

    def go_on() -> int:
        now[:] = jax.block_until_ready(run(*now))
        return BATCH * STEPS

    return timed(go_on)


def made(name: str) -> Any:
    """The game.

    Bridge bidding reads deals with their double-dummy results from a file that is fetched over the net. Here it
    gets random deals and results of zero tricks: the same work, and nobody looks at the scores.
    """
    import numpy as np
    import pgx

    if name != "bridge_bidding":
        return pgx.make(name)
    from pgx.bridge_bidding import BridgeBidding

    rng = np.random.default_rng(0)
    holders = np.array([rng.permutation(np.repeat(np.arange(4), 13)) for _ in range(DEALS)])
    keys = (holders.reshape(DEALS, 4, 13) * 4 ** np.arange(12, -1, -1)).sum(axis=2)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "deals.npy"
        np.save(path, np.stack([keys, np.zeros_like(keys)]).astype(np.int32))
        with redirect_stderr(StringIO()):  # it says what it loads
            return BridgeBidding(str(path))


if __name__ == "__main__":
    serve(lambda: scan(sys.argv[2]))
