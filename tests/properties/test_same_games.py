"""The same seed gives the same games on any batch size, any number of threads, and on every face."""

from __future__ import annotations

import numpy as np
import pytest

from solo_env.actions import PASS
from solo_env.aec import AGENTS, raw_env
from solo_env.engine.bits import decision_key
from solo_env.table import Table
from solo_env.threads import LEAST_ROWS
from solo_env.vector import SoloVectorEnv
from tests.sessions import CARRYING, FORGETFUL, REVOKES

STEPS = 400
# Single deals, and sessions whose packs, dealers and cycles go on from deal to deal.
GAMES = [
    ("pagat", 1),
    *((ruleset, 4) for ruleset in ("bga", "everything2", "grand_slam_solo", *CARRYING, FORGETFUL, REVOKES)),
]


def choose(mask: np.ndarray, table: int, step: int, deals: int = 1) -> int:
    """An action that depends on the table's own history only; in sessions mostly PASS, so that many deals pass."""
    key = decision_key(5, table, 0, step)
    if deals > 1 and mask[PASS] and key % 10 < 7:
        return PASS
    legal = np.flatnonzero(mask)
    return int(legal[key % len(legal)])


def run(
    num_tables: int,
    threads: int = 1,
    only: int | None = None,
    steps: int = STEPS,
    ruleset: str = "pagat",
    deals: int = 1,
) -> list[bytes]:
    """What every step of table ``only`` (or of all) told, as bytes."""
    env = SoloVectorEnv(num_tables, ruleset, seed=77, deals=deals, threads=threads, with_state=True)
    batch = env.reset()
    story = []
    rows = slice(None) if only is None else slice(only, only + 1)
    for step in range(steps):
        actions = [choose(batch.action_mask[b], b, step, deals) for b in range(num_tables)]
        batch = env.step(actions)
        story.append(b"".join(array[rows].tobytes() for array in (*batch, env.buffers.state)))
    env.close()
    return story


@pytest.mark.parametrize(("ruleset", "deals"), GAMES)
def test_sixteen_tables_and_one_play_the_same_games(ruleset, deals):
    steps = STEPS if deals == 1 else 200
    sixteen = run(16, only=0, steps=steps, ruleset=ruleset, deals=deals)
    assert sixteen == run(1, only=0, steps=steps, ruleset=ruleset, deals=deals)


@pytest.mark.parametrize(("ruleset", "deals"), [("pagat", 1), (CARRYING[0], 4), (CARRYING[1], 4)])
def test_one_thread_and_two_play_the_same_games(ruleset, deals):
    tables, steps = 2 * LEAST_ROWS + 1, 120  # in three parts, drawn by whoever is free
    alone = run(tables, steps=steps, ruleset=ruleset, deals=deals)
    assert run(tables, threads=2, steps=steps, ruleset=ruleset, deals=deals) == alone


@pytest.mark.parametrize(("ruleset", "deals"), GAMES)
def test_the_batch_plays_what_the_aec_environment_plays(ruleset, deals):
    batch_env = SoloVectorEnv(1, ruleset, seed=31, deals=deals)
    env = raw_env(ruleset, deals=deals)
    batch = batch_env.reset()
    env.reset(seed=31)
    settled = games = 0
    for step in range(STEPS):
        agent = env.agent_selection
        assert AGENTS[int(batch.seat[0])] == agent
        seen = env.observe(agent)
        assert (seen["observation"] == batch.observation[0]).all()
        assert (seen["action_mask"] == batch.action_mask[0]).all()
        assert env.view(agent).record.tobytes() == batch_env.views()[0].tobytes()
        action = choose(batch.action_mask[0], 0, step, deals)
        batch = batch_env.step([action])
        env.step(action)
        assert bool(batch.done[0]) == all(env.terminations.values())
        assert [env.rewards[a] for a in AGENTS] == batch.payoffs[0].tolist()
        settled += bool(batch.settled[0])
        if batch.done[0]:
            assert settled == deals * (games + 1)
            assert (env.observe(agent)["observation"] == batch_env.buffers.final_observation[0]).all()
            env.reset()
            games += 1
    assert games >= (3 if deals == 1 else 2)


@pytest.mark.jit_only
def test_compiled_and_plain_python_play_the_same_games(tmp_path):
    import os
    import subprocess
    import sys

    code = (
        "import hashlib; from tests.properties.test_same_games import CARRYING, REVOKES, run; "
        "games = [run(3, steps=90), *(run(2, steps=90, ruleset=name, deals=4) for name in (*CARRYING, REVOKES))]; "
        "print(hashlib.sha256(b''.join(map(b''.join, games))).hexdigest())"
    )
    told = {
        disabled: subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "NUMBA_DISABLE_JIT": disabled},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for disabled in ("0", "1")
    }
    assert told["0"] == told["1"]


def test_a_record_replays_to_the_same_table():
    env = SoloVectorEnv(8, seed=5)
    batch = env.reset()
    for step in range(120):
        batch = env.step([choose(batch.action_mask[b], b, step) for b in range(8)])
        for b in range(8):
            table = env.table(b)
            again = Table.from_record(table.record())
            assert again.record() == table.record()
            for name in ("hand_cards", "tricks", "turn", "phase", "trump", "failed", "payoff"):
                assert (np.asarray(again.data[name]) == np.asarray(table.data[name])).all()
