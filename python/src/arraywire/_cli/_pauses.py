"""Waits between attempts: for a receiver that is not up yet, or has no room now."""

from __future__ import annotations

import time
from typing import Callable, TypeVar

from ..connection import Connection
from ..errors import ArraywireError, ConnectError, ErrorCode
from ._complaints import words

T = TypeVar("T")
_FIRST, _LONGEST = 0.05, 1.0
#: How a receiver says that it has no room now and may have it later: a refusal that ends nothing.
NO_ROOM = (ErrorCode.TOO_MANY_REQUESTS, ErrorCode.MEMORY_BUDGET)


class Pauses:
    """Each twice as long as the one before, at most a second, until a time limit that begins now; zero for one attempt."""

    def __init__(self, limit: float) -> None:
        self._end = time.monotonic() + limit
        self._following = _FIRST

    def pause(self) -> bool:
        """Waits before another attempt; False, at once, if the time is over."""
        left = self._end - time.monotonic()
        if left <= 0:
            return False
        time.sleep(min(self._following, left))
        self._following = min(2 * self._following, _LONGEST)
        return True


class RoomWait:
    """``note`` is told once, in a line, what is repeated and for how long."""

    def __init__(self, limit: float, note: Callable[[str], None]) -> None:
        self._limit = limit
        self._pauses = Pauses(limit)
        self._note = note
        self._noted = False

    def is_worth_another(self, connection: Connection, shown: str, error: ArraywireError) -> bool:
        """Waits before another attempt; False, at once, if that has no prospect."""
        if error.code not in NO_ROOM or not connection.open:
            return False
        if not self._noted and self._limit:
            self._noted = True
            self._note(
                f"the receiver has no room for {shown} now and is asked again for up to {self._limit:g} s ({words(error)})"
            )
        return self._pauses.pause()


def connected(dial: Callable[[], T], patience: float) -> T:
    """Tries until somebody listens there, or the time is over."""
    pauses = Pauses(patience)
    while True:
        try:
            return dial()
        except ConnectError as error:
            if error.code is not ErrorCode.CONNECT_FAILED or not pauses.pause():
                raise
