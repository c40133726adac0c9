"""Threads that share rows: each row once, errors told, nothing left behind."""

from __future__ import annotations

import gc
import threading
import time

import numpy as np
import pytest

from solo_env.threads import Threads
from solo_env.vector import SoloVectorEnv


@pytest.fixture
def alive():
    """The names of our threads that live, none from before the test."""
    before = set(threading.enumerate())

    def names():
        return sorted(thread.name for thread in set(threading.enumerate()) - before if thread.name[:4] == "solo")

    return names


@pytest.mark.parametrize(("threads", "n_rows"), [(1, 5), (2, 5), (3, 2), (4, 1001)])
def test_every_row_is_worked_on_once_by_one_of_the_threads(threads, n_rows):
    done, by = np.zeros(n_rows, int), np.zeros(threads, int)

    def work(start, stop, thread):
        done[start:stop] += 1
        by[thread] += 1

    workers = Threads(threads)
    for _ in range(20):
        workers.share(work, n_rows)
    workers.close()
    assert (done == 20).all()
    assert (by == 20).all()


@pytest.mark.parametrize("failing", [0, 1, 2])
def test_an_error_of_any_thread_is_raised_after_all_have_ended(failing):
    ended = []

    def work(start, stop, thread):
        if thread == failing:
            raise KeyError(thread)
        ended.append(thread)

    workers = Threads(3)
    with pytest.raises(KeyError, match=str(failing)):
        workers.share(work, 30)
    assert sorted(ended) == sorted({0, 1, 2} - {failing})
    workers.share(lambda start, stop, thread: ended.append(thread), 30)  # and it works on
    workers.close()
    assert len(ended) == 5


def test_an_interrupt_is_raised_when_all_that_was_handed_over_is_done():
    done = np.zeros(300, int)

    def work(start, stop, thread):
        if thread == 2:  # the caller's own part
            raise KeyboardInterrupt
        time.sleep(0.05)
        done[start:stop] += 1

    workers = Threads(3)
    with pytest.raises(KeyboardInterrupt):
        workers.share(work, 300)
    assert done.tolist() == [1] * 200 + [0] * 100
    workers.share(lambda start, stop, thread: done.__setitem__(slice(start, stop), 5), 300)
    workers.close()
    assert (done == 5).all()


def test_a_step_that_is_broken_off_leaves_no_deals_behind(monkeypatch):
    env = SoloVectorEnv(4, seed=1, threads=2)
    masks = env.reset().action_mask.copy()

    def broken_off(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(env, "_step", broken_off)
        with pytest.raises(KeyboardInterrupt):
            env.step(masks.argmax(axis=1))
    with pytest.raises(RuntimeError, match=r"no deals are under way; call reset\(\) before step\(\)"):
        env.step(masks.argmax(axis=1))
    assert (env.reset().action_mask == masks).all()
    env.step(masks.argmax(axis=1))
    env.close()


def test_the_threads_end_with_the_object_that_started_them(alive):
    workers = Threads(3)
    threads = [thread for thread in threading.enumerate() if thread.name[:4] == "solo"]
    assert alive() == ["solo-whist-0", "solo-whist-1"]
    del workers
    gc.collect()
    for thread in threads:
        thread.join(5)
    assert alive() == []
