"""The expert: counts the cards, and plays every contract and role by what that tells."""

from __future__ import annotations

from baselines.play_points import EXPERT
from baselines.points_player import PointsPlayer


class ExpertPlayer(PointsPlayer):
    """Calls as the novice does, and plays by all points of ``play_points``."""

    level = EXPERT
