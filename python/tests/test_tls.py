"""TLS: what is checked, what is said when it fails, and that all else stays as it is without."""

import array
import asyncio
import contextlib
import gc
import random
import socket
import ssl
import threading

import pytest

import arraywire
from arraywire import _tls, aio, tls
from arraywire.errors import ConnectionLostError, ErrorCode, HandshakeError
from certificates import make
from links import echo, eventually
from test_connection import later

numpy = pytest.importorskip("numpy")


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    return make(tmp_path_factory.mktemp("tls"))


@pytest.fixture()
def server(files):
    return tls.server(files / "server.pem", files / "server.key")


@pytest.fixture()
def client(files):
    return tls.client(trust=files / "ca.pem")


def mutual(files):
    """Contexts of both sides, where the listener wants a certificate."""
    there = tls.server(files / "server.pem", files / "server.key", trust=files / "ca.pem", require_client_certificate=True)
    here = tls.client(trust=files / "ca.pem", certificate=files / "client.pem", key=files / "client.key")
    return there, here


@contextlib.contextmanager
def joined(there, here, **options):
    with arraywire.listen("localhost:0", tls=there, **options) as listener:
        with arraywire.connect(listener.address.replace("127.0.0.1", "localhost"), tls=here, **options) as left:
            with listener.accept(10) as right:
                yield left, right


# --- What goes over it ---


def test_arrays_of_all_sizes_both_ways(server, client):
    with joined(server, client) as (left, right):
        for count in (0, 1, 63, 4095, 4096, 16_383, 16_384, 70_000, 3_000_000):
            sent = numpy.random.default_rng(count).random(count)
            receiving = later(right.receive_message, 30)
            left.send(sent, tag=7, metadata={"m": "n"}, processed=True, timeout=30)
            got = receiving()
            assert numpy.array_equal(got.array, sent) and got.tag == 7 and got.metadata == {"m": "n"}
            room = numpy.zeros(count)
            receiving = later(left.receive_into, room, 30)
            right.send(sent, timeout=30)
            receiving()
            assert numpy.array_equal(room, sent)


def test_large_arrays_in_both_directions_at_the_same_time(server, client):
    big = numpy.random.default_rng(1).random(1 << 21)
    with joined(server, client) as (left, right):
        waits = [later(each.receive, 60) for each in (left, right)]
        sends = [later(each.send, big, timeout=60) for each in (left, right)]
        assert all(numpy.array_equal(each(), big) for each in waits)
        for each in sends:
            each()


def test_what_both_sides_agreed_on(files):
    there, here = mutual(files)
    with joined(there, here) as (left, right):
        assert left.tls.version == right.tls.version == "TLSv1.3" and "AES" in left.tls.cipher_suite
        names = dict(left.tls.peer_certificate["subjectAltName"])
        assert names["IP Address"] == "127.0.0.1"
        assert right.tls.peer_certificate["subject"] == ((("commonName", "client"),),)
    with arraywire.listen("localhost:0") as listener, arraywire.connect(listener.address) as left:
        assert left.tls is None


def test_many_small_arrays_requests_and_publications(server, client):
    with arraywire.listen("localhost:0", answer=lambda request: request.array + 1, tls=server) as listener:
        with arraywire.connect(listener.address, tls=client) as left:
            waits = [later(left.call, numpy.full(16, i), 30) for i in range(100)]
            assert [int(each().array[0]) for each in waits] == list(range(1, 101))
            with left.subscribe("ticks") as ticks:
                for i in range(200):
                    assert listener.publish("ticks", numpy.full(100, i)) == 1
                    assert int(ticks.receive(10)[0]) == i


def test_a_handler_gets_what_came_in_one_record_batch_without_waiting_for_the_next_look(server, client):
    """What TLS has opened is no longer in the socket, so polling it would not tell."""
    got = []
    done = threading.Event()

    def handler(message):
        got.append(message.tag)
        if len(got) == 2000:
            done.set()

    with arraywire.listen("localhost:0", handler, tls=server) as listener:
        with arraywire.connect(listener.address, tls=client) as left:
            for tag in range(2000):
                left.send(b"x", tag=tag, timeout=30)
            assert done.wait(30) and got == list(range(2000))


def test_sessions_go_on_over_tls(server, client):
    from links import Cable

    with arraywire.listen("localhost:0", session_timeout=30, tls=server) as listener:
        cable = Cable(listener.address)
        with arraywire.connect(cable.address, session_timeout=30, tls=client) as left:
            right = listener.accept(10)
            taking = later(lambda: [int(right.receive(30)[0]) for _ in range(60)])
            for i in range(60):
                if i % 20 == 10:
                    cable.cut()
                left.send(numpy.array([i]), session=True, timeout=30)
            assert taking() == list(range(60)) and cable.count > 3
        cable.close()


def test_unix_sockets_are_localhost(server, client, tmp_path):
    with arraywire.listen(f"unix:{tmp_path}/s", tls=server, answer=lambda request: request.array) as listener:
        with arraywire.connect(listener.address, tls=client) as left:
            assert left.call(b"x", 10).array.tolist() == [120]


@pytest.mark.parametrize("version", ["TLSv1_2", "TLSv1_3"])
def test_plain_mode_ends_one_direction_and_goes_on_with_the_other(server, client, version):
    client.maximum_version = server.minimum_version = getattr(ssl.TLSVersion, version)
    if version == "TLSv1_2":
        server.maximum_version = ssl.TLSVersion.TLSv1_2
    with arraywire.plain.listen("localhost:0", "double", tls=server) as listener:
        left = arraywire.plain.connect(listener.address, "double", tls=client)
        accepting = later(listener.accept, 10)
        sending = later(left.send, numpy.arange(10.0), timeout=30)
        right = accepting()
        assert right.receive(30).tolist() == list(range(10))
        sending()
        left.send(numpy.arange(300_000.0), timeout=30)
        if version == "TLSv1_3":
            left.end_output()  # and what the other side sends still comes
            late = [numpy.full(1000, float(i)) for i in range(50)]

            def send():
                for each in late:
                    right.send(each, timeout=30)
                right.end_output()

            assert len(right.receive(30)) == 300_000
            with pytest.raises(arraywire.ConnectionClosedError):
                right.receive(30)
            sending = later(send)
            assert [int(left.receive(10)[0]) for _ in late] == list(range(50))
            sending()
            assert list(left) == []
        else:
            assert len(right.receive(30)) == 300_000
        closing = later(left.close)
        right.close()
        closing()


# --- What is checked ---


@pytest.mark.parametrize(
    "certificate, words",
    [
        ("stranger.pem", "no trusted authority vouches"),
        ("elsewhere.pem", "not for the name that was dialled"),
        ("expired.pem", "has expired"),
    ],
)
@pytest.mark.parametrize("twin", [False, True])
def test_certificates_that_are_refused(files, client, certificate, words, twin):
    there = tls.server(files / certificate, files / "server.key")
    with arraywire.listen("localhost:0", tls=there) as listener:
        with pytest.raises(HandshakeError, match=words) as caught:
            if twin:
                asyncio.run(aio.connect(listener.address, tls=client))
            else:
                arraywire.connect(listener.address, tls=client)
        assert caught.value.code is ErrorCode.CERTIFICATE_REFUSED and caught.value.facts["name"] == "127.0.0.1"
        assert len(str(caught.value)) <= 300


def test_the_name_may_be_another_one(files, client):
    there = tls.server(files / "elsewhere.pem", files / "server.key")
    with arraywire.listen("localhost:0", tls=there, answer=lambda request: request.array) as listener:
        with arraywire.connect(listener.address, tls=client, server_name="elsewhere.example.org") as left:
            assert left.call(b"x", 10).array.tolist() == [120]


@pytest.mark.parametrize("own", [None, "strange-client.pem"])
@pytest.mark.parametrize("twin", [False, True])
def test_clients_without_the_right_certificate(files, own, twin):
    there, _ = mutual(files)
    here = tls.client(
        trust=files / "ca.pem", certificate=own and files / own, key=own and files / "client.key"
    )
    with arraywire.listen("localhost:0", tls=there) as listener:
        with pytest.raises(HandshakeError) as caught:
            if twin:
                asyncio.run(aio.connect(listener.address, tls=here))
            else:
                arraywire.connect(listener.address, tls=here)
        assert caught.value.code is ErrorCode.CERTIFICATE_REFUSED, caught.value
        words = "refuses the certificate of this side" if own else "wants a certificate of this side"
        assert words in str(caught.value)


def test_a_side_without_tls_is_told(server, client):
    with arraywire.listen("localhost:0", tls=server) as listener:
        with pytest.raises(HandshakeError, match="the listener speaks TLS") as caught:
            arraywire.connect(listener.address)
        assert caught.value.code is ErrorCode.TLS_MISMATCH
    with arraywire.listen("localhost:0") as listener:
        with pytest.raises(HandshakeError, match="set tls at both sides or at neither") as caught:
            arraywire.connect(listener.address, tls=client)
        assert caught.value.code is ErrorCode.TLS_MISMATCH
        with arraywire.connect(listener.address) as left:  # nobody else is harmed
            assert left.open


def test_contexts_that_check_nothing_and_files_that_do_not_fit(files, client):
    lax = ssl.create_default_context(cafile=files / "ca.pem")
    lax.check_hostname = False
    for wrong in (lax, "ca.pem", 1):
        with pytest.raises(ValueError, match="check_hostname|ssl.SSLContext"):
            arraywire.connect("localhost:1", tls=wrong)
    with pytest.raises(ValueError, match="ssl.SSLContext"):
        arraywire.listen("localhost:0", tls=True)
    with pytest.raises(ValueError, match="cannot be used.*client.key"):
        tls.server(files / "server.pem", files / "client.key")
    with pytest.raises(ValueError, match="belong together"):
        tls.client(certificate=files / "client.pem")
    with pytest.raises(ValueError, match="half of the Internet"):
        tls.server(files / "server.pem", files / "server.key", require_client_certificate=True)
    with pytest.raises(FileNotFoundError):
        tls.client(trust=files / "missing.pem")


def test_a_token_is_not_shown_in_clear(monkeypatch, client):
    from arraywire import _address

    with arraywire.listen("localhost:0", token="t") as listener:
        arraywire.connect(listener.address, token="t").close()
        monkeypatch.setattr(_address, "within_host", lambda sock: False)
        with pytest.raises(HandshakeError, match="token_without_tls") as caught:
            arraywire.connect(listener.address, token="t")
        assert caught.value.code is ErrorCode.TOKEN_IN_CLEAR
        arraywire.connect(listener.address, token="t", token_without_tls=True).close()


# --- Ends and hostile bytes ---


def test_a_connection_without_close_notify_was_cut(server, client):
    with joined(server, client) as (left, right):
        left._link.sock.shutdown(socket.SHUT_WR)  # of TCP, beneath TLS
        with pytest.raises(ConnectionLostError, match="close_notify") as caught:
            right.receive(10)
        assert caught.value.code is ErrorCode.CONNECTION_RESET
        left.close_now()
        right.close_now()


def test_orderly_ends_lose_nothing(server, client):
    with arraywire.listen("localhost:0", tls=server) as listener:
        left = arraywire.connect(listener.address, tls=client)
        right = listener.accept(10)
        taking = later(lambda: [each.tolist() for each in right])
        for i in range(100):
            left.send(array.array("i", [i]))
        left.close()
        assert taking() == [[i] for i in range(100)]


class Relay:
    """Carries bytes between two sockets, and changes them as a test wants."""

    def __init__(self, target, change):
        self.target = ("localhost", int(target.rpartition(":")[2]))
        self.server = socket.create_server(("localhost", 0))
        self.address = f"localhost:{self.server.getsockname()[1]}"
        self.change = change
        self.ends = []
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self):
        with contextlib.suppress(OSError):
            while True:
                near, _ = self.server.accept()
                far = socket.create_connection(self.target)
                self.ends += [near, far]
                threading.Thread(target=self._carry, args=(near, far, self.change), daemon=True).start()
                threading.Thread(target=self._carry, args=(far, near, bytes), daemon=True).start()

    @staticmethod
    def _carry(source, sink, change):
        with contextlib.suppress(OSError):
            while True:
                data = source.recv(65536)
                if not data:
                    break
                for piece in (data,) if change is bytes else change(data):
                    sink.sendall(piece)
            sink.shutdown(socket.SHUT_WR)

    def close(self):
        self.server.close()
        for each in self.ends:
            each.close()


def test_byte_by_byte(server, client):
    with arraywire.listen("localhost:0", tls=server, answer=lambda request: request.array * 2) as listener:
        relay = Relay(listener.address, lambda data: [data[i : i + 1] for i in range(len(data))])
        with arraywire.connect(relay.address, tls=client) as left:
            for count in (0, 1, 3000):
                assert left.call(numpy.arange(count), 30).array.tolist() == [2 * i for i in range(count)]
        relay.close()


def test_changed_bytes_are_noticed(server, client):
    armed = threading.Event()

    def change(data):
        if armed.is_set():
            data = data[:-1] + bytes([data[-1] ^ 1])
        return (data,)

    with arraywire.listen("localhost:0", tls=server) as listener:
        relay = Relay(listener.address, change)
        left = arraywire.connect(relay.address, tls=client)
        right = listener.accept(10)
        armed.set()
        left.send(numpy.arange(100))
        with pytest.raises(arraywire.ProtocolError) as caught:
            right.receive(10)
        assert caught.value.code is ErrorCode.TLS_FAILED
        with pytest.raises(ConnectionLostError):
            left.receive(10)
        left.close_now()
        relay.close()


def test_strangers_do_no_harm(server, client):
    seed = random.SystemRandom().randrange(1 << 32)
    print(f"seed={seed}")
    rng = random.Random(seed)
    with arraywire.listen("localhost:0", tls=server, answer=lambda request: request.array) as listener:
        host, _, port = listener.address.rpartition(":")
        with arraywire.connect(listener.address, tls=client) as good:
            for i in range(40):
                with socket.create_connection((host, int(port))) as stranger:
                    first = [b"\x16\x03\x01", b"\xf1AWH", b"GET /", b"\x80", b""][i % 5]
                    stranger.sendall(first + bytes(rng.randrange(256) for _ in range(rng.randrange(300))))
                    if i % 2:
                        stranger.shutdown(socket.SHUT_WR)
                        while stranger.recv(4096):
                            pass
            assert good.call(b"x", 10).array.tolist() == [120]
        eventually(lambda: not listener.connections)


def test_every_cut_of_the_handshake_ends_with_a_typed_error(server, client):
    """The first bytes of the client, then the end of the stream."""
    hello = []
    with arraywire.listen("localhost:0", tls=server) as listener:
        relay = Relay(listener.address, lambda data: hello.append(data) or (data,))
        arraywire.connect(relay.address, tls=client).close()
        relay.close()
    data = b"".join(hello)
    here, there = socket.socketpair()
    for length in range(0, len(data), 7):
        here, there = socket.socketpair()
        there.setblocking(False)
        end = _tls.TlsSocket(there, server, None)
        here.sendall(data[:length])
        here.shutdown(socket.SHUT_WR)
        with pytest.raises(_tls.TlsFailure) as caught:
            while True:
                end.shake()
        assert caught.value.error.code is ErrorCode.TLS_FAILED and len(str(caught.value)) <= 300
        here.close()
        there.close()
    gc.collect()


# --- asyncio ---


def test_the_twin_over_tls(files):
    there, here = mutual(files)
    big = numpy.random.default_rng(2).random(1 << 21)

    async def run():
        async def answer(request):
            return request.array * 2

        async with await aio.listen("localhost:0", answer=answer, tls=there) as listener:
            async with await aio.connect(listener.address, tls=here) as left:
                assert left.tls.version == "TLSv1.3"
                answers = await asyncio.gather(*(left.call(numpy.full(16, i), 30) for i in range(300)))
                assert [int(each.array[0]) for each in answers] == [2 * i for i in range(300)]
        async with await aio.listen("localhost:0", tls=there) as listener:
            async with await aio.connect(listener.address, tls=here) as left, await listener.accept(10) as right:
                got = await asyncio.gather(left.send(big), right.send(big), left.receive(30), right.receive(30))
                assert all(numpy.array_equal(each, big) for each in got[2:])
        with arraywire.listen("localhost:0", tls=there, answer=lambda request: request.array) as listener:
            async with await aio.connect(listener.address, tls=here) as left:
                assert (await left.call(b"x", 10)).array.tolist() == [120]

    asyncio.run(run())


# --- Java at the other end ---


@pytest.mark.parametrize("transport, codec", [("nio", "direct"), ("stream", "buffer-view-le"), ("nio", "protobuf")])
@pytest.mark.parametrize("twin", [False, True])
def test_a_java_listener_that_wants_certificates(java, files, transport, codec, twin):
    _, here = mutual(files)
    peer = java("serve", transport, f"{codec}+{files}")
    big = numpy.random.default_rng(3).random(1 << 20)

    def blocking():
        with arraywire.connect(peer.address, tls=here) as left:
            assert left.tls.version == "TLSv1.3" and left.tls.peer_certificate["subject"] == ((("commonName", "server"),),)
            for i in range(300):
                assert int(left.call(numpy.full(16, i), 60).array[0]) == i
            receiving = later(left.receive, 60)
            left.send(big, timeout=60)
            assert numpy.array_equal(receiving(), big)

    async def asynchronous():
        async with await aio.connect(peer.address, tls=here) as left:
            answers = await asyncio.gather(*(left.call(numpy.full(16, i), 60) for i in range(300)))
            assert [int(each.array[0]) for each in answers] == list(range(300))
            _, back = await asyncio.gather(left.send(big), left.receive(60))
            assert numpy.array_equal(back, big)

    if twin:
        asyncio.run(asynchronous())
    else:
        blocking()
    with pytest.raises(HandshakeError) as caught:  # no certificate
        arraywire.connect(peer.address, tls=tls.client(trust=files / "ca.pem"))
    assert caught.value.code is ErrorCode.CERTIFICATE_REFUSED
    with pytest.raises(HandshakeError) as caught:  # no TLS
        arraywire.connect(peer.address)
    assert caught.value.code is ErrorCode.TLS_MISMATCH


@pytest.mark.parametrize("transport, codec", [("nio", "direct"), ("stream", "buffer-view-le")])
def test_a_java_client_with_a_certificate(java, files, transport, codec):
    there, _ = mutual(files)

    with arraywire.listen("localhost:0", echo, answer=lambda request: request.array * 2, tls=there) as listener:
        port = listener.address.rpartition(":")[2]
        for words, said in ((("ask", 1000), "answered 1000"), (("echo", 65_537), "echoed 196")):
            program = java(words[0], transport, f"{codec}+{files}", port, *words[1:])
            program.line(said)
            program.succeeds()


@pytest.mark.parametrize("transport", ["nio", "stream"])
def test_a_session_of_java_goes_on_over_tls(java, files, transport):
    from links import Cable

    there, _ = mutual(files)
    got = []

    def handler(message):
        got.append(int(message.array[0]))
        if len(got) % 20 == 10:
            cable.cut()

    codec = "direct" if transport == "nio" else "buffer-view-le"
    with arraywire.listen("localhost:0", handler, session_timeout=60, tls=there) as listener:
        cable = Cable(listener.address)
        program = java("keep", transport, f"{codec}+{files}", cable.address.rpartition(":")[2], 60)
        assert program.line("kept ") == "60"
        program.succeeds()
        assert got == list(range(60)) and cable.count > 3
        cable.close()
