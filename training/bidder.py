"""Fits the network of ``ev-bidder`` to the contracts that ``calibrate`` has played out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from baselines.calibrate import Cases, score_cases
from baselines.ev_bidder import FORCED, N_INPUTS, Network, write_inputs
from baselines.hand_score import KINDS, N_KINDS, score_tables
from solo_env.cards import N_TRICKS

HIDDEN = 64
BATCH, EPOCHS, RATE, DECAY = 4096, 12, 4e-3, 1e-4
MOST_OF_KIND = 400_000


def inputs_of(cases: Cases, kind: int, scores: NDArray[Any], forced: bool) -> NDArray[Any]:
    """The network's inputs for cases of a kind, float32 [N, inputs]."""
    rows = np.zeros((len(cases.hand), N_INPUTS), np.float32)
    sources = np.full(len(rows), FORCED) if forced else cases.prices.astype(np.int64)
    trumps = cases.trump.astype(np.int64) if KINDS[kind].trumps else np.full(len(rows), -1)
    write_inputs(
        np.ascontiguousarray(cases.hand), trumps, kind, cases.place.astype(np.int64),
        cases.situation.astype(np.int64), score_cases(scores, kind, cases), sources, rows,
    )  # fmt: skip
    return rows


def fit_network(
    cases: Sequence[Cases], weights: Sequence[NDArray[Any]], seed: int, progress: Callable[[str], None]
) -> Network:
    """A network fitted to cases: those forced, by kind, then those called in self-play."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    scores = score_tables(list(weights))
    xs, ys = [], []
    for kind in range(N_KINDS):
        xs.append(inputs_of(cases[kind], kind, scores, True))
        ys.append(cases[kind].tricks)
        called = cases[N_KINDS]
        rows = np.flatnonzero(called.kind == kind)[-MOST_OF_KIND:]
        mine = called.rows(rows)
        xs.append(inputs_of(mine, kind, scores, False))
        ys.append(mine.tricks)
    x, y = torch.from_numpy(np.concatenate(xs)), torch.from_numpy(np.concatenate(ys).astype(np.int64))
    net = nn.Sequential(
        nn.Linear(N_INPUTS, HIDDEN),
        nn.ReLU(),
        nn.Linear(HIDDEN, HIDDEN),
        nn.ReLU(),
        nn.Linear(HIDDEN, N_TRICKS + 1),
    )
    optimizer = torch.optim.AdamW(net.parameters(), lr=RATE, weight_decay=DECAY)
    steps = EPOCHS * (len(x) // BATCH + 1)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, total_steps=steps)
    shuffled = torch.Generator().manual_seed(seed)
    for epoch in range(EPOCHS):
        total = 0.0
        for rows in torch.randperm(len(x), generator=shuffled).split(BATCH):
            loss = nn.functional.cross_entropy(net(x[rows]), y[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            total += float(loss) * len(rows)
        progress(f"network: epoch {epoch + 1} of {EPOCHS}, loss {total / len(x):.4f}")
    layers = [layer for layer in net if isinstance(layer, nn.Linear)]
    parts = [
        part for layer in layers for part in (layer.weight.detach().numpy().T.copy(), layer.bias.detach().numpy())
    ]
    return Network(*parts)
