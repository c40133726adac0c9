"""Rulesets: loading, overriding, refusing."""

from __future__ import annotations

import pickle
from importlib import resources

import pytest

from solo_env.rules import RulesetError, load_ruleset, pack, shipped_rulesets, worst_payoff
from solo_env.signature import signature

SIGNATURES = {"pagat": "b7ae55f1"}  # changes when the engine's behaviour does; the commit must say so


def test_the_default_is_pagat_and_it_ships():
    assert load_ruleset().name == "pagat"
    assert shipped_rulesets()[0] == "pagat"


@pytest.mark.parametrize("name", shipped_rulesets())
def test_the_signature_is_the_published_one(name):
    assert signature(load_ruleset(name)) == SIGNATURES[name]


def test_a_name_with_overrides_reads_back_to_the_same_ruleset():
    ruleset = load_ruleset('pagat+pay.base.MIS=3+play.stop="never"+deal.packets=[4,3,3,3]')
    assert load_ruleset(ruleset.name) == ruleset
    assert ruleset.pay.base["MIS"] == 3
    assert ruleset.deal.packets == (4, 3, 3, 3)
    assert load_ruleset("pagat+pay.base.MIS=2").name == "pagat"


def test_a_file_names_its_base_and_gives_what_differs(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text('base = "pagat"\n[pay.base]\nMIS = 5\n', encoding="utf-8")
    ruleset = load_ruleset(str(path))
    assert ruleset.name == "pagat+pay.base.MIS=5"
    assert ruleset.pay.base["SOLO"] == 1


def test_rulesets_pickle_hash_and_do_not_change():
    ruleset = load_ruleset()
    assert pickle.loads(pickle.dumps(ruleset)) == ruleset
    assert hash(pickle.loads(pickle.dumps(ruleset))) == hash(ruleset)
    with pytest.raises(TypeError):
        ruleset.pay.base["MIS"] = 9
    with pytest.raises(AttributeError):
        ruleset.name = "other"


@pytest.mark.parametrize(
    "override",
    [
        "pay.base.MIS=3",
        "pay.over.SOLO=1",
        "pay.under.ABU=1",
        'play.stop="never"',
        'contract.leader.MIS="caller"',
        "contract.targets.SOLO=6",
        "deal.packets=[4,3,3,3]",
        'auction.ladder=["PROP","SOLO","ABU","ABT","MIS","OUV","DECL"]',
    ],
)
def test_every_key_acts(override):
    assert signature(load_ruleset(f"pagat+{override}")) != signature(load_ruleset("pagat"))


def test_the_worst_payoff_is_a_lost_abundance_declared():
    assert worst_payoff(load_ruleset()) == 18
    assert worst_payoff(load_ruleset("pagat+pay.under.SOLO=10")) == 3 * (1 + 10 * 5)


def test_every_key_of_the_shipped_files_names_its_clause():
    for name in shipped_rulesets():
        for line in (resources.files("solo_env.rules") / f"{name}.toml").read_text("utf-8").splitlines():
            if line.startswith("[") or " = [" in line or line.startswith("stop"):
                section_has_keys = line.strip("[]") in ("deal", "auction", "play")
                assert "# " in line or section_has_keys, f"{name}: {line}"


@pytest.mark.parametrize(
    ("ruleset", "said"),
    [
        ("bridge", "no ruleset 'bridge'; shipped are pagat"),
        ("pagat+colour=1", "unknown key 'colour'"),
        ("pagat+pay.bse.MIS=1", "unknown key pay.bse"),
        ("pagat+pay.base.MUS=1", "'MUS', which is no contract"),
        ("pagat+pay.base.MIS=-1", "pay.base.MIS is -1"),
        ("pagat+pay.base.MIS=1.5", "pay.base.MIS is 1.5"),
        ("pagat+pay.base.MIS=500", "whole number from 0 to 120"),
        ("pagat+pay.base.MIS", "is not key=value"),
        ("pagat+pay.over.MIS=1", "MIS ends as soon as it is decided"),
        ("pagat+pay=1", "'pay' must be a table"),
        ('pagat+auction.ladder=["SOLO","SOLO"]', "names a call twice"),
        ('pagat+auction.ladder=["SOLO","ABT"]', "may only be called over ABU"),
        ('pagat+auction.ladder=["COP"]', "'COP', which is no rung"),
        ('pagat+auction.ladder=["PROP","PETIT"]', "no price for PETIT"),
        ("pagat+auction.ladder=[]", "a list of calls"),
        ("pagat+deal.packets=[3,3,3,3]", "add up to 13"),
        ("pagat+contract.targets.SOLO=14", "from 1 to 13"),
        ('pagat+contract.leader.SOLO="dealer"', "'eldest', 'caller'"),
        ('pagat+play.stop="soon"', "play.stop is 'soon'"),
        ("missing.toml", "cannot be read"),
        (7, "named by a string"),
    ],
)
def test_broken_rulesets_are_refused_with_a_sentence(ruleset, said):
    with pytest.raises(RulesetError, match=said):
        load_ruleset(ruleset)


def test_a_file_that_is_no_toml_is_refused(tmp_path):
    path = tmp_path / "bad.toml"
    path.write_text("this is not toml", encoding="utf-8")
    with pytest.raises(RulesetError, match="is not TOML"):
        load_ruleset(str(path))
    path.write_text('base = "bridge"', encoding="utf-8")
    with pytest.raises(RulesetError, match="base 'bridge' is no shipped ruleset"):
        load_ruleset(str(path))


def test_packing_is_what_the_file_says():
    rules = pack(load_ruleset())
    assert rules["rank"].tolist() == [0, 1, 2, 3, 4, -1, 5, 6, -1, -1]
    assert rules["base"].tolist()[:5] == [1, 1, 2, 3, 3]
    assert rules["stops"].tolist() == [0, 0, 1, 0, 0, 0, 1, 1, 1, 1]
