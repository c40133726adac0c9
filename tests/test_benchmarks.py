"""The benchmarks run, and what they measure ours against plays the same game. Nothing here looks at a clock."""

from __future__ import annotations

import json
import os
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from benchmarks import __main__ as front
from benchmarks import peers, plain
from benchmarks.engine import batched_step
from benchmarks.faces import for_peers, played_table
from benchmarks.measure import Effort, Local, Together, Unavailable, Worker, measure_in_turns, measure_pairs
from benchmarks.play import ACTION_WEIGHTS, Deals, draw_rows, new_rng
from benchmarks.results import CLAIMS
from solo_env import record
from solo_env.aec import AGENTS, raw_env
from solo_env.rules import load_ruleset
from solo_env.rules.model import KIND_NAMES

pytestmark = pytest.mark.jit_only

TINY = Effort(rounds=2, seconds=0.001, quick=True)
GOLDEN = (Path(__file__).parent / "golden" / "games.txt").read_text(encoding="utf-8").splitlines()
PYTHON_WORKER = "from benchmarks.measure import serve, timed\nserve(lambda: timed(lambda: 1000))"


@pytest.fixture
def compiler():
    """CI must have one; elsewhere a test may do without."""
    try:
        plain.program()
    except Unavailable as reason:
        if os.environ.get("CI"):
            raise
        pytest.skip(str(reason))


@pytest.mark.parametrize("item", [item for item in front.ITEMS if item != "peers"])
def test_every_item_runs_and_has_its_claims(item):
    outcome = front.ITEMS[item](TINY)
    keys = {row.key for row in outcome.rows}
    assert all(key.startswith(f"{item}.") for key in keys)
    assert all(value > 0 for row in outcome.rows for value in row.values)
    assert len(keys) == len(outcome.rows)
    if outcome.notes:  # something is left out, and a sentence says why
        assert all(note.endswith(".") for note in outcome.notes)
        return
    claimed = {claim.key for claim in CLAIMS if claim.key.startswith(f"{item}.")}
    assert claimed - keys <= {"startup.cold"}  # which takes a minute


def test_the_front_keeps_machine_commit_and_versions(tmp_path, capsys):
    path = tmp_path / "speed.json"
    given = ["--only", "records", "--rounds", "1", "--seconds", "0.001", "--json", str(path)]
    assert front.main(given) == 0
    assert "records printed" in capsys.readouterr().out
    content = json.loads(path.read_text(encoding="utf-8"))
    assert content["machine"]
    assert len(content["commit"].rstrip("+")) == 40 or content["commit"] == "unknown"
    assert {"python", "numpy", "numba"} <= content["versions"].keys()
    [row] = [row for row in content["rows"] if row["key"] == "records.parse"]
    assert row["values"] == [row["median"]] == [row["low"]] == [row["high"]]


@pytest.mark.parametrize("name", ["play", "step", "aec"])
def test_our_side_of_the_peers_works(name):
    steps, seconds = for_peers()[name]()()
    assert steps >= 4
    assert seconds > 0


# --- the C++ loop


def games():
    """Golden games, and deals played at random."""
    found = [record.parse(line) for line in GOLDEN if line.startswith("pagat@")]
    deals = Deals(seed=3)
    return found + [record.parse(played_table(deals).record()) for _ in range(40)]


def test_the_cpp_loop_writes_our_bytes_and_pays_our_payoffs(compiler):
    played = games()
    for game, (positions, payoffs) in zip(played, plain.replay(played), strict=True):
        env = raw_env(plain.RULESET)
        env.reset(seed=0, options={"deal": game.hands_by_seat(), "dealer": game.dealer})
        agent = env.agent_selection
        for seen, action in zip(positions, [*plain.actions_of(game), None], strict=True):
            if not env.table.over:
                agent = AGENTS[env.table.turn]
            ours = env.observe(agent)
            assert np.array_equal(seen, np.concatenate([ours["observation"], ours["action_mask"]])), str(game)
            if action is not None:
                env.table.apply(action)
        assert env.table.over
        assert tuple(payoffs) == env.table.payoffs


def test_the_cpp_loop_plays_our_mix(compiler):
    n, deals = 20_000, Deals()
    steps_a_deal = deals.play(n) / n
    theirs, shares = plain.mix(n, 1)
    assert theirs == pytest.approx(steps_a_deal, abs=0.5)
    for name, times in zip(("none", *KIND_NAMES[:-1]), deals.played, strict=False):
        assert shares[name] == pytest.approx(times / n, abs=0.02), name


def test_without_a_compiler_a_sentence_says_so(monkeypatch):
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("CXX", raising=False)
    plain.program.cache_clear()
    with pytest.raises(Unavailable, match="no C\\+\\+ compiler"):
        plain.program()
    outcome = front.ITEMS["engine"](TINY)
    assert any("no C++ compiler" in note for note in outcome.notes)
    assert any(row.key == "engine.step" for row in outcome.rows)
    plain.program.cache_clear()


# --- the kernels and the rounds


def test_actions_are_drawn_by_weight_from_what_is_legal():
    mask = np.zeros((4000, 68), np.int8)
    mask[:2000, [52, 55]] = 1  # pass 300, solo 60
    mask[2000:, [3, 51]] = 1
    drawn = np.zeros(4000, np.int64)
    draw_rows(mask, ACTION_WEIGHTS, new_rng(1), drawn)
    assert set(drawn[:2000]) == {52, 55}
    assert set(drawn[2000:]) == {3, 51}
    assert np.mean(drawn[:2000] == 55) == pytest.approx(1 / 6, abs=0.03)
    assert np.mean(drawn[2000:] == 3) == pytest.approx(1 / 2, abs=0.04)


def test_other_rulesets_are_played_too():
    deals = Deals("hoyle")
    assert deals.play(50) > 500
    steps, _ = batched_step(8, ruleset=load_ruleset("hoyle"), threads=2)()()
    assert steps == 2048


def test_contenders_take_turns():
    order: list[str] = []

    def contender(name):
        return Local(name, lambda: lambda: (order.append(name) or 1, 1.0))

    rates, missing = measure_in_turns([contender("a"), contender("b")], Effort(3, 0.5))
    assert order == ["a", "b"] + ["a", "b"] * 3  # warm-up, then the rounds
    assert rates == {"a": [1.0] * 3, "b": [1.0] * 3}
    assert missing == []
    order.clear()
    pairs, _ = measure_pairs(contender("ours"), [contender("x"), contender("y")], Effort(2, 0.5))
    assert [one + other for one, other in pairwise(order[1:5])] == ["xours", "oursx", "xours"]
    assert list(pairs) == ["x", "y"]


def test_a_worker_answers_and_one_that_cannot_says_why():
    def worker(code):
        return Worker("w", [sys.executable, "-c", code])

    both = Together("both", [worker(PYTHON_WORKER), worker(PYTHON_WORKER)])
    rates, missing = measure_in_turns([both], TINY)
    assert all(rate > 0 for rate in rates["both"])
    assert missing == []
    without = worker("from benchmarks.measure import serve\nserve(lambda: __import__('no_such_module'))")
    broken = worker("raise SystemExit(3)")
    rates, missing = measure_in_turns([without, broken], TINY)
    assert rates == {}
    assert "No module named 'no_such_module'" in missing[0]
    assert missing[1] == "w ended with exit code 3 and no answer."


def test_without_the_environment_of_the_peers_a_sentence_says_so(monkeypatch, tmp_path):
    monkeypatch.setattr(peers, "PYTHON", tmp_path / "python")
    outcome = peers.peers(TINY)
    assert outcome.rows == []
    assert "make bench-peers" in outcome.notes[0]
    assert peers.versions() == {}
