#!/usr/bin/env python3
"""Writes the seeds of the fuzz targets that take bytes.

    python3 make_fuzz_seeds.py [directory]

They are made of what make_wire_golden.py and make_message_golden.py make, and named golden-*; findings
lie beside them. The first
three bytes of an engine's input say how the connection is set up, see EngineFuzz.of.
"""

import pathlib
import struct
import sys

sys.dont_write_bytecode = True
import make_message_golden as whole  # noqa: E402
import make_wire_golden as wire  # noqa: E402

HANDLER, TARGETING, FRESH, INTO, LEASED = range(5)
CONNECTOR, CHECKSUMS, AWAITED = 8, 16, 128
WHOLE, ONE_BYTE, THREE_BYTES, RANDOM = 0, 1, 2, 77


def setting(taking, flags=0, sent=0, limits=0, cuts=WHOLE):
    return bytes([taking | flags | sent << 5, limits, cuts])


def session(flags):
    """Arrays of every encoding and every control frame, in order."""
    arrays = [
        wire.array(wire.RAW_LE, wire.LITTLE, 3, flags, sequence=1),
        wire.frame(wire.PING, tag=7),
        wire.array(wire.RAW_BE, wire.BIG, 3, flags, sequence=2),
        wire.array(
            wire.JAVA_OBJECT,
            wire.FLOATS_OBJECT + struct.pack(">i", 3) + wire.BIG,
            3,
            flags,
            sequence=3,
        ),
        wire.array(wire.PROTOBUF, b"\x0a\x0c" + wire.LITTLE, 3, flags, sequence=4),
        wire.array(200, bytes(range(9)), 3, flags, sequence=5),  # EngineFuzz's own encoding
        wire.array(
            wire.RAW_LE,
            wire.LITTLE,
            3,
            flags,
            sequence=6,
            tag=9,
            attributes=wire.shape(3, 1) + wire.strings(unit="K"),
        ),
        wire.array(wire.RAW_LE, b"", 0, flags, sequence=7),
    ]
    for sequence, end in ((8, b""), (9, None)):
        common = dict(
            encoding=wire.RAW_LE, element=wire.FLOAT, flags=flags, sequence=sequence, count=3
        )
        first = wire.frame(wire.ARRAY, array_bytes=12, payload=wire.LITTLE[:4], **common)
        rest = wire.frame(wire.CHUNK, array_bytes=1, payload=wire.LITTLE[4:], **common)
        arrays.append(first + (rest if end is not None else wire.frame(wire.ABORT, sequence=9)))
    return b"".join(arrays)


def seeds():
    checked, plain = session(wire.CHECKSUM), session(0)
    golden = wire.FILES
    goodbye = golden["goodbye"]
    inputs = {
        "acceptor": {
            "session": setting(HANDLER) + golden["hello"] + checked + goodbye,
            "session-fresh": setting(FRESH, cuts=RANDOM) + golden["hello-later"] + checked + goodbye,
            "chunks-leased": setting(LEASED, cuts=THREE_BYTES)
            + golden["hello-token"]
            + golden["array-chunks"],
            "attributes-into": setting(INTO, cuts=ONE_BYTE)
            + golden["hello"]
            + golden["array-attributes"]
            + goodbye,
            "welcome": setting(HANDLER) + golden["welcome"],
            "reject": setting(HANDLER) + golden["reject"],
            # What follows the hello is refused before the welcome is written.
            "hello-and-http": setting(HANDLER) + golden["hello"] + b"GET / HTTP/1.1",
            "http": setting(HANDLER) + b"GET / HTTP/1.1\r\n\r\n",
            "tls": setting(HANDLER) + bytes.fromhex("16030100"),
        },
        "plain": {
            "arrays": setting(HANDLER) + golden["plain"] + golden["plain"],
            "arrays-leased": setting(LEASED, cuts=RANDOM) + golden["plain"],
            "bytes-into": setting(INTO, limits=6 << 4, cuts=ONE_BYTE) + struct.pack(">i", 5) + b"12345",
            "negative": setting(HANDLER) + struct.pack(">i", -1),
            "huge": setting(HANDLER, limits=2) + struct.pack(">i", 2**31 - 1) + bytes(40),
        },
    }
    frames = {
        "session": setting(HANDLER, CHECKSUMS) + checked + goodbye,
        "session-targets": setting(TARGETING, cuts=THREE_BYTES) + plain + goodbye,
        "session-leased": setting(LEASED, CHECKSUMS | CONNECTOR, cuts=RANDOM) + checked,
        "session-into": setting(INTO, CONNECTOR, cuts=ONE_BYTE) + plain + goodbye,
        "acknowledged": setting(HANDLER, CHECKSUMS | AWAITED, sent=2)
        + golden["array"]
        + golden["array-acknowledging"]
        + golden["ack"]
        + goodbye,
        "rejected": setting(HANDLER, AWAITED, sent=2) + golden["rejected"] + golden["ack"] + goodbye,
        "parts": setting(HANDLER, CHECKSUMS) + golden["parts"] + goodbye,
        "parts-chunks": setting(INTO, CHECKSUMS, cuts=THREE_BYTES) + golden["parts-chunks"] + goodbye,
        "error": setting(HANDLER, AWAITED, sent=1) + golden["error"],
        "goodbye-unanswered": setting(HANDLER, AWAITED, sent=1) + goodbye,
        # 2^62 * 4 * 0 elements: not an overflow, but none.
        "zero-dimension": setting(HANDLER)
        + wire.array(
            wire.RAW_LE, b"", 0, flags=0, attributes=wire.shape(1 << 62, 4, 0)
        )
        + goodbye,
        "huge": setting(HANDLER, limits=2)
        + wire.frame(
            wire.ARRAY,
            encoding=wire.RAW_LE,
            element=wire.FLOAT,
            sequence=1,
            count=2**31 - 9,
            array_bytes=4 * (2**31 - 9),
            payload=bytes(40),
        ),
    }
    inputs["frames"] = frames
    inputs["sealedFrames"] = frames
    messages = {
        name: b"\1\1" + golden[name][24:]
        for name in ("hello", "hello-token", "hello-later", "welcome", "reject")
    }
    messages["attributes"] = b"\1\1" + wire.shape(2, 3) + wire.strings(unit="K")
    messages["fault"] = b"\1\3" + wire.fault(6, "too large")
    return {
        "EngineFuzzTest": inputs,
        "HandshakeFuzzTest": {"message": messages},
        "MessageFuzzTest": {target: array_messages() for target in ("decode", "sealed")},
        # Where the codecs of these are.
        "CompressedMessageFuzzTest": {
            "decode": {
                name: content
                for name, content in array_messages().items()
                if name in ("bf16", "fp16") or name.startswith(("shuffle", "parts-"))
            }
        },
    }


def array_messages():
    return {
        name: b"".join(piece for piece, _ in pieces) for name, pieces in whole.MESSAGES.items()
    }


def directory(test):
    if len(sys.argv) > 1:
        return pathlib.Path(sys.argv[1])
    root = pathlib.Path(__file__).resolve().parent / "../../../.."
    if test == "CompressedMessageFuzzTest":
        return root / "transport-compression/src/test/resources/io/arraywire/compression"
    return root / "transport-engine/src/test/resources/io/arraywire/testkit"


def main():
    for test, targets in seeds().items():
        for target, inputs in targets.items():
            folder = directory(test) / f"{test}Inputs" / target
            folder.mkdir(parents=True, exist_ok=True)
            for name, content in inputs.items():
                (folder / f"golden-{name}").write_bytes(content)


if __name__ == "__main__":
    main()
