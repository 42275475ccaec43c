"""Sessions in an event loop: the twins of SessionConnection and Reconnector, on the same Session."""

from __future__ import annotations

import asyncio
import random
import time
from typing import Any, Awaitable, Callable, Mapping, Optional, Set, Tuple, TypeVar

from .. import _calls, _elements
from .._attributes import NO_STRINGS, tag_of
from .._calls import CALL_SECONDS, CLOSE_SECONDS
from .._core import Core
from .._elements import CodecNames, TypeNames
from .._session import ATTEMPT_SECONDS, FINAL, Kept, Session, left_of
from .._transfer import deadline_of
from ..errors import ArraywireError, ConnectionLostError, ErrorCode, HandshakeError
from ..message import Message
from ._link import Link, wake
from .connection import Connection, Request, Subscription

_Got = TypeVar("_Got")


class Bell:
    """Wakes the coroutines that wait for a session to change, as a Condition wakes threads."""

    def __init__(self) -> None:
        self._futures: "Set[asyncio.Future[None]]" = set()

    def notify_all(self) -> None:
        for each in self._futures:
            wake(each)

    async def wait(self, seconds: float) -> None:
        loop = asyncio.get_running_loop()
        future: "asyncio.Future[None]" = loop.create_future()
        self._futures.add(future)
        timer = loop.call_later(seconds, wake, future)
        try:
            await future
        finally:
            timer.cancel()
            self._futures.discard(future)


class AsyncSession(Session):
    """One whose ends wait in an event loop."""

    def __init__(self, seconds: float, reconnects: Optional[Callable[[Session], None]] = None) -> None:
        super().__init__(seconds, reconnects)
        self.changed: Bell = Bell()

    async def other(self, core: Optional[Core], deadline: Optional[float]) -> bool:
        """Until another connection carries it, or it has ended; False if the deadline passes before."""
        while True:
            seconds = self.until_other(core, deadline)
            if seconds is None:
                return True
            if seconds <= 0:
                return False
            await self.changed.wait(seconds)


class SessionConnection(Connection):
    """The twin of the connection that ``arraywire.connect(..., session_timeout=...)`` returns."""

    def __init__(self, session: AsyncSession, first: Connection) -> None:
        self._session = session
        self._last = first
        self._owner = None
        self.known = False  # whether the program has it
        self.peer_address = first.peer_address

    @property
    def _link(self) -> Link:  # type: ignore[override]
        return self._last._link

    @property
    def _core(self) -> Core:  # type: ignore[override]
        return self._last._core

    def carried_by(self, connection: Connection) -> bool:
        """Another link is there; False if it has broken already."""
        connection._owner = self
        before, self._last = self._last, connection
        attached = self._session.attach(connection._core)
        if not attached:
            self._last = before
        connection._link.write()
        connection._link.changed()
        return attached

    async def _live(self, deadline: Optional[float], timeout: Optional[float]) -> Connection:
        """The link that there is, or the next one."""
        session = self._session
        while True:
            if session.error is not None:
                raise _calls.again(session.error)
            last = self._last
            if session.core is last._core:
                return last
            if not await session.other(last._core, deadline):
                raise _calls.late(ErrorCode.SEND_TIMEOUT, "the connection broke and no other one came in time", timeout)

    # --- Sending ---

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
        deadline = deadline_of(timeout)
        if not session:
            live = await self._live(deadline, timeout)
            await live.send(
                obj, tag=tag, shape=shape, type=type, metadata=metadata, channel=channel, processed=processed,
                timeout=left_of(deadline), codec=codec,
            )  # fmt: skip
            return
        elements = _elements.elements(obj, type, shape, codec)
        kept = Kept(channel, elements, tag_of(tag), _calls.attributes_of(elements, metadata))
        try:
            self._keep(kept)
            in_time = await self._await(kept, deadline)
        except BaseException:
            self._give_up(kept)
            raise
        if not in_time:
            raise _calls.late_in_session(self._give_up(kept), timeout)
        if kept.error is not None:
            raise _calls.again(kept.error)

    def _keep(self, kept: Kept) -> None:
        session, core = self._session, self._core
        if core.ending and session.error is None and session.core is core:
            raise _calls.closed_here()
        core.channel(kept.channel)
        session.keep(core if session.core is core else None, kept)
        self._link.write()

    async def _await(self, kept: Kept, deadline: Optional[float]) -> bool:
        session = self._session
        while not kept.over:
            last = self._last
            if session.core is last._core:
                in_time = await last._link.wait(
                    lambda: kept.over or session.core is not last._core, left_of(deadline)
                )
            else:
                in_time = await session.other(last._core, deadline)
            if not in_time:
                return kept.over
        return True

    def _give_up(self, kept: Kept) -> bool:
        """The memory is the caller's again; whether nothing of the array arrives."""
        self._session.forget(kept)
        outgoing, core = kept.outgoing, self._core
        if outgoing is None or outgoing.stream not in core.outbounds.values():
            return not kept.begun
        withdrawn = core.writer.give_back(outgoing)
        self._link.write()
        return withdrawn and not kept.begun

    # --- Receiving ---

    async def _receiving(
        self, receive: Callable[[Connection, Optional[float]], Awaitable[_Got]], what: str, timeout: Optional[float]
    ) -> _Got:
        """From the link that there is, then from the next one."""
        deadline = deadline_of(timeout)
        session = self._session
        while True:
            last = self._last
            try:
                return await receive(last, left_of(deadline))
            except ConnectionLostError:
                if not await session.other(last._core, deadline):
                    raise _calls.late(None, what, timeout) from None
                if session.error is not None and self._last is last:
                    raise _calls.again(session.error) from None

    async def receive_message(self, timeout: Optional[float] = None, *, channel: int = 0) -> Message:
        return await self._receiving(
            lambda last, left: last.receive_message(left, channel=channel), "no array came in time", timeout
        )

    async def receive_into(self, buffer: Any, timeout: Optional[float] = None, *, channel: int = 0) -> Message:
        return await self._receiving(
            lambda last, left: last.receive_into(buffer, left, channel=channel), "no array came in time", timeout
        )

    async def after(self, served: Connection) -> Optional[Connection]:
        """The link that came after this one, None if the session has ended."""
        await self._session.other(served._core, None)
        return None if self._last is served else self._last

    def answer_repeated(self) -> None:
        """What a handler had in hand when it came again is acknowledged."""
        self._session.answer_repeated(self._core)
        self._link.write()

    # --- Requests and subscriptions ---

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
        deadline = deadline_of(timeout)
        live = await self._live(deadline, timeout)
        return await live.call(
            obj, left_of(deadline), tag=tag, type=type, metadata=metadata, channel=channel, codec=codec
        )

    async def next_request(self, timeout: Optional[float] = None) -> Optional[Request]:
        return await self._receiving(lambda last, left: last.next_request(left), "no request came in time", timeout)

    async def subscribe(
        self, subject: str, policy: str = "block", *, queue_bytes: int = 1 << 20, timeout: Optional[float] = CALL_SECONDS
    ) -> Subscription:
        deadline = deadline_of(timeout)
        live = await self._live(deadline, timeout)
        return await live.subscribe(subject, policy, queue_bytes=queue_bytes, timeout=left_of(deadline))

    # --- The end ---

    @property
    def open(self) -> bool:
        return self._session.error is None and not self._core.ending

    async def close(self, timeout: float = CLOSE_SECONDS) -> None:
        session, deadline = self._session, time.monotonic() + timeout
        in_time = True
        while in_time and session.error is None and not (session.keeps_nothing and session.core is not None):
            last = self._last
            if session.core is last._core:
                in_time = await last._link.wait(
                    lambda: session.keeps_nothing or session.core is not last._core, left_of(deadline)
                )
            else:
                in_time = await session.other(last._core, deadline)
        try:
            await self._last.close(max(deadline - time.monotonic(), 0))
        finally:
            lost = not session.keeps_nothing
            session.end(_calls.closed_here())
        if lost or not in_time:
            raise _calls.not_closed(timeout)

    def close_now(self) -> None:
        self._session.end(_calls.closed_here())
        self._last.close_now()


class Reconnector:
    """Makes the next link of a session, in a task of its own for as long as that takes."""

    def __init__(self, dial: Callable[[AsyncSession, float], Awaitable[Connection]]) -> None:
        self._dial = dial
        self._task: "Optional[asyncio.Task[None]]" = None
        self.connection: Optional[SessionConnection] = None

    def begin(self, session: Session) -> None:
        assert isinstance(session, AsyncSession)
        self._task = asyncio.get_running_loop().create_task(self._run(session))

    async def _run(self, session: AsyncSession) -> None:
        user = self.connection
        assert user is not None
        pause = 0.0 if session.useless <= 1 else random.uniform(0.005, 0.01) * 2 ** (session.useless - 1)
        while not session.expire():
            if pause:
                await session.changed.wait(pause)
                if session.error is not None:
                    return
            try:
                connection = await self._dial(session, ATTEMPT_SECONDS)
            except HandshakeError as error:
                if error.code in FINAL:
                    session.end(ConnectionLostError(error.code, error.text))
                    return
            except ArraywireError:
                pass
            else:
                if session.error is None and user.carried_by(connection):
                    return
                connection.close_now()
                if session.error is not None:
                    return
            pause = min(2 * pause or random.uniform(0.005, 0.01), random.uniform(0.1, 0.2))
