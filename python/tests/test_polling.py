"""A thread that waits for an answer polls for a moment, and sleeps if nothing comes: seen by the calls to the system."""

import array
import contextlib
import socket
import threading

import pytest

import arraywire
from arraywire import _link
from links import eventually

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


def test_a_request_whose_answer_is_late_sleeps_and_is_answered(monkeypatch):
    # The listener's threads are of this process. One that polls and has no processor would keep the caller from polling.
    monkeypatch.setattr(_link, "_has_come", lambda *a: False)
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
            client._link.sought = False
            reader._soon = True
            reader._poll = seen = Seen(poll, late.set)
            reply = client.call(ARRAY, timeout=LONG)
            reader._poll = poll
            if seen.polled():  # unless the keeper has had the lock just then
                break
        assert memoryview(reply.array).tolist() == ARRAY.tolist()
        assert seen.polled() and late.is_set()
        assert [wait > 0 for wait in seen.waits].count(True) <= 3  # it slept, and was not woken for nothing


@contextlib.contextmanager
def a_caller(monkeypatch, moment=LONG):
    """A connection whose last answer came soon, and what its thread asks the system; it may look for so many seconds."""
    monkeypatch.setattr(_link, "_has_come", lambda *a: False)  # the listener's threads are of this process, and poll else
    with arraywire.listen("localhost:0", answer=lambda request: request.array) as listener:
        with arraywire.connect(listener.address) as connection:
            for _ in range(3):
                connection.call(ARRAY)
            connection._link.sought = False  # the keeper of this module may have been new
            reader = connection._link._reader
            reader._soon = True
            reader._poll = seen = Seen(reader._poll)
            monkeypatch.setattr(_link, "_ALONE_SECONDS", moment)
            yield connection, seen


def test_an_answer_that_comes_within_a_moment_is_taken_without_letting_go_of_the_lock(monkeypatch):
    with a_caller(monkeypatch) as (connection, seen):
        monkeypatch.setattr(connection._link, "wait", lambda *a, **more: pytest.fail("it let go of the lock"))
        assert connection.call(ARRAY).array.tolist() == list(ARRAY)
        monkeypatch.undo()
        assert set(seen.waits) == {0} and not _link._polling.locked()


@pytest.mark.parametrize("why", ["sought", "late", "polls", "tick"])
def test_a_caller_waits_as_others_do_if(why, monkeypatch):
    """Another thread has sought the lock, the answer came late the last time, another thread polls, or it is time for a tick."""
    with a_caller(monkeypatch) as (connection, seen):
        link = connection._link
        looked = []
        comes_soon = _link.Link.comes_soon
        monkeypatch.setattr(_link.Link, "comes_soon", lambda *a: looked.append(comes_soon(*a)) or looked[-1])
        link.sought = why == "sought"
        link._reader._soon = why != "late"
        if why == "tick":
            link._next_tick = 0
        with _link._polling if why == "polls" else contextlib.nullcontext():
            assert connection.call(ARRAY).array.tolist() == list(ARRAY)
        assert looked == [False] and not link.sought
        if why == "tick":
            assert link._next_tick > 0


def test_who_finds_the_lock_taken_says_so():
    with arraywire.listen("localhost:0", answer=lambda request: request.array) as listener:
        with arraywire.connect(listener.address) as connection:
            link = connection._link
            link.lock.acquire()
            calls = threading.Thread(target=lambda: connection.call(ARRAY))
            calls.start()
            try:
                eventually(lambda: link.sought)
            finally:
                link.lock.release()
                calls.join()
