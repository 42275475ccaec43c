"""Memory for arrays that arrive, and what the caller gets of it: a NumPy array where NumPy is there, else a memoryview."""

from __future__ import annotations

import array
import mmap
import sys
from typing import TYPE_CHECKING, Any, Dict, Optional, Tuple

from ._types import BOOLEAN, MESSAGE, NATIVE_LITTLE, TYPES, ElementType

if TYPE_CHECKING:
    from ._attributes import Part

numpy: Any
try:
    import numpy
except ImportError:
    numpy = None

_U1 = None if numpy is None else numpy.dtype("u1")
#: Of NumPy, by the codes of element types.
_DTYPES: Dict[int, Any] = {} if numpy is None else {each.code: numpy.dtype(each.dtype) for each in (*TYPES.values(), MESSAGE)}
_SMALL = 1 << 16
_ONES = bytes([0]) + bytes([1]) * 255


class Memory:
    """Fresh memory for an array, or the caller's own. Pages are taken as bytes arrive, not before."""

    __slots__ = ("view", "_owner")

    def __init__(self, view: memoryview, owner: Any) -> None:
        self.view = view  # of bytes
        self._owner = owner

    @classmethod
    def of(cls, size: int) -> "Memory":
        """Raises MemoryError if there is none."""
        if size > sys.maxsize:
            raise MemoryError
        if numpy is not None:
            owner = numpy.empty(size, _U1)
            return cls(memoryview(owner), owner)
        if size <= _SMALL:
            return cls(memoryview(bytearray(size)), None)
        try:
            return cls(memoryview(mmap.mmap(-1, size)), None)
        except OSError:
            raise MemoryError from None

    def presented(self, type: ElementType, shape: Tuple[int, ...]) -> Any:
        """The array for the caller, which shares the memory."""
        if numpy is not None:
            dtype = _DTYPES[type.code]
            made = numpy.frombuffer(self.view, dtype) if self._owner is None else self._owner.view(dtype)
            return made if len(shape) == 1 else made.reshape(shape)
        if 0 in shape:
            one: Any = memoryview(bytes(type.size))
            return one.cast(type.format)[:0]  # no view of bytes becomes an empty array
        view: Any = self.view
        return view.cast(type.format, shape)

    def part(self, part: "Part") -> Any:
        """One part of a message, in this host's byte order."""
        view = self.view[part.offset : part.offset + part.size]
        settle(part.type, view, part.encoding.little)
        shape = part.shape or (part.length,)
        if numpy is not None:
            return numpy.frombuffer(view, part.type.dtype).reshape(shape)
        return Memory(view, None).presented(part.type, shape)


def settle(type: ElementType, view: memoryview, little: bool) -> None:
    """Elements as they came become elements of this host, in place."""
    if type.size > 1 and little != NATIVE_LITTLE:
        swap(view, type.size)
    if type is BOOLEAN:
        _only_zeros_and_ones(view)


def swap(view: memoryview, size: int) -> None:
    """Turns the bytes of each element around, in place."""
    if numpy is not None:
        numpy.frombuffer(view, f"u{size}").byteswap(inplace=True)
        return
    for low in range(size // 2):
        high = size - 1 - low
        view[low::size], view[high::size] = bytes(view[high::size]), bytes(view[low::size])


def swapped(view: memoryview, size: int) -> memoryview:
    """A copy with the bytes of each element turned around. A view of a file turns them as they are read."""
    if view.__class__ is not memoryview:
        turned: memoryview = view.swapped(size)  # type: ignore[attr-defined]
        return turned
    copy = memoryview(bytearray(view))
    if len(copy):
        swap(copy, size)
    return copy.toreadonly()


def _only_zeros_and_ones(view: memoryview) -> None:
    if numpy is not None:
        bits = numpy.frombuffer(view, "u1")
        numpy.minimum(bits, 1, out=bits)
    else:
        view[:] = bytes(view).translate(_ONES)


def flat(buffer: Any) -> Optional[memoryview]:
    """A view of the bytes of a C-contiguous buffer, else None."""
    view = memoryview(buffer)
    if not view.c_contiguous:
        return None
    if view.nbytes == 0:
        return memoryview(b"") if view.readonly else memoryview(array.array("B"))
    return view if view.format == "B" and view.ndim == 1 else view.cast("B")


def presented_of(view: memoryview, type: ElementType, shape: Tuple[int, ...]) -> Any:
    """An array over the first bytes of the caller's own memory."""
    if numpy is not None:
        made: Any = numpy.frombuffer(view, _DTYPES[type.code])
        return made if len(shape) == 1 else made.reshape(shape)
    if 0 in shape:
        return Memory(view, None).presented(type, shape)
    made = view
    return made.cast(type.format, shape)
