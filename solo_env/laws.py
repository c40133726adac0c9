"""Rulings: what a recorded deal with irregularities comes to (clauses 9.1 to 9.16).

``rule`` goes through a record action by action on a table of the engine, hears its events in between, and leaves
the settlement to the engine's scoring, which is told who revoked or what the verdict is. Seats are positions here
(0 eldest, 3 the dealer): the table is set up with seat 3 dealing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import cast

import numpy as np

from solo_env import actions, events, record
from solo_env.cards import N_CARDS, N_RANKS, N_SEATS, N_SUITS, N_TRICKS, SUIT_MASK, SUIT_NAMES, card_text
from solo_env.checks import whole_number
from solo_env.engine import one, scoring
from solo_env.engine.state import (
    ASKED_PROPOSER,
    BY_TRICKS,
    NO_TRUMP,
    NOBODY,
    RULED_LOST,
    RULED_MADE,
    RULED_VOID,
)
from solo_env.events import POSITION_NAMES, Claim, Event
from solo_env.record import Record, RecordError
from solo_env.rules.model import GENERAL, MIS, NO_CONTRACT, OUV, PC
from solo_env.signature import signature
from solo_env.table import Table

DEALER = N_SEATS - 1
MAX_UNITS = 10**9  # more than any ruleset pays


class RulingError(ValueError):
    """A record that cannot be ruled on; the message is one sentence."""


class UnfinishedError(RulingError):
    """A record that ends before its deal does; the message says where."""


@dataclass(frozen=True)
class Step:
    """One step of a ruling.

    Attributes:
        clause: the number of the clause of ``docs/rules.md`` that it follows.
        action: actions of the record made before it.
        seat: the position it is about, or None.
        text: a sentence.
    """

    clause: str
    action: int
    seat: int | None
    text: str

    def __str__(self) -> str:
        return f"{self.clause:<5} after action {self.action:>2}: {self.text}"


@dataclass(frozen=True)
class Ruling:
    """What a recorded deal comes to.

    Attributes:
        game: the record.
        steps: what was ruled, in the order of time; none for a deal in which nothing went wrong.
        payoff: units by position, from eldest.
        void: whether the deal is void, so that nothing is paid for it.
        deal_again: the seat (0..3) of the dealer who deals again, or None where the deal passes on as always.
        revokes: revokes counted by position, from eldest.
    """

    game: Record
    steps: tuple[Step, ...]
    payoff: tuple[int, ...]
    void: bool
    deal_again: int | None
    revokes: tuple[int, ...]

    @property
    def payoff_by_seat(self) -> tuple[int, ...]:
        """Units of player_0 ... player_3."""
        return tuple(self.payoff[(seat - self.game.dealer - 1) % N_SEATS] for seat in range(N_SEATS))

    def __str__(self) -> str:
        lines = [str(step) for step in self.steps] or ["nothing went wrong"]
        if self.void:
            lines.append("the deal is void")
        if self.deal_again is not None:
            lines.append(f"player_{self.deal_again} deals again")
        amounts = [
            f"{name} (player_{(self.game.dealer + 1 + position) % N_SEATS}) {self.game.ruleset.amount(units)}"
            for position, (name, units) in enumerate(zip(POSITION_NAMES, self.payoff, strict=True))
        ]
        lines.append(f"settlement: {', '.join(amounts)}")
        if self.game.result not in (None, self.payoff):
            lines.append(
                f"the record settles otherwise: {' '.join(map(self.game.ruleset.amount, self.game.result or ()))}"
            )
        return "\n".join(lines)


def rule(game: str | Record) -> Ruling:
    """Rule on a record, with or without irregularities (clause 9.4).

    Args:
        game: a record or its line.

    Raises:
        RecordError: the record is damaged.
        UnfinishedError: the deal is not over.
        RulingError: it cannot be ruled on; the message says why.
        solo_env.rules.RulesetError: the ruleset it names does not exist.
    """
    if isinstance(game, str):
        game = record.parse(game)
    else:
        _check_record(game)
    if game.signature and game.signature != signature(game.ruleset):
        raise RulingError(
            f"the record was played under {game.ruleset.name}@{game.signature}, and the engine here is "
            f"{game.ruleset.name}@{signature(game.ruleset)}: the rules have changed since."
        )
    return _Hearing(game).ruling()


def _check_record(game: Record) -> None:
    """Check what ``record.parse`` would have checked of a line."""
    try:
        whole_number("the dealer", game.dealer, 0, N_SEATS - 1)
        for number, call in enumerate(game.calls, 1):
            whole_number(f"call {number}", call, actions.FIRST_CALL, actions.N_ACTIONS - 1)
        for number, card in enumerate(game.plays, 1):
            whole_number(f"card {number} of the play", card, 0, N_CARDS - 1)
        for card in [card for hand in game.hands for card in hand]:
            whole_number("a card of the deal", card, 0, N_CARDS - 1)
        for name, units in zip(POSITION_NAMES, game.result or (), strict=False):
            whole_number(f"the result of {name}", units, -MAX_UNITS, MAX_UNITS)
        if game.result is not None and (len(game.result) != N_SEATS or sum(game.result) != 0):
            raise RecordError(f"the result is {game.result}; it must be four numbers that sum to zero.")
        if game.trump is not None:
            whole_number("the suit named", game.trump, 0, N_SUITS - 1)
        _check_suit(game)
        events.check(game.events)
        record.check_deal(game.hands, game.events)
        events.check_places(game.events, len(game.calls), game.trump is not None, len(game.plays))
    except RecordError:
        raise
    except ValueError as error:
        raise RecordError(str(error)) from None


def _check_suit(game: Record) -> None:
    """Refuse a suit of the deal where a card is turned up, or none where none is."""
    turned = game.ruleset.trump.source == "turn_up"
    if turned != (game.suit is None):
        what = "a card is turned up and a suit is given" if turned else "no card is turned up and no suit is given"
        raise RecordError(f"the record is of {game.ruleset.name}: {what}.")
    if game.suit is not None:
        whole_number("the suit of the deal (-1 for none)", game.suit, -1, N_SUITS - 1)
        record.check_suit(game.suit, game.ruleset)


def _opened(game: Record) -> Table:
    """A table at the start of the auction, seat 3 dealing, whatever numbers of cards the hands have."""
    hands = [list(hand) for hand in game.hands]
    spare = [hand.pop(0) for hand in hands for _ in range(len(hand) - N_TRICKS)]
    for hand in hands:  # in front, so that the dealer's last card stays the last
        hand[:0] = [spare.pop() for _ in range(N_TRICKS - len(hand))]
    table = Table(game.ruleset)
    table.deal_hands(hands, DEALER, game.suit)
    for seat, dealt in enumerate(game.hands):
        table.data["hand_cards"][seat] = _set(dealt)
    return table


def _set(cards: tuple[int, ...]) -> int:
    return sum(1 << card for card in cards)


# --- What is open in the course of a hearing -------------------------------------------------------------


@dataclass
class _Demand:
    """What a seat has been told to do with its next card (clauses 9.9 and 9.11)."""

    word: str
    by: int
    target: int
    card: int | None
    clause: str


@dataclass
class _FalseLead:
    """A lead out of turn for which a suit can be called (clause 9.10)."""

    seat: int
    card: int
    stands: bool  # it became the lead, so that it lapses with the trick


@dataclass
class _EarlyCard:
    """A card that lies in the trick before its turn (clause 9.11)."""

    seat: int
    card: int
    partners: list[int]  # those passed over, in the order of play; empty when a demand was made or forgone


@dataclass
class _SuitCall:
    """A suit called for the next lead of the offending side (clause 9.10)."""

    suit: int
    seats: set[int]


@dataclass
class _Open:
    """All that is open at a moment."""

    exposed: dict[int, int] = field(default_factory=dict)  # cards that demands may be made on, by their owners
    free: set[int] = field(default_factory=set)  # cards that a lone declarer has shown, which cost nothing
    false_leads: list[_FalseLead] = field(default_factory=list)
    early: dict[int, _EarlyCard] = field(default_factory=dict)  # by seat
    demands: dict[int, _Demand] = field(default_factory=dict)  # by target
    suit_calls: list[_SuitCall] = field(default_factory=list)
    faults: list[int] = field(default_factory=list)  # seats at fault against a misère, not yet claimed
    remarks: list[int] = field(default_factory=list)  # seats that made one
    unquitted: list[tuple[int, str]] = field(default_factory=list)  # revokes of the trick: seat and sentence
    cannot_accept: set[int] = field(default_factory=set)  # seats that proposed second
    may_raise: int = NOBODY  # the proposer over whose proposal another was made


class _Hearing:
    """One record on its way to a ruling."""

    def __init__(self, game: Record) -> None:
        self.game = game
        self.table = _opened(game)
        self.rules = self.table.rules.copy()
        named = () if game.trump is None else (actions.FIRST_TRUMPS + game.trump,)
        self.actions = [*game.calls, *named, *game.plays]
        self.n = 0  # actions made
        self.heard = 0  # events heard
        self.open = _Open()
        self.steps: list[Step] = []
        self.revokes: list[int] = []  # seats, in the order of their revokes
        self.obeyed: set[int] = set()  # numbers of plays that did what was demanded
        self.shuffled: list[int] = []
        self.raising = False
        self.closed = False  # a ruling has ended the deal
        self.cut_short = False  # a revoke has ended a misère, where clause 6.5 says so
        self.verdict = BY_TRICKS
        self.blamed = NOBODY
        self.miscounted: list[int] = []
        self.deal_again: int | None = None

    @property
    def data(self) -> np.void:
        return self.table.data

    # --- the course of it

    def ruling(self) -> Ruling:
        """Hear everything and settle."""
        self.hear_events()
        while not self.stopped and self.n < len(self.actions):
            self.act(self.actions[self.n])
            self.hear_events()
        left = len(self.actions) - self.n
        if left and not self.closed:
            self.say("6.5", None, "a misère is over with the trick in which somebody revoked.")
        if left:
            self.say("9.4", None, f"the rest of the record does not count ({left} actions).")
        self.check_finished()
        self.weigh_revokes()
        return self.settled()

    def hear_events(self) -> None:
        """Hear the events that stand before the next action."""
        found = self.game.events
        while not self.stopped and self.heard < len(found) and found[self.heard].at == self.n:
            event = found[self.heard]
            self.heard += 1
            HEARERS[event.name](self, event)

    def check_finished(self) -> None:
        """Refuse to settle a deal that is neither over nor ended by a ruling."""
        decided = self.misere and len(self.revokes) > 0
        if self.closed or self.data["phase"] == actions.OVER or decided:
            return
        raise UnfinishedError(
            f"the record ends at action {self.n}, before the deal is over: nothing can be settled yet."
        )

    def settled(self) -> Ruling:
        """Let the engine settle what was found."""
        data, rules = self.data, self.table.rules[0]
        counted = [self.revokes.count(seat) for seat in range(N_SEATS)]
        data["verdict"], data["first_offender"], data["revokes"] = self.verdict, self.blamed, 0
        if self.verdict == BY_TRICKS:
            # In a general misère a seat with a wrong number of cards pays as one that revoked (clauses 9.6, 9.16).
            data["revokes"] = [n + (seat in self.miscounted) for seat, n in enumerate(counted)]
            data["first_offender"] = [*self.revokes, NOBODY][0]
        scoring.write_payoff(data, rules)
        for seat in self.shuffled:
            scoring.charge_shuffle(data, rules, seat)
        return Ruling(
            game=self.game,
            steps=tuple(self.steps),
            payoff=tuple(map(int, data["payoff"])),
            void=self.verdict == RULED_VOID,
            deal_again=self.deal_again,
            revokes=tuple(counted),
        )

    def weigh_revokes(self) -> None:
        """Say what the revokes come to (clause 9.1); on both sides they void the deal."""
        if not self.revokes or self.contract == GENERAL or self.verdict != BY_TRICKS:
            return
        declaring = self.side(self.declarer)
        own = sum(seat in declaring for seat in self.revokes)
        others = len(self.revokes) - own
        if own and others:
            self.verdict = RULED_VOID
            self.say("9.1", None, "both sides have revoked: the deal is void.")
        elif own:
            off = "" if self.misere else f", loses {own * self.game.ruleset.laws.revoke_penalty_tricks} tricks"
            self.say("9.1", None, f"the declaring side has revoked{off} and cannot win.")
        else:
            self.say("9.1", None, "the defenders have revoked and cannot win; who did it pays for the others.")

    def say(self, clause: str, seat: int | None, text: str) -> None:
        self.steps.append(Step(clause, self.n, seat, text))

    def close(self, verdict: int, blamed: int = NOBODY) -> None:
        """End the deal by a ruling."""
        self.closed, self.verdict, self.blamed = True, verdict, blamed

    def void(self, clause: str, seat: int, text: str) -> None:
        """End the deal as void; its dealer deals again."""
        self.say(clause, seat, text)
        self.close(RULED_VOID)
        self.deal_again = self.game.dealer

    # --- looking

    @property
    def stopped(self) -> bool:
        """Whether what the record has next does not count (clause 9.4)."""
        return self.closed or (self.cut_short and self.n < len(self.actions))

    @property
    def contract(self) -> int:
        return int(self.data["contract"])

    @property
    def declarer(self) -> int:
        return int(self.data["declarer"])

    @property
    def misere(self) -> bool:
        """Whether a lone declarer plays to take no trick."""
        return self.contract in (MIS, OUV)

    @property
    def playing(self) -> bool:
        return bool(self.data["phase"] == actions.PLAY)

    @property
    def n_plays(self) -> int:
        return int(self.data["n_plays"])

    @property
    def in_trick(self) -> bool:
        """Whether a trick has been begun and is not complete."""
        return self.n_plays % N_SEATS > 0

    @property
    def trump(self) -> int:
        """The trump suit, or ``NO_TRUMP``."""
        return max(NO_TRUMP, int(self.data["trump"]))

    def side(self, seat: int) -> set[int]:
        """The seats that win and lose with ``seat``: itself alone where there are no sides."""
        if self.contract in (NO_CONTRACT, GENERAL):
            return {seat}
        declaring = {self.declarer, int(self.data["partner"])} - {NOBODY}
        return declaring if seat in declaring else set(range(N_SEATS)) - declaring

    def is_lone(self, seat: int) -> bool:
        """Whether the seat declares alone."""
        return seat == self.declarer and self.data["partner"] == NOBODY

    def hand(self, seat: int) -> int:
        return int(self.data["hand_cards"][seat])

    def to_play(self) -> Iterator[int]:
        """The seats that have yet to play to this trick, or to the next, in the order of play."""
        for step in range(N_SEATS - self.n_plays % N_SEATS):
            yield (int(self.data["turn"]) + step) % N_SEATS

    def led(self) -> int | None:
        """The suit led to the trick under way."""
        first = self.n_plays - self.n_plays % N_SEATS
        return int(self.data["plays"][first]) // N_RANKS if self.in_trick else None

    def held(self, event: Event) -> int:
        """The card of an event, which its seat must hold."""
        card = _number(event)
        if not self.hand(event.seat) >> card & 1:
            raise RulingError(
                f"the event {event} cannot be: {_who(event.seat)} does not hold {card_text(card)} then."
            )
        return card

    def wrong(self, event: Event, why: str) -> RulingError:
        return RulingError(f"the event {event} cannot be: {why}.")

    def impossible(self, why: str) -> RulingError:
        return RulingError(f"action {self.n + 1} of the record cannot be: {why}.")

    # --- actions

    def act(self, action: int) -> None:
        """Make the next action of the record."""
        if self.data["phase"] == actions.OVER:
            raise self.impossible(f"{actions.text(action)} comes after the deal was over")
        if self.playing and action < N_CARDS:
            self.play(action)
        else:
            self.call(action)

    def call(self, action: int) -> None:
        """A call or the naming of trumps."""
        seat = int(self.data["turn"])
        who, what = _who(seat), actions.text(action)
        if action == actions.COP and seat in self.open.cannot_accept:
            raise self.impossible(f"{who} proposed second and may not accept (9.2)")
        if action == actions.PASS and self.raising:
            raise self.impossible(f"{who} claimed a raise and then passed (9.2)")
        if one.try_one(self.table.desk, action) == one.ILLEGAL:
            legal = ", ".join(map(actions.text, self.table.legal_actions()))
            hint = "" if action >= N_CARDS or self.playing else "; no card can be played yet"
            raise self.impossible(f"{who} cannot choose {what} now{hint}; open are {legal}")
        self.n += 1
        self.raising = False
        self.open.may_raise = NOBODY
        self.table.rules = self.rules
        if self.data["standing"] != PC:
            self.open.cannot_accept.clear()

    def play(self, card: int) -> None:
        """A card of the seat on turn; a revoke is let through and noted."""
        seat, led = int(self.data["turn"]), self.led()
        hand = self.hand(seat)
        who = _who(seat)
        if not hand >> card & 1:
            raise self.impossible(f"{who} does not hold {card_text(card)}")
        early = self.open.early.get(seat)
        if early and early.card != card:
            raise self.impossible(f"{who} has played {card_text(early.card)} to this trick already, out of turn")
        self.note_revoke(seat, card, led, hand)
        # The engine sees a hand of this one card, so that it finds nothing to object to and no revoke.
        self.data["hand_cards"][seat] = 1 << card
        one.try_one(self.table.desk, card)
        self.data["hand_cards"][seat] = hand & ~(1 << card)
        self.n += 1
        self.open.exposed.pop(card, None)
        if led is None:  # the side has led: a suit can no longer be called for an earlier lead
            kept = [lead for lead in self.open.false_leads if lead.stands or seat not in self.side(lead.seat)]
            self.open.false_leads = kept
        if not self.in_trick:
            self.end_trick()

    def note_revoke(self, seat: int, card: int, led: int | None, hand: int) -> None:
        """Note whether the card revokes: fails to follow suit, or ignores a demand (clauses 9.1, 9.12)."""
        obeys = self.answer(seat, card, led, hand)
        follows = led is None or card // N_RANKS == led or not _of_suit(hand, led)
        if not follows and led is not None:
            text = f"{_who(seat)} plays {card_text(card)} and holds {SUIT_NAMES[led]}, which were led"
            self.open.unquitted.append((seat, text))
        elif not obeys:
            text = f"{_who(seat)} plays {card_text(card)} and could have done what was demanded"
            self.open.unquitted.append((seat, text))

    def end_trick(self) -> None:
        """Close a complete trick: its revokes are established, and what was not claimed in time lapses."""
        now = self.open
        for seat, text in now.unquitted:
            self.establish(seat, text)
        lapsed = [early.seat for early in now.early.values() if early.partners]
        lapsed += [lead.seat for lead in now.false_leads if lead.stands]
        lapsed += now.faults
        for seat in dict.fromkeys(lapsed):
            text = f"all four have played: what {_who(seat)} did out of turn or showed costs nothing now."
            self.say("9.14", seat, text)
        now.false_leads = [lead for lead in now.false_leads if not lead.stands]
        now.unquitted, now.faults, now.remarks, now.early, now.demands = [], [], [], {}, {}

    def establish(self, seat: int, text: str) -> None:
        self.revokes.append(seat)
        self.say("9.1", seat, f"{text}: a revoke.")
        if self.misere and self.game.ruleset.play.revokes == "possible":  # clause 6.5
            self.cut_short = True
            self.data["phase"], self.data["turn"] = actions.OVER, NOBODY

    # --- answers to demands

    def answer(self, seat: int, card: int, led: int | None, hand: int) -> bool:
        """Whether the card does what its seat was told to do, if it was and could."""
        obeys = True
        demand = self.open.demands.pop(seat, None)
        if demand is not None:
            why = self.unlawful(demand, led)
            if why:
                self.say(demand.clause, seat, f"the demand on {_who(seat)} is refused: {why}.")
            else:
                obeys = self.is_met(seat, card, self.allowed(demand, led, hand))
        if led is None:
            for call in [call for call in self.open.suit_calls if seat in call.seats]:
                self.open.suit_calls.remove(call)
                obeys = self.is_met(seat, card, _of_suit(hand, call.suit)) and obeys
        return obeys

    def is_met(self, seat: int, card: int, allowed: int) -> bool:
        """Whether a card is among those that would do what was demanded; true where none would."""
        who = _who(seat)
        if not allowed:
            self.say("9.12", seat, f"{who} cannot do what was demanded, and is free.")
            return True
        met = bool(allowed >> card & 1)
        if met:
            self.obeyed.add(self.n_plays)
        self.say("9.12", seat, f"{who} {'does' if met else 'does not do'} what was demanded.")
        return met

    def unlawful(self, demand: _Demand, led: int | None) -> str | None:
        """Why a demand cannot be made on a seat that plays to this lead, or leads itself; None if it can."""
        if led is None:
            if demand.word == "not" and self.is_lone(demand.by):
                return None
            return "the seat leads, and only a lone declarer can forbid it the lead of an exposed card"
        trumps = self.trump
        if demand.word in ("pass", "trump", "not-trump") and trumps in (NO_TRUMP, led):
            return "there are no trumps" if trumps == NO_TRUMP else "trumps were led"
        if demand.word == "not" and demand.card is not None and demand.card // N_RANKS != led:
            return "another suit was led, and an exposed card may always be thrown away"
        shown = [card // N_RANKS for card, seat in self.open.exposed.items() if seat == demand.target]
        if demand.word in ("highest", "lowest") and demand.clause == "9.9" and led not in shown:
            return "the suit led is not that of an exposed card"
        return None

    def allowed(self, demand: _Demand, led: int | None, hand: int) -> int:
        """The cards that would do what is demanded, 0 where none would and the seat is free."""
        following = 0 if led is None else _of_suit(hand, led)
        legal = following or hand
        bit = 0 if demand.card is None else 1 << demand.card
        trumps = 0 if self.trump == NO_TRUMP else _of_suit(hand, self.trump)
        match demand.word:
            case "play":
                return legal & bit or legal  # whoever can follow suit may play any card that does
            case "not":
                return legal & ~bit
            case "pass" | "not-trump":
                return following or hand & ~trumps
            case "trump":
                return 0 if following else trumps
            case "highest":
                return 1 << following.bit_length() - 1 if following else 0
            case _:
                return following & -following

    # --- the deal and the calls

    def on_misdeal(self, event: Event) -> None:
        """A misdeal (clause 9.5)."""
        text = f"{_who(event.seat)} finds a misdeal"
        self.void("9.5", event.seat, f"{text}: the same player deals again, without penalty.")

    def on_expose_in_deal(self, event: Event) -> None:
        """A card seen in the deal (clause 9.5)."""
        card = self.held(event)
        text = f"{card_text(card)}, dealt to {_who(event.seat)}, was seen in the deal"
        self.void("9.5", event.seat, f"{text}: the same player deals again, without penalty.")

    def on_shuffle(self, event: Event) -> None:
        """A shuffle against the rules (clause 9.3)."""
        ruleset, who = self.game.ruleset, _who(event.seat)
        if ruleset.deal.shuffle == "every_deal" and ruleset.passout.mode != "goulash":
            self.say(
                "9.3", event.seat, f"{who} shuffled a pack that is shuffled for every deal: that costs nothing."
            )
        else:
            self.shuffled.append(event.seat)
            self.say("9.3", event.seat, f"{who} shuffled a pack that is not shuffled, and pays each of the others.")

    def on_bad_count(self, event: Event) -> None:
        """A wrong number of cards (clause 9.6)."""
        seat, wrong = event.seat, [i for i, hand in enumerate(self.game.hands) if len(hand) != N_TRICKS]
        text = f"{_who(seat)} was dealt {event.argument} cards"
        if self.contract == NO_CONTRACT and self.data["phase"] == actions.OVER:
            self.say("9.6", seat, f"{text}, found when the deal had been thrown in: that costs nothing.")
        elif self.contract == NO_CONTRACT:
            self.void("9.6", seat, f"{text}, found before there was a contract: the same player deals again.")
        elif self.contract == GENERAL:
            self.say("9.6", seat, f"{text}: everybody with a wrong number of cards loses the stake.")
            self.close(BY_TRICKS)
            self.revokes, self.miscounted = [], wrong
        else:
            declaring = self.side(self.declarer)
            own, others = declaring & set(wrong), set(wrong) - declaring
            if own and others:
                self.say("9.6", seat, f"{text}, and each side has a wrong number: neither wins, the deal is void.")
                self.close(RULED_VOID)
            elif own:
                self.say("9.6", seat, f"{text}: the declaring side, whose own number is wrong, loses the stake.")
                self.close(RULED_LOST)
            else:
                self.say("9.6", seat, f"{text}: the declaring side, whose own number is right, wins the stake.")
                self.close(RULED_MADE)
            self.revokes = []

    def on_improper_call(self, event: Event) -> None:
        """A call that is not open, a second proposal above all (clauses 9.2, 9.7)."""
        call, seat, data = _number(event), event.seat, self.data
        who, what = _who(seat), actions.text(call)
        if data["phase"] != actions.AUCTION:
            raise self.wrong(event, "the auction is over")
        proposed = data["standing"] == PC and data["acceptor"] == NOBODY and data["holder"] != seat
        if call == actions.PROP and proposed:
            self.check_second_proposals(event)
            self.open.cannot_accept.add(seat)
            self.open.may_raise = int(data["holder"])
            first = _who(self.open.may_raise)
            text = f"{who} proposes after {first}: the words do not count and cannot be turned into an acceptance"
            self.say("9.2", seat, f"{text}; others may accept, and {first} may raise at once.")
        elif seat == data["turn"] and call in self.table.legal_actions():
            raise self.wrong(event, f"{what} is open to {who} now, so it belongs among the calls")
        else:
            self.say("9.7", seat, f"{who} says {what}, which is not open: it does not count.")

    def check_second_proposals(self, event: Event) -> None:
        if self.game.ruleset.laws.second_prop == "illegal":
            raise RulingError(
                f"the event {event} cannot be ruled on: laws.second_prop is 'illegal' in {self.game.ruleset.name}, "
                "so a second proposal does not happen; 's2_ruling' rules on it."
            )

    def on_slip(self, event: Event) -> None:
        """A call corrected at once (clause 9.7)."""
        call, after, data = _number(event), self.actions[self.n], self.data
        who, what = _who(event.seat), actions.text(call)
        if data["phase"] != actions.AUCTION or event.seat != data["turn"]:
            raise self.wrong(event, f"{who} does not make the next call")
        if call == after:
            raise self.wrong(event, f"{what} is the call that {who} then makes, so nothing was corrected")
        if call == actions.PROP and after == actions.COP and data["standing"] == PC:
            self.check_second_proposals(event)
            raise self.wrong(event, "a second proposal cannot be turned into an acceptance (9.2)")
        text = f"{who} said {what} and corrected it at once to {actions.text(after)}, which stands."
        self.say("9.7", event.seat, text)

    def on_remark(self, event: Event) -> None:
        """An improper remark (clause 9.7)."""
        if self.data["phase"] == actions.OVER:
            raise self.wrong(event, "the deal is over")
        self.open.remarks.append(event.seat)
        text = f"{_who(event.seat)} makes an improper remark"
        self.say("9.7", event.seat, f"{text}: the other side may demand a fresh deal.")

    # --- cards shown and played at the wrong time

    def on_expose(self, event: Event) -> None:
        """A card that others have seen (clause 9.8)."""
        card, seat = self.held(event), event.seat
        if self.data["phase"] == actions.OVER:
            raise self.wrong(event, "the deal is over, and hands may be shown")
        if card == self.data["turned_card"] and self.n_plays < N_SEATS:
            raise self.wrong(event, f"{card_text(card)} is the turned card and lies open by the rules")
        if self.contract == NO_CONTRACT:
            text = f"{_who(seat)} shows {card_text(card)} before there is a contract"
            self.say("9.8", seat, f"{text}: that costs nothing.")
            return
        self.expose(event, card, "9.8", "shows")

    def expose(self, event: Event, card: int, clause: str, verb: str) -> None:
        """Treat a card as exposed: its owner's misfortune, a lost misère, or open to demands."""
        seat, shown = event.seat, f"{_who(event.seat)} {verb} {card_text(card)}"
        if self.contract == GENERAL:
            self.say("9.16", seat, f"{shown} in a general misère: that costs nothing.")
        elif self.is_lone(seat):
            self.open.free.add(card)
            self.say(clause, seat, f"{shown}, declaring alone: the card costs nothing.")
        elif self.misere:
            self.fault(event, shown)
        else:
            self.open.exposed[card] = seat
            self.say(clause, seat, f"{shown}, which lies exposed.")

    def on_lead_out_of_turn(self, event: Event) -> None:
        """A lead by a seat that has not the lead (clause 9.10)."""
        card, seat = self.held(event), event.seat
        if not self.playing or self.in_trick:
            raise self.wrong(event, "a trick is under way" if self.in_trick else "no lead is due")
        if seat == self.data["turn"]:
            raise self.wrong(event, f"it is {_who(seat)}'s turn to lead")
        stands = self.actions[self.n : self.n + 1] == [card]
        if stands:
            self.data["leader"] = self.data["turn"] = seat
        penalty = self.contract != GENERAL and (self.is_lone(seat) or not self.misere)
        if penalty:
            self.open.false_leads.append(_FalseLead(seat, card, stands))
        text = f"{_who(seat)} leads {card_text(card)} out of turn, and it stands"
        if not stands:
            self.expose(event, card, "9.10", "leads out of turn and takes back")
        elif self.contract == GENERAL:
            self.say("9.16", seat, f"{text}: in a general misère that costs nothing.")
        elif penalty:
            self.say("9.10", seat, f"{text}: before the trick is complete a suit may be called for it.")
        else:
            self.fault(event, text, stands=True)

    def on_play_out_of_turn(self, event: Event) -> None:
        """A card played to a trick before its turn (clause 9.11)."""
        card, seat = self.held(event), event.seat
        waiting = list(self.to_play()) if self.in_trick else []
        if seat not in waiting[1:] or seat in self.open.early:
            raise self.wrong(event, f"{_who(seat)} does not play to this trick before its turn")
        before = waiting[: waiting.index(seat)]
        partners = [other for other in before if other in self.side(seat)]
        text = f"{_who(seat)} plays {card_text(card)} out of turn"
        self.open.early[seat] = _EarlyCard(seat, card, [] if self.misere else partners)
        if self.misere and not self.is_lone(seat):
            self.fault(event, text, stands=True)
        elif self.contract == GENERAL:
            self.say("9.16", seat, f"{text}: in a general misère that costs nothing.")
        elif partners:
            self.say("9.11", seat, f"{text}, before {_who(partners[0])}, on whom a demand may be made.")
        else:
            self.say("9.11", seat, f"{text}, before no partner: that costs nothing.")

    def on_correct(self, event: Event) -> None:
        """A card taken back that revoked (clause 9.15)."""
        card, seat = self.held(event), event.seat
        who, what = _who(seat), card_text(card)
        early = self.open.early.get(seat)
        if early and early.card == card:
            led = self.led()
            if led is None or card // N_RANKS == led or not _of_suit(self.hand(seat), led):
                raise self.wrong(event, f"{what} did not revoke")
            del self.open.early[seat]
            self.expose(event, card, "9.15", "takes back in time")
            return
        place = max((i for i in range(self.n_plays) if self.data["play_seats"][i] == seat), default=-1)
        if place < 0:
            raise self.wrong(event, f"{who} has played no card to put in its place")
        put, led = int(self.data["plays"][place]), int(self.data["plays"][place - place % N_SEATS]) // N_RANKS
        follows = place % N_SEATS > 0 and put // N_RANKS == led != card // N_RANKS
        if not follows and place not in self.obeyed:
            raise self.wrong(event, f"{what} did not revoke where {who} played {card_text(put)}")
        over = self.data["phase"] == actions.OVER
        if over or self.n_plays > place - place % N_SEATS + N_SEATS:
            when = "the deal is over" if over else "the next trick has begun"
            self.establish(seat, f"{who} takes back {what} when {when}, which is too late")
            return
        self.expose(event, card, "9.15", "takes back in time")

    def on_refuse(self, event: Event) -> None:
        """An examination of the tricks that is refused (clause 9.15)."""
        if self.data["phase"] != actions.OVER:
            raise self.wrong(event, "the deal is not over")
        text = f"{_who(event.seat)} does not let the tricks be examined"
        if self.side(event.seat) & set(self.revokes):
            self.say(
                "9.15", event.seat, f"{text}: a revoke of that side is counted already, and no other is added."
            )
        else:
            self.revokes.append(event.seat)
            self.say("9.15", event.seat, f"{text}: a revoke is taken as established.")

    # --- misères

    def fault(self, event: Event, text: str, stands: bool = False) -> None:
        """A fault of an opponent of a misère (clause 9.13): the stakes are the declarer's if he takes them."""
        if self.declarer in self.revokes:
            self.say("9.13", event.seat, f"{text}; but {_who(self.declarer)} has revoked and cannot win by it.")
            return
        trick_end = self.n + N_SEATS - self.n_plays % N_SEATS
        unnoticed = stands and len(self.actions) >= trick_end
        if unnoticed or any(self.is_word(later) for later in self.game.events[self.heard :]):
            self.open.faults.append(event.seat)
            self.say("9.13", event.seat, f"{text}: the stakes may be claimed until the trick is complete.")
        else:
            self.award(event.seat, text)

    def is_word(self, event: Event) -> bool:
        """Whether an event is the declarer's own word on the stakes."""
        word = event.argument.name if isinstance(event.argument, Claim) else event.name
        return event.seat == self.declarer and word in ("stakes", "waive")

    def award(self, offender: int, text: str) -> None:
        who = _who(self.declarer)
        self.say("9.13", offender, f"{text}: {who} takes the stakes, and {_who(offender)} pays for all three.")
        self.close(RULED_MADE, offender)

    def claim_stakes(self, event: Event) -> None:
        """The stakes of a misère (clause 9.13)."""
        if not self.misere or event.seat != self.declarer:
            self.refuse(event, "9.13", "stakes are claimed by the declarer of a misère only")
            return
        pending = [seat for seat, _ in self.open.unquitted]
        if self.declarer in [*self.revokes, *pending]:
            self.refuse(event, "9.13", "its declarer has revoked and cannot win")
        elif self.open.faults:
            self.award(self.open.faults[0], f"{_who(event.seat)} claims")
        elif self.revokes or pending:
            for seat, text in self.open.unquitted:
                self.establish(seat, text)
            self.say("9.13", event.seat, f"{_who(event.seat)} claims the stakes for the revoke.")
            self.close(BY_TRICKS)
        else:
            self.refuse(event, "9.13", "no fault of the opponents is open, or the trick was complete first")

    # --- claims

    def on_claim(self, event: Event) -> None:
        """A penalty or right exacted (clause 9.12)."""
        CLAIM_HEARERS[_claim(event).name](self, event)

    def refuse(self, event: Event, clause: str, why: str) -> None:
        self.say(clause, event.seat, f"{_who(event.seat)}'s claim {event.argument} is refused: {why}.")

    def claim_redeal(self, event: Event) -> None:
        """A fresh deal after an improper remark (clause 9.7)."""
        others = [seat for seat in self.open.remarks if event.seat not in self.side(seat)]
        if self.data["phase"] == actions.OVER:
            self.refuse(event, "9.7", "the deal is over")
        elif others:
            text = f"{_who(event.seat)} demands a fresh deal for the remark: the same player deals again."
            self.void("9.7", others[0], text)
        else:
            self.refuse(event, "9.7", "no remark of the other side is open to it")

    def claim_raise(self, event: Event) -> None:
        """The right of a proposer over whose proposal another was made (clause 9.2)."""
        if self.open.may_raise != event.seat:
            self.refuse(event, "9.2", "nobody has just proposed over a proposal of that seat")
            return
        self.data["turn"], self.data["asked"] = event.seat, ASKED_PROPOSER
        # For one call: what 3.8 keeps a proposer to does not bind this raise.
        self.table.rules["raise_to_solo"] = False
        self.raising = True
        self.say("9.2", event.seat, f"{_who(event.seat)} raises at once.")

    def claim_suit(self, event: Event) -> None:
        """A suit called for a lead out of turn (clause 9.10)."""
        own, suit = self.side(event.seat), _claim(event).value or 0
        leads = [lead for lead in self.open.false_leads if lead.seat not in own]
        if self.data["phase"] == actions.OVER:
            self.refuse(event, "9.10", "the deal is over, and nobody leads again")
            return
        if not leads:
            shown = set(self.open.exposed.values()) - own
            why = "no suit is called for an exposed card" if shown else "no lead out of turn is open to it"
            self.refuse(event, "9.10", why)
            return
        lead = leads[0]
        self.open.false_leads.remove(lead)
        self.open.exposed.pop(lead.card, None)
        self.open.suit_calls.append(_SuitCall(suit, self.side(lead.seat)))
        side = "its" if self.is_lone(lead.seat) else "its or its partners'"
        text = f"{_who(event.seat)} calls {SUIT_NAMES[suit]} for {side} next lead"
        self.say("9.10", lead.seat, f"{_who(lead.seat)} having led out of turn, {text}.")

    def claim_demand(self, event: Event) -> None:
        """A demand on the next card of a seat (clauses 9.9, 9.11, 9.12)."""
        if self.misere or self.contract == GENERAL or not self.playing:
            self.refuse(event, "9.12", "demands are made in the play of a contract that is no misère")
            return
        found = self.target_of(event)
        if isinstance(found, str):
            self.refuse(event, "9.12", found)
            return
        target, clause = found
        demand = _Demand(_claim(event).name, event.seat, target, _claim(event).value, clause)
        why = self.unlawful(demand, self.led()) if self.in_trick else None
        if why is None and target in self.open.demands:
            why = "one demand on it stands already"
        if why:
            self.refuse(event, clause, why)
            return
        self.open.demands[target] = demand
        # A card led out of turn is now treated as exposed, and a partner passed over has had its one demand.
        self.open.false_leads = [lead for lead in self.open.false_leads if lead.card != demand.card]
        if clause == "9.11":
            for early in self.open.early.values():
                early.partners = [seat for seat in early.partners if seat != target]
        self.say(clause, target, f"{_who(event.seat)} demands {event.argument} of {_who(target)}.")

    def target_of(self, event: Event) -> tuple[int, str] | str:
        """The seat that a demand falls on and the clause it rests on, or why there is none."""
        own, claim = self.side(event.seat), _claim(event)
        exposed, waiting = self.open.exposed, list(self.to_play())
        if claim.value is not None:
            card = claim.value
            if card in self.open.free:
                return f"{card_text(card)} is that of a lone declarer, who may show what it likes"
            if card not in exposed:
                return f"{card_text(card)} does not lie exposed"
            liable = {exposed[card]: "9.9"}
        else:
            liable = self.liable(claim.name)
        adverse = [seat for seat in liable if seat not in own]
        if not adverse:
            return "a demand is made on the other side" if liable else "nobody is open to that demand"
        for seat in waiting:
            if seat in adverse:
                return seat, liable[seat]
        return "it comes too late, the card having been played"

    def liable(self, word: str) -> dict[int, str]:
        """Who is open to a demand that names no card, with the clause: by an exposed card or a partner's haste."""
        found: dict[int, str] = {}
        if word in ("highest", "lowest", "trump", "not-trump"):
            for early in self.open.early.values():
                found |= dict.fromkeys(early.partners[:1], "9.11")
        for card, seat in self.open.exposed.items():
            fits = card // N_RANKS == self.trump if word == "pass" else self.led() in (None, card // N_RANKS)
            if word in ("pass", "highest", "lowest") and fits:
                found.setdefault(seat, "9.9")
        return found

    def on_waive(self, event: Event) -> None:
        """What a side could exact is forgone (clause 9.14)."""
        now, before = self.open, repr(self.open)
        if self.contract not in (NO_CONTRACT, GENERAL):  # without sides nobody speaks for another
            own = self.side(event.seat)
            now.exposed = {card: seat for card, seat in now.exposed.items() if seat in own}
            now.false_leads = [lead for lead in now.false_leads if lead.seat in own]
            now.faults = [seat for seat in now.faults if seat in own]
            now.remarks = [seat for seat in now.remarks if seat in own]
            for early in now.early.values():
                early.partners = early.partners if early.seat in own else []
        if event.seat == now.may_raise:
            now.may_raise = NOBODY
        what = "forgoes what could be exacted" if repr(now) != before else "forgoes a penalty, and none was open"
        self.say("9.14", event.seat, f"{_who(event.seat)} {what}.")


def _number(event: Event) -> int:
    return int(cast(int, event.argument))  # as events.check has seen to


def _claim(event: Event) -> Claim:
    return cast(Claim, event.argument)


def _who(seat: int) -> str:
    return POSITION_NAMES[seat]


def _of_suit(cards: int, suit: int) -> int:
    return cards & SUIT_MASK << N_RANKS * suit


HEARERS: dict[str, Callable[[_Hearing, Event], None]] = {
    "misdeal": _Hearing.on_misdeal,
    "expose_in_deal": _Hearing.on_expose_in_deal,
    "shuffle": _Hearing.on_shuffle,
    "bad_count": _Hearing.on_bad_count,
    "improper_call": _Hearing.on_improper_call,
    "slip": _Hearing.on_slip,
    "remark": _Hearing.on_remark,
    "expose": _Hearing.on_expose,
    "lead_out_of_turn": _Hearing.on_lead_out_of_turn,
    "play_out_of_turn": _Hearing.on_play_out_of_turn,
    "correct": _Hearing.on_correct,
    "refuse": _Hearing.on_refuse,
    "claim": _Hearing.on_claim,
    "waive": _Hearing.on_waive,
}

CLAIM_HEARERS: dict[str, Callable[[_Hearing, Event], None]] = {
    "raise": _Hearing.claim_raise,
    "redeal": _Hearing.claim_redeal,
    "stakes": _Hearing.claim_stakes,
    "suit": _Hearing.claim_suit,
    **dict.fromkeys(("play", "not", "pass", "highest", "lowest", "trump", "not-trump"), _Hearing.claim_demand),
}
