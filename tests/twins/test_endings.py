"""Engine and rulebook agree on every line of play of sampled endings."""

from __future__ import annotations

import random

import pytest

from solo_env import actions
from solo_env.table import Table
from tests import rulebook
from tests.playing import CONTRACTS, in_contract, play_on


def ending(contract: str, rng: random.Random, cards_left: int) -> Table:
    """A position of ``contract`` with that many cards to play."""
    wanted = 52 - cards_left
    while True:
        table = in_contract(contract, rng, kind=True, dealer=rng.randrange(4))
        play_on(table, rng, lambda t: int(t.data["n_plays"]) >= wanted)
        if not table.over:
            return table


MOST_LINES = 3000  # of one ending; a wilder one is passed over, since the rulebook is slow


def engine_lines(table: Table) -> dict[tuple[str, ...], tuple[int, ...]] | None:
    """Every line of play from a position, with its payoffs from eldest; None if there are too many."""
    lines: dict[tuple[str, ...], tuple[int, ...]] = {}

    def walk(position: Table, line: tuple[str, ...]) -> None:
        if len(lines) > MOST_LINES:
            return
        if position.over:
            eldest = int(position.data["dealer"]) + 1
            lines[line] = tuple(position.payoffs[(eldest + i) % 4] for i in range(4))
            return
        for card in position.legal_actions():
            after = position.clone()
            after.apply(card)
            walk(after, (*line, actions.text(card)))

    walk(table, ())
    return None if len(lines) > MOST_LINES else lines


def assert_same_lines(contract: str, rng: random.Random, cards_left: int) -> int:
    """Sample an ending and compare all its lines; returns how many there are."""
    ours = None
    while ours is None:
        table = ending(contract, rng, cards_left)
        ours = engine_lines(table)
    theirs = {line: tuple(payoffs) for line, payoffs in rulebook.lines(rulebook.replay(table.record()))}
    assert ours == theirs
    return len(ours)


@pytest.mark.parametrize("contract", CONTRACTS)
def test_every_line_of_three_card_endings(contract):
    rng = random.Random(f"three cards of {contract}")
    assert sum(assert_same_lines(contract, rng, 12) for _ in range(5)) > 5


@pytest.mark.parametrize("contract", CONTRACTS)
def test_every_line_of_a_four_card_ending_from_the_third_hand_on(contract):
    rng = random.Random(f"four cards of {contract}")
    assert assert_same_lines(contract, rng, 14) > 1
