"""A receiver of the command inside of this process, and a wire that is cut."""

import contextlib
import glob
import os
import socket
import threading

import arraywire
from arraywire._cli._console import Console
from arraywire._cli._places import Places
from arraywire._cli._receive_report import ReceiveReport
from arraywire._cli._receiving import Receiving
from arraywire._cli._store import ArrayStore
from arraywire._attributes import NONE
from arraywire._elements import elements
from arraywire._options import Options
from arraywire._streams import ACKNOWLEDGED
from arraywire.listener import Listener


class Receiver:
    """What ``receive --out`` is made of. ``complaints`` are the failures that it would report."""

    def __init__(self, out, limit=None, max_bytes=1 << 30, checksums=None):
        self.out = str(out)
        self.complaints = []
        self.store = ArrayStore() if out is None else ArrayStore(Places(str(out)))
        with open(os.devnull, "w") as nowhere:
            console = Console(nowhere, nowhere)
        report = ReceiveReport(console, False)
        self.receiving = Receiving(max_bytes, self.store, report, limit, lambda peer, error: self.complaints.append(str(error)))
        options = Options(max_array_bytes=max_bytes, checksums=checksums).checked(False)
        self.listener = Listener(
            "localhost:0", self.receiving.handle, self.receiving.desk, options, False, 100, self.receiving.hooks
        )
        self.address = self.listener.address

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.receiving.stop()
        self.listener.close(1)
        self.store.close(1)

    def hidden(self):
        return hidden(self.out)

    def files(self):
        """Those that are not hidden, by their names from the directory on."""
        found = glob.glob(os.path.join(self.out, "**", "*"), recursive=True)
        return sorted(os.path.relpath(each, self.out) for each in found if os.path.isfile(each))


def hidden(directory):
    """What is there of files that are not whole."""
    return sorted(
        os.path.join(way, each) for way, _, files in os.walk(directory) for each in files if each.endswith(".part")
    )


class CutWire:
    """Passes bytes on to a receiver, and breaks off once so many have come from the sender."""

    def __init__(self, address, most):
        host, _, port = address.rpartition(":")
        self._to = (host, int(port))
        self._most = most
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = "localhost:%d" % self._listener.getsockname()[1]
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self):
        with contextlib.suppress(OSError):
            here, _ = self._listener.accept()
            there = socket.create_connection(self._to)
            threading.Thread(target=self._back, args=(there, here), daemon=True).start()
            left = self._most
            while left > 0:
                content = here.recv(min(left, 1 << 16))
                if not content:
                    break
                there.sendall(content)
                left -= len(content)
            there.shutdown(socket.SHUT_WR)
            there.close()
            here.shutdown(socket.SHUT_RDWR)
            here.close()

    @staticmethod
    def _back(there, here):
        with contextlib.suppress(OSError):
            while True:
                content = there.recv(1 << 16)
                if not content:
                    return
                here.sendall(content)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._listener.close()


@contextlib.contextmanager
def begun(connection, array, channels):
    """Arrays of which the receiver has the first kilobyte; all of them are sent at the end, unless the connection has ended."""
    link, core = connection._link, connection._core
    writer = core.writer
    with link.lock:
        writer.chunk_bytes = 1 << 10
        sending = [core.queue(core.outbound(k), elements(array), 0, NONE) for k in channels]
        for each in sending:
            writer._make_frame(each.stream)
        writer._ready.clear()
        link.write()
    yield sending
    with link.lock:
        writer.chunk_bytes = 1 << 20
        if not core.over:
            writer._ready.extend(each.stream for each in sending if each.stream.queue)
            link.write()
            link.wait(lambda: all(each.state >= ACKNOWLEDGED for each in sending))


def refused(address, array, **metadata):
    """Why a receiver refuses an array."""
    with arraywire.connect(address) as connection:
        try:
            connection.send(array, processed=True, metadata={name.replace("_", "-"): value for name, value in metadata.items()})
        except arraywire.RejectedError as error:
            return error.text
    return None
