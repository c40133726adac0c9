"""A ruleset's signature: a digest of what the engine does under it.

Stored packs are dealt and played along fixed lines; who is on turn, what is legal, what is shown, what is paid and
how the next deal of a session would come about goes into the digest, and so does the settlement of every contract
for every number of tricks and revokes. It changes when the behaviour of the engine changes, and not with the
shuffle.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from importlib import resources

import numpy as np
from numpy.typing import NDArray

from solo_env import actions
from solo_env.cards import N_RANKS, N_SEATS, N_SUITS, N_TRICKS, parse_cards
from solo_env.engine import auction, one, scoring
from solo_env.engine.state import GATHERED, GOULASH, new_tables, new_views
from solo_env.layout import MAX_CALLS
from solo_env.rules import Ruleset, pack_array
from solo_env.rules.model import CONTRACT_BY_CALL, CONTRACT_NAMES
from solo_env.rules.pack import SOURCE_CYCLE, SOURCE_FIXED, SOURCE_TURN_UP

CUT = 17  # cards cut off a pack that isn't shuffled
REVOKES = ((0, 0), (1, 0), (2, 0), (0, 1), (0, 2))  # of the declaring side and of the others


@lru_cache(maxsize=64)
def signature(ruleset: Ruleset) -> str:
    """Eight hex digits over the play of the stored packs under ``ruleset``."""
    digest = hashlib.sha256()
    rules = pack_array(ruleset)
    lines = (resources.files("solo_env") / "signature_packs.txt").read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(text for text in lines if not text.startswith("#")):
        for dealer in range(N_SEATS):
            _digest_line(digest, rules, parse_cards(line), dealer, f"{number}:{dealer}")
    # What the lines do not reach: the count of auctions, and the settlement of every number of tricks.
    digest.update(repr(auction_counts(ruleset)).encode())
    for contract in ruleset.contracts():
        number = CONTRACT_BY_CALL[contract.call]
        for own, others in REVOKES if rules[0]["revokes"] else REVOKES[:1]:
            amounts = [
                int(scoring.revoked_amount(rules[0], number, taken, own, others)) for taken in range(N_TRICKS + 1)
            ]
            digest.update(f"{contract.name} {own} {others} {amounts}\n".encode())
    return digest.hexdigest()[:8]


def _digest_line(digest: hashlib._Hash, rules: NDArray[np.void], cards: list[int], dealer: int, line: str) -> None:
    """Play one stored pack along the line named ``line`` and put every position into the digest."""
    desk, views = one.new_desk(rules), new_views(1)
    tables = desk["table"]
    table, view = tables[0], views[0]
    table["pack"][:] = cards
    one.deal_pack_one(tables, rules, dealer)
    one.open_one(tables, rules, dealer, suit_of_start(rules[0], table["dealt"][dealer], sum(line.encode())))
    choices = hashlib.shake_256(line.encode()).digest(64)
    while table["phase"] != actions.OVER:
        seat = int(table["turn"])
        one.view_one(tables, rules, seat, views)
        digest.update(
            f"{seat} {view['legal_cards']} {view['legal_calls']} {view['exposed_cards']} {table['trump']} "
            f"{view['n_hidden']} {view['turned_card']};".encode()
        )
        number = int(table["n_calls"]) + int(table["n_plays"])
        one.try_one(desk, _chosen(table, view, choices[number]))
    digest.update(f"{table['contract']} {table['declarer']} {table['payoff'].tolist()}\n".encode())
    digest.update(f"{_next_deal(tables, rules)}\n".encode())


def _next_deal(tables: NDArray[np.void], rules: NDArray[np.void]) -> list[int]:
    """Dealer, place in a cycle and cards of the deal that would follow, each kind of pack cut at one place."""
    table = tables[0]
    facts = np.zeros(3, np.int64)
    one.next_deal_facts(tables, rules, facts)
    dealer, _, kind = map(int, facts)
    if kind == GATHERED:
        one.gather_one(tables, rules, CUT if rules[0]["cut"] else 0)
    elif kind == GOULASH:
        one.stack_one(tables, rules, CUT if rules[0]["goulash_cut"] else 0)
    else:
        return facts.tolist()
    table["deal"], table["pack_kind"] = 1, kind
    one.deal_pack_one(tables, rules, dealer)
    return [*facts.tolist(), *table["dealt"].ravel().tolist()]


def suit_of_start(rules: np.void, dealers_hand: NDArray[np.int8], number: int) -> int:
    """The suit of a deal that has no seed: that of the turned card, else one that ``number`` picks."""
    if rules["source"] == SOURCE_TURN_UP:
        return int(dealers_hand[-1]) // N_RANKS
    if rules["source"] == SOURCE_CYCLE:
        return int(rules["cycle"][number % int(rules["n_cycle"])])
    return int(rules["fixed_suit"]) if rules["source"] == SOURCE_FIXED else number % N_SUITS


def _chosen(table: np.void, view: np.void, choice: int) -> int:
    """The legal action that a byte picks; half the calls are passes, so that every contract is reached."""
    legal = [action for action in range(52) if int(view["legal_cards"]) >> action & 1]
    calls = int(view["legal_calls"])
    legal += [actions.FIRST_CALL + i for i in range(16) if calls >> i & 1]
    if table["phase"] == actions.AUCTION and choice % 2:
        return actions.PASS
    return legal[choice // 2 % len(legal)]


def auction_counts(ruleset: Ruleset) -> dict[str, int]:
    """How many complete auctions a ruleset has, counted one by one.

    Where the deals of a cycle differ, those of a round with a suit are counted.

    Keys: ``auctions``, ``longest`` (calls), ``passed_out``, ``thrown_in`` (after an unaccepted proposal), then
    one for each contract of the ladder.
    """
    rules = pack_array(ruleset)
    tables = new_tables(MAX_CALLS + 2)
    one.deal_one(tables, rules, 0, 0, 0, 3, 1)
    if ruleset.trump.source == "cycle":
        one.open_one(tables, rules, 3, max(map(int, rules["cycle"][0, : len(ruleset.trump.cycle)])))
    counts = np.zeros(4 + len(CONTRACT_NAMES), np.int64)
    auction.count_auctions(tables, np.zeros(MAX_CALLS + 2, np.int64), rules[0], counts)
    offered = [contract.name for contract in ruleset.contracts()]
    names = ("auctions", "longest", "passed_out", "thrown_in", *CONTRACT_NAMES)
    return {
        name: int(count)
        for name, count in zip(names, counts, strict=True)
        if name not in CONTRACT_NAMES or name in offered
    }
