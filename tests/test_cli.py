"""The command line: what it prints, and one sentence with exit code 2 for every mistake."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from baselines.call_tables import read_call_data
from solo_env import actions
from solo_env.table import Table
from tests import lawgames
from training import cli, terminal

START = (
    "pagat; dealer 3; deal SASJS8S7H6DTD7D6D5D3CKC9C8 S9S5S3S2HTH4H2D9D8CACJC3C2 "
    "SKSQHAHQH9H7H5DADQCQCTC6C4 STS6S4HKHJH8DKDJD4D2C7C5H3"
)


def run(*arguments: str) -> int:
    try:
        return cli.main(arguments)
    except SystemExit as stop:
        return int(stop.code or 0)


def test_evaluate_prints_and_writes_the_result(tmp_path, capsys):
    out = tmp_path / "out.json"
    assert run("evaluate", "novice", "--against", "random", "--deals", "40", "--json", str(out)) == 0
    assert "95 % interval" in capsys.readouterr().out
    assert json.loads(out.read_text())["n"] == {"clusters": 40, "deals": 40, "tables": 160}
    assert [path.name for path in tmp_path.iterdir()] == ["out.json"]


def test_evaluate_into_a_folder_leaves_result_sidecar_and_what_was_played(tmp_path, capsys):
    words = [
        "evaluate",
        "novice",
        "--against",
        "random",
        "pass",
        "uniform",
        "--rival",
        "pass",
        "--seating",
        "square",
    ]
    folder = tmp_path / "new" / "folder"
    assert run(*words, "--preset", "quick", "--out", str(folder)) == 0
    said = capsys.readouterr()
    assert said.err == ""  # no bar where nobody looks
    for text in ("novice with random, pass, uniform", "pass instead", "difference", "decided at", "checks passed"):
        assert text in said.out
    files = ["outcomes", "report.html", "report.md", "result.json", "result.sidecar.json"]
    assert sorted(path.name for path in folder.iterdir()) == files
    result = (folder / "result.json").read_bytes()
    assert json.loads(result)["n"]["deals"] == 500
    beside = json.loads((folder / "result.sidecar.json").read_text())
    assert set(beside["seconds"]) == {"start", "match", "audit", "report", "page"}
    assert run(*words, "--out", str(folder)) == 0
    assert (folder / "result.json").read_bytes() == result


def test_what_a_player_makes_of_the_folder_moves_no_result(tmp_path, capsys, monkeypatch):
    (tmp_path / "away").mkdir()
    (tmp_path / "walker.py").write_text(
        "import os\nfrom baselines.pass_player import PassPlayer\n\n\nclass Walker(PassPlayer):\n"
        "    def __init__(self, ruleset):\n        super().__init__(ruleset)\n        os.chdir('away')\n"
    )
    monkeypatch.chdir(tmp_path)
    words = ["evaluate", "walker.py:Walker", "--against", "pass", "--deals", "1"]
    assert run(*words, "--out", "new", "--json", "out.json") == 0
    report = tmp_path / "new" / "report.html"
    assert f"report                {report}\n" in capsys.readouterr().out
    assert report.is_file()
    assert (tmp_path / "out.json").is_file()
    assert list((tmp_path / "away").iterdir()) == []
    monkeypatch.chdir(tmp_path)
    assert (
        run("ladder", "ladder.json", "--add", "walker.py:Walker", "pass", "--deals", "1", "--ruleset", "pagat") == 0
    )
    assert (tmp_path / "ladder.json").is_file()
    assert list((tmp_path / "away").iterdir()) == []


@pytest.mark.parametrize(("until", "said"), [("ci=30", "ci=30.0 reached"), ("ci=0.001", "ci=0.001 not reached")])
def test_the_line_of_looking_tells_of_what_it_is_and_whether_it_was_reached(until, said, capsys):
    words = ["evaluate", "novice", "--against", "random", "--rival", "pass", "--deals", "100", "--until", until]
    assert run(*words) == 0
    (line,) = [line for line in capsys.readouterr().out.splitlines() if line.startswith("looking is allowed")]
    assert "], of the difference, " in line
    assert line.endswith(f", {said}")


def test_a_failed_audit_is_told_once(tmp_path, capsys, monkeypatch):
    from solo_env.evaluation import match
    from solo_env.evaluation.audit import Check

    monkeypatch.setattr(match, "audit", lambda *_: [Check("seats balanced", False, "They lean.")])
    assert run("evaluate", "pass", "--against", "pass", "--deals", "1", "--book", "dev") == 1
    said = capsys.readouterr()
    assert said.out.count("They lean.") == 1
    assert "They lean." not in said.err
    assert "Book dev" in said.err


def test_the_bar_tells_how_much_is_done_and_how_long_the_rest_takes(capsys, monkeypatch):
    from training import evaluate

    now = iter(range(0, 1000, 10))
    monkeypatch.setattr(evaluate.time, "monotonic", lambda: next(now))
    bar = evaluate.Bar()
    bar.show(100, 1000)
    bar.show(200, 1000)
    told = capsys.readouterr().err
    assert "200 of 1,000  1:20 left" in told
    bar.clear()
    assert capsys.readouterr().err.strip() == ""


def test_rules_lists_and_prints(capsys):
    assert run("rules") == 0
    assert "2075 auctions" in capsys.readouterr().out
    assert run("rules", "pagat") == 0
    printed = capsys.readouterr().out
    assert "auction.ladder = PROP, SOLO, MIS, ABU, ABT, OUV, DECL" in printed
    assert "4 thrown in after a proposal" in printed
    assert "Each paying pair settles the price in units: a price of 1 is printed as +1." in printed


def test_replay_prints_the_game(capsys, tmp_path):
    assert run("replay", f"{START}; calls PASS PASS SOLO PASS; plays DTD8DQDK D2") == 0
    printed = capsys.readouterr().out
    assert "solo by player_2, hearts" in printed
    assert "won by player_3" in printed
    assert "player_0 to act" in printed
    path = tmp_path / "game.txt"
    path.write_text(f"# a game\n{START}; calls PASS PASS PASS PASS\n", encoding="utf-8")
    assert run("replay", str(path)) == 0
    assert "result: player_0 0, player_1 0" in capsys.readouterr().out


EVENING = (
    f"# an evening\n{START}; calls PASS PASS PASS PASS\n{START}; calls PASS MIS PASS PASS; plays SAS9SKS6 S8\n"
)


def test_replay_prints_a_session_deal_by_deal_with_the_account(capsys, tmp_path):
    path = tmp_path / "evening.txt"
    lost = f"{START.replace('dealer 3', 'dealer 0')}; calls MIS PASS PASS PASS; plays SAS9SKS6; result -6 +2 +2 +2"
    path.write_text(EVENING.replace(START, f"{lost}\n{START}", 1), encoding="utf-8")
    assert run("replay", str(path)) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    lines = [re.sub(r" {2,}", " | ", line) for line in captured.out.splitlines()]
    assert lines == [
        "pagat: 3 deals",
        "",
        "deal 1 | dealer player_0 | misère by player_1, no trumps | "
        "result: player_0 +2, player_1 -6, player_2 +2, player_3 +2",
        "deal 2 | dealer player_3 | thrown in | result: player_0 0, player_1 0, player_2 0, player_3 0",
        "deal 3 | dealer player_3 | misère by player_1, no trumps | unfinished: player_1 to act",
        "",
        "account over 2 finished deals: player_0 +2, player_1 -6, player_2 +2, player_3 +2",
    ]


def test_replay_reads_a_damaged_session_as_far_as_it_is_sound(capsys, tmp_path):
    path = tmp_path / "evening.txt"
    path.write_bytes(b"hello\n" + EVENING.replace("S6 S8", "S6 D2").encode() + b"\xff\n")
    assert run("replay", str(path)) == 2
    captured = capsys.readouterr()
    assert "account over 1 finished deal: player_0 0" in captured.out
    told = captured.err.splitlines()
    assert [line.partition(": ")[2].removeprefix(f"{path}: ")[:8] for line in told] == [
        "line 1: ",
        "line 4: ",
        "line 5: ",
    ]
    assert told[1].endswith("player_0 does not hold D2; kept are the deal, 4 calls and 4 cards.")
    path.write_text(EVENING.splitlines()[2][:-1], encoding="utf-8")  # one record, cut within its last card
    assert run("replay", str(path)) == 2
    captured = capsys.readouterr()
    assert "misère by player_1, no trumps" in captured.out
    assert captured.err.count("\n") == 1
    path.write_text("hello\n", encoding="utf-8")
    assert run("replay", str(path)) == 2
    assert capsys.readouterr().out == ""


def dealt(seed):
    """The record of the first deal of a seed."""
    from solo_env.table import Table

    table = Table()
    table.deal(seed)
    return table.record()


def test_play_saves_a_session_whole_after_every_deal(tmp_path, monkeypatch, capsys):
    from solo_env.session import read_session

    path, shown = tmp_path / "evening.txt", []
    saved_after = []

    def answer(prompt):
        if path.exists():
            session = read_session(path)
            assert session.damage == ()
            saved_after.append(len(session.games))
        return "PASS" if "PASS" in str(shown[-1]) else "quit"

    def show(prompt=""):
        shown.append(prompt)
        print(prompt)

    monkeypatch.setattr(terminal.play_session, "__defaults__", (answer, show))
    assert run("play", "--against", "pass", "--deals", "3", "--seed", "2", "--save", str(path)) == 0
    assert "account after deal 3" in capsys.readouterr().out
    assert sorted(set(saved_after)) == [1, 2]
    session = read_session(path)
    assert len(session.games) == 3
    assert session.comments == (
        "Solo Whist after Pagat: the whole auction, basic units, no margin; "
        "a person as player_0, the others pass, seed 2",
    )
    assert str(session.games[0]).split(";")[:3] == dealt(2).split(";")[:3]
    assert [file.name for file in tmp_path.iterdir()] == ["evening.txt"]
    before = path.read_bytes()
    assert run("play", "--save", str(path)) == 2
    assert "is there already; give the name of a new file." in capsys.readouterr().err
    assert path.read_bytes() == before


def test_records_become_pbn_and_come_back(tmp_path, capsys):
    session, pbn, back = (tmp_path / name for name in ("evening.txt", "evening.pbn", "back.txt"))
    lines = [f"{START}; calls PASS PASS PASS PASS; result 0 0 0 0", f"{START}; calls PASS MIS PASS PASS; plays SA"]
    session.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    assert run("convert", str(session), str(pbn)) == 0
    assert run("convert", str(pbn), str(back)) == 0
    captured = capsys.readouterr()
    assert captured.out == f"{pbn}: 2 games\n{back}: 2 records\n"
    assert captured.err == ""
    assert back.read_bytes() == session.read_bytes()
    assert run("convert", lines[1], str(tmp_path / "one.PBN")) == 0
    assert '[Board "1"]' in (tmp_path / "one.PBN").read_text(encoding="latin-1")
    assert run("convert", str(session), str(pbn)) == 2
    assert "evening.pbn is there already" in capsys.readouterr().err


def test_a_damaged_session_becomes_pbn_as_far_as_it_is_sound(tmp_path, capsys):
    session, pbn = tmp_path / "evening.txt", tmp_path / "evening.pbn"
    session.write_text(f"{EVENING}hello\n", encoding="utf-8")
    assert run("convert", str(session), str(pbn)) == 2
    captured = capsys.readouterr()
    assert captured.out == f"{pbn}: 2 games\n"
    assert "line 4: there is no ruleset 'hello'" in captured.err
    assert pbn.exists()
    session.write_text("hello\n", encoding="utf-8")
    assert run("convert", str(session), str(tmp_path / "none.pbn")) == 2
    assert not (tmp_path / "none.pbn").exists()


def test_deals_of_another_program_become_records(tmp_path, capsys):
    pbn, session = tmp_path / "bridge.pbn", tmp_path / "deals.txt"
    deal = "S:KQ.AQ975.AQ.QT64 T64.KJ83.KJ42.75 AJ87.6.T7653.K98 9532.T42.98.AJ32"
    pbn.write_text(f'[Dealer "E"]\n[Deal "{deal}"]\n', encoding="utf-8")
    assert run("convert", str(pbn), str(session), "--ruleset", "hoyle", "--turned", "HT") == 0
    assert "the cards were dealt; they stand as written, and HT is turned up, as given." in capsys.readouterr().err
    assert run("replay", str(session)) == 0
    printed = capsys.readouterr().out
    assert "hoyle: dealer player_1" in printed
    assert "turned up: HT" in printed
    assert run("convert", str(pbn), str(tmp_path / "n.txt"), "--ruleset", "grand_slam_solo", "--suit", "D") == 0
    assert "; suit D; " in (tmp_path / "n.txt").read_text(encoding="utf-8")


def test_rule_prints_the_steps_and_the_settlement(capsys, tmp_path):
    line = f"{START.replace('pagat', 'hoyle')}; calls MIS PASS PASS PASS; plays SAS9; events 6:expose:3:SQ"
    assert run("rule", line) == 0
    assert capsys.readouterr().out == (
        "9.13  after action  6: third shows SQ: eldest takes the stakes, and third pays for all three.\n"
        "settlement: eldest (player_0) +3s, second (player_1) 0d, third (player_2) -3s, the dealer (player_3) 0d\n"
    )
    path = tmp_path / "game.txt"
    path.write_text(f"# a misdeal\n{START}; events 0:misdeal:2\n", encoding="utf-8")
    assert run("rule", str(path)) == 0
    printed = capsys.readouterr().out
    assert "the deal is void\nplayer_3 deals again\nsettlement: eldest (player_0) 0, " in printed
    assert run("rule", f"{START}; calls PASS PASS PASS PASS") == 0
    assert capsys.readouterr().out.startswith("nothing went wrong\n")


def test_help_teaches(capsys):
    assert run("--help") == 0
    assert "examples:" in capsys.readouterr().out
    for command in (
        "train",
        "report",
        "evaluate",
        "play",
        "rules",
        "replay",
        "rule",
        "convert",
        "fit-cards",
        "bench",
    ):
        assert run(command, "--help") == 0
        assert len(capsys.readouterr().out) > 100


def answers(*lines: str):
    waiting = list(lines)

    def ask(prompt: str) -> str:
        if not waiting:
            raise EOFError
        return waiting.pop(0)

    return ask


def test_a_person_plays_a_deal_and_bad_answers_are_explained():
    from solo_env.player import make_player
    from solo_env.rules import load_ruleset

    shown: list[str] = []
    first = ["nonsense", "COP", "?", "hint", "PASS"]
    player = make_player("pass")
    terminal.play_session(1, player, load_ruleset(), 1, 3, answers(*first, *["PASS"] * 3), shown.append)
    text = "\n".join(shown)
    assert "'nonsense' is no action" in text or "'NONSENSE' is no action" in text
    assert "is no action; open are PASS, PROP, SOLO, MIS, ABU, OUV, DECL." in text
    assert "cannot call COP now" in text
    assert "TRUMPS C, TRUMPS D" in text
    assert "pass" in text
    assert "record: pagat@" in text


def test_leaving_the_table_ends_the_session():
    from solo_env.player import make_player
    from solo_env.rules import load_ruleset

    for script in (["quit"], []):
        shown: list[str] = []
        terminal.play_session(0, make_player("novice"), load_ruleset(), 2, 1, answers(*script), shown.append)
        assert shown[-1] == "You have left the table."


def cards_in(text: str) -> set[str]:
    """The cards that a text names: "SA" and "♠A 10", where a symbol stands for all ranks that follow it."""
    found = set(re.findall(r"\b[CDHS][2-9TJQKA]\b", text))
    for symbol, ranks in re.findall(r"([♣♦♥♠])((?:10|[2-9JQKA])(?: (?:10|[2-9JQKA])\b)*)", text):
        found |= {"CDHS"["♣♦♥♠".index(symbol)] + rank.replace("10", "T") for rank in ranks.split()}
    return found


def hidden_cards_shown() -> set[str]:
    """The hidden cards among all that a session prints up to the person's first decision."""
    from solo_env.cards import card_text, cards_of
    from solo_env.player import make_player
    from solo_env.rules import load_ruleset
    from solo_env.table import Table

    shown: list[str] = []
    answer = answers("record", "hint", "nonsense", "quit")
    terminal.play_session(2, make_player("pass"), load_ruleset(), 1, 8, answer, shown.append)
    table = Table()
    table.deal(8)
    own = {card_text(c) for c in cards_of(int(table.data["hand_cards"][2]))}
    known = own | {card_text(int(table.data["turned_card"]))}
    seen = cards_in("\n".join(shown))
    assert own <= seen  # the text is read rightly
    return seen - known


def test_a_person_sees_no_hidden_card(monkeypatch):
    from solo_env import render
    from solo_env.cards import card_text
    from solo_env.table import Table

    assert hidden_cards_shown() == set()

    table, plain = Table(), render.text
    table.deal(8)
    leaks = {
        "symbols": render.text_all([table.view(seat) for seat in range(4)], table.ruleset),
        "letters": " ".join(card_text(card) for card in range(52)),
    }
    for leak in leaks.values():  # the check itself can fail
        monkeypatch.setattr(render, "text", lambda view, ruleset, leak=leak: f"{plain(view, ruleset)}\n{leak}")
        assert len(hidden_cards_shown()) in (38, 39)


@pytest.mark.parametrize("form", ["last_trick", "fewest", "first_to_five", "most_tricks"])
def test_a_general_misere_is_replayed_and_played(form, capsys):
    from solo_env.player import make_player
    from solo_env.rules import load_ruleset
    from solo_env.table import Table

    ruleset = load_ruleset(f'pagat+passout.mode="{form}"+trump.source="cycle"')
    table, player = Table(ruleset), make_player("pass", ruleset)
    table.deal(3)
    assert table.data["turned_card"] == -1
    while not table.over:
        table.apply(player.act(table.view(table.turn)))
    assert run("replay", table.record()) == 0
    printed = capsys.readouterr().out
    assert "contract: general misère, no trumps" in printed
    assert "the deal's suit: " in printed
    assert "turned up" not in printed
    shown: list[str] = []
    seat = int(table.data["dealer"])
    terminal.play_session(seat, player, ruleset, 1, 3, lambda _: played(table, shown, seat), shown.append)
    assert shown[-1] == f"record: {table.record()}"


def played(table, shown, seat):
    """What the seat answered in the game of ``table``, move by move; ``shown`` tells how far it is."""
    from solo_env import actions

    asked = sum(text.startswith("SOLO WHIST") for text in shown) - 1
    data = table.data
    moves = list(zip(data["calls"][: data["n_calls"]], data["call_seats"], strict=False))
    moves += list(zip(data["plays"][: data["n_plays"]], data["play_seats"], strict=False))
    return actions.text(int([move for move, who in moves if who == seat][asked]))


@pytest.mark.parametrize("named", ["pagat", "grand_slam_solo", 'pagat+trump.source="cycle"+trump.cycle=["NT"]'])
def test_every_ruleset_can_be_played_and_replayed(named, capsys):
    from solo_env.player import make_player
    from solo_env.rules import load_ruleset

    ruleset = load_ruleset(named)
    player = make_player("novice", ruleset)
    for seed in range(3):
        shown: list[str] = []
        calls = ["PASS"] * 4
        plays = [a for card in "CDHS" for a in (card + rank for rank in "23456789TJQKA")] * 13
        terminal.play_session(0, player, ruleset, 1, seed, answers("?", *calls, *plays), shown.append)
        text = "\n".join(shown)
        assert "record: " in text
        assert ("PROP (propose)" in text) == ("PROP" in ruleset.ladder())
        assert run("replay", shown[-1].removeprefix("record: ")) == 0
        printed = capsys.readouterr().out
        assert ("turned up: " in printed) == (named == "pagat")
        if "NT" in named:
            assert "the deal's suit: none" in printed


def test_a_suit_named_with_the_call_is_replayed(capsys):
    line = START.replace("pagat", 'pagat+contract.abu_suit_time="with_call"')
    assert run("replay", f"{line}; calls ABU:S PASS PASS PASS") == 0
    assert "player_0  ABU in spades" in capsys.readouterr().out


@pytest.mark.parametrize("fault", ["chooses -1", "chooses None", "fails"])
def test_a_players_mistake_in_a_game_names_it_and_tells_no_hand(fault):
    from solo_env.player import PlayerError, make_player
    from solo_env.rules import load_ruleset

    player = make_player("pass")

    def act(view, key=0):
        if fault == "fails":
            raise KeyError(f"my hand is {view.as_json()['hand']}")
        return -1 if fault == "chooses -1" else None

    player.act = act
    said = "failed while deciding: KeyError. What else" if fault == "fails" else fault.replace("chooses", "chose")
    with pytest.raises(PlayerError, match=r"player 'pass' as player_\d, deal 1 of seed 8, decision \d") as caught:
        terminal.play_session(0, player, load_ruleset(), 1, 8, answers(*["PASS"] * 4), lambda _: None)
    assert said in str(caught.value)
    assert not re.search(r"[SHDC][2-9TJQKA]\b", str(caught.value))
    assert ".." not in str(caught.value)


def test_a_session_of_no_deals_is_refused_before_anything_is_shown(capsys):
    assert run("play", "--deals", "0") == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "the number of deals is 0" in captured.err


def test_a_hint_that_fails_does_not_end_the_game():
    from solo_env.player import make_player
    from solo_env.rules import load_ruleset

    player, shown = make_player("pass"), []
    player.explain = None
    terminal.play_session(0, player, load_ruleset(), 1, 8, answers("hint", "quit"), shown.append)
    assert "player 'pass' cannot explain: TypeError" in shown[-2]


def test_play_explains_what_the_others_did_once_the_deal_is_over():
    from solo_env.player import make_player
    from solo_env.rules import load_ruleset

    def session(explain: bool) -> list[str]:
        shown: list[str] = []
        table = load_ruleset()
        asked = answers(*["PASS"] * 4)
        terminal.play_session(1, make_player("pass"), table, 1, 3, asked, shown.append, explain=explain)
        return shown

    shown, plain = session(True), session(False)
    explained = [text for text in shown if text not in plain]
    assert explained == [
        "hint: It never calls.",
        "why the others did so, from what each could see\n"
        + "\n".join(f"  player_{seat}  PASS      It never calls." for seat in (*others_in_order(plain),)),
    ]
    assert shown.index(explained[1]) > max(i for i, text in enumerate(shown) if text.startswith("player_"))


def others_in_order(shown: list[str]) -> list[int]:
    """Who passed, in the order in which it was shown."""
    return [int(text[7]) for text in shown if text.endswith(": PASS")]


def test_replay_says_what_a_player_thinks_of_each_decision(capsys):
    from solo_env.player import make_player

    line = f"{START}; calls PASS PASS SOLO PASS; plays DTD8DQDK D2"
    assert run("replay", line) == 0
    plain = capsys.readouterr().out
    assert run("replay", line, "--explain", "novice") == 0
    printed = capsys.readouterr().out
    told = (
        printed.split("what novice says to each decision, from what its seat saw\n")[1]
        .split("\n\n")[0]
        .splitlines()
    )
    assert (
        printed.replace(
            "what novice says to each decision, from what its seat saw\n" + "\n".join(told) + "\n\n", ""
        )
        == plain
    )

    novice, table, wanted = make_player("novice"), Table.from_record(START), []
    for name in ["PASS", "PASS", "SOLO", "PASS", "DT", "D8", "DQ", "DK", "D2"]:
        view, action = table.view(table.turn), actions.parse(name)
        if len(view.legal_actions()) > 1:
            wanted.append(f"  player_{table.turn}  {name:<8}  {novice.explain(view)}")
        table.apply(action)
    assert told == wanted
    assert len(wanted) > 6


def test_only_one_game_without_events_is_explained(capsys, tmp_path):
    path = tmp_path / "two.txt"
    path.write_text(f"{START}; calls PASS PASS PASS PASS\n" * 2, encoding="utf-8")
    assert run("replay", str(path), "--explain", "novice") == 2
    assert "holds 2 games; --explain is for one: give its record." in capsys.readouterr().err
    assert run("replay", f"{START}; events 0:expose:2:SA", "--explain", "novice") == 2
    assert (
        "the record has events; what was decided can be explained of games without any." in capsys.readouterr().err
    )
    assert run("replay", START, "--explain", "nobody") == 2
    assert "there is no player 'nobody'" in capsys.readouterr().err


def test_amounts_are_printed_as_the_ruleset_prints_them(capsys):
    line = START.replace("pagat", 'pagat+pay.money="pence"')
    assert run("replay", f"{line}; calls MIS PASS PASS PASS; plays SAS9SKST") == 0
    assert "result: player_0 -6d, player_1 +2d" in capsys.readouterr().out


def test_the_page_of_a_ruleset_shows_its_variants(capsys):
    changes = 'contract.decl_trumps="bidder_choice"', "pay.scale=2", "pay.unit=5", 'passout.mode="fewest"'
    assert run("rules", "+".join(["pagat", *changes, 'pay.money="pence"', 'trump.source="cycle"'])) == 0
    printed = capsys.readouterr().out
    rows = {line.split()[0]: line.split() for line in printed.splitlines() if line}
    assert rows["DECL"][3] == "named"
    assert rows["SOLO"][3:5] == ["deal's", "suit"]
    assert rows["SOLO"][6] == "2"
    assert rows["GM"][3:] == ["none", "eldest", "2", "0", "0", "1", "general", "misère:", "fewest"]
    assert "settles the price times 5 in pence: a price of 1 is printed as +5d." in printed


def test_the_list_of_rulesets_stands_in_columns(capsys):
    assert run("rules") == 0
    lines = capsys.readouterr().out.splitlines()
    assert len({re.search(r"[0-9a-f]{8} ", line).start() for line in lines}) == 1


def test_a_player_of_this_folder_can_be_named(tmp_path, monkeypatch, capsys):
    (tmp_path / "player_of_mine.py").write_text("from baselines.pass_player import PassPlayer as Good\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [entry for entry in sys.path if entry])
    assert run("evaluate", "player_of_mine:Good", "--against", "pass", "--deals", "1") == 0
    assert "+0" not in capsys.readouterr().out  # a zero has no sign


def test_training_into_any_folder_ends_with_the_matches(tmp_path, capsys):
    folder = tmp_path / "lr=1e-4, wide"
    none = [f"{stage}.decisions=0" for stage in ("ground", "clone", "cards", "settle")]
    tiny = [*none, "joint.decisions=1", "run.deals=2", "evaluate.every=0", "evaluate.final_deals=1"]
    settings = [word for option in tiny for word in ("--set", option)]
    assert run("train", "smoke", "--run", str(folder), *settings) == 0
    assert str(folder / "checkpoint.pt") in capsys.readouterr().out
    matches = json.loads((folder / "matches.json").read_text())["matches"]
    assert matches[0]["challenger"] == f"ppo:{folder / 'player.npz'}"


def test_without_torch_training_says_what_to_install(tmp_path, monkeypatch, capsys):
    for name in [name for name in sys.modules if name.startswith("training.") and name != "training.cli"]:
        monkeypatch.setattr(name, sys.modules[name])  # the package too gets back what it had
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "torch", None)
    assert run("train", "smoke", "--run", str(tmp_path / "run")) == 2
    said = capsys.readouterr().err
    assert said == (
        "solo-whist train: this needs the module 'torch', which is not here; torch and what else training needs "
        'come with: pip install "solo-whist[train]".\n'
    )


def test_a_reader_that_leaves_is_no_error():
    reader, writer = os.pipe()
    os.close(reader)
    program = [sys.executable, "-m", "training.cli", "rules", "pagat"]
    done = subprocess.run(
        program, check=False, stdout=writer, stderr=subprocess.PIPE, text=True, cwd=Path(cli.__file__).parents[1]
    )
    os.close(writer)
    assert done.stderr == ""
    assert done.returncode == 141


MISTAKES = {
    "unknown ruleset": (
        ["evaluate", "novice", "--against", "pass", "--ruleset", "bridge"],
        "no ruleset 'bridge'",
    ),
    "unknown key": (["rules", "pagat+colour=1"], "unknown key 'colour'"),
    "bad value": (["rules", "pagat+pay.base.MIS=x"], "not key=value with a TOML value"),
    "misspelt player": (["evaluate", "novise", "--against", "pass"], "no player 'novise'; registered are"),
    "misspelt opponent": (["play", "--against", "novise"], "no player 'novise'"),
    "unknown option": (["evaluate", "novice:style=wild", "--against", "pass"], "does not take style"),
    "no such module": (["evaluate", "nowhere:Player", "--against", "pass"], "needs the module 'nowhere'"),
    "no such class": (["evaluate", "solo_env.player:Nobody", "--against", "pass"], "cannot be found"),
    "not a player": (["evaluate", "json:JSONDecoder", "--against", "pass"], "player 'json:JSONDecoder'"),
    "negative deals": (
        ["evaluate", "novice", "--against", "pass", "--deals", "-5"],
        "the number of deals is -5",
    ),
    "no number": (
        ["evaluate", "novice", "--against", "pass", "--deals", "many"],
        "invalid int value: 'many'",
    ),
    "no such seating": (
        ["evaluate", "pass", "--against", "pass", "--seating", "five"],
        "there is no seating 'five'",
    ),
    "seats for others": (["evaluate", "pass", "--against", "pass", "--seating", "four"], "four is of 4 players"),
    "two others": (["evaluate", "pass", "--against", "pass", "pass"], "four is of 4 players"),
    "chosen on what": (["evaluate", "pass", "--against", "pass", "--chosen-on", "dev"], "'dev' is no book's id"),
    "endless deals": (["evaluate", "pass", "--against", "pass", "--deals", "999999999999"], "from 1 to 100000000"),
    "no session": (["evaluate", "pass", "--against", "pass", "--session", "0"], "deals of a session is 0"),
    "no such book": (["evaluate", "pass", "--against", "pass", "--book", "exam"], "there is no book 'exam'"),
    "chosen there": (
        ["evaluate", "pass", "--against", "pass", "--book", "dev", "--chosen-on", "dev-0"],
        "the challenger was chosen on book dev-0",
    ),
    "until what": (["evaluate", "pass", "--against", "pass", "--until", "0.05"], "it must be ci= and a number"),
    "until never": (["evaluate", "pass", "--against", "pass", "--until", "ci=0"], "a number of units above 0"),
    "no workers": (["evaluate", "pass", "--against", "pass", "--workers", "0"], "the number of workers is 0"),
    "half a session": (
        ["evaluate", "pass", "--against", "pass", "--ruleset", "bga", "--deals", "15"],
        "15 deals are no whole number of sessions",
    ),
    "preset and deals": (
        ["evaluate", "pass", "--against", "pass", "--preset", "quick", "--deals", "5"],
        "not allowed with argument --preset",
    ),
    "out into a file": (
        ["evaluate", "pass", "--against", "pass", "--out", "/dev/null"],
        "it is there and no folder",
    ),
    "out into nothing": (["evaluate", "pass", "--against", "pass", "--out", ""], "for the result is empty"),
    "negative seed": (["evaluate", "novice", "--against", "pass", "--seed", "-1"], "the seed is -1"),
    "no folder": (
        ["evaluate", "pass", "--against", "pass", "--json", "/no/such/out.json"],
        "there is no folder",
    ),
    "json into a folder": (
        ["evaluate", "nobody", "--against", "pass", "--json", "."],
        "evaluate: . cannot be written: it is a folder",
    ),
    "json into nothing": (["evaluate", "nobody", "--against", "pass", "--json", ""], "file to write is empty"),
    "json into a device": (
        ["evaluate", "nobody", "--against", "pass", "--json", "/dev/null"],
        "/dev/null cannot be written: it is there and no ordinary file",
    ),
    "json where none can": (
        ["evaluate", "nobody", "--against", "pass", "--json", "/proc/x"],
        "evaluate: /proc/x cannot be written: ",
    ),
    "comma in a path": (["evaluate", "ppo:a,b.pt", "--against", "pass"], "cannot have a comma in it"),
    "no run": (["train", "smoke", "--run", ""], "the folder of the run has an empty name"),
    "empty record": (["replay", ""], "the record is empty; give a record line"),
    "empty record to rule on": (["rule", ""], "the record is empty; give a record line"),
    "unfinished": (["rule", f"{START}; calls SOLO"], "the record ends at action 1, before the deal is over"),
    "no such event": (["rule", f"{START}; events 0:spill:E"], "'spill' in '0:spill:E' is no event"),
    "event of another": (["rule", f"{START}; events 0:expose:E:S9"], "eldest does not hold S9 then"),
    "replay with events": (["replay", f"{START}; events 0:expose:E:S9"], "eldest does not hold S9 then"),
    "replay a folder": (["replay", "."], ".: Is a directory"),
    "no opponent": (["evaluate", "novice"], "required: --against"),
    "no command": ([], "required: COMMAND"),
    "unknown command": (["destroy"], "invalid choice: 'destroy'"),
    "51 cards": (["replay", START.replace("SASJ", "SJ")], "not SA"),
    "illegal action": (["replay", f"{START}; calls ABT"], "cannot call ABT now"),
    "card not held": (["replay", f"{START}; calls SOLO PASS PASS PASS; plays S9"], "does not hold S9"),
    "no such file": (["replay", "nowhere.txt"], "nowhere.txt: No such file"),
    "neither is PBN": (["convert", "a.txt", "b.txt"], "neither IN nor OUT ends in .pbn"),
    "both are PBN": (["convert", "a.pbn", "b.pbn"], "both IN and OUT end in .pbn"),
    "no PBN to read": (["convert", "nowhere.pbn", "b.txt"], "nowhere.pbn: No such file"),
    "no session to read": (["convert", "nowhere.txt", "b.pbn"], "nowhere.txt: No such file"),
    "no folder to convert to": (["convert", "a.pbn", "/no/such/b.txt"], "there is no folder"),
    "a record to convert that breaks the rules": (["convert", f"{START}; calls ABT", "b.pbn"], "cannot call ABT"),
    "turned for a record": (["convert", START, "b.pbn", "--turned", "SA"], "--turned is for deals read from PBN"),
    "turned is no card": (["convert", "a.pbn", "b.txt", "--turned", "A"], "'A' is no card"),
    "suit is no suit": (["convert", "a.pbn", "b.txt", "--suit", "hearts"], "'hearts' is no suit"),
    "save into no folder": (["play", "--save", "/no/such/b.txt"], "there is no folder"),
    "save into a folder": (["play", "--save", "."], ". cannot be written: it is a folder"),
    "no such config": (["train", "nowhere.toml", "--run", "never"], "nowhere.toml"),
    "unknown config key": (["train", "smoke", "--run", "never", "--set", "ppo.speed=9"], "ppo.speed"),
    "no checkpoint": (["evaluate", "ppo:nowhere.pt", "--against", "pass"], "nowhere.pt"),
    "seat outside": (["play", "--seat", "4"], "invalid choice: 4"),
    "no deals to play": (["play", "--deals", "0"], "the number of deals is 0"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_gets_one_sentence_and_exit_code_two(mistake, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    arguments, said = MISTAKES[mistake]
    assert run(*arguments) == 2
    captured = capsys.readouterr()
    assert said in captured.err
    assert "Traceback" not in captured.err
    assert len(captured.err.strip().splitlines()) == 1
    assert captured.err.startswith("solo-whist")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.filterwarnings("default::solo_env.rules.RulesetWarning")
def test_a_warning_is_one_sentence(capsys, tmp_path):
    path = tmp_path / "odd.toml"
    path.write_text("pay.base.MIS = 9\n", encoding="utf-8")
    assert run("rules", str(path)) == 0
    lines = capsys.readouterr().err.splitlines()
    assert lines == [
        "solo-whist: warning: ruleset pagat+pay.base.MIS=9: ABU outranks MIS and pays less (3 against 9)."
    ]


def test_a_session_with_a_game_that_went_wrong_is_replayed_and_converted(tmp_path, capsys):
    good = lawgames.solo().line()
    settled = Table.from_record(good).record()
    wrong = lawgames.solo().line("56:refuse:E") + "; result -27 +9 +9 +9"
    path, pbn, back = (tmp_path / name for name in ("evening.txt", "evening.pbn", "back.txt"))
    path.write_text(f"{settled}\n{wrong}\n{settled}\n", encoding="utf-8")
    assert run("replay", str(path)) == 0
    told = capsys.readouterr().out
    assert "deal 2  dealer player_3  ruled on, 1 event" in told
    assert "account over 3 finished deals" in told
    assert run("convert", str(path), str(pbn)) == 0
    assert run("convert", str(pbn), str(back)) == 0
    assert back.read_text(encoding="utf-8") == path.read_text(encoding="utf-8")
    assert run("replay", wrong) == 0
    assert "settlement: eldest (player_0) -2s 3d" in capsys.readouterr().out


def test_calibrate_writes_the_same_tables_for_the_same_seed(tmp_path, capsys):
    counts = ["--deals", "60", "--forced", "40", "--rounds", "1", "--seed", "3"]
    for name in ("one", "two"):
        assert run("calibrate", *counts, "--out", str(tmp_path / name)) == 0
    printed = capsys.readouterr()
    assert printed.out.splitlines() == [str(tmp_path / name / "calls.npz") for name in ("one", "two")]
    assert "round 1" in printed.err
    one, two = (read_call_data(tmp_path / name / "calls.npz") for name in ("one", "two"))
    assert (one.tricks == two.tricks).all()
    assert (one.after == two.after).all()
    assert one.about["seed"] == 3
    assert (tmp_path / "one" / "calls.npz").read_bytes() == (tmp_path / "two" / "calls.npz").read_bytes()


@pytest.mark.parametrize(("option", "count"), [("deals", 0), ("deals", 1), ("forced", 1), ("rounds", 0)])
def test_calibrate_refuses_counts_that_leave_kinds_without_a_case(option, count, tmp_path, capsys):
    assert run("calibrate", f"--{option}", str(count), "--out", str(tmp_path)) == 2
    assert f"--{option}" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_calibrate_writes_over_nothing(tmp_path, capsys):
    (tmp_path / "calls.npz").write_bytes(b"mine")
    assert run("calibrate", "--out", str(tmp_path)) == 2
    assert "is there already" in capsys.readouterr().err
    assert (tmp_path / "calls.npz").read_bytes() == b"mine"
