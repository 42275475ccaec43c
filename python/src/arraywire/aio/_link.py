"""Moves the bytes of one connection between a core and a socket, in an event loop."""

from __future__ import annotations

import asyncio
import socket
import time
from typing import Any, Callable, Optional, Set, Tuple

from .._core import Core
from .._link import LINGER_SECONDS

_TICK = 1.0
_BATCH = 16  # reads before others have their turn


class Link:
    """A socket and a core in an event loop."""

    def __init__(self, sock: socket.socket, core: Core) -> None:
        self.sock = sock
        self.core = core
        self.closed = False
        self._loop = asyncio.get_running_loop()
        self._waiters: "Set[Tuple[Callable[[], Any], asyncio.Future[None]]]" = set()
        self._watches_output = False
        self._output_ended = False
        self._lingers_until = 0.0
        self._gathers = hasattr(sock, "sendmsg")
        self._scatters = hasattr(sock, "recvmsg_into")
        self._fd = sock.fileno()
        self._loop.add_reader(self._fd, self._read)
        self._timer = self._loop.call_later(_TICK, self._tick)
        self.write()

    async def wait(self, done: Callable[[], Any], timeout: Optional[float] = None) -> bool:
        """Until something is done, or nothing more moves; False if the time is over before."""
        self.write()
        if done() or self.closed or self.core.error is not None:
            return True
        if timeout is not None and timeout <= 0:
            self._read()
            return bool(done())
        future: "asyncio.Future[None]" = self._loop.create_future()
        waiter = (done, future)
        self._waiters.add(waiter)
        try:
            if timeout is None:
                await future
            else:
                await asyncio.wait_for(future, timeout)
            return True
        except asyncio.TimeoutError:
            return bool(done())
        finally:
            self._waiters.discard(waiter)

    def changed(self) -> None:
        over = self.closed or self.core.error is not None
        for done, future in list(self._waiters):
            if not future.done() and (over or done()):
                future.set_result(None)

    def _read(self) -> None:
        core = self.core
        for _ in range(_BATCH):
            if self.closed:
                return
            buffers = core.receive_buffers()
            try:
                if len(buffers) > 1 and self._scatters:
                    count = self.sock.recvmsg_into(buffers)[0]
                else:
                    count = self.sock.recv_into(buffers[0])
            except BlockingIOError:
                break
            except OSError:
                count = 0
                self._output_ended = True
            if count == 0:
                self._loop.remove_reader(self._fd)
                core.end_of_stream()
                self.write()
                if self._output_ended or core.error is not None:
                    self.close()
                break
            core.bytes_received(count)
            if count < len(buffers[0]):
                break
        self.write()
        self.changed()

    def write(self) -> None:
        core = self.core
        while not self._output_ended:
            pieces = core.pieces()
            if not pieces:
                if core.end_output:
                    self._end_output()
                break
            try:
                count = self.sock.sendmsg(pieces) if self._gathers else self.sock.send(pieces[0])
            except BlockingIOError:
                if not self._watches_output:
                    self._watches_output = True
                    self._loop.add_writer(self._fd, self._writable)
                return
            except OSError:
                self._output_ended = True
                break
            core.bytes_written(count)
        if self._watches_output and not self.closed:
            self._watches_output = False
            self._loop.remove_writer(self._fd)

    def _writable(self) -> None:
        self.write()
        self.changed()

    def _end_output(self) -> None:
        self._output_ended = True
        self._lingers_until = time.monotonic() + LINGER_SECONDS
        try:
            self.sock.shutdown(socket.SHUT_WR)
        except OSError:
            pass
        if self.core.stream_ended:
            self.close()

    def _tick(self) -> None:
        if self.closed:
            return
        now = time.monotonic()
        self.core.tick(now)
        self.write()
        if self._output_ended and self.core.over and now >= self._lingers_until:
            self.close()
            return
        self.changed()
        self._timer = self._loop.call_later(_TICK, self._tick)

    def close(self) -> None:
        if self.closed:
            return
        self.closed = True
        self._output_ended = True
        self._timer.cancel()
        self._loop.remove_reader(self._fd)
        self._loop.remove_writer(self._fd)
        self.sock.close()
        self.changed()
