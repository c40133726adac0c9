"""The expert: calls by measured chances and the prices in force, counts the cards, and plays by what that tells."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from baselines.call_tables import new_weighed, shipped_call_tables
from baselines.call_values import (
    MADE,
    MEASURED,
    NEVER,
    SITUATIONS,
    SUIT,
    UNITS,
    VALUE,
    call_rows,
    choose_action,
    situation_of,
    unit_rows,
)
from baselines.card_play import new_scratch, play_rows
from baselines.play_points import EXPERT
from baselines.points_player import PointsPlayer
from solo_env import actions
from solo_env.actions import FIRST_CALL, FIRST_TRUMPS, N_CALLS, PASS
from solo_env.cards import SUIT_NAMES
from solo_env.engine.state import ASKED_HOLDER
from solo_env.player import PlayerError, check_asked
from solo_env.rules import Ruleset
from solo_env.rules.model import CONTRACT_NAMES
from solo_env.view import View

STYLES = ("measured", "foster", "parlett")
MOST_RISK = 1.0
SHOWN_CALLS = 4


class ExpertPlayer(PointsPlayer):
    """Calls what is worth the most units by measured tables, and plays by all points of ``play_points``.

    Args:
        ruleset: what is played.
        style: who proposes and accepts on what. ``measured``, by the tables alone; ``foster`` and ``parlett`` hold
            back the proposals and acceptances that these authors would not make.
        risk: how many units of expectation a standard deviation of one unit costs, -1 to 1; above 0 is cautious.
        points: the path of points that ``solo-whist fit-cards`` wrote; without one, the shipped points are used.
    """

    level = EXPERT

    def __init__(
        self,
        ruleset: str | Ruleset = "pagat",
        style: str = STYLES[MEASURED],
        risk: str | float = 0.0,
        points: str | None = None,
    ) -> None:
        super().__init__(ruleset, points)
        self._style = checked_style(style)
        self._risk = checked_risk(risk)
        self._tables = shipped_call_tables(self.ruleset)

    def act_batch(self, views: NDArray[np.void], keys: NDArray[np.int64], out: NDArray[np.int64]) -> None:
        """Write the player's action for each view."""
        call_rows(views, self._rules, self._tables, self._risk, self._style, new_weighed(), out)
        play_rows(views, self._rules, self._points, *new_scratch(), out)

    def call_chances(self, views: NDArray[np.void]) -> NDArray[np.float64]:
        """The chance of each call that is weighed; see :class:`solo_env.player.ChanceTeller`."""
        weighed = np.zeros((len(views), *new_weighed().shape))
        for view, row in zip(views, weighed, strict=True):
            self._weigh(view, row)
        chances = np.where(weighed[:, :, VALUE] > NEVER, weighed[:, :, MADE], np.nan)
        chances[:, PASS - FIRST_CALL] = np.nan
        return chances

    def call_units(self, views: NDArray[np.void]) -> NDArray[np.float32]:
        """The units that each call is expected to bring, float32 [B, 12] by call from PASS on.

        NaN stands where a call is not weighed, and in all of a row whose view asks for no call.
        """
        units = np.full((len(views), N_CALLS), np.nan, np.float32)
        self._write_units(views, units)
        return units

    def _write_units(self, views: NDArray[np.void], units: NDArray[np.float32]) -> None:
        """Fill ``units`` [B, 12] where a call is weighed."""
        unit_rows(views, self._rules, self._tables, self._risk, self._style, new_weighed(), units)

    def explain(self, view: View) -> str:
        """The calls considered, each with its chance and its expected units; or the rule behind a card."""
        check_asked(view)
        if view.legal_cards:
            return super().explain(view)
        weighed = new_weighed()
        chosen = self._weigh(view.record, weighed)
        if chosen >= FIRST_TRUMPS:
            suit = SUIT_NAMES[chosen - FIRST_TRUMPS]
            return f"{actions.text(chosen)}: of the suits that may be named, {suit} make the most."
        if view.asked == ASKED_HOLDER:
            stands = CONTRACT_NAMES[view.standing]
            return explained(chosen, weighed, f"with one's own {stands} standing", self._risk, stands)
        return explained(chosen, weighed, SITUATIONS[int(situation_of(view.record, self._rules[0]))], self._risk)

    def _weigh(self, view: np.void, weighed: NDArray[np.float64]) -> int:
        """The call or the suit for a view that asks for one; fills ``weighed`` [12, 5]."""
        return int(choose_action(view, self._rules[0], self._tables, self._risk, self._style, weighed))


def checked_style(style: str) -> int:
    """The number of a style of proposing."""
    if style not in STYLES:
        raise PlayerError(f"style is {style!r}; it must be one of {', '.join(STYLES)}.")
    return STYLES.index(style)


def checked_risk(risk: str | float) -> float:
    """The price of a unit of deviation."""
    try:
        value = float(risk)
    except ValueError:
        value = math.nan
    if not -MOST_RISK <= value <= MOST_RISK:
        raise PlayerError(f"risk is {risk!r}; it must be a number from -1 to 1.")
    return value


def explained(
    chosen: int, weighed: NDArray[np.float64], situation: str, risk: float, stands: str | None = None
) -> str:
    """A call as a sentence: what it is worth, and what the others that were weighed are.

    ``stands`` is the contract that passing would play, where it is one's own.
    """
    at = chosen - FIRST_CALL
    order = [int(i) for i in np.argsort(-weighed[:, VALUE], kind="stable") if weighed[i, VALUE] > NEVER]
    rule = "no call is worth more than passing" if chosen == PASS and stands is None else "the call worth the most"
    if risk:
        rule += f" at risk {risk:g}"
    others = "; ".join(_told(i, weighed[i], stands) for i in order[:SHOWN_CALLS] if i != at)
    return f"{_told(at, weighed[at], stands)}: {rule}, {situation}{f' ({others})' if others else ''}."


def _told(call: int, row: NDArray[np.float64], stands: str | None) -> str:
    name = actions.text(FIRST_CALL + call)
    if call == 0 and stands is not None:
        name += f" to play {stands}"
    suit = f" in {SUIT_NAMES[int(row[SUIT])]}" if row[SUIT] >= 0 else ""
    chance = f" made in {100 * row[MADE]:.0f} of 100," if call or stands is not None else ""
    return f"{name}{suit}{chance} {row[UNITS]:+.2f} units"
