"""Memory of callers that arrays go into as they come."""

from __future__ import annotations

from typing import Optional

from ._memory import Memory
from ._streams import Inbound, Received, Target


def place(array: Received, size: int, wanted: bool, into: Optional[Target]) -> None:
    """Where an array goes: into the caller's memory, into fresh memory, or nowhere if nobody wants it."""
    if into is not None and into.fits(array):
        array.into = into
        array.view = into.view[:size]
    elif wanted:
        array.memory = Memory.of(size)
        array.view = array.memory.view


def aim(stream: Inbound, target: Target) -> None:
    """The next array of the channel is to go into the caller's memory, also if it has begun to come."""
    array = stream.arriving
    if (
        array is not None
        and array.memory is not None
        and not stream.inbox
        and not stream.targets
        and not array.attributes.request
        and not array.attributes.reply
        and target.fits(array)
    ):
        assert array.view is not None
        view = target.view[: array.count * array.type.size]
        view[: array.came] = array.view[: array.came]
        array.into, array.view, array.memory = target, view, None
    stream.targets.append(target)


def redirect(stream: Inbound, target: Target) -> None:
    """The memory is the caller's again; what has come of an array goes on into fresh memory."""
    if target in stream.targets:
        stream.targets.remove(target)
    for array in [stream.arriving, *stream.inbox]:
        if array is not None and array.into is target:
            array.memory = Memory.of(array.count * array.type.size)
            array.memory.view[: array.came] = target.view[: array.came]
            array.view = array.memory.view
            array.into = None
