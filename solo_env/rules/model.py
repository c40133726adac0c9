"""What a ruleset is: contracts as a table of rows, the keys that published rulebooks disagree on as data.

A clause becomes a key when two rulebooks differ on it; what all agree on is code. Every key carries its
meaning and its clause (of ``docs/rules.md``) here, once.
"""

from __future__ import annotations

import dataclasses
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

from solo_env.cards import N_CARDS, N_SEATS, N_TRICKS, SUITS


class RulesetError(ValueError):
    """A ruleset that cannot be played; the message says which key is wrong and what would be right."""


class RulesetWarning(UserWarning):
    """A ruleset that can be played, but in which something is odd."""


# --- Contracts: one row each ---------------------------------------------------------------------------

TURNED, NO_TRUMPS, NAMED = range(3)  # where a contract's trumps come from
AT_LEAST, NO_TRICK = range(2)  # what the declaring side must do


class Contract(NamedTuple):
    """One row of the contract table: what all rulebooks agree on."""

    name: str
    call: str  # the call that bids it; the proposal's contract is named PC, its call PROP
    title: str
    aim: int
    trumps: int
    flat: bool  # one trick decides it, so nothing is paid for the margin and play may stop there
    only_over: str  # the call it may only be made over, "" for none


CONTRACTS = (
    Contract("PC", "PROP", "proposal and acceptance", AT_LEAST, TURNED, False, ""),
    Contract("SOLO", "SOLO", "solo", AT_LEAST, TURNED, False, ""),
    Contract("MIS", "MIS", "misère", NO_TRICK, NO_TRUMPS, True, ""),
    Contract("ABU", "ABU", "abundance", AT_LEAST, NAMED, False, ""),
    Contract("ABT", "ABT", "abundance in trumps", AT_LEAST, TURNED, False, "ABU"),
    Contract("PETIT", "PETIT", "petit slam", AT_LEAST, NAMED, False, ""),
    Contract("OUV", "OUV", "misère ouverte", NO_TRICK, NO_TRUMPS, True, ""),
    Contract("DECL", "DECL", "abundance declared", AT_LEAST, NO_TRUMPS, True, ""),
    Contract("GRAND", "GRAND", "grand slam", AT_LEAST, NAMED, True, ""),
    Contract("RDECL", "RDECL", "royal abundance declared", AT_LEAST, TURNED, True, ""),
)
N_CONTRACTS = len(CONTRACTS)
NO_CONTRACT = -1
PC, SOLO, MIS, ABU, ABT, PETIT, OUV, DECL, GRAND, RDECL = range(N_CONTRACTS)
ABUNDANCE_OR_BETTER = (ABU, ABT, PETIT, OUV, DECL, GRAND, RDECL)  # wherever the ladder puts them (clause 2.5)
GENERAL = N_CONTRACTS  # the general misère: no bid leads to it, nobody declares it
N_CONTRACT_KINDS = N_CONTRACTS + 1
GENERAL_CONTRACT = Contract("GM", "", "general misère", NO_TRICK, NO_TRUMPS, False, "")

CONTRACT_NAMES = tuple(row.name for row in CONTRACTS)
KIND_NAMES = (*CONTRACT_NAMES, "GM")
CONTRACT_BY_CALL = {row.call: i for i, row in enumerate(CONTRACTS)}
MAX_PRICE = 120  # prices are shown to players as int8
MAX_CYCLE = 8
FIVE = 5  # the number of tricks that loses one form of the general misère
GENERAL_FORMS = ("last_trick", "fewest", "first_to_five", "most_tricks")


class FrozenTable(Mapping[str, Any]):
    """A small read-only mapping that hashes, pickles and keeps the order of its keys."""

    def __init__(self, items: Mapping[str, Any]) -> None:
        self._items = tuple(items.items())

    def __getitem__(self, key: str) -> Any:
        return dict(self._items)[key]

    def __iter__(self) -> Iterator[str]:
        return iter(dict(self._items))

    def __len__(self) -> int:
        return len(self._items)

    def __hash__(self) -> int:
        return hash(self._items)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mapping) and dict(self._items) == dict(other)

    def __repr__(self) -> str:
        return repr(dict(self._items))


# --- Checks: each takes the dotted key and the raw value, and returns the value to keep ------------------


def _choice(*allowed: str) -> Any:
    def check(key: str, value: object) -> str:
        if not isinstance(value, str) or value not in allowed:
            raise RulesetError(f"{key} is {value!r}; it must be one of {', '.join(map(repr, allowed))}.")
        return str(value)

    check.choices = allowed  # type: ignore[attr-defined]
    return check


def _yes_or_no(key: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise RulesetError(f"{key} is {value!r}; it must be true or false.")
    return value


def _whole(low: int, high: int) -> Any:
    def check(key: str, value: object) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise RulesetError(f"{key} is {value!r}; it must be a whole number from {low} to {high}.")
        return value

    return check


def _ladder(key: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or not value:
        raise RulesetError(f"{key} is {value!r}; it must be a list of calls, lowest first.")
    for call in value:
        if not isinstance(call, str) or call not in CONTRACT_BY_CALL:
            raise RulesetError(
                f"{key} names {call!r}, which is no rung; the rungs are {', '.join(CONTRACT_BY_CALL)}."
            )
    if len(set(value)) != len(value):
        raise RulesetError(f"{key} names a call twice; each rung may stand in it once.")
    return tuple(value)


ROTATING = ("rotating_4_by_deal", "rotating_4_by_player")


def _packets(key: str, value: object) -> tuple[int, ...] | str:
    if isinstance(value, str) and value in ROTATING:
        return value
    sizes_ok = isinstance(value, list | tuple) and all(
        isinstance(n, int) and not isinstance(n, bool) and n > 0 for n in value
    )
    if not sizes_ok or sum(value) != N_CARDS // N_SEATS:  # type: ignore[call-overload]
        raise RulesetError(
            f"{key} is {value!r}; it must be packet sizes that add up to 13 cards a player, "
            f"or one of {', '.join(map(repr, ROTATING))}."
        )
    return tuple(value)  # type: ignore[arg-type]


NO_TRUMP_ROUND = "NT"


def _cycle(key: str, value: object) -> tuple[str, ...]:
    rounds = (*SUITS, NO_TRUMP_ROUND)
    if not isinstance(value, list | tuple) or not 1 <= len(value) <= MAX_CYCLE:
        raise RulesetError(f"{key} is {value!r}; it must be a list of 1 to {MAX_CYCLE} of {', '.join(rounds)}.")
    for name in value:
        if not isinstance(name, str) or name not in rounds:
            raise RulesetError(f"{key} names {name!r}; it must be one of {', '.join(rounds)}.")
    return tuple(value)


def _contracts(key: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list | tuple):
        raise RulesetError(f"{key} is {value!r}; it must be a list of contracts.")
    for name in value:
        _known_contract(key, name)
    if len(set(value)) != len(value):
        raise RulesetError(f"{key} names a contract twice; each may stand in it once.")
    return tuple(value)


def _by_contract(low: int, high: int, default: int | None = None) -> Any:
    """A table of whole numbers; what says only the default is dropped, so that equal rules are equal."""

    def check(key: str, value: object) -> FrozenTable:
        if not isinstance(value, Mapping):
            raise RulesetError(f"{key} is {value!r}; it must be a table from contracts to whole numbers.")
        for name, number in value.items():
            _known_contract(key, name)
            _whole(low, high)(f"{key}.{name}", number)
        return FrozenTable({name: number for name, number in value.items() if number != default})

    return check


def _leader(key: str, value: object) -> FrozenTable:
    if not isinstance(value, Mapping) or "default" not in value:
        raise RulesetError(f"{key} is {value!r}; it must be a table with a 'default' and contracts.")
    for name, who in value.items():
        if name != "default":
            _known_contract(key, name)
        _choice("eldest", "caller")(f"{key}.{name}", who)
    usual = value["default"]
    return FrozenTable({name: who for name, who in value.items() if name == "default" or who != usual})


_GOULASH: dict[str, Any] = {
    "packets": _packets,
    "stack": _choice("seats_0_to_3", "random"),
    "sort_hands": _yes_or_no,
    "cut": _yes_or_no,
}


def _goulash(key: str, value: object) -> FrozenTable:
    if not isinstance(value, Mapping) or set(value) != set(_GOULASH):
        raise RulesetError(f"{key} is {value!r}; it must be a table of {', '.join(_GOULASH)}.")
    return FrozenTable({name: check(f"{key}.{name}", value[name]) for name, check in _GOULASH.items()})


def _known_contract(key: str, name: object) -> None:
    if not isinstance(name, str) or name not in CONTRACT_NAMES:
        raise RulesetError(f"{key} names {name!r}, which is no contract; they are {', '.join(CONTRACT_NAMES)}.")


def _key(check: Any, clause: str, meaning: str) -> Any:
    return field(metadata={"check": check, "clause": clause, "meaning": meaning})


# --- The keys, by section ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Deal:
    """How the cards are dealt."""

    packets: tuple[int, ...] | str = _key(_packets, "2.1", "cards a player in each round of the deal")
    shuffle: str = _key(_choice("every_deal", "barely"), "2.5", "when the pack is shuffled")
    reshuffle_after: str = _key(
        _choice("abu_or_better_bid", "abu_or_better_won", "never"),
        "2.5",
        "when a barely shuffled pack is shuffled again",
    )
    gather: str = _key(
        _choice("piles_by_side", "piles_by_seat", "single_pile"),
        "2.5",
        "how tricks are stacked into an unshuffled pack",
    )
    cut: bool = _key(_yes_or_no, "2.5", "whether an unshuffled pack is cut")
    goulash: Mapping[str, Any] = _key(_goulash, "2.6", "the deal after a pass-out")
    dealer_after_passout: str = _key(_choice("next", "same"), "2.7", "who deals after a pass-out")


@dataclass(frozen=True)
class Trump:
    """Where the deal's suit comes from."""

    source: str = _key(
        _choice("turn_up", "second_pack_cut", "cycle", "fixed"), "2.8", "what gives the suit of the deal"
    )
    cycle: tuple[str, ...] = _key(_cycle, "2.8", "the rounds of a cycle; NT is a round without trumps")
    cycle_advance: str = _key(_choice("every_deal", "played_deals"), "2.8", "when the cycle moves on")
    fixed_suit: str = _key(_choice(*SUITS), "2.8", "the suit of every deal where it is fixed")
    nt_round: str = _key(
        _choice("pc_and_solo_at_nt"), "2.9", "a no-trump round: turned-suit contracts play without trumps"
    )


@dataclass(frozen=True)
class Auction:
    """What may be called."""

    ladder: tuple[str, ...] = _key(_ladder, "3.1", "the calls that outrank each other, lowest first")
    proposals: bool = _key(_yes_or_no, "3.4", "whether there are proposals; without them PROP leaves the ladder")
    rounds: str = _key(_choice("until_closed", "one"), "3.2", "how long the auction goes round")
    eldest_cop: str = _key(_choice("pass_keeps_right", "none"), "3.7", "whether eldest may accept after passing")
    unaccepted_prop: str = _key(
        _choice("raise_or_throw_in", "throw_in"), "3.8", "what becomes of a proposal nobody accepts"
    )
    unaccepted_prop_raise_to: str = _key(
        _choice("any_higher", "solo_only"), "3.8", "how far its proposer may raise"
    )
    unaccepted_prop_raise_seats: str = _key(_choice("any", "eldest_only"), "3.8", "which proposer may raise")
    acceptor_may_raise: bool = _key(_yes_or_no, "3.6", "whether an overcalled acceptor may call again")
    raise_own_call: bool = _key(_yes_or_no, "3.6", "whether the holder of a single call is asked once to raise it")
    abt_call: str = _key(_choice("over_abu_only", "any_time"), "3.10", "when abundance in trumps may be called")


@dataclass(frozen=True)
class ContractKeys:
    """What a contract asks."""

    targets: Mapping[str, int] = _key(_by_contract(1, N_TRICKS), "4.1", "tricks the declaring side must take")
    decl_trumps: str = _key(
        _choice("none", "bidder_choice", "turned_suit"), "4.4", "the trumps of abundance declared"
    )
    abu_may_choose_turned: bool = _key(_yes_or_no, "4.2", "whether abundance may name the deal's suit")
    abu_suit_time: str = _key(_choice("after_auction", "with_call"), "4.2", "when abundance names its trumps")
    leader: Mapping[str, str] = _key(_leader, "5.1", "who leads to trick 1: eldest or caller")
    ouv_expose: str = _key(_choice("after_trick_1", "before_lead"), "5.3", "when the ouverte hand is exposed")


@dataclass(frozen=True)
class Play:
    """How the tricks are played."""

    stop: str = _key(
        _choice("flat_contracts", "never"), "6.4", "contracts that one trick decides end with it, or never"
    )
    revokes: str = _key(_choice("impossible", "possible"), "6.5", "whether a seat may fail to follow")


@dataclass(frozen=True)
class PassOut:
    """What happens when nobody bids."""

    mode: str = _key(
        _choice("throw_in", "goulash", "last_trick", "fewest", "first_to_five", "most_tricks"),
        "7.4",
        "thrown in, a general misère, or a goulash for the next deal",
    )
    include_unaccepted_prop: bool = _key(
        _yes_or_no, "7.4", "whether an unaccepted proposal counts as nobody bidding"
    )
    tie: str = _key(_choice("pay_each_tied"), "7.6", "fewest tricks, tied: all others pay each of them")
    five_fallback: str = _key(
        _choice("first_to_four", "last_to_four", "all_with_four"), "7.7", "who pays when nobody reaches five"
    )


@dataclass(frozen=True)
class Pay:
    """What is paid, in whole units between each paying pair."""

    base: Mapping[str, int] = _key(_by_contract(0, MAX_PRICE), "7.2", "the price of the contract")
    scale: int = _key(_whole(1, MAX_PRICE), "7.2", "all prices of contracts times this")
    scale_flat_contracts: bool = _key(_yes_or_no, "7.2", "whether contracts without a margin scale too")
    over: Mapping[str, int] = _key(_by_contract(0, MAX_PRICE, 0), "7.3", "added for each trick over the target")
    under: Mapping[str, int] = _key(_by_contract(0, MAX_PRICE, 0), "7.3", "added for each trick short of it")
    slam_double: tuple[str, ...] = _key(
        _contracts, "7.3", "contracts whose tricks over count double when all 13 are taken"
    )
    unit: int = _key(_whole(1, 1000), "7.2", "every payment times this")
    money: str = _key(_choice("units", "pence"), "7.2", "how amounts are printed")


@dataclass(frozen=True)
class Info:
    """What may be known."""

    turnup_visible: str = _key(_choice("until_trick_1_complete"), "2.3", "how long the turned card lies face up")
    turnup_after_pickup: str = _key(
        _choice("keep", "hide"), "8.4", "whether the turned card stays known after trick 1"
    )
    last_trick: str = _key(
        _choice("except_misere", "always", "never"), "8.4", "whether the table's memory holds the last trick"
    )
    memory: str = _key(_choice("perfect_recall", "table_memory"), "8.4", "how much of the past is shown")


@dataclass(frozen=True)
class Laws:
    """What irregularities cost."""

    revoke_penalty_tricks: int = _key(_whole(0, N_TRICKS), "9.1", "tricks off the revoking side")
    revoke_transfer: bool = _key(_yes_or_no, "9.1", "whether they go to the other side")
    second_prop: str = _key(_choice("illegal", "s2_ruling"), "9.2", "how a second proposal is ruled (in rulings)")
    shuffle_penalty: int = _key(_whole(0, MAX_PRICE), "9.3", "units for a wrongful shuffle (in rulings)")


SECTIONS = {
    "deal": Deal,
    "trump": Trump,
    "auction": Auction,
    "contract": ContractKeys,
    "play": Play,
    "passout": PassOut,
    "pay": Pay,
    "info": Info,
    "laws": Laws,
}


@dataclass(frozen=True)
class Ruleset:
    """The rules one table plays by; made by :func:`solo_env.rules.load_ruleset`, never changed.

    ``name`` is the shipped set it is based on, with ``+key=value`` for every key that differs; a record
    writes it, and ``load_ruleset`` reads it back.
    """

    name: str
    title: str = field(compare=False)  # two files that say the same are one ruleset
    deal: Deal
    trump: Trump
    auction: Auction
    contract: ContractKeys
    play: Play
    passout: PassOut
    pay: Pay
    info: Info
    laws: Laws

    @cached_property
    def _hash(self) -> int:
        sections = tuple(getattr(self, section) for section in SECTIONS)
        return hash((self.name, sections))

    def __hash__(self) -> int:
        """Worked out once: a ruleset is looked up whenever a table is made."""
        return self._hash

    def __getstate__(self) -> dict[str, Any]:
        """Everything but the hash, which is another in another process."""
        return {name: value for name, value in self.__dict__.items() if name != "_hash"}

    def ladder(self) -> tuple[str, ...]:
        """The calls on offer, lowest first (without proposals, PROP is none of them)."""
        return tuple(call for call in self.auction.ladder if call != "PROP" or self.auction.proposals)

    def contracts(self) -> tuple[Contract, ...]:
        """The contracts on offer, lowest first."""
        return tuple(CONTRACTS[CONTRACT_BY_CALL[call]] for call in self.ladder())

    def trumps_of(self, contract: Contract) -> int:
        """Where a contract's trumps come from: ``TURNED``, ``NO_TRUMPS`` or ``NAMED``."""
        if contract.name != "DECL":
            return contract.trumps
        return {"none": NO_TRUMPS, "bidder_choice": NAMED, "turned_suit": TURNED}[self.contract.decl_trumps]

    def price_of(self, contract: Contract) -> int:
        """The price of a contract between a paying pair, before ``pay.unit``."""
        scaled = not contract.flat or self.pay.scale_flat_contracts
        return int(self.pay.base.get(contract.name, 0)) * (self.pay.scale if scaled else 1)

    def general_price(self) -> int:
        """What a general misère is played for: the price of a solo (clause 7.5)."""
        return self.price_of(CONTRACTS[SOLO]) if "SOLO" in self.pay.base else 1

    def lone_solo(self) -> int:
        """What the caller of a solo wins in all with the tricks he asked, in units: the size of a usual payoff."""
        return (N_SEATS - 1) * max(1, self.general_price()) * self.pay.unit

    def has_general(self) -> bool:
        """Whether a general misère is played when nobody bids."""
        return self.passout.mode in GENERAL_FORMS

    def amount(self, units: int) -> str:
        """Units as they are printed: "+3", or "+1s 9d" and "-£1 0s 6d" where the set counts in pence."""
        if self.pay.money == "units":
            return f"{units:+d}" if units else "0"
        pounds, pence = divmod(abs(units), 240)
        shillings, pence = divmod(pence, 12)
        parts = [f"£{pounds}"] if pounds else []
        parts += [f"{shillings}s"] if shillings or pounds else []
        parts += [f"{pence}d"] if pence or not (shillings or pounds) else []
        return ("-" if units < 0 else "+" if units else "") + " ".join(parts)

    def payoff(
        self, contract: str, sides: Sequence[int], tricks: Sequence[int], winners: Sequence[int] = ()
    ) -> tuple[int, ...]:
        """The units that every seat wins; pure, and written from the clauses, apart from the engine's kernels.

        Args:
            contract: its name ("PC", "SOLO", ..., or "GM" for a general misère).
            sides: the seats of the declaring side, the declarer first; empty for a general misère.
            tricks: tricks won by each of the four seats.
            winners: who won each trick, in order; needed for a general misère only.

        Raises:
            RulesetError: a contract that the set does not have, or sides and tricks that cannot be.
        """
        taken = _check_tricks(tricks)
        if contract == "GM":
            if not self.has_general():
                raise RulesetError(f"{self.name} plays no general misère: passout.mode is {self.passout.mode!r}.")
            _check_winners(winners, taken)
            if len(sides):
                raise RulesetError("a general misère has no declaring side; give no sides.")
            losses = _general_payers(self, taken, list(winners))
            price = self.general_price() * self.pay.unit
            return tuple(price * loss for loss in losses)
        if contract not in [row.name for row in self.contracts()]:
            raise RulesetError(f"{self.name} has no contract {contract!r}.")
        row = CONTRACTS[CONTRACT_NAMES.index(contract)]
        n_sides = 2 if contract == "PC" else 1
        given: Any = sides
        seats_ok = isinstance(given, Sequence) and len(sides) == n_sides == len(set(map(repr, sides)))
        if not seats_ok or not all(type(seat) is int and 0 <= seat < N_SEATS for seat in sides):
            who = "two different seats" if contract == "PC" else "one seat"
            raise RulesetError(f"the sides are {sides!r}; {contract} is declared by {who} from 0 to 3.")
        if not self.stops(row) and sum(taken) != N_TRICKS:
            raise RulesetError(f"the tricks {taken} do not add up to 13, and {contract} is played right out.")
        amount = self._pair_amount(row, sum(taken[seat] for seat in sides)) * self.pay.unit
        share = 1 if len(sides) > 1 else N_SEATS - 1  # a lone declarer settles with all three (clause 7.1)
        return tuple(amount * share if seat in sides else -amount for seat in range(N_SEATS))

    def _pair_amount(self, row: Contract, taken: int) -> int:
        price = self.price_of(row)
        if row.aim == NO_TRICK:
            return price if taken == 0 else -(price + taken * int(self.pay.under.get(row.name, 0)))
        margin = taken - self.contract.targets[row.name]
        if margin < 0:
            return -(price - margin * self.pay.under.get(row.name, 0))
        double = 2 if taken == N_TRICKS and row.name in self.pay.slam_double else 1
        return int(price + double * margin * self.pay.over.get(row.name, 0))

    def leader_of(self, contract: str) -> str:
        """Who leads to trick 1 of a contract: "eldest" or "caller"."""
        leaders = self.contract.leader
        return leaders.get(contract, leaders["default"])

    def stops(self, contract: Contract) -> bool:
        """Whether play ends with the trick that decides the contract (clause 6.4)."""
        return contract.flat and self.play.stop == "flat_contracts"

    def items(self) -> list[tuple[str, Any, str, str]]:
        """Every key as (dotted name, value, clause, meaning), in the order of the file."""
        rows = []
        for name, section in SECTIONS.items():
            for f in dataclasses.fields(section):
                value = getattr(getattr(self, name), f.name)
                rows.append((f"{name}.{f.name}", value, f.metadata["clause"], f.metadata["meaning"]))
        return rows


def build_ruleset(name: str, raw: Mapping[str, Any]) -> Ruleset:
    """Check a raw nested mapping (as TOML gives it) and freeze it.

    Raises:
        RulesetError: an unknown or missing key, a bad value, or values that do not fit together.
    """
    raw = dict(raw)
    title = raw.pop("title", None)
    if not isinstance(title, str) or not title or not title.isprintable():
        raise RulesetError(f"ruleset {name}: 'title' must be a line of printable text.")
    for section in raw:
        if section not in SECTIONS:
            raise RulesetError(
                f"ruleset {name}: unknown key {section!r}; there are base, title, {', '.join(SECTIONS)}."
            )
    sections = {}
    for section, cls in SECTIONS.items():
        given = raw.get(section, {})
        if not isinstance(given, Mapping):
            raise RulesetError(f"ruleset {name}: {section!r} must be a table of keys.")
        known = {f.name: f for f in dataclasses.fields(cls)}
        for key in given:
            if key not in known:
                raise RulesetError(
                    f"ruleset {name}: unknown key {section}.{key}; "
                    f"{section} has {', '.join(f'{section}.{k}' for k in known)}."
                )
        for key in known:
            if key not in given:
                raise RulesetError(f"ruleset {name}: {section}.{key} is missing.")
        sections[section] = cls(
            **{key: f.metadata["check"](f"{section}.{key}", given[key]) for key, f in known.items()}
        )
    ruleset = Ruleset(name=name, title=title, **sections)
    _check_together(ruleset)
    return ruleset


def _check_tricks(tricks: Any) -> list[int]:
    numbers_ok = isinstance(tricks, Sequence) and all(type(n) is int and n >= 0 for n in tricks)
    if not numbers_ok or len(tricks) != N_SEATS or sum(tricks) > N_TRICKS:
        raise RulesetError(f"the tricks are {tricks!r}; give four whole numbers that add up to 13 at most.")
    return list(tricks)


def _check_winners(winners: Any, tricks: list[int]) -> None:
    listed = isinstance(winners, Sequence) and len(winners) > 0
    if not listed or [list(winners).count(seat) for seat in range(N_SEATS)] != tricks:
        raise RulesetError("the winners of a general misère must be those of its tricks, in order.")
    if len(winners) < N_TRICKS and max(tricks) < FIVE:
        raise RulesetError(f"a general misère of {len(winners)} tricks is not over.")


def _general_payers(ruleset: Ruleset, tricks: list[int], winners: list[int]) -> list[int]:
    """The shares that each seat wins of a general misère (clauses 7.5 to 7.8), summing to zero."""
    mode = ruleset.passout.mode
    if mode == "fewest":
        tied = [seat for seat in range(N_SEATS) if tricks[seat] == min(tricks)]
        return [N_SEATS - len(tied) if seat in tied else -len(tied) for seat in range(N_SEATS)]
    if mode == "last_trick":
        payers = [winners[-1]]
    elif mode == "most_tricks":
        payers = [_reached(winners, max(tricks))[0]]
    elif max(tricks) >= FIVE:
        payers = [_reached(winners, FIVE)[0]]
    else:
        with_four = _reached(winners, FIVE - 1)
        payers = {
            "first_to_four": with_four[:1],
            "last_to_four": with_four[-1:],
            "all_with_four": with_four,
        }[ruleset.passout.five_fallback]
    return [len(payers) - N_SEATS if seat in payers else len(payers) for seat in range(N_SEATS)]


def _reached(winners: list[int], number: int) -> list[int]:
    """The seats that won ``number`` tricks, in the order in which they came to it."""
    counts = [0] * N_SEATS
    order = []
    for seat in winners:
        counts[seat] += 1
        if counts[seat] == number:
            order.append(seat)
    return order


def _check_together(ruleset: Ruleset) -> None:
    ladder, auction = ruleset.ladder(), ruleset.auction
    if not ladder:
        raise RulesetError("auction.ladder offers nothing but PROP, and auction.proposals is false; add a rung.")
    if "ABT" in ladder and auction.abt_call == "over_abu_only" and "ABU" not in ladder:
        raise RulesetError(
            "auction.ladder has ABT, which may only be called over ABU; add ABU, drop ABT or set "
            'auction.abt_call = "any_time".'
        )
    if "ABT" in ladder and auction.abt_call == "over_abu_only" and ladder.index("ABT") < ladder.index("ABU"):
        raise RulesetError("auction.ladder has ABT below ABU, over which alone it may be called; put it above.")
    if auction.rounds == "one" and auction.acceptor_may_raise:
        raise RulesetError(
            'auction.rounds = "one" leaves nobody a second call; set auction.acceptor_may_raise = false.'
        )
    if auction.rounds == "one" and auction.raise_own_call:
        raise RulesetError(
            'auction.rounds = "one" leaves nobody a second call; set auction.raise_own_call = false.'
        )
    if (
        auction.unaccepted_prop_raise_to == "solo_only"
        and "PROP" in ladder
        and "SOLO" not in ladder[ladder.index("PROP") :]
    ):
        raise RulesetError(
            'auction.unaccepted_prop_raise_to = "solo_only" needs SOLO above PROP in auction.ladder; '
            'add it or set "any_higher".'
        )
    for contract in ruleset.contracts():
        _check_contract(ruleset, contract)
    for name in ruleset.pay.slam_double:
        if not ruleset.pay.over.get(name, 0):
            raise RulesetError(f"pay.slam_double names {name}, which has no price in pay.over to double.")
    if isinstance(ruleset.deal.packets, str) and ruleset.trump.source == "turn_up":
        raise RulesetError(
            f'deal.packets = "{ruleset.deal.packets}" goes with concealed trumps; set trump.source to cycle, fixed '
            "or second_pack_cut, or give packets as a list."
        )
    if isinstance(ruleset.deal.goulash["packets"], str) and ruleset.trump.source == "turn_up":
        raise RulesetError(
            "deal.goulash.packets rotates, which goes with concealed trumps; set trump.source to cycle, fixed or "
            "second_pack_cut, or give packets as a list."
        )
    only_nt = ruleset.trump.source == "cycle" and set(ruleset.trump.cycle) == {NO_TRUMP_ROUND}
    if only_nt and all(call in ("ABT", "RDECL") for call in ladder):
        raise RulesetError("nothing could ever be called: every rung needs a suit, and every round is without one.")


def _check_contract(ruleset: Ruleset, contract: Contract) -> None:
    name = contract.name
    if name not in ruleset.pay.base:
        raise RulesetError(f"pay.base has no price for {name}, which the ladder offers; add pay.base.{name}.")
    if ruleset.price_of(contract) > MAX_PRICE:
        raise RulesetError(
            f"the price of {name} is {ruleset.price_of(contract)} after pay.scale; it may be {MAX_PRICE} at most: "
            "use pay.unit to multiply every payment."
        )
    if contract.aim == AT_LEAST and name not in ruleset.contract.targets:
        raise RulesetError(f"contract.targets has no target for {name}; add contract.targets.{name}.")
    if contract.aim == NO_TRICK and name in ruleset.contract.targets:
        raise RulesetError(f"contract.targets.{name}: {name} asks for no trick at all; drop it.")
    if ruleset.stops(contract) and ruleset.contract.targets.get(name, N_TRICKS) != N_TRICKS:
        raise RulesetError(
            f"contract.targets.{name} is {ruleset.contract.targets[name]}, but play stops when it loses a trick; "
            'make it 13 or set play.stop = "never".'
        )
    if contract.aim == NO_TRICK and ruleset.pay.over.get(name, 0):
        raise RulesetError(f"pay.over.{name} prices tricks over the target, and {name} has none; drop it.")
    margin = ruleset.pay.over.get(name, 0) or ruleset.pay.under.get(name, 0)
    if margin and ruleset.stops(contract):
        raise RulesetError(
            f"{name} ends as soon as it is decided, so no trick over or under can be counted; "
            f'set play.stop = "never" or drop {name} from pay.over and pay.under.'
        )


def warn_of_falling_prices(ruleset: Ruleset) -> None:
    """Warn, once for each pair, where a rung pays less than the one below it."""
    rungs = ruleset.contracts()
    for lower, higher in pairwise(rungs):
        if ruleset.price_of(higher) < ruleset.price_of(lower):
            warnings.warn(
                f"ruleset {ruleset.name}: {higher.name} outranks {lower.name} and pays less "
                f"({ruleset.price_of(higher)} against {ruleset.price_of(lower)}).",
                RulesetWarning,
                stacklevel=4,
            )
