"""Train one module for all four seats with RLlib, by self-play among snapshots on two workers; then measure it.

pip install "solo-whist[rllib]"; python examples/train_rllib.py --seconds 120
"""

from __future__ import annotations

import argparse
import time
from functools import partial
from pathlib import Path

import ray
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.default_model_config import DefaultModelConfig
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule

from solo_env.plugs.report import report
from solo_env.plugs.rllib import LEARNER, SelfPlay, SoloMultiAgentEnv


def main() -> None:
    """Train, save, measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--out", default="runs/rllib")
    given = parser.parse_args()

    ray.init(num_cpus=3, include_dashboard=False, log_to_driver=False)
    config = (
        PPOConfig()
        .environment(SoloMultiAgentEnv, env_config={"seed": 1})
        .env_runners(num_env_runners=2, num_envs_per_env_runner=1, rollout_fragment_length="auto")
        .training(
            train_batch_size_per_learner=4000, minibatch_size=1000, num_epochs=4, lr=5e-4, gamma=1.0, lambda_=0.95,
            entropy_coeff=0.01, grad_clip=0.5, vf_clip_param=1000.0,
        )
        .multi_agent(
            policies={LEARNER}, policy_mapping_fn=lambda agent, episode, **_: LEARNER, policies_to_train=[LEARNER]
        )
        .rl_module(
            rl_module_spec=MultiRLModuleSpec(
                rl_module_specs={
                    LEARNER: RLModuleSpec(
                        module_class=ActionMaskingTorchRLModule,
                        model_config=DefaultModelConfig(fcnet_hiddens=[128, 128], fcnet_activation="relu"),
                    )
                }
            )
        )
        .callbacks(partial(SelfPlay, every=5, most=3))
        .debugging(seed=1)
    )  # fmt: skip
    algorithm = config.build_algo()
    decisions, started = 0, time.monotonic()
    while time.monotonic() - started < given.seconds:
        result = algorithm.train()
        decisions = result["env_runners"]["num_env_steps_sampled_lifetime"]
    seconds = time.monotonic() - started
    algorithm.save_to_path(str(Path(given.out).resolve()))
    ray.shutdown()
    report("ray", f"rllib:{given.out}", decisions / seconds)


if __name__ == "__main__":
    main()
