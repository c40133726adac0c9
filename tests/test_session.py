"""Session files: what is written comes back, what is damaged is kept as far as it is sound, and nothing else."""

from __future__ import annotations

import random
import re
import time

import pytest

from solo_env import record
from solo_env.laws import rule
from solo_env.rules import load_ruleset, shipped_rulesets
from solo_env.session import (
    MAX_LINE,
    Damage,
    SessionError,
    parse_session,
    read_session,
    session_text,
    write_session,
)
from solo_env.signature import signature
from solo_env.table import Table
from tests.playing import many_records

PAGAT = f"pagat@{signature(load_ruleset('pagat'))}"
START = (
    f"{PAGAT}; dealer 3; deal SASJS8S7H6DTD7D6D5D3CKC9C8 S9S5S3S2HTH4H2D9D8CACJC3C2 "
    "SKSQHAHQH9H7H5DADQCQCTC6C4 STS6S4HKHJH8DKDJD4D2C7C5H3"
)
THROWN_IN = f"{START}; calls PASS PASS PASS PASS; result 0 0 0 0"


def misere():
    """A misère that is lost, played by the engine: its second seat has to win a trick soon."""
    table = Table.from_record(f"{START}; calls PASS MIS PASS PASS")
    while not table.over:
        table.apply(table.legal_actions()[0])
    return table.record()


MIS = misere()


def session_of(name, count, unfinished=0.0):
    return list(many_records(load_ruleset(name), count, sum(name.encode()), unfinished))


# --- in order --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", shipped_rulesets())
def test_records_of_every_ruleset_print_and_parse_byte_for_byte(name):
    lines = session_of(name, 40, 0.25)
    assert [str(record.parse(line)) for line in lines] == lines
    finished = [line for line in lines if "; result " in line]
    session = parse_session(session_text(finished))
    assert session.damage == ()
    assert session_text(session.games) == session_text(finished)


@pytest.mark.long
@pytest.mark.parametrize("name", shipped_rulesets())
def test_ten_thousand_records_of_every_ruleset_print_and_parse_byte_for_byte(name):
    lines = session_of(name, 10_000, 0.25)
    assert len(set(lines)) > 9_000
    assert [str(record.parse(line)) for line in lines] == lines


def test_a_session_file_comes_back_with_its_lines_comments_and_account(tmp_path):
    lines = session_of("hoyle", 12)
    path = tmp_path / "evening.txt"
    write_session(path, lines, "An evening\nat Hoyle's")
    assert path.read_text(encoding="utf-8") == "# An evening\n# at Hoyle's\n" + "".join(f"{x}\n" for x in lines)
    session = read_session(path)
    assert list(map(str, session.games)) == lines
    assert session.lines == tuple(range(3, 15))
    assert session.comments == ("An evening", "at Hoyle's")
    assert session.damage == ()
    assert session.ruleset == load_ruleset("hoyle")
    payoffs = [Table.from_record(line).payoffs for line in lines]
    assert session.account == tuple(map(sum, zip(*payoffs, strict=True)))
    assert any(session.account)
    assert [file.name for file in tmp_path.iterdir()] == ["evening.txt"]


def test_the_account_goes_by_seat_though_results_go_from_eldest():
    second = MIS.replace("dealer 3", "dealer 0")  # everybody sits one further on
    first, both = parse_session(MIS).account, parse_session(f"{MIS}\n{second}").account
    assert first == Table.from_record(MIS).payoffs
    assert both == tuple(first[seat] + first[(seat - 1) % 4] for seat in range(4))


@pytest.mark.parametrize(
    "form",
    [
        f"\ufeff{MIS}\r\n\r\n# said\r\n{THROWN_IN}\r\n",
        f"\n\n{MIS}\n  \t\n#said\n{THROWN_IN}",
        f"  {MIS}  \n#   said   \n\t{THROWN_IN}\n\n",
    ],
)
def test_line_ends_blank_lines_and_a_byte_order_mark_do_not_matter(form):
    for content in (form, form.encode()):
        session = parse_session(content)
        assert list(map(str, session.games)) == [MIS, THROWN_IN]
        assert session.comments == ("said",)
        assert session.damage == ()


def test_an_empty_file_is_a_session_without_games():
    for content in (b"", b"\n\n", b"# nothing yet\n"):
        session = parse_session(content)
        assert (session.games, session.damage, session.account) == ((), (), (0, 0, 0, 0))
        assert session.ruleset is None


def test_a_deal_under_way_may_only_be_the_last():
    under_way = f"{START}; calls PASS MIS PASS PASS; plays SA"
    assert parse_session(f"{MIS}\n{under_way}\n").damage == ()
    session = parse_session(f"{under_way}\n{MIS}\n")
    assert list(map(str, session.games)) == [under_way, MIS]
    assert session.account == parse_session(MIS).account
    [damage] = session.damage
    assert str(damage) == ("line 1: the deal has no result, and another follows; the account is without it.")


def test_deals_that_nobody_has_called_yet_may_stand_anywhere():
    assert parse_session(f"{START}\n{START}\n{MIS}\n{START}").damage == ()


def test_a_deal_that_is_over_and_has_no_result_is_named_and_counts_nothing():
    line = MIS.partition("; result")[0]
    for text in (
        line,
        f"{line};",
        f"{line}; ",
        f"{line}; events",
        f"{line}; Events 5:expose:3:SK",
        f"{line};event 5",
    ):
        session = parse_session(text)
        assert list(map(str, session.games)) == [line]
        assert session.account == (0, 0, 0, 0)
        assert len(session.damage) == 1, text
    assert "its result is missing" in str(parse_session(line).damage[0])
    assert parse_session(f"{line}\n") == parse_session(f"{MIS}\n")


def test_a_game_of_another_ruleset_is_left_out_and_named():
    other = session_of("hoyle", 1)[0]
    session = parse_session(f"{MIS}\n{other}\n{THROWN_IN}\n")
    assert list(map(str, session.games)) == [MIS, THROWN_IN]
    assert session.damage == (
        Damage(2, "the game is of hoyle, and the session of pagat since line 1; it is left out."),
    )
    with pytest.raises(SessionError, match=r"game 2 is of hoyle, and game 1 of pagat; a session has one ruleset."):
        session_text([MIS, other])


def test_a_session_that_cannot_be_written_leaves_what_was_there(tmp_path):
    path = tmp_path / "evening.txt"
    write_session(path, [MIS])
    for games, error in (([MIS, session_of("hoyle", 1)[0]], SessionError), ([MIS, "nonsense"], ValueError)):
        with pytest.raises(error):
            write_session(path, games)
    assert path.read_text(encoding="utf-8") == f"{MIS}\n"
    with pytest.raises(OSError, match="No such file") as told:
        write_session(tmp_path / "nowhere" / "evening.txt", [MIS])
    assert str(told.value.filename).endswith("evening.txt")


# --- cut short -------------------------------------------------------------------------------------------


def cards_left(line):
    """How many whole cards are played in what is left of a record, None if not even its deal is whole."""
    deal = line.partition("; deal ")[2].partition(";")[0]
    if len(deal.replace(" ", "")) < 104:
        return None
    return len(line.partition("; plays ")[2].partition(";")[0].replace(" ", "")) // 2


def calls_of(line):
    return line.partition("; calls ")[2].partition(";")[0].split()


def check_cut(content, lines, at):
    """What is read of the first ``at`` bytes is true, and all that is whole in them is read."""
    session = parse_session(content[:at])
    *whole, cut = content[:at].decode(errors="ignore").split("\n")
    n_whole = sum(not line.startswith("#") for line in whole)
    assert list(map(str, session.games[:n_whole])) == lines[:n_whole]
    assert {damage.line for damage in session.damage} <= {len(whole) + 1}
    rest, n_cards = session.games[n_whole:], cards_left(cut)
    assert len(rest) == (n_cards is not None)
    if not rest:
        assert cut.startswith("#") or bool(session.damage) == bool(cut)
        return
    game, true = rest[0], record.parse(lines[n_whole])
    assert (game.ruleset, game.dealer, game.hands, game.suit) == (true.ruleset, true.dealer, true.hands, true.suit)
    assert game.plays == true.plays[:n_cards]
    calls = [
        word for word, told in zip(calls_of(cut), calls_of(lines[n_whole]), strict=False) if told.startswith(word)
    ]
    if calls and calls[-1] not in [*calls_of(lines[n_whole]), "ABU"]:
        del calls[-1]  # half a word
    assert calls_of(str(game)) == calls
    assert game.result == (true.result if cut == lines[n_whole] else None)


@pytest.mark.parametrize("seed", range(4))
def test_a_file_cut_at_any_byte_loses_only_what_was_cut(seed):
    """A thousand places in twenty files; a cut may leave a record that is sound as an unfinished game."""
    rng = random.Random(seed)
    for name in rng.sample(shipped_rulesets(), 5):
        lines = session_of(name, 6)
        content = session_text(lines, f"{name} für {seed}").encode()
        for at in rng.sample(range(len(content) + 1), 50):
            check_cut(content, lines, at)


def test_a_cut_that_falsifies_the_result_is_noticed():
    line = session_of("margin5", 40)[7]
    told = line.partition("; result ")[2]
    for units in ("+1 -1 0 0", told[:-1], told.replace("-", "+"), f"{told}0", f"{told} 0"):
        if units == told:
            continue
        session = parse_session(line.replace(told, units))
        assert [str(game).partition("; result")[0] for game in session.games] == [line.partition("; result")[0]]
        assert "result" in session.damage[0].message
        assert session.account in ((0, 0, 0, 0), parse_session(line).account)


# --- damaged ---------------------------------------------------------------------------------------------

DEAL, PLAYED = "kept is the deal.", "kept are the deal, 4 calls and 8 cards"
HEAD = MIS.partition("; plays ")[0]
BROKEN = {
    "no ruleset": ("hello", "there is no ruleset 'hello'", "nothing of the line can be kept."),
    "another engine": (MIS.replace(PAGAT, "pagat@00000000"), "the rules have changed since", "nothing"),
    "bad override": (MIS.replace(PAGAT, "pagat+pay.base.MIS=x"), "TOML value", "nothing"),
    "deep override": (MIS.replace(PAGAT, "pagat+x=" + 4000 * "["), "TOML value", "nothing"),
    "no dealer": (MIS.replace("dealer 3; ", ""), "no 'dealer' field", "nothing"),
    "fifth seat": (MIS.replace("dealer 3", "dealer 4"), "must be a seat from 0 to 3", "nothing"),
    "a card twice": (MIS.replace("SASJ", "SASA", 1), "SA more than once", "nothing"),
    "a hand too few": (START.rsplit(" ", 1)[0], "3 hands; it must have four", "nothing"),
    "unknown field": (f"{HEAD}; weather fine", "'weather' is no field", "kept are the deal and 4 calls."),
    "field twice": (f"{HEAD}; calls PASS", "'calls' is out of place", "kept are the deal and 4 calls."),
    "no such call": (f"{START}; calls PASS MIST", "'MIST' is no action", "kept are the deal and 1 call."),
    "illegal call": (f"{START}; calls PASS MIS SOLO", "cannot call SOLO now", "kept are the deal and 2 calls."),
    "no call at all": (f"{START}; calls COP", "cannot call COP now", DEAL),
    "half a card": (
        f"{HEAD}; plays SAS9SKS",
        "each card is two letters",
        "kept are the deal, 4 calls and 3 cards.",
    ),
    "card not held": (f"{HEAD}; plays SAS9SKS5", "does not hold S5", "kept are the deal, 4 calls and 3 cards."),
    "revoke": (f"{HEAD}; plays SAHT", "can follow suit", "kept are the deal, 4 calls and 1 card."),
    "trick of three": (
        f"{HEAD}; plays SAS9SK S6",
        "trick 1 has 3 cards",
        "kept are the deal, 4 calls and 3 cards.",
    ),
    "result of three": (MIS.rsplit(" ", 1)[0], "four numbers of units", "4 calls and 20 cards."),
    "result not zero": (MIS.replace("-6", "-7"), "does not sum to zero", "4 calls and 20 cards."),
    "false result": (MIS.replace("+2 -6", "-6 +2"), "and its play gives", "4 calls and 20 cards."),
    "result too soon": (f"{HEAD}; result 0 0 0 0", "does not end the deal", "kept are the deal and 4 calls."),
    "more behind": (f"{MIS} and more", "four numbers of units", "cards, which end the deal."),
    "not UTF-8": (f"{HEAD}; plays SA".encode() + b"\xff9SK", "is not UTF-8", "4 calls and 1 card."),
    "a zero byte": (f"{HEAD}\0", "a control character", "kept are the deal and 4 calls."),
    "zeros alone": ("\0" * 400, "character 1 is '\\x00'", "nothing"),
    "old line ends": (f"{MIS}\r{MIS}", "is '\\r', a control character", "cards, which end the deal."),
    "a long line": (MIS + " " * MAX_LINE + "x", "longer than 20,000 characters", "which end the deal."),
    "a very long line": ("x" * 3_000_000, "longer than 20,000 characters", "nothing"),
    "many fields": (MIS + "; " * 9_000, "'' is no field", "which end the deal."),
    "many cards": (f"{HEAD}; plays SA" + "S9SK" * 4_000, "trick 1 has 8001 cards", "4 calls and 3 cards."),
}


@pytest.mark.parametrize("fault", BROKEN)
def test_a_broken_line_is_named_in_a_sentence_and_kept_as_far_as_it_is_sound(fault):
    line, said, kept = BROKEN[fault]
    data = line if isinstance(line, bytes) else line.encode()
    start = time.perf_counter()
    session = parse_session(f"# a session\n{MIS}\n".encode() + data + f"\n{THROWN_IN}\n".encode())
    assert time.perf_counter() - start < 10
    [damage] = session.damage
    sentence = str(damage)
    assert sentence.startswith("line 3: ")
    assert sentence.endswith(".")
    assert len(sentence.splitlines()) == 1
    assert len(sentence) < 700
    assert said in sentence
    assert kept in sentence.rpartition("; ")[2]
    assert session.lines == ((2, 4) if kept.startswith("nothing") else (2, 3, 4))
    assert [str(game) for game, at in zip(session.games, session.lines, strict=True) if at != 3] == [MIS, THROWN_IN]
    if not kept.startswith("nothing"):
        Table.from_record(session.games[1])


def test_a_file_in_another_encoding_is_named():
    for encoding in ("utf-16", "utf-16-be"):
        content = f"\ufeff{MIS}".encode(encoding) if encoding.endswith("be") else MIS.encode(encoding)
        assert list(map(str, parse_session(content).damage)) == ["line 1: the file is in UTF-16; save it as UTF-8."]
    session = parse_session("# für uns\n".encode("latin-1") + MIS.encode())
    assert list(map(str, session.damage)) == [
        "line 1: in a comment, byte 4 is not UTF-8; what stands before is kept."
    ]
    assert session.comments == ("f",)
    assert list(map(str, session.games)) == [MIS]


def test_no_damage_raises_anything():
    rng = random.Random(5)
    content = session_text(session_of("grand_slam_solo", 4), "four deals").encode()
    for _ in range(150):
        damaged = bytearray(content)
        for _ in range(rng.randrange(1, 4)):
            at = rng.randrange(len(damaged))
            damaged[at : at + rng.randrange(3)] = rng.choice((rng.randbytes(rng.randrange(3)), b"; ", b"\n", b"S"))
        session = parse_session(bytes(damaged))
        for game in session.games:
            Table.from_record(game)
        for damage in session.damage:
            assert re.fullmatch(r"line \d+: [^\n]+\.", str(damage))


# --- games in which something went wrong


EXPOSED = "; events 5:expose:3:SK"  # by an opponent of the misère, in trick 1
EVENT = MIS.replace("; result", f"{EXPOSED}; result")


def test_a_game_with_events_counts_as_it_is_ruled():
    line = EVENT.partition("; result")[0]
    assert rule(line).payoff == (0, +6, -6, 0)
    session = parse_session(f"{line}; result 0 +6 -6 0")
    assert session.damage == ()
    assert session.account == (0, +6, -6, 0)  # the dealer is player_3, so eldest is player_0


def test_a_result_that_the_events_do_not_give_is_damage_and_does_not_count():
    session = parse_session(EVENT)
    [damage] = session.damage
    assert "the ruling on its events gives" in str(damage)
    assert session.account == (0, 0, 0, 0)


def test_a_game_cut_off_among_its_events_is_not_settled_by_its_play():
    line = EVENT.partition("; result")[0]
    for end in range(len(line) - len(EXPOSED) + len("; e"), len(line)):
        assert parse_session(line[:end]).account == (0, 0, 0, 0), line[:end]
