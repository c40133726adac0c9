"""Whole runs of the smallest configuration."""

from __future__ import annotations

import json
import os
import shutil
import signal
from pathlib import Path

import numpy as np
import pytest
import torch

from solo_env.files import write_whole
from solo_env.player import PlayerError, make_player
from solo_env.rules import load_ruleset
from tests.training.content import same_content
from training.checkpoint import CheckpointError, load_state
from training.config import STAGES, Config, load_config
from training.log import METRICS, RunLog, markdown_table
from training.player import find_weights
from training.rollout import contract_mix, made_rates, play_whole, revoke_rate
from training.train import Trainer, TrainError, superfluous, train
from training.weights import read_weights

TINY = [
    "run.deals=2", "evaluate.every=0", "joint.decisions=1",
    *(f"{stage}.decisions=0" for stage in ("ground", "clone", "cards", "settle")),
]  # fmt: skip
REVOKES = 'pagat+play.revokes="possible"'


@pytest.fixture(scope="module")
def run(smoke: Config, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The checkpoint of one whole run."""
    return train(smoke, tmp_path_factory.mktemp("runs") / "one", quiet=True)


@pytest.fixture(scope="module")
def revoking(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The checkpoint of a run in which a seat needn't follow suit, and nobody shows it to."""
    stages = ["ground.decisions=0", "clone.decisions=0", "cards.decisions=0", "settle.decisions=0"]
    config = load_config("smoke", [f"run.ruleset={REVOKES!r}", "joint.decisions=2_000", *stages])
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
    assert not same_content(run, train(smoke, tmp_path / "less", quiet=True, stop_after=9_000))


@pytest.mark.parametrize("stop", [1_000, 5_000, 10_000])
def test_a_run_that_stopped_and_went_on_is_the_run_that_did_not(
    run: Path, smoke: Config, tmp_path: Path, stop: int
) -> None:
    half = train(smoke, tmp_path / "run", quiet=True, stop_after=stop)
    assert load_state(half).progress.total < load_state(run).progress.total
    assert same_content(run, train(smoke, tmp_path / "run", resume=True, quiet=True))
    steps = scalars(tmp_path / "run")
    assert {tag: [s for s, _ in seen] for tag, seen in steps.items()} == {
        tag: [s for s, _ in seen] for tag, seen in scalars(run.parent).items()
    }


def test_two_processes_train_the_player_that_one_does(run: Path, smoke: Config, tmp_path: Path) -> None:
    assert same_content(run, train(smoke, tmp_path / "run", quiet=True, processes=2))


def test_an_interrupted_run_finishes_its_iteration_and_goes_on(
    run: Path, smoke: Config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = Trainer.iterate

    def iterate(self: Trainer) -> None:
        if self.state.progress.iteration == 5:
            os.kill(os.getpid(), signal.SIGINT)
        whole(self)

    monkeypatch.setattr(Trainer, "iterate", iterate)
    with pytest.raises(KeyboardInterrupt):
        train(smoke, tmp_path / "run", quiet=True)
    monkeypatch.undo()
    assert load_state(tmp_path / "run" / "checkpoint.pt").progress.iteration == 6
    assert same_content(run, train(smoke, tmp_path / "run", resume=True, quiet=True))


def test_a_run_is_not_overwritten_and_not_continued_with_other_options(
    run: Path, smoke: Config, tmp_path: Path
) -> None:
    before = run.read_bytes()
    with pytest.raises(TrainError, match=r"already holds a run; go on with it by --resume, or name another"):
        train(smoke, run.parent, quiet=True)
    other = load_config("smoke", ["joint.lr=1e-4"])
    with pytest.raises(TrainError, match=r"has another configuration: joint.lr \(0.0003, 0.0001\)"):
        train(other, run.parent, resume=True, quiet=True)
    with pytest.raises(TrainError, match=r"there is no run to go on with in .*empty"):
        train(smoke, tmp_path / "empty", resume=True, quiet=True)
    assert run.read_bytes() == before


def test_a_run_leaves_its_configuration_and_its_facts(run: Path, smoke: Config) -> None:
    assert load_config(run.parent / "config.toml") == smoke
    facts = json.loads((run.parent / "checkpoint.json").read_text())
    assert facts["versions"]["torch"] == str(torch.__version__)
    assert facts["decisions"] == load_state(run).progress.total
    assert set(facts["matches"]) == set(smoke.evaluate.against)
    assert {match["book"] for match in facts["matches"].values()} == {"dev"}  # "test" is for what is reported
    assert (run.parent / "report.html").exists()
    for name in ("player.npz", "best.npz"):
        assert make_player(f"ppo:{run.parent / name}").name
    assert read_weights(run.parent / "player.npz").story["decisions"] == facts["decisions"]
    assert [file.name for file in run.parent.glob("checkpoint-*.pt")] == ["checkpoint-1.pt"]


def test_every_stage_is_gone_through_and_the_history_tells_of_each(run: Path, smoke: Config) -> None:
    progress = load_state(run).progress
    for stage in STAGES:
        assert progress.decisions[stage] >= getattr(smoke, stage).decisions
    lines = [json.loads(line) for line in (run.parent / "history.jsonl").read_text().splitlines()]
    assert set(lines[0]["run"]) == {"config", "reference"}
    assert list(dict.fromkeys(line["stage"] for line in lines[1:])) == list(STAGES)
    assert [line["iteration"] for line in lines if "metrics" in line] == list(range(1, progress.iteration + 1))
    assert {line["match"]["spec"] for line in lines if "match" in line} == set(smoke.evaluate.against)


def test_there_is_a_checkpoint_at_the_end_of_every_stage_and_a_match_at_the_end_of_the_last(
    smoke: Config, tmp_path: Path
) -> None:
    options = ["run.checkpoint_every=1000", "run.keep=9", "evaluate.every=1000", "settle.decisions=0"]
    last = train(load_config("smoke", options), tmp_path / "run", quiet=True)
    files = [last, *(last.with_name(f"checkpoint-{i}.pt") for i in range(1, 6))]
    assert [file.exists() for file in files] == [True] * 5 + [False]
    assert [load_state(file).progress.stage for file in files[:5]] == [
        "joint",
        "cards",
        "clone",
        "ground",
        "ground",
    ]
    facts = json.loads(last.with_suffix(".json").read_text())
    assert set(facts["matches"]) == set(smoke.evaluate.against)
    assert (tmp_path / "run" / "best.npz").exists()


def test_a_run_that_is_done_is_left_as_it_is(run: Path, smoke: Config, tmp_path: Path) -> None:
    shutil.copytree(run.parent, tmp_path / "run")
    train(smoke, tmp_path / "run", resume=True, quiet=True)
    for name in ("checkpoint.pt", "checkpoint-1.pt", "checkpoint.json", "player.npz", "best.npz"):
        assert (tmp_path / "run" / name).read_bytes() == (run.parent / name).read_bytes(), name


def test_a_run_that_went_on_remembers_its_matches(smoke: Config, tmp_path: Path) -> None:
    half = train(smoke, tmp_path / "run", quiet=True, stop_after=9_000)
    matches = json.loads(half.with_suffix(".json").read_text())["matches"]
    assert set(matches) == set(smoke.evaluate.against)
    more = load_state(half).progress.total + 1
    train(smoke, tmp_path / "run", resume=True, quiet=True, stop_after=more)
    assert set(json.loads(half.with_suffix(".json").read_text())["matches"]) == set(matches)


def test_a_stage_in_which_nothing_can_be_learnt_is_refused(tmp_path: Path) -> None:
    options = ["ground.decisions=0", "clone.decisions=0", "cards.certain=1e-9", "cards.taught=0"]
    with pytest.raises(TrainError, match="64 deals of the stage cards hold no decision to learn from"):
        train(load_config("smoke", options), tmp_path / "run", quiet=True)


def test_the_teachers_calls_are_imitated_while_cards_are_learnt(run: Path) -> None:
    lines = [json.loads(line) for line in (run.parent / "history.jsonl").read_text().splitlines()]
    cards = next(line["metrics"] for line in lines if line.get("stage") == "cards" and "metrics" in line)
    assert {"clone/loss_auction", "entropy/cards"} <= cards.keys()
    assert not {"clone/loss_cards", "loss/value", "value/explained_variance"} & cards.keys()


def test_only_where_revokes_are_possible_their_share_is_logged(run: Path, revoking: Path) -> None:
    assert "play/revokes" not in scalars(run.parent)
    shares = [value for _, value in scalars(revoking.parent)["play/revokes"]]
    assert shares
    assert all(0 < share < 1 for share in shares)


def test_the_share_of_revokes_is_of_the_plays_that_could_have_followed() -> None:
    ruleset = load_ruleset(REVOKES)
    tables = play_whole(make_player("uniform", ruleset), ruleset, 1, range(40), 0)
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
    assert revoke_rate(play_whole(make_player("novice", ruleset), ruleset, 1, range(40), 0)) == 0


def test_every_metric_is_logged_and_explained(run: Path, revoking: Path, tmp_path: Path) -> None:
    tags = {*scalars(run.parent), *scalars(revoking.parent)}
    for name in METRICS:
        assert any(tag == name or (name[-1] == "*" and tag.startswith(name[:-1])) for tag in tags) or (
            name.startswith(("match_low", "match_high"))  # a smoke run has too few deals for an interval
        )
    assert all(f"`{name}`" in markdown_table() for name in METRICS)
    log = RunLog(tmp_path, lambda: 0.0)
    with pytest.raises(KeyError):
        log.scalars({"loss/unheard_of": 1.0}, load_state(run).progress)
    log.close()


def test_a_loss_that_is_no_number_ends_the_run_with_a_sentence(
    smoke: Config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("training.learner.Learner.update", lambda *_: {"loss/value": float("nan")})
    with pytest.raises(TrainError, match="a loss is no longer a number after"):
        train(smoke, tmp_path / "run", quiet=True)


def test_a_bidder_that_says_nothing_of_calls_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TrainError, match=r"ppo\.bidder is 'novice', which does not say what it expects of calls"):
        train(load_config("smoke", ["ppo.bidder=novice"]), tmp_path / "run", quiet=True)


@pytest.mark.parametrize(
    ("numbers", "gone"),
    [
        ([50, 100, 150, 200], []),
        ([50, 100, 150, 200, 250, 300, 350], [150, 200, 250]),
        ([50, 100, 900, 950, 1000, 1050, 1100, 1150], [900, 950, 1050]),
    ],
)
def test_the_last_snapshots_and_the_first_of_each_tenfold_are_kept(numbers: list[int], gone: list[int]) -> None:
    assert superfluous(numbers, ring=2) == gone


def test_an_unknown_teacher_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    with pytest.raises(PlayerError, match="there is no player 'nobody'"):
        train(load_config("smoke", ["clone.teacher=nobody"]), tmp_path / "run", quiet=True)
    assert not (tmp_path / "run").exists()


NOTHING = [f"{stage}.decisions=0" for stage in STAGES]
AS_SHIPPED = [*NOTHING, "net.start=ppo", "net.actor=[512, 512, 512]"]


def test_an_actor_may_begin_as_a_trained_player(tmp_path: Path) -> None:
    begun = train(load_config("smoke", AS_SHIPPED), tmp_path / "as-shipped", quiet=True).parent
    mine, shipped = read_weights(begun / "player.npz"), find_weights("")
    assert np.array_equal(mine.arrays.numbers, shipped.arrays.numbers)
    again = load_config("smoke", [*NOTHING, f"net.start=ppo:{begun}", "net.actor=[512, 512, 512]"])
    train(again, tmp_path / "again", quiet=True)
    shutil.rmtree(begun)
    train(again, tmp_path / "again", resume=True, quiet=True)  # which does not need it any more
    story = read_weights(tmp_path / "again" / "player.npz").story
    assert story["start"]["digest"] == mine.digest
    assert story["start"]["start"]["digest"] == shipped.digest  # and so on, as far back as is known
    assert story["decisions"] == shipped.story["decisions"]  # nothing was learnt since
    assert story["hours"] >= shipped.story["hours"]


@pytest.mark.parametrize(
    ("start", "widths", "said"),
    [
        ("novice", "[512, 512, 512]", "'novice' is no trained player; give ppo or ppo:PATH."),
        ("ppo,sample=true", "[512, 512, 512]", "'ppo,sample=true' is no trained player; give ppo or ppo:PATH."),
        ("ppo:nowhere", "[512, 512, 512]", "nowhere"),
        ("ppo", "[16]", r"another net\.actor: \[512, 512, 512\], where the configuration has \[16\]\."),
    ],
)
def test_an_actor_begins_as_nothing_else(start: str, widths: str, said: str, tmp_path: Path) -> None:
    config = load_config("smoke", [f"net.start={start}", f"net.actor={widths}"])
    with pytest.raises((PlayerError, CheckpointError), match=said):
        train(config, tmp_path / "run", quiet=True)
    assert not (tmp_path / "run").exists()


def test_a_stage_without_decisions_is_left_out(tmp_path: Path) -> None:
    progress = load_state(train(load_config("smoke", TINY), tmp_path / "run", quiet=True)).progress
    assert [stage for stage in STAGES if progress.decisions[stage]] == ["joint"]
    assert progress.deals == 2


def test_the_ruleset_of_a_run_may_be_any(tmp_path: Path) -> None:
    config = load_config("smoke", [*TINY, "run.ruleset=pagat+pay.base.MIS=3"])
    path = train(config, tmp_path / "run", quiet=True)
    ruleset = load_ruleset("pagat+pay.base.MIS=3")
    assert make_player(f"ppo:{path}", ruleset).name == f"ppo:{path}"


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
    def fail(path: Path, content: bytes) -> None:
        if path.name == "config.toml":
            raise OSError("the disk is full")
        write_whole(path, content)

    config = load_config("smoke", TINY)
    monkeypatch.setattr("training.train.write_whole", fail)
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


def test_general_miseres_count_in_the_mix() -> None:
    ruleset = load_ruleset('pagat+passout.mode="last_trick"')
    tables = play_whole(make_player("pass", ruleset), ruleset, 1, range(4), 0)
    assert contract_mix(tables)["GM"] == 1
    assert made_rates(tables) == {}
