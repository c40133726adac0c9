"""Variants of the recipe: what they change, and tiny ones trained, measured and told."""

from __future__ import annotations

from pathlib import Path

import pytest

from training import ablate
from training.ablate import BASE, VARIANTS, Plan, ablations_table, check_folder, folder_of, measure, train_all
from training.config import STAGES, Config, differences, load_config

TINY = (
    "evaluate.every=0",
    "evaluate.final_deals=2",
    "ground.decisions=0",
    "clone.decisions=1",
    "cards.decisions=0",
    "joint.decisions=1",
    "settle.decisions=0",
)


def budget(config: Config) -> float:
    """Decisions, those that are played out as many as take their time."""
    cards = config.cards.decisions * (ablate.PER_PLAYED_OUT if config.cards.playouts else 1)
    return cards + sum(getattr(config, stage).decisions for stage in STAGES if stage != "cards")


def test_every_variant_changes_what_it_says_and_takes_about_the_same_time() -> None:
    plan = Plan("ablation")
    base = plan.config(BASE, 1)
    changed = {
        variant: {change.split(" ")[0] for change in differences(base, plan.config(variant, 1))}
        for variant in VARIANTS
    }
    assert changed == {
        "base": set(),
        "no-cloning": {"clone.decisions", "clone.auction_weight", "joint.decisions"},
        "no-play-outs": {"cards.playouts", "cards.decisions"},
        "no-ppo": {"cards.decisions", "joint.decisions", "settle.decisions"},
        "not-counted": {"net.blocks"},
        "no-anchors": {
            *(f"{stage}.{name}" for stage in ("joint", "settle") for name in ("magnet", "magnet_end")),
            "joint.advice", "watch.factor",
        },
        "view-critic": {"net.critic_sees"},
        "no-snapshots": {"opponents.snapshots"},
        "gae-0.95": {"ppo.lambda_auction", "ppo.lambda_cards"},
        "vrpo": {"ppo.estimator"},
    }  # fmt: skip
    assert {budget(plan.config(variant, 1)) for variant in VARIANTS} == {budget(base)}
    assert base.joint.decisions > 0  # else what is of PPO alone would change nothing
    assert plan.config("vrpo", 2).run.seed == 2
    assert len(plan.runs) == 30


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> tuple[Plan, Path]:
    plan = Plan("smoke", TINY, (BASE, "view-critic"), (1,), 12)
    out = tmp_path_factory.mktemp("ablations")
    train_all(plan, out, 2, lambda _: None)
    return plan, out


def test_what_is_finished_is_not_trained_again(trained: tuple[Plan, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    plan, out = trained
    monkeypatch.setattr(ablate, "train_one_run", lambda *_: pytest.fail("a finished run was trained again"))
    train_all(plan, out, 1, lambda _: None)
    found = ablate.load_config(folder_of(out, "view-critic", 1) / "config.toml")
    assert found.net.critic_sees == "view"


def test_a_folder_of_other_runs_is_refused(trained: tuple[Plan, Path]) -> None:
    plan, out = trained
    other = Plan(plan.base, (*TINY, "ppo.clip=0.3"), plan.variants, plan.seeds, plan.deals)
    with pytest.raises(ablate.AblationError, match=r"base-1 holds another run: ppo.clip \(0.15, 0.3\)"):
        train_all(other, out, 1, lambda _: None)
    check_folder(out / "nothing", load_config("smoke"))


def test_runs_that_fail_are_named_when_the_others_are_done(tmp_path: Path) -> None:
    plan = Plan("smoke", (*TINY, "clone.teacher=nobody"), (BASE,), (1,), 12)
    said: list[str] = []
    with pytest.raises(ablate.AblationError, match=r"1 runs failed: base, seed 1: .*there is no player 'nobody'"):
        train_all(plan, tmp_path, 1, said.append)
    assert len(said) == 1


def test_each_variant_has_its_units_its_distance_from_the_base_and_its_hours(trained: tuple[Plan, Path]) -> None:
    plan, out = trained
    content = measure(plan, out)
    assert measure(plan, out) == content  # from what is kept
    rows = {row["variant"]: row for row in content["rows"]}
    assert set(rows) == {BASE, "view-critic"}
    base, other = rows[BASE], rows["view-critic"]
    assert base["to_base"] == {"mean": 0, "low": 0, "high": 0}
    assert other["to_base"]["mean"] == pytest.approx(other["units"]["mean"] - base["units"]["mean"], abs=2e-4)
    for row in rows.values():
        assert row["units"]["low"] <= row["units"]["mean"] <= row["units"]["high"]
        assert row["by_seed"] == [pytest.approx(row["units"]["mean"], abs=1e-4)]
        assert 0 <= row["thrown_in"] <= 1
        assert row["hours"] > 0
    table = ablations_table(content)
    assert table.count("\n| `") == 2
    assert f"Best by the mean: `{content['rows'][0]['variant']}`" in table


def test_the_verdict_names_what_is_clearly_better_and_worse() -> None:
    def row(variant: str, mean: float, half: float) -> dict[str, object]:
        return {"variant": variant, "to_base": {"mean": mean, "low": mean - half, "high": mean + half}}

    rows = [row("vrpo", 0.3, 0.2), row(BASE, 0.0, 0.0), row("no-anchors", -0.1, 0.2), row("no-cloning", -0.5, 0.1)]
    assert ablate.verdict(rows) == (
        "Best by the mean: `vrpo`. Clearly better than `base`: `vrpo`. Clearly worse than `base`: `no-cloning`."
    )


def test_the_command_answers_a_mistake_with_a_sentence(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert ablate.main(["--base", "nothing", "--out", str(tmp_path)]) == 2
    assert "there is no configuration 'nothing'" in capsys.readouterr().err
