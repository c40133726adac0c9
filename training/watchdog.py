"""The watchdog: is the auction still alive?

Self-play can lose its auction without any loss telling so: everybody passes, or one contract is called on every
hand. So the mix of contracts is held against that of the teacher's self-play. An alarm raises the anchors of the
auction, if it has any, says so, and when the mix is sound again they go back.
"""

from __future__ import annotations

from collections.abc import Mapping

from solo_env.player import Player
from solo_env.rules import Ruleset
from training.checkpoint import Progress
from training.config import Watch
from training.rollout import contract_mix, made_rates, play_whole

THROWN_IN_LEAST = 0.05  # below this share there is no alarm, however few deals the teacher throws in
FEW = 20  # a contract that the teacher would play less often in the deals looked back on says nothing yet
REFERENCE_DEALS, REFERENCE_GAME = 8_000, 9  # what the teacher's mix is measured on


def reference(teacher: Player, ruleset: Ruleset, seed: int) -> dict[str, dict[str, float]]:
    """The teacher's self-play: the share of each contract and of deals thrown in ("mix"), made rates ("made")."""
    tables = play_whole(teacher, ruleset, seed, range(REFERENCE_DEALS), REFERENCE_GAME)
    return {"mix": contract_mix(tables), "made": made_rates(tables)}


def watch(
    progress: Progress, mix: Mapping[str, float], deals: float, teacher: Mapping[str, float], config: Watch, *,
    anchored: bool = True,
) -> str | None:  # fmt: skip
    """Take note of the mix of an iteration, and raise or lower ``progress.factor``; returns what is to be said.

    Args:
        progress: how far the run is; its ``mix``, ``factor`` and ``rest`` are brought up to date.
        mix: shares of the deals whose auction the learner made in this iteration, by contract, and "thrown_in".
        deals: how many these are.
        teacher: shares as in ``mix``, of the teacher.
        config: limits.
        anchored: whether there are anchors; without them a drift is told, and nothing can be raised.
    """
    keep = 1 - 1 / config.patience
    before = progress.mix or dict(mix)
    progress.mix = {name: keep * before[name] + (1 - keep) * share for name, share in mix.items()}
    progress.rest = max(0, progress.rest - 1)
    if progress.rest:
        return None
    faults = _faults(progress.mix, deals * config.patience, teacher, config)
    if faults and not anchored:
        progress.rest = config.patience
        return f"the auction drifts: {'; '.join(faults)}. No anchor holds it in this stage."
    if faults:
        raised = min(config.most, progress.factor * config.factor)
        progress.rest = config.patience
        progress.factor = float(raised)
        return (
            f"the auction drifts: {'; '.join(faults)}. The anchors weigh {raised:.3g} times what they did at first."
        )
    if progress.factor > 1:
        progress.rest = config.patience
        progress.factor = float(max(1.0, progress.factor / config.factor))
        return f"the auction is sound again: the anchors weigh {progress.factor:.3g} times what they did at first."
    return None


def _faults(mix: Mapping[str, float], deals: float, teacher: Mapping[str, float], config: Watch) -> list[str]:
    """What is wrong with the mix of so many deals, as clauses."""
    faults = []
    most = max(config.thrown_in * teacher["thrown_in"], THROWN_IN_LEAST)
    if mix["thrown_in"] > most:
        faults.append(
            f"{mix['thrown_in']:.1%} of the deals are thrown in, {teacher['thrown_in']:.1%} by the teacher"
        )
    for name, share in teacher.items():
        if name != "thrown_in" and share * deals >= FEW and mix[name] < config.least_share * share:
            faults.append(f"{name} is played in {mix[name]:.2%} of the deals, in {share:.2%} by the teacher")
    return faults
