"""Against Java: both transports, every encoding, both directions, requests, subscriptions, kills."""

import array
import contextlib
import os
import signal

import pytest

import arraywire
from arraywire import _blocks
from conftest import Program, _command
from links import NAMED, Cable, echo
from test_blocks import check, sendable
from test_connection import later

numpy = pytest.importorskip("numpy")

TRANSPORTS = ["nio", "stream"]
CODECS = [
    ("nio", "direct"), ("nio", "direct-be"), ("nio", "object-stream"), ("nio", "protobuf"),
    ("stream", "buffer-view-le"), ("stream", "buffer-view"), ("stream", "object-stream"), ("stream", "protobuf"),
]  # fmt: skip
DEFAULT = {"nio": "direct", "stream": "buffer-view-le"}
BIG_ENDIAN = {"nio": "direct-be", "stream": "buffer-view"}
COUNTS = [0, 1, 15, 16, 17, 255, 257, 4095, 4097, 16_383, 16_385, 65_535, 65_536, 65_537, 262_145, 1_000_003]
DTYPES = ["f4", "i4", "f8", "i8", "i2", "i1", "f2", "u1", "u2", "u4", "u8"]
OF_JAVA = {"protobuf": 4, "object-stream": 6}  # how many of DTYPES the codec has
NAMED_OF_JAVA = {"protobuf": 0, "object-stream": 2}  # how many of NAMED


def values(dtype, count, seed=1):
    bits = numpy.random.default_rng(seed).integers(0, 256, count * numpy.dtype(dtype).itemsize, "u1")
    return bits > 127 if dtype == "?" else bits.view(dtype)


@contextlib.contextmanager
def cabled(address):
    cable = Cable(address)
    try:
        yield cable
    finally:
        cable.close()


@contextlib.contextmanager
def served(java, transport, codec=None, **options):
    """A connection to Java, which sends back what comes, answers requests and publishes."""
    peer = java("serve", transport, codec or DEFAULT[transport])
    with arraywire.connect(peer.address, **options) as connection:
        yield connection


def port_of(address):
    return address.rpartition(":")[2]


def same(left, right):
    return left.dtype == right.dtype and left.shape == right.shape and left.tobytes() == right.tobytes()


@pytest.mark.parametrize("transport, codec", CODECS)
def test_arrays_of_every_type_and_size_go_and_come_back(java, transport, codec):
    with served(java, transport, codec) as connection:
        for dtype in DTYPES[: OF_JAVA.get(codec)]:
            for count in COUNTS:
                sent = values(dtype, count)
                room = numpy.empty(count, dtype)
                receiving = later(connection.receive_into, room, 60)
                connection.send(sent, tag=count + 1, metadata={"dtype": dtype}, processed=count % 2 == 0)
                got = receiving()
                assert same(room, sent), (dtype, count)
                assert got.tag == count + 1 and got.metadata == {"dtype": dtype}
        connection.send(values("f4", 24).reshape(2, 3, 4), channel=7)
        got = connection.receive_message(60, channel=7)
        assert got.shape == (2, 3, 4) and same(got.array, values("f4", 24).reshape(2, 3, 4))
        for type in list(NAMED)[: NAMED_OF_JAVA.get(codec)]:
            for count in COUNTS:
                sent = values(NAMED[type], count)
                receiving = later(connection.receive_message, 60)
                connection.send(sent, tag=count + 1, type=type, processed=count % 2 == 0)
                got = receiving()
                assert got.type == type and got.tag == count + 1 and same(got.array, sent), (type, count)


IN_BLOCKS = [each for each in ("shuffle-zstd", "shuffle-lz4", "bf16", "fp16") if each != "shuffle-zstd" or _blocks._zstd()]


def several(transport):
    """The codecs of a Java that reads and writes what is raw or in blocks."""
    return ",".join([DEFAULT[transport], BIG_ENDIAN[transport], *IN_BLOCKS])


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_arrays_in_blocks_go_and_come_back(java, transport):
    with served(java, transport, several(transport), codecs=IN_BLOCKS) as connection:
        for codec in IN_BLOCKS:
            for dtype in DTYPES if codec.startswith("shuffle") else ["f4"]:
                for count in (0, 1, 3, 8_191, 8_192, 65_537):
                    sent = (numpy.arange(count) // 100 % 250).astype(dtype)  # no bit of which is lost
                    named = None if codec == "shuffle-lz4" else codec  # which Python does not write
                    connection.send(sent, metadata={"codec": codec}, codec=named)  # and Java sends it back by that one
                    got = connection.receive_message(60)
                    assert got._received.encoding.name == codec and same(got.array, sent), (codec, dtype, count)
        sent = values("f4", 300_000)  # which does not become smaller
        connection.send(sent, metadata={"codec": IN_BLOCKS[0]})
        room = numpy.empty(300_000, "f4")
        connection.receive_into(room, 60)
        assert same(room, sent)


@pytest.mark.parametrize("transport", TRANSPORTS)
@pytest.mark.parametrize("checksums", [True, False])
def test_parts_in_blocks_go_to_java(java, transport, checksums):
    parts, codecs, types = sendable()
    with served(java, transport, several(transport), checksums=checksums) as connection:
        for _ in range(3):
            connection.send(parts, type=types, codec=codecs)
            check(connection.receive_message(60).parts, parts, codecs)


def coded():
    """The parts of CodedParts.java as they arrive, and the encoding of each."""
    eighths = (numpy.arange(70_001) / 8).astype("f4")
    bits = eighths.view("u4")
    nearest = (bits + 0x7FFF + (bits >> 16 & 1) & 0xFFFF0000).view("f4")  # as bf16 rounds: half to even
    parts = {
        "ids": ("shuffle-zstd", numpy.arange(100_003, dtype="i8") // 50),
        "scores": ("bf16", nearest.reshape(1, -1)),
        "halves": ("fp16", eighths.astype("f2").astype("f4")),
        "raw": ("raw-le", numpy.arange(5, dtype="i1")),
        "big": ("raw-be", numpy.arange(7, dtype="i2")),
        "none": ("bf16", numpy.zeros(0, "f4")),
        "noise": ("shuffle-zstd", (numpy.arange(50_000, dtype="u4") * numpy.uint32(0x9E3779B1)).view("i4")),
        "steps": ("shuffle-lz4", numpy.arange(30_001, dtype="i4") // 100),
        "mask": ("shuffle-zstd", numpy.arange(9_999) % 3 == 0),
        "letters": ("shuffle-lz4", (97 + numpy.arange(5_000) // 7).astype("u2")),
        "last": ("raw-le", numpy.array([7.0])),
    }
    floats = {"scores": ("bf16", nearest), "raw": ("raw-le", numpy.arange(3, dtype="i1")), "more": ("bf16", nearest)}
    return parts, floats


def check_coded(got, parts):
    """Every element, and that each part came by the codec that Java named."""
    assert list(got.parts) == list(parts)
    encodings = {each.name: each.encoding.name for each in got._received.attributes.parts}
    for name, (codec, sent) in parts.items():
        assert encodings[name] == codec and same(got.parts[name], sent), name


@pytest.mark.skipif(_blocks._zstd() is None, reason="there is no module for zstd")
@pytest.mark.parametrize("transport", TRANSPORTS)
@pytest.mark.parametrize("checksums", [True, False])
def test_parts_in_blocks_come_from_java(java, transport, checksums):
    parts, floats = coded()
    with arraywire.listen("localhost:0", codecs=IN_BLOCKS, checksums=checksums, takes_requests=True) as listener:
        program = java("parts", transport, several(transport), port_of(listener.address))
        connection = listener.accept(60)
        got = connection.receive_message(60)
        check_coded(got, parts)
        assert got.tag == 1 and got.metadata == {"unit": "K"}
        assert got.types["mask"] == "boolean" and got.types["letters"] == "char"
        check_coded(connection.receive_message(60), floats)
        request = connection.next_request(60)
        check_coded(request, parts)
        assert request.reply(parts["last"][1])
        assert program.line("sent") == ""
        program.succeeds()


@pytest.mark.parametrize("transport", TRANSPORTS)
@pytest.mark.parametrize("checksums", [True, False])
def test_many_arrays_in_flight_with_checksums_and_without(java, transport, checksums):
    with served(java, transport, checksums=checksums) as connection:
        sent = [values("f4", count, count) for count in range(0, 2000, 7)]

        def send():
            for each in sent:
                connection.send(each)

        sending = later(send)
        for each in sent:
            assert same(connection.receive(60), each)
        sending()


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_requests_to_java(java, transport):
    with served(java, transport) as connection:
        query = numpy.arange(16, dtype="f4")
        for i in range(10_000 if os.environ.get("CI") == "true" else 1000):
            query[0] = i
            assert same(connection.call(query, 60).array, query)
        large = values("f8", 1 << 20)
        assert same(connection.call(large, 60).array, large)
        with pytest.raises(arraywire.RequestFailedError, match="there is no such table"):
            connection.call(query[:0], 60)
        with pytest.raises(TimeoutError, match="not answered in time"):
            connection.call(query, 0.2, tag=666)  # a request that it forgets
        with pytest.raises(arraywire.RejectedError, match="does not like it"):
            connection.send(query, tag=666, processed=True, timeout=60)
        assert same(connection.call(query, 60).array, query)


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_requests_of_java(java, transport):
    count = 10_000 if os.environ.get("CI") == "true" else 2000
    with arraywire.listen("localhost:0", answer=lambda request: request.array * 2) as listener:
        program = java("ask", transport, DEFAULT[transport], port_of(listener.address), count)
        assert program.line("answered ") == str(count)
        program.succeeds()


@pytest.mark.parametrize("transport, codec", CODECS)
def test_java_gets_back_what_it_sends(java, transport, codec):
    with arraywire.listen("localhost:0", echo) as listener:
        program = java("echo", transport, codec, port_of(listener.address), 1_000_003)
        types = len(DTYPES[: OF_JAVA.get(codec)]) + len(list(NAMED)[: NAMED_OF_JAVA.get(codec)])
        assert program.line("echoed ") == str(types * len(COUNTS))
        program.succeeds()


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_subscriptions_of_either_side(java, transport):
    with served(java, transport) as connection, connection.subscribe("ticks") as ticks:
        for i in range(20):
            connection.send(numpy.array([i]), tag=777)
        assert [int(ticks.receive(60)[0]) for _ in range(20)] == list(range(20))
        assert ticks.dropped == 0
    with arraywire.listen("localhost:0") as listener:
        program = java("follow", transport, DEFAULT[transport], port_of(listener.address), 50)
        program.line("subscribed")
        for i in range(1, 51):
            assert listener.publish("ticks", numpy.array([float(i)]), tag=i) == 1
        assert program.line("followed ") == "50"
        program.succeeds()


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_a_session_with_java_goes_on_when_connections_break(java, transport):
    peer = java("serve", transport, DEFAULT[transport])
    with cabled(peer.address) as cable:
        with arraywire.connect(cable.address, session_timeout=60) as connection:
            for i in range(100):
                if i % 20 == 10:
                    cable.cut()
                connection.send(numpy.array([i]), tag=888, session=True, timeout=60)  # Java refuses what it does not expect
            assert cable.count > 5


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_a_session_of_java_goes_on_when_connections_break(java, transport):
    got = []

    def handler(message):
        got.append(int(message.array[0]))
        if len(got) % 20 == 10:
            cable.cut()  # and so the acknowledgement does not come

    with arraywire.listen("localhost:0", handler, session_timeout=60) as listener, cabled(listener.address) as cable:
        program = java("keep", transport, DEFAULT[transport], port_of(cable.address), 100)
        assert program.line("kept ") == "100"
        program.succeeds()
        assert got == list(range(100)) and cable.count > 5


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_a_peer_that_is_killed(java, transport):
    peer = java("serve", transport, DEFAULT[transport], own=True)
    connection = arraywire.connect(peer.address)
    connection.send(numpy.zeros(3), processed=True, timeout=60)
    peer.process.send_signal(signal.SIGKILL)
    with pytest.raises(arraywire.ConnectionLostError):
        connection.receive(60)  # the array that came back is still there, perhaps
        connection.receive(60)
    with pytest.raises(arraywire.ConnectionLostError):
        connection.send(numpy.zeros(3))
    connection.close()


KILLED = """
import sys, numpy, arraywire
connection = arraywire.connect(sys.argv[1])
connection.send(numpy.zeros(3), processed=True)
while True:
    connection.send(numpy.zeros(1 << 20))
    print("sent", flush=True)
"""


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_a_python_that_is_killed_does_the_others_no_harm(java, transport, tmp_path):
    import pathlib
    import subprocess
    import sys

    peer = java("serve", transport, DEFAULT[transport])
    source = pathlib.Path(arraywire.__file__).parents[1]
    with arraywire.connect(peer.address) as connection:
        for _ in range(3):
            killed = subprocess.Popen(
                [sys.executable, "-c", KILLED, peer.address],
                stdout=subprocess.PIPE,
                env=dict(os.environ, PYTHONPATH=str(source)),
            )
            assert killed.stdout.readline() == b"sent\n"  # and is somewhere in the next array
            killed.kill()
            killed.wait()
            killed.stdout.close()
            assert connection.call(numpy.arange(3), 60).array.tolist() == [0, 1, 2]


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_the_command_of_java(command, transport, tmp_path):
    receiver = command(
        "receive", "--transport", transport, "--listen", "localhost:0", "--out", tmp_path, "--count", 2
    )
    address = receiver.line("listening on ")
    sent = values("f4", 60_000).reshape(200, 300)
    with arraywire.connect(address) as connection:
        connection.send(sent, processed=True, timeout=60)
        connection.send(array.array("i", range(5)), processed=True, timeout=60)
    receiver.succeeds()
    assert same(numpy.load(tmp_path / "array-000001.npy"), sent)
    assert numpy.load(tmp_path / "array-000002.npy").tolist() == [0, 1, 2, 3, 4]
    got = []
    with arraywire.listen("localhost:0", lambda message: got.append(message.array.copy())) as listener:
        sender = command("send", "--transport", transport, "--to", listener.address, tmp_path / "array-000001.npy")
        sender.succeeds()
    assert len(got) == 1 and same(got[0], sent)
