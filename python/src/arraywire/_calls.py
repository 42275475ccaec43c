"""What a call checks before it waits, what it waits for, and what it returns or raises then.

Threads and coroutines wait in different ways; all else that Connection and its twin in aio do is here. Threads hold the
lock of the link meanwhile.
"""

from __future__ import annotations

from typing import Any, Callable, Dict, Mapping, Optional, Tuple

from . import _elements, _subscriptions
from ._attributes import NONE, Attributes, checked_strings
from ._core import Core
from ._elements import Elements
from ._streams import ACKNOWLEDGED, Inbound, Outgoing, Pending, Received, Target
from ._transfer import Transfer
from .errors import (
    ArraywireError, ConnectionClosedError, ConnectionLostError, DeliveryUnknownError, ErrorCode, HandshakeError,
    TargetMismatchError, TimeoutError,
)  # fmt: skip

CALL_SECONDS = 30.0
CLOSE_SECONDS = 10.0
POLICIES: Dict[str, int] = {
    "block": _subscriptions.BLOCK,
    "drop-oldest": _subscriptions.DROP_OLDEST,
    "drop-newest": _subscriptions.DROP_NEWEST,
    "disconnect": _subscriptions.DISCONNECT,
}


def again(error: BaseException) -> BaseException:
    """The same error for another caller: a traceback of its own."""
    if isinstance(error, ArraywireError):
        made = error.__class__(error.code, error.text)
        made.facts = error.facts
        return made
    return error


def closed_here() -> ConnectionClosedError:
    return ConnectionClosedError(ErrorCode.CONNECTION_CLOSED, "this side has closed the connection")


def late(code: Optional[ErrorCode], text: str, timeout: Optional[float]) -> TimeoutError:
    return TimeoutError(code, text, timeout=f"{timeout or 0:g} s")


# --- The connection ---


def is_open(link: Transfer) -> bool:
    return not link.closed and not link.core.over and not link.core.ending


def check_open(link: Transfer) -> None:
    if link.core.error is not None:
        raise again(link.core.error)
    if link.closed:
        raise closed_here()


def no_handshake(core: Core, in_time: bool, timeout: float) -> Optional[ArraywireError]:
    """Why a connection that waited for its handshake cannot be used, if it cannot."""
    if core.error is not None or in_time:
        return core.error
    return HandshakeError(
        ErrorCode.HANDSHAKE_TIMEOUT,
        "the peer did not answer in time; is it in plain mode, or another service?",
        timeout=f"{timeout:g} s",
    )


def not_closed(timeout: float) -> TimeoutError:
    return late(ErrorCode.CLOSE_TIMEOUT, "the peer did not take everything in time, or did not say goodbye", timeout)


def closed_late(timeout: float) -> TimeoutError:
    """What both sides are told of a connection that was closed, and that the peer did not let end in order."""
    return late(
        ErrorCode.CLOSE_TIMEOUT,
        "the connection was closed, and the time to close was over before both sides were done;"
        " what was not acknowledged may be lost",
        timeout,
    )


def shown(connection: Any) -> str:
    """A connection in a few words."""
    core = connection._core
    peer = f"{core.peer.library} {core.peer.library_version}".strip() if core.peer else "nobody yet"
    state = "open" if connection.open else "closed" if core.error is None else f"failed: {core.error}"
    return f"<Connection to {connection.peer_address} ({peer}), {state}>"


# --- Sending ---


def attributes_of(elements: Elements, metadata: Mapping[str, str]) -> Attributes:
    """Those of an array that is neither a request nor a reply."""
    if not elements.shape and not metadata and not elements.parts:
        return NONE
    return Attributes(shape=elements.shape, metadata=checked_strings(metadata), parts=elements.parts)


class Sending:
    """A send that waits until its array has left, or is processed."""

    __slots__ = ("_link", "_outgoing", "_processed", "_timeout")

    def __init__(self, link: Transfer, outgoing: Outgoing, processed: bool, timeout: Optional[float]) -> None:
        self._link = link
        self._outgoing = outgoing
        self._processed = processed
        self._timeout = timeout

    def over(self) -> bool:
        return self._outgoing.error is not None or self._succeeded()

    def _succeeded(self) -> bool:
        if self._processed:
            return self._outgoing.state == ACKNOWLEDGED
        written: bool = self._link.core.writer.has_written(self._outgoing)
        return written and self._link.flushed

    def withdraw(self) -> bool:
        """The memory is the caller's again; whether nothing of the array arrives."""
        withdrawn: bool = self._link.core.writer.give_back(self._outgoing)
        self._link.write()
        return withdrawn

    def check(self, in_time: bool) -> None:
        """Raises why the array was not sent, and gives the memory back."""
        outgoing, core = self._outgoing, self._link.core
        if outgoing.error is None and self._succeeded():
            return
        withdrawn = self.withdraw()
        if not in_time:
            raise late(
                ErrorCode.SEND_TIMEOUT,
                "the array could not leave in time: the peer takes nothing; it was withdrawn"
                if withdrawn
                else "the array was not acknowledged in time; the peer may or may not have it",
                self._timeout,
            )
        error = outgoing.error or core.error or closed_here()
        if self._processed and outgoing.end and isinstance(error, ConnectionLostError):
            raise DeliveryUnknownError(
                ErrorCode.DELIVERY_UNKNOWN,
                "the connection broke before the acknowledgement: the peer may or may not have the array",
                cause=error,
            ) from error
        raise again(error)


def late_in_session(withdrawn: bool, timeout: Optional[float]) -> TimeoutError:
    return late(
        ErrorCode.SEND_TIMEOUT,
        "the array could not leave in time; it was withdrawn"
        if withdrawn
        else "the array was not acknowledged in time; the peer may or may not have it",
        timeout,
    )


def no_session() -> ValueError:
    return ValueError("this connection has no session: pass session_timeout= to connect, and to listen at the peer")


# --- Receiving ---


def has_array(core: Core, stream: Inbound) -> Callable[[], Any]:
    """Whether there is an array, or none will come."""
    return lambda: stream.inbox or core.stream_ended or core.peer_goodbye and stream.arriving is None


def check_inbox(link: Transfer, stream: Inbound, timeout: Optional[float]) -> None:
    """Raises why there is no array."""
    if stream.inbox:
        return
    core = link.core
    if core.error is not None:
        raise again(core.error)
    if core.peer_goodbye or core.stream_ended:
        raise ConnectionClosedError(
            ErrorCode.CONNECTION_CLOSED, "the peer has said goodbye, and everything was taken"
        )
    if link.closed or core.ending:
        raise closed_here()
    raise late(None, "no array came in time", timeout)


def take(link: Transfer, stream: Inbound) -> Received:
    """The next array of a channel that has one."""
    array: Optional[Received] = link.core.take(stream)
    assert array is not None
    link.core.processed(array)
    link.write()
    return array


def target_of(buffer: Any) -> Target:
    return Target(*_elements.target(buffer))


def take_into(link: Transfer, stream: Inbound, target: Target) -> Tuple[Received, memoryview]:
    """The next array of a channel that has one, and the part of the caller's memory that it fills."""
    array = stream.inbox[0]
    if array.into is not target and not target.fits(array):
        raise TargetMismatchError(
            ErrorCode.TARGET_MISMATCH,
            "the array does not fit into the buffer",
            type=array.type.name,
            bytes=array.count * array.type.size,
            buffer=target.type.name,
            room=target.view.nbytes,
        )
    into = target.view[: array.came]
    if array.into is target:
        array.into = None
    else:
        assert array.view is not None
        into[:] = array.view[: array.came]
    return take(link, stream), into


# --- Requests ---


def answer_of(core: Core, pending: Pending, in_time: bool, timeout: Optional[float]) -> Received:
    """The reply to a request, or why there is none."""
    if pending.reply is not None:
        return pending.reply
    if pending.error is not None:
        raise again(pending.error)
    if not in_time:
        raise late(ErrorCode.REQUEST_TIMEOUT, "the request was not answered in time", timeout)
    raise again(core.error or closed_here())


def forget(link: Transfer, pending: Pending) -> None:
    """A call whose wait is over takes no answer any more."""
    if not pending.is_over():
        link.core.requests.forget(pending)
        link.write()


def has_request(core: Core) -> Callable[[], Any]:
    """Whether there is a request, or none will come."""
    inbox = core.requests.inbox
    return lambda: inbox or core.peer_goodbye or core.stream_ended


def take_request(core: Core, in_time: bool, timeout: Optional[float]) -> Optional[Received]:
    """The next request, None if no more will come."""
    if core.requests.inbox:
        return core.requests.take()
    if core.error is not None:
        raise again(core.error)
    if not in_time:
        raise late(None, "no request came in time", timeout)
    return None


# --- Subscriptions ---


def subscribed(link: Transfer, subject: str, policy: str, queue_bytes: int) -> _subscriptions.Subscription:
    """A subscription that was asked for."""
    if policy not in POLICIES:
        raise ValueError(f"there is no such policy (policy={policy}, policies={' '.join(POLICIES)})")
    check_open(link)
    made: _subscriptions.Subscription = link.core.subscriptions.make(subject, POLICIES[policy], queue_bytes)
    return made


def check_begun(link: Transfer, made: _subscriptions.Subscription, in_time: bool, timeout: Optional[float]) -> None:
    """Raises why the subscription has not begun."""
    if made.error is not None:
        raise again(made.error)
    if not in_time:
        link.core.subscriptions.give_up(made)
        link.write()
        raise late(ErrorCode.REQUEST_TIMEOUT, "the subscription did not begin in time", timeout)
    if not made.begun:
        raise again(link.core.error or closed_here())


class Publications:
    """A subscription of this side, without the wait."""

    def __init__(self, connection: Any, made: _subscriptions.Subscription, subject: str) -> None:
        self._connection = connection
        self._link: Any = connection._link
        self._made = made
        self._last = 0
        self.subject = subject
        #: How many arrays were published and dropped for this side, up to the last one received.
        self.dropped = 0

    def _check_kept(self) -> None:
        if self._made.given_up and not self._made.ended:
            raise _given_up()

    def _has_array(self) -> Any:
        """Whether there is an array, or none will come."""
        return self._made.stream.inbox or self._made.ended or self._made.given_up

    def _take(self, in_time: bool, timeout: Optional[float]) -> Received:
        """The next array, or why there is none."""
        made = self._made
        if made.stream.inbox:
            array = take(self._link, made.stream)
            self.dropped += array.attributes.publication - self._last - 1
            self._last = array.attributes.publication
            return array
        if made.error is not None:
            raise again(made.error)
        if in_time:
            raise again(self._link.core.error or _given_up())
        raise late(None, "nothing was published in time", timeout)

    def _give_up(self) -> None:
        self._link.core.subscriptions.give_up(self._made)
        self._link.write()
        self._link.changed()


def _given_up() -> ConnectionClosedError:
    return ConnectionClosedError(ErrorCode.CONNECTION_CLOSED, "the subscription was given up")
