"""The golden files of wire version 2: what this side reads of them, and that it writes the same bytes."""

import array
import struct

import pytest
from links import Pair, drain, feed, with_runs

from arraywire import _layout as wire
from arraywire import _blocks, _types
from arraywire._attributes import Attributes, Fault
from arraywire._core import Core
from arraywire._crc32c import crc32c
from arraywire._elements import Elements, elements
from arraywire._handshake import HELLO, REJECT, WELCOME, HandshakeReader, Offer, message, preamble
from arraywire._streams import ACKNOWLEDGED, FAILED
from arraywire.errors import ErrorCode, HandshakeError

VALUES = array.array("f", [1.0, -2.5, 0.1])
LITTLE = struct.pack("<3f", *VALUES)


@pytest.fixture()
def read(golden):
    return lambda name: (golden / "wire-v2" / f"{name}.bin").read_bytes()


def pair(checksums=True, encodings=None):
    offer = Offer(checksums=checksums)
    if encodings:
        offer = offer._replace(encodings=encodings)
    return Pair(offer, offer).run()


def floats(core, values=VALUES, tag=0, attributes=None, channel=0):
    made = elements(values)
    return core.queue(core.outbound(channel), made, tag, attributes or Attributes(shape=made.shape))


def test_checksum():
    assert crc32c(b"123456789") == 0xE3069283


def test_every_file_is_looked_at(golden):
    source = open(__file__).read()
    for file in sorted((golden / "wire-v2").glob("*.bin")):
        assert f'"{file.stem}"' in source, f"no test reads {file.name}"


def test_hello(read):
    content = read("hello")
    kind, body, used = HandshakeReader(connector=False).read(memoryview(content))
    assert (kind, used) == (HELLO, len(content))
    offer = Offer.decode(body)
    assert offer.encodings == ((1, "raw-le"), (2, "raw-be"), (3, "java-object"), (4, "protobuf"))
    assert offer.element_types == tuple(range(1, 9))
    assert offer == Offer(
        element_types=tuple(range(1, 9)), checksums=True, library="golden 1", heartbeat_millis=5000
    )
    assert preamble(message(HELLO, offer.encoded())) == content


def test_hello_with_a_token_and_of_a_later_version(read):
    _, body, _ = HandshakeReader(connector=False).read(memoryview(read("hello-token")))
    assert Offer.decode(body).token == b"open sesame"
    reader = HandshakeReader(connector=False)
    _, body, _ = reader.read(memoryview(read("hello-later")))
    reader.check_version()
    assert (reader.least, reader.most) == (2, 3)
    assert Offer.decode(body).library_version == "3"


def test_welcome(read):
    content = read("welcome")
    kind, body, _ = HandshakeReader(connector=True).read(memoryview(content))
    offer = Offer.decode(body)
    assert kind == WELCOME and offer.wire_version == 2 and offer.subscriptions == 0
    assert offer.max_frame_bytes == (1 << 32) - 1 and offer.channel_credit == (1 << 63) - 1
    core = Core(Offer(), connector=True, now=0)
    drain(core)
    feed(core, content)
    assert core.open and core.error is None
    assert [each.name for each in core.agreement.element_types] == ["float", "int"]


def test_reject(read):
    content = read("reject")
    core = Core(Offer(), connector=True, now=0)
    drain(core)
    feed(core, content)
    assert isinstance(core.error, HandshakeError) and core.error.code is ErrorCode.NEGOTIATION_FAILED
    assert "here=[raw-le(1)], peer=[raw-be(2)]" in str(core.error)
    text = content[content.index(b"the two sides") :].decode()
    assert preamble(message(REJECT, Fault(20, text).encoded())) == content


@pytest.mark.parametrize(
    "name, encoding",
    [("array", None), ("array-raw-be", 2), ("array-java-object", 3), ("array-protobuf", 4), ("array-unchecked", None)],
)
def test_array(read, name, encoding):
    names = {2: ((2, "raw-be"),), 3: ((3, "java-object"),), 4: ((4, "protobuf"),)}
    joined = pair(name != "array-unchecked", names.get(encoding))
    floats(joined.left)
    assert drain(joined.left) == read(name)
    feed(joined.right, read(name))
    got = joined.right.take(joined.right.inbound(0))
    assert bytes(got.view) == VALUES.tobytes() and got.type is _types.FLOAT


def test_array_empty(read):
    joined = pair()
    joined.left.queue(joined.left.outbound(0), elements(array.array("f")), 0, Attributes())
    assert drain(joined.left) == read("array-empty")
    feed(joined.right, read("array-empty"))
    got = joined.right.take(joined.right.inbound(0))
    assert got.count == 0 and len(got.presented()) == 0


def test_array_with_attributes(read):
    joined = pair()
    values = array.array("f", range(6))
    attributes = Attributes(shape=(2, 3), metadata={"unit": "K"})
    floats(joined.left, values, 0x0102030405060708, attributes)
    assert drain(joined.left) == read("array-attributes")
    feed(joined.right, read("array-attributes"))
    got = joined.right.take(joined.right.inbound(0))
    assert got.attributes == attributes and got.tag == 0x0102030405060708
    assert got.presented().tolist() == [[0, 1, 2], [3, 4, 5]]


def test_message_of_parts(read):
    joined = pair()
    parts = {"ids": array.array("i", [7, 42, 5]), "scores": array.array("f", [0.5, -1.0])}
    made = elements(parts)
    attributes = Attributes(metadata={"unit": "K"}, parts=made.parts)
    joined.left.queue(joined.left.outbound(0), made, 9, attributes)
    assert drain(joined.left) == read("parts")
    for name in ("parts", "parts-chunks"):
        joined = pair()
        feed(joined.right, read(name))
        got = joined.right.take(joined.right.inbound(0))
        assert got.attributes == attributes and got.tag == 9 and got.elements == 5
        assert {each: list(part.tolist()) for each, part in got.parts().items()} == {
            "ids": [7, 42, 5], "scores": [0.5, -1.0]
        }  # fmt: skip


@pytest.mark.parametrize("name", ["parts-blocks", "parts-blocks-chunks"])
def test_parts_in_blocks_are_refused_if_they_were_not_offered(read, name):
    joined = pair()
    feed(joined.right, read(name))
    assert joined.right.error.code is ErrorCode.UNKNOWN_CODE


def test_half_floats(read):
    joined = pair()
    feed(joined.right, read("array-fp16"))
    got = joined.right.take(joined.right.inbound(0))
    assert got.type is _types.FP16 and bytes(got.view) == struct.pack("<3e", *VALUES)


def test_chunks(read):
    joined = pair()
    joined.left.writer.chunk_bytes = 8
    floats(joined.left)
    assert drain(joined.left) == read("array-chunks")
    feed(joined.right, read("array-chunks"))
    assert bytes(joined.right.take(joined.right.inbound(0)).view) == LITTLE


def test_acknowledging_in_an_array_and_by_itself(read):
    joined = pair()
    first, second = floats(joined.left), floats(joined.left)
    joined.run()
    floats(joined.right)  # the first of the other direction
    joined.run()
    for _ in range(2):
        joined.right.processed(joined.right.take(joined.right.inbound(0)))
    floats(joined.right)
    data = drain(joined.right)
    assert data == read("array-acknowledging")
    feed(joined.left, data)
    assert first.state == second.state == ACKNOWLEDGED

    joined = pair()
    first, second = floats(joined.left), floats(joined.left)
    joined.run()
    for _ in range(2):
        joined.right.processed(joined.right.take(joined.right.inbound(0)))
    assert drain(joined.right) == read("ack")
    feed(joined.left, read("ack"))
    assert first.state == second.state == ACKNOWLEDGED


def test_credit(read):
    joined = pair()
    first, second = floats(joined.left, channel=7), floats(joined.left, channel=7)
    joined.run()
    feed(joined.left, read("credit"))
    assert first.state == second.state == ACKNOWLEDGED
    assert joined.left.outbound(7).allowed == 3 << 19 and joined.left.allowed == 20 << 20
    header = joined.right.writer._headers.pack(
        wire.CREDIT, flags=wire.ACKNOWLEDGES, channel=7, tag=3 << 19, count=20 << 20, acknowledged=2
    )
    assert header == read("credit")


def test_ping_and_pong(read):
    joined = pair()
    feed(joined.right, read("ping"))
    assert drain(joined.right) == read("pong")
    feed(joined.left, read("pong"))
    assert joined.left.error is None


def test_error(read):
    joined = pair()
    feed(joined.right, read("error"))
    assert joined.right.error.code is ErrorCode.FRAME_TOO_LARGE and "limit=1073741824" in str(joined.right.error)
    assert drain(joined.right) == b"" and joined.right.end_output
    text = read("error")[read("error").index(b"the array is") :].decode()
    joined.left.writer.last(wire.ERROR, Fault(6, text).encoded())
    assert drain(joined.left) == read("error")


def test_an_error_that_cannot_be_read_is_not_answered():
    joined = pair()
    joined.left.writer.last(wire.ERROR, b"\xff\xff\xff")
    feed(joined.right, drain(joined.left))
    assert joined.right.error.code is ErrorCode.INTERNAL and "cannot be read" in str(joined.right.error)
    assert drain(joined.right) == b"" and joined.right.end_output


def test_rejected(read):
    joined = pair()
    outgoing = floats(joined.left)
    joined.run()
    feed(joined.left, read("rejected"))
    assert outgoing.state == FAILED and outgoing.error.code is ErrorCode.REJECTED
    joined.right.refuse(
        joined.right.take(joined.right.inbound(0)), 42, "the handler threw java.io.IOException: disk full"
    )
    assert drain(joined.right)[: len(read("rejected"))] == read("rejected")


def test_abort(read):
    joined = pair()
    joined.left.writer.chunk_bytes = 8
    floats(joined.left, array.array("f", range(10_000)))
    first = joined.left.pieces()[:1]
    feed(joined.right, b"".join(bytes(each) for each in first))
    feed(joined.right, read("abort"))
    assert joined.right.error is None and joined.right.inbound(0).arriving is None
    joined = pair()
    outgoing = floats(joined.left, array.array("f", range(1 << 19)))  # more than there is credit for
    drain(joined.left)
    assert joined.left.writer.withdraw(outgoing)
    assert drain(joined.left) == read("abort")


def test_goodbye(read):
    joined = pair()
    joined.left.begin_end()
    assert drain(joined.left) == read("goodbye")
    feed(joined.right, read("goodbye"))
    assert drain(joined.right) == read("goodbye") and joined.right.end_output


def test_request_and_replies(read):
    joined = pair()
    pending = joined.left.requests.make(elements(VALUES), 0, b"", 0)
    assert drain(joined.left) == read("request")
    joined.right.requests.answering = True
    feed(joined.right, read("request"))
    query = joined.right.requests.inbox.popleft()
    joined.right.processed(query)
    joined.right.requests.reply(query, elements(VALUES), 0, b"")
    assert drain(joined.right) == read("reply")
    feed(joined.left, read("reply"))
    assert bytes(pending.reply.view) == LITTLE

    joined = pair()
    pending = joined.left.requests.make(elements(VALUES), 0, b"", 0)
    joined.right.requests.answering = True
    joined.run()
    query = joined.right.requests.inbox.popleft()
    joined.right.processed(query)
    joined.right.requests.fail(query, "there is no such table")
    assert drain(joined.right) == read("reply-fault")
    feed(joined.left, read("reply-fault"))
    assert pending.error.code is ErrorCode.REQUEST_FAILED and "no such table" in str(pending.error)


def test_cancel(read):
    joined = pair()
    pending = joined.left.requests.make(elements(VALUES), 0, b"", 0)
    joined.right.requests.answering = True
    joined.run()
    joined.left.requests.forget(pending)
    assert drain(joined.left) == read("cancel")
    feed(joined.right, read("cancel"))
    assert not joined.right.requests.inbox and joined.right.requests.idle


def test_subscription(read):
    joined = pair()
    joined.right.subscriptions.publishing = True
    mine = joined.left.subscriptions.make("prices", 2, 1 << 20)
    assert drain(joined.left) == read("subscribe")
    feed(joined.right, read("subscribe"))
    assert drain(joined.right) == read("subscribed")
    feed(joined.left, read("subscribed"))
    assert mine.begun
    (theirs,) = joined.right.subscriptions.subscribers("prices")
    joined.right.subscriptions.publish(theirs, elements(VALUES), 0, b"")
    assert drain(joined.right) == read("published")
    feed(joined.left, read("published"))
    theirs.publication = 2
    joined.right.subscriptions.publish(theirs, elements(VALUES), 0, b"")
    assert drain(joined.right) == read("published-gap")
    feed(joined.left, read("published-gap"))
    assert len(mine.stream.inbox) == 2
    joined.left.subscriptions.give_up(mine)
    assert drain(joined.left)[:64] == read("unsubscribe")
    feed(joined.right, read("unsubscribe"))
    assert drain(joined.right)[-64:] == read("unsubscribed")
    feed(joined.left, read("unsubscribed"))
    assert mine.ended and mine.error is None and joined.left.error is None


def test_a_subscription_that_the_publisher_ends(read):
    joined = pair()
    joined.right.subscriptions.publishing = True
    mine = joined.left.subscriptions.make("prices", 4, 1 << 20)
    joined.run()
    feed(joined.left, read("unsubscribed-fault"))
    assert mine.ended and mine.error.code is ErrorCode.SLOW_SUBSCRIBER
    text = "the subscriber took too little"
    body = Fault(51, text).encoded()
    header = joined.right.writer._headers.pack(wire.UNSUBSCRIBED, channel=wire.SUBSCRIPTION, payload_bytes=len(body))
    assert header + body == read("unsubscribed-fault")


def test_plain(read):
    assert len(read("plain")) == 20  # read and written by test_plain.py
    assert read("plain")[4:16] == struct.pack(">3f", *VALUES)


@pytest.mark.parametrize(
    "encoding, code",
    [(each, code) for each in _types.ENCODINGS.values() for code in _types.TYPES if each.has(_types.TYPES[code])],
    ids=lambda each: getattr(each, "name", str(each)),
)
@pytest.mark.parametrize("count", [0, 1, 5])
def test_encodings(golden, encoding, code, count):
    """Each encoded array of the Java tests, read and written again."""
    type = _types.TYPES[code]
    content = (golden / "encodings" / f"{encoding.name}-{type.name}-{count}.bin").read_bytes()
    prefix = encoding.prefix(type, count)
    assert content[: len(prefix)] == prefix and encoding.prefix_bytes(type, count) == len(prefix)
    joined = pair(encodings=((encoding.code, encoding.name),))
    header = joined.left.writer._headers.pack(
        wire.ARRAY, encoding=encoding.code, element=code, flags=wire.HAS_CHECKSUM, sequence=1, count=count,
        array_bytes=len(content), payload_bytes=len(content), payload_checksum=crc32c(content),
    )  # fmt: skip
    feed(joined.right, header + content)
    got = joined.right.take(joined.right.inbound(0))
    made = Elements(type, count, (), memoryview(bytes(got.view)))
    joined.right.queue(joined.right.outbound(0), made, 0, Attributes())
    assert drain(joined.right)[-len(content) or 1 << 30 :] == content


ONES = 300 * [1.5]


@pytest.mark.parametrize(
    "name, expected",
    [
        ("array-block", ONES),
        ("array-blocks", [*VALUES, *ONES]),
        ("array-shuffle-zstd", ONES),
        ("array-shuffle-lz4", ONES),
        ("array-shuffle-zstd-layouts", [*ONES, *200 * [1.5], *100 * [VALUES[2]]]),
        ("array-shuffle-lz4-layouts", [*ONES, *200 * [1.5], *100 * [VALUES[2]]]),
        ("array-float-bf16", [1, -2.5, 0.10009765625]),
        ("array-float-fp16", [1, -2.5, 0.0999755859375]),
    ],
)
def test_blocks(read, name, expected, monkeypatch):
    if "zstd" in name and _blocks._zstd() is None:
        pytest.skip("no module for zstd; install zstandard")
    offer = with_runs(monkeypatch)._replace(checksums=True)
    for most in (1, 7, 65, 100, 8192):
        core = Pair(offer, offer).run().right
        feed(core, read(name), lambda: most)
        assert core.error is None
        assert list(struct.unpack(f"<{len(expected)}f", core.take(core.inbound(0)).view)) == expected


@pytest.mark.parametrize("codec", ["bf16", "fp16"])
def test_halves_are_written(read, codec):
    joined = pair(encodings=((1, "raw-le"), (24, "bf16"), (25, "fp16")))
    made = elements(VALUES, None, None, codec)
    joined.left.queue(joined.left.outbound(0), made, 0, Attributes())
    assert drain(joined.left) == read(f"array-float-{codec}")
