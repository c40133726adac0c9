"""Start-up in fresh processes, and memory."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from benchmarks.measure import ONE_THREAD, ROOT, Effort
from benchmarks.play import ACTION_WEIGHTS, draw_rows, new_rng
from benchmarks.results import Outcome
from solo_env.engine.state import TABLE, VIEW
from solo_env.layout import N_FEATURES
from solo_env.vector import SoloVectorEnv

NEEDED = "import numpy, numba, gymnasium, pettingzoo"
OURS = "from solo_env import solo_whist_v0, vector"
FIRST_STEP = """
env = solo_whist_v0.env()
env.reset(seed=0)
env.step(int(env.last()[0]["action_mask"].argmax()))
tables = vector.SoloVectorEnv(64, seed=0)
tables.step(tables.reset().action_mask.argmax(1))
"""
STEPS, QUICK_STEPS, LOOKS = 100_000_000, 1_000_000, 10
COLD_TIMES = 3


def startup(effort: Effort) -> Outcome:
    """Import against that of what is needed, the first step warm and cold, in turns."""
    needed, ours, first, cold = [], [], [], []
    fresh("", OURS + FIRST_STEP)  # compiles what isn't yet
    for _ in range(effort.rounds):
        needed.append(fresh("", NEEDED))
        ours.append(fresh("", OURS))
        first.append(fresh(OURS, FIRST_STEP))
    if not effort.quick:
        for _ in range(COLD_TIMES):
            with tempfile.TemporaryDirectory() as folder:
                cold.append(fresh(OURS, FIRST_STEP, Path(folder)))
    outcome = Outcome()
    outcome.add("startup.import", "import of the environments", "s", ours)
    outcome.add("startup.needed", "import of numpy, numba, gymnasium, pettingzoo", "s", needed)
    outcome.ratios("startup.import_ratio", "our import to that", ours, needed)
    outcome.add("startup.first_step", "from import to a step of env() and of a batch", "s", first)
    if cold:
        outcome.add("startup.cold", "the same, nothing compiled before", "s", cold)
    return outcome


def fresh(before: str, code: str, cache: Path | None = None) -> float:
    """Seconds that ``code`` takes in a new process that has run ``before``."""
    script = f"import time\n{before}\nstart = time.perf_counter()\n{code}\nprint(time.perf_counter() - start)"
    env = os.environ | ONE_THREAD
    if cache is not None:
        env["NUMBA_CACHE_DIR"] = str(cache)
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, env=env, capture_output=True, text=True, check=True
    )
    return float(done.stdout.split()[-1])


def memory(effort: Effort) -> Outcome:
    """Bytes of a table, and whether a long run keeps its memory."""
    steps, size = QUICK_STEPS if effort.quick else STEPS, 4096
    env = SoloVectorEnv(size, seed=0)
    mask, rng, chosen = env.reset().action_mask, new_rng(1), np.zeros(size, np.int64)
    sizes = []
    for _ in range(LOOKS):
        for _ in range(max(1, steps // LOOKS // size)):
            draw_rows(mask, ACTION_WEIGHTS, rng, chosen)
            env.step(chosen)
        sizes.append(resident() / 2**20)
    outcome = Outcome()
    outcome.add(
        "memory.table", "a table and the view of the seat on turn", "bytes", [TABLE.itemsize + VIEW.itemsize]
    )
    outcome.add("memory.observation", "its observation", "bytes", [N_FEATURES])
    outcome.add("memory.resident", f"resident during {steps:,} steps of {size:,} tables", "MiB", sizes)
    outcome.add("memory.growth", "resident at the end to that after a tenth", "×", [sizes[-1] / sizes[0]])
    return outcome


def resident() -> int:
    """Bytes of memory that this process has now; where the system doesn't tell, the most it has had."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return pages * os.sysconf("SC_PAGE_SIZE")
