"""Frames that have come whole: small arrays, as most requests and replies are, and parts of large ones.

What Reader does with such a frame in a dozen steps is done here at once, which takes a third of the time. A frame that is
anything else, or in which anything is wrong, is left to Reader, which checks it in the order of docs/protocol.md and says
what is wrong with it. So nothing may be changed here before all of it was looked at.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Dict

from . import _layout as wire
from ._attributes import NONE, Attributes
from ._crc32c import HeaderChecksum
from ._credit import allow_more
from ._memory import Memory
from ._streams import Received
from ._types import BOOLEAN, ENCODINGS, NATIVE_LITTLE, RAW_BE, RAW_LE, TYPES
from .errors import ProtocolError

if TYPE_CHECKING:
    from ._core import Core

_HEADER = struct.Struct("<6sBBHHIQQQQIIII")
_BEGINS = wire.FRAME_MAGIC + bytes((wire.VERSION, wire.ARRAY))
_GOES_ON = wire.FRAME_MAGIC + bytes((wire.VERSION, wire.CHUNK))
_NATIVE = RAW_LE if NATIVE_LITTLE else RAW_BE


class WholeFrames:
    """Those of one connection."""

    __slots__ = ("_core", "_sizes")

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

    def take(self, staging: memoryview, start: int, end: int, checksum: HeaderChecksum) -> int:
        """How many bytes the frame had that begins there; 0 if it is for Reader."""
        header = bytes(staging[start : start + wire.HEADER_BYTES])
        (
            begins, encoding, element, flags, attribute_bytes, channel, sequence, tag, count, array_bytes, payload, _,
            acknowledged, crc,
        ) = _HEADER.unpack(header)  # fmt: skip
        core = self._core
        size = self._sizes.get(encoding << 8 | element)
        stream = core.inbounds.get(channel)
        at = start + wire.HEADER_BYTES + attribute_bytes
        if (
            begins != _BEGINS
            or size is None
            or stream is None
            or flags & ~wire.ACKNOWLEDGES
            or payload != array_bytes
            or payload != count * size
            or at + payload > end
            or attribute_bytes > wire.MAX_ATTRIBUTES
            or sequence != stream.sequence + 1
            or stream.arriving is not None
            or stream.targets
            or stream.is_subscription
            or core.peer_goodbye
            or core.ending
            or core.agreement.checksums
            or payload > core.offer.max_array_bytes
            or payload > core.offer.max_frame_bytes
        ):
            return 0
        cost = wire.ARRAY_COST + attribute_bytes + payload
        if cost > stream.told - stream.received or cost > core.told - core.received:
            return 0
        if checksum.of(header) != crc:
            return 0
        attributes, requests, pending = NONE, core.requests, None
        if attribute_bytes:
            try:
                attributes = Attributes.read(bytes(staging[at - attribute_bytes : at]), count)
            except ProtocolError:
                return 0
            if attributes.request:
                if not requests.takes(attributes.request):
                    return 0
            elif attributes.reply:
                pending = requests.awaiting(attributes.reply)
                if pending is None or attributes.fault is not None:
                    return 0
            elif attributes.publication or attributes.session_sequence:
                return 0
        # Nothing is wrong with it, but for the acknowledgement, perhaps, which is the first thing to be looked at.
        if flags:
            core.controls.acknowledged_low(channel, acknowledged)
        stream.sequence = sequence
        stream.received += cost
        core.received += cost
        array = Received(stream, TYPES[element], ENCODINGS[encoding], count, tag, attributes, sequence)
        array.memory = memory = Memory.of(payload)
        array.view = memory.view
        memory.view[:] = staging[at : at + payload]
        array.came, array.left = payload, 0
        if pending is not None:
            array.asked = True
            requests.answered(pending, array)
            if stream.open:
                stream.open.append(array)
            else:
                stream.acked = sequence
            array.done = True
            core.writer.acknowledge(stream)
        else:
            stream.open.append(array)
            if attributes.request:
                array.asked = True
                requests.took(array)
            else:
                if len(stream.inbox) < stream.wanted:
                    array.asked = True
                else:
                    array.held = cost
                    stream.held += cost
                    core.held += cost
                stream.inbox.append(array)
                if core.serves:
                    core.ready.append(stream)
        allow_more(core, stream)
        used: int = at + payload - start
        return used

    def take_part(
        self, staging: memoryview, start: int, array: Received, portion: int, checksum: HeaderChecksum
    ) -> bool:
        """Whether the header there is that of the part of an array that was expected, and that is not its last one; its
        elements are where they belong."""
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
            or count != array.count
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
        if not array.asked:
            array.held += portion
            stream.held += portion
            core.held += portion
        return True
