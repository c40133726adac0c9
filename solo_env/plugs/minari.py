"""Minari: games as a dataset, one episode a seat, and back.

An episode is the part of one seat in one deal: what it saw and did at each of its decisions, moves without a choice
left out but for its first, so that no seat is without an episode; and what the deal paid it at the end. The last
observation is what it saw when all was over. Beside each episode stand ``record``, the line of the whole game, and
``seat``: from the records the games come back.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import gymnasium
import minari
import numpy as np
from gymnasium import spaces
from minari.data_collector import EpisodeBuffer

from solo_env.actions import N_ACTIONS
from solo_env.cards import N_SEATS
from solo_env.checks import whole_number
from solo_env.engine import one
from solo_env.layout import N_FEATURES
from solo_env.observation import observation_space
from solo_env.player import Player, make_player
from solo_env.record import RecordError, parse
from solo_env.table import Table, check_seed


class _Part:
    """What a seat saw, did and was paid."""

    def __init__(self) -> None:
        self.observations: list[np.ndarray[Any, Any]] = []
        self.masks: list[np.ndarray[Any, Any]] = []
        self.actions: list[int] = []

    def see(self, table: Table, seat: int) -> int:
        """Note what ``seat`` sees; returns how many actions are open to it."""
        columns = np.empty(N_FEATURES + N_ACTIONS, np.int8)
        one.observe_one(table.desk, seat, columns)
        self.observations.append(columns[:N_FEATURES])
        self.masks.append(columns[N_FEATURES:])
        return int(columns[N_FEATURES:].sum())

    def forget(self) -> None:
        """Take back what was noted last."""
        self.observations.pop()
        self.masks.pop()


def episodes(line: str) -> list[EpisodeBuffer]:
    """The four episodes of a finished game, from its record, ``player_0`` first.

    Raises:
        RecordError: the record is damaged, or its game is not finished.
    """
    end, game = Table.from_record(line), parse(line)
    if not end.over:
        raise RecordError("the record is of a game that is not finished, so its episodes have no end.")
    table, parts = Table(game.ruleset), [_Part() for _ in range(N_SEATS)]
    table.deal_hands(game.hands_by_seat(), game.dealer, game.suit)
    for action in game.made():
        part = parts[table.turn]
        if part.see(table, table.turn) > 1 or not part.actions:
            part.actions.append(action)
        else:
            part.forget()
        table.apply(action)
    buffers = []
    for seat, part in enumerate(parts):
        part.see(table, seat)
        n = len(part.actions)
        buffers.append(
            EpisodeBuffer(
                observations={"observation": np.stack(part.observations), "action_mask": np.stack(part.masks)},
                actions=np.array(part.actions, np.int64),
                rewards=[0.0] * (n - 1) + [float(table.payoffs[seat])],
                terminations=[False] * (n - 1) + [True],
                truncations=[False] * n,
                options={"record": table.record(), "seat": seat},
            )
        )
    return buffers


def to_dataset(name: str, lines: Iterable[str], **options: Any) -> minari.MinariDataset:
    """Write finished games as a dataset.

    Args:
        name: of the dataset, as Minari wants it: "solo-whist/mine-v0".
        lines: records of the games, of one ruleset.
        options: further ones of ``minari.create_dataset_from_buffers``, such as ``author`` or ``data_format``.

    Raises:
        RecordError: there is none; one is damaged, its game not finished, or of another ruleset than the first.
    """
    buffers: list[EpisodeBuffer] = []
    rulesets = set()
    for line in lines:
        rulesets.add(parse(line).ruleset.name)
        if len(rulesets) > 1:
            raise RecordError(f"the games are of {' and '.join(sorted(rulesets))}; a dataset is of one ruleset.")
        buffers += episodes(line)
    if not buffers:
        raise RecordError("there are no games to make a dataset of.")
    seat = gymnasium.make("SoloWhist-v0", ruleset=rulesets.pop(), dict_observation=True)
    return minari.create_dataset_from_buffers(
        name, buffers, env=seat.spec, eval_env=seat.spec, observation_space=observation_space(),
        action_space=spaces.Discrete(N_ACTIONS), **options,
    )  # fmt: skip


def records(dataset: minari.MinariDataset) -> list[str]:
    """The games of a dataset as records, in the order in which they were written: those of the episodes of seat 0.

    Raises:
        RecordError: an episode has no record.
    """
    found: list[str] = []
    for number in dataset.episode_indices:
        [told] = dataset.storage.get_episode_metadata([int(number)])
        if "record" not in told.get("options", told):
            raise RecordError(f"episode {number} of the dataset has no record of its game.")
        if int(told.get("options", told)["seat"]) == 0:
            found.append(str(told.get("options", told)["record"]))
    return found


def play(player: str | Player, deals: int, ruleset: str = "pagat", seed: int = 0) -> Iterable[str]:
    """The records of deals that a player plays by itself, in all four seats.

    Raises:
        ValueError: a bad number of deals, seed or ruleset; a player that cannot be made.
    """
    whole_number("the number of deals", deals, 1)
    check_seed(seed)
    who = make_player(player, ruleset) if isinstance(player, str) else player
    rng = np.random.default_rng(seed)
    for game in range(deals):
        table = Table(ruleset)
        table.deal(seed, game=game)
        while not table.over:
            table.apply(who.act(table.view(table.turn), int(rng.integers(2**62))))
        yield table.record()
