"""Reads and writes array messages with NumPy; written from docs/array-message.md alone.

array_message.py show FILE     prints tag, strings and parts
array_message.py copy FROM TO  reads a message and writes what it read
"""

import struct
import sys

import numpy as np

LETTERS = {1: "f4", 2: "i4", 3: "f8", 4: "i8", 5: "i2", 7: "i1", 8: "?", 9: "f2", 11: "u1", 12: "u2", 13: "u4", 14: "u8"}
# Characters and bfloat16, which NumPy has no numbers for: their bits, under names that tell them from uint16.
LETTERS |= {6: [("char", "u2")], 10: [("bf16", "u2")]}
CODES = {np.dtype(letter): code for code, letter in LETTERS.items()}
ORDERS = {1: "<", 2: ">"}

TABLE = []
for byte in range(256):
    for _ in range(8):
        byte = (byte >> 1) ^ (0x82F63B78 if byte & 1 else 0)
    TABLE.append(byte)


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = (crc >> 8) ^ TABLE[(crc ^ byte) & 0xFF]
    return crc ^ 0xFFFFFFFF


def padded(length):
    return (length + 7) // 8 * 8


def check(holds, code):
    if not holds:
        raise ValueError(code)


def read(data):
    """Tag, strings and parts of one message; the parts are views of its bytes."""
    check(len(data) >= 64, "TRUNCATED")
    magic, version, kind, encoding, element, flags, length = struct.unpack_from("<4sBBBBHH", data)
    channel, sequence, tag, count, size, payload, crc, acknowledged, head = struct.unpack_from(
        "<IQQQQIIII", data, 12
    )
    check(magic == b"\xf1AWF", "BAD_MAGIC")
    check(crc32c(data[:60]) == head, "HEADER_CHECKSUM")
    check(version == 2, "UNSUPPORTED_VERSION")
    check(kind == 1 and flags < 2, "UNKNOWN_CODE")
    check(channel == sequence == acknowledged == 0, "PROTOCOL_VIOLATION")
    check(encoding in (0, *ORDERS), "UNKNOWN_CODE")  # no blocks here: the Python package reads them
    check(length % 8 == 0 and payload == size, "BAD_LENGTH")
    check(len(data) == 64 + length + size, "TRUNCATED")
    check(flags == 0 or crc32c(data[64:]) == crc, "PAYLOAD_CHECKSUM")
    shape, strings, table, at = (count,), {}, [], 64
    while at < 64 + length:
        section, entries, section_bytes = struct.unpack_from("<HHI", data, at)
        check(16 <= section_bytes <= 64 + length - at, "BAD_LENGTH")
        entry = at + 8
        if section == 1:
            shape = struct.unpack_from(f"<{entries}Q", data, entry)
        elif section == 2:
            for _ in range(entries):
                key, value = struct.unpack_from("<HH", data, entry)
                text = data[entry + 4 : entry + 4 + key + value]
                strings[text[:key].decode()] = text[key:].decode()
                entry += 4 + key + value
        elif section == 3:
            for _ in range(entries):
                code, order, dimensions, name, _, elements = struct.unpack_from("<BBBBIQ", data, entry)
                dims = struct.unpack_from(f"<{dimensions}Q", data, entry + 16) or (elements,)
                entry += 16 + 8 * dimensions
                table.append((data[entry : entry + name].decode(), code, order, dims, elements))
                entry += padded(name)
        else:
            raise ValueError("UNKNOWN_CODE")
        at += section_bytes
    parts, at = {}, 64 + length
    for name, code, order, dims, elements in table or [("", element, encoding, shape, count)]:
        dtype = np.dtype(LETTERS[code]).newbyteorder(ORDERS[order])
        parts[name] = np.frombuffer(data, dtype, elements, at).reshape(dims)
        at += padded(elements * dtype.itemsize)
    return tag, strings, parts


def write(parts, tag=0, strings=None):
    """One message, little-endian, with a checksum; parts are arrays by name."""
    arrays = {name: np.ascontiguousarray(array) for name, array in parts.items()}
    one = list(arrays) == [""]
    attributes, payload, codes = b"", b"", (0, 0)
    if one:
        array = arrays[""]
        codes = (1, CODES[array.dtype.newbyteorder("=")])
        attributes = struct.pack(f"<HHI{array.ndim}Q", 1, array.ndim, 8 + 8 * array.ndim, *array.shape)
    if strings:
        entries = b""
        for key, value in strings.items():
            key, value = key.encode(), value.encode()
            entries += struct.pack("<HH", len(key), len(value)) + key + value
        entries = entries.ljust(padded(len(entries)), b"\0")
        attributes += struct.pack("<HHI", 2, len(strings), 8 + len(entries)) + entries
    table = b""
    for name, array in arrays.items():
        name = name.encode()
        code = CODES[array.dtype.newbyteorder("=")]
        table += struct.pack("<BBBBIQ", code, 1, array.ndim, len(name), 0, array.size)
        table += struct.pack(f"<{array.ndim}Q", *array.shape) + name.ljust(padded(len(name)), b"\0")
        content = array.astype(array.dtype.newbyteorder("<")).tobytes()
        payload += content if one else content.ljust(padded(len(content)), b"\0")
    if not one:
        attributes += struct.pack("<HHI", 3, len(arrays), 8 + len(table)) + table
    count = sum(array.size for array in arrays.values())
    header = struct.pack(
        "<4sBBBBHHIQQQQIII",
        *(b"\xf1AWF", 2, 1, *codes, 1, len(attributes), 0, 0, tag, count),
        *(len(payload), len(payload), crc32c(attributes + payload), 0),
    )
    return header + struct.pack("<I", crc32c(header)) + attributes + payload


def main(command, source, target=None):
    with open(source, "rb") as file:
        tag, strings, parts = read(file.read())
    if command == "show":
        print(f"tag {tag}")
        for key, value in strings.items():
            print(f"{key} = {value}")
        for name, array in parts.items():
            print(f"{name or '-'} {array.dtype.name} {array.shape} {array.ravel().tolist()}")
    else:
        with open(target, "wb") as file:
            file.write(write(parts, tag, strings))


if __name__ == "__main__":
    main(*sys.argv[1:])
