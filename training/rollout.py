"""Playing the deals that training learns from.

An iteration plays B whole deals at B tables, side by side, until all are over. So every return is exact, no
value stands in for a payoff that is still to come, a checkpoint needs no half-played tables, and going on
after a stop is the same as not stopping. The price is that the last rounds run with few tables.

A seat that has one legal action has nothing to decide: such moves are made at once, never shown to a network
and never stored. Cards come from (seed, number of the deal), sampled actions from the key of the decision, so
a deal is played the same in any batch.

Axes: B deals, N decisions, F columns of the chosen blocks, A actions, P the four seats.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solo_env.actions import FIRST_CALL, N_ACTIONS
from solo_env.cards import N_CARDS, N_RANKS, N_SEATS
from solo_env.engine._jit import kernel
from solo_env.engine.batch import apply_choices, deal_rows, open_choices, write_choice_keys
from solo_env.engine.bits import suit_cards
from solo_env.engine.observe import write_observation
from solo_env.engine.state import new_tables, new_views
from solo_env.layout import ROW
from solo_env.player import Player, PlayerError, ask_player
from solo_env.rules import Ruleset, pack_array
from solo_env.rules.model import CONTRACT_NAMES, KIND_NAMES
from training.policy import Actor, infer, sample_rows
from training.suits import ACTION_OF, NETWORK_ACTION_OF, first_suit

# The deals of cloning and of self-play are different games of the same seed.
GAME_CLONE, GAME_SELF_PLAY = range(2)


@dataclass(frozen=True)
class Choices:
    """The decisions of one round, one a table that still runs."""

    views: NDArray[np.void]  # VIEW [N]
    keys: NDArray[np.int64]  # [N]
    observation: NDArray[np.int8]  # [N, F], as networks see it
    mask: NDArray[np.int8]  # [N, A], by network's action
    first: NDArray[np.int64]  # [N], the suit that is the network's suit 0


# Decides for a round: network's action int64 [N], log-probability float32 [N] (zeros where there is none).
Decide = Callable[[Choices], tuple[NDArray[np.int64], NDArray[np.float32]]]


@dataclass(frozen=True)
class Rollout:
    """The decisions of whole deals, in the order in which they were taken; suits as networks see them."""

    observation: NDArray[np.int8]  # [N, F]
    mask: NDArray[np.int8]  # [N, A]
    action: NDArray[np.int64]  # [N]
    first: NDArray[np.int64]  # [N], the suit that is the network's suit 0
    log_probability: NDArray[np.float32]  # [N], of the action, when it was taken
    row: NDArray[np.int64]  # [N], the deal
    seat: NDArray[np.int64]  # [N]
    tables: NDArray[np.void]  # TABLE [B], all over

    @property
    def auction(self) -> NDArray[np.bool_]:
        """Whether each decision is a call or the naming of trumps, and not a card, bool [N]."""
        return self.action >= FIRST_CALL

    @property
    def payoff(self) -> NDArray[np.int32]:
        """What each seat was paid, in units, int32 [B, P]."""
        return self.tables["payoff"]

    @property
    def returns(self) -> NDArray[np.int32]:
        """What the seat that decided was paid at the end of its deal, in units, int32 [N]."""
        return self.payoff[self.row, self.seat]


def decide_by_sampling(actor: Actor) -> Decide:
    """Sample every action from ``actor``."""

    def decide(choices: Choices) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        n = len(choices.keys)
        action, log_probability = np.zeros(n, np.int64), np.zeros(n, np.float32)
        logits = infer(actor, choices.observation)
        sample_rows(logits, choices.mask, choices.keys, action, log_probability)
        return action, log_probability

    return decide


def decide_by_player(player: Player) -> Decide:
    """Let ``player`` decide for every seat; it gives no probabilities."""

    def decide(choices: Choices) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        action = ask_player(player, choices.views, choices.keys)
        known = (action >= 0) & (action < N_ACTIONS)
        chosen = NETWORK_ACTION_OF[choices.first, np.where(known, action, 0)]
        bad = np.flatnonzero(~known | (choices.mask[np.arange(len(action)), chosen] == 0))
        if len(bad):
            raise PlayerError(f"player {player.name!r} chose {action[bad[0]]}, which is not open to it.")
        return chosen, np.zeros(len(action), np.float32)

    return decide


def play_deals(
    decide: Decide,
    ruleset: Ruleset,
    columns: NDArray[np.int64],
    seed: int,
    deals: range,
    game: int = GAME_SELF_PLAY,
) -> Rollout:
    """Play whole deals, all four seats by ``decide``.

    Args:
        decide: chooses for every decision that has more than one legal action.
        ruleset: the rules.
        columns: int64 [4, F] of :func:`training.suits.network_columns`.
        seed: with a deal's number and ``game``, fixes its cards and its random choices.
        deals: the numbers of the deals, one a table.
        game: ``GAME_CLONE`` or ``GAME_SELF_PLAY``.
    """
    rules, n_deals = pack_array(ruleset), len(deals)
    tables, views = new_tables(n_deals), new_views(n_deals)
    rows, keys, seats = (np.zeros(n_deals, np.int64) for _ in range(3))
    deal_rows(tables, rules, seed, deals.start, game, -1, 1, 0, n_deals)
    rounds: list[tuple[NDArray[np.generic], ...]] = []
    while n := open_choices(tables, rules, views, rows, seats):
        write_choice_keys(tables, rows[:n], seats, seed, keys)
        observation, mask, first = write_inputs(views[:n], rules, columns)
        action, log_probability = decide(Choices(views[:n], keys[:n], observation, mask, first))
        apply_choices(tables, rules, rows[:n], ACTION_OF[first, action])
        rounds.append((observation, mask, action, first, log_probability, rows[:n].copy(), seats[:n].copy()))
    parts = zip(*rounds, strict=True)
    return Rollout(*(np.concatenate(part) for part in parts), tables=tables)  # type: ignore[misc]


def write_inputs(
    views: NDArray[np.void], rules: NDArray[np.void], columns: NDArray[np.int64]
) -> tuple[NDArray[np.int8], NDArray[np.int8], NDArray[np.int64]]:
    """What networks see of view records [N]: observation, mask and first suit as in :class:`Choices`."""
    observation = np.empty((len(views), columns.shape[1]), np.int8)
    mask = np.empty((len(views), N_ACTIONS), np.int8)
    first = np.empty(len(views), np.int64)
    observe_views(views, rules, columns, np.empty(1, ROW), observation, mask, first)
    return observation, mask, first


@kernel
def observe_views(
    views: NDArray[np.void],
    rules: NDArray[np.void],
    columns: NDArray[np.int64],
    rows: NDArray[np.void],
    observation: NDArray[np.int8],
    mask: NDArray[np.int8],
    first: NDArray[np.int64],
) -> None:
    """Fill observation [N, F], mask [N, A] and first suit [N] from views [N]; ``rows`` (``ROW`` [1]) is scratch."""
    for i in range(len(views)):
        view = views[i]
        suit = first_suit(view)
        first[i] = suit
        write_observation(view, rules[0], rows[0])
        for j in range(columns.shape[1]):
            observation[i, j] = rows[0]["columns"][columns[suit, j]]
        cards, calls = int(view["legal_cards"]), int(view["legal_calls"])
        for a in range(N_ACTIONS):
            action = ACTION_OF[suit, a]
            legal = cards >> action if action < N_CARDS else calls >> (action - FIRST_CALL)
            mask[i, a] = legal & 1


def contract_mix(tables: NDArray[np.void]) -> dict[str, float]:
    """The share of finished deals [B] that each contract ("GM": general misère) was played in, and "thrown_in"."""
    shares = {name: float(np.mean(tables["contract"] == i)) for i, name in enumerate(KIND_NAMES)}
    return {**shares, "thrown_in": float(np.mean(tables["contract"] < 0))}


def made_rates(tables: NDArray[np.void]) -> dict[str, float]:
    """The share of finished deals [B] that the declaring side made, by each contract that one declared."""
    rates = {}
    for i, name in enumerate(CONTRACT_NAMES):
        played = tables[tables["contract"] == i]
        if len(played):
            won = played["payoff"][np.arange(len(played)), played["declarer"]] > 0
            rates[name] = float(np.mean(won))
    return rates


def revoke_rate(tables: NDArray[np.void]) -> float:
    """The share of plays in finished deals [B] that could have followed suit and did not; 0 without such plays."""
    return int(tables["revokes"].sum()) / max(1, count_obliged(tables))


@kernel
def count_obliged(tables: NDArray[np.void]) -> int:
    """The plays in finished deals [B] of seats that held the suit led; the tables are not changed."""
    n = 0
    for b in range(len(tables)):
        table = tables[b]
        for i in range(int(table["n_plays"])):
            led = int(table["plays"][i - i % N_SEATS]) // N_RANKS
            held = int(table["hand_cards"][int(table["play_seats"][i])])
            for later in range(i, int(table["n_plays"])):
                if table["play_seats"][later] == table["play_seats"][i]:
                    held |= 1 << int(table["plays"][later])
            n += int(i % N_SEATS > 0 and suit_cards(held, led) != 0)
    return n
