"""The measured tables that calls are weighed by: read and checked, and priced for a ruleset.

What is shipped (``data/calls.npz``, written by ``solo-whist calibrate``) knows tricks, not units, so that one file
serves every ruleset. Prices come in once: where each trick short costs, players propose and accept on better hands,
so what the others' calls tell is measured for either sort of price (``price_sort``), the first index of ``shift``,
``after`` and ``ends``:

    weights_*   of the regression of each kind of hand (``hand_score``)
    tricks      the chance of 0 to 13 tricks by kind, position and bin of the score
    shift       by how much a score is moved for a call, by what the auction has told
    after       how often a call was followed by which end of the deal, by situation, position and coarse bin
    ends        the tricks that each contract took
    lines       of log-odds over the count of ``club``, a constant and a slope by kind of hand
    about       how the file was made, as JSON
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from baselines.call_values import (
    CALL_TABLES,
    CHANCE,
    KEPT,
    MEAN,
    N_BINS,
    N_COARSE,
    N_PLACES,
    N_SITUATIONS,
    N_WEIGHED,
    SQUARE,
    contract_of,
)
from baselines.data_file import read_arrays, write_arrays
from baselines.hand_score import (
    ACCEPT,
    ACCEPT_NT,
    ALONE,
    ALONE_NT,
    LONG,
    LOW,
    N_KINDS,
    OPEN,
    PETIT_SLAM,
    PROPOSE,
    PROPOSE_NT,
    SLAM,
    TOPS,
    n_weights,
    score_tables,
)
from solo_env.actions import N_CALLS
from solo_env.cards import N_SEATS, N_TRICKS
from solo_env.engine.scoring import pair_amount
from solo_env.rules import Ruleset, pack_array
from solo_env.rules.model import DECL, N_CONTRACT_KINDS, N_CONTRACTS, NO_TRUMPS, PC, SOLO
from solo_env.rules.pack import LEADER_CALLER

FILE = Path(__file__).parent / "data" / "calls.npz"
SCALE = 50_000  # what a chance of 1 is in the file
N_OUTCOMES = 2 * N_CONTRACT_KINDS * 2 + 1  # declaring or defending, what, made or lost; and nothing played
NOTHING_PLAYED = N_OUTCOMES - 1
FLAT, MARGIN = range(2)  # sorts of price: a contract lost costs the same however far, or more for each trick short
N_PRICE_SORTS = 2
SHAPES = {
    "tricks": (N_KINDS, N_SEATS, N_BINS, N_TRICKS + 1),
    "shift": (N_PRICE_SORTS, N_CALLS, N_SITUATIONS, N_PLACES),
    "after": (N_PRICE_SORTS, N_CALLS, N_SITUATIONS, N_SEATS, N_COARSE, N_OUTCOMES),
    "ends": (N_PRICE_SORTS, N_CONTRACTS, N_TRICKS + 1),
    "lines": (N_KINDS, 2),
}
# The kind of hand that each call is judged by: in a round with a suit, and in one without.
KINDS_OF_CALLS = (
    (ACCEPT, PROPOSE, ACCEPT, ALONE, LOW, LONG, LONG, PETIT_SLAM, OPEN, TOPS, SLAM, SLAM),
    (ACCEPT_NT, PROPOSE_NT, ACCEPT_NT, ALONE_NT, LOW, LONG, LONG, PETIT_SLAM, OPEN, TOPS, SLAM, SLAM),
)
LEADS_ITSELF = (TOPS, SLAM)  # measured with the caller on lead
# Before anything is measured: a proposal is accepted in two cases of three, and few calls are overcalled.
USUALLY_KEPT, USUALLY_ACCEPTED = 0.97, 0.65
PRIOR_CASES = 25.0


class CallData(NamedTuple):
    """What a file holds."""

    weights: list[NDArray[np.float64]]
    tricks: NDArray[np.float64]  # chances
    shift: NDArray[np.int64]
    after: NDArray[np.int64]
    ends: NDArray[np.int64]
    lines: NDArray[np.float64]
    about: dict[str, Any]


def write_call_data(path: Path, data: CallData) -> None:
    """Write a file; the same data give the same bytes."""
    arrays: dict[str, Any] = {f"weights_{kind}": own.astype(np.float32) for kind, own in enumerate(data.weights)}
    arrays["tricks"] = np.rint(data.tricks * SCALE).astype(np.uint16)
    arrays["shift"], arrays["after"] = data.shift.astype(np.int16), data.after.astype(np.int32)
    arrays["ends"], arrays["lines"] = data.ends.astype(np.int32), data.lines.astype(np.float32)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_arrays(path, arrays, data.about)


def read_call_data(path: Path) -> CallData:
    """What a file holds.

    Raises:
        ValueError: it is damaged, or of another format.
    """
    arrays, about = read_arrays(path, "tables of calls")
    for name, shape in SHAPES.items() | {(f"weights_{kind}", (n_weights(kind),)) for kind in range(N_KINDS)}:
        if name not in arrays or arrays[name].shape != shape:
            found = arrays[name].shape if name in arrays else "nothing"
            raise ValueError(f"{path} is damaged: {name} should have shape {shape} and has {found}.")
    weights = [arrays[f"weights_{kind}"].astype(np.float64) for kind in range(N_KINDS)]
    tricks = arrays["tricks"] / SCALE
    if tricks.min() < 0 or abs(tricks.sum(axis=3) - 1).max() > 0.01:  # noqa: PLR2004
        raise ValueError(f"{path} is damaged: its chances do not sum to 1, or one is negative.")
    tricks /= tricks.sum(axis=3, keepdims=True)
    shift, after, ends = (arrays[name].astype(np.int64) for name in ("shift", "after", "ends"))
    return CallData(weights, tricks, shift, after, ends, arrays["lines"].astype(np.float64), about)


@lru_cache(maxsize=4)
def shipped_call_data(path: Path = FILE) -> CallData:
    """What the shipped file holds, read once."""
    return read_call_data(path)


@lru_cache(maxsize=4)
def _shipped_scores(path: Path = FILE) -> NDArray[np.int16]:
    return score_tables(shipped_call_data(path).weights)


@lru_cache(maxsize=64)
def shipped_call_tables(ruleset: Ruleset) -> NDArray[np.void]:
    """The shipped tables, priced for a ruleset; an array [1] of ``CALL_TABLES``."""
    return priced(shipped_call_data(), _shipped_scores(), ruleset)


def new_weighed() -> NDArray[np.float64]:
    """Scratch in which the kernels of ``call_values`` weigh the calls."""
    return np.zeros((N_CALLS, N_WEIGHED))


def kinds_of_calls(ruleset: Ruleset) -> NDArray[np.int64]:
    """int64 [2, 12]: the kind of hand that each call is judged by, in rounds with and without a suit."""
    kinds = np.array(KINDS_OF_CALLS, np.int64)
    if pack_array(ruleset)[0]["trumps"][DECL] != NO_TRUMPS:
        kinds[:, DECL + 2] = SLAM
    return kinds


def units_by_tricks(ruleset: Ruleset) -> NDArray[np.float64]:
    """float64 [contracts, 14]: what the caller gets for a contract in which its side took so many tricks."""
    rules = pack_array(ruleset)[0]
    units = np.zeros((N_CONTRACTS, N_TRICKS + 1))
    for contract in range(N_CONTRACTS):
        pairs = 1 if contract == PC else N_SEATS - 1
        for taken in range(N_TRICKS + 1):
            amount = pair_amount(rules, np.int64(contract), np.int64(taken))
            units[contract, taken] = pairs * amount * int(rules["unit"])
    return units


def price_sort(ruleset: Ruleset) -> int:
    """Whether a solo, and with it a proposal, costs more for each trick short: FLAT or MARGIN."""
    return MARGIN if pack_array(ruleset)[0]["under"][SOLO] > 0 else FLAT


def priced(data: CallData, scores: NDArray[np.int16], ruleset: Ruleset) -> NDArray[np.void]:
    """Tables of calls in the units of a ruleset: an array [1] of ``CALL_TABLES``."""
    kinds, units, sort = kinds_of_calls(ruleset), units_by_tricks(ruleset), price_sort(ruleset)
    tables = np.zeros(1, CALL_TABLES)
    tables["scores"], tables["shift"], tables["kinds"] = scores.transpose(2, 1, 0), data.shift[sort], kinds
    tables["own"] = own_units(data, kinds, units, ruleset)
    tables["other"] = other_units(data.after[sort], data.ends[sort], units)
    return tables


def own_units(
    data: CallData, kinds: NDArray[np.int64], units: NDArray[np.float64], ruleset: Ruleset
) -> NDArray[np.float64]:
    """float64 [2, 12, 4, bins, 3]: mean units, mean square and the chance if the call becomes the contract."""
    rules = pack_array(ruleset)[0]
    own = np.zeros((2, N_CALLS, N_SEATS, N_BINS, 3))
    for round_kind in range(2):
        for call in range(1, N_CALLS):
            contract, kind = int(contract_of(call)), int(kinds[round_kind, call])
            chances = data.tricks[kind]
            if rules["leader"][contract] == LEADER_CALLER and kind not in LEADS_ITSELF:
                chances = chances[[0] * N_SEATS]  # the caller on lead plays as eldest does
            own[round_kind, call, :, :, MEAN] = chances @ units[contract]
            own[round_kind, call, :, :, SQUARE] = chances @ units[contract] ** 2
            own[round_kind, call, :, :, CHANCE] = chances @ (units[contract] > 0)
    return own


def outcome(declaring: Any, contract: Any, made: Any) -> Any:
    """The number of an end of the deal, as ``after`` counts them; also of arrays."""
    return 2 * (N_CONTRACT_KINDS * (1 - 1 * declaring) + contract) + made


def outcome_units(
    ends: NDArray[np.int64], units: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Mean units and mean square of each end of a deal, float64 [N_OUTCOMES]."""
    mean, square = np.zeros(N_OUTCOMES), np.zeros(N_OUTCOMES)
    for contract in range(N_CONTRACTS):
        for made in range(2):
            here = (units[contract] > 0) == bool(made)
            cases = ends[contract] * here
            cases = cases / cases.sum() if cases.sum() else here / max(1, here.sum())
            pairs = 1 if contract == PC else N_SEATS - 1
            for declaring in range(2):
                gain = units[contract] if declaring else -units[contract] / pairs
                at = outcome(declaring, contract, made)
                mean[at], square[at] = cases @ gain, cases @ gain**2
    return mean, square


def other_units(
    after: NDArray[np.int64], ends: NDArray[np.int64], units: NDArray[np.float64]
) -> NDArray[np.float64]:
    """What follows when a call does not become the contract: float64 [12, situations, 4, coarse bins, 3].

    Mean units, mean square, and the chance that it does. Rare cells lean on all positions, and those on all bins.
    """
    mean, square = outcome_units(ends, units)
    other = np.zeros((N_CALLS, N_SITUATIONS, N_SEATS, N_COARSE, 3))
    for call in range(N_CALLS):
        contract = int(contract_of(call))
        own = [outcome(1, contract, made) for made in range(2)] if call else []
        cases = after[call].astype(np.float64)
        kept = cases[..., own].sum(axis=-1)
        cases[..., own] = 0
        rest = cases.sum(axis=-1)
        usual = 0.0 if call == 0 else USUALLY_ACCEPTED if call == 1 else USUALLY_KEPT
        other[call, ..., KEPT] = leaning(kept, kept + rest, usual)
        other[call, ..., MEAN] = leaning(cases @ mean, rest, 0.0)
        other[call, ..., SQUARE] = leaning(cases @ square, rest, 0.0)
    return other


def leaning(sums: NDArray[np.float64], cases: NDArray[np.float64], usual: float) -> NDArray[np.float64]:
    """Means of cells [situations, 4, bins], each leaning on its bin's mean, and that on its situation's."""
    whole = (sums.sum(axis=(1, 2)) + PRIOR_CASES * usual) / (cases.sum(axis=(1, 2)) + PRIOR_CASES)
    by_bin = (sums.sum(axis=1) + PRIOR_CASES * whole[:, None]) / (cases.sum(axis=1) + PRIOR_CASES)
    return (sums + PRIOR_CASES * by_bin[:, None, :]) / (cases + PRIOR_CASES)
