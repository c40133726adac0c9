"""Deals of any ruleset that lead to a wanted contract, for the comparison with the rulebook."""

from __future__ import annotations

import random

from solo_env import actions
from solo_env.engine.bits import suit_cards
from solo_env.rules import Ruleset
from solo_env.rules.model import KIND_NAMES
from solo_env.table import Table
from tests.playing import contracts_of, kind_hands, position_of, texts


def finished(ruleset: Ruleset, contract: str, rng: random.Random, kind: bool) -> tuple[Table, list[object]]:
    """A finished deal whose auction led to ``contract`` ("" for any), with its trace of legal actions."""
    while True:
        table = Table(ruleset)
        table.deal(rng.randrange(2**40), dealer=rng.randrange(4))
        if kind:
            seat = rng.randrange(4)
            hands = kind_hands(rng, seat, contract not in ("MIS", "OUV"))
            concealed = ruleset.trump.source != "turn_up"
            table.deal_hands(hands, int(table.data["dealer"]), int(table.data["suit"]) if concealed else None)
        trace = play_towards(table, contract, seat if kind else -1, rng)
        reached = KIND_NAMES[table.data["contract"]] if table.data["contract"] >= 0 else "none"
        if contract in ("", reached):
            return table, trace


def play_towards(table: Table, contract: str, seat: int, rng: random.Random) -> list[object]:
    """Random play to the end, in whose auction ``seat`` (or anybody) makes for ``contract``."""
    calls = {"PC": ("PROP", "COP")}.get(contract, (contract,))
    trace: list[object] = []
    while not table.over:
        legal = table.legal_actions()
        names = texts(legal)
        trace.append((position_of(table, table.turn), names))
        wanted = [name for name in calls if name in names and (name == "COP" or seat in (-1, table.turn))]
        # ABT is called over somebody else's ABU; a general misère needs passes.
        if contract == "ABT" and "ABU" in names and not wanted and seat != table.turn:
            wanted = ["ABU"]
        if table.data["phase"] == actions.AUCTION and contract:
            likely = actions.parse(rng.choice(wanted)) if wanted and rng.random() < 0.8 else actions.PASS
            table.apply(likely if likely in legal and rng.random() < 0.95 else rng.choice(legal))
        elif table.data["phase"] == actions.AUCTION and rng.random() < 0.5:
            table.apply(actions.PASS)
        else:
            table.apply(rng.choice(legal))
    return trace


PACKS = ("shuffled", "gathered", "goulash")
N_DEALS = 12


def played_session(ruleset: Ruleset, seed: int) -> tuple[Table, list[str], list[tuple[str, int, int]]]:
    """A session of random calls, many of them passes, and cards; its lines; pack, dealer, cycle place of each."""
    rng = random.Random(f"{ruleset.name} {seed}")
    table = Table(ruleset)
    table.deal(seed, deals=N_DEALS)
    lines, told = [], []
    passing = rng.choice([0.5, 0.8, 0.95])
    while True:
        data = table.data
        told.append((PACKS[data["pack_kind"]], int(data["dealer"]), int(data["cycle_place"])))
        while not table.over:
            legal = table.legal_actions()
            quiet = actions.PASS in legal and rng.random() < passing
            table.apply(actions.PASS if quiet else rng.choice(legal))
        lines.append(table.record())
        if table.session_over:
            return table, lines, told
        table.next_deal()


SLIPS = (0.0, 0.02, 0.02, 0.1, 1.0)  # how often a seat that can follow doesn't think of it


def revoking(ruleset: Ruleset, seed: int) -> tuple[Table, list[object]]:
    """A finished deal, most often towards a contract, in which seats slip; with its trace of legal actions."""
    rng = random.Random(f"{ruleset.name} {seed}")
    table = Table(ruleset)
    table.deal(seed)
    wanted = rng.choice(["", *contracts_of(ruleset)])
    calls = {"PC": ("PROP", "COP"), "ABT": ("ABU", "ABT")}.get(wanted, (wanted,))
    slips = [rng.choice(SLIPS) for _ in range(4)]
    trace: list[object] = []
    while not table.over:
        legal = table.legal_actions()
        trace.append((position_of(table, table.turn), texts(legal)))
        if table.data["phase"] == actions.PLAY:
            table.apply(_card_of(table, legal, slips[table.turn], rng))
        else:
            named = [action for action in legal if actions.text(action) in calls]
            passing = [action for action in legal if action == actions.PASS] if rng.random() < 0.7 else []
            table.apply(rng.choice(named or passing or legal))
    return table, trace


def _card_of(table: Table, legal: list[int], slip: float, rng: random.Random) -> int:
    """A card that follows suit, or any card in a moment of inattention."""
    n_plays = int(table.data["n_plays"])
    if n_plays % 4 == 0 or rng.random() < slip:
        return rng.choice(legal)
    led = int(table.data["plays"][n_plays // 4 * 4]) // 13
    following = suit_cards(int(table.data["hand_cards"][table.turn]), led)
    return rng.choice([card for card in legal if following >> card & 1] or legal)
