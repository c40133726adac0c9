"""Documents: what they say of themselves holds, and one that is not to be believed is refused with a sentence."""

from __future__ import annotations

import copy
import json
import shlex

import pytest

from solo_env.evaluation import evaluate, new_plan, read_result
from solo_env.evaluation.books import Book
from solo_env.evaluation.result import ResultError, document_bytes, schema, sealed
from solo_env.evaluation.schema import complaint
from solo_env.rules import load_ruleset
from training import cli

SEAL = ("kind", "schema_version", "digest")


@pytest.fixture(scope="module")
def document():
    return evaluate(new_plan("novice", ["random"], deals=40, seed=6))


def written(tmp_path, content):
    path = tmp_path / "result.json"
    path.write_bytes(content if isinstance(content, bytes) else document_bytes(content))
    return path


def changed(document, *path_and_value):
    """The document with one value changed and sealed anew, so that only that value is wrong."""
    *path, last, value = path_and_value
    other = copy.deepcopy(document)
    place = other
    for part in path:
        place = place[part]
    place[last] = value
    return resealed(other)


def resealed(document):
    version = document["schema_version"]
    other = sealed(
        {key: value for key, value in document.items() if key not in ("kind", "schema_version", "digest")}
    )
    assert other["schema_version"] == version
    return other


def test_a_document_is_read_as_it_was_written(tmp_path, document):
    path = written(tmp_path, document)
    assert read_result(path) == document
    assert read_result(path, Book("test", 6, load_ruleset("pagat"))) == document


def test_the_schema_knows_every_key_and_asks_for_every_key(document):
    assert complaint(document, schema()) == ""
    for key in document:
        assert complaint({k: v for k, v in document.items() if k != key}, schema()) == f"it has no {key!r}"
    assert "does not know" in complaint({**document, "more": 1}, schema())


@pytest.mark.parametrize("kind", ["four", "session", "rival", "few"])
def test_every_kind_of_measurement_follows_the_schema(tmp_path, kind):
    plan = {
        "four": lambda: new_plan("pass", ["random", "novice", "uniform"], deals=15, seating="square"),
        "session": lambda: new_plan("pass", ["random"], ruleset="bga", deals=20),
        "rival": lambda: new_plan("novice", ["random"], rival="pass", deals=1000),
        "few": lambda: new_plan("pass", ["random"], deals=1),
    }[kind]()
    read_result(written(tmp_path, evaluate(plan)), plan.book)


def test_a_damaged_file_is_refused_whatever_is_damaged(tmp_path, document):
    content = document_bytes(document)
    for at in range(0, len(content), max(1, len(content) // 200)):
        damaged = bytearray(content)
        damaged[at] ^= 1
        if json_of(bytes(damaged)) == document:
            continue  # white space
        with pytest.raises(ResultError, match=r"result.json (is|has|does not) .*\.$"):
            read_result(written(tmp_path, bytes(damaged)))
    for cut in (0, 1, len(content) // 2, len(content) - 3):
        with pytest.raises(ResultError, match="is damaged, or no result at all"):
            read_result(written(tmp_path, content[:cut]))


def json_of(content):
    try:
        return json.loads(content)
    except ValueError:
        return None


def test_a_changed_number_is_refused(tmp_path, document):
    other = copy.deepcopy(document)
    other["lineups"][0]["units"][0]["mean"] += 0.001
    with pytest.raises(ResultError, match="is damaged: its content is not what its digest says"):
        read_result(written(tmp_path, other))


@pytest.mark.parametrize("version", [0, 2, "1", None])
def test_another_schema_is_refused_with_the_command_to_run(tmp_path, document, version):
    with pytest.raises(ResultError, match=r"has schema version .*, this program reads 1: .*solo-whist evaluate"):
        read_result(written(tmp_path, {**document, "schema_version": version}))


@pytest.mark.parametrize("content", ["[]", "{}", "1", '{"kind": "solo-whist ladder"}'])
def test_what_is_no_result_is_refused(tmp_path, content):
    with pytest.raises(ResultError, match="is no result of solo-whist evaluate"):
        read_result(written(tmp_path, content.encode()))


def test_another_table_hash_is_refused(tmp_path, document):
    with pytest.raises(ResultError, match="actions and observations of hash 0badbeef"):
        read_result(written(tmp_path, changed(document, "table_hash", "0badbeef")))


def test_a_book_that_is_dealt_otherwise_is_refused(tmp_path, document):
    with pytest.raises(ResultError, match="is of book test-6 with hash 000000000000, which is dealt with hash"):
        read_result(written(tmp_path, changed(document, "book", "hash", "0" * 12)))
    with pytest.raises(ResultError, match="is of book test-6 with hash"):
        read_result(written(tmp_path, changed(document, "book", "game", 5)))


@pytest.mark.parametrize(("name", "seed"), [("dev", 6), ("final", 6), ("test", 7)])
def test_another_book_than_asked_for_is_refused(tmp_path, document, name, seed):
    with pytest.raises(ResultError, match=rf"is of book test-6 \(.*\), not of {name}-{seed} \("):
        read_result(written(tmp_path, document), Book(name, seed, load_ruleset("pagat")))


def test_another_ruleset_than_asked_for_is_refused(tmp_path, document):
    with pytest.raises(ResultError, match="is of ruleset pagat, not of bga"):
        read_result(written(tmp_path, document), Book("test", 6, load_ruleset("bga")))


def test_a_ruleset_that_plays_otherwise_is_refused(tmp_path, document):
    with pytest.raises(ResultError, match="is of pagat@00000000, which plays as @"):
        read_result(written(tmp_path, changed(document, "ruleset", "signature", "0" * 8)))
    with pytest.raises(ResultError, match="cannot be understood here: there is no ruleset 'bridge'"):
        read_result(written(tmp_path, changed(document, "ruleset", "name", "bridge")))


def test_what_the_schema_forbids_is_refused_with_its_place(tmp_path, document):
    other = changed(document, "lineups", 0, "units", 0, "n", "many")
    with pytest.raises(ResultError, match=r"does not follow the schema: lineups\[0\]\.units\[0\]\.n is no integer"):
        read_result(written(tmp_path, other))


def test_a_file_that_is_too_long_is_refused(tmp_path, monkeypatch, document):
    monkeypatch.setattr("solo_env.evaluation.result.LIMIT", 100)
    with pytest.raises(ResultError, match="is longer than 100 bytes"):
        read_result(written(tmp_path, document))


@pytest.mark.parametrize(
    "words",
    [
        {"against": ["random"], "deals": 20},
        {"against": ["random"], "deals": 130, "until": 0.5, "seating": "two_against_two", "rival": "pass"},
        {"against": ["random", "pass", "uniform"], "ruleset": "pagat+pay.base.MIS=3", "deals": 4, "book": "final"},
        {"against": ["random"], "ruleset": "bga", "deals": 20, "session": 5, "seed": 3},
    ],
    ids=["plain", "until", "four", "session"],
)
def test_the_command_in_a_document_makes_the_document(tmp_path, words):
    document = evaluate(new_plan("novice", **words))
    name, *command = shlex.split(document["command"])
    assert name == "solo-whist"
    path = tmp_path / "again.json"
    assert cli.main([*command, "--json", str(path)]) == 0
    assert path.read_bytes() == document_bytes(document)


def test_a_document_says_nothing_of_who_made_it(document):
    told = json.dumps(document)
    for word in ("workers", "seconds", "commit", "/"):
        assert word not in told
