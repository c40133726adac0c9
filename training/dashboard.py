"""A run as it is seen while it trains: a screen that stands still, or a plain line now and then.

The screen is for a terminal. Where standard error is none, or none wanted a screen, a line is written when a stage
begins, at each match and event, and besides every ``EVERY`` seconds. All is drawn from what the trainer tells: the
dashboard measures nothing, decides nothing, and a screen that is gone ends no run.
"""

from __future__ import annotations

import contextlib
import sys
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import TextIO

from rich.console import Console, Group
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from training.words import duration, quantity

EVERY = 30.0  # seconds between plain lines
REDRAWN = 0.5  # seconds between two drawings of the screen
REMEMBERED = 30  # iterations by whose pace the time left is told
MATCHES = 24  # of each player, that the spark line shows
EVENTS = 4  # that stand on the screen; the log has them all
BAR = 30  # columns
SPARKS = "▁▂▃▄▅▆▇█"
FEW_CONTRACTS, MANY_CONTRACTS = 3, 8  # lines of the mix on the screen, the most frequent ones
OTHER_LINES = 18  # of a screen, about
WIDE = 84  # columns from which matches and contracts stand side by side

# What is shown of the metrics beside mix and speed: name, words, form.
SHOWN: tuple[tuple[str, str, str], ...] = (
    ("clone/agreement_auction", "calls as the teacher", ".1%"),
    ("clone/agreement_cards", "cards as the teacher", ".1%"),
    ("entropy/auction", "entropy of calls", ".3f"),
    ("entropy/cards", "entropy of cards", ".3f"),
    ("ppo/kl", "KL of the update", ".4f"),
    ("magnet/auction", "KL to the average, calls", ".4f"),
    ("magnet/cards", "KL to the average, cards", ".4f"),
    ("advice/kl", "KL to the bidder", ".4f"),
    ("loss/value", "value error", ".4f"),
    ("value/explained_variance", "payoffs explained", ".1%"),
    ("watch/anchors", "anchors times", ".2f"),
)


@dataclass(frozen=True)
class Match:
    """What a match against a fixed player brought, in units a deal; the interval where there is one."""

    mean: float
    low: float | None
    high: float | None

    def __str__(self) -> str:
        ends = "" if self.low is None or self.high is None else f" [{self.low:+.3f}, {self.high:+.3f}]"
        return f"{self.mean:+.3f}{ends}"


class Dashboard:
    """Shows a run; ``close`` it, or use it as a context.

    Args:
        title: what is trained, such as the folder of the run.
        stages: name and budget in decisions of every stage, in their order.
        live: whether a screen is wanted; it is drawn only where ``stream`` is a terminal that can.
        reference: the teacher's share of each contract, 0 .. 1, to hold the policy's against.
        stream: where to, standard error if not given.
        clock: seconds that only grow; what says whether the next line or drawing is due.
    """

    def __init__(
        self,
        title: str,
        stages: Sequence[tuple[str, int]],
        live: bool,
        *,
        reference: Mapping[str, float] | None = None,
        stream: TextIO | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.title, self.stages, self.clock = title, dict(stages), clock
        self.reference = dict(reference or {})
        self.stage, self.stage_decisions, self.decisions, self.hours = "", 0, 0, 0.0
        self.metrics: dict[str, float] = {}
        self.matches: dict[str, deque[Match]] = {}
        self.events: deque[tuple[int, str]] = deque(maxlen=EVENTS)
        self.n_events = 0
        self.pace: deque[tuple[float, int]] = deque(maxlen=REMEMBERED)
        self.stream = sys.stderr if stream is None else stream
        self.console = console = Console(file=self.stream)
        able = console.is_terminal and not console.is_dumb_terminal and console.encoding.startswith("utf")
        self.live: Live | None = None
        self.last = -float("inf")  # when a line was written, or the screen drawn
        self.told = True  # whether the latest figures have been written
        self.closed = False
        if live and able:
            # What goes to standard output is nobody's business here, unless it is the same screen.
            self.live = Live(
                console=console, auto_refresh=False, get_renderable=self.screen,
                redirect_stdout=bool(sys.stdout and sys.stdout.isatty()),
            )  # fmt: skip
            self._safely(self.live.start)

    def __enter__(self) -> Dashboard:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # --- What the trainer tells ---

    def update(
        self, stage: str, stage_decisions: int, decisions: int, hours: float, metrics: Mapping[str, float]
    ) -> None:
        """An iteration is done.

        Args:
            stage: its name, one of those that the dashboard was made with.
            stage_decisions: decisions learnt in this stage so far.
            decisions: the same in all stages.
            hours: of the run so far, those before a resumption too.
            metrics: of this iteration, by the names of ``training.log.METRICS``.
        """
        begins = stage != self.stage
        if begins:
            self.metrics.clear()  # figures of another stage say nothing of this one
            self.pace.clear()
        self.stage, self.stage_decisions, self.decisions, self.hours = stage, stage_decisions, decisions, hours
        self.pace.append((hours, stage_decisions))
        self.metrics |= metrics
        self.told = False
        self._show(begins)

    def match(self, spec: str, mean: float, low: float | None, high: float | None) -> None:
        """A match against ``spec`` was played: units a deal and their 95 % interval, None where there is none."""
        self.matches.setdefault(spec, deque(maxlen=MATCHES)).append(found := Match(mean, low, high))
        self._tell(f"match against {spec}: {found} units a deal")

    def event(self, sentence: str) -> None:
        """Something happened that nobody should miss, such as an alarm of the watchdog."""
        self.events.append((self.decisions, sentence))
        self.n_events += 1
        self._tell(f"event: {sentence}")

    def close(self) -> None:
        """Leave the last state on the screen, or write the last line."""
        if self.closed:
            return
        self.closed = True
        if self.live:
            live, self.live = self.live, None
            self._safely(live.stop)  # draws once more
        elif not self.told:
            self._write(self.line())

    # --- Writing ---

    def _show(self, now: bool) -> None:
        """Draw the screen or write the line, if it is due."""
        at = self.clock()
        if not now and at - self.last < (REDRAWN if self.live else EVERY):
            return
        self.last = at
        if self.live:
            self._safely(self.live.refresh)
        else:
            self._write(self.line())
            self.told = True

    def _tell(self, line: str) -> None:
        """Something that does not wait."""
        if self.live:
            self._show(now=True)
        else:
            self._write(f"{quantity(self.decisions)} decisions, {line}")

    def _write(self, line: str) -> None:
        self._safely(lambda: print(line, file=self.stream, flush=True))

    def _safely(self, draw: Callable[[], object]) -> None:
        """Draw; what becomes of a screen, or of a file on a full disk, is not worth a run."""
        try:
            draw()
        except (OSError, ValueError):  # ValueError: the stream has been closed
            live, self.live = self.live, None
            if live:
                with contextlib.suppress(OSError, ValueError):
                    live.stop()  # gives standard error back

    # --- What is shown ---

    def seconds_left(self, budget: int) -> float | None:
        """Seconds that so many more decisions take by the pace of the last iterations; None without a pace."""
        if not self.pace:
            return None
        (hours, before), (now, done) = self.pace[0], self.pace[-1]
        if done <= before or now <= hours:
            return None
        return max(0, budget) * (now - hours) * 3600 / (done - before)

    def left(self) -> tuple[float | None, float | None]:
        """Seconds left of this stage, and of the run, the later stages by the pace of this one."""
        names = list(self.stages)
        if self.stage not in self.stages:
            return None, None
        here = max(0, self.stages[self.stage] - self.stage_decisions)
        later = sum(self.stages[name] for name in names[names.index(self.stage) + 1 :])
        return self.seconds_left(here), self.seconds_left(here + later)

    def line(self) -> str:
        """The state of the run in a line of plain letters."""
        budget = self.stages.get(self.stage, 0)
        done = f"{quantity(self.stage_decisions)} of {quantity(budget)} decisions"
        share = f" ({min(1.0, self.stage_decisions / budget):.0%})" if budget else ""
        stage_left, run_left = self.left()
        parts = [f"{self.stage} {done}{share}", f"{duration(3600 * self.hours)} in all"]
        if stage_left is not None and run_left is not None:
            parts.append(f"left {duration(stage_left)} here, {duration(run_left)} in all")
        if "speed/decisions" in self.metrics:
            parts.append(f"{self.metrics['speed/decisions']:,.0f} decisions/s")
        parts += [f"{words} {self.metrics[name]:{form}}" for name, words, form in SHOWN if name in self.metrics]
        mix = self.mix()
        if mix:
            parts.append("mix " + " ".join(f"{name} {share:.0%}" for name, share in mix[:4]))
        return "; ".join(parts)

    def mix(self) -> list[tuple[str, float]]:
        """The contracts of the last iteration with their shares, the most frequent first."""
        found = {name[4:]: share for name, share in self.metrics.items() if name.startswith("mix/")}
        names = [name for name in found if found[name] or self.reference.get(name)]
        return [(name, found[name]) for name in sorted(names, key=lambda one: -max(found[one], self.teachers(one)))]

    def teachers(self, contract: str) -> float:
        """The teacher's share of a contract, 0 where it is not known."""
        return self.reference.get(contract, 0.0)

    def screen(self) -> Group:
        """The whole screen."""
        parts: list[Table | Text] = [self._head(), self._stages()]
        matches, mix = self._matches(), self._mix()
        if matches and mix and self.console.width >= WIDE:
            both = Table.grid(padding=(0, 4))
            both.add_row(matches, mix)
            parts += [Text(), both]
        else:
            parts += [part for one in (matches, mix) if one for part in (Text(), one)]
        figures = [f"{words} {self.metrics[name]:{form}}" for name, words, form in SHOWN if name in self.metrics]
        if figures:
            parts += [Text(), Text("  ·  ".join(one.replace(" ", "\u00a0") for one in figures), style="dim")]
        if self.events:
            head = "Events" if self.n_events <= EVENTS else f"Events, the last {EVENTS} of {self.n_events}"
            parts += [Text(), Text(head, style="bold")]
            events = Table.grid(padding=(0, 2))
            for step, told in self.events:
                events.add_row(Text(quantity(step), justify="right"), Text(told, "yellow"))
            parts.append(events)
        return Group(*parts)

    def _head(self) -> Text:
        facts = [f"{quantity(self.decisions)} decisions", duration(3600 * self.hours)]
        if "speed/decisions" in self.metrics:
            facts.append(f"{self.metrics['speed/decisions']:,.0f} decisions/s")
        left = self.left()[1]
        if left is not None:
            facts.append(f"about {duration(left)} left")
        return Text.assemble((self.title, "bold"), "  ", (" · ".join(facts), "dim"))

    def _stages(self) -> Table:
        table = Table.grid(padding=(0, 2))
        names = list(self.stages)
        at = names.index(self.stage) if self.stage in self.stages else -1
        for number, (name, budget) in enumerate(self.stages.items()):
            done = budget if number < at else self.stage_decisions if number == at else 0
            share = min(1.0, done / budget) if budget else float(number < at)
            left = self.left()[0] if number == at else None
            words = "done" if number < at else f"{share:.0%}" if number == at else ""
            table.add_row(
                Text(name, style="bold" if number == at else "dim"),
                ProgressBar(1.0, share, BAR, complete_style="cyan", finished_style="cyan"),
                Text(words),
                Text(f"{quantity(done)} of {quantity(budget)}" if number == at else quantity(budget), style="dim"),
                Text("" if left is None else f"{duration(left)} left", style="dim"),
            )
        return table

    def _matches(self) -> Table | None:
        if not self.matches:
            return None
        table = Table.grid(padding=(0, 2))
        table.add_row(Text("Matches", style="bold"), Text("units a deal [95 %]", style="dim"), Text())
        for spec, played in self.matches.items():
            table.add_row(Text(spec), Text(str(played[-1])), Text(spark([one.mean for one in played]), "cyan"))
        return table

    def _mix(self) -> Table | None:
        mix = self.mix()
        if not mix:
            return None
        table = Table.grid(padding=(0, 2))
        head = ("now", "teacher") if self.reference else ("now",)
        table.add_row(Text("Contracts, %", style="bold"), *(Text(one, "dim", justify="right") for one in head))
        room = min(MANY_CONTRACTS, max(FEW_CONTRACTS, self.console.height - OTHER_LINES))
        for name, share in mix[:room]:
            cells = [Text(f"{100 * share:.1f}", justify="right")]
            if self.reference:
                cells.append(Text(f"{100 * self.teachers(name):.1f}", "dim", justify="right"))
            table.add_row(Text(name.replace("_", " ")), *cells)
        return table


def spark(values: Sequence[float]) -> str:
    """Values as a line of bars, the least the lowest; all alike are in the middle."""
    low, high = min(values), max(values)
    if high == low:
        return SPARKS[len(SPARKS) // 2] * len(values)
    top = len(SPARKS) - 1
    return "".join(SPARKS[round(top * (value - low) / (high - low))] for value in values)
