"""What a header must be, checked in the order of docs/protocol.md before anything of its frame is used."""

from __future__ import annotations

from typing import TYPE_CHECKING, Optional

from . import _layout as wire
from ._attributes import Attributes
from ._blocks import HEAD
from ._layout import Header
from ._streams import Inbound
from ._types import MESSAGE, TABLE, TYPES, ElementType, Encoding
from .errors import ErrorCode, violation

if TYPE_CHECKING:
    from ._core import Core

_MOST_BESIDE = 16  # bytes of a payload beside an element of a part, which may be in a block of its own, with zeros behind it
_KNOWN_FLAGS = wire.HAS_CHECKSUM | wire.ACKNOWLEDGES


def is_message(frame: Header) -> bool:
    """Whether attributes say what the bytes of an array are, and not the header."""
    return frame.encoding == 0 and frame.element == 0 and frame.attribute_bytes > 0


def check_header(core: "Core", frame: Header) -> None:
    if frame.version != wire.VERSION:
        raise violation(
            ErrorCode.UNSUPPORTED_VERSION,
            "a frame is of another version than was agreed",
            version=frame.version,
            agreed=wire.VERSION,
        )
    if not wire.ARRAY <= frame.type <= wire.UNSUBSCRIBED:
        raise violation(ErrorCode.UNKNOWN_CODE, "a frame is of no known type", type=frame.type)
    if frame.flags & ~_KNOWN_FLAGS:
        raise violation(ErrorCode.UNKNOWN_CODE, "a frame has flags that are not known", flags=frame.flags)
    agreement = core.agreement
    if frame.channel < agreement.channels:
        return
    if frame.channel & wire.SUBSCRIPTION:
        number = frame.channel ^ wire.SUBSCRIPTION
        if number >= agreement.subscriptions:
            raise violation(
                ErrorCode.UNKNOWN_CODE,
                "a frame is of a subscription that was not agreed",
                subscription=number,
                subscriptions=agreement.subscriptions,
            )
    else:
        raise violation(
            ErrorCode.UNKNOWN_CODE,
            "a frame is of a channel that was not agreed",
            channel=frame.channel,
            channels=agreement.channels,
        )


def check_array(core: "Core", frame: Header) -> None:
    stream = core.inbound(frame.channel)
    if core.peer_goodbye or stream.arriving is not None or stream.is_subscription and not frame.attribute_bytes:
        raise violation(
            ErrorCode.PROTOCOL_VIOLATION,
            "an array may not begin here",
            channel=frame.channel,
            goodbye=core.peer_goodbye,
            another_arrives=stream.arriving is not None,
            attributes=frame.attribute_bytes,
        )
    offer = core.offer
    message = is_message(frame)
    if message and not {(1, "raw-le"), (2, "raw-be")}.isdisjoint(offer.encodings):
        encoding: Optional[Encoding] = TABLE
        type: Optional[ElementType] = MESSAGE
    else:
        message = False
        encoding = core.decodes.get(frame.encoding)
        type = TYPES.get(frame.element)
    if not message and (
        encoding is None
        or type is None
        or type.code not in offer.element_types
        or not encoding.has(type)
    ):
        raise violation(
            ErrorCode.UNKNOWN_CODE,
            "an array is of an encoding or element type that this side did not offer",
            encoding=frame.encoding,
            type=frame.element,
        )
    for what, value, limit in (
        ("attributes", frame.attribute_bytes, wire.MAX_ATTRIBUTES),
        ("array", frame.array_bytes, offer.max_array_bytes),
        ("frame", frame.payload_bytes, offer.max_frame_bytes),
    ):
        if value > limit:
            raise violation(
                ErrorCode.FRAME_TOO_LARGE,
                f"the {what} is larger than this side accepts"
                + (" (raise max_array_bytes here)" if what == "array" else ""),
                declared=value,
                limit=limit,
            )
    assert encoding is not None and type is not None
    count, size = frame.element_count, type.size
    if count >= 1 << 63:
        raise violation(ErrorCode.BAD_LENGTH, "no array has so many elements", elements=count)
    if message:
        if count > frame.array_bytes or frame.array_bytes % 8:
            raise violation(
                ErrorCode.COUNT_MISMATCH,
                "element count and array bytes do not agree",
                elements=count,
                array_bytes=frame.array_bytes,
            )
        count = frame.array_bytes
    most = encoding.most()
    prefix = 0
    if count * size <= frame.array_bytes and (most is None or count <= most):
        prefix = encoding.prefix_bytes(type, count)
    if prefix + count * size != frame.array_bytes or most is not None and count > most:
        raise violation(
            ErrorCode.COUNT_MISMATCH,
            "element count and array bytes do not agree",
            elements=count,
            type=type.name,
            array_bytes=frame.array_bytes,
            prefix=prefix,
        )
    payload = frame.payload_bytes
    longest, shortest = frame.array_bytes, prefix + (size if count else 0)
    if message:
        longest += _MOST_BESIDE * frame.element_count
    elif encoding.in_blocks:
        longest, shortest = count * (HEAD.size + size), HEAD.size + 1 if count else 0
    if payload > longest or payload < shortest:
        raise violation(
            ErrorCode.BAD_LENGTH,
            "the first frame of an array is longer than the array, or holds no whole element",
            payload=payload,
            array_bytes=frame.array_bytes,
            prefix=prefix,
        )
    if not encoding.in_blocks and (payload - prefix) % size:
        raise violation(
            ErrorCode.COUNT_MISMATCH, "a frame ends inside an element", payload=payload, prefix=prefix, size=size
        )
    _check_sequence(frame.sequence, stream.sequence + 1, frame)
    _check_payload_flag(core, frame)
    # What is in blocks is charged by their heads; whether a message has any, its table says.
    later = message or encoding.in_blocks
    core.charge(stream, wire.ARRAY_COST + frame.attribute_bytes + (0 if later else payload))
    stream.sequence = frame.sequence


def check_raw_parts(core: "Core", stream: Inbound, frame: Header) -> None:
    """The first frame of a message, of which no part is in blocks."""
    if frame.payload_bytes > frame.array_bytes:
        raise violation(
            ErrorCode.BAD_LENGTH,
            "the first frame of a message is longer than its parts",
            payload=frame.payload_bytes,
            array_bytes=frame.array_bytes,
        )
    core.charge(stream, frame.payload_bytes)


def check_payload_checksum(core: "Core", frame: Header, crc: int) -> None:
    if core.agreement.checksums and crc != frame.payload_checksum:
        raise violation(
            ErrorCode.PAYLOAD_CHECKSUM,
            "the payload of an array does not match its checksum; the network damaged it",
            channel=frame.channel,
            sequence=frame.sequence,
        )


def _check_sequence(sequence: int, expected: int, frame: Header) -> None:
    if sequence != expected:
        raise violation(
            ErrorCode.SEQUENCE_GAP,
            "an array or a part of one came out of order",
            channel=frame.channel,
            sequence=sequence,
            expected=expected,
        )


def _check_payload_flag(core: "Core", frame: Header) -> None:
    if bool(frame.flags & wire.HAS_CHECKSUM) != core.agreement.checksums:
        raise violation(
            ErrorCode.PROTOCOL_VIOLATION,
            "a frame has a payload checksum that was not agreed, or lacks the one that was",
            flags=frame.flags,
            checksums=core.agreement.checksums,
        )


def check_chunk(core: "Core", frame: Header) -> None:
    stream = core.inbound(frame.channel)
    array = stream.arriving
    if array is None:
        raise violation(
            ErrorCode.PROTOCOL_VIOLATION, "a part of an array came, but no array is arriving", channel=frame.channel
        )
    if (frame.encoding, frame.element, frame.element_count, frame.attribute_bytes) != (
        array.encoding.code,
        array.type.code,
        array.elements,
        0,
    ):
        raise violation(
            ErrorCode.PROTOCOL_VIOLATION,
            "a part of an array has another encoding, type or count than its array, or attributes",
            channel=frame.channel,
            sequence=frame.sequence,
        )
    if frame.array_bytes >= 1 << 63:
        raise violation(ErrorCode.BAD_LENGTH, "no array has so many elements", index=frame.array_bytes)
    payload, size = frame.payload_bytes, array.type.size
    if payload > core.offer.max_frame_bytes:
        raise violation(
            ErrorCode.FRAME_TOO_LARGE,
            "the frame is larger than this side accepts",
            declared=payload,
            limit=core.offer.max_frame_bytes,
        )
    longest = array.left
    if array.spans is not None:
        parts = array.encoding is TABLE
        longest += _MOST_BESIDE * array.elements if parts else array.left // size * HEAD.size
    if payload == 0 or payload > longest:
        raise violation(
            ErrorCode.BAD_LENGTH,
            "a part of an array is empty, or longer than what is left of the array",
            payload=payload,
            left=array.left,
        )
    if array.spans is None and payload % size:
        raise violation(ErrorCode.COUNT_MISMATCH, "a frame ends inside an element", payload=payload, size=size)
    _check_sequence(frame.sequence, array.sequence, frame)
    _check_sequence(frame.array_bytes, array.came // size, frame)
    _check_payload_flag(core, frame)
    if array.spans is None:
        core.charge(stream, payload)
        if payload < wire.LEAST_USEFUL and payload < array.left:
            core.flood.count()


def check_attributes(core: "Core", stream: Inbound, attributes: Attributes) -> None:
    """Whether the connection allows what an array is said to be for."""
    if stream.is_subscription:
        core.subscriptions.check_publication(stream, attributes.publication)
        return
    if attributes.publication or attributes.session_sequence and core.session is None:
        raise violation(
            ErrorCode.PROTOCOL_VIOLATION,
            "an array of a channel is a publication, or part of a session that there is not",
            publication=attributes.publication,
            session_sequence=attributes.session_sequence,
        )
    if attributes.request:
        core.requests.check_request(attributes.request)
    if attributes.reply:
        core.requests.check_reply(attributes.reply)
