"""A connection in framed mode, for threads that wait."""

from __future__ import annotations

import time
from typing import Any, Iterator, Mapping, Optional, Tuple

from . import _calls, _elements, _targets
from ._address import peer_name
from ._attributes import NO_STRINGS, checked_strings, tag_of
from ._calls import CALL_SECONDS, CLOSE_SECONDS
from ._core import Core
from ._elements import CodecNames, TypeNames
from ._link import Link
from ._streams import Inbound, Outgoing, Received
from ._transfer import LINGER_SECONDS, deadline_of
from .errors import ConnectionClosedError, ErrorCode, TimeoutError
from .message import Message, Request
from .subscription import Subscription
from .tls import TlsInfo


class Connection:
    """Sends and receives arrays. Every method may be called from any thread; those that wait take a timeout in seconds,
    and None waits for as long as the connection lasts. Leaving a ``with`` block closes it: in order, or at once if an
    exception leaves the block."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._core: Core = link.core
        self._owner: Optional[Connection] = None  # of a session: what the program holds
        self.peer_address = peer_name(link.sock)

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
        """Sends an array: anything with the buffer protocol, or that NumPy makes an array of. C-contiguous memory in the
        byte order of this host is not copied.

        Returns when the memory is the caller's again: the system has all of it. With ``processed=True`` it returns when
        the peer's program has the array, and raises RejectedError if it refuses it. After ``timeout`` seconds the array
        is withdrawn, and TimeoutError raised. ``type`` names the element type on the wire where the object does not
        tell: 'bf16' for the bits of bfloat16, 'char', 'boolean'. With ``session=True``, where both sides keep sessions, it
        is as with ``processed=True``, over another connection if this one breaks meanwhile.

        ``codec`` names how the elements travel: 'shuffle-zstd' compresses them; 'bf16' and 'fp16' send floats as two bytes each,
        which loses bits; 'raw-be' is big-endian. Of parts it is for all whose types it has, or a dict of names by part.
        The peer must read it, else UnsupportedArrayError is raised before anything is sent.
        """
        if session:
            raise _calls.no_session()
        elements = _elements.elements(obj, type, shape, codec)
        attributes = _calls.attributes_of(elements, metadata)
        with self._link.lock:
            core = self._core
            _calls.check_open(self._link)
            outgoing = core.send(
                core.outbound(core.channel(channel)), elements, tag_of(tag), attributes.encoded(), self._link.write_now
            )
            self._finish_send(outgoing, processed, timeout)

    def _finish_send(self, outgoing: Outgoing, processed: bool, timeout: Optional[float]) -> None:
        if not processed:
            self._link.write_now()
            if outgoing.error is None and self._core.writer.has_written(outgoing) and self._link.flushed:
                return
        sending = _calls.Sending(self._link, outgoing, processed, timeout)
        try:
            in_time = self._link.wait(sending.over, deadline_of(timeout))
        except BaseException:
            sending.withdraw()
            raise
        sending.check(in_time)

    # --- Receiving ---

    def receive(self, timeout: Optional[float] = None, *, channel: int = 0) -> Any:
        """The next array of a channel: a NumPy array where NumPy is installed, else a memoryview. Raises
        ConnectionClosedError when the peer has said goodbye and everything was taken."""
        return self.receive_message(timeout, channel=channel).array

    def receive_message(self, timeout: Optional[float] = None, *, channel: int = 0) -> Message:
        """The same, with tag and metadata."""
        with self._link.lock:
            stream = self._core.inbound(self._core.channel(channel))
            self._await_inbox(stream, timeout)
            return Message(self, _calls.take(self._link, stream))

    def poll(self, *, channel: int = 0) -> Optional[Message]:
        """The next array if it has come already, else None."""
        try:
            return self.receive_message(0, channel=channel)
        except TimeoutError:
            return None

    def receive_into(self, buffer: Any, timeout: Optional[float] = None, *, channel: int = 0) -> Message:
        """Puts the next array into memory of the caller: a writable, C-contiguous buffer of the array's element type
        with room for it. The array may be smaller; ``shape`` of what is returned tells. An array that does not fit
        raises TargetMismatchError and waits for the next receive. After a timeout the memory is the caller's again.
        """
        target = _calls.target_of(buffer)
        with self._link.lock:
            core = self._core
            stream = core.inbound(core.channel(channel))
            _targets.aim(stream, target)
            try:
                self._await_inbox(stream, timeout)
                return Message(self, *_calls.take_into(self._link, stream, target))
            finally:
                _targets.redirect(stream, target)

    def _await_inbox(self, stream: Inbound, timeout: Optional[float]) -> None:
        core = self._core
        core.ask(stream)
        try:
            self._link.wait(_calls.has_array(core, stream), deadline_of(timeout))
        finally:
            core.unask(stream)
        _calls.check_inbox(self._link, stream, timeout)

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
        type: TypeNames = None,
        metadata: Mapping[str, str] = NO_STRINGS,
        channel: int = 0,
        codec: CodecNames = None,
    ) -> Message:
        """Sends a request and returns the answer. Raises RequestFailedError with the peer's reason if it has none."""
        elements = _elements.elements(obj, type, None, codec)
        link, core = self._link, self._core
        if link.lock.locked():
            link.sought = True
        with link.lock:
            if core.error is not None or link.closed:
                _calls.check_open(link)
            if tag.__class__ is not int or tag:
                tag = tag_of(tag)
            if metadata:
                metadata = checked_strings(metadata)
            pending = core.requests.make(elements, tag, metadata, channel, link.write_now)
            in_time = False
            now = time.monotonic()
            try:
                in_time = link.comes_soon(pending.is_over, now) or link.wait(
                    pending.is_over, None if timeout is None else now + timeout, lazily=True
                )
            finally:
                if pending.reply is None:
                    _calls.forget(link, pending)
            return Message(self, pending.reply or _calls.answer_of(core, pending, in_time, timeout))

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
            in_time = self._link.wait(_calls.has_request(core), deadline_of(timeout))
            array = _calls.take_request(core, in_time, timeout)
            return None if array is None else Request(self, array)

    def _reply(
        self, array: Received, obj: Any, tag: int, type: TypeNames, metadata: Mapping[str, str], codec: CodecNames
    ) -> bool:
        elements = _elements.elements(obj, type, None, codec)
        with self._link.lock:
            outgoing = self._core.requests.reply(
                array, elements, tag_of(tag), checked_strings(metadata), self._link.write_now
            )
            if outgoing is None:
                return False
            self._finish_send(outgoing, False, CALL_SECONDS)
            return True

    def _fail(self, array: Received, text: str, code: ErrorCode = ErrorCode.REQUEST_FAILED) -> bool:
        with self._link.lock:
            outgoing = self._core.requests.fail(array, text, code)
            self._link.write()
            return outgoing is not None

    # --- Subscriptions ---

    def subscribe(
        self, subject: str, policy: str = "block", *, queue_bytes: int = 1 << 20, timeout: Optional[float] = CALL_SECONDS
    ) -> Subscription:
        """Asks for the arrays of a subject that the peer publishes from now on. ``policy`` says what the publisher does
        when more than ``queue_bytes`` wait for this side: 'block', 'drop-oldest', 'drop-newest' or 'disconnect'."""
        with self._link.lock:
            made = _calls.subscribed(self._link, subject, policy, queue_bytes)
            in_time = self._link.wait(lambda: made.begun or made.ended, deadline_of(timeout))
            _calls.check_begun(self._link, made, in_time, timeout)
            return Subscription(self, made, subject)

    @property
    def tls(self) -> Optional[TlsInfo]:
        """Version, cipher suite and the peer's certificate; None without TLS."""
        return self._link.tls_info()

    # --- The end ---

    @property
    def open(self) -> bool:
        """Whether arrays may still be sent."""
        return _calls.is_open(self._link)

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
                core.ended(_calls.closed_late(timeout))
                self._linger()
                raise _calls.not_closed(timeout)
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
            self._core.ended(_calls.closed_here(), silent=True)
            self._link.close()

    def __enter__(self) -> "Connection":
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if kind is None:
            self.close()
        else:
            self.close_now()

    def __repr__(self) -> str:
        return _calls.shown(self)
