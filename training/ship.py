"""Ships a trained player: ``python -m training.docs --ship RUN`` writes ``training/data/ppo.npz`` and its card.

Its weights are rounded to float16, and what is rounded is measured: on the book ``test``, against each of
``OPPONENTS``. The results go into the file beside the story of its training, and from there into the card.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from solo_env.evaluation.match import play_match
from solo_env.player import make_player
from solo_env.rules import load_ruleset
from training.player import PpoPlayer, find_weights
from training.weights import SHIPPED, Weights, WeightsError, write_weights

OPPONENTS = ("expert", "club", "novice")
DEALS, SEED = 4000, 0
MOST_MEGABYTES = 6  # of the file: every installation carries it


def measured(weights: Weights, deals: int) -> Weights:
    """The player rounded to float16, with the results of its matches under the ruleset it was trained on.

    Args:
        weights: the player.
        deals: of each match, each played from every seat.

    Raises:
        WeightsError: its numbers cannot be rounded.
    """
    rounded = weights.rounded()
    ruleset = load_ruleset(weights.rulesets[0].partition("@")[0])
    player = PpoPlayer.of(rounded, ruleset)
    matches = [play_match(player, make_player(spec, ruleset), ruleset, deals, SEED) for spec in OPPONENTS]
    return replace(rounded, story={**weights.story, "matches": [match.as_json() for match in matches]})


def ship(path: str, to: Path = SHIPPED, deals: int = DEALS) -> Weights:
    """Measure the player that a path names and write it to ``to``.

    Raises:
        PlayerError: there is no such player.
        WeightsError: its file would be too large, or its numbers cannot be rounded.
    """
    weights = find_weights(path)
    least = 2 * weights.size / 1e6
    if least > MOST_MEGABYTES:
        raise WeightsError(
            f"{path} has {weights.size:,} weights, some {least:.1f} MB; a player that is shipped has at most "
            f"{MOST_MEGABYTES} MB: train a smaller network."
        )
    told = measured(weights, deals)
    to.parent.mkdir(exist_ok=True)
    write_weights(to, told)
    return told
