"""Where and with what a measurement was made."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from benchmarks.measure import ROOT

PACKAGES = ("solo-whist", "numpy", "numba", "gymnasium", "pettingzoo")


def facts() -> dict[str, Any]:
    """Machine, commit and versions."""
    return {
        "machine": cpu_model(),
        "cores": os.cpu_count(),
        "load": [round(load, 2) for load in os.getloadavg()],
        "system": platform.platform(),
        "commit": commit(),
        "versions": versions(PACKAGES),
    }


def cpu_model() -> str:
    """The processor by name."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.machine())


def commit() -> str:
    """The commit that is checked out, with a plus where files differ from it; "unknown" outside a repository."""

    def git(*words: str) -> str:
        return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()

    try:
        return git("rev-parse", "HEAD") + ("+" if git("status", "--porcelain", "--untracked-files=no") else "")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def versions(packages: tuple[str, ...]) -> dict[str, str]:
    """The installed versions of packages, and Python's."""
    found = {"python": platform.python_version()}
    for name in packages:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


if __name__ == "__main__":
    print(json.dumps(versions(tuple(sys.argv[1:]))))
