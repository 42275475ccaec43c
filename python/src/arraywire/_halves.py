"""Floats as two bytes each, little-endian: the encodings bf16 and fp16. Both round to nearest, ties to even; a NaN stays one."""

from __future__ import annotations

import array
import struct
import sys

from . import _memory

_INFINITE, _SIGN = 0x7F800000, 0x80000000


def widened(halves: memoryview, fp16: bool) -> bytes:
    """Floats of halves."""
    if fp16:
        if _memory.numpy is not None:
            return bytes(_memory.numpy.frombuffer(halves, "<f2").astype("<f4").tobytes())
        count = len(halves) // 2
        return struct.pack(f"<{count}f", *struct.unpack(f"<{count}e", halves))
    made = bytearray(2 * len(halves))
    made[2::4], made[3::4] = halves[0::2], halves[1::2]
    return bytes(made)


def narrowed(floats: memoryview, fp16: bool) -> bytes:
    """Halves of floats; beyond the largest one they are infinite."""
    if fp16:
        return _to_fp16(floats)
    numpy = _memory.numpy
    if numpy is not None:
        bits = numpy.frombuffer(floats, "<u4")
        rounded = bits + (0x7FFF + (bits >> 16 & 1))
        quiet = bits | 0x400000
        chosen = numpy.where(bits & ~numpy.uint32(_SIGN) > _INFINITE, quiet, rounded)
        return bytes((chosen >> 16).astype("<u2").tobytes())
    made = array.array("H", (_bf16(each) for each in struct.unpack(f"<{len(floats) // 4}I", floats)))
    if sys.byteorder == "big":
        made.byteswap()
    return made.tobytes()


def _bf16(bits: int) -> int:
    if bits & ~_SIGN > _INFINITE:
        return bits >> 16 | 0x40
    return bits + 0x7FFF + (bits >> 16 & 1) >> 16


def _to_fp16(floats: memoryview) -> bytes:
    numpy = _memory.numpy
    if numpy is not None:
        with numpy.errstate(over="ignore"):
            return bytes(numpy.frombuffer(floats, "<f4").astype("<f2").tobytes())
    return b"".join(map(_fp16, struct.unpack(f"<{len(floats) // 4}f", floats)))


def _fp16(value: float) -> bytes:
    try:
        return struct.pack("<e", value)
    except OverflowError:
        return struct.pack("<e", float("inf") if value > 0 else float("-inf"))
