"""Sessions through the faces: rewards, accounts, dealers and ends over many deals, and starts in the first."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from pettingzoo.test import api_test, seed_test

from solo_env import actions, solo_whist_v0
from solo_env.aec import AGENTS, raw_env
from solo_env.cards import N_SEATS
from solo_env.engine.bits import decision_key
from solo_env.layout import DIGIT_BASE, PACKS
from solo_env.observation import named_view
from solo_env.rules import load_ruleset, shipped_rulesets, worst_payoff
from solo_env.solo_whist_v0 import env as wrapped_env
from solo_env.table import IllegalActionError, StartError, Table
from solo_env.vector import SoloVectorEnv
from tests.sessions import CARRYING, DEALS, VARIANTS, after, contents

SHIPPED = shipped_rulesets()
GOULASH = CARRYING[0]
PASSING = 0.6  # how often a seat passes that may bid


def choose(mask: NDArray[np.int8], step: int) -> int:
    """An action that the mask allows, mostly PASS where that is one, from the number of the step."""
    key = decision_key(3, 1, 0, step)
    if mask[actions.PASS] and key % 100 < 100 * PASSING:
        return actions.PASS
    legal = np.flatnonzero(mask)
    return int(legal[key // 100 % len(legal)])


def step_on(env: Any, step: int) -> None:
    """One more action of ``choose``."""
    env.step(choose(env.observe(env.agent_selection)["action_mask"], step))


def number(digits: NDArray[np.int8]) -> int:
    """The number that signed digits of base 100 stand for, the lowest first."""
    return sum(int(digit) * DIGIT_BASE**place for place, digit in enumerate(digits))


def accounts(observation: NDArray[np.int8], seat: int) -> list[int]:
    """The accounts of all seats, by absolute seat, as an observation of ``seat`` tells them."""
    told = named_view(observation)["account"]
    return [number(told[(other - seat) % N_SEATS]) for other in range(N_SEATS)]


def nobody_bid(table: Table) -> bool:
    """Whether a deal that is over was passed out, or thrown in where that counts as nobody bidding."""
    given_up = table.ruleset.passout.include_unaccepted_prop
    calls = {int(call) for call in table.data["calls"][: table.data["n_calls"]]}
    return bool(table.data["n_plays"] == 0) and (given_up or calls == {actions.PASS})


# --- PettingZoo's own tests


@pytest.mark.parametrize("ruleset", SHIPPED)
def test_api_over_a_session(ruleset, capsys):
    api_test(wrapped_env(ruleset, deals=DEALS), num_cycles=DEALS * 70)


@pytest.mark.parametrize("ruleset", SHIPPED)
def test_seeds_over_a_session(ruleset):
    seed_test(lambda: wrapped_env(ruleset, deals=DEALS), 300)


# --- from deal to deal


@pytest.mark.parametrize("ruleset", [*SHIPPED, *VARIANTS])
def test_every_deal_of_a_session_pays_once_and_the_account_is_the_sum(ruleset):
    env = raw_env(ruleset, deals=DEALS)
    env.reset(seed=5)
    account, dealers, settled, step = np.zeros(N_SEATS, int), [int(env.table.data["dealer"])], 0, 0
    while env.agents and not all(env.terminations.values()):
        before = env.table.clone()
        assert env.agent_selection == AGENTS[before.turn]
        action = choose(env.observe(env.agent_selection)["action_mask"], step)
        env.step(action)
        step += 1
        rewards = [env.rewards[a] for a in AGENTS]
        over = env.table.over or env.table.data["deal"] != before.data["deal"]
        assert over or not any(rewards)
        if over:
            settled += 1
            account += np.array(rewards, int)
            assert sum(rewards) == 0
            assert env.table.account == tuple(account)
            assert all(env.terminations[a] == (settled == DEALS) for a in AGENTS)
        for seat, name in enumerate(AGENTS):
            seen = env.observe(name)["observation"]
            assert accounts(seen, seat) == account.tolist()
            blocks = named_view(seen)
            assert [number(row) for row in blocks["deals"]] == [int(env.table.data["deal"]), DEALS]
            assert PACKS[int(np.argmax(blocks["pack"]))] == env.view(name).as_json()["pack"]
            assert blocks["dealer"][(int(env.table.data["dealer"]) - seat) % N_SEATS] == 1
        if over and settled < DEALS:
            stays = env.ruleset.deal.dealer_after_passout == "same" and nobody_bid(after(before, [action]))
            dealers.append((dealers[-1] + (not stays)) % N_SEATS)
            assert env.table.data["dealer"] == dealers[-1]
            eldest = (dealers[-1] + 1) % N_SEATS
            assert env.agent_selection == AGENTS[eldest]
            assert env.table.data["deal"] == settled
            assert env.table.legal_actions() == env.table.view(eldest).legal_actions() != []
    assert settled == DEALS
    assert not any(env.truncations.values())


@pytest.mark.parametrize("make", [raw_env, wrapped_env])
def test_last_hands_out_what_the_account_says(make):
    env = make("hoyle", deals=DEALS)
    env.reset(seed=6)
    totals, table = dict.fromkeys(AGENTS, 0.0), env.unwrapped.table
    for step, agent in enumerate(env.agent_iter()):
        observation, reward, ended, _, _ = env.last()
        totals[agent] += reward
        assert ended == table.session_over
        env.step(None if ended else choose(observation["action_mask"], step))
    assert tuple(totals.values()) == table.account
    assert any(table.account)
    assert env.agents == []


def test_a_session_of_a_thousand_units_a_deal_fits_the_observation():
    env = raw_env("pagat+pay.unit=1000", deals=3)
    env.reset(seed=1)
    step = 0
    while not env.table.session_over:
        step_on(env, step)
        step += 1
        assert env.observe("player_0") in env.observation_space("player_0")
        assert accounts(env.observe("player_2")["observation"], 2) == list(env.table.account)
    assert max(env.table.account) >= 1000


def by_deal(table: Table) -> Iterator[Table]:
    """The table at the start of each deal of its session, all passing or playing as ``choose`` does."""
    step = 0
    while True:
        yield table.clone()
        while not table.over:
            mask = np.zeros(actions.N_ACTIONS, np.int8)
            mask[table.legal_actions()] = 1
            table.apply(choose(mask, step))
            step += 1
        if table.session_over:
            return
        table.next_deal()


def test_a_table_goes_through_a_session_and_then_no_further():
    table = Table("bga")
    table.deal(3, deals=DEALS)
    with pytest.raises(StartError, match="the deal is not over"):
        table.next_deal()
    starts = list(by_deal(table))
    assert [int(start.data["deal"]) for start in starts] == list(range(DEALS))
    with pytest.raises(StartError, match="the session is over: it had 8 deals"):
        table.next_deal()
    assert table.session_over


# --- the batch


def test_the_batch_tells_of_every_deal_and_ends_with_the_session():
    env = SoloVectorEnv(8, GOULASH, seed=4, deals=3)
    batch = env.reset()
    account, deals, sessions = np.zeros((8, N_SEATS), int), np.zeros(8, int), 0
    for step in range(350):
        actor = batch.seat.tolist()
        batch = env.step([choose(mask, 8 * step + b) for b, mask in enumerate(batch.action_mask)])
        assert (batch.payoffs.sum(axis=1) == 0).all()
        assert not batch.payoffs[~batch.settled].any()
        assert (batch.settled >= batch.done).all()
        account += batch.payoffs
        deals += batch.settled
        assert (batch.done == (batch.settled & (deals == 3))).all()
        for b in np.flatnonzero(batch.settled):  # the account stands in the last view of the deal already
            assert accounts(env.buffers.final_observation[b], actor[b]) == account[b].tolist()
        account[batch.done] = deals[batch.done] = 0
        for b in range(8):
            assert accounts(batch.observation[b], int(batch.seat[b])) == account[b].tolist()
            assert env.table(b).data["deal"] == deals[b]
            assert env.table(b).account == tuple(account[b])
        sessions += int(batch.done.sum())
    assert sessions > 12


# --- starts


HANDS = [[f"{suit}{rank}" for rank in "23456789TJQKA"] for suit in "CDHS"]


def all_pass(env: raw_env) -> None:
    """Pass a deal out."""
    for _ in range(N_SEATS):
        env.step(actions.PASS)


def test_a_start_is_of_the_first_deal_only():
    env, plain = raw_env(deals=3), raw_env(deals=3)
    plain.reset(seed=2)
    env.reset(seed=2, options={"deal": HANDS, "dealer": 1})
    assert env.view("player_0").hand_cards == 2**13 - 1
    all_pass(env)
    all_pass(plain)
    assert env.table.data["deal"] == plain.table.data["deal"] == 1
    assert env.table.data["dealer"] == 2
    packs = [e.table.data["pack"].tolist() for e in (env, plain)]
    assert packs[0] == packs[1]  # shuffled from the seed, whatever lay before
    assert not any(env.terminations.values())


def test_a_pack_that_is_not_shuffled_comes_from_the_start_given():
    env = raw_env(f"{GOULASH}+deal.goulash.cut=false", deals=2)
    env.reset(seed=2, options={"deal": HANDS, "dealer": 3})
    all_pass(env)
    assert env.table.data["pack"].tolist() == list(range(52))
    assert env.view("player_0").as_json()["pack"] == "goulash"
    assert env.table.data["dealt"][1][:5].tolist() == list(range(5))  # five to eldest first


def test_a_record_is_a_start_of_the_first_deal_too():
    table = Table("bga")
    table.deal(7)
    table.apply(actions.PASS)
    env = raw_env("bga", deals=4)
    env.reset(seed=9, options={"record": table.record()})
    assert (env.table.data["deal"], env.table.data["n_deals"], env.table.record()) == (0, 4, table.record())
    for _ in range(3):
        env.step(actions.PASS)
    assert env.table.data["deal"] == 1
    assert env.table.data["dealer"] == (table.data["dealer"] + 1) % N_SEATS


def test_starts_of_a_batch_are_of_the_first_deal_only():
    env = SoloVectorEnv(3, seed=5, deals=2)
    batch = env.reset(starts=[{"deal": HANDS, "dealer": 3}, None, {"dealer": 1}])
    assert batch.seat.tolist()[::2] == [0, 2]
    for _ in range(N_SEATS):
        batch = env.step([actions.PASS] * 3)
    assert batch.settled.all()
    assert not batch.done.any()
    assert [int(env.table(b).data["dealer"]) for b in (0, 2)] == [0, 2]
    other = SoloVectorEnv(3, seed=5, deals=2)
    other.reset()
    for _ in range(N_SEATS):
        other.step([actions.PASS] * 3)
    for b in range(3):
        assert env.table(b).data["pack"].tolist() == other.table(b).data["pack"].tolist()


def test_the_next_session_is_another_one_and_starts_from_nothing():
    env = raw_env("bga", deals=2)
    env.reset(seed=3)
    first = env.table.record()
    step = 0
    while not env.table.session_over:
        step_on(env, step)
        step += 1
    env.reset()
    assert (env.table.data["deal"], env.table.account) == (0, (0, 0, 0, 0))
    assert env.table.record() != first
    assert set(env.agents) == set(AGENTS)


# --- refusals


def test_an_illegal_action_costs_the_most_that_a_session_can_cost(capsys):
    env = wrapped_env("hoyle", deals=np.int8(5))  # a small whole number of NumPy's must not overflow
    env.reset(seed=3)
    all_pass(env.unwrapped)
    culprit = env.agent_selection
    env.observe(culprit)
    env.step(0 if not env.observe(culprit)["action_mask"][0] else 1)
    assert env.unwrapped.rewards[culprit] == -5 * worst_payoff(load_ruleset("hoyle"))
    assert all(env.terminations.values())


def test_an_illegal_action_changes_nothing_in_a_later_deal_either():
    env = raw_env("bga", deals=3)
    env.reset(seed=3)
    all_pass(env)
    before = contents(env.table)
    for action in (0, 54, -1, 68, None):
        with pytest.raises(IllegalActionError):
            env.step(action)
    assert contents(env.table) == before


MAKERS: list[Callable[..., Any]] = [
    raw_env,
    wrapped_env,
    lambda ruleset="pagat", deals=1: SoloVectorEnv(2, ruleset, seed=1, deals=deals),
    lambda ruleset="pagat", deals=1: Table(ruleset).deal(1, deals=deals),
]


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("bad", [0, -1, 10000, 10**30, 1.5, True, None, "8"])
def test_a_number_of_deals_that_cannot_be_is_refused_in_a_sentence(make, bad):
    with pytest.raises(
        ValueError, match=r"^the number of deals is .*; it must be a whole number from 1 to 9999\.$"
    ):
        make(deals=bad)


@pytest.mark.parametrize("make", MAKERS)
def test_an_account_that_could_not_be_told_is_refused_in_a_sentence(make):
    said = (
        r"^6000 deals of pagat\+pay.unit=1000 could come to 108000000 units; an account goes to 99999999 at most: "
    )
    with pytest.raises(StartError, match=said):
        make("pagat+pay.unit=1000", deals=6000)
    make("pagat+pay.unit=1000", deals=5555)
    make(deals=9999)


# --- copies


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda thing: pickle.loads(pickle.dumps(thing))])
@pytest.mark.parametrize("make", [raw_env, solo_whist_v0.env])
def test_a_copy_in_the_middle_of_a_session_goes_on_by_itself(make, copied):
    env = make(GOULASH, deals=4)
    env.reset(seed=4)
    step = 0
    while env.unwrapped.table.data["deal"] < 2 or env.unwrapped.table.data["n_calls"] < 2:
        step_on(env, step)
        step += 1
    position = contents(env.unwrapped.table)
    twin = copied(env)
    ends = []
    for one in (twin, env):
        at = step
        while not one.unwrapped.table.session_over:
            step_on(one, at)
            at += 1
        ends.append((at, contents(one.unwrapped.table), dict(one.unwrapped.rewards)))
        if one is twin:
            assert contents(env.unwrapped.table) == position
    assert ends[0] == ends[1]


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda thing: pickle.loads(pickle.dumps(thing))])
def test_a_copy_of_a_batch_in_the_middle_of_sessions_goes_on_by_itself(copied):
    env = SoloVectorEnv(4, CARRYING[1], seed=4, deals=4)
    batch = env.reset()
    for step in range(40):
        batch = env.step([choose(mask, 4 * step + b) for b, mask in enumerate(batch.action_mask)])
    assert (env._tables["deal"] > 0).all()
    twin = copied(env)
    stories = []
    for one in (twin, env):
        batch, story = one.batch, []
        for step in range(40, 160):
            batch = one.step([choose(mask, 4 * step + b) for b, mask in enumerate(batch.action_mask)])
            story.append(b"".join(array.tobytes() for array in batch))
        stories.append(story)
    assert stories[0] == stories[1]


def test_a_later_deal_cannot_be_started_anew():
    table = Table()
    table.deal(3, deals=3)
    while not table.over:
        table.apply(table.legal_actions()[0])
    table.next_deal()
    before = table.record()
    with pytest.raises(StartError, match=r"a start is of the first deal of a session, and deal 2 is under way\."):
        table.start({"dealer": 0})
    assert table.record() == before
