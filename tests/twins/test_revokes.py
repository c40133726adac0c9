"""Engine and rulebook agree on deals in which somebody may fail to follow suit (clauses 6.5 and 9.1)."""

from __future__ import annotations

from collections import Counter

import pytest

from solo_env import actions
from solo_env.evaluation import play_match
from solo_env.player import make_player
from solo_env.rules import load_ruleset, worst_payoff
from solo_env.rules.model import GENERAL, MIS, OUV
from solo_env.table import Table
from tests import rulebook
from tests.playing import position_of
from tests.twins.variants import revoking

POSSIBLE = '+play.revokes="possible"'
RULESETS = [
    "pagat",
    "hoyle",
    "hoyle+laws.revoke_transfer=true",
    "everything2+laws.revoke_penalty_tricks=2",
    "grand_slam_solo+laws.revoke_transfer=true",
    'margin5+passout.mode="last_trick"',
    'margin5+passout.mode="fewest"',
    'margin5+passout.mode="first_to_five"',
    'margin5+passout.mode="most_tricks"',
]
DEALS = 2_000  # of the long run, in all


def kinds_of(table: Table) -> set[str]:
    """What happened in a deal, as far as its settlement cares."""
    data = table.data
    revoked = {seat for seat in range(4) if data["revokes"][seat]}
    declaring = {int(data["declarer"]), int(data["partner"])} - {-1}
    if not revoked:
        return {"no revoke"}
    if data["contract"] == GENERAL:
        return {"general misère"}
    own, others = revoked & declaring, revoked - declaring
    kinds = {"both sides" if own and others else "the declaring side" if own else f"{len(others)} of the others"}
    if data["contract"] in (MIS, OUV) and data["n_plays"] < 52:
        kinds.add("a misère broken off")
    if data["revokes"].max() > 1:
        kinds.add("more than one by a seat")
    return kinds


@pytest.mark.parametrize(
    "deals", [50, pytest.param(DEALS // len(RULESETS) + 1, marks=pytest.mark.long)], ids=["quick", "long"]
)
def test_deals_with_revokes_are_settled_as_the_rulebook_says(deals):
    seen: Counter[str] = Counter()
    for name in RULESETS:
        worst = worst_payoff(load_ruleset(name + POSSIBLE))
        for seed in range(deals):
            table, trace = revoking(load_ruleset(name + POSSIBLE), seed)
            line = table.record()
            assert rulebook.trace(line) == trace, line
            game = rulebook.replay(line)
            theirs = [game.revokes.count(position_of(table, seat)) for seat in range(4)]
            assert theirs == table.data["revokes"].tolist()
            assert sum(table.payoffs) == 0
            assert -worst <= min(table.payoffs)
            assert Table.from_record(line).record() == line
            seen.update(kinds_of(table))
    wanted = {"no revoke", "general misère", "both sides", "the declaring side", "a misère broken off"}
    wanted |= {"1 of the others", "2 of the others", "3 of the others", "more than one by a seat"}
    assert {kind for kind in wanted if seen[kind] < 3} == set(), seen


def test_random_players_revoke_and_pay_for_it():
    ruleset = load_ruleset("pagat" + POSSIBLE)
    result = play_match(make_player("random", ruleset), make_player("novice", ruleset), ruleset, deals=50)
    honest = play_match(make_player("random"), make_player("novice"), deals=50)
    assert result.mean_units < honest.mean_units - 1


def test_where_revokes_are_possible_every_held_card_is_open_and_none_else():
    seen = 0
    for seed in range(20):
        table, _ = revoking(load_ruleset("pagat" + POSSIBLE), seed)
        again = Table(table.ruleset)
        again.deal_hands(table.data["dealt"].tolist(), int(table.data["dealer"]))
        for action in table.data["calls"][: table.data["n_calls"]]:
            again.apply(int(action))
        while again.data["phase"] == actions.PLAY:
            held = int(again.data["hand_cards"][again.turn])
            assert sum(1 << card for card in again.legal_actions()) == held
            again.apply(int(table.data["plays"][again.data["n_plays"]]))
            seen += 1
    assert seen > 100
