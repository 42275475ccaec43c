#!/usr/bin/env python3
"""Writes the golden files of Arraywire's wire version 2.

    python3 make_wire_golden.py [directory]

One file for each handshake message and frame type, and for each encoding in a frame. The files are
committed; once the version is published they must never change.

This program shares nothing with the Java code. It goes by docs/protocol.md, by RFC 3720 for CRC32C and
by the protobuf encoding guide. The values are also in GoldenWireTest.java.
"""

import pathlib
import struct
import sys

CHECKSUM, ACKNOWLEDGES = 1, 2
ARRAY, CHUNK, ACK, CREDIT, PING, PONG, ERROR, GOODBYE, ABORT, REJECTED, CANCEL = range(1, 12)
SUBSCRIBE, SUBSCRIBED, UNSUBSCRIBE, UNSUBSCRIBED = range(12, 16)
RAW_LE, RAW_BE, JAVA_OBJECT, PROTOBUF = 1, 2, 3, 4
SHUFFLE_ZSTD, SHUFFLE_LZ4, BF16, FP16 = 16, 17, 24, 25
RUNS = 210  # a custom encoding in blocks, of the tests
FLOAT, INT, SHORT, BYTE = 1, 2, 5, 7
SUBSCRIPTION = 1 << 31  # in the field for the channel


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = (crc >> 1) ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


# Protobuf by hand: a field is its key, number << 3 | wire type, and its value.


def varint(value):
    out = b""
    while value >= 0x80:
        out += bytes([value & 0x7F | 0x80])
        value >>= 7
    return out + bytes([value])


def number(field, value):
    return varint(field << 3) + varint(value)


def delimited(field, content):
    return varint(field << 3 | 2) + varint(len(content)) + content


def packed(field, values):
    return delimited(field, b"".join(varint(value) for value in values))


# The handshake.


def preamble(message, least=2, most=2):
    head = b"\xf1AWH" + struct.pack("<BBHIII", least, most, 0, len(message), crc32c(message), 0)
    return head + struct.pack("<I", crc32c(head)) + message


def encoding_name(code, name):
    return delimited(1, number(1, code) + delimited(2, name.encode()))


ALL_ENCODINGS = (
    encoding_name(1, "raw-le")
    + encoding_name(2, "raw-be")
    + encoding_name(3, "java-object")
    + encoding_name(4, "protobuf")
)

HELLO = (
    ALL_ENCODINGS
    + packed(2, [1, 2, 3, 4, 5, 6, 7, 8])
    + number(3, 1)  # little-endian host
    + number(4, 1 << 30)
    + number(5, 1 << 20)
    + number(6, 1)  # checksums
)


def flow(channels, channel_credit, connection_credit, heartbeat_millis, subscriptions):
    return (
        number(11, channels)
        + number(12, channel_credit)
        + number(13, connection_credit)
        + number(14, heartbeat_millis)
        + (number(21, subscriptions) if subscriptions else b"")
    )


# 256 channels of 1 MiB, 16 MiB in all, a heartbeat every 5 s, 64 subscriptions.
FLOW = flow(256, 1 << 20, 16 << 20, 5000, 64)

WELCOME = (
    encoding_name(1, "raw-le")
    + encoding_name(2, "raw-be")
    + packed(2, [1, 2])
    + number(3, 2)  # big-endian host
    + number(4, (1 << 63) - 1)
    + number(5, 0xFFFFFFFF)
    + delimited(8, b"golden 1")
    + number(10, 2)  # wire version
    + flow((1 << 31) - 1, (1 << 63) - 1, (1 << 63) - 1, (1 << 32) - 1, 0)
)


def fault(code, text):
    return number(1, code) + delimited(2, text.encode())


# The sections between header and payload.


def section(kind, entries, content):
    content += bytes(-len(content) % 8)
    return struct.pack("<HHI", kind, entries, 8 + len(content)) + content


def shape(*dimensions):
    return section(1, len(dimensions), struct.pack(f"<{len(dimensions)}Q", *dimensions))


def strings(**entries):
    content = b""
    for key, value in entries.items():
        key, value = key.encode(), value.encode()
        content += struct.pack("<HH", len(key), len(value)) + key + value
    return section(2, len(entries), content)


def table(*parts):
    """Parts are name, element type, count and, if it is not raw-le, encoding. They have no shape."""
    content = b""
    for name, element, count, *encoding in parts:
        name = name.encode()
        content += struct.pack("<BBBBIQ", element, *(encoding or [RAW_LE]), 0, len(name), 0, count)
        content += name + bytes(-len(name) % 8)
    return section(3, len(parts), content)


def numbered(kind, value):
    return section(kind, 1, struct.pack("<Q", value))


def in_session(value):
    return numbered(16, value)


def request(value):
    return numbered(17, value)


def reply(value):
    return numbered(18, value)


def reply_fault(code, text):
    text = text.encode()
    return section(19, 1, struct.pack("<II", code, len(text)) + text)


def publication(value):
    return numbered(20, value)


# Frames.


def frame(
    kind,
    encoding=0,
    element=0,
    flags=0,
    attributes=b"",
    sequence=0,
    tag=0,
    count=0,
    array_bytes=0,
    payload=b"",
    acknowledged=0,
    channel=0,
):
    checksum = crc32c(attributes + payload) if flags & CHECKSUM else 0
    head = b"\xf1AWF" + struct.pack(
        "<BBBBHHIQQQQIII",
        2,  # version
        kind,
        encoding,
        element,
        flags,
        len(attributes),
        channel,
        sequence,
        tag,
        count,
        array_bytes,
        len(payload),
        checksum,
        acknowledged,
    )
    return head + struct.pack("<I", crc32c(head)) + attributes + payload


def array(encoding, payload, count, flags=CHECKSUM, sequence=1, **more):
    return frame(
        ARRAY,
        encoding=encoding,
        element=FLOAT,
        flags=flags,
        sequence=sequence,
        count=count,
        array_bytes=len(payload),
        payload=payload,
        **more,
    )


VALUES = [1.0, -2.5, 0.1]
LITTLE = struct.pack("<3f", *VALUES)
BIG = struct.pack(">3f", *VALUES)

# The serialization stream of a float[]: magic, version 5, TC_ARRAY, TC_CLASSDESC, "[F", its
# serialVersionUID, SC_SERIALIZABLE, no fields, TC_ENDBLOCKDATA, no superclass, length.
FLOATS_OBJECT = bytes.fromhex("aced0005 7572 0002 5b46 0b9c818922e00c42 02 0000 78 70")


def chunks():
    first, rest = LITTLE[:8], LITTLE[8:]
    common = dict(encoding=RAW_LE, element=FLOAT, flags=CHECKSUM, sequence=1, count=3)
    return frame(ARRAY, array_bytes=12, payload=first, **common) + frame(
        CHUNK, array_bytes=2, payload=rest, **common
    )


def block(content, count, raw=False):
    return struct.pack("<II", len(content) | raw << 31, count) + content


# 300 times 1.5, in two runs: how many there are, less one, and the element.
RUN = bytes([255]) + struct.pack("<f", 1.5) + bytes([43]) + struct.pack("<f", 1.5)


def in_blocks(count, payload, encoding=RUNS):
    return frame(
        ARRAY, encoding=encoding, element=FLOAT, flags=CHECKSUM, sequence=1, count=count,
        array_bytes=4 * count, payload=payload,
    )


# The four planes of 300 times 1.5, each one byte 300 times, by the formats' own specifications.


def lz4_of(byte, count):
    """One literal, a match that goes back by one, and five literals, with which every block ends."""
    more = count - 6 - 4 - 15
    assert 0 <= more
    match = b"\xff" * (more // 255) + bytes([more % 255])
    return bytes([1 << 4 | 15, byte]) + struct.pack("<H", 1) + match + bytes([5 << 4]) + 5 * bytes([byte])


def zstd_of(byte, count):
    """A frame of a single segment with the size of its content in two bytes, and one block of type RLE."""
    size = struct.pack("<H", count - 256)
    block_header = struct.pack("<I", count << 3 | 1 << 1 | 1)[:3]
    return bytes.fromhex("28b52ffd 60") + size + block_header + bytes([byte])


def planes(compress):
    compressed = [compress(byte, 300) for byte in struct.pack("<f", 1.5)]
    table = struct.pack("<4I", *(len(plane) for plane in compressed))
    return block(table + b"".join(compressed), 300)


# 300 times 1.5 as wholes, and 200 times 1.5 and 100 times 0.1 as values and indices.

LZ4_WHOLE = bytes.fromhex("4f 0000c03f 0400 ffffffff98 50 3f0000c03f")
"""Four literals, a match of 1191 bytes that goes back by 4, and five literals."""

LZ4_INDICES = bytes.fromhex("1f 00 0100 b4 1f 01 0100 4b 50 0101010101")
"""A literal and a match of 199, a literal and a match of 94, each by 1; and five literals."""

ZSTD_WHOLE = bytes.fromhex("28b52ffd 60 b003 650000 20 0000c03f 01 54 04 02 2e a91c")
"""1200 bytes in one compressed block. Four raw literals; one sequence, each of whose codes is of type RLE: 4 literals, offset
code 2, match code 46. The bits from the end: 1; 3, so the offset is 4 + 3 - 3; 169, so the match is 1027 + 169."""

ZSTD_INDICES = bytes.fromhex("28b52ffd 60 2c00 420600 00 230300 01")
"""300 bytes in two blocks of type RLE, of 200 and 100."""

NOT_PLANES = 1 << 30
PLANE_RAW = 1 << 31


def whole(compressed):
    return block(struct.pack("<I", NOT_PLANES) + compressed, 300)


def two_values(indices):
    """The planes of 1.5 and 0.1 are raw."""
    words = struct.pack("<6I", NOT_PLANES | 2, *4 * [PLANE_RAW | 2], len(indices))
    pairs = b"".join(bytes(pair) for pair in zip(struct.pack("<f", 1.5), struct.pack("<f", 0.1)))
    return block(words + pairs + indices, 300)


def bf16(value):
    (bits,) = struct.unpack("<I", struct.pack("<f", value))
    return struct.pack("<H", bits + 0x7FFF + (bits >> 16 & 1) >> 16)


IDS_AND_SCORES = struct.pack("<3i4x2f", 7, 42, 5, 0.5, -1.0)
PARTS = dict(
    flags=CHECKSUM,
    sequence=1,
    tag=9,
    count=5,
    attributes=strings(unit="K") + table(("ids", 2, 3), ("scores", FLOAT, 2)),
)


def to_eight(content):
    return content + bytes(-len(content) % 8)


# Parts of which some are in blocks: three raw ids, 303 scores in two blocks, none in none, five bytes in
# one block, a raw short. Where they are plain they take 16, 1216, 0, 8 and 8 bytes.
IDS = to_eight(struct.pack("<3i", 7, 42, 5))
SCORES = [to_eight(block(LITTLE, 3, raw=True)), to_eight(block(RUN, 300))]
MASK = to_eight(block(bytes([4, 6]), 5))
TAIL = to_eight(struct.pack("<h", -2))
MIXED = dict(flags=CHECKSUM, sequence=1, count=312)
MIXED_TABLE = table(
    ("ids", INT, 3), ("scores", FLOAT, 303, RUNS), ("none", FLOAT, 0, RUNS), ("mask", BYTE, 5, RUNS), ("tail", SHORT, 1)
)


def mixed(first, *rest):
    """In chunks, each with what came before it as plain bytes."""
    return frame(ARRAY, array_bytes=1248, payload=first, attributes=MIXED_TABLE, **MIXED) + b"".join(
        frame(CHUNK, array_bytes=before, payload=payload, **MIXED) for before, payload in rest
    )


FILES = {
    "hello": preamble(delimited(1, HELLO + delimited(8, b"golden 1") + FLOW)),
    "hello-token": preamble(
        delimited(1, HELLO + delimited(7, b"open sesame") + delimited(8, b"golden 1") + FLOW)
    ),
    # From a peer of a later version: frame versions 2 to 3, fields that version 2 does not know.
    "hello-later": preamble(
        delimited(
            1,
            HELLO
            + delimited(8, b"golden")
            + delimited(9, b"3")
            + flow(7, 1 << 20, 16 << 20, 5000, 64)
            + delimited(22, b"an identity")
            + delimited(1000, b"?"),
        )
        + number(9, 1),
        most=3,
    ),
    # A request, its reply, the reply that says why there is none (both acknowledge the request), and
    # that nobody waits any more.
    "request": array(RAW_LE, LITTLE, 3, attributes=request(1)),
    "reply": array(
        RAW_LE, LITTLE, 3, flags=CHECKSUM | ACKNOWLEDGES, acknowledged=1, attributes=reply(1)
    ),
    "reply-fault": frame(
        ARRAY,
        encoding=RAW_LE,
        element=FLOAT,
        flags=CHECKSUM | ACKNOWLEDGES,
        acknowledged=1,
        sequence=1,
        attributes=reply(1) + reply_fault(46, "there is no such table"),
    ),
    "cancel": frame(CANCEL, tag=1),
    # Subscription 0 is for the subject "prices", of which the oldest arrays are dropped above 1 MiB. It
    # begins; the first array comes; the third, since the second was dropped; it is given up, and over.
    # Or the publisher gives it up.
    "subscribe": frame(
        SUBSCRIBE,
        channel=SUBSCRIPTION,
        payload=delimited(1, b"prices") + number(2, 2) + number(3, 1 << 20),
    ),
    "subscribed": frame(SUBSCRIBED, channel=SUBSCRIPTION),
    "published": array(RAW_LE, LITTLE, 3, channel=SUBSCRIPTION, attributes=publication(1)),
    "published-gap": array(RAW_LE, LITTLE, 3, channel=SUBSCRIPTION, sequence=2, attributes=publication(3)),
    "unsubscribe": frame(UNSUBSCRIBE, channel=SUBSCRIPTION),
    "unsubscribed": frame(UNSUBSCRIBED, channel=SUBSCRIPTION),
    "unsubscribed-fault": frame(
        UNSUBSCRIBED, channel=SUBSCRIPTION, payload=fault(51, "the subscriber took too little")
    ),
    # On channel 7: 1.5 MiB there and 20 MiB in all since the beginning; acknowledges 2 there.
    "credit": frame(
        CREDIT, flags=ACKNOWLEDGES, tag=3 << 19, count=20 << 20, acknowledged=2, channel=7
    ),
    "welcome": preamble(delimited(2, WELCOME)),
    "reject": preamble(
        delimited(
            3,
            fault(
                20,
                "the two sides have no encoding in common; configure a codec of a common one"
                " (here=[raw-le(1)], peer=[raw-be(2)])",
            ),
        )
    ),
    "array": array(RAW_LE, LITTLE, 3),
    "array-unchecked": array(RAW_LE, LITTLE, 3, flags=0),
    "array-empty": array(RAW_LE, b"", 0),
    "array-attributes": array(
        RAW_LE,
        struct.pack("<6f", *range(6)),
        6,
        tag=0x0102030405060708,
        attributes=shape(2, 3) + strings(unit="K"),
    ),
    # Three ids and two scores, in one frame and in two: bytes are cut anywhere.
    "parts": frame(ARRAY, array_bytes=24, payload=IDS_AND_SCORES, **PARTS),
    "parts-chunks": frame(ARRAY, array_bytes=24, payload=IDS_AND_SCORES[:10], **PARTS)
    + frame(CHUNK, array_bytes=10, payload=IDS_AND_SCORES[10:], **dict(PARTS, attributes=b"", tag=0)),
    "parts-blocks": mixed(IDS + b"".join(SCORES) + MASK + TAIL),
    # Chunks end inside a raw part, behind a block, and behind a part.
    "parts-blocks-chunks": mixed(
        IDS[:10],
        (10, IDS[10:] + SCORES[0]),
        (28, SCORES[1]),
        (1232, MASK + TAIL[:1]),
        (1241, TAIL[1:]),
    ),
    "array-fp16": frame(
        ARRAY, encoding=RAW_LE, element=9, flags=CHECKSUM, sequence=1, count=3, array_bytes=6,
        payload=struct.pack("<3e", 1.0, -2.5, 0.1),
    ),
    # One encoded block; a raw one and an encoded one in a frame.
    "array-block": in_blocks(300, block(RUN, 300)),
    "array-blocks": in_blocks(303, block(LITTLE, 3, raw=True) + block(RUN, 300)),
    "array-shuffle-zstd": in_blocks(300, planes(zstd_of), SHUFFLE_ZSTD),
    "array-shuffle-lz4": in_blocks(300, planes(lz4_of), SHUFFLE_LZ4),
    "array-shuffle-zstd-layouts": in_blocks(600, whole(ZSTD_WHOLE) + two_values(ZSTD_INDICES), SHUFFLE_ZSTD),
    "array-shuffle-lz4-layouts": in_blocks(600, whole(LZ4_WHOLE) + two_values(LZ4_INDICES), SHUFFLE_LZ4),
    "array-float-bf16": in_blocks(3, block(b"".join(map(bf16, VALUES)), 3), BF16),
    "array-float-fp16": in_blocks(3, block(struct.pack("<3e", *VALUES), 3), FP16),
    "array-raw-be": array(RAW_BE, BIG, 3),
    "array-java-object": array(JAVA_OBJECT, FLOATS_OBJECT + struct.pack(">i", 3) + BIG, 3),
    "array-protobuf": array(PROTOBUF, b"\x0a\x0c" + LITTLE, 3),
    "array-chunks": chunks(),
    "array-acknowledging": array(
        RAW_LE, LITTLE, 3, flags=CHECKSUM | ACKNOWLEDGES, sequence=2, acknowledged=2
    ),
    "ack": frame(ACK, sequence=2),
    "ping": frame(PING, tag=0xFEDCBA9876543210),
    "pong": frame(PONG, tag=0xFEDCBA9876543210),
    "error": frame(
        ERROR,
        payload=fault(
            6,
            "the array is larger than this side accepts (raise maxArrayBytes here)"
            " (declared=18446744073709551615, limit=1073741824)",
        ),
    ),
    "goodbye": frame(GOODBYE),
    "abort": frame(ABORT, sequence=1),
    "rejected": frame(
        REJECTED,
        sequence=1,
        payload=fault(42, "the handler threw java.io.IOException: disk full"),
    ),
    # Plain mode: one array and an empty one.
    "plain": struct.pack(">i", 3) + BIG + struct.pack(">i", 0),
}


def main():
    here = pathlib.Path(__file__).resolve().parent
    default = here / "../../main/resources/io/arraywire/testkit/golden/wire-v2"
    directory = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else default
    directory.mkdir(parents=True, exist_ok=True)
    assert crc32c(b"123456789") == 0xE3069283
    for name, content in FILES.items():
        (directory / f"{name}.bin").write_bytes(content)


if __name__ == "__main__":
    main()
