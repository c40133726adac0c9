"""The single-seat face: Gymnasium's own checks, the games of the AEC environment, and a way out that never pays."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from solo_env import actions
from solo_env.aec import AGENTS, raw_env
from solo_env.engine.bits import decision_key
from solo_env.observation import observation_space
from solo_env.player import PlayerError, make_player
from solo_env.rules import load_ruleset, shipped_rulesets, worst_payoff
from solo_env.seat_env import SeatEnv
from solo_env.table import StartError, Table
from tests.faces.seats import Counting, Failing, Revoking, Silent, some_legal

# Every shipped set, and what no shipped set has: a general misère, trumps named with the call, revokes.
SETS = [
    *shipped_rulesets(),
    'pagat+passout.mode="fewest"',
    'pagat+contract.abu_suit_time="with_call"+auction.raise_own_call=true',
    'pagat+play.revokes="possible"',
]
NOT_WHOLE = [None, 1.5, "PASS", True, [52], np.array([52]), np.True_]


def story(env: SeatEnv, seed: int | None, episodes: int = 3) -> list[object]:
    """All that some episodes tell a learner that chooses by the number of its step."""
    told: list[object] = []
    for episode in range(episodes):
        seen, info = env.reset(seed=seed if episode == 0 else None)
        told.append((seen.tobytes(), info["action_mask"].tobytes(), env.seat))
        over, step = False, 0
        while not over:
            seen, reward, over, truncated, info = env.step(some_legal(info["action_mask"], episode, step))
            told.append((seen.tobytes(), info["action_mask"].tobytes(), reward, over, truncated))
            step += 1
    return told


# --- Gymnasium's own checks, every warning an error


@pytest.mark.parametrize("options", [{}, {"dict_observation": True}, {"deals": 3, "opponents": "random"}])
def test_gymnasium_checks(options, capsys):
    env = gymnasium.make("SoloWhist-v0", **options).unwrapped
    for seed in range(10):
        env.reset(seed=seed)
        check_env(env, skip_render_check=seed > 0)


@pytest.mark.parametrize("ruleset", SETS)
def test_gymnasium_checks_every_ruleset(ruleset):
    check_env(gymnasium.make("SoloWhist-v0", ruleset=ruleset).unwrapped, skip_render_check=True)


@pytest.mark.plugs  # pip install stable-baselines3 sb3-contrib
def test_stable_baselines_checks_and_learns():
    from sb3_contrib import MaskablePPO
    from sb3_contrib.common.maskable.evaluation import evaluate_policy
    from stable_baselines3.common.env_checker import check_env as check_sb3

    for policy, as_dict in (("MlpPolicy", False), ("MultiInputPolicy", True)):
        env = gymnasium.make("SoloWhist-v0", dict_observation=as_dict)
        check_sb3(env.unwrapped)
        model = MaskablePPO(policy, env, n_steps=128, batch_size=64, n_epochs=1, seed=0, device="cpu")
        model.learn(256)
        mean, _ = evaluate_policy(model, env, n_eval_episodes=4, warn=False)
        assert abs(mean) <= 18


@pytest.mark.parametrize(
    "code",
    [
        "import gymnasium; env = gymnasium.make('solo_env:SoloWhist-v0', ruleset='hoyle', seat=2)",
        "import solo_env, gymnasium; env = gymnasium.make('SoloWhist-v0', ruleset='hoyle', seat=2)",
        "import gymnasium, solo_env.rules; env = gymnasium.make('SoloWhist-v0', ruleset='hoyle', seat=2)",
    ],
)
def test_gymnasium_makes_it_by_name(code):
    code += "; env.reset(seed=1); print(env.unwrapped.ruleset.name, env.unwrapped.seat)"
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["hoyle", "2"]


def test_importing_the_package_imports_no_environment():
    code = "import sys, solo_env; print([m for m in sys.modules if m.startswith(('solo_env.', 'numba', 'torch'))])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


# --- the games


def by_hand(env: raw_env, seat: int, players: list, key_of_game: int, seed: int):
    """Let others act in the AEC environment until ``seat`` is to; what it is paid until then."""
    paid = 0.0
    while not env.terminations[AGENTS[0]] and env.agent_selection != AGENTS[seat]:
        turn = env.table.turn
        key = decision_key(seed, key_of_game, turn, env.table.n_decisions)
        env.step(players[(turn - seat) % 4 - 1].act(env.table.view(turn), key))
        paid += env.rewards[AGENTS[seat]]
    return paid


@pytest.mark.parametrize("ruleset", ["pagat", "anna_cubed", "everything2", *SETS[-3:]])
def test_it_plays_the_games_of_the_aec_environment(ruleset):
    specs = ["random", "novice", "uniform"]
    players = [make_player(spec, ruleset) for spec in specs]
    for deals, seed in ((1, 4), (3, 5)):
        env = SeatEnv(ruleset, opponents=specs, deals=deals)
        aec = raw_env(ruleset, deals=deals)
        settled = 0
        for game in range(8):
            seen, info = env.reset(seed=seed if game == 0 else None)
            aec.reset(seed=seed if game == 0 else None)
            assert by_hand(aec, env.seat, players, game << 32, seed) == 0
            over, step = False, 0
            while not over:
                agent = AGENTS[env.seat]
                told = aec.observe(agent)
                assert (told["observation"] == seen).all()
                assert (told["action_mask"] == info["action_mask"]).all()
                action = some_legal(info["action_mask"], game, step)
                seen, reward, over, truncated, info = env.step(action)
                aec.step(action)
                paid = aec.rewards[agent] + by_hand(aec, env.seat, players, game << 32, seed)
                assert (reward, over, truncated) == (paid, aec.terminations[agent], False)
                settled += reward != 0
                step += 1
            assert (aec.observe(agent)["observation"] == seen).all()
            assert env.table.record() == aec.table.record()
            assert not info["action_mask"].any()
        assert settled > 0


def test_the_sum_of_rewards_is_the_account():
    env = SeatEnv(deals=4, opponents="random")
    for seed in range(5):
        _, info = env.reset(seed=seed)
        total, over, step = 0.0, False, 0
        while not over:
            _, reward, over, _, info = env.step(some_legal(info["action_mask"], seed, step))
            total, step = total + reward, step + 1
        assert total == env.table.account[env.seat]


def test_a_seed_fixes_everything_and_an_unseeded_reset_goes_on():
    env = SeatEnv(opponents="random")
    first = story(env, 0)
    assert story(env, 0) == first
    assert story(SeatEnv(opponents="random"), 0) == first
    assert story(SeatEnv(opponents="random"), 1) != first
    assert story(SeatEnv(opponents="random", index=1), 0) != first


def test_without_a_seed_the_one_drawn_can_be_read_and_reused():
    env, again = SeatEnv(), SeatEnv()
    first = story(env, None)
    assert story(again, env.np_random_seed) == first
    assert SeatEnv().np_random_seed != env.np_random_seed
    told = SeatEnv()
    number = told.np_random_seed
    assert story(told, None) == story(SeatEnv(), number)


def test_a_random_seat_is_each_seat_as_often_whoever_deals():
    env = SeatEnv(opponents="pass")
    counts = np.zeros((4, 4), int)
    for game in range(1600):
        env.reset(seed=7 if game == 0 else None)
        counts[env.seat, int(env.table.data["dealer"])] += 1
    assert counts.min() > 60  # of 100 on average; 60 is four deviations away


def test_every_seat_decides_in_every_deal():
    """Where the auction ends without play, all have spoken; where there is play, all play to trick 1."""
    for name in ("pagat", "wikipedia", "one_bid_each", "straight", "grand_slam_solo", *SETS[-3:-1]):
        table = Table(name)
        table.deal(1)
        ends, waiting = 0, [table]
        while waiting:
            here = waiting.pop()
            if here.over:
                assert here.data["spoken"] == 0b1111
            ends += here.over or here.data["phase"] == actions.PLAY
            if not here.over and here.data["phase"] != actions.PLAY:
                for action in here.legal_actions():
                    waiting.append(here.clone())
                    waiting[-1].apply(action)
        assert ends > 100


def test_others_are_asked_only_where_they_have_a_choice():
    player = Counting()
    story(SeatEnv(opponents=player), 3)
    assert min(player.choices) > 1
    assert len(player.choices) > 20


def test_opponents_sit_from_the_left():
    for seat in range(4):
        three = [Counting() for _ in range(3)]
        env = SeatEnv(seat=seat, opponents=three)
        env.reset(seed=1, options={"dealer": seat})
        assert [bool(player.choices) for player in three] == [True, True, True]  # all speak before the dealer
        env.reset(options={"dealer": (seat + 2) % 4})
        asked = [len(player.choices) for player in three]
        env.reset(options={"dealer": (seat + 2) % 4})
        assert [len(player.choices) - before for player, before in zip(three, asked, strict=True)] == [0, 0, 1]


# --- illegal actions


@pytest.mark.parametrize("deals", [1, 3])
def test_an_illegal_action_ends_the_episode_at_the_worst_price_and_never_raises(deals):
    env = SeatEnv(deals=deals)
    seen, info = env.reset(seed=3)
    for action in [
        *np.flatnonzero(info["action_mask"] == 0),
        -1,
        68,
        10**30,
        -(10**30),
        np.int8(-5),
        np.uint64(2**64 - 1),
    ]:
        env.reset(seed=3)
        position = env.table.record()
        after, reward, terminated, truncated, info = env.step(action)
        assert (reward, terminated, truncated) == (-18.0 * deals, True, False)
        assert reward == -deals * worst_payoff(load_ruleset("pagat")) == -env.penalty
        assert (after == seen).all()
        assert set(info) == {"action_mask"}
        assert not info["action_mask"].any()
        assert not env.action_masks().any()
        assert env.table.record() == position
        with pytest.raises(RuntimeError, match=r"call reset\(\) before step"):
            env.step(52)
    env.reset()
    assert env.action_masks().any()


@pytest.mark.parametrize("action", NOT_WHOLE)
def test_what_is_no_whole_number_is_a_mistake_and_changes_nothing(action):
    env = SeatEnv()
    env.reset(seed=3)
    position = env.table.record()
    with pytest.raises(ValueError, match="must be a whole number"):
        env.step(action)
    assert env.table.record() == position
    env.step(np.int64(actions.PASS))


# --- what is told


def test_what_is_told_is_fresh_and_nothing_but_observation_and_mask():
    env, twin = SeatEnv(), SeatEnv(dict_observation=True)
    assert env.observation_space == observation_space()["observation"]
    assert twin.observation_space == observation_space()
    assert env.action_space == gymnasium.spaces.Discrete(68)
    seen, info = env.reset(seed=2)
    both, other = twin.reset(seed=2)
    assert not np.shares_memory(both["action_mask"], other["action_mask"])
    over, step = False, 0
    while not over:
        assert (both["observation"] == seen).all()
        for mask in (info["action_mask"], both["action_mask"], other["action_mask"]):
            assert mask.dtype == np.int8
            assert (mask == env.action_masks()).all()
        assert set(info) == {"action_mask"}
        assert env.action_masks().dtype == np.bool_
        assert env.view().seat == env.seat
        assert sorted(env.view().legal_actions()) == np.flatnonzero(info["action_mask"]).tolist()
        action = some_legal(info["action_mask"], step)
        after, reward, over, truncated, info = env.step(action)
        both, *_, other = twin.step(action)
        assert type(reward) is float
        assert (type(over), truncated) == (bool, False)
        assert not np.shares_memory(after, seen)
        seen, step = after, step + 1


def test_rendering_shows_what_the_learner_may_know(capsys):
    env = SeatEnv(render_mode="ansi", seat=2)
    env.reset(seed=1)
    assert "seen by player_2" in env.render()
    picture = SeatEnv(render_mode="rgb_array")
    picture.reset(seed=1)
    assert picture.render().dtype == np.uint8
    SeatEnv(render_mode="human", seat=1).reset(seed=1)
    assert "seen by player_1" in capsys.readouterr().out
    silent = SeatEnv()
    silent.reset(seed=1)
    assert silent.render() is None


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_goes_on_from_the_same_position_on_its_own(copied):
    env = SeatEnv(opponents="random", deals=2)
    _, info = env.reset(seed=4)
    for step in range(2):
        *_, info = env.step(some_legal(info["action_mask"], step))
    twin = copied(env)
    position = env.table.record()
    assert twin.table.record() == position
    twin.step(some_legal(info["action_mask"], 9))
    assert env.table.record() == position
    env.step(some_legal(info["action_mask"], 9))
    assert twin.table.record() == env.table.record()
    assert story(env, None) == story(twin, None)


# --- starts and options


def test_seat_and_opponents_stay_until_they_are_set_again():
    env = SeatEnv(seat="random", opponents="pass")
    env.reset(seed=1, options={"seat": 3, "opponents": "novice"})
    for _ in range(5):
        assert env.seat == 3
        assert [player.name for player in env.opponents] == ["novice"] * 3
        env.reset()
    env.reset(options={"opponents": ["random", make_player("uniform"), "random"], "seat": "random"})
    assert [player.name for player in env.opponents] == ["random", "uniform", "random"]
    assert env.opponents[0] is env.opponents[2]
    assert len({env.reset() and env.seat for _ in range(40)}) == 4


def test_starts_can_be_given_and_hold_for_one_deal():
    env = SeatEnv(seat=0, opponents="pass")
    hands = [[f"{suit}{rank}" for rank in "23456789TJQKA"] for suit in "CDHS"]
    env.reset(seed=1, options={"dealer": 1, "deal": hands, "trump": "D"})
    assert env.view().hand_cards == 2**13 - 1
    assert env.view().turned_card == 25
    _, info = env.reset()
    assert env.view().hand_cards != 2**13 - 1
    table = Table()
    table.deal(5, dealer=3)
    for name in ("SOLO", "PASS", "PASS", "PASS"):
        table.apply(actions.parse(name))
    env.reset(options={"record": table.record()})
    assert env.table.record() == table.record()
    assert env.action_masks()[:52].any()
    assert info is not None


@pytest.mark.parametrize("deals", [1, 2])
def test_a_record_that_leaves_the_learner_nothing_to_decide_is_refused(deals):
    table = Table()
    table.deal(5, dealer=3)
    for name in ("SOLO", "PASS", "PASS", "PASS"):
        table.apply(actions.parse(name))
    while not table.over:
        before = table.clone()
        table.apply(table.legal_actions()[0])
    last = (before.turn + 3) % 4  # has played to the last trick
    env = SeatEnv(seat=before.turn, deals=deals)
    env.reset(seed=2, options={"record": before.record()})
    _, reward, over, *_ = env.step(env.view().legal_actions()[0])
    assert reward == table.payoffs[before.turn] != 0
    assert over == (deals == 1)
    position = env.table.record()
    for line, seat in ((before.record(), last), (table.record(), 0)):
        with pytest.raises(StartError, match=f"leaves player_{seat} nothing to decide"):
            env.reset(options={"record": line, "seat": seat})
        assert (env.table.record(), env.seat) == (position, before.turn)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"colour": "red"}, "no option 'colour'; the options are seat, opponents, dealer"),
        (5, "the options are 5"),
        ({"seat": 4}, "the seat is 4"),
        ({"seat": "north"}, "the seat is 'north'"),
        ({"opponents": 5}, "the opponents are 5"),
        ({"opponents": ["novice"]}, "or three"),
        ({"opponents": ["novice", 3, "novice"]}, "an opponent is 3"),
        ({"opponents": "nobody"}, "no player 'nobody'"),
        ({"dealer": 4}, "the dealer is 4"),
        ({"record": 5}, "the record is 5"),
        ({"record": "x", "dealer": 1}, "give it alone"),
        ({"opponents": Failing()}, "player 'failing' failed while deciding: KeyError: 'x'"),
        ({"opponents": Revoking()}, "player 'revoking' chose 0, which is not open, at: pagat"),
    ],
)
def test_bad_options_are_refused_and_nothing_changes(options, said):
    env = SeatEnv(opponents="random")
    env.reset(seed=3)
    env.reset()
    after = SeatEnv(opponents="random")
    after.reset(seed=3)
    after.reset()
    if isinstance(options, dict) and isinstance(options.get("opponents"), Failing | Revoking):
        options = {**options, "seat": 0, "dealer": 0}  # so that they are asked
    with pytest.raises(ValueError, match=said):
        env.reset(seed=99, options=options)
    assert (env.table.record(), env.seat) == (after.table.record(), after.seat)
    assert story(env, None) == story(after, None)


def test_an_opponent_that_fails_in_a_step_ends_the_episode_for_good():
    for player, said in (
        (Failing(), "failed while deciding"),
        (Revoking(), "which is not open"),
        (Silent(), "chose -1, which"),
    ):
        env = SeatEnv(seat=1, opponents=player)
        env.reset(seed=3, options={"dealer": 0})
        with pytest.raises(PlayerError, match=said):
            env.step(actions.PASS)
        with pytest.raises(RuntimeError, match="call reset"):
            env.step(actions.PASS)
        env.reset(options={"opponents": "novice"})
        env.step(env.view().legal_actions()[0])


def test_bad_arguments_are_refused_with_a_sentence():
    for arguments, said in (
        ({"render_mode": "gif"}, "render_mode is 'gif'"),
        ({"ruleset": "bridge"}, "no ruleset 'bridge'"),
        ({"seat": -1}, "the seat is -1"),
        ({"seat": True}, "the seat is True"),
        ({"deals": 0}, "the number of deals is 0"),
        ({"index": -1}, "the index of the table is -1"),
        ({"opponents": {}}, "the opponents are {}"),
    ):
        with pytest.raises(ValueError, match=said):
            SeatEnv(**arguments)
    env = SeatEnv(render_mode="ansi")
    for use in (env.action_masks, env.view, env.render, lambda: env.step(0)):
        with pytest.raises(RuntimeError, match="call reset"):
            use()
    for seed in (-1, 2**63, 1.5):
        with pytest.raises(ValueError, match="the seed is"):
            env.reset(seed=seed)
