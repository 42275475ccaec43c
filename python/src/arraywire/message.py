"""What is received: an array and what came with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Mapping, Optional, Tuple

from . import _memory
from ._attributes import NO_STRINGS
from ._streams import Received

if TYPE_CHECKING:
    from .connection import Connection


class Message:
    """An array that came, with its tag, metadata and channel. ``numpy.asarray(message)`` is its array."""

    __slots__ = ("connection", "_by", "_received", "_array", "_parts", "_into")

    def __init__(self, connection: "Connection", received: Received, into: Optional[memoryview] = None) -> None:
        #: The connection that it came by.
        self.connection: "Connection" = connection._owner or connection
        self._by = connection
        self._received = received
        self._array: Any = None
        self._parts: Optional[Dict[str, Any]] = None
        self._into = into

    @property
    def array(self) -> Any:
        """A NumPy array where NumPy is installed, else a memoryview, of the type and shape that were sent."""
        if self._received.attributes.parts:
            raise TypeError("a message of parts has no single array; ask for one by its name: message['ids']")
        if self._array is None:
            if self._into is None:
                self._array = self._received.presented()
            else:
                self._array = _memory.presented_of(self._into, self._received.type, self.shape)
        return self._array

    @property
    def parts(self) -> Dict[str, Any]:
        """The arrays of a message of parts by name; of an array ``{"": array}``."""
        if self._parts is None:
            self._parts = self._received.parts() if self._received.attributes.parts else {"": self.array}
        return self._parts

    def __getitem__(self, name: str) -> Any:
        """A part by its name."""
        try:
            return self.parts[name]
        except KeyError:
            names = " ".join(map(repr, self.parts))
            raise KeyError(f"the message has no part of that name (name={name!r}, parts={names})") from None

    @property
    def type(self) -> str:
        """The element type's name on the wire, such as ``float`` or ``bf16``."""
        return self._received.type.name

    @property
    def shape(self) -> Tuple[int, ...]:
        return self._received.attributes.shape or (self._received.count,)

    @property
    def tag(self) -> int:
        """The sender's number for it; 0 for none."""
        return self._received.tag

    @property
    def metadata(self) -> Mapping[str, str]:
        """A few strings that came with it."""
        return self._received.attributes.metadata

    @property
    def channel(self) -> int:
        return self._received.stream.field & 0x7FFFFFFF

    @property
    def publication(self) -> int:
        """Of a subscription: its number among all that were published for it, those that were dropped included."""
        return self._received.attributes.publication

    def __len__(self) -> int:
        return self.shape[0]

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        array = _memory.numpy.asarray(self.array)
        return array if dtype is None else array.astype(dtype, copy=bool(copy))

    def __repr__(self) -> str:
        tag = f", tag={self.tag}" if self.tag else ""
        return f"<{self.__class__.__name__} {self.type}{list(self.shape)}, channel={self.channel}{tag}>"


class Request(Message):
    """An array that the peer wants an answer to: call ``reply`` or ``fail``, from any thread, in any order."""

    __slots__ = ()

    def reply(
        self, obj: Any, *, tag: int = 0, type: Optional[str] = None, metadata: Mapping[str, str] = NO_STRINGS
    ) -> bool:
        """Sends the answer. False if the peer no longer waits for it."""
        return self._by._reply(self._received, obj, tag, type, metadata)

    def fail(self, text: str) -> bool:
        """Says why there is no answer; the peer's call fails with this text."""
        return self._by._fail(self._received, text)
