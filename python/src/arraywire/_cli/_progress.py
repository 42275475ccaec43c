"""A line of progress for what takes longer than a second, if somebody watches: a bar, in which ``=`` was there before, how much
of how much, the rate since the start, and the time left. Any thread."""

from __future__ import annotations

import math
import threading
import time
from typing import Callable

from ._console import Console
from ._words import significant

_COLUMNS = 79
_BAR_COLUMNS, _LEAST_BAR_COLUMNS = 20, 4
_DELAY_SECONDS, _UPDATE_SECONDS = 1.0, 0.2
_MIB = 1 << 20


def line_of(done: int, total: int, skipped: int, seconds: float, columns: int = _COLUMNS) -> str:
    """The line when so much of all has been done in so long; the bar leaves room for the words."""
    line = _line(done, total, skipped, seconds, _BAR_COLUMNS)
    bar = max(_LEAST_BAR_COLUMNS, _BAR_COLUMNS + columns - len(line))
    return (_line(done, total, skipped, seconds, bar) if bar < _BAR_COLUMNS else line)[:columns]


def _line(done: int, total: int, skipped: int, seconds: float, bar: int) -> str:
    part = 1.0 if not total else min(1.0, done / total)
    filled = int(part * bar)
    before = min(done, skipped)
    there = int(before / total * bar) if total else 0
    rate = (done - before) / max(seconds, 1e-3)
    left = "?" if rate <= 0 or done > total else _clock(math.ceil((total - done) / rate))
    drawn = "=" * there + "#" * (filled - there) + " " * (bar - filled)
    return (
        f"sending [{drawn}] {int(100 * part):3d} %  {done // _MIB} of {total // _MIB} MiB  {significant(rate / _MIB)} MiB/s"
        f"  {left} left"
    )


def _clock(seconds: int) -> str:
    if seconds < 3600:
        return f"{seconds // 60}:{seconds % 60:02d}"
    return f"{seconds // 3600}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"


class Progress:
    """``now`` says how much has left of what is being sent; ``add`` counts what is done for good."""

    def __init__(self, console: Console, total: int) -> None:
        self._console = console
        self._total = total
        self.now: Callable[[], int] = lambda: 0
        self._done = self._skipped = 0
        self._began = time.monotonic()
        self._lock = threading.Lock()
        self._drawn = False
        self._over = threading.Event()
        if console.watched:
            threading.Thread(target=self._run, name="arraywire-progress", daemon=True).start()

    def _run(self) -> None:
        seconds = _DELAY_SECONDS
        while not self._over.wait(seconds):
            seconds = _UPDATE_SECONDS
            with self._lock:
                if self._over.is_set():
                    return
                done = self._done + self.now()
                line = line_of(done, self._total, self._skipped, time.monotonic() - self._began)
                self._console.draw("\r" + line.ljust(_COLUMNS))
                self._drawn = True

    def add(self, count: int) -> None:
        """So much has been sent, and ``now`` no longer has it."""
        with self._lock:
            self._done += count
            self.now = lambda: 0

    def skip(self, count: int) -> None:
        """So much was there before: it counts as done, and not for the rate."""
        with self._lock:
            self._done += count
            self._skipped += count

    def unskip(self, count: int) -> None:
        """It has to be found out again."""
        self.skip(-count)

    def wipe(self) -> None:
        """So that a line can be printed where it stood; it comes back below."""
        with self._lock:
            if self._drawn:
                self._console.draw("\r" + " " * _COLUMNS + "\r")
                self._drawn = False

    def close(self) -> None:
        self._over.set()
        self.wipe()
