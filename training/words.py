"""Counts and times in few letters, as a screen and a page tell them."""

from __future__ import annotations

MILLION, THOUSAND = 1_000_000, 1_000


def quantity(number: float) -> str:
    """A count in few letters: "812", "45.1 k", "8.40 M"."""
    if round(number) < THOUSAND:
        return f"{number:.0f}"
    if number < MILLION - THOUSAND / 20:  # which would be told as 1000.0 k
        return f"{number / THOUSAND:.1f} k"
    return f"{number / MILLION:.2f} M"


def duration(seconds: float) -> str:
    """A time in few letters: "45 s", "12 min", "1 h 05 min"."""
    whole = round(seconds)
    if whole < 60:  # noqa: PLR2004 - of a minute
        return f"{whole} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60:02d} min"  # noqa: PLR2004
