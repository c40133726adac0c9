"""The gate: a minute of training ends in a player that calls, and whose calls and cards are worth something.

``configs/gate.toml`` and the seed were fixed beforehand.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from solo_env.evaluation import play_match
from solo_env.evaluation.books import Book
from solo_env.evaluation.estimates import Estimate, estimate, scores_of
from solo_env.evaluation.play import play_chunk
from solo_env.evaluation.seatings import SEATINGS
from solo_env.evaluation.swap import TwoPlayers
from solo_env.player import Player, make_player
from solo_env.rules import Ruleset, load_ruleset
from training.config import load_config
from training.player import PpoPlayer
from training.train import train

DEALS = 1024


class Trained(NamedTuple):
    player: Player
    expert: Player
    ruleset: Ruleset


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Trained:
    config = load_config("gate")
    checkpoint = train(config, tmp_path_factory.mktemp("runs") / "gate", quiet=True, processes=2)
    ruleset = load_ruleset(config.run.ruleset)
    return Trained(
        PpoPlayer(ruleset, path=str(checkpoint.with_name("player.npz"))), make_player("expert", ruleset), ruleset
    )


def gain(trained: Trained, other: Player) -> Estimate:
    """What the trained player wins more than ``other``, in units a deal: each against three experts on the same deals."""
    seating, book = SEATINGS["one_against_three"], Book("dev", 0, trained.ruleset)
    own = seating.seats == 0
    ours, theirs = (
        np.where(own[None, :, None], play_chunk([one, trained.expert], seating.seats, book, 0, DEALS)["payoff"], 0)
        .sum(axis=(1, 2, 3))
        for one in (trained.player, other)
    )  # fmt: skip
    return estimate(scores_of(ours.astype(np.int64) - theirs), seating.seats_of(0))


def test_the_auction_does_not_collapse(trained: Trained) -> None:
    ours, experts = (
        play_match(one, one, trained.ruleset, DEALS, book="dev").contract_mix["thrown_in"]
        for one in (trained.player, trained.expert)
    )
    assert ours < 2 * experts


def test_the_player_gains_more_than_one_who_always_passes(trained: Trained) -> None:
    found = gain(trained, make_player("pass", trained.ruleset))
    assert found.t95 is not None
    assert found.t95[0] > 0


def test_the_player_gains_more_than_experts_calls_with_random_cards(trained: Trained) -> None:
    found = gain(trained, TwoPlayers(trained.expert, make_player("random", trained.ruleset), trained.ruleset))
    assert found.t95 is not None
    assert found.t95[0] > 0
