from __future__ import annotations

import shutil
import tomllib
from pathlib import Path

import pytest

from training import config as config_module
from training.config import (
    SECTIONS,
    STAGES,
    Config,
    ConfigError,
    SelfPlay,
    as_dict,
    as_toml,
    build_config,
    config_path,
    differences,
    load_config,
    markdown_table,
    options,
)

CONFIGS = Path(__file__).resolve().parents[2] / "configs"


@pytest.mark.parametrize("name", sorted(file.stem for file in CONFIGS.glob("*.toml")))
def test_a_shipped_configuration_loads_by_name(name: str) -> None:
    config = load_config(name)
    for section, told in tomllib.loads((CONFIGS / f"{name}.toml").read_text(encoding="utf-8")).items():
        for key, value in told.items():
            held = getattr(getattr(config, section), key)
            assert (list(held) if isinstance(held, tuple) else held) == value


def test_a_configuration_survives_toml_and_plain_dicts() -> None:
    config = load_config("quick", ["joint.lr=1e-4", "net.actor=[7, 9]", "run.seed=12"])
    assert build_config(tomllib.loads(as_toml(config))) == config
    assert build_config(as_dict(config)) == config
    assert config.net.actor == (7, 9)


def test_an_override_takes_toml_or_a_bare_word() -> None:
    config = load_config("smoke", ["joint.lr=1e-4", "ppo.estimator=vrpo", 'clone.teacher="pass"'])
    assert (config.joint.lr, config.ppo.estimator, config.clone.teacher) == (1e-4, "vrpo", "pass")


def test_every_option_has_a_meaning() -> None:
    assert all(option.meaning.endswith(".") for option in options())
    assert len(options()) == sum(len(part) for part in as_dict(Config()).values())
    assert markdown_table().count("\n") == len(options()) + 1


def test_differences_name_the_options() -> None:
    changed = load_config("smoke", ["ppo.clip=0.3"])
    assert differences(load_config("smoke"), changed) == ["ppo.clip (0.15, 0.3)"]


@pytest.mark.parametrize(
    ("override", "sentence"),
    [
        ("joint.lr=0", "joint.lr is 0; it must be a number above 0 and at most 1."),
        ("joint.lr=nan", "joint.lr is nan; it must be a number above 0 and at most 1."),
        ('joint.lr="big"', "joint.lr is 'big'; it must be a number above 0 and at most 1."),
        ("joint.epochs=1.5", "joint.epochs is 1.5; it must be a whole number from 1 to 100."),
        ("joint.epochs=true", "joint.epochs is True; it must be a whole number from 1 to 100."),
        ("ppo.estimator=step", "ppo.estimator is 'step'; it must be one of gae, vrpo."),
        ("ppo.leraning=1", "there is no option ppo.leraning; ppo has ppo.minibatch, ppo.clip, "),
        (
            "pop.lr=1",
            "there is no section 'pop'; the sections are run, net, ground, clone, cards, joint, settle, ppo, ",
        ),
        ("net.actor=3", "net.actor is 3; it must be a list of layer widths."),
        ("net.size=huge", "net.size is 'huge'; it must be one of small, base, large."),
        (
            "joint.forced=0.7",
            "joint.forced, joint.taught and joint.bidder are shares of the deals; together they must",
        ),
        (
            "opponents.players=0.9",
            "opponents.snapshots and opponents.players are shares of the deals; together they",
        ),
        (
            "opponents.fixed=[]",
            "opponents.fixed names no player; name one, or set opponents.players and what the stages have as alone "
            "to 0.",
        ),
        ("run.deals=33", "run.deals is 33; it must be a multiple of run.shards, 2."),
        ("cards.deals=33", "cards.deals is 33; it must be a multiple of run.shards, 2."),
        ("net.actor=[0]", "net.actor is [0]; a layer width is a whole number from 1 to 8192."),
        ('net.blocks=["hnad"]', "net.blocks names 'hnad', which is no block; they are hand, played, "),
        ('net.blocks=["hand","hand"]', "net.blocks names something twice"),
        ("net.blocks=hand", "net.blocks is 'hand'; it must be a list of names in quotes."),
        ("run.ruleset=chess", "run.ruleset is 'chess': there is no ruleset 'chess'"),
        ("joint.lr", "the override 'joint.lr' is not section.key=value, such as joint.lr=1e-4."),
    ],
)
def test_a_mistake_is_answered_with_a_sentence(override: str, sentence: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load_config("smoke", ["joint.taught=0.4", override])
    assert str(caught.value).startswith(sentence)
    assert str(caught.value).endswith(".")


def test_files_that_are_no_configuration_are_refused(tmp_path: Path) -> None:
    with pytest.raises(
        ConfigError,
        match=r"'quik'; shipped are ablation, cast, gate, quick, revokes, smoke, standard",
    ):
        load_config("quik")
    broken = tmp_path / "broken.toml"
    broken.write_text("[ppo\n")
    with pytest.raises(ConfigError, match="is not TOML"):
        load_config(broken)
    broken.write_text("ppo = 3\n")
    with pytest.raises(ConfigError, match="ppo is 3; it must be a section of keys"):
        load_config(broken)
    with pytest.raises(ConfigError, match="ppo is 3; it must be a section of keys"):
        load_config(broken, ["ppo.clip=0.1"])


def test_an_installed_package_finds_its_configurations(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shipped = config_path("smoke")
    package = tmp_path / "site-packages" / "training"
    (package / "configs").mkdir(parents=True)
    shutil.copy(shipped, package / "configs" / "smoke.toml")
    monkeypatch.setattr(config_module, "__file__", str(package / "config.py"))
    assert config_path("smoke") == package / "configs" / "smoke.toml"
    monkeypatch.chdir(tmp_path)
    assert config_path("configs/smoke.toml") == package / "configs" / "smoke.toml"


def test_a_size_names_the_layers_of_both_networks_unless_they_are_given() -> None:
    net = load_config("smoke", ["net.size=base", "net.actor=[]"]).net
    assert net.actor_widths == (512, 512, 512)
    assert net.critic_widths == (32,)


def test_every_stage_is_a_section_in_the_order_of_the_recipe() -> None:
    assert [name for name in SECTIONS if name in STAGES] == list(STAGES)
    assert {name for name, section in SECTIONS.items() if issubclass(section, SelfPlay)} == {
        "cards",
        "joint",
        "settle",
    }


def test_a_part_is_left_only_to_a_player_that_sits_somewhere() -> None:
    learns = "opponents.learns=cards"
    assert load_config("smoke", [learns]).opponents.learns == "cards"
    with pytest.raises(
        ConfigError, match="'cards', but no fixed player sits anywhere who would decide the rest; set"
    ):
        load_config("smoke", [learns, "opponents.players=0"])
