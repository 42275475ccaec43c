"""Moves the bytes of one connection between a core and a socket without waiting; see Link for threads and aio's Link."""

from __future__ import annotations

import contextlib
import socket
import time
from typing import Any, List, Optional, Protocol, Union

from ._tls import TlsFailure, TlsSocket
from .tls import TlsInfo

TICK_SECONDS = 1.0
LINGER_SECONDS = 2.0


def deadline_of(timeout: Optional[float]) -> Optional[float]:
    return None if timeout is None else time.monotonic() + timeout


class BytesCore(Protocol):
    """What a link needs to know of a protocol."""

    error: Any
    end_output: bool
    stream_ended: bool

    @property
    def over(self) -> bool: ...

    @property
    def full(self) -> bool: ...

    @property
    def said_all(self) -> bool: ...

    def receive_buffers(self) -> List[memoryview]: ...

    def bytes_received(self, count: int) -> None: ...

    def end_of_stream(self) -> None: ...

    def pieces(self) -> "List[Any]": ...

    def bytes_written(self, count: int) -> None: ...

    def tick(self, now: float) -> None: ...


Socket = Union[socket.socket, TlsSocket]


class Transfer:
    """A socket that does not block, and a core."""

    def __init__(self, sock: Socket, core: Any) -> None:
        self.sock: Any = sock
        self.core = core
        self.closed = False
        self._readable = True  # whether it is worth reading without asking
        self._output_ended = False
        self._lingers_until = 0.0
        self._tls = sock if isinstance(sock, TlsSocket) else None
        self._scatters = hasattr(sock, "recvmsg_into")
        self._gathers = hasattr(sock, "sendmsg")

    def write(self) -> None:
        """As much as the kernel takes."""
        raise NotImplementedError

    def changed(self) -> None:
        """Wakes the other calls that wait, to check again."""
        raise NotImplementedError

    def close(self) -> None:
        """At once."""
        raise NotImplementedError

    def _send(self) -> bool:
        """As much as the kernel takes; False if it takes no more for now."""
        core, tls = self.core, self._tls
        try:
            if tls is not None and not tls.ready and not self._output_ended and core.error is None:
                return tls.flush()
            while not self._output_ended:
                pieces = core.pieces()
                if not pieces:
                    if tls is not None:
                        if core.end_output:
                            tls.end()
                        if not tls.flush():
                            return False
                    if core.end_output:
                        self._end_output()
                    return True
                if len(pieces) == 1 or not self._gathers:
                    count = self.sock.send(pieces[0])
                else:
                    count = self.sock.sendmsg(pieces)
                core.bytes_written(count)
        except BlockingIOError:
            return False
        except OSError:
            # What the peer said before it broke may still be there to be read.
            self._output_ended = True
            self._readable = True
        return True

    @property
    def flushed(self) -> bool:
        """Whether the system has all that the core has written; TLS may have some of it still."""
        return self._tls is None or self._output_ended or self._tls.flush()

    def _end_output(self) -> None:
        self._output_ended = True
        self._lingers_until = time.monotonic() + LINGER_SECONDS
        with contextlib.suppress(OSError):
            self.sock.shutdown(socket.SHUT_WR)
        if self.core.stream_ended:
            self.close()

    def _receive(self) -> bool:
        """Reads once; False if nothing is there."""
        core = self.core
        self._readable = False
        try:
            if self._tls is not None and not self._tls.ready:
                self._readable = self._tls.shake()  # what follows the handshake may be here already
                return self._readable
            buffers = core.receive_buffers()
            if len(buffers) > 1 and self._scatters:
                count = self.sock.recvmsg_into(buffers)[0]
                room = sum(map(len, buffers))
            else:
                buffer = buffers[0]
                count = self.sock.recv_into(buffer)
                room = len(buffer)
        except BlockingIOError:
            return False
        except OSError as cause:
            count = 0
            self._output_ended = True
            if isinstance(cause, TlsFailure) and not (cause.cut and core.said_all):
                core.ended(cause.error, silent=True)
        if count:
            # Less than there is room for: that was all. TLS knows better.
            self._readable = self._tls is not None or count == room
            core.bytes_received(count)
        else:
            core.end_of_stream()
            self.write()
            if self._output_ended or core.error is not None:
                self.close()
        return True

    def tls_info(self) -> Optional[TlsInfo]:
        return None if self._tls is None else self._tls.info()

    @property
    def unread(self) -> bool:
        """Whether something may be here that the system no longer has."""
        return self._tls is not None and self._readable

    def _has_lingered(self, now: float) -> bool:
        """Whether the peer had its time to read why the connection ended."""
        return self._output_ended and self.core.over and now >= self._lingers_until
