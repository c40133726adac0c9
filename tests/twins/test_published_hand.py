"""Foster's illustrative hand, a solo, replays card by card in both implementations."""

from __future__ import annotations

from solo_env.table import Table
from tests import rulebook

A, Y, B, Z = range(4)
HANDS = (
    "SASJS8S7H6DTD7D6D5D3CKC9C8 S9S5S3S2HTH4H2D9D8CACJC3C2 SKSQHAHQH9H7H5DADQCQCTC6C4 STS6S4HKHJH8DKDJD4D2C7C5H3"
)
PLAYS = (
    "DTD8DQDK D2D3D9DA HAH3H6H2 HQHKC8H4 C7C9CAC4 S9SKS4SA CKC2C6C5 "
    "S7S2SQS6 CQH8D5C3 DJD6S3H5 H9HJD7HT D4S8S5H7 CTSTSJCJ"
)
LINE = f"pagat; dealer 3; deal {HANDS}; calls PASS PASS SOLO PASS; plays {PLAYS}; result -1 -1 +3 -1"
WINNERS = [Z, B, B, Z, Y, A, A, B, Z, B, Z, B, Y]


def test_the_solo_is_made_with_exactly_five_tricks():
    table = Table.from_record(LINE)
    assert table.over
    assert table.data["tricks"].tolist() == [2, 2, 5, 4]
    assert table.data["trick_winners"].tolist() == WINNERS
    assert table.payoffs == (-1, -1, +3, -1)


def test_the_rulebook_says_the_same():
    game = rulebook.replay(LINE)
    assert game.tricks == [2, 2, 5, 4]
    assert game.payoffs == [-1, -1, +3, -1]
    assert [trick.winner for trick in game.history] == WINNERS
