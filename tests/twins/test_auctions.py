"""Engine and rulebook hold the same auctions: every one of them, with the same legal calls on the way."""

from __future__ import annotations

import random

from solo_env import actions
from solo_env.rules.model import CONTRACT_NAMES
from solo_env.signature import auction_counts
from solo_env.table import Table
from tests import rulebook
from tests.playing import PAGAT, position_of, random_hands, table_of, texts

Auctions = dict[tuple[tuple[int, str], ...], rulebook.Outcome]


def engine_auctions() -> Auctions:
    """Every complete auction that the engine allows, with how it ends, in the rulebook's words."""
    found: Auctions = {}

    def walk(table: Table, calls: tuple[tuple[int, str], ...]) -> None:
        if table.data["phase"] != actions.AUCTION:
            found[calls] = outcome_of(table)
            return
        position = position_of(table, table.turn)
        for call in table.legal_actions():
            after = table.clone()
            after.apply(call)
            walk(after, (*calls, (position, actions.text(call))))

    walk(table_of(random_hands(random.Random(0)), dealer=1), ())
    return found


def outcome_of(table: Table) -> rulebook.Outcome:
    """How an auction ended, in the rulebook's words."""
    data = table.data
    if data["contract"] < 0:
        passed_out = all(call == actions.PASS for call in data["calls"][: data["n_calls"]])
        return rulebook.Outcome(None, None, None, "passed out" if passed_out else "thrown in")
    name = CONTRACT_NAMES[data["contract"]].replace("PC", "PROP")
    partner = None if data["partner"] < 0 else position_of(table, int(data["partner"]))
    return rulebook.Outcome(name, position_of(table, int(data["declarer"])), partner, "contract")


def test_engine_and_rulebook_have_the_same_auctions_with_the_same_ends():
    assert engine_auctions() == dict(rulebook.auctions())


def test_the_default_auction_has_the_published_counts():
    counts = auction_counts(PAGAT)
    assert counts["auctions"] == 2075
    assert counts["longest"] == 10
    assert counts["PC"] == 9
    assert counts["thrown_in"] == 4
    assert counts["passed_out"] == 1
    assert sum(counts[name] for name in ("PC", "SOLO", "MIS", "ABU", "ABT", "OUV", "DECL")) == 2070


def test_the_legal_calls_agree_at_every_step_of_every_auction():
    table = table_of(random_hands(random.Random(1)), dealer=3)
    todo = [(table, rulebook.Auction(rulebook.PAGAT))]
    steps = 0
    while todo:
        table, auction = todo.pop()
        assert texts(table.legal_actions()) == frozenset(auction.legal())
        assert position_of(table, table.turn) == auction.turn
        steps += 1
        for call in table.legal_actions():
            after = table.clone()
            after.apply(call)
            if after.data["phase"] == actions.AUCTION:
                todo.append((after, auction.say(actions.text(call))))
    assert steps > 1000
