"""Who gains where: the auction of one player with the cards of the other.

Four players sit in the challenger's seats on the same deals, against the same others: the challenger, the other,
and the two that call like one and play like the other. What they win there, deal by deal, parts the challenger's
result into what its calls and what its cards bring.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solo_env.evaluation.estimates import estimate, scores_of
from solo_env.evaluation.plan import Plan
from solo_env.evaluation.play import play_chunk
from solo_env.evaluation.run import chunks_of
from solo_env.player import BatchPlayer, Player, ask_player

SWAP_DEALS = 2_000  # at most so many are played
CELLS = ((0, 0), (0, 1), (1, 0), (1, 1))  # whose calls, whose cards: 0 the challenger, 1 the other
# What is told, as a sum over the cells, in halves.
EFFECTS = {
    "calls, with its own cards": (2, 0, -2, 0),
    "calls, with the other's cards": (0, 2, 0, -2),
    "calls, mean of both": (1, 1, -1, -1),
    "cards, with its own calls": (2, -2, 0, 0),
    "cards, with the other's calls": (0, 0, 2, -2),
    "cards, mean of both": (1, -1, 1, -1),
    "more together than apart": (2, -2, -2, 2),
}


class TwoPlayers(BatchPlayer):
    """Calls and names trumps as one player, plays as another."""

    def __init__(self, caller: Player, card_player: Player, ruleset: Any = "pagat") -> None:
        super().__init__(ruleset)
        self.name = f"{caller.name} calling, {card_player.name} playing"
        self.caller, self.card_player = caller, card_player

    def act_batch(self, views: NDArray[np.void], keys: NDArray[np.int64], out: NDArray[np.int64]) -> None:
        """Let each player write what is its own to decide."""
        playing = views["legal_cards"] != 0
        for player, mine in ((self.caller, ~playing), (self.card_player, playing)):
            if mine.any():
                out[mine] = ask_player(player, views[mine], keys[mine])


def study_swap(plan: Plan, players: Sequence[Player], clusters: int) -> dict[str, Any] | None:
    """The 2x2 of a plan's first lineup over so many clusters; None where more than two players sit."""
    if plan.seating.n_players > 2:  # noqa: PLR2004
        return None
    seats, own = plan.seating.seats, plan.seating.seats == 0
    scores = np.zeros((len(CELLS), clusters), np.int64)
    for cell, (calls, cards) in enumerate(CELLS):
        seated = players[calls] if calls == cards else TwoPlayers(players[calls], players[cards], plan.ruleset)
        for first, n in chunks_of(clusters):
            payoff = play_chunk([seated, players[1]], seats, plan.book, first, n)["payoff"]  # [n, R, D, 4]
            scores[cell, first : first + n] = np.where(own[None, :, None], payoff, 0).sum(axis=(1, 2, 3))
    divisor = plan.seating.seats_of(0) * plan.book.session
    return {
        "clusters": clusters,
        "cells": [
            {"calls": calls, "cards": cards, **_estimate(scores_of(scores[cell]), divisor)}
            for cell, (calls, cards) in enumerate(CELLS)
        ],
        "effects": [
            {"name": name, **_estimate(scores_of(np.array(weights) @ scores), 2 * divisor)}
            for name, weights in EFFECTS.items()
        ],
    }


def _estimate(scores: Counter[int], divisor: int) -> dict[str, Any]:
    return estimate(scores, divisor).as_json()
