"""Records: print, parse, replay, refuse."""

from __future__ import annotations

import random

import pytest

from solo_env import actions, events, record
from solo_env.record import RecordError
from solo_env.rules import RulesetError, load_ruleset
from solo_env.signature import signature
from solo_env.table import Table
from tests.playing import random_position

HANDS = (
    "SASJS8S7H6DTD7D6D5D3CKC9C8 S9S5S3S2HTH4H2D9D8CACJC3C2 SKSQHAHQH9H7H5DADQCQCTC6C4 STS6S4HKHJH8DKDJD4D2C7C5H3"
)
START = f"pagat; dealer 3; deal {HANDS}"


def test_print_and_parse_are_inverse_for_positions_of_every_kind():
    rng = random.Random(1)
    for _ in range(400):
        line = random_position(rng).record()
        assert str(record.parse(line)) == line
        assert Table.from_record(line).record() == line


def test_hands_go_from_eldest_and_the_turned_card_is_the_dealers_last():
    table = Table.from_record(START.replace("dealer 3", "dealer 1"))
    assert table.turn == 2
    assert actions.text(int(table.data["dealt"][2][0])) == "SA"
    assert actions.text(int(table.data["turned_card"])) == "H3"
    assert record.parse(table.record()).hands_by_seat()[2][0] == 51


def test_named_trumps_stand_between_calls_and_plays():
    line = f"{START}; calls PASS ABU PASS PASS; trumps S; plays SA"
    table = Table.from_record(line)
    assert table.data["trump"] == 3
    assert table.record().endswith("calls PASS ABU PASS PASS; trumps S; plays SA")


def test_a_thrown_in_deal_has_a_result_of_zeros():
    assert Table.from_record(f"{START}; calls PASS PASS PASS PASS").record().endswith("result 0 0 0 0")


def test_a_record_carries_its_overrides_and_signature():
    line = Table.from_record(START.replace("pagat", "pagat+pay.base.MIS=3")).record()
    ruleset = load_ruleset("pagat+pay.base.MIS=3")
    assert line.startswith(f"pagat+pay.base.MIS=3@{signature(ruleset)}; ")
    assert signature(ruleset) != signature(load_ruleset("pagat"))


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("", "no ruleset is named"),
        ("bridge; dealer 0", "no ruleset 'bridge'"),
        ("pagat", "no 'dealer' field"),
        ("pagat; dealer 3", "no 'deal' field"),
        (START.replace("dealer 3", "dealer 4"), "the dealer is '4'"),
        (START.replace("dealer 3", "dealer"), "the dealer is ''"),
        (START.replace("SASJ", "SJ"), "not SA; it must have each of the 52 cards once"),
        (START.replace("SASJ", "SASA"), "SA more than once and not SJ"),
        (START.replace("SASJ", "S1SJ"), "'S1' is no card"),
        (START.replace("SASJ", "SASJS"), "each card is two letters"),
        (START.replace("C8 S9", "C8S9 "), "hand 1 of the deal has 14 cards"),
        (START.rsplit(" ", 1)[0], "3 hands"),
        (f"{START}; colour red", "'colour' is no field"),
        (f"{START}; plays SA; calls PASS", "'calls' is out of place"),
        (f"{START}; calls PASS; calls PASS", "'calls' is out of place"),
        (f"{START}; calls PASS HELLO", "'HELLO' is no action"),
        (f"{START}; calls PASS SA", "SA stands among the calls"),
        (f"{START}; calls PASS COP", "action 2 of the record: player_1 cannot call COP now"),
        (f"{START}; calls SOLO PASS PASS PASS; plays SKSQ", "player_0 does not hold SK"),
        (f"{START}; calls SOLO PASS PASS PASS; plays SAHT", "spades were led and player_1 can follow suit"),
        (f"{START}; calls SOLO PASS PASS PASS; plays SAS9S", "each card is two letters"),
        (f"{START}; calls SOLO PASS PASS PASS; plays SA S9", "trick 1 has 1 cards"),
        (f"{START}; calls PASS ABU PASS PASS; trumps X", "'X' is no suit"),
        (f"{START}; calls PASS SOLO PASS PASS; trumps S", "cannot choose TRUMPS S now"),
        (f"{START}; calls PASS PASS PASS PASS; result 1 2 3 4", "the result is '1 2 3 4'"),
        (f"{START}; calls PASS PASS PASS PASS; result +1 +1 +1 +1", "does not sum to zero"),
        (f"{START}; calls PASS PASS PASS PASS; result +3 -1 -1 -1", "its play gives"),
        (f"{START}; calls PASS PASS; result 0 0 0 0", "does not end the deal"),
        (START.replace("pagat", "pagat@zz"), "not eight hex digits"),
        (START.replace("pagat", "pagat@00000000"), "the rules have changed since"),
    ],
)
def test_broken_records_are_refused_with_a_sentence(line, said):
    with pytest.raises((RecordError, RulesetError), match=said.replace("(", r"\(")):
        Table.from_record(line)


SOLO = f"{START}; calls SOLO PASS PASS PASS; plays SAS9SKST"
EVENTS = (
    "0:shuffle:2 1:improper_call:D:PROP 2:slip:3:ABT 3:remark:E 4:expose:E:SJ 4:claim:2:not-SJ "
    "5:play_out_of_turn:3:SK 6:correct:2:CA 8:lead_out_of_turn:D:HK 8:claim:E:suit-H 8:claim:2:not-trump "
    "8:claim:E:highest 8:waive:3 8:refuse:D"
)


def with_events(text: str, line: str = SOLO) -> str:
    return f"{line}; events {text}"


def test_events_stand_before_the_result_and_are_printed_as_they_were_read():
    """As clause 9.4 says."""
    line = with_events(EVENTS)
    game = record.parse(line)
    assert str(game) == line
    assert str(record.parse(f"{line}; result +3 -1 -1 -1")) == f"{line}; result +3 -1 -1 -1"
    assert [event.at for event in game.events] == [0, 1, 2, 3, 4, 4, 5, 6, 8, 8, 8, 8, 8, 8]
    assert game.events[4] == events.Event(4, "expose", 0, 48)
    assert game.events[5].argument == events.Claim("not", 48)


def test_every_event_and_claim_can_be_read_and_printed():
    samples = {events.NOTHING: "", events.CARD: "SA", events.CALL: "MIS", events.NUMBER: "14", events.SUIT: "H"}
    words = [
        f"7:{row.name}:D" + f":{samples[row.argument]}" * (row.argument != events.NOTHING)
        for row in events.TABLE
        if row.argument != events.CLAIM
    ]
    words += [
        f"7:claim:D:{row.name}" + f"-{samples[row.argument]}" * (row.argument != events.NOTHING)
        for row in events.CLAIMS
    ]
    assert " ".join(map(str, events.parse(" ".join(words)))) == " ".join(words)
    assert len(words) == len(events.TABLE) - 1 + len(events.CLAIMS)


def test_a_hand_of_fourteen_needs_its_event():
    line = START.replace("C8 S9", "C8S9 ")
    said = "0:bad_count:E:14 0:bad_count:2:12"
    assert len(record.parse(with_events(said, line)).hands[0]) == 14
    for text, wrong in {
        "0:bad_count:E:14": "hand 2 of the deal has 12 cards; it must have 13, or an event bad_count that says so",
        "0:bad_count:E:12 0:bad_count:2:12": "0:bad_count:E:12 does not fit the deal: hand 1 has 14 cards",
        f"{said} 0:bad_count:3:14": "0:bad_count:3:14 does not fit the deal: hand 3 has 13 cards",
    }.items():
        with pytest.raises(RecordError, match=wrong):
            record.parse(with_events(text, line))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("expose", "'expose' is no event: write AT:NAME:SEAT"),
        ("04:expose:E:SA", "'04:expose:E:SA' is no event"),
        ("-1:expose:E:SA", "'-1:expose:E:SA' is no event"),
        ("4::E", "'4::E' is no event"),
        ("4:expose", "'4:expose' is no event"),
        ("4:spill:E", "'spill' in '4:spill:E' is no event; the events are misdeal"),
        ("4:expose:0:SA", "the seat of '4:expose:0:SA' is '0'; it must be one of E, 2, 3, D"),
        ("4:expose:E2:SA", "must be one of E, 2, 3, D"),
        ("4:expose:E", "'4:expose:E' is no event: expose needs a card such as SA"),
        ("4:expose:E:", "in the event '4:expose:E:': '' is no card"),
        ("4:expose:E:SA:SK", "'4:expose:E:SA:SK' is no event"),
        ("4:expose:E:S1", "in the event '4:expose:E:S1': 'S1' is no card"),
        ("4:waive:E:SA", "waive takes nothing behind its seat"),
        ("1:improper_call:E:SA", "SA is no call"),
        ("1:improper_call:E:HELLO", "'HELLO' is no action"),
        ("4:claim:E", "claim needs a claim .raise, redeal, play-CARD"),
        ("4:claim:E:money", "'money' is no claim; the claims are raise, redeal, play-CARD"),
        ("4:claim:E:play", "'play' is no claim"),
        ("4:claim:E:stakes-SA", "'stakes-SA' is no claim"),
        ("4:claim:E:suit-X", "'X' is no suit"),
        ("4:bad_count:E:0", "'0' is no number of cards from 1 to 99"),
        ("4:bad_count:E:many", "'many' is no number of cards"),
        ("5:waive:E 4:waive:E", "the event 4:waive:E stands behind 5:waive:E"),
        ("9:waive:E", "the event 9:waive:E comes after 9 actions, and the record has 8"),
        ("1:misdeal:E", "misdeal can only stand before the first call"),
        ("4:improper_call:E:PROP", "improper_call can only stand in the auction"),
        ("4:slip:E:PROP", "slip can only stand before a call"),
        ("4:claim:E:raise", "the claim raise can only stand before a call"),
        ("3:lead_out_of_turn:E:SA", "can only stand after the auction and the naming of trumps"),
        ("3:claim:E:play-SA", "the claim play-SA can only stand after the auction"),
        ("7:refuse:E", "refuse can only stand behind the last card"),
    ],
)
def test_broken_events_are_refused_with_a_sentence(text, said):
    with pytest.raises(RecordError, match=said) as caught:
        record.parse(with_events(text))
    assert str(caught.value).endswith(".")


def test_events_of_an_auction_that_is_not_over_may_stand_behind_its_last_call():
    line = with_events("2:improper_call:E:PROP", f"{START}; calls PASS PROP")
    assert str(record.parse(line)) == line
    with pytest.raises(RecordError, match="refuse can only stand behind the last card"):
        record.parse(with_events("2:refuse:E", f"{START}; calls PASS PROP"))


def test_a_record_with_events_is_not_replayed():
    with pytest.raises(RecordError, match="the record has events, the first 4:expose:E:SJ: it cannot be replayed"):
        Table.from_record(with_events("4:expose:E:SJ"))
