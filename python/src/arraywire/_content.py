"""Arrays with their tag and metadata, wherever they came from."""

from __future__ import annotations

from typing import Any, Dict, Mapping, Optional, Tuple

from . import _memory
from ._streams import Received


class Content:
    """An array, or the parts of a message, with tag and metadata. ``numpy.asarray(content)`` is its array."""

    __slots__ = ("_received", "_array", "_parts", "_into")

    def __init__(self, received: Received, into: Optional[memoryview] = None) -> None:
        self._received = received
        self._array: Any = None
        self._parts: Optional[Dict[str, Any]] = None
        self._into = into

    @property
    def array(self) -> Any:
        """A NumPy array where NumPy is installed, else a memoryview, of the type and shape that were sent."""
        if self._received.attributes.parts:
            raise TypeError(
                "a message of parts has no single array; take it with receive_message() or messages(), and ask for a part"
                " by its name: message['ids']"
            )
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
    def types(self) -> Dict[str, str]:
        """The element types of a message of parts by name; of an array ``{"": type}``."""
        parts = self._received.attributes.parts
        return {each.name: each.type.name for each in parts} if parts else {"": self.type}

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

    def __len__(self) -> int:
        return self.shape[0]

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        array = _memory.numpy.asarray(self.array)
        return array if dtype is None else array.astype(dtype, copy=bool(copy))
