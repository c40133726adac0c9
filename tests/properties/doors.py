"""What a seat gets of a game through each public way in, told as a story that can be compared.

A door starts games from their deals, takes their actions one by one and writes down all that reaches one seat of
each. Two games that the seat may not tell apart must make the same story.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import zip_longest
from types import SimpleNamespace
from typing import Any
from unittest import mock

import numpy as np
from numpy.typing import NDArray

from solo_env import actions, render
from solo_env.aec import AGENTS, raw_env
from solo_env.cards import N_SEATS, SUITS
from solo_env.engine import batch
from solo_env.evaluation import books, match
from solo_env.packing import Form
from solo_env.player import BatchPlayer, Player
from solo_env.record import NO_SUIT, Record
from solo_env.rules import Ruleset
from solo_env.solo_whist_v0 import env as wrapped_env
from solo_env.table import IllegalActionError, Table
from solo_env.vector import SoloVectorEnv
from solo_env.view import View
from tests.hidden_cards import Pair
from tests.playing import actions_of, played

Story = list[tuple[str, object]]  # what was told, and "when: what it was"
Door = Callable[[Sequence[Record], Sequence[int], int], list[Story]]  # games, a seat of each, seed

SEEDS = (11, 900_000_007)  # of the games and of their twins: no seat may know the seed of a deal


def noticed(pairs: Sequence[Pair], door: Door) -> list[str]:
    """Every difference that a seat could see between a game and its twin, in words."""
    seats = [pair.seat for pair in pairs]
    games = door([pair.game for pair in pairs], seats, SEEDS[0])
    twins = door([pair.twin for pair in pairs], seats, SEEDS[1])
    return differences(games, twins, seats)


def differences(games: Sequence[Story], twins: Sequence[Story], seats: Sequence[int]) -> list[str]:
    """Where the stories of games and of their twins differ, in words."""
    return [
        f"game {number}, player_{seats[number]}, {(ours or theirs)[0]}"
        for number, stories in enumerate(zip(games, twins, strict=True))
        for ours, theirs in zip_longest(*stories, fillvalue=("", None))
        if ours != theirs
    ]


def frozen(value: object) -> object:
    """A copy of what was given, that compares by content and that no later step can change."""
    if isinstance(value, np.ndarray | np.generic):
        return value.dtype, value.shape, value.tobytes()
    if isinstance(value, Mapping):
        return tuple((key, frozen(item)) for key, item in value.items())
    if isinstance(value, list | tuple):
        return tuple(map(frozen, value))
    return value


def start_of(game: Record) -> dict[str, Any]:
    """The options that start a game from its deal."""
    options: dict[str, Any] = {"deal": game.hands_by_seat(), "dealer": game.dealer}
    if game.suit is not None:
        options["trump"] = NO_SUIT if game.suit < 0 else SUITS[game.suit]
    return options


# --- the AEC environment


def aec(games: Sequence[Record], seats: Sequence[int], seed: int) -> list[Story]:
    """``raw_env``: after every action all that the agent can ask for, on its turn or not, to the last dead step."""
    env = raw_env(games[0].ruleset, render_mode="ansi")
    return [list(_aec_story(env, *one, seed)) for one in zip(games, seats, strict=True)]


def _aec_story(env: raw_env, game: Record, seat: int, seed: int) -> Iterator[tuple[str, object]]:
    agent = env.render_seat = AGENTS[seat]
    env.reset(seed=seed, options=start_of(game))
    line = actions_of(game)
    for number, action in enumerate(line):
        yield from agent_gets(env, agent, f"action {number}")
        env.step(action)
    yield from agent_gets(env, agent, f"action {len(line)}", read=True)
    while env.terminations.get(agent):
        env.step(None)
        yield from agent_gets(env, agent, "end")


def agent_gets(env: raw_env, agent: str, when: str, read: bool = False) -> Iterator[tuple[str, object]]:
    """All that the agent can get now; what is written for people only on its turn, or when ``read`` is set."""
    seen, view = env.observe(agent), env.view(agent)
    yield f"{when}: observation", frozen(seen["observation"])
    yield f"{when}: action_mask", frozen(seen["action_mask"])
    yield f"{when}: view", frozen(view.record)
    yield f"{when}: infos", frozen(env.infos.get(agent))
    yield f"{when}: rewards", frozen([env.rewards, env._cumulative_rewards.get(agent)])
    yield f"{when}: endings", frozen([env.terminations, env.truncations, env.agents, env.agent_selection])
    on_turn = env.agents and env.agent_selection == agent
    if on_turn:
        yield f"{when}: last", frozen(env.last())
    if on_turn or read:
        yield f"{when}: json", frozen(view.as_json())
        yield f"{when}: text", env.render()
    if on_turn and not env.terminations[agent]:
        yield f"{when}: refusals", _refusals(env, np.flatnonzero(seen["action_mask"] == 0))


def _refusals(env: raw_env, illegal: NDArray[np.int64]) -> list[str]:
    """What the environment answers to some of the illegal actions of the agent on turn."""
    answers = []
    for action in [*illegal[env.table.n_decisions % 6 :: 6], -1, actions.N_ACTIONS]:
        try:
            env.step(action)
        except IllegalActionError as error:
            answers.append(str(error))
    return answers


def pictures(games: Sequence[Record], seats: Sequence[int], seed: int) -> list[Story]:
    """``raw_env``: the picture of the last position."""
    env = raw_env(games[0].ruleset, render_mode="rgb_array")
    stories: list[Story] = []
    for game, seat in zip(games, seats, strict=True):
        env.render_seat = AGENTS[seat]
        env.reset(seed=seed, options=start_of(game))
        for action in actions_of(game):
            env.step(action)
        stories.append([("end: picture", frozen(env.render()))])
    return stories


def wrapped(games: Sequence[Record], seats: Sequence[int], seed: int) -> list[Story]:
    """``env()``: what ``last`` gives the agent, and what an illegal action at the end brings it."""
    env = wrapped_env(games[0].ruleset)
    stories = []
    for game, seat in zip(games, seats, strict=True):
        story: Story = []
        env.reset(seed=seed, options=start_of(game))
        for number, action in enumerate([*actions_of(game), None]):
            if env.agent_selection == AGENTS[seat]:
                given = env.last()
                story.append((f"action {number}: last", frozen(given)))
                if action is None and not given[2]:
                    with warnings.catch_warnings():  # PettingZoo's warning of the illegal action
                        warnings.simplefilter("ignore")
                        env.step(int(np.argmin(given[0]["action_mask"])))
                    told = [env.rewards, env.terminations, env.truncations, env.infos[AGENTS[seat]]]
                    story.append(("end: broken off", frozen([told, env.observe(AGENTS[seat])])))
            if action is not None:
                env.step(action)
        stories.append(story)
    return stories


# --- the batch


def batched(
    games: Sequence[Record], seats: Sequence[int], seed: int, next_deal: bool = False, form: Form | None = None
) -> list[Story]:
    """``SoloVectorEnv``: the rows of each step that are the seat's, payoffs and ends always.

    With ``next_deal`` the row of a finished game is followed into the deal that comes after. Observations are told
    in the given form.
    """
    env = SoloVectorEnv(len(games), games[0].ruleset, seed=seed, form=form)
    stories: list[Story] = [[] for _ in games]
    lines = [actions_of(game) for game in games]
    told = env.reset(starts=[start_of(game) for game in games])
    actor = told.seat.copy()
    for number in range(max(map(len, lines)) + 1):
        for b, line in enumerate(lines):
            if number > len(line) and not (next_deal and games[b].result is not None):
                continue  # what comes after the game is another story
            observers = [seats[b]]
            if games[b].result is not None and number >= len(line):  # another deal; under one seed the same
                observers = list(range(N_SEATS)) if next_deal else []
            stories[b] += row_gets(env, b, observers, f"action {number}")
            if told.done[b] and number == len(line) and actor[b] == seats[b]:
                stories[b].append((f"action {number}: final_observation", frozen(env.buffers.final_observation[b])))
        actor = told.seat.copy()
        chosen = [
            line[number] if number < len(line) else int(np.argmax(mask))
            for line, mask in zip(lines, told.action_mask, strict=True)
        ]
        on_turn = [b for b in range(len(games)) if number < len(lines[b]) and actor[b] == seats[b]]
        if on_turn:
            b = on_turn[number % len(on_turn)]
            stories[b].append((f"action {number}: refusals", refusal(env, b, chosen, number)))
        told = env.step(chosen)
    return stories


def row_gets(env: SoloVectorEnv, b: int, observers: Sequence[int], when: str) -> Iterator[tuple[str, object]]:
    """What row ``b`` tells all, and what it tells the observers when it is their turn."""
    told = env.batch
    yield f"{when}: payoffs", frozen([told.payoffs[b], told.settled[b], told.done[b]])
    if observers:
        yield f"{when}: seat", int(told.seat[b])
    if told.seat[b] in observers:
        yield f"{when}: observation", frozen(told.observation[b])
        yield f"{when}: action_mask", frozen(told.action_mask[b])
        yield f"{when}: view", frozen(env.views()[b])


def refusal(env: SoloVectorEnv, b: int, chosen: list[int], number: int) -> str:
    """What the batch answers when row ``b`` takes an illegal action, another one for each ``number``."""
    illegal = np.flatnonzero(env.batch.action_mask[b] == 0)
    try:
        env.step([*chosen[:b], int(illegal[7 * number % len(illegal)]), *chosen[b + 1 :]])
    except IllegalActionError as error:
        return str(error)
    raise AssertionError("an illegal action was taken")


def batched_next_deal(games: Sequence[Record], seats: Sequence[int], seed: int) -> list[Story]:
    """``SoloVectorEnv`` under one seed: the deal that follows must know nothing of the one before either."""
    return batched(games, seats, SEEDS[0], next_deal=True)


def batched_packed(games: Sequence[Record], seats: Sequence[int], seed: int) -> list[Story]:
    """``SoloVectorEnv`` with packed observations."""
    return batched(games, seats, seed, form=Form(packed=True))


# --- records


def records(games: Sequence[Record], seats: Sequence[int], seed: int) -> list[Story]:
    """A record as the start: ``Table.from_record``, and both environments where the deal is not over."""
    env = raw_env(games[0].ruleset, render_mode="ansi")
    open_games = [game.result is None for game in games]
    rows = SoloVectorEnv(len(games), games[0].ruleset, seed=seed)
    rows.reset(starts=[str(game) if is_open else None for game, is_open in zip(games, open_games, strict=True)])
    stories = []
    for b, (game, seat) in enumerate(zip(games, seats, strict=True)):
        view = Table.from_record(str(game)).view(seat)
        story: Story = [("table: view", frozen(view.record)), ("table: text", render.text(view, game.ruleset))]
        if open_games[b]:
            env.render_seat = AGENTS[seat]
            env.reset(seed=seed, options={"record": str(game)})
            story += agent_gets(env, AGENTS[seat], "aec")
            story += row_gets(rows, b, [seat], "batch")
        stories.append(story)
    return stories


# --- players in a match


class Scripted(BatchPlayer):
    """Takes the actions of a game, having asked a player what it would do, and writes down what that gets.

    ``play_match`` calls it once a round, but for forced moves: the four tables of a deal are in step.
    """

    def __init__(self, game: Record, seat: int, player: Player) -> None:
        super().__init__(game.ruleset)
        self.line, self.seat, self.player = actions_of(game), seat, player
        tables = [played(game, number).data for number in range(len(self.line) + 1)]
        self.numbers = {_moment(table): number for number, table in enumerate(tables)}
        self.story: Story = []

    def act_batch(self, views: NDArray[np.void], keys: NDArray[np.int64], out: NDArray[np.int64]) -> None:
        view, number = View(views[0]), self.numbers.get(_moment(views[0]), len(self.line))
        if number < len(self.line):
            if view.seat == self.seat:
                chosen = np.full(len(views), -1, np.int64)
                self.player.act_batch(views, keys, chosen)
                self.story.append((f"action {number}: views", frozen(views)))
                self.story.append((f"action {number}: keys", frozen(keys)))
                self.story.append((f"action {number}: choice", frozen(chosen)))
                self.story.append((f"action {number}: reason", self.player.explain(view)))
            out[:] = self.line[number]
        else:  # what comes after the game is another story
            out[:] = view.legal_actions()[0]


def _moment(record: np.void) -> tuple[int, ...]:
    """What tells the actions of a game apart, of a table or a view."""
    return tuple(int(record[name]) for name in ("phase", "n_calls", "n_plays"))


def match_of(make: Callable[[Ruleset], Player]) -> Door:
    """``play_match``: what a player gets on the seat's turns, what it would choose and what it says of it."""
    return partial(_match_stories, make)


def _match_stories(
    make: Callable[[Ruleset], Player], games: Sequence[Record], seats: Sequence[int], seed: int
) -> list[Story]:
    player = make(games[0].ruleset)
    stories = []
    for game, seat in zip(games, seats, strict=True):
        challenger, against = Scripted(game, seat, player), Scripted(game, seat, player)
        with _book_of(game, seed):
            match.play_match(challenger, against, game.ruleset, deals=1, seed=7)
        stories.append(challenger.story + against.story)
    return stories


def _book_of(game: Record, seed: int) -> Any:
    """Has matches deal this game instead of one from their book, and change nothing else."""

    def deal_rows(tables: NDArray[np.void], *args: Any) -> None:
        tables[:] = played(game, 0).data
        tables["seed"], tables["index"] = seed, 0

    return mock.patch.object(books, "batch", SimpleNamespace(**{**vars(batch), "deal_rows": deal_rows}))
