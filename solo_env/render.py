"""A view as text for a terminal, and as a picture of a card table.

Everything here reads views and rulesets only, never a table, so a drawing cannot show what a seat may not
know. The four hands appear only in ``text_all`` and ``picture_all``, which need the views of all four seats.

The observer (of ``text_all`` and ``picture_all``: the first view) sits at the bottom, its left neighbour at
the left:

                 2 across
      1 left                 3 right
                 0 observer
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from solo_env import actions
from solo_env.cards import (
    N_RANKS,
    N_SEATS,
    N_TRICKS,
    NO_CARD,
    RANKS,
    SUIT_NAMES,
    SUIT_SYMBOLS,
    cards_of,
    sort_for_display,
)
from solo_env.engine.state import ASKED_ELDEST, ASKED_HOLDER, ASKED_PROPOSER, NOBODY
from solo_env.rules.model import (
    AT_LEAST,
    CONTRACT_BY_CALL,
    CONTRACTS,
    GENERAL,
    GENERAL_CONTRACT,
    NAMED,
    NO_CONTRACT,
    NO_TRICK,
    NO_TRUMPS,
    PC,
    Contract,
    Ruleset,
)
from solo_env.view import View

if TYPE_CHECKING:
    from PIL import Image, ImageDraw, ImageFont

Hands = Mapping[int, Sequence[int]]  # by relative seat, the cards that lie face up, as they are to be shown

OBSERVER, LEFT, ACROSS, RIGHT = range(N_SEATS)


class RenderError(ImportError):
    """A drawing that cannot be made here; the message says what is missing."""


# --- Facts in words, for both faces ----------------------------------------------------------------------


def _name(view: View, rel: int) -> str:
    return f"player_{view.seat_of(rel)}"


def _rank(card: int) -> str:
    return RANKS[card % N_RANKS].replace("T", "10")


def _count(n: int, thing: str) -> str:
    return f"{n} {thing}" if n == 1 else f"{n} {thing}s"


def _n_tricks(view: View) -> int:
    return int(view.n_plays) // N_SEATS


def _n_cards(view: View, rel: int) -> int:
    """The cards a seat still holds, which all may count."""
    return N_TRICKS - _n_tricks(view) - (rel in dict(view.trick()))


def _role(view: View, rel: int) -> str:
    if view.contract == NO_CONTRACT:
        return ""
    return {view.declarer_rel: "declarer", view.partner_rel: "partner"}.get(rel, "")


def _is_turned_card_lying(view: View) -> bool:
    """Whether the turned card still lies face up: it is not played, and trick 1 is not complete."""
    if view.turned_card == NO_CARD:
        return False
    played = int(view.played_cards_rel[view.dealer_rel]) >> view.turned_card & 1
    return bool(view.n_plays < N_SEATS and not played)


def _contract(view: View) -> Contract | None:
    if view.contract == GENERAL:
        return GENERAL_CONTRACT
    return None if view.contract == NO_CONTRACT else CONTRACTS[view.contract]


def _target(contract: Contract, ruleset: Ruleset) -> int:
    return ruleset.contract.targets[contract.name] if contract.aim == AT_LEAST else 0


# What a general misère is about, by passout.mode.
_GENERAL_AIMS = {
    "last_trick": "the last trick loses",
    "fewest": "fewest tricks win",
    "first_to_five": "first to five loses",
    "most_tricks": "most tricks lose",
}


def _aim(contract: Contract, ruleset: Ruleset) -> str:
    if contract is GENERAL_CONTRACT:
        return _GENERAL_AIMS[ruleset.passout.mode]
    if contract.aim == NO_TRICK:
        return "no trick"
    target = _target(contract, ruleset)
    return f"all {target} tricks" if target == N_TRICKS else f"at least {target} tricks"


def _side(view: View) -> str:
    """The declaring side by name."""
    if view.declarer_rel == NOBODY:
        return "nobody"
    partner = view.partner_rel
    return _name(view, view.declarer_rel) + ("" if partner == NOBODY else f" and {_name(view, partner)}")


def _taken(view: View) -> int:
    """The tricks of the declaring side, 0 where there is none."""
    if view.declarer_rel == NOBODY:
        return 0
    partner = view.partner_rel
    return int(view.tricks_rel[view.declarer_rel]) + (0 if partner == NOBODY else int(view.tricks_rel[partner]))


def _trumps(view: View) -> str:
    if view.trump >= 0:
        return SUIT_NAMES[view.trump]
    waiting = {actions.AUCTION: "not settled yet", actions.NAMING: "not named yet"}
    return waiting.get(view.phase, "none")


def _need(view: View, contract: Contract, ruleset: Ruleset) -> str:
    """What the declaring side still has to do, or that it is settled already."""
    if contract is GENERAL_CONTRACT:
        return _GENERAL_AIMS[ruleset.passout.mode]
    taken, left = _taken(view), N_TRICKS - _n_tricks(view)
    if contract.aim == NO_TRICK:
        return f"has taken {_count(taken, 'trick')}: lost" if taken else f"must lose {left} more"
    need = _target(contract, ruleset) - taken
    if need > left:
        return f"needs {need} of {left} left: lost"
    return f"needs {need} more" if need > 0 else "has enough: made"


def _result(view: View, contract: Contract, ruleset: Ruleset) -> str:
    """How a finished deal ended, for its declaring side."""
    if contract is GENERAL_CONTRACT:
        paying = [_name(view, rel) for rel in range(N_SEATS) if view.payoff_rel[rel] < 0]
        return f"{' and '.join(paying) or 'nobody'} pay{'' if len(paying) > 1 else 's'}"
    taken, target = _taken(view), _target(contract, ruleset)
    if ruleset.play.revokes == "possible":
        paid = int(view.payoff_rel[view.declarer_rel])
        made = taken == 0 if contract.aim == NO_TRICK else taken >= target
        if paid == 0:
            return "void: both sides revoked"
        if (paid > 0) != made:
            return f"{'made' if paid > 0 else 'lost'}: {'the others' if paid > 0 else 'its side'} revoked"
    if contract.aim == NO_TRICK:
        return f"lost: took {_count(taken, 'trick')}" if taken else "made: took no trick"
    return f"{'made' if taken >= target else 'lost'}: {_count(taken, 'trick')}, {target} needed"


def _thrown_in(view: View) -> str:
    """Why a deal is over without a contract."""
    return "all four passed" if view.standing == NO_CONTRACT else "nobody accepted the proposal"


def _stage(view: View) -> str:
    """Where the deal stands."""
    if view.phase == actions.PLAY:
        return f"trick {_n_tricks(view) + 1} of {N_TRICKS}"
    if view.phase == actions.OVER:
        return "the deal is over"
    return "the auction" if view.phase == actions.AUCTION else "trumps to be named"


def _deal_number(view: View) -> str:
    """Which deal of a session this is; nothing where there is one deal only."""
    return f"deal {view.deal + 1} of {view.n_deals}" if view.n_deals > 1 else ""


def _is_last_trick_seen(view: View) -> bool:
    """Whether there is a complete trick before the current one that may still be looked at (clause 8.4)."""
    return bool(view.last_trick())


def _standing(view: View) -> str:
    """The standing call and who holds it."""
    if view.standing == NO_CONTRACT:
        return "no bid yet"
    if view.acceptor_rel != NOBODY:
        return f"proposal by {_name(view, view.holder_rel)}, accepted by {_name(view, view.acceptor_rel)}"
    title = "proposal" if view.standing == PC else CONTRACTS[view.standing].title
    return f"{title} by {_name(view, view.holder_rel)}"


def _asked(view: View) -> str:
    """What is asked of the seat on turn."""
    if view.phase == actions.AUCTION:
        asked = {
            ASKED_ELDEST: "to accept or decline",
            ASKED_PROPOSER: "to raise or give up",
            ASKED_HOLDER: "to raise or stand",
        }
        return asked.get(view.asked, "to call")
    return "to name trumps" if view.phase == actions.NAMING else "to play"


def _auction_rows(view: View) -> list[list[str]]:
    """The calls as rows of four columns, eldest's first; a seat that was not asked leaves a gap."""
    rows: list[list[str]] = []
    last = N_SEATS
    for rel, call in view.auction():
        column = (rel - view.dealer_rel - 1) % N_SEATS
        if column <= last:
            rows.append([""] * N_SEATS)
        rows[-1][column] = call
        last = column
    return rows


def _auction_seats(view: View) -> list[int]:
    """The relative seats of the columns of the auction: eldest to dealer."""
    return [(view.dealer_rel + 1 + position) % N_SEATS for position in range(N_SEATS)]


def _last_call(view: View, rel: int) -> str:
    return next((call for caller, call in reversed(view.auction()) if caller == rel), "")


def _call_meaning(action: int, ruleset: Ruleset) -> str:
    """What a call or a naming of trumps means, in a few words."""
    if action >= actions.FIRST_TRUMPS:
        return SUIT_NAMES[action - actions.FIRST_TRUMPS]
    joint = ruleset.contract.targets.get("PC")
    own = {
        actions.PASS: "no bid",
        actions.PROP: f"propose: {joint} with a partner",
        actions.COP: f"accept: {joint} with the proposer",
    }
    if action in own:
        return own[action]
    contract = CONTRACTS[CONTRACT_BY_CALL[actions.text(action)]]
    if contract.aim == NO_TRICK:
        return contract.title
    trumps = {NO_TRUMPS: ", no trumps", NAMED: ", own trumps"}.get(ruleset.trumps_of(contract), "")
    return f"{contract.title}: {_target(contract, ruleset)}{trumps}"


def _face_up(view: View) -> dict[int, Sequence[int]]:
    """The cards that the observer may see in hands: its own and an exposed one."""
    hands: dict[int, Sequence[int]] = {OBSERVER: view.hand()}
    if view.exposed_rel != NOBODY:
        hands[view.exposed_rel] = sort_for_display(cards_of(view.exposed_cards))
    return hands


def _all_face_up(views: Sequence[View]) -> dict[int, Sequence[int]]:
    if sorted(view.seat for view in views) != list(range(N_SEATS)):
        raise ValueError(f"to show all hands takes four views, one a seat; here are {len(views)}.")
    return {(view.seat - views[0].seat) % N_SEATS: view.hand() for view in views}


# --- Text ------------------------------------------------------------------------------------------------

WIDTH = 78
_SIDE = 27  # columns of the left and the right seat
_MIDDLE = WIDTH - 2 * _SIDE


def text(view: View, ruleset: Ruleset) -> str:
    """The table as one seat sees it: about 25 lines of at most 78 columns, without colour codes."""
    lines = [*_text_table(view, ruleset, f"seen by {_name(view, OBSERVER)}"), ""]
    for rel, cards in _face_up(view).items():
        label = "Your hand" if rel == OBSERVER else f"{_name(view, rel)}, exposed"
        lines.append(f"{label}: {hand_text(cards)}")
    return "\n".join([*lines, *_text_choice(view, ruleset)])


def text_all(views: Sequence[View], ruleset: Ruleset) -> str:
    """The table with all four hands, from four views, one a seat; the first view's seat is at the bottom.

    Raises:
        ValueError: the views are not those of the four seats.
    """
    hands = _all_face_up(views)
    lines = [*_text_table(views[0], ruleset, "all hands shown"), ""]
    lines += [f"{_name(views[0], rel)}: {hand_text(hands[rel])}" for rel in range(N_SEATS)]
    on_turn = next((view for view in views if view.turn_rel == OBSERVER), views[0])
    return "\n".join([*lines, *_text_choice(on_turn, ruleset)])


def _card(card: int) -> str:
    return SUIT_SYMBOLS[card // N_RANKS] + _rank(card)


def hand_text(cards: Sequence[int]) -> str:
    """Cards by suit: "♠A K 10  ♥7"."""
    suits = list(dict.fromkeys(card // N_RANKS for card in cards))
    runs = (" ".join(_rank(card) for card in cards if card // N_RANKS == suit) for suit in suits)
    return "   ".join(SUIT_SYMBOLS[suit] + run for suit, run in zip(suits, runs, strict=True)) or "no cards"


def _text_table(view: View, ruleset: Ruleset, seen: str) -> list[str]:
    """The lines above the hands: state, contract, auction, the four seats, the last trick."""
    title = "  ".join(part for part in ("SOLO WHIST", _deal_number(view), _stage(view)) if part)
    lines = [title + seen.rjust(WIDTH - len(title)), "-" * WIDTH, *_text_contract(view, ruleset), ""]
    lines += [*_text_auction(view), "", *_text_seats(view)]
    if view.n_deals > 1:
        lines += ["", f"Account in units: {_by_seat(view, view.account_rel)}"]
    if _is_last_trick_seen(view):
        last = view.last_trick()
        cards = " ".join(_card(card) for _, card in last)
        winner = _name(view, int(view.trick_winners_rel[_n_tricks(view) - 1]))
        lines += ["", f"Last trick: {cards}, led by {_name(view, last[0][0])}, won by {winner}"]
    return lines


def _text_contract(view: View, ruleset: Ruleset) -> list[str]:
    """Contract, trumps and turned card, tricks by side."""
    turned = "the deal's suit: " + (SUIT_NAMES[view.suit] if view.suit >= 0 else "none")
    if view.turned_card != NO_CARD:
        turned = f"turned up by {_name(view, view.dealer_rel)}: {_card(view.turned_card)}"
    contract = _contract(view)
    if contract is None:
        over = view.phase == actions.OVER
        return [
            f"Thrown in: {_thrown_in(view)}" if over else f"Standing call: {_standing(view)}",
            turned[0].upper() + turned[1:],
        ]
    symbol = f"{SUIT_SYMBOLS[view.trump]} " if view.trump >= 0 else ""
    taken = _taken(view)
    over = view.phase == actions.OVER
    state = _result(view, contract, ruleset) if over else _need(view, contract, ruleset)
    if contract is GENERAL_CONTRACT:
        return [f"General misère: {state}", f"Trumps: none; {turned}"]
    return [
        f"Contract: {contract.title} by {_side(view)}, {_aim(contract, ruleset)}",
        f"Trumps: {symbol}{_trumps(view)}; {turned}",
        f"Tricks: {_side(view)} {taken}, the others {_n_tricks(view) - taken}; {state}",
    ]


def _text_auction(view: View) -> list[str]:
    """The auction as a table, a column a seat."""
    seats = _auction_seats(view)
    heads = [_name(view, rel) + (" (D)" if rel == view.dealer_rel else "") for rel in seats]
    rows = _auction_rows(view) or [["-"] * N_SEATS]
    labels = ["Auction:"] + [""] * len(rows)
    cells = zip(labels, [heads, *rows], strict=True)
    return [f"{label:<10}{''.join(f'{cell:<15}' for cell in row)}".rstrip() for label, row in cells]


def _text_seats(view: View) -> list[str]:
    """The four seats around the current trick ."""
    lying = dict(view.trick())
    empty = "." if view.phase == actions.PLAY else ""
    spot = {rel: _card(lying[rel]) if rel in lying else empty for rel in range(N_SEATS)}
    labels = {rel: _text_seat(view, rel) for rel in range(N_SEATS)}
    sides = [_three(labels[LEFT][i], "", labels[RIGHT][i]) for i in range(2)]
    sides[0] = _three(labels[LEFT][0], f"{spot[LEFT]:<5}     {spot[RIGHT]:>5}", labels[RIGHT][0])
    lines = [*(line.center(WIDTH) for line in labels[ACROSS]), _three("", spot[ACROSS], "")]
    lines += [*sides, _three("", spot[OBSERVER], ""), *(line.center(WIDTH) for line in labels[OBSERVER])]
    return [line.rstrip() for line in lines]


def _three(left: str, middle: str, right: str) -> str:
    return f"{left:<{_SIDE}}{middle:^{_MIDDLE}}{right:>{_SIDE}}"


def _text_seat(view: View, rel: int) -> tuple[str, str]:
    """The two lines of a seat: who it is; what it holds, has won or gets."""
    marks = [_name(view, rel), "(D)" if rel == view.dealer_rel else "", _role(view, rel)]
    first = " ".join(mark for mark in marks if mark)
    if view.phase == actions.OVER:
        return first, f"{_count(int(view.tricks_rel[rel]), 'trick')}, {_units(view, rel)}"
    second = _count(_n_cards(view, rel), "card")
    if view.phase == actions.PLAY:
        second += f", {_count(int(view.tricks_rel[rel]), 'trick')}"
    return (f"> {first} <" if rel == view.turn_rel else first), second


def _units(view: View, rel: int) -> str:
    payoff = int(view.payoff_rel[rel])
    return f"{_signed(payoff)} unit{'' if abs(payoff) == 1 else 's'}"


def _by_seat(view: View, units: NDArray[np.int32]) -> str:
    """Units of all seats in the order of their numbers."""
    by_seat = sorted(range(N_SEATS), key=view.seat_of)
    return ", ".join(f"{_name(view, rel)} {_signed(int(units[rel]))}" for rel in by_seat)


def _signed(payoff: int) -> str:
    return f"{payoff:+d}" if payoff else "0"


def _text_choice(view: View, ruleset: Ruleset) -> list[str]:
    """The last lines: what may be done, who is waited for, or the payoffs."""
    if view.phase == actions.OVER:
        return [f"Payoffs in units: {_by_seat(view, view.payoff_rel)}"]
    if view.turn_rel != OBSERVER:
        return [f"Waiting for {_name(view, view.turn_rel)} {_asked(view)}."]
    asked = f"{_name(view, OBSERVER)} {_asked(view)}:"
    if view.phase == actions.PLAY:
        return [f"{asked} {' '.join(actions.text(card) for card in sort_for_display(view.legal_actions()))}"]
    return [
        asked,
        *_two_columns([f"{actions.text(a)} {_call_meaning(a, ruleset)}" for a in view.legal_actions()]),
    ]


def _two_columns(cells: list[str]) -> list[str]:
    """Cells one below the other in two columns, indented; in one where two would be too wide."""
    half = (len(cells) + 1) // 2
    left, right = cells[:half], [*cells[half:], ""][:half]
    width = max(map(len, left)) + 4
    if width + max(map(len, right)) + 2 > WIDTH:
        return [f"  {cell}" for cell in cells]
    return [f"  {a:<{width}}{b}".rstrip() for a, b in zip(left, right, strict=True)]


# --- Picture ---------------------------------------------------------------------------------------------
#
# Places are in pixels of the finished picture; all is drawn SUPERSAMPLE times as large and scaled down.
#
#      10                         702 714            950
#    10 +---------------------------+  +--------------+
#       |  plate   hand, plate      |  |  stage       |
#       |  hand                hand |  |  contract    |
#       |           trick           |  |  auction     |
#       |           plate           |  |  last trick  |
#       |           hand            |  |  payoffs     |
#   710 +---------------------------+  +--------------+

PICTURE_SHAPE = (720, 960, 3)  # [H, W, 3]
SUPERSAMPLE = 2
_FINE = 4  # cards and suits are drawn this many times finer still

Colour = tuple[int, int, int]
Point = tuple[float, float]

_WOOD, _WOOD_DARK = (84, 52, 30), (52, 30, 16)
_BAIZE_LIGHT, _BAIZE_DARK = (38, 124, 78), (12, 66, 42)
_PAPER, _PAPER_LINE, _INK, _INK_SOFT = (250, 245, 230), (205, 194, 166), (40, 36, 32), (118, 108, 94)
_PLATE, _PLATE_TEXT, _PLATE_SOFT = (10, 48, 32), (252, 250, 240), (176, 208, 186)
_GOLD, _GOLD_DARK, _BLUE = (242, 196, 76), (166, 120, 24), (92, 122, 158)
_RED, _BLACK = (196, 28, 44), (28, 30, 36)
_CARD_FACE, _CARD_EDGE = (255, 253, 247), (122, 116, 106)
_BACK, _BACK_LINE = (40, 70, 126), (120, 150, 200)
_COURT_TINT = ((236, 240, 248), (250, 234, 226), (252, 232, 228), (234, 236, 246))
_SUIT_COLOUR = (_BLACK, _RED, _RED, _BLACK)

_TABLE_BOX, _PANEL_BOX = (10, 10, 702, 710), (714, 10, 950, 710)
_CENTRE = (356, 335)
_CARD_WIDTH, _SMALL_WIDTH, _BACK_WIDTH, _MINI_WIDTH = 76, 58, 50, 44
_CARD_RATIO = 1.4  # height by width
_PLATE_AT = ((356, 562), (112, 150), (356, 120), (600, 150))
_PLATE_SIZE = (176, 50)
_TRICK_AT = ((356, 418), (250, 335), (356, 252), (462, 335))
_TURNED_AT = ((496, 540), (150, 470), (584, 60), (562, 470))
_QUARTERS = (0, 3, 0, 1)  # quarter turns to the left of the cards of each seat


def picture(view: View, ruleset: Ruleset) -> NDArray[np.uint8]:  # [H, W, 3]
    """The table as one seat sees it, as RGB pixels of shape ``PICTURE_SHAPE``.

    Raises:
        RenderError: pillow is not installed.
    """
    return _draw_table(view, ruleset, _face_up(view))


def picture_all(views: Sequence[View], ruleset: Ruleset) -> NDArray[np.uint8]:  # [H, W, 3]
    """The table with all four hands, from four views, one a seat; the first view's seat is at the bottom.

    Raises:
        RenderError: pillow is not installed.
        ValueError: the views are not those of the four seats.
    """
    return _draw_table(views[0], ruleset, _all_face_up(views))


def _draw_table(view: View, ruleset: Ruleset, hands: Hands) -> NDArray[np.uint8]:
    canvas = _Canvas()
    for rel in (ACROSS, LEFT, RIGHT, OBSERVER):
        _draw_hand(canvas, view, rel, hands)
        _draw_plate(canvas, view, rel)
    if _is_turned_card_lying(view):
        canvas.card(view.turned_card, _TURNED_AT[view.dealer_rel], _SMALL_WIDTH)
    for rel, card in view.trick():
        canvas.card(card, _TRICK_AT[rel], _CARD_WIDTH, quarters=_QUARTERS[rel])
    if view.phase == actions.OVER:
        _draw_result(canvas, view, ruleset)
    _draw_panel(canvas, view, ruleset)
    return canvas.pixels()


# Shapes of the suits: polygons in a square of side 1 around (0, 0), y downwards.


def _circle(x: float, y: float, radius: float) -> list[Point]:
    turns = [2 * math.pi * i / 48 for i in range(48)]
    return [(x + radius * math.cos(t), y + radius * math.sin(t)) for t in turns]


def _heart(scale: float, dy: float, up: int) -> list[Point]:
    turns = [2 * math.pi * i / 96 for i in range(96)]
    return [
        (
            scale * 16 * math.sin(t) ** 3 / 33,
            dy
            - up
            * scale
            * (13 * math.cos(t) - 5 * math.cos(2 * t) - 2 * math.cos(3 * t) - math.cos(4 * t) + 2.5)
            / 29,
        )
        for t in turns
    ]


def _stem(top: float) -> list[Point]:
    """A stem that widens to the foot, between two curves."""
    steps = [i / 12 for i in range(13)]
    right = [(0.035 + 0.19 * u**2.2, top + (0.5 - top) * u) for u in steps]
    return right + [(-x, y) for x, y in reversed(right)]


def _diamond() -> list[Point]:
    """Four sides that bend slightly inwards."""
    corners = [(0.0, -0.52), (0.38, 0.0), (0.0, 0.52), (-0.38, 0.0)]
    points: list[Point] = []
    for (x, y), (x2, y2) in zip(corners, corners[1:] + corners[:1], strict=True):
        points += [(x, y), (0.47 * (x + x2), 0.47 * (y + y2))]
    return points


_SUIT_SHAPES: tuple[list[list[Point]], ...] = (
    [
        _circle(0, -0.25, 0.235),
        _circle(-0.26, 0.1, 0.235),
        _circle(0.26, 0.1, 0.235),
        _circle(0, 0, 0.12),
        _stem(-0.05),
    ],
    [_diamond()],
    [_heart(1.0, 0.0, 1)],
    [_heart(0.86, -0.07, -1), _stem(0.0)],
)


_DIM = 0.68  # brightness of a card that may not be played
_SHADOW = 12  # margin of a shadow, in canvas pixels


# Sprites: cards and suits, drawn finely once and kept; sizes in pixels of the finished picture.


def _fine_sheet(width: float, height: float, colour: Colour) -> tuple[Image.Image, ImageDraw.ImageDraw]:
    """A transparent sheet, ``_FINE`` times as fine as the canvas, and a pen for it."""
    from PIL import Image, ImageDraw

    scale = SUPERSAMPLE * _FINE
    sheet = Image.new("RGBA", (round(width * scale), round(height * scale)), (*colour, 0))
    return sheet, ImageDraw.Draw(sheet)


@lru_cache(maxsize=64)
def _font(pixels: int) -> ImageFont.FreeTypeFont:
    """The font that comes inside pillow, so that pictures are the same everywhere."""
    from PIL import ImageFont

    font = ImageFont.load_default(pixels)
    if not isinstance(font, ImageFont.FreeTypeFont):
        raise RenderError("pictures need a pillow with FreeType, as every wheel of it has.")
    return font


def _draw_suit(
    pen: ImageDraw.ImageDraw, suit: int, at: Point, size: float, colour: Colour | None = None, upside: int = 1
) -> None:
    """A suit symbol of about ``size`` around a point; ``upside`` -1 turns it on its head."""
    for shape in _SUIT_SHAPES[suit]:
        points = [(at[0] + size * x, at[1] + upside * size * y) for x, y in shape]
        pen.polygon(points, fill=colour or _SUIT_COLOUR[suit])


@lru_cache(maxsize=64)
def _suit_sprite(suit: int, size: int) -> Image.Image:
    sheet, pen = _fine_sheet(size, size, _SUIT_COLOUR[suit])
    half = size * SUPERSAMPLE * _FINE / 2
    _draw_suit(pen, suit, (half, half), 1.8 * half)
    return sheet.reduce(_FINE)


# Pips in a card 100 wide and 140 high: (columns, heights) of rank 2 (0) to ten (8) and ace (12).
_PIPS: Mapping[int, str] = {
    0: "C28 C112",
    1: "C28 C70 C112",
    2: "L28 R28 L112 R112",
    3: "L28 R28 C70 L112 R112",
    4: "L28 R28 L70 R70 L112 R112",
    5: "L28 R28 C49 L70 R70 L112 R112",
    6: "L28 R28 C49 L70 R70 C91 L112 R112",
    7: "L28 R28 L56 R56 C70 L84 R84 L112 R112",
    8: "L28 R28 C42 L56 R56 L84 R84 C98 L112 R112",
    12: "C70",
}
_PIP_COLUMN = {"L": 40, "C": 50, "R": 60}
_CARD_UNITS = (100, 140)
_MIDDLE_PIP, _PIP_SIZE, _LARGE_SIZE = 70, 16.5, 46
_TEN, _ACE = 8, 12

# How a face is drawn: with all its pips; for a column of cards, of which only the top strip shows; or tiny.
_FULL, _STRIP, _MINI = range(3)


@lru_cache(maxsize=512)
def _card_sprite(card: int, width: int, style: int, quarters: int, dim: bool) -> Image.Image:
    """A card face up, turned ``quarters`` times to the left, ``dim`` when it may not be played."""
    from PIL import Image, ImageEnhance

    sheet, pen = _fine_sheet(width, width * _CARD_RATIO, _CARD_EDGE)
    unit = sheet.width / _CARD_UNITS[0]
    _draw_card_body(pen, sheet.size, unit, _CARD_FACE)
    suit, rank = divmod(card, N_RANKS)
    if style == _STRIP:
        _draw_suit(pen, suit, (50 * unit, 88 * unit), _LARGE_SIZE * unit)
    elif style == _FULL and rank in _PIPS:
        _draw_pips(pen, suit, rank, unit)
    elif style == _FULL:
        _draw_court(sheet, suit, rank, unit)
    index = Image.new("RGBA", sheet.size, (*_SUIT_COLOUR[suit], 0))
    _draw_index(index, card, unit, style)
    sheet.alpha_composite(index)
    if style == _FULL:
        sheet.alpha_composite(index.rotate(180))
    sprite = ImageEnhance.Brightness(sheet.reduce(_FINE)).enhance(_DIM if dim else 1.0)
    return _quarter_turned(sprite, quarters)


@lru_cache(maxsize=16)
def _back_sprite(width: int, quarters: int) -> Image.Image:
    """A card face down."""
    sheet, pen = _fine_sheet(width, width * _CARD_RATIO, _CARD_EDGE)
    unit = sheet.width / _CARD_UNITS[0]
    _draw_card_body(pen, sheet.size, unit, _CARD_FACE)
    inner = (8 * unit, 8 * unit, sheet.width - 8 * unit, sheet.height - 8 * unit)
    pen.rounded_rectangle(inner, 6 * unit, fill=_BACK)
    for row in range(9):
        for column in range(5 + row % 2):
            at = ((50 + 16 * (column - 2 - row % 2 / 2)) * unit, (70 + 13.4 * (row - 4)) * unit)
            _draw_suit(pen, 1, at, 9 * unit, _BACK_LINE)
    return _quarter_turned(sheet.reduce(_FINE), quarters)


def _quarter_turned(sprite: Image.Image, quarters: int) -> Image.Image:
    from PIL import Image

    turns = (Image.Transpose.ROTATE_90, Image.Transpose.ROTATE_180, Image.Transpose.ROTATE_270)
    return sprite.transpose(turns[quarters - 1]) if quarters else sprite


def _draw_card_body(pen: ImageDraw.ImageDraw, size: tuple[int, int], unit: float, colour: Colour) -> None:
    box = (0, 0, size[0] - 1, size[1] - 1)
    pen.rounded_rectangle(box, 9 * unit, fill=colour, outline=_CARD_EDGE, width=max(1, round(1.6 * unit)))


def _draw_pips(pen: ImageDraw.ImageDraw, suit: int, rank: int, unit: float) -> None:
    for place in _PIPS[rank].split():
        x, y = _PIP_COLUMN[place[0]], int(place[1:])
        size = _LARGE_SIZE if rank == _ACE else _PIP_SIZE
        _draw_suit(pen, suit, (x * unit, y * unit), size * unit, upside=-1 if y > _MIDDLE_PIP else 1)


def _draw_court(sheet: Image.Image, suit: int, rank: int, unit: float) -> None:
    """A framed letter under a crown, the same upside down, and two suit symbols."""
    from PIL import Image, ImageDraw

    half = Image.new("RGBA", sheet.size, (*_COURT_TINT[suit], 0))
    pen = ImageDraw.Draw(half)
    colour = _SUIT_COLOUR[suit]
    pen.rectangle([c * unit for c in (29, 15, 71, 70)], fill=_COURT_TINT[suit])
    for line in ((29, 15, 71, 15), (29, 15, 29, 70), (71, 15, 71, 70)):
        pen.line([c * unit for c in line], fill=_GOLD_DARK, width=round(1.5 * unit))
    _draw_suit(pen, suit, (37.5 * unit, 25 * unit), 13 * unit)
    sheet.alpha_composite(half)
    sheet.alpha_composite(half.rotate(180))
    pen = ImageDraw.Draw(sheet)
    _draw_crown(pen, rank, unit)
    pen.text(
        (50 * unit, 76 * unit),
        RANKS[rank],
        font=_font(round(44 * unit)),
        fill=colour,
        anchor="mm",
        stroke_width=round(1.2 * unit),
        stroke_fill=colour,
    )


# A crown above the letter: jack, queen and king have two, three and five points.
_CROWN_POINTS = {9: 2, 10: 3, 11: 5}


def _draw_crown(pen: ImageDraw.ImageDraw, rank: int, unit: float) -> None:
    points = _CROWN_POINTS[rank]
    left, right, top, base = 38.0, 62.0, 40.0, 53.0
    step = (right - left) / (points - 1)
    outline: list[Point] = [(left, base), (left, top)]
    for i in range(points - 1):
        outline += [(left + (i + 0.5) * step, base - 5), (left + (i + 1) * step, top)]
    outline.append((right, base))
    pen.polygon([(x * unit, y * unit) for x, y in outline], fill=_GOLD, outline=_GOLD_DARK)
    for i in range(points):
        pen.polygon([(x * unit, y * unit) for x, y in _circle(left + i * step, top, 2.2)], fill=_GOLD_DARK)


# By style: how much larger the index is, where its rank and its suit stand.
_INDEX = {
    _FULL: (1.0, (15, 22), (15, 49)),
    _STRIP: (1.15, (21, 24), (54, 24)),
    _MINI: (2.0, (50, 42), (50, 104)),
}


def _draw_index(sheet: Image.Image, card: int, unit: float, style: int) -> None:
    """Rank and suit in the upper left corner, in the strip at the top, or filling a tiny card."""
    from PIL import ImageDraw

    pen = ImageDraw.Draw(sheet)
    grow, (x, y), (suit_x, suit_y) = _INDEX[style]
    suit, rank = divmod(card, N_RANKS)
    colour, weight = _SUIT_COLOUR[suit], round(0.8 * grow * unit)
    ten = rank == _TEN  # two letters, set closely and a little smaller
    letters = [("1", x - 6.4 * grow), ("0", x + 5.0 * grow)] if ten else [(_rank(card), x)]
    font = _font(round((27 if ten else 30) * grow * unit))
    for letter, at in letters:
        place = (at * unit, y * unit)
        pen.text(place, letter, font=font, fill=colour, anchor="mm", stroke_width=weight, stroke_fill=colour)
    _draw_suit(pen, suit, (suit_x * unit, suit_y * unit), 20 * grow * unit)


@lru_cache(maxsize=16)
def _shadow_sprite(width: int, height: int) -> Image.Image:
    """A soft shadow of a card, with a margin of ``_SHADOW`` pixels all round; sizes in canvas pixels."""
    from PIL import Image, ImageDraw, ImageFilter

    sheet = Image.new("RGBA", (width + 2 * _SHADOW, height + 2 * _SHADOW), (0, 0, 0, 0))
    box = (_SHADOW, _SHADOW, _SHADOW + width, _SHADOW + height)
    ImageDraw.Draw(sheet).rounded_rectangle(box, 8, fill=(0, 0, 0, 110))
    return sheet.filter(ImageFilter.GaussianBlur(4))


@lru_cache(maxsize=1)
def _background() -> Image.Image:
    """The empty table and the empty panel at canvas size."""
    from PIL import Image, ImageDraw

    height, width = PICTURE_SHAPE[0] * SUPERSAMPLE, PICTURE_SHAPE[1] * SUPERSAMPLE
    y, x = np.mgrid[0:height, 0:width]
    away = np.hypot(x / SUPERSAMPLE - _CENTRE[0], 1.1 * (y / SUPERSAMPLE - _CENTRE[1])) / 480
    mix = np.clip(away, 0, 1)[..., None] ** 1.5
    baize = np.array(_BAIZE_LIGHT) * (1 - mix) + np.array(_BAIZE_DARK) * mix
    mask = Image.new("L", (width, height))
    table = [SUPERSAMPLE * c for c in _TABLE_BOX]
    ImageDraw.Draw(mask).rounded_rectangle(table, 18 * SUPERSAMPLE, fill=255)
    image = Image.composite(Image.fromarray(baize.astype(np.uint8)), Image.new("RGB", (width, height), _WOOD), mask)
    pen = ImageDraw.Draw(image)
    pen.rounded_rectangle(table, 18 * SUPERSAMPLE, outline=_WOOD_DARK, width=2 * SUPERSAMPLE)
    panel = [SUPERSAMPLE * c for c in _PANEL_BOX]
    pen.rounded_rectangle(panel, 10 * SUPERSAMPLE, fill=_PAPER, outline=_WOOD_DARK, width=2 * SUPERSAMPLE)
    return image


class _Canvas:
    """A picture in the making; takes places in pixels of the finished picture."""

    def __init__(self) -> None:
        try:
            from PIL import ImageDraw
        except ImportError:
            raise RenderError('pictures need pillow: pip install "solo-whist[render]"') from None
        self.image = _background().copy()
        self.pen = ImageDraw.Draw(self.image)

    def pixels(self) -> NDArray[np.uint8]:  # [H, W, 3]
        """The finished picture."""
        return np.asarray(self.image.reduce(SUPERSAMPLE)).copy()

    def box(
        self,
        box: Sequence[float],
        radius: float,
        fill: Colour | None,
        outline: Colour | None = None,
        width: float = 1,
    ) -> None:
        """A rounded rectangle."""
        corners = [SUPERSAMPLE * c for c in box]
        line = round(width * SUPERSAMPLE)
        self.pen.rounded_rectangle(corners, radius * SUPERSAMPLE, fill=fill, outline=outline, width=line)

    def text(
        self,
        at: Point,
        words: str,
        size: float,
        colour: Colour,
        anchor: str = "l",
        bold: bool = False,
        room: float = math.inf,
    ) -> None:
        """One line, centred on its height; smaller where it would take more than ``room`` pixels."""
        plain = words.replace("è", "e")  # the font has no accents
        font = _font(round(size * SUPERSAMPLE))
        length = font.getlength(plain)
        if length > room * SUPERSAMPLE:
            font = _font(int(size * SUPERSAMPLE * room * SUPERSAMPLE / length))
            length = font.getlength(plain)
        x = at[0] * SUPERSAMPLE - length * {"l": 0.0, "m": 0.5, "r": 1.0}[anchor]
        y, weight = at[1] * SUPERSAMPLE, 1 if bold else 0
        self.pen.text((x, y), plain, font=font, fill=colour, anchor="lm", stroke_width=weight, stroke_fill=colour)
        for place in (i for i, letter in enumerate(words) if letter == "è"):
            em, left = font.size, x + font.getlength(plain[:place])
            accent = [left + 0.2 * em, y - 0.38 * em, left + 0.34 * em, y - 0.27 * em]
            self.pen.line(accent, fill=colour, width=max(1, round(0.07 * em)))

    def sprite(self, sprite: Image.Image, at: Point) -> None:
        """A sprite of canvas size, centred on a place."""
        corner = (
            round(at[0] * SUPERSAMPLE - sprite.width / 2),
            round(at[1] * SUPERSAMPLE - sprite.height / 2),
        )
        self.image.paste(sprite, corner, sprite)

    def card(
        self,
        card: int | None,
        at: Point,
        width: int,
        style: int = _FULL,
        quarters: int = 0,
        dim: bool = False,
    ) -> None:
        """A card centred on a place, with its shadow; None is one face down."""
        if card is None:
            sprite = _back_sprite(width, quarters)
        else:
            sprite = _card_sprite(card, width, style, quarters, dim)
        self.sprite(_shadow_sprite(*sprite.size), (at[0] + 1, at[1] + 2))
        self.sprite(sprite, at)


# The parts of the picture.

_FAN = {OBSERVER: (356, 646, 44), ACROSS: (356, 54, 22), LEFT: (56, 339, 22), RIGHT: (656, 339, 22)}
_FAN_FACE_UP = {OBSERVER: (356, 646, 44), ACROSS: (356, 54, 30), LEFT: (52, 384, 27), RIGHT: (660, 384, 27)}


def _draw_hand(canvas: _Canvas, view: View, rel: int, hands: Hands) -> None:
    """One seat's cards: face up where they may be seen, else as many backs as it holds."""
    lying = view.turned_card if _is_turned_card_lying(view) and rel == view.dealer_rel else None
    cards: list[int | None] = [card for card in hands.get(rel, ()) if card != lying]
    if rel not in hands:
        cards = [None] * (_n_cards(view, rel) - (lying is not None))
    x, y, step = (_FAN_FACE_UP if rel in hands else _FAN)[rel]
    width = _CARD_WIDTH if rel == OBSERVER else _SMALL_WIDTH if rel in hands else _BACK_WIDTH
    upright, choice = rel in {LEFT, RIGHT}, rel == OBSERVER and bool(view.legal_cards)
    for i, card in enumerate(cards):
        shift = step * (i - (len(cards) - 1) / 2)
        at = (x, y + shift) if upright else (x + shift, y)
        dim = choice and card is not None and not view.legal_cards >> card & 1
        canvas.card(card, at, width, _STRIP if upright else _FULL, _QUARTERS[rel] if card is None else 0, dim)


def _draw_plate(canvas: _Canvas, view: View, rel: int) -> None:
    """A seat's name, dealer's button, last call, role, and tricks or payoff."""
    (x, y), (width, height) = _PLATE_AT[rel], _PLATE_SIZE
    left, right, top = x - width / 2, x + width / 2, y - height / 2
    on_turn = rel == view.turn_rel
    outline = _GOLD if on_turn else _BAIZE_DARK
    canvas.box((left, top, right, top + height), 10, _PLATE, outline, 3 if on_turn else 1)
    if view.phase == actions.OVER:
        state = _units(view, rel)
    else:
        state = _count(int(view.tricks_rel[rel]), "trick") if view.phase == actions.PLAY else ""
    account = f"account {_signed(int(view.account_rel[rel]))}" if view.n_deals > 1 else ""
    words = ", ".join(word for word in (_role(view, rel), state, account) if word)
    canvas.text((left + 10, top + 36), words, 15, _PLATE_TEXT, room=width - 20)
    line = top + 16 if words else y
    canvas.text((left + 10, line), _name(view, rel), 18, _GOLD if on_turn else _PLATE_TEXT, bold=True)
    canvas.text((right - 10, line), _last_call(view, rel), 15, _PLATE_SOFT, "r")
    if rel == view.dealer_rel:
        canvas.box((left + 92, line - 10, left + 112, line + 10), 10, _GOLD, _GOLD_DARK)
        canvas.text((left + 102, line), "D", 14, _INK, "m", bold=True)


def _draw_result(canvas: _Canvas, view: View, ruleset: Ruleset) -> None:
    """A card in the middle of the table that says how the deal ended."""
    x, y = _CENTRE
    contract = _contract(view)
    canvas.box((x - 150, y - 52, x + 150, y + 52), 12, _PAPER, _GOLD, 3)
    if contract is None:
        title, by, how = "thrown in", _thrown_in(view), "no contract"
    else:
        by = _aim(contract, ruleset) if contract is GENERAL_CONTRACT else f"by {_side(view)}"
        title, how = contract.title, _result(view, contract, ruleset)
    canvas.text((x, y - 27), title, 22, _INK, "m", bold=True, room=276)
    canvas.text((x, y), by, 17, _INK_SOFT, "m", room=276)
    canvas.text((x, y + 27), how, 19, _INK, "m", bold=True, room=276)


_LEFT_EDGE, _RIGHT_EDGE = 728, 936
_ROOM = _RIGHT_EDGE - _LEFT_EDGE


def _draw_panel(canvas: _Canvas, view: View, ruleset: Ruleset) -> None:
    """The score sheet at the right."""
    canvas.text((_LEFT_EDGE, 34), "SOLO WHIST", 21, _INK, bold=True)
    canvas.text((_LEFT_EDGE, 58), _stage(view), 17, _INK_SOFT)
    canvas.text((_RIGHT_EDGE, 58), _deal_number(view), 15, _INK_SOFT, "r")
    _draw_contract(canvas, view, ruleset)
    _draw_trumps(canvas, view)
    if view.contract != NO_CONTRACT:
        _draw_tricks(canvas, view, ruleset)
    _draw_auction(canvas, view)
    if _is_last_trick_seen(view):
        _draw_last_trick(canvas, view)
    _draw_bottom(canvas, view, ruleset)


def _rule(canvas: _Canvas, y: float, label: str) -> None:
    """A line across the panel with a small heading under it."""
    canvas.box((_LEFT_EDGE, y, _RIGHT_EDGE, y + 1), 0, _PAPER_LINE)
    canvas.text((_LEFT_EDGE, y + 15), label, 14, _INK_SOFT)


def _draw_contract(canvas: _Canvas, view: View, ruleset: Ruleset) -> None:
    contract = _contract(view)
    if contract is not None:
        _rule(canvas, 76, "contract")
        by = "each for himself" if contract is GENERAL_CONTRACT else f"by {_side(view)}"
        title = contract.title
        canvas.text((_RIGHT_EDGE, 91), _aim(contract, ruleset), 14, _INK_SOFT, "r")
    elif view.phase == actions.OVER:
        _rule(canvas, 76, "thrown in")
        title, by = "no contract", _thrown_in(view)
    else:
        _rule(canvas, 76, "standing call")
        title, _, by = _standing(view).partition(" by ")
        by = f"by {by}" if by else ""
    canvas.text((_LEFT_EDGE, 113), title, 20, _INK, bold=True, room=_ROOM)
    canvas.text((_LEFT_EDGE, 137), by, 16, _INK, room=_ROOM)


def _draw_trumps(canvas: _Canvas, view: View) -> None:
    _rule(canvas, 156, "trumps")
    x = _LEFT_EDGE
    if view.trump >= 0:
        canvas.sprite(_suit_sprite(view.trump, 26), (x + 13, 191))
        x += 34
    canvas.text((x, 191), _trumps(view), 18, _INK, bold=True)
    if view.turned_card == NO_CARD:
        canvas.text((_RIGHT_EDGE, 171), "the deal's suit", 14, _INK_SOFT, "r")
        canvas.text((_RIGHT_EDGE, 191), SUIT_NAMES[view.suit] if view.suit >= 0 else "none", 18, _INK, "r")
        return
    canvas.text((_RIGHT_EDGE, 171), "turned up", 14, _INK_SOFT, "r")
    canvas.text((_RIGHT_EDGE - 26, 191), _rank(view.turned_card), 18, _INK, "r", bold=True)
    canvas.sprite(_suit_sprite(view.turned_card // N_RANKS, 20), (_RIGHT_EDGE - 11, 191))


def _draw_tricks(canvas: _Canvas, view: View, ruleset: Ruleset) -> None:
    """A box a trick: the declaring side's from the left, the others' from the right, a mark at the target."""
    contract = _contract(view)
    if contract is None or contract is GENERAL_CONTRACT:
        return
    taken, n_tricks = _taken(view), _n_tricks(view)
    _rule(canvas, 212, f"tricks  {taken} : {n_tricks - taken}")
    state = _result(view, contract, ruleset) if view.phase == actions.OVER else _need(view, contract, ruleset)
    canvas.text((_RIGHT_EDGE, 227), state.partition(":")[0], 15, _INK, "r", bold=True, room=140)
    pitch = _ROOM / N_TRICKS
    for i in range(N_TRICKS):
        others = i >= N_TRICKS - (n_tricks - taken)
        fill = _GOLD if i < taken else _BLUE if others else None
        left = _LEFT_EDGE + pitch * i
        canvas.box((left, 242, left + pitch - 3, 258), 3, fill, _PAPER_LINE if fill is None else fill)
    if contract.aim == AT_LEAST:
        mark = _LEFT_EDGE + pitch * _target(contract, ruleset) - 2
        canvas.box((mark - 1, 238, mark + 1, 262), 0, _RED)


def _draw_auction(canvas: _Canvas, view: View) -> None:
    _rule(canvas, 274, "auction")
    pitch = _ROOM / N_SEATS
    middles = [_LEFT_EDGE + pitch * (i + 0.5) for i in range(N_SEATS)]
    for x, rel in zip(middles, _auction_seats(view), strict=True):
        canvas.text((x, 311), f"P{view.seat_of(rel)}", 15, _INK_SOFT, "m", bold=True)
    rows = _auction_rows(view)
    for i, row in enumerate(rows):
        y = 334 + min(20, 110 / len(rows)) * i
        for x, call in zip(middles, row, strict=True):
            soft = call == actions.text(actions.PASS)
            canvas.text((x, y), call, 15, _INK_SOFT if soft else _INK, "m", not soft, room=pitch - 3)


def _draw_last_trick(canvas: _Canvas, view: View) -> None:
    _rule(canvas, 446, "last trick")
    winner = int(view.trick_winners_rel[_n_tricks(view) - 1])
    canvas.text((_RIGHT_EDGE, 461), f"won by {_name(view, winner)}", 15, _INK, "r", bold=True)
    pitch = _ROOM / N_SEATS
    for i, (rel, card) in enumerate(view.last_trick()):
        x = _LEFT_EDGE + pitch * (i + 0.5)
        if rel == winner:
            canvas.box((x - 25, 473, x + 25, 541), 6, _GOLD)
        canvas.card(card, (x, 507), _MINI_WIDTH, _MINI)
        canvas.text((x, 552), f"P{view.seat_of(rel)}", 14, _INK_SOFT, "m")


def _draw_bottom(canvas: _Canvas, view: View, ruleset: Ruleset) -> None:
    """Payoffs at the end; before, what is asked of whom."""
    if view.phase == actions.OVER:
        _rule(canvas, 568, "payoffs in units")
        for i, rel in enumerate(sorted(range(N_SEATS), key=view.seat_of)):
            y, payoff = 604 + 26 * i, int(view.payoff_rel[rel])
            canvas.text((_LEFT_EDGE, y), _name(view, rel), 18, _INK)
            canvas.text((_RIGHT_EDGE, y), _signed(payoff), 20, _RED if payoff < 0 else _INK, "r", bold=True)
        return
    _rule(canvas, 568, "on turn")
    who = f"{_name(view, view.turn_rel)} {_asked(view)}"
    canvas.text((_LEFT_EDGE, 602), who, 17, _INK, bold=True, room=_ROOM)
    calls = [a for a in view.legal_actions() if a >= actions.FIRST_CALL]
    for i, call in enumerate(calls):
        x, y = _LEFT_EDGE + _ROOM / 3 * (i % 3), 630 + 24 * (i // 3)
        canvas.text((x, y), actions.text(call), 15, _INK, room=_ROOM / 3 - 4)
