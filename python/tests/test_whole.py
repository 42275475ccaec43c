"""Frames that come whole are taken at once, and all others step by step: with the same result."""

import array
import struct

import pytest
from links import Pair, drain, feed

from arraywire import _elements, _targets, _whole
from arraywire import _layout as wire
from arraywire._attributes import Attributes
from arraywire._crc32c import crc32c
from arraywire._elements import elements
from arraywire._streams import Target

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
