"""What each part of the recipe is worth: ``python -m training.ablate`` trains it whole and with one part taken out.

Every variant is trained from several seeds, each run by one process with one thread and about as many hours, and
then plays alone among three of ``expert`` on the same deals of the book ``dev``. What is finished in the folder of
the runs is not trained again, and what was broken off goes on. With ``--write`` the docs' table is made of it.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solo_env.evaluation import play_match
from solo_env.files import write_whole
from solo_env.player import make_player
from solo_env.rules import load_ruleset
from training.checkpoint import read_facts
from training.config import Config, canonical, differences, load_config
from training.counted import COUNTED
from training.paired import Mean, mean_of_runs, units_alone
from training.player import PpoPlayer
from training.train import machine_facts

ROOT = Path(__file__).resolve().parent.parent
FILE = ROOT / "docs" / "ablations.json"
BASE = "base"
OPPONENT = "expert"
SEEDS, DEALS, MIX_DEALS = (1, 2, 3), 4_000, 1_000  # deals of the match, and of self-play for the share thrown in
PER_PLAYED_OUT = 8  # decisions of PPO take about as long as one that is played out: variants have equal hours
ONE_THREAD = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")}


class AblationError(ValueError):
    """A run that failed, or one of something else in the folder; the message is a sentence."""


@dataclass(frozen=True)
class Variant:
    """The recipe with something changed."""

    meaning: str
    changes: Callable[[Config], Mapping[str, object]]  # options by name, from the base's


def without_cloning(base: Config) -> dict[str, object]:
    """Nothing is imitated, and self-play gets the budget."""
    moved = base.joint.decisions + base.clone.decisions
    return {"clone.decisions": 0, "clone.auction_weight": 0.0, "joint.decisions": moved}


def without_play_outs(base: Config) -> dict[str, object]:
    """PPO learns the cards, in the same time."""
    return {"cards.playouts": 0.0, "cards.decisions": PER_PLAYED_OUT * base.cards.decisions}


def without_ppo(base: Config) -> dict[str, object]:
    """Play-outs have the time of PPO too."""
    moved = (base.joint.decisions + base.settle.decisions) // PER_PLAYED_OUT
    return {"joint.decisions": 0, "settle.decisions": 0, "cards.decisions": base.cards.decisions + moved}


def without_anchors(base: Config) -> dict[str, object]:
    """The auction is free, and the watchdog, which would raise its anchors, cannot."""
    anchors = ("magnet", "magnet_end", "advice", "advice_end")
    free: dict[str, object] = {f"{stage}.{name}": 0.0 for stage in ("cards", "joint", "settle") for name in anchors}
    return free | {"watch.factor": 1.0}


def observed(base: Config) -> list[str]:
    """The blocks of the observation among what the networks see."""
    counted = [row.name for row in COUNTED]
    return [name for name in base.net.blocks if name not in counted]


VARIANTS: dict[str, Variant] = {
    BASE: Variant("the recipe as it is", lambda base: {}),
    "no-cloning": Variant("nothing is imitated; self-play has that budget too", without_cloning),
    "no-play-outs": Variant("cards by PPO, nothing played out", without_play_outs),
    "no-ppo": Variant("nothing by PPO, all is played out", without_ppo),
    "not-counted": Variant("nothing counted for the networks", lambda base: {"net.blocks": observed(base)}),
    "no-anchors": Variant("no magnet, no advice, no watchdog", without_anchors),
    "view-critic": Variant("the critic sees what its seat sees", lambda base: {"net.critic_sees": "view"}),
    "no-snapshots": Variant("no earlier selves at the tables", lambda base: {"opponents.snapshots": 0.0}),
    "gae-0.95": Variant(
        "advantages with lambda 0.95", lambda base: {"ppo.lambda_auction": 0.95, "ppo.lambda_cards": 0.95}
    ),
    "vrpo": Variant("advantages by expected SARSA", lambda base: {"ppo.estimator": "vrpo"}),
}


@dataclass(frozen=True)
class Plan:
    """What is trained and measured."""

    base: str  # a configuration's name or path
    overrides: tuple[str, ...] = ()  # of all variants
    variants: tuple[str, ...] = tuple(VARIANTS)
    seeds: tuple[int, ...] = SEEDS
    deals: int = DEALS

    def options(self, variant: str, seed: int) -> list[str]:
        """The overrides of a run."""
        changes = VARIANTS[variant].changes(load_config(self.base, self.overrides))
        changed = [f"{name}={json.dumps(value)}" for name, value in changes.items()]
        return [*self.overrides, f"run.seed={seed}", *changed]

    def config(self, variant: str, seed: int) -> Config:
        """The configuration of a run."""
        return load_config(self.base, self.options(variant, seed))

    @property
    def runs(self) -> list[tuple[str, int]]:
        """All runs; those of a seed together, so that what is there after a while compares."""
        return [(variant, seed) for seed in self.seeds for variant in self.variants]


def folder_of(out: Path, variant: str, seed: int) -> Path:
    """The folder of a run."""
    return out / f"{variant}-{seed}"


def train_all(plan: Plan, out: Path, workers: int, say: Callable[[str], None] = print) -> None:
    """Train what is not trained yet, ``workers`` runs at a time.

    Raises:
        AblationError: runs failed, the others being done; or the folder holds a run of another configuration.
    """
    for variant, seed in plan.runs:
        check_folder(folder_of(out, variant, seed), plan.config(variant, seed))

    def train_one(run: tuple[str, int]) -> str | None:
        folder, name = folder_of(out, *run), f"{run[0]}, seed {run[1]}"
        if is_finished(folder):
            return None
        failure = train_one_run(plan, folder, *run)
        say(f"{name}: {failure or 'trained'}")
        return f"{name}: {failure}" if failure else None

    with ThreadPoolExecutor(workers) as threads:
        failures = [failure for failure in threads.map(train_one, plan.runs) if failure]
    if failures:
        raise AblationError(f"{len(failures)} runs failed: {'; '.join(failures)}")


def train_one_run(plan: Plan, folder: Path, variant: str, seed: int) -> str | None:
    """Train in a process of its own, going on where it was broken off; the last thing it said if it failed."""
    command = [sys.executable, "-m", "training.cli", "train", plan.base, "--run", str(folder)]
    command += ["--quiet", "--processes", "1"]
    command += [word for option in plan.options(variant, seed) for word in ("--set", option)]
    command += ["--resume"] if (folder / "checkpoint.pt").exists() else []
    done = subprocess.run(command, env=os.environ | ONE_THREAD, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return None
    said = done.stderr.strip().splitlines()
    return said[-1] if said else f"it ended with exit code {done.returncode}."


def is_finished(folder: Path) -> bool:
    """Whether a run is trained; the last thing that it writes is its matches."""
    return (folder / "matches.json").exists()


def check_folder(folder: Path, config: Config) -> None:
    """Refuse the run of another configuration.

    Raises:
        AblationError: it is one.
    """
    file = folder / "config.toml"
    if file.exists():
        changed = differences(canonical(load_config(file)), canonical(config))
        if changed:
            told = ", ".join(changed)
            raise AblationError(f"{folder} holds another run: {told} (its, yours); name another folder.")


# --- What came of it


def measure(plan: Plan, out: Path) -> dict[str, Any]:
    """Play the matches of trained runs, and what they say of each variant, JSON-ready; the best ones first."""
    units: dict[str, NDArray[np.float64]] = {}
    rows: list[dict[str, Any]] = []
    for variant in plan.variants:
        found = [measure_run(folder_of(out, variant, seed), plan.deals) for seed in plan.seeds]
        units[variant] = np.array([one["units"] for one in found])
        rows.append(
            {
                "variant": variant,
                "meaning": VARIANTS[variant].meaning,
                "units": as_json(mean_of_runs(units[variant])),
                "by_seed": [round(float(mean), 4) for mean in units[variant].mean(1)],
                "thrown_in": round(float(np.mean([one["thrown_in"] for one in found])), 4),
                "hours": round(float(np.mean([one["hours"] for one in found])), 4),
            }
        )
    if BASE in units:
        for row in rows:
            row["to_base"] = as_json(mean_of_runs(units[row["variant"]] - units[BASE]))
    rows.sort(key=lambda row: -row["units"]["mean"])
    facts = machine_facts()
    config = load_config(plan.base, plan.overrides)
    stages = (config.ground, config.clone, config.cards, config.joint, config.settle)
    return {
        "config": Path(plan.base).stem,
        "overrides": list(plan.overrides),
        "ruleset": config.run.ruleset,
        "decisions": sum(stage.decisions for stage in stages),
        "seeds": list(plan.seeds),
        "deals": plan.deals,
        "opponent": OPPONENT,
        "book": "dev",
        "machine": facts["machine"],
        "commit": facts["commit"],
        "rows": rows,
    }


def measure_run(folder: Path, deals: int) -> dict[str, Any]:
    """Units a deal, share of its own auctions thrown in, and hours of a trained run; kept beside it."""
    player_file, kept = folder / "player.npz", folder / f"units-{deals}.json"
    if kept.exists() and kept.stat().st_mtime_ns > player_file.stat().st_mtime_ns:
        return dict(json.loads(kept.read_text(encoding="utf-8")))
    ruleset = load_ruleset(load_config(folder / "config.toml").run.ruleset)
    player = PpoPlayer(ruleset, path=str(player_file))
    mix = play_match(player, player, ruleset, min(deals, MIX_DEALS), book="dev").contract_mix
    found = {
        "units": units_alone(player, make_player(OPPONENT, ruleset), ruleset, deals).tolist(),
        "thrown_in": mix["thrown_in"],
        "hours": float(read_facts(folder / "checkpoint.pt").get("hours", 0)),
    }
    write_whole(kept, json.dumps(found).encode())
    return found


def as_json(found: Mean) -> dict[str, float]:
    """A mean and its interval, JSON-ready."""
    return {name: round(value, 4) for name, value in found._asdict().items()}


def ablations_table(content: Mapping[str, Any] | None = None) -> str:
    """What the variants are worth, as Markdown; by default as it was written down last, if it ever was."""
    if content is None and not FILE.is_file():
        return "Not measured yet."
    if content is None:
        content = json.loads(FILE.read_text(encoding="utf-8"))
    lines = [
        "| variant | units a deal | 95 % interval | by seed | to `base`, 95 % interval | thrown in | hours a run |",
        "|---" * 7 + "|",
    ]
    for row in content["rows"]:
        units, to_base = row["units"], row.get("to_base")
        difference = ""
        if to_base and row["variant"] != BASE:
            difference = f"{to_base['mean']:+.3f} ({to_base['low']:+.3f} … {to_base['high']:+.3f})"
        cells = [
            f"`{row['variant']}`: {row['meaning']}",
            f"{units['mean']:+.3f}",
            f"{units['low']:+.3f} … {units['high']:+.3f}",
            ", ".join(f"{mean:+.2f}" for mean in row["by_seed"]),
            difference,
            f"{100 * row['thrown_in']:.1f} %",
            f"{row['hours']:.2f}",
        ]
        lines.append(f"| {' | '.join(cells)} |")
    seeds = ", ".join(map(str, content["seeds"]))
    return "\n".join(
        [
            *lines,
            "",
            f"Alone among three of `{content['opponent']}`, {content['deals']:,} deals × 4 seats of the book "
            f"`{content['book']}` under `{content['ruleset']}`; the configuration `{content['config']}`, "
            f"{content['decisions'] / 1e6:.3g} million decisions a run on one core, seeds {seeds}. The intervals "
            f"are for other seeds and other deals. {verdict(content['rows'])}",
        ]
    )


def verdict(rows: Sequence[Mapping[str, Any]]) -> str:
    """Which variant is best, and which are clearly worse or better than the base, in sentences."""
    compared = [row for row in rows if "to_base" in row and row["variant"] != BASE]
    better = [f"`{row['variant']}`" for row in compared if row["to_base"]["low"] > 0]
    worse = [f"`{row['variant']}`" for row in compared if row["to_base"]["high"] < 0]
    return (
        f"Best by the mean: `{rows[0]['variant']}`. Clearly better than `{BASE}`: {', '.join(better) or 'none'}. "
        f"Clearly worse than `{BASE}`: {', '.join(worse) or 'none'}."
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Train, measure and print."""
    parser = argparse.ArgumentParser(
        prog="python -m training.ablate", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--base", default="ablation", metavar="CONFIG", help="the recipe (ablation)")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", dest="overrides",
        help="override an option in all runs")  # fmt: skip
    parser.add_argument("--only", nargs="+", choices=VARIANTS, default=list(VARIANTS), metavar="VARIANT",
        help=f"of {', '.join(VARIANTS)}")  # fmt: skip
    parser.add_argument("--seeds", nargs="+", type=int, default=list(SEEDS), metavar="S", help="(1 2 3)")
    parser.add_argument("--deals", type=int, default=DEALS, metavar="N", help=f"of the matches ({DEALS})")
    parser.add_argument("--workers", type=int, default=2, metavar="N", help="runs at a time, one core each (2)")
    parser.add_argument("--out", type=Path, default=Path("runs/ablations"), metavar="DIR", help="(runs/ablations)")
    parser.add_argument("--write", action="store_true", help="keep the figures for the documentation")
    given = parser.parse_args(arguments)
    plan = Plan(given.base, tuple(given.overrides), tuple(given.only), tuple(given.seeds), given.deals)
    try:
        train_all(plan, given.out, given.workers)
        content = measure(plan, given.out)
    except (ValueError, OSError) as error:
        print(f"training.ablate: {error}", file=sys.stderr)
        return 2
    print(ablations_table(content))
    if given.write:
        write_whole(FILE, (json.dumps(content, indent=1) + "\n").encode())
    return 0


if __name__ == "__main__":
    sys.exit(main())
