"""Ends connections to peers that are silent, do not read, or send a frame too slowly. A look counts as 2 s at most, so
that a pause of this process is not blamed on the peer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import _layout as wire
from .errors import ConnectionLostError, ErrorCode, HandshakeError, violation

if TYPE_CHECKING:
    from ._core import Core

HANDSHAKE_SECONDS = 10.0
ASK_SECONDS = 15.0
SILENT_SECONDS = 60.0
SLOW_PEER_SECONDS = 30.0
_LONGEST_LOOK = 2.0
_SPAN = 2.5
_LEAST_OF_SPANS = 1280


class Alive:
    """The watch over the peer of one connection."""

    __slots__ = (
        "_core", "now", "_last", "_silent", "_stuck", "_asked", "_heard", "_took", "_span", "_slow_spans", "_slow_bytes",
        "_span_began",
    )  # fmt: skip

    def __init__(self, core: "Core", now: float) -> None:
        self._core = core
        self.now = self._last = now
        self._silent = 0.0  # seconds in which nothing came
        self._stuck = 0.0  # seconds in which the peer took nothing of what is there for it
        self._asked = 0
        self._heard = 0  # bytes from the peer until the last look
        self._took = 0  # bytes to it until then
        self._span = 0.0
        self._span_began = 0  # bytes from the peer when it did
        self._slow_spans = 0
        self._slow_bytes = 0

    def look(self, now: float) -> None:
        core = self._core
        passed = min(now - self._last, _LONGEST_LOOK)
        self._last = self.now = now
        if core.came != self._heard:
            self._heard = core.came
            self._silent = 0.0
            self._asked = 0
        else:
            self._silent += passed
        if core.writer.written != self._took:
            self._took = core.writer.written
            self._stuck = 0.0
        if not core.open:
            self._stuck += passed
            if self._stuck >= HANDSHAKE_SECONDS:
                core.ended(
                    HandshakeError(
                        ErrorCode.HANDSHAKE_TIMEOUT,
                        "the peer did not finish the handshake in time; is it in plain mode?",
                        limit=f"{HANDSHAKE_SECONDS:.0f} s",
                    ),
                    silent=True,
                )
            return
        self._stuck = self._stuck + passed if core.writer.pieces() else 0.0
        if self._stuck >= SLOW_PEER_SECONDS:
            core.ended(
                ConnectionLostError(
                    ErrorCode.SLOW_PEER,
                    "the peer reads nothing of what it is sent",
                    limit=f"{SLOW_PEER_SECONDS:.0f} s",
                ),
                silent=True,
            )
            return
        self._slow_frame(passed)
        self._silence()

    def _silence(self) -> None:
        core = self._core
        assert core.peer is not None
        promised = core.peer.heartbeat_millis / 1000
        limit = max(3 * promised, 1.0) if promised else SILENT_SECONDS
        if self._silent >= limit:
            core.ended(
                ConnectionLostError(
                    ErrorCode.HEARTBEAT_TIMEOUT,
                    "nothing was heard of the peer; it stopped, or the network was cut",
                    limit=f"{limit:g} s",
                ),
                silent=True,
            )
        elif not promised and self._silent >= ASK_SECONDS * (self._asked + 1):
            self._asked += 1
            core.writer.control(wire.PING, tag=self._asked)

    def _slow_frame(self, passed: float) -> None:
        """A frame that was begun comes by a few bytes at a time."""
        if not self._core.reader.inside_frame:
            self._span = 0.0
            self._slow_spans = self._slow_bytes = 0
            self._span_began = self._core.came
            return
        self._span += passed
        if self._span < _SPAN:
            return
        self._span = 0.0
        came = self._core.came - self._span_began
        self._span_began = self._core.came
        if came == 0:
            return
        self._slow_spans += 1
        self._slow_bytes += came
        if self._slow_spans < 4:
            return
        if self._slow_bytes < _LEAST_OF_SPANS:
            self._core.ended(
                violation(
                    ErrorCode.SLOW_FRAME, "a frame was begun and comes too slowly", bytes=self._slow_bytes, seconds=10
                )
            )
        self._slow_spans = self._slow_bytes = 0
