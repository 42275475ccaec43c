"""A connection in framed mode, for coroutines."""

from __future__ import annotations

import asyncio
import time
from typing import Any, AsyncIterator, Mapping, Optional, Tuple

from .. import _calls, _elements, _targets
from .._address import peer_name
from .._attributes import NO_STRINGS, checked_strings, tag_of
from .._calls import CALL_SECONDS, CLOSE_SECONDS
from .._core import Core
from .._elements import CodecNames, TypeNames
from .._streams import Inbound, Outgoing, Received
from .._transfer import LINGER_SECONDS
from ..errors import ConnectionClosedError, TimeoutError
from ..message import Message
from ..tls import TlsInfo
from ._link import Link


class Request(Message):
    """An array that the peer wants an answer to."""

    __slots__ = ()

    async def reply(
        self,
        obj: Any,
        *,
        tag: int = 0,
        type: TypeNames = None,
        metadata: Mapping[str, str] = NO_STRINGS,
        codec: CodecNames = None,
    ) -> bool:
        """Sends the answer. False if the peer no longer waits for it."""
        connection: Any = self._by
        outgoing = connection._core.requests.reply(
            self._received, _elements.elements(obj, type, None, codec), tag_of(tag), checked_strings(metadata)
        )
        if outgoing is None:
            return False
        await connection._finish_send(outgoing, False, CALL_SECONDS)
        return True

    async def fail(self, text: str) -> bool:
        """Says why there is no answer."""
        connection: Any = self._by
        outgoing = connection._core.requests.fail(self._received, text)
        connection._link.write()
        return outgoing is not None


class Connection:
    """The twin of ``arraywire.Connection``."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._core: Core = link.core
        self._owner: "Optional[Connection]" = None  # of a session: what the program holds
        self.peer_address = peer_name(link.sock)

    async def send(
        self,
        obj: Any,
        *,
        tag: int = 0,
        shape: Optional[Tuple[int, ...]] = None,
        type: TypeNames = None,
        metadata: Mapping[str, str] = NO_STRINGS,
        channel: int = 0,
        processed: bool = False,
        session: bool = False,
        timeout: Optional[float] = None,
        codec: CodecNames = None,
    ) -> None:
        if session:
            raise _calls.no_session()
        elements = _elements.elements(obj, type, shape, codec)
        attributes = _calls.attributes_of(elements, metadata)
        core = self._core
        _calls.check_open(self._link)
        outgoing = core.send(core.outbound(core.channel(channel)), elements, tag_of(tag), attributes.encoded())
        await self._finish_send(outgoing, processed, timeout)

    async def _finish_send(self, outgoing: Outgoing, processed: bool, timeout: Optional[float]) -> None:
        sending = _calls.Sending(self._link, outgoing, processed, timeout)
        try:
            in_time = await self._link.wait(sending.over, timeout)
        except BaseException:
            sending.withdraw()
            raise
        sending.check(in_time)

    async def receive(self, timeout: Optional[float] = None, *, channel: int = 0) -> Any:
        return (await self.receive_message(timeout, channel=channel)).array

    async def receive_message(self, timeout: Optional[float] = None, *, channel: int = 0) -> Message:
        stream = self._core.inbound(self._core.channel(channel))
        await self._await_inbox(stream, timeout)
        return message_of(self, _calls.take(self._link, stream))

    async def poll(self, *, channel: int = 0) -> Optional[Message]:
        try:
            return await self.receive_message(0, channel=channel)
        except TimeoutError:
            return None

    async def receive_into(self, buffer: Any, timeout: Optional[float] = None, *, channel: int = 0) -> Message:
        target = _calls.target_of(buffer)
        core = self._core
        stream = core.inbound(core.channel(channel))
        _targets.aim(stream, target)
        try:
            await self._await_inbox(stream, timeout)
            return message_of(self, *_calls.take_into(self._link, stream, target))
        finally:
            _targets.redirect(stream, target)

    async def _await_inbox(self, stream: Inbound, timeout: Optional[float]) -> None:
        core = self._core
        core.ask(stream)
        try:
            await self._link.wait(_calls.has_array(core, stream), timeout)
        finally:
            core.unask(stream)
        _calls.check_inbox(self._link, stream, timeout)

    async def __aiter__(self) -> AsyncIterator[Any]:
        async for message in self.messages():
            yield message.array

    async def messages(self, *, channel: int = 0) -> AsyncIterator[Message]:
        while True:
            try:
                message = await self.receive_message(channel=channel)
            except ConnectionClosedError:
                return
            yield message

    async def call(
        self,
        obj: Any,
        timeout: Optional[float] = CALL_SECONDS,
        *,
        tag: int = 0,
        type: TypeNames = None,
        metadata: Mapping[str, str] = NO_STRINGS,
        channel: int = 0,
        codec: CodecNames = None,
    ) -> Message:
        core = self._core
        _calls.check_open(self._link)
        pending = core.requests.make(
            _elements.elements(obj, type, None, codec), tag_of(tag), checked_strings(metadata), channel
        )
        try:
            in_time = await self._link.wait(pending.is_over, timeout)
        finally:
            _calls.forget(self._link, pending)
        return message_of(self, _calls.answer_of(core, pending, in_time, timeout))

    async def requests(self, timeout: Optional[float] = None) -> "AsyncIterator[Request]":
        while True:
            request = await self.next_request(timeout)
            if request is None:
                return
            yield request

    async def next_request(self, timeout: Optional[float] = None) -> Optional[Request]:
        core = self._core
        core.requests.answering = True
        in_time = await self._link.wait(_calls.has_request(core), timeout)
        array = _calls.take_request(core, in_time, timeout)
        return None if array is None else Request(self, array)  # type: ignore[arg-type]

    async def subscribe(
        self, subject: str, policy: str = "block", *, queue_bytes: int = 1 << 20, timeout: Optional[float] = CALL_SECONDS
    ) -> "Subscription":
        made = _calls.subscribed(self._link, subject, policy, queue_bytes)
        in_time = await self._link.wait(lambda: made.begun or made.ended, timeout)
        _calls.check_begun(self._link, made, in_time, timeout)
        return Subscription(self, made, subject)

    @property
    def tls(self) -> Optional[TlsInfo]:
        return self._link.tls_info()

    @property
    def open(self) -> bool:
        return _calls.is_open(self._link)

    async def close(self, timeout: float = CLOSE_SECONDS) -> None:
        link, core = self._link, self._core
        if link.closed:
            return
        if core.error is None:
            core.begin_end()
            in_time = await link.wait(lambda: core.stream_ended, timeout)
            if not in_time:
                core.ended(_calls.closed_late(timeout))
                await self._linger()
                raise _calls.not_closed(timeout)
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
        self._core.ended(_calls.closed_here(), silent=True)
        self._link.close()

    def __repr__(self) -> str:
        return _calls.shown(self)

    async def __aenter__(self) -> "Connection":
        return self

    async def __aexit__(self, kind: Any, error: Any, trace: Any) -> None:
        if kind is None:
            await self.close()
        else:
            self.close_now()


class Subscription(_calls.Publications):
    """The twin of ``arraywire.Subscription``."""

    async def receive(self, timeout: Optional[float] = None) -> Any:
        return (await self.receive_message(timeout)).array

    async def receive_message(self, timeout: Optional[float] = None) -> Message:
        link, stream = self._link, self._made.stream
        self._check_kept()
        link.core.ask(stream)
        try:
            in_time = await link.wait(self._has_array, timeout)
        finally:
            link.core.unask(stream)
        return message_of(self._connection, self._take(in_time, timeout))

    async def __aiter__(self) -> AsyncIterator[Any]:
        while True:
            try:
                array = await self.receive()
            except ConnectionClosedError:
                return
            yield array

    def close(self) -> None:
        """Gives it up; what waits is dropped."""
        self._give_up()

    async def __aenter__(self) -> "Subscription":
        return self

    async def __aexit__(self, kind: Any, error: Any, trace: Any) -> None:
        self.close()


def message_of(connection: Connection, array: Received, into: Optional[memoryview] = None) -> Message:
    return Message(connection, array, into)  # type: ignore[arg-type]
