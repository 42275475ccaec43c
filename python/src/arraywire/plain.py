"""Plain mode: an old application that reads and writes arrays by DataInputStream and DataOutputStream at the other end."""

from __future__ import annotations

import socket
import ssl
from typing import Any, Iterator, Optional, Union

from . import _address, _elements
from ._address import Address, peer_name, shown
from ._link import Link
from ._options import secured
from ._plain import PlainArray, PlainCore
from ._streams import Target
from ._transfer import Socket, deadline_of
from ._types import BY_NAME
from .errors import ArraywireError, ConnectionClosedError, ErrorCode, TargetMismatchError, TimeoutError
from .tls import checked

CLOSE_SECONDS = 10.0


class PlainConnection:
    """Arrays of one element type, agreed beforehand. There are no tags, shapes, acknowledgements or checksums: ``send``
    returns when the system has the bytes. Any thread may send, any thread may receive."""

    def __init__(self, sock: Socket, core: PlainCore) -> None:
        self._core = core
        self.peer_address = peer_name(sock)
        self._link = Link(sock, core).start()

    def send(self, obj: Any, *, type: Optional[str] = None, timeout: Optional[float] = None) -> None:
        """Sends an array of the agreed type. After a timeout inside an array the connection is closed, since nothing can
        tell the peer to forget what it has of it."""
        self._send(_elements.elements(obj, type or agreed_type(self._core)), timeout)

    def _send(self, elements: _elements.Elements, timeout: Optional[float] = None) -> None:
        core, link = self._core, self._link
        with link.lock:
            end = core.send(elements)
            try:
                in_time = link.wait(
                    lambda: core.written >= end and link.flushed or core.stream_ended, deadline_of(timeout)
                )
            except BaseException:
                self._break_off()
                raise
            if core.written >= end and link.flushed:
                return
            self._break_off()
            raise not_sent(core, in_time, timeout)

    def _break_off(self) -> None:
        self._core.own_pieces()
        self._core.ended(ConnectionClosedError(ErrorCode.CONNECTION_CLOSED, "a send was broken off inside an array"))
        self._link.close()

    def receive(self, timeout: Optional[float] = None) -> Any:
        """The next array. Raises ConnectionClosedError when the peer has ended its output behind a whole array."""
        with self._link.lock:
            array = self._next(timeout)
            self._core.take()
        assert array.memory is not None
        return array.memory.presented(array.type, (array.count,))

    def receive_into(self, buffer: Any, timeout: Optional[float] = None) -> int:
        """Puts the next array into memory of the caller, and returns how many elements it has."""
        core = self._core
        target = target_of(core, buffer)
        with self._link.lock:
            core.targets.append(target)
            try:
                array = self._next(timeout)
                if array.into is not target:
                    size = checked_room(array, target)
                    target.view[:size] = array.view[:size]
                array.into = None
                core.take()
                return array.count
            finally:
                core.redirect(target)

    def _next(self, timeout: Optional[float]) -> PlainArray:
        core, link = self._core, self._link
        core.wanted += 1
        try:
            in_time = link.wait(lambda: core.inbox or core.stream_ended, deadline_of(timeout))
        finally:
            core.wanted -= 1
        if core.inbox:
            return core.inbox[0]
        raise nothing_came(core, link.closed, in_time, timeout)

    def __iter__(self) -> Iterator[Any]:
        """Arrays until the peer ends its output."""
        while True:
            try:
                array = self.receive()
            except ConnectionClosedError:
                return
            yield array

    def end_output(self) -> None:
        """Says that nothing more comes; the peer may still send."""
        with self._link.lock:
            self._core.begin_end()
            self._link.write()

    def close(self, timeout: float = CLOSE_SECONDS) -> None:
        """Ends the output, waits until the peer has ended its own, and drops what still comes."""
        core, link = self._core, self._link
        with link.lock:
            if link.closed:
                return
            core.begin_end()
            core.wanted = 1 << 62  # reads on, whatever is here
            in_time = link.wait(lambda: core.stream_ended, deadline_of(timeout))
            link.close()
            if not in_time:
                raise not_closed(timeout)

    def close_now(self) -> None:
        with self._link.lock:
            self._core.ended(closed())
            self._link.close()

    def __enter__(self) -> "PlainConnection":
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if kind is None:
            self.close()
        else:
            self.close_now()


class PlainListener:
    """Accepts connections in plain mode."""

    def __init__(self, address: Address, type: str, max_array_bytes: int, tls: Optional[ssl.SSLContext]) -> None:
        self._type, self._max_array_bytes = type, max_array_bytes
        self._tls = checked(tls, False) if tls else None
        core_of(type, max_array_bytes)
        self._sock = _address.listening(address, 128)
        self.address: str = shown(self._sock.getsockname())

    def accept(self, timeout: Optional[float] = None) -> PlainConnection:
        self._sock.settimeout(timeout)
        try:
            sock, _ = self._sock.accept()
        except socket.timeout:
            raise TimeoutError(None, "nobody connected in time", timeout=f"{timeout or 0:g} s") from None
        made = secured(_address.prepared(sock), self._tls, False)
        return PlainConnection(made, core_of(self._type, self._max_array_bytes))

    def __iter__(self) -> Iterator[PlainConnection]:
        while True:
            try:
                connection = self.accept()
            except OSError:
                return
            yield connection

    def close(self) -> None:
        self._sock.close()

    def __enter__(self) -> "PlainListener":
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        self.close()


def connect(
    address: Address,
    type: str,
    *,
    timeout: float = 10.0,
    max_array_bytes: int = 1 << 30,
    tls: Union[bool, ssl.SSLContext, None] = None,
    server_name: Optional[str] = None,
) -> PlainConnection:
    """Connects to a listener in plain mode; ``type`` is float, int, double, long, short, char, byte or boolean. ``tls`` and
    ``server_name`` are those of ``arraywire.connect``; a handshake that fails is told by the first send or receive."""
    core = core_of(type, max_array_bytes)
    context = checked(tls, True) if tls else None
    return PlainConnection(secured(_address.connected(address, timeout), context, True, address, server_name), core)


def listen(
    address: Address, type: str, *, max_array_bytes: int = 1 << 30, tls: Optional[ssl.SSLContext] = None
) -> PlainListener:
    """Listens in plain mode."""
    return PlainListener(address, type, max_array_bytes, tls)


# --- What the twin in aio shares ---


def core_of(type: str, max_array_bytes: int) -> PlainCore:
    known = BY_NAME.get(type)
    if known is None or not known.java:
        java = " ".join(each.name for each in BY_NAME.values() if each.java)
        raise ValueError(f"plain mode has the types of Java only (type={type}, types={java})")
    return PlainCore(known, max_array_bytes)


def agreed_type(core: PlainCore) -> Optional[str]:
    """The type to name where an object does not tell."""
    return core.type.name if core.type.name in ("boolean", "char") else None


def target_of(core: PlainCore, buffer: Any) -> Target:
    view, type, _ = _elements.target(buffer)
    if type.size != core.type.size:
        raise TargetMismatchError(
            ErrorCode.TARGET_MISMATCH,
            "the buffer is of another type than was agreed",
            type=type.name,
            agreed=core.type.name,
        )
    return Target(view, core.type, True)


def checked_room(array: PlainArray, target: Target) -> int:
    """How many bytes an array has that fits."""
    size = array.count * array.type.size
    if size > target.view.nbytes:
        raise TargetMismatchError(
            ErrorCode.TARGET_MISMATCH,
            "the array does not fit into the buffer; it waits for the next receive",
            bytes=size,
            room=target.view.nbytes,
        )
    return size


def not_sent(core: PlainCore, in_time: bool, timeout: Optional[float]) -> ArraywireError:
    if in_time:
        return core.error or closed()
    return TimeoutError(ErrorCode.SEND_TIMEOUT, "the array could not leave in time", timeout=f"{timeout or 0:g} s")


def nothing_came(core: PlainCore, link_closed: bool, in_time: bool, timeout: Optional[float]) -> ArraywireError:
    if core.error is not None:
        return core.error
    if core.stream_ended or link_closed or in_time:
        return closed()
    return TimeoutError(None, "no array came in time", timeout=f"{timeout or 0:g} s")


def not_closed(timeout: float) -> TimeoutError:
    return TimeoutError(ErrorCode.CLOSE_TIMEOUT, "the peer did not end its output in time", timeout=f"{timeout:g} s")


def closed() -> ConnectionClosedError:
    return ConnectionClosedError(ErrorCode.CONNECTION_CLOSED, "the connection has ended")
