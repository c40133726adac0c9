"""What reaches a seat depends on nothing that the seat may not know, on every face.

A game and its twin are the same actions over two deals that differ in hidden cards only. Both are played through
the public doors (``tests.properties.doors``), and one seat's story of the two must be the same, word for word. So
that this means something, leaks are planted in the product, and the very same comparison must find each of them.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, ClassVar

import numba
import numpy as np
import pytest
from numpy.typing import NDArray

from solo_env import actions, render
from solo_env.aec import AGENTS, raw_env
from solo_env.cards import N_RANKS, N_SEATS, cards_of
from solo_env.engine import batch, one
from solo_env.layout import OFFSETS
from solo_env.observation import named_view
from solo_env.player import NEED_MORE, BatchPlayer, make_player, player_names
from solo_env.rules import load_ruleset, shipped_rulesets
from solo_env.rules.model import KIND_NAMES
from solo_env.table import Table
from solo_env.vector import SoloVectorEnv
from solo_env.view import View
from tests.hidden_cards import Pair, exposed_seat, pairs, redealt
from tests.playing import actions_of, contracts_of, played, random_game
from tests.properties import doors
from tests.properties.doors import Door, noticed

PLAIN = bool(numba.config.DISABLE_JIT)  # the same in plain Python is slow: fewer games
MANY, SOME, FEW = (27, 9, 4) if PLAIN else (120, 40, 16)

PLAYERS = [  # in plain Python a network takes minutes
    pytest.param(name, marks=pytest.mark.jit_only) if name == "ppo" else name
    for name in player_names()
    if name not in NEED_MORE
]
# Keys that move what is shown and when, which no shipped set has so.
FLIPS = [
    'pagat+passout.mode="fewest"',
    'pagat+contract.abu_suit_time="with_call"',
    'pagat+contract.ouv_expose="before_lead"',
    'pagat+info.turnup_after_pickup="hide"',
    'anna_cubed+passout.mode="first_to_five"+contract.abu_suit_time="with_call"+contract.ouv_expose="before_lead"',
]
SHIPPED = [name for name in shipped_rulesets() if name != "pagat"]
RULESETS = [*FLIPS, *(pytest.param(name, marks=pytest.mark.jit_only) for name in SHIPPED)]

FACES: dict[str, Door] = {
    "aec": doors.aec,
    "wrapped": doors.wrapped,
    "batch": doors.batched,
    "batch, next deal": doors.batched_next_deal,
    "batch, packed": doors.batched_packed,
    "records": doors.records,
}


def choices(name: str) -> Door:
    """What the named player gets and chooses in a match."""
    return doors.match_of(lambda ruleset: make_player(name, ruleset))


# --- the proof


@pytest.mark.parametrize("face", FACES)
def test_a_face_shows_nothing_hidden(face):
    assert noticed(pairs("pagat", MANY), FACES[face]) == []


@pytest.mark.parametrize("ruleset", RULESETS)
def test_no_face_shows_anything_hidden_under_any_ruleset(ruleset):
    for door in (*FACES.values(), choices("novice")):
        assert noticed(pairs(ruleset, FEW), door) == []


@pytest.mark.parametrize("name", PLAYERS)
def test_players_choose_the_same_when_hidden_cards_move(name):
    assert noticed(pairs("pagat", MANY), choices(name)) == []


def test_a_picture_shows_nothing_hidden():
    assert noticed(pairs("pagat", MANY)[:6], doors.pictures) == []


# --- the leaks: each is planted in the product, and the comparison above must name it


def neighbours_card(table: np.void, seat: int) -> int:
    """The lowest card of the seat's left neighbour, or of the next that holds one; -1 if none is held."""
    held = [cards_of(int(table["hand_cards"][(seat + i) % N_SEATS])) for i in range(1, N_SEATS)]
    return next((cards[0] for cards in held if cards), -1)


def neighbours_cards(env: SoloVectorEnv) -> list[int]:
    """The same for the seat on turn of each row."""
    return [neighbours_card(table, int(table["turn"])) for table in env._tables]


def observation_of_the_batch(patch: pytest.MonkeyPatch) -> None:
    """``SoloVectorEnv.step`` writes a neighbour's card into the column of a role."""
    step = SoloVectorEnv.step

    def leaking(self: SoloVectorEnv, chosen: Any) -> Any:
        told = step(self, chosen)
        told.observation[:, OFFSETS["role"]] = neighbours_cards(self)
        return told

    patch.setattr(SoloVectorEnv, "step", leaking)


def observation_of_a_reset(patch: pytest.MonkeyPatch) -> None:
    """``SoloVectorEnv.reset`` does, and no step."""
    reset = SoloVectorEnv.reset

    def leaking(self: SoloVectorEnv, *args: Any, **options: Any) -> Any:
        told = reset(self, *args, **options)
        told.observation[:, OFFSETS["role"]] = neighbours_cards(self)
        return told

    patch.setattr(SoloVectorEnv, "reset", leaking)


def views_of_the_batch(patch: pytest.MonkeyPatch) -> None:
    """``SoloVectorEnv.views`` fills a play that is yet to come."""
    views = SoloVectorEnv.views

    def leaking(self: SoloVectorEnv) -> NDArray[np.void]:
        found = views(self).copy()
        found["plays"][:, -1] = neighbours_cards(self)
        return found

    patch.setattr(SoloVectorEnv, "views", leaking)


def final_observation(patch: pytest.MonkeyPatch) -> None:
    """The kernel of the step writes a card that a neighbour never played into the last observation."""
    step_rows = batch.step_rows

    def leaking(tables: NDArray[np.void], rules: Any, chosen: NDArray[np.int64], *buffers: Any) -> None:
        before = tables.copy()
        step_rows(tables, rules, chosen, *buffers)
        final_rows, settled = buffers[3], buffers[5]
        for b in np.flatnonzero(settled):
            final_rows["role"][b, 0] = neighbours_card(before[b], int(before[b]["turn"]))

    patch.setattr(batch, "step_rows", leaking)


def the_deal_before(patch: pytest.MonkeyPatch) -> None:
    """``SoloVectorEnv.step`` lets a column of the deal before stand when it deals anew."""
    step = SoloVectorEnv.step

    def leaking(self: SoloVectorEnv, chosen: Any) -> Any:
        before = neighbours_cards(self)
        told = step(self, chosen)
        told.observation[told.settled, OFFSETS["role"]] = np.array(before)[told.settled]
        return told

    patch.setattr(SoloVectorEnv, "step", leaking)


def hands_in_infos(patch: pytest.MonkeyPatch) -> None:
    """``raw_env.step`` puts all hands into infos."""
    step = raw_env.step

    def leaking(self: raw_env, action: Any) -> None:
        step(self, action)
        self.infos = {agent: {"hands": self.table.data["hand_cards"].tolist()} for agent in self.agents}

    patch.setattr(raw_env, "step", leaking)


def rewards_before_the_end(patch: pytest.MonkeyPatch) -> None:
    """``raw_env.step`` pays for every ace that a neighbour still holds."""
    step = raw_env.step

    def leaking(self: raw_env, action: Any) -> None:
        step(self, action)
        for seat in range(len(self.agents) and N_SEATS):
            aces = sum(card % N_RANKS == 12 for card in cards_of(int(self.table.data["hand_cards"][seat - 1])))
            if AGENTS[seat] in self.rewards:
                self.rewards[AGENTS[seat]] += aces

    patch.setattr(raw_env, "step", leaking)


def mask_of_a_seat_not_on_turn(patch: pytest.MonkeyPatch) -> None:
    """``raw_env.observe`` lets a waiting seat's mask say which suits the seat on turn is out of."""
    observe = raw_env.observe

    def leaking(self: raw_env, agent: str) -> dict[str, NDArray[np.int8]]:
        seen, turn = observe(self, agent), self.table.turn
        if turn >= 0 and AGENTS[turn] != agent:
            suits = {card // N_RANKS for card in cards_of(int(self.table.data["hand_cards"][turn]))}
            seen["action_mask"][:4] = [suit not in suits for suit in range(4)]
        return seen

    patch.setattr(raw_env, "observe", leaking)


def seed_in_the_view(patch: pytest.MonkeyPatch) -> None:
    """The kernel behind ``Table.view`` writes the seed into a field that isn't used yet."""
    view_one = one.view_one

    def leaking(tables: NDArray[np.void], rules: Any, seat: int, views: NDArray[np.void]) -> None:
        view_one(tables, rules, seat, views)
        if views["n_plays"][0] < 52:
            views["plays"][0, -1] = tables["seed"][0] % 50

    patch.setattr(one, "view_one", leaking)


def holder_in_a_refusal(patch: pytest.MonkeyPatch) -> None:
    """The error text of an illegal card says who holds it."""
    why_illegal = Table.why_illegal

    def leaking(self: Table, action: int) -> str:
        held = self.data["hand_cards"] >> min(max(action, 0), 51) & 1
        return f"{why_illegal(self, action)} Held by {np.flatnonzero(held)}."

    patch.setattr(Table, "why_illegal", leaking)


def hands_in_the_text(patch: pytest.MonkeyPatch) -> None:
    """``raw_env.render`` shows every hand to whoever asks."""
    patch.setattr(raw_env, "render", lambda self: render.text_all(self._all_views(), self.ruleset))


def hidden_key(patch: pytest.MonkeyPatch) -> None:
    """The match draws a decision's key from the cards of the pack."""
    write_keys = batch.write_choice_keys

    def leaking(tables: NDArray[np.void], rows: NDArray[np.int64], seats: NDArray[np.int64], *args: Any) -> None:
        write_keys(tables, rows, seats, *args)
        for i, (row, seat) in enumerate(zip(rows, seats, strict=True)):
            args[-1][i] ^= neighbours_card(tables[row], int(seat)) + 1

    patch.setattr(batch, "write_choice_keys", leaking)


class Peeker(BatchPlayer):
    """Plays the highest card or the lowest, as the neighbour's hand has it, which it finds in a global."""

    tables: ClassVar[list[NDArray[np.void]]] = []

    def act_batch(self, views: NDArray[np.void], keys: NDArray[np.int64], out: NDArray[np.int64]) -> None:
        for b, view in enumerate(map(View, views)):
            # One deal a match here, and its four tables are in step.
            card = neighbours_card(self.tables[-1][0], view.seat) if self.tables else 0
            out[b] = view.legal_actions()[-(card % 2)]

    def explain(self, view: View) -> str:
        return "Never mind."


def tables_left_in_a_global(patch: pytest.MonkeyPatch) -> None:
    """The match leaves its tables where a player finds them."""
    open_choices = batch.open_choices

    def leaking(tables: NDArray[np.void], *args: Any) -> int:
        patch.setattr(Peeker, "tables", [tables])
        return int(open_choices(tables, *args))

    patch.setattr(batch, "open_choices", leaking)


LEAKS: list[tuple[Callable[[pytest.MonkeyPatch], None], Door, set[str]]] = [
    (observation_of_the_batch, doors.batched, {"observation"}),
    (observation_of_a_reset, doors.batched, {"observation"}),
    (views_of_the_batch, doors.batched, {"view"}),
    (final_observation, doors.batched, {"final_observation"}),
    (the_deal_before, doors.batched_next_deal, {"observation"}),
    (holder_in_a_refusal, doors.batched, {"refusals"}),
    (holder_in_a_refusal, doors.aec, {"refusals"}),
    (hands_in_infos, doors.aec, {"infos", "last"}),
    (hands_in_infos, doors.wrapped, {"last", "broken off"}),
    (rewards_before_the_end, doors.aec, {"rewards"}),
    (mask_of_a_seat_not_on_turn, doors.aec, {"action_mask"}),
    (seed_in_the_view, doors.aec, {"view"}),
    (hands_in_the_text, doors.aec, {"text"}),
    (hidden_key, choices("pass"), {"keys"}),
    (tables_left_in_a_global, doors.match_of(Peeker), {"choice"}),
]


@pytest.mark.parametrize(("plant", "door", "kinds"), LEAKS, ids=[leak[0].__name__ for leak in LEAKS])
def test_a_planted_leak_is_noticed(monkeypatch, plant, door, kinds):
    plant(monkeypatch)
    assert {line.rpartition(": ")[2] for line in noticed(pairs("pagat", SOME), door)} == kinds


# --- the twins are what they should be


@pytest.mark.parametrize("ruleset", ["pagat", *FLIPS])
def test_a_twin_keeps_what_was_shown_and_moves_hidden_cards(ruleset):
    for game, twin, seat in pairs(ruleset, MANY if ruleset == "pagat" else FEW):
        assert actions_of(game) == actions_of(twin)
        assert (game.dealer, game.suit, game.result) == (twin.dealer, twin.suit, twin.result)
        ours, theirs = game.hands_by_seat(), twin.hands_by_seat()
        assert ours[seat] == theirs[seat]
        assert [set(hand) for hand in ours] != [set(hand) for hand in theirs]
        if game.ruleset.trump.source == "turn_up":
            assert ours[game.dealer][-1] == theirs[game.dealer][-1]
        table = played(game, len(actions_of(game)))
        assert str(played(twin, len(actions_of(twin))).record()) == str(twin)
        exposed = exposed_seat(table)
        assert exposed < 0 or set(ours[exposed]) == set(theirs[exposed])


def test_every_hidden_card_can_move():
    rng = random.Random("moves")
    table = random_game(load_ruleset("pagat"), rng)
    while table.data["n_plays"] > 8:
        table = random_game(load_ruleset("pagat"), rng)
    data = table.data
    moved = 0
    for _ in range(60):
        other = redealt(table, 0, rng)
        assert other is not None
        for seat in (1, 2, 3):
            moved |= int(data["hand_cards"][seat]) & ~int(other.data["hand_cards"][seat])
    turned = (1 << int(data["turned_card"])) & int(data["hand_cards"][int(data["dealer"])])
    hidden = int(data["hand_cards"][1:].sum()) & ~turned
    # Where a seat failed to follow, a card may have nowhere else to go.
    assert moved & ~hidden == 0
    assert moved == hidden or data["failed"].any()


@pytest.mark.jit_only  # plain Python has too few pairs for that
@pytest.mark.parametrize("ruleset", ["pagat", *FLIPS])
def test_the_pairs_reach_every_phase_every_contract_and_an_exposed_hand(ruleset):
    found: tuple[Pair, ...] = pairs(ruleset, MANY if ruleset == "pagat" else FEW)
    ends = [played(game, len(actions_of(game))).data for game, _, _ in found]
    contracts = {KIND_NAMES[end["contract"]] for end in ends if end["contract"] >= 0}
    assert any(end["exposed_seat"] >= 0 for end in ends)
    if ruleset == "pagat":
        assert contracts == set(contracts_of(load_ruleset(ruleset)))
        assert {int(end["phase"]) for end in ends} == set(range(len(actions.PHASES)))
        assert any(end["phase"] == actions.OVER and end["n_plays"] < 52 for end in ends)
        lookers = [end["exposed_seat"] not in (-1, seat) for end, (_, _, seat) in zip(ends, found, strict=True)]
        assert any(lookers)
    if "fewest" in ruleset:
        assert "GM" in contracts
    if "with_call" in ruleset:
        assert any(end["named"] >= 0 for end in ends)


def test_the_seat_does_see_its_own_cards_and_the_exposed_hand():
    """The proof would pass on a blind observation; this would not."""
    env = raw_env("pagat")
    exposed_hands = 0
    for game, _, seat in pairs("pagat", MANY):
        env.reset(seed=1, options=doors.start_of(game))
        for action in actions_of(game):
            env.step(action)
        hands, exposed = env.table.data["hand_cards"], exposed_seat(env.table)
        blocks = named_view(env.observe(AGENTS[seat])["observation"])
        assert np.flatnonzero(blocks["hand"]).tolist() == cards_of(int(hands[seat]))
        shown = cards_of(int(hands[exposed])) if exposed >= 0 else []
        assert np.flatnonzero(blocks["exposed"]).tolist() == shown
        exposed_hands += bool(shown)
    assert exposed_hands > 0
