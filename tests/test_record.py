"""Records: print, parse, replay, refuse."""

from __future__ import annotations

import random

import pytest

from solo_env import actions, record
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
