"""A trained network as ONNX, for programs in other languages and for other runtimes: ``solo-whist export``.

The model has two inputs and one output, N positions of any number:

    features  float32 [N, features]   1 where the position has the feature, else 0
    mask      bool [N, actions]       whether an action is legal, by network's action
    logits    float32 [N, actions]    by network's action; ``ILLEGAL`` for those that are not legal

Both inputs come from views: ``model_inputs`` makes them, and gives the order in which the network counts the suits
of each view. A network's action ``a`` in order ``o`` is action ``training.features.ACTION_OF[o, a]`` of the action
table; the likeliest is the one with the largest logit, and the softmax of the logits gives the chances. What the
features are stands in the model's metadata: ``blocks``, ``table_hash``, ``rulesets`` and ``digest`` of the weights.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from solo_env.actions import N_ACTIONS
from solo_env.files import write_whole
from solo_env.layout import table_hash
from solo_env.rules import Ruleset, pack_array
from training.features import write_inputs
from training.weights import Weights

if TYPE_CHECKING:
    from onnx import ModelProto

ILLEGAL = np.float32(-1e9)
OPSET, IR_VERSION = 17, 8  # of 2022: what runtimes have had for long


def model_inputs(
    weights: Weights, views: NDArray[np.void], ruleset: Ruleset
) -> tuple[NDArray[np.float32], NDArray[np.bool_], NDArray[np.int64]]:
    """The model's inputs for view records [N]: features and mask, and the order int64 [N] to read the logits by."""
    ids, mask, order = write_inputs(views, pack_array(ruleset), weights.features)
    features = np.zeros((len(views), weights.features.n), np.float32)
    row, place = np.nonzero(ids >= 0)
    features[row, ids[row, place]] = 1
    return features, mask != 0, order


def onnx_model(weights: Weights) -> ModelProto:
    """The network as a model; this alone needs the library."""
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    constants, nodes, last = [numpy_helper.from_array(np.array(ILLEGAL), "illegal")], [], "features"
    for number, (weight, bias) in enumerate(weights.layers):
        constants += [
            numpy_helper.from_array(weight, f"weight{number}"),
            numpy_helper.from_array(bias, f"bias{number}"),
        ]
        nodes.append(helper.make_node("Gemm", [last, f"weight{number}", f"bias{number}"], [f"sum{number}"]))
        last = f"sum{number}"
        if number < len(weights.layers) - 1:
            nodes.append(helper.make_node("Relu", [last], [f"hidden{number}"]))
            last = f"hidden{number}"
    nodes.append(helper.make_node("Where", ["mask", last, "illegal"], ["logits"]))
    features, mask, logits = (
        helper.make_tensor_value_info(name, kind, ["N", width])
        for name, kind, width in (
            ("features", TensorProto.FLOAT, weights.features.n),
            ("mask", TensorProto.BOOL, N_ACTIONS),
            ("logits", TensorProto.FLOAT, N_ACTIONS),
        )
    )
    graph = helper.make_graph(nodes, "solo_whist_player", [features, mask], [logits], constants)
    model = helper.make_model(
        graph, producer_name="solo-whist", opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR_VERSION
    )
    model.doc_string = __doc__ or ""
    told = {
        "blocks": json.dumps(weights.blocks),
        "rulesets": json.dumps(weights.rulesets),
        "table_hash": table_hash(),
        "digest": weights.digest,
    }
    helper.set_model_props(model, told)
    onnx.checker.check_model(model)
    return model


def write_onnx(path: Path, weights: Weights) -> None:
    """Write the network as an ONNX file, whole or not at all.

    Raises:
        OSError: the file cannot be written.
    """
    write_whole(path, onnx_model(weights).SerializeToString())
