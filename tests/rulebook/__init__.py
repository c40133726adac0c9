"""The rulebook oracle: a second, deliberately slow implementation of Solo Whist.

It exists to judge the fast engine, so it shares nothing with it: plain strings, lists and sets, everything
worked out afresh from the history whenever it is asked for. Clause numbers refer to
docs/rules.md, which this package is meant to be read beside; where another ruleset departs from a clause, the key
that says so is named. The two implementations exchange nothing but lines of text (record.py).

Positions are relative to the dealer (clause 1.2): 0 = eldest, 1 = second, 2 = third, 3 = dealer.
"""

from .auction import Auction, Outcome, auction_counts, auctions
from .cards import PACK, playable, split_cards, trick_winner
from .contracts import PAGAT, RULESETS, Settings, changed, general_misere, made, payment, ruleset
from .game import Game, Trick, lines
from .record import parse, replay, trace

__all__ = [
    "PACK",
    "PAGAT",
    "RULESETS",
    "Auction",
    "Game",
    "Outcome",
    "Settings",
    "Trick",
    "auction_counts",
    "auctions",
    "changed",
    "general_misere",
    "lines",
    "made",
    "parse",
    "payment",
    "playable",
    "replay",
    "ruleset",
    "split_cards",
    "trace",
    "trick_winner",
]
