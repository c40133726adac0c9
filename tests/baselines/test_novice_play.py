"""How the novice plays a card, one position a principle. Seat 3 deals, seat 0 leads, hearts are turned up."""

from baselines.novice import NovicePlayer
from solo_env import actions

from .driving import position

NOVICE = NovicePlayer()

SOLO_BY_1 = ["PASS", "SOLO", "PASS", "PASS"]
SOLO_BY_0 = ["SOLO", "PASS", "PASS", "PASS"]
PARTNERS_0_AND_2 = ["PROP", "PASS", "COP", "PASS"]
MISERE_BY_0 = ["MIS", "PASS", "PASS", "PASS"]
MISERE_BY_1 = ["PASS", "MIS", "PASS", "PASS"]
MISERE_BY_2 = ["PASS", "PASS", "MIS", "PASS"]
ABUNDANCE_BY_0 = ["ABU", "PASS", "PASS", "PASS", "TRUMPS S"]


def played(hands, calls, plays="", *, seat, **more):
    """The card that the seat on turn plays; it holds of the suits named for it just the cards named."""
    table = position(hands, calls, plays, whole=seat, **more)
    assert table.turn == seat
    return actions.text(NOVICE.act(table.view(table.turn)))


def why(hands, calls, plays):
    table = position(hands, calls, plays)
    return NOVICE.explain(table.view(table.turn))


# --- Following in contracts for tricks ---------------------------------------------------------------------


def test_fourth_hand_wins_as_cheaply_as_it_can():
    hands = {0: "S7", 1: "SJ", 2: "S2", 3: "SQSKS3"}
    assert played(hands, SOLO_BY_1, "S7SJS2", seat=3) == "SQ"
    assert why(hands, SOLO_BY_1, "S7SJS2") == "SQ: no opponent plays after it, so wins as cheaply as it can."


def test_fourth_hand_leaves_a_trick_that_a_fellow_defender_wins():
    assert played({0: "SK", 1: "S4", 2: "S2", 3: "SAS3"}, SOLO_BY_1, "SKS4S2", seat=3) == "S3"


def test_a_defender_that_cannot_win_plays_low():
    assert played({0: "S7", 1: "SA", 2: "S2", 3: "SQSKS3"}, SOLO_BY_1, "S7SAS2", seat=3) == "S3"


def test_a_defender_wins_cheaply_once_the_caller_has_played():
    assert played({0: "S7", 1: "S9", 2: "STSKS3"}, SOLO_BY_1, "S7S9", seat=2) == "ST"


def test_third_hand_does_not_overtake_its_partners_sure_winner():
    assert played({0: "SA", 1: "S2", 2: "SKS3"}, PARTNERS_0_AND_2, "SAS2", seat=2) == "S3"


def test_third_hand_plays_high_when_an_opponent_may_still_beat_its_partner():
    assert played({0: "S4", 1: "S6", 2: "SKS3"}, PARTNERS_0_AND_2, "S4S6", seat=2) == "SK"


def test_third_hand_plays_the_lowest_of_a_sequence():
    assert played({0: "S4", 1: "S6", 2: "SKSQSJS3"}, PARTNERS_0_AND_2, "S4S6", seat=2) == "SJ"


def test_third_hand_does_not_waste_a_card_equal_to_its_partners():
    assert played({0: "SQ", 1: "S6", 2: "SKS3"}, PARTNERS_0_AND_2, "SQS6", seat=2) == "S3"


def test_second_hand_plays_low_with_a_card_that_may_be_beaten():
    assert played({0: "S4", 1: "SKSTS3"}, PARTNERS_0_AND_2, "S4", seat=1) == "S3"


def test_second_hand_wins_with_what_nothing_can_beat():
    assert played({0: "S4", 1: "SASTS3"}, PARTNERS_0_AND_2, "S4", seat=1) == "SA"


def test_a_void_seat_ruffs_low_when_the_others_are_winning():
    hands = {0: "S4", 1: "SK", 2: "HTH5C3"}
    assert played(hands, PARTNERS_0_AND_2, "S4SK", seat=2, void="2S") == "H5"


def test_a_ruff_goes_over_the_one_before_it():
    hands = {0: "S4", 1: "H7", 2: "HTH5C3"}
    assert played(hands, PARTNERS_0_AND_2, "S4H7", seat=2, void="1S2S", turned="H2") == "HT"


def test_a_seat_that_cannot_overruff_keeps_its_trumps():
    hands = {0: "S4", 1: "HA", 2: "HTH5C3C4C6C8C9D3D4D6D8D9D7"}
    assert played(hands, PARTNERS_0_AND_2, "S4HA", seat=2, void="1S") in ("C3", "D3")


def test_a_seat_does_not_ruff_its_partners_ace():
    hands = {0: "SA", 1: "S2", 2: "HTH5C3C4C6C8C9D3D4D6D8D9D7"}
    assert played(hands, PARTNERS_0_AND_2, "SAS2", seat=2) in ("C3", "D3")


def test_a_seat_does_not_ruff_its_partners_king_though_the_ace_is_to_come():
    hands = {0: "SK", 1: "S2", 2: "HTH5C3C4C6C8C9D3D4D6D8D9D7", 3: "SA"}
    assert played(hands, PARTNERS_0_AND_2, "SKS2", seat=2) in ("C3", "D3")


def test_an_ace_of_another_suit_wins_nothing_and_is_kept():
    hands = {0: "S4", 1: "SK", 2: "CAC9C8C7C6C5C4C3DAD9D8D7D6"}
    assert played(hands, PARTNERS_0_AND_2, "S4SK", seat=2) not in ("CA", "DA")


def test_a_discard_does_not_bare_a_king():
    hands = {0: "SA", 1: "S2", 2: "CKC3D9D8D7D6D5D4H3H4H5H6H7"}
    assert played(hands, SOLO_BY_1, "SAS2", seat=2) == "D4"


# --- Leading in contracts for tricks -----------------------------------------------------------------------


def test_a_declarer_with_long_trumps_draws_them():
    hands = {0: "SASKSQSTS9S8S7HAC3C4D3D4D6"}
    assert played(hands, ABUNDANCE_BY_0, seat=0) == "SQ"  # no better than the ace to it, as nothing lies between


def test_a_declarer_stops_when_the_opponents_have_no_trumps():
    # Seat 1 holds the one trump that is out, and it falls to the first lead.
    hands = {0: "SASKSQSJSTS9S8S7S6S5S4S3HA", 1: "S2"}
    table = position(hands, ABUNDANCE_BY_0, "SA", void="2S3S", turned="H3")
    table.apply(actions.parse("S2"))
    while table.turn != 0:
        table.apply(table.legal_actions()[0])
    assert actions.text(NOVICE.act(table.view(0))) == "HA"


def test_a_partner_does_not_draw_trumps_from_its_own_side_alone():
    # Both opponents have failed to follow trumps; only the partner still holds some.
    hands = {
        0: "HAH9H8H7C2C3C4C5C6D2D3D4D5",
        1: "SAS9S8S7S6S5S4D6D7D8DJC7C8",
        2: "HKHQHJHTH6H5H4CADACKDKCQDQ",
        3: "S2S3STSJSQSKC9CTCJD9DTH3H2",
    }
    table = position(hands, PARTNERS_0_AND_2, "HADJHKH2")
    assert table.turn == 0
    # Seat 3 followed, so it may hold more.
    assert int(NOVICE.act(table.view(0))) // 13 == 2
    for card in ("H9", "D8", "HT", "H3", "HQ", "S2", "H7", "D7"):
        table.apply(actions.parse(card))
    assert table.turn == 2
    assert int(NOVICE.act(table.view(2))) // 13 != 2


def test_a_defender_cashes_a_sure_winner_and_leads_no_trump():
    hands = {0: "SAS3HKHQC4C6C7C8D3D5D7D9DT"}
    assert played(hands, SOLO_BY_1, seat=0) == "SA"


def test_a_lead_from_a_sequence_is_its_top():
    hands = {0: "SKSQSJS4S3H3H4C4C6C7D3D5D7"}
    assert played(hands, SOLO_BY_1, seat=0) == "SK"


def test_a_lead_without_a_sequence_is_low_from_the_longest_suit():
    hands = {0: "SKSTS8S6S3H3H4C4C6C7D3D5D7"}
    assert played(hands, SOLO_BY_1, seat=0) == "S3"


# --- Playing a misère --------------------------------------------------------------------------------------


def test_the_caller_ducks_as_high_as_it_can():
    assert played({0: "S9", 1: "S4", 2: "SKS8S2"}, MISERE_BY_2, "S9S4", seat=2) == "S8"


def test_the_caller_that_cannot_duck_goes_low_and_hopes():
    assert played({0: "S3", 1: "S2", 2: "SKS8S5"}, MISERE_BY_2, "S3S2", seat=2) == "S5"


def test_the_caller_throws_its_most_dangerous_card():
    hands = {0: "S9", 1: "S4", 2: "HAC2C3C4C5C6D2D3D4D5D6H4H3"}
    assert played(hands, MISERE_BY_2, "S9S4", seat=2) == "HA"


def test_the_caller_leads_what_others_can_most_surely_beat():
    hands = {0: "SAHKH2C9C8C7C6D9D8D7D6D5DT"}
    assert played(hands, MISERE_BY_0, seat=0, turned="H3") == "H2"


# --- Attacking a misère ------------------------------------------------------------------------------------


def test_a_defender_sheds_its_highest_card_once_the_caller_has_ducked():
    hands = {0: "S6", 1: "S4", 2: "SAS5"}
    assert played(hands, MISERE_BY_1, "S6S4", seat=2) == "SA"
    assert why(hands, MISERE_BY_1, "S6S4") == "SA: the caller has ducked, so sheds its highest card."


def test_a_defender_stays_under_a_caller_who_is_winning():
    assert played({0: "S4", 1: "S6", 2: "SAS5S3"}, MISERE_BY_1, "S4S6", seat=2) == "S5"


def test_a_defender_that_must_beat_the_caller_does_so_with_its_highest():
    assert played({0: "S3", 1: "S4", 2: "SAS5S6"}, MISERE_BY_1, "S3S4", seat=2) == "SA"


def test_a_defender_keeps_the_trick_low_before_the_caller_plays():
    assert played({0: "S4", 1: "SKS9S7"}, MISERE_BY_2, "S4", seat=1) == "S7"


def test_a_defender_sheds_under_the_winning_card_before_the_caller_plays():
    assert played({0: "S9", 1: "SKS8S2"}, MISERE_BY_2, "S9", seat=1) == "S8"


def test_a_void_defender_throws_a_high_card_of_a_suit_the_caller_may_hold():
    hands = {0: "S9", 1: "DKC2C3C4C5C6C7C8D2D3H4H3H6"}
    assert played(hands, MISERE_BY_2, "S9", seat=1, turned="H9") == "DK"


def test_the_attack_on_a_misere_opens_low_from_the_shortest_suit():
    assert played({0: "S3S9C3C7C9CJD3D7D9DJH4H7H9"}, MISERE_BY_1, seat=0) == "S3"


def test_a_defender_does_not_lead_a_suit_in_which_the_caller_is_void():
    # The caller (seat 1) throws a diamond on the ace of spades; the leader has low spades left.
    hands = {0: "SAS2S3H7H8HTC9CTCJD9DTDJDK", 1: "DA", 2: "S5", 3: "S4"}
    table = position(hands, MISERE_BY_1, "SADAS5S4", void="1S", turned="H9")
    assert table.turn == 0
    assert int(NOVICE.act(table.view(0))) // 13 != 3


def test_against_an_exposed_hand_a_defender_leads_a_suit_the_caller_may_have_to_win():
    # Only in diamonds does the caller hold a card above one of the leader's. Unseen, the shorter clubs would do.
    hands = {0: "SAC4C5D4D5D6H7H8HTHJHQS7S8", 1: "S2S3S4S5S6C2C3D2D3D7D8D9DT"}
    table = position(hands, ["PASS", "OUV", "PASS", "PASS"], "SAS2")
    while table.turn != 0:
        table.apply(table.legal_actions()[0])
    assert table.view(0).exposed_rel == 1
    assert actions.text(NOVICE.act(table.view(0))) == "D4"
