"""Matches: who beats whom, by how much, and how sure that is.

``play_match`` is the short form that training and tests use: one player in each seat in turn, another in the
rest. ``evaluate`` plays a plan and gives the whole document.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from solo_env.cards import N_SEATS
from solo_env.checks import whole_number
from solo_env.evaluation.audit import audit
from solo_env.evaluation.books import Book
from solo_env.evaluation.estimates import estimate, scores_of
from solo_env.evaluation.outcomes import outcomes_of
from solo_env.evaluation.plan import Plan
from solo_env.evaluation.play import play_chunk
from solo_env.evaluation.report import Played, contracts_of, report
from solo_env.evaluation.result import Document
from solo_env.evaluation.run import CHUNK, Crew, Store, identity_of, player_hash
from solo_env.evaluation.seatings import SEATINGS
from solo_env.evaluation.sequential import Sequence
from solo_env.evaluation.sidecar import Clock
from solo_env.evaluation.study import study
from solo_env.evaluation.tally import THROWN_IN, LineupTally
from solo_env.evaluation.variates import VariateTally, expected_features
from solo_env.player import Player
from solo_env.rules import Ruleset, load_ruleset
from solo_env.signature import signature

MOST_WORKERS = 256
OUTCOMES = "outcomes"  # the folder of the chunks, in the folder of a result


@dataclass(frozen=True)
class ContractCount:
    """How often one contract was played in a match, and by whom; nobody declares or makes a general misère."""

    played: int
    made: int
    played_by_challenger: int  # the challenger was declarer or partner
    made_by_challenger: int


@dataclass(frozen=True)
class MatchResult:
    """What a match showed. Units are those of the ruleset, per deal and seat of the challenger."""

    challenger: str
    against: str
    ruleset: str
    book: str
    seed: int
    deals: int
    seating: str
    mean_units: float
    ci95: tuple[float, float] | None
    mean_units_by_position: tuple[float, ...]  # the challenger as eldest, second, third, dealer
    contracts: dict[str, ContractCount]
    thrown_in: int

    @property
    def tables(self) -> int:
        """Tables played: four for each deal."""
        return N_SEATS * self.deals

    @property
    def contract_mix(self) -> dict[str, float]:
        """The share of tables that each contract had, and ``thrown_in``."""
        mix = {name: count.played / self.tables for name, count in self.contracts.items()}
        return mix | {"thrown_in": self.thrown_in / self.tables}

    def as_json(self) -> dict[str, Any]:
        """The result as a JSON-ready mapping."""
        return {
            "mean_units": self.mean_units,
            "ci95": None if self.ci95 is None else list(self.ci95),
            "deals": self.deals,
            "seating": self.seating,
            "book": self.book,
            "seed": self.seed,
            "ruleset": self.ruleset,
            "challenger": self.challenger,
            "against": self.against,
            "mean_units_by_position": list(self.mean_units_by_position),
            "contracts": {name: vars(count) for name, count in self.contracts.items()},
            "thrown_in": self.thrown_in,
        }


def play_match(
    challenger: Player,
    against: Player,
    ruleset: str | Ruleset = "pagat",
    deals: int = 500,
    seed: int = 0,
    progress: Callable[[int], None] | None = None,
    book: str = "test",
) -> MatchResult:
    """Play ``challenger`` in each seat of ``deals`` deals of a book, ``against`` in the other three.

    Every deal stands alone, also where the pack would carry over to the next.

    Args:
        challenger: the player measured.
        against: who sits in the other seats.
        ruleset: what is played.
        deals: how many deals, at least 1; four tables each.
        seed: names the deals of the book and the players' randomness.
        progress: called with the number of deals done after each chunk.
        book: ``test`` to report, ``dev`` for what something is chosen by; see :mod:`solo_env.evaluation.books`.

    Raises:
        ValueError: a bad number of deals, seed or book.
        PlayerError: a player failed while deciding, or chose an illegal action.
    """
    ruleset = load_ruleset(ruleset)
    deal_book, seats = Book(book, seed, ruleset), SEATINGS["one_against_three"].seats
    deals = whole_number("the number of deals", deals, 1)
    tally = LineupTally(2)
    for first in range(0, deals, CHUNK):
        n = min(CHUNK, deals - first)
        tally.add(outcomes_of(play_chunk((challenger, against), seats, deal_book, first, n), 0, first), seats)
        if progress:
            progress(first + n)
    found = estimate(tally.scores[0], N_SEATS, resamples=0)
    return MatchResult(
        challenger=challenger.name,
        against=against.name,
        ruleset=f"{ruleset.name}@{signature(ruleset)}",
        book=deal_book.name,
        seed=seed,
        deals=deals,
        seating="1 against 3, all four seats",
        mean_units=found.mean,
        ci95=found.t95,
        mean_units_by_position=tuple(estimate(scores, 1, 0).mean for scores in tally.by_position),
        contracts={name: ContractCount(**count) for name, count in contracts_of(tally, ruleset).items()},
        thrown_in=int(tally.contracts[THROWN_IN, 0]),
    )


def evaluate(
    plan: Plan,
    workers: int = 1,
    out: Path | None = None,
    progress: Callable[[int, int], None] | None = None,
    clock: Clock | None = None,
) -> Document:
    """Play a plan and give its document, the same whatever the number of workers and however often it was killed.

    Args:
        plan: what is played.
        workers: how many processes play; more than one makes players anew in each.
        out: a folder in which what is played is kept, so that a killed run goes on where it was.
        progress: called with clusters done and clusters planned, after each chunk.
        clock: told how long each part took.

    Raises:
        ValueError: a player that fails or plays illegally, a folder of another measurement.
        OSError: the folder cannot be written.
    """
    workers = whole_number("the number of workers", workers, 1, MOST_WORKERS)
    clock = clock or Clock()
    players = plan.make_players()
    hashes = [[player_hash(player, plan.book) for player in lineup] for lineup in players]
    store = Store(out / OUTCOMES, identity_of(plan, hashes)) if out else None
    expected_features(plan.ruleset)
    with Crew(plan, players, workers, store) as crew:
        crew.warm_up()
        clock.lap("start")
        played = count(plan, crew, progress)
        clock.lap("match")
    checks = audit(plan, players, played.first_clusters, played.lineups)
    clock.lap("audit")
    found = study(plan, players[0], played.lineups[0].clusters, clock) if plan.study else None
    document = report(plan, hashes, played, checks, found)
    clock.lap("report")
    return document


def count(plan: Plan, crew: Crew, progress: Callable[[int, int], None] | None = None) -> Played:
    """The sums over the chunks of a plan, until all are played or the sequence stops it.

    The sequence looks at the challenger's score or, if there is a rival, at the difference of both.
    """
    seats, n_lineups = plan.seating.seats, len(plan.lineups)
    played: Played | None = None
    for outcomes in crew.outcomes():
        if played is None:
            played = Played(
                [LineupTally(len(lineup)) for lineup in plan.lineups],
                [VariateTally() for _ in range(n_lineups + (n_lineups > 1))],
                Sequence(plan.seating.seats_of(0) * plan.book.session, plan.until),
                Counter() if n_lineups > 1 else None,
                outcomes,
            )
        sequence = played.sequence
        parts = outcomes.reshape(n_lineups, -1, len(seats) * plan.book.session)
        done, n = 0, parts.shape[1]
        while done < n and not sequence.stopped:
            here = slice(done, done + sequence.room(n - done))
            first = sequence.n
            scores = [
                tally.add(part[here].reshape(-1), seats) for tally, part in zip(played.lineups, parts, strict=True)
            ]
            if played.differences is not None:
                scores.append(scores[0] - scores[1])
                played.differences += scores_of(scores[-1])
            dealt = plan.book.deal(first, len(scores[0]))
            for variates, score in zip(played.variates, scores, strict=True):
                variates.add(dealt, first, score)
            sequence.add(scores[-1])
            done = here.stop
        if progress:
            progress(sequence.n, plan.clusters)
        if sequence.stopped:
            break
    assert played is not None  # a plan has at least one cluster
    return played
