"""``receive``: listens, and writes each array that arrives."""

from __future__ import annotations

import sys
import threading
from typing import Optional

from .. import plain
from .._memory import flat
from .._options import Options as LibraryOptions
from .._serve import Refusal
from .._types import BY_NAME
from ..errors import ArraywireError, ConnectError, ErrorCode
from ..listener import Listener
from . import _security
from ._complaints import words
from ._console import Console, Reports
from ._errors import CommandError, PeersFault, Unwritable, Usage
from ._into import Into
from ._parser import Options
from ._places import Places, is_one_file
from ._receive_report import ReceiveReport
from ._receiving import Receiving
from ._stats import Snapshot, StatsLine
from ._store import ArrayStore

_CLOSE_SECONDS = 2.0
_MOST_CONNECTIONS = 1024


def run(options: Options, console: Console) -> None:
    if options.into is not None:
        _check_into(options)
        _receive_into(options, options.into, console)
        return
    if options.technique is not None:
        raise Usage(f"--technique is for --into only (technique={options.technique})")
    _security.check_listens(options)
    if options.plain != (options.type is not None):
        raise Usage(
            "plain mode does not tell the element type; add --type, for example --type float"
            if options.type is None
            else "--type is for --plain only; in framed mode each array tells its type"
        )
    limit = _limit(options)
    seconds = _stats_seconds(options, console)
    _Receive(options, console, limit, seconds).run()


def _check_into(options: Options) -> None:
    """What the file is to be like is up to the sender, and there is one array only."""
    if (
        options.out is not None
        or options.discard
        or options.count is not None
        or options.stats
        or options.stats_every is not None
        or options.type is not None
    ):
        raise Usage(
            "--into takes one array into one file; leave out --out, --discard, --count, --type and --stats"
            f" (into={options.into})"
        )
    if (
        options.is_encoded
        or options.transport_chosen
        or _security.chosen(options)
        or options.token_file is not None
        or options.require_client_cert
    ):
        raise Usage(
            "--into moves bytes only, without --transport, --codec, --plain, --tls and --token-file; leave them out, or use"
            f" --out (into={options.into})"
        )


def _limit(options: Options) -> Optional[int]:
    if options.discard and options.out is not None:
        raise Usage(f"--discard writes nothing, so there is no --out; leave one out (out={options.out})")
    if options.count is not None and options.count < 1:
        raise Usage(f"--count must be at least 1 (count={options.count})")
    if options.out is not None and is_one_file(options.out):
        if options.count not in (None, 1):
            raise Usage(f"one file holds one array; give a directory (out={options.out}, count={options.count})")
        return 1
    return options.count


def _stats_seconds(options: Options, console: Console) -> int:
    """How often to show what comes; 0 for never."""
    if options.stats_every is not None and options.stats_every < 1:
        raise Usage(f"--stats-every must be at least 1 (seconds={options.stats_every})")
    if options.stats_every is not None and not options.stats:
        raise Usage("--stats-every says how often --stats shows; add --stats")
    return 0 if not options.stats else options.stats_every or (1 if console.watched else 10)


class _Failures:
    """Prints failures of peers, on a thread of its own."""

    def __init__(self, report: ReceiveReport) -> None:
        self._report = report
        self._reports = Reports(self._unreported)

    def tell(self, peer: str, error: Exception) -> None:
        self._reports.tell(lambda: self._told(peer, error))

    def _told(self, peer: str, error: Exception) -> None:
        of_array = isinstance(error, (PeersFault, Unwritable))
        what = f"array from {peer}: " if of_array else f"connection from {peer} failed: "
        self._report.wipe()
        self._report.failed(peer, error)
        self.complain(what + words(error))

    def _unreported(self, count: int) -> None:
        self.complain(f"{count} more failures of connections or arrays were not reported")

    def complain(self, text: str) -> None:
        self._report.wipe()
        self._report.console.complain(f"arraywire receive: {text}")

    def close(self) -> None:
        self._reports.close()


def _not_bound(error: ConnectError, address: str) -> Exception:
    """An address cannot be listened on: with advice, where the failure has none."""
    cause = str(error.facts.get("cause", "")).lower()
    if error.code is not ErrorCode.BIND_FAILED or "in use" in cause:
        return error
    if address.startswith("unix:"):
        advice = "take a path in a directory that is there and may be written to"
    elif "permission denied" in cause:
        advice = "take a port above 1023, or 0 for a free one"
    else:
        advice = "take an address of this host, localhost, or 0.0.0.0 for all of them"
    return CommandError(f"{error.text}; {advice}")


def _receive_into(options: Options, path: str, console: Console) -> None:
    report = ReceiveReport(console, options.json)
    failures = _Failures(report)
    into = Into(path, options.max_bytes, failures.tell)
    listener = None
    try:
        try:
            listener = into.listen(options.listen)
        except ConnectError as error:
            raise _not_bound(error, options.listen) from error
        report.listening(options.listen, listener.address)
        arrived, big = into.wait()
        report.stored(arrived, big)
    finally:
        into.peers.close()
        if listener is not None:
            listener.close(_CLOSE_SECONDS)
        into.close()
        failures.close()


class _Receive:
    """Into files, a pipe or nothing, until there are enough arrays."""

    def __init__(self, options: Options, console: Console, limit: Optional[int], stats_seconds: int) -> None:
        self._options = options
        self._report = ReceiveReport(console, options.json)
        self._stats = StatsLine(console, self._look, stats_seconds) if stats_seconds else None
        if self._stats is not None:
            self._report.wipe = self._stats.wipe
        self._tls = _security.server(options)
        self._token = _security.token(options)
        self._listener: Optional[Listener] = None
        self._failures = _Failures(self._report)
        self._store = self._made_store()
        self._receiving = Receiving(options.max_bytes, self._store, self._report, limit, self._failures.tell)

    def _made_store(self) -> ArrayStore:
        options = self._options
        if options.discard:
            return ArrayStore()
        if options.out == "-":
            return ArrayStore(pipe=sys.stdout.buffer)
        return ArrayStore(Places(options.out or "."))

    def run(self) -> None:
        try:
            try:
                if self._options.plain:
                    self._receive_plain()
                else:
                    self._receive()
            except ConnectError as error:
                raise _not_bound(error, self._options.listen) from error
        finally:
            self._receiving.stop()
            self._store.close(_CLOSE_SECONDS)
            if self._stats is not None:
                self._stats.close()
            self._failures.close()

    def _receive(self) -> None:
        receiving, options = self._receiving, self._options
        library = LibraryOptions(
            token=self._token, max_array_bytes=options.max_bytes, tls=self._tls
        ).checked(False)
        self._listener = listener = Listener(
            options.listen, receiving.handle, receiving.desk, library, False, _MOST_CONNECTIONS, receiving.hooks
        )
        done = False
        try:
            self._begin(listener.address)
            receiving.wait()
            done = True
        finally:
            receiving.stop()
            if done:
                listener.close()
            else:
                listener.close(_CLOSE_SECONDS)  # says goodbye to connected peers, but not for long

    def _begin(self, address: str) -> None:
        self._report.listening(self._options.listen, address)
        if self._stats is not None:
            self._stats.start()

    def _look(self) -> Snapshot:
        receiving = self._receiving
        connections = [] if self._listener is None else self._listener.connections
        inboxes = [stream.inbox for each in connections for stream in list(each._core.inbounds.values())]
        waiting = [array for inbox in inboxes for array in list(inbox)]
        return Snapshot(
            receiving.arrays,
            receiving.bytes,
            len(connections),
            len(waiting),
            sum(each.count * each.type.size for each in waiting),
            receiving.refused,
            receiving.failures,
        )

    # --- Plain mode ---

    def _receive_plain(self) -> None:
        options = self._options
        assert options.type is not None
        with plain.listen(options.listen, options.type, max_array_bytes=options.max_bytes, tls=self._tls) as listener:
            self._begin(listener.address)
            threading.Thread(target=self._accept_plain, args=(listener,), daemon=True).start()
            self._receiving.wait()
            if self._receiving.last is not None:
                # The peer is to see the end of its connection, not a broken one.
                self._receiving.last.join(plain.CLOSE_SECONDS)

    def _accept_plain(self, listener: plain.PlainListener) -> None:
        for each in listener:
            threading.Thread(target=self._serve_plain, args=(each,), daemon=True).start()

    def _serve_plain(self, connection: plain.PlainConnection) -> None:
        assert self._options.type is not None
        type = BY_NAME[self._options.type]
        try:
            with connection:
                while not self._receiving.over:
                    array = connection.receive()
                    content = flat(array)
                    assert content is not None
                    self._receiving.take_plain(connection, type, content, connection._core.seconds)
        except ArraywireError as error:
            if error.code is not ErrorCode.CONNECTION_CLOSED:
                self._receiving.ended_plain(connection, error)
        except (OSError, Refusal):
            pass  # what failed here was told when it failed


