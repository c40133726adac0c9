"""The club player: calls by counting and by the book, plays by the rules of the literature, remembers no cards."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from baselines.call_tables import kinds_of_calls, shipped_call_data
from baselines.call_values import FOSTER, NEVER
from baselines.card_play import new_scratch, play_rows
from baselines.club_calls import CHANCE, N_THOUGHT, UNITS, chance_table, club_call, club_rows
from baselines.expert import STYLES, checked_style
from baselines.play_points import CLUB
from baselines.points_player import PointsPlayer
from solo_env import actions
from solo_env.actions import FIRST_CALL, FIRST_TRUMPS, N_CALLS, PASS
from solo_env.cards import SUIT_NAMES
from solo_env.engine.state import ASKED_HOLDER
from solo_env.player import check_asked
from solo_env.rules import Ruleset
from solo_env.rules.model import CONTRACT_NAMES
from solo_env.view import View


class ClubPlayer(PointsPlayer):
    """Calls by counted tricks and the book, and plays by those points of ``play_points`` that need no counting.

    Args:
        ruleset: what is played.
        style: who proposes and accepts on what: ``foster``, ``parlett``, or ``measured``, by the count alone.
        points: the path of points that ``solo-whist fit-cards`` wrote; without one, the shipped points are used.
    """

    level = CLUB

    def __init__(
        self, ruleset: str | Ruleset = "pagat", style: str = STYLES[FOSTER], points: str | None = None
    ) -> None:
        super().__init__(ruleset, points)
        self._style = checked_style(style)
        self._chances = chance_table(shipped_call_data().lines)
        self._kinds = kinds_of_calls(self.ruleset)

    def act_batch(self, views: NDArray[np.void], keys: NDArray[np.int64], out: NDArray[np.int64]) -> None:
        """Write the player's action for each view."""
        club_rows(views, self._rules, self._chances, self._kinds, self._style, np.zeros((N_CALLS, N_THOUGHT)), out)
        play_rows(views, self._rules, self._points, *new_scratch(), out)

    def explain(self, view: View) -> str:
        """The calls thought of, each with its chance and its price times that; or the rule behind a card."""
        check_asked(view)
        if view.legal_cards:
            return super().explain(view)
        thought = np.zeros((N_CALLS, N_THOUGHT))
        chosen = int(club_call(view.record, self._rules[0], self._chances, self._kinds, self._style, thought))
        name = actions.text(chosen)
        if chosen >= FIRST_TRUMPS:
            return f"{name}: {SUIT_NAMES[chosen - FIRST_TRUMPS]} lose the fewest tricks."
        if view.asked == ASKED_HOLDER:
            return f"{name}: the {CONTRACT_NAMES[view.standing]} that stands is what was worth the most."
        order = [int(i) for i in np.argsort(-thought[:, UNITS], kind="stable") if thought[i, UNITS] > NEVER]
        told = [
            f"{actions.text(FIRST_CALL + i)} {100 * thought[i, CHANCE]:.0f} of 100, {thought[i, UNITS]:+.2f} units"
            for i in order
        ]
        rule = "no call is made more often than not" if chosen == PASS else "price times chance is best"
        considered = f" ({'; '.join(told)})" if told else ""
        return f"{name}: {rule}{considered}."
