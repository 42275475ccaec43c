"""Runs a command, and says what became of it: the exit status is 0, 1 for what failed, 2 for a wrong command line, 130 for
Ctrl-C."""

from __future__ import annotations

import logging
import signal
import sys
import threading
import traceback
from typing import Any, Optional, Sequence

from ..errors import ArraywireError
from . import _help, _receive, _send
from ._complaints import reason_of, words
from ._console import Console
from ._errors import Usage
from ._parser import nearest, parse, usage_of

_COMMANDS = {"send": _send.run, "receive": _receive.run}
_SWITCHES = {"-h": "help", "--help": "help", "-V": "version", "--version": "version", "--verbose": "verbose"}
_PROGRAM = "python -m arraywire"
_TERMINATED = 143


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Runs the command of these words, or of the command line."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    before = []
    while given and given[0] in _SWITCHES:
        before.append(_SWITCHES[given.pop(0)])
    options = given[: given.index("--")] if "--" in given else given
    switches = {*before, *(_SWITCHES[each] for each in options if each in _SWITCHES)}
    console = Console()
    name = given[0] if given and not given[0].startswith("-") else None
    if "version" in switches:
        from .. import __version__

        console.print(f"arraywire {__version__}")
        return 0
    if "help" in switches or name == "help":
        if name == "help":
            name = given[1] if len(given) > 1 else None
        console.print(_overview() if name not in _COMMANDS else usage_of(name).format_help().rstrip("\n"))
        return 0
    if name not in _COMMANDS:
        return _wrong(console, "arraywire", _PROGRAM, _no_command(name))
    return _Run(console, name, "verbose" in switches).run(given[1:])


def _overview() -> str:
    lines = [f"Usage: {_PROGRAM} [-hV] [--verbose] send|receive", "Sends and receives arrays; the other end may be ./arraywire.", ""]
    lines += [f"  {name:8} {_help.PAGES[name].description}" for name in _COMMANDS]
    return "\n".join(lines)


def _no_command(name: Optional[str]) -> str:
    if name is None:
        return "a command is missing"
    meant = nearest(name, list(_COMMANDS))
    return f"no such command: '{name}'" + (f"; did you mean '{meant}'?" if meant else "")


def _wrong(console: Console, command: str, program: str, text: str) -> int:
    console.complain(f"{command}: {text} (see '{program} --help')")
    return 2


class _Run:
    def __init__(self, console: Console, name: str, verbose: bool) -> None:
        self._console = console
        self._name = name
        self._verbose = verbose
        self._json = False

    def run(self, arguments: Sequence[str]) -> int:
        log = _LogLines(self._console, self._verbose)
        logger = logging.getLogger("arraywire")
        level, propagate = logger.level, logger.propagate
        logger.addHandler(log)
        logger.setLevel(logging.DEBUG if self._verbose else logging.WARNING)
        logger.propagate = False
        handler = _on_termination()
        try:
            return self._run(arguments)
        finally:
            logger.removeHandler(log)
            logger.setLevel(level)
            logger.propagate = propagate
            if handler is not None:
                signal.signal(signal.SIGTERM, handler)

    def _run(self, arguments: Sequence[str]) -> int:
        self._json = "--json" in arguments
        try:
            options = parse(self._name, arguments)
            if options.out == "-":
                self._console = Console(self._console.err, self._console.err)
            _COMMANDS[self._name](options, self._console)
            return 0
        except Usage as error:
            self._tell(2, str(error), None)
            return _wrong(self._console, f"arraywire {self._name}", f"{_PROGRAM} {self._name}", str(error))
        except KeyboardInterrupt:
            return 130
        except Exception as error:
            text = words(error)
            self._tell(1, text, reason_of(error))
            self._console.complain(f"arraywire {self._name}: {text}")
            if self._verbose:
                self._console.draw("".join(traceback.format_exception(type(error), error, error.__traceback__)))
            return 1

    def _tell(self, status: int, message: str, error: Optional[Exception]) -> None:
        """For programs, which read standard output and no sentences."""
        if not self._json:
            return
        known = error if isinstance(error, ArraywireError) else None
        self._console.event(
            event="failed",
            command=f"arraywire {self._name}",
            status=status,
            code=None if known is None or known.code is None else known.code.name,
            message=message,
            facts={} if known is None else {name: _plain(value) for name, value in known.facts.items()},
        )


def _plain(value: Any) -> Any:
    return value if value is None or isinstance(value, (bool, int, float, str)) else str(value)


def _on_termination() -> Any:
    """A process that is told to end removes what is hidden, as with Ctrl-C. What handled that before; None in another
    thread."""
    if threading.current_thread() is not threading.main_thread():
        return None

    def end(number: int, frame: object) -> None:
        raise SystemExit(_TERMINATED)

    return signal.signal(signal.SIGTERM, end)


class _LogLines(logging.Handler):
    """Turns what the library logs into single lines: warnings only, without stack traces; with --verbose everything."""

    def __init__(self, console: Console, verbose: bool) -> None:
        super().__init__()
        self._console = console
        self._verbose = verbose

    def emit(self, record: logging.LogRecord) -> None:
        line = record.getMessage()
        error = record.exc_info[1] if record.exc_info else None
        if error is not None and str(error) not in line:
            line += f": {error}"
        self._console.complain(f"arraywire: {record.levelname.lower()}: {line}")
        if self._verbose and record.exc_info:
            self._console.draw("".join(traceback.format_exception(*record.exc_info)))
