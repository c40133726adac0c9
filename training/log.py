"""What a run reports: scalars and remarks for TensorBoard, each named and explained in one table.

``METRICS`` is the only place where a metric gets its name and meaning; the documentation and the run's own
text tab in TensorBoard are made from it, and a metric that is not in it is refused.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

# A name that ends in "*" stands for all metrics that begin like it.
METRICS: dict[str, str] = {
    "clone/loss_auction": "cross-entropy with the teacher's calls, in nats",
    "clone/loss_cards": "cross-entropy with the teacher's cards, in nats",
    "clone/agreement_auction": "share of calls where the likeliest one is the teacher's",
    "clone/agreement_cards": "share of plays where the likeliest card is the teacher's",
    "loss/policy": "the clipped policy loss; its size says little, its sudden growth much",
    "loss/value": "squared error of the critic, in squared reward scales",
    "loss/anchor": "KL divergence of calls from the cloned actor, in nats: how far the auction has moved",
    "entropy/auction": "entropy of calls and naming, as a share of the largest possible",
    "entropy/cards": "entropy of card play, as a share of the largest possible",
    "ppo/kl": "how far the policy moved within the update, in nats",
    "ppo/clip_fraction": "share of decisions whose ratio left the clip range",
    "ppo/minibatches": "minibatches of the update; fewer than planned when target_kl ended it",
    "ppo/lr": "Adam's step size",
    "value/explained_variance": "share of the variance of payoffs that the critic explains",
    "mix/*": "share of the deals of the iteration played in this contract, or thrown_in",
    "made/*": "share of this contract's deals that the declaring side made",
    "play/revokes": "where revokes are possible: share of the plays that could have followed suit and did not",
    "speed/decisions": "decisions learnt from a second, matches not counted",
    "speed/deals": "deals played a second, matches not counted",
    "match/*": "units a deal of the greedy policy in one seat against this player in the other three",
    "match_low/*": "lower end of the 95 % interval of match/*",
    "match_high/*": "upper end of the 95 % interval of match/*",
}


def meaning(name: str) -> str:
    """What the metric ``name`` says.

    Raises:
        KeyError: ``METRICS`` does not have it.
    """
    return METRICS[name] if name in METRICS else METRICS[name.partition("/")[0] + "/*"]


def markdown_table() -> str:
    """The metrics as Markdown."""
    return "\n".join(["| metric | meaning |", "|---|---|", *(f"| `{n}` | {m} |" for n, m in METRICS.items())])


class RunLog:
    """The TensorBoard log of one run; remarks also go to standard error."""

    def __init__(self, run_dir: Path, purge_from: int | None = None) -> None:
        """Open the log in ``run_dir``; a resumed run drops what was logged from step ``purge_from`` on."""
        from torch.utils.tensorboard import SummaryWriter  # takes seconds to import

        self._writer = SummaryWriter(str(run_dir), purge_step=purge_from)

    def scalars(self, values: Mapping[str, float], step: int) -> None:
        """Log metrics by name; a step is a decision learnt from."""
        for name, value in values.items():
            meaning(name)  # refuses a metric that nobody explained
            self._writer.add_scalar(name, value, step)

    def text(self, name: str, text: str, step: int) -> None:
        """Put Markdown into the text tab."""
        self._writer.add_text(name, text, step)

    def warn(self, sentence: str, step: int) -> None:
        """Say a warning on standard error and keep it in the text tab."""
        from tqdm import tqdm

        tqdm.write(f"warning: {sentence}", file=sys.stderr)  # leaves the progress bar whole
        self.text("run/warnings", sentence, step)

    def close(self) -> None:
        """Write out what is buffered."""
        self._writer.close()
