"""Python's end of ``./arraywire bench --python``, which starts this file and tells it what to do.

A NumPy array goes to a JVM, which has it in a ``float[]`` and sends it back. Each contender is a class whose ``trip`` sends the first
elements of its source and returns them when they are back; its name is that of the Java class that sends them back
(``PythonContenders`` of the module benchmarks). Each library is used as its manual has it for large binary data.

    peers.py check numpy=numpy zmq=pyzmq     says which modules are found, with the versions of what pip calls them, and which are missing
    peers.py serve                           reads commands, a line each with words between tabs, and answers each with a line

    connect NAME COUNT PORTS      makes an array of so many elements, and connects to the JVM
    once COUNT                    a round trip; answers with the CRC-32 of what went and of what came back
    burst COUNT MILLIS            round trips for that long; answers with how many there were and how many of them count, the nanoseconds
                                  that these took, those of the processors, and the times of each
    expense                       answers with the nanoseconds of the processors, and 0
"""

from __future__ import annotations

import importlib
import os
import pathlib
import platform
import queue
import socket
import sys
import threading
import time
import traceback
import zlib
from importlib import metadata
from typing import Any, Dict, List, Type

try:
    import numpy as np
except ImportError:  # ``check`` tells.
    pass

HOST = "127.0.0.1"
PARENT_GONE = 3
#: The first part of a burst is not counted.
LEAD_IN = 10
SPOILED = -12345.678


class Contender:
    """Has an array to send and one to receive into, where a library can do that."""

    def __init__(self, ports: List[int], source: Any, room: Any) -> None:
        self.source, self.room = source, room
        self.connect(ports)

    def connect(self, ports: List[int]) -> None:
        raise NotImplementedError

    def trip(self, count: int) -> Any:
        """Sends the first elements and returns the array that came back."""
        raise NotImplementedError


class Socket(Contender):
    """A plain socket: the array's memory goes to the system, and what comes back is read into an array."""

    def connect(self, ports: List[int]) -> None:
        self.sock = socket.create_connection((HOST, ports[0]))
        self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.out, self.into = memoryview(self.source).cast("B"), memoryview(self.room).cast("B")

    def trip(self, count: int) -> Any:
        size = 4 * count
        self.sock.sendall(self.out[:size])
        rest = self.into[:size]
        while len(rest):
            read = self.sock.recv_into(rest)
            if not read:
                raise ConnectionError("the JVM closed the connection")
            rest = rest[read:]
        return self.room[:count]


class Arraywire(Contender):
    """Small arrays are requests; larger ones are sent, and received into an array."""

    REQUEST_BYTES = 4096

    def connect(self, ports: List[int]) -> None:
        import arraywire

        self.requests = arraywire.connect((HOST, ports[0]))
        self.arrays = arraywire.connect((HOST, ports[1]))

    def trip(self, count: int) -> Any:
        array = self.source[:count]
        if array.nbytes <= self.REQUEST_BYTES:
            return self.requests.call(array).array
        self.arrays.send(array)
        return self.room[: self.arrays.receive_into(self.room, 60).shape[0]]


class Grpc(Contender):
    """One stream of messages of bytes for all arrays, without Protocol Buffers around them. No proxy is between."""

    MESSAGE_BYTES = 1 << 20

    def connect(self, ports: List[int]) -> None:
        import grpc

        channel = grpc.insecure_channel(f"{HOST}:{ports[0]}", options=[("grpc.enable_http_proxy", 0)])
        self.queue: "queue.SimpleQueue[bytes]" = queue.SimpleQueue()
        self.answers = channel.stream_stream("/arraywire.benchmarks.Mirror/Mirror")(iter(self.queue.get, None))
        self.out, self.into = memoryview(self.source).cast("B"), memoryview(self.room).cast("B")

    def trip(self, count: int) -> Any:
        size = 4 * count
        for begin in range(0, size, self.MESSAGE_BYTES):
            self.queue.put(bytes(self.out[begin : min(size, begin + self.MESSAGE_BYTES)]))
        filled = 0
        while filled < size:
            some = next(self.answers)
            if len(some) == size:
                return np.frombuffer(some, "f4")
            self.into[filled : filled + len(some)] = some
            filled += len(some)
        return self.room[:count]


class Flight(Contender):
    """Batches of one stream for all arrays; a batch refers to the array's memory. One batch that comes is the array."""

    BATCH = 256 << 10

    def connect(self, ports: List[int]) -> None:
        import pyarrow as pa
        from pyarrow import flight

        client = flight.connect(f"grpc://{HOST}:{ports[0]}", generic_options=[("grpc.enable_http_proxy", 0)])
        self.schema = pa.schema([pa.field("elements", pa.float32(), nullable=False)])
        self.writer, self.reader = client.do_exchange(flight.FlightDescriptor.for_path("arrays"))
        self.writer.begin(self.schema)
        self.batch = lambda array: pa.record_batch([pa.array(array)], schema=self.schema)

    def trip(self, count: int) -> Any:
        for begin in range(0, count, self.BATCH):
            self.writer.write_batch(self.batch(self.source[begin : min(count, begin + self.BATCH)]))
        filled = 0
        while filled < count:
            some = self.reader.read_chunk().data.column(0).to_numpy()
            if len(some) == count:
                return some
            self.room[filled : filled + len(some)] = some
            filled += len(some)
        return self.room[:count]


class Pyzmq(Contender):
    """A pair of sockets; the messages of an array follow each other, and are not copied by pyzmq. Without a high-water mark."""

    CHUNK_BYTES = 256 << 10

    def connect(self, ports: List[int]) -> None:
        import zmq

        self.sock = zmq.Context().socket(zmq.PAIR)
        self.sock.set_hwm(0)
        self.sock.setsockopt(zmq.RCVTIMEO, 60_000)  # It does not say when the JVM is gone.
        self.sock.connect(f"tcp://{HOST}:{ports[0]}")
        self.out, self.into = memoryview(self.source).cast("B"), memoryview(self.room).cast("B")

    def trip(self, count: int) -> Any:
        size = 4 * count
        for begin in range(0, size, self.CHUNK_BYTES):
            self.sock.send(self.out[begin : min(size, begin + self.CHUNK_BYTES)], copy=False)
        filled = 0
        while filled < size:
            some = self.sock.recv(copy=False).buffer
            if len(some) == size:
                return np.frombuffer(some, "f4")
            self.into[filled : filled + len(some)] = some
            filled += len(some)
        return self.room[:count]


class Py4j(Contender):
    """A call of a method, which takes bytes and returns bytes."""

    def connect(self, ports: List[int]) -> None:
        from py4j.java_gateway import GatewayParameters, JavaGateway

        gateway = JavaGateway(gateway_parameters=GatewayParameters(address=HOST, port=ports[0]))
        self.call = gateway.entry_point.mirror

    def trip(self, count: int) -> Any:
        return np.frombuffer(self.call(self.source[:count].tobytes()), "f4")


CONTENDERS: Dict[str, Type[Contender]] = {
    "socket": Socket,
    "nio": Arraywire,
    "grpc": Grpc,
    "arrow-flight": Flight,
    "pyzmq": Pyzmq,
    "py4j": Py4j,
}


# --- What bench asks for ---


class End:
    """One contender, and what is measured of it."""

    def connect(self, name: str, count: str, ports: str) -> List[object]:
        bits = np.random.default_rng(4711).integers(0, 1 << 32, int(count), dtype="u4")  # NaNs with payloads among them
        self.source, self.room = bits.view("f4"), np.empty(int(count), "f4")
        self.room.fill(SPOILED)
        self.contender = CONTENDERS[name]([int(each) for each in ports.split()], self.source, self.room)
        return []

    def once(self, count: str) -> List[object]:
        self.room.fill(SPOILED)
        back = self.contender.trip(int(count))
        if back.dtype != self.source.dtype or back.shape != (int(count),):
            raise ValueError(f"another array came back (elements={count}, shape={back.shape}, dtype={back.dtype})")
        return [format(zlib.crc32(memoryview(each).cast("B")), "x") for each in (self.source[: int(count)], back)]

    def burst(self, count: str, millis: str) -> List[object]:
        trip, elements, long = self.contender.trip, int(count), int(millis) * 1_000_000
        clock = time.perf_counter_ns
        spent, begin = time.process_time_ns(), clock()
        trip(elements)
        took = clock() - begin
        if took >= long:  # It is all of the burst, or that would be twice as long for nothing.
            return [1, 1, took, time.process_time_ns() - spent, took]
        before = 1
        while clock() - begin < long // LEAD_IN:
            trip(elements)
            before += 1
        times: List[int] = []
        spent = time.process_time_ns()
        begin = then = clock()
        while not times or then - begin < long:
            trip(elements)
            now = clock()
            times.append(now - then)
            then = now
        spent = time.process_time_ns() - spent
        return [before + len(times), len(times), then - begin, spent, " ".join(map(str, times))]

    def expense(self) -> List[object]:
        return [time.process_time_ns(), 0]


def commands() -> Any:
    """Lines of standard input. When that ends this process does, whatever it is doing: so it dies with bench."""
    lines: "queue.SimpleQueue[str]" = queue.SimpleQueue()

    def read() -> None:
        for line in sys.stdin:
            lines.put(line)
        os._exit(PARENT_GONE)

    threading.Thread(target=read, daemon=True).start()
    while True:
        yield lines.get().rstrip("\n").split("\t")


def say(*words: object) -> None:
    print(*words, sep="\t", flush=True)


def serve() -> None:
    end = End()
    say("ready")
    for command, *words in commands():
        try:
            say("ok", *getattr(end, command)(*words))
        except Exception as error:
            say("failed", " ".join(f"{type(error).__name__}: {error}".split()))
            traceback.print_exc()


def check(modules: List[str]) -> None:
    print("found", platform.python_implementation(), platform.python_version())
    for each in modules:
        module, _, distribution = each.partition("=")
        try:
            importlib.import_module(module)
        except ImportError:
            print("missing", distribution)
        else:
            print("found", distribution, version(distribution))


def version(distribution: str) -> str:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return "of an unknown version"


def main(arguments: List[str]) -> None:
    if sys.version_info < (3, 9):
        sys.exit("this is Python " + platform.python_version())
    if arguments == ["serve"]:
        serve()
    elif arguments[:1] == ["check"]:
        check(arguments[1:])
    else:
        sys.exit("this is Python's end of './arraywire bench --python', which starts it")


if __name__ == "__main__":
    main(sys.argv[1:])
