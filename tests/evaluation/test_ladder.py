"""Ladders: what is missing is played and nothing else; files and players that have changed are refused."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from functools import lru_cache
from itertools import combinations, permutations

import numpy as np
import pytest

from solo_env.evaluation import audit, ladder, play_match, ratings, run
from solo_env.evaluation.ladder import LadderError, Wish, extend_ladder, read_ladder
from solo_env.evaluation.outcomes import OUTCOME
from solo_env.evaluation.pairs import (
    PLACES,
    SEATING,
    read_counts,
    read_places,
    read_signs,
    scores_and_places,
    write_counts,
    write_signs,
)
from solo_env.evaluation.result import ResultError, read_result, sealed
from solo_env.player import BatchPlayer, make_player
from training import cli

MOODY = "tests.evaluation.test_ladder:Moody"
DEALS = 24
inner = lru_cache(make_player)


class Moody(BatchPlayer):
    """Plays as whoever it is told."""

    plays_as = "pass"

    def act_batch(self, views, keys, out):
        inner(self.plays_as).act_batch(views, keys, out)


@pytest.fixture(autouse=True)
def quick_ratings(monkeypatch):
    monkeypatch.setattr(audit, "SUIT_DEALS", DEALS)
    monkeypatch.setattr(ratings, "RESAMPLES", 40)
    monkeypatch.setattr(ratings, "REPEATS", 2)
    monkeypatch.setattr(ratings, "ROUNDS", 10)


@pytest.fixture
def played(monkeypatch):
    """The matches that are played from now on: ruleset, lone player, the other, first cluster, clusters."""
    matches = []
    true = run.play_clusters

    def spy(plan, players, first, n):
        matches.extend((plan.ruleset.name, *lineup, first, n) for lineup in plan.lineups)
        return true(plan, players, first, n)

    monkeypatch.setattr(run, "play_clusters", spy)
    return matches


def begin(path, *players, rulesets=(), deals=DEALS, **kept):
    return extend_ladder(path, Wish(players, rulesets, deals=deals, **kept))[0]


# --- what is played


def test_adding_a_player_plays_its_own_pairs_and_nothing_else(tmp_path, played):
    path = tmp_path / "ladder.json"
    begin(path, "pass", "random", "uniform", rulesets=("pagat", "hoyle"))
    first = [("pagat", *pair, 0, DEALS) for pair in permutations(("pass", "random", "uniform"), 2)]
    assert sorted(played) == sorted([*first, *(("hoyle", *match[1:]) for match in first)])
    before = json.loads(path.read_text())
    played.clear()
    extend_ladder(path, Wish(add=("novice",)))
    assert len(played) == 12
    assert all("novice" in match[1:3] for match in played)
    after = json.loads(path.read_text())
    for old, new in zip(before["rulesets"], after["rulesets"], strict=True):
        assert [pair for pair in new["pairs"] if "novice" not in pair["players"]] == old["pairs"]
        assert len(new["pairs"]) == 6
    played.clear()
    extend_ladder(path)
    extend_ladder(path, Wish(add=("novice", "pass"), rulesets=("hoyle",), deals=DEALS))
    assert played == []
    assert json.loads(path.read_text()) == after


def test_a_ladder_grown_player_by_player_and_ruleset_by_ruleset_is_the_same_file(tmp_path):
    one, grown = tmp_path / "one.json", tmp_path / "grown.json"
    begin(one, "pass", "random", "novice", rulesets=("pagat", "margin5"))
    begin(grown, "pass", "random")
    extend_ladder(grown, Wish(rulesets=("margin5",)))
    extend_ladder(grown, Wish(add=("novice",)))
    assert grown.read_bytes() == one.read_bytes()


def test_killed_and_resumed_and_with_two_workers_it_is_the_same_file(tmp_path, monkeypatch, played):
    monkeypatch.setattr(run, "CHUNK", 8)
    monkeypatch.setattr(audit, "REPLAYED", 8)
    paths = [tmp_path / name for name in ("whole.json", "killed.json", "two.json")]
    wish = Wish(("pass", "random"), ("pagat", "hoyle"), deals=DEALS)
    extend_ladder(paths[0], wish)
    whole = list(played)
    played.clear()

    def kill(ruleset, done, planned):
        if (ruleset, done) == ("hoyle", 16):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        extend_ladder(paths[1], wish, progress=kill)
    half = read_ladder(paths[1])
    assert [len(section["pairs"]) for section in half["rulesets"]] == [1, 0]
    assert half["rulesets"][1]["standing"] is None
    extend_ladder(paths[1], wish)
    assert sorted(match for match in played if match[-1] == 8) == sorted(whole)  # no chunk twice
    extend_ladder(paths[2], wish, workers=2)
    assert paths[0].read_bytes() == paths[1].read_bytes() == paths[2].read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["killed.json", "two.json", "whole.json"]


def test_more_pairs_than_are_played_in_one_go_are_the_same(tmp_path, monkeypatch):
    one, other = tmp_path / "one.json", tmp_path / "other.json"
    begin(one, "pass", "random", "novice")
    monkeypatch.setattr(ladder, "PAIRS_AT_ONCE", 2)
    begin(other, "pass", "random", "novice")
    assert one.read_bytes() == other.read_bytes()


def test_its_numbers_are_those_of_the_matches(tmp_path):
    document = begin(tmp_path / "ladder.json", "novice", "pass", deals=60)
    [pair] = document["rulesets"][0]["pairs"]
    found = [
        play_match(make_player(one), make_player(other), deals=60)
        for one, other in (("novice", "pass"), ("pass", "novice"))
    ]
    for part, match in zip(pair["alone"], found, strict=True):
        assert part["mean"] == match.mean_units
        assert tuple(part["t95"]) == match.ci95
        assert read_places(part["places"]).sum() == match.tables
    assert pair["lead"]["mean"] == pytest.approx((found[0].mean_units - found[1].mean_units) / 2)
    leads = read_counts(pair["lead"]["scores"])
    signs = read_signs(pair["signs"], 60)
    for sign in (-1, 0, 1):
        assert (signs == sign).sum() == sum(n for lead, n in leads.items() if np.sign(lead) == sign)
    low, high = pair["lead"]["bootstrap95"]
    assert low < pair["lead"]["mean"] < high


def test_where_the_pack_carries_over_sessions_are_the_clusters(tmp_path):
    document = begin(
        tmp_path / "ladder.json", "random", "pass", rulesets=('pagat+deal.shuffle="barely"',), deals=40
    )
    [section] = document["rulesets"]
    assert section["book"]["session"] == 10
    assert section["pairs"][0]["lead"]["n"] == 4
    assert read_places(section["pairs"][0]["alone"][0]["places"]).sum() == 16  # a place a table and session
    with pytest.raises(ValueError, match="no whole number of sessions"):
        begin(tmp_path / "other.json", "random", "pass", rulesets=('pagat+deal.shuffle="barely"',), deals=15)


# --- what is refused


def changed(document, *place, value):
    """The document with another value at a place, sealed anew."""
    content = json.loads(json.dumps({key: x for key, x in document.items() if key != "digest"}))
    here = content
    for key in place[:-1]:
        here = here[key]
    here[place[-1]] = value
    return sealed({key: x for key, x in content.items() if key not in ("kind", "schema_version")}, content["kind"],
                  content["schema_version"])  # fmt: skip


@pytest.fixture(scope="module")
def document(tmp_path_factory):
    return begin(tmp_path_factory.mktemp("ladder") / "ladder.json", "pass", "random")


@pytest.mark.parametrize(
    ("place", "value", "sentence"),
    [
        (("schema_version",), 0, "has schema version 0, this program reads 1: begin it anew"),
        (("kind",), "solo-whist evaluation", "is no ladder of solo-whist ladder"),
        (("table_hash",), "0" * 8, "was made with actions and observations of hash 00000000"),
        (
            ("rulesets", 0, "book", "hash"),
            "0" * 12,
            "is of book test-0 with hash 000000000000, which is dealt with",
        ),
        (("rulesets", 0, "book", "seed"), 7, "is of book test-7 with hash"),
        (("rulesets", 0, "ruleset", "signature"), "0" * 8, "is of pagat@00000000, which plays as @f66554b4"),
        (("rulesets", 0, "ruleset", "name"), "home.toml", "cannot be understood here"),
        (("rulesets", 0, "pairs", 0, "players"), ["pass", "club"], "does not fit together"),
        (("rulesets", 0, "pairs", 0, "signs"), "a", "does not fit together"),
        (("rulesets", 0, "pairs", 0, "lead", "scores"), "1:3", "does not fit together"),
        (("rulesets", 0, "pairs", 0, "lead", "mean"), "much", "does not follow the schema"),
        (("more",), 1, "does not follow the schema: it has 'more'"),
    ],
)
def test_a_file_of_other_rules_deals_or_schema_is_refused(tmp_path, document, place, value, sentence):
    path = tmp_path / "ladder.json"
    path.write_text(json.dumps(changed(document, *place, value=value)))
    before = path.read_bytes()
    with pytest.raises(ResultError, match=sentence):
        extend_ladder(path, Wish(add=("uniform",)))
    assert path.read_bytes() == before


def test_a_damaged_file_is_refused(tmp_path, document):
    path = tmp_path / "ladder.json"
    path.write_text(json.dumps(document)[:-40])
    with pytest.raises(ResultError, match="is damaged, or no ladder at all"):
        read_ladder(path)
    told = json.dumps(document)
    path.write_text(told.replace('"deals": 24', '"deals": 25'))
    with pytest.raises(ResultError, match="is damaged: its content is not what its digest says"):
        read_ladder(path)
    path.write_text(told)
    assert read_ladder(path) == document


def test_a_file_that_is_nested_too_deeply_is_damaged(tmp_path):
    path = tmp_path / "ladder.json"
    for content in ("[" * 100_000, '{"kind":' * 100_000):
        path.write_text(content)
        for read, what in ((read_ladder, "ladder"), (read_result, "result")):
            with pytest.raises(ResultError, match=f"is damaged, or no {what} at all: it is nested too deeply"):
                read(path)


def test_what_can_just_be_read_is_refused_as_well(tmp_path):
    path = tmp_path / "ladder.json"
    for depth in range(sys.getrecursionlimit()):
        path.write_text(f'{{"kind": "{ladder.KIND}", "schema_version": 1, "more": {"[" * depth}{"]" * depth}}}')
        with pytest.raises(ResultError, match="is damaged"):
            read_ladder(path)


def test_a_ladder_keeps_its_book_seed_and_deals(tmp_path, document):
    path = tmp_path / "ladder.json"
    path.write_text(json.dumps(document))
    for wish, sentence in (
        (Wish(deals=100), "has deals 24, which a ladder keeps; for deals 100 give another file"),
        (Wish(seed=1), "has seed 0"),
        (Wish(book="dev"), "has book test"),
    ):
        with pytest.raises(LadderError, match=sentence):
            extend_ladder(path, wish)


def test_what_cannot_be_a_ladder_is_said(tmp_path):
    path = tmp_path / "ladder.json"
    for wish, sentence in (
        (Wish(), "fewer than two players; name them, as in --add novice pass"),
        (Wish(add=("pass", "pass")), "fewer than two players"),
        (Wish(add=("pass", "nobody")), "there is no player 'nobody'"),
        (Wish(add=("pass", "random"), rulesets=("whist",)), "there is no ruleset 'whist'"),
        (Wish(add=("pass", "random"), deals=0), "the number of deals is 0"),
        (Wish(add=("pass", "random"), book="mine"), "there is no book 'mine'"),
    ):
        with pytest.raises(ValueError, match=sentence):
            extend_ladder(path, wish)
        assert not path.exists()


def test_a_player_that_plays_otherwise_than_it_did_is_said_and_never_mixed(tmp_path, monkeypatch, played):
    path = tmp_path / "ladder.json"
    begin(path, "pass", "random", MOODY)
    before = path.read_bytes()
    monkeypatch.setattr(Moody, "plays_as", "random")
    played.clear()
    for wish in (Wish(), Wish(add=("uniform",)), Wish(rulesets=("hoyle",))):
        with pytest.raises(LadderError, match=r"Moody has hash .* under pagat, and .* with --replay"):
            extend_ladder(path, wish)
    assert played == []
    assert path.read_bytes() == before
    extend_ladder(path, Wish(replay=True))
    assert len(played) == 4
    assert all(MOODY in match[1:3] for match in played)
    after = tmp_path / "after.json"
    begin(after, "pass", "random", MOODY)
    assert path.read_bytes() == after.read_bytes()


class Favours(BatchPlayer):
    """Calls a solo in one seat of the table and passes in the others, whatever its position."""

    def act_batch(self, views, keys, out):
        inner("pass").act_batch(views, keys, out)
        rows = np.flatnonzero((views["seat"] == 2) & (views["legal_calls"] >> 3 & 1 == 1))
        out[rows] = 52 + 3  # SOLO


def test_a_player_that_fails_the_audit_is_not_put_into_a_ladder(tmp_path):
    path = tmp_path / "ladder.json"
    begin(path, "pass", "random")
    before = path.read_bytes()
    with pytest.raises(LadderError, match=r"the audit under pagat failed, so nothing was added. turned seats"):
        extend_ladder(path, Wish(add=("tests.evaluation.test_ladder:Favours",)))
    assert path.read_bytes() == before


def test_the_sentence_of_a_failed_audit_tells_each_finding_once_and_of_whom(tmp_path):
    favours = "tests.evaluation.test_ladder:Favours"
    with pytest.raises(LadderError) as caught:
        begin(tmp_path / "ladder.json", "pass", "random", favours)
    told = re.findall(
        r"turned seats give the same number with (\S+) alone among three of (\S+):", str(caught.value)
    )
    assert told
    assert len(told) == len(set(told)) == str(caught.value).count("turned seats")
    assert all(favours in lineup for lineup in told)


# --- one run at a time


def test_a_second_run_on_the_file_is_refused_while_one_plays(tmp_path):
    path, other = tmp_path / "ladder.json", tmp_path / "other.json"
    refused = []

    def second(*_):
        with pytest.raises(LadderError, match=r"ladder\.json is in use by another run; wait until that has ended"):
            extend_ladder(path, Wish(("pass", "novice"), deals=DEALS))
        refused.append(list(tmp_path.glob(".ladder.json.*.deals")))

    extend_ladder(path, Wish(("pass", "random"), deals=DEALS), progress=second)
    assert [len(folders) for folders in refused] == [1]
    begin(other, "pass", "random")
    assert path.read_bytes() == other.read_bytes()
    assert sorted(found.name for found in tmp_path.iterdir()) == ["ladder.json", "other.json"]


def test_a_process_that_dies_keeps_nobody_off(tmp_path):
    path = tmp_path / "ladder.json"
    lock = tmp_path / ".ladder.json.lock"
    hold = (
        "import fcntl, sys; f = open(sys.argv[1], 'w'); fcntl.flock(f, fcntl.LOCK_EX); print(flush=True); input()"
    )
    with subprocess.Popen([sys.executable, "-c", hold, lock], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as one:
        one.stdout.readline()
        with pytest.raises(LadderError, match="in use by another run"):
            extend_ladder(path, Wish(("pass", "random")))
        one.kill()
    assert lock.exists()
    with pytest.raises(LadderError, match="fewer than two players"):
        extend_ladder(path)
    assert list(tmp_path.iterdir()) == []


def test_only_what_is_left_of_this_ladder_is_removed(tmp_path, document):
    path = tmp_path / "big"
    path.write_text(json.dumps(document))
    kept = [
        ".big.json.0123456789ab.deals",
        ".big.0123456789abc.deals",
        ".big.mine.deals",
        ".xbig.0123456789ab.deals",
    ]
    for name in (*kept, ".big.0123456789ab.deals"):
        (tmp_path / name).mkdir()
    extend_ladder(path)
    assert sorted(found.name for found in tmp_path.iterdir()) == sorted([*kept, "big"])


# --- how things are written


def test_counts_and_signs_come_back_as_they_were():
    rng = np.random.default_rng(1)
    for clusters in (1, 2, 3, 4, 100):
        signs = rng.integers(-1, 2, clusters)
        assert read_signs(write_signs(signs), clusters).tolist() == signs.tolist()
    assert write_signs(np.array([-1, 0, 1, 1])) == "vo"
    assert write_counts({3: 2, -4: 1, 0: 0}) == "-4:1 3:2"
    assert read_counts("-4:1 3:2") == {-4: 1, 3: 2}


def test_places_are_the_ranks_of_the_four_seats():
    payoffs = [[3, -1, -1, -1], [1, -3, 1, 1], [1, 1, -1, -1], [0, 0, 0, 0]]  # the lone player sits in seats 0 to 3
    assert SEATING.rows[2] == (1, 1, 0, 1)
    outcomes = np.zeros(4, OUTCOME)
    outcomes["payoff"], outcomes["row"] = payoffs, range(4)
    scores, places = scores_and_places(outcomes, 1, 1)
    assert scores.tolist() == [[3 - 3 - 1 + 0]]
    told = {place: n for place, n in zip(PLACES, places[0].tolist(), strict=True) if n}
    assert told == {(0, 3): 1, (3, 0): 1, (2, 0): 1, (0, 0): 1}


# --- who stands where


def is_ahead(n, *pairs):
    matrix = np.zeros((n, n), bool)
    for one, other in pairs:
        matrix[one, other] = True
    return matrix


def test_alpha_rank_is_what_a_hand_computes():
    e = ratings.PERTURBATION
    assert ratings.alpha_rank(is_ahead(2, (0, 1))) == pytest.approx([1 - e, e])
    assert ratings.alpha_rank(is_ahead(2)) == pytest.approx([0.5, 0.5])
    # Of three in a row the first loses 2e and gains 1 - e of the rest; the last loses 2 (1 - e) and gains e.
    first, last = (1 - e) / (1 + e), e / (2 - e)
    chain = is_ahead(3, (0, 1), (0, 2), (1, 2))
    assert ratings.alpha_rank(chain) == pytest.approx([first, 1 - first - last, last])
    circle = is_ahead(3, (0, 1), (1, 2), (2, 0))
    assert ratings.alpha_rank(circle) == pytest.approx([1 / 3] * 3)
    # Two that nothing tells apart share what is not the third's, who gains e of the rest and loses 2 (1 - e).
    top = is_ahead(3, (0, 2), (1, 2))
    assert ratings.alpha_rank(top) == pytest.approx([(1 - last) / 2, (1 - last) / 2, last])


def test_a_cycle_is_found_and_told_by_its_shortest_round():
    assert ratings.cycles(is_ahead(3, (0, 1), (0, 2), (1, 2))) == []
    assert ratings.cycles(is_ahead(4, (3, 0), (0, 1), (1, 2), (2, 0))) == [[0, 1, 2]]
    assert ratings.cycles(is_ahead(5, (0, 1), (1, 2), (2, 3), (3, 0), (2, 0), (0, 4))) == [[0, 1, 2]]
    two = is_ahead(6, (0, 2), (2, 4), (4, 0), (1, 3), (3, 5), (5, 1), (0, 1))
    assert ratings.cycles(two) == [[0, 2, 4], [1, 3, 5]]


def pair_of(one, other, lead, t95):
    return {"players": [one, other], "lead": {"mean": lead, "t95": t95}}


def test_only_leads_clear_of_zero_count():
    rows = [
        pair_of("a", "b", 1.0, [0.5, 1.5]),
        pair_of("b", "c", 1.0, [0.5, 1.5]),
        pair_of("a", "c", -0.1, [-0.3, 0.1]),
    ]
    found = ratings.standing(["a", "b", "c"], rows)
    assert found["order"] == ["a", "b", "c"]
    assert found["cycles"] == []
    rows[2] = pair_of("a", "c", -0.2, [-0.3, -0.1])
    assert ratings.standing(["a", "b", "c"], rows)["cycles"] == [["a", "b", "c"]]
    rows[2] = pair_of("a", "c", -0.2, None)
    assert ratings.standing(["a", "b", "c"], rows)["cycles"] == []


# --- ratings


def test_bradley_terry_of_two_is_the_logarithm_of_their_odds():
    strength = ratings.fit(np.array([[0, 75.0], [25.0, 0]]), {})
    assert strength[0] - strength[1] == pytest.approx(np.log(75.5 / 25.5))
    assert strength.sum() == pytest.approx(0)
    assert np.isfinite(ratings.fit(np.array([[0, 4000.0], [0, 0]]), {})).all()


def test_held_players_stay_and_the_others_solve_the_likelihood():
    wins = np.array([[0, 60, 90, 80.0], [40, 0, 70, 75], [10, 30, 0, 40], [20, 25, 60, 0]])
    held = {1: 0.0, 3: -0.7}
    found = ratings.fit(wins, held)
    assert found[1] == 0
    assert found[3] == pytest.approx(-0.7, abs=1e-4)
    games = wins + wins.T + (1 - np.eye(4))  # with the drawn one of each pair
    expected = (games / (1 + np.exp(found - found[:, None]))).sum(axis=1)
    for free in (0, 2):
        assert expected[free] == pytest.approx(wins[free].sum() + 1.5, rel=1e-4)


def test_a_deal_is_drawn_anew_with_the_signs_of_all_pairs():
    """Two players with the same signs have the same interval, which they had not if pairs were drawn apart."""
    rng = np.random.default_rng(5)
    same, even = write_signs(rng.integers(-1, 2, 300)), write_signs(np.zeros(300, np.int64))
    rows = [
        {"players": ["pass", "a"], "signs": same}, {"players": ["pass", "b"], "signs": same},
        {"players": ["a", "b"], "signs": even},
    ]  # fmt: skip
    points, low, high = ratings.bradley_terry(["pass", "a", "b"], rows, 300, [0])
    assert points[0] == low[0] == high[0] == 0
    assert points[1] == pytest.approx(points[2], abs=1e-3)
    assert low[1] == pytest.approx(low[2], abs=1e-3)
    assert high[1] == pytest.approx(high[2], abs=1e-3)
    assert low[1] < points[1] < high[1]


def test_adding_a_player_moves_no_anchor(tmp_path):
    path = tmp_path / "ladder.json"
    begin(path, "novice", "pass", "random")
    before = read_ladder(path)["rulesets"][0]["ratings"]
    extend_ladder(path, Wish(add=("uniform",)))
    after = read_ladder(path)["rulesets"][0]["ratings"]
    assert before["anchors"] == after["anchors"] == ["novice", "pass", "random"]
    assert after["players"][:3] == before["players"]
    assert after["players"][0]["bradley_terry"]["points"] == 0
    assert after["players"][0]["openskill"]["mu"] == ratings.MU
    points = [row["bradley_terry"]["points"] for row in after["players"]]
    assert points == sorted(points, reverse=True)


def test_openskill_puts_who_ranks_first_above_and_equals_beside_each_other(monkeypatch):
    monkeypatch.setattr(ratings, "ROUNDS", 100)
    first, even = write_counts({"03": 100}), write_counts({"03": 50, "30": 50})
    last = write_counts({"30": 100})
    specs = ["a", "b", "c"]
    rows = [
        {"players": [one, other], "alone": [{"places": even}, {"places": even}]}
        for one, other in combinations(specs, 2)
    ]
    mu, spread = ratings.openskill(specs, rows, [])
    assert mu == pytest.approx([25, 25, 25], abs=2.5)
    assert mu.mean() == pytest.approx(25)
    assert (spread > 0).all()
    rows[0]["alone"] = rows[1]["alone"] = [{"places": first}, {"places": last}]
    mu, _ = ratings.openskill(specs, rows, [])
    assert mu[0] > max(mu[1:]) + 5


def test_held_players_of_openskill_stay_where_they_are_whoever_plays_them():
    always_first = np.array([100 * (place == (0, 3)) for place in PLACES])
    tables = {(1, 0): always_first, (2, 0): always_first, (0, 1): always_first[::-1]}
    found = ratings.openskill_repeats(3, tables, {0: 24.0}, [0])
    assert (found[:, 0] == 24).all()
    assert (found[:, 1:] > 25).all()


def test_without_the_libraries_all_else_is_there_and_they_are_named(tmp_path, monkeypatch, capsys, played):
    path = tmp_path / "ladder.json"
    whole = tmp_path / "whole.json"
    begin(whole, "pass", "random")
    with monkeypatch.context() as without:
        without.setitem(sys.modules, "choix", None)
        command = ["ladder", str(path), "--add", "pass", "random", "--deals", str(DEALS)]
        assert cli.main(command) == 0
        told = capsys.readouterr()
        assert "there are no ratings: this needs the module 'choix'" in told.err
        assert 'pip install "solo-whist[evaluate]"' in told.err
        assert "alpha-rank" in told.out
        assert "Bradley" not in told.out
    assert read_ladder(path)["rulesets"][0]["ratings"] is None
    played.clear()
    extend_ladder(path)
    assert played == []
    assert path.read_bytes() == whole.read_bytes()


# --- the command


def test_the_command_prints_the_matrix_first_and_the_ratings(tmp_path, capsys):
    path = str(tmp_path / "ladder.json")
    command = [
        "ladder",
        path,
        "--add",
        "pass",
        "random",
        "--ruleset",
        "pagat,pagat+pay.base.MIS=3",
        "--deals",
        "24",
    ]
    assert cli.main(command) == 0
    told = capsys.readouterr()
    assert told.err == ""
    lines = told.out.splitlines()
    assert lines[0].startswith("Ruleset `pagat@f66554b4`, book `test-0`")
    assert lines[2].startswith("| alone among three of | `pass` ")
    assert "Bradley–Terry points" in told.out
    assert "No cycle" in told.out
    assert "`pagat+pay.base.MIS=3@" in told.out
    words = read_ladder(path)["command"]
    assert words.startswith("solo-whist ladder FILE --add pass random --ruleset")


def test_what_is_wrong_is_a_sentence_of_the_command(tmp_path, capsys):
    path = tmp_path / "ladder.json"
    path.write_text("{}")
    assert cli.main(["ladder", str(path)]) == 2
    assert capsys.readouterr().err == f"solo-whist ladder: {path} is no ladder of solo-whist ladder.\n"


def test_a_book_that_is_for_choosing_is_said(tmp_path, capsys):
    command = ["ladder", str(tmp_path / "l.json"), "--add", "pass", "random", "--deals", "12", "--book", "dev"]
    assert cli.main(command) == 0
    assert "warning: book dev is to choose between players; report on test." in capsys.readouterr().err


def test_a_cycle_is_shown_as_one():
    from training.ladder import cycle_sentence

    section = {"standing": {"cycles": [["a", "b", "c"]]}}
    assert cycle_sentence(section) == "Cycle, each ahead of the next: `a` > `b` > `c` > `a`."
