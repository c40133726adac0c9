"""Engine and rulebook agree on sessions: dealer, pack, suit and account go on from deal to deal alike."""

from __future__ import annotations

import pytest

from solo_env import record
from solo_env.rules import load_ruleset, shipped_rulesets
from solo_env.session import SessionFile, read_session, write_session
from tests import rulebook
from tests.twins.variants import played_session

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


def assert_agreement(ruleset_name: str, sessions: int) -> set[str]:
    """The rulebook finds the same in so many sessions; returns the kinds of packs that they had."""
    kinds = set()
    for seed in range(sessions):
        table, lines, told = played_session(load_ruleset(ruleset_name), seed)
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
    table, lines, _ = played_session(load_ruleset(name), 3)
    path = tmp_path / "session.txt"
    write_session(path, [record.parse(line) for line in lines])
    read: SessionFile = read_session(path)
    assert [str(game) for game in read.games] == lines
    assert read.damage == ()
    assert read.account == table.account
