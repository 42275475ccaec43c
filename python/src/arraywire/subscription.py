"""A subscription of this side."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Dict, Iterator, Optional

from . import _subscriptions
from .errors import ConnectionClosedError, ErrorCode, TimeoutError
from .message import Message

if TYPE_CHECKING:
    from .connection import Connection

POLICIES: Dict[str, int] = {
    "block": _subscriptions.BLOCK,
    "drop-oldest": _subscriptions.DROP_OLDEST,
    "drop-newest": _subscriptions.DROP_NEWEST,
    "disconnect": _subscriptions.DISCONNECT,
}


class Subscription:
    """Arrays of a subject, as they are published. Iterate over it; leaving a ``with`` block gives it up."""

    def __init__(self, connection: "Connection", made: _subscriptions.Subscription, subject: str) -> None:
        self._connection = connection
        self._made = made
        self.subject = subject
        self._last = 0
        #: How many arrays were published and dropped for this side, up to the last one received.
        self.dropped = 0

    def receive(self, timeout: Optional[float] = None) -> Any:
        """The next array. Raises what ended the subscription once all that came before was taken."""
        return self.receive_message(timeout).array

    def receive_message(self, timeout: Optional[float] = None) -> Message:
        link, core, made = self._connection._link, self._connection._core, self._made
        deadline = None if timeout is None else time.monotonic() + timeout
        stream = made.stream
        with link.lock:
            if made.given_up and not made.ended:
                raise ConnectionClosedError(ErrorCode.CONNECTION_CLOSED, "the subscription was given up")
            core.ask(stream)
            try:
                in_time = link.wait(lambda: stream.inbox or made.ended or made.given_up, deadline)
            finally:
                core.unask(stream)
            array = core.take(stream)
            if array is not None:
                core.processed(array)
                link.write()
                self.dropped += array.attributes.publication - self._last - 1
                self._last = array.attributes.publication
                return Message(self._connection, array)
            if made.error is not None:
                raise made.error
            if in_time:
                raise core.error or ConnectionClosedError(
                    ErrorCode.CONNECTION_CLOSED, "the subscription was given up"
                )
            raise TimeoutError(None, "nothing was published in time", timeout=f"{timeout or 0:g} s")

    def __iter__(self) -> Iterator[Any]:
        """Arrays until the publisher closes, or the subscription is given up."""
        while True:
            try:
                array = self.receive()
            except ConnectionClosedError:
                return
            yield array

    def close(self) -> None:
        """Gives it up; what waits is dropped."""
        link = self._connection._link
        with link.lock:
            self._connection._core.subscriptions.give_up(self._made)
            link.write()
            link.changed()

    def __enter__(self) -> "Subscription":
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        self.close()
