from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from solo_env.actions import N_ACTIONS, text
from solo_env.engine.state import new_views
from solo_env.evaluation.match import play_match
from solo_env.player import PlayerError, make_player
from solo_env.rules import Ruleset
from solo_env.view import View
from tests.training.nets import drawn_weights
from tests.training.test_features import positions
from training import checkpoint
from training import player as player_module
from training.player import PpoPlayer
from training.weights import Weights, write_weights


@pytest.fixture
def weights() -> Weights:
    return drawn_weights()


@pytest.fixture
def path(weights: Weights, tmp_path: Path) -> Path:
    path = tmp_path / "player.npz"
    write_weights(path, weights)
    return path


@pytest.fixture
def seen() -> tuple[NDArray[np.void], NDArray[np.int64]]:
    """View records of all stages of some deals, and decision keys."""
    views = positions("pagat")[0][::3].copy()
    return views, np.random.default_rng(0).integers(0, 2**62, len(views))


def decided(player: PpoPlayer, views: NDArray[np.void], keys: NDArray[np.int64]) -> NDArray[np.int64]:
    out = np.full(len(views), -1, np.int64)
    player.act_batch(views, keys, out)
    return out


@pytest.mark.parametrize("sample", [True, False])
def test_a_choice_does_not_depend_on_the_batch(
    weights: Weights, ruleset: Ruleset, seen: tuple[NDArray[np.void], NDArray[np.int64]], sample: bool
) -> None:
    views, keys = seen
    player = PpoPlayer.of(weights, ruleset, sample)
    together = decided(player, views, keys)
    assert (decided(player, views[::-1], keys[::-1])[::-1] == together).all()
    for i in range(0, len(views), 7):
        view = View(views[i])
        assert player.act(view, int(keys[i])) == together[i]
        assert together[i] in view.legal_actions()


def test_sampling_depends_on_the_key_and_the_greedy_choice_does_not(
    path: Path, ruleset: Ruleset, seen: tuple[NDArray[np.void], NDArray[np.int64]]
) -> None:
    views, keys = seen
    for sample, varies in (("true", True), ("false", False)):
        player = make_player(f"ppo:{path},sample={sample}", ruleset)
        first, second = decided(player, views, keys), decided(player, views, keys[::-1].copy())
        assert (first != second).any() == varies


def test_probabilities_are_of_the_legal_actions_and_by_action_id(
    weights: Weights, ruleset: Ruleset, seen: tuple[NDArray[np.void], NDArray[np.int64]]
) -> None:
    player = PpoPlayer.of(weights, ruleset)
    for record in seen[0][::5]:
        view = View(record)
        chances = player.probabilities(view)
        assert chances.dtype == np.float32
        assert np.flatnonzero(chances).tolist() == view.legal_actions()
        assert chances.sum() == pytest.approx(1)
        assert chances.argmax() == player.act(view)


def test_sampling_draws_by_the_probabilities(
    weights: Weights, ruleset: Ruleset, seen: tuple[NDArray[np.void], NDArray[np.int64]]
) -> None:
    player, record = PpoPlayer.of(weights, ruleset, sample=True), seen[0][0]
    n = 4000
    keys = np.random.default_rng(1).integers(0, 2**62, n)
    drawn = (
        np.bincount(decided(player, np.repeat(np.array([record], record.dtype), n), keys), minlength=N_ACTIONS) / n
    )
    chances = player.probabilities(View(record))
    assert np.abs(drawn - chances).max() < 5 * np.sqrt(0.25 / n)


def test_an_explanation_gives_the_likeliest_actions_with_their_chances(
    weights: Weights, ruleset: Ruleset, seen: tuple[NDArray[np.void], NDArray[np.int64]]
) -> None:
    player = PpoPlayer.of(weights, ruleset)
    view = View(seen[0][0])
    action, chances = player.act(view), player.probabilities(view)
    told = player.explain(view)
    assert told.startswith(f"{text(action)} {chances[action]:.0%}, ")
    shares = [int(part.split()[-1].rstrip("%.")) for part in told.split(", ")]
    assert shares == sorted(shares, reverse=True)
    assert shares[-1] >= 1


def test_a_player_of_changed_weights_plays_by_them(
    ruleset: Ruleset, seen: tuple[NDArray[np.void], NDArray[np.int64]]
) -> None:
    first, second = (decided(PpoPlayer.of(drawn_weights(seed=seed), ruleset), *seen) for seed in (0, 1))
    assert (first != second).any()


def test_suits_are_all_the_same_to_it(weights: Weights, ruleset: Ruleset) -> None:
    """A network's action is turned back into the suits of the view it was asked about."""
    player = PpoPlayer.of(weights, ruleset)
    views = positions("pagat")[0]
    assert {view["suit"] for view in views} == {0, 1, 2, 3}
    out = decided(player, views, np.zeros(len(views), np.int64))
    assert all(action in View(view).legal_actions() for action, view in zip(out.tolist(), views, strict=True))


def test_a_player_against_itself_scores_zero(path: Path, ruleset: Ruleset) -> None:
    player = make_player(f"ppo:{path},sample=true", ruleset)
    assert play_match(player, player, ruleset, deals=8, seed=1).mean_units == 0


def test_a_run_is_named_by_its_folder_or_its_player(
    path: Path, ruleset: Ruleset, seen: tuple[NDArray[np.void], NDArray[np.int64]]
) -> None:
    by_file, by_folder = make_player(f"ppo:{path}", ruleset), make_player(f"ppo:{path.parent}", ruleset)
    assert (decided(by_file, *seen) == decided(by_folder, *seen)).all()  # type: ignore[arg-type]


def test_without_a_path_the_shipped_player_plays(
    path: Path, ruleset: Ruleset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(player_module, "SHIPPED", tmp_path / "ppo.npz")
    with pytest.raises(
        PlayerError, match=r"player ppo: .*ppo\.npz cannot be read as a trained player: it is not there"
    ):
        make_player("ppo", ruleset)
    shutil.copy(path, tmp_path / "ppo.npz")
    assert make_player("ppo", ruleset).name == "ppo"


def test_a_checkpoint_is_read_by_those_who_write_it(
    weights: Weights, ruleset: Ruleset, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Path] = []

    def load_weights(path: Path) -> Weights:
        asked.append(path)
        if path.name == "bad.pt":
            raise checkpoint.CheckpointError(f"the checkpoint {path} is damaged.")
        return weights

    monkeypatch.setattr(checkpoint, "load_weights", load_weights, raising=False)
    made = make_player("ppo:runs/quick/checkpoint.pt", ruleset)
    assert isinstance(made, PpoPlayer)
    assert made.weights is weights
    assert asked == [Path("runs/quick/checkpoint.pt")]
    with pytest.raises(PlayerError, match=r"player ppo: the checkpoint bad\.pt is damaged\.$"):
        make_player("ppo:bad.pt", ruleset)


def test_what_cannot_be_played_is_a_sentence(path: Path, ruleset: Ruleset, tmp_path: Path) -> None:
    with pytest.raises(PlayerError, match=r"player ppo: nowhere\.npz cannot be read as a trained player"):
        make_player("ppo:nowhere.npz", ruleset)
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(PlayerError, match=r"the folder .*empty holds no player\.npz; name the folder of a run\."):
        make_player(f"ppo:{empty}", ruleset)
    with pytest.raises(PlayerError, match="sample is 'maybe'; it must be true or false"):
        make_player(f"ppo:{path},sample=maybe", ruleset)


def test_nothing_asked_is_a_sentence(weights: Weights, ruleset: Ruleset) -> None:
    player = PpoPlayer.of(weights, ruleset)
    for ask in (player.probabilities, player.explain, player.act):
        with pytest.raises(PlayerError, match="nothing is asked of player_0"):
            ask(View(new_views(1)[0]))


def test_another_ruleset_than_trained_on_is_only_a_notice(path: Path) -> None:
    with pytest.warns(UserWarning, match=r"was trained on pagat@\w+ and plays pagat\+pay.base.MIS=3@\w+"):
        PpoPlayer("pagat+pay.base.MIS=3", path=str(path))


def test_without_torch_a_checkpoint_says_what_is_missing() -> None:
    program = (
        "import sys; sys.modules['torch'] = None\n"
        "from training.player import PpoPlayer\n"
        "try: PpoPlayer('pagat', path='x.pt')\n"
        "except ValueError as error: print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("player ppo needs the module 'torch', which is not here;")


def test_no_decisions_are_no_trouble(weights: Weights, ruleset: Ruleset) -> None:
    assert decided(PpoPlayer.of(weights, ruleset), new_views(0), np.zeros(0, np.int64)).shape == (0,)
