"""Self-play on the engine's kernels, and tables set up for one question, for the tests of the players."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from solo_env.actions import OVER, parse
from solo_env.cards import N_RANKS, parse_card, parse_cards, parse_suit
from solo_env.engine import batch
from solo_env.engine.state import new_tables, new_views
from solo_env.player import Player
from solo_env.rules import load_ruleset, pack_array
from solo_env.table import Table

PAGAT = pack_array(load_ruleset("pagat"))
SEED = 20_260  # the books of measurement use seeds 0 to 10


def dealt(n, seed=SEED, rules=PAGAT):
    tables = new_tables(n)
    batch.deal_rows(tables, rules, seed, 0, 0, -1, 1, 0, n)
    return tables


def self_play(player: Player, n: int, see: Callable | None = None, seed=SEED, rules=PAGAT):
    """Play ``n`` deals to the end; ``see(tables, views, keys, chosen)`` looks on at each step."""
    tables = dealt(n, seed, rules)
    views, keys, deals = new_views(n), np.zeros(n, np.int64), np.arange(n)
    chosen = np.zeros(n, np.int64)
    while (live := np.flatnonzero(tables["phase"] != OVER)).size:
        batch.write_views(tables, rules, views, 0, n)
        batch.write_keys(tables, seed, deals, keys)
        out = np.full(live.size, -1, np.int64)
        player.act_batch(views[live], keys[live], out)
        chosen[live] = out
        if see:
            see(tables[live], views[live], keys[live], out)
        assert batch.first_illegal(tables, rules, chosen) == -1
        batch.apply_rows(tables, rules, chosen, 0, n)
    return tables


def position(
    hands: Mapping[int, str],
    calls: Sequence[str],
    plays: str = "",
    turned: str = "H2",
    void: str = "",
    whole: int | None = None,
    ruleset: str = "pagat",
) -> Table:
    """A table with seat 3 as dealer and the given cards played; seats are absolute, 0 is eldest.

    ``hands`` may name any part of each hand, and what is not said is dealt from a fixed seed. ``void`` lists
    seat and suit ("1S") of suits of which a seat is dealt nothing more; the seat ``whole`` is dealt nothing
    more of any suit that is named for it.
    """
    fixed = {seat: parse_cards(hands.get(seat, "")) for seat in range(4)}
    if parse_card(turned) not in fixed[3]:
        fixed[3].append(parse_card(turned))
    barred = {(int(void[i]), parse_suit(void[i + 1])) for i in range(0, len(void), 2)}
    if whole is not None:
        barred |= {(whole, card // N_RANKS) for card in parse_cards(hands.get(whole, ""))}
    rest = sorted(set(range(52)) - {card for cards in fixed.values() for card in cards})
    rng = random.Random(7)
    for _ in range(1000):
        rng.shuffle(rest)
        dealt_hands = _fill(fixed, rest, barred)
        if dealt_hands:
            break
    else:
        raise AssertionError("no deal fits what the test asks for")
    dealt_hands[3].remove(parse_card(turned))
    dealt_hands[3].append(parse_card(turned))
    table = Table(ruleset)
    table.deal_hands(dealt_hands, 3)
    for call in calls:
        table.apply(parse(call))
    for card in parse_cards(plays):
        table.apply(card)
    return table


def _fill(fixed, rest, barred):
    filled = {seat: list(cards) for seat, cards in fixed.items()}
    for card in rest:
        for seat in range(4):
            if len(filled[seat]) < 13 and (seat, card // N_RANKS) not in barred:
                filled[seat].append(card)
                break
        else:
            return None
    return [filled[seat] for seat in range(4)]


def said_without_compilation(code: str) -> str:
    """What Python code prints in a process of its own in which kernels are plain Python."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()
