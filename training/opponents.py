"""Who decides at the tables that training learns from.

In some deals the learner sits in all four seats; in others one to three seats are another's, for the whole deal:
an older self's, or a fixed player's, who may also have the auction or the cards of the learner's seats. Only the
learner's own decisions are learnt from, and those of a teacher, who may call in all seats (``starts``) or do
everything.

Networks come as functions from features to logits, so nothing here needs torch.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from solo_env.actions import N_ACTIONS
from solo_env.cards import N_SEATS
from solo_env.engine._jit import kernel
from solo_env.engine.bits import key_below
from solo_env.evaluation.swap import TwoPlayers
from solo_env.player import Player, PlayerError, ask_player
from solo_env.rules import Ruleset
from training.choosing import choose_best_rows, sample_rows, unit_of
from training.features import NETWORK_ACTION_OF
from training.starts import DRAW_CAST, DRAW_OTHER, DRAW_SEAT, DRAW_SEATS, draw_key

LEARNER, TEACHER, BIDDER, OTHERS = range(4)  # who decides; snapshots and then players count from OTHERS on
AUCTION, CARDS, ALL = range(3)  # which decisions; the first two are the parts of a deal
PARTS = {"auction": AUCTION, "cards": CARDS, "all": ALL}  # as ``opponents.learns`` names them

# From features, int16 [N, MAX_ACTIVE], to logits, float32 [N, A]; a row's must not depend on the others.
Infer = Callable[[NDArray[np.int16]], NDArray[np.float32]]


class Adviser(Protocol):
    """A player that says what it expects of each call."""

    def call_units(self, views: NDArray[np.void]) -> NDArray[np.float32]:
        """The units that each call is expected to bring, float32 [N, 12] by call from PASS on.

        NaN stands where a call is not weighed, and in all of a row whose view asks for no call.
        """


class Choices(NamedTuple):
    """Decisions to be taken, each at another table."""

    views: NDArray[np.void]  # VIEW [N]
    keys: NDArray[np.int64]  # [N]
    ids: NDArray[np.int16]  # [N, MAX_ACTIVE], features
    mask: NDArray[np.int8]  # [N, A], by network's action
    order: NDArray[np.int64]  # [N], of the suits

    def some(self, which: NDArray[np.int64]) -> Choices:
        """Those of these numbers; without a copy where they are all."""
        if len(which) == len(self.keys):
            return self
        # An index would copy records field by field, which takes ten times as long.
        return Choices._make(part.take(which, axis=0) for part in self)


class Decided(NamedTuple):
    """What was chosen."""

    action: NDArray[np.int64]  # [N], as the network counts them
    log_probability: NDArray[np.float32]  # [N], 0 of a player
    likeliest: NDArray[np.float32]  # [N], the chance of the likeliest action, 1 of a player


@dataclass(frozen=True)
class Cast:
    """Who may sit at the tables, and in which share of the deals (0 to 1; the learner has the rest alone)."""

    learner: Infer | None  # without one the teacher decides everywhere
    teacher: Player | None = None
    bidder: Player | None = None
    adviser: Adviser | None = None  # is asked what it expects of each call that is learnt from
    snapshots: tuple[Infer, ...] = ()
    players: tuple[Player, ...] = ()
    with_snapshots: float = 0.0
    with_players: float = 0.0
    alone: float = (
        0.0  # in this share the learner has one seat among three of a player; those above are of the rest
    )
    playouts: float = 0.0  # share of the decisions that are played out
    certain: float = 1.0  # but for those whose likeliest action has a larger chance
    plays_on: bool = False  # whether those who sit there play them out, and not the teacher in all seats
    learns: int = ALL  # what the learner decides beside a fixed player; the player has the other part of its seats

    def seat(self, seed: int, deals: range, game: int) -> NDArray[np.int64]:
        """Who decides in each part (``AUCTION``, ``CARDS``) and seat of these deals, int64 [B, 2, 4]."""
        who = np.full((len(deals), 2, N_SEATS), TEACHER if self.learner is None else LEARNER)
        if self.learner is not None:
            shares = np.array([self.alone, self.with_snapshots, self.with_players])
            numbers = len(self.snapshots), len(self.players)
            draw_cast(seed, deals.start, game, numbers, shares, self.learns, who)
        return who

    def decide(self, who: int, choices: Choices) -> Decided:
        """What ``who`` chooses.

        Raises:
            PlayerError: a player failed, or chose what is not open to it.
        """
        if self.is_network(who):
            return sampled(self.network(who), choices)
        n = len(choices.keys)
        return Decided(asked(self.player(who), choices), np.zeros(n, np.float32), np.ones(n, np.float32))

    def is_network(self, who: int) -> bool:
        """Whether ``who`` is the learner or a snapshot."""
        return who == LEARNER or OTHERS <= who < OTHERS + len(self.snapshots)

    def network(self, who: int) -> Infer:
        """The learner or a snapshot."""
        infer = self.learner if who == LEARNER else self.snapshots[who - OTHERS]
        assert infer is not None
        return infer

    def player(self, who: int) -> Player:
        """The teacher, the bidder or a fixed player."""
        fixed = {TEACHER: self.teacher, BIDDER: self.bidder}
        player = fixed[who] if who in fixed else self.players[who - OTHERS - len(self.snapshots)]
        assert player is not None
        return player


def beside(player: Player, other: Player, learns: int, ruleset: Ruleset) -> Player:
    """Who plays where ``player`` makes the decisions ``learns`` and ``other`` the rest."""
    if learns == ALL:
        return player
    return TwoPlayers(player, other, ruleset) if learns == AUCTION else TwoPlayers(other, player, ruleset)


def sampled(infer: Infer, choices: Choices) -> Decided:
    """Actions sampled from a network."""
    n = len(choices.keys)
    decided = Decided(np.zeros(n, np.int64), np.zeros(n, np.float32), np.zeros(n, np.float32))
    sample_rows(infer(choices.ids), choices.mask, choices.keys, *decided)
    return decided


def greedy(infer: Infer, choices: Choices) -> NDArray[np.int64]:
    """A network's likeliest actions."""
    action = np.zeros(len(choices.keys), np.int64)
    choose_best_rows(infer(choices.ids), choices.mask, action)
    return action


def asked(player: Player, choices: Choices) -> NDArray[np.int64]:
    """The network's actions that a player chooses."""
    action = ask_player(player, choices.views, choices.keys)
    known = (action >= 0) & (action < N_ACTIONS)
    chosen = NETWORK_ACTION_OF[choices.order, np.where(known, action, 0)]
    bad = np.flatnonzero(~known | (choices.mask[np.arange(len(action)), chosen] == 0))
    if len(bad):
        raise PlayerError(f"player {player.name!r} chose {action[bad[0]]}, which is not open to it.")
    return chosen


@kernel
def draw_cast(
    seed: int, first: int, game: int, numbers: tuple[int, int], shares: NDArray[np.float64], learns: int,
    who: NDArray[np.int64],
) -> None:  # fmt: skip
    """Give some seats of ``who`` (int64 [B, 2, 4]) to others, one to three in a deal and all to the same.

    The others are snapshots and players, with their ``numbers``. Of the deals, ``shares[0]`` have a player in three
    seats; of the rest, ``shares[1]`` have a snapshot and ``shares[2]`` a player. Beside a player, so is the part of
    the learner's seats that is not ``learns``.
    """
    n_snapshots, n_players = numbers
    for b in range(len(who)):
        at, other = unit_of(draw_key(seed, game, first + b, DRAW_CAST)), -1
        key = draw_key(seed, game, first + b, DRAW_OTHER)
        left = 1 + key_below(draw_key(seed, game, first + b, DRAW_SEATS), N_SEATS - 1)
        if at < shares[0]:
            at, left = 2.0, N_SEATS - 1
            if n_players:
                other = OTHERS + n_snapshots + key_below(key, n_players)
        else:
            at = (at - shares[0]) / (1 - shares[0])
        if at < shares[1]:
            if n_snapshots:
                other = OTHERS + key_below(key, n_snapshots)
        elif at < shares[1] + shares[2] and n_players:
            other = OTHERS + n_snapshots + key_below(key, n_players)
        if other < 0:
            continue
        for seat in range(N_SEATS):
            if key_below(draw_key(seed, game, first + b, DRAW_SEAT + seat), N_SEATS - seat) < left:
                who[b, :, seat] = other
                left -= 1
            elif other >= OTHERS + n_snapshots and learns != ALL:
                who[b, AUCTION + CARDS - learns, seat] = other
