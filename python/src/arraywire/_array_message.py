"""Array messages of docs/array-message.md: one frame of the wire with its whole payload, for a file, the record of a broker or
a request of HTTP. Java's ArrayMessage reads and writes the same bytes."""

from __future__ import annotations

import sys
from typing import Any, Iterator, List, Mapping, Optional, Tuple

from . import _blocks, _elements, _spans
from . import _layout as wire
from ._attributes import MAX_DIMENSIONS, MAX_PARTS, NO_STRINGS, Attributes, Part, checked_strings, padded, tag_of
from ._content import Content
from ._crc32c import crc32c, extend
from ._elements import CodecNames, Elements, TypeNames
from ._memory import Memory, flat, settle, swapped
from ._streams import Inbound, Received
from ._types import BOOLEAN, ENCODINGS, IN_BLOCKS, MESSAGE, NATIVE_LITTLE, RAW_BE, RAW_LE, TABLE, TYPES, Encoding
from .errors import ErrorCode, ProtocolError, TooLargeError, violation

MAX_BYTES = 1 << 30
_MOST_PAYLOAD = (1 << 32) - 1
_MOST = (1 << 63) - 1


class ArrayMessage(Content):
    """A message that was decoded: an array or parts in memory of its own, with tag and metadata."""

    __slots__ = ()

    def __repr__(self) -> str:
        parts = self._received.attributes.parts
        content = ", ".join(f"{each.name}: {each.type.name}[{each.length}]" for each in parts)
        return f"<ArrayMessage {content or f'{self.type}{list(self.shape)}'}>"


# --- Writing ---


def encode(
    obj: Any,
    *,
    tag: int = 0,
    metadata: Mapping[str, str] = NO_STRINGS,
    type: TypeNames = None,
    shape: Optional[Tuple[int, ...]] = None,
    order: str = "little",
    checksum: bool = True,
    codec: CodecNames = None,
) -> bytes:
    """The bytes of a message: of an array, or of a dict of arrays, whose names are those of its parts.

    ``type`` names element types that an object does not tell, as in ``send``. ``order`` is that of the elements, 'little' or
    'big', where they are raw. ``codec`` names how they are encoded, as in ``send``: 'shuffle-zstd', 'bf16', 'fp16', or a dict of
    such names for parts. The checksum is made at the speed of memory with google-crc32c (the extra ``crc32c``), else at some 5 MB/s.
    Raises UnsupportedArrayError for objects that are no arrays of the wire, TooLargeError beyond 4 GiB.
    """
    if order not in ("little", "big"):
        raise ValueError(f"a byte order is 'little' or 'big' (order={order!r})")
    tag = tag_of(tag)
    raw = RAW_LE if order == "little" else RAW_BE
    elements = _elements.elements(obj, type, shape, codec, raw)
    encoding = elements.encoding or raw
    if encoding.has_prefix:
        raise ValueError(
            "an array message is raw-le, raw-be or in an encoding in blocks; name a codec of these, or none"
            f" (codec={encoding.name})"
        )
    if len(elements.shape) > MAX_DIMENSIONS:
        raise ValueError(f"an array has at most {MAX_DIMENSIONS} dimensions (dimensions={len(elements.shape)})")
    size = elements.view.nbytes
    _check_size(size)
    parts = elements.parts
    attributes = Attributes(elements.shape, checked_strings(metadata), parts=parts).encoded()
    if len(attributes) > wire.MAX_ATTRIBUTES:
        raise TooLargeError(
            ErrorCode.ARRAY_TOO_LARGE,
            "names and shapes are too long for one message; use several",
            bytes=len(attributes),
            limit=wire.MAX_ATTRIBUTES,
        )
    made = bytearray(wire.HEADER_BYTES) + attributes
    start = len(made)
    _put(made, elements, encoding)
    _check_size(len(made) - start)
    made[: wire.HEADER_BYTES] = wire.HeaderWriter().pack(
        wire.ARRAY,
        0 if parts else encoding.code,
        elements.type.code,
        wire.HAS_CHECKSUM if checksum else 0,
        len(attributes),
        tag=tag,
        count=sum(each.length for each in parts) if parts else elements.length,
        array_bytes=size,
        payload_bytes=len(made) - start,
        payload_checksum=crc32c(memoryview(made)[wire.HEADER_BYTES :]) if checksum else 0,
    )
    return bytes(made)


def _check_size(size: int) -> None:
    if size > _MOST_PAYLOAD:
        raise TooLargeError(
            ErrorCode.ARRAY_TOO_LARGE, "an array message has less than 4 GiB; use several", bytes=size, limit=_MOST_PAYLOAD
        )


def _put(made: bytearray, elements: Elements, encoding: Encoding) -> None:
    """Appends the payload."""
    type, view, parts = elements.type, elements.view, elements.parts
    if not parts and type.size > 1 and encoding.little != NATIVE_LITTLE:
        view = swapped(view, type.size)
    if not _spans.has_blocks(encoding, parts):
        made += view
        return
    spans, place = _spans.Spans(encoding, type, len(view), parts), 0
    while place < len(view):
        place += _spans.put(made, view, place, spans, len(view), sys.maxsize)


# --- Reading ---


def decode(data: Any, *, max_bytes: int = MAX_BYTES, max_parts: int = MAX_PARTS) -> ArrayMessage:
    """The message that some bytes are: the value of a record, the content of a file. They may be anybody's: everything is
    checked before memory is taken for elements, and what is decoded has memory of its own.

    ``max_bytes`` is the most that its arrays may have. Reads all encodings; ``shuffle-zstd`` needs the package zstandard, or Python
    3.14, and fails with a ProtocolError (UNKNOWN_CODE) that names it otherwise. Raises ProtocolError, whose ``code`` says which check failed, also
    for bytes behind the message. A checksum is verified at the speed of memory with google-crc32c, else at some 5 MB/s.
    """
    view = _flat(data)
    message, end = _decoded(view, max_bytes, max_parts)
    if end != len(view):
        raise violation(
            ErrorCode.BAD_LENGTH,
            "bytes follow the message; decode_all reads several",
            bytes=end,
            behind=len(view) - end,
        )
    return message


def decode_all(data: Any, *, max_bytes: int = MAX_BYTES, max_parts: int = MAX_PARTS) -> Iterator[ArrayMessage]:
    """The messages that lie behind each other, one by one. Raises ProtocolError at the first one that is none."""
    view = _flat(data)
    while len(view):
        message, end = _decoded(view, max_bytes, max_parts)
        yield message
        view = view[end:]


def _flat(data: Any) -> memoryview:
    view = flat(data)
    if view is None:
        raise ValueError("a message is decoded of bytes that lie side by side; pass bytes, a bytearray or a C-contiguous buffer")
    return view


def _decoded(view: memoryview, max_bytes: int, max_parts: int) -> Tuple[ArrayMessage, int]:
    """The message at the beginning, and where it ends. The order of checks is that of docs/array-message.md."""
    header = _header(view)
    is_message = header.encoding == 0
    type = MESSAGE if is_message else TYPES[header.element]
    blocks = IN_BLOCKS.get(header.encoding)
    _check_lengths(header, type.size, is_message, max_bytes)
    start = wire.HEADER_BYTES + header.attribute_bytes
    end = start + header.payload_bytes
    if end > len(view):
        raise violation(ErrorCode.TRUNCATED, "the message is not all there", bytes=end, there=len(view))
    content = bytes(view[wire.HEADER_BYTES : start])
    attributes = Attributes.of_message(content, header.element_count, is_message, header.array_bytes, max_parts, IN_BLOCKS)
    payload = view[start:end]
    if is_message and header.payload_bytes != header.array_bytes and not _spans.has_blocks(TABLE, attributes.parts):
        raise _lengths(header)
    if header.flags and extend(crc32c(content), payload) != header.payload_checksum:
        raise violation(
            ErrorCode.PAYLOAD_CHECKSUM, "the message does not match its checksum; it was damaged", bytes=end
        )
    if blocks is not None:
        _check_end(payload, _blocks.check(payload, type, header.element_count))
    return ArrayMessage(_received(header, attributes, payload, _places(payload, attributes.parts))), end


def _check_end(payload: memoryview, at: int) -> None:
    if at != len(payload):
        raise violation(
            ErrorCode.BAD_LENGTH, "the message has bytes behind its last elements", bytes=at, behind=len(payload) - at
        )


def _places(payload: memoryview, parts: Tuple[Part, ...]) -> List[memoryview]:
    """Where each part lies, once heads of blocks and zeros were checked."""
    places = []
    at = 0
    for each in parts:
        here = payload[at:]
        size = each.size
        if each.encoding.in_blocks:
            size = _blocks.check(here, each.type, each.length, padded=True)
        elif padded(size) > len(here):
            raise violation(ErrorCode.BAD_LENGTH, "a message ends inside a part", name=each.name, bytes=size, left=len(here))
        elif bytes(here[size : padded(size)]).strip(b"\0"):
            raise violation(ErrorCode.MALFORMED_PAYLOAD, "the bytes behind a part are not 0", name=each.name)
        places.append(here[:size])
        at += padded(size)
    if parts:
        _check_end(payload, at)
    return places


def _header(view: memoryview) -> wire.Header:
    if len(view) >= 4 and view[:4] != wire.FRAME_MAGIC:
        raise violation(
            ErrorCode.BAD_MAGIC, "the bytes are not an array message", first_bytes=bytes(view[:4]).hex()
        )
    if len(view) < wire.HEADER_BYTES:
        raise violation(
            ErrorCode.TRUNCATED, "the message is shorter than its header", bytes=len(view), least=wire.HEADER_BYTES
        )
    header = wire.unpack(view)
    if crc32c(view[:60]) != header.checksum:
        raise violation(ErrorCode.HEADER_CHECKSUM, "the header of the message does not match its checksum")
    if header.version != wire.VERSION:
        raise violation(
            ErrorCode.UNSUPPORTED_VERSION, "the message is of another version", version=header.version, here=wire.VERSION
        )
    if header.type != wire.ARRAY:
        raise violation(ErrorCode.UNKNOWN_CODE, "the bytes are a frame of a connection, and no message", type=header.type)
    if header.flags & ~wire.HAS_CHECKSUM:
        raise violation(ErrorCode.UNKNOWN_CODE, "the message has a flag that is not known", flags=header.flags)
    if header.channel or header.sequence or header.acknowledged or not header.flags and header.payload_checksum:
        raise violation(ErrorCode.PROTOCOL_VIOLATION, "a field that a message does not have is not 0")
    both = header.encoding == header.element == 0
    if not both and not _known(header):
        raise violation(
            ErrorCode.UNKNOWN_CODE,
            "the element type or encoding is not known, or the encoding does not have the type",
            element=header.element,
            encoding=ENCODINGS[header.encoding].name if header.encoding in ENCODINGS else header.encoding,
        )
    return header


def _known(header: wire.Header) -> bool:
    type, blocks = TYPES.get(header.element), IN_BLOCKS.get(header.encoding)
    if type is None:
        return False
    return header.encoding in (RAW_LE.code, RAW_BE.code) or blocks is not None and blocks.has(type)


def _check_lengths(header: wire.Header, size: int, is_message: bool, max_bytes: int) -> None:
    if header.attribute_bytes > wire.MAX_ATTRIBUTES:
        raise violation(
            ErrorCode.FRAME_TOO_LARGE, "the attributes are too long", bytes=header.attribute_bytes, limit=wire.MAX_ATTRIBUTES
        )
    if header.array_bytes > max_bytes:
        raise violation(
            ErrorCode.FRAME_TOO_LARGE,
            "the arrays of the message are larger than is allowed; raise max_bytes",
            bytes=header.array_bytes,
            limit=max_bytes,
        )
    count = header.element_count
    if count > _MOST:
        raise violation(ErrorCode.BAD_LENGTH, "no message has so many elements", elements=count)
    if count * size > header.array_bytes or not is_message and count * size != header.array_bytes:
        raise _mismatch(header)
    if not is_message and count > sys.maxsize:
        raise violation(ErrorCode.FRAME_TOO_LARGE, "the array has more elements than fit", elements=count)
    if header.encoding in IN_BLOCKS:
        most = count * (_blocks.HEAD.size + size)
        agree = (_blocks.HEAD.size < header.payload_bytes <= most) if count else header.payload_bytes == 0
    elif is_message:  # each element may be in a block of its own
        agree = header.payload_bytes <= header.array_bytes + 2 * _blocks.HEAD.size * count
    else:
        agree = header.payload_bytes == header.array_bytes
    if not agree or header.attribute_bytes % 8:
        raise _lengths(header)


def _lengths(header: wire.Header) -> ProtocolError:
    return violation(
        ErrorCode.BAD_LENGTH,
        "the lengths in the header do not agree",
        array_bytes=header.array_bytes,
        payload_bytes=header.payload_bytes,
        attribute_bytes=header.attribute_bytes,
    )


def _mismatch(header: wire.Header) -> ProtocolError:
    return violation(
        ErrorCode.COUNT_MISMATCH,
        "elements and bytes do not agree",
        elements=header.element_count,
        bytes=header.array_bytes,
    )


def _received(
    header: wire.Header, attributes: Attributes, payload: memoryview, places: List[memoryview]
) -> Received:
    """The arrays in memory of their own, in this host's byte order once they are asked for."""
    blocks = IN_BLOCKS.get(header.encoding)
    if attributes.parts:
        encoding, type, count = TABLE, MESSAGE, header.array_bytes
    else:
        encoding = blocks or ENCODINGS[header.encoding]
        type, count = TYPES[header.element], header.element_count
    array = Received(_NOWHERE, type, encoding, count, header.tag, attributes, 0)
    try:
        array.memory = memory = Memory.of(header.array_bytes)
    except MemoryError:
        raise violation(
            ErrorCode.ALLOCATION_FAILED, "there is no memory for the arrays of a message", bytes=header.array_bytes
        ) from None
    array.view = memory.view
    for part, place in zip(attributes.parts, places):
        target = memory.view[part.offset : part.offset + part.size]
        if part.encoding.in_blocks:
            _blocks.decode(place, part.encoding, part.type, target, padded=True)
        else:
            target[:] = place
    if len(payload) and not places:
        if blocks:
            _blocks.decode(payload, blocks, type, memory.view)
        else:
            memory.view[:] = payload
        if not attributes.parts and (type is BOOLEAN or type.size > 1):
            settle(type, memory.view, encoding.little)
    return array


_NOWHERE = Inbound(0, 0)

__all__ = ["ArrayMessage", "decode", "decode_all", "encode"]
