"""What the tests of the single-seat face share: players that go wrong or follow a line, a learner's choices."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from solo_env import actions
from solo_env.engine.bits import decision_key
from solo_env.player import BatchPlayer
from solo_env.record import Record
from solo_env.view import View
from tests.playing import actions_of


def some_legal(mask: NDArray[np.int8], *numbers: int) -> int:
    """An open action that depends on the numbers only."""
    legal = np.flatnonzero(mask)
    return int(legal[decision_key(5, *numbers, *[0] * (3 - len(numbers))) % len(legal)])


class Failing(BatchPlayer):
    """Raises once it is asked."""

    def act_batch(self, views: NDArray[np.void], keys: NDArray[np.int64], out: NDArray[np.int64]) -> None:
        raise KeyError("x")


class Revoking(BatchPlayer):
    """Chooses what is never open: an acceptance when cards are played, a card when calls are made."""

    def act_batch(self, views: NDArray[np.void], keys: NDArray[np.int64], out: NDArray[np.int64]) -> None:
        out[:] = np.where(views["legal_cards"] > 0, actions.COP, 0)


class Counting(BatchPlayer):
    """Plays the first open action, and keeps how many it could choose from each time."""

    def __init__(self) -> None:
        super().__init__()
        self.choices: list[int] = []

    def act_batch(self, views: NDArray[np.void], keys: NDArray[np.int64], out: NDArray[np.int64]) -> None:
        for b, view in enumerate(map(View, views)):
            out[b] = view.legal_actions()[0]
            self.choices.append(len(view.legal_actions()))


class Line(BatchPlayer):
    """Takes the actions of a game as far as it goes, and the first open one in all that comes after."""

    def __init__(self, game: Record) -> None:
        super().__init__(game.ruleset)
        self.line = actions_of(game)

    def number(self, view: View) -> int:
        """How many actions of the line a view shows; the length of the line if not one that it has."""
        return number_of(self.line, view)

    def act_batch(self, views: NDArray[np.void], keys: NDArray[np.int64], out: NDArray[np.int64]) -> None:
        for b, view in enumerate(map(View, views)):
            number, legal = self.number(view), view.legal_actions()
            out[b] = self.line[number] if number < len(self.line) and self.line[number] in legal else legal[0]


def number_of(line: Sequence[int], view: View) -> int:
    """The number of the action of ``line`` that the seat on turn takes next, its length if there is none left."""
    phases = [actions.phase(action) for action in line]
    for number, phase in enumerate(phases):
        before = phases[:number]
        made = before.count(actions.AUCTION), before.count(actions.PLAY)
        if phase == view.phase and made == (view.n_calls, view.n_plays):
            return number
    return len(line)


class Silent(BatchPlayer):
    """Writes no answer."""

    def act_batch(self, views: NDArray[np.void], keys: NDArray[np.int64], out: NDArray[np.int64]) -> None:
        pass
