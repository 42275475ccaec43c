"""A connection in framed mode, for threads that wait."""

from __future__ import annotations

import time
from typing import Any, Iterator, Optional, Tuple

from . import _elements
from ._address import shown
from ._attributes import NONE, Attributes
from ._core import Core
from ._link import Link
from ._streams import ACKNOWLEDGED, Inbound, Outgoing, Pending, Received, Target
from ._transfer import LINGER_SECONDS
from .errors import (
    ArraywireError, ConnectionClosedError, ConnectionLostError, DeliveryUnknownError, ErrorCode, TargetMismatchError,
    TimeoutError,
)  # fmt: skip
from .message import Message, Request, closed
from .subscription import POLICIES, Subscription

CALL_SECONDS = 30.0
CLOSE_SECONDS = 10.0


def deadline_of(timeout: Optional[float]) -> Optional[float]:
    return None if timeout is None else time.monotonic() + timeout


class Connection:
    """Sends and receives arrays. Every method may be called from any thread; those that wait take a timeout in seconds,
    and None waits for as long as the connection lasts. Leaving a ``with`` block closes it: in order, or at once if an
    exception leaves the block."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._core: Core = link.core
        self.peer_address = _peer_name(link)

    # --- Sending ---

    def send(
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
        """Sends an array: anything with the buffer protocol, or that NumPy makes an array of. C-contiguous memory in the
        byte order of this host is not copied.

        Returns when the memory is the caller's again: the system has all of it. With ``processed=True`` it returns when
        the peer's program has the array, and raises RejectedError if it refuses it. After ``timeout`` seconds the array
        is withdrawn, and TimeoutError raised. ``type`` names the element type on the wire where the object does not
        tell it: 'bf16' for the bits of bfloat16, 'char', 'boolean'.
        """
        elements = _elements.elements(obj, type, shape)
        plain = not elements.shape and not metadata
        attributes = NONE if plain else Attributes(shape=elements.shape, metadata=metadata_of(metadata))
        with self._link.lock:
            core = self._core
            self._check_open()
            outgoing = core.queue(core.outbound(core.channel(channel)), elements, tag_of(tag), attributes)
            self._finish_send(outgoing, processed, timeout)

    def _finish_send(self, outgoing: Outgoing, processed: bool, timeout: Optional[float]) -> None:
        writer = self._core.writer

        def done() -> bool:
            if outgoing.error is not None:
                return True
            return outgoing.state == ACKNOWLEDGED if processed else writer.has_written(outgoing)

        try:
            in_time = self._link.wait(done, deadline_of(timeout))
        except BaseException:
            self._withdraw(outgoing)
            raise
        if done() and outgoing.error is None:
            return
        if not in_time:
            left = not self._withdraw(outgoing)
            raise TimeoutError(
                ErrorCode.SEND_TIMEOUT,
                "the array was not acknowledged in time; the peer may or may not have it"
                if left
                else "the array could not leave in time: the peer takes nothing; it was withdrawn",
                timeout=f"{timeout:g} s",
            )
        self._withdraw(outgoing)
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

    # --- Receiving ---

    def receive(self, timeout: Optional[float] = None, *, channel: int = 0) -> Any:
        """The next array of a channel: a NumPy array where NumPy is installed, else a memoryview. Raises
        ConnectionClosedError when the peer has said goodbye and everything was taken."""
        return self.receive_message(timeout, channel=channel).array

    def receive_message(self, timeout: Optional[float] = None, *, channel: int = 0) -> Message:
        """The same, with tag and metadata."""
        with self._link.lock:
            stream = self._core.inbound(self._core.channel(channel))
            return Message(self, self._take(stream, timeout))

    def poll(self, *, channel: int = 0) -> Optional[Message]:
        """What is there already, or None."""
        try:
            return self.receive_message(0, channel=channel)
        except TimeoutError:
            return None

    def receive_into(self, buffer: Any, timeout: Optional[float] = None, *, channel: int = 0) -> Message:
        """Puts the next array into memory of the caller: a writable, C-contiguous buffer of the array's element type
        with room for it. The array may be smaller; ``shape`` of what is returned tells. An array that does not fit
        raises TargetMismatchError and waits for the next receive. After a timeout the memory is the caller's again.
        """
        view, type, bits = _elements.target(buffer)
        target = Target(view, type, bits)
        with self._link.lock:
            core = self._core
            stream = core.inbound(core.channel(channel))
            stream.targets.append(target)
            try:
                self._await_inbox(stream, timeout, deadline_of(timeout))
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
                if array.into is target:
                    array.into = None
                    into = view[: array.came]
                else:
                    into = view[: array.came]
                    assert array.view is not None
                    into[:] = array.view[: array.came]
                core.take(stream)
                core.processed(array)
                self._link.write()
                return Message(self, array, into)
            finally:
                core.redirect(stream, target)

    def _await_inbox(self, stream: Inbound, timeout: Optional[float], deadline: Optional[float]) -> None:
        """Until there is an array, whose place another receive may take meanwhile."""
        core = self._core
        core.ask(stream)
        try:
            in_time = self._link.wait(
                lambda: stream.inbox or core.stream_ended or core.peer_goodbye and stream.arriving is None,
                deadline,
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
        assert not in_time
        raise TimeoutError(None, "no array came in time", timeout=f"{timeout or 0:g} s")

    def _take(self, stream: Inbound, timeout: Optional[float]) -> Received:
        deadline = deadline_of(timeout)
        while True:
            self._await_inbox(stream, timeout, deadline)
            array = self._core.take(stream)
            if array is not None:
                self._core.processed(array)
                self._link.write()
                return array

    def __iter__(self) -> Iterator[Any]:
        """Arrays of channel 0 until the peer says goodbye."""
        for message in self.messages():
            yield message.array

    def messages(self, *, channel: int = 0) -> Iterator[Message]:
        """Arrays of a channel with what came with them, until the peer says goodbye."""
        while True:
            try:
                message = self.receive_message(channel=channel)
            except ConnectionClosedError:
                return
            yield message

    # --- Requests ---

    def call(
        self,
        obj: Any,
        timeout: Optional[float] = CALL_SECONDS,
        *,
        tag: int = 0,
        type: Optional[str] = None,
        metadata: bytes = b"",
        channel: int = 0,
    ) -> Message:
        """Asks, and returns the answer. Raises RequestFailedError with the peer's words if it has none."""
        elements = _elements.elements(obj, type)
        with self._link.lock:
            core = self._core
            self._check_open()
            pending = core.requests.make(elements, tag_of(tag), metadata_of(metadata), core.channel(channel))
            try:
                in_time = self._link.wait(lambda: pending.over, deadline_of(timeout), lazily=True)
            finally:
                self._forget(pending)
            if pending.reply is not None:
                return Message(self, pending.reply)
            if pending.error is not None:
                raise again(pending.error)
            if not in_time:
                raise TimeoutError(
                    ErrorCode.REQUEST_TIMEOUT, "the request was not answered in time", timeout=f"{timeout:g} s"
                )
            raise again(core.error or closed_here())

    def _forget(self, pending: Pending) -> None:
        if not pending.over:
            self._core.requests.forget(pending)
            self._link.write()

    def requests(self, timeout: Optional[float] = None) -> Iterator[Request]:
        """Requests of the peer, until it says goodbye. They may be answered in any order, from any thread."""
        while True:
            request = self.next_request(timeout)
            if request is None:
                return
            yield request

    def next_request(self, timeout: Optional[float] = None) -> Optional[Request]:
        """The next request of the peer, None when it has said goodbye."""
        core = self._core
        with self._link.lock:
            core.requests.answering = True
            inbox = core.requests.inbox
            in_time = self._link.wait(lambda: inbox or core.peer_goodbye or core.stream_ended, deadline_of(timeout))
            if inbox:
                array = inbox.popleft()
                core.release(array)
                core.processed(array)
                return Request(self, array)
            if core.error is not None:
                raise again(core.error)
            if in_time:
                return None
            raise TimeoutError(None, "no request came in time", timeout=f"{timeout or 0:g} s")

    def _reply(self, array: Received, obj: Any, tag: int, type: Optional[str], metadata: bytes) -> bool:
        elements = _elements.elements(obj, type)
        with self._link.lock:
            outgoing = self._core.requests.reply(array, elements, tag_of(tag), metadata_of(metadata))
            if outgoing is None:
                return False
            self._finish_send(outgoing, False, CALL_SECONDS)
            return True

    def _fail(self, array: Received, text: str) -> bool:
        with self._link.lock:
            outgoing = self._core.requests.fail(array, text)
            self._link.write()
            return outgoing is not None

    # --- Subscriptions ---

    def subscribe(
        self, subject: str, policy: str = "block", *, queue_bytes: int = 1 << 20, timeout: Optional[float] = CALL_SECONDS
    ) -> Subscription:
        """Asks for the arrays of a subject that the peer publishes from now on. ``policy`` says what the publisher does
        when more than ``queue_bytes`` wait for this side: 'block', 'drop-oldest', 'drop-newest' or 'disconnect'."""
        if policy not in POLICIES:
            raise ValueError(f"there is no such policy (policy={policy}, policies={' '.join(POLICIES)})")
        with self._link.lock:
            self._check_open()
            made = self._core.subscriptions.make(subject, POLICIES[policy], queue_bytes)
            subscription = Subscription(self, made, subject)
            in_time = self._link.wait(lambda: made.begun or made.ended, deadline_of(timeout))
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
            return subscription

    # --- The end ---

    @property
    def open(self) -> bool:
        """Whether arrays may still be sent."""
        return not self._link.closed and not self._core.over and not self._core.ending

    def close(self, timeout: float = CLOSE_SECONDS) -> None:
        """Sends what is queued, waits until the peer has taken everything and says goodbye, and closes. Arrays that came
        and that nobody has taken are refused. After the timeout it closes anyhow, and raises TimeoutError."""
        with self._link.lock:
            link, core = self._link, self._core
            if link.closed:
                return
            if core.error is not None:
                self._linger()
                return
            core.begin_end()
            in_time = link.wait(lambda: core.stream_ended, deadline_of(timeout))
            link.write()
            if not in_time:
                link.close()
                raise TimeoutError(
                    ErrorCode.CLOSE_TIMEOUT,
                    "the peer did not take everything in time, or did not say goodbye",
                    timeout=f"{timeout:g} s",
                )
            if core.error is not None:
                self._linger()
            else:
                link.close()

    def _linger(self) -> None:
        """Lets the peer read why: what was not read here would make the system drop it there."""
        link, core = self._link, self._core
        end = time.monotonic() + LINGER_SECONDS
        while not link.closed and not core.stream_ended and time.monotonic() < end:
            link.write()
            if not link.read():
                link._sleep(max(end - time.monotonic(), 0))
        link.close()

    def close_now(self) -> None:
        """Closes at once; the peer sees a broken connection."""
        with self._link.lock:
            self._core.ended(closed_here(), silent=True)
            self._link.close()

    def _check_open(self) -> None:
        if self._core.error is not None:
            raise again(self._core.error)
        if self._link.closed:
            raise closed_here()

    def __enter__(self) -> "Connection":
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if kind is None:
            self.close()
        else:
            self.close_now()

    def __repr__(self) -> str:
        core = self._core
        peer = f"{core.peer.library} {core.peer.library_version}".strip() if core.peer else "nobody yet"
        state = "open" if self.open else "closed" if core.error is None else f"failed: {core.error}"
        return f"<Connection to {self.peer_address} ({peer}), {state}>"


def _peer_name(link: Link) -> str:
    try:
        return shown(link.sock.getpeername() or link.sock.getsockname())
    except OSError:
        return "unknown"


def closed_here() -> ConnectionClosedError:
    return ConnectionClosedError(ErrorCode.CONNECTION_CLOSED, "this side has closed the connection")


def again(error: BaseException) -> BaseException:
    """The same error for another caller: a traceback of its own."""
    if isinstance(error, ArraywireError):
        made = error.__class__(error.code, error.text)
        made.facts = error.facts
        return made
    return error


def tag_of(tag: int) -> int:
    if not 0 <= tag < 1 << 64:
        raise ValueError(f"a tag is 0 to 2^64 - 1 (tag={tag})")
    return tag


def metadata_of(metadata: bytes) -> bytes:
    if len(metadata) > 768:
        raise ValueError(f"metadata is too long (bytes={len(metadata)}, limit=768)")
    return bytes(metadata)
