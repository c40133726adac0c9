"""Observations for Python: named views on a buffer, the meaning of a column, the Gymnasium spaces."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from solo_env.actions import N_ACTIONS
from solo_env.layout import BLOCKS, N_FEATURES, OFFSETS, block, where

__all__ = ["N_FEATURES", "columns", "named_view", "observation_space", "scale", "where"]


def named_view(buffer: NDArray[np.int8]) -> dict[str, NDArray[np.int8]]:
    """The blocks of observations ``[..., F]`` by name, each a view of the buffer shaped ``[..., *block]``."""
    if buffer.shape[-1] != N_FEATURES:
        raise ValueError(f"an observation has {N_FEATURES} columns; this buffer has {buffer.shape[-1]}.")
    return {
        b.name: buffer[..., OFFSETS[b.name] : OFFSETS[b.name] + b.size].reshape(*buffer.shape[:-1], *b.shape)
        for b in BLOCKS
    }


def columns(names: Sequence[str]) -> NDArray[np.int64]:
    """An int64 [n] of the columns that the named blocks take, in the order given."""
    return np.concatenate([OFFSETS[row.name] + np.arange(row.size) for row in map(block, names)])


def scale() -> NDArray[np.float32]:
    """What to divide each column by to bring it to -1..1, float32 [F]."""
    return np.concatenate([np.full(b.size, b.high, np.float32) for b in BLOCKS])


def observation_space() -> spaces.Dict:
    """The space of one seat's observation: ``observation`` int8 [F] and ``action_mask`` int8 [A]."""
    low = np.concatenate([np.full(b.size, b.low, np.int8) for b in BLOCKS])
    high = np.concatenate([np.full(b.size, b.high, np.int8) for b in BLOCKS])
    return spaces.Dict(
        {
            "observation": spaces.Box(low, high, dtype=np.int8),
            "action_mask": spaces.Box(0, 1, (N_ACTIONS,), np.int8),
        }
    )
