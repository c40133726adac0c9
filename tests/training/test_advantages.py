from __future__ import annotations

import numpy as np
import pytest

from training.advantages import seat_advantages, vrpo_advantages

# Two deals side by side. In deal 0 seat 1 decides three times, seat 3 twice, seat 0 once, seat 2 never (all
# its moves were forced); in deal 1 only seat 2 decides, once. The decisions stand as they were taken.
ROW = np.array([0, 0, 1, 0, 0, 0, 0])
SEAT = np.array([1, 3, 2, 1, 0, 3, 1])
VALUE = np.array([1.0, 0.0, 0.5, -1.0, 2.0, 0.5, 0.0], np.float32)
TAKEN = np.array([0.5, 1.0, 0.5, -2.0, 3.0, 0.5, -1.0], np.float32)
PAYOFF = np.array([[9, -3, -3, -3], [-1, -1, 3, -1]], np.float32)


def at(lam: float) -> np.ndarray:
    """The same lambda at each decision."""
    return np.full(len(ROW), lam, np.float32)


def test_advantages_worked_by_hand() -> None:
    # Seat 1 of deal 0, lambda 1/2, from its last decision back:
    #   third    -3 - 0           = -3
    #   second   (0 - -1) - 3/2   = -1/2
    #   first    (-1 - 1) - 1/4   = -9/4
    # Seat 3: last -3 - 1/2 = -7/2; first (1/2 - 0) - 7/4 = -5/4. Seat 0: 9 - 2. Seat 2 of deal 1: 3 - 1/2.
    expected = [-2.25, -1.25, 2.5, -0.5, 7.0, -3.5, -3.0]
    assert seat_advantages(ROW, SEAT, VALUE, PAYOFF, at(0.5)).tolist() == expected


def test_lambda_1_is_the_payoff_less_the_value() -> None:
    expected = PAYOFF[ROW, SEAT] - VALUE
    assert seat_advantages(ROW, SEAT, VALUE, PAYOFF, at(1.0)) == pytest.approx(expected)


def test_lambda_0_is_the_step_to_the_seats_own_next_value() -> None:
    expected = [-2.0, 0.5, 2.5, 1.0, 7.0, -3.5, -3.0]
    assert seat_advantages(ROW, SEAT, VALUE, PAYOFF, at(0.0)).tolist() == expected


def test_traces_of_action_values_worked_by_hand() -> None:
    # Seat 1 of deal 0, lambda 1/2: traces -3 - -1 = -2; (0 - -2) - 1 = 1; (-1 - 1/2) + 1/2 = -1.
    advantage, target = vrpo_advantages(ROW, SEAT, TAKEN, VALUE, PAYOFF, at(0.5))
    assert target[[0, 3, 6]].tolist() == [0.5 - 1, -2 + 1, -1 - 2]
    assert advantage[[0, 3, 6]].tolist() == [-0.5 - 1, -1 + 1, -3 - 0]


@pytest.mark.parametrize("factor", [0.0, 0.3, 0.95, 1.0])
def test_both_are_the_sums_along_each_chain(factor: float) -> None:
    rng = np.random.default_rng(3)
    n, deals = 300, 9
    row, seat = rng.integers(0, deals, n), rng.integers(0, 4, n)
    value, taken = rng.normal(size=(2, n)).astype(np.float32)
    payoff = rng.normal(size=(deals, 4)).astype(np.float32)
    plain = seat_advantages(row, seat, value, payoff, np.full(n, factor, np.float32))
    advantage, target = vrpo_advantages(row, seat, taken, value, payoff, np.full(n, factor, np.float32))
    for b, p in np.ndindex(deals, 4):
        chain = np.flatnonzero((row == b) & (seat == p))
        after = np.append(value[chain], payoff[b, p])[1:]  # what each decision led to
        for told, found in ((value, plain + value), (taken, target)):
            for i in range(len(chain)):
                powers = factor ** np.arange(len(chain) - i)
                trace = (powers * (after[i:] - told[chain[i:]])).sum()
                assert found[chain[i]] == pytest.approx(told[chain[i]] + trace, abs=1e-5)
    assert advantage == pytest.approx(target - value, abs=1e-5)


def test_where_the_critic_sees_no_difference_between_actions_both_are_the_same() -> None:
    advantage, target = vrpo_advantages(ROW, SEAT, VALUE, VALUE, PAYOFF, at(0.7))
    assert advantage == pytest.approx(seat_advantages(ROW, SEAT, VALUE, PAYOFF, at(0.7)))
    assert target == pytest.approx(advantage + VALUE)


def test_with_lambda_1_a_seats_own_later_luck_is_taken_off() -> None:
    _, target = vrpo_advantages(ROW, SEAT, TAKEN, VALUE, PAYOFF, at(1.0))
    luck = TAKEN - VALUE
    later = [luck[3] + luck[6], luck[5], 0, luck[6], 0, 0, 0]
    assert target == pytest.approx(PAYOFF[ROW, SEAT] - later)


def test_payoffs_are_not_changed() -> None:
    payoff = PAYOFF.copy()
    seat_advantages(ROW, SEAT, VALUE, payoff, at(0.5))
    vrpo_advantages(ROW, SEAT, TAKEN, VALUE, payoff, at(0.5))
    assert (payoff == PAYOFF).all()


def test_each_decision_has_a_lambda_of_its_own() -> None:
    lam = np.array([0.5, 1, 1, 0, 1, 1, 1], np.float32)
    # Seat 1 of deal 0: third -3; second (0 - -1) + 0 * -3 = 1; first (-1 - 1) + 1/2 * 1 = -3/2.
    assert seat_advantages(ROW, SEAT, VALUE, PAYOFF, lam)[[0, 3, 6]].tolist() == [-1.5, 1.0, -3.0]
