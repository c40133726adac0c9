"""What reaches a seat depends on nothing that the seat may not know, on every face.

For positions of all phases the hidden cards are dealt anew, consistently with all that was shown; what the seat
gets must not change. A planted leak must turn the test red, which is tested too.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np
import pytest

from solo_env import render
from solo_env.aec import AGENTS, raw_env
from solo_env.engine import batch
from solo_env.engine.state import new_tables, new_views
from solo_env.player import make_player, player_names
from solo_env.rules import pack
from solo_env.table import Table
from solo_env.vector import SoloVectorEnv
from tests.hidden_cards import redealt
from tests.playing import PAGAT, in_contract, play_on, random_position

POSITIONS = 300
PLAYERS = [name for name in player_names() if name != "ppo"]


def pairs(seed: str, count: int = POSITIONS) -> list[tuple[Table, Table, int]]:
    """Positions as (table, the same with the hidden cards dealt anew, the seat that must not notice)."""
    rng = random.Random(seed)
    found: list[tuple[Table, Table, int]] = []
    while len(found) < count:
        table = random_position(rng)
        seat = rng.randrange(4)
        other = redealt(table, seat, rng)
        if other is not None:
            found.append((table, other, seat))
    return found


def ouverte_pairs(seed: str, count: int) -> list[tuple[Table, Table, int]]:
    """The same, with a hand exposed."""
    rng = random.Random(seed)
    found: list[tuple[Table, Table, int]] = []
    while len(found) < count:
        stop = rng.randrange(4, 48)
        table = play_on(
            in_contract("OUV", rng, kind=True, dealer=rng.randrange(4)),
            rng,
            lambda t, stop=stop: int(t.data["n_plays"]) >= stop,
        )
        seat = rng.randrange(4)
        other = redealt(table, seat, rng)
        if other is not None and table.data["exposed_seat"] >= 0:
            found.append((table, other, seat))
    return found


def aec_env(table: Table) -> raw_env:
    env = raw_env(PAGAT)
    env.reset(seed=1)
    env.table = table.clone()
    env.agent_selection = AGENTS[max(table.turn, 0)]
    return env


def what_the_aec_gives(table: Table, seat: int) -> list[object]:
    env = aec_env(table)
    agent = AGENTS[seat]
    seen = env.observe(agent)
    return [
        seen["observation"].tobytes(),
        seen["action_mask"].tobytes(),
        env.infos[agent],
        env.rewards[agent],
        env.view(agent).record.tobytes(),
        env.view(agent).as_json(),
        render.text(env.view(agent), PAGAT),
    ]


def what_the_batch_gives(table: Table, seat: int) -> list[bytes]:
    """The batched path, for the seat on turn: views, observation, mask."""
    tables, views = new_tables(1), new_views(1)
    tables[0] = table.data
    env = SoloVectorEnv(1, PAGAT, seed=0)
    b = env.buffers
    batch.observe_rows(tables, pack(PAGAT), views, b.observation, b.action_mask, b.seat, 0, 1)
    return [views.tobytes(), b.observation.tobytes(), b.action_mask.tobytes(), b.payoffs.tobytes()]


def noticed(pairs: list[tuple[Table, Table, int]], given: Callable[[Table, int], object]) -> int:
    """In how many pairs the seat gets something else when only hidden cards moved."""
    return sum(given(table, seat) != given(other, seat) for table, other, seat in pairs)


def test_the_aec_environment_shows_nothing_hidden():
    assert noticed(pairs("aec"), what_the_aec_gives) == 0
    assert noticed(ouverte_pairs("aec", 60), what_the_aec_gives) == 0


def test_the_batched_environment_shows_nothing_hidden():
    on_turn = [(t, o, t.turn) for t, o, seat in pairs("batch", 900) if t.turn == seat]
    assert len(on_turn) > 100
    assert noticed(on_turn, what_the_batch_gives) == 0


@pytest.mark.parametrize("name", PLAYERS)
def test_players_choose_the_same_when_hidden_cards_move(name):
    player = make_player(name, PAGAT)
    on_turn = [(t, o, t.turn) for t, o, seat in pairs(name, 900) if t.turn == seat]
    on_turn += [(t, o, seat) for t, o, seat in ouverte_pairs(name, 120) if t.turn == seat]
    assert noticed(on_turn, lambda table, seat: player.act(table.view(seat), 12345)) == 0


def test_the_seat_does_see_its_own_cards_and_the_exposed_hand():
    """The test above would pass on a blind observation; this one would not."""
    rng = random.Random("own")
    for _ in range(50):
        table = random_position(rng)
        for seat in range(4):
            assert table.view(seat).hand_cards == table.data["hand_cards"][seat]
    for table, _, seat in ouverte_pairs("seen", 30):
        exposed = int(table.data["exposed_seat"])
        assert table.view(seat).exposed_cards == table.data["hand_cards"][exposed]
        block = aec_env(table).observe(AGENTS[seat])["observation"]
        from solo_env.observation import named_view

        shown = np.flatnonzero(named_view(block)["exposed"])
        assert sum(1 << int(c) for c in shown) == table.data["hand_cards"][exposed]


@pytest.mark.parametrize("leak", ["a neighbour's hand", "void suits in the mask", "the seed"])
def test_a_planted_leak_is_noticed(leak):
    def leaking(table: Table, seat: int) -> object:
        given = what_the_aec_gives(table, seat)
        neighbour = (seat + 1) % 4
        if leak == "a neighbour's hand":
            given.append(int(table.data["hand_cards"][neighbour]))
        elif leak == "void suits in the mask":
            mask = aec_env(table).observe(AGENTS[neighbour])["action_mask"]
            given.append(mask.tobytes() if table.turn == neighbour else b"")
        else:
            given.append(int(table.data["seed"]))
        return given

    assert noticed(pairs("leak", 200), leaking) > 0
