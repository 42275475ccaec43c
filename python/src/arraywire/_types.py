"""Element types and encodings of docs/protocol.md."""

from __future__ import annotations

import struct
import sys
from typing import Dict, NamedTuple, Optional, Tuple

from . import _protobuf

NATIVE_LITTLE = sys.byteorder == "little"


def _format_of_halves() -> str:
    """Before Python 3.12 a memoryview has no half floats; then they are their bits, as those of bf16 are."""
    try:
        memoryview(b"\0\0").cast("e")  # type: ignore[call-overload,unused-ignore]
    except ValueError:
        return "H"
    return "e"


class ElementType(NamedTuple):
    """What the elements of an array are."""

    code: int
    name: str
    size: int
    format: str  # of memoryview
    dtype: str  # of NumPy
    java: str  # letter and serialVersionUID of the array class in Java's serialization; empty if there is none


_ALL = (
    ElementType(1, "float", 4, "f", "f4", "F0b9c818922e00c42"),
    ElementType(2, "int", 4, "i", "i4", "I4dba602676eab2a5"),
    ElementType(3, "double", 8, "d", "f8", "D3ea68c14ab635a1e"),
    ElementType(4, "long", 8, "q", "i8", "J782004b512b17593"),
    ElementType(5, "short", 2, "h", "i2", "Sef832e06e55db0fa"),
    ElementType(6, "char", 2, "H", "u2", "Cb02666b0e25d84ac"),
    ElementType(7, "byte", 1, "b", "i1", "Bacf317f8060854e0"),
    ElementType(8, "boolean", 1, "?", "?", "Z578f203914b85de2"),
    ElementType(9, "fp16", 2, _format_of_halves(), "f2", ""),
    ElementType(10, "bf16", 2, "H", "u2", ""),  # NumPy has no such type: the bits
    ElementType(11, "uint8", 1, "B", "u1", ""),
    ElementType(12, "uint16", 2, "H", "u2", ""),
    ElementType(13, "uint32", 4, "I", "u4", ""),
    ElementType(14, "uint64", 8, "Q", "u8", ""),
)
TYPES: Dict[int, ElementType] = {each.code: each for each in _ALL}
BY_NAME: Dict[str, ElementType] = {each.name: each for each in _ALL}
FLOAT, INT, DOUBLE, LONG, SHORT, CHAR, BYTE, BOOLEAN = _ALL[:8]
FP16, BF16, UINT8, UINT16, UINT32, UINT64 = _ALL[8:]


class Encoding(NamedTuple):
    """What the bytes of an array are: a prefix, and all elements in one order; or blocks, each of some of the elements."""

    code: int
    name: str
    little: bool
    has_prefix: bool
    in_blocks: bool = False

    def has(self, type: ElementType) -> bool:
        if self.code == 4:
            return type.code <= 4
        if self.is_lossy:
            return type is FLOAT
        return self.code != 3 or bool(type.java)

    @property
    def is_lossy(self) -> bool:
        """Whether elements lose bits, so that only a program that asks for it uses it."""
        return self.code in (24, 25)

    def prefix_bytes(self, type: ElementType, count: int) -> int:
        if self.code == 3:
            return 27
        if self.code == 4 and count:
            return 1 + len(_protobuf.varint(count * type.size))
        return 0

    def prefix(self, type: ElementType, count: int) -> bytes:
        if self.code == 3:
            return (
                b"\xac\xed\0\5ur\0\2["
                + type.java[0].encode()
                + bytes.fromhex(type.java[1:])
                + b"\2\0\0xp"
                + struct.pack(">I", count)
            )
        if self.code == 4 and count:
            return b"\x0a" + _protobuf.varint(count * type.size)
        return b""

    def most(self) -> Optional[int]:
        """The most elements that an array of this encoding can have."""
        return (1 << 31) - 1 if self.code == 3 else None


RAW_LE = Encoding(1, "raw-le", True, False)
RAW_BE = Encoding(2, "raw-be", False, False)
JAVA_OBJECT = Encoding(3, "java-object", False, True)
PROTOBUF = Encoding(4, "protobuf", True, True)
SHUFFLE_ZSTD = Encoding(16, "shuffle-zstd", True, False, True)
SHUFFLE_LZ4 = Encoding(17, "shuffle-lz4", True, False, True)
HALVES_BF16 = Encoding(24, "bf16", True, False, True)  # floats as two bytes each; the element type bf16 is something else
HALVES_FP16 = Encoding(25, "fp16", True, False, True)
#: What a message of parts is while it arrives: bytes, whose table says what they are. On the wire both have the code 0.
MESSAGE = ElementType(0, "message", 1, "B", "u1", "")
TABLE = Encoding(0, "table of parts", NATIVE_LITTLE, False)
ENCODINGS: Dict[int, Encoding] = {each.code: each for each in (RAW_LE, RAW_BE, JAVA_OBJECT, PROTOBUF)}
IN_BLOCKS: Dict[int, Encoding] = {each.code: each for each in (SHUFFLE_ZSTD, SHUFFLE_LZ4, HALVES_BF16, HALVES_FP16)}
NATIVE = RAW_LE if NATIVE_LITTLE else RAW_BE
#: What moves without conversion is first.
PREFERRED: Tuple[Encoding, ...] = (
    (RAW_LE, RAW_BE, JAVA_OBJECT, PROTOBUF) if NATIVE_LITTLE else (RAW_BE, RAW_LE, JAVA_OBJECT, PROTOBUF)
)
