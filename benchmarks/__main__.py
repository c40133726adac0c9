"""The front: ``python -m benchmarks`` measures this machine; --help lists the items."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.measure import ONE_THREAD, Effort

os.environ.update(ONE_THREAD)  # before NumPy starts its threads; SoloVectorEnv has threads of its own

from benchmarks import engine, faces, machine, peers, players, startup, training
from benchmarks.results import Outcome, Row, as_json, claim_line, claims_met, row_line
from solo_env.files import write_whole

ITEMS: dict[str, Callable[[Effort], Outcome]] = {
    "engine": engine.engine,
    "observation": engine.observation,
    "batch": engine.batch,
    "threads": engine.threads,
    "rulesets": engine.rulesets,
    "aec": faces.aec,
    "seat": faces.seat,
    "players": players.players,
    "records": faces.records,
    "startup": startup.startup,
    "memory": startup.memory,
    "training": training.training,
    "peers": peers.peers,
}
ROUNDS, SECONDS = 7, 0.5
QUICK_ROUNDS, QUICK_SECONDS = 3, 0.2


def main(arguments: list[str] | None = None) -> int:
    """Measure and print; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description="Measure the speed of Solo Whist here."
    )
    parser.add_argument("--only", nargs="+", choices=ITEMS, metavar="ITEM", help=f"of {', '.join(ITEMS)}")
    parser.add_argument(
        "--peers", action="store_true", help="the peers too, where make bench-peers has set them up"
    )
    parser.add_argument("--quick", action="store_true", help="a short look: fewer and shorter rounds, fewer sizes")
    parser.add_argument("--json", type=Path, metavar="FILE", help="keep the results there too")
    parser.add_argument("--rounds", type=int, help=f"rounds, of which the median is taken ({ROUNDS})")
    parser.add_argument("--seconds", type=float, help=f"seconds for each contender in a round ({SECONDS})")
    given = parser.parse_args(arguments)
    effort = Effort(
        given.rounds or (QUICK_ROUNDS if given.quick else ROUNDS),
        given.seconds or (QUICK_SECONDS if given.quick else SECONDS),
        given.quick,
    )
    rows: list[Row] = []
    notes: list[str] = []
    facts = machine.facts() | {"rounds": effort.rounds, "seconds": effort.seconds}
    print(f"{facts['machine']}, {facts['cores']} cores, load {facts['load'][0]}, commit {facts['commit'][:8]}")
    items = given.only or [name for name in ITEMS if name != "peers"]
    items += ["peers"] if given.peers and "peers" not in items else []
    for item in items:
        start = time.perf_counter()
        outcome = ITEMS[item](effort)
        rows += outcome.rows
        notes += outcome.notes
        print(f"\n{item} ({time.perf_counter() - start:.0f} s)")
        print("\n".join([*map(row_line, outcome.rows), *outcome.notes]), flush=True)
    if {"peers", "training"} & set(items):
        facts["versions"] |= peers.versions()
    print("\nwhat the project asks of itself")
    print("\n".join(map(claim_line, claims_met(rows))))
    if given.json:
        write_whole(given.json, as_json(facts, rows, notes).encode())
    return 0


if __name__ == "__main__":
    sys.exit(main())
