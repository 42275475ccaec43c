"""What a peer must not send, check by check, in the order of docs/protocol.md; and that each has its code."""

import struct

import pytest
from links import Pair, drain, feed

from arraywire import _layout as wire
from arraywire import _protobuf
from arraywire._attributes import Attributes, section
from arraywire._core import Core
from arraywire._crc32c import crc32c, of_header
from arraywire._handshake import HELLO, Offer, message, preamble
from arraywire.errors import ErrorCode, PeerError

SUB = wire.SUBSCRIPTION
_FIELDS = (
    "version type encoding element flags attribute_bytes channel sequence tag count array_bytes payload_bytes"
    " payload_checksum acknowledged"
).split()


def frame(magic=wire.FRAME_MAGIC, damage=0, behind=b"", **fields):
    values = dict.fromkeys(_FIELDS, 0)
    values["version"] = 2
    values.update(fields)
    start = struct.pack("<4sBBBBHHIQQQQIII", magic, *(values[each] for each in _FIELDS))
    return start + struct.pack("<I", of_header(start) ^ damage) + behind


def shape(*dimensions):
    return section(1, len(dimensions), struct.pack(f"<{len(dimensions)}Q", *dimensions))


def strings(key, value):
    return section(2, 1, struct.pack("<HH", len(key), len(value)) + key + value)


def number(kind, value):
    return section(kind, 1, struct.pack("<Q", value))


def entry(name=b"a", element=2, encoding=1, dimensions=(), zero=0, count=1):
    head = struct.pack("<BBBBIQ", element, encoding, len(dimensions), len(name), zero, count)
    return head + struct.pack(f"<{len(dimensions)}Q", *dimensions) + name + bytes(-len(name) % 8)


def parts(*entries, **fields):
    """A message of parts with an int each."""
    entries = entries or (entry(), entry(b"b"))
    attributes = section(3, len(entries), b"".join(entries))
    values = dict(encoding=0, element=0, count=len(entries), array_bytes=8 * len(entries),
                  payload_bytes=8 * len(entries), attribute_bytes=len(attributes),
                  behind=attributes + bytes(8 * len(entries)))  # fmt: skip
    values.update(fields)
    return floats(**values)


def floats(count=3, attributes=b"", **fields):
    payload = bytes(min(4 * count, 1 << 12))
    values = dict(
        type=wire.ARRAY, encoding=1, element=1, sequence=1, count=count, array_bytes=4 * count,
        payload_bytes=4 * count, attribute_bytes=len(attributes), behind=attributes + payload,
    )  # fmt: skip
    values.update(fields)
    return frame(**values)


def chunk(**fields):
    values = dict(
        type=wire.CHUNK, encoding=1, element=1, sequence=1, count=3, array_bytes=2, payload_bytes=4, behind=bytes(4)
    )
    values.update(fields)
    return frame(**values)


def begun(**fields):
    """An array of three floats of which two have come."""
    return floats(payload_bytes=8, behind=bytes(8), **fields)


C = ErrorCode
CASES = {
    "magic": (frame(magic=b"HTTP"), C.BAD_MAGIC),
    "four bytes are enough": (b"HTTP", C.BAD_MAGIC),
    "header checksum": (frame(type=wire.ACK, damage=1), C.HEADER_CHECKSUM),
    "version": (frame(type=wire.ACK, version=1), C.UNSUPPORTED_VERSION),
    "type 0": (frame(type=0), C.UNKNOWN_CODE),
    "type 16": (frame(type=16), C.UNKNOWN_CODE),
    "flag": (frame(type=wire.ACK, flags=4), C.UNKNOWN_CODE),
    "channel": (frame(type=wire.ACK, channel=256), C.UNKNOWN_CODE),
    "channel of a ping": (frame(type=wire.PING, channel=256), C.UNKNOWN_CODE),
    "subscription": (frame(type=wire.ACK, channel=SUB | 64), C.UNKNOWN_CODE),
    "acknowledged": (frame(type=wire.PING, flags=2, acknowledged=1), C.PROTOCOL_VIOLATION),
    "array behind goodbye": (frame(type=wire.GOODBYE) + floats(), C.PROTOCOL_VIOLATION),
    "array inside another": (begun() + floats(sequence=2), C.PROTOCOL_VIOLATION),
    "subscription without attributes": (floats(channel=SUB), C.PROTOCOL_VIOLATION),
    "encoding": (floats(encoding=5), C.UNKNOWN_CODE),
    "element": (floats(element=15), C.UNKNOWN_CODE),
    "element 0": (floats(element=0), C.UNKNOWN_CODE),
    "encoding without the element": (floats(encoding=4, element=5), C.UNKNOWN_CODE),
    "attribute bytes": (floats(attribute_bytes=65_529), C.FRAME_TOO_LARGE),
    "array bytes": (floats(array_bytes=(1 << 30) + 1), C.FRAME_TOO_LARGE),
    "payload bytes": (floats(payload_bytes=(1 << 20) + 1), C.FRAME_TOO_LARGE),
    "count 2^63": (floats(count=1 << 63, array_bytes=12, payload_bytes=12, behind=b""), C.BAD_LENGTH),
    "count times size": (floats(count=1 << 62, array_bytes=12, payload_bytes=12, behind=b""), C.COUNT_MISMATCH),
    "array bytes not equal": (floats(array_bytes=16), C.COUNT_MISMATCH),
    "payload longer": (floats(payload_bytes=16), C.BAD_LENGTH),
    "no whole element": (floats(payload_bytes=3), C.BAD_LENGTH),
    "no prefix": (floats(encoding=3, array_bytes=39, payload_bytes=26), C.BAD_LENGTH),
    "inside an element": (floats(payload_bytes=5), C.COUNT_MISMATCH),
    "sequence": (floats(sequence=2), C.SEQUENCE_GAP),
    "sequence 0": (floats(sequence=0), C.SEQUENCE_GAP),
    "checksum not agreed": (floats(flags=1), C.PROTOCOL_VIOLATION),
    "credit": (
        floats(count=1 << 19, array_bytes=1 << 21, payload_bytes=1 << 20, behind=b""),
        C.CREDIT_EXCEEDED,
    ),
    "attributes": (floats(attributes=b"\x0a\x05\1"), C.BAD_LENGTH),
    "shape": (floats(attributes=shape(2, 2)), C.COUNT_MISMATCH),
    "dimension": (floats(attributes=shape(1 << 63)), C.MALFORMED_PAYLOAD),
    "dimensions": (floats(attributes=shape(*[1] * 33)), C.FRAME_TOO_LARGE),
    "metadata": (floats(attributes=strings(b"k", b"v" * 513)), C.FRAME_TOO_LARGE),
    "session without a session": (floats(attributes=number(16, 1)), C.PROTOCOL_VIOLATION),
    "request number": (floats(attributes=number(17, 1 << 63)), C.MALFORMED_PAYLOAD),
    "request and reply": (
        floats(attributes=number(17, 1) + number(18, 1)),
        C.PROTOCOL_VIOLATION,
    ),
    "reply to nothing": (floats(attributes=number(18, 1)), C.PROTOCOL_VIOLATION),
    "fault without reply": (
        floats(count=0, attributes=section(19, 1, struct.pack("<II", 46, 1) + b"x")),
        C.PROTOCOL_VIOLATION,
    ),
    "publication on a channel": (floats(attributes=number(20, 1)), C.PROTOCOL_VIOLATION),
    "publication of no subscription": (
        floats(channel=SUB, attributes=number(20, 1)),
        C.PROTOCOL_VIOLATION,
    ),
    "section of an unknown kind": (floats(attributes=number(21, 1)), C.UNKNOWN_CODE),
    "sections out of order": (floats(attributes=strings(b"k", b"v") + shape(3)), C.MALFORMED_PAYLOAD),
    "section without entries": (floats(attributes=section(2, 0, bytes(8))), C.MALFORMED_PAYLOAD),
    "section that is longer": (floats(attributes=section(1, 1, struct.pack("<QQ", 3, 0))), C.BAD_LENGTH),
    "section without a length": (floats(attributes=bytes([1, 0, 1, 0]) + bytes(12)), C.BAD_LENGTH),
    "strings with an empty key": (floats(attributes=strings(b"", b"v")), C.MALFORMED_PAYLOAD),
    "strings that are no text": (floats(attributes=strings(b"k", b"\xff")), C.MALFORMED_PAYLOAD),
    "number 0": (floats(attributes=number(17, 0)), C.MALFORMED_PAYLOAD),
    "fault longer than its section": (
        floats(count=0, attributes=section(19, 1, struct.pack("<II", 46, 9) + b"x")),
        C.BAD_LENGTH,
    ),
    "parts without a table": (parts(attribute_bytes=16, behind=number(17, 1)), C.MALFORMED_PAYLOAD),
    "parts that do not add up": (parts(count=3), C.COUNT_MISMATCH),
    "parts of other bytes": (parts(array_bytes=24), C.COUNT_MISMATCH),
    "parts with more elements than bytes": (parts(count=17), C.COUNT_MISMATCH),
    "parts that do not end at 8": (parts(array_bytes=17), C.COUNT_MISMATCH),
    "part of an unknown type": (parts(entry(element=15), entry(b"b")), C.UNKNOWN_CODE),
    "part of an unknown encoding": (parts(entry(encoding=3), entry(b"b")), C.UNKNOWN_CODE),
    "part with a reserved field": (parts(entry(zero=1), entry(b"b")), C.MALFORMED_PAYLOAD),
    "part with a wrong shape": (parts(entry(dimensions=(2,)), entry(b"b")), C.COUNT_MISMATCH),
    "parts of one name": (parts(entry(), entry()), C.MALFORMED_PAYLOAD),
    "one part without a name": (parts(entry(b"")), C.MALFORMED_PAYLOAD),
    "table beside an element type": (parts(encoding=1, element=2, count=4), C.MALFORMED_PAYLOAD),
    "prefix": (
        floats(encoding=4, array_bytes=14, payload_bytes=14, behind=b"\x0a\x0d" + bytes(12)),
        C.MALFORMED_PAYLOAD,
    ),
    "chunk of nothing": (chunk(), C.PROTOCOL_VIOLATION),
    "chunk of another count": (begun() + chunk(count=4), C.PROTOCOL_VIOLATION),
    "chunk with attributes": (begun() + chunk(attribute_bytes=2), C.PROTOCOL_VIOLATION),
    "chunk index": (begun() + chunk(array_bytes=1 << 63), C.BAD_LENGTH),
    "chunk payload": (begun() + chunk(payload_bytes=(1 << 20) + 1), C.FRAME_TOO_LARGE),
    "chunk empty": (begun() + chunk(payload_bytes=0), C.BAD_LENGTH),
    "chunk longer": (begun() + chunk(payload_bytes=8), C.BAD_LENGTH),
    "chunk inside an element": (begun() + chunk(payload_bytes=2), C.COUNT_MISMATCH),
    "chunk of another array": (begun() + chunk(sequence=2), C.SEQUENCE_GAP),
    "chunk out of order": (begun() + chunk(array_bytes=1), C.SEQUENCE_GAP),
    "chunk checksum": (begun() + chunk(flags=1), C.PROTOCOL_VIOLATION),
    "control payload": (frame(type=wire.PING, payload_bytes=1025), C.FRAME_TOO_LARGE),
    "control attributes": (frame(type=wire.PING, attribute_bytes=1), C.FRAME_TOO_LARGE),
    "control checksum": (frame(type=wire.PING, flags=1, payload_bytes=1, behind=b"x"), C.PAYLOAD_CHECKSUM),
    "ack of nothing": (frame(type=wire.ACK, sequence=1), C.PROTOCOL_VIOLATION),
    "credit goes back": (frame(type=wire.CREDIT, tag=1, count=1 << 40), C.PROTOCOL_VIOLATION),
    "credit too large": (frame(type=wire.CREDIT, tag=1 << 63, count=1 << 40), C.PROTOCOL_VIOLATION),
    "goodbye inside an array": (begun() + frame(type=wire.GOODBYE), C.PROTOCOL_VIOLATION),
    "abort of nothing": (frame(type=wire.ABORT, sequence=1), C.PROTOCOL_VIOLATION),
    "abort of another": (begun() + frame(type=wire.ABORT, sequence=2), C.PROTOCOL_VIOLATION),
    "rejected what was not sent": (frame(type=wire.REJECTED, sequence=1), C.PROTOCOL_VIOLATION),
    "cancel of nothing": (frame(type=wire.CANCEL, tag=1), C.PROTOCOL_VIOLATION),
    "cancel of 0": (frame(type=wire.CANCEL), C.PROTOCOL_VIOLATION),
    "subscribe on a channel": (frame(type=wire.SUBSCRIBE), C.PROTOCOL_VIOLATION),
    "subscribe to nothing": (frame(type=wire.SUBSCRIBE, channel=SUB), C.MALFORMED_PAYLOAD),
    "subscribed": (frame(type=wire.SUBSCRIBED, channel=SUB), C.PROTOCOL_VIOLATION),
    "unsubscribe": (frame(type=wire.UNSUBSCRIBE, channel=SUB), C.PROTOCOL_VIOLATION),
    "unsubscribed": (frame(type=wire.UNSUBSCRIBED, channel=SUB), C.PROTOCOL_VIOLATION),
    "a flood of pings": (frame(type=wire.PING) * 201, C.CONTROL_FLOOD),
    "a flood of pongs": (frame(type=wire.PONG) * 201, C.CONTROL_FLOOD),
    "a flood of acks": (frame(type=wire.ACK) * 201, C.CONTROL_FLOOD),
    "a flood of goodbyes": (frame(type=wire.GOODBYE) * 202, C.CONTROL_FLOOD),
    "a flood of aborts": (
        b"".join(
            begun(sequence=i) + frame(type=wire.ABORT, sequence=i) for i in range(1, 202)
        ),
        C.CONTROL_FLOOD,
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_ends_the_connection_and_says_why(case):
    data, code = CASES[case]
    joined = Pair().run()
    feed(joined.right, data)
    error = joined.right.error
    assert error is not None and error.code is code, error
    assert joined.right.held >= 0 and not joined.right.reader.inside_frame
    # The peer is told by the same code, and that is the last frame.
    feed(joined.left, drain(joined.right))
    assert isinstance(joined.left.error, PeerError) and joined.left.error.code is code
    assert joined.right.end_output


def test_a_large_header_alone_takes_no_memory_for_elements():
    joined = Pair().run()
    joined.right.ask(joined.right.inbound(0))
    feed(joined.right, floats(count=1 << 28, array_bytes=1 << 30, payload_bytes=4, behind=bytes(4)))
    assert joined.right.error is None
    with open("/proc/self/statm") as statm:
        assert int(statm.read().split()[1]) * 4096 < 500 << 20  # resident; the array alone would be 1 GiB


def test_a_request_twice_a_reply_twice_and_cancels():
    joined = Pair()
    joined.run().right.requests.answering = True
    request = floats(attributes=number(17, 5))
    feed(joined.right, request + frame(type=wire.CANCEL, tag=5) + frame(type=wire.CANCEL, tag=5))
    assert joined.right.error.code is C.PROTOCOL_VIOLATION  # more cancels than requests
    joined = Pair()
    joined.run().right.requests.answering = True
    feed(joined.right, request + floats(sequence=2, attributes=number(17, 5)))
    assert joined.right.error.code is C.PROTOCOL_VIOLATION


def hello(**changes):
    return preamble(message(HELLO, Offer()._replace(**changes).encoded()))


def reserved(at):
    """A hello with a byte that must be 0, under a right checksum."""
    start = bytearray(hello()[:20])
    start[at] = 1
    return bytes(start) + struct.pack("<I", crc32c(bytes(start))) + hello()[24:]


HELLOS = {
    "reserved byte 6": (reserved(6), C.MALFORMED_PAYLOAD),
    "reserved byte 19": (reserved(19), C.MALFORMED_PAYLOAD),
    "checksum of the preamble": (hello()[:23] + b"\0" + hello()[24:], C.HEADER_CHECKSUM),
    "checksum of the message": (hello()[:-1] + b"\xff", C.PAYLOAD_CHECKSUM),
    "versions": (preamble(message(HELLO, Offer().encoded()), 3, 4), C.UNSUPPORTED_VERSION),
    "two bodies": (preamble(message(HELLO, b"") * 2), C.MALFORMED_PAYLOAD),
    "a welcome": (preamble(message(2, Offer().encoded())), C.PROTOCOL_VIOLATION),
    "no channels": (hello(channels=0), C.MALFORMED_PAYLOAD),
    "too little credit": (hello(channel_credit=4095), C.MALFORMED_PAYLOAD),
    "too small frames": (hello(max_frame_bytes=1023), C.NEGOTIATION_FAILED),
    "no encoding": (hello(encodings=((200, "own"),)), C.NEGOTIATION_FAILED),
    "a known name with another code": (hello(encodings=((2, "raw-le"),)), C.NEGOTIATION_FAILED),
    "no type": (hello(element_types=(99,)), C.NEGOTIATION_FAILED),
}


@pytest.mark.parametrize("case", HELLOS)
def test_a_hello_that_is_refused(case):
    data, code = HELLOS[case]
    acceptor = Core(Offer(), connector=False, now=0)
    feed(acceptor, data)
    assert acceptor.error.code is code and acceptor.end_output
    connector = Core(Offer(), connector=True, now=0)
    drain(connector)
    feed(connector, drain(acceptor))
    assert connector.error.code is code and "refused" in str(connector.error)


def test_a_message_too_long_is_refused_before_it_comes():
    acceptor = Core(Offer(), connector=False, now=0)
    start = struct.pack("<4sBBHIII", b"\xf1AWH", 2, 2, 0, 4097, 0, 0)
    feed(acceptor, start + struct.pack("<I", crc32c(start)))
    assert acceptor.error.code is C.FRAME_TOO_LARGE


def test_a_stranger_gets_no_answer():
    acceptor = Core(Offer(), connector=False, now=0)
    feed(acceptor, b"GET ")
    assert acceptor.error.code is C.BAD_MAGIC and drain(acceptor) == b"" and acceptor.end_output


@pytest.mark.parametrize("token, opened", [(b"", False), (b"sesam", False), (b"sesame", True)])
def test_token(token, opened):
    joined = Pair(Offer(token=token), token=b"sesame").run()
    assert joined.left.open is opened
    if not opened:
        assert joined.left.error.code is C.AUTHENTICATION_FAILED and "sesame" not in str(joined.left.error)


def test_slow_checksums_are_refused_with_what_to_install():
    left = Core(Offer(), connector=True, now=0, slow_checksums=False)
    right = Core(Offer(checksums=True), connector=False, now=0)
    feed(right, drain(left))
    feed(left, drain(right))
    assert "pip install 'arraywire[crc32c]'" in str(left.error)


def test_the_end_of_the_stream():
    joined = Pair().run()
    joined.right.end_of_stream()
    assert joined.right.error.code is C.CONNECTION_RESET
    joined = Pair().run()
    feed(joined.right, begun())
    joined.right.end_of_stream()
    assert joined.right.error.code is C.TRUNCATED
    joined = Pair()
    joined.right.end_of_stream()
    assert joined.right.error.code is C.TRUNCATED


def test_attributes_up_to_their_limits():
    shape = (1,) * 31 + (3,)
    made = Attributes(shape=shape, metadata={"a": "v" * 512, "b" * 64: ""})
    assert Attributes.decode(made.encoded()) == made
    joined = Pair().run()
    feed(joined.right, floats(attributes=made.encoded()))
    assert joined.right.error is None
    zero = Attributes(shape=(0,) + ((1 << 63) - 1,) * 3)
    feed(joined.right, floats(count=0, sequence=2, attributes=zero.encoded()))
    assert joined.right.error is None and len(joined.right.inbound(0).inbox) == 2
