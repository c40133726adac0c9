"""Revokes in the oracle (clauses 6.5 and 9.1): whole deals played by hand, and settlements worked out by hand."""

from __future__ import annotations

from itertools import product

import pytest

from tests.rulebook import RULESETS, Game, general_misere, payment, replay, ruleset, split_cards, trace, won
from tests.rulebook.test_rulebook import LAYER_DEAL

# In these three deals second holds the diamonds and third the hearts, so only eldest and the dealer can revoke.
# They share clubs and spades; spades are turned. The number is that of the dealer's spades.
DIAMONDS, HEARTS = "D2D3D4D5D6D7D8D9DTDJDQDKDA", "H2H3H4H5H6H7H8H9HTHJHQHKHA"
FOUR = ["CJCQCKCAS2S3S4S5S6S7S8S9ST", DIAMONDS, HEARTS, "C2C3C4C5C6C7C8C9CTSJSQSKSA"]
SIX = ["C9CTCJCQCKCAS2S3S4S5S6S7S8", DIAMONDS, HEARTS, "C2C3C4C5C6C7C8S9STSJSQSKSA"]
EIGHT = ["C7C8C9CTCJCQCKCAS2S3S4S5S6", DIAMONDS, HEARTS, "C2C3C4C5C6S7S8S9STSJSQSKSA"]
ELEVEN = ["C4C5C6C7C8C9CTCJCQCKCAS2S3", DIAMONDS, HEARTS, "C2C3S4S5S6S7S8S9STSJSQSKSA"]

# Eldest throws a club on the ace of spades, in trick 2; the dealer takes tricks 1 to 4, eldest the rest.
FOUR_PLAYS = (
    "S2D2H2SJ SACJD3H3 SKS3D4H4 SQS4D5H5 C2CQD6H6 CKD7H7C3 CAD8H8C4 S5D9H9C5 S6DTHTC6 S7DJHJC7 S8DQHQC8 S9DKHKC9 "
    "STDAHACT"
)
# In the others the dealer ruffs the club led to trick 1 while he holds clubs, and then leads spades.
SIX_PLAYS = (
    "C9D2H2S9 SAS2D3H3 SKS3D4H4 SQS4D5H5 SJS5D6H6 STS6D7H7 C2CTD8H8 CJD9H9C3 CQDTHTC4 CKDJHJC5 CADQHQC6 S7DKHKC7 "
    "S8DAHAC8"
)
EIGHT_PLAYS = (
    "C7D2H2S7 SAS2D3H3 SKS3D4H4 SQS4D5H5 SJS5D6H6 STS6D7H7 S9C8D8H8 S8C9D9H9 C2CTDTHT CJDJHJC3 CQDQHQC4 CKDKHKC5 "
    "CADAHAC6"
)
ELEVEN_PLAYS = (
    "C4D2H2S4 SAS2D3H3 SKS3D4H4 SQC5D5H5 SJC6D6H6 STC7D7H7 S9C8D8H8 S8C9D9H9 S7CTDTHT S6CJDJHJ S5CQDQHQ C2CKDKHK "
    "CADAHAC3"
)
# Both revoke: the dealer in trick 1, eldest by throwing a club on the ace of spades in trick 2.
BOTH_PLAYS = (
    "C4D2H2S4 SAC5D3H3 SKS2D4H4 SQS3D5H5 SJC6D6H6 STC7D7H7 S9C8D8H8 S8C9D9H9 S7CTDTHT S6CJDJHJ S5CQDQHQ C2CKDKHK "
    "CADAHAC3"
)

DEALERS_SOLO = "PASS PASS PASS SOLO"
SECOND_AND_DEALER, ELDEST_AND_THIRD, ELDEST_AND_DEALER = (
    "PASS PROP PASS COP",
    "PROP PASS COP PASS",
    "PROP PASS PASS COP",
)


def record(name: str, hands: list[str], calls: str, plays: str, result: str = "") -> str:
    claim = f"; result {result}" if result else ""
    return (
        f'{name}+play.revokes="possible"@0; dealer 2; deal {" ".join(hands)}; calls {calls}; plays {plays}{claim}'
    )


TRANSFER = "+laws.revoke_transfer=true"


@pytest.mark.parametrize(
    ("name", "hands", "calls", "plays", "revokes", "result"),
    [
        # Eight less three are five, but a side that revoked cannot win: the bare price, sixpence.
        ("hoyle", EIGHT, DEALERS_SOLO, EIGHT_PLAYS, [3], "+6 +6 +6 -18"),
        # Six less three are three, two short.
        ("hoyle", SIX, DEALERS_SOLO, SIX_PLAYS, [3], "+8 +8 +8 -24"),
        # Four tricks, but the other side cannot win; eldest pays for all three.
        ("hoyle", FOUR, DEALERS_SOLO, FOUR_PLAYS, [0], "-18 0 0 +18"),
        # Given to the caller, the three tricks make it seven: two over.
        ("hoyle" + TRANSFER, FOUR, DEALERS_SOLO, FOUR_PLAYS, [0], "-24 0 0 +24"),
        # What the caller loses, nobody is given.
        ("hoyle" + TRANSFER, SIX, DEALERS_SOLO, SIX_PLAYS, [3], "+8 +8 +8 -24"),
        # Eleven of two partners less three are eight: the price, from each partner to one opponent.
        ("hoyle", ELEVEN, SECOND_AND_DEALER, ELEVEN_PLAYS, [3], "+6 -6 +6 -6"),
        # Against the proposal of eldest and third the dealer pays both winners, though they took two tricks.
        ("hoyle", ELEVEN, ELDEST_AND_THIRD, ELEVEN_PLAYS, [3], "+6 0 +6 -12"),
        ("hoyle" + TRANSFER, ELEVEN, ELDEST_AND_THIRD, ELEVEN_PLAYS, [3], "+6 0 +6 -12"),  # five are short of eight
        # Revokes on both sides: void.
        ("hoyle", ELEVEN, DEALERS_SOLO, BOTH_PLAYS, [3, 0], "0 0 0 0"),
        ("hoyle", ELEVEN, SECOND_AND_DEALER, BOTH_PLAYS, [3, 0], "0 0 0 0"),
        # Both on one side: thirteen less six are seven, one short.
        ("hoyle", ELEVEN, ELDEST_AND_DEALER, BOTH_PLAYS, [3, 0], "-7 +7 +7 -7"),
        # The same on the other side against a proposal of second and third without a trick: each pays his share.
        ("hoyle", ELEVEN, "PASS PROP COP PASS", BOTH_PLAYS, [3, 0], "-6 +6 +6 -6"),
        # Basic units.
        ("pagat", EIGHT, DEALERS_SOLO, EIGHT_PLAYS, [3], "+1 +1 +1 -3"),
        ("pagat", FOUR, DEALERS_SOLO, FOUR_PLAYS, [0], "-3 0 0 +3"),
        ("pagat+pay.unit=5", FOUR, DEALERS_SOLO, FOUR_PLAYS, [0], "-15 0 0 +15"),
        # Cents: tricks over are paid, tricks under are not.
        ("everything2", SIX, DEALERS_SOLO, SIX_PLAYS, [3], "+10 +10 +10 -30"),
        ("everything2" + TRANSFER, FOUR, DEALERS_SOLO, FOUR_PLAYS, [0], "-36 0 0 +36"),
    ],
)
def test_deals_with_revokes(
    name: str, hands: list[str], calls: str, plays: str, revokes: list[int], result: str
) -> None:
    game = replay(record(name, hands, calls, plays, result))
    assert (game.revokes, len(game.history), game.outcome) == (revokes, 13, "played")


def test_without_the_key_nobody_can_revoke() -> None:
    for hands, plays in ((FOUR, FOUR_PLAYS), (SIX, SIX_PLAYS), (EIGHT, EIGHT_PLAYS), (ELEVEN, ELEVEN_PLAYS)):
        line = record("hoyle", hands, DEALERS_SOLO, plays)
        with pytest.raises(ValueError, match="is illegal"):
            replay(line.replace('+play.revokes="possible"', ""))


def test_every_held_card_may_be_played() -> None:
    """Clause 6.1 is left to the players, on a lead and after it."""
    seen = trace(record("hoyle", ELEVEN, DEALERS_SOLO, "C4D2H2S4 SAC5"))
    held = [frozenset(split_cards(hand)) for hand in ELEVEN]
    assert seen[4:] == [
        (0, held[0]),
        (1, held[1]),
        (2, held[2]),
        (3, held[3]),
        (3, held[3] - {"S4"}),
        (0, held[0] - {"C4"}),
        (1, held[1] - {"D2"}),
    ]


def test_a_revoke_is_noted_when_the_card_is_played_and_every_time() -> None:
    def revokes(plays: str) -> list[int]:
        return replay(record("hoyle", ELEVEN, DEALERS_SOLO, plays)).revokes

    assert revokes("C4D2H2") == []  # they have no clubs
    assert revokes("C4D2H2S4") == [3]
    assert revokes("C4D2H2S4 SAC5") == [3, 0]
    assert revokes("C4D2H2S4 SAC5D3H3 SKC6") == [3, 0, 0]
    assert revokes("C4D2H2S4 SAC5D3H3 SKS2D4H4 SQS3D5H5 SJC6") == [3, 0]  # his spades are gone
    assert revokes("C4D2H2C2") == []


def test_the_winner_of_a_trick_with_a_revoke_is_found_as_always() -> None:
    game = replay(record("hoyle", ELEVEN, DEALERS_SOLO, "C4D2H2S4 SAC5D3H3"))
    assert [trick.winner for trick in game.history] == [3, 3]
    game = replay(record("pagat", LAYER_DEAL, "MIS PASS PASS PASS", "D2S5D8DJ"))
    assert game.history[0].winner == 3


# The misères (clause 6.5): over with the trick in which somebody revoked.


@pytest.mark.parametrize(
    ("name", "calls", "plays", "revokes", "result"),
    [
        # Second throws a spade on eldest's diamond: his misère is won at once, and second pays for the three.
        ("pagat", "MIS PASS PASS PASS", "D2S5D8DJ", [1], "+6 -6 0 0"),
        ("pagat", "OUV PASS PASS PASS", "D2S5D8DJ", [1], "+12 -12 0 0"),
        ("hoyle", "MIS PASS PASS PASS", "D2S5D8DJ", [1], "+36 -36 0 0"),
        # Second and third revoke; second was first, so he pays the dealer's share as well.
        ("hoyle", "MIS PASS PASS PASS", "D2S5H8DJ", [1, 2], "+36 -24 -12 0"),
        # Third and the dealer.
        ("hoyle", "MIS PASS PASS PASS", "D2D5H8SA", [2, 3], "+36 0 -24 -12"),
        # All three: each his own.
        ("hoyle", "MIS PASS PASS PASS", "D2S5H8SA", [1, 2, 3], "+36 -12 -12 -12"),
        # A trick without a revoke comes first.
        ("pagat", "MIS PASS PASS PASS", "D2D5D8DJ SJS2C5S8", [1], "+6 -6 0 0"),
        # The caller revokes: lost without a trick.
        ("pagat", "MIS PASS PASS PASS", "D2D5D8DJ SJC2S5S8", [0], "-6 +2 +2 +2"),
        ("pagat", "PASS OUV PASS PASS", "D2S5D8DJ", [1], "+4 -12 +4 +4"),
        # Caller and second revoke in one trick: void.
        ("pagat", "MIS PASS PASS PASS", "D2D5D8DJ SJC2C5S8", [0, 1], "0 0 0 0"),
        # The caller takes the trick in which third revokes; the others cannot win all the same.
        ("pagat", "MIS PASS PASS PASS", "CAC5S8CJ", [2], "+6 0 -6 0"),
        # Where play never stops, a misère still ends with a revoke: here that of third in trick 2, after a trick
        # that the caller took.
        ("everything2", "MIS PASS PASS PASS", "CAC5C8CJ D2D5S8DJ", [2], "+75 0 -75 0"),
        ("everything2" + TRANSFER, "MIS PASS PASS PASS", "CAC5C8CJ D2D5S8DJ", [2], "+75 0 -75 0"),
        # He took trick 1 and revokes in trick 3: the price, and a cent for his trick, from which none is taken off.
        ("everything2", "MIS PASS PASS PASS", "CAC5C8CJ D2D5D8DJ SJC2S5S8", [0], "-75 +25 +25 +25"),
        ("everything2+pay.under.MIS=1", "MIS PASS PASS PASS", "CAC5C8CJ D2D5D8DJ SJC2S5S8", [0], "-78 +26 +26 +26"),
    ],
)
def test_a_misere_ends_with_a_revoke(name: str, calls: str, plays: str, revokes: list[int], result: str) -> None:
    line = record(name, LAYER_DEAL, calls, plays)
    assert replay(line[:-2]).outcome is None  # the trick is completed first
    game = replay(f"{line}; result {result}")
    assert (game.outcome, game.turn, game.revokes) == ("played", None, revokes)


def test_other_contracts_go_on_after_a_revoke() -> None:
    """Abundance declared stops when its caller loses a trick (6.4), and not before."""
    start = record("pagat", LAYER_DEAL, "PASS PASS PASS DECL", "SAC2S5S8 SKS2S6S9")
    assert (replay(start).turn, replay(start).revokes) == (3, [0])
    lost = replay(start + " CJCAC5C8; result -18 0 0 +18")  # eldest takes it, but his revoke has lost the deal
    assert lost.over
    # Where eldest leads to it, the dealer can revoke and lose the trick at once.
    line = record('pagat+contract.leader.DECL="eldest"', LAYER_DEAL, "PASS PASS PASS DECL", "C2C5C8SA")
    assert replay(line + "; result +6 +6 +6 -18").revokes == [3]
    never = record("everything2", LAYER_DEAL, "PASS PASS PASS DECL", "SAC2S5S8 CJCAC5C8")
    assert not replay(never).over


# Settlements.


@pytest.mark.parametrize(
    ("name", "contract", "partner", "tricks", "revokes", "paid"),
    [
        # Eldest calls; by Hoyle's prices a solo is 6 with 1 a trick over or under five.
        ("hoyle", "SOLO", None, [8, 5, 0, 0], [0], [-18, 6, 6, 6]),
        ("hoyle", "SOLO", None, [6, 7, 0, 0], [0], [-24, 8, 8, 8]),
        ("hoyle", "SOLO", None, [13, 0, 0, 0], [0], [-18, 6, 6, 6]),  # ten left
        ("hoyle", "SOLO", None, [8, 5, 0, 0], [0, 0], [-27, 9, 9, 9]),  # two left
        ("hoyle", "SOLO", None, [4, 9, 0, 0], [0, 0], [-33, 11, 11, 11]),  # none left, not less
        ("hoyle", "SOLO", None, [4, 9, 0, 0], [1], [18, -18, 0, 0]),
        ("hoyle", "SOLO", None, [7, 6, 0, 0], [1], [24, -24, 0, 0]),  # two over, as taken
        ("hoyle", "SOLO", None, [7, 6, 0, 0], [1, 1], [24, -24, 0, 0]),
        ("hoyle", "SOLO", None, [4, 9, 0, 0], [2, 1], [18, -6, -12, 0]),
        ("hoyle", "SOLO", None, [4, 9, 0, 0], [1, 2], [18, -12, -6, 0]),
        ("hoyle", "SOLO", None, [4, 9, 0, 0], [3, 1, 3], [18, -6, 0, -12]),
        ("hoyle", "SOLO", None, [4, 9, 0, 0], [3, 2, 1], [18, -6, -6, -6]),
        ("hoyle", "SOLO", None, [4, 9, 0, 0], [1, 0], [0, 0, 0, 0]),
        ("hoyle" + TRANSFER, "SOLO", None, [4, 9, 0, 0], [1], [24, -24, 0, 0]),
        ("hoyle" + TRANSFER, "SOLO", None, [4, 9, 0, 0], [1, 2], [33, -22, -11, 0]),  # ten, five over
        ("hoyle" + TRANSFER, "SOLO", None, [1, 12, 0, 0], [1], [18, -18, 0, 0]),  # four are short of five
        ("hoyle" + TRANSFER, "SOLO", None, [8, 5, 0, 0], [0], [-18, 6, 6, 6]),
        ("hoyle+laws.revoke_penalty_tricks=0", "SOLO", None, [8, 5, 0, 0], [0], [-18, 6, 6, 6]),
        ("hoyle+laws.revoke_penalty_tricks=0", "SOLO", None, [4, 9, 0, 0], [0], [-21, 7, 7, 7]),
        ("hoyle+laws.revoke_penalty_tricks=2", "SOLO", None, [6, 7, 0, 0], [0], [-21, 7, 7, 7]),
        ("hoyle+laws.revoke_penalty_tricks=1" + TRANSFER, "SOLO", None, [5, 8, 0, 0], [3], [21, 0, 0, -21]),
        ("hoyle+pay.unit=3", "SOLO", None, [6, 7, 0, 0], [0], [-72, 24, 24, 24]),
        # Partners are eldest and third.
        ("hoyle", "PROP", 2, [7, 1, 4, 1], [0], [-6, 6, -6, 6]),
        ("hoyle", "PROP", 2, [7, 1, 3, 2], [2], [-7, 7, -7, 7]),  # ten less three
        ("hoyle", "PROP", 2, [7, 1, 3, 2], [2, 0], [-10, 10, -10, 10]),  # ten less six
        ("hoyle", "PROP", 2, [5, 4, 3, 1], [1], [6, -12, 6, 0]),
        ("hoyle", "PROP", 2, [2, 9, 1, 1], [1], [6, -12, 6, 0]),
        ("hoyle", "PROP", 2, [6, 2, 4, 1], [3], [8, 0, 8, -16]),  # ten as taken
        ("hoyle", "PROP", 2, [6, 2, 4, 1], [3, 1], [8, -8, 8, -8]),
        ("hoyle", "PROP", 2, [6, 2, 4, 1], [3, 2], [0, 0, 0, 0]),
        # Thirteen double the tricks over, but only as taken: with a trick or two given they are five, undoubled.
        ("hoyle", "PROP", 2, [9, 0, 4, 0], [1], [16, -32, 16, 0]),
        ("hoyle" + TRANSFER, "PROP", 2, [9, 0, 4, 0], [1], [16, -32, 16, 0]),
        ("hoyle" + TRANSFER, "PROP", 2, [8, 0, 4, 1], [1], [11, -22, 11, 0]),
        ("hoyle" + TRANSFER, "PROP", 2, [7, 2, 4, 0], [1], [11, -22, 11, 0]),
        ("hoyle", "PROP", 2, [9, 0, 4, 0], [0], [-6, 6, -6, 6]),
        # An abundance is 18 with 2 over and 1 under nine.
        ("hoyle", "ABU", None, [10, 3, 0, 0], [0], [-60, 20, 20, 20]),
        ("hoyle", "ABU", None, [10, 3, 0, 0], [2], [60, 0, -60, 0]),
        ("hoyle" + TRANSFER, "ABU", None, [8, 5, 0, 0], [2], [66, 0, -66, 0]),
        # A misère counts no tricks off or on.
        ("hoyle", "MIS", None, [0, 2, 0, 0], [0], [-36, 12, 12, 12]),
        ("hoyle" + TRANSFER, "MIS", None, [0, 2, 0, 0], [2], [36, 0, -36, 0]),
        ('pagat+play.stop="never"+pay.under.OUV=1', "OUV", None, [2, 1, 0, 0], [0], [-18, 6, 6, 6]),
        ('pagat+play.stop="never"+pay.under.OUV=1', "OUV", None, [2, 1, 0, 0], [1], [12, -12, 0, 0]),
        # Thirteen tricks, and lost all the same.
        ("pagat", "DECL", None, [13, 0, 0, 0], [0], [-18, 6, 6, 6]),
        ("pagat", "DECL", None, [2, 1, 0, 0], [3], [18, 0, 0, -18]),
        ('pagat+play.stop="never"+pay.under.DECL=1', "DECL", None, [13, 0, 0, 0], [0], [-27, 9, 9, 9]),
    ],
)
def test_settlements(
    name: str, contract: str, partner: int | None, tricks: list[int], revokes: list[int], paid: list[int]
) -> None:
    assert payment(contract, 0, partner, tricks, ruleset(name), revokes) == paid


@pytest.mark.parametrize(
    ("contract", "tricks", "revokes", "expected"),
    [
        ("ABU", [9, 4, 0, 0], [], True),
        ("ABU", [8, 5, 0, 0], [], False),
        ("ABU", [13, 0, 0, 0], [0], False),
        ("ABU", [3, 10, 0, 0], [1], True),
        ("ABU", [13, 0, 0, 0], [1, 0], False),
        ("MIS", [0, 4, 0, 0], [0], False),
        ("MIS", [1, 0, 0, 0], [2], True),
    ],
)
def test_a_side_that_revoked_has_not_won(
    contract: str, tricks: list[int], revokes: list[int], expected: bool
) -> None:
    assert won(contract, 0, None, tricks, RULESETS["hoyle"], revokes) is expected


@pytest.mark.parametrize("transfer", ["", TRANSFER])
@pytest.mark.parametrize("name", ["hoyle", "bga", "everything2"])
def test_every_settlement_of_revokes_sums_to_nothing(name: str, transfer: str) -> None:
    settings = ruleset(name + transfer)
    for contract in settings["auction"]["ladder"]:
        partner = 3 if contract == "PROP" else None
        side = {1, partner}
        for taken, first, second in product(range(14), (0, 1, 2, 3), (None, 0, 1, 2, 3)):
            revokes = [first] if second is None else [first, second]
            paid = payment(contract, 1, partner, [13 - taken, taken, 0, 0], settings, revokes)
            assert sum(paid) == 0
            guilty = {position in side for position in revokes}
            if guilty == {True, False}:
                assert paid == [0, 0, 0, 0]
            else:
                assert (paid[1] < 0) == (guilty == {True})
                innocent = [position for position in (0, 1, 2, 3) if position not in revokes]
                assert guilty == {True} or all(paid[position] >= 0 for position in innocent)


# The general misère: whoever revoked pays as the loser, in all four forms.


@pytest.mark.parametrize("mode", ["last_trick", "fewest", "first_to_five", "most_tricks"])
@pytest.mark.parametrize(
    ("revokes", "paid"),
    [
        ([2], [1, 1, -3, 1]),
        ([2, 2], [1, 1, -3, 1]),
        ([3, 0], [-2, 2, 2, -2]),
        ([0, 1, 3], [-1, -1, 3, -1]),
        ([0, 1, 2, 3], [0, 0, 0, 0]),
    ],
)
def test_a_revoke_in_a_general_misere(mode: str, revokes: list[int], paid: list[int]) -> None:
    settings = ruleset(f'pagat+passout.mode="{mode}"')
    for winners in ([0] * 5, [1] * 13) if mode == "first_to_five" else ([1] * 13, [0, 1, 2, 3] * 3 + [3]):
        assert general_misere(winners, settings, revokes) == paid
        fourfold = ruleset(f'margin4+passout.mode="{mode}"')
        assert general_misere(winners, fourfold, revokes) == [4 * units for units in paid]


def test_a_general_misere_with_a_revoke_is_played_to_its_end() -> None:
    """Eldest takes the first five tricks, but the dealer threw a spade while he had clubs."""
    name = 'pagat+passout.mode="first_to_five"'
    line = record(name, ELEVEN, "PASS PASS PASS PASS", "C4D2H2S4 C5D3H3C2 C6D4H4C3 C7D5H5S5")
    assert not replay(line).over
    game = replay(line + " C8D6H6S6; result +1 +1 +1 -3")
    assert (game.tricks, game.revokes) == ([5, 0, 0, 0], [3])
    honest = record(
        name, ELEVEN, "PASS PASS PASS PASS", "C4D2H2C2 C5D3H3C3 C6D4H4S4 C7D5H5S5 C8D6H6S6", "-3 +1 +1 +1"
    )
    assert replay(honest).revokes == []


def test_a_game_that_is_not_over_has_not_been_won() -> None:
    game = Game([split_cards(hand) for hand in LAYER_DEAL], ruleset('pagat+play.revokes="possible"'))
    assert not game.won
    for action in ("MIS", "PASS", "PASS", "PASS", "D2", "S5", "D8"):
        game.act(action)
    assert (game.won, game.over) == (False, False)
    game.act("DJ")
    assert (game.won, game.over) == (True, True)
