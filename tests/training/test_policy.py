from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from solo_env.actions import N_ACTIONS
from solo_env.observation import columns
from training.config import DEFAULT_BLOCKS, Net
from training.policy import (
    choose_best_rows,
    infer,
    masked_log_probabilities,
    new_networks,
    normalised_entropy,
    sample_rows,
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
    probabilities = masked_log_probabilities(logits, mask).exp()
    assert probabilities[0, [3, 7]].tolist() == pytest.approx([0.5, 0.5])
    assert (probabilities[~mask] == 0).all()


def test_sampling_never_takes_an_illegal_action() -> None:
    n = 2000
    logits = np.full((n, N_ACTIONS), 50, np.float32)
    logits[:, [5, 60]] = -50
    mask = np.repeat(legal(5, 60), n, axis=0)
    action, log_probability = np.zeros(n, np.int64), np.zeros(n, np.float32)
    sample_rows(logits, mask, keys(n), action, log_probability)
    assert set(action.tolist()) == {5, 60}
    assert log_probability == pytest.approx(math.log(0.5))


def test_sampling_follows_the_probabilities_that_the_loss_sees() -> None:
    n = 20_000
    logits = np.zeros((n, N_ACTIONS), np.float32)
    logits[:, :4] = [0.0, 1.0, 2.0, -1.0]
    mask = np.repeat(legal(0, 1, 2), n, axis=0)
    action, log_probability = np.zeros(n, np.int64), np.zeros(n, np.float32)
    sample_rows(logits, mask, keys(n), action, log_probability)
    seen = masked_log_probabilities(torch.from_numpy(logits), torch.from_numpy(mask).bool())
    assert log_probability == pytest.approx(seen.numpy()[np.arange(n), action], abs=1e-6)
    frequency = np.bincount(action, minlength=3) / n
    assert frequency == pytest.approx(seen[0, :3].exp().numpy(), abs=0.015)


def test_the_ends_of_the_key_range_give_the_first_and_the_last_legal_action() -> None:
    ends = np.array([0, 2**62 - 1])
    action, log_probability = np.zeros(2, np.int64), np.zeros(2, np.float32)
    mask = np.repeat(legal(10, 20, 30), 2, axis=0)
    sample_rows(np.zeros((2, N_ACTIONS), np.float32), mask, ends, action, log_probability)
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
    entropy = normalised_entropy(masked_log_probabilities(logits, mask), mask)
    assert entropy[0] == 0
    assert entropy[1:].tolist() == pytest.approx([1, 1])


def test_illegal_logits_move_neither_entropy_nor_gradient() -> None:
    mask = torch.from_numpy(legal(2, 5, 6)).bool()
    results = []
    for illegal in (-1e4, 0.0, 1e4):
        logits = torch.full((1, N_ACTIONS), illegal)
        logits[0, [2, 5, 6]] = torch.tensor([0.3, -0.2, 1.0])
        logits.requires_grad_(True)
        log_probabilities = masked_log_probabilities(logits, mask)
        entropy = normalised_entropy(log_probabilities, mask)
        (entropy.sum() + log_probabilities[0, 5]).backward()
        assert logits.grad is not None
        assert (logits.grad[~mask] == 0).all()
        results.append((entropy.item(), logits.grad[mask].tolist()))
    assert results[0] == results[1] == results[2]
    assert np.isfinite(results[0][1]).all()


def test_a_row_has_the_same_logits_in_any_batch() -> None:
    actor, _ = new_networks(Net(actor=(64, 64), critic=(8,)), seed=3)
    observation = np.random.default_rng(0).integers(0, 2, (100, len(columns(DEFAULT_BLOCKS)))).astype(np.int8)
    together = infer(actor, observation)
    alone = np.concatenate([infer(actor, observation[i : i + 1]) for i in range(100)])
    sevens = np.concatenate([infer(actor, observation[i : i + 7]) for i in range(0, 100, 7)])
    assert (together == alone).all()
    assert (together == sevens).all()


def test_first_weights_depend_on_the_seed_alone_and_leave_torchs_generator() -> None:
    torch.manual_seed(5)
    before = torch.get_rng_state()
    first = new_networks(Net(actor=(8,), critic=(8,)), seed=1)[0]
    torch.rand(3)
    second = new_networks(Net(actor=(8,), critic=(8,)), seed=1)[0]
    other = new_networks(Net(actor=(8,), critic=(8,)), seed=2)[0]
    torch.manual_seed(5)
    assert (before == torch.get_rng_state()).all()
    assert all((a == b).all() for a, b in zip(first.parameters(), second.parameters(), strict=True))
    assert not (first.layers[0].weight == other.layers[0].weight).all()
