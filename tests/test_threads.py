"""Threads that share rows: each row once, errors told, nothing left behind."""

from __future__ import annotations

import gc
import threading

import numpy as np
import pytest

from solo_env.threads import Threads


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


def test_the_threads_end_with_the_object_that_started_them(alive):
    workers = Threads(3)
    threads = [thread for thread in threading.enumerate() if thread.name[:4] == "solo"]
    assert alive() == ["solo-whist-0", "solo-whist-1"]
    del workers
    gc.collect()
    for thread in threads:
        thread.join(5)
    assert alive() == []
