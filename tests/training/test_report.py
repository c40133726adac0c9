"""The report of a run: all that its history tells, on a page that needs nothing else, whatever is missing."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys

import pytest

from solo_env.evaluation.page import contract_name
from solo_env.evaluation.page_html import html_page
from solo_env.evaluation.page_markdown import markdown
from solo_env.evaluation.words import SHARE, UNITS, shown, shown_ends
from tests.evaluation.test_page import checked, text_of
from tests.training.runs import DECISIONS, REFERENCE, STAGES, history, write_run
from training import log, report
from training.chart import POINTS, Chart, Line, Point, limits, panel, thinned
from training.history import Moment, read_run
from training.report import ReportError, deal_blocks, page_of, write_report


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return write_run(tmp_path_factory.mktemp("runs") / "long")


@pytest.fixture(scope="module")
def page(folder):
    return write_report(folder).read_text(encoding="utf-8")


def plain(page):
    """The words of a page, a blank between any two."""
    return re.sub(r"\s+", " ", text_of(page))


def test_the_page_is_well_formed_and_fetches_nothing(page):
    checker = checked(page)
    assert page.startswith("<!DOCTYPE html>")
    assert checker.fetched == []
    assert all(href.startswith("#") and href[1:] in checker.ids for href in checker.hrefs)
    assert not re.search(r"https?:|url\(|@import|//cdn|\son\w+=", page)
    assert "prefers-color-scheme: dark" in page
    assert 'content="width=device-width' in page


def test_every_match_stands_on_the_page_with_its_interval(page):
    text = plain(page)
    matches = [(row, row["match"]) for row in history() if "match" in row]
    assert len(matches) == 3 * (STAGES["cards"] + STAGES["joint"]) // 10
    for row, match in matches:
        mean, ends = shown(match["mean"], UNITS), shown_ends((match["low"], match["high"]), UNITS)
        when = f"{row['step']:,} decisions, {row['hours']:.2f} h, {row['stage']}"
        assert page.count(f"<title>{when}: {mean} {ends}, 400 deals</title>") >= 2  # by decisions and by hours
        cells = " ".join((match["spec"], row["stage"], f"{row['step']:,}", f"{row['hours']:.2f}", "400", mean))
        assert cells in re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", page))
        assert ends.replace("\u00a0", " ") in text


def test_the_learning_curve_has_each_player_over_decisions_and_over_hours(page):
    for spec in ("novice", "club", "expert"):
        for by in ("decisions", "hours"):
            panel = re.search(f'aria-label="against {spec}, by {by}">(.*?)</div>', page, re.DOTALL)[1]
            matches = [row["match"] for row in history() if row.get("match", {}).get("spec") == spec]
            assert panel.count('<circle class="full"') == len(matches)
            assert panel.count('<line class="ci"') == len(matches)
            assert panel.count('<line class="stage"') == len(STAGES)
            assert panel.count('class="mark"') == 2  # the events


def test_a_point_stands_where_its_numbers_say():
    points = [Point(0.0, 0.0), Point(50.0, 1.0, (0.5, 1.5)), Point(100.0, 2.0)]
    drawn = panel(Chart("x", (Line("", points, dotted=True),), end=200.0))
    assert re.findall(r'cx="([0-9.]+)%"', drawn) == ["0.00", "25.00", "50.00"]
    first, second, third = map(float, re.findall(r'cy="([0-9.]+)"', drawn))
    assert first > second > third
    assert first + third == pytest.approx(2 * second, abs=0.2)
    low, high = map(float, re.search(r'class="ci"[^>]*y1="([0-9.]+)" y2="([0-9.]+)"', drawn).groups())
    assert low - second == pytest.approx(second - high, abs=0.2)
    assert low - second == pytest.approx((first - second) / 2, abs=0.2)
    assert re.search(r'points="0.0,[0-9.]+ 250.0,[0-9.]+ 500.0,[0-9.]+"', drawn)


def test_intervals_and_the_level_are_within_the_axis():
    chart = Chart("x", (Line("", [Point(1.0, 0.5, (-0.75, 2.0))], dotted=True),), level=3.0)
    low, high = limits(chart)
    assert low < -0.75
    assert high > 3
    assert limits(Chart("x", (Line("", [Point(1.0, 0.2)]),), zero=True))[0] == 0
    low, high = limits(Chart("x", (Line("", [Point(1.0, 5.0), Point(2.0, 5.0)]),)))
    assert low < 5 < high


def test_many_points_are_put_together_and_keep_their_mean():
    points = [Point(float(i), float(i % 7)) for i in range(10 * POINTS)]
    few = thinned(points)
    assert len(few) == POINTS
    assert sum(p.y for p in few) / POINTS == pytest.approx(sum(p.y for p in points) / len(points))
    assert [p.x for p in few] == sorted(p.x for p in few)
    assert thinned(points[:POINTS]) == points[:POINTS]


def test_the_stages_are_told_with_what_they_took(page):
    text = re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", page))
    for stage, iterations in STAGES.items():
        decisions, hours = iterations * DECISIONS, iterations * 0.01
        rate = f"{decisions / hours / 3600:,.0f}"
        assert f"{stage} {iterations} {decisions:,} {hours:.2f} {rate}" in text


def test_the_contracts_are_held_against_the_teachers(page):
    text = re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", page)).replace("\u00a0", " ")
    last = [row["metrics"] for row in history() if "metrics" in row and "mix/PC" in row["metrics"]][-16:]
    for name in ("PC", "SOLO", "MIS", "ABU", "thrown_in"):
        mix = sum(metrics[f"mix/{name}"] for metrics in last) / len(last)
        its = REFERENCE["mix"][name]
        assert (
            f"{contract_name(name)} {shown(mix, SHARE)} {shown(its, SHARE)} {mix / its:.2f}".replace("\u00a0", " ")
            in text
        )
    assert contract_name("OUV") not in text  # neither played nor the teacher's
    # A broken line where the teacher is: 5 contracts played, 4 made.
    assert page.count('<line class="level"') == 9


def test_calibration_tells_expected_and_made_by_contract(page):
    text = re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", page)).replace("\u00a0", " ")
    last = [row["metrics"] for row in history() if "metrics" in row and "mix/PC" in row["metrics"]][-16:]
    deals = [metrics["calls/deals/PC"] for metrics in last]
    made = sum(n * metrics["calls/made/PC"] for n, metrics in zip(deals, last, strict=True)) / sum(deals)
    found = re.search(
        rf"{re.escape(contract_name('PC'))} {sum(deals):,} 61.0 % {100 * made:.1f} % "
        r"\[([0-9.]+), ([0-9.]+)\] ([+−][0-9.]+) %",
        text,
    )
    assert float(found[1]) < 100 * made < float(found[2])
    assert found[3].replace("−", "-") == f"{100 * made - 61:+.1f}"


def test_every_metric_has_a_figure_and_its_meaning(page):
    text = plain(page)
    names = {name for row in history() for name in row.get("metrics", {})}
    for name in names:
        if not name.startswith(("mix/", "made/", "calls/")):
            assert name in text
        try:
            meaning = log.meaning(name)
        except KeyError:
            continue
        assert meaning in text
    for title in ("entropy", "KL of the update", "payoffs explained", "decisions learnt a second", "ppo/lr"):
        assert f'aria-label="{title}"' in page


def test_a_metric_that_nobody_explained_is_shown_and_said_to_be_unknown(tmp_path):
    row = {"step": 5, "hours": 0.1, "stage": "joint", "iteration": 1, "metrics": {"novel/thing": 1.5}}
    (tmp_path / "history.jsonl").write_text(json.dumps(row) + "\n")
    text = plain(html_page(page_of(tmp_path)))
    assert "novel/thing, which this version of the trainer does not know" in text


def test_what_the_watchdog_said_stands_there_as_text(page):
    text = plain(page)
    for row in history():
        if "event" in row:
            assert row["event"] in text
            assert f"{row['step']:,}" in text
    assert "1.5 &lt;b&gt;&amp;" in page


def test_the_options_and_the_origin_of_the_run_are_told(page):
    text = plain(page)
    from training.config import load_config, options

    for option in options():
        assert option.name in text
        assert option.meaning in text
    assert str(load_config("quick").run.seed) in text
    for words in ("0123abcd, with uncommitted changes", "solo-whist train quick", "python 3.11.7", "Run long"):
        assert words in text
    assert "8.00 M decisions and 2.00 hours" in text


def test_the_finding_names_the_latest_match_of_each_player(page):
    newest = {row["match"]["spec"]: row["match"] for row in history() if "match" in row}
    finding = plain(re.search(r'<p class="finding">(.*?)</p>', page, re.DOTALL)[0])
    for spec, match in newest.items():
        assert f"{shown(match['mean'], UNITS)} against {spec}" in finding


def test_the_same_folder_gives_the_same_page(folder, page):
    assert write_report(folder).read_text(encoding="utf-8") == page


def test_names_are_text_and_never_markup(tmp_path):
    bad = '<script>alert("1")</script>&"'
    folder = write_run(tmp_path / "run")
    rows = [
        {"step": 1, "hours": 0.1, "stage": bad, "iteration": 1, "metrics": {bad: 1.0, f"mix/{bad}": 0.5}},
        {
            "step": 2,
            "hours": 0.2,
            "stage": bad,
            "match": {"spec": bad, "deals": 5, "mean": 0, "low": -1, "high": 1},
        },
        {"step": 2, "hours": 0.2, "stage": bad, "event": bad},
    ]
    (folder / "history.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (folder / "checkpoint.json").write_text(json.dumps({"machine": bad, "command": [bad]}))
    text = write_report(folder).read_text(encoding="utf-8")
    assert checked(text).fetched == []
    assert "<script" not in text


# --- what is missing or damaged


def test_an_empty_folder_has_a_page_that_says_what_is_missing(tmp_path):
    text = plain(write_report(tmp_path).read_text(encoding="utf-8"))
    for name in ("history.jsonl", "config.toml", "checkpoint.json"):
        assert f"{name} is not in the folder of the run." in text
    for words in (
        "This run has told nothing yet.", "No match has been played", "has told no contract mix",
        "found nothing to say", "the run has left no player.npz yet", "so no option is told", "has told no metrics",
        "has not told how often",
    ):  # fmt: skip
        assert words in text


@pytest.mark.parametrize("name", ["history.jsonl", "config.toml", "checkpoint.json"])
@pytest.mark.parametrize("content", [b"", b"\x00\xff\xfe", b"[1, 2", b"]\n[]\n", b"{" * 100_000, b"null\n"])
def test_a_damaged_file_is_named_and_the_rest_is_reported(tmp_path, name, content):
    folder = write_run(tmp_path / "run", {"clone": 3, "joint": 20})
    (folder / name).write_bytes(content)
    text = write_report(folder).read_text(encoding="utf-8")
    checked(text)
    if content or name == "checkpoint.json":
        warnings = re.findall(r'<p class="warning"><b>Warning.</b> (.*?)</p>', text)
        assert len(warnings) >= 1
        assert all(name in warning and warning.endswith(".") for warning in warnings)
    assert ("Every match" in text) == (name != "history.jsonl")


def test_a_history_that_was_cut_anywhere_is_read_up_to_there(tmp_path):
    whole = "".join(json.dumps(row) + "\n" for row in history({"clone": 2, "joint": 10}))
    for cut in range(0, len(whole), 997):
        (tmp_path / "history.jsonl").write_text(whole[:cut])
        run = read_run(tmp_path)
        rows = [json.loads(line) for line in whole[:cut].splitlines() if line.endswith("}}")]
        assert len(run.iterations) == sum("metrics" in row for row in rows)
        assert len(run.matches) == sum("match" in row for row in rows)
        checked(html_page(page_of(tmp_path)))


AT = {"step": 4, "hours": 0.1, "stage": "joint"}
ODD = [
    ("nonsense", "is not JSON"),
    ("[1]", "is no object"),
    (json.dumps(AT), "is neither an iteration nor a match nor an event"),
    (json.dumps(AT | {"step": -1, "event": "x"}), "has no step"),
    (json.dumps(AT | {"step": 1.5, "event": "x"}), "has no step"),
    (json.dumps(AT | {"step": True, "event": "x"}), "has no step"),
    (json.dumps(AT | {"hours": "x", "event": "x"}), "has no hours"),
    (json.dumps(AT | {"hours": float("nan"), "event": "x"}), "has no hours"),
    (json.dumps(AT | {"match": {"deals": 1, "mean": 0.0}}), "is a match against nobody"),
    (json.dumps(AT | {"match": {"spec": "x", "deals": 1}}), "has no mean"),
    (json.dumps(AT | {"match": {"spec": "x", "mean": 1}}), "has no deals"),
    (json.dumps(AT | {"match": {"spec": "x", "mean": 1, "deals": 1, "low": "a", "high": 2}}), "has no low"),
    (json.dumps(AT | {"step": 10**400, "event": "x"}), "has no step"),
]


@pytest.mark.parametrize(("line", "told"), ODD)
def test_an_odd_line_is_named_and_left_out(tmp_path, line, told):
    sound = json.dumps(AT | {"event": "sound"})
    (tmp_path / "history.jsonl").write_text(f"{sound}\n{line}\n{sound}\n")
    run = read_run(tmp_path)
    assert f"Line 2 of history.jsonl {told}, and is left out." in run.faults
    assert [event.sentence for event in run.events] == ["sound", "sound"]


def test_of_many_odd_lines_the_first_are_told_and_the_rest_counted(tmp_path):
    (tmp_path / "history.jsonl").write_text("x\n" * 50)
    assert "45 more lines of history.jsonl cannot be read, and are left out." in read_run(tmp_path).faults


def test_a_number_that_is_none_is_left_out_of_its_curve(tmp_path):
    rows = [AT | {"metrics": {"ppo/kl": value}} for value in (0.5, float("nan"), float("inf"), "x", None, 0.25)]
    (tmp_path / "history.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert read_run(tmp_path).series("ppo/kl") == [(Moment(4, 0.1, "joint"), 0.5), (Moment(4, 0.1, "joint"), 0.25)]


def test_a_match_without_an_interval_is_shown_without_one(tmp_path):
    row = AT | {"match": {"spec": "club", "deals": 1, "mean": 0.5, "low": None, "high": None}}
    (tmp_path / "history.jsonl").write_text(json.dumps(row) + "\n")
    page = html_page(page_of(tmp_path))
    assert "too few deals for an interval" in plain(page)
    assert '<circle class="full"' in page
    assert (
        'class="ci" x1="' not in re.search(r'aria-label="against club, by hours">(.*?)</div>', page, re.DOTALL)[1]
    )


def test_a_folder_that_is_not_there_is_refused_with_a_sentence(tmp_path):
    for name in (tmp_path / "none", "", "  "):
        with pytest.raises(ReportError, match="is no folder; name the folder of a run"):
            write_report(name)


# --- three deals


def test_three_deals_are_chosen_and_explained(folder):
    text, *deals = deal_blocks("novice", "club", read_run(folder))
    assert [deal.deal["why"] for deal in deals] == ["the largest gain", "the largest loss", "the median deal"]
    gain, loss, median = (deal.deal["units_of_the_cluster"] for deal in deals)
    assert gain >= median >= loss
    assert gain > loss
    assert all(one["says"] for deal in deals for one in deal.deal["decisions"])
    assert "among the first 60 deals of book dev-0, novice alone against three of club" in text.text
    assert all(deal.players == ("novice", "club") for deal in deals)


def test_the_player_of_the_run_is_the_one_that_plays(folder, tmp_path, monkeypatch):
    asked = []

    def noted(spec, opponent, run):
        asked.append((spec, opponent))
        return ()

    monkeypatch.setattr(report, "deal_blocks", noted)
    run = read_run(folder)
    (tmp_path / "player.npz").write_bytes(b"")
    report.deals_section(tmp_path / "player.npz", run)
    assert asked == [(f"ppo:{tmp_path / 'player.npz'}", run.option("clone", "teacher"))]


def test_a_player_that_cannot_be_loaded_is_told_in_a_sentence(tmp_path):
    folder = write_run(tmp_path / "run", {"joint": 10})
    (folder / "player.npz").write_bytes(b"no player")
    page = write_report(folder).read_text(encoding="utf-8")
    checked(page)
    told = re.search(r"No deals are shown: .*player\.npz.*?\.", plain(page))
    assert told
    assert "Traceback" not in page


def test_a_ruleset_that_is_gone_costs_no_report(tmp_path):
    folder = write_run(tmp_path / "run", {"joint": 10})
    (folder / "config.toml").write_text('[run]\nruleset = "nobody plays this"\n')
    (folder / "player.npz").write_bytes(b"no player")
    assert "No deals are shown: " in plain(write_report(folder).read_text(encoding="utf-8"))


# --- the command


def test_the_command_writes_the_page_and_says_where(tmp_path, capsys):
    from training.cli import main

    folder = write_run(tmp_path / "run", {"joint": 10})
    assert main(["report", str(folder)]) == 0
    assert capsys.readouterr().out == f"{folder / 'report.html'}\n"
    checked((folder / "report.html").read_text(encoding="utf-8"))
    assert main(["report", str(tmp_path / "none")]) == 2
    error = capsys.readouterr().err
    assert error.startswith("solo-whist report: ")
    assert error.count("\n") == 1


def test_a_report_needs_neither_torch_nor_rich(folder):
    code = (
        "import sys; sys.modules.update(torch=None, rich=None, tensorboard=None)\n"
        f"from training.cli import main; raise SystemExit(main(['report', {str(folder)!r}]))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=os.environ, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_as_markdown_a_drawing_is_its_caption(folder):
    text = markdown(page_of(folder))
    assert "alone against three of expert, with 95 % intervals" in text
    assert "<svg" not in text
