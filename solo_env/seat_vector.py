"""The single-seat face in batches: a native Gymnasium vector environment, equal to as many ``SeatEnv``."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from solo_env.actions import N_ACTIONS
from solo_env.cards import N_SEATS
from solo_env.checks import whole_actions, whole_number
from solo_env.engine import seats
from solo_env.engine.state import new_tables, new_views
from solo_env.engine.step import NO_ACTION
from solo_env.layout import MASK, N_FEATURES, ROW, records
from solo_env.player import Player, PlayerError, ask_player
from solo_env.rules import Ruleset, load_ruleset, pack_array, worst_payoff
from solo_env.seat_env import (
    ANY_SEAT,
    OPTIONS,
    Opponents,
    Seen,
    check_wanted,
    not_open,
    nothing_to_decide,
    seated,
    space_of_observations,
    split_options,
)
from solo_env.table import StartError, Table, check_deals, check_seed

VECTOR_OPTIONS = ("reset_mask", *OPTIONS)
NO_ROOM = np.zeros(1, np.int64)  # where a session that ends is not followed by the next at once


@dataclass
class _Games:
    """B running games. A reset works on a copy, so that one that is refused changes nothing."""

    tables: NDArray[np.void]  # TABLE [B]
    seats: NDArray[np.int64]  # [B], where the learner sits
    starts: NDArray[np.int64]  # [B, 2], what the decision keys of its game share
    wanted: NDArray[np.int64]  # [B], where it is to sit, NOBODY where the seed draws it
    over: NDArray[np.bool_]  # [B], whether the episode is over
    players: list[Player]  # whoever has another seat at any table, once each
    who: NDArray[np.int64]  # [B, 3], their numbers, by seats from the learner's left

    def copy(self) -> _Games:
        return _Games(
            self.tables.copy(), self.seats.copy(), self.starts.copy(), self.wanted.copy(), self.over.copy(),
            list(self.players), self.who.copy(),
        )  # fmt: skip

    def seat_players(self, rows: NDArray[np.int64], three: tuple[Player, Player, Player]) -> None:
        """Put three players into the other seats of ``rows``, and forget those who have no seat any more."""
        for place, player in enumerate(three):
            known = [number for number, other in enumerate(self.players) if other is player]
            if not known:
                known = [len(self.players)]
                self.players.append(player)
            self.who[rows, place] = known[0]
        used, numbers = np.unique(self.who, return_inverse=True)
        self.players = [self.players[number] for number in used]
        self.who = numbers.reshape(self.who.shape)


class SeatVectorEnv(VectorEnv[Seen, NDArray[np.int64], NDArray[Any]]):
    """``num_envs`` single-seat games at once on the batched engine.

    Row b tells, step for step, what ``SeatEnv(index=b)`` tells under the same seed, whatever the size of the batch:
    see :class:`~solo_env.seat_env.SeatEnv` for observations, rewards, masks and illegal actions. The players in the
    other seats are asked once a round for all tables at which they are on turn.

    A step returns observation int8 [B, F], reward float64 [B] in units, terminated and truncated bool [B], and
    infos: ``action_mask`` int8 [B, A] with ``_action_mask`` bool [B], as Gymnasium's own vector environments have
    it; under SAME_STEP, where episodes ended, also ``final_obs`` (object [B]) and ``final_info`` with their masks.
    All arrays are the caller's.

    Args:
        num_envs: B, at least 1.
        ruleset: a name, a path or a :class:`~solo_env.rules.Ruleset`.
        seat: where the learner sits, 0 to 3, or "random"; or one of these for each row.
        opponents: a player or its spec, or three, from the learner's left clockwise.
        deals: deals of an episode, 1 to 9999.
        autoreset_mode: NEXT_STEP: the step after the end starts the next episode, its action is ignored;
            SAME_STEP: the step that ends one does; DISABLED: ``reset`` with the option ``reset_mask`` does. Also as
            text: "NextStep", "SameStep", "Disabled".
        dict_observation: whether an observation is ``{"observation": [B, F], "action_mask": [B, A]}`` instead.
    """

    def __init__(
        self,
        num_envs: int,
        ruleset: str | Ruleset = "pagat",
        seat: int | str | ArrayLike = ANY_SEAT,
        opponents: Opponents = "novice",
        deals: int = 1,
        *,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        dict_observation: bool = False,
    ) -> None:
        self.num_envs = whole_number("num_envs", num_envs, 1)
        self.ruleset = load_ruleset(ruleset)
        self.rules = pack_array(self.ruleset)
        self.deals = check_deals(deals, self.ruleset)
        self.penalty = self.deals * worst_payoff(self.ruleset)
        self.autoreset_mode = _check_mode(autoreset_mode)
        self.metadata = {"render_modes": [], "autoreset_mode": self.autoreset_mode}
        self.dict_observation = dict_observation
        self.single_observation_space = space_of_observations(dict_observation)
        self.single_action_space = spaces.Discrete(N_ACTIONS)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        b = self.num_envs
        self._games = _Games(
            new_tables(b), np.zeros(b, np.int64), np.zeros((b, 2), np.int64), _wanted(seat, b),
            np.zeros(b, np.bool_), [], np.zeros((b, N_SEATS - 1), np.int64),
        )  # fmt: skip
        self._games.seat_players(np.arange(b), seated(opponents, self.ruleset))
        self._views = new_views(b)
        self._keys, self._asked = np.zeros(b, np.int64), np.zeros(b, np.int64)
        self._allowed = np.zeros((b, 2), np.int64)
        self._every = np.arange(b)
        # Of the episodes whose tables deal anew in the step that ends them: how many, which, what learners saw.
        self._last, self._last_seen = np.zeros(1, np.int64), np.zeros((0, N_FEATURES), np.int8)
        if self.autoreset_mode is AutoresetMode.SAME_STEP:
            self._last, self._last_seen = np.zeros(1 + b, np.int64), np.zeros((b, N_FEATURES), np.int8)
        self._mask = np.zeros((b, N_ACTIONS), np.int8)
        self._seed: int | None = None
        self._dealt = self._started = False

    @property
    def np_random_seed(self) -> int:
        """The seed last given, else one drawn from the operating system."""
        if self._seed is None:
            self._seed = int(seeding.np_random()[1]) % 2**63
        return self._seed

    @property
    def seats(self) -> NDArray[np.int64]:
        """Where the learner sits at each table, int64 [B], a copy."""
        return self._games.seats.copy()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Seen, dict[str, Any]]:
        """Start the next episode at every table, or at those of ``reset_mask``.

        Args:
            seed: starts the sequences of games anew: row b plays the games (seed, b, 0), (seed, b, 1), ...
            options: those of :meth:`solo_env.seat_env.SeatEnv.reset`, for all tables that are reset, ``seat`` also
                as one entry a row; and ``reset_mask``, bool [B], which tables these are. Opponents and seats stay
                with their tables until they are set again, so that tables may have different ones.

        Returns:
            Observation and infos, of all tables.

        Raises:
            ValueError: a bad seed or option; the tables stay as they were.
            PlayerError: an opponent failed or chose an illegal action; the same.
        """
        self._check_open()
        settings, start = split_options(options, VECTOR_OPTIONS)
        rows = self._rows_to_reset(settings)
        number = self.np_random_seed if seed is None else check_seed(seed)
        games = self._games.copy()
        if "seat" in settings:
            games.wanted[rows] = _wanted(settings["seat"], self.num_envs)[rows]
        if "opponents" in settings:
            games.seat_players(rows, seated(settings["opponents"], self.ruleset))
        if seed is not None or not self._dealt:
            seats.first_games(
                games.tables, self.rules, rows, number, self.deals, games.wanted, games.seats, games.starts
            )
        else:
            seats.next_games(games.tables, self.rules, rows, games.wanted, games.seats, games.starts)
        if start:
            self._place(games, rows, start)
        games.over[rows] = False
        self._play(games, rows.copy(), np.full(len(rows), NO_ACTION, np.int64), np.zeros(self.num_envs), NO_ROOM)
        undecided = rows[games.over[rows] | (games.tables["deal"][rows] > 0)]
        if len(undecided):
            raise StartError(nothing_to_decide(int(games.seats[undecided[0]])))
        if seed is not None or not self._dealt:
            super().reset(seed=number)
        self._games, self._seed, self._dealt, self._started = games, number, True, True
        return self._told({})

    def step(
        self, actions: ArrayLike
    ) -> tuple[Seen, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Take an action at each table, then play on to the learner's next decisions.

        Args:
            actions: whole numbers [B].

        Returns:
            Observation, reward, terminated, truncated (all False), infos; see the class.

        Raises:
            ValueError: the actions are no whole numbers [B]; nothing has changed.
            RuntimeError: no episodes are under way, or (DISABLED) one that is over has not been reset.
            PlayerError: an opponent failed or chose an illegal action; the episodes cannot go on.
        """
        self._check_open()
        self._check_started("step()")
        games, infos = self._games, {}
        given = np.ascontiguousarray(whole_actions(actions, self.num_envs), np.int64)
        chosen = np.empty(self.num_envs, np.int64)
        if seats.open_actions(given, games.over, chosen):
            resting = np.flatnonzero(games.over)
            if self.autoreset_mode is AutoresetMode.DISABLED:
                raise RuntimeError(
                    f"the episode of table {resting[0]} is over; reset it with the option reset_mask before step()."
                )
            seats.next_games(games.tables, self.rules, resting, games.wanted, games.seats, games.starts)
            games.over[:] = False
        self._started = False  # until the others have acted: one that fails leaves no episodes behind
        reward = np.zeros(self.num_envs)
        self._last[0] = 0
        self._play(games, self._every.copy(), chosen, reward, self._last)
        terminated = games.over.copy()
        n_ended = int(self._last[0])
        if n_ended:
            infos = self._final(n_ended)
            games.over[:] = False
        self._started = True
        seen, infos = self._told(infos)
        return seen, reward, terminated, np.zeros(self.num_envs, np.bool_), infos

    def action_masks(self) -> NDArray[np.bool_]:
        """What may be done now at each table, bool [B, A]; all False where the episode is over."""
        self._check_started("action_masks()")
        return self._mask.astype(np.bool_)

    def views(self) -> NDArray[np.void]:
        """What the learner may know at each table, as view records [B] (dtype ``VIEW``), for players to decide."""
        self._check_started("views()")
        views = new_views(self.num_envs)
        seats.view_seats(self._games.tables, self.rules, self._games.seats, views)
        return views

    def table(self, b: int) -> Table:
        """A copy of table ``b`` with all its cards, for people and tests."""
        self._check_started("table()")
        copy = Table(self.ruleset)
        copy.data = self._games.tables[whole_number("the table", b, 0, self.num_envs - 1)]
        return copy

    def _play(
        self,
        games: _Games,
        rows: NDArray[np.int64],
        chosen: NDArray[np.int64],
        reward: NDArray[np.float64],
        last: NDArray[np.int64],
    ) -> None:
        """Take ``chosen`` [N] at the tables ``rows`` [N] and let the others act until all wait for the learner.

        Both arrays are spent; NO_ACTION is for a game that has just started. ``reward`` [B] grows by what the
        learner is paid. ``last`` has room where a table whose session ends is to deal anew: see
        :func:`~solo_env.engine.seats.play_rows`.
        """
        arrays = (
            games.seats, games.who, self.penalty, reward, games.over, self._views, self._keys, self._asked,
            self._allowed, games.wanted, games.starts, last, records(self._last_seen, ROW),
        )  # fmt: skip
        n, first = len(rows), 1
        while (n := seats.play_rows(games.tables, self.rules, rows, n, chosen, first, *arrays)) > 0:
            self._ask(games, chosen, n)
            first = 0
        if n < 0:
            raise self._not_open(games, int(rows[-1 - n]), int(chosen[-1 - n]))

    def _ask(self, games: _Games, chosen: NDArray[np.int64], n: int) -> None:
        """Fill ``chosen[:n]`` with what the players decide whom the last round left to be asked."""
        views, keys, asked = self._views[:n], self._keys[:n], self._asked[:n]
        if len(games.players) == 1:
            chosen[:n] = NO_ACTION
            ask_player(games.players[0], views, keys, chosen[:n])
            return
        for number in np.unique(asked):
            these = np.flatnonzero(asked == number)
            chosen[these] = ask_player(games.players[number], views[these], keys[these])

    def _not_open(self, games: _Games, b: int, choice: int) -> PlayerError:
        """What to raise when a player chose an illegal action at table ``b``."""
        table = Table(self.ruleset)
        table.data = games.tables[b]
        place = (table.turn - int(games.seats[b])) % N_SEATS - 1
        return not_open(games.players[games.who[b, place]], choice, table)

    def _told(self, infos: dict[str, Any]) -> tuple[Seen, dict[str, Any]]:
        """Observations and infos of all tables, fresh arrays; the masks are kept for ``action_masks``."""
        games, observation = self._games, np.empty((self.num_envs, N_FEATURES), np.int8)
        rows, masks = records(observation, ROW), records(self._mask, MASK)
        seats.observe_seats(games.tables, self.rules, games.seats, games.over, rows, masks)
        infos["action_mask"], infos["_action_mask"] = self._mask.copy(), np.ones(self.num_envs, np.bool_)
        if self.dict_observation:
            return {"observation": observation, "action_mask": self._mask.copy()}, infos
        return observation, infos

    def _final(self, n: int) -> dict[str, Any]:
        """What the ``n`` episodes that have ended in a step showed last, as Gymnasium has it in infos."""
        ended, observation = self._last[1 : n + 1], self._last_seen[:n].copy()
        mask = np.zeros((n, N_ACTIONS), np.int8)
        final = np.full(self.num_envs, None, object)
        seen: Iterable[Seen] = observation
        if self.dict_observation:
            both = zip(observation, mask, strict=True)
            seen = ({"observation": row, "action_mask": none} for row, none in both)
        final[ended] = np.fromiter(seen, object, n)
        flags = np.zeros(self.num_envs, np.bool_)
        flags[ended] = True
        masks = np.zeros((self.num_envs, N_ACTIONS), np.int8)  # an episode that is over leaves nothing to do
        return {
            "final_obs": final,
            "_final_obs": flags,
            "final_info": {"action_mask": masks, "_action_mask": flags.copy()},
            "_final_info": flags.copy(),
        }

    def _place(self, games: _Games, rows: NDArray[np.int64], start: dict[str, Any]) -> None:
        """Start each table of ``rows`` from the options of a start."""
        place = Table(self.ruleset)
        for b in rows:
            place.data = games.tables[b]
            place.start(start)
            games.tables[b] = place.data

    def _rows_to_reset(self, settings: dict[str, Any]) -> NDArray[np.int64]:
        """The tables that a reset is for, [N]."""
        if "reset_mask" not in settings:
            return self._every
        mask = settings["reset_mask"]
        wanted = isinstance(mask, np.ndarray) and mask.dtype == np.bool_ and mask.shape == (self.num_envs,)
        if not wanted or not mask.any():
            raise StartError(
                f"reset_mask is {mask!r}; give a bool array of shape ({self.num_envs},) with at least one True."
            )
        self._check_started("a reset with reset_mask")
        return np.flatnonzero(mask)

    def _check_open(self) -> None:
        if self.closed:
            raise RuntimeError("the environment is closed; make a new one.")

    def _check_started(self, what: str) -> None:
        if not self._started:
            raise RuntimeError(f"no episodes are under way; call reset() before {what}.")


def _check_mode(mode: Any) -> AutoresetMode:
    """An autoreset mode, or its text, as the mode."""
    try:
        return AutoresetMode(mode)
    except ValueError:
        texts = ", ".join(repr(known.value) for known in AutoresetMode)
        raise ValueError(f"autoreset_mode is {mode!r}; it must be one of {texts}.") from None


def _wanted(seat: Any, num_envs: int) -> NDArray[np.int64]:
    """Where the learner is to sit at each table, int64 [B], from one answer for all or one for each."""
    each = [seat] * num_envs if isinstance(seat, str) or np.ndim(seat) == 0 else list(seat)
    if len(each) != num_envs:
        raise ValueError(f"there are {len(each)} seats for {num_envs} tables; give one, or one for each.")
    return np.array([check_wanted(one) for one in each], np.int64)
