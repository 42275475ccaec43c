"""What outlives a broken connection: arrays that are not acknowledged, and which arrays the program has had.

One connection after the other carries a session (docs/protocol.md, Sessions). The lock of a session is taken inside that
of a link, and nothing is called with it that takes another one. A link that has ended hands out nothing of the session any
more, and it has ended before the next one begins.
"""

from __future__ import annotations

import hmac
import secrets
import threading
import time
from collections import deque
from typing import TYPE_CHECKING, Any, Callable, Deque, Dict, List, Optional

from ._attributes import Attributes, Fault
from ._elements import Elements
from ._streams import QUEUED, SENDING, WHOLE, Outgoing, Received
from .errors import ArraywireError, ConnectionClosedError, ConnectionLostError, DeliveryUnknownError, ErrorCode

if TYPE_CHECKING:
    from ._core import Core

ATTEMPT_SECONDS = 0.5
#: Another attempt would end in the same way.
FINAL = (
    ErrorCode.RESUME_REJECTED, ErrorCode.AUTHENTICATION_FAILED, ErrorCode.NEGOTIATION_FAILED, ErrorCode.UNSUPPORTED_VERSION,
)  # fmt: skip
MOST_USELESS = 10  # connections in a row that broke before anything had moved: then it is no outage
_USEFUL_SECONDS = 5.0
_MOST_REFUSALS = 4096


def left_of(deadline: Optional[float]) -> Optional[float]:
    return None if deadline is None else max(deadline - time.monotonic(), 0)


class Kept:
    """An array of the session, until it is acknowledged or refused. Its memory is the caller's, and the caller waits for that."""

    __slots__ = ("elements", "tag", "attributes", "channel", "outgoing", "begun", "over", "error")

    def __init__(self, channel: int, elements: Elements, tag: int, attributes: Attributes) -> None:
        self.channel = channel
        self.elements = elements
        self.tag = tag
        self.attributes = attributes
        self.outgoing: Optional[Outgoing] = None  # over the present connection
        self.begun = False  # whether a part of it left over an earlier one
        self.over = False
        self.error: Optional[Exception] = None


class Inbox:
    """What the program has had of one channel."""

    __slots__ = ("given", "busy", "refusals", "forgotten", "repeated")

    def __init__(self) -> None:
        self.given = 0
        self.busy: "set[int]" = set()  # those that a handler has
        self.refusals: Dict[int, Fault] = {}
        self.forgotten = 0  # the highest number whose refusal is no longer known
        self.repeated: Deque[Received] = deque()  # came again while a handler has them


class Session:
    """One of them, at one of its ends."""

    def __init__(self, seconds: float, reconnects: Optional[Callable[["Session"], None]] = None) -> None:
        self.lock = threading.Lock()
        self.changed: Any = threading.Condition(self.lock)
        self.seconds = seconds  # how long it outlives a connection
        self.name = b""
        self.token = b""  # what the next hello must show, or the one after it
        self.next_token = b""
        self.turn = 0  # how many welcomes were made; only the last one counts
        self.core: Optional["Core"] = None  # of the connection that carries it now
        self.error: Optional[ArraywireError] = None  # why it has ended
        self.broken_by: Optional[ArraywireError] = None
        self.broken_at = 0.0
        self.useless = 0
        self.connection: Any = None  # what the program holds
        self.on_end: Callable[[], None] = lambda: None
        self._reconnects = reconnects
        self._progressed = False
        self._attached_at = 0.0
        self._kept: Dict[int, List[Kept]] = {}
        self._last: Dict[int, int] = {}
        self._inboxes: Dict[int, Inbox] = {}

    # --- The handshake ---

    def welcome(self) -> None:
        """At the listening end: a token that was never used, and a name if it has none yet."""
        with self.lock:
            if not self.name:
                self.name = secrets.token_bytes(16)
            self.next_token = secrets.token_bytes(16)
            self.turn += 1

    def accepts(self, token: bytes) -> bool:
        """A token is good until its successor was shown, or the peer has read the welcome that brought it."""
        with self.lock:
            if self.error is not None:
                return False
            successor = bool(self.next_token) and hmac.compare_digest(self.next_token, token)
            same = bool(self.token) and hmac.compare_digest(self.token, token)
            if successor:
                self.token = self.next_token
            return successor or same

    def confirmed(self) -> None:
        """A frame has come: the peer has read the welcome."""
        with self.lock:
            self.token = self.next_token

    # --- Connections come and go; with the lock of their link ---

    def attach(self, core: "Core") -> bool:
        """The connection carries the session from here on: what is not acknowledged is sent again, before all else."""
        with self.lock:
            if self.error is not None or core.error is not None or core.turn != self.turn:
                return False
            self.core = core
            self._attached_at = time.monotonic()
            for kept in self._all_kept():
                try:
                    self._submit(core, kept)
                except ArraywireError as error:  # this peer does not take it, such as a type that it does not know
                    self._drop(kept)
                    kept.over, kept.error = True, error
            self.changed.notify_all()
            return True

    @staticmethod
    def _submit(core: "Core", kept: Kept) -> None:
        kept.outgoing = core.queue(core.outbound(kept.channel), kept.elements, kept.tag, kept.attributes)
        kept.outgoing.kept = kept

    def broken(self, core: "Core", error: ArraywireError) -> None:
        """A connection has ended, not in order. What the program has not taken of it comes again over the next one."""
        for stream in core.inbounds.values():
            rest = [each for each in stream.inbox if not each.attributes.session_sequence]
            stream.inbox.clear()
            stream.inbox.extend(rest)
        ends: Optional[ArraywireError] = None
        with self.lock:
            if self.core is not core:
                return
            self.core = None
            self.broken_by, self.broken_at = error, time.monotonic()
            for kept in self._all_kept():
                kept.begun |= kept.outgoing is not None and kept.outgoing.state in (SENDING, WHOLE)
                kept.outgoing = None
            lasted = self.broken_at - self._attached_at > _USEFUL_SECONDS
            self.useless = 0 if lasted else 1 if self._progressed else self.useless + 1
            self._progressed = False
            if isinstance(error, ConnectionClosedError) or core.peer_goodbye or self.useless > MOST_USELESS:
                ends = error
            self.changed.notify_all()
        if ends is not None:
            self.end(ends)
        elif self._reconnects is not None:
            self._reconnects(self)

    def end(self, error: ArraywireError) -> None:
        """It is over, in order or not; once."""
        with self.lock:
            if self.error is not None:
                return
            self.error = error
            for kept in self._all_kept():
                kept.error = error
                begun = kept.begun or kept.outgoing is not None and kept.outgoing.state != QUEUED
                if begun and isinstance(error, ConnectionLostError):
                    kept.error = DeliveryUnknownError(
                        ErrorCode.DELIVERY_UNKNOWN,
                        "the session ended before the acknowledgement: the peer may or may not have the array",
                        cause=error,
                    )
                kept.over = True
            self._kept.clear()
            self.changed.notify_all()
        self.on_end()

    def expire(self) -> bool:
        """Whether it has ended, if need be because nobody has come back in time."""
        with self.lock:
            late = self.core is None and self.broken_by is not None
            late = late and time.monotonic() >= self.broken_at + self.seconds
        if late:
            self.end(self.expired())
        return self.error is not None

    def expired(self) -> ConnectionLostError:
        return ConnectionLostError(
            ErrorCode.SESSION_EXPIRED,
            "the connection broke and was not replaced in time",
            session_timeout=f"{self.seconds:g} s",
            last_failure=self.broken_by,
        )

    def until_other(self, core: Optional["Core"], deadline: Optional[float]) -> Optional[float]:
        """None if another connection carries it, or it has ended; else how many seconds to wait for a change, 0 for none since
        the deadline has passed."""
        if self.expire():
            return None
        with self.lock:
            return self._until_other(core, deadline)

    def _until_other(self, core: Optional["Core"], deadline: Optional[float]) -> Optional[float]:
        if self.core is not None and self.core is not core or self.error is not None:
            return None
        now = time.monotonic()
        end = self.broken_at + self.seconds if self.core is None and self.broken_by is not None else now + 1
        if deadline is not None:
            if now >= deadline:
                return 0
            end = min(end, deadline)
        return max(end - now, 0.001)

    def await_other(self, core: Optional["Core"], deadline: Optional[float]) -> bool:
        """Until another connection carries it, or it has ended; False if the deadline passes before. No link is locked."""
        while True:
            if self.expire():
                return True
            with self.lock:
                seconds = self._until_other(core, deadline)
                if seconds is None:
                    return True
                if seconds <= 0:
                    return False
                self.changed.wait(seconds)

    # --- Sending ---

    def _all_kept(self) -> List[Kept]:
        return [each for kept in self._kept.values() for each in kept]

    @property
    def keeps_nothing(self) -> bool:
        with self.lock:
            return not any(self._kept.values())

    def keep(self, core: Optional["Core"], kept: Kept) -> bool:
        """Takes an array, and queues it if this connection carries the session; False if another one does. With the lock
        of the link if there is one."""
        with self.lock:
            if self.error is not None:
                kept.over, kept.error = True, self.error
                return True
            if self.core is not core:
                return False
            number = self._last.get(kept.channel, 0) + 1
            kept.attributes = kept.attributes._replace(session_sequence=number)
            if core is not None:
                self._submit(core, kept)
            self._last[kept.channel] = number
            self._kept.setdefault(kept.channel, []).append(kept)
            return True

    def settled(self, kept: Kept, error: Optional[Exception]) -> None:
        """It was acknowledged, or refused."""
        with self.lock:
            self._drop(kept)
            kept.over, kept.error = True, error
            self._progressed = True
            self.changed.notify_all()

    def forget(self, kept: Kept) -> None:
        """Its caller waits no longer."""
        with self.lock:
            self._drop(kept)

    def _drop(self, kept: Kept) -> None:
        waiting = self._kept.get(kept.channel, [])
        if kept in waiting:
            waiting.remove(kept)

    # --- Receiving ---

    def _inbox(self, channel: int) -> Inbox:
        return self._inboxes.setdefault(channel, Inbox())

    def is_repeated(self, channel: int, number: int) -> bool:
        with self.lock:
            return number <= self._inbox(channel).given

    def given(self, channel: int, number: int) -> None:
        """The program has the array; what it does with it is not over."""
        with self.lock:
            inbox = self._inbox(channel)
            inbox.given = max(inbox.given, number)
            inbox.busy.add(number)
            self._progressed = True

    def done(self, channel: int, number: int) -> None:
        with self.lock:
            self._inbox(channel).busy.discard(number)

    def refused(self, channel: int, number: int, fault: Fault) -> None:
        """The program does not want it, and is not asked again."""
        with self.lock:
            inbox = self._inbox(channel)
            inbox.given = max(inbox.given, number)
            inbox.refusals[number] = fault
            if len(inbox.refusals) > _MOST_REFUSALS:
                inbox.forgotten = next(iter(inbox.refusals))
                del inbox.refusals[inbox.forgotten]

    def repeats(self, core: "Core", array: Received) -> None:
        """An array came that the program has had. With the lock of the link."""
        with self.lock:
            inbox = self._inbox(array.stream.field)
            inbox.repeated.append(array)
        self.answer_repeated(core)

    def answer_repeated(self, core: "Core") -> None:
        """Acknowledges or refuses what came again, once what the program does with it is over. With the lock of the link."""
        answers: List[Any] = []
        with self.lock:
            for inbox in self._inboxes.values():
                while inbox.repeated and inbox.repeated[0].attributes.session_sequence not in inbox.busy:
                    array = inbox.repeated.popleft()
                    number = array.attributes.session_sequence
                    fault = inbox.refusals.get(number)
                    if fault is None and number <= inbox.forgotten:
                        fault = Fault(ErrorCode.DELIVERY_UNKNOWN, "more arrays were refused after this one than are remembered")
                    answers.append((array, fault))
        for array, fault in answers:
            if array.stream not in core.inbounds.values():
                continue  # of an earlier connection
            if fault is None:
                core.processed(array)
            else:
                core.refuse(array, fault.number, fault.text)
