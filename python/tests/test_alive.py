"""Keep-alive by a clock that the test turns: silence, heartbeats, slow frames, peers that read nothing, floods."""

import array

import pytest
from links import Pair, drain, feed

from arraywire import _layout as wire
from arraywire._attributes import Attributes
from arraywire._core import Core
from arraywire._elements import elements
from arraywire._handshake import Offer
from arraywire.errors import ErrorCode
from test_checks import begun, floats, frame


class Clock:
    """Turns a core's time, a second at a time, as links do."""

    def __init__(self, core):
        self.core, self.now = core, 0.0

    def turn(self, seconds, each=lambda: None):
        end = self.now + seconds
        while self.now < end and self.core.error is None:
            self.now += 0.5
            each()
            self.core.tick(self.now)
        return self.core.error and self.core.error.code


def opened(**peer):
    joined = Pair(Offer(**peer)).run()
    return joined, Clock(joined.right)


def test_a_silent_peer_is_asked_and_then_given_up():
    joined, clock = opened()
    assert clock.turn(14) is None and drain(joined.right) == b""
    assert clock.turn(2) is None
    ping = drain(joined.right)
    assert len(ping) == 64 and ping[5] == wire.PING
    feed(joined.left, ping)
    feed(joined.right, drain(joined.left))  # its pong
    assert clock.turn(59, lambda: drain(joined.right)) is None
    assert clock.turn(3, lambda: drain(joined.right)) is ErrorCode.HEARTBEAT_TIMEOUT
    assert joined.right.end_output


def test_a_peer_that_promised_heartbeats_is_given_up_after_three_of_them():
    joined, clock = opened(heartbeat_millis=5000)
    assert clock.turn(14) is None
    assert all(each[5] != wire.PING for each in [drain(joined.right)] if each)
    assert clock.turn(2) is ErrorCode.HEARTBEAT_TIMEOUT


def test_heartbeats_that_were_promised_are_borne():
    joined, clock = opened(heartbeat_millis=100)
    pong = frame(type=wire.PONG)
    assert clock.turn(120, lambda: [feed(joined.right, pong) for _ in range(5)]) is None


def test_a_pause_of_this_side_is_not_the_peers():
    for heartbeat in (0, 5000):
        joined, clock = opened(heartbeat_millis=heartbeat)
        assert clock.turn(2) is None
        clock.now = 1000.0
        assert clock.turn(3) is None


def test_a_flood_is_counted_over_30_seconds():
    joined, clock = opened()
    ping = frame(type=wire.PING)
    for _ in range(5):
        feed(joined.right, ping * 198)
        assert clock.turn(31, lambda: drain(joined.right)) is None
    feed(joined.right, ping * 300)
    assert joined.right.error.code is ErrorCode.CONTROL_FLOOD


def test_answers_to_arrays_are_no_flood():
    joined, _ = opened()
    made = elements(array.array("f", range(16)))
    for i in range(1, 1001):
        joined.left.queue(joined.left.outbound(0), made, 0, Attributes())
        feed(joined.right, drain(joined.left))
        joined.right.processed(joined.right.take(joined.right.inbound(0)))
        feed(joined.left, drain(joined.right))
    assert joined.left.error is None is joined.right.error


def test_a_frame_that_trickles():
    joined, clock = opened()
    data = iter(floats(count=1000))
    assert clock.turn(30, lambda: feed(joined.right, bytes([next(data)]))) is ErrorCode.SLOW_FRAME
    # The peer is told.
    feed(joined.left, drain(joined.right))
    assert joined.left.error.code is ErrorCode.SLOW_FRAME


def test_a_frame_that_pauses_and_comes_back():
    joined, clock = opened(heartbeat_millis=60_000)
    data = floats(count=1000)
    feed(joined.right, data[:100])
    assert clock.turn(100) is None
    feed(joined.right, data[100:])
    assert joined.right.error is None and len(joined.right.inbound(0).inbox) == 1


def test_a_peer_that_reads_nothing():
    joined, clock = opened()
    joined.right.queue(joined.right.outbound(0), elements(array.array("f", range(1000))), 0, Attributes())
    pong = frame(type=wire.PONG)
    assert clock.turn(25, lambda: feed(joined.right, pong)) is None  # it is alive
    assert clock.turn(10, lambda: feed(joined.right, pong)) is ErrorCode.SLOW_PEER


def test_a_handshake_that_does_not_come():
    for data in (b"", b"\xf1AWH\2\2"):
        core = Core(Offer(), connector=False, now=0.0)
        feed(core, data)
        clock = Clock(core)
        assert clock.turn(9.5) is None
        assert clock.turn(1) is ErrorCode.HANDSHAKE_TIMEOUT
        assert drain(core) == b"" and core.end_output


@pytest.mark.parametrize("asked", [False, True])
def test_an_array_that_stops_in_the_middle_holds_up_nobody_else(asked):
    joined, clock = opened(heartbeat_millis=60_000)
    if asked:
        joined.right.ask(joined.right.inbound(0))
    feed(joined.right, begun())
    feed(joined.right, floats(channel=1))
    assert clock.turn(60) is None and len(joined.right.inbound(1).inbox) == 1


@pytest.mark.parametrize("credit", [4096, 5000, 70_000])
def test_small_credit_lets_everything_through(credit):
    """Nobody waits for more than half of a first credit, and an array that is asked for comes whole."""
    small = Offer(channel_credit=credit, connection_credit=2 * credit)
    joined = Pair(small, small).run()
    sent = array.array("q", range(50_000))
    for channel in range(3):
        joined.left.queue(joined.left.outbound(channel), elements(sent), 0, Attributes())
    joined.run()
    assert joined.right.received > credit  # as much as is allowed comes before anybody asks
    for channel in range(3):
        stream = joined.right.inbound(channel)
        joined.right.ask(stream)
        joined.run()
        got = joined.right.take(stream)
        assert bytes(got.view) == sent.tobytes()
        joined.right.processed(got)
        joined.right.unask(stream)
    joined.run()
    assert joined.right.held == 0 and joined.left.error is None is joined.right.error
