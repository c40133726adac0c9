"""A view record as plain Python: what one seat may know, for people, players and outside programs."""

from __future__ import annotations

from typing import Any

import numpy as np

from solo_env import actions
from solo_env.cards import N_SEATS, SUITS, card_text, cards_of, sort_for_display
from solo_env.engine.state import NO_TRUMP, TRUMP_NOT_NAMED, VIEW, new_views
from solo_env.layout import PACKS
from solo_env.rules.model import KIND_NAMES


class View:
    """What one seat may know of a table; holds a copy, so a later move does not change it.

    Seats named ``*_rel`` count from the observer: 0 itself, 1 its left neighbour; -1 is nobody.
    Every field of the dtype ``VIEW`` is an attribute; array fields come as NumPy arrays.
    """

    def __init__(self, record: np.void) -> None:
        views = new_views(1)
        views[0] = record
        self.record: np.void = views[0]

    def __getattr__(self, name: str) -> Any:
        if name == "record" or VIEW.fields is None or name not in VIEW.fields:
            raise AttributeError(f"a view has no {name!r}; it has {', '.join(VIEW.names or ())}.")
        value = self.record[name]
        return value if isinstance(value, np.ndarray) else value.item()

    def legal_actions(self) -> list[int]:
        """The action ids open to the observer now, in order; empty when it is not on turn."""
        calls = self.legal_calls
        named = actions.N_ACTIONS - actions.FIRST_CALL
        return cards_of(self.legal_cards) + [actions.FIRST_CALL + i for i in range(named) if calls >> i & 1]

    def hand(self) -> list[int]:
        """The observer's cards as a player holds them: by suit, high to low."""
        return sort_for_display(cards_of(self.hand_cards))

    def trick(self) -> list[tuple[int, int]]:
        """The current trick as (relative seat, card), in the order played; empty when none lies open."""
        if self.phase != actions.PLAY:
            return []
        lying = self.n_plays % N_SEATS
        return [
            (int(self.play_seats_rel[i]), int(self.plays[i])) for i in range(self.n_plays - lying, self.n_plays)
        ]

    def last_trick(self) -> list[tuple[int, int]]:
        """The last complete trick as (relative seat, card), in the order played; empty if there is none to see."""
        end = self.n_plays - self.n_plays % N_SEATS
        start = max(0, end - N_SEATS, self.n_hidden)
        return [(int(self.play_seats_rel[i]), int(self.plays[i])) for i in range(start, end)]

    def auction(self) -> list[tuple[int, str]]:
        """The calls made as (relative seat, name), in order."""
        return [(int(self.call_seats_rel[i]), actions.text(int(self.calls[i]))) for i in range(self.n_calls)]

    def seat_of(self, rel: int) -> int:
        """The absolute seat of a relative one."""
        return int((self.seat + rel) % N_SEATS)

    def trump_text(self) -> str:
        """The trumps: a suit letter, "none", or "" while they are not named."""
        if self.trump == TRUMP_NOT_NAMED:
            return ""
        return "none" if self.trump == NO_TRUMP else SUITS[self.trump]

    def as_json(self) -> dict[str, Any]:
        """The view as a JSON-ready mapping: cards, calls and actions by name, seats relative."""
        turned = self.turned_card
        return {
            "seat": self.seat,
            "phase": actions.PHASES[self.phase],
            "turn": self.turn_rel,
            "dealer": self.dealer_rel,
            "deal": self.deal,
            "deals": self.n_deals,
            "account": [int(n) for n in self.account_rel],
            "pack": PACKS[self.pack_kind],
            "suit": "none" if self.suit == NO_TRUMP else SUITS[self.suit],
            "turned_card": card_text(turned) if turned >= 0 else None,
            "hand": [card_text(card) for card in self.hand()],
            "auction": [[rel, name] for rel, name in self.auction()],
            "contract": KIND_NAMES[self.contract] if self.contract >= 0 else None,
            "declarer": self.declarer_rel,
            "partner": self.partner_rel,
            "trumps": self.trump_text(),
            "leader": self.leader_rel,
            "plays": [
                [int(self.play_seats_rel[i]), card_text(int(self.plays[i]))]
                for i in range(self.n_hidden, self.n_plays)
            ],
            "tricks": [int(n) for n in self.tricks_rel],
            "failed": [[SUITS[s] for s in range(4) if int(mask) >> s & 1] for mask in self.failed_rel],
            "exposed": None
            if self.exposed_rel < 0
            else [
                self.exposed_rel,
                [card_text(card) for card in sort_for_display(cards_of(self.exposed_cards))],
            ],
            "legal": [actions.text(action) for action in self.legal_actions()],
            "payoff": [int(n) for n in self.payoff_rel] if self.phase == actions.OVER else None,
        }
