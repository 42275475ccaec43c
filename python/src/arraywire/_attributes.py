"""What may follow the header of an ARRAY frame: sections for shape, strings, parts, and what the array is for."""

from __future__ import annotations

import operator
import struct
from typing import Dict, List, Mapping, NamedTuple, Optional, Tuple

from . import _protobuf
from ._layout import ARRAY_COST, MAX_ATTRIBUTES
from ._types import ENCODINGS, RAW_BE, RAW_LE, TYPES, ElementType, Encoding
from .errors import MAX_FAULT_TEXT, ErrorCode, TooLargeError, violation

MAX_DIMENSIONS = 32
MAX_STRINGS, MAX_KEY, MAX_VALUE, MAX_STRING_BYTES = 16, 64, 512, 2048
MAX_PARTS, MAX_NAME = 1024, 255
NO_STRINGS: Mapping[str, str] = {}
RAW_ONLY: Mapping[int, Encoding] = {}  # of encodings in blocks, none
_RAW = {each.code: each for each in (RAW_LE, RAW_BE)}
_MOST = (1 << 63) - 1
_MOST_REPLY_FAULT = 700

_HEAD = struct.Struct("<HHI")
_PART = struct.Struct("<BBBBIQ")
_NUMBER = struct.Struct("<Q")
SHAPE, STRINGS, PARTS = 1, 2, 3
SESSION_SEQUENCE, REQUEST, REPLY, FAULT, PUBLICATION = 16, 17, 18, 19, 20
_OF_NUMBER: Dict[int, bytes] = {kind: _HEAD.pack(kind, 1, 16) for kind in (SESSION_SEQUENCE, REQUEST, REPLY, PUBLICATION)}
_NUMBERS_ALONE = {_OF_NUMBER[kind]: kind for kind in (REQUEST, REPLY)}
_NUMBERED = struct.Struct("<8sQ")
NUMBERED_BYTES = _NUMBERED.size


class Fault(NamedTuple):
    """Why something was refused or ended: a code, known or not, and a text for people."""

    number: int
    text: str

    @property
    def code(self) -> ErrorCode:
        return ErrorCode.of(self.number)

    def encoded(self) -> bytes:
        text = self.cut(MAX_FAULT_TEXT)
        return _protobuf.number(1, self.number) + (_protobuf.data(2, text) if text else b"")

    def cut(self, most: int) -> bytes:
        return self.text.encode(errors="replace")[:most].decode(errors="ignore").encode()

    @classmethod
    def decode(cls, content: bytes) -> "Fault":
        message = _protobuf.Message(content)
        return cls(message.number(1), message.text(2))


class Part(NamedTuple):
    """One part of a message; its elements begin at an offset in the payload."""

    name: str
    type: ElementType
    encoding: Encoding
    length: int
    shape: Tuple[int, ...]  # empty for one dimension
    offset: int  # where no part is in blocks

    @property
    def size(self) -> int:
        """How many bytes its elements take where they are plain."""
        return self.length * self.type.size


class Attributes(NamedTuple):
    """The attributes of an array; 0 stands for no number."""

    shape: Tuple[int, ...] = ()
    metadata: Mapping[str, str] = NO_STRINGS
    session_sequence: int = 0
    request: int = 0
    reply: int = 0
    fault: Optional[Fault] = None
    publication: int = 0
    parts: Tuple[Part, ...] = ()

    def encoded(self) -> bytes:
        if self is NONE:
            return b""
        shape, metadata, session_sequence, request, reply, fault, publication, parts = self
        if not (shape or metadata or session_sequence or fault or publication or parts or request and reply):
            # Nothing but the number of a request or reply: what small arrays have.
            return number_of(REQUEST, request) if request else number_of(REPLY, reply) if reply else b""
        return (
            (section(SHAPE, len(shape), struct.pack(f"<{len(shape)}Q", *shape)) if shape else b"")
            + (section(STRINGS, len(metadata), b"".join(_string(*each) for each in metadata.items())) if metadata else b"")
            + (section(PARTS, len(parts), b"".join(map(_entry, parts))) if parts else b"")
            + (number_of(SESSION_SEQUENCE, session_sequence) if session_sequence else b"")
            + (number_of(REQUEST, request) if request else b"")
            + (number_of(REPLY, reply) if reply else b"")
            + (_reason(fault) if fault else b"")
            + (number_of(PUBLICATION, publication) if publication else b"")
        )

    @classmethod
    def read(
        cls,
        content: bytes,
        count: int,
        is_message: bool = False,
        array_bytes: int = 0,
        in_blocks: Mapping[int, Encoding] = RAW_ONLY,
    ) -> "Attributes":
        """Those of an array of so many elements that came, checked as far as the connection does not matter. Of encodings in
        blocks, parts have those that were offered."""
        kind, number = numbered(content) if len(content) == NUMBERED_BYTES and not is_message else (0, 0)
        if kind:  # what most small arrays have
            return cls((), NO_STRINGS, 0, number) if kind == REQUEST else cls((), NO_STRINGS, 0, 0, number)
        attributes = _Reader(content, in_blocks=in_blocks).read()
        attributes.check_table(is_message, count, array_bytes)
        attributes.check(count)
        return attributes

    @classmethod
    def of_message(
        cls,
        content: bytes,
        count: int,
        is_message: bool,
        array_bytes: int,
        most_parts: int,
        in_blocks: Mapping[int, Encoding],
    ) -> "Attributes":
        """Those of a message outside of a connection, which has no sections for requests, subscriptions and sessions."""
        attributes = _Reader(content, PARTS, most_parts, in_blocks).read()
        attributes.check_table(is_message, count, array_bytes)
        attributes.check(count)
        return attributes

    @classmethod
    def decode(cls, content: bytes) -> "Attributes":
        return _Reader(content).read()

    def check(self, count: int) -> None:
        """Checks all that does not depend on the state of the connection."""
        if self.shape and product(self.shape) != count:
            raise violation(
                ErrorCode.COUNT_MISMATCH, "the shape does not hold the elements", shape=self.shape, elements=count
            )
        numbers = (self.session_sequence, self.request, self.reply, self.publication)
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

    def check_table(self, is_message: bool, count: int, array_bytes: int) -> None:
        """Whether header and attributes agree on whether there is a table, and what it adds up to."""
        if bool(self.parts) != is_message or is_message and self.shape:
            raise violation(
                ErrorCode.MALFORMED_PAYLOAD,
                "header and attributes do not agree on whether there is a table of parts",
                parts=len(self.parts),
                shape=self.shape,
            )
        if not is_message:
            return
        if len(self.parts) == 1 and not self.parts[0].name:
            raise violation(ErrorCode.MALFORMED_PAYLOAD, "a table of parts describes one part without a name, which needs no table")
        elements = sum(each.length for each in self.parts)
        payload = sum(padded(each.size) for each in self.parts)
        if (elements, payload) != (count, array_bytes):
            raise violation(
                ErrorCode.COUNT_MISMATCH,
                "the parts of a message do not add up to what its header says",
                elements=count,
                elements_of_parts=elements,
                array_bytes=array_bytes,
                bytes_of_parts=payload,
            )


NONE = Attributes()


def number_of(kind: int, number: int) -> bytes:
    """The attributes of a request or reply that has no others."""
    return _NUMBERED.pack(_OF_NUMBER[kind], number)


def numbered(content: "bytes | memoryview", at: int = 0) -> Tuple[int, int]:
    """What number_of made: the kind, which is 0 if this is anything else, and the number."""
    head, number = _NUMBERED.unpack_from(content, at)
    return _NUMBERS_ALONE.get(head, 0) if 0 < number <= _MOST else 0, number


def section(kind: int, entries: int, content: bytes) -> bytes:
    content += bytes(-len(content) % 8)
    return _HEAD.pack(kind, entries, _HEAD.size + len(content)) + content


def padded(length: int) -> int:
    return (length + 7) & -8


def _reason(fault: Fault) -> bytes:
    text = fault.cut(_MOST_REPLY_FAULT)
    return section(FAULT, 1, struct.pack("<II", fault.number, len(text)) + text)


def _string(key: str, value: str) -> bytes:
    one, other = key.encode(), value.encode()
    return struct.pack("<HH", len(one), len(other)) + one + other


def _entry(part: Part) -> bytes:
    name = part.name.encode()
    head = _PART.pack(part.type.code, part.encoding.code, len(part.shape), len(name), 0, part.length)
    return head + struct.pack(f"<{len(part.shape)}Q", *part.shape) + name + bytes(-len(name) % 8)


class _Reader:
    """Reads sections, each in the order of checks that docs/array-message.md prescribes."""

    def __init__(
        self,
        content: bytes,
        last_kind: int = PUBLICATION,
        most_parts: int = MAX_PARTS,
        in_blocks: Mapping[int, Encoding] = RAW_ONLY,
    ) -> None:
        self._content = content
        self._last_kind = last_kind
        self._most_parts = most_parts
        self._in_blocks = in_blocks
        self._found: Dict[str, object] = {}

    def read(self) -> Attributes:
        content = self._content
        if len(content) % 8:
            raise violation(ErrorCode.BAD_LENGTH, "attributes do not end at a multiple of 8", bytes=len(content))
        at = before = 0
        while at < len(content):
            kind, entries, length = _HEAD.unpack_from(content, at)
            reader = _READERS.get(kind)
            if reader is None or kind > self._last_kind:
                raise violation(ErrorCode.UNKNOWN_CODE, "a section of attributes of an unknown kind", kind=kind)
            if kind <= before:
                raise self._malformed("sections of attributes are out of order or come twice", kind=kind)
            if length < 16 or length % 8 or length > len(content) - at:
                raise self._length("a section of attributes has an impossible length", kind=kind, bytes=length)
            if entries == 0 or kind >= SESSION_SEQUENCE and entries != 1:
                raise self._malformed("a section has another number of entries", kind=kind, entries=entries)
            end = at + length
            used = reader(self, kind, entries, at + _HEAD.size, end)
            if end - used >= 8:
                raise self._length("a section of attributes is longer than its entries", kind=kind, unused=end - used)
            self._zeros(used, end)
            at, before = end, kind
        return Attributes(**self._found)  # type: ignore[arg-type]

    @staticmethod
    def _malformed(text: str, **facts: object) -> Exception:
        return violation(ErrorCode.MALFORMED_PAYLOAD, text, **facts)

    @staticmethod
    def _length(text: str, **facts: object) -> Exception:
        return violation(ErrorCode.BAD_LENGTH, text, **facts)

    def _room(self, at: int, size: int, end: int) -> None:
        if size > end - at:
            raise self._length("a section of attributes is shorter than its entries", left=end - at, needed=size)

    def _zeros(self, at: int, end: int) -> None:
        if self._content[at:end].strip(b"\0"):
            raise self._malformed("attributes have bytes other than 0 between entries")

    def _most(self, what: str, declared: int, limit: int) -> None:
        if declared > limit:
            raise violation(ErrorCode.FRAME_TOO_LARGE, f"too many {what}", declared=declared, limit=limit)

    def _text(self, at: int, length: int) -> str:
        try:
            return self._content[at : at + length].decode()
        except UnicodeDecodeError:
            raise self._malformed("a text in the attributes is not UTF-8") from None

    def _dimensions(self, at: int, count: int, end: int) -> Tuple[int, ...]:
        self._most("dimensions", count, MAX_DIMENSIONS)
        self._room(at, 8 * count, end)
        shape = struct.unpack_from(f"<{count}Q", self._content, at)
        if max(shape, default=0) > _MOST:
            raise self._malformed("a dimension is too large", shape=shape, limit=_MOST)
        return shape

    def _shape(self, kind: int, entries: int, at: int, end: int) -> int:
        self._found["shape"] = self._dimensions(at, entries, end)
        return at + 8 * entries

    def _strings(self, kind: int, entries: int, at: int, end: int) -> int:
        self._most("strings", entries, MAX_STRINGS)
        strings: Dict[str, str] = {}
        total = 0
        for _ in range(entries):
            self._room(at, 4, end)
            key_bytes, value_bytes = struct.unpack_from("<HH", self._content, at)
            at += 4
            if not key_bytes:
                raise self._malformed("a string has an empty key")
            self._most("bytes of a key", key_bytes, MAX_KEY)
            self._most("bytes of a value", value_bytes, MAX_VALUE)
            total += key_bytes + value_bytes
            self._most("bytes of all strings", total, MAX_STRING_BYTES)
            self._room(at, key_bytes + value_bytes, end)
            key = self._text(at, key_bytes)
            if key in strings:
                raise self._malformed("two strings have the same key", key=key)
            strings[key] = self._text(at + key_bytes, value_bytes)
            at += key_bytes + value_bytes
        self._found["metadata"] = strings
        return at

    def _parts(self, kind: int, entries: int, at: int, end: int) -> int:
        self._most("parts", entries, self._most_parts)
        parts: List[Part] = []
        names = set()
        offset = 0
        for _ in range(entries):
            self._room(at, _PART.size, end)
            code, number, dimensions, name_bytes, zero, count = _PART.unpack_from(self._content, at)
            type = TYPES.get(code)
            encoding = _RAW.get(number) or self._in_blocks.get(number)
            if type is None or encoding is None or not encoding.has(type):
                raise violation(
                    ErrorCode.UNKNOWN_CODE,
                    "a part of an unknown type or encoding, or one whose encoding does not have its type",
                    type=code,
                    encoding=ENCODINGS[number].name if number in ENCODINGS else number,
                )
            if zero:
                raise self._malformed("a reserved field of a part is not 0")
            at += _PART.size
            self._most("dimensions", dimensions, MAX_DIMENSIONS)
            self._room(at, 8 * dimensions + padded(name_bytes), end)
            if count > _MOST:
                raise self._length("no part has so many elements", elements=count)
            shape = self._dimensions(at, dimensions, end)
            if shape and product(shape) != count:
                raise violation(ErrorCode.COUNT_MISMATCH, "a shape does not hold the elements", shape=shape, elements=count)
            at += 8 * dimensions
            name = self._text(at, name_bytes)
            if name in names:
                raise self._malformed("two parts have the same name", name=name)
            names.add(name)
            self._zeros(at + name_bytes, at + padded(name_bytes))
            at += padded(name_bytes)
            parts.append(Part(name, type, encoding, count, shape, offset))
            offset += padded(count * type.size)
        self._found["parts"] = tuple(parts)
        return at

    def _one(self, kind: int, entries: int, at: int, end: int) -> int:
        value = _NUMBER.unpack_from(self._content, at)[0]
        if not 0 < value <= _MOST:
            raise self._malformed("a number in the attributes is impossible", kind=kind, number=value, limit=_MOST)
        self._found[_NUMBERS[kind]] = value
        return at + _NUMBER.size

    def _fault(self, kind: int, entries: int, at: int, end: int) -> int:
        code: int
        length: int
        code, length = struct.unpack_from("<II", self._content, at)
        self._room(at + 8, length, end)
        self._found["fault"] = Fault(code, self._text(at + 8, length))
        return at + 8 + length


_NUMBERS = {
    SESSION_SEQUENCE: "session_sequence", REQUEST: "request", REPLY: "reply", PUBLICATION: "publication",
}  # fmt: skip
_READERS = {
    SHAPE: _Reader._shape, STRINGS: _Reader._strings, PARTS: _Reader._parts, SESSION_SEQUENCE: _Reader._one,
    REQUEST: _Reader._one, REPLY: _Reader._one, FAULT: _Reader._fault, PUBLICATION: _Reader._one,
}  # fmt: skip


def product(shape: Tuple[int, ...]) -> int:
    count = 1
    for each in shape:
        count *= each
    return count


def tag_of(tag: int) -> int:
    """The tag as an int, if it is one that an array can have."""
    try:
        number = operator.index(tag)
    except TypeError:
        raise TypeError(f"a tag is an integer; words go into metadata={{...}} (tag={tag!r})") from None
    if not 0 <= number < 1 << 64:
        raise ValueError(f"a tag is 0 to 2^64 - 1 (tag={tag})")
    return number


def checked_strings(strings: Mapping[str, str]) -> Mapping[str, str]:
    """Metadata that this side is about to send."""
    if not strings:
        return NO_STRINGS
    for key, value in strings.items():
        if not isinstance(key, str) or not isinstance(value, str):
            raise TypeError(f"metadata is a dict of strings; make one of each value with str(...) ({key!r}={value!r})")
    encoded = [(key.encode(), value.encode()) for key, value in strings.items()]
    total = sum(len(key) + len(value) for key, value in encoded)
    if (
        len(encoded) > MAX_STRINGS
        or total > MAX_STRING_BYTES
        or any(not 0 < len(key) <= MAX_KEY or len(value) > MAX_VALUE for key, value in encoded)
    ):
        raise ValueError(
            f"metadata is at most {MAX_STRINGS} strings, keys of 1 to {MAX_KEY} bytes, values of {MAX_VALUE},"
            f" {MAX_STRING_BYTES} together; send what is longer as an array (strings={len(encoded)}, bytes={total})"
        )
    return dict(strings)


def checked_length(content: bytes, half: int) -> bytes:
    """Attributes that this side is about to send: with the first elements, for which the peer must have room at once."""
    most = half - ARRAY_COST - 64
    if len(content) > most:
        raise TooLargeError(
            ErrorCode.ARRAY_TOO_LARGE,
            "names, shapes and metadata are larger than the peer receives at once; shorten them",
            bytes=len(content),
            limit=most,
        )
    if len(content) > MAX_ATTRIBUTES:
        raise ValueError(f"the attributes of an array are too long (bytes={len(content)}, limit={MAX_ATTRIBUTES})")
    return content
