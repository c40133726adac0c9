"""The two ways to an observation, from a table and from a view of it, tell the same."""

import random

import numpy as np
import pytest

from solo_env.cards import N_SEATS
from solo_env.engine import observe
from solo_env.engine._jit import kernel
from solo_env.engine.state import new_views
from solo_env.layout import N_FEATURES, ROW
from solo_env.rules import load_ruleset, shipped_rulesets
from tests.sessions import FORGETFUL, lines_of

NAMES = [*shipped_rulesets(), FORGETFUL, f'{FORGETFUL}+play.revokes="possible"+play.stop="never"']


@kernel
def observe_both(tables, rules, seat, views, rows):
    observe.observe_table(tables[0], rules[0], seat, rows[0])
    observe.write_view(tables[0], rules[0], seat, views[0])
    observe.write_observation(views[0], rules[0], rows[1])


@pytest.mark.parametrize("name", NAMES)
def test_the_observation_of_a_table_is_that_of_its_view(name):
    ruleset, rng = load_ruleset(name), random.Random(name)
    views, seen = new_views(1), np.full((2, N_FEATURES), 77, np.int8)
    rows = seen.view(ROW)[:, 0]
    for deal in lines_of(ruleset, rng):
        table = deal.start.clone()
        for action in deal.line:
            table.apply(action)
            for seat in range(N_SEATS):
                observe_both(table.tables, table.rules, seat, views, rows)
                assert (seen[0] == seen[1]).all()
