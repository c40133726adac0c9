from __future__ import annotations

import io
import os
from pathlib import Path
from typing import Any

import pytest
import torch

from tests.training.content import same_content
from tests.training.nets import some_ids
from training import checkpoint
from training.checkpoint import (
    VERSION,
    CheckpointError,
    State,
    content_digest,
    encode,
    load_state,
    load_weights,
    new_state,
    read_content,
    snapshot_of,
    write_whole,
)
from training.config import as_toml, load_config
from training.features import MAX_ACTIVE, feature_table
from training.networks import infer


@pytest.fixture
def saved(state: State, tmp_path: Path) -> Path:
    path = tmp_path / "checkpoint.pt"
    write_whole(path, encode(state))
    return path


def rewritten(path: Path, **changes: Any) -> Path:
    """The checkpoint with other content, and a digest that fits it."""
    content = torch.load(path, weights_only=True) | changes
    torch.save(content | {"digest": content_digest(content)}, path)
    return path


def test_a_state_comes_back_as_it_was(state: State, saved: Path) -> None:
    again = load_state(saved)
    assert again.config == state.config
    assert again.progress == state.progress
    write_whole(saved.with_name("again.pt"), encode(again))
    assert same_content(saved, saved.with_name("again.pt"))


def test_the_bytes_do_not_depend_on_where_the_file_lies(state: State, saved: Path) -> None:
    other = saved.with_name("other.pt")
    write_whole(other, encode(state))
    assert other.read_bytes() == saved.read_bytes()


def test_the_player_in_it_is_the_averaged_actor_and_leaves_torchs_generator(state: State, saved: Path) -> None:
    with torch.no_grad():
        for parameter in state.average.parameters():
            parameter.add_(0.25)
    write_whole(saved, encode(state))
    before = torch.get_rng_state()
    weights = load_weights(saved)
    assert (before == torch.get_rng_state()).all()
    assert weights.blocks == state.config.net.blocks
    assert weights.rulesets == (checkpoint.ruleset_id(checkpoint.load_ruleset("pagat")),)
    assert weights.story["config"] == as_toml(state.config)
    ids = some_ids(50, feature_table(state.config.net.blocks).n)
    assert weights.logits(ids[:, :MAX_ACTIVE]) == pytest.approx(infer(state.average, ids), rel=1e-4, abs=1e-4)


def test_snapshots_come_back_as_they_were(state: State, saved: Path) -> None:
    with torch.no_grad():
        state.actor.weight.mul_(1.2345)
    state.snapshots[7] = snapshot_of(state.actor)
    write_whole(saved, encode(state))
    again = load_state(saved).snapshots
    assert list(again) == [7]
    for kept, loaded in zip(state.snapshots[7].parameters(), again[7].parameters(), strict=True):
        assert torch.equal(kept, loaded)
        assert not loaded.requires_grad


@pytest.mark.parametrize("length", [0, 1, 100, 20_000])
def test_a_truncated_file_is_refused(saved: Path, length: int) -> None:
    saved.write_bytes(saved.read_bytes()[:length])
    with pytest.raises(CheckpointError, match=r"checkpoint.pt is no checkpoint of this project, or it is cut"):
        load_state(saved)


def test_something_else_is_refused(saved: Path) -> None:
    saved.write_text("not a checkpoint")
    with pytest.raises(CheckpointError, match=r"checkpoint.pt is no checkpoint of this project"):
        load_weights(saved)
    torch.save({"weights": torch.zeros(3)}, saved)
    with pytest.raises(CheckpointError, match=r"checkpoint.pt is no checkpoint of this project"):
        load_weights(saved)
    with pytest.raises(CheckpointError, match=r"nowhere.pt cannot be read: No such file or directory"):
        load_weights(saved.with_name("nowhere.pt"))


def test_a_file_with_code_in_it_is_refused_unread(saved: Path, tmp_path: Path) -> None:
    class Touch:
        def __reduce__(self) -> tuple[Any, ...]:
            return (os.mkdir, (str(tmp_path / "harm"),))

    buffer = io.BytesIO()
    torch.save({"format": checkpoint.FORMAT, "actor": Touch()}, buffer)
    saved.write_bytes(buffer.getvalue())
    with pytest.raises(CheckpointError, match=r"checkpoint.pt is no checkpoint"):
        load_state(saved)
    assert not (tmp_path / "harm").exists()


def test_a_checkpoint_for_other_tables_or_of_another_version_is_refused(saved: Path) -> None:
    with pytest.raises(
        CheckpointError, match=rf"checkpoint.pt has version 99; this program reads version {VERSION}"
    ):
        load_weights(rewritten(saved, version=99))
    rewritten(saved, version=VERSION)
    with pytest.raises(CheckpointError, match=r"checkpoint.pt was made for the .* tables 0badcafe; here they"):
        load_weights(rewritten(saved, table_hash="0badcafe"))


@pytest.mark.parametrize("load", [load_state, load_weights])
def test_networks_of_another_shape_than_the_configuration_says_are_refused(saved: Path, load: Any) -> None:
    config = torch.load(saved, weights_only=True)["config"]
    config["net"]["actor"] = [31]
    with pytest.raises(CheckpointError, match=r"checkpoint.pt does not hold the networks"):
        load(rewritten(saved, config=config))
    config["net"]["blocks"] = ["no such block"]
    with pytest.raises(CheckpointError, match=r"checkpoint.pt has a configuration .* net.blocks names"):
        load(rewritten(saved, config=config))


@pytest.mark.parametrize("culprit", ["fsync", "replace"])
def test_a_failure_while_writing_keeps_the_old_file(
    saved: Path, monkeypatch: pytest.MonkeyPatch, culprit: str
) -> None:
    def fail(*_: object) -> None:
        raise OSError("the disk is full")

    old = saved.read_bytes()
    monkeypatch.setattr(os, culprit, fail)
    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(OSError, match="the disk is full"):
        write_whole(saved, b"half of a new one")
    assert saved.read_bytes() == old
    assert [file.name for file in saved.parent.iterdir()] == ["checkpoint.pt"]


def test_flipped_bits_are_refused_or_change_nothing(saved: Path, state: State) -> None:
    whole, other = saved.read_bytes(), saved.with_name("other.pt")
    refused = 0
    for at in range(1000, len(whole), len(whole) // 60):
        other.write_bytes(whole[:at] + bytes([whole[at] ^ 0x10]) + whole[at + 1 :])
        try:
            load_state(other)
        except CheckpointError:
            refused += 1
        else:
            assert same_content(saved, other)  # the gaps of the zip file
    assert refused > 40


def test_equal_content_has_equal_digests_and_other_content_has_another(saved: Path) -> None:
    content = read_content(saved)
    again = read_content(saved) | {"digest": "another"}
    assert content_digest(content) == content_digest(again) == content["digest"]
    again["progress"]["deals"] = 1
    assert content_digest(again) != content["digest"]


def spoilt(content: dict[str, Any], change: Any) -> dict[str, Any]:
    change(content)
    return content


def weight(content: dict[str, Any], network: str = "actor") -> torch.Tensor:
    tensor: torch.Tensor = content[network]["layers.1.weight"]
    return tensor


DAMAGES: dict[str, tuple[Any, str]] = {
    "config": (lambda c: c.update(config=[1]), "config is of type list, and must be a table"),
    "section": (lambda c: c["config"].update(run=3), "has a configuration .* run is 3"),
    "option": (lambda c: c["config"]["net"].update(actor="wide"), "has a configuration .* net.actor is 'wide'"),
    "no progress": (lambda c: c.pop("progress"), "progress is of type NoneType"),
    "stage": (lambda c: c["progress"].update(stage="sleep"), "progress.stage is 'sleep'"),
    "iteration": (lambda c: c["progress"].update(iteration=-3), "progress.iteration is -3"),
    "deals": (lambda c: c["progress"].update(deals=2.5), "progress.deals is 2.5"),
    "factor": (lambda c: c["progress"].update(factor=float("nan")), "progress.factor is nan"),
    "mix": (lambda c: c["progress"].update(mix={"PC": 2.0}), "progress.mix must be shares"),
    "decisions": (lambda c: c["progress"].update(decisions={"clone": 3}), "progress.decisions must have a whole"),
    "best": (lambda c: c["progress"].update(best=float("inf")), "progress.best is inf"),
    "field": (lambda c: c["progress"].update(mood="good"), "progress must have iteration"),
    "snapshots": (lambda c: c.update(snapshots={"7": {}}), "snapshots must be networks by the number"),
    "wide snapshot": (lambda c: c["snapshots"].update({3: c["actor"]}), "snapshot 3 must be of tensors of float16"),
    "rulesets": (lambda c: c.update(rulesets="pagat"), "rulesets must be a list of names"),
    "nan": (lambda c: weight(c)[0].fill_(float("nan")), "actor.layers.1.weight has a weight that is no finite"),
    "inf": (lambda c: weight(c, "critic")[0].fill_(float("inf")), "critic.layers.1.weight has a weight that"),
    "complex": (
        lambda c: c["average"].update({"layers.1.weight": weight(c, "average") + 1j}),
        "average.layers.1.weight must be a tensor of float32",
    ),
    "no tensor": (lambda c: c["actor"].update({"layers.1.weight": 3}), "actor.layers.1.weight must be a tensor"),
    "optimiser": (lambda c: c.update(optimiser=3), "optimiser is of type int"),
    "groups": (lambda c: c["optimiser"].update(param_groups={}), "optimiser.param_groups must be"),
    "lr": (lambda c: c["optimiser"]["param_groups"][0].update(lr="fast"), "optimiser.lr is 'fast'"),
    "betas": (lambda c: c["optimiser"]["param_groups"][0].update(betas=(2, 3)), "optimiser.betas is"),
    "averages": (
        lambda c: c["optimiser"]["state"][0].update(exp_avg=torch.zeros(1)),
        "optimiser.exp_avg of weight",
    ),
    "nan average": (
        lambda c: c["optimiser"]["state"][0]["exp_avg_sq"].fill_(float("nan")),
        "optimiser.exp_avg_sq of weight 0 has a number that cannot be",
    ),
    "other weights": (lambda c: c["optimiser"]["state"].update({99: {}}), "optimiser.state is of other weights"),
}


@pytest.fixture
def trained(state: State, tmp_path: Path) -> Path:
    """A checkpoint whose optimiser has taken a step."""
    for parameter in [*state.actor.parameters(), *state.critic.parameters()]:
        parameter.grad = torch.ones_like(parameter)
    state.optimiser.step()
    path = tmp_path / "checkpoint.pt"
    write_whole(path, encode(state))
    load_state(path)
    return path


@pytest.mark.parametrize("damage", DAMAGES)
def test_content_that_no_run_writes_is_refused(trained: Path, damage: str) -> None:
    change, said = DAMAGES[damage]
    rewritten(trained, **spoilt(torch.load(trained, weights_only=True), change))
    if damage == "no progress":
        content = torch.load(trained, weights_only=True)
        content.pop("progress")
        torch.save(content | {"digest": content_digest(content)}, trained)
    with pytest.raises(CheckpointError, match=f"checkpoint.pt .*{said}"):
        load_state(trained)


def test_an_actor_with_weights_that_are_no_numbers_does_not_play(trained: Path) -> None:
    content = torch.load(trained, weights_only=True)
    weight(content, "average")[0].fill_(float("nan"))
    rewritten(trained, **content)
    with pytest.raises(CheckpointError, match="has a weight that is no finite number"):
        load_weights(trained)


def test_a_ruleset_of_a_file_is_kept_by_its_canonical_name(tmp_path: Path) -> None:
    file, path = tmp_path / "house.toml", tmp_path / "checkpoint.pt"
    file.write_text("[pay]\nbase = { MIS = 3 }\n")
    state = new_state(load_config("smoke", [f"run.ruleset={file}"]))
    write_whole(path, encode(state))
    file.unlink()
    assert load_weights(path).rulesets[0].startswith("pagat+pay.base.MIS=3@")
    assert load_state(path).config.run.ruleset == "pagat+pay.base.MIS=3"


def test_the_actor_of_a_ruleset_that_is_gone_still_plays(saved: Path) -> None:
    config = torch.load(saved, weights_only=True)["config"]
    config["run"]["ruleset"] = "gone.toml"
    rewritten(saved, config=config, rulesets=["gone.toml@00000000"])
    assert load_weights(saved).rulesets == ("gone.toml@00000000",)
    with pytest.raises(CheckpointError, match=r"run.ruleset is 'gone.toml'"):
        load_state(saved)


def test_a_run_does_not_go_on_under_rules_that_have_changed_since(saved: Path) -> None:
    rewritten(saved, rulesets=["pagat@00000000"])
    with pytest.raises(
        CheckpointError, match=r"was trained on pagat@00000000, and the ruleset .* is pagat@\w{8} here"
    ):
        load_state(saved)
