"""Writes each array that comes before it is acknowledged, so that its sender knows it to be written.

A large one goes into its file as it arrives, and has its name when this is done.
"""

from __future__ import annotations

import threading
import time
from typing import Callable, Optional, Set, Tuple, Union

from .._memory import flat
from .._serve import Hooks, Refusal
from .._streams import Received
from .._types import BYTE, ElementType
from ..connection import Connection
from ..errors import ArraywireError, ErrorCode
from ..message import Message
from ..plain import PlainConnection
from ._desk import Desk
from ._errors import BrokenOff, PeersFault, RefusedName, Unwritable
from ._files import SHA256
from ._receive_report import Arrived, ReceiveReport
from ._store import ArrayStore
from ._straight import Filled, StraightToFile, shape_of


class Receiving:
    """All that a listener needs. ``limit`` is after how many arrays to end, None for never; ``complain`` is told of each array
    or connection that failed."""

    def __init__(
        self,
        max_bytes: int,
        store: ArrayStore,
        report: ReceiveReport,
        limit: Optional[int],
        complain: Callable[[str, Exception], None],
    ) -> None:
        self._store = store
        self._report = report
        self._limit = limit
        self._complain = complain
        self.desk = Desk(store, max_bytes)
        self.straight = StraightToFile(store, self.desk, lambda: self._number + 1, self.failed)
        self._lock = threading.Lock()
        self._senders: Set[Connection] = set()
        self._number = 0  # of the last array
        self._begun = 0
        self._done = 0
        self.arrays = 0  # for --stats
        self.bytes = 0
        self.refused = 0
        self.failures = 0
        self._stopping = False
        self._over = threading.Event()
        self._failure: Optional[Exception] = None
        self.last: Optional[threading.Thread] = None  # took the last array

    @property
    def hooks(self) -> Hooks:
        return Hooks(self.target, self.ended)

    def target(self, connection: Connection, array: Received) -> bool:
        """Where an array goes: names a file for a large one, and refuses one that nobody wants before it has come."""
        if self._limit is not None and self._begun >= self._limit:
            array.refusal = self._has_all()
        elif array.attributes.parts and self._store.writes:
            array.refusal = self.failed(connection, _parts(array))
        else:
            self._senders.add(connection)
            self.straight.place(connection, array)
        self.refused += array.refusal is not None
        return array.refusal is not None or array.sink is not None

    def handle(self, message: Message) -> None:
        """An array has come whole."""
        array = message._received
        connection = message._by
        filled = self.straight.take(connection, array)
        try:
            self._take(connection, array, filled)
        finally:
            if filled is not None:
                self.straight.named(filled)

    def _take(self, connection: Connection, array: Received, filled: Optional[Filled]) -> None:
        seconds = time.monotonic() - array.began
        number = self._next()
        shape = shape_of(array) if filled is None else filled.shape
        try:
            path = self._written(number, array, shape, filled)
        except Exception as error:
            with self._lock:
                self._begun -= 1
                self.refused += 1
            raise Refusal(self.failed(connection, error)) from error
        type = BYTE if array.attributes.parts else array.type
        before = 0 if filled is None else filled.already * type.size
        size = array.count * type.size + before
        # Where it was not, that has been raised.
        verified = path is not None and SHA256 in array.attributes.metadata
        peer = connection.peer_address
        self.took(Arrived(number, peer, type, shape, size, before, seconds, array.wire, path, verified))

    def take_plain(self, connection: PlainConnection, type: ElementType, content: memoryview, seconds: float) -> None:
        """An array of plain mode, which is in memory."""
        number, shape = self._next(), (content.nbytes // type.size,)
        try:
            path = self._store.write(number, {}, None, type, shape, content)
        except Exception as error:
            with self._lock:
                self._begun -= 1
            raise Refusal(self.failed(connection, error)) from error
        wire = content.nbytes + 4
        self.took(Arrived(number, connection.peer_address, type, shape, content.nbytes, 0, seconds, wire, path))

    def ended_plain(self, connection: PlainConnection, error: ArraywireError) -> None:
        """There is no handshake by which strangers show themselves."""
        if self._stopping or self.over:
            return
        self.failures += 1
        if self._limit is not None and error.code is not ErrorCode.CONNECTION_RESET:
            self.fail(error)
        else:
            self._complain(connection.peer_address, error)

    def _next(self) -> int:
        with self._lock:
            if self._limit is not None and self._begun >= self._limit:
                self.refused += 1
                raise Refusal(self._has_all())
            self._begun += 1
            self._number += 1
            return self._number

    def _written(
        self, number: int, array: Received, shape: Tuple[int, ...], filled: Optional[Filled]
    ) -> Optional[str]:
        metadata = array.attributes.metadata
        sha256 = metadata.get(SHA256)
        if filled is not None:
            return self._store.finish(filled.writing, number, sha256)
        content = memoryview(b"") if array.view is None else flat(array.view)
        assert content is not None
        return self._store.write(number, metadata, sha256, array.type, shape, content)

    def took(self, arrived: Arrived) -> None:
        """An array is written, or was to be discarded."""
        self._report.received(arrived, self._store.without_file)
        with self._lock:
            self.arrays += 1
            self.bytes += arrived.size
            self._done += 1
            if self._done == self._limit:
                self.last = threading.current_thread()
                self._over.set()

    def _has_all(self) -> str:
        return f"the receiver has all the arrays it was asked for (count={self._limit})"

    def failed(self, connection: Union[Connection, PlainConnection], error: Exception) -> str:
        """A failure to write a file, as its sender is told. What a peer has chosen ends nothing for others."""
        if isinstance(error, PeersFault):
            self._complain(connection.peer_address, error)
            return error.for_peer
        if isinstance(error, Unwritable) and error.is_for_long_name:
            self._complain(connection.peer_address, error)
            return error.for_peer
        if not self._stopping:
            # The directory is gone, or the name taken: nothing that comes after would fare better.
            self.fail(error)
        return error.for_peer if isinstance(error, Unwritable) else "the receiver cannot write the array"

    def ended(self, connection: Connection, error: Optional[ArraywireError]) -> None:
        """A connection is over."""
        sender = connection in self._senders
        self._senders.discard(connection)
        kept = self.straight.kept_of(connection)
        self.straight.drop(connection)
        self.desk.drop(connection)
        if error is None or self._stopping or self._over.is_set():
            return
        self.failures += 1
        if self._limit is not None and sender:
            # One of the arrays that were asked for will not come. A stranger that began none had none.
            self.fail(error if kept is None else BrokenOff(kept, error))
        else:
            self._complain(connection.peer_address, error if kept is None else BrokenOff(kept, error))

    def fail(self, error: Exception) -> None:
        with self._lock:
            if not self._over.is_set():
                self._failure = error
                self._over.set()

    def stop(self) -> None:
        """From now on connections may fail without anybody being told."""
        self._stopping = True

    @property
    def over(self) -> bool:
        return self._over.is_set()

    def wait(self) -> None:
        """Until as many arrays as were asked for are written. Raises why one of them cannot be had, or not be written."""
        while not self._over.wait(3600):
            pass
        if self._failure is not None:
            raise self._failure


def _parts(array: Received) -> RefusedName:
    names = " ".join(each.name for each in array.attributes.parts)
    return RefusedName(
        "a .npy file holds one array, and this is a message of parts; send each by itself", parts=f"[{names}]"
    )
