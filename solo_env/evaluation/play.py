"""Plays the tables of a measurement: many at once, each player asked once a round for all its seats.

A seat that has one legal action has nothing to decide, and nobody is asked. The chance of a decision comes from
(book, cluster, seat, number of the decision): the same at all tables of a deal, and never from the player's name.

Axes: B tables, N clusters of a book, R tables of a cluster, D deals of a session, P the four seats.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solo_env.cards import N_SEATS
from solo_env.engine import batch
from solo_env.engine.state import TABLE, new_views
from solo_env.evaluation.books import Book
from solo_env.evaluation.kernels import next_deals
from solo_env.player import Player, PlayerError, ask_player
from solo_env.record import from_table
from solo_env.rules import Ruleset, pack_array


@dataclass(frozen=True)
class Round:
    """The decisions of one round, as a watcher gets them after the players have decided."""

    rows: NDArray[np.int64]  # [N], the tables
    seats: NDArray[np.int64]  # [N], absolute
    players: NDArray[np.int8]  # [N], whose decision
    views: NDArray[np.void]  # VIEW [N]; a buffer, to be copied by whoever keeps it
    keys: NDArray[np.int64]  # [N]
    actions: NDArray[np.int64]  # [N], legal


Watch = Callable[[Round], None]


def play_chunk(
    players: Sequence[Player], seats: NDArray[np.int8], book: Book, first: int, n: int, watch: Watch | None = None
) -> NDArray[np.void]:
    """Play clusters ``first`` to ``first + n`` of a book in every seating.

    Args:
        players: by number.
        seats: int8 [R, 4], which player sits in each seat of each table.
        book: what is dealt.
        first: the first cluster.
        n: how many clusters.
        watch: told every round; tables are numbered cluster by cluster, a cluster's in the order of ``seats``.

    Returns:
        The finished tables, TABLE [n, R, D].

    Raises:
        PlayerError: a player failed while deciding, or chose an illegal action.
    """
    rules = pack_array(book.ruleset)
    tables = np.repeat(book.deal(first, n), len(seats))
    player_of = np.tile(seats, (n, 1))
    finished = np.empty((len(tables), book.session), TABLE)
    for number in range(book.session):
        if number:
            next_deals(tables, rules)
        play_tables(players, player_of, tables, book.ruleset, book.key_seed, watch)
        finished[:, number] = tables
    return finished.reshape(n, len(seats), book.session)


def play_tables(
    players: Sequence[Player],
    player_of: NDArray[np.int8],
    tables: NDArray[np.void],
    ruleset: Ruleset,
    key_seed: int,
    watch: Watch | None = None,
    turned: int = 0,
) -> None:
    """Play tables [B] to their ends, in place; ``player_of`` (int8 [B, 4]) sits in each seat.

    Tables ``turned`` by so many seats get the chance of the seats before turning.

    Raises:
        PlayerError: a player failed while deciding, or chose an illegal action.
    """
    rules = pack_array(ruleset)
    views, (rows, seats, keys, actions) = new_views(len(tables)), np.zeros((4, len(tables)), np.int64)
    while n := batch.open_choices(tables, rules, views, rows, seats):
        batch.write_choice_keys(tables, rows[:n], (seats[:n] - turned) % N_SEATS, key_seed, keys)
        # Players get copies, so what is legal and what is watched is nothing they can change.
        legal = np.stack((views["legal_cards"][:n], views["legal_calls"][:n]), axis=1)
        whose = player_of[rows[:n], seats[:n]]
        for number, player in enumerate(players):
            mine = np.flatnonzero(whose == number)
            if len(mine):
                actions[mine] = ask_player(player, views[mine], keys[mine])
        bad = batch.first_masked(legal, actions[:n])
        if bad >= 0:
            raise PlayerError(
                f"player {players[whose[bad]].name!r} chose {actions[bad]}, which is not open, at: "
                f"{from_table(tables[rows[bad]], ruleset)}"
            )
        if watch:
            watch(Round(rows[:n].copy(), seats[:n].copy(), whose, views[:n], keys[:n].copy(), actions[:n].copy()))
        batch.apply_choices(tables, rules, rows[:n], actions[:n])


def positions_of(tables: NDArray[np.void]) -> NDArray[np.int64]:
    """The position of each seat of tables [B], eldest 0 to dealer 3, int64 [B, 4]."""
    positions: NDArray[np.int64] = (np.arange(N_SEATS) - tables["dealer"][:, None].astype(np.int64) - 1) % N_SEATS
    return positions
