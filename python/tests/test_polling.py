"""A thread that waits for an answer polls for a moment, and sleeps if nothing comes: seen by the calls to the system."""

import array
import contextlib
import socket
import threading

import pytest

import arraywire
from arraywire import _link

pytestmark = pytest.mark.skipif(not hasattr(_link.select, "poll"), reason="no poll on this system: nothing polls")

IN = _link._POLLIN
LONG = 60.0
ARRAY = array.array("f", range(16))


@pytest.fixture(autouse=True)
def nobody_else_polls(monkeypatch):
    monkeypatch.setattr(_link, "_polling", threading.Lock())


class Seen:
    """The poll of a sleeper, and the milliseconds that each call may wait."""

    def __init__(self, poll, when_it_sleeps=lambda: None):
        self._poll = poll
        self._when_it_sleeps = when_it_sleeps
        self.modify = poll.modify
        self.waits = []

    def poll(self, milliseconds):
        self.waits.append(milliseconds)
        if milliseconds:
            self._when_it_sleeps()
        return self._poll.poll(milliseconds)

    def polled(self):
        return any(wait == 0 for wait in self.waits)


@contextlib.contextmanager
def a_sleeper():
    left, right = socket.socketpair()
    with left, right:
        yield _link._Sleeper(left), left, right


def after_a_quick_answer(sleeper, left, right, monkeypatch, moment):
    """The next wait polls, for so many seconds, whatever this machine does meanwhile."""
    monkeypatch.setattr(_link, "_POLL_SECONDS", LONG)
    right.send(b"!")
    sleeper.sleep(IN, LONG)
    assert left.recv(9) == b"!"
    monkeypatch.setattr(_link, "_POLL_SECONDS", moment)


def test_after_a_quick_answer_a_thread_polls(monkeypatch):
    with a_sleeper() as (sleeper, left, right):
        after_a_quick_answer(sleeper, left, right, monkeypatch, LONG)
        sleeper._poll = seen = Seen(sleeper._poll)
        right.send(b"!")
        sleeper.sleep(IN, LONG)
        assert seen.waits == [0]


def test_a_thread_polls_for_a_moment_and_then_sleeps_until_the_late_answer(monkeypatch):
    with a_sleeper() as (sleeper, left, right):
        after_a_quick_answer(sleeper, left, right, monkeypatch, 0.001)
        sleeper._poll = seen = Seen(sleeper._poll, lambda: right.send(b"!"))
        sleeper.sleep(IN, LONG)
        assert seen.polled() and seen.waits[-1] > 0
        assert sum(1 for wait in seen.waits if wait) == 1
        assert left.recv(9) == b"!"
        seen.waits.clear()
        sleeper.sleep(IN, LONG)  # the last answer was late
        assert not seen.polled()


def test_where_nothing_came_nobody_polls(monkeypatch):
    with a_sleeper() as (sleeper, left, right):
        after_a_quick_answer(sleeper, left, right, monkeypatch, 0.001)
        sleeper._poll = seen = Seen(sleeper._poll)
        for _ in range(3):
            seen.waits.clear()
            sleeper.sleep(IN, 0.0001)  # shorter than the moment
        assert len(seen.waits) == 1


def test_polling_is_part_of_the_wait(monkeypatch):
    with a_sleeper() as (sleeper, left, right):
        after_a_quick_answer(sleeper, left, right, monkeypatch, LONG)
        sleeper._poll = seen = Seen(sleeper._poll)
        sleeper.sleep(IN, 0.01)
        assert set(seen.waits) == {0}


def test_one_thread_polls_at_a_time(monkeypatch):
    with a_sleeper() as (sleeper, left, right):
        after_a_quick_answer(sleeper, left, right, monkeypatch, 0.001)
        sleeper._poll = seen = Seen(sleeper._poll)
        with _link._polling:
            sleeper.sleep(IN, 0.001)
        assert not seen.polled()
        after_a_quick_answer(sleeper, left, right, monkeypatch, 0.001)
        with contextlib.suppress(RuntimeError):
            sleeper._poll = Seen(sleeper._poll, pytest.fail)
            monkeypatch.setattr(_link, "_let_others", interrupted)
            sleeper.sleep(IN, LONG)
        assert not _link._polling.locked()  # an interrupted one lets others poll


def interrupted():
    raise RuntimeError


def test_a_request_whose_answer_is_late_sleeps_and_is_answered():
    late = threading.Event()
    late.set()

    def answer(request):
        assert late.wait(LONG)
        return request.array

    with arraywire.listen("127.0.0.1:0", answer=answer) as server, arraywire.connect(server.address) as client:
        for _ in range(100):
            client.call(ARRAY)
        reader = client._link._reader
        poll = reader._poll
        for _ in range(50):
            late.clear()
            reader._soon = True
            reader._poll = seen = Seen(poll, late.set)
            reply = client.call(ARRAY, timeout=LONG)
            reader._poll = poll
            if seen.polled():  # one thread polls at a time, and it may be that of the listener
                break
        assert memoryview(reply.array).tolist() == ARRAY.tolist()
        assert seen.polled() and late.is_set()
        assert [wait > 0 for wait in seen.waits].count(True) <= 3  # it slept, and was not woken for nothing
