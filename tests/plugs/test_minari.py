"""Games become episodes of seats, and come back from them."""

from __future__ import annotations

import random
from pathlib import Path

import minari
import numpy as np
import pytest

from solo_env.plugs.minari import episodes, play, records, to_dataset
from solo_env.record import RecordError
from solo_env.rules import load_ruleset
from solo_env.table import Table
from tests.playing import in_contract, whole_game

# Minari warns of a dataset that does not say these.
ABOUT = {
    "author": "nobody", "author_email": "nobody@example.org", "code_permalink": "https://example.org",
    "algorithm_name": "novice", "description": "novices among themselves",
}  # fmt: skip


@pytest.mark.parametrize("ruleset", ["pagat", "anna_cubed"])
def test_each_seat_has_its_decisions_and_is_paid_its_payoff(ruleset: str) -> None:
    rng = random.Random(1)
    for _ in range(20):
        table = whole_game(load_ruleset(ruleset), rng)
        for seat, episode in enumerate(episodes(table.record())):
            n = len(episode.actions)
            masks = episode.observations["action_mask"]
            assert sum(episode.rewards) == table.payoffs[seat]
            assert len(masks) == n + 1
            assert n > 0
            assert (masks[1:-1].sum(1) > 1).all()
            assert masks[-1].sum() == 0
            assert (masks[np.arange(n), episode.actions] == 1).all()
            assert episode.terminations == [False] * (n - 1) + [True]


ONE_TRICK = (
    "pagat; dealer 0; deal D5H3DQH4C9HJH6SKH9D3S4S2C3 HTDTDAS7D9C6C7C4S5SAH7S9DK C5S6CQH8D2CAD7DJD6STCTD8HQ "
    "S8SQS3H5D4C2HAHKSJC8CJH2CK; calls DECL; plays D5D9D8D4; result -18 +6 +6 +6"
)


def test_a_seat_that_never_had_a_choice_has_an_episode_too() -> None:
    told = episodes(ONE_TRICK)
    assert [len(episode.actions) for episode in told] == [len(episode.rewards) for episode in told]
    assert all(len(episode.actions) for episode in told)


def test_games_come_back_from_a_dataset(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    lines = [*play("novice", 5, seed=3), ONE_TRICK]
    lines[5] = Table.from_record(lines[5]).record()
    lines[4] = lines[3]  # a game that comes twice comes back twice
    to_dataset("solo-whist/novice-v0", lines, data_format="hdf5", **ABOUT)
    dataset = minari.load_dataset("solo-whist/novice-v0")
    assert dataset.total_episodes == 24
    assert records(dataset) == lines
    assert dataset.action_space.n == 68
    first = next(iter(dataset.iterate_episodes()))
    assert float(first.rewards.sum()) == Table.from_record(lines[0]).payoffs[0]


def test_what_is_no_finished_game_is_refused() -> None:
    with pytest.raises(RecordError, match="not finished"):
        episodes(in_contract("SOLO", random.Random(2)).record())
    rng = random.Random(3)
    two = [whole_game(load_ruleset(name), rng).record() for name in ("pagat", "hoyle")]
    with pytest.raises(RecordError, match="a dataset is of one ruleset"):
        to_dataset("solo-whist/mixed-v0", two)
