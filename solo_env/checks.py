"""Checks at the door, each answered with a sentence."""

from __future__ import annotations

import operator
from typing import Any


def whole_number(what: str, value: Any, low: int, high: int | None = None) -> int:
    """``value`` as an int from ``low`` to ``high`` (None: no upper end); Python's and NumPy's integers pass.

    Raises:
        ValueError: it is no whole number, or outside the range.
    """
    try:
        number = None if isinstance(value, bool) else operator.index(value)
    except TypeError:
        number = None
    if number is None or number < low or (high is not None and number > high):
        wanted = f"of at least {low}" if high is None else f"from {low} to {high}"
        raise ValueError(f"{what} is {value!r}; it must be a whole number {wanted}.")
    return number
