"""OpenSpiel: the game ``python_solo_whist``, registered when this module is imported, and its bots as players.

Chance comes first: the dealer, one of four seats; the suit of the deal, where no card is turned up; then the pack,
card by card, each hand from eldest's in the order dealt, so that the dealer's last card is the one turned up. The
players are the seats. A game is one deal and, as OpenSpiel's information states demand, with perfect recall,
whatever the ruleset says of memory. Nobody sees cards before the last is dealt.

    import solo_env.plugs.openspiel
    game = pyspiel.load_game("python_solo_whist(ruleset=hoyle)")
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pyspiel
from numpy.typing import NDArray
from open_spiel.python.algorithms import evaluate_bots as loop
from open_spiel.python.algorithms import ismcts, mcts

from solo_env import actions, record
from solo_env.cards import N_CARDS, N_SEATS, N_TRICKS, SUITS, card_text, cards_of
from solo_env.checks import whole_number
from solo_env.engine import one
from solo_env.layout import BLOCKS, MAX_CALLS, N_FEATURES, OFFSETS
from solo_env.observation import scale
from solo_env.player import BatchPlayer, Player
from solo_env.rules import Ruleset, load_ruleset, worst_payoff
from solo_env.sampler import MAX_KEY, Sampler
from solo_env.table import Table
from solo_env.view import View

NAME = "python_solo_whist"
MAX_LENGTH = 2 * MAX_CALLS + N_CARDS  # a call may be followed by the naming of trumps
NO_SUIT = N_SEATS  # the outcome that stands for a round without trumps

GAME_TYPE = pyspiel.GameType(
    short_name=NAME,
    long_name="Solo Whist",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=N_SEATS,
    min_num_players=N_SEATS,
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={"ruleset": "pagat"},
)


def recalled(ruleset: str | Ruleset) -> Ruleset:
    """The ruleset with perfect recall, which is what OpenSpiel's information states have."""
    name = load_ruleset(ruleset).name
    return load_ruleset(f'{name}+info.memory="perfect_recall"+info.turnup_after_pickup="keep"')


def suits_of(ruleset: Ruleset) -> dict[int, float]:
    """The chances of the suits of a deal (3 is spades, ``NO_SUIT`` none); empty where a card is turned up."""
    trump = ruleset.trump
    if trump.source == "turn_up":
        return {}
    names = {"cycle": trump.cycle, "fixed": (trump.fixed_suit,)}.get(trump.source, tuple(SUITS))
    places = [SUITS.index(name) if name in SUITS else NO_SUIT for name in names]
    return {suit: places.count(suit) / len(places) for suit in sorted(set(places))}


class SoloGame(pyspiel.Game):
    """The game under a ruleset; see the module."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = params or {}
        self.ruleset = recalled(given.get("ruleset", "pagat"))
        self.suits = suits_of(self.ruleset)
        self.sampler = Sampler(self.ruleset)
        worst = float(worst_payoff(self.ruleset))
        info = pyspiel.GameInfo(
            num_distinct_actions=actions.N_ACTIONS,
            max_chance_outcomes=N_CARDS,
            num_players=N_SEATS,
            min_utility=-worst,
            max_utility=(N_SEATS - 1) * worst,
            utility_sum=0.0,
            max_game_length=MAX_LENGTH,
        )
        super().__init__(GAME_TYPE, info, given)

    def new_initial_state(self) -> SoloState:
        """The state before anything is drawn."""
        return SoloState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> SoloObserver:
        """What writes observations."""
        return SoloObserver(iig_obs_type, params)

    def state_of(self, table: Table) -> SoloState:
        """The state at which a table stands, by the chance and the actions that lead there."""
        data = table.data
        dealer = int(data["dealer"])
        state = self.new_initial_state()
        state.apply_action(dealer)
        if self.suits:
            suit = int(data["suit"])
            state.apply_action(suit if suit >= 0 else NO_SUIT)
        for position in range(N_SEATS):
            for card in data["dealt"][(dealer + 1 + position) % N_SEATS].tolist():
                state.apply_action(card)
        for action in record.from_table(table.data, table.ruleset).made():
            state.apply_action(action)
        return state

    def resampled(self, view: View, key: int) -> SoloState:
        """A state that a seat cannot tell from its own, the hidden cards drawn anew from what its view leaves open.

        Args:
            view: what the seat knows; no more is read.
            key: 0 .. 2**62 - 1, what the draw is a function of.

        Raises:
            SamplerError: the deal is over.
        """
        hands = self.sampler.sample(view, key=key)[0]
        return self.state_of(Table.from_view(view, hands.tolist(), self.ruleset))


class SoloState(pyspiel.State):
    """A deal under way: chance first, then a :class:`~solo_env.table.Table`."""

    def __init__(self, game: SoloGame) -> None:
        super().__init__(game)
        self.dealer = -1
        self.suit: int | None = None
        self.cards: list[int] = []
        self.table: Table | None = None  # from the last card dealt on

    def current_player(self) -> int:
        """The seat on turn, or chance, or that all is over."""
        if self.table is None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.table.over else self.table.turn

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """What chance may draw now, with its probability."""
        if self.dealer < 0:
            return [(seat, 1 / N_SEATS) for seat in range(N_SEATS)]
        suits = self.get_game().suits
        if suits and self.suit is None:
            return list(suits.items())
        left = sorted(set(range(N_CARDS)) - set(self.cards))
        return [(card, 1 / len(left)) for card in left]

    def _legal_actions(self, player: int) -> list[int]:
        assert self.table is not None
        return self.table.legal_actions() if player == self.table.turn else []

    def _apply_action(self, action: int) -> None:
        if self.table is not None:
            self.table.apply(action)
            return
        if action not in dict(self.chance_outcomes()):
            raise ValueError(f"chance cannot draw {action} now: {self._action_to_string(-1, action)}.")
        if self.dealer < 0:
            self.dealer = action
        elif self.get_game().suits and self.suit is None:
            self.suit = action
        else:
            self.cards.append(action)
            if len(self.cards) == N_CARDS:
                self._open()

    def _open(self) -> None:
        """Begin the auction: all cards are dealt."""
        hands = [self.cards[i : i + N_TRICKS] for i in range(0, N_CARDS, N_TRICKS)]
        suit = self.suit if self.suit != NO_SUIT else -1
        self.table = Table(self.get_game().ruleset)
        self.table.deal_hands(
            [hands[(seat - self.dealer - 1) % N_SEATS] for seat in range(N_SEATS)], self.dealer, suit
        )

    def _action_to_string(self, player: int, action: int) -> str:
        if player != pyspiel.PlayerId.CHANCE:
            return actions.text(action)
        if self.dealer < 0:
            return f"dealer {action}"
        if self.get_game().suits and self.suit is None:
            return "no trumps" if action == NO_SUIT else f"suit {SUITS[action]}"
        return f"deal {card_text(action)}"

    def is_terminal(self) -> bool:
        """Whether the deal is over."""
        return self.table is not None and self.table.over

    def returns(self) -> list[float]:
        """Units of each seat; zeros until the deal is over."""
        return [0.0] * N_SEATS if self.table is None else [float(units) for units in self.table.payoffs]

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> SoloState:
        """A state that ``player`` cannot tell from this, its hidden cards drawn by the project's sampler.

        Args:
            player: whose knowledge is kept.
            sampler: gives numbers from 0 up to but not including 1.

        Raises:
            SamplerError: the deal is over.
            ValueError: the cards are not dealt yet.
        """
        if self.table is None:
            raise ValueError("the cards are not dealt yet, so nobody knows anything to draw from.")
        resampled: SoloState = self.get_game().resampled(self.table.view(player), int(sampler() * (MAX_KEY + 1)))
        return resampled

    def __str__(self) -> str:
        if self.table is not None:
            return self.table.record()
        dealt = "".join(map(card_text, self.cards))
        return f"dealer {self.dealer} suit {self.suit} dealt {dealt}"

    def __deepcopy__(self, memo: dict[int, Any]) -> SoloState:
        copied: SoloState = self.clone()
        return copied


class SoloObserver:
    """Writes what a seat knows: the project's observation, each column brought to -1 .. 1, and the same as text.

    Observation and information state are alike, since what a seat sees holds every call and card in its order.
    """

    def __init__(self, iig_obs_type: Any = None, params: Any = None) -> None:
        if params:
            raise ValueError(f"observations take no parameters; there are {params}.")
        own = pyspiel.PrivateInfoType.SINGLE_PLAYER
        if iig_obs_type is not None and not (iig_obs_type.public_info and iig_obs_type.private_info == own):
            raise ValueError("observations are of what one seat knows: all that is public, and its own hand.")
        self.tensor = np.zeros(N_FEATURES, np.float32)
        self.dict = {
            block.name: self.tensor[OFFSETS[block.name] :][: block.size].reshape(block.shape) for block in BLOCKS
        }
        self._scale = scale()
        self._columns = np.zeros(N_FEATURES + actions.N_ACTIONS, np.int8)

    def set_from(self, state: SoloState, player: int) -> None:
        """Fill ``tensor`` with what ``player`` knows; zeros before the cards are dealt."""
        if state.table is None:
            self.tensor[:] = 0
            return
        one.observe_one(state.table.desk, player, self._columns)
        np.divide(self._columns[:N_FEATURES], self._scale, out=self.tensor)

    def string_from(self, state: SoloState, player: int) -> str:
        """What ``player`` knows, as text."""
        if state.table is None:
            return f"player_{player} waits for the cards"
        return known(state.table.view(player))


def known(view: View) -> str:
    """All that a seat knows, in one line; two states with the same line are the same to it."""
    dealt = sorted(cards_of(int(view.hand_cards) | int(view.played_cards_rel[0])))
    told = view.as_json()
    calls = " ".join(f"{rel}:{name}" for rel, name in told["auction"])
    plays = " ".join(f"{rel}:{card}" for rel, card in told["plays"])
    parts = {
        "player": view.seat, "dealer": told["dealer"], "suit": told["suit"], "turned": told["turned_card"],
        "dealt": "".join(map(card_text, dealt)), "calls": calls, "contract": told["contract"], "named": view.named,
        "trumps": told["trumps"], "plays": plays, "exposed": told["exposed"], "payoff": told["payoff"],
    }  # fmt: skip
    return "; ".join(f"{name} {value}" for name, value in parts.items())


pyspiel.register_game(GAME_TYPE, SoloGame)


class SoloBot(pyspiel.Bot):
    """A player of the project at OpenSpiel's tables.

    Args:
        player: who decides.
        seat: where it sits, 0 to 3.
        seed: of its decision keys.
    """

    def __init__(self, player: Player, seat: int, seed: int = 0) -> None:
        pyspiel.Bot.__init__(self)
        self.player, self.seat = player, seat
        self._rng = np.random.default_rng((seed, seat))

    def step(self, state: SoloState) -> int:
        """The action that the player chooses."""
        assert state.table is not None
        return self.player.act(state.table.view(self.seat), int(self._rng.integers(MAX_KEY + 1)))

    def restart_at(self, state: SoloState) -> None:
        """Nothing is remembered."""

    def inform_action(self, state: SoloState, player_id: int, action: int) -> None:
        """Nothing is remembered."""


class BotPlayer(BatchPlayer):
    """A bot of OpenSpiel at the project's tables.

    The bot gets a state in which the hidden cards are drawn at random from what its seat leaves possible, so one
    that looks at more than an information state sees nothing true. A bot that searches draws its own from there.

    Args:
        ruleset: what it will play.
        make_bot: from the game and a seed to a bot; one is made for each decision.
    """

    def __init__(self, ruleset: str | Ruleset, make_bot: Callable[[SoloGame, int], Any]) -> None:
        super().__init__(ruleset)
        self.game = SoloGame({"ruleset": self.ruleset.name})
        self.make_bot = make_bot

    def act_batch(self, views: NDArray[np.void], keys: NDArray[np.int64], out: NDArray[np.int64]) -> None:
        """Decide for B seats; see :class:`solo_env.player.Player`."""
        for i, (view, key) in enumerate(zip(views, keys.tolist(), strict=True)):
            state = self.game.resampled(View(view), key)
            out[i] = self.make_bot(self.game, key % 2**32).step(state)


class IsmctsPlayer(BotPlayer):
    """OpenSpiel's information-set search in Python: ``solo_env.plugs.openspiel:IsmctsPlayer``, slow.

    Args:
        ruleset: what it will play.
        simulations: of each decision.
    """

    def __init__(self, ruleset: str | Ruleset = "pagat", simulations: str | int = 50) -> None:
        n = whole_number("simulations", int(simulations), 1)

        def make_bot(game: SoloGame, seed: int) -> Any:
            rng = np.random.RandomState(seed)
            evaluator = mcts.RandomRolloutEvaluator(1, rng)
            bot = ismcts.ISMCTSBot(game, evaluator, uct_c=8.0, max_simulations=n, random_state=rng)
            # By default it draws hidden cards from a source that cannot be seeded.
            bot.set_resampler(lambda state, player: state.resample_from_infostate(player, rng.random_sample))
            return bot

        super().__init__(ruleset, make_bot)


def evaluate_bots(game: SoloGame, bots: Sequence[Any], deals: int, seed: int = 0) -> NDArray[np.float64]:
    """The mean units of each seat over deals drawn from ``seed``, by OpenSpiel's own loop, float64 [4]."""
    rng = np.random.RandomState(seed)
    units = np.array([loop.evaluate_bots(game.new_initial_state(), bots, rng) for _ in range(deals)])
    mean: NDArray[np.float64] = units.mean(axis=0)
    return mean
