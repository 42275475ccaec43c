"""Moves the bytes of one connection between a core and a socket, in an event loop."""

from __future__ import annotations

import asyncio
import time
from typing import Any, Callable, Optional, Set, Tuple

from .._transfer import TICK_SECONDS, Socket, Transfer, deadline_of

_BATCH = 16  # reads before others have their turn


class Link(Transfer):
    """A socket and a core in an event loop."""

    def __init__(self, sock: Socket, core: Any) -> None:
        super().__init__(sock, core)
        self._loop = asyncio.get_running_loop()
        self._waiters: "Set[Tuple[Callable[[], Any], asyncio.Future[None]]]" = set()
        self._watches_output = self._paused = False
        self._fd = sock.fileno()
        self._loop.add_reader(self._fd, self._read)
        self._timer = self._loop.call_later(TICK_SECONDS, self._tick)
        self.write()

    async def wait(self, done: Callable[[], Any], timeout: Optional[float] = None) -> bool:
        """Until something is done, or nothing more moves; False if the time is over before."""
        deadline = deadline_of(timeout)
        while True:
            self.write()
            if done() or self.closed or self.core.error is not None:
                return True
            seconds = None if deadline is None else deadline - time.monotonic()
            if seconds is not None and seconds <= 0:
                self._read()
                return bool(done())
            # Of several coroutines that were woken for one array, the first one takes it and the others wait again.
            await self._woken(done, seconds)

    async def _woken(self, done: Callable[[], Any], seconds: Optional[float]) -> None:
        future: "asyncio.Future[None]" = self._loop.create_future()
        waiter = (done, future)
        self._waiters.add(waiter)
        timer = None if seconds is None else self._loop.call_later(seconds, wake, future)
        try:
            await future
        finally:
            self._waiters.discard(waiter)
            if timer is not None:
                timer.cancel()

    def changed(self) -> None:
        over = self.closed or self.core.error is not None
        for done, future in list(self._waiters):
            if over or done():
                wake(future)

    def _read(self) -> None:
        if self.closed:
            return
        for _ in range(_BATCH):
            if self.core.full:  # the program has to take something first, which calls resume
                self._loop.remove_reader(self._fd)
                self._paused = True
                break
            self._receive()
            if self.core.stream_ended:
                if not self.closed:
                    self._loop.remove_reader(self._fd)
                break
            if not self._readable:
                break
        if self.unread and not self.closed:
            self._loop.call_soon(self._read)  # the socket would not say that there is more
        self.write()
        self.changed()

    def resume(self) -> None:
        """Reads on if there is room again."""
        if self._paused and not self.closed and not self.core.full:
            self._paused = False
            self._loop.add_reader(self._fd, self._read)
            self._loop.call_soon(self._read)  # TLS may have opened something already

    def write(self) -> None:
        if not self._send():
            if not self._watches_output:
                self._watches_output = True
                self._loop.add_writer(self._fd, self._writable)
        elif self._watches_output and not self.closed:
            self._watches_output = False
            self._loop.remove_writer(self._fd)

    def _writable(self) -> None:
        self.write()
        self.changed()

    def _tick(self) -> None:
        if self.closed:
            return
        now = time.monotonic()
        self.core.tick(now)
        self.write()
        if self._has_lingered(now):
            self.close()
            return
        self.changed()
        self._timer = self._loop.call_later(TICK_SECONDS, self._tick)

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


def wake(future: "asyncio.Future[None]") -> None:
    if not future.done():
        future.set_result(None)
