"""Stable-Baselines3: its batch of seats is what single environments are, and its learner is paid the payoff."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.env_checker import check_env
from stable_baselines3.common.vec_env import VecMonitor

from solo_env.player import PlayerError, make_player
from solo_env.plugs.sb3 import PastSelf, PastSelves, ScaledFeatures, SoloVecEnv
from solo_env.seat_env import SeatEnv
from solo_env.table import Table


def learner(env: SoloVecEnv, **options: object) -> MaskablePPO:
    kwargs = {"features_extractor_class": ScaledFeatures, "net_arch": [16]}
    return MaskablePPO(
        "MlpPolicy", env, n_steps=32, batch_size=64, n_epochs=1, seed=1, policy_kwargs=kwargs, **options
    )


@pytest.mark.parametrize("as_dict", [False, True])
def test_the_toolkit_finds_nothing_wrong_with_a_single_seat(as_dict: bool) -> None:
    check_env(SeatEnv(dict_observation=as_dict))


def test_it_is_a_vector_environment_with_masks() -> None:
    env = VecMonitor(SoloVecEnv(4, seed=1))
    assert is_masking_supported(env)
    observation = env.reset()
    assert observation.shape[0] == 4
    assert env.observation_space.contains(observation[0])
    assert get_action_masks(env).shape == (4, 68)
    with pytest.raises(AttributeError, match="cannot be set"):
        env.set_attr("deals", 2)
    with pytest.raises(AttributeError, match="no method 'fly'"):
        env.env_method("fly")


def test_each_episode_pays_what_the_engine_pays_over_500_deals() -> None:
    env = SoloVecEnv(20, opponents="novice", seed=3)
    single = [SeatEnv(opponents="novice", index=b) for b in range(20)]
    seen, ended = env.reset(), 0
    for other in single:
        other.reset(seed=3)
    total = 0.0
    while ended < 500:
        masks = np.stack(env.env_method("action_masks"))
        actions = masks.argmax(1)
        seen, rewards, dones, infos = env.step(actions)
        for b, other in enumerate(single):
            told, reward, over, _, _ = other.step(int(actions[b]))
            assert (rewards[b], dones[b]) == (reward, over)
            if over:
                assert np.array_equal(infos[b]["terminal_observation"], told)
                assert reward == other.table.payoffs[other.seat]
                told, _ = other.reset()
                ended, total = ended + 1, total + abs(reward)
            assert np.array_equal(seen[b], told)
    assert total > 0


def test_each_episode_draws_its_opponents_and_the_seed_says_which() -> None:
    def played(seed: int) -> list[np.ndarray]:
        env = SoloVecEnv(8, opponents=("random", "pass"), seed=seed)
        rows = [env.reset()]
        for _ in range(60):
            rows.append(env.step(env.action_masks().argmax(1))[0])
        return rows

    assert all(np.array_equal(a, b) for a, b in zip(played(1), played(1), strict=True))
    assert not all(np.array_equal(a, b) for a, b in zip(played(1), played(2), strict=True))
    with pytest.raises(ValueError, match="the pool of opponents is empty"):
        SoloVecEnv(2, opponents=())


def test_past_selves_join_the_pool_and_the_oldest_leaves() -> None:
    env = SoloVecEnv(8, opponents="random", seed=1)
    model = learner(env)
    model.learn(32 * 8 * 5, callback=PastSelves(every=1, keep=2))
    assert len(env.pool) == 3
    assert [type(player) for player in env.pool[1:]] == [PastSelf, PastSelf]


def test_what_it_learns_is_a_player(tmp_path: Path) -> None:
    model = learner(SoloVecEnv(8, seed=1))
    model.learn(32 * 8)
    model.save(tmp_path / "mine.zip")
    player = make_player(f"sb3:{tmp_path / 'mine.zip'}")
    table = Table()
    table.deal(5)
    while not table.over:
        view = table.view(table.turn)
        chosen = player.act(view)
        assert chosen in view.legal_actions()
        env_says, _ = model.predict(observed_by(table), action_masks=mask_of(view), deterministic=True)
        assert chosen == int(env_says)
        table.apply(chosen)
    (tmp_path / "bad.zip").write_bytes(b"x")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the toolkit says in its own way that it can't read it
        with pytest.raises(PlayerError, match="holds no MaskablePPO"):
            make_player(f"sb3:{tmp_path / 'bad.zip'}")


def observed_by(table: Table) -> np.ndarray:
    from solo_env.engine.state import new_views
    from solo_env.plugs.policy import observed

    views = new_views(1)
    views[0] = table.view(table.turn).record
    return observed(views, table.rules)[0][0]


def mask_of(view: object) -> np.ndarray:
    mask = np.zeros(68, bool)
    mask[view.legal_actions()] = True
    return mask
