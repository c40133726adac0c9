"""The self-audit of a measurement: what must hold of its book, its seats and its players, checked at every run.

It is small beside the match, plays no deal that the match does not play or that is not one of them turned or
renamed, and its findings are part of the document. A player that breaks what :class:`solo_env.player.Player`
promises is found out by playing it under another name, alone, in other seats and with the suits renamed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solo_env.cards import N_RANKS, N_SEATS, N_SUITS
from solo_env.engine import batch
from solo_env.engine.state import new_tables
from solo_env.evaluation.books import BOOK_GAMES, Book
from solo_env.evaluation.kernels import reopen_deals
from solo_env.evaluation.plan import Plan
from solo_env.evaluation.play import Round, play_chunk, play_tables
from solo_env.evaluation.run import play_clusters
from solo_env.evaluation.seatings import SEATINGS
from solo_env.evaluation.tally import LineupTally
from solo_env.player import Player, PlayerError, ask_player, make_player
from solo_env.rules import pack_array

SELF_DEALS = 24  # of each player against itself, and turned
SUIT_DEALS = 200  # with the suits renamed
REPLAYED = 16  # clusters that are played again here
LADDER_DEALS = 60
STRONG, WEAK = "novice", "random"
COMPARED = 64  # deals of each book
FAR = 4.0  # standard errors, beyond which luck is no explanation
ANOTHER_NAME = "somebody else"
ENVIRONMENT_GAMES = (0, 1)  # what environments and training begin with


@dataclass(frozen=True)
class Check:
    """One thing that must hold; ``passed`` is None where it could not be checked."""

    name: str
    passed: bool | None
    said: str

    def as_json(self) -> dict[str, Any]:
        """JSON-ready."""
        return {"check": self.name, "passed": self.passed, "said": self.said}


def audit(
    plan: Plan,
    players: Sequence[Sequence[Player]],
    first_clusters: NDArray[np.void],
    tallies: Sequence[LineupTally],
) -> list[Check]:
    """All checks of a plan that has been played.

    Args:
        plan: what was played.
        players: of each lineup.
        first_clusters: the outcomes of the first chunk, as they were counted.
        tallies: the sums of each lineup.
    """
    decisions = [Decisions(plan, number) for number in range(len(plan.lineups))]
    again = same_when_played_again(plan, players, first_clusters, decisions)
    by_player: dict[str, list[Check]] = {}
    for noted, lineup in zip(decisions, players, strict=True):
        for spec, player in zip(noted.specs, lineup, strict=True):
            if spec not in by_player:
                by_player[spec] = player_checks(plan, spec, player, noted)
    n_decisions = sum(noted.n for noted in decisions)
    return [
        zero_sum(tallies),
        every_cluster_once(plan, tallies),
        books_apart(plan.book),
        seats_balanced(plan),
        again,
        *[check for checks in by_player.values() for check in checks],
        turned_seats(plan, players[0]),
        renamed_suits(plan, players[0]),
        strong_beats_weak(plan),
        Check(
            "no illegal action", True, f"Each of {n_decisions:,} decisions played again was legal, as all before."
        ),
    ]


class Decisions:
    """What each player of a lineup decided at some tables: one seat a cluster, so that nobody sees two hands."""

    def __init__(self, plan: Plan, lineup: int) -> None:
        self.specs, self.seats = plan.lineups[lineup], plan.seating.seats
        self.n = 0
        self.by_player: dict[int, list[tuple[NDArray[Any], ...]]] = {p: [] for p in range(len(self.specs))}

    def watch(self, told: Round) -> None:
        """Note a round."""
        self.n += len(told.rows)
        cluster, row = np.divmod(told.rows, len(self.seats))
        for player, kept in self.by_player.items():
            its_row = (cluster + player) % len(self.seats)
            its_seat = np.argmax(self.seats == player, axis=1)[its_row]
            mine = np.flatnonzero((told.players == player) & (row == its_row) & (told.seats == its_seat))
            if len(mine):
                kept.append((told.views[mine].copy(), told.keys[mine], told.actions[mine]))

    def of(self, spec: str) -> tuple[NDArray[Any], ...] | None:
        """Views, keys and actions of the player with this spec, in an order that is no game's."""
        parts = [part for p, kept in self.by_player.items() if self.specs[p] == spec for part in kept]
        if not parts:
            return None
        views, keys, actions = (np.concatenate(column) for column in zip(*parts, strict=True))
        order = np.argsort(keys, kind="stable")  # keys are hashes
        return views[order], keys[order], actions[order]


# --- the numbers


def zero_sum(tallies: Sequence[LineupTally]) -> Check:
    """What is won at a table is lost at it."""
    tables, bad = sum(tally.tables for tally in tallies), sum(tally.unbalanced for tally in tallies)
    return Check("payoffs sum to zero", bad == 0, f"{bad:,} of {tables:,} finished tables do not sum to zero.")


def every_cluster_once(plan: Plan, tallies: Sequence[LineupTally]) -> Check:
    """Every cluster of the book is counted once, from the first on, in each lineup."""
    bad = sum(tally.out_of_turn for tally in tallies)
    clusters = tallies[0].clusters
    same = all(tally.clusters == clusters for tally in tallies)
    return Check(
        "every deal counted once",
        bad == 0 and same,
        f"Of clusters 0 to {clusters - 1:,} of {plan.book.id}, {bad:,} were counted twice or left out.",
    )


def books_apart(book: Book) -> Check:
    """No book shares a deal with another, or with what environments and training begin with."""
    games = {**BOOK_GAMES, **{f"game {game}": game for game in ENVIRONMENT_GAMES}}
    rules = pack_array(book.ruleset)
    seen: dict[bytes, str] = {}
    shared: set[str] = set()
    for name, game in games.items():
        tables = new_tables(COMPARED)
        batch.deal_rows(tables, rules, book.seed, 0, game, -1, 1, 0, COMPARED)
        for dealt in tables["dealt"]:
            other = seen.setdefault(dealt.tobytes(), name)
            if other != name:
                shared.add(f"{other} and {name}")
    said = f"{COMPARED} deals of each of {', '.join(games)} under seed {book.seed}: "
    return Check(
        "no deal in two books",
        not shared,
        said + (f"shared by {'; '.join(sorted(shared))}." if shared else "none shared."),
    )


def seats_balanced(plan: Plan) -> Check:
    """Every player sits in every seat as often."""
    seats = plan.seating.seats
    counts = np.array([(seats == player).sum(axis=0) for player in range(plan.seating.n_players)])
    even = bool((counts == counts[:, :1]).all())
    told = "as often" if even else f"not as often: {counts.tolist()} by player and seat"
    return Check("seats balanced", even, f"Every player has every seat {told} in {plan.seating.name}.")


def same_when_played_again(
    plan: Plan,
    players: Sequence[Sequence[Player]],
    first_clusters: NDArray[np.void],
    decisions: Sequence[Decisions],
) -> Check:
    """The first clusters, played again here in another number at once, come out as they were counted."""
    n = min(REPLAYED, plan.clusters)
    for noted, lineup in zip(decisions, players, strict=True):
        play_chunk(lineup, plan.seating.seats, plan.book, 0, n, noted.watch)
    again = play_clusters(plan, players, 0, n)
    counted = first_clusters[first_clusters["cluster"] < n]
    bad = np.flatnonzero(again != counted) if len(again) == len(counted) else np.arange(len(again))
    where = (
        f"cluster {again['cluster'][bad[0]]}, table {again['row'][bad[0]]} is the first of {len(bad)}"
        if len(bad)
        else "none"
    )
    return Check(
        "the same when played again",
        not len(bad),
        f"{len(again)} tables of {n} clusters, whoever played them and however many at once; different: {where}.",
    )


# --- the players


def player_checks(plan: Plan, spec: str, player: Player, decisions: Decisions) -> list[Check]:
    """Each player against itself under another name, and asked again alone."""
    try:
        other = make_player(spec, plan.ruleset)
    except PlayerError as error:  # one that can be made only once, such as a program that holds a port
        return [Check(f"{spec} against itself", None, f"A second {spec} cannot be made: {error}")]
    checks = []
    asked = decisions.of(spec)
    if asked:
        checks.append(decides_by_view_and_key(spec, other, *asked))
    other.name = ANOTHER_NAME
    if asked:
        checks.append(no_matter_what_it_is_called(spec, other, *asked))
    checks.append(against_itself(plan, spec, player, other))
    return checks


def decides_by_view_and_key(
    spec: str, other: Player, views: NDArray[np.void], keys: NDArray[np.int64], actions: NDArray[np.int64]
) -> Check:
    """A new player of the same spec, shown views of one seat a deal outside of any game, decides the same."""
    bad = int((_asked(other, views, keys) != actions).sum())
    return Check(
        f"{spec} decides by view and key",
        bad == 0,
        f"{bad} of {len(actions)} decisions differ when only the view and the key are there to decide by.",
    )


def no_matter_what_it_is_called(
    spec: str, other: Player, views: NDArray[np.void], keys: NDArray[np.int64], actions: NDArray[np.int64]
) -> Check:
    """Its decisions do not depend on its name."""
    bad = int((_asked(other, views, keys) != actions).sum())
    return Check(
        f"{spec} under another name", bad == 0, f"{bad} of {len(actions)} decisions differ under another name."
    )


def _asked(player: Player, views: NDArray[np.void], keys: NDArray[np.int64]) -> NDArray[np.int64]:
    """What a player decides for copies of views; -1 everywhere if it fails, which is an answer too."""
    try:
        return ask_player(player, views.copy(), keys.copy())
    except PlayerError:
        return np.full(len(views), -1, np.int64)


def against_itself(plan: Plan, spec: str, player: Player, other: Player) -> Check:
    """A player wins nothing from itself, deal by deal, whatever it is called."""
    n = max(1, SELF_DEALS // plan.book.session)
    seats = SEATINGS["one_against_three"].seats
    payoff = play_chunk((player, other), seats, plan.book, 0, n)["payoff"]
    score = sum(payoff[:, row, :, row].sum(axis=1) for row in range(N_SEATS))
    bad = int((score != 0).sum())
    return Check(
        f"{spec} against itself",
        bad == 0,
        f"{bad} of {n} clusters are not exactly zero over the four seats, the other under another name.",
    )


# --- the same deals, turned and renamed


def turned_seats(plan: Plan, players: Sequence[Player]) -> Check:
    """Cards, dealer and players moved on by one seat, and with them the chance: every payoff moves on and stays."""
    n = min(SELF_DEALS, plan.clusters)
    dealt, player_of = _first_deals(plan, n)
    plain, turned = dealt.copy(), dealt.copy()
    turned["dealt"] = np.roll(dealt["dealt"], 1, axis=1)
    turned["dealer"] = (dealt["dealer"] + 1) % N_SEATS
    reopen_deals(turned, pack_array(plan.ruleset))
    play_tables(players, player_of, plain, plan.ruleset, plan.book.key_seed)
    play_tables(players, np.roll(player_of, 1, axis=1), turned, plan.ruleset, plan.book.key_seed, turned=1)
    bad = int((np.roll(plain["payoff"], 1, axis=1) != turned["payoff"]).any(axis=1).sum())
    return Check(
        "turned seats give the same number",
        bad == 0,
        f"{bad} of {len(plain)} tables come out otherwise one seat on.",
    )


def renamed_suits(plan: Plan, players: Sequence[Player]) -> Check:
    """The same deals with other names for their suits: no advantage is in the names.

    A player that breaks ties by suit plays some of them otherwise, so the number need only be the same as
    luck goes. One that looks the deal up finds nothing.
    """
    n = min(SUIT_DEALS, plan.clusters)
    dealt, player_of = _first_deals(plan, n)
    plain, renamed = dealt.copy(), dealt.copy()
    names = np.stack([_new_names(int(suit), plan.ruleset.trump.source == "turn_up") for suit in dealt["suit"]])
    suits = dealt["dealt"] // N_RANKS
    moved = names[np.arange(len(dealt))[:, None, None], suits]
    renamed["dealt"] = moved * N_RANKS + dealt["dealt"] % N_RANKS
    renamed["suit"] = np.where(dealt["suit"] < 0, dealt["suit"], names[np.arange(len(dealt)), dealt["suit"]])
    reopen_deals(renamed, pack_array(plan.ruleset))
    for tables in (plain, renamed):
        play_tables(players, player_of, tables, plan.ruleset, plan.book.key_seed)
    mine = player_of == 0
    change = np.where(mine, renamed["payoff"] - plain["payoff"], 0).sum(axis=1)
    by_cluster = change.reshape(n, -1).sum(axis=1) / plan.seating.seats_of(0)
    same = int((renamed["payoff"] == plain["payoff"]).all(axis=1).sum())
    mean, error = float(by_cluster.mean()), float(by_cluster.std(ddof=1)) / math.sqrt(n) if n > 1 else math.inf
    z = 0.0 if mean == 0 else mean / error if error else math.inf
    return Check(
        "renamed suits give the same number",
        abs(z) <= FAR,
        f"{same} of {len(plain)} tables come out the same; the rest move the mean of {n} deals by {mean:+.3f}, "
        f"{abs(z):.1f} standard errors.",
    )


def _first_deals(plan: Plan, n: int) -> tuple[NDArray[np.void], NDArray[np.int8]]:
    """The first deals of n clusters, once for each table of the seating, and who sits there."""
    dealt = np.repeat(plan.book.deal(0, n), len(plan.seating.rows))
    return dealt, np.tile(plan.seating.seats, (n, 1))


def _new_names(suit: int, whole: bool) -> NDArray[np.int8]:
    """By suit its new name: all move on by one, or all but the suit of the deal where that has to stay."""
    moving = [s for s in range(N_SUITS) if whole or s != suit]
    names = np.arange(N_SUITS, dtype=np.int8)
    names[moving] = moving[1:] + moving[:1]
    return names


def strong_beats_weak(plan: Plan) -> Check:
    """A player that is known to be better is measured to be better."""
    name = f"{STRONG} beats {WEAK}"
    try:
        players = [make_player(spec, plan.ruleset) for spec in (STRONG, WEAK)]
    except PlayerError as error:
        return Check(name, None, f"These players are not here: {error}")
    n = max(6, LADDER_DEALS // plan.book.session)
    payoff = play_chunk(players, SEATINGS["one_against_three"].seats, plan.book, 0, n)["payoff"]
    score = sum(payoff[:, row, :, row].sum(axis=1) for row in range(N_SEATS)) / (N_SEATS * plan.book.session)
    mean, wide = float(score.mean()), float(score.std(ddof=1)) / math.sqrt(n)
    return Check(
        name, mean > 2 * wide, f"By {mean:+.3f} units a deal over {n} clusters, {mean / wide:.1f} standard errors."
    )


def failed(checks: Sequence[Check]) -> list[str]:
    """What the checks that failed say, each with its name."""
    return [f"{check.name}: {check.said}" for check in checks if check.passed is False]
