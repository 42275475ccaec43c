"""Sends files over a connection, one after the other."""

from __future__ import annotations

import contextlib
import logging
import time
from collections import deque
from typing import Any, Callable, Deque, Dict, List, NamedTuple, Optional

from .. import _calls, _memory
from .._attributes import Attributes
from .._elements import Elements
from .._streams import Outgoing as Array
from .._types import BOOLEAN, NATIVE_LITTLE, RAW_BE, RAW_LE, Encoding
from ..connection import Connection
from ..errors import ArraywireError, ErrorCode, RejectedError
from ..plain import PlainConnection
from ._complaints import said_by_peer
from ._errors import TAKEN, CommandError, Unfinished
from ._files import SHA256, ArrayFile, OpenFile
from ._inputs import Outgoing
from ._names import KEY
from ._parser import Options
from ._progress import Progress
from ._question import FROM
from ._resuming import Remainder, Resuming
from ._send_report import Sent, SendReport

#: How long an acknowledgement may take before it is said so; then twice as long, and so on.
_REMINDER_SECONDS = 5.0
#: Enough for the next array to be in flight while the last one is acknowledged.
_MOST_UNDER_WAY = 4
_MOST_QUEUED_BYTES = 32 << 20
#: How a connection ends, whichever side says so, and how a receiver says that it has no room now. Another refusal, or a breach
#: of protocol, will be there at the next attempt, too.
_BROKEN_OFF = (
    ErrorCode.CONNECTION_CLOSED, ErrorCode.CONNECTION_RESET, ErrorCode.HEARTBEAT_TIMEOUT, ErrorCode.SLOW_PEER,
    ErrorCode.SLOW_FRAME, ErrorCode.STALLED_ARRAY, ErrorCode.IDLE_TIMEOUT, ErrorCode.TRUNCATED, ErrorCode.DELIVERY_UNKNOWN,
    ErrorCode.TOO_MANY_REQUESTS, ErrorCode.MEMORY_BUDGET,
)  # fmt: skip
_log = logging.getLogger("arraywire")


class _Way(NamedTuple):
    """How the elements of a file travel."""

    codec: Optional[Encoding]  # None leaves the choice to the connection
    straight: bool  # whether nothing here has to look at them


class SendArrays:
    """``note`` is told, in a line, what the user is to know meanwhile."""

    def __init__(
        self,
        connection: Connection,
        options: Options,
        technique: str,
        codec: Optional[Encoding],
        compress: Optional[Encoding],
        report: SendReport,
        progress: Progress,
        note: Callable[[str], None],
    ) -> None:
        self._connection = connection
        self._options = options
        self._technique = technique
        self._codec = codec
        self._compress = compress
        self._report = report
        self._progress = progress
        self._resuming = Resuming(connection, note) if options.resume else None
        self._skipped = 0

    def run(self, files: List[Outgoing]) -> None:
        try:
            for at, each in enumerate(files):
                self._send_one(each, at, len(files))
        except Exception:
            with contextlib.suppress(ArraywireError):
                self._connection.close()
            raise
        except BaseException:
            self._connection.close_now()
            raise
        # All was acknowledged, and a receiver that has what it wanted may well be gone by now.
        with contextlib.suppress(ArraywireError):
            self._connection.close()

    def _send_one(self, file: Outgoing, at: int, count: int) -> None:
        try:
            self._send(file)
        except Exception as error:
            goes_on, taken = self._goes_on(error), _is_taken(file, error)
            if self._options.skip_existing and taken:
                self._skipped += 1
                self._progress.wipe()
                self._report.skipped(file)
            elif count > 1:
                raise Unfinished.of_many(error, file.shown, at + 1, count, self._skipped, goes_on, taken) from error
            elif goes_on:
                raise Unfinished.of_one(error) from error
            else:
                raise

    def _goes_on(self, error: Exception) -> bool:
        """Whether the same command goes on: the connection has ended, and the receiver keeps things."""
        known = isinstance(error, ArraywireError) and error.code in _BROKEN_OFF
        return known and self._resuming is not None and self._resuming.goes_on

    def _send(self, file: Outgoing) -> None:
        """With --resume, waits a while for a receiver that has no room; else fails at once."""
        room = None if self._resuming is None else self._resuming.wait_for_room()
        while True:
            rest = Remainder(file.file) if self._resuming is None else self._resuming.of(file)
            if rest.is_there:
                self._skipped += 1
                self._progress.skip(rest.already_bytes)
                self._progress.wipe()
                self._report.is_there(file)
                return
            self._progress.skip(rest.already_bytes)
            try:
                self._send_rest(file, rest)
                return
            except ArraywireError as error:
                file.file.check()
                if room is None or not room.is_worth_another(self._connection, file.shown, error):
                    raise
                self._progress.unskip(rest.already_bytes)

    def _send_rest(self, file: Outgoing, rest: Remainder) -> None:
        way = self._way(rest.file)
        opened = OpenFile(rest.file, self._technique, way.straight)
        with contextlib.closing(opened):
            if rest.stamp is not None:
                rest.stamp.check(rest.file.path)
            elements = Elements(
                rest.file.type,
                rest.file.elements,
                rest.file.shape if len(rest.file.shape) > 1 else (),
                opened.view,
                (),
                way.codec,
                not rest.file.big if rest.file.type.size > 1 else NATIVE_LITTLE,
            )
            attributes = _calls.attributes_of(elements, self._metadata(file, rest))
            began = time.perf_counter()
            totals = self._send_all(elements, attributes, rest.file)
            seconds = time.perf_counter() - began
        compression = totals.encoding.name if totals.encoding is not None and totals.encoding.in_blocks else None
        self._progress.wipe()
        self._report.sent(
            Sent(
                file, self._options.repeat, rest.already_bytes, seconds, totals.wire, compression, self._technique, False
            )  # fmt: skip
        )

    def _metadata(self, file: Outgoing, rest: Remainder) -> Dict[str, str]:
        said: Dict[str, str] = {}
        if file.name is not None:
            said[KEY] = str(file.name)
        if self._resuming is not None:
            said[FROM] = str(rest.already)
        if file.sha256 is not None:
            said[SHA256] = file.sha256
        return said

    def _way(self, file: ArrayFile) -> _Way:
        """Elements travel in the byte order of their file, where the peer understands it and no option says otherwise."""
        agreement = self._connection._core.agreement
        if self._compress is not None:
            if self._compress not in agreement.encodings:
                names = ", ".join(each.name for each in agreement.encodings)
                raise CommandError(
                    "the receiver cannot decode that; leave out --compress, or add arraywire-compression there. 'arraywire"
                    f" receive --into' decodes nothing; --out does (compress={self._compress.name}, agreed=[{names}])"
                )
            return _Way(self._compress, False)
        lies = RAW_BE if file.big else RAW_LE
        codec = self._codec
        if codec is None and file.type.size > 1 and self._technique != "array" and lies in agreement.encodings:
            codec = lies
        if codec is not None and codec not in agreement.encodings:
            names = ", ".join(each.name for each in agreement.encodings)
            raise CommandError(
                "the receiver does not know the encoding of that codec; choose another"
                f" (codec={self._options.codec}, encoding={codec.name}, agreed=[{names}])"
            )
        turned = codec is None or codec.little == file.big
        secured = self._connection._link.tls_info() is not None
        return _Way(codec, not (secured or agreement.checksums or turned and file.type.size > 1))

    # --- One array, as often as it is to be sent ---

    def _send_all(self, elements: Elements, attributes: Attributes, file: ArrayFile) -> "_Totals":
        totals = _Totals()
        under_way: Deque[Array] = deque()
        # As many as fit half of what may be queued.
        most = max(1, min(_MOST_UNDER_WAY, _MOST_QUEUED_BYTES // max(1, file.size)))
        for _ in range(self._options.repeat):
            if len(under_way) == most:
                self._await(under_way, totals, file)
            under_way.append(self._begin(elements, attributes))
            self._progress.now = lambda: sum(each.sent for each in under_way)
        while under_way:
            self._await(under_way, totals, file)
        return totals

    def _begin(self, elements: Elements, attributes: Attributes) -> Array:
        link, core = self._connection._link, self._connection._core
        with link.lock:
            _calls.check_open(link)
            outgoing = core.queue(core.outbound(core.channel(0)), elements, 0, attributes)
            link.write_now()
            return outgoing

    def _await(self, under_way: Deque[Array], totals: "_Totals", file: ArrayFile) -> None:
        """Until the first of them is acknowledged."""
        outgoing = under_way[0]
        link = self._connection._link
        sending = _calls.Sending(link, outgoing, True, None)
        waited, seconds = 0.0, _REMINDER_SECONDS
        with link.lock:
            try:
                while not link.wait(sending.over, time.monotonic() + seconds):
                    file.check()
                    if not link.core.writer.idle:
                        continue
                    waited += seconds
                    seconds = waited
                    _log.warning(
                        "the peer has not acknowledged what it was sent for %g s: its handler has not returned, or it takes no"
                        " arrays (peer=%s)",
                        waited,
                        self._connection.peer_address,
                    )
                sending.check(True)
            except BaseException:
                # What was begun of them names memory that goes now.
                for each in under_way:
                    link.core.writer.give_back(each)
                raise
        under_way.popleft()
        totals.wire += outgoing.wire
        totals.encoding = outgoing.encoding
        self._progress.add(file.size)
        self._progress.now = lambda: sum(each.sent for each in under_way)


class _Totals:
    def __init__(self) -> None:
        self.wire = 0
        self.encoding: Optional[Encoding] = None


def _is_taken(file: Outgoing, error: Exception) -> bool:
    """Whether the receiver has a file of that name; the connection is as good as before. The words must stand where the reason
    begins: another reason may quote them, in the name of a file."""
    return file.name is not None and isinstance(error, RejectedError) and said_by_peer(error).startswith(f"{TAKEN} (name=")


def send_plain(
    connection: PlainConnection,
    outgoing: Outgoing,
    repeat: int,
    technique: str,
    report: SendReport,
    progress: Progress,
    last: bool,
) -> None:
    """There is no acknowledgement, so it is over when the system has the bytes."""
    file = outgoing.file
    with contextlib.closing(OpenFile(file, "array" if file.type is BOOLEAN else technique, True)) as opened:
        began = time.perf_counter()
        for _ in range(repeat):
            connection._send(_plain_elements(file, opened.view))
            progress.add(file.size)
        seconds = time.perf_counter() - began
    progress.wipe()
    wire = (file.size + 4) * repeat
    report.sent(Sent(outgoing, repeat, 0, seconds, wire, None, technique, True))


def _plain_elements(file: ArrayFile, view: Any) -> Elements:
    little = not file.big if file.type.size > 1 else NATIVE_LITTLE
    whole = view if isinstance(view, memoryview) else view[0 : file.size]
    if little != NATIVE_LITTLE:
        whole = _memory.swapped(whole, file.type.size)
    return Elements(file.type, file.elements, (), whole)
