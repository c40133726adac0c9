"""The auction (clauses 3.1 to 3.11): what may be called, and who speaks next.

The legal calls depend only on the standing call and on why the seat is asked:

    asked normally    PASS; every higher rung; COP over an open proposal
    asked as eldest   PASS (decline) or COP: eldest has passed and nobody else will accept
    asked as proposer PASS (the deal is thrown in) or any higher rung: nobody accepted
    asked as holder   PASS (the call stands) or any higher rung, in sets where a holder may raise
"""

from __future__ import annotations

from solo_env.actions import AUCTION, COP, FIRST_CALL, NAMING, OVER, PASS, PLAY, TABLE
from solo_env.cards import N_SEATS, N_SUITS
from solo_env.engine._jit import kernel
from solo_env.engine.bits import lowest
from solo_env.engine.state import (
    ASKED_ELDEST,
    ASKED_HOLDER,
    ASKED_NORMALLY,
    ASKED_PROPOSER,
    NO_TRUMP,
    NOBODY,
    TRUMP_NOT_NAMED,
)
from solo_env.rules.model import (
    CONTRACT_BY_CALL,
    GENERAL,
    N_CONTRACTS,
    NAMED,
    NO_CONTRACT,
    NO_TRUMPS,
    PC,
    SOLO,
)
from solo_env.rules.pack import EXPOSE_BEFORE_LEAD, LEADER_CALLER, NOT_GENERAL

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
        if rules["rank"][contract] <= standing_rank or not can_be_called(table, rules, contract):
            continue
        if contract == PC and standing != NO_CONTRACT:  # a proposal is the first bid or none (clause 3.4)
            continue
        if asked == ASKED_PROPOSER and rules["raise_to_solo"] and contract != SOLO:
            continue
        only_over = rules["only_over"][contract]
        # Over one's own abundance there is nothing to take (clause 3.10).
        if only_over == NO_CONTRACT or (only_over == standing and asked != ASKED_HOLDER):
            calls |= 1 << (CALL_OF_CONTRACT[contract] - FIRST_CALL)
    return calls


@kernel
def can_be_called(table, rules, contract):
    """Whether this deal offers the contract at all: some need a suit, and a no-trump round has none."""
    return rules["rank"][contract] >= 0 and (table["suit"] != NO_TRUMP or not rules["needs_suit"][contract])


@kernel
def is_top(table, rules, standing):
    """Whether no rung above the standing one is offered in this deal."""
    for contract in range(N_CONTRACTS):
        if rules["rank"][contract] > rules["rank"][standing] and can_be_called(table, rules, contract):
            return False
    return True


@kernel
def apply_call(table, rules, call):
    """Make a legal call: changes the table, and opens naming, play or the end when the auction closes."""
    seat = int(table["turn"])
    n = int(table["n_calls"])
    table["calls"][n] = call
    table["call_seats"][n] = seat
    table["n_calls"] = n + 1
    table["spoken"] |= 1 << seat
    if call == PASS:
        table["passed"] |= 1 << seat
    elif call == COP:
        table["acceptor"] = seat
    else:
        acceptor = int(table["acceptor"])
        if acceptor != NOBODY and not rules["acceptor_raises"]:
            table["passed"] |= 1 << acceptor
        contract = CONTRACT_OF_CALL[call - FIRST_CALL]
        table["standing"] = contract
        table["holder"] = seat
        table["acceptor"] = NOBODY
        table["trump"] = TRUMP_NOT_NAMED
        if rules["named_with_call"][contract]:
            table["phase"] = NAMING  # the same seat names its suit before anybody else speaks
            return
    choose_next_speaker(table, rules)


@kernel
def choose_next_speaker(table, rules):
    """Put the next speaker on turn, or close the auction when nobody is left to speak."""
    seat = int(table["turn"])
    standing = int(table["standing"])
    holder = int(table["holder"])
    acceptor = int(table["acceptor"])
    silent = int(table["spoken"]) if rules["one_round"] else int(table["passed"])
    asked = int(table["asked"])
    proposal_open = standing == PC and acceptor == NOBODY
    table["asked"] = ASKED_NORMALLY

    # The top call closes the auction at once (clause 3.9).
    if standing != NO_CONTRACT and is_top(table, rules, standing) and not proposal_open:
        close_auction(table, rules)
        return
    # Whoever may still speak and does not hold the standing call is next, clockwise (clauses 3.2, 3.6).
    for step in range(1, N_SEATS):
        speaker = (seat + step) % N_SEATS
        if silent >> speaker & 1 == 0 and speaker != holder and speaker != acceptor:
            table["turn"] = speaker
            return
    if proposal_open:
        ask_about_proposal(table, rules, asked)
    elif standing == NO_CONTRACT:
        pass_out(table, rules, False)
    elif rules["holder_raises"] and acceptor == NOBODY and asked == ASKED_NORMALLY:
        table["asked"] = ASKED_HOLDER  # once, where the set allows it (clause 3.6); a raised proposal stands
        table["turn"] = holder
    else:
        close_auction(table, rules)


@kernel
def ask_about_proposal(table, rules, asked):
    """Nobody has accepted: put eldest, then the proposer, on turn once each, or end the deal."""
    holder = int(table["holder"])
    eldest = (int(table["dealer"]) + 1) % N_SEATS
    # Eldest, who has passed, may still accept (clause 3.7), asked once ...
    if rules["eldest_cop"] and holder != eldest and asked == ASKED_NORMALLY:
        table["asked"] = ASKED_ELDEST
        table["turn"] = eldest
        return
    # ... and then the proposer may raise his own proposal (clause 3.8), asked once.
    may_raise = rules["proposer_raises"] and (holder == eldest or not rules["eldest_raises"])
    if may_raise and asked != ASKED_PROPOSER:
        table["asked"] = ASKED_PROPOSER
        table["turn"] = holder
        return
    pass_out(table, rules, True)


@kernel
def pass_out(table, rules, proposed):
    """End an auction without a contract (clause 7.4): a general misère where the set plays one, else nothing."""
    if rules["general"] == NOT_GENERAL or (proposed and not rules["after_proposal"]):
        table["phase"] = OVER
        table["turn"] = NOBODY
        return
    table["contract"] = GENERAL
    table["trump"] = NO_TRUMP
    open_play(table, rules)


@kernel
def close_auction(table, rules):
    """Settle contract, sides, trumps (clauses 4.3, 5.2); put the caller on turn to name them, else the leader."""
    contract = int(table["standing"])
    table["contract"] = contract
    table["declarer"] = table["holder"]
    table["partner"] = table["acceptor"]
    trumps = rules["trumps"][contract]
    if trumps == NAMED and table["trump"] == TRUMP_NOT_NAMED:
        table["phase"] = NAMING
        table["turn"] = table["declarer"]
        return
    if trumps != NAMED:
        table["trump"] = NO_TRUMP if trumps == NO_TRUMPS else table["suit"]
    open_play(table, rules)


@kernel
def open_play(table, rules):
    """Put the leader to trick 1 on turn (clause 5.1), an ouverte hand faced where it is before the lead."""
    contract = int(table["contract"])
    leader = (int(table["dealer"]) + 1) % N_SEATS
    if rules["leader"][contract] == LEADER_CALLER:
        leader = int(table["declarer"])
    if rules["expose"][contract] == EXPOSE_BEFORE_LEAD:
        table["exposed_seat"] = table["declarer"]
    table["phase"] = PLAY
    table["leader"] = leader
    table["turn"] = leader


@kernel
def legal_trumps(table, rules):
    """The suits that the seat on turn may name, bit a suit; the table is not changed."""
    suits = (1 << N_SUITS) - 1
    if rules["not_turned"][int(table["standing"])] and table["suit"] != NO_TRUMP:
        suits &= ~(1 << int(table["suit"]))
    return suits


@kernel
def name_trumps(table, rules, suit):
    """Name trumps (clause 4.2): changes the table; play opens, or the auction goes on if it is not closed."""
    table["trump"] = suit
    if table["contract"] == NO_CONTRACT:
        table["named"] = suit
        table["phase"] = AUCTION
        choose_next_speaker(table, rules)
        return
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
        if table["phase"] == NAMING and table["contract"] == NO_CONTRACT:
            name_trumps(table, rules, lowest(legal_trumps(table, rules)))  # which suit makes no other auction
        if table["phase"] == AUCTION:
            depth += 1
            todo[depth] = legal_calls(table, rules)
            continue
        counts[0] += 1
        counts[1] = max(counts[1], int(table["n_calls"]))
        if table["contract"] != NO_CONTRACT and table["contract"] != GENERAL:
            counts[4 + int(table["contract"])] += 1
        elif table["standing"] == NO_CONTRACT:
            counts[2] += 1
        else:
            counts[3] += 1
