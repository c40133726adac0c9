"""Evaluation: matches between players on duplicate deals, and what their numbers mean."""

from solo_env.evaluation.match import MatchResult, play_match

__all__ = ["MatchResult", "play_match"]
