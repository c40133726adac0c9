"""The rulebook oracle: a second, deliberately slow implementation of Solo Whist.

It exists to judge the fast engine, so it shares nothing with it: plain strings, lists and sets, everything
worked out afresh from the history whenever it is asked for. Clause numbers refer to
docs/rules.md, which this package is meant to be read beside; where another ruleset departs from a clause, the key
that says so is named. The two implementations exchange nothing but lines of text (record.py).

Positions are relative to the dealer (clause 1.2): 0 = eldest, 1 = second, 2 = third, 3 = dealer. Only a session
(session.py) knows seats, which stay where they are while the deal goes round.
"""

from .auction import Auction, Outcome, auction_counts, auctions
from .cards import PACK, playable, split_cards, trick_winner
from .contracts import PAGAT, RULESETS, Settings, changed, general_misere, made, payment, ruleset, won
from .game import Game, Trick, lines
from .record import dealer_of, parse, replay, trace
from .session import (
    SessionDeal,
    SessionResult,
    cuts,
    cycle_advances,
    deal_rounds,
    dealt_from,
    gathered,
    goulash_stack,
    in_order,
    next_dealer,
    next_pack_kind,
    pack_of,
    replay_session,
    rounds_of,
)

__all__ = [
    "PACK",
    "PAGAT",
    "RULESETS",
    "Auction",
    "Game",
    "Outcome",
    "SessionDeal",
    "SessionResult",
    "Settings",
    "Trick",
    "auction_counts",
    "auctions",
    "changed",
    "cuts",
    "cycle_advances",
    "deal_rounds",
    "dealer_of",
    "dealt_from",
    "gathered",
    "general_misere",
    "goulash_stack",
    "in_order",
    "lines",
    "made",
    "next_dealer",
    "next_pack_kind",
    "pack_of",
    "parse",
    "payment",
    "playable",
    "replay",
    "replay_session",
    "rounds_of",
    "ruleset",
    "split_cards",
    "trace",
    "trick_winner",
    "won",
]
