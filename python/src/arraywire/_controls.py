"""What a control frame does once its header was checked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Callable, Dict

from . import _layout as wire
from ._attributes import Fault
from ._layout import Header
from ._streams import ACKNOWLEDGED, FAILED, Outbound, Outgoing
from .errors import ArraywireError, ErrorCode, PeerError, RejectedError, printable, violation

if TYPE_CHECKING:
    from ._core import Core

_MOST = (1 << 63) - 1


class Controls:
    """The control frames of one connection."""

    __slots__ = ("_core", "_takers")

    def __init__(self, core: "Core") -> None:
        self._core = core
        subscriptions = core.subscriptions
        self._takers: Dict[int, Callable[[Header, bytes], None]] = {
            wire.ACK: self._ack,
            wire.CREDIT: self._credit,
            wire.PING: self._ping,
            wire.PONG: lambda frame, body: core.flood.count(),
            wire.ERROR: self._error,
            wire.GOODBYE: self._goodbye,
            wire.ABORT: self._abort,
            wire.REJECTED: self._rejected,
            wire.CANCEL: lambda frame, body: core.requests.cancelled(frame.tag),
            wire.SUBSCRIBE: subscriptions.take_subscribe,
            wire.SUBSCRIBED: subscriptions.take_subscribed,
            wire.UNSUBSCRIBE: subscriptions.take_unsubscribe,
            wire.UNSUBSCRIBED: subscriptions.take_unsubscribed,
        }

    def take(self, frame: Header, body: bytes) -> None:
        self._takers[frame.type](frame, body)

    # --- Acknowledgements ---

    def acknowledged_low(self, stream: Outbound, low: int) -> None:
        """Flag bit 1: the low 32 bits of a sequence."""
        waiting = stream.waiting
        if len(waiting) == 1 and waiting[0].sequence & 0xFFFFFFFF == low:
            outgoing = waiting.popleft()
            if outgoing.kept is None and outgoing.error is None:
                outgoing.state = ACKNOWLEDGED
            else:
                self._settle(outgoing)
            return
        base = stream.base()
        difference = (low - base) & 0xFFFFFFFF
        if difference >= 1 << 31:
            difference -= 1 << 32
        self._acknowledged(stream, base + difference)

    def _ack(self, frame: Header, body: bytes) -> None:
        self._core.flood.answer()
        self._acknowledged(self._core.outbound(frame.channel), frame.sequence)

    def _acknowledged(self, stream: Outbound, sequence: int) -> None:
        if sequence > stream.last_whole():
            raise violation(
                ErrorCode.PROTOCOL_VIOLATION,
                "an array was acknowledged that was not sent",
                sequence=sequence,
                sent=stream.last_whole(),
            )
        waiting = stream.waiting
        while waiting and waiting[0].sequence <= sequence:
            self._settle(waiting.popleft())

    def _settle(self, outgoing: Outgoing) -> None:
        outgoing.state = ACKNOWLEDGED
        if outgoing.kept is not None and self._core.session is not None:
            self._core.session.settled(outgoing.kept, None)
        if outgoing.error is not None:
            self._core.settled(outgoing)

    def _rejected(self, frame: Header, body: bytes) -> None:
        core = self._core
        stream = core.outbound(frame.channel)
        if not 0 < frame.sequence <= stream.last_whole():
            raise violation(
                ErrorCode.PROTOCOL_VIOLATION,
                "an array was refused that was not sent",
                sequence=frame.sequence,
                sent=stream.last_whole(),
            )
        stream.refused += 1
        if stream.refused > stream.sequence:
            raise violation(
                ErrorCode.PROTOCOL_VIOLATION,
                "more arrays were refused than were sent",
                refused=stream.refused,
                sent=stream.sequence,
            )
        fault = Fault.decode(body)
        for outgoing in stream.waiting:
            if outgoing.sequence == frame.sequence:
                stream.waiting.remove(outgoing)
                outgoing.state = FAILED
                outgoing.error = RejectedError(
                    fault.code, printable(fault.text) or "the peer refused the array", sequence=frame.sequence
                )
                if outgoing.kept is not None and core.session is not None:
                    core.session.settled(outgoing.kept, outgoing.error)
                core.settled(outgoing)
                return

    # --- Credit ---

    def _credit(self, frame: Header, body: bytes) -> None:
        core = self._core
        core.flood.answer()
        stream = core.outbound(frame.channel)
        for allowed, before in ((frame.tag, stream.allowed), (frame.element_count, core.allowed)):
            if not before <= allowed <= _MOST:
                raise violation(
                    ErrorCode.PROTOCOL_VIOLATION,
                    "credit went back, or beyond what a number can hold",
                    allowed=allowed,
                    before=before,
                )
        stream.allowed = frame.tag
        core.allowed = frame.element_count

    # --- The rest ---

    def _ping(self, frame: Header, body: bytes) -> None:
        self._core.flood.count()
        self._core.writer.control(wire.PONG, tag=frame.tag)

    def _error(self, frame: Header, body: bytes) -> None:
        try:
            fault = Fault.decode(body)
        except ArraywireError:  # It is the peer's last word all the same, and is not answered.
            fault = Fault(int(ErrorCode.INTERNAL), "its reason cannot be read")
        number = {} if fault.number in set(ErrorCode) else {"number": fault.number}
        self._core.ended(
            PeerError(fault.code, f"the peer ended the connection: {printable(fault.text)}", **number), silent=True
        )

    def _goodbye(self, frame: Header, body: bytes) -> None:
        core = self._core
        if core.peer_goodbye:
            core.flood.count()
            return
        if any(stream.arriving is not None for stream in core.inbounds.values()):
            raise violation(ErrorCode.PROTOCOL_VIOLATION, "the peer said goodbye inside an array")
        core.take_goodbye()

    def _abort(self, frame: Header, body: bytes) -> None:
        core = self._core
        stream = core.inbound(frame.channel)
        array = stream.arriving
        if array is None or array.sequence != frame.sequence:
            raise violation(
                ErrorCode.PROTOCOL_VIOLATION,
                "an array was withdrawn that is not arriving",
                channel=frame.channel,
                sequence=frame.sequence,
            )
        if array.came < 512:
            core.flood.count()
        core.withdrawn(array)
