"""Deals laid out trick by trick, for records in which something goes wrong.

In tricks 1 to 12 all four follow suit: three tricks a suit, in the order ``SHDC``, of the ranks AKQJ, T987, 6543.
The winner gets the highest of the four and the others the next, clockwise. Trick 13 is the four twos. So every seat
holds three cards of each suit and a two, and who takes which trick stands in a string of positions: E, 2, 3, D.
"""

from __future__ import annotations

SEATS = "E23D"
SUITS = "SHDC"
BLOCKS = ("AKQJ", "T987", "6543")
RANKS = "23456789TJQKA"


class Game:
    """A deal, its auction and its play, to be printed as a record."""

    def __init__(
        self,
        calls: str,
        winners: str,
        twos: str = "CSHD",
        turned: str = "C",
        trump: str = "",
        named: bool = False,
        leader: str = "E",
    ) -> None:
        """Lay out a deal.

        Args:
            calls: the auction.
            winners: who takes tricks 1 to 12.
            twos: whose two is of which suit, from eldest.
            turned: the suit of the dealer's last card.
            trump: the trump suit, or "".
            named: whether the declarer names it after the auction.
            leader: who leads to trick 1.
        """
        self.calls, self.trump, self.named, self.leader, self.turned = calls, trump, named, leader, turned
        self.first = len(calls.split()) + named  # actions before the first card
        self.tricks: list[dict[str, str]] = []
        for number, winner in enumerate(winners):
            suit, ranks = SUITS[number // 3], BLOCKS[number % 3]
            start = SEATS.index(winner)
            self.tricks.append({SEATS[(start + i) % 4]: suit + rank for i, rank in enumerate(ranks)})
        self.tricks.append({seat: suit + "2" for seat, suit in zip(SEATS, twos, strict=True)})
        self.hands = {seat: [trick[seat] for trick in self.tricks] for seat in SEATS}
        self.leaders: dict[int, str] = {}  # of tricks that somebody led out of turn

    def swap(self, seat: str, one: int, other: int) -> Game:
        """Let a seat play its cards of two tricks (numbered from 1) the other way round."""
        first, second = self.tricks[one - 1], self.tricks[other - 1]
        first[seat], second[seat] = second[seat], first[seat]
        return self

    def led_by(self, seat: str, trick: int) -> Game:
        """Let a seat lead to a trick, whoever won the one before."""
        self.leaders[trick] = seat
        return self

    def card(self, seat: str, trick: int) -> str:
        """What a seat plays to a trick."""
        return self.tricks[trick - 1][seat]

    def at(self, trick: int, place: int = 0) -> int:
        """The number of actions before the card in a place (0 the lead) of a trick."""
        return self.first + 4 * (trick - 1) + place

    def played(self) -> tuple[list[str], str]:
        """The tricks as played, and who won each."""
        texts, winners, leader = [], "", self.leader
        for number, trick in enumerate(self.tricks, 1):
            leader = self.leaders.get(number, leader)
            start = SEATS.index(leader)
            order = [SEATS[(start + i) % 4] for i in range(4)]
            suits = [trick[seat][0] for seat in order]
            wins = self.trump if self.trump in suits else suits[0]
            texts.append("".join(trick[seat] for seat in order))
            leader = max(
                (seat for seat in order if trick[seat][0] == wins), key=lambda seat: RANKS.index(trick[seat][1])
            )
            winners += leader
        return texts, winners

    def taken(self, tricks: int = 13) -> tuple[int, ...]:
        """The tricks that each position takes of the first ``tricks``."""
        winners = self.played()[1][:tricks]
        return tuple(winners.count(seat) for seat in SEATS)

    def line(
        self, events: str = "", ruleset: str = "hoyle", tricks: int = 13, cards: int = 0, dealer: int = 3
    ) -> str:
        """The record: so many whole tricks and ``cards`` of the next, with events."""
        hands = dict(self.hands)
        last = next(card for card in reversed(hands["D"]) if card[0] == self.turned and card[1] in BLOCKS[2])
        hands["D"] = [card for card in hands["D"] if card != last] + [last]
        texts = self.played()[0]
        plays = [*texts[:tricks], *([texts[tricks][: 2 * cards]] if cards else [])]
        fields = [
            ruleset,
            f"dealer {dealer}",
            "deal " + " ".join("".join(hands[seat]) for seat in SEATS),
            f"calls {self.calls}",
            *([f"trumps {self.trump}"] if self.named else []),
            *([f"plays {' '.join(plays)}"] if plays else []),
            *([f"events {events}"] if events else []),
        ]
        return "; ".join(fields)


def solo() -> Game:
    """Eldest's solo in clubs, five tricks: 1, 3, 5, 7 and the last with the two of trumps."""
    return Game("SOLO PASS PASS PASS", "E2E3EDE23D23", trump="C")


def solo_short_of_spades() -> Game:
    """Eldest's solo in clubs, five tricks: 1, 3, 4, 6 and 9. It leads the last spade, its two, to trick 4."""
    game = Game("SOLO PASS PASS PASS", "E2E23ED2ED23", twos="SCHD", trump="C")
    return game.swap("E", 4, 13)


def proposal() -> Game:
    """Eldest and third in clubs, eight tricks: 1, 2, 3, 4, 6, 8, 10 and 13."""
    return Game("PROP PASS COP PASS", "E3E32ED32ED2", trump="C")


def misere(call: str = "MIS") -> Game:
    """Eldest's misère, in which it takes nothing."""
    return Game(f"{call} PASS PASS PASS", "23D23D22D23D")


def lost_misere(call: str = "MIS") -> Game:
    """Eldest's misère, in which it takes trick 2; only two tricks are played."""
    return Game(f"{call} PASS PASS PASS", "2E323D23D23D")


def abundance() -> Game:
    """Eldest's abundance in clubs, nine tricks: 1, 2, 3, 5, 6, 8, 9, 11 and 13."""
    return Game("ABU PASS PASS PASS", "EEE2EE3EEDE3", trump="C", turned="S", named=True)


def abundance_short_of_spades() -> Game:
    """Eldest's abundance in clubs, nine tricks: 1 to 6, 8, 9 and 11. It leads the last spade to trick 4."""
    game = Game("ABU PASS PASS PASS", "EEE2EE3EEDE3", twos="SCHD", trump="C", turned="S", named=True)
    return game.swap("E", 4, 13)


def declared(winners: str = "222222222222") -> Game:
    """Second's abundance declared, in clubs, which second leads; all thirteen tricks unless told otherwise."""
    return Game("PASS DECL", winners, twos="SCHD", trump="C", turned="S", named=True, leader="2")


def general() -> Game:
    """A general misère; the dealer takes the last two tricks."""
    return Game("PASS PASS PASS PASS", "E23DE23DE23D")


LAST_TRICK = 'hoyle+passout.mode="last_trick"'
