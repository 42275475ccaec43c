"""Frames that have come whole: small arrays, as most requests and replies are, and parts of large ones.

What Reader does with such a frame in a dozen steps is done here at once, which takes a third of the time. A frame that is
anything else, or in which anything is wrong, is left to Reader, which checks it in the order of docs/protocol.md and says
what is wrong with it. So nothing may be changed here before all of it was looked at.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Dict, Optional, Tuple

from . import _layout as wire
from ._attributes import NONE, NUMBERED_BYTES, REPLY, Attributes, number_of, numbered
from ._crc32c import HeaderChecksum
from ._credit import allow_more
from ._layout import ACKNOWLEDGED_BIT, CHECKSUM_BIT, HEADER_BYTES, SEQUENCE_BIT, TAG_BIT, HeaderWriter
from ._streams import Inbound, Outbound, Outgoing, Pending, Received
from ._types import BOOLEAN, ENCODINGS, NATIVE_LITTLE, RAW_BE, RAW_LE, TYPES
from .errors import ProtocolError

if TYPE_CHECKING:
    from ._core import Core

_LONG = (1 << 64) - 1
_HEADER = struct.Struct("<6sBBHHIQQQQIIII")
_FIRST_BYTES = struct.Struct("64s")
_NUMBERED_START = struct.Struct(f"{wire.HEADER_BYTES + NUMBERED_BYTES}s")
_BEGINS = wire.FRAME_MAGIC + bytes((wire.VERSION, wire.ARRAY))
_GOES_ON = wire.FRAME_MAGIC + bytes((wire.VERSION, wire.CHUNK))
_NATIVE = RAW_LE if NATIVE_LITTLE else RAW_BE


def _bits(first: int, end: int) -> int:
    """Those of some bytes of a header as a number, of which the first byte is the lowest one."""
    return (1 << 8 * end) - (1 << 8 * first)


_CHECKED = _bits(0, 60)
_SAME = _CHECKED & ~_bits(16, 32) & ~_bits(56, 60)  # of a kind: all but sequence, tag and acknowledged sequence
_MOST_KINDS = 64


class _Kind:
    """Frames whose headers differ in sequence, tag and acknowledged sequence alone. All else in them was checked once."""

    __slots__ = (
        "header", "stream", "acknowledges", "type", "encoding", "count", "attribute_bytes", "payload_bytes", "frame_bytes", "cost",
    )  # fmt: skip

    def __init__(
        self,
        header: int,
        stream: Inbound,
        acknowledges: Optional[Outbound],
        encoding: int,
        element: int,
        count: int,
        attribute_bytes: int,
        payload_bytes: int,
    ) -> None:
        self.header = header  # what they have in common, with zeros for all else
        self.stream = stream
        self.acknowledges = acknowledges  # arrays of this one, if any
        self.type = TYPES[element]
        self.encoding = ENCODINGS[encoding]
        self.count = count
        self.attribute_bytes = attribute_bytes
        self.payload_bytes = payload_bytes
        self.frame_bytes = wire.HEADER_BYTES + attribute_bytes + payload_bytes
        self.cost = wire.ARRAY_COST + attribute_bytes + payload_bytes


def _received(kind: _Kind, attributes: Attributes) -> Received:
    """An array that has come, but for its elements."""
    array = Received(kind.stream, kind.type, kind.encoding, kind.count, 0, attributes, 0)
    array.came, array.left = kind.payload_bytes, 0
    array.wire = kind.frame_bytes
    return array


class WholeFrames:
    """Those of one connection."""

    __slots__ = ("_core", "_sizes", "_kinds", "_headers", "_expected", "_fields", "_blank", "_last_reply", "_last_tag")

    def __init__(self, core: "Core") -> None:
        self._core = core
        #: Of elements, by the codes of encoding and type: those that are in memory as they are on the wire.
        self._sizes: Dict[int, int] = {
            code << 8 | element: TYPES[element].size
            for code, _ in core.offer.encodings
            if code == _NATIVE.code
            for element in core.offer.element_types
            if element in TYPES and element != BOOLEAN.code
        }
        self._kinds: Dict[int, _Kind] = {}
        self._headers = HeaderWriter()
        self._expected = b""  # the header and the attributes that are likely to come next
        #: Their kind, sequence, tag, acknowledged sequence and number.
        self._fields: Tuple[Optional[_Kind], int, int, int, int] = None, 0, 0, 0, 0
        self._blank: Optional[Received] = None  # the array that comes with it, without what is known of it then
        self._last_reply: Optional[_Kind] = None
        self._last_tag = 0

    def look_ahead(self, outgoing: Outgoing, number: int) -> None:
        """Makes header and attributes of the reply to a request, while this side waits for it. They are most likely like those of
        the reply before, and acknowledge the request. If they come so, the checksum is right, and all fields are known."""
        kind = self._last_reply
        if kind is not None and kind.acknowledges is outgoing.stream:
            sequence, tag, low = kind.stream.sequence + 1, self._last_tag, outgoing.sequence & 0xFFFFFFFF
            header = self._headers.one_like(kind.header, sequence, tag, wire.ACKNOWLEDGES, low)
            self._expected = header + number_of(REPLY, number)
            self._fields = kind, sequence, tag, low, number
            self._blank = _received(kind, NONE)

    def take(self, staging: memoryview, start: int, end: int, checksum: HeaderChecksum) -> int:
        """How many bytes the frame had that begins there; 0 if it is for Reader."""
        purpose = number = header = 0
        expected = end - start >= _NUMBERED_START.size and _NUMBERED_START.unpack_from(staging, start)[0] == self._expected
        if expected:
            kind, sequence, tag, low, number = self._fields
            purpose = REPLY
        else:
            header = int.from_bytes(_FIRST_BYTES.unpack_from(staging, start)[0], "little")
            kind = self._kinds.get(header & _SAME) or self._new_kind(header)
            sequence, tag = header >> SEQUENCE_BIT & _LONG, header >> TAG_BIT & _LONG
            low = header >> ACKNOWLEDGED_BIT & 0xFFFFFFFF
        if kind is None:
            return 0
        core, stream = self._core, kind.stream
        received, all_received = stream.received + kind.cost, core.received + kind.cost
        if (
            sequence != stream.sequence + 1
            or start + kind.frame_bytes > end
            or stream.arriving is not None
            or stream.targets
            or core.chooser is not None
            or core.peer_goodbye
            or core.ending
            or received > stream.told
            or all_received > core.told
            or not expected
            and checksum.of_number(header & _CHECKED) != header >> CHECKSUM_BIT
        ):
            return 0
        at = start + HEADER_BYTES
        attributes, pending = NONE, None
        if kind.attribute_bytes:
            if not expected and kind.attribute_bytes == NUMBERED_BYTES:
                purpose, number = numbered(staging, at)
            if purpose == REPLY:  # and nothing else: once it is matched, nobody asks for its number
                pending = core.requests.awaiting(number)
                if pending is None:
                    return 0
            else:
                try:
                    attributes = Attributes.read(bytes(staging[at : at + kind.attribute_bytes]), kind.count)
                except ProtocolError:
                    return 0
                if attributes.reply:
                    pending = core.requests.awaiting(attributes.reply)
                if not self._is_due(attributes, pending):
                    return 0
            at += kind.attribute_bytes
        # Nothing is wrong with it, but for the acknowledgement, perhaps, which is the first thing to be looked at.
        if kind.acknowledges is not None:
            core.controls.acknowledged_low(kind.acknowledges, low)
        stream.sequence = sequence
        stream.received, core.received = received, all_received
        array = self._blank if expected else None
        if array is None or attributes is not NONE:
            array = _received(kind, attributes)
        self._blank = None
        array.sequence, array.tag = sequence, tag
        array.view = memoryview(bytearray(staging[at : at + kind.payload_bytes]))
        if pending is not None:
            if attributes is NONE:
                self._last_reply, self._last_tag = kind, tag
            # It is acknowledged at once.
            array.asked = array.done = True
            core.requests.answered(pending, array)
            if stream.open:
                stream.open.append(array)
            else:
                stream.acked = sequence
            core.writer.acknowledge(stream)
        elif attributes.request:
            stream.open.append(array)
            array.asked = True
            core.requests.took(array)
        else:
            self._give_array(array, kind.cost)
        allow_more(core, stream)
        return kind.frame_bytes

    def _new_kind(self, number: int) -> Optional[_Kind]:
        """What is known of frames with such a header; None if they are for Reader."""
        (
            begins, encoding, element, flags, attribute_bytes, channel, _, _, count, array_bytes, payload, _, _, _,
        ) = _HEADER.unpack(number.to_bytes(wire.HEADER_BYTES, "little"))  # fmt: skip
        core = self._core
        size = self._sizes.get(encoding << 8 | element)
        stream = core.inbounds.get(channel)
        if (
            begins != _BEGINS
            or size is None
            or stream is None
            or flags & ~wire.ACKNOWLEDGES
            or payload != array_bytes
            or payload != count * size
            or attribute_bytes > wire.MAX_ATTRIBUTES
            or stream.is_subscription
            or core.agreement.checksums
            or payload > core.offer.max_array_bytes
            or payload > core.offer.max_frame_bytes
        ):
            return None
        if len(self._kinds) >= _MOST_KINDS:
            self._kinds.clear()
        acknowledges = core.outbound(channel) if flags else None
        kind = self._kinds[number & _SAME] = _Kind(
            number & _SAME, stream, acknowledges, encoding, element, count, attribute_bytes, payload
        )
        return kind

    def _is_due(self, attributes: Attributes, pending: Optional[Pending]) -> bool:
        """Whether an array that is said to be this may come now, so that Reader need not say what is wrong."""
        if attributes.request:
            return self._core.requests.takes(attributes.request)
        if attributes.reply:
            return pending is not None and attributes.fault is None
        return not attributes.publication and not attributes.session_sequence

    def _give_array(self, array: Received, cost: int) -> None:
        """It waits for a receive, or for a handler."""
        core, stream = self._core, array.stream
        stream.open.append(array)
        if len(stream.inbox) < stream.wanted:
            array.asked = True
        else:
            array.held = cost
            stream.held += cost
            core.held += cost
        stream.inbox.append(array)
        if core.serves:
            core.ready.append(stream)

    def take_part(
        self, staging: memoryview, start: int, array: Received, portion: int, checksum: HeaderChecksum
    ) -> bool:
        """Whether the header there is that of the part of an array or message that was expected, and that is not its last
        one; its elements are where they belong."""
        header = bytes(staging[start : start + wire.HEADER_BYTES])
        (
            goes_on, encoding, element, flags, attribute_bytes, channel, sequence, _, count, index, payload, _, _, crc,
        ) = _HEADER.unpack(header)  # fmt: skip
        core, stream = self._core, array.stream
        if (
            goes_on != _GOES_ON
            or payload != portion
            or portion >= array.left
            or flags
            or attribute_bytes
            or channel != stream.field
            or sequence != array.sequence
            or index * array.type.size != array.came
            or count != array.elements
            or encoding != array.encoding.code
            or element != array.type.code
            or portion < 512
            or portion > core.offer.max_frame_bytes
            or portion % array.type.size
            or portion > stream.told - stream.received
            or portion > core.told - core.received
            or stream.arriving is not array
            or core.agreement.checksums
            or checksum.of(header) != crc
        ):
            return False
        stream.received += portion
        core.received += portion
        array.came += portion
        array.left -= portion
        array.wire += wire.HEADER_BYTES + portion
        if not array.asked:
            array.held += portion
            stream.held += portion
            core.held += portion
        return True
