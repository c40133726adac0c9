"""The dashboard: a screen that stands still on a terminal, plain lines elsewhere, and never a reason to stop."""

from __future__ import annotations

import io
import re

import pytest

from training.dashboard import EVENTS, EVERY, MATCHES, REDRAWN, SPARKS, Dashboard, spark
from training.words import duration, quantity

STAGES = (("clone", 1000), ("joint", 4000))
REFERENCE = {"PC": 0.45, "MIS": 0.05, "thrown_in": 0.1}


class Clock:
    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


class Terminal(io.StringIO):
    encoding = "utf-8"

    def isatty(self):
        return True


class Gone(io.StringIO):
    """A terminal whose window was closed."""

    encoding = "utf-8"
    is_gone = False

    def isatty(self):
        return True

    def write(self, text):
        if self.is_gone:
            raise OSError(5, "Input/output error")
        return super().write(text)


@pytest.fixture(autouse=True)
def a_known_terminal(monkeypatch):
    for name in ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)
    for name, value in (("TERM", "xterm-256color"), ("COLUMNS", "100"), ("LINES", "40")):
        monkeypatch.setenv(name, value)


def new(stream, live=True, **more):
    clock = Clock()
    return Dashboard("runs/long", STAGES, live, stream=stream, clock=clock, **more), clock


def plain(stream):
    """The lines that have been written, from the last one on."""
    return stream.getvalue().splitlines()


def shown(dashboard):
    """The last screen as text, without colours."""
    dashboard.close()  # what is printed while it is drawn would be above it
    with dashboard.console.capture() as capture:
        dashboard.console.print(dashboard.screen())
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", capture.get()).replace("\u00a0", " ")


def test_without_a_terminal_a_line_is_written_every_half_minute_of_work():
    stream = io.StringIO()
    dashboard, clock = new(stream)
    dashboard.update("joint", 100, 1100, 0.01, {})
    for i in range(1, 61):
        clock.now += 1
        dashboard.update("joint", 100 + 10 * i, 1100 + 10 * i, 0.01 + i / 3600, {"ppo/kl": 0.0123})
    assert EVERY == 30
    assert len(plain(stream)) == 3  # at the start, after 30 seconds and after 60
    assert "joint 700 of 4.0 k decisions (18%)" in plain(stream)[-1]
    assert "KL of the update 0.0123" in plain(stream)[-1]
    assert "\x1b" not in stream.getvalue()


def test_a_terminal_gets_plain_lines_too_where_no_screen_is_wanted():
    stream = Terminal()
    dashboard, _ = new(stream, live=False)
    dashboard.update("clone", 500, 500, 0.01, {})
    assert len(plain(stream)) == 1
    assert "\x1b" not in stream.getvalue()


@pytest.mark.parametrize(("name", "value"), [("TERM", "dumb"), ("TERM", "unknown")])
def test_a_terminal_that_cannot_move_its_cursor_gets_plain_lines(monkeypatch, name, value):
    monkeypatch.setenv(name, value)
    stream = Terminal()
    dashboard, _ = new(stream)
    dashboard.update("clone", 500, 500, 0.01, {})
    assert plain(stream) == [dashboard.line()]


def test_a_terminal_without_our_letters_gets_plain_lines_that_it_can_write():
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding="ascii", errors="strict")
    stream.isatty = lambda: True
    dashboard, _ = new(stream, reference=REFERENCE)
    dashboard.update("joint", 500, 1500, 0.01, {"mix/PC": 0.5, "entropy/auction": 0.25, "speed/decisions": 30000.0})
    dashboard.match("expert", -0.125, -0.2, -0.05)
    assert b"-0.125 [-0.200, -0.050]" in raw.getvalue()
    assert b"\x1b" not in raw.getvalue()


def test_a_stage_a_match_and_an_event_do_not_wait():
    stream = io.StringIO()
    dashboard, _ = new(stream)
    dashboard.update("clone", 500, 500, 0.01, {})
    dashboard.update("clone", 900, 900, 0.011, {})
    dashboard.update("joint", 100, 1100, 0.012, {})
    dashboard.match("expert", 0.12, 0.05, 0.19)
    dashboard.match("club", 0.3, None, None)
    dashboard.event("the auction drifts.")
    lines = plain(stream)
    assert [line.split()[0] for line in lines[:2]] == ["clone", "joint"]
    assert lines[2] == "1.1 k decisions, match against expert: +0.120 [+0.050, +0.190] units a deal"
    assert lines[3] == "1.1 k decisions, match against club: +0.300 units a deal"
    assert lines[4] == "1.1 k decisions, event: the auction drifts."
    assert len(lines) == 5


def test_closing_writes_what_has_not_been_told_and_only_once():
    stream = io.StringIO()
    with new(stream)[0] as dashboard:
        dashboard.update("clone", 500, 500, 0.01, {})
        dashboard.update("clone", 1000, 1000, 0.02, {})
    dashboard.close()
    assert len(plain(stream)) == 2
    assert "1.0 k of 1.0 k decisions (100%)" in plain(stream)[1]


def test_the_time_left_is_told_by_the_pace_of_the_last_iterations():
    dashboard, _ = new(io.StringIO())
    dashboard.update("clone", 100, 100, 0.10, {})
    assert dashboard.left() == (None, None)  # one iteration is no pace
    dashboard.update("clone", 200, 200, 0.20, {})
    assert dashboard.left() == pytest.approx((0.8 * 3600, 4.8 * 3600))
    dashboard.update("joint", 1000, 2000, 1.0, {})
    assert dashboard.left() == (None, None)  # another stage has another pace
    dashboard.update("joint", 2000, 3000, 1.5, {})
    assert dashboard.left() == pytest.approx((3600, 3600))
    dashboard.update("joint", 4400, 5400, 2.0, {})
    assert dashboard.left() == (0, 0)  # an iteration may go beyond the budget


def test_the_screen_shows_what_a_run_is_watched_by():
    stream = Terminal()
    dashboard, clock = new(stream, reference=REFERENCE)
    mix = {"mix/PC": 0.481, "mix/MIS": 0.04, "mix/thrown_in": 0.2, "mix/OUV": 0.0}
    dashboard.update("joint", 1000, 2000, 0.5, {**mix, "speed/decisions": 31234.0, "entropy/auction": 0.412})
    clock.now += 10
    more = {"entropy/cards": 0.221, "ppo/kl": 0.0123, "loss/value": 0.31, "value/explained_variance": 0.625}
    dashboard.update("joint", 2000, 3000, 1.0, {**mix, "speed/decisions": 31234.0, **more})
    for mean in (-0.2, 0.0, 0.12):
        dashboard.match("expert", mean, mean - 0.07, mean + 0.07)
    dashboard.event("anchors are raised to 1.5 times.")
    text = shown(dashboard)
    for words in (
        "runs/long", "3.0 k decisions", "1 h 00 min", "31,234 decisions/s", "about 1 h 00 min left", "50%", "done",
        "2.0 k of 4.0 k", "+0.120 [+0.050, +0.190]", spark([-0.2, 0.0, 0.12]), "entropy of calls 0.412",
        "entropy of cards 0.221", "KL of the update 0.0123", "value error 0.3100", "payoffs explained 62.5%",
        "anchors are raised to 1.5 times.",
    ):  # fmt: skip
        assert words in text
    assert re.search(r"PC +48\.1 +45\.0", text)
    assert re.search(r"thrown in +20\.0 +10\.0", text)
    assert "OUV" not in text  # neither played nor the teacher's
    assert "+0.120" in stream.getvalue()


def test_the_last_state_stays_on_the_screen():
    stream = Terminal()
    dashboard, _ = new(stream)
    dashboard.update("clone", 500, 500, 0.01, {})
    dashboard.update("clone", 777, 777, 0.02, {})  # too soon to be drawn
    assert "777 of 1.0 k" not in stream.getvalue()
    dashboard.close()
    assert "777 of 1.0 k" in stream.getvalue()
    assert stream.getvalue().rstrip().endswith("\x1b[?25h")  # the cursor is back


def test_the_screen_is_drawn_at_a_calm_pace():
    stream = Terminal()
    dashboard, clock = new(stream)
    dashboard.update("joint", 1, 1, 0.0, {})
    drawn = stream.getvalue().count("runs/long")
    for i in range(100):
        clock.now += REDRAWN / 10
        dashboard.update("joint", 2 + i, 2 + i, 0.0, {})
    assert stream.getvalue().count("runs/long") - drawn in (9, 10, 11)
    dashboard.close()


def test_figures_of_another_stage_are_not_shown_on():
    dashboard, _ = new(io.StringIO())
    dashboard.update("clone", 500, 500, 0.01, {"clone/agreement_auction": 0.9})
    assert "calls as the teacher 90.0%" in dashboard.line()
    dashboard.update("joint", 500, 1500, 0.02, {"ppo/kl": 0.01})
    assert "calls as the teacher" not in dashboard.line()


def test_the_screen_fits_a_small_terminal(monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setenv("LINES", "24")
    dashboard, _ = new(Terminal(), reference=REFERENCE)
    mix = {f"mix/{name}": 0.1 for name in ("PC", "SOLO", "MIS", "ABU", "ABT", "OUV", "DECL", "thrown_in")}
    dashboard.update("joint", 1000, 2000, 0.5, {**mix, "ppo/kl": 0.0123})
    dashboard.match("expert", 0.12, 0.05, 0.19)
    lines = shown(dashboard).splitlines()
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 60


def test_old_events_leave_the_screen_and_are_counted():
    dashboard, _ = new(Terminal())
    for number in range(EVENTS + 3):
        dashboard.event(f"event number {number}.")
    text = shown(dashboard)
    assert "number 2." not in text
    assert "number 3." in text
    assert f"the last {EVENTS} of {EVENTS + 3}" in text


@pytest.mark.parametrize("live", [True, False])
def test_a_terminal_that_is_gone_ends_no_run(live):
    stream = Gone()
    dashboard, clock = new(stream, live=live)
    dashboard.update("clone", 100, 100, 0.01, {})
    stream.is_gone = True
    for i in range(5):
        clock.now += 2 * EVERY
        dashboard.update("clone", 200 + i, 200 + i, 0.02, {})
    dashboard.event("nobody reads this.")
    dashboard.close()


def test_a_stream_that_was_closed_ends_no_run():
    stream = io.StringIO()
    dashboard, _ = new(stream)
    stream.close()
    dashboard.update("clone", 100, 100, 0.01, {})
    dashboard.close()


def test_a_stage_without_a_budget_is_shown_without_a_share():
    dashboard = Dashboard("x", [("clone", 0), ("joint", 10)], True, stream=io.StringIO())
    dashboard.update("clone", 0, 0, 0.0, {})
    assert "%" not in dashboard.line()
    assert "clone" in shown(dashboard)


def test_the_spark_line_rises_with_the_values():
    assert spark([0, 1, 2, 3, 4, 5, 6, 7]) == SPARKS
    assert spark([2.0, 2.0]) == SPARKS[4] * 2
    assert spark([-1.0, 1.0, 0.0]) == "▁█▅"
    dashboard, _ = new(io.StringIO())
    for i in range(3 * MATCHES):
        dashboard.match("expert", float(i), None, None)
    assert len(dashboard.matches["expert"]) == MATCHES


@pytest.mark.parametrize(
    ("number", "text"),
    [(0, "0"), (812, "812"), (999.6, "1.0 k"), (45_123, "45.1 k"), (999_960, "1.00 M"), (8_400_000, "8.40 M")],
)
def test_counts_are_told_in_few_letters(number, text):
    assert quantity(number) == text


@pytest.mark.parametrize(
    ("seconds", "text"), [(0, "0 s"), (59.4, "59 s"), (59.6, "1 min"), (3599, "1 h 00 min"), (7500, "2 h 05 min")]
)
def test_times_are_told_in_few_letters(seconds, text):
    assert duration(seconds) == text
