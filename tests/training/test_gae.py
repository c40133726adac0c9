from __future__ import annotations

import numpy as np
import pytest

from training.gae import seat_advantages

# Two deals side by side. In deal 0 seat 1 decides three times, seat 3 twice, seat 0 once, seat 2 never (all
# its moves were forced); in deal 1 only seat 2 decides, once. The decisions stand as they were taken.
ROW = np.array([0, 0, 1, 0, 0, 0, 0])
SEAT = np.array([1, 3, 2, 1, 0, 3, 1])
VALUE = np.array([1.0, 0.0, 0.5, -1.0, 2.0, 0.5, 0.0], np.float32)
PAYOFF = np.array([[9, -3, -3, -3], [-1, -1, 3, -1]], np.float32)


def test_advantages_worked_by_hand() -> None:
    # Seat 1 of deal 0, lambda 1/2, from its last decision back:
    #   third    -3 - 0           = -3
    #   second   (0 - -1) - 3/2   = -1/2
    #   first    (-1 - 1) - 1/4   = -9/4
    # Seat 3: last -3 - 1/2 = -7/2; first (1/2 - 0) - 7/4 = -5/4. Seat 0: 9 - 2. Seat 2 of deal 1: 3 - 1/2.
    expected = [-2.25, -1.25, 2.5, -0.5, 7.0, -3.5, -3.0]
    assert seat_advantages(ROW, SEAT, VALUE, PAYOFF, 0.5).tolist() == expected


def test_lambda_1_is_the_payoff_less_the_value() -> None:
    expected = PAYOFF[ROW, SEAT] - VALUE
    assert seat_advantages(ROW, SEAT, VALUE, PAYOFF, 1.0) == pytest.approx(expected)


def test_lambda_0_is_the_step_to_the_seats_own_next_value() -> None:
    expected = [-2.0, 0.5, 2.5, 1.0, 7.0, -3.5, -3.0]
    assert seat_advantages(ROW, SEAT, VALUE, PAYOFF, 0.0).tolist() == expected


def test_a_zero_sum_deal_has_zero_sum_returns() -> None:
    row, seat = np.zeros(8, np.int64), np.tile(np.arange(4), 2)
    value = np.zeros(8, np.float32)
    advantage = seat_advantages(row, seat, value, PAYOFF, 1.0)
    assert advantage[:4].sum() == 0
    assert advantage[:4].tolist() == advantage[4:].tolist() == PAYOFF[0].tolist()


def test_payoffs_are_not_changed() -> None:
    payoff = PAYOFF.copy()
    seat_advantages(ROW, SEAT, VALUE, payoff, 0.5)
    assert (payoff == PAYOFF).all()
