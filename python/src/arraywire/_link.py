"""Moves the bytes of one connection between a core and a socket, in the threads that wait for something.

One waiting thread at a time sleeps on the socket and reads for all; the others sleep until it has read something. The
keeper, a thread of this module, looks at every connection about once a second, so that acknowledgements, credit and
answers to pings are sent while the program is busy with something else.
"""

from __future__ import annotations

import contextlib
import os
import select
import socket
import threading
import time
import weakref
from typing import Any, Callable, List, Optional

from ._transfer import TICK_SECONDS, Socket, Transfer

_POLL_SECONDS = 0.0002  # about what the system takes to put a thread to sleep and to wake it
_BUSY = 0.1  # seconds until the keeper looks again at connections that the program uses
_WAITED_FOR = 0.25  # at connections on which a thread sleeps
_POLLIN, _POLLOUT = 1, 4

_ALONE_SECONDS = 0.00001  # of that it keeps the processor to itself

#: Held by the one thread of this process that may poll: more of them would take the processor from those they wait for. A
#: child that was forked meanwhile finds it held for ever, and sleeps at once.
_polling = threading.Lock()
_let_others: Callable[[], None] = getattr(os, "sched_yield", lambda: None)


class _Sleeper:
    """Waits until a socket is readable or writable; for one thread at a time.

    To be woken takes longer than most answers do. So a thread that found something within a moment when it waited last
    polls for such a moment before it sleeps. Where nothing comes, or takes its time, nobody polls.
    """

    __slots__ = ("_sock", "_poll", "_events", "_soon")

    def __init__(self, sock: Socket) -> None:
        self._sock = sock
        self._poll = select.poll() if hasattr(select, "poll") else None
        self._events = _POLLIN
        self._soon = False  # whether the last wait found something within a moment
        if self._poll:
            self._poll.register(sock, _POLLIN)

    def sleep(self, events: int, seconds: float) -> None:
        poll = self._poll
        if poll is None:
            read = [self._sock] if events & _POLLIN else []
            write = [self._sock] if events & _POLLOUT else []
            select.select(read, write, [], seconds)
            return
        if events != self._events:
            poll.modify(self._sock, events)
            self._events = events
        began = time.monotonic()
        if self._soon and events == _POLLIN and _has_come(poll.poll, began, min(seconds, _POLL_SECONDS)):
            return
        came = bool(poll.poll(max(began + seconds - time.monotonic(), 0) * 1000))
        self._soon = came and time.monotonic() - began < _POLL_SECONDS

    def comes_soon(self, now: float) -> bool:
        """Whether something comes in the time that a thread keeps the processor to itself. It only looks if the last wait found
        something within a moment, and if no other thread polls."""
        poll = self._poll
        if not self._soon or poll is None or self._events != _POLLIN or not _polling.acquire(blocking=False):
            return False
        try:
            while not poll.poll(0):
                if time.monotonic() - now > _ALONE_SECONDS:
                    return False
            return True
        finally:
            _polling.release()


def _has_come(poll: "Callable[[int], List[Any]]", began: float, seconds: float) -> bool:
    """Whether something comes in that time; no if another thread polls."""
    if not _polling.acquire(blocking=False):
        return False
    try:
        while not poll(0):
            waited = time.monotonic() - began
            if waited >= seconds:
                return False
            if waited > _ALONE_SECONDS:
                _let_others()
        return True
    finally:
        _polling.release()


class Link(Transfer):
    """A socket and a core. Its lock guards both."""

    def __init__(self, sock: Socket, core: Any) -> None:
        super().__init__(sock, core)
        self.lock = threading.Lock()
        self._changed = threading.Condition(self.lock)
        self._waiting = 0
        self._reader, self._writer = _Sleeper(sock), _Sleeper(sock)
        self._reading = self._writing = False
        self._blocked = False  # the system takes no more for now
        self.idle = False
        self.sought = False  # whether a call of another thread had to wait for the lock, lately
        self._used = self._used_before = 0
        self._next_tick = time.monotonic() + TICK_SECONDS

    def start(self) -> "Link":
        """From now on this module's thread looks at it, too."""
        keep(self)
        return self

    # --- With the lock held ---

    def wait(self, done: Callable[[], Any], deadline: Optional[float] = None, lazily: bool = False) -> bool:
        """Moves bytes until something is done, or nothing more moves; False if the deadline passes before. Lazily: what
        this side owes for what came last, such as an acknowledgement, may leave with its next array."""
        core = self.core
        self._used += 1
        while True:
            self._blocked = not self._send()
            if done() or self.closed or core.error is not None:
                return True
            if self._readable and not self._reading and self.read():
                if lazily and done():
                    return True
                continue
            now = time.monotonic()
            if now >= self._next_tick:
                self._tick(now)
                continue
            seconds = self._next_tick - now
            if deadline is not None:
                seconds = min(seconds, deadline - now)
                if seconds <= 0:
                    return self._last_look(done)
            if self._sleep(seconds) and self.read() and lazily and done():
                return True

    def comes_soon(self, done: Callable[[], Any], now: float) -> bool:
        """Whether something is done within a moment that is too short to let go of the lock. What this side owes for it may leave
        with its next array. Otherwise it has to be waited for."""
        sought, self.sought = self.sought, False
        return (
            not (sought or self._blocked or self._reading or self._waiting or self.closed)
            and now < self._next_tick
            and self._reader.comes_soon(now)
            and self.read()
            and bool(done())
        )

    def _last_look(self, done: Callable[[], Any]) -> bool:
        """What is there already counts, however short the time is."""
        if not self._reading:
            while self.read():
                self.write()
                if done():
                    return True
        return bool(done())

    def _sleep(self, seconds: float) -> bool:
        """Whether this thread is to read now: it slept on the socket, the others on what it reads."""
        blocked = self._blocked
        if not self._reading:
            self._reading = True
            core = self.core
            # To read would be of no use if nothing has room, or the peer has ended its output.
            events = (0 if core.stream_ended or core.full else _POLLIN) | (_POLLOUT if blocked else 0)
            self.lock.release()
            try:
                self._reader.sleep(events, seconds)
            finally:
                self.lock.acquire()
                self._reading = False
                self._readable = True
                if self.closed:
                    self._slept()
                if self._waiting:
                    self.changed()
            return True
        if blocked and not self._writing:
            self._writing = True
            self.lock.release()
            try:
                self._writer.sleep(_POLLOUT, seconds)
            finally:
                self.lock.acquire()
                self._writing = False
                self._slept()
        else:
            self._waiting += 1
            try:
                self._changed.wait(seconds)
            finally:
                self._waiting -= 1
        return False

    def _slept(self) -> None:
        if self.closed and not self._reading and not self._writing:
            self.sock.close()

    def changed(self) -> None:
        """Others may find that what they wait for is there."""
        if self._waiting:
            self._changed.notify_all()

    def write(self) -> None:
        self._blocked = not self._send()

    def write_now(self) -> None:
        """What a call of the program sends, without waiting."""
        self._used += 1
        self._blocked = not self._send()

    def read(self) -> bool:
        """What is there; whether something was."""
        core = self.core
        if self.closed or core.stream_ended or core.full or not self._receive():
            return False
        if self._waiting:
            self.changed()
        return True

    def _tick(self, now: float) -> None:
        self._next_tick = now + TICK_SECONDS
        self.core.tick(now)
        if self._has_lingered(now):
            self.close()

    def close(self) -> None:
        """At once. The descriptor is given back when nobody sleeps on it any more."""
        if self.closed:
            return
        self.closed = True
        self._output_ended = True
        forget(self)
        if self._reading or self._writing:
            try:
                self.sock.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
        else:
            self.sock.close()
        self._changed.notify_all()

    # --- For the keeper ---

    @property
    def waited_for(self) -> bool:
        """Whether a thread sleeps on it."""
        return self._reading

    def is_due(self) -> bool:
        return time.monotonic() >= self._next_tick

    def idle_since_last_look(self) -> bool:
        core = self.core
        reads = not (self.closed or core.stream_ended or core.full)
        self.idle = reads and not self._reading and self._used == self._used_before
        self._used_before = self._used
        return self.idle

    def look(self) -> None:
        if not self.lock.acquire(blocking=False):
            return  # somebody is at it
        try:
            if self.closed or self._reading:
                return
            for _ in range(64):
                self.write()
                if not self.read():
                    break
            now = time.monotonic()
            if now >= self._next_tick:
                self._tick(now)
            self.write()
            self.changed()
        finally:
            self.lock.release()


_links: "weakref.WeakSet[Link]" = weakref.WeakSet()
_links_lock = threading.Lock()
_keeper: Optional["_Keeper"] = None


def keep(link: Link) -> None:
    """Has the module's thread look at it."""
    global _keeper
    with _links_lock:
        _links.add(link)
        if _keeper is None or not _keeper.is_alive():
            _keeper = _Keeper()
            _keeper.start()
        _keeper.wake()


def forget(link: Link) -> None:
    with _links_lock:
        _links.discard(link)


class _Keeper(threading.Thread):
    """Sleeps on the sockets that no thread of the program has used for a moment. Those in use are left alone: their own
    threads are faster without another one that wants the interpreter."""

    def __init__(self) -> None:
        super().__init__(name="arraywire-keeper", daemon=True)
        self._bell, self._ear = socket.socketpair()
        self._bell.setblocking(False)
        self._ear.setblocking(False)

    def wake(self) -> None:
        with contextlib.suppress(OSError):
            self._bell.send(b"!")

    def run(self) -> None:
        while True:
            with _links_lock:
                links = list(_links)
            self._sleep(links)
            for link in links:
                if link.idle or link.is_due():
                    link.look()
            del links
            link = None  # type: ignore[assignment]

    def _sleep(self, links: "List[Link]") -> None:
        idle: List[Link] = []  # without full ones: the program reads them as it takes arrays
        seconds = TICK_SECONDS
        for link in links:
            if link.idle_since_last_look():
                idle.append(link)
                if link.unread:
                    seconds = 0.001
            else:
                seconds = min(seconds, _WAITED_FOR if link.waited_for else _BUSY)
        watched = [self._ear, *(each.sock for each in idle)]
        try:
            if hasattr(select, "poll"):
                poll = select.poll()
                for sock in watched:
                    if sock.fileno() >= 0:
                        poll.register(sock, _POLLIN)
                poll.poll(seconds * 1000)
            else:
                select.select(watched, [], [], seconds)
        except (OSError, ValueError):
            pass  # one was closed meanwhile
        with contextlib.suppress(OSError):
            self._ear.recv(4096)
