"""The players: whole deals with one player in all four seats, and single decisions."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable

import numpy as np

from benchmarks.measure import Effort, Local, Together, Work, Worker, measure_in_turns, serve, timed
from benchmarks.results import Outcome
from solo_env.engine import batch
from solo_env.engine.state import new_tables, new_views
from solo_env.player import make_player
from solo_env.rules import load_ruleset, pack_array
from solo_env.table import Table

PLAYERS = ("novice", "club", "expert")
DEALS = 2048  # side by side
DECISIONS = 400  # single ones


def whole_deals(name: str, seed: int = 0) -> Work:
    """Deals side by side, dealing and forced moves included, all seats by one player."""
    player, rules = make_player(name), pack_array(load_ruleset("pagat"))
    tables, views = new_tables(DEALS), new_views(DEALS)
    rows, seats, keys, chosen = (np.zeros(DEALS, np.int64) for _ in range(4))
    first = itertools.count(0, DEALS)

    def play() -> int:
        batch.deal_rows(tables, rules, seed, next(first), 0, -1, 1, 0, DEALS)
        while n := batch.open_choices(tables, rules, views, rows, seats):
            batch.write_choice_keys(tables, rows[:n], seats, seed, keys)
            player.act_batch(views[:n], keys[:n], chosen[:n])
            batch.apply_choices(tables, rules, rows[:n], chosen[:n])
        return DEALS

    return timed(play)


def single_decisions(name: str) -> Callable[[], Work]:
    """``Player.act`` on the positions of some deals, each a batch of one."""

    def make() -> Work:
        player, views, table = make_player(name), [], Table()
        for game in itertools.count():
            table.deal(0, 0, game)
            while not table.over:
                view = table.view(table.turn)
                if len(view.legal_actions()) > 1:
                    views.append(view)
                table.apply(player.act(view))
            if len(views) >= DECISIONS:
                break

        def decide() -> int:
            for view in views:
                player.act(view)
            return len(views)

        return timed(decide)

    return make


def players(effort: Effort) -> Outcome:
    """Deals a second on two cores, two processes; the time of one decision."""
    command = [sys.executable, "-m", "benchmarks.players"]
    pairs = [
        Together(name, [Worker(f"{name}_{core}", [*command, name, str(core)], core) for core in range(2)])
        for name in PLAYERS
    ]
    rates, missing = measure_in_turns(pairs, effort)
    singles, _ = measure_in_turns([Local(name, single_decisions(name)) for name in PLAYERS], effort)
    outcome = Outcome(notes=missing)
    for name, values in rates.items():
        outcome.rates(f"players.{name}", f"{name} in all seats, two processes on two cores", values, "deals/s")
    for name, values in singles.items():
        times = [1e6 / value for value in values]
        outcome.add(f"players.{name}_act", f"{name}: one decision through Player.act", "µs", times)
    return outcome


if __name__ == "__main__":
    serve(lambda: whole_deals(sys.argv[1], int(sys.argv[2])))
