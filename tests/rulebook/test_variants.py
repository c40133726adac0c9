"""The oracle under other rulesets: every key that acts within a deal, by hand-made expectations.

A clause cited is one of docs/rules.md, which the key in hand departs from.
"""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest

from tests.rulebook import (
    PAGAT,
    RULESETS,
    Auction,
    Game,
    Settings,
    auction_counts,
    auctions,
    changed,
    general_misere,
    made,
    payment,
    replay,
    ruleset,
    split_cards,
    trace,
)
from tests.rulebook.test_rulebook import ALL_TO_DEALER, LAYER_DEAL, RANKS, SUIT_DEAL


def rules(keys: str) -> Settings:
    return ruleset(f"pagat+{keys}")


def said(settings: Settings, text: str, suit: str | None = None) -> Auction:
    """An auction from "0:P 1:PROP ...", insisting that each speaker is the one on turn."""
    auction = Auction(settings, (), suit)
    for word in text.split():
        seat, call = word.split(":")
        assert auction.turn == int(seat), f"{word} in {text}: position {auction.turn} is on turn"
        auction = auction.say("PASS" if call == "P" else call)
    return auction


def record(name: str, rest: str, hands: list[str] = SUIT_DEAL, suit: str | None = None) -> str:
    stated = "" if suit is None else f"suit {suit}; "
    return f"{name}@0; dealer 0; {stated}deal {' '.join(hands)}; {rest}"


def play_on(game: Game) -> Game:
    """The deal played to its end, everybody putting down the first card that he may."""
    while not game.over:
        game.act(sorted(game.legal())[0])
    return game


def closed(settings: Settings, text: str, suit: str | None = None) -> tuple[str | None, int | None, int | None]:
    outcome = said(settings, text, suit).outcome
    assert outcome is not None
    return outcome[:3]


NOBODY = (None, None, None)


# Every auction of every ruleset.

SEVEN = ("PROP", "SOLO", "MIS", "ABU", "ABT", "OUV", "DECL")
DEFAULT = (2075, 10, 1, 4, dict(zip(SEVEN, (9, 18, 43, 108, 163, 506, 1223), strict=True)))
ONE_ROUND = (290, 6, 1, 4, dict(zip(SEVEN, (9, 18, 25, 41, 22, 70, 100), strict=True)))


@pytest.mark.parametrize(
    ("name", "suit", "total", "longest", "passed_out", "thrown_in", "contracts"),
    [
        ("pagat", None, *DEFAULT),
        # The four proposals that nobody accepts can each be raised in five ways, so twenty fewer.
        ("wikipedia", None, 2055, 10, 1, 4, dict(zip(SEVEN, (9, 14, 39, 104, 163, 502, 1219), strict=True))),
        ("hoyle", None, *DEFAULT),
        ("margin4", None, *DEFAULT),
        ("margin5", None, *DEFAULT),
        ("margin6", None, *DEFAULT),
        ("flat", None, *DEFAULT),
        ("straight", None, 525, 8, 1, 0, dict(zip(SEVEN[1:], (4, 10, 26, 41, 128, 315), strict=True))),
        ("one_bid_each", None, *ONE_ROUND),
        ("morris_fagelson", None, *ONE_ROUND),
        (
            "grand_slam_solo",
            "D",
            *(1286, 9, 1, 0),
            {"SOLO": 4, "MIS": 10, "ABU": 26, "ABT": 41, "PETIT": 128, "OUV": 315, "GRAND": 761},
        ),
        (
            "experienced",
            None,
            *(2075, 10, 1, 4),
            {"PROP": 9, "SOLO": 18, "ABU": 43, "ABT": 65, "MIS": 206, "DECL": 506, "OUV": 1223},
        ),
        ("bga", None, *DEFAULT),
        ("anna_cubed", "H", *DEFAULT),
        (
            "anna_cubed",
            "N",
            *(1123, 9, 1, 4),
            {"PROP": 9, "SOLO": 18, "MIS": 43, "ABU": 108, "OUV": 271, "DECL": 669},
        ),
        ("everything2", None, 2724, 10, 1, 4, dict(zip(SEVEN, (9, 18, 39, 104, 267, 665, 1617), strict=True))),
    ],
)
def test_auctions_are_counted(
    name: str,
    suit: str | None,
    total: int,
    longest: int,
    passed_out: int,
    thrown_in: int,
    contracts: dict[str, int],
) -> None:
    counted = auction_counts(RULESETS[name], suit)
    expected = {"total": total, "longest": longest, "passed out": passed_out, "thrown in": thrown_in}
    assert counted == expected | contracts
    assert total == passed_out + thrown_in + sum(contracts.values())


def test_every_ruleset_is_here() -> None:
    names = "pagat wikipedia hoyle margin4 margin5 margin6 flat straight one_bid_each morris_fagelson"
    assert set(RULESETS) == {*names.split(), "grand_slam_solo", "experienced", "bga", "anna_cubed", "everything2"}


def test_one_round_of_calls_is_every_quadruple_that_rises() -> None:
    """The auctions of one_bid_each once more, not as turns but as all ways to fill four places."""
    ladder = ["PROP", "SOLO", "MIS", "ABU", "ABT", "OUV", "DECL"]
    kept = set()
    for calls in product(["PASS", "COP", *ladder], repeat=4):
        if "DECL" in calls:
            calls = calls[: calls.index("DECL") + 1]  # noqa: PLW2901 - nobody speaks after the top call
        bids = [call for call in calls if call not in ("PASS", "COP")]
        heights = [ladder.index(call) for call in bids]
        if heights != sorted(set(heights)):
            continue
        if "ABT" in bids and "ABU" not in bids:
            continue
        # A proposal is the first bid, and accepted by the next player who does not pass if at all.
        spoken = [call for call in calls if call != "PASS"]
        if "PROP" in bids and bids[0] != "PROP":
            continue
        if "COP" in spoken and (spoken.count("COP") > 1 or spoken[:2] != ["PROP", "COP"]):
            continue
        kept.add(calls)
    more = 0
    for calls in kept:
        if [call for call in calls if call != "PASS"] == ["PROP"]:
            more += 1  # given up or raised to a solo: two ends where there was one
            if calls[0] == "PASS":
                more += 1  # and before that eldest may accept
    assert len(kept) + more == auction_counts(RULESETS["one_bid_each"])["total"]


@pytest.mark.parametrize("name", RULESETS)
def test_calls_rise_in_every_ruleset(name: str) -> None:
    settings = RULESETS[name]
    ladder = settings["auction"]["ladder"]
    for calls, outcome in auctions(settings):
        heights = [ladder.index(call) for _, call in calls if call not in ("PASS", "COP")]
        assert heights == sorted(set(heights))
        assert (outcome.ending == "contract") == (outcome.contract is not None)


# The keys of the auction, each against clause 3.


@pytest.mark.parametrize(
    ("keys", "before", "seat", "legal"),
    [
        # ladder: any order, any selection (3.1). Its last rung closes the auction (3.9).
        (
            'auction.ladder=["PROP", "SOLO", "ABU", "ABT", "MIS", "DECL", "OUV"]',
            "0:ABU",
            1,
            "PASS ABT MIS DECL OUV",
        ),
        ('auction.ladder=["PROP", "SOLO", "ABU", "ABT", "MIS", "DECL", "OUV"]', "0:DECL", 1, "PASS OUV"),
        ('auction.ladder=["PROP", "SOLO", "ABU", "ABT", "MIS", "DECL", "OUV"]', "0:OUV", None, ""),
        ('auction.ladder=["SOLO", "MIS"]', "", 0, "PASS SOLO MIS"),
        ('auction.ladder=["SOLO", "MIS"]', "0:P 1:MIS", None, ""),
        # A proposal is still the first bid or none where a solo ranks below it (3.4).
        ('auction.ladder=["SOLO", "PROP", "MIS"]', "", 0, "PASS SOLO PROP MIS"),
        ('auction.ladder=["SOLO", "PROP", "MIS"]', "0:SOLO", 1, "PASS MIS"),
        ('auction.ladder=["SOLO", "PROP", "MIS"]', "0:PROP", 1, "PASS COP MIS"),
        ('auction.ladder=["SOLO", "PROP"]', "0:PROP", 1, "PASS COP"),  # not closed: it can be accepted
        ('auction.ladder=["SOLO", "PROP"]', "0:PROP 1:COP", None, ""),
        # proposals: without them the ladder begins at solo, and there is nothing to accept.
        ("auction.proposals=false", "", 0, "PASS SOLO MIS ABU OUV DECL"),
        ("auction.proposals=false", "0:SOLO", 1, "PASS MIS ABU OUV DECL"),
        # eldest_cop: none takes away his second chance (3.7), so the proposer is asked at once (3.8).
        ('auction.eldest_cop="none"', "0:P 1:PROP 2:P 3:P", 1, "PASS SOLO MIS ABU OUV DECL"),
        # unaccepted_prop: throw_in takes away the raise (3.8), not eldest's right.
        ('auction.unaccepted_prop="throw_in"', "0:P 1:PROP 2:P 3:P", 0, "PASS COP"),
        ('auction.unaccepted_prop="throw_in"', "0:P 1:PROP 2:P 3:P 0:P", None, ""),
        # unaccepted_prop_raise_to
        ('auction.unaccepted_prop_raise_to="solo_only"', "0:PROP 1:P 2:P 3:P", 0, "PASS SOLO"),
        ('auction.unaccepted_prop_raise_to="solo_only"', "0:PROP 1:SOLO 2:P 3:P", 0, "PASS MIS ABU OUV DECL"),
        (
            'auction.unaccepted_prop_raise_to="solo_only"+auction.ladder=["PROP", "MIS"]',
            "0:PROP 1:P 2:P 3:P",
            *(0, "PASS"),
        ),
        # unaccepted_prop_raise_seats
        (
            'auction.unaccepted_prop_raise_seats="eldest_only"',
            "0:PROP 1:P 2:P 3:P",
            0,
            "PASS SOLO MIS ABU OUV DECL",
        ),
        ('auction.unaccepted_prop_raise_seats="eldest_only"', "0:P 1:PROP 2:P 3:P", 0, "PASS COP"),
        ('auction.unaccepted_prop_raise_seats="eldest_only"', "0:P 1:PROP 2:P 3:P 0:P", None, ""),
        # acceptor_may_raise: an overcalled acceptor is out, an overcalled proposer is not (3.6).
        ("auction.acceptor_may_raise=false", "0:PROP 1:COP 2:SOLO 3:P", 0, "PASS MIS ABU OUV DECL"),
        ("auction.acceptor_may_raise=false", "0:PROP 1:COP 2:SOLO 3:P 0:MIS", 2, "PASS ABU OUV DECL"),
        ("auction.acceptor_may_raise=false", "0:PROP 1:COP 2:SOLO 3:P 0:P", None, ""),
        ("auction.acceptor_may_raise=false", "0:P 1:PROP 2:P 3:P 0:COP", None, ""),
        ("auction.acceptor_may_raise=true", "0:PROP 1:COP 2:SOLO 3:P 0:P", 1, "PASS MIS ABU OUV DECL"),
        # abt_call: at any time, even as the first call (3.10).
        ('auction.abt_call="any_time"', "", 0, "PASS PROP SOLO MIS ABU ABT OUV DECL"),
        ('auction.abt_call="any_time"', "0:MIS", 1, "PASS ABU ABT OUV DECL"),
        ('auction.abt_call="any_time"', "0:PROP 1:P 2:P 3:P", 0, "PASS SOLO MIS ABU ABT OUV DECL"),
        ('auction.abt_call="any_time"', "0:ABT", 1, "PASS OUV DECL"),
        # With the abundance in trumps on top, the rungs below do not close the auction, callable or not.
        ('auction.ladder=["SOLO", "MIS", "ABU", "ABT"]', "0:MIS", 1, "PASS ABU"),
        ('auction.ladder=["SOLO", "MIS", "ABU", "ABT"]', "0:ABU", 1, "PASS ABT"),
        ('auction.ladder=["SOLO", "MIS", "ABU", "ABT"]', "0:ABU 1:ABT", None, ""),
        # rounds: one. Everybody speaks once, and an overcalled caller not again (3.2, 3.6).
        ('auction.rounds="one"', "0:SOLO 1:MIS", 2, "PASS ABU OUV DECL"),
        ('auction.rounds="one"', "0:SOLO 1:MIS 2:P 3:P", None, ""),
        ('auction.rounds="one"', "0:PROP 1:SOLO 2:P 3:P", None, ""),
        ('auction.rounds="one"', "0:PROP 1:COP", 2, "PASS SOLO MIS ABU OUV DECL"),
        ('auction.rounds="one"', "0:P 1:P 2:DECL", None, ""),
        ('auction.rounds="one"', "0:P 1:PROP 2:P 3:P", 0, "PASS COP"),
        ('auction.rounds="one"', "0:P 1:PROP 2:P 3:P 0:P", 1, "PASS SOLO MIS ABU OUV DECL"),
        ('auction.rounds="one"', "0:P 1:PROP 2:P 3:P 0:P 1:OUV", None, ""),
        ('auction.rounds="one"+auction.eldest_cop="none"', "0:P 1:P 2:P 3:PROP", 3, "PASS SOLO MIS ABU OUV DECL"),
    ],
)
def test_the_keys_of_the_auction(keys: str, before: str, seat: int | None, legal: str) -> None:
    auction = said(rules(keys), before)
    assert (auction.turn, auction.legal()) == (seat, set(legal.split()))


@pytest.mark.parametrize(
    ("keys", "auction", "outcome"),
    [
        ('auction.unaccepted_prop="throw_in"', "0:P 1:PROP 2:P 3:P 0:P", NOBODY),
        ('auction.unaccepted_prop="throw_in"', "0:PROP 1:P 2:P 3:P", NOBODY),
        ('auction.unaccepted_prop="throw_in"', "0:P 1:PROP 2:P 3:P 0:COP", ("PROP", 1, 0)),
        ('auction.unaccepted_prop="throw_in"+auction.eldest_cop="none"', "0:P 1:PROP 2:P 3:P", NOBODY),
        ('auction.unaccepted_prop_raise_seats="eldest_only"', "0:P 1:P 2:P 3:PROP 0:P", NOBODY),
        ('auction.unaccepted_prop_raise_seats="eldest_only"', "0:PROP 1:P 2:P 3:P 0:OUV", ("OUV", 0, None)),
        ("auction.acceptor_may_raise=false", "0:PROP 1:COP 2:SOLO 3:P 0:MIS 2:P", ("MIS", 0, None)),
        ('auction.rounds="one"', "0:SOLO 1:MIS 2:ABU 3:ABT", ("ABT", 3, None)),
        ('auction.rounds="one"', "0:P 1:PROP 2:COP 3:P", ("PROP", 1, 2)),
        ('auction.rounds="one"', "0:P 1:P 2:P 3:P", NOBODY),
    ],
)
def test_auctions_with_other_keys(keys: str, auction: str, outcome: tuple[object, ...]) -> None:
    assert closed(rules(keys), auction) == outcome


@pytest.mark.parametrize(
    ("keys", "before", "seat", "legal"),
    [
        ("", "0:SOLO 1:P 2:P 3:P", 0, "PASS MIS ABU OUV DECL"),
        ("", "0:SOLO 1:P 2:P 3:P 0:P", None, ""),
        ("", "0:SOLO 1:P 2:P 3:P 0:ABU", None, ""),  # asked once in a deal
        ("", "0:P 1:P 2:P 3:SOLO", 3, "PASS MIS ABU OUV DECL"),
        ("", "0:SOLO 1:MIS 2:P 3:P 0:ABU 1:P", 0, "PASS OUV DECL"),
        ("", "0:ABU 1:P 2:P 3:P", 0, "PASS OUV DECL"),  # his own abundance cannot be taken
        ('+auction.abt_call="any_time"', "0:ABU 1:P 2:P 3:P", 0, "PASS ABT OUV DECL"),
        ("", "0:DECL", None, ""),
        ("", "0:SOLO 1:P 2:P 3:DECL", None, ""),
        ("", "0:PROP 1:COP 2:P 3:P", None, ""),  # partners are not asked
        ("", "0:PROP 1:P 2:P 3:P", 0, "PASS SOLO MIS ABU OUV DECL"),
        ("", "0:PROP 1:P 2:P 3:P 0:SOLO", None, ""),  # that was his raise
        ("", "0:PROP 1:COP 2:SOLO 3:P 0:P 1:P", 2, "PASS MIS ABU OUV DECL"),
        ("+auction.acceptor_may_raise=false", "0:PROP 1:COP 2:SOLO 3:P 0:P", 2, "PASS MIS ABU OUV DECL"),
        ('+auction.rounds="one"', "0:P 1:P 2:P 3:SOLO", None, ""),
        ('+auction.ladder=["PROP", "SOLO"]', "0:P 1:SOLO", None, ""),
    ],
)
def test_the_holder_may_be_asked_once_more(keys: str, before: str, seat: int | None, legal: str) -> None:
    """raise_own_call gives back what clause 3.6 takes from the holder of a lone call."""
    auction = said(rules("auction.raise_own_call=true" + keys), before)
    assert (auction.turn, auction.legal()) == (seat, set(legal.split()))


def test_a_holder_who_stands_has_the_contract() -> None:
    settings = rules("auction.raise_own_call=true")
    assert closed(settings, "0:P 1:MIS 2:P 3:P 1:P") == ("MIS", 1, None)
    assert closed(settings, "0:P 1:MIS 2:P 3:P 1:OUV") == ("OUV", 1, None)
    assert auction_counts(settings)["passed out"] == 1
    assert auction_counts(settings)["PROP"] == 9


def test_a_no_trump_round_has_no_calls_that_need_the_suit_of_the_deal() -> None:
    settings = ruleset('anna_cubed+auction.ladder=["PROP", "SOLO", "ABU", "ABT", "DECL", "RDECL"]+pay.base.RDECL=7')
    assert said(settings, "0:ABU", "N").legal() == {"PASS", "DECL"}
    assert said(settings, "0:ABU", "H").legal() == {"PASS", "ABT", "DECL", "RDECL"}
    # The top call is the highest of this deal.
    assert said(settings, "0:DECL", "N").turn is None
    assert said(settings, "0:DECL", "H").legal() == {"PASS", "RDECL"}


# Trumps and the first lead.


def opened(name: str, actions: str, hands: list[str] = SUIT_DEAL, suit: str | None = None) -> Game:
    """A game after the actions given, with T:H for the naming of hearts."""
    game = Game([split_cards(hand) for hand in hands], ruleset(name), suit)
    for word in actions.split():
        game.act({"P": "PASS"}.get(word, word.replace("T:", "TRUMPS ")))
    return game


@pytest.mark.parametrize(
    ("name", "suit", "actions", "contract", "trumps", "turn"),
    [
        # decl_trumps: clause 4.1 has none.
        ('pagat+contract.decl_trumps="bidder_choice"', None, "P DECL", "DECL", None, 1),
        ('pagat+contract.decl_trumps="bidder_choice"', None, "P DECL T:H", "DECL", "H", 1),
        ('pagat+contract.decl_trumps="turned_suit"', None, "P DECL", "DECL", "S", 1),
        ('anna_cubed+contract.decl_trumps="turned_suit"', "C", "P DECL", "DECL", "C", 1),
        ('anna_cubed+contract.decl_trumps="turned_suit"', "N", "P DECL", "DECL", None, 1),
        ("hoyle", None, "P P DECL T:D", "DECL", "D", 2),
        # trump.source: the suit of the deal is stated, whatever the dealer's last card.
        ("anna_cubed", "H", "P SOLO P P", "SOLO", "H", 0),
        ("anna_cubed", "H", "ABU ABT P P P", "ABT", "H", 0),
        ("anna_cubed", "D", "PROP COP P P", "PROP", "D", 0),
        ('pagat+trump.source="second_pack_cut"', "C", "P SOLO P P", "SOLO", "C", 0),
        ('pagat+trump.source="fixed"', "S", "P SOLO P P", "SOLO", "S", 0),
        ('pagat+trump.source="fixed"+trump.fixed_suit="D"', "D", "P SOLO P P", "SOLO", "D", 0),
        # The no-trump round of a cycle.
        ("anna_cubed", "N", "P SOLO P P", "SOLO", None, 0),
        ("anna_cubed", "N", "PROP COP P P", "PROP", None, 0),
        ("anna_cubed", "N", "P MIS P P", "MIS", None, 0),
        ("anna_cubed", "N", "P ABU P P", "ABU", None, 1),
        ("anna_cubed", "N", "P ABU P P T:H", "ABU", "H", 0),
        # PETIT and GRAND: trumps named after the auction, the second led by its caller.
        ("grand_slam_solo", "H", "P PETIT P P", "PETIT", None, 1),
        ("grand_slam_solo", "H", "P PETIT P P T:D", "PETIT", "D", 0),
        ("grand_slam_solo", "H", "P P GRAND", "GRAND", None, 2),
        ("grand_slam_solo", "H", "P P GRAND T:H", "GRAND", "H", 2),
        ('grand_slam_solo+contract.leader.GRAND="eldest"', "H", "P P GRAND T:H", "GRAND", "H", 0),
        ('grand_slam_solo+contract.leader.PETIT="caller"', "H", "P PETIT P P T:D", "PETIT", "D", 1),
        # RDECL: the turned suit, led by its caller.
        ('pagat+auction.ladder=["SOLO", "DECL", "RDECL"]+pay.base.RDECL=7', None, "P RDECL", "RDECL", "S", 1),
        # leader: the default and the exceptions (5.1).
        ('pagat+contract.leader.default="caller"', None, "P SOLO P P", "SOLO", "S", 1),
        ('pagat+contract.leader.default="caller"', None, "P PROP COP P", "PROP", "S", 1),
        ('pagat+contract.leader.MIS="caller"', None, "P MIS P P", "MIS", None, 1),
        ('pagat+contract.leader.MIS="caller"', None, "P SOLO P P", "SOLO", "S", 0),
        ('pagat+contract.leader.ABU="caller"', None, "P ABU P P T:H", "ABU", "H", 1),
        ('pagat+contract.leader={PC = "caller", DECL = "eldest"}', None, "P PROP COP P", "PROP", "S", 1),
        ('pagat+contract.leader={PC = "caller", DECL = "eldest"}', None, "P DECL", "DECL", None, 0),
    ],
)
def test_trumps_and_the_lead(
    name: str, suit: str | None, actions: str, contract: str, trumps: str | None, turn: int
) -> None:
    game = opened(name, actions, suit=suit)
    assert (game.contract, game.trumps, game.turn) == (contract, trumps, turn)


EVERY_SUIT = {"TRUMPS C", "TRUMPS D", "TRUMPS H", "TRUMPS S"}


def test_which_suits_may_be_named() -> None:
    """abu_may_choose_turned against clause 4.2; it concerns abundance alone."""
    no = "+contract.abu_may_choose_turned=false"
    assert opened("pagat", "P ABU P P").legal() == EVERY_SUIT
    assert opened("pagat" + no, "P ABU P P").legal() == EVERY_SUIT - {"TRUMPS S"}
    assert opened("anna_cubed" + no, "P ABU P P", suit="H").legal() == EVERY_SUIT - {"TRUMPS H"}
    assert opened("anna_cubed" + no, "P ABU P P", suit="N").legal() == EVERY_SUIT
    assert opened("grand_slam_solo" + no, "P PETIT P P", suit="H").legal() == EVERY_SUIT
    assert opened("grand_slam_solo" + no, "GRAND", suit="H").legal() == EVERY_SUIT
    assert opened("hoyle" + no, "DECL").legal() == EVERY_SUIT


WITH_CALL = 'pagat+contract.abu_suit_time="with_call"'


def test_a_suit_named_with_the_call() -> None:
    """abu_suit_time: the naming is a decision between two calls, not after the last (4.2)."""
    game = opened(WITH_CALL, "P ABU")
    assert (game.turn, game.legal()) == (1, EVERY_SUIT)
    game.act("TRUMPS H")
    assert (game.turn, game.legal()) == (2, {"PASS", "ABT", "OUV", "DECL"})
    assert (game.contract, game.trumps) == (None, None)
    game.act("PASS")
    game.act("PASS")
    assert (game.contract, game.trumps, game.turn) == ("ABU", "H", 0)
    # Overcalled, it is void.
    game = opened(WITH_CALL, "P ABU T:H ABT P P")
    assert (game.contract, game.trumps, game.turn) == ("ABT", "S", 0)
    game = opened(WITH_CALL, "P ABU T:H OUV P P")
    assert (game.contract, game.trumps, game.turn) == ("OUV", None, 0)
    # Other contracts are named after the auction all the same, whatever was named before.
    game = opened(WITH_CALL + '+contract.decl_trumps="bidder_choice"', "P ABU T:H DECL")
    assert (game.contract, game.trumps, game.turn, game.legal()) == ("DECL", None, 2, EVERY_SUIT)
    game.act("TRUMPS C")
    assert (game.trumps, game.turn) == ("C", 2)
    # The two keys on the suit of an abundance act together.
    assert opened(WITH_CALL + "+contract.abu_may_choose_turned=false", "ABU").legal() == EVERY_SUIT - {"TRUMPS S"}
    # A top call closes the auction, but its caller still names his suit.
    game = opened(WITH_CALL + '+auction.ladder=["SOLO", "ABU"]', "P ABU")
    assert (game.turn, game.legal()) == (1, EVERY_SUIT)
    game.act("TRUMPS D")
    assert (game.turn, game.trumps) == (0, "D")
    # He may also be the one to raise it.
    game = opened(WITH_CALL + "+auction.raise_own_call=true", "P ABU T:H P P")
    assert (game.turn, game.legal()) == (1, {"PASS", "OUV", "DECL"})
    game.act("PASS")
    assert (game.contract, game.trumps, game.turn) == ("ABU", "H", 0)


def test_when_the_ouverte_hand_is_seen() -> None:
    """ouv_expose against clause 5.3."""
    game = opened('pagat+contract.ouv_expose="before_lead"', "P OUV P P", LAYER_DEAL)
    assert game.exposed() == (1, set(split_cards(LAYER_DEAL[1])))
    game.act("D2")
    game.act("D5")
    assert game.exposed() == (1, set(split_cards(LAYER_DEAL[1])) - {"D5"})
    assert opened('pagat+contract.ouv_expose="before_lead"', "P OUV P", LAYER_DEAL).exposed() is None
    assert opened('pagat+contract.ouv_expose="before_lead"', "P MIS P P", LAYER_DEAL).exposed() is None
    assert opened("pagat", "P OUV P P", LAYER_DEAL).exposed() is None


def test_no_card_is_turned_where_the_suit_is_found_otherwise() -> None:
    game = opened("anna_cubed", "", suit="H")
    assert (game.turned_card, game.turned_suit) == (None, "H")
    assert opened("anna_cubed", "", suit="N").turned_suit is None
    assert opened("pagat", "").turned_card == "SA"


@pytest.mark.parametrize(
    ("name", "suit"),
    [
        ("pagat", "S"),
        ("anna_cubed", None),
        ("grand_slam_solo", "N"),  # no such round in its cycle
        ('pagat+trump.source="second_pack_cut"', "N"),
        ('pagat+trump.source="fixed"', "H"),
        ("anna_cubed", "NT"),
    ],
)
def test_a_suit_that_the_ruleset_does_not_have(name: str, suit: str | None) -> None:
    with pytest.raises(ValueError, match="suit of a deal"):
        opened(name, "", suit=suit)


# The end of play (clause 6.4).


@pytest.mark.parametrize(
    ("name", "actions", "tricks", "paid"),
    [
        ("pagat", "MIS P P P", 1, [-6, 2, 2, 2]),
        ('pagat+play.stop="never"', "MIS P P P", 13, [-6, 2, 2, 2]),
        ('pagat+play.stop="never"', "P OUV P P", 13, [-4, 12, -4, -4]),
        ("pagat", "OUV P P P", 1, [-12, 4, 4, 4]),
        ('pagat+play.stop="never"', "OUV P P P", 13, [-12, 4, 4, 4]),
        # Eldest leads a club and everybody but the namer of clubs throws; the turned suit is spades.
        ('pagat+contract.decl_trumps="turned_suit"', "DECL", 1, [-18, 6, 6, 6]),
        ('pagat+contract.decl_trumps="turned_suit"+play.stop="never"', "DECL", 13, [-18, 6, 6, 6]),
        ('pagat+auction.ladder=["RDECL"]+pay.base.RDECL=7', "RDECL", 1, [-21, 7, 7, 7]),
        ('pagat+auction.ladder=["RDECL"]+pay.base.RDECL=7+play.stop="never"', "RDECL", 13, [-21, 7, 7, 7]),
        ('pagat+auction.ladder=["GRAND"]+pay.base.GRAND=6', "GRAND T:H", 1, [-18, 6, 6, 6]),
        ('pagat+auction.ladder=["GRAND"]+pay.base.GRAND=6+play.stop="never"', "GRAND T:H", 13, [-18, 6, 6, 6]),
        ('pagat+auction.ladder=["GRAND"]+pay.base.GRAND=6', "GRAND T:C", 13, [18, -6, -6, -6]),
        ('pagat+auction.ladder=["PETIT"]+pay.base.PETIT=4', "PETIT T:H", 13, [-12, 4, 4, 4]),
        ('pagat+auction.ladder=["PETIT"]+pay.base.PETIT=4', "P PETIT T:D", 13, [-4, 12, -4, -4]),
        ("everything2", "MIS P P P", 13, [-75, 25, 25, 25]),
    ],
)
def test_when_play_ends(name: str, actions: str, tricks: int, paid: list[int]) -> None:
    game = play_on(opened(name, actions))
    assert (len(game.history), game.payoffs, game.outcome) == (tricks, paid, "played")


# Payments (clauses 7.1 to 7.3).


def pays(settings: Settings, contract: str, tricks: int) -> int:
    """What each paying pair exchanges: received by the declaring side, or paid if it is negative."""
    partner = 2 if contract == "PROP" else None
    paid = payment(contract, 0, partner, [tricks, 13 - tricks, 0, 0], settings)
    each = -paid[1]
    assert paid == ([each, -each, each, -each] if partner else [3 * each, -each, -each, -each])
    return each


@pytest.mark.parametrize(
    ("name", "contract", "each"),
    [
        # Sixpence, a shilling, one and six.
        (
            "hoyle",
            "PROP",
            {13: 16, 12: 10, 11: 9, 10: 8, 9: 7, 8: 6, 7: -7, 6: -8, 5: -9, 0: -14},
        ),
        ("hoyle", "SOLO", {13: 14, 7: 8, 6: 7, 5: 6, 4: -7, 2: -9, 0: -11}),
        ("hoyle", "MIS", {0: 12, 1: -12, 13: -12}),
        ("hoyle", "ABU", {13: 26, 11: 22, 10: 20, 9: 18, 8: -19, 0: -27}),
        ("hoyle", "ABT", {13: 26, 10: 20, 9: 18, 8: -19}),
        ("hoyle", "OUV", {0: 24, 1: -24}),
        ("hoyle", "DECL", {13: 36, 12: -36, 0: -36}),
        # A margin for every trick, and the rest in proportion to a solo.
        ("margin4", "PROP", {13: 9, 10: 6, 8: 4, 7: -5, 6: -6}),
        ("margin5", "PROP", {13: 10, 10: 7, 8: 5, 6: -7}),
        ("margin6", "PROP", {13: 11, 10: 8, 8: 6, 6: -8}),
        ("margin4", "SOLO", {8: 7, 5: 4, 3: -6}),
        ("margin5", "SOLO", {8: 8, 5: 5, 3: -7}),
        ("margin6", "SOLO", {8: 9, 5: 6, 3: -8}),
        ("margin4", "MIS", {0: 8, 1: -8}),
        ("margin5", "MIS", {0: 10, 1: -10}),
        ("margin6", "MIS", {0: 12, 1: -12}),
        ("margin4", "ABU", {11: 16, 9: 12, 7: -14}),
        ("margin5", "ABU", {11: 19, 9: 15, 7: -17}),
        ("margin6", "ABU", {11: 22, 9: 18, 7: -20}),
        ("margin5", "ABT", {11: 19, 9: 15, 7: -17}),
        ("margin4", "OUV", {0: 16, 1: -16}),
        ("margin5", "OUV", {0: 20, 1: -20}),
        ("margin6", "OUV", {0: 24, 1: -24}),
        ("margin4", "DECL", {13: 24, 12: -24}),
        ("margin5", "DECL", {13: 30, 12: -30}),
        ("margin6", "DECL", {13: 36, 12: -36}),
        ("bga", "SOLO", {8: 8, 5: 5, 3: -7}),
        # Flat, whatever the number of tricks.
        ("flat", "PROP", {13: 2, 8: 2, 7: -2, 0: -2}),
        ("flat", "SOLO", {13: 2, 5: 2, 4: -2}),
        ("flat", "MIS", {0: 3, 1: -3}),
        ("flat", "ABU", {9: 4, 13: 4, 8: -4}),
        ("flat", "ABT", {9: 4, 8: -4}),
        ("flat", "OUV", {0: 6, 1: -6}),
        ("flat", "DECL", {13: 8, 12: -8}),
        # Cents, with over-tricks in the two cheapest and no under-tricks.
        ("everything2", "PROP", {13: 15, 8: 10, 7: -10, 0: -10}),
        ("everything2", "SOLO", {13: 18, 5: 10, 4: -10}),
        ("everything2", "MIS", {0: 25, 1: -25, 9: -25}),
        ("everything2", "ABU", {9: 50, 13: 50, 8: -50}),
        ("everything2", "ABT", {9: 60, 8: -60}),
        ("everything2", "OUV", {0: 75, 3: -75}),
        ("everything2", "DECL", {13: 100, 4: -100}),
        # Prices moved with the rungs.
        ("experienced", "PROP", {8: 1}),
        ("experienced", "ABU", {9: 2, 8: -2}),
        ("experienced", "ABT", {9: 2}),
        ("experienced", "MIS", {0: 3}),
        ("experienced", "DECL", {13: 4}),
        ("experienced", "OUV", {0: 6}),
        ("grand_slam_solo", "SOLO", {5: 1}),
        ("grand_slam_solo", "ABT", {9: 3}),
        ("grand_slam_solo", "PETIT", {13: 4, 12: 4, 11: -4}),
        ("grand_slam_solo", "OUV", {0: 4}),
        ("grand_slam_solo", "GRAND", {13: 6, 12: -6}),
        ("morris_fagelson", "PROP", {7: 1, 6: -1}),
        ("one_bid_each", "PROP", {8: 1, 7: -1}),
    ],
)
def test_what_a_ruleset_pays(name: str, contract: str, each: dict[int, int]) -> None:
    settings = RULESETS[name]
    assert {tricks: pays(settings, contract, tricks) for tricks in each} == each


def test_the_keys_of_pay() -> None:
    assert pays(rules("pay.base.MIS=3"), "MIS", 0) == 3
    assert pays(rules("pay.over.SOLO=2"), "SOLO", 7) == 5
    assert pays(rules("pay.over.SOLO=2"), "SOLO", 4) == -1
    assert pays(rules("pay.under.SOLO=2"), "SOLO", 3) == -5
    assert pays(rules("pay.under.SOLO=2"), "SOLO", 6) == 1
    # slam_double doubles the over-tricks, and only with all thirteen.
    assert pays(rules('pay.over.SOLO=2+pay.slam_double=["SOLO"]'), "SOLO", 13) == 1 + 2 * 8 * 2
    assert pays(rules('pay.over.SOLO=2+pay.slam_double=["SOLO"]'), "SOLO", 12) == 1 + 7 * 2
    assert pays(ruleset("hoyle+pay.slam_double=[]"), "PROP", 13) == 11
    assert pays(ruleset('hoyle+pay.slam_double=["PC", "ABU"]'), "ABU", 13) == 18 + 2 * 4 * 2
    # unit multiplies everything.
    assert pays(ruleset("hoyle+pay.unit=3"), "PROP", 13) == 48
    assert pays(rules("pay.unit=2"), "DECL", 12) == -12
    assert pays(ruleset("hoyle+pay.over={}"), "PROP", 13) == 6


def test_the_keys_of_targets() -> None:
    for name, contract in (("PC", "PROP"), ("SOLO", "SOLO"), ("ABU", "ABU"), ("ABT", "ABT"), ("PETIT", "PETIT")):
        settings = rules(f"contract.targets.{name}=6")
        assert [made(contract, tricks, settings) for tricks in (5, 6, 7)] == [False, True, True]
    assert pays(rules("contract.targets.PC=7+pay.over.PC=1"), "PROP", 9) == 3
    for contract in ("DECL", "GRAND", "RDECL"):
        assert [made(contract, tricks) for tricks in (12, 13)] == [False, True]


@pytest.mark.parametrize("name", RULESETS)
def test_every_ruleset_settles_to_nothing(name: str) -> None:
    settings = RULESETS[name]
    for contract in settings["auction"]["ladder"]:
        if contract == "PROP" and not settings["auction"]["proposals"]:
            continue
        for tricks in range(14):
            paid = payment(contract, 1, 3 if contract == "PROP" else None, [13 - tricks, tricks, 0, 0], settings)
            assert sum(paid) == 0
            assert (paid[1] > 0) == made(contract, tricks, settings)


# Deals that nobody bids on (clause 7.4).


@pytest.mark.parametrize(
    ("mode", "winners", "paid"),
    [
        ("last_trick", "0000000000002", [1, 1, -3, 1]),
        ("last_trick", "2222222222220", [-3, 1, 1, 1]),
        ("fewest", "0000111122223", [-1, -1, -1, 3]),
        ("fewest", "0000000000000", [-3, 1, 1, 1]),  # three with none
        ("fewest", "0000222211333", [-1, 3, -1, -1]),
        ("fewest", "0011222223333", [2, 2, -2, -2]),
        ("fewest", "0000111222333", [-3, 1, 1, 1]),
        ("most_tricks", "0000111222333", [-3, 1, 1, 1]),
        ("most_tricks", "0000011111233", [-3, 1, 1, 1]),  # five each, eldest first
        ("most_tricks", "0000111112203", [1, -3, 1, 1]),
        ("most_tricks", "3210321032103", [1, 1, 1, -3]),
        ("most_tricks", "3210321032100", [-3, 1, 1, 1]),
        ("most_tricks", "0120120122103", [1, 1, -3, 1]),  # three with four, third got there first
        ("first_to_five", "22222", [1, 1, -3, 1]),
        ("first_to_five", "0000222232", [1, 1, -3, 1]),
        ("first_to_five", "0120120122103", [1, 1, -3, 1]),
        ("first_to_five", "0123012301230", [-3, 1, 1, 1]),
    ],
)
def test_general_miseres(mode: str, winners: str, paid: list[int]) -> None:
    settings = rules(f'passout.mode="{mode}"')
    assert general_misere([int(seat) for seat in winners], settings) == paid


@pytest.mark.parametrize(
    ("fallback", "winners", "paid"),
    [
        # Three with four tricks, in the order third, second, eldest.
        ("first_to_four", "0120120122103", [1, 1, -3, 1]),
        ("last_to_four", "0120120122103", [-3, 1, 1, 1]),
        ("all_with_four", "0120120122103", [-1, -1, -1, 3]),
        # Two with four: each pays both of the others.
        ("first_to_four", "1111333322200", [1, -3, 1, 1]),
        ("last_to_four", "1111333322200", [1, 1, 1, -3]),
        ("all_with_four", "1111333322200", [2, -2, 2, -2]),
        # One with four.
        ("first_to_four", "0001112223333", [1, 1, 1, -3]),
        ("last_to_four", "0001112223333", [1, 1, 1, -3]),
        ("all_with_four", "0001112223333", [1, 1, 1, -3]),
        # Five are five, whoever has four.
        ("all_with_four", "1111333300000", [-3, 1, 1, 1]),
    ],
)
def test_when_nobody_reaches_five(fallback: str, winners: str, paid: list[int]) -> None:
    settings = rules(f'passout.mode="first_to_five"+passout.five_fallback="{fallback}"')
    assert general_misere([int(seat) for seat in winners], settings) == paid


def test_the_stake_of_a_general_misere() -> None:
    winners = [2] * 13
    for name, stake in (("hoyle", 6), ("margin5", 5), ("flat", 2), ("everything2", 10), ("hoyle+pay.unit=3", 18)):
        more = '+passout.mode="last_trick"'
        assert general_misere(winners, ruleset(name + more)) == [stake, stake, -3 * stake, stake]
    keys = {"auction.ladder": ["MIS"], "pay.base": {}, "pay.base.MIS": 9, "pay.unit": 2}
    settings = changed(PAGAT, keys | {"passout.mode": "last_trick"})
    assert general_misere(winners, settings) == [2, 2, -6, 2]  # without a price of a solo it is one unit


@pytest.mark.parametrize(
    ("mode", "tricks"), [("last_trick", 13), ("fewest", 13), ("most_tricks", 13), ("first_to_five", 5)]
)
def test_a_general_misere_is_played(mode: str, tricks: int) -> None:
    """Eldest leads his clubs, without trumps, and takes every trick."""
    for more in ("", '+play.stop="never"', '+contract.leader.default="caller"'):
        game = opened(f'pagat+passout.mode="{mode}"{more}', "P P P P")
        assert (game.contract, game.declarer, game.partner, game.trumps) == ("GM", None, None, None)
        assert (game.turn, game.leader, game.over, game.exposed()) == (0, 0, False, None)
        assert game.auction.outcome == (None, None, None, "passed out")
        play_on(game)
        assert (game.outcome, len(game.history), game.payoffs) == ("played", tricks, [-3, 1, 1, 1])


def test_a_proposal_given_up_may_count_as_no_bid() -> None:
    """include_unaccepted_prop; otherwise such a deal is thrown in, whatever the mode."""
    mode = 'pagat+passout.mode="fewest"'
    game = opened(mode, "PROP P P P P")
    assert (game.outcome, game.payoffs, game.contract) == ("thrown in", [0, 0, 0, 0], None)
    game = opened(mode + "+passout.include_unaccepted_prop=true", "PROP P P P P")
    assert (game.outcome, game.contract, game.turn, game.trumps) == (None, "GM", 0, None)
    assert play_on(game).payoffs == [-3, 1, 1, 1]
    throw = '+passout.include_unaccepted_prop=true+auction.unaccepted_prop="throw_in"'
    assert opened(mode + throw, "PROP P P P").contract == "GM"
    assert opened("pagat+passout.include_unaccepted_prop=true", "PROP P P P P").outcome == "thrown in"
    assert opened(mode, "P P P P").contract == "GM"


def test_a_goulash_is_the_next_deal() -> None:
    game = opened('pagat+passout.mode="goulash"', "P P P P")
    assert (game.outcome, game.payoffs, game.contract) == ("passed out", [0, 0, 0, 0], None)


def test_a_general_misere_of_a_cycle() -> None:
    game = opened('anna_cubed+passout.mode="most_tricks"', "P P P P", suit="S")
    assert (game.trumps, game.turn) == (None, 0)
    assert play_on(game).tricks == [13, 0, 0, 0]


# Records.


def test_records_of_other_rulesets() -> None:
    plays = " ".join("".join(suit + rank for suit in "DHSC") for rank in RANKS)
    for name in ("hoyle", "hoyle+auction.proposals=false", "hoyle+pay.base.DECL=36+pay.unit=1"):
        line = record(name, f"calls PASS DECL; trumps D; plays {plays}; result -36 +108 -36 -36")
        assert replay(line).tricks == [0, 13, 0, 0]
    line = record("anna_cubed", f"calls PASS PASS PASS SOLO; plays {ALL_TO_DEALER}; result -1 -1 -1 +3", suit="S")
    assert replay(line).tricks == [0, 0, 0, 13]
    # The same calls without trumps: eldest takes everything with his clubs.
    plays = " ".join("".join(suit + rank for suit in "CDHS") for rank in RANKS)
    line = record("anna_cubed", f"calls PASS PASS PASS SOLO; plays {plays}; result +1 +1 +1 -3", suit="N")
    assert replay(line).tricks == [13, 0, 0, 0]
    line = record(
        'pagat+passout.mode="last_trick"', f"calls PASS PASS PASS PASS; plays {plays}; result -3 +1 +1 +1"
    )
    assert replay(line).contract == "GM"
    part = " ".join(plays.split(" ")[:5])
    line = record(
        'flat+passout.mode="first_to_five"', f"calls PASS PASS PASS PASS; plays {part}; result -6 +2 +2 +2"
    )
    assert replay(line).over


def test_a_record_of_a_suit_named_with_the_call() -> None:
    start = record(WITH_CALL, "calls PASS ABU:D PASS PASS")
    assert [seat for seat, _ in trace(start)] == [0, 1, 1, 2, 3, 0]
    assert trace(start)[2][1] == EVERY_SUIT
    plays = " ".join(["C2D2H2S2", *["".join(suit + rank for suit in "DHSC") for rank in RANKS[1:]]])
    assert replay(f"{start}; plays {plays}; result -3 +9 -3 -3").tricks == [0, 13, 0, 0]
    assert replay(record(WITH_CALL, "calls PASS ABU:D OUV PASS PASS")).trumps is None
    unnamed = replay(record(WITH_CALL, "calls PASS ABU"))
    assert (unnamed.turn, unnamed.legal()) == (1, EVERY_SUIT)


@pytest.mark.parametrize(
    "line",
    [
        record(WITH_CALL, "calls PASS ABU PASS PASS"),  # no suit
        record(WITH_CALL, "calls PASS ABU PASS PASS; trumps D"),
        record(WITH_CALL, "calls PASS ABU:D PASS PASS; trumps D"),
        record(WITH_CALL, "calls PASS PASS PASS ABU; trumps D"),
        record(WITH_CALL, "calls PASS SOLO:D"),
        record(WITH_CALL, "calls PASS ABU:"),
        record(WITH_CALL, "calls PASS ABU:N"),
        record(WITH_CALL + "+contract.abu_may_choose_turned=false", "calls PASS ABU:S"),
        record("pagat", "calls PASS ABU:D PASS PASS"),
        record('pagat+auction.ladder=["ABU"]', "calls PASS ABU:D"),
        record("pagat", "calls PASS", suit="S"),
        record("anna_cubed", "calls PASS"),
        record("anna_cubed", "calls PASS", suit="X"),
        record("anna_cubed", "calls PASS", suit="H S"),
        record("grand_slam_solo", "calls PASS", suit="N"),
        record("anna_cubed", "calls ABU ABT", suit="N"),
        record("straight", "calls PROP"),
        record("straight", "calls PASS", suit="S"),
        record("grand_slam_solo", "calls DECL", suit="H"),
        record("pagat", "calls PETIT"),
    ],
)
def test_records_that_break_a_ruleset(line: str) -> None:
    with pytest.raises(ValueError, match=r"\.$"):
        replay(line)


# Settings.


def test_names_with_changes() -> None:
    assert ruleset("pagat") == PAGAT == changed(PAGAT, {})
    assert ruleset('pagat+auction.rounds="one"')["auction"]["rounds"] == "one"
    assert ruleset("pagat+pay.unit = 3")["pay"]["unit"] == 3
    both = ruleset('margin4+pay.base.MIS=+9+play.stop="never"')  # the sign belongs to the number
    assert (both["pay"]["base"]["MIS"], both["pay"]["base"]["OUV"], both["play"]["stop"]) == (9, 16, "never")
    assert PAGAT["pay"]["base"]["MIS"] == 2  # nothing was altered in place
    assert ruleset("pagat+deal.packets=[5, 3, 5]")["deal"]["packets"] == [5, 3, 5]
    assert ruleset('pagat+deal.goulash.stack="random"')["deal"]["goulash"] == {
        "packets": [5, 3, 5],
        "stack": "random",
        "sort_hands": True,
        "cut": True,
    }
    assert ruleset("pagat+laws.shuffle_penalty=2")["laws"]["shuffle_penalty"] == 2
    # What a seat is shown does not concern a deal on record.
    assert ruleset('pagat+info.last_trick="never"') == PAGAT


@pytest.mark.parametrize(
    "name",
    [
        "nowhere",
        "pagat+auction.round=1",
        "pagat+sauce.mint=1",
        "pagat+pay=1",
        "pagat+pay.unit.x=1",
        "pagat+pay.unit={x = 1}",
        'pagat+auction.rounds="two"',
        "pagat+auction.rounds=one",  # not TOML
        "pagat+auction.ladder=[]",
        'pagat+auction.ladder=["SOLO", "SOLO"]',
        'pagat+auction.ladder=["COP"]',
        'pagat+auction.ladder=["SOLO", "PETIT"]',  # no price
        "pagat+pay.base={}",
        "pagat+pay.under.DECL=1",  # it is not played out
        'pagat+play.revokes="allowed"',
        'pagat+deal.shuffle="often"',
        'pagat+deal.shuffles="barely"',
        'pagat+deal.gather="piles"',
        'pagat+deal.reshuffle_after="solo"',
        'pagat+deal.dealer_after_passout="previous"',
        "pagat+deal.cut=1",
        "pagat+deal.packets=[3, 3, 3, 3]",
        "pagat+deal.packets=[13, 0]",
        "pagat+deal.packets=13",
        'pagat+deal.packets="rotating_4"',
        'pagat+deal.packets="rotating_4_by_deal"',  # a card is turned up
        'pagat+deal.goulash.packets="rotating_4_by_deal"',
        "pagat+deal.goulash.packets=[5, 5, 5]",
        'pagat+deal.goulash.stack="by_chance"',
        "pagat+deal.goulash.sort_hands=1",
        "pagat+deal.goulash.height=1",
        "pagat+deal.goulash={}",
        "pagat+laws.revoke_penalty_tricks=14",
        "pagat+laws.revoke_penalty_tricks=true",
        "pagat+laws.revoke_transfer=3",
        'pagat+laws.second_prop="allowed"',
        "pagat+laws.shuffle_penalty=-1",
        'pagat+passout.mode="guess"',
        'pagat+trump.source="cycles"',
    ],
)
def test_settings_that_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match=r"\.$"):
        ruleset(name)


def test_every_choice_changes_some_auction() -> None:
    """A key of the auction that left all auctions as they are would be read by nobody."""
    usual = Counter(auctions())
    for keys in (
        "auction.proposals=false",
        'auction.rounds="one"',
        'auction.eldest_cop="none"',
        'auction.unaccepted_prop="throw_in"',
        'auction.unaccepted_prop_raise_to="solo_only"',
        'auction.unaccepted_prop_raise_seats="eldest_only"',
        "auction.acceptor_may_raise=false",
        "auction.raise_own_call=true",
        'auction.abt_call="any_time"',
    ):
        assert Counter(auctions(rules(keys))) != usual
