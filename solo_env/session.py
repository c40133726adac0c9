"""A session as a file of records: read, recover what is sound of a damaged one, write.

Grammar of a session file, UTF-8 text::

    session = {line LF}              CR LF ends a line too, and the last one may lack its end
    line    = record | comment | ""  blank lines stand for nothing
    record  = as in solo_env.record  one deal; the deals stand in the order played
    comment = "#" text               a whole line

A session has one ruleset, that of its first sound game. Its account is over the deals that have a result; a deal
that is only dealt, or broken off as the last of the file, counts nothing and is no damage. A deal under way with
another behind it is damage: nobody deals anew before the deal is over. Who deals next isn't checked, since a
series of deals may draw its dealers.

Reading never refuses a file for what is in it. Each line stands by itself: one that does not hold a game sound to
its end is read as far as it is, whole cards and whole words from the front, and named as :class:`Damage`. A result
that is written must be what the play gives, or the ruling on the events of the game. A deal that is over gets its
result from its play where none is written, unless its line is damaged, lacks its end or holds events: then more may
have followed that settles it otherwise, so it is named and counts nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from solo_env import record
from solo_env.actions import FIRST_TRUMPS
from solo_env.cards import N_SEATS
from solo_env.files import read_whole, write_whole
from solo_env.laws import UnfinishedError, rule
from solo_env.record import Record, RecordError
from solo_env.rules import Ruleset
from solo_env.table import Table

MAX_LINE = 20_000  # characters; the longest record, every key of its ruleset overridden, has some 5,000
MAX_BYTES = 2**28  # a quarter of a gigabyte holds half a million deals

MAX_SAID = 400  # characters of an error
MAX_FIELDS, MAX_CUTS = 20, 200  # of a damaged line, what is looked at: more than any game has

_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")


class SessionError(ValueError):
    """Games that are no session; the message says why."""


@dataclass(frozen=True)
class Damage:
    """What is wrong with a line of a session file, as a sentence that also says what was kept.

    Attributes:
        line: its number, 1 the first of the file.
        message: the sentence without the line, as in "player_0 does not hold SK; kept are the deal and 4 calls."
    """

    line: int
    message: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.message}"


@dataclass(frozen=True)
class SessionFile:
    """What a session file holds.

    Attributes:
        games: the sound games, each checked against the rules, all of one ruleset.
        lines: the line of each game, 1 the first of the file.
        comments: the comments without their mark.
        damage: what is wrong, by line; empty for a file in order.
    """

    games: tuple[Record, ...]
    lines: tuple[int, ...]
    comments: tuple[str, ...]
    damage: tuple[Damage, ...]

    @property
    def ruleset(self) -> Ruleset | None:
        """The ruleset of the session, None if there is no game."""
        return self.games[0].ruleset if self.games else None

    @property
    def account(self) -> tuple[int, ...]:
        """Units by absolute seat over the finished games."""
        total = [0] * N_SEATS
        for game in self.games:
            for position, units in enumerate(game.result or ()):
                total[(game.dealer + 1 + position) % N_SEATS] += units
        return tuple(total)


def read_session(path: str | Path) -> SessionFile:
    """The session that the file at ``path`` holds, as far as it is sound.

    Raises:
        OSError: it cannot be read.
        solo_env.files.FileError: it is larger than any session.
    """
    return parse_session(read_whole(Path(path), MAX_BYTES))


def parse_session(content: bytes | str) -> SessionFile:
    """The session that the bytes or the text of a file hold, as far as it is sound; damage raises nothing."""
    data = content.encode(errors="surrogatepass") if isinstance(content, str) else content
    if data.startswith(_UTF_16):
        return SessionFile((), (), (), (Damage(1, "the file is in UTF-16; save it as UTF-8."),))
    games: list[tuple[int, Record]] = []
    comments: list[str] = []
    damage: dict[int, str] = {}
    lines = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    for number, raw in enumerate(lines, 1):
        text, fault = _decoded(raw.removesuffix(b"\r"))
        if text.startswith("#"):
            comments.append(text[1:].strip())
            message = fault and f"in a comment, {fault}; what stands before is kept."
        elif text.strip() or fault:
            game, message = _read_line(text, fault, ended=number < len(lines))
            if game and games and game.ruleset != games[0][1].ruleset:
                message, game = _other_rules(game, *games[0]), None
            if game:
                games.append((number, game))
        else:
            continue
        if message:
            damage[number] = message
    for number, game in games[:-1]:
        if game.calls and game.result is None:
            damage.setdefault(number, "the deal has no result, and another follows; the account is without it.")
    return SessionFile(
        games=tuple(game for _, game in games),
        lines=tuple(number for number, _ in games),
        comments=tuple(comments),
        damage=tuple(Damage(number, damage[number]) for number in sorted(damage)),
    )


def session_text(games: Iterable[Record | str], comment: str = "") -> str:
    """The text of a session file.

    Args:
        games: records or their lines, in the order played.
        comment: stands at the top, each of its lines behind a "# "; none if empty.

    Raises:
        SessionError: the games are of several rulesets.
        solo_env.record.RecordError: a line is no record.
    """
    parsed = [record.parse(game) if isinstance(game, str) else game for game in games]
    for number, game in enumerate(parsed, 1):
        if game.ruleset != parsed[0].ruleset:
            raise SessionError(
                f"game {number} is of {game.ruleset.name}, and game 1 of {parsed[0].ruleset.name}; "
                "a session has one ruleset."
            )
    return "".join(f"{line}\n" for line in [*(f"# {line}" for line in comment.splitlines()), *map(str, parsed)])


def write_session(path: str | Path, games: Iterable[Record | str], comment: str = "") -> None:
    """Put a session file at ``path``, whole or not at all; see :func:`session_text`.

    Raises:
        SessionError: the games are of several rulesets.
        solo_env.record.RecordError: a line is no record.
        OSError: the file cannot be written; what was there before still is.
    """
    write_whole(Path(path), session_text(games, comment).encode())


# --- one line --------------------------------------------------------------------------------------------


def _decoded(raw: bytes) -> tuple[str, str]:
    """The text of a line up to the first thing that no line may have, and what that is ("" for nothing)."""
    fault = ""
    try:
        text = raw.decode()
    except UnicodeDecodeError as error:
        text, fault = raw[: error.start].decode(), f"byte {error.start + 1} is not UTF-8"
    control = _CONTROL.search(text)
    if control:
        text, fault = (
            text[: control.start()],
            f"character {control.start() + 1} is {control[0]!r}, a control character",
        )
    if len(text) > MAX_LINE:
        text, fault = text[:MAX_LINE], f"it is longer than {MAX_LINE:,} characters, and no record is"
    return text, fault


def _read_line(text: str, fault: str, ended: bool) -> tuple[Record | None, str]:
    """The game of a line or its longest sound beginning, and a sentence on what is wrong ("" for nothing)."""
    try:
        game: Record | None = _checked(text)
    except ValueError as error:
        game, fault = _sound_beginning(text), fault or _shortened(str(error).removesuffix("."))
    if game and not fault and _is_unsettled(game):
        if not ended or game.events:
            return game, "the deal is over and its result is missing; the account is without it."
        table = Table.from_record(game)
        return replace(game, result=record.from_table(table.data, table.ruleset).result), ""
    return game, fault and f"{fault}; {_kept(game)}"


def _checked(line: str) -> Record:
    """The record of a line, checked against the rules.

    Raises:
        ValueError: it is damaged or breaks the rules.
    """
    game = record.parse(line)
    if game.events:
        _check_ruled(game)
    else:
        Table.from_record(game)
    return game


def _is_unsettled(game: Record) -> bool:
    """Whether a deal is over, as played or as ruled, and its record doesn't say so."""
    if game.result is not None:
        return False
    if not game.events:
        return Table.from_record(game).over
    try:
        rule(game)
    except UnfinishedError:
        return False
    return True


def _check_ruled(game: Record) -> None:
    try:
        ruled = rule(game).payoff
    except UnfinishedError:
        if game.result is None:
            return
        raise
    if game.result not in (None, ruled):
        raise RecordError(f"the record's result is {game.result}, and the ruling on its events gives {ruled}")


def _sound_beginning(line: str) -> Record | None:
    """The game of the longest beginning of ``line`` that replays; None if not even its deal is sound."""
    ends = [*(match.start() for match in re.finditer(";", line)), len(line)][:MAX_FIELDS]
    whole = next((end for end in reversed(ends) if _tried(line[:end])), None)  # as many fields as are sound
    if whole is None:
        return None
    within = _cuts(line[whole : min(end for end in (*ends, len(line)) if end > whole or end == len(line))])
    return next(filter(None, (_tried(line[: whole + cut]) for cut in within)), _tried(line[:whole]))


def _tried(line: str) -> Record | None:
    try:
        return _checked(line)
    except ValueError:
        return None


def _cuts(field: str) -> list[int]:
    """Where a field ("; calls PASS MIS") may be broken off, last place first: behind words, plays behind cards."""
    cuts: list[int] = []
    for word in re.finditer(r"[^ ;]+", field):
        step = 2 if field.startswith("; plays ") else len(word[0])
        cuts += [*range(word.start() + step, word.end(), step), word.end()]
    return cuts[MAX_CUTS::-1]


def _kept(game: Record | None) -> str:
    """A clause on what of a damaged line is kept."""
    if game is None:
        return "nothing of the line can be kept."
    calls = sum(action < FIRST_TRUMPS for action in game.calls)
    counts = [(calls, "call", "calls"), (len(game.plays), "card", "cards")]
    parts = ["the deal", *(f"{n} {one if n == 1 else many}" for n, one, many in counts if n)]
    end = ", which end the deal" if game.result is not None else ""
    return f"kept {'is' if len(parts) == 1 else 'are'} {_listed(parts)}{end}."


def _shortened(said: str) -> str:
    """A sentence without the middle of what it quotes, where that is long."""
    return said if len(said) <= MAX_SAID else f"{said[: MAX_SAID // 2]} ... {said[-MAX_SAID // 2 :]}"


def _listed(parts: Sequence[str]) -> str:
    return " and ".join([*([", ".join(parts[:-1])] if len(parts) > 1 else []), parts[-1]])


def _other_rules(game: Record, line: int, first: Record) -> str:
    return (
        f"the game is of {game.ruleset.name}, and the session of {first.ruleset.name} since line {line}; "
        "it is left out."
    )
