"""The action table: every id, the phase it belongs to, its name and what it does.

Sizes, masks, documentation pages and error texts come from here; an id never changes within ``v0``.
"""

from __future__ import annotations

from typing import NamedTuple

from solo_env.cards import N_CARDS, SUIT_NAMES, SUITS, card_text

PASS, PROP, COP, SOLO, MIS, ABU, ABT, PETIT, OUV, DECL, GRAND, RDECL = range(52, 64)
FIRST_TRUMPS = 64  # 64..67 name clubs, diamonds, hearts, spades as trumps
N_ACTIONS = 68
FIRST_CALL = PASS
N_CALLS = FIRST_TRUMPS - FIRST_CALL  # the twelve calls, PASS and COP among them

PHASES = ("auction", "naming", "play", "over")
AUCTION, NAMING, PLAY, OVER = range(4)


class Action(NamedTuple):
    """One row of the action table."""

    id: int
    phase: int
    name: str
    meaning: str


_CALL_MEANINGS = (
    ("PASS", "no call; also declines an acceptance and gives up an unaccepted proposal"),
    ("PROP", "propose: with a partner, eight tricks"),
    ("COP", "accept the proposal"),
    ("SOLO", "five tricks alone, the turned suit trumps"),
    ("MIS", "misère: no trick, no trumps"),
    ("ABU", "abundance: nine tricks alone, trumps named after the auction"),
    ("ABT", "abundance in trumps: nine tricks alone, the turned suit trumps"),
    ("PETIT", "petit slam: twelve tricks alone"),
    ("OUV", "misère ouverte: no trick, no trumps, the hand exposed after trick 1"),
    ("DECL", "abundance declared: all thirteen tricks alone, the caller leads"),
    ("GRAND", "grand slam: all thirteen tricks alone"),
    ("RDECL", "royal abundance declared: all thirteen tricks alone, the turned suit trumps"),
)

TABLE: tuple[Action, ...] = (
    *(Action(card, PLAY, card_text(card), f"play {card_text(card)}") for card in range(N_CARDS)),
    *(Action(FIRST_CALL + i, AUCTION, name, meaning) for i, (name, meaning) in enumerate(_CALL_MEANINGS)),
    *(Action(FIRST_TRUMPS + s, NAMING, f"TRUMPS {SUITS[s]}", f"name {SUIT_NAMES[s]} as trumps") for s in range(4)),
)

_ID_BY_TEXT = {row.name: row.id for row in TABLE}


def text(action: int) -> str:
    """The name of an action id 0..67: "SA", "PROP" or "TRUMPS H"."""
    if not 0 <= action < N_ACTIONS:
        raise ValueError(f"{action} is no action: ids go from 0 to {N_ACTIONS - 1}.")
    return TABLE[action].name


def parse(name: str) -> int:
    """The action id that a name ("SA", "PROP", "TRUMPS H") stands for."""
    try:
        return _ID_BY_TEXT[name]
    except KeyError:
        calls = ", ".join(row.name for row in TABLE if row.phase == AUCTION)
        raise ValueError(
            f"{name!r} is no action: write a card such as SA, a call ({calls}) or TRUMPS and a suit."
        ) from None


def phase(action: int) -> int:
    """The phase (``AUCTION``, ``NAMING`` or ``PLAY``) in which an action id is possible."""
    if not 0 <= action < N_ACTIONS:
        raise ValueError(f"{action} is no action: ids go from 0 to {N_ACTIONS - 1}.")
    return TABLE[action].phase


def markdown_table() -> str:
    """The action table as Markdown, cards folded into one row."""
    rows = ["| id | phase | name | meaning |", "|---|---|---|---|"]
    rows.append("| 0–51 | play | `C2` … `SA` | play the card `13 * suit + rank`, suits C D H S, ranks 2 … A |")
    rows += [f"| {row.id} | {PHASES[row.phase]} | `{row.name}` | {row.meaning} |" for row in TABLE[N_CARDS:]]
    return "\n".join(rows)
