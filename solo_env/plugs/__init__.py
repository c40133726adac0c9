"""Ways into other people's toolkits, a file each; nothing of a toolkit is imported before it is used.

| file | toolkit |
|---|---|
| `sb3` | Stable-Baselines3 with sb3-contrib's `MaskablePPO` |
| `rllib` | Ray RLlib, its new API stack |
| `torchrl` | TorchRL |
| `openspiel` | OpenSpiel |
| `minari` | Minari |
| `onnx` | policies as ONNX files, of whatever toolkit |
| `tokens` | the history of a deal as a sequence of tokens |

What the toolkits have in common stands in `policy`: a player that asks a function of observations and masks.
"""
