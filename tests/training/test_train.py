"""Whole runs of the smallest configuration."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import torch

from solo_env.player import PlayerError, make_player
from solo_env.rules import load_ruleset
from tests.training.content import same_content
from training.checkpoint import load_state
from training.config import Config, load_config
from training.log import METRICS, RunLog, markdown_table
from training.train import Trainer, TrainError, train


@pytest.fixture(scope="module")
def run(smoke: Config, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The checkpoint of one whole run."""
    return train(smoke, tmp_path_factory.mktemp("runs") / "one", quiet=True)


def scalars(run_dir: Path) -> dict[str, list[tuple[int, float]]]:
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    events = EventAccumulator(str(run_dir))
    events.Reload()
    return {tag: [(e.step, e.value) for e in events.Scalars(tag)] for tag in events.Tags()["scalars"]}


def test_the_same_configuration_trains_the_same_player(run: Path, smoke: Config, tmp_path: Path) -> None:
    torch.manual_seed(99)  # no global state has a say
    np.random.seed(99)
    assert same_content(run, train(smoke, tmp_path / "again", quiet=True))
    assert not same_content(run, train(smoke, tmp_path / "less", quiet=True, stop_after=6_500))


@pytest.mark.parametrize("stop", [3_000, 9_000])
def test_a_run_that_stopped_and_went_on_is_the_run_that_did_not(
    run: Path, smoke: Config, tmp_path: Path, stop: int
) -> None:
    half = train(smoke, tmp_path / "run", quiet=True, stop_after=stop)
    assert load_state(half).progress.decisions < load_state(run).progress.decisions
    assert same_content(run, train(smoke, tmp_path / "run", resume=True, quiet=True))
    steps = scalars(tmp_path / "run")
    assert {tag: [s for s, _ in seen] for tag, seen in steps.items()} == {
        tag: [s for s, _ in seen] for tag, seen in scalars(run.parent).items()
    }


def test_an_interrupted_run_keeps_its_last_whole_iteration(
    run: Path, smoke: Config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = Trainer.iterate
    count = iter(range(100))

    def iterate(self: Trainer) -> None:
        if next(count) == 5:
            with torch.no_grad():  # a half-made update must not be kept
                next(self.state.actor.parameters()).add_(1)
            raise KeyboardInterrupt
        whole(self)

    monkeypatch.setattr(Trainer, "iterate", iterate)
    with pytest.raises(KeyboardInterrupt):
        train(smoke, tmp_path / "run", quiet=True)
    monkeypatch.undo()
    assert same_content(run, train(smoke, tmp_path / "run", resume=True, quiet=True))


def test_a_run_is_not_overwritten_and_not_continued_with_other_options(
    run: Path, smoke: Config, tmp_path: Path
) -> None:
    before = run.read_bytes()
    with pytest.raises(TrainError, match=r"already holds a run; go on with it by --resume, or name another"):
        train(smoke, run.parent, quiet=True)
    other = load_config("smoke", ["ppo.lr=1e-4"])
    with pytest.raises(TrainError, match=r"has another configuration: ppo.lr \(0.0003, 0.0001\)"):
        train(other, run.parent, resume=True, quiet=True)
    with pytest.raises(TrainError, match=r"there is no run to go on with in .*empty"):
        train(smoke, tmp_path / "empty", resume=True, quiet=True)
    assert run.read_bytes() == before


def test_a_run_leaves_its_configuration_and_its_facts(run: Path, smoke: Config) -> None:
    assert load_config(run.parent / "config.toml") == smoke
    facts = json.loads((run.parent / "checkpoint.json").read_text())
    assert facts["versions"]["torch"] == str(torch.__version__)
    assert facts["decisions"] == load_state(run).progress.decisions
    assert set(facts["matches"]) == set(smoke.evaluate.against)


def test_every_metric_is_logged_and_explained(run: Path, tmp_path: Path) -> None:
    tags = set(scalars(run.parent))
    for name in METRICS:
        assert any(tag == name or (name[-1] == "*" and tag.startswith(name[:-1])) for tag in tags) or (
            name.startswith(("match_low", "match_high"))  # a smoke run has too few deals for an interval
        )
    assert all(f"`{name}`" in markdown_table() for name in METRICS)
    log = RunLog(tmp_path)
    with pytest.raises(KeyError):
        log.scalars({"loss/unheard_of": 1.0}, 0)
    log.close()


def test_the_watchdog_warns_once_when_the_auction_collapses(
    run: Path, smoke: Config, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    state = load_state(run)
    state.progress.thrown_in_cloned = 0.2
    with Trainer(state, tmp_path, resume=False, quiet=True) as trainer:
        for share in (0.3, 0.41, 0.5):
            trainer.watch_thrown_in(share)
    said = capsys.readouterr().err
    assert said.count("warning: ") == 1
    assert "self-play throws in 41% of the deals, the cloned policy 20%" in said


def test_a_loss_that_is_no_number_ends_the_run_with_a_sentence(
    smoke: Config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("training.train.clone_update", lambda *_: {"loss/value": float("nan")})
    with pytest.raises(TrainError, match="a loss is no longer a number after"):
        train(smoke, tmp_path / "run", quiet=True)


def test_an_unknown_teacher_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    with pytest.raises(PlayerError, match="there is no player 'nobody'"):
        train(load_config("smoke", ["clone.teacher=nobody"]), tmp_path / "run", quiet=True)
    assert not (tmp_path / "run").exists()


def test_without_cloning_self_play_starts_from_the_first_weights(tmp_path: Path) -> None:
    config = load_config("smoke", ["clone.decisions=0", "run.decisions=1", "evaluate.every=0"])
    progress = load_state(train(config, tmp_path / "run", quiet=True)).progress
    assert progress.decisions_cloned == 0
    assert progress.deals == config.run.deals


def test_the_ruleset_of_a_run_may_be_any(tmp_path: Path) -> None:
    config = load_config("smoke", ["run.ruleset=pagat+pay.base.MIS=3", "clone.decisions=1", "run.decisions=1"])
    path = train(config, tmp_path / "run", quiet=True)
    ruleset = load_ruleset("pagat+pay.base.MIS=3")
    assert make_player(f"ppo:{path}", ruleset).name == f"ppo:{path}"
