"""Small networks with weights drawn from a seed, for tests of those that play."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solo_env.actions import N_ACTIONS
from solo_env.rules import load_ruleset
from training.config import DEFAULT_BLOCKS
from training.features import HIDDEN_FEATURES, MAX_ACTIVE, N_HIDDEN, PAD, feature_table
from training.weights import Weights, from_layers, ruleset_id


def drawn_layers(widths: Sequence[int], seed: int = 0) -> list[tuple[NDArray[Any], NDArray[Any]]]:
    """Weights and biases of layers, such that values neither grow nor vanish."""
    rng = np.random.default_rng(seed)
    return [
        (
            rng.normal(0, np.sqrt(2 / min(n_in, 50)), (n_in, n_out)).astype(np.float32),
            rng.normal(0, 0.1, n_out).astype(np.float32),
        )
        for n_in, n_out in pairwise(widths)
    ]


def drawn_weights(
    hidden: Sequence[int] = (24, 16),
    seed: int = 0,
    story: Mapping[str, Any] | None = None,
    blocks: tuple[str, ...] = DEFAULT_BLOCKS,
) -> Weights:
    """A network that plays pagat, as one untrained would."""
    layers = drawn_layers((feature_table(blocks).n, *hidden, N_ACTIONS), seed)
    return from_layers(layers, blocks, [ruleset_id(load_ruleset("pagat"))], {} if story is None else story)


def some_ids(n: int, n_features: int, hidden: bool = False) -> NDArray[np.int16]:
    """Lists of features as positions have them: distinct, of different lengths, filled up with PAD."""
    rng = np.random.default_rng(0)
    ids = np.full((n, MAX_ACTIVE + N_HIDDEN), PAD, np.int16)
    for row in ids:
        active = rng.integers(1, min(90, n_features))
        row[:active] = np.sort(rng.permutation(n_features)[:active])
        if hidden:
            row[MAX_ACTIVE : MAX_ACTIVE + 20] = n_features + np.sort(rng.permutation(HIDDEN_FEATURES)[:20])
    return ids


@cache
def single_layer(number: int) -> NDArray[np.float32]:
    """A network of one layer on the default blocks that has learnt nothing; the last row is that of PAD."""
    drawn = np.random.default_rng(number).normal(size=(feature_table(DEFAULT_BLOCKS).n + 1, N_ACTIONS)) * 0.3
    drawn[-1] = 0
    return drawn.astype(np.float32)


def drawn_logits(ids: NDArray[np.int16], number: int) -> NDArray[np.float32]:
    return single_layer(number)[ids].sum(1)


def wild(ids: NDArray[np.int16]) -> NDArray[np.float32]:
    return drawn_logits(ids, 1)
