"""What goes wrong in a command, each with its words for this side and, where a sender is told, for the peer."""

from __future__ import annotations

import errno
import os
from typing import Optional

from ._words import brief

_NO_ROOM = (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC))
#: What the sender of an array is told whose name is taken.
TAKEN = "the receiver has a file of that name"


class Usage(Exception):
    """The command line makes no sense."""


class PeersFault(Exception):
    """Ends nothing for others: a peer has chosen what it sends. ``for_peer`` is what its sender is told."""

    def __init__(self, text: str, for_peer: str) -> None:
        super().__init__(text)
        self.for_peer = for_peer


class RefusedName(PeersFault):
    """An array is refused for what its sender says of its file."""

    def __init__(self, reason: str, **fact: object) -> None:
        text = brief(reason, **fact)
        super().__init__(text, text)


class BrokenOff(Exception):
    """A connection ended inside files that stay as far as they came; ``cause`` says why."""

    def __init__(self, kept: str, cause: Exception) -> None:
        super().__init__(kept)
        self.cause = cause


class PartInUse(Exception):
    """Another writer has a part that is kept."""


class FullDisk(PeersFault):
    """There is no room on the disk for an array; there may be for another, or later."""

    def __init__(self, path: str, size: int, usable: Optional[int], kept: bool, cause: Optional[OSError] = None) -> None:
        full = " is full; " + ("what has come of the array is kept" if kept else "nothing of the array was kept")
        facts = f"bytes={size}" + ("" if usable is None else f", usableBytes={usable}")
        why = "" if cause is None else f", cause={cause.strerror}"
        super().__init__(
            f"the disk{full}; make room, or give another place (file={path}, {facts}{why})",
            f"the receiver's disk{full} ({facts})",
        )


def is_full(error: OSError) -> bool:
    """Whether the system says that a disk, or somebody's share of it, is full."""
    return error.errno in _NO_ROOM


def reason(error: OSError) -> str:
    """What the system says, without the file."""
    if isinstance(error, FileNotFoundError):
        return "no such file or directory"
    if isinstance(error, PermissionError):
        return "permission denied"
    if isinstance(error, FileExistsError):
        return "exists already and is no directory"
    return error.strerror or str(error) or "an error without words"


class Unwritable(Exception):
    """A file or directory that was asked for cannot be written to. What the system says names a hidden file, or none at all."""

    def __init__(self, path: str, cause: OSError, size: Optional[int] = None) -> None:
        what = "cannot write there" if size is None else "the array was not written"
        facts = f"file={path}" + ("" if size is None else f", bytes={size}")
        super().__init__(f"{_advised(what, cause)} ({facts})")
        self.for_peer = (
            _advised("the receiver cannot write", cause)
            if size is None
            else f"{_advised('the array was not written', cause)} (bytes={size})"
        )
        #: Whether the file system stores shorter names only, which a peer has chosen.
        self.is_for_long_name = cause.errno == errno.ENAMETOOLONG


def _advised(what: str, cause: OSError) -> str:
    if isinstance(cause, FileNotFoundError):
        advice = "make the directory, or give another place"
    elif isinstance(cause, PermissionError):
        advice = "allow it, or give another place"
    elif is_full(cause):
        advice = "make room for it, or give another place"
    else:
        advice = "give another place"
    return f"{what}: {reason(cause)}; {advice}"


class CommandError(Exception):
    """A failure in words, with what to do."""


class Unfinished(Exception):
    """Arrays were not sent, or not all of one; the cause says why."""

    _GOES_ON = "the same command sends the rest"
    _LEAVES_OUT = "--skip-existing leaves out what the receiver has"

    def __init__(self, cause: Exception, text: str) -> None:
        super().__init__(text)
        self.cause = cause

    @classmethod
    def of_one(cls, cause: Exception) -> "Unfinished":
        """Of a single array, of which the receiver keeps what it has got."""
        return cls(cause, cls._GOES_ON)

    @classmethod
    def of_many(
        cls, cause: Exception, shown: str, number: int, count: int, skipped: int, goes_on: bool, taken: bool
    ) -> "Unfinished":
        was_skipped = f", {skipped} skipped" if skipped else ""
        advice = f"; {cls._GOES_ON}" if goes_on else f"; {cls._LEAVES_OUT}" if taken else ""
        return cls(
            cause,
            f"it was array {number} of {count}, {shown}: {number - 1 - skipped} sent{was_skipped},"
            f" {count - number} not tried{advice}",
        )


def exists(path: str) -> CommandError:
    return CommandError(f"the file exists already; remove it, or give another name (file={path})")


def usable_bytes(path: str) -> Optional[int]:
    """How much room the disk has for a file at a path; None if the system does not say."""
    try:
        found = os.statvfs(os.path.dirname(path) or ".")
    except (OSError, AttributeError):
        return None
    return found.f_bavail * found.f_frsize
