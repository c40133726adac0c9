"""The single-seat face: one seat's game as a Gymnasium environment, players in the other three seats."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from numpy.typing import NDArray

from solo_env import render
from solo_env.actions import N_ACTIONS
from solo_env.cards import N_SEATS
from solo_env.checks import whole_number
from solo_env.engine import one
from solo_env.engine.state import NOBODY
from solo_env.engine.step import NO_ACTION
from solo_env.layout import N_FEATURES
from solo_env.observation import observation_space
from solo_env.player import Player, PlayerError, ask_player, make_player
from solo_env.rules import Ruleset, worst_payoff
from solo_env.table import START_OPTIONS, StartError, Table, check_deals, check_seed
from solo_env.view import View

RENDER_MODES = ("human", "ansi", "rgb_array")
ANY_SEAT = "random"
OPTIONS = ("seat", "opponents", *START_OPTIONS)
MAX_INDEX = 2**32 - 1  # of a table: with the game it goes into a decision key

Seen = NDArray[np.int8] | dict[str, NDArray[np.int8]]
Opponents = str | Player | Sequence[str | Player]


class SeatEnv(gymnasium.Env[Any, Any]):
    """Solo Whist for one learner: a seat of a table whose other seats have players.

    An episode is a session of ``deals`` deals, one unless said otherwise. The others act inside ``reset`` and
    ``step``, so that it is always the learner's turn. An observation is int8 [F], seats counted from the learner;
    its columns are those of :mod:`solo_env.layout`. The reward is the payoff in units of a deal that ended in the
    step, else 0. ``info["action_mask"]``, int8 [A], holds 1 for what may be done now, and zeros once the episode is
    over; there is nothing else in ``info``. :meth:`action_masks` gives the same as bool [A].

    An illegal action never raises: the episode is over, and the learner is charged ``penalty``, the most that an
    episode can cost under the ruleset, so that it never pays to break off. Episodes are never truncated.

    The games are those of ``raw_env`` and of row ``index`` of a batch: functions of (seed, index, how many games
    since the seed). The seat, if it is drawn, and the decision keys of the others come from these too.

    Args:
        ruleset: a name, a path or a :class:`~solo_env.rules.Ruleset`.
        seat: where the learner sits, 0 to 3, or "random": in a seat drawn for every episode.
        opponents: who sits in the other seats: one player for all of them, or three, from the learner's left
            clockwise; each a spec for :func:`~solo_env.player.make_player` or a :class:`~solo_env.player.Player`.
        deals: deals of an episode, 1 to 9999.
        render_mode: None, "human" (text on stdout), "ansi" (the text) or "rgb_array" (uint8 [H, W, 3]), of what the
            learner may know.
        dict_observation: whether an observation is ``{"observation": int8 [F], "action_mask": int8 [A]}`` instead.
        index: the table's number in a batch, 0 to 2**32 - 1.

    Raises:
        ValueError: a bad argument.
        PlayerError: an opponent cannot be made; from ``reset`` and ``step``, one failed or chose an illegal action.
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 2}  # noqa: RUF012 - as Gymnasium

    def __init__(
        self,
        ruleset: str | Ruleset = "pagat",
        seat: int | str = ANY_SEAT,
        opponents: Opponents = "novice",
        deals: int = 1,
        render_mode: str | None = None,
        *,
        dict_observation: bool = False,
        index: int = 0,
    ) -> None:
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise ValueError(f"render_mode is {render_mode!r}; it must be None or one of {RENDER_MODES}.")
        self.table = Table(ruleset)  # all the cards of the game, for people and tests; the learner gets view()
        self.ruleset = self.table.ruleset
        self.deals = check_deals(deals, self.ruleset)
        self.penalty = self.deals * worst_payoff(self.ruleset)
        self.opponents = seated(opponents, self.ruleset)
        self.render_mode = render_mode
        self.index = whole_number("the index of the table", index, 0, MAX_INDEX)
        self.dict_observation = dict_observation
        self.observation_space = space_of_observations(dict_observation)
        self.action_space = spaces.Discrete(N_ACTIONS)
        self._wanted = check_wanted(seat)
        self._seat = max(self._wanted, 0)
        self._seed: int | None = None
        self._game = 0
        self._started = self._over = False

    @property
    def seat(self) -> int:
        """Where the learner sits in this episode, 0 to 3; "random" is drawn by ``reset``."""
        return self._seat

    @property
    def np_random_seed(self) -> int:
        """The seed all games come from: the one given, else one drawn from the operating system."""
        if self._seed is None:
            self._seed = int(seeding.np_random()[1]) % 2**63
        return self._seed

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Seen, dict[str, Any]]:
        """Start the next episode; the first observation is that of the learner's first decision.

        There always is one: in every deal each seat either calls or, where a call closed the auction early, plays.

        Args:
            seed: starts the sequence of games anew; without one the sequence goes on.
            options: ``seat`` and ``opponents`` as for the class, in force until they are set again; ``dealer``,
                ``deal``, ``record`` and ``trump`` of the first deal, see :meth:`solo_env.table.Table.start`.

        Returns:
            Observation and info.

        Raises:
            ValueError: a bad seed or option, or a record that leaves the learner nothing to decide; position and
                sequence stay as they were.
            PlayerError: an opponent failed or chose an illegal action; the same.
        """
        settings, start = split_options(options, OPTIONS)
        wanted = check_wanted(settings["seat"]) if "seat" in settings else self._wanted
        opponents = seated(settings["opponents"], self.ruleset) if "opponents" in settings else self.opponents
        first = seed is not None or not self._game
        number = self.np_random_seed if seed is None else check_seed(seed)
        game = 0 if first else self._game
        table = self.table.clone()
        one.deal_one(table.tables, table.rules, number, self.index, game, -1, self.deals)
        place = int(one.seat_one(table.tables)) if wanted == NOBODY else wanted
        if start:
            table.start(start)
        play_on(table, place, opponents, NO_ACTION)
        if table.over or table.data["deal"] > 0:
            raise StartError(nothing_to_decide(place))
        if first:
            super().reset(seed=number)
        self.table, self._seat, self._wanted, self.opponents = table, place, wanted, opponents
        self._seed, self._game, self._started, self._over = number, game + 1, True, False
        return self._told()

    def step(self, action: int) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        """Take the learner's action, then play on to its next decision or the end of the episode.

        Args:
            action: an action id, a whole number; any that the mask does not allow is illegal.

        Returns:
            Observation, reward in units, terminated, truncated (always False), info.

        Raises:
            ValueError: the action is no whole number; nothing has changed.
            RuntimeError: no episode is under way.
            PlayerError: an opponent failed or chose an illegal action; the episode cannot go on.
        """
        if not self._started or self._over:
            raise RuntimeError("no episode is under way; call reset() before step().")
        number = _whole(action)
        self._started = False  # until the others have acted: one that fails leaves no episode behind
        turn, paid = play_on(
            self.table, self._seat, self.opponents, number if 0 <= number < N_ACTIONS else N_ACTIONS
        )
        self._started, self._over = True, turn < 0
        if turn == one.ILLEGAL:
            paid = -self.penalty
        seen, info = self._told()
        return seen, float(paid), self._over, False, info

    def action_masks(self) -> NDArray[np.bool_]:
        """What may be done now, bool [A]; all False once the episode is over."""
        self._check_started("action_masks")
        return self._observed()[1].astype(np.bool_)

    def view(self) -> View:
        """What the learner may know, as plain Python."""
        self._check_started("view")
        return self.table.view(self._seat)

    def render(self) -> str | NDArray[np.uint8] | None:
        """What the learner may know: printed, as text, or as a picture uint8 [H, W, 3]."""
        if self.render_mode is None:
            return None
        if self.render_mode == "rgb_array":
            return render.picture(self.view(), self.ruleset)
        text = render.text(self.view(), self.ruleset)
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def _told(self) -> tuple[Seen, dict[str, Any]]:
        """Observation and info; the table on stdout where people watch."""
        observation, mask = self._observed()
        if self.render_mode == "human":
            self.render()
        if self.dict_observation:
            return {"observation": observation, "action_mask": mask}, {"action_mask": mask.copy()}
        return observation, {"action_mask": mask}

    def _observed(self) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
        """Observation [F] and mask [A] of the learner, fresh arrays."""
        columns = np.empty(N_FEATURES + N_ACTIONS, np.int8)
        one.observe_one(self.table.desk, self._seat, columns)
        mask = columns[N_FEATURES:]
        if self._over:
            mask[:] = 0
        return columns[:N_FEATURES], mask

    def _check_started(self, what: str) -> None:
        if not self._started:
            raise RuntimeError(f"no episode is under way; call reset() before {what}().")


def _whole(action: Any) -> int:
    """An action as an int, whatever its size; refuses what is no whole number."""
    try:
        number = None if isinstance(action, bool) else operator.index(action)
    except TypeError:
        number = None
    if number is None:
        raise ValueError(f"the action is {action!r}; it must be a whole number.")
    return number


def play_on(table: Table, seat: int, opponents: Sequence[Player], action: int) -> tuple[int, int]:
    """Take ``action``, if it is one, and let the others act until ``seat`` is on turn or the session is over.

    Nobody is asked for a move that leaves no choice.

    Returns:
        Who is on turn, NOBODY when the session is over, and what ``seat`` is paid on the way, in units. If
        ``action`` may not be taken, nothing has changed and it is ``one.ILLEGAL``.

    Raises:
        PlayerError: one of the others failed or chose an illegal action.
    """
    asked = one.new_asked()
    views, keys, chosen = asked["view"], asked["key"], asked["action"]
    chosen[0] = action
    turn: int = one.play_on_one(table.desk, asked, seat)
    while turn not in (seat, NOBODY, one.ILLEGAL):
        player = opponents[(turn - seat) % N_SEATS - 1]
        ask_player(player, views, keys, chosen)
        turn = one.play_on_one(table.desk, asked, seat)
        if turn == one.ILLEGAL:
            raise not_open(player, int(chosen[0]), table)
    return turn, int(asked["paid"][0])


def not_open(player: Player, choice: int, table: Table) -> PlayerError:
    """What to raise when a player chose an illegal action."""
    return PlayerError(f"player {player.name!r} chose {choice}, which is not open, at: {table.record()}")


def nothing_to_decide(seat: int) -> str:
    """What to say of a start after which the deal ends without the learner."""
    return f"the record leaves player_{seat} nothing to decide; give an earlier position or another seat."


def space_of_observations(as_dict: bool) -> spaces.Space[Any]:
    """The space of a learner's observations, with the mask (``as_dict``) or without."""
    space = observation_space()
    return space if as_dict else space["observation"]


def check_wanted(seat: Any) -> int:
    """Where a learner is to sit, 0..3, NOBODY for "random"; refuses all else with a sentence."""
    if isinstance(seat, str) and seat == ANY_SEAT:
        return NOBODY
    try:
        return whole_number("the seat", seat, 0, N_SEATS - 1)
    except ValueError:
        raise ValueError(f'the seat is {seat!r}; it must be 0, 1, 2, 3 or "{ANY_SEAT}".') from None


def seated(opponents: Opponents, ruleset: Ruleset) -> tuple[Player, Player, Player]:
    """The three players that ``opponents`` names, from the learner's left; the same spec is the same player."""
    alone = isinstance(opponents, str | Player)
    three = [opponents] * (N_SEATS - 1) if alone else opponents
    if not isinstance(three, Sequence) or len(three) != N_SEATS - 1:
        raise ValueError(
            f"the opponents are {opponents!r}; give a player or its spec, or three, from the left of the seat."
        )
    made: dict[str, Player] = {}
    players: list[Player] = []
    for given in three:
        if isinstance(given, str):
            if given not in made:
                made[given] = make_player(given, ruleset)
            players.append(made[given])
        elif isinstance(given, Player):
            players.append(given)
        else:
            raise ValueError(f"an opponent is {given!r}; give a player or its spec.")
    left, across, right = players
    return left, across, right


def split_options(options: Mapping[str, Any] | None, known: Sequence[str]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The options of a reset: those of this face, and those of the start of a table.

    Raises:
        StartError: they are no mapping, or one of them is not ``known``.
    """
    if options is None:
        return {}, {}
    if not isinstance(options, Mapping):
        raise StartError(f"the options are {options!r}; give a mapping with {', '.join(known)}.")
    unknown = [key for key in options if key not in known]
    if unknown:
        raise StartError(f"there is no option {unknown[0]!r}; the options are {', '.join(known)}.")
    start = {key: value for key, value in options.items() if key in START_OPTIONS}
    return {key: value for key, value in options.items() if key not in start}, start
