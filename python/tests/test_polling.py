"""A thread polls for a moment before it sleeps, where answers come soon, and only there."""

import select
import socket
import threading
import time

import pytest

from arraywire import _link

pytestmark = pytest.mark.skipif(not hasattr(select, "poll"), reason="only poll() is polled")
READABLE = 1


@pytest.fixture
def pair():
    near, far = socket.socketpair()
    with near, far:
        yield near, far


def answered_soon(near, far):
    """A sleeper whose last wait was short."""
    sleeper = _link._Sleeper(near)
    far.send(b"x")
    sleeper.sleep(READABLE, 10)
    assert near.recv(1) == b"x"
    return sleeper


def test_an_answer_that_comes_late_is_waited_for(pair):
    near, far = pair
    sleeper = answered_soon(near, far)
    late = threading.Timer(0.05, far.send, (b"y",))
    late.start()
    sleeper.sleep(READABLE, 30)
    near.setblocking(False)
    assert near.recv(1) == b"y"
    late.join()


def test_where_nothing_comes_a_thread_sleeps(pair):
    near, far = pair
    sleeper = answered_soon(near, far)
    used, began = time.thread_time(), time.monotonic()
    for _ in range(20):
        sleeper.sleep(READABLE, 0.05)
    assert time.monotonic() - began > 0.9
    assert time.thread_time() - used < 0.1


def test_one_thread_polls_at_a_time_and_others_sleep(pair):
    near, far = pair
    sleeper = answered_soon(near, far)
    polls = select.poll()
    polls.register(near, READABLE)
    with _link._polling:
        assert not sleeper._has_come(polls, time.monotonic() + 3600)
    far.send(b"z")
    assert sleeper._has_come(polls, time.monotonic() + 3600)
    assert not _link._polling.locked()
