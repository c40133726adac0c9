"""Measures what hands are worth: plays deals out and writes the tables that ``expert`` calls by.

First each kind of contract is forced on hands that are worth a thought, with random cards around them. Then
four experts play by the tables so far, with a call drawn in some deals, so that calls are seen which they would
not make: contracts as they are really called, and what follows upon passing. Rare contracts are looked for in more
deals, which are only bid unless they end in one. Each round of that starts from the tables of the round before.
Every deal is a function of the seed and its number, so the result does not depend on how many processes work.

What is forced has no auction, and its hands are not those that are called, so it counts the less the more called
contracts there are. A call that answers a drawn one is not noted: it trusts a hand that would not have called.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from baselines.call_tables import (
    FLAT,
    N_PRICE_SORTS,
    NOTHING_PLAYED,
    SHAPES,
    CallData,
    outcome,
    price_sort,
    priced,
    shipped_call_tables,
)
from baselines.call_values import (
    BIN_WIDTH,
    COARSE_WIDTH,
    LOWEST_COARSE,
    LOWEST_SCORE,
    N_BINS,
    N_COARSE,
    N_PLACES,
    N_SITUATIONS,
    contract_of,
)
from baselines.club_calls import count_hand
from baselines.hand_score import (
    ACCEPT,
    ACCEPT_NT,
    FEWEST,
    KINDS,
    LENGTHS,
    MOST,
    N_KINDS,
    N_PATTERNS,
    design,
    n_weights,
    score_tables,
)
from baselines.play_out import (
    CALIBRATION_GAME,
    CALL,
    CONTRACT,
    DECLARER,
    HOLDING,
    LAST_EXPLORED,
    N_CALLED,
    N_LOGGED,
    PARTNER,
    PLACE,
    POSITION,
    ROUND,
    SCORED,
    SEAT,
    SITUATION,
    TRUMP,
    Log,
    explored_rows,
    forced_rows,
    new_desk,
    new_log,
    play_cards,
)
from baselines.play_points import EXPERT, points_table
from solo_env.actions import ABU, DECL, FIRST_CALL, GRAND, MIS, N_CALLS, OUV, OVER, PETIT, PROP, SOLO
from solo_env.cards import N_RANKS, N_SEATS, N_SUITS, N_TRICKS
from solo_env.engine import batch
from solo_env.engine.state import new_tables
from solo_env.rules import load_ruleset, pack_array
from solo_env.rules.model import ABT as ABT_CONTRACT
from solo_env.rules.model import CONTRACT_NAMES, GENERAL, N_CONTRACTS, NO_CONTRACT, NO_TRICK

Progress = Callable[[str], None]

CHUNK = 4000  # deals a piece of work; part of what the result is a function of
# Every contract in one ladder, each open to everybody.
FORCED_RULES = (
    'pagat+auction.ladder=["PROP","SOLO","MIS","ABU","ABT","PETIT","OUV","DECL","GRAND","RDECL"]'
    '+auction.abt_call="any_time"+pay.base.PETIT=4+pay.base.OUV=4+pay.base.DECL=6+pay.base.GRAND=7+pay.base.RDECL=8'
)
USUAL_TARGET = np.array([8, 5, 0, 9, 9, 12, 0, 13, 13, 13, 0])  # by contract; 0 is none at all
FORCED_CALLS = (PROP, PROP, SOLO, ABU, PETIT, GRAND, DECL, MIS, OUV, PROP, PROP, SOLO)  # by kind
# What self-play plays by, and the share of its deals.
EXPLORED_RULES = (("pagat", 5), ("hoyle", 2), ("margin5", 2), ("grand_slam_solo", 1), ("anna_cubed", 1))
SHARES = sum(share for _, share in EXPLORED_RULES)
LOGGED_CALLS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)
MOST_COUNTED = 40_000
FEW, PLENTY = 10_000, 60_000  # cases of a kind
N_TENTHS = 10
REGRESSED_AFTER = (0, 2)  # rounds
MOST_FITTED = 120_000  # hands of a kind in a regression
FORCED_WEIGHT = 0.3  # of a forced contract against one that was called ...
FADING = 30.0  # ... and half of that where so many in its bin were called
RARE_FROM, RARE_TIMES = ABT_CONTRACT, 6  # contracts from here up are looked for in so many times the deals
RIDGE, NEWTON_STEPS = 3.0, 7
# How far what the auction tells may move a score, in log-odds: for a call, then its situation, then its place ...
SPREADS = (0.5, 0.35, 0.25)
# ... and by how much that may differ between the sorts of price.
PRICE_SPREADS = (0.25, 0.25, 0.15)
CELL_CASES = 40.0  # cases of all positions that a position's cell leans on


class Cases(NamedTuple):
    """Contracts that were played, a row each."""

    kind: NDArray[np.int8]
    hand: NDArray[np.int64]
    trump: NDArray[np.int8]
    position: NDArray[np.int8]
    tricks: NDArray[np.int8]
    call: NDArray[np.int8]
    situation: NDArray[np.int8]
    place: NDArray[np.int8]
    prices: NDArray[np.int8]  # FLAT or MARGIN
    chance: NDArray[np.float32]  # as it was told, in self-play

    def rows(self, which: Any) -> Cases:
        """Some of the cases: ``which`` is a slice, a mask or an array of numbers."""
        return Cases(*(column[which] for column in self))


def joined(parts: Iterable[Cases]) -> Cases:
    """Many cases as one."""
    return Cases(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


# --- Playing -----------------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def _points() -> NDArray[np.int64]:
    return points_table(EXPERT)


def play_forced(kind: int, seed: int, first: int, n: int) -> Cases:
    """The forced contracts ``first`` to ``first + n`` of a kind."""
    hands, notes, taken = np.zeros((n, 2), np.int64), np.zeros((n, 5), np.int64), np.zeros(n, np.int64)
    call, tables, desk = FORCED_CALLS[kind] - FIRST_CALL, new_tables(n), new_desk(FORCED_RULES, _points())
    forced_rows(tables, desk, kind, call, seed, first, hands, notes)
    played = notes[:, 4] == 1
    tables["phase"][~played] = OVER
    play_cards(tables, desk, taken)
    accepting = kind in (ACCEPT, ACCEPT_NT)
    hands, notes, taken = hands[played], notes[played], taken[played]
    position = notes[:, 2] if accepting else notes[:, 0]
    zero = np.zeros(len(notes), np.int8)
    return Cases(
        zero + np.int8(kind), hands[:, int(accepting)], notes[:, 1].astype(np.int8), position.astype(np.int8),
        taken.astype(np.int8), zero, zero, zero, zero + np.int8(FLAT), zero.astype(np.float32),
    )  # fmt: skip


class Played(NamedTuple):
    """What a piece of self-play showed."""

    cases: Cases
    after: NDArray[np.int64]
    ends: NDArray[np.int64]
    contracts: NDArray[np.int64]  # how often each was played without exploring, last: nothing
    deals: int


def play_explored(tables: NDArray[np.void], ruleset: str, explores: bool, seed: int, first: int, n: int) -> Played:
    """Self-play of experts by these tables, deals ``first`` to ``first + n``."""
    desk, dealt, log = new_desk(ruleset, _points()), new_tables(n), new_log(n)
    batch.deal_rows(dealt, desk.rules, seed, first, CALIBRATION_GAME, -1, 1, 0, n)
    explored_rows(dealt, desk, tables, int(explores), seed, first, log)
    tricks = np.zeros(n, np.int64)
    play_cards(dealt, desk, tricks)
    return digest(log, tricks, tables[0]["kinds"], price_sort(load_ruleset(ruleset)))


def play_rare(tables: NDArray[np.void], ruleset: str, seed: int, first: int, n: int) -> Cases:
    """The rare contracts in self-play of experts by these tables, deals ``first`` to ``first + n``."""
    desk, dealt, log = new_desk(ruleset, _points()), new_tables(n), new_log(n)
    batch.deal_rows(dealt, desk.rules, seed, first, CALIBRATION_GAME, -1, 1, 0, n)
    explored_rows(dealt, desk, tables, 0, seed, first, log)
    rare = (log.ends[:, CONTRACT] >= RARE_FROM) & (log.ends[:, CONTRACT] < GENERAL)
    log = Log(log.hands[rare], log.chances[rare], log.notes[rare], log.ends[rare])
    dealt, tricks = dealt[rare], np.zeros(rare.sum(), np.int64)
    play_cards(dealt, desk, tricks)
    return digest(log, tricks, tables[0]["kinds"], price_sort(load_ruleset(ruleset))).cases


def digest(log: Log, tricks: NDArray[np.int64], kinds: NDArray[np.int64], prices: int) -> Played:
    """What a log and the tricks taken say: each call, if no other was drawn in its deal, and what it led to."""
    hands, chances, notes, ends = log
    deal, n = np.nonzero(np.arange(N_LOGGED) < ends[:, N_CALLED, None])
    drawn = ends[deal, LAST_EXPLORED]
    valid = ((drawn < 0) | (drawn == n)) & (notes[deal, n, HOLDING] == 0)
    deal, n = deal[valid], n[valid]
    note, end = notes[deal, n], ends[deal]
    seat, call = note[:, SEAT], note[:, CALL]
    contract = end[:, CONTRACT]
    declaring = (seat == end[:, DECLARER]) | (seat == end[:, PARTNER])
    taken = tricks[deal]
    made = np.where(USUAL_TARGET[contract] == 0, taken == 0, taken >= USUAL_TARGET[contract])
    where = np.where(contract == NO_CONTRACT, NOTHING_PLAYED, outcome(declaring, contract, made))
    coarse = np.clip((note[:, SCORED] - LOWEST_COARSE) // COARSE_WIDTH, 0, N_COARSE - 1)
    after = np.zeros(SHAPES["after"][1:], np.int64)
    np.add.at(after, (call, note[:, SITUATION], note[:, POSITION], coarse, where), 1)
    counted = np.zeros(SHAPES["ends"][1:], np.int64)
    played = (ends[:, CONTRACT] >= 0) & (ends[:, CONTRACT] < GENERAL)
    np.add.at(counted, (ends[played, CONTRACT], tricks[played]), 1)
    own = declaring & (call > 0) & (contract_of_calls(call) == contract)
    # Of several calls for the same contract, none is likely; the last is the one that stood.
    row, last = deal[own], {}
    for i, key in enumerate(zip(row.tolist(), seat[own].tolist(), strict=True)):
        last[key] = i
    chosen = np.flatnonzero(own)[sorted(last.values())]
    note, end = note[chosen], end[chosen]
    cases = Cases(
        kinds[note[:, ROUND], note[:, CALL]].astype(np.int8), hands[deal[chosen], note[:, SEAT]],
        end[:, TRUMP].astype(np.int8), note[:, POSITION].astype(np.int8), taken[chosen].astype(np.int8),
        note[:, CALL].astype(np.int8), note[:, SITUATION].astype(np.int8), note[:, PLACE].astype(np.int8),
        np.full(len(chosen), prices, np.int8), chances[deal[chosen], n[chosen]].astype(np.float32),
    )  # fmt: skip
    straight = ends[:, LAST_EXPLORED] < 0
    contracts = np.bincount(np.where(ends[straight, CONTRACT] < 0, GENERAL, ends[straight, CONTRACT]), minlength=11)
    return Played(cases, after, counted, contracts, int(straight.sum()))


def contract_of_calls(calls: NDArray[np.int64]) -> NDArray[np.int64]:
    """The contract of each call."""
    return np.array([contract_of(call) for call in range(N_CALLS)])[calls]


# --- Fitting -----------------------------------------------------------------------------------------------


def fit_logistic(kind: int, cases: Cases) -> NDArray[np.float64]:
    """The weights of a kind by logistic regression, with a ridge."""
    rows = np.arange(len(cases.hand))
    if len(rows) > MOST_FITTED:
        rows = rows[:: len(rows) // MOST_FITTED + 1]
    x = design(
        kind, cases.hand[rows], cases.trump[rows].astype(np.int64), cases.position[rows].astype(np.int64)
    ).astype(np.float32)
    y = made_of(kind, cases.tricks[rows]).astype(np.float64)
    weights = np.zeros(n_weights(kind))
    for _ in range(NEWTON_STEPS):
        p = 1 / (1 + np.exp(-np.clip(x @ weights, -15, 15)))
        slope = x.T @ (y - p) - RIDGE * weights
        bend = (x * np.maximum(p * (1 - p), 1e-4)[:, None].astype(np.float32)).T @ x
        bend = bend.astype(np.float64) + RIDGE * np.eye(len(weights))
        weights += np.linalg.solve(bend, slope)
    return weights


def made_of(kind: int, tricks: NDArray[np.int8]) -> NDArray[np.bool_]:
    """Whether so many tricks made a contract of the kind, as the regression counts."""
    return tricks == 0 if KINDS[kind].low else tricks >= KINDS[kind].tricks


def score_cases(scores: NDArray[np.int16], kind: int, cases: Cases) -> NDArray[np.int64]:
    """``score_hand`` of many hands."""
    patterns = cases.hand[:, None] >> (N_RANKS * np.arange(N_SUITS)) & (N_PATTERNS - 1)
    table = scores[kind].astype(np.int64)
    if not KINDS[kind].trumps:
        return table[1][patterns].sum(axis=1) + table[0, 0]
    trumps = patterns[np.arange(len(patterns)), cases.trump.astype(np.int64)]
    row = 1 + np.clip(LENGTHS[trumps], FEWEST, MOST) - FEWEST
    return table[0][trumps] + table[row[:, None], patterns].sum(axis=1) - table[row, trumps]


def bins_of(scores: NDArray[np.int64]) -> NDArray[np.int64]:
    """The bins of scores."""
    return np.clip((scores - LOWEST_SCORE) // BIN_WIDTH, 0, N_BINS - 1)


def monotone(values: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """The nearest values that never fall (pool adjacent violators)."""
    blocks: list[list[float]] = []
    for value, weight in zip(values.tolist(), weights.tolist(), strict=True):
        blocks.append([value, weight, 1])
        while len(blocks) > 1 and blocks[-2][0] > blocks[-1][0]:
            v, w, n = blocks.pop()
            blocks[-1] = [(blocks[-1][0] * blocks[-1][1] + v * w) / (blocks[-1][1] + w), blocks[-1][1] + w,
                          blocks[-1][2] + n]  # fmt: skip
    return np.concatenate([np.full(int(n), value) for value, _, n in blocks])


def distribution(kind: int, counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Chances of tricks [4, bins, 14] from such counts: rising with the score, rare cells from neighbours."""
    pooled = _rising(kind, counts.sum(axis=0), None)
    return np.stack([_rising(kind, counts[position], pooled) for position in range(N_SEATS)])


def _rising(kind: int, counts: NDArray[np.float64], prior: NDArray[np.float64] | None) -> NDArray[np.float64]:
    width = np.arange(-6, 7)
    blur = np.exp(-0.5 * (width / 2.0) ** 2)
    smooth = np.stack([np.convolve(counts[:, t], blur / blur.sum(), mode="same") for t in range(N_TRICKS + 1)], 1)
    if prior is not None:
        smooth = smooth + CELL_CASES * prior / 4
    weight = smooth.sum(axis=1)
    seen = np.flatnonzero(weight > 0)
    if not len(seen):
        return np.full(counts.shape, 1 / (N_TRICKS + 1))
    # Bins beyond those seen are as the last one seen.
    nearest = seen[np.abs(np.arange(N_BINS)[:, None] - seen).argmin(axis=1)]
    share = smooth[nearest] / weight[nearest, None]
    weight = np.maximum(weight, 1e-9)
    sign = -1.0 if KINDS[kind].low else 1.0
    tail = np.ones((N_BINS, N_TRICKS + 2))
    tail[:, -1] = 0
    for t in range(1, N_TRICKS + 1):
        tail[:, t] = sign * monotone(sign * share[:, t:].sum(axis=1), weight)
    return np.maximum(tail[:, :-1] - tail[:, 1:], 0)


def fit_shift(calls: Cases, expected: NDArray[np.float64], kinds: NDArray[np.int8]) -> NDArray[np.int64]:
    """How far what the auction told moves each score: int64 [12, situations, places], in hundredths."""
    shift = np.zeros(SHAPES["shift"])
    made = np.zeros(len(expected))
    for kind in range(N_KINDS):
        here = kinds == kind
        made[here] = made_of(kind, calls.tricks[here])
    base = np.log(np.clip(expected, 0.003, 0.997) / (1 - np.clip(expected, 0.003, 0.997)))
    # A score that was not fitted to called hands misses by more than what the auction tells, and not by one step.
    fitted = np.bincount(kinds, minlength=N_KINDS) >= FEW
    # Each step moves groups of these cells, a coarser group before those that it consists of.
    cells = np.arange(N_PRICE_SORTS * N_SITUATIONS * N_PLACES)
    of_place, prices = cells % (N_SITUATIONS * N_PLACES), cells // (N_SITUATIONS * N_PLACES)
    groups = (cells * 0, of_place // N_PLACES, of_place, prices, cells // N_PLACES, cells)
    cell = np.ravel_multi_index(
        tuple(part.astype(np.int64) for part in (calls.prices, calls.situation, calls.place)),
        shift.shape[:1] + shift.shape[2:],
    )
    for number in LOGGED_CALLS:
        rows = (calls.call == number) & fitted[kinds]
        own, won, moved = cell[rows], made[rows], base[rows].copy()
        for group, spread in zip(groups, (*SPREADS, *PRICE_SPREADS), strict=True):
            step, at = np.zeros(len(cells)), group[own]
            for _ in range(6):
                p = 1 / (1 + np.exp(-(moved + step[at])))
                slope = np.bincount(at, won - p, len(step)) - step / spread**2
                bend = np.bincount(at, p * (1 - p), len(step)) + 1 / spread**2
                step += np.clip(slope / bend, -1, 1)
            moved += step[at]
            shift[:, number] += step[group].reshape(N_PRICE_SORTS, N_SITUATIONS, N_PLACES)
    return np.rint(100 * shift).astype(np.int64)


def fit(
    forced: list[Cases], called: Cases | None, after: NDArray[np.int64], ends: NDArray[np.int64],
    about: dict[str, Any], weights: list[NDArray[np.float64]] | None = None, anew: bool = True,
) -> CallData:  # fmt: skip
    """Tables from forced contracts, by kind, and from those that were called.

    The regressions of before are kept where there is little to learn from, and all of them unless ``anew``.
    """
    tricks = np.zeros(SHAPES["tricks"])
    of_kind: list[Cases | None] = []
    weights = list(weights or [])
    for kind in range(N_KINDS):
        mine = None if called is None else called.rows(called.kind == kind)
        of_kind.append(mine)
        if called is None:
            weights.append(_fitted(kind, forced[kind]))
        elif mine is not None and anew and len(mine.hand) >= FEW:
            weights[kind] = _fitted(kind, _mixed(forced[kind], mine))
    scores = score_tables(weights)
    counts = []
    for kind in range(N_KINDS):
        own = np.zeros((N_SEATS, N_BINS, N_TRICKS + 1))
        at = bins_of(score_cases(scores, kind, forced[kind]))
        np.add.at(own, (forced[kind].position, at, forced[kind].tricks), 1.0)
        counts.append(own)
        tricks[kind] = distribution(kind, own)
    shift = np.zeros(SHAPES["shift"], np.int64)
    if called is not None:
        for _ in range(2):
            shift, tricks = _settled(scores, called, of_kind, counts, tricks, shift)
    few = [mine is None or len(mine.hand) < FEW for mine in of_kind]
    lines = np.stack([fit_line(k, forced[k] if few[k] else of_kind[k]) for k in range(N_KINDS)])
    return CallData(weights, tricks, shift, after, ends, lines, about)


def fit_line(kind: int, cases: Cases | None) -> NDArray[np.float64]:
    """Constant and slope of the log-odds over what the club player counts."""
    assert cases is not None
    n = min(len(cases.hand), MOST_COUNTED)
    pairs = zip(cases.hand[:n], cases.trump[:n].astype(np.int64), strict=True)
    counts = np.array([count_hand(kind, hand, trump) for hand, trump in pairs], np.float64)
    made, line = made_of(kind, cases.tricks[:n]), np.zeros(2)
    x = np.stack([np.ones(n), counts], axis=1)
    for _ in range(2 * NEWTON_STEPS):
        p = 1 / (1 + np.exp(-np.clip(x @ line, -15, 15)))
        bend = (x * np.maximum(p * (1 - p), 1e-4)[:, None]).T @ x + 1e-3 * np.eye(2)
        line += np.linalg.solve(bend, x.T @ (made - p))
    return line


def _fitted(kind: int, cases: Cases) -> NDArray[np.float64]:
    return fit_logistic(kind, cases).astype(np.float32).astype(np.float64)


def _mixed(forced: Cases, called: Cases) -> Cases:
    """Called contracts, and forced ones to fill up."""
    few = forced.rows(slice(0, max(MOST_FITTED // 2, MOST_FITTED - len(called.hand))))
    step = max(1, len(called.hand) // (MOST_FITTED - min(MOST_FITTED // 2, len(few.hand))))
    return joined([few, called.rows(slice(None, None, step))])


def _settled(
    scores: NDArray[np.int16], called: Cases, of_kind: list[Cases | None], counts: list[NDArray[np.float64]],
    tricks: NDArray[np.float64], shift: NDArray[np.int64],
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:  # fmt: skip
    """Shifts by the distributions so far, then distributions by those shifts."""
    expected, points = np.zeros(len(called.hand)), np.zeros(len(called.hand), np.int64)
    for kind in range(N_KINDS):
        mine = of_kind[kind]
        if mine is None or not len(mine.hand):
            continue
        here = called.kind == kind
        points[here] = score_cases(scores, kind, mine)
        least = 0 if KINDS[kind].low else KINDS[kind].tricks
        chance = tricks[kind][:, :, :1] if KINDS[kind].low else tricks[kind][:, :, least:]
        expected[here] = chance.sum(axis=2)[mine.position, bins_of(points[here])]
    shift = fit_shift(called, expected, called.kind)
    tricks = tricks.copy()
    moved = bins_of(points + shift[called.prices, called.call, called.situation, called.place])
    for kind in range(N_KINDS):
        here = called.kind == kind
        fading = FADING / (FADING + np.bincount(moved[here], minlength=N_BINS))
        own = FORCED_WEIGHT * counts[kind] * fading[:, None]
        np.add.at(own, (called.position[here], moved[here], called.tricks[here]), 1.0)
        tricks[kind] = distribution(kind, own)
    return shift, tricks


# --- The whole ---------------------------------------------------------------------------------------------


@contextmanager
def workers(n: int) -> Iterator[Callable[..., Iterator[Any]]]:
    """A ``map`` over ``n`` processes, or over none where n is 1."""
    if n == 1:
        yield map
        return
    with ProcessPoolExecutor(n, mp_context=multiprocessing.get_context("spawn")) as pool:
        yield pool.map


def calibrate(
    forced_deals: int,
    deals: int,
    seed: int,
    rounds: int,
    processes: int,
    progress: Progress,
    player: str = "expert",
) -> tuple[CallData, list[Cases]]:
    """Measure: ``forced_deals`` of each kind, then ``rounds`` of self-play of ``deals`` each.

    ``player`` is for whom, as the command recorded in the tables says: its network is another's to fit.

    Returns the tables, and the cases of the kinds (those called, behind those forced) for who wants to fit more.
    """
    about: dict[str, Any] = {
        "command": f"solo-whist calibrate --player {player} --deals {deals} --forced {forced_deals} "
        f"--rounds {rounds} --seed {seed}",
        "seed": seed, "forced": forced_deals, "deals": deals, "rounds": rounds,
    }  # fmt: skip
    after, ends = np.zeros(SHAPES["after"], np.int64), np.zeros(SHAPES["ends"], np.int64)
    with workers(processes) as spread:
        forced = []
        for kind in range(N_KINDS):
            starts = range(0, forced_deals, CHUNK)
            sizes = [min(CHUNK, forced_deals - first) for first in starts]
            n = len(sizes)
            forced.append(joined(spread(play_forced, [kind] * n, [seed] * n, starts, sizes)))
            share = made_of(kind, forced[-1].tricks).mean()
            progress(f"forced {KINDS[kind].name}: {len(forced[-1].hand)} played, {100 * share:.0f} % made")
        data = fit(forced, None, after, ends, about)
        called: Cases | None = None
        for number in range(rounds):
            cases, new_after, new_ends, told = _round(data, deals, seed, number, spread)
            # What was seen before counts half as much, lest the players chase each other's habits in circles.
            after, ends = after // 2 + new_after, ends // 2 + new_ends
            called = cases if called is None else _with_rare(called, cases)
            about["cases"] = {KINDS[k].name: int((called.kind == k).sum()) for k in range(N_KINDS)}
            data = fit(forced, called, after, ends, about, data.weights, anew=number in REGRESSED_AFTER)
            progress(f"round {number + 1}: {told}")
    return data, [*forced, called] if called is not None else forced


def _with_rare(old: Cases, new: Cases) -> Cases:
    """New cases, and old ones: all of the kinds that are rare, every other one of the rest."""
    rare = np.bincount(new.kind, minlength=N_KINDS) < PLENTY
    kept = rare[old.kind] | (np.arange(len(old.kind)) % 2 == 0)
    return joined([old.rows(kept), new])


def _round(
    data: CallData, deals: int, seed: int, number: int, spread: Callable[..., Iterator[Any]]
) -> tuple[Cases, NDArray[np.int64], NDArray[np.int64], str]:
    scores = score_tables(data.weights)
    pieces, more, first, beyond = [], [], 0, deals
    for ruleset, share in EXPLORED_RULES:
        tables, own = priced(data, scores, load_ruleset(ruleset)), deals * share // SHARES
        for start in range(0, own, CHUNK):
            size = min(CHUNK, own - start)
            pieces.append((tables, ruleset, True, seed + 1 + number, first, size))
            first += size
        for start in range(0, RARE_TIMES * own, CHUNK):
            size = min(CHUNK, RARE_TIMES * own - start)
            more.append((tables, ruleset, seed + 1 + number, beyond, size))
            beyond += size
    parts, after, ends = [], np.zeros(SHAPES["after"], np.int64), np.zeros(SHAPES["ends"], np.int64)
    mix, straight = np.zeros(11, np.int64), 0
    for piece, played in zip(pieces, spread(play_explored, *zip(*pieces, strict=True)), strict=True):
        parts.append(played.cases)
        prices = price_sort(load_ruleset(piece[1]))
        after[prices] += played.after
        ends[prices] += played.ends
        if piece[1] == "pagat":
            mix += played.contracts
            straight += played.deals
    parts += spread(play_rare, *zip(*more, strict=True))
    names = (*CONTRACT_NAMES, "nothing")
    shares = [f"{name} {100 * n / max(1, straight):.2f}" for name, n in zip(names, mix, strict=True) if n]
    return joined(parts), after, ends, f"{straight} deals of pagat, % {', '.join(shares)}"


# --- How well chances are told -----------------------------------------------------------------------------


class Calibration(NamedTuple):
    """How the chances told for one contract agree with what happened."""

    cases: int
    told: float  # the mean chance
    made: float  # the share made
    error: float  # ten bins of the chance told: mean distance of told and made, weighted by cases
    bins: tuple[tuple[int, float, float], ...]  # cases, told, made of each bin that has any


def contracts_called(ruleset: str, seed: int, first: int, n: int) -> NDArray[np.int64]:
    """How often four experts end in each contract, int64 [11], the last for none; the cards are not played."""
    desk, dealt, log = new_desk(ruleset, _points()), new_tables(n), new_log(n)
    batch.deal_rows(dealt, desk.rules, seed, first, CALIBRATION_GAME, -1, 1, 0, n)
    explored_rows(dealt, desk, shipped_call_tables(load_ruleset(ruleset)), 0, seed, first, log)
    contract = log.ends[:, CONTRACT]
    return np.bincount(np.where(contract < 0, GENERAL, contract), minlength=GENERAL + 1)


def calibration(ruleset: str, deals: int, seed: int, processes: int = 1) -> dict[str, Calibration]:
    """The calibration of each contract in experts' self-play by the shipped tables.

    A proposal counts twice, as its proposer and as its acceptor told it.
    """
    tables = shipped_call_tables(load_ruleset(ruleset))
    starts = range(0, deals, CHUNK)
    sizes = [min(CHUNK, deals - first) for first in starts]
    n = len(sizes)
    with workers(processes) as spread:
        parts = list(spread(play_explored, [tables] * n, [ruleset] * n, [False] * n, [seed] * n, starts, sizes))
    cases = joined(part.cases for part in parts)
    contracts = contract_of_calls(cases.call.astype(np.int64))
    rules = pack_array(load_ruleset(ruleset))[0]
    found = {}
    for contract in range(N_CONTRACTS):
        here = contracts == contract
        if here.any():
            tricks, target = cases.tricks[here], int(rules["target"][contract])
            made = tricks == 0 if rules["aim"][contract] == NO_TRICK else tricks >= target
            found[CONTRACT_NAMES[contract]] = calibrated(cases.chance[here].astype(np.float64), made)
    return found


def calibrated(told: NDArray[np.float64], made: NDArray[np.bool_]) -> Calibration:
    """How chances agree with what happened."""
    tenth = np.minimum((told * N_TENTHS).astype(np.int64), N_TENTHS - 1)
    bins = []
    for i in range(N_TENTHS):
        here = tenth == i
        if here.any():
            bins.append((int(here.sum()), float(told[here].mean()), float(made[here].mean())))
    error = sum(n * abs(a - b) for n, a, b in bins) / len(told)
    return Calibration(len(told), float(told.mean()), float(made.mean()), error, tuple(bins))
