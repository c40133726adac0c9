"""The golden games replay as they were written, in both implementations."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from solo_env.table import Table
from tests import rulebook

LINES = (Path(__file__).parent / "games.txt").read_text(encoding="utf-8").splitlines()
GAMES = [(reason[2:], line) for reason, line in pairwise(LINES) if line.startswith("pagat")]


@pytest.mark.parametrize(("reason", "line"), GAMES)
def test_a_golden_game_replays_to_its_result(reason, line):
    table = Table.from_record(line)
    assert table.over, reason
    assert table.record() == line, reason
    game = rulebook.replay(line)
    dealer = int(table.data["dealer"])
    assert tuple(game.payoffs) == tuple(table.payoffs[(dealer + 1 + i) % 4] for i in range(4)), reason


def test_every_game_has_its_reason():
    assert len(GAMES) == 15
    assert all(reason.endswith(".") for reason, _ in GAMES)
