"""What notices a flipped key: the engine plays by the flipped set, the witness expects the set as it was.

``python -m tests.twins.flips`` prints the table. A key that nothing notices would be a key that nothing tests.
"""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable

from solo_env import laws
from solo_env.rules import Ruleset, RulesetWarning, load_ruleset
from solo_env.rules.pack import packet_table
from solo_env.table import Table
from tests import lawgames, rulebook
from tests.playing import contracts_of
from tests.twins.variants import finished, played_session, revoking

DEALS_OF_EACH, FREE_DEALS, SESSIONS = 40, 800, 12

BARELY = 'pagat+deal.shuffle="barely"+deal.reshuffle_after="never"'
GOULASH = 'pagat+passout.mode="goulash"'
STACK = 'stack="seats_0_to_3"'
REVOKES = 'hoyle+play.revokes="possible"'

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
    ("pagat", 'deal.shuffle="barely"'),
    ("bga", 'deal.reshuffle_after="never"'),
    ("everything2", 'deal.reshuffle_after="abu_or_better_bid"'),
    (BARELY, 'deal.gather="piles_by_seat"'),
    (BARELY, 'deal.gather="single_pile"'),
    (BARELY, "deal.cut=false"),
    (GOULASH, f"deal.goulash={{packets=[3,3,3,3,1],{STACK},sort_hands=true,cut=true}}"),
    (GOULASH, 'deal.goulash={packets=[5,3,5],stack="random",sort_hands=true,cut=true}'),
    (GOULASH, f"deal.goulash={{packets=[5,3,5],{STACK},sort_hands=false,cut=true}}"),
    (GOULASH, f"deal.goulash={{packets=[5,3,5],{STACK},sort_hands=true,cut=false}}"),
    ("pagat", 'passout.mode="goulash"'),
    (GOULASH, "passout.include_unaccepted_prop=true"),
    ("pagat", 'deal.dealer_after_passout="same"'),
    ("anna_cubed", 'trump.cycle_advance="every_deal"'),
    ("anna_cubed", 'deal.packets="rotating_4_by_deal"'),
    ("pagat", 'play.revokes="possible"'),
    (REVOKES, "laws.revoke_penalty_tricks=2"),
    (REVOKES, "laws.revoke_transfer=true"),
    ("pagat", 'laws.second_prop="s2_ruling"'),
    (BARELY, "laws.shuffle_penalty=2"),
    ("pagat", 'info.memory="table_memory"'),
    ('pagat+info.memory="table_memory"', 'info.last_trick="always"'),
    ('pagat+info.memory="table_memory"', 'info.last_trick="never"'),
)


def told_by_the_rulebook(before: Ruleset, after: Ruleset) -> bool:
    """Whether the rulebook, told the set as it was, contradicts a game of the flipped set."""
    rng = random.Random(after.name)
    for contract in [*contracts_of(after), ""]:
        for number in range(DEALS_OF_EACH if contract else FREE_DEALS):
            table, trace = finished(after, contract, rng, kind=number % 2 == 0 and contract not in ("", "GM"))
            line = renamed(table.record(), before, after)
            try:
                if rulebook.trace(line) != trace:
                    return True
            except ValueError:
                return True
    return False


def renamed(line: str, before: Ruleset, after: Ruleset) -> str:
    """A record of the flipped set as if it were one of the set before."""
    return line.replace(after.name + "@", before.name + "@", 1)


def told_by_revokes(before: Ruleset, after: Ruleset) -> bool:
    """Whether the rulebook pays otherwise for deals in which somebody revoked."""
    if after.play.revokes == "impossible":
        return False
    for seed in range(FREE_DEALS):
        line = renamed(revoking(after, seed)[0].record(), before, after)
        try:
            rulebook.replay(line)
        except ValueError:
            return True
    return False


def told_by_a_session(before: Ruleset, after: Ruleset) -> bool:
    """Whether the rulebook, told the set as it was, contradicts how a session of the flipped set goes on."""
    for seed in range(SESSIONS):
        table, lines, told = played_session(after, seed)
        try:
            result = rulebook.replay_session([renamed(line, before, after) for line in lines])
        except ValueError:
            return True
        if [(deal.pack, deal.dealer) for deal in result.deals] != [(pack, dealer) for pack, dealer, _ in told]:
            return True
        if result.account != list(table.account):
            return True
    return False


def told_by_the_exposed_hand(before: Ruleset, after: Ruleset) -> bool:
    """Whether a hand lies open at another moment than the rulebook says."""
    table = Table(after)
    table.deal(1, dealer=0)
    for call in (60, 52, 52, 52):
        table.apply(call)
    line = renamed(table.record(), before, after)
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
    """Whether a seat is shown another turned card, or other plays, in trick 3 of a solo or a misère."""

    def shown(ruleset: Ruleset, call: int) -> tuple[int, list[int]]:
        table = Table(ruleset)
        table.deal_hands([list(range(seat, 52, 4)) for seat in range(4)], 0)  # the caller's cards stay low
        for action in (call, 52, 52, 52):
            table.apply(action)
        while table.data["n_plays"] < 9:
            table.apply(table.legal_actions()[0])
        view = table.view(2)
        return int(view.turned_card), view.plays.tolist()

    if {before.trump.source, after.trump.source} != {"turn_up"}:
        return False
    return any(shown(before, call) != shown(after, call) for call in (55, 56))


def told_by_a_ruling(before: Ruleset, after: Ruleset) -> bool:
    """Whether a proposal made twice, or a shuffle against the rules, is ruled on otherwise; of keys of the laws."""
    if before.laws == after.laws:
        return False

    def ruled(ruleset: Ruleset, line: str) -> object:
        try:
            return laws.rule(line.replace("hoyle", ruleset.name, 1)).payoff
        except laws.RulingError as error:
            return str(error).replace(ruleset.name, "")

    lines = [lawgames.proposal().line("1:improper_call:2:PROP"), lawgames.solo().line("0:shuffle:D")]
    return any(ruled(before, line) != ruled(after, line) for line in lines)


def told_by_print(before: Ruleset, after: Ruleset) -> bool:
    """Whether an amount is printed otherwise."""
    return before.amount(21) != after.amount(21)


WITNESSES: dict[str, Callable[[Ruleset, Ruleset], bool]] = {
    "the printed amount": told_by_print,
    "the cards dealt": told_by_the_deal,
    "the view of a seat": told_by_the_view,
    "the exposed hand": told_by_the_exposed_hand,
    "a ruling": told_by_a_ruling,
    "the rulebook": told_by_the_rulebook,
    "the rulebook of revokes": told_by_revokes,
    "the rulebook of sessions": told_by_a_session,
}


# Keys that act from deal to deal: the witness to ask first, since the others would look long in vain.
BETWEEN_DEALS = ("deal.", "trump.cycle_advance", 'passout.mode="goulash"', "passout.include_unaccepted_prop")


def witness(base: str, flip: str) -> str | None:
    """Who notices the flip first; None if nobody does."""
    before, after = load_ruleset(base), load_ruleset(f"{base}+{flip}")
    if flip.startswith(BETWEEN_DEALS) and told_by_a_session(before, after):
        return "the rulebook of sessions"
    for name, notices in WITNESSES.items():
        if notices(before, after):
            return name
    return None


if __name__ == "__main__":
    warnings.simplefilter("ignore", RulesetWarning)  # some flips make odd prices on purpose
    print(f"{'set':<38} {'flipped key':<64} noticed by")
    for base, flip in FLIPS:
        print(f"{base:<38} {flip:<64} {witness(base, flip)}")
