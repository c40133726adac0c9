"""What each contract promises and pays, and every choice of rules that bears on a deal or on the deal after it.

Whatever published rulebooks disagree about is a key of a ruleset, never a number in the code that reads it. PAGAT
is the ruleset of docs/rules.md; the others of RULESETS are the same table with some keys changed. Keys that act on
nothing but what a seat is shown are not kept here.

Contract codes are those of the calls, with two more: "PROP" is an accepted proposal, whose keys are written PC, and
"GM" is a general misère, played when nobody has bid.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from copy import deepcopy
from typing import Any

Settings = dict[str, Any]

PAGAT: Settings = {
    "auction": {
        # Low to high. COP is absent on purpose: accepting a proposal outbids nothing (clause 3.5).
        "ladder": ["PROP", "SOLO", "MIS", "ABU", "ABT", "OUV", "DECL"],
        "proposals": True,
        "rounds": "until_closed",
        "eldest_cop": "pass_keeps_right",
        "unaccepted_prop": "raise_or_throw_in",
        "unaccepted_prop_raise_to": "any_higher",
        "unaccepted_prop_raise_seats": "any",
        "acceptor_may_raise": True,
        "raise_own_call": False,
        "abt_call": "over_abu_only",
    },
    "contract": {
        # Tricks to take (clause 4.1), for PC by both partners together. The misères must take none.
        "targets": {"PC": 8, "SOLO": 5, "ABU": 9, "ABT": 9, "PETIT": 12, "GRAND": 13, "DECL": 13, "RDECL": 13},
        "decl_trumps": "none",
        "abu_may_choose_turned": True,
        "abu_suit_time": "after_auction",
        # Who leads to the first trick (clause 5.1): "eldest" whoever called, or the "caller".
        "leader": {"default": "eldest", "DECL": "caller", "GRAND": "caller", "RDECL": "caller"},
        "ouv_expose": "after_trick_1",
    },
    "deal": {
        # Cards a player gets in each round (clause 2.1), or the name of a rotation of one four and three threes.
        "packets": [3, 3, 3, 3, 1],
        # When the pack is shuffled, and how it is picked up where it is not (clause 2.5).
        "shuffle": "every_deal",
        "reshuffle_after": "abu_or_better_bid",
        "gather": "piles_by_side",
        "cut": True,
        # The deal after one that nobody bid on, with passout.mode "goulash" (clause 2.6).
        "goulash": {"packets": [5, 3, 5], "stack": "seats_0_to_3", "sort_hands": True, "cut": True},
        "dealer_after_passout": "next",
    },
    "trump": {
        "source": "turn_up",
        "cycle": ["H", "C", "D", "S"],
        "cycle_advance": "every_deal",
        "fixed_suit": "S",
        "nt_round": "pc_and_solo_at_nt",
    },
    "passout": {
        "mode": "throw_in",
        "include_unaccepted_prop": False,
        "tie": "pay_each_tied",
        "five_fallback": "first_to_four",
    },
    # Units per paying pair (clauses 7.1 to 7.3), and per trick over or under the target; unlisted is none.
    "pay": {
        "base": {"PC": 1, "SOLO": 1, "MIS": 2, "ABU": 3, "ABT": 3, "OUV": 4, "DECL": 6},
        "over": {},
        "under": {},
        "slam_double": [],
        "scale_flat_contracts": True,
        "unit": 1,
    },
    "play": {"stop": "flat_contracts", "revokes": "impossible"},
    # What a revoke costs (clause 9.1). The other two are kept for their names: in no game that a record can tell
    # does anybody propose second or shuffle wrongly.
    "laws": {"revoke_penalty_tricks": 3, "revoke_transfer": False, "second_prop": "illegal", "shuffle_penalty": 1},
}

# Every rung that a ladder may have, in the order in which a choice of calls is printed.
RUNGS = ["PROP", "SOLO", "MIS", "ABU", "ABT", "PETIT", "OUV", "DECL", "GRAND", "RDECL"]

GENERAL_MISERES = ["last_trick", "fewest", "first_to_five", "most_tricks"]

# "Abundance or better", wherever the ladder puts them (clause 2.5).
ABU_OR_BETTER = ["ABU", "ABT", "PETIT", "OUV", "DECL", "GRAND", "RDECL"]

# Packets that are not the same for every player or every deal (clause 2.1).
ROTATIONS = ["rotating_4_by_deal", "rotating_4_by_player"]

# What a key may be set to; keys that are not listed hold lists, tables, numbers or true and false.
CHOICES = {
    "auction.rounds": ["until_closed", "one"],
    "auction.eldest_cop": ["pass_keeps_right", "none"],
    "auction.unaccepted_prop": ["raise_or_throw_in", "throw_in"],
    "auction.unaccepted_prop_raise_to": ["any_higher", "solo_only"],
    "auction.unaccepted_prop_raise_seats": ["any", "eldest_only"],
    "auction.abt_call": ["over_abu_only", "any_time"],
    "contract.decl_trumps": ["none", "bidder_choice", "turned_suit"],
    "contract.abu_suit_time": ["after_auction", "with_call"],
    "contract.ouv_expose": ["after_trick_1", "before_lead"],
    "deal.shuffle": ["every_deal", "barely"],
    "deal.reshuffle_after": ["abu_or_better_bid", "abu_or_better_won", "never"],
    "deal.gather": ["piles_by_side", "piles_by_seat", "single_pile"],
    "deal.dealer_after_passout": ["next", "same"],
    "trump.source": ["turn_up", "second_pack_cut", "cycle", "fixed"],
    "trump.cycle_advance": ["every_deal", "played_deals"],
    "trump.nt_round": ["pc_and_solo_at_nt"],
    "passout.mode": ["throw_in", "goulash", *GENERAL_MISERES],
    "passout.tie": ["pay_each_tied"],
    "passout.five_fallback": ["first_to_four", "last_to_four", "all_with_four"],
    "play.stop": ["flat_contracts", "never"],
    "play.revokes": ["impossible", "possible"],
    "laws.second_prop": ["illegal", "s2_ruling"],
}

# The section whose keys cannot alter what is dealt, called, played or paid.
ELSEWHERE = ["info"]


# What a contract is.


def _key(contract: str) -> str:
    """The name of a contract in the tables of a ruleset."""
    return "PC" if contract == "PROP" else contract


def rungs(settings: Settings, suit: str | None = None) -> list[str]:
    """The ladder of a deal, low to high; `suit` is "N" in the no-trump round of a cycle.

    Without proposals the lowest rung is gone. In a no-trump round so are the calls that need the deal's own suit.
    """
    gone = set() if settings["auction"]["proposals"] else {"PROP"}
    if suit == "N":
        gone |= {"ABT", "RDECL"}
    return [call for call in settings["auction"]["ladder"] if call not in gone]


def trump_rule(contract: str, settings: Settings = PAGAT) -> str:
    """Where trumps come from (clause 4.1): "turned", the suit of the deal; "named" by the caller; or "none"."""
    if contract == "DECL":
        return {"none": "none", "bidder_choice": "named", "turned_suit": "turned"}[
            settings["contract"]["decl_trumps"]
        ]
    if contract in ("MIS", "OUV", "GM"):
        return "none"
    return "named" if contract in ("ABU", "PETIT", "GRAND") else "turned"


def leads(contract: str, settings: Settings = PAGAT) -> str:
    """Who leads to the first trick (clause 5.1): "eldest", or the "caller"."""
    if contract == "GM":
        return "eldest"  # there is no caller
    leader = settings["contract"]["leader"]
    choice: str = leader.get(_key(contract), leader["default"])
    return choice


def stops(contract: str, settings: Settings = PAGAT) -> str | None:
    """What ends a contract before the thirteenth trick (clause 6.4): the caller "takes" or "loses" one.

    A trick with a revoke in it ends a misère as well (clause 6.5), whatever this says.
    """
    if settings["play"]["stop"] == "never":
        return None
    if contract in ("MIS", "OUV"):
        return "takes"
    return "loses" if contract in ("DECL", "GRAND", "RDECL") else None


def shown_after(contract: str, settings: Settings = PAGAT) -> int | None:
    """How many tricks are complete when the caller's hand is laid open (clause 5.3); None if it never is."""
    if contract != "OUV":
        return None
    return 0 if settings["contract"]["ouv_expose"] == "before_lead" else 1


def _target(contract: str, settings: Settings) -> int:
    tricks: int = 0 if contract in ("MIS", "OUV") else settings["contract"]["targets"][_key(contract)]
    return tricks


def made(contract: str, tricks: int, settings: Settings = PAGAT) -> bool:
    """Whether the declaring side, having taken `tricks`, kept its promise (clause 4.1)."""
    target = _target(contract, settings)
    return tricks <= target if contract in ("MIS", "OUV") else tricks >= target


def won(
    contract: str,
    declarer: int,
    partner: int | None,
    tricks: Sequence[int],
    settings: Settings = PAGAT,
    revokes: Sequence[int] = (),
) -> bool:
    """Whether the declaring side won the contract, `revokes` being who revoked, once for each time (clause 9.1).

    A side that revoked cannot win, so the others' revoke wins it, whatever the tricks. Where both revoked, neither
    side has won.
    """
    side = _side(declarer, partner)
    if any(position in side for position in revokes):
        return False
    return bool(revokes) or made(contract, sum(tricks[position] for position in side), settings)


def payment(
    contract: str,
    declarer: int,
    partner: int | None,
    tricks: Sequence[int],
    settings: Settings = PAGAT,
    revokes: Sequence[int] = (),
) -> list[int]:
    """Money won by each position, from the tricks each position took (clauses 7.1 to 7.3).

    `revokes` is who revoked, once for each time and in that order (clause 9.1). The declaring side loses what its
    revokes take off its tricks; a revoke of the others makes them pay what its tricks are worth if it had made the
    contract, and the offender pays for all of them. Revokes on both sides void the deal.
    """
    side = _side(declarer, partner)
    others = [position for position in range(4) if position not in side]
    own_revokes = [position for position in revokes if position in side]
    their_revokes = [position for position in revokes if position in others]
    if own_revokes and their_revokes:
        return [0, 0, 0, 0]

    name = _key(contract)
    pay, laws = settings["pay"], settings["laws"]
    base, over, under = pay["base"][name], pay["over"].get(name, 0), pay["under"].get(name, 0)
    target = _target(contract, settings)
    misere = contract in ("MIS", "OUV")
    taken = sum(tricks[position] for position in side)
    penalty = 0 if misere else laws["revoke_penalty_tricks"]

    # What each paying pair exchanges: received by the declaring side, or paid if it is negative.
    if won(contract, declarer, partner, tricks, settings, revokes):
        counted = min(13, taken + penalty * len(their_revokes)) if laws["revoke_transfer"] else taken
        slam = taken == 13 and name in pay["slam_double"]
        above = 0 if misere else max(0, counted - target)
        amount = base + over * above * (2 if slam else 1)
    else:
        counted = max(0, taken - penalty * len(own_revokes))
        below = counted if misere else max(0, target - counted)
        amount = -(base + under * below)
    amount *= pay["unit"]

    # A lone caller settles with each of three opponents; partners settle with one opponent each.
    each = amount * (4 - len(side)) // len(side)
    paid = [each if position in side else -amount for position in range(4)]
    if their_revokes:
        innocent = [position for position in others if position not in their_revokes]
        for position in innocent:
            paid[position] = 0
        paid[their_revokes[0]] -= amount * len(innocent)  # he who revoked first
    return paid


def _side(declarer: int, partner: int | None) -> set[int]:
    return {declarer} if partner is None else {declarer, partner}


def general_misere(winners: Sequence[int], settings: Settings, revokes: Sequence[int] = ()) -> list[int]:
    """Money won by each position in a general misère, from who took each trick in turn (clauses 7.5 to 7.8).

    The stake is the price of a solo. Each loser pays it to each of the others; where the fewest tricks win, each
    of the others pays it to each winner. In every form, if anybody revoked, those who did are the losers (9.1).
    """
    stake = settings["pay"]["base"].get("SOLO", 1) * settings["pay"]["unit"]
    mode = settings["passout"]["mode"]
    totals = [list(winners).count(position) for position in range(4)]

    def reached(number: int) -> list[int]:
        """Who took so many tricks or more, those who got there first standing first."""
        got_there = [
            (when, position)
            for when, position in enumerate(winners)
            if list(winners[: when + 1]).count(position) == number
        ]
        return [position for _, position in got_there]

    if revokes:
        return _losers_pay(set(revokes), stake)
    if mode == "fewest":
        best = [position for position in range(4) if totals[position] == min(totals)]
        return [stake * (4 - len(best)) if position in best else -stake * len(best) for position in range(4)]
    if mode == "last_trick":
        losers = [winners[12]]
    elif mode == "most_tricks":
        losers = reached(max(totals))[:1]
    else:
        assert mode == "first_to_five"
        losers = reached(5)  # at most one, as play stops there
        if not losers:
            fours = reached(4)  # somebody has four, since four times three is twelve
            fallback = settings["passout"]["five_fallback"]
            losers = {"first_to_four": fours[:1], "last_to_four": fours[-1:], "all_with_four": fours}[fallback]
    return _losers_pay(set(losers), stake)


def _losers_pay(losers: set[int], stake: int) -> list[int]:
    """Each loser pays the stake to each position that is none."""
    return [-stake * (4 - len(losers)) if position in losers else stake * len(losers) for position in range(4)]


# Rulesets.


def changed(settings: Settings, changes: dict[str, Any]) -> Settings:
    """The same rules but for some keys, given as {"pay.base.MIS": 3}.

    A table is merged into the one that is there, so that it may name only what differs; an empty one clears it.
    """
    new = deepcopy(settings)
    for key, value in changes.items():
        section, *rest = key.split(".")
        if section in ELSEWHERE:
            continue
        path = [section, *rest]
        if section not in PAGAT or len(path) not in (2, 3) or path[1] not in PAGAT[section]:
            raise ValueError(f"The key {key!r} is unknown.")
        if (len(path) == 3 or isinstance(value, dict)) and not isinstance(PAGAT[section][path[1]], dict):
            raise ValueError(f"The key {key!r} is not a table.")
        if len(path) == 3:
            new[section][path[1]][path[2]] = value
        elif isinstance(value, dict) and value:
            new[section][path[1]].update(value)
        else:
            new[section][path[1]] = deepcopy(value)
    check(new)
    return new


def check(settings: Settings) -> None:
    """Refuse settings that the oracle cannot play."""
    for key, choices in CHOICES.items():
        section, word = key.split(".")
        if settings[section][word] not in choices:
            raise ValueError(f"The key {key!r} cannot be {settings[section][word]!r}.")
    _check_deal(settings)
    laws = settings["laws"]
    if not _whole(laws["revoke_penalty_tricks"]) or not 0 <= laws["revoke_penalty_tricks"] <= 13:
        raise ValueError("A revoke takes off a whole number of tricks from 0 to 13.")
    if not _whole(laws["shuffle_penalty"]) or laws["shuffle_penalty"] < 0:
        raise ValueError("A wrongful shuffle costs a whole number of units.")
    if not isinstance(laws["revoke_transfer"], bool):
        raise ValueError("The key 'laws.revoke_transfer' is true or false.")
    ladder = settings["auction"]["ladder"]
    if not ladder or len(set(ladder)) != len(ladder) or not set(ladder) <= set(RUNGS):
        raise ValueError(f"{ladder!r} is not a ladder.")
    pay = settings["pay"]
    for call in rungs(settings):
        if _key(call) not in pay["base"]:
            raise ValueError(f"The contract {_key(call)} has no price.")
        if stops(call, settings) and (pay["over"].get(_key(call)) or pay["under"].get(_key(call))):
            raise ValueError(f"The contract {_key(call)} is not played out, so it cannot pay by the trick.")


def _check_deal(settings: Settings) -> None:
    deal = settings["deal"]
    goulash = deal["goulash"]
    if set(goulash) != set(PAGAT["deal"]["goulash"]):
        raise ValueError(f"A goulash is told by {', '.join(PAGAT['deal']['goulash'])}.")
    if goulash["stack"] not in ("seats_0_to_3", "random"):
        raise ValueError(f"The key 'deal.goulash.stack' cannot be {goulash['stack']!r}.")
    for answer in (deal["cut"], goulash["sort_hands"], goulash["cut"]):
        if not isinstance(answer, bool):
            raise ValueError("Whether hands are sorted and packs are cut is true or false.")
    for packets in (deal["packets"], goulash["packets"]):
        if packets in ROTATIONS:
            if settings["trump"]["source"] == "turn_up":
                raise ValueError("Packets that rotate are for trumps that are not turned up.")
            continue
        sizes = packets if isinstance(packets, list) else []
        if not all(_whole(size) and size > 0 for size in sizes) or sum(sizes) != 13:
            raise ValueError(f"{packets!r} does not deal thirteen cards to each player.")


def _whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def ruleset(text: str) -> Settings:
    """The settings that a name stands for, with changes: "pagat+play.stop="never"+pay.base.MIS=3"."""
    # Values are in TOML, so a plus sign may belong to one; a plus that begins a change is followed by "key =".
    name, *parts = re.split(r"\+(?=[A-Za-z_][\w.]*\s*=)", text)
    if name not in RULESETS:
        raise ValueError(f"The ruleset {name!r} is unknown.")
    changes = {}
    for part in parts:
        key, _, value = part.partition("=")
        try:
            changes[key.strip()] = tomllib.loads(f"value = {value}")["value"]
        except tomllib.TOMLDecodeError as error:
            raise ValueError(f"{part!r} does not set a key to a value.") from error
    return changed(RULESETS[name], changes) if changes else RULESETS[name]


def _margin(solo: int) -> dict[str, Any]:
    """The scheme that pays by the trick: a solo costs `solo`, the rest as many times that as in pagat."""
    return {
        "pay.base": {name: solo * units for name, units in PAGAT["pay"]["base"].items()},
        "pay.over": {"PC": 1, "SOLO": 1, "ABU": 2, "ABT": 2},
        "pay.under": {"PC": 1, "SOLO": 1, "ABU": 1, "ABT": 1},
    }


_ONE_BID_EACH = {
    "auction.rounds": "one",
    "auction.acceptor_may_raise": False,
    "auction.unaccepted_prop_raise_to": "solo_only",
}

_DIFFERENCES: dict[str, dict[str, Any]] = {
    "wikipedia": {"auction.unaccepted_prop": "throw_in"},
    "hoyle": {
        "contract.decl_trumps": "bidder_choice",
        "pay.base": {"PC": 6, "SOLO": 6, "MIS": 12, "ABU": 18, "ABT": 18, "OUV": 24, "DECL": 36},
        "pay.over": {"PC": 1, "SOLO": 1, "ABU": 2, "ABT": 2},
        "pay.under": {"PC": 1, "SOLO": 1, "ABU": 1, "ABT": 1},
        "pay.slam_double": ["PC"],
    },
    "margin4": _margin(4),
    "margin5": _margin(5),
    "margin6": _margin(6),
    "flat": {"pay.base": {"PC": 2, "SOLO": 2, "MIS": 3, "ABU": 4, "ABT": 4, "OUV": 6, "DECL": 8}},
    "straight": {"auction.proposals": False},
    "one_bid_each": _ONE_BID_EACH,
    "morris_fagelson": {**_ONE_BID_EACH, "contract.targets.PC": 7},
    "grand_slam_solo": {
        "auction.proposals": False,
        "auction.ladder": ["SOLO", "MIS", "ABU", "ABT", "PETIT", "OUV", "GRAND"],
        "pay.base": {"SOLO": 1, "MIS": 2, "ABU": 3, "ABT": 3, "PETIT": 4, "OUV": 4, "GRAND": 6},
        "deal.packets": "rotating_4_by_deal",
        "deal.shuffle": "barely",
        "trump.source": "cycle",
    },
    "experienced": {
        "auction.ladder": ["PROP", "SOLO", "ABU", "ABT", "MIS", "DECL", "OUV"],
        "pay.base": {"PC": 1, "SOLO": 1, "ABU": 2, "ABT": 2, "MIS": 3, "DECL": 4, "OUV": 6},
    },
    "bga": {**_margin(5), "deal.shuffle": "barely"},
    "anna_cubed": {
        "deal.packets": "rotating_4_by_player",
        "trump.source": "cycle",
        "trump.cycle": ["H", "C", "D", "S", "NT"],
        "trump.cycle_advance": "played_deals",
    },
    "everything2": {
        "auction.unaccepted_prop_raise_to": "solo_only",
        "auction.abt_call": "any_time",
        "pay.base": {"PC": 10, "SOLO": 10, "MIS": 25, "ABU": 50, "ABT": 60, "OUV": 75, "DECL": 100},
        "pay.over": {"PC": 1, "SOLO": 1},
        "play.stop": "never",
        "deal.shuffle": "barely",
        "deal.reshuffle_after": "abu_or_better_won",
    },
}

RULESETS: dict[str, Settings] = {"pagat": PAGAT} | {
    name: changed(PAGAT, differences) for name, differences in _DIFFERENCES.items()
}
