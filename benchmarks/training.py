"""The trainer: decisions learnt from a second, beside what its networks' passes alone allow, and beside a peer."""

from __future__ import annotations

import sys

from benchmarks import peers
from benchmarks.measure import Effort, Together, Worker, measure_in_turns
from benchmarks.results import Outcome

DEALS, CLONED = 2048, 300_000  # of an iteration, as by default; decisions of the teacher before the clock runs
QUICK_DEALS, QUICK_CLONED = 64, 2_000
SECONDS = 10.0  # at least, for each contender in a round: an iteration takes one or two
CORES = {"one": "one core", "two": "two cores"}


def training(effort: Effort) -> Outcome:
    """Self-play with small networks on one core and on two; what passes alone allow; the peer on one core."""
    outcome = Outcome()
    contenders = ours(effort.quick)
    if peers.PYTHON.exists():
        size = "quick" if effort.quick else "whole"
        contenders.append(Worker("peer", [str(peers.PYTHON), "-W", "ignore", "-m", "benchmarks.peers.sb3", size]))
    else:
        outcome.notes.append("MaskablePPO is left out: there is no .venv-peers; make bench-peers makes it.")
    seconds = effort.seconds if effort.quick else max(effort.seconds, SECONDS)
    rates, missing = measure_in_turns(contenders, Effort(effort.rounds, seconds, effort.quick))
    outcome.notes += missing
    for cores, label in CORES.items():
        learnt, passes = rates[cores], rates[f"passes_{cores}"]
        outcome.rates(f"training.{cores}", f"the trainer, networks small, {label}", learnt, "decisions/s")
        outcome.rates(f"training.passes_{cores}", f"its networks' passes alone, {label}", passes, "decisions/s")
        outcome.ratios(f"training.share_{cores}", f"the trainer to passes alone, {label}", learnt, passes)
    if "peer" in rates:
        label = "MaskablePPO on SeatEnv, the same networks, one core"
        outcome.rates("training.peer_rate", label, rates["peer"], "decisions/s")
        outcome.ratios("training.peer", "the trainer to that, one core", rates["one"], rates["peer"])
    return outcome


def ours(quick: bool) -> list[Worker | Together]:
    """The trainer and its passes, on one core and on two."""
    size = [str(QUICK_DEALS), str(QUICK_CLONED)] if quick else [str(DEALS), str(CLONED)]
    command = [sys.executable, "-m", "benchmarks.trainer"]
    halves = [Worker(f"passes_{part}", [*command, "passes", "2", str(part), *size], part) for part in range(2)]
    return [
        Worker("one", [*command, "train", "1", *size]),
        Worker("passes_one", [*command, "passes", "1", "0", *size]),
        Worker("two", [*command, "train", "2", *size], core=None),
        Together("passes_two", halves),
    ]
