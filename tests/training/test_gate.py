"""The gate: a minute of training ends in a player that calls, and whose calls and cards are worth something.

``configs/gate.toml`` and the seed were fixed beforehand.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from solo_env.evaluation import play_match
from solo_env.evaluation.swap import TwoPlayers
from solo_env.player import Player, make_player
from solo_env.rules import Ruleset, load_ruleset
from training.config import load_config
from training.paired import Mean, mean_of_runs, units_alone
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
    player = PpoPlayer(ruleset, path=str(checkpoint.with_name("player.npz")))
    return Trained(player, make_player("expert", ruleset), ruleset)


def gain(trained: Trained, other: Player) -> Mean:
    """What the trained player wins more than ``other``: each alone among three experts on the same deals."""
    ours, others = (
        units_alone(player, trained.expert, trained.ruleset, DEALS) for player in (trained.player, other)
    )
    return mean_of_runs((ours - others)[None, :])


def test_the_auction_does_not_collapse(trained: Trained) -> None:
    ours, experts = (
        play_match(one, one, trained.ruleset, DEALS, book="dev").contract_mix["thrown_in"]
        for one in (trained.player, trained.expert)
    )
    assert ours < 2 * experts


def test_the_player_gains_more_than_one_who_always_passes(trained: Trained) -> None:
    assert gain(trained, make_player("pass", trained.ruleset)).low > 0


def test_the_player_gains_more_than_experts_calls_with_random_cards(trained: Trained) -> None:
    other = TwoPlayers(trained.expert, make_player("random", trained.ruleset), trained.ruleset)
    assert gain(trained, other).low > 0
