"""The oracle against what the rules print: auctions, the decision table, payments, a published hand."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from tests.rulebook import (
    PACK,
    PAGAT,
    Auction,
    Game,
    auctions,
    lines,
    made,
    payment,
    playable,
    replay,
    split_cards,
    trace,
    trick_winner,
)

# One suit to each position: nobody can follow anybody else's lead, so trumps decide all. Spades are turned.
SUIT_DEAL = [
    "C2C3C4C5C6C7C8C9CTCJCQCKCA",
    "D2D3D4D5D6D7D8D9DTDJDQDKDA",
    "H2H3H4H5H6H7H8H9HTHJHQHKHA",
    "S2S3S4S5S6S7S8S9STSJSQSKSA",
]
# Three of each suit in rising order by position, and one ace each.
LAYER_DEAL = [
    "C2C3C4D2D3D4H2H3H4S2S3S4CA",
    "C5C6C7D5D6D7H5H6H7S5S6S7DA",
    "C8C9CTD8D9DTH8H9HTS8S9STHA",
    "CJCQCKDJDQDKHJHQHKSJSQSKSA",
]

RANKS = "23456789TJQKA"
# The dealer takes every trick of SUIT_DEAL: he ruffs eldest's lead, then leads the rest of his spades.
ALL_TO_DEALER = " ".join(["C2D2H2S2", *["".join(suit + rank for suit in "SCDH") for rank in RANKS[1:]]])

# R. F. Foster's illustrative hand 1, a solo by the third player made with exactly five tricks.
PUBLISHED = (
    "pagat@0; dealer 3; "
    "deal SASJS8S7H6DTD7D6D5D3CKC9C8 S9S5S3S2HTH4H2D9D8CACJC3C2 "
    "SKSQHAHQH9H7H5DADQCQCTC6C4 STS6S4HKHJH8DKDJD4D2C7C5H3; "
    "calls PASS PASS SOLO PASS; "
    "plays DTD8DQDK D2D3D9DA HAH3H6H2 HQHKC8H4 C7C9CAC4 S9SKS4SA CKC2C6C5 S7S2SQS6 CQH8D5C3 DJD6S3H5 "
    "H9HJD7HT D4S8S5H7 CTSTSJCJ; "
    "result -1 -1 +3 -1"
)
PUBLISHED_WINNERS = [3, 2, 2, 3, 1, 0, 0, 2, 3, 2, 3, 2, 1]


def deal(hands: list[str]) -> Game:
    return Game([split_cards(hand) for hand in hands])


def before(text: str) -> str:
    """The published record broken off where `text` begins."""
    return PUBLISHED.partition(text)[0]


def record(hands: list[str], rest: str) -> str:
    return f"pagat@0; dealer 0; deal {' '.join(hands)}; {rest}"


def said(text: str) -> Auction:
    """An auction from "0:PASS 1:PROP ...", insisting that each speaker is the one on turn."""
    auction = Auction()
    for word in text.split():
        seat, call = word.split(":")
        assert auction.turn == int(seat), f"{word} in {text}: position {auction.turn} is on turn"
        auction = auction.say("PASS" if call == "P" else call)
    return auction


# The auction (clauses 3.1 to 3.11).


def test_every_auction_is_counted() -> None:
    every = list(auctions())
    assert len(every) == len({calls for calls, _ in every}) == 2075
    assert max(len(calls) for calls, _ in every) == 10
    endings = Counter(outcome.ending for _, outcome in every)
    assert endings == {"passed out": 1, "thrown in": 4, "contract": 2070}
    proposals = [(calls, outcome) for calls, outcome in every if outcome.contract == "PROP"]
    assert Counter(outcome.declarer for _, outcome in proposals) == {0: 3, 1: 3, 2: 2, 3: 1}
    # Without eldest's privilege six of the nine would be left (3.7).
    assert sum((0, "PASS") not in calls or outcome.partner != 0 for calls, outcome in proposals) == 6
    assert all(outcome.partner is None for _, outcome in every if outcome.contract != "PROP")
    assert sum(outcome.contract == "DECL" for _, outcome in every) == 1223


def test_calls_rise_and_the_last_one_is_the_contract() -> None:
    for calls, outcome in auctions():
        rungs = [
            (PAGAT["auction"]["ladder"].index(call), seat) for seat, call in calls if call not in ("PASS", "COP")
        ]
        assert all(low < high for (low, _), (high, _) in pairwise(rungs))
        if outcome.ending == "contract":
            assert (PAGAT["auction"]["ladder"][rungs[-1][0]], rungs[-1][1]) == (outcome.contract, outcome.declarer)
        # Nobody is asked again after a pass, but for eldest and an open proposal (table row 15).
        for seat in range(4):
            own = [call for speaker, call in calls if speaker == seat]
            after = own[own.index("PASS") + 1 :] if "PASS" in own else []
            assert after == [] or (seat == 0 and after in (["PASS"], ["COP"]))


@pytest.mark.parametrize(
    ("auction", "outcome"),
    [
        ("0:P 1:PROP 2:P 3:P 0:COP", ("PROP", 1, 0, "contract")),
        ("0:P 1:PROP 2:P 3:P 0:P 1:SOLO", ("SOLO", 1, None, "contract")),
        ("0:P 1:PROP 2:P 3:P 0:P 1:P", (None, None, None, "thrown in")),
        ("0:PROP 1:P 2:MIS 3:ABU 0:ABT 2:OUV 3:DECL", ("DECL", 3, None, "contract")),
        ("0:PROP 1:P 2:MIS 3:ABU 0:P 2:P", ("ABU", 3, None, "contract")),
        ("0:P 1:PROP 2:COP 3:SOLO 1:P 2:DECL", ("DECL", 2, None, "contract")),
        ("0:P 1:PROP 2:SOLO 3:P 1:P", ("SOLO", 2, None, "contract")),
        ("0:P 1:P 2:P 3:PROP 0:COP", ("PROP", 3, 0, "contract")),
        ("0:ABU 1:P 2:ABT 3:P 0:P", ("ABT", 2, None, "contract")),
        ("0:P 1:PROP 2:COP 3:SOLO 1:P 2:MIS 3:ABU 2:ABT 3:OUV 2:P", ("OUV", 3, None, "contract")),
        ("0:PROP 1:P 2:P 3:P 0:P", (None, None, None, "thrown in")),
    ],
)
def test_worked_auctions(auction: str, outcome: tuple[object, ...]) -> None:
    assert said(auction).outcome == outcome


@pytest.mark.parametrize(
    ("before", "seat", "call"),
    [
        ("0:ABU", 1, "ABU"),
        ("0:P", 1, "ABT"),
        ("0:P 1:PROP", 2, "PROP"),
        ("0:SOLO", 1, "COP"),
        ("0:P 1:PROP 2:SOLO", 3, "COP"),  # a superseded proposal is dead (3.6)
        ("0:P 1:PROP 2:COP", 3, "COP"),
        ("0:MIS", 1, "SOLO"),
    ],
)
def test_illegal_calls(before: str, seat: int, call: str) -> None:
    auction = said(before)
    assert auction.turn == seat
    with pytest.raises(ValueError, match="illegal"):
        auction.say(call)


def test_eldest_who_passed_is_not_asked_about_a_solo() -> None:
    auction = said("0:P 1:SOLO 2:P 3:P")
    assert auction.turn is None
    assert auction.outcome == ("SOLO", 1, None, "contract")
    with pytest.raises(ValueError, match="closed"):
        auction.say("MIS")
    assert 0 not in {said("0:P 1:PROP 2:P 3:COP").turn, said("0:P 1:PROP 2:P 3:MIS").turn}


OPENING = "PASS PROP SOLO MIS ABU OUV DECL"
ANSWER = "PASS COP SOLO MIS ABU OUV DECL"
RAISE = "PASS SOLO MIS ABU OUV DECL"
MIS_UP = "PASS MIS ABU OUV DECL"


@pytest.mark.parametrize(
    ("row", "before", "seat", "legal"),
    [
        (1, "", 0, OPENING),
        (1, "0:P", 1, OPENING),
        (1, "0:P 1:P", 2, OPENING),
        (1, "0:P 1:P 2:P", 3, OPENING),
        (2, "0:PROP", 1, ANSWER),
        (2, "0:PROP 1:P", 2, ANSWER),
        (2, "0:P 1:PROP 2:P", 3, ANSWER),
        (3, "0:P 1:PROP 2:P 3:P", 0, "PASS COP"),
        (3, "0:P 1:P 2:PROP 3:P", 0, "PASS COP"),
        (3, "0:P 1:P 2:P 3:PROP", 0, "PASS COP"),
        (4, "0:P 1:PROP 2:P 3:P 0:P", 1, RAISE),
        (4, "0:P 1:P 2:P 3:PROP 0:P", 3, RAISE),
        (4, "0:PROP 1:P 2:P 3:P", 0, RAISE),
        (5, "0:PROP 1:COP", 2, RAISE),
        (5, "0:PROP 1:P 2:COP", 3, RAISE),
        (6, "0:PROP 1:COP 2:P 3:P", None, ""),
        (7, "0:SOLO", 1, MIS_UP),
        (7, "0:PROP 1:COP 2:P 3:SOLO", 0, MIS_UP),
        (7, "0:PROP 1:COP 2:P 3:SOLO 0:P", 1, MIS_UP),
        (8, "0:MIS", 1, "PASS ABU OUV DECL"),
        (8, "0:PROP 1:P 2:P 3:MIS", 0, "PASS ABU OUV DECL"),
        (9, "0:ABU", 1, "PASS ABT OUV DECL"),
        (10, "0:ABU 1:ABT", 2, "PASS OUV DECL"),
        (10, "0:ABU 1:ABT 2:P 3:P", 0, "PASS OUV DECL"),
        (11, "0:OUV", 1, "PASS DECL"),
        (11, "0:SOLO 1:P 2:P 3:OUV", 0, "PASS DECL"),
        (12, "0:DECL", None, ""),
        (13, "0:P 1:P 2:P 3:SOLO", None, ""),
        (14, "0:P 1:P 2:P 3:P", None, ""),
        (15, "0:PROP 1:P 2:P 3:SOLO 0:MIS", 3, "PASS ABU OUV DECL"),  # 1 and 2 passed and are stepped over
    ],
)
def test_decision_table(row: int, before: str, seat: int | None, legal: str) -> None:
    auction = said(before)
    assert (auction.turn, auction.legal()) == (seat, set(legal.split())), f"row {row}"
    if row == 14:
        assert auction.outcome == (None, None, None, "passed out")
    if row == 6:
        assert auction.outcome == ("PROP", 0, 1, "contract")


def test_the_decision_table_holds_in_every_auction() -> None:
    """What may be said hangs on the standing call and the role of the speaker, and on nothing besides."""
    seen: dict[tuple[str, str], set[frozenset[str]]] = {}
    for calls, _ in auctions():
        auction = Auction()
        for seat, call in calls:
            standing = "nothing" if auction.standing is None else auction.standing[1]
            if standing == "PROP":
                standing = "open PROP" if auction.proposal_open else "accepted PROP"
            role = "passed" if seat in auction.passed else "holder" if seat in auction.holders else "live"
            assert auction.turn == seat
            assert role != "passed" or seat == 0
            seen.setdefault((standing, role), set()).add(frozenset(auction.legal()))
            auction = auction.say(call)
    assert seen == {
        key: {frozenset(legal.split())}
        for key, legal in {
            ("nothing", "live"): OPENING,
            ("open PROP", "live"): ANSWER,
            ("open PROP", "passed"): "PASS COP",
            ("open PROP", "holder"): RAISE,
            ("accepted PROP", "live"): RAISE,
            ("SOLO", "live"): MIS_UP,
            ("MIS", "live"): "PASS ABU OUV DECL",
            ("ABU", "live"): "PASS ABT OUV DECL",
            ("ABT", "live"): "PASS OUV DECL",
            ("OUV", "live"): "PASS DECL",
        }.items()
    }


# Payments (clauses 7.1 to 7.3).


@pytest.mark.parametrize(
    ("contract", "partner", "tricks", "paid"),
    [
        *[("PROP", 2, [n - 3, 13 - n, 3, 0], [1, -1, 1, -1]) for n in range(8, 14)],
        *[("PROP", 2, [n, 13 - n, 0, 0], [-1, 1, -1, 1]) for n in range(8)],
        *[("SOLO", None, [n, 13 - n, 0, 0], [3, -1, -1, -1]) for n in (5, 12)],
        *[("SOLO", None, [n, 13 - n, 0, 0], [-3, 1, 1, 1]) for n in (4, 0)],
        ("MIS", None, [0, 13, 0, 0], [6, -2, -2, -2]),
        ("MIS", None, [1, 2, 0, 0], [-6, 2, 2, 2]),
        ("ABU", None, [9, 4, 0, 0], [9, -3, -3, -3]),
        ("ABU", None, [8, 5, 0, 0], [-9, 3, 3, 3]),
        ("ABT", None, [9, 4, 0, 0], [9, -3, -3, -3]),
        ("OUV", None, [0, 13, 0, 0], [12, -4, -4, -4]),
        ("OUV", None, [1, 0, 0, 0], [-12, 4, 4, 4]),
        ("DECL", None, [13, 0, 0, 0], [18, -6, -6, -6]),
        ("DECL", None, [12, 1, 0, 0], [-18, 6, 6, 6]),
    ],
)
def test_payments(contract: str, partner: int | None, tricks: list[int], paid: list[int]) -> None:
    assert payment(contract, 0, partner, tricks, PAGAT) == paid


@pytest.mark.parametrize(
    ("contract", "tricks", "each"),
    [
        ("PROP", 10, 7),
        ("PROP", 13, 10),
        ("PROP", 6, -7),
        ("SOLO", 8, 8),
        ("SOLO", 3, -7),
        ("MIS", 0, 10),
        ("ABU", 11, 19),
        ("ABU", 7, -17),
        ("DECL", 12, -30),
    ],
)
def test_margins_come_from_the_settings(contract: str, tricks: int, each: int) -> None:
    """Scheme M with a solo at 5: nothing but the table of prices changes."""
    settings = PAGAT | {
        "pay": {
            "base": {name: 5 * units for name, units in PAGAT["pay"]["base"].items()},
            "over": {"PC": 1, "SOLO": 1, "ABU": 2, "ABT": 2},
            "under": {"PC": 1, "SOLO": 1, "ABU": 1, "ABT": 1},
            "slam_double": [],
            "unit": 1,
        },
    }
    taken = [tricks, 13 - tricks, 0, 0]
    if contract == "PROP":
        assert payment(contract, 0, 2, taken, settings) == [each, -each, each, -each]
    else:
        assert payment(contract, 0, None, taken, settings) == [3 * each, -each, -each, -each]


def test_every_settlement_sums_to_nothing() -> None:
    for contract in PAGAT["auction"]["ladder"]:
        for declarer in range(4):
            partners = [p for p in range(4) if p != declarer] if contract == "PROP" else [None]
            for partner in partners:
                for taken in range(14):
                    tricks = [0, 0, 0, 0]
                    tricks[declarer] = taken
                    opponent = next(p for p in range(4) if p not in (declarer, partner))
                    tricks[opponent] = 13 - taken
                    paid = payment(contract, declarer, partner, tricks)
                    assert sum(paid) == 0
                    assert (paid[declarer] > 0) == made(contract, taken)
                    assert partner is None or paid[partner] == paid[declarer]


# Tricks (clauses 6.1 to 6.4).


@pytest.mark.parametrize(
    ("why", "cards", "trumps", "winner"),
    [
        ("highest of the suit led", "D2D9DAD3", "S", 2),
        ("ten above nine, court cards above both", "H9HTHJHQ", None, 3),
        ("any trump beats the suit led", "DAD2S2DK", "S", 2),
        ("over-ruff", "DAS2S5DK", "S", 2),
        ("under-ruff", "DAS5S2DK", "S", 1),
        ("trump led, a side ace thrown", "S3HAS2CA", "S", 0),
        ("trump led and beaten", "S3SKSQSA", "S", 3),
        ("a discarded ace takes nothing at no trumps", "D2CAHASA", None, 0),
        ("a discarded ace takes nothing at trumps", "D2CAHAD3", "S", 3),
        ("the suit turned up does not ruff at no trumps", "D2S2D4SA", None, 2),
    ],
)
def test_trick_winner(why: str, cards: str, trumps: str | None, winner: int) -> None:
    assert trick_winner(split_cards(cards), trumps) == winner, why


def test_following_suit() -> None:
    held = ["D2", "DK", "S3", "CA"]
    assert playable(held, []) == set(held)
    assert playable(held, ["D9"]) == {"D2", "DK"}
    assert playable(held, ["H9", "D4"]) == set(held)
    assert playable(["CA"], ["H9"]) == {"CA"}


# Whole deals.


def test_the_published_hand() -> None:
    game = replay(PUBLISHED)
    assert [trick.winner for trick in game.history] == PUBLISHED_WINNERS
    assert [trick.leader for trick in game.history] == [0, *PUBLISHED_WINNERS[:-1]]
    assert (game.contract, game.declarer, game.partner, game.trumps) == ("SOLO", 2, None, "H")
    assert game.turned_card == "H3"
    assert game.tricks == [2, 2, 5, 4]
    # Eldest first like everything by seat, so the +3 of the caller comes third.
    assert game.payoffs == [-1, -1, 3, -1]
    assert game.outcome == "played"


def test_a_record_is_judged() -> None:
    for wrong in (
        PUBLISHED.replace("result -1 -1 +3 -1", "result +3 -1 -1 -1"),
        PUBLISHED.replace("DTD8DQDK", "DTCADQDK"),  # a revoke
        PUBLISHED.replace("DTD8DQDK", "DTDQD8DK"),  # cards of other hands
        PUBLISHED.replace("DTD8DQDK D2D3", "DTD8DQ DKD2D3"),  # grouped wrongly
        PUBLISHED.replace("calls PASS PASS SOLO PASS", "calls PASS PASS SOLO PASS PASS"),
        PUBLISHED.replace("calls PASS PASS SOLO PASS", "calls PASS PASS SOLO PASS; trumps H"),
        PUBLISHED.replace("calls PASS PASS SOLO PASS", "calls PASS PASS SOLO"),
        PUBLISHED.replace("C5H3", "C5H4"),  # a card twice
        PUBLISHED.replace(" CTSTSJCJ", ""),  # a result before the end
        PUBLISHED.replace("pagat", "nowhere"),
        PUBLISHED.replace("dealer 3; ", ""),
    ):
        assert wrong != PUBLISHED
        with pytest.raises(ValueError, match=r"\.$"):
            replay(wrong)


def test_trace() -> None:
    seen = trace(PUBLISHED)
    assert len(seen) == 4 + 52
    assert [seat for seat, _ in seen[:8]] == [0, 1, 2, 3, 0, 1, 2, 3]
    assert seen[0][1] == set(OPENING.split())
    assert seen[3][1] == set(MIS_UP.split())
    assert seen[5] == (1, frozenset({"D9", "D8"}))
    head = before("; calls")
    assert trace(head) == seen[:1]
    assert trace(head + "; calls") == seen[:1]
    assert trace(before(" D2D3")) == seen[:9]
    assert trace(before("DQDK")) == seen[:7]


def test_an_illegal_action_changes_nothing() -> None:
    game = replay(before("DQDK"))

    def state() -> tuple[object, ...]:
        hands = [game.hand(seat) for seat in range(4)]
        return game.turn, game.legal(), hands, list(game.table), game.auction.said

    untouched = state()
    for text in ("CQ", "SK", "DT", "D3", "PASS", "TRUMPS H", "", "nonsense"):
        with pytest.raises(ValueError, match="is illegal: position 2 may choose"):
            game.act(text)
    assert state() == untouched


def test_a_copy_goes_its_own_way() -> None:
    game = replay(before("DQDK"))
    twin = game.copy()
    twin.act("DA")
    assert game.turn == 2
    assert "DA" in game.hand(2)
    assert twin.turn == 3
    assert "DA" not in twin.hand(2)


def test_passed_out_and_thrown_in() -> None:
    game = replay(record(SUIT_DEAL, "calls PASS PASS PASS PASS; result 0 0 0 0"))
    assert (game.outcome, game.contract, game.turn, game.legal()) == ("passed out", None, None, set())
    assert game.payoffs == [0, 0, 0, 0]
    game = replay(record(SUIT_DEAL, "calls PASS PASS PASS PROP PASS PASS; result 0 0 0 0"))
    assert (game.outcome, game.contract, game.payoffs) == ("thrown in", None, [0, 0, 0, 0])
    with pytest.raises(ValueError, match="over"):
        game.act("PASS")


def test_trumps_and_the_lead_by_contract() -> None:
    for calls, contract, trumps, leader in (
        ("PASS PROP COP PASS", "PROP", "S", 0),
        ("PASS SOLO PASS PASS", "SOLO", "S", 0),
        ("PASS MIS PASS PASS", "MIS", None, 0),
        ("ABU ABT PASS PASS PASS", "ABT", "S", 0),
        ("PASS OUV PASS PASS", "OUV", None, 0),
        ("PASS DECL", "DECL", None, 1),
    ):
        game = replay(record(SUIT_DEAL, f"calls {calls}"))
        assert (game.contract, game.trumps, game.turn) == (contract, trumps, leader)


def test_an_abundance_names_its_trumps_after_the_auction() -> None:
    game = replay(record(SUIT_DEAL, "calls PASS ABU PASS PASS"))
    assert (game.turn, game.trumps) == (1, None)
    assert game.legal() == {"TRUMPS C", "TRUMPS D", "TRUMPS H", "TRUMPS S"}
    game.act("TRUMPS D")
    assert (game.turn, game.trumps) == (0, "D")
    # Eldest leads a club, whoever owns the trumps ruffs it and leads the rest of them.
    for suit, order, tricks, paid in (
        ("D", "DHSC", [0, 13, 0, 0], "-3 +9 -3 -3"),
        ("S", "SCDH", [0, 0, 0, 13], "+3 -9 +3 +3"),
        ("C", "CDHS", [13, 0, 0, 0], "+3 -9 +3 +3"),
    ):
        plays = " ".join(["C2D2H2S2", *["".join(s + rank for s in order) for rank in RANKS[1:]]])
        rest = f"calls PASS ABU PASS PASS; trumps {suit}; plays {plays}; result {paid}"
        assert replay(record(SUIT_DEAL, rest)).tricks == tricks


def test_the_suit_turned_up_does_not_ruff_in_a_misere() -> None:
    game = deal(SUIT_DEAL)
    for action in ["PASS", "MIS", "PASS", "PASS"]:
        game.act(action)
    assert game.turned_card == "SA"
    assert game.trumps is None
    while not game.over:
        game.act(sorted(game.legal())[0])
    assert game.tricks == [13, 0, 0, 0]
    assert game.payoffs == [-2, 6, -2, -2]


def test_miseres_stop_when_the_caller_takes_a_trick() -> None:
    game = replay(record(LAYER_DEAL, "calls MIS PASS PASS PASS; plays D2D5D8DJ SJS2S5S8 CJC2C5C8"))
    assert not game.over
    assert game.tricks == [0, 0, 0, 3]
    for card in ("CQ", "CA", "C6"):
        game.act(card)
        assert game.outcome is None  # the trick is completed first
    game.act("C9")
    assert (game.outcome, game.turn, game.tricks) == ("played", None, [1, 0, 0, 3])
    assert game.payoffs == [-6, 2, 2, 2]


def test_the_ouverte_hand_is_seen_after_the_first_trick() -> None:
    game = replay(record(LAYER_DEAL, "calls OUV PASS PASS PASS"))
    for card in ("D2", "D5", "D8", "DJ"):
        assert game.exposed() is None
        game.act(card)
    held = set(split_cards(LAYER_DEAL[0])) - {"D2"}
    assert game.exposed() == (0, held)
    assert len(held) == 12
    game.act("CJ")
    game.act("C2")
    assert game.exposed() == (0, held - {"C2"})
    misere = replay(record(LAYER_DEAL, "calls MIS PASS PASS PASS; plays D2D5D8DJ"))
    assert misere.exposed() is None
    lost = replay(record(LAYER_DEAL, "calls OUV PASS PASS PASS; plays CAC5C8CJ; result -12 +4 +4 +4"))
    assert lost.over


def test_a_declared_abundance_stops_when_the_caller_loses_a_trick() -> None:
    start = record(LAYER_DEAL, "calls DECL; plays CAC5C8CJ")
    assert not replay(start).over
    assert replay(start).turn == 0
    lost = replay(start + " S2S5S8SA; result -18 +6 +6 +6")
    assert lost.tricks == [1, 0, 0, 1]
    plays = " ".join("".join(suit + rank for suit in "DHSC") for rank in RANKS)
    won = replay(record(SUIT_DEAL, f"calls PASS DECL; plays {plays}; result -6 +18 -6 -6"))
    assert won.tricks == [0, 13, 0, 0]


def test_a_solo_is_played_out() -> None:
    """Decided either way long before, it still runs thirteen tricks (clause 6.4)."""
    for calls, paid in (("PASS SOLO PASS PASS", "+1 -3 +1 +1"), ("PASS PASS PASS SOLO", "-1 -1 -1 +3")):
        assert not replay(record(SUIT_DEAL, f"calls {calls}; plays {ALL_TO_DEALER.rsplit(' ', 1)[0]}")).over
        done = replay(record(SUIT_DEAL, f"calls {calls}; plays {ALL_TO_DEALER}; result {paid}"))
        assert done.tricks == [0, 0, 0, 13]


def test_partners_are_paid_together() -> None:
    rest = f"calls PASS PASS PASS PROP COP; plays {ALL_TO_DEALER}; result +1 -1 -1 +1"
    game = replay(record(SUIT_DEAL, rest))
    assert (game.contract, game.declarer, game.partner) == ("PROP", 3, 0)


def test_lines_cover_the_end_of_a_deal() -> None:
    game = replay(before(" D4S8"))
    every = list(lines(game))
    assert len(every) == len({actions for actions, _ in every})
    printed = tuple(split_cards("D4S8S5H7CTSTSJCJ"))
    assert (printed, [-1, -1, 3, -1]) in every
    assert all(len(actions) == 8 and sum(paid) == 0 for actions, paid in every)
    # Two cards each, so the last trick is forced. On D4 nobody can follow, 2 x 2 x 2 ways; on ST the first
    # has two spades, the second must play his one and the third has none, 2 x 1 x 2 ways.
    assert Counter(actions[0] for actions, _ in every) == {"D4": 8, "ST": 4}
    assert list(lines(replay(PUBLISHED))) == [((), [-1, -1, 3, -1])]


def test_a_deal_must_be_a_pack() -> None:
    hands = [split_cards(hand) for hand in SUIT_DEAL]
    with pytest.raises(ValueError, match="thirteen"):
        Game(hands[:3])
    with pytest.raises(ValueError, match="once"):
        Game([hands[0], hands[0], hands[2], hands[3]])
    assert len(PACK) == len(set(PACK)) == 52
