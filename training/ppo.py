"""The update of proximal policy optimisation.

What differs from the usual recipe, and why:

1. Auction and cards are told apart. Advantages of calls are several times larger than those of cards (a call
   decides the contract, a card one trick), so each kind is normalised by itself; and each has its own weight
   of entropy, as a share of the largest possible.
2. An anchor holds the auction: KL(actor || cloned actor) on calls and on the naming of trumps. A free auction
   answers the weak defence of the moment and ends in one contract for every hand, or in none.
3. The networks are apart, so their gradients are shortened apart: a large error of the critic must not
   shorten the actor's step.
4. The pass over the data ends early once the policy has moved further than ``target_kl``.

Forced moves never come here (see ``rollout``), and illegal actions have probability exactly 0 (``policy``).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from training.clone import mean_where, minibatches
from training.config import Ppo
from training.gae import seat_advantages
from training.policy import Actor, Critic, infer, masked_log_probabilities, normalised_entropy
from training.rollout import Rollout


@dataclass(frozen=True)
class Batch:
    """What the update reads of N decisions."""

    observation: Tensor  # int8 [N, F]
    mask: Tensor  # bool [N, A]
    action: Tensor  # int64 [N]
    log_probability: Tensor  # float32 [N], when the action was taken
    advantage: Tensor  # float32 [N], normalised
    target: Tensor  # float32 [N], what the critic should have said
    auction: Tensor  # bool [N], calls and naming of trumps
    anchor: Tensor  # float32 [N, A], log-probabilities of the cloned actor; zeros for cards

    def rows(self, index: Tensor) -> Batch:
        """The decisions ``index`` (int64 [M])."""
        return Batch(*(getattr(self, f.name)[index] for f in fields(self)))


def ppo_rate(config: Ppo, share: float) -> float:
    """Adam's step size when ``share`` (0 to 1) of the budget is used."""
    share = min(share, 1.0)
    if config.schedule == "constant":
        return config.lr
    left = (1 + math.cos(math.pi * share)) / 2 if config.schedule == "cosine" else 1 - share
    return config.lr_floor + (config.lr - config.lr_floor) * left


def prepare(rollout: Rollout, critic: Critic, cloned: Actor, config: Ppo) -> tuple[Batch, dict[str, float]]:
    """Advantages, the critic's targets and the anchor for a rollout; and metrics by name."""
    payoff = rollout.payoff.astype(np.float32) / np.float32(config.reward_scale)
    value = infer(critic, rollout.observation)
    advantage = seat_advantages(rollout.row, rollout.seat, value, payoff, config.gae_lambda)
    returns = payoff[rollout.row, rollout.seat]
    auction = rollout.auction
    anchor = np.zeros(rollout.mask.shape, np.float32)
    mask = torch.from_numpy(rollout.mask).bool()
    logits = torch.from_numpy(infer(cloned, rollout.observation[auction]))
    anchor[auction] = masked_log_probabilities(logits, mask[torch.from_numpy(auction)]).numpy()
    batch = Batch(
        observation=torch.from_numpy(rollout.observation),
        mask=mask,
        action=torch.from_numpy(rollout.action),
        log_probability=torch.from_numpy(rollout.log_probability),
        advantage=torch.from_numpy(normalise_apart(advantage, auction)),
        target=torch.from_numpy(advantage + value),
        auction=torch.from_numpy(auction),
        anchor=torch.from_numpy(anchor),
    )
    unexplained = float(np.var(returns - value)) / max(float(np.var(returns)), 1e-9)
    return batch, {"value/explained_variance": 1 - unexplained}


def normalise_apart(advantage: NDArray[np.float32], auction: NDArray[np.bool_]) -> NDArray[np.float32]:
    """Advantages float32 [N] brought to mean 0 and deviation 1, apart for calls (bool [N]) and cards."""
    out = np.zeros_like(advantage)
    for kind in (auction, ~auction):
        if kind.any():
            part = advantage[kind]
            out[kind] = (part - part.mean()) / (part.std() + np.float32(1e-6))
    return out


def ppo_loss(actor: Actor, critic: Critic, batch: Batch, config: Ppo) -> tuple[Tensor, dict[str, Tensor]]:
    """The loss of a minibatch, and what it is made of, by decision [M]."""
    log_probabilities = masked_log_probabilities(actor(batch.observation), batch.mask)
    log_ratio = log_probabilities.gather(1, batch.action[:, None])[:, 0] - batch.log_probability
    ratio = log_ratio.exp()
    clipped = ratio.clamp(1 - config.clip, 1 + config.clip)
    policy = -torch.minimum(ratio * batch.advantage, clipped * batch.advantage)
    entropy = normalised_entropy(log_probabilities, batch.mask)
    entropy_weight = torch.where(batch.auction, config.entropy_auction, config.entropy_cards)
    kept = batch.mask & batch.auction[:, None]
    distance = log_probabilities.exp() * (log_probabilities - batch.anchor)
    anchor = distance.masked_fill(~kept, 0).sum(1)  # KL, 0 for cards
    value = (critic(batch.observation) - batch.target) ** 2
    loss = (policy - entropy_weight * entropy + config.anchor * anchor + config.value_coef * value).mean()
    return loss, {
        "policy": policy.detach(),
        "entropy": entropy.detach(),
        "anchor": anchor.detach(),
        "value": value.detach(),
        "kl": (ratio - 1 - log_ratio).detach(),
        "clipped": ((ratio - 1).abs() > config.clip).float(),
    }


def ppo_update(
    actor: Actor,
    critic: Critic,
    optimiser: torch.optim.Optimizer,
    batch: Batch,
    config: Ppo,
    rng: np.random.Generator,
) -> dict[str, float]:
    """Improve both networks on the decisions of one iteration; returns metrics by name."""
    seen: list[dict[str, Tensor]] = []
    order = [rows for _ in range(config.epochs) for rows in minibatches(len(batch.action), config.minibatch, rng)]
    for rows in order:
        loss, parts = ppo_loss(actor, critic, batch.rows(rows), config)
        seen.append(parts | {"auction": batch.auction[rows]})
        if float(parts["kl"].mean()) > config.target_kl:
            break
        optimiser.zero_grad()
        loss.backward()
        for network in (actor, critic):
            nn.utils.clip_grad_norm_(network.parameters(), config.max_grad_norm)
        optimiser.step()
    return _metrics({name: torch.cat([parts[name] for parts in seen]) for name in seen[0]}, len(seen))


def _metrics(parts: dict[str, Tensor], n_minibatches: int) -> dict[str, float]:
    """Metrics by name from what the losses were made of, [M] over all minibatches."""
    auction = parts["auction"]
    return {
        "loss/policy": float(parts["policy"].mean()),
        "loss/value": float(parts["value"].mean()),
        "loss/anchor": mean_where(parts["anchor"], auction),
        "entropy/auction": mean_where(parts["entropy"], auction),
        "entropy/cards": mean_where(parts["entropy"], ~auction),
        "ppo/kl": float(parts["kl"].mean()),
        "ppo/clip_fraction": float(parts["clipped"].mean()),
        "ppo/minibatches": float(n_minibatches),
    }
