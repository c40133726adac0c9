"""One table for people: deal, look, act, copy, record. Searches, faces and plugs build on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solo_env import actions, record
from solo_env.cards import N_CARDS, N_RANKS, N_SEATS, PACK, SUIT_NAMES, card_text, parse_card, parse_suit
from solo_env.checks import whole_number
from solo_env.engine import one
from solo_env.engine.state import new_views
from solo_env.layout import MAX_ACCOUNT, MAX_DEALS
from solo_env.record import Record, RecordError
from solo_env.rules import Ruleset, load_ruleset, pack_array, worst_payoff
from solo_env.signature import signature
from solo_env.view import View

MAX_SEED = 2**63 - 1
START_OPTIONS = ("dealer", "deal", "record", "trump")


class IllegalActionError(ValueError):
    """An action that may not be taken now; nothing has changed. The message says why."""


class StartError(ValueError):
    """A start that cannot be given; the message says what would be right."""


class Table:
    """One running deal of a session, with everything that is in it: the cards of all four seats.

    Players must never hold a table; give them ``view(seat)``. ``desk`` (an array [1] of dtype ``engine.one.DESK``)
    and its parts ``tables`` and ``rules`` (dtypes ``TABLE`` and ``RULES``) are what kernels of ``engine.one`` take.
    """

    def __init__(self, ruleset: str | Ruleset = "pagat") -> None:
        self.ruleset = load_ruleset(ruleset)
        self.desk = one.new_desk(pack_array(self.ruleset))
        self.deal(0)

    @property
    def tables(self) -> NDArray[np.void]:
        """The record as an array [1] of dtype ``TABLE``."""
        return self.desk["table"]

    @property
    def rules(self) -> NDArray[np.void]:
        """The rules in force as an array [1] of dtype ``RULES``, this table's own."""
        return self.desk["rules"]

    @rules.setter
    def rules(self, rules: NDArray[np.void]) -> None:
        self.desk["rules"] = rules

    @property
    def data(self) -> np.void:
        """The record of dtype ``TABLE`` itself; kernels may change it in place."""
        return self.desk["table"][0]  # type: ignore[no-any-return]

    @data.setter
    def data(self, record: np.void) -> None:
        self.desk["table"] = record

    # --- starting a deal

    def deal(self, seed: int, index: int = 0, game: int = 0, dealer: int | None = None, deals: int = 1) -> None:
        """Deal the first deal of game number ``game`` of (``seed``, ``index``), a session of ``deals`` deals.

        Without a dealer the seed draws one too.
        """
        check_seed(seed)
        whole_number("the index of the table", index, 0, MAX_SEED)
        whole_number("the number of the game", game, 0, MAX_SEED)
        check_deals(deals, self.ruleset)
        first = -1 if dealer is None else check_dealer(dealer)
        one.deal_one(self.tables, self.rules, seed, index, game, first, deals)

    def next_deal(self) -> None:
        """Deal the next deal of the session: pack, dealer and suit as the rules say (clauses 2.5 to 2.8).

        Raises:
            StartError: the deal is not over, or it was the last of the session; nothing has changed.
        """
        if not self.over:
            raise StartError("the deal is not over; play it to its end before the next.")
        if self.session_over:
            raise StartError(f"the session is over: it had {int(self.data['n_deals'])} deals.")
        one.next_deal_one(self.tables, self.rules)

    def deal_hands(self, hands: Sequence[Sequence[int]], dealer: int, suit: int | None = None) -> None:
        """Start from given hands of player_0 ... player_3, each in the order dealt.

        Args:
            hands: the last card of the dealer's hand is the one turned up, where the ruleset turns one up.
            dealer: seat 0..3.
            suit: the deal's suit 0..3, -1 for a no-trump round; left out where a card is turned up.
        """
        dealer = check_dealer(dealer)
        record.check_deal(tuple(tuple(hand) for hand in hands))
        turned = int(hands[dealer][-1]) // N_RANKS
        if self.ruleset.trump.source == "turn_up":
            if suit is not None and suit != turned:
                raise StartError(
                    f"{self.ruleset.name} turns up the dealer's last card, {card_text(hands[dealer][-1])}; "
                    "give a deal that ends in a card of the suit wanted."
                )
            suit = turned
        elif suit is None:
            raise StartError(f"{self.ruleset.name} turns up no card; say which suit the deal has.")
        else:
            record.check_suit(suit, self.ruleset)
        self.data["dealt"][:] = hands
        one.open_one(self.tables, self.rules, dealer, suit)

    @classmethod
    def from_record(cls, line: str | Record) -> Table:
        """The table that a record leads to, every action of it checked against the rules.

        Raises:
            RecordError: the record is damaged, an action in it is illegal, or its result is not what the play
                gives.
        """
        game = record.parse(line) if isinstance(line, str) else line
        if game.signature and game.signature != signature(game.ruleset):
            raise RecordError(
                f"the record was played under {game.ruleset.name}@{game.signature}, and the engine here is "
                f"{game.ruleset.name}@{signature(game.ruleset)}: the rules have changed since."
            )
        if game.events:
            raise RecordError(
                f"the record has events, the first {game.events[0]}: it cannot be replayed as a game; "
                "solo-whist rule, or solo_env.laws, rules on it."
            )
        table = cls(game.ruleset)
        table.deal_hands(game.hands_by_seat(), game.dealer, game.suit)
        for number, action in enumerate(game.made(), 1):
            try:
                table.apply(action)
            except IllegalActionError as error:
                raise RecordError(f"action {number} of the record: {error}") from None
        played = record.from_table(table.data, table.ruleset).result
        if game.result is not None and game.result != played:
            raise RecordError(
                f"the record's result is {game.result}, and its play "
                + (f"gives {played}." if table.over else "does not end the deal.")
            )
        return table

    @classmethod
    def from_view(cls, view: View, hands: Sequence[int], ruleset: str | Ruleset = "pagat", seed: int = 0) -> Table:
        """A table at which one seat sees ``view``, the cards it cannot see lying as ``hands`` says.

        It is what a search plays on from; ``solo_env.sampler`` draws hands. Tricks that the view no longer shows
        (clause 8.4) are filled with the cards that are left, in an order in which they need not have been playable:
        the table goes on as any other, but its ``record()`` may be of no game.

        Args:
            view: what the seat knows.
            hands: four card sets, the cards still held by the observer and by the seats to its left.
            ruleset: what is played; that of the view.
            seed: what the deals after this one are dealt from.

        Raises:
            StartError: what is given is no view, the hands are no card sets, or not what the view and the ruleset
                leave possible.
        """
        check_seed(seed)
        if not isinstance(view, View):
            raise StartError(f"a table is made from a View, and this is {view!r}; Table.view(seat) gives one.")
        try:
            sets = [whole_number("a hand as a card set", hand, 0, PACK) for hand in hands]
        except TypeError:
            raise StartError(f"the hands are {hands!r}; give four card sets, the observer's first.") from None
        except ValueError as error:
            raise StartError(str(error)) from None
        if len(sets) != N_SEATS:
            raise StartError(f"there are {len(sets)} hands; give four, the observer's first.")
        table = cls.__new__(cls)
        table.ruleset = load_ruleset(ruleset)
        table.desk = one.new_desk(pack_array(table.ruleset))
        views, seen = new_views(1), new_views(1)
        views[0] = view.record
        possible = one.rebuild_one(views, table.rules, seed, np.array([sets], np.int64), table.tables)
        if possible:
            one.view_one(table.tables, table.rules, view.seat, seen)
        if not possible or seen.tobytes() != views.tobytes():
            raise StartError(
                f"these hands are not what the view of player_{view.seat} leaves possible under "
                f"{table.ruleset.name}: give what the sampler drew for this view and this ruleset."
            )
        return table

    def start(self, options: Mapping[str, Any]) -> None:
        """Start from what ``options`` gives, over the deal that stands.

        Keys: ``dealer`` (seat 0..3); ``deal`` (hands of player_0 ... player_3 as ids or texts, each in the
        order dealt, the turned card last in the dealer's); ``record`` (a line, resumed where it ends);
        ``trump`` (the deal's suit as a letter, N for a no-trump round; a turned card must have it).

        Raises:
            StartError: an unknown key, a bad value, or keys that contradict each other; nothing has changed.
        """
        if not isinstance(options, Mapping):
            raise StartError(f"the options are {options!r}; give a mapping with {', '.join(START_OPTIONS)}.")
        if self.data["deal"]:
            number = self.data["deal"] + 1
            raise StartError(f"a start is of the first deal of a session, and deal {number} is under way.")
        unknown = [key for key in options if key not in START_OPTIONS]
        if unknown:
            raise StartError(f"there is no option {unknown[0]!r}; the options are {', '.join(START_OPTIONS)}.")
        if not options:
            return
        fresh = Table(self.ruleset)
        fresh.data = self.data
        if "record" in options:
            if len(options) > 1:
                raise StartError("a record holds dealer and deal already; give it alone.")
            if not isinstance(options["record"], str | Record):
                raise StartError(f"the record is {options['record']!r}; it must be a line of text.")
            fresh = Table.from_record(options["record"])
            if fresh.ruleset != self.ruleset:
                raise StartError(
                    f"the record is of {fresh.ruleset.name}, and this table plays {self.ruleset.name}."
                )
        else:
            try:
                fresh._start_deal(options)
            except ValueError as error:
                raise StartError(str(error)) from None
        for name in ("seed", "index", "game", "n_deals", "deal", "account", "pack_kind"):
            fresh.data[name] = self.data[name]
        self.data = fresh.data

    def _start_deal(self, options: Mapping[str, Any]) -> None:
        """Start from the ``deal``, ``dealer`` and ``trump`` of ``options``."""
        suit = None if "trump" not in options else _suit(options["trump"])
        if "deal" in options:
            if "dealer" not in options:
                raise StartError("a deal needs its dealer too, since the dealer's last card may be turned up.")
            if suit is None and self.ruleset.trump.source != "turn_up":
                suit = int(self.data["suit"])  # that of the seed
            self.deal_hands(_hands(options["deal"]), check_dealer(options["dealer"]), suit)
            return
        if "dealer" in options:
            ids = self.data
            dealer, game = check_dealer(options["dealer"]), int(ids["game"])
            self.deal(int(ids["seed"]), int(ids["index"]), game, dealer, int(ids["n_deals"]))
        if suit is not None:
            self.deal_hands(self.data["dealt"].tolist(), int(self.data["dealer"]), suit)

    # --- looking

    @property
    def turn(self) -> int:
        """The seat to act, -1 when the deal is over."""
        return int(self.data["turn"])

    @property
    def over(self) -> bool:
        """Whether the deal is over."""
        return bool(self.data["phase"] == actions.OVER)

    @property
    def session_over(self) -> bool:
        """Whether the last deal of the session is over."""
        return self.over and bool(self.data["deal"] + 1 >= self.data["n_deals"])

    @property
    def account(self) -> tuple[int, ...]:
        """Units by seat over all deals of the session that are settled, this one too once it is over."""
        return tuple(map(int, self.data["account"]))

    @property
    def n_decisions(self) -> int:
        """A number that grows with every action of the deal; see ``engine.step.n_decisions``."""
        return int(one.decisions_one(self.tables))

    @property
    def payoffs(self) -> tuple[int, ...]:
        """Units by seat; zeros until the deal is over."""
        return tuple(map(int, self.data["payoff"]))

    def legal_actions(self) -> list[int]:
        """The action ids open to the seat on turn, in order; empty when the deal is over."""
        return [] if self.over else self.view(self.turn).legal_actions()

    def view(self, seat: int) -> View:
        """What ``seat`` may know."""
        views = new_views(1)
        one.view_one(self.tables, self.rules, check_seat(seat), views)
        return View(views[0])

    def record(self) -> str:
        """The game so far as one line."""
        return str(record.from_table(self.data, self.ruleset))

    # --- acting

    def apply(self, action: Any) -> int:
        """Take an action for the seat on turn.

        Args:
            action: its id, a whole number 0..67 (Python's or NumPy's).

        Returns:
            The seat to act next, -1 when the deal is over.

        Raises:
            IllegalActionError: it is no action, or may not be taken now; nothing has changed.
        """
        try:
            number = whole_number("the action", action, 0, actions.N_ACTIONS - 1)
        except ValueError as error:
            raise IllegalActionError(str(error)) from None
        turn: int = one.try_one(self.desk, number)
        if turn == one.ILLEGAL:
            raise IllegalActionError(self.why_illegal(number))
        return turn

    def why_illegal(self, action: int) -> str:
        """A sentence for the seat on turn that says why it may not take ``action``."""
        if self.over:
            return "the deal is over; no action is open."
        if not 0 <= action < actions.N_ACTIONS:
            return f"{action} is no action: ids go from 0 to {actions.N_ACTIONS - 1}."
        who, what, phase = f"player_{self.turn}", actions.text(action), int(self.data["phase"])
        if actions.phase(action) != phase:
            wanted = {actions.AUCTION: "a call", actions.NAMING: "a suit as trumps", actions.PLAY: "a card"}[phase]
            return f"{who} cannot choose {what} now: {wanted} is asked for."
        if phase == actions.PLAY and not int(self.data["hand_cards"][self.turn]) >> action & 1:
            return f"{who} does not hold {what}."
        if phase == actions.PLAY:
            n_plays = int(self.data["n_plays"])
            led = int(self.data["plays"][n_plays - n_plays % N_SEATS]) // N_RANKS
            return f"{who} cannot play {what}: {SUIT_NAMES[led]} were led and {who} can follow suit."
        legal = ", ".join(actions.text(a) for a in self.legal_actions())
        return f"{who} cannot call {what} now; open are {legal}."

    def __deepcopy__(self, memo: dict[int, Any]) -> Table:
        return self.clone()

    def clone(self) -> Table:
        """A copy that goes its own way."""
        copy = Table.__new__(Table)
        copy.ruleset, copy.desk = self.ruleset, one.copy_desk(self.desk)
        return copy


def check_seed(seed: Any) -> int:
    """Refuse a seed that is no whole number from 0 to 2**63 - 1, with a sentence."""
    return whole_number("the seed", seed, 0, MAX_SEED)


def check_deals(deals: Any, ruleset: Ruleset) -> int:
    """Refuse a length of a session that the observation could not tell, with a sentence."""
    number = whole_number("the number of deals", deals, 1, MAX_DEALS)
    if number == 1:  # no price is so high
        return number
    worst = number * worst_payoff(ruleset)
    if worst > MAX_ACCOUNT:
        raise StartError(
            f"{number} deals of {ruleset.name} could come to {worst} units; an account goes "
            f"to {MAX_ACCOUNT} at most: play fewer deals or lower pay.unit."
        )
    return number


def check_seat(seat: Any) -> int:
    """Refuse a seat that is not 0..3, with a sentence."""
    return whole_number("the seat", seat, 0, N_SEATS - 1)


def check_dealer(dealer: Any) -> int:
    """Refuse a dealer that is not a seat 0..3, with a sentence."""
    return whole_number("the dealer", dealer, 0, N_SEATS - 1)


def _suit(given: Any) -> int:
    return -1 if given in (record.NO_SUIT, "NT") else parse_suit(str(given))


def _hands(given: Any) -> list[list[int]]:
    given = given.tolist() if isinstance(given, np.ndarray) else given
    hands_ok = isinstance(given, list | tuple) and len(given) == N_SEATS
    if not hands_ok or not all(isinstance(hand, list | tuple | np.ndarray) for hand in given):
        raise StartError("a deal is four lists of cards, the hands of player_0 to player_3.")
    return [
        [
            parse_card(card) if isinstance(card, str) else whole_number("a card", card, 0, N_CARDS - 1)
            for card in hand
        ]
        for hand in given
    ]
