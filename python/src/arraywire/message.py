"""What is received: an array and what came with it; and array messages, which are the same outside of a connection.

    record = arraywire.message.encode({"ids": ids, "scores": scores}, tag=7)    # bytes, for a file or a broker
    scores = arraywire.message.decode(record)["scores"]
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Mapping, Optional

from ._array_message import ArrayMessage, decode, decode_all, encode
from ._attributes import NO_STRINGS
from ._content import Content
from ._elements import CodecNames, TypeNames
from ._streams import Received

if TYPE_CHECKING:
    from .connection import Connection


class Message(Content):
    """An array that came, with its tag, metadata and channel. ``numpy.asarray(message)`` is its array."""

    __slots__ = ("connection", "_by")

    def __init__(self, connection: "Connection", received: Received, into: Optional[memoryview] = None) -> None:
        self._received = received
        self._array = self._parts = None
        self._into = into
        #: The connection that it came by.
        self.connection: "Connection" = connection._owner or connection
        self._by = connection

    @property
    def channel(self) -> int:
        return self._received.stream.field & 0x7FFFFFFF

    @property
    def publication(self) -> int:
        """Of a subscription: its number among all that were published for it, those that were dropped included."""
        return self._received.attributes.publication

    def __repr__(self) -> str:
        tag = f", tag={self.tag}" if self.tag else ""
        return f"<{self.__class__.__name__} {self.type}{list(self.shape)}, channel={self.channel}{tag}>"


class Request(Message):
    """An array that the peer wants an answer to: call ``reply`` or ``fail``, from any thread, in any order."""

    __slots__ = ()

    def reply(
        self,
        obj: Any,
        *,
        tag: int = 0,
        type: TypeNames = None,
        metadata: Mapping[str, str] = NO_STRINGS,
        codec: CodecNames = None,
    ) -> bool:
        """Sends the answer. False if the peer no longer waits for it."""
        return self._by._reply(self._received, obj, tag, type, metadata, codec)

    def fail(self, text: str) -> bool:
        """Says why there is no answer; the peer's call fails with this text."""
        return self._by._fail(self._received, text)


__all__ = ["ArrayMessage", "Message", "Request", "decode", "decode_all", "encode"]
