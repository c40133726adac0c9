"""The updates: cloning and PPO."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from solo_env.actions import FIRST_CALL, N_ACTIONS
from solo_env.player import make_player
from solo_env.rules import Ruleset
from training.checkpoint import State, frozen_copy
from training.clone import clone_update, minibatches
from training.config import Ppo
from training.policy import infer, masked_log_probabilities
from training.ppo import Batch, normalise_apart, ppo_loss, ppo_rate, ppo_update, prepare
from training.rollout import Rollout, decide_by_player, decide_by_sampling, play_deals
from training.suits import network_columns


def rollout_of(state: State, ruleset: Ruleset, n: int = 24) -> Rollout:
    columns = network_columns(state.config.net.blocks)
    return play_deals(decide_by_sampling(state.actor), ruleset, columns, 3, range(n))


@pytest.fixture
def batch(state: State, ruleset: Ruleset) -> Batch:
    return prepare(rollout_of(state, ruleset), state.critic, state.cloned, Ppo())[0]


def test_minibatches_take_every_decision_once() -> None:
    parts = minibatches(1000, 300, np.random.default_rng(0))
    assert [len(part) for part in parts] == [250] * 4
    assert sorted(torch.cat(parts).tolist()) == list(range(1000))


def test_advantages_are_normalised_apart_for_calls_and_cards() -> None:
    advantage = np.array([100, 200, 300, 1, 2, 3], np.float32)
    calls = np.array([True, True, True, False, False, False])
    out = normalise_apart(advantage, calls)
    assert out[:3] == pytest.approx([-1.2247, 0, 1.2247], abs=1e-4)
    assert out[3:] == pytest.approx([-1.2247, 0, 1.2247], abs=1e-4)
    assert normalise_apart(advantage, np.zeros(6, bool)).mean() == pytest.approx(0, abs=1e-6)


def test_before_the_first_step_the_ratio_is_1_and_nothing_has_moved(state: State, batch: Batch) -> None:
    _, parts = ppo_loss(state.actor, state.critic, batch, Ppo())
    assert parts["policy"].numpy() == pytest.approx(-batch.advantage.numpy(), abs=1e-4)
    assert parts["kl"].abs().max() < 1e-6
    assert parts["clipped"].sum() == 0
    assert parts["anchor"].abs().max() < 1e-6


def test_a_ratio_outside_the_clip_range_stops_counting(state: State, batch: Batch) -> None:
    for shift, sign in ((-1.0, 1), (1.0, -1)):  # ratio e with a good action, 1/e with a bad one
        moved = replace(
            batch,
            log_probability=batch.log_probability + shift,
            advantage=torch.full_like(batch.advantage, sign),
        )
        config = Ppo(entropy_auction=0, entropy_cards=0, anchor=0, value_coef=0)
        loss, parts = ppo_loss(state.actor, state.critic, moved, config)
        loss.backward()
        assert parts["policy"].numpy() == pytest.approx(-sign * (1 + sign * config.clip), abs=1e-5)
        assert all((p.grad == 0).all() for p in state.actor.parameters() if p.grad is not None)


def test_the_anchor_is_the_divergence_from_the_cloned_actor_on_calls_only(state: State, batch: Batch) -> None:
    other = torch.zeros_like(batch.anchor)
    calls = batch.auction
    logits = torch.randn(batch.anchor.shape, generator=torch.Generator().manual_seed(1))
    other[calls] = masked_log_probabilities(logits[calls], batch.mask[calls])
    _, parts = ppo_loss(state.actor, state.critic, replace(batch, anchor=other), Ppo())
    now = masked_log_probabilities(state.actor(batch.observation), batch.mask).exp().detach()
    for i in torch.nonzero(calls)[:20, 0].tolist():
        legal = batch.mask[i]
        p, q = now[i, legal].double(), other[i, legal].double()
        assert float(parts["anchor"][i]) == pytest.approx(float((p * (p.log() - q)).sum()), abs=1e-5)
    assert (parts["anchor"][~calls] == 0).all()


def test_the_loss_and_its_gradient_stay_finite_when_a_legal_action_has_vanished(state: State, batch: Batch) -> None:
    with torch.no_grad():
        state.actor.layers[-1].bias[: N_ACTIONS // 2] = 1e4  # type: ignore[union-attr, index, operator]
    loss, _ = ppo_loss(state.actor, state.critic, batch, Ppo())
    loss.backward()
    assert torch.isfinite(loss)
    assert all(torch.isfinite(p.grad).all() for p in state.actor.parameters() if p.grad is not None)


def test_illegal_actions_get_no_gradient(state: State, batch: Batch) -> None:
    never = ~batch.mask.any(0)  # such as the calls that the ruleset does not offer
    assert never.any()
    loss, _ = ppo_loss(state.actor, state.critic, batch, Ppo())
    loss.backward()
    gradient = state.actor.layers[-1].bias.grad  # type: ignore[union-attr]
    assert (gradient[never] == 0).all()  # type: ignore[index]
    assert (gradient[~never] != 0).any()  # type: ignore[index]


def test_an_update_makes_good_actions_likelier_than_bad_ones(state: State, batch: Batch) -> None:
    good = batch.action % 2 == 0
    batch = replace(batch, advantage=torch.where(good, 1.0, -1.0))
    for group in state.optimiser.param_groups:
        group["lr"] = 1e-3
    ppo_update(state.actor, state.critic, state.optimiser, batch, Ppo(minibatch=128), np.random.default_rng(0))
    now = masked_log_probabilities(state.actor(batch.observation), batch.mask)
    change = (now.gather(1, batch.action[:, None])[:, 0] - batch.log_probability).detach()
    assert change[good].mean() > 0.01
    assert change[~good].mean() < -0.01


def test_an_update_ends_early_once_the_policy_has_moved_too_far(state: State, batch: Batch) -> None:
    for group in state.optimiser.param_groups:
        group["lr"] = 1e-2
    config = Ppo(minibatch=64, epochs=10, target_kl=1e-4)
    metrics = ppo_update(state.actor, state.critic, state.optimiser, batch, config, np.random.default_rng(0))
    assert 1 < metrics["ppo/minibatches"] < 10


def test_explained_variance_is_1_for_a_critic_that_knows_and_0_for_one_that_says_nothing(
    state: State, ruleset: Ruleset, monkeypatch: pytest.MonkeyPatch
) -> None:
    rollout = rollout_of(state, ruleset)
    for known, expected in ((1, 1.0), (0, 0.0)):
        value = (known * rollout.returns / Ppo().reward_scale).astype(np.float32)
        monkeypatch.setattr(
            "training.ppo.infer",
            lambda net, seen, value=value: value if net is state.critic else infer(net, seen),
        )
        _, metrics = prepare(rollout, state.critic, state.cloned, Ppo())
        assert metrics["value/explained_variance"] == pytest.approx(expected, abs=1e-5)


def test_a_clone_learns_what_its_teacher_does_and_is_paid(state: State, ruleset: Ruleset) -> None:
    columns = network_columns(state.config.net.blocks)
    decide = decide_by_player(make_player("novice", ruleset))
    rollout = play_deals(decide, ruleset, columns, 3, range(64))
    for group in state.optimiser.param_groups:
        group["lr"] = 3e-3
    rng = np.random.default_rng(0)
    first, *_, last = (
        clone_update(state.actor, state.critic, state.optimiser, rollout, 3.0, state.config.clone, rng)
        for _ in range(12)
    )
    assert last["clone/agreement_auction"] > first["clone/agreement_auction"]
    assert last["clone/agreement_cards"] > first["clone/agreement_cards"] + 0.1
    assert last["value/explained_variance"] > first["value/explained_variance"]


def test_the_step_size_falls_to_its_floor() -> None:
    for schedule in ("linear", "cosine"):
        config = Ppo(schedule=schedule)
        assert ppo_rate(config, 0) == config.lr
        assert ppo_rate(config, 0.5) == pytest.approx((config.lr + config.lr_floor) / 2)
        assert ppo_rate(config, 1.3) == pytest.approx(config.lr_floor)
    assert ppo_rate(Ppo(schedule="constant"), 0.9) == Ppo().lr


def test_the_frozen_actor_stays_when_the_actor_learns(state: State, batch: Batch) -> None:
    cloned = frozen_copy(state.actor)
    for group in state.optimiser.param_groups:
        group["lr"] = 1e-2
    ppo_update(state.actor, state.critic, state.optimiser, batch, Ppo(), np.random.default_rng(0))
    assert all(not p.requires_grad for p in cloned.parameters())
    assert any((a != b).any() for a, b in zip(cloned.parameters(), state.actor.parameters(), strict=True))
    assert (batch.action[batch.auction] >= FIRST_CALL).all()
