"""The networks, and what a row of logits means: probabilities over the legal actions and nothing else.

One actor serves all four seats, because an observation counts the seats from the observer: every deal teaches
it four times. The critic is a network of its own: returns are large and noisy, and a shared trunk would serve
them first. Both are plain layers with ReLU, the fastest shape on a processor without matrix units.

Illegal actions are masked the same way when an action is sampled and when it is learnt from. The mask is a
large negative number, not minus infinity: its exponential is exactly 0 in float32, and 0 times it is 0, where
0 times infinity would be NaN in the entropy and in its gradient.

Axes: N decisions, F columns of the chosen blocks, A actions.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from solo_env.actions import N_ACTIONS
from solo_env.engine._jit import kernel
from solo_env.observation import columns, scale
from training.config import Net

ILLEGAL = -1e9  # the logit of an illegal action

# A row of a matrix product has the same bits whatever the other rows are, as long as the number of rows is a
# multiple of 16 (measured with torch 2.13 on AVX-512: other numbers end in a remainder that is summed in
# another order). So inputs are padded, and a decision does not depend on the batch it is made in.
ROW_MULTIPLE = 16
CHUNK = 4096  # rows of one forward pass; a multiple of ROW_MULTIPLE


class Network(nn.Module):
    """Hidden layers with ReLU on chosen blocks of the observation, then a linear layer to ``n_out``."""

    scale: Tensor

    def __init__(self, blocks: Sequence[str], hidden: Sequence[int], n_out: int, last_gain: float) -> None:
        super().__init__()
        chosen = columns(blocks)
        self.register_buffer("scale", torch.from_numpy(1 / scale()[chosen]), persistent=False)  # float32 [F]
        widths = [len(chosen), *hidden, n_out]
        layers: list[nn.Module] = []
        for i, (n_in, n_next) in enumerate(pairwise(widths)):
            layer = nn.Linear(n_in, n_next)
            last = i == len(hidden)
            nn.init.orthogonal_(layer.weight, gain=last_gain if last else math.sqrt(2))
            nn.init.zeros_(layer.bias)
            layers += [layer] if last else [layer, nn.ReLU()]
        self.layers = nn.Sequential(*layers)

    def forward(self, observation: Tensor) -> Tensor:
        """float32 [N, n_out] from the chosen columns, int8 [N, F] as the observation has them."""
        out: Tensor = self.layers(observation.float() * self.scale)
        return out


class Actor(Network):
    """From the chosen columns of an observation to the logits of all actions, float32 [N, A]."""

    def __init__(self, net: Net) -> None:
        super().__init__(net.blocks, net.actor, N_ACTIONS, last_gain=0.01)


class Critic(Network):
    """From the chosen columns of an observation to the payoff expected, in units of the reward scale."""

    def __init__(self, net: Net) -> None:
        super().__init__(net.blocks, net.critic, 1, last_gain=1.0)

    def forward(self, observation: Tensor) -> Tensor:
        """float32 [N] from int8 [N, F]."""
        return super().forward(observation)[:, 0]


def new_networks(net: Net, seed: int) -> tuple[Actor, Critic]:
    """An actor and a critic whose first weights depend on ``seed`` alone; torch's own generator stays put."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return Actor(net), Critic(net)


def masked_log_probabilities(logits: Tensor, mask: Tensor) -> Tensor:
    """Log-probabilities [N, A] over the legal actions of each row; about ``ILLEGAL`` for the others.

    Args:
        logits: float32 [N, A].
        mask: bool [N, A], True where an action is legal; at least one a row.
    """
    return torch.log_softmax(logits.masked_fill(~mask, ILLEGAL), dim=1)


def normalised_entropy(log_probabilities: Tensor, mask: Tensor) -> Tensor:
    """Entropy [N] as a share of the largest that the legal actions allow: 0 one certain action, 1 all even.

    There are 2 to 13 legal actions; entropy in nats would ask for most where there are most.

    Args:
        log_probabilities: float32 [N, A] of :func:`masked_log_probabilities`.
        mask: bool [N, A].
    """
    entropy = -(log_probabilities.exp() * log_probabilities).masked_fill(~mask, 0).sum(1)
    return entropy / mask.sum(1).clamp(min=2).float().log()


@torch.no_grad()
def infer(network: Network, observation: NDArray[np.int8]) -> NDArray[np.float32]:
    """What ``network`` says of int8 [N, F], the same for a row whatever batch it stands in."""
    n = len(observation)
    padded = np.zeros((n + -n % ROW_MULTIPLE, observation.shape[1]), np.int8)
    padded[:n] = observation
    parts = [torch.from_numpy(padded[i : i + CHUNK]) for i in range(0, max(n, 1), CHUNK)]
    out: NDArray[np.float32] = torch.cat([network(part) for part in parts]).numpy()
    return out[:n]


@kernel
def sample_rows(
    logits: NDArray[np.float32],
    mask: NDArray[np.int8],
    keys: NDArray[np.int64],
    action: NDArray[np.int64],
    log_probability: NDArray[np.float32],
) -> None:
    """Sample a legal action for each row by inverse CDF; the uniform number is the row's decision key.

    Args: logits float32 [N, A]; mask int8 [N, A]; keys int64 [N], 0 .. 2**62 - 1.
    Receives: action int64 [N], log_probability float32 [N].
    """
    for i in range(len(action)):
        top = -math.inf
        for a in range(N_ACTIONS):
            if mask[i, a]:
                top = max(top, float(logits[i, a]))
        total = 0.0
        for a in range(N_ACTIONS):
            if mask[i, a]:
                total += math.exp(float(logits[i, a]) - top)
        left = (keys[i] >> 9) / 2.0**53 * total
        for a in range(N_ACTIONS):
            if mask[i, a]:
                action[i] = a  # the last legal action stays where rounding leaves a rest
                left -= math.exp(float(logits[i, a]) - top)
                if left < 0:
                    break
        log_probability[i] = float(logits[i, action[i]]) - top - math.log(total)


@kernel
def choose_best_rows(logits: NDArray[np.float32], mask: NDArray[np.int8], action: NDArray[np.int64]) -> None:
    """The legal action with the largest logit for each row, the lowest id among equals.

    Args: logits float32 [N, A]; mask int8 [N, A]. Receives: action int64 [N].
    """
    for i in range(len(action)):
        best = -1
        for a in range(N_ACTIONS):
            if mask[i, a] and (best < 0 or logits[i, a] > logits[i, best]):
                best = a
        action[i] = best
