"""Turns bytes into frames: where the next bytes belong, which checks a frame has to pass, and whose array it is.

Elements go straight to where the array will be; only headers, attributes and control frames are staged.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, List, Optional

from . import _checks
from . import _layout as wire
from ._attributes import NONE, Attributes
from ._block_frame import BlockFrame
from ._checks import is_message
from ._crc32c import HeaderChecksum, extend
from ._credit import allow_more, came
from ._layout import Header
from ._memory import settle
from ._streams import Received
from ._types import BOOLEAN, MESSAGE, NATIVE_LITTLE, TABLE, TYPES
from ._whole import WholeFrames
from .errors import ErrorCode, violation

if TYPE_CHECKING:
    from ._core import Core

STAGING_BYTES = 1 << 16
_MOST_AHEAD = 16  # frames that are read at once
_BYTES_AHEAD = 1 << 20
_NONE_AHEAD: List[int] = []


class Reader:
    """One direction of a connection, from the first frame on."""

    __slots__ = (
        "_core", "_staging", "_all", "_start", "_end", "_checksum", "_frame", "_array", "_left", "_crc", "_frame_start",
        "_ahead", "whole", "_blocks",
    )  # fmt: skip

    def __init__(self, core: "Core") -> None:
        self._core = core
        self._staging = memoryview(bytearray(STAGING_BYTES))
        self._all = [self._staging]
        self._start = self._end = 0
        self._checksum = HeaderChecksum()
        self._frame: Optional[Header] = None  # whose header is checked, and whose attributes or body are to come
        self._array: Optional[Received] = None  # whose elements are coming
        self._left = 0  # of them in this frame, or in a piece of it
        self._blocks: Optional[BlockFrame] = None  # of a frame that holds some
        self._crc = 0
        self._frame_start = 0
        self._ahead = _NONE_AHEAD  # lengths of the parts of the array for which there are buffers behind this frame
        self.whole = WholeFrames(core)

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
        self._array = self._frame = self._blocks = None

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
            self._ahead = _NONE_AHEAD
            if array.left > self._left and self._blocks is None:
                return self._buffers_ahead(array)
            return [array.view[array.came : array.came + self._left], self._staging]
        return [self._staging[self._end :]] if self._end else self._all

    def _buffers_ahead(self, array: Received) -> List[memoryview]:
        """Also for the frames behind this one, if they are the parts of the array that follow it, each as long as this
        one: then one read brings them all to where they belong. Their headers are staged side by side."""
        frame, view = self._frame, array.view
        assert frame is not None and view is not None
        size = array.type.size
        usual = frame.payload_bytes // size * size
        at = array.came + self._left
        end = array.came + array.left
        buffers = [view[array.came : at]]
        self._ahead = []
        while at < end and len(self._ahead) < _MOST_AHEAD:
            portion = min(usual, end - at)
            header = len(self._ahead) * wire.HEADER_BYTES
            buffers += self._staging[header : header + wire.HEADER_BYTES], view[at : at + portion]
            self._ahead.append(portion)
            at += portion
            if at - array.came >= _BYTES_AHEAD or not portion:
                break
        return buffers

    def received(self, count: int) -> None:
        """So many bytes were put there. Raises ProtocolError for what the peer must not send."""
        array = self._array
        if self._left and array is not None and array.view is not None:
            ahead, self._ahead = self._ahead, _NONE_AHEAD
            direct = min(count, self._left)
            self._advance(array, direct)
            count -= direct
            if ahead and count:
                self._take_ahead(array, array.view, ahead, count)
                return
        self._end += count
        self.parse()

    def _take_ahead(self, array: Received, view: memoryview, ahead: List[int], count: int) -> None:
        """So many bytes came behind a frame: they are where they belong as far as the headers are what was expected."""
        at = array.came
        for i, portion in enumerate(ahead):
            self._start = i * wire.HEADER_BYTES
            header = min(count, wire.HEADER_BYTES)
            self._end = self._start + header
            count -= header
            if portion <= count and self.whole.take_part(self._staging, self._start, array, portion, self._checksum):
                self._start = self._end
                count -= portion
                at += portion
                if not count:
                    allow_more(self._core, array.stream)
                    return
                continue
            self.parse()
            if not count or self._core.deaf:
                return
            if self._array is not array or self._left != portion or array.came != at:
                # Something else came. What is behind it is not where it belongs.
                pieces = [view[at : at + portion]]
                for k in range(i + 1, len(ahead)):
                    at += ahead[k - 1]
                    header = k * wire.HEADER_BYTES
                    pieces += self._staging[header : header + wire.HEADER_BYTES], view[at : at + ahead[k]]
                self._take_again(b"".join(pieces)[:count])
                return
            direct = min(count, portion)
            self._advance(array, direct)
            count -= direct
            at += portion
            if not count:
                return

    def _take_again(self, content: bytes) -> None:
        """Bytes that have come, and lie elsewhere now."""
        at = 0
        while at < len(content) and not self._core.deaf:
            left = self._end - self._start
            self._staging[:left] = bytes(self._staging[self._start : self._end])
            portion = min(STAGING_BYTES - left, len(content) - at)
            self._staging[left : left + portion] = content[at : at + portion]
            self._start, self._end = 0, left + portion
            at += portion
            self.parse()

    def parse(self) -> None:
        while not self._core.deaf:
            if self._left:
                if not self._take_staged():
                    return
            elif self._blocks is not None:
                if not self._take_piece(self._blocks):
                    return
            elif self._frame is not None:
                if not self._finish_frame(self._frame):
                    return
            elif self._end - self._start < wire.HEADER_BYTES:
                if self._end > self._start:
                    self._check_magic()
                return
            else:
                whole = self.whole.take(self._staging, self._start, self._end, self._checksum)
                if not whole:
                    self._begin_frame()
                else:
                    self._start += whole
                    if self._start == self._end:
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
        else:
            if self._core.agreement.checksums:
                if self._blocks is None:
                    self._crc = extend(self._crc, piece)
                else:
                    self._blocks.crc = extend(self._blocks.crc, piece)
            if array.sink is not None:
                array.pour(piece)
        self._start += count
        self._advance(array, count)
        return True

    def _take_piece(self, blocks: BlockFrame) -> bool:
        """Goes on in a frame that holds blocks; False if more has to come first."""
        used = blocks.take(self._staging[self._start : self._end])
        if used < 0:
            return False
        self._start += used
        self._left = blocks.plain
        if blocks.over:
            assert self._array is not None
            self._end_of_frame(self._array)
        return True

    def _advance(self, array: Received, count: int) -> None:
        self._left -= count
        came(self._core, array, count)
        if self._left == 0:
            blocks = self._blocks
            if blocks is not None:
                blocks.plain_came()
                if not blocks.over:
                    return
            self._end_of_frame(array)

    def _end_of_frame(self, array: Received) -> None:
        frame, blocks = self._frame, self._blocks
        assert frame is not None
        self._frame = self._blocks = None
        if self._core.agreement.checksums:
            if blocks is not None:
                self._crc = blocks.crc
            elif array.view is not None:
                self._crc = extend(self._crc, array.view[self._frame_start : array.came])
            _checks.check_payload_checksum(self._core, frame, self._crc)
        self._array = None
        if array.left == 0:
            if array.view is not None and (array.encoding.little != NATIVE_LITTLE or array.type is BOOLEAN):
                settle(array.type, array.view[: array.came], array.encoding.little)
            array.stream.arriving = None
            self._core.arrived(array)
        else:
            allow_more(self._core, array.stream)

    # --- Frames ---

    def _check_magic(self) -> None:
        start = self._start
        if self._end - start >= 4 and self._staging[start : start + 4] != wire.FRAME_MAGIC:
            self._wrong_magic(start)

    def _begin_frame(self) -> None:
        start = self._start
        head = bytes(self._staging[start : start + wire.HEADER_BYTES])
        frame = wire.unpack(head)
        if frame.magic != wire.FRAME_MAGIC:
            self._wrong_magic(start)
        if frame.checksum != self._checksum.of(head):
            raise violation(
                ErrorCode.HEADER_CHECKSUM, "the header of a frame does not match its checksum", checksum=frame.checksum
            )
        _checks.check_header(self._core, frame)
        if frame.flags & wire.ACKNOWLEDGES:
            self._core.controls.acknowledged_low(self._core.outbound(frame.channel), frame.acknowledged)
        if frame.type == wire.ARRAY:
            _checks.check_array(self._core, frame)
        elif frame.type == wire.CHUNK:
            _checks.check_chunk(self._core, frame)
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

    def _wrong_magic(self, start: int) -> None:
        raise violation(
            ErrorCode.BAD_MAGIC,
            "a frame does not begin as frames do",
            first_bytes=bytes(self._staging[start : start + 4]).hex(),
        )

    def _finish_frame(self, frame: Header) -> bool:
        """Once attributes, prefix or body have come, if there are any."""
        have = self._end - self._start
        if frame.type == wire.CHUNK:
            array = self._core.inbound(frame.channel).arriving
            assert array is not None
            self._begin_payload(array, frame, frame.payload_bytes, 0)
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
        message = is_message(frame)
        core = self._core
        encoding, type = (TABLE, MESSAGE) if message else (core.decodes[frame.encoding], TYPES[frame.element])
        prefix_bytes = encoding.prefix_bytes(type, frame.element_count) if encoding.has_prefix else 0
        staged = frame.attribute_bytes + prefix_bytes
        if have < staged:
            return False
        attributes = NONE
        if frame.attribute_bytes:
            content = bytes(self._staging[self._start : self._start + frame.attribute_bytes])
            attributes = Attributes.read(content, frame.element_count, message, frame.array_bytes, core.in_blocks)
        stream = core.inbound(frame.channel)
        _checks.check_attributes(core, stream, attributes)
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
        count = frame.array_bytes if message else frame.element_count
        array = Received(stream, type, encoding, count, frame.tag, attributes, frame.sequence)
        if message and array.spans is None:
            _checks.check_raw_parts(core, stream, frame)
        core.begins(array, wire.ARRAY_COST + staged)
        stream.arriving = array
        self._begin_payload(array, frame, frame.payload_bytes - prefix_bytes, crc)
        return True

    def _begin_payload(self, array: Received, frame: Header, payload: int, crc: int) -> None:
        self._array = array
        self._crc = crc
        array.wire += wire.HEADER_BYTES + frame.attribute_bytes + frame.payload_bytes
        if array.spans is not None and payload:
            self._blocks = BlockFrame(self._core, array, frame, crc)
            return
        self._left = payload
        self._frame_start = array.came
        if payload == 0:
            self._end_of_frame(array)

    def forget(self, array: Received) -> None:
        """The array was withdrawn by the peer."""
        if self._array is array:
            self._array = None
