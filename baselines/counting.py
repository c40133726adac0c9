"""What a seat can know by counting: the facts that every rule of card play asks for, written once a decision."""

from __future__ import annotations

import numpy as np

from baselines.hand_value import wide
from baselines.novice_play import CARDS_OF_SUITS, SUITS_BITS
from solo_env.cards import N_RANKS, N_SEATS, N_TRICKS, NO_CARD, PACK
from solo_env.engine._jit import kernel
from solo_env.engine.bits import popcount, suit_cards
from solo_env.engine.observe import honest_cards
from solo_env.engine.sampling import proven_voids
from solo_env.engine.state import NO_TRUMP, NOBODY
from solo_env.engine.tricks import beats
from solo_env.rules.model import N_CONTRACTS, NO_TRICK

# The fields of the record ``facts``, whole numbers all. In kernels, the references to an array would be counted.
HAND = "hand"  # the observer's cards
LEGAL = "legal"  # those it may play, revokes left out
UNSEEN = "unseen"  # cards that somebody else still holds
MAY_HOLD = "may_hold"  # what each seat may still hold, by relative seat: [4], the first unused
TRUMP = "trump"  # the suit, NO_TRUMP for none
ROLE = "role"
PLACE = "place"  # how many have played to the trick
LED = "led"  # the suit led, -1 on lead
BEST = "best"  # the card that wins so far
OURS = "ours"  # 1 if it is of one's own side
CALLER = "caller"  # the declarer's relative seat, 0 where nobody declares
FOES = "foes"  # bit a relative seat: the other side
FRIENDS = "friends"  # bit a relative seat: one's own side without oneself
FOE_CARDS = "foe_cards"  # what some seat of the other side may hold
FRIEND_CARDS = "friend_cards"
FOES_TO_COME = "foes_to_come"  # bit a seat
FRIENDS_TO_COME = "friends_to_come"
NEED = "need"  # tricks that one's own side still needs for its aim, 0 or less when it has it
FOES_NEED = "foes_need"
FRIENDS_LED = "friends_led"  # bit a suit: led by a seat of one's own side before
FOES_LED = "foes_led"
EXPOSED = "exposed"  # 1 if the caller's hand lies face up
_NUMBERS = (
    HAND, LEGAL, UNSEEN, TRUMP, ROLE, PLACE, LED, BEST, OURS, CALLER, FOES, FRIENDS, FOE_CARDS, FRIEND_CARDS,
    FOES_TO_COME, FRIENDS_TO_COME, NEED, FOES_NEED, FRIENDS_LED, FOES_LED, EXPOSED,
)  # fmt: skip
FACTS = np.dtype([(MAY_HOLD, np.int64, N_SEATS), *((name, np.int64) for name in _NUMBERS)])

# Whose game it is. The first four play for tricks.
ALONE, AGAINST_ONE, PARTNERS, AGAINST_PARTNERS, LONG, AGAINST_LONG, DUCKS, AGAINST_MISERE, GENERAL_MISERE = range(9)
MOST = 9  # tricks asked of one seat: from an abundance on he draws trumps and runs his suits

ALL_SEATS = 0b1111

CERTAIN = 16  # chances are counted in sixteenths
# The chance that one seat of k (1 to 3) has none of m (0 to 13) cards that are out among them: (1 - 1/k) ** m.
NONE_OF = np.array(
    [[round(CERTAIN * (1 - 1 / k) ** m) for m in range(N_RANKS + 1)] for k in (1, 2, 3)], dtype=np.int64
)


@kernel
def role_of(view: np.void, rules: np.void) -> int:
    """Whose game the observer plays: one of the roles above."""
    contract, declarer = wide(view["contract"]), wide(view["declarer_rel"])
    if declarer == NOBODY or contract >= N_CONTRACTS:
        return GENERAL_MISERE
    if rules["aim"][contract] == NO_TRICK:
        return DUCKS if declarer == 0 else AGAINST_MISERE
    if wide(view["partner_rel"]) == NOBODY:
        if rules["target"][contract] >= MOST:
            return LONG if declarer == 0 else AGAINST_LONG
        return ALONE if declarer == 0 else AGAINST_ONE
    return PARTNERS if declarer == 0 or wide(view["partner_rel"]) == 0 else AGAINST_PARTNERS


@kernel
def count(view: np.void, rules: np.void, facts: np.void) -> None:
    """Fill ``facts`` (a record ``FACTS``) with what the observer of a view knows; the view is not changed."""
    facts[HAND], facts[LEGAL], facts[ROLE] = int(view["hand_cards"]), honest_cards(view), role_of(view, rules)
    facts[PLACE], facts[TRUMP] = wide(view["n_plays"]) % N_SEATS, wide(view["trump"])
    facts[CALLER] = max(wide(view["declarer_rel"]), 0)
    count_sides(view, facts)
    count_holdings(view, rules, facts)
    count_trick(view, facts)
    if facts[ROLE] <= AGAINST_LONG:
        count_score(view, rules, facts)
    elif facts[ROLE] == AGAINST_MISERE and not facts[EXPOSED]:
        presume(view, facts)
    if facts[PLACE] == 0:
        count_leads(view, facts)


@kernel
def declaring_seats(view: np.void) -> int:
    """Bit a relative seat: the declaring side."""
    declarer, partner = wide(view["declarer_rel"]), wide(view["partner_rel"])
    seats = 1 << declarer if declarer != NOBODY else 0
    return seats | 1 << partner if partner != NOBODY else seats


@kernel
def count_sides(view: np.void, facts: np.void) -> None:
    """Who wins with the observer, who against it, and who of them is still to play to the trick."""
    declaring = declaring_seats(view)
    friends = declaring if declaring & 1 else ALL_SEATS & ~declaring
    if facts[ROLE] == GENERAL_MISERE:
        friends = 1
    to_come = (1 << (N_SEATS - facts[PLACE])) - 1
    facts[FRIENDS], facts[FOES] = friends & ~1, ALL_SEATS & ~friends
    facts[FRIENDS_TO_COME], facts[FOES_TO_COME] = facts[FRIENDS] & to_come, facts[FOES] & to_come


@kernel
def count_holdings(view: np.void, rules: np.void, facts: np.void) -> None:
    """Who may hold what: the turned card and an exposed hand are known, and voids as far as they are proven."""
    seen = facts[HAND]
    for rel in range(N_SEATS):
        seen |= int(view["played_cards_rel"][rel])
    unseen = PACK & ~seen
    exposed, shown = wide(view["exposed_rel"]), int(view["exposed_cards"])
    turned = wide(view["turned_card"])
    turned_out = unseen & 1 << turned if turned != NO_CARD else 0
    facts[UNSEEN], facts[EXPOSED] = unseen, exposed != NOBODY
    facts[FOE_CARDS] = facts[FRIEND_CARDS] = 0
    for rel in range(1, N_SEATS):
        cards = unseen & ~shown
        if rel == exposed:
            cards = shown
        else:
            cards &= ~int(CARDS_OF_SUITS[proven_voids(view, rules, rel) & SUITS_BITS])
        if rel != wide(view["dealer_rel"]):
            cards &= ~turned_out
        facts[MAY_HOLD][rel] = cards
        if facts[FOES] >> rel & 1:
            facts[FOE_CARDS] |= cards
        else:
            facts[FRIEND_CARDS] |= cards


@kernel
def count_trick(view: np.void, facts: np.void) -> None:
    """The trick so far: the suit led, the card that wins, whether it is of one's own side."""
    n_plays, place = wide(view["n_plays"]), facts[PLACE]
    facts[LED], facts[BEST], facts[OURS] = -1, NO_CARD, 0
    if place:
        best = n_plays - place
        facts[LED] = wide(view["plays"][best]) // N_RANKS
        for i in range(best + 1, n_plays):
            if beats(wide(view["plays"][i]), wide(view["plays"][best]), facts[TRUMP]):
                best = i
        facts[BEST] = wide(view["plays"][best])
        facts[OURS] = facts[FRIENDS] >> wide(view["play_seats_rel"][best]) & 1


@kernel
def count_score(view: np.void, rules: np.void, facts: np.void) -> None:
    """The tricks that each side still needs, the defenders to beat the contract."""
    declaring, taken = declaring_seats(view), 0
    for rel in range(N_SEATS):
        taken += wide(view["tricks_rel"][rel]) * (declaring >> rel & 1)
    target = int(rules["target"][wide(view["contract"])])
    needed = target - taken
    to_beat = N_TRICKS - target + 1 - (wide(view["n_plays"]) // N_SEATS - taken)
    facts[NEED], facts[FOES_NEED] = (needed, to_beat) if declaring & 1 else (to_beat, needed)


@kernel
def count_leads(view: np.void, facts: np.void) -> None:
    """Which suits the others led before, by side."""
    facts[FRIENDS_LED] = facts[FOES_LED] = 0
    for i in range(wide(view["n_hidden"]), wide(view["n_plays"]), N_SEATS):
        rel = wide(view["play_seats_rel"][i])
        if rel > 0:
            suit = wide(view["plays"][i]) // N_RANKS
            if facts[FRIENDS] >> rel & 1:
                facts[FRIENDS_LED] |= 1 << suit
            else:
                facts[FOES_LED] |= 1 << suit


@kernel
def presume(view: np.void, facts: np.void) -> None:
    """Take from what the caller of a misère may hold what he would have played if he had it.

    He ducks as high as he can, and goes over only where he cannot duck.
    """
    gone = best = led = 0
    for i in range(wide(view["n_hidden"]), wide(view["n_plays"])):
        card = wide(view["plays"][i])
        if i % N_SEATS == 0:
            led, best = card // N_RANKS, card
            continue
        if card // N_RANKS == led:
            if wide(view["play_seats_rel"][i]) == facts[CALLER]:
                below = (1 << best) - 1
                gone |= below & ~((1 << card) - 1) if card < best else suit_cards(below, led)
            best = max(best, card)
    facts[MAY_HOLD][facts[CALLER]] &= ~gone
    facts[FOE_CARDS] &= ~gone


@kernel
def holders(facts: np.void, suit: int) -> int:
    """Bit a relative seat: who else may still hold cards of a suit."""
    seats = 0
    for rel in range(1, N_SEATS):
        if suit_cards(facts[MAY_HOLD][rel], suit):
            seats |= 1 << rel
    return seats


@kernel
def ruff_chance(facts: np.void, suit: int, seats: int) -> int:
    """The chance (sixteenths) that one of ``seats`` (bit a relative seat) ruffs when ``suit`` is led."""
    trump = facts[TRUMP]
    if trump in (NO_TRUMP, suit):
        return 0
    out = popcount(suit_cards(facts[UNSEEN], suit))
    holding = holders(facts, suit)
    n = popcount(holding)
    chance = 0
    for rel in range(1, N_SEATS):
        if seats >> rel & 1 and suit_cards(facts[MAY_HOLD][rel], trump):
            if not holding >> rel & 1:
                return CERTAIN
            chance += NONE_OF[n - 1, out]
    return min(chance, CERTAIN)


@kernel
def beat_chance(facts: np.void, card: int, seats: int) -> int:
    """The chance (sixteenths) that one of ``seats`` still to play to the trick can beat ``card``."""
    led, trump = facts[LED], facts[TRUMP]
    suit = card // N_RANKS
    above = ~((1 << (card + 1)) - 1)
    chance = 0
    if suit == led:
        higher = suit_cards(facts[UNSEEN], led) & above
        n_holders = popcount(holders(facts, led))
        n_higher = popcount(higher)
        if n_higher:
            for rel in range(1, N_SEATS):
                if seats >> rel & 1 and facts[MAY_HOLD][rel] & higher:
                    chance += CERTAIN - NONE_OF[n_holders - 1, n_higher]
        chance += ruff_chance(facts, led, seats)
    elif suit == trump:  # a ruff: only a higher ruff beats it
        for rel in range(1, N_SEATS):
            if seats >> rel & 1 and suit_cards(facts[MAY_HOLD][rel], trump) & above:
                if suit_cards(facts[MAY_HOLD][rel], led):
                    chance += ruff_chance(facts, led, 1 << rel) // 2
                else:
                    chance += CERTAIN // 2
    else:
        return CERTAIN
    return min(chance, CERTAIN)


@kernel
def can_be_beaten(facts: np.void, card: int, seats: int) -> bool:
    """Whether one of ``seats`` still to play may beat ``card``, as far as is known for certain.

    A seat that may hold the led suit and has not failed to follow is taken to follow.
    """
    led, trump = facts[LED], facts[TRUMP]
    suit = card // N_RANKS
    above = ~((1 << (card + 1)) - 1)
    for rel in range(1, N_SEATS):
        if seats >> rel & 1:
            cards = facts[MAY_HOLD][rel]
            if suit_cards(cards, led):
                if suit == led and suit_cards(cards, led) & above:
                    return True
            elif trump != NO_TRUMP and suit_cards(cards, trump) & (above if suit == trump else PACK):
                return True
    return False


@kernel
def lies_between(out: int, low: int, top: int) -> bool:
    """Whether a card of ``out`` (a suit pattern) lies between two ranks; if none does, they are as one."""
    return out & ((1 << top) - 1) & ~((1 << low) - 1) != 0
