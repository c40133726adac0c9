"""Shuffling and dealing."""

from __future__ import annotations

import numpy as np

from solo_env.cards import card_text
from solo_env.engine import deal
from solo_env.engine.state import new_tables
from solo_env.rules import load_ruleset, pack
from solo_env.table import Table

RULES = pack(load_ruleset("pagat"))


def test_packets_of_three_go_round_from_eldest_and_the_last_card_is_the_dealers():
    table = new_tables(1)[0]
    table["pack"][:] = np.arange(52)
    deal.deal_pack(table, RULES, 1)
    deal.open_auction(table, RULES, 1, 3)
    eldest = [0, 1, 2, 12, 13, 14, 24, 25, 26, 36, 37, 38, 48]
    assert table["dealt"][2].tolist() == eldest
    assert table["dealt"][3].tolist() == [c + 3 for c in eldest[:-1]] + [49]
    assert table["dealt"][1].tolist() == [c + 9 for c in eldest[:-1]] + [51]
    assert table["turned_card"] == 51
    assert table["turn"] == 2


def test_every_deal_has_52_distinct_cards_and_the_turned_one_lies_with_the_dealer():
    table = Table()
    dealers = set()
    for index in range(200):
        table.deal(3, index)
        dealt = table.data["dealt"]
        assert sorted(dealt.ravel().tolist()) == list(range(52))
        dealer = int(table.data["dealer"])
        assert dealt[dealer, 12] == table.data["turned_card"]
        dealers.add(dealer)
    assert dealers == {0, 1, 2, 3}


def test_a_deal_is_a_function_of_seed_index_and_game():
    def cards(*words: int) -> list[int]:
        table = Table()
        table.deal(*words)
        return table.data["dealt"].ravel().tolist()

    assert cards(9, 4, 2) == cards(9, 4, 2)
    assert len({tuple(cards(*words)) for words in ((9, 4, 2), (8, 4, 2), (9, 5, 2), (9, 4, 3))}) == 4


def test_naming_the_dealer_does_not_change_the_shuffle():
    table, other = Table(), Table()
    table.deal(7, 0, 0, dealer=0)
    other.deal(7, 0, 0, dealer=2)
    assert table.data["pack"].tolist() == other.data["pack"].tolist()


def test_the_golden_deal_stays_the_same_on_every_platform():
    table = Table()
    table.deal(2026, 1, 2)
    hand = "".join(card_text(int(card)) for card in table.data["dealt"][0])
    assert (int(table.data["dealer"]), hand) == GOLDEN


def test_cards_fall_evenly_on_seats_and_slots():
    tables = new_tables(1)
    counts = np.zeros((4, 52), np.int64)
    for index in range(4000):
        deal.start_session(tables[0], RULES, 11, index, 0, -1, 1)
        for seat in range(4):
            counts[seat, tables[0]["dealt"][seat]] += 1
    chi_square = float(((counts - 1000) ** 2 / 1000).sum())
    # 3 * 51 = 153 degrees of freedom; a seat holds exactly 13, which spreads the counts by 52/51
    assert chi_square * 51 / 52 < 219  # the 0.03 % point


GOLDEN = (1, "H3C5DKSTSQD5D2C3D8DASAD9H9")
