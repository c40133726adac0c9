"""Ray RLlib, its new API stack: the table as a ``MultiAgentEnv``, self-play among snapshots, and its players.

Only the seat that is to act gets an observation, under the keys of RLlib's masking module. All four seats are paid
when the deal is over, and RLlib gives each the sum since its last action: so every learner sees its payoff.
"""

from __future__ import annotations

import itertools
import operator
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from gymnasium.utils import seeding
from numpy.typing import NDArray
from ray.rllib.callbacks.callbacks import RLlibCallback
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.rl_module import RLModule, RLModuleSpec
from ray.rllib.env.multi_agent_env import MultiAgentEnv

from solo_env.actions import N_ACTIONS
from solo_env.cards import N_SEATS
from solo_env.checks import whole_number
from solo_env.engine import one
from solo_env.engine.state import NOBODY
from solo_env.layout import N_FEATURES
from solo_env.observation import scale
from solo_env.player import PlayerError, told
from solo_env.plugs.policy import Policy, PolicyPlayer, policy_file
from solo_env.rules import Ruleset, worst_payoff
from solo_env.table import IllegalActionError, Table, check_deals, check_seed

AGENTS = [f"player_{seat}" for seat in range(N_SEATS)]
LEARNER = "shared"  # the module that learns, in whichever seats
OPTIONS = ("ruleset", "deals", "seed")

TABLES = 1000  # numbers of tables for the copies on a worker
_COPY = itertools.count()  # of those that this process has made

Seen = dict[str, dict[str, NDArray[np.float32]]]


def seen_space() -> spaces.Dict:
    """What a seat sees: ``observations`` float32 [F], each column brought to -1 .. 1, and ``action_mask`` [A]."""
    return spaces.Dict(
        {
            "observations": spaces.Box(-1, 1, (N_FEATURES,), np.float32),
            "action_mask": spaces.Box(0, 1, (N_ACTIONS,), np.float32),
        }
    )


class SoloMultiAgentEnv(MultiAgentEnv):
    """A table of four agents, ``player_0`` to ``player_3``.

    Moves without a choice are made for the seats, but for a seat's first of a deal: RLlib leaves out of an episode
    whoever never acts in it, and with him what he is paid. An illegal action, which RLlib's masking never
    makes but its checks do, ends the episode and costs its seat the most that an episode can under the ruleset.

    Args:
        config: ``ruleset``, ``deals`` of an episode and ``seed``, each if it is not to stand at its default;
            every copy of the environment plays other deals of the seed. RLlib's own ``debugging(seed=...)`` gives
            each copy another seed at its first reset instead.

    Raises:
        ValueError: an unknown or bad option.
    """

    def __init__(self, config: Mapping[str, Any] | None = None) -> None:
        options = dict(config or {})
        unknown = [name for name in options if name not in OPTIONS]
        if unknown:
            raise ValueError(f"there is no option {unknown[0]!r}; the options are {', '.join(OPTIONS)}.")
        self.table = Table(options.get("ruleset", "pagat"))
        self.deals = check_deals(options.get("deals", 1), self.table.ruleset)
        self.penalty = self.deals * worst_payoff(self.table.ruleset)
        self._seed = seeding.np_random()[1] % 2**63 if options.get("seed") is None else check_seed(options["seed"])
        # Copies of one configuration, on a worker or several, play other tables of the seed.
        self._index, self._game = TABLES * getattr(config, "worker_index", 0) + next(_COPY) % TABLES, 0
        self._account = np.zeros(N_SEATS, np.int64)
        self._acted: set[int] = set()  # in this deal
        self._broken = False  # by an illegal action
        self._scale = scale()
        self.possible_agents, self.agents = list(AGENTS), list(AGENTS)
        self.observation_spaces = {agent: seen_space() for agent in AGENTS}
        self.action_spaces = {agent: spaces.Discrete(N_ACTIONS) for agent in AGENTS}
        super().__init__()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Seen, dict[str, Any]]:
        """Start the next episode; what the first seat to act sees, and no infos.

        Args:
            seed: starts the sequence of games anew.
            options: a start of the first deal, see :meth:`solo_env.table.Table.start`.
        """
        if seed is not None:
            self._seed, self._game = check_seed(seed), 0
        one.deal_one(self.table.tables, self.table.rules, self._seed, self._index, self._game, -1, self.deals)
        self.table.start(options or {})
        self._game += 1
        self._acted.clear()
        self._broken = False
        self._account = np.zeros(N_SEATS, np.int64)
        self._play_on()
        return self._seen(), {}

    def step(
        self, action_dict: Mapping[str, int]
    ) -> tuple[Seen, dict[str, float], dict[str, bool], dict[str, bool], dict[str, Any]]:
        """Take the action of the seat on turn.

        Returns:
            What the next seat to act sees; units for each agent, zeros unless a deal ended; whether all is over;
            truncated, never; no infos.
        """
        if self._broken or self.table.turn == NOBODY:
            raise RuntimeError("no episode is under way; call reset() before step().")
        agent = AGENTS[self.table.turn]
        if set(action_dict) != {agent}:
            raise ValueError(f"actions came for {', '.join(action_dict) or 'nobody'}; it is the turn of {agent}.")
        self._acted.add(self.table.turn)
        try:
            self.table.apply(operator.index(action_dict[agent]))
        except IllegalActionError:
            self._broken = True
        else:
            self._play_on()
        paid = dict.fromkeys(AGENTS, 0.0) | {agent: -float(self.penalty)} if self._broken else self._paid()
        ended = dict.fromkeys(["__all__", *AGENTS], self._broken or self.table.session_over)
        return self._seen(), paid, ended, dict.fromkeys(ended, False), {}

    def _play_on(self) -> None:
        """Go on until somebody has a choice or the session is over, and note what that one sees."""
        table = self.table
        while not table.session_over:
            if table.over:
                table.next_deal()
                self._acted.clear()
            columns = self._columns(table.turn)
            open_actions = np.flatnonzero(columns[N_FEATURES:])
            if len(open_actions) > 1 or table.turn not in self._acted:
                return
            table.apply(int(open_actions[0]))

    def _paid(self) -> dict[str, float]:
        """Units of each agent since this was last asked."""
        account = np.array(self.table.account)
        paid, self._account = account - self._account, account
        return {agent: float(units) for agent, units in zip(AGENTS, paid, strict=True)}

    def _seen(self) -> Seen:
        """What the seat on turn sees; of a session that is over what each saw last, with nothing to do."""
        turn = NOBODY if self._broken else self.table.turn
        return {AGENTS[seat]: self._seen_by(seat) for seat in ([turn] if turn != NOBODY else range(N_SEATS))}

    def _seen_by(self, seat: int) -> dict[str, NDArray[np.float32]]:
        columns = self._columns(seat)
        return {
            "observations": (columns[:N_FEATURES] / self._scale).astype(np.float32),
            "action_mask": columns[N_FEATURES:].astype(np.float32) * (not self._broken),
        }

    def _columns(self, seat: int) -> NDArray[np.int8]:
        columns = np.empty(N_FEATURES + N_ACTIONS, np.int8)
        one.observe_one(self.table.desk, seat, columns)
        return columns


def module_of(agent_id: str, episode: Any, past: int, share: float) -> str:
    """The learner for all agents, or, in a share of the episodes, an earlier self in one to three seats.

    Drawn from the episode's name, so that all its steps agree.

    Args:
        agent_id: who asks.
        episode: RLlib's, with its ``id_``.
        past: how many snapshots there are, ``past_1`` the first.
        share: of the episodes, 0 to 1.
    """
    rng = np.random.default_rng(zlib.crc32(str(episode.id_).encode()))
    if not past or rng.random() >= share:
        return LEARNER
    number, seats = 1 + int(rng.integers(past)), rng.permutation(N_SEATS)[: rng.integers(1, N_SEATS)]
    return f"past_{number}" if AGENTS.index(agent_id) in seats else LEARNER


class SelfPlay(RLlibCallback):
    """Adds the learner as it is to the modules, again and again; they sit in some seats of some episodes.

    Args:
        every: iterations between two snapshots.
        most: how many snapshots are made; the oldest is overwritten then.
        share: of the episodes in which a snapshot plays, 0 to 1.
    """

    def __init__(self, every: int = 5, most: int = 5, share: float = 0.3) -> None:
        super().__init__()
        self.every, self.most = whole_number("every", every, 1), whole_number("most", most, 1)
        self.share = share
        self.made = 0

    def on_train_result(self, *, algorithm: Any, result: Any, **_: Any) -> None:
        """Make a snapshot if it is time."""
        if algorithm.iteration % self.every:
            return
        learner = algorithm.get_module(LEARNER)
        name = f"past_{self.made % self.most + 1}"
        self.made += 1
        if self.made <= self.most:
            past, share = self.made, self.share

            def mapping(agent_id: str, episode: Any, **_: Any) -> str:
                return module_of(agent_id, episode, past, share)

            algorithm.add_module(
                module_id=name,
                module_spec=RLModuleSpec.from_module(learner),
                new_agent_to_module_mapping_fn=mapping,
                new_should_module_be_updated=[LEARNER],
            )
        weights = learner.get_state(inference_only=True)
        algorithm.set_state({"learner_group": {"learner": {"rl_module": {name: learner.get_state()}}}})

        def put(runner: Any) -> None:
            if getattr(runner, "module", None) is not None:
                runner.module[name].set_state(weights)

        # The runners take what comes from the learners only when they have learnt something new.
        algorithm.env_runner_group.foreach_env_runner(put)
        result["snapshots"] = min(self.made, self.most)


def module_policy(module: RLModule) -> Policy:
    """A module of RLlib's as a function from observations and masks to logits."""
    largest = torch.from_numpy(scale())

    def logits(observation: NDArray[np.int8], mask: NDArray[np.int8]) -> NDArray[np.floating]:
        seen = {
            "observations": torch.from_numpy(observation) / largest,
            "action_mask": torch.from_numpy(mask).float(),
        }
        with torch.no_grad():
            said = module.forward_inference({Columns.OBS: seen})
        told: NDArray[np.floating] = said[Columns.ACTION_DIST_INPUTS].numpy()
        return told

    return logits


class RllibPlayer(PolicyPlayer):
    """A player that RLlib trained: ``rllib:PATH``, the checkpoint of an algorithm or of a module.

    Raises:
        PlayerError: there is no such folder, or it holds no module of these observations.
    """

    def __init__(self, ruleset: str | Ruleset = "pagat", path: str = "", sample: str | bool = False) -> None:
        folder = policy_file("rllib", path)
        inner = folder / "learner_group" / "learner" / "rl_module" / LEARNER
        try:
            module = RLModule.from_checkpoint(str(Path(inner if inner.is_dir() else folder).resolve()))
        except Exception as error:  # whatever unpickling happens to raise
            raise PlayerError(f"player rllib: {path} holds no module that can be loaded: {told(error)}.") from None
        space = getattr(module, "observation_space", None)
        if space != seen_space():
            raise PlayerError(f"player rllib: the module in {path} was trained on other observations than these.")
        super().__init__(ruleset, module_policy(module), sample)
