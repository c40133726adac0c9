"""What is learnt from the decisions of an iteration."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest
import torch

from solo_env.actions import FIRST_CALL, N_ACTIONS
from solo_env.player import make_player
from solo_env.rules import Ruleset
from training.checkpoint import State, new_state
from training.config import Joint, load_config
from training.features import feature_table
from training.learner import CALLS, PARTS, Batch, Learner, Pull, explained, pull_at
from training.networks import infer, masked_policy
from training.opponents import Cast
from training.processes import Processes
from training.rollout import OWN, Rollout, play_deals
from training.starts import Starts
from training.values import bin_payoffs

PULL = Pull(lr=1e-3, clone=1.0, clone_auction=3.0, entropy_auction=0.01, entropy_cards=0.01, magnet=0.2, advice=0.1)
LEAST = Pull(lr=1e-3)


def learner_of(state: State, shards: int = 1, **options: Any) -> Learner:
    config = replace(state.config.ppo, reward_scale=1.0, **options)
    payoffs = bin_payoffs(state.config.net.bins, 60.0)
    return Learner(
        state.actor, state.critic, state.average, state.optimiser, config, payoffs, Processes(shards)
    )  # fmt: skip


def rollout_of(state: State, ruleset: Ruleset, deals: range = range(24), taught: bool = False) -> Rollout:
    features = feature_table(state.config.net.blocks)
    player = make_player("expert", ruleset)
    learner = None if taught else partial(infer, state.actor)
    return play_deals(Cast(learner, player, adviser=player), Starts(), ruleset, features, 3, deals, 0, hidden=True)


@pytest.fixture
def learner(state: State) -> Learner:
    return learner_of(state)


@pytest.fixture
def batch(state: State, learner: Learner, ruleset: Ruleset) -> Batch:
    return learner.prepare([rollout_of(state, ruleset)], PULL)[0][0]


def parts_of(sums: torch.Tensor) -> dict[str, float]:
    return {name: float(sums[2 * i] / sums[2 * i + 1].clamp(min=1)) for i, name in enumerate(PARTS)}


def of_each(learner: Learner, batch: Batch, pull: Pull) -> np.ndarray:
    """The loss of each decision by itself, but for the critic's."""
    alone = replace(learner.config, value_coef=0.0)
    learner.config = alone
    with torch.no_grad():
        return np.array(
            [float(learner.loss(batch.rows(torch.tensor([i])), pull)[0]) for i in range(len(batch.action))]
        )


def test_advantages_are_normalised_apart_for_calls_and_cards_over_all_shards(
    state: State, ruleset: Ruleset
) -> None:
    learner = learner_of(state, shards=2)
    rollouts = [rollout_of(state, ruleset, deals) for deals in (range(20), range(20, 50))]
    batches, _ = learner.prepare(rollouts, PULL)
    auction = torch.cat([b.auction for b in batches])
    advantage = torch.cat([b.advantage for b in batches]).double()
    for kind in (auction, ~auction):
        assert float(advantage[kind].mean()) == pytest.approx(0, abs=1e-6)
        assert float(advantage[kind].std(correction=0)) == pytest.approx(1, abs=1e-4)


def test_before_the_first_step_the_ratio_is_1_and_nothing_has_moved(learner: Learner, batch: Batch) -> None:
    learner.average.load_state_dict(learner.actor.state_dict())
    _, sums = learner.loss(batch, PULL)
    parts = parts_of(sums)
    assert abs(parts["ppo/kl"]) < 1e-6
    assert parts["ppo/clip_fraction"] == 0
    assert parts["magnet/auction"] == pytest.approx(0, abs=1e-6)
    assert of_each(learner, batch, LEAST) == pytest.approx(-batch.advantage.numpy(), abs=1e-4)


def test_a_ratio_outside_the_clip_range_stops_counting(learner: Learner, batch: Batch) -> None:
    for shift, sign in ((-1.0, 1), (1.0, -1)):  # ratio e with a good action, 1/e with a bad one
        moved = replace(
            batch,
            log_probability=batch.log_probability + shift,
            advantage=torch.full_like(batch.advantage, sign),
        )
        assert of_each(learner, moved, LEAST) == pytest.approx(-sign * (1 + sign * learner.config.clip), abs=1e-5)
        learner.gradient.zero_()
        learner.loss(moved, LEAST)[0].backward()
        assert (learner.parts[0] == 0).all()


def test_the_magnet_is_the_divergence_from_the_averaged_actor_on_calls_only(learner: Learner, batch: Batch) -> None:
    logits = torch.randn(batch.magnet.shape, generator=torch.Generator().manual_seed(1))
    other = replace(batch, magnet=masked_policy(logits, batch.mask)[1])
    added = of_each(learner, other, replace(LEAST, magnet=0.5)) - of_each(learner, other, LEAST)
    now = masked_policy(learner.actor(batch.ids), batch.mask)[0].detach()
    calls = batch.auction.numpy()
    for i in np.flatnonzero(calls)[:20]:
        legal = batch.mask[i]
        p, q = now[i, legal].double(), other.magnet[i, legal].double().exp()
        assert added[i] == pytest.approx(0.5 * (p * (p / q).log()).sum().item(), abs=1e-5)
    assert (added[~calls] == 0).all()


def test_advice_draws_calls_to_what_is_expected_of_them(learner: Learner, batch: Batch, ruleset: Ruleset) -> None:
    advised = batch.advised.numpy()
    assert advised.any()
    assert (batch.auction[batch.advised]).all()
    chances = batch.advice.exp()[batch.advised]
    assert (chances.masked_fill(~batch.mask[batch.advised][:, CALLS], 0).sum(1) - 1).abs().max() < 1e-2
    optimiser = torch.optim.Adam(learner.actor.parameters(), lr=1e-2)
    rows = torch.nonzero(batch.advised)[:, 0]
    for _ in range(150):
        optimiser.zero_grad(set_to_none=False)
        still = replace(batch.rows(rows), advantage=torch.zeros(len(rows)))
        loss, sums = learner.loss(still, replace(LEAST, advice=1.0))
        loss.backward()
        optimiser.step()
    now, _ = masked_policy(learner.actor(batch.ids[rows]), batch.mask[rows])
    agreed = now[:, CALLS].argmax(1) == batch.advice[rows].masked_fill(~batch.mask[rows][:, CALLS], -99).argmax(1)
    assert agreed.float().mean() > 0.9
    assert parts_of(sums)["advice/kl"] < 0.5


def test_the_loss_and_its_gradient_stay_finite_when_a_legal_action_has_vanished(
    learner: Learner, batch: Batch
) -> None:
    with torch.no_grad():
        learner.actor.layers[-1].bias[: N_ACTIONS // 2] = 1e4  # type: ignore[union-attr, index, operator]
    loss, _ = learner.loss(batch, PULL)
    loss.backward()
    assert torch.isfinite(loss)
    assert torch.isfinite(learner.gradient).all()


def test_illegal_actions_get_no_gradient(learner: Learner, batch: Batch) -> None:
    never = ~batch.mask.any(0)  # such as the calls that the ruleset does not offer
    assert never.any()
    learner.loss(batch, PULL)[0].backward()
    gradient = learner.actor.layers[-1].bias.grad  # type: ignore[union-attr]
    assert (gradient[never] == 0).all()  # type: ignore[index]
    assert (gradient[~never] != 0).any()  # type: ignore[index]


def test_an_update_makes_good_actions_likelier_than_bad_ones(learner: Learner, batch: Batch) -> None:
    good = batch.action % 2 == 0
    batch = replace(batch, advantage=torch.where(good, 1.0, -1.0))
    learner.update([batch], LEAST, [np.random.default_rng(0)])
    _, now = masked_policy(learner.actor(batch.ids), batch.mask)
    change = (now.gather(1, batch.action[:, None])[:, 0] - batch.log_probability).detach()
    assert change[good].mean() > 0.01
    assert change[~good].mean() < -0.01


def test_an_update_ends_early_once_the_policy_has_moved_too_far(state: State, ruleset: Ruleset) -> None:
    learner = learner_of(state, minibatch=64, target_kl=1e-4)
    batches, _ = learner.prepare([rollout_of(state, ruleset)], PULL)
    metrics = learner.update(batches, replace(LEAST, lr=1e-2, epochs=10), [np.random.default_rng(0)])
    assert 1 < metrics["ppo/minibatches"] < 10


def test_an_update_passes_over_the_decisions_as_often_as_it_is_told(state: State, ruleset: Ruleset) -> None:
    learner = learner_of(state, minibatch=64, target_kl=1e3)
    batches, _ = learner.prepare([rollout_of(state, ruleset)], PULL)
    once, thrice = (
        learner.update(batches, replace(LEAST, epochs=epochs), [np.random.default_rng(0)])["ppo/minibatches"]
        for epochs in (1, 3)
    )
    assert once > 1
    assert thrice == 3 * once


def test_only_what_a_teacher_did_is_imitated(learner: Learner, batch: Batch) -> None:
    nobody, nothing = torch.zeros_like(batch.own), torch.zeros_like(batch.advantage)
    imitated = of_each(learner, replace(batch, own=nobody, advised=nobody, advantage=nothing), PULL)
    weight = np.where(batch.auction.numpy(), PULL.clone_auction, PULL.clone)
    _, now = masked_policy(learner.actor(batch.ids), batch.mask)
    assert imitated == pytest.approx(
        -weight * now.gather(1, batch.action[:, None])[:, 0].detach().numpy(), abs=1e-4
    )
    assert of_each(learner, batch, replace(PULL, clone=0, clone_auction=0)) == pytest.approx(
        of_each(learner, batch, PULL), abs=1e-6
    )


@pytest.mark.parametrize("estimator", ["gae", "vrpo"])
def test_a_critic_learns_what_is_paid(ruleset: Ruleset, estimator: str) -> None:
    state = new_state(load_config("smoke", [f"ppo.estimator={estimator}"]))
    learner = learner_of(state, estimator=estimator)
    rollout = rollout_of(state, ruleset, range(64), taught=True)
    told = []
    for i in range(20):
        batches, means = learner.prepare([rollout], LEAST)
        told.append(explained(means))
        learner.update(batches, replace(LEAST, lr=3e-3), [np.random.default_rng(i)])
    assert told[0] < 0.1
    assert told[-1] > 0.4  # vrpo's value is a mean over actions of which only one was learnt from


def test_a_clone_learns_what_its_teacher_does(state: State, learner: Learner, ruleset: Ruleset) -> None:
    rollout = rollout_of(state, ruleset, range(64), taught=True)
    pull = Pull(lr=3e-3, clone=1.0, clone_auction=3.0)
    batches, _ = learner.prepare([rollout], pull)
    first, *_, last = (learner.update(batches, pull, [np.random.default_rng(i)]) for i in range(12))
    assert last["clone/agreement_auction"] > first["clone/agreement_auction"]
    assert last["clone/agreement_cards"] > first["clone/agreement_cards"] + 0.1


def test_minibatches_of_shards_are_the_same_in_one_process_and_take_every_decision_once(
    state: State, ruleset: Ruleset, monkeypatch: pytest.MonkeyPatch
) -> None:
    learner = learner_of(state, shards=2, minibatch=200)
    rollouts = [rollout_of(state, ruleset, deals) for deals in (range(10), range(10, 30))]
    batches, _ = learner.prepare(rollouts, PULL)
    seen: list[list[int]] = [[], []]
    whole = Learner._gradient

    def gradient(self: Learner, batches: Any, rows: Any, pull: Pull, n: int) -> torch.Tensor:
        assert n == sum(map(len, rows)) <= 201
        for shard, index in enumerate(rows):
            seen[shard] += index.tolist()
        return whole(self, batches, rows, pull, n)

    monkeypatch.setattr(Learner, "_gradient", gradient)
    learner.update(batches, PULL, [np.random.default_rng(shard) for shard in range(2)])
    assert [sorted(rows) for rows in seen] == [list(range(len(rollout.action))) for rollout in rollouts]


def test_the_gradient_of_two_shards_is_that_of_all_decisions_together(state: State, ruleset: Ruleset) -> None:
    learner = learner_of(state, shards=2)
    batches, _ = learner.prepare([rollout_of(state, ruleset, deals) for deals in (range(8), range(8, 20))], PULL)
    sizes = [len(batch.action) for batch in batches]
    learner._gradient(batches, [np.arange(size) for size in sizes], PULL, sum(sizes))
    found = learner.gradient.clone()
    alone = learner_of(state)
    together = Batch(*(torch.cat(pair) for pair in zip(*(vars(b).values() for b in batches), strict=True)))
    alone._gradient([together], [np.arange(sum(sizes))], PULL, sum(sizes))
    assert found.numpy() == pytest.approx(alone.gradient.numpy(), abs=1e-5)


def test_what_pulls_goes_from_start_to_end_and_the_watchdog_has_its_factor() -> None:
    stage = Joint(lr=1e-3, lr_end=1e-4, magnet=0.2, magnet_end=0.1, advice=0.4, advice_end=0.0, entropy_cards=0.01)
    start, half, end = (pull_at(stage, share, 2.0, 3.0) for share in (0.0, 0.5, 1.7))
    assert (start.lr, half.lr, end.lr) == pytest.approx((1e-3, 5.5e-4, 1e-4))
    assert (start.magnet, half.magnet, end.magnet) == pytest.approx((0.4, 0.3, 0.2))
    assert (start.advice, half.advice, end.advice) == pytest.approx((0.8, 0.4, 0.0))
    assert start.entropy_cards == 0.01


def test_the_average_moves_by_its_share(learner: Learner) -> None:
    before = [weight.clone() for weight in learner.average.parameters()]
    with torch.no_grad():
        for weight in learner.actor.parameters():
            weight.add_(1.0)
    learner.follow(keep=0.75)
    for old, new in zip(before, learner.average.parameters(), strict=True):
        assert new.detach().numpy() == pytest.approx(old.numpy() + 0.25, abs=1e-5)
    learner.follow(keep=0.0)
    for new, weight in zip(learner.average.parameters(), learner.actor.parameters(), strict=True):
        assert torch.equal(new, weight)


def played_out(state: State, ruleset: Ruleset, share: float) -> Rollout:
    """Decisions of which all actions, or those of some, were played out."""
    cast = Cast(partial(infer, state.actor), make_player("novice", ruleset), playouts=share)
    features = feature_table(state.config.net.blocks)
    return play_deals(cast, Starts(forced=0.5), ruleset, features, 3, range(16), 0, hidden=True)


def test_of_what_was_played_out_the_mean_worth_of_the_policy_is_the_loss(
    learner: Learner, state: State, ruleset: Ruleset
) -> None:
    rollout = played_out(state, ruleset, 0.5)
    batch = learner.prepare([rollout], LEAST)[0][0]
    drawn = batch.weighed.numpy()
    assert drawn.any()
    assert not drawn.all()
    chances = masked_policy(learner.actor(batch.ids), batch.mask)[0].detach().numpy()
    above = np.where(rollout.mask == 1, rollout.worth, 0)
    above = np.where(rollout.mask == 1, above - above.sum(1, keepdims=True) / rollout.mask.sum(1, keepdims=True), 0)
    weight = np.where(rollout.auction, learner.config.worth_auction, learner.config.worth_cards)
    loss = of_each(learner, batch, LEAST)
    assert loss[drawn] == pytest.approx((-weight * (chances * above).sum(1))[drawn], rel=1e-3, abs=1e-3)
    assert loss[~drawn] == pytest.approx(-batch.advantage.numpy()[~drawn], abs=1e-4)


def test_play_outs_lead_to_the_actions_that_were_worth_the_most(state: State, ruleset: Ruleset) -> None:
    learner, alone = learner_of(state), replace(LEAST, critic=False)
    rollout = played_out(state, ruleset, 1.0)
    critic = [weight.detach().clone() for weight in learner.critic.parameters()]
    batches, told = learner.prepare([rollout], alone)
    assert told == {}
    for _ in range(200):
        metrics = learner.update(batches, alone, [np.random.default_rng(0)])
    assert "loss/value" not in metrics
    logits = np.where(rollout.mask == 1, infer(learner.actor, rollout.ids), -np.inf)
    chosen = rollout.worth[np.arange(len(logits)), logits.argmax(1)]
    assert (chosen == np.nanmax(rollout.worth, axis=1)).mean() > 0.95
    assert all(torch.equal(a, b) for a, b in zip(critic, learner.critic.parameters(), strict=True))


def test_a_critic_that_knows_explains_everything_and_one_that_says_nothing_nothing() -> None:
    means = {"square of returns": 10.0, "returns": 1.0}
    assert explained(means | {"square of errors": 0.0}) == 1.0
    assert explained(means | {"square of errors": 9.0}) == pytest.approx(0.0)


def test_own_decisions_are_told_from_taught_ones(state: State, ruleset: Ruleset) -> None:
    features = feature_table(state.config.net.blocks)
    teacher = make_player("expert", ruleset)
    cast = Cast(partial(infer, state.actor), teacher)
    rollout = play_deals(cast, Starts(taught=1.0), ruleset, features, 3, range(24), 0, hidden=True)
    assert ((rollout.source == OWN) == (rollout.action < FIRST_CALL)).all()
