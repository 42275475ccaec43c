"""What may follow the header of an ARRAY frame: shape, metadata, and what the array is for."""

from __future__ import annotations

from typing import NamedTuple, Optional, Tuple

from . import _protobuf
from ._layout import MAX_ATTRIBUTES
from .errors import MAX_FAULT_TEXT, ErrorCode, violation

MAX_METADATA = 768
MAX_DIMENSIONS = 32
_MOST = (1 << 63) - 1
_REQUEST, _REPLY = b"\x20", b"\x28"


class Fault(NamedTuple):
    """Why something was refused or ended: a code, known or not, and a text for people."""

    number: int
    text: str

    @property
    def code(self) -> ErrorCode:
        return ErrorCode.of(self.number)

    def encoded(self) -> bytes:
        text = self.text.encode(errors="replace")[:MAX_FAULT_TEXT].decode(errors="ignore").encode()
        return _protobuf.number(1, self.number) + (_protobuf.data(2, text) if text else b"")

    @classmethod
    def decode(cls, content: bytes) -> "Fault":
        message = _protobuf.Message(content)
        return cls(message.number(1), message.text(2))


class Attributes(NamedTuple):
    """The attributes of an array; 0 stands for no number."""

    shape: Tuple[int, ...] = ()
    metadata: bytes = b""
    session_sequence: int = 0
    request: int = 0
    reply: int = 0
    fault: Optional[Fault] = None
    publication: int = 0

    def encoded(self) -> bytes:
        shape, metadata, session_sequence, request, reply, fault, publication = self
        return (
            (_protobuf.packed(1, shape) if shape else b"")
            + (_protobuf.data(2, metadata) if metadata else b"")
            + (b"\x18" + _protobuf.varint(session_sequence) if session_sequence else b"")
            + (_REQUEST + _protobuf.varint(request) if request else b"")
            + (_REPLY + _protobuf.varint(reply) if reply else b"")
            + (_protobuf.data(6, fault.encoded()) if fault else b"")
            + (b"\x38" + _protobuf.varint(publication) if publication else b"")
        )

    @classmethod
    def read(cls, content: bytes, count: int) -> "Attributes":
        """Those of an array of so many elements that came, checked as far as the connection does not matter."""
        key = content[:1]
        if (key == _REQUEST or key == _REPLY) and 1 < len(content) < 10:
            # Nothing but the number of a request or reply: what small arrays have.
            number = shift = 0
            for byte in content[1:]:
                number |= (byte & 0x7F) << shift
                shift += 7
            if byte < 0x80 and (shift == 7 or min(content[1:-1]) >= 0x80):
                return cls((), b"", 0, number) if key == _REQUEST else cls((), b"", 0, 0, number)
        attributes = cls.decode(content)
        attributes.check(count)
        return attributes

    @classmethod
    def decode(cls, content: bytes) -> "Attributes":
        message = _protobuf.Message(content)
        faults = message.all_data(6)
        return cls(
            tuple(message.all_numbers(1)),
            message.data(2),
            message.number(3),
            message.number(4),
            message.number(5),
            Fault.decode(b"".join(faults)) if faults else None,
            message.number(7),
        )

    def check(self, count: int) -> None:
        """Checks all that does not depend on the state of the connection."""
        if len(self.shape) > MAX_DIMENSIONS:
            raise violation(
                ErrorCode.MALFORMED_PAYLOAD,
                "a shape has too many dimensions",
                dimensions=len(self.shape),
                limit=MAX_DIMENSIONS,
            )
        if len(self.metadata) > MAX_METADATA:
            raise violation(
                ErrorCode.MALFORMED_PAYLOAD, "metadata is too long", bytes=len(self.metadata), limit=MAX_METADATA
            )
        numbers = (self.session_sequence, self.request, self.reply, self.publication)
        if max(self.shape + numbers) > _MOST:
            raise violation(
                ErrorCode.MALFORMED_PAYLOAD, "a number in the attributes is too large", limit=_MOST
            )
        if self.shape and product(self.shape) != count:
            raise violation(
                ErrorCode.COUNT_MISMATCH, "the shape does not hold the elements", shape=self.shape, elements=count
            )
        if sum(1 for each in numbers if each) > 1:
            raise violation(
                ErrorCode.PROTOCOL_VIOLATION,
                "an array is at most one of a request, a reply, a publication and part of a session",
                request=self.request,
                reply=self.reply,
                publication=self.publication,
                session_sequence=self.session_sequence,
            )
        if self.fault and (not self.reply or count):
            raise violation(
                ErrorCode.PROTOCOL_VIOLATION, "a fault belongs to a reply without elements", elements=count
            )


NONE = Attributes()


def product(shape: Tuple[int, ...]) -> int:
    count = 1
    for each in shape:
        count *= each
    return count


def checked_length(content: bytes) -> bytes:
    """Attributes that this side is about to send."""
    if len(content) > MAX_ATTRIBUTES:
        raise ValueError(f"the attributes of an array are too long (bytes={len(content)}, limit={MAX_ATTRIBUTES})")
    return content
