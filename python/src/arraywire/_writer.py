"""Cuts what is to be sent into frames: control frames first, then channel by channel, as far as there is credit."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Callable, Deque, List, Optional, Tuple, Union

from . import _layout as wire
from ._crc32c import extend
from ._elements import Elements
from ._layout import ARRAY_COST
from ._spans import Spans, put
from ._streams import QUEUED, SENDING, WHOLE, WITHDRAWN, Inbound, Outbound, Outgoing
from ._types import NATIVE_LITTLE, Encoding
from .errors import SourceError

if TYPE_CHECKING:
    from ._core import Core

Piece = Union[bytes, memoryview]
CHUNK_BYTES = 1 << 20
_SHARED_CHUNK_BYTES = 1 << 18  # where other channels wait for their turn
_BLOCKS_BYTES = 1 << 16  # of plain elements in a frame that holds blocks
_FITS = 512  # bytes of elements that are less than every peer takes in a frame
_BATCH_BYTES = 1 << 19
_BATCH_PIECES = 64
_MOST_KINDS = 64  # of small arrays on a channel
_NOTHING: List[Piece] = []

Write = Callable[[], None]  # has the link write what there is


def later() -> None:
    """Nothing is written yet: the link does that by itself."""


class Writer:
    """One direction of a connection."""

    __slots__ = (
        "_core", "_headers", "_pieces", "_made", "written", "_controls", "_ready", "_acks", "_closed_behind", "chunk_bytes",
        "_last_kind",
    )  # fmt: skip

    def __init__(self, core: "Core") -> None:
        self._core = core
        self._headers = wire.HeaderWriter()
        self._pieces: Deque[Piece] = deque()  # made, and not written yet
        self._made = 0  # bytes, since the beginning
        self.written = 0
        self._controls: Deque[bytes] = deque()
        self._ready: Deque[Outbound] = deque()  # with arrays, in turn
        self._acks: "dict[int, Inbound]" = {}
        self._closed_behind = False
        self.chunk_bytes = CHUNK_BYTES
        self._last_kind = 0  # of what left at once: what the headers of its kind have in common

    # --- What is to be sent ---

    def raw(self, data: bytes) -> None:
        """Bytes of the handshake."""
        self._put(data)

    def control(self, type: int, body: bytes = b"", **fields: int) -> None:
        self._controls.append(self._headers.pack(type, payload_bytes=len(body), **fields) + body)

    def array(self, outgoing: Outgoing) -> None:
        stream = outgoing.stream
        stream.queue.append(outgoing)
        stream.queued_bytes += outgoing.elements.view.nbytes
        if len(stream.queue) == 1:
            self._ready.append(stream)

    def at_once(
        self, stream: Outbound, elements: Elements, tag: int, attributes: bytes, write: Write
    ) -> Optional[Outgoing]:
        """The frame of a small array, as most requests and replies are, if it is the next thing to be written. None, and nothing
        is changed, if the array has to wait, or is anything else. Core._queue takes it then, and says what is wrong with it.
        The header differs from the last one of its kind in a few fields. That takes a third of the time. The frame is written as
        soon as it is there: what is noted of the array is noted while the peer is at it."""
        type, _, _, view, parts, encoding, little = elements
        size = view.nbytes
        if size > _FITS:
            return None
        core = self._core
        key = size << 24 | len(attributes) << 8 | type.code
        kind = stream.kinds.get(key) or self._new_kind(stream, elements, len(attributes), key)
        cost = ARRAY_COST + len(attributes) + size
        if (
            kind is None
            or parts
            or encoding is not None
            or little != NATIVE_LITTLE
            or view.__class__ is not memoryview
            or self._ready
            or self._pieces
            or self._controls
            or self._closed_behind
            or cost > stream.allowed - stream.charged
            or cost > core.allowed - core.charged
            or core.ending
            or core.error is not None
            or core.stream_ended
        ):
            return None
        stream.charged += cost
        core.charged += cost
        stream.sequence = sequence = stream.sequence + 1
        inbound = self._acks.pop(stream.field, None)
        flags = low = 0
        if inbound is not None:
            inbound.told_acked = acked = inbound.acked
            flags, low = wire.ACKNOWLEDGES, acked & 0xFFFFFFFF
        header, chosen = kind
        self._last_kind = header
        frame = b"".join((self._headers.like(header, sequence, tag, flags, low), attributes, view))
        self._pieces.append(frame)
        self._made = end = self._made + len(frame)
        write()
        core.flood.sent(cost)
        outgoing = Outgoing(stream, elements, chosen, tag, attributes)
        outgoing.sequence = sequence
        outgoing.sent = size
        outgoing.wire = len(frame)
        outgoing.end = end
        outgoing.state = WHOLE
        stream.waiting.append(outgoing)
        return outgoing

    def look_ahead(self, outgoing: Outgoing, inbound: Inbound) -> None:
        """Makes the header of the next small array, while this side waits for the reply to the last one. It is most likely of the
        same kind, and acknowledges that reply."""
        self._headers.make_ahead(
            self._last_kind, outgoing.sequence + 1, outgoing.tag, wire.ACKNOWLEDGES, inbound.sequence + 1 & 0xFFFFFFFF
        )

    def _new_kind(
        self, stream: Outbound, elements: Elements, attribute_bytes: int, key: int
    ) -> "Optional[Tuple[int, Encoding]]":
        """What the headers of small arrays of a kind have in common, and their encoding; None if there are none of that kind."""
        agreement, type, size = self._core.agreement, elements.type, elements.view.nbytes
        if (
            elements.parts
            or elements.encoding is not None
            or type not in agreement.element_types
            or agreement.checksums
            or size > min(agreement.max_array_bytes, self.chunk_bytes)
            or attribute_bytes > _FITS
        ):
            return None
        encoding = agreement.encoding_for(elements)
        if encoding.little != NATIVE_LITTLE and type.size > 1 or encoding.has_prefix or encoding.in_blocks:
            return None
        if len(stream.kinds) >= _MOST_KINDS:
            stream.kinds.clear()
        header = wire.kind(encoding.code, type.code, attribute_bytes, stream.field, elements.length, size)
        kind = stream.kinds[key] = header, encoding
        return kind

    def acknowledge(self, stream: Inbound) -> None:
        """Soon: with the next array of the channel, or by itself."""
        if stream.acked > stream.told_acked:
            self._acks[stream.field] = stream

    def last(self, type: int, body: bytes = b"") -> None:
        """A frame behind which nothing more may be sent, whatever waited."""
        self._controls.clear()
        self._ready.clear()
        self._acks.clear()
        self.control(type, body)
        self._closed_behind = True

    def stop(self) -> None:
        """Sends nothing more, not even what was made."""
        self._pieces.clear()
        self._made = self.written
        self._controls.clear()
        self._ready.clear()
        self._acks.clear()
        self._closed_behind = True

    def withdraw(self, outgoing: Outgoing) -> bool:
        """Takes an array back, and so its memory; False if all of it has left or is about to."""
        stream = outgoing.stream
        if outgoing.state not in (QUEUED, SENDING):
            self._copy_made()
            return False
        if outgoing.state == SENDING:
            self._copy_made()
            self.control(wire.ABORT, channel=stream.field, sequence=outgoing.sequence)
        begun = stream.queue[0] is outgoing
        stream.queue.remove(outgoing)
        stream.queued_bytes -= outgoing.elements.view.nbytes
        if begun and not stream.queue and stream in self._ready:
            self._ready.remove(stream)
        outgoing.state = WITHDRAWN
        return True

    def give_back(self, outgoing: Outgoing) -> bool:
        """The memory of an array is the caller's again, whatever has become of it; whether nothing of it arrives."""
        if self._core.over or outgoing.error is not None:
            self._copy_made()
            return outgoing.state < WHOLE
        return self.withdraw(outgoing)

    def _copy_made(self) -> None:
        """What was made of arrays, and not written, no longer needs their memory."""
        self._pieces = deque(bytes(piece) for piece in self._pieces)

    # --- What is written ---

    @property
    def idle(self) -> bool:
        """Whether nothing of arrays waits."""
        return not self._ready and not self._pieces

    def has_written(self, outgoing: Outgoing) -> bool:
        return outgoing.state >= WHOLE and self.written >= outgoing.end

    def pieces(self) -> List[Piece]:
        """What to write next, in order; nothing if there is nothing, or no credit."""
        pieces = self._pieces
        if not pieces:
            if not self._ready and not self._controls and not self._acks:
                return _NOTHING
            self._make()
        if len(pieces) <= _BATCH_PIECES:
            return [*pieces]
        return [pieces[i] for i in range(_BATCH_PIECES)]

    def wrote(self, count: int) -> None:
        self.written += count
        pieces = self._pieces
        if self.written == self._made:
            pieces.clear()
            count = 0
        while count:
            first = pieces[0]
            if len(first) > count:
                pieces[0] = memoryview(first)[count:]
                break
            count -= len(first)
            pieces.popleft()
        if self._core.ending:
            self._core.maybe_finish()

    def _put(self, piece: Piece) -> None:
        if len(piece):
            self._pieces.append(piece)
            self._made += len(piece)

    def _make(self) -> None:
        begun = self._made
        while self._controls:
            self._put(self._controls.popleft())
        if self._closed_behind:
            return
        blocked = 0
        ready = self._ready
        while ready and blocked < len(ready) and self._made - begun < _BATCH_BYTES and len(self._pieces) < _BATCH_PIECES:
            stream = ready.popleft()
            try:
                made = self._make_frame(stream)
            except SourceError as error:
                self._source_failed(stream.queue[0], error)
                made = True
            if stream.queue:
                ready.append(stream)
            blocked = 0 if made else blocked + 1
        if self._acks:
            for inbound in list(self._acks.values()):
                self._put(self._headers.pack(wire.ACK, channel=inbound.field, sequence=inbound.acked))
                inbound.told_acked = inbound.acked
            self._acks.clear()

    def _source_failed(self, outgoing: Outgoing, error: SourceError) -> None:
        """Its elements cannot be read, so nothing of it arrives."""
        self.withdraw(outgoing)
        outgoing.error = error

    def acknowledgement(self, field: int) -> "tuple[int, int]":
        """Flag and low 32 bits for a frame of the channel, if there is something to acknowledge there."""
        inbound = self._acks.pop(field, None)
        if inbound is None:
            return 0, 0
        inbound.told_acked = inbound.acked
        return wire.ACKNOWLEDGES, inbound.acked & 0xFFFFFFFF

    def _portion(self, stream: Outbound, outgoing: Outgoing, fixed: int) -> int:
        """How many bytes of elements its next frame has; -1 if there is no credit for it."""
        core, size = self._core, outgoing.elements.type.size
        left = outgoing.elements.view.nbytes - outgoing.sent
        room = min(stream.allowed - stream.charged, core.allowed - core.charged)
        if left <= _FITS and left <= self.chunk_bytes and fixed + left <= room:
            return left
        limit = min(core.agreement.max_frame_bytes, self.chunk_bytes)
        if self._ready:
            limit = min(limit, _SHARED_CHUNK_BYTES)
        if fixed:
            limit -= len(outgoing.prefix)
        portion = left if left <= limit else limit // size * size
        if fixed + portion > room:
            if room < core.half:
                return -1
            portion = (room - fixed) // size * size
            if portion <= 0:
                return -1
        return portion

    def _blocks(self, stream: Outbound, outgoing: Outgoing, spans: Spans, fixed: int) -> "tuple[int, bytes]":
        """How many plain bytes its next frame stands for, and the blocks and other elements that it holds; -1 if there is no
        credit for it."""
        core, view = self._core, outgoing.elements.view
        most = min(view.nbytes - outgoing.sent, _BLOCKS_BYTES)
        room = min(stream.allowed - stream.charged, core.allowed - core.charged) - fixed
        if room < most and room + fixed < core.half:
            return -1, b""
        ends = most == view.nbytes - outgoing.sent <= room
        most, longest = min(most, room), core.agreement.max_frame_bytes
        body, portion = bytearray(), 0
        while portion < most:
            short = longest - len(body) < 2 * wire.LEAST_USEFUL or not ends and most - portion < wire.LEAST_USEFUL
            if portion and short:
                break
            plain = put(body, view, outgoing.sent + portion, spans, most - portion, longest)
            if not plain:
                break
            portion += plain
        return portion if portion or not view.nbytes else -1, bytes(body)

    def _make_frame(self, stream: Outbound) -> bool:
        """The next frame of the channel's first array; False if there is no credit for it."""
        outgoing = stream.queue[0]
        core = self._core
        type, count, _, view, parts, _, _ = outgoing.elements
        first = outgoing.state == QUEUED
        fixed = wire.ARRAY_COST + len(outgoing.encoded_attributes) + len(outgoing.prefix) if first else 0
        piece: Piece
        if outgoing.spans is None:
            portion = self._portion(stream, outgoing, fixed)
            if portion < 0:
                return False
            whole = portion == view.nbytes and view.__class__ is memoryview  # what reads a file is asked for each piece
            piece = view if whole else view[outgoing.sent : outgoing.sent + portion]
        else:
            portion, piece = self._blocks(stream, outgoing, outgoing.spans, fixed)
            if portion < 0:
                return False
        cost = fixed + portion
        stream.charged += cost
        core.charged += cost
        core.flood.sent(cost)
        before = b""
        if first:
            stream.sequence += 1
            outgoing.sequence = stream.sequence
            before = outgoing.encoded_attributes + outgoing.prefix
            outgoing.state = SENDING
        flags, low = self.acknowledgement(stream.field) if self._acks else (0, 0)
        checksum = 0
        if core.agreement.checksums:
            flags |= wire.HAS_CHECKSUM
            checksum = extend(extend(0, before) if before else 0, piece)
        header = self._headers.pack(
            wire.ARRAY if first else wire.CHUNK,
            outgoing.encoding.code,
            type.code,
            flags,
            len(outgoing.encoded_attributes) if first else 0,
            stream.field,
            outgoing.sequence,
            outgoing.tag,
            sum(each.length for each in parts) if parts else count,
            outgoing.array_bytes if first else outgoing.sent // type.size,
            len(piece) + len(outgoing.prefix) if first else len(piece),
            checksum,
            low,
        )
        if len(piece) <= 1024:
            self._put(b"".join((header, before, piece)))
        else:
            self._put(header + before)
            self._put(piece)
        outgoing.wire += wire.HEADER_BYTES + len(before) + len(piece)
        outgoing.sent += portion
        if outgoing.sent == view.nbytes:
            stream.queue.popleft()
            stream.queued_bytes -= view.nbytes
            stream.waiting.append(outgoing)
            outgoing.end = self._made
            outgoing.state = WHOLE
            core.sent_whole(outgoing)
        return True
