"""Preamble and messages of the handshake, and what both sides agree on."""

from __future__ import annotations

import struct
import sys
from typing import Dict, List, NamedTuple, Optional, Tuple

from . import _blocks, _protobuf
from ._attributes import Fault
from ._crc32c import crc32c
from ._elements import Elements
from ._layout import VERSION
from ._types import (
    ENCODINGS, IN_BLOCKS, PREFERRED, RAW_BE, RAW_LE, TABLE, TYPES, ElementType, Encoding,
)  # fmt: skip
from .errors import ErrorCode, HandshakeError, ProtocolError, UnsupportedArrayError, printable, violation

PREAMBLE_MAGIC = b"\xf1AWH"
PREAMBLE_BYTES = 24
MAX_MESSAGE = 4096
MIN_FRAME = 1024
MIN_CREDIT = 4096
HELLO, WELCOME, REJECT = 1, 2, 3
_PREAMBLE = struct.Struct("<4sBBHIII")
_MOST = (1 << 63) - 1

OFFERED: Tuple[Tuple[int, str], ...] = tuple((each.code, each.name) for each in PREFERRED)


class Offer(NamedTuple):
    """What one side understands and wants: a hello or a welcome."""

    encodings: Tuple[Tuple[int, str], ...] = OFFERED
    element_types: Tuple[int, ...] = tuple(TYPES)
    max_array_bytes: int = 1 << 30
    max_frame_bytes: int = 1 << 20
    checksums: bool = False
    token: bytes = b""
    library: str = "arraywire-python"
    library_version: str = ""
    wire_version: int = 0
    channels: int = 256
    channel_credit: int = 1 << 20
    connection_credit: int = 16 << 20
    heartbeat_millis: int = 0
    session_millis: int = 0
    session: bytes = b""
    session_token: bytes = b""
    subscriptions: int = 64

    def encoded(self) -> bytes:
        names = b"".join(
            _protobuf.data(1, _protobuf.number(1, code) + _protobuf.data(2, name.encode()))
            for code, name in self.encodings
        )
        order = 1 if sys.byteorder == "little" else 2
        texts = ((7, self.token), (8, self.library.encode()), (9, self.library_version.encode()))
        session = ((16, self.session), (17, self.session_token))
        return (
            names
            + _protobuf.packed(2, self.element_types)
            + _protobuf.number(3, order)
            + _protobuf.number(4, self.max_array_bytes)
            + _protobuf.number(5, self.max_frame_bytes)
            + _protobuf.number(6, int(self.checksums))
            + b"".join(_protobuf.data(field, value) for field, value in texts if value)
            + _protobuf.number(10, self.wire_version)
            + _protobuf.number(11, self.channels)
            + _protobuf.number(12, self.channel_credit)
            + _protobuf.number(13, self.connection_credit)
            + _protobuf.number(14, self.heartbeat_millis)
            + _protobuf.number(15, self.session_millis)
            + b"".join(_protobuf.data(field, value) for field, value in session if value)
            + _protobuf.number(21, self.subscriptions)
        )

    @classmethod
    def decode(cls, content: bytes) -> "Offer":
        message = _protobuf.Message(content)
        names = []
        for each in message.all_data(1):
            name = _protobuf.Message(each)
            names.append((name.number(1), name.text(2)))
        offer = cls(
            encodings=tuple(names),
            element_types=tuple(message.all_numbers(2)),
            max_array_bytes=message.number(4),
            max_frame_bytes=message.number(5),
            checksums=message.number(6) != 0,
            token=message.data(7),
            library=printable(message.text(8)),
            library_version=printable(message.text(9)),
            wire_version=message.number(10),
            channels=message.number(11),
            channel_credit=message.number(12),
            connection_credit=message.number(13),
            heartbeat_millis=message.number(14),
            session_millis=message.number(15),
            session=message.data(16),
            session_token=message.data(17),
            subscriptions=message.number(21),
        )
        for field, least, most in (
            ("max_array_bytes", 0, _MOST),
            ("channels", 1, (1 << 31) - 1),
            ("channel_credit", MIN_CREDIT, _MOST),
            ("connection_credit", MIN_CREDIT, _MOST),
            ("subscriptions", 0, (1 << 31) - 1),
            ("session_millis", 0, _MOST),
        ):
            value = getattr(offer, field)
            if not least <= value <= most:
                raise violation(
                    ErrorCode.MALFORMED_PAYLOAD,
                    "an offer in the handshake is out of its range",
                    field=field,
                    value=value,
                    least=least,
                    most=most,
                )
        return offer


class Agreement(NamedTuple):
    """What both sides agreed on; the limits are those for what this side sends."""

    encodings: Tuple[Encoding, ...]  # that this side may send, the preferred one first
    element_types: Tuple[ElementType, ...]
    max_array_bytes: int
    max_frame_bytes: int
    checksums: bool
    channels: int
    subscriptions: int

    def encoding_for(self, elements: Elements) -> Encoding:
        type, named = elements.type, elements.encoding
        if elements.parts:
            return self._encoding_of_parts(elements)
        if type in self.element_types:
            if named is not None:
                return self._named(named)
            for each in self.encodings:
                if each.has(type) and not each.is_lossy:
                    return each
        raise UnsupportedArrayError(
            ErrorCode.NEGOTIATION_FAILED,
            "the peer does not know the element type; send the bits as a type that it knows, such as x.view('i2'), or"
            " name one of the same size: type='char'",
            type=type.name,
            peer=" ".join(each.name for each in self.element_types),
        )

    def _named(self, encoding: Encoding) -> Encoding:
        if encoding in self.encodings:
            return encoding
        raise UnsupportedArrayError(
            ErrorCode.NEGOTIATION_FAILED,
            "the peer does not read the codec that was named; name another one, or none",
            codec=encoding.name,
            peer=" ".join(each.name for each in self.encodings),
        )

    def _encoding_of_parts(self, elements: Elements) -> Encoding:
        """The peer must know the encodings of all parts, and their types; and one that is raw, or it takes no table."""
        unknown = sorted({each.type.name for each in elements.parts if each.type not in self.element_types})
        encodings = {each.encoding for each in elements.parts}
        if encodings.issubset(self.encodings) and not unknown and not {RAW_LE, RAW_BE}.isdisjoint(self.encodings):
            return TABLE
        raise UnsupportedArrayError(
            ErrorCode.NEGOTIATION_FAILED,
            "the peer cannot read the parts of the message; send them by codecs and as types that it knows",
            encoding=" ".join(sorted(each.name for each in encodings.difference(self.encodings))),
            unknown=" ".join(unknown),
            peer=" ".join(each.name for each in self.encodings),
        )


def preamble(message: bytes, least: int = VERSION, most: int = VERSION) -> bytes:
    """A preamble and its message."""
    start = _PREAMBLE.pack(PREAMBLE_MAGIC, least, most, 0, len(message), crc32c(message), 0)
    return start + struct.pack("<I", crc32c(start)) + message


def message(kind: int, body: bytes) -> bytes:
    return _protobuf.data(kind, body)


class HandshakeReader:
    """Reads the other side's preamble and message out of what has come so far."""

    __slots__ = ("_connector", "least", "most")

    def __init__(self, connector: bool) -> None:
        self._connector = connector  # whether this side is it
        self.least = self.most = 0

    def read(self, data: memoryview) -> Optional[Tuple[int, bytes, int]]:
        """The kind and the content of the message, and how many bytes it took; None if more is to come."""
        if len(data) >= 4 and data[1] == 3 and data[0] in (0x15, 0x16):
            raise HandshakeError(
                ErrorCode.TLS_MISMATCH,
                "the peer speaks TLS and this side does not; set tls at both sides or at neither",
                first_bytes=bytes(data[:4]).hex(),
            )
        if len(data) >= 4 and data[:4] != PREAMBLE_MAGIC:
            raise violation(
                ErrorCode.BAD_MAGIC,
                "the peer does not speak Arraywire's framed mode; is it another service, or in plain mode?",
                first_bytes=bytes(data[:4]).hex(),
            )
        if len(data) < PREAMBLE_BYTES:
            return None
        _, self.least, self.most, zero, size, checksum, zeros = _PREAMBLE.unpack_from(data)
        if struct.pack("<I", crc32c(data[:20])) != data[20:24]:
            raise violation(ErrorCode.HEADER_CHECKSUM, "the preamble does not match its checksum")
        if size > MAX_MESSAGE:
            raise violation(
                ErrorCode.FRAME_TOO_LARGE, "the message of the handshake is too long", bytes=size, limit=MAX_MESSAGE
            )
        if zero or zeros:
            raise violation(ErrorCode.MALFORMED_PAYLOAD, "reserved bytes of the preamble are not 0")
        end = PREAMBLE_BYTES + size
        if len(data) < end:
            return None
        content = bytes(data[PREAMBLE_BYTES:end])
        if crc32c(content) != checksum:
            raise violation(ErrorCode.PAYLOAD_CHECKSUM, "the message of the handshake does not match its checksum")
        bodies = [
            (field, value)
            for field, kind, value in _protobuf.fields(content)
            if field in (HELLO, WELCOME, REJECT) and kind == _protobuf.LENGTH
        ]
        if len(bodies) != 1:
            raise violation(
                ErrorCode.MALFORMED_PAYLOAD, "the handshake must have exactly one body", bodies=len(bodies)
            )
        kind, body = bodies[0]
        assert isinstance(body, bytes)
        if (kind == HELLO) == self._connector:
            raise violation(
                ErrorCode.PROTOCOL_VIOLATION, "the peer sent the handshake of the other side; do both connect?"
            )
        return kind, body, end

    def check_version(self) -> None:
        if not self.least <= VERSION <= self.most:
            raise HandshakeError(
                ErrorCode.UNSUPPORTED_VERSION,
                "the two sides have no wire version in common; update the older one",
                here=VERSION,
                peer=f"{self.least} to {self.most}",
            )


def decodable(offer: Offer) -> Dict[int, Encoding]:
    """The encodings of this side's offer, by code."""
    known = {**ENCODINGS, **IN_BLOCKS}
    return {code: known[code] for code, name in offer.encodings if code in known and known[code].name == name}


def agree(here: Offer, peer: Offer) -> Agreement:
    """Both sides apply the same rules and come to the same result."""
    common = [each for each in decodable(here).values() if (each.code, each.name) in peer.encodings]
    if not common:
        raise HandshakeError(
            ErrorCode.NEGOTIATION_FAILED,
            "the two sides have no encoding in common; configure a codec of a common one",
            here=[name for _, name in here.encodings],
            peer=[f"{printable(name)}({code})" for code, name in peer.encodings],
        )
    types = tuple(TYPES[code] for code in here.element_types if code in peer.element_types)
    if not types:
        raise HandshakeError(
            ErrorCode.NEGOTIATION_FAILED,
            "the two sides have no element type in common",
            here=list(here.element_types),
            peer=list(peer.element_types)[:32],
        )
    if not MIN_FRAME <= peer.max_frame_bytes < 1 << 32:
        raise HandshakeError(
            ErrorCode.NEGOTIATION_FAILED,
            "the peer accepts no frames of a usable size",
            max_frame_bytes=peer.max_frame_bytes,
            least=MIN_FRAME,
        )
    written = [each for each in _blocks.writable() if (each.code, each.name) in peer.encodings]
    return Agreement(
        (*(each for each in common if not each.in_blocks), *written),
        types,
        peer.max_array_bytes,
        peer.max_frame_bytes,
        here.checksums or peer.checksums,
        min(here.channels, peer.channels),
        min(here.subscriptions, peer.subscriptions),
    )


def check_welcome(offer: Offer, hello: Offer) -> None:
    """What a welcome must and must not hold."""
    if offer.wire_version != VERSION:
        raise HandshakeError(
            ErrorCode.UNSUPPORTED_VERSION,
            "the welcome names another wire version than the rule yields",
            wire_version=offer.wire_version,
            expected=VERSION,
        )
    if offer.token:
        raise violation(ErrorCode.MALFORMED_PAYLOAD, "a welcome must not hold a token")
    if offer.session and not (offer.session_millis and hello.session_millis):
        raise violation(ErrorCode.PROTOCOL_VIOLATION, "the welcome holds a session that nobody asked for")


def rejected(body: bytes) -> HandshakeError:
    """What a reject says."""
    fault = Fault.decode(body)
    number: Dict[str, int] = {} if fault.number in set(ErrorCode) else {"number": fault.number}
    return HandshakeError(fault.code, f"the peer refused the connection: {printable(fault.text)}", **number)


def is_told(error: ProtocolError) -> bool:
    """Whether an acceptor sends the error: a stranger would not understand it."""
    return error.code is not ErrorCode.BAD_MAGIC
