"""Run folders as the trainer leaves them, made up for the tests of what reads them."""

from __future__ import annotations

import json
import math
from pathlib import Path

from training.config import as_toml, load_config

STAGES = {"ground": 10, "clone": 30, "cards": 40, "joint": 120}  # iterations
DECISIONS = 40_000  # of an iteration
HOURS = 0.01
REFERENCE = {
    "mix": {"PC": 0.45, "SOLO": 0.2, "MIS": 0.06, "ABU": 0.03, "OUV": 0.0, "thrown_in": 0.1},
    "made": {"PC": 0.62, "SOLO": 0.55, "MIS": 0.5, "ABU": 0.7},
}


def history(stages=STAGES):
    """The lines of a history, each a dict."""
    rows = [{"run": {"config": "", "reference": REFERENCE}}]
    step = i = 0
    for stage, iterations in stages.items():
        for iteration in range(1, iterations + 1):
            i, step = i + 1, step + DECISIONS
            at = {"step": step, "hours": round(i * HOURS, 4), "stage": stage}
            rows.append(at | {"iteration": iteration, "metrics": metrics_of(stage, i)})
            if stage in ("cards", "joint") and iteration % 10 == 0:
                for number, spec in enumerate(("novice", "club", "expert")):
                    mean = 1.0 / (number + 1) - math.exp(-i / 90) + 0.01 * math.sin(i * (number + 1))
                    match = {"spec": spec, "deals": 400, "mean": mean, "low": mean - 0.11, "high": mean + 0.12}
                    rows.append(at | {"match": match})
            if stage == "joint" and iteration in (31, 77):
                rows.append(at | {"event": f"thrown-in deals are at {iteration / 300:.0%}: anchors times 1.5 <b>&"})
    return rows


def metrics_of(stage, i):
    wave = math.sin(i * 1.7)
    if stage in ("ground", "clone"):
        return {
            "clone/loss_auction": 0.5 + math.exp(-i / 9), "clone/loss_cards": 0.7 + math.exp(-i / 9),
            "clone/agreement_auction": 0.9 - math.exp(-i / 5),
            "clone/agreement_cards": 0.8 - 0.5 * math.exp(-i / 5),
            "loss/value": 0.3, "value/explained_variance": 0.2, "speed/decisions": 41000.0 + 900 * wave,
        }  # fmt: skip
    mix = {"PC": 0.47 + 0.02 * wave, "SOLO": 0.2, "MIS": 0.05, "ABU": 0.03 + i / 20000, "OUV": 0.0}
    mix["thrown_in"] = 1 - sum(mix.values())
    return {
        **{f"mix/{name}": value for name, value in mix.items()},
        **{f"made/{name}": 0.6 + 0.02 * wave for name in ("PC", "SOLO", "MIS", "ABU")},
        **{f"calls/told/{name}": 0.61 for name in ("PC", "SOLO", "MIS", "ABU")},
        **{f"calls/made/{name}": 0.6 + 0.02 * wave for name in ("PC", "SOLO", "MIS", "ABU")},
        **{f"calls/deals/{name}": round(1024 * mix[name]) for name in ("PC", "SOLO", "MIS", "ABU")},
        "entropy/auction": 0.3 * math.exp(-i / 200), "entropy/cards": 0.25 * math.exp(-i / 300),
        "ppo/kl": 0.01 + 0.002 * wave, "ppo/lr": 3e-4 * (1 - i / 250), "ppo/clip_fraction": 0.1,
        "loss/policy": -0.003 * wave, "loss/value": 0.3 - i / 2000, "value/explained_variance": 0.3 + i / 1000,
        "magnet/auction": 0.02, "magnet/cards": 0.01, "watch/anchors": 1.5 if i > 111 else 1.0,
        "speed/decisions": 30000.0 + 900 * wave, "speed/deals": 700.0,
    }  # fmt: skip


def write_run(folder: Path, stages=STAGES) -> Path:
    """A whole run folder but for the player."""
    folder.mkdir(parents=True, exist_ok=True)
    text = "".join(json.dumps(row) + "\n" for row in history(stages))
    (folder / "history.jsonl").write_text(text, encoding="utf-8")
    (folder / "config.toml").write_text(as_toml(load_config("quick")), encoding="utf-8")
    facts = {
        "written": "2025-01-01T00:00:00Z", "commit": "0123abcd", "uncommitted_changes": True, "machine": "x86_64",
        "system": "Linux", "versions": {"python": "3.11.7"}, "command": ["solo-whist", "train", "quick"],
        "hours": 2.0, "decisions": 8_000_000, "matches": {},
    }  # fmt: skip
    (folder / "checkpoint.json").write_text(json.dumps(facts), encoding="utf-8")
    return folder
