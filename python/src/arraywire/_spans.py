"""Arrays of which some or all elements are in blocks: what lies where, and the pieces that a payload is made of.

All is counted in plain bytes, as docs/protocol.md counts progress and credit: what the elements take where they are not in
blocks, with the zeros behind each part of a message.
"""

from __future__ import annotations

from typing import NamedTuple, Optional, Tuple

from . import _blocks
from ._attributes import Part, padded
from ._types import ElementType, Encoding


class Span(NamedTuple):
    """A part of a message, or an array that is in blocks."""

    encoding: Encoding
    type: ElementType
    elements_end: int
    end: int  # where the next part begins
    padded: bool  # whether zeros follow each block


def has_blocks(encoding: Encoding, parts: Tuple[Part, ...]) -> bool:
    return encoding.in_blocks or any(each.encoding.in_blocks for each in parts)


class Spans:
    """Those of one array, which are gone through once."""

    __slots__ = ("_all", "_at")

    def __init__(self, encoding: Encoding, type: ElementType, size: int, parts: Tuple[Part, ...]) -> None:
        self._at = 0
        self._all = [
            Span(each.encoding, each.type, each.offset + each.size, each.offset + padded(each.size), True)
            for each in parts
            if each.length
        ]
        if not parts:
            self._all.append(Span(encoding, type, size, size, False))

    def at(self, place: int) -> Optional[Span]:
        """The span to which a byte belongs, which is not before the one of the last call; None behind the last one."""
        while self._at < len(self._all):
            span = self._all[self._at]
            if place < span.end:
                return span
            self._at += 1
        return None


def put(body: bytearray, view: memoryview, place: int, spans: Spans, most: int, most_bytes: int) -> int:
    """Appends the next piece to a payload: a block, or elements that are in none. Says how many plain bytes it stands for, at
    most so many; 0 if nothing is left, or the payload may not become so long."""
    span = spans.at(place)
    if span is None:
        return 0
    room = most_bytes - len(body)
    if not span.encoding.in_blocks:
        run = max(min(span.end - place, most, room), 0)
        body += view[place : place + run]
        return run
    size, left, rest = span.type.size, span.elements_end - place, span.end - span.elements_end
    plain = min(left, _blocks.MAX_BLOCK_BYTES, most, room - _blocks.HEAD.size - 7) // size * size
    if plain == left and left + rest > most:
        plain -= size  # the last block costs the zeros behind the part, too
    if plain <= 0:
        return 0
    block = _blocks.encoded(view[place : place + plain], span.encoding, span.type)
    body += block
    if span.padded:
        body += bytes(-len(block) % 8)
    return plain + rest if plain == left else plain
