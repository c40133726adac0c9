"""Observations in other forms, forced moves and halves of a batch: the same games, told otherwise."""

from __future__ import annotations

import numpy as np
import pytest

from solo_env.engine.packing import write_form
from solo_env.layout import BLOCKS, N_FEATURES, OFFSETS, ROW, block
from solo_env.packing import Form
from solo_env.rules import shipped_rulesets
from solo_env.table import Table
from solo_env.vector import SoloVectorEnv, make_buffers

POLICY = ["trump", "hand", "played", "trick", "calls_by_seat", "contract", "role", "turned"]


def moves(mask: np.ndarray, step: int) -> np.ndarray:
    """A legal action for each row, another for each row and step; passes and low calls more often than not."""
    odds = np.random.default_rng(step).random(mask.shape)
    odds[:, 56:64] *= 0.5
    return (odds * mask).argmax(axis=1)


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("blocks", [None, POLICY, ["account"], ["played_trick", "hand"]])
def test_a_form_tells_what_the_whole_observation_tells(blocks, packed):
    form = Form(blocks, packed)
    whole, other = SoloVectorEnv(5, "bga", seed=3, deals=2), SoloVectorEnv(5, "bga", seed=3, deals=2, form=form)
    told, formed = whole.reset(), other.reset()
    ends = 0

    def plain(rows: np.ndarray) -> np.ndarray:
        return form.unpack(rows) if packed else rows

    for step in range(150):
        assert formed.observation.shape == (5, form.width)
        assert (plain(formed.observation) == told.observation[:, form.columns]).all()
        assert (formed.action_mask == told.action_mask).all()
        chosen = moves(told.action_mask, step)
        told, formed = whole.step(chosen), other.step(chosen)
        over = told.settled
        last, final = whole.buffers.final_observation[over], other.buffers.final_observation[over]
        assert (plain(final) == last[:, form.columns]).all()
        ends += over.sum()
    assert ends > 5


def test_blocks_stand_in_the_order_of_the_layout_and_a_policys_input_is_small():
    form = Form(POLICY)
    assert form.blocks == tuple(row.name for row in BLOCKS if row.name in POLICY)
    assert form.n_features == sum(block(name).size for name in POLICY) < 700
    starts = np.cumsum([0, *(block(name).size for name in form.blocks)])
    assert [form.columns[at] for at in starts[:-1]] == [OFFSETS[name] for name in form.blocks]
    assert Form(reversed(POLICY)) == form
    assert Form() != form
    assert Form().n_features == N_FEATURES


def test_a_packed_observation_is_a_quarter_of_the_whole():
    form = Form(packed=True)
    assert form.width < N_FEATURES / 3.9
    rows = np.random.default_rng(1).integers(0, 2, (7, N_FEATURES)).astype(np.int8)
    wide = np.concatenate([np.full(row.size, row.high > 1) for row in BLOCKS])
    rows[:, wide] = np.random.default_rng(2).integers(-99, 100, (7, int(wide.sum())))
    packed, words = np.zeros((7, form.width), np.int8), np.zeros(form.n_words, np.int64)
    for n in range(7):
        write_form(rows[n : n + 1].view(ROW)[0], form.spans, form.n_bits, words, words.view(np.int8), packed, n)
    assert (form.unpack(packed) == rows).all()
    out = np.zeros((7, N_FEATURES), np.int8)
    assert form.unpack(packed, out) is out
    assert (out == rows).all()


def test_a_packed_tensor_is_unpacked_where_it_lies():
    import torch

    form = Form(POLICY, packed=True)
    env = SoloVectorEnv(6, seed=2, form=form)
    told = env.reset()
    tensor = torch.from_numpy(told.observation)
    assert (form.unpack_torch(tensor).numpy() == form.unpack(told.observation)).all()
    with pytest.raises(ValueError, match=r"packed rows are int8 \[N, "):
        form.unpack_torch(tensor.to(torch.int32))


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Form("hand"), "the blocks are 'hand'; give a list of names."),
        (lambda: Form(["hand", "hand"]), "give at least one, and each once."),
        (lambda: Form(3), "the blocks are 3; give a list of names."),  # type: ignore[arg-type]
        (lambda: Form([3]), "the blocks are [3]; give a list of names."),  # type: ignore[list-item]
        (lambda: Form(packed="no"), "packed is 'no'; it must be True or False."),  # type: ignore[arg-type]
        (lambda: Form([]), "give at least one, and each once."),
        (lambda: Form(["hands"]), "there is no block 'hands'"),
        (lambda: Form().unpack(np.zeros((1, 5), np.int8)), "this form is not packed"),
        (lambda: Form(packed=True).unpack(np.zeros((1, 5), np.int8)), "packed rows are int8"),
        (lambda: SoloVectorEnv(1, form="packed"), "give a solo_env.packing.Form."),
        (lambda: SoloVectorEnv(1, first_table=-1), "first_table"),
    ],
)
def test_a_form_that_cannot_be_is_refused_in_a_sentence(make, said):
    with pytest.raises(ValueError) as told:  # noqa: PT011 - the sentence is compared below
        make()
    assert said in str(told.value)


@pytest.mark.parametrize("ruleset", shipped_rulesets())
def test_forced_moves_change_neither_payoffs_nor_records(ruleset):
    """What is played is what tables play at which every forced move is made by hand."""
    env = SoloVectorEnv(6, ruleset, seed=9, play_forced=True)
    told, games, spared = env.reset(), 0, 0
    mirrors = [Table(ruleset) for _ in range(6)]
    for b, mirror in enumerate(mirrors):
        mirror.deal(9, b)
    for step in range(90):
        chosen = moves(told.action_mask, step)
        told = env.step(chosen)
        for b, mirror in enumerate(mirrors):
            mirror.apply(chosen[b])
            while len(mirror.legal_actions()) == 1:
                mirror.apply(mirror.legal_actions()[0])
                spared += 1
            assert mirror.over == told.settled[b]
            if mirror.over:
                assert mirror.payoffs == tuple(told.payoffs[b].tolist())
                mirror.deal(9, b, int(mirror.data["game"]) + 1)
                games += 1
            assert env.table(b).record() == mirror.record()
            assert told.action_mask[b].sum() > 1
    assert games > 5
    assert spared > 50


def test_two_halves_are_the_batch():
    whole = SoloVectorEnv(8, "bga", seed=4, deals=3)
    halves = [SoloVectorEnv(4, "bga", seed=4, deals=3, first_table=first) for first in (0, 4)]
    told, parts = whole.reset(), [half.reset() for half in halves]
    for step in range(120):
        assert (np.concatenate([part.observation for part in parts]) == told.observation).all()
        assert (np.concatenate([part.payoffs for part in parts]) == told.payoffs).all()
        chosen = moves(told.action_mask, step)
        told = whole.step(chosen)
        parts = [half.step(chosen[4 * i : 4 * i + 4]) for i, half in enumerate(halves)]


def test_buffers_may_be_pinned_where_torch_is():
    buffers = make_buffers(3, with_state=True, form=Form(POLICY), pinned=True)
    env = SoloVectorEnv(3, seed=1, with_state=True, form=Form(POLICY), buffers=buffers)
    assert env.reset().observation is buffers.observation
    assert buffers.observation.any()
    assert buffers.state.any()
