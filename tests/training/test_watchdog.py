"""The watchdog."""

from __future__ import annotations

import pytest

from training.checkpoint import Progress
from training.config import Watch
from training.watchdog import watch

TEACHER = {"PC": 0.5, "SOLO": 0.35, "MIS": 0.04, "OUV": 0.003, "thrown_in": 0.107}
SOUND = {"PC": 0.4, "SOLO": 0.4, "MIS": 0.03, "OUV": 0.0, "thrown_in": 0.17}
WATCH = Watch(patience=4, factor=2.0, most=5.0)


def mixed(**shares: float) -> dict[str, float]:
    return SOUND | shares


def test_a_sound_mix_moves_nothing_however_rare_the_rarest_contract() -> None:
    progress = Progress()
    for _ in range(20):
        assert watch(progress, SOUND, 1000, TEACHER, WATCH) is None
    assert progress.factor == 1.0
    assert progress.mix == pytest.approx(SOUND)


@pytest.mark.parametrize(
    ("mix", "clause"),
    [
        (mixed(thrown_in=0.98), "98.0% of the deals are thrown in, 10.7% by the teacher"),
        (mixed(MIS=0.001), "MIS is played in 0.10% of the deals, in 4.00% by the teacher"),
    ],
)
def test_a_drift_raises_the_anchors_and_says_why(mix: dict[str, float], clause: str) -> None:
    progress = Progress()
    said = watch(progress, mix, 1000, TEACHER, WATCH)
    assert said is not None
    assert clause in said
    assert "The anchors weigh 2 times" in said
    assert progress.factor == 2.0


def test_without_anchors_a_drift_is_told_and_nothing_is_raised() -> None:
    progress = Progress()
    said = [watch(progress, mixed(thrown_in=0.9), 1000, TEACHER, WATCH, anchored=False) for _ in range(5)]
    assert [sentence is not None for sentence in said] == [True, False, False, False, True]
    assert "90.0% of the deals are thrown in" in str(said[0])
    assert "No anchor holds it in this stage." in str(said[0])
    assert progress.factor == 1.0


def test_the_anchors_are_raised_once_in_its_patience_and_up_to_a_limit() -> None:
    progress = Progress()
    factors = []
    for _ in range(13):
        watch(progress, mixed(thrown_in=0.9), 1000, TEACHER, WATCH)
        factors.append(progress.factor)
    assert factors == [2.0] * 4 + [4.0] * 4 + [5.0] * 5


def test_one_odd_iteration_is_no_drift_and_the_anchors_go_back_when_the_mix_is_sound() -> None:
    progress = Progress(mix=dict(SOUND))
    assert watch(progress, mixed(thrown_in=0.3), 1000, TEACHER, WATCH) is None
    progress.factor = 3.0
    said = watch(progress, SOUND, 1000, TEACHER, WATCH)
    assert said == "the auction is sound again: the anchors weigh 1.5 times what they did at first."
    for _ in range(4):
        watch(progress, SOUND, 1000, TEACHER, WATCH)
    assert progress.factor == 1.0


def test_few_deals_thrown_in_are_no_alarm_where_the_teacher_throws_in_none() -> None:
    teacher = TEACHER | {"thrown_in": 0.0}
    assert watch(Progress(), mixed(thrown_in=0.04), 1000, teacher, WATCH) is None
    assert watch(Progress(), mixed(thrown_in=0.06), 1000, teacher, WATCH) is not None


def test_a_contract_is_missed_only_when_enough_deals_were_played() -> None:
    assert (
        watch(Progress(), SOUND, 1600, TEACHER, WATCH) is None
    )  # the teacher would play OUV 19 times in four such
    said = watch(Progress(), SOUND, 1700, TEACHER, WATCH)
    assert said is not None
    assert "OUV is played in 0.00% of the deals, in 0.30% by the teacher" in said
