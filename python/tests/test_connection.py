"""Connections between two ends in Python: what each call does, and what each mistake is told."""

import array
import contextlib
import os
import socket
import struct
import threading
import time

import pytest

import arraywire
from arraywire import _memory, _types
from arraywire._address import listening, peer_name
from arraywire._transfer import deadline_of
from links import eventually

numpy = pytest.importorskip("numpy")


@contextlib.contextmanager
def joined(**options):
    with arraywire.listen("localhost:0", takes_requests=True, checksums=options.get("checksums")) as listener:
        with arraywire.connect(listener.address, **options) as left, listener.accept(10) as right:
            yield left, right


def later(function, *arguments, **more):
    """In a thread; its result, or what it raised, by calling what is returned."""
    outcome = []

    def run():
        try:
            outcome.append((function(*arguments, **more), None))
        except BaseException as error:
            outcome.append((None, error))

    thread = threading.Thread(target=run)
    thread.start()

    def result():
        thread.join(30)
        assert not thread.is_alive()
        value, error = outcome[0]
        if error is not None:
            raise error
        return value

    return result


def test_eight_lines():
    with arraywire.listen("localhost:0", answer=lambda request: request.array * 2) as listener:
        with arraywire.connect(listener.address) as connection:
            answer = connection.call(numpy.arange(3, dtype="f4")).array
    assert answer.tolist() == [0, 2, 4] and answer.dtype == numpy.float32


DTYPES = ["f4", "i4", "f8", "i8", "i2", "i1", "f2", "u1", "u2", "u4", "u8"]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("encoding", ["raw-le", "raw-be", "java-object", "protobuf"])
def test_every_type_in_every_encoding(dtype, encoding, monkeypatch):
    from arraywire import _options, _types

    chosen = {each.name: each for each in _types.ENCODINGS.values()}[encoding]
    offer = _options.Options.offer
    monkeypatch.setattr(
        _options.Options,
        "offer",
        lambda self, *more: offer(self, *more)._replace(encodings=((chosen.code, chosen.name),)),
    )
    sent = (numpy.arange(1001) * 3.7 - 50).astype(dtype)
    with joined() as (left, right):
        if not chosen.has(next(each for each in _types.TYPES.values() if each.dtype == dtype and each.name != "char")):
            with pytest.raises(arraywire.UnsupportedArrayError, match="does not know the element type"):
                left.send(sent)
            return
        for each in (sent, sent[:0], sent[:1], sent.reshape(7, 11, 13)):
            left.send(each)
            got = right.receive(10)
            assert got.dtype == each.dtype and numpy.array_equal(got, each)
        small = later(left.send, numpy.tile(sent, 4000))  # chunks, and more than the credit
        assert numpy.array_equal(right.receive(10), numpy.tile(sent, 4000))
        small()


@pytest.mark.parametrize("count", [0, 1, 15, 16, 255, 256, 1023, 1024, 1025, 65_535, 65_536, 65_537, 262_143, 262_145])
@pytest.mark.parametrize("checksums", [False, True])
def test_every_edge(count, checksums):
    sent = numpy.arange(count, dtype="u1")
    with joined(checksums=checksums) as (left, right):
        for _ in range(3):
            left.send(sent)
            assert numpy.array_equal(right.receive(10), sent)


def test_what_is_sent_without_a_copy_and_what_with_one():
    from arraywire._elements import elements

    values = numpy.arange(24, dtype="f4")
    assert elements(values).view.obj is not None
    for each in (values, values.reshape(2, 3, 4), values[3:9]):
        assert numpy.shares_memory(numpy.frombuffer(elements(each).view, "f4"), values)
    for each in (values[::2], values.reshape(4, 6).T, values.astype(">f4"), numpy.asfortranarray(values.reshape(4, 6))):
        made = elements(each)
        assert not numpy.shares_memory(numpy.frombuffer(made.view, "f4"), values)
        assert numpy.array_equal(numpy.frombuffer(made.view, "f4").reshape(each.shape), each)


def test_buffers_of_all_kinds():
    with joined() as (left, right):
        for sent, type, back in (
            (b"abc", "byte", [97, 98, 99]),
            (bytearray(b"abc"), "byte", [97, 98, 99]),
            (array.array("d", [1.5]), "double", [1.5]),
            (array.array("l", [-3]), "long", [-3]),
            (memoryview(array.array("h", [1, -2])), "short", [1, -2]),
            (numpy.float32(2.5), "float", [2.5]),
        ):
            left.send(sent)
            got = right.receive_message(10)
            assert got.type == type and got.array.tolist() == back

        class Tensor:
            def __array__(self, *arguments, **more):
                return numpy.ones((2, 2), "i8")

        left.send(Tensor())
        assert right.receive(10).shape == (2, 2)


def test_arrays_of_pyarrow():
    pyarrow = pytest.importorskip("pyarrow")
    from arraywire._elements import elements

    values = pyarrow.array([1.5, -2.0, 0.25], pyarrow.float32())
    # Where nothing is missing, NumPy sees the memory of pyarrow, and no copy is made of it.
    seen = numpy.frombuffer(elements(values).view, "f4")
    assert seen.ctypes.data == values.buffers()[1].address
    with joined() as (left, right):
        for sent in (values, values.slice(1), pyarrow.array([3, 4], pyarrow.uint16()), pyarrow.py_buffer(b"abc")):
            left.send(sent)
            got = right.receive(10)
            assert got.tolist() == (list(b"abc") if isinstance(sent, pyarrow.Buffer) else sent.to_pylist())


def test_bits_that_numpy_has_no_type_for():
    bits = numpy.array([0x3F80, 0xC020], "u2")
    with joined() as (left, right):
        left.send(bits, type="bf16")
        got = right.receive_message(10)
        assert got.type == "bf16" and got.array.tolist() == bits.tolist()
        left.send(numpy.array([65], "u2"), type="char")
        assert right.receive_message(10).type == "char"
        left.send(numpy.array([True, False]), type="boolean")
        got = right.receive_message(10)
        assert got.type == "boolean" and got.array.tolist() == [True, False] and got.array.dtype == bool


@pytest.mark.parametrize(
    "made, words",
    [
        (lambda: numpy.ones(3, bool), "type='boolean'"),
        (lambda: numpy.ones(3, complex), "x.view(x.real.dtype)"),
        (lambda: numpy.zeros(3, [("a", "f4"), ("b", "i4")]), "send each field by itself"),
        (lambda: numpy.array(["a", "b"]), "convert them"),
        (lambda: numpy.array([object()]), "convert them"),
        (lambda: numpy.array(["2026-11-25"], "M8[D]"), "view their bits as integers"),
        (lambda: [1.0, 2.0], "numpy.asarray(x, dtype='f4')"),
        (lambda: "text", "only objects with the buffer protocol"),
        (lambda: None, "only objects with the buffer protocol"),
    ],
)
def test_what_cannot_be_sent_is_told_what_to_do(made, words):
    with joined() as (left, right):
        with pytest.raises(TypeError) as raised:
            left.send(made())
        assert words in str(raised.value) and isinstance(raised.value, arraywire.UnsupportedArrayError)
        left.send(b"x")  # the connection goes on
        right.receive(10)


def test_tag_shape_metadata_and_channels():
    with joined() as (left, right):
        left.send(array.array("f", range(6)), tag=(1 << 64) - 1, shape=(2, 3), metadata={"unit": "K"}, channel=5)
        left.send(array.array("f", [7]), channel=1)
        got = right.receive_message(10, channel=5)
        assert (got.tag, got.shape, got.metadata, got.channel) == ((1 << 64) - 1, (2, 3), {"unit": "K"}, 5)
        assert numpy.asarray(got).tolist() == [[0, 1, 2], [3, 4, 5]]
        assert right.receive(10, channel=1).tolist() == [7]
        for wrong in (
            dict(tag=-1), dict(tag=1 << 64), dict(shape=(4,)), dict(metadata={"k": "v" * 513}), dict(channel=256),
        ):  # fmt: skip
            with pytest.raises(ValueError):
                left.send(array.array("f", range(6)), **wrong)
        for wrong, words in ((dict(tag="a"), "a tag is an integer"), (dict(tag=1.5), "a tag is an integer"), (dict(metadata={"epoch": 1}), "with str.*'epoch'=1")):
            with pytest.raises(TypeError, match=words):
                left.send(array.array("f", range(6)), **wrong)


def test_receive_into():
    room = numpy.zeros(10, "f4")
    with joined() as (left, right):
        waits = later(right.receive_into, room, 10)
        left.send(numpy.arange(6, dtype="f4").reshape(2, 3), tag=4)
        got = waits()
        assert got.shape == (2, 3) and got.tag == 4 and room[:6].tolist() == [0, 1, 2, 3, 4, 5]
        assert numpy.shares_memory(got.array, room)
        left.send(numpy.arange(4, dtype="f4") + 1)  # is there before it is asked for
        while not right._core.inbound(0).inbox:
            with right._link.lock:
                right._link.wait(lambda: right._core.inbound(0).inbox, time.monotonic() + 1)
        right.receive_into(room, 10)
        assert room[:4].tolist() == [1, 2, 3, 4]
        right_bits = array.array("H", [0] * 4)
        left.send(numpy.array([1, 2], "u2"), type="bf16")
        right.receive_into(right_bits, 10)
        assert right_bits.tolist() == [1, 2, 0, 0]


def test_what_does_not_fit_waits_for_the_next_receive():
    with joined() as (left, right):
        left.send(numpy.arange(6, dtype="f4"))
        with pytest.raises(arraywire.TargetMismatchError, match="room=4"):
            right.receive_into(numpy.zeros(1, "f4"), 10)
        with pytest.raises(arraywire.TargetMismatchError, match="type=float, bytes=24, buffer=int"):
            right.receive_into(numpy.zeros(6, "i4"), 10)
        assert right.receive(10).tolist() == [0, 1, 2, 3, 4, 5]
        for wrong in (bytes(24), numpy.zeros(12, "f4")[::2], numpy.zeros(6, ">f4")):
            with pytest.raises(arraywire.TargetMismatchError):
                right.receive_into(wrong)
        left.send({"ids": numpy.arange(3, dtype="i4")})
        with pytest.raises(arraywire.TargetMismatchError, match="type=message"):
            right.receive_into(bytearray(1000), 10)
        assert right.receive_message(10)["ids"].tolist() == [0, 1, 2]


def test_a_receive_whose_time_is_over_loses_nothing():
    room = numpy.zeros(10, "f4")
    with joined() as (left, right):
        for receive in (right.receive, right.receive_message, lambda timeout: right.receive_into(room, timeout)):
            with pytest.raises(TimeoutError, match="timeout=0.05 s"):
                receive(0.05)
        assert right.poll() is None
        left.send(numpy.arange(10, dtype="f4"))
        assert right.receive(10).tolist() == list(range(10)) and not room.any()


def test_a_send_that_nobody_takes_is_withdrawn():
    with joined() as (left, right):
        with pytest.raises(TimeoutError, match="withdrawn"):
            left.send(numpy.zeros(1 << 20, "f4"), timeout=0.2)  # more than the credit
        left.send(numpy.ones(3, "f4"), processed=False)
        assert right.receive(10).tolist() == [1, 1, 1]


def test_processed_waits_for_the_receiver():
    with joined() as (left, right):
        with pytest.raises(TimeoutError, match="may or may not"):
            left.send(b"x", processed=True, timeout=0.1)
        waits = later(left.send, b"y", processed=True)
        assert right.receive(10).tolist() == [120]
        assert right.receive(10).tolist() == [121]
        waits()


def test_a_handler_that_raises_refuses_its_array():
    def handler(message):
        raise ValueError("this test does not like it")

    with arraywire.listen("localhost:0", handler) as listener, arraywire.connect(listener.address) as connection:
        with pytest.raises(arraywire.RejectedError, match="this test does not like it") as raised:
            connection.send(b"x", processed=True, timeout=10)
        assert raised.value.code is arraywire.ErrorCode.REJECTED and "ValueError" not in str(raised.value)
        with pytest.raises(arraywire.RejectedError, match="answers no requests"):
            connection.call(b"x", 10)


def test_a_stranger_learns_no_paths_and_no_classes(caplog):
    def answer(request):
        open("/secret/place")

    with arraywire.listen("localhost:0", answer=answer) as listener, arraywire.connect(listener.address) as connection:
        with pytest.raises(arraywire.RequestFailedError) as raised:
            connection.call(b"x", 10)
    words = str(raised.value)
    assert "No such file" in words and "secret" not in words and "Error" not in words
    number = words[words.index("logNumber=") :].partition(")")[0]
    assert number in caplog.text and "/secret/place" in caplog.text


def test_requests_in_any_order_and_their_failures():
    with joined() as (left, right):
        calls = [later(left.call, numpy.array([i], "i4")) for i in range(10)]
        requests = [right.next_request(10) for _ in calls]
        for request in reversed(requests):
            assert request.reply(request.array * 2, tag=int(request.array[0]), metadata={"m": "n"})
        for i, call in enumerate(calls):
            got = call()
            assert got.array.tolist() == [2 * i] and got.tag == i and got.metadata == {"m": "n"}
        call = later(left.call, b"x")
        right.next_request(10).fail("there is no such table")
        with pytest.raises(arraywire.RequestFailedError, match="there is no such table"):
            call()
        call = later(left.call, b"x", 0.3)
        late = right.next_request(10)
        with pytest.raises(TimeoutError, match="not answered in time"):
            call()
        end = time.monotonic() + 10
        while right._core.requests.is_open(late._received) and time.monotonic() < end:
            right.poll()  # reads the cancellation
        assert not late.reply(b"too late")


def test_an_answer_that_raises_is_the_answer():
    def answer(request):
        raise KeyError("no such row")

    with arraywire.listen("localhost:0", answer=answer) as listener, arraywire.connect(listener.address) as connection:
        with pytest.raises(arraywire.RequestFailedError, match="no such row"):
            connection.call(b"x", 10)
        with pytest.raises(arraywire.RejectedError, match="takes no other arrays"):
            connection.send(b"x", processed=True, timeout=10)


def test_many_requests_from_many_threads():
    with arraywire.listen("localhost:0", answer=lambda request: request.array + 1) as listener:
        with arraywire.connect(listener.address) as connection:

            def ask(start):
                for i in range(start, start + 100):
                    assert connection.call(numpy.full(16, i)).array[0] == i + 1

            for each in [later(ask, 1000 * i) for i in range(8)]:
                each()


def test_both_send_large_arrays_at_the_same_time():
    big = numpy.arange(1 << 22, dtype="f4")

    def both(end):
        sending = later(end.send, big)
        got = end.receive(30)
        sending()
        return numpy.array_equal(got, big)

    with joined() as (left, right):
        other = later(both, right)
        assert both(left) and other()


def test_a_small_array_overtakes_a_large_one_of_another_channel():
    with joined() as (left, right):
        big = later(left.send, numpy.zeros(1 << 24, "f4"), channel=1)
        left.send(b"x", channel=2, processed=False)
        assert right.receive(10, channel=2).tolist() == [120]
        right.receive(30, channel=1)
        big()


def test_publish_and_subscribe():
    with arraywire.listen("localhost:0") as listener, arraywire.connect(listener.address) as connection:
        assert listener.publish("weights", numpy.zeros(3)) == 0
        with connection.subscribe("weights", "drop-oldest", queue_bytes=1 << 16) as weights:
            values = numpy.arange(3.0)
            assert listener.publish("weights", values, tag=9) == 1
            assert listener.publish("other", values) == 0
            values[:] = -1  # it was copied
            got = weights.receive_message(10)
            assert got.array.tolist() == [0, 1, 2] and got.tag == 9 and weights.dropped == 0
            for i in range(300):
                listener.publish("weights", numpy.full(10_000, i, "f8"))
            first = weights.receive(10)
            last = first
            while last[0] < 299:
                last = weights.receive(10)
            assert weights.dropped > 0
        with pytest.raises(arraywire.ConnectionClosedError):
            weights.receive(1)
        assert listener.publish("weights", values) in (0, 1)
        with connection.subscribe("weights", "disconnect", queue_bytes=1000) as weights:
            for _ in range(1000):
                if not listener.publish("weights", numpy.zeros(10_000)):
                    break
            with pytest.raises(arraywire.RejectedError, match="took too little"):
                for _ in weights:
                    pass


def test_a_subscription_ends_with_the_publisher():
    for _ in range(20):  # what is published at once, and a close at once, are for a new connection, too
        listener = arraywire.listen("localhost:0")
        with arraywire.connect(listener.address) as connection:
            ticks = connection.subscribe("ticks")
            assert listener.publish("ticks", b"x") == 1
            closing = later(listener.close)
            assert [each.tolist() for each in ticks] == [[120]]
            closing()


def test_iterating_ends_with_the_goodbye():
    got = []
    with arraywire.listen("localhost:0") as listener:
        taking = later(lambda: [got.append(each.tolist()) for each in listener.accept(10)])
        with arraywire.connect(listener.address) as connection:
            for i in range(5):
                connection.send(numpy.array([i]))
        taking()
    assert got == [[0], [1], [2], [3], [4]]


def test_closing_waits_for_the_receiver_and_loses_nothing():
    with arraywire.listen("localhost:0") as listener:
        left, right = arraywire.connect(listener.address), listener.accept(10)
        for i in range(50):
            left.send(numpy.full(1000, i))
        closing = later(left.close)
        assert [int(each[0]) for each in right] == list(range(50))
        closing()
        with pytest.raises(arraywire.ConnectionClosedError):
            left.send(b"x")
        with pytest.raises(arraywire.ConnectionClosedError):
            right.send(b"x")


def test_closing_gives_up_in_time_and_says_so():
    with arraywire.listen("localhost:0") as listener:
        left, right = arraywire.connect(listener.address), listener.accept(10)
        left.send(b"x")
        with pytest.raises(TimeoutError, match="did not take everything in time"):
            left.close(0.1)
        assert bytes(right.receive(10)) == b"x"
        with pytest.raises(arraywire.ArraywireError, match="the connection was closed, and the time") as told:
            right.receive(10)
        assert told.value.code == arraywire.ErrorCode.CLOSE_TIMEOUT


def test_an_error_in_the_block_is_no_goodbye():
    with arraywire.listen("localhost:0") as listener:
        right = None
        with pytest.raises(KeyError):
            with arraywire.connect(listener.address):
                right = listener.accept(10)
                raise KeyError
        with pytest.raises(arraywire.ConnectionLostError, match="without a goodbye"):
            right.receive(10)
        with pytest.raises(arraywire.ConnectionLostError):
            right.send(b"x")


def test_delivery_is_unknown_if_the_connection_breaks_before_the_acknowledgement():
    with arraywire.listen("localhost:0") as listener:
        left, right = arraywire.connect(listener.address), listener.accept(10)
        sending = later(left.send, b"x", processed=True)
        with right._link.lock:
            right._link.wait(lambda: right._core.inbound(0).inbox)
        right.close_now()
        with pytest.raises(arraywire.DeliveryUnknownError, match="may or may not"):
            sending()
        left.close()


def test_close_from_another_thread_ends_a_receive():
    with joined() as (left, right):
        waits = later(left.receive)
        eventually(lambda: left._link.waited_for)
        left.close_now()
        with pytest.raises(arraywire.ConnectionClosedError):
            waits()
        assert left._link.sock.fileno() < 0  # and so it did not have to wait for the collector of garbage
        right.close_now()


def test_token_and_other_refusals():
    with arraywire.listen("localhost:0", token="sesame") as listener:
        with arraywire.connect(listener.address, token=b"sesame"):
            listener.accept(10)
        for token in (None, "sesam"):
            with pytest.raises(arraywire.HandshakeError) as raised:
                arraywire.connect(listener.address, token=token)
            assert raised.value.code is arraywire.ErrorCode.AUTHENTICATION_FAILED and "sesame" not in str(raised.value)
    with pytest.raises(arraywire.ConnectError, match="is the listener running") as raised:
        arraywire.connect(listener.address)
    assert isinstance(raised.value, ConnectionError)
    for wrong in ("localhost", "localhost:x", "localhost:70000"):
        with pytest.raises(ValueError):
            arraywire.connect(wrong)
    with pytest.raises(ValueError, match="channels=0"):
        arraywire.connect("localhost:1", channels=0)


def test_a_listener_that_says_nothing_and_one_that_is_no_peer():
    import socket

    with socket.create_server(("localhost", 0)) as stranger:
        address = "localhost:%d" % stranger.getsockname()[1]
        with pytest.raises(arraywire.HandshakeError, match="plain mode"):
            arraywire.connect(address, timeout=0.1)
        waits = later(arraywire.connect, address)
        stranger.accept()
        peer, _ = stranger.accept()
        peer.sendall(b"HTTP/1.1 400 Bad Request")
        with pytest.raises(arraywire.ProtocolError, match="another service"):
            waits()
        peer.close()


@pytest.mark.parametrize("address", [4711, None, b"localhost:4711", ("localhost",)])
def test_what_is_no_address(address):
    for opens in (arraywire.connect, arraywire.listen):
        with pytest.raises(TypeError, match="an address is a string, HOST:PORT"):
            opens(address)


def test_an_address_that_is_taken():
    with arraywire.listen("localhost:0") as listener:
        with pytest.raises(arraywire.ConnectError, match="free"):
            arraywire.listen(listener.address)


def test_no_more_than_max_connections():
    with arraywire.listen("localhost:0", max_connections=1) as listener:
        with arraywire.connect(listener.address):
            with pytest.raises(arraywire.ArraywireError):
                arraywire.connect(listener.address)


def name_of_a_unix_peer(tmp_path, own):
    with listening(f"unix:{tmp_path}/socket", 1) as listener, socket.socket(socket.AF_UNIX) as peer:
        peer.bind(own if own.startswith("\0") else os.fsencode(f"{tmp_path}/{own}"))
        peer.connect(f"{tmp_path}/socket")
        theirs, _ = listener.accept()
        with theirs:
            return peer_name(theirs)


@pytest.mark.parametrize("own", ["x\n2026-11-28 ERROR forged\x1b[31m", "x\x9b2J", "\0abstract", "x\udcff"])
def test_what_a_hostile_unix_peer_calls_itself_is_not_said(tmp_path, own):
    assert name_of_a_unix_peer(tmp_path, own) == f"unix:{tmp_path}/socket"


def test_what_an_ordinary_unix_peer_calls_itself_is_said(tmp_path):
    assert name_of_a_unix_peer(tmp_path, "größe") == f"unix:{tmp_path}/größe"


def test_unix_sockets(tmp_path):
    with arraywire.listen(f"unix:{tmp_path}/socket", answer=lambda request: request.array) as listener:
        assert listener.address == f"unix:{tmp_path}/socket"
        with arraywire.connect(listener.address) as connection:
            assert connection.call(b"x", 10).array.tolist() == [120]


def test_the_keeper_answers_while_the_program_is_busy():
    """Acknowledgements and answers to pings come though nobody receives."""
    with joined() as (left, right):
        left._core.writer.control(5, tag=9)
        left.send(b"x")
        heard = []
        left._core.controls._takers[6] = lambda frame, body: heard.append(frame.tag)
        with left._link.lock:
            left._link.wait(lambda: heard, deadline_of(10))
        assert heard == [9]
        assert right.receive(10).tolist() == [120]


def test_without_numpy(monkeypatch):
    monkeypatch.setattr(_memory, "numpy", None)
    with joined() as (left, right):
        left.send(array.array("d", range(6)), shape=(2, 3))
        got = right.receive(10)
        assert isinstance(got, memoryview) and got.tolist() == [[0, 1, 2], [3, 4, 5]] and got.format == "d"
        left.send(array.array("d"))
        assert right.receive(10).tolist() == []
        big = later(left.send, array.array("i", range(100_000)))
        assert right.receive(10)[99_999] == 99_999
        big()
        room = array.array("f", [0] * 3)
        left.send(array.array("f", [1, 2]))
        assert right.receive_into(room, 10).array.tolist() == [1, 2] and room.tolist() == [1, 2, 0]


@pytest.mark.parametrize("type", list(_types.BY_NAME.values()), ids=lambda type: type.name)
def test_every_type_without_numpy(type, monkeypatch):
    """Before Python 3.12 a memoryview has no half floats: their bits come as integers, as those of bf16 do."""
    monkeypatch.setattr(_memory, "numpy", None)
    content = bytes((1, 0) * 8)
    view = memoryview(content).cast("?" if type.name == "boolean" else {1: "B", 2: "H", 4: "I", 8: "Q"}[type.size])
    with joined() as (left, right):
        left.send(view, type=type.name)
        message = right.receive_message(10)
        assert message.type == type.name and message.array.tobytes() == content
        left.send({"values": view, "none": view[:0]}, type={"values": type.name, "none": type.name})
        message = right.receive_message(10)
        assert message["values"].tobytes() == content and message["none"].tolist() == []
        assert message.types == {"values": type.name, "none": type.name}
        if type.name in ("fp16", "bf16"):
            values = struct.unpack("8e" if message["values"].format == "e" else "8H", content)
            assert message["values"].tolist() == list(values)


def test_errors_keep_their_facts():
    import pickle

    error = arraywire.TooLargeError(arraywire.ErrorCode.ARRAY_TOO_LARGE, "too large", bytes=5, limit=3)
    assert str(error) == "too large (bytes=5, limit=3)" and error.facts == {"bytes": 5, "limit": 3}
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.facts, again.code) == (str(error), error.facts, error.code)
    with joined() as (left, right):
        left._core.agreement = left._core.agreement._replace(max_array_bytes=16)
        with pytest.raises(arraywire.TooLargeError, match="bytes=40, limit=16"):
            left.send(numpy.zeros(10, "f4"))


def test_messages_of_parts():
    def answer(request):
        ids = request["ids"].tolist()
        return {"sorted": array.array("i", sorted(ids)), "sum": array.array("q", [sum(ids)])}

    with arraywire.listen("localhost:0", answer=answer) as listener, arraywire.connect(listener.address) as connection:
        query = {"ids": array.array("i", [7, 42, 5]), "": numpy.ones((2, 3), "f2"), "none": array.array("d")}
        reply = connection.call(query)
        assert list(reply.parts) == ["sorted", "sum"]
        assert reply["sorted"].tolist() == [5, 7, 42] and reply["sum"].tolist() == [54]
        with pytest.raises(KeyError, match="no part of that name"):
            reply["idz"]
        with pytest.raises(TypeError, match=r"take it with receive_message.*by its name"):
            reply.array
    with joined() as (left, right):
        large = numpy.arange(30_000, dtype="i8")
        left.send({"large": large, "half": numpy.ones((2, 3), "f2")}, metadata={"unit": "K"})
        got = right.receive_message(10)
        assert (got["large"] == large).all() and got["half"].shape == (2, 3) and got.metadata == {"unit": "K"}
        left.send(array.array("f", [7]))
        assert right.receive_message(10)[""].tolist() == [7]
        for wrong in ({}, {"": array.array("f", [1])}, {"n" * 256: array.array("f")}):
            with pytest.raises(ValueError):
                left.send(wrong)
        with pytest.raises(ValueError, match="of its own"):
            left.send({"a": array.array("f", [1])}, type="float")


def test_a_handler_gets_an_array_that_began_while_it_was_busy():
    """Also one that is larger than the credit of a channel: the sender gets the rest when the handler is done."""
    began, came = threading.Event(), []

    def handle(message):
        core = message.connection._core
        if not came:
            began.set()
            eventually(lambda: core.inbounds[0].arriving is not None and core.inbounds[0].arriving.came >= 500_000)
        came.append(message.array[0])

    with arraywire.listen("localhost:0", handle, channel_credit=1 << 20) as listener:
        with arraywire.connect(listener.address) as connection:
            for k in (1, 2):  # the second one waits behind the first
                connection.send(array.array("d", [k]))
            assert began.wait(10)
            connection.send(array.array("d", [3]) * 400_000, timeout=10, processed=True)
    assert came == [1, 2, 3]
