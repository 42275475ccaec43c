"""Plain mode: byte by byte, between two ends in Python, and against Java's command."""

import array
import random
import socket
import struct

import pytest

import arraywire
from arraywire import plain
from arraywire._elements import elements
from arraywire._plain import HELD_BYTES, PlainCore
from arraywire._types import BY_NAME
from links import drain, eventually, feed
from test_connection import later

numpy = pytest.importorskip("numpy")
TYPES = {"float": "f4", "int": "i4", "double": "f8", "long": "i8", "short": "i2", "char": "u2", "byte": "i1", "boolean": "?"}


def test_golden(golden):
    content = (golden / "wire-v2" / "plain.bin").read_bytes()
    core = PlainCore(BY_NAME["float"], 1 << 20)
    core.send(elements(array.array("f", [1.0, -2.5, 0.1])))
    core.send(elements(array.array("f")))
    assert drain(core) == content
    for most in (None, lambda: 1, lambda: 3, lambda: 7):
        core = PlainCore(BY_NAME["float"], 1 << 20)
        feed(core, content, most)
        first, second = core.take(), core.take()
        assert array.array("f", bytes(first.view)).tolist() == array.array("f", [1.0, -2.5, 0.1]).tolist()
        assert second.count == 0
        core.end_of_stream()
        assert core.error is None
    for cut in (1, 3, 5, 15, 17):
        core = PlainCore(BY_NAME["float"], 1 << 20)
        feed(core, content[:cut])
        core.end_of_stream()
        assert core.error.code is arraywire.ErrorCode.TRUNCATED


def test_random_bytes_never_do_harm():
    chosen = random.Random(3)
    for _ in range(2000):
        core = PlainCore(BY_NAME[chosen.choice(list(TYPES))], 1000)
        feed(core, chosen.randbytes(chosen.randrange(200)), lambda: chosen.randrange(1, 20))
        core.end_of_stream()
        assert core.error is None or core.error.code is not None


@pytest.mark.parametrize("count, code", [(-1, "BAD_LENGTH"), (257, "FRAME_TOO_LARGE"), ((1 << 31) - 1, "FRAME_TOO_LARGE")])
def test_counts_that_cannot_be(count, code):
    core = PlainCore(BY_NAME["float"], 1024)
    feed(core, struct.pack(">i", count))
    assert core.error.code.name == code and core.end_output


@pytest.mark.parametrize("type", TYPES)
def test_both_ways(type):
    with plain.listen("localhost:0", type) as listener:
        with plain.connect(listener.address, type) as left, listener.accept(10) as right:
            for count in (0, 1, 5, 16_383, 70_001):
                sent = (numpy.arange(count) % 2).astype(TYPES[type])
                left.send(sent)
                got = right.receive(10)
                assert got.dtype == sent.dtype and numpy.array_equal(got, sent)
                back = later(right.send, got)
                room = numpy.empty(count + 1, TYPES[type])
                assert left.receive_into(room, 10) == count and numpy.array_equal(room[:count], sent)
                back()
            left.end_output()
            assert list(right) == []


def test_a_receiver_that_takes_nothing_stops_its_sender():
    with plain.listen("localhost:0", "byte") as listener:
        left, right = plain.connect(listener.address, "byte"), listener.accept(10)
        sending = later(lambda: [left.send(bytes(1 << 20)) for _ in range(64)])
        eventually(lambda: right._core.full and left._link._blocked)
        for _ in range(10):  # each reads whatever may be read
            right._link.look()
        with right._link.lock:
            assert right._core._held <= 2 * HELD_BYTES + (1 << 20)
        assert sum(len(right.receive(30)) for _ in range(64)) == 64 << 20
        sending()
        left.close_now()
        right.close_now()


def test_mistakes():
    with pytest.raises(ValueError, match="types of Java only"):
        plain.connect("localhost:1", "uint8")
    with plain.listen("localhost:0", "float") as listener:
        left, right = plain.connect(listener.address, "float"), listener.accept(10)
        with pytest.raises(TypeError, match="agreed=float"):
            left.send(numpy.zeros(3))
        with pytest.raises(TimeoutError):
            left.receive(0.05)
        right.send(numpy.zeros(5, "f4"))
        with pytest.raises(arraywire.TargetMismatchError):
            left.receive_into(numpy.zeros(3, "f4"), 10)
        assert left.receive(10).tolist() == [0] * 5
        right._link.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        right.close_now()
        with pytest.raises(arraywire.ArraywireError):
            left.receive(10)
        left.close_now()


@pytest.mark.parametrize("transport", ["nio", "stream"])
def test_the_command_of_java(command, transport, tmp_path):
    sent = numpy.arange(100_003, dtype="f4")
    receiver = command(
        "receive", "--transport", transport, "--listen", "localhost:0", "--plain", "--type", "float", "--out", tmp_path,
        "--count", 1,
    )  # fmt: skip
    with plain.connect(receiver.line("listening on "), "float") as connection:
        connection.send(sent)
    receiver.succeeds()
    assert numpy.array_equal(numpy.load(tmp_path / "array-000001.npy"), sent)
    with plain.listen("localhost:0", "float") as listener:
        sender = command(
            "send", "--transport", transport, "--plain", "--to", listener.address, tmp_path / "array-000001.npy"
        )
        with listener.accept(60) as connection:
            assert numpy.array_equal(connection.receive(60), sent)
            assert list(connection) == []
        sender.succeeds()
