"""The auction (clauses 3.1 to 3.11): what may be called, and who speaks next.

The legal calls depend only on the standing call and on why the seat is asked:

    asked normally    PASS; every higher rung; COP over an open proposal
    asked as eldest   PASS (decline) or COP: eldest has passed and nobody else will accept
    asked as proposer PASS (the deal is thrown in) or any higher rung: nobody accepted
"""

from __future__ import annotations

from solo_env.actions import AUCTION, COP, FIRST_CALL, NAMING, OVER, PASS, PLAY, TABLE
from solo_env.cards import N_RANKS, N_SEATS
from solo_env.engine._jit import kernel
from solo_env.engine.bits import lowest
from solo_env.engine.state import (
    ASKED_ELDEST,
    ASKED_NORMALLY,
    ASKED_PROPOSER,
    NO_TRUMP,
    NOBODY,
    TRUMP_NOT_NAMED,
)
from solo_env.rules.model import (
    CONTRACT_BY_CALL,
    N_CONTRACTS,
    NAMED,
    NO_CONTRACT,
    NO_TRUMPS,
    PC,
)
from solo_env.rules.pack import LEADER_CALLER

# action id - 52 -> contract, and back; COP and PASS bid no contract
CONTRACT_OF_CALL = tuple(CONTRACT_BY_CALL.get(row.name, NO_CONTRACT) for row in TABLE if row.phase == AUCTION)
CALL_OF_CONTRACT = tuple(FIRST_CALL + CONTRACT_OF_CALL.index(contract) for contract in range(N_CONTRACTS))


@kernel
def legal_calls(table, rules):
    """The calls open to the seat on turn in the auction, bit (action - 52); the table is not changed."""
    standing = int(table["standing"])
    asked = int(table["asked"])
    calls = 1 << (PASS - FIRST_CALL)
    if asked == ASKED_ELDEST:
        return calls | 1 << (COP - FIRST_CALL)
    if standing == PC and table["acceptor"] == NOBODY and asked == ASKED_NORMALLY:
        calls |= 1 << (COP - FIRST_CALL)
    standing_rank = -1 if standing == NO_CONTRACT else int(rules["rank"][standing])
    for contract in range(N_CONTRACTS):
        if rules["rank"][contract] > standing_rank:
            only_over = rules["only_over"][contract]
            if only_over == NO_CONTRACT or only_over == standing:
                calls |= 1 << (CALL_OF_CONTRACT[contract] - FIRST_CALL)
    return calls


@kernel
def apply_call(table, rules, call):
    """Make a legal call: changes the table, and opens naming, play or the end when the auction closes."""
    seat = int(table["turn"])
    n = int(table["n_calls"])
    table["calls"][n] = call
    table["call_seats"][n] = seat
    table["n_calls"] = n + 1
    if call == PASS:
        table["passed"] |= 1 << seat
    elif call == COP:
        table["acceptor"] = seat
    else:
        table["standing"] = CONTRACT_OF_CALL[call - FIRST_CALL]
        table["holder"] = seat
        table["acceptor"] = NOBODY
    choose_next_speaker(table, rules)


@kernel
def choose_next_speaker(table, rules):
    """Put the next speaker on turn, or close the auction when nobody is left to speak."""
    seat = int(table["turn"])
    standing = int(table["standing"])
    holder = int(table["holder"])
    acceptor = int(table["acceptor"])
    passed = int(table["passed"])
    asked = int(table["asked"])
    proposal_open = standing == PC and acceptor == NOBODY
    table["asked"] = ASKED_NORMALLY

    # The top call closes the auction at once (clause 3.9).
    if standing != NO_CONTRACT and rules["rank"][standing] == rules["top_rank"]:
        close_auction(table, rules)
        return
    # Whoever has not passed and does not hold the standing call speaks, clockwise (clauses 3.2, 3.6).
    for step in range(1, N_SEATS):
        speaker = (seat + step) % N_SEATS
        if passed >> speaker & 1 == 0 and speaker != holder and speaker != acceptor:
            table["turn"] = speaker
            return
    if proposal_open and asked != ASKED_PROPOSER:
        # Eldest, who has passed, may still accept (clause 3.7), asked once ...
        eldest = (int(table["dealer"]) + 1) % N_SEATS
        if holder != eldest and asked != ASKED_ELDEST:
            table["asked"] = ASKED_ELDEST
            table["turn"] = eldest
            return
        # ... and then the proposer may raise his own proposal (clause 3.8), asked once.
        table["asked"] = ASKED_PROPOSER
        table["turn"] = holder
        return
    if standing == NO_CONTRACT or proposal_open:
        throw_in(table)
        return
    close_auction(table, rules)


@kernel
def throw_in(table):
    """End the deal without a contract (clauses 3.8, 3.9): nobody pays."""
    table["phase"] = OVER
    table["turn"] = NOBODY


@kernel
def close_auction(table, rules):
    """Settle contract, sides and trumps; put the caller on turn to name trumps, or the leader to lead."""
    contract = int(table["standing"])
    table["contract"] = contract
    table["declarer"] = table["holder"]
    table["partner"] = table["acceptor"]
    trumps = rules["trumps"][contract]
    if trumps == NAMED:
        table["trump"] = TRUMP_NOT_NAMED
        table["phase"] = NAMING
        table["turn"] = table["declarer"]
        return
    table["trump"] = NO_TRUMP if trumps == NO_TRUMPS else int(table["turned_card"]) // N_RANKS
    open_play(table, rules)


@kernel
def open_play(table, rules):
    """Put the leader to trick 1 on turn (clause 5.1)."""
    leader = (int(table["dealer"]) + 1) % N_SEATS
    if rules["leader"][int(table["contract"])] == LEADER_CALLER:
        leader = int(table["declarer"])
    table["phase"] = PLAY
    table["leader"] = leader
    table["turn"] = leader


@kernel
def name_trumps(table, rules, suit):
    """Name trumps after the auction (clause 4.2): changes the table and opens play."""
    table["trump"] = suit
    open_play(table, rules)


@kernel
def count_auctions(tables, todo, rules, counts):
    """Walk every auction of a ruleset from an opened table; ``counts`` (int64[14]) receives the result.

    counts: auctions, the longest, passed out, thrown in after a proposal, then one for each contract.
    ``tables`` (one more than the longest auction) holds the path, its first the opened table; ``todo`` (as
    long, int64) holds the calls not yet tried at each depth.
    """
    depth = 0
    todo[0] = legal_calls(tables[0], rules)
    while depth >= 0:
        if todo[depth] == 0:
            depth -= 1
            continue
        call = FIRST_CALL + lowest(todo[depth])
        todo[depth] &= todo[depth] - 1
        tables[depth + 1] = tables[depth]
        table = tables[depth + 1]
        apply_call(table, rules, call)
        if table["phase"] == AUCTION:
            depth += 1
            todo[depth] = legal_calls(table, rules)
            continue
        counts[0] += 1
        counts[1] = max(counts[1], int(table["n_calls"]))
        if table["phase"] != OVER:
            counts[4 + int(table["contract"])] += 1
        elif table["standing"] == NO_CONTRACT:
            counts[2] += 1
        else:
            counts[3] += 1
