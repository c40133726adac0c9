"""The player ``ev-bidder``: a small network tells the tricks of each contract, the best expectation is called.

The network sees the hand with its trumps first, the position, the auction so far and the sort of prices, and gives
the chances of 0 to 13 tricks of the declaring side. What follows when a call does not become the contract, what
passing is worth, and every card are the expert's.

Its sums are taken in one order, whatever the batch, so the same view has the same units anywhere; a library's
product of matrices differs in the last bits with the number of rows.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from baselines.call_tables import FILE as CALLS_FILE
from baselines.call_tables import N_PRICE_SORTS, new_weighed, price_sort, units_by_tricks
from baselines.call_values import (
    KEPT,
    MADE,
    MEAN,
    N_SITUATIONS,
    NEVER,
    SCORE,
    SQUARE,
    SUIT,
    UNITS,
    VALUE,
    asks_for_call,
    choose_action,
    coarse_of,
    contract_of,
    place_of,
    position_of,
    situation_of,
    write_units,
)
from baselines.card_play import new_scratch, play_rows
from baselines.data_file import read_arrays, write_arrays
from baselines.expert import ExpertPlayer
from baselines.hand_score import KINDS, N_KINDS
from baselines.hand_value import suit_pattern
from solo_env.actions import FIRST_CALL, FIRST_TRUMPS, N_CALLS
from solo_env.cards import N_CARDS, N_RANKS, N_SEATS, N_SUITS, N_TRICKS
from solo_env.engine._jit import kernel
from solo_env.engine.bits import popcount
from solo_env.engine.state import ASKED_HOLDER
from solo_env.rules import Ruleset

FILE = Path(__file__).parent / "data" / "bidder.npz"
# The columns of the network's input.
OF_KIND = N_CARDS
OF_POSITION = OF_KIND + N_KINDS
OF_SITUATION = OF_POSITION + N_SEATS
OF_HOLDER = OF_SITUATION + N_SITUATIONS
OF_SCORE = OF_HOLDER + N_SEATS
OF_SOURCE = OF_SCORE + 1
FORCED = N_PRICE_SORTS  # a source behind the sorts of price: no auction, so nothing was told by it
N_INPUTS = OF_SOURCE + FORCED + 1
LOWEST_JUDGED = -250  # calls below this score are left to the tables: the network has seen few such hands
SCORE_SCALE = 200.0
LARGEST_SCORE = 4.0
LAYERS = ("w1", "b1", "w2", "b2", "w3", "b3")


class Network(NamedTuple):
    """Two hidden layers: weights [inputs, outputs] and biases of each step."""

    w1: NDArray[np.float32]
    b1: NDArray[np.float32]
    w2: NDArray[np.float32]
    b2: NDArray[np.float32]
    w3: NDArray[np.float32]
    b3: NDArray[np.float32]


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
    return Network(*(np.ascontiguousarray(arrays[name], np.float32) for name in LAYERS))


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
    tables: NDArray[np.void]  # [1], CALL_TABLES
    units: NDArray[np.float64]  # by contract and tricks
    low: NDArray[np.int64]  # by kind of hand: 1 if it has no trumps
    prices: int
    network: Network


class Scratch(NamedTuple):
    """What the network works in."""

    row: NDArray[np.float32]  # an input
    first: NDArray[np.float32]  # the hidden layers
    second: NDArray[np.float32]
    chances: NDArray[np.float32]  # of 0 to 13 tricks


@kernel
def write_input(
    row: NDArray[np.float32], hand: int, trump: int, kind: int, place: int, situation: int, score: int, source: int
) -> None:  # fmt: skip
    """Fill one input; suits stand trumps first (-1: none), then the longest, of two alike the higher.

    ``source`` is a sort of price or FORCED.
    """
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
    row[OF_SOURCE + source] = 1.0


@kernel
def write_suit(row: NDArray[np.float32], at: int, pattern: int) -> None:
    """Write the cards of one suit from column ``at`` on."""
    for rank in range(N_RANKS):
        row[at + rank] = pattern >> rank & 1


@kernel
def write_inputs(
    hands: NDArray[np.int64], trumps: NDArray[np.int64], kind: int, places: NDArray[np.int64],
    situations: NDArray[np.int64], scores: NDArray[np.int64], sources: NDArray[np.int64], rows: NDArray[np.float32],
) -> None:  # fmt: skip
    """Fill ``rows`` (float32 [N, inputs]) for N cases of a kind."""
    for i in range(len(hands)):
        write_input(rows[i], hands[i], trumps[i], kind, places[i], situations[i], scores[i], sources[i])


@kernel
def write_layer(before: NDArray[np.float32], weights: NDArray[np.float32], after: NDArray[np.float32]) -> None:
    """Add to ``after``, which holds the biases, what a layer's inputs bring, in their order."""
    for i in range(len(before)):
        x = before[i]
        if x != 0.0:  # most inputs, and of the hidden ones every other
            for j in range(len(after)):
                after[j] += x * weights[i, j]


@kernel
def write_chances(network: Network, scratch: Scratch) -> None:
    """Fill the chances of 0 to 13 tricks for the input in ``scratch.row``."""
    first, second, chances = scratch.first, scratch.second, scratch.chances
    first[:] = network.b1
    write_layer(scratch.row, network.w1, first)
    for i in range(len(first)):
        first[i] = max(first[i], np.float32(0.0))
    second[:] = network.b2
    write_layer(first, network.w2, second)
    for i in range(len(second)):
        second[i] = max(second[i], np.float32(0.0))
    chances[:] = network.b3
    write_layer(second, network.w3, chances)
    most = chances[0]
    for taken in range(1, len(chances)):
        most = max(most, chances[taken])
    total = np.float32(0.0)
    for taken in range(len(chances)):
        chances[taken] = np.exp(chances[taken] - most)
        total += chances[taken]
    for taken in range(len(chances)):
        chances[taken] /= total


@kernel
def choose_bid(
    view: np.void, bidding: Bidding, risk: float, style: int, weighed: NDArray[np.float64], scratch: Scratch
) -> int:
    """The call, or the suit to name, of a seat that is asked for one; fills ``weighed`` [12, 5]."""
    rules, tables = bidding.rules[0], bidding.tables
    action = choose_action(view, rules, tables, risk, style, weighed)
    if action >= FIRST_TRUMPS or view["asked"] == ASKED_HOLDER:
        return action
    situation, place = situation_of(view, rules), place_of(view)
    calls, hand, best = int(view["legal_calls"]), int(view["hand_cards"]), 0
    for call in range(1, N_CALLS):
        row = weighed[call]
        if calls >> call & 1 == 0 or row[VALUE] <= NEVER:
            continue
        if row[SCORE] >= LOWEST_JUDGED:
            kind = tables[0]["kinds"][0 if view["suit"] >= 0 else 1, call]
            trump = -1 if bidding.low[kind] else int(row[SUIT])
            write_input(scratch.row, hand, trump, kind, place, situation, int(row[SCORE]), bidding.prices)
            write_chances(bidding.network, scratch)
            cell = tables[0]["other"][call, situation, position_of(view), coarse_of(int(row[SCORE]))]
            judge(row, bidding.units[contract_of(call)], scratch.chances, cell, risk)
        if row[VALUE] > weighed[best, VALUE]:
            best = call
    return FIRST_CALL + best


@kernel
def judge(
    row: NDArray[np.float64], units: NDArray[np.float64], chances: NDArray[np.float32], cell: NDArray[np.float64],
    risk: float,
) -> None:  # fmt: skip
    """Weigh a call anew: by the chances of tricks if it becomes the contract, else by what was measured."""
    mean, square, made = 0.0, 0.0, 0.0
    for taken in range(N_TRICKS + 1):
        gain, chance = units[taken], float(chances[taken])
        mean += chance * gain
        square += chance * gain * gain
        made += chance if gain > 0 else 0.0
    mean = cell[KEPT] * mean + (1.0 - cell[KEPT]) * cell[MEAN]
    square = cell[KEPT] * square + (1.0 - cell[KEPT]) * cell[SQUARE]
    row[UNITS], row[MADE] = mean, made
    row[VALUE] = mean - risk * np.sqrt(max(square - mean * mean, 0.0)) if risk != 0.0 else mean


@kernel
def bid_rows(
    views: NDArray[np.void], bidding: Bidding, risk: float, style: int, weighed: NDArray[np.float64],
    scratch: Scratch, out: NDArray[np.int64],
) -> None:  # fmt: skip
    """Fill ``out`` (int64 [B]) with a call or a suit for each view that asks for one; the others stay."""
    for b in range(len(views)):
        if not views[b]["legal_cards"]:
            out[b] = choose_bid(views[b], bidding, risk, style, weighed, scratch)


@kernel
def bid_unit_rows(
    views: NDArray[np.void], bidding: Bidding, risk: float, style: int, weighed: NDArray[np.float64],
    scratch: Scratch, out: NDArray[np.float32],
) -> None:  # fmt: skip
    """Fill ``out`` (float32 [B, 12]) with the units expected of each call that is weighed; the others stay."""
    for b in range(len(views)):
        if asks_for_call(views[b]):
            choose_bid(views[b], bidding, risk, style, weighed, scratch)
            write_units(weighed, out, b)


def new_bid_scratch(network: Network) -> Scratch:
    """Room for the network to work in."""
    sizes = (N_INPUTS, len(network.b1), len(network.b2), len(network.b3))
    return Scratch(*(np.zeros(size, np.float32) for size in sizes))


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
        low, network = np.array([not kind.trumps for kind in KINDS], np.int64), shipped_network()
        units, prices = units_by_tricks(self.ruleset), price_sort(self.ruleset)
        self._bidding = Bidding(self._rules, self._tables, units, low, prices, network)

    def act_batch(self, views: NDArray[np.void], keys: NDArray[np.int64], out: NDArray[np.int64]) -> None:
        """Write the player's action for each view."""
        scratch = new_bid_scratch(self._bidding.network)
        bid_rows(views, self._bidding, self._risk, self._style, new_weighed(), scratch, out)
        play_rows(views, self._rules, self._points, *new_scratch(), out)

    def _write_units(self, views: NDArray[np.void], units: NDArray[np.float32]) -> None:
        """Fill ``units`` [B, 12] where a call is weighed."""
        scratch = new_bid_scratch(self._bidding.network)
        bid_unit_rows(views, self._bidding, self._risk, self._style, new_weighed(), scratch, units)

    def _weigh(self, view: np.void, weighed: NDArray[np.float64]) -> int:
        """The call or the suit for a view that asks for one; fills ``weighed`` [12, 5]."""
        scratch = new_bid_scratch(self._bidding.network)
        return int(choose_bid(view, self._bidding, self._risk, self._style, weighed, scratch))
