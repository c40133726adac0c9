"""The auction (clauses 3.1 to 3.11). It needs no cards: what may be said depends only on what has been said.

Nothing is remembered but the calls themselves, and an auction never changes: a call makes a new one. Who has
passed, what stands, who holds it and who speaks next are read off that list, so no second copy of the state can
drift away from the first.

Other rulesets change the ladder, let everybody speak once only, or move the rights of eldest, of the proposer, of
the acceptor and of the holder; the clauses describe pagat, and each of those keys is named where it acts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from .contracts import PAGAT, RUNGS, Settings, rungs

CALLS = ("PASS", "PROP", "COP", *RUNGS[1:])


class Outcome(NamedTuple):
    """How an auction closed; `contract` "PROP" is an accepted proposal, with the acceptor as `partner`."""

    contract: str | None
    declarer: int | None
    partner: int | None
    ending: str  # "contract", "passed out" or "thrown in"


class Auction:
    """What was said in a deal. `suit` matters only if it is "N", a no-trump round of a cycle."""

    def __init__(
        self, settings: Settings = PAGAT, said: tuple[tuple[int, str], ...] = (), suit: str | None = None
    ) -> None:
        self.settings = settings
        self.keys = settings["auction"]
        self.said = said  # (position, call) in the order made
        self.suit = suit

    @cached_property
    def ladder(self) -> list[str]:
        """The rungs of this deal, low to high (3.1)."""
        return rungs(self.settings, self.suit)

    @cached_property
    def passed(self) -> set[int]:
        """Everybody who has ever passed (clause 3.2)."""
        return {position for position, call in self.said if call == "PASS"}

    @cached_property
    def _rungs_called(self) -> list[tuple[int, str]]:
        """The calls that outbid something, so neither a PASS nor a COP (3.5)."""
        return [(position, call) for position, call in self.said if call not in ("PASS", "COP")]

    @cached_property
    def standing(self) -> tuple[int, str] | None:
        """The highest call and its caller: the latest, as calls only go up (3.3)."""
        return self._rungs_called[-1] if self._rungs_called else None

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
    def live(self) -> set[int]:
        """Who may still bid or propose: who has not passed (3.2).

        An overcalled acceptor is among them (3.6), except where `acceptor_may_raise` is false; the proposer always.
        """
        out = set(self.passed)
        if not self.keys["acceptor_may_raise"]:
            out |= {position for position, call in self.said if call == "COP"} - self.holders
        return {0, 1, 2, 3} - out

    @cached_property
    def proposal_open(self) -> bool:
        """A proposal stands that nobody has accepted or overcalled."""
        return self.standing is not None and self.standing[1] == "PROP" and self.acceptor is None

    @cached_property
    def turn(self) -> int | None:
        """Who speaks next, or None when the auction has closed (3.9)."""
        if self.standing is not None and self.standing[1] == self.ladder[-1] and not self.proposal_open:
            return None  # nothing ranks above it: table row 12
        if self.keys["rounds"] == "one":
            if len(self.said) < 4:
                return len(self.said)  # everybody once, from eldest to the dealer, whatever has been said
            return self._last_word if self.proposal_open else None
        last = self.said[-1][0] if self.said else 3  # eldest opens
        for step in (1, 2, 3, 4):
            position = (last + step) % 4
            if position in self.live and position not in self.holders:
                return position
        # Nobody live is left but the holders, which closes the auction with two exceptions.
        return self._last_word if self.proposal_open else self._second_thoughts

    @cached_property
    def _last_word(self) -> int | None:
        """Who may yet save an open proposal when everybody has been asked (table rows 3 and 4)."""
        assert self.standing is not None
        proposer = self.standing[0]
        eldest_spoke = [position for position, _ in self.said].count(0)
        if self.keys["eldest_cop"] == "pass_keeps_right" and proposer != 0 and eldest_spoke == 1:
            return 0  # 3.7: he can only have passed, and has not been asked since
        if self.keys["unaccepted_prop"] == "throw_in":
            return None
        if self.keys["unaccepted_prop_raise_seats"] == "eldest_only" and proposer != 0:
            return None
        if proposer in self.passed:
            return None
        return proposer  # 3.8: asked once, as a PASS ends his rights and a raise supersedes the proposal

    @cached_property
    def _second_thoughts(self) -> int | None:
        """With `raise_own_call`, the holder of a lone call who is asked whether it is to stand.

        He is asked once in a deal. A PASS lets it stand; if he has raised himself, now or from a proposal that
        nobody accepted, the auction is closed. Holders of an accepted proposal are not asked.
        """
        if not self.keys["raise_own_call"] or self.standing is None or self.standing[1] == "PROP":
            return None
        holder = self.standing[0]
        raised_himself = len(self._rungs_called) > 1 and self._rungs_called[-2][0] == holder
        return None if holder in self.passed or raised_himself else holder

    def legal(self) -> set[str]:
        """What the player on turn may say: rows 1 to 11 of the decision table."""
        turn = self.turn
        if turn is None:
            return set()
        if self.proposal_open and turn in self.passed:
            return {"PASS", "COP"}  # row 3: eldest's privilege, and nothing else (3.7)
        own = turn in self.holders  # row 4, or a lone call that its holder may raise
        lowest = 0 if self.standing is None else self.ladder.index(self.standing[1]) + 1
        calls = {"PASS", *self.ladder[lowest:]}
        if self.standing is not None:
            calls -= {"PROP"}  # 3.4: only as the first call
        takes_abundance = self.standing is not None and self.standing[1] == "ABU" and not own
        if self.keys["abt_call"] == "over_abu_only" and not takes_abundance:
            calls -= {"ABT"}  # 3.10: its one use is to take an abundance from its caller
        if self.proposal_open and own and self.keys["unaccepted_prop_raise_to"] == "solo_only":
            calls &= {"PASS", "SOLO"}
        if self.proposal_open and not own:
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
        return Auction(self.settings, (*self.said, (self.turn, call)), self.suit)

    @cached_property
    def outcome(self) -> Outcome | None:
        """What the auction led to, or None while somebody is still to speak."""
        if self.turn is not None:
            return None
        if self.standing is None:
            return Outcome(None, None, None, "passed out")  # row 14, clause 7.4
        if self.proposal_open:
            return Outcome(None, None, None, "thrown in")  # 3.8: nobody accepted it, and it was not raised
        return Outcome(self.standing[1], self.standing[0], self.acceptor, "contract")


def auctions(
    settings: Settings = PAGAT, suit: str | None = None
) -> Iterator[tuple[tuple[tuple[int, str], ...], Outcome]]:
    """Every complete auction, with what it led to. `suit` matters only if it is "N".

    Naming the suit of an abundance is not part of an auction, even where it is named together with the call.
    """

    def onward(auction: Auction) -> Iterator[tuple[tuple[tuple[int, str], ...], Outcome]]:
        outcome = auction.outcome
        if outcome is not None:
            yield auction.said, outcome
            return
        for call in sorted(auction.legal(), key=CALLS.index):
            yield from onward(auction.say(call))

    yield from onward(Auction(settings, (), suit))


def auction_counts(settings: Settings = PAGAT, suit: str | None = None) -> dict[str, int]:
    """How many auctions there are: in all ("total"), by contract, and without one; and how "longest" one is."""
    every = list(auctions(settings, suit))
    ends = Counter(outcome.contract or outcome.ending for _, outcome in every)
    counts = {"total": len(every), "longest": max(len(calls) for calls, _ in every)}
    return counts | {end: ends[end] for end in ("passed out", "thrown in", *rungs(settings, suit))}
