"""Comparing checkpoints: the same content, not the same bytes, is what equal runs have."""

from __future__ import annotations

from pathlib import Path

import torch

from training.checkpoint import read_content


def same_content(first: Path, second: Path) -> bool:
    """Whether two checkpoints hold the same, bit for bit."""

    def equal(a: object, b: object) -> bool:
        if isinstance(a, torch.Tensor) and isinstance(b, torch.Tensor):
            return a.dtype == b.dtype and torch.equal(a, b)
        if isinstance(a, dict) and isinstance(b, dict):
            return a.keys() == b.keys() and all(equal(a[key], b[key]) for key in a)
        if isinstance(a, list) and isinstance(b, list):
            return len(a) == len(b) and all(map(equal, a, b))
        return type(a) is type(b) and a == b

    return equal(read_content(first), read_content(second))
