"""Moves the bytes of one connection between a core and a socket without waiting; see Link for threads and aio's Link."""

from __future__ import annotations

import contextlib
import socket
import time
from typing import Any, List, Optional, Protocol

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

    def receive_buffers(self) -> List[memoryview]: ...

    def bytes_received(self, count: int) -> None: ...

    def end_of_stream(self) -> None: ...

    def pieces(self) -> "List[Any]": ...

    def bytes_written(self, count: int) -> None: ...

    def tick(self, now: float) -> None: ...


class Transfer:
    """A socket that does not block, and a core."""

    def __init__(self, sock: socket.socket, core: Any) -> None:
        self.sock = sock
        self.core = core
        self.closed = False
        self._readable = True  # whether it is worth reading without asking
        self._output_ended = False
        self._lingers_until = 0.0
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
        core = self.core
        while not self._output_ended:
            pieces = core.pieces()
            if not pieces:
                if core.end_output:
                    self._end_output()
                return True
            try:
                if len(pieces) == 1 or not self._gathers:
                    count = self.sock.send(pieces[0])
                else:
                    count = self.sock.sendmsg(pieces)
            except BlockingIOError:
                return False
            except OSError:
                # What the peer said before it broke may still be there to be read.
                self._output_ended = True
                self._readable = True
                return True
            core.bytes_written(count)
        return True

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
        buffers = core.receive_buffers()
        self._readable = False
        try:
            if len(buffers) > 1 and self._scatters:
                count = self.sock.recvmsg_into(buffers)[0]
            else:
                count = self.sock.recv_into(buffers[0])
        except BlockingIOError:
            return False
        except OSError:
            count = 0
            self._output_ended = True
        if count:
            self._readable = count == sum(map(len, buffers))  # less: that was all
            core.bytes_received(count)
        else:
            core.end_of_stream()
            self.write()
            if self._output_ended or core.error is not None:
                self.close()
        return True

    def _has_lingered(self, now: float) -> bool:
        """Whether the peer had its time to read why the connection ended."""
        return self._output_ended and self.core.over and now >= self._lingers_until
