"""Acknowledgements of 32 bits, arrays that are withdrawn, and whose memory it is then."""

import array
import gc
import random

import pytest
from links import Pair, drain, feed

from arraywire import _layout as wire
from arraywire import _memory
from arraywire._attributes import Attributes
from arraywire._elements import elements
from arraywire._handshake import Offer
from arraywire._streams import ACKNOWLEDGED, WHOLE, WITHDRAWN
from arraywire._writer import Writer
from arraywire.errors import ErrorCode
from test_checks import floats, frame


def acknowledging(low):
    return frame(type=wire.PONG, flags=wire.ACKNOWLEDGES, acknowledged=low & 0xFFFFFFFF)


def test_acknowledgements_never_go_back():
    joined = Pair().run()
    made = elements(array.array("f", [1]))
    sent = [joined.left.queue(joined.left.outbound(0), made, 0, Attributes()) for _ in range(3)]
    drain(joined.left)
    for low, states in ((0, [WHOLE] * 3), (2, [ACKNOWLEDGED, ACKNOWLEDGED, WHOLE]), (1, None), (2, None), (0, None)):
        feed(joined.left, acknowledging(low))
        assert joined.left.error is None
        assert [each.state for each in sent] == (states or [ACKNOWLEDGED, ACKNOWLEDGED, WHOLE])
    feed(joined.left, acknowledging(4))
    assert joined.left.error.code is ErrorCode.PROTOCOL_VIOLATION


def test_acknowledgements_where_32_bits_are_not_enough():
    for start in ((1 << 32) - 2, (1 << 32) - 1, 1 << 32, (1 << 40) - 1):
        joined = Pair().run()
        stream = joined.left.outbound(0)
        stream.sequence = start
        made = elements(array.array("f", [1]))
        sent = [joined.left.queue(stream, made, 0, Attributes()) for _ in range(3)]
        drain(joined.left)
        for i in range(3):
            feed(joined.left, acknowledging(start + i + 1))
            assert joined.left.error is None
            assert [each.state == ACKNOWLEDGED for each in sent] == [j <= i for j in range(3)]


@pytest.mark.parametrize("seed", range(3))
def test_small_arrays_leave_as_they_do_frame_by_frame(seed, monkeypatch):
    """Arrays of many kinds, with and without acknowledgements beside them, byte for byte the same."""
    at_once = []
    make_at_once = Writer.at_once

    def counted(*array):
        outgoing = make_at_once(*array)
        at_once.append(outgoing is not None)
        return outgoing

    written = []
    for way in (counted, lambda *array: None):
        monkeypatch.setattr(Writer, "at_once", way)
        choose = random.Random(seed)
        small_credit = Offer(channel_credit=8192, connection_credit=16384)
        joined = Pair(small_credit, small_credit).run()
        left, right = joined.left, joined.right
        left.requests.answering = right.requests.answering = True
        joined.wire.clear()
        for _ in range(400):
            made = elements(array.array(choose.choice("fdbhilBHQ"), range(choose.choice([0, 1, 3, 16, 60, 100]))))
            channel, tag = choose.choice([0, 0, 0, 5]), choose.choice([0, 0, 7, (1 << 64) - 1])
            what = choose.randrange(5)
            if what == 0:
                left.requests.make(made, tag, {}, channel)
            elif what == 1:
                right.requests.make(made, tag, choose.choice([{}, {"unit": "K"}]), channel)
            elif what == 2 and right.requests.inbox:
                right.requests.reply(right.requests.take(), made, tag, {})
            elif what == 3:
                left.send(left.outbound(channel), made, tag, Attributes(shape=(made.length, 1)).encoded())
            else:
                for core in (left, right):
                    stream = core.inbound(channel)
                    while stream.inbox:
                        core.processed(core.take(stream))
                if left.requests.inbox:
                    left.requests.reply(left.requests.take(), made, tag, {})
            joined.run()
        assert left.error is None is right.error
        written.append(joined.wire[:])
    assert written[0] == written[1] and len(written[0]) > 200
    assert at_once.count(True) > 200 and at_once.count(False) > 10


def test_a_request_leaves_no_memory_to_the_garbage_collector():
    gc.collect()
    gc.disable()
    try:
        joined = Pair().run()
        joined.right.requests.answering = True
        for failed in (False, False, True):  # the first reply of a channel is read step by step
            memory = bytearray(64)
            pending = joined.left.requests.make(elements(memory), 0, {}, 0)
            joined.run()
            request = joined.right.requests.take()
            if failed:
                joined.right.requests.fail(request, "there is no answer")
            else:
                joined.right.requests.reply(request, elements(bytes(request.view)), 0, {})
            joined.run()
            assert pending.is_over() and (pending.error is not None) == failed
            del pending
            memory.append(0)  # raises BufferError while anything refers to it
    finally:
        gc.enable()


def test_a_withdrawn_array_gives_its_memory_back_at_once():
    """Also where a frame of it has begun to leave: the rest of that frame is what it was, though the memory changes."""
    checked = Offer(checksums=True)
    for written in (1, 64, 65, 5000):
        joined = Pair(checked, checked).run()
        joined.left.writer.chunk_bytes = 1 << 18
        values = array.array("q", range(100_000))
        outgoing = joined.left.queue(joined.left.outbound(0), elements(values), 0, Attributes())
        first = b"".join(bytes(each) for each in joined.left.pieces())[:written]
        joined.left.bytes_written(written)
        assert joined.left.writer.give_back(outgoing) and outgoing.state == WITHDRAWN
        for i in range(len(values)):
            values[i] = -1
        feed(joined.right, first + drain(joined.left))
        assert joined.right.error is None and not joined.right.inbound(0).inbox
        joined.left.queue(joined.left.outbound(0), elements(array.array("q", [7])), 0, Attributes())
        joined.run()
        got = joined.right.take(joined.right.inbound(0))
        assert got.presented().tolist() == [7] and got.sequence == 2


def test_a_whole_array_that_has_not_left_gives_its_memory_back_too():
    checked = Offer(checksums=True)
    joined = Pair(checked, checked).run()
    values = array.array("q", range(1000))
    outgoing = joined.left.queue(joined.left.outbound(0), elements(values), 0, Attributes())
    joined.left.pieces()
    assert not joined.left.writer.give_back(outgoing)  # it is delivered all the same
    values[0] = -1
    joined.run()
    assert joined.right.take(joined.right.inbound(0)).presented().tolist() == list(range(1000))


def test_an_array_of_which_nothing_has_left_leaves_no_trace():
    joined = Pair().run()
    outgoing = joined.left.queue(joined.left.outbound(0), elements(array.array("q", [1])), 0, Attributes())
    assert joined.left.writer.give_back(outgoing)
    assert drain(joined.left) == b"" and joined.left.outbound(0).sequence == 0


def test_channels_take_turns():
    joined = Pair().run()
    joined.left.writer.chunk_bytes = 1000
    for channel in (1, 2):
        joined.left.queue(joined.left.outbound(channel), elements(bytes(5000)), 0, Attributes())
    data, order = drain(joined.left), []
    while data:
        header = wire.unpack(data)
        order.append(header.channel)
        data = data[64 + header.payload_bytes :]
    assert order == [1, 2] * 5


def test_a_subscription_that_is_given_up_in_the_middle_of_an_array():
    small = Offer(channel_credit=4096, connection_credit=8192)
    joined = Pair(small, small)
    joined.run().right.subscriptions.publishing = True
    mine = joined.left.subscriptions.make("prices", 1, 1 << 30)
    joined.run()
    (theirs,) = joined.right.subscriptions.subscribers("prices")
    for _ in range(3):
        joined.right.subscriptions.publish(theirs, elements(bytes(10_000)), 0, {})
    joined.run()
    assert mine.stream.arriving is not None  # and there is no credit for the rest
    joined.left.subscriptions.give_up(mine)
    joined.run()
    assert mine.ended and mine.error is None and joined.left.error is None is joined.right.error
    assert mine.stream.arriving is None and not theirs.stream.queue
    again = joined.left.subscriptions.make("prices", 1, 1 << 30)  # the number is used again
    joined.run()
    (theirs,) = joined.right.subscriptions.subscribers("prices")
    joined.right.subscriptions.publish(theirs, elements(b"x"), 0, {})
    joined.run()
    assert again.number == mine.number and bytes(again.stream.inbox[0].view) == b"x"


def test_every_boolean_but_0_is_true():
    for without_numpy in (False, True):
        numpy, _memory.numpy = _memory.numpy, None if without_numpy else _memory.numpy
        try:
            joined = Pair().run()
            content = bytes([0, 1, 2, 128, 255])
            feed(joined.right, floats(element=8, count=5, array_bytes=5, payload_bytes=5, behind=content))
            got = joined.right.take(joined.right.inbound(0))
            assert bytes(got.view) == bytes([0, 1, 1, 1, 1])
        finally:
            _memory.numpy = numpy
