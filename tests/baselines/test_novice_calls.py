"""What the novice calls: each contract on a hand made for it, and never an impossible task."""

import numpy as np
import pytest

from baselines.hand_value import best_trumps, hand_losers, suit_pattern
from baselines.novice import NovicePlayer
from solo_env import actions
from solo_env.cards import card_text, cards_of
from solo_env.rules.model import ABT, ABU, CONTRACT_NAMES

from .driving import position, self_play
from .test_hand_value import hand

NOVICE = NovicePlayer()


def auction(holding, calls=(), ruleset="pagat"):
    """The view of the seat that speaks after ``calls``, with this hand; a heart is turned up by seat 3."""
    cards = hand(holding)
    seat = position({}, list(calls), ruleset=ruleset).turn
    turned = next(card for card in range(26, 39) if not cards >> card & 1)
    held = "".join(map(card_text, cards_of(cards)))
    return position({seat: held}, list(calls), turned=card_text(turned), ruleset=ruleset).view(seat)


def called(holding, calls=()):
    """What the novice calls."""
    return actions.text(NOVICE.act(auction(holding, calls)))


def test_a_poor_hand_passes():
    assert called("9853 T53 J862 T4") == "PASS"


def test_four_tricks_propose():
    assert called("A84 KQ53 A72 T84") == "PROP"


def test_a_complementary_hand_accepts():
    assert called("A84 Q953 K72 T84", ["PROP"]) == "COP"


def test_tricks_without_trumps_or_side_strength_do_not_accept():
    assert called("K984 AK K72 T852", ["PROP"]) == "PASS"
    assert called("K984 AK2 K7 T852", ["PROP"]) == "COP"  # a third trump


def test_six_tricks_go_solo():
    assert called("A4 AKQ953 K72 84") == "SOLO"
    assert called("A4 AKQ953 K72 84", ["PROP"]) == "SOLO"


def test_five_tricks_are_enough_for_a_solo():
    assert called("84 AKQ95 K72 843") == "SOLO"  # 5.2
    assert called("84 AKQ95 Q72 843") == "PROP"  # 4.9


def test_a_solo_hand_passes_over_a_higher_call():
    assert called("A4 AKQ953 K72 84", ["MIS"]) == "PASS"


def test_an_unaccepted_proposal_near_five_tricks_is_raised():
    calls = ["PASS", "PROP", "PASS", "PASS", "PASS"]
    raised = called("A4 KQ964 K72 843", calls)
    assert raised == "SOLO"
    assert called("84 KQ96 A72 8432", calls) == "PASS"


def test_the_raise_asks_a_little_less_than_the_opening():
    assert called("Q84 KQ964 A72 84") == "PROP"
    assert called("Q84 KQ964 A72 84", ["PASS", "PROP", "PASS", "PASS", "PASS"]) == "SOLO"


@pytest.mark.parametrize("calls", [(), ("PROP",), ("SOLO",), ("PROP", "COP")])
def test_a_low_hand_calls_misere(calls):
    assert called("752 643 8532 732", calls) == "MIS"


def test_one_high_card_in_a_short_suit_is_no_misere():
    assert called("752 K 8532 75432") == "PASS"


def test_an_unbeatable_spread_calls_ouverte():
    assert called("432 642 AQT8642 -") == "OUV"


@pytest.mark.parametrize("holding", ["QJT87642 A2 7 AK", "AQJ73 AK AKQ AK6", "AJT953 8 AKQJ63 -"])
def test_parletts_three_abundances_are_called(holding):
    assert called(holding) in ("ABU", "DECL")
    assert called(holding, ["MIS"]) in ("ABU", "DECL")


def test_abundance_in_trumps_takes_an_abundance_away():
    assert called("7 QJT87642 A2 AK", ["ABU"]) == "ABT"
    assert called("QJT87642 A2 7 AK", ["ABU"]) == "PASS"  # the trumps are not the suit turned up


def test_a_solid_hand_calls_abundance_declared():
    assert called("AKQJT987 AK AK A") == "DECL"
    assert called("AKQ AKQ AKQ AKJ2") != "DECL"


def test_the_caller_names_its_best_suit():
    cards = "".join(map(card_text, cards_of(hand("QJT87642 A2 7 AK"))))
    table = position({1: cards}, ["PASS", "ABU", "PASS", "PASS"], turned="H3")
    assert actions.text(NOVICE.act(table.view(1))) == "TRUMPS S"


@pytest.mark.jit_only
def test_no_abundance_with_fewer_than_five_trumps_or_more_than_six_losers():
    seen = []

    def see(tables, views, keys, chosen):
        for b in np.flatnonzero(np.isin(chosen, [actions.ABU, actions.ABT])):
            cards = int(views[b]["hand_cards"])
            turned = int(views[b]["turned_card"]) // 13
            suit = best_trumps(cards, 0b1111) if chosen[b] == actions.ABU else turned
            seen.append((bin(suit_pattern(cards, suit)).count("1"), hand_losers(cards, suit)))

    tables = self_play(NOVICE, 20_000, see)
    assert len(seen) > 100
    assert all(n_trumps >= 5 and losers <= 6 for n_trumps, losers in seen)
    # The same deals show what self-play is like: a broad mix of contracts that are usually, not always, made.
    contract = tables["contract"]
    played = contract >= 0
    assert played.mean() > 0.7
    names = [CONTRACT_NAMES[c] for c in contract[played]]
    assert {"PC", "SOLO", "MIS", "ABU"} <= set(names)
    assert max(names.count(name) for name in set(names)) < 0.7 * len(names)
    gain = tables["payoff"][np.arange(len(tables)), np.maximum(tables["declarer"], 0)]
    for name in ("PC", "SOLO", "MIS"):
        of_it = contract == CONTRACT_NAMES.index(name)
        assert 0.45 < (gain[of_it] > 0).mean() < 0.8
    # In an abundance the suit named is the suit it was counted in.
    abundances = tables[np.isin(contract, [ABU, ABT])]
    assert (abundances["trump"] >= 0).all()


@pytest.mark.parametrize(
    ("holding", "sentence"),
    [
        ("A4 AKQ953 K72 84", "SOLO: 7.2 tricks with hearts trumps."),
        ("9853 T53 J862 T4", "PASS: 0.0 tricks with hearts trumps."),
        ("QJT87642 A2 7 AK", "ABU: 4 losers and 9.5 tricks with spades trumps."),
        ("432 642 AQT8642 -", "OUV: a low hand, of danger 0."),
    ],
)
def test_a_call_is_explained_by_its_count(holding, sentence):
    assert NOVICE.explain(auction(holding)) == sentence
