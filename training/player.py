"""The trained player: ``ppo`` as shipped, ``ppo:PATH`` of a run; it plays the likeliest action or samples.

It plays without torch; only a checkpoint is read by it, and then it is imported when the player is made.
"""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from solo_env import actions
from solo_env.actions import N_ACTIONS
from solo_env.engine.state import new_views
from solo_env.player import BatchPlayer, PlayerError, check_asked, flag, missing_module
from solo_env.rules import Ruleset, pack_array
from solo_env.view import View
from training.choosing import choose_best_rows, sample_rows
from training.features import ACTION_OF, write_inputs
from training.weights import FILE_NAME, SHIPPED, Weights, WeightsError, read_weights, ruleset_id

N_EXPLAINED = 5  # actions that an explanation names
LEAST_EXPLAINED = 0.01  # the chance of one that is worth naming


class PpoPlayer(BatchPlayer):
    """Plays a trained network.

    Args:
        ruleset: what it will play; another than it was trained on is allowed, with a notice.
        path: a ``player.npz``, the folder of a run, or a checkpoint (``.pt``, which needs torch); the shipped
            network if not given.
        sample: false plays the likeliest action, true samples from the policy.

    Raises:
        PlayerError: there is no such network, it cannot be used, or torch is needed and not installed.
    """

    def __init__(self, ruleset: str | Ruleset = "pagat", path: str = "", sample: str | bool = False) -> None:
        super().__init__(ruleset)
        self.sample = flag("sample", sample)
        self.weights = find_weights(path)
        self._rules = pack_array(self.ruleset)
        played = ruleset_id(self.ruleset)
        if played not in self.weights.rulesets:
            trained = ", ".join(self.weights.rulesets)
            warnings.warn(f"{path or 'ppo'} was trained on {trained} and plays {played}.", stacklevel=2)

    @classmethod
    def of(cls, weights: Weights, ruleset: Ruleset, sample: bool = False) -> PpoPlayer:
        """A player of ``weights``, which need not come from a file; cheap to make, and there is no notice."""
        player = cls.__new__(cls)
        BatchPlayer.__init__(player, ruleset)
        player.weights, player.sample, player._rules = weights, sample, pack_array(player.ruleset)
        return player

    def act_batch(self, views: NDArray[np.void], keys: NDArray[np.int64], out: NDArray[np.int64]) -> None:
        """Decide for B seats; see :class:`solo_env.player.Player`."""
        ids, mask, order = write_inputs(np.ascontiguousarray(views), self._rules, self.weights.features)
        chosen, logits = np.empty(len(views), np.int64), self.weights.logits(ids)
        if self.sample:
            sample_rows(logits, mask, np.ascontiguousarray(keys), chosen, *np.empty((2, len(views)), np.float32))
        else:
            choose_best_rows(logits, mask, chosen)
        out[:] = ACTION_OF[order, chosen]

    def probabilities(self, view: View) -> NDArray[np.float32]:
        """How likely the policy makes each action, float32 [A] by action id; 0 where it is not legal.

        Raises:
            PlayerError: nothing is asked of the seat, or what is given is no view.
        """
        check_asked(view)
        views = new_views(1)
        views[0] = view.record
        ids, mask, order = write_inputs(views, self._rules, self.weights.features)
        legal = np.flatnonzero(mask[0])
        logits = self.weights.logits(ids)[0, legal].astype(np.float64)
        weighed = np.exp(logits - logits.max())
        chances = np.zeros(N_ACTIONS, np.float32)
        chances[ACTION_OF[order[0], legal]] = weighed / weighed.sum()
        return chances

    def explain(self, view: View) -> str:
        """The likeliest actions with their chances."""
        chances = self.probabilities(view)
        best = np.argsort(-chances, kind="stable")[:N_EXPLAINED]
        named = [i for i in best if chances[i] >= LEAST_EXPLAINED]
        return ", ".join(f"{actions.text(int(i))} {chances[i]:.0%}" for i in named) + "."


def trained(spec: str) -> Weights:
    """The network of a trained player, from its spec.

    Args:
        spec: ``ppo`` or ``ppo:PATH``, see :func:`find_weights`.

    Raises:
        PlayerError: the spec is of another player or has options, or what :func:`find_weights` refuses.
    """
    if not is_trained(spec):
        raise PlayerError(f"{spec!r} is no trained player; give ppo or ppo:PATH.")
    return find_weights(spec.partition(":")[2])


def is_trained(spec: str) -> bool:
    """Whether a spec is of a trained player and has no options."""
    return spec.partition(":")[0] == "ppo" and "," not in spec


def find_weights(path: str) -> Weights:
    """The network that a path names: a ``player.npz``, a run's folder or a checkpoint; the shipped one if empty.

    Raises:
        PlayerError: there is none, it cannot be used, or torch is needed and not installed.
    """
    file = Path(path) if path else SHIPPED
    if file.is_dir():
        if not (file / FILE_NAME).is_file():
            raise PlayerError(f"player ppo: the folder {path} holds no {FILE_NAME}; name the folder of a run.")
        file = file / FILE_NAME
    try:
        return _of_checkpoint(file) if file.suffix == ".pt" else read_weights(file)
    except WeightsError as error:
        raise PlayerError(f"player ppo: {error}") from None


def _of_checkpoint(file: Path) -> Weights:
    try:
        from training import checkpoint
    except ModuleNotFoundError as error:
        raise PlayerError(f"player ppo {missing_module(error)}") from None
    try:
        weights: Weights = checkpoint.load_weights(file)
    except checkpoint.CheckpointError as error:
        raise PlayerError(f"player ppo: {error}") from None
    return weights
