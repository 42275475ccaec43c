"""Arrays and parts of messages in blocks, over a connection: as they are sent, as they come, and as they must not."""

import array
import random
import struct

import pytest
from links import Pair, drain, feed, of_runs, with_runs

import arraywire
from arraywire import _blocks, _halves, _layout as wire, _memory, _types, message
from arraywire._attributes import Attributes, Part
from arraywire._crc32c import crc32c
from arraywire._elements import elements
from arraywire._handshake import OFFERED, Offer
from arraywire._spans import Spans, put
from arraywire.errors import ErrorCode, PeerError, UnsupportedArrayError
from test_checks import entry, frame, section
from test_connection import joined, later
from test_hostile import SEED, seed  # noqa: F401

BYTE, INT, RAW, RUNS = 7, 2, 1, 210
OFFER = Offer(encodings=(*OFFERED, *((each.code, each.name) for each in _types.IN_BLOCKS.values())))
#: What parts-blocks.bin and parts-blocks-chunks.bin hold, by the page.
SCORES = struct.pack("<3f", 1, -2.5, 0.1) + 300 * struct.pack("<f", 1.5)
MIXED = {"ids": struct.pack("<3i", 7, 42, 5), "scores": SCORES, "none": b"", "mask": bytes(5 * [6]), "tail": b"\xfe\xff"}
NAMES = ["parts-blocks", "parts-blocks-chunks"]


@pytest.fixture()
def runs(monkeypatch):
    """The encoding in blocks of the golden files: runs of equal elements."""
    return with_runs(monkeypatch)


@pytest.fixture()
def read(golden):
    return lambda name: (golden / "wire-v2" / f"{name}.bin").read_bytes()


def pair(offer=OFFER, **changes):
    return Pair(offer._replace(**changes), offer._replace(**changes)).run()


def parts_of(received):
    return {name: bytes(each) if len(each) else b"" for name, each in received.parts().items()}


def taken(core):
    got = core.take(core.inbound(0))
    core.processed(got)
    return got


# --- As they come ---


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("without_numpy", [False, True])
def test_the_golden_message_is_taken_in_whatever_portions_it_comes(read, runs, name, without_numpy, monkeypatch):
    if without_numpy:
        monkeypatch.setattr(_memory, "numpy", None)
    for most in (*range(1, 80), 8192):
        core = pair(runs, checksums=True).right
        feed(core, read(name), lambda: most)
        assert core.error is None
        got = taken(core)
        assert parts_of(got) == MIXED and bytes(got.view[1228:1232]) + bytes(got.view[1237:1240]) == bytes(7), most


@pytest.mark.parametrize("name", NAMES)
def test_every_split_and_every_prefix(read, runs, name):
    data = read(name)
    for cut in range(len(data)):
        core = pair(runs, checksums=True).right
        feed(core, data[:cut])
        assert core.error is None and not core.inbound(0).inbox
        feed(core, data[cut:])
        assert parts_of(taken(core)) == MIXED and core.held == 0
        core = pair(runs, checksums=True).right
        feed(core, data[:cut])
        core.end_of_stream()
        assert core.error.code is (ErrorCode.TRUNCATED if cut else ErrorCode.CONNECTION_RESET)


@pytest.mark.parametrize("name", NAMES)
def test_every_damaged_byte(read, runs, name, seed):  # noqa: F811
    data = read(name)
    for at in range(len(data)):
        damaged = bytearray(data)
        damaged[at] ^= seed.randrange(1, 256)
        core = pair(runs, checksums=True).right
        feed(core, bytes(damaged), lambda: seed.randrange(1, 300))
        core.end_of_stream()
        assert core.error.code is not None and not core.inbound(0).inbox, at


def test_what_was_damaged_is_not_decoded(read, runs, monkeypatch):
    decoded = []
    monkeypatch.setitem(_blocks.DECODERS, RUNS, lambda *block: decoded.append(1) or of_runs(*block))
    data = bytearray(array_of(600, run(600, 1), flags=1))
    data[64 + 8] ^= 1
    core = pair(runs, checksums=True).right
    feed(core, bytes(data))
    assert core.error.code is ErrorCode.PAYLOAD_CHECKSUM and not decoded


# --- What must not be ---


def block(size, raw, elements, content=b""):
    return struct.pack("<II", size | raw << 31, elements) + content


def run(elements, value):
    """A block of so many equal bytes."""
    content = b"".join(bytes([min(left, 256) - 1, value]) for left in range(elements, 0, -256))
    return block(len(content), False, elements, content)


def aligned(content):
    return content + bytes(-len(content) % 8)


def array_of(count, *blocks, flags=0, **fields):
    payload = b"".join(blocks)
    values = dict(encoding=RUNS, element=BYTE, sequence=1, count=count, array_bytes=count, payload_bytes=len(payload))
    values.update(fields)
    if flags:
        values["payload_checksum"] = crc32c(payload)
    return frame(type=wire.ARRAY, behind=payload, flags=flags, **values)


def message_of(entries, *payload, **fields):
    """A message in one frame; its entries are names, types, encodings and counts."""
    table = section(3, len(entries), b"".join(entry(name, type, code, count=count) for name, type, code, count in entries))
    content = b"".join(payload)
    size = sum((count * _types.TYPES[type].size + 7) // 8 * 8 for _, type, _, count in entries)
    values = dict(sequence=1, count=sum(each[3] for each in entries), array_bytes=size, payload_bytes=len(content))
    values.update(fields)
    return frame(type=wire.ARRAY, attribute_bytes=len(table), behind=table + content, **values)


def two(count, *payload, **fields):
    return message_of([(b"a", BYTE, RUNS, count), (b"b", BYTE, RAW, 8)], *payload, **fields)


C, ONE, REST = ErrorCode, run(600, 1), bytes(8)
ALONE = [(b"a", BYTE, RUNS, 600)]
DIRTY, RAW3 = aligned(ONE)[:-1] + b"\1", aligned(block(3, True, 3, b"\1\2\3"))
LONGER = struct.pack("<I", 7) + ONE[4:] + b"\0"
ARRAYS = {
    "no elements": (array_of(600, block(2, False, 0, ONE)), C.BAD_LENGTH),
    "more elements than the array": (array_of(599, ONE), C.BAD_LENGTH),
    "more elements than a block may have": (array_of(70_000, run(65_537, 1)), C.BAD_LENGTH),
    "more elements than 31 bits": (array_of(600, block(2, False, (1 << 32) - 1, ONE)), C.BAD_LENGTH),
    "no bytes": (array_of(600, block(0, False, 600, ONE)), C.BAD_LENGTH),
    "no raw bytes": (array_of(600, block(0, True, 600, ONE)), C.BAD_LENGTH),
    "more bytes than the frame": (array_of(600, block(500, False, 600, ONE)), C.BAD_LENGTH),
    "bytes beyond all bounds": (array_of(600, block((1 << 31) - 1, False, 600, ONE)), C.BAD_LENGTH),
    "no smaller than raw": (array_of(4, block(4, False, 4, b"\1\7\1\7")), C.COUNT_MISMATCH),
    "raw, and of another length": (array_of(4, block(3, True, 4, b"\1\2\3")), C.COUNT_MISMATCH),
    "a head alone": (array_of(600, block(2, False, 600)), C.BAD_LENGTH),
    "half a head behind a block": (array_of(900, ONE, bytes(4)), C.BAD_LENGTH),
    "a block behind the last": (array_of(600, ONE, ONE), C.BAD_LENGTH),
    "an empty array with a block": (array_of(0, ONE), C.BAD_LENGTH),
    "fewer elements than said": (array_of(600, block(2, False, 600, b"\x09\1")), C.MALFORMED_PAYLOAD),
    "more elements than said": (array_of(100, block(2, False, 100, b"\xff\1")), C.MALFORMED_PAYLOAD),
    "bytes behind the elements": (array_of(600, LONGER), C.MALFORMED_PAYLOAD),
    "array bytes that are not those of its elements": (array_of(600, ONE, array_bytes=14), C.COUNT_MISMATCH),
    "more bytes than blocks of one element have": (array_of(2, bytes(19)), C.BAD_LENGTH),
    "an encoding that was not offered": (array_of(4, RAW3, encoding=211), C.UNKNOWN_CODE),
    "small blocks without end": (array_of(8000, *2000 * [run(4, 1)]), C.CONTROL_FLOOD),
}  # fmt: skip
MESSAGES = {
    "a head over its part": (two(599, aligned(ONE), REST), C.BAD_LENGTH),
    "a head over its frame": (message_of(ALONE, block(500, False, 600, ONE)), C.BAD_LENGTH),
    "no elements": (two(600, block(2, False, 0, ONE), REST), C.BAD_LENGTH),
    "zeros that are none": (two(600, DIRTY, REST), C.MALFORMED_PAYLOAD),
    "zeros behind a raw block that are none": (two(3, RAW3[:11] + b"\1" + RAW3[12:], REST), C.MALFORMED_PAYLOAD),
    "zeros that are not there": (message_of(ALONE, ONE), C.BAD_LENGTH),
    "a head alone": (message_of(ALONE, block(2, False, 600)), C.BAD_LENGTH),
    "half a head": (message_of(ALONE, bytes(7)), C.BAD_LENGTH),
    "a block behind the last part": (message_of(ALONE, aligned(ONE), aligned(ONE)), C.BAD_LENGTH),
    "bytes behind the last part": (two(600, aligned(ONE), REST, REST), C.BAD_LENGTH),
    "no smaller than raw": (two(2, block(2, False, 2, b"\1\7"), bytes(6), REST), C.COUNT_MISMATCH),
    "raw, and of another length": (two(4, aligned(block(3, True, 4, b"\1\2\3")), REST), C.COUNT_MISMATCH),
    "fewer elements than said": (two(600, aligned(block(2, False, 600, b"\x09\1")), REST), C.MALFORMED_PAYLOAD),
    "an encoding that was not offered": (message_of([(b"a", INT, 211, 3)], bytes(16)), C.UNKNOWN_CODE),
    "an encoding that is in no blocks": (message_of([(b"a", INT, 4, 3)], bytes(16)), C.UNKNOWN_CODE),
    "an encoding of no elements that was not offered": (
        message_of([(b"a", INT, 211, 0), (b"b", BYTE, RAW, 8)], REST), C.UNKNOWN_CODE,
    ),
    "an encoding without the type": (message_of([(b"a", INT, 24, 3)], bytes(16)), C.UNKNOWN_CODE),
    "raw parts with more bytes than their elements": (message_of([(b"a", BYTE, RAW, 8)], REST, REST), C.BAD_LENGTH),
    "more bytes than blocks of one element have": (message_of([(b"a", BYTE, RUNS, 1)], bytes(25)), C.BAD_LENGTH),
    "small blocks without end": (two(8000, *2000 * [aligned(run(4, 1))]), C.CONTROL_FLOOD),
}  # fmt: skip


@pytest.mark.parametrize("data, code", [*ARRAYS.values(), *MESSAGES.values()], ids=[*ARRAYS, *(f"in a part: {each}" for each in MESSAGES)])
def test_what_is_wrong_ends_the_connection(runs, data, code):
    for most in (None, lambda: 1):
        both = pair(runs)
        feed(both.right, data, most)
        error = both.right.error
        assert error is not None and error.code is code, error
        feed(both.left, drain(both.right))
        assert isinstance(both.left.error, PeerError) and both.left.error.code is code
        assert not both.right.inbound(0).inbox


@pytest.mark.parametrize("case", ["more bytes than blocks of one element have"])
def test_a_header_alone_is_refused(runs, case):
    """Before its attributes and its payload come."""
    for data, code in (ARRAYS[case], MESSAGES[case]):
        core = pair(runs).right
        feed(core, data[: wire.HEADER_BYTES])
        assert core.error is not None and core.error.code is code


def test_the_frames_made_by_hand_are_taken(runs):
    """So what is refused above is refused for what is said there."""
    core = pair(runs).right
    feed(core, two(600, aligned(ONE), bytes(range(8))) + two(3, RAW3, REST, sequence=2) + array_of(600, ONE, sequence=3))
    assert parts_of(taken(core)) == {"a": bytes(600 * [1]), "b": bytes(range(8))}
    assert parts_of(taken(core))["a"] == b"\1\2\3"
    assert bytes(taken(core).view) == bytes(600 * [1]) and core.error is None


def test_beside_a_big_endian_part(runs):
    core = pair(runs).right
    feed(core, message_of([(b"a", BYTE, RUNS, 601), (b"b", INT, 2, 2)], aligned(run(601, 1)), struct.pack(">2i", 1, 2)))
    assert parts_of(taken(core)) == {"a": bytes(601 * [1]), "b": array.array("i", [1, 2]).tobytes()}


def test_a_message_costs_what_its_parts_take_where_they_are_plain(runs):
    credit = 8 << 10
    few = runs._replace(channel_credit=credit, connection_credit=credit)
    most = credit - wire.ARRAY_COST - (8 + 2 * 24) - 8
    core = pair(few).right
    feed(core, two(most, aligned(run(most, 1)), REST))
    assert core.error is None and len(core.inbound(0).inbox) == 1
    for data in (
        two(most + 1, aligned(run(most + 1, 1)), REST),  # the raw part is too much
        two(60_000, aligned(run(60_000, 1)), REST),
        message_of([(b"a", BYTE, RAW, 60_000)], bytes(60_000)),
        array_of(60_000, run(60_000, 1)),
    ):
        core = pair(few).right
        feed(core, data)
        assert core.error.code is ErrorCode.CREDIT_EXCEEDED


def test_many_small_parts_are_no_flood(runs):
    entries = [(b"%d" % i, BYTE, (RUNS, RAW)[i % 2], 4) for i in range(1024)]
    core = pair(runs).right
    feed(core, message_of(entries, *[bytes(8) if i % 2 else aligned(run(4, i % 256)) for i in range(1024)]))
    got = parts_of(taken(core))
    assert core.error is None and got["1022"] == bytes(4 * [1022 % 256]) and len(got) == 1024


def test_it_is_withdrawn_between_blocks(runs):
    core = pair(runs).right
    half = aligned(ONE)
    feed(core, two(1200, half) + frame(type=wire.ABORT, sequence=1) + two(600, half, REST, sequence=2))
    assert core.error is None and parts_of(taken(core))["a"] == bytes(600 * [1]) and core.held == 0


def test_a_chunk_says_how_many_plain_bytes_came_before(runs):
    half = aligned(run(604, 1))
    for before in (604, len(half), 0):
        core = pair(runs).right
        chunk = frame(
            type=wire.CHUNK, sequence=1, count=1216, array_bytes=before, payload_bytes=len(half) + 8, behind=half + REST
        )
        feed(core, two(1208, half) + chunk)
        if before == 604:
            assert parts_of(taken(core))["a"] == bytes(1208 * [1])
        else:
            assert core.error.code is ErrorCode.SEQUENCE_GAP


# --- As they are sent ---


def sendable():
    """Parts of every kind, and how they are to travel; ids of which runs are equal, so that they become smaller."""
    numpy = pytest.importorskip("numpy")
    floats = (numpy.arange(70_001) / 8).astype("f4")  # which bf16 does not hold
    parts = {
        "ids": numpy.arange(100_003, dtype="i8") // 50,
        "scores": floats.reshape(1, -1),
        "halves": floats,
        "raw": numpy.arange(5, dtype="u1"),
        "big": numpy.arange(7, dtype="i4"),
        "none": numpy.zeros(0, "f4"),
        "mask": numpy.arange(9_999) % 3 == 0,
        "last": numpy.array([7], "f8"),
    }
    codecs = {"scores": "bf16", "halves": "fp16", "big": "raw-be", "none": "bf16"}
    if _blocks._zstd() is not None:
        codecs.update(ids="shuffle-zstd", mask="shuffle-zstd", last="shuffle-zstd")
    return parts, codecs, {"mask": "boolean"}


def check(got, parts, codecs):
    import numpy

    assert list(got) == list(parts)
    for name, sent in parts.items():
        here, codec = got[name], codecs.get(name)
        assert here.dtype == sent.dtype and here.shape == sent.shape
        if codec == "bf16":
            assert numpy.allclose(here, sent, rtol=2**-8, atol=0)
        elif codec == "fp16":
            assert numpy.array_equal(here, sent.astype("f2").astype("f4"))
        else:
            assert numpy.array_equal(here, sent), name


@pytest.mark.parametrize("checksums", [False, True])
@pytest.mark.parametrize("frames, credit", [(1 << 20, 1 << 20), (1024, 4096), (70_000, 100_000)])
def test_messages_over_every_limit_and_cut_anywhere(checksums, frames, credit, seed):  # noqa: F811
    parts, codecs, types = sendable()
    if credit == 4096:
        parts = {name: each[..., :600] for name, each in parts.items()}
    offer = OFFER._replace(
        checksums=checksums, max_frame_bytes=frames, channel_credit=credit, connection_credit=4 * credit
    )
    both = Pair(offer, offer, cut=lambda: seed.randrange(1, 90_000)).run()
    both.right.ask(both.right.inbound(0))
    made = elements(parts, types, None, codecs)
    both.left.queue(both.left.outbound(0), made, 3, Attributes(parts=made.parts))
    both.run()
    assert both.left.error is None is both.right.error
    got = taken(both.right)
    check(got.parts(), parts, codecs)
    # No piece is so small that a receiver takes it for useless; and it leaves smaller than it is, but for frames of 1 KiB.
    assert both.right.flood._counted == 0
    assert frames == 1024 or sum(map(len, both.wire)) < len(made.view)


@pytest.mark.parametrize("frames, count", [(1 << 20, 1_000_003), (1024, 50_003)])
def test_a_large_message_whose_parts_begin_anywhere_is_no_flood(frames, count):
    """Blocks end where frames do: pieces that a receiver takes for useless would end the connection."""
    numpy = pytest.importorskip("numpy")
    parts = {str(i): numpy.zeros(count * i, "f4") for i in range(1, 4)}
    both = pair(max_frame_bytes=frames)
    both.right.ask(both.right.inbound(0))
    made = elements(parts, None, None, {"1": "bf16", "3": "bf16"})
    both.left.queue(both.left.outbound(0), made, 0, Attributes(parts=made.parts))
    both.run()
    assert both.right.error is None and both.right.flood._counted == 0
    assert {name: len(each) for name, each in taken(both.right).parts().items()} == {k: len(v) for k, v in parts.items()}


def test_a_piece_keeps_to_what_is_allowed():
    """A part of three floats, which takes 12 bytes and zeros up to 16, behind 6 bytes of a raw one."""
    part = Part("a", _types.FLOAT, _types.HALVES_BF16, 3, (), 8)
    spans = Spans(_types.TABLE, _types.MESSAGE, 24, (Part("b", _types.BYTE, _types.RAW_LE, 8, (), 0), part))
    view = memoryview(bytes(24))
    body = bytearray()
    assert put(body, view, 2, spans, 100, 100) == 6 and len(body) == 6
    assert put(body, view, 8, spans, 15, 100) == 8  # not the last one, for which the zeros would be too much
    assert len(body) == 6 + 8 + 4 + 4
    assert put(body, view, 16, spans, 7, 100) == 0 == put(body, view, 16, spans, 8, len(body) + 18)
    assert put(body, view, 16, spans, 8, 100) == 8 and len(body) == 22 + 8 + 2 + 6
    assert put(body, view, 24, spans, 100, 100) == 0


@pytest.mark.parametrize("checksums", [False, True])
def test_over_a_connection(checksums):
    numpy = pytest.importorskip("numpy")
    parts, codecs, types = sendable()
    with joined(checksums=checksums) as (left, right):
        receiving = later(right.receive_message, 10)
        left.send(parts, type=types, codec=codecs, tag=5, metadata={"unit": "K"}, timeout=10)
        got = receiving()
        check(got.parts, parts, codecs)
        assert got.tag == 5 and got.metadata == {"unit": "K"} and got.types["mask"] == "boolean"
        # One codec for all parts that it has the type of.
        receiving = later(right.receive_message, 10)
        left.send(parts, type=types, codec="fp16", timeout=10)
        check(receiving().parts, parts, {"scores": "fp16", "halves": "fp16", "none": "fp16"})
        asking = later(left.call, parts, 10, type=types, codec=codecs)
        request = right.next_request(10)
        check(request.parts, parts, codecs)
        assert request.reply({"scores": parts["scores"]}, codec={"scores": "bf16"})
        check(asking().parts, {"scores": parts["scores"]}, {"scores": "bf16"})


def test_arrays_in_blocks_over_a_connection():
    numpy = pytest.importorskip("numpy")
    with joined() as (left, right):
        for codec in ("bf16", "fp16", "shuffle-zstd", "raw-be", "java-object"):
            if codec == "shuffle-zstd" and _blocks._zstd() is None:
                continue
            for count in (0, 1, 3, 16_384, 16_385, 300_000):
                sent = numpy.arange(count, dtype="f4") // 256  # that fp16 and bf16 hold up to 2048 and 256
                sent = sent % 256
                receiving = later(right.receive, 10)
                left.send(sent, codec=codec, timeout=10)
                got = receiving()
                assert numpy.array_equal(got, sent) and got.dtype == sent.dtype, (codec, count)
                room = numpy.zeros(count + 1, "f4")
                receiving = later(right.receive_into, room, 10)
                left.send(sent, codec=codec, timeout=10)
                assert receiving().shape == (count,) and numpy.array_equal(room[:count], sent)


def test_within_a_session():
    numpy = pytest.importorskip("numpy")
    parts = {"a": numpy.ones(40_000, "f4"), "b": numpy.arange(3)}
    with arraywire.listen("localhost:0", session_timeout=30) as listener:
        with arraywire.connect(listener.address, session_timeout=30) as left:
            right = listener.accept(10)
            receiving = later(right.receive_message, 10)
            left.send(parts, session=True, codec={"a": "fp16"}, timeout=10)
            check(receiving().parts, parts, {"a": "fp16"})


def test_what_the_peer_does_not_read_is_refused_before_a_byte_leaves():
    numpy = pytest.importorskip("numpy")
    floats = numpy.ones(3, "f4")
    both = Pair(OFFER, Offer()).run()
    for obj in ({"a": floats, "b": floats}, floats):
        made = elements(obj, None, None, "bf16")
        with pytest.raises(UnsupportedArrayError, match="bf16") as caught:
            both.left.queue(both.left.outbound(0), made, 0, Attributes(parts=made.parts))
        assert caught.value.code is ErrorCode.NEGOTIATION_FAILED and drain(both.left) == b""
    with arraywire.listen("localhost:0", codecs=("fp16",)) as listener:
        with arraywire.connect(listener.address, takes_requests=True) as left, listener.accept(10) as right:
            with pytest.raises(UnsupportedArrayError, match="codec=bf16"):
                left.send(floats, codec="bf16")
            left.send(floats, codec="fp16")
            assert right.receive(10).tolist() == [1, 1, 1]
            # An answer that cannot be sent leaves its request to be failed.
            asking = later(right.call, floats, 10)
            request = left.next_request(10)
            with pytest.raises(UnsupportedArrayError):
                request.reply(floats, codec="bf16")
            assert request.fail("not so")
            with pytest.raises(arraywire.RequestFailedError, match="not so"):
                asking()


@pytest.mark.parametrize(
    "obj, codec, words",
    [
        (b"x", "bf16", "does not have the element type"),
        (b"x", "zip", "no such codec"),
        (b"x", {"a": "bf16"}, "an array has one codec"),
        (b"x", "shuffle-lz4", "name shuffle-zstd"),
        ({"a": b"x"}, "bf16", "the type of no part"),
        ({"a": b"x"}, "zip", "no such codec"),
        ({"a": b"x"}, {"a": "bf16"}, "does not have the element type"),
        ({"a": b"x"}, {"b": "bf16"}, "not there"),
        ({"a": b"x"}, {"a": "java-object"}, "raw-be or in an encoding in blocks; name a codec"),
    ],
)
def test_mistakes(obj, codec, words):
    with pytest.raises(ValueError, match=words):
        elements(obj, None, None, codec)


def test_mistakes_in_options(monkeypatch):
    with pytest.raises(ValueError, match="no such codec in blocks"):
        arraywire.connect("localhost:1", codecs=("raw-le",))
    monkeypatch.setattr(_blocks, "_zstd", lambda: None)
    monkeypatch.setattr(_blocks, "_zstd_compress", lambda: None)
    assert [each.name for each in _blocks.fast()] == ["bf16", "fp16"]
    with pytest.raises(ValueError, match="zstandard"):
        arraywire.listen("localhost:0", codecs=("shuffle-zstd",))
    with pytest.raises(ValueError, match="zstandard"):
        elements(b"x", None, None, "shuffle-zstd")


def test_without_numpy(monkeypatch):
    monkeypatch.setattr(_memory, "numpy", None)
    floats = array.array("f", [0.5 * i for i in range(20_000)])
    both = pair(checksums=True)
    made = elements({"a": floats, "b": array.array("h", [1, -2]), "c": floats}, None, None, {"a": "bf16", "b": "raw-be", "c": "fp16"})
    both.left.queue(both.left.outbound(0), made, 0, Attributes(parts=made.parts))
    both.run()
    got = taken(both.right).parts()
    assert got["b"].tolist() == [1, -2] and got["c"].tolist()[:2049] == floats.tolist()[:2049]
    assert got["a"].tolist() == pytest.approx(floats.tolist(), rel=2**-8)


# --- Halves ---


def test_halves_are_rounded_to_nearest_with_numpy_and_without(monkeypatch):
    pytest.importorskip("numpy")
    bits = [0, 1 << 31, 0x7F800000, 0xFF800000, 0x7F7FFFFF, 0x3F808000, 0x3F818000, 0x3F808001, 0x7F800001, 0xFFFFFFFF, 1]
    rng = random.Random(SEED)
    print(f"ARRAYWIRE_SEED={SEED}")
    bits += [rng.randrange(1 << 32) for _ in range(5000)]
    bits += [0x3F800000 + rng.randrange(1 << 24) for _ in range(2000)]
    bits += [0x38000000 + rng.randrange(1 << 20) for _ in range(2000)]  # subnormal as fp16
    floats = memoryview(struct.pack(f"<{len(bits)}I", *bits))
    both = []
    for numpy_or_none in (_memory.numpy, None):
        monkeypatch.setattr(_memory, "numpy", numpy_or_none)
        made = [_halves.narrowed(floats, fp16) for fp16 in (False, True)]
        both.append([*made, *(_halves.widened(memoryview(each), fp16) for each, fp16 in zip(made, (False, True)))])
    for one, other, format in zip(*both, "HHff"):
        one, other = (struct.unpack(f"<{len(bits)}{format}", each) for each in (one, other))
        same = [a == b for a, b in zip(one, other)]
        nan = [each & 0x7FFFFFFF > 0x7F800000 for each in bits]
        assert all(a or b for a, b in zip(same, nan))
    halves = struct.unpack(f"<{len(bits)}H", both[0][0])
    assert halves[:9] == (0, 1 << 15, 0x7F80, 0xFF80, 0x7F80, 0x3F80, 0x3F82, 0x3F81, 0x7FC0)
    for k, wide in enumerate(both[0][2:]):
        values = struct.unpack(f"<{len(bits)}f", wide)
        assert all((value != value) == (each & 0x7FFFFFFF > 0x7F800000) for value, each in zip(values, bits)), k


# --- Messages outside of a connection ---


def test_array_messages_are_written_in_blocks(golden):
    numpy = pytest.importorskip("numpy")
    three = numpy.array([1, -2.5, 0.1], "f4")
    parts = {"scores": three, "ids": numpy.array([7, 42, 5], "i4"), "none": three[:0], "big": numpy.array([1, -2], "i2")}
    made = message.encode(parts, tag=9, codec={"scores": "bf16", "none": "fp16", "big": "raw-be"})
    folder = golden / "message-v2"
    assert made == (folder / "parts-blocks.bin").read_bytes()
    assert message.encode(three, codec="bf16") == (folder / "bf16.bin").read_bytes()
    assert message.encode(three, codec="fp16", checksum=False) == (folder / "fp16.bin").read_bytes()
    assert message.decode(message.encode(three[:0], codec="bf16")).array.tolist() == []
    sent, codecs, types = sendable()
    for order in ("little", "big"):
        got = message.decode(message.encode(sent, type=types, codec=codecs, order=order))
        check(got.parts, sent, codecs)
    if _blocks._zstd() is not None:
        ids = numpy.arange(1_000_000) // 7
        made = message.encode(ids, codec="shuffle-zstd")
        assert len(made) < ids.nbytes / 4 and numpy.array_equal(message.decode(made).array, ids)
        noise = numpy.frombuffer(random.Random(1).randbytes(100_000), "u1")
        assert numpy.array_equal(message.decode(message.encode(noise, codec="shuffle-zstd")).array, noise)
    with pytest.raises(ValueError, match="raw-be or in an encoding in blocks; name a codec"):
        message.encode(three, codec="java-object")
