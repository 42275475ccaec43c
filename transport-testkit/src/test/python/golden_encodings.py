#!/usr/bin/env python3
"""Writes the golden files of Arraywire's standard encodings.

    python3 golden_encodings.py [directory]

One file for each encoding, element type and count: <encoding>-<type>-<count>.bin, which holds an array
as it is on the wire, prefix included. The files are committed and must never change: a peer of an older
version still reads and writes them.

This program shares nothing with the Java code. It goes by docs/protocol.md, by the Java Object
Serialization Specification (6.4.2 the stream, 4.6 the serialVersionUID) and by the protobuf encoding
guide. The values are also in GoldenArrays.java, which the contract of the test kit compares with.
"""

import hashlib
import pathlib
import struct
import sys

# name: (letter of the array class, struct format, values); no letter: not in java-object
TYPES = {
    "float": ("F", "f", [1.0, -0.0, 2.0**-149, (2 - 2.0**-23) * 2.0**127, 0x7FC12345]),
    "int": ("I", "i", [1, -1, -(2**31), 2**31 - 1, 0x01020304]),
    "double": ("D", "d", [1.0, -0.0, 2.0**-1074, sys.float_info.max, 0x7FF8000000012345]),
    "long": ("J", "q", [1, -1, -(2**63), 2**63 - 1, 0x0102030405060708]),
    "short": ("S", "h", [1, -1, -(2**15), 2**15 - 1, 0x0102]),
    "char": ("C", "H", [0x41, 0, 0xFFFF, 0xD800, 0x0102]),
    "byte": ("B", "b", [1, -1, -(2**7), 2**7 - 1, 0x55]),
    "boolean": ("Z", "?", [True, False, True, True, False]),
    "fp16": ("", "e", [1.0, -0.0, 2.0**-24, 65504.0, 0x7E01]),
    "bf16": ("", "H", [0x3F80, 0x8000, 0x0001, 0x7F7F, 0x7FC1]),  # 1, -0, the smallest, the largest, a NaN
    "uint8": ("", "B", [1, 2**8 - 1, 2**7, 2**7 - 1, 0x55]),
    "uint16": ("", "H", [1, 2**16 - 1, 2**15, 2**15 - 1, 0x0102]),
    "uint32": ("", "I", [1, 2**32 - 1, 2**31, 2**31 - 1, 0x01020304]),
    "uint64": ("", "Q", [1, 2**64 - 1, 2**63, 2**63 - 1, 0x0102030405060708]),
}

# Integers among floats are the bits of a NaN: Python does not promise to keep them in a float.
NAN_BITS = {"e": "H", "f": "I", "d": "Q"}


def elements(order, fmt, values):
    out = b""
    for value in values:
        as_bits = fmt in NAN_BITS and isinstance(value, int)
        out += struct.pack(order + (NAN_BITS[fmt] if as_bits else fmt), value)
    return out


def serial_version_uid(letter):
    """The default UID: of an array class only name and modifiers (public abstract final) count."""
    name = "[" + letter
    described = struct.pack(">H", len(name)) + name.encode() + struct.pack(">i", 0x0411)
    return hashlib.sha1(described).digest()[7::-1]


def java_object(letter, fmt, values):
    name = "[" + letter
    return (
        struct.pack(">HH", 0xACED, 5)  # STREAM_MAGIC, STREAM_VERSION
        + b"\x75"  # TC_ARRAY
        + b"\x72"  # TC_CLASSDESC
        + struct.pack(">H", len(name))
        + name.encode()
        + serial_version_uid(letter)
        + b"\x02"  # SC_SERIALIZABLE
        + struct.pack(">H", 0)  # no fields
        + b"\x78"  # TC_ENDBLOCKDATA
        + b"\x70"  # TC_NULL: no superclass
        + struct.pack(">i", len(values))
        + elements(">", fmt, values)
    )


def varint(value):
    out = b""
    while value >= 0x80:
        out += bytes([value & 0x7F | 0x80])
        value >>= 7
    return out + bytes([value])


def protobuf(fmt, values):
    body = elements("<", fmt, values)
    return b"\x0a" + varint(len(body)) + body if body else b""


def main():
    here = pathlib.Path(__file__).resolve().parent
    default = here / "../../main/resources/io/arraywire/testkit/golden/encodings"
    directory = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else default
    directory.mkdir(parents=True, exist_ok=True)
    for name, (letter, fmt, all_values) in TYPES.items():
        for count in (0, 1, 5):
            values = all_values[:count]
            files = {
                "raw-le": elements("<", fmt, values),
                "raw-be": elements(">", fmt, values),
            }
            if letter:
                files["java-object"] = java_object(letter, fmt, values)
            if name in ("float", "int", "double", "long"):
                files["protobuf"] = protobuf(fmt, values)
            for encoding, content in files.items():
                (directory / f"{encoding}-{name}-{count}.bin").write_bytes(content)


if __name__ == "__main__":
    main()
