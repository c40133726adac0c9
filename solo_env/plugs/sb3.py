"""Stable-Baselines3: a native ``VecEnv`` of single seats for sb3-contrib's ``MaskablePPO``, and its players.

The learner has one seat, players have the other three, so its rewards and its next observation are its own.
``SoloVecEnv`` steps all tables on the batched engine. Each episode draws who sits in the other seats from a pool,
to which :class:`PastSelves` adds the learner as it was. ``SeatEnv`` works too, in SB3's own vector environments.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from stable_baselines3.common.vec_env import VecEnv

from solo_env.actions import N_ACTIONS
from solo_env.checks import whole_number
from solo_env.observation import scale
from solo_env.player import Player, PlayerError, make_player, told
from solo_env.plugs.policy import Policy, PolicyPlayer, policy_file
from solo_env.rules import Ruleset
from solo_env.seat_vector import SeatVectorEnv
from solo_env.table import check_seed

POOL = 999  # names the stream from which episodes draw their opponents


class SoloVecEnv(VecEnv):
    """Single-seat games as Stable-Baselines3 steps them.

    Observations are int8 [B, F], rewards float32 [B] in units; ``action_masks`` are what ``MaskablePPO`` asks for.

    Args:
        num_envs: B.
        ruleset: a name, a path or a :class:`~solo_env.rules.Ruleset`.
        opponents: a pool of players or their specs; each episode draws one, who sits in all three other seats.
        seat: where the learner sits, 0 to 3, or "random".
        deals: deals of an episode.
        seed: fixes deals, seats and opponents, until ``seed()`` gives another.
    """

    def __init__(
        self,
        num_envs: int,
        ruleset: str | Ruleset = "pagat",
        opponents: Sequence[str | Player] = ("novice",),
        seat: int | str = "random",
        deals: int = 1,
        seed: int | None = None,
    ) -> None:
        pool = [opponents] if isinstance(opponents, str | Player) else opponents
        if not isinstance(pool, Sequence):
            raise ValueError(f"the opponents are {opponents!r}; give players or their specs.")
        if seed is not None:
            check_seed(seed)
        if not pool:
            raise ValueError("the pool of opponents is empty; give at least one player or its spec.")
        self.seats = SeatVectorEnv(num_envs, ruleset, seat, "uniform", deals, autoreset_mode=AutoresetMode.DISABLED)
        self.pool = [self._made(player) for player in pool]
        super().__init__(self.seats.num_envs, self.seats.single_observation_space, self.seats.single_action_space)
        self._first_seed = self.seats.np_random_seed if seed is None else seed
        self._rng = np.random.default_rng((self._first_seed, POOL))
        self._actions = np.zeros(self.num_envs, np.int64)
        self._begun = False

    def _made(self, player: str | Player) -> Player:
        return make_player(player, self.seats.ruleset) if isinstance(player, str) else player

    def add_opponent(self, player: str | Player, keep: int = 0) -> None:
        """Let later episodes draw this player too; of past selves only the last ``keep`` stay, if that is given."""
        self.pool.append(self._made(player))
        added = [other for other in self.pool if isinstance(other, PastSelf)]
        for old in added[: len(added) - keep if keep else 0]:
            self.pool.remove(old)

    def reset(self) -> NDArray[np.int8]:
        """Start an episode at every table: observations [B]."""
        seed = self._seeds[0]
        if seed is None and not self._begun:
            seed = self._first_seed
        if seed is not None:
            self._rng = np.random.default_rng((seed, POOL))
        self._begun = True
        observation = self._begin(np.ones(self.num_envs, np.bool_), seed)
        self._reset_seeds()
        self._reset_options()
        return observation

    def _begin(self, over: NDArray[np.bool_], seed: int | None = None) -> NDArray[np.int8]:
        """Start the next episodes where ``over``, each with opponents of its own."""
        if seed is not None:
            self.seats.reset(seed=seed)
        drawn: NDArray[np.int64] = self._rng.integers(len(self.pool), size=(self.num_envs,))
        observation: NDArray[np.int8] = np.empty(0, np.int8)
        for number in np.unique(drawn[over]).tolist():
            rows = over & (drawn == number)
            options = {"reset_mask": rows, "opponents": self.pool[number]}
            observation = self.seats.reset(seed=seed, options=options)[0]  # type: ignore[assignment]
        return observation

    def step_async(self, actions: NDArray[np.int64]) -> None:
        """Note the actions [B] of the step."""
        self._actions = actions

    def step_wait(self) -> tuple[NDArray[np.int8], NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        """Take the step: observations [B], rewards [B] in units, episodes that ended [B] and infos."""
        told: Any = self.seats.step(self._actions)
        observation, reward, over, _, _ = told
        infos: list[dict[str, Any]] = [{"TimeLimit.truncated": False} for _ in range(self.num_envs)]
        if over.any():
            for b in np.flatnonzero(over).tolist():
                infos[b]["terminal_observation"] = observation[b]
            observation = self._begin(over)
        return observation, reward.astype(np.float32), over, infos

    def action_masks(self) -> NDArray[np.bool_]:
        """What may be done now at each table, bool [B, A]."""
        return self.seats.action_masks()

    def close(self) -> None:
        """Let the tables go."""
        self.seats.close()

    def has_attr(self, attr_name: str) -> bool:
        """Whether the tables have something of this name."""
        return attr_name in ("action_masks", "render_mode") or hasattr(self.seats, attr_name)

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """Something that is the same at all tables, once for each of ``indices``."""
        value = None if attr_name == "render_mode" else getattr(self.seats, attr_name)
        return [value for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Nothing of the tables can be set."""
        raise AttributeError(f"{attr_name} cannot be set: the tables of a SoloVecEnv are one batch.")

    def env_method(
        self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any
    ) -> list[Any]:
        """What ``action_masks`` gives at each of ``indices``; tables have no other method of their own."""
        if method_name != "action_masks":
            raise AttributeError(f"the tables of a SoloVecEnv have no method {method_name!r} of their own.")
        masks = self.action_masks()
        return [masks[i] for i in self._get_indices(indices)]

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """Whether tables are wrapped: they never are."""
        return [False for _ in self._get_indices(indices)]


class ScaledFeatures(BaseFeaturesExtractor):
    """Observations brought to -1 .. 1, as networks want them: for ``policy_kwargs["features_extractor_class"]``."""

    def __init__(self, observation_space: Any) -> None:
        super().__init__(observation_space, features_dim=observation_space.shape[0])
        self.register_buffer("scale", torch.from_numpy(scale()))

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """float32 [N, F] from int8 or float [N, F]."""
        scaled: torch.Tensor = observations.float() / self.scale
        return scaled


def masked_policy(policy: Any) -> Policy:
    """A policy of ``MaskablePPO`` as a function from observations and masks to log-chances."""

    def log_chances(observation: NDArray[np.int8], mask: NDArray[np.int8]) -> NDArray[np.floating]:
        with torch.no_grad():
            seen = torch.from_numpy(observation).to(policy.device)
            told: NDArray[np.floating] = policy.get_distribution(seen, mask != 0).distribution.logits.cpu().numpy()
        return told

    return log_chances


class PastSelf(PolicyPlayer):
    """The learner as it was at a time; it plays by its chances."""

    def __init__(self, ruleset: str | Ruleset, policy: Any) -> None:
        kept = copy.deepcopy(policy)
        kept.set_training_mode(False)
        super().__init__(ruleset, masked_policy(kept), sample=True)


class PastSelves(BaseCallback):
    """Adds the learner as it is to the pool of its environment, again and again.

    Args:
        every: rollouts between two of them.
        keep: how many stay.
    """

    def __init__(self, every: int = 10, keep: int = 5) -> None:
        super().__init__()
        self.every, self.keep = whole_number("every", every, 1), whole_number("keep", keep, 1)
        self._rollouts = 0

    def _on_rollout_end(self) -> None:
        self._rollouts += 1
        if self._rollouts % self.every == 0:
            env = self.training_env.unwrapped
            assert isinstance(env, SoloVecEnv)
            env.add_opponent(PastSelf(env.seats.ruleset, self.model.policy), self.keep)

    def _on_step(self) -> bool:
        return True


class Sb3Player(PolicyPlayer):
    """A player that ``MaskablePPO`` trained and saved: ``sb3:PATH``, greedy or with ``sample=true`` by its chances.

    Raises:
        PlayerError: there is no such file, it cannot be loaded, or it was not trained on these observations.
    """

    def __init__(self, ruleset: str | Ruleset = "pagat", path: str = "", sample: str | bool = False) -> None:
        file = policy_file("sb3", path, ".zip")
        try:
            model = MaskablePPO.load(file, device="cpu")
        except Exception as error:  # whatever unpickling happens to raise
            raise PlayerError(
                f"player sb3: {path} holds no MaskablePPO that can be loaded: {told(error)}."
            ) from None
        model.policy.set_training_mode(False)
        super().__init__(ruleset, masked_policy(model.policy), sample)
        shapes = model.observation_space.shape, getattr(model.action_space, "n", None)
        if shapes != (scale().shape, N_ACTIONS):
            raise PlayerError(
                f"player sb3: {path} was trained on observations of shape {shapes[0]} and {shapes[1]} actions; "
                f"here they are {scale().shape} and {N_ACTIONS}."
            )
