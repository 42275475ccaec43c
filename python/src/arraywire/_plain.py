"""Plain mode without sockets: what DataOutputStream writes, and nothing else."""

from __future__ import annotations

import struct
import time
from collections import deque
from typing import Any, Deque, List, Optional

from ._elements import Elements
from ._memory import Memory, settle, swapped
from ._streams import Target
from ._types import NATIVE_LITTLE, ElementType
from .errors import ArraywireError, ConnectionClosedError, ConnectionLostError, ErrorCode, TooLargeError, violation

_COUNT = struct.Struct(">i")
_STAGING_BYTES = 1 << 16
MAX_ELEMENTS = (1 << 31) - 1
HELD_BYTES = 1 << 20  # of arrays that nobody has taken, before this side stops reading


class PlainArray:
    """An array that is arriving or has arrived."""

    __slots__ = ("type", "count", "memory", "view", "came", "into", "began")

    def __init__(self, type: ElementType, count: int, memory: Optional[Memory], view: memoryview) -> None:
        self.type = type
        self.count = count
        self.memory = memory
        self.view = view
        self.came = 0
        self.into: Optional[Target] = None
        self.began = time.monotonic()


class PlainCore:
    """Both directions of one connection; see _transfer.BytesCore."""

    def __init__(self, type: ElementType, max_array_bytes: int) -> None:
        self.type = type
        self._max_array_bytes = max_array_bytes
        self.error: Optional[ArraywireError] = None
        self.end_output = False
        self.stream_ended = False
        self.ending = False
        self.inbox: Deque[PlainArray] = deque()
        self.targets: List[Target] = []
        self.wanted = 0
        self._held = 0
        self._array: Optional[PlainArray] = None
        self._staging = memoryview(bytearray(_STAGING_BYTES))
        self._start = self._end = 0
        self._pieces: Deque["bytes | memoryview"] = deque()
        self.made = self.written = 0
        self.seconds = 0.0  # that the array took which was taken last

    @property
    def over(self) -> bool:
        return self.error is not None or self.stream_ended

    @property
    def full(self) -> bool:
        """Whether the peer has to wait until somebody takes what is here: there is no credit in plain mode."""
        return self._held >= HELD_BYTES and len(self.inbox) >= self.wanted

    @property
    def said_all(self) -> bool:
        """Never known: there is no goodbye in plain mode."""
        return False

    def send(self, elements: Elements) -> int:
        """Queues an array; it has left when so many bytes are written."""
        if self.error is not None:
            raise self.error
        if self.ending:
            raise ConnectionClosedError(ErrorCode.CONNECTION_CLOSED, "this side has closed the connection")
        if elements.type is not self.type:
            raise TypeError(
                "in plain mode all arrays are of the type that was agreed"
                f" (type={elements.type.name}, agreed={self.type.name})"
            )
        if elements.length > MAX_ELEMENTS:
            raise TooLargeError(
                ErrorCode.ARRAY_TOO_LARGE,
                "an array in plain mode has at most 2^31 - 1 elements",
                elements=elements.length,
            )
        view = elements.view
        if NATIVE_LITTLE and self.type.size > 1:
            view = swapped(view, self.type.size)
        for piece in (_COUNT.pack(elements.length), view):
            if len(piece):
                self._pieces.append(piece)
                self.made += len(piece)
        return self.made

    def begin_end(self) -> None:
        self.ending = True
        self.end_output = True

    def ended(self, error: ArraywireError, silent: bool = True) -> None:
        if self.error is None:
            self.error = error
            self._pieces.clear()
            self.end_output = True
            self._array = None

    def own_pieces(self) -> None:
        """What was not written no longer needs the caller's memory."""
        self._pieces = deque(bytes(piece) for piece in self._pieces)

    def pieces(self) -> "List[Any]":
        return list(self._pieces)

    def bytes_written(self, count: int) -> None:
        self.written += count
        while count:
            first = self._pieces[0]
            if len(first) > count:
                self._pieces[0] = memoryview(first)[count:]
                return
            count -= len(first)
            self._pieces.popleft()

    def tick(self, now: float) -> None:
        """Nobody promises anything in plain mode."""

    def receive_buffers(self) -> List[memoryview]:
        array = self._array
        if array is not None and self._start == self._end:
            self._start = self._end = 0
            return [array.view[array.came : array.count * array.type.size], self._staging[:4]]
        if self._start:
            left = self._end - self._start
            self._staging[:left] = bytes(self._staging[self._start : self._end])
            self._start, self._end = 0, left
        return [self._staging[self._end :]]

    def bytes_received(self, count: int) -> None:
        if self.error is not None:
            return
        array = self._array
        if array is not None and self._start == self._end:
            direct = min(count, array.count * array.type.size - array.came)
            array.came += direct
            count -= direct
            self._maybe_whole(array)
        self._end += count
        try:
            while self._parse():
                pass
        except ArraywireError as error:
            self.ended(error)
        except MemoryError:
            self.ended(violation(ErrorCode.ALLOCATION_FAILED, "there is no memory for an array"))

    def _parse(self) -> bool:
        array = self._array
        have = self._end - self._start
        if array is not None:
            portion = min(have, array.count * array.type.size - array.came)
            array.view[array.came : array.came + portion] = self._staging[self._start : self._start + portion]
            array.came += portion
            self._start += portion
            return self._maybe_whole(array)
        if have < 4:
            return False
        (count,) = _COUNT.unpack_from(self._staging, self._start)
        if count < 0:
            raise violation(
                ErrorCode.BAD_LENGTH, "the peer sent a negative count; is it in framed mode?", elements=count
            )
        size = count * self.type.size
        if size > self._max_array_bytes:
            raise violation(
                ErrorCode.FRAME_TOO_LARGE,
                "the array is larger than this side accepts (raise max_array_bytes here), or the peer is in framed mode",
                declared=size,
                limit=self._max_array_bytes,
            )
        self._start += 4
        self._begin(count, size)
        return True

    def _begin(self, count: int, size: int) -> None:
        array = PlainArray(self.type, count, None, memoryview(b""))
        target = self.targets[0] if self.targets and not self.inbox else None
        if target is not None and target.view.nbytes >= size:
            array.into, array.view = target, target.view
        else:
            array.memory = Memory.of(size)
            array.view = array.memory.view
        self._array = array
        self._maybe_whole(array)

    def _maybe_whole(self, array: PlainArray) -> bool:
        size = array.count * array.type.size
        if array.came < size:
            return False
        settle(array.type, array.view[:size], False)
        self._array = None
        self._held += size
        self.inbox.append(array)
        return True

    def take(self) -> PlainArray:
        array = self.inbox.popleft()
        self.seconds = time.monotonic() - array.began
        self._held -= array.count * array.type.size
        return array

    def redirect(self, target: Target) -> None:
        """The memory is the caller's again."""
        if target in self.targets:
            self.targets.remove(target)
        for array in [self._array, *self.inbox]:
            if array is not None and array.into is target:
                array.memory = Memory.of(array.count * array.type.size)
                array.memory.view[: array.came] = array.view[: array.came]
                array.view = array.memory.view
                array.into = None

    def end_of_stream(self) -> None:
        self.stream_ended = True
        if self.error is None and (self._array is not None or self._end > self._start):
            self.ended(ConnectionLostError(ErrorCode.TRUNCATED, "the connection ended inside an array"))
