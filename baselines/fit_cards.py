"""How the points of ``expert`` and ``club`` are found: by playing out every candidate of many decisions.

Each round plays deals by the points of the round before; the first has novices only, so nothing is read from an
earlier fit. At some decisions every candidate is played out on the deal as it lies, all seats going on as they are.
Half of the seats by chance play by the points, half are novices. Then the points of each table climb towards those
with which the candidate with the most points brings the most, and stay near what was played. The last two rounds
are averaged. The club player gets points for what is seen without counting, from the decisions of the last two.

Why the true deal, not sampled hands: features are written from the view alone, so points cannot learn what is
hidden, only its average. The average over true deals is the right one: it knows which hands make such calls and
such plays. ``solo_env.sampler`` draws all hands that a view leaves possible alike, whatever was called.

Deals are called by a player of choice and played under ``margin5``, where five tricks are worth as much as the
contract, so that each trick tells something. Contracts that are seldom called are played on hands that suit them,
general misères in each of their forms.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from baselines.card_play import ATTACKS, FOLLOWS, LEADS, N_ROLES, N_TABLES, STAYS, VOIDS
from baselines.fit_kernels import (
    NO_TRICK,
    NO_TRICK_OPEN,
    STREAM_FIT,
    TRICKS,
    Decisions,
    climb,
    gather,
    mark_declarers,
    name_trumps,
    new_decisions,
    new_slopes,
    new_work,
)
from baselines.play_follow import RISK_HIGH, RUFF_OVER, RUFF_SURE
from baselines.play_lead import N_FEATURES, SIDE_RUFF
from baselines.play_misere import HIS_FORCED, STAY_OVER
from baselines.play_points import TABLES, feature_table, points_json
from solo_env import actions
from solo_env.cards import N_CARDS
from solo_env.checks import whole_number
from solo_env.engine import batch
from solo_env.engine.bits import seed_stream
from solo_env.engine.state import NOBODY, new_tables, new_views
from solo_env.player import PlayerError, ask_player, make_player
from solo_env.rules import load_ruleset, pack_array
from solo_env.table import check_seed

SCALE = 50  # points for a weight of 1, so that points have three digits
CHUNK = 256  # tables whose decisions are gathered at once; decides memory, never the result
FEWEST = 10  # a table of points with fewer decisions stays as it is
IMITATE_FIRST, IMITATE = 0.3, 0.2  # how strongly points stay near what was played


class Source(NamedTuple):
    """Deals to learn from."""

    ruleset: str
    call: str  # what the seat whose hand suits it best calls, the others passing; "" for a player's own calls
    kind: int  # of the contract: which hands suit it
    tables: int  # for each 100 deals asked for
    share: int  # of 100 decisions, how many are looked at; of some tables of points more or fewer


SOURCES = (
    Source("margin5", "", -1, 100, 24),
    Source("margin5", "ABU", TRICKS, 22, 40),
    Source("margin5", "MIS", NO_TRICK, 15, 60),
    Source("margin5", "OUV", NO_TRICK_OPEN, 6, 90),
    *(
        Source(f'pagat+passout.mode="{mode}"', "PASS", -1, 3, 30)
        for mode in ("fewest", "first_to_five", "most_tricks", "last_trick")
    ),
)

# What the fit may not say, since the literature is sure and the deals played out hardly tell: the least or the most
# points of a feature in a table. They are set at the very end, else other features would make up for them.
AGAINST_ONE, PARTNERS, AGAINST_PARTNERS = 1, 2, 3
THIRD_HAND, FACE_UP = 1, 1
LEAST = {
    # A fellow who is out of the suit gets his ruff.
    (LEADS + AGAINST_ONE, SIDE_RUFF): 250,
    (LEADS + PARTNERS, SIDE_RUFF): 400,
    (LEADS + AGAINST_PARTNERS, SIDE_RUFF): 350,
    # A ruff goes over the one before it; whoever doesn't count sees only that it cannot be beaten.
    (VOIDS + PARTNERS, RUFF_OVER): 400,
    (VOIDS + PARTNERS, RUFF_SURE): 200,
    # Third hand finesses.
    (FOLLOWS + 2 * PARTNERS + THIRD_HAND, RISK_HIGH): 50,
    # Where the caller of a misère has nothing lower, a low card takes him.
    (ATTACKS + FACE_UP, HIS_FORCED): 400,
}
MOST = {
    # Nobody goes over for nothing while the caller of a misère is to come.
    (STAYS, STAY_OVER): 0,
}


def fit_cards(
    deals: int, seed: int, rounds: int, calls: str = "novice", progress: Callable[[str], None] | None = None
) -> bytes:
    """Fit the points of both levels; returns the file of points, the same for the same arguments everywhere.

    Args:
        deals: how many deals a round plays with the calls of a player, at least 1; other contracts in proportion.
        seed: names the deals, and which decisions are looked at.
        rounds: at least 1.
        calls: the spec of the player whose calls the deals have.
        progress: called with a line of text after each step.

    Raises:
        ValueError: a bad number of deals or rounds, or a bad seed.
        PlayerError: no such player, or it failed.
    """
    deals = whole_number("the number of deals", deals, 1)
    rounds = whole_number("the number of rounds", rounds, 1)
    seed = check_seed(seed)
    tell = progress or (lambda _: None)
    weights = np.zeros((N_TABLES, N_FEATURES))
    history: list[NDArray[np.float64]] = [weights]
    kept: list[Harvest] = []
    for number in range(rounds):
        harvest = Harvest()
        for source, _ in enumerate(SOURCES):
            harvest_source(harvest, source, number, deals, seed, calls, as_points(weights))
        tell(f"round {number + 1} of {rounds}: {sum(harvest.seen):,} decisions")
        # What novices alone decided is used once.
        kept = [*kept[-1:], harvest] if number > 1 else [harvest]
        imitate = IMITATE if number else IMITATE_FIRST
        weights = fit_tables(kept, weights, imitate, seed, ones(counted=True))
        history.append(weights)
        tell(f"round {number + 1} of {rounds}: fitted")
    expert = (history[-1] + history[-2]) / 2 if rounds > 1 else weights
    club = fit_tables(kept, expert * ones(counted=False), IMITATE_FIRST, seed, ones(counted=False))
    tell("the club player's points: fitted")
    levels = [within_limits(as_points(expert)), within_limits(as_points(club)) * ones(counted=False)]
    command = f"solo-whist fit-cards --deals {deals} --seed {seed} --rounds {rounds} --calls {calls}"
    seen = np.sum([harvest.seen for harvest in kept], axis=0)
    return points_json(np.stack(levels), {"command": command, "seed": seed, "decisions": _by_table(seen)})


def _by_table(seen: NDArray[np.int64]) -> dict[str, list[int]]:
    return {rows.name: seen[rows.first : rows.first + len(rows.columns)].tolist() for rows in TABLES}


def as_points(weights: NDArray[np.float64]) -> NDArray[np.int64]:
    """Weights as whole points."""
    return np.rint(weights * SCALE).astype(np.int64)


def within_limits(points: NDArray[np.int64]) -> NDArray[np.int64]:
    """Points with what stands in ``LEAST`` and ``MOST`` heeded."""
    bound = points.copy()
    for at, least in LEAST.items():
        bound[at] = max(bound[at], least)
    for at, most in MOST.items():
        bound[at] = min(bound[at], most)
    return bound


def ones(counted: bool) -> NDArray[np.int64]:
    """1 for each feature, int64[N_TABLES, N_FEATURES]; for those that need counting only if ``counted``."""
    mask = np.zeros((N_TABLES, N_FEATURES), np.int64)
    for table in range(N_TABLES):
        for feature, _, seen in feature_table(table).features:
            mask[table, feature] = counted or seen
    return mask


# --- Decisions ----------------------------------------------------------------------------------------------


class Harvest:
    """The decisions of a round: how many were seen of each table, and those in which the card mattered."""

    def __init__(self) -> None:
        self.seen = np.zeros(N_TABLES, np.int64)
        self._parts: list[list[tuple[NDArray[np.int64], NDArray[np.int16], NDArray[np.int64], NDArray[np.int64]]]]
        self._parts = [[] for _ in range(N_TABLES)]

    def add(self, found: Decisions, n: int) -> None:
        """Take in the first ``n`` decisions of ``found``, copied."""
        if n == 0:
            return
        start, tables = found.start[:n], found.table[:n]
        size = found.start[n]
        value = found.value[:size]
        sizes = np.diff(found.start[: n + 1])
        self.seen += np.bincount(tables, minlength=N_TABLES)
        matters = np.maximum.reduceat(value, start) > np.minimum.reduceat(value, start)
        for table in range(N_TABLES):
            these = matters & (tables == table)
            if these.any():
                rows = np.repeat(these, sizes)
                part = (sizes[these], found.features[:size][rows], value[rows], found.taken[:size][rows])
                self._parts[table].append(part)

    def of(
        self, table: int
    ) -> list[tuple[NDArray[np.int64], NDArray[np.int16], NDArray[np.int64], NDArray[np.int64]]]:
        """The decisions of one table in parts: sizes, features, values, cards taken."""
        return self._parts[table]


def harvest_source(
    harvest: Harvest, source: int, number: int, deals: int, seed: int, calls: str, points: NDArray[np.int64]
) -> None:
    """Play the deals of a source, by ``points`` unless it is round 0, and add their decisions."""
    at = SOURCES[source]
    rules = pack_array(load_ruleset(at.ruleset))
    game = len(SOURCES) * number + source
    wanted = max(1, deals * at.tables // 100)
    share, work, found = shares(at.share), new_work(), new_decisions(CHUNK * N_CARDS)
    first = 0
    for tables in auctioned(at, rules, wanted, seed, game, calls):
        for begin in range(0, len(tables), CHUNK):
            some = tables[begin : begin + CHUNK].copy()
            origin = np.array([seed, game, first + begin], np.int64)
            n = gather(some, rules, origin, share, points, int(number > 0), work, found)
            harvest.add(found, int(n))
        first += len(tables)


def shares(share: int) -> NDArray[np.int64]:
    """Of 100 decisions of each table of points, how many are looked at: few leads, since there are so many."""
    per_table = np.full(N_TABLES, share, np.int64)
    per_table[LEADS : LEADS + N_ROLES] = share * 7 // 10
    per_table[FOLLOWS : FOLLOWS + 2 * N_ROLES] = share * 4
    return per_table


def auctioned(
    source: Source, rules: NDArray[np.void], wanted: int, seed: int, game: int, calls: str
) -> Iterator[NDArray[np.void]]:
    """Tables at the first card, in lots: ``wanted`` deals where a player calls, else as many that suit."""
    caller = None if source.call else make_player(calls, load_ruleset(source.ruleset))
    first, lot = 0, 2048
    while wanted > 0:
        n = min(lot, wanted) if source.kind < 0 else lot
        tables, deals = new_tables(n), np.arange(first, first + n)
        batch.deal_rows(tables, rules, seed, first, game, -1, 1, 0, n)
        first += n
        seats = np.full(n, NOBODY, np.int64)
        if source.kind >= 0:
            mark_declarers(tables, source.kind, seats)
            chosen = np.flatnonzero(seats != NOBODY)[:wanted]
            tables, deals, seats = tables[chosen], deals[chosen], seats[chosen]
        wanted -= len(tables)
        while (live := np.flatnonzero(tables["phase"] < actions.PLAY)).size:
            asked = tables[live]
            if caller:
                views, keys = new_views(live.size), np.zeros(live.size, np.int64)
                batch.write_views(asked, rules, views, 0, live.size)
                batch.write_keys(asked, seed, deals[live], keys)
                chosen = ask_player(caller, views, keys)
            else:
                chosen = forced_calls(asked, seats[live], actions.parse(source.call))
            if batch.first_illegal(asked, rules, chosen) >= 0:
                raise PlayerError(f"player {calls!r} made a call that is not open.")
            batch.apply_rows(asked, rules, chosen, 0, live.size)
            tables[live] = asked
        yield tables[tables["phase"] == actions.PLAY]


def forced_calls(tables: NDArray[np.void], seats: NDArray[np.int64], call: int) -> NDArray[np.int64]:
    """What each table's seat on turn says: ``call`` if it is the one of ``seats``, then trumps; else PASS."""
    chosen = np.where(tables["turn"] == seats, call, actions.parse("PASS")).astype(np.int64)
    naming = np.flatnonzero(tables["phase"] == actions.NAMING)
    suits = np.zeros(naming.size, np.int64)
    name_trumps(tables[naming], seats[naming], suits)
    chosen[naming] = actions.FIRST_TRUMPS + suits
    return chosen


# --- Points -------------------------------------------------------------------------------------------------


def fit_tables(
    harvests: list[Harvest], weights: NDArray[np.float64], imitate: float, seed: int, mask: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Weights float64[N_TABLES, N_FEATURES] that climbed from ``weights``, 0 where ``mask`` is 0."""
    fitted = weights.copy()
    slopes, rng = new_slopes(), np.zeros(4, np.int64)
    for table in range(N_TABLES):
        parts = [part for harvest in harvests for part in harvest.of(table)]
        sizes = np.concatenate([part[0] for part in parts]) if parts else np.zeros(0, np.int64)
        if len(sizes) < FEWEST:
            continue
        columns = np.flatnonzero(mask[table])
        features = np.concatenate([part[1] for part in parts])[:, columns]
        paid = np.concatenate([part[2] for part in parts])
        start = np.concatenate([[0], np.cumsum(sizes)])
        totals = np.add.reduceat(paid, start[:-1])
        value = (paid * np.repeat(sizes, sizes) - np.repeat(totals, sizes)) / np.repeat(sizes, sizes)
        taken = np.concatenate([part[3] for part in parts])
        found = Decisions(start, np.zeros(0, np.int64), np.ascontiguousarray(features), paid, taken)
        moved = fitted[table, columns].copy()
        seed_stream(rng, seed, table, len(sizes), STREAM_FIT)
        climb(found, value, spread(features), imitate, rng, moved, slopes)
        fitted[table, columns] = moved
    return fitted


def spread(features: NDArray[np.int16]) -> NDArray[np.float64]:
    """The standard deviation of each column, 1 where it is 0; from whole numbers, so the same everywhere."""
    n = len(features)
    deviations = []
    for column in features.T.astype(np.int64):
        square = n * int((column * column).sum()) - int(column.sum()) ** 2
        deviations.append(math.sqrt(square) / n if square else 1.0)
    return np.array(deviations)
