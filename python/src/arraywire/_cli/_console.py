"""Where a command writes. Lines of several threads do not mix."""

from __future__ import annotations

import contextlib
import json
import math
import os
import queue
import re
import sys
import threading
from typing import Any, Callable, Optional, TextIO

_CONTROLS = re.compile("\\s*[\x00-\x1f\x7f-\x9f\u2028\u2029]+\\s*")
_MOST_REPORTS = 1000


class Console:
    """Results go to ``out``, errors and progress to ``err``. Without an error: a reader that has gone ends nothing here."""

    def __init__(self, out: Optional[TextIO] = None, err: Optional[TextIO] = None) -> None:
        self.out = out or sys.stdout
        self.err = err or sys.stderr
        self._lock = threading.Lock()
        self._err_lock = self._lock if self.out is self.err else threading.Lock()

    @property
    def watched(self) -> bool:
        """Whether somebody watches standard error."""
        with contextlib.suppress(ValueError, AttributeError):
            return self.err.isatty()
        return False

    def print(self, line: str) -> None:
        """One line, which leaves the process now: the reader of a pipe waits for it."""
        with self._lock:
            self._write(self.out, line + "\n")

    def complain(self, line: str) -> None:
        """One line on standard error, without control characters, which may come from a file or a peer."""
        with self._err_lock:
            self._write(self.err, _CONTROLS.sub(" ", line.strip()) + "\n")

    def draw(self, text: str) -> None:
        """On standard error, where it stands."""
        with self._err_lock:
            self._write(self.err, text)

    @staticmethod
    def _write(stream: TextIO, text: str) -> None:
        try:
            stream.write(text)
            stream.flush()
        except UnicodeEncodeError:
            stream.write(text.encode("ascii", "backslashreplace").decode())
            stream.flush()
        except (OSError, ValueError):
            _forget(stream)

    def event(self, **facts: Any) -> None:
        self.print(json_text(facts))


def _forget(stream: TextIO) -> None:
    """What is written to it from now on goes nowhere: its reader has gone, and Python would complain when it ends."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def json_text(facts: Any) -> str:
    """One line in ASCII. A number that is not finite becomes null: the value is not known."""
    known = {
        name: None if isinstance(value, float) and not math.isfinite(value) else value for name, value in facts.items()
    }
    return json.dumps(known, default=str)


class Reports:
    """Tells failures of peers on a thread of its own: what moves arrays does not wait for who reads them. At most 1,000
    wait; further ones are counted."""

    def __init__(self, dropped: Callable[[int], None]) -> None:
        self._dropped = dropped
        self._waiting: "queue.Queue[Optional[Callable[[], None]]]" = queue.Queue(_MOST_REPORTS)
        self._untold = 0
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._run, name="arraywire-reports", daemon=True)
        self._thread.start()

    def tell(self, report: Callable[[], None]) -> None:
        """Soon, unless too many wait."""
        try:
            self._waiting.put_nowait(report)
        except queue.Full:
            with self._lock:
                self._untold += 1

    def _run(self) -> None:
        while True:
            report = self._waiting.get()
            if report is None:
                return
            report()
            with self._lock:
                count, self._untold = self._untold, 0
            if count:
                self._dropped(count)

    def close(self, seconds: float = 1.0) -> None:
        """Waits a moment for what was handed in before."""
        with contextlib.suppress(queue.Full):
            self._waiting.put(None, timeout=seconds)
        self._thread.join(seconds)
