"""Solo Whist as a PettingZoo environment: ``env()``, with the stock wrappers, and ``raw_env``."""

from __future__ import annotations

import pettingzoo
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from solo_env.aec import raw_env
from solo_env.rules import Ruleset, worst_payoff

__all__ = ["env", "raw_env"]


def env(
    ruleset: str | Ruleset = "pagat",
    render_mode: str | None = None,
    render_seat: str = "player_0",
    deals: int = 1,
) -> AECEnv:
    """Solo Whist, wrapped as PettingZoo's card games are; arguments as for :class:`raw_env`.

    An illegal action ends the session and costs its player the most that a session can cost under the ruleset,
    so that it never pays to escape from a lost deal that way.
    """
    inner = raw_env(ruleset, render_mode, render_seat, deals)
    wrapped = wrappers.TerminateIllegalWrapper(inner, illegal_reward=-inner.deals * worst_payoff(inner.ruleset))
    wrapped = wrappers.AssertOutOfBoundsWrapper(wrapped)
    return wrappers.OrderEnforcingWrapper(wrapped)


if hasattr(pettingzoo, "register"):  # PettingZoo 1.27 and later keep a registry
    pettingzoo.register("aec", "solo_whist/solo_whist-v0", entry_point="solo_env.solo_whist_v0:env")
