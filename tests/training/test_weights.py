"""The file of a trained player: it comes back as it was, and whatever is wrong with it is a sentence."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from baselines.data_file import read_arrays, write_arrays
from solo_env import record
from solo_env.actions import FIRST_TRUMPS, N_ACTIONS
from solo_env.rules import pack_array
from solo_env.table import Table
from tests.golden.test_games import GAMES
from tests.golden.test_tables import FROZEN
from tests.training.nets import drawn_layers, drawn_weights
from training import docs
from training.config import DEFAULT_BLOCKS
from training.features import feature_table, write_inputs
from training.weights import (
    VERSION,
    Weights,
    WeightsError,
    content_digest,
    from_layers,
    read_weights,
    write_weights,
)

# Whatever blocks networks are trained on by default: these have every kind of feature.
FROZEN_BLOCKS = (
    "hand",
    "played",
    "trick",
    "failed",
    "suit",
    "exposed",
    "calls_by_seat",
    "named",
    "trump",
    "role",
    "tricks",
)
STORY = {"command": "solo-whist train quick --run runs/quick", "hours": 1.5, "versions": {"torch": "2.13.0"}}


@pytest.fixture
def weights() -> Weights:
    return drawn_weights(story=STORY)


@pytest.fixture
def path(weights: Weights, tmp_path: Path) -> Path:
    path = tmp_path / "player.npz"
    write_weights(path, weights)
    return path


def rewritten(path: Path, change: Callable[[dict[str, Any], dict[str, Any]], None], signed: bool = True) -> Path:
    """The file with its arrays and what it says changed, its digest made to fit unless not ``signed``."""
    arrays, about = read_arrays(path, "a test")
    change(arrays, about)
    if signed:
        about = {name: value for name, value in about.items() if name not in ("digest", "format")}
        about["digest"] = content_digest(arrays, about)
    write_arrays(path, arrays, about)
    return path


def test_a_player_comes_back_as_it_was(weights: Weights, path: Path) -> None:
    read = read_weights(path)
    assert (read.blocks, read.rulesets, read.story, read.hidden) == (
        weights.blocks,
        weights.rulesets,
        STORY,
        (24, 16),
    )
    assert read.digest == weights.digest
    for (weight, bias), (wanted, biases) in zip(read.layers, weights.layers, strict=True):
        assert weight.dtype == np.float32
        assert (weight == wanted).all()
        assert (bias == biases).all()


def test_a_rounded_player_takes_half_the_room_and_comes_back_as_it_was(weights: Weights, path: Path) -> None:
    whole, rounded = path.stat().st_size, weights.rounded()
    assert all((np.float16(part) == part).all() for layer in rounded.layers for part in layer)
    for (weight, bias), (wanted, biases) in zip(rounded.layers, weights.layers, strict=True):
        assert weight == pytest.approx(wanted, rel=1e-3, abs=1e-6)
        assert bias == pytest.approx(biases, rel=1e-3, abs=1e-6)
    write_weights(path, rounded)
    assert path.stat().st_size < 0.6 * whole
    read = read_weights(path)
    assert read.digest == rounded.digest != weights.digest
    assert read.arrays.numbers.dtype == np.float32
    assert (read.arrays.numbers == rounded.arrays.numbers).all()


def test_a_weight_that_is_too_large_for_float16_cannot_be_rounded() -> None:
    layers = drawn_layers((feature_table(DEFAULT_BLOCKS).n, 5, N_ACTIONS))
    layers[0][0][0, 0] = 1e6
    weights = from_layers(layers, DEFAULT_BLOCKS, ["pagat@00000000"], {})
    with pytest.raises(WeightsError, match="too large to be rounded"):
        weights.rounded()


def test_equal_players_are_equal_files(path: Path) -> None:
    first = path.read_bytes()
    write_weights(path, drawn_weights(story=STORY))
    assert path.read_bytes() == first
    write_weights(path, drawn_weights(story=STORY, seed=1))
    assert path.read_bytes() != first


def test_the_layers_are_kept_and_not_shared() -> None:
    layers = drawn_layers((feature_table(DEFAULT_BLOCKS).n, 5, N_ACTIONS))
    weights = from_layers(layers, DEFAULT_BLOCKS, ["pagat@00000000"], {})
    before = weights.layers[0][0].copy()
    layers[0][0][:] = 0
    assert (weights.layers[0][0] == before).all()


def test_a_file_is_read_without_torch(path: Path) -> None:
    program = (
        "import sys; sys.modules['torch'] = None\n"
        "from training.player import PpoPlayer\n"
        f"player = PpoPlayer('pagat', path={str(path)!r})\n"
        "from solo_env.table import Table\n"
        "table = Table(); table.deal(1)\n"
        "print(player.act(table.view(table.turn)) in table.legal_actions())\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"


def other_table(arrays: dict[str, Any], about: dict[str, Any]) -> None:
    about["table_hash"] = "0badcafe"


def other_version(arrays: dict[str, Any], about: dict[str, Any]) -> None:
    about["version"] = VERSION + 1


def other_kind(arrays: dict[str, Any], about: dict[str, Any]) -> None:
    del about["kind"]


def other_number(arrays: dict[str, Any], about: dict[str, Any]) -> None:
    arrays["weight1"][3, 4] += 1


def no_number(arrays: dict[str, Any], about: dict[str, Any]) -> None:
    arrays["weight1"][3, 4] = np.nan


def double(arrays: dict[str, Any], about: dict[str, Any]) -> None:
    arrays["bias1"] = arrays["bias1"].astype(np.float64)


def no_bias(arrays: dict[str, Any], about: dict[str, Any]) -> None:
    del arrays["bias1"]


def no_layers(arrays: dict[str, Any], about: dict[str, Any]) -> None:
    arrays.clear()


def fewer_inputs(arrays: dict[str, Any], about: dict[str, Any]) -> None:
    arrays["weight0"] = arrays["weight0"][1:]


def fewer_between(arrays: dict[str, Any], about: dict[str, Any]) -> None:
    arrays["weight1"] = arrays["weight1"][1:]


def fewer_outputs(arrays: dict[str, Any], about: dict[str, Any]) -> None:
    arrays["weight2"], arrays["bias2"] = arrays["weight2"][:, 1:], arrays["bias2"][1:]


def flat(arrays: dict[str, Any], about: dict[str, Any]) -> None:
    arrays["weight1"] = arrays["weight1"].ravel()


def no_block(arrays: dict[str, Any], about: dict[str, Any]) -> None:
    about["blocks"] = ["hand", "foot"]


def no_list(arrays: dict[str, Any], about: dict[str, Any]) -> None:
    about["rulesets"] = "pagat"


def no_ruleset(arrays: dict[str, Any], about: dict[str, Any]) -> None:
    about["rulesets"] = []


def no_story(arrays: dict[str, Any], about: dict[str, Any]) -> None:
    del about["story"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (other_table, "was made for the action and observation tables 0badcafe; here they are"),
        (other_version, f"is a trained player of version {VERSION + 1}; this program reads version {VERSION}."),
        (other_kind, "holds no trained player, but something else."),
        (no_number, "is damaged: weight1 holds what is no finite number."),
        (double, "is no trained player: its weights are neither of float32 nor of float16."),
        (no_bias, "is no trained player: "),
        (no_layers, "is no trained player: a network has at least one layer"),
        (fewer_inputs, "inputs, and must have"),
        (fewer_between, "layer 0 has 24 outputs, and layer 1 has 23 inputs."),
        (fewer_outputs, f"the network has {N_ACTIONS - 1} outputs, and must have {N_ACTIONS}."),
        (flat, "layer 1 has weights of shape (384,) and biases of shape (16,)"),
        (no_block, "there is no block 'foot'"),
        (no_list, "its rulesets are no list of names."),
        (no_ruleset, "its rulesets are no list of names."),
        (no_story, "a part of it is missing or of another kind."),
    ],
)
def test_what_cannot_be_played_is_a_sentence(
    path: Path, change: Callable[[dict[str, Any], dict[str, Any]], None], said: str
) -> None:
    with pytest.raises(WeightsError) as raised:
        read_weights(rewritten(path, change))
    assert str(raised.value).startswith(str(path))
    assert said in str(raised.value)
    assert str(raised.value).endswith(".")


@pytest.mark.parametrize("change", [other_number, no_bias, no_ruleset, no_block, double])
def test_a_change_that_nobody_signed_is_damage(
    path: Path, change: Callable[[dict[str, Any], dict[str, Any]], None]
) -> None:
    with pytest.raises(WeightsError, match=r"player\.npz is damaged: its content is not what was written to it\.$"):
        read_weights(rewritten(path, change, signed=False))


def test_damage_to_the_bytes_is_a_sentence(path: Path) -> None:
    whole = path.read_bytes()
    rng = np.random.default_rng(0)
    damaged = [whole[:n] for n in rng.integers(0, len(whole), 10)]
    for at in rng.integers(0, len(whole), 60):
        damaged.append(whole[:at] + bytes([whole[at] ^ 1 << rng.integers(8)]) + whole[at + 1 :])
    refused = 0
    for content in damaged:
        path.write_bytes(content)
        try:
            read = read_weights(path)
        except WeightsError:
            refused += 1
        else:  # a byte of the archive that says nothing, such as a date
            assert read.digest == drawn_weights(story=STORY).digest
    assert refused > len(damaged) * 0.9


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "cannot be read as a trained player: it is not there."),
        (b"", "cannot be read as a trained player: it is damaged, or another kind of file."),
        (b"whist" * 1000, "cannot be read as a trained player: it is damaged, or another kind of file."),
    ],
)
def test_another_file_is_a_sentence(tmp_path: Path, content: bytes | None, said: str) -> None:
    path = tmp_path / "player.npz"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(WeightsError) as raised:
        read_weights(path)
    assert str(raised.value) == f"{path} {said}"


def test_a_file_that_unpacks_to_too_much_is_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("baselines.data_file.MOST_BYTES", path.stat().st_size + 1)
    with pytest.raises(WeightsError, match=r"unpacks to [\d,]+ bytes, more than"):
        read_weights(path)
    monkeypatch.setattr("baselines.data_file.MOST_BYTES", path.stat().st_size - 1)
    with pytest.raises(WeightsError, match="is longer than"):
        read_weights(path)


@pytest.mark.parametrize("story", [{"hours": np.float32(1)}, {"hours": float("nan")}, {"path": Path()}])
def test_a_story_that_json_cannot_tell_is_refused(story: dict[str, Any]) -> None:
    with pytest.raises(WeightsError, match="holds what JSON cannot hold"):
        drawn_weights(story=story)


@pytest.mark.parametrize("number", [np.inf, np.nan, 1e39])
def test_weights_that_are_no_finite_float32_are_refused(number: float) -> None:
    layers = drawn_layers((feature_table(DEFAULT_BLOCKS).n, N_ACTIONS))
    bias = layers[0][1].astype(np.float64)
    bias[3] = number
    with pytest.raises(WeightsError, match="layer 0 has a weight that is no finite number"):
        from_layers([(layers[0][0], bias)], DEFAULT_BLOCKS, ["pagat@00000000"], {})


def test_the_card_of_the_shipped_player_tells_its_story(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("training.weights.SHIPPED", path.with_name("ppo.npz"))
    match = {"against": "expert", "deals": 10_000, "mean_units": 0.123, "ci95": [0.05, 0.2]}
    match |= {"ruleset": "pagat@f66554b4", "book": "test", "seed": 7}
    story = {**STORY, "seed": 12345, "matches": [match], "config": "[run]\nseed = 12345\n"}
    write_weights(path.with_name("ppo.npz"), drawn_weights(story=story))
    told = docs.shipped_card()
    for line in (
        "| command | solo-whist train quick --run runs/quick |",
        "| hours of training, all sessions together | 1.50 |",
        "| versions | torch 2.13.0 |",
        "| seed | 12345 |",
        "| `expert` | 10,000 | +0.123 | +0.050 … +0.200 |",
        "[run]",
    ):
        assert line in told.splitlines()


def test_features_mean_what_they_meant_when_players_were_written() -> None:
    """If this fails, players that exist would see other positions: give training.weights.VERSION one more, and
    tests/golden/tables.txt the new number and digits."""
    features, digest = feature_table(FROZEN_BLOCKS), hashlib.sha256()
    for _, line in GAMES:
        game = record.parse(line)
        table, rules = Table(game.ruleset), pack_array(game.ruleset)
        table.deal_hands(game.hands_by_seat(), game.dealer, game.suit)
        naming = [] if game.trump is None else [FIRST_TRUMPS + game.trump]
        for action in [*game.calls, *naming, *game.plays]:
            view = table.view(table.turn).record
            ids, mask, order = write_inputs(np.array([view], view.dtype), rules, features)
            digest.update(np.sort(ids[ids >= 0]).tobytes() + mask.tobytes() + order.tobytes())
            table.apply(action)
    assert FROZEN["features"] == (features.n, digest.hexdigest()[:8]), VERSION
