"""Engine and rulebook agree on sessions: dealer, pack, suit and account go on from deal to deal alike."""

from __future__ import annotations

import random

import pytest
from solo_env.session import SessionFile, read_session, write_session

from solo_env import actions
from solo_env.rules import load_ruleset, shipped_rulesets
from solo_env.table import Table
from tests import rulebook

N_DEALS = 12
PACKS = ("shuffled", "gathered", "goulash")

# One of every kind of carrying over that no shipped set has.
BARELY = '+deal.shuffle="barely"+deal.reshuffle_after="never"'
OTHERS = [
    'pagat+passout.mode="goulash"',
    'pagat+passout.mode="goulash"+passout.include_unaccepted_prop=true+deal.dealer_after_passout="same"',
    'pagat+passout.mode="goulash"+deal.goulash={packets=[4,3,3,3],stack="random",sort_hands=false,cut=false}',
    'pagat+deal.dealer_after_passout="same"',
    f"pagat{BARELY}",
    f'pagat{BARELY}+deal.gather="piles_by_seat"+deal.cut=false',
    f'wikipedia{BARELY}+deal.gather="single_pile"+passout.mode="fewest"',
    'hoyle+deal.shuffle="barely"+deal.reshuffle_after="abu_or_better_won"+passout.mode="goulash"',
    'everything2+play.revokes="possible"',
    'anna_cubed+deal.packets="rotating_4_by_deal"+trump.cycle_advance="every_deal"',
    'pagat+trump.source="second_pack_cut"',
]
CARRYING = [*shipped_rulesets(), *OTHERS]


def play_session(ruleset_name: str, seed: int) -> tuple[Table, list[str], list[tuple[str, int, int]]]:
    """A session of random calls, many of them passes, and cards; its lines; pack, dealer, cycle place of each."""
    rng = random.Random(f"{ruleset_name} {seed}")
    table = Table(load_ruleset(ruleset_name))
    table.deal(seed, deals=N_DEALS)
    lines, told = [], []
    passing = rng.choice([0.5, 0.8, 0.95])
    while True:
        data = table.data
        told.append((PACKS[data["pack_kind"]], int(data["dealer"]), int(data["cycle_place"])))
        while not table.over:
            legal = table.legal_actions()
            quiet = actions.PASS in legal and rng.random() < passing
            table.apply(actions.PASS if quiet else rng.choice(legal))
        lines.append(table.record())
        if table.session_over:
            return table, lines, told
        table.next_deal()


def assert_agreement(ruleset_name: str, sessions: int) -> set[str]:
    """The rulebook finds the same in so many sessions; returns the kinds of packs that they had."""
    kinds = set()
    for seed in range(sessions):
        table, lines, told = play_session(ruleset_name, seed)
        result = rulebook.replay_session(lines)
        assert result.account == list(table.account), lines
        for deal, (pack, dealer, place) in zip(result.deals, told, strict=True):
            assert (deal.pack, deal.dealer) == (pack, dealer), lines
            assert not deal.places or place in deal.places, lines
            kinds.add(pack)
    return kinds


@pytest.mark.parametrize("sessions", [5, pytest.param(200, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", CARRYING)
def test_sessions_go_on_as_the_rulebook_says(name, sessions):
    kinds = assert_agreement(name, sessions)
    ruleset = load_ruleset(name)
    assert ("gathered" in kinds) == (ruleset.deal.shuffle == "barely")
    assert ("goulash" in kinds) == (ruleset.passout.mode == "goulash")


@pytest.mark.parametrize("name", ["bga", "anna_cubed", OTHERS[0]])
def test_the_file_of_a_session_replays_to_the_same_account(name, tmp_path):
    table, lines, _ = play_session(name, 3)
    path = tmp_path / "session.txt"
    write_session(path, [Table.from_record(line).record_of_game() for line in lines])
    read: SessionFile = read_session(path)
    assert [str(game) for game in read.games] == lines
    assert read.damage == ()
    assert read.account == table.account
