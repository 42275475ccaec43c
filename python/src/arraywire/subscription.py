"""A subscription of this side."""

from __future__ import annotations

from typing import Any, Iterator, Optional

from ._calls import Publications
from ._transfer import deadline_of
from .errors import ConnectionClosedError
from .message import Message


class Subscription(Publications):
    """Arrays of a subject, as they are published. Iterate over it; leaving a ``with`` block gives it up."""

    def receive(self, timeout: Optional[float] = None) -> Any:
        """The next array. Raises what ended the subscription once all that came before was taken."""
        return self.receive_message(timeout).array

    def receive_message(self, timeout: Optional[float] = None) -> Message:
        link, stream = self._link, self._made.stream
        with link.lock:
            self._check_kept()
            link.core.ask(stream)
            try:
                in_time = link.wait(self._has_array, deadline_of(timeout))
            finally:
                link.core.unask(stream)
            return Message(self._connection, self._take(in_time, timeout))

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
        with self._link.lock:
            self._give_up()

    def __enter__(self) -> "Subscription":
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        self.close()
