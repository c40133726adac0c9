"""Unshuffled packs give the wild hands that they are played for, as often as was measured elsewhere."""

from __future__ import annotations

import numpy as np
import pytest

from solo_env import actions
from solo_env.vector import SoloVectorEnv

# Per cent, measured over 40,000 deals apart from this engine: hands whose longest suit has 7, 8 and 9 cards, deals
# in which some hand has a suit of 8 or more, and hands with a void.
UNSHUFFLED = '+deal.shuffle="barely"+deal.reshuffle_after="never"'
UNSORTED = 'deal.goulash={packets=[5,3,5],stack="seats_0_to_3",sort_hands=false,cut=true}'
MEASURED = {
    "pagat": (actions.PASS, (3.6, 0.44, 0.03, 1.9, 5.1)),
    'pagat+passout.mode="goulash"': (actions.PASS, (10.6, 2.2, 0.33, 8.7, 17.0)),
    f'pagat+passout.mode="goulash"+{UNSORTED}': (actions.PASS, (3.5, 0.45, 0.03, 1.9, 5.1)),
    f"pagat+deal.packets=[4,3,3,3]{UNSHUFFLED}": (actions.SOLO, (9.7, 2.8, 0.71, 13.3, 17.9)),
    f"pagat{UNSHUFFLED}": (actions.SOLO, (7.5, 2.1, 0.56, 10.5, 14.8)),
}
THEIR_DEALS = 40_000
ROUNDING = 0.05  # of the figures above


def second_deals(ruleset: str, call: int, n: int) -> np.ndarray:
    """The hands [n, 4, 13] of the deals after one of random cards under ``call`` (PASS: of four passes)."""
    rng = np.random.default_rng(7)
    env = SoloVectorEnv(n, ruleset, seed=7, deals=2)
    told, dealt = env.reset(), {}
    while len(dealt) < n:
        wish = rng.random(told.action_mask.shape) + 1
        wish[:, actions.PASS] = 3
        wish[:, call] = 4
        told = env.step((wish * told.action_mask).argmax(axis=1))
        for b in np.flatnonzero(told.settled & ~told.done):
            dealt[b] = env.table(int(b)).data["dealt"].copy()
    return np.stack([dealt[b] for b in range(n)])


def shapes(dealt: np.ndarray) -> np.ndarray:
    """The figures of ``MEASURED`` for hands [n, 4, 13], in per cent."""
    lengths = np.stack([(dealt // 13 == suit).sum(axis=2) for suit in range(4)], axis=2)
    longest = lengths.max(axis=2)
    hands = [(longest == cards).mean() for cards in (7, 8, 9)]
    return 100 * np.array([*hands, (longest >= 8).any(axis=1).mean(), (lengths.min(axis=2) == 0).mean()])


@pytest.mark.jit_only
@pytest.mark.parametrize("n", [4_000, pytest.param(THEIR_DEALS, marks=pytest.mark.long)])
@pytest.mark.parametrize("ruleset", MEASURED)
def test_the_hands_are_as_long_as_was_measured(ruleset, n):
    call, measured = MEASURED[ruleset]
    share = np.array(measured) / 100
    # The four hands of a deal count for one: long suits come in company.
    error = 100 * np.sqrt(share * (1 - share) * (1 / n + 1 / THEIR_DEALS))
    assert (np.abs(shapes(second_deals(ruleset, call, n)) - measured) <= 3.5 * error + ROUNDING).all()
