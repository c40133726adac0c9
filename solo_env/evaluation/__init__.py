"""Evaluation: matches between players on duplicate deals, and what their numbers mean."""

from solo_env.evaluation.match import MatchResult, evaluate, play_match
from solo_env.evaluation.plan import Plan, new_plan
from solo_env.evaluation.result import read_result

__all__ = ["MatchResult", "Plan", "evaluate", "new_plan", "play_match", "read_result"]
