"""Threads that share a batch: each row once, errors told, nothing left behind."""

from __future__ import annotations

import gc
import threading
import time

import numpy as np
import pytest

from solo_env.engine.batch import next_part
from solo_env.threads import LEAST_ROWS, Threads, parts
from solo_env.vector import SoloVectorEnv


@pytest.fixture
def alive():
    """The names of our threads that live, none from before the test."""
    before = set(threading.enumerate())

    def names():
        return sorted(thread.name for thread in set(threading.enumerate()) - before if thread.name[:4] == "solo")

    return names


@pytest.mark.parametrize(("threads", "n_rows"), [(1, 5), (2, 5), (3, 2), (4, 1001), (2, 8192)])
def test_every_row_is_in_one_part(threads, n_rows):
    edges = parts(n_rows, threads)
    sizes = np.diff(edges)
    assert (edges[0], edges[-1]) == (0, n_rows)
    assert (sizes > 0).all()
    assert (np.diff(sizes) <= 0).all()  # the longest first
    assert len(sizes) == 1 or sizes[0] <= max(n_rows / threads, LEAST_ROWS)
    assert (edges[:-1] % LEAST_ROWS == 0).all()


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_every_part_is_drawn_once_by_one_of_the_threads(threads):
    n_parts, taken, by = 2000, np.zeros(1, np.int64), np.zeros(threads, int)
    drawn = [[] for _ in range(threads)]

    def work(thread):
        by[thread] += 1
        while (part := next_part(taken)) < n_parts:
            drawn[thread].append(part)

    workers = Threads(threads)
    workers.share(work)
    workers.close()
    assert sorted(part for parts in drawn for part in parts) == list(range(n_parts))
    assert (by == 1).all()


@pytest.mark.parametrize("failing", [0, 1, 2])
def test_an_error_of_any_thread_is_raised_after_all_have_ended(failing):
    ended = []

    def work(thread):
        if thread == failing:
            raise KeyError(thread)
        ended.append(thread)

    workers = Threads(3)
    with pytest.raises(KeyError, match=str(failing)):
        workers.share(work)
    assert sorted(ended) == sorted({0, 1, 2} - {failing})
    workers.share(ended.append)  # and it works on
    workers.close()
    assert len(ended) == 5


def test_an_interrupt_is_raised_when_all_that_was_handed_over_is_done():
    done = np.zeros(3, int)

    def work(thread):
        if thread == 2:  # the caller's own part
            raise KeyboardInterrupt
        time.sleep(0.05)
        done[thread] += 1

    workers = Threads(3)
    with pytest.raises(KeyboardInterrupt):
        workers.share(work)
    assert done.tolist() == [1, 1, 0]
    workers.share(lambda thread: done.__setitem__(thread, 5))
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
