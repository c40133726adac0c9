"""Playing the deals that training learns from.

An iteration plays whole deals, one a table, side by side, until all are over. So every return is exact, no value
stands in for a payoff that is still to come, a checkpoint needs no half-played tables, and going on after a stop
is the same as not stopping. The price is that the last rounds run with few tables.

A seat that has one legal action has nothing to decide: such moves are made at once, never shown to a network
and never stored. Cards come from (seed, number of the deal, game), sampled actions from the key of the decision,
so a deal is played the same in any batch.

Axes: B deals, N decisions, A actions, P the four seats.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solo_env.actions import FIRST_CALL, N_ACTIONS, N_CALLS, PLAY
from solo_env.cards import N_RANKS, N_SEATS
from solo_env.engine._jit import kernel
from solo_env.engine.batch import apply_choices, deal_rows, open_choices, write_choice_keys
from solo_env.engine.bits import suit_cards
from solo_env.engine.state import new_tables, new_views
from solo_env.player import Player, ask_player
from solo_env.rules import Ruleset, pack_array
from solo_env.rules.model import CONTRACT_NAMES, KIND_NAMES
from training import starts as begin
from training.features import (
    ACTION_OF,
    MAX_ACTIVE,
    N_HIDDEN,
    Features,
    write_hidden,
    write_inputs,
)
from training.opponents import AUCTION, BIDDER, CARDS, LEARNER, TEACHER, Cast, Choices, Decided, greedy
from training.playouts import Decide, play_out_actions
from training.starts import Begun, Starts, begin_deals

ONE_AT_A_TIME = threading.Lock()  # held while a player is asked: it need not bear two threads
LOW_BITS = (1 << 9) - 1  # of a key, which no sampled action depends on (choosing.unit_of)
MOST_TABLES = 4096  # of a part of the deals: more of them leave the processor's caches
NOT_STORED, OWN, TAUGHT = range(-1, 2)  # a decision's source: the learner, or the teacher, to be imitated


@dataclass(frozen=True)
class Rollout:
    """The decisions of whole deals that are learnt from, in the order in which they were taken.

    Those of others, and those before the trick from which a deal is learnt, are left out. Suits and actions are as
    networks count them.
    """

    ids: NDArray[np.int16]  # [N, MAX_ACTIVE] features, with hidden cards [N, MAX_ACTIVE + N_HIDDEN]
    mask: NDArray[np.int8]  # [N, A]
    order: NDArray[np.int64]  # [N], of the suits
    action: NDArray[np.int64]  # [N], as the network counts them
    log_probability: NDArray[np.float32]  # [N], of the action, when it was taken; 0 of one that is taught
    source: NDArray[np.int8]  # [N], OWN or TAUGHT
    row: NDArray[np.int64]  # [N], the deal
    seat: NDArray[np.int64]  # [N]
    advice: NDArray[np.float32]  # [N, calls], units that the adviser expects; NaN where it weighs nothing
    worth: NDArray[np.float32]  # [N, A], units that each action brought, played out; NaN where it was not
    alone: NDArray[np.bool_]  # [B], whether the learner made the auction in all four seats
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


class Round(NamedTuple):
    """What is kept of one round of decisions: the fields of a rollout but for those of its tables."""

    ids: NDArray[np.int16]  # [N, MAX_ACTIVE]
    hidden: NDArray[np.int16]  # [N, N_HIDDEN], or [N, 0]
    mask: NDArray[np.int8]
    order: NDArray[np.int64]
    action: NDArray[np.int64]
    log_probability: NDArray[np.float32]
    source: NDArray[np.int8]
    row: NDArray[np.int64]
    seat: NDArray[np.int64]
    advice: NDArray[np.float32]
    worth: NDArray[np.float32]


def play_deals(  # noqa: PLR0913 - options of a rollout, the last two by name only
    cast: Cast,
    starts: Starts,
    ruleset: Ruleset,
    features: Features,
    seed: int,
    deals: range,
    game: int,
    *,
    hidden: bool = False,
    halves: int = 1,
) -> Rollout:
    """Play whole deals.

    Args:
        cast: who decides.
        starts: how the deals begin.
        ruleset: the rules.
        features: what networks see.
        seed: with a deal's number and ``game``, fixes its cards and all that is drawn.
        deals: the numbers of the deals, one a table; at least one.
        game: the number of the game; two of them are different deals of the same seed.
        hidden: whether the cards of the other hands are written for a critic.
        halves: how many parts of the deals are played at once, each by a thread of its own: while one waits for its
            network on a GPU, the tables of another go on. They change nothing of what comes out.
    """
    tables = new_tables(len(deals))

    def play(part: slice) -> Played:
        return play_part(cast, starts, ruleset, features, seed, deals[part], game, tables[part], hidden=hidden)

    n_parts = halves * -(-len(deals) // (halves * MOST_TABLES))
    ends = [len(deals) * i // n_parts for i in range(n_parts + 1)]
    parts = [slice(first, end) for first, end in pairwise(ends) if first < end]
    if halves == 1:
        return joined([play(part) for part in parts], tables, hidden)
    with ThreadPoolExecutor(halves) as threads:
        return joined(list(threads.map(play, parts)), tables, hidden)


class Played(NamedTuple):
    """Some of the deals, played."""

    rounds: list[Round]
    alone: NDArray[np.bool_]


def play_part(  # noqa: PLR0913 - as play_deals
    cast: Cast,
    starts: Starts,
    ruleset: Ruleset,
    features: Features,
    seed: int,
    deals: range,
    game: int,
    tables: NDArray[np.void],
    *,
    hidden: bool,
) -> Played:
    """Play deals side by side at ``tables`` (TABLE [B]) until all are over."""
    rules, n_deals = pack_array(ruleset), len(deals)
    views = new_views(n_deals)
    rows, seats, keys, deciders, sources = (np.zeros(n_deals, np.int64) for _ in range(5))
    begun, who = begin_deals(tables, ruleset, starts, seed, deals, game), cast.seat(seed, deals, game)
    sitting = Sitting(cast, begun, who, rules, features, seed)
    rounds: list[Round] = []
    while n := open_choices(tables, rules, views, rows, seats):
        write_choice_keys(tables, rows[:n], seats, seed, keys)
        find_deciders(tables, rows[:n], seats, begun, who, deciders, sources)
        choices = Choices(views[:n], keys[:n], *write_inputs(views[:n], rules, features))
        decided = decide(cast, deciders[:n], choices)
        turn = Turn(tables, rows[:n], seats[:n], sources[:n], choices, decided.likeliest)
        kept, worth = weighed(sitting, turn)
        chosen, of, whose = choices.some(kept), rows[kept], seats[kept]
        cards = np.empty((len(kept), N_HIDDEN if hidden else 0), np.int16)
        if hidden:
            hidden_rows(tables, of, whose, chosen.order, features.n, cards)
        rounds.append(
            Round(
                chosen.ids, cards, chosen.mask, chosen.order, decided.action[kept], decided.log_probability[kept],
                sources[kept].astype(np.int8), of, whose, told_units(cast, chosen.views), worth,
            )
        )  # fmt: skip
        apply_choices(tables, rules, rows[:n], ACTION_OF[choices.order, decided.action])
    return Played(rounds, (begun.auction == begin.OWN) & (who == LEARNER).all((1, 2)))


class Sitting(NamedTuple):
    """Deals that are played: who sits where, and by which rules."""

    cast: Cast
    begun: Begun
    who: NDArray[np.int64]  # [B, 2, P], who decides in each part and seat
    rules: NDArray[np.void]
    features: Features
    seed: int

    def at(self, rows: NDArray[np.int64]) -> Sitting:
        """The same for copies of the tables ``rows``."""
        begun = Begun(self.begun.auction[rows], self.begun.trick[rows])
        return self._replace(begun=begun, who=self.who[rows])


class Turn(NamedTuple):
    """N decisions that are taken at once."""

    tables: NDArray[np.void]  # TABLE [B]
    rows: NDArray[np.int64]  # [N], of the tables
    seats: NDArray[np.int64]  # [N]
    sources: NDArray[np.int64]  # [N]
    choices: Choices
    likeliest: NDArray[np.float32]  # [N], the chance of the likeliest action


def decide(cast: Cast, deciders: NDArray[np.int64], choices: Choices) -> Decided:
    """What all choose, each asked once for all of his."""
    n = len(deciders)
    all_of_them = Decided(np.empty(n, np.int64), np.empty(n, np.float32), np.empty(n, np.float32))
    for who in np.unique(deciders).tolist():
        his = np.flatnonzero(deciders == who)
        with nullcontext() if cast.is_network(who) else ONE_AT_A_TIME:
            decided = cast.decide(who, choices.some(his))
        all_of_them.action[his], all_of_them.likeliest[his] = decided.action, decided.likeliest
        all_of_them.log_probability[his] = decided.log_probability
    return all_of_them


def told_units(cast: Cast, views: NDArray[np.void]) -> NDArray[np.float32]:
    """What the adviser expects of each call, float32 [N, calls]; nothing but NaN where there is none."""
    if cast.adviser is None:
        return np.full((len(views), N_CALLS), np.nan, np.float32)
    with ONE_AT_A_TIME:
        return cast.adviser.call_units(views)


def weighed(sitting: Sitting, turn: Turn) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Which decisions are learnt from, int64 [n], and what their actions are worth, float32 [n, A].

    Of decisions drawn to be played out those are left out that teach nothing: where the policy is certain, and
    where the end is the same whatever is done, as for four fifths of all cards. The worth is NaN where nothing is
    played out, and [n, 0] where nothing ever is.
    """
    stored, share = turn.sources != NOT_STORED, sitting.cast.playouts
    if share == 0:
        kept = np.flatnonzero(stored)
        return kept, np.zeros((len(kept), 0), np.float32)
    worth = np.full((len(turn.rows), N_ACTIONS), np.nan, np.float32)
    lot = (turn.sources == OWN) & ((turn.choices.keys & LOW_BITS) < share * (LOW_BITS + 1))
    drawn = np.flatnonzero(lot & (turn.likeliest <= sitting.cast.certain))
    if len(drawn):
        rows, of = turn.rows[drawn], turn.choices.some(drawn)

        def who_plays_on(decision: NDArray[np.int64]) -> Decide:
            return partial(play_on, sitting.at(rows[decision]))

        with ONE_AT_A_TIME:
            worth[drawn] = play_out_actions(
                turn.tables.take(rows), turn.seats[drawn], of.mask, of.order, who_plays_on, sitting.rules,
                sitting.seed,
            )  # fmt: skip
    differs = np.fmax.reduce(worth, axis=1) > np.fmin.reduce(worth, axis=1)
    kept = np.flatnonzero(np.where(lot, differs, stored))
    return kept, worth[kept]


def play_on(
    sitting: Sitting, tables: NDArray[np.void], rows: NDArray[np.int64], seats: NDArray[np.int64],
    views: NDArray[np.void], keys: NDArray[np.int64],
) -> NDArray[np.int64]:  # fmt: skip
    """What is done in a play-out, actions int64 [N]: by the teacher, or by who sits there, networks greedily."""
    cast = sitting.cast
    if not cast.plays_on:
        return ask_player(cast.player(TEACHER), views, keys)
    deciders, sources, action = (np.zeros(len(rows), np.int64) for _ in range(3))
    find_deciders(tables, rows, seats, sitting.begun, sitting.who, deciders, sources)
    for who in np.unique(deciders).tolist():
        his = np.flatnonzero(deciders == who)
        seen, his_keys = views.take(his), keys[his]
        if cast.is_network(who):
            choices = Choices(seen, his_keys, *write_inputs(seen, sitting.rules, sitting.features))
            action[his] = ACTION_OF[choices.order, greedy(cast.network(who), choices)]
        else:
            action[his] = ask_player(cast.player(who), seen, his_keys)
    return action


def joined(played: Sequence[Played], tables: NDArray[np.void], hidden: bool) -> Rollout:
    """All parts as one rollout, round by round, as if they had been played as one."""
    alone = np.concatenate([part.alone for part in played])
    starts = np.cumsum([0, *(len(part.alone) for part in played)]).tolist()
    rounds = [
        part.rounds[i]._replace(row=part.rounds[i].row + start)
        for i in range(max(len(part.rounds) for part in played))
        for part, start in zip(played, starts, strict=False)
        if i < len(part.rounds)
    ]
    ids, cards, *parts = zip(*rounds, strict=True)
    width = MAX_ACTIVE + (N_HIDDEN if hidden else 0)
    both = np.empty((sum(map(len, ids)), width), np.int16)
    np.concatenate(ids, out=both[:, :MAX_ACTIVE])
    np.concatenate(cards, out=both[:, MAX_ACTIVE:])
    return Rollout(both, *(np.concatenate(part) for part in parts), alone=alone, tables=tables)  # type: ignore[misc]


def play_whole(player: Player, ruleset: Ruleset, seed: int, deals: range, game: int) -> NDArray[np.void]:
    """Deals of which nothing is learnt, one player in all four seats: the tables, TABLE [B], all over."""
    rules, n_deals = pack_array(ruleset), len(deals)
    tables, views = new_tables(n_deals), new_views(n_deals)
    rows, seats, keys = (np.zeros(n_deals, np.int64) for _ in range(3))
    deal_rows(tables, rules, seed, deals.start, game, -1, 1, 0, n_deals)
    while n := open_choices(tables, rules, views, rows, seats):
        write_choice_keys(tables, rows[:n], seats, seed, keys)
        apply_choices(tables, rules, rows[:n], ask_player(player, views[:n], keys[:n]))
    return tables


@kernel
def find_deciders(
    tables: NDArray[np.void], rows: NDArray[np.int64], seats: NDArray[np.int64], begun: Begun,
    who: NDArray[np.int64], deciders: NDArray[np.int64], sources: NDArray[np.int64],
) -> None:  # fmt: skip
    """Fill, for the choices of ``seats`` at ``rows``, who decides and the source under which it is stored."""
    for i in range(len(rows)):
        b, seat = rows[i], seats[i]
        table = tables[b]
        playing, auction = table["phase"] == PLAY, begun.auction[b]
        decider = who[b, CARDS if playing else AUCTION, seat]
        if not playing and auction != begin.OWN:
            decider = TEACHER if auction == begin.TAUGHT else BIDDER
        deciders[i] = decider
        trick = 1 + int(table["n_plays"]) // N_SEATS if playing else 0
        sources[i] = OWN if decider == LEARNER else TAUGHT if decider == TEACHER else NOT_STORED
        if trick < begun.trick[b]:
            sources[i] = NOT_STORED


@kernel
def hidden_rows(
    tables: NDArray[np.void], rows: NDArray[np.int64], seats: NDArray[np.int64], order: NDArray[np.int64],
    first: int, cards: NDArray[np.int16],
) -> None:  # fmt: skip
    """Fill ``cards`` (int16 [N, N_HIDDEN]) with what ``seats`` at ``rows`` cannot see, as features."""
    for i in range(len(rows)):
        write_hidden(tables[rows[i]], seats[i], order[i], first, cards, i)


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
