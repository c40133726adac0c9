"""Text and picture: readable, complete, and blind to what a seat may not know."""

import builtins
import re

import numpy as np
import pytest

from solo_env import actions, render
from solo_env.cards import N_SEATS, card_text, cards_of
from solo_env.engine import deal, observe, step
from solo_env.engine.state import NOBODY, new_tables, new_views
from solo_env.rules import load_ruleset, pack
from solo_env.view import View

RULESET = load_ruleset("pagat")
RULES = pack(RULESET)
DEALER = 3
SUIT_LETTER = dict(zip("♣♦♥♠", "CDHS", strict=True))

# Moments of a deal: (seed, calls, cards played); the lowest legal card is played each time.
MOMENTS = {
    "first call": (1, "", 0),
    "mid-auction": (2, "PASS PROP COP SOLO PASS MIS", 0),
    "eldest is asked": (2, "PASS PROP PASS PASS", 0),
    "naming of trumps": (3, "PASS ABU PASS PASS", 0),
    "no card played": (4, "PASS PROP PASS PASS COP", 0),
    "first trick": (4, "PASS PROP PASS PASS COP", 3),
    "mid-play": (2, "SOLO PASS PASS PASS", 26),
    "hand exposed": (1, "PASS PROP COP SOLO PASS MIS ABU ABT OUV PASS", 6),
    "played out": (7, "PASS PROP COP PASS", 52),
    "passed out": (9, "PASS PASS PASS PASS", 0),
    "not accepted": (9, "PASS PROP PASS PASS PASS PASS", 0),
}


def table_at(moment):
    seed, calls, n_plays = MOMENTS[moment]
    table = new_tables(1)[0]
    deal.start_session(table, RULES, seed, 0, 0, DEALER, 1)
    for call in calls.split():
        assert step.is_legal(table, RULES, actions.parse(call))
        step.apply_action(table, RULES, actions.parse(call))
    for _ in range(n_plays):
        step.apply_action(table, RULES, cards_of(step.legal_card_set(table, RULES))[0])
    return table


def view_of(table, seat):
    views = new_views(1)
    observe.write_view(table, RULES, seat, views[0])
    return View(views[0])


def views_of(table):
    return [view_of(table, seat) for seat in range(N_SEATS)]


def cards_in(text):
    """Every card a text shows: "♠A K 10" and "♥7" with symbols, and names such as SA."""
    shown = {name for name in re.findall(r"\b[CDHS][2-9TJQKA]\b", text)}
    for suit, run in re.findall(r"([♣♦♥♠])((?: ?(?:10|[2-9JQKA])\b)+)", text):
        shown |= {SUIT_LETTER[suit] + rank.replace("10", "T") for rank in run.split()}
    return shown


def known_cards(view):
    known = {*cards_of(view.hand_cards), *cards_of(view.exposed_cards), view.turned_card}
    return {card_text(card) for card in known | set(view.plays[: view.n_plays].tolist())}


def redealt(table, seat, rng):
    """A copy in which the cards that ``seat`` cannot see lie elsewhere among the other hands."""
    copy = new_tables(1)
    copy[0] = table
    fixed = 1 << int(table["turned_card"])
    others = [s for s in range(N_SEATS) if s not in {seat, int(table["exposed_seat"])}]
    unseen = {s: cards_of(int(table["hand_cards"][s]) & ~fixed) for s in others}
    pool = list(rng.permutation([card for cards in unseen.values() for card in cards]))
    for s in others:
        kept = int(table["hand_cards"][s]) & fixed
        taken = [pool.pop() for _ in unseen[s]]
        copy[0]["hand_cards"][s] = kept | sum(1 << int(card) for card in taken)
    return copy[0]


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_text_fits_a_terminal(moment):
    views = views_of(table_at(moment))
    for text in [render.text(view, RULESET) for view in views] + [render.text_all(views, RULESET)]:
        lines = text.split("\n")
        assert max(map(len, lines)) <= 78
        assert len(lines) <= 28
        assert "\x1b" not in text
        assert all(f"player_{seat}" in text for seat in range(N_SEATS))


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_text_shows_ones_own_cards_and_no_hidden_one(moment):
    for view in views_of(table_at(moment)):
        shown = cards_in(render.text(view, RULESET))
        assert {card_text(card) for card in view.hand()} <= shown <= known_cards(view)


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_drawing_does_not_change_when_the_unseen_cards_are_dealt_anew(moment):
    table, rng, moved = table_at(moment), np.random.default_rng(1), False
    for seat in range(N_SEATS):
        other = redealt(table, seat, rng)
        moved |= bool(np.any(other["hand_cards"] != table["hand_cards"]))
        before, after = view_of(table, seat), view_of(other, seat)
        assert render.text(before, RULESET) == render.text(after, RULESET)
        if seat == 0:
            assert np.array_equal(render.picture(before, RULESET), render.picture(after, RULESET))
    assert moved or moment == "played out"


def test_the_exposed_hand_is_shown_to_every_seat_once_trick_1_is_complete():
    table = table_at("hand exposed")
    declarer = int(table["declarer"])
    assert int(table["exposed_seat"]) == declarer
    exposed = {card_text(card) for card in cards_of(int(table["hand_cards"][declarer]))}
    for seat in range(N_SEATS):
        text = render.text(view_of(table, seat), RULESET)
        assert exposed <= cards_in(text)
        assert (f"player_{declarer}, exposed: " in text) == (seat != declarer)


def test_an_exposed_hand_changes_the_picture():
    view = view_of(table_at("hand exposed"), 0)
    covered = view_of(table_at("hand exposed"), 0)
    covered.record["exposed_rel"], covered.record["exposed_cards"] = NOBODY, 0
    assert not np.array_equal(render.picture(view, RULESET), render.picture(covered, RULESET))


def test_a_text_names_contract_trumps_and_what_is_needed():
    text = render.text(view_of(table_at("mid-play"), 1), RULESET)
    assert "Contract: solo by player_0, at least 5 tricks" in text
    assert "Trumps: ♦ diamonds; turned up by player_3: ♦5" in text
    assert "Tricks: player_0 2, the others 4; needs 3 more" in text
    assert "player_3 (D)" in text
    assert "player_0 declarer" in text


def test_the_seat_on_turn_reads_its_legal_actions():
    table = table_at("eldest is asked")
    assert "player_0 to accept or decline:\n  PASS no bid" in render.text(view_of(table, 0), RULESET)
    assert render.text(view_of(table, 1), RULESET).endswith("Waiting for player_0 to accept or decline.")
    table = table_at("first trick")
    view = view_of(table, int(table["turn"]))
    choice = render.text(view, RULESET).split("\n")[-1].partition(": ")[2].split()
    assert sorted(map(actions.parse, choice)) == view.legal_actions()


def test_the_left_neighbour_sits_left():
    lines = render.text(view_of(table_at("first call"), 1), RULESET).split("\n")
    assert any(re.fullmatch(r"player_2 +(> )?player_0( <)?|player_2 +> player_0 <", line) for line in lines)


@pytest.mark.parametrize("moment", ["played out", "passed out", "not accepted"])
def test_a_finished_deal_shows_its_payoffs(moment):
    table = table_at(moment)
    assert table["phase"] == actions.OVER
    paid = ", ".join(f"player_{s} {n:+d}" if n else f"player_{s} 0" for s, n in enumerate(table["payoff"]))
    for seat in range(N_SEATS):
        assert render.text(view_of(table, seat), RULESET).endswith(f"Payoffs in units: {paid}")
    why = {"passed out": "all four passed", "not accepted": "nobody accepted the proposal"}
    assert why.get(moment, ", 8 needed") in render.text(view_of(table, 0), RULESET)


def test_all_hands_are_52_cards_at_the_start_and_only_there_when_asked_for():
    views = views_of(table_at("first call"))
    assert len(cards_in(render.text_all(views, RULESET))) == 52
    assert len(cards_in(render.text(views[0], RULESET))) == 14  # its own and the turned card
    assert not np.array_equal(render.picture_all(views, RULESET), render.picture(views[0], RULESET))


@pytest.mark.parametrize("draw", [render.text_all, render.picture_all])
def test_all_hands_take_the_views_of_four_seats(draw):
    view = view_of(table_at("first call"), 0)
    with pytest.raises(ValueError, match="four views, one a seat"):
        draw([view] * 4, RULESET)


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_picture_is_an_image_in_colour_and_the_same_each_time(moment):
    view = view_of(table_at(moment), 2)
    picture = render.picture(view, RULESET)
    assert picture.shape == render.PICTURE_SHAPE == (720, 960, 3)
    assert picture.dtype == np.uint8
    assert np.ptp(picture) > 200
    assert np.array_equal(picture, render.picture(view, RULESET))


def test_without_pillow_a_picture_says_what_to_install(monkeypatch):
    real_import = builtins.__import__

    def no_pillow(name, *args):
        if name.partition(".")[0] == "PIL":
            raise ImportError(name)
        return real_import(name, *args)

    monkeypatch.setattr(builtins, "__import__", no_pillow)
    view = view_of(table_at("first call"), 0)
    assert render.text(view, RULESET)
    with pytest.raises(render.RenderError, match=r'pip install "solo-whist\[render\]"'):
        render.picture(view, RULESET)
