"""Counts frames that change nothing; see "Frames without effect" in docs/protocol.md."""

from __future__ import annotations

from .errors import ErrorCode, violation

_BEARABLE = 200
_SPAN = 30.0


class Flood:
    """The count of one connection, over 30 s at a time."""

    __slots__ = ("_limit", "_counted", "_eighths", "_since", "_clock", "_cover", "_most_cover")

    def __init__(self, now: float, heartbeat_millis: int, connection_credit: int) -> None:
        promised = 30_000 // max(heartbeat_millis, 10) if heartbeat_millis else 0
        self._limit = _BEARABLE + 3 * promised
        self._counted = 0
        self._eighths = 0
        self._since = self._clock = now
        self._cover = 0  # in 64ths of credit: answers that arrays of this side account for
        self._most_cover = max(connection_credit // 64, 64)

    def at(self, now: float) -> None:
        self._clock = now

    def sent(self, cost: int) -> None:
        """An array of this side covers answers."""
        cover = self._cover + (cost // 64 or 1)
        self._cover = cover if cover < self._most_cover else self._most_cover

    def answer(self) -> None:
        """An ACK or CREDIT."""
        if self._cover:
            self._cover -= 1
        else:
            self.count()

    def eighth(self) -> None:
        """A frame of which eight count as one."""
        self._eighths += 1
        if self._eighths == 8:
            self._eighths = 0
            self.count()

    def count(self) -> None:
        if self._clock - self._since >= _SPAN:
            self._since, self._counted = self._clock, 0
        self._counted += 1
        if self._counted > self._limit:
            raise violation(
                ErrorCode.CONTROL_FLOOD,
                "the peer sent more frames that change nothing than it can have a use for",
                frames=self._counted,
                limit=self._limit,
                seconds=int(_SPAN),
            )
