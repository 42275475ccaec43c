"""Arrays that are being sent or received, and the two directions of the channel or subscription that carries them."""

from __future__ import annotations

import time
from collections import deque
from typing import TYPE_CHECKING, Any, Deque, Dict, List, Optional, Protocol, Tuple

from ._attributes import Attributes, Part
from ._elements import Elements
from ._layout import SUBSCRIPTION
from ._memory import Memory, presented_of
from ._spans import Spans, has_blocks
from ._types import TABLE, Encoding, ElementType

if TYPE_CHECKING:
    from ._session import Kept


def spans_of(encoding: Encoding, type: ElementType, size: int, parts: Tuple[Part, ...]) -> Optional[Spans]:
    """None of an array that has no blocks."""
    return Spans(encoding, type, size, parts) if has_blocks(encoding, parts) else None


class Sink(Protocol):
    """Takes the elements of an array as they come, in the order and the byte order of the wire. Under the link's lock."""

    def write(self, piece: memoryview) -> Optional[str]:
        """Why the array is refused, if it cannot be written; the sink has ended then."""
        ...

    def abort(self) -> None:
        """The array does not come whole, or nobody takes it."""
        ...


QUEUED, SENDING, WHOLE, ACKNOWLEDGED, FAILED, WITHDRAWN = range(6)


class Outgoing:
    """An array to be sent; its memory is the caller's and is read until all of it has left."""

    __slots__ = (
        "stream", "elements", "encoding", "prefix", "tag", "encoded_attributes", "sequence", "sent", "state", "error",
        "end", "pending", "kept", "array_bytes", "spans", "wire",
    )  # fmt: skip

    def __init__(
        self, stream: "Outbound", elements: Elements, encoding: Encoding, tag: int, attributes: bytes
    ) -> None:
        self.stream = stream
        self.elements = elements
        self.encoding = encoding
        self.prefix = encoding.prefix(elements.type, elements.length) if encoding.has_prefix else b""
        self.tag = tag
        self.encoded_attributes = attributes
        self.sequence = 0
        self.sent = 0  # bytes of elements in frames
        self.state = QUEUED
        self.error: Optional[Exception] = None
        self.end = 0  # of all bytes of the connection, once it is whole
        self.pending: Optional["Pending"] = None  # if it is a request
        self.kept: "Optional[Kept]" = None  # if it is of a session
        self.wire = 0  # bytes of its frames so far
        self.array_bytes = len(self.prefix) + elements.view.nbytes
        parts = elements.parts
        self.spans = spans_of(encoding, elements.type, elements.view.nbytes, parts) if parts or encoding.in_blocks else None


class Outbound:
    """What this side sends on a channel, or for a subscription of the peer."""

    __slots__ = ("field", "sequence", "allowed", "charged", "queue", "waiting", "queued_bytes", "refused", "kinds")

    def __init__(self, field: int, credit: int) -> None:
        self.field = field
        self.sequence = 0  # the last one used
        self.allowed = credit
        self.charged = 0
        self.queue: Deque[Outgoing] = deque()  # the first one may have begun
        self.waiting: Deque[Outgoing] = deque()  # sent whole, neither acknowledged nor rejected
        self.queued_bytes = 0
        self.refused = 0
        self.kinds: "Dict[int, Tuple[int, Encoding]]" = {}  # of small arrays; see Writer.at_once

    def last_whole(self) -> int:
        """The highest sequence that an acknowledgement may name."""
        begun = bool(self.queue) and self.queue[0].state == SENDING
        return self.sequence - 1 if begun else self.sequence

    def base(self) -> int:
        """What 32 bits of an acknowledgement are widened around."""
        return self.waiting[0].sequence if self.waiting else self.sequence


class Received:
    """An array that is arriving or has arrived."""

    __slots__ = (
        "stream", "type", "encoding", "count", "tag", "attributes", "sequence", "memory", "view", "left", "came",
        "held", "asked", "done", "into", "began", "spans", "elements", "sink", "refusal", "wire",
    )  # fmt: skip

    def __init__(
        self,
        stream: "Inbound",
        type: ElementType,
        encoding: Encoding,
        count: int,
        tag: int,
        attributes: Attributes,
        sequence: int,
    ) -> None:
        self.stream = stream
        self.type = type
        self.encoding = encoding
        self.count = count
        self.tag = tag
        self.attributes = attributes
        self.sequence = sequence
        self.memory: Optional[Memory] = None  # None: read and dropped, in the caller's own memory, or small and come whole
        self.view: Optional[memoryview] = None
        self.came = 0  # bytes of elements that have come
        self.left = count * type.size
        self.held = 0  # credit that is not given back before somebody takes it
        self.asked = False
        self.done = False
        self.into: Optional["Target"] = None
        self.began = time.monotonic()
        self.sink: Optional[Sink] = None  # where its elements go, if not into memory
        self.refusal: Optional[str] = None  # why it is refused once it is whole, if that is known before
        self.wire = 0  # bytes of its frames so far
        parts = attributes.parts
        #: What its header said of elements, those of all parts together.
        self.elements = sum(each.length for each in parts) if parts else count
        self.spans = spans_of(encoding, type, self.left, parts) if parts or encoding.in_blocks else None

    def pour(self, piece: memoryview) -> None:
        """Elements have come of an array that has a sink."""
        assert self.sink is not None
        self.refusal = self.sink.write(piece)
        if self.refusal is not None:
            self.sink = None

    def end_targets(self) -> None:
        """What it was to fill is free: it does not come whole."""
        sink, self.sink, self.into = self.sink, None, None
        if sink is not None:
            sink.abort()

    def parts(self) -> Dict[str, Any]:
        """The parts of a message by name, which share its memory."""
        assert self.memory is not None
        return {each.name: self.memory.part(each) for each in self.attributes.parts}

    def presented(self) -> Any:
        shape = self.attributes.shape or (self.count,)
        if self.memory is not None:
            return self.memory.presented(self.type, shape)
        assert self.view is not None
        return presented_of(self.view, self.type, shape)


class Target:
    """The caller's memory for the next array of a channel."""

    __slots__ = ("view", "type", "bits")

    def __init__(self, view: memoryview, type: ElementType, bits: bool) -> None:
        self.view = view
        self.type = type
        self.bits = bits

    def fits(self, array: Received) -> bool:
        same = array.type is self.type or self.bits and array.type.size == self.type.size
        # The bytes of a message of parts are no array of bytes.
        return same and array.encoding is not TABLE and array.count * array.type.size <= self.view.nbytes


class Inbound:
    """What the peer sends on a channel, or for a subscription of this side."""

    __slots__ = (
        "field", "sequence", "first", "enough", "told", "received", "held", "acked", "told_acked", "open", "arriving",
        "inbox", "wanted", "targets", "publication",
    )  # fmt: skip

    def __init__(self, field: int, credit: int) -> None:
        self.field = field
        self.sequence = 0  # the last one that has begun
        self.first = credit
        self.enough = credit - credit // 2  # while the peer has more than that, no more is told
        self.told = credit  # what the peer may send
        self.received = 0  # what it has sent
        self.held = 0  # of that, what is here and nobody has asked for
        self.acked = 0
        self.told_acked = 0
        self.open: Deque[Received] = deque()  # whole, in order, the first of them not done
        self.arriving: Optional[Received] = None
        self.inbox: Deque[Received] = deque()
        self.wanted = 0  # receives that wait
        self.targets: List[Target] = []
        self.publication = 0

    @property
    def is_subscription(self) -> bool:
        return bool(self.field & SUBSCRIPTION)

    def newly_asked(self) -> Optional[Received]:
        """The array that is arriving, if it was not asked for and is the next one now."""
        arriving = self.arriving
        if arriving is None or arriving.asked or len(self.inbox) >= self.wanted:
            return None
        arriving.asked = True
        return arriving

    def asked_rest(self) -> int:
        """What is still to come of an array that somebody waits for."""
        arriving = self.arriving
        return arriving.left if arriving is not None and arriving.asked else 0

    def settle(self) -> None:
        """Moves the acknowledgement past arrays that are done."""
        while self.open and self.open[0].done:
            self.acked = self.open.popleft().sequence


class Pending:
    """A request of this side that waits for its reply."""

    __slots__ = ("number", "reply", "error", "outgoing")

    def __init__(self, number: int, outgoing: Outgoing) -> None:
        self.number = number
        self.reply: Optional[Received] = None
        self.error: Optional[Exception] = None
        self.outgoing: Optional[Outgoing] = outgoing  # until it is over

    def is_over(self) -> bool:
        return self.reply is not None or self.error is not None
