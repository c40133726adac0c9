"""The networks, and what a row of logits means: probabilities over the legal actions and nothing else.

One actor serves all four seats, because an observation counts the seats from the observer: every deal teaches
it four times. The critic is a network of its own: returns are large and noisy, and a shared trunk would serve
them first. It may see all hands, since it is needed in training alone; what the actor sees is what its seat knows.

A position is a list of active features (``features``), some ninety of three thousand. So the first layer, which
would be most of the work as a product of matrices, is a sum of rows of its weights.

Illegal actions are masked the same way when an action is sampled and when it is learnt from. The mask is a
large negative number, not minus infinity: its exponential is exactly 0 in float32, and 0 times it is 0, where
0 times infinity would be NaN in the entropy and in its gradient.

Axes: N decisions, K places of a list of features, H units of the first layer, A actions.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from solo_env.actions import N_ACTIONS
from solo_env.engine._jit import kernel
from training.config import Net, Ppo
from training.features import HIDDEN_FEATURES, MAX_ACTIVE, PAD, feature_table

ILLEGAL = -1e9  # the logit of an illegal action
TYPICAL_ACTIVE = 75  # features of a position, for the size of the first weights

# A row of a matrix product has the same bits whatever the other rows are, as long as the number of rows is a
# multiple of 16 (measured with torch 2.13 on AVX-512: other numbers end in a remainder that is summed in
# another order). So inputs are padded, and a decision does not depend on the batch it is made in.
ROW_MULTIPLE = 16
CHUNK = 4096  # rows of one forward pass; a multiple of ROW_MULTIPLE


@kernel
def sum_rows(weight: NDArray[np.float32], bias: NDArray[np.float32], ids: NDArray[np.int16],
             out: NDArray[np.float32]) -> None:  # fmt: skip
    """Fill ``out`` [N, H] with the sum of the rows of ``weight`` [F, H] that ``ids`` [N, K] names, and ``bias``."""
    n_places, width = ids.shape[1], weight.shape[1]
    active = np.zeros(n_places + 3, np.int64)
    for b in range(len(ids)):
        n = 0
        for i in range(n_places):
            if ids[b, i] != PAD:
                active[n] = ids[b, i]
                n += 1
        for j in range(width):
            out[b, j] = bias[j]
        fours = n - n % 4
        for i in range(0, fours, 4):  # four at a time, so that ``out`` is read and written less often
            r0, r1, r2, r3 = active[i], active[i + 1], active[i + 2], active[i + 3]
            for j in range(width):
                out[b, j] += (weight[r0, j] + weight[r1, j]) + (weight[r2, j] + weight[r3, j])
        for i in range(fours, n):
            r0 = active[i]
            for j in range(width):
                out[b, j] += weight[r0, j]


@kernel
def add_rows(gradient: NDArray[np.float32], ids: NDArray[np.int16], weight: NDArray[np.float32]) -> None:
    """Add row b of ``gradient`` [N, H] to each row of ``weight`` [F, H] that ``ids[b]`` names."""
    for b in range(len(ids)):
        for i in range(ids.shape[1]):
            row = ids[b, i]
            if row != PAD:
                for j in range(weight.shape[1]):
                    weight[row, j] += gradient[b, j]


class SumRows(torch.autograd.Function):
    """``sum_rows`` and its gradient, on a processor; torch's own gradient takes eight times as long."""

    @staticmethod
    def forward(ctx: Any, weight: Tensor, bias: Tensor, ids: Tensor) -> Tensor:
        """The sums, float32 [N, H]."""
        out = torch.empty(len(ids), weight.shape[1])
        sum_rows(weight.detach().numpy(), bias.detach().numpy(), ids.numpy(), out.numpy())
        ctx.save_for_backward(ids)
        ctx.shape = weight.shape
        return out

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, Tensor, None]:
        """The gradients of weights and biases."""
        (ids,) = ctx.saved_tensors
        weight = torch.zeros(ctx.shape)
        add_rows(gradient.contiguous().numpy(), ids.numpy(), weight.numpy())
        return weight, gradient.sum(0), None


def on_processor(weight: Tensor) -> bool:
    """Whether kernels can reach a tensor."""
    return weight.device.type == "cpu"


class Network(nn.Module):
    """Hidden layers with ReLU on lists of features, then a linear layer to ``n_out``."""

    def __init__(self, n_features: int, hidden: Sequence[int], n_out: int, last_gain: float) -> None:
        super().__init__()
        spread = math.sqrt(2 / TYPICAL_ACTIVE)
        self.weight = nn.Parameter(torch.randn(n_features, hidden[0]) * spread)  # [F, H]
        self.bias = nn.Parameter(torch.zeros(hidden[0]))
        widths = [*hidden, n_out]
        layers: list[nn.Module] = []
        for i, (n_in, n_next) in enumerate(pairwise(widths)):
            layer = nn.Linear(n_in, n_next)
            last = i == len(hidden) - 1
            nn.init.orthogonal_(layer.weight, gain=last_gain if last else math.sqrt(2))
            nn.init.zeros_(layer.bias)
            layers += [nn.ReLU(inplace=True), layer]
        self.layers = nn.Sequential(*layers)

    def forward(self, ids: Tensor) -> Tensor:
        """float32 [N, n_out] from lists of active features, int16 [N, K] filled up with ``PAD``."""
        out: Tensor = self.layers(self.first(ids))
        return out

    def first(self, ids: Tensor) -> Tensor:
        """The first layer, float32 [N, H]."""
        if on_processor(self.weight):
            return SumRows.apply(self.weight, self.bias, ids.contiguous())  # type: ignore[no-any-return, no-untyped-call]
        none = len(self.weight)  # on a GPU a row of zeros stands where there is no feature
        rows = torch.cat([self.weight, self.weight.new_zeros(1, self.weight.shape[1])])
        named = ids.long()
        named = torch.where(named == PAD, none, named)
        return nn.functional.embedding_bag(named, rows, mode="sum", padding_idx=none) + self.bias


class Actor(Network):
    """From what a seat sees to the logits of all actions, float32 [N, A]."""

    def __init__(self, net: Net) -> None:
        super().__init__(feature_table(net.blocks).n, net.actor_widths, N_ACTIONS, last_gain=0.01)

    def forward(self, ids: Tensor) -> Tensor:
        """float32 [N, A] from int16 [N, at least MAX_ACTIVE]; hidden cards behind are not read."""
        return super().forward(ids[:, :MAX_ACTIVE])


class Critic(Network):
    """From a position to what will be paid, see ``values``: float32 [N, bins], or for ``vrpo`` [N, A] by action."""

    def __init__(self, net: Net, ppo: Ppo) -> None:
        self.sees_hands = net.critic_sees == "hands"
        n = feature_table(net.blocks).n + (HIDDEN_FEATURES if self.sees_hands else 0)
        n_out = N_ACTIONS if ppo.estimator == "vrpo" else net.bins
        super().__init__(n, net.critic_widths, n_out, last_gain=0.01)

    def forward(self, ids: Tensor) -> Tensor:
        """float32 [N, n_out] from int16 [N, MAX_ACTIVE + N_HIDDEN]."""
        return super().forward(ids if self.sees_hands else ids[:, :MAX_ACTIVE])


def new_networks(net: Net, ppo: Ppo, seed: int) -> tuple[Actor, Critic]:
    """An actor and a critic whose first weights depend on ``seed`` alone; torch's own generator stays put."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return Actor(net), Critic(net, ppo)


def masked_policy(logits: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
    """Probabilities and log-probabilities [N, A] over the legal actions of each row, both 0 for the others.

    Args:
        logits: float32 [N, A].
        mask: bool [N, A], True where an action is legal; at least one a row.

    They are made apart, since the exponential of ``ILLEGAL`` is correct but takes a processor ten times as long.
    """
    masked = logits.masked_fill(~mask, ILLEGAL)
    return torch.softmax(masked, 1), torch.log_softmax(masked, 1).masked_fill(~mask, 0)


def normalised_entropy(chances: Tensor, log_chances: Tensor, mask: Tensor) -> Tensor:
    """Entropy [N] as a share of the largest that the legal actions allow: 0 one certain action, 1 all even.

    There are 2 to 13 legal actions; entropy in nats would ask for most where there are most.

    Args:
        chances: float32 [N, A] of :func:`masked_policy`.
        log_chances: the same.
        mask: bool [N, A].
    """
    return -(chances * log_chances).sum(1) / mask.sum(1).clamp(min=2).float().log()


@torch.no_grad()
def infer(network: Network, ids: NDArray[np.int16]) -> NDArray[np.float32]:
    """What ``network`` says of int16 [N, K], the same for a row whatever batch it stands in."""
    n, device = len(ids), network.weight.device
    padded = ids
    if n % ROW_MULTIPLE:
        padded = np.full((n + -n % ROW_MULTIPLE, ids.shape[1]), PAD, np.int16)
        padded[:n] = ids
    parts = [torch.from_numpy(padded[i : i + CHUNK]).to(device) for i in range(0, max(n, 1), CHUNK)]
    out: NDArray[np.float32] = torch.cat([network(part) for part in parts]).cpu().numpy()
    return out[:n]
