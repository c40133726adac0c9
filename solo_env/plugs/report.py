"""What an example prints when its training is over: who was trained by what, how fast, and how strong it is.

It is measured by the project's own matches, on the book ``test``: alone among three of each of ``AGAINST``.
"""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

from solo_env.evaluation import play_match
from solo_env.player import make_player
from solo_env.rules import load_ruleset

AGAINST = ("uniform", "random", "novice")
DEALS = 500


def report(toolkit: str, player: str, rate: float, ruleset: str = "pagat", deals: int = DEALS) -> dict[str, Any]:
    """Measure a player and print what came of it.

    Args:
        toolkit: the distribution that trained it, such as "sb3-contrib".
        player: its spec.
        rate: decisions a second at which it was trained.
        ruleset: what is played.
        deals: of each match, each played from every seat.

    Returns:
        The same as JSON: toolkit, version, player, decisions a second, and for each opponent the mean in units a
        deal and the ends of its 95 % interval.
    """
    rules = load_ruleset(ruleset)
    trained = make_player(player, rules)
    told: dict[str, Any] = {
        "toolkit": toolkit, "version": version(toolkit), "player": player, "decisions_per_second": round(rate, 1),
    }  # fmt: skip
    for spec in AGAINST:
        match = play_match(trained, make_player(spec, rules), rules, deals)
        low, high = match.ci95 or (match.mean_units, match.mean_units)
        told[spec] = [round(float(match.mean_units), 4), round(float(low), 4), round(float(high), 4)]
    against = "; ".join(
        f"{spec} {told[spec][0]:+.3f} [{told[spec][1]:+.3f}, {told[spec][2]:+.3f}]" for spec in AGAINST
    )
    print(f"{toolkit} {told['version']}: {rate:,.0f} decisions/s; units a deal against {against}")
    return told
