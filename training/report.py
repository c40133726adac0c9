"""The report of a run: ``report.html`` in its folder, one page that needs no network.

It is made of what the run has written (history.py) and, for three deals, of the player that it left. So it can be
made while the run goes on, after it was killed, and of a damaged folder; what is missing then is said.
"""

from __future__ import annotations

import shlex
import warnings
from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

from solo_env.evaluation.books import session_of
from solo_env.evaluation.page import (
    Block,
    Deal,
    Drawing,
    Facts,
    Forest,
    Mark,
    Page,
    Row,
    Section,
    Table,
    Text,
    contract_name,
)
from solo_env.evaluation.page_html import html_page
from solo_env.evaluation.plan import new_plan
from solo_env.evaluation.play import play_chunk
from solo_env.evaluation.ratios import share
from solo_env.evaluation.shown import study_deals
from solo_env.evaluation.words import POINTS, SHARE, UNITS, counted, shown, shown_ends
from solo_env.files import write_whole
from solo_env.player import told
from solo_env.rules import DEFAULT_RULESET, load_ruleset
from training import log
from training.chart import Chart, Line, Point, Span, panels, thinned
from training.config import options
from training.history import HISTORY, Iteration, Moment, Played, Run, read_run
from training.words import quantity

PAGE, PLAYER, STYLE = "report.html", "player.npz", "report.css"
KIND = "Solo Whist training"
DEALS = 60  # of the book dev, of which three are shown; whole sessions where the pack carries over
LAST = 10  # the last one in so many iterations is what is called "at the end"
LARGE = 240  # pixels of a learning curve
THROWN_IN = "thrown_in"

# Figures that are read together: heading, then title, metrics and whether they are shares. What a run tells beside
# these, mix, made and calls has a figure of its own under "Other curves".
Group = tuple[str, tuple[str, ...], bool]
LEARNING: tuple[Group, ...] = (
    ("entropy", ("entropy/auction", "entropy/cards"), False),
    ("KL of the update", ("ppo/kl",), False),
    ("KL to the average of the weights", ("magnet/auction", "magnet/cards"), False),
    ("KL to the bidder", ("advice/kl",), False),
    ("payoffs explained", ("value/explained_variance",), True),
    ("value error", ("loss/value",), False),
    ("agreement with the teacher", ("clone/agreement_auction", "clone/agreement_cards"), True),
    ("loss of cloning", ("clone/loss_auction", "clone/loss_cards"), False),
    ("factor on the anchors", ("watch/anchors",), False),
    ("decisions learnt a second", ("speed/decisions",), False),
    ("deals played a second", ("speed/deals",), False),
)
ELSEWHERE = ("mix/", "made/", "calls/", "match/", "match_low/", "match_high/")  # not under "Other curves"


class ReportError(ValueError):
    """A report that cannot be made; the message is a sentence."""


def write_report(run_dir: str | Path) -> Path:
    """Write ``report.html`` into the folder of a run; returns its path.

    Raises:
        ReportError: there is no such folder.
        OSError: the page cannot be written.
    """
    folder = Path(run_dir)
    if not str(run_dir).strip() or not folder.is_dir():
        raise ReportError(f"{str(run_dir)!r} is no folder; name the folder of a run, such as runs/quick.")
    style = (resources.files(__package__) / STYLE).read_text(encoding="utf-8")
    write_whole(folder / PAGE, html_page(page_of(folder), KIND, style).encode())
    return folder / PAGE


def page_of(folder: Path) -> Page:
    """The report of the run in ``folder``."""
    run = read_run(folder)
    return Page(
        title=f"Run {folder.resolve().name}",
        finding=finding_of(run),
        facts=facts_of(run),
        warnings=tuple(run.faults),
        sections=(
            strength_section(run),
            contracts_section(run),
            calibration_section(run),
            learning_section(run),
            watchdog_section(run),
            deals_section(folder / PLAYER, run),
            options_section(run),
        ),
    )


# --- the head


def finding_of(run: Run) -> str:
    """What came of the run in a sentence or two."""
    moments = run.moments
    if not moments:
        return "This run has told nothing yet."
    last = moments[-1]
    text = f"After {short(last.step)} decisions and {last.hours:.2f} hours, in stage {last.stage or 'unknown'}"
    newest = {match.spec: match for match in run.matches}
    if not newest:
        return f"{text}, no match has been played."
    won = "; ".join(f"{shown(one.mean, UNITS)} against {spec} ({sure_text(one)})" for spec, one in newest.items())
    return f"{text}, the greedy policy won in its latest matches, in units a deal: {won}."


def sure_text(match: Played) -> str:
    """How sure the result of a match is."""
    n = counted(match.deals, "deal").replace(" ", "\u00a0")
    if match.ends is None:
        return f"too few deals for an interval, {n}"
    return f"95\u00a0% {shown_ends(match.ends, UNITS)}, {n}"


def facts_of(run: Run) -> tuple[tuple[str, str], ...]:
    """Where the run comes from."""
    facts = run.facts
    rows: list[tuple[str, Any]] = [("ruleset", run.option("run", "ruleset")), ("seed", run.option("run", "seed"))]
    if isinstance(facts.get("command"), list):
        rows.append(("command", shlex.join(map(str, facts["command"]))))
    commit = facts.get("commit")
    if commit:
        rows.append(
            ("commit", f"{commit}{', with uncommitted changes' if facts.get('uncommitted_changes') else ''}")
        )
    rows += [(name, facts.get(name)) for name in ("machine", "system", "written", "hours", "decisions")]
    if isinstance(facts.get("versions"), dict):
        rows.append(("versions", ", ".join(f"{name} {version}" for name, version in facts["versions"].items())))
    return tuple((name, str(value)) for name, value in rows if value not in (None, ""))


# --- strength


def strength_section(run: Run) -> Section:
    """The learning curve against each fixed player, and the stages."""
    if not run.matches:
        text = "No match has been played in this run, so there is no learning curve."
        return Section("Strength", (Text(text), *axis_text(run), *stages_table(run)))
    figures = [
        Drawing(
            f"Units a deal of the greedy policy, alone against three of {spec}, with 95 % intervals: by decisions "
            f"learnt and by hours of the run.",
            panels([match_chart(run, spec, hours) for hours in (False, True)], "19rem"),
        )
        for spec in dict.fromkeys(match.spec for match in run.matches)
    ]
    note = Text(
        "Matches in training are played on the book dev, each deal once from every seat: by these numbers a run is "
        "steered and its best weights chosen, so they flatter it a little. Report on the book test, by "
        "solo-whist evaluate."
    )
    return Section("Strength", (*axis_text(run), *figures, note, matches_table(run), *stages_table(run)))


def match_chart(run: Run, spec: str, hours: bool) -> Chart:
    """The matches against one player over decisions or hours."""
    played = [match for match in run.matches if match.spec == spec]
    points = [
        Point(place(one.at, hours), one.mean, one.ends, f"{when(one.at)}: {result_text(one)}, {one.deals:,} deals")
        for one in played
    ]
    name = f"against {spec}, by {'hours' if hours else 'decisions'}"
    return chart_of(run, name, (Line("", points, dotted=True),), hours, zero=True, height=LARGE)


def result_text(match: Played) -> str:
    """The mean of a match with its interval."""
    return f"{shown(match.mean, UNITS)} {'' if match.ends is None else shown_ends(match.ends, UNITS)}".strip()


def matches_table(run: Run) -> Table:
    """Every match."""
    return Table(
        "Every match, in units a deal of the greedy policy.",
        ("against", "stage", "decisions", "hours", "deals", "mean", "95\u00a0%"),
        tuple(
            (
                one.spec, one.at.stage, f"{one.at.step:,}", f"{one.at.hours:.2f}", f"{one.deals:,}",
                shown(one.mean, UNITS), shown_ends(one.ends, UNITS),
            )
            for one in run.matches
        ),
        folded=f"All {counted(len(run.matches), 'match').replace('matchs', 'matches')} in numbers",
    )  # fmt: skip


def stages_table(run: Run) -> tuple[Table, ...]:
    """What each stage took."""
    rows = []
    spans = zip(spans_of(run, hours=False), spans_of(run, hours=True), strict=True)
    for decisions, hours in spans:
        learnt, took = decisions.end - decisions.start, hours.end - hours.start
        iterations = sum(one.at.stage == decisions.name for one in run.iterations)
        pace = f"{learnt / took / 3600:,.0f}" if took > 0 else "–"
        rows.append((decisions.name, f"{iterations:,}", f"{learnt:,.0f}", f"{took:.2f}", pace))
    if not rows:
        return ()
    caption = "The stages. Decisions a second are over all of a stage's time, matches and checkpoints included."
    return (Table(caption, ("stage", "iterations", "decisions", "hours", "decisions a second"), tuple(rows)),)


# --- contracts


def contracts_section(run: Run) -> Section:
    """How often each contract is played and made, over time and against the teacher."""
    names = contracts_of(run)
    teacher = run.reference.get("mix", {})
    if not names:
        return Section("Contracts", (Text("This run has told no contract mix."),))
    blocks: list[Block] = []
    for kind, words in (("mix", "played"), ("made", "made")):
        reference = run.reference.get(kind, {})
        charts = [
            metric_chart(run, contract_name(name), (f"{kind}/{name}",), percent=True, level=reference.get(name))
            for name in names
            if run.series(f"{kind}/{name}")
        ]
        if charts:
            broken = f" The broken line is the teacher's share, {teacher_name(run)} in all seats." * bool(reference)
            caption = f"How often each contract is {words}: {meaning_of(f'{kind}/{names[0]}')}.{broken}"
            blocks.append(Drawing(caption, panels(charts)))
    made, at_end = run.reference.get("made", {}), {name: mean_at_end(run, f"mix/{name}") for name in names}
    rows = []
    for name in names:
        mine, its = at_end[name], teacher.get(name)
        rows.append(
            (
                contract_name(name),
                shown(mine, SHARE),
                shown(its, SHARE),
                "–" if mine is None or not its else f"{mine / its:.2f}",
                "" if name == THROWN_IN else shown(made_at_end(run, name), SHARE),
                "" if name == THROWN_IN else shown(made.get(name), SHARE),
            )
        )
    caption = (
        f"The policy at the end (the last {counted(len(last_mixes(run)), 'iteration')} that tell a mix) beside the "
        "teacher in self-play."
    )
    blocks.append(Table(caption, ("contract", "played", "teacher's", "ratio", "made", "teacher's"), tuple(rows)))
    if not teacher:
        blocks.append(Text("The history holds no figures of the teacher, so the mix is held against nothing."))
    return Section("Contracts", tuple(blocks))


def teacher_name(run: Run) -> str:
    """Who the run learns from."""
    name = run.option("clone", "teacher")
    return name if isinstance(name, str) else "expert"


def contracts_of(run: Run) -> list[str]:
    """The contracts that were ever played here or by the teacher; thrown-in deals come last."""
    told_here = [name[4:] for name in run.names() if name.startswith("mix/")]
    teacher = run.reference.get("mix", {})
    names = [
        name
        for name in dict.fromkeys([*told_here, *teacher])
        if teacher.get(name) or any(value for _, value in run.series(f"mix/{name}"))
    ]
    return sorted(names, key=lambda name: name == THROWN_IN)


def last_of(iterations: Sequence[Iteration]) -> Sequence[Iteration]:
    """The last tenth of some iterations, at least one."""
    return iterations[-(-len(iterations) * (LAST - 1) // LAST) :] if len(iterations) > 1 else iterations


def last_mixes(run: Run) -> Sequence[Iteration]:
    """The iterations at the end that tell a contract mix."""
    return last_of([one for one in run.iterations if any(name.startswith("mix/") for name in one.metrics)])


def mean_at_end(run: Run, name: str) -> float | None:
    """The mean of a metric over the iterations at the end; a share that an iteration does not tell is 0 there."""
    last = last_mixes(run)
    return sum(one.metrics.get(name, 0.0) for one in last) / len(last) if last else None


def made_at_end(run: Run, contract: str) -> float | None:
    """The share made of a contract at the end, over its deals."""
    told_here = [
        (one.metrics[f"made/{contract}"], one.metrics.get(f"mix/{contract}", 0.0))
        for one in last_mixes(run)
        if f"made/{contract}" in one.metrics
    ]
    weight = sum(played for _, played in told_here)
    return sum(made * played for made, played in told_here) / weight if weight else None


# --- calibration


def calibration_section(run: Run) -> Section:
    """What the critic tells of contracts against what comes."""
    title = "Calibration of the critic"
    names = [name.removeprefix("calls/told/") for name in run.names() if name.startswith("calls/told/")]
    both = [
        one
        for one in run.iterations
        if any(f"calls/told/{name}" in one.metrics and f"calls/made/{name}" in one.metrics for name in names)
    ]
    if not both:
        return Section(title, (Text("This run has not told how often its critic expects contracts to be made."),))
    last = last_of(both)
    rows, forest = [], []
    for name in names:
        # So many deals, and so many of them made, an iteration each.
        told = {f"calls/{part}/{name}" for part in ("told", "made", "deals")}
        here = [one.metrics for one in last if one.metrics.keys() >= told]
        tries = np.array([round(one[f"calls/deals/{name}"]) for one in here], np.float64)
        if not tries.sum():
            continue
        expected = float(tries @ [one[f"calls/told/{name}"] for one in here]) / float(tries.sum())
        made = share(tries * [one[f"calls/made/{name}"] for one in here], tries)
        forest.append(
            Row(
                contract_name(name),
                (Mark(expected, None, made["n"]), Mark(made["mean"], made["interval95"], made["n"], None, 1)),
            )
        )
        rows.append(
            (
                contract_name(name), f"{made['n']:,}", shown(expected, SHARE), shown(made["mean"], SHARE),
                shown_ends(made["interval95"], SHARE), shown(made["mean"] - expected, POINTS),
            )
        )  # fmt: skip
    if not rows:
        return Section(title, (Text("No contract that the critic has told of was played."),))
    caption = (
        f"{meaning_of('calls/told/PC')}; {meaning_of('calls/made/PC')}; {meaning_of('calls/deals/PC')}. "
        f"Over the last {counted(len(last), 'iteration')} that tell it, with 95 % intervals over deals."
    )
    return Section(
        title,
        (
            Forest(caption, SHARE, "share made", tuple(forest), ("told by the critic", "made")),
            Table(
                "The same in numbers.",
                ("contract", "deals", "told", "made", "95\u00a0%", "made less told"),
                tuple(rows),
            ),
        ),
    )


# --- the other curves


def learning_section(run: Run) -> Section:
    """Entropy, KL, the critic, speed, and whatever else the run told."""
    names = run.names()
    known = {name for _, group, _ in LEARNING for name in group}
    others = [name for name in names if name not in known and not name.startswith(ELSEWHERE)]
    groups = [*LEARNING, *((name, (name,), False) for name in others)]
    blocks: list[Block] = []
    for part, title in (
        (groups[: len(LEARNING)], "What a run is watched by, over the decisions learnt."),
        (groups[len(LEARNING) :], "The other curves."),
    ):
        charts, meanings = [], []
        for words, metrics, percent in part:
            here = tuple(name for name in metrics if name in names)
            if here:
                charts.append(metric_chart(run, words, here, percent))
                meanings += [(name, meaning_of(name)) for name in here]
        if charts:
            blocks.append(Drawing(title, panels(charts)))
            blocks.append(Table("What they tell.", ("metric", "meaning"), tuple(meanings)))
    return Section("How it learns", tuple(blocks) or (Text("This run has told no metrics."),))


def metric_chart(
    run: Run, title: str, names: Sequence[str], percent: bool = False, level: float | None = None
) -> Chart:
    """Metrics over decisions, up to four in one figure."""
    lines = tuple(
        Line(
            "" if len(names) == 1 else name.rpartition("/")[2].rpartition("_")[2],
            thinned([Point(float(at.step), value) for at, value in run.series(name)]),
        )
        for name in names
    )
    zero = all(point.y >= 0 for line in lines for point in line.points)
    return chart_of(run, title, lines, hours=False, percent=percent, zero=zero, level=level)


def meaning_of(name: str) -> str:
    """What a metric means, by the table of metrics."""
    try:
        return log.meaning(name)
    except KeyError:  # a run of another version
        return f"{name}, which this version of the trainer does not know"


# --- the watchdog


def watchdog_section(run: Run) -> Section:
    """Everything that the watchdog had to say."""
    if not run.events:
        return Section("Watchdog", (Text("The watchdog found nothing to say in this run."),))
    rows = tuple((f"{one.at.step:,}", f"{one.at.hours:.2f}", one.at.stage, one.sentence) for one in run.events)
    caption = "What the watchdog said, and when; the triangles at the foot of the figures stand where it spoke."
    return Section("Watchdog", (Table(caption, ("decisions", "hours", "stage", "what it said"), rows),))


# --- three deals


def deals_section(file: Path, run: Run) -> Section:
    """Three deals of the player that the run left, alone against three of its teacher."""
    title = "Three deals"
    if not file.is_file():
        return Section(title, (Text(f"No deals are shown: the run has left no {file.name} yet."),))
    try:
        return Section(title, deal_blocks(f"ppo:{file}", teacher_name(run), run))
    except Exception as error:  # a player of a run that was damaged may fail in any way, and costs no report
        text = f"No deals are shown: {told(error)}."
        return Section(title, (Text(text),))


def deal_blocks(spec: str, opponent: str, run: Run) -> tuple[Block, ...]:
    """Three deals chosen by a rule, each decision explained.

    Raises:
        ValueError: the players cannot be made, or one of them failed.
    """
    ruleset = load_ruleset(run.option("run", "ruleset") or DEFAULT_RULESET)
    seed, session = run.option("evaluate", "seed"), session_of(ruleset)
    plan = new_plan(
        spec, [opponent], ruleset=ruleset, book="dev", seed=seed if type(seed) is int else 0,
        deals=max(session, DEALS // session * session),
    )  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a notice of the player has been given where it was trained
        players = plan.make_players()[0]
    tables = play_chunk(players, plan.seating.seats, plan.book, 0, plan.clusters)  # TABLE [N, R, D]
    mine = np.where(plan.seating.seats[None, :, None, :] == 0, tables["payoff"], 0)
    deals = study_deals(plan, players, mine.sum(axis=(1, 2, 3), dtype=np.int64))
    cluster = "deal" if session == 1 else "session"
    names = plan.lineups[0]
    return (
        Text(
            f"Chosen by rule among the first {counted(plan.clusters, cluster)} of book {plan.book.id}, {spec} "
            f"alone against three of {opponent}: the one with its largest gain over all tables, the one with its "
            "largest loss, and the median; of equal ones the first. Shown is the table at which it won the most, "
            "lost the most, or came nearest to the mean. What a player says is what it answered from the view of "
            "its seat. Below each call stand the units of that seat had it called otherwise and the same players "
            "gone on with the same cards: framed the call made, shaded the best in hindsight."
        ),
        *(
            Deal(f"{deal['why'].capitalize()}: {cluster} {deal['cluster']} of {plan.book.id}", deal, names, cluster)
            for deal in deals
        ),
    )


# --- options


def options_section(run: Run) -> Section:
    """Every option of the run, with its meaning; those that differ from the default are marked."""
    if not run.config:
        return Section("Options", (Text("The configuration of the run cannot be read, so no option is told."),))
    known = {option.name: option for option in options()}
    rows = []
    for section, values in run.config.items():
        for key, value in values.items() if isinstance(values, Mapping) else ():
            option = known.get(f"{section}.{key}")
            default = None if option is None else option.default
            default = list(default) if isinstance(default, tuple) else default
            rows.append(
                (
                    f"{section}.{key}",
                    option_text(value),
                    "" if option is None or value == default else option_text(default),
                    "" if option is None else option.meaning,
                )
            )
    caption = "The configuration of the run. The default is told where the run has another value."
    table = Table(caption, ("option", "value", "default", "meaning"), tuple(rows))
    source = Facts((("curves", f"from {HISTORY}"), ("options", "from config.toml")))
    return Section("Options", (table, source))


def option_text(value: object) -> str:
    """A value of the configuration."""
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "none"
    return str(value).lower() if isinstance(value, bool) else str(value)


# --- what the figures share


def place(at: Moment, hours: bool) -> float:
    """A moment on the axis of x."""
    return at.hours if hours else float(at.step)


def when(at: Moment) -> str:
    """A moment in words."""
    return f"{at.step:,} decisions, {at.hours:.2f} h, {at.stage}"


def spans_of(run: Run, hours: bool) -> tuple[Span, ...]:
    """The stages along the axis of x: each ends with the last that was told of it, where the next begins."""
    ends: dict[str, float] = {}
    for at in run.moments:
        ends[at.stage] = max(ends.get(at.stage, 0.0), place(at, hours))
    spans, start = [], 0.0
    for name, end in ends.items():
        spans.append(Span(name, start, max(start, end)))
        start = max(start, end)
    return tuple(spans)


def axis_text(run: Run) -> tuple[Text, ...]:
    """What stands along the axis of x of every figure, in words."""
    ends = [f"{span.name} to {short(span.end)}" for span in spans_of(run, hours=False) if span.name]
    if not ends:
        return ()
    events = " A triangle is a word of the watchdog." if run.events else ""
    return (Text(f"In all figures dotted lines part the stages: {', '.join(ends)} decisions.{events}"),)


def short(number: float) -> str:
    """A count in few letters that stay on a line."""
    return quantity(number).replace(" ", "\u00a0")


def chart_of(run: Run, title: str, lines: tuple[Line, ...], hours: bool, **more: Any) -> Chart:
    """A figure with the stages and the events of the run."""
    spans = spans_of(run, hours)
    return Chart(
        title, lines, hours, spans[-1].end if spans else 0.0, spans=spans,
        marks=tuple(place(one.at, hours) for one in run.events), **more,
    )  # fmt: skip
