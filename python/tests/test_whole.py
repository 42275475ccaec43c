"""Frames that come whole are taken at once, and all others step by step: with the same result."""

import array
import random
import struct

import pytest
from links import Pair, drain, feed

from arraywire import _elements, _targets, _whole
from arraywire import _layout as wire
from arraywire._attributes import Attributes
from arraywire._crc32c import HeaderChecksum, crc32c
from arraywire._elements import elements
from arraywire._layout import HeaderWriter
from arraywire._streams import Target
from arraywire._writer import Writer

FLOATS = elements(array.array("f", range(16)))


def made(asked=False):
    """A pair, and what its left side sends: plain arrays, some with attributes, a request, and the reply to another."""
    joined = Pair().run()
    left, right = joined.left, joined.right
    left.requests.answering = right.requests.answering = True
    right.requests.make(FLOATS, 0, {}, 0)
    joined.run()
    stream = right.inbound(0)
    if asked:
        right.ask(stream)
    queue = left.outbound(0)
    left.queue(queue, FLOATS, 7, Attributes())
    left.queue(queue, FLOATS, 8, Attributes(shape=(4, 4), metadata={"unit": "K"}))
    left.queue(queue, elements(array.array("d", [])), 0, Attributes(metadata={"nothing": ""}))
    left.requests.reply(left.requests.take(), FLOATS, 9, {})
    left.requests.make(FLOATS, 0, {"why": ""}, 0)
    left.requests.make(FLOATS, 0, {}, 0)
    return joined, drain(left)


def state(core):
    stream = core.inbound(0)
    inbox = [(each.tag, each.type.name, each.attributes, bytes(each.view), each.asked, each.held) for each in stream.inbox]
    requests = [(each.attributes, bytes(each.view)) for each in core.requests.inbox]
    return (
        inbox, requests, stream.sequence, stream.received, stream.held, stream.told, stream.acked, core.received, core.held,
        core.told, core.error and core.error.code, core.requests.idle, drain(core),
    )  # fmt: skip


@pytest.mark.parametrize("asked", [False, True])
def test_whole_or_byte_by_byte(asked, monkeypatch):
    joined, data = made(asked)
    feed(joined.right, data, lambda: 1)
    expected = state(joined.right)
    taken = []
    take = _whole.WholeFrames.take
    monkeypatch.setattr(_whole.WholeFrames, "take", lambda *a: taken.append(take(*a)) or taken[-1])
    joined, again = made(asked)
    assert again == data
    taken.clear()
    feed(joined.right, data)
    assert state(joined.right) == expected
    assert all(taken) and len(taken) == 6  # none of them went the long way


@pytest.mark.parametrize("at", range(60))
def test_what_is_wrong_with_a_whole_frame_is_said_as_of_one_that_comes_in_pieces(at):
    """Every byte of a header changed, with a checksum that is right."""
    for change in (1, 2, 0x80, 0xFF):
        for frame in range(3):
            results = []
            for cut in (None, lambda: 1):
                joined, data = made()
                damaged = bytearray(data)
                start = (0, 128, 304)[frame]
                damaged[start + at] ^= change
                struct.pack_into("<I", damaged, start + 60, crc32c(damaged[start : start + 60]))
                feed(joined.right, bytes(damaged), cut)
                results.append(state(joined.right))
            assert results[0][:-1] == results[1][:-1], (frame, change)


def expecting():
    """A pair whose left side waits for a reply, which is like those before it; the request, and the reply's bytes."""
    joined = Pair().run()
    left, right = joined.left, joined.right
    right.requests.answering = True
    data = b""
    for _ in range(3):
        feed(left, data)
        pending = left.requests.make(FLOATS, 0, {}, 0)
        feed(right, drain(left))
        right.requests.reply(right.requests.take(), FLOATS, 5, {})
        data = drain(right)
    return joined, pending, data


def outcome(core, pending):
    reply = pending.reply and (pending.reply.tag, bytes(pending.reply.view), pending.reply.sequence, pending.reply.wire)
    return reply, pending.error and str(pending.error), core.outbound(0).last_whole(), len(core.outbound(0).waiting), *state(core)


@pytest.mark.parametrize("forgotten", [False, True])
def test_a_reply_that_is_expected(forgotten, monkeypatch):
    """Its first bytes were made while this side waited, and it is taken without a look at its fields."""
    results = []
    for cut in (None, lambda: 1):
        joined, pending, data = expecting()
        left = joined.left
        assert left.reader.whole._expected == data[:80]
        if forgotten:
            left.requests.forget(pending)
        with monkeypatch.context() as patched:
            if cut is None and not forgotten:
                patched.setattr(HeaderChecksum, "of_number", lambda *a: pytest.fail("a checksum was made"))
            feed(left, data, cut)
        results.append(outcome(left, pending))
        assert (pending.reply is None) == forgotten and left.error is None
    assert results[0] == results[1]


@pytest.mark.parametrize("checksum", [False, True])
def test_what_is_wrong_with_a_reply_that_is_expected_is_said_as_of_any_other(checksum):
    """Every byte changed, with and without a checksum that is right."""
    for at in range(144):
        for change in (1, 0x80):
            results = []
            for cut in (None, lambda: 1):
                joined, pending, data = expecting()
                damaged = bytearray(data)
                damaged[at] ^= change
                if checksum:
                    struct.pack_into("<I", damaged, 60, crc32c(damaged[:60]))
                feed(joined.left, bytes(damaged), cut)
                results.append(outcome(joined.left, pending))
            # What this side says last tells where it was found, which is another place for a frame that comes in pieces.
            assert results[0][:-1] == results[1][:-1], (at, change)


def test_an_expected_reply_that_comes_twice():
    results = []
    for cut in (None, lambda: 1):
        joined, pending, data = expecting()
        feed(joined.left, data + data, cut)
        results.append(outcome(joined.left, pending)[:-1])
    assert results[0] == results[1] and joined.left.error is not None


@pytest.mark.parametrize("seed", range(5))
def test_requests_are_the_same_with_headers_that_were_made_ahead(seed, monkeypatch):
    """Tags, sizes and channels change now and then, arrays go between, and several requests wait."""
    conversations = []
    for ahead in (True, False):
        choose = random.Random(seed)
        joined = Pair().run()
        left, right = joined.left, joined.right
        right.requests.answering = True
        said, made_ahead = [], []
        with monkeypatch.context() as patched:
            like = HeaderWriter.like
            patched.setattr(HeaderWriter, "like", lambda self, *a: made_ahead.append(a == self._made_for) or like(self, *a))
            if not ahead:
                patched.setattr(Writer, "look_ahead", lambda *a: None)
                patched.setattr(_whole.WholeFrames, "look_ahead", lambda *a: None)
            for _ in range(300):
                tag, channel = choose.choice((0,) * 15 + (7,)), choose.choice((0,) * 15 + (3,))
                some = choose.choice((FLOATS,) * 9 + (elements(array.array("d", [tag])),))
                what = choose.randrange(12)
                if what == 0:
                    left.queue(left.outbound(channel), some, tag, Attributes())
                elif what == 1:
                    right.send(right.outbound(channel), some, tag, b"")
                made = [left.requests.make(some, tag, {}, channel) for _ in range(2 if what == 2 else 1)]
                said.append(drain(left))
                feed(right, said[-1])
                while right.requests.inbox:
                    right.requests.reply(right.requests.take(), some, choose.choice((0,) * 15 + (7,)), {})
                said.append(drain(right))
                feed(left, said[-1])
                assert all(bytes(each.reply.view) == bytes(some.view) for each in made)
                for stream in left.inbounds.values():
                    while stream.inbox:
                        left.processed(left.take(stream))
        assert left.error is None and right.error is None
        conversations.append(said)
        assert made_ahead.count(True) > 50 if ahead else not any(made_ahead)
    assert conversations[0] == conversations[1]


@pytest.mark.parametrize("between", ["nothing", "ping", "array", "shorter"])
@pytest.mark.parametrize("most", [None, 63, 64, 65, 5000, 70_000])
@pytest.mark.parametrize("message", [False, True])
def test_parts_of_a_large_array_are_read_ahead(between, most, message, monkeypatch):
    taken = []
    take_part = _whole.WholeFrames.take_part
    monkeypatch.setattr(_whole.WholeFrames, "take_part", lambda *a: taken.append(take_part(*a)) or taken[-1])
    joined = Pair().run()
    left, right = joined.left, joined.right
    stream = right.inbound(0)
    right.ask(stream)
    values = array.array("i", range(100_000))
    made = elements({"few": values[:3], "all": values} if message else values)
    left.queue(left.outbound(0), made, 0, Attributes(parts=made.parts))
    frames = []
    for chunk in ([4096] * 9 + [4000] * 5 if between == "shorter" else []) + [4096] * 100:
        left.writer.chunk_bytes = chunk
        if left.outbound(0).queue:
            left.writer._make_frame(left.outbound(0))
            frames.append(b"".join(bytes(each) for each in left.writer._pieces))
            left.bytes_written(len(frames[-1]))
    left.writer._ready.clear()
    if between == "ping":
        for i in range(40, 3, -7):
            frames.insert(i, left.writer._headers.pack(wire.PING, tag=i))
    elif between == "array":
        left.queue(left.outbound(3), FLOATS, 0, Attributes())
        frames.insert(20, drain(left))
    feed(right, b"".join(frames), most and (lambda: most))
    assert right.error is None
    assert bytes(stream.inbox[0].view) == bytes(made.view)
    assert stream.received == left.outbound(0).charged
    if between == "array":
        assert bytes(right.inbound(3).inbox[0].view) == bytes(FLOATS.view)
    if between == "ping":
        pongs = drain(right)
        headers = [wire.unpack(pongs, i) for i in range(0, len(pongs), wire.HEADER_BYTES)]
        assert [each.tag for each in headers if each.type == wire.PONG] == [5, 12, 19, 26, 33, 40]
    if most is None or most >= 5000:
        assert any(taken)


def test_an_array_that_has_begun_goes_on_into_the_callers_memory():
    joined = Pair().run()
    left, right = joined.left, joined.right
    stream = right.inbound(0)
    values = array.array("i", range(50_000))
    left.writer.chunk_bytes = 4096
    left.queue(left.outbound(0), elements(values), 0, Attributes())
    data = drain(left)
    feed(right, data[:100_000])
    room = array.array("i", bytes(4 * 60_000))
    target = Target(*_elements.target(room))
    _targets.aim(stream, target)
    assert stream.arriving.into is target and stream.arriving.memory is None
    feed(right, data[100_000:])
    assert room[:50_000] == values and room[50_000:] == array.array("i", bytes(4 * 10_000))
    assert stream.inbox[0].into is target
