"""What reaches a seat in the middle of a session depends on nothing that the seat may not know, on every face.

Sessions of eight deals, of every shipped ruleset and of others that stack the pack, forget tricks or let seats
revoke. In each deal but the first a game and its twin (``tests.sessions``) are followed, and one seat's story of
the two must be the same: from a point of the deal on, at its end, and at the start of the next as far as that is
known. Leaks are planted to show that the comparison sees them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
import pytest
from numpy.typing import NDArray

from solo_env import actions
from solo_env.aec import raw_env
from solo_env.cards import N_CARDS, N_SEATS, cards_of
from solo_env.engine import batch, deal, one
from solo_env.engine.state import GATHERED, GOULASH, SHUFFLED
from solo_env.layout import OFFSETS
from solo_env.rules import load_ruleset
from solo_env.table import Table
from solo_env.vector import SoloVectorEnv
from tests.hidden_cards import exposed_seat
from tests.properties import session_doors
from tests.properties.session_doors import FACES, Door, noticed
from tests.sessions import FORGETFUL, REVOKES, SHIPPED, VARIANTS, Fork, after, forgotten, forks, kind_of

PLAIN = bool(numba.config.DISABLE_JIT)  # the same in plain Python is slow: fewer games
SESSIONS, MORE_SESSIONS = (1, 1) if PLAIN else (3, 5)  # of shipped rulesets, and of the others
STACKED = 'pagat+deal.shuffle="barely"+deal.reshuffle_after="never"'
RULESETS = [*VARIANTS, *(pytest.param(name, marks=pytest.mark.jit_only) for name in SHIPPED)]


def forks_under(ruleset: str) -> tuple[Fork, ...]:
    return forks(ruleset, MORE_SESSIONS if ruleset in VARIANTS else SESSIONS)


# --- the proof


@pytest.mark.parametrize("ruleset", RULESETS)
def test_no_face_shows_anything_hidden_in_a_session(ruleset):
    for door in FACES.values():
        assert noticed(forks_under(ruleset), door) == []


def test_a_picture_shows_nothing_hidden_in_a_session():
    for ruleset in (FORGETFUL, REVOKES):
        moved = [fork for fork in forks_under(ruleset) if fork.moved]
        assert noticed(moved[:2], session_doors.pictures) == []


# --- the leaks: each is planted in the product, and the comparison above must name it


def pack_in_the_account(patch: pytest.MonkeyPatch) -> None:
    """The kernel behind ``Table.view`` adds the card on top of the pack to an account."""
    view_one = one.view_one

    def leaking(tables: NDArray[np.void], rules: Any, seat: int, views: NDArray[np.void]) -> None:
        view_one(tables, rules, seat, views)
        views["account_rel"][0, 1] += tables["pack"][0, 0]

    patch.setattr(one, "view_one", leaking)


def next_card_of_the_pack(patch: pytest.MonkeyPatch) -> None:
    """``SoloVectorEnv.step`` writes the next card of the pack into a column of the observation."""
    step = SoloVectorEnv.step

    def leaking(self: SoloVectorEnv, chosen: Any) -> Any:
        told = step(self, chosen)
        for b, table in enumerate(self._tables):
            told.observation[b, OFFSETS["leader"]] = table["pack"][int(table["n_plays"]) % N_CARDS]
        return told

    patch.setattr(SoloVectorEnv, "step", leaking)


def revokes_in_the_view(patch: pytest.MonkeyPatch) -> None:
    """The kernel behind ``Table.view`` says who did not follow although he could."""
    view_one = one.view_one

    def leaking(tables: NDArray[np.void], rules: Any, seat: int, views: NDArray[np.void]) -> None:
        view_one(tables, rules, seat, views)
        views["unused"][0, 0] = tables["revokes"][0].sum()

    patch.setattr(one, "view_one", leaking)


def first_offender_in_the_batch(patch: pytest.MonkeyPatch) -> None:
    """``SoloVectorEnv.step`` says in the observation who revoked first."""
    step = SoloVectorEnv.step

    def leaking(self: SoloVectorEnv, chosen: Any) -> Any:
        told = step(self, chosen)
        told.observation[:, OFFSETS["failed"]] += self._tables["first_offender"]
        return told

    patch.setattr(SoloVectorEnv, "step", leaking)


def cut_in_the_block_of_the_pack(patch: pytest.MonkeyPatch) -> None:
    """``raw_env.observe`` tells how many cards of a gathered pack were cut off, as the block of the pack."""
    observe = raw_env.observe

    def leaking(self: raw_env, agent: str) -> dict[str, NDArray[np.int8]]:
        seen, table = observe(self, agent), self.table.clone()
        if table.data["pack_kind"] == GATHERED:
            seen["observation"][OFFSETS["pack"] + GATHERED] = deal.draw_cut(table.data, 1)
        return seen

    patch.setattr(raw_env, "observe", leaking)


def cards_of_the_deal_before(patch: pytest.MonkeyPatch) -> None:
    """``SoloVectorEnv.step`` shows in the next deal what a neighbour had left when the last one ended early."""
    step = SoloVectorEnv.step

    def leaking(self: SoloVectorEnv, chosen: Any) -> Any:
        before = self._tables["hand_cards"].copy()
        told = step(self, chosen)
        for b in np.flatnonzero(told.settled):
            left = cards_of(int(before[b, (int(told.seat[b]) + 1) % N_SEATS]))
            told.observation[b, OFFSETS["exposed"]] = left[0] if left else 0
        return told

    patch.setattr(SoloVectorEnv, "step", leaking)


def hands_of_the_deal_before_in_infos(patch: pytest.MonkeyPatch) -> None:
    """``raw_env.step`` puts the hands as they lay at the end of a deal into the infos of the next."""
    step = raw_env.step

    def leaking(self: raw_env, action: Any) -> None:
        before = self.table.clone()
        step(self, action)
        if before.data["deal"] != self.table.data["deal"]:
            self.infos = {agent: {"left": before.data["hand_cards"].tolist()} for agent in self.agents}

    patch.setattr(raw_env, "step", leaking)


def stale_plays_in_the_batch(patch: pytest.MonkeyPatch) -> None:
    """``SoloVectorEnv.views`` lets plays of the deal before stand where this one has none yet."""
    views = SoloVectorEnv.views

    def leaking(self: SoloVectorEnv) -> NDArray[np.void]:
        found = views(self).copy()
        found["plays"][:, -1] = self._tables["plays"][:, -1]
        return found

    patch.setattr(SoloVectorEnv, "views", leaking)


def seed_in_the_number_of_the_deal(patch: pytest.MonkeyPatch) -> None:
    """The kernel of the step writes digits of the seed behind the number of the deal."""
    step_rows = batch.step_rows

    def leaking(tables: NDArray[np.void], rules: Any, chosen: NDArray[np.int64], *buffers: Any) -> None:
        step_rows(tables, rules, chosen, *buffers)
        rows = buffers[8]
        rows["deals"][:, 0, 1] = tables["seed"] % 100

    patch.setattr(batch, "step_rows", leaking)


def an_older_trick(patch: pytest.MonkeyPatch) -> None:
    """The kernel behind ``Table.view`` shows every trick although only the last may be looked at."""
    view_one = one.view_one

    def leaking(tables: NDArray[np.void], rules: Any, seat: int, views: NDArray[np.void]) -> None:
        view_one(tables, rules, seat, views)
        hidden = int(views["n_hidden"][0])
        views["plays"][0, :hidden] = tables["plays"][0, :hidden]
        views["play_seats_rel"][0, :hidden] = (tables["play_seats"][0, :hidden] - seat) % N_SEATS
        views["n_hidden"] = 0

    patch.setattr(one, "view_one", leaking)


def an_older_trick_in_the_batch(patch: pytest.MonkeyPatch) -> None:
    """``SoloVectorEnv.step`` marks all cards that a seat has played."""
    step = SoloVectorEnv.step

    def leaking(self: SoloVectorEnv, chosen: Any) -> Any:
        told = step(self, chosen)
        for b, played in enumerate(self._tables["played_cards"]):
            cards = cards_of(int(played[told.seat[b] - 1]))
            told.observation[b, OFFSETS["played"] + 3 * N_CARDS + np.array(cards, int)] = 1
        return told

    patch.setattr(SoloVectorEnv, "step", leaking)


LEAKS: list[tuple[Callable[[pytest.MonkeyPatch], None], str, Door, set[str]]] = [
    (pack_in_the_account, STACKED, session_doors.aec, {"view", "json", "text"}),
    (next_card_of_the_pack, STACKED, session_doors.batched, {"observation"}),
    (revokes_in_the_view, REVOKES, session_doors.aec, {"view"}),
    (first_offender_in_the_batch, REVOKES, session_doors.batched, {"observation"}),
    (cut_in_the_block_of_the_pack, STACKED, session_doors.aec, {"observation", "last"}),
    (cut_in_the_block_of_the_pack, STACKED, session_doors.wrapped, {"last", "broken off"}),
    (cards_of_the_deal_before, "pagat", session_doors.batched, {"observation"}),
    (hands_of_the_deal_before_in_infos, STACKED, session_doors.aec, {"told"}),
    (stale_plays_in_the_batch, STACKED, session_doors.batched, {"view"}),
    (seed_in_the_number_of_the_deal, STACKED, session_doors.batched, {"observation"}),
    (an_older_trick, FORGETFUL, session_doors.aec, {"view", "json", "text"}),
    (an_older_trick_in_the_batch, FORGETFUL, session_doors.batched, {"observation"}),
]


@pytest.mark.jit_only  # plain Python has too few games for that
@pytest.mark.parametrize(("plant", "ruleset", "door", "kinds"), LEAKS)
def test_a_planted_leak_is_noticed_in_a_session(monkeypatch, plant, ruleset, door, kinds):
    plant(monkeypatch)
    assert {line.rpartition(": ")[2] for line in noticed(forks_under(ruleset), door)} == kinds


# --- the forks are what they should be


def all_forks(*names: str) -> list[Fork]:
    return [fork for name in names or (*SHIPPED, *VARIANTS) for fork in forks_under(name)]


def test_a_twin_shows_the_seat_the_same_and_differs_where_it_may():
    for fork in all_forks():
        game, twin = fork.game.data, fork.twin.data
        assert game["hand_cards"][fork.seat] == twin["hand_cards"][fork.seat]
        assert game["deal"] == twin["deal"] > 0
        assert fork.moved == (game["hand_cards"].tolist() != twin["hand_cards"].tolist())
        assert game["pack"].tolist() != twin["pack"].tolist()
        assert (game["seed"] == twin["seed"]) == fork.next_is_known
        ends = after(fork.game, fork.line), after(fork.twin, fork.line)
        assert all(end.over == fork.ends for end in ends)
        assert ends[0].payoffs == ends[1].payoffs
        exposed = exposed_seat(ends[0])
        assert exposed < 0 or ends[0].data["hand_cards"][exposed] == ends[1].data["hand_cards"][exposed]


@pytest.mark.jit_only  # plain Python has too few games for that
def test_the_forks_reach_packs_of_every_kind_every_contract_and_every_end():
    found = all_forks()
    assert {int(fork.game.data["deal"]) for fork in found} == set(range(1, 8))
    assert {int(fork.game.data["pack_kind"]) for fork in found} == {SHUFFLED, GATHERED, GOULASH}
    assert {int(fork.game.data["phase"]) for fork in found} == {actions.AUCTION, actions.NAMING, actions.PLAY}
    ends = [after(fork.game, fork.line) for fork in found]
    assert {"GM", "PETIT", "GRAND", *(row.name for row in load_ruleset("pagat").contracts())} <= {
        kind_of(end) for end in ends
    }
    assert any(exposed_seat(end) not in (-1, fork.seat) for fork, end in zip(found, ends, strict=True))
    played_out = Counter(
        int(after_next(end).data["pack_kind"])
        for fork, end in zip(found, ends, strict=True)
        if fork.next_is_known and end.data["n_plays"] == N_CARDS
    )
    assert played_out[GATHERED] >= 10
    early = [end for fork, end in zip(found, ends, strict=True) if fork.ends and fork.moved]
    assert {kind_of(end) for end in early} >= {"", "MIS", "OUV", "DECL"}


def after_next(table: Table) -> Table:
    """A copy of the table in the deal that follows."""
    copy = table.clone()
    copy.next_deal()
    return copy


@pytest.mark.jit_only  # plain Python has too few games for that
def test_some_twins_differ_in_who_revoked_and_in_tricks_that_are_forgotten():
    ends = [
        [after(table, fork.line).data["revokes"].tolist() for table in (fork.game, fork.twin)]
        for fork in all_forks(*(name for name in VARIANTS if "revokes" in name))
    ]
    assert sum(game != twin for game, twin in ends) >= 3
    names = [name for name in VARIANTS if "table_memory" in name]
    old = [
        [table.data["plays"][: forgotten(table)].tolist() for table in (fork.game, fork.twin)]
        for fork in all_forks(*names)
    ]
    assert sum(game != twin for game, twin in old) >= 10
