"""The points that ``club`` and ``expert`` play by: read with care, and written by one command from a seed."""

from __future__ import annotations

import json
import shlex
from importlib import resources

import numpy as np
import pytest

from baselines import play_follow, play_lead, play_misere
from baselines.club import ClubPlayer
from baselines.expert import ExpertPlayer
from baselines.fit_cards import LEAST, MOST, fit_cards
from baselines.fit_kernels import power_of_e
from baselines.play_points import (
    CLUB,
    COUNTED,
    EXPERT,
    TABLES,
    CardPointsError,
    points_table,
    read_points,
)
from solo_env import actions
from solo_env.player import PlayerError, make_player
from training import cli

from .driving import said_without_compilation, self_play

SHIPPED = resources.files("baselines").joinpath("data", "card_points.json").read_bytes()
FEATURES_OF = [
    play_lead.N_LEAD,
    play_follow.N_FOLLOW,
    play_follow.N_VOID,
    play_misere.N_SAFE,
    play_misere.N_DUCK,
    play_misere.N_SHED,
    play_misere.N_ATTACK,
    play_misere.N_STAY,
    play_misere.N_THROW,
]


# --- The file ----------------------------------------------------------------------------------------------


def test_every_feature_has_its_row_in_the_order_of_the_numbers():
    assert [len(rows.features) for rows in TABLES] == FEATURES_OF
    for rows in TABLES:
        assert [number for number, _, _ in rows.features] == list(range(len(rows.features)))
        assert len({phrase for _, phrase, _ in rows.features}) == len(rows.features)


def test_the_club_player_has_points_for_what_is_seen_and_no_others():
    expert, club = points_table(EXPERT), points_table(CLUB)
    for rows in TABLES:
        of_kind = slice(rows.first, rows.first + len(rows.columns))
        for feature, _, seen in rows.features:
            assert seen is not COUNTED or not club[of_kind, feature].any()
    assert (expert != 0).sum() > (club != 0).sum() > 200


def test_the_shipped_points_keep_within_the_limits_that_the_fit_states():
    points = points_table(EXPERT)
    assert all(points[at] >= least for at, least in LEAST.items())
    assert all(points[at] <= most for at, most in MOST.items())


def test_points_handed_out_are_a_copy():
    points_table(EXPERT)[:] = 0
    assert points_table(EXPERT).any()


def damaged(change) -> bytes:
    read = json.loads(SHIPPED)
    change(read)
    return json.dumps(read).encode()


def first_row(read):
    return read["tables"]["lead"]["features"][0]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (SHIPPED[:5000], "holds no JSON"),
        (b"\xff\xfe", "holds no JSON"),
        (b"[" * 100_000, "holds no JSON"),
        (b"[]", "no file of card points of format 1"),
        (damaged(lambda read: read.update(format=2)), "no file of card points of format 1"),
        (damaged(lambda read: read.pop("tables")), "other tables"),
        (damaged(lambda read: read["tables"].pop("lead")), "other tables"),
        (damaged(lambda read: read["tables"].update(lead=[])), "table 'lead', has other features"),
        (damaged(lambda read: first_row(read).update(feature="a queen")), "table 'lead', has other features"),
        (damaged(lambda read: read["tables"]["lead"]["features"].pop()), "table 'lead', has other features"),
        (damaged(lambda read: read["tables"]["lead"]["columns"].reverse()), "table 'lead', has other columns"),
        (damaged(lambda read: first_row(read).pop("club")), "feature 'a trump': the points of club are damaged"),
        (damaged(lambda read: first_row(read)["club"].pop()), "feature 'a trump': the points of club are damaged"),
        (damaged(lambda read: first_row(read)["expert"].__setitem__(0, 1.5)), "points of expert are damaged"),
        (damaged(lambda read: first_row(read)["expert"].__setitem__(0, True)), "points of expert are damaged"),
        (damaged(lambda read: first_row(read)["expert"].__setitem__(0, 10**30)), "points of expert are damaged"),
    ],
)
def test_a_file_that_is_damaged_or_of_another_kind_is_refused_with_a_sentence(content, message, tmp_path):
    with pytest.raises(CardPointsError, match=message) as caught:
        read_points(content, "some.json")
    assert str(caught.value).startswith("some.json")
    path = tmp_path / "points.json"
    path.write_bytes(content)
    with pytest.raises(PlayerError, match=message):
        make_player(f"expert:points={path}")


# --- The fit -----------------------------------------------------------------------------------------------


@pytest.mark.jit_only
def test_the_command_writes_points_that_play(tmp_path, capsys):
    out = tmp_path / "points.json"
    assert cli.main(["fit-cards", "--deals", "40", "--seed", "5", "--rounds", "2", "--out", str(out)]) == 0
    assert str(out) in capsys.readouterr().out
    read = json.loads(out.read_bytes())
    assert read["command"] == "solo-whist fit-cards --deals 40 --seed 5 --rounds 2 --calls novice"
    assert sum(sum(columns) for columns in read["decisions"].values()) > 300
    for cls, level in ((ExpertPlayer, EXPERT), (ClubPlayer, CLUB)):
        fitted = points_table(level, str(out))
        assert (fitted != 0).sum() > 60  # more than the limits alone
        assert (fitted != points_table(level)).any()
        tables = self_play(cls(points=str(out)), 20)  # checks each action
        assert (tables["phase"] == actions.OVER).all()


@pytest.mark.jit_only
def test_a_fit_is_a_function_of_its_arguments_and_heeds_each():
    one = fit_cards(50, 5, 1)
    assert fit_cards(50, 5, 1) == one
    others = [fit_cards(50, 6, 1), fit_cards(60, 5, 1), fit_cards(50, 5, 2), fit_cards(50, 5, 1, "random")]
    assert len({json.dumps(json.loads(fit)["tables"]) for fit in (one, *others)}) == 5


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--deals", "0"), "the number of deals is 0; it must be a whole number of at least 1."),
        (("--deals", "1", "--rounds", "0"), "the number of rounds is 0; it must be a whole number of at least 1."),
        (("--deals", "1", "--seed", "-1"), "the seed is -1"),
        (("--deals", "1", "--calls", "nobody"), "nobody"),
    ],
)
def test_a_fit_that_cannot_be_is_refused_with_a_sentence(arguments, message, tmp_path, capsys):
    out = tmp_path / "points.json"
    assert cli.main(["fit-cards", *arguments, "--out", str(out)]) == 2
    assert message in capsys.readouterr().err
    assert not out.exists()


def test_chances_are_powers_of_e():
    exact = [np.exp(-x / 8) for x in range(160)]
    assert np.allclose([power_of_e(-x / 8.0) for x in range(160)], exact, rtol=1e-5)
    assert power_of_e(-1e9) == 0


@pytest.mark.long
@pytest.mark.jit_only
def test_the_plain_kernels_fit_the_same_points():
    """At the smallest size, to the byte: sums run in a fixed order, and no function of floats is a library's."""
    code = "from baselines.fit_cards import fit_cards; print(fit_cards(12, 3, 2))"
    assert said_without_compilation(code) == repr(fit_cards(12, 3, 2))


@pytest.mark.long
@pytest.mark.jit_only
def test_the_shipped_file_comes_from_the_command_that_it_names(tmp_path):
    program, *arguments = shlex.split(json.loads(SHIPPED)["command"])
    assert program == "solo-whist"
    out = tmp_path / "points.json"
    assert cli.main([*arguments, "--out", str(out)]) == 0
    assert out.read_bytes() == SHIPPED
