"""The trained player: ``ppo:PATH`` plays the likeliest action, ``ppo:PATH,sample=true`` samples.

Torch is imported when a player is made, so the registry can list it where torch is not installed.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from solo_env import actions
from solo_env.player import BatchPlayer, PlayerError, check_asked, flag, missing_module
from solo_env.rules import Ruleset, pack_array
from solo_env.view import View
from training.suits import ACTION_OF, network_columns

if TYPE_CHECKING:
    from training.config import Net
    from training.policy import Actor

N_EXPLAINED = 3  # actions that an explanation names


class PpoPlayer(BatchPlayer):
    """Plays the actor of a checkpoint.

    Args:
        ruleset: what it will play; another than it was trained on is allowed, with a notice.
        path: the checkpoint.
        sample: false plays the likeliest action, true samples from the policy.

    Raises:
        PlayerError: no path, a checkpoint that cannot be used, or torch is not installed.
    """

    def __init__(self, ruleset: str | Ruleset = "pagat", path: str = "", sample: str | bool = False) -> None:
        super().__init__(ruleset)
        self.sample = flag("sample", sample)
        if not path:
            raise PlayerError(
                "player ppo: no trained network is shipped yet; "
                "name a checkpoint, as in ppo:runs/quick/checkpoint.pt."
            )
        try:
            from training import checkpoint
        except ModuleNotFoundError as error:
            raise PlayerError(f"player ppo {missing_module(error)}") from None
        try:
            self.actor, config, rulesets = checkpoint.load_actor(path)
        except checkpoint.CheckpointError as error:
            raise PlayerError(f"player ppo: {error}") from None
        self.columns = network_columns(config.net.blocks)
        played = checkpoint.ruleset_id(self.ruleset)
        if played not in rulesets:
            warnings.warn(f"{path} was trained on {', '.join(rulesets)} and plays {played}.", stacklevel=2)

    @classmethod
    def of(cls, actor: Actor, net: Net, ruleset: Ruleset, sample: bool = False) -> PpoPlayer:
        """A player that plays ``actor`` as it is now and as it changes."""
        player = cls.__new__(cls)
        BatchPlayer.__init__(player, ruleset)
        player.actor, player.columns, player.sample = actor, network_columns(net.blocks), sample
        return player

    def act_batch(self, views: NDArray[np.void], keys: NDArray[np.int64], out: NDArray[np.int64]) -> None:
        """Decide for B seats; see :class:`solo_env.player.Player`."""
        from training.policy import choose_best_rows, sample_rows

        logits, mask, first = self._logits(views)
        if self.sample:
            sample_rows(logits, mask, keys, out, np.zeros(len(out), np.float32))
        else:
            choose_best_rows(logits, mask, out)
        out[:] = ACTION_OF[first, out]

    def explain(self, view: View) -> str:
        """The likeliest actions with their probabilities."""
        check_asked(view)
        views = np.array([view.record], view.record.dtype)
        logits, mask, first = self._logits(views)
        legal = np.flatnonzero(mask[0])
        weight = np.exp(logits[0, legal].astype(np.float64) - logits[0, legal].max())
        best = np.argsort(-weight, kind="stable")[:N_EXPLAINED]
        shares = weight / weight.sum()
        return ", ".join(f"{actions.text(int(ACTION_OF[first[0], legal[i]]))} {shares[i]:.0%}" for i in best) + "."

    def _logits(self, views: NDArray[np.void]) -> tuple[NDArray[np.float32], NDArray[np.int8], NDArray[np.int64]]:
        """Logits float32 [B, A], mask int8 [B, A] and first suit int64 [B] for view records [B]."""
        from training.policy import infer
        from training.rollout import write_inputs

        observation, mask, first = write_inputs(views, pack_array(self.ruleset), self.columns)
        return infer(self.actor, observation), mask, first
