"""A player that asks a policy: what it shows, what it takes, what it refuses."""

from __future__ import annotations

import random

import numpy as np
import pytest

from solo_env.aec import raw_env
from solo_env.engine.state import new_views
from solo_env.player import PlayerError, make_player
from solo_env.plugs.policy import PolicyPlayer, observed, policy_file
from solo_env.rules import load_ruleset, pack_array
from tests.playing import random_position


def views_on_turn(count: int, seed: int):
    rng, found = random.Random(seed), []
    while len(found) < count:
        table = random_position(rng)
        if not table.over:
            found.append(table)
    views = new_views(count)
    for i, table in enumerate(found):
        views[i] = table.view(table.turn).record
    return views, found


def test_a_policy_sees_what_the_environment_shows() -> None:
    views, tables = views_on_turn(40, 1)
    observation, mask = observed(views, pack_array(load_ruleset("pagat")))
    env = raw_env()
    for row, legal, table in zip(observation, mask, tables, strict=True):
        env.reset(options={"record": table.record()})
        seen = env.observe(env.agent_selection)
        assert np.array_equal(row, seen["observation"])
        assert np.array_equal(legal, seen["action_mask"])


def anything(observation, mask):
    return np.random.default_rng(3).normal(size=mask.shape)


def test_what_is_not_open_is_never_chosen() -> None:
    views, tables = views_on_turn(60, 2)
    keys = np.random.default_rng(2).integers(2**62, size=60)
    for sample in (False, True):
        player = PolicyPlayer("pagat", anything, sample)
        out = np.full(60, -1)
        player.act_batch(views, keys, out)
        assert all(action in table.legal_actions() for action, table in zip(out.tolist(), tables, strict=True))


def test_a_sampling_player_draws_by_the_chances_and_in_any_batch_the_same() -> None:
    views, tables = views_on_turn(1, 5)
    legal = tables[0].legal_actions()
    assert len(legal) > 1

    def policy(observation, mask):
        logits = np.zeros(mask.shape)
        logits[:, legal[0]] = np.log(3.0)
        return logits

    n = 4000
    keys, out = np.random.default_rng(4).integers(2**62, size=n), np.full(n, -1)
    player = PolicyPlayer("pagat", policy, "true")
    player.act_batch(np.repeat(views, n), keys, out)
    share, wanted = np.mean(out == legal[0]), 3 / (3 + len(legal) - 1)
    assert share == pytest.approx(wanted, abs=0.03)
    alone = np.full(1, -1)
    player.act_batch(views, keys[:1], alone)
    assert alone[0] == out[0]


@pytest.mark.parametrize(
    ("policy", "said"),
    [
        (lambda observation, mask: np.zeros((len(mask), 3)), r"preferences of shape \(1, 3\)"),
        (lambda observation, mask: np.full(mask.shape, np.nan), "no number"),
        (lambda observation, mask: np.full(mask.shape, -np.inf), "no number"),
        (lambda observation, mask: np.full(mask.shape, np.inf), "no number"),
    ],
)
def test_what_is_no_preference_is_refused(policy, said: str) -> None:
    views, _ = views_on_turn(1, 6)
    with pytest.raises(PlayerError, match=said):
        PolicyPlayer("pagat", policy).act_batch(views, np.zeros(1, np.int64), np.zeros(1, np.int64))


def test_a_path_is_needed_and_must_be_there() -> None:
    with pytest.raises(PlayerError, match=r"needs the path of what it plays, as in onnx:runs/mine\.onnx\."):
        policy_file("onnx", "", ".onnx")
    with pytest.raises(PlayerError, match=r"there is no nowhere\.onnx"):
        policy_file("onnx", "nowhere.onnx")


@pytest.mark.parametrize("toolkit", ["sb3", "rllib", "torchrl", "onnx"])
def test_a_toolkit_that_is_not_here_is_named_with_what_brings_it(
    toolkit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sys

    for name in ("sb3_contrib", "stable_baselines3", "ray", "torchrl", "tensordict", "onnxruntime"):
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.delitem(sys.modules, f"solo_env.plugs.{toolkit}", raising=False)
    with pytest.raises(PlayerError, match=rf'pip install "solo-whist\[{toolkit}\]"'):
        make_player(f"{toolkit}:somewhere")
