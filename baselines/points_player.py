"""What ``club`` and ``expert`` have in common: calls from one place, cards from another, and why."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from baselines.card_play import (
    SETTLED,
    choose_card,
    new_scratch,
    play_rows,
    value_of,
    write_candidates,
)
from baselines.novice import NovicePlayer, decide
from baselines.play_lead import CARD, FIRST
from baselines.play_points import feature_text, points_table
from baselines.play_reasons import REASONS
from solo_env.cards import card_text
from solo_env.engine._jit import kernel
from solo_env.player import BatchPlayer
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
        self._caller = NovicePlayer(self.ruleset)

    def act_batch(self, views: NDArray[np.void], keys: NDArray[np.int64], out: NDArray[np.int64]) -> None:
        """Write the player's action for each view."""
        call_rows(views, self._rules, out)
        play_rows(views, self._rules, self._points, *new_scratch(), out)

    def explain(self, view: View) -> str:
        """The count behind a call, or the rule behind a card, the candidates and what gave their points."""
        if not view.legal_cards:
            return self._caller.explain(view)
        facts, rows = new_scratch()
        card, reason = choose_card(view.record, self._rules[0], self._points, facts, rows)
        why = f"{card_text(int(card))}: {REASONS[int(reason)]}"
        table, n = write_candidates(view.record, self._rules[0], facts, rows)
        if table == SETTLED or n == 1:
            return f"{why}."
        points = self._points[table]
        ranked = sorted(rows[:n], key=lambda row: -int(value_of(points, row)))
        best = ", ".join(
            f"{card_text(int(row[CARD]))} {int(value_of(points, row))}" for row in ranked[:SHOWN_CANDIDATES]
        )
        moved = points * (ranked[0][FIRST:] - ranked[1][FIRST:])
        order = [int(i) for i in np.argsort(-np.abs(moved), kind="stable")[:SHOWN_FEATURES] if moved[i]]
        told = "; ".join(f"{feature_text(int(table), i)} {int(moved[i]):+d}" for i in order)
        return f"{why} ({best}; between the first two: {told})."


@kernel
def call_rows(views: NDArray[np.void], rules: NDArray[np.void], out: NDArray[np.int64]) -> None:
    """Fill ``out`` (int64[B]) with a call or a suit for each view that asks for one; the other rows stay."""
    for b in range(len(views)):
        if not views[b]["legal_cards"]:
            out[b], _ = decide(views[b], rules[0])
