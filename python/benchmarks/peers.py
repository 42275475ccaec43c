"""NumPy arrays there and back with Arraywire and with other libraries, over loopback, in turns in one run.

    pip install './python[numpy,crc32c]' pyzmq grpcio pyarrow py4j
    python python/benchmarks/peers.py              # Python at both ends; of py4j the other end is Java
    python python/benchmarks/peers.py --java       # and Arraywire with Java at the other end, after mvn package -DskipTests

A float32 array goes to another process, which sends it back; it counts from a NumPy array to a NumPy array. Each library is used
as its manual has it for large binary messages: sockets and Arraywire receive into memory that is there, pyzmq moves frames without
copies (copy=False), gRPC carries bytes without protobuf, Flight exchanges a record batch, py4j copies a byte[] in Java. Libraries
that are not installed are left out with a line that says so; one that --only names has to be there. What is printed is the median of the rounds.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import pathlib
import socket
import statistics
import struct
import subprocess
import sys
import time
from typing import Any, Callable, Dict, Iterator, List, Tuple

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "src"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import numpy as np
from loopback import java_mirror, read_all, warm

import arraywire

#: Bytes, and how often they go and come back in a round.
SIZES: Tuple[Tuple[int, int], ...] = ((64, 200), (1 << 20, 20), (64 << 20, 1))
LARGEST = max(size for size, _ in SIZES)
_LENGTH = struct.Struct("<Q")
_NO_LIMIT = [("grpc.max_send_message_length", -1), ("grpc.max_receive_message_length", -1)]

RoundTrip = Callable[[Any], Any]


def say(address: object) -> None:
    print(address, flush=True)


# --- The other ends ---


def serve_socket() -> None:
    room = memoryview(bytearray(LARGEST))
    with socket.create_server(("127.0.0.1", 0)) as server:
        say(server.getsockname()[1])
        sock, _ = server.accept()
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        head = memoryview(bytearray(_LENGTH.size))
        while True:
            read_all(sock, head)
            (size,) = _LENGTH.unpack(head)
            read_all(sock, room[:size])
            sock.sendall(room[:size])


def serve_arraywire() -> None:
    """Answers requests, and sends arrays back from the memory that they came into."""
    room = np.empty(LARGEST // 4, "f4")
    with arraywire.listen("127.0.0.1:0", answer=lambda request: request.array) as answering:
        with arraywire.listen("127.0.0.1:0") as listener:
            say(f"{answering.address} {listener.address}")
            connection = listener.accept()
            while True:
                message = connection.receive_into(room)
                connection.send(room[: message.shape[0]])


def serve_pyzmq() -> None:
    import zmq

    sock = zmq.Context().socket(zmq.REP)
    say(sock.bind_to_random_port("tcp://127.0.0.1"))
    while True:
        sock.send(sock.recv(copy=False), copy=False)


def serve_grpc() -> None:
    from concurrent.futures import ThreadPoolExecutor

    import grpc

    handler = grpc.unary_unary_rpc_method_handler(lambda request, context: request)
    server = grpc.server(ThreadPoolExecutor(2), options=_NO_LIMIT)
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("bench", {"Echo": handler}),))
    say(server.add_insecure_port("127.0.0.1:0"))
    server.start()
    server.wait_for_termination()


def serve_flight() -> None:
    from pyarrow import flight

    class Server(flight.FlightServerBase):  # type: ignore[misc]
        def do_exchange(self, context: Any, descriptor: Any, reader: Any, writer: Any) -> None:
            writer.begin(reader.schema)
            for chunk in reader:
                writer.write_batch(chunk.data)

    server = Server("grpc://127.0.0.1:0")
    say(server.port)
    server.serve()


# --- This end ---


@contextlib.contextmanager
def child(name: str) -> Iterator[str]:
    process = subprocess.Popen([sys.executable, __file__, "serve", name], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield process.stdout.readline().strip()
    finally:
        process.kill()
        process.wait()


@contextlib.contextmanager
def with_socket() -> Iterator[RoundTrip]:
    room = np.empty(LARGEST // 4, "f4")
    with child("socket") as port, socket.create_connection(("127.0.0.1", int(port))) as sock:
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

        def go(array: Any) -> Any:
            view = memoryview(array).cast("B")
            sock.sendall(_LENGTH.pack(len(view)))
            sock.sendall(view)
            back = room[: len(array)]
            read_all(sock, memoryview(back).cast("B"))
            return back

        yield go


def _arraywire(requests: arraywire.Connection, arrays: arraywire.Connection) -> RoundTrip:
    room = np.empty(LARGEST // 4, "f4")

    def go(array: Any) -> Any:
        if array.nbytes <= 4096:
            return requests.call(array).array
        arrays.send(array)
        return room[: arrays.receive_into(room, 60).shape[0]]

    return go


@contextlib.contextmanager
def with_arraywire() -> Iterator[RoundTrip]:
    with child("arraywire") as addresses:
        one, other = addresses.split()
        with arraywire.connect(one) as requests, arraywire.connect(other) as arrays:
            yield _arraywire(requests, arrays)
            arrays.close_now()


@contextlib.contextmanager
def with_java() -> Iterator[RoundTrip]:
    with java_mirror() as (answers_at, arrays_at):
        with arraywire.connect(answers_at) as requests, arraywire.connect(arrays_at) as arrays:
            yield _arraywire(requests, arrays)


@contextlib.contextmanager
def with_pyzmq() -> Iterator[RoundTrip]:
    import zmq

    with child("pyzmq") as port, zmq.Context() as context, context.socket(zmq.REQ) as sock:
        sock.connect(f"tcp://127.0.0.1:{port}")

        def go(array: Any) -> Any:
            sock.send(array, copy=False)
            return np.frombuffer(sock.recv(copy=False), "f4")

        yield go


@contextlib.contextmanager
def with_grpc() -> Iterator[RoundTrip]:
    import grpc

    with child("grpc") as port, grpc.insecure_channel(f"127.0.0.1:{port}", options=_NO_LIMIT) as channel:
        echo = channel.unary_unary("/bench/Echo")
        yield lambda array: np.frombuffer(echo(array.tobytes()), "f4")


@contextlib.contextmanager
def with_flight() -> Iterator[RoundTrip]:
    import pyarrow as pa
    from pyarrow import flight

    with child("flight") as port, flight.connect(f"grpc://127.0.0.1:{port}") as client:
        schema = pa.schema([("values", pa.float32())])
        writer, reader = client.do_exchange(flight.FlightDescriptor.for_command(b"echo"))
        writer.begin(schema)

        def go(array: Any) -> Any:
            writer.write_batch(pa.record_batch([pa.array(array)], schema=schema))
            return reader.read_chunk().data.column(0).to_numpy()

        with writer:
            yield go


@contextlib.contextmanager
def with_py4j() -> Iterator[RoundTrip]:
    from py4j.java_gateway import GatewayParameters, JavaGateway, launch_gateway

    gateway = JavaGateway(gateway_parameters=GatewayParameters(port=launch_gateway(die_on_exit=True), auto_convert=True))
    copy = gateway.jvm.java.util.Arrays.copyOf
    try:
        yield lambda array: np.frombuffer(copy(array.tobytes(), array.nbytes), "f4")
    finally:
        gateway.shutdown()


NEEDS = {"pyzmq": "zmq", "grpc": "grpc", "flight": "pyarrow.flight", "py4j": "py4j"}
CONTENDERS: "Dict[str, Callable[[], Any]]" = {
    "socket": with_socket,
    "arraywire": with_arraywire,
    "arraywire-java": with_java,
    "pyzmq": with_pyzmq,
    "grpc": with_grpc,
    "flight": with_flight,
    "py4j": with_py4j,
}


def chosen(names: str, java: bool) -> List[str]:
    """Those that take part. One that was named has to be there; others are left out with a line."""
    if names:
        wanted = names.split(",")
    else:
        wanted = [each for each in CONTENDERS if java or each != "arraywire-java"]
    for name in wanted:
        if name not in CONTENDERS:
            sys.exit(f"no such contender (name={name}); there are {', '.join(CONTENDERS)}")
    found = []
    for name in wanted:
        try:
            __import__(NEEDS.get(name, "socket"))
            found.append(name)
        except ImportError:
            missing = f"{name} is left out: {NEEDS[name]} is not installed"
            if names:
                sys.exit(f"{missing}; 'pip install pyzmq grpcio pyarrow py4j' has all")
            print(missing, file=sys.stderr)
    return found


def measure(names: List[str], rounds: int) -> Dict[Tuple[str, int], List[float]]:
    """Seconds of a round trip, by contender and size."""
    found: Dict[Tuple[str, int], List[float]] = {}
    arrays = {size: np.random.default_rng(size).random(size // 4, "f4") for size, _ in SIZES}
    with contextlib.ExitStack() as stack:
        trips = {name: stack.enter_context(CONTENDERS[name]()) for name in names}
        for name, go in trips.items():
            for size, array in arrays.items():
                if not np.array_equal(go(array), array):
                    raise SystemExit(f"{name} brings back other bytes than it was given (bytes={size})")
                warm(functools.partial(go, array))
        for size, times in SIZES:
            for _ in range(rounds):
                for name, go in trips.items():
                    if name == "py4j" and size == LARGEST and len(found.get((name, size), ())) >= 1:
                        continue  # minutes
                    begin = time.perf_counter()
                    for _ in range(times):
                        go(arrays[size])
                    found.setdefault((name, size), []).append((time.perf_counter() - begin) / times)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--java", action="store_true", help="Arraywire with Java at the other end, too")
    parser.add_argument("--only", help="names with commas between them: " + ",".join(CONTENDERS))
    parser.add_argument("--rounds", type=int, default=7)
    arguments = parser.parse_args()
    names = chosen(arguments.only or "", arguments.java)
    found = measure(names, arguments.rounds)
    print("| | 64 bytes, us | 1 MiB, us | 64 MiB, GB/s |")
    print("|---|---:|---:|---:|")
    for name in names:
        small, middle, large = (statistics.median(found[name, size]) for size, _ in SIZES)
        print(f"| {name} | {small * 1e6:.0f} | {middle * 1e6:.0f} | {2 * LARGEST / large / 1e9:.2f} |")


if __name__ == "__main__":
    if sys.argv[1:2] == ["serve"]:
        globals()[f"serve_{sys.argv[2]}"]()
    else:
        main()
