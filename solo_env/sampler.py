"""The sampler of hidden hands: how the cards that a seat cannot see may lie, each way as likely as any other.

It reads views, so it cannot know more than the seat does, and it draws from the view's decision key: the same view
and key give the same samples in any batch. A search plays on from ``Table.from_view(view, hands, ruleset)``.

What counts: one's own hand, the exposed hand, the cards played as far as the view shows them, who failed to follow
suit where that proves something, the turned card or, where it is hidden, that one card of its suit was the
dealer's, and how many cards each seat has left. What doesn't: calls, which restrict no card, how well a card was
played, and the deals before. Of plays that are no longer shown (clause 8.4) only their number is known, so a card
of theirs may be any unseen one; a seat's own are forgotten like the others'.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from solo_env import actions
from solo_env.cards import N_SEATS, NO_CARD
from solo_env.checks import whole_number
from solo_env.engine import sampling
from solo_env.engine.state import VIEW, new_views
from solo_env.rules import Ruleset, load_ruleset, pack_array
from solo_env.rules.pack import SOURCE_TURN_UP
from solo_env.view import View

MAX_KEY = 2**62 - 1


class SamplerError(ValueError):
    """A view for which no hidden hands can be drawn; the message says why."""


def one_record(view: View) -> NDArray[np.void]:
    """The record of a view as an array [1]."""
    if not isinstance(view, View):
        raise SamplerError(f"hidden hands are drawn for a View, and this is {view!r}; Table.view(seat) gives one.")
    views = new_views(1)
    views[0] = view.record
    return views


class Sampler:
    """Draws hidden hands under one ruleset.

    Scratch belongs to the sampler, so threads need one each.
    """

    def __init__(self, ruleset: str | Ruleset = "pagat") -> None:
        self.ruleset = load_ruleset(ruleset)
        self._rules = pack_array(self.ruleset)
        self._work = sampling.new_work()

    def sample_batch(self, views: NDArray[np.void], keys: NDArray[np.int64], n: int) -> NDArray[np.int64]:
        """N draws for each of B views.

        Args:
            views: view records [B] of dtype ``VIEW``, of any seat, on turn or not.
            keys: int64 [B], 0 .. 2**62 - 1: what the draws of a view are a function of.
            n: N, at least 1; the first draws don't depend on how many follow.

        Returns:
            int64 [B, N, 4], card sets: what each seat still holds, the observer (its own hand) first.

        Raises:
            SamplerError: a deal is over, a view contradicts itself, or it shows a turned card where the ruleset has
                none, or none where it has one.
            ValueError: keys of another length or out of their range, a bad n, or views of another dtype.
        """
        n = whole_number("the number of samples", n, 1)
        hands = np.zeros((len(views), n, 4), np.int64)
        self._draw(views, keys, hands)
        return hands

    def sample(self, view: View, n: int = 1, key: int = 0) -> NDArray[np.int64]:
        """N draws for one view, int64 [N, 4]; see :meth:`sample_batch`."""
        whole_number("the key", key, 0, MAX_KEY)
        views = one_record(view)
        hands: NDArray[np.int64] = self.sample_batch(views, np.array([key], np.int64), n)[0]
        return hands

    def n_deals(self, view: View) -> float:
        """How many deals the view leaves possible, exact up to 2**53.

        A deal is what each seat was dealt and which cards of it it has played. Where the turned card is hidden,
        which it was is part of it too.

        Raises:
            SamplerError: the deal is over, the view contradicts itself, or it is no view.
        """
        views = one_record(view)
        return float(self._draw(views, np.zeros(1, np.int64), np.zeros((1, 0, 4), np.int64))[0])

    def _draw(
        self, views: NDArray[np.void], keys: NDArray[np.int64], hands: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """Fill ``hands`` [B, N, 4]; returns the number of deals of each view, float64 [B]."""
        views, keys = np.asarray(views), np.asarray(keys)
        if views.dtype != VIEW or views.ndim != 1:
            raise ValueError("the views are no view records; give an array of dtype VIEW with an entry a view.")
        if keys.shape != views.shape or keys.dtype != np.int64:
            raise ValueError(f"there are {len(views)} views; give as many keys, as int64.")
        if len(keys) and (keys.min() < 0 or keys.max() > MAX_KEY):
            raise ValueError("a key is out of its range; keys go from 0 to 2**62 - 1.")
        foreign = np.flatnonzero((views["turned_card"] != NO_CARD) != self._shows_turned(views))
        if len(foreign):
            raise SamplerError(
                f"view {foreign[0]}: whether a card is turned up is not as under {self.ruleset.name}; it is of "
                "another ruleset."
            )
        n_deals = np.zeros(len(views), np.float64)
        # Kernels compile for arrays that are whole and may be written.
        whole_views, whole_keys = np.require(views, None, ["C", "W"]), np.require(keys, None, ["C", "W"])
        sampling.sample_rows(whole_views, self._rules, whole_keys, self._work, hands, n_deals)
        if not (n_deals > 0).all():
            row = int(np.argmin(n_deals > 0))
            if views[row]["phase"] == actions.OVER:
                raise SamplerError(
                    f"view {row}: the deal is over, and its payment may tell of hands; sample before."
                )
            raise SamplerError(
                f"view {row}: no deal fits it under {self.ruleset.name}; "
                "it is of another ruleset, or no view that a table gave."
            )
        return n_deals

    def _shows_turned(self, views: NDArray[np.void]) -> NDArray[np.bool_]:
        """Whether a turned card is seen at each view under the ruleset (clauses 2.8, 8.4), bool [B]."""
        rules = self._rules[0]
        hidden = (views["n_plays"] >= N_SEATS) & bool(rules["hide_turned"])
        shown: NDArray[np.bool_] = ~hidden & (rules["source"] == SOURCE_TURN_UP)
        return shown
