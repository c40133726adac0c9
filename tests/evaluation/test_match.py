"""Matches: duplicate deals, exact zeros, intervals, refusals."""

from __future__ import annotations

import json

import numpy as np
import pytest

from solo_env.evaluation import play_match
from solo_env.evaluation.estimates import mean_and_interval, student_quantile
from solo_env.player import BatchPlayer, PlayerError, make_player

NAMES = ["uniform", "random", "pass", "novice", "club", "expert", "ev-bidder"]


@pytest.mark.parametrize("name", NAMES)
def test_a_player_against_itself_is_exactly_zero(name):
    result = play_match(make_player(name), make_player(name), deals=60, seed=3)
    assert result.mean_units == 0
    assert result.ci95 == (0, 0)


def test_the_ladder_of_simple_players():
    """Each beats the next over 500 deals with an interval clear of zero."""
    for better, worse in (
        ("novice", "random"),
        ("novice", "pass"),
        ("pass", "random"),
        ("random", "uniform"),
    ):
        result = play_match(make_player(better), make_player(worse), deals=500, seed=1)
        assert result.ci95[0] > 0, (better, worse, result.mean_units)


def test_the_same_match_gives_the_same_result_whatever_the_chunk(monkeypatch):
    from solo_env.evaluation import match

    whole = play_match(make_player("novice"), make_player("random"), deals=70, seed=5)
    monkeypatch.setattr(match, "CHUNK", 16)
    parts = play_match(make_player("novice"), make_player("random"), deals=70, seed=5)
    assert whole == parts
    assert play_match(make_player("novice"), make_player("random"), deals=70, seed=6) != whole


def test_every_seat_and_position_is_taken_once_a_deal():
    result = play_match(make_player("pass"), make_player("random"), deals=200, seed=2)
    assert result.tables == 800
    assert np.mean(result.mean_units_by_position) == pytest.approx(result.mean_units)
    played = sum(count.played for count in result.contracts.values())
    assert played + result.thrown_in == result.tables
    assert all(count.played_by_challenger == 0 for count in result.contracts.values())
    assert sum(result.contract_mix.values()) == pytest.approx(1)


def test_the_json_has_the_fields_decided():
    result = play_match(make_player("novice"), make_player("pass"), deals=20, seed=0)
    told = json.loads(json.dumps(result.as_json()))
    for field in ("mean_units", "ci95", "deals", "seating", "book", "ruleset", "challenger", "against"):
        assert field in told
    assert told["challenger"] == "novice"
    assert told["against"] == "pass"
    assert told["ruleset"].startswith("pagat@")
    assert told["ci95"][0] <= told["mean_units"] <= told["ci95"][1]


class PlaysNothing(BatchPlayer):
    def act_batch(self, views, keys, out):
        out[:] = 3


class WritesTheViews(BatchPlayer):
    """Tries to change the game through what it is shown."""

    def act_batch(self, views, keys, out):
        make_player("pass").act_batch(views, keys, out)
        views["hand_cards"] = 0
        views["payoff_rel"] = 99


def test_an_illegal_choice_is_named_with_its_player():
    with pytest.raises(PlayerError, match="player 'playsnothing' chose 3, which is not open"):
        play_match(PlaysNothing(), make_player("pass"), deals=1)


def test_a_player_cannot_change_the_game_through_its_view():
    cheat = play_match(WritesTheViews(), make_player("random"), deals=50)
    honest = play_match(make_player("pass"), make_player("random"), deals=50)
    assert cheat.mean_units == honest.mean_units


@pytest.mark.parametrize("deals", [0, -5, 1.5, True])
def test_a_number_of_deals_must_be_at_least_one(deals):
    with pytest.raises(ValueError, match="the number of deals is"):
        play_match(make_player("pass"), make_player("pass"), deals=deals)


def test_intervals_cover_the_true_mean_as_often_as_they_say():
    rng = np.random.default_rng(7)
    hits = 0
    for _ in range(2000):
        _, (low, high) = mean_and_interval(rng.normal(0.3, 1.0, 20))
        hits += low <= 0.3 <= high
    assert 0.935 < hits / 2000 < 0.965


def test_student_quantiles_agree_with_printed_tables():
    for freedom, printed in (
        (9, 2.2622),
        (10, 2.2281),
        (20, 2.0860),
        (30, 2.0423),
        (100, 1.9840),
        (1000, 1.9623),
    ):
        assert student_quantile(0.975, freedom) == pytest.approx(printed, abs=0.002)


def test_too_few_deals_have_no_interval():
    mean, interval = mean_and_interval(np.array([1.0, 2.0]))
    assert mean == 1.5
    assert interval is None


def test_a_match_does_not_use_the_deals_that_environments_play():
    from solo_env.evaluation.books import BOOK_GAMES
    from solo_env.table import Table

    table, other = Table(), Table()
    table.deal(0, 0, 0)
    other.deal(0, 0, BOOK_GAMES["test"])
    assert table.record() != other.record()
