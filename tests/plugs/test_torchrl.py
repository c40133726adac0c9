"""TorchRL: its own checks, payments seat by seat, and returns that belong to their seats."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import torch
from tensordict import TensorDict
from torchrl.envs.utils import check_env_specs

from solo_env import solo_whist_v0
from solo_env.actions import PASS
from solo_env.observation import scale
from solo_env.player import PlayerError, make_player
from solo_env.plugs.torchrl import SoloEnv, save_policy, seat_advantages, seat_returns
from solo_env.table import Table
from solo_env.vector import SoloVectorEnv


def test_the_toolkit_finds_nothing_wrong_with_its_specs() -> None:
    check_env_specs(SoloEnv(3, seed=1), seed=1, break_when_any_done="both")


def test_the_toolkits_wrapper_takes_the_environment_as_it_is() -> None:
    from torchrl.envs.libs.pettingzoo import PettingZooWrapper

    with warnings.catch_warnings():
        # It says that it was tried with one version of PettingZoo only.
        warnings.filterwarnings("ignore", message=".*PettingZoo.*")
        env = PettingZooWrapper(env=solo_whist_v0.env(), use_mask=True)
        check_env_specs(env, seed=1)


def rolled(tables: int, steps: int, seed: int) -> TensorDict:
    env = SoloEnv(tables, seed=seed)
    torch.manual_seed(seed)
    return env.rollout(steps, break_when_any_done=False)


def test_each_seat_is_paid_what_the_engine_pays_it_over_500_deals() -> None:
    tables, seed = 50, 7
    env, engine = SoloEnv(tables, seed=seed), SoloVectorEnv(tables, seed=seed, play_forced=True)
    told, batch = env.reset(), engine.reset()
    paid, mine, ended = np.zeros((tables, 4)), torch.zeros(tables, 4), 0
    while ended < 500:
        actions = env.rand_action(told)["action"]
        assert (told["seat"][:, 0].numpy() == batch.seat).all()
        stepped = env.step(told.set("action", actions))
        batch = engine.step(actions.numpy())
        paid += batch.payoffs
        mine += stepped["next", "reward"]
        ended += int(batch.settled.sum())
        assert (stepped["next", "done"][:, 0].numpy() == batch.done).all()
        told = env.maybe_reset(env.step_mdp(stepped))
    assert (mine.numpy() == paid).all()
    assert np.abs(paid).sum() > 0


def test_returns_are_those_of_the_seat_that_decided() -> None:
    rollout = rolled(20, 150, 3)
    returns, known = seat_returns(rollout)
    done, reward, seat = rollout["next", "done"][..., 0], rollout["next", "reward"], rollout["seat"][..., 0]
    assert 0.5 < known.float().mean() < 1
    for b in range(20):
        ends = torch.nonzero(done[b])[:, 0].tolist()
        for t in range(150):
            end = next((e for e in ends if e >= t), None)
            assert bool(known[b, t]) == (end is not None)
            if end is not None:
                assert returns[b, t] == reward[b, end, seat[b, t]]


def test_advantages_with_lambda_1_are_returns_less_values_and_with_0_one_own_decision_ahead() -> None:
    rollout = rolled(20, 150, 4)
    value = torch.randn(20, 150, generator=torch.Generator().manual_seed(1))
    returns, known = seat_returns(rollout)
    whole, target, told = seat_advantages(rollout, value, lam=1.0)
    assert (told | ~known).all()
    assert torch.allclose(whole[known], (returns - value)[known], atol=1e-4)
    assert torch.allclose(target[known], returns[known], atol=1e-4)
    ahead, _, told = seat_advantages(rollout, value, lam=0.0)
    done, reward, seat = rollout["next", "done"][..., 0], rollout["next", "reward"], rollout["seat"][..., 0]
    for b in range(20):
        for t in range(150):
            end = next((e for e in range(t, 150) if done[b, e]), None)
            last = 149 if end is None else end
            later = next((u for u in range(t + 1, last + 1) if seat[b, u] == seat[b, t]), None)
            if later is not None:
                wanted = value[b, later] - value[b, t]
            elif end is not None:
                wanted = reward[b, end, seat[b, t]] - value[b, t]
            else:
                wanted = torch.tensor(0.0)
            assert bool(told[b, t]) == (later is not None or end is not None)
            assert ahead[b, t] == pytest.approx(float(wanted), abs=1e-5)


def test_what_a_step_tells_is_what_the_engine_shows_the_seat_to_act() -> None:
    rollout = rolled(5, 60, 5)
    engine = SoloVectorEnv(5, seed=5, play_forced=True)
    batch = engine.reset()
    for t in range(60):
        assert (rollout["seat"][:, t, 0].numpy() == batch.seat).all()
        assert (rollout["action_mask"][:, t].numpy() == (batch.action_mask != 0)).all()
        batch = engine.step(rollout["action"][:, t].numpy())


def test_all_tables_may_end_at_once_and_deal_what_comes_next() -> None:
    env, engine = SoloEnv(3, seed=7), SoloVectorEnv(3, seed=7, play_forced=True)
    told, batch = env.reset(), engine.reset()
    for _ in range(12):  # all pass, again and again
        actions = torch.full((3,), PASS)
        told = env.maybe_reset(env.step_mdp(env.step(told.set("action", actions))))
        batch = engine.step(actions.numpy())
        assert (told["action_mask"].numpy() == (batch.action_mask != 0)).all()
        assert (told["observation"].numpy() == (batch.observation / scale())).all()
    with pytest.raises(ValueError, match="all of them at once"):
        env.reset(told.set("_reset", torch.tensor([[True], [False], [False]])))


def test_the_same_seed_gives_the_same_deals() -> None:
    first, again, other = rolled(4, 40, 6), rolled(4, 40, 6), rolled(4, 40, 7)
    assert (first["observation"] == again["observation"]).all()
    assert not (first["observation"] == other["observation"]).all()


def test_resets_go_on_to_further_deals_and_a_seed_begins_them_anew() -> None:
    env = SoloEnv(1, seed=1)
    first, second = env.reset()["observation"], env.reset()["observation"]
    assert not torch.equal(first, second)
    told = env.reset()
    while not env._over.all():  # to the end of the deal
        told = env.step_mdp(env.step(env.rand_action(told)))
    env.set_seed(1)
    assert torch.equal(env.reset()["observation"], first)
    assert torch.equal(env.reset()["observation"], second)
    with pytest.raises(ValueError, match="num_tables"):
        SoloEnv(0)


def test_a_saved_policy_is_a_player(tmp_path) -> None:
    from solo_env.layout import N_FEATURES

    torch.manual_seed(1)
    network = torch.nn.Sequential(torch.nn.Linear(N_FEATURES, 8), torch.nn.ReLU(), torch.nn.Linear(8, 68))
    save_policy(tmp_path / "mine.pt2", network)
    player = make_player(f"torchrl:{tmp_path / 'mine.pt2'}")
    view = Table().view(Table().turn)
    assert player.act(view) in view.legal_actions()
    (tmp_path / "bad.pt2").write_bytes(b"x")
    with pytest.raises(PlayerError, match="no exported network"):
        make_player(f"torchrl:{tmp_path / 'bad.pt2'}")
