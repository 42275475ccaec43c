"""What a sender asks before it sends the rest of a file, and what a receiver answers: ``--resume``.

The name and the type of the file are metadata of the request, and its shape is the elements. A second question says what the
beginning of the sender's file is, and the receiver compares: so it tells nobody what its files hold.
"""

from __future__ import annotations

import array
import re
from typing import Any, Callable, Dict, Mapping, NamedTuple, Optional, Tuple

from .. import _npy
from .._attributes import product
from .._types import BY_NAME, ElementType
from ..errors import ErrorCode, ProtocolError
from ..message import Message
from .._serve import Refusal
from ._errors import RefusedName
from ._files import SHA256, digest
from ._names import KEY, TravelName
from ._part import PartFile
from ._system import pread

#: The key of an array's metadata that says how many elements before it the receiver has.
FROM = "resume-from"
NUMBER = re.compile(r"\d{1,18}", re.ASCII)
_SHA = re.compile("[0-9a-f]{64}")
_MOST = (1 << 63) - 1
_TYPE, _ELEMENTS, _STATE = "type", "elements", "state"

NO_QUESTION = (
    "this is 'arraywire receive', which takes arrays and answers no requests; send the array, or connect to a program that"
    " has a request handler"
)

NOTHING = "nothing"  # of a file of that name
PART = "part"  # some elements of a file of that name, type and shape
WHOLE = "whole"  # a whole file of that name, type and shape
OTHER_PART = "other-part"  # a part of another file of that name
OTHER_WHOLE = "other-whole"  # another whole file of that name
BUSY = "busy"  # not known yet: another sender has what is kept, or others have theirs compared
_STATES = (NOTHING, PART, WHOLE, OTHER_PART, OTHER_WHOLE, BUSY)


class Head(NamedTuple):
    """The beginning of a file: how many elements, and their SHA-256."""

    elements: int
    sha256: str


class Question(NamedTuple):
    """How much there is of a file; with a head, whether what there is begins so."""

    name: TravelName
    type: ElementType
    shape: Tuple[int, ...]
    head: Optional[Head] = None

    def is_about_that_of(self, other: "Question") -> bool:
        return (self.name, self.type, self.shape) == (other.name, other.type, other.shape)

    def content(self) -> "array.array[int]":
        return array.array("q", self.shape)

    def metadata(self) -> Dict[str, str]:
        said = {KEY: str(self.name), _TYPE: self.type.name}
        return said if self.head is None else {**said, _ELEMENTS: str(self.head.elements), SHA256: self.head.sha256}

    @classmethod
    def parse(cls, request: Message) -> "Question":
        """Raises Refusal if it is no such question, and RefusedName for a name that leads elsewhere."""
        asked = request.metadata
        name, type_name = asked.get(KEY), asked.get(_TYPE)
        if name is None or type_name is None:
            raise Refusal(NO_QUESTION)
        received = request._received
        if received.attributes.parts or received.type.name != "long" or received.count > _npy.MAX_DIMENSIONS:
            raise _not_understood()
        shape = _numbers(request)
        type = BY_NAME.get(type_name)
        if type is None or any(each < 0 for each in shape):
            raise _not_understood()
        made = cls(TravelName.parse(name), type, shape, _head(asked))
        if made.first + made.size > _MOST or made.head is not None and made.head.elements > made.elements:
            raise _not_understood()
        return made

    @property
    def elements(self) -> int:
        return product(self.shape)

    @property
    def size(self) -> int:
        """Bytes of all its elements."""
        return self.elements * self.type.size

    @property
    def first(self) -> int:
        """Where its first element lies in a received file."""
        return len(_npy.header_bytes(self.type, self.shape))

    def is_begun_in(self, fd: int) -> bool:
        """Whether the beginning of a file says that it is one of this type and shape."""
        wanted = _npy.header_bytes(self.type, self.shape)
        return pread(fd, len(wanted), 0) == wanted

    def elements_in(self, part: PartFile) -> int:
        """How many whole elements a file has that is begun so; never more than all."""
        return min(self.elements, max(part.size - self.first, 0) // self.type.size)

    def agrees(self, fd: int, head: Head, unwanted: Callable[[], bool]) -> bool:
        """Whether a file that is begun so has the elements of the head."""
        size = head.elements * self.type.size
        return digest(lambda at, count: pread(fd, count, at), self.first, size, unwanted=unwanted) == head.sha256


def _numbers(message: Message) -> Tuple[int, ...]:
    """The elements of an array of long."""
    if not message._received.count:
        return ()
    return tuple(int(each) for each in memoryview(message.array).cast("B").cast("q"))


def _head(asked: Mapping[str, str]) -> Optional[Head]:
    elements, sha256 = asked.get(_ELEMENTS), asked.get(SHA256)
    if elements is None and sha256 is None:
        return None
    if elements is None or sha256 is None or not NUMBER.fullmatch(elements) or not _SHA.fullmatch(sha256):
        raise _not_understood()
    return Head(int(elements), sha256)


def _not_understood() -> Refusal:
    return Refusal(
        "the question about a file is not understood; 'arraywire send --resume' of another version may have asked it"
    )


class Answer(NamedTuple):
    """What a receiver has of a file. Asked how the sender's file begins, it has a part or the whole only if that begins so."""

    state: str
    elements: int = 0  # from the first

    def content(self) -> "array.array[int]":
        return array.array("q", [self.elements])

    def metadata(self) -> Dict[str, str]:
        return {_STATE: self.state}

    @classmethod
    def parse(cls, reply: Message, question: Question) -> "Answer":
        """Raises ProtocolError if it is not an answer to the question."""
        received: Any = reply._received
        state = reply.metadata.get(_STATE)
        if state not in _STATES or received.attributes.parts or received.type.name != "long" or received.count != 1:
            raise ProtocolError(
                ErrorCode.PROTOCOL_VIOLATION,
                "the receiver's answer about the file is not understood; leave out --resume",
            )
        (elements,) = _numbers(reply)
        some = state in (PART, WHOLE)
        if (
            not 0 <= elements <= question.elements
            or state == PART
            and not elements
            or state == WHOLE
            and elements != question.elements
            or not some
            and elements
            or some
            and question.head is not None
            and elements != question.head.elements
        ):
            raise ProtocolError(
                ErrorCode.BAD_LENGTH,
                "the receiver cannot have so many elements of the file; leave out --resume",
                state=state,
                elements=elements,
                fileElements=question.elements,
            )
        return cls(str(state), elements)


__all__ = [
    "BUSY", "FROM", "NOTHING", "NUMBER", "OTHER_PART", "OTHER_WHOLE", "PART", "WHOLE", "Answer", "Head", "Question",
    "RefusedName",
]  # fmt: skip
