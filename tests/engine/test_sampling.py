"""Hidden hands counted and drawn uniformly, held against counts made card by card and against enumeration."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterator
from itertools import combinations

import numba
import numpy as np
import pytest

from solo_env.cards import N_RANKS, N_SEATS, PACK, card_set, cards_of, parse_card
from solo_env.engine import sampling
from solo_env.engine.state import new_views
from solo_env.rules import load_ruleset, pack_array
from solo_env.sampler import Sampler
from solo_env.table import StartError, Table
from solo_env.view import View
from tests.hidden_cards import turned_card
from tests.playing import (
    PAGAT,
    apply_names,
    contracts_of,
    random_game,
    random_hands,
    table_of,
)

PLAIN = bool(numba.config.DISABLE_JIT)  # the same in plain Python is slow: fewer positions and draws
POSITIONS = 12 if PLAIN else 25
DRAWS = 2_000 if PLAIN else 40_000

HIDDEN = 'pagat+info.turnup_after_pickup="hide"'
FORGETFUL = 'pagat+info.memory="table_memory"+info.last_trick="always"'
FORGETFUL_AND_HIDDEN = f'{FORGETFUL}+info.turnup_after_pickup="hide"'
REVOKES = 'pagat+play.revokes="possible"'


def positions(name: str, count: int, seed: int = 0) -> Iterator[tuple[Table, int]]:
    """Open positions of all contracts of a ruleset, each with a seat."""
    ruleset, rng = load_ruleset(name), random.Random(f"{name} {seed}")
    kinds = ["", *contracts_of(ruleset)]
    while count:
        table = random_game(ruleset, rng, kinds[count % len(kinds)])
        if not table.over:
            count -= 1
            yield table, rng.randrange(N_SEATS)


def late(name: str, plays: int, seed: int) -> Table:
    """A position after the given number of cards, reached by playing at random."""
    rng = random.Random(f"{name} {plays} {seed}")
    while True:
        table = random_game(load_ruleset(name), rng, "SOLO")
        while not table.over and table.data["n_plays"] < plays:
            table.apply(rng.choice(table.legal_actions()))
        if table.data["n_plays"] == plays:
            return table


# --- counting, card by card


def ways(unseen: list[int], room: dict[str, int], places: dict[int, list[str]]) -> float:
    """How many ways there are to put each card into one of its places so that all places are filled."""
    names = sorted(room)
    counts = np.zeros([room[name] + 1 for name in names])  # by how many cards each place has got
    counts.flat[0] = 1
    for card in unseen:
        following = np.zeros_like(counts)
        for axis, name in enumerate(names):
            if name in places[card] and room[name]:
                up, down = [slice(None)] * len(names), [slice(None)] * len(names)
                up[axis], down[axis] = slice(1, None), slice(None, -1)
                following[tuple(up)] += counts[tuple(down)]
        counts = following
    return float(counts.flat[-1]) if len(unseen) == sum(room.values()) else 0.0


def split_of_the_gone(gone: int) -> int:
    """In how many ways four seats have played the cards that are gone."""
    return math.factorial(gone) // math.factorial(gone // N_SEATS) ** N_SEATS


class Facts:
    """What a seat may know, read off the table itself: the other road to the same number."""

    def __init__(self, table: Table, seat: int) -> None:
        data, self.ruleset = table.data, table.ruleset
        view = table.view(seat)
        shown = {s: view.played_cards_rel[(s - seat) % N_SEATS] for s in range(N_SEATS)}
        self.dealt_known = {s: int(shown[s]) for s in range(N_SEATS)}
        self.dealt_known[seat] |= int(data["hand_cards"][seat])
        exposed = int(data["exposed_seat"])
        if exposed >= 0:
            self.dealt_known[exposed] |= int(data["hand_cards"][exposed])
        known = 0
        for cards in self.dealt_known.values():
            known |= cards
        self.unseen = cards_of(PACK & ~known)
        self.gone = 4 * (int(view.n_hidden) // 4)
        self.room = {
            str(s): int(data["hand_cards"][s]).bit_count() for s in range(N_SEATS) if s not in (seat, exposed)
        }
        self.room["gone"] = self.gone
        void = {s: 0 for s in range(N_SEATS)}
        if self.ruleset.play.revokes == "impossible":
            void = {s: int(view.failed_rel[(s - seat) % N_SEATS]) for s in range(N_SEATS)}
        self.places = {
            card: ["gone", *(s for s in self.room if s != "gone" and not void[int(s)] >> card // N_RANKS & 1)]
            for card in self.unseen
        }
        self.dealer, self.turned = str(int(data["dealer"])), turned_card(table)
        self.is_hidden = bool(self.turned >= 0 and view.turned_card < 0)

    def deals(self, forced: dict[int, str] | None = None) -> float:
        """How many deals are possible, given where some cards are."""
        if self.turned < 0:
            return self._deals(forced or {}, None)
        if not self.is_hidden:
            return self._deals(forced or {}, self.turned)
        suit = self.turned // N_RANKS
        return sum(self._deals(forced or {}, card) for card in range(13 * suit, 13 * suit + 13))

    def _deals(self, forced: dict[int, str], turned: int | None) -> float:
        share = split_of_the_gone(self.gone)
        if turned is not None and turned not in self.unseen:
            if not self.dealt_known[int(self.dealer)] >> turned & 1:
                return 0.0
            turned = None
        places = self.places | {card: [place] for card, place in forced.items()}
        if turned is None:
            return share * ways(self.unseen, self.room, places)
        held = ways(self.unseen, self.room, places | {turned: [p for p in places[turned] if p == self.dealer]})
        gone = ways(self.unseen, self.room, places | {turned: [p for p in places[turned] if p == "gone"]})
        # Of the ways in which four seats played what is gone, a quarter give a certain card to the dealer.
        return share * (held + gone / 4)


@pytest.mark.parametrize("name", ["pagat", "grand_slam_solo", HIDDEN, FORGETFUL, FORGETFUL_AND_HIDDEN])
def test_the_number_of_deals_is_that_counted_card_by_card(name):
    sampler, told = Sampler(name), set()
    for table, seat in positions(name, POSITIONS):
        wanted = Facts(table, seat).deals()
        assert sampler.n_deals(table.view(seat)) == pytest.approx(wanted, rel=1e-12)
        told.add(wanted)
    assert len(told) > POSITIONS // 4


def test_at_the_start_all_that_is_known_is_ones_own_hand_and_the_turned_card():
    table = table_of(random_hands(random.Random(1)), dealer=2)
    two_full_hands = math.factorial(13) ** 2
    for seat in (0, 1, 3):
        others = math.factorial(38) // (math.factorial(12) * two_full_hands)
        assert Sampler().n_deals(table.view(seat)) == pytest.approx(others, rel=1e-12)
    full = math.factorial(39) // (math.factorial(13) * two_full_hands)
    assert Sampler().n_deals(table.view(2)) == pytest.approx(full, rel=1e-12)


@pytest.mark.parametrize("name", ["pagat", HIDDEN, FORGETFUL, FORGETFUL_AND_HIDDEN])
def test_a_card_lies_in_a_hand_as_often_as_its_share_of_the_deals(name):
    rng, furthest = random.Random(name), 0.0
    for table, seat in list(positions(name, 3 if PLAIN else 6, seed=1)):
        facts, view = Facts(table, seat), table.view(seat)
        drawn = Sampler(name).sample(view, DRAWS, key=rng.getrandbits(62))
        for card in rng.sample(facts.unseen, min(4, len(facts.unseen))):
            for place in facts.places[card]:
                share = facts.deals({card: place}) / facts.deals()
                hands = (
                    drawn[:, (int(place) - seat) % N_SEATS] if place != "gone" else ~np.bitwise_or.reduce(drawn, 1)
                )
                found = (hands >> card & 1).mean()
                furthest = max(furthest, abs(found - share) / math.sqrt(share * (1 - share) / DRAWS + 1e-12))
    assert furthest < 4.8  # in standard deviations, of several hundred shares


# --- enumeration


def all_hands(view: View, sizes: list[int]) -> Iterator[tuple[int, ...]]:
    """Every way to give the other seats cards that the view doesn't show, possible or not."""
    shown = int(view.hand_cards)
    for cards in view.played_cards_rel:
        shown |= int(cards)

    def lay(rel: int, free: frozenset[int], hands: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if rel == N_SEATS:
            yield hands
            return
        for cards in combinations(sorted(free), sizes[rel]):
            yield from lay(rel + 1, free - set(cards), (*hands, card_set(cards)))

    return lay(1, frozenset(cards_of(PACK & ~shown)), (int(view.hand_cards),))


def enumerated(table: Table, seat: int) -> dict[tuple[int, ...], int]:
    """Every possible way with its number of deals: a way is possible if a table with it looks the same."""
    view, ruleset, weights = table.view(seat), table.ruleset, {}
    sizes = [int(table.data["hand_cards"][(seat + rel) % N_SEATS]).bit_count() for rel in range(N_SEATS)]
    gone = 4 * (int(view.n_hidden) // 4)
    for hands in all_hands(view, sizes):
        try:
            rebuilt = Table.from_view(view, hands, ruleset)
        except StartError:
            continue
        weights[hands] = 1
        turned = turned_card(table)
        if turned < 0:
            continue
        dealer = (int(table.data["dealer"]) - seat) % N_SEATS
        sure = hands[dealer] | int(view.played_cards_rel[dealer])
        marked = 1 << turned
        if view.turned_card < 0:
            marked = card_set(range(13 * (turned // 13), 13 * (turned // 13) + 13))
        shown = int(np.bitwise_or.reduce(view.played_cards_rel))
        left = PACK & ~(shown | hands[0] | hands[1] | hands[2] | hands[3])
        weights[hands] = 4 * (sure & marked).bit_count() + (left & marked).bit_count()
        assert gone or left == 0
        assert int(rebuilt.data["dealt"][table.data["dealer"]][-1]) in cards_of(marked)
    return weights


# In plain Python only those with few ways.
LATE: list[tuple[str, int, int]] = [
    *[("pagat", plays, seat) for plays, seat in [(40, 0), (41, 1), (43, 2), (44, 3)]],
    *[(HIDDEN, plays, seat) for plays, seat in [(40, 0), (42, 3)]],
    *[(REVOKES, plays, seat) for plays, seat in [(40, 1), (45, 2)]],
    *[(FORGETFUL, plays, seat) for plays, seat in [(49, 0), (50, 1), (50, 2), (49, 3)]],
    (FORGETFUL_AND_HIDDEN, 50, 2),
]
if PLAIN:
    LATE = [(name, plays, seat) for name, plays, seat in LATE if plays in (43, 44, 45, 50)]


@pytest.mark.parametrize(("name", "plays", "seat"), LATE)
def test_every_possible_way_is_drawn_as_often_as_any_other(name, plays, seat):
    # Where the turned card may be gone, a way counts as often as the dealer can have played it.
    table = late(name, plays, seat)
    view, weights = table.view(seat), enumerated(table, seat)
    total, gone = sum(weights.values()), 4 * (int(view.n_hidden) // 4)
    assert Sampler(name).n_deals(view) == pytest.approx(total * split_of_the_gone(gone) // 4, rel=1e-12)
    draws = min(DRAWS, 60 * len(weights))
    found = Counter(tuple(map(int, hands)) for hands in Sampler(name).sample(view, draws, key=plays))
    assert set(found) <= set(weights)
    chi_square = sum(
        (found[hands] - draws * weight / total) ** 2 / (draws * weight / total) for hands, weight in weights.items()
    )
    freedom = len(weights) - 1
    assert chi_square < freedom + 4 * math.sqrt(2 * freedom)
    assert chi_square > freedom - 4 * math.sqrt(2 * freedom)


# player_1 deals and turns H2 up. player_3 holds D3 to DA and C2, player_2 the other clubs and D2, the rest no club.
CLUBS = range(13)
HEARTS = [card for card in range(26, 39) if card not in (parse_card("H2"), parse_card("H6"))]
HANDS = [
    [*range(39, 51), parse_card("H6")],
    [*HEARTS, parse_card("SA"), parse_card("H2")],
    [*CLUBS[1:], parse_card("D2")],
    [*range(14, 26), parse_card("C2")],
]


def test_a_void_a_turned_card_and_an_exposed_hand_are_respected():
    table = Table(PAGAT)
    table.deal_hands(HANDS, dealer=1)
    apply_names(table, ["PASS", "OUV", "PASS", "PASS", "C3", "C2", "H6", "HT"])
    assert table.data["exposed_seat"] == 3
    view, sampler = table.view(0), Sampler()
    # The eleven clubs are with player_2, and one more card: D2, SA or a heart, but not the turned one.
    assert sampler.n_deals(view) == 12
    drawn = {tuple(map(int, hands)) for hands in sampler.sample(view, 500)}
    others = [card for card in (*HEARTS, parse_card("D2"), parse_card("SA")) if card != parse_card("HT")]
    assert {hands[2] for hands in drawn} == {card_set(CLUBS[2:]) | 1 << card for card in others}
    assert {hands[3] for hands in drawn} == {card_set(range(14, 26))}
    assert {hands[0] for hands in drawn} == {card_set(range(39, 51))}
    assert len(drawn) == 12


def test_a_misere_that_goes_on_has_had_no_revoke():
    # Clause 9.1: a revoke would have ended it with its trick, so who failed to follow in a complete one is void.
    clubs, sampler = card_set(CLUBS), Sampler(REVOKES)
    for contract, proven in (("MIS", True), ("SOLO", False)):
        table = Table(REVOKES)
        table.deal_hands(HANDS, dealer=1)
        apply_names(table, ["PASS", contract, "PASS", "PASS", "C3", "C2", "H6", "HT"])
        drawn = sampler.sample(table.view(1), 400)
        assert (drawn[:, 3] & clubs == 0).all() == proven  # player_0 failed to follow
        if proven:
            apply_names(table, ["C4", "D3"])
            drawn = sampler.sample(table.view(1), 400)
            assert (drawn[:, 3] & clubs == 0).all()
            assert (drawn[:, 2] & clubs).any()  # player_3 fails in the trick that lies open


def test_samples_depend_on_the_view_and_its_key_alone():
    ruleset = load_ruleset(FORGETFUL)
    rows = [table.view(seat).record for table, seat in positions(FORGETFUL, 9)]
    views, keys = new_views(len(rows)), np.arange(len(rows), dtype=np.int64) << 40
    views[:] = rows
    sampler = Sampler(ruleset)
    together = sampler.sample_batch(views, keys, 7)
    order = np.random.default_rng(0).permutation(len(rows))
    assert (sampler.sample_batch(views[order], keys[order], 7) == together[order]).all()
    for row, view in enumerate(rows):
        alone = Sampler(ruleset).sample(View(view), 30, key=int(keys[row]))
        assert (alone[:7] == together[row]).all()
        assert not (sampler.sample(View(view), 30, key=int(keys[row]) + 1) == alone).all()


def test_a_view_that_nothing_fits_has_no_deals():
    view = late("pagat", 20, 0).view(1)
    views, hands, n_deals = new_views(3), np.ones((3, 2, 4), np.int64), np.ones(3)
    views[:] = view.record
    views[1]["failed_rel"] = 15  # nobody could hold anything
    views[2]["hand_cards"] &= views[2]["hand_cards"] - 1  # a card is missing
    rules = pack_array(PAGAT)
    sampling.sample_rows(views, rules, np.zeros(3, np.int64), sampling.new_work(), hands, n_deals)
    assert (n_deals > 0).tolist() == [True, False, False]
    assert (hands[1:] == 0).all()
    assert hands[0].any()
