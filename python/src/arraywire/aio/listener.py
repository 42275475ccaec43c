"""Accepts connections in an event loop."""

from __future__ import annotations

import asyncio
import inspect
import socket
import time
from typing import Any, AsyncIterator, Awaitable, Callable, List, Mapping, Optional, Set, Tuple, Union

from .. import _address, _elements
from .._address import shown
from .._attributes import NO_STRINGS, checked_strings
from .._calls import CALL_SECONDS, CLOSE_SECONDS
from .._options import Options
from .._session import Session
from .._session_ends import Listening
from .._serve import log, log_number, said
from .._elements import TypeNames
from .._streams import Received
from .._subscriptions import BLOCK
from ..errors import ArraywireError, ConnectionClosedError, ConnectionLostError, ErrorCode, TimeoutError
from ..message import Message
from ._link import Link
from ._session import AsyncSession, SessionConnection
from .connection import Connection, Request, message_of

Handler = Callable[[Message], Union[Awaitable[Any], Any]]
Answer = Callable[[Request], Union[Awaitable[Any], Any]]


class Listener:
    """The twin of ``arraywire.Listener``. Handlers and answers may be coroutine functions; each connection's handlers run
    one after the other, its answers side by side."""

    def __init__(
        self,
        sock: socket.socket,
        handler: Optional[Handler],
        answer: Optional[Answer],
        options: Options,
        takes_requests: bool,
        most: int,
    ) -> None:
        self._sock = sock
        self._takes_requests = takes_requests or answer is not None
        seconds = options.session_timeout
        self._sessions = None if seconds is None else Listening(seconds, _supersede, AsyncSession)
        self._handler, self._answer, self._options, self._most = handler, answer, options, most
        self.address: str = shown(sock.getsockname())
        self._connections: Set[Connection] = set()
        self._accepted: "asyncio.Queue[Optional[Connection]]" = asyncio.Queue()
        self._tasks: "Set[asyncio.Task[None]]" = set()
        self._closed = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        sock.setblocking(False)
        self._loop.add_reader(sock.fileno(), self._readable)

    def _readable(self) -> None:
        try:
            sock, _ = self._sock.accept()
        except OSError:
            return
        if len(self._connections) >= self._most:
            sock.close()
            return
        self._start(self._serve(sock))

    def _start(self, work: Any) -> None:
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, sock: socket.socket) -> None:
        secured = self._options.secured(_address.prepared(sock), False)
        core = self._options.core(secured, connector=False, sessions=self._sessions)
        core.subscriptions.publishing = True
        core.requests.answering = self._takes_requests
        core.serving = self._handler is not None
        core.serves = core.serving or self._answer is not None
        connection = Connection(Link(secured, core))
        # Before the peer can know that it is connected: what is published then is for it, too.
        self._connections.add(connection)
        try:
            await connection._link.wait(lambda: core.open)
            if not core.open or core.error is not None:
                await connection._linger()
                return
            user: Optional[SessionConnection] = None
            if core.session is not None:
                user, known = self._carried(connection, core.session)
                if user is None:
                    return
                if known:  # the session goes on with this link
                    await connection._link.wait(lambda: False)
                    return
            if core.serves:
                await self._serve_all(connection, user)
            else:
                self._accepted.put_nowait(user or connection)
                await connection._link.wait(lambda: False)
        finally:
            self._connections.discard(connection)

    @staticmethod
    def _carried(connection: Connection, session: Session) -> "Tuple[Optional[SessionConnection], bool]":
        """What the program holds of a session, None if this link has broken already; and whether the program has it."""
        assert isinstance(session, AsyncSession)
        if session.connection is None:
            session.connection = SessionConnection(session, connection)
        user: SessionConnection = session.connection
        if not user.carried_by(connection):
            connection.close_now()
            return None, False
        known, user.known = user.known, True
        return user, known

    async def _serve_all(self, connection: Connection, user: Optional[SessionConnection]) -> None:
        served: Optional[Connection] = connection
        while served is not None:
            await self._serve_open(served)
            served = None if user is None else await user.after(served)

    async def _serve_open(self, connection: Connection) -> None:
        link, core = connection._link, connection._core
        while True:
            await link.wait(lambda: core.ready or core.requests.inbox or core.stream_ended)
            if core.requests.inbox:
                self._start(self._reply(Request(connection, core.requests.take())))  # type: ignore[arg-type]
            elif core.ready:
                taken = core.take(core.ready.popleft())
                if taken is not None:
                    await self._handle(connection, taken)
            else:
                await connection._linger()
                return

    async def _handle(self, connection: Connection, array: Received) -> None:
        core = connection._core
        if self._handler is None:
            core.refuse(array, ErrorCode.REJECTED, "this program answers requests and takes no other arrays")
        else:
            try:
                made = self._handler(message_of(connection, array))
                if inspect.isawaitable(made):
                    await made
                core.processed(array)
            except Exception as error:
                log.warning("a handler raised, the array is refused (logNumber=%d)", log_number(error), exc_info=error)
                core.refuse(array, ErrorCode.REJECTED, said("the handler raised", error))
        connection._link.write()
        if core.session is not None and core.error is not None and core.session.connection is not None:
            core.session.connection.answer_repeated()  # it may have come again over another link

    async def _reply(self, request: Request) -> None:
        assert self._answer is not None
        try:
            reply = self._answer(request)
            if inspect.isawaitable(reply):
                reply = await reply
            if reply is not None:
                await request.reply(reply)
        except Exception as error:
            log.warning("the answer to a request raised (logNumber=%d)", log_number(error), exc_info=error)
            await request.fail(said("the handler raised", error))

    async def accept(self, timeout: Optional[float] = None) -> Connection:
        if self._handler is not None or self._answer is not None:
            raise ValueError("this listener serves its connections itself; listen without a handler to accept them")
        try:
            connection = await asyncio.wait_for(self._accepted.get(), timeout)
        except asyncio.TimeoutError:
            raise TimeoutError(None, "nobody connected in time", timeout=f"{timeout:g} s") from None
        if connection is None:
            self._accepted.put_nowait(None)
            raise ConnectionClosedError(ErrorCode.CONNECTION_CLOSED, "the listener is closed")
        return connection

    async def __aiter__(self) -> AsyncIterator[Connection]:
        while True:
            try:
                connection = await self.accept()
            except ConnectionClosedError:
                return
            yield connection

    async def publish(
        self, subject: str, obj: Any, *, tag: int = 0, type: TypeNames = None, metadata: Mapping[str, str] = NO_STRINGS,
        timeout: float = CALL_SECONDS,
    ) -> int:  # fmt: skip
        elements = _elements.elements(obj, type).copied()
        deadline, count = time.monotonic() + timeout, 0
        for connection in list(self._connections):
            core, link = connection._core, connection._link
            subscriptions = core.subscriptions
            for subscriber in subscriptions.subscribers(subject):
                if subscriber.policy == BLOCK:
                    each = subscriber
                    await link.wait(
                        lambda: each.given_up or subscriptions.has_room(each, elements), deadline - time.monotonic()
                    )
                if core.over or link.closed:
                    break
                try:
                    count += subscriptions.publish(subscriber, elements, tag, checked_strings(metadata)) is not None
                except ArraywireError:
                    if core.error is None and not core.ending:
                        raise
            link.write()
        return count

    @property
    def subscribers(self) -> List[str]:
        return [subject for each in self._connections for subject in each._core.subscriptions.subjects()]

    @property
    def connections(self) -> List[Connection]:
        return [each for each in self._connections if each._core.open and not each._link.closed]

    async def close(self, timeout: float = CLOSE_SECONDS) -> None:
        if self._closed.is_set():
            return
        self._closed.set()
        self._loop.remove_reader(self._sock.fileno())
        self._sock.close()
        self._accepted.put_nowait(None)
        if self._sessions is not None:
            self._sessions.close()
        await asyncio.gather(*(_close_one(each, timeout) for each in list(self._connections)))
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def wait_closed(self) -> None:
        await self._closed.wait()

    async def __aenter__(self) -> "Listener":
        return self

    async def __aexit__(self, kind: Any, error: Any, trace: Any) -> None:
        await self.close(CLOSE_SECONDS if kind is None else 0)


async def _close_one(connection: Connection, timeout: float) -> None:
    if not connection._core.open:
        connection.close_now()
    try:
        await connection.close(timeout)
    except ArraywireError:
        connection.close_now()


def _supersede(session: Session) -> None:
    """The peer is back: what it came by before is broken, whatever this side takes it for."""
    user = session.connection
    if user is not None:
        last = user._last
        last._core.ended(
            ConnectionLostError(ErrorCode.CONNECTION_RESET, "the peer came back by another connection"), silent=True
        )
        last._link.close()
