"""The self-audit: it passes what is sound, and each planted fault is caught by a check that says which."""

from __future__ import annotations

import sys
import zlib
from typing import ClassVar

import numpy as np
import pytest

from solo_env.cards import N_SEATS
from solo_env.evaluation import audit, books, evaluate, new_plan, play, run
from solo_env.evaluation.books import Book, dealt_hands
from solo_env.evaluation.seatings import SEATINGS, Seating
from solo_env.player import BatchPlayer, make_player
from solo_env.rules import shipped_rulesets
from solo_env.table import Table

DEALS = 200
FEW = 40


def failures(plan) -> set[str]:
    """The checks that failed."""
    document = evaluate(plan)
    found = {check["check"] for check in document["audit"] if check["passed"] is False}
    assert [f"The audit failed: {name}" in " ".join(document["warnings"]) for name in found] == [True] * len(found)
    return found


def of(cls) -> str:
    return f"{__name__}:{cls.__name__}"


@pytest.mark.parametrize("name", ["uniform", "random", "pass", "novice", "club", "expert", "ev-bidder"])
def test_the_players_that_are_shipped_pass(name):
    document = evaluate(new_plan(name, ["random"], deals=DEALS, seed=3))
    assert [check for check in document["audit"] if check["passed"] is not True] == []
    assert len(document["audit"]) >= 12


@pytest.mark.parametrize("ruleset", shipped_rulesets())
def test_it_passes_under_every_ruleset(ruleset):
    assert failures(new_plan("expert", ["novice"], ruleset=ruleset, deals=40)) == set()


# --- faults of the measurement


def test_a_payoff_that_does_not_sum_to_zero(monkeypatch):
    honest = run.outcomes_of

    def generous(tables, lineup, first):
        outcomes = honest(tables, lineup, first)
        outcomes["payoff"][::37, 2] += 1
        return outcomes

    monkeypatch.setattr(run, "outcomes_of", generous)
    assert "payoffs sum to zero" in failures(new_plan("novice", ["random"], deals=20))


def test_a_seat_that_is_favoured_when_payoffs_are_told(monkeypatch):
    honest = play.batch.apply_choices

    def favouring(tables, rules, rows, actions):
        honest(tables, rules, rows, actions)
        over = (tables["phase"] == 3) & (tables["payoff"][:, 0] < 0)
        tables["payoff"][over] = np.roll(tables["payoff"][over], 1, axis=1)  # still sums to zero

    monkeypatch.setattr(play.batch, "apply_choices", favouring)
    assert "turned seats give the same number" in failures(new_plan("novice", ["random"], deals=20))


def test_a_seating_that_favours_a_seat(monkeypatch):
    crooked = Seating("one_against_three", "", ((0, 1, 1, 1), (0, 1, 1, 1), (1, 1, 0, 1), (1, 1, 1, 0)))
    monkeypatch.setitem(SEATINGS, "one_against_three", crooked)
    assert "seats balanced" in failures(new_plan("novice", ["random"], deals=20))


def test_two_books_that_are_one(monkeypatch):
    monkeypatch.setitem(books.BOOK_GAMES, "dev", books.BOOK_GAMES["test"])
    assert failures(new_plan("novice", ["random"], deals=20)) == {"no deal in two books"}


def test_a_book_that_training_has_met(monkeypatch):
    monkeypatch.setitem(books.BOOK_GAMES, "test", 1)
    assert "no deal in two books" in failures(new_plan("novice", ["random"], deals=20))


def test_deals_that_are_counted_twice(monkeypatch):
    monkeypatch.setattr(run, "chunks_of", lambda clusters: [(0, clusters // 2), (0, clusters // 2)])
    assert "every deal counted once" in failures(new_plan("novice", ["random"], deals=20))


# --- faults of players: each sees what it should not, or decides by what it should not


class FavouriteSeat(BatchPlayer):
    """Plays well in one seat of the table and badly in the others."""

    def act_batch(self, views, keys, out):
        make_player("random").act_batch(views, keys, out)
        there = views["seat"] == 1
        better = out[there]
        make_player("novice").act_batch(views[there], keys[there], better)
        out[there] = better


class ChanceByName(BatchPlayer):
    """Draws its lots from its name too."""

    def act_batch(self, views, keys, out):
        make_player("random").act_batch(views, keys ^ zlib.crc32(self.name.encode()), out)


class LuckOfItsOwn(BatchPlayer):
    """Draws its lots from a generator, not from the keys."""

    def act_batch(self, views, keys, out):
        make_player("random").act_batch(views, np.random.default_rng().integers(0, 2**62, len(keys)), out)


class Remembers(BatchPlayer):
    """Does something else from the thousandth decision on."""

    n = 0

    def act_batch(self, views, keys, out):
        self.n += len(views)
        make_player("random" if self.n > 1000 else "novice").act_batch(views, keys, out)


class LooksUpTheStack(BatchPlayer):
    """Finds the tables of the match in the frames that called it, and ducks when the next seat has the ace."""

    def act_batch(self, views, keys, out):
        make_player("novice").act_batch(views, keys, out)
        frame = sys._getframe()
        while frame and "tables" not in frame.f_locals:
            frame = frame.f_back
        if frame is None:
            return
        tables, rows = frame.f_locals["tables"], frame.f_locals["rows"]
        hands = tables["hand_cards"][rows[: len(views)], (views["seat"] + 1) % N_SEATS]
        for b in np.flatnonzero((views["phase"] == 2) & (hands & 0x1000 != 0)):
            legal = int(views["legal_cards"][b])
            out[b] = (legal & -legal).bit_length() - 1


class DealsTheBookItself(BatchPlayer):
    """Knows book and seed, finds its hand among the deals, and tries its calls out on all four hands.

    Otherwise it is an expert, and it knows that the others are novices.
    """

    def __init__(self, ruleset):
        super().__init__(ruleset)
        self.expert, self.novice = make_player("expert", ruleset), make_player("novice", ruleset)
        dealt = Book("test", 0, self.ruleset).deal(0, FEW)
        self.known = {
            int(hand): (dealt[deal], seat)
            for deal, hands in enumerate(dealt_hands(dealt))
            for seat, hand in enumerate(hands)
        }

    def act_batch(self, views, keys, out):
        self.expert.act_batch(views, keys, out)
        for b in np.flatnonzero(views["phase"] == 0):
            if int(views[b]["hand_cards"]) in self.known:
                dealt, seat = self.known[int(views[b]["hand_cards"])]
                calls = views[b]["calls"][: views[b]["n_calls"]].tolist()
                legal = [52 + bit for bit in range(12) if int(views[b]["legal_calls"]) >> bit & 1]
                # The expert's own call first: another has to be better.
                own = int(out[b])
                tried = {call: self.paid(dealt, (*calls, call), seat) for call in (own, *legal)}
                out[b] = max(tried, key=tried.__getitem__)

    worked_out: ClassVar[dict[tuple[bytes, tuple[int, ...]], int]] = {}

    def paid(self, dealt, calls, seat):
        """What the seat is paid when these calls are made and all goes on as it goes; worked out once."""
        key = (dealt["dealt"].tobytes(), calls)
        if key not in self.worked_out:
            self.worked_out[key] = self.played_out(dealt, calls, seat)
        return self.worked_out[key]

    def played_out(self, dealt, calls, seat):
        table = Table(self.ruleset)
        table.deal_hands(dealt["dealt"].tolist(), int(dealt["dealer"]))
        for call in calls:
            table.apply(call)
        while not table.over:
            player = self.expert if table.turn == seat else self.novice
            table.apply(player.act(table.view(table.turn)))
        return int(table.data["payoff"][seat])


@pytest.mark.parametrize(
    ("player", "check"),
    [
        (FavouriteSeat, "turned seats give the same number"),
        (ChanceByName, f"{of(ChanceByName)} under another name"),
        (ChanceByName, f"{of(ChanceByName)} against itself"),
        (LuckOfItsOwn, f"{of(LuckOfItsOwn)} decides by view and key"),
        (LuckOfItsOwn, "the same when played again"),
        (Remembers, f"{of(Remembers)} decides by view and key"),
        (LooksUpTheStack, f"{of(LooksUpTheStack)} decides by view and key"),
        (DealsTheBookItself, "renamed suits give the same number"),
    ],
)
def test_a_player_that_breaks_the_rules_of_players_is_caught(player, check):
    deals = FEW if player is DealsTheBookItself else DEALS
    assert check in failures(new_plan(of(player), ["novice"], deals=deals))


def test_a_failed_audit_ends_the_command_with_an_exit_code(capsys):
    from training import cli

    assert cli.main(["evaluate", of(ChanceByName), "--against", "pass", "--deals", "20"]) == 1
    said = capsys.readouterr()
    assert "FAILED" in said.out
    assert "The audit failed" not in said.err  # it is told once


def test_a_player_that_is_not_here_leaves_its_check_open(monkeypatch):
    monkeypatch.setattr(audit, "STRONG", "nobody")
    document = evaluate(new_plan("pass", ["pass"], deals=5))
    (check,) = [check for check in document["audit"] if "beats" in check["check"]]
    assert check["passed"] is None
    assert "there is no player 'nobody'" in check["said"]


def test_weak_does_not_beat_strong(monkeypatch):
    monkeypatch.setattr(audit, "STRONG", "uniform")
    assert failures(new_plan("pass", ["pass"], deals=5)) == {"uniform beats random"}
