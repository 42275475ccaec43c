"""The little of protocol buffers that the handshake and the bodies of frames need, by hand."""

from __future__ import annotations

from typing import Dict, Iterator, List, Tuple, Union

from .errors import ErrorCode, violation

VARINT, FIXED64, LENGTH, FIXED32 = 0, 1, 2, 5
_MASK64 = (1 << 64) - 1
_BYTES = tuple(bytes((each,)) for each in range(0x80))


def varint(value: int) -> bytes:
    if value < 0x80:
        return _BYTES[value]
    if value < 0x4000:
        return bytes((value & 0x7F | 0x80, value >> 7))
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def number(field: int, value: int) -> bytes:
    """A field with a number, nothing for 0."""
    return varint(field << 3) + varint(value) if value else b""


def data(field: int, value: bytes) -> bytes:
    """A field with bytes or a message; present also if it is empty."""
    return varint(field << 3 | LENGTH) + varint(len(value)) + value


def packed(field: int, values: "Tuple[int, ...] | List[int]") -> bytes:
    """A repeated field of numbers, nothing for none."""
    return data(field, b"".join(map(varint, values))) if values else b""


def _read_varint(view: bytes, at: int) -> Tuple[int, int]:
    value = shift = 0
    while True:
        if at >= len(view) or shift > 63:
            raise violation(ErrorCode.MALFORMED_PAYLOAD, "a protobuf number does not end", at=at, bytes=len(view))
        byte = view[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value & _MASK64, at
        shift += 7


def fields(message: bytes) -> Iterator[Tuple[int, int, Union[int, bytes]]]:
    """Number, wire type and value of each field, in order."""
    at, end = 0, len(message)
    while at < end:
        key, at = _read_varint(message, at)
        field, kind = key >> 3, key & 7
        if field == 0 or key >> 32:
            raise violation(ErrorCode.MALFORMED_PAYLOAD, "a protobuf field has an impossible number", field=field)
        if kind == VARINT:
            value, at = _read_varint(message, at)
            yield field, kind, value
            continue
        if kind == LENGTH:
            size, at = _read_varint(message, at)
        elif kind in (FIXED64, FIXED32):
            size = 8 if kind == FIXED64 else 4
        else:
            raise violation(ErrorCode.MALFORMED_PAYLOAD, "a protobuf field is of a kind that is not used", kind=kind)
        if size > end - at:
            raise violation(
                ErrorCode.MALFORMED_PAYLOAD, "a protobuf field is longer than its message", bytes=size, left=end - at
            )
        yield field, kind, message[at : at + size]
        at += size


class Message:
    """A message's fields by number; of a field that comes twice the last one counts, as everywhere in protobuf."""

    __slots__ = ("_values",)

    def __init__(self, content: bytes) -> None:
        self._values: Dict[int, List[Tuple[int, Union[int, bytes]]]] = {}
        for field, kind, value in fields(content):
            self._values.setdefault(field, []).append((kind, value))

    def __contains__(self, field: int) -> bool:
        return field in self._values

    def number(self, field: int) -> int:
        value = 0
        for kind, each in self._values.get(field, ()):
            if kind == VARINT:
                assert isinstance(each, int)
                value = each
            else:
                raise self._wrong(field, kind)
        return value

    def data(self, field: int) -> bytes:
        value = b""
        for kind, each in self._values.get(field, ()):
            if kind == LENGTH:
                assert isinstance(each, bytes)
                value = each
            else:
                raise self._wrong(field, kind)
        return value

    def text(self, field: int) -> str:
        try:
            return self.data(field).decode()
        except UnicodeDecodeError:
            raise violation(ErrorCode.MALFORMED_PAYLOAD, "a protobuf string is not UTF-8", field=field) from None

    def all_data(self, field: int) -> List[bytes]:
        values = []
        for kind, each in self._values.get(field, ()):
            if kind != LENGTH:
                raise self._wrong(field, kind)
            assert isinstance(each, bytes)
            values.append(each)
        return values

    def all_numbers(self, field: int) -> List[int]:
        """A repeated field, packed or not."""
        numbers: List[int] = []
        for kind, each in self._values.get(field, ()):
            if kind == VARINT:
                assert isinstance(each, int)
                numbers.append(each)
            elif kind == LENGTH:
                assert isinstance(each, bytes)
                at = 0
                while at < len(each):
                    value, at = _read_varint(each, at)
                    numbers.append(value)
            else:
                raise self._wrong(field, kind)
        return numbers

    @staticmethod
    def _wrong(field: int, kind: int) -> Exception:
        return violation(ErrorCode.MALFORMED_PAYLOAD, "a protobuf field has another type", field=field, kind=kind)
