"""Every player plays every ruleset, without an illegal action and with units that sum to zero."""

from __future__ import annotations

import pytest

from solo_env.evaluation import play_match
from solo_env.player import NEED_MORE, make_player, player_names
from solo_env.rules import shipped_rulesets

SETS = [
    *shipped_rulesets(),
    'pagat+passout.mode="fewest"',
    'pagat+passout.mode="last_trick"+passout.include_unaccepted_prop=true',
    'pagat+contract.abu_suit_time="with_call"+auction.raise_own_call=true',
    "pagat+contract.abu_may_choose_turned=false",
    'pagat+contract.decl_trumps="turned_suit"',
]


ELSEWHERE = {"ppo"} | NEED_MORE  # a player trained on one ruleset, and those of a program or a file


# A match asks each player and refuses what is illegal; its deals are played four times, so 5,000 are 20,000.
@pytest.mark.parametrize("deals", [60, pytest.param(5000, marks=pytest.mark.long)], ids=["quick", "long"])
@pytest.mark.parametrize("ruleset", SETS)
@pytest.mark.parametrize("name", sorted(set(player_names()) - ELSEWHERE))
def test_a_player_plays_it(name, ruleset, deals):
    result = play_match(make_player(name, ruleset), make_player("random", ruleset), ruleset, deals=deals, seed=4)
    against_itself = play_match(make_player(name, ruleset), make_player(name, ruleset), ruleset, deals=10)
    assert against_itself.mean_units == 0
    assert result.tables == 4 * deals


@pytest.mark.parametrize("ruleset", shipped_rulesets())
def test_the_novice_beats_random_calls_and_cards_under_every_set(ruleset):
    result = play_match(make_player("novice", ruleset), make_player("random", ruleset), ruleset, deals=300, seed=2)
    assert result.ci95[0] > 0
