"""The player ``ev-bidder``: a small network tells the tricks of each contract, the best expectation is called.

The network sees the hand with its trumps first, the position and the auction so far, and gives the chances of
0 to 13 tricks of the declaring side. What follows when a call does not become the contract, what passing is
worth, and every card are the expert's.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from baselines.call_tables import FILE as CALLS_FILE
from baselines.call_tables import units_by_tricks
from baselines.call_values import (
    KEPT,
    MADE,
    MEAN,
    N_SITUATIONS,
    N_WEIGHED,
    NEVER,
    SCORE,
    SITUATIONS,
    SQUARE,
    SUIT,
    UNITS,
    VALUE,
    CallTables,
    choose_action,
    coarse_of,
    contract_of,
    place_of,
    position_of,
    situation_of,
)
from baselines.card_play import new_scratch, play_rows
from baselines.data_file import read_arrays, write_arrays
from baselines.expert import ExpertPlayer, explained, told_chances
from baselines.hand_score import KINDS, N_KINDS
from baselines.hand_value import suit_pattern
from baselines.points_player import PointsPlayer
from solo_env.actions import FIRST_CALL, FIRST_TRUMPS, N_CALLS
from solo_env.cards import N_CARDS, N_RANKS, N_SEATS, N_SUITS, N_TRICKS
from solo_env.engine._jit import kernel
from solo_env.engine.bits import popcount
from solo_env.engine.state import ASKED_HOLDER
from solo_env.rules import Ruleset
from solo_env.view import View

FILE = Path(__file__).parent / "data" / "bidder.npz"
# The columns of the network's input.
OF_KIND = N_CARDS
OF_POSITION = OF_KIND + N_KINDS
OF_SITUATION = OF_POSITION + N_SEATS
OF_HOLDER = OF_SITUATION + N_SITUATIONS
OF_SCORE = OF_HOLDER + N_SEATS
OF_FORCED = OF_SCORE + 1
N_INPUTS = OF_FORCED + 1
LOWEST_JUDGED = -250  # calls below this score are left to the tables: the network has seen few such hands
SCORE_SCALE = 200.0
LARGEST_SCORE = 4.0
LAYERS = ("w1", "b1", "w2", "b2", "w3", "b3")


class Network(NamedTuple):
    """Two hidden layers."""

    w1: NDArray[np.float32]
    b1: NDArray[np.float32]
    w2: NDArray[np.float32]
    b2: NDArray[np.float32]
    w3: NDArray[np.float32]
    b3: NDArray[np.float32]

    def tricks(self, inputs: NDArray[np.float32]) -> NDArray[np.float32]:
        """The chances of 0 to 13 tricks, float32 [N, 14], for inputs [N, N_INPUTS]."""
        hidden = np.maximum(inputs @ self.w1 + self.b1, 0)
        hidden = np.maximum(hidden @ self.w2 + self.b2, 0)
        out = hidden @ self.w3 + self.b3
        out -= out.max(axis=1, keepdims=True)
        np.exp(out, out=out)
        out /= out.sum(axis=1, keepdims=True)
        return out


def write_network(path: Path, network: Network, about: dict[str, Any]) -> None:
    """Write a network and how it was made."""
    write_arrays(path, network._asdict(), about)


def read_network(path: Path) -> Network:
    """The network of a file.

    Raises:
        ValueError: it is damaged, or of another format.
    """
    arrays, _ = read_arrays(path, "a network of ev-bidder")
    shapes = [arrays[name].shape if name in arrays else () for name in LAYERS]
    sizes = (N_INPUTS, *(shape[-1] if shape else 0 for shape in shapes[1::2]))
    wanted = [shape for i in range(3) for shape in ((sizes[i], sizes[i + 1]), (sizes[i + 1],))]
    fits = shapes == wanted and 0 not in sizes and sizes[-1] == N_TRICKS + 1
    if not fits or not all(np.isfinite(arrays[name].astype(np.float32)).all() for name in LAYERS):
        raise ValueError(f"{path} is damaged: its layers do not fit {N_INPUTS} inputs and {N_TRICKS + 1} chances.")
    return Network(*(arrays[name].astype(np.float32) for name in LAYERS))


@lru_cache(maxsize=1)
def shipped_network() -> Network:
    """The shipped network, read once.

    Raises:
        ValueError: it is damaged, or was fitted to other tables of calls than those that are shipped.
    """
    network = read_network(FILE)
    if read_arrays(FILE, "a network of ev-bidder")[1] != read_arrays(CALLS_FILE, "tables of calls")[1]:
        raise ValueError(
            f"{FILE.name} was not made together with {CALLS_FILE.name}, whose scores it takes: calibrate "
            "with --player ev-bidder, which writes both."
        )
    return network


class Bidding(NamedTuple):
    """What calls are judged by in one ruleset."""

    rules: NDArray[np.void]
    tables: CallTables
    units: NDArray[np.float64]  # by contract and tricks
    low: NDArray[np.int64]  # by kind of hand: 1 if it has no trumps


@kernel
def write_input(
    row: NDArray[np.float32], hand: int, trump: int, kind: int, place: int, situation: int, score: int, forced: int
) -> None:
    """Fill one input; suits stand trumps first (-1: none), then the longest, of two alike the higher."""
    for i in range(N_INPUTS):
        row[i] = 0.0
    left, at = 0b1111, 0
    if trump >= 0:
        left &= ~(1 << trump)
        write_suit(row, at, suit_pattern(hand, trump))
        at += N_RANKS
    while left:
        best, best_pattern = -1, -1
        for suit in range(N_SUITS):
            pattern = suit_pattern(hand, suit)
            pattern += popcount(pattern) << N_RANKS
            if left >> suit & 1 and pattern > best_pattern:
                best, best_pattern = suit, pattern
        left &= ~(1 << best)
        write_suit(row, at, suit_pattern(hand, best))
        at += N_RANKS
    row[OF_KIND + kind] = 1.0
    row[OF_POSITION + place // N_SEATS] = 1.0
    row[OF_SITUATION + situation] = 1.0
    row[OF_HOLDER + place % N_SEATS] = 1.0
    row[OF_SCORE] = min(max(score / SCORE_SCALE, -LARGEST_SCORE), LARGEST_SCORE)
    row[OF_FORCED] = forced


@kernel
def write_suit(row: NDArray[np.float32], at: int, pattern: int) -> None:
    """Write the cards of one suit from column ``at`` on."""
    for rank in range(N_RANKS):
        row[at + rank] = pattern >> rank & 1


@kernel
def write_inputs(
    hands: NDArray[np.int64], trumps: NDArray[np.int64], kind: int, places: NDArray[np.int64],
    situations: NDArray[np.int64], scores: NDArray[np.int64], forced: int, rows: NDArray[np.float32],
) -> None:  # fmt: skip
    """Fill ``rows`` (float32 [N, inputs]) for N cases of a kind."""
    for i in range(len(hands)):
        write_input(rows[i], hands[i], trumps[i], kind, places[i], situations[i], scores[i], forced)


@kernel
def gather_rows(
    views: NDArray[np.void], bidding: Bidding, risk: float, style: int, weighed: NDArray[np.float64],
    inputs: NDArray[np.float32], where: NDArray[np.int64], out: NDArray[np.int64],
) -> int:  # fmt: skip
    """The expert's choice into ``out``, what it weighs into ``weighed`` [B, 12, 5], and the calls to be judged.

    Those are written into ``inputs`` and ``where`` (row and call); returns how many they are.
    """
    rules, tables = bidding.rules[0], bidding.tables
    n = 0
    for b in range(len(views)):
        view = views[b]
        if view["legal_cards"]:
            continue
        out[b] = choose_action(view, rules, tables, risk, style, weighed[b])
        if out[b] >= FIRST_TRUMPS or view["asked"] == ASKED_HOLDER:
            continue
        situation, place = situation_of(view, rules), place_of(view)
        for call in range(1, N_CALLS):
            row = weighed[b, call]
            if view["legal_calls"] >> call & 1 == 0 or row[VALUE] <= NEVER or row[SCORE] < LOWEST_JUDGED:
                continue
            kind = tables.kinds[0 if view["suit"] >= 0 else 1, call]
            trump = -1 if bidding.low[kind] else int(row[SUIT])
            write_input(inputs[n], int(view["hand_cards"]), trump, kind, place, situation, int(row[SCORE]), 0)
            where[n, 0], where[n, 1] = b, call
            n += 1
    return n


@kernel
def judge_rows(
    views: NDArray[np.void], bidding: Bidding, chances: NDArray[np.float32], where: NDArray[np.int64], risk: float,
    weighed: NDArray[np.float64], out: NDArray[np.int64],
) -> None:  # fmt: skip
    """Weigh the judged calls anew by the network's ``chances`` and choose again."""
    for i in range(len(chances)):
        b, call = where[i, 0], where[i, 1]
        row, contract = weighed[b, call], contract_of(call)
        situation = situation_of(views[b], bidding.rules[0])
        cell = bidding.tables.other[call, situation, position_of(views[b]), coarse_of(int(row[SCORE]))]
        mean, square, made = 0.0, 0.0, 0.0
        for taken in range(N_TRICKS + 1):
            gain, chance = bidding.units[contract, taken], float(chances[i, taken])
            mean += chance * gain
            square += chance * gain * gain
            made += chance if gain > 0 else 0.0
        mean = cell[KEPT] * mean + (1.0 - cell[KEPT]) * cell[MEAN]
        square = cell[KEPT] * square + (1.0 - cell[KEPT]) * cell[SQUARE]
        row[UNITS], row[MADE] = mean, made
        row[VALUE] = mean - risk * np.sqrt(max(square - mean * mean, 0.0))
    for i in range(len(chances)):
        b, best = where[i, 0], 0
        for call in range(1, N_CALLS):
            if weighed[b, call, VALUE] > weighed[b, best, VALUE]:
                best = call
        out[b] = FIRST_CALL + best


class EvBidderPlayer(ExpertPlayer):
    """Calls what a network expects the most units of, and plays as ``expert`` does; the same options."""

    def __init__(
        self,
        ruleset: str | Ruleset = "pagat",
        style: str = "measured",
        risk: str | float = 0.0,
        points: str | None = None,
    ) -> None:
        super().__init__(ruleset, style, risk, points)
        self.name = "ev-bidder"
        self._network = shipped_network()
        low = np.array([not kind.trumps for kind in KINDS], np.int64)
        self._bidding = Bidding(self._rules, self._tables, units_by_tricks(self.ruleset), low)

    def act_batch(self, views: NDArray[np.void], keys: NDArray[np.int64], out: NDArray[np.int64]) -> None:
        """Write the player's action for each view."""
        self._call(views, out)
        play_rows(views, self._rules, self._points, *new_scratch(), out)

    def _call(self, views: NDArray[np.void], out: NDArray[np.int64]) -> NDArray[np.float64]:
        """Write a call for each view that asks for one; returns what was weighed, float64 [B, 12, 5]."""
        asking = np.flatnonzero(views["legal_cards"] == 0)
        weighed = np.zeros((len(asking), N_CALLS, N_WEIGHED))
        if not len(asking):
            return weighed
        inputs = np.zeros((len(asking) * (N_CALLS - 1), N_INPUTS), np.float32)
        where, chosen = np.zeros((len(inputs), 2), np.int64), np.zeros(len(asking), np.int64)
        some = views if len(asking) == len(views) else views[asking]
        n = gather_rows(some, self._bidding, self._risk, self._style, weighed, inputs, where, chosen)
        if n:
            chances = self._network.tricks(inputs[:n])
            judge_rows(some, self._bidding, chances, where, self._risk, weighed, chosen)
        out[asking] = chosen
        return weighed

    def call_chances(self, views: NDArray[np.void]) -> NDArray[np.float64]:
        """The chance of each call that is weighed, by the network where it judges."""
        return told_chances(self._call(views, np.zeros(len(views), np.int64)))

    def explain(self, view: View) -> str:
        """The calls considered, each with its chance and its expected units; or the rule behind a card."""
        if view.legal_cards:
            return PointsPlayer.explain(self, view)
        views, out = view.record.reshape(1), np.zeros(1, np.int64)
        weighed = self._call(views, out)
        if out[0] >= FIRST_TRUMPS:
            return super().explain(view)
        situation = SITUATIONS[int(situation_of(view.record, self._rules[0]))]
        return explained(int(out[0]), weighed[0], situation, self._risk)
