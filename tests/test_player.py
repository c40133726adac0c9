"""Player specs: what they mean, and one sentence for everything that goes wrong with one."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

from solo_env.evaluation import play_match
from solo_env.player import BatchPlayer, PlayerError, make_player
from solo_env.rules import Ruleset

PLAYERS = """
from solo_env.player import BatchPlayer


class Good(BatchPlayer):
    def __init__(self, ruleset, path="", style="calm"):
        super().__init__(ruleset)
        self.path, self.style = path, style

    def act_batch(self, views, keys, out):
        raise NotImplementedError


class Open(Good):
    def __init__(self, ruleset, **options):
        super().__init__(ruleset)
        self.options = options


class Needy(Good):
    def __init__(self, ruleset, depth):
        super().__init__(ruleset)


class Failing(Good):
    def __init__(self, ruleset):
        raise KeyError("depth")


class Nameless(Good):
    name = property(lambda self: "nameless", lambda self, name: None if name == "nameless" else self.no)


class Plain:
    pass


NUMBER = 3
"""


@pytest.fixture(autouse=True)
def modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "players_here.py").write_text(PLAYERS)
    (tmp_path / "broken_here.py").write_text("def f(:\n")
    (tmp_path / "raising_here.py").write_text("raise OSError('no\\nluck')\n")
    (tmp_path / "leaving_here.py").write_text("raise SystemExit(3)\n")
    (tmp_path / "wanting_here.py").write_text("import never_heard_of_it\n")
    (tmp_path / "stale_here.py").write_text("from solo_env.player import NoSuchThing\n")
    monkeypatch.syspath_prepend(str(tmp_path))


@pytest.mark.parametrize("path", ["runs/lr=1e-4/checkpoint.pt", "lr=3/c.pt", "/a b/c=d=e.pt", "x.pt"])
@pytest.mark.parametrize("between", [":", ","])
def test_an_item_is_an_option_only_where_the_player_takes_it(path: str, between: str) -> None:
    player = make_player(f"players_here:Good{between}{path},style=wi=ld")
    assert (player.path, player.style) == (path, "wi=ld")  # type: ignore[attr-defined]


def test_a_player_that_takes_any_option_gets_them() -> None:
    player = make_player("players_here:Open:a=1,./b=2")
    assert player.options == {"a": "1", "path": "./b=2"}  # type: ignore[attr-defined]


MISTAKES = {
    "players_here:Good:runs/a,b/c.pt": "'b/c.pt' is none of its options, which are style, and .* a comma in it",
    "players_here:Good:style=a,style=b": "gives style twice",
    "novice:fast": "does not take 'fast', which is no key=value; its options are none",
    "novice:style=wild": "does not take style; its options are none",
    "players_here:Needy": "needs a value for depth",
    "players_here:Failing": "cannot be made: KeyError: 'depth'",
    "players_here:Nameless": "its name cannot be set",
    "players_here:Plain": "cannot be made from a ruleset",
    "players_here:NUMBER": "names an int; it must name a class",
    "players_here:Nobody": r"cannot be found: the module players_here has no 'Nobody'\.$",
    "math:pi": "names a float; it must name a class",
    "json:dumps": "cannot be made: TypeError: Object of type Ruleset",
    "json:JSONDecoder": "cannot be made from a ruleset; a player's class is called with the ruleset",
    "..a:b": r"'..a' is no module's name; write module:Class, or FILE\.py:Class for a file\.$",
    ":b": "'' is no module's name",
    "broken_here:X": "cannot be imported: SyntaxError: ",
    "raising_here:X": "cannot be imported: OSError: no luck",
    "leaving_here:X": "cannot be imported: SystemExit: 3",
    "stale_here:X": "cannot be imported: ImportError: cannot import name 'NoSuchThing'",
    "wanting_here:X": r"needs the module 'never_heard_of_it', which is not here\.$",
    "nowhere.at.all:X": r"needs the module 'nowhere', which is not here\.$",
}


@pytest.mark.parametrize("spec", MISTAKES)
def test_a_bad_spec_gets_one_sentence(spec: str) -> None:
    with pytest.raises(PlayerError, match=MISTAKES[spec]) as caught:
        make_player(spec)
    assert "\n" not in str(caught.value)
    assert spec.partition(":")[0] in str(caught.value)


def test_a_file_names_a_player_too(tmp_path: Path) -> None:
    file = tmp_path / "players_here.py"
    player = make_player(f"{file}:Good:style=wi=ld,a/b")
    assert (player.path, player.style, player.name) == ("a/b", "wi=ld", f"{file}:Good:style=wi=ld,a/b")  # type: ignore[attr-defined]
    assert type(player) is type(make_player(f"{file}:Good"))  # the file is run once
    copy = pickle.loads(pickle.dumps(player))
    assert copy.style == "wi=ld"


FILE_MISTAKES = {
    "nowhere.py:X": "cannot be found: there is no file .*nowhere.py",
    "players_here.py": "names a file; name its class too, as in .*players_here.py:Class",
    "players_here.py:Nobody": r"cannot be found: \S*/players_here\.py has no 'Nobody'\.$",
    "players_here.py:Good:style=a,style=b": "gives style twice",
    "broken_here.py:X": "cannot be imported: SyntaxError: ",
    "wanting_here.py:X": "needs the module 'never_heard_of_it'",
}


@pytest.mark.parametrize("spec", FILE_MISTAKES)
def test_a_bad_file_gets_one_sentence(spec: str, tmp_path: Path) -> None:
    for _ in range(2):  # a file that failed is not taken for one that ran
        with pytest.raises(PlayerError, match=FILE_MISTAKES[spec]) as caught:
            make_player(f"{tmp_path}/{spec}")
        assert "\n" not in str(caught.value)


def test_a_file_that_is_named_as_a_module_is_told_how_to_be_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine_alone.py").write_text("")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("solo_env.player.find_spec", lambda name: None)  # as where the folder isn't on the path
    with pytest.raises(
        PlayerError, match=r"there is no module 'mine_alone', but a file; .* mine_alone\.py:Mine:a=1\.$"
    ):
        make_player("mine_alone:Mine:a=1")


def test_only_what_the_extra_brings_is_advised(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "torch_here.py").write_text("raise ModuleNotFoundError('no', name='torch.nn')\n")
    with pytest.raises(PlayerError, match=r'needs the module .*pip install "solo-whist\[train\]"'):
        make_player("torch_here:X")


class Confused(BatchPlayer):
    def act_batch(self, views: np.ndarray, keys: np.ndarray, out: np.ndarray) -> None:
        raise IndexError("no such\ncard")


def test_a_player_that_fails_in_a_match_is_named(ruleset: Ruleset) -> None:
    with pytest.raises(PlayerError, match=r"^player 'confused' failed while deciding: IndexError: no such card\.$"):
        play_match(Confused(ruleset), make_player("pass", ruleset), ruleset, 1)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (SystemExit("bye"), r"failed while deciding: SystemExit: bye\.$"),
        (PlayerError("it has lost its cards."), r"failed while deciding: it has lost its cards\.$"),
    ],
)
def test_whatever_a_player_raises_is_one_sentence(ruleset: Ruleset, error: BaseException, said: str) -> None:
    class Raising(BatchPlayer):
        def act_batch(self, views: np.ndarray, keys: np.ndarray, out: np.ndarray) -> None:
            raise error

    with pytest.raises(PlayerError, match=said):
        play_match(Raising(ruleset), make_player("pass", ruleset), ruleset, 1)


def test_a_match_counts_general_miseres() -> None:
    player = make_player("pass", 'pagat+passout.mode="fewest"')
    result = play_match(player, player, 'pagat+passout.mode="fewest"', 3)
    assert result.contract_mix["GM"] == 1
    assert result.thrown_in == 0
    assert vars(result.contracts["GM"]) == {
        "played": 12,
        "made": 0,
        "played_by_challenger": 0,
        "made_by_challenger": 0,
    }
    assert "GM" not in play_match(make_player("pass"), make_player("pass"), "pagat", 1).contracts


@pytest.fixture
def ruleset() -> Ruleset:
    from solo_env.rules import load_ruleset

    return load_ruleset()
