"""The exported model says what the player's own kernels say, as another runtime reads it."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest
from numpy.typing import NDArray

from solo_env.layout import table_hash
from solo_env.rules import Ruleset, pack_array
from tests.training.nets import drawn_weights
from tests.training.test_features import positions
from training import cli
from training.docs import ROOT
from training.features import ACTION_OF, write_inputs
from training.onnx import ILLEGAL, model_inputs, onnx_model
from training.player import PpoPlayer
from training.weights import write_weights


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "player.npz"
    write_weights(path, drawn_weights())
    return path


@pytest.fixture
def views() -> NDArray[np.void]:
    return positions("pagat")[0]


def answers(model: bytes, features: NDArray[np.float32], mask: NDArray[np.bool_]) -> NDArray[np.float32]:
    session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    [logits] = session.run(["logits"], {"features": features, "mask": mask})
    return np.asarray(logits)


@pytest.mark.parametrize("hidden", [(24, 16), (64,), (256, 256, 256)])
@pytest.mark.parametrize("n", [1, 3, 700])
def test_the_model_says_what_the_kernels_say(
    views: NDArray[np.void], ruleset: Ruleset, hidden: tuple[int, ...], n: int
) -> None:
    weights = drawn_weights(hidden)
    ids, legal, _ = write_inputs(views[:n], pack_array(ruleset), weights.features)
    features, mask, _ = model_inputs(weights, views[:n], ruleset)
    logits = answers(onnx_model(weights).SerializeToString(), features, mask)
    assert (mask == (legal != 0)).all()
    assert logits.dtype == np.float32
    assert (logits[~mask] == ILLEGAL).all()
    np.testing.assert_allclose(logits[mask], weights.logits(ids)[mask], rtol=1e-4, atol=1e-4)


def test_an_answer_is_turned_back_into_an_action(views: NDArray[np.void], ruleset: Ruleset) -> None:
    weights = drawn_weights()
    features, mask, order = model_inputs(weights, views, ruleset)
    logits = answers(onnx_model(weights).SerializeToString(), features, mask)
    out = np.full(len(views), -1, np.int64)
    PpoPlayer.of(weights, ruleset).act_batch(views, np.zeros(len(views), np.int64), out)
    assert (ACTION_OF[order, logits.argmax(axis=1)] == out).all()


def test_the_model_tells_what_it_is() -> None:
    weights = drawn_weights()
    told = {prop.key: prop.value for prop in onnx_model(weights).metadata_props}
    assert tuple(json.loads(told["blocks"])) == weights.blocks
    assert tuple(json.loads(told["rulesets"])) == weights.rulesets
    assert (told["table_hash"], told["digest"]) == (table_hash(), weights.digest)


def test_the_command_exports_a_player(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = path.with_name("player.onnx")
    assert cli.main(["export", f"ppo:{path.parent}", str(target)]) == 0
    assert capsys.readouterr().out.startswith(f"{target}: ")
    model: onnx.ModelProto = onnx.load(target)
    assert model.SerializeToString() == onnx_model(drawn_weights()).SerializeToString()


def test_the_examples_of_the_documentation_run(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(path.parent)
    Path("runs/quick").mkdir(parents=True)
    path.rename("runs/quick/player.npz")
    assert cli.main(["export", "ppo:runs/quick", "player.onnx"]) == 0
    page = (ROOT / "docs" / "ppo.md").read_text(encoding="utf-8")
    examples = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    assert len(examples) == 2
    results: dict[str, Any] = {}
    for example in examples:
        exec(example, results)
    assert results["action"] == results["player"].act(results["table"].view(results["table"].turn))


@pytest.mark.parametrize(
    ("player", "file", "said"),
    [
        ("novice", "player.onnx", "'novice' is no trained player; give ppo or ppo:PATH."),
        ("ppo:{folder},sample=true", "player.onnx", "is no trained player"),
        ("ppo:nowhere.npz", "player.onnx", "nowhere.npz cannot be read as a trained player: it is not there."),
        ("ppo:{folder}", "player.npz", "is there already; give the name of a new file."),
    ],
)
def test_what_cannot_be_exported_is_a_sentence(
    path: Path, capsys: pytest.CaptureFixture[str], player: str, file: str, said: str
) -> None:
    before = sorted(path.parent.iterdir())
    assert cli.main(["export", player.format(folder=path.parent), str(path.with_name(file))]) == 2
    assert said in capsys.readouterr().err
    assert sorted(path.parent.iterdir()) == before


def test_without_the_library_the_command_says_what_to_install(
    path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "onnx", None)
    assert cli.main(["export", f"ppo:{path}", str(path.with_name("player.onnx"))]) == 2
    assert 'pip install "solo-whist[onnx]"' in capsys.readouterr().err
