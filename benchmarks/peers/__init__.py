"""Peers in turns with ours: A B A B, each in a process of its own, theirs in the environment ``.venv-peers``."""

from __future__ import annotations

import json
import subprocess
import sys
from statistics import median
from typing import NamedTuple

from benchmarks.measure import ROOT, Effort, Unavailable, Worker, measure_pairs
from benchmarks.results import Outcome

PYTHON = ROOT / ".venv-peers" / "bin" / "python"
OURS = {"play": "one kernel", "step": "batched step", "aec": "raw_env"}
PACKAGES = ("open-spiel", "rlcard", "pettingzoo", "shimmy", "pgx", "jax", "numpy", "torch", "sb3-contrib")
TRICK_GAMES = ("bridge", "spades", "hearts", "skat", "euchre")


class Kind(NamedTuple):
    """A way to play at random that several games of a peer offer, and what of ours is held against it."""

    name: str
    label: str
    ours: str  # of faces.for_peers
    module: str
    games: tuple[str, ...]


KINDS = (
    Kind("bots", "OpenSpiel evaluate_bots", "play", "openspiel", TRICK_GAMES),
    Kind("loop", "OpenSpiel Python loop", "play", "openspiel", TRICK_GAMES),
    Kind("observe", "OpenSpiel Observation.set_from + mask", "step", "openspiel", TRICK_GAMES),
    Kind("sync", "OpenSpiel SyncVectorEnv(16)", "step", "openspiel", TRICK_GAMES),
    Kind("pgx", "pgx, jitted scan of a batch of 4,096", "step", "pgx_games", ("bridge_bidding",)),
    Kind("rlcard", "RLCard reset, step", "aec", "rlcard_games", ("bridge", "uno", "limit-holdem")),
    Kind(
        "classic",
        "PettingZoo agent_iter, last, step",
        "aec",
        "pettingzoo_games",
        ("connect_four_v3", "texas_holdem_v4", "hanabi_v5", "shimmy_bridge"),
    ),
)


def peers(effort: Effort) -> Outcome:
    """All peers, kind by kind; a kind's own row is the ratio to the fastest of its games."""
    outcome = Outcome()
    if not PYTHON.exists():
        outcome.notes.append("The peers are left out: there is no .venv-peers; make bench-peers makes it.")
        return outcome
    for kind in KINDS:
        games = kind.games[:1] if effort.quick else kind.games
        ours = Worker(kind.ours, [sys.executable, "-m", "benchmarks.peers.ours", kind.ours])
        theirs = [
            Worker(game, [str(PYTHON), "-W", "ignore", "-m", f"benchmarks.peers.{kind.module}", kind.name, game])
            for game in games
        ]
        try:
            found, missing = measure_pairs(ours, theirs, effort)
        except Unavailable as reason:
            outcome.notes.append(str(reason))
            continue
        outcome.notes += missing
        if not found:
            continue
        for game, (our_rates, their_rates) in found.items():
            outcome.rates(f"peers.{kind.name}.{game}.rate", f"{kind.label}: {game}", their_rates)
            key = f"peers.{kind.name}.{game}"
            outcome.ratios(key, f"ours ({OURS[kind.ours]}) to that", our_rates, their_rates)
        fastest = max(found, key=lambda game: median(found[game][1]))
        label = f"{kind.label}: {fastest}" + (", the fastest" if len(found) > 1 else "")
        outcome.rates(f"peers.{kind.name}.rate", label, found[fastest][1])
        outcome.ratios(f"peers.{kind.name}", f"ours ({OURS[kind.ours]}) to that", *found[fastest])
    return outcome


def versions() -> dict[str, str]:
    """The versions of the peers."""
    if not PYTHON.exists():
        return {}
    done = subprocess.run(
        [PYTHON, "-m", "benchmarks.machine", *PACKAGES], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return {f"peers: {name}": number for name, number in json.loads(done.stdout).items()}
