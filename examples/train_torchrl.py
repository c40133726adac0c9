"""Train one policy for all four seats with TorchRL, by PPO on returns that belong to their seats; then measure it.

pip install "solo-whist[torchrl]"; python examples/train_torchrl.py --seconds 120
"""

from __future__ import annotations

import argparse
import time

import torch
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.modules import MaskedCategorical, ProbabilisticActor

from solo_env.actions import N_ACTIONS
from solo_env.layout import N_FEATURES
from solo_env.plugs.report import report
from solo_env.plugs.torchrl import SoloEnv, save_policy, seat_advantages

TABLES, STEPS, PASSES, MINIBATCH, CLIP = 128, 64, 3, 2048, 0.2


def main() -> None:
    """Train, save, measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--out", default="runs/torchrl.pt2")
    given = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(1)

    env = SoloEnv(TABLES, seed=1)
    network = nn.Sequential(
        nn.Linear(N_FEATURES, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU(), nn.Linear(128, N_ACTIONS)
    )
    critic = nn.Sequential(nn.Linear(N_FEATURES, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU(), nn.Linear(128, 1))
    actor = ProbabilisticActor(
        TensorDictModule(network, in_keys=["observation"], out_keys=["logits"]),
        in_keys={"logits": "logits", "mask": "action_mask"},
        distribution_class=MaskedCategorical,
        return_log_prob=True,
    )
    optimiser = torch.optim.Adam([*network.parameters(), *critic.parameters()], lr=5e-4, eps=1e-5)
    decisions, started, state = 0, time.monotonic(), env.reset()
    while time.monotonic() - started < given.seconds:
        with torch.no_grad():
            rollout = env.rollout(STEPS, actor, auto_reset=False, tensordict=state, break_when_any_done=False)
            value = critic(rollout["observation"])[..., 0]
        state = env.step_mdp(rollout[:, -1])
        advantage, target, known = seat_advantages(rollout, value)
        decisions += known.numel()
        # What became of the last decisions of a deal that goes on is not known yet: they are left out.
        rows, advantage, target = rollout[known], advantage[known], target[known]
        advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-6)
        before = rows["action_log_prob"]
        for _ in range(PASSES):
            for index in torch.randperm(len(before)).split(MINIBATCH):
                seen = rows["observation"][index]
                policy = MaskedCategorical(logits=network(seen), mask=rows["action_mask"][index])
                ratio = (policy.log_prob(rows["action"][index]) - before[index]).exp()
                gain = torch.min(ratio * advantage[index], ratio.clamp(1 - CLIP, 1 + CLIP) * advantage[index])
                error = (critic(seen)[:, 0] - target[index]) ** 2
                loss = -gain.mean() + 0.05 * error.mean() - 0.01 * policy.entropy().mean()
                optimiser.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_([*network.parameters(), *critic.parameters()], 0.5)
                optimiser.step()
    seconds = time.monotonic() - started
    save_policy(given.out, network)
    report("torchrl", f"torchrl:{given.out}", decisions / seconds)


if __name__ == "__main__":
    main()
