"""Rulesets: loading, overriding, refusing."""

from __future__ import annotations

import pickle
import re
from importlib import resources

import pytest

from solo_env.rules import RulesetError, RulesetWarning, load_ruleset, pack, shipped_rulesets, worst_payoff
from solo_env.signature import signature

# A signature changes when the engine's behaviour does; the commit that changes one must say so.
SIGNATURES = {
    "pagat": "f66554b4",
    "anna_cubed": "7dce7385",
    "bga": "e3398957",
    "everything2": "f8d73eb8",
    "experienced": "de055f73",
    "flat": "ddefa043",
    "grand_slam_solo": "0c2fce08",
    "hoyle": "80efbb9f",
    "margin4": "cc3597d4",
    "margin5": "19266e64",
    "margin6": "31edbc1b",
    "morris_fagelson": "be99175f",
    "one_bid_each": "a7b222c2",
    "straight": "2777839d",
    "wikipedia": "b16dc31d",
}


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
    for name in (
        'pagat+contract.leader.DECL="eldest"',
        "hoyle+pay.under.SOLO=0",
        'pagat+contract.leader.default="caller"',
    ):
        assert load_ruleset(name).name == name
        assert load_ruleset(load_ruleset(name).name) == load_ruleset(name)


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
    # In a misère that is played right out every trick may be taken, and priced.
    misere = load_ruleset('pagat+pay.under.MIS=1+play.stop="never"')
    assert worst_payoff(misere) == 3 * (2 + 13) == -misere.payoff("MIS", [0], [13, 0, 0, 0])[0]


@pytest.mark.parametrize("name", shipped_rulesets())
def test_every_key_of_a_shipped_file_names_its_clause(name):
    """At its line, or for a table of contracts at the head of the table."""
    head_has_clause = True
    for line in (resources.files("solo_env.rules") / f"{name}.toml").read_text("utf-8").splitlines():
        clause = re.search(r"# \d\.\d+", line)
        if line.startswith("["):
            head_has_clause = bool(clause)
        elif " = " in line and not line.startswith(("#", "title", "base =")):
            assert clause or head_has_clause, line


@pytest.mark.parametrize(
    ("ruleset", "said"),
    [
        ("bridge", "no ruleset 'bridge'; shipped are pagat"),
        ("pagat+", "nothing behind it"),
        ("", "no ruleset is named"),
        ("pagat+auction.ladder=[[1]]", "which is no rung"),
        ("pagat+trump.cycle=[1]", "must be one of C, D, H, S, NT"),
        ("pagat+pay.base=7", "must be a table from contracts"),
        ("pagat+auction.proposals=1", "must be true or false"),
        ('pagat+auction.ladder=["PROP"]+auction.proposals=false', "add a rung"),
        ('pagat+auction.rounds="one"', "set auction.acceptor_may_raise = false"),
        (
            'pagat+auction.ladder=["PROP","MIS"]+auction.unaccepted_prop_raise_to="solo_only"',
            "needs SOLO above PROP",
        ),
        ('pagat+deal.packets="rotating_4_by_deal"', "goes with concealed trumps"),
        ('pagat+pay.slam_double=["SOLO"]', "no price in pay.over to double"),
        ("pagat+pay.scale=100", "after pay.scale"),
        ("pagat+contract.targets.DECL=12", "make it 13"),
        ("pagat+contract.targets.MIS=3", "asks for no trick"),
        ('pagat+play.stop="never"+contract.targets.OUV=3', "asks for no trick"),
        ('pagat+deal.goulash.packets="rotating_4_by_deal"', "goes with concealed trumps"),
        (
            'pagat+auction.abt_call="any_time"+auction.ladder=["ABT"]+trump.source="cycle"+trump.cycle=["NT"]',
            "nothing could ever be called",
        ),
        ('pagat+pay.over.PC=1+pay.slam_double=["PC","PC"]', "names a contract twice"),
        ('pagat+title="x"', "one key of a section"),
        ("pagat+pay.unit=2\npay.base.MIS=1", "one key of a section"),
        ('pagat+auction.ladder=["PROP","ABT","ABU"]', "below ABU"),
        ('pagat+play.stop="never"+pay.over.MIS=1', "MIS has none"),
        ('pagat+passout.mode="again"', "passout.mode is 'again'"),
        ([], "named by a string"),
        ("pagat+colour=1", "unknown key 'colour'"),
        ("pagat+pay.bse.MIS=1", "unknown key pay.bse"),
        ("pagat+pay.base.MUS=1", "'MUS', which is no contract"),
        ("pagat+pay.base.MIS=-1", "pay.base.MIS is -1"),
        ("pagat+pay.base.MIS=1.5", "pay.base.MIS is 1.5"),
        ("pagat+pay.base.MIS=500", "whole number from 0 to 120"),
        ("pagat+pay.base.MIS", "is not key=value"),
        ("pagat+pay.over.DECL=1", "DECL ends as soon as it is decided"),
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


def test_prices_that_fall_along_the_ladder_get_a_warning():
    with pytest.warns(RulesetWarning, match="MIS outranks SOLO and pays less"):
        load_ruleset("pagat+pay.base.SOLO=3")


def test_rules_that_say_the_same_are_equal_and_have_one_name():
    assert load_ruleset("pagat+pay.over.PC=0") == load_ruleset("pagat")
    assert load_ruleset("pagat+pay.over.PC=0").name == "pagat"
    assert load_ruleset('hoyle+contract.leader.PC="eldest"') == load_ruleset("hoyle")


def test_a_mistake_in_a_file_names_the_file(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_bytes("\ufeffcolour = 1\n".encode())
    with pytest.raises(RulesetError, match=r"mine\.toml: .* unknown key 'colour'; there are base, title"):
        load_ruleset(str(path))
    path.write_text('title = "a\\nb"\n', encoding="utf-8")
    with pytest.raises(RulesetError, match="printable"):
        load_ruleset(str(path))


def test_an_edited_file_is_read_again(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text("[pay.base]\nMIS = 3\n", encoding="utf-8")
    assert load_ruleset(str(path)).pay.base["MIS"] == 3
    path.write_text("[pay.base]\nMIS = 4\n", encoding="utf-8")
    assert load_ruleset(str(path)).pay.base["MIS"] == 4


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
    assert rules["rank"].tolist() == [0, 1, 2, 3, 4, -1, 5, 6, -1, -1, -1]
    assert rules["base"].tolist()[:5] == [1, 1, 2, 3, 3]
    assert rules["stops"].tolist() == [0, 0, 1, 0, 0, 0, 1, 1, 1, 1, 0]
