"""Says in one line what went wrong and what to do."""

from __future__ import annotations

from typing import Optional

from .._npy import NpyError
from ..errors import (
    ArraywireError, ErrorCode, PeerError, RejectedError, RequestFailedError, SourceError, TooLargeError,
    UnsupportedArrayError,
)  # fmt: skip
from ._errors import BrokenOff, CommandError, PartInUse, PeersFault, Unfinished, Unwritable, reason

#: How the message begins when the receiver refuses an array, or a request; its reason follows.
REFUSED_ARRAY = "the far side refused the array: "
REFUSED_REQUEST = "the far side refused the request: "

#: What helps a command, which the failure cannot know.
_ADVICE = {
    ErrorCode.HANDSHAKE_TIMEOUT: "if it speaks plain mode, use --plain",
    ErrorCode.AUTHENTICATION_FAILED: "give the same --token-file at both sides",
    ErrorCode.TOKEN_IN_CLEAR: "give --tls at both sides",
    ErrorCode.TLS_MISMATCH: (
        "give --tls at both sides, with --cert and --key to receive and --ca to send, or at neither"
    ),
    ErrorCode.CONNECTION_RESET: "what was not acknowledged may not have been written",
    ErrorCode.FRAME_TOO_LARGE: "that is --max-bytes; raise it, if you trust the sender",
}
#: Failures whose text says all.
_SAID = (CommandError, NpyError, PeersFault, Unwritable, UnsupportedArrayError, SourceError)


def reason_of(error: Exception) -> Exception:
    """Why something failed, without what it was part of and what became of that."""
    return error.cause if isinstance(error, (Unfinished, BrokenOff)) else error


def said_by_peer(error: ArraywireError) -> str:
    """The words of a refusal, without the facts of this side that follow."""
    facts = ", ".join(f"{name}={value}" for name, value in error.facts.items())
    return error.text[: -len(facts) - 3] if facts and error.text.endswith(f" ({facts})") else error.text


def words(error: BaseException) -> str:
    """A failure in one line, without the name of the command."""
    if isinstance(error, (Unfinished, BrokenOff)):
        return f"{words(error.cause)}; {error}"
    if isinstance(error, RequestFailedError) and error.code is not ErrorCode.REJECTED:
        return "the far side could not answer the request: " + said_by_peer(error)
    if isinstance(error, RejectedError):
        of_request = isinstance(error, RequestFailedError) or getattr(error, "of_request", False)
        return (REFUSED_REQUEST if of_request else REFUSED_ARRAY) + said_by_peer(error)
    if isinstance(error, ArraywireError):
        advice = _advice(error)
        return error.text if advice is None else f"{error.text}; {advice}"
    if isinstance(error, PartInUse):
        return f"another writer has the part; try again when it has ended (part={error})"
    if isinstance(error, _SAID):
        return str(error)
    if isinstance(error, OSError):
        return f"{reason(error)} (file={error.filename})" if error.filename is not None else reason(error)
    if isinstance(error, MemoryError):
        return "not enough memory; send less at a time, or --technique mapped"
    if isinstance(error, ValueError):
        return str(error)
    return (
        "failed in an unforeseen way; run it again with --verbose and report what it says"
        f" (cause={type(error).__name__}: {error})"
    )


def _advice(error: ArraywireError) -> Optional[str]:
    if isinstance(error, TooLargeError):
        return "the limit is the peer's; for 'arraywire receive' that is its --max-bytes"
    if error.code is ErrorCode.FRAME_TOO_LARGE and "max_array_bytes" not in error.text:
        return None
    if error.code in (ErrorCode.BAD_MAGIC, ErrorCode.NEGOTIATION_FAILED, ErrorCode.TRUNCATED):
        return "that is --plain" if "plain mode" in error.text else None
    # What both sides have to do is said at both.
    if isinstance(error, PeerError) and error.code is not ErrorCode.TLS_MISMATCH:
        return None
    return None if error.code is None else _ADVICE.get(error.code)
