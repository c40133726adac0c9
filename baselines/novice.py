"""A player that counts tricks to call and plays by the first principles of whist.

The calls are here; ``hand_value.py`` counts a hand and ``novice_play.py`` chooses a card.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from baselines.hand_value import (
    LONG_TRUMPS,
    TRICK,
    best_trumps,
    hand_danger,
    hand_losers,
    hand_tenths,
    is_low,
    running_hand,
    side_suits_tenths,
    suit_pattern,
    wide,
)
from baselines.novice_play import REASONS, choose_card
from solo_env import actions
from solo_env.actions import COP, FIRST_CALL, FIRST_TRUMPS, PASS
from solo_env.cards import N_SUITS, N_TRICKS, SUIT_NAMES
from solo_env.engine._jit import kernel
from solo_env.engine.auction import CALL_OF_CONTRACT, CONTRACT_OF_CALL
from solo_env.engine.bits import popcount
from solo_env.engine.state import ASKED_HOLDER, ASKED_PROPOSER
from solo_env.player import BatchPlayer, check_asked
from solo_env.rules import Ruleset, pack_array
from solo_env.rules.model import (
    ABT,
    ABU,
    CONTRACT_NAMES,
    DECL,
    GRAND,
    MIS,
    NAMED,
    NO_TRICK,
    NO_TRUMPS,
    OUV,
    PC,
    PETIT,
    RDECL,
    SOLO,
)
from solo_env.view import View

# --- What each call asks of the hand (tricks in tenths) ----------------------------------------------------

SOLO_MARGIN = 0  # a solo wants this much more than its target ...
RAISE_MARGIN = -1  # ... or this, when a proposal found no partner and the deal would be thrown in
PROP_MARGIN = -7  # a proposal wants this much more than half of the joint target ...
COP_MARGIN = -11  # ... and its acceptance this
COP_TRUMPS = 3  # trumps that an acceptance wants, if not tricks in the side suits
COP_SIDE = 18
MIS_DANGER = 12  # about even against three novices
OUV_DANGER = 1

# The contract that is worth most comes first; the first that the hand makes is called.
BY_VALUE = (GRAND, RDECL, DECL, OUV, PETIT, ABT, ABU, MIS, SOLO)


class NovicePlayer(BatchPlayer):
    """Calls by counted tricks, plays by rules of thumb, and can say which one decided.

    It is deterministic: the keys are not used. Four of them, over 20,000 deals of ``pagat``: 10 % of the
    deals thrown in, and of the rest 55 % solo (made in 75 of 100), 41 % proposal and acceptance (70), 2.2 %
    misère (65) and 1.7 % abundance (81); an abundance in trumps and a misère ouverte once each.
    """

    def __init__(self, ruleset: str | Ruleset = "pagat") -> None:
        super().__init__(ruleset)
        self._rules = pack_array(self.ruleset)

    def act_batch(self, views: NDArray[np.void], keys: NDArray[np.int64], out: NDArray[np.int64]) -> None:
        """Write the novice's action for each view."""
        decide_rows(views, self._rules, out)

    def explain(self, view: View) -> str:
        """The count behind a call ("SOLO: 5.7 tricks with hearts trumps."), or the rule behind a card."""
        check_asked(view)
        action, reason = decide(view.record, self._rules[0])
        name = actions.text(int(action))
        if actions.phase(int(action)) == actions.PLAY:
            return f"{name}: {REASONS[int(reason)]}."
        if int(action) == PASS and view.asked == ASKED_HOLDER:
            return f"{name}: the {CONTRACT_NAMES[view.standing]} that stands is enough."
        return f"{name}: {_estimate(view, int(action))}."


def _estimate(view: View, action: int) -> str:
    """The count behind a call, as a phrase."""
    hand, turned = int(view.hand_cards), int(view.suit)
    if action >= FIRST_TRUMPS:
        return _losers(hand, action - FIRST_TRUMPS)
    contract = PC if action in (PASS, COP) else CONTRACT_OF_CALL[action - FIRST_CALL]
    if contract in (MIS, OUV):
        return f"a low hand, of danger {hand_danger(hand)}"
    if contract == DECL:
        return f"{running_hand(hand)} tricks from the lead"
    if contract in (ABU, PETIT, GRAND):
        return _losers(hand, best_trumps(hand, 0b1111))
    if contract in (ABT, RDECL):
        return _losers(hand, turned)
    trumps = f"with {SUIT_NAMES[turned]} trumps" if turned >= 0 else "without trumps"
    return f"{hand_tenths(hand, turned) / TRICK:.1f} tricks {trumps}"


def _losers(hand: int, suit: int) -> str:
    tricks = hand_tenths(hand, suit) / TRICK
    return f"{hand_losers(hand, suit)} losers and {tricks:.1f} tricks with {SUIT_NAMES[suit]} trumps"


@kernel
def decide_rows(views: NDArray[np.void], rules: NDArray[np.void], out: NDArray[np.int64]) -> None:
    """Fill ``out`` (int64[B]) with the novice's action for each view; the views are not changed."""
    for b in range(len(views)):
        out[b], _ = decide(views[b], rules[0])


@kernel
def decide(view: np.void, rules: np.void) -> tuple[int, int]:
    """The novice's action, and the number of the reason if it is a card; the view is not changed."""
    if view["legal_cards"]:
        return choose_card(view, rules)
    calls = int(view["legal_calls"])
    suits = calls >> (FIRST_TRUMPS - FIRST_CALL)
    if suits:
        return FIRST_TRUMPS + best_trumps(int(view["hand_cards"]), suits), 0
    return choose_call(view, rules, calls), 0


@kernel
def choose_call(view: np.void, rules: np.void, calls: int) -> int:
    """The call of highest value that the hand makes, of the legal ``calls`` (bit action - 52); else PASS."""
    hand, turned = int(view["hand_cards"]), wide(view["suit"])
    tenths = hand_tenths(hand, turned)
    # Step 1: alone, the dearest first. Whoever is overcalled asks the same question again.
    for contract in BY_VALUE:
        if is_open(calls, CALL_OF_CONTRACT[contract]) and makes(hand, turned, tenths, rules, contract):
            return CALL_OF_CONTRACT[contract]
    # Step 2: an unaccepted proposal is raised to a solo on a little less, as the deal is worth nothing else.
    raised = TRICK * int(rules["target"][SOLO]) + RAISE_MARGIN
    if view["asked"] == ASKED_PROPOSER and is_open(calls, CALL_OF_CONTRACT[SOLO]) and tenths >= raised:
        return CALL_OF_CONTRACT[SOLO]
    # Step 3: with a partner. Half the tricks are one's own share.
    share = TRICK * int(rules["target"][PC]) // 2
    if is_open(calls, COP) and tenths >= share + COP_MARGIN and complements(hand, turned):
        return COP
    if is_open(calls, CALL_OF_CONTRACT[PC]) and tenths >= share + PROP_MARGIN:
        return CALL_OF_CONTRACT[PC]
    return PASS


@kernel
def is_open(calls: int, call: int) -> bool:
    """Whether ``call`` is among the legal calls (bit action - 52)."""
    return calls >> (call - FIRST_CALL) & 1 == 1


@kernel
def makes(hand: int, turned: int, tenths: int, rules: np.void, contract: int) -> bool:
    """Whether the hand, by its own count, makes a contract alone.

    ``turned`` is the suit turned up, ``tenths`` the tricks with that as trumps.
    """
    if rules["aim"][contract] == NO_TRICK:
        return is_low(hand, OUV_DANGER if contract == OUV else MIS_DANGER)
    target = int(rules["target"][contract])
    if contract == SOLO:
        return tenths >= TRICK * target + SOLO_MARGIN
    if rules["trumps"][contract] == NO_TRUMPS:
        return running_hand(hand) >= target
    if rules["trumps"][contract] != NAMED:
        return turned >= 0 and is_abundant(hand, turned, target)
    # The best trumps are looked for only where some would do, which is rare.
    for suit in range(N_SUITS):
        if is_abundant(hand, suit, target):
            return is_abundant(hand, best_trumps(hand, 0b1111), target)
    return False


@kernel
def is_abundant(hand: int, trump: int, target: int) -> bool:
    """Whether the hand is long enough in ``trump``, loses few enough tricks and wins ``target`` by both counts."""
    if popcount(suit_pattern(hand, trump)) < LONG_TRUMPS:
        return False
    # On four losers alone, one abundance in seven was made; with nine tricks counted as well, two in three.
    return hand_losers(hand, trump) <= N_TRICKS - target and hand_tenths(hand, trump) >= TRICK * target


@kernel
def complements(hand: int, turned: int) -> bool:
    """Whether a hand brings what the proposer's may lack: trumps, or tricks in the side suits."""
    if turned < 0:
        return True
    trumps = popcount(suit_pattern(hand, turned))
    return trumps >= COP_TRUMPS or side_suits_tenths(hand, turned) >= COP_SIDE
