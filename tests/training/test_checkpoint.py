from __future__ import annotations

import io
import os
from pathlib import Path
from typing import Any

import pytest
import torch

from tests.training.content import same_content
from training import checkpoint
from training.checkpoint import CheckpointError, State, encode, load_actor, load_state, write_whole


@pytest.fixture
def saved(state: State, tmp_path: Path) -> Path:
    path = tmp_path / "checkpoint.pt"
    write_whole(path, encode(state))
    return path


def rewritten(path: Path, **changes: Any) -> Path:
    content = torch.load(path, weights_only=True) | changes
    torch.save(content, path)
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


def test_the_actor_alone_can_be_loaded_and_leaves_torchs_generator(state: State, saved: Path) -> None:
    before = torch.get_rng_state()
    actor, config, rulesets = load_actor(saved)
    assert (before == torch.get_rng_state()).all()
    assert config == state.config
    assert rulesets == [checkpoint.ruleset_id(checkpoint.load_ruleset("pagat"))]
    mine = state.actor.state_dict()
    assert all((tensor == mine[name]).all() for name, tensor in actor.state_dict().items())


@pytest.mark.parametrize("length", [0, 1, 100, 20_000])
def test_a_truncated_file_is_refused(saved: Path, length: int) -> None:
    saved.write_bytes(saved.read_bytes()[:length])
    with pytest.raises(CheckpointError, match=r"checkpoint.pt is no checkpoint of this project, or it is cut"):
        load_state(saved)


def test_something_else_is_refused(saved: Path) -> None:
    saved.write_text("not a checkpoint")
    with pytest.raises(CheckpointError, match=r"checkpoint.pt is no checkpoint of this project"):
        load_actor(saved)
    torch.save({"weights": torch.zeros(3)}, saved)
    with pytest.raises(CheckpointError, match=r"checkpoint.pt is no checkpoint of this project"):
        load_actor(saved)
    with pytest.raises(CheckpointError, match=r"nowhere.pt cannot be read: No such file or directory"):
        load_actor(saved.with_name("nowhere.pt"))


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
    with pytest.raises(CheckpointError, match=r"checkpoint.pt has version 99; this program reads version 1"):
        load_actor(rewritten(saved, version=99))
    rewritten(saved, version=1)
    with pytest.raises(CheckpointError, match=r"checkpoint.pt was made for the .* tables 0badcafe; here they"):
        load_actor(rewritten(saved, table_hash="0badcafe"))


@pytest.mark.parametrize("load", [load_state, load_actor])
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
