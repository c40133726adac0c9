"""Train a player in one seat with sb3-contrib's MaskablePPO, then measure it with the project's own matches.

pip install "solo-whist[sb3]"; python examples/train_sb3.py --seconds 120
"""

from __future__ import annotations

import argparse
import time

import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback

from solo_env.plugs.report import report
from solo_env.plugs.sb3 import PastSelves, ScaledFeatures, SoloVecEnv


class Until(BaseCallback):
    """Ends the training after some seconds."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self.end = time.monotonic() + seconds

    def _on_step(self) -> bool:
        return time.monotonic() < self.end


def main() -> None:
    """Train, save, measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--out", default="runs/sb3.zip")
    given = parser.parse_args()
    torch.set_num_threads(1)

    # 64 tables at once; the others are random and rule-based players, and earlier selves as they come.
    env = SoloVecEnv(64, opponents=("random", "novice"), seed=1)
    model = MaskablePPO(
        "MlpPolicy",
        env,
        n_steps=128,
        batch_size=1024,
        n_epochs=4,
        learning_rate=5e-4,
        gamma=1.0,  # what counts is what the deal pays in the end
        gae_lambda=0.95,
        ent_coef=0.01,
        policy_kwargs={"features_extractor_class": ScaledFeatures, "net_arch": [128, 128]},
        seed=1,
    )
    started = time.monotonic()
    model.learn(10**9, callback=[Until(given.seconds), PastSelves(every=10, keep=3)])
    seconds = time.monotonic() - started
    model.save(given.out)
    out = given.out if given.out.endswith(".zip") else f"{given.out}.zip"  # as it is saved
    report("sb3-contrib", f"sb3:{out}", model.num_timesteps / seconds)


if __name__ == "__main__":
    main()
