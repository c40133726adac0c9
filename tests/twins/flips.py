"""What notices a flipped key: the engine plays by the flipped set, the witness expects the set as it was.

``python -m tests.twins.flips`` prints the table. A key that nothing notices would be a key that nothing tests.
"""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable

from solo_env.rules import Ruleset, RulesetWarning, load_ruleset
from solo_env.rules.pack import packet_table
from solo_env.table import Table
from tests import rulebook
from tests.playing import contracts_of
from tests.twins.variants import finished

DEALS_OF_EACH, FREE_DEALS = 40, 800

# Set in which the key is live, key and its other value.
FLIPS = (
    ("pagat", "deal.packets=[4,3,3,3]"),
    ("pagat", 'trump.source="second_pack_cut"'),
    ('pagat+trump.source="cycle"', 'trump.cycle=["NT"]'),
    ('pagat+trump.source="fixed"', 'trump.fixed_suit="H"'),
    ("pagat", 'auction.ladder=["PROP","SOLO","ABU","MIS","ABT","OUV","DECL"]'),
    ("pagat", "auction.proposals=false"),
    ("pagat+auction.acceptor_may_raise=false", 'auction.rounds="one"'),
    ("pagat", 'auction.eldest_cop="none"'),
    ("pagat", 'auction.unaccepted_prop="throw_in"'),
    ("pagat", 'auction.unaccepted_prop_raise_to="solo_only"'),
    ("pagat", 'auction.unaccepted_prop_raise_seats="eldest_only"'),
    ("pagat", "auction.acceptor_may_raise=false"),
    ("pagat", "auction.raise_own_call=true"),
    ("pagat", 'auction.abt_call="any_time"'),
    ("pagat", "contract.targets.PC=7"),
    ("pagat", 'contract.decl_trumps="bidder_choice"'),
    ("pagat", "contract.abu_may_choose_turned=false"),
    ("pagat", 'contract.abu_suit_time="with_call"'),
    ("pagat", 'contract.leader.MIS="caller"'),
    ("pagat", 'contract.ouv_expose="before_lead"'),
    ("pagat", 'play.stop="never"'),
    ("pagat", 'passout.mode="last_trick"'),
    ('pagat+passout.mode="most_tricks"', "passout.include_unaccepted_prop=true"),
    ('pagat+passout.mode="first_to_five"', 'passout.five_fallback="last_to_four"'),
    ("pagat", "pay.base.MIS=3"),
    ("pagat", "pay.scale=2"),
    ("margin5", "pay.scale_flat_contracts=false"),
    ("pagat", "pay.over.SOLO=1"),
    ("pagat", "pay.under.ABU=1"),
    ("hoyle", "pay.slam_double=[]"),
    ("pagat", "pay.unit=2"),
    ("pagat", 'pay.money="pence"'),
    ("pagat", 'info.turnup_after_pickup="hide"'),
)


def told_by_the_rulebook(before: Ruleset, after: Ruleset) -> bool:
    """Whether the rulebook, told the set as it was, contradicts a game of the flipped set."""
    rng = random.Random(after.name)
    for contract in [*contracts_of(after), ""]:
        for number in range(DEALS_OF_EACH if contract else FREE_DEALS):
            table, trace = finished(after, contract, rng, kind=number % 2 == 0 and contract not in ("", "GM"))
            line = table.record().replace(after.name + "@", before.name + "@", 1)
            try:
                if rulebook.trace(line) != trace:
                    return True
            except ValueError:
                return True
    return False


def told_by_the_exposed_hand(before: Ruleset, after: Ruleset) -> bool:
    """Whether a hand lies open at another moment than the rulebook says."""
    table = Table(after)
    table.deal(1, dealer=0)
    for call in (60, 52, 52, 52):
        table.apply(call)
    line = table.record().replace(after.name + "@", before.name + "@", 1)
    try:
        return (rulebook.replay(line).exposed() is None) != (table.data["exposed_seat"] < 0)
    except ValueError:
        return False  # the rulebook does not take the record at all, which it says itself


def told_by_the_deal(before: Ruleset, after: Ruleset) -> bool:
    """Whether one pack is dealt otherwise."""
    packets = [packet_table(ruleset.deal.packets, 0) for ruleset in (before, after)]
    return packets[0] != packets[1] and _dealt(before) != _dealt(after)


def _dealt(ruleset: Ruleset) -> list[int]:
    table = Table(ruleset)
    table.deal(1, dealer=0)
    return table.data["dealt"].ravel().tolist()


def told_by_the_view(before: Ruleset, after: Ruleset) -> bool:
    """Whether a seat is shown another turned card after trick 1."""

    def shown(ruleset: Ruleset) -> int:
        table = Table(ruleset)
        table.deal(1, dealer=0)
        for call in (55, 52, 52, 52):
            table.apply(call)
        while table.data["n_plays"] < 4:
            table.apply(table.legal_actions()[0])
        return int(table.view(2).turned_card)

    return shown(before) != shown(after)


def told_by_print(before: Ruleset, after: Ruleset) -> bool:
    """Whether an amount is printed otherwise."""
    return before.amount(21) != after.amount(21)


WITNESSES: dict[str, Callable[[Ruleset, Ruleset], bool]] = {
    "the printed amount": told_by_print,
    "the cards dealt": told_by_the_deal,
    "the view of a seat": told_by_the_view,
    "the exposed hand": told_by_the_exposed_hand,
    "the rulebook": told_by_the_rulebook,
}


def witness(base: str, flip: str) -> str | None:
    """Who notices the flip first; None if nobody does."""
    before, after = load_ruleset(base), load_ruleset(f"{base}+{flip}")
    for name, notices in WITNESSES.items():
        if notices(before, after):
            return name
    return None


if __name__ == "__main__":
    warnings.simplefilter("ignore", RulesetWarning)  # some flips make odd prices on purpose
    print(f"{'set':<38} {'flipped key':<64} noticed by")
    for base, flip in FLIPS:
        print(f"{base:<38} {flip:<64} {witness(base, flip)}")
