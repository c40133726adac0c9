"""The generated parts of the documentation are what their tables say now, and the README's examples run."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys

import pytest

from solo_env import solo_whist_v0
from solo_env.evaluation.books import Book
from solo_env.evaluation.ladder import read_ladder
from solo_env.evaluation.result import schema_bytes
from solo_env.evaluation.run import player_hash
from solo_env.player import NEED_MORE, make_player, player_names
from solo_env.rules import load_ruleset
from training import cli
from training.docs import LADDER, PAGES, ROOT, SCHEMAS, generated

README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES)
def test_generated_parts_are_fresh(page):
    assert (ROOT / page).read_text(encoding="utf-8") == generated(page), "run: make docs"


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_published_schema_is_the_one_that_documents_are_checked_by(name):
    assert (ROOT / "docs" / name).read_bytes() == schema_bytes(name), "run: make docs"


def test_the_ladder_of_the_readme_has_all_shipped_players_under_three_rulesets():
    document = read_ladder(LADDER)
    options = {"ppo"} | NEED_MORE  # a player trained on one ruleset, and those of a program or a file
    assert set(document["players"]) == set(player_names()) - options
    assert [section["ruleset"]["name"] for section in document["rulesets"]] == ["pagat", "hoyle", "margin5"]
    assert document["deals"] == 4_000
    for section in document["rulesets"]:
        assert len(section["pairs"]) == 21
        assert section["standing"]
        assert section["ratings"]
    [command] = blocks("sh", "docs/ladder.json --add uniform")
    assert command.strip() == document["command"].replace("FILE", "docs/ladder.json")


def test_the_ladder_of_the_readme_is_of_the_players_as_they_are():
    for section in read_ladder(LADDER)["rulesets"]:
        book = Book(section["book"]["name"], section["book"]["seed"], load_ruleset(section["ruleset"]["name"]))
        for player in section["players"]:
            found = player_hash(make_player(player["spec"], book.ruleset), book)
            assert found == player["hash"], "run: solo-whist ladder docs/ladder.json --replay, and make docs"


def blocks(language, having=""):
    """The code blocks of the README in a language that hold a text."""
    return [code for code in re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL) if having in code]


@pytest.mark.parametrize("code", blocks("python"))
def test_the_readme_examples_run(code, tmp_path):
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("page", [*PAGES, "ARCHITECTURE.md", "CONTRIBUTING.md", "tests/README.md"])
def test_every_link_of_a_page_leads_somewhere(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    for target, place in re.findall(r"\]\(([^)#]*)(#[^)]*)?\)", text):
        file = (ROOT / page).parent / target if target else ROOT / page
        assert file.exists(), target
        if place:
            headings = re.findall(r"^#+ (.*)$", file.read_text(encoding="utf-8"), re.MULTILINE)
            anchors = {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
            assert place[1:] in anchors, target + place


def test_the_player_of_the_readme_plays_as_the_readme_says(tmp_path, monkeypatch, capsys):
    [code] = blocks("python", "class MyPlayer")
    (tmp_path / "mymodule.py").write_text(code, encoding="utf-8")
    [command] = blocks("sh", "MyPlayer")
    name, *arguments = shlex.split(command)
    assert name == "solo-whist"
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    assert cli.main([*arguments, "--deals", "4"]) == 0
    assert "mymodule:MyPlayer against three of novice" in capsys.readouterr().out


def test_the_ruleset_of_the_readme_loads(tmp_path):
    [code] = blocks("toml")
    path = tmp_path / "house.toml"
    path.write_text(code, encoding="utf-8")
    ruleset = load_ruleset(str(path))
    assert ruleset.name == "wikipedia+contract.targets.PC=7+pay.base.MIS=3"
    assert ruleset.title == "House rules"


def test_the_record_of_the_readme_replays(capsys):
    [command] = blocks("sh", 'solo-whist replay "')
    name, *arguments = shlex.split(command)
    assert name == "solo-whist"
    assert cli.main(arguments) == 0
    assert "contract: misère" in capsys.readouterr().out


def test_the_map_of_faults_names_tests_that_exist():
    text = (ROOT / "tests" / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d+) \| [^|]+ \| ([^|]+) \|$", text, re.MULTILINE)
    assert [int(number) for number, _ in rows] == [*range(1, 54), 55, 56]
    for number, guards in rows:
        tests = re.findall(r"`([\w/]+\.py)::(test_\w+)`", guards)
        assert tests or guards.startswith(("sessions", "open")), number
        for file, name in tests:
            path = ROOT / "tests" / file
            assert path.is_file(), f"{number}: {file}"
            assert f"def {name}(" in path.read_text(encoding="utf-8"), f"{number}: {file}::{name}"


def test_an_id_outside_the_table_raises_and_the_deal_goes_on():
    env = solo_whist_v0.env()
    env.reset(seed=0)
    for action in (-1, 68):
        with pytest.raises(AssertionError):
            env.step(action)
    assert env.unwrapped.table.data["n_calls"] == 0
    assert not any(env.terminations.values())
    assert env.view(env.agent_selection).legal_actions()
    assert env.np_random_seed == 0
