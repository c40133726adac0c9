"""What ``club`` and ``expert`` have in common: cards by points, and why."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from baselines.card_play import (
    SETTLED,
    choose_card,
    new_scratch,
    write_candidates,
)
from baselines.play_lead import CARD, ROW, SAID
from baselines.play_points import feature_text, points_table
from baselines.play_reasons import REASONS
from solo_env.cards import card_text
from solo_env.player import BatchPlayer, check_asked
from solo_env.rules import Ruleset, pack_array
from solo_env.view import View

SHOWN_FEATURES = 3  # of each candidate, those that move its points most
SHOWN_CANDIDATES = 3


class PointsPlayer(BatchPlayer):
    """Plays the card that has the most points; see ``card_play``. Deterministic: the keys are not used.

    ``points`` is the path of a file that ``solo-whist fit-cards`` wrote; without one, the shipped points are used.
    """

    level: ClassVar[int]

    def __init__(self, ruleset: str | Ruleset = "pagat", points: str | None = None) -> None:
        super().__init__(ruleset)
        self._rules = pack_array(self.ruleset)
        self._points = points_table(self.level, points)

    def explain(self, view: View) -> str:
        """The rule behind a card, the candidates and what gave their points; not for calls."""
        check_asked(view)
        facts, rows = new_scratch()
        card, reason = choose_card(view.record, self._rules[0], self._points, facts[0], rows[0])
        why = f"{card_text(int(card))}: {REASONS[int(reason)]}"
        table, n = write_candidates(view.record, self._rules[0], facts[0], rows[0])
        if table == SETTLED or n == 1:
            return f"{why}."
        points, candidates = self._points[table], rows[0][ROW][:n]
        values = candidates[SAID] @ points
        ranked = np.argsort(-values, kind="stable")
        best = ", ".join(f"{card_text(int(candidates[i][CARD]))} {values[i]}" for i in ranked[:SHOWN_CANDIDATES])
        moved = points * (candidates[ranked[0]][SAID] - candidates[ranked[1]][SAID])
        order = [int(i) for i in np.argsort(-np.abs(moved), kind="stable")[:SHOWN_FEATURES] if moved[i]]
        told = "; ".join(f"{feature_text(int(table), i)} {int(moved[i]):+d}" for i in order)
        between = f"between the first two: {told}" if told else "nothing parts the first two"
        return f"{why} ({best}; {between})."
