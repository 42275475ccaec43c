"""Two cores joined in memory, with every cut of the stream that a test wants."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from typing import Any, Callable, List, Optional

from arraywire import _blocks, _types
from arraywire._core import Core
from arraywire._handshake import OFFERED, Offer
from arraywire.errors import ErrorCode, violation


def feed(core: Core, data: bytes, most: Optional[Callable[[], int]] = None) -> None:
    """What the link would do with bytes that came, at most so many at a time."""
    view = memoryview(data)
    while len(view):
        limit = most() if most else len(view)
        count = 0
        for buffer in core.receive_buffers():
            portion = min(len(buffer), len(view) - count, limit - count)
            buffer[:portion] = view[count : count + portion]
            count += portion
            if portion < len(buffer):
                break
        core.bytes_received(count)
        view = view[count:]


def drain(core: Core, most: Optional[int] = None) -> bytes:
    """What the link would write."""
    out = bytearray()
    while True:
        pieces = core.pieces()
        if not pieces:
            return bytes(out)
        count = 0
        for piece in pieces:
            take = len(piece) if most is None else min(len(piece), most)
            out += piece[:take]
            count += take
            if take < len(piece):
                break
        core.bytes_written(count)


def eventually(condition: Callable[[], Any]) -> None:
    """Waits until a condition holds that another thread brings about."""
    pause = threading.Event()
    end = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < end
        pause.wait(0.001)


class Pair:
    """A connector and an acceptor."""

    def __init__(
        self,
        left: Optional[Offer] = None,
        right: Optional[Offer] = None,
        cut: Optional[Callable[[], int]] = None,
        token: Optional[bytes] = None,
    ) -> None:
        self.left = Core(left or Offer(), connector=True, now=0.0)
        self.right = Core(right or Offer(), connector=False, now=0.0, token=token)
        self.cut = cut
        self.wire: List[bytes] = []

    def run(self) -> "Pair":
        """Until nothing moves any more."""
        moved = True
        ended = set()
        while moved:
            moved = False
            for here, there in ((self.left, self.right), (self.right, self.left)):
                data = drain(here)
                if data:
                    self.wire.append(data)
                    moved = True
                    feed(there, data, self.cut)
                if here.end_output and here not in ended:
                    ended.add(here)
                    moved = True
                    if not there.stream_ended:
                        there.end_of_stream()
        return self


class Cable:
    """A listener between both ends whose connections a test cuts."""

    def __init__(self, target):
        self.target = ("localhost", int(target.rpartition(":")[2]))
        self.server = socket.create_server(("localhost", 0))
        self.address = f"localhost:{self.server.getsockname()[1]}"
        self.ends = []
        self.count = 0
        self.plugged = threading.Event()
        self.plugged.set()
        self.most = None  # bytes from the connector that come through, per connection
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                near, _ = self.server.accept()
            except OSError:
                return
            if not self.plugged.is_set():
                near.close()
                continue
            try:
                far = socket.create_connection(self.target)
            except OSError:  # the listener is closed; who connects once more sees it
                near.close()
                continue
            for each in (near, far):
                each.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.ends += [near, far]
            self.count += 1
            threading.Thread(target=self._carry, args=(near, far, self.most), daemon=True).start()
            threading.Thread(target=self._carry, args=(far, near, None), daemon=True).start()

    def _carry(self, source, sink, most):
        with contextlib.suppress(OSError):
            while True:
                data = source.recv(65536 if most is None else min(65536, most))
                if not data:
                    break
                sink.sendall(data)
                if most is not None:
                    most -= len(data)
                    if most <= 0:
                        break
            if data and most is not None:
                self._cut([source, sink])
            else:
                sink.shutdown(socket.SHUT_WR)

    @staticmethod
    def _cut(ends):
        for each in ends:
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    def cut(self):
        ends, self.ends = self.ends, []
        self._cut(ends)

    def close(self):
        self.server.close()
        self.cut()


RUNS = _types.Encoding(210, "runs", True, False, True)


def of_runs(block, encoding, type, count):
    """Decodes the encoding of the golden files: how many equal elements follow each other, less one, and the element."""
    step = 1 + type.size
    made = b"".join((block[k] + 1) * bytes(block[k + 1 : k + step]) for k in range(0, len(block), step))
    if len(block) % step or len(made) != count * type.size:
        raise violation(ErrorCode.MALFORMED_PAYLOAD, "a block of runs has another length than its elements")
    return made


def with_runs(monkeypatch):
    """Makes it an encoding of this side; the offer that has it, and the others that are in blocks."""
    monkeypatch.setitem(_types.IN_BLOCKS, RUNS.code, RUNS)
    monkeypatch.setitem(_blocks.DECODERS, RUNS.code, of_runs)
    return Offer(encodings=(*OFFERED, *((each.code, each.name) for each in _types.IN_BLOCKS.values())))


NAMED = {"boolean": "?", "char": "u2", "bf16": "u2"}  # types that a dtype does not tell


def echo(message):
    """A handler that sends back what comes."""
    type = message.type if message.type in NAMED else None
    message.connection.send(message.array, tag=message.tag, metadata=message.metadata, type=type)
