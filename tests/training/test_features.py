"""What networks see: each column that is not 0 as a feature, nothing hidden, and nothing of the names of suits."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from solo_env.actions import FIRST_CALL, FIRST_TRUMPS, N_ACTIONS, NAMING, PASS, parse, text
from solo_env.cards import N_CARDS, N_RANKS, N_SEATS, cards_of
from solo_env.engine.batch import apply_choices, deal_rows, open_choices
from solo_env.engine.state import new_tables, new_views
from solo_env.layout import BLOCKS, N_FEATURES, OFFSETS, block
from solo_env.rules import Ruleset, load_ruleset, pack_array
from solo_env.view import View
from training.config import DEFAULT_BLOCKS
from training.features import (
    ACTION_OF,
    HIDDEN_FEATURES,
    MAX_ACTIVE,
    N_HIDDEN,
    N_ORDERS,
    NETWORK_ACTION_OF,
    ORDERS,
    PAD,
    feature_table,
    most_active,
    rename_suits,
    seen_of,
    suit_order,
    write_hidden,
    write_inputs,
)

# Every block that may be features, in two halves, since there is no room for all at once.
LARGE = ("played_trick", "trick_winners", "calls", "prices", "targets", "ladder", "ruleset", "account", "deals")
SMALL = tuple(row.name for row in BLOCKS if row.name not in LARGE)
HALVES = (SMALL, ("hand", "played_trick", "trick_winners", "calls"))
RULESETS = (
    "pagat",
    "anna_cubed",
    'pagat+trump.source="cycle"+trump.cycle=["NT","H"]+contract.abu_suit_time="with_call"',
    'pagat+play.revokes="possible"+info.memory="table_memory"+contract.ouv_expose="before_lead"',
    'pagat+passout.mode="fewest"+info.turnup_after_pickup="hide"',
)
BIDS = (0.5, 0.05, 0.01)  # how likely a call that isn't passing is drawn beside a pass: wild, usual and quiet deals


def positions(ruleset: Ruleset, seed: int, n: int = 96) -> tuple[NDArray[np.void], NDArray[np.void], NDArray[np.int64]]:
    """Views, tables and seats of every choice in ``n`` deals in which all sorts of calls and cards are made."""
    rules, rng = pack_array(ruleset), np.random.default_rng(seed)
    tables, views, rows, seats = new_tables(n), new_views(n), np.zeros(n, np.int64), np.zeros(n, np.int64)
    deal_rows(tables, rules, seed, 0, 0, -1, 1, 0, n)
    weight = np.ones((n, N_ACTIONS))
    for b in range(n):
        weight[b, FIRST_CALL + 1 : FIRST_TRUMPS] = BIDS[b % len(BIDS)]
    seen: list[tuple[NDArray[np.void], NDArray[np.void], NDArray[np.int64]]] = []
    while count := open_choices(tables, rules, views, rows, seats):
        seen.append((views[:count].copy(), tables[rows[:count]].copy(), seats[:count].copy()))
        action = (legal(views[:count]) * weight[rows[:count]] * rng.random((count, N_ACTIONS))).argmax(1)
        apply_choices(tables, rules, rows[:count], action)
    views, tables, seats = (np.concatenate(parts) for parts in zip(*seen, strict=True))
    return views, tables, seats


def legal(views: NDArray[np.void]) -> NDArray[np.int64]:
    """int64 [N, A]: the legal actions of views, by the action table."""
    cards = views["legal_cards"][:, None] >> np.arange(N_CARDS) & 1
    return np.hstack([cards, views["legal_calls"][:, None] >> np.arange(N_ACTIONS - FIRST_CALL) & 1])


@pytest.fixture(scope="module", params=range(len(RULESETS)))
def ruleset(request: pytest.FixtureRequest) -> Ruleset:
    return load_ruleset(RULESETS[request.param])


def renamed(views: NDArray[np.void], order: int) -> NDArray[np.void]:
    """The views with their suits renamed: of the order, the first becomes clubs, the second diamonds, ..."""
    views = views.copy()
    for view in views:
        rename_suits(view, np.int64(order))
    return views


def test_renaming_moves_cards_and_actions_alike(ruleset: Ruleset) -> None:
    hearts_first = next(i for i, suits in enumerate(ORDERS.tolist()) if suits == [2, 0, 3, 1])
    assert [text(int(ACTION_OF[hearts_first, parse(a)])) for a in ("CA", "D2", "HK", "S7")] == ["HA", "C2", "SK", "D7"]
    assert text(int(ACTION_OF[hearts_first, parse("TRUMPS D")])) == "TRUMPS C"
    assert text(int(ACTION_OF[hearts_first, parse("SOLO")])) == "SOLO"
    for order in range(N_ORDERS):
        assert (ACTION_OF[order][NETWORK_ACTION_OF[order]] == np.arange(N_ACTIONS)).all()
    views, _, _ = positions(ruleset, 1, 24)
    moved = renamed(views, hearts_first)
    for before, after in zip(views[::5], moved[::5], strict=True):
        old, new = View(before), View(after)
        assert [NETWORK_ACTION_OF[hearts_first, a] for a in old.legal_actions()] != [] and sorted(
            int(NETWORK_ACTION_OF[hearts_first, a]) for a in old.legal_actions()
        ) == new.legal_actions()
        assert sorted(int(NETWORK_ACTION_OF[hearts_first, c]) for c in cards_of(int(before["hand_cards"]))) == cards_of(
            int(after["hand_cards"])
        )
