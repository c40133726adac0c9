"""The batched face: many tables stepped at once into buffers the caller owns."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from gymnasium.utils import seeding
from numpy.typing import ArrayLike, NDArray

from solo_env.actions import N_ACTIONS
from solo_env.cards import N_SEATS
from solo_env.checks import whole_actions, whole_number
from solo_env.engine import batch
from solo_env.engine.state import new_tables, new_views
from solo_env.layout import MASK, N_STATE, ROW, records
from solo_env.packing import Form
from solo_env.rules import Ruleset, load_ruleset, pack_array
from solo_env.table import MAX_SEED, IllegalActionError, StartError, Table, check_deals, check_seed
from solo_env.threads import Threads, parts


class Batch(NamedTuple):
    """What a step tells: the buffers of the environment, overwritten by the next step.

    Axes: B tables, F features, A actions.
    """

    observation: NDArray[np.int8]  # [B, W] what the seat to act sees; W columns, F of them unless a form is chosen
    action_mask: NDArray[np.int8]  # [B, A] 1 for what it may do
    seat: NDArray[np.int8]  # [B] the seat to act, 0..3
    payoffs: NDArray[np.int32]  # [B, 4] units by seat where a deal ended in this step, else zeros
    settled: NDArray[np.bool_]  # [B] whether a deal ended in this step
    done: NDArray[np.bool_]  # [B] whether it was the last of its session


class Buffers(NamedTuple):
    """All arrays a :class:`SoloVectorEnv` writes; make them with :func:`make_buffers` or bring your own."""

    observation: NDArray[np.int8]
    action_mask: NDArray[np.int8]
    seat: NDArray[np.int8]
    payoffs: NDArray[np.int32]
    settled: NDArray[np.bool_]
    done: NDArray[np.bool_]
    final_observation: NDArray[np.int8]  # [B, W] where settled: the last view of the seat that ended the deal
    state: NDArray[np.int8]  # [B, 4 * 52] all four hands as the seat to act counts; [0, 208] unless wanted


def buffer_specs(
    num_tables: int, with_state: bool = False, form: Form | None = None
) -> dict[str, tuple[tuple[int, ...], np.dtype[Any]]]:
    """Shape and dtype of every buffer of ``num_tables`` tables, observations in the given form."""
    b, width = num_tables, (form or Form()).width
    return {
        "observation": ((b, width), np.dtype(np.int8)),
        "action_mask": ((b, N_ACTIONS), np.dtype(np.int8)),
        "seat": ((b,), np.dtype(np.int8)),
        "payoffs": ((b, N_SEATS), np.dtype(np.int32)),
        "settled": ((b,), np.dtype(np.bool_)),
        "done": ((b,), np.dtype(np.bool_)),
        "final_observation": ((b, width), np.dtype(np.int8)),
        "state": ((b if with_state else 0, N_STATE), np.dtype(np.int8)),
    }


def make_buffers(
    num_tables: int, with_state: bool = False, form: Form | None = None, pinned: bool = False
) -> Buffers:
    """Zeroed buffers for ``num_tables`` tables, observations in the given form.

    With ``pinned`` they lie in page-locked memory, from which an accelerator copies while the processor goes on
    (ordinary memory where torch finds no accelerator); torch is needed for that. For either kind
    ``torch.from_numpy`` gives a tensor on the same memory.
    """
    specs = buffer_specs(num_tables, with_state, form)
    zeros = _pinned_zeros if pinned else np.zeros
    return Buffers(**{name: zeros(shape, dtype) for name, (shape, dtype) in specs.items()})


def _pinned_zeros(shape: tuple[int, ...], dtype: np.dtype[Any]) -> NDArray[Any]:
    torch = importlib.import_module("torch")  # of the extra `train`; nothing else here needs it
    tensor = torch.zeros(shape, dtype=getattr(torch, "bool" if dtype == np.bool_ else dtype.name))
    array: NDArray[Any] = (tensor.pin_memory() if torch.cuda.is_available() else tensor).numpy()
    return array


class SoloVectorEnv:
    """``num_tables`` tables at once, the next deal dealt in the step that ends one.

    Table b plays the games (seed, b, 0), (seed, b, 1), ..., each a session of ``deals`` deals: the same on any
    batch size and any number of threads, and table 0 plays what ``raw_env`` plays from that seed.

    Args:
        num_tables: B, at least 1.
        ruleset: a name, a path or a :class:`~solo_env.rules.Ruleset`.
        seed: a whole number from 0 to 2**63 - 1; None draws one, readable as ``np_random_seed``.
        deals: deals of a session, 1 to 9999.
        threads: how many threads share the rows of the batch.
        with_state: whether ``buffers.state`` (all four hands, for a critic) is written too.
        buffers: arrays to write into, C-contiguous; made anew if not given.
        form: which blocks observations have and whether they are packed; whole if not given.
        play_forced: whether actions without a choice are taken at once, but for the first of a deal. Payoffs and
            records are the same; there are fewer steps.
        first_table: the number of the first table; two halves of a batch, stepped in turn, are two environments
            of which the second begins where the first ends.
    """

    def __init__(  # noqa: PLR0913 - options, all but the first three by name only
        self,
        num_tables: int,
        ruleset: str | Ruleset = "pagat",
        seed: int | None = None,
        *,
        deals: int = 1,
        threads: int = 1,
        with_state: bool = False,
        buffers: Buffers | None = None,
        form: Form | None = None,
        play_forced: bool = False,
        first_table: int = 0,
    ) -> None:
        self.num_tables = whole_number("num_tables", num_tables, 1)
        self.threads = whole_number("threads", threads, 1)
        self.ruleset = load_ruleset(ruleset)
        self.deals = check_deals(deals, self.ruleset)
        self.rules = pack_array(self.ruleset)
        self.with_state = with_state
        self.form = Form() if form is None else form
        if not isinstance(self.form, Form):
            raise ValueError(f"the form is {form!r}; give a solo_env.packing.Form.")
        self.play_forced = bool(play_forced)
        self.first_table = whole_number("first_table", first_table, 0, MAX_SEED)
        self.buffers = make_buffers(self.num_tables, with_state, self.form) if buffers is None else buffers
        _check_buffers(self.buffers, buffer_specs(self.num_tables, with_state, self.form))
        self._row = np.zeros(self.threads, ROW)  # scratch of each thread, as is the next
        self._words = np.zeros((self.threads, self.form.n_words), np.int64)
        self._parts = parts(self.num_tables, self.threads)
        self._chosen = np.zeros(self.num_tables, np.int64)
        self.np_random_seed = int(seeding.np_random()[1]) % 2**63 if seed is None else check_seed(seed)
        self._tables = new_tables(self.num_tables)
        self._views = new_views(self.num_tables)  # filled when they are asked for
        self._views_are_fresh = False
        self._legal = np.zeros((self.num_tables, 2), np.int64)  # sets of what may be done: cards, calls
        self._started = False
        self._arrays: list[tuple[tuple[Any, ...], tuple[Any, ...]]] = []  # of each thread, made when needed
        self._others: tuple[int, Threads] | None = None  # the process it lives in, and the threads
        self._closed = False

    @property
    def batch(self) -> Batch:
        """The buffers that a step returns."""
        b = self.buffers
        return Batch(b.observation, b.action_mask, b.seat, b.payoffs, b.settled, b.done)

    def reset(
        self,
        seed: int | None = None,
        starts: Sequence[Mapping[str, Any] | str | None] | None = None,
    ) -> Batch:
        """Start game 0 at every table.

        Args:
            seed: replaces the seed of the environment; None starts the same sequence of deals again.
            starts: one entry a table, None for the deal of the seed, else options as
                :meth:`solo_env.table.Table.start` takes them or a record line: a deal, a contract already
                decided (a record that ends with the auction), any position. It is the first deal of the session;
                later ones come from the seed and, where the pack isn't shuffled, from the deal before.

        Raises:
            ValueError: a bad seed or start; the tables stay as they were.
        """
        if self._closed:
            raise RuntimeError("the environment is closed; make a new one before reset().")
        new_seed = self.np_random_seed if seed is None else check_seed(seed)
        tables = new_tables(self.num_tables)
        first = self.first_table
        batch.deal_rows(tables, self.rules, new_seed, first, 0, -1, self.deals, 0, self.num_tables)
        if starts is not None:
            self._place(tables, starts)
        self.np_random_seed, self._tables, self._started = new_seed, tables, False
        self.buffers.payoffs[:] = 0
        self.buffers.settled[:] = self.buffers.done[:] = False
        self._observe_all(self._observe)
        self._started = True
        return self.batch

    def step(self, actions: ArrayLike) -> Batch:
        """Take one action at each table.

        Args:
            actions: whole numbers [B], each 1 in the action mask of its table.

        Returns:
            The buffers: observation [B, W], action_mask [B, A], seat [B], payoffs [B, 4], settled [B], done [B].
            Where a deal ended, its payoffs are there and the rest tells of the next deal.

        Raises:
            IllegalActionError: an action is masked out; no table has changed.
            KeyboardInterrupt: the user's; some tables may have been stepped, so ``reset`` comes next.
        """
        self._check_open("step")
        chosen = np.ascontiguousarray(whole_actions(actions, self.num_tables), np.int64)
        bad = batch.first_masked(self._legal, chosen)
        if bad >= 0:
            raise IllegalActionError(f"table {bad}: {self.table(bad).why_illegal(int(chosen[bad]))}")
        self._chosen = chosen
        self._started = False  # until all rows are done: a step that is broken off leaves no deals behind
        self._observe_all(self._step)
        self._started = True
        return self.batch

    def _step(self, taken: NDArray[np.int64], thread: int) -> None:
        """Step rows that nobody else has taken, and observe them."""
        settling, observing = self._arrays[thread]
        batch.step_rows(
            self._tables, self.rules, self._chosen, self.play_forced, self._parts, taken, *settling, *observing
        )

    def _observe(self, taken: NDArray[np.int64], thread: int) -> None:
        """Write what the seats to act see of rows that nobody else has taken."""
        batch.observe_rows(self._tables, self.rules, self._parts, taken, *self._arrays[thread][1])

    def _arrays_of(self, thread: int) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """What a thread hands to a kernel at every step: for the deals that end, and to observe."""
        b, form, words = self.buffers, self.form, self._words[thread]
        observing = (
            self._rows(b.observation, thread), form.spans, form.n_bits, words, words.view(np.int8), b.observation,
            records(b.action_mask, MASK), self._legal, b.seat, b.state,
        )  # fmt: skip
        settling = self._rows(b.final_observation, thread), b.payoffs, b.settled, b.done, b.final_observation
        return settling, observing

    def _write_views(self, taken: NDArray[np.int64], thread: int) -> None:
        """Write the views of rows that nobody else has taken."""
        while (part := batch.next_part(taken)) + 1 < len(self._parts):
            batch.write_views(self._tables, self.rules, self._views, *self._parts[part : part + 2])

    def _rows(self, observation: NDArray[np.int8], thread: int) -> NDArray[np.void]:
        """The rows of whole observations as records [B]; of another form, a record [1] for each thread to use."""
        return self._row[thread : thread + 1] if len(self.form.spans) else records(observation, ROW)

    def table(self, b: int) -> Table:
        """A copy of table ``b`` with all its cards, for people and tests."""
        self._check_open("table")
        copy = Table(self.ruleset)
        copy.data = self._tables[whole_number("the table", b, 0, self.num_tables - 1)]
        return copy

    def views(self) -> NDArray[np.void]:
        """The view records [B] (dtype ``VIEW``) of the seats to act: what a ``Player`` decides from.

        It is the environment's own buffer, filled when it is first asked for after a step: the next call after
        another step writes the views of other seats into it.
        """
        if not self._views_are_fresh:
            self._over_rows(self._write_views)
            self._views_are_fresh = True
        return self._views

    def close(self) -> None:
        """Let the threads go; the environment cannot be used any more."""
        self._closed = True
        if self._others is not None and self._others[0] == os.getpid():
            self._others[1].close()
        self._others = None

    def __getstate__(self) -> dict[str, Any]:
        """Everything but the threads, and what they hand to kernels: a copy makes both anew when it needs them."""
        return {**self.__dict__, "_others": None, "_arrays": []}

    def _threads(self) -> Threads:
        """The threads of this process: those of a parent do not come along when it forks."""
        if self._others is None or self._others[0] != os.getpid():
            self._others = os.getpid(), Threads(self.threads)
        return self._others[1]

    def _check_open(self, what: str) -> None:
        if self._closed:
            raise RuntimeError(f"the environment is closed; make a new one before {what}().")
        if not self._started:
            raise RuntimeError(f"no deals are under way; call reset() before {what}().")

    def _place(self, tables: NDArray[np.void], starts: Sequence[Mapping[str, Any] | str | None]) -> None:
        if isinstance(starts, str | Mapping) or not isinstance(starts, Sequence):
            raise StartError(f"the starts are {starts!r}; give a list with one entry for each table.")
        if len(starts) != self.num_tables:
            raise StartError(f"there are {len(starts)} starts for {self.num_tables} tables; give one for each.")
        place = Table(self.ruleset)
        for b, start in enumerate(starts):
            if start is None:
                continue
            place.data = tables[b]
            try:
                place.start({"record": start} if isinstance(start, str) else start)
                if place.over:
                    raise StartError("the record is of a finished deal.")
            except ValueError as error:
                raise StartError(f"start {b}: {error}") from None
            tables[b] = place.data

    def _observe_all(self, work: Callable[[NDArray[np.int64], int], None]) -> None:
        """Do ``work`` for all rows, after which other seats are to act."""
        self._views_are_fresh = False
        self._over_rows(work)

    def _over_rows(self, work: Callable[[NDArray[np.int64], int], None]) -> None:
        """Do ``work(taken, thread)`` on all threads, which draw from ``taken`` whose rows are whose."""
        taken = np.zeros(1, np.int64)
        if not self._arrays:
            self._arrays = [self._arrays_of(number) for number in range(self.threads)]
        if self.threads == 1:
            work(taken, 0)
        else:
            self._threads().share(partial(work, taken))


def _check_buffers(buffers: Buffers, specs: Mapping[str, tuple[tuple[int, ...], np.dtype[Any]]]) -> None:
    if not isinstance(buffers, Buffers):
        raise ValueError(f"the buffers are a {type(buffers).__name__}; give solo_env.vector.Buffers.")
    for name, (shape, dtype) in specs.items():
        array = getattr(buffers, name)
        if not isinstance(array, np.ndarray):
            raise ValueError(f"buffer {name} is {type(array).__name__}; it must be a NumPy array.")
        if array.shape != shape or array.dtype != dtype:
            raise ValueError(f"buffer {name} is {array.dtype} {array.shape}; it must be {dtype} {shape}.")
        if not array.flags.c_contiguous or not array.flags.writeable:
            raise ValueError(f"buffer {name} is not C-contiguous or cannot be written; it must be both.")
    for one, other in combinations(specs, 2):
        if np.shares_memory(getattr(buffers, one), getattr(buffers, other)):
            raise ValueError(f"buffers {one} and {other} share memory; each needs its own.")
