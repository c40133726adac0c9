"""The generated parts of the documentation: ``python -m training.docs`` writes them anew.

A generated part stands between two marks and is made from the table it describes, so it cannot drift:

    <!-- generated: actions -->
    ...
    <!-- end of generated -->
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from solo_env import actions, events, layout
from solo_env.evaluation import ladder, result
from solo_env.evaluation.result import schema_bytes
from solo_env.files import write_whole
from solo_env.rules import Ruleset, load_ruleset, shipped_rulesets
from solo_env.rules.load import DEFAULT_RULESET
from solo_env.rules.model import NAMED, NO_TRICK, NO_TRUMP_ROUND, NO_TRUMPS, SECTIONS, TURNED
from solo_env.signature import auction_counts, signature

if TYPE_CHECKING:
    from training.weights import Weights

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "docs" / "results.json"
SCHEMAS = (result.SCHEMA_FILE, ladder.SCHEMA_FILE)  # docs has a copy of each
SPEED = ROOT / "docs" / "speed.json"
LADDER = ROOT / "docs" / "ladder.json"
GAMES = ROOT / "tests" / "golden" / "games.txt"
EXAMPLE = "A misère that the caller loses with the first trick."  # the golden game that the README prints
PAGES = (
    "README.md",
    "docs/evaluation.md",
    "docs/performance.md",
    "docs/players.md",
    "docs/ppo.md",
    "docs/rules.md",
    "docs/rulesets.md",
    "docs/training.md",
)
MATCH_DEALS, CALL_DEALS, CHANCE_DEALS = 4000, 200_000, 1_000_000  # of docs/players.json
PICTURE = ROOT / "docs" / "table.png"
PICTURED_DEAL, PICTURED_PLAYS = 7, 22  # the seed of the deal in the picture, and how far it has come

_PART = re.compile(r"(<!-- generated: (\w+) -->\n).*?(<!-- end of generated -->)", re.DOTALL)


def parts() -> dict[str, Callable[[], str]]:
    """What each generated part is made by."""
    from training import ablate, config, counted, log, players, power

    return {
        "actions": actions.markdown_table,
        "observation": layout.markdown_table,
        "events": events.markdown_table,
        "results": results_table,
        "card": shipped_card,
        "shipped": shipped_matches,
        "ablations": ablate.ablations_table,
        "speed": speed_table,
        "figures": figures_table,
        "power": power.power_table,
        "claims": claims_table,
        "options": config.markdown_table,
        "counted": counted.markdown_table,
        "metrics": log.markdown_table,
        "keys": keys_table,
        "sets": sets_table,
        "rulesets": rulesets_page,
        "record": example_record,
        "styles": players.styles_table,
        "ladder": ladder_table,
        "mixes": players.mixes_table,
        "calibration": players.calibration_table,
        "book": players.book_table,
    }


def generated(page: str) -> str:
    """The text of a page with its generated parts made anew.

    Raises:
        ValueError: the page has a mark whose part is unknown.
    """
    makers = parts()

    def replace(match: re.Match[str]) -> str:
        if match[2] not in makers:
            raise ValueError(f"{page} asks for {match[2]!r}; the parts are {', '.join(makers)}.")
        return f"{match[1]}{makers[match[2]]()}\n{match[3]}"

    return _PART.sub(replace, (ROOT / page).read_text(encoding="utf-8"))


def results_table() -> str:
    """The matches of ``docs/results.json`` as Markdown."""
    results: dict[str, Any] = json.loads(RESULTS.read_text(encoding="utf-8"))
    rows = match_rows(results["matches"])
    mixes = results["self_play"]
    rows += ["", "| self-play, % of deals | " + " | ".join(mixes["trained"]).replace("_", " ") + " |"]
    rows.append("|---" * (1 + len(mixes["trained"])) + "|")
    for player, mix in mixes.items():
        rows.append(f"| {player} | " + " | ".join(f"{100 * share:.1f}" for share in mix.values()) + " |")
    match = results["matches"][0]
    rows += [
        "",
        f"Ruleset `{match['ruleset']}`, deal book `{match['book']}`, seed {match['seed']}; "
        f"{results['decisions']:,} decisions of training in {60 * results['hours']:.1f} minutes on "
        f"{results['machine']}, commit `{results['commit'][:8]}`.",
    ]
    return "\n".join(rows)


def match_rows(matches: Sequence[Mapping[str, Any]]) -> list[str]:
    """Matches of one challenger, as the rows of a Markdown table."""
    rows = ["| against three of | deals × 4 seats | units a deal | 95 % interval |", "|---|---|---|---|"]
    for match in matches:
        ends = " … ".join(f"{end:+.3f}" for end in match["ci95"] or ())
        rows.append(f"| `{match['against']}` | {match['deals']:,} | {match['mean_units']:+.3f} | {ends} |")
    return rows


def shipped_card() -> str:
    """What the shipped player is and how it came about, as Markdown."""
    from training.weights import SHIPPED, read_weights

    return card(read_weights(SHIPPED))


def shipped_matches() -> str:
    """How strong the shipped player is, as Markdown."""
    from training.weights import SHIPPED, read_weights

    return "\n".join(match_rows(read_weights(SHIPPED).story["matches"]))


def card(weights: Weights) -> str:
    """A trained player: its network, the story of its training as far as the file tells it, and its strength."""
    from training.weights import STORY

    story, tables = weights.story, layout.table_hash()
    matches, config = story.get("matches", []), story.get("config")
    rows = ["| | |", "|---|---|"]
    sizes = ", ".join(map(str, weights.hidden))
    rows.append(f"| network | {weights.features.n} features, hidden layers of {sizes}, {weights.size:,} weights |")
    rows.append(f"| trained on | {', '.join(f'`{name}`' for name in weights.rulesets)} |")
    rows.append(f"| digest of the player, hash of the tables | `{weights.digest}`, `{tables}` |")
    rows += [
        f"| {meaning} | {told_value(story[key])} |"
        for key, meaning in STORY.items()
        if key in story and key not in ("matches", "config", "start")
    ]
    if matches:
        match = matches[0]
        rows += ["", *match_rows(matches), ""]
        rows.append(f"Ruleset `{match['ruleset']}`, deal book `{match['book']}`, seed {match['seed']}.")
    if config:
        rows += ["", "```toml", config.strip(), "```"]
    if start := story.get("start"):
        told = ", ".join(
            f"{STORY[key]} {told_value(start[key])}"
            for key in ("command", "decisions", "hours", "commit")
            if key in start
        )
        rows += [
            "",
            f"It began as the player with the digest `{start['digest']}`, and these are counted in: {told}.",
        ]
        rows += ["", "```toml", start["config"].strip(), "```"] if "config" in start else []
    return "\n".join(rows)


def told_value(value: Any) -> str:
    """A value of the story of a training, as Markdown."""
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {told_value(item)}" for name, item in value.items())
    return f"{value:.2f}" if isinstance(value, float) else str(value).replace("|", "\\|")


def ladder_table() -> str:
    """The command that makes ``docs/ladder.json`` and what it holds, as Markdown."""
    from training.ladder import ladder_report

    document = ladder.read_ladder(LADDER)
    command = document["command"].replace("FILE", str(LADDER.relative_to(ROOT)))
    return f"```sh\n{command}\n```\n\n{ladder_report(document)}"


# --- speed -----------------------------------------------------------------------------------------------

# What the README shows of docs/speed.json: figures, then those that are held against, with the ratio to them.
FIGURES = (
    ("engine.play", "random play in one kernel, nothing observed"),
    ("engine.step", "a batch stepped, observation and mask written"),
    ("threads.two", "the same on two cores"),
    ("seat.vector", "`SeatVectorEnv`, three `novice` in the other seats"),
    ("seat.env", "`SeatEnv`, three `novice` in the other seats"),
    ("aec.raw", "`raw_env` through `agent_iter`, `last`, `step`"),
    ("aec.env", "`env()`, in PettingZoo's wrappers"),
)
PEERS = (
    ("engine.cpp_play", "engine.play_to_cpp", "random play in one kernel"),
    ("engine.cpp_step", "engine.step_to_cpp", "batched step"),
    ("peers.bots.rate", "peers.bots", "random play in one kernel"),
    ("peers.loop.rate", "peers.loop", "random play in one kernel"),
    ("peers.observe.rate", "peers.observe", "batched step"),
    ("peers.sync.rate", "peers.sync", "batched step"),
    ("peers.pgx.rate", "peers.pgx", "batched step"),
    ("peers.rlcard.rate", "peers.rlcard", "`raw_env`"),
    ("peers.classic.rate", "peers.classic", "`raw_env`"),
)


def speed() -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """What ``docs/speed.json`` holds, and its rows by key."""
    content: dict[str, Any] = json.loads(SPEED.read_text(encoding="utf-8"))
    return content, {row["key"]: row for row in content["rows"]}


def figure(value: float) -> str:
    """A figure with about three digits, whole from 100 on."""
    whole, large = 100, 10_000
    if value < whole:
        return f"{value:.3g}"
    return f"{float(f'{value:.3g}') if value >= large else value:,.0f}"


def spread(row: Mapping[str, Any]) -> str:
    """The lowest and highest of a row."""
    return f"{figure(row['low'])} … {figure(row['high'])}"


def speed_table() -> str:
    """The main figures of ``docs/speed.json`` as Markdown: ours, and those of others with the ratio to them."""
    content, rows = speed()
    lines = ["| one core unless said | decisions a second | lowest … highest |", "|---|---|---|"]
    lines += [
        f"| {label} | {figure(rows[key]['median'])} | {spread(rows[key])} |"
        for key, label in FIGURES
        if key in rows
    ]
    lines += [
        "",
        "| others, measured in turns with ours | decisions a second | ours to that | lowest … highest |",
        "|---|---|---|---|",
    ]
    lines += [
        f"| {rows[rate]['label']} | {figure(rows[rate]['median'])} "
        f"| {ours}, {figure(rows[ratio]['median'])} × | {spread(rows[ratio])} |"
        for rate, ratio, ours in PEERS
        if ratio in rows
    ]
    versions = ", ".join(f"{name} {number}" for name, number in content["versions"].items() if ":" not in name)
    lines += [
        "",
        f"Medians of {content['rounds']} rounds on {content['machine']}, "
        f"commit `{content['commit'][:8]}`, {versions}.",
    ]
    return "\n".join(lines)


def figures_table() -> str:
    """Every row of ``docs/speed.json`` as Markdown."""
    lines = ["| what | median | lowest … highest | unit |", "|---|---|---|---|"]
    lines += [
        f"| {row['label']} | {figure(row['median'])} | {spread(row)} | {row['unit']} |"
        for row in speed()[0]["rows"]
    ]
    return "\n".join(lines)


def claims_table() -> str:
    """What the project asks of itself and what ``docs/speed.json`` says of it, as Markdown."""
    lines = ["| what is asked | bound | measured | met |", "|---|---|---|---|"]
    lines += [
        f"| {claim['text']} | {'at least' if claim['at_least'] else 'at most'} {figure(claim['bound'])} "
        f"| {figure(claim['figure'])} | {'yes' if claim['met'] else 'no'} |"
        for claim in speed()[0]["claims"]
    ]
    return "\n".join(lines)


# --- rulesets --------------------------------------------------------------------------------------------


def shipped() -> list[Ruleset]:
    """All shipped rulesets, the default first."""
    return [load_ruleset(name) for name in shipped_rulesets()]


def sets_table() -> str:
    """The shipped rulesets, one line each, as Markdown."""
    rows = ["| ruleset | signature | auctions | what it is |", "|---|---|---|---|"]
    rows += [
        f"| [`{ruleset.name}`](docs/rulesets.md#{ruleset.name}) | `{signature(ruleset)}` "
        f"| {auction_counts(ruleset)['auctions']:,} | {ruleset.title} |"
        for ruleset in shipped()
    ]
    return "\n".join(rows)


def keys_table() -> str:
    """Every key with its clause, meaning, choices and the shipped rulesets that choose otherwise, as Markdown."""
    default = load_ruleset(DEFAULT_RULESET)
    others = {ruleset.name: dict(leaves(ruleset)) for ruleset in shipped()}
    own = others[default.name]
    rows = ["| clause | key | what it sets | choices | also in |", "|---|---|---|---|---|"]
    for key, value, clause, meaning in sorted(default.items(), key=lambda row: clause_order(row[2])):
        differing = [
            f"`{name}`"
            for name, keys in others.items()
            if any(own.get(leaf) != keys.get(leaf) for leaf in own.keys() | keys.keys() if is_part(leaf, key))
        ]
        rows.append(f"| {clause} | `{key}` | {meaning} | {choices(key, value)} | {', '.join(differing)} |")
    return "\n".join(rows)


def clause_order(clause: str) -> tuple[int, ...]:
    """What clauses sort by."""
    return tuple(map(int, clause.split(".")))


def is_part(leaf: str, key: str) -> bool:
    """Whether a leaf such as ``pay.base.MIS`` belongs to a key such as ``pay.base``."""
    return leaf == key or leaf.startswith(f"{key}.")


def choices(key: str, value: Any) -> str:
    """What a key may be set to, the given value bold."""
    section, name = key.split(".")
    fields = {field.name: field for field in dataclasses.fields(SECTIONS[section])}
    allowed = getattr(fields[name].metadata["check"], "choices", None)
    if isinstance(value, bool):
        allowed = ("true", "false")
    if allowed is None:
        return f"**{shown(value)}**"
    return ", ".join(f"**`{choice}`**" if choice == plain(value) else f"`{choice}`" for choice in allowed)


def plain(value: Any) -> str:
    """A single value of a key, as a TOML file has it but without quotes."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def shown(value: Any) -> str:
    """Any value of a key, as Markdown."""
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {shown(item)}" for name, item in value.items()) or "none"
    if isinstance(value, tuple):
        return f"`{', '.join(map(str, value))}`" if value else "none"
    return f"`{plain(value)}`"


def leaves(ruleset: Ruleset) -> Iterator[tuple[str, Any]]:
    """Every key of a ruleset, those that are tables entry by entry."""
    for key, value, _, _ in ruleset.items():
        if isinstance(value, Mapping):
            yield from ((f"{key}.{name}", item) for name, item in value.items())
        else:
            yield key, value


def rulesets_page() -> str:
    """A section for every shipped ruleset, as Markdown."""
    return "\n\n".join(ruleset_section(ruleset) for ruleset in shipped())


def ruleset_section(ruleset: Ruleset) -> str:
    """A ruleset: signature, auctions, contracts, and its keys (of all but the default those that differ)."""
    counts = auction_counts(ruleset)
    suited = " (of a deal with a suit)" if NO_TRUMP_ROUND in ruleset.trump.cycle else ""
    lines = [
        f"## {ruleset.name}",
        "",
        f"{ruleset.title}. Signature `{signature(ruleset)}`.",
        "",
        f"{counts['auctions']:,} auctions{suited}, the longest of {counts['longest']} calls; "
        f"{counts['passed_out']} passed out, {counts['thrown_in']} thrown in after a proposal.",
        "",
        *contract_rows(ruleset, counts),
        "",
        *(all_key_rows(ruleset) if ruleset.name == DEFAULT_RULESET else differing_key_rows(ruleset)),
    ]
    return "\n".join(lines)


def contract_rows(ruleset: Ruleset, counts: Mapping[str, int]) -> list[str]:
    """The contracts of a ruleset, lowest first, as a Markdown table; amounts after ``pay.unit``."""
    trumps = {TURNED: "turned suit", NO_TRUMPS: "none", NAMED: "named"}
    pay = ruleset.pay
    unit = "pence" if pay.money == "pence" else "units"
    rows = [
        f"| contract | call | tricks | trumps | leads trick 1 | price, {unit} | over | under | one trick decides "
        "| auctions |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for contract in ruleset.contracts():
        name = contract.name
        cells = [
            f"{name}, {contract.title}",
            f"`{contract.call}`" + (", `COP`" if name == "PC" else ""),
            "none" if contract.aim == NO_TRICK else str(ruleset.contract.targets[name]),
            trumps[ruleset.trumps_of(contract)],
            {"eldest": "eldest", "caller": "the declarer"}[ruleset.leader_of(name)],
            str(ruleset.price_of(contract) * pay.unit),
            str(pay.over.get(name, 0) * pay.unit) + (", doubled by a slam" if name in pay.slam_double else ""),
            str(pay.under.get(name, 0) * pay.unit),
            "yes" if ruleset.stops(contract) else "",
            f"{counts[name]:,}",
        ]
        rows.append(f"| {' | '.join(cells)} |")
    return rows


def all_key_rows(ruleset: Ruleset) -> list[str]:
    """Every key of a ruleset, as a Markdown table."""
    rows = ["| key | value | clause | what it sets |", "|---|---|---|---|"]
    rows += [
        f"| `{key}` | {shown(value)} | {clause} | {meaning} |" for key, value, clause, meaning in ruleset.items()
    ]
    return rows


def differing_key_rows(ruleset: Ruleset) -> list[str]:
    """The keys in which a ruleset differs from the default one, as a Markdown table."""
    default = load_ruleset(DEFAULT_RULESET)
    here, there = dict(leaves(ruleset)), dict(leaves(default))
    clauses = {key: clause for key, _, clause, _ in ruleset.items()}
    rows = [f"| key | here | `{default.name}` | clause |", "|---|---|---|---|"]
    for leaf in sorted(here.keys() | there.keys()):
        if here.get(leaf) != there.get(leaf):
            values = [shown(keys[leaf]) if leaf in keys else "–" for keys in (here, there)]
            clause = next(clause for key, clause in clauses.items() if is_part(leaf, key))
            rows.append(f"| `{leaf}` | {' | '.join(values)} | {clause} |")
    return rows


def example_record() -> str:
    """The golden game that the README prints, as the command that replays it."""
    lines = GAMES.read_text(encoding="utf-8").splitlines()
    return f'```sh\nsolo-whist replay "{lines[lines.index(f"# {EXAMPLE}") + 1]}"\n```'


# --- results ---------------------------------------------------------------------------------------------


def take_results(run_dir: Path) -> None:
    """Make ``docs/results.json`` from a finished run: its matches and the facts of its sidecar."""
    from training.checkpoint import read_facts

    facts = read_facts(run_dir / "checkpoint.pt")
    content = {name: facts[name] for name in ("decisions", "hours", "commit", "machine", "versions")}
    content |= json.loads((run_dir / "matches.json").read_text(encoding="utf-8"))
    write_whole(RESULTS, (json.dumps(content, indent=2) + "\n").encode())


def draw_picture() -> None:
    """Draw the README's picture: a deal between four novices, in the middle of its play."""
    from PIL import Image

    from solo_env import render
    from solo_env.player import make_player
    from solo_env.table import Table

    table, player = Table(), make_player("novice")
    table.deal(PICTURED_DEAL)
    while not table.over and table.data["n_plays"] < PICTURED_PLAYS:
        table.apply(player.act(table.view(table.turn)))
    picture = render.picture(table.view(table.turn), table.ruleset)
    Image.fromarray(picture).save(PICTURE, optimize=True)


def main() -> int:
    """Write all generated parts; returns the exit code."""
    parser = argparse.ArgumentParser(description="Write the generated parts of the documentation anew.")
    parser.add_argument("--results", type=Path, metavar="RUN", help="take the results from this run's folder")
    parser.add_argument("--ship", metavar="RUN", help="ship the player of this run: some minutes")
    parser.add_argument("--picture", action="store_true", help="draw the README's picture anew")
    parser.add_argument("--players", action="store_true", help="measure the players anew: some minutes")
    given = parser.parse_args()
    if given.players:
        from training import players

        players.take(MATCH_DEALS, CALL_DEALS, CHANCE_DEALS, print)
    if given.ship:
        from training.ship import ship

        try:
            ship(given.ship)
        except (ValueError, OSError) as error:
            print(error, file=sys.stderr)
            return 2
    if given.results:
        take_results(given.results)
    if given.picture:
        draw_picture()
    for page in PAGES:
        write_whole(ROOT / page, generated(page).encode())
    for name in SCHEMAS:
        write_whole(ROOT / "docs" / name, schema_bytes(name))
    return 0


if __name__ == "__main__":
    sys.exit(main())
