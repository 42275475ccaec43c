"""Elements in blocks, as docs/protocol.md has them: shuffle-zstd, shuffle-lz4, bf16 and fp16. For reading."""

from __future__ import annotations

import functools
import struct
from typing import Callable, Dict, NamedTuple, Optional, Tuple

from ._types import FLOAT, ElementType
from .errors import ErrorCode, ProtocolError, violation

MAX_BLOCK_BYTES = 1 << 16
HEAD = struct.Struct("<II")
_RAW = 1 << 31
_OTHER = 1 << 30  # the block is not in planes
_MOST_VALUES = 4096


class Blocks(NamedTuple):
    """An encoding in blocks."""

    code: int
    name: str
    only_float: bool

    def has(self, type: ElementType) -> bool:
        return not self.only_float or type is FLOAT


ENCODINGS: Dict[int, Blocks] = {
    each.code: each
    for each in (
        Blocks(16, "shuffle-zstd", False),
        Blocks(17, "shuffle-lz4", False),
        Blocks(24, "bf16", True),
        Blocks(25, "fp16", True),
    )
}


def check(payload: memoryview, type: ElementType, count: int, padded: bool = False) -> int:
    """Checks the heads of all blocks, before memory is taken for the elements that they announce. Says where they end.

    Where they are those of a part in a table, each is padded: zeros follow it up to a multiple of 8.
    """
    at, left = 0, count
    while left and at < len(payload):
        if len(payload) - at <= HEAD.size:
            raise violation(ErrorCode.BAD_LENGTH, "a frame ends inside the head of a block", bytes=len(payload) - at)
        word, elements = HEAD.unpack_from(payload, at)
        at += HEAD.size
        size, plain = word & ~_RAW, elements * type.size
        if not 0 < elements <= min(left, MAX_BLOCK_BYTES // type.size):
            raise violation(
                ErrorCode.BAD_LENGTH,
                "a block has a number of elements that is not allowed",
                elements=elements,
                left=left,
            )
        if not 0 < size <= len(payload) - at:
            raise violation(
                ErrorCode.BAD_LENGTH,
                "a block is empty, or longer than what is left of its frame",
                bytes=size,
                left=len(payload) - at,
            )
        if size != plain if word & _RAW else size >= plain:
            raise violation(
                ErrorCode.COUNT_MISMATCH,
                "a raw block has the bytes of its elements, another one fewer",
                bytes=size,
                elements=elements,
            )
        at += size
        left -= elements
        if padded:
            at = _checked_zeros(payload, at)
    if left:
        raise violation(
            ErrorCode.COUNT_MISMATCH, "the blocks hold fewer elements than the message says", elements=count, missing=left
        )
    return at


def _checked_zeros(payload: memoryview, at: int) -> int:
    end = at + -at % 8
    if end > len(payload):
        raise violation(ErrorCode.BAD_LENGTH, "a message ends inside the zeros behind a block", missing=end - len(payload))
    if bytes(payload[at:end]).strip(b"\0"):
        raise violation(ErrorCode.MALFORMED_PAYLOAD, "the bytes behind a block are not 0")
    return end


def decode(payload: memoryview, blocks: Blocks, type: ElementType, target: memoryview, padded: bool = False) -> None:
    """Decodes blocks whose heads were checked, into little-endian elements."""
    at = filled = 0
    while at < len(payload):
        word, elements = HEAD.unpack_from(payload, at)
        at += HEAD.size
        size, plain = word & ~_RAW, elements * type.size
        block = payload[at : at + size]
        target[filled : filled + plain] = block if word & _RAW else _decoded(block, blocks, type, elements)
        at += size + (-size % 8 if padded else 0)
        filled += plain


def _decoded(block: memoryview, blocks: Blocks, type: ElementType, count: int) -> bytes:
    if blocks.only_float:
        if len(block) != 2 * count:
            raise _malformed("a block of floats of 16 bits has another length than its elements", blocks, len(block))
        if blocks.name == "fp16":
            return struct.pack(f"<{count}f", *struct.unpack(f"<{count}e", block))
        made = bytearray(4 * count)
        made[2::4], made[3::4] = block[0::2], block[1::2]
        return bytes(made)
    return _joined(block, blocks, type.size, count)


def _joined(block: memoryview, blocks: Blocks, width: int, count: int) -> bytes:
    """The content of a block of elements of so many bytes, in any layout."""
    if len(block) <= 4:
        raise _malformed("a block is too short for its table of planes", blocks, len(block))
    (first,) = struct.unpack_from("<I", block)
    if width == 1 or not first & _OTHER or first & _RAW:
        made, at = _planes(block, blocks, 0, width, 4 * width, count)
    elif first == _OTHER:
        size = width * count
        return _whole(_decompressor(blocks)(bytes(block[4:]), size), blocks, size)
    else:
        made, at = _of_values(block, blocks, first & ~_OTHER, width, count)
    if at != len(block):
        raise _malformed("a block has bytes behind its last plane", blocks, len(block) - at)
    return made


def _of_values(block: memoryview, blocks: Blocks, many: int, width: int, count: int) -> Tuple[bytes, int]:
    """Elements that have few values: a table of these, and the index of each."""
    if many > _MOST_VALUES:
        raise _malformed("a block has more values than it may have", blocks, many)
    bytes_of_index = 1 if many <= 256 else 2
    values, at = _planes(block, blocks, 1, width, 4 * (1 + width + bytes_of_index), many)
    indices, at = _planes(block, blocks, 1 + width, bytes_of_index, at, count)
    numbers = struct.unpack("<%d%s" % (count, "BH"[bytes_of_index - 1]), indices)
    if max(numbers) >= many:
        raise _malformed("an element of a block has the index of a value that is not there", blocks, many)
    each = [values[k : k + width] for k in range(0, len(values), width)]
    return b"".join([each[k] for k in numbers]), at


def _planes(block: memoryview, blocks: Blocks, word: int, width: int, at: int, count: int) -> Tuple[bytes, int]:
    """Planes of bytes become so many elements; also says where the planes end. Their lengths begin at this word."""
    if len(block) <= at:
        raise _malformed("a block is too short for its table of planes", blocks, len(block))
    decompress = _decompressor(blocks)
    made = bytearray(width * count)
    for k, length in enumerate(struct.unpack_from(f"<{width}I", block, 4 * word)):
        size = length & ~_RAW
        if size > len(block) - at or (size != count if length & _RAW else not 0 < size < count):
            raise _malformed("a plane of a block has another length than it may have", blocks, size)
        plane = bytes(block[at : at + size])
        made[k::width] = plane if length & _RAW else _whole(decompress(plane, count), blocks, count)
        at += size
    return bytes(made), at


def _whole(plane: Optional[bytes], blocks: Blocks, count: int) -> bytes:
    if plane is None or len(plane) != count:
        raise _malformed("a plane is malformed, or not as long as its elements make it", blocks, count)
    return plane


def _malformed(text: str, blocks: Blocks, size: int) -> ProtocolError:
    return violation(ErrorCode.MALFORMED_PAYLOAD, text, bytes=size, encoding=blocks.name)


# --- Planes ---

_Decompress = Callable[[bytes, int], Optional[bytes]]

# 8 MiB, which RFC 8878 has every reader support; a module alone takes up to 128 MiB for what a frame says.
_WINDOW_LOG = 23


def _decompressor(blocks: Blocks) -> _Decompress:
    """A function that makes at most so many bytes of a plane, or None of one that is malformed."""
    if blocks.name == "shuffle-lz4":
        return _lz4
    found = _zstd()
    if found is None:
        raise violation(
            ErrorCode.UNKNOWN_CODE,
            "the elements are compressed by zstd; install the package zstandard, or use Python 3.14",
            encoding=blocks.name,
        )
    return found


@functools.lru_cache(maxsize=None)
def _zstd() -> Optional[_Decompress]:
    """By whichever of two modules is there, looked for once. Each is given limits of what a plane may take in memory."""
    try:
        from compression import zstd  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        pass
    else:

        def decompress(plane: bytes, most: int) -> Optional[bytes]:
            try:
                one = zstd.ZstdDecompressor(options={zstd.DecompressionParameter.window_log_max: _WINDOW_LOG})
                made = one.decompress(plane, most + 1)
                return bytes(made) if one.eof and not one.unused_data else None
            except zstd.ZstdError:
                return None

        return decompress
    try:
        import zstandard  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        return None

    def decompress_by_package(plane: bytes, most: int) -> Optional[bytes]:
        try:
            if zstandard.frame_content_size(plane) > most:
                return None
            one = zstandard.ZstdDecompressor(max_window_size=1 << _WINDOW_LOG)
            return bytes(one.decompress(plane, max_output_size=most + 1, allow_extra_data=False))
        except zstandard.ZstdError:
            return None

    return decompress_by_package


def _lz4(plane: bytes, most: int) -> Optional[bytes]:
    """One block of LZ4 in its block format, decoded in Python: some MB/s for what compresses badly."""
    made = bytearray()
    at, end = 0, len(plane)
    try:
        while True:
            token = plane[at]
            at += 1
            literals, at = _length(plane, at, token >> 4)
            if literals > end - at or len(made) + literals > most:
                return None
            made += plane[at : at + literals]
            at += literals
            if at == end:
                return bytes(made)
            back = plane[at] | plane[at + 1] << 8
            match, at = _length(plane, at + 2, token & 15)
            match += 4
            if not 0 < back <= len(made) or len(made) + match > most:
                return None
            piece = made[-back:] if back <= match else made[-back : match - back]
            made += (piece * (match // len(piece) + 1))[:match]
    except IndexError:
        return None


def _length(plane: bytes, at: int, nibble: int) -> Tuple[int, int]:
    """A length and what is behind it."""
    length = nibble
    if nibble == 15:
        while True:
            more = plane[at]
            at += 1
            length += more
            if more < 255:
                break
    return length, at
