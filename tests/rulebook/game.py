"""One deal from the first call to the settlement (clauses 2.1 to 7.4)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from .auction import Auction
from .cards import POSITIONS, SUITS, check_deal, playable, trick_winner
from .contracts import PAGAT, Settings, payment


class Trick(NamedTuple):
    """A complete trick."""

    leader: int
    cards: tuple[str, ...]  # in the order played, the lead first
    winner: int


class Game:
    """A deal in progress. Only the deal and what was done are kept; all else is worked out from those."""

    def __init__(self, hands: Sequence[Sequence[str]], settings: Settings = PAGAT) -> None:
        check_deal(hands)
        self.settings = settings
        self.dealt = tuple(tuple(hand) for hand in hands)
        self.auction = Auction(settings)
        self.named: str | None = None  # the suit the caller chose, where the contract lets him choose
        self.history: list[Trick] = []  # complete tricks
        self.table: list[str] = []  # cards of the trick in progress

    def copy(self) -> Game:
        twin = Game(self.dealt, self.settings)
        twin.auction = self.auction  # never altered in place: say() returns a new one
        twin.named = self.named
        twin.history = list(self.history)
        twin.table = list(self.table)
        return twin

    # The cards.

    @property
    def turned_card(self) -> str:
        """The dealer's thirteenth card, which stays his to play (clause 2.2)."""
        return self.dealt[3][-1]

    def hand(self, position: int) -> list[str]:
        """The cards a position still holds, in dealt order."""
        gone = {card for trick in self.history for card in trick.cards} | set(self.table)
        return [card for card in self.dealt[position] if card not in gone]

    def exposed(self) -> tuple[int, set[str]] | None:
        """The caller's hand once everybody sees it (clause 5.3)."""
        after = self.settings["exposed_after"].get(self.contract)
        if after is None or self.declarer is None or len(self.history) < after:
            return None
        return self.declarer, set(self.hand(self.declarer))

    # The contract (clauses 4.1 to 5.1).

    @property
    def contract(self) -> str | None:
        return self.auction.outcome.contract if self.auction.outcome else None

    @property
    def declarer(self) -> int | None:
        return self.auction.outcome.declarer if self.auction.outcome else None

    @property
    def partner(self) -> int | None:
        return self.auction.outcome.partner if self.auction.outcome else None

    @property
    def _naming(self) -> bool:
        """The caller has yet to name trumps: after the auction, before the first lead (clause 4.2)."""
        return self.settings["trumps"].get(self.contract) == "named" and self.named is None

    @property
    def trumps(self) -> str | None:
        """The trump suit; None without trumps, and until the contract has fixed a suit."""
        if self.contract is None:
            return None
        how = self.settings["trumps"][self.contract]
        return {"turned": self.turned_card[0], "named": self.named, "none": None}[how]

    # The play (clauses 6.1 to 6.4).

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
        return self.declarer if self.settings["leader"][self.contract] == "caller" else 0

    @property
    def _play_ended(self) -> bool:
        if len(self.history) == 13:
            return True
        stop = self.settings["stop"].get(self.contract)
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
        if closed.contract is None:
            return closed.ending
        return "played" if self._play_ended else None

    @property
    def over(self) -> bool:
        return self.outcome is not None

    @property
    def payoffs(self) -> list[int] | None:
        """Units won by each position, once the deal is over (clauses 7.1 to 7.4)."""
        if not self.over:
            return None
        if self.contract is None or self.declarer is None:
            return [0, 0, 0, 0]  # thrown in: nobody pays
        return payment(self.contract, self.declarer, self.partner, self.tricks, self.settings)

    # What may be done, and doing it.

    @property
    def turn(self) -> int | None:
        """The position that has to act, or None when the deal is over."""
        if self.over:
            return None
        if self.auction.turn is not None:
            return self.auction.turn
        if self._naming:
            return self.declarer
        assert self.leader is not None
        return (self.leader + len(self.table)) % 4

    def legal(self) -> set[str]:
        """Every action open to the position on turn."""
        turn = self.turn
        if turn is None:
            return set()
        if self.auction.turn is not None:
            return self.auction.legal()
        if self._naming:
            return {f"TRUMPS {suit}" for suit in SUITS}  # the turned suit among them (clause 4.2)
        return playable(self.hand(turn), self.table)

    def act(self, text: str) -> None:
        """Carry out one action of the position on turn; an illegal one raises ValueError and no more."""
        if self.over:
            raise ValueError(f"{text!r} is illegal: the deal is over.")
        if text not in self.legal():
            choice = ", ".join(sorted(self.legal()))
            raise ValueError(f"{text!r} is illegal: position {self.turn} may choose {choice}.")
        if self.auction.turn is not None:
            self.auction = self.auction.say(text)
        elif self._naming:
            self.named = text.removeprefix("TRUMPS ")
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
