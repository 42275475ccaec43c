"""Requests that this side made, and those that it took."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Deque, Dict, Mapping, Optional

from . import _layout as wire
from ._attributes import REPLY, REQUEST, Attributes, Fault, number_of
from ._elements import Elements
from ._streams import WHOLE, Outgoing, Pending, Received
from ._types import ElementType
from ._writer import Write, later
from .errors import ConnectionClosedError, ErrorCode, RequestFailedError, printable, violation

if TYPE_CHECKING:
    from ._core import Core

MAX_OPEN = 1024


class Requests:
    """Those of one connection, both ways."""

    __slots__ = (
        "_core", "_number", "_sent", "_pending", "_highest", "_came", "_cancels", "_open", "_replies", "inbox",
        "answering",
    )  # fmt: skip

    def __init__(self, core: "Core") -> None:
        self._core = core
        self._number = 0  # the last one used
        self._sent = 0  # requests that were sent whole
        self._replies = 0
        self._pending: Dict[int, Pending] = {}
        self._highest = 0  # number that came
        self._came = 0
        self._cancels = 0
        self._open: Dict[int, Received] = {}  # taken from the peer, not answered
        self.inbox: Deque[Received] = deque()
        self.answering = False  # whether the program answers requests

    @property
    def idle(self) -> bool:
        """Whether there is none, either way."""
        return not self._pending and not self._open

    # --- Made here ---

    def make(self, elements: Elements, tag: int, metadata: Mapping[str, str], channel: int, write: Write = later) -> Pending:
        core = self._core
        stream = core.outbound(core.channel(channel) if channel != 0 else 0)
        self._number = number = self._number + 1
        if elements.shape or metadata or elements.parts:
            attributes = Attributes(elements.shape, metadata, 0, number, 0, None, 0, elements.parts).encoded()
        else:
            attributes = number_of(REQUEST, number)
        outgoing = core.send(stream, elements, tag, attributes, write)
        self._pending[number] = outgoing.pending = pending = Pending(number, outgoing)
        if outgoing.state >= WHOLE:
            self._sent += 1
            if len(self._pending) == 1:
                # Nobody else's reply comes before, and there is time to look ahead until it comes.
                core.reader.whole.look_ahead(outgoing, number)
                core.writer.look_ahead(outgoing, core.inbound(channel))
        return pending

    def sent_whole(self) -> None:
        self._sent += 1

    def forget(self, pending: Pending) -> None:
        """The caller no longer waits for the reply."""
        if self._pending.pop(pending.number, None) is None or self._core.over:
            return
        outgoing, pending.outgoing = pending.outgoing, None
        assert outgoing is not None
        if not self._core.writer.withdraw(outgoing):
            self._core.writer.control(wire.CANCEL, tag=pending.number)

    def refused(self, pending: Pending, error: Exception) -> None:
        if self._pending.pop(pending.number, None) is not None:
            pending.error = error
            pending.outgoing = None

    def awaiting(self, number: int) -> Optional[Pending]:
        """The request that this is the first reply to, if a reply is due."""
        pending = self._pending.get(number)
        if pending is None or self._replies >= self._sent:
            return None
        outgoing = pending.outgoing
        return pending if outgoing is not None and outgoing.state >= WHOLE else None

    def answered(self, pending: Pending, array: Received) -> None:
        """The reply that was due has come."""
        del self._pending[pending.number]
        self._replies += 1
        pending.reply = array
        pending.outgoing = None  # which refers to it: the memory of both would wait for the garbage collector

    def check_reply(self, number: int) -> None:
        pending = self._pending.get(number)
        unsent = pending is not None and pending.outgoing is not None and pending.outgoing.state < WHOLE
        if not 0 < number <= self._number or unsent:
            raise violation(
                ErrorCode.PROTOCOL_VIOLATION, "a reply came to a request that was not sent", request=number
            )
        self._replies += 1
        if self._replies > self._sent:
            self._core.flood.count()

    def waits_for(self, number: int) -> Optional[Pending]:
        return self._pending.get(number)

    def replied(self, array: Received) -> None:
        attributes = array.attributes
        pending = self._pending.pop(attributes.reply, None)
        if pending is None:
            return
        pending.outgoing = None
        if attributes.fault is not None:
            fault = attributes.fault
            pending.error = RequestFailedError(
                fault.code, printable(fault.text) or "the peer has no answer", request=pending.number
            )
        else:
            pending.reply = array

    # --- Taken from the peer ---

    def check_request(self, number: int) -> None:
        if number in self._open:
            raise violation(ErrorCode.PROTOCOL_VIOLATION, "a request has the number of one that is open", request=number)

    def takes(self, number: int) -> bool:
        """Whether the program gets a request of this number."""
        return (
            self.answering and not self._core.ending and len(self._open) < MAX_OPEN and number not in self._open
        )

    def took(self, array: Received) -> None:
        """The program gets it."""
        number = array.attributes.request
        self._came += 1
        if number > self._highest:
            self._highest = number
        self._open[number] = array
        self.inbox.append(array)

    def came(self, array: Received) -> Optional[Fault]:
        """A request has come whole; why it is refused at once, if it is."""
        if self.takes(array.attributes.request):
            self.took(array)
            return None
        self._came += 1
        self._highest = max(self._highest, array.attributes.request)
        if self._core.ending:
            return Fault(ErrorCode.CONNECTION_CLOSED, "this side closes and takes no requests any more")
        if not self.answering:
            return Fault(ErrorCode.REJECTED, "this program answers no requests")
        return Fault(
            ErrorCode.TOO_MANY_REQUESTS, f"too many requests are open (open={len(self._open)}, limit={MAX_OPEN})"
        )

    def cancelled(self, number: int) -> None:
        self._cancels += 1
        if not 0 < number <= self._highest or self._cancels > self._came:
            raise violation(
                ErrorCode.PROTOCOL_VIOLATION, "a request was cancelled that has not come", request=number
            )
        array = self._open.pop(number, None)
        if array is not None and array in self.inbox:
            self.inbox.remove(array)
            self._core.release(array)
            self._core.processed(array)

    def take(self) -> Received:
        """The next request in the inbox. Its acknowledgement goes with the reply."""
        array = self.inbox.popleft()
        self._core.release(array)
        self._core.processed(array)
        return array

    def is_open(self, array: Received) -> bool:
        return array.attributes.request in self._open

    def reply(
        self, array: Received, elements: Elements, tag: int, metadata: Mapping[str, str], write: Write = later
    ) -> Optional[Outgoing]:
        """None if the peer no longer waits for it."""
        number = array.attributes.request
        if number not in self._open or self._core.over or self._core.ending_said:
            self._open.pop(number, None)
            return None
        if elements.shape or metadata or elements.parts:
            attributes = Attributes(elements.shape, metadata, 0, 0, number, None, 0, elements.parts).encoded()
        else:
            attributes = number_of(REPLY, number)
        outgoing = self._core.send(self._core.outbound(array.stream.field), elements, tag, attributes, write, is_reply=True)
        del self._open[number]  # an answer that cannot be sent leaves it open, to be failed
        return outgoing

    def fail(self, array: Received, text: str, code: ErrorCode = ErrorCode.REQUEST_FAILED) -> Optional[Outgoing]:
        """Answers with the reason why there is no better answer."""
        number = array.attributes.request
        if self._open.pop(number, None) is None or self._core.over or self._core.ending_said:
            return None
        fault = Fault(code, text)
        attributes = Attributes(reply=number, fault=fault)
        type: ElementType = self._core.agreement.element_types[0]
        return self._core.queue(
            self._core.outbound(array.stream.field), Elements(type, 0, (), memoryview(b"")), 0, attributes
        )

    def peer_goodbye(self) -> None:
        """The peer cancels its requests, and answers no more of ours."""
        for array in list(self.inbox):
            self._core.release(array)
            self._core.processed(array)
        self.inbox.clear()
        self._open.clear()
        self.ended(ConnectionClosedError(ErrorCode.CONNECTION_CLOSED, "the peer closed before it answered"))

    def ended(self, error: Exception) -> None:
        for pending in self._pending.values():
            pending.error = error
            pending.outgoing = None
        self._pending.clear()
