"""Receives one array straight into a file: ``receive --into``. What it holds of an array does not grow with it.

Peers are served at the same time, each into a hidden file of its own. So nobody waits for a peer that does nothing, and one
that breaks off ends nothing but its own transfer. The first array that is whole is taken.
"""

from __future__ import annotations

import os
import threading
import time
from typing import Callable, Dict, List, Optional, Tuple

from .. import _npy
from .._options import Options
from .._serve import Hooks, Refusal
from .._streams import Received
from ..connection import Connection
from ..errors import ArraywireError, ConnectionLostError, ErrorCode, violation
from ..listener import Listener
from ..message import Message, Request
from ._errors import FullDisk, PeersFault, Unwritable, exists, is_full
from ._part import PartFile
from ._peers import MOST, Patience, Peers
from ._receive_report import Arrived
from ._straight import ElementWriter, shape_of, start

#: Refuses a request. A sender that resumes a file begins with one, and quotes this.
KEEPS_NOTHING = "the receiver has --into: it takes one sent array, no requests, and keeps no part"
_HANDSHAKES = 64


class _Sink:
    """One array on its way into its hidden file."""

    def __init__(self, owner: "Into", connection: Connection, part: PartFile, writer: ElementWriter, size: int) -> None:
        self._owner = owner
        self._connection = connection
        self.part = part
        self._writer = writer
        self._size = size

    def write(self, piece: memoryview) -> Optional[str]:
        try:
            self._writer.write(piece)
        except OSError as cause:
            self.abort()
            return self._owner.failed(self._connection, self._size, cause)
        self._owner.peers.moved(self._connection, len(piece))
        return None

    def abort(self) -> None:
        self._owner.end(self)


class Into:
    """``complain`` is told of connections that failed, or ended without an array. Any thread."""

    def __init__(
        self, path: str, max_bytes: int, complain: Callable[[str, Exception], None], patience: Patience = Patience()
    ) -> None:
        self._path = path
        self._max_bytes = max_bytes
        self._complain = complain
        self.peers = Peers(complain, patience)
        self._lock = threading.Lock()
        self._sinks: Dict[_Sink, Connection] = {}
        self._over = threading.Event()
        self._failure: Optional[Exception] = None
        self._result: Optional[Tuple[Arrived, bool]] = None
        if os.path.lexists(path):
            raise exists(path)
        try:
            PartFile.of(path).close()  # found out now, before anybody sends
        except OSError as cause:
            raise Unwritable(path, cause) from cause

    def listen(self, address: str) -> Listener:
        # Bytes are moved as they come, so nothing in blocks is taken.
        options = Options(max_array_bytes=self._max_bytes, channels=1, codecs=()).checked(False)
        listener = Listener(
            address, self._handle, _no_requests, options, False, MOST + _HANDSHAKES, Hooks(self._target, self._ended)
        )
        self.peers.watch(lambda: listener.connections)
        return listener

    def wait(self) -> Tuple[Arrived, bool]:
        """What came, and whether it is big-endian in the file; its file is whole then."""
        while not self._over.wait(3600):
            pass
        if self._result is None:
            assert self._failure is not None
            raise self._failure
        return self._result

    def _refusal(self) -> str:
        return (
            "the receiver takes no more arrays"
            if self._failure is not None
            else "the receiver has the one array that it was asked for"
        )

    def _target(self, connection: Connection, array: Received) -> bool:
        if self._over.is_set():
            array.refusal = self._refusal()
        elif array.attributes.parts:
            array.refusal = "a file holds one array, and this is a message of parts; send each by itself"
            self.peers.tell_once(connection, PeersFault(array.refusal, array.refusal))
        else:
            size = array.count * array.type.size
            try:
                array.sink = self._sink(connection, array, size)
            except OSError as cause:
                array.refusal = self.failed(connection, size, cause)
            except FullDisk as full:
                raise self._full(connection, full) from full
        return True

    def _sink(self, connection: Connection, array: Received, size: int) -> _Sink:
        big = not array.encoding.little and array.type.size > 1
        header = _npy.header_bytes(array.type, shape_of(array), big) if self._path.endswith(".npy") else b""
        part = PartFile.of(self._path)
        try:
            position = start(part, self._path, header, 0, size)
        except BaseException:
            part.close()
            raise
        # Booleans are moved as they come, too: any byte but 0 is true.
        sink = _Sink(self, connection, part, ElementWriter(part, position, array.type.size, False, False), size)
        with self._lock:
            self._sinks[sink] = connection
        self.peers.begins(connection)
        return sink

    def end(self, sink: _Sink) -> None:
        """Ends what was begun, and removes it if it is not finished."""
        with self._lock:
            connection = self._sinks.pop(sink, None)
        if connection is not None:
            self.peers.ends(connection)
            try:
                sink.part.close()
            except OSError:
                pass  # it stays under its hidden name, which cannot be taken for an array

    def _handle(self, message: Message) -> None:
        array, connection = message._received, message._by
        sink = array.sink
        if not isinstance(sink, _Sink):
            raise Refusal(self._refusal())
        try:
            self._take(connection, array, sink)
        finally:
            self.end(sink)

    def _take(self, connection: Connection, array: Received, sink: _Sink) -> None:
        """Gives the file its name, if it is the first that asks."""
        seconds = time.monotonic() - array.began
        self.peers.ends(connection)
        size = array.count * array.type.size
        with self._lock:
            if self._over.is_set():
                raise Refusal(self._refusal())
            try:
                sink.part.become_new(self._path)
            except FileExistsError:
                self._fail(exists(self._path))
                raise Refusal("the receiver cannot write its file; see what the receiver printed") from None
            except OSError as cause:
                self._fail(Unwritable(self._path, cause))
                raise Refusal("the receiver cannot write its file; see what the receiver printed") from cause
            arrived = Arrived(
                1, connection.peer_address, array.type, shape_of(array), size, 0, seconds, array.wire, self._path
            )
            self._result = arrived, not array.encoding.little and array.type.size > 1
            self.peers.close()
            self._over.set()

    def failed(self, connection: Connection, size: int, cause: OSError) -> str:
        """A failure to write the file, as its sender is told."""
        if is_full(cause):
            raise self._full(connection, FullDisk(self._path, size, None, False, cause))
        with self._lock:
            self._fail(Unwritable(self._path, cause))
        # Its text names files here, which are none of the sender's business.
        return "the receiver cannot write its file; see what the receiver printed"

    def _full(self, connection: Connection, full: FullDisk) -> Exception:
        """One that is too large for the disk ends nothing for others. Its sender had better not send the rest."""
        self.peers.tell_once(connection, full)
        return violation(ErrorCode.REJECTED, full.for_peer)

    def _fail(self, error: Exception) -> None:
        if not self._over.is_set():
            self._failure = error
            self.peers.close()
            self._over.set()

    def _ended(self, connection: Connection, error: Optional[ArraywireError]) -> None:
        with connection._link.lock:  # nothing is written meanwhile
            with self._lock:
                left: List[_Sink] = [sink for sink, owner in self._sinks.items() if owner is connection]
            for sink in left:
                self.end(sink)
        began = self.peers.has_begun(connection)
        said = "the peer sent no whole array" if began else "the peer sent no array"
        self.peers.ended(connection, error or ConnectionLostError(ErrorCode.CONNECTION_RESET, said))

    def close(self) -> None:
        """Removes unfinished files; nothing more can be taken."""
        with self._lock:
            self._fail(ConnectionLostError(ErrorCode.CONNECTION_CLOSED, "the receiver is stopping"))
            sinks = list(self._sinks)
        for sink in sinks:
            self.end(sink)


def _no_requests(request: Request) -> None:
    raise Refusal(KEEPS_NOTHING)


__all__ = ["KEEPS_NOTHING", "Into"]
