"""Turns bytes into frames: where the next bytes belong, which checks a frame has to pass, and whose array it is.

Elements go straight to where the array will be; only headers, attributes and control frames are staged.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, List, Optional

from . import _layout as wire
from ._attributes import NONE, Attributes
from ._crc32c import HeaderChecksum, extend
from ._layout import Header
from ._memory import settle
from ._streams import Received
from ._types import ENCODINGS, TYPES
from .errors import ErrorCode, violation

if TYPE_CHECKING:
    from ._core import Core

STAGING_BYTES = 1 << 16
_KNOWN_FLAGS = wire.HAS_CHECKSUM | wire.ACKNOWLEDGES


class Reader:
    """One direction of a connection, from the first frame on."""

    __slots__ = (
        "_core", "_staging", "_start", "_end", "_checksum", "_frame", "_array", "_left", "_crc", "_frame_start",
    )  # fmt: skip

    def __init__(self, core: "Core") -> None:
        self._core = core
        self._staging = memoryview(bytearray(STAGING_BYTES))
        self._start = self._end = 0
        self._checksum = HeaderChecksum()
        self._frame: Optional[Header] = None  # whose header is checked, and whose attributes or body are to come
        self._array: Optional[Received] = None  # whose elements are coming
        self._left = 0  # of them in this frame
        self._crc = 0
        self._frame_start = 0

    @property
    def inside_frame(self) -> bool:
        return self._left > 0 or self._frame is not None or self._end > self._start

    def staged(self) -> memoryview:
        """What has come and is not used yet."""
        return self._staging[self._start : self._end]

    def stage(self, count: int) -> None:
        """So many bytes were put behind what is staged."""
        self._end += count

    def consume(self, count: int) -> None:
        self._start += count

    def drop(self) -> None:
        """What has come and what still comes is of no use."""
        self._start = self._end = self._left = 0
        self._array = self._frame = None

    def buffers(self) -> List[memoryview]:
        """Where to put the next bytes, in order."""
        if self._start == self._end:
            self._start = self._end = 0
        elif self._start:
            left = self._end - self._start
            self._staging[:left] = bytes(self._staging[self._start : self._end])
            self._start, self._end = 0, left
        array = self._array
        if self._left and array is not None and array.view is not None:
            # What follows a frame inside an array is the header of the next one, and its elements are not to be staged.
            room = wire.HEADER_BYTES if array.left > self._left else STAGING_BYTES
            return [array.view[array.came : array.came + self._left], self._staging[self._end : self._end + room]]
        return [self._staging[self._end :]]

    def received(self, count: int) -> None:
        """So many bytes were put there. Raises ProtocolError for what the peer must not send."""
        array = self._array
        if self._left and array is not None and array.view is not None:
            direct = min(count, self._left)
            self._advance(array, direct)
            count -= direct
        self._end += count
        self.parse()

    def parse(self) -> None:
        while not self._core.deaf:
            if self._left:
                if not self._take_staged():
                    return
            elif self._frame is not None:
                if not self._finish_frame(self._frame):
                    return
            elif not self._begin_frame():
                return

    def _take_staged(self) -> bool:
        """Moves elements that were staged to where they belong."""
        array = self._array
        assert array is not None
        count = min(self._left, self._end - self._start)
        if count == 0:
            return False
        piece = self._staging[self._start : self._start + count]
        if array.view is not None:
            array.view[array.came : array.came + count] = piece
        elif self._core.agreement.checksums:
            self._crc = extend(self._crc, piece)
        self._start += count
        self._advance(array, count)
        return True

    def _advance(self, array: Received, count: int) -> None:
        array.came += count
        array.left -= count
        self._left -= count
        core = self._core
        if not array.asked:
            array.held += count
            array.stream.held += count
            core.held += count
        if self._left == 0:
            self._end_of_frame(array)

    def _end_of_frame(self, array: Received) -> None:
        frame = self._frame
        assert frame is not None
        self._frame = None
        if self._core.agreement.checksums:
            if array.view is not None:
                self._crc = extend(self._crc, array.view[self._frame_start : array.came])
            if self._crc != frame.payload_checksum:
                raise violation(
                    ErrorCode.PAYLOAD_CHECKSUM,
                    "the payload of an array does not match its checksum; the network damaged it",
                    channel=frame.channel,
                    sequence=frame.sequence,
                )
        self._array = None
        if array.left == 0:
            if array.view is not None:
                settle(array.type, array.view[: array.came], array.encoding.little)
            array.stream.arriving = None
            self._core.arrived(array)
        else:
            self._core.credit_for(array.stream)

    # --- Frames ---

    def _begin_frame(self) -> bool:
        start, end = self._start, self._end
        if end - start < wire.HEADER_BYTES:
            if end - start >= 4 and self._staging[start : start + 4] != wire.FRAME_MAGIC:
                self._wrong_magic(start)
            return False
        frame = wire.unpack(self._staging, start)
        if frame.magic != wire.FRAME_MAGIC:
            self._wrong_magic(start)
        if frame.checksum != self._checksum.of(self._staging[start : start + wire.HEADER_BYTES]):
            raise violation(
                ErrorCode.HEADER_CHECKSUM, "the header of a frame does not match its checksum", checksum=frame.checksum
            )
        self._check_header(frame)
        if frame.flags & wire.ACKNOWLEDGES:
            self._core.controls.acknowledged_low(frame.channel, frame.acknowledged)
        if frame.type == wire.ARRAY:
            self._check_array(frame)
        elif frame.type == wire.CHUNK:
            self._check_chunk(frame)
        else:
            if frame.payload_bytes > wire.MAX_CONTROL or frame.attribute_bytes:
                raise violation(
                    ErrorCode.FRAME_TOO_LARGE,
                    "a control frame is too long",
                    bytes=frame.payload_bytes,
                    attributes=frame.attribute_bytes,
                    limit=wire.MAX_CONTROL,
                )
        self._start = start + wire.HEADER_BYTES
        self._frame = frame
        return True

    def _wrong_magic(self, start: int) -> None:
        raise violation(
            ErrorCode.BAD_MAGIC,
            "a frame does not begin as frames do",
            first_bytes=bytes(self._staging[start : start + 4]).hex(),
        )

    def _check_header(self, frame: Header) -> None:
        if frame.version != wire.VERSION:
            raise violation(
                ErrorCode.UNSUPPORTED_VERSION,
                "a frame is of another version than was agreed",
                version=frame.version,
                agreed=wire.VERSION,
            )
        if not wire.ARRAY <= frame.type <= wire.UNSUBSCRIBED:
            raise violation(ErrorCode.UNKNOWN_CODE, "a frame is of no known type", type=frame.type)
        if frame.flags & ~_KNOWN_FLAGS:
            raise violation(ErrorCode.UNKNOWN_CODE, "a frame has flags that are not known", flags=frame.flags)
        agreement = self._core.agreement
        if frame.channel & wire.SUBSCRIPTION:
            number = frame.channel ^ wire.SUBSCRIPTION
            if number >= agreement.subscriptions:
                raise violation(
                    ErrorCode.UNKNOWN_CODE,
                    "a frame is of a subscription that was not agreed",
                    subscription=number,
                    subscriptions=agreement.subscriptions,
                )
        elif frame.channel >= agreement.channels:
            raise violation(
                ErrorCode.UNKNOWN_CODE,
                "a frame is of a channel that was not agreed",
                channel=frame.channel,
                channels=agreement.channels,
            )

    def _check_array(self, frame: Header) -> None:
        core = self._core
        stream = core.inbound(frame.channel)
        if core.peer_goodbye or stream.arriving is not None or stream.is_subscription and not frame.attribute_bytes:
            raise violation(
                ErrorCode.PROTOCOL_VIOLATION,
                "an array may not begin here",
                channel=frame.channel,
                goodbye=core.peer_goodbye,
                another_arrives=stream.arriving is not None,
                attributes=frame.attribute_bytes,
            )
        encoding = ENCODINGS.get(frame.encoding)
        type = TYPES.get(frame.element)
        offer = core.offer
        if (
            encoding is None
            or (encoding.code, encoding.name) not in offer.encodings
            or type is None
            or type.code not in offer.element_types
            or not encoding.has(type)
        ):
            raise violation(
                ErrorCode.UNKNOWN_CODE,
                "an array is of an encoding or element type that this side did not offer",
                encoding=frame.encoding,
                type=frame.element,
            )
        for what, value, limit in (
            ("attributes", frame.attribute_bytes, wire.MAX_ATTRIBUTES),
            ("array", frame.array_bytes, offer.max_array_bytes),
            ("frame", frame.payload_bytes, offer.max_frame_bytes),
        ):
            if value > limit:
                raise violation(
                    ErrorCode.FRAME_TOO_LARGE,
                    f"the {what} is larger than this side accepts"
                    + (" (raise max_array_bytes here)" if what == "array" else ""),
                    declared=value,
                    limit=limit,
                )
        count, size = frame.element_count, type.size
        if count >= 1 << 63:
            raise violation(ErrorCode.BAD_LENGTH, "no array has so many elements", elements=count)
        most = encoding.most()
        prefix = 0
        if count * size <= frame.array_bytes and (most is None or count <= most):
            prefix = encoding.prefix_bytes(type, count)
        if prefix + count * size != frame.array_bytes or most is not None and count > most:
            raise violation(
                ErrorCode.COUNT_MISMATCH,
                "element count and array bytes do not agree",
                elements=count,
                type=type.name,
                array_bytes=frame.array_bytes,
                prefix=prefix,
            )
        payload = frame.payload_bytes
        if payload > frame.array_bytes or payload < prefix + (size if count else 0):
            raise violation(
                ErrorCode.BAD_LENGTH,
                "the first frame of an array is longer than the array, or holds no whole element",
                payload=payload,
                array_bytes=frame.array_bytes,
                prefix=prefix,
            )
        if (payload - prefix) % size:
            raise violation(
                ErrorCode.COUNT_MISMATCH, "a frame ends inside an element", payload=payload, prefix=prefix, size=size
            )
        self._check_sequence(frame.sequence, stream.sequence + 1, frame)
        self._check_payload_flag(frame)
        core.charge(stream, wire.ARRAY_COST + frame.attribute_bytes + payload)
        stream.sequence = frame.sequence

    @staticmethod
    def _check_sequence(sequence: int, expected: int, frame: Header) -> None:
        if sequence != expected:
            raise violation(
                ErrorCode.SEQUENCE_GAP,
                "an array or a part of one came out of order",
                channel=frame.channel,
                sequence=sequence,
                expected=expected,
            )

    def _check_payload_flag(self, frame: Header) -> None:
        if bool(frame.flags & wire.HAS_CHECKSUM) != self._core.agreement.checksums:
            raise violation(
                ErrorCode.PROTOCOL_VIOLATION,
                "a frame has a payload checksum that was not agreed, or lacks the one that was",
                flags=frame.flags,
                checksums=self._core.agreement.checksums,
            )

    def _check_chunk(self, frame: Header) -> None:
        core = self._core
        stream = core.inbound(frame.channel)
        array = stream.arriving
        if array is None:
            raise violation(
                ErrorCode.PROTOCOL_VIOLATION, "a part of an array came, but no array is arriving", channel=frame.channel
            )
        if (frame.encoding, frame.element, frame.element_count, frame.attribute_bytes) != (
            array.encoding.code,
            array.type.code,
            array.count,
            0,
        ):
            raise violation(
                ErrorCode.PROTOCOL_VIOLATION,
                "a part of an array has another encoding, type or count than its array, or attributes",
                channel=frame.channel,
                sequence=frame.sequence,
            )
        if frame.array_bytes >= 1 << 63:
            raise violation(ErrorCode.BAD_LENGTH, "no array has so many elements", index=frame.array_bytes)
        payload, size = frame.payload_bytes, array.type.size
        if payload > core.offer.max_frame_bytes:
            raise violation(
                ErrorCode.FRAME_TOO_LARGE,
                "the frame is larger than this side accepts",
                declared=payload,
                limit=core.offer.max_frame_bytes,
            )
        if payload == 0 or payload > array.left:
            raise violation(
                ErrorCode.BAD_LENGTH,
                "a part of an array is empty, or longer than what is left of the array",
                payload=payload,
                left=array.left,
            )
        if payload % size:
            raise violation(ErrorCode.COUNT_MISMATCH, "a frame ends inside an element", payload=payload, size=size)
        self._check_sequence(frame.sequence, array.sequence, frame)
        self._check_sequence(frame.array_bytes, array.came // size, frame)
        self._check_payload_flag(frame)
        core.charge(stream, payload)
        if payload < 512 and payload < array.left:
            core.flood.count()

    def _finish_frame(self, frame: Header) -> bool:
        """Once attributes, prefix or body have come, if there are any."""
        have = self._end - self._start
        if frame.type == wire.CHUNK:
            array = self._core.inbound(frame.channel).arriving
            assert array is not None
            self._begin_payload(array, frame.payload_bytes, 0)
            return True
        if frame.type != wire.ARRAY:
            if have < frame.payload_bytes:
                return False
            body = bytes(self._staging[self._start : self._start + frame.payload_bytes])
            if frame.flags & wire.HAS_CHECKSUM and extend(0, body) != frame.payload_checksum:
                raise violation(
                    ErrorCode.PAYLOAD_CHECKSUM, "the body of a control frame does not match its checksum", type=frame.type
                )
            self._start += frame.payload_bytes
            self._frame = None
            self._core.controls.take(frame, body)
            return True
        encoding, type = ENCODINGS[frame.encoding], TYPES[frame.element]
        prefix_bytes = encoding.prefix_bytes(type, frame.element_count)
        staged = frame.attribute_bytes + prefix_bytes
        if have < staged:
            return False
        core = self._core
        attributes = NONE
        if frame.attribute_bytes:
            attributes = Attributes.decode(bytes(self._staging[self._start : self._start + frame.attribute_bytes]))
            attributes.check(frame.element_count)
        stream = core.inbound(frame.channel)
        core.check_attributes(stream, attributes)
        if prefix_bytes:
            prefix = self._staging[self._start + frame.attribute_bytes : self._start + staged]
            if prefix != encoding.prefix(type, frame.element_count):
                raise violation(
                    ErrorCode.MALFORMED_PAYLOAD,
                    "the prefix of an array is not what its encoding prescribes",
                    encoding=encoding.name,
                    prefix=bytes(prefix).hex(),
                )
        crc = extend(0, self._staging[self._start : self._start + staged]) if core.agreement.checksums else 0
        self._start += staged
        array = Received(stream, type, encoding, frame.element_count, frame.tag, attributes, frame.sequence)
        core.begins(array, wire.ARRAY_COST + staged)
        stream.arriving = array
        self._begin_payload(array, frame.payload_bytes - prefix_bytes, crc)
        return True

    def _begin_payload(self, array: Received, payload: int, crc: int) -> None:
        self._array = array
        self._left = payload
        self._crc = crc
        self._frame_start = array.came
        if payload == 0:
            self._end_of_frame(array)

    def forget(self, array: Received) -> None:
        """The array was withdrawn by the peer."""
        if self._array is array:
            self._array = None
