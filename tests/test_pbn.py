"""PBN: what is written another program reads, what is read is what was written, and what is false is refused."""

from __future__ import annotations

import re

import pytest

from solo_env import record
from solo_env.cards import card_text, parse_card
from solo_env.pbn import MAX_LINE, PbnError, parse_pbn, pbn_text, read_pbn, write_pbn
from solo_env.rules import load_ruleset, shipped_rulesets
from solo_env.signature import signature
from solo_env.table import Table
from tests.playing import many_records

PAGAT = f"pagat@{signature(load_ruleset('pagat'))}"
START = (
    f"{PAGAT}; dealer 3; deal SASJS8S7H6DTD7D6D5D3CKC9C8 S9S5S3S2HTH4H2D9D8CACJC3C2 "
    "SKSQHAHQH9H7H5DADQCQCTC6C4 STS6S4HKHJH8DKDJD4D2C7C5H3"
)
SOLO = f"{START}; calls PASS SOLO PASS PASS; plays H6HTHAHJ SKS4"


def games_of(name, count):
    return list(many_records(load_ruleset(name), count, sum(name.encode()) + 1))


def tags_of(text):
    """The tags of a text with one game, read by a reader of the tests' own."""
    return {
        name: re.sub(r"\\(.)", r"\1", value)
        for name, value in re.findall(r'^\[(\w+) "(.*)"\]$', text, re.MULTILINE)
    }


# --- there and back --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", shipped_rulesets())
def test_games_of_every_ruleset_come_back_byte_for_byte(name):
    lines = games_of(name, 30)
    text = pbn_text(lines)
    back = parse_pbn(text)
    assert list(map(str, back.games)) == lines
    assert back.notes == ()
    assert all(len(line) <= MAX_LINE and line.isascii() for line in text.split("\n"))
    assert parse_pbn(text.replace("\n", "\r\n").encode()).games == back.games


def test_a_ruleset_with_quotes_and_a_long_name_comes_back(tmp_path):
    name = 'pagat+passout.mode="fewest"+pay.base.MIS=3+pay.base.SOLO=3+pay.money="pence"+trump.cycle=["H","NT"]'
    table = Table(f'{name}+trump.source="cycle"')
    table.deal(5)
    path = tmp_path / "games.pbn"
    write_pbn(path, [table.record()], players=('Ann "\\" Bee', "Søren", "", "x]"))
    assert list(map(str, read_pbn(path).games)) == [table.record()]
    assert tags_of(path.read_text("latin-1"))["North"] == 'Ann "\\" Bee'
    assert tags_of(path.read_text("latin-1"))["East"] == "Søren"


def test_the_standard_tags_of_a_game():
    text = pbn_text([record.parse(SOLO)])
    tags = tags_of(text)
    assert list(tags)[:15] == [
        "Event", "Site", "Date", "Board", "West", "North", "East", "South",
        "Dealer", "Vulnerable", "Deal", "Scoring", "Declarer", "Contract", "Result",
    ]  # fmt: skip
    assert list(tags)[15:-1] == sorted(list(tags)[15:-1])
    assert (tags["North"], tags["West"], tags["Board"]) == ("player_0", "player_3", "1")
    assert tags["Dealer"] == "W"
    assert tags["Deal"] == ("W:T64.KJ83.KJ42.75 AJ87.6.T7653.K98 9532.T42.98.AJ32 KQ.AQ975.AQ.QT64")
    assert (tags["Declarer"], tags["Contract"], tags["Result"]) == ("E", "", "?")
    assert (tags["SoloWhistContract"], tags["SoloWhistTrumps"], tags["SoloWhistTurned"]) == ("SOLO", "H", "H3")
    assert text.endswith('[Play "N"]\nH6 HT HA HJ\n+  -  SK S4\n')


@pytest.mark.parametrize(
    ("rest", "declarer", "contract", "own", "trumps", "play"),
    [
        ("", "?", "", "?", "?", ""),
        ("; calls PASS PASS PASS PASS", "", "Pass", "", "", ""),
        ("; calls PROP PASS PASS PASS PASS", "", "", "", "", ""),
        ("; calls PASS ABU PASS PASS", "E", "", "ABU", "?", ""),
        ("; calls PASS ABU PASS PASS; trumps C", "E", "", "ABU", "C", '[Play "N"]\n+  -  -  -\n'),
        ("; calls PASS MIS PASS PASS", "E", "", "MIS", "NT", '[Play "N"]\n+  -  -  -\n'),
        ("; calls PROP COP PASS PASS", "N", "", "PC", "H", '[Play "N"]\n+  -  -  -\n'),
        ("; calls PASS PASS DECL", "S", "", "DECL", "NT", '[Play "S"]\n+  -  -  -\n'),
    ],
)
def test_a_tag_is_empty_where_bridge_has_no_word_and_a_question_mark_where_nobody_knows_yet(
    rest, declarer, contract, own, trumps, play
):
    text = pbn_text([START + rest])
    tags = tags_of(text)
    assert (tags["Declarer"], tags["Contract"]) == (declarer, contract)
    assert (tags["SoloWhistContract"], tags["SoloWhistTrumps"]) == (own, trumps)
    assert text.partition("[Play")[1] + text.partition("[Play")[2] == play


def test_the_result_is_the_tricks_of_the_side_where_all_were_played():
    lines = [line for line in games_of("everything2", 60) if "; result" in line]
    counted = 0
    for line in lines:
        table, tags = Table.from_record(line), tags_of(pbn_text([line]))
        if table.data["n_plays"] < 52 or table.data["declarer"] < 0:
            assert tags["Result"] == ""
            continue
        counted += 1
        side = {int(table.data["declarer"]), int(table.data["partner"])} - {-1}
        assert int(tags["Result"]) == sum(int(table.data["tricks"][seat]) for seat in side)
    assert counted > 5


def test_a_deal_that_ends_before_the_last_trick_ends_in_a_star():
    table = Table.from_record(f"{START}; calls PASS MIS PASS PASS")
    while not table.over:
        table.apply(table.legal_actions()[0])
    assert table.data["n_plays"] < 52
    assert pbn_text([table.record()]).endswith("\n*\n")


# --- another program's reader ----------------------------------------------------------------------------


def hands_read(deal):
    """The hands of a deal of endplay as sets of card texts, from North."""
    return [{card.suit.name[0].upper() + card.rank.name[1:] for card in hand} for hand in deal]


def cards_read(cards):
    return [card.suit.name[0].upper() + card.rank.name[1:] for card in cards if card.suit.name != "nt"]


@pytest.mark.parametrize("name", shipped_rulesets())
def test_endplay_reads_what_is_written(name):
    from endplay.parsers import pbn as endplay_pbn

    lines = games_of(name, 30)
    boards = endplay_pbn.loads(pbn_text(lines, players=("Ann", "Bob", "Cat", "Dan"), event="Solo Whist at home"))
    assert len(boards) == len(lines)
    in_order = 0
    for number, (board, line) in enumerate(zip(boards, lines, strict=True), 1):
        table = Table.from_record(line)
        data = table.data
        assert board.board_num == number
        assert int(board.dealer) == int(data["dealer"])
        assert hands_read(board.deal[seat] for seat in range(4)) == [
            set(map(card_text, d)) for d in data["dealt"].tolist()
        ]
        assert (board.info["Event"], board.info["North"], board.info["West"]) == (
            "Solo Whist at home",
            "Ann",
            "Dan",
        )
        played = list(map(card_text, data["plays"][: data["n_plays"]].tolist()))
        assert sorted(cards_read(board.play)) == sorted(played)
        # endplay puts tricks in order by the trumps of a bridge contract, and these games have none.
        if data["trump"] == -1:
            assert cards_read(board.play) == played
            in_order += len(played) > 4
    assert in_order > 0


def test_what_endplay_writes_is_read_as_deals():
    from endplay.parsers import pbn as endplay_pbn
    from endplay.types import Board, Deal, Player

    deals = [Deal(tags_of(pbn_text([line]))["Deal"]) for line in games_of("hoyle", 3)]
    text = endplay_pbn.dumps([Board(deal, board_num=n, dealer=Player(n)) for n, deal in enumerate(deals, 1)])
    read = parse_pbn(text)
    for game, deal, note, dealer in zip(read.games, deals, read.notes, (1, 2, 3), strict=True):
        assert game.dealer == dealer
        assert [set(map(card_text, hand)) for hand in game.hands_by_seat()] == hands_read(deal[s] for s in range(4))
        assert game.calls == ()
        assert "PBN does not tell in which order the cards were dealt" in note


# --- other programs' deals -------------------------------------------------------------------------------

FOREIGN = """% PBN 2.1
% EXPORT
; a comment [Dealer "S"]
[Event "#"] {a comment
  over two lines, with a blank one

 and [Dealer "W"]}
[Dealer
  "E"][Board "1"]
\t[Deal "S:KQ.AQ975.AQ.QT64 T64.KJ83.KJ42.75 AJ87.6.T7653.K98 9532.T42.98.AJ32"]
[Dealer "N"]
[Contract "3NT"]
[Auction "E"]
1NT =1= Pass 3NT AP
[Note "1:15-17"]
[Play "S"]
SA S2 $3 S3 S4 ; another

[Dealer "##W"]
[Deal "#"]

[Dealer "#"]
[Deal "#"]
"""


def test_deals_of_another_program_are_read_as_written():
    read = parse_pbn(FOREIGN)
    assert [game.dealer for game in read.games] == [1, 3, 3]
    assert [card_text(card) for card in read.games[0].hands_by_seat()[1]] == [
        "S9", "S5", "S3", "S2", "HT", "H4", "H2", "D9", "D8", "CA", "CJ", "C3", "C2",
    ]  # fmt: skip
    assert str(read.games[0]).startswith(f"{PAGAT}; dealer 1; deal SKSQHAHQ")
    assert read.notes[0] == (
        "game 1, line 10: PBN does not tell in which order the cards were dealt; they stand as written, "
        "and C2 is turned up, the last of the dealer."
    )
    assert Table.from_record(read.games[1]).data["turned_card"] == parse_card("C5")


def test_the_turned_card_and_the_suit_may_be_given():
    one = FOREIGN.partition("\n\n[")[0]
    read = parse_pbn(one, turned=parse_card("HT"))
    assert Table.from_record(read.games[0]).data["turned_card"] == parse_card("HT")
    assert read.games[0].hands[-1][-2:] == (parse_card("C2"), parse_card("HT"))
    assert read.notes[0].endswith("and HT is turned up, as given.")
    read = parse_pbn(one, ruleset="grand_slam_solo", suit=2)
    assert read.games[0].suit == 2
    assert read.notes[0].endswith("they stand as written.")


def test_files_in_either_encoding_are_read():
    text = FOREIGN.replace("a comment", "für Søren")
    assert parse_pbn(text.encode("latin-1")) == parse_pbn(text.encode()) == parse_pbn(text.encode("utf-8-sig"))


DEAL = '[Deal "S:KQ.AQ975.AQ.QT64 T64.KJ83.KJ42.75 AJ87.6.T7653.K98 9532.T42.98.AJ32"]'
REFUSED = {
    "no PBN": ("hello\n", {}, "line 1: 'hello' stands where a tag such as"),
    "a record": (f"\n{SOLO}\n", {}, f"line 2: '{PAGAT}' stands where a tag"),
    "no deal": ('[Dealer "N"]\n', {}, "game 1, line 1: there is no Deal tag"),
    "unknown deal": ('[Dealer "N"]\n[Deal "?"]\n', {}, "game 1, line 2: there is no Deal tag"),
    "no dealer": (f"{DEAL}\n", {}, "game 1, line 1: the tag Dealer is ''; it must be N, E, S or W."),
    "no such dealer": (f'[Dealer "X"]\n{DEAL}', {}, "game 1, line 1: the tag Dealer is 'X'"),
    "two hands": (
        '[Dealer "N"]\n[Deal "N:- KQ.AQ975.AQ.QT64 - T64.KJ83.KJ42.75"]',
        {},
        "the hand '-' is not whole",
    ),
    "no direction": (f'[Dealer "N"]\n{DEAL.replace("S:", "")}', {}, "a direction, a colon and four hands"),
    "three hands": (f'[Dealer "N"]\n{DEAL.replace(" T64.KJ83.KJ42.75", "")}', {}, "and four hands"),
    "three suits": (f'[Dealer "N"]\n{DEAL.replace("KQ.AQ975", "KQAQ975")}', {}, "four suits with dots between"),
    "ten as 10": (f'[Dealer "N"]\n{DEAL.replace("T42", "1042")}', {}, "East: 'H1' is no card"),
    "a card twice": (f'[Dealer "N"]\n{DEAL.replace("T42", "T44")}', {}, "H4 more than once and not H2"),
    "fourteen": (f'[Dealer "N"]\n{DEAL.replace("KQ.AQ9", "KQT.AQ9").replace(" T64", " 64")}', {}, "has 14 cards"),
    "open comment": (f'[Dealer "N"]\n{DEAL}\n{{ and so on', {}, "line 3: '{ and so on' is neither"),
    "open tag": (f'[Dealer "N"]\n[Event "home]\n{DEAL}', {}, "line 2: '[Event \"home]' is neither a tag nor"),
    "turned elsewhere": (f'[Dealer "N"]\n{DEAL}', {"turned": 0}, "C2 cannot be turned up: North deals and does"),
    "turned by none": (f'[Dealer "N"]\n{DEAL}', {"turned": 0, "ruleset": "grand_slam_solo"}, "turns up no card"),
    "no suit": (f'[Dealer "N"]\n{DEAL}', {"ruleset": "grand_slam_solo"}, "say which suit the deal has"),
    "suit against turned": (f'[Dealer "N"]\n{DEAL}', {"suit": 1}, "turns up the dealer's last card, C8"),
}


@pytest.mark.parametrize("fault", REFUSED)
def test_a_file_that_is_no_deal_is_refused_with_a_sentence(fault):
    text, options, said = REFUSED[fault]
    with pytest.raises(PbnError) as told:
        parse_pbn(text, **options)
    assert said in str(told.value)
    assert len(str(told.value).splitlines()) == 1
    assert str(told.value).endswith(".")


def test_an_empty_file_has_no_games():
    assert parse_pbn("").games == parse_pbn("% PBN 2.1\n\n; nothing\n\n").games == ()


# --- contradictions --------------------------------------------------------------------------------------

CHANGED = {
    "hands": ("W:T64", "N:T64", r"the tag Deal is .*, and by the record of the game it is"),
    "dealer": ('[Dealer "W"]', '[Dealer "N"]', "the tag Dealer is 'N', and by the record of the game it is 'W'."),
    "declarer": ('[Declarer "E"]', '[Declarer "S"]', "the tag Declarer is 'S'"),
    "contract": ('Contract "SOLO"', 'Contract "MIS"', "the tag SoloWhistContract is 'MIS'"),
    "trumps": ('Trumps "H"', 'Trumps "S"', "the tag SoloWhistTrumps is 'S'"),
    "turned": ('Turned "H3"', 'Turned "H8"', "the tag SoloWhistTurned is 'H8'"),
    "a card": ("H6 HT HA HJ", "H6 HT HQ HJ", "in trick 1 the Play section gives South HQ, and the record .* HA."),
    "a card more": ("+  -  SK S4", "S7 -  SK S4", "in trick 2 the Play section gives North S7, and .* no card."),
    "the leader": ('[Play "N"]', '[Play "E"]', "in trick 1 the Play section gives East H6"),
    "a leader nobody knows": ('[Play "N"]', '[Play "X"]', "the tag Play is 'X'; it must be N, E, S or W."),
    "a piece": ("SoloWhistRecord02of", "Lost02of", "there must be one tag SoloWhistRecord02of"),
    "the count": ("SoloWhistRecord02of02", "SoloWhistRecord02of03", "there must be one tag SoloWhistRecord01of03"),
    "the record": ("dealer 3", "dealer 7", "the record in the SoloWhistRecord tags is refused: the dealer is '7'"),
    "its play": ("H6HTHA", "H6HTHJ", "is refused: action 7 of the record: player_2 does not hold HJ"),
}


@pytest.mark.parametrize("fault", CHANGED)
def test_a_record_that_another_tag_contradicts_is_refused(fault):
    old, new, said = CHANGED[fault]
    text = pbn_text([START, SOLO])
    assert old in text.split("\n\n")[2]
    changed = text.replace("\n\n", "\n\n\n").split("\n\n\n")
    changed[2] = changed[2].replace(old, new)
    with pytest.raises(PbnError, match=rf"^game 2, line \d+: .*{said}") as told:
        parse_pbn("\n\n".join(changed))
    line = int(re.search(r"line (\d+)", str(told.value))[1])
    assert line > text.count("\n", 0, text.index('[Board "2"]'))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"W:T64.KJ83.KJ42.75 AJ87.6.T7653.K98 9532.T42.98.AJ32 KQ.AQ975.AQ.QT64"',
         '"S:QK.QA579.AQ.QT64 64T.KJ83.KJ42.57 AJ87.6.T7653.K98 9532.T42.98.AJ32"'),
        ('[Vulnerable "None"]', '[Vulnerable "All"]'),
        ('[Contract ""]', '[Contract "3NT"]'),
        ('[Declarer "E"]', '[Declarer "?"]'),
        ('[Dealer "W"]\n', ""),
        ("HT HA HJ\n+  -  SK S4", "HT =1= HA ! HJ {good}\n- - - -\n*"),
        ('[Event "Solo Whist"]', '[Event "Whist, \\"solo\\""]'),
    ],
)  # fmt: skip
def test_what_does_not_contradict_the_record_is_no_matter(old, new):
    text = pbn_text([SOLO])
    assert old in text
    assert list(map(str, parse_pbn(text.replace(old, new)).games)) == [SOLO]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (
            {"event": "two\nlines"},
            "the tag Event would be 'two\\nlines'; PBN has the printing characters of Latin-1 only.",
        ),
        ({"site": "Łódź"}, "the tag Site would be 'Łódź'"),
        (
            {"players": ("x" * 300, "", "", "")},
            "the tag North would have 310 characters; a line of PBN has at most 255.",
        ),
    ],
)
def test_what_pbn_cannot_hold_is_not_written(options, said):
    with pytest.raises(PbnError) as told:
        pbn_text([SOLO], **options)
    assert said in str(told.value)


def test_a_game_that_breaks_the_rules_is_not_written(tmp_path):
    with pytest.raises(ValueError, match="does not hold S9"):
        write_pbn(tmp_path / "games.pbn", [f"{START}; calls PASS SOLO PASS PASS; plays S9"])
    assert list(tmp_path.iterdir()) == []
