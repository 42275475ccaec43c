"""Errors: each says what failed, with the values and limits as facts, and what to do about it.

``error.code`` is a code of docs/protocol.md, or None for a mistake that never reached the wire; ``error.facts`` holds
the same values that the text shows as ``name=value``.
"""

from __future__ import annotations

import builtins
import enum
from typing import Any, Dict, Optional, Tuple, Type

MAX_FAULT_TEXT = 960


class ErrorCode(enum.IntEnum):
    """The codes of docs/protocol.md. Numbers never change."""

    BAD_MAGIC = 1
    UNSUPPORTED_VERSION = 2
    HEADER_CHECKSUM = 3
    PAYLOAD_CHECKSUM = 4
    UNKNOWN_CODE = 5
    FRAME_TOO_LARGE = 6
    BAD_LENGTH = 7
    COUNT_MISMATCH = 8
    SEQUENCE_GAP = 9
    MALFORMED_PAYLOAD = 10
    TRUNCATED = 11
    PROTOCOL_VIOLATION = 12
    CREDIT_EXCEEDED = 13
    CONTROL_FLOOD = 14
    NEGOTIATION_FAILED = 20
    AUTHENTICATION_FAILED = 21
    HANDSHAKE_TIMEOUT = 22
    RESUME_REJECTED = 23
    TLS_MISMATCH = 24
    TLS_FAILED = 25
    CERTIFICATE_REFUSED = 26
    CONNECT_FAILED = 30
    BIND_FAILED = 31
    CONNECTION_CLOSED = 32
    CONNECTION_RESET = 33
    CLOSE_TIMEOUT = 34
    HEARTBEAT_TIMEOUT = 35
    SLOW_PEER = 36
    SEND_TIMEOUT = 37
    SEND_QUEUE_FULL = 38
    IDLE_TIMEOUT = 39
    ARRAY_TOO_LARGE = 40
    TARGET_MISMATCH = 41
    REJECTED = 42
    ALLOCATION_FAILED = 43
    DELIVERY_UNKNOWN = 44
    REQUEST_TIMEOUT = 45
    REQUEST_FAILED = 46
    TOO_MANY_REQUESTS = 47
    SESSION_EXPIRED = 48
    SOURCE_FAILED = 49
    INTERNAL = 50
    SLOW_SUBSCRIBER = 51
    TOO_MANY_SUBSCRIPTIONS = 52
    MEMORY_BUDGET = 53
    SLOW_FRAME = 54
    STALLED_ARRAY = 55
    NOT_PERMITTED = 56
    TOO_MANY_CONNECTIONS = 57
    TOKEN_IN_CLEAR = 58

    @classmethod
    def of(cls, number: int) -> "ErrorCode":
        """The code of a number; INTERNAL for one that this version does not know."""
        try:
            return cls(number)
        except ValueError:
            return cls.INTERNAL


class ArraywireError(Exception):
    """The base class of all errors of this package."""

    def __init__(self, code: Optional[ErrorCode], text: str, **facts: Any) -> None:
        self.code = code
        self.facts: Dict[str, Any] = facts
        said = ", ".join(f"{name}={value}" for name, value in facts.items())
        super().__init__(f"{text} ({said})" if said else text)

    @property
    def text(self) -> str:
        """The text with its facts, as str() has it."""
        return str(self.args[0])

    def __reduce__(self) -> Tuple[Any, ...]:
        return _restored, (type(self), self.code, self.text, self.facts)


def _restored(
    kind: Type[ArraywireError], code: Optional[ErrorCode], text: str, facts: Dict[str, Any]
) -> ArraywireError:
    error = kind(code, text)
    error.facts = facts
    return error


class ConnectError(ArraywireError, builtins.ConnectionError):
    """No connection could be made, or no address could be listened on. Try again, or correct the address."""


class HandshakeError(ArraywireError):
    """The two sides cannot agree, or the token is wrong. Correct the options of one of them."""


class ConnectionClosedError(ArraywireError):
    """The connection has ended in order: one side said goodbye."""


class ConnectionLostError(ArraywireError, builtins.ConnectionError):
    """The connection broke. Connect again."""


class DeliveryUnknownError(ConnectionLostError):
    """The connection broke before the acknowledgement: the peer may or may not have the array."""


class ProtocolError(ConnectionLostError):
    """The peer sent something that the protocol does not allow; the connection is closed."""


class PeerError(ConnectionLostError):
    """The peer ended the connection with an error, whose code and text these are."""


class RejectedError(ArraywireError):
    """The peer refused this one array; the connection goes on."""


class RequestFailedError(RejectedError):
    """The peer answered a request by saying why there is no better answer."""


class TimeoutError(ArraywireError, builtins.TimeoutError):
    """An operation did not finish by its deadline."""


class TooLargeError(ArraywireError, ValueError):
    """An array exceeds a limit of the peer."""


class TargetMismatchError(ArraywireError, ValueError):
    """The array does not fit into the buffer that was given for it. It waits for the next receive."""


class UnsupportedArrayError(ArraywireError, TypeError):
    """The object is no array that can be sent as it is; the text says how it can."""


class SourceError(Exception):
    """The elements of an array cannot be read any more; the array is withdrawn."""


def violation(code: ErrorCode, text: str, **facts: Any) -> ProtocolError:
    """What the peer did wrong."""
    return ProtocolError(code, text, **facts)


def printable(text: str) -> str:
    """A text of the peer without control characters."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)
