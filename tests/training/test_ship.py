"""What is shipped: a rounded player with its measured strength, small enough to be carried."""

from __future__ import annotations

from pathlib import Path

import pytest

from solo_env.player import PlayerError
from solo_env.rules import load_ruleset
from tests.training.nets import drawn_weights
from training import ship as shipping
from training.docs import card
from training.ship import OPPONENTS, ship
from training.weights import WeightsError, read_weights, ruleset_id, write_weights


@pytest.fixture
def run(tmp_path: Path) -> str:
    write_weights(tmp_path / "player.npz", drawn_weights(story={"seed": 7}))
    return str(tmp_path)


def test_what_is_shipped_is_rounded_and_tells_its_strength(run: str, tmp_path: Path) -> None:
    to = tmp_path / "data" / "ppo.npz"
    told = ship(run, to, deals=2)
    weights = read_weights(to)
    assert weights.digest == told.digest
    assert (weights.arrays.numbers == read_weights(f"{run}/player.npz").rounded().arrays.numbers).all()
    assert weights.story["seed"] == 7
    matches = weights.story["matches"]
    assert [match["against"] for match in matches] == list(OPPONENTS)
    pagat = ruleset_id(load_ruleset("pagat"))
    assert {(match["ruleset"], match["book"], match["deals"]) for match in matches} == {(pagat, "test", 2)}
    for name in OPPONENTS:
        assert f"`{name}`" in card(weights)


def test_a_card_tells_of_the_player_as_which_a_run_began() -> None:
    start = {"digest": "0123abcd", "command": "solo-whist train first", "hours": 1.5, "config": "[run]\nseed = 5"}
    told = card(drawn_weights(story={"seed": 7, "hours": 2.5, "start": start}))
    for part in ("2.50", "`0123abcd`", "solo-whist train first", "hours of training, all sessions together 1.50"):
        assert part in told
    assert "seed = 5" in told


def test_what_is_not_there_or_too_large_is_not_shipped(
    run: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    to = tmp_path / "ppo.npz"
    with pytest.raises(PlayerError, match=r"holds no player\.npz"):
        ship(str(tmp_path.parent), to, deals=2)
    monkeypatch.setattr(shipping, "MOST_MEGABYTES", 0)
    with pytest.raises(WeightsError, match="train a smaller network"):
        ship(run, to, deals=2)
    assert not to.exists()
