"""The command ``solo-whist``: what each of its subcommands takes, and how it answers.

Every mistake of the user is answered with one sentence on stderr and exit code 2.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

from solo_env.cards import parse_card, parse_suit
from solo_env.checks import whole_number
from solo_env.evaluation import MatchResult, play_match
from solo_env.files import check_new, check_writable, write_whole
from solo_env.pbn import read_pbn, write_pbn
from solo_env.player import make_player, missing_module
from solo_env.record import NO_SUIT, Record
from solo_env.rules import DEFAULT_RULESET, Ruleset, load_ruleset, shipped_rulesets
from solo_env.rules.model import GENERAL, KIND_NAMES, NAMED, NO_TRICK, TURNED, FrozenTable
from solo_env.session import SessionFile, read_session, write_session
from solo_env.signature import auction_counts, signature
from solo_env.table import check_seed
from training.evaluate import add_evaluate, interval, signed
from training.exploit import add_exploit
from training.ladder import add_ladder

EXIT_WRONG_INPUT = 2
EXIT_INTERRUPTED = 130  # as a shell says it of a program ended by SIGINT
EXIT_NO_READER = 141  # and by SIGPIPE

DESCRIPTION = """\
Solo Whist for training and measuring card-playing agents.

A player is named by a spec: expert, club, ev-bidder, novice, random, pass, uniform, with options as in
expert:style=parlett,risk=0.1; ppo:PATH for a trained player, where PATH is the folder of a run, its
player.npz or a checkpoint (ppo:PATH,sample=true draws from its probabilities; no comma in PATH);
module:Class for your own, looked for in this folder too, or FILE.py:Class; process:COMMAND for a
program in any language, as in "process:perl player.pl,timeout=1".
A ruleset is named by a shipped set (solo-whist rules lists them), by a set with overrides
(pagat+pay.base.MIS=3) or by the path of a TOML file."""

EXAMPLES = """\
examples:
  solo-whist train quick --run runs/quick
  solo-whist report runs/quick
  solo-whist evaluate novice --against random --deals 500 --json out.json
  solo-whist evaluate expert --against club --preset standard --workers 2 --out runs/expert-club
  solo-whist ladder docs/ladder.json --add ppo:runs/quick
  solo-whist exploit expert --budget 1000000 --out runs/against-expert
  solo-whist calibrate --player ev-bidder --out tables
  solo-whist play --seat 2 --against novice
  solo-whist rules pagat
  solo-whist play --deals 8 --save evening.txt
  solo-whist replay "pagat; dealer 3; deal ..."
  solo-whist replay evening.txt
  solo-whist replay "pagat; dealer 3; deal ..." --explain novice
  solo-whist convert evening.txt evening.pbn
  solo-whist export ppo:runs/quick player.onnx
  solo-whist rule "hoyle; dealer 3; deal ...; plays ...; events 8:expose:2:SA"
"""


class _Parser(argparse.ArgumentParser):
    """argparse, with its errors as one sentence."""

    def error(self, message: str) -> NoReturn:
        self.exit(EXIT_WRONG_INPUT, f"{self.prog}: {message}; see {self.prog} --help.\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code."""
    try:
        try:
            return _run(arguments)
        finally:
            sys.stdout.flush()
    except BrokenPipeError:  # such as: solo-whist rules pagat | head
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is left in the buffer goes there
        return EXIT_NO_READER


def _run(arguments: Sequence[str] | None) -> int:
    given = build_parser().parse_args(arguments)
    here = str(Path.cwd())
    if here not in sys.path and "" not in sys.path:
        sys.path.append(here)  # for players named module:Class; behind all that is installed
    try:
        with warnings.catch_warnings():
            warnings.showwarning = _show_warning  # type: ignore[assignment]
            return given.run(given) or 0  # a command that gives none back went well
    except BrokenPipeError:
        raise
    except ModuleNotFoundError as error:
        print(f"solo-whist {given.command}: this {missing_module(error)}", file=sys.stderr)
        return EXIT_WRONG_INPUT
    except (ValueError, OSError) as error:
        print(f"solo-whist {given.command}: {_sentence(error)}", file=sys.stderr)
        return EXIT_WRONG_INPUT
    except KeyboardInterrupt:
        print(f"\nsolo-whist {given.command}: stopped.", file=sys.stderr)
        return EXIT_INTERRUPTED


def _show_warning(message: Warning | str, *_: object) -> None:
    print(f"solo-whist: warning: {message}", file=sys.stderr)


def build_parser() -> argparse.ArgumentParser:
    """The parser of the whole command."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = _Parser(prog="solo-whist", description=DESCRIPTION, epilog=EXAMPLES, formatter_class=raw)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    _add_train(commands, raw)
    add_evaluate(commands)
    add_ladder(commands)
    add_exploit(commands)
    _add_calibrate(commands, raw)

    play = commands.add_parser("play", help="play in the terminal", formatter_class=raw,
        description="Take one seat against players, in the terminal, seeing what that seat may see;\n"
        "when a deal is over, its record with all four hands is printed.\n"
        "Answer with an action's name: PASS, SOLO, TRUMPS H, SA; '?' asks for help, 'quit' ends.")  # fmt: skip
    play.add_argument("--seat", type=int, default=0, choices=range(4), help="your seat (0)")
    play.add_argument("--against", default="novice", metavar="PLAYER", help="the other three (novice)")
    play.add_argument("--deals", type=int, default=1, metavar="N", help="deals to play (1)")
    _add_ruleset(play)
    play.add_argument("--seed", type=int, default=None, metavar="S", help="names the deals (drawn if not given)")
    play.add_argument("--save", metavar="FILE", help="write a session file, a record a deal, after every deal")
    play.add_argument("--explain", action="store_true",
        help="give hints at your turns, and after each deal say why the others did what they did")  # fmt: skip
    play.set_defaults(run=_play)

    rules = commands.add_parser("rules", help="list the rulesets, or print one")
    rules.add_argument("ruleset", nargs="?", help="print every key of this ruleset")
    rules.set_defaults(run=_rules)

    replay = commands.add_parser("replay", help="print a recorded game or session", formatter_class=raw,
        description="Check a record against the rules and print the game, all four hands shown; of a session file\n"
        "with several records, a line a deal and the account. What is damaged is named on stderr with its line\n"
        "and read as far as it is sound; the exit code is 2 then.")  # fmt: skip
    replay.add_argument("record", help="a record line, in quotes, or a session file: a record on each line")
    replay.add_argument("--explain", metavar="PLAYER",
        help="also print what PLAYER says to each decision, from what the seat that decided could see")  # fmt: skip
    replay.set_defaults(run=_replay)

    convert = commands.add_parser("convert", help="records to PBN and back", formatter_class=raw,
        description="Turn a session file (or a record line, in quotes) into PBN, Portable Bridge Notation, or PBN\n"
        "into a session file; the one whose name ends in .pbn is PBN. Games come back as they went; PBN of other\n"
        "programs becomes deals to be played.")  # fmt: skip
    convert.add_argument("source", metavar="IN", help="what to read")
    convert.add_argument("target", metavar="OUT", help="the file to write; it must not be there yet")
    convert.add_argument("--ruleset", metavar="NAME", help=f"for deals of other programs ({DEFAULT_RULESET})")
    convert.add_argument("--turned", metavar="CARD", help="the card that such a deal turns up (the dealer's last)")
    convert.add_argument("--suit", metavar="SUIT", help="its suit where no card is turned up: C, D, H, S or N")
    convert.set_defaults(run=_convert)

    rule = commands.add_parser("rule", help="rule on a recorded game in which something went wrong",
        formatter_class=raw,
        description="Rule on a record with irregularities: prints each step with its clause of docs/rules.md,\n"
        "where the events that a record may hold are listed too, and the settlement.")  # fmt: skip
    rule.add_argument("record", help="a record line, in quotes, or a file that holds one")
    rule.set_defaults(run=_rule)

    export = commands.add_parser("export", help="write a trained player as ONNX", formatter_class=raw,
        description="Write the network of a trained player as an ONNX file, for other languages and runtimes.\n"
        "What goes in and what comes out is in docs/ppo.md.")  # fmt: skip
    export.add_argument("player", metavar="PLAYER", help="ppo, or ppo:PATH as everywhere")
    export.add_argument("file", metavar="FILE", help="the file to write; it must not be there yet")
    export.set_defaults(run=_export)

    _add_fit_cards(commands.add_parser("fit-cards", help="fit the points by which club and expert play"))

    bench = commands.add_parser("bench", help="measure the speed of the environment here")
    bench.add_argument("--tables", type=int, default=1024, metavar="B", help="tables in a batch (1024)")
    bench.set_defaults(run=_bench)
    return parser


def _add_train(commands: Any, raw: type[argparse.HelpFormatter]) -> None:
    train = commands.add_parser("train", help="train a player by self-play", formatter_class=raw,
        description="Train a player by self-play, then play it against the fixed players of the config.\n"
        "The run folder receives config.toml, checkpoint.pt, player.npz, matches.json, report.html and what "
        "TensorBoard reads.",
    )  # fmt: skip
    train.add_argument("config", help="a shipped config (standard, quick, smoke) or the path of a TOML file")
    train.add_argument("--run", required=True, metavar="DIR", dest="run_dir", help="the folder of the run")
    train.add_argument("--resume", action="store_true", help="go on from the checkpoint in DIR")
    train.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", dest="overrides",
        help="override an option of the config, such as joint.lr=1e-4; may be given several times")  # fmt: skip
    train.add_argument("--processes", type=int, metavar="N",
        help="processes, one thread each, a divisor of run.shards (as many as there are cores)")  # fmt: skip
    train.add_argument("--quiet", action="store_true", help="show nothing while training")
    train.set_defaults(run=_train)

    report = commands.add_parser("report", help="write the report of a training run", formatter_class=raw,
        description="Write report.html into the folder of a run, from what the run has told so far: its matches,\n"
        "its contracts, its curves and three deals of its player. One page that needs no network.")  # fmt: skip
    report.add_argument("run_dir", metavar="DIR", help="the folder of the run")
    report.set_defaults(run=_report)


def _add_calibrate(commands: Any, raw: type[argparse.HelpFormatter]) -> None:
    calibrate = commands.add_parser("calibrate", help="measure anew what the players call by", formatter_class=raw,
        description="Play deals out and write the tables that expert and club call by (calls.npz); for ev-bidder\n"
        "also its network (bidder.npz). The result is a function of seed and counts; to use it, put it into\n"
        "baselines/data.",
    )  # fmt: skip
    calibrate.add_argument("--player", default="expert", choices=("expert", "ev-bidder"), help="(expert)")
    calibrate.add_argument("--deals", type=int, default=300_000, metavar="N",
        help="deals of self-play in a round (300000)")  # fmt: skip
    calibrate.add_argument("--forced", type=int, default=100_000, metavar="N",
        help="forced contracts of each kind (100000)")  # fmt: skip
    calibrate.add_argument("--rounds", type=int, default=6, metavar="N", help="rounds of self-play (6)")
    calibrate.add_argument("--processes", type=int, default=1, choices=(1, 2), help="how many work (1)")
    _add_seed(calibrate, "names the deals (0)")
    calibrate.add_argument("--out", required=True, metavar="DIR", help="the folder to write to")
    calibrate.set_defaults(run=_calibrate)


def _add_fit_cards(fit: argparse.ArgumentParser) -> None:
    fit.formatter_class = argparse.RawDescriptionHelpFormatter
    fit.description = """\
Play deals, play out every candidate of many decisions, and write the points with which the best is found most
often. The same options give the same file, byte for byte; the shipped file names the command that wrote it.
Use the result as expert:points=FILE or club:points=FILE."""
    fit.add_argument(
        "--deals", type=int, required=True, metavar="N", help="deals a round, and others in proportion"
    )
    fit.add_argument(
        "--rounds", type=int, default=4, metavar="R", help="rounds, each by the points of the last (4)"
    )
    fit.add_argument("--calls", default="novice", metavar="PLAYER", help="who calls (novice)")
    _add_seed(fit, "names the deals and the decisions (0)")
    fit.add_argument("--out", required=True, metavar="FILE", help="the file to write")
    fit.set_defaults(run=_fit_cards)


def _add_ruleset(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--ruleset", default=DEFAULT_RULESET, metavar="NAME", help=f"({DEFAULT_RULESET})")


def _add_seed(parser: argparse.ArgumentParser, meaning: str) -> None:
    parser.add_argument("--seed", type=int, default=0, metavar="S", help=meaning)


def _sentence(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}." if error.filename else f"{error.strerror}."
    return str(error)


# --- train -----------------------------------------------------------------------------------------------


def _train(given: argparse.Namespace) -> None:
    from training.config import load_config
    from training.player import PpoPlayer
    from training.processes import most_processes, started_outside
    from training.train import train

    config = load_config(given.config, given.overrides)
    run = config.run
    processes = most_processes(run.shards, run.device) if given.processes is None else given.processes
    checkpoint = train(config, given.run_dir, resume=given.resume, quiet=given.quiet, processes=processes)
    if started_outside() and int(os.environ["RANK"]) > 0:
        return  # the first process tells of the run
    run_dir = Path(given.run_dir)
    ruleset = load_ruleset(config.run.ruleset)
    weights = str(run_dir / "player.npz")
    player, sampling = (PpoPlayer(ruleset, path=weights, sample=sample) for sample in (False, True))
    player.name = f"ppo:{weights}"
    results = [
        play_match(player, make_player(name, ruleset), ruleset, config.evaluate.final_deals, config.evaluate.seed)
        for name in config.evaluate.against
    ]
    mixes = {
        name: play_match(one, one, ruleset, config.evaluate.final_deals, config.evaluate.seed).contract_mix
        for name, one in (
            ("trained", sampling),
            (config.clone.teacher, make_player(config.clone.teacher, ruleset)),
        )
    }
    content = {"matches": [result.as_json() for result in results], "self_play": mixes}
    write_whole(run_dir / "matches.json", _json(content))
    print(match_table(results))
    print(f"\n{mix_table(mixes)}")
    print(f"\nplayer       {weights}\ncheckpoint   {checkpoint}\nmatches      {run_dir / 'matches.json'}")
    print(f"report       {run_dir / 'report.html'}\nTensorBoard  tensorboard --logdir {run_dir}")


def _report(given: argparse.Namespace) -> None:
    from training.report import write_report

    print(write_report(given.run_dir))


def match_table(results: Sequence[MatchResult]) -> str:
    """Matches of one challenger as a table: against, deals, mean units a deal, interval."""
    rows = [f"{'against':<10} {'deals x 4':>9}  {'units a deal':>12}  95 % interval"]
    for result in results:
        rows.append(
            f"{result.against:<10} {result.deals:>9}  {signed(result.mean_units, 3):>12}  {interval(result.ci95)}"
        )
    return "\n".join(rows)


def mix_table(mixes: Mapping[str, Mapping[str, float]]) -> str:
    """Contract mixes of players in self-play as a table: the share of deals in per cent."""
    names = list(next(iter(mixes.values())))
    rows = [f"{'self-play, % of deals':<22} " + " ".join(f"{name:>9}" for name in names)]
    for player, mix in mixes.items():
        rows.append(f"{player:<22} " + " ".join(f"{100 * mix[name]:>9.1f}" for name in names))
    return "\n".join(rows)


def _json(value: object) -> bytes:
    return (json.dumps(value, indent=2) + "\n").encode()


# --- calibrate -------------------------------------------------------------------------------------------


def _calibrate(given: argparse.Namespace) -> None:
    from baselines.calibrate import calibrate
    from baselines.call_tables import write_call_data

    # With fewer deals some kinds of contract have no case at all.
    for option, least in (("deals", 50), ("forced", 20), ("rounds", 1)):
        whole_number(f"--{option}", getattr(given, option), least)
    check_seed(given.seed)
    folder = Path(given.out)
    network = given.player == "ev-bidder"
    if network:
        from baselines.ev_bidder import write_network
        from training.bidder import fit_network
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("calls.npz", *(("bidder.npz",) if network else ())):
        check_new(str(folder / name))  # before the minutes of work

    def show(text: str) -> None:
        print(text, file=sys.stderr, flush=True)

    data, cases = calibrate(
        given.forced, given.deals, given.seed, given.rounds, given.processes, show, given.player
    )
    write_call_data(folder / "calls.npz", data)
    print(folder / "calls.npz")
    if network:
        write_network(folder / "bidder.npz", fit_network(cases, data.weights, given.seed, show), data.about)
        print(folder / "bidder.npz")


# --- export ----------------------------------------------------------------------------------------------


def _export(given: argparse.Namespace) -> None:
    from training.player import trained

    target = check_new(given.file)
    weights = trained(given.player)
    from training.onnx import OPSET, write_onnx

    write_onnx(target, weights)
    sizes = ", ".join(map(str, weights.hidden))
    print(f"{target}: {weights.features.n} features, hidden layers of {sizes}, opset {OPSET}")


# --- play, rules, replay, bench --------------------------------------------------------------------------


def _play(given: argparse.Namespace) -> None:
    from training.terminal import play_session

    ruleset = load_ruleset(given.ruleset)
    save = None if given.save is None else check_new(given.save)
    player = make_player(given.against, ruleset)
    play_session(given.seat, player, ruleset, given.deals, given.seed, save=save, explain=given.explain)


def _rules(given: argparse.Namespace) -> None:
    if given.ruleset is None:
        width = max(map(len, shipped_rulesets()))
        for name in shipped_rulesets():
            ruleset = load_ruleset(name)
            auctions = auction_counts(ruleset)["auctions"]
            print(f"{name:<{width}} {signature(ruleset)}  {auctions:>6} auctions  {ruleset.title}")
        return
    print(ruleset_page(load_ruleset(given.ruleset)))


def ruleset_page(ruleset: Ruleset) -> str:
    """A ruleset as text: contracts and prices, every key with its clause, signature and auctions."""
    counts = auction_counts(ruleset)
    lines = [
        f"{ruleset.name}@{signature(ruleset)}",
        ruleset.title,
        "",
        f"{'contract':<10} {'call':<6} {'tricks':>6}  {'trumps':<11} {'leads':<7} "
        f"{'price':>5} {'over':>5} {'under':>5} {'auctions':>9}",
    ]
    for contract in ruleset.contracts():
        name, pay = contract.name, ruleset.pay
        tricks = "none" if contract.aim == NO_TRICK else str(ruleset.contract.targets[name])
        turned = "turned suit" if ruleset.trump.source == "turn_up" else "deal's suit"
        trumps = {TURNED: turned, NAMED: "named"}.get(ruleset.trumps_of(contract), "none")
        lines.append(
            f"{name:<10} {contract.call:<6} {tricks:>6}  {trumps:<11} {ruleset.leader_of(name):<7} "
            f"{ruleset.price_of(contract):>5} {pay.over.get(name, 0):>5} {pay.under.get(name, 0):>5} "
            f"{counts[name]:>9}"
        )
    if ruleset.has_general():
        ends = counts["passed_out"] + (counts["thrown_in"] if ruleset.passout.include_unaccepted_prop else 0)
        lines.append(
            f"{KIND_NAMES[GENERAL]:<10} {'-':<6} {'-':>6}  {'none':<11} {'eldest':<7} {ruleset.general_price():>5} "
            f"{0:>5} {0:>5} {ends:>9}   general misère: {ruleset.passout.mode}"
        )
    unit, money = ruleset.pay.unit, ruleset.pay.money
    lines += [
        f"Each paying pair settles the price{'' if unit == 1 else f' times {unit}'} in {money}: "
        f"a price of 1 is printed as {ruleset.amount(unit)}.",
        "",
        f"{counts['auctions']} auctions, the longest of {counts['longest']} calls; "
        f"{counts['passed_out']} passed out, {counts['thrown_in']} thrown in after a proposal.",
        "",
        "keys (clause of docs/rules.md, meaning)",
    ]
    for key, value, clause, meaning in ruleset.items():
        lines.append(f"  {key} = {_shown(value)}")
        lines.append(f"      {clause}: {meaning}")
    return "\n".join(lines)


def _shown(value: object) -> str:
    if isinstance(value, FrozenTable):
        return "{" + ", ".join(f"{key}: {item}" for key, item in value.items()) + "}"
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _replay(given: argparse.Namespace) -> int:
    from training.terminal import replay_text, session_report

    line = _given_record(given)
    if _is_record(line):
        print(replay_text(line, given.explain))
        return 0
    session = _session(line)
    if given.explain is not None and len(session.games) > 1:
        raise ValueError(f"{line} holds {len(session.games)} games; --explain is for one: give its record.")
    if len(session.games) == 1:
        print(replay_text(str(session.games[0]), given.explain))
    elif session.games:
        print(session_report(session))
    return _name_damage(given.command, line, session)


def _rule(given: argparse.Namespace) -> None:
    from solo_env.laws import rule

    line = _given_record(given)
    if not _is_record(line):
        try:
            lines = Path(line).read_text(encoding="utf-8").splitlines()
        except UnicodeDecodeError:
            raise ValueError(f"{line} is no text in UTF-8; give a file that holds a record line.") from None
        records = [text for text in lines if text.strip() and not text.startswith("#")]
        if len(records) != 1:
            raise ValueError(f"{line} holds {len(records)} records; give a file with one.")
        line = records[0]
    print(rule(line))


def _given_record(given: argparse.Namespace) -> str:
    line = str(given.record)
    if not line.strip():
        raise ValueError("the record is empty; give a record line in quotes, or the name of a file that holds one.")
    return line


def _is_record(text: str) -> bool:
    """Whether a text is a record and not the name of a file: no record has fewer than three fields."""
    return ";" in text


def _session(name: str) -> SessionFile:
    """What a session file holds.

    Raises:
        ValueError: nothing at all.
    """
    session = read_session(name)
    if not session.games and not session.damage:
        raise ValueError(f"{name} holds no record; give a file with a record on each line.")
    return session


def _name_damage(command: str, name: str, session: SessionFile) -> int:
    """Print what is wrong with a session file; returns the exit code."""
    for damage in session.damage:
        print(f"solo-whist {command}: {name}: {damage}", file=sys.stderr)
    return EXIT_WRONG_INPUT if session.damage else 0


def _convert(given: argparse.Namespace) -> int:
    from_pbn, to_pbn = (name.lower().endswith(".pbn") for name in (given.source, given.target))
    if from_pbn == to_pbn:
        which = "both IN and OUT end" if to_pbn else "neither IN nor OUT ends"
        raise ValueError(f"{which} in .pbn; give one PBN file and one other.")
    target = check_new(given.target)
    return _from_pbn(given, target) if from_pbn else _to_pbn(given, target)


def _from_pbn(given: argparse.Namespace, target: Path) -> int:
    from training.terminal import counted

    turned = None if given.turned is None else parse_card(given.turned)
    suit = None if given.suit is None else (-1 if given.suit == NO_SUIT else parse_suit(given.suit))
    read = read_pbn(given.source, given.ruleset or DEFAULT_RULESET, turned, suit)
    if not read.games:
        raise ValueError(f"{given.source} holds no game; give a PBN file with one.")
    write_session(target, read.games)
    for note in read.notes:
        print(f"solo-whist convert: {given.source}: {note}", file=sys.stderr)
    print(f"{target}: {counted(len(read.games), 'record')}")
    return 0


def _to_pbn(given: argparse.Namespace, target: Path) -> int:
    from training.terminal import counted

    for option in ("ruleset", "turned", "suit"):
        if getattr(given, option) is not None:
            raise ValueError(f"--{option} is for deals read from PBN; a record has its own.")
    session = None if _is_record(given.source) else _session(given.source)
    games: Sequence[Record | str] = [given.source] if session is None else session.games
    if games:
        write_pbn(target, games)
        print(f"{target}: {counted(len(games), 'game')}")
    return 0 if session is None else _name_damage(given.command, given.source, session)


def _fit_cards(given: argparse.Namespace) -> None:
    from baselines.fit_cards import fit_cards

    path = check_writable(given.out)
    content = fit_cards(given.deals, given.seed, given.rounds, given.calls, lambda line: print(line, flush=True))
    write_whole(path, content)
    print(path)


def _bench(given: argparse.Namespace) -> None:
    from training.bench import speed_report

    print(speed_report(given.tables))


if __name__ == "__main__":
    sys.exit(main())
