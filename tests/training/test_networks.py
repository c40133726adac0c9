from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from solo_env.actions import N_ACTIONS
from tests.training.nets import some_ids
from training.choosing import choose_best_rows, sample_rows
from training.config import DEFAULT_BLOCKS, Net, Ppo
from training.features import MAX_ACTIVE, PAD, feature_table
from training.networks import (
    Critic,
    Network,
    SumRows,
    infer,
    masked_policy,
    new_networks,
    normalised_entropy,
)


def legal(*actions: int) -> np.ndarray:
    mask = np.zeros((1, N_ACTIONS), np.int8)
    mask[0, list(actions)] = 1
    return mask


def keys(n: int) -> np.ndarray:
    return np.random.default_rng(1).integers(0, 2**62, n)


def test_an_illegal_action_has_probability_exactly_0() -> None:
    logits = torch.full((1, N_ACTIONS), 80.0)
    logits[0, 3] = -80.0
    mask = torch.from_numpy(legal(3, 7)).bool()
    logits[0, 7] = -80.0
    probabilities, log_probabilities = masked_policy(logits, mask)
    assert probabilities[0, [3, 7]].tolist() == pytest.approx([0.5, 0.5])
    assert (probabilities[~mask] == 0).all()
    assert (log_probabilities[~mask] == 0).all()
    assert log_probabilities[mask].tolist() == pytest.approx([math.log(0.5)] * 2)


def test_sampling_never_takes_an_illegal_action() -> None:
    n = 2000
    logits = np.full((n, N_ACTIONS), 50, np.float32)
    logits[:, [5, 60]] = -50
    mask = np.repeat(legal(5, 60), n, axis=0)
    action, log_probability, likeliest = np.zeros(n, np.int64), *np.zeros((2, n), np.float32)
    sample_rows(logits, mask, keys(n), action, log_probability, likeliest)
    assert set(action.tolist()) == {5, 60}
    assert log_probability == pytest.approx(math.log(0.5))


def test_sampling_follows_the_probabilities_that_the_loss_sees() -> None:
    n = 20_000
    logits = np.zeros((n, N_ACTIONS), np.float32)
    logits[:, :4] = [0.0, 1.0, 2.0, -1.0]
    mask = np.repeat(legal(0, 1, 2), n, axis=0)
    action, log_probability, likeliest = np.zeros(n, np.int64), *np.zeros((2, n), np.float32)
    sample_rows(logits, mask, keys(n), action, log_probability, likeliest)
    chances, seen = masked_policy(torch.from_numpy(logits), torch.from_numpy(mask).bool())
    assert log_probability == pytest.approx(seen.numpy()[np.arange(n), action], abs=1e-6)
    assert likeliest == pytest.approx(chances.max(1).values.numpy(), abs=1e-6)
    frequency = np.bincount(action, minlength=3) / n
    assert frequency == pytest.approx(chances[0, :3].numpy(), abs=0.015)


def test_the_ends_of_the_key_range_give_the_first_and_the_last_legal_action() -> None:
    ends = np.array([0, 2**62 - 1])
    action, log_probability, likeliest = np.zeros(2, np.int64), *np.zeros((2, 2), np.float32)
    mask = np.repeat(legal(10, 20, 30), 2, axis=0)
    sample_rows(np.zeros((2, N_ACTIONS), np.float32), mask, ends, action, log_probability, likeliest)
    assert action.tolist() == [10, 30]


def test_the_best_legal_action_is_the_lowest_of_equals() -> None:
    logits = np.zeros((1, N_ACTIONS), np.float32)
    logits[0, 1] = 9
    action = np.zeros(1, np.int64)
    choose_best_rows(logits, legal(4, 8), action)
    assert action.tolist() == [4]


def test_entropy_is_0_for_one_legal_action_and_1_for_even_ones() -> None:
    logits = torch.randn(3, N_ACTIONS)
    logits[1:] = 0
    mask = torch.from_numpy(np.concatenate([legal(9), legal(1, 2), legal(*range(13))])).bool()
    entropy = normalised_entropy(*masked_policy(logits, mask), mask)
    assert entropy[0] == 0
    assert entropy[1:].tolist() == pytest.approx([1, 1])


def test_illegal_logits_move_neither_entropy_nor_gradient() -> None:
    mask = torch.from_numpy(legal(2, 5, 6)).bool()
    results = []
    for illegal in (-1e4, 0.0, 1e4):
        logits = torch.full((1, N_ACTIONS), illegal)
        logits[0, [2, 5, 6]] = torch.tensor([0.3, -0.2, 1.0])
        logits.requires_grad_(True)
        chances, log_probabilities = masked_policy(logits, mask)
        entropy = normalised_entropy(chances, log_probabilities, mask)
        (entropy.sum() + log_probabilities[0, 5]).backward()
        assert logits.grad is not None
        assert (logits.grad[~mask] == 0).all()
        results.append((entropy.item(), logits.grad[mask].tolist()))
    assert results[0] == results[1] == results[2]
    assert np.isfinite(results[0][1]).all()


SMALL = Net(actor=(64, 64), critic=(8,))


def multi_hot(ids: np.ndarray, n_features: int) -> torch.Tensor:
    """The same as float32 [N, features], 1 where a feature is active."""
    dense = torch.zeros(len(ids), n_features)
    for row, active in zip(dense, ids, strict=True):
        row[active[active != PAD].astype(np.int64)] = 1
    return dense


def test_the_first_layer_and_its_gradient_are_those_of_a_product_of_matrices() -> None:
    n = 50
    weight, bias = torch.randn(n, 24, requires_grad=True), torch.randn(24, requires_grad=True)
    ids = some_ids(40, n)[:, :60]
    ids = np.where(ids < n, ids, PAD).astype(np.int16)
    dense = multi_hot(ids, n)
    push = torch.randn(40, 24)
    SumRows.apply(weight, bias, torch.from_numpy(ids)).mul(push).sum().backward()
    found = weight.grad.clone(), bias.grad.clone()  # type: ignore[union-attr]
    assert SumRows.apply(weight, bias, torch.from_numpy(ids)).detach().numpy() == pytest.approx(
        (dense @ weight + bias).detach().numpy(), abs=1e-5
    )
    weight.grad = bias.grad = None
    (dense @ weight + bias).mul(push).sum().backward()
    assert found[0].numpy() == pytest.approx(weight.grad.numpy(), abs=1e-4)  # type: ignore[union-attr]
    assert found[1].numpy() == pytest.approx(bias.grad.numpy(), abs=1e-4)  # type: ignore[union-attr]


def test_what_stands_in_for_the_first_layer_on_a_gpu_gives_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    network = Network(50, (24,), 3, last_gain=1.0)
    ids = torch.from_numpy(np.where(some_ids(40, 50) < 50, some_ids(40, 50), PAD).astype(np.int16))
    here = network.first(ids)
    monkeypatch.setattr("training.networks.on_processor", lambda _: False)
    assert network.first(ids).detach().numpy() == pytest.approx(here.detach().numpy(), abs=1e-5)


def test_an_actor_does_not_read_hidden_cards_and_a_critic_of_hands_does() -> None:
    n = feature_table(DEFAULT_BLOCKS).n
    ids = some_ids(64, n, hidden=True)
    other = ids.copy()
    other[:, MAX_ACTIVE:] = np.where(ids[:, MAX_ACTIVE:] == n, n + 1, PAD)
    actor, critic = new_networks(SMALL, Ppo(), seed=3)
    assert (infer(actor, ids) == infer(actor, other)).all()
    # All but some: of eight units a position may have none that is awake.
    assert (infer(critic, ids) != infer(critic, other)).any(1).mean() > 0.9
    blind = Critic(Net(actor=(8,), critic=(8,), critic_sees="view"), Ppo())
    assert (infer(blind, ids) == infer(blind, other)).all()


def test_a_row_has_the_same_logits_in_any_batch() -> None:
    actor, _ = new_networks(SMALL, Ppo(), seed=3)
    ids = some_ids(100, feature_table(DEFAULT_BLOCKS).n)
    together = infer(actor, ids)
    alone = np.concatenate([infer(actor, ids[i : i + 1]) for i in range(100)])
    sevens = np.concatenate([infer(actor, ids[i : i + 7]) for i in range(0, 100, 7)])
    assert (together == alone).all()
    assert (together == sevens).all()


def test_first_weights_depend_on_the_seed_alone_and_leave_torchs_generator() -> None:
    torch.manual_seed(5)
    before = torch.get_rng_state()
    first = new_networks(SMALL, Ppo(), seed=1)[0]
    torch.rand(3)
    second = new_networks(SMALL, Ppo(), seed=1)[0]
    other = new_networks(SMALL, Ppo(), seed=2)[0]
    torch.manual_seed(5)
    assert (before == torch.get_rng_state()).all()
    assert all((a == b).all() for a, b in zip(first.parameters(), second.parameters(), strict=True))
    assert not (first.weight == other.weight).all()
