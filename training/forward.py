"""A forward pass without torch, on kernels.

A position is the short list of its features (:mod:`training.features`), so the first layer is a sum of as many
rows of its weights. The other layers are plain, with ReLU between them; an input that is 0, as about half of them
are behind a ReLU, brings nothing and is left out. Rows are added eight at a time, always the same eight for the
same position and without fused operations: a decision does not depend on the batch, nor on the processor.

Axes: N decisions, M places for the features of one, L layers.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solo_env.engine._jit import kernel

ROWS_AT_ONCE = 8
# Decisions that pass a layer together, so that its weights stay in the processor's second cache. With three layers
# of 512 a decision takes 40 us and not 63; with three of 256, which fit all but wholly, 11.5 and not 12.1.
DECISIONS_AT_ONCE = 64


class Layers(NamedTuple):
    """A network of any size, one type to the compiler."""

    numbers: NDArray[np.float32]  # layer by layer its weights [in, out], row by row, and its biases [out]
    shapes: NDArray[np.int64]  # [L, 2], inputs and outputs of each layer


class Scratch(NamedTuple):
    """What a forward pass works in."""

    values: NDArray[np.float32]  # two sheets with a row of the widest layer for each decision
    places: NDArray[np.int64]  # where the rows to be added begin
    factors: NDArray[np.float32]  # what they are multiplied by


def new_scratch(widest: int, decisions: int, active: int) -> Scratch:
    """Room for so many decisions at once in layers of ``widest`` outputs, with at most ``active`` features each."""
    most = max(widest, active) + ROWS_AT_ONCE
    return Scratch(
        np.empty(2 * decisions * widest, np.float32), np.empty(most, np.int64), np.empty(most, np.float32)
    )


@kernel
def forward_rows(
    ids: NDArray[np.int16], layers: Layers, scratch: Scratch, room: int, out: NDArray[np.float32]
) -> None:
    """Fill ``out`` (float32 [N * outputs]) from ids [N, M]; those behind the first negative one do not count.

    ``room`` is how many decisions ``scratch`` was made for.
    """
    numbers, shapes, values = layers.numbers, layers.shapes, scratch.values
    n_layers, widest = len(shapes), len(values) // (2 * room)
    for first in range(0, len(ids), room):
        decisions, at = min(room, len(ids) - first), 0
        for layer in range(n_layers):
            n_in, width = shapes[layer, 0], shapes[layer, 1]
            bias = at + n_in * width
            for i in range(decisions):
                if layer == 0:
                    n = take_features(ids[first + i], at, width, scratch)
                else:
                    n = take_values(values, ((layer - 1) % 2 * room + i) * widest, n_in, at, width, scratch)
                if layer == n_layers - 1:
                    add_rows(numbers, bias, width, n, scratch, out, (first + i) * width)
                else:
                    add_rows(numbers, bias, width, n, scratch, values, (layer % 2 * room + i) * widest)
            at = bias + width


@kernel
def take_features(ids: NDArray[np.int16], at: int, width: int, scratch: Scratch) -> int:
    """Note the rows of the first layer that a position's features pick; returns how many."""
    n = 0
    while n < len(ids) and ids[n] >= 0:
        scratch.places[n] = at + ids[n] * width
        scratch.factors[n] = 1.0
        n += 1
    return n


@kernel
def take_values(values: NDArray[np.float32], start: int, n_in: int, at: int, width: int, scratch: Scratch) -> int:
    """Note the rows of a layer whose inputs (``n_in`` of ``values`` from ``start`` on) are above 0; how many."""
    n = 0
    for j in range(n_in):
        scratch.places[n] = at + j * width  # overwritten by the next, unless it counts: no branch to mispredict
        scratch.factors[n] = values[start + j]
        n += values[start + j] > 0
    return n


@kernel
def add_rows(
    numbers: NDArray[np.float32],
    bias: int,
    width: int,
    n: int,
    scratch: Scratch,
    to: NDArray[np.float32],
    start: int,
) -> None:
    """Fill ``width`` of ``to`` from ``start`` on with the biases and the noted ``n`` rows times their factors.

    What fills up the last eight is a row times 0. Places have no sign for the compiler's sake: one that may be
    below 0 counts from the end in Python, and a loop that looks for that is not put into vectors.
    """
    places, factors = scratch.places, scratch.factors
    for k in range(n, n + -n % ROWS_AT_ONCE):
        places[k], factors[k] = bias, 0.0
    z, p = np.uint64(start), np.uint64(bias)
    for i in range(width):
        j = np.uint64(i)
        to[z + j] = numbers[p + j]
    for k in range(0, n, ROWS_AT_ONCE):
        a, b = np.uint64(places[k]), np.uint64(places[k + 1])
        c, d = np.uint64(places[k + 2]), np.uint64(places[k + 3])
        e, f = np.uint64(places[k + 4]), np.uint64(places[k + 5])
        g, h = np.uint64(places[k + 6]), np.uint64(places[k + 7])
        q, r, s, t = factors[k], factors[k + 1], factors[k + 2], factors[k + 3]
        u, v, w, x = factors[k + 4], factors[k + 5], factors[k + 6], factors[k + 7]
        for i in range(width):
            j = np.uint64(i)
            to[z + j] += ((q * numbers[a + j] + r * numbers[b + j]) + (s * numbers[c + j] + t * numbers[d + j])) + (
                (u * numbers[e + j] + v * numbers[f + j]) + (w * numbers[g + j] + x * numbers[h + j])
            )
