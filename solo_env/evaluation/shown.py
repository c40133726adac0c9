"""Three deals to look at, chosen by a rule: the largest gain, the largest loss, and the median.

The rule takes the challenger's score of each of the first clusters, over all its tables; of equal ones the first.
Of the cluster found the table is shown at which the challenger won the most, lost the most, or came nearest to the
mean, again the first. Every decision is explained by the player that took it, from the view of its seat then; every
call is played out with all that was legal, as ``regret`` does it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solo_env import actions, render
from solo_env.cards import N_SEATS, SUIT_NAMES, card_text, sort_for_display
from solo_env.engine.state import NO_TRUMP
from solo_env.evaluation.outcomes import outcomes_of
from solo_env.evaluation.plan import Plan
from solo_env.evaluation.play import Round, play_chunk
from solo_env.evaluation.regret import play_on
from solo_env.player import Player, told
from solo_env.record import from_table
from solo_env.rules.model import CONTRACTS, GENERAL, GENERAL_CONTRACT
from solo_env.view import View

GAIN, LOSS, MEDIAN = range(3)
WHY = ("the largest gain", "the largest loss", "the median deal")


def choose_clusters(scores: NDArray[np.int64]) -> list[int]:
    """The clusters of the largest, the smallest and the median score (int64 [U]); of equal ones the first."""
    order = np.argsort(scores, kind="stable")
    middle = scores[order[(len(scores) - 1) // 2]]
    return [int(scores.argmax()), int(scores.argmin()), int((scores == middle).argmax())]


def choose_table(scores: NDArray[np.int64], why: int) -> int:
    """Which of the tables of a cluster is shown, by the challenger's scores there (int64 [T])."""
    if why == GAIN:
        return int(scores.argmax())
    if why == LOSS:
        return int(scores.argmin())
    return int(np.abs(scores * len(scores) - scores.sum()).argmin())


def study_deals(plan: Plan, players: Sequence[Player], scores: NDArray[np.int64]) -> list[dict[str, Any]]:
    """The three deals of a plan's first lineup, by the challenger's ``scores`` of its first clusters, int64 [U]."""
    return [
        show_cluster(plan, players, cluster, why, int(scores[cluster]))
        for why, cluster in enumerate(choose_clusters(scores))
    ]


def show_cluster(plan: Plan, players: Sequence[Player], cluster: int, why: int, score: int) -> dict[str, Any]:
    """One deal, JSON-ready."""
    seats, session = plan.seating.seats, plan.book.session
    noted: list[tuple[int, View, int, NDArray[np.void]]] = []

    def note(now: Round) -> None:
        deals = now.tables["deal"][now.rows]
        for i, row in enumerate(now.rows):
            noted.append(
                (int(row) * session + int(deals[i]), View(now.views[i]), int(now.actions[i]), now.tables[[row]])
            )

    finished = play_chunk(players, seats, plan.book, cluster, 1, note).reshape(-1)
    of_tables = np.where(np.repeat(seats, session, axis=0) == 0, finished["payoff"], 0).sum(axis=1)
    shown = choose_table(of_tables, why)
    table, row = finished[shown], shown // session
    decisions = [
        decision(plan, players, seats[row], view, action, before)
        for number, view, action, before in noted
        if number == shown
    ]
    outcome = outcomes_of(finished.reshape(1, len(seats), session), 0, cluster)[shown]
    return {
        "why": WHY[why],
        "cluster": cluster,
        "table": int(row),
        "deal": int(table["deal"]),
        "units_of_the_cluster": score / (plan.seating.seats_of(0) * session),
        "challenger": int(of_tables[shown]),
        "seats": [int(player) for player in seats[row]],
        "dealer": int(table["dealer"]),
        "payoff": [int(units) for units in table["payoff"]],
        "tricks_won": [int(tricks) for tricks in table["tricks"]],
        "hands": [render.hand_text(sort_for_display(map(int, hand))) for hand in table["dealt"]],
        "turned": turned_text(table),
        "contract": contract_text(table),
        "declarer": int(outcome["declarer"]),
        "partner": int(outcome["partner"]),
        "calls": [
            [int(seat), actions.text(int(call))]
            for call, seat in zip(table["calls"][: table["n_calls"]], table["call_seats"], strict=False)
        ],
        "tricks": [
            {
                "leader": int(table["play_seats"][first]),
                "cards": [card_text(int(card)) for card in table["plays"][first : first + N_SEATS]],
                "winner": int(table["trick_winners"][first // N_SEATS]),
            }
            for first in range(0, int(table["n_plays"]), N_SEATS)
        ],
        "decisions": decisions,
        "record": str(from_table(table, plan.ruleset)),
    }


def decision(
    plan: Plan,
    players: Sequence[Player],
    seated: NDArray[np.int8],
    view: View,
    action: int,
    before: NDArray[np.void],
) -> dict[str, Any]:
    """A decision at a table (TABLE [1], as it stood): who did what and why, and what each call would have won."""
    seat, player = view.seat, int(seated[view.seat])
    outs = None
    if action >= actions.FIRST_CALL:
        legal = np.array(view.legal_actions(), np.int64)
        ends = play_on(plan, players, np.repeat(before, len(legal)), np.tile(seated, (len(legal), 1)), legal)
        outs = {
            actions.text(int(one)): int(units) for one, units in zip(legal, ends["payoff"][:, seat], strict=True)
        }
    return {
        "seat": seat,
        "player": player,
        "trick": view.n_plays // N_SEATS + 1 if action < actions.FIRST_CALL else None,
        "action": actions.text(action),
        "says": why_of(players[player], view),
        "play_outs": outs,
    }


def why_of(player: Player, view: View) -> str:
    """What a player says to a view, in one line; a player that cannot say it costs no report."""
    try:
        return " ".join(player.explain(view).split())
    except Exception as error:
        return f"{player.name} cannot explain: {told(error)}."


def turned_text(table: np.void) -> str:
    """The turned card, or the suit of the deal where none is turned up."""
    if table["turned_card"] >= 0:
        return f"turned up: {render.hand_text([int(table['turned_card'])])}"
    return f"the deal's suit: {SUIT_NAMES[table['suit']] if table['suit'] >= 0 else 'none'}"


def contract_text(table: np.void) -> str:
    """The contract and its trumps, or that there was none."""
    if table["contract"] < 0:
        return "thrown in"
    if table["contract"] == GENERAL:
        return GENERAL_CONTRACT.title
    trumps = "no trumps" if table["trump"] == NO_TRUMP else f"{SUIT_NAMES[table['trump']]} trumps"
    contract = CONTRACTS[int(table["contract"])]
    made = "made" if table["payoff"][table["declarer"]] > 0 else "lost"
    return f"{contract.title}, {trumps}, {made}"
