"""What ``send`` prints."""

from __future__ import annotations

from typing import NamedTuple, Optional

from ._console import Console
from ._errors import TAKEN
from ._inputs import Outgoing
from ._words import (
    megabytes_per_second, on_the_wire, ratio, shown_shape, shown_time, significant, were_there,
)  # fmt: skip


class Sent(NamedTuple):
    """A file that was sent as often as was asked for."""

    outgoing: Outgoing
    repeat: int
    already: int  # bytes that the receiver had before
    seconds: float  # until the last delivery
    wire: Optional[int]
    compression: Optional[str]
    technique: str
    plain: bool


class SendReport:
    def __init__(self, console: Console, as_json: bool, to: str) -> None:
        self._console = console
        self._json = as_json
        self._to = to

    def is_there(self, outgoing: Outgoing) -> None:
        """The receiver has the file, all bits of it, and it was not sent."""
        self._skipped(outgoing, "the receiver has it, bit for bit")

    def skipped(self, outgoing: Outgoing) -> None:
        """The receiver has a file of that name, and refused this one when it had come."""
        self._skipped(outgoing, TAKEN)

    def _skipped(self, outgoing: Outgoing, why: str) -> None:
        if self._json:
            self._console.event(event="skipped", file=outgoing.shown, to=self._to)
        else:
            self._console.print(f"skipped {outgoing.shown}: {why}")

    def sent(self, sent: Sent) -> None:
        file = sent.outgoing.file
        moved = file.size * sent.repeat - sent.already
        rate = megabytes_per_second(moved, sent.seconds)
        of_wire = ratio(moved, sent.wire)
        if not self._json:
            times = "" if sent.repeat == 1 else f" x {sent.repeat}"
            delivery = "handed to the kernel" if sent.plain else "acknowledged"
            compressed = "" if sent.compression is None else f", {sent.compression}{on_the_wire(of_wire, sent.wire)}"
            self._console.print(
                f"sent {sent.outgoing.shown} to {self._to}: {file.type.name} {shown_shape(file.shape)}, {file.size} bytes{times}"
                f"{were_there(sent.already)} in {shown_time(sent.seconds)}, {significant(rate)} MB/s until {delivery}"
                f"{compressed}"
            )
            return
        self._console.event(
            event="sent",
            file=sent.outgoing.shown,
            to=self._to,
            type=file.type.name,
            elements=file.elements,
            shape=list(file.shape),
            bytes=file.size,
            repeat=sent.repeat,
            resumedBytes=sent.already,
            seconds=sent.seconds,
            megabytesPerSecond=rate,
            technique=sent.technique,
            delivery="HANDED_OFF" if sent.plain else "PROCESSED",
            compression=sent.compression,
            wireBytes=sent.wire,
            ratio=of_wire,
            copiedBytes=None,
            channelOperations=None,
        )
