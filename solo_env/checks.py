"""Checks at the door, each answered with a sentence."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray


def whole_number(what: str, value: Any, low: int, high: int | None = None) -> int:
    """``value`` as an int from ``low`` to ``high`` (None: no upper end); Python's and NumPy's integers pass.

    Raises:
        ValueError: it is no whole number, or outside the range.
    """
    if type(value) is int and low <= value and (high is None or value <= high):
        return value  # the usual case, at every action of a game
    try:
        number = None if isinstance(value, bool) else operator.index(value)
    except TypeError:
        number = None
    if number is None or number < low or (high is not None and number > high):
        wanted = f"of at least {low}" if high is None else f"from {low} to {high}"
        raise ValueError(f"{what} is {value!r}; it must be a whole number {wanted}.")
    return number


def whole_actions(actions: ArrayLike, n: int) -> NDArray[np.integer[Any]]:
    """``actions`` as an array [n] of whole numbers, of whatever size: which of them are legal is asked elsewhere.

    Raises:
        ValueError: they are no whole numbers, or not n.
    """
    try:
        chosen = np.asarray(actions)
    except ValueError:
        raise ValueError(f"the actions are ragged; give whole numbers of shape ({n},).") from None
    if chosen.shape != (n,) or chosen.dtype.kind not in "iu":  # np.issubdtype takes 2 µs, ten between kernels
        raise ValueError(
            f"actions have shape {chosen.shape} and dtype {chosen.dtype}; give whole numbers of shape ({n},)."
        )
    return chosen
