#!/usr/bin/env python3
"""Writes the golden files of array messages, and their hex as docs/array-message.md has it.

    python3 make_message_golden.py [directory]
    python3 make_message_golden.py --hex

The files are committed and must never change: a peer of an older version still reads and writes them.

This program shares nothing with the Java code. It goes by docs/array-message.md and by RFC 3720 for
CRC32C. The values are also in GoldenMessageTest.java.
"""

import pathlib
import struct
import sys

TYPES = {  # code and struct format
    "float": (1, "f"),
    "int": (2, "i"),
    "double": (3, "d"),
    "long": (4, "q"),
    "short": (5, "h"),
    "char": (6, "H"),
    "byte": (7, "b"),
    "boolean": (8, "?"),
    "fp16": (9, "e"),
    "bf16": (10, "H"),  # its bits
    "uint8": (11, "B"),
    "uint16": (12, "H"),
    "uint32": (13, "I"),
    "uint64": (14, "Q"),
}
ENCODINGS = {"raw-le": (1, "<"), "raw-be": (2, ">")}

# Integers among floats are the bits of a NaN: Python does not promise to keep them in a float.
NAN_BITS = {"e": "H", "f": "I", "d": "Q"}


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = (crc >> 1) ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def zeros(length):
    return bytes(-length % 8)


def elements(order, fmt, values):
    out = b""
    for value in values:
        as_bits = fmt in NAN_BITS and isinstance(value, int)
        out += struct.pack(order + (NAN_BITS[fmt] if as_bits else fmt), value)
    return out


def numbers(values):
    return ", ".join(f"0x{v:x}" if isinstance(v, int) and v > 1 << 30 else str(v) for v in values)


class Part:
    """An encoding of its own is for a part of a table. Blocks are those of such a part, each a list of pieces."""

    def __init__(self, name, kind, values, shape=(), encoding=None, blocks=None):
        self.name, self.kind, self.values, self.shape = name.encode(), kind, values, shape
        self.encoding, self.blocks = encoding, blocks

    def entry(self, common):
        encoding = self.encoding or common
        code = TYPES[self.kind][0]
        of_encoding = IN_BLOCKS.get(encoding) or ENCODINGS[encoding][0]
        yield (
            struct.pack("<BBBBI", code, of_encoding, len(self.shape), len(self.name), 0),
            f"{self.kind}, {encoding}, {len(self.shape)} dimensions, {len(self.name)} bytes of name, 0",
        )
        yield struct.pack("<Q", len(self.values)), f"{len(self.values)} elements"
        for dimension in self.shape:
            yield struct.pack("<Q", dimension), f"dimension {dimension}"
        if self.name:
            yield self.name + zeros(len(self.name)), f"{self.name.decode()}, zeros"

    def payload(self, common):
        encoding = self.encoding or common
        order = ENCODINGS[encoding][1] if encoding in ENCODINGS else "<"
        return elements(order, TYPES[self.kind][1], self.values)


# Blocks of elements, docs/protocol.md#blocks. Planes by the formats' own specifications.

IN_BLOCKS = {"shuffle-zstd": 16, "shuffle-lz4": 17, "bf16": 24, "fp16": 25}


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


def block(pieces, count, raw=False):
    length = sum(len(piece) for piece, _ in pieces)
    head = struct.pack("<II", length | raw << 31, count)
    return [(head, f"{length} {'raw ' if raw else ''}bytes follow, {count} elements"), *pieces]


def planes(compress, what, value, count):
    compressed = [(compress(byte, count), f"{what}: {byte:02x}, {count} times") for byte in struct.pack("<f", value)]
    table = struct.pack("<4I", *(len(plane) for plane, _ in compressed))
    return block([(table, f"four planes of {len(compressed[0][0])} bytes"), *compressed], count)


# 300 times 1.5 as wholes, and 200 times 1.5 and 100 times 0.1 as values and indices; make_wire_golden.py says how they are made.

LZ4_WHOLE = bytes.fromhex("4f 0000c03f 0400 ffffffff98 50 3f0000c03f")
LZ4_INDICES = bytes.fromhex("1f 00 0100 b4 1f 01 0100 4b 50 0101010101")
ZSTD_WHOLE = bytes.fromhex("28b52ffd 60 b003 650000 20 0000c03f 01 54 04 02 2e a91c")
ZSTD_INDICES = bytes.fromhex("28b52ffd 60 2c00 420600 00 230300 01")


def whole(compressed, what):
    return block([(struct.pack("<I", 1 << 30), "elements as wholes"), (compressed, f"{what}: 1.5, 300 times")], 300)


def two_values(indices, what):
    words = struct.pack("<5I", 1 << 30 | 2, *4 * [1 << 31 | 2])
    pairs = b"".join(bytes(pair) for pair in zip(struct.pack("<f", 1.5), struct.pack("<f", 0.1)))
    return block(
        [
            (words, "2 values, whose four planes are raw"),
            (struct.pack("<I", len(indices)), f"{len(indices)} bytes of indices"),
            (pairs, "the planes of 1.5 and 0.1"),
            (indices, f"{what}: 0, 200 times, and 1, 100 times"),
        ],
        300,
    )


def bf16(value):
    (bits,) = struct.unpack("<I", struct.pack("<f", value))
    return struct.pack("<H", bits + 0x7FFF + (bits >> 16 & 1) >> 16)


def message(parts, tag=0, strings=None, encoding="raw-le", checksum=True, blocks=None):
    """A list of pieces: bytes and what they are. With blocks: of the only part, which has no name."""
    table = len(parts) > 1 or parts[0].name != b""
    attributes = []
    if not table and parts[0].shape:
        shape = parts[0].shape
        attributes.append(
            (struct.pack("<HHI", 1, len(shape), 8 + 8 * len(shape)), f"shape: {len(shape)} dimensions, {8 + 8 * len(shape)} bytes")
        )
        attributes += [(struct.pack("<Q", d), f"dimension {d}") for d in shape]
    if strings:
        entries = []
        for key, value in strings.items():
            k, v = key.encode(), value.encode()
            entries.append((struct.pack("<HH", len(k), len(v)), f"{len(k)} bytes of key, {len(v)} of value"))
            entries.append((k, key))
            if v:
                entries.append((v, value))
        length = sum(len(piece) for piece, _ in entries)
        if length % 8:
            entries.append((zeros(length), "zeros"))
        length += len(zeros(length))
        attributes.append(
            (struct.pack("<HHI", 2, len(strings), 8 + length), f"strings: {len(strings)}, {8 + length} bytes")
        )
        attributes += entries
    if table:
        entries = [piece for part in parts for piece in part.entry(encoding)]
        length = sum(len(piece) for piece, _ in entries)
        attributes.append(
            (struct.pack("<HHI", 3, len(parts), 8 + length), f"table: {len(parts)} parts, {8 + length} bytes")
        )
        attributes += entries
    payload = []
    array_bytes = 0
    for part in parts:
        content = part.payload(encoding)
        array_bytes += len(content + zeros(len(content))) if table else len(content)
        runs = [[(content, numbers(part.values))]] if content else []
        for run in runs if part.blocks is None else part.blocks:
            payload += run
            length = sum(len(piece) for piece, _ in run)
            if table and length % 8:
                payload.append((zeros(length), "zeros"))
    if blocks:
        payload = blocks
    attribute_bytes = b"".join(piece for piece, _ in attributes)
    payload_bytes = b"".join(piece for piece, _ in payload)
    assert len(attribute_bytes) % 8 == 0
    code = 0 if table else IN_BLOCKS.get(encoding) or ENCODINGS[encoding][0]
    element = 0 if table else TYPES[parts[0].kind][0]
    count = sum(len(part.values) for part in parts)
    crc = crc32c(attribute_bytes + payload_bytes) if checksum else 0
    what = "a table" if table else f"{encoding}, {parts[0].kind}"
    head = [
        (b"\xf1AWF" + bytes([2, 1, code, element]), f"magic, version 2, ARRAY, {what}"),
        (
            struct.pack("<HHI", 1 if checksum else 0, len(attribute_bytes), 0),
            f"{'flag bit 0' if checksum else 'no flags'}, {len(attribute_bytes)} attribute bytes, channel 0",
        ),
        (struct.pack("<Q", 0), "sequence 0"),
        (struct.pack("<Q", tag), f"tag {tag}" if tag else "no tag"),
        (struct.pack("<Q", count), f"{count} elements"),
        (
            struct.pack("<Q", array_bytes),
            f"{array_bytes} array bytes"
            + (": what they take where they are plain" if blocks or any(part.blocks for part in parts) else ""),
        ),
        (
            struct.pack("<II", len(payload_bytes), crc),
            f"{len(payload_bytes)} payload bytes, " + ("CRC32C of attributes and payload" if checksum else "no checksum"),
        ),
    ]
    before = b"".join(piece for piece, _ in head) + bytes(4)
    head.append((bytes(4) + struct.pack("<I", crc32c(before)), "no acknowledgement, CRC32C of the 60 bytes before"))
    return head + attributes + payload


TRACE = {"traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}
IDS_AND_SCORES = [Part("ids", "int", [7, 42, 5]), Part("scores", "float", [0.5, 0.25, -1.0])]

ONE = [1.0, -2.5, 0.1]
SAME = Part("", "float", [1.5] * 300)

MESSAGES = {
    "one": message([Part("", "float", [1.0, -2.5, 0.1])]),
    "one-shape": message(
        [Part("", "float", [0.0, 1.0, 2.0, 3.0, 4.0, 5.0], (2, 3))], tag=7, strings={"unit": "K", "note": ""}
    ),
    "parts": message(IDS_AND_SCORES, tag=1, strings=TRACE),
    "parts-big-endian": message(IDS_AND_SCORES, encoding="raw-be", checksum=False),
    "named": message([Part("table", "short", [1, 2, 3, 4, 5, 6], (3, 2))]),
    "names": message(
        [Part("", "byte", [1]), Part("größe", "byte", [2]), Part("𝛼", "byte", []), Part("12345678", "byte", [3])]
    ),
    "empty": message([Part("", "double", [])]),
    "zero-dimension": message([Part("", "long", [], (1 << 62, 0, 1 << 62))]),
    "types": message(
        [
            Part("float", "float", [1.0, -0.0, 2.0**-149, 0x7FC12345, 0xFFA00001]),
            Part("int", "int", [1, -1, -(2**31), 2**31 - 1, 0x01020304]),
            Part("double", "double", [1.0, -0.0, 2.0**-1074, 0x7FF8000000012345, 0xFFF4000000000001]),
            Part("long", "long", [1, -1, -(2**63), 2**63 - 1, 0x0102030405060708]),
            Part("short", "short", [1, -1, -(2**15), 2**15 - 1, 0x0102]),
            Part("char", "char", [0x41, 0, 0xFFFF, 0xD800, 0x0102]),
            Part("byte", "byte", [1, -1, -(2**7), 2**7 - 1, 0x55]),
            Part("boolean", "boolean", [True, False, True, True, False]),
        ],
        tag=(1 << 64) - 1,
    ),
    "types-carried": message(
        [
            Part("fp16", "fp16", [1.0, -0.0, 2.0**-24, 65504.0, 0x7E01]),
            Part("bf16", "bf16", [0x3F80, 0x8000, 0x0001, 0x7F7F, 0x7FC1]),
            Part("uint8", "uint8", [1, 2**8 - 1, 2**7, 2**7 - 1, 0x55]),
            Part("uint16", "uint16", [1, 2**16 - 1, 2**15, 2**15 - 1, 0x0102]),
            Part("uint32", "uint32", [1, 2**32 - 1, 2**31, 2**31 - 1, 0x01020304]),
            Part("uint64", "uint64", [1, 2**64 - 1, 2**63, 2**63 - 1, 0x0102030405060708]),
        ]
    ),
    "shuffle-zstd": message(
        [SAME], tag=7, encoding="shuffle-zstd", blocks=planes(zstd_of, "a frame of zstd", 1.5, 300)
    ),
    # Two blocks, the first of which is raw.
    "shuffle-lz4": message(
        [Part("", "float", ONE + SAME.values, (303, 1))],
        encoding="shuffle-lz4",
        blocks=block([(elements("<", "f", ONE), numbers(ONE))], 3, raw=True)
        + planes(lz4_of, "a block of LZ4", 1.5, 300),
    ),
    "shuffle-zstd-layouts": message(
        [Part("", "float", 500 * [1.5] + 100 * [0.1])],
        encoding="shuffle-zstd",
        blocks=whole(ZSTD_WHOLE, "a frame of zstd") + two_values(ZSTD_INDICES, "a frame of zstd"),
    ),
    "shuffle-lz4-layouts": message(
        [Part("", "float", 500 * [1.5] + 100 * [0.1])],
        encoding="shuffle-lz4",
        blocks=whole(LZ4_WHOLE, "a block of LZ4") + two_values(LZ4_INDICES, "a block of LZ4"),
    ),
    "bf16": message(
        [Part("", "float", ONE)], encoding="bf16", blocks=block([(b"".join(map(bf16, ONE)), numbers(ONE))], 3)
    ),
    "fp16": message(
        [Part("", "float", ONE)],
        encoding="fp16",
        checksum=False,
        blocks=block([(struct.pack("<3e", *ONE), numbers(ONE))], 3),
    ),
    # Encodings of parts: one in blocks, one raw, an empty one in blocks, one big-endian.
    "parts-blocks": message(
        [
            Part("scores", "float", ONE, encoding="bf16", blocks=[block([(b"".join(map(bf16, ONE)), numbers(ONE))], 3)]),
            Part("ids", "int", [7, 42, 5]),
            Part("none", "float", [], encoding="fp16", blocks=[]),
            Part("big", "short", [1, -2], encoding="raw-be"),
        ],
        tag=9,
    ),
    # Two blocks of a part, the first of which is raw.
    "parts-compressed": message(
        [
            Part("mask", "byte", [1, 0, 1]),
            Part(
                "weights",
                "float",
                ONE + SAME.values,
                (303, 1),
                encoding="shuffle-lz4",
                blocks=[
                    block([(elements("<", "f", ONE), numbers(ONE))], 3, raw=True),
                    planes(lz4_of, "a block of LZ4", 1.5, 300),
                ],
            ),
            Part("same", "float", SAME.values, encoding="shuffle-zstd", blocks=[planes(zstd_of, "a frame of zstd", 1.5, 300)]),
            Part("last", "byte", [7]),
        ],
        checksum=False,
    ),
}


def show(pieces):
    for piece, what in pieces:
        for at in range(0, len(piece), 16):
            line = " ".join(f"{byte:02x}" for byte in piece[at : at + 16])
            print(f"{line:<23} ; {what}" if at == 0 else line)


def main():
    here = pathlib.Path(__file__).resolve().parent
    if sys.argv[1:] == ["--hex"]:
        for name, pieces in MESSAGES.items():
            print(f"```hex message-v2/{name}.bin")
            show(pieces)
            print("```\n")
        return
    default = here / "../../main/resources/io/arraywire/testkit/golden/message-v2"
    directory = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else default
    directory.mkdir(parents=True, exist_ok=True)
    for name, pieces in MESSAGES.items():
        (directory / f"{name}.bin").write_bytes(b"".join(piece for piece, _ in pieces))


if __name__ == "__main__":
    main()
