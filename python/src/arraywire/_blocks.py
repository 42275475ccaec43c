"""Elements in blocks, as docs/protocol.md has them: shuffle-zstd, shuffle-lz4, bf16 and fp16."""

from __future__ import annotations

import functools
import struct
from typing import Callable, Dict, NamedTuple, Optional, Tuple

from . import _halves, _memory
from ._types import HALVES_BF16, HALVES_FP16, IN_BLOCKS, SHUFFLE_LZ4, SHUFFLE_ZSTD, ElementType, Encoding
from .errors import ErrorCode, ProtocolError, violation

MAX_BLOCK_BYTES = 1 << 16
HEAD = struct.Struct("<II")
_RAW = 1 << 31
_OTHER = 1 << 30  # the block is not in planes
_MOST_VALUES = 4096
_NEEDS_ZSTD = "shuffle-zstd needs the package zstandard (the extra 'zstd'), or Python 3.14"


class Block(NamedTuple):
    """What the head of a block says."""

    size: int  # bytes that follow
    elements: int
    raw: bool

    @property
    def zeros(self) -> int:
        """How many follow it where it is one of a part."""
        return -self.size % 8


def head(content: memoryview, at: int, type: ElementType, elements_left: int, bytes_left: int, padded: bool) -> Block:
    """The head of a block, checked before anything is taken for the block. So many elements of the array or the part are left,
    and so many bytes of the payload, these 8 included."""
    word, elements = HEAD.unpack_from(content, at)
    block = Block(word & ~_RAW, elements, bool(word & _RAW))
    if not 0 < elements <= min(elements_left, MAX_BLOCK_BYTES // type.size):
        raise violation(
            ErrorCode.BAD_LENGTH,
            "a block has a number of elements that is not allowed",
            elements=elements,
            left=elements_left,
        )
    left = bytes_left - HEAD.size - (block.zeros if padded else 0)
    if not 0 < block.size <= left:
        raise violation(
            ErrorCode.BAD_LENGTH,
            "a block is empty, or longer than what is left of its frame",
            bytes=block.size,
            left=left,
        )
    plain = elements * type.size
    if block.size != plain if block.raw else block.size >= plain:
        raise violation(
            ErrorCode.COUNT_MISMATCH,
            "a raw block has the bytes of its elements, another one fewer",
            bytes=block.size,
            elements=elements,
        )
    return block


def check_room(left: int) -> None:
    """Whether so many bytes of a payload may be a block."""
    if left <= HEAD.size:
        raise violation(ErrorCode.BAD_LENGTH, "a frame ends inside the head of a block", bytes=left)


def check_zeros(zeros: memoryview) -> None:
    if bytes(zeros).strip(b"\0"):
        raise violation(ErrorCode.MALFORMED_PAYLOAD, "the bytes behind a block are not 0")


def check(payload: memoryview, type: ElementType, count: int, padded: bool = False) -> int:
    """Checks the heads of all blocks, before memory is taken for the elements that they announce. Says where they end.

    Where they are those of a part in a table, each is padded: zeros follow it up to a multiple of 8.
    """
    at, left = 0, count
    while left and at < len(payload):
        check_room(len(payload) - at)
        block = head(payload, at, type, left, len(payload) - at, padded)
        at += HEAD.size + block.size
        left -= block.elements
        if padded:
            check_zeros(payload[at : at + block.zeros])
            at += block.zeros
    if left:
        raise violation(
            ErrorCode.COUNT_MISMATCH, "the blocks hold fewer elements than the message says", elements=count, missing=left
        )
    return at


def decode(payload: memoryview, blocks: Encoding, type: ElementType, target: memoryview, padded: bool = False) -> None:
    """Decodes blocks whose heads were checked, into little-endian elements."""
    at = filled = 0
    while at < len(payload):
        word, elements = HEAD.unpack_from(payload, at)
        at += HEAD.size
        size, plain = word & ~_RAW, elements * type.size
        block = payload[at : at + size]
        target[filled : filled + plain] = block if word & _RAW else decoded(block, blocks, type, elements)
        at += size + (-size % 8 if padded else 0)
        filled += plain


def decoded(block: memoryview, blocks: Encoding, type: ElementType, count: int) -> bytes:
    """The elements of a block that is not raw, little-endian."""
    return DECODERS[blocks.code](block, blocks, type, count)


def encoded(plain: memoryview, encoding: Encoding, type: ElementType) -> bytes:
    """A block of some little-endian elements, its head before it; raw where the encoding makes it no smaller."""
    count = len(plain) // type.size
    content = _ENCODERS[encoding.code](plain, type, count)
    if len(content) < len(plain):
        return HEAD.pack(len(content), count) + content
    return HEAD.pack(len(plain) | _RAW, count) + bytes(plain)


def writable() -> Tuple[Encoding, ...]:
    """The encodings of which blocks are made here."""
    return (SHUFFLE_ZSTD, HALVES_BF16, HALVES_FP16) if _zstd_compress() else (HALVES_BF16, HALVES_FP16)


def fast() -> Tuple[Encoding, ...]:
    """Those whose blocks are decoded here at the speed of compiled code."""
    return (SHUFFLE_ZSTD, HALVES_BF16, HALVES_FP16) if _zstd() else (HALVES_BF16, HALVES_FP16)


def check_writable(encoding: Encoding) -> None:
    if encoding is SHUFFLE_LZ4:
        raise ValueError("this package reads shuffle-lz4 and does not write it; name shuffle-zstd")
    if encoding not in writable():
        raise ValueError(_NEEDS_ZSTD)


def readable(name: str) -> Encoding:
    """The encoding in blocks of a name, which an option of this side gives."""
    for each in IN_BLOCKS.values():
        if each.name == name:
            if each is SHUFFLE_ZSTD and _zstd() is None:
                raise ValueError(_NEEDS_ZSTD)
            return each
    names = " ".join(each.name for each in IN_BLOCKS.values())
    raise ValueError(f"there is no such codec in blocks (codec={name!r}, codecs={names})")


def _of_halves(block: memoryview, blocks: Encoding, type: ElementType, count: int) -> bytes:
    if len(block) != 2 * count:
        raise _malformed("a block of floats of 16 bits has another length than its elements", blocks, len(block))
    return _halves.widened(block, blocks is HALVES_FP16)


def _joined(block: memoryview, blocks: Encoding, type: ElementType, count: int) -> bytes:
    """The content of a block of elements of so many bytes, in any layout."""
    width = type.size
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


def _of_values(block: memoryview, blocks: Encoding, many: int, width: int, count: int) -> Tuple[bytes, int]:
    """Elements that have few values: a table of these, and the index of each."""
    if many > _MOST_VALUES:
        raise _malformed("a block has more values than it may have", blocks, many)
    bytes_of_index = 1 if many <= 256 else 2
    values, at = _planes(block, blocks, 1, width, 4 * (1 + width + bytes_of_index), many)
    indices, at = _planes(block, blocks, 1 + width, bytes_of_index, at, count)
    if _memory.numpy is not None:
        places = _memory.numpy.frombuffer(indices, f"<u{bytes_of_index}")
        _check_index(int(places.max()), many, blocks)
        made: bytes = _memory.numpy.frombuffer(values, f"u{width}")[places].tobytes()
        return made, at
    numbers = struct.unpack("<%d%s" % (count, "BH"[bytes_of_index - 1]), indices)
    _check_index(max(numbers), many, blocks)
    each = [values[k : k + width] for k in range(0, len(values), width)]
    return b"".join([each[k] for k in numbers]), at


def _check_index(highest: int, many: int, blocks: Encoding) -> None:
    if highest >= many:
        raise _malformed("an element of a block has an index beyond the list of the block's values; the sender's encoder is faulty", blocks, many)


def _planes(block: memoryview, blocks: Encoding, word: int, width: int, at: int, count: int) -> Tuple[bytes, int]:
    """Planes of bytes become so many elements; also says where the planes end. Their lengths begin at this word."""
    if len(block) <= at:
        raise _malformed("a block is too short for its table of planes", blocks, len(block))
    decompress = _decompressor(blocks)
    made = bytearray(width * count)
    for k, length in enumerate(struct.unpack_from(f"<{width}I", block, 4 * word)):
        size = length & ~_RAW
        if size > len(block) - at or (size != count if length & _RAW else not 0 < size < count):
            raise _malformed("a block is malformed: one of its byte planes has another length than it may have", blocks, size)
        plane = bytes(block[at : at + size])
        made[k::width] = plane if length & _RAW else _whole(decompress(plane, count), blocks, count)
        at += size
    return bytes(made), at


def _whole(plane: Optional[bytes], blocks: Encoding, count: int) -> bytes:
    if plane is None or len(plane) != count:
        raise _malformed("a plane is malformed, or not as long as its elements make it", blocks, count)
    return plane


def _malformed(text: str, blocks: Encoding, size: int) -> ProtocolError:
    return violation(ErrorCode.MALFORMED_PAYLOAD, text, bytes=size, encoding=blocks.name)


# --- Writing ---


def _to_halves(encoding: Encoding) -> "Callable[[memoryview, ElementType, int], bytes]":
    return lambda plain, type, count: _halves.narrowed(plain, encoding is HALVES_FP16)


def _shuffled(plain: memoryview, type: ElementType, count: int) -> bytes:
    """In planes, each compressed by zstd if that makes it smaller."""
    compress = _zstd_compress()
    assert compress is not None
    content = bytes(plain)
    lengths, planes = [], []
    for k in range(type.size):
        plane = content[k :: type.size]
        compressed = compress(plane)
        smaller = len(compressed) < count
        lengths.append(len(compressed) if smaller else count | _RAW)
        planes.append(compressed if smaller else plane)
    return struct.pack(f"<{type.size}I", *lengths) + b"".join(planes)


# --- Planes ---

_Decompress = Callable[[bytes, int], Optional[bytes]]

# 8 MiB, which RFC 8878 has every reader support; a module alone takes up to 128 MiB for what a frame says.
_WINDOW_LOG = 23


def _decompressor(blocks: Encoding) -> _Decompress:
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


@functools.lru_cache(maxsize=None)
def _zstd_compress() -> Optional[Callable[[bytes], bytes]]:
    """By the same modules, at level 1."""
    try:
        from compression import zstd  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        pass
    else:
        return lambda plane: bytes(zstd.compress(plane, 1))
    try:
        import zstandard  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        return None
    return lambda plane: bytes(zstandard.ZstdCompressor(level=1).compress(plane))


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


DECODERS: Dict[int, Callable[[memoryview, Encoding, ElementType, int], bytes]] = {
    SHUFFLE_ZSTD.code: _joined, SHUFFLE_LZ4.code: _joined, HALVES_BF16.code: _of_halves, HALVES_FP16.code: _of_halves,
}  # fmt: skip
_ENCODERS: Dict[int, Callable[[memoryview, ElementType, int], bytes]] = {
    SHUFFLE_ZSTD.code: _shuffled, HALVES_BF16.code: _to_halves(HALVES_BF16), HALVES_FP16.code: _to_halves(HALVES_FP16),
}  # fmt: skip
