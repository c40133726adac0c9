"""A player that asks a policy of another toolkit: a function from observations and masks to preferences.

Axes: N decisions, F features, A actions.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from solo_env.actions import N_ACTIONS
from solo_env.engine.batch import observe_views
from solo_env.layout import MASK, N_FEATURES, ROW, records
from solo_env.player import BatchPlayer, PlayerError, flag
from solo_env.rules import Ruleset, pack_array

KEY_BITS = 62  # of a decision key

# From observation int8 [N, F] and mask int8 [N, A] to preferences, float [N, A]: logits, or values of actions where
# there is nothing to sample. What the mask leaves out does not count.
Policy = Callable[[NDArray[np.int8], NDArray[np.int8]], NDArray[np.floating]]


def observed(views: NDArray[np.void], rules: NDArray[np.void]) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
    """What the seats of view records [N] see and may do: observation int8 [N, F] and mask int8 [N, A].

    They are what the environments tell these seats.
    """
    observation = np.empty((len(views), N_FEATURES), np.int8)
    mask = np.empty((len(views), N_ACTIONS), np.int8)
    whole = np.require(views, None, ["C", "W"])  # kernels compile for arrays that are whole and may be written
    observe_views(whole, rules, records(observation, ROW), records(mask, MASK))
    return observation, mask


class PolicyPlayer(BatchPlayer):
    """Plays a policy: its likeliest action, or one drawn by its chances.

    Args:
        ruleset: what it will play.
        policy: what is asked.
        sample: whether actions are drawn from the softmax of the preferences; the chance comes from the decision
            key, so it is the same in any batch.
    """

    def __init__(self, ruleset: str | Ruleset, policy: Policy, sample: str | bool = False) -> None:
        super().__init__(ruleset)
        self.policy, self.sample = policy, flag("sample", sample)
        self._rules = pack_array(self.ruleset)

    def act_batch(self, views: NDArray[np.void], keys: NDArray[np.int64], out: NDArray[np.int64]) -> None:
        """Decide for B seats; see :class:`solo_env.player.Player`.

        Raises:
            PlayerError: the policy gives something else than a number for each action.
        """
        observation, mask = observed(views, self._rules)
        told = np.asarray(self.policy(observation, mask))
        if told.shape != mask.shape:
            raise PlayerError(f"the policy gave preferences of shape {told.shape}; they must be {mask.shape}.")
        preferences = np.where(mask != 0, told.astype(np.float64), -math.inf)
        if np.isnan(preferences).any() or not np.isfinite(preferences.max(1)).all():
            raise PlayerError("the policy gave a preference that is no number.")
        if self.sample:
            chances = np.exp(preferences - preferences.max(1, keepdims=True)).cumsum(1)
            drawn = keys / 2.0**KEY_BITS * chances[:, -1]
            out[:] = np.minimum((chances <= drawn[:, None]).sum(1), last_open(mask))
        else:
            out[:] = preferences.argmax(1)


def last_open(mask: NDArray[np.int8]) -> NDArray[np.int64]:
    """The last action that each row of a mask [N, A] leaves open, int64 [N]."""
    last: NDArray[np.int64] = N_ACTIONS - 1 - (mask[:, ::-1] != 0).argmax(1)
    return last


def policy_file(toolkit: str, path: str, suffix: str = "") -> Path:
    """The file or folder that a spec such as ``sb3:PATH`` names.

    Raises:
        PlayerError: none is given, or it is not there.
    """
    if not path:
        raise PlayerError(f"player {toolkit} needs the path of what it plays, as in {toolkit}:runs/mine{suffix}.")
    if not Path(path).exists():
        raise PlayerError(f"player {toolkit}: there is no {path}.")
    return Path(path)
