"""How the novice plays a card: the first principles of whist, and of playing and attacking a misère.

Every rule answers with the card and the number of its reason, so that the player can say why.
"""

from __future__ import annotations

import numpy as np

from baselines.hand_value import QUEEN, suit_danger, suit_pattern, wide
from solo_env.cards import N_RANKS, N_SEATS, N_SUITS, NO_CARD, PACK, SUIT_MASK
from solo_env.engine._jit import kernel
from solo_env.engine.bits import highest, lowest, popcount, suit_cards
from solo_env.engine.observe import honest_cards
from solo_env.engine.state import NO_TRUMP, NOBODY
from solo_env.rules.model import N_CONTRACTS, NO_TRICK

REASONS = (
    "the only card that may be played",
    "leads trumps to draw those of the other side",
    "leads a card that nothing can beat",
    "leads the top of a sequence from its best suit",
    "leads low from its best suit",
    "cannot win, so throws its least useful card",
    "its side is winning, so throws its least useful card",
    "no opponent plays after it, so wins as cheaply as it can",
    "second hand plays low",
    "second hand wins with what nothing can beat",
    "third hand plays high",
    "ruffs as low as it can",
    "ducks as high as it can",
    "cannot duck, so goes as low as it can",
    "must win, so wins with its highest",
    "throws its most dangerous card",
    "leads what others can most surely beat",
    "attacks with a low card",
    "the caller has ducked, so sheds its highest card",
    "the caller is winning, so stays under",
    "keeps the trick low for the caller",
)
(
    ONLY_CARD,
    DRAW_TRUMPS,
    CASH,
    LEAD_SEQUENCE,
    LEAD_LOW,
    CANNOT_WIN,
    SIDE_WINS,
    WIN_CHEAPLY,
    SECOND_LOW,
    SECOND_WINS,
    THIRD_HIGH,
    RUFF,
    DUCK,
    GO_LOW,
    WIN_HIGH,
    SHED,
    LEAD_SAFE,
    ATTACK,
    SHED_HIGH,
    STAY_UNDER,
    KEEP_LOW,
) = range(len(REASONS))

HIGH_PAIRS = 0b111 << 9  # where mine & mine >> 1 shows two touching cards, the lower a jack or better
GUARDS_KEPT = 2  # a queen is kept guarded, a jack is not
SECOND_HAND = 1  # how many have played before
DRAWING_LENGTH = 3  # trumps that make a declaring side draw them; 4 cost 0.01 units a deal, 5 0.03
CARD_BITS, SEAT_BITS, SUITS_BITS = 63, 3, 15  # what a card, a seat and a set of suits need
ALL_SEATS = 0b1111
# The cards of a set of suits (bit a suit).
CARDS_OF_SUITS = np.array(
    [
        sum(SUIT_MASK << (N_RANKS * suit) for suit in range(N_SUITS) if suits >> suit & 1)
        for suits in range(1 << N_SUITS)
    ],
    np.int64,
)


@kernel
def choose_card(view: np.void, rules: np.void) -> tuple[int, int]:
    """The card to play and the number of its reason; the view is not changed."""
    legal = honest_cards(view)
    if legal & (legal - 1) == 0:
        return lowest(legal), ONLY_CARD
    contract, declarer = wide(view["contract"]), wide(view["declarer_rel"])
    leads = wide(view["n_plays"]) & SEAT_BITS == 0
    # A deal without declarer is a general misère: everybody plays as the caller of one.
    if declarer == NOBODY or contract >= N_CONTRACTS:
        return lead_misere(view) if leads else duck(view, legal)
    if rules["aim"][contract] == NO_TRICK:
        if declarer == 0:
            return lead_misere(view) if leads else duck(view, legal)
        return lead_against_misere(view) if leads else follow_against_misere(view, legal)
    return lead(view) if leads else follow(view, legal)


# --- What the table shows ----------------------------------------------------------------------------------
# Sets of seats have a bit for each, as the observer counts them; what a decision needs twice is worked out once.


@kernel
def own_side(view: np.void) -> int:
    """The seats that win and lose with the observer: all that declare, or all that defend."""
    # Counted from 1, so that the bit of NOBODY falls out at the end.
    declaring = (1 << (wide(view["declarer_rel"]) + 1) | 1 << (wide(view["partner_rel"]) + 1)) >> 1
    return declaring if declaring & 1 else ALL_SEATS & ~declaring


@kernel
def unseen_cards(view: np.void) -> int:
    """The cards that somebody else still holds."""
    seen = int(view["hand_cards"])
    for rel in range(N_SEATS):
        seen |= int(view["played_cards_rel"][rel])
    return PACK & ~seen


@kernel
def possible_cards(view: np.void, unseen: int, rel: int) -> int:
    """The cards that another seat may still hold: exactly its hand if that lies face up."""
    exposed = int(view["exposed_cards"])
    if rel == wide(view["exposed_rel"]):
        return exposed
    return unseen & ~(exposed | int(CARDS_OF_SUITS[wide(view["failed_rel"][rel]) & SUITS_BITS]))


@kernel
def cards_of_seats(view: np.void, unseen: int, seats: int) -> int:
    """The cards that some of the other ``seats`` may still hold."""
    cards = 0
    for rel in range(1, N_SEATS):
        if seats >> rel & 1:
            cards |= possible_cards(view, unseen, rel)
    return cards


@kernel
def seats_to_come(view: np.void) -> int:
    """The seats that play to the current trick after the observer."""
    return (1 << (N_SEATS - (wide(view["n_plays"]) & SEAT_BITS))) - 2


@kernel
def suit_of(card: int) -> int:
    """The suit of a card, faster than by dividing."""
    return card * 79 >> 10


@kernel
def led_suit(view: np.void) -> int:
    """The suit led to the current trick; somebody must have led."""
    n_plays = wide(view["n_plays"])
    return suit_of(wide(view["plays"][(n_plays & ~SEAT_BITS) & CARD_BITS]))


@kernel
def winning_card(view: np.void, led: int, trump: int) -> int:
    """Which card wins the current trick so far: the highest trump, else the highest of the suit led."""
    n_plays, cards = wide(view["n_plays"]), 0
    for i in range(n_plays & ~SEAT_BITS, n_plays):
        cards |= 1 << (wide(view["plays"][i & CARD_BITS]) & CARD_BITS)
    trumps = suit_cards(cards, trump) if trump != NO_TRUMP else 0
    return highest(trumps if trumps else suit_cards(cards, led))


@kernel
def is_played_by(view: np.void, card: int, seats: int) -> bool:
    """Whether one of ``seats`` has played a card of the current trick."""
    cards = 0
    for rel in range(N_SEATS):
        if seats >> rel & 1:
            cards |= int(view["played_cards_rel"][rel])
    return cards >> card & 1 == 1


@kernel
def beating_cards(best: int, trump: int) -> int:
    """All cards that beat ``best``, the best card of a trick so far."""
    suit = suit_of(best)
    cards = suit_cards(-2 << best, suit)
    return cards if trump in (NO_TRUMP, suit) else cards | SUIT_MASK << (N_RANKS * trump)


@kernel
def may_be_beaten(view: np.void, unseen: int, best: int, led: int, trump: int, seats: int) -> bool:
    """Whether one of ``seats``, which are still to play, may beat ``best``, as far as can be known.

    A seat is taken to hold the led suit as long as it has not failed to follow and cards of it are unseen.
    """
    better = beating_cards(best, trump)
    for rel in range(1, N_SEATS):
        if seats >> rel & 1:
            cards = possible_cards(view, unseen, rel)
            following = suit_cards(cards, led)
            if (following if following else cards) & better:
                return True
    return False


@kernel
def least_equal(card: int, mine: int, unseen: int) -> int:
    """The lowest card of ``mine`` that wins as well as ``card``: nothing unseen lies between."""
    below = suit_cards((1 << card) - 1, suit_of(card))
    between = unseen & below
    if between:
        below &= -2 << highest(between)
    return lowest(mine & below | 1 << card)


# --- Leading -----------------------------------------------------------------------------------------------


@kernel
def lead(view: np.void) -> tuple[int, int]:
    """Lead in a contract for tricks."""
    hand, trump, unseen, ours = int(view["hand_cards"]), wide(view["trump"]), unseen_cards(view), own_side(view)
    against = cards_of_seats(view, unseen, ~ours)
    # Step 1: the declaring side draws trumps while the other side may have some, if it is long in them.
    if trump != NO_TRUMP and ours >> wide(view["declarer_rel"]) & 1:
        trumps, their_trumps = suit_cards(hand, trump), suit_cards(against, trump)
        if their_trumps and popcount(trumps) >= DRAWING_LENGTH:
            if trumps > their_trumps:  # as numbers: the highest card decides
                return least_equal(highest(trumps), trumps, unseen), DRAW_TRUMPS
            return lead_from(hand, trump)[0], DRAW_TRUMPS
    # Step 2: cash what nothing can beat.
    ruffed = ruffed_suits(view, unseen, ~ours, trump)
    card = cashing_card(hand, against, trump, ruffed)
    if card != NO_CARD:
        return card, CASH
    # Step 3: the best suit, from the top of a sequence, else low.
    return lead_from(hand, best_lead_suit(hand, trump, ruffed, ruffed_suits(view, unseen, ours, trump)))


@kernel
def cashing_card(hand: int, against: int, trump: int, ruffed: int) -> int:
    """A card of a side suit that the other side cannot beat, as far as can be known; NO_CARD if none."""
    for suit in range(N_SUITS):
        mine = suit_cards(hand, suit)
        if mine > suit_cards(against, suit) and suit != trump and not ruffed >> suit & 1:
            return highest(mine)
    return NO_CARD


@kernel
def ruffed_suits(view: np.void, unseen: int, seats: int, trump: int) -> int:
    """The suits (bit a suit) that one of the other ``seats`` is known to be out of and may hold a trump instead."""
    suits = 0
    if trump == NO_TRUMP:
        return suits
    for rel in range(1, N_SEATS):
        if seats >> rel & 1:
            cards = possible_cards(view, unseen, rel)
            if suit_cards(cards, trump):
                for suit in range(N_SUITS):
                    suits |= int(suit_cards(cards, suit) == 0) << suit
    return suits


@kernel
def best_lead_suit(hand: int, trump: int, ruffed: int, ruffed_by_us: int) -> int:
    """The suit to lead from when nothing can be cashed: long, headed by a sequence, not one to be ruffed."""
    best, best_value = -1, 0
    for suit in range(N_SUITS):
        mine = suit_pattern(hand, suit)
        if mine:
            value = 100 + 4 * popcount(mine)
            if suit == trump:
                value -= 50
            elif ruffed >> suit & 1:
                value -= 30
            elif ruffed_by_us >> suit & 1:
                value += 20
            if mine & mine >> 1 & HIGH_PAIRS:
                value += 6
            if best < 0 or value > best_value:
                best, best_value = suit, value
    return best


@kernel
def lead_from(hand: int, suit: int) -> tuple[int, int]:
    """Lead from a suit: the top of touching honours (queen and jack at least), else the lowest card."""
    cards = suit_cards(hand, suit)
    top = highest(cards)
    if top - N_RANKS * suit >= QUEEN and cards >> (top - 1) & 1:
        return top, LEAD_SEQUENCE
    return lowest(cards), LEAD_LOW


# --- Following ---------------------------------------------------------------------------------------------


@kernel
def follow(view: np.void, legal: int) -> tuple[int, int]:
    """Follow, ruff or discard in a contract for tricks."""
    trump, led = wide(view["trump"]), led_suit(view)
    best, unseen, ours = winning_card(view, led, trump), unseen_cards(view), own_side(view)
    winning, rivals = is_played_by(view, best, ours), seats_to_come(view) & ~ours
    winners = legal & beating_cards(best, trump)
    if winning and not may_be_beaten(view, unseen, best, led, trump, rivals):
        return least_useful(view, unseen, legal, trump), SIDE_WINS
    if not winners:
        return least_useful(view, unseen, legal, trump), CANNOT_WIN
    if not suit_cards(legal, led):
        # A high card of one's own side is left to its fate, though a later seat might beat it.
        spared = winning and best - N_RANKS * suit_of(best) >= QUEEN
        return (least_useful(view, unseen, legal, trump), SIDE_WINS) if spared else (lowest(winners), RUFF)
    if not rivals:
        return lowest(winners), WIN_CHEAPLY
    if wide(view["n_plays"]) & SEAT_BITS == SECOND_HAND:
        top = highest(winners)
        beatable = may_be_beaten(view, unseen, top, led, trump, rivals)
        return play_second(legal, winners, top, unseen, beatable)
    return play_third(legal, winners, best, unseen, winning)


@kernel
def play_second(legal: int, winners: int, top: int, unseen: int, beatable: bool) -> tuple[int, int]:
    """Second hand, following: low, unless its ``top`` is a card that nothing can beat."""
    # Always low, sure winner or not, cost 0.03 units a deal.
    if beatable:
        return lowest(legal), SECOND_LOW
    return least_equal(top, winners, unseen), SECOND_WINS


@kernel
def play_third(legal: int, winners: int, best: int, unseen: int, winning: bool) -> tuple[int, int]:
    """Third hand, following, an opponent still to come: high, but no higher than needed."""
    card = least_equal(highest(winners), winners, unseen)
    if winning and least_equal(card, winners | 1 << best, unseen) == best:
        return lowest(legal), SIDE_WINS  # one's own card is worth no more than the one that is winning
    return card, THIRD_HIGH


@kernel
def least_useful(view: np.void, unseen: int, legal: int, trump: int) -> int:
    """The card to part with: low, from a short suit, without baring a king or a queen; trumps last."""
    low = lowest(legal)
    if legal >> (N_RANKS * (suit_of(low) + 1)) == 0:  # all of one suit
        return low
    hand = int(view["hand_cards"])
    best, best_cost = NO_CARD, 0
    for suit in range(N_SUITS):
        mine = suit_pattern(legal, suit)
        if mine:
            card = lowest(mine)
            cost = 2 * card + parting_cost(suit_pattern(hand, suit), suit_pattern(unseen, suit))
            if suit == trump:
                cost += 100
            if best == NO_CARD or cost < best_cost:
                best, best_cost = N_RANKS * suit + card, cost
    return best


@kernel
def parting_cost(mine: int, unseen: int) -> int:
    """What it costs to throw the lowest card of a suit: a winner, or the guard of a card that may win yet."""
    n, top = popcount(mine), highest(mine)
    above = popcount(unseen >> top)
    if not unseen:
        return 30  # every card left of the suit is a winner
    if above == 0:
        return 30 if n == 1 else n
    # A card with k higher ones out wins after k rounds if k cards guard it.
    return 12 if above <= GUARDS_KEPT and n == above + 1 else n


# --- Misère ------------------------------------------------------------------------------------------------


@kernel
def lead_misere(view: np.void) -> tuple[int, int]:
    """Lead as the caller of a misère: the card that the fewest cards can duck."""
    hand, unseen = int(view["hand_cards"]), unseen_cards(view)
    best, best_value = NO_CARD, 0
    for suit in range(N_SUITS):
        mine = suit_pattern(hand, suit)
        if mine:
            card = lowest(mine)
            out = suit_pattern(unseen, suit)
            lower, higher = popcount(out & ((1 << card) - 1)), popcount(out >> card)
            value = 20 - 4 * lower + min(higher, 3) - popcount(mine) // 2
            if higher == 0:
                value -= 100
            if best == NO_CARD or value > best_value:
                best, best_value = N_RANKS * suit + card, value
    return best, LEAD_SAFE


@kernel
def duck(view: np.void, legal: int) -> tuple[int, int]:
    """Follow or discard as the caller of a misère."""
    led = led_suit(view)
    if not suit_cards(legal, led):
        return most_dangerous(view, legal), SHED
    best = winning_card(view, led, wide(view["trump"]))
    under = legal & ((1 << best) - 1)
    if under:
        return highest(under), DUCK
    if wide(view["n_plays"]) & SEAT_BITS == N_SEATS - 1:
        return highest(legal), WIN_HIGH
    return lowest(legal), GO_LOW


@kernel
def most_dangerous(view: np.void, legal: int) -> int:
    """The highest card of the suit that is furthest from safe."""
    unseen = unseen_cards(view)
    best, best_value = NO_CARD, 0
    for suit in range(N_SUITS):
        mine = suit_pattern(legal, suit)
        if mine:
            danger = suit_danger(mine, suit_pattern(unseen, suit))
            value = 100 * danger - 10 * popcount(mine) + highest(mine)
            if best == NO_CARD or value > best_value:
                best, best_value = N_RANKS * suit + highest(mine), value
    return best


@kernel
def lead_against_misere(view: np.void) -> tuple[int, int]:
    """Lead against a misère: low, from a short suit that the caller may have to win."""
    hand = int(view["hand_cards"])
    theirs = possible_cards(view, unseen_cards(view), wide(view["declarer_rel"]))
    best, best_value = NO_CARD, 0
    for suit in range(N_SUITS):
        mine = suit_pattern(hand, suit)
        if mine:
            card = lowest(mine)
            his = suit_pattern(theirs, suit)
            lower = popcount(his & ((1 << card) - 1))
            # Short before low: five points a lower card and one a card of length let the caller make 44 of
            # 100 misères, these weights 39.
            value = 50 - lower - 4 * popcount(mine)
            if his >> card == 0:  # the caller cannot be made to win it
                value -= 100
            if best == NO_CARD or value > best_value:
                best, best_value = N_RANKS * suit + card, value
    return best, ATTACK


@kernel
def follow_against_misere(view: np.void, legal: int) -> tuple[int, int]:
    """Follow or discard against a misère."""
    led = led_suit(view)
    if not suit_cards(legal, led):
        return most_obstructive(view, legal), SHED
    best = winning_card(view, led, wide(view["trump"]))
    declarer, place = wide(view["declarer_rel"]), wide(view["n_plays"]) & SEAT_BITS
    under = legal & ((1 << best) - 1)
    if is_played_by(view, best, 1 << declarer):
        return (highest(under), STAY_UNDER) if under else (highest(legal), WIN_HIGH)
    if declarer >= N_SEATS - place:  # the caller has played, and ducked
        return highest(legal), SHED_HIGH
    # What lies under the winning card changes nothing for the caller, so the highest of it goes.
    return (highest(under) if under else lowest(legal)), KEEP_LOW


@kernel
def most_obstructive(view: np.void, legal: int) -> int:
    """The card that would most often save the caller by winning: a high one, of a suit he may still hold."""
    theirs = possible_cards(view, unseen_cards(view), wide(view["declarer_rel"]))
    best, best_value = NO_CARD, 0
    for suit in range(N_SUITS):
        mine = suit_pattern(legal, suit)
        if mine:
            card = highest(mine)
            value = 10 * popcount(suit_pattern(theirs, suit) & ((1 << card) - 1)) - popcount(mine)
            if best == NO_CARD or value > best_value:
                best, best_value = N_RANKS * suit + card, value
    return best
