"""Sessions: what goes on when a connection breaks, and what ends."""

import contextlib
import threading

import pytest

import arraywire
from arraywire._core import Core
from arraywire._handshake import Offer
from arraywire._session import Session
from arraywire._session_ends import Connecting, Listening
from arraywire.errors import ConnectionLostError, ErrorCode, HandshakeError
from links import Cable, Pair, eventually
from test_connection import later

numpy = pytest.importorskip("numpy")


@contextlib.contextmanager
def joined(seconds=30, **options):
    with arraywire.listen("localhost:0", session_timeout=seconds, **options) as listener:
        cable = Cable(listener.address)
        try:
            with arraywire.connect(cable.address, session_timeout=seconds) as left:
                yield left, listener, cable
        finally:
            cable.close()


def test_sends_and_receives_go_on_when_connections_break():
    with joined() as (left, listener, cable):
        right = listener.accept(10)
        got = []

        def take():
            for _ in range(200):
                got.append(int(right.receive(30)[0]))

        taking = later(take)
        for i in range(200):
            if i % 20 == 10:
                cable.cut()
            left.send(numpy.array([i]), session=True, timeout=30)
        taking()
        assert got == list(range(200))
        assert cable.count > 5
        cable.cut()
        sending = later(right.send, numpy.array([7.0]), session=True, timeout=30)  # the other way: left has to come back
        assert left.receive(30).tolist() == [7.0]
        sending()
        assert left.open and right.open


def test_a_handler_gets_each_array_once_whatever_breaks():
    got = []
    slow = threading.Event()

    def handler(message):
        got.append(message.tag)
        if message.tag == 3:
            cable.cut()  # the acknowledgement has no way
            eventually(lambda: cable.count > 1)
            slow.wait(10)
        if message.tag == 5:
            cable.cut()
            raise ValueError("not this one")

    with joined(handler=handler) as (left, listener, cable):
        for tag in range(1, 9):
            sending = later(left.send, numpy.zeros(3), tag=tag, session=True, timeout=30)
            if tag == 3:
                eventually(lambda: cable.count > 1)
                slow.set()
            if tag == 5:
                with pytest.raises(arraywire.RejectedError, match="not this one"):
                    sending()
            else:
                sending()
        assert got == list(range(1, 9))


def test_an_array_that_is_cut_off_in_the_middle_is_sent_again():
    with joined() as (left, listener, cable):
        right = listener.accept(10)
        cable.most = 1_000_000
        cable.cut()
        sent = numpy.arange(1_000_000)
        room = numpy.zeros(1_000_000, "i8")
        receiving = later(right.receive_into, room, 30)
        sending = later(left.send, sent, session=True, timeout=30)
        eventually(lambda: cable.count >= 3)
        cable.most = None
        sending()
        receiving()
        assert (room == sent).all()


def test_what_waits_is_told_when_a_session_is_not_replaced_in_time():
    with joined(seconds=0.3) as (left, listener, cable):
        right = listener.accept(10)
        waits = later(right.receive)
        sent = later(left.send, b"taken", session=True)
        assert bytes(waits()) == b"taken"
        sent()
        half = later(left.send, b"left, and not taken", session=True)
        eventually(lambda: right._core.inbound(0).inbox or right._link.look())
        cable.plugged.clear()
        cable.cut()
        with pytest.raises(arraywire.DeliveryUnknownError, match="the session ended before the acknowledgement"):
            half()
        with pytest.raises(ConnectionLostError, match="not replaced in time .*0.3 s") as caught:
            right.receive()
        assert caught.value.code is ErrorCode.SESSION_EXPIRED
        with pytest.raises(ConnectionLostError) as caught:
            left.send(b"x", session=True)
        assert caught.value.code is ErrorCode.SESSION_EXPIRED
        assert not left.open and not right.open
        left.close_now()


def test_a_listener_that_does_not_know_the_session_refuses_it():
    with arraywire.listen("localhost:0", session_timeout=30) as listener:
        cable = Cable(listener.address)
        left = arraywire.connect(cable.address, session_timeout=30)
        listener.accept(10)
        with arraywire.listen("localhost:0", session_timeout=30) as other:
            cable.target = ("localhost", int(other.address.rpartition(":")[2]))
            cable.cut()
            with pytest.raises(ConnectionLostError) as caught:
                left.receive(30)
            assert caught.value.code is ErrorCode.RESUME_REJECTED
        left.close()
        cable.close()


def test_timeouts_give_the_memory_back_and_the_session_goes_on():
    with joined() as (left, listener, cable):
        right = listener.accept(10)
        values = numpy.ones(5)
        with pytest.raises(TimeoutError, match="may or may not"):
            left.send(values, session=True, timeout=0.1)  # nobody takes it
        values[:] = 2
        assert right.receive(10).tolist() == [1.0] * 5
        cable.plugged.clear()
        cable.cut()
        eventually(lambda: left._session.core is None or left._link.look())
        with pytest.raises(TimeoutError, match="withdrawn"):
            left.send(values, session=True, timeout=0.1)
        with pytest.raises(TimeoutError):
            left.receive(0.05)
        assert left.poll() is None
        with pytest.raises(TimeoutError, match="no other one came"):
            left.call(values, 0.05)
        cable.plugged.set()
        taking = later(right.receive, 10)
        left.send(values, session=True, timeout=10)
        assert taking().tolist() == [2.0] * 5


def test_requests_and_plain_sends_belong_to_one_link():
    hold = threading.Event()

    def answer(request):
        if request.tag == 1:
            hold.wait(10)
        return request.array

    with joined(answer=answer) as (left, listener, cable):
        asking = later(left.call, numpy.arange(3), 30, tag=1)
        eventually(lambda: left._core.requests._pending and left._core.writer.idle)
        cable.cut()
        with pytest.raises(ConnectionLostError):
            asking()
        hold.set()
        assert left.call(numpy.arange(3), 30).array.tolist() == [0, 1, 2]
        left.close_now()


def test_without_sessions_at_either_end_there_is_none():
    with arraywire.listen("localhost:0") as listener:
        with arraywire.connect(listener.address, session_timeout=5) as left:
            listener.accept(10)
            with pytest.raises(ValueError, match="no session: pass session_timeout="):
                left.send(b"x", session=True)
    with pytest.raises(ValueError, match="session_timeout=0"):
        arraywire.connect("localhost:1", session_timeout=0)


# --- The handshake, without sockets ---


def shaken(session, sessions, change=lambda offer: offer):
    """A connector's attempt, and both cores."""
    ends = Connecting(session)
    pair = Pair()
    pair.left = Core(change(ends.offer(Offer())), connector=True, now=0.0, sessions=ends)
    pair.right = Core(Offer(), connector=False, now=0.0, sessions=sessions)
    pair.run()
    return pair


def test_names_times_and_tokens():
    sessions = Listening(20, lambda session: None)
    session = Session(30)
    first = shaken(session, sessions)
    there = first.right.session
    assert len(session.name) == 16 and there.name == session.name and session.seconds == there.seconds == 20
    one = session.token
    second = shaken(session, sessions)
    two = session.token
    assert second.right.session is there and two != one
    # The welcome with the second token may have been lost, so the one before is still good, until a frame comes.
    session.token = one
    third = shaken(session, sessions)
    assert third.left.error is None
    third.left.writer.control(5, tag=1)
    third.run()
    for wrong in (one, two, bytes(16), b""):
        session.token, right = wrong, session.token
        refused = shaken(session, sessions)
        assert refused.left.error.code is ErrorCode.RESUME_REJECTED
        assert isinstance(refused.left.error, HandshakeError)
        session.token = right
    assert shaken(session, sessions).left.error is None
    refused = shaken(session, sessions, lambda offer: offer._replace(session_millis=0))
    assert refused.right.error.code is ErrorCode.RESUME_REJECTED
    assert shaken(session, None).right.error.code is ErrorCode.RESUME_REJECTED
    there.end(ConnectionLostError(ErrorCode.SESSION_EXPIRED, "over"))
    assert shaken(session, sessions).right.error.code is ErrorCode.RESUME_REJECTED


def test_a_listener_that_goes_on_with_another_session_ends_the_old_one():
    class Forgetful(Listening):
        def welcome(self, core, hello, welcome):
            return super().welcome(core, hello._replace(session=b"", session_token=b""), welcome)

    session = Session(30)
    assert shaken(session, Listening(20, lambda session: None)).left.error is None
    name = session.name
    refused = shaken(session, Forgetful(20, lambda session: None)).left
    assert refused.error.code is ErrorCode.RESUME_REJECTED and "another session" in str(refused.error)
    assert session.name == name


def test_connections_that_break_at_once_are_no_outage():
    session = Session(30, lambda session: None)
    for _ in range(10):
        pair = Pair().run()
        session.core = None
        pair.left.session = session
        assert session.attach(pair.left)
        pair.left.end_of_stream()
        assert session.error is None
    pair = Pair().run()
    pair.left.session = session
    assert session.attach(pair.left)
    pair.left.end_of_stream()
    assert session.error is not None and session.error.code is ErrorCode.CONNECTION_RESET


def test_close_returns_once_all_is_acknowledged():
    with joined() as (left, listener, _):
        right = listener.accept(10)
        taking = later(right.receive, 10)
        left.send(numpy.zeros(3), session=True, timeout=30)
        taking()
        closing = later(left.close)
        with pytest.raises(arraywire.ConnectionClosedError):
            right.receive(10)
        closing()
