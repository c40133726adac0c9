"""The batched face: buffers, starts, refusals. That it plays the AEC's games is tests/properties' business."""

from __future__ import annotations

import copy
import os
import pickle
import signal

import numpy as np
import pytest

from solo_env import actions
from solo_env.layout import N_FEATURES
from solo_env.table import IllegalActionError, StartError
from solo_env.vector import Batch, SoloVectorEnv, make_buffers


def some_legal(batch: Batch) -> np.ndarray:
    """The last open action of each table: a bid rather than PASS."""
    return 67 - batch.action_mask[:, ::-1].argmax(axis=1)


def test_shapes_and_dtypes_are_those_stated():
    env = SoloVectorEnv(5, seed=1, with_state=True)
    batch = env.reset()
    assert batch.observation.shape == (5, N_FEATURES)
    assert batch.action_mask.shape == (5, 68)
    assert batch.observation.dtype == batch.action_mask.dtype == batch.seat.dtype == np.int8
    assert batch.payoffs.shape == (5, 4)
    assert batch.payoffs.dtype == np.int32
    assert batch.done.dtype == np.bool_
    assert env.buffers.state.shape == (5, 208)
    assert (env.buffers.state.sum(axis=1) == 52).all()


def test_the_caller_owns_the_buffers():
    buffers = make_buffers(3)
    env = SoloVectorEnv(3, seed=1, buffers=buffers)
    batch = env.reset()
    assert batch.observation is buffers.observation
    before = buffers.action_mask.copy()
    batch = env.step(some_legal(batch))
    assert batch.action_mask is buffers.action_mask
    assert (before != buffers.action_mask).any()


def test_wrong_buffers_are_refused():
    with pytest.raises(ValueError, match="buffer observation is"):
        SoloVectorEnv(4, seed=1, buffers=make_buffers(3))
    wrong = make_buffers(3)._replace(payoffs=np.zeros((3, 4)))
    with pytest.raises(ValueError, match="buffer payoffs is float64"):
        SoloVectorEnv(3, seed=1, buffers=wrong)


def test_a_deal_restarts_in_the_step_that_ends_it_and_its_payoff_is_told_once():
    env = SoloVectorEnv(64, seed=2)
    batch = env.reset()
    rng = np.random.default_rng(0)
    ended = 0
    for _ in range(150):
        chosen = [rng.choice(np.flatnonzero(mask)) for mask in batch.action_mask]
        batch = env.step(chosen)
        assert (batch.payoffs.sum(axis=1) == 0).all()
        assert not batch.payoffs[~batch.done].any()
        assert batch.action_mask.any(axis=1).all()
        for b in np.flatnonzero(batch.done):
            assert env.table(b).data["n_calls"] == 0
            assert env.buffers.final_observation[b].any()
        ended += int(batch.done.sum())
    assert ended > 64


def test_reset_without_a_seed_plays_the_same_deals_again_and_a_seed_changes_them():
    env = SoloVectorEnv(4, seed=3)
    first = env.reset().observation.copy()
    env.step(some_legal(env.batch))
    assert (env.reset().observation == first).all()
    assert (env.reset(seed=4).observation != first).any()
    assert env.np_random_seed == 4


def test_starts_can_be_a_deal_a_contract_or_any_position():
    env = SoloVectorEnv(4, seed=5)
    env.reset()
    table = env.table(0)
    for name in ("SOLO", "PASS", "PASS", "PASS"):
        table.apply(actions.parse(name))
    contract = table.record()
    table.apply(table.legal_actions()[0])
    position = table.record()
    hands = [list(range(13 * i, 13 * i + 13)) for i in range(4)]
    batch = env.reset(starts=[None, contract, {"record": position}, {"deal": hands, "dealer": 3}])
    assert env.table(1).record() == contract
    assert env.table(2).record() == position
    assert env.table(3).view(0).hand_cards == 2**13 - 1
    assert batch.action_mask[1, :52].any()
    assert batch.action_mask[3, actions.PASS]


def test_bad_starts_are_refused_and_the_tables_stay():
    env = SoloVectorEnv(2, seed=5)
    before = env.reset().observation.copy()
    with pytest.raises(StartError, match="1 starts for 2 tables"):
        env.reset(starts=[None])
    with pytest.raises(StartError, match=r"start 1: .* no option 'x'"):
        env.reset(starts=[None, {"x": 1}])
    assert (env.batch.observation == before).all()


def test_illegal_actions_are_refused_and_no_table_changes():
    env = SoloVectorEnv(3, seed=6)
    with pytest.raises(RuntimeError, match="call reset"):
        env.step([0, 0, 0])
    batch = env.reset()
    good = some_legal(batch)
    records = [env.table(b).record() for b in range(3)]
    for bad in (0, 54, 68, -1, 2**40):
        with pytest.raises(IllegalActionError, match="table 2"):
            env.step([good[0], good[1], bad])
    for wrong in ([1, 2], [[1, 2, 3]], [0.5, 1.5, 2.5]):
        with pytest.raises(ValueError, match="actions have shape"):
            env.step(wrong)
    assert [env.table(b).record() for b in range(3)] == records


def test_buffers_must_be_writeable_arrays_of_their_own():
    with pytest.raises(ValueError, match="the buffers are a dict"):
        SoloVectorEnv(2, seed=1, buffers={})
    with pytest.raises(ValueError, match="buffer seat is NoneType"):
        SoloVectorEnv(2, seed=1, buffers=make_buffers(2)._replace(seat=None))
    locked = make_buffers(2)
    locked.action_mask.flags.writeable = False
    with pytest.raises(ValueError, match="cannot be written"):
        SoloVectorEnv(2, seed=1, buffers=locked)
    shared = make_buffers(2)
    with pytest.raises(ValueError, match="share memory"):
        SoloVectorEnv(2, seed=1, buffers=shared._replace(final_observation=shared.observation))


def test_nothing_works_before_reset_or_after_close():
    env = SoloVectorEnv(2, seed=1, threads=2)
    with pytest.raises(RuntimeError, match="call reset"):
        env.table(0)
    env.reset()
    env.close()
    for use in (env.reset, lambda: env.step([52, 52]), lambda: env.table(0)):
        with pytest.raises(RuntimeError, match="closed"):
            use()


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_with_threads_goes_on_by_itself(copied):
    env = SoloVectorEnv(4, seed=9, threads=2)
    env.reset()
    twin = copied(env)
    chosen = some_legal(env.batch)
    assert (env.step(chosen).observation == twin.step(chosen).observation).all()
    env.close()
    twin.close()


def test_a_forked_child_has_threads_of_its_own():
    env = SoloVectorEnv(4, seed=9, threads=2)
    chosen = some_legal(env.reset())
    env.step(chosen)
    chosen = some_legal(env.batch)
    child = os.fork()
    if child == 0:  # the child must get through its step; a hang would outlive the parent's patience
        signal.alarm(20)
        env.step(chosen)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    env.close()


@pytest.mark.parametrize("starts", [5, "x", {}, [5, 5], [None, {"record": 5}]])
def test_starts_of_the_wrong_kind_are_refused(starts):
    env = SoloVectorEnv(2, seed=9)
    with pytest.raises(StartError):
        env.reset(starts=starts)


@pytest.mark.parametrize("bad", [0, -1, 1.5, True])
def test_numbers_of_tables_and_threads_must_be_at_least_one(bad):
    with pytest.raises(ValueError, match="num_tables is"):
        SoloVectorEnv(bad)
    with pytest.raises(ValueError, match="threads is"):
        SoloVectorEnv(2, threads=bad)
