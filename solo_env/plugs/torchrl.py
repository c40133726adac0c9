"""TorchRL: a native ``EnvBase`` over the batched engine, returns that belong to their seats, and its players.

``PettingZooWrapper(use_mask=True)`` takes the AEC environment as it is, one step of one table at a time. This steps
a whole batch on the engine. The time axis of a rollout is all moves of a table, whoever makes them, and a deal pays
all four seats in its last: so what a decision brought is the payoff of the seat that took it, and what an advantage
looks ahead to is that seat's own next decision. ``seat_returns`` and ``seat_advantages`` do that; TorchRL's own
estimators, which take the next row for the next state, would mix the seats.

Axes: B tables, T steps, F features, A actions.
"""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from tensordict import TensorDict, TensorDictBase
from torch import Tensor
from torchrl.data import Binary, Bounded, Categorical, Composite, Unbounded
from torchrl.envs import EnvBase

from solo_env.actions import N_ACTIONS
from solo_env.cards import N_SEATS
from solo_env.checks import whole_number
from solo_env.files import write_whole
from solo_env.layout import N_FEATURES
from solo_env.observation import scale
from solo_env.player import PlayerError, told
from solo_env.plugs.policy import Policy, PolicyPlayer, policy_file
from solo_env.rules import Ruleset
from solo_env.table import MAX_SEED, check_seed
from solo_env.vector import SoloVectorEnv


class SoloEnv(EnvBase):
    """B tables at once; all four seats of each are agents of one policy.

    A step tells of the seat that acts next: ``observation`` float32 [B, F], each column brought to -1 .. 1,
    ``action_mask`` bool [B, A] and ``seat`` int64 [B, 1]. ``reward`` float32 [B, 4] are the units of each seat,
    zeros unless the deal ended; ``done`` bool [B, 1]. Moves without a choice are made for the seats. In a row that
    is done the observation is the last of the seat that ended the deal, and ``seat`` who acts first in the next.

    A reset of all tables goes on to further deals, which follow from the seed too.

    Args:
        num_tables: B.
        ruleset: a name, a path or a :class:`~solo_env.rules.Ruleset`.
        seed: fixes the deals; ``set_seed`` gives another.
        deals: deals of an episode.
    """

    def __init__(
        self, num_tables: int, ruleset: str | Ruleset = "pagat", seed: int | None = None, deals: int = 1
    ) -> None:
        whole_number("num_tables", num_tables, 1)
        super().__init__(device="cpu", batch_size=[num_tables])
        self.engine = SoloVectorEnv(num_tables, ruleset, seed, deals=deals, play_forced=True)
        self._scale = scale()
        self._seed, self._resets = self.engine.np_random_seed, 0
        self._over = np.zeros(num_tables, np.bool_)  # whose episode is over and not yet reset
        b = num_tables
        self.observation_spec = Composite(
            observation=Bounded(-1, 1, (b, N_FEATURES), dtype=torch.float32),
            action_mask=Binary(N_ACTIONS, (b, N_ACTIONS), dtype=torch.bool),
            seat=Categorical(N_SEATS, (b, 1), dtype=torch.int64),
            shape=(b,),
        )
        self.action_spec = Categorical(N_ACTIONS, (b,), dtype=torch.int64)
        self.reward_spec = Unbounded((b, N_SEATS), dtype=torch.float32)

    def _set_seed(self, seed: int | None) -> None:
        if seed is not None:
            self._seed, self._resets = check_seed(int(seed)), 0

    def _reset(self, tensordict: TensorDictBase | None = None, **_: Any) -> TensorDictBase:
        wanted = None if tensordict is None else tensordict.get("_reset", None)
        rows = np.ones(len(self._over), np.bool_) if wanted is None else wanted.reshape(-1).numpy()
        # A table whose episode is over has dealt the next already, which is what is to be seen now.
        if wanted is None or not self._resets or (~self._over[rows]).any():
            if not rows.all():
                raise ValueError("tables are reset when their episodes are over, or all of them at once.")
            further: Any = (
                np.random.default_rng((self._seed, self._resets)).integers(MAX_SEED) if self._resets else self._seed
            )
            self._resets += 1
            self.engine.reset(int(further))
        self._over[rows] = False
        return self._told(self.engine.batch.observation, self.engine.batch.action_mask)

    def _step(self, tensordict: TensorDictBase) -> TensorDictBase:
        batch = self.engine.step(tensordict["action"].numpy())
        observation, mask = batch.observation, batch.action_mask
        self._over = batch.done.copy()
        if batch.done.any():
            observation = np.where(batch.done[:, None], self.engine.buffers.final_observation, observation)
            mask = np.where(batch.done[:, None], np.int8(0), mask)
        seen = self._told(observation, mask)
        done = torch.from_numpy(batch.done.copy())[:, None]
        return seen.update({"reward": torch.from_numpy(batch.payoffs.astype(np.float32)), "done": done})

    def _told(self, observation: NDArray[np.int8], mask: NDArray[np.int8]) -> TensorDictBase:
        return TensorDict(
            {
                "observation": torch.from_numpy(observation / self._scale),
                "action_mask": torch.from_numpy(mask != 0),
                "seat": torch.from_numpy(self.engine.batch.seat.astype(np.int64))[:, None],
            },
            batch_size=self.batch_size,
        )

    def rand_action(self, tensordict: TensorDictBase | None = None) -> TensorDictBase:
        """A legal action for each table, each as likely as any other, put into ``tensordict``."""
        if tensordict is None:
            tensordict = TensorDict({}, batch_size=self.batch_size)
        mask = tensordict.get("action_mask", None)
        weights = (
            torch.from_numpy(self.engine.batch.action_mask.astype(np.float32)) if mask is None else mask.float()
        )
        # Of an episode that is over nothing is open, and what is drawn is not looked at.
        action = torch.multinomial(torch.where(weights.sum(1, keepdim=True) > 0, weights, 1.0), 1)[:, 0]
        return tensordict.set("action", action)


def seat_returns(rollout: TensorDictBase) -> tuple[Tensor, Tensor]:
    """What the seat of each decision was paid from it to the end of its episode.

    Args:
        rollout: [B, T], of :class:`SoloEnv`.

    Returns:
        Units float32 [B, T], and whether the episode came to its end in the rollout, bool [B, T].
    """
    reward, done = rollout["next", "reward"], rollout["next", "done"][..., 0]
    seat = rollout["seat"]
    paid, ended = torch.zeros_like(reward[:, 0]), torch.zeros_like(done[:, 0])
    returns, known = torch.zeros(done.shape), torch.zeros_like(done)
    for t in reversed(range(done.shape[1])):
        paid = torch.where(done[:, t, None], 0.0, paid) + reward[:, t]
        ended = ended | done[:, t]
        returns[:, t] = paid.gather(1, seat[:, t])[:, 0]
        known[:, t] = ended
    return returns, known


def seat_advantages(
    rollout: TensorDictBase, value: Tensor, gamma: float = 1.0, lam: float = 0.95
) -> tuple[Tensor, Tensor, Tensor]:
    """Generalised advantages along the decisions of each seat by itself, and the targets of its value.

    A decision looks ahead to the same seat's next one in the deal: what the seat is paid in between is its reward.
    Decisions without a next one and without an end in the rollout get an advantage of 0 and their own value.

    Args:
        rollout: [B, T], of :class:`SoloEnv`.
        value: float32 [B, T], what each decision's seat expects.
        gamma: discount from a decision of a seat to its next.
        lam: lambda of the advantages.

    Returns:
        Advantages and targets, float32 [B, T], and which decisions have a next or an end, bool [B, T].
    """
    reward, done = rollout["next", "reward"], rollout["next", "done"][..., 0]
    seat = rollout["seat"]
    zeros = torch.zeros_like(reward[:, 0])  # of each seat, looking back from the end
    paid, after, ahead, known = zeros, zeros, zeros, zeros.bool()
    advantage, told = torch.zeros(done.shape), torch.zeros_like(done)
    for t in reversed(range(done.shape[1])):
        over = done[:, t, None]
        # Behind an end there is nothing; before it all is known.
        paid, after, ahead = (torch.where(over, 0.0, part) for part in (paid, after, ahead))
        known = known | over
        paid = paid + reward[:, t]
        at = seat[:, t]
        delta = paid.gather(1, at) + gamma * after.gather(1, at) - value[:, t, None]
        found = torch.where(known.gather(1, at), delta + gamma * lam * ahead.gather(1, at), 0.0)
        advantage[:, t], told[:, t] = found[:, 0], known.gather(1, at)[:, 0]
        paid = paid.scatter(1, at, 0.0)
        after, ahead = after.scatter(1, at, value[:, t, None]), ahead.scatter(1, at, found)
        known = known.scatter(1, at, True)
    return advantage, advantage + value, told


def module_policy(module: torch.nn.Module) -> Policy:
    """A module from observations float32 [N, F] to logits [N, A] as a function from observations and masks."""
    largest = torch.from_numpy(scale())

    def logits(observation: NDArray[np.int8], mask: NDArray[np.int8]) -> NDArray[np.floating]:
        with torch.no_grad():
            told: NDArray[np.floating] = module(torch.from_numpy(observation) / largest).numpy()
        return told

    return logits


class TorchPlayer(PolicyPlayer):
    """A player whose network was exported: ``torchrl:PATH``, a ``.pt2`` of ``torch.export`` from float32 [N, F].

    It reads observations brought to -1 .. 1, as :class:`SoloEnv` tells them, and gives logits [N, A].

    Raises:
        PlayerError: there is no such file, or it cannot be loaded.
    """

    def __init__(self, ruleset: str | Ruleset = "pagat", path: str = "", sample: str | bool = False) -> None:
        file = policy_file("torchrl", path, ".pt2")
        try:
            module = torch.export.load(file).module()
        except Exception as error:  # whatever the reader happens to raise
            raise PlayerError(f"player torchrl: {path} holds no exported network: {told(error)}.") from None
        super().__init__(ruleset, module_policy(module), sample)


def save_policy(path: str | Path, network: torch.nn.Module) -> None:
    """Write a network from float32 [N, F] to logits [N, A] as a file for ``torchrl:PATH``; its folder is made."""
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    rows = torch.export.Dim("rows", min=1)
    example = torch.zeros(2, N_FEATURES)
    content = io.BytesIO()
    torch.export.save(torch.export.export(network, (example,), dynamic_shapes=({0: rows},)), content)
    write_whole(Path(path), content.getvalue())
