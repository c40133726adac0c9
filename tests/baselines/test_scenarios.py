"""Positions that the literature decides: what the players must play there, each with the reason in a sentence.

A line of ``scenarios.txt``: the cards wanted, who must find one, where it is said (strategy.md by section, lines
of section G of known-faults.md by number), the record, and why. Wanted are cards ("SK"), suits ("S", any card of
it), or what is not to be played ("not H").
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from baselines.club import ClubPlayer
from baselines.expert import ExpertPlayer
from solo_env import actions
from solo_env.cards import SUITS
from solo_env.player import Player
from solo_env.table import Table

PLAYERS = {"expert": ExpertPlayer, "club": ClubPlayer}


class Scenario(NamedTuple):
    """One line of the file."""

    wanted: str
    players: tuple[str, ...]
    references: tuple[str, ...]
    record: str
    why: str

    def is_right(self, card: str) -> bool:
        """Whether a card is one of those wanted."""
        words = self.wanted.removeprefix("not ").split(",")
        named = any(card == word or (word in SUITS and card[0] == word) for word in words)
        return named != self.wanted.startswith("not ")


@cache
def scenarios() -> tuple[Scenario, ...]:
    """All of them, in the order of the file."""
    found = []
    for line in Path(__file__).with_name("scenarios.txt").read_text().splitlines():
        wanted, players, references, record, why = line.split(" | ")
        found.append(Scenario(wanted, tuple(players.split(" ")), tuple(references.split(", ")), record, why))
    return tuple(found)


@cache
def player(name: str, ruleset: str) -> Player:
    return PLAYERS[name](ruleset)


def asked(name: str):
    """The scenarios that a player must pass, as parameters."""
    return [pytest.param(s, id=re.sub(r"\W+", "-", s.why)[:70]) for s in scenarios() if name in s.players]


def check(name: str, scenario: Scenario) -> None:
    table = Table.from_record(scenario.record)
    view = table.view(table.turn)
    card = actions.text(player(name, table.ruleset.name).act(view))
    assert scenario.is_right(card), f"{scenario.why}: {player(name, table.ruleset.name).explain(view)}"


@pytest.mark.parametrize("scenario", asked("expert"))
def test_the_expert_plays_what_the_literature_plays(scenario):
    check("expert", scenario)


@pytest.mark.parametrize("scenario", asked("club"))
def test_the_club_player_plays_it_where_no_counting_is_needed(scenario):
    check("club", scenario)


@pytest.mark.parametrize("scenario", asked("expert"))
def test_a_scenario_leaves_a_choice(scenario):
    table = Table.from_record(scenario.record)
    right = [scenario.is_right(actions.text(action)) for action in table.legal_actions()]
    assert any(right)
    assert not all(right)


def test_there_are_scenarios_for_everything_that_is_said_about_play():
    assert len(scenarios()) >= 80
    assert all("expert" in s.players for s in scenarios())
    cited = {reference for s in scenarios() for reference in s.references}
    assert {"3.4", "3.5", "3.6", "3.7", "3.8", "49", "50", "51", "52", "53"} <= cited
