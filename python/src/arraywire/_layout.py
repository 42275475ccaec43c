"""The header of 64 bytes that all frames have.

      0         1         2         3         4         5         6         7
 0 | magic f1 41 57 46                     | version | type    | encoding| element |
 8 | flags             | attribute bytes   | channel                               |
16 | sequence                                                                      |
24 | tag                                                                           |
32 | element count                                                                 |
40 | array bytes (ARRAY) or index of the first element in this chunk (CHUNK)       |
48 | payload bytes                         | CRC32C of attributes and payload      |
56 | acknowledged sequence, low 32 bits    | CRC32C of bytes 0 to 59               |
"""

from __future__ import annotations

import struct
from typing import NamedTuple

from ._crc32c import HeaderChecksum

VERSION = 2
FRAME_MAGIC = b"\xf1AWF"
HEADER_BYTES = 64
MAX_CONTROL = 1024
MAX_ATTRIBUTES = 65_528
LEAST_USEFUL = 512  # bytes of a piece of an array, unless it is the first or brings the rest
ARRAY_COST = 256  # of an ARRAY frame beside its attributes and its payload, in credit

ARRAY, CHUNK, ACK, CREDIT, PING, PONG, ERROR, GOODBYE, ABORT, REJECTED, CANCEL = range(1, 12)
SUBSCRIBE, SUBSCRIBED, UNSUBSCRIBE, UNSUBSCRIBED = range(12, 16)
SUBSCRIPTION = 1 << 31  # in the field for the channel: the rest is the number of a subscription

HAS_CHECKSUM, ACKNOWLEDGES = 1, 2

_HEADER = struct.Struct("<4sBBBBHHIQQQQIIII")
_CHECKED = struct.Struct("<4sBBBBHHIQQQQIII")
_CHECKSUM = struct.Struct("<I")


class Header(NamedTuple):
    """The fields of a header, as they came."""

    magic: bytes
    version: int
    type: int
    encoding: int
    element: int
    flags: int
    attribute_bytes: int
    channel: int
    sequence: int
    tag: int
    element_count: int
    array_bytes: int  # in a CHUNK the index of its first element
    payload_bytes: int
    payload_checksum: int
    acknowledged: int
    checksum: int


def unpack(buffer: "bytes | bytearray | memoryview", at: int = 0) -> Header:
    return Header._make(_HEADER.unpack_from(buffer, at))


#: Where fields begin in a header as a number, whose lowest byte is the first one.
FLAGS_BIT, SEQUENCE_BIT, TAG_BIT, ACKNOWLEDGED_BIT, CHECKSUM_BIT = 64, 128, 192, 448, 480


def kind(encoding: int, element: int, attribute_bytes: int, channel: int, count: int, size: int) -> int:
    """What the headers of arrays that fit into a frame have in common, as a number with zeros for all else."""
    header = _CHECKED.pack(
        FRAME_MAGIC, VERSION, ARRAY, encoding, element, 0, attribute_bytes, channel, 0, 0, count, size, size, 0, 0
    )
    return int.from_bytes(header, "little")


class HeaderWriter:
    """Makes headers, for one direction of one connection."""

    __slots__ = ("_checksum", "_made_for", "_made")

    def __init__(self) -> None:
        self._checksum = HeaderChecksum()
        self._made_for = 0, 0, 0, 0, 0
        self._made = b""  # a header, made before it is wanted

    def pack(
        self,
        type: int,
        encoding: int = 0,
        element: int = 0,
        flags: int = 0,
        attribute_bytes: int = 0,
        channel: int = 0,
        sequence: int = 0,
        tag: int = 0,
        count: int = 0,
        array_bytes: int = 0,
        payload_bytes: int = 0,
        payload_checksum: int = 0,
        acknowledged: int = 0,
    ) -> bytes:
        start = _CHECKED.pack(
            FRAME_MAGIC, VERSION, type, encoding, element, flags, attribute_bytes, channel, sequence, tag, count,
            array_bytes, payload_bytes, payload_checksum, acknowledged,
        )  # fmt: skip
        return start + _CHECKSUM.pack(self._checksum.of(start))

    def like(self, kind: int, sequence: int, tag: int, flags: int, acknowledged: int) -> bytes:
        """One of a kind; it may have been made ahead."""
        if (kind, sequence, tag, flags, acknowledged) == self._made_for:
            return self._made
        return self.one_like(kind, sequence, tag, flags, acknowledged)

    def make_ahead(self, kind: int, sequence: int, tag: int, flags: int, acknowledged: int) -> None:
        """Makes the one that is likely to be wanted next, while there is time."""
        self._made = self.one_like(kind, sequence, tag, flags, acknowledged)
        self._made_for = kind, sequence, tag, flags, acknowledged

    def one_like(self, kind: int, sequence: int, tag: int, flags: int, acknowledged: int) -> bytes:
        """One of a kind, made now."""
        header = kind | sequence << SEQUENCE_BIT
        if tag:
            header |= tag << TAG_BIT
        if flags:
            header |= flags << FLAGS_BIT | acknowledged << ACKNOWLEDGED_BIT
        return (header | self._checksum.of_number(header) << CHECKSUM_BIT).to_bytes(HEADER_BYTES, "little")
