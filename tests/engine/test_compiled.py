"""The kernels compile once each, and an edit of any source compiles them anew."""

from __future__ import annotations

import importlib
import os
import pkgutil
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from solo_env import engine

pytestmark = pytest.mark.jit_only

PLAY_EVERYTHING = """
import numpy as np
from solo_env import solo_whist_v0
from solo_env.evaluation import play_match
from solo_env.player import make_player
from solo_env.rules import load_ruleset
from solo_env.sampler import Sampler
from solo_env.seat_env import SeatEnv
from solo_env.seat_vector import SeatVectorEnv
from solo_env.signature import auction_counts, signature
from solo_env.table import Table
from solo_env.vector import SoloVectorEnv
from tests.engine.test_compiled import kernels

env = solo_whist_v0.raw_env()
env.reset(seed=1)
env.state()
for agent in env.agent_iter():
    observation, _, over, _, _ = env.last()
    env.step(None if over else int(np.flatnonzero(observation["action_mask"])[0]))
batch = SoloVectorEnv(4, seed=0, with_state=True)
masks = batch.reset().action_mask
batch.step(masks.argmax(axis=1))
SeatEnv().reset(seed=1)
seats = SeatVectorEnv(4, autoreset_mode="SameStep")
masks = seats.reset(seed=0)[1]["action_mask"]
for _ in range(20):
    masks = seats.step(masks.argmax(axis=1))[4]["action_mask"]
seats.views()
sampler = Sampler()
view = Table().view(0)
Table.from_view(view, sampler.sample(view)[0].tolist())
for name in ("uniform", "random", "pass", "novice", "club", "expert", "ev-bidder"):
    play_match(make_player(name), make_player("random"), deals=2)
auction_counts(load_ruleset("pagat"))
for name, kernel in kernels():
    from numba import types
    plain = {tuple(types.unliteral(a) for a in s) for s in kernel.signatures}
    if len(plain) > 1:
        print(name, plain)
"""


def kernels():
    """Every kernel of engine and players, by name."""
    import baselines

    for package in (engine, baselines):
        for info in pkgutil.iter_modules(package.__path__):
            module = importlib.import_module(f"{package.__name__}.{info.name}")
            for name, item in vars(module).items():
                if hasattr(item, "py_func") and item.py_func.__module__ == module.__name__:
                    yield f"{module.__name__}.{name}", item


def run(code: str, cwd: Path, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(cwd), **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_every_kernel_compiles_for_one_set_of_types(tmp_path):
    root = Path(engine.__file__).parents[2]
    assert run(PLAY_EVERYTHING, root, NUMBA_CACHE_DIR=str(tmp_path)) == ""


def test_there_are_kernels_to_compile():
    assert len(list(kernels())) > 40


def test_an_edit_of_an_imported_constant_is_noticed(tmp_path):
    root = Path(engine.__file__).parents[2]
    shutil.copytree(root / "solo_env", tmp_path / "solo_env", ignore=shutil.ignore_patterns("__pycache__"))
    count = (
        "from solo_env.engine import bits; import numpy as np; r = np.zeros(4, np.int64); "
        "bits.seed_stream(r, 1, 2, 3, 4); print(bits.suit_cards(2**52 - 1, 1))"
    )
    before = run(count, tmp_path)
    cards = tmp_path / "solo_env" / "cards.py"
    cards.write_text(cards.read_text().replace("SUIT_MASK = (1 << N_RANKS) - 1", "SUIT_MASK = 1"))
    after = run(count, tmp_path)
    assert int(before) == (2**13 - 1) << 13
    assert int(after) == 1 << 13


PLAY_A_DEAL = """
from solo_env.table import Table
table = Table()
while not table.over:
    table.apply(table.legal_actions()[0])
print(table.record())
"""


@pytest.mark.long  # it compiles twice at once
def test_two_processes_that_compile_at_once_do_not_disturb_each_other(tmp_path):
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-c", PLAY_A_DEAL]
    both = [subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    told = [process.communicate()[0] for process in both]
    told.append(subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True).stdout)
    assert [process.returncode for process in both] == [0, 0]
    assert told[0] == told[1] == told[2] != ""
