"""The forward pass on kernels: what plain matrices say, the same bits for a position whatever else is asked."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.training.nets import drawn_layers
from training.features import PAD
from training.forward import DECISIONS_AT_ONCE, ROWS_AT_ONCE, Layers, forward_rows, new_scratch

N_FEATURES, N_OUT, MOST = 60, 9, 20
HIDDEN = ((), (1,), (7,), (33, 5), (8, 64, 3))


def drawn_ids(n: int) -> NDArray[np.int16]:
    """Rows of none to ``MOST`` features."""
    rng = np.random.default_rng(1)
    ids = np.full((n, MOST), PAD, np.int16)
    for i in range(n):
        count = i % (MOST + 1)
        ids[i, :count] = np.sort(rng.choice(N_FEATURES, count, replace=False))
    return ids


def layers_of(hidden: tuple[int, ...]) -> tuple[Layers, list[tuple[NDArray[np.float32], NDArray[np.float32]]]]:
    parts = drawn_layers((N_FEATURES, *hidden, N_OUT))
    numbers = np.concatenate([part.ravel() for layer in parts for part in layer])
    return Layers(numbers, np.array([weight.shape for weight, _ in parts], np.int64)), parts


def forward(ids: NDArray[np.int16], layers: Layers, room: int = DECISIONS_AT_ONCE) -> NDArray[np.float32]:
    out = np.full((len(ids), N_OUT), np.nan, np.float32)
    widest = int(layers.shapes[:, 1].max())
    forward_rows(ids, layers, new_scratch(widest, room, MOST), room, out.reshape(-1))
    return out


@pytest.mark.parametrize("hidden", HIDDEN)
def test_a_network_says_what_its_matrices_say(hidden: tuple[int, ...]) -> None:
    ids = drawn_ids(50)
    layers, parts = layers_of(hidden)
    x = np.zeros((len(ids), N_FEATURES))
    for i, row in enumerate(ids):
        x[i, row[row >= 0]] = 1
    for number, (weight, bias) in enumerate(parts):
        x = (np.maximum(x, 0) if number else x) @ weight.astype(np.float64) + bias
    np.testing.assert_allclose(forward(ids, layers), x, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("hidden", HIDDEN)
@pytest.mark.parametrize("room", [1, 3, DECISIONS_AT_ONCE])
def test_what_is_said_of_a_position_does_not_depend_on_the_others(hidden: tuple[int, ...], room: int) -> None:
    ids = drawn_ids(DECISIONS_AT_ONCE + 5)
    layers, _ = layers_of(hidden)
    together = forward(ids, layers)
    assert (forward(ids[::-1].copy(), layers, room)[::-1] == together).all()
    for i in (0, 1, DECISIONS_AT_ONCE, len(ids) - 1):
        assert (forward(ids[i : i + 1], layers, room) == together[i]).all()


def test_no_positions_are_no_trouble() -> None:
    assert forward(drawn_ids(0), layers_of((7,))[0]).shape == (0, N_OUT)


def test_sums_are_in_the_order_told_and_rounded_at_each_step() -> None:
    """So every processor says the same: none may add in another order, or multiply and add without rounding."""
    ids = drawn_ids(MOST + 1)
    layers, parts = layers_of((33,))
    for row, said in zip(ids, forward(ids, layers), strict=True):
        taken = row[row >= 0]
        values = added(parts[0], taken, np.ones(len(taken), np.float32))
        taken = np.flatnonzero(values > 0)
        assert (added(parts[1], taken, values[taken]) == said).all()


def added(
    layer: tuple[NDArray[np.float32], NDArray[np.float32]], rows: NDArray[np.int64], factors: NDArray[np.float32]
) -> NDArray[np.float32]:
    weight, bias = layer
    to = bias.copy()
    for k in range(0, len(rows), ROWS_AT_ONCE):
        p = np.zeros((ROWS_AT_ONCE, len(bias)), np.float32)
        some = slice(k, k + ROWS_AT_ONCE)
        p[: len(rows[some])] = factors[some, None] * weight[rows[some]]
        to += ((p[0] + p[1]) + (p[2] + p[3])) + ((p[4] + p[5]) + (p[6] + p[7]))
    return to


@pytest.mark.jit_only
def test_networks_of_all_sizes_are_one_compiled_kernel() -> None:
    for hidden in HIDDEN:
        forward(drawn_ids(3), layers_of(hidden)[0])
    assert len(forward_rows.signatures) == 1  # type: ignore[attr-defined]
