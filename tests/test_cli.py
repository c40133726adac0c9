"""The command line: what it prints, and one sentence with exit code 2 for every mistake."""

from __future__ import annotations

import json

import pytest

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
    assert json.loads(out.read_text())["deals"] == 40
    assert [path.name for path in tmp_path.iterdir()] == ["out.json"]


def test_rules_lists_and_prints(capsys):
    assert run("rules") == 0
    assert "2075 auctions" in capsys.readouterr().out
    assert run("rules", "pagat") == 0
    printed = capsys.readouterr().out
    assert "auction.ladder = PROP, SOLO, MIS, ABU, ABT, OUV, DECL" in printed
    assert "4 thrown in after a proposal" in printed


def test_replay_prints_the_game(capsys, tmp_path):
    assert run("replay", f"{START}; calls PASS PASS SOLO PASS; plays DTD8DQDK D2") == 0
    printed = capsys.readouterr().out
    assert "solo by player_2, hearts" in printed
    assert "won by player_3" in printed
    assert "player_0 to act" in printed
    path = tmp_path / "game.txt"
    path.write_text(f"# a game\n{START}; calls PASS PASS PASS PASS\n", encoding="utf-8")
    assert run("replay", str(path)) == 0
    assert "result: player_0 +0" in capsys.readouterr().out


def test_help_teaches(capsys):
    assert run("--help") == 0
    assert "examples:" in capsys.readouterr().out
    for command in ("train", "evaluate", "play", "rules", "replay", "bench"):
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


def test_a_person_sees_no_hidden_card():
    from solo_env.cards import card_text, cards_of
    from solo_env.player import make_player
    from solo_env.rules import load_ruleset
    from solo_env.table import Table

    shown: list[str] = []
    terminal.play_session(2, make_player("pass"), load_ruleset(), 1, 8, answers("quit"), shown.append)
    table = Table()
    table.deal(8)
    hidden = {card_text(c) for s in (0, 1, 3) for c in cards_of(int(table.data["hand_cards"][s]))}
    hidden -= {card_text(int(table.data["turned_card"]))}
    assert not [card for card in hidden if card in "\n".join(shown).split()]


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
    "negative seed": (["evaluate", "novice", "--against", "pass", "--seed", "-1"], "the seed is -1"),
    "no folder": (
        ["evaluate", "pass", "--against", "pass", "--json", "/no/such/out.json"],
        "there is no folder",
    ),
    "no opponent": (["evaluate", "novice"], "required: --against"),
    "no command": ([], "required: COMMAND"),
    "unknown command": (["destroy"], "invalid choice: 'destroy'"),
    "51 cards": (["replay", START.replace("SASJ", "SJ")], "not SA"),
    "illegal action": (["replay", f"{START}; calls ABT"], "cannot call ABT now"),
    "card not held": (["replay", f"{START}; calls SOLO PASS PASS PASS; plays S9"], "does not hold S9"),
    "no such file": (["replay", "nowhere.txt"], "nowhere.txt: No such file"),
    "no such config": (["train", "nowhere.toml", "--run", "/tmp/never"], "nowhere.toml"),
    "unknown config key": (["train", "smoke", "--run", "/tmp/never", "--set", "ppo.speed=9"], "ppo.speed"),
    "no checkpoint": (["evaluate", "ppo:nowhere.pt", "--against", "pass"], "nowhere.pt"),
    "no network": (["evaluate", "ppo", "--against", "pass"], "checkpoint"),
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
