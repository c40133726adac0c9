"""The action and observation tables, cards, and what is made from them."""

from __future__ import annotations

import numpy as np
import pytest

from solo_env import actions, cards, layout, observation
from solo_env.aec import AGENTS, raw_env
from solo_env.engine.state import VIEW


def test_action_ids_are_the_fixed_ones():
    fixed = {
        "C2": 0, "SA": 51, "PASS": 52, "PROP": 53, "COP": 54, "SOLO": 55, "MIS": 56, "ABU": 57, "ABT": 58,
        "PETIT": 59, "OUV": 60, "DECL": 61, "GRAND": 62, "RDECL": 63, "TRUMPS C": 64, "TRUMPS S": 67,
    }  # fmt: skip
    assert {name: actions.parse(name) for name in fixed} == fixed
    assert actions.N_ACTIONS == 68


def test_every_action_has_a_name_that_parses_back_and_a_phase():
    for action in range(actions.N_ACTIONS):
        assert actions.parse(actions.text(action)) == action
        assert actions.phase(action) in (actions.AUCTION, actions.NAMING, actions.PLAY)


@pytest.mark.parametrize("action", [-1, 68, 1000])
def test_ids_outside_the_table_are_refused(action):
    with pytest.raises(ValueError, match="is no action"):
        actions.text(action)
    with pytest.raises(ValueError, match="is no action"):
        actions.phase(action)


@pytest.mark.parametrize("name", ["", "pass", "S1", "AS", "TRUMPS", "TRUMPS X", "10H"])
def test_names_outside_the_table_are_refused(name):
    with pytest.raises(ValueError, match="is no action"):
        actions.parse(name)


def test_cards_go_by_suit_then_rank():
    assert [cards.card_text(c) for c in (0, 12, 13, 25, 51)] == ["C2", "CA", "D2", "DA", "SA"]
    assert cards.parse_cards("SAH9") == [51, 33]
    with pytest.raises(ValueError, match="two letters"):
        cards.parse_cards("SAH")
    with pytest.raises(ValueError, match="is no card"):
        cards.card_text(52)


def test_blocks_tile_the_observation():
    at = 0
    for block in layout.BLOCKS:
        assert layout.OFFSETS[block.name] == at
        at += block.size
    assert at == layout.N_FEATURES
    assert len({block.name for block in layout.BLOCKS}) == len(layout.BLOCKS)


def test_where_names_every_column():
    for block in layout.BLOCKS:
        first = layout.OFFSETS[block.name]
        assert observation.where(first).startswith(f"{block.name}[{', '.join('0' for _ in block.shape)}]")
        last = ", ".join(str(n - 1) for n in block.shape)
        assert observation.where(first + block.size - 1).startswith(f"{block.name}[{last}]")
    for index in (-1, layout.N_FEATURES):
        with pytest.raises(ValueError, match="does not exist"):
            observation.where(index)


def test_named_views_share_the_buffer_and_keep_leading_axes():
    buffer = np.zeros((2, 3, layout.N_FEATURES), np.int8)
    named = observation.named_view(buffer)
    named["failed"][1, 2, 3, 1] = 1
    column = int(np.flatnonzero(buffer[1, 2])[0])
    assert observation.where(column).startswith("failed[3, 1]")
    assert named["played"].shape == (2, 3, 4, 52)
    with pytest.raises(ValueError, match="columns"):
        observation.named_view(buffer[..., 1:])


def test_columns_are_those_of_the_named_blocks():
    chosen = observation.columns(["trick", "hand"])
    assert len(chosen) == 5 * 52
    assert observation.where(int(chosen[0])).startswith("trick[0, 0]")
    assert observation.where(int(chosen[-1])).startswith("hand[51]")
    with pytest.raises(ValueError, match="no block 'hnad'"):
        observation.columns(["hnad"])


def test_an_observation_says_what_happened():
    """One game followed by hand: what each block holds after three calls, the contract and five cards."""
    env = raw_env()
    env.reset(seed=11, options={"dealer": 3})
    for name in ("PASS", "SOLO", "PASS", "PASS"):
        env.step(actions.parse(name))
    played = []
    for _ in range(5):
        card = int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])[0])
        played.append((env.table.turn, card))
        env.step(card)
    seat = 2
    seen = observation.named_view(env.observe(AGENTS[seat])["observation"])
    data = env.table.data
    assert np.flatnonzero(seen["hand"]).tolist() == cards.cards_of(int(data["hand_cards"][seat]))
    for who, card in played:
        assert seen["played"][(who - seat) % 4, card]
    assert seen["played"].sum() == 5
    assert [int(seen["played_trick"][card]) for _, card in played] == [1, 1, 1, 1, 2]
    who, card = played[4]
    assert seen["trick"][(who - seat) % 4, card]
    assert seen["trick"].sum() == 1
    assert seen["leader"].tolist() == [int((who - seat) % 4 == rel) for rel in range(4)]
    assert seen["trick_winners"][0, (who - seat) % 4]
    assert seen["trick_winners"].sum() == 1
    assert np.flatnonzero(seen["turned"]).tolist() == [int(data["turned_card"])]
    calls = [(int(row[:12].argmax()) + 52, int(row[12:].argmax())) for row in seen["calls"] if row.any()]
    assert calls == [(52, 2), (55, 3), (52, 0), (52, 1)]
    assert seen["calls_by_seat"][3, 55 - 52]
    assert seen["phase"].tolist() == [0, 0, 1, 0]
    assert np.flatnonzero(seen["contract"]).tolist() == [1]
    assert np.flatnonzero(seen["declarer"]).tolist() == [3]
    assert not seen["partner"].any()
    assert layout.ROLES[int(seen["role"].argmax())] == "defender"
    assert int(seen["trump"].argmax()) == 2 + int(data["turned_card"]) // 13
    assert np.flatnonzero(seen["dealer"]).tolist() == [1]
    assert seen["tricks"].tolist() == [int(data["tricks"][(seat + rel) % 4]) for rel in range(4)]
    ours = int(data["tricks"][1])
    assert seen["tricks_by_side"].tolist() == [ours, 1 - ours]
    assert int(seen["tricks_needed"][0]) == 5 - ours
    assert int(seen["tricks_left"][0]) == 12
    assert seen["prices"][0].tolist() == [1, 1, 2, 3, 3, 0, 4, 6, 0, 0]
    assert seen["ladder"].tolist() == [1, 2, 3, 4, 5, 0, 6, 7, 0, 0]


def test_records_have_no_bytes_outside_their_fields():
    """Bytes between fields are not written, so copies would hand out what the memory held before."""
    used = sum(dtype.itemsize for dtype, *_ in VIEW.fields.values())
    assert used == VIEW.itemsize
