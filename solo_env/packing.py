"""Forms of an observation: the blocks that a policy wants, and bits for storage and transfer."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solo_env.engine.packing import BITS, unpack_rows
from solo_env.layout import BLOCKS, OFFSETS, block


class Form:
    """How observations are written: which blocks, in the order of the layout, and whether packed.

    A packed row has a bit for every column that is 0 or 1 and a byte for every other, some 300 bytes for the whole
    observation.

    Args:
        blocks: names of blocks, in any order; None for all.
        packed: whether rows are packed.

    Raises:
        ValueError: the blocks are no list of names, one is unknown or named twice, or there are none; or
            ``packed`` is no bool.
    """

    def __init__(self, blocks: Iterable[str] | None = None, packed: bool = False) -> None:
        given = tuple(blocks) if isinstance(blocks, Iterable) and not isinstance(blocks, str) else blocks
        if given is not None and not (isinstance(given, tuple) and all(isinstance(name, str) for name in given)):
            raise ValueError(f"the blocks are {blocks!r}; give a list of names.")
        if not isinstance(packed, bool | np.bool_):
            raise ValueError(f"packed is {packed!r}; it must be True or False.")
        names = [row.name for row in BLOCKS] if given is None else [block(name).name for name in given]
        if not names or len(set(names)) != len(names):
            raise ValueError(f"the blocks are {names}; give at least one, and each once.")
        self.packed = bool(packed)
        self.blocks = tuple(row.name for row in BLOCKS if row.name in names)
        self.columns = np.concatenate([OFFSETS[name] + np.arange(block(name).size) for name in self.blocks])
        self.n_features = len(self.columns)
        binary = np.concatenate([np.full(row.size, (row.low, row.high) == (0, 1)) for row in BLOCKS])[self.columns]
        order = np.argsort(~binary, kind="stable") if self.packed else np.arange(self.n_features)  # the bits first
        self._places = order.astype(np.int64)
        self.n_bits = int(binary.sum()) if self.packed else 0
        n_bytes = -(-self.n_bits // BITS) + self.n_features - self.n_bits
        self.width = n_bytes if self.packed else self.n_features
        whole = len(names) == len(BLOCKS) and not self.packed
        self.spans = np.zeros((0, 3), np.int64) if whole else self._spans(order)
        n_gathered = self.n_bits + -self.n_bits % BITS + self.n_features - self.n_bits
        self.n_words = -(-n_gathered // BITS) if self.packed else 0  # the room that packing a row takes

    def unpack(self, packed: NDArray[np.int8], out: NDArray[np.int8] | None = None) -> NDArray[np.int8]:
        """Packed rows int8 [N, width] as rows int8 [N, n_features], written to ``out`` if given.

        Raises:
            ValueError: the form isn't packed, or the shape or dtype is another.
        """
        self._check(packed.ndim, packed.shape, str(packed.dtype))
        rows = np.empty((len(packed), self.n_features), np.int8) if out is None else out
        if rows.shape != (len(packed), self.n_features) or rows.dtype != np.int8 or not rows.flags.c_contiguous:
            raise ValueError(f"out must be C-contiguous int8 {(len(packed), self.n_features)}.")
        unpack_rows(np.ascontiguousarray(packed), self._places, self.n_bits, rows)
        return rows

    def unpack_torch(self, packed: Any) -> Any:
        """The same for a ``torch.Tensor``, on its own device: int8 [N, width] to int8 [N, n_features].

        Raises:
            ValueError: the form isn't packed, or the shape or dtype is another.
        """
        self._check(packed.ndim, tuple(packed.shape), str(packed.dtype).removeprefix("torch."))
        n_bytes = -(-self.n_bits // BITS)
        # All tensors are made by the one given, so nothing here imports torch.
        places = packed.new_zeros(0).long().new_tensor(self._places)
        bits = (packed[:, :n_bytes, None] >> packed.new_tensor(range(BITS)) & 1).flatten(1)
        rows = packed.new_empty((len(packed), self.n_features))
        rows[:, places[: self.n_bits]] = bits[:, : self.n_bits]
        rows[:, places[self.n_bits :]] = packed[:, n_bytes:]
        return rows

    def _spans(self, order: NDArray[np.intp]) -> NDArray[np.int64]:
        """Runs of the columns kept, in ``order``: from, to and where they go, int64 [n, 3]."""
        goes_to = np.arange(self.n_features)
        goes_to[self.n_bits :] += -self.n_bits % BITS  # what follows the bits begins a byte
        breaks = np.diff(self.columns[order]) != 1
        if 0 < self.n_bits < self.n_features:
            breaks[self.n_bits - 1] = True
        starts = np.flatnonzero(np.concatenate([[True], breaks]))
        lengths = np.diff([*starts, self.n_features])
        first = self.columns[order][starts]
        return np.stack([first, first + lengths, goes_to[starts]], axis=1).astype(np.int64)

    def _check(self, ndim: int, shape: Any, dtype: str) -> None:
        if not self.packed:
            raise ValueError("this form is not packed: there is nothing to unpack.")
        if ndim != 2 or shape[1] != self.width or dtype != "int8":  # noqa: PLR2004 - rows of columns
            raise ValueError(f"packed rows are int8 [N, {self.width}]; these are {dtype} {list(shape)}.")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Form) and (self.blocks, self.packed) == (other.blocks, other.packed)

    def __hash__(self) -> int:
        return hash((self.blocks, self.packed))
