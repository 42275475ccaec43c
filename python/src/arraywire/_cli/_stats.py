"""What ``receive --stats`` shows on standard error: one line that is drawn again where it stood if somebody watches, otherwise
a line each time. Any thread."""

from __future__ import annotations

import threading
import time
from typing import Callable, NamedTuple

from ._console import Console
from ._words import megabytes_per_second, shown_bytes, significant

COLUMNS = 79


class Snapshot(NamedTuple):
    """What has come so far, and what is there now."""

    arrays: int
    bytes: int
    connections: int
    waiting: int
    waiting_bytes: int
    refused: int
    failed: int


def line_of(before: Snapshot, now: Snapshot, seconds: float) -> str:
    """What has happened from one moment to another."""
    rate = (now.arrays - before.arrays) / max(seconds, 1e-9)
    moved = megabytes_per_second(now.bytes - before.bytes, seconds)
    line = (
        f"{significant(rate)} arrays/s, {significant(moved)} MB/s, {now.arrays} {'array' if now.arrays == 1 else 'arrays'},"
        f" connections {now.connections}, waiting {now.waiting} ({shown_bytes(now.waiting_bytes)})"
    )
    for name, count in (("refused", now.refused), ("failed", now.failed)):
        if count:
            line += f", {name} {count}"
    return line


class StatsLine:
    """Drawn every so many seconds from its start on, until it is closed."""

    def __init__(self, console: Console, look: Callable[[], Snapshot], seconds: int) -> None:
        self._console = console
        self._look = look
        self._seconds = seconds
        self._watched = console.watched
        self._lock = threading.Lock()
        self._last = Snapshot(0, 0, 0, 0, 0, 0, 0)
        self._last_at = time.monotonic()
        self._drawn = 0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="arraywire-stats", daemon=True)

    def start(self) -> None:
        self._last_at = time.monotonic()
        self._thread.start()

    def _run(self) -> None:
        while not self._over.wait(self._seconds):
            self.show()

    def show(self) -> None:
        with self._lock:
            now, at = self._look(), time.monotonic()
            line = line_of(self._last, now, at - self._last_at)
            self._last, self._last_at = now, at
            if not self._watched:
                self._console.complain(line)
                return
            line = line[:COLUMNS]
            self._console.draw("\r" + line + " " * max(0, self._drawn - len(line)))
            self._drawn = len(line)

    def wipe(self) -> None:
        """So that a line can be printed where it stood; it comes back below."""
        with self._lock:
            if self._drawn:
                self._console.draw("\r" + " " * self._drawn + "\r")
                self._drawn = 0

    def close(self) -> None:
        if self._thread.is_alive():
            self._over.set()
            self._thread.join()
            self.show()
        with self._lock:
            if self._drawn:
                self._console.draw("\n")
                self._drawn = 0
