"""Players in processes of their own: one that plays, and those that are late, dead or talk garbage."""

from __future__ import annotations

import gc
import json
import os
import pickle
import shlex
import subprocess
import sys
import time
from importlib.metadata import entry_points
from pathlib import Path

import numpy as np
import pytest

from solo_env import actions
from solo_env.engine.bits import key_below
from solo_env.evaluation import play_match
from solo_env.player import GROUP, PlayerError, ask_player, make_player
from solo_env.process import ProcessPlayer
from solo_env.rules import load_ruleset
from solo_env.table import Table
from solo_env.view import View

ROOT = Path(__file__).resolve().parent.parent
EXAMPLE = f"perl {shlex.quote(str(ROOT / 'examples' / 'lowest.pl'))}"

# What each program below does with a decision; ``n`` counts them from 1.
PROGRAM = """
import json, os, sys, time
n = 0
for line in sys.stdin:
    told = json.loads(line)
    if "hello" in told:
        {hello}
        continue
    n += 1
    first = {{"action": told["view"]["legal"][0], "why": "it is the\\n first."}}
    {decide}
"""
HELLO = "print('{\"hello\": 1}', flush=True)"
GOOD = "print(json.dumps(first), flush=True)"


@pytest.fixture
def program(tmp_path):
    """Writes a program, and returns its command."""

    def write(decide: str = GOOD, hello: str = HELLO) -> str:
        path = tmp_path / f"player{len(list(tmp_path.iterdir()))}.py"
        path.write_text(PROGRAM.format(decide=decide, hello=hello))
        return f"{shlex.quote(sys.executable)} -S -E {shlex.quote(str(path))}"

    return write


def opening() -> View:
    """What eldest sees before the first call."""
    table = Table()
    table.deal(1)
    return table.view(table.turn)


def pid_of(player: ProcessPlayer) -> int:
    assert player._program is not None
    return player._program.process.pid


def is_running(pid: int) -> bool:
    """Whether there is such a process, be it as a zombie."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


# --- a program that plays


def test_the_example_in_another_language_plays_as_the_same_player_here_does():
    # Perl is part of every Debian; where it is missing this test fails, as it should.
    example, same = ProcessPlayer("pagat", EXAMPLE), make_player("pass")
    assert (play_match(example, make_player("random"), "pagat", 3)).as_json() | {"challenger": ""} == (
        play_match(same, make_player("random"), "pagat", 3).as_json() | {"challenger": ""}
    )
    assert example.explain(opening()).endswith(": it never calls.")
    assert (example.failures, example.decisions > 100) == (0, True)
    example.close()


def test_the_spec_names_the_command_and_its_options():
    [point] = [point for point in entry_points(group=GROUP) if point.name == "process"]
    assert point.load() is ProcessPlayer
    player = make_player(f"process:{EXAMPLE},timeout=2.5,on_failure=lowest,restarts=0")
    assert isinstance(player, ProcessPlayer)
    assert (player.timeout, player.on_failure, player.restarts) == (2.5, "lowest", 0)
    assert actions.text(player.act(opening())) == "PASS"
    player.close()


def test_the_program_is_told_the_rules_the_view_and_a_seed(program, tmp_path):
    log = tmp_path / "told"
    player = ProcessPlayer(
        "pagat+pay.base.MIS=3",
        program(f"open({str(log)!r}, 'a').write(line); {GOOD}", f"open({str(log)!r}, 'a').write(line); {HELLO}"),
    )
    view = opening()
    assert player.act(view, key=12345) == view.legal_actions()[0]
    assert (
        player.explain(view) == f"process chooses PASS from {', '.join(view.as_json()['legal'])}: it is the first."
    )
    player.close()
    hello, asked, explained = map(json.loads, log.read_text().splitlines())
    ruleset = load_ruleset("pagat+pay.base.MIS=3")
    assert (hello["hello"], hello["ruleset"]) == (1, ruleset.name)
    assert hello["rules"]["pay.base"]["MIS"] == 3
    assert list(hello["rules"]) == [key for key, *_ in ruleset.items()]
    assert hello["actions"] == [row.name for row in actions.TABLE]
    assert asked == {"view": view.as_json(), "seed": int(key_below(12345, 2**31)), "explain": False}
    assert explained == {"view": view.as_json(), "seed": int(key_below(0, 2**31)), "explain": True}


def test_one_program_serves_a_batch_and_ends_with_its_player(program):
    player = ProcessPlayer("pagat", program())
    views = np.array([opening().record] * 5)
    assert (ask_player(player, views, np.arange(5)) == actions.PASS).all()
    pid = pid_of(player)
    assert (player._starts, player.decisions) == (1, 5)
    del player
    gc.collect()
    assert not is_running(pid)


def test_a_program_that_hears_no_end_is_killed_with_what_it_started(program):
    stubborn = "import subprocess; print(subprocess.Popen(['sleep', '60']).pid, file=sys.stderr); "
    player = ProcessPlayer("pagat", program(f"{stubborn}{GOOD}\n    time.sleep(60)"))
    player.act(opening())
    pid, child = pid_of(player), int(player._program.last_error())  # type: ignore[union-attr]
    player.close()
    assert not is_running(pid)
    for _ in range(100):  # init reaps it
        if not is_running(child) or "Z" in Path(f"/proc/{child}/stat").read_text().rpartition(")")[2]:
            break
        time.sleep(0.05)
    else:
        pytest.fail("what it started still runs")


def test_a_lot_on_standard_error_blocks_nobody(program):
    player = ProcessPlayer("pagat", program(f"sys.stderr.write('x' * 300_000); {GOOD}"))
    for _ in range(3):
        assert player.act(opening()) == actions.PASS
    player.close()


def test_a_copy_in_another_process_starts_a_program_of_its_own(program):
    player = ProcessPlayer("pagat", program())
    player.act(opening())
    copy = pickle.loads(pickle.dumps(player))
    assert (copy.decisions, copy._program) == (0, None)
    assert copy.act(opening()) == actions.PASS
    assert pid_of(copy) != pid_of(player)
    copy.close()
    read, write = os.pipe()
    if (child := os.fork()) == 0:
        os.write(write, f"{player.act(opening())} {pid_of(player)}".encode())
        player.close()
        os._exit(0)
    os.waitpid(child, 0)
    os.close(write)
    action, pid = os.read(read, 100).decode().split()
    os.close(read)
    assert (int(action), int(pid) != pid_of(player), is_running(int(pid))) == (actions.PASS, True, False)
    assert player.act(opening()) == actions.PASS
    assert player._starts == 1
    player.close()


# --- programs that fail

SLEEPS = "time.sleep(60)"
FAILURES = {
    "sleeps": (SLEEPS, HELLO, "gave no answer within 0.3 s"),
    "trickles": ("print('{', end='', flush=True); time.sleep(60)", HELLO, "gave no answer within 0.3 s"),
    "dies": ("sys.exit(3)", HELLO, "ended with exit code 3"),
    "is killed": ("os.kill(os.getpid(), 9)", HELLO, "was ended by signal 9"),
    "dies loudly": (
        "raise OSError('no\\tluck')",
        HELLO,
        "ended with exit code 1; its standard error ends: 'OSError: no luck'",
    ),
    "closes": ("os.close(1); time.sleep(60)", HELLO, "closed its output"),
    "garbage": ("print('SA', flush=True)", HELLO, "answered 'SA', which is no JSON object"),
    "bytes": ("os.write(1, bytes([255, 10]))", HELLO, "answered '\ufffd', which is no JSON object"),
    "a list": ("print('[1]', flush=True)", HELLO, r"answered '[1]', which is no JSON object"),
    "deep": ("print('[' * 50_000, flush=True)", HELLO, "which is no JSON object"),
    "endless": (
        "sys.stdout.write('{' * 300_000); sys.stdout.flush(); time.sleep(60)",
        HELLO,
        "and no end of the line",
    ),
    "no action": ("print('{}', flush=True)", HELLO, "answered '{}', which has no \"action\" in text"),
    "a number": ("print('{\"action\": 52}', flush=True)", HELLO, 'which has no "action" in text'),
    "illegal": (
        'print(\'{"action": "COP"}\', flush=True)',
        HELLO,
        "chose 'COP', which is not open; view.legal says what is",
    ),
    "unknown": ('print(\'{"action": "pass"}\', flush=True)', HELLO, "chose 'pass', which is not open"),
    "deaf": (GOOD, SLEEPS, "gave no answer within 0.5 s"),
    "hello": (
        GOOD,
        "print('{\"hello\": 2}', flush=True)",
        'answered \'{"hello": 2}\' to the first line; say {"hello": 1}',
    ),
}


def limits(name: str) -> dict[str, float]:
    """Short ones only where they must run out."""
    return {"timeout": 0.3 if name in ("sleeps", "trickles") else 20, "start": 0.5 if name == "deaf" else 20}


@pytest.mark.parametrize("name", FAILURES)
def test_a_program_that_fails_is_quoted_in_a_sentence(program, name):
    decide, hello, message = FAILURES[name]
    command = program(decide, hello)
    player = ProcessPlayer("pagat", command, **limits(name))
    with pytest.raises(PlayerError) as caught:
        player.act(opening())
    told = str(caught.value)
    assert message in told
    assert told.startswith(command.split()[0])
    assert "\n" not in told
    assert player.failures == 1
    assert (player._program is None) == (name not in ("illegal", "unknown"))
    player.close()


@pytest.mark.parametrize("name", FAILURES)
def test_the_lowest_open_action_is_taken_for_a_program_that_fails(program, name, capfd):
    decide, hello, message = FAILURES[name]
    player = ProcessPlayer(
        "pagat",
        program(decide, hello),
        **limits(name),
        on_failure="lowest",
        restarts=1,
    )
    for _ in range(4):
        assert player.act(opening()) == actions.PASS
    restarted = name not in ("illegal", "unknown")
    assert (player.decisions, player.failures, player._starts) == (4, 4, 2 if restarted else 1)
    told = capfd.readouterr().err
    assert told.count("\n") == 1
    assert message in told
    assert told.endswith("PASS is taken for it, and so on without a word.\n")
    player.close()
    del player
    gc.collect()
    assert capfd.readouterr().err == "solo_env: player 'process' failed in 4 of 4 decisions.\n"


def test_nothing_is_left_of_programs_that_failed(program):
    player = ProcessPlayer("pagat", program(SLEEPS), timeout=0.1, on_failure="lowest", restarts=2)
    pids, before = [], set(os.listdir("/proc/self/fd"))
    start = ProcessPlayer._running

    def noting(self):
        found = start(self)
        pids.append(found.process.pid)
        return found

    ProcessPlayer._running = noting
    try:
        for _ in range(5):
            player.act(opening())
    finally:
        ProcessPlayer._running = start
    assert len(pids) == 3
    assert not any(map(is_running, pids))
    assert set(os.listdir("/proc/self/fd")) == before


def test_a_program_that_fails_once_goes_on(program, capfd):
    # It is late once: killed, started anew, and plays.
    flag = "os.path.exists(sys.argv[0] + '.late')"
    late = f"if not {flag}:\n        open(sys.argv[0] + '.late', 'w'); time.sleep(60)\n    {GOOD}"
    player = ProcessPlayer("pagat", program(late), timeout=1.5, on_failure="lowest")
    assert [player.act(opening()) for _ in range(3)] == [actions.PASS] * 3
    assert (player.failures, player._starts) == (1, 2)
    player.close()


def test_an_answer_too_many_is_not_taken_for_the_next_one(program):
    twice = 'print(json.dumps(first)); print(\'{"action": "PROP"}\', flush=True)'
    player = ProcessPlayer("pagat", program(twice))
    assert player.act(opening()) == actions.PASS
    with pytest.raises(PlayerError, match="without being asked"):
        player.act(opening())


def test_a_match_names_the_player_and_what_its_program_did(program):
    player = ProcessPlayer("pagat", program("sys.exit('out of ideas')"))
    player.name = "mine"
    with pytest.raises(
        PlayerError, match=r"^player 'mine' failed while deciding: .* ended with exit code 1; its .*'out of ideas'"
    ):
        play_match(player, make_player("pass"), "pagat", 1)


def test_programs_end_with_the_python_that_asks_them(program):
    code = (
        "from solo_env.process import ProcessPlayer; from solo_env.table import Table; t = Table(); import sys; "
        "p = ProcessPlayer('pagat', sys.argv[1]); p.act(t.view(t.turn)); print(p._program.process.pid)"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code, program()],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert not is_running(int(done.stdout))


MISTAKES = {
    "": "no command is given; name a program, as in process:./player.pl",
    "'a": "cannot be split into words: No closing quotation",
    "./no_such_program -x": "there is no program './no_such_program', or it may not be executed; a script that",
}


@pytest.mark.parametrize("command", MISTAKES)
def test_a_bad_command_gets_a_sentence(command):
    with pytest.raises(PlayerError, match=MISTAKES[command]):
        ProcessPlayer("pagat", command)


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ({"timeout": "soon"}, r"timeout is 'soon'; it must be seconds, more than 0 and at most 86400\."),
        ({"timeout": "nan"}, "timeout is 'nan'; it must be seconds"),
        ({"start": "0"}, "start is '0'; it must be seconds"),
        ({"on_failure": "shrug"}, "on_failure is 'shrug'; it must be error or lowest"),
        ({"restarts": "-1"}, "restarts is '-1'; it must be a whole number of at least 0"),
    ],
)
def test_a_bad_option_gets_a_sentence(option, message):
    with pytest.raises(PlayerError, match=message):
        ProcessPlayer("pagat", "perl", **option)
