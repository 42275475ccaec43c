"""Accepts connections in an event loop."""

from __future__ import annotations

import asyncio
import inspect
import socket
import time
from typing import Any, Awaitable, Callable, Mapping, Optional, Set, Union

from .. import _address, _elements
from .._address import shown
from .._attributes import NO_STRINGS, checked_strings
from .._calls import CALL_SECONDS, CLOSE_SECONDS
from .._options import Options
from .._serve import log, log_number, said
from .._elements import TypeNames
from .._streams import Received
from .._subscriptions import BLOCK
from ..errors import ArraywireError, ConnectionClosedError, ErrorCode, TimeoutError
from ..message import Message
from ._link import Link
from .connection import Connection, Request, message_of

Handler = Callable[[Message], Union[Awaitable[Any], Any]]
Answer = Callable[[Request], Union[Awaitable[Any], Any]]


class Listener:
    """The twin of ``arraywire.Listener``. Handlers and answers may be coroutine functions; each connection's handlers run
    one after the other, its answers side by side."""

    def __init__(
        self, sock: socket.socket, handler: Optional[Handler], answer: Optional[Answer], options: Options, most: int
    ) -> None:
        self._sock = sock
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
        if len(self._tasks) >= self._most:
            sock.close()
            return
        self._start(self._serve(sock))

    def _start(self, work: Any) -> None:
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, sock: socket.socket) -> None:
        core = self._options.core(_address.prepared(sock), connector=False)
        core.subscriptions.publishing = True
        core.requests.answering = self._answer is not None
        core.serving = self._handler is not None
        core.serves = core.serving or self._answer is not None
        connection = Connection(Link(sock, core))
        # Before the peer can know that it is connected: what is published then is for it, too.
        self._connections.add(connection)
        try:
            await connection._link.wait(lambda: core.open)
            if not core.open or core.error is not None:
                await connection._linger()
                return
            if not core.serves:
                self._accepted.put_nowait(connection)
                await connection._link.wait(lambda: False)
                return
            await self._serve_open(connection)
        finally:
            self._connections.discard(connection)

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
        try:
            connection = await asyncio.wait_for(self._accepted.get(), timeout)
        except asyncio.TimeoutError:
            raise TimeoutError(None, "nobody connected in time", timeout=f"{timeout:g} s") from None
        if connection is None:
            self._accepted.put_nowait(None)
            raise ConnectionClosedError(ErrorCode.CONNECTION_CLOSED, "the listener is closed")
        return connection

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

    async def close(self, timeout: float = CLOSE_SECONDS) -> None:
        if self._closed.is_set():
            return
        self._closed.set()
        self._loop.remove_reader(self._sock.fileno())
        self._sock.close()
        self._accepted.put_nowait(None)
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
