"""sb3-contrib's MaskablePPO as a worker: ``python -m benchmarks.peers.sb3 whole``."""

from __future__ import annotations

import sys
from typing import Any

from benchmarks.measure import Work, serve, timed

WIDTHS = [256, 256, 256]  # of both networks, as ours
TABLES = 16  # in a DummyVecEnv
MINIBATCH, MINIBATCHES = 4096, 2  # as ours; of an update
QUICK_MINIBATCH = 64
NOVICE = "baselines.novice:NovicePlayer"  # by its class: no player is registered where the peers are


def learning(minibatch: int) -> Work:
    """Rollouts on ``SeatEnv`` against three of ``novice`` and updates, each decision learnt from once, as by us."""
    import torch
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.vec_env import DummyVecEnv

    from solo_env.seat_env import SeatEnv

    torch.set_num_threads(1)
    decisions = minibatch * MINIBATCHES
    env: Any = DummyVecEnv([lambda at=index: SeatEnv(opponents=NOVICE, index=at) for index in range(TABLES)])
    policy = {"net_arch": {"pi": WIDTHS, "vf": WIDTHS}, "activation_fn": torch.nn.ReLU}
    model = MaskablePPO(
        "MlpPolicy", env, n_steps=decisions // TABLES, batch_size=minibatch, n_epochs=1, policy_kwargs=policy,
        seed=0, device="cpu",
    )  # fmt: skip

    def learn() -> int:
        model.learn(decisions, reset_num_timesteps=False)
        return decisions

    return timed(learn)


if __name__ == "__main__":
    serve(lambda: learning(QUICK_MINIBATCH if sys.argv[1] == "quick" else MINIBATCH))
