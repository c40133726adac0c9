"""The script for a GPU, in its small size on the processor."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from training import gpu
from training.config import STAGES


def test_both_sides_are_measured_trained_and_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(gpu, "SMALL_DEALS", 12)
    monkeypatch.setattr(gpu, "SMALL_CLONED", 100)
    monkeypatch.setattr(gpu, "LEAST", 100)
    file = tmp_path / "gpu.json"
    assert gpu.main(["--small", "--minutes", "0.01", "--json", str(file)]) == 0
    content = json.loads(file.read_text(encoding="utf-8"))
    assert content["gpu"] is None
    assert [side["device"] for side in content["sides"]] == ["cpu", "cpu"]
    for side in content["sides"]:
        assert side["decisions_a_second"] > 0
        assert side["trained"]["decisions"] > 0
        assert side["units"]["low"] <= side["units"]["mean"] <= side["units"]["high"]
    one, other = (side["units"]["mean"] for side in content["sides"])
    assert content["difference"]["mean"] == pytest.approx(one - other)
    assert "× the decisions/s" in capsys.readouterr().out


def test_on_a_gpu_the_time_is_shared_out_within_ten_minutes() -> None:
    assert gpu.MINUTES * 2 * (gpu.TRIAL + gpu.TRAINING) < 0.8 * gpu.MINUTES
    assert gpu.MINUTES <= 10
    one, other = gpu.sides(on_gpu=True, cores=16)
    config, plain = gpu.with_budgets(one, 1e6), gpu.with_budgets(other, 1e6)
    assert (config.run.device, config.net.size, config.run.halves) == ("cuda", "base", 2)
    assert (plain.run.device, plain.net.size, plain.run.shards) == ("cpu", "small", 16)
    for budgets in (config, plain):
        assert sum(getattr(budgets, stage).decisions for stage in STAGES) == pytest.approx(1e6, rel=0.01)
