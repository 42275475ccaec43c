"""What a peer may send: told in frames, each time that it has grown by half a window, or that a receive needs it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import _layout as wire
from ._streams import Inbound, Received

if TYPE_CHECKING:
    from ._core import Core


def came(core: "Core", array: Received, count: int) -> None:
    """So many bytes of elements have come, of an array that somebody waits for or that is held."""
    array.came += count
    array.left -= count
    if not array.asked:
        array.held += count
        array.stream.held += count
        core.held += count


def allow_more(core: "Core", stream: Inbound) -> None:
    """Allows the peer more on a channel and on all of them, if it is worth a frame."""
    if (
        stream.arriving is None
        and len(core.inbounds) == 1
        and stream.told - stream.received > stream.enough
        and core.told - core.received > core.enough
    ):
        return  # as nearly always: however little is held, less than half a window could be told
    rest = stream.asked_rest()
    allowed = stream.received + max(stream.first - stream.held, 0) + rest
    all_rest = rest
    if len(core.inbounds) > 1:
        all_rest = sum(each.asked_rest() for each in core.inbounds.values())
    first = core.offer.connection_credit
    all_allowed = core.received + max(first - core.held, 0) + all_rest
    if (
        allowed - stream.told >= stream.first // 2
        or all_allowed - core.told >= first // 2
        or stream.told < stream.received + rest
        or core.told < core.received + all_rest
    ) and not (core.over or core.peer_goodbye):
        stream.told = max(stream.told, allowed)
        core.told = max(core.told, all_allowed)
        flags, low = core.writer.acknowledgement(stream.field)
        core.writer.control(
            wire.CREDIT, channel=stream.field, tag=stream.told, count=core.told, flags=flags, acknowledged=low
        )
