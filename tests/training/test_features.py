"""What networks see: each column that is not 0 as a feature, nothing hidden, and nothing of the names of suits."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from solo_env.actions import FIRST_CALL, FIRST_TRUMPS, N_ACTIONS, OVER, PASS, parse, text
from solo_env.cards import N_CARDS, N_RANKS, N_SEATS, cards_of
from solo_env.engine._jit import kernel
from solo_env.engine.batch import apply_choices, deal_rows, open_choices
from solo_env.engine.deal import deal_pack, open_auction
from solo_env.engine.observe import write_observation
from solo_env.engine.state import new_tables, new_views
from solo_env.layout import BLOCKS, OFFSETS, ROW, block
from solo_env.rules import load_ruleset, pack_array
from solo_env.table import Table
from tests.hidden_cards import pairs
from training.config import DEFAULT_BLOCKS
from training.counted import COUNTED
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
    write_hidden,
    write_inputs,
)

LARGE = ("played_trick", "trick_winners", "calls", "account", "deals", "prices", "targets", "ladder", "ruleset")
SMALL = tuple(row.name for row in BLOCKS if row.name not in (*LARGE, "pack"))
FULL = (*SMALL, *(row.name for row in COUNTED))
CHOICES = (
    SMALL,
    ("hand", "played_trick", "trick_winners", "calls"),
    ("suit", "deals", "prices", "targets", "ladder"),
)
RULESETS = (
    "pagat",
    "anna_cubed",
    'pagat+trump.source="cycle"+trump.cycle=["NT","H"]+contract.abu_suit_time="with_call"',
    'pagat+play.revokes="possible"+info.memory="table_memory"+contract.ouv_expose="before_lead"',
    'pagat+passout.mode="fewest"+info.turnup_after_pickup="hide"',
)
TURNED = [name for name in RULESETS if load_ruleset(name).trump.source == "turn_up"]
BOLD = (1.0, 0.2, 0.02)  # what any call weighs against a pass, so that some auctions are wild and some quiet
N = 48


def draw(views: NDArray[np.void], rows: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
    """A legal action for each view."""
    cards = views["legal_cards"][:, None] >> np.arange(N_CARDS) & 1
    calls = views["legal_calls"][:, None] >> np.arange(N_ACTIONS - FIRST_CALL) & 1
    weight = np.ones((len(views), N_ACTIONS))
    weight[:, PASS + 1 : FIRST_TRUMPS] = np.array(BOLD)[rows % len(BOLD), None]
    return (np.hstack([cards, calls]) * weight * rng.random(weight.shape)).argmax(1)


@cache
def positions(name: str, alike: bool = False) -> tuple[NDArray[np.void], NDArray[np.void], NDArray[np.int64]]:
    """Views, tables and seats of every choice in deals of a ruleset in which all sorts of things are done."""
    rules, rng = pack_array(load_ruleset(name)), np.random.default_rng(1)
    tables, views, rows, seats = new_tables(N), new_views(N), np.zeros(N, np.int64), np.zeros(N, np.int64)
    deal_rows(tables, rules, 1, 0, 0, -1, 1, 0, N)
    if alike:
        for b in range(N):
            deal_alike(tables[b], rules[0], b % N_SEATS, rng)
    seen = []
    while n := open_choices(tables, rules, views, rows, seats):
        seen.append((views[:n].copy(), tables[rows[:n]].copy(), seats[:n].copy()))
        apply_choices(tables, rules, rows[:n], draw(views[:n], rows[:n], rng))
    all_views, all_tables, all_seats = (np.concatenate(parts) for parts in zip(*seen, strict=True))
    return all_views, all_tables, all_seats


def deal_alike(table: np.void, rules: np.void, dealer: int, rng: np.random.Generator) -> None:
    """Deal clubs and diamonds alike: who holds a club holds the diamond of its rank."""
    hands: list[list[int]] = [[] for _ in range(N_SEATS)]
    for rank in rng.permutation(N_RANKS):
        hand = hands[rng.choice([seat for seat in range(N_SEATS) if len(hands[seat]) < N_RANKS - 1])]
        hand += [rank, N_RANKS + rank]
    rest = rng.permutation(2 * N_RANKS) + 2 * N_RANKS
    for seat, hand in enumerate(hands):
        missing = N_RANKS - len(hand)
        table["dealt"][seat] = rng.permutation([*hand, *rest[:missing]])
        rest = rest[missing:]
    open_auction(table, rules, dealer, int(table["dealt"][dealer, -1]) // N_RANKS)


def observations(name: str, views: NDArray[np.void]) -> NDArray[np.int8]:
    """What the engine's own kernel observes of views, int8 [N, columns]."""
    rows = np.zeros(len(views), ROW)
    observe_rows(views, pack_array(load_ruleset(name)), rows)
    return np.array(rows["columns"])


@kernel
def observe_rows(views, rules, rows):
    for i in range(len(views)):
        write_observation(views[i], rules[0], rows[i])


@kernel
def rename_rows(views, order):
    for i in range(len(views)):
        rename_suits(views[i], order)


def in_order(name: str, values: NDArray[np.int8], order: int) -> NDArray[np.int8]:
    """A block of an observation with its suits put in an order."""
    suits = ORDERS[order]
    if values.shape[-1] == N_CARDS:
        return values.reshape(*values.shape[:-1], 4, N_RANKS)[..., suits, :]
    if name in ("failed", "suit", "named"):
        return np.concatenate([values[..., suits], values[..., 4:]], axis=-1)
    return np.concatenate([values[..., :2], values[..., 2 + suits]], axis=-1) if name == "trump" else values


def plainly(columns: NDArray[np.int8], blocks: tuple[str, ...], order: int) -> list[int]:
    """The features of an observation, found without haste."""
    found, first = [], 0
    for name in sorted(blocks, key=lambda name: block(name).high > 1):  # those that count come last
        here = block(name)
        values = columns[OFFSETS[name] : OFFSETS[name] + here.size].reshape(here.shape)
        for place, value in enumerate(in_order(name, values, order).ravel().tolist()):
            found += [first + here.high * place + value - 1] if value else []
        first += here.high * here.size
    assert first == feature_table(blocks).n
    return found


@pytest.mark.parametrize("name", RULESETS)
@pytest.mark.parametrize("blocks", CHOICES)
def test_the_features_are_the_columns_that_are_not_zero(name: str, blocks: tuple[str, ...]) -> None:
    views, _, _ = positions(name)
    ids, _, order = write_inputs(views, pack_array(load_ruleset(name)), feature_table(blocks))
    for row, columns, suits in zip(ids, observations(name, views), order, strict=True):
        expected = plainly(columns, blocks, int(suits))
        assert row.tolist() == expected + [PAD] * (MAX_ACTIVE - len(expected))


@pytest.mark.parametrize("name", RULESETS)
def test_the_mask_and_the_actions_are_those_of_the_view(name: str) -> None:
    views, _, _ = positions(name)
    _, mask, order = write_inputs(views, pack_array(load_ruleset(name)), feature_table(DEFAULT_BLOCKS))
    for view, legal, suits in zip(views, mask, order, strict=True):
        calls = [FIRST_CALL + i for i in cards_of(int(view["legal_calls"]))]
        assert sorted(ACTION_OF[suits][legal == 1].tolist()) == cards_of(int(view["legal_cards"])) + calls


@pytest.mark.parametrize(
    ("name", "alike"), [*((name, False) for name in RULESETS), *((name, True) for name in TURNED)]
)
def test_renaming_the_suits_changes_nothing_that_a_network_sees(name: str, alike: bool) -> None:
    views, _, _ = positions(name, alike)
    rules, features = pack_array(load_ruleset(name)), feature_table(FULL)
    ids, mask, order = write_inputs(views, rules, features)
    for names in range(N_ORDERS):
        renamed = views.copy()
        rename_rows(renamed, names)
        ids_2, mask_2, order_2 = write_inputs(renamed, rules, features)
        assert (ids_2 == ids).all()
        assert (mask_2 == mask).all()
        same = ACTION_OF[names][ACTION_OF[order_2]] == ACTION_OF[order]
        assert alike or same.all(axis=1).mean() > 0.9  # suits that look alike in all may stand either way
        assert same[:, FIRST_CALL:FIRST_TRUMPS].all()


@pytest.mark.parametrize("names", [1, 9, 16, 23])
def test_deals_with_other_names_of_suits_look_the_same_to_a_network(names: int) -> None:
    rules, features, rng = pack_array(load_ruleset("pagat")), feature_table(FULL), np.random.default_rng(names)
    pair, views = [new_tables(N), new_tables(N)], [new_views(N), new_views(N)]
    for b in range(N):
        cards = rng.permutation(N_CARDS)
        for tables, moved in zip(pair, (cards, NETWORK_ACTION_OF[names, cards]), strict=True):
            tables[b]["pack"] = moved
            deal_pack(tables[b], rules[0], b % N_SEATS)
            open_auction(tables[b], rules[0], b % N_SEATS, int(tables[b]["dealt"][b % N_SEATS, -1]) // N_RANKS)
    rows, seats = np.zeros(N, np.int64), np.zeros(N, np.int64)
    while n := open_choices(pair[0], rules, views[0], rows, seats):
        assert open_choices(pair[1], rules, views[1], rows, seats) == n
        (ids, mask, order), (ids_2, mask_2, order_2) = (write_inputs(v[:n], rules, features) for v in views)
        assert (ids == ids_2).all()
        assert (mask == mask_2).all()
        action = draw(views[0][:n], rows[:n], rng)
        same = NETWORK_ACTION_OF[names, action]
        chosen, chosen_2 = NETWORK_ACTION_OF[order, action], NETWORK_ACTION_OF[order_2, same]
        assert (chosen % N_RANKS == chosen_2 % N_RANKS).all()
        assert (chosen == chosen_2).mean() > 0.9  # two suits may look alike, their hidden cards do not
        apply_choices(pair[0], rules, rows[:n], action)
        apply_choices(pair[1], rules, rows[:n], same)
    assert (pair[0]["phase"] == OVER).all()


def test_trumps_come_first_and_then_the_longest_suit() -> None:
    table = Table("pagat")
    hands = ["C2 C3 C4 C5 C6 D2 D3 D4 D5 H2 H3 H4 S2", "C7 C8 C9 CT D7 D8 D9 DJ H5 H6 H7 S3 S4"]
    given = [[parse(card) for card in hand.split()] for hand in hands]
    rest = [card for card in range(N_CARDS) if card not in {*given[0], *given[1]}]
    table.deal_hands([*given, rest[:13], rest[13:]], 3)
    rules, features = pack_array(load_ruleset("pagat")), feature_table(DEFAULT_BLOCKS)

    def suits(seat: int) -> str:
        _, _, order = write_inputs(np.array([table.view(seat).record]), rules, features)
        return "".join("CDHS"[suit] for suit in ORDERS[order[0]])

    assert rest[-1] // N_RANKS == "CDHS".index("S")  # turned up
    assert suits(0) == "SCDH"
    for call in ("MIS", "PASS", "PASS", "PASS"):
        table.apply(parse(call))
    assert suits(0) == "CDHS"  # no trumps: nothing goes before
    assert suits(1) == "DCHS"  # as many diamonds as clubs, and higher ones
    assert text(int(ACTION_OF[ORDERS.tolist().index([1, 0, 2, 3]), parse("CA")])) == "DA"


@pytest.mark.parametrize("name", RULESETS)
def test_no_view_has_more_features_than_there_is_room_for(name: str) -> None:
    columns = observations(name, positions(name)[0])
    for row in BLOCKS:
        used = (columns[:, OFFSETS[row.name] : OFFSETS[row.name] + row.size] != 0).sum(1)
        assert used.max() <= most_active((row.name,)), row.name
    assert most_active(FULL) <= MAX_ACTIVE


def test_blocks_that_are_no_features_are_refused_with_a_sentence() -> None:
    with pytest.raises(ValueError, match="'account' has negative numbers"):
        feature_table(("hand", "account"))
    with pytest.raises(ValueError, match=f"there is room for {MAX_ACTIVE}"):
        feature_table((*FULL, "played_trick"))


@pytest.mark.parametrize("name", ["pagat", "anna_cubed"])
def test_features_depend_on_nothing_hidden(name: str) -> None:
    rules, features = pack_array(load_ruleset(name)), feature_table(FULL)
    for pair in pairs(name, 40):
        views = [Table.from_record(game).view(pair.seat).record for game in (pair.game, pair.twin)]
        ids, mask, order = write_inputs(np.array(views), rules, features)
        assert (ids[0] == ids[1]).all()
        assert (mask[0] == mask[1]).all()
        assert order[0] == order[1]


def test_a_critic_is_shown_the_hands_of_the_others_by_their_seats() -> None:
    name = "pagat"
    views, tables, seats = positions(name)
    features = feature_table(DEFAULT_BLOCKS)
    seen, _, order = write_inputs(views, pack_array(load_ruleset(name)), features)
    cards = np.zeros((1, N_HIDDEN), np.int16)
    for table, seat, suits, ids in zip(tables, seats, order, seen, strict=True):
        write_hidden(table, np.int64(seat), np.int64(suits), np.int64(features.n), cards, 0)
        shown = [int(card) for card in cards[0] if card != PAD]
        expected = []
        for rel in range(1, N_SEATS):
            hand = cards_of(int(table["hand_cards"][(seat + rel) % N_SEATS]))
            moved = sorted(NETWORK_ACTION_OF[suits, hand].tolist())
            expected += [features.n + N_CARDS * (rel - 1) + card for card in moved]
        assert shown == expected
        assert ids.max() < features.n <= min(expected) <= max(expected) < features.n + HIDDEN_FEATURES
