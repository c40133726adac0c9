"""The tables of actions and of the observation are frozen within v0."""

from __future__ import annotations

from pathlib import Path

from solo_env import actions, layout

LINES = (Path(__file__).parent / "tables.txt").read_text(encoding="utf-8").splitlines()
FROZEN = {name: (int(size), digits) for name, size, digits in (line.split() for line in LINES if line[0] != "#")}


def test_the_action_table_is_the_frozen_one():
    assert FROZEN["actions"] == (actions.N_ACTIONS, layout.rows_hash(layout.action_rows()))


def test_the_observation_table_is_the_frozen_one():
    assert FROZEN["observation"] == (layout.N_FEATURES, layout.rows_hash(layout.observation_rows()))


def test_the_hashes_do_not_care_how_a_meaning_is_worded():
    assert all(row.meaning not in repr(layout.observation_rows()) for row in layout.BLOCKS)
    assert all(row.meaning not in repr(layout.action_rows()) for row in actions.TABLE[52:])
