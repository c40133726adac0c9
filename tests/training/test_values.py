"""The critic's distribution of payoffs."""

from __future__ import annotations

import pytest
import torch

from training.values import bin_payoffs, chance_above_zero, mean_payoff, value_loss

PAYOFFS = bin_payoffs(51, 60.0)


def learnt(targets: torch.Tensor) -> torch.Tensor:
    """The logits [1, 51] that are best for all the targets together."""
    logits = torch.zeros(1, 51, requires_grad=True)
    optimiser = torch.optim.Adam([logits], lr=0.2)
    for _ in range(1500):
        optimiser.zero_grad()
        value_loss(logits.expand(len(targets), -1), PAYOFFS, targets).mean().backward()
        optimiser.step()
    return logits.detach()


def test_bins_go_from_end_to_end_through_0_and_are_close_together_in_the_middle() -> None:
    assert PAYOFFS[[0, 25, 50]].tolist() == pytest.approx([-60, 0, 60], rel=1e-5)
    steps = PAYOFFS.diff()
    assert (steps > 0).all()
    assert steps[25] < 0.2
    assert steps[-1] > 5


@pytest.mark.parametrize("targets", [[0.37], [-2.0, 2.0], [1.0, 1.0, 1.0, -17.3], [60.0, -60.0], [3.0, 100.0]])
def test_what_is_learnt_has_the_mean_of_the_targets(targets: list[float]) -> None:
    target = torch.tensor(targets)
    mean = float(target.clamp(-60, 60).mean())  # nothing is paid beyond the ends
    assert float(mean_payoff(learnt(target), PAYOFFS)) == pytest.approx(mean, abs=0.05)


def test_the_chance_of_a_gain_is_that_of_the_payoffs_above_0() -> None:
    assert float(chance_above_zero(learnt(torch.tensor([2.0, 2.0, 2.0, -1.0])), PAYOFFS)) == pytest.approx(
        0.75, abs=0.01
    )
    assert float(chance_above_zero(learnt(torch.tensor([0.0, -1.0])), PAYOFFS)) == pytest.approx(0.0, abs=0.01)


def test_the_loss_is_least_where_the_chances_are_those_of_the_target() -> None:
    target = torch.tensor([0.5])
    best = learnt(target)
    least = float(value_loss(best, PAYOFFS, target))
    for column in (20, 28, 30):
        moved = best.clone()
        moved[0, column] += 0.5
        assert float(value_loss(moved, PAYOFFS, target)) > least
