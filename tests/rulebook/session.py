"""Sessions: what one deal leaves to the next (clauses 2.1 and 2.5 to 2.8).

A session is told by the records of its deals, in order and all finished. Nothing in a record says how its cards
came about; but where they were not shuffled they are those of the deal before, gathered, perhaps cut, and dealt
in packets. A hand on record lists its cards in the order received, so the packets can be taken back, and what then
lies there must be a pack that the deal before can have left.

A pack is listed in dealing order, top card first; cut, some cards from its top have gone to the bottom.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise, permutations
from typing import NamedTuple

from .cards import PACK, POSITIONS
from .contracts import ABU_OR_BETTER, Settings
from .game import Game, Trick
from .record import dealer_of, replay


class SessionDeal(NamedTuple):
    """A deal as part of its session."""

    game: Game
    dealer: int  # his seat
    pack: str  # "shuffled", "gathered" or "goulash"
    # Where in trump.cycle the deal can stand, counted from 0: one place unless the cycle has a suit twice, none
    # where suits do not come in a cycle.
    places: tuple[int, ...]
    payoffs: list[int]  # by seat


class SessionResult(NamedTuple):
    """A session that holds together."""

    account: list[int]  # what each seat has won in all its deals
    deals: list[SessionDeal]


# From one deal to the next.


def next_dealer(game: Game, dealer: int) -> int:
    """The seat that deals after this deal, which `dealer` dealt (clause 2.7).

    It is the next to the left, but with `dealer_after_passout` "same" the same again if nobody bid and nothing was
    played. A general misère is played.
    """
    _check_over(game)
    again = game.settings["deal"]["dealer_after_passout"] == "same"
    if again and game.nobody_bid and game.outcome != "played":
        return dealer
    return (dealer + 1) % 4


def next_pack_kind(game: Game) -> str:
    """Which pack the deal after this one has: "shuffled", "gathered" or "goulash" (clauses 2.5 and 2.6)."""
    _check_over(game)
    if game.settings["passout"]["mode"] == "goulash" and game.nobody_bid:
        return "goulash"
    keys = game.settings["deal"]
    if keys["shuffle"] == "every_deal":
        return "shuffled"
    if keys["reshuffle_after"] == "abu_or_better_bid":
        high = any(call in ABU_OR_BETTER for _, call in game.auction.said)  # the contract or overcalled
    elif keys["reshuffle_after"] == "abu_or_better_won":
        high = game.contract in ABU_OR_BETTER and game.won
    else:
        high = False
    return "shuffled" if high else "gathered"


def cycle_advances(game: Game) -> bool:
    """Whether the deal after this one stands one place further in the cycle of suits (clause 2.8)."""
    _check_over(game)
    return game.settings["trump"]["cycle_advance"] == "every_deal" or game.outcome == "played"


def gathered(game: Game) -> list[str]:
    """The pack as picked up after the deal and not yet cut (clause 2.5): the tricks, then the cards not played.

    The cards of a trick lie as they were played, those left in the hands by hands from eldest, each hand sorted.
    """
    _check_over(game)
    how = game.settings["deal"]["gather"]
    side = [position for position in POSITIONS if position in (game.declarer, game.partner)]
    if how == "piles_by_seat":
        tricks = [trick for position in POSITIONS for trick in _won_by([position], game.history)]
    elif how == "piles_by_side":
        others = [position for position in POSITIONS if position not in side]  # all four in a general misère
        tricks = _won_by(side, game.history) + _won_by(others, game.history)
    else:
        tricks = game.history
    left = [card for position in POSITIONS for card in in_order(game.hand(position))]
    return [card for trick in tricks for card in trick.cards] + left


def _won_by(positions: Sequence[int], tricks: Sequence[Trick]) -> list[Trick]:
    return [trick for trick in tricks if trick.winner in positions]


def goulash_stack(game: Game) -> list[list[str]]:
    """The packs, not yet cut, that the hands thrown in can make (clause 2.6); one unless they lie at random."""
    _check_over(game)
    keys = game.settings["deal"]["goulash"]
    hands = [in_order(hand) if keys["sort_hands"] else list(hand) for hand in game.dealt]
    orders = permutations(hands) if keys["stack"] == "random" else [hands]
    return [[card for hand in order for card in hand] for order in orders]


def in_order(cards: Iterable[str]) -> list[str]:
    """Cards sorted: clubs, diamonds, hearts, spades, each suit from low to high."""
    return sorted(cards, key=PACK.index)


def cuts(pack: Sequence[str]) -> list[list[str]]:
    """All that a cut can make of a pack: at least one card is taken off the top, and at least one is left."""
    return [[*pack[n:], *pack[:n]] for n in range(1, len(pack))]


def _check_over(game: Game) -> None:
    if not game.over:
        raise ValueError("The deal is not over.")


# Packets (clause 2.1).


def deal_rounds(packets: Sequence[int] | str, number: int) -> list[list[int]]:
    """How many cards each position gets, eldest first, in each round of deal `number` of a session, from 1."""
    if packets == "rotating_4_by_deal":
        return [[4 if (number - 1) % 4 == turn else 3] * 4 for turn in range(4)]
    if packets == "rotating_4_by_player":
        return [[4 if position == turn else 3 for position in POSITIONS] for turn in range(4)]
    return [[int(size)] * 4 for size in packets]


def rounds_of(settings: Settings, kind: str, number: int) -> list[list[int]]:
    """The rounds in which deal `number` of a session is dealt; `kind` is that of its pack."""
    keys = settings["deal"]
    return deal_rounds(keys["goulash"]["packets"] if kind == "goulash" else keys["packets"], number)


def dealt_from(pack: Sequence[str], rounds: Sequence[Sequence[int]]) -> list[list[str]]:
    """The four hands that a pack makes, from eldest, each in the order received."""
    left = list(pack)
    hands: list[list[str]] = [[], [], [], []]
    for sizes in rounds:
        for hand, size in zip(hands, sizes, strict=True):
            hand.extend(left[:size])
            del left[:size]
    return hands


def pack_of(hands: Sequence[Sequence[str]], rounds: Sequence[Sequence[int]]) -> list[str]:
    """The pack from which four hands were dealt: `dealt_from` undone."""
    left = [list(hand) for hand in hands]
    pack = []
    for sizes in rounds:
        for hand, size in zip(left, sizes, strict=True):
            pack += hand[:size]
            del hand[:size]
    return pack


# A session on record.


def replay_session(lines: Sequence[str]) -> SessionResult:
    """What the records of a session come to; ValueError with the number of a deal that cannot be so.

    The first deal is dealt by anybody from a shuffled pack, and stands anywhere in the cycle.
    """
    told = [_read(line, number) for number, line in enumerate(lines, 1)]
    if not told:
        raise ValueError("A session has at least one deal.")
    games, dealers = [game for game, _ in told], [dealer for _, dealer in told]
    kinds = ["shuffled"]
    for number, ((before, last_dealer), (game, dealer)) in enumerate(pairwise(told), 2):
        if game.settings != before.settings:
            raise ValueError(f"Deal {number} is played by another ruleset than the deals before it.")
        expected = next_dealer(before, last_dealer)
        if dealer != expected:
            raise ValueError(f"Deal {number} is dealt by seat {dealer}, but it is for seat {expected} to deal.")
        kinds.append(next_pack_kind(before))
        _check_pack(number, kinds[-1], before, game)
    payoffs = [_by_seat(game, dealer) for game, dealer in told]
    account = [sum(paid[seat] for paid in payoffs) for seat in range(4)]
    deals = zip(games, dealers, kinds, _places(games), payoffs, strict=True)
    return SessionResult(account, [SessionDeal(*deal) for deal in deals])


def _read(line: str, number: int) -> tuple[Game, int]:
    """A finished deal and the seat of its dealer."""
    try:
        game, dealer = replay(line), dealer_of(line)
    except ValueError as error:
        raise ValueError(f"Deal {number}: {error}") from error
    if not game.over:
        raise ValueError(f"Deal {number} is not over.")
    return game, dealer


def _by_seat(game: Game, dealer: int) -> list[int]:
    """What each seat won; eldest sits at the dealer's left (clause 1.2)."""
    assert game.payoffs is not None
    return [game.payoffs[(seat - dealer - 1) % 4] for seat in range(4)]


def _check_pack(number: int, kind: str, before: Game, game: Game) -> None:
    """Refuse a deal whose cards cannot have been left by the deal before, where they were not shuffled."""
    if kind == "shuffled":
        return
    keys = game.settings["deal"]
    if kind == "goulash":
        uncut, cut = goulash_stack(before), keys["goulash"]["cut"]
    else:
        uncut, cut = [gathered(before)], keys["cut"]
    pack = pack_of(game.dealt, rounds_of(game.settings, kind, number))
    if not any(pack in (cuts(pile) if cut else [pile]) for pile in uncut):
        raise ValueError(f"Deal {number} is {kind}, but its hands cannot come from the cards of the deal before.")


def _places(games: Sequence[Game]) -> list[tuple[int, ...]]:
    """Where in the cycle each deal can stand, by the suits of all deals of the session (clause 2.8)."""
    trump = games[0].settings["trump"]
    if trump["source"] != "cycle":
        return [() for _ in games]
    cycle = ["N" if suit == "NT" else suit for suit in trump["cycle"]]
    steps = [0]  # places on from the first deal
    for game in games[:-1]:
        steps.append(steps[-1] + (1 if cycle_advances(game) else 0))
    starts = list(range(len(cycle)))
    for number, (game, step) in enumerate(zip(games, steps, strict=True), 1):
        starts = [start for start in starts if cycle[(start + step) % len(cycle)] == game.suit]
        if not starts:
            raise ValueError(f"Deal {number} has the suit {game.suit}, which is not its suit in the cycle.")
    return [tuple((start + step) % len(cycle) for start in starts) for step in steps]
