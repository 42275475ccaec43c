"""A connection in framed mode, for coroutines."""

from __future__ import annotations

import asyncio
import time
from typing import Any, AsyncIterator, Optional, Tuple

from .. import _elements
from .._attributes import NONE, Attributes
from .._streams import ACKNOWLEDGED, Inbound, Outgoing, Received, Target
from .._transfer import LINGER_SECONDS
from ..connection import CALL_SECONDS, CLOSE_SECONDS, again, closed_here, metadata_of, tag_of
from ..errors import (
    ConnectionClosedError, ConnectionLostError, DeliveryUnknownError, ErrorCode, TargetMismatchError, TimeoutError,
)  # fmt: skip
from ..message import Message, closed
from ..subscription import POLICIES
from ._link import Link


class Request(Message):
    """An array that the peer wants an answer to."""

    __slots__ = ()

    async def reply(self, obj: Any, *, tag: int = 0, type: Optional[str] = None, metadata: bytes = b"") -> bool:
        """Sends the answer. False if the peer no longer waits for it."""
        connection: Any = self.connection
        outgoing = connection._core.requests.reply(
            self._received, _elements.elements(obj, type), tag_of(tag), metadata_of(metadata)
        )
        if outgoing is None:
            return False
        await connection._finish_send(outgoing, False, CALL_SECONDS)
        return True

    async def fail(self, text: str) -> bool:
        """Says why there is no answer."""
        connection: Any = self.connection
        outgoing = connection._core.requests.fail(self._received, text)
        connection._link.write()
        return outgoing is not None


class Connection:
    """The twin of ``arraywire.Connection``."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._core = link.core

    async def send(
        self,
        obj: Any,
        *,
        tag: int = 0,
        shape: Optional[Tuple[int, ...]] = None,
        type: Optional[str] = None,
        metadata: bytes = b"",
        channel: int = 0,
        processed: bool = False,
        timeout: Optional[float] = None,
    ) -> None:
        elements = _elements.elements(obj, type, shape)
        plain = not elements.shape and not metadata
        attributes = NONE if plain else Attributes(shape=elements.shape, metadata=metadata_of(metadata))
        core = self._core
        self._check_open()
        outgoing = core.queue(core.outbound(core.channel(channel)), elements, tag_of(tag), attributes)
        await self._finish_send(outgoing, processed, timeout)

    async def _finish_send(self, outgoing: Outgoing, processed: bool, timeout: Optional[float]) -> None:
        writer = self._core.writer

        def done() -> bool:
            if outgoing.error is not None:
                return True
            return outgoing.state == ACKNOWLEDGED if processed else writer.has_written(outgoing)

        try:
            in_time = await self._link.wait(done, timeout)
        except BaseException:
            self._withdraw(outgoing)
            raise
        if done() and outgoing.error is None:
            return
        withdrawn = self._withdraw(outgoing)
        if not in_time:
            raise TimeoutError(
                ErrorCode.SEND_TIMEOUT,
                "the array could not leave in time: the peer takes nothing; it was withdrawn"
                if withdrawn
                else "the array was not acknowledged in time; the peer may or may not have it",
                timeout=f"{timeout:g} s",
            )
        error = outgoing.error or self._core.error or closed_here()
        if processed and outgoing.end and isinstance(error, ConnectionLostError):
            raise DeliveryUnknownError(
                ErrorCode.DELIVERY_UNKNOWN,
                "the connection broke before the acknowledgement: the peer may or may not have the array",
                cause=error,
            ) from error
        raise again(error)

    def _withdraw(self, outgoing: Outgoing) -> bool:
        withdrawn = self._core.writer.give_back(outgoing)
        self._link.write()
        return withdrawn

    async def receive(self, timeout: Optional[float] = None, *, channel: int = 0) -> Any:
        return (await self.receive_message(timeout, channel=channel)).array

    async def receive_message(self, timeout: Optional[float] = None, *, channel: int = 0) -> Message:
        core = self._core
        stream = core.inbound(core.channel(channel))
        array = None
        while array is None:
            await self._await_inbox(stream, timeout)
            array = core.take(stream)
        core.processed(array)
        self._link.write()
        return message_of(self, array)

    async def receive_into(self, buffer: Any, timeout: Optional[float] = None, *, channel: int = 0) -> Message:
        view, type, bits = _elements.target(buffer)
        target = Target(view, type, bits)
        core = self._core
        stream = core.inbound(core.channel(channel))
        stream.targets.append(target)
        try:
            await self._await_inbox(stream, timeout)
            array = stream.inbox[0]
            if array.into is not target and not target.fits(array):
                raise TargetMismatchError(
                    ErrorCode.TARGET_MISMATCH,
                    "the array does not fit into the buffer",
                    type=array.type.name,
                    bytes=array.count * array.type.size,
                    buffer=type.name,
                    room=view.nbytes,
                )
            into = view[: array.came]
            if array.into is target:
                array.into = None
            else:
                assert array.view is not None
                into[:] = array.view[: array.came]
            core.take(stream)
            core.processed(array)
            self._link.write()
            return message_of(self, array, into)
        finally:
            core.redirect(stream, target)

    async def _await_inbox(self, stream: Inbound, timeout: Optional[float]) -> None:
        core = self._core
        core.ask(stream)
        try:
            await self._link.wait(
                lambda: stream.inbox or core.stream_ended or core.peer_goodbye and stream.arriving is None, timeout
            )
        finally:
            core.unask(stream)
        if stream.inbox:
            return
        if core.error is not None:
            raise again(core.error)
        if core.peer_goodbye or core.stream_ended:
            raise closed()
        if self._link.closed or core.ending:
            raise closed_here()
        raise TimeoutError(None, "no array came in time", timeout=f"{timeout or 0:g} s")

    async def __aiter__(self) -> AsyncIterator[Any]:
        while True:
            try:
                array = await self.receive()
            except ConnectionClosedError:
                return
            yield array

    async def call(
        self,
        obj: Any,
        timeout: Optional[float] = CALL_SECONDS,
        *,
        tag: int = 0,
        type: Optional[str] = None,
        metadata: bytes = b"",
        channel: int = 0,
    ) -> Message:
        core = self._core
        self._check_open()
        pending = core.requests.make(
            _elements.elements(obj, type), tag_of(tag), metadata_of(metadata), core.channel(channel)
        )
        try:
            in_time = await self._link.wait(lambda: pending.over, timeout)
        finally:
            if not pending.over:
                core.requests.forget(pending)
                self._link.write()
        if pending.reply is not None:
            return message_of(self, pending.reply)
        if pending.error is not None:
            raise again(pending.error)
        if not in_time:
            raise TimeoutError(
                ErrorCode.REQUEST_TIMEOUT, "the request was not answered in time", timeout=f"{timeout:g} s"
            )
        raise again(core.error or closed_here())

    async def next_request(self, timeout: Optional[float] = None) -> Optional[Request]:
        core = self._core
        core.requests.answering = True
        inbox = core.requests.inbox
        in_time = await self._link.wait(lambda: inbox or core.peer_goodbye or core.stream_ended, timeout)
        if inbox:
            array = inbox.popleft()
            core.release(array)
            core.processed(array)
            return Request(self, array)  # type: ignore[arg-type]
        if core.error is not None:
            raise again(core.error)
        if in_time:
            return None
        raise TimeoutError(None, "no request came in time", timeout=f"{timeout or 0:g} s")

    async def subscribe(
        self, subject: str, policy: str = "block", *, queue_bytes: int = 1 << 20, timeout: Optional[float] = CALL_SECONDS
    ) -> "Subscription":
        if policy not in POLICIES:
            raise ValueError(f"there is no such policy (policy={policy}, policies={' '.join(POLICIES)})")
        self._check_open()
        made = self._core.subscriptions.make(subject, POLICIES[policy], queue_bytes)
        in_time = await self._link.wait(lambda: made.begun or made.ended, timeout)
        if made.error is not None:
            raise again(made.error)
        if not in_time:
            self._core.subscriptions.give_up(made)
            self._link.write()
            raise TimeoutError(
                ErrorCode.REQUEST_TIMEOUT, "the subscription did not begin in time", timeout=f"{timeout:g} s"
            )
        if not made.begun:
            raise again(self._core.error or closed_here())
        return Subscription(self, made, subject)

    @property
    def open(self) -> bool:
        return not self._link.closed and not self._core.over and not self._core.ending

    async def close(self, timeout: float = CLOSE_SECONDS) -> None:
        link, core = self._link, self._core
        if link.closed:
            return
        if core.error is None:
            core.begin_end()
            in_time = await link.wait(lambda: core.stream_ended, timeout)
            if not in_time:
                link.close()
                raise TimeoutError(
                    ErrorCode.CLOSE_TIMEOUT,
                    "the peer did not take everything in time, or did not say goodbye",
                    timeout=f"{timeout:g} s",
                )
        await self._linger()

    async def _linger(self) -> None:
        """Lets the peer read why it ended, if it did not end in order."""
        link, core = self._link, self._core
        end = time.monotonic() + LINGER_SECONDS
        while core.error is not None and not link.closed and not core.stream_ended and time.monotonic() < end:
            link.write()
            await asyncio.sleep(0.01)
        link.close()

    def close_now(self) -> None:
        self._core.ended(closed_here(), silent=True)
        self._link.close()

    def _check_open(self) -> None:
        if self._core.error is not None:
            raise again(self._core.error)
        if self._link.closed:
            raise closed_here()

    async def __aenter__(self) -> "Connection":
        return self

    async def __aexit__(self, kind: Any, error: Any, trace: Any) -> None:
        if kind is None:
            await self.close()
        else:
            self.close_now()


class Subscription:
    """The twin of ``arraywire.Subscription``."""

    def __init__(self, connection: Connection, made: Any, subject: str) -> None:
        self._connection = connection
        self._made = made
        self._last = 0
        self.subject = subject
        self.dropped = 0

    async def receive(self, timeout: Optional[float] = None) -> Any:
        return (await self.receive_message(timeout)).array

    async def receive_message(self, timeout: Optional[float] = None) -> Message:
        link, core, made = self._connection._link, self._connection._core, self._made
        if made.given_up and not made.ended:
            raise ConnectionClosedError(ErrorCode.CONNECTION_CLOSED, "the subscription was given up")
        core.ask(made.stream)
        try:
            in_time = await link.wait(lambda: made.stream.inbox or made.ended or made.given_up, timeout)
        finally:
            core.unask(made.stream)
        array = core.take(made.stream)
        if array is not None:
            core.processed(array)
            link.write()
            self.dropped += array.attributes.publication - self._last - 1
            self._last = array.attributes.publication
            return message_of(self._connection, array)
        if made.error is not None:
            raise again(made.error)
        if in_time:
            raise again(core.error or ConnectionClosedError(ErrorCode.CONNECTION_CLOSED, "the subscription was given up"))
        raise TimeoutError(None, "nothing was published in time", timeout=f"{timeout or 0:g} s")

    async def __aiter__(self) -> AsyncIterator[Any]:
        while True:
            try:
                array = await self.receive()
            except ConnectionClosedError:
                return
            yield array

    def close(self) -> None:
        """Gives it up; what waits is dropped."""
        self._connection._core.subscriptions.give_up(self._made)
        self._connection._link.write()
        self._connection._link.changed()

    async def __aenter__(self) -> "Subscription":
        return self

    async def __aexit__(self, kind: Any, error: Any, trace: Any) -> None:
        self.close()


def message_of(connection: Connection, array: Received, into: Optional[memoryview] = None) -> Message:
    return Message(connection, array, into)  # type: ignore[arg-type]
