from __future__ import annotations

import numpy as np
import pytest

from solo_env.actions import N_ACTIONS, OVER, parse, text
from solo_env.engine.batch import apply_choices, open_choices
from solo_env.engine.deal import deal_pack, open_auction
from solo_env.engine.state import new_tables, new_views
from solo_env.observation import columns
from solo_env.rules import Ruleset, pack_array
from training.config import DEFAULT_BLOCKS
from training.rollout import write_inputs
from training.suits import ACTION_OF, NETWORK_ACTION_OF, network_columns


def test_the_first_suit_leads_and_the_others_follow() -> None:
    hearts = 2
    seen = [text(ACTION_OF[hearts, action]) for action in (parse("CA"), parse("D2"), parse("SK"))]
    assert seen == ["HA", "S2", "DK"]
    assert text(ACTION_OF[hearts, parse("TRUMPS C")]) == "TRUMPS H"
    assert text(ACTION_OF[hearts, parse("SOLO")]) == "SOLO"


def test_a_networks_actions_and_the_tables_are_one_to_one() -> None:
    for first in range(4):
        assert (ACTION_OF[first][NETWORK_ACTION_OF[first]] == np.arange(N_ACTIONS)).all()


def test_with_clubs_first_a_network_reads_the_blocks_as_they_are() -> None:
    assert (network_columns(DEFAULT_BLOCKS)[0] == columns(DEFAULT_BLOCKS)).all()
    assert all(set(moved) == set(columns(DEFAULT_BLOCKS)) for moved in network_columns(DEFAULT_BLOCKS).tolist())


@pytest.mark.parametrize("shift", [1, 2, 3])
def test_renaming_the_suits_changes_nothing_that_a_network_sees(ruleset: Ruleset, shift: int) -> None:
    """The same deals with every suit ``shift`` further, played by the same network's actions to the end."""
    rules, n = pack_array(ruleset), 64
    pair = [new_tables(n), new_tables(n)]
    rng = np.random.default_rng(shift)
    for b in range(n):
        cards = rng.permutation(52).astype(np.int8)
        for tables, suits in zip(pair, (0, shift), strict=True):
            tables[b]["pack"] = (cards + 13 * suits) % 52
            deal_pack(tables[b], rules[0], b % 4)
            open_auction(tables[b], rules[0], b % 4, int(tables[b]["dealt"][b % 4, -1]) // 13)
    read = network_columns(DEFAULT_BLOCKS)
    views, rows, seats = [new_views(n), new_views(n)], np.zeros(n, np.int64), np.zeros(n, np.int64)
    while True:
        count, count_2 = (open_choices(pair[i], rules, views[i], rows, seats) for i in range(2))
        assert count == count_2
        if not count:
            break
        (seen, mask, first), (seen_2, mask_2, first_2) = (write_inputs(v[:count], rules, read) for v in views)
        assert (seen == seen_2).all()
        assert (mask == mask_2).all()
        assert (first_2 == (first + shift) % 4).all()
        action = (mask * rng.random(mask.shape)).argmax(1)
        apply_choices(pair[0], rules, rows[:count], ACTION_OF[first, action])
        apply_choices(pair[1], rules, rows[:count], ACTION_OF[first_2, action])
    assert (pair[0]["phase"] == OVER).all()
    assert (pair[0]["payoff"] == pair[1]["payoff"]).all()
