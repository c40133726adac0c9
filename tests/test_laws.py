"""Rulings: records in which something goes wrong, worked by hand from the laws, with the arithmetic beside each.

Passages are from the epitome of the laws of Wilks and Pardon ("002") and from the project's own rules (2.5). Prices
are those of ``hoyle``, in pence: PC and SOLO 6 and 1 a trick over or under, MIS 12, ABU 18 and 2 over, 1 under, OUV
24, DECL 36. Clauses 9.1, 9.2, 9.3, 9.4, 9.5, 9.6, 9.7, 9.8, 9.9, 9.10, 9.11, 9.12, 9.13, 9.14, 9.15 and 9.16.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import NamedTuple

import pytest

from solo_env import events, laws, record
from solo_env.cards import card_text
from solo_env.record import RecordError
from solo_env.rules import RulesetError, load_ruleset, shipped_rulesets
from solo_env.table import Table
from tests.lawgames import (
    LAST_TRICK,
    SEATS,
    Game,
    abundance,
    abundance_short_of_spades,
    declared,
    general,
    lost_misere,
    misere,
    proposal,
    solo,
    solo_short_of_spades,
)
from tests.playing import contracts_of, random_game
from tests.test_docs_rules import table_after


class Case(NamedTuple):
    """A record and what it must come to."""

    passage: str
    line: Callable[[], str]
    payoff: tuple[int, int, int, int]  # pence of eldest, second, third, dealer
    clauses: str = ""  # those of the steps, in order
    said: tuple[str, ...] = ()  # what stands in them
    revokes: tuple[int, int, int, int] = (0, 0, 0, 0)
    void: bool = False
    again: bool = False  # the same dealer deals again


CASES: dict[str, Case] = {}


def case(
    name: str, passage: str, line: Callable[[], str], payoff: tuple[int, int, int, int], *rest, **more
) -> None:
    assert name not in CASES
    CASES[name] = Case(passage, line, payoff, *rest, **more)


NOBODY_PAYS = (0, 0, 0, 0)
MADE_SOLO = (18, -6, -6, -6)  # five tricks: 6 from each
MADE_PC = (6, -6, 6, -6)  # eight tricks: 6 a pair
MADE_MIS = (36, -12, -12, -12)
LOST_MIS = (-36, 12, 12, 12)
MADE_ABU = (54, -18, -18, -18)  # nine tricks: 18 from each


def with_cards(make: Callable[[], Game], text: str, **options) -> Callable[[], str]:
    """The record of a game. Its events say ``{3.1}`` for third's card of trick 1 and ``@4+2`` for the time when two
    cards of trick 4 are played."""

    def line() -> str:
        game = make()
        words = []
        for word in text.split():
            at, _, rest = word.partition(":")
            if at.startswith("@"):
                trick, _, place = at[1:].partition("+")
                at = str(game.at(int(trick), int(place or 0)))
            head, brace, tail = rest.partition("{")
            if brace:
                seat, trick = tail.rstrip("}").split(".")
                head += game.card(seat, int(trick))
            words.append(f"{at}:{head}")
        return game.line(" ".join(words), **options)

    return line


# --- Revokes (9.1): the examples of the project's rules, 2.5 ------------------------------------------------

# Eldest takes 1 2 3 4 7 10 11 and 13, eight; in trick 6 (hearts) it plays its diamond of trick 9.
case(
    "solo of eight with a revoke",
    "002: 'he has made eight or nine tricks' ... 'he then only pays 6d'",
    lambda: Game("SOLO PASS PASS PASS", "EEEE23E2DEE3", trump="C").swap("E", 6, 9).line(),
    (-18, 6, 6, 6),  # 8 - 3 = 5, enough, and lost all the same: 6 to each
    "9.1 9.1",
    ("eldest plays D", "loses 3 tricks and cannot win"),
    (1, 0, 0, 0),
)
# Eldest takes 1 2 5 7 10 and 13, six.
case(
    "solo of six with a revoke",
    "002: 'for each trick short the agreed-upon price'",
    lambda: Game("SOLO PASS PASS PASS", "EE22E3E3DED3", trump="C").swap("E", 4, 9).line(),
    (-24, 8, 8, 8),  # 6 - 3 = 3, two short: 6 + 2 = 8 to each
    "9.1 9.1",
    revokes=(1, 0, 0, 0),
)


case(
    "solo of one trick with a revoke",
    "project 9.1: no count below none",
    # Eldest takes trick 13 alone, with the two of trumps.
    lambda: Game("SOLO PASS PASS PASS", "23D23D23D23D", trump="C").swap("E", 6, 9).line(),
    (-33, 11, 11, 11),  # none and not 1 - 3 = -2: five short, 6 + 5 = 11 to each
    "9.1 9.1",
    revokes=(1, 0, 0, 0),
)


def solo_of_four() -> Game:
    """Eldest takes 1 5 7 and 13, four; second throws a heart on spades in trick 1."""
    return Game("SOLO PASS PASS PASS", "E23DE3ED3DD3", trump="C").swap("2", 1, 6)


case(
    "solo of four, a defender revokes",
    "002: 'No revoking player or partnership can win'; 'the actual offender pays'",
    lambda: solo_of_four().line(),
    (18, -18, 0, 0),  # made at 6 from each, all three paid by second
    "9.1 9.1",
    ("second plays H", "who did it pays"),
    (0, 1, 0, 0),
)
case(
    "the same with the three tricks transferred",
    "rules 2.5, A38: the caller is credited with 4 + 3 = 7 tricks",
    lambda: solo_of_four().line(ruleset="hoyle+laws.revoke_transfer=true"),
    (24, -24, 0, 0),  # 7 - 5 = two over: 6 + 2 = 8 from each
    "9.1 9.1",
    revokes=(0, 1, 0, 0),
)
case(
    "a misère, a defender shows a card",
    "002: 'If a card is exposed by one of the adversaries of a misere'",
    with_cards(misere, "@1:expose:2:{2.5}", tricks=0),
    (36, -36, 0, 0),  # 3 x 12, second for all three
    "9.13",
    ("second pays for all three",),
)
# Eldest and third take 1 to 8, 10, 11 and 13, eleven; in trick 2 (spades) eldest plays its diamond of trick 9.
case(
    "proposers revoke with eleven tricks",
    "002: 'who, being voluntary partners, pay the fine between them'",
    lambda: Game("PROP PASS COP PASS", "33E3E3E32E32", trump="C").swap("E", 2, 9).line(),
    (-6, 6, -6, 6),  # 11 - 3 = 8, enough, and lost at 6; both pay
    "9.1 9.1",
    revokes=(1, 0, 0, 0),
)
case(
    "a defender of a proposal revokes",
    "002: 'The actual offender pays the stakes in all cases of a revoke'",
    lambda: proposal().swap("2", 1, 6).line(),
    (6, -12, 6, 0),  # eight tricks, 6 to each winner, both from second
    "9.1 9.1",
    revokes=(0, 1, 0, 0),
)
case(
    "a proposal, revokes on both sides",
    "002: 'In case of a revoke on both sides, the deal is void'",
    lambda: proposal().swap("2", 1, 6).swap("E", 5, 9).line(),
    NOBODY_PAYS,
    "9.1 9.1 9.1",
    ("both sides have revoked",),
    (1, 1, 0, 0),
    True,
)
# Second throws a heart on trick 1, the dealer a diamond on trick 2.
case(
    "a solo, two defenders revoke",
    "002: 'The actual offender pays'; each his own, the first also for who did nothing (9.1)",
    lambda: Game("SOLO PASS PASS PASS", "E23DE3" "ED3DD3", twos="CDHS", trump="C")
    .swap("2", 1, 6).swap("D", 2, 9).line(),
    (18, -12, 0, -6),
    "9.1 9.1 9.1",
    revokes=(0, 1, 0, 1),
)  # fmt: skip
# Eldest takes 1 2 3 4 7 10 11 12 and 13, nine; in trick 6 (hearts) it plays its diamond of trick 9.
case(
    "an abundance, its declarer revokes",
    "002: 'brings the offender's number down below the score required'",
    lambda: Game("ABU PASS PASS PASS", "EEEE23E2DEEE", trump="C", turned="S", named=True).swap("E", 6, 9).line(),
    (-63, 21, 21, 21),  # 9 - 3 = 6, three short: 18 + 3 = 21 to each
    "9.1 9.1",
    revokes=(1, 0, 0, 0),
)
case(
    "an abundance, a defender revokes",
    "002: 'The actual offender pays the stakes'",
    lambda: abundance().swap("D", 1, 6).line(),
    (54, 0, 0, -54),  # nine tricks, 18 from each, all from the dealer
    "9.1 9.1",
    revokes=(0, 0, 0, 1),
)
# Second leads and wins five tricks; third wins the sixth, which ends it. The dealer threw a diamond on trick 1.
case(
    "an abundance declared, a defender revokes",
    "002: 'No revoking player or partnership can win a declaration'",
    lambda: declared("222223222222").swap("D", 1, 9).line(tricks=6),
    (0, 108, 0, -108),  # 3 x 36, all from the dealer, though a trick was lost
    "9.1 9.1",
    revokes=(0, 0, 0, 1),
)
case(
    "an abundance declared, a defender shows a card and revokes on demand",
    "002: 'any such demand must be complied with' ... 'Play'",
    with_cards(declared, "@1:expose:3:{3.3} @1:claim:2:play-{3.3}"),
    (0, 108, -108, 0),  # 3 x 36
    "9.8 9.9 9.12 9.1 9.1",
    revokes=(0, 0, 1, 0),
)
# Third throws a diamond on trick 1; the misère would have been made anyway.
case(
    "a misère, a revoke found at the end",
    "002: 'if a revoke is made against him'",
    lambda: misere().swap("3", 1, 9).line(),
    (36, 0, -36, 0),
    "9.1 9.1",
    revokes=(0, 0, 1, 0),
)
case(
    "a misère, a revoke claimed when the trick is complete",
    "002: 'This, however, does not apply to a revoke'",
    with_cards(lambda: misere().swap("3", 1, 9), "@2:claim:E:stakes", tricks=1),
    (36, 0, -36, 0),
    "9.1 9.13 9.1",
    revokes=(0, 0, 1, 0),
)
case(
    "a misère, a revoke claimed before the trick is complete",
    "002: 'an exposed card is as fatal as a revoke itself'",
    with_cards(lambda: misere().swap("3", 1, 9), "@1+3:claim:E:stakes", tricks=0, cards=3),
    (36, 0, -36, 0),
    "9.1 9.13 9.1",
    revokes=(0, 0, 1, 0),
)
case(
    "a misère lost, a revoke before",
    "002: 'after a misere is defeated ... to prove that no revoke has been made'",
    lambda: lost_misere().swap("3", 1, 9).line(tricks=2),
    (36, 0, -36, 0),  # the defenders cannot win
    "9.1 9.1",
    revokes=(0, 0, 1, 0),
)
case(
    "a misère, its caller revokes",
    "002: 'No revoking player ... can win a declaration'",
    lambda: misere().swap("E", 2, 9).line(),
    (-36, 12, 12, 12),
    "9.1 9.1",
    revokes=(1, 0, 0, 0),
)
case(
    "a misère, both sides revoke",
    "002: 'In case of a revoke on both sides, the deal is void'",
    lambda: misere().swap("E", 2, 9).swap("3", 1, 9).line(),
    NOBODY_PAYS,
    "9.1 9.1 9.1",
    revokes=(1, 0, 1, 0),
    void=True,
)
case(
    "an ouverte, a defender revokes",
    "002: 'adversaries of a misere or misere ouverte'",
    lambda: misere("OUV").swap("3", 1, 9).line(),
    (72, 0, -72, 0),  # 3 x 24
    "9.1 9.1",
    revokes=(0, 0, 1, 0),
)
case(
    "an ouverte, its caller revokes",
    "002: 'No revoking player'",
    lambda: misere("OUV").swap("E", 2, 9).line(tricks=2),
    (-72, 24, 24, 24),
    "9.1 9.1",
    revokes=(1, 0, 0, 0),
)
case(
    "a general misère, somebody revokes",
    "project 9.16: who revoked pays as the loser",
    lambda: general().swap("2", 1, 6).line(ruleset=LAST_TRICK),
    (6, -18, 6, 6),  # 6 to each, though the dealer took the last trick
    "9.1",
    revokes=(0, 1, 0, 0),
)

# --- Revokes put right, and examination (9.15) --------------------------------------------------------------

# Second first plays a diamond on the spade of trick 1, takes it back, and its spade is in the record.
case(
    "a proposal, a revoke corrected in time",
    "002: 'established when the trick containing it is turned and quitted'",
    with_cards(proposal, "@1+2:correct:2:{2.9}"),
    MADE_PC,  # eight tricks
    "9.15",
    ("takes back in time", "lies exposed"),
)
case(
    "the same, the card taken back then demanded and refused",
    "002: 'this demand can be repeated as long as the exposed card remains unplayed'",
    with_cards(proposal, "@1+2:correct:2:{2.9} @7:claim:3:play-{2.9}"),
    (6, -12, 6, 0),  # in trick 7 second plays another diamond: a revoke; eight tricks
    "9.15 9.9 9.12 9.1 9.1",
    revokes=(0, 1, 0, 0),
)
case(
    "a proposal, corrected when the trick is complete but not turned",
    "002: 'covered up and turned over'",
    with_cards(proposal, "@2:correct:2:{2.9}"),
    MADE_PC,
    "9.15",
)
case(
    "a proposal, corrected too late",
    "002: 'leading, or following the lead, to the succeeding trick, also establishes'",
    with_cards(proposal, "@2+1:correct:2:{2.9}"),
    (6, -12, 6, 0),
    "9.1 9.1",
    ("which is too late",),
    (0, 1, 0, 0),
)
case(
    "a solo caller corrects a revoke in time",
    "002: 'no penalty if the caller of a solo ... exposes any or all of his cards'",
    with_cards(solo, "@5+3:correct:E:{E.9}"),
    MADE_SOLO,
    "9.15",
    ("costs nothing",),
)
case(
    "a misère, a defender corrects in time all the same in vain",
    "002: 'These remarks do not apply to a misere'",
    with_cards(misere, "@1+3:correct:3:{3.9}", tricks=0, cards=3),
    (36, 0, -36, 0),
    "9.13",
)
case(
    "a misère, its caller corrects in time",
    "002: 'no penalty if the caller of a ... misere'",
    with_cards(misere, "@3+3:correct:E:{E.9}"),
    MADE_MIS,
    "9.15",
)
case(
    "an ignored demand corrected in time",
    "002: 'complied with, under penalty of a revoke'; so it is put right as one",
    with_cards(lambda: solo().swap("3", 1, 3), "@1:expose:3:{3.1} @1:claim:E:play-{3.1} @1+3:correct:3:{3.3}"),
    (-21, 7, 7, 7),  # third's queen then takes trick 3: four tricks, one short, 6 + 1
    "9.8 9.9 9.12 9.15",
)
case(
    "a solo made, its caller refuses to show the tricks",
    "002: 'if the other side do not allow this examination'",
    with_cards(solo, "@14:refuse:E"),
    (-27, 9, 9, 9),  # 5 - 3 = 2, three short: 6 + 3 = 9
    "9.15 9.1",
    revokes=(1, 0, 0, 0),
)
case(
    "a misère lost, a defender refuses to show the hands",
    "002: 'essential ... that the opposing hands be instantly exposed'",
    with_cards(lost_misere, "@3:refuse:D", tricks=2),
    (36, 0, 0, -36),
    "9.15 9.1",
    revokes=(0, 0, 0, 1),
)
case(
    "a proposal, a defender refuses to show the tricks",
    "002: 'the revoke is established'",
    with_cards(proposal, "@14:refuse:D"),
    (6, 0, 6, -12),
    "9.15 9.1",
    revokes=(0, 0, 0, 1),
)

case(
    "a solo of six with a revoke, and the tricks not shown",
    "002: 'If a revoke is suspected' ... 'the revoke is established': that one, not another",
    lambda: Game("SOLO PASS PASS PASS", "EE22E3E3DED3", trump="C").swap("E", 4, 9).line("56:refuse:E"),
    (-24, 8, 8, 8),  # 6 - 3 = 3, two short: 6 + 2 = 8 to each
    "9.1 9.15 9.1",
    ("counted already, and no other is added",),
    (1, 0, 0, 0),
)
case(
    "a solo made, its caller refuses twice",
    "project 9.15: one revoke, how often he refuses",
    with_cards(solo, "@14:refuse:E @14:refuse:E"),
    (-27, 9, 9, 9),  # 5 - 3 = 2, three short: 6 + 3 = 9
    "9.15 9.15 9.1",
    revokes=(1, 0, 0, 0),
)
case(
    "a proposal, both proposers refuse",
    "project 9.15: one revoke, whoever of the side refuses",
    with_cards(proposal, "@14:refuse:3 @14:refuse:E"),
    (-9, 9, -9, 9),  # 8 - 3 = 5, three short: 6 + 3
    "9.15 9.15 9.1",
    revokes=(0, 0, 1, 0),
)
case(
    "a proposal, a defender refuses whose partner has revoked",
    "002: 'The actual offender pays the stakes'",
    with_cards(lambda: proposal().swap("2", 1, 6), "@14:refuse:D"),
    (6, -12, 6, 0),
    "9.1 9.15 9.1",
    revokes=(0, 1, 0, 0),
)
case(
    "a solo, both sides refuse",
    "002: 'In case of a revoke on both sides, the deal is void'",
    with_cards(solo, "@14:refuse:E @14:refuse:2 @14:refuse:D"),
    NOBODY_PAYS,
    "9.15 9.15 9.15 9.1",
    revokes=(1, 1, 0, 0),
    void=True,
)
case(
    "a general misère, two refuse to show the tricks",
    "project 9.16: everybody is a side by himself",
    with_cards(general, "@14:refuse:E @14:refuse:2 @14:refuse:E", ruleset=LAST_TRICK),
    (-12, -12, 12, 12),  # 6 from each of two to each of two
    "9.15 9.15 9.15",
    revokes=(1, 1, 0, 0),
)
case(
    "a misère lost, a defender corrects when the deal is over",
    "project 9.15: a trick is turned when the deal is over",
    with_cards(lost_misere, "@3:correct:3:{3.9}", tricks=2),
    (36, 0, -36, 0),
    "9.1 9.1",
    ("when the deal is over, which is too late",),
    (0, 0, 1, 0),
)

# --- Misères where revokes are possible (6.5, 9.4) ----------------------------------------------------------

POSSIBLE = 'hoyle+play.revokes="possible"'


def misere_revoked_by_both(call: str = "MIS") -> Game:
    """Second plays a diamond on the spade of trick 3, and eldest, the declarer, one on the heart of trick 4."""
    return misere(call).swap("2", 3, 9).swap("E", 4, 9)


case(
    "where revokes are possible a misère ends with the first, whoever revokes later",
    "clause 6.5: 'over with the trick in which somebody revoked'",
    lambda: misere_revoked_by_both().line(ruleset=POSSIBLE),
    (36, -36, 0, 0),
    "9.1 6.5 9.4 9.1",
    ("the rest of the record does not count (40 actions)",),
    (0, 1, 0, 0),
)
case(
    "an ouverte in the same way",
    "clause 6.5: 'MIS and OUV'",
    lambda: misere_revoked_by_both("OUV").line(ruleset=POSSIBLE),
    (72, -72, 0, 0),
    "9.1 6.5 9.4 9.1",
    revokes=(0, 1, 0, 0),
)
case(
    "where they are not possible the misère goes on",
    "002: 'In case of a revoke on both sides, the deal is void'",
    lambda: misere_revoked_by_both().line(),
    NOBODY_PAYS,
    "9.1 9.1 9.1",
    revokes=(1, 1, 0, 0),
    void=True,
)
case(
    "revokes of both sides in the trick that ends the misère",
    "002: 'In case of a revoke on both sides, the deal is void'",
    lambda: misere().swap("2", 3, 9).swap("E", 3, 8).line(ruleset=POSSIBLE),
    NOBODY_PAYS,
    "9.1 9.1 6.5 9.4 9.1",
    revokes=(1, 1, 0, 0),
    void=True,
)
case(
    "what goes wrong after the misère was over does not count",
    "clause 9.4",
    with_cards(misere_revoked_by_both, "@4:expose:3:{3.9} @5:remark:3 @14:refuse:E", ruleset=POSSIBLE),
    (36, -36, 0, 0),
    "9.1 6.5 9.4 9.1",
    revokes=(0, 1, 0, 0),
)
case(
    "the misère ended by a revoke, its caller refuses to show the tricks",
    "002: 'In case of a revoke on both sides, the deal is void'",
    with_cards(misere_revoked_by_both, "@4:refuse:E", ruleset=POSSIBLE, tricks=3),
    NOBODY_PAYS,
    "9.1 9.15 9.1",
    revokes=(1, 1, 0, 0),
    void=True,
)
case(
    "a misère where revokes are possible, corrected too late",
    "002: 'leading, or following the lead, to the succeeding trick, also establishes'",
    with_cards(misere, "@2+1:correct:3:{3.9}", ruleset=POSSIBLE),
    (36, 0, -36, 0),
    "9.1 6.5 9.4 9.1",
    ("the rest of the record does not count (47 actions)",),
    (0, 0, 1, 0),
)

# --- The deal (9.5, 9.6, 9.3) -------------------------------------------------------------------------------

case(
    "a misdeal",
    "002: 'A fresh deal is necessary ... if there is a misdeal'",
    lambda: solo().line("0:misdeal:3").partition("; calls")[0] + "; events 0:misdeal:3",
    NOBODY_PAYS,
    "9.5",
    void=True,
    again=True,
)
case(
    "a card seen in the deal",
    "002: 'if a card is exposed or faced in the pack'",
    lambda: solo().line("0:expose_in_deal:2:S2"),
    NOBODY_PAYS,
    "9.5 9.4",
    ("the rest of the record does not count (56 actions)",),
    void=True,
    again=True,
)


def miscounted(make: Callable[[], Game], more: str, fewer: str, at: int, actions: int | None = None, **options):
    """The record of a game in which a card of one hand was dealt to another, found after so many actions."""

    def line() -> str:
        game = make()
        card = next(card for card in game.hands[fewer] if card[1] == "2")
        game.hands[fewer].remove(card)
        game.hands[more].insert(0, card)
        return game.line(f"{at}:bad_count:{more}:14 {at}:bad_count:{fewer}:12", **{"tricks": 0, **options})

    return line


case(
    "fourteen cards found before the first call",
    "002: 'unless the error is discovered before the first call'",
    miscounted(solo, "2", "D", 0),
    NOBODY_PAYS,
    "9.6 9.4",
    void=True,
    again=True,
)
case(
    "a solo, defenders with fourteen and twelve",
    "002: 'the declaring hand or hands win the stakes if their own cards are correct'",
    miscounted(solo, "2", "D", 12, tricks=3),
    MADE_SOLO,  # the stake, 6 from each, whoever has the wrong cards
    "9.6 9.4",
)
case(
    "a proposal, defenders with fourteen and twelve",
    "002: 'declaring ... hands win the stakes'",
    miscounted(proposal, "2", "D", 4),
    MADE_PC,
    "9.6",
)
case(
    "a proposal, proposers with fourteen and twelve",
    "002: 'any person or partnership with the incorrect number of cards must, whatever has happened, lose'",
    miscounted(proposal, "E", "3", 4),
    (-6, 6, -6, 6),
    "9.6",
)
case(
    "a misère, defenders with fourteen and twelve",
    "002: 'whatever has happened'",
    miscounted(misere, "2", "3", 8, tricks=1),
    MADE_MIS,
    "9.6",
)
case(
    "an ouverte, defenders with fourteen and twelve",
    "002: 'win the stakes if their own cards are correct'",
    miscounted(lambda: misere("OUV"), "2", "3", 4),
    (72, -24, -24, -24),
    "9.6",
)
case(
    "an abundance, wrong numbers on both sides",
    "project 9.6: both would lose",
    miscounted(abundance, "E", "2", 5),
    NOBODY_PAYS,
    "9.6",
    void=True,
)
case(
    "wrong numbers found in the auction",
    "project 9.6: no contract, no stake",
    miscounted(solo, "E", "2", 1),
    NOBODY_PAYS,
    "9.6 9.4",
    void=True,
    again=True,
)
case(
    "a general misère with wrong numbers",
    "002: 'any person ... must ... lose the stake'",
    miscounted(general, "2", "3", 4, ruleset=LAST_TRICK),
    (12, -12, -12, 12),  # two payers, 6 each to each of two
    "9.6",
)
case(
    "wrong numbers found before the last of four passes",
    "project 9.6: no contract, no stake",
    miscounted(general, "2", "3", 3),
    NOBODY_PAYS,
    "9.6 9.4",
    void=True,
    again=True,
)
case(
    "wrong numbers found when all have passed",
    "project 9.6: the deal is over, and had no stake",
    miscounted(general, "2", "3", 4),
    NOBODY_PAYS,
    "9.6 9.6",
    ("found when the deal had been thrown in",),
)
BARELY = 'hoyle+deal.shuffle="barely"+laws.shuffle_penalty=2'
case(
    "a shuffle where the pack is not shuffled",
    "rules 2.5, A34: one unit to each other player",
    lambda: solo().line("0:shuffle:D", ruleset=BARELY),
    (20, -4, -4, -12),  # the solo at 6, and 2 from the dealer to each
    "9.3",
)
case(
    "a shuffle where the pack is shuffled",
    "002: 'the dealer may then shuffle if he likes'",
    lambda: solo().line("0:shuffle:D"),
    MADE_SOLO,
    "9.3",
    ("costs nothing",),
)
case(
    "a shuffle before a misdeal is paid all the same",
    "project 9.3",
    lambda: solo().line("0:shuffle:2 0:misdeal:2", ruleset='hoyle+deal.shuffle="barely"+pay.unit=3'),
    (3, -9, 3, 3),  # one unit of 3 to each
    "9.3 9.5 9.4",
    void=True,
    again=True,
)

# --- Calls and remarks (9.2, 9.7) ---------------------------------------------------------------------------

SECOND = 'hoyle+laws.second_prop="s2_ruling"'


def called(calls: str, **options) -> Callable[[str], str]:
    """The record of the cards of ``proposal`` under other calls."""

    def line(text: str) -> str:
        return proposal_called(calls, **options).line(text, ruleset=SECOND)

    return line


def proposal_called(calls: str, **options) -> Game:
    return Game(calls, "E3E32ED32ED2", trump="C", **options)


case(
    "a second proposal, another accepts",
    "002: 'any other player may accept'",
    # Eldest proposes, second says it too and then passes, third accepts.
    lambda: called("PROP PASS COP PASS")("1:improper_call:2:PROP"),
    MADE_PC,
    "9.2",
)
case(
    "a second proposal, the first proposer raises at once",
    "002: 'the original proposer may amend his call to anything better'",
    # Eldest's solo takes 1 3 6 10 and 13, five.
    lambda: called("PROP SOLO PASS PASS PASS")("1:improper_call:2:PROP 1:claim:E:raise"),
    MADE_SOLO,
    "9.2 9.2",
)
case(
    "a second proposal, who made it calls a solo instead",
    "project 9.2: its other rights are untouched",
    # Second takes 5 9 and 12, three; eldest, overcalled, passes.
    lambda: called("PROP SOLO PASS PASS PASS")("1:improper_call:2:PROP"),
    (8, -24, 8, 8),  # two short: 6 + 2
    "9.2",
)
case(
    "a second proposal out of turn",
    "002: 'another man, not hearing or not noticing'",
    lambda: called("PROP PASS COP PASS")("1:improper_call:D:PROP"),
    MADE_PC,
    "9.2",
)
case(
    "the right to raise is over with the next call",
    "project 9.2: at once",
    lambda: called("PROP PASS COP PASS")("1:improper_call:2:PROP 2:claim:E:raise"),
    MADE_PC,
    "9.2 9.2",
    ("refused",),
)
SOLO_ONLY = 'hoyle+auction.unaccepted_prop_raise_to="solo_only"+laws.second_prop="s2_ruling"'
THROW_IN = 'hoyle+auction.unaccepted_prop="throw_in"+laws.second_prop="s2_ruling"'
ELDEST_ONLY = 'hoyle+auction.unaccepted_prop_raise_seats="eldest_only"+laws.second_prop="s2_ruling"'
RAISES = "002: 'amend his call to anything better'; project 9.2: no key of 3.8 binds it"

case(
    "a raise over a second proposal goes beyond a solo where an unaccepted proposal may not",
    RAISES,
    lambda: Game("PROP MIS PASS PASS PASS", "23D23D22D23D").line(
        "1:improper_call:2:PROP 1:claim:E:raise", ruleset=SOLO_ONLY
    ),
    MADE_MIS,
    "9.2 9.2",
)
case(
    "a raise over a second proposal where an unaccepted one is thrown in",
    RAISES,
    lambda: proposal_called("PROP SOLO PASS PASS PASS").line(
        "1:improper_call:2:PROP 1:claim:E:raise", ruleset=THROW_IN
    ),
    MADE_SOLO,
    "9.2 9.2",
)
case(
    "a raise over a second proposal by second where only eldest is asked about his own",
    RAISES,
    # Second takes 5 9 and 12, three.
    lambda: proposal_called("PASS PROP SOLO PASS PASS").line(
        "2:improper_call:3:PROP 2:claim:2:raise", ruleset=ELDEST_ONLY
    ),
    (8, -24, 8, 8),  # two short: 6 + 2
    "9.2 9.2",
)
case(
    "a call too low",
    "project 9.7: it does not count",
    lambda: called("SOLO PASS PASS PASS")("1:improper_call:2:SOLO"),
    MADE_SOLO,
    "9.7",
)
case(
    "a slip corrected at once",
    "002: 'If he correct himself instantly, it is courteous to let the change be made'",
    lambda: called("SOLO PASS PASS PASS")("0:slip:E:MIS"),
    MADE_SOLO,
    "9.7",
    ("said MIS and corrected it at once to SOLO",),
)
case(
    "a remark, and a fresh deal",
    "002: 'entitles the other side to throw up the cards'",
    with_cards(proposal, "@2+1:remark:D @2+1:claim:E:redeal"),
    NOBODY_PAYS,
    "9.7 9.7 9.4",
    void=True,
    again=True,
)
case(
    "a remark of the claimant's own side",
    "002: 'the other side'",
    with_cards(proposal, "@2+1:remark:D @2+1:claim:2:redeal"),
    MADE_PC,
    "9.7 9.7",
    ("refused",),
)
case(
    "a remark in the auction, and a fresh deal",
    "project 9.7: before there are sides anybody else may claim",
    lambda: solo().line("2:remark:3 2:claim:D:redeal"),
    NOBODY_PAYS,
    "9.7 9.7 9.4",
    void=True,
    again=True,
)
case(
    "a remark claimed a trick too late",
    "002: 'If all the four men have played to the trick'",
    with_cards(proposal, "@2+1:remark:D @3:claim:E:redeal"),
    MADE_PC,
    "9.7 9.7",
    ("refused",),
)
case(
    "a remark, and a fresh deal demanded when all have passed",
    "project 9.7: never when the deal is over",
    lambda: general().line("3:remark:3 4:claim:E:redeal", tricks=0),
    NOBODY_PAYS,
    "9.7 9.7",
    ("refused: the deal is over",),
)
case(
    "a remark, and a fresh deal demanded when a proposal was given up",
    "project 9.7: never when the deal is over",
    lambda: Game("PROP PASS PASS PASS PASS", "E23DE23DE23D").line("4:remark:3 5:claim:E:redeal", tricks=0),
    NOBODY_PAYS,
    "9.7 9.7",
    ("refused: the deal is over",),
)
case(
    "a remark, and a fresh deal demanded before the last of four passes",
    "project 9.7",
    lambda: general().line("3:remark:3 3:claim:E:redeal", tricks=0),
    NOBODY_PAYS,
    "9.7 9.7 9.4",
    void=True,
    again=True,
)
case(
    "a remark in the last trick, and a fresh deal demanded after it",
    "project 9.7: never when the deal is over",
    with_cards(solo, "@13+1:remark:D @14:claim:E:redeal"),
    MADE_SOLO,
    "9.7 9.7",
    ("refused: the deal is over",),
)
case(
    "a remark in a general misère",
    "project 9.16",
    with_cards(general, "@2+1:remark:D @2+1:claim:E:redeal", ruleset=LAST_TRICK),
    NOBODY_PAYS,
    "9.7 9.7 9.4",
    void=True,
    again=True,
)

# --- Exposed cards and demands (9.8, 9.9, 9.12) -------------------------------------------------------------

CALLERS = {
    "a solo": (solo, MADE_SOLO),
    "a misère": (misere, MADE_MIS),
    "an abundance": (abundance, MADE_ABU),
    "an ouverte": (lambda: misere("OUV"), (72, -24, -24, -24)),
}
for contract, (make, made) in CALLERS.items():
    case(
        f"the caller of {contract} shows a card",
        "002: 'the exposure being in this case to his own disadvantage'",
        with_cards(make, "@1:expose:E:{E.3} @1:claim:D:play-{E.3}"),
        made,
        "9.8 9.12",
        ("costs nothing", "refused"),
    )
case(
    "the caller of an abundance declared shows a card",
    "project 9.8: as abundance",
    with_cards(declared, "@1:expose:2:{2.3} @2:claim:D:lowest"),
    (-36, 108, -36, -36),
    "9.8 9.12",
)
case(
    "a card shown before there is a contract",
    "project 9.8: nobody's adversary yet",
    with_cards(misere, "2:expose:3:{3.1}"),
    MADE_MIS,
    "9.8",
)
case(
    "a general misère, a card shown",
    "project 9.16",
    with_cards(general, "@1:expose:E:{E.3} @1:claim:D:play-{E.3}", ruleset=LAST_TRICK),
    (6, 6, 6, -18),
    "9.16 9.12",
)
# Third shows the four of spades, its card of trick 3.
case(
    "a solo, the exposed card demanded and played",
    "002: 'Play'",
    with_cards(lambda: solo().swap("3", 1, 3), "@1:expose:3:{3.1} @1:claim:E:play-{3.1}"),
    (-21, 7, 7, 7),  # its queen is then good for trick 3: four tricks, 6 + 1
    "9.8 9.9 9.12",
)
case(
    "a solo, the exposed card demanded and kept",
    "002: 'complied with, under penalty of a revoke'",
    with_cards(solo, "@1:expose:3:{3.3} @1:claim:E:play-{3.3}"),
    (18, 0, -18, 0),  # five tricks, all from third
    "9.8 9.9 9.12 9.1 9.1",
    revokes=(0, 0, 1, 0),
)
case(
    "a solo, the exposed card forbidden and played",
    "002: 'or Don't--play that card'",
    with_cards(solo, "@1:expose:3:{3.1} @1:claim:E:not-{3.1}"),
    (18, 0, -18, 0),
    "9.8 9.9 9.12 9.1 9.1",
    revokes=(0, 0, 1, 0),
)
# The dealer's turned card is its club of trick 12; in trick 10, of clubs, it plays another.
case(
    "a solo, the turned card shown again, demanded and kept",
    "project 9.8: taken up, it is a card like any other",
    with_cards(solo, "@2:expose:D:{D.12} @10+1:claim:E:play-{D.12}"),
    (18, 0, 0, -18),
    "9.8 9.9 9.12 9.1 9.1",
    ("the dealer shows C5, which lies exposed",),
    (0, 0, 0, 1),
)
case(
    "a misère, the turned card shown again",
    "project 9.8: taken up, it is a card like any other",
    with_cards(misere, "@2:expose:D:{D.12}"),
    (36, 0, 0, -36),
    "9.13 9.4",
)
case(
    "a solo, the exposed card is the only one of the suit",
    "project 9.12: who cannot comply is free",
    with_cards(solo, "@3:expose:3:{3.3} @3+1:claim:E:not-{3.3}"),
    MADE_SOLO,
    "9.8 9.9 9.12",
    ("cannot do what was demanded",),
)
# Eldest leads the two of spades to trick 4; the others have none, and throw hearts.
case(
    "a solo, follow suit or play the card: played",
    "002: 'Follow suit or play the ----'",
    with_cards(lambda: solo_short_of_spades().swap("3", 4, 9), "@4:expose:3:{3.4} @4+1:claim:E:play-{3.4}"),
    MADE_SOLO,  # its heart goes to trick 9, to eldest
    "9.8 9.9 9.12",
)
case(
    "a solo, follow suit or play the card: another thrown",
    "002: 'Follow suit or play the ----'",
    with_cards(solo_short_of_spades, "@4:expose:3:{3.9} @4+1:claim:E:play-{3.9}"),
    (18, 0, -18, 0),
    "9.8 9.9 9.12 9.1 9.1",
    revokes=(0, 0, 1, 0),
)
case(
    "a solo, follow suit or play the card: suit followed",
    "002: 'Follow suit or play the ----'",
    with_cards(solo, "@1:expose:3:{3.9} @1:claim:E:play-{3.9}"),
    MADE_SOLO,
    "9.8 9.9 9.12",
    ("does what was demanded",),
)
case(
    "a solo, a demand repeated until the card is played",
    "002: 'can be repeated as long as the exposed card remains unplayed'",
    with_cards(solo, "@1:expose:3:{3.9} @1:claim:E:play-{3.9} @2+1:claim:E:play-{3.9} @10:claim:E:play-{3.9}"),
    MADE_SOLO,
    "9.8 9.9 9.12 9.9 9.12 9.12",
    ("does not lie exposed",),
)
case(
    "a solo, follow suit or pass the trick: kept",
    "002: 'the holder of the exposed card must not trump'",
    with_cards(solo_short_of_spades, "@4:expose:3:{3.12} @4+1:claim:E:pass"),
    MADE_SOLO,
    "9.8 9.9 9.12",
)
case(
    "a solo, follow suit or pass the trick: trumped",
    "002: 'must renounce a card of another suit if he cannot follow'",
    # Third's club wins trick 4 and is missing in trick 12, which the dealer then wins.
    with_cards(lambda: solo_short_of_spades().swap("3", 4, 12), "@4:expose:3:{3.4} @4+1:claim:E:pass"),
    (18, 0, -18, 0),  # eldest has four tricks, and has made it all the same, at 6
    "9.8 9.9 9.12 9.1 9.1",
    revokes=(0, 0, 1, 0),
)
case(
    "a solo, pass demanded when trumps are led",
    "002: 'and trumps are not led'",
    with_cards(solo, "@10:expose:2:{2.12} @10+1:claim:E:pass"),
    MADE_SOLO,
    "9.8 9.9",
    ("refused: trumps were led",),
)
case(
    "a solo, an exposed card thrown away though forbidden",
    "002: 'cannot be prevented from throwing away an exposed card'",
    with_cards(solo_short_of_spades, "@4:expose:3:{3.4} @4+1:claim:E:not-{3.4}"),
    MADE_SOLO,
    "9.8 9.9",
    ("may always be thrown away",),
)
# Third wins trick 4 and leads to 5 (won by eldest); the dealer wins 6 and leads to 7.
case(
    "a solo, leading the exposed card forbidden again and again",
    "002: 'he may be repeatedly prohibited from leading it'",
    with_cards(solo, "@5:expose:3:{3.9} @5:claim:E:not-{3.9} @10:claim:E:not-{3.12}"),
    MADE_SOLO,
    "9.8 9.9 9.12 9.12",
)
case(
    "a solo, the exposed card led though forbidden",
    "002: 'except against a solo or abondance'",
    with_cards(solo, "@5:expose:3:{3.5} @5:claim:E:not-{3.5}"),
    (18, 0, -18, 0),
    "9.8 9.9 9.12 9.1 9.1",
    revokes=(0, 0, 1, 0),
)
case(
    "an abundance, the exposed card led though forbidden",
    "002: 'except against a solo or abondance'",
    # Second wins trick 4 and leads its heart to trick 5.
    with_cards(abundance, "@5:expose:2:{2.5} @5:claim:E:not-{2.5}"),
    (54, -54, 0, 0),
    "9.8 9.9 9.12 9.1 9.1",
    revokes=(0, 1, 0, 0),
)
case(
    "a proposal, leading the exposed card cannot be forbidden",
    "002: 'or from leading it when it is his turn to lead'",
    # Second wins trick 5 and leads its heart to trick 6.
    with_cards(proposal, "@6:expose:2:{2.6} @6:claim:3:not-{2.6}"),
    MADE_PC,
    "9.8 9.9 9.9",
    ("refused",),
)
case(
    "a proposal, the highest demanded and played",
    "002: 'he can make him play either the highest or lowest'",
    with_cards(proposal, "@1:expose:2:{2.3} @1+1:claim:E:highest"),
    MADE_PC,
    "9.8 9.9 9.12",
)
case(
    "a proposal, the highest demanded before another suit is led",
    "002: 'his highest or lowest of the suit': the suit exposed",
    with_cards(proposal, "@4:expose:2:{2.9} @4:claim:E:highest"),
    MADE_PC,  # hearts are led, and second has shown a diamond
    "9.8 9.9 9.9",
    ("the suit led is not that of an exposed card",),
)
case(
    "a proposal, the lowest demanded and not played",
    "002: 'he can make him play either the highest or lowest'",
    with_cards(proposal, "@1:expose:2:{2.3} @1+1:claim:3:lowest"),
    (6, -12, 6, 0),
    "9.8 9.9 9.12 9.1 9.1",
    revokes=(0, 1, 0, 0),
)
# Third has two hearts left in trick 6, which second leads.
case(
    "a proposal, a proposer plays the exposed card though forbidden",
    "002: 'for or against a proposition'",
    with_cards(proposal, "@6:expose:3:{3.6} @6+1:claim:D:not-{3.6}"),
    (-9, 9, -9, 9),  # 8 - 3 = 5, three short: 6 + 3
    "9.8 9.9 9.12 9.1 9.1",
    revokes=(0, 0, 1, 0),
)
case(
    "a proposal, a proposer ignores a demand",
    "002: 'for or against a proposition'",
    with_cards(proposal, "@1:expose:3:{3.3} @1:claim:D:play-{3.3}"),
    (-9, 9, -9, 9),  # 8 - 3 = 5, three short: 6 + 3
    "9.8 9.9 9.12 9.1 9.1",
    revokes=(0, 0, 1, 0),
)
case(
    "an abundance, the exposed card demanded and kept",
    "002: 'Play'",
    with_cards(abundance, "@1:expose:3:{3.3} @1:claim:E:play-{3.3}"),
    (54, 0, -54, 0),
    "9.8 9.9 9.12 9.1 9.1",
    revokes=(0, 0, 1, 0),
)
case(
    "a demand of the offender's own side",
    "002: 'The aggrieved party can demand'",
    with_cards(proposal, "@1:expose:2:{2.3} @1+1:claim:D:highest"),
    MADE_PC,
    "9.8 9.12",
    ("on the other side",),
)
case(
    "a demand when the card is played",
    "project 9.12: too late",
    with_cards(proposal, "@1:expose:2:{2.3} @1+2:claim:E:highest"),
    MADE_PC,
    "9.8 9.12",
    ("too late",),
)
case(
    "a second demand on the same card",
    "002: 'may decide which of them shall exact the penalty'",
    with_cards(proposal, "@1:expose:2:{2.3} @1+1:claim:E:highest @1+1:claim:3:lowest"),
    MADE_PC,
    "9.8 9.9 9.9 9.12",
    ("one demand on it stands already",),
)
case(
    "a suit called for an exposed card",
    "002: 'A suit cannot be called for exposing a card'",
    with_cards(proposal, "@1:expose:2:{2.3} @1+1:claim:E:suit-H"),
    MADE_PC,
    "9.8 9.10",
    ("no suit is called for an exposed card",),
)
case(
    "penalties forgone",
    "project 9.14",
    with_cards(proposal, "@1:expose:2:{2.3} @1+1:waive:E @1+1:claim:E:lowest"),
    MADE_PC,
    "9.8 9.14 9.12",
)

# --- Leads and cards out of turn (9.10, 9.11, 9.14) ---------------------------------------------------------

# Second shows a heart as lead to trick 2, which eldest has; second wins trick 2 and leads a spade to trick 3.
case(
    "a solo, a lead out of turn: the suit called is led",
    "002: 'they may call a suit from either the man who exposed the card or his partner'",
    with_cards(solo, "@2:lead_out_of_turn:2:{2.4} @2:claim:E:suit-S"),
    MADE_SOLO,
    "9.10 9.10 9.12",
)
case(
    "a solo, a lead out of turn: the suit called is not led",
    "002: 'any such demand must be complied with'",
    with_cards(solo, "@2:lead_out_of_turn:2:{2.4} @2:claim:E:suit-D"),
    (18, -18, 0, 0),
    "9.10 9.10 9.12 9.1 9.1",
    revokes=(0, 1, 0, 0),
)
# Third has the lead to trick 10 and no diamond left.
case(
    "a solo, a lead out of turn: the partner has none of the suit",
    "project 9.12: who cannot comply is free",
    with_cards(solo, "@10:lead_out_of_turn:2:{2.11} @10:claim:E:suit-D"),
    MADE_SOLO,
    "9.10 9.10 9.12",
    ("cannot do what was demanded",),
)
case(
    "a proposal, a lead out of turn: the suit is called from the partner",
    "002: 'when next either of them has to lead'",
    # The dealer shows a diamond; second wins trick 5 and leads a heart to trick 6.
    with_cards(proposal, "@2:lead_out_of_turn:D:{D.7} @2:claim:3:suit-H"),
    MADE_PC,
    "9.10 9.10 9.12",
)
case(
    "a proposal, a proposer leads out of turn and the suit called is not led",
    "002: 'If a player does lead out of his turn'",
    # Second has the lead to trick 6; eldest wins it and, asked for spades, leads a diamond: it has no spade.
    # Asked for clubs, it could have led one.
    with_cards(proposal, "@6:lead_out_of_turn:3:{3.9} @6:claim:2:suit-C"),
    (-9, 9, -9, 9),  # 8 - 3 = 5, three short: 6 + 3
    "9.10 9.10 9.12 9.1 9.1",
    revokes=(1, 0, 0, 0),
)
case(
    "a proposal, a lead out of turn treated as an exposed card",
    "002: 'the card may be treated as an exposed card by the adversaries if they choose'",
    with_cards(proposal, "@2:lead_out_of_turn:2:{2.3} @2+1:claim:E:play-{2.3} @2+2:claim:3:suit-H"),
    (6, -12, 6, 0),  # second plays another spade: a revoke; and the suit is refused, the choice being made
    "9.10 9.9 9.12 9.10 9.1 9.1",
    revokes=(0, 1, 0, 0),
)
case(
    "the right to call a suit ends with the side's next lead",
    "002: 'when next either of them has to lead'",
    with_cards(solo, "@2:lead_out_of_turn:2:{2.4} @3+1:claim:E:suit-D"),
    MADE_SOLO,
    "9.10 9.10",
    ("refused",),
)
case(
    "a proposal, a lead out of turn that all follow",
    "002: 'If all the four men have played to the trick before any irregularity is discovered'",
    # Eldest has won trick 1, and the dealer leads to trick 2.
    with_cards(lambda: proposal().led_by("D", 2), "@2:lead_out_of_turn:D:{D.2} @3:claim:E:suit-H"),
    MADE_PC,
    "9.10 9.14 9.10",
    ("all four have played", "refused"),
)
case(
    "a proposal, a lead out of turn noticed before all have followed",
    "002: 'before any irregularity is discovered'",
    with_cards(lambda: proposal().led_by("D", 2), "@2:lead_out_of_turn:D:{D.2} @2+2:claim:E:suit-H"),
    MADE_PC,  # second leads a heart to trick 6, as asked
    "9.10 9.10 9.12",
)
case(
    "a solo caller leads out of turn: a suit may be called, the card costs nothing",
    "002: 'If a player does lead out of his turn'; 'no penalty if the caller'",
    # Second has won trick 2; eldest shows a diamond; it next leads to trick 4, a heart, where clubs were called.
    with_cards(solo, "@3:lead_out_of_turn:E:{E.7} @3:claim:D:suit-C @3:claim:D:play-{E.7}"),
    (-27, 9, 9, 9),  # 5 - 3 = 2, three short: 6 + 3
    "9.10 9.10 9.12 9.12 9.1 9.1",
    revokes=(1, 0, 0, 0),
)
case(
    "a suit called when the deal is over",
    "project 9.10: there is no lead to come",
    # Second leads to trick 13, and third has shown its two.
    with_cards(proposal, "@13:lead_out_of_turn:3:{3.13} @14:claim:2:suit-S"),
    MADE_PC,
    "9.10 9.10",
    ("refused: the deal is over",),
)
case(
    "a general misère, a lead out of turn",
    "project 9.16",
    with_cards(general, "@2:lead_out_of_turn:D:{D.7} @2:claim:E:suit-D", ruleset=LAST_TRICK),
    (6, 6, 6, -18),
    "9.16 9.10",
)
# Eldest leads to trick 1; the dealer plays before its partner second.
case(
    "a proposal, a card out of turn: the partner's highest",
    "002: 'that partner can be compelled to play his highest or lowest of the suit'",
    with_cards(proposal, "@1+1:play_out_of_turn:D:{D.1} @1+1:claim:3:highest"),
    MADE_PC,
    "9.11 9.11 9.12",
)
case(
    "a proposal, a card out of turn: not the partner's lowest",
    "002: 'his highest or lowest of the suit'",
    with_cards(proposal, "@1+1:play_out_of_turn:D:{D.1} @1+1:claim:3:lowest"),
    (6, -12, 6, 0),
    "9.11 9.11 9.12 9.1 9.1",
    revokes=(0, 1, 0, 0),
)
case(
    "an abundance, a card out of turn: the partner must trump and does not",
    "002: 'or to trump or not to trump at the adversaries' option'",
    with_cards(abundance_short_of_spades, "@4+1:play_out_of_turn:3:{3.4} @4+1:claim:E:trump"),
    (54, -54, 0, 0),
    "9.11 9.11 9.12 9.1 9.1",
    revokes=(0, 1, 0, 0),
)
case(
    "an abundance, a card out of turn: the partner must not trump",
    "002: 'to trump or not to trump'",
    with_cards(abundance_short_of_spades, "@4+1:play_out_of_turn:3:{3.4} @4+1:claim:E:not-trump"),
    MADE_ABU,
    "9.11 9.11 9.12",
)
case(
    "a proposal, a card out of turn that nobody notices",
    "002: 'there is no penalty'",
    with_cards(proposal, "@1+1:play_out_of_turn:D:{D.1} @2:claim:3:highest"),
    MADE_PC,
    "9.11 9.14 9.12",
    ("all four have played", "refused"),
)
case(
    "a proposal, a card out of turn before no partner",
    "002: 'before one of his partner who ought to have played before him'",
    # Third plays before second, its adversary.
    with_cards(proposal, "@1+1:play_out_of_turn:3:{3.1} @1+1:claim:2:highest"),
    MADE_PC,
    "9.11 9.12",
    ("costs nothing", "refused"),
)
case(
    "an abundance declared without trumps, a card out of turn: the partner cannot be told to trump",
    "002: 'or to trump or not to trump'",
    # Second leads; the dealer plays before third. Prices of ``pagat``: 6 from each.
    with_cards(
        lambda: Game("PASS DECL", "2" * 12, twos="SCHD", turned="S", leader="2"),
        "@1+1:play_out_of_turn:D:{D.1} @1+1:claim:2:trump @1+1:claim:2:highest",
        ruleset="pagat",
    ),
    (-6, 18, -6, -6),
    "9.11 9.11 9.11 9.12",
    ("refused: there are no trumps", "demands highest of third"),
)
case(
    "a general misère, a card out of turn and a lead that stands",
    "project 9.16",
    with_cards(
        lambda: general().led_by("D", 2),
        "@1+1:play_out_of_turn:D:{D.1} @2:lead_out_of_turn:D:{D.2} @3:claim:E:suit-S @3:waive:E",
        ruleset=LAST_TRICK,
    ),
    (6, 6, 6, -18),
    "9.16 9.16 9.10 9.14",
    ("none was open",),
)
case(
    "a solo, the suit called twice over",
    "002: 'call a suit from either the man who exposed the card or his partner'",
    # Both second and the dealer have shown a lead to trick 2; the second call finds the dealer's offence.
    with_cards(
        solo, "@2:lead_out_of_turn:2:{2.4} @2:lead_out_of_turn:D:{D.4} @2:claim:E:suit-S @2:claim:E:play-{D.4}"
    ),
    MADE_SOLO,  # trick 3: second leads a spade; the dealer follows suit in trick 2
    "9.10 9.10 9.10 9.9 9.12 9.12",
)
case(
    "a waived lead out of turn, and a raise forgone",
    "project 9.14",
    lambda: called("PROP PASS COP PASS")("1:improper_call:2:PROP 1:waive:E 1:claim:E:raise"),
    MADE_PC,
    "9.2 9.14 9.2",
)
case(
    "a proposal, a card out of turn, and the demand forgone",
    "project 9.14",
    with_cards(proposal, "@1+1:play_out_of_turn:D:{D.1} @1+1:waive:E @1+1:claim:3:lowest"),
    MADE_PC,
    "9.11 9.14 9.12",
)
case(
    "a card out of turn that revoked is put right",
    "project 9.15",
    with_cards(proposal, "@1+1:play_out_of_turn:D:{D.9} @1+1:correct:D:{D.9} @1+1:claim:E:highest"),
    MADE_PC,
    "9.11 9.15 9.12",
)

# --- Misères (9.13) -----------------------------------------------------------------------------------------

for call, price in (("MIS", 12), ("OUV", 24)):
    won = 3 * price
    name = {"MIS": "misère", "OUV": "ouverte"}[call]

    def made(call: str = call) -> Game:
        return misere(call)

    case(
        f"{name}: a card shown, the rest played for nothing",
        "002: 'can immediately claim the stakes'",
        with_cards(made, "@2+1:expose:D:{D.9}"),
        (won, 0, 0, -won),
        "9.13 9.4",
    )
    case(
        f"{name}: a lead out of turn",
        "002: 'if a card is led out of turn against him'",
        with_cards(made, "@1:lead_out_of_turn:2:{2.4}", tricks=0),
        (won, -won, 0, 0),
        "9.13",
    )
    case(
        f"{name}: a lead out of turn claimed while it stands",
        "002: 'if a card is led out of turn against him'",
        with_cards(
            lambda made=made: made().led_by("2", 1),
            "@1:lead_out_of_turn:2:{2.1} @1+2:claim:E:stakes",
            tricks=0,
            cards=2,
        ),
        (won, -won, 0, 0),
        "9.13 9.13",
    )
    case(
        f"{name}: a card out of turn",
        "002: 'if any one follows suit out of turn'",
        with_cards(made, "@1+1:play_out_of_turn:3:{3.1}", tricks=0, cards=1),
        (won, 0, -won, 0),
        "9.13",
    )
case(
    "a misère, a card out of turn that nobody notices",
    "002: 'If all the four men have played to the trick'",
    with_cards(lost_misere, "@1+1:play_out_of_turn:3:{3.1}", tricks=2),
    LOST_MIS,
    "9.13 9.14",
)
case(
    "a misère, the stakes claimed a trick too late",
    "002: 'immediately'",
    with_cards(lost_misere, "@1:expose:3:{3.9} @2:claim:E:stakes", tricks=2),
    LOST_MIS,
    "9.13 9.14 9.13",
    ("refused",),
)
case(
    "a misère, the stakes claimed in time",
    "002: 'immediately claim the stakes'",
    with_cards(lost_misere, "@1:expose:3:{3.9} @1+2:claim:E:stakes", tricks=2),
    (36, 0, -36, 0),
    "9.13 9.13 9.4",
)
case(
    "a misère, the stakes forgone",
    "project 9.14",
    with_cards(lost_misere, "@1:expose:3:{3.9} @1:waive:E", tricks=2),
    LOST_MIS,
    "9.13 9.14",
)
case(
    "a misère, the stakes claimed by a defender",
    "002: 'the misere-caller can'",
    with_cards(lost_misere, "@1:expose:E:{E.9} @1:claim:2:stakes", tricks=2),
    LOST_MIS,
    "9.8 9.13",
    ("refused",),
)
case(
    "a misère, a card shown when its caller has revoked",
    "002: 'No revoking player ... can win'",
    with_cards(lambda: misere().swap("E", 2, 9), "@3:expose:3:{3.9}"),
    LOST_MIS,
    "9.1 9.13 9.1",
    revokes=(1, 0, 0, 0),
)
case(
    "a misère, the stakes claimed by a caller who has revoked",
    "002: 'No revoking player ... can win'",
    with_cards(lambda: misere().swap("E", 2, 9).swap("3", 1, 9), "@3:claim:E:stakes"),
    NOBODY_PAYS,  # third has revoked as well, in trick 1
    "9.1 9.1 9.13 9.1",
    ("its declarer has revoked",),
    (1, 0, 1, 0),
    void=True,
)
case(
    "a misère caller plays out of turn",
    "002: 'against him'",
    with_cards(misere, "@2+1:play_out_of_turn:E:{E.2}"),
    MADE_MIS,
    "9.11",
)
case(
    "stakes claimed in a solo",
    "002: 'the misere-caller'",
    with_cards(solo, "@1:expose:3:{3.9} @1:claim:E:stakes"),
    MADE_SOLO,
    "9.8 9.13",
    ("refused",),
)


@pytest.mark.parametrize("name", CASES)
def test_a_record_is_ruled_as_worked_by_hand(name):
    known = CASES[name]
    line = known.line()
    assert str(record.parse(line)) == line
    ruling = laws.rule(line)
    text = str(ruling)
    assert ruling.payoff == known.payoff, text
    assert " ".join(step.clause for step in ruling.steps) == known.clauses, text
    for said in known.said:
        assert said in text
    assert ruling.revokes == known.revokes, text
    assert ruling.void == known.void
    assert ruling.deal_again == (3 if known.again else None)
    assert [step.action for step in ruling.steps] == sorted(step.action for step in ruling.steps)
    assert all(str(step).endswith(".") for step in ruling.steps)


def test_the_worked_rulings_of_the_rules_are_among_them():
    for name, units, clauses in table_after("ruling | pence of E 2 3 D")[1:]:
        known = CASES[name]
        amounts, _, void = units.partition(", ")
        assert tuple(int(amount.replace("−", "-")) for amount in amounts.split()) == known.payoff, name
        assert (void == "void") == known.void, name
        assert clauses.split(", ") == list(dict.fromkeys(known.clauses.split())), name


def test_the_deals_are_what_they_say():
    taken = {solo: 5, solo_short_of_spades: 5, misere: 0, abundance: 9, abundance_short_of_spades: 9}
    for make, tricks in taken.items():
        assert make().taken()[0] == tricks
    assert proposal().taken()[0] + proposal().taken()[2] == 8
    assert declared().taken()[1] == 13
    assert lost_misere().taken(2) == (1, 1, 0, 0)


@pytest.mark.parametrize("dealer", range(4))
def test_payoffs_go_to_the_seats_of_their_positions(dealer):
    game = solo()
    ruling = laws.rule(game.line("0:misdeal:E", dealer=dealer))
    assert ruling.deal_again == dealer
    ruling = laws.rule(game.line(dealer=dealer))
    assert ruling.payoff == MADE_SOLO
    assert ruling.payoff_by_seat[(dealer + 1) % 4] == 18
    assert f"eldest (player_{(dealer + 1) % 4}) +1s 6d" in str(ruling)


def test_a_record_may_be_settled_otherwise_than_ruled():
    line = solo().swap("2", 1, 6).line()
    assert "settles otherwise" not in str(laws.rule(f"{line}; result +18 -18 0 0"))
    assert "the record settles otherwise: -1s 6d +6d +6d +6d" in str(laws.rule(f"{line}; result -18 +6 +6 +6"))


# --- Without irregularities, and with any -------------------------------------------------------------------


@pytest.mark.parametrize("name", [*shipped_rulesets(), LAST_TRICK])
def test_a_deal_in_which_nothing_went_wrong_is_settled_as_played(name):
    ruleset, rng = load_ruleset(name), random.Random(1)
    for contract in ["", *contracts_of(ruleset)]:
        for _ in range(3):
            table = random_game(ruleset, rng, contract)
            if not table.over:
                with pytest.raises(laws.RulingError, match="nothing can be settled yet"):
                    laws.rule(table.record())
                continue
            ruling = laws.rule(table.record())
            assert ruling.payoff_by_seat == table.payoffs
            assert (ruling.steps, ruling.void, ruling.deal_again, ruling.revokes) == ((), False, None, (0,) * 4)


@pytest.mark.parametrize("keys", ["", "+laws.revoke_transfer=true", '+passout.mode="fewest"'])
def test_revokes_are_ruled_as_the_engine_settles_them(keys):
    """Clause 9.1, by games in which every held card may be played."""
    ruleset, rng, revoked = load_ruleset(f'hoyle+play.revokes="possible"{keys}'), random.Random(2), 0
    for contract in contracts_of(ruleset) * 4:
        table = random_game(ruleset, rng, contract)
        if table.over:
            ruling = laws.rule(table.record())
            assert ruling.payoff_by_seat == table.payoffs
            counted = [ruling.revokes[(seat - table.data["dealer"] - 1) % 4] for seat in range(4)]
            assert counted == table.data["revokes"].tolist()
            revoked += sum(counted) > 0
    assert revoked > 5


def test_a_misere_that_a_revoke_has_ended_is_ruled_as_the_engine_settles_it_whatever_follows():
    """Clauses 6.5 and 9.4: the cards that were left are played on, as if nobody had noticed."""
    ruleset, rng, ended = load_ruleset(POSSIBLE), random.Random(5), 0
    for contract in ["MIS", "OUV"] * 10:
        table = random_game(ruleset, rng, contract)
        if not table.over or not sum(table.data["revokes"]):
            continue
        game = record.parse(table.record().partition("; result")[0])
        left = [card for hand in game.hands for card in hand if card not in game.plays]
        rng.shuffle(left)
        longer = record.Record(**{**vars(game), "plays": (*game.plays, *left)})
        assert laws.rule(longer).payoff == laws.rule(game).payoff
        assert laws.rule(longer).payoff_by_seat == Table.from_record(game).payoffs
        ended += 1
    assert ended > 5


def random_event(rng: random.Random, game: record.Record) -> str:
    """An event somewhere in a game; mostly it makes no sense there."""
    kind, seat = rng.choice(events.TABLE), rng.randrange(4)
    card = card_text(rng.choice(game.hands[seat]))
    call = rng.choice(["PROP", "COP", "PASS", "SOLO", "MIS"])
    claim = rng.choice(events.CLAIMS)
    value = {events.CARD: f"-{card}", events.SUIT: f"-{card[0]}"}.get(claim.argument, "")
    texts = {events.CARD: card, events.CALL: call, events.NUMBER: "14", events.CLAIM: claim.name + value}
    argument = f":{texts[kind.argument]}" if kind.argument in texts else ""
    opened = len(game.calls) + (game.trump is not None)
    spans = {
        events.BEFORE_CALLS: (0, 0),
        events.IN_AUCTION: (0, len(game.calls)),
        events.BEFORE_A_CALL: (0, len(game.calls)),
        events.AFTER_AUCTION: (opened, opened + len(game.plays)),
        events.AT_THE_END: (opened + len(game.plays),) * 2,
    }
    place = claim.place if kind.argument == events.CLAIM else kind.place
    at = rng.randint(*spans.get(place, (0, opened + len(game.plays))))
    return f"{at}:{kind.name}:{SEATS[seat]}{argument}"


def outcome(line: str) -> laws.Ruling | str:
    """The ruling on a line, or the sentence that refuses it."""
    try:
        return laws.rule(line)
    except (laws.RulingError, RecordError) as error:
        return str(error)


def test_whatever_a_record_says_it_is_ruled_on_or_refused_with_a_sentence():
    rng, ruled = random.Random(3), 0
    names = [SECOND, LAST_TRICK, BARELY, "grand_slam_solo", "everything2"]
    for number in range(600):
        ruleset = load_ruleset(names[number % len(names)])
        game = record.from_table(random_game(ruleset, rng, rng.choice(contracts_of(ruleset))).data, ruleset)
        words = sorted((random_event(rng, game) for _ in range(3)), key=lambda word: int(word.split(":")[0]))
        ruling = outcome(str(game).partition("; result")[0] + "; events " + " ".join(words))
        if isinstance(ruling, str):
            assert ruling.endswith(".")
            assert "\n" not in ruling
        else:
            ruled += 1
            assert sum(ruling.payoff) == 0
            assert str(ruling)
    assert ruled > 50


# --- What cannot be ruled on --------------------------------------------------------------------------------

REFUSED: dict[str, tuple[Callable[[], str], str]] = {
    "unfinished": (lambda: solo().line(tricks=3), "the record ends at action 16, before the deal is over"),
    "a damaged record": (lambda: "pagat; dealer 3", "no 'deal' field"),
    "no such ruleset": (lambda: "bridge; dealer 3", "no ruleset 'bridge'"),
    "other rules": (lambda: solo().line(ruleset="hoyle@00000000"), "the rules have changed since"),
    "cards after the end": (
        lambda: lost_misere().line(),
        "action 13 of the record cannot be: S4 comes after the deal was over",
    ),
    "a card not held": (
        lambda: solo().line().replace("plays SASK", "plays SAC3", 1).replace("C3", "S9", 0),
        "does not hold",
    ),
    "an illegal call": (
        lambda: called("PROP PROP PASS PASS")(""),
        "action 2 of the record cannot be: second cannot choose PROP now; open are PASS, COP",
    ),
    "a card in the auction": (
        lambda: solo().line().replace("SOLO PASS PASS PASS", "SOLO PASS"),
        "third cannot choose SA now; no card can be played yet",
    ),
    "a call in the play": (
        lambda: solo().line().replace("SOLO PASS PASS PASS", "SOLO PASS PASS PASS PASS"),
        "action 5 of the record cannot be: eldest cannot choose PASS now",
    ),
    "second proposals where they are illegal": (
        lambda: proposal().line("1:improper_call:2:PROP"),
        "laws.second_prop is 'illegal' in hoyle",
    ),
    "a second proposal turned into an acceptance": (
        lambda: called("PROP COP PASS PASS")("1:improper_call:2:PROP"),
        "second proposed second and may not accept",
    ),
    "the same as a slip": (
        lambda: called("PROP COP PASS PASS")("1:slip:2:PROP"),
        "a second proposal cannot be turned into an acceptance",
    ),
    "a raise claimed and not made": (
        lambda: called("PROP PASS PASS PASS")("1:improper_call:2:PROP 1:claim:E:raise"),
        "eldest claimed a raise and then passed",
    ),
    "an improper call that is open": (
        lambda: called("PROP PASS COP PASS")("1:improper_call:2:SOLO"),
        "SOLO is open to second now",
    ),
    "an improper call after the auction": (
        lambda: solo().line("4:improper_call:2:MIS", tricks=0),
        "the auction is over",
    ),
    "a card out of turn taken back without need": (
        with_cards(proposal, "@1+1:play_out_of_turn:D:{D.1} @1+1:correct:D:{D.1}"),
        "did not revoke",
    ),
    "a slip of nobody on turn": (lambda: solo().line("1:slip:3:MIS"), "third does not make the next call"),
    "a slip that is the call": (lambda: solo().line("0:slip:E:SOLO"), "nothing was corrected"),
    "an exposed card not held": (
        with_cards(solo, "@2:expose:E:{E.1}"),
        "the event 8:expose:E:SA cannot be: eldest does not hold SA then.",
    ),
    "another's card": (with_cards(solo, "@2:expose:2:{E.5}"), "second does not hold"),
    "the turned card": (lambda: solo().line("4:expose:D:C5"), "C5 is the turned card and lies open by the rules"),
    "the turned card in trick 1": (
        with_cards(solo, "@1+3:expose:D:{D.12}"),
        "C5 is the turned card and lies open by the rules",
    ),
    "a raise of a proposal that nobody accepted, beyond a solo": (
        lambda: Game("PROP PASS PASS PASS MIS", "23D23D22D23D").line(ruleset=SOLO_ONLY),
        "eldest cannot choose MIS now; open are PASS, SOLO",
    ),
    "a raise to what is no higher call": (
        lambda: proposal_called("PROP PROP PASS PASS").line(
            "1:improper_call:2:PROP 1:claim:E:raise", ruleset=SOLO_ONLY
        ),
        "eldest cannot choose PROP now; open are PASS, SOLO, MIS, ABU, OUV, DECL",
    ),
    "a card shown after the deal": (with_cards(lost_misere, "@3:expose:D:{D.9}", tricks=2), "the deal is over"),
    "a lead in turn": (with_cards(solo, "@2:lead_out_of_turn:E:{E.2}"), "it is eldest's turn to lead"),
    "a lead in a trick": (with_cards(solo, "@2+1:lead_out_of_turn:2:{2.4}"), "a trick is under way"),
    "a lead after the deal": (with_cards(lost_misere, "@3:lead_out_of_turn:D:{D.9}", tricks=2), "no lead is due"),
    "a card in turn": (
        with_cards(solo, "@1+1:play_out_of_turn:2:{2.1}"),
        "second does not play to this trick before its turn",
    ),
    "a card out of turn that changes": (
        with_cards(solo, "@1+1:play_out_of_turn:3:{3.2}"),
        "third has played S9 to this trick already, out of turn",
    ),
    "nothing corrected": (with_cards(solo, "@1+2:correct:2:{2.2}"), "did not revoke where second played"),
    "nothing played": (with_cards(solo, "@1+1:correct:2:{2.9}"), "second has played no card to put in its place"),
    "tricks examined in the play": (
        lambda: solo().line("12:refuse:E", tricks=2),
        "before the deal is over|deal is not over",
    ),
    "a remark after the deal": (lambda: solo().line("56:remark:E"), "the deal is over"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_ruled_on_is_refused_with_a_sentence(name):
    line, said = REFUSED[name]
    with pytest.raises((laws.RulingError, RecordError, RulesetError), match=said) as caught:
        laws.rule(line())
    assert str(caught.value).endswith(".")


def test_a_record_object_is_checked_like_its_line():
    game = record.parse(solo().line())
    assert laws.rule(game).payoff == MADE_SOLO
    late = changed(game, events=(events.Event(99, "misdeal", 0),))
    with pytest.raises(RecordError, match="comes after 99 actions"):
        laws.rule(late)


def changed(game: record.Record, **fields) -> record.Record:
    return record.Record(**{**vars(game), **fields})


Event, Claim = events.Event, events.Claim
ODD_EVENTS = [
    ((Event(3, "nonsense", 0),), "'nonsense' is none of misdeal, expose_in_deal"),
    ((Event(3, None, 0),), "None is none of misdeal"),
    ((Event(3, ["remark"], 0),), "is none of misdeal"),
    ((Event(4, "claim", 0, Claim("zzz")),), "'zzz' is none of raise, redeal"),
    ((Event(4, "claim", 0, Claim("zzz", 3)),), "'zzz' is none of raise, redeal"),
    ((Event(4, "claim", 0, Claim("suit", 9)),), "the suit is 9; it must be a whole number from 0 to 3"),
    ((Event(4, "claim", 0, Claim("suit", -1)),), "the suit is -1"),
    ((Event(4, "claim", 0, Claim("suit")),), "suit needs a suit such as H"),
    ((Event(4, "claim", 0, Claim("play")),), "play needs a card such as SA"),
    ((Event(4, "claim", 0, Claim("play", 52)),), "the card is 52; it must be a whole number from 0 to 51"),
    ((Event(4, "claim", 0, Claim("stakes", 3)),), "stakes takes nothing, and 3 is given"),
    ((Event(4, "claim", 0),), "claim needs a claim .raise, redeal"),
    ((Event(4, "claim", 0, "stakes"),), "not 'stakes'"),
    ((Event(4, "claim", 0, 3),), "claim needs a claim"),
    ((Event(4, "remark", 9),), "its seat is 9; it must be a whole number from 0 to 3"),
    ((Event(4, "remark", -1),), "its seat is -1"),
    ((Event(4, "remark", "E"),), "its seat is 'E'"),
    ((Event(4, "remark", 0, 3),), "remark takes nothing, and 3 is given"),
    ((Event(-1, "remark", 0),), "the number of actions before it is -1; it must be a whole number from 0"),
    ((Event("4", "remark", 0),), "the number of actions before it is '4'"),
    ((Event(True, "remark", 0),), "the number of actions before it is True"),
    ((Event(1000, "remark", 0),), "the number of actions before it is 1000"),
    ((Event(4, "expose", 0),), "expose needs a card such as SA"),
    ((Event(4, "expose", 0, "SA"),), "the card is 'SA'"),
    ((Event(4, "expose", 0, -1),), "the card is -1"),
    ((Event(4, "expose", 0, Claim("stakes")),), "the card is Claim"),
    ((Event(1, "improper_call", 1, 3),), "the call is 3; it must be a whole number from 52 to 63"),
    ((Event(1, "improper_call", 1, 64),), "the call is 64"),
    ((Event(4, "bad_count", 0, 0),), "the number of cards is 0; it must be a whole number from 1 to 99"),
    ((Event(4, "bad_count", 0, 14),), "does not fit the deal"),
    (("x",), "'x' is no event; make events of solo_env.events.Event"),
    ((None,), "None is no event"),
    ((Event(5, "waive", 0), Event(4, "waive", 0)), "4:waive:E stands behind 5:waive:E"),
]


@pytest.mark.parametrize(("odd", "said"), ODD_EVENTS)
def test_an_event_that_no_line_could_hold_is_refused_with_a_sentence(odd, said):
    with pytest.raises(RecordError, match=said) as caught:
        laws.rule(changed(record.parse(solo().line()), events=odd))
    assert str(caught.value).endswith(".")


def test_events_that_pass_the_check_are_printed_and_read_again_as_they_were():
    """Clause 9.4, by events of any parts, sound and odd."""
    rng, passed = random.Random(6), 0
    names = [*(row.name for row in (*events.TABLE, *events.CLAIMS)), "x", "", "play-SA", "4:waive:E", None]
    values = [None, -1, 0, 3, 4, 13, 51, 52, 63, 64, 99, 100, "SA", True, 1.0]
    for _ in range(20_000):
        value = rng.choice(values)
        argument = Claim(rng.choice(names), value) if rng.random() < 0.5 else value
        event = Event(
            rng.choice([-1, 0, 4, 999, 1000, "4"]), rng.choice(names), rng.choice([-1, 0, 3, 4]), argument
        )
        try:
            events.check((event,))
        except events.EventError:
            continue
        assert events.parse(str(event)) == (event,)
        passed += 1
    assert passed > 50


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"dealer": 4}, "the dealer is 4"),
        ({"calls": (99,)}, "call 1 is 99"),
        ({"calls": ("SOLO",)}, "call 1 is 'SOLO'"),
        ({"plays": (0, 52)}, "card 2 of the play is 52"),
        ({"trump": 4}, "the suit named is 4"),
        ({"trump": -1}, "the suit named is -1"),
        ({"suit": 0}, "a card is turned up and a suit is given"),
        ({"result": (1, 1, 1, 1)}, "four numbers that sum to zero"),
        ({"result": (0,)}, "four numbers that sum to zero"),
        ({"result": ("0",) * 4}, "the result of eldest is '0'"),
        ({"hands": ((0,),)}, "a deal has 1 hands"),
        ({"hands": ((99,),) * 4}, "a card of the deal is 99"),
    ],
)
def test_a_record_object_that_no_line_could_hold_is_refused_with_a_sentence(fields, said):
    with pytest.raises(RecordError, match=said) as caught:
        laws.rule(changed(record.parse(solo().line()), **fields))
    assert str(caught.value).endswith(".")


def test_a_record_object_without_a_turned_card_needs_a_suit_that_its_ruleset_has():
    ruleset = load_ruleset("grand_slam_solo")
    game = record.from_table(random_game(ruleset, random.Random(1), "SOLO").data, ruleset)
    assert laws.rule(game)
    for suit, said in {None: "no card is turned up and no suit is given", 9: "the suit of the deal"}.items():
        with pytest.raises(RecordError, match=said):
            laws.rule(changed(game, suit=suit))


def test_every_event_and_claim_has_a_hearer():
    assert list(laws.HEARERS) == [row.name for row in events.TABLE]
    assert set(laws.CLAIM_HEARERS) == {row.name for row in events.CLAIMS}
