"""Whole runs of the smallest configuration."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import torch

from solo_env.player import BatchPlayer, PlayerError, make_player
from solo_env.rules import Ruleset, load_ruleset
from tests.training.content import same_content
from training.checkpoint import load_state, new_state
from training.config import Config, load_config
from training.log import METRICS, RunLog, markdown_table
from training.rollout import contract_mix, decide_by_player, made_rates, play_deals, revoke_rate
from training.suits import network_columns
from training.train import Trainer, TrainError, train

REVOKES = 'pagat+play.revokes="possible"'


@pytest.fixture(scope="module")
def run(smoke: Config, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The checkpoint of one whole run."""
    return train(smoke, tmp_path_factory.mktemp("runs") / "one", quiet=True)


@pytest.fixture(scope="module")
def revoking(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The checkpoint of a run in which a seat needn't follow suit, and nobody shows it to."""
    config = load_config("smoke", [f"run.ruleset={REVOKES!r}", "run.decisions=2_000", "clone.decisions=0"])
    return train(config, tmp_path_factory.mktemp("runs") / "revokes", quiet=True)


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
    assert {match["book"] for match in facts["matches"].values()} == {"dev"}  # "test" is for what is reported


def test_only_where_revokes_are_possible_their_share_is_logged(run: Path, revoking: Path) -> None:
    assert "play/revokes" not in scalars(run.parent)
    shares = [value for _, value in scalars(revoking.parent)["play/revokes"]]
    assert shares
    assert all(0 < share < 1 for share in shares)


def test_the_share_of_revokes_is_of_the_plays_that_could_have_followed() -> None:
    ruleset = load_ruleset(REVOKES)
    columns = network_columns(["hand"])
    tables = play_deals(decide_by_player(make_player("uniform", ruleset)), ruleset, columns, 1, range(40)).tables
    obliged = revoked = 0
    for table in tables:
        hands = [set(hand) for hand in table["dealt"].tolist()]
        n_plays = int(table["n_plays"])
        plays = list(zip(table["play_seats"].tolist(), table["plays"].tolist(), strict=True))[:n_plays]
        for i, (seat, card) in enumerate(plays):
            suit = plays[i - i % 4][1] // 13
            could = i % 4 > 0 and any(held // 13 == suit for held in hands[seat])
            obliged += could
            revoked += could and card // 13 != suit
            hands[seat].remove(card)
    assert revoked > 0
    assert revoke_rate(tables) == pytest.approx(revoked / obliged)
    honest = play_deals(decide_by_player(make_player("novice", ruleset)), ruleset, columns, 1, range(40)).tables
    assert revoke_rate(honest) == 0


def test_every_metric_is_logged_and_explained(run: Path, revoking: Path, tmp_path: Path) -> None:
    tags = {*scalars(run.parent), *scalars(revoking.parent)}
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


TINY = ["clone.decisions=1", "run.decisions=1", "run.deals=2", "evaluate.every=0"]


def test_a_run_does_not_go_on_with_an_edited_ruleset(tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_text("[pay]\nbase = { MIS = 3 }\n")
    config = load_config("smoke", [*TINY, f"run.ruleset={file}"])
    path = train(config, tmp_path / "run", quiet=True)
    first = path.rename(tmp_path / "first.pt")
    path.write_bytes(first.read_bytes())
    train(config, tmp_path / "run", resume=True, quiet=True)
    file.write_text("[pay]\nbase = { MIS = 4 }\n")
    with pytest.raises(
        TrainError, match=r"is played by pagat\+pay.base.MIS=3, and your .* is pagat\+pay.base.MIS=4;"
    ):
        train(config, tmp_path / "run", resume=True, quiet=True)
    file.unlink()
    own = load_config(tmp_path / "run" / "config.toml")
    assert same_content(first, train(own, tmp_path / "run", resume=True, quiet=True))


def test_a_folder_with_a_configuration_but_no_checkpoint_is_no_run(tmp_path: Path) -> None:
    config = load_config("smoke", TINY)
    path = train(config, tmp_path, quiet=True)
    path.unlink()
    assert train(config, tmp_path, quiet=True).exists()
    (tmp_path / "config.toml").unlink()
    train(config, tmp_path, resume=True, quiet=True)
    assert load_config(tmp_path / "config.toml") == config


def test_the_checkpoint_is_written_before_the_configuration(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> str:
        raise OSError("the disk is full")

    config = load_config("smoke", TINY)
    monkeypatch.setattr("training.train.as_toml", fail)
    with pytest.raises(OSError, match="the disk is full"):
        train(config, tmp_path, quiet=True)
    monkeypatch.undo()
    train(config, tmp_path, resume=True, quiet=True)
    assert load_config(tmp_path / "config.toml") == config


def test_a_folder_without_a_name_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(TrainError, match="the folder of the run has an empty name"):
        train(load_config("smoke", TINY), "", quiet=True)
    assert not list(tmp_path.iterdir())


def test_the_progress_bar_ends_at_its_total(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    state = new_state(load_config("smoke", TINY))
    with Trainer(state, tmp_path, resume=False, quiet=False) as trainer:
        trainer.run(None)
        assert state.progress.decisions > trainer.bar.total == trainer.bar.n == 2
    assert "100%" in capsys.readouterr().err
    with Trainer(state, tmp_path, resume=True, quiet=False) as trainer:
        assert trainer.bar.n == trainer.bar.total


def test_a_teacher_that_chooses_what_is_not_open_is_named(ruleset: Ruleset) -> None:
    class Wild(BatchPlayer):
        def act_batch(self, views: np.ndarray, keys: np.ndarray, out: np.ndarray) -> None:
            out[:] = self.choice

    teacher = Wild(ruleset)
    for teacher.choice in (-1, 0, 68):
        with pytest.raises(PlayerError, match=f"player 'wild' chose {teacher.choice}, which is not open"):
            play_deals(decide_by_player(teacher), ruleset, network_columns(["hand"]), 1, range(1))


def test_general_miseres_count_in_the_mix() -> None:
    ruleset = load_ruleset('pagat+passout.mode="last_trick"')
    decide = decide_by_player(make_player("pass", ruleset))
    tables = play_deals(decide, ruleset, network_columns(["hand"]), 1, range(4)).tables
    assert contract_mix(tables)["GM"] == 1
    assert made_rates(tables) == {}
