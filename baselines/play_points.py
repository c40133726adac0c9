"""What speaks for a card, and how much: the features and points of ``expert`` and ``club``, by role and situation.

A candidate gets the points of its table times its features; the candidate with the most is played. Only
differences count, so a feature that all candidates share decides nothing. What is to be said of a candidate stands
here, a row a feature: its number, its phrase, and whether any player sees it or only one who counts the cards. The
club player has points for what is seen, and no others.

How much it speaks stands in ``data/card_points.json``, which ``solo-whist fit-cards`` writes: see ``fit_cards``.
"""

from __future__ import annotations

import json
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from baselines.card_play import (
    ATTACKS,
    DUCKS_OF,
    FOLLOWS,
    LEADS,
    N_TABLES,
    SAFE_LEADS,
    SHEDS,
    STAYS,
    THROWS,
    VOIDS,
)
from baselines.play_follow import (
    BACKED,
    CALLER_TO_COME,
    DEAD_SUIT,
    FRIEND_BEST,
    FRIEND_TO_COME,
    GUARD_LEFT,
    GUARD_ONE,
    GUARD_TWO,
    LONG_SUIT,
    LOSES_RANK,
    LOWER_OUT,
    MASTER_KEPT,
    MASTER_LEFT,
    MASTER_SPENT,
    OVER_RISK,
    OVERTAKES,
    RISK,
    RISK_HIGH,
    RUFF_DECIDES,
    RUFF_FOES_OUT,
    RUFF_FRIEND,
    RUFF_HONOUR,
    RUFF_LENGTH,
    RUFF_LOWER_OUT,
    RUFF_MASTER,
    RUFF_OVER,
    RUFF_OVER_RISK,
    RUFF_OVERTAKES,
    RUFF_RISK,
    RUFF_SAVES,
    RUFF_SHORT,
    RUFF_SURE,
    RUFF_WASTES,
    RUFFS,
    SECOND_MASTER,
    SHORT,
    SUIT_OUT,
    SURE,
    TAKES_HONOUR,
    THROWN_HIGHER,
    THROWN_LENGTH,
    THROWN_MASTER,
    THROWN_OUT,
    THROWN_RANK,
    THROWN_SINGLE,
    THROWN_VOIDS,
    TRUMP_THROWN,
    TRUMPS_LED,
    WASTES,
    WIN_DECIDES,
    WIN_SAVES,
    WINS,
)
from baselines.play_lead import (
    BARE_HONOUR,
    DECIDES,
    DOUBLETON,
    FOE_LAST,
    FOE_NEXT,
    FOES_SUIT,
    HIGHER_OUT,
    LENGTH,
    LONG_LAST,
    LOW,
    LOW_LENGTH,
    MASTER,
    MASTER_DRAWN,
    MASTER_RISK,
    MASTERS_MORE,
    N_FEATURES,
    NO_FOE_TRUMPS,
    OTHER_RISK,
    OUT,
    RETURN,
    SAVES,
    SEQUENCE,
    SIDE_RUFF,
    SINGLETON,
    TRUMP_FOE_LAST,
    TRUMP_FOE_NEXT,
    TRUMP_LEAD,
    TRUMP_LENGTH,
    TRUMP_LOW,
    TRUMP_MASTER,
    TRUMPS_OUT,
    UNDER_ACE,
    UNDER_KING,
)
from baselines.play_misere import (
    ATTACK_AGAIN,
    ATTACK_LENGTH,
    ATTACK_LOWEST,
    ATTACK_OUT,
    ATTACK_RANK,
    ATTACK_SINGLE,
    ATTACK_TOP,
    DUCKED_LAST,
    DUCKED_RANK,
    DUCKED_WINS,
    FELLOWS_LOWER,
    FELLOWS_NONE,
    FELLOWS_OVER,
    HIS_ESCAPE,
    HIS_FORCED,
    HIS_HIGHER,
    HIS_LOWER,
    HIS_NO_HIGHER,
    HIS_ONE_LOWER,
    HIS_SAFE,
    HIS_VOID,
    HIS_WEAK,
    OVER_BEATEN,
    OVER_DANGER,
    OVER_HIGHEST,
    OVER_LAST,
    OVER_RANK,
    SAFE_BEATEN,
    SAFE_DANGER,
    SAFE_HIGHER,
    SAFE_LENGTH,
    SAFE_LOWER,
    SAFE_NO_HIGHER,
    SAFE_NO_LOWER,
    SAFE_OUT,
    SAFE_RANK,
    SAFE_SOME_LOWER,
    SAFE_TOP,
    SHED_BOTTOM,
    SHED_CUT,
    SHED_DANGER,
    SHED_DEAD,
    SHED_LENGTH,
    SHED_LOWER,
    SHED_OUT,
    SHED_RANK,
    SHED_SINGLE,
    SHED_TOP,
    STAY_CANNOT,
    STAY_CHANCE,
    STAY_ESCAPES,
    STAY_FORCED,
    STAY_LOWEST,
    STAY_OVER,
    STAY_RANK,
    STAY_VOID_RANK,
    THROW_ABOVE,
    THROW_BELOW,
    THROW_CANNOT,
    THROW_FELLOWS,
    THROW_KEEPS,
    THROW_LENGTH,
    THROW_NONE,
    THROW_ONLY_LOW,
    THROW_OUT,
    THROW_RANK,
    THROW_SAFE,
    THROW_SINGLE,
    UNDER,
    UNDER_DANGER,
    UNDER_RANK,
)
from solo_env.files import read_whole

EXPERT, CLUB = range(2)
LEVELS = ("expert", "club")

# Whether a player sees a feature without counting the cards.
SEEN, COUNTED = True, False

# Leads of a contract for tricks.
LEAD_FEATURES = (
    (TRUMP_LEAD, "a trump", SEEN),
    (TRUMP_LENGTH, "each trump held", SEEN),
    (TRUMPS_OUT, "each trump that the other side may hold", COUNTED),
    (NO_FOE_TRUMPS, "the other side has no trumps", SEEN),
    (TRUMP_MASTER, "the highest trump out", SEEN),
    (TRUMP_LOW, "a low trump", SEEN),
    (TRUMP_FOE_LAST, "the other side plays last to a trump", COUNTED),
    (TRUMP_FOE_NEXT, "the other side plays next to a trump", COUNTED),
    (MASTER, "nothing can beat it", SEEN),
    (MASTER_RISK, "each sixteenth of a chance that it is ruffed", COUNTED),
    (MASTERS_MORE, "each master beside it", COUNTED),
    (MASTER_DRAWN, "a master, and trumps are drawn", COUNTED),
    (OTHER_RISK, "each sixteenth of a chance that the other side ruffs", COUNTED),
    (SIDE_RUFF, "one's own side ruffs", SEEN),
    (LENGTH, "each card of the suit", SEEN),
    (SINGLETON, "a singleton, with trumps to ruff", SEEN),
    (DOUBLETON, "of two cards, with trumps to ruff", COUNTED),
    (SEQUENCE, "heads a sequence", SEEN),
    (BARE_HONOUR, "an honour without support", SEEN),
    (UNDER_ACE, "from under the best card out", SEEN),
    (UNDER_KING, "from under the second best card out", COUNTED),
    (HIGHER_OUT, "each higher card out", COUNTED),
    (OUT, "each card of the suit out", COUNTED),
    (RETURN, "one's own side led the suit before", SEEN),
    (FOES_SUIT, "the other side led the suit before", COUNTED),
    (FOE_LAST, "the other side plays last", SEEN),
    (FOE_NEXT, "the other side plays next", SEEN),
    (DECIDES, "the last trick that is needed", COUNTED),
    (SAVES, "the last trick that the other side needs", COUNTED),
    (LOW, "a low card", SEEN),
    (LOW_LENGTH, "each card of the suit, if low", COUNTED),
    (LONG_LAST, "longer than all that is out", COUNTED),
)

# Following suit in a contract for tricks, second and third hand.
FOLLOW_FEATURES = (
    (WINS, "wins so far", SEEN),
    (SURE, "cannot be beaten", SEEN),
    (RISK, "each sixteenth of a chance to be beaten", COUNTED),
    (RISK_HIGH, "the same for an honour", COUNTED),
    (OVERTAKES, "overtakes one's own side", SEEN),
    (WASTES, "its own side wins anyway", SEEN),
    (OVER_RISK, "each sixteenth of the risk of its own side's card", COUNTED),
    (MASTER_SPENT, "spends the best card of the suit", SEEN),
    (SECOND_MASTER, "spends the second best", COUNTED),
    (MASTER_KEPT, "keeps a best card besides", COUNTED),
    (LOWER_OUT, "each lower card out", COUNTED),
    (TAKES_HONOUR, "takes an honour", SEEN),
    (SHORT, "from two cards or fewer", COUNTED),
    (LONG_SUIT, "from five cards or more", COUNTED),
    (SUIT_OUT, "each card of the suit out", COUNTED),
    (CALLER_TO_COME, "the caller is to come", SEEN),
    (FRIEND_TO_COME, "one's own side is to come", COUNTED),
    (FRIEND_BEST, "and may win", COUNTED),
    (TRUMPS_LED, "trumps were led", SEEN),
    (WIN_DECIDES, "each sixteenth of a chance to decide the deal", COUNTED),
    (WIN_SAVES, "each sixteenth of a chance to save it", COUNTED),
    (LOSES_RANK, "each lower card out, for a card that loses", COUNTED),
    (GUARD_LEFT, "leaves an honour with its guard", COUNTED),
    (BACKED, "has the next higher card too", COUNTED),
)

# Ruffs and discards in a contract for tricks.
VOID_FEATURES = (
    (RUFFS, "a ruff", SEEN),
    (RUFF_SURE, "that cannot be beaten", SEEN),
    (RUFF_RISK, "each sixteenth of a chance to be overruffed", COUNTED),
    (RUFF_OVERTAKES, "over one's own side", SEEN),
    (RUFF_WASTES, "its own side wins anyway", SEEN),
    (RUFF_OVER_RISK, "each sixteenth of the risk of its own side's card", COUNTED),
    (RUFF_LENGTH, "each trump held", SEEN),
    (RUFF_SHORT, "from two trumps or fewer", COUNTED),
    (RUFF_MASTER, "with the best trump out", COUNTED),
    (RUFF_LOWER_OUT, "each lower trump out", COUNTED),
    (RUFF_HONOUR, "of an honour", SEEN),
    (RUFF_FOES_OUT, "the other side has no trumps", COUNTED),
    (RUFF_FRIEND, "one's own side is to come", COUNTED),
    (RUFF_DECIDES, "each sixteenth of a chance to decide the deal", COUNTED),
    (RUFF_SAVES, "each sixteenth of a chance to save it", COUNTED),
    (TRUMP_THROWN, "throws a trump", SEEN),
    (THROWN_RANK, "each rank", SEEN),
    (THROWN_LENGTH, "each card of the suit", SEEN),
    (THROWN_SINGLE, "the only one of its suit", COUNTED),
    (THROWN_VOIDS, "and then there are trumps to ruff", SEEN),
    (THROWN_MASTER, "throws a winner", SEEN),
    (MASTER_LEFT, "from a suit with a winner", COUNTED),
    (GUARD_ONE, "bares a king", SEEN),
    (GUARD_TWO, "leaves a queen with one guard", COUNTED),
    (DEAD_SUIT, "nobody of the other side has the suit", COUNTED),
    (THROWN_OUT, "each card of the suit out", COUNTED),
    (THROWN_HIGHER, "each higher card that the other side may hold", COUNTED),
    (RUFF_OVER, "over a ruff", COUNTED),
)

# Leads of somebody who wants no trick.
SAFE_FEATURES = (
    (SAFE_LOWER, "each lower card out", SEEN),
    (SAFE_SOME_LOWER, "the first two of them", COUNTED),
    (SAFE_NO_LOWER, "nothing lower is out", SEEN),
    (SAFE_HIGHER, "each higher card out, up to four", SEEN),
    (SAFE_NO_HIGHER, "nothing higher is out", SEEN),
    (SAFE_BEATEN, "each sixteenth of a chance that somebody must beat it", COUNTED),
    (SAFE_LENGTH, "each card of the suit", SEEN),
    (SAFE_DANGER, "each danger left in the suit", SEEN),
    (SAFE_TOP, "the top of the suit", SEEN),
    (SAFE_RANK, "each rank", SEEN),
    (SAFE_OUT, "each card of the suit out", COUNTED),
)

# Following suit where tricks lose.
DUCK_FEATURES = (
    (UNDER, "loses", SEEN),
    (UNDER_RANK, "each rank, if it loses", SEEN),
    (UNDER_DANGER, "each danger left, if it loses", SEEN),
    (OVER_RANK, "each rank, if it wins", SEEN),
    (OVER_BEATEN, "each sixteenth of a chance that somebody must beat it", COUNTED),
    (OVER_HIGHEST, "wins with the highest", SEEN),
    (OVER_LAST, "wins for good", SEEN),
    (OVER_DANGER, "each danger left, if it wins", SEEN),
)

# Discards where tricks lose.
SHED_FEATURES = (
    (SHED_DANGER, "each danger of the suit", SEEN),
    (SHED_CUT, "each danger less", SEEN),
    (SHED_RANK, "each rank", SEEN),
    (SHED_LENGTH, "each card of the suit", SEEN),
    (SHED_SINGLE, "the only one of its suit", SEEN),
    (SHED_TOP, "nothing higher is out", SEEN),
    (SHED_DEAD, "nobody else has the suit", SEEN),
    (SHED_OUT, "each card of the suit out", COUNTED),
    (SHED_LOWER, "each lower card out", COUNTED),
    (SHED_BOTTOM, "each card out below the lowest held", COUNTED),
)

# Leads against the caller of a misère.
ATTACK_FEATURES = (
    (HIS_VOID, "the caller has none of the suit", SEEN),
    (HIS_NO_HIGHER, "the caller has nothing higher", SEEN),
    (HIS_LOWER, "each lower card that he may hold", SEEN),
    (HIS_ONE_LOWER, "just one", COUNTED),
    (HIS_HIGHER, "each higher card that he may hold, up to four", SEEN),
    (HIS_FORCED, "he has nothing lower", SEEN),
    (HIS_ESCAPE, "each sixteenth of a chance that he has something lower", COUNTED),
    (HIS_WEAK, "each danger of his suit, seen face up", COUNTED),
    (HIS_SAFE, "his suit, seen face up, is safe", COUNTED),
    (FELLOWS_LOWER, "each card with which the fellows may stay under him, up to four", COUNTED),
    (FELLOWS_NONE, "the fellows have none of the suit", COUNTED),
    (FELLOWS_OVER, "each sixteenth of a chance that a fellow must go over him", COUNTED),
    (ATTACK_LENGTH, "each card of the suit", SEEN),
    (ATTACK_SINGLE, "the only one of its suit", SEEN),
    (ATTACK_RANK, "each rank", SEEN),
    (ATTACK_TOP, "the top of the suit", SEEN),
    (ATTACK_LOWEST, "the lowest of the suit", SEEN),
    (ATTACK_OUT, "each card of the suit out", COUNTED),
    (ATTACK_AGAIN, "a fellow led the suit before", SEEN),
)

# Following suit before or after the caller of a misère.
STAY_FEATURES = (
    (STAY_OVER, "goes over", SEEN),
    (STAY_RANK, "each rank", SEEN),
    (STAY_ESCAPES, "each card with which he may stay under", COUNTED),
    (STAY_CHANCE, "each sixteenth of a chance that he can", COUNTED),
    (STAY_FORCED, "he cannot stay under", SEEN),
    (STAY_CANNOT, "he cannot go over", SEEN),
    (STAY_VOID_RANK, "each rank, when he has none of the suit", SEEN),
    (STAY_LOWEST, "the lowest of the suit", SEEN),
    (DUCKED_RANK, "each rank, once he has ducked", SEEN),
    (DUCKED_WINS, "wins, once he has ducked", SEEN),
    (DUCKED_LAST, "and takes the lead for certain", SEEN),
)

# Discards against a misère.
THROW_FEATURES = (
    (THROW_RANK, "each rank", SEEN),
    (THROW_BELOW, "each lower card that he may hold", SEEN),
    (THROW_ABOVE, "each higher card that he may hold", COUNTED),
    (THROW_NONE, "he has none of the suit", SEEN),
    (THROW_CANNOT, "he has nothing higher", COUNTED),
    (THROW_ONLY_LOW, "he has nothing lower", SEEN),
    (THROW_KEEPS, "keeps a card that he may have to go over", COUNTED),
    (THROW_SAFE, "his suit, seen face up, is safe", COUNTED),
    (THROW_LENGTH, "each card of the suit", SEEN),
    (THROW_SINGLE, "the only one of its suit", SEEN),
    (THROW_OUT, "each card of the suit out", COUNTED),
    (THROW_FELLOWS, "each lower card that the fellows may hold", COUNTED),
)


class FeatureTable(NamedTuple):
    """The tables of points of one kind of decision: the first of them, what each is for, and their features."""

    name: str
    first: int
    columns: tuple[str, ...]
    features: tuple[tuple[int, str, bool], ...]


ROLES = ("alone", "against one", "partners", "against partners", "long", "against long")
PLACES = tuple(f"{role}, {place} hand" for role in ROLES for place in ("second", "third"))
FORMS = ("misère", "general misère", "one in which the last trick loses")
HANDS = ("his hand hidden", "his hand face up")

TABLES = (
    FeatureTable("lead", LEADS, ROLES, LEAD_FEATURES),
    FeatureTable("follow", FOLLOWS, PLACES, FOLLOW_FEATURES),
    FeatureTable("ruff or discard", VOIDS, ROLES, VOID_FEATURES),
    FeatureTable("lead for no trick", SAFE_LEADS, FORMS, SAFE_FEATURES),
    FeatureTable("follow for no trick", DUCKS_OF, FORMS, DUCK_FEATURES),
    FeatureTable("discard for no trick", SHEDS, FORMS, SHED_FEATURES),
    FeatureTable("lead against a misère", ATTACKS, HANDS, ATTACK_FEATURES),
    FeatureTable("follow against a misère", STAYS, HANDS, STAY_FEATURES),
    FeatureTable("discard against a misère", THROWS, HANDS, THROW_FEATURES),
)


def feature_table(table: int) -> FeatureTable:
    """Where a table of points, by its number, belongs."""
    return [rows for rows in TABLES if rows.first <= table][-1]


def feature_text(table: int, feature: int) -> str:
    """What a feature of a table says, as a phrase."""
    return feature_table(table).features[feature][1]


# --- The file of points -------------------------------------------------------------------------------------

FORMAT = 1
SHIPPED = "card_points.json"
MOST_BYTES = 1_000_000
MOST_POINTS = 1_000_000  # a sum of products with features stays far below 2**63


class CardPointsError(ValueError):
    """A file of points that cannot be used; the message is a sentence that names it."""


def points_json(points: NDArray[np.int64], facts: dict[str, Any]) -> bytes:
    """A file of points: ``facts`` on how they were found, then a line a feature, its points by level and column.

    Args:
        points: int64[2, N_TABLES, N_FEATURES], by level.
        facts: what else the file says, JSON-ready.
    """
    parts = []
    for rows in TABLES:
        lines = []
        for feature, phrase, _ in rows.features:
            by_level = points[:, rows.first : rows.first + len(rows.columns), feature]
            texts = [f'"{name}": {json.dumps(by_level[level].tolist())}' for level, name in enumerate(LEVELS)]
            lines.append(f'        {{"feature": {json.dumps(phrase)}, {", ".join(texts)}}}')
        columns = json.dumps(rows.columns, ensure_ascii=False)
        features = ",\n".join(lines)
        parts.append(f'    {json.dumps(rows.name, ensure_ascii=False)}: {{\n      "columns": {columns},\n')
        parts[-1] += f'      "features": [\n{features}\n      ]\n    }}'
    said = "".join(f"  {json.dumps(k)}: {json.dumps(v, ensure_ascii=False)},\n" for k, v in facts.items())
    tables = ",\n".join(parts)
    return f'{{\n  "format": {FORMAT},\n{said}  "tables": {{\n{tables}\n  }}\n}}\n'.encode()


def read_points(content: bytes, name: str) -> NDArray[np.int64]:
    """The points of a file, int64[2, N_TABLES, N_FEATURES]; ``name`` is what messages call it.

    Raises:
        CardPointsError: it is damaged, of another format, or its points are for other features.
    """
    try:
        read = json.loads(content)
    except (ValueError, RecursionError):
        raise CardPointsError(f"{name} holds no JSON; {_REMEDY}") from None
    if not isinstance(read, dict) or read.get("format") != FORMAT:
        raise CardPointsError(f"{name} is no file of card points of format {FORMAT}; {_REMEDY}")
    points = np.zeros((len(LEVELS), N_TABLES, N_FEATURES), np.int64)
    tables = read.get("tables")
    if not isinstance(tables, dict) or list(tables) != [rows.name for rows in TABLES]:
        raise CardPointsError(f"{name} has other tables than this version; {_REMEDY}")
    for rows in TABLES:
        _read_table(points, rows, tables[rows.name], name)
    return points


_REMEDY = "give one that this version's solo-whist fit-cards wrote."


def _read_table(points: NDArray[np.int64], rows: FeatureTable, table: Any, name: str) -> None:
    """Put the numbers of one table of the file into ``points``."""
    features: Any = table.get("features") if isinstance(table, dict) else None
    named = isinstance(features, list) and all(isinstance(feature, dict) for feature in features)
    if not named or [feature.get("feature") for feature in features] != [row[1] for row in rows.features]:
        raise CardPointsError(f"{name}, table {rows.name!r}, has other features than this version; {_REMEDY}")
    if table.get("columns") != list(rows.columns):
        raise CardPointsError(f"{name}, table {rows.name!r}, has other columns than this version; {_REMEDY}")
    for (feature, phrase, _), read in zip(rows.features, features, strict=True):
        for level, of_level in enumerate(LEVELS):
            numbers = read.get(of_level)
            if not isinstance(numbers, list) or len(numbers) != len(rows.columns) or not all(map(_fits, numbers)):
                raise CardPointsError(
                    f"{name}, table {rows.name!r}, feature {phrase!r}: "
                    f"the points of {of_level} are damaged; {_REMEDY}"
                )
            points[level, rows.first : rows.first + len(rows.columns), feature] = numbers


def _fits(number: object) -> bool:
    return type(number) is int and abs(number) <= MOST_POINTS


@lru_cache(maxsize=1)
def _shipped_points() -> NDArray[np.int64]:
    content = resources.files(__package__).joinpath("data", SHIPPED).read_bytes()
    return read_points(content, f"baselines/data/{SHIPPED}")


def points_table(level: int, path: str | None = None) -> NDArray[np.int64]:
    """The points of a level, int64[N_TABLES, N_FEATURES], as ``card_play`` reads them; a copy.

    Args:
        level: ``EXPERT`` or ``CLUB``.
        path: a file that ``solo-whist fit-cards`` wrote; without one, the file that comes with the package.

    Raises:
        OSError: the file cannot be read.
        CardPointsError: it is damaged, of another format, or its points are for other features.
    """
    points = _shipped_points() if path is None else read_points(read_whole(Path(path), MOST_BYTES), path)
    return points[level].copy()
