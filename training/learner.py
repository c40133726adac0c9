"""What is learnt from the decisions of an iteration: cloning, and proximal policy optimisation.

One loss serves all stages. A decision of the learner's own is improved by PPO, one of a teacher is imitated, and
from both the critic learns. What differs from the usual recipe, and why:

1. Auction and cards are told apart. Advantages of calls are several times larger than those of cards (a call
   decides the contract, a card one trick), so each kind is normalised by itself; and each has its own weight
   of entropy, as a share of the largest possible.
2. Anchors hold the auction. A free auction answers the weak defence of the moment and ends in one contract for
   every hand, or in none. Calls are drawn to the average of the actor's own weights (the magnet) and, at first, to
   what a fixed player expects of each call (the advice), both by KL(actor || anchor).
3. The networks are apart, so their gradients are shortened apart: a large error of the critic must not
   shorten the actor's step.
4. The passes over the data end early once the policy has moved further than ``target_kl``.
5. Where all actions of a decision were played out (``playouts``), the mean worth of what the policy would do is
   climbed, with no ratio, no critic and no normalising: the luck of the deal has cancelled already. Such decisions
   say the same however far the policy has moved, so a stage that has no others heeds no ``target_kl``.

Forced moves never come here (``rollout``), and illegal actions have probability exactly 0 (``networks``).

The decisions come in shards (``processes``). All that joins them, sums of gradients and of statistics, is summed in
the order of the shards, so nothing depends on how many processes share them.

Axes: N decisions of a shard, M of a minibatch of a shard, A actions, C calls.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from solo_env.actions import FIRST_CALL, N_CALLS
from solo_env.rules.model import CONTRACT_NAMES
from training.advantages import seat_advantages, vrpo_advantages
from training.config import Ppo, SelfPlay
from training.networks import Actor, Critic, infer, masked_policy, normalised_entropy
from training.processes import Processes, Tally
from training.rollout import OWN, Rollout
from training.values import chance_above_zero, mean_payoff, value_loss

NOT_ADVISED = -10.0  # log-chance of a legal call that the bidder does not weigh
CALLS = slice(FIRST_CALL, FIRST_CALL + N_CALLS)


@dataclass(frozen=True)
class Pull:
    """What pulls on the networks in one iteration: the step size and the weights of the parts of the loss."""

    lr: float
    epochs: int = 1
    clone: float = 0.0  # of imitating a teacher's card
    clone_auction: float = 0.0  # of imitating a teacher's call
    entropy_auction: float = 0.0
    entropy_cards: float = 0.0
    magnet: float = 0.0
    magnet_cards: float = 0.0
    advice: float = 0.0
    critic: bool = True  # whether the critic learns, and says what actions are worth


def pull_at(stage: SelfPlay, share: float, factor: float, clone_auction: float) -> Pull:
    """What pulls when ``share`` (0 to 1) of a stage is done; ``factor`` is the watchdog's, on the anchors."""
    share = min(share, 1.0)

    def between(start: float, end: float) -> float:
        return start + (end - start) * share

    return Pull(
        lr=stage.lr_end + (stage.lr - stage.lr_end) * (1 + math.cos(math.pi * share)) / 2,
        epochs=stage.epochs,
        clone_auction=clone_auction,
        entropy_auction=between(stage.entropy_auction, stage.entropy_auction_end),
        entropy_cards=between(stage.entropy_cards, stage.entropy_cards_end),
        magnet=factor * between(stage.magnet, stage.magnet_end),
        magnet_cards=stage.magnet_cards,
        advice=factor * between(stage.advice, stage.advice_end),
        critic=stage.playouts < 1,
    )


@dataclass(frozen=True)
class Batch:
    """What the update reads of the N decisions of a shard."""

    ids: Tensor  # int16 [N, K], lists of active features
    mask: Tensor  # bool [N, A]
    action: Tensor  # int64 [N]
    log_probability: Tensor  # float32 [N], when the action was taken
    advantage: Tensor  # float32 [N], normalised; 0 for a teacher's
    target: Tensor  # float32 [N], what the critic should have said
    auction: Tensor  # bool [N], calls and naming of trumps
    own: Tensor  # bool [N], decided by the learner
    magnet: Tensor  # float32 [N, A], log-probabilities of the averaged actor where it pulls
    advice: Tensor  # float32 [N, C], the bidder's log-chances of calls
    advised: Tensor  # bool [N], where there is advice
    worth: Tensor  # float32 [N, A], of each action, played out, above their mean; [N, 0] if that is never done
    weighed: Tensor  # bool [N], where it was done

    def rows(self, index: Tensor) -> Batch:
        """The decisions ``index`` (int64 [M])."""
        return Batch(*(getattr(self, f.name)[index] for f in fields(self)))


class Learner:
    """Two networks and how they are improved; the gradients of both lie in one vector.

    Args:
        actor, critic: the networks.
        average: the average of the actor's weights.
        optimiser: Adam over both networks.
        config: the options of PPO, ``reward_scale`` in units.
        payoffs: float32 [bins], what the critic's bins stand for, in reward scales.
        processes: who else works on the same networks.
    """

    def __init__(
        self, actor: Actor, critic: Critic, average: Actor, optimiser: torch.optim.Optimizer, config: Ppo,
        payoffs: Tensor, processes: Processes,
    ) -> None:  # fmt: skip
        self.actor, self.critic, self.average = actor, critic, average
        self.optimiser, self.config, self.processes = optimiser, config, processes
        self.device = actor.weight.device
        self.payoffs = payoffs.to(self.device)
        weights = [*actor.parameters(), *critic.parameters()]
        self.gradient = torch.zeros(sum(w.numel() for w in weights), device=self.device)
        at = 0
        for weight in weights:
            weight.grad = self.gradient[at : at + weight.numel()].view_as(weight)
            at += weight.numel()
        n_actor = sum(w.numel() for w in actor.parameters())
        self.parts = (self.gradient[:n_actor], self.gradient[n_actor:])

    # --- Before the update ---

    def prepare(self, rollouts: Sequence[Rollout], pull: Pull) -> tuple[list[Batch], dict[str, float]]:
        """Advantages, targets and anchors of this process's shards, and metrics over all shards."""
        batches, tallies = [], []
        for rollout in rollouts:
            batch, tally = self._prepare_shard(rollout, pull)
            batches.append(batch)
            tallies.append(tally)
        return self._normalise(batches), self.processes.means(tallies)

    def _prepare_shard(self, rollout: Rollout, pull: Pull) -> tuple[Batch, Tally]:
        config = self.config
        payoff = rollout.payoff.astype(np.float32) / np.float32(config.reward_scale)
        auction = rollout.auction
        lam = np.where(auction, config.lambda_auction, config.lambda_cards).astype(np.float32)
        mask = torch.from_numpy(rollout.mask).bool()
        told = torch.from_numpy(infer(self.critic, rollout.ids)) if pull.critic else torch.zeros(0)
        if not pull.critic:
            advantage = target = value = np.zeros(len(auction), np.float32)
        elif config.estimator == "vrpo":
            chances, _ = masked_policy(torch.from_numpy(infer(self.actor, rollout.ids)), mask)
            value = (chances * told).sum(1).numpy()
            taken = told.gather(1, torch.from_numpy(rollout.action)[:, None])[:, 0].numpy()
            advantage, target = vrpo_advantages(rollout.row, rollout.seat, taken, value, payoff, lam)
        else:
            value = mean_payoff(told, self.payoffs.cpu()).numpy()
            advantage = seat_advantages(rollout.row, rollout.seat, value, payoff, lam)
            target = advantage + value
        own = rollout.source == OWN
        batch = Batch(
            ids=torch.from_numpy(rollout.ids),
            mask=mask,
            action=torch.from_numpy(rollout.action),
            log_probability=torch.from_numpy(rollout.log_probability),
            advantage=torch.from_numpy(np.where(own, advantage, 0).astype(np.float32)),
            target=torch.from_numpy(target),
            auction=torch.from_numpy(auction),
            own=torch.from_numpy(own),
            magnet=self._magnet(rollout, mask, auction, pull),
            **self._advice(rollout, mask, own),
            **self._worth(rollout, mask),
        )
        if self.device.type != "cpu":
            batch = Batch(*(getattr(batch, f.name).to(self.device, non_blocking=True) for f in fields(batch)))
        tally: Tally = spread_tally(payoff[rollout.row, rollout.seat], value) if pull.critic else {}
        if config.estimator == "gae" and pull.critic:
            tally |= told_tally(rollout, told, self.payoffs.cpu())
        return batch, tally

    def _magnet(self, rollout: Rollout, mask: Tensor, auction: NDArray[np.bool_], pull: Pull) -> Tensor:
        """The averaged actor's log-probabilities [N, A] where they pull; zeros elsewhere."""
        magnet = torch.zeros(mask.shape)
        pulled = auction & (pull.magnet > 0) | (~auction & (pull.magnet_cards > 0))
        if pulled.any():
            rows = torch.from_numpy(np.flatnonzero(pulled))
            logits = torch.from_numpy(infer(self.average, rollout.ids[pulled]))
            magnet[rows] = masked_policy(logits, mask[rows])[1]
        return magnet

    def _advice(self, rollout: Rollout, mask: Tensor, own: NDArray[np.bool_]) -> dict[str, Tensor]:
        """The adviser's log-chances of calls [N, C], and where there are some [N]."""
        advice = torch.zeros(len(mask), N_CALLS)
        advised = torch.zeros(len(mask), dtype=torch.bool)
        weighed = ~np.isnan(rollout.advice)
        if weighed.any():
            advised = torch.from_numpy(weighed.any(1) & own)
            rows = torch.nonzero(advised)[:, 0]
            scale = self.config.reward_scale * self.config.advice_temperature
            units = torch.from_numpy(rollout.advice)[rows] / scale
            known = torch.from_numpy(weighed)[rows] & mask[rows, CALLS]
            chances = torch.log_softmax(units.masked_fill(~known, -torch.inf), 1)
            advice[rows] = chances.clamp(min=NOT_ADVISED)
        return {"advice": advice, "advised": advised}

    def _worth(self, rollout: Rollout, mask: Tensor) -> dict[str, Tensor]:
        """What each action is worth above the mean of the legal ones [N, A], and where that is known [N].

        In reward scales, and not normalised: what noise there is cancels within a decision, and what is left
        compares decisions as payoffs do.
        """
        worth = torch.from_numpy(rollout.worth)
        if not worth.shape[1]:
            return {"worth": worth, "weighed": torch.zeros(len(mask), dtype=torch.bool)}
        weighed = ~torch.isnan(worth).all(1)
        worth = torch.nan_to_num(worth) / self.config.reward_scale
        mean = worth.sum(1, keepdim=True) / mask.sum(1, keepdim=True)
        return {"worth": torch.where(mask & weighed[:, None], worth - mean, 0.0), "weighed": weighed}

    def _normalise(self, batches: list[Batch]) -> list[Batch]:
        """Advantages brought to mean 0 and deviation 1 over all shards, apart for calls and cards."""
        kinds = [[batch.auction & batch.own, ~batch.auction & batch.own] for batch in batches]
        sums = self.processes.sum(
            torch.stack([
                torch.stack([
                    part
                    for kind in of_batch
                    for part in (
                        kind.double().sum(),
                        batch.advantage[kind].double().sum(),
                        (batch.advantage[kind].double() ** 2).sum(),
                    )
                ])
                for batch, of_batch in zip(batches, kinds, strict=True)
            ])
        )  # fmt: skip
        out = []
        for batch, of_batch in zip(batches, kinds, strict=True):
            advantage = torch.zeros_like(batch.advantage)
            for i, kind in enumerate(of_batch):
                count, total, squares = sums[3 * i : 3 * i + 3].tolist()
                if count:
                    mean = total / count
                    spread = math.sqrt(max(squares / count - mean * mean, 0.0))
                    advantage[kind] = (batch.advantage[kind] - mean) / (spread + 1e-6)
            out.append(replace(batch, advantage=advantage))
        return out

    # --- The update ---

    def update(
        self, batches: Sequence[Batch], pull: Pull, generators: Sequence[np.random.Generator]
    ) -> dict[str, float]:
        """Improve both networks on the decisions of an iteration; returns metrics by name.

        Args:
            batches: the shards of this process.
            pull: step size and weights.
            generators: what orders the minibatches of each shard.
        """
        processes, config = self.processes, self.config
        sizes = processes.gather(torch.tensor([[float(len(b.action))] for b in batches]))[:, 0].long().tolist()
        n_minibatches = max(1, -(-sum(sizes) // config.minibatch))
        for group in self.optimiser.param_groups:
            group["lr"] = pull.lr
        seen: list[Tensor] = []
        for _ in range(pull.epochs):
            orders = [
                np.array_split(rng.permutation(len(batch.action)), n_minibatches)
                for batch, rng in zip(batches, generators, strict=True)
            ]
            for m in range(n_minibatches):
                n = sum(size // n_minibatches + (m < size % n_minibatches) for size in sizes)
                sums = self._gradient(batches, [order[m] for order in orders], pull, n)
                seen.append(sums)
                kl, of = sums[2 * PARTS.index("ppo/kl") :][:2].tolist()
                if pull.critic and of and kl / of > config.target_kl:
                    return self._metrics(seen, pull)
                self._step()
        return self._metrics(seen, pull)

    def _gradient(self, batches: Sequence[Batch], rows: Sequence[NDArray[np.int64]], pull: Pull, n: int) -> Tensor:
        """Put the gradient of the mean loss over a minibatch of ``n`` into place; returns sums of metrics."""
        processes = self.processes
        together = processes.size > 1 and len(batches) > 1  # shards here and elsewhere: each is needed by itself
        gradients, told = [], []
        for i, (batch, index) in enumerate(zip(batches, rows, strict=True)):
            if together or i == 0:
                self.gradient.zero_()
            sums = torch.zeros(2 * len(PARTS), device=self.device)
            if len(index):
                loss, sums = self.loss(batch.rows(torch.from_numpy(index).to(self.device)), pull)
                (loss / n).backward()  # adds to what is there: of one process's shards that is their sum in order
            told.append(sums)
            if together:
                gradients.append(self.gradient.clone())
        if together:
            self.gradient.copy_(processes.sum(torch.stack(gradients)))
        else:
            processes.add_up(self.gradient)
        return processes.sum(torch.stack(told)).cpu()

    def _step(self) -> None:
        for part in self.parts:
            norm = torch.linalg.vector_norm(part)
            part.mul_((self.config.max_grad_norm / (norm + 1e-6)).clamp(max=1.0))
        self.optimiser.step()

    def loss(self, batch: Batch, pull: Pull) -> tuple[Tensor, Tensor]:
        """The loss of M decisions, summed, and sum and count of each of ``PARTS``, float32 [2 x parts]."""
        config = self.config
        chances, log_chances = masked_policy(self.actor(batch.ids), batch.mask)
        of_action = log_chances.gather(1, batch.action[:, None])[:, 0]
        calls, cards = batch.auction, ~batch.auction

        log_ratio = torch.where(batch.own, of_action - batch.log_probability, 0.0)
        ratio = log_ratio.exp()
        clipped = ratio.clamp(1 - config.clip, 1 + config.clip)
        policy = -torch.minimum(ratio * batch.advantage, clipped * batch.advantage)
        if batch.worth.shape[1]:
            weight = torch.where(calls, config.worth_auction, config.worth_cards)
            policy = torch.where(batch.weighed, -weight * (chances * batch.worth).sum(1), policy)
        imitated = torch.where(calls, pull.clone_auction, pull.clone) * ~batch.own
        entropy = normalised_entropy(chances, log_chances, batch.mask)
        entropy_weight = torch.where(calls, pull.entropy_auction, pull.entropy_cards) * batch.own
        loss = policy - imitated * of_action - entropy_weight * entropy

        magnet = (chances * (log_chances - batch.magnet)).sum(1)
        magnet_weight = torch.where(calls, pull.magnet, pull.magnet_cards) * batch.own
        if pull.magnet or pull.magnet_cards:
            loss = loss + magnet_weight * magnet
        advice = (chances[:, CALLS] * (log_chances[:, CALLS] - batch.advice)).sum(1)
        if pull.advice:
            loss = loss + pull.advice * batch.advised * advice

        told = self.critic(batch.ids) if pull.critic else None
        if told is None:
            value = torch.zeros_like(policy)
        elif config.estimator == "vrpo":
            value = (told.gather(1, batch.action[:, None])[:, 0] - batch.target) ** 2
        else:
            value = value_loss(told, self.payoffs, batch.target)
        loss = loss + config.value_coef * value

        own, taught = batch.own, ~batch.own
        agreed = (chances.argmax(1) == batch.action).float()
        found = {
            "loss/policy": (policy, own),
            "loss/value": (value, (own | taught) & pull.critic),
            "clone/loss_auction": (-of_action, taught & calls),
            "clone/loss_cards": (-of_action, taught & cards),
            "clone/agreement_auction": (agreed, taught & calls),
            "clone/agreement_cards": (agreed, taught & cards),
            "entropy/auction": (entropy, own & calls),
            "entropy/cards": (entropy, own & cards),
            "magnet/auction": (magnet, own & calls & (magnet_weight > 0)),
            "magnet/cards": (magnet, own & cards & (magnet_weight > 0)),
            "advice/kl": (advice, batch.advised),
            "ppo/kl": (ratio - 1 - log_ratio, own),
            "ppo/clip_fraction": ((ratio - 1).abs().gt(config.clip).float(), own),
        }
        with torch.no_grad():
            told_of = torch.stack([found[name][1] for name in PARTS])
            values = torch.where(told_of, torch.stack([found[name][0] for name in PARTS]), 0.0)
            sums = torch.stack([values.sum(1), told_of.sum(1)], 1).reshape(-1)
        return loss.sum(), sums

    def _metrics(self, seen: list[Tensor], pull: Pull) -> dict[str, float]:
        """Metrics by name from the sums of the minibatches."""
        totals = torch.stack(seen).double().sum(0).tolist()
        metrics = {name: totals[2 * i] / totals[2 * i + 1] for i, name in enumerate(PARTS) if totals[2 * i + 1] > 0}
        return metrics | {"ppo/minibatches": float(len(seen)), "ppo/lr": pull.lr}

    @torch.no_grad()
    def follow(self, keep: float) -> None:
        """Move the average of the actor's weights on; it keeps this share (0 to 1) of itself."""
        for kept, weight in zip(self.average.parameters(), self.actor.parameters(), strict=True):
            kept.mul_(keep).add_(weight, alpha=1 - keep)


# What a loss reports of each decision, in this order: a sum and a count each.
PARTS = (
    "loss/policy",
    "loss/value",
    "clone/loss_auction",
    "clone/loss_cards",
    "clone/agreement_auction",
    "clone/agreement_cards",
    "entropy/auction",
    "entropy/cards",
    "magnet/auction",
    "magnet/cards",
    "advice/kl",
    "ppo/kl",
    "ppo/clip_fraction",
)


def spread_tally(returns: NDArray[np.float32], value: NDArray[np.float32]) -> Tally:
    """What says how much of the payoffs [N] the values [N] explain."""
    n = float(len(returns))
    wide = returns.astype(np.float64)
    return {
        "square of returns": (float((wide**2).sum()), n),
        "returns": (float(wide.sum()), n),
        "square of errors": (float(((wide - value) ** 2).sum()), n),
    }


def told_tally(rollout: Rollout, told: Tensor, payoffs: Tensor) -> Tally:
    """By contract: the chance of a gain told at the declarer's first card, how often it came, in how many deals."""
    tables = rollout.tables
    declarer, contract = tables["declarer"].astype(np.int64), tables["contract"].astype(np.int64)
    mine = np.flatnonzero(~rollout.auction & (rollout.seat == declarer[rollout.row]))
    _, first = np.unique(rollout.row[mine], return_index=True)
    first = mine[first]
    chance = chance_above_zero(told[torch.from_numpy(first)], payoffs).numpy()
    made = rollout.returns[first] > 0
    tally: Tally = {}
    for i, name in enumerate(CONTRACT_NAMES):
        of = contract[rollout.row[first]] == i
        n = float(of.sum())
        tally[f"told/{name}"] = (float(chance[of].sum()), n)
        tally[f"made/{name}"] = (float(made[of].sum()), n)
        tally[f"deals/{name}"] = (n, 1.0)
    return tally


def explained(metrics: Mapping[str, float]) -> float:
    """The share of the variance of payoffs that the critic explains, from the means of ``spread_tally``."""
    variance = metrics["square of returns"] - metrics["returns"] ** 2
    return 1 - metrics["square of errors"] / max(variance, 1e-9)
