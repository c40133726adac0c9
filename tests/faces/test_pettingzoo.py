"""The PettingZoo face passes PettingZoo's own tests and keeps its promises."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import api_test, parallel_api_test, render_test, seed_test
from pettingzoo.utils import turn_based_aec_to_parallel

from solo_env import actions, solo_whist_v0
from solo_env.aec import AGENTS
from solo_env.observation import observation_space
from solo_env.rules import load_ruleset, shipped_rulesets, worst_payoff
from solo_env.table import IllegalActionError, StartError, Table

# Every shipped set, and what no shipped set has: a general misère, trumps named with the call.
SETS = [
    *shipped_rulesets(),
    'pagat+passout.mode="fewest"',
    'pagat+contract.abu_suit_time="with_call"+auction.raise_own_call=true',
]


class Reseeded(solo_whist_v0.raw_env):
    """An environment whose first deal is that of a given seed, whatever seed api_test passes."""

    own_seed = 0

    def reset(self, seed=None, options=None):
        super().reset(self.own_seed, options)


def some_legal(env) -> int:
    """The second open action, if there are two: a bid rather than PASS."""
    legal = np.flatnonzero(env.observe(env.agent_selection)["action_mask"])
    return int(legal[min(1, len(legal) - 1)])


def play_out(env, choose=some_legal) -> dict[str, float]:
    """The total reward of every agent over one deal, as ``last()`` hands it out."""
    totals = dict.fromkeys(AGENTS, 0.0)
    for agent in env.agent_iter():
        _, reward, termination, truncation, info = env.last()
        totals[agent] += reward
        assert info == {}
        env.step(None if termination or truncation else choose(env))
    return totals


def drawn(seed: int):
    rng = np.random.default_rng(seed)
    return lambda env: int(rng.choice(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])))


@pytest.mark.parametrize("seed", range(50))
def test_api(seed, capsys):
    env = Reseeded()
    env.own_seed = seed
    api_test(env, num_cycles=1000)


def test_api_of_the_wrapped_environment(capsys):
    api_test(solo_whist_v0.env(), num_cycles=1000)


@pytest.mark.parametrize("ruleset", SETS)
def test_api_of_every_ruleset(ruleset, capsys):
    for seed in (1, 2):
        env = Reseeded(ruleset)
        env.own_seed = seed
        api_test(env, num_cycles=1000)


@pytest.mark.parametrize("ruleset", SETS)
def test_seeds(ruleset):
    seed_test(lambda: solo_whist_v0.env(ruleset), 500)


def test_rendering_in_every_mode(capsys):
    render_test(solo_whist_v0.env)
    render_test(lambda render_mode=None: solo_whist_v0.env(render_mode=render_mode, render_seat="all"))


def test_the_parallel_api(capsys):
    parallel_api_test(turn_based_aec_to_parallel(solo_whist_v0.env()), 200)


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
@pytest.mark.parametrize("make", [solo_whist_v0.env, solo_whist_v0.raw_env])
def test_a_copy_goes_on_from_the_same_position_on_its_own(make, copied):
    env = make()
    env.reset(seed=4)
    for _ in range(6):
        env.step(some_legal(env))
    twin = copied(env)
    position = env.unwrapped.table.record()
    assert twin.unwrapped.table.record() == position
    assert play_out(twin, drawn(1)) is not None
    assert env.unwrapped.table.record() == position
    env.reset()
    twin.reset()
    assert twin.unwrapped.table.record() == env.unwrapped.table.record()


@pytest.mark.skipif(not hasattr(pettingzoo, "register"), reason="PettingZoo before 1.27 has no registry")
def test_the_registry_knows_it():
    env = pettingzoo.make("aec", "solo_whist/solo_whist-v0", ruleset="pagat")
    env.reset(seed=0)
    assert env.agents == list(AGENTS)


def test_spaces_are_those_of_the_tables_and_stay_the_same_objects():
    env = solo_whist_v0.env()
    for agent in AGENTS:
        assert env.observation_space(agent) == observation_space()
        assert env.observation_space(agent) is env.observation_space(agent)
        assert env.action_space(agent) is env.action_space(agent)
        assert env.action_space(agent).n == actions.N_ACTIONS


def test_payoffs_reach_every_seat_once_and_sum_to_zero():
    for seed in range(40):
        env = solo_whist_v0.raw_env()
        env.reset(seed=seed)
        totals = play_out(env, drawn(seed))
        assert tuple(totals.values()) == env.table.payoffs
        assert sum(totals.values()) == 0


def test_all_seats_end_together_with_python_bools_and_masks_of_zeros():
    env = solo_whist_v0.raw_env()
    env.reset(seed=8)
    while not env.table.over:
        assert not any(env.terminations.values())
        env.step(some_legal(env))
    assert env.terminations == dict.fromkeys(AGENTS, True)
    assert all(type(value) is bool for value in (*env.terminations.values(), *env.truncations.values()))
    assert not any(env.truncations.values())
    for agent in AGENTS:
        assert not env.observe(agent)["action_mask"].any()
    dead = 0
    for _ in env.agent_iter():
        env.step(None)
        dead += 1
    assert dead == 4
    assert env.agents == []
    assert env.observe("player_2")["observation"].any()


def test_only_the_seat_on_turn_has_a_mask_and_arrays_are_fresh():
    env = solo_whist_v0.raw_env()
    env.reset(seed=2)
    while not env.table.over:
        for agent in AGENTS:
            mask = env.observe(agent)["action_mask"]
            assert mask.dtype == np.int8
            assert mask.any() == (agent == env.agent_selection)
        first, second = env.observe("player_0"), env.observe("player_0")
        assert not np.shares_memory(first["observation"], second["observation"])
        assert not np.shares_memory(first["action_mask"], second["action_mask"])
        env.step(some_legal(env))


def test_the_winner_of_a_trick_may_act_twice_running():
    twice = 0
    for seed in range(20):
        env = solo_whist_v0.raw_env()
        env.reset(seed=seed)
        while not env.table.over:
            before = env.agent_selection
            env.step(some_legal(env))
            twice += env.agent_selection == before and env.table.data["n_plays"] % 4 == 0 and not env.table.over
    assert twice > 0


def test_an_illegal_action_raises_in_raw_env_and_changes_nothing():
    env = solo_whist_v0.raw_env()
    env.reset(seed=3)
    position = env.table.record()
    for action in (0, 54, 67, 68, -1, 10**9, 2**63, 10**30, None, 1.5, 52.0, "PASS", True, [52], np.array([52])):
        with pytest.raises(IllegalActionError):
            env.step(action)
    assert env.table.record() == position
    env.step(np.int32(actions.PASS))
    assert env.table.data["n_calls"] == 1


def test_an_illegal_action_in_env_costs_the_most_a_deal_can_cost(capsys):
    env = solo_whist_v0.env()
    env.reset(seed=3)
    culprit = env.agent_selection
    env.step(0)
    assert env.terminations[culprit]
    assert env.unwrapped.rewards[culprit] == -worst_payoff(load_ruleset("pagat")) == -18
    env.reset(seed=3)
    assert env.agent_selection == culprit  # the next deal starts as if nothing had happened
    assert sum(play_out(env).values()) == 0


def test_the_state_is_the_view_of_the_seat_on_turn_and_all_hands():
    env = solo_whist_v0.raw_env()
    env.reset(seed=6)
    while not env.table.over:
        state = env.state()
        assert state in env.state_space
        seat = env.table.turn
        observed = env.observe(env.agent_selection)["observation"]
        assert (state[: len(observed)] == observed).all()
        hands = state[len(observed) :].reshape(4, 52)
        for rel in range(4):
            held = sum(1 << int(c) for c in np.flatnonzero(hands[rel]))
            assert held == env.table.data["hand_cards"][(seat + rel) % 4]
        env.step(some_legal(env))


def test_a_seeded_reset_starts_the_sequence_and_an_unseeded_one_goes_on():
    env = solo_whist_v0.raw_env()
    deals = []
    for seed in (0, None, None, 0, None):
        env.reset(seed=seed)
        deals.append(env.table.record())
    assert deals[0] == deals[3]
    assert deals[1] == deals[4]
    assert len({deals[0], deals[1], deals[2]}) == 3


def test_without_a_seed_the_entropy_used_can_be_read_and_reused():
    env, again = solo_whist_v0.raw_env(), solo_whist_v0.raw_env()
    env.reset()
    again.reset(seed=env.np_random_seed)
    assert again.table.record() == env.table.record()
    other = solo_whist_v0.raw_env()
    other.reset()
    assert other.np_random_seed != env.np_random_seed


def test_starts_can_be_given():
    env = solo_whist_v0.raw_env()
    env.reset(seed=1, options={"dealer": 2})
    assert env.table.data["dealer"] == 2
    assert env.agent_selection == "player_3"
    hands = [[f"{suit}{rank}" for rank in "23456789TJQKA"] for suit in "CDHS"]
    env.reset(options={"dealer": 1, "deal": hands, "trump": "D"})
    assert env.view("player_0").hand_cards == 2**13 - 1
    assert env.table.data["turned_card"] == 25
    for name in ("PROP", "COP", "PASS", "PASS", "H2"):
        env.step(actions.parse(name))
    line = env.table.record()
    fresh = solo_whist_v0.raw_env()
    fresh.reset(seed=9, options={"record": line})
    assert fresh.table.record() == line
    assert fresh.agent_selection == env.agent_selection


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"colour": "red"}, "no option 'colour'"),
        ({"dealer": 4}, "the dealer is 4"),
        ({"deal": [[0] * 13] * 4, "dealer": 0}, "more than once"),
        ({"deal": [["SA"]] * 4}, "needs its dealer"),
        ({"deal": [1, 2, 3, 4], "dealer": 0}, "four lists of cards"),
        ({"deal": [[0.5] * 13] * 4, "dealer": 0}, "a card is 0.5"),
        ({"record": 5}, "the record is 5"),
        ({"record": None}, "the record is None"),
        (5, "the options are 5"),
        ([], "the options are"),
        ({"deal": "all", "dealer": 0}, "four lists of cards"),
        ({"deal": [["XX"] * 13] * 4, "dealer": 0}, "'XX' is no card"),
        (
            {"trump": "H", "dealer": 0, "deal": [list(range(13 * i, 13 * i + 13)) for i in range(4)]},
            "turns up",
        ),
        ({"record": "pagat; dealer 0"}, "no 'deal' field"),
        ({"record": "x", "dealer": 1}, "give it alone"),
    ],
)
def test_bad_starts_are_refused_and_the_position_stays(options, said):
    env = solo_whist_v0.raw_env()
    env.reset(seed=1)
    position = env.table.record()
    with pytest.raises(ValueError, match=said):
        env.reset(options=options)
    assert env.table.record() == position
    env.reset()
    after = env.table.record()
    env.reset(seed=1)
    env.reset()
    assert env.table.record() == after, "a refused reset must not use up a deal of the sequence"


def test_bad_arguments_are_refused_with_a_sentence():
    with pytest.raises(ValueError, match="render_mode is 'gif'"):
        solo_whist_v0.env(render_mode="gif")
    with pytest.raises(ValueError, match="render_seat is 'north'"):
        solo_whist_v0.env(render_seat="north")
    with pytest.raises(ValueError, match="no ruleset 'bridge'"):
        solo_whist_v0.env(ruleset="bridge")
    env = solo_whist_v0.raw_env(render_mode="ansi")
    for use in (env.state, env.render, env.last, lambda: env.step(0), lambda: env.observe("player_0")):
        with pytest.raises(RuntimeError, match="call reset"):
            use()
    env.reset(seed=1)
    for use in (env.observe, env.view, env.action_space, env.observation_space):
        with pytest.raises(ValueError, match="no agent 'player_9'"):
            use("player_9")
    for seed in (-1, 2**63, 1.5):
        with pytest.raises(ValueError, match="the seed is"):
            env.reset(seed=seed)


def test_a_record_of_the_same_rules_under_another_title_is_a_start(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text('title = "Mine"\n[pay.base]\nMIS = 3\n', encoding="utf-8")
    env = solo_whist_v0.raw_env(str(path))
    env.reset(seed=1)
    env.step(actions.PASS)
    line = env.table.record()
    env.reset(options={"record": line})
    assert env.table.record() == line


def test_the_suit_of_a_deal_may_be_given_where_no_card_is_turned_up():
    env = solo_whist_v0.raw_env("anna_cubed")
    for suit, number in (("H", 2), ("N", -1), ("NT", -1)):
        env.reset(seed=1, options={"trump": suit})
        assert env.table.data["suit"] == number
        assert env.table.data["turned_card"] == -1
    with pytest.raises(StartError, match="can only have S"):
        solo_whist_v0.raw_env('pagat+trump.source="fixed"').reset(seed=1, options={"trump": "H"})


def test_a_deal_may_be_an_array():
    env = solo_whist_v0.raw_env()
    env.reset(seed=1, options={"deal": np.arange(52).reshape(4, 13), "dealer": 2})
    assert env.view("player_1").hand_cards == (2**13 - 1) << 13


def test_a_finished_record_is_no_start():
    table = Table()
    table.deal(1)
    for _ in range(4):
        table.apply(actions.PASS)
    env = solo_whist_v0.raw_env()
    with pytest.raises(StartError, match="finished deal"):
        env.reset(options={"record": table.record()})
