"""What is true of every deal of every session: it is a deal like any other, and nothing of the last one is left."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest

from solo_env import actions
from solo_env.aec import AGENTS, raw_env
from solo_env.cards import N_CARDS, N_RANKS, N_SEATS, PACK
from solo_env.engine.state import NOBODY, VIEW
from solo_env.observation import named_view
from solo_env.rules import load_ruleset
from solo_env.table import Table
from tests.hidden_cards import turned_card
from tests.properties.session_doors import put
from tests.sessions import DEALS, SHIPPED, VARIANTS, Deal, contents, kind_of, lines_of

RULESETS = [*SHIPPED, *VARIANTS]
REVOKING = [name for name in VARIANTS if "revokes" in name]
OF_THE_SESSION = ("n_deals", "deal", "account_rel", "pack_kind")  # what a view tells of other deals


def session(name: str, seed: str = "") -> list[Deal]:
    """A session under a ruleset, the same for the same seed."""
    return lines_of(load_ruleset(name), random.Random(name + seed))


def as_a_game_of_its_own(start: Table) -> Table:
    """The same deal as the only one of a session."""
    table = Table(start.ruleset)
    suit = None if start.ruleset.trump.source == "turn_up" else int(start.data["suit"])
    table.deal_hands(start.data["dealt"].tolist(), int(start.data["dealer"]), suit)
    return table


def views_but_for_the_session(table: Table) -> list[bytes]:
    """The views of the four seats, without what they tell of other deals."""
    records = [table.view(seat).record for seat in range(N_SEATS)]
    for record in records:
        for name in OF_THE_SESSION:
            record[name] = 0
    return [record.tobytes() for record in records]


@pytest.mark.parametrize("name", RULESETS)
def test_a_deal_of_a_session_is_played_and_paid_like_a_game_of_its_own(name):
    assert set(OF_THE_SESSION) <= set(VIEW.names)
    for deal in session(name):
        table, alone = deal.start.clone(), as_a_game_of_its_own(deal.start)
        for action in deal.line:
            assert table.legal_actions() == alone.legal_actions()
            table.apply(action)
            alone.apply(action)
            assert views_but_for_the_session(table) == views_but_for_the_session(alone)
        assert table.over
        assert alone.over
        assert table.payoffs == alone.payoffs == alone.account
        paid = np.array(table.account) - np.array(deal.start.account)
        assert paid.tolist() == list(table.payoffs)


@pytest.mark.parametrize("name", RULESETS)
def test_the_auction_of_every_deal_begins_with_eldest_and_goes_round(name):
    """Fault 10: the table, every view, the observation and the environment's turn keep one and the same auction."""
    env = raw_env(name, deals=DEALS)
    for deal in session(name, "auctions"):
        table, dealer = deal.start.clone(), int(deal.start.data["dealer"])
        env.reset(seed=1)
        put(env, table)
        spoken: list[tuple[int, int]] = []
        for action in deal.line:
            if env.table.data["phase"] != actions.AUCTION:
                break
            turn = env.table.turn
            assert env.agent_selection == AGENTS[turn]
            if len(spoken) < N_SEATS:
                assert turn == (dealer + 1 + len(spoken)) % N_SEATS
            for seat in range(N_SEATS):
                view, observed = env.view(AGENTS[seat]), env.observe(AGENTS[seat])
                named = [((who - seat) % N_SEATS, actions.text(call)) for who, call in spoken]
                assert view.auction() == named
                assert view.turn_rel == (turn - seat) % N_SEATS
                assert observed["action_mask"].any() == (seat == turn)
                calls = named_view(observed["observation"])["calls"]
                assert calls.sum() == 2 * len(spoken)
                for cells, (rel, call) in zip(calls, view.auction(), strict=False):
                    at = actions.parse(call) - actions.FIRST_CALL
                    assert np.flatnonzero(cells).tolist() == [at, actions.N_CALLS + rel]
            spoken.append((turn, action))
            env.step(action)


@pytest.mark.parametrize("name", RULESETS)
def test_nothing_of_the_last_deal_is_left_when_the_next_begins(name):
    for deal in session(name, "starts"):
        data = deal.start.data
        assert deal.start.turn == (data["dealer"] + 1) % N_SEATS == data["leader"]
        assert data["phase"] == actions.AUCTION
        for count in ("n_calls", "n_plays", "passed", "spoken", "asked"):
            assert data[count] == 0
        for none in ("standing", "holder", "acceptor", "contract", "declarer", "partner", "exposed_seat"):
            assert data[none] == NOBODY
        assert data["first_offender"] == NOBODY
        for by_seat in ("played_cards", "payoff", "tricks", "failed", "revokes"):
            assert not data[by_seat].any()
        assert sorted(data["dealt"].ravel().tolist()) == list(range(N_CARDS)) == sorted(data["pack"].tolist())
        assert int(np.bitwise_or.reduce(data["hand_cards"])) == PACK
        assert data["turned_card"] == turned_card(deal.start)
        assert sum(deal.start.account) == 0


@pytest.mark.parametrize("name", REVOKING)
def test_a_revoke_counts_from_the_card_that_made_it_and_is_settled_with_its_deal(name):
    """Fault 25: nobody finds out too late, in the next trick or in the next deal, that a suit was not followed."""
    seen: Counter[str] = Counter()
    for deal in [deal for seed in "abcdef" for deal in session(name, seed)]:
        table, revokes, first, led = deal.start.clone(), [0] * N_SEATS, NOBODY, -1
        for action in deal.line:
            if table.data["phase"] == actions.PLAY:
                seat, held = table.turn, int(table.data["hand_cards"][table.turn])
                if table.data["n_plays"] % N_SEATS == 0:
                    led = action // N_RANKS
                elif action // N_RANKS != led and any(
                    held >> (led * N_RANKS + rank) & 1 for rank in range(N_RANKS)
                ):
                    revokes[seat] += 1
                    first = seat if first == NOBODY else first
            table.apply(action)
            assert table.data["revokes"].tolist() == revokes
            assert table.data["first_offender"] == first
            ends_here = kind_of(table) in ("MIS", "OUV") and table.data["n_plays"] % N_SEATS == 0
            assert table.over or not (ends_here and any(revokes))  # in the trick in which it happened
        if kind_of(table) in ("", "GM") or not any(revokes):
            continue
        sides = [int(table.data[side]) for side in ("declarer", "partner") if table.data[side] != NOBODY]
        own, others = sum(revokes[seat] for seat in sides), sum(revokes)
        others -= own
        declarers = sum(table.payoffs[seat] for seat in sides)
        if own and others:
            assert table.payoffs == (0, 0, 0, 0)
        else:
            assert (declarers > 0) == (others > 0)
            assert declarers != 0
        seen["void" if own and others else "own" if own else "others"] += 1
    assert set(seen) == {"void", "own", "others"}


@pytest.mark.parametrize("name", RULESETS)
def test_a_session_does_not_know_the_absolute_seats(name):
    """The same seed with another first dealer is the same session, each seat moved as far as the dealer."""
    rng = random.Random(name)
    env, other_env = raw_env(name, deals=DEALS), raw_env(name, deals=DEALS)
    env.reset(seed=1)
    other_env.reset(seed=1)
    first, by = session(name, "seats")[0].start, rng.randrange(1, N_SEATS)
    ids = [int(first.data[field]) for field in ("seed", "index", "game")]
    table, other = Table(name), Table(name)
    table.deal(*ids, dealer=int(first.data["dealer"]), deals=DEALS)
    other.deal(*ids, dealer=(int(first.data["dealer"]) + by) % N_SEATS, deals=DEALS)
    for deal in session(name, "seats"):
        assert contents(table) == contents(deal.start)
        assert other.account == tuple(np.roll(table.account, by))
        watched = rng.sample(range(len(deal.line)), min(4, len(deal.line)))
        for number, action in enumerate(deal.line):
            if number == 0 or number in watched:
                env.table.data, other_env.table.data = table.data, other.data
                for seat in range(N_SEATS):
                    ours = env.observe(AGENTS[seat])
                    theirs = other_env.observe(AGENTS[(seat + by) % N_SEATS])
                    assert (ours["observation"] == theirs["observation"]).all()
                    assert (ours["action_mask"] == theirs["action_mask"]).all()
            table.apply(action)
            other.apply(action)
        assert other.payoffs == tuple(np.roll(table.payoffs, by))
        if not table.session_over:
            table.next_deal()
            other.next_deal()
