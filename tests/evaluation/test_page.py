"""The report of a result: every number with its interval, a page that needs nothing else, three deals by a rule."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser

import numpy as np
import pytest

from baselines.novice import NovicePlayer
from solo_env.evaluation import evaluate, new_plan
from solo_env.evaluation.page_html import html_page, nice_ticks
from solo_env.evaluation.page_markdown import markdown
from solo_env.evaluation.page_match import page_of
from solo_env.evaluation.result import document_bytes
from solo_env.evaluation.shown import choose_clusters, choose_table, show_cluster, study_deals
from solo_env.evaluation.words import POINTS, SCORE, SHARE, UNITS, plain, shown, shown_ends, signed
from solo_env.table import Table

VOID = {"meta", "link", "br", "hr", "img", "input"}
PLANS = {
    "two": {"against": ["club"], "deals": 40},
    "rival": {"against": ["novice"], "deals": 30, "rival": "novice"},
    "four": {"against": ["club", "novice", "random"], "deals": 12, "seating": "square"},
    "sessions": {"against": ["novice"], "deals": 60, "ruleset": "bga", "session": 3},
    "few": {"against": ["pass"], "deals": 4},
}


@pytest.fixture(scope="module", params=PLANS)
def document(request):
    """A document as it is read from a file."""
    told = dict(PLANS[request.param])
    plan = new_plan("expert", told.pop("against"), study=True, **told)
    return json.loads(document_bytes(evaluate(plan)))


class Checker(HTMLParser):
    """Sees to it that every tag that is opened is closed in turn; collects text, and what a page might fetch."""

    def __init__(self):
        super().__init__()
        self.open, self.text, self.fetched, self.ids, self.hrefs = [], [], [], set(), []

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        assert len(attributes) == len(attrs), f"{tag} has an attribute twice"
        if tag not in VOID and not self.get_starttag_text().endswith("/>"):
            self.open.append(tag)
        self.fetched += [tag] if tag in ("script", "link", "img", "iframe", "object") else []
        self.fetched += [value for name, value in attrs if name in ("src", "srcset", "xlink:href", "data")]
        if "id" in attributes:
            assert attributes["id"] not in self.ids
            self.ids.add(attributes["id"])
        if "href" in attributes:
            self.hrefs.append(attributes["href"])

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)  # of SVG: "<circle ... />"

    def handle_endtag(self, tag):
        assert self.open, f"{tag} is closed and was not opened"
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "style" not in self.open:
            self.text.append(data)


def checked(page):
    checker = Checker()
    checker.feed(page)
    checker.close()
    assert checker.open == []
    return checker


def text_of(page):
    return " ".join(checked(page).text).replace("\u00a0", " ")


def numbers_of(value, place=""):
    """Every number of a document with its place."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from numbers_of(item, f"{place}.{key}")
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from numbers_of(item, f"{place}[{number}]")
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield place, value


def ways(value):
    """The ways in which a report may show a number."""
    kinds = {shown(value, kind).removesuffix("\u00a0%") for kind in (UNITS, SHARE, POINTS, SCORE)}
    return kinds | {
        plain(value),
        signed(value, 2),
        signed(value, 0),
        f"{value:g}",
        f"{100 * value:.0f}",
        f"{value:,}",
        f"{value}",
    }


NOT_SHOWN = re.compile(
    r"seating\.tables|\.(seat|seats|player|minus|table|dealer|declarer|partner|leader|winner)\b|\.calls\[|\.deal$"
)


def test_every_number_of_a_document_stands_in_its_reports(document):
    report = page_of(document)
    for text in (text_of(html_page(report)), markdown(report).replace("\u00a0", " ")):
        found = set(re.findall(r"[+−]?\d+(?:,\d{3})*(?:\.\d+)?", text.replace("\\", "")))
        for place, value in numbers_of(document):
            if not NOT_SHOWN.search(place):
                assert ways(value) & found, (place, value)


def intervals_of(value, kind_of, place=""):
    if isinstance(value, dict):
        for key, item in value.items():
            yield from intervals_of(item, kind_of, f"{place}.{key}")
    elif isinstance(value, list):
        if place.rsplit(".", 1)[-1] in ("t95", "bootstrap95", "interval95", "t95_of_part", "t95_a_seat"):
            yield place, {shown_ends(value, kind).replace("\u00a0", " ") for kind in (UNITS, SHARE, POINTS, SCORE)}
            return
        for number, item in enumerate(value):
            yield from intervals_of(item, kind_of, f"{place}[{number}]")


def test_every_interval_stands_whole(document):
    report = page_of(document)
    for text in (text_of(html_page(report)), markdown(report).replace("\u00a0", " ").replace("\\", "")):
        for place, told in intervals_of(document, None):
            assert any(one in text for one in told), place


def test_hashes_and_the_command_stand_in_both(document):
    report = page_of(document)
    told = [document["command"], document["digest"], document["table_hash"], document["book"]["hash"],
            document["ruleset"]["signature"], document["book"]["id"]]  # fmt: skip
    told += [player["hash"] for lineup in document["lineups"] for player in lineup["players"]]
    page = re.sub(r"\s+", " ", text_of(html_page(report)))
    for text in (page, markdown(report)):
        for one in told:
            assert one in text


def test_a_page_is_well_formed_and_fetches_nothing(document):
    page = html_page(page_of(document))
    checker = checked(page)
    assert checker.fetched == []
    assert all(href.startswith("#") and href[1:] in checker.ids for href in checker.hrefs)
    assert not re.search(r"https?:|url\(|@import|//cdn|\son\w+=", page)
    assert page.startswith("<!DOCTYPE html>")


def test_a_document_without_a_study_has_a_page_too(document):
    bare = {**document, "study": None}
    titles = [section.title for section in page_of(bare).sections]
    assert "Regret of calls" not in titles
    assert "Result" in titles
    checked(html_page(page_of(bare)))


def test_names_are_text_and_never_markup():
    plan = new_plan("novice", ["pass"], deals=3, study=True)
    document = json.loads(document_bytes(evaluate(plan)))
    bad = '<script>alert("1")</script>|`x`_&'
    document["lineups"][0]["players"][0]["spec"] = bad
    document["warnings"] = [bad]
    page = html_page(page_of(document))
    assert checked(page).fetched == []
    assert "<script" not in page
    code = r"(?s)```.*?```|``.*?``|`[^`]*`"
    assert not re.search(r"(?<!\\)<script", re.sub(code, "", markdown(page_of(document)).replace("\\`", "")))


def test_the_same_plan_gives_the_same_study_and_the_same_page():
    plan = new_plan("expert", ["club"], deals=15, study=True)
    one, other = evaluate(plan), evaluate(plan)
    assert document_bytes(one) == document_bytes(other)
    assert html_page(page_of(one)) == html_page(page_of(other))
    assert "--study" in one["command"]


def test_the_command_writes_the_report_beside_the_result(tmp_path, capsys):
    from training.cli import main

    assert main(["evaluate", "novice", "--against", "pass", "--deals", "5", "--study", "--out", str(tmp_path)]) == 0
    capsys.readouterr()
    document = json.loads((tmp_path / "result.json").read_bytes())
    assert set(document["study"]) == {"calls", "regret", "swap", "deals"}
    assert (tmp_path / "report.html").read_text(encoding="utf-8") == html_page(page_of(document))
    assert (tmp_path / "report.md").read_text(encoding="utf-8") == markdown(page_of(document))
    seconds = json.loads((tmp_path / "result.sidecar.json").read_bytes())["seconds"]
    assert {"match", "audit", "calls", "regret", "swap", "deals", "page"} <= set(seconds)


# --- the three deals


def test_deals_are_chosen_by_the_rule():
    assert choose_clusters(np.array([2, 5, -3, 5, 2, -3, 0])) == [1, 2, 0]
    assert choose_clusters(np.array([4])) == [0, 0, 0]
    scores = np.array([3, -9, 6, 0])  # of mean 0
    assert [choose_table(scores, why) for why in range(3)] == [2, 1, 3]


class Watching(NovicePlayer):
    """A novice that keeps what it is asked to explain."""

    def __init__(self, ruleset="pagat"):
        super().__init__(ruleset)
        self.asked = []

    def explain(self, view):
        self.asked.append(view)
        return super().explain(view)


def test_a_deal_shown_is_the_deal_played_and_explained_from_the_seat_that_decided():
    plan = new_plan("novice", ["novice"], deals=20, seed=3)
    player = Watching()
    deal = show_cluster(plan, [player, player], 7, 0, 0)
    table = Table.from_record(deal["record"])
    assert list(table.payoffs) == deal["payoff"]
    assert len(player.asked) == len(deal["decisions"])
    hands = [set(map(int, hand)) for hand in table.data["dealt"]]
    for view, one in zip(player.asked, deal["decisions"], strict=True):
        assert view.seat == one["seat"]
        assert view.turn_rel == 0
        assert set(view.hand()) <= hands[view.seat]
        if one["play_outs"] is not None:
            assert one["play_outs"][one["action"]] == deal["payoff"][one["seat"]]
    assert [one["action"] for one in deal["decisions"] if one["trick"]] == [
        card
        for trick in deal["tricks"]
        for card in trick["cards"]
        if any(one["action"] == card for one in deal["decisions"])
    ]


def test_the_deals_shown_have_the_scores_they_are_shown_for():
    plan = new_plan("novice", ["random"], deals=30, seed=4)
    players = plan.make_players()[0]
    scores = np.array([-4, 12, *[1] * 28])
    gain, loss, median = study_deals(plan, players, scores)
    assert (gain["cluster"], loss["cluster"], median["cluster"]) == (1, 0, 2)
    assert (gain["units_of_the_cluster"], loss["units_of_the_cluster"]) == (3.0, -1.0)


def test_a_player_that_cannot_explain_costs_no_report():
    class Silent(NovicePlayer):
        def explain(self, view):
            raise RuntimeError("lost for words")

    plan = new_plan("novice", ["novice"], deals=10)
    deal = show_cluster(plan, [Silent(), Silent()], 0, 0, 0)
    assert all("cannot explain: RuntimeError: lost for words" in one["says"] for one in deal["decisions"])


# --- plots


@pytest.mark.parametrize(("low", "high"), [(-0.13, 0.42), (0, 0.205), (-1e-6, 3e-6), (-18, 4), (0, 1)])
def test_ticks_are_few_round_and_inside(low, high):
    ticks = nice_ticks(low, high)
    assert 2 <= len(ticks) <= 7
    assert all(low - 1e-9 <= tick <= high + 1e-9 for tick in ticks)
    assert 0 in [round(tick, 12) for tick in ticks]
    steps = np.diff(ticks)
    assert np.allclose(steps, steps[0])
