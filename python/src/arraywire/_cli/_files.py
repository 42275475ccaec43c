"""Arrays that lie in files, and the ways to read them: ``send --technique``."""

from __future__ import annotations

import hashlib
import mmap
import os
from typing import Any, Callable, NamedTuple, Optional, Tuple

from .. import _memory, _npy
from .._attributes import product
from .._types import BOOLEAN, NATIVE_LITTLE, ElementType
from ..errors import SourceError
from ._errors import CommandError
from ._system import pread

_WINDOW_BYTES = 1 << 20
_ONES = bytes([0]) + bytes([1]) * 255
#: The key of the metadata with the SHA-256 of the elements, little-endian.
SHA256 = "sha256"


class ArrayFile(NamedTuple):
    """Elements in C order, the last of which ends the file."""

    path: str
    type: ElementType
    shape: Tuple[int, ...]
    big: bool
    position: int

    @property
    def elements(self) -> int:
        return product(self.shape)

    @property
    def size(self) -> int:
        """Bytes of the elements."""
        return self.elements * self.type.size

    @classmethod
    def npy(cls, path: str) -> "ArrayFile":
        found = _npy.layout(path)
        return cls(path, found.type, found.shape, found.big, found.position)

    @classmethod
    def raw(cls, path: str, type: ElementType, big: bool) -> "ArrayFile":
        return cls(path, type, (_npy.check_raw(path, type),), big and type.size > 1, 0)

    def after(self, elements: int) -> "ArrayFile":
        """The elements behind some, of one dimension."""
        return self._replace(shape=(self.elements - elements,), position=self.position + elements * self.type.size)

    def check(self) -> None:
        """Sees that all that was announced is still there."""
        size = os.stat(self.path).st_size
        end = self.position + self.size
        if size < end:
            raise shorter(self.path, end, size)

    def digest(self, elements: Optional[int] = None) -> str:
        """The SHA-256 of so many elements from the first as they lie in a little-endian file."""
        size = self.size if elements is None else elements * self.type.size
        with open(self.path, "rb") as file:
            return digest(
                lambda at, count: pread(file.fileno(), count, at),
                self.position,
                size,
                self.type.size if self.big else 1,
                self.type is BOOLEAN,
            )


def shorter(path: str, expected: int, have: int) -> CommandError:
    return CommandError(
        "the file became shorter while it was sent; send it again when nobody writes to it"
        f" (file={path}, expectedBytes={expected}, fileBytes={have})"
    )


class Unwanted(Exception):
    """Nobody waits for the digest any more."""


def digest(
    read: Callable[[int, int], bytes],
    position: int,
    size: int,
    swapped: int = 1,
    booleans: bool = False,
    unwanted: Callable[[], bool] = lambda: False,
) -> str:
    """The SHA-256 of so many bytes. Elements of ``swapped`` bytes are turned around before."""
    made = hashlib.sha256()
    done = 0
    while done < size:
        if unwanted():
            raise Unwanted
        piece = read(position + done, min(_WINDOW_BYTES, size - done))
        if swapped > 1:
            piece = piece[: len(piece) // swapped * swapped]
        if not piece:
            raise CommandError("the file ended while it was read; it is being changed")
        done += len(piece)
        if booleans:
            piece = piece.translate(_ONES)
        made.update(_memory.swapped(memoryview(piece), swapped) if swapped > 1 else piece)
    return made.hexdigest()


class Stamp(NamedTuple):
    """What tells that a file was changed, or that another one has its name."""

    size: int
    modified: int
    key: Tuple[int, int]

    @classmethod
    def of(cls, path: str) -> "Stamp":
        found = os.stat(path)
        return cls(found.st_size, found.st_mtime_ns, (found.st_dev, found.st_ino))

    def check(self, path: str) -> None:
        now = Stamp.of(path)
        if now != self:
            raise CommandError(
                "the file changed while its beginning was compared; send it again when nobody writes to it"
                f" (file={path}, expectedBytes={self.size}, fileBytes={now.size})"
            )


# --- Techniques ---


class Pieces:
    """Stands for a memoryview of bytes where a file is read as its frames are made. A large file takes no more memory than a
    small one."""

    def __init__(self, file: ArrayFile, read: Callable[[int, int], bytes], turned: int = 1) -> None:
        self._file = file
        self._read = read
        self._turned = turned
        self.nbytes = file.size

    def swapped(self, size: int) -> "Pieces":
        return Pieces(self._file, self._read, size if self._turned == 1 else 1)

    def __len__(self) -> int:
        return self.nbytes

    def __getitem__(self, which: slice) -> memoryview:
        start, stop, _ = which.indices(self.nbytes)
        content = self._read(self._file.position + start, stop - start)
        if len(content) < stop - start:
            end = self._file.position + self.nbytes
            raise SourceError(str(shorter(self._file.path, end, os.stat(self._file.path).st_size)))
        piece = memoryview(content)
        return piece if self._turned == 1 else _memory.swapped(piece, self._turned)


class OpenFile:
    """A file that is being sent, read in one of the ways."""

    def __init__(self, file: ArrayFile, technique: str, straight: bool) -> None:
        self._file = open(file.path, "rb", buffering=_WINDOW_BYTES if technique == "stream" else 0)
        self._mapped: Optional[mmap.mmap] = None
        self.view: Any = None
        try:
            file.check()
            self.view = self._viewed(file, technique, straight)
        except BaseException:
            self.close()
            raise

    def _viewed(self, file: ArrayFile, technique: str, straight: bool) -> Any:
        if not file.size:
            return memoryview(b"")
        if technique == "array" or file.type is BOOLEAN:
            return memoryview(self._all(file))
        if technique == "mapped" and straight:
            self._mapped = mmap.mmap(self._file.fileno(), 0, access=mmap.ACCESS_READ)
            return memoryview(self._mapped)[file.position : file.position + file.size]
        return Pieces(file, self._by_stream if technique == "stream" else self._by_position)

    def _all(self, file: ArrayFile) -> bytearray:
        try:
            content = bytearray(file.size)
        except MemoryError:
            raise CommandError(
                "not enough memory for the array; use --technique mapped, which needs none for it"
                f" (file={file.path}, bytes={file.size})"
            ) from None
        room = memoryview(content)
        self._file.seek(file.position)
        while len(room):
            count = self._file.readinto(room)  # type: ignore[attr-defined]
            if not count:
                raise shorter(file.path, file.position + file.size, os.stat(file.path).st_size)
            room = room[count:]
        return content.translate(_ONES) if file.type is BOOLEAN else content

    def _by_stream(self, at: int, count: int) -> bytes:
        self._file.seek(at)
        return self._file.read(count)

    def _by_position(self, at: int, count: int) -> bytes:
        return pread(self._file.fileno(), count, at)

    def close(self) -> None:
        self.view = None
        self._file.close()
        if self._mapped is not None:
            try:
                self._mapped.close()
            except BufferError:
                pass  # a frame that was made still names it; it goes with the frame


def native(big: bool) -> bool:
    """Whether elements of this order are in that of this host."""
    return big is not NATIVE_LITTLE
