"""The club player: plays by the rules of the literature, and does not count."""

from __future__ import annotations

from baselines.play_points import CLUB
from baselines.points_player import PointsPlayer


class ClubPlayer(PointsPlayer):
    """Calls as the novice does, and plays by those points of ``play_points`` that need no counting."""

    level = CLUB
