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
from solo_env.engine.tricks import beats
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


@kernel
def choose_card(view: np.void, rules: np.void) -> tuple[int, int]:
    """The card to play and the number of its reason; the view is not changed."""
    legal = honest_cards(view)
    if legal & (legal - 1) == 0:
        return lowest(legal), ONLY_CARD
    contract, declarer = wide(view["contract"]), wide(view["declarer_rel"])
    leads = wide(view["n_plays"]) % N_SEATS == 0
    # A deal without declarer is a general misère: everybody plays as the caller of one.
    if declarer == NOBODY or contract >= N_CONTRACTS:
        return lead_misere(view) if leads else duck(view, legal)
    if rules["aim"][contract] == NO_TRICK:
        if declarer == 0:
            return lead_misere(view) if leads else duck(view, legal)
        return lead_against_misere(view) if leads else follow_against_misere(view, legal)
    return lead(view) if leads else follow(view, legal)


# --- What the table shows ----------------------------------------------------------------------------------


@kernel
def is_ours(view: np.void, rel: int) -> bool:
    """Whether a seat wins and loses with the observer: both declare, or both defend."""
    declarer, partner = wide(view["declarer_rel"]), wide(view["partner_rel"])
    declares = rel in (declarer, partner)
    return declares == (declarer == 0 or partner == 0)


@kernel
def unseen_cards(view: np.void) -> int:
    """The cards that somebody else still holds."""
    seen = int(view["hand_cards"])
    for rel in range(N_SEATS):
        seen |= int(view["played_cards_rel"][rel])
    return PACK & ~seen


@kernel
def possible_cards(view: np.void, rel: int) -> int:
    """The cards that another seat may still hold: exactly its hand if that lies face up."""
    if rel == wide(view["exposed_rel"]):
        return int(view["exposed_cards"])
    cards = unseen_cards(view) & ~int(view["exposed_cards"])
    failed = int(view["failed_rel"][rel])
    for suit in range(N_SUITS):
        if failed >> suit & 1:
            cards &= ~(SUIT_MASK << (N_RANKS * suit))
    return cards


@kernel
def opposing_cards(view: np.void) -> int:
    """The cards that some seat of the other side may still hold."""
    cards = 0
    for rel in range(1, N_SEATS):
        if not is_ours(view, rel):
            cards |= possible_cards(view, rel)
    return cards


@kernel
def winning_play(view: np.void) -> int:
    """Which of the view's plays wins the current trick so far; somebody must have led."""
    n_plays, trump = wide(view["n_plays"]), wide(view["trump"])
    best = n_plays - n_plays % N_SEATS
    for i in range(best + 1, n_plays):
        if beats(wide(view["plays"][i]), wide(view["plays"][best]), trump):
            best = i
    return best


@kernel
def led_suit(view: np.void) -> int:
    """The suit led to the current trick."""
    n_plays = wide(view["n_plays"])
    return wide(view["plays"][n_plays - n_plays % N_SEATS]) // N_RANKS


@kernel
def beating_cards(cards: int, best: int, trump: int) -> int:
    """Those of ``cards`` that beat ``best``, the best card of the trick so far."""
    suit = best // N_RANKS
    winners = suit_cards(cards, suit) & ~((1 << (best + 1)) - 1)
    if trump not in (NO_TRUMP, suit):
        winners |= suit_cards(cards, trump)
    return winners


@kernel
def opponents_to_come(view: np.void) -> int:
    """How many seats of the other side still play to the current trick."""
    n = 0
    for rel in range(1, N_SEATS - wide(view["n_plays"]) % N_SEATS):
        n += not is_ours(view, rel)
    return n


@kernel
def may_be_beaten(view: np.void, best: int) -> bool:
    """Whether a seat of the other side that is still to play may beat ``best``, as far as can be known.

    A seat is taken to hold the led suit as long as it has not failed to follow and cards of it are unseen.
    """
    led, trump = led_suit(view), wide(view["trump"])
    for rel in range(1, N_SEATS - wide(view["n_plays"]) % N_SEATS):
        if not is_ours(view, rel):
            cards = possible_cards(view, rel)
            following = suit_cards(cards, led)
            if beating_cards(following if following else cards, best, trump):
                return True
    return False


@kernel
def least_equal(card: int, mine: int, unseen: int) -> int:
    """The lowest card of ``mine`` that wins as well as ``card``: nothing unseen lies between."""
    best = card
    while card % N_RANKS > 0 and not unseen >> (card - 1) & 1:
        card -= 1
        if mine >> card & 1:
            best = card
    return best


# --- Leading -----------------------------------------------------------------------------------------------


@kernel
def lead(view: np.void) -> tuple[int, int]:
    """Lead in a contract for tricks."""
    hand, trump = int(view["hand_cards"]), wide(view["trump"])
    against = opposing_cards(view)
    # Step 1: the declaring side draws trumps while the other side may have some, if it is long in them.
    if trump != NO_TRUMP and wants_trumps_out(view, hand, against, trump):
        trumps = suit_cards(hand, trump)
        top = highest(trumps)
        if suit_cards(against, trump) >> top == 0:
            return least_equal(top, trumps, unseen_cards(view)), DRAW_TRUMPS
        return lead_from(hand, trump)[0], DRAW_TRUMPS
    # Step 2: cash what nothing can beat.
    card = cashing_card(view, hand, against)
    if card != NO_CARD:
        return card, CASH
    # Step 3: the best suit, from the top of a sequence, else low.
    return lead_from(hand, best_lead_suit(view, hand))


@kernel
def wants_trumps_out(view: np.void, hand: int, against: int, trump: int) -> bool:
    """Whether the seat should draw trumps: its side declares, it is long, an opponent may still hold one."""
    if not is_ours(view, wide(view["declarer_rel"])):
        return False
    return suit_cards(against, trump) != 0 and popcount(suit_cards(hand, trump)) >= DRAWING_LENGTH


@kernel
def cashing_card(view: np.void, hand: int, against: int) -> int:
    """A card of a side suit that the other side cannot beat, as far as can be known; NO_CARD if none."""
    trump = wide(view["trump"])
    for suit in range(N_SUITS):
        mine = suit_cards(hand, suit)
        if suit != trump and mine:
            top = highest(mine)
            if suit_cards(against, suit) >> top == 0 and not may_be_ruffed(view, suit):
                return top
    return NO_CARD


@kernel
def may_be_ruffed(view: np.void, suit: int) -> bool:
    """Whether an opponent is known to be out of the suit and may hold a trump."""
    trump = wide(view["trump"])
    if trump == NO_TRUMP:
        return False
    for rel in range(1, N_SEATS):
        if not is_ours(view, rel):
            cards = possible_cards(view, rel)
            if not suit_cards(cards, suit) and suit_cards(cards, trump):
                return True
    return False


@kernel
def best_lead_suit(view: np.void, hand: int) -> int:
    """The suit to lead from when nothing can be cashed: long, headed by a sequence, not one to be ruffed."""
    trump = wide(view["trump"])
    best, best_value = -1, 0
    for suit in range(N_SUITS):
        mine = suit_pattern(hand, suit)
        if mine:
            value = 100 + 4 * popcount(mine)
            if suit == trump:
                value -= 50
            elif may_be_ruffed(view, suit):
                value -= 30
            elif side_may_ruff(view, suit):
                value += 20
            if mine & mine >> 1 & HIGH_PAIRS:
                value += 6
            if best < 0 or value > best_value:
                best, best_value = suit, value
    return best


@kernel
def side_may_ruff(view: np.void, suit: int) -> bool:
    """Whether a seat of one's own side is known to be out of the suit and may hold a trump."""
    trump = wide(view["trump"])
    if trump == NO_TRUMP:
        return False
    for rel in range(1, N_SEATS):
        if is_ours(view, rel):
            cards = possible_cards(view, rel)
            if not suit_cards(cards, suit) and suit_cards(cards, trump):
                return True
    return False


@kernel
def lead_from(hand: int, suit: int) -> tuple[int, int]:
    """Lead from a suit: the top of touching honours (queen and jack at least), else the lowest card."""
    cards = suit_cards(hand, suit)
    top = highest(cards)
    if top % N_RANKS >= QUEEN and cards >> (top - 1) & 1:
        return top, LEAD_SEQUENCE
    return lowest(cards), LEAD_LOW


# --- Following ---------------------------------------------------------------------------------------------


@kernel
def follow(view: np.void, legal: int) -> tuple[int, int]:
    """Follow, ruff or discard in a contract for tricks."""
    trump = wide(view["trump"])
    winning = winning_play(view)
    best = wide(view["plays"][winning])
    ours = is_ours(view, wide(view["play_seats_rel"][winning]))
    winners = beating_cards(legal, best, trump)
    if ours and not may_be_beaten(view, best):
        return least_useful(view, legal), SIDE_WINS
    if not winners:
        return least_useful(view, legal), CANNOT_WIN
    if not suit_cards(legal, led_suit(view)):
        # A high card of one's own side is left to its fate, though a later seat might beat it.
        if ours and best % N_RANKS >= QUEEN:
            return least_useful(view, legal), SIDE_WINS
        return lowest(winners), RUFF
    return win_in_suit(view, legal, winners, best, ours)


@kernel
def win_in_suit(view: np.void, legal: int, winners: int, best: int, ours: bool) -> tuple[int, int]:
    """Follow suit with a hand that could win the trick, by how many opponents are still to come."""
    if opponents_to_come(view) == 0:
        return lowest(winners), WIN_CHEAPLY
    if wide(view["n_plays"]) % N_SEATS == SECOND_HAND:
        return play_second(view, legal, winners)
    return play_third(view, legal, winners, best, ours)


@kernel
def play_second(view: np.void, legal: int, winners: int) -> tuple[int, int]:
    """Second hand, following: low, unless it has a card that nothing can beat."""
    top = highest(winners)
    # Always low, sure winner or not, cost 0.03 units a deal.
    if not may_be_beaten(view, top):
        return least_equal(top, winners, unseen_cards(view)), SECOND_WINS
    return lowest(legal), SECOND_LOW


@kernel
def play_third(view: np.void, legal: int, winners: int, best: int, ours: bool) -> tuple[int, int]:
    """Third hand, following, an opponent still to come: high, but no higher than needed."""
    unseen = unseen_cards(view)
    card = least_equal(highest(winners), winners, unseen)
    if ours and least_equal(card, winners | 1 << best, unseen) == best:
        return lowest(legal), SIDE_WINS  # one's own card is worth no more than the one that is winning
    return card, THIRD_HIGH


@kernel
def least_useful(view: np.void, legal: int) -> int:
    """The card to part with: low, from a short suit, without baring a king or a queen; trumps last."""
    hand, trump = int(view["hand_cards"]), wide(view["trump"])
    unseen = unseen_cards(view)
    best, best_cost = NO_CARD, 0
    for suit in range(N_SUITS):
        mine = suit_cards(legal, suit)
        if mine:
            card = lowest(mine)
            cost = 2 * (card % N_RANKS) + parting_cost(suit_pattern(hand, suit), suit_pattern(unseen, suit))
            if suit == trump:
                cost += 100
            if best == NO_CARD or cost < best_cost:
                best, best_cost = card, cost
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
    best = int(view["plays"][winning_play(view)])
    under = legal & ((1 << best) - 1)
    if under:
        return highest(under), DUCK
    if wide(view["n_plays"]) % N_SEATS == N_SEATS - 1:
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
    theirs = possible_cards(view, wide(view["declarer_rel"]))
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
    winning, declarer = winning_play(view), wide(view["declarer_rel"])
    best = wide(view["plays"][winning])
    under = legal & ((1 << best) - 1)
    place = wide(view["n_plays"]) % N_SEATS
    if view["play_seats_rel"][winning] == declarer:
        return (highest(under), STAY_UNDER) if under else (highest(legal), WIN_HIGH)
    if declarer >= N_SEATS - place:  # the caller has played, and ducked
        return highest(legal), SHED_HIGH
    # What lies under the winning card changes nothing for the caller, so the highest of it goes.
    return (highest(under) if under else lowest(legal)), KEEP_LOW


@kernel
def most_obstructive(view: np.void, legal: int) -> int:
    """The card that would most often save the caller by winning: a high one, of a suit he may still hold."""
    theirs = possible_cards(view, wide(view["declarer_rel"]))
    best, best_value = NO_CARD, 0
    for suit in range(N_SUITS):
        mine = suit_pattern(legal, suit)
        if mine:
            card = highest(mine)
            value = 10 * popcount(suit_pattern(theirs, suit) & ((1 << card) - 1)) - popcount(mine)
            if best == NO_CARD or value > best_value:
                best, best_value = N_RANKS * suit + card, value
    return best
