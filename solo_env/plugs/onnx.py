"""Policies of any toolkit as ONNX files: ``onnx:PATH`` is a player.

A file fits if it has these inputs and outputs, N decisions of any number:

| name | type | shape | meaning |
|---|---|---|---|
| `observation` | float32 or int8 | N × F | the observation; `solo_env.observation.scale()` brings it to −1 … 1 |
| `action_mask`, if it is there | float32, int8 or bool | N × A | what may be done |
| `logits` | float32 | N × A | the output, or the only output there is |

What the mask leaves out does not count, so a policy need not heed it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from solo_env.actions import N_ACTIONS
from solo_env.layout import N_FEATURES
from solo_env.player import PlayerError, told
from solo_env.plugs.policy import Policy, PolicyPlayer, policy_file
from solo_env.rules import Ruleset

WIDTHS = {"observation": N_FEATURES, "action_mask": N_ACTIONS}
TYPES = {"tensor(float)": np.float32, "tensor(int8)": np.int8, "tensor(bool)": np.bool_}


class OnnxPlayer(PolicyPlayer):
    """A policy in an ONNX file: ``onnx:PATH``, greedy or with ``sample=true`` by its chances.

    Raises:
        PlayerError: there is no such file, it is no ONNX, or its inputs or outputs are others than those above.
    """

    def __init__(self, ruleset: str | Ruleset = "pagat", path: str = "", sample: str | bool = False) -> None:
        file = policy_file("onnx", path, ".onnx")
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        try:
            session = onnxruntime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
        except Exception as error:  # whatever the runtime happens to raise
            raise PlayerError(f"player onnx: {path} cannot be loaded: {told(error)}.") from None
        super().__init__(ruleset, session_policy(path, session), sample)


def session_policy(path: str, session: Any) -> Policy:
    """A session of the runtime as a function from observations and masks to logits."""
    wanted = {}
    for given in session.get_inputs():
        if given.name not in WIDTHS or given.type not in TYPES:
            raise PlayerError(
                f"player onnx: {path} has an input {given.name!r} of {given.type}; inputs are "
                f"{' and '.join(WIDTHS)}, of {', '.join(TYPES)}."
            )
        if not fits(given.shape, WIDTHS[given.name]):
            raise PlayerError(
                f"player onnx: {path} has an input {given.name!r} of shape {given.shape}; it must be N by "
                f"{WIDTHS[given.name]}."
            )
        wanted[given.name] = TYPES[given.type]
    if "observation" not in wanted:
        raise PlayerError(f"player onnx: {path} has no input 'observation'.")
    outputs = [output.name for output in session.get_outputs()]
    if len(outputs) > 1 and "logits" not in outputs:
        raise PlayerError(f"player onnx: {path} has the outputs {', '.join(outputs)}; name one 'logits'.")
    output = "logits" if "logits" in outputs else outputs[0]

    def logits(observation: NDArray[np.int8], mask: NDArray[np.int8]) -> NDArray[np.floating]:
        seen = {"observation": observation, "action_mask": mask}
        given: dict[str, NDArray[Any]] = {name: seen[name].astype(kind) for name, kind in wanted.items()}
        said: NDArray[np.floating] = session.run([output], given)[0]
        return said

    return logits


def fits(shape: Sequence[Any], width: int) -> bool:
    """Whether a shape is N by ``width``; a size that is a name or nothing stands for any number."""
    sizes = [size if isinstance(size, int) else None for size in shape]
    return sizes in ([None, width], [None, None])
