"""Sequences of tokens say what a seat knows, in order, and nothing else."""

from __future__ import annotations

import random

import numpy as np
import pytest

from solo_env.actions import parse
from solo_env.actions import text as action_text
from solo_env.engine.state import new_views
from solo_env.plugs import tokens as plug
from solo_env.plugs.tokens import KINDS, MAX_TOKENS, N_TOKENS, PAD, token, token_rows, tokens
from solo_env.rules import load_ruleset
from solo_env.table import Table
from tests.hidden_cards import pairs
from tests.playing import in_contract, random_game, whole_game


def said(table: Table, seat: int) -> list[str]:
    return [plug.text(int(number)) for number in tokens(table.view(seat))]


def test_every_token_has_a_text_of_its_own() -> None:
    texts = [plug.text(number) for number in range(N_TOKENS)]
    assert len(set(texts)) == N_TOKENS
    assert texts[token("action", 53)] == "action PROP"
    assert texts[token("trump", 4)] == "trump none"
    assert sum(kind.size for kind in KINDS) == N_TOKENS


@pytest.mark.parametrize(("kind", "number"), [("nothing", 0), ("seat", 4), ("seat", -1)])
def test_a_token_that_there_is_not_is_refused(kind: str, number: int) -> None:
    with pytest.raises(ValueError, match="there is no token"):
        token(kind, number)
    with pytest.raises(ValueError, match="is no token"):
        plug.text(N_TOKENS)


def test_a_solo_is_told_call_by_call_and_card_by_card() -> None:
    table = in_contract("SOLO", random.Random(1))
    told = said(table, 0)
    hand = [f"hand {action_text(card)}" for card in sorted(table.data["dealt"][0].tolist())]
    turned = action_text(int(table.data["turned_card"]))
    assert told[:2] == ["begin", "dealer 3"]
    assert told[3] == f"turned {turned}"
    assert told[4:17] == hand
    calls = ["seat 0", "action PASS", "seat 1", "action SOLO", "seat 2", "action PASS", "seat 3", "action PASS"]
    assert told[17:25] == calls
    assert told[25].startswith("trump ")
    assert told[26:] == ["act"]
    assert said(table, 1)[-1] != "act"
    card = table.legal_actions()[0]
    table.apply(card)
    assert said(table, 2)[-2:] == ["seat 2", f"action {action_text(card)}"]


def test_a_sequence_grows_by_what_has_happened() -> None:
    table, rng = in_contract("OUV", random.Random(2), kind=True), random.Random(2)
    before = said(table, 2)
    while not table.over:
        table.apply(rng.choice(table.legal_actions()))
        now = said(table, 2)
        assert now[: len(before) - (before[-1] == "act")] == [word for word in before if word != "act"]
        before = now
    assert before[-1] == "over"
    if table.data["n_plays"] > 4:
        assert sum(word.startswith("exposed ") for word in before) == 12


@pytest.mark.parametrize("ruleset", ["pagat", "anna_cubed", "hoyle"])
def test_no_sequence_is_longer_than_there_is_room(ruleset: str) -> None:
    rng = random.Random(3)
    for _ in range(100):
        table = whole_game(load_ruleset(ruleset), rng)
        views = new_views(4)
        for seat in range(4):
            views[seat] = table.view(seat).record
        rows = token_rows(views)
        assert rows.shape == (4, MAX_TOKENS)
        for row, seat in zip(rows, range(4), strict=True):
            told = tokens(table.view(seat))
            assert np.array_equal(row[: len(told)], told)
            assert (row[len(told) :] == PAD).all()


def test_no_sequence_depends_on_hidden_cards() -> None:
    for pair in pairs("pagat", 60):
        game, twin = (Table.from_record(str(line)) for line in (pair.game, pair.twin))
        assert said(game, pair.seat) == said(twin, pair.seat)


@pytest.mark.parametrize(
    ("ruleset", "first"),
    [('pagat+contract.ouv_expose="before_lead"', 13), ('pagat+info.memory="table_memory"', 12)],
)
def test_a_hand_laid_open_is_told_under_every_ruleset(ruleset: str, first: int) -> None:
    table = Table(ruleset)
    rng, told = random.Random(5), 0
    while table.data["contract"] < 0 or not told:
        table.deal(rng.randrange(10**6), dealer=3)
        for name in ("PASS", "OUV", "PASS", "PASS"):
            table.apply(parse(name))
        while not table.over:
            view = table.view(0)
            words = [plug.text(int(number)) for number in tokens(view, ruleset)]
            shown = sum(word.startswith("exposed ") for word in words)
            assert (shown > 0) == (view.exposed_rel >= 0)
            if view.exposed_rel >= 0 and not told:
                told = shown
            table.apply(rng.choice(table.legal_actions()))
    assert told == first


def test_positions_that_differ_have_different_sequences() -> None:
    rng, found = random.Random(4), {}
    for _ in range(300):
        table = random_game(load_ruleset("pagat"), rng)
        for seat in range(4):
            view = table.view(seat)
            found.setdefault(tokens(view).tobytes(), set()).add(str({**view.as_json(), "seat": 0, "payoff": 0}))
    assert all(len(views) == 1 for views in found.values())
