"""Records as PBN 2.1 (Portable Bridge Notation, https://www.tistis.nl/pbn/), for what it can say, and back.

player_0 sits North, player_1 East, player_2 South, player_3 West. A game becomes the fifteen tags that every PBN
game has and, once trumps are known, its Play section: a row a trick, the seat that leads to the first trick always
in the first column, "-" for a card not played, "+" for the card that is awaited, "*" where the deal is over before
the thirteenth trick. By the standard "?" stands for what isn't known (yet) and "" for what doesn't apply:

    Dealer, Deal    as dealt; PBN sorts each hand, so the order dealt is in the record alone
    Declarer        whoever holds the contract; "" if nobody does
    Contract        "Pass" if all passed; else "": no contract of Solo Whist is one of bridge
    Result          tricks of the declaring side where all thirteen were played, else ""
    Vulnerable      "None"; Scoring is ""

What Solo Whist has beyond that is in supplemental tags, of which other programs take no notice:

    SoloWhistContract           "SOLO", "PC", ..., "GM" for a general misère, "" if the deal is thrown in
    SoloWhistRecord01of04 ...   the record (solo_env.record) in pieces, since a line has at most 255 characters
    SoloWhistTrumps             "C", "D", "H", "S" or "NT"
    SoloWhistTurned             the card turned up, or "" if none is

A game with its record comes back byte for byte, unless another tag of it says otherwise: then something was
changed, and it is refused. (Vulnerable, and Contract or Result where Solo Whist leaves them empty, may say what
another program put there: that is bridge.) Any other game comes back as a deal, ready for the auction.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from solo_env import actions, record
from solo_env.cards import N_CARDS, N_SEATS, RANKS, SUITS, card_text, parse_card
from solo_env.engine.state import TRUMP_NOT_NAMED
from solo_env.files import read_whole, write_whole
from solo_env.laws import UnfinishedError, rule
from solo_env.record import Record, RecordError
from solo_env.rules import Ruleset, load_ruleset
from solo_env.rules.model import KIND_NAMES
from solo_env.table import Table

DIRECTIONS = "NESW"  # by seat
DIRECTION_NAMES = ("North", "East", "South", "West")
PLAYERS = tuple(f"player_{seat}" for seat in range(N_SEATS))
UNKNOWN, NONE = "?", ""
MAX_LINE = 255
MAX_BYTES = 2**28

_SUITS_DOWN, _RANKS_DOWN = SUITS[::-1], RANKS[::-1]  # as PBN writes a hand
_PIECE = 110  # characters of a record in a tag; escaped they may be twice as many
_RECORD_TAG = re.compile(r"SoloWhistRecord(\d+)of(\d+)")
_TOKEN = re.compile(
    r"""(?P<skipped> ^%[^\n]* | ;[^\n]* | \{[^}]*\} | [^\S\n]+ | \n(?![^\S\n]*\n) )
      | (?P<blank> \n(?:[^\S\n]*\n)+ )
      | (?P<tag> \[\s*(?P<name>\w+)\s*"(?P<value>(?:[^"\\\n]|\\.)*)"\s*\] )
      | (?P<text> [^\s\[{;]+ )""",
    re.VERBOSE | re.MULTILINE,
)
_PLAYED = re.compile(r"[CDHS][2-9TJQKA]|[-+*]")  # the rest of a Play section is annotation


class PbnError(ValueError):
    """PBN that cannot be read, or a text that PBN cannot hold; the message names the game and the line."""


@dataclass(frozen=True)
class PbnFile:
    """What a PBN file holds.

    Attributes:
        games: a record for each of its games, in order.
        notes: what PBN left open and was assumed, a sentence for each game without a record of its own.
    """

    games: tuple[Record, ...]
    notes: tuple[str, ...]


# --- writing ---------------------------------------------------------------------------------------------


def pbn_text(
    games: Iterable[Record | str],
    players: Sequence[str] = PLAYERS,
    event: str = "Solo Whist",
    site: str = UNKNOWN,
    date: str = "????.??.??",
) -> str:
    """Games as a PBN file; boards count from 1.

    Args:
        games: records or their lines.
        players: names of player_0 ... player_3.
        event: what the games belong to.
        site: where they were played.
        date: when, as YYYY.MM.DD, with question marks for unknown digits.

    Raises:
        PbnError: a text that PBN cannot hold.
        solo_env.record.RecordError: a game is damaged or breaks the rules.
    """
    names = {"Event": event, "Site": site, "Date": date, "Board": ""}
    names |= {DIRECTION_NAMES[seat]: players[seat] for seat in (3, 0, 1, 2)}
    parts = ["% PBN 2.1\n"]
    for board, given in enumerate(games, 1):
        game = record.parse(given) if isinstance(given, str) else given
        table = _table_of(game)
        extras = dict(sorted((_extras(table) | _record_tags(str(game))).items()))
        tags = names | {"Board": str(board)} | _facts(table) | extras
        parts.append("".join(f"{_tag(name, value)}\n" for name, value in tags.items()) + _play_section(table))
    return "\n".join(parts)


def write_pbn(path: str | Path, games: Iterable[Record | str], players: Sequence[str] = PLAYERS) -> None:
    """Put games into a PBN file at ``path``, whole or not at all; see :func:`pbn_text`.

    Raises:
        PbnError: a text that PBN cannot hold.
        solo_env.record.RecordError: a game is damaged or breaks the rules.
        OSError: the file cannot be written; what was there before still is.
    """
    write_whole(Path(path), pbn_text(games, players).encode("latin-1"))


def _table_of(game: Record) -> Table:
    """The table that a game leads to; of one in which something went wrong the deal alone, which PBN can tell.

    Raises:
        ValueError: the game breaks the rules, or has hands of other numbers than 13.
    """
    if not game.events:
        return Table.from_record(game)
    with suppress(UnfinishedError):
        rule(game)
    return Table.from_record(replace(game, calls=(), trump=None, plays=(), events=(), result=None))


def _facts(table: Table) -> dict[str, str]:
    """The tags Dealer to Result, in the order of the standard."""
    data, over = table.data, table.over
    dealer, declarer, contract = (int(data[name]) for name in ("dealer", "declarer", "contract"))
    open_yet = UNKNOWN if contract < 0 and not over else NONE
    passed = over and contract < 0 and all(data["calls"][: data["n_calls"]] == actions.PASS)
    side = [seat for seat in (declarer, int(data["partner"])) if seat >= 0]
    full = declarer >= 0 and data["n_plays"] == N_CARDS
    return {
        "Dealer": DIRECTIONS[dealer],
        "Vulnerable": "None",
        "Deal": _deal_text(data["dealt"].tolist(), dealer),
        "Scoring": NONE,
        "Declarer": DIRECTIONS[declarer] if contract >= 0 and declarer >= 0 else open_yet,
        "Contract": "Pass" if passed else NONE,
        "Result": str(sum(int(data["tricks"][seat]) for seat in side)) if full else (NONE if over else UNKNOWN),
    }


def _extras(table: Table) -> dict[str, str]:
    """The supplemental tags of a table beside its record."""
    data = table.data
    contract, trump, turned = (int(data[name]) for name in ("contract", "trump", "turned_card"))
    open_yet = NONE if table.over else UNKNOWN
    known = contract >= 0 and trump != TRUMP_NOT_NAMED
    return {
        "SoloWhistContract": KIND_NAMES[contract] if contract >= 0 else open_yet,
        "SoloWhistTrumps": (SUITS[trump] if trump >= 0 else "NT") if known else open_yet,
        "SoloWhistTurned": card_text(turned) if turned >= 0 else NONE,
    }


def _record_tags(line: str) -> dict[str, str]:
    """The supplemental tags that hold a record."""
    pieces = list(_pieces(line))
    return {f"SoloWhistRecord{n:02}of{len(pieces):02}": piece for n, piece in enumerate(pieces, 1)}


def _deal_text(hands: Sequence[Sequence[int]], first: int) -> str:
    """Hands of player_0 ... player_3 as the value of a Deal tag that begins with seat ``first``."""
    texts = []
    for seat in range(first, first + N_SEATS):
        held = set(map(card_text, hands[seat % N_SEATS]))
        texts.append(".".join("".join(r for r in _RANKS_DOWN if suit + r in held) for suit in _SUITS_DOWN))
    return f"{DIRECTIONS[first]}:{' '.join(texts)}"


def _pieces(line: str) -> Iterator[str]:
    """A line cut up; no piece begins or ends with a space, so that no program strips one off."""
    while line:
        cut = _PIECE
        while 1 < cut < len(line) and " " in line[cut - 1 : cut + 1]:
            cut -= 1
        yield line[:cut]
        line = line[cut:]


def _tag(name: str, value: str) -> str:
    """A line of a PBN file: the name of a tag and its value, quoted.

    Raises:
        PbnError: a character that PBN doesn't have, or too many.
    """
    if not all(char.isprintable() and char <= "\xff" for char in value):
        raise PbnError(f"the tag {name} would be {value!r}; PBN has the printing characters of Latin-1 only.")
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    tag = f'[{name} "{escaped}"]'
    if len(tag) > MAX_LINE:
        raise PbnError(f"the tag {name} would have {len(tag)} characters; a line of PBN has at most {MAX_LINE}.")
    return tag


def _play_section(table: Table) -> str:
    """The Play section of a table with its tag; nothing before the first lead is due."""
    data = table.data
    n_plays, in_play = int(data["n_plays"]), int(data["phase"]) == actions.PLAY
    if not n_plays and not in_play:
        return ""
    columns, cells = _played(table)
    n_rows = -(-(n_plays + in_play) // N_SEATS)
    if in_play:
        cells[n_plays // N_SEATS, table.turn] = "+"
    rows = [" ".join(f"{cells.get((row, seat), '-'):<2}" for seat in columns).rstrip() for row in range(n_rows)]
    if table.over and n_plays < N_CARDS:
        rows.append("*")
    return "\n".join([_tag("Play", DIRECTIONS[columns[0]]), *rows, ""])


def _played(table: Table) -> tuple[list[int], dict[tuple[int, int], str]]:
    """The seats from the one that leads first, and each card played by (trick from 0, seat)."""
    data = table.data
    n_plays = int(data["n_plays"])
    first = int(data["play_seats"][0]) if n_plays else table.turn
    plays = zip(data["plays"][:n_plays], data["play_seats"], strict=False)
    cells = {(i // N_SEATS, int(seat)): card_text(int(card)) for i, (card, seat) in enumerate(plays)}
    return [(first + i) % N_SEATS for i in range(N_SEATS)], cells


# --- reading ---------------------------------------------------------------------------------------------


@dataclass
class _Game:
    """A game as it stands in a PBN file: its tags with their lines, and the tokens of its Play section."""

    number: int
    tags: dict[str, tuple[str, int]] = field(default_factory=dict)
    play: list[str] = field(default_factory=list)

    def given(self, name: str) -> str:
        """The value of a tag; "" also if it is missing or says that it isn't known."""
        value = self.tags.get(name, (NONE, 0))[0]
        return NONE if value == UNKNOWN else value

    def fault(self, name: str, said: str) -> PbnError:
        line = self.tags[name][1] if name in self.tags else min(line for _, line in self.tags.values())
        return PbnError(f"game {self.number}, line {line}: {said}")


def read_pbn(
    path: str | Path, ruleset: str | Ruleset = "pagat", turned: int | None = None, suit: int | None = None
) -> PbnFile:
    """The games of the PBN file at ``path``; see :func:`parse_pbn`.

    Raises:
        OSError: it cannot be read.
        PbnError: as :func:`parse_pbn`.
    """
    return parse_pbn(read_whole(Path(path), MAX_BYTES), ruleset, turned, suit)


def parse_pbn(
    content: bytes | str,
    ruleset: str | Ruleset = "pagat",
    turned: int | None = None,
    suit: int | None = None,
) -> PbnFile:
    """The games of a PBN file: those that carry their record as it is, others as deals.

    Args:
        content: the file, Latin-1 or UTF-8.
        ruleset: what deals without a record are played by.
        turned: the card 0..51 that such a deal turns up, in its dealer's hand; None for the dealer's last as
            written, which is the lowest of his last suit.
        suit: the suit 0..3 of such a deal where no card is turned up, -1 for a no-trump round.

    Raises:
        PbnError: the file is no PBN, a game has no full deal, or its tags contradict its record.
    """
    rules = load_ruleset(ruleset)
    games, notes = [], []
    for game in _games(_decoded(content)):
        line = _record_line(game)
        if line is None:
            games.append(_as_deal(game, rules, turned, suit))
            notes.append(_note(game, games[-1], turned))
        else:
            games.append(_checked(game, line))
    return PbnFile(tuple(games), tuple(notes))


def _decoded(content: bytes | str) -> str:
    """The text of a file with plain line ends; PBN is Latin-1, and some programs write UTF-8."""
    text = content if isinstance(content, str) else _text_of(content)
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _text_of(content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("latin-1")


def _games(text: str) -> Iterator[_Game]:
    """The games of a PBN file in order, values that refer to the game before filled in."""
    game, at, line, section = _Game(1), 0, 1, ""
    before: dict[str, tuple[str, int]] = {}
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None:
            raise PbnError(
                f"line {line}: {text[at : at + 40].splitlines()[0]!r} is neither a tag nor a closed comment."
            )
        if token["tag"]:
            section = token["name"]
            value = re.sub(r'\\(["\\])', r"\1", token["value"])
            inherited = before.get(section, (NONE, 0))[0] if value == "#" else value.removeprefix("##")
            game.tags.setdefault(section, (inherited, line))
        elif token["text"] and not game.tags:
            raise PbnError(f'line {line}: {token["text"][:40]!r} stands where a tag such as [Dealer "N"] should.')
        elif token["text"] and section == "Play" and _PLAYED.fullmatch(token["text"]):
            game.play.append(token["text"])
        elif token["blank"] and game.tags:
            yield game
            game, before, section = _Game(game.number + 1), game.tags, ""
        at, line = token.end(), line + token[0].count("\n")
    if game.tags:
        yield game


def _record_line(game: _Game) -> str | None:
    """The record that a game carries, None if it carries none.

    Raises:
        PbnError: a piece of it is missing.
    """
    found = {name: match for name in game.tags if (match := _RECORD_TAG.fullmatch(name))}
    if not found:
        return None
    count = max(int(match[2]) for match in found.values())
    pieces = {int(match[1]): game.tags[name][0] for name, match in found.items() if int(match[2]) == count}
    missing = [n for n in range(1, count + 1) if n not in pieces]
    if missing or len(pieces) != len(found):
        name = f"SoloWhistRecord{missing[0] if missing else count:02}of{count:02}"
        raise game.fault(next(iter(found)), f"the record is not whole: there must be one tag {name}.")
    return "".join(pieces[n] for n in range(1, count + 1))


def _checked(game: _Game, line: str) -> Record:
    """The record of a game, which no other tag contradicts.

    Raises:
        PbnError: one does, or the record is damaged.
    """
    own = next(name for name in game.tags if _RECORD_TAG.fullmatch(name))
    try:
        parsed = record.parse(line)
        table = _table_of(parsed)
    except ValueError as error:
        raise game.fault(own, f"the record in the SoloWhistRecord tags is refused: {error}") from None
    told = _facts(table) | _extras(table)
    for name, value in told.items():
        given = game.given(name)
        silent = name == "Vulnerable" or (value in (NONE, UNKNOWN) and not name.startswith("SoloWhist"))
        if given and not silent and not (given == value or (name == "Deal" and _same_deal(game, table))):
            raise game.fault(name, f"the tag {name} is {given!r}, and by the record of the game it is {value!r}.")
    _check_play(game, table)
    return parsed


def _same_deal(game: _Game, table: Table) -> bool:
    """Whether the Deal tag has the hands of ``table``, in whatever order."""
    return list(map(sorted, _hands(game))) == list(map(sorted, table.data["dealt"].tolist()))


def _check_play(game: _Game, table: Table) -> None:
    """Refuse a Play section with another card than the record has."""
    if not game.given("Play"):
        return
    cells = _played(table)[1]
    for i, token in enumerate(game.play):
        if token == "*":
            break
        seat = (_seat(game, "Play") + i) % N_SEATS
        told = cells.get((i // N_SEATS, seat), "no card")
        if token not in ("-", "+", told):
            raise game.fault(
                "Play",
                f"in trick {i // N_SEATS + 1} the Play section gives {DIRECTION_NAMES[seat]} {token}, "
                f"and the record of the game gives {told}.",
            )


def _as_deal(game: _Game, ruleset: Ruleset, turned: int | None, suit: int | None) -> Record:
    """A game without a record as a deal that is about to be called.

    Raises:
        PbnError: it has no full deal, or what is given for it doesn't fit.
    """
    hands, dealer = _hands(game), _seat(game, "Dealer")
    if turned is not None and ruleset.trump.source != "turn_up":
        raise game.fault("Deal", f"{ruleset.name} turns up no card, so none can be given; give the deal's suit.")
    if turned is not None and turned not in hands[dealer]:
        who = DIRECTION_NAMES[dealer]
        raise game.fault("Deal", f"{card_text(turned)} cannot be turned up: {who} deals and does not hold it.")
    if turned is not None:
        hands[dealer] = [*(card for card in hands[dealer] if card != turned), turned]
    table = Table(ruleset)
    try:
        table.deal_hands(hands, dealer, suit)
    except ValueError as error:
        raise game.fault("Deal", str(error)) from None
    return record.from_table(table.data, ruleset)


def _note(game: _Game, deal: Record, turned: int | None) -> str:
    last = card_text(deal.hands[-1][-1])
    up = f", and {last} is turned up, {'as given' if turned is not None else 'the last of the dealer'}"
    return (
        f"game {game.number}, line {game.tags['Deal'][1]}: PBN does not tell in which order the cards were dealt; "
        f"they stand as written{up if deal.suit is None else ''}."
    )


def _seat(game: _Game, name: str) -> int:
    """The seat 0..3 that a tag gives as a direction."""
    value = game.given(name)
    if len(value) != 1 or value not in DIRECTIONS:
        raise game.fault(name, f"the tag {name} is {value!r}; it must be N, E, S or W.")
    return DIRECTIONS.index(value)


def _hands(game: _Game) -> list[list[int]]:
    """The hands of player_0 ... player_3 by the Deal tag, in the order written.

    Raises:
        PbnError: there is no such tag, or it doesn't hold four hands of thirteen cards.
    """
    value = game.given("Deal")
    if not value:
        raise game.fault("Deal", "there is no Deal tag with the four hands.")
    first, _, rest = value.partition(":")
    texts = rest.split()
    if len(first) != 1 or first not in DIRECTIONS or len(texts) != N_SEATS:
        raise game.fault("Deal", f"the Deal tag is {value!r}; it must be a direction, a colon and four hands.")
    hands: list[list[int]] = [[] for _ in range(N_SEATS)]
    for i, text in enumerate(texts):
        seat = (DIRECTIONS.index(first) + i) % N_SEATS
        suits = text.split(".")
        if len(suits) != len(SUITS):
            raise game.fault("Deal", f"the hand {text!r} is not whole: it must be four suits with dots between.")
        try:
            hands[seat] = [
                parse_card(suit + rank) for suit, ranks in zip(_SUITS_DOWN, suits, strict=True) for rank in ranks
            ]
        except ValueError as error:
            raise game.fault("Deal", f"{DIRECTION_NAMES[seat]}: {error}") from None
    try:
        record.check_deal(tuple(map(tuple, hands)))
    except RecordError as error:
        raise game.fault("Deal", str(error)) from None
    return hands
