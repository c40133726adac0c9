"""A trained player as a file, ``player.npz``: what it takes to play, readable without torch.

The file holds the weights and biases of the actor's layers as float32 (``weight0`` [inputs, outputs], ``bias0``
[outputs], and so on; as float16 if that loses nothing, as in the file that is shipped), and in ``about`` what they
mean: the blocks of the observation that are the network's features, the rulesets it was trained on, the hash of the
tables it reads and acts by, and the story of its training. A digest over all of it stands beside. The same content
gives the same bytes.

Axes: L layers, A actions.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from baselines.data_file import read_arrays, write_arrays
from solo_env.actions import N_ACTIONS
from solo_env.layout import table_hash
from solo_env.rules import Ruleset
from solo_env.signature import signature
from training.features import Features, feature_table
from training.forward import DECISIONS_AT_ONCE, Layers, forward_rows, new_scratch

FILE_NAME = "player.npz"  # in the folder of a run
SHIPPED = Path(__file__).parent / "data" / "ppo.npz"
KIND = "solo-whist player"
VERSION = 1  # of the file, and of what features mean: one more when training/features.py numbers them otherwise
LARGEST = np.finfo(np.float32).max

# What the story of a training tells, each key if it is known, and its meaning; docs/ppo.md is made from it.
STORY = {
    "command": "command",
    "seed": "seed",
    "decisions": "decisions learnt from",
    "hours": "hours of training, all sessions together",
    "machine": "machine",
    "commit": "commit",
    "versions": "versions",
    "config": "every option, as the text of a TOML file",
    "start": "the story of the player as which it began, whose decisions and hours are counted in",
    "matches": "results of its matches, a list as the JSON of `solo_env.evaluation.MatchResult`",
}


class WeightsError(ValueError):
    """Weights that cannot be used; the message is a sentence."""


@dataclass(frozen=True, eq=False)
class Weights:
    """The network of a trained player; made by :func:`from_layers` or :func:`read_weights`."""

    blocks: tuple[str, ...]  # of the observation, whose values are the features
    arrays: Layers
    rulesets: tuple[str, ...]  # that it was trained on, as :func:`ruleset_id` names them
    story: Mapping[str, Any]  # of its training; see ``STORY``

    @property
    def hidden(self) -> tuple[int, ...]:
        """The widths of the hidden layers."""
        return tuple(map(int, self.arrays.shapes[1:, 0]))

    @property
    def layers(self) -> list[tuple[NDArray[np.float32], NDArray[np.float32]]]:
        """Weights [inputs, outputs] and biases [outputs] of each layer, views of the arrays."""
        layers, at = [], 0
        for n_in, n_out in self.arrays.shapes.tolist():
            bias = at + n_in * n_out
            weight = self.arrays.numbers[at:bias].reshape(n_in, n_out)
            at = bias + n_out
            layers.append((weight, self.arrays.numbers[bias:at]))
        return layers

    @property
    def size(self) -> int:
        """How many weights and biases there are."""
        return len(self.arrays.numbers)

    def rounded(self) -> Weights:
        """The same with its numbers rounded to float16, which halves the file.

        Raises:
            WeightsError: a number is too large for it.
        """
        with np.errstate(over="ignore"):
            numbers = self.arrays.numbers.astype(np.float16).astype(np.float32)
        if not np.isfinite(numbers).all():
            raise WeightsError("a weight is too large to be rounded to float16.")
        return replace(self, arrays=self.arrays._replace(numbers=numbers))

    @cached_property
    def widest(self) -> int:
        """The most outputs of a layer."""
        return int(self.arrays.shapes[:, 1].max())

    @cached_property
    def features(self) -> Features:
        """The features that the network reads."""
        return feature_table(self.blocks)

    @cached_property
    def digest(self) -> str:
        """A digest over weights, blocks, rulesets and story, as the file carries it."""
        return content_digest(_arrays(self), _about(self))

    def logits(self, ids: NDArray[np.int16]) -> NDArray[np.float32]:
        """What the network says of rows of features, float32 [N, A] by network's action, not masked.

        Args:
            ids: int16 [N, M] as :func:`training.features.write_inputs` makes them.
        """
        out = np.empty((len(ids), N_ACTIONS), np.float32)
        room = min(max(len(ids), 1), DECISIONS_AT_ONCE)
        forward_rows(
            np.ascontiguousarray(ids),
            self.arrays,
            new_scratch(self.widest, room, ids.shape[1]),
            room,
            out.reshape(-1),
        )
        return out


def from_layers(
    layers: Sequence[tuple[NDArray[Any], NDArray[Any]]],
    blocks: Sequence[str],
    rulesets: Sequence[str],
    story: Mapping[str, Any],
) -> Weights:
    """Weights from the layers of a network, which are copied.

    Args:
        layers: weights [inputs, outputs] and biases [outputs] of each, first to last; kept as float32.
        blocks: of the observation, whose values are the features.
        rulesets: that it was trained on, as :func:`ruleset_id` names them.
        story: how it was trained, as JSON can hold it; see ``STORY``.

    Raises:
        WeightsError: the layers do not fit each other, the features or the actions, or a number is not finite.
    """
    try:
        n = feature_table(tuple(blocks)).n
    except ValueError as error:
        raise WeightsError(f"the blocks of the observation are no features: {error}") from None
    if not layers:
        raise WeightsError("a network has at least one layer, and there is none.")
    for number, (weight, bias) in enumerate(layers):
        if bias.ndim != 1 or bias.shape != weight.shape[1:] or 0 in weight.shape:
            raise WeightsError(
                f"layer {number} has weights of shape {weight.shape} and biases of shape {bias.shape}; "
                "they must be [inputs, outputs] and [outputs]."
            )
        if not (np.abs(weight).max() <= LARGEST and np.abs(bias).max() <= LARGEST):
            raise WeightsError(f"layer {number} has a weight that is no finite number of float32.")
    shapes = np.array([weight.shape for weight, _ in layers], np.int64)
    for number, (before, after) in enumerate(pairwise(shapes)):
        if before[1] != after[0]:
            raise WeightsError(
                f"layer {number} has {before[1]} outputs, and layer {number + 1} has {after[0]} inputs."
            )
    for what, there, must in (("inputs", shapes[0, 0], n), ("outputs", shapes[-1, 1], N_ACTIONS)):
        if there != must:
            raise WeightsError(f"the network has {there} {what}, and must have {must}.")
    try:
        told = json.loads(json.dumps(story, allow_nan=False))
    except (TypeError, ValueError):
        raise WeightsError("the story of the training holds what JSON cannot hold.") from None
    numbers = np.concatenate([part.ravel() for layer in layers for part in layer], dtype=np.float32)
    return Weights(tuple(blocks), Layers(numbers, shapes), tuple(rulesets), told)


def ruleset_id(ruleset: Ruleset) -> str:
    """A ruleset as trained players name it: "pagat@1a2b3c4d"."""
    return f"{ruleset.name}@{signature(ruleset)}"


def write_weights(path: Path, weights: Weights) -> None:
    """Write a trained player, whole or not at all.

    Raises:
        OSError: the file cannot be written; what was there before stays.
    """
    arrays = _arrays(weights)
    with np.errstate(over="ignore"):
        halves = {name: array.astype(np.float16) for name, array in arrays.items()}
    lossless = all(np.array_equal(halves[name], array) for name, array in arrays.items())
    write_arrays(path, halves if lossless else arrays, {**_about(weights), "digest": weights.digest})


def read_weights(path: str | Path) -> Weights:
    """The trained player in a file.

    Raises:
        WeightsError: no file, no trained player, one of another version, one made for other tables, or one that is
            not what was written.
    """
    path = Path(path)
    try:
        arrays, about = read_arrays(path, "a trained player", "write it anew")
    except ValueError as error:
        raise WeightsError(str(error)) from None
    if about.get("kind") != KIND:
        raise WeightsError(f"{path} holds no trained player, but something else.")
    if about.get("version") != VERSION:
        raise WeightsError(
            f"{path} is a trained player of version {about.get('version')!r}; this program reads version {VERSION}."
        )
    if about.get("table_hash") != table_hash():
        raise WeightsError(
            f"{path} was made for the action and observation tables {about.get('table_hash')}; here they are "
            f"{table_hash()}, so its network would read other columns: train again."
        )
    arrays = {
        name: array.astype(np.float32) if array.dtype == np.float16 else array for name, array in arrays.items()
    }
    told = about.pop("digest", None)
    del about["format"]
    if told != content_digest(arrays, about):
        raise WeightsError(f"{path} is damaged: its content is not what was written to it.")
    try:
        return _weights(arrays, about)
    except (WeightsError, KeyError, TypeError, AttributeError) as error:
        reason = error if isinstance(error, WeightsError) else "a part of it is missing or of another kind."
        raise WeightsError(f"{path} is no trained player: {reason}") from None


def _weights(arrays: Mapping[str, NDArray[Any]], about: Mapping[str, Any]) -> Weights:
    """Weights from the content of a file; raises what Python says where it is no such content."""
    names = [(f"weight{layer}", f"bias{layer}") for layer in range(len(arrays) // 2)]
    for part in ("blocks", "rulesets"):
        named = about[part]
        if not isinstance(named, list) or not named or not all(isinstance(name, str) for name in named):
            raise WeightsError(f"its {part} are no list of names.")
    if not isinstance(about["story"], dict):
        raise WeightsError("the story of its training is no table.")
    if any(array.dtype != np.float32 for array in arrays.values()):
        raise WeightsError("its weights are neither of float32 nor of float16.")
    layers = [(arrays[weight], arrays[bias]) for weight, bias in names]
    return from_layers(layers, about["blocks"], about["rulesets"], about["story"])


def _arrays(weights: Weights) -> dict[str, NDArray[Any]]:
    return {
        name: array
        for number, layer in enumerate(weights.layers)
        for name, array in zip((f"weight{number}", f"bias{number}"), layer, strict=True)
    }


def _about(weights: Weights) -> dict[str, Any]:
    about = {
        "kind": KIND,
        "version": VERSION,
        "table_hash": table_hash(),
        "blocks": weights.blocks,
        "rulesets": weights.rulesets,
        "story": weights.story,
    }
    return json.loads(json.dumps(about))  # type: ignore[no-any-return]


def content_digest(arrays: Mapping[str, NDArray[Any]], about: Mapping[str, Any]) -> str:
    """A digest over all of a file's content but the digest itself."""
    digest = hashlib.sha256(json.dumps(about, sort_keys=True).encode())
    for name in sorted(arrays):
        digest.update(f"{name} {arrays[name].dtype} {arrays[name].shape};".encode())
        digest.update(np.ascontiguousarray(arrays[name]).tobytes())
    return digest.hexdigest()
