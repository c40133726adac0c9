"""The auction (clauses 3.1 to 3.11). It needs no cards: what may be said depends only on what has been said.

Nothing is remembered but the calls themselves, and an auction never changes: a call makes a new one. Who has
passed, what stands, who holds it and who speaks next are read off that list, so no second copy of the state can
drift away from the first.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from .contracts import PAGAT, Settings

CALLS = ("PASS", "PROP", "COP", "SOLO", "MIS", "ABU", "ABT", "OUV", "DECL")


class Outcome(NamedTuple):
    """How an auction closed; `contract` "PROP" is an accepted proposal, with the acceptor as `partner`."""

    contract: str | None
    declarer: int | None
    partner: int | None
    ending: str  # "contract", "passed out" or "thrown in"


class Auction:
    def __init__(self, settings: Settings = PAGAT, said: tuple[tuple[int, str], ...] = ()) -> None:
        self.settings = settings
        self.said = said  # (position, call) in the order made

    @cached_property
    def passed(self) -> set[int]:
        """Everybody who has ever passed; the others are live (clause 3.2)."""
        return {position for position, call in self.said if call == "PASS"}

    @cached_property
    def standing(self) -> tuple[int, str] | None:
        """The highest call and its caller: the latest, as calls only go up (3.3) and COP is no rung (3.5)."""
        rungs = [(position, call) for position, call in self.said if call not in ("PASS", "COP")]
        return rungs[-1] if rungs else None

    @cached_property
    def acceptor(self) -> int | None:
        """Who accepted the proposal that stands; None if none stands or none was accepted (3.5, 3.6)."""
        if self.standing is None or self.standing[1] != "PROP":
            return None
        accepted = [position for position, call in self.said if call == "COP"]
        return accepted[0] if accepted else None

    @cached_property
    def holders(self) -> set[int]:
        """Those bound by the standing call: its caller, and the acceptor of a proposal (3.5, 3.6)."""
        if self.standing is None:
            return set()
        return {self.standing[0]} if self.acceptor is None else {self.standing[0], self.acceptor}

    @cached_property
    def proposal_open(self) -> bool:
        """A proposal stands that nobody has accepted or overcalled."""
        return self.standing is not None and self.standing[1] == "PROP" and self.acceptor is None

    @cached_property
    def turn(self) -> int | None:
        """Who speaks next, or None when the auction has closed (3.9)."""
        if self.standing is not None and self.standing[1] == self.settings["ladder"][-1]:
            return None  # nothing ranks above it: table row 12
        last = self.said[-1][0] if self.said else 3  # eldest opens
        for step in (1, 2, 3, 4):
            position = (last + step) % 4
            if position not in self.passed and position not in self.holders:
                return position
        # Nobody live is left but the holders. That closes the auction, except while a proposal is still open.
        if not self.proposal_open:
            return None
        assert self.standing is not None
        proposer = self.standing[0]
        eldest_spoke = [position for position, _ in self.said].count(0)
        if proposer != 0 and eldest_spoke == 1:
            return 0  # 3.7: he can only have passed, and has not been asked since
        if proposer not in self.passed:
            return proposer  # 3.8: asked once, as a PASS ends his rights and a raise supersedes the proposal
        return None

    def legal(self) -> set[str]:
        """What the player on turn may say: rows 1 to 11 of the decision table."""
        turn = self.turn
        if turn is None:
            return set()
        if self.proposal_open and turn in self.passed:
            return {"PASS", "COP"}  # row 3: eldest's privilege, and nothing else (3.7)
        ladder = self.settings["ladder"]
        lowest = 0 if self.standing is None else ladder.index(self.standing[1]) + 1
        calls = {"PASS", *ladder[lowest:]}
        if self.standing is not None:
            calls -= {"PROP"}  # 3.4: only as the first call
        if self.standing is None or self.standing[1] != "ABU":
            calls -= {"ABT"}  # 3.10: its one use is to take an abundance from its caller
        if self.proposal_open and turn not in self.holders:
            calls |= {"COP"}  # 3.5; the proposer himself is in row 4
        return calls

    def say(self, call: str) -> Auction:
        """The auction with one more call, made by the player on turn."""
        if call not in self.legal():
            if self.turn is None:
                raise ValueError(f"The call {call!r} is illegal: the auction has closed.")
            choice = ", ".join(word for word in CALLS if word in self.legal())
            raise ValueError(f"The call {call!r} is illegal: position {self.turn} may say {choice}.")
        assert self.turn is not None
        return Auction(self.settings, (*self.said, (self.turn, call)))

    @cached_property
    def outcome(self) -> Outcome | None:
        """What the auction led to, or None while somebody is still to speak."""
        if self.turn is not None:
            return None
        if self.standing is None:
            return Outcome(None, None, None, "passed out")  # row 14, clause 7.4
        if self.proposal_open:
            return Outcome(None, None, None, "thrown in")  # 3.8: the proposer gave up
        return Outcome(self.standing[1], self.standing[0], self.acceptor, "contract")


def auctions(settings: Settings = PAGAT) -> Iterator[tuple[tuple[tuple[int, str], ...], Outcome]]:
    """Every complete auction, with what it led to."""

    def onward(auction: Auction) -> Iterator[tuple[tuple[tuple[int, str], ...], Outcome]]:
        outcome = auction.outcome
        if outcome is not None:
            yield auction.said, outcome
            return
        for call in sorted(auction.legal(), key=CALLS.index):
            yield from onward(auction.say(call))

    yield from onward(Auction(settings))
