"""The single-seat face in batches: step for step what Gymnasium's own vector of single environments tells."""

from __future__ import annotations

import copy
import pickle

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers.vector import RecordEpisodeStatistics

from solo_env import actions
from solo_env.layout import N_FEATURES
from solo_env.player import PlayerError, make_player
from solo_env.seat_env import SeatEnv
from solo_env.seat_vector import SeatVectorEnv
from solo_env.table import StartError, Table
from tests.faces.seats import Counting, Failing, Revoking, Silent, some_legal

B = 6
MODES = list(AutoresetMode)
KINDS = [
    {},
    {"opponents": ["random", "novice", "random"], "deals": 2, "dict_observation": True},
    {"ruleset": 'everything2+play.revokes="possible"', "seat": 1, "opponents": "random"},
    {"ruleset": 'anna_cubed+passout.mode="fewest"', "opponents": "uniform", "deals": 3},
]


def choices(mask: np.ndarray, step: int) -> np.ndarray:
    """An action for each row; now and then an illegal one, and any where the episode is over."""
    chosen = [some_legal(row, b, step) if row.any() else 99 for b, row in enumerate(mask)]
    if step % 9 == 4:
        chosen[step % len(chosen)] = (0, 54, -1, 68)[step % 4]
    return np.array(chosen)


def singles(mode: AutoresetMode, **kind) -> SyncVectorEnv:
    """As many single environments, at the tables of the batch."""
    return SyncVectorEnv([lambda b=b: SeatEnv(index=b, **kind) for b in range(B)], autoreset_mode=mode)


@pytest.mark.parametrize("kind", KINDS, ids=range(len(KINDS)))
@pytest.mark.parametrize("mode", MODES)
def test_it_tells_what_as_many_single_environments_tell(mode, kind):
    env, sync = SeatVectorEnv(B, autoreset_mode=mode, **kind), singles(mode, **kind)
    assert env.metadata["autoreset_mode"] is mode
    for name in ("single_observation_space", "observation_space", "single_action_space", "action_space"):
        assert getattr(env, name) == getattr(sync, name)
    told = env.reset(seed=3)
    assert data_equivalence(told, sync.reset(seed=[3] * B), exact=True)
    mask, ended = told[1]["action_mask"], 0
    for step in range(150):
        chosen = choices(mask, step)
        told = env.step(chosen)
        assert data_equivalence(told, sync.step(chosen), exact=True)
        assert told[0] in env.observation_space
        mask, over = told[4]["action_mask"].copy(), told[2]
        assert (env.action_masks() == mask).all()
        ended += over.sum()
        if mode is AutoresetMode.DISABLED and over.any():
            seen, infos = env.reset(options={"reset_mask": over})
            theirs, others = sync.reset(options={"reset_mask": over.copy()})
            assert data_equivalence(seen, theirs, exact=True)
            assert (infos["action_mask"][over] == others["action_mask"][over]).all()
            assert infos["action_mask"].any(axis=1).all()  # ours tells those of all tables
            mask = infos["action_mask"]
    assert ended > 3 * B
    assert data_equivalence(env.reset()[0], sync.reset()[0], exact=True)


def test_a_row_is_the_same_in_any_batch():
    stories = []
    for size in (1, 5, 32):
        env = SeatVectorEnv(size, opponents=["random", "random", "novice"], autoreset_mode="SameStep")
        _, infos = env.reset(seed=11)
        story = []
        for step in range(100):
            chosen = [some_legal(mask, b, step) for b, mask in enumerate(infos["action_mask"])]
            seen, reward, over, _, infos = env.step(chosen)
            story.append((seen[0].tobytes(), reward[0], over[0], infos["action_mask"][0].tobytes()))
        stories.append(story)
    assert stories[0] == stories[1] == stories[2]


def test_same_step_keeps_the_last_observation_and_its_mask_of_zeros():
    env = SeatVectorEnv(32, autoreset_mode=AutoresetMode.SAME_STEP)
    _, infos = env.reset(seed=1)
    for step in range(40):
        assert infos["action_mask"].any(axis=1).all()
        _, reward, over, truncated, infos = env.step(choices(infos["action_mask"], step))
        assert not truncated.any()
        assert ("final_obs" in infos) == over.any()
        if over.any():
            assert (infos["_final_obs"] == over).all()
            assert (infos["_final_info"] == over).all()
            assert not infos["final_info"]["action_mask"].any()
            for b, final in enumerate(infos["final_obs"]):
                assert (final is None) != over[b]
                assert final is None or final in env.single_observation_space
        assert not reward[~over].any()


def test_next_step_ignores_the_action_of_the_step_that_deals_anew():
    env = SeatVectorEnv(8)
    _, infos = env.reset(seed=1)
    over = np.zeros(8, bool)
    for step in range(60):
        rested = over
        seen, reward, over, _, infos = env.step(choices(infos["action_mask"], step))
        assert not reward[rested].any()
        assert not over[rested].any()
        assert infos["action_mask"][rested].any(axis=1).all()
        assert not infos["action_mask"][over].any()
        assert (seen[rested][:, 1045] == 0).all()


def test_disabled_waits_for_a_reset():
    env = SeatVectorEnv(3, autoreset_mode="Disabled")
    env.reset(seed=1)
    _, _, over, _, _ = env.step([52, 0, 52])  # a card in the auction
    assert over.tolist() == [False, True, False]
    kept = [env.table(b).record() for b in range(3)]
    with pytest.raises(RuntimeError, match="the episode of table 1 is over"):
        env.step([52, 52, 52])
    env.reset(options={"reset_mask": over})
    now = [env.table(b).record() for b in range(3)]
    assert [now[0], now[2]] == [kept[0], kept[2]]
    assert now[1] != kept[1]
    env.step(env.action_masks().argmax(axis=1))


def test_arrays_are_the_callers():
    env = SeatVectorEnv(4, dict_observation=True)
    seen, infos = env.reset(seed=1)
    assert not np.shares_memory(seen["action_mask"], infos["action_mask"])
    kept = seen["observation"].copy(), infos["action_mask"].copy()
    infos["action_mask"][:] = seen["action_mask"][:] = kept[1]
    env.step(choices(infos["action_mask"], 0))
    assert (seen["observation"] == kept[0]).all()
    assert (infos["action_mask"] == kept[1]).all()


def test_shapes_and_dtypes_are_those_stated():
    env = SeatVectorEnv(5)
    _, infos = env.reset(seed=1)
    seen, reward, over, truncated, infos = env.step(choices(infos["action_mask"], 0))
    assert (seen.shape, seen.dtype) == ((5, N_FEATURES), np.int8)
    assert (reward.shape, reward.dtype) == ((5,), np.float64)
    assert over.dtype == truncated.dtype == np.bool_
    assert (infos["action_mask"].shape, infos["action_mask"].dtype) == ((5, 68), np.int8)
    assert infos["_action_mask"].all()
    assert env.action_masks().dtype == np.bool_
    assert (env.views()["seat"] == env.seats).all()
    assert env.unwrapped is env


@pytest.mark.parametrize("mode", MODES)
def test_gymnasium_makes_and_wraps_it(mode):
    env = gymnasium.make_vec("SoloWhist-v0", num_envs=4, autoreset_mode=mode, opponents="pass")
    assert isinstance(env, SeatVectorEnv)
    wrapped = RecordEpisodeStatistics(env)
    _, infos = wrapped.reset(seed=1)
    returns = []
    for step in range(60):
        _, reward, over, _, infos = wrapped.step(choices(infos["action_mask"], step))
        assert reward.shape == (4,)
        if over.any():
            returns += infos["episode"]["r"][over].tolist()
            if mode is AutoresetMode.DISABLED:
                _, infos = wrapped.reset(options={"reset_mask": over})
    assert len(returns) > 8
    synced = gymnasium.make_vec("SoloWhist-v0", num_envs=2, vectorization_mode="sync")
    assert isinstance(synced, SyncVectorEnv)


def test_tables_may_have_opponents_and_seats_of_their_own():
    env, sync = SeatVectorEnv(B, autoreset_mode="Disabled"), singles(AutoresetMode.DISABLED)
    env.reset(seed=5)
    sync.reset(seed=[5] * B)
    league = ["pass", make_player("uniform"), ["random", "pass", "random"]]
    for number, opponents in enumerate(league):
        mask = np.arange(B) % 3 == number
        options = {"opponents": opponents, "seat": number, "reset_mask": mask}
        env.reset(options=options)
        sync.reset(options={**options, "reset_mask": mask.copy()})
    assert env.seats.tolist() == [0, 1, 2] * 2
    assert sorted(player.name for player in env._games.players) == ["pass", "pass", "random", "uniform"]
    for step in range(40):
        chosen = choices(env.action_masks(), step)
        told, theirs = env.step(chosen), sync.step(chosen)
        assert data_equivalence(told, theirs, exact=True)
        if told[2].any():
            env.reset(options={"reset_mask": told[2]})
            sync.reset(options={"reset_mask": told[2].copy()})
    env.reset(options={"seat": [3, 2, 1, 0, 0, 0], "opponents": "novice"})
    assert env.seats.tolist() == [3, 2, 1, 0, 0, 0]
    assert len(env._games.players) == 1


def test_starts_can_be_given():
    table = Table()
    table.deal(5, dealer=3)
    for name in ("SOLO", "PASS", "PASS", "PASS"):
        table.apply(actions.parse(name))
    env = SeatVectorEnv(4, seat=[0, 0, 2, 3])
    env.reset(seed=1, options={"record": table.record()})
    assert env.table(0).record() == env.table(1).record() == table.record()
    assert [env.table(b).data["n_plays"] for b in range(4)] == [0, 0, 2, 3]
    env.reset(options={"dealer": 2})
    assert {int(env.table(b).data["dealer"]) for b in range(4)} == {2}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"colour": "red"}, "no option 'colour'; the options are reset_mask, seat"),
        (5, "the options are 5"),
        ({"seat": 4}, "the seat is 4"),
        ({"seat": [1, 2]}, "2 seats for 3 tables"),
        ({"seat": [1, 2, "north"]}, "the seat is 'north'"),
        ({"opponents": 5}, "the opponents are 5"),
        ({"record": "pagat; dealer 0"}, "no 'deal' field"),
        ({"reset_mask": [True, False, True]}, "reset_mask is"),
        ({"reset_mask": np.zeros(3, bool)}, "at least one True"),
        ({"reset_mask": np.ones(3)}, "give a bool array"),
        ({"reset_mask": np.ones(4, bool)}, r"of shape \(3,\)"),
        ({"opponents": Failing(), "seat": 0, "dealer": 0}, "player 'failing' failed while deciding: KeyError: 'x'"),
        ({"opponents": Revoking(), "seat": 0, "dealer": 0}, "'revoking' chose 0, which is not open, at: pagat"),
    ],
)
def test_bad_options_are_refused_and_nothing_changes(options, said):
    env, twin = SeatVectorEnv(3), SeatVectorEnv(3)
    for one in (env, twin):
        one.reset(seed=3)
    with pytest.raises(ValueError, match=said):
        env.reset(seed=9, options=options)
    for step in range(30):
        chosen = choices(env.action_masks(), step)
        assert data_equivalence(env.step(chosen), twin.step(chosen), exact=True)
    assert env.np_random_seed == 3


def test_a_record_that_leaves_a_learner_nothing_to_decide_is_refused():
    table = Table()
    table.deal(5, dealer=3)
    for name in ("SOLO", "PASS", "PASS", "PASS"):
        table.apply(actions.parse(name))
    while not table.over:
        before = table.clone()
        table.apply(table.legal_actions()[0])
    last = (before.turn + 3) % 4
    env = SeatVectorEnv(2, seat=[before.turn, last])
    with pytest.raises(StartError, match=f"leaves player_{last} nothing to decide"):
        env.reset(seed=1, options={"record": before.record()})


def test_an_opponent_that_fails_in_a_step_ends_the_episodes_for_good():
    for player, said in (
        (Failing(), "failed while deciding"),
        (Revoking(), "'revoking' chose .* not open"),
        (Silent(), "'silent' chose -1, which is not open"),
    ):
        env = SeatVectorEnv(2, seat=1, opponents=player)
        env.reset(seed=3, options={"dealer": 0})
        with pytest.raises(PlayerError, match=said):
            env.step([52, 52])
        with pytest.raises(RuntimeError, match="call reset"):
            env.step([52, 52])
        with pytest.raises(RuntimeError, match="call reset"):
            env.reset(options={"reset_mask": np.array([True, False]), "opponents": "novice"})
        env.reset(options={"opponents": "novice"})
        env.step(env.action_masks().argmax(axis=1))


def test_wrong_actions_are_refused_and_nothing_changes():
    env = SeatVectorEnv(3, autoreset_mode="Disabled")
    env.reset(seed=6)
    records = [env.table(b).record() for b in range(3)]
    for wrong in ([1, 2], [[1, 2, 3]], [0.5, 1.5, 2.5], [True, True, True], 5, [[1], [2, 3], [4]]):
        with pytest.raises(ValueError, match="whole numbers of shape"):
            env.step(wrong)
    assert [env.table(b).record() for b in range(3)] == records
    _, reward, over, _, infos = env.step(np.array([2**64 - 1, 2**63, 99], np.uint64))
    assert reward.tolist() == [-18.0] * 3
    assert over.all()
    assert not infos["action_mask"].any()
    assert [env.table(b).record() for b in range(3)] == records


def test_others_are_asked_once_a_round_and_only_where_they_have_a_choice():
    player = Counting()
    calls = []
    act_batch = player.act_batch
    player.act_batch = lambda views, keys, out: (calls.append(len(views)), act_batch(views, keys, out))
    env = SeatVectorEnv(64, opponents=player)
    env.reset(seed=1)
    assert len(calls) == 3
    assert calls[0] > 32
    assert min(player.choices) > 1


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_goes_on_by_itself(copied):
    env = SeatVectorEnv(4, opponents="random", autoreset_mode="SameStep")
    env.reset(seed=9)
    twin = copied(env)
    for step in range(40):
        chosen = choices(env.action_masks(), step)
        assert data_equivalence(env.step(chosen), twin.step(chosen), exact=True)


def test_without_a_seed_the_one_drawn_can_be_read_and_reused():
    env, again = SeatVectorEnv(2), SeatVectorEnv(2)
    seen, _ = env.reset()
    assert (again.reset(seed=env.np_random_seed)[0] == seen).all()
    assert (env.reset()[0] == again.reset()[0]).all()
    assert SeatVectorEnv(2).np_random_seed != env.np_random_seed


def test_bad_arguments_and_uses_are_refused_with_a_sentence():
    for arguments, said in (
        ({"num_envs": 0}, "num_envs is 0"),
        ({"num_envs": 2, "autoreset_mode": "Never"}, "autoreset_mode is 'Never'; it must be one of 'NextStep'"),
        ({"num_envs": 2, "seat": [0, 1, 2]}, "3 seats for 2 tables"),
        ({"num_envs": 2, "deals": 0}, "the number of deals is 0"),
    ):
        with pytest.raises(ValueError, match=said):
            SeatVectorEnv(**arguments)
    env = SeatVectorEnv(2)
    for use in (env.action_masks, env.views, lambda: env.step([52, 52]), lambda: env.table(0)):
        with pytest.raises(RuntimeError, match="call reset"):
            use()
    with pytest.raises(RuntimeError, match="call reset"):
        env.reset(options={"reset_mask": np.array([True, False])})
    for seed in (-1, 2**63, 1.5, [1, 2]):
        with pytest.raises(ValueError, match="the seed is"):
            env.reset(seed=seed)
    env.reset(seed=1)
    env.close()
    for use in (env.reset, lambda: env.step([52, 52])):
        with pytest.raises(RuntimeError, match="closed"):
            use()
