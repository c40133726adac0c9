"""Reading files of a sane size, and writing files so that a crash never leaves half of one."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path


class FileError(ValueError):
    """A file that cannot be read or written; the message is a sentence that names it."""


def read_whole(path: Path, limit: int) -> bytes:
    """What the file at ``path`` holds, at most ``limit`` bytes.

    Raises:
        OSError: it cannot be read.
        FileError: it holds more.
    """
    with path.open("rb") as file:
        content = file.read(limit + 1)
    if len(content) > limit:
        raise FileError(f"{path} is longer than {limit:,} bytes; give a smaller file.")
    return content


def write_whole(path: Path, content: bytes) -> None:
    """Put ``content`` at ``path``: under a temporary name, flushed to disk, then renamed over it.

    Raises:
        OSError: it could not be written; what was there before still is, and the error names ``path``.
    """
    temporary = _temporary(path)
    try:
        with temporary.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError as error:
        if error.errno is None:
            raise
        raise OSError(error.errno, error.strerror, str(path)) from None
    finally:
        _remove(temporary)


def check_writable(name: str) -> Path:
    """The path that ``name`` gives, if :func:`write_whole` can put a file there; nothing is left behind.

    Raises:
        FileError: it cannot.
    """
    path = Path(name)
    if not name.strip():
        raise FileError("the name of the file to write is empty; give the path of a file.")
    if path.is_dir():
        raise FileError(f"{name} cannot be written: it is a folder; give the path of a file.")
    if not path.parent.is_dir():
        raise FileError(f"{name} cannot be written: there is no folder {path.parent}.")
    if path.exists() and not path.is_file():
        raise FileError(f"{name} cannot be written: it is there and no ordinary file.")
    temporary = _temporary(path)
    try:
        temporary.open("wb").close()
    except OSError as error:
        raise FileError(f"{name} cannot be written: {error.strerror}.") from None
    finally:
        _remove(temporary)
    return path


def check_new(name: str) -> Path:
    """The path that ``name`` gives, if nothing is there and :func:`write_whole` can put a file there.

    Raises:
        FileError: it cannot, or would write over what is there.
    """
    path = check_writable(name)
    if path.exists():
        raise FileError(f"{name} is there already; give the name of a new file.")
    return path


def _temporary(path: Path) -> Path:
    return path.with_name(f".{path.name}.{os.getpid()}.tmp")


def _remove(temporary: Path) -> None:
    """Remove a temporary file, if it could be made at all."""
    with contextlib.suppress(OSError):
        temporary.unlink(missing_ok=True)
