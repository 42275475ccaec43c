"""Puts large arrays into files of a store as they arrive, without memory for all of one. A file stays hidden until the
handler of its array names it. Any thread; what begins and writes an array holds the lock of its link."""

from __future__ import annotations

import os
import threading
from typing import Callable, Dict, NamedTuple, Optional, Set, Tuple

from .. import _memory, _npy
from .._serve import Refusal
from .._streams import Received
from .._types import BOOLEAN
from ..connection import Connection
from ._desk import Desk, Kept
from ._errors import FullDisk, RefusedName, usable_bytes
from ._names import KEY, TravelName
from ._part import PartFile
from ._question import FROM, NUMBER, Question
from ._store import ArrayStore, Writing
from ._system import Bytes, pwrite

#: Smaller ones are in memory for a moment only.
LEAST_BYTES = 1 << 20
#: So many at a time: each has an open file, and a peer that declares an array may send nothing of it.
MOST = 64
#: So many of them from one connection.
SHARE = 8
_NOT_KEPT = -1
_ONES = bytes([0]) + bytes([1]) * 255


class ElementWriter:
    """Writes elements as they come into a file, in the byte order of the file. Pieces may end inside an element."""

    def __init__(self, part: PartFile, position: int, width: int, turned: bool, booleans: bool) -> None:
        self._part = part
        self._at = position
        self._width = width if turned else 1
        self._booleans = booleans
        self._rest = b""
        self.came = 0

    def write(self, piece: memoryview) -> None:
        self.came += len(piece)
        content: Bytes = piece
        if self._width > 1:
            joined = self._rest + bytes(piece)
            whole = len(joined) // self._width * self._width
            self._rest = joined[whole:]
            content = _memory.swapped(memoryview(joined)[:whole], self._width)
        elif self._booleans:
            content = bytes(piece).translate(_ONES)
        pwrite(self._part.fd, content, self._at)
        self._at += len(content)


def start(part: PartFile, path: str, header: bytes, already: int, size: int) -> int:
    """Prepares a hidden file for so many bytes of elements behind those that are there: checks that there is room, and writes
    what comes before the first element. Where they go."""
    position = len(header) + already
    os.ftruncate(part.fd, position if already else 0)
    usable = usable_bytes(part.path)
    if usable is not None and usable < size:
        raise FullDisk(path, size, usable, already > 0)
    pwrite(part.fd, header, 0)
    return position


class Filled(NamedTuple):
    """An array whose elements are all in its hidden file."""

    shape: Tuple[int, ...]
    already: int  # how many of its elements were there before
    writing: Writing


class _Begun(NamedTuple):
    """A file that stays if it does not come whole."""

    connection: Connection
    writing: Writing
    first: int  # where its first element is in the hidden file


def _came(path: str, first: int) -> int:
    """How many bytes of elements are there; 0 where the file is gone: another transfer has completed it, or somebody has
    removed it."""
    try:
        return os.path.getsize(path) - first
    except OSError:
        return 0


class FileSink:
    """One array that goes straight into its file."""

    def __init__(
        self, owner: "StraightToFile", connection: Connection, filled: Filled, writer: ElementWriter
    ) -> None:
        self._owner = owner
        self._connection = connection
        self._writer = writer
        self.filled = filled

    def write(self, piece: memoryview) -> Optional[str]:
        try:
            self._writer.write(piece)
            return None
        except OSError as cause:
            words = self._owner.failed(self._connection, self.filled.writing.failed(cause))
            self.abort()
            return words

    def abort(self) -> None:
        """Ends what was begun. What has come stays if it is kept."""
        if self._owner.forget(self._connection, self):
            if not self._writer.came:
                self._owner.end_empty(self.filled)
            else:
                self._owner.end(self.filled)


class StraightToFile:
    """``next_number`` is the number that the next array will have, as far as is known; ``failed`` is told of each file that
    cannot be written, and answers what its sender is told."""

    def __init__(
        self,
        store: ArrayStore,
        desk: Desk,
        next_number: Callable[[], int],
        failed: Callable[[Connection, Exception], str],
    ) -> None:
        self._store = store
        self._desk = desk
        self._next_number = next_number
        self.failed = failed
        self._lock = threading.Lock()
        self._open: Dict[Connection, Set[FileSink]] = {}
        self._begun: Dict[str, _Begun] = {}  # by where they stay
        self._count = 0

    def place(self, connection: Connection, array: Received) -> bool:
        """Whether an array has a sink now, or is refused. Otherwise it goes into memory."""
        try:
            before = self._before(array)
            if self._wants(array, before) and self._reserve(connection):
                self._begin(connection, array, before)
                return True
        except Refusal as refusal:
            array.refusal = str(refusal)
            return True
        except Exception as error:  # whatever it is, it is this array's alone, and the connection goes on
            array.refusal = self.failed(connection, error)
            return True
        if before != _NOT_KEPT:
            # Not written to by this array. When that has its name, what is kept goes.
            self._desk.drop(connection)
        if before > 0:
            array.refusal = f"the receiver has no place for the rest of a file; send it again later (from={before})"
            return True
        return False

    @staticmethod
    def _before(array: Received) -> int:
        """How many elements of its file are before an array; less than 0 if it is not kept."""
        metadata = array.attributes.metadata
        text = metadata.get(FROM)
        if text is None:
            return _NOT_KEPT
        if not NUMBER.fullmatch(text) or metadata.get(KEY) is None:
            raise RefusedName(
                "an array that continues a file must carry the file's name and the number of elements before it",
                **{"from": text},
            )
        return int(text)

    def _wants(self, array: Received, before: int) -> bool:
        large = array.count * array.type.size >= LEAST_BYTES
        return self._store.has_files and not array.attributes.parts and (large or before > 0)

    def _begin(self, connection: Connection, array: Received, before: int) -> None:
        begun = False
        try:
            array.sink = self._sink(connection, array, before)
            begun = True
        finally:
            if not begun:
                self._give_back(connection)

    def _sink(self, connection: Connection, array: Received, before: int) -> FileSink:
        name = self._store.name_in(array.attributes.metadata)
        kept = self._kept(connection, array, before)
        type, already = array.type, max(0, before)
        shape = shape_of(array) if kept is None else kept.question.shape
        size = array.count * type.size
        continued = None if kept is None else (kept.path, kept.part)
        writing = self._store.begin(self._next_number(), name, size + already * type.size, continued)
        filled = Filled(shape, already, writing)
        started = False
        try:
            position = start(
                writing.part, writing.asked, _npy.header_bytes(type, shape), already * type.size, size
            )
            started = True
        except OSError as cause:
            raise writing.failed(cause) from cause
        finally:
            if not started:
                self.end_empty(filled)
        if writing.kept is not None:
            with self._lock:
                self._begun[writing.kept] = _Begun(connection, writing, len(_npy.header_bytes(type, shape)))
        little = array.encoding.little
        sink = FileSink(
            self, connection, filled, ElementWriter(writing.part, position, type.size, not little, type is BOOLEAN)
        )
        with self._lock:
            self._open.setdefault(connection, set()).add(sink)
        return sink

    def _kept(self, connection: Connection, array: Received, before: int) -> Optional[Kept]:
        """What to go on with; None if the file is not kept."""
        if before == _NOT_KEPT:
            return None
        name = TravelName.parse(array.attributes.metadata[KEY])
        if before:
            return self._desk.rest(connection, name, array.type, before, array.count)
        return self._desk.anew(connection, Question(name, array.type, shape_of(array)))

    def end(self, filled: Filled) -> None:
        """Ends what was taken, and removes it if it has no name and is not kept."""
        self._store.end(filled.writing)

    def named(self, filled: Filled) -> None:
        """Ends what was taken, once its handler is done with it."""
        kept = filled.writing.kept
        with self._lock:
            if kept is not None and kept in self._begun and self._begun[kept].writing is filled.writing:
                del self._begun[kept]
        self.end(filled)

    def kept_of(self, connection: Connection) -> Optional[str]:
        """What stays of the files that a connection was sending, in words; None if nothing does. Forgets it."""
        with self._lock:
            mine = {path: each for path, each in self._begun.items() if each.connection is connection}
            for path in mine:
                del self._begun[path]
        kept = [(path, each, came) for path, each in mine.items() if (came := _came(path, each.first)) > 0]
        if not kept:
            return None
        path, one, came = kept[0]
        name = os.path.basename(one.writing.asked)
        if len(kept) == 1:
            stays = f"{came} of {one.writing.size} bytes of {name} are kept"
        else:
            others = "another file" if len(kept) == 2 else f"{len(kept) - 1} others"
            stays = f"what came of {name} and of {others} is kept"
        return f"{stays}; the same 'arraywire send --resume' sends the rest (part={path})"

    def end_empty(self, filled: Filled) -> None:
        """Ends a file of which nothing came: what was there before is all that can be kept."""
        if not filled.already:
            try:
                filled.writing.part.discard()
            except OSError:
                pass
        self._store.end(filled.writing)

    def take(self, connection: Connection, array: Received) -> Optional[Filled]:
        """The file of an array that is whole, to be given to ``end``; None if it came into memory."""
        sink = array.sink
        if not isinstance(sink, FileSink) or not self.forget(connection, sink):
            return None
        return sink.filled

    # --- Places ---

    def _reserve(self, connection: Connection) -> bool:
        with self._lock:
            if self._count >= MOST or len(self._open.get(connection, ())) >= SHARE:
                return False
            self._count += 1
            return True

    def _give_back(self, connection: Connection) -> None:
        with self._lock:
            self._count -= 1

    def forget(self, connection: Connection, sink: FileSink) -> bool:
        """Frees the place of an array; False if that was done before."""
        with self._lock:
            sinks = self._open.get(connection)
            if sinks is None or sink not in sinks:
                return False
            sinks.remove(sink)
            self._count -= 1
            if not sinks:
                del self._open[connection]
            return True

    def drop(self, connection: Connection) -> None:
        """Ends what a connection that is over has begun."""
        with connection._link.lock:  # nothing is written meanwhile
            for sink in list(self._open.get(connection, ())):
                sink.abort()


def shape_of(array: Received) -> Tuple[int, ...]:
    return array.attributes.shape or (array.count,)



