"""One deal from the first call to the settlement (clauses 2.1 to 7.8, revokes 6.5 and 9.1)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from .auction import Auction
from .cards import POSITIONS, SUITS, check_deal, playable, trick_winner
from .contracts import (
    GENERAL_MISERES,
    PAGAT,
    Settings,
    check,
    general_misere,
    leads,
    payment,
    shown_after,
    stops,
    trump_rule,
    won,
)


class Trick(NamedTuple):
    """A complete trick."""

    leader: int
    cards: tuple[str, ...]  # in the order played, the lead first
    winner: int


def deal_suits(settings: Settings) -> set[str | None]:
    """What the suit of a deal can be, apart from the cards; None where the dealer's last card decides it."""
    trump = settings["trump"]
    if trump["source"] == "turn_up":
        return {None}
    if trump["source"] == "second_pack_cut":
        return set(SUITS)
    suits = trump["cycle"] if trump["source"] == "cycle" else [trump["fixed_suit"]]
    return {"N" if suit == "NT" else suit for suit in suits}


class Game:
    """A deal in progress. Only the deal and what was done are kept; all else is worked out from those.

    `suit` is the suit of the deal, "N" for a no-trump round, where the ruleset does not turn up a card for it.
    """

    def __init__(self, hands: Sequence[Sequence[str]], settings: Settings = PAGAT, suit: str | None = None) -> None:
        check_deal(hands)
        check(settings)
        if suit not in deal_suits(settings):
            raise ValueError(f"With this ruleset the suit of a deal cannot be {suit!r}.")
        self.settings = settings
        self.suit = suit
        self.dealt = tuple(tuple(hand) for hand in hands)
        self.auction = Auction(settings, (), suit)
        self.suits_named: dict[str, str] = {}  # contract -> the suit its caller chose, where he may choose
        self.history: list[Trick] = []  # complete tricks
        self.table: list[str] = []  # cards of the trick in progress

    def copy(self) -> Game:
        twin = Game(self.dealt, self.settings, self.suit)
        twin.auction = self.auction  # never altered in place: say() returns a new one
        twin.suits_named = dict(self.suits_named)
        twin.history = list(self.history)
        twin.table = list(self.table)
        return twin

    # The cards.

    @property
    def turned_card(self) -> str | None:
        """The dealer's thirteenth card, which stays his to play (clause 2.2); None where none is turned."""
        return self.dealt[3][-1] if self.settings["trump"]["source"] == "turn_up" else None

    @property
    def turned_suit(self) -> str | None:
        """The suit of the deal, however it was found; None in a no-trump round."""
        if self.turned_card is not None:
            return self.turned_card[0]
        return None if self.suit == "N" else self.suit

    def hand(self, position: int) -> list[str]:
        """The cards a position still holds, in dealt order."""
        gone = {card for trick in self.history for card in trick.cards} | set(self.table)
        return [card for card in self.dealt[position] if card not in gone]

    def exposed(self) -> tuple[int, set[str]] | None:
        """The caller's hand once everybody sees it (clause 5.3)."""
        if self.contract is None or self.declarer is None:
            return None
        after = shown_after(self.contract, self.settings)
        if after is None or len(self.history) < after:
            return None
        return self.declarer, set(self.hand(self.declarer))

    # The contract (clauses 4.1 to 5.1).

    @property
    def contract(self) -> str | None:
        """The contract; "GM" if nobody bid and the ruleset plays such deals as a general misère."""
        closed = self.auction.outcome
        if closed is None:
            return None
        if closed.ending == "contract" or self.settings["passout"]["mode"] not in GENERAL_MISERES:
            return closed.contract
        return "GM" if self.nobody_bid else None

    @property
    def declarer(self) -> int | None:
        return self.auction.outcome.declarer if self.auction.outcome else None

    @property
    def partner(self) -> int | None:
        return self.auction.outcome.partner if self.auction.outcome else None

    @property
    def _naming(self) -> tuple[int, str] | None:
        """Who has to name trumps before anything else happens, and for which contract.

        The time is after the auction and before the first lead (clause 4.2), but for an abundance with
        `abu_suit_time` "with_call": that suit is named before the next player speaks, and not again.
        """
        if self.history or self.table:
            return None
        if self.settings["contract"]["abu_suit_time"] == "with_call" and "ABU" not in self.suits_named:
            for position, call in self.auction.said[-1:]:
                if call == "ABU":
                    return position, "ABU"
        if self.contract is None or self.declarer is None or self.contract in self.suits_named:
            return None
        if trump_rule(self.contract, self.settings) != "named":
            return None
        return self.declarer, self.contract

    @property
    def named(self) -> str | None:
        """The suit that the caller of the contract chose, where the contract lets him choose."""
        return None if self.contract is None else self.suits_named.get(self.contract)

    @property
    def trumps(self) -> str | None:
        """The trump suit; None without trumps, and until the contract has fixed a suit."""
        if self.contract is None:
            return None
        how = trump_rule(self.contract, self.settings)
        return {"turned": self.turned_suit, "named": self.named, "none": None}[how]

    # The play (clauses 6.1 to 6.5).

    @property
    def tricks(self) -> list[int]:
        return [sum(trick.winner == position for trick in self.history) for position in POSITIONS]

    @property
    def leader(self) -> int | None:
        """Who led, or is to lead, the trick in progress."""
        if self.history:
            return self.history[-1].winner
        if self.contract is None:
            return None
        return self.declarer if leads(self.contract, self.settings) == "caller" else 0

    @property
    def revokes(self) -> list[int]:
        """Who has revoked, once for each time and in that order, the trick in progress included (clause 6.5).

        To revoke is not to follow the suit led while holding a card of it.
        """
        tricks = [(trick.leader, list(trick.cards)) for trick in self.history]
        if self.table:
            assert self.leader is not None
            tricks.append((self.leader, self.table))
        held = [set(hand) for hand in self.dealt]
        who = []
        for leader, cards in tricks:
            for place, card in enumerate(cards):
                position = (leader + place) % 4
                if card not in playable(held[position], cards[:place]):
                    who.append(position)
                held[position].remove(card)
        return who

    @property
    def _play_ended(self) -> bool:
        if len(self.history) == 13:
            return True
        if self.contract in ("MIS", "OUV") and not self.table and self.revokes:
            return True  # with the trick in which somebody revoked, whatever stops other deals
        if self.contract == "GM":
            return self.settings["passout"]["mode"] == "first_to_five" and max(self.tricks) == 5
        assert self.contract is not None
        stop = stops(self.contract, self.settings)
        if stop == "takes":
            return any(trick.winner == self.declarer for trick in self.history)
        if stop == "loses":
            return any(trick.winner != self.declarer for trick in self.history)
        return False

    @property
    def outcome(self) -> str | None:
        """None while anything remains to be done, then "passed out", "thrown in" or "played"."""
        closed = self.auction.outcome
        if closed is None:
            return None
        if self.contract is None:
            return closed.ending
        return "played" if self._play_ended else None

    @property
    def over(self) -> bool:
        return self.outcome is not None

    @property
    def payoffs(self) -> list[int] | None:
        """Money won by each position, once the deal is over (clauses 7.1 to 7.8 and 9.1)."""
        if not self.over:
            return None
        if self.contract == "GM":
            return general_misere([trick.winner for trick in self.history], self.settings, self.revokes)
        if self.contract is None or self.declarer is None:
            return [0, 0, 0, 0]  # thrown in: nobody pays
        return payment(self.contract, self.declarer, self.partner, self.tricks, self.settings, self.revokes)

    @property
    def nobody_bid(self) -> bool:
        """Whether the auction has closed without a bid, or with none that counts as one (clause 7.4)."""
        closed = self.auction.outcome
        if closed is None or closed.ending == "contract":
            return False
        return closed.ending == "passed out" or bool(self.settings["passout"]["include_unaccepted_prop"])

    @property
    def won(self) -> bool:
        """Whether the deal is over and its contract won; a general misère has no side to win it."""
        if not self.over or self.contract is None or self.declarer is None:
            return False
        return won(self.contract, self.declarer, self.partner, self.tricks, self.settings, self.revokes)

    # What may be done, and doing it.

    @property
    def turn(self) -> int | None:
        """The position that has to act, or None when the deal is over."""
        if self.over:
            return None
        if self._naming is not None:
            return self._naming[0]
        if self.auction.turn is not None:
            return self.auction.turn
        assert self.leader is not None
        return (self.leader + len(self.table)) % 4

    def legal(self) -> set[str]:
        """Every action open to the position on turn."""
        turn = self.turn
        if turn is None:
            return set()
        if self._naming is not None:
            suits = set(SUITS)  # the turned suit among them (clause 4.2)
            if self._naming[1] == "ABU" and not self.settings["contract"]["abu_may_choose_turned"]:
                suits -= {self.turned_suit or ""}
            return {f"TRUMPS {suit}" for suit in suits}
        if self.auction.turn is not None:
            return self.auction.legal()
        if self.settings["play"]["revokes"] == "possible":
            return set(self.hand(turn))  # whatever was led (6.5)
        return playable(self.hand(turn), self.table)

    def act(self, text: str) -> None:
        """Carry out one action of the position on turn; an illegal one raises ValueError and no more."""
        if self.over:
            raise ValueError(f"{text!r} is illegal: the deal is over.")
        legal = self.legal()
        if text not in legal:
            choice = ", ".join(sorted(legal))
            raise ValueError(f"{text!r} is illegal: position {self.turn} may choose {choice}.")
        if self._naming is not None:
            self.suits_named[self._naming[1]] = text.removeprefix("TRUMPS ")
        elif self.auction.turn is not None:
            self.auction = self.auction.say(text)
        else:
            leader = self.leader
            assert leader is not None
            self.table.append(text)
            if len(self.table) == 4:
                winner = (leader + trick_winner(self.table, self.trumps)) % 4
                self.history.append(Trick(leader, tuple(self.table), winner))
                self.table = []


def lines(game: Game) -> Iterator[tuple[tuple[str, ...], list[int]]]:
    """Every way the deal can go on from here: the actions to the end, and what is then paid."""
    payoffs = game.payoffs
    if payoffs is not None:
        yield (), payoffs
        return
    for action in sorted(game.legal()):
        onward = game.copy()
        onward.act(action)
        for rest, paid in lines(onward):
            yield (action, *rest), paid
