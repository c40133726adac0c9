"""A player in a process of its own: any program that answers a line of JSON with a line of JSON.

The spec is ``process:COMMAND,key=value,...``: the command as a shell would split it, without a comma, so anything
longer goes into a script. The program is started at the first decision, once in every process that decides, with no
shell between; it reads standard input and answers each line at once with one line on standard output, flushed:

    in    {"hello":1,"ruleset":"pagat","rules":{"deal.packets":[3,3,3,3,1],...},"actions":["C2",...]}
    out   {"hello":1}
    in    {"view":{...},"seed":123456789,"explain":false}
    out   {"action":"SA"}

1 is the version of this protocol; lines are ASCII without spaces, their keys in this order. ``view`` is
``View.as_json()``: what the seat may know, actions and cards by name, ``view.legal`` what may be answered. ``seed``
(0 .. 2**31 - 1) is drawn from the decision key: a program that draws lots from nothing else plays the same in every
match. Where ``explain`` is true somebody will read a ``"why":"..."`` beside the action. What the program writes on
standard error is kept from the terminal; its last line is told when it fails. End of input is the sign to end; a
second later the program is killed.

A program fails when it answers late, ends, says what is no answer, or names an action that is not open. What then:

    on_failure=error    (so it is unless said) a ``PlayerError`` that quotes it ends the match
    on_failure=lowest   the open action with the lowest number is taken for it: PASS in the auction. The first
                        failure is told on standard error, and at the end how many there were

Except after an action that was merely not open the program is killed, with all it has started, and started anew at
the next decision: at most ``restarts`` times, after which it is asked no more.
"""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time
import weakref
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from solo_env import actions
from solo_env.engine.bits import key_below
from solo_env.player import BatchPlayer, PlayerError, check_asked
from solo_env.rules import Ruleset
from solo_env.rules.model import FrozenTable
from solo_env.view import View

PROTOCOL = 1
MAX_ANSWER = 1 << 16  # bytes in a line
KEPT_ERRORS = 1 << 12  # bytes of standard error
QUOTED = 80  # characters of an answer or of standard error in a message
GRACE = 1.0  # seconds between the end of input and the end
MAX_TIMEOUT = 86_400.0
ON_FAILURE = ("error", "lowest")


class _FailureError(Exception):
    """The program failed; the message is the end of a sentence that begins with its command."""


class _NotOpenError(_FailureError):
    """The program answered well, but not with an action that is open."""


class _Program:
    """The program while it runs."""

    def __init__(self, command: list[str]) -> None:
        try:
            self.process = subprocess.Popen(
                command,
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,  # so that what it starts can be killed with it
            )
        except OSError as error:
            raise _FailureError(f"cannot be started: {error.strerror}") from None
        self.owner = os.getpid()
        self.said, self.errors = b"", b""
        for pipe in self._pipes():
            os.set_blocking(pipe.fileno(), False)

    def _pipes(self) -> list[IO[bytes]]:
        process = self.process
        return [pipe for pipe in (process.stdin, process.stdout, process.stderr) if pipe is not None]

    def ask(self, message: dict[str, Any], seconds: float) -> dict[str, Any]:
        """The answer to a message, an object.

        Raises:
            _FailureError: none came in time, the program ended, or what it says is no answer.
        """
        line = json.dumps(message, separators=(",", ":")).encode() + b"\n"
        answer = self._exchange(line, seconds)
        try:
            given = json.loads(answer)
        except (ValueError, RecursionError):
            given = None
        if not isinstance(given, dict):
            raise _FailureError(f"answered {_quoted(answer)}, which is no JSON object")
        return given

    def _exchange(self, line: bytes, seconds: float) -> bytes:
        """Write a line and read one, until ``seconds`` are over; standard error is emptied meanwhile."""
        deadline, left = time.monotonic() + seconds, memoryview(line)
        stdin, stdout, stderr = self._pipes()
        self.said += _read(stdout) or b""
        if self.said.strip():
            raise _FailureError(f"said {_quoted(self.said)} without being asked")
        self.said = b""
        with selectors.DefaultSelector() as selector:
            selector.register(stdin, selectors.EVENT_WRITE)
            selector.register(stdout, selectors.EVENT_READ)
            selector.register(stderr, selectors.EVENT_READ)
            while b"\n" not in self.said:
                if len(self.said) > MAX_ANSWER:
                    raise _FailureError(f"answered {_quoted(self.said)}, and no end of the line")
                waiting = deadline - time.monotonic()
                ready = {key.fileobj for key, _ in selector.select(waiting)} if waiting > 0 else set()
                if waiting <= 0:
                    raise _FailureError(f"gave no answer within {seconds:g} s")
                if stdin in ready:
                    try:
                        left = left[os.write(stdin.fileno(), left) :]
                    except BlockingIOError:
                        continue
                    except OSError:  # it reads no more: that it has ended is seen at its output
                        left = left[:0]
                    if not left:
                        selector.unregister(stdin)
                if stderr in ready and not self._keep_errors():
                    selector.unregister(stderr)
                if stdout in ready:
                    data = _read(stdout)
                    if data == b"":
                        raise _FailureError(self._ending())
                    self.said += data or b""
        answer, _, self.said = self.said.partition(b"\n")
        return answer

    def _keep_errors(self) -> bool:
        """Read what is on standard error, and keep its end; returns whether more may come."""
        data = _read(self._pipes()[2])
        self.errors = (self.errors + (data or b""))[-KEPT_ERRORS:]
        return data != b""

    def _ending(self) -> str:
        """How the program has ended, or that it has closed its output only."""
        try:
            code = self.process.wait(GRACE)
        except subprocess.TimeoutExpired:
            return "closed its output"
        return f"was ended by signal {-code}" if code < 0 else f"ended with exit code {code}"

    def last_error(self) -> str:
        """The last line on standard error, "" where there is none."""
        for _ in range(64):  # a pipe's worth: one that goes on writing is not waited for
            before = self.errors
            if not self._keep_errors() or self.errors == before:
                break
        lines = self.errors.decode("utf-8", "replace").split("\n")
        return next((" ".join(line.split()) for line in reversed(lines) if line.strip()), "")

    def end(self, grace: float = 0.0) -> None:
        """Close its input, and kill it with all it has started unless it ends within ``grace`` seconds."""
        process = self.process
        if os.getpid() != self.owner:  # it belongs to the process that this one was forked from
            process.returncode = 0
            grace = 0.0
        elif grace and process.stdin is not None:
            process.stdin.close()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(grace)
        if os.getpid() == self.owner:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        for pipe in self._pipes():
            pipe.close()


class ProcessPlayer(BatchPlayer):
    """Asks a program for every decision; see the head of this module.

    Args:
        ruleset: what is played; the program is told its name and every key.
        path: the command, split as a shell splits it.
        timeout: seconds for a decision.
        start: seconds for the answer to the first line.
        on_failure: "error" or "lowest".
        restarts: how often a program that was killed is started anew.

    ``decisions`` and ``failures`` count. A player may be pickled or forked: each process starts a program of its
    own.
    """

    def __init__(
        self,
        ruleset: str | Ruleset = "pagat",
        path: str = "",
        timeout: str | float = 5.0,
        start: str | float = 10.0,
        on_failure: str = "error",
        restarts: str | int = 3,
    ) -> None:
        super().__init__(ruleset)
        self.command = _command(path)
        self.timeout, self.start = _seconds("timeout", timeout), _seconds("start", start)
        if on_failure not in ON_FAILURE:
            raise PlayerError(f"on_failure is {on_failure!r}; it must be error or lowest.")
        self.on_failure = on_failure
        if not str(restarts).isdecimal():
            raise PlayerError(f"restarts is {restarts!r}; it must be a whole number of at least 0.")
        self.restarts = int(restarts)
        self._reset()

    def _reset(self) -> None:
        """Nothing asked and nothing running, as before the first decision in this process."""
        self.counts = {"decisions": 0, "failures": 0}
        self._program: _Program | None = None
        self._starts = 0
        self._owner = os.getpid()
        self._lock = threading.Lock()
        self._end: weakref.finalize[Any, Any] | None = None

    def __getstate__(self) -> dict[str, Any]:
        """Everything but the program and what guards it."""
        left_out = ("counts", "_program", "_starts", "_owner", "_lock", "_end")
        return {name: value for name, value in self.__dict__.items() if name not in left_out}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._reset()

    def act_batch(self, views: NDArray[np.void], keys: NDArray[np.int64], out: NDArray[np.int64]) -> None:
        """Ask for one view after another; see :class:`~solo_env.player.Player`.

        Raises:
            PlayerError: the program failed, and ``on_failure`` is "error".
        """
        for b in range(len(views)):
            out[b], _ = self._decide(View(views[b]), int(keys[b]), explain=False)

    def explain(self, view: View) -> str:
        """The action chosen, and why, if the program says so."""
        check_asked(view)
        action, why = self._decide(view, 0, explain=True)
        legal = ", ".join(actions.text(a) for a in view.legal_actions())
        return f"{self.name} chooses {actions.text(action)} from {legal}{f': {why}' if why else ''}."

    def close(self, grace: float = GRACE) -> None:
        """End the program, killing it unless it ends within ``grace`` seconds; a later decision starts it anew."""
        if self._program is not None:
            self._program.end(grace)
        if self._end is not None:
            self._end.detach()
        self._program = self._end = None

    @property
    def decisions(self) -> int:
        """How many decisions this process has asked for."""
        return self.counts["decisions"]

    @property
    def failures(self) -> int:
        """In how many of them the program failed."""
        return self.counts["failures"]

    def _decide(self, view: View, key: int, explain: bool) -> tuple[int, str]:
        """An action that is open, and why."""
        if self._owner != os.getpid():
            self.close()
            self._reset()
        with self._lock:
            self.counts["decisions"] += 1
            message = {"view": view.as_json(), "seed": int(key_below(key, 1 << 31)), "explain": explain}
            try:
                answer = self._running().ask(message, self.timeout)
                return _open_action(answer, view), " ".join(str(answer.get("why") or "").split()).rstrip(".")
            except _FailureError as failure:
                return self._failed(failure, view), ""
            except BaseException:  # such as Ctrl-C: what it says later would answer another question
                self.close(grace=0.0)
                raise

    def _running(self) -> _Program:
        """The program, started if it isn't running."""
        if self._program is None:
            if self._starts > self.restarts:
                raise _FailureError(f"was started {self._starts} times, and is asked no more")
            self._starts += 1
            self._program = _Program(self.command)
            self._end = weakref.finalize(self, _Program.end, self._program, GRACE)
            answer = self._program.ask(_hello(self.ruleset), self.start)
            if answer.get("hello") != PROTOCOL:
                raise _FailureError(f'answered {_quoted(json.dumps(answer))} to the first line; say {{"hello": 1}}')
        return self._program

    def _failed(self, failure: _FailureError, view: View) -> int:
        """The lowest open action, taken for a program that failed; an error where that is not wanted."""
        told = f"{shlex.join(self.command)} {failure}"
        last = "" if self._program is None else self._program.last_error()
        if last:
            told += f"; its standard error ends: {_quoted(last.rstrip('.'))}"
        if not isinstance(failure, _NotOpenError):
            self.close(grace=0.0)
        self.counts["failures"] += 1
        if self.on_failure == "error":
            raise PlayerError(f"{told}.")
        action = view.legal_actions()[0]
        if self.failures == 1:
            _tell(
                f"player {self.name!r}: {told}; {actions.text(action)} is taken for it, and so on without a word."
            )
            weakref.finalize(self, _tell_failures, self.name, self.counts, os.getpid())
        return action


def _hello(ruleset: Ruleset) -> dict[str, Any]:
    """The first line: the version of the protocol, the rules and the names of the actions."""
    keys = [(key, value) for key, value, _, _ in ruleset.items()]
    return {
        "hello": PROTOCOL,
        "ruleset": ruleset.name,
        "rules": {key: dict(value) if isinstance(value, FrozenTable) else value for key, value in keys},
        "actions": [row.name for row in actions.TABLE],
    }


def _open_action(answer: dict[str, Any], view: View) -> int:
    """The action of an answer."""
    name = answer.get("action")
    if not isinstance(name, str):
        raise _FailureError(f'answered {_quoted(json.dumps(answer))}, which has no "action" in text')
    for action in view.legal_actions():
        if actions.text(action) == name:
            return action
    # What is open is not told: it is of a hidden hand, and a person at the table may read this.
    raise _NotOpenError(f"chose {_quoted(name)}, which is not open; view.legal says what is")


def _tell(text: str) -> None:
    print(f"solo_env: {text}", file=sys.stderr, flush=True)


def _tell_failures(name: str, counts: dict[str, int], owner: int) -> None:
    """How often a player failed, when it goes."""
    if os.getpid() == owner and counts["failures"] > 1:
        _tell(f"player {name!r} failed in {counts['failures']} of {counts['decisions']} decisions.")


def _read(pipe: IO[bytes]) -> bytes | None:
    """What a pipe holds now: None if nothing yet, b"" at its end."""
    try:
        return os.read(pipe.fileno(), 1 << 16)
    except BlockingIOError:
        return None


def _quoted(said: bytes | str) -> str:
    """What was said, in quotes and not too long."""
    text = said.decode("utf-8", "replace") if isinstance(said, bytes) else said
    text = text.strip()
    return repr(text if len(text) <= QUOTED else f"{text[:QUOTED]} ...")


def _command(path: str) -> list[str]:
    """The words of a command whose program is there."""
    if os.name != "posix":
        raise PlayerError("a player in a process of its own needs a POSIX system, such as Linux or macOS.")
    try:
        command = shlex.split(path)
    except ValueError as error:
        raise PlayerError(f"the command {path!r} cannot be split into words: {error}.") from None
    if not command:
        raise PlayerError("no command is given; name a program, as in process:./player.pl.")
    if shutil.which(command[0]) is None:
        raise PlayerError(
            f"there is no program {command[0]!r}, or it may not be executed; a script that isn't executable is "
            "run by its interpreter, as in process:perl player.pl."
        )
    return command


def _seconds(name: str, given: str | float) -> float:
    """An option in seconds."""
    try:
        seconds = float(given)
    except ValueError:
        seconds = 0.0
    if not 0.0 < seconds <= MAX_TIMEOUT:
        raise PlayerError(f"{name} is {given!r}; it must be seconds, more than 0 and at most {MAX_TIMEOUT:g}.")
    return seconds
