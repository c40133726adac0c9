"""The single-seat faces show the learner nothing that its seat may not know; the proof is that of tests.properties.

The other seats have players who take the actions of the game, so that a game and its twin go the same way.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest

from solo_env.layout import OFFSETS
from solo_env.record import Record
from solo_env.seat_env import SeatEnv
from solo_env.seat_vector import SeatVectorEnv
from solo_env.view import View
from tests.faces.seats import Line
from tests.hidden_cards import pairs
from tests.properties.doors import Door, Story, frozen, noticed, start_of

MANY, FEW = 96, 12
FLIPS = [
    'pagat+passout.mode="fewest"',
    'pagat+contract.abu_suit_time="with_call"',
    'pagat+contract.ouv_expose="before_lead"',
    "anna_cubed",
    "everything2",
]


def single(games: Sequence[Record], seats: Sequence[int], seed: int) -> list[Story]:
    """``SeatEnv``: all that a learner gets on its turns, at the end, and where it breaks off."""
    env = SeatEnv(games[0].ruleset, opponents="pass", render_mode="ansi")
    return [list(_single_story(env, *one, seed)) for one in zip(games, seats, strict=True)]


def _single_story(env: SeatEnv, game: Record, seat: int, seed: int) -> Iterator[tuple[str, object]]:
    line = Line(game)
    told: Any = env.reset(seed=seed, options={**start_of(game), "seat": seat, "opponents": line})
    while True:
        over = len(told) > 2 and told[2]
        number = line.number(env.view())
        if number >= len(line.line) and not (over and game.result is not None):
            return  # what comes after the game is another story
        when = f"action {number}"
        yield f"{when}: told", frozen(told)
        yield f"{when}: masks", frozen(env.action_masks())
        yield f"{when}: view", frozen(env.view().record)
        yield f"{when}: text", env.render()
        yield f"{when}: rest", frozen([env.penalty, env.seat, env.metadata, env.spec])
        if over:
            return
        broken = copy.deepcopy(env)
        yield f"{when}: broken off", frozen(broken.step(int(np.argmin(told[-1]["action_mask"]))))
        told = env.step(line.line[number])


def batched(games: Sequence[Record], seats: Sequence[int], seed: int) -> list[Story]:
    """``SeatVectorEnv``: the same by rows, each with players of its own."""
    env = SeatVectorEnv(len(games), games[0].ruleset, opponents="pass", autoreset_mode="SameStep")
    told: Any = env.reset(seed=seed)
    lines = [Line(game) for game in games]
    for b, (game, line) in enumerate(zip(games, lines, strict=True)):
        mask = np.arange(len(games)) == b
        told = env.reset(options={**start_of(game), "seat": seats[b], "opponents": line, "reset_mask": mask})
    stories: list[Story] = [[] for _ in games]
    running = np.ones(len(games), bool)
    rewards, overs = np.zeros(len(games)), np.zeros(len(games), bool)
    while running.any():
        views, masks, chosen = env.views(), env.action_masks(), told[-1]["action_mask"].argmax(axis=1)
        for b in np.flatnonzero(running):
            story, line = stories[b], lines[b]
            if overs[b]:
                if games[b].result is not None:
                    final = told[-1]["final_obs"][b], told[-1]["final_info"]["action_mask"][b]
                    story.append(("end: final", frozen([rewards[b], final])))
                running[b] = False
                continue
            number = line.number(View(views[b]))
            if number >= len(line.line):
                running[b] = False
                continue
            when = f"action {number}"
            story.append((f"{when}: told", frozen([told[0][b], told[-1]["action_mask"][b], rewards[b]])))
            story.append((f"{when}: masks", frozen(masks[b])))
            story.append((f"{when}: view", frozen(views[b])))
            chosen[b] = line.line[number]
        told = env.step(chosen)
        rewards, overs = told[1], told[2]
    return stories


FACES: dict[str, Door] = {"single": single, "batched": batched}


@pytest.mark.parametrize("face", FACES)
def test_a_learner_sees_nothing_hidden(face):
    assert noticed(pairs("pagat", MANY), FACES[face]) == []


@pytest.mark.parametrize("ruleset", FLIPS)
def test_a_learner_sees_nothing_hidden_under_any_ruleset(ruleset):
    for door in FACES.values():
        assert noticed(pairs(ruleset, FEW), door) == []


@pytest.mark.parametrize("face", FACES)
def test_the_stories_are_long_and_reach_the_ends(face):
    found = pairs("pagat", MANY)
    stories = FACES[face]([pair.game for pair in found], [pair.seat for pair in found], 1)
    assert sum(map(len, stories)) > 500
    assert sum(story[-1][0].endswith(("final", "rest")) for story in stories if story) > 10  # whole games


# --- leaks that the doors must notice


def held_by_the_neighbour(hands: np.ndarray, seat: int) -> int:
    """The number of clubs in the hand on the left."""
    return (int(hands[(seat + 1) % 4]) & (2**13 - 1)).bit_count()


def in_the_observation(patch: pytest.MonkeyPatch) -> None:
    observed = SeatEnv._observed

    def leaking(self: SeatEnv) -> Any:
        observation, mask = observed(self)
        observation[OFFSETS["account"]] = held_by_the_neighbour(self.table.data["hand_cards"], self.seat)
        return observation, mask

    patch.setattr(SeatEnv, "_observed", leaking)


def in_the_info(patch: pytest.MonkeyPatch) -> None:
    told = SeatEnv._told

    def leaking(self: SeatEnv) -> Any:
        seen, info = told(self)
        return seen, {**info, "clubs": held_by_the_neighbour(self.table.data["hand_cards"], self.seat)}

    patch.setattr(SeatEnv, "_told", leaking)


def in_the_batch(patch: pytest.MonkeyPatch) -> None:
    told = SeatVectorEnv._told

    def leaking(self: SeatVectorEnv, infos: dict[str, Any]) -> Any:
        seen, infos = told(self, infos)
        for b in range(self.num_envs):
            hands = self._games.tables[b]["hand_cards"]
            seen[b, OFFSETS["account"]] = held_by_the_neighbour(hands, int(self.seats[b]))
        return seen, infos

    patch.setattr(SeatVectorEnv, "_told", leaking)


def in_the_last_observation(patch: pytest.MonkeyPatch) -> None:
    play, final = SeatVectorEnv._play, SeatVectorEnv._final
    before: dict[str, np.ndarray] = {}  # the tables deal anew before the last observations are handed out

    def remembering(self: SeatVectorEnv, games: Any, *rest: Any) -> None:
        before.update(dealt=games.tables["dealt"].copy(), seats=games.seats.copy())
        play(self, games, *rest)

    def leaking(self: SeatVectorEnv, n: int) -> Any:
        infos = final(self, n)
        for b in np.flatnonzero(infos["_final_obs"]):
            hand = before["dealt"][b][(int(before["seats"][b]) + 1) % 4]
            dealt = sum(1 << int(card) for card in hand[:6])
            infos["final_obs"][b][OFFSETS["account"]] = held_by_the_neighbour(np.full(4, dealt), 0)
        return infos

    patch.setattr(SeatVectorEnv, "_play", remembering)
    patch.setattr(SeatVectorEnv, "_final", leaking)


@pytest.mark.parametrize(
    ("plant", "face", "kinds"),
    [
        (in_the_observation, "single", {"told", "broken off"}),
        (in_the_info, "single", {"told", "broken off"}),
        (in_the_batch, "batched", {"told"}),
        (in_the_last_observation, "batched", {"final"}),
    ],
)
def test_a_planted_leak_is_noticed(monkeypatch, plant, face, kinds):
    plant(monkeypatch)
    assert {line.rpartition(": ")[2] for line in noticed(pairs("pagat", 40), FACES[face])} == kinds
