"""The units that bidders expect of calls, by which a learner may be advised."""

from __future__ import annotations

import numpy as np
import pytest

from solo_env.actions import FIRST_CALL, N_CALLS
from solo_env.engine.state import ASKED_HOLDER
from solo_env.player import make_player
from solo_env.rules import load_ruleset, pack_array
from tests.baselines.driving import self_play

BIDDERS = ["expert", "ev-bidder"]


@pytest.mark.parametrize("spec", BIDDERS)
@pytest.mark.parametrize("name", ["pagat", 'hoyle+auction.raise_own_call=true+contract.abu_suit_time="with_call"'])
def test_a_bidder_makes_the_call_of_which_it_expects_most(spec: str, name: str) -> None:
    ruleset = load_ruleset(name)
    player, calls, cards, holders = make_player(spec, ruleset), 0, 0, 0

    def see(_, views, __, chosen):
        nonlocal calls, cards, holders
        units = player.call_units(views)
        assert units.dtype == np.float32
        assert units.shape == (len(views), N_CALLS)
        weighed = ~np.isnan(units)
        legal = views["legal_calls"][:, None] >> np.arange(N_CALLS) & 1
        assert not (weighed & (legal == 0)).any()
        asked = legal.any(axis=1)
        assert (weighed[:, 0] == asked).all()  # passing always is
        best = chosen[asked] - FIRST_CALL
        assert (units[asked, best] == np.nanmax(units[asked], axis=1)).all()
        calls, cards = calls + asked.sum(), cards + (~asked).sum()
        holders += (views["asked"] == ASKED_HOLDER).sum()

    self_play(player, 40, see, rules=pack_array(ruleset))
    assert calls > 100
    assert cards > 500
    assert holders > 0 or name == "pagat"


@pytest.mark.parametrize("spec", BIDDERS)
def test_units_do_not_depend_on_the_batch_and_not_on_the_price_of_risk(spec: str) -> None:
    player, cautious = make_player(spec), make_player(f"{spec}:risk=0.5")

    def see(_, views, __, ___):
        units = player.call_units(views)
        for i in range(0, len(views), 7):
            assert np.array_equal(player.call_units(views[i : i + 1]), units[i : i + 1], equal_nan=True)
        assert np.array_equal(cautious.call_units(views), units, equal_nan=True)

    self_play(make_player("novice"), 20, see)
