"""Files of measured numbers: arrays in an npz archive, and in ``about`` how they were made and their format."""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solo_env.files import FileError, read_whole, write_whole

FORMAT = 1
MOST_BYTES = 1 << 28  # of a file, and of what is packed in it
NO_TIME = (1980, 1, 1, 0, 0, 0)  # of the members of the archive, so that the same numbers are the same bytes

# What NumPy and zip may say of a file that is no such archive.
UNREADABLE = (
    ValueError, TypeError, AttributeError, NotImplementedError, OSError, EOFError, MemoryError, zlib.error,
    zipfile.BadZipFile,
)  # fmt: skip


def write_arrays(path: Path, arrays: Mapping[str, NDArray[Any]], about: Mapping[str, Any]) -> None:
    """Write arrays of numbers and how they were made; the same content gives the same bytes.

    Raises:
        OSError: the file cannot be written; what was there before stays.
    """
    told = np.frombuffer(json.dumps({**about, "format": FORMAT}).encode(), np.uint8)
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, array in {"about": told, **arrays}.items():
            member = io.BytesIO()
            np.lib.format.write_array(member, np.ascontiguousarray(array), allow_pickle=False)
            info = zipfile.ZipInfo(f"{name}.npy", NO_TIME)
            archive.writestr(info, member.getvalue(), zipfile.ZIP_DEFLATED)
    write_whole(path, content.getvalue())


def read_arrays(
    path: Path, what: str, remedy: str = "calibrate anew"
) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
    """The arrays of a file, all of finite numbers, and how they were made.

    Args:
        path: the file.
        what: of what its numbers are, for sentences.
        remedy: what to do with a file of another format, for a sentence.

    Raises:
        ValueError: it is not there, damaged, of another format or another kind of file, or too long.
    """
    try:
        content = io.BytesIO(read_whole(path, MOST_BYTES))
        with zipfile.ZipFile(content) as archive:
            unpacked = sum(member.file_size for member in archive.infolist())
        if unpacked > MOST_BYTES:
            raise FileError(f"{path} unpacks to {unpacked:,} bytes, more than {MOST_BYTES:,}.")
        with np.load(content, allow_pickle=False) as loaded:
            arrays = {name: loaded[name] for name in loaded.files}
    except FileNotFoundError:
        raise ValueError(f"{path} cannot be read as {what}: it is not there.") from None
    except FileError:
        raise
    except UNREADABLE:
        raise ValueError(f"{path} cannot be read as {what}: it is damaged, or another kind of file.") from None
    try:
        about = json.loads(arrays.pop("about").tobytes())
        made_as = about["format"]
    except (KeyError, TypeError, ValueError):
        raise ValueError(f"{path} does not say how it was made, so it is no file of {what}.") from None
    if made_as != FORMAT:
        raise ValueError(f"{path} has format {made_as!r}; this version reads format {FORMAT}: {remedy}.")
    for name, array in arrays.items():
        if array.dtype.kind not in "iuf" or not np.isfinite(array).all():
            raise ValueError(f"{path} is damaged: {name} holds what is no finite number.")
    return arrays, about
