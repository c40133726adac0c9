"""What of the tricks may still be looked at: all of them, or with the table's memory the current and the last."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pytest

from solo_env import actions, render
from solo_env.aec import AGENTS, raw_env
from solo_env.cards import N_CARDS, N_RANKS, N_SEATS, N_SUITS, N_TRICKS, NO_CARD, SUITS, card_text, cards_of
from solo_env.engine.state import NOBODY
from solo_env.observation import named_view
from solo_env.rules import load_ruleset
from solo_env.table import Table
from tests.faces.test_render import cards_in
from tests.hidden_cards import exposed_seat, turned_card
from tests.sessions import FORGETFUL, kind_of, lines_of

RULESETS = {
    "perfect recall": 'bga+play.revokes="possible"+play.stop="never"',
    "except_misere": f'{FORGETFUL}+passout.mode="fewest"+play.stop="never"',
    "always": f'{FORGETFUL}+info.last_trick="always"+play.revokes="possible"+play.stop="never"',
    "never": f'{FORGETFUL}+info.last_trick="never"+play.stop="never"',
}


class Position(NamedTuple):
    """A table in play, and its history as it was written down: who played what, who won the tricks."""

    table: Table
    seats: list[int]
    cards: list[int]
    winners: list[int]


def positions(name: str, chance: float) -> Iterator[Position]:
    """Positions in play of all deals of some sessions, each with a chance."""
    rng = random.Random(name)
    for deal in [deal for _ in range(4) for deal in lines_of(load_ruleset(RULESETS[name]), rng)]:
        table, seats, cards, winners = deal.start.clone(), [], [], []
        for action in deal.line:
            if table.data["phase"] == actions.PLAY:
                seats.append(table.turn)
                cards.append(action)
            table.apply(action)
            if cards and len(cards) % N_SEATS == 0:
                winners.append(int(table.data["leader"]))  # who won the trick leads to the next
            if cards and (rng.random() < chance or table.over):
                yield Position(table.clone(), list(seats), list(cards), list(winners))


def first_shown(name: str, position: Position) -> int:
    """The first play that may be looked at: of the trick before the current one, or of the current one."""
    if name == "perfect recall":
        return 0
    n_tricks = len(position.cards) // N_SEATS
    closed = name == "never" or (name == "except_misere" and kind_of(position.table) in ("MIS", "OUV"))
    return N_SEATS * n_tricks if closed or n_tricks == 0 else N_SEATS * (n_tricks - 1)


def blocks_of(position: Position, first: int, seat: int) -> dict[str, np.ndarray]:
    """The blocks of the observation that tell of the tricks, made from what is shown of the history."""
    shape = {
        "played": (N_SEATS, N_CARDS),
        "played_trick": (N_CARDS,),
        "trick": (N_SEATS, N_CARDS),
        "trick_winners": (N_TRICKS, N_SEATS),
        "failed": (N_SEATS, N_SUITS),
    }
    blocks = {name: np.zeros(size, np.int8) for name, size in shape.items()}
    _, seats, cards, winners = position
    for i in range(first, len(cards)):
        rel, card, led = (seats[i] - seat) % N_SEATS, cards[i], cards[i - i % N_SEATS] // N_RANKS
        blocks["played"][rel, card] = 1
        blocks["played_trick"][card] = i // N_SEATS + 1
        if i >= N_SEATS * len(winners):
            blocks["trick"][rel, card] = 1
        if card // N_RANKS != led:
            blocks["failed"][rel, led] = 1
    for trick in range(first // N_SEATS, len(winners)):
        blocks["trick_winners"][trick, (winners[trick] - seat) % N_SEATS] = 1
    return blocks


@pytest.mark.parametrize("name", RULESETS)
def test_an_observation_tells_of_the_tricks_that_may_be_looked_at_and_of_no_other(name):
    env = raw_env(RULESETS[name], deals=2)
    env.reset(seed=1)
    for position in positions(name, chance=0.3):
        env.table.data = position.table.data
        first = first_shown(name, position)
        for seat in range(N_SEATS):
            seen = named_view(env.observe(AGENTS[seat])["observation"])
            for block, cells in blocks_of(position, first, seat).items():
                assert (seen[block] == cells).all(), block


@pytest.mark.parametrize("name", RULESETS)
def test_a_view_and_its_json_tell_of_the_same_tricks(name):
    for position in positions(name, chance=0.2):
        table, seats, cards, winners = position
        first, n_plays = first_shown(name, position), len(cards)
        for seat in range(N_SEATS):
            view = table.view(seat)
            rels = [(s - seat) % N_SEATS for s in seats]
            hidden, unplayed = [NO_CARD] * first, [NO_CARD] * (N_CARDS - n_plays)
            assert view.plays.tolist() == hidden + cards[first:] + unplayed
            assert view.play_seats_rel.tolist() == hidden + rels[first:] + unplayed
            won = [(s - seat) % N_SEATS for s in winners]
            shown = [won[i] if first // N_SEATS <= i < len(won) else NOBODY for i in range(N_TRICKS)]
            assert view.trick_winners_rel.tolist() == shown
            assert view.tricks_rel.tolist() == [won.count(rel) for rel in range(N_SEATS)]  # their number is public
            blocks = blocks_of(position, first, seat)
            assert [cards_of(int(c)) for c in view.played_cards_rel] == [
                np.flatnonzero(row).tolist() for row in blocks["played"]
            ]
            told = view.as_json()
            named = [[rel, card_text(card)] for rel, card in zip(rels, cards, strict=True)]
            assert told["plays"] == named[first:]
            assert told["failed"] == [[SUITS[s] for s in np.flatnonzero(row)] for row in blocks["failed"]]
            complete = N_SEATS * len(winners)
            last = list(zip(rels, cards, strict=True))[max(first, complete - N_SEATS) : complete]
            assert view.last_trick() == last


@pytest.mark.parametrize("name", RULESETS)
def test_a_text_shows_the_current_trick_the_last_if_it_may_be_seen_and_no_other(name):
    lines = 0
    for position in positions(name, chance=0.04):
        table, _, cards, winners = position
        if table.over:
            continue
        complete = N_SEATS * len(winners)
        seen = {*cards[complete:], *cards[max(first_shown(name, position), complete - N_SEATS) : complete]}
        exposed = exposed_seat(table)
        for seat in range(N_SEATS):
            text = render.text(table.view(seat), table.ruleset)
            own = cards_of(int(table.data["hand_cards"][seat]))
            open_hand = cards_of(int(table.data["hand_cards"][exposed])) if exposed >= 0 else []
            known = {*own, *open_hand, *seen, turned_card(table)}
            assert cards_in(text) == {card_text(card) for card in known}
            lines += "Last trick" in text
    assert (lines > 0) == (name != "never")


@pytest.mark.parametrize("name", RULESETS)
def test_the_positions_reach_what_makes_a_difference(name):
    found = [(kind_of(p.table), first_shown(name, p), len(p.cards) // N_SEATS) for p in positions(name, chance=1)]
    assert any(n_tricks > 2 for kind, _, n_tricks in found if kind in ("MIS", "OUV"))
    hidden = {kind for kind, first, _ in found if first}
    assert hidden == set() if name == "perfect recall" else len(hidden) > 3
