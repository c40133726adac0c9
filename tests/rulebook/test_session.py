"""Sessions in the oracle (clauses 2.1 and 2.5 to 2.8): packs gathered, dealt and traced back by hand."""

from __future__ import annotations

import pytest

from tests.rulebook import (
    PACK,
    Game,
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
    replay,
    replay_session,
    rounds_of,
    ruleset,
    split_cards,
)
from tests.rulebook.test_rulebook import LAYER_DEAL, PUBLISHED, RANKS, SUIT_DEAL

BARELY = 'pagat+deal.shuffle="barely"'
GOULASH = 'pagat+passout.mode="goulash"'
FIXED = 'pagat+trump.source="fixed"'

PASSED_OUT = "calls PASS PASS PASS PASS; result 0 0 0 0"
THROWN_IN = "calls PROP PASS PASS PASS PASS; result 0 0 0 0"  # eldest proposed and gave up
# With LAYER_DEAL: eldest takes the first trick of his misère, which ends it.
LOST_MISERE = "calls MIS PASS PASS PASS; plays CAC5C8CJ; result -6 +2 +2 +2"
# With SUIT_DEAL: eldest takes the five tricks that end a general misère.
FIVE_TRICKS = "calls PASS PASS PASS PASS; plays C2D2H2S2 C3D3H3S3 C4D4H4S4 C5D5H5S5 C6D6H6S6; result -3 +1 +1 +1"


def line(name: str, dealer: int, rest: str, hands: list[str] = SUIT_DEAL, suit: str | None = None) -> str:
    stated = "" if suit is None else f"; suit {suit}"
    return f"{name}@0; dealer {dealer}{stated}; deal {' '.join(hands)}; {rest}"


def finished(name: str, rest: str, hands: list[str] = SUIT_DEAL, suit: str | None = None) -> Game:
    game = replay(line(name, 0, rest, hands, suit))
    assert game.over
    return game


def cards(text: str) -> list[str]:
    return split_cards(text.replace(" ", ""))


# The dealer (clause 2.7).


@pytest.mark.parametrize(
    ("name", "rest", "hands", "moves"),
    [
        ("pagat", PASSED_OUT, SUIT_DEAL, 1),
        ("pagat", THROWN_IN, SUIT_DEAL, 1),
        ("pagat", LOST_MISERE, LAYER_DEAL, 1),
        ("SAME", PASSED_OUT, SUIT_DEAL, 0),
        ("SAME", THROWN_IN, SUIT_DEAL, 1),
        ("SAME+passout.include_unaccepted_prop=true", THROWN_IN, SUIT_DEAL, 0),
        ("SAME", LOST_MISERE, LAYER_DEAL, 1),
        ('SAME+passout.mode="goulash"', PASSED_OUT, SUIT_DEAL, 0),
        ('SAME+passout.mode="first_to_five"', FIVE_TRICKS, SUIT_DEAL, 1),  # nobody bid, but it was played
    ],
)
def test_the_next_dealer(name: str, rest: str, hands: list[str], moves: int) -> None:
    game = finished(name.replace("SAME", 'pagat+deal.dealer_after_passout="same"'), rest, hands)
    assert [next_dealer(game, dealer) for dealer in (0, 2, 3)] == [moves, 2 + moves, (3 + moves) % 4]


# Which pack the next deal has (clauses 2.5 and 2.6).

LOST_OUVERTE = "calls OUV PASS PASS PASS; plays CAC5C8CJ; result -12 +4 +4 +4"
# With SUIT_DEAL: eldest takes every trick, so that second makes his ouverte.
ALL_TO_ELDEST = " ".join("".join(suit + rank for suit in "CDHS") for rank in RANKS)
MADE_OUVERTE = f"calls PASS OUV PASS PASS; plays {ALL_TO_ELDEST}; result -4 +12 -4 -4"
MADE_MISERE = f"calls PASS MIS PASS PASS; plays {ALL_TO_ELDEST}; result -2 +6 -2 -2"
# With LAYER_DEAL and the misère above abundance: second goes over eldest's abundance and takes a trick.
ABUNDANCE_OVERCALLED = "calls ABU MIS PASS PASS PASS; plays D2DAD8DJ; result +3 -9 +3 +3"
WON = '+deal.reshuffle_after="abu_or_better_won"'
REVOKES = '+play.revokes="possible"'


@pytest.mark.parametrize(
    ("name", "rest", "hands", "kind"),
    [
        ("pagat", PASSED_OUT, SUIT_DEAL, "shuffled"),
        ("pagat", LOST_MISERE, LAYER_DEAL, "shuffled"),
        # Bid.
        (BARELY, PASSED_OUT, SUIT_DEAL, "gathered"),
        (BARELY, THROWN_IN, SUIT_DEAL, "gathered"),
        (BARELY, LOST_MISERE, LAYER_DEAL, "gathered"),
        (BARELY, LOST_OUVERTE, LAYER_DEAL, "shuffled"),
        ('experienced+deal.shuffle="barely"', ABUNDANCE_OVERCALLED, LAYER_DEAL, "shuffled"),
        (BARELY + '+passout.mode="first_to_five"', FIVE_TRICKS, SUIT_DEAL, "gathered"),
        # Won.
        (BARELY + WON, LOST_OUVERTE, LAYER_DEAL, "gathered"),
        ('experienced+deal.shuffle="barely"' + WON, ABUNDANCE_OVERCALLED, LAYER_DEAL, "gathered"),
        (BARELY + WON, MADE_OUVERTE, SUIT_DEAL, "shuffled"),
        (BARELY + WON, MADE_MISERE, SUIT_DEAL, "gathered"),
        (BARELY + WON, PASSED_OUT, SUIT_DEAL, "gathered"),
        # Won by a revoke of the others, not by one of one's own, nor where both sides revoked.
        (BARELY + WON + REVOKES, "calls OUV PASS PASS PASS; plays D2S5D8DJ", LAYER_DEAL, "shuffled"),
        (BARELY + WON + REVOKES, "calls PASS OUV PASS PASS; plays D2S5D8DJ", LAYER_DEAL, "gathered"),
        (BARELY + WON + REVOKES, "calls PASS OUV PASS PASS; plays D2S5S8DJ", LAYER_DEAL, "gathered"),
        # Never.
        (BARELY + '+deal.reshuffle_after="never"', MADE_OUVERTE, SUIT_DEAL, "gathered"),
        # A goulash, whatever the shuffle, and only where nobody bid.
        (GOULASH, PASSED_OUT, SUIT_DEAL, "goulash"),
        (GOULASH, THROWN_IN, SUIT_DEAL, "shuffled"),
        (GOULASH + "+passout.include_unaccepted_prop=true", THROWN_IN, SUIT_DEAL, "goulash"),
        (GOULASH, LOST_MISERE, LAYER_DEAL, "shuffled"),
        (GOULASH + '+deal.shuffle="barely"', PASSED_OUT, SUIT_DEAL, "goulash"),
        (GOULASH + '+deal.shuffle="barely"', THROWN_IN, SUIT_DEAL, "gathered"),
        # The shipped sets that shuffle rarely.
        ("bga", LOST_MISERE.replace("-6 +2 +2 +2", "-30 +10 +10 +10"), LAYER_DEAL, "gathered"),
        ("bga", LOST_OUVERTE.replace("-12 +4 +4 +4", "-60 +20 +20 +20"), LAYER_DEAL, "shuffled"),
        ("everything2", MADE_OUVERTE.replace("-4 +12 -4 -4", "-75 +225 -75 -75"), SUIT_DEAL, "shuffled"),
        ("everything2", PASSED_OUT, SUIT_DEAL, "gathered"),
    ],
)
def test_the_next_pack(name: str, rest: str, hands: list[str], kind: str) -> None:
    assert next_pack_kind(finished(name, rest, hands)) == kind


def test_a_grand_slam_bid_brings_a_shuffle() -> None:
    lost = "calls GRAND; trumps H; plays C2D2H2S2; result -18 +6 +6 +6"
    assert next_pack_kind(finished("grand_slam_solo", lost, suit="D")) == "shuffled"
    assert next_pack_kind(finished("grand_slam_solo" + WON, lost, suit="D")) == "gathered"
    assert next_pack_kind(finished("grand_slam_solo", PASSED_OUT, suit="D")) == "gathered"


# Gathering (clause 2.5).

# Foster's hand once more: third's solo, the tricks in the order played. They go to D 3 3 D 2 E E 3 D 3 D 3 2.
T1, T2, T3, T4, T5 = "DTD8DQDK", "D2D3D9DA", "HAH3H6H2", "HQHKC8H4", "C7C9CAC4"
T6, T7, T8, T9 = "S9SKS4SA", "CKC2C6C5", "S7S2SQS6", "CQH8D5C3"
T10, T11, T12, T13 = "DJD6S3H5", "H9HJD7HT", "D4S8S5H7", "CTSTSJCJ"


@pytest.mark.parametrize(
    ("gather", "pack"),
    [
        # Third's five, then those of the three others as they came.
        ("piles_by_side", T2 + T3 + T8 + T10 + T12 + T1 + T4 + T5 + T6 + T7 + T9 + T11 + T13),
        # Eldest's two, second's two, third's five, the dealer's four.
        ("piles_by_seat", T6 + T7 + T5 + T13 + T2 + T3 + T8 + T10 + T12 + T1 + T4 + T9 + T11),
        ("single_pile", T1 + T2 + T3 + T4 + T5 + T6 + T7 + T8 + T9 + T10 + T11 + T12 + T13),
    ],
)
def test_a_deal_that_was_played_out_is_gathered(gather: str, pack: str) -> None:
    game = replay(PUBLISHED.replace("pagat", f'pagat+deal.gather="{gather}"'))
    assert gathered(game) == cards(pack)


def test_the_tricks_of_partners_lie_in_one_pile() -> None:
    """The same cards as a proposal of second's that third accepts: their seven tricks as they came."""
    calls, result = "calls PASS PASS SOLO PASS", "result -1 -1 +3 -1"
    changed = PUBLISHED.replace(calls, "calls PASS PROP COP PASS").replace(result, "result +1 -1 -1 +1")
    pack = T2 + T3 + T5 + T8 + T10 + T12 + T13 + T1 + T4 + T6 + T7 + T9 + T11
    assert gathered(replay(changed)) == cards(pack)


# With LAYER_DEAL: the dealer takes three tricks, then eldest, whose misère ends with nine cards in every hand.
FOUR_TRICKS = "calls MIS PASS PASS PASS; plays D2D5D8DJ SJS2S5S8 CJC2C5C8 CQCAC6C9"
NINE_EACH = "C3C4D3D4H2H3H4S3S4 C7D6D7DAH5H6H7S6S7 CTD9DTH8H9HTHAS9ST CKDQDKHJHQHKSQSKSA"


@pytest.mark.parametrize(
    ("gather", "tricks"),
    [
        ("piles_by_side", "CQCAC6C9 D2D5D8DJ SJS2S5S8 CJC2C5C8"),
        ("piles_by_seat", "CQCAC6C9 D2D5D8DJ SJS2S5S8 CJC2C5C8"),
        ("single_pile", "D2D5D8DJ SJS2S5S8 CJC2C5C8 CQCAC6C9"),
    ],
)
def test_what_was_not_played_lies_below_by_hands_sorted(gather: str, tricks: str) -> None:
    game = finished(f'pagat+deal.gather="{gather}"', FOUR_TRICKS, LAYER_DEAL)
    assert gathered(game) == cards(tricks + NINE_EACH)


@pytest.mark.parametrize(
    ("gather", "tricks"),
    [
        # Without sides there is one pile.
        ("piles_by_side", "D2D5D8DJ SJS2S5S8 CJC2C5C8 CQCAC6C9 H2H5H8HJ DQD3D6D9"),
        ("piles_by_seat", "CQCAC6C9 D2D5D8DJ SJS2S5S8 CJC2C5C8 H2H5H8HJ DQD3D6D9"),
        ("single_pile", "D2D5D8DJ SJS2S5S8 CJC2C5C8 CQCAC6C9 H2H5H8HJ DQD3D6D9"),
    ],
)
def test_a_general_misere_is_gathered(gather: str, tricks: str) -> None:
    """First to five: the dealer takes three, eldest one, the dealer two, and seven cards are left to each."""
    plays = "D2D5D8DJ SJS2S5S8 CJC2C5C8 CQCAC6C9 H2H5H8HJ DQD3D6D9"
    name = f'pagat+passout.mode="first_to_five"+deal.gather="{gather}"'
    game = finished(name, f"calls PASS PASS PASS PASS; plays {plays}; result +1 +1 +1 -3", LAYER_DEAL)
    left = "C3C4D4H3H4S3S4 C7D7DAH6H7S6S7 CTDTH9HTHAS9ST CKDKHQHKSQSKSA"
    assert gathered(game) == cards(tricks + left)


@pytest.mark.parametrize("rest", [PASSED_OUT, THROWN_IN])
@pytest.mark.parametrize("gather", ["piles_by_side", "piles_by_seat", "single_pile"])
def test_a_deal_thrown_in_is_four_sorted_hands(gather: str, rest: str) -> None:
    game = finished(f'pagat+deal.gather="{gather}"', rest, LAYER_DEAL)
    assert gathered(game) == cards(
        "C2C3C4CAD2D3D4H2H3H4S2S3S4 C5C6C7D5D6D7DAH5H6H7S5S6S7 "
        "C8C9CTD8D9DTH8H9HTHAS8S9ST CJCQCKDJDQDKHJHQHKSJSQSKSA"
    )


def test_cards_are_sorted_by_suit_then_rank() -> None:
    assert in_order(cards("SAH2CTC9DKDASJ")) == cards("C9CTDKDAH2SJSA")


def test_a_cut_moves_some_cards_from_the_top_to_the_bottom() -> None:
    every = cuts(PACK)
    assert len(every) == 51
    assert PACK not in every
    assert every[0] == [*PACK[1:], "C2"]
    assert every[-1] == ["SA", *PACK[:-1]]


# Goulash (clause 2.6).


def test_the_hands_of_a_goulash() -> None:
    shuffled_hands = [
        "S4C3C2H4D2C4D4D3H2CAH3S2S3",
        "C5C6C7D5D6D7H5H6H7S5S6S7DA",
        "C8C9CTD8D9DTH8H9HTS8S9STHA",
        "SACJCQCKDJDQDKHJHQHKSJSQSK",
    ]
    first, second = "C2C3C4CAD2D3D4H2H3H4S2S3S4", "C5C6C7D5D6D7DAH5H6H7S5S6S7"
    third, dealer = "C8C9CTD8D9DTH8H9HTHAS8S9ST", "CJCQCKDJDQDKHJHQHKSJSQSKSA"
    game = finished(GOULASH, PASSED_OUT, shuffled_hands)
    assert goulash_stack(game) == [cards(first + second + third + dealer)]
    as_dealt = finished(GOULASH + "+deal.goulash.sort_hands=false", PASSED_OUT, shuffled_hands)
    assert goulash_stack(as_dealt) == [cards("".join(shuffled_hands))]
    chance = goulash_stack(finished(GOULASH + '+deal.goulash.stack="random"', PASSED_OUT, shuffled_hands))
    assert len(chance) == len({tuple(pack) for pack in chance}) == 24
    for order in (
        first + second + third + dealer,
        dealer + first + third + second,
        third + dealer + second + first,
    ):
        assert cards(order) in chance
    both = finished(
        GOULASH + '+deal.goulash.stack="random"+deal.goulash.sort_hands=false', PASSED_OUT, shuffled_hands
    )
    assert cards("".join(reversed(shuffled_hands))) in goulash_stack(both)


# Packets (clause 2.1).

# The pack in order, dealt in the packets of pagat.
STRAIGHT = [
    "C2C3C4 CAD2D3 DKDAH2 HQHKHA SJ",
    "C5C6C7 D4D5D6 H3H4H5 S2S3S4 SQ",
    "C8C9CT D7D8D9 H6H7H8 S5S6S7 SK",
    "CJCQCK DTDJDQ H9HTHJ S8S9ST SA",
]
FOURS_FIRST = [
    "C2C3C4C5 D5D6D7 H4H5H6 S3S4S5",
    "C6C7C8C9 D8D9DT H7H8H9 S6S7S8",
    "CTCJCQCK DJDQDK HTHJHQ S9STSJ",
    "CAD2D3D4 DAH2H3 HKHAS2 SQSKSA",
]
FOURS_SECOND = [
    "C2C3C4 CAD2D3D4 H4H5H6 S3S4S5",
    "C5C6C7 D5D6D7D8 H7H8H9 S6S7S8",
    "C8C9CT D9DTDJDQ HTHJHQ S9STSJ",
    "CJCQCK DKDAH2H3 HKHAS2 SQSKSA",
]
FOURS_THIRD = [
    "C2C3C4 CAD2D3 DKDAH2H3 S3S4S5",
    "C5C6C7 D4D5D6 H4H5H6H7 S6S7S8",
    "C8C9CT D7D8D9 H8H9HTHJ S9STSJ",
    "CJCQCK DTDJDQ HQHKHAS2 SQSKSA",
]
FOURS_LAST = [
    "C2C3C4 CAD2D3 DKDAH2 HQHKHAS2",
    "C5C6C7 D4D5D6 H3H4H5 S3S4S5S6",
    "C8C9CT D7D8D9 H6H7H8 S7S8S9ST",
    "CJCQCK DTDJDQ H9HTHJ SJSQSKSA",
]
FOURS_BY_PLAYER = [
    "C2C3C4C5 D2D3D4 H2H3H4 S2S3S4",
    "C6C7C8 D5D6D7D8 H5H6H7 S5S6S7",
    "C9CTCJ D9DTDJ H8H9HTHJ S8S9ST",
    "CQCKCA DQDKDA HQHKHA SJSQSKSA",
]
FIVE_THREE_FIVE = [
    "C2C3C4C5C6 D9DTDJ H8H9HTHJHQ",
    "C7C8C9CTCJ DQDKDA HKHAS2S3S4",
    "CQCKCAD2D3 H2H3H4 S5S6S7S8S9",
    "D4D5D6D7D8 H5H6H7 STSJSQSKSA",
]


@pytest.mark.parametrize(
    ("packets", "number", "hands"),
    [
        ([3, 3, 3, 3, 1], 1, STRAIGHT),
        ([3, 3, 3, 3, 1], 2, STRAIGHT),
        ([5, 3, 5], 7, FIVE_THREE_FIVE),
        ([13], 1, SUIT_DEAL),
        ("rotating_4_by_deal", 1, FOURS_FIRST),
        ("rotating_4_by_deal", 2, FOURS_SECOND),
        ("rotating_4_by_deal", 3, FOURS_THIRD),
        ("rotating_4_by_deal", 4, FOURS_LAST),
        ("rotating_4_by_deal", 5, FOURS_FIRST),
        ("rotating_4_by_deal", 12, FOURS_LAST),
        ("rotating_4_by_player", 1, FOURS_BY_PLAYER),
        ("rotating_4_by_player", 2, FOURS_BY_PLAYER),
    ],
)
def test_the_pack_is_dealt_in_packets(packets: list[int] | str, number: int, hands: list[str]) -> None:
    rounds = deal_rounds(packets, number)
    dealt = [cards(hand) for hand in hands]
    assert dealt_from(PACK, rounds) == dealt
    assert pack_of(dealt, rounds) == PACK


def test_a_goulash_has_packets_of_its_own() -> None:
    grand = ruleset("grand_slam_solo+deal.goulash.packets=[6,7]")
    assert rounds_of(grand, "goulash", 2) == [[6, 6, 6, 6], [7, 7, 7, 7]]
    for kind in ("shuffled", "gathered"):
        assert rounds_of(grand, kind, 2) == [[3, 3, 3, 3], [4, 4, 4, 4], [3, 3, 3, 3], [3, 3, 3, 3]]
    turning = ruleset('anna_cubed+deal.goulash.packets="rotating_4_by_deal"')
    assert rounds_of(turning, "goulash", 4) == [[3, 3, 3, 3], [3, 3, 3, 3], [3, 3, 3, 3], [4, 4, 4, 4]]
    assert rounds_of(turning, "gathered", 4) == [[4, 3, 3, 3], [3, 4, 3, 3], [3, 3, 4, 3], [3, 3, 3, 4]]


# Sessions.


def joined(hands: list[str]) -> list[str]:
    return [hand.replace(" ", "") for hand in hands]


def test_the_account_goes_by_seats() -> None:
    """Results on record go from eldest, who is another seat in every deal."""
    session = replay_session(
        [
            line("pagat", 2, LOST_MISERE, LAYER_DEAL),  # eldest is seat 3
            line("pagat", 3, PASSED_OUT),
            line("pagat", 0, f"calls PASS PASS PASS MIS; plays {ALL_TO_ELDEST}; result -2 -2 -2 +6"),
        ]
    )
    assert [deal.dealer for deal in session.deals] == [2, 3, 0]
    assert [deal.payoffs for deal in session.deals] == [[2, 2, 2, -6], [0, 0, 0, 0], [6, -2, -2, -2]]
    assert session.account == [8, 0, 0, -8]
    assert [deal.pack for deal in session.deals] == ["shuffled"] * 3
    assert [deal.places for deal in session.deals] == [()] * 3
    assert [deal.game.outcome for deal in session.deals] == ["played", "passed out", "played"]


def refused(lines: list[str], why: str) -> None:
    with pytest.raises(ValueError, match=why) as error:
        replay_session(lines)
    assert str(error.value).endswith(".")


def test_the_dealer_is_checked() -> None:
    passed, same = line("pagat", 3, PASSED_OUT), 'pagat+deal.dealer_after_passout="same"'
    assert replay_session([passed, line("pagat", 0, PASSED_OUT)]).account == [0, 0, 0, 0]
    for dealer in (1, 2, 3):
        refused([passed, line("pagat", dealer, PASSED_OUT)], f"Deal 2 is dealt by seat {dealer}, but .* seat 0")
    two = [line(same, 1, PASSED_OUT), line(same, 1, THROWN_IN)]
    assert [deal.dealer for deal in replay_session([*two, line(same, 2, PASSED_OUT)]).deals] == [1, 1, 2]
    refused([*two, line(same, 1, PASSED_OUT)], "Deal 3 is dealt by seat 1, but .* seat 2")
    refused([line(same, 1, PASSED_OUT), line(same, 2, PASSED_OUT)], "Deal 2 is dealt by seat 2, but .* seat 1")


# SUIT_DEAL thrown in is the pack in order. With its clubs cut to the bottom, in threes and ones:
CLUBS_BELOW = [
    "D2D3D4 DAH2H3 HKHAS2 SQSKSA CJ",
    "D5D6D7 H4H5H6 S3S4S5 C2C3C4 CQ",
    "D8D9DT H7H8H9 S6S7S8 C5C6C7 CK",
    "DJDQDK HTHJHQ S9STSJ C8C9CT CA",
]


def test_a_gathered_pack_is_traced_back() -> None:
    first = line(BARELY, 0, PASSED_OUT)
    session = replay_session([first, line(BARELY, 1, PASSED_OUT, joined(CLUBS_BELOW))])
    assert [deal.pack for deal in session.deals] == ["shuffled", "gathered"]
    refused([first, line(BARELY, 1, PASSED_OUT, joined(STRAIGHT))], "Deal 2 is gathered")  # not cut
    refused([first, line(BARELY, 1, PASSED_OUT)], "Deal 2 is gathered")
    # The order received matters, and who received what.
    eldest, second, third, dealer = joined(CLUBS_BELOW)
    swapped = ["D3D2" + eldest[4:], second, third, dealer]
    refused([first, line(BARELY, 1, PASSED_OUT, swapped)], "Deal 2 is gathered")
    refused([first, line(BARELY, 1, PASSED_OUT, [second, eldest, third, dealer])], "Deal 2 is gathered")
    # Where every pack is shuffled, any cards may come.
    assert replay_session([line("pagat", 0, PASSED_OUT), line("pagat", 1, PASSED_OUT, swapped)])
    uncut = BARELY + "+deal.cut=false"
    first = line(uncut, 0, PASSED_OUT)
    assert replay_session([first, line(uncut, 1, PASSED_OUT, joined(STRAIGHT))]).deals[1].pack == "gathered"
    refused([first, line(uncut, 1, PASSED_OUT, joined(CLUBS_BELOW))], "Deal 2 is gathered")


def test_a_pack_gathered_from_tricks_is_traced_back() -> None:
    """Eldest's trick on top, then the dealer's three, then the hands; the top four cards are cut to the bottom."""
    hands = [
        "D2D5D8 C3C4D3 DAH5H6 HAS9ST CQ",
        "DJSJS2 D4H2H3 H7S6S7 CKDQDK CA",
        "S5S8CJ H4S3S4 CTD9DT HJHQHK C6",
        "C2C5C8 C7D6D7 H8H9HT SQSKSA C9",
    ]

    def session(keys: str) -> list[str]:
        first = line("bga" + keys, 3, f"{FOUR_TRICKS}; result -30 +10 +10 +10", LAYER_DEAL)
        return [first, line("bga" + keys, 0, PASSED_OUT, joined(hands))]

    assert replay_session(session("")).account == [-30, 10, 10, 10]
    assert replay_session(session('+deal.gather="piles_by_seat"')).deals[1].pack == "gathered"
    refused(session('+deal.gather="single_pile"'), "Deal 2 is gathered")


def test_a_goulash_is_traced_back() -> None:
    """The pack in order, cut in the middle, in packets of five, three and five."""
    hands = [
        "H2H3H4H5H6 S9STSJ C8C9CTCJCQ",
        "H7H8H9HTHJ SQSKSA CKCAD2D3D4",
        "HQHKHAS2S3 C2C3C4 D5D6D7D8D9",
        "S4S5S6S7S8 C5C6C7 DTDJDQDKDA",
    ]
    first = line(GOULASH, 0, PASSED_OUT)
    session = [first, line(GOULASH, 1, PASSED_OUT, joined(hands))]
    assert [deal.pack for deal in replay_session(session).deals] == ["shuffled", "goulash"]
    # Passed out again, it makes another goulash; played, it does not.
    refused([*session, line(GOULASH, 2, PASSED_OUT, joined(hands))], "Deal 3 is goulash")
    assert replay_session([first, line(GOULASH, 1, THROWN_IN, joined(hands)), line(GOULASH, 2, PASSED_OUT)])
    refused([first, line(GOULASH, 1, PASSED_OUT, joined(FIVE_THREE_FIVE))], "Deal 2 is goulash")  # not cut
    refused([first, line(GOULASH, 1, PASSED_OUT, joined(CLUBS_BELOW))], "Deal 2 is goulash")  # other packets
    uncut = GOULASH + "+deal.goulash.cut=false"
    first = line(uncut, 0, PASSED_OUT)
    assert replay_session([first, line(uncut, 1, PASSED_OUT, joined(FIVE_THREE_FIVE))])
    refused([first, line(uncut, 1, PASSED_OUT, joined(hands))], "Deal 2 is goulash")


def test_a_goulash_of_hands_stacked_at_random_is_traced_back() -> None:
    """Spades on top, then hearts, clubs and diamonds, not cut."""
    hands = [
        "S2S3S4S5S6 H9HTHJ C8C9CTCJCQ",
        "S7S8S9STSJ HQHKHA CKCAD2D3D4",
        "SQSKSAH2H3 C2C3C4 D5D6D7D8D9",
        "H4H5H6H7H8 C5C6C7 DTDJDQDKDA",
    ]
    uncut = GOULASH + "+deal.goulash.cut=false"
    refused([line(uncut, 0, PASSED_OUT), line(uncut, 1, PASSED_OUT, joined(hands))], "Deal 2 is goulash")
    chance = uncut + '+deal.goulash.stack="random"'
    assert replay_session([line(chance, 0, PASSED_OUT), line(chance, 1, PASSED_OUT, joined(hands))])
    mixed = joined([hands[1], hands[0], hands[2], hands[3]])
    refused([line(chance, 0, PASSED_OUT), line(chance, 1, PASSED_OUT, mixed)], "Deal 2 is goulash")


def test_an_unsorted_goulash_is_traced_back() -> None:
    """The dealer was dealt his king of spades first, so it lies on top of his hand."""
    thrown = [*SUIT_DEAL[:3], "SKS2S3S4S5S6S7S8S9STSJSQSA"]
    hands = [
        "C2C3C4C5C6 D9DTDJ H8H9HTHJHQ",
        "C7C8C9CTCJ DQDKDA HKHASKS2S3",
        "CQCKCAD2D3 H2H3H4 S4S5S6S7S8",
        "D4D5D6D7D8 H5H6H7 S9STSJSQSA",
    ]
    keys = GOULASH + "+deal.goulash.cut=false"
    unsorted = keys + "+deal.goulash.sort_hands=false"
    assert replay_session([line(unsorted, 0, PASSED_OUT, thrown), line(unsorted, 1, PASSED_OUT, joined(hands))])
    refused([line(keys, 0, PASSED_OUT, thrown), line(keys, 1, PASSED_OUT, joined(hands))], "Deal 2 is goulash")


def test_the_round_of_fours_goes_by_the_number_of_the_deal() -> None:
    """An abundance declared, bid and lost, brings a shuffle, so only the fifth deal is gathered: from deal four."""
    name = FIXED + '+deal.packets="rotating_4_by_deal"+deal.shuffle="barely"+deal.cut=false'
    lost = "calls DECL; plays CAC5C8CJ S2S5S8SA; result -18 +6 +6 +6"
    shuffled = [line(name, dealer, lost, LAYER_DEAL, "S") for dealer in (0, 1, 2)]
    fourth = line(name, 3, PASSED_OUT, suit="S")
    fifth = line(name, 0, PASSED_OUT, joined(FOURS_FIRST), "S")
    session = replay_session([*shuffled, fourth, fifth])
    assert [deal.pack for deal in session.deals] == [*["shuffled"] * 4, "gathered"]
    assert session.account == [18, -6, -6, -6]
    for hands in (FOURS_SECOND, FOURS_THIRD, FOURS_LAST):
        refused([*shuffled, fourth, line(name, 0, PASSED_OUT, joined(hands), "S")], "Deal 5 is gathered")
    refused([*shuffled[1:], fourth, fifth], "Deal 4 is gathered")
    last = line(name, 0, PASSED_OUT, joined(FOURS_LAST), "S")
    assert replay_session([*shuffled[1:], fourth, last])


# The suit (clause 2.8).


def cycling(name: str, told: list[tuple[str, str, list[str]]]) -> list[str]:
    """Deals of a session by suit and course, the first dealt by seat 0."""
    return [line(name, number % 4, rest, hands, suit) for number, (suit, rest, hands) in enumerate(told)]


OUT = (PASSED_OUT, SUIT_DEAL)
PLAYED = (LOST_MISERE, LAYER_DEAL)


def test_a_cycle_goes_on_after_deals_that_were_played() -> None:
    told = [("D", *OUT), ("D", *PLAYED), ("S", *OUT), ("S", *PLAYED), ("N", *PLAYED), ("H", *OUT)]
    session = replay_session(cycling("anna_cubed", told))
    assert [deal.places for deal in session.deals] == [(2,), (2,), (3,), (3,), (4,), (0,)]
    assert session.account == [-2, -2, -2, 6]
    refused(cycling("anna_cubed", [("D", *OUT), ("S", *OUT)]), "Deal 2 has the suit S")
    refused(cycling("anna_cubed", [("D", *PLAYED), ("D", *OUT)]), "Deal 2 has the suit D")
    refused(cycling("anna_cubed", [*told[:4], ("H", *OUT)]), "Deal 5 has the suit H")
    # A proposal given up was not played; a general misère was.
    assert replay_session(cycling("anna_cubed", [("H", THROWN_IN, SUIT_DEAL), ("H", *OUT)]))
    general = 'anna_cubed+passout.mode="first_to_five"'
    assert replay_session(cycling(general, [("H", FIVE_TRICKS, SUIT_DEAL), ("C", FIVE_TRICKS, SUIT_DEAL)]))
    refused(
        cycling(general, [("H", FIVE_TRICKS, SUIT_DEAL), ("H", FIVE_TRICKS, SUIT_DEAL)]), "Deal 2 has the suit H"
    )


def test_a_cycle_goes_on_after_every_deal() -> None:
    every = 'anna_cubed+trump.cycle_advance="every_deal"'
    told = [("S", *OUT), ("N", *PLAYED), ("H", *OUT), ("C", *OUT)]
    assert [deal.places for deal in replay_session(cycling(every, told)).deals] == [(3,), (4,), (0,), (1,)]
    refused(cycling(every, [("D", *OUT), ("D", *OUT)]), "Deal 2 has the suit D")
    assert cycle_advances(finished(every, PASSED_OUT, suit="D"))
    assert not cycle_advances(finished("anna_cubed", PASSED_OUT, suit="D"))
    assert cycle_advances(finished("anna_cubed", LOST_MISERE, LAYER_DEAL, "D"))


def test_a_cycle_that_has_a_suit_twice() -> None:
    name = 'pagat+trump.source="cycle"+trump.cycle=["H","C","H","D"]'
    assert [deal.places for deal in replay_session(cycling(name, [("H", *OUT)])).deals] == [(0, 2)]
    told = [("H", *OUT), ("D", *OUT)]
    assert [deal.places for deal in replay_session(cycling(name, told)).deals] == [(2,), (3,)]
    refused(cycling(name, [*told, ("C", *OUT)]), "Deal 3 has the suit C")
    refused(cycling(name, [("H", *OUT), ("H", *OUT)]), "Deal 2 has the suit H")


def test_other_sources_of_the_suit() -> None:
    second = 'pagat+trump.source="second_pack_cut"'
    assert replay_session(cycling(second, [("H", *OUT), ("H", *OUT), ("C", *OUT)]))
    assert replay_session(cycling(FIXED, [("S", *OUT), ("S", *OUT)]))
    refused(cycling(FIXED, [("S", *OUT), ("H", *OUT)]), "Deal 2: .* suit of a deal cannot be 'H'")


# What is no session.


def test_what_is_no_session() -> None:
    passed = line("pagat", 0, PASSED_OUT)
    refused([], "at least one deal")
    refused([passed, line("pagat", 1, "calls PASS PASS PASS")], "Deal 2 is not over")
    refused([line("pagat", 1, "calls MIS PASS PASS PASS; plays D2D5D8DJ", LAYER_DEAL)], "Deal 1 is not over")
    refused(
        [passed, line("pagat", 1, PASSED_OUT.replace("0 0 0 0", "+1 +1 -1 -1"))], "Deal 2: .* states the result"
    )
    refused([passed, line("pagat", 1, "calls PASS COP")], "Deal 2: .* is illegal")
    refused([passed, line("hoyle", 1, PASSED_OUT)], "Deal 2 is played by another ruleset")
    refused([passed, line(BARELY, 1, PASSED_OUT)], "Deal 2 is played by another ruleset")
    assert replay_session([passed, line("pagat+pay.base.MIS=2", 1, PASSED_OUT)])  # the same rules in other words


def test_an_unfinished_deal_leaves_nothing_to_the_next() -> None:
    game = replay(line("pagat", 0, "calls PASS PASS"))
    for ask in (gathered, goulash_stack, next_pack_kind, cycle_advances):
        with pytest.raises(ValueError, match="not over"):
            ask(game)
    with pytest.raises(ValueError, match="not over"):
        next_dealer(game, 0)
