"""Measurements as a whole: books, seats, exact zeros and signs, the same bytes however they were made."""

from __future__ import annotations

import itertools
import json
import os
import shlex
import signal
import subprocess
import sys
import time
from multiprocessing import active_children, parent_process
from pathlib import Path

import numpy as np
import pytest

from solo_env.engine import batch
from solo_env.engine.state import new_tables
from solo_env.evaluation import evaluate, new_plan, play_match, run
from solo_env.evaluation.books import BOOK_GAMES, MOST_DEALS, Book, BookError, carries_over, session_of
from solo_env.evaluation.match import OUTCOMES
from solo_env.evaluation.outcomes import outcomes_of
from solo_env.evaluation.play import play_chunk
from solo_env.evaluation.result import document_bytes
from solo_env.evaluation.run import CHUNK, MANIFEST, CrewError, Store, StoreError, chunks_of
from solo_env.evaluation.seatings import SEATINGS, SeatingError
from solo_env.player import BatchPlayer, PlayerError, make_player
from solo_env.rules import load_ruleset, pack_array, shipped_rulesets
from training.evaluate import read_until

PAGAT = load_ruleset("pagat")
NAMES = ["uniform", "random", "pass", "novice", "club", "expert", "ev-bidder"]


# --- books and seats


def deals_of(game: int, n: int = 300) -> set[bytes]:
    tables = new_tables(n)
    batch.deal_rows(tables, pack_array(PAGAT), 0, 0, game, -1, 1, 0, n)
    return {dealt.tobytes() for dealt in tables["dealt"]}


def test_books_share_no_deal_with_each_other_or_with_what_environments_and_training_begin_with():
    games = [*BOOK_GAMES.values(), 0, 1]
    dealt = [deals_of(game) for game in games]
    assert sum(map(len, dealt)) == len(set().union(*dealt)) == 300 * len(games)


def test_a_book_is_told_by_its_hash():
    books = [Book(name, seed, PAGAT) for name in BOOK_GAMES for seed in (0, 1)]
    assert len({book.hash for book in books}) == len(books)
    assert Book("test", 0, PAGAT).hash == Book("test", 0, load_ruleset("pagat")).hash
    assert len({book.key_seed for book in books}) == len(books)
    assert Book("test", 7, PAGAT).key_seed == 7


def test_a_book_that_there_is_not_is_refused():
    with pytest.raises(BookError, match="no book 'exam'; the books are train"):
        Book("exam", 0, PAGAT)


def test_a_player_is_not_reported_on_the_book_it_was_chosen_by():
    with pytest.raises(BookError, match="chosen on book dev-3, where it is lucky by choice"):
        new_plan("novice", ["pass"], book="dev", seed=3, chosen_on="dev-3")
    new_plan("novice", ["pass"], book="dev", seed=4, chosen_on="dev-3")


@pytest.mark.parametrize("session", [None, 1, 5])
@pytest.mark.parametrize("told", ["dev-3", "dev-3x5", "dev-3x10", "dev-03"])
def test_a_book_is_the_same_whatever_the_length_of_its_sessions(told, session):
    with pytest.raises(BookError, match=f"chosen on book {told}, where"):
        new_plan("novice", ["pass"], ruleset="bga", book="dev", seed=3, session=session, chosen_on=told)


@pytest.mark.parametrize(
    "told", ["nonsense", "dev", "", " test-0", "test-0 ", "test--1", "exam-0", "dev-3x", "dev-٣"]
)
def test_what_is_no_book_is_refused_as_the_book_that_a_player_was_chosen_by(told):
    with pytest.raises(BookError, match="is no book's id; it must be a book"):
        new_plan("novice", ["pass"], chosen_on=told)


def test_the_guide_names_the_rulesets_that_carry_over():
    guide = " ".join((Path(__file__).parents[2] / "docs" / "evaluation.md").read_text(encoding="utf-8").split())
    *names, last = [f"`{name}`" for name in shipped_rulesets() if carries_over(load_ruleset(name))]
    assert f"come with the package these are {', '.join(names)} and {last}." in guide


def test_more_deals_than_can_be_played_are_refused():
    new_plan("club", ["random"], deals=MOST_DEALS)
    with pytest.raises(ValueError, match=f"number of deals is {MOST_DEALS + 1}; .* from 1 to {MOST_DEALS}"):
        new_plan("club", ["random"], deals=MOST_DEALS + 1)


def test_a_session_of_no_deals_is_named():
    with pytest.raises(ValueError, match="the number of deals of a session is 0"):
        new_plan("club", ["random"], session=0)


@pytest.mark.parametrize("until", [0.05, 0.123456789, 1e-7, 1e16, 2])
def test_the_command_says_when_to_stop_as_it_was_said(until):
    words = shlex.split(new_plan("club", ["random"], until=until).command())
    assert read_until(words[words.index("--until") + 1]) == until


def test_a_number_from_a_book_of_selection_comes_with_a_warning():
    assert evaluate(new_plan("pass", ["pass"], deals=5))["warnings"] == []
    (warning,) = evaluate(new_plan("pass", ["pass"], deals=5, book="dev"))["warnings"]
    assert "Book dev is to choose between players" in warning


@pytest.mark.parametrize("seating", SEATINGS.values(), ids=SEATINGS)
def test_every_player_has_every_seat_as_often(seating):
    for player in range(seating.n_players):
        counts = (seating.seats == player).sum(axis=0)
        assert set(counts) == {seating.seats_of(player) // 4}
    assert len(set(seating.rows)) == len(seating.rows)


def test_the_seatings_have_all_the_ways_there_are():
    assert set(SEATINGS["four"].rows) == set(itertools.permutations(range(4)))
    assert len(SEATINGS["two_against_two"].rows) == 6
    assert set(SEATINGS["square"].rows) < set(SEATINGS["four"].rows)


@pytest.mark.parametrize(("name", "against"), [("four", 1), ("one_against_three", 3), ("square", 1), ("five", 3)])
def test_a_seating_for_others_is_refused(name, against):
    with pytest.raises(SeatingError, match=f"{name}"):
        new_plan("pass", ["pass"] * against, seating=name)


# --- zeros and signs


@pytest.mark.parametrize("seating", SEATINGS)
@pytest.mark.parametrize("name", NAMES)
def test_against_itself_every_player_is_exactly_zero(name, seating):
    plan = new_plan(name, [name] * (SEATINGS[seating].n_players - 1), deals=12, seed=5, seating=seating)
    lineup = evaluate(plan)["lineups"][0]
    for units in lineup["units"]:
        assert units == {"n": 12, "mean": 0, "sd": 0, "t95": [0, 0], "bootstrap95": [0, 0]}


@pytest.mark.parametrize("ruleset", [name for name in shipped_rulesets() if session_of(load_ruleset(name)) > 1])
def test_where_the_pack_carries_over_a_player_is_zero_against_itself_by_session(ruleset):
    units = evaluate(new_plan("club", ["club"], ruleset=ruleset, deals=100))["lineups"][0]["units"][0]
    assert (units["n"], units["mean"], units["sd"]) == (10, 0, 0)


@pytest.mark.parametrize("pair", [("expert", "club"), ("novice", "random"), ("ev-bidder", "pass")])
def test_swapping_the_names_in_two_against_two_flips_the_sign_exactly(pair):
    one, other = (
        evaluate(new_plan(a, [b], deals=120, seed=2, seating="two_against_two"))["lineups"][0]["units"][0]
        for a, b in (pair, pair[::-1])
    )
    assert one["mean"] == -other["mean"] != 0
    assert one["sd"] == other["sd"]
    assert one["t95"] == [-end for end in reversed(other["t95"])]


def test_two_against_two_is_zero_in_sum():
    both = evaluate(new_plan("expert", ["random"], deals=60, seating="two_against_two"))["lineups"][0]["units"]
    assert both[0]["mean"] == -both[1]["mean"]


def test_of_four_players_all_are_told_and_sum_to_zero():
    lineup = evaluate(new_plan("expert", ["novice", "random", "pass"], deals=40))["lineups"][0]
    assert sum(units["mean"] for units in lineup["units"]) == pytest.approx(0, abs=1e-12)
    assert len(lineup["differences"]) == 6
    first = lineup["differences"][0]
    assert first["mean"] == pytest.approx(lineup["units"][0]["mean"] - lineup["units"][1]["mean"])


@pytest.mark.parametrize("words", [{}, {"ruleset": "bga"}, {"ruleset": "bga", "seating": "two_against_two"}])
def test_differences_are_those_of_the_means(words):
    lineup = evaluate(new_plan("expert", ["random"], deals=100, **words))["lineups"][0]
    (difference,) = lineup["differences"]
    assert difference["mean"] == pytest.approx(lineup["units"][0]["mean"] - lineup["units"][1]["mean"])


def test_the_parts_by_contract_and_role_are_the_whole():
    lineup = evaluate(new_plan("expert", ["club"], deals=300))["lineups"][0]
    parts = lineup["by_contract_and_role"]
    assert sum(part["part_of_mean"] for part in parts) == pytest.approx(lineup["units"][0]["mean"])
    assert sum(part["n"] for part in parts) == 1200
    assert np.mean([e["mean"] for e in lineup["by_position"].values()]) == pytest.approx(lineup["units"][0]["mean"])


def test_a_rival_is_compared_on_the_same_deals():
    document = evaluate(new_plan("expert", ["club"], rival="novice", deals=200))
    difference = document["rival_difference"]
    means = [lineup["units"][0]["mean"] for lineup in document["lineups"]]
    assert difference["mean"] == pytest.approx(means[0] - means[1])
    same = evaluate(new_plan("club", ["novice"], rival="club", deals=50))["rival_difference"]
    assert (same["mean"], same["sd"]) == (0, 0)


def test_the_match_in_short_and_at_length_say_the_same():
    short = play_match(make_player("club"), make_player("random"), "hoyle", 150, seed=3)
    long = evaluate(new_plan("club", ["random"], ruleset="hoyle", deals=150, seed=3))["lineups"][0]
    assert short.mean_units == long["units"][0]["mean"]
    assert list(short.ci95) == long["units"][0]["t95"]
    assert {**short.as_json()["contracts"], "thrown_in": short.thrown_in} == long["contracts"]


# --- the same whatever the way


def bytes_of(plan, **how) -> bytes:
    return document_bytes(evaluate(plan, **how))


def test_the_size_of_a_chunk_does_not_matter():
    players, seats = [make_player("random"), make_player("club")], SEATINGS["two_against_two"].seats
    book = Book("test", 1, load_ruleset("bga"), 10)
    whole = outcomes_of(play_chunk(players, seats, book, 0, 7), 0, 0)
    parts = [outcomes_of(play_chunk(players, seats, book, first, n), 0, first) for first, n in ((0, 4), (4, 3))]
    assert (whole == np.concatenate(parts)).all()


@pytest.mark.parametrize("words", [{}, {"rival": "novice"}, {"until": 0.15}], ids=["plain", "rival", "until"])
def test_one_and_two_workers_give_the_same_bytes(words):
    plan = new_plan("expert", ["random"], deals=450, seed=4, **words)
    assert bytes_of(plan) == bytes_of(plan, workers=2)


@pytest.mark.parametrize("workers", [1, 2])
def test_a_run_that_is_stopped_goes_on_to_the_same_bytes(tmp_path, workers):
    plan = new_plan("club", ["random"], deals=3 * CHUNK + 50, rival="novice")
    whole, seen = bytes_of(plan), []

    def stop(done: int, planned: int) -> None:
        seen.append(done)
        if len(seen) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        evaluate(plan, workers, tmp_path, stop)
    assert active_children() == []
    kept = sorted(path.name for path in (tmp_path / OUTCOMES).glob("*.npy"))
    assert len(kept) == 2
    before = {name: (tmp_path / OUTCOMES / name).stat().st_mtime_ns for name in kept}
    assert bytes_of(plan, out=tmp_path) == whole
    assert {name: (tmp_path / OUTCOMES / name).stat().st_mtime_ns for name in kept} == before


def test_more_deals_play_only_what_is_missing(tmp_path):
    few, many = (new_plan("club", ["random"], deals=deals) for deals in (CHUNK + 20, 3 * CHUNK))
    evaluate(few, out=tmp_path)
    first = (tmp_path / OUTCOMES / "0000000000.npy").stat().st_mtime_ns
    assert bytes_of(many, out=tmp_path) == bytes_of(many)
    assert (tmp_path / OUTCOMES / "0000000000.npy").stat().st_mtime_ns == first
    assert bytes_of(few, out=tmp_path) == bytes_of(few)


@pytest.mark.parametrize("harm", ["flip", "cut", "other", "empty"])
def test_a_damaged_chunk_is_played_again(tmp_path, harm):
    plan = new_plan("club", ["random"], deals=2 * CHUNK)
    whole = bytes_of(plan, out=tmp_path)
    path = tmp_path / OUTCOMES / "0000000000.npy"
    content = bytearray(path.read_bytes())
    if harm == "flip":
        content[len(content) // 2] ^= 1
    elif harm == "cut":
        del content[-1]
    elif harm == "other":
        content[:] = (tmp_path / OUTCOMES / f"{CHUNK:010d}.npy").read_bytes()
    else:
        content.clear()
    path.write_bytes(content)
    assert bytes_of(plan, out=tmp_path) == whole


def test_a_folder_of_another_measurement_is_refused(tmp_path):
    evaluate(new_plan("club", ["random"], deals=5), out=tmp_path)
    for other in (
        new_plan("club", ["pass"], deals=5),
        new_plan("club", ["random"], deals=5, seed=1),
        new_plan("club", ["random"], deals=5, ruleset="hoyle"),
        new_plan("club", ["random"], deals=5, seating="two_against_two"),
    ):
        with pytest.raises(StoreError, match="holds the deals of another measurement"):
            evaluate(other, out=tmp_path)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff\x00"])
def test_a_damaged_manifest_is_called_damaged(tmp_path, content):
    (tmp_path / MANIFEST).write_bytes(content)
    with pytest.raises(StoreError, match=f"{MANIFEST} is damaged"):
        Store(tmp_path, {"book": "test-0"})
    assert (tmp_path / MANIFEST).read_bytes() == content


def test_deals_of_nobody_knows_what_get_no_manifest(tmp_path):
    (tmp_path / "0000000000.npy").write_bytes(b"deals")
    with pytest.raises(StoreError, match=r"no manifest\.json that tells of which measurement"):
        Store(tmp_path, {"book": "test-0"})
    assert [path.name for path in tmp_path.iterdir()] == ["0000000000.npy"]


def test_until_stops_at_a_look_and_says_when_it_was_decided():
    document = evaluate(new_plan("novice", ["random"], deals=2000, until=0.3))
    sequential, clusters = document["sequential"], document["n"]["clusters"]
    low, high = sequential["interval95"]
    assert clusters % 100 == 0
    assert clusters < 2000
    assert sequential["stopped"]
    assert (high - low) / 2 <= 0.3
    assert sequential["decided_at"] <= clusters
    assert document["lineups"][0]["units"][0]["n"] == clusters


def test_a_match_that_cannot_be_told_apart_is_not_stopped():
    document = evaluate(new_plan("club", ["club"], deals=300, until=0.01))
    assert document["n"]["clusters"] == 300
    assert document["sequential"]["decided_at"] is None
    assert not document["sequential"]["stopped"]


def test_chunks_cover_every_cluster_once():
    assert list(chunks_of(2 * CHUNK + 1)) == [(0, CHUNK), (CHUNK, CHUNK), (2 * CHUNK, 1)]


class FailsInPlay(BatchPlayer):
    def act_batch(self, views, keys, out):
        if (views["n_plays"] > 20).any():
            raise RuntimeError("no more")
        make_player("pass").act_batch(views, keys, out)


@pytest.mark.parametrize("workers", [1, 2])
def test_a_player_that_fails_is_named_whoever_played(workers):
    spec = f"{__name__}:FailsInPlay"
    with pytest.raises(PlayerError, match="FailsInPlay' failed while deciding: RuntimeError: no more"):
        evaluate(new_plan(spec, ["random"], deals=2 * CHUNK), workers=workers)


class Raises(BatchPlayer):
    error: type[BaseException] = GeneratorExit

    def act_batch(self, views, keys, out):
        raise self.error("\x1b[2J\tno\nmore\x07 " + "x" * 5000)


@pytest.mark.parametrize("error", [GeneratorExit, SystemExit, RuntimeError])
def test_whatever_a_player_raises_is_told_in_a_short_line_that_a_terminal_can_show(monkeypatch, error):
    monkeypatch.setattr(Raises, "error", error)
    with pytest.raises(PlayerError) as caught:
        evaluate(new_plan(f"{__name__}:Raises", ["random"], deals=1))
    said = str(caught.value)
    assert f"failed while deciding: {error.__name__}: \\x1b[2J no more\\x07 xxx" in said
    assert said.isprintable()
    assert 300 < len(said) < 450


def test_an_interrupt_stays_the_users(monkeypatch):
    monkeypatch.setattr(Raises, "error", KeyboardInterrupt)
    with pytest.raises(KeyboardInterrupt):
        evaluate(new_plan(f"{__name__}:Raises", ["random"], deals=1))


class DiesInAWorker(BatchPlayer):
    def act_batch(self, views, keys, out):
        make_player("pass").act_batch(views, keys, out)
        if parent_process() is not None and len(views) > 100:
            os._exit(9)


def test_a_process_that_dies_is_told_in_a_sentence():
    with pytest.raises(CrewError, match="a process that played has died"):
        evaluate(new_plan(f"{__name__}:DiesInAWorker", ["random"], deals=2 * CHUNK), workers=2)


class Changing(BatchPlayer):
    """Becomes another player that does the same on the first deal."""

    better = False

    def act_batch(self, views, keys, out):
        make_player("random").act_batch(views, keys, out)
        if self.better:
            other = out.copy()
            make_player("novice").act_batch(views, keys, other)
            out[keys % 16 == 0] = other[keys % 16 == 0]


def test_what_a_player_that_has_changed_played_is_not_gone_on_with(tmp_path, monkeypatch):
    monkeypatch.setattr(run, "HASHED_DEALS", 0)
    plan = new_plan(f"{__name__}:Changing", ["pass"], deals=2 * CHUNK)
    evaluate(plan, out=tmp_path)
    monkeypatch.setattr(Changing, "better", True)
    with pytest.raises(StoreError, match="is played otherwise now: a player has changed"):
        evaluate(plan, out=tmp_path)


# --- the command, killed


COMMAND = ["evaluate", "expert", "--against", "club", "--deals", "12000", "--workers", "2", "--out"]


@pytest.mark.long
def test_a_command_that_is_killed_goes_on_to_the_same_bytes_and_leaves_no_process(tmp_path):
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}

    def start(folder: str) -> subprocess.Popen[bytes]:
        words = [sys.executable, "-m", "training.cli", *COMMAND, str(tmp_path / folder)]
        return subprocess.Popen(words, env=environment, stdout=subprocess.DEVNULL, start_new_session=True)

    running = start("killed")
    chunks = tmp_path / "killed" / OUTCOMES
    while len(list(chunks.glob("*.npy"))) < 5:
        assert running.poll() is None
        time.sleep(0.01)
    running.send_signal(signal.SIGKILL)
    running.wait()
    kept = len(list(chunks.glob("*.npy")))
    assert 5 <= kept < 60
    assert not (tmp_path / "killed" / "result.json").exists()
    deadline = time.monotonic() + 60
    while True:  # its workers, which are in its session, end by themselves
        try:
            os.killpg(running.pid, 0)
        except ProcessLookupError:
            break
        assert time.monotonic() < deadline
        time.sleep(0.1)
    assert start("killed").wait() == 0
    assert start("whole").wait() == 0
    results = [(tmp_path / folder / "result.json").read_bytes() for folder in ("killed", "whole")]
    assert results[0] == results[1]
    assert json.loads(results[0])["n"]["deals"] == 12000
