"""``@kernel``: the one way a function of this project is compiled.

Numba's disk cache notices an edit of the file a kernel stands in, but not of the files it imports, and then
returns stale machine code (seen on numba 0.68 for callees and for constants). So the cache lives in a folder
named by a digest of every source a kernel can depend on; another digest is another folder. A package folder
that cannot be written falls back to the user's cache folder, and without one nothing is cached, said once.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar

import numba
from numba.core import event, types
from numba.extending import intrinsic

F = TypeVar("F", bound=Callable[..., Any])

config: Any = numba.config
compiled: Any = numba.njit
listen: Any = event.register

_PACKAGE = Path(__file__).resolve().parent.parent
_SOURCES = ("solo_env", "baselines", "training")  # packages that hold kernels, or constants kernels read


def kernel(function: F) -> F:
    """Compile ``function`` with numba: no Python objects, no GIL, cached on disk.

    Under ``NUMBA_DISABLE_JIT=1`` the function is returned as it is and means the same.
    """
    return _compiled(function, inline="never")


def inlined(function: F) -> F:
    """A kernel that is pasted into those that call it: a small one to which arrays are passed.

    The compiler seldom does that by itself, and a call with an array pushes seven words: 5 ns.
    """
    return _compiled(function, inline="always")


def _next_ticket(typing_context: Any, counter: Any) -> Any:
    """One atomic addition: numba has none for the processor, LLVM has."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        return builder.atomic_rmw("add", place, context.get_constant(types.int64, 1), "monotonic")

    return types.int64(counter), generate


_one_at_a_time = Lock()


def _next_ticket_in_python(counter: Any) -> int:
    """The same for kernels that run as Python."""
    with _one_at_a_time:
        counter[0] += 1
        return int(counter[0]) - 1


next_ticket: Any = _next_ticket_in_python if config.DISABLE_JIT else intrinsic(_next_ticket)
"""What an int64[1] counts, which it raises by one: no two threads ever get the same number."""


def _compiled(function: F, **options: Any) -> F:
    if config.DISABLE_JIT:
        return function
    folder = cache_folder()
    if folder is None:
        return compiled(function, nogil=True, **options)  # type: ignore[no-any-return]
    # Numba reads its cache folder at decoration, so it is set for this one moment and put back: a user's own
    # kernels keep their own cache.
    before = config.CACHE_DIR
    config.CACHE_DIR = str(folder)
    try:
        return compiled(function, nogil=True, cache=True, **options)  # type: ignore[no-any-return]
    finally:
        config.CACHE_DIR = before


@lru_cache(maxsize=1)
def cache_folder() -> Path | None:
    """The folder that compiled kernels are kept in, or None where none can be written."""
    if os.environ.get("NUMBA_CACHE_DIR"):
        candidates = [Path(os.environ["NUMBA_CACHE_DIR"])]
    else:
        user_cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
        candidates = [_PACKAGE / "__pycache__", Path(user_cache) / "solo-whist"]
    for parent in candidates:
        folder = parent / f"kernels-{source_digest()}"
        if _is_writable(folder):
            if sys.stderr.isatty() and next(folder.rglob("*.nbi"), None) is None:
                listen("numba:compile", Progress())
            return folder
    print("solo_env: no folder for compiled kernels can be written; they are compiled anew.", file=sys.stderr)
    return None


class Progress(event.Listener):
    """Shows on a terminal which kernel is being compiled where nothing is in the cache: it takes half a minute."""

    def __init__(self) -> None:
        self.depth, self.count = 0, 0

    def on_start(self, event: Any) -> None:
        """A kernel is about to be compiled, maybe on behalf of another."""
        self.depth, self.count = self.depth + 1, self.count + 1
        name = event.data["dispatcher"].py_func.__name__
        self._write(f"solo_env: compiling, this once: kernel {self.count:>3}, {name:<32}")

    def on_end(self, event: Any) -> None:
        """A kernel is compiled; behind the outermost the line is cleared."""
        self.depth -= 1
        if self.depth == 0:
            self._write(" " * 76 + "\r")

    def _write(self, text: str) -> None:
        print(f"\r{text}", end="", file=sys.stderr, flush=True)


@lru_cache(maxsize=1)
def source_digest() -> str:
    """Twelve hex digits over every source file a kernel can depend on."""
    digest = hashlib.sha256(os.environ.get("NUMBA_BOUNDSCHECK", "").encode())
    for package in _SOURCES:
        for path in sorted((_PACKAGE.parent / package).rglob("*.py")):
            text = path.read_bytes()
            if b"@kernel" in text or path.is_relative_to(_PACKAGE):
                digest.update(str(path.relative_to(_PACKAGE.parent)).encode() + b"\0" + text)
    return digest.hexdigest()[:12]


def _is_writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False
