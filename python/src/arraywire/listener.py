"""Accepts connections, and serves them if there is something to serve them with."""

from __future__ import annotations

import contextlib
import functools
import queue
import socket
import threading
import time
from typing import Any, Iterator, List, Mapping, Optional, Set

from . import _address, _elements
from ._attributes import NO_STRINGS, checked_strings
from ._address import Address, shown
from ._calls import CLOSE_SECONDS
from ._elements import TypeNames
from ._link import Link
from ._options import Options
from ._serve import NO_HOOKS, Answer, Handler, Hooks, serve
from ._session import Session
from ._session_connection import SessionConnection
from ._session_ends import Listening
from ._subscriptions import BLOCK, Subscriber
from .connection import Connection
from .errors import ArraywireError, ConnectionClosedError, ConnectionLostError, ErrorCode, TimeoutError

_POLL_SECONDS = 0.25
SEND_SECONDS = 30.0


class Listener:
    """Listens at an address. With a handler, or an answer to requests, each connection is served by a thread of its
    own; without either, take connections with ``accept`` or by iterating. Leaving a ``with`` block closes it."""

    def __init__(
        self,
        address: Address,
        handler: Optional[Handler],
        answer: Optional[Answer],
        options: Options,
        takes_requests: bool,
        max_connections: int,
        hooks: Hooks = NO_HOOKS,
    ) -> None:
        self._options = options
        seconds = options.session_timeout
        self._sessions = None if seconds is None else Listening(seconds, _supersede)
        self._handler, self._answer, self._hooks = handler, answer, hooks
        self._takes_requests = takes_requests or answer is not None
        self._max_connections = max_connections
        self._sock = _address.listening(address, min(max_connections, 1024))
        self._sock.settimeout(_POLL_SECONDS)
        #: Where it listens, with the port that was taken.
        self.address: str = shown(self._sock.getsockname())
        self._lock = threading.Lock()
        self._connections: Set[Connection] = set()
        self._starting = 0  # accepted, and not among the connections yet
        self._accepted: "queue.Queue[Optional[Connection]]" = queue.Queue()
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._accept_all, name=f"arraywire-listener {self.address}", daemon=True)
        self._thread.start()

    # --- Accepting ---

    def _accept_all(self) -> None:
        while not self._closed.is_set():
            try:
                sock, _ = self._sock.accept()
            except socket.timeout:
                continue
            except OSError:
                if self._closed.wait(0.05):  # no descriptor left, perhaps: others may close
                    return
                continue
            with self._lock:
                self._connections = {each for each in self._connections if not each._link.closed}
                full = len(self._connections) + self._starting >= self._max_connections
                self._starting += not full
            if full or self._closed.is_set():
                sock.close()
                continue
            threading.Thread(target=self._shake_hands, args=(sock,), name="arraywire-accepted", daemon=True).start()

    def _shake_hands(self, sock: socket.socket) -> None:
        connection = self._connection(sock)
        if connection is None:
            return
        user: Optional[SessionConnection] = None
        if connection._core.session is not None:
            user = self._carried(connection, connection._core.session)
            if user is None:
                return
        if self._handler is None and self._answer is None:
            self._accepted.put(user or connection)
            return
        served: Optional[Connection] = connection
        while served is not None:
            serve(served, self._handler, self._answer)
            self._ended(served)
            served = None if user is None else user.after(served)

    def _carried(self, connection: Connection, session: Session) -> Optional[SessionConnection]:
        """What the program holds of a session, if it does not have it yet."""
        with self._lock:
            if session.connection is None:
                session.connection = SessionConnection(session, connection)
            user: SessionConnection = session.connection
        if not user.carried_by(connection):
            connection.close_now()  # it has broken already, or was replaced
            return None
        with self._lock:
            known, user.known = user.known, True
        return None if known else user

    def _connection(self, sock: socket.socket) -> Optional[Connection]:
        try:
            secured = self._options.secured(_address.prepared(sock), False)
            core = self._options.core(secured, connector=False, sessions=self._sessions)
        except OSError:
            sock.close()
            with self._lock:
                self._starting -= 1
            return None
        core.subscriptions.publishing = True
        core.requests.answering = self._takes_requests
        core.serving = self._handler is not None
        core.serves = core.serving or self._answer is not None
        connection = Connection(Link(secured, core))
        choose = self._hooks.target
        if choose is not None:
            core.chooser = functools.partial(choose, connection)
        link = connection._link
        # Before the peer can know that it is connected: what is published then is for it, too.
        with self._lock:
            self._starting -= 1
            late = self._closed.is_set()
            if not late:
                self._connections.add(connection)
        with link.lock:
            if late:
                link.close()
                return None
            link.start()
            link.wait(lambda: core.open)
            link.write()
            if core.open and core.error is None and not link.closed:
                return connection
            connection._linger()
        with self._lock:
            self._connections.discard(connection)
        self._ended(connection)
        return None

    def _ended(self, connection: Connection) -> None:
        if self._hooks.ended is not None:
            self._hooks.ended(connection, connection._core.error)

    def accept(self, timeout: Optional[float] = None) -> Connection:
        """The next connection whose handshake is over."""
        self._check_not_serving()
        try:
            connection = None if self._closed.is_set() else self._accepted.get(timeout=timeout)
        except queue.Empty:
            raise TimeoutError(None, "nobody connected in time", timeout=f"{timeout or 0:g} s") from None
        if connection is None:
            self._accepted.put(None)
            raise ConnectionClosedError(ErrorCode.CONNECTION_CLOSED, "the listener is closed")
        return connection

    def __iter__(self) -> Iterator[Connection]:
        while True:
            try:
                connection = self.accept()
            except ConnectionClosedError:
                return
            yield connection

    def _check_not_serving(self) -> None:
        if self._handler is not None or self._answer is not None:
            raise ValueError("this listener serves its connections itself; listen without a handler to accept them")

    # --- Publishing ---

    def publish(
        self,
        subject: str,
        obj: Any,
        *,
        tag: int = 0,
        type: TypeNames = None,
        metadata: Mapping[str, str] = NO_STRINGS,
        timeout: float = SEND_SECONDS,
    ) -> int:
        """Sends an array to all subscribers of the subject, and returns how many got it. The array is copied once,
        so that it may change afterwards. Waits for subscribers with the policy 'block' that lag."""
        elements = _elements.elements(obj, type).copied()
        deadline = time.monotonic() + timeout
        count = 0
        with self._lock:
            connections = list(self._connections)
        for connection in connections:
            link, core = connection._link, connection._core
            with link.lock:
                for subscriber in core.subscriptions.subscribers(subject):
                    if core.over or link.closed:
                        break
                    if subscriber.policy == BLOCK:
                        self._await_room(connection, subscriber, elements, deadline)
                    try:
                        if core.subscriptions.publish(subscriber, elements, tag, checked_strings(metadata)) is not None:
                            count += 1
                    except ConnectionClosedError:
                        break
                    except ArraywireError:
                        if core.error is None:
                            raise
                link.write()
        return count

    @staticmethod
    def _await_room(
        connection: Connection, subscriber: Subscriber, elements: _elements.Elements, deadline: float
    ) -> None:
        subscriptions = connection._core.subscriptions
        connection._link.wait(
            lambda: subscriber.given_up or subscriptions.has_room(subscriber, elements), deadline
        )

    @property
    def subscribers(self) -> List[str]:
        """The subjects of all subscriptions, one entry for each."""
        found: List[str] = []
        with self._lock:
            connections = list(self._connections)
        for connection in connections:
            with connection._link.lock:
                found += connection._core.subscriptions.subjects()
        return found

    # --- The end ---

    @property
    def connections(self) -> List[Connection]:
        """The open connections."""
        with self._lock:
            return [each for each in self._connections if each._core.open and not each._link.closed]

    def close(self, timeout: float = CLOSE_SECONDS) -> None:
        """Stops accepting and closes all connections in order, or at once after the timeout."""
        if self._closed.is_set():
            return
        self._closed.set()
        self._accepted.put(None)
        with contextlib.suppress(OSError):
            self._sock.shutdown(socket.SHUT_RDWR)
        self._thread.join()  # as long as it sleeps on the socket, the system takes connections
        self._sock.close()
        deadline = time.monotonic() + timeout
        if self._sessions is not None:
            self._sessions.close()
        with self._lock:
            connections = list(self._connections)
        threads = [
            threading.Thread(target=self._close_one, args=(each, deadline), daemon=True) for each in connections
        ]
        for each in threads:
            each.start()
        for each in threads:
            each.join()

    @staticmethod
    def _close_one(connection: Connection, deadline: float) -> None:
        if not connection._core.open:
            connection.close_now()
        try:
            connection.close(max(deadline - time.monotonic(), 0))
        except ArraywireError:
            connection.close_now()

    def wait_closed(self) -> None:
        """Waits until another thread closes it; for the main thread of a server."""
        self._closed.wait()

    def __enter__(self) -> "Listener":
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        self.close(CLOSE_SECONDS if kind is None else 0)


def _supersede(session: Session) -> None:
    """The peer is back: what it came by before is broken, whatever this side takes it for."""
    user = session.connection
    if user is not None:
        last = user._last
        with last._link.lock:
            last._core.ended(
                ConnectionLostError(ErrorCode.CONNECTION_RESET, "the peer came back by another connection"), silent=True
            )
            last._link.close()
