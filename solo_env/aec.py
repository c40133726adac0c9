"""The PettingZoo face: one table as an AEC environment."""

from __future__ import annotations

from typing import Any, ClassVar, NoReturn

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from numpy.typing import NDArray
from pettingzoo import AECEnv

from solo_env import render
from solo_env.actions import N_ACTIONS
from solo_env.cards import N_SEATS
from solo_env.engine import one
from solo_env.engine.state import NOBODY
from solo_env.layout import N_FEATURES, N_STATE
from solo_env.observation import observation_space
from solo_env.rules import Ruleset
from solo_env.table import StartError, Table, check_deals, check_seed
from solo_env.view import View

AGENTS = tuple(f"player_{seat}" for seat in range(N_SEATS))
SEATS = {agent: seat for seat, agent in enumerate(AGENTS)}
RENDER_MODES = ("human", "ansi", "rgb_array")
RENDER_SEATS = (*AGENTS, "all")


class raw_env(AECEnv[str, dict[str, NDArray[np.int8]], int]):  # noqa: N801 - PettingZoo's name for it
    """Solo Whist for four agents who act in turn: a session of ``deals`` deals, one unless said otherwise.

    ``player_i`` sits in seat i, clockwise. An observation is ``{"observation": int8 [F], "action_mask":
    int8 [A]}`` with seats counted from the observer; the mask is all zeros for a seat that is not to act.
    Rewards are the payoffs in units at the end of every deal, and sum to zero; the next deal of the session is
    dealt in the step that ends one. ``infos`` stay empty.

    Args:
        ruleset: a name, a path or a :class:`~solo_env.rules.Ruleset`.
        render_mode: None, "human" (text on stdout), "ansi" (the text) or "rgb_array" (uint8 [H, W, 3]).
        render_seat: whose view is rendered, "player_0" by default; "all" shows every hand.
        deals: deals of a session, 1 to 9999.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "solo_whist_v0",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        ruleset: str | Ruleset = "pagat",
        render_mode: str | None = None,
        render_seat: str = "player_0",
        deals: int = 1,
    ) -> None:
        super().__init__()
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise ValueError(f"render_mode is {render_mode!r}; it must be None or one of {RENDER_MODES}.")
        if render_seat not in RENDER_SEATS:
            raise ValueError(f"render_seat is {render_seat!r}; it must be one of {', '.join(RENDER_SEATS)}.")
        self.table = Table(ruleset)
        self.ruleset = self.table.ruleset
        self.deals = check_deals(deals, self.ruleset)
        self.render_mode = render_mode
        self.render_seat = render_seat
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        self.observation_spaces = {agent: observation_space() for agent in AGENTS}
        self.action_spaces = {agent: spaces.Discrete(N_ACTIONS) for agent in AGENTS}
        self.state_space = spaces.Box(-128, 127, (N_FEATURES + N_STATE,), np.int8)
        self.agent_selection = AGENTS[0]
        self._np_random_seed: int | None = None
        self._game = 0
        self._started = False
        self._paid = False  # whether the last action has settled a deal

    def observation_space(self, agent: str) -> spaces.Dict:
        """The space of what ``agent`` sees, the same object at every call."""
        return self.observation_spaces[agent] if agent in SEATS else self._no_agent(agent)

    def action_space(self, agent: str) -> spaces.Discrete:
        """The space of action ids, the same object at every call."""
        return self.action_spaces[agent] if agent in SEATS else self._no_agent(agent)

    @property
    def np_random_seed(self) -> int:
        """The seed all deals come from: the one given, else one drawn from the operating system."""
        if self._np_random_seed is None:
            _, entropy = seeding.np_random()
            self._np_random_seed = int(entropy) % 2**63
        return self._np_random_seed

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start the next session.

        Args:
            seed: starts the sequence of sessions anew; without one the sequence goes on. A session is a function
                of (seed, how many sessions since the seed).
            options: ``dealer``, ``deal``, ``record``, ``trump`` of its first deal; see
                :meth:`solo_env.table.Table.start`.

        Raises:
            ValueError: a bad seed or option; the position and the sequence stay as they were.
        """
        # PettingZoo's own api_test sends this one unknown option.
        if options is None or options == {"options": 1}:
            options = {}
        first = seed is not None or self._np_random_seed is None
        number = self.np_random_seed if seed is None else check_seed(seed)
        game = 0 if first else self._game
        table = self.table.clone()
        table.deal(number, 0, game, deals=self.deals)
        table.start(options)
        if table.over:
            raise StartError("the record is of a finished deal; give one that ends before the deal does.")
        self.table, self._np_random_seed, self._game, self._started = table, number, game + 1, True
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._paid = False
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self.agent_selection = AGENTS[table.turn]
        if self.render_mode == "human":
            self.render()

    def step(self, action: int | None) -> None:
        """Take the action of ``agent_selection``; None for an agent whose session is over.

        Raises:
            solo_env.table.IllegalActionError: the mask does not allow it; nothing has changed.
        """
        if not self.agents:
            raise RuntimeError("no deal is under way; call reset() before step().")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        turn = self.table.apply(action)
        self._cumulative_rewards[agent] = 0.0
        if self._paid:  # by the action before; else all rewards are 0 and stay so
            self._clear_rewards()
            self._paid = False
        if turn == NOBODY:
            self._settle()
        else:
            self.agent_selection = AGENTS[turn]
        if self.render_mode == "human":
            self.render()

    def _settle(self) -> None:
        """Pay for a deal that is over, then deal the next or end the session."""
        for seat, units in enumerate(self.table.payoffs):
            self.rewards[AGENTS[seat]] = float(units)
        self._paid = True
        if self.table.session_over:
            self.terminations = dict.fromkeys(AGENTS, True)
        else:
            self.table.next_deal()
            self.agent_selection = AGENTS[self.table.turn]
        self._accumulate_rewards()
        self._deads_step_first()

    def observe(self, agent: str) -> dict[str, NDArray[np.int8]]:
        """What ``agent`` sees now: fresh arrays ``observation`` int8 [F] and ``action_mask`` int8 [A]."""
        if not self._started:
            self._check_started("observe")
        columns = np.empty(N_FEATURES + N_ACTIONS, np.int8)
        seat = SEATS[agent] if agent in SEATS else self._no_agent(agent)
        one.observe_one(self.table.desk, seat, columns)
        return {"observation": columns[:N_FEATURES], "action_mask": columns[N_FEATURES:]}

    def state(self) -> NDArray[np.int8]:
        """Everything, for a centralised critic: int8 [F + 208].

        First the observation of the seat on turn (of ``player_0`` when the session is over), then the four hands
        that are still held, 52 columns a seat, counted from that seat. Never give it to a player.
        """
        self._check_started("state")
        seat = max(self.table.turn, 0)
        hands = np.empty((1, N_STATE), np.int8)
        one.state_one(self.table.tables, seat, hands)
        return np.concatenate([self.observe(AGENTS[seat])["observation"], hands[0]])

    def view(self, agent: str) -> View:
        """What ``agent`` may know, as plain Python."""
        self._check_started("view")
        return self.table.view(self._seat(agent))

    def render(self) -> str | NDArray[np.uint8] | None:
        """The table as ``render_seat`` sees it: printed, as text, or as a picture uint8 [H, W, 3]."""
        if self.render_mode is None:
            return None
        self._check_started("render")
        if self.render_mode == "rgb_array":
            if self.render_seat == "all":
                return render.picture_all(self._all_views(), self.ruleset)
            return render.picture(self.view(self.render_seat), self.ruleset)
        if self.render_seat == "all":
            text = render.text_all(self._all_views(), self.ruleset)
        else:
            text = render.text(self.view(self.render_seat), self.ruleset)
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def close(self) -> None:
        """Nothing is held open."""

    def _check_started(self, what: str) -> None:
        if not self._started:
            raise RuntimeError(f"no deal is under way; call reset() before {what}().")

    def _seat(self, agent: str) -> int:
        return SEATS[agent] if agent in SEATS else self._no_agent(agent)

    def _no_agent(self, agent: str) -> NoReturn:
        raise ValueError(f"there is no agent {agent!r}; the agents are {', '.join(AGENTS)}.")

    def _all_views(self) -> list[View]:
        return [self.table.view(seat) for seat in range(N_SEATS)]
