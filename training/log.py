"""What a run reports: metrics, matches and events, for TensorBoard and for its own report.

``METRICS`` is the only place where a metric gets its name and meaning; the documentation, the report and the run's
own text tab in TensorBoard are made from it, and a metric that is not in it is refused. The same numbers stand in
``history.jsonl``, a line for each iteration, match and event, from which the report is made.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from solo_env.evaluation.match import MatchResult
from solo_env.files import write_whole

if TYPE_CHECKING:  # checkpoints need torch, and the report, which reads the meanings here, does not
    from training.checkpoint import Progress

# A name that ends in "*" stands for all metrics that begin like it.
METRICS: dict[str, str] = {
    "clone/loss_auction": "cross-entropy with the teacher's calls, in nats",
    "clone/loss_cards": "cross-entropy with the teacher's cards, in nats",
    "clone/agreement_auction": "share of calls where the likeliest one is the teacher's",
    "clone/agreement_cards": "share of plays where the likeliest card is the teacher's",
    "loss/policy": "the policy's loss: PPO's, or, played out, less the weighted mean worth of what it does",
    "loss/value": "cross-entropy of the critic's distribution of payoffs, in nats (vrpo: squared error)",
    "magnet/auction": "KL divergence of calls from the average of the actor's weights, in nats",
    "magnet/cards": "the same of cards, where they are held too",
    "advice/kl": "KL divergence of calls from what the bidder expects of them, in nats",
    "watch/anchors": "the watchdog's factor on the anchors; 1 while the mix of contracts is sound",
    "entropy/auction": "entropy of calls and naming, as a share of the largest possible",
    "entropy/cards": "entropy of card play, as a share of the largest possible",
    "ppo/kl": "how far the policy moved within the update, in nats",
    "ppo/clip_fraction": "share of decisions whose ratio left the clip range",
    "ppo/minibatches": "minibatches of the update; fewer than planned when target_kl ended it",
    "ppo/lr": "Adam's step size",
    "value/explained_variance": "share of the variance of payoffs that the critic explains",
    "mix/*": "share of the learner's own auctions that ended in this contract, or thrown_in",
    "made/*": "share of this contract's deals that the declaring side made, its auction the learner's own",
    "calls/told/*": "chance of a gain that the critic tells at the declarer's first card, by contract",
    "calls/made/*": "share of these deals that did gain",
    "calls/deals/*": "these deals, all shards together",
    "play/revokes": "where revokes are possible: share of the plays that could have followed suit and did not",
    "speed/decisions": "decisions learnt from a second, of all processes, matches not counted",
    "speed/deals": "deals played a second, matches not counted",
    "speed/playing": "share of the time in which deals are played, not learnt from",
    "match/*": "units a deal of the averaged policy, greedy, in one seat against this player in the other three",
    "match_low/*": "lower end of the 95 % interval of match/*",
    "match_high/*": "upper end of the 95 % interval of match/*",
}


def meaning(name: str) -> str:
    """What the metric ``name`` says.

    Raises:
        KeyError: ``METRICS`` does not have it.
    """
    return METRICS[name] if name in METRICS else METRICS[name.rpartition("/")[0] + "/*"]


def markdown_table() -> str:
    """The metrics as Markdown."""
    return "\n".join(["| metric | meaning |", "|---|---|", *(f"| `{n}` | {m} |" for n, m in METRICS.items())])


class RunLog:
    """The log of one run, kept by the process that leads.

    Args:
        run_dir: the folder of the run.
        hours: tells the hours of the run so far.
        purge_from: a resumed run drops what was logged from this step on.
    """

    def __init__(self, run_dir: Path, hours: Callable[[], float], purge_from: int | None = None) -> None:
        from torch.utils.tensorboard import SummaryWriter  # takes seconds to import

        self._hours = hours
        self._writer = SummaryWriter(str(run_dir), purge_step=purge_from)
        path = run_dir / "history.jsonl"
        kept = "" if purge_from is None else _lines_before(path, purge_from)
        write_whole(path, kept.encode())
        self._history = path.open("a", encoding="utf-8")

    def begin(self, config: str, reference: Mapping[str, Any]) -> None:
        """Note the configuration (TOML) and the teacher's mix and made rates."""
        self._write({"run": {"config": config, "reference": reference}})
        self._writer.add_text("run/config", f"```toml\n{config}```", 0)
        self._writer.add_text("run/metrics", markdown_table(), 0)

    def scalars(self, values: Mapping[str, float], progress: Progress) -> None:
        """Log metrics of an iteration by name; a step is a decision learnt from."""
        for name, value in values.items():
            meaning(name)  # refuses a metric that nobody explained
            self._writer.add_scalar(name, value, progress.total)
        rounded = {name: float(f"{value:.6g}") for name, value in values.items()}
        self._write(self._when(progress) | {"iteration": progress.iteration, "metrics": rounded})

    def match(self, spec: str, result: MatchResult, progress: Progress) -> None:
        """Log a match on ``dev`` against the player ``spec``."""
        low, high = result.ci95 or (result.mean_units, result.mean_units)
        for name, value in (("match", result.mean_units), ("match_low", low), ("match_high", high)):
            self._writer.add_scalar(f"{name}/{spec}", value, progress.total)
        found = {"spec": spec, "deals": result.deals, "mean": result.mean_units, "low": low, "high": high}
        self._write(self._when(progress) | {"match": found})

    def event(self, sentence: str, progress: Progress) -> None:
        """Log a remark."""
        self._writer.add_text("run/events", sentence, progress.total)
        self._write(self._when(progress) | {"event": sentence})

    def _when(self, progress: Progress) -> dict[str, Any]:
        return {"step": progress.total, "hours": round(self._hours(), 5), "stage": progress.stage}

    def _write(self, line: Mapping[str, Any]) -> None:
        self._history.write(json.dumps(line) + "\n")

    def flush(self) -> None:
        """Write out what is buffered; done with every checkpoint."""
        self._writer.flush()
        self._history.flush()

    def close(self) -> None:
        """Write out what is buffered, and close."""
        self._writer.close()
        self._history.close()


def _lines_before(path: Path, step: int) -> str:
    """The lines of a history up to a step; a line that was cut short when a run was killed is dropped."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError:
        return ""
    kept = []
    for line in lines:
        try:
            at = json.loads(line)
        except ValueError:
            break
        if not isinstance(at, dict) or at.get("step", 0) >= step:
            break
        kept.append(line + "\n")
    return "".join(kept)
