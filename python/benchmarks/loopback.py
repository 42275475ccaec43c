"""How fast the package is beside a bare socket of Python that moves the same bytes, over loopback.

    python python/benchmarks/loopback.py                # between two processes of Python
    python python/benchmarks/loopback.py --java         # with Java, ArrayMirror of the examples, after mvn package -DskipTests
    python python/benchmarks/loopback.py --to :4711     # with a peer that sends arrays back and answers requests with them
    python python/benchmarks/loopback.py --profile      # which functions a request calls at this end, and how long they take

Both are measured in turns, in one run; what is printed is the median and the range of the ratios of neighbours. The
package is that of this directory's parent. NumPy is needed.
"""

from __future__ import annotations

import argparse
import cProfile
import contextlib
import os
import pathlib
import pstats
import socket
import statistics
import subprocess
import sys
import time
from typing import Callable, Iterator, List, Tuple

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "src"))

import numpy as np

import arraywire
from arraywire import _link

SMALL, LARGE = 64, 64 << 20
#: Less where nobody reads the figures.
WARM_SECONDS = float(os.environ.get("ARRAYWIRE_WARM_SECONDS", "3"))


def serve() -> None:
    """The other process: a listener, and a bare socket that takes a length of 8 bytes, so many bytes, and sends them back."""
    room = np.empty(LARGE // 4, "f4")
    with socket.create_server(("127.0.0.1", 0)) as server:
        with arraywire.listen("127.0.0.1:0", takes_requests=False) as listener:
            with arraywire.listen("127.0.0.1:0", answer=lambda request: request.array) as answering:
                print(listener.address, answering.address, server.getsockname()[1], flush=True)
                bare, _ = server.accept()
                arrays = None
                bare.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                view = memoryview(room).cast("B")
                while True:
                    # A word says what comes next: r bare round trips, s arrays that come, b bytes that come and go back.
                    word = bare.recv(1)
                    if not word:
                        return
                    if word == b"a":
                        # With another peer no arrays come here, and nobody connects.
                        arrays = arrays or listener.accept()
                        arrays.receive_into(room)
                        arrays.send(room)
                    else:
                        size = SMALL if word == b"r" else LARGE
                        read_all(bare, view[:size])
                        bare.sendall(view[:size])


def read_all(sock: socket.socket, view: memoryview) -> None:
    while len(view):
        view = view[sock.recv_into(view) :]


@contextlib.contextmanager
def java_mirror() -> Iterator[Tuple[str, str]]:
    """ArrayMirror of the packaged examples, in a process of its own: where it answers requests, and where it sends back arrays
    from one array that it keeps."""
    target = pathlib.Path(__file__).resolve().parents[2] / "examples/target"
    jars = [each for each in target.glob("arraywire-examples-*.jar") if not each.stem.endswith(("sources", "javadoc", "tests"))]
    path = os.environ.get("ARRAYWIRE_CLASSPATH") or (str(jars[0]) if jars else sys.exit("mvn package -DskipTests makes the jar"))
    java = os.path.join(os.environ["JAVA_HOME"], "bin", "java") if "JAVA_HOME" in os.environ else "java"
    options = ["-Xms1g", "-Xmx1g", "--enable-native-access=ALL-UNNAMED"]
    mirror = subprocess.Popen(
        [java, *options, "-cp", path, "io.arraywire.examples.ArrayMirror", "localhost:0", str(LARGE // 4)], stdout=subprocess.PIPE, text=True
    )
    assert mirror.stdout is not None
    try:
        requests, arrays = ("localhost:" + mirror.stdout.readline().rpartition(":")[2].strip() for _ in range(2))
        yield requests, arrays
    finally:
        mirror.terminate()
        mirror.wait()


def warm(what: Callable[[], object], seconds: float = WARM_SECONDS) -> None:
    """Until both ends are as fast as they get: Java compiles what it runs often."""
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        what()


def timed(what: Callable[[], None], times: int) -> float:
    begin = time.perf_counter()
    for _ in range(times):
        what()
    return (time.perf_counter() - begin) / times


def compare(name: str, unit: Callable[[float], str], bare: Callable[[], None], ours: Callable[[], None], times: int, rounds: int) -> None:
    warm(bare)
    warm(ours)
    left: List[float] = []
    right: List[float] = []
    for _ in range(rounds):
        left.append(timed(bare, times))
        right.append(timed(ours, times))
    ratios = sorted(mine / its for mine, its in zip(right, left))
    print(
        f"{name}: {unit(statistics.median(right))}, a bare socket {unit(statistics.median(left))}; "
        f"{statistics.median(ratios):.2f} times as long ({ratios[0]:.2f} to {ratios[-1]:.2f}, {rounds} rounds)"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--to", help="a peer to measure with, instead of another process of Python")
    parser.add_argument("--java", action="store_true", help="measure with Java at the other end")
    parser.add_argument("--rounds", type=int, default=21)
    parser.add_argument("--profile", action="store_true", help="only the functions that a request of 64 bytes calls at this end")
    arguments = parser.parse_args()
    child = subprocess.Popen([sys.executable, __file__, "serve"], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    arrays_at, answers_at, port = child.stdout.readline().split()
    peer, java = arguments.to, arguments.java
    if peer is not None:
        answers_at = arrays_at = peer
    with contextlib.ExitStack() as stack:
        if java:
            answers_at, arrays_at = stack.enter_context(java_mirror())
        if arguments.profile:
            profile(answers_at)
        else:
            measure(answers_at, arrays_at, int(port), peer is None and not java, arguments.rounds)
    child.terminate()
    child.wait()


def profile(answers_at: str, times: int = 3000, most: int = 25) -> None:
    """Calls and microseconds of a request, function by function. The profiler makes each call take longer."""
    _link._POLL_SECONDS = 0  # to sleep is one call; to poll is as many as there is time for
    with arraywire.connect(answers_at) as requests:
        small = np.zeros(SMALL // 4, "f4")
        warm(lambda: requests.call(small), 1.0)
        profiler = cProfile.Profile()
        profiler.enable()
        for _ in range(times):
            requests.call(small)
        profiler.disable()
    rows = pstats.Stats(profiler).stats.items()  # type: ignore[attr-defined]
    # What is done every second, by the way, is less than a call in two requests.
    found = sorted(((own, calls, where) for where, (_, calls, own, _, _) in rows if 2 * calls >= times), reverse=True)
    print(f"request of {SMALL} bytes: {sum(calls for _, calls, _ in found) / times:.0f} calls at this end")
    for own, calls, (file, _, name) in found[:most]:
        print(f"{calls / times:6.1f} calls {own / times * 1e6:6.2f} us  {pathlib.Path(file).name} {name}")


def measure(answers_at: str, arrays_at: str, port: int, ours: bool, rounds: int) -> None:
    """With peers at these addresses, which are of this file or not; the bare socket is at the port."""
    with arraywire.connect(arrays_at) as arrays, arraywire.connect(answers_at) as requests:
        bare = socket.create_connection(("127.0.0.1", port))
        bare.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        small = np.zeros(SMALL // 4, "f4")
        large, room = np.zeros(LARGE // 4, "f4"), np.empty(LARGE // 4, "f4")
        small_view, large_view = memoryview(small).cast("B"), memoryview(large).cast("B")
        small_frame = b"r" + bytes(SMALL)

        def bare_small() -> None:
            bare.sendall(small_frame)
            read_all(bare, small_view)

        def bare_large() -> None:
            bare.sendall(b"b")
            bare.sendall(large_view)
            read_all(bare, large_view)

        def our_large() -> None:
            if ours:
                bare.sendall(b"a")
            arrays.send(large)
            arrays.receive_into(room, 60)

        compare(
            f"request of {SMALL} bytes", lambda s: f"{s * 1e6:.1f} us", bare_small, lambda: requests.call(small) and None,
            300, rounds,
        )  # fmt: skip
        compare(
            f"{LARGE >> 20} MiB there and back", lambda s: f"{2 * LARGE / s / 1e9:.2f} GB/s", bare_large, our_large, 1,
            rounds,
        )  # fmt: skip
        bare.close()


if __name__ == "__main__":
    if sys.argv[1:] == ["serve"]:
        serve()
    else:
        main()
