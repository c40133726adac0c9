"""What does not decide a result and stands beside it: how long it took, where, how many workers, what commit."""

from __future__ import annotations

import os
import platform
import resource
import subprocess
import sys
import time
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np


class Clock:
    """Seconds by part of a run."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._last = time.monotonic()

    def lap(self, part: str) -> None:
        """What has passed since the last lap was this part."""
        now = time.monotonic()
        self.seconds[part] = round(self.seconds.get(part, 0.0) + now - self._last, 3)
        self._last = now


def sidecar(clock: Clock, workers: int, words: list[str]) -> dict[str, Any]:
    """JSON-ready; ``words`` are the command as it was given."""
    return {
        "seconds": clock.seconds,
        "workers": workers,
        "given": words,
        "when": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "commit": commit(),
        "version": _version(),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "machine": platform.platform(),
        "cores": os.cpu_count(),
        "most_memory_mib": _most_memory(),
    }


def commit() -> str | None:
    """The commit of the checkout this runs from, with a plus where files differ from it; None outside of one."""
    here = Path(__file__).resolve().parent
    try:
        told = subprocess.run(
            ["git", "describe", "--always", "--dirty=+", "--abbrev=12", "--exclude=*"],
            cwd=here, capture_output=True, text=True, timeout=10, check=True,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return None
    return told.stdout.strip() or None


def _version() -> str | None:
    try:
        return version("solo-whist")
    except PackageNotFoundError:
        return None


def _most_memory() -> int:
    """MiB that this process has used at most; the system counts in kilobytes, on a Mac in bytes."""
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return used // (1024 * 1024 if sys.platform == "darwin" else 1024)
