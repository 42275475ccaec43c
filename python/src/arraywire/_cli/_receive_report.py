"""What ``receive`` prints. Any thread."""

from __future__ import annotations

from typing import Callable, NamedTuple, Optional, Tuple

from .. import _npy
from .._address import Parsed
from .._types import ElementType
from ..errors import ArraywireError
from ._complaints import reason_of, words
from ._console import Console
from ._words import (
    megabytes_per_second, on_the_wire, ratio, shown_shape, shown_time, significant, were_there,
)  # fmt: skip


class Arrived(NamedTuple):
    """An array that was received and, unless it is to be discarded, written."""

    number: int
    peer: str
    type: ElementType
    shape: Tuple[int, ...]
    size: int  # bytes of its elements, those that were there before included
    before: int  # bytes that were there
    seconds: float
    wire: Optional[int]
    path: Optional[str]
    verified: bool = False  # what was written is what its sender wanted compared


class ReceiveReport:
    """``wipe`` is called before each line: something may stand where it goes."""

    def __init__(self, console: Console, as_json: bool, wipe: Callable[[], None] = lambda: None) -> None:
        self.console = console
        self._json = as_json
        self.wipe = wipe

    def listening(self, asked: str, real: str) -> None:
        """The first line: peers may connect from now on. The host as it was given, and the port that was taken."""
        if asked.startswith("unix:"):
            host, port, shown = asked[len("unix:") :], None, asked
        else:
            host, port = Parsed(asked).host, int(real.rpartition(":")[2])
            shown = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
        message = f"listening on {shown}"
        self.wipe()
        if self._json:
            self.console.event(event="listening", message=message, host=host, port=port)
        else:
            self.console.print(message)

    def received(self, array: Arrived, without_file: str) -> None:
        came = array.size - array.before
        rate = megabytes_per_second(came, array.seconds)
        of_wire = ratio(came, array.wire)
        self.wipe()
        if not self._json:
            # Otherwise headers are all that makes a difference.
            wire = on_the_wire(of_wire, array.wire) if of_wire is not None and of_wire > 1 else ""
            where = f" -> {array.path}" if array.path else f", {without_file}"
            verified = ", verified" if array.verified else ""
            self.console.print(
                f"array {array.number} from {array.peer}: {array.type.name} {shown_shape(array.shape)}, {array.size} bytes"
                f"{were_there(array.before)}{wire} in {shown_time(array.seconds)}, {significant(rate)} MB/s{verified}{where}"
            )
            return
        self.console.event(
            event="array",
            number=array.number,
            peer=array.peer,
            type=array.type.name,
            elements=array.size // array.type.size,
            shape=list(array.shape),
            bytes=array.size,
            resumedBytes=array.before,
            seconds=array.seconds,
            megabytesPerSecond=rate,
            wireBytes=array.wire,
            ratio=of_wire,
            copiedBytes=None,
            channelOperations=None,
            verified=array.verified,
            file=array.path,
        )

    def stored(self, array: Arrived, big: bool) -> None:
        """An array was put straight into a file, in the byte order in which it came."""
        dtype = _npy.description(array.type, big)
        rate = megabytes_per_second(array.size, array.seconds)
        if not self._json:
            self.console.print(
                f"array 1 from {array.peer}: {array.type.name} {shown_shape(array.shape)}, {dtype}, {array.size} bytes in"
                f" {shown_time(array.seconds)}, {significant(rate)} MB/s -> {array.path}"
            )
            return
        self.console.event(
            event="array",
            number=1,
            peer=array.peer,
            type=array.type.name,
            dtype=dtype,
            elements=array.size // array.type.size,
            shape=list(array.shape),
            bytes=array.size,
            seconds=array.seconds,
            megabytesPerSecond=rate,
            technique="buffer",
            channelOperations=None,
            file=array.path,
        )

    def failed(self, peer: str, error: Exception) -> None:
        """An array or a connection failed, and others go on."""
        if self._json:
            reason = reason_of(error)
            code = reason.code if isinstance(reason, ArraywireError) else None
            self.console.event(
                event="connectionFailed", peer=peer, code=None if code is None else code.name, message=words(error)
            )
