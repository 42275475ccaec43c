"""Reads the payload of a frame that holds blocks: every number is checked before anything is taken for what it counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Optional

from . import _blocks, _checks
from . import _layout as wire
from ._crc32c import extend
from ._credit import came
from ._layout import Header
from ._spans import Span
from ._streams import Received
from .errors import ErrorCode, violation

if TYPE_CHECKING:
    from ._core import Core


class BlockFrame:
    """The payload of one frame of an array that has spans. What it is given was staged; elements that are in no block, or in a
    raw one, may go straight to where they belong: ``plain`` says how many bytes of them follow."""

    __slots__ = ("_core", "_array", "_frame", "_left", "_block", "_zeros", "_rest", "_plain_from", "plain", "crc")

    def __init__(self, core: "Core", array: Received, frame: Header, crc: int) -> None:
        self._core = core
        self._array = array
        self._frame = frame
        self._left = frame.payload_bytes  # behind the piece that is being read
        self._block: Optional[_blocks.Block] = None  # whose content is to come, and is not raw
        self._zeros = 0  # that follow a raw block
        self._rest = 0  # zeros behind the part, for which its last block stands
        self._plain_from = array.came
        self.plain = 0
        self.crc = crc

    @property
    def over(self) -> bool:
        return not (self._left or self._block or self._zeros or self.plain)

    def take(self, staged: memoryview) -> int:
        """How many of the bytes that have come were used; -1 if more have to come first."""
        if self._block is not None:
            return self._take_block(staged, self._block)
        if self._zeros:
            return self._take_zeros(staged)
        return self._begin(staged)

    def _begin(self, staged: memoryview) -> int:
        array = self._array
        assert array.spans is not None
        span = array.spans.at(array.came)
        if span is None:
            raise violation(
                ErrorCode.BAD_LENGTH,
                "a frame has more bytes than what is left of its array",
                bytes=self._left,
                sequence=array.sequence,
            )
        if not span.encoding.in_blocks:
            left = span.end - array.came
            run = min(left, self._left)
            self._charge(run, left)
            self._left -= run
            self._follows_plain(run)
            return 0
        _blocks.check_room(self._left)
        if len(staged) < _blocks.HEAD.size:
            return -1
        self._take_head(staged[: _blocks.HEAD.size], span)
        return _blocks.HEAD.size

    def _take_head(self, head: memoryview, span: Span) -> None:
        array, size = self._array, span.type.size
        left = span.elements_end - array.came
        block = _blocks.head(head, 0, span.type, left // size, self._left, span.padded)
        plain = block.elements * size
        self._rest = span.end - span.elements_end if plain == left else 0
        self._charge(plain + self._rest, left + self._rest)
        self._checksum(head)
        zeros = block.zeros if span.padded else 0
        self._left -= _blocks.HEAD.size + block.size + zeros
        if block.raw:
            self._zeros = zeros
            self._follows_plain(block.size)
        else:
            self._block = block

    def _follows_plain(self, count: int) -> None:
        self.plain = count
        self._plain_from = self._array.came

    def _charge(self, plain: int, left: int) -> None:
        """A piece stands for so many plain bytes, of so many that are left of its part."""
        array = self._array
        if plain < wire.LEAST_USEFUL and plain < left and (self._frame.type == wire.CHUNK or array.came):
            self._core.flood.count()
        self._core.charge(array.stream, plain)

    def _checksum(self, content: memoryview) -> None:
        if self._core.agreement.checksums:
            self.crc = extend(self.crc, content)

    def plain_came(self) -> None:
        """Elements have come that are in no block, or in a raw one, as many as ``plain`` said."""
        self.plain = 0
        array = self._array
        if array.view is not None:  # otherwise they were staged
            self._checksum(array.view[self._plain_from : array.came])
        if not self._zeros:
            self._end_piece()

    def _take_zeros(self, staged: memoryview) -> int:
        count = self._zeros
        if len(staged) < count:
            return -1
        self._checksum(staged[:count])
        _blocks.check_zeros(staged[:count])
        self._zeros = 0
        self._end_piece()
        return count

    def _take_block(self, staged: memoryview, block: _blocks.Block) -> int:
        array = self._array
        assert array.spans is not None
        span = array.spans.at(array.came)
        assert span is not None
        count = block.size + (block.zeros if span.padded else 0)
        if len(staged) < count:
            return -1
        self._checksum(staged[:count])
        if not self._left:
            _checks.check_payload_checksum(self._core, self._frame, self.crc)  # before what was damaged is decoded
        _blocks.check_zeros(staged[block.size : count])
        self._block = None
        plain = block.elements * span.type.size
        if array.view is not None:
            elements = _blocks.decoded(staged[: block.size], span.encoding, span.type, block.elements)
            array.view[array.came : array.came + plain] = elements
        elif array.sink is not None:
            elements = _blocks.decoded(staged[: block.size], span.encoding, span.type, block.elements)
            array.pour(memoryview(elements))
        came(self._core, array, plain)
        self._end_piece()
        return count

    def _end_piece(self) -> None:
        """The last block of a part stands for the zeros behind the part, too."""
        rest, self._rest = self._rest, 0
        if rest:
            array = self._array
            if array.view is not None:
                array.view[array.came : array.came + rest] = bytes(rest)
            came(self._core, array, rest)
