"""Numbers as a report shows them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

UNITS, SHARE, POINTS, SCORE = "units", "share", "points", "score"
NOTHING = "–"
SMALL = 0.001  # shares below have a digit more


def signed(value: float, places: int) -> str:
    """A number with its sign, a true minus; what rounds to 0 has none."""
    text = f"{value:+.{places}f}"
    return (text if text.strip("+-0.") else text[1:]).replace("-", "−")


def shown(value: float | None, kind: str) -> str:
    """A number: UNITS with sign, SHARE and POINTS (a difference of shares) in per cent, SCORE plain."""
    if value is None:
        return NOTHING
    if kind == UNITS:
        return signed(value, 3)
    if kind == SCORE:
        return f"{value:.4f}"
    places = 1 if value == 0 or abs(value) >= SMALL else 2
    return f"{signed(100 * value, places) if kind == POINTS else f'{100 * value:.{places}f}'}\u00a0%"


def shown_ends(ends: Sequence[float] | None, kind: str) -> str:
    """An interval, without the sign of per cent that its mean has."""
    if ends is None:
        return NOTHING
    low, high = (shown(end, kind).removesuffix("\u00a0%") for end in ends)
    return f"[{low},\u00a0{high}]"


def shown_with_ends(found: Mapping[str, Any] | None, kind: str) -> str:
    """A measured number with its interval, in per cent where the number is."""
    if found is None or found["mean"] is None:
        return NOTHING
    return f"{shown(found['mean'], kind)} {shown_ends(found['interval95'], kind)}"


def plain(value: float) -> str:
    """A number without a sign to show."""
    return f"{value:.3f}".replace("-", "−")


def counted(number: int, what: str) -> str:
    """A number with its noun: "1 deal", "2,000 deals"."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"
