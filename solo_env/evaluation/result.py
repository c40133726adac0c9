"""The document of a measurement: JSON with a published schema, refused when it is not what it says it is.

What decides the result and what came of it is in the document, the same bytes whoever made it. Time, machine,
workers and commit are in a sidecar beside it.
"""

from __future__ import annotations

import hashlib
import json
from importlib import resources
from pathlib import Path
from typing import Any

from solo_env.evaluation.books import BOOK_GAMES, Book
from solo_env.evaluation.schema import complaint
from solo_env.files import FileError, read_whole
from solo_env.layout import table_hash
from solo_env.rules import load_ruleset
from solo_env.signature import signature

SCHEMA_VERSION = 1
KIND = "solo-whist evaluation"
SCHEMA_FILE = "evaluation.schema.json"
LIMIT = 64_000_000  # bytes of a document
AGAIN = "run its command again"  # what helps against most of what may be wrong

Document = dict[str, Any]


class ResultError(ValueError):
    """A document that is not to be believed; the message is a sentence that names the file and says why."""


def schema_bytes(file: str = SCHEMA_FILE) -> bytes:
    """A published schema as a file; ``docs`` has a copy."""
    return (resources.files(__package__) / file).read_bytes()


def schema(file: str = SCHEMA_FILE) -> dict[str, Any]:
    """A published schema."""
    told: dict[str, Any] = json.loads(schema_bytes(file))
    return told


def sealed(content: Document, kind: str = KIND, version: int = SCHEMA_VERSION) -> Document:
    """The content as a document: kind and version in front, the digest of everything behind."""
    document = {"kind": kind, "schema_version": version, **content}
    return {**document, "digest": _digest(document)}


def document_bytes(document: Document) -> bytes:
    """The document as it is written to a file."""
    return (json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False) + "\n").encode()


def read_result(path: Path | str, book: Book | None = None) -> Document:
    """The document in a file, if it is whole and of this version of the game.

    Args:
        path: the file.
        book: if given, the book that the document must be of.

    Raises:
        OSError: it cannot be read.
        ResultError: it is damaged, of another schema, of another table hash, of a ruleset that plays otherwise now,
            or of another book or ruleset than asked for.
    """
    document: Document = read_json(path, "result")
    check_document(document, str(path), book)
    return document


def read_json(path: Path | str, what: str) -> Any:
    """What the JSON in a file says, unchecked; ``what`` says what it should be."""
    try:
        return json.loads(read_whole(Path(path), LIMIT))
    except FileError as error:
        raise ResultError(str(error)) from None
    except ValueError:
        raise ResultError(f"{path} is damaged, or no {what} at all: it is not JSON.") from None
    except RecursionError:
        raise ResultError(f"{path} is damaged, or no {what} at all: it is nested too deeply.") from None


def check_document(document: Any, name: str, book: Book | None = None) -> None:
    """Refuse a document as :func:`read_result` does; ``name`` says in the sentence which it is."""
    if not isinstance(document, dict) or document.get("kind") != KIND:
        raise ResultError(f"{name} is no result of solo-whist evaluate.")
    check_seal(document, name, SCHEMA_VERSION, schema(), AGAIN)
    own = check_played(document["ruleset"], document["book"], name, AGAIN)
    if book is not None and signature(book.ruleset) != signature(own.ruleset):
        raise ResultError(f"{name} is of ruleset {own.ruleset.name}, not of {book.ruleset.name}.")
    if book is not None and book.hash != own.hash:
        raise ResultError(f"{name} is of book {own.id} ({own.hash}), not of {book.id} ({book.hash}).")


def check_seal(document: Document, name: str, version: int, form: dict[str, Any], remedy: str) -> None:
    """Refuse a document of another version, one that is not what its digest or schema says, or of other tables."""
    told = document.get("schema_version")
    if told != version:
        raise ResultError(
            f"{name} has schema version {told!r}, this program reads {version}: {remedy} "
            f"({document.get('command', 'which it does not tell')})."
        )
    try:
        own = _digest({key: value for key, value in document.items() if key != "digest"})
    except RecursionError:  # what can just be read may be too deep to be written
        raise ResultError(f"{name} is damaged: it is nested too deeply.") from None
    if document.get("digest") != own:
        raise ResultError(f"{name} is damaged: its content is not what its digest says.")
    wrong = complaint(document, form)
    if wrong:
        raise ResultError(f"{name} does not follow the schema: {wrong}.")
    if document["table_hash"] != table_hash():
        raise ResultError(
            f"{name} was made with actions and observations of hash {document['table_hash']}, these here have "
            f"{table_hash()}: {remedy}."
        )


def check_played(rules: Document, book: Document, name: str, remedy: str) -> Book:
    """The book that a document tells of, if ruleset and deals are here what they were there."""
    try:
        ruleset = load_ruleset(rules["name"])
        own = Book(book["name"], book["seed"], ruleset, book["session"])
    except (ValueError, OSError) as error:
        raise ResultError(f"{name} cannot be understood here: {error}") from None
    if rules["signature"] != signature(ruleset):
        raise ResultError(
            f"{name} is of {ruleset.name}@{rules['signature']}, which plays as @{signature(ruleset)} here: "
            f"{remedy}."
        )
    if book["hash"] != own.hash or book["game"] != BOOK_GAMES[own.name]:
        raise ResultError(
            f"{name} is of book {own.id} with hash {book['hash']}, which is dealt with hash {own.hash} here: "
            f"{remedy}."
        )
    return own


def _digest(document: Document) -> str:
    told = json.dumps(document, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(told.encode()).hexdigest()[:16]
