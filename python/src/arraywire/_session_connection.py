"""A connection that goes on over another link when one breaks: what the program holds of a session."""

from __future__ import annotations

import random
import threading
import time
from typing import Any, Callable, Mapping, Optional, Tuple, TypeVar

from . import _calls, _elements
from ._attributes import NO_STRINGS, tag_of
from ._calls import CALL_SECONDS, CLOSE_SECONDS
from ._core import Core
from ._elements import CodecNames, TypeNames
from ._link import Link
from ._session import ATTEMPT_SECONDS, FINAL, Kept, Session, left_of
from ._transfer import deadline_of
from .connection import Connection
from .errors import ArraywireError, ConnectionLostError, ErrorCode, HandshakeError
from .message import Message, Request
from .subscription import Subscription

_Got = TypeVar("_Got")


class SessionConnection(Connection):
    """A Connection whose session sends (``session=True``) and receives go on when the network breaks. Requests,
    subscriptions and other sends belong to one link and fail with it."""

    def __init__(self, session: Session, first: Connection) -> None:
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
        link, before = connection._link, self._last
        with link.lock:
            self._last = connection
            attached = self._session.attach(connection._core)
            if not attached:
                self._last = before
            link.write()
            link.changed()
        return attached

    def _live(self, deadline: Optional[float], timeout: Optional[float]) -> Connection:
        """The link that there is, or the next one."""
        session = self._session
        while True:
            if session.error is not None:
                raise _calls.again(session.error)
            last = self._last
            if session.core is last._core:
                return last
            if not session.await_other(last._core, deadline):
                raise _calls.late(ErrorCode.SEND_TIMEOUT, "the connection broke and no other one came in time", timeout)

    # --- Sending ---

    def send(
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
        """As Connection.send. With ``session=True`` it returns when the peer's program has the array, once, over however many
        links that takes."""
        deadline = deadline_of(timeout)
        if not session:
            live = self._live(deadline, timeout)
            live.send(
                obj, tag=tag, shape=shape, type=type, metadata=metadata, channel=channel, processed=processed,
                timeout=left_of(deadline), codec=codec,
            )  # fmt: skip
            return
        elements = _elements.elements(obj, type, shape, codec)
        kept = Kept(channel, elements, tag_of(tag), _calls.attributes_of(elements, metadata))
        try:
            self._keep(kept)
            in_time = self._await(kept, deadline)
        except BaseException:
            self._give_up(kept)
            raise
        if not in_time:
            raise _calls.late_in_session(self._give_up(kept), timeout)
        if kept.error is not None:
            raise _calls.again(kept.error)

    def _keep(self, kept: Kept) -> None:
        session = self._session
        while True:
            last = self._last
            with last._link.lock:
                core = last._core
                if core.ending and session.error is None and session.core is core:
                    raise _calls.closed_here()
                core.channel(kept.channel)
                if session.keep(core if session.core is core else None, kept):
                    last._link.write()
                    return

    def _await(self, kept: Kept, deadline: Optional[float]) -> bool:
        session = self._session
        while not kept.over:
            last = self._last
            if session.core is last._core:
                with last._link.lock:
                    in_time = last._link.wait(lambda: kept.over or session.core is not last._core, deadline)
            else:
                in_time = session.await_other(last._core, deadline)
            if not in_time:
                return kept.over
        return True

    def _give_up(self, kept: Kept) -> bool:
        """The memory is the caller's again; whether nothing of the array arrives."""
        self._session.forget(kept)
        last = self._last
        with last._link.lock:
            outgoing, core = kept.outgoing, last._core
            if outgoing is None or outgoing.stream not in core.outbounds.values():
                return not kept.begun
            withdrawn = core.writer.give_back(outgoing)
            last._link.write()
            return withdrawn and not kept.begun

    # --- Receiving ---

    def _receiving(self, receive: Callable[[Connection, Optional[float]], _Got], what: str, timeout: Optional[float]) -> _Got:
        """From the link that there is, then from the next one."""
        deadline = deadline_of(timeout)
        session = self._session
        while True:
            last = self._last
            try:
                return receive(last, left_of(deadline))
            except ConnectionLostError:
                if not session.await_other(last._core, deadline):
                    raise _calls.late(None, what, timeout) from None
                if session.error is not None and self._last is last:
                    raise _calls.again(session.error) from None

    def receive_message(self, timeout: Optional[float] = None, *, channel: int = 0) -> Message:
        return self._receiving(
            lambda last, left: last.receive_message(left, channel=channel), "no array came in time", timeout
        )

    def receive_into(self, buffer: Any, timeout: Optional[float] = None, *, channel: int = 0) -> Message:
        return self._receiving(
            lambda last, left: last.receive_into(buffer, left, channel=channel), "no array came in time", timeout
        )

    def after(self, served: Connection) -> Optional[Connection]:
        """The link that came after this one, None if the session has ended."""
        self._session.await_other(served._core, None)
        return None if self._last is served else self._last

    def answer_repeated(self) -> None:
        """What a handler had in hand when it came again is acknowledged."""
        last = self._last
        with last._link.lock:
            self._session.answer_repeated(last._core)
            last._link.write()

    # --- Requests and subscriptions ---

    def call(
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
        live = self._live(deadline, timeout)
        return live.call(
            obj, left_of(deadline), tag=tag, type=type, metadata=metadata, channel=channel, codec=codec
        )

    def next_request(self, timeout: Optional[float] = None) -> Optional[Request]:
        return self._receiving(lambda last, left: last.next_request(left), "no request came in time", timeout)

    def subscribe(
        self, subject: str, policy: str = "block", *, queue_bytes: int = 1 << 20, timeout: Optional[float] = CALL_SECONDS
    ) -> Subscription:
        deadline = deadline_of(timeout)
        live = self._live(deadline, timeout)
        return live.subscribe(subject, policy, queue_bytes=queue_bytes, timeout=left_of(deadline))

    # --- The end ---

    @property
    def open(self) -> bool:
        return self._session.error is None and not self._core.ending

    def close(self, timeout: float = CLOSE_SECONDS) -> None:
        session, deadline = self._session, deadline_of(timeout)
        assert deadline is not None
        in_time = True
        while in_time and session.error is None and not (session.keeps_nothing and session.core is not None):
            last = self._last
            if session.core is last._core:
                with last._link.lock:
                    in_time = last._link.wait(lambda: session.keeps_nothing or session.core is not last._core, deadline)
            else:
                in_time = session.await_other(last._core, deadline)
        try:
            self._last.close(max(deadline - time.monotonic(), 0))
        finally:
            lost = not session.keeps_nothing
            session.end(_calls.closed_here())
        if lost or not in_time:
            raise _calls.not_closed(timeout)

    def close_now(self) -> None:
        self._session.end(_calls.closed_here())
        self._last.close_now()


class Reconnector:
    """Makes the next link of a session, in a thread of its own for as long as that takes."""

    def __init__(self, dial: Callable[[Session, float], Connection]) -> None:
        self._dial = dial
        self.connection: Optional[SessionConnection] = None

    def begin(self, session: Session) -> None:
        threading.Thread(target=self._run, args=(session,), name="arraywire-reconnect", daemon=True).start()

    def _run(self, session: Session) -> None:
        user = self.connection
        assert user is not None
        pause = 0.0 if session.useless <= 1 else random.uniform(0.005, 0.01) * 2 ** (session.useless - 1)
        while not session.expire():
            with session.lock:
                if session.error is not None:
                    return
                if pause:
                    session.changed.wait(pause)
            try:
                connection = self._dial(session, ATTEMPT_SECONDS)
            except HandshakeError as error:
                if error.code in FINAL:
                    session.end(ConnectionLostError(error.code, error.text))
                    return
            except ArraywireError:
                pass
            else:
                if session.error is not None:
                    connection.close_now()
                    return
                if user.carried_by(connection):
                    return
                connection.close_now()
            pause = min(2 * pause or random.uniform(0.005, 0.01), random.uniform(0.1, 0.2))
