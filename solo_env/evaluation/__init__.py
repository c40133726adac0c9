"""Evaluation: matches between players on duplicate deals, and what their numbers mean."""

from solo_env.evaluation.ladder import Wish, extend_ladder, read_ladder
from solo_env.evaluation.match import MatchResult, evaluate, play_match
from solo_env.evaluation.plan import Plan, new_plan
from solo_env.evaluation.result import read_result

__all__ = [
    "MatchResult",
    "Plan",
    "Wish",
    "evaluate",
    "extend_ladder",
    "new_plan",
    "play_match",
    "read_ladder",
    "read_result",
]
