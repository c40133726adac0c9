"""Deals, auctions and random play that the tests share. Everything comes from the seed a test names."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import numpy as np

from solo_env import actions, record
from solo_env.cards import N_CARDS, N_SEATS, N_TRICKS
from solo_env.engine import batch
from solo_env.engine.state import new_tables, new_views
from solo_env.record import Record
from solo_env.rules import Ruleset, load_ruleset, pack_array
from solo_env.rules.model import KIND_NAMES
from solo_env.table import Table

PAGAT = load_ruleset("pagat")
CONTRACTS = [contract.name for contract in PAGAT.contracts()]

# An auction that leads to each contract, with the position (0 eldest) of the declarer.
AUCTIONS = {
    "PC": (["PROP", "COP", "PASS", "PASS"], 0),
    "SOLO": (["PASS", "SOLO", "PASS", "PASS"], 1),
    "MIS": (["PASS", "PASS", "MIS", "PASS"], 2),
    "ABU": (["PASS", "PASS", "PASS", "ABU"], 3),
    "ABT": (["ABU", "PASS", "PASS", "ABT", "PASS"], 3),
    "OUV": (["PASS", "OUV", "PASS", "PASS"], 1),
    "DECL": (["PASS", "PASS", "DECL"], 2),
}


def random_hands(rng: random.Random) -> list[list[int]]:
    """Four hands of 13 cards in the order dealt."""
    pack = list(range(52))
    rng.shuffle(pack)
    return [pack[13 * i : 13 * i + 13] for i in range(N_SEATS)]


def kind_hands(rng: random.Random, seat: int, wants_high: bool) -> list[list[int]]:
    """Hands of which ``seat`` has mostly the highest (or the lowest) cards, as its contract would like."""
    pack = sorted(range(52), key=lambda card: (card % 13, rng.random()), reverse=wants_high)
    best, rest = pack[: N_TRICKS + 2], pack[N_TRICKS + 2 :]
    rng.shuffle(best)
    rest += best[N_TRICKS:]
    rng.shuffle(rest)
    others = [rest[13 * i : 13 * i + 13] for i in range(3)]
    return [*others[:seat], best[:N_TRICKS], *others[seat:]]


def table_of(hands: list[list[int]], dealer: int = 3) -> Table:
    """A table at the start of its auction."""
    table = Table(PAGAT)
    table.deal_hands(hands, dealer)
    return table


def apply_names(table: Table, names: list[str]) -> Table:
    """The table after the named actions."""
    for name in names:
        table.apply(actions.parse(name))
    return table


def in_contract(contract: str, rng: random.Random, kind: bool = False, dealer: int = 3) -> Table:
    """A table whose auction has ended in ``contract``, trumps named; ``kind`` deals its declarer a good hand."""
    calls, position = AUCTIONS[contract]
    seat = (dealer + 1 + position) % N_SEATS
    hands = kind_hands(rng, seat, contract not in ("MIS", "OUV")) if kind else random_hands(rng)
    table = apply_names(table_of(hands, dealer), calls)
    if table.data["phase"] == actions.NAMING:
        table.apply(rng.choice(table.legal_actions()))
    return table


def play_on(table: Table, rng: random.Random, until: Callable[[Table], bool] = lambda table: False) -> Table:
    """Uniform play from where the table stands to the end, or until the condition holds."""
    while not table.over and not until(table):
        table.apply(rng.choice(table.legal_actions()))
    return table


def call_on(table: Table, rng: random.Random, passing: float = 0.6) -> Table:
    """A random auction and naming of trumps: PASS with probability ``passing``, else any open call."""
    while table.data["phase"] in (actions.AUCTION, actions.NAMING):
        legal = table.legal_actions()
        table.apply(actions.PASS if actions.PASS in legal and rng.random() < passing else rng.choice(legal))
    return table


def random_position(rng: random.Random) -> Table:
    """A position of any phase, finished ones too, over random dealers and contracts."""
    if rng.random() < 0.5:
        table = table_of(random_hands(rng), rng.randrange(4))
        if rng.random() < 0.3:
            stop = rng.randrange(8)
            return play_on(table, rng, lambda t: int(t.data["n_calls"]) >= stop or t.data["n_plays"] > 0)
        call_on(table, rng)
    else:
        table = in_contract(rng.choice(CONTRACTS), rng, kind=rng.random() < 0.7, dealer=rng.randrange(4))
    stop = rng.randrange(53)
    return play_on(table, rng, lambda t: int(t.data["n_plays"]) >= stop)


def texts(legal: list[int]) -> frozenset[str]:
    """Action ids as names."""
    return frozenset(map(actions.text, legal))


def position_of(table: Table, seat: int) -> int:
    """The position of a seat relative to the dealer: 0 eldest, 3 the dealer."""
    return int(seat - table.data["dealer"] - 1) % N_SEATS


def contracts_of(ruleset: Ruleset) -> list[str]:
    """The names of all that may be played under a ruleset, the general misère among them."""
    never = ("ABT", "RDECL") if ruleset.trump.cycle == ("NT",) else ()  # they need a suit, and no round has one
    names = [contract.name for contract in ruleset.contracts() if contract.name not in never]
    return names + ["GM"] * ruleset.has_general()


def table_under(ruleset: Ruleset, rng: random.Random, hands: list[list[int]], dealer: int) -> Table:
    """A table at the start of its auction under any ruleset, its suit the turned card's or drawn."""
    table = Table(ruleset)
    table.deal(rng.randrange(2**40), dealer=dealer)
    suit = None if ruleset.trump.source == "turn_up" else int(table.data["suit"])
    table.deal_hands(hands, dealer, suit)
    return table


def call_towards(table: Table, contract: str, seat: int, rng: random.Random) -> Table:
    """An auction in which ``seat`` makes for ``contract``, mostly with the others' help; it may fail."""
    helping = {"PC": "COP", "ABT": "ABU"}.get(contract, "PASS")
    while table.data["phase"] in (actions.AUCTION, actions.NAMING):
        legal = table.legal_actions()
        wanted = {"PC": "PROP", "GM": "PASS"}.get(contract, contract) if table.turn == seat else helping
        if table.data["phase"] == actions.NAMING or rng.random() < 0.05:
            table.apply(rng.choice(legal))
        else:
            table.apply(actions.parse(wanted) if wanted in texts(legal) else actions.PASS)
    return table


def whole_game(ruleset: Ruleset, rng: random.Random) -> Table:
    """A finished game under any ruleset, after a random auction."""
    return play_on(call_on(table_under(ruleset, rng, random_hands(rng), rng.randrange(N_SEATS)), rng), rng)


def random_game(ruleset: Ruleset, rng: random.Random, contract: str = "") -> Table:
    """A game under any ruleset, in the named contract or ("") after a random auction, broken off anywhere."""
    while True:
        seat, dealer = rng.randrange(N_SEATS), rng.randrange(N_SEATS)
        kind = contract != "" and rng.random() < 0.7
        hands = kind_hands(rng, seat, contract not in ("MIS", "OUV")) if kind else random_hands(rng)
        table = table_under(ruleset, rng, hands, dealer)
        if contract:
            call_towards(table, contract, seat, rng)
        else:
            call_on(table, rng)
        reached = KIND_NAMES[table.data["contract"]] if table.data["contract"] >= 0 else ""
        if contract in ("", reached):
            game = record.from_table(play_on(table, rng).data, ruleset)
            length, early = len(actions_of(game)), len(game.calls) + 2
            return played(game, min(rng.choice([length, rng.randrange(length), rng.randrange(early)]), length))


def actions_of(game: Record) -> list[int]:
    """The action ids of a game in the order taken."""
    return game.made()


def played(game: Record, number: int) -> Table:
    """The table after the first ``number`` actions of a game."""
    table = Table(game.ruleset)
    table.deal_hands(game.hands_by_seat(), game.dealer, game.suit)
    for action in actions_of(game)[:number]:
        table.apply(action)
    return table


def many_records(ruleset: Ruleset, count: int, seed: int, unfinished: float = 0.25) -> Iterator[str]:
    """Lines of ``count`` random games, played all at once; the given share is broken off somewhere."""
    rng, rules = np.random.default_rng(seed), pack_array(ruleset)
    tables, views = new_tables(count), new_views(count)
    batch.deal_rows(tables, rules, seed, 0, 0, -1, 1, 0, count)
    left = np.where(rng.random(count) < unfinished, rng.integers(0, 60, count), 2 * N_CARDS)  # actions to be taken
    while len(going := np.flatnonzero((left > 0) & (tables["phase"] != actions.OVER))):
        moving, seen = tables[going], views[: len(going)]
        batch.write_views(moving, rules, seen, 0, len(going))
        sets = np.stack([seen["legal_cards"], seen["legal_calls"]], axis=1)[:, :, None] >> np.arange(N_CARDS) & 1
        legal = sets.reshape(len(going), -1)[:, : actions.N_ACTIONS]
        odds = rng.random(legal.shape) * legal
        odds[:, actions.PASS] *= 1 + rng.integers(0, 4, len(going))  # or few auctions would end below the top
        batch.apply_rows(moving, rules, odds.argmax(axis=1), 0, len(going))
        tables[going] = moving
        left[going] -= 1
    return (str(record.from_table(table, ruleset)) for table in tables)
