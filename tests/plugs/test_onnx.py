"""Policies in ONNX files play, whatever of the documented inputs they read; what does not fit is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from solo_env.actions import N_ACTIONS
from solo_env.layout import N_FEATURES
from solo_env.player import PlayerError, make_player
from solo_env.table import Table

LIKED = np.random.default_rng(1).normal(size=(N_FEATURES, N_ACTIONS)).astype(np.float32)


def write(path: Path, kind: int = TensorProto.FLOAT, width: int = N_FEATURES, name: str = "observation") -> str:
    """A policy of one layer."""
    nodes = [helper.make_node("Cast", [name], ["seen"], to=TensorProto.FLOAT)]
    nodes.append(helper.make_node("MatMul", ["seen", "liked"], ["logits"]))
    graph = helper.make_graph(
        nodes,
        "policy",
        [helper.make_tensor_value_info(name, kind, ["N", width])],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["N", N_ACTIONS])],
        [numpy_helper.from_array(LIKED[:width] if width <= N_FEATURES else np.vstack([LIKED, LIKED[:1]]), "liked")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.save(model, path)
    return f"onnx:{path}"


@pytest.mark.parametrize("kind", [TensorProto.FLOAT, TensorProto.INT8])
def test_a_policy_in_a_file_plays_what_it_likes_best(kind: int, tmp_path: Path) -> None:
    from solo_env.engine.state import new_views
    from solo_env.plugs.policy import observed

    player, table = make_player(write(tmp_path / "mine.onnx", kind)), Table()
    table.deal(3)
    while not table.over:
        view, views = table.view(table.turn), new_views(1)
        views[0] = view.record
        liked = observed(views, table.rules)[0][0].astype(np.float32) @ LIKED
        legal = view.legal_actions()
        assert player.act(view) == legal[int(np.argmax(liked[legal]))]
        table.apply(player.act(view))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"name": "obs"}, "has an input 'obs'"),
        ({"kind": TensorProto.INT64}, r"tensor\(int64\); inputs are observation and action_mask"),
        ({"width": N_FEATURES + 1}, f"it must be N by {N_FEATURES}"),
    ],
)
def test_other_inputs_are_refused(options: dict, said: str, tmp_path: Path) -> None:
    with pytest.raises(PlayerError, match=said):
        make_player(write(tmp_path / "mine.onnx", **options))


def test_what_is_no_onnx_is_refused(tmp_path: Path) -> None:
    (tmp_path / "bad.onnx").write_bytes(b"x")
    with pytest.raises(PlayerError, match="cannot be loaded"):
        make_player(f"onnx:{tmp_path / 'bad.onnx'}")
