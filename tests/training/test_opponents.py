"""Who sits where, and what is made of what they say."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from solo_env.actions import N_ACTIONS
from solo_env.engine.batch import deal_rows, open_choices, write_choice_keys
from solo_env.engine.state import new_tables, new_views
from solo_env.player import BatchPlayer, PlayerError, make_player
from solo_env.rules import load_ruleset, pack_array
from training.config import DEFAULT_BLOCKS
from training.features import ACTION_OF, feature_table, write_inputs
from training.opponents import ALL, AUCTION, BIDDER, CARDS, LEARNER, OTHERS, TEACHER, Cast, Choices, beside

N = 6000


def even(ids: NDArray[np.int16]) -> NDArray[np.float32]:
    return np.zeros((len(ids), N_ACTIONS), np.float32)


def low(ids: NDArray[np.int16]) -> NDArray[np.float32]:
    return np.tile(np.linspace(0, -900, N_ACTIONS, dtype=np.float32), (len(ids), 1))


@pytest.fixture
def choices() -> Choices:
    """The first call of 200 deals."""
    rules, n = pack_array(load_ruleset("pagat")), 200
    tables, views, rows, seats, keys = new_tables(n), new_views(n), *(np.zeros(n, np.int64) for _ in range(3))
    deal_rows(tables, rules, 2, 0, 0, -1, 1, 0, n)
    assert open_choices(tables, rules, views, rows, seats) == n
    write_choice_keys(tables, rows, seats, 2, keys)
    return Choices(views, keys, *write_inputs(views, rules, feature_table(DEFAULT_BLOCKS)))


def seated(cast: Cast, deals: range = range(N), seed: int = 1, game: int = 1) -> NDArray[np.int64]:
    """Who sits where, int64 [B, 4], in casts in which nobody has but a part of a seat."""
    who = cast.seat(seed, deals, game)
    assert (who[:, AUCTION] == who[:, CARDS]).all()
    return who[:, AUCTION]


def test_the_learner_sits_everywhere_unless_others_are_asked_for() -> None:
    novice = make_player("novice")
    assert (seated(Cast(even)) == LEARNER).all()
    assert (seated(Cast(even, teacher=novice, bidder=novice, snapshots=(low,), players=(novice,))) == LEARNER).all()
    assert (seated(Cast(even, with_snapshots=0.5, with_players=0.5)) == LEARNER).all()  # there are none


def test_without_a_learner_the_teacher_sits_everywhere() -> None:
    assert (
        seated(Cast(None, teacher=make_player("novice"), with_snapshots=1.0, snapshots=(low,))) == TEACHER
    ).all()


def test_others_have_their_shares_of_the_deals_and_of_the_seats() -> None:
    players = (make_player("novice"), make_player("pass"), make_player("random"))
    who = seated(Cast(even, snapshots=(low, even), players=players, with_snapshots=0.3, with_players=0.2))
    other = who.max(1)
    assert ((who == LEARNER) | (who == other[:, None])).all()  # one other in a deal
    shares = [(other == OTHERS + i).mean() for i in range(5)]
    assert shares == pytest.approx([0.15, 0.15, 0.2 / 3, 0.2 / 3, 0.2 / 3], abs=0.02)
    seats = (who != LEARNER).sum(1)[other != LEARNER]
    assert np.bincount(seats) / len(seats) == pytest.approx([0, 1 / 3, 1 / 3, 1 / 3], abs=0.04)
    assert (who != LEARNER)[other != LEARNER].mean(0) == pytest.approx([0.5] * 4, abs=0.04)


def test_the_learner_may_keep_one_seat_beside_another() -> None:
    novice = make_player("novice")
    who = seated(Cast(even, players=(novice,), alone=1.0))
    assert ((who == LEARNER).sum(1) == 1).all()
    assert (who == LEARNER).mean(0) == pytest.approx([0.25] * 4, abs=0.03)
    assert (who[who != LEARNER] == OTHERS).all()


def test_the_other_shares_are_of_the_deals_in_which_the_learner_is_not_alone() -> None:
    shares = {"snapshots": (low,), "with_snapshots": 0.5, "with_players": 0.25}
    who = seated(Cast(even, players=(make_player("novice"),), alone=0.4, **shares))
    mine, beside_player = (who == LEARNER).sum(1), (who > OTHERS).any(1)
    assert (who == OTHERS).any(1).mean() == pytest.approx(0.6 * 0.5, abs=0.02)
    assert beside_player.mean() == pytest.approx(0.4 + 0.6 * 0.25, abs=0.02)
    assert (beside_player & (mine == 1)).mean() == pytest.approx(0.4 + 0.6 * 0.25 / 3, abs=0.02)
    assert (mine == 4).mean() == pytest.approx(0.6 * 0.25, abs=0.02)


@pytest.mark.parametrize("learns", [AUCTION, CARDS])
def test_beside_a_player_a_part_of_the_learners_seats_may_be_the_players(learns: int) -> None:
    players = (make_player("novice"), make_player("pass"))
    shares = {"snapshots": (low,), "players": players, "with_snapshots": 0.3, "with_players": 0.5}
    whole, who = seated(Cast(even, **shares)), Cast(even, learns=learns, **shares).seat(1, range(N), 1)
    other = whole.max(1)
    assert (who[:, learns] == whole).all()
    rest, beside_player = who[:, AUCTION + CARDS - learns], other > OTHERS  # after the snapshot come the players
    assert beside_player.mean() == pytest.approx(0.5, abs=0.03)
    assert (rest[beside_player] == other[beside_player, None]).all()
    assert (rest[~beside_player] == whole[~beside_player]).all()


def test_a_player_of_a_part_calls_or_plays_as_the_other_does(choices: Choices) -> None:
    one, other = make_player("random"), make_player("novice")
    assert beside(one, other, ALL, load_ruleset("pagat")) is one
    chosen = {}
    for learns in (AUCTION, CARDS):
        player = beside(one, other, learns, load_ruleset("pagat"))
        chosen[learns] = np.zeros(len(choices.keys), np.int64)
        player.act_batch(choices.views, choices.keys, chosen[learns])
    for learns, caller in ((AUCTION, one), (CARDS, other)):
        his = np.zeros(len(choices.keys), np.int64)
        caller.act_batch(choices.views, choices.keys, his)
        assert (chosen[learns] == his).all()
    assert (chosen[AUCTION] != chosen[CARDS]).any()


def test_who_sits_where_is_a_function_of_the_deal() -> None:
    cast = Cast(even, snapshots=(low, even), with_snapshots=0.7)
    who = seated(cast)
    assert (np.concatenate([seated(cast, range(i, i + 7)) for i in range(0, 70, 7)]) == who[:70]).all()
    assert (seated(cast, seed=2) != who).any()
    assert (seated(cast, game=2) != who).any()


def test_a_network_is_sampled_by_the_keys(choices: Choices) -> None:
    action, log_probability, likeliest = Cast(even).decide(LEARNER, choices)
    assert choices.mask[np.arange(len(action)), action].all()
    assert log_probability == pytest.approx(-np.log(choices.mask.sum(1)))
    assert likeliest == pytest.approx(1 / choices.mask.sum(1))
    assert len(set(action.tolist())) > 3
    some = np.arange(0, len(action), 3)
    assert (Cast(even).decide(LEARNER, choices.some(some))[0] == action[some]).all()


def test_each_is_asked_by_its_number(choices: Choices) -> None:
    always = make_player("pass")
    cast = Cast(even, teacher=always, bidder=make_player("random"), snapshots=(even, low), players=(always,))
    chosen = {who: cast.decide(who, choices) for who in (TEACHER, BIDDER, OTHERS, OTHERS + 1, OTHERS + 2)}
    lowest = choices.mask.argmax(1)
    assert (chosen[TEACHER][0] == chosen[OTHERS + 2][0]).all()
    assert (chosen[TEACHER][0] == lowest).all()
    assert (chosen[OTHERS + 1][0] == lowest).all()
    assert (chosen[OTHERS][0] != lowest).any()
    assert not chosen[TEACHER][1].any()


def test_a_players_choice_is_told_as_the_network_counts(choices: Choices) -> None:
    novice = make_player("novice")
    action, _, _ = Cast(None, teacher=novice).decide(TEACHER, choices)
    out = np.zeros(len(action), np.int64)
    novice.act_batch(choices.views, choices.keys, out)
    assert (ACTION_OF[choices.order, action] == out).all()


@pytest.mark.parametrize("wrong", [-1, 0, 64, N_ACTIONS])
def test_what_is_not_open_is_refused_with_a_sentence(choices: Choices, wrong: int) -> None:
    class WrongPlayer(BatchPlayer):
        def act_batch(self, views: NDArray[np.void], keys: NDArray[np.int64], out: NDArray[np.int64]) -> None:
            out[:] = wrong

    with pytest.raises(PlayerError, match=f"player 'wrong' chose {wrong}, which is not open to it"):
        Cast(even, players=(WrongPlayer(),)).decide(OTHERS, choices)
