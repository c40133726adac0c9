"""Behaviour cloning: the start that self-play needs.

Self-play from random weights learns within minutes to pass on every hand: its card play is so bad that every
contract loses, nobody bids, and then nobody ever sees a card played. So the networks first learn what a fixed
player does in all four seats of whole deals, and what it is paid. Every iteration plays new deals and learns
from each decision once, so there is nothing to overfit and no data set to keep.
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from training.config import Clone
from training.policy import Actor, Critic, masked_log_probabilities
from training.rollout import Rollout


def clone_rate(config: Clone, share: float) -> float:
    """Adam's step size when ``share`` (0 to 1) of the budget is used: a straight line to a tenth."""
    return config.lr * (1 - 0.9 * min(share, 1.0))


def clone_update(
    actor: Actor,
    critic: Critic,
    optimiser: torch.optim.Optimizer,
    rollout: Rollout,
    reward_scale: float,
    config: Clone,
    rng: np.random.Generator,
) -> dict[str, float]:
    """One pass over the decisions of a rollout of the teacher; returns metrics by name.

    The actor's loss is cross-entropy with the teacher's action; the critic's is the squared distance to the
    payoff of the seat that decided, in units of ``reward_scale``.
    """
    observation = torch.from_numpy(rollout.observation)  # int8 [N, F]
    mask = torch.from_numpy(rollout.mask).bool()  # [N, A]
    action = torch.from_numpy(rollout.action)  # int64 [N]
    auction = torch.from_numpy(rollout.auction)  # bool [N]
    target = torch.from_numpy(rollout.returns.astype(np.float32)) / reward_scale  # [N]
    weight = torch.where(auction, config.auction_weight, 1.0)  # [N]
    loss = torch.zeros(len(action))
    agreed = torch.zeros(len(action), dtype=torch.bool)
    error = torch.zeros(len(action))
    for rows in minibatches(len(action), config.minibatch, rng):
        log_probabilities = masked_log_probabilities(actor(observation[rows]), mask[rows])
        cross_entropy = -log_probabilities.gather(1, action[rows, None])[:, 0]
        squares = (critic(observation[rows]) - target[rows]) ** 2
        optimiser.zero_grad()
        ((weight[rows] * cross_entropy).mean() + config.value_coef * squares.mean()).backward()
        optimiser.step()
        with torch.no_grad():
            loss[rows], error[rows] = cross_entropy, squares
            agreed[rows] = log_probabilities.argmax(1) == action[rows]
    return {
        "clone/loss_auction": mean_where(loss, auction),
        "clone/loss_cards": mean_where(loss, ~auction),
        "clone/agreement_auction": mean_where(agreed.float(), auction),
        "clone/agreement_cards": mean_where(agreed.float(), ~auction),
        "loss/value": float(error.mean()),
        "value/explained_variance": 1 - float(error.mean()) / max(float(target.var()), 1e-9),
    }


def minibatches(n: int, size: int, rng: np.random.Generator) -> list[Tensor]:
    """The rows 0 .. n-1 in random order, cut into parts of nearly equal length, none longer than ``size``."""
    order = rng.permutation(n)
    return [torch.from_numpy(part) for part in np.array_split(order, -(-n // size))]


def mean_where(value: Tensor, chosen: Tensor) -> float:
    """The mean of ``value`` [N] where ``chosen`` (bool [N]); 0 where nothing is."""
    return float(value[chosen].mean()) if bool(chosen.any()) else 0.0
