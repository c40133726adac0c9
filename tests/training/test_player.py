from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from solo_env.actions import text
from solo_env.engine.state import new_views
from solo_env.evaluation.match import play_match
from solo_env.player import PlayerError, make_player
from solo_env.rules import Ruleset
from solo_env.view import View
from training.checkpoint import State, encode, write_whole
from training.player import PpoPlayer
from training.rollout import Choices, decide_by_player, play_deals
from training.suits import network_columns


@pytest.fixture
def path(state: State, tmp_path: Path) -> Path:
    path = tmp_path / "checkpoint.pt"
    write_whole(path, encode(state))
    return path


@pytest.fixture
def seen(state: State, ruleset: Ruleset) -> tuple[np.ndarray, np.ndarray]:
    """View records and decision keys of all stages of some deals."""
    views, keys = [], []
    novice = decide_by_player(make_player("novice", ruleset))

    def decide(choices: Choices) -> tuple[np.ndarray, np.ndarray]:
        views.append(choices.views.copy())
        keys.append(choices.keys.copy())
        return novice(choices)

    play_deals(decide, ruleset, network_columns(state.config.net.blocks), 1, range(8))
    return np.concatenate(views), np.concatenate(keys)


@pytest.mark.parametrize("sample", ["true", "false"])
def test_a_choice_does_not_depend_on_the_batch(
    path: Path, ruleset: Ruleset, seen: tuple[np.ndarray, np.ndarray], sample: str
) -> None:
    views, keys = seen
    player = make_player(f"ppo:{path},sample={sample}", ruleset)
    together = np.full(len(views), -1, np.int64)
    player.act_batch(views, keys, together)
    backwards = np.full(len(views), -1, np.int64)
    player.act_batch(views[::-1], keys[::-1], backwards)
    assert (backwards[::-1] == together).all()
    for i in range(0, len(views), 7):
        view = View(views[i])
        assert player.act(view, int(keys[i])) == together[i]
        assert together[i] in view.legal_actions()


def test_sampling_depends_on_the_key_and_the_greedy_choice_does_not(
    path: Path, ruleset: Ruleset, seen: tuple[np.ndarray, np.ndarray]
) -> None:
    views, keys = seen
    for sample, varies in (("true", True), ("false", False)):
        player = make_player(f"ppo:{path},sample={sample}", ruleset)
        first, second = np.zeros(len(views), np.int64), np.zeros(len(views), np.int64)
        player.act_batch(views, keys, first)
        player.act_batch(views, keys[::-1].copy(), second)
        assert (first != second).any() == varies


def test_an_explanation_gives_the_likeliest_actions(
    path: Path, ruleset: Ruleset, seen: tuple[np.ndarray, np.ndarray]
) -> None:
    player = make_player(f"ppo:{path}", ruleset)
    view = View(seen[0][0])
    assert player.explain(view).startswith(f"{text(player.act(view))} ")
    assert "%" in player.explain(view)


def test_a_player_against_itself_scores_zero(path: Path, ruleset: Ruleset) -> None:
    player = make_player(f"ppo:{path},sample=true", ruleset)
    assert play_match(player, player, ruleset, deals=8, seed=1).mean_units == 0


def test_without_a_path_or_with_a_bad_one_there_is_a_sentence(path: Path, ruleset: Ruleset) -> None:
    with pytest.raises(PlayerError, match="no trained network is shipped yet; name a checkpoint, as in ppo:"):
        make_player("ppo", ruleset)
    with pytest.raises(PlayerError, match=r"player ppo: the checkpoint nowhere.pt cannot be read"):
        make_player("ppo:nowhere.pt", ruleset)
    with pytest.raises(PlayerError, match="sample is 'maybe'; it must be true or false"):
        make_player(f"ppo:{path},sample=maybe", ruleset)


def test_another_ruleset_than_trained_on_is_only_a_notice(path: Path) -> None:
    with pytest.warns(UserWarning, match=r"was trained on pagat@\w+ and plays pagat\+pay.base.MIS=3@\w+"):
        PpoPlayer("pagat+pay.base.MIS=3", path=str(path))


def test_without_torch_the_module_imports_and_the_player_says_what_is_missing() -> None:
    program = (
        "import sys; sys.modules['torch'] = None\n"
        "from training.player import PpoPlayer\n"
        "try: PpoPlayer('pagat', path='x.pt')\n"
        "except ValueError as error: print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("player ppo needs the module 'torch', which is not here;")


def test_no_decisions_are_no_trouble(path: Path, ruleset: Ruleset) -> None:
    player = make_player(f"ppo:{path}", ruleset)
    out = np.zeros(0, np.int64)
    player.act_batch(new_views(0), np.zeros(0, np.int64), out)
    assert out.shape == (0,)
