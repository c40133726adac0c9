"""What a ruleset is: contracts as a table of rows, the keys that published rulebooks disagree on as data.

A clause becomes a key when two rulebooks differ on it; what all agree on is code. Every key carries its
meaning and its clause (of ``docs/rules.md``) here, once.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from solo_env.cards import N_CARDS, N_SEATS, N_TRICKS


class RulesetError(ValueError):
    """A ruleset that cannot be played; the message says which key is wrong and what would be right."""


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

CONTRACT_NAMES = tuple(row.name for row in CONTRACTS)
CONTRACT_BY_CALL = {row.call: i for i, row in enumerate(CONTRACTS)}
MAX_PRICE = 120  # prices are shown to players as int8


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
        if value not in allowed:
            raise RulesetError(f"{key} is {value!r}; it must be one of {', '.join(map(repr, allowed))}.")
        return str(value)

    return check


def _ladder(key: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or not value:
        raise RulesetError(f"{key} is {value!r}; it must be a list of calls, lowest first.")
    for call in value:
        if call not in CONTRACT_BY_CALL:
            raise RulesetError(
                f"{key} names {call!r}, which is no rung; the rungs are {', '.join(CONTRACT_BY_CALL)}."
            )
    if len(set(value)) != len(value):
        raise RulesetError(f"{key} names a call twice; each rung may stand in it once.")
    for contract in CONTRACTS:
        if contract.call in value and contract.only_over and contract.only_over not in value:
            raise RulesetError(
                f"{key} has {contract.call}, which may only be called over {contract.only_over}; "
                f"add {contract.only_over} or drop {contract.call}."
            )
    return tuple(value)


def _packets(key: str, value: object) -> tuple[int, ...]:
    sizes_ok = isinstance(value, list | tuple) and all(
        isinstance(n, int) and not isinstance(n, bool) and n > 0 for n in value
    )
    if not sizes_ok or sum(value) != N_CARDS // N_SEATS:  # type: ignore[call-overload]
        raise RulesetError(f"{key} is {value!r}; it must be packet sizes that add up to 13 cards a player.")
    return tuple(value)  # type: ignore[arg-type]


def _by_contract(low: int, high: int) -> Any:
    def check(key: str, value: object) -> FrozenTable:
        if not isinstance(value, Mapping):
            raise RulesetError(f"{key} is {value!r}; it must be a table from contracts to whole numbers.")
        for name, number in value.items():
            _known_contract(key, name)
            if not isinstance(number, int) or isinstance(number, bool) or not low <= number <= high:
                raise RulesetError(f"{key}.{name} is {number!r}; it must be a whole number from {low} to {high}.")
        return FrozenTable(value)

    return check


def _leader(key: str, value: object) -> FrozenTable:
    if not isinstance(value, Mapping) or "default" not in value:
        raise RulesetError(f"{key} is {value!r}; it must be a table with a 'default' and contracts.")
    for name, who in value.items():
        if name != "default":
            _known_contract(key, name)
        _choice("eldest", "caller")(f"{key}.{name}", who)
    return FrozenTable(value)


def _known_contract(key: str, name: str) -> None:
    if name not in CONTRACT_NAMES:
        raise RulesetError(f"{key} names {name!r}, which is no contract; they are {', '.join(CONTRACT_NAMES)}.")


def _key(check: Any, clause: str, meaning: str) -> Any:
    return field(metadata={"check": check, "clause": clause, "meaning": meaning})


# --- The keys, by section ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Deal:
    """How the cards are dealt."""

    packets: tuple[int, ...] = _key(_packets, "2.1", "cards a player in each round of the deal")


@dataclass(frozen=True)
class Auction:
    """What may be called."""

    ladder: tuple[str, ...] = _key(_ladder, "3.1", "the calls that outrank each other, lowest first")


@dataclass(frozen=True)
class ContractKeys:
    """What a contract asks."""

    targets: Mapping[str, int] = _key(_by_contract(1, N_TRICKS), "4.1", "tricks the declaring side must take")
    leader: Mapping[str, str] = _key(_leader, "5.1", "who leads to trick 1: eldest or caller")


@dataclass(frozen=True)
class Play:
    """How the tricks are played."""

    stop: str = _key(
        _choice("flat_contracts", "never"), "6.4", "contracts that one trick decides end with it, or never"
    )


@dataclass(frozen=True)
class Pay:
    """What is paid, in whole units between each paying pair."""

    base: Mapping[str, int] = _key(_by_contract(0, MAX_PRICE), "7.2", "the price of the contract")
    over: Mapping[str, int] = _key(_by_contract(0, MAX_PRICE), "7.3", "added for each trick over the target")
    under: Mapping[str, int] = _key(_by_contract(0, MAX_PRICE), "7.3", "added for each trick short of it")


SECTIONS = {"deal": Deal, "auction": Auction, "contract": ContractKeys, "play": Play, "pay": Pay}


@dataclass(frozen=True)
class Ruleset:
    """The rules one table plays by; made by :func:`solo_env.rules.load_ruleset`, never changed.

    ``name`` is the shipped set it is based on, with ``+key=value`` for every key that differs; a record
    writes it, and ``load_ruleset`` reads it back.
    """

    name: str
    title: str
    deal: Deal
    auction: Auction
    contract: ContractKeys
    play: Play
    pay: Pay

    def contracts(self) -> tuple[Contract, ...]:
        """The contracts of the ladder, lowest first."""
        return tuple(CONTRACTS[CONTRACT_BY_CALL[call]] for call in self.auction.ladder)

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
    if not isinstance(title, str) or not title:
        raise RulesetError(f"ruleset {name}: 'title' must be a line of text.")
    for section in raw:
        if section not in SECTIONS:
            raise RulesetError(f"ruleset {name}: unknown key {section!r}; the sections are {', '.join(SECTIONS)}.")
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


def _check_together(ruleset: Ruleset) -> None:
    for contract in ruleset.contracts():
        name = contract.name
        if name not in ruleset.pay.base:
            raise RulesetError(f"pay.base has no price for {name}, which the ladder offers; add pay.base.{name}.")
        if contract.aim == AT_LEAST and name not in ruleset.contract.targets:
            raise RulesetError(f"contract.targets has no target for {name}; add contract.targets.{name}.")
        margin = ruleset.pay.over.get(name, 0) or ruleset.pay.under.get(name, 0)
        if margin and ruleset.stops(contract):
            raise RulesetError(
                f"{name} ends as soon as it is decided, so no trick over or under can be counted; "
                f'set play.stop = "never" or drop {name} from pay.over and pay.under.'
            )
