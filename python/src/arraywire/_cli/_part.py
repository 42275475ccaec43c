"""Hidden files, which hold the bytes of a file until they are whole and then take its name.

Each has a name of its own, so two writers of one file never write into the same bytes. A part that is kept stays when it is
closed, so that a later writer goes on with it. That may be in a later process, and in Java, so its name follows from that of
the file, and it is locked as Java locks it.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
import threading
from typing import Iterable, Optional, Set, Tuple

from .._crc32c import crc32c
from ._errors import PartInUse

try:
    import fcntl
except ImportError:  # Windows has other locks, so nothing is kept there
    fcntl = None  # type: ignore[assignment]

_SUFFIX = ".part"
_NEW = os.O_CREAT | os.O_EXCL | os.O_RDWR | getattr(os, "O_BINARY", 0)
_THERE = os.O_RDWR | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)


def _hidden(path: str, number: int) -> str:
    return os.path.join(os.path.dirname(path), f".{os.path.basename(path)}.{number:08x}{_SUFFIX}")


def _random() -> int:
    """The first bit is set, which tells these names from those of kept parts."""
    return secrets.randbits(31) | 1 << 31


def kept_path(path: str, identity: str) -> str:
    """Where what has come of a file is kept; the identity tells it from others of its name in that directory."""
    return _hidden(path, crc32c(identity.encode()) & 0x7FFFFFFF)


def _key(path: str) -> Tuple[int, int]:
    found = os.lstat(path)
    return found.st_dev, found.st_ino


class PartFile:
    """For one thread, but for ``remove``."""

    def __init__(self, path: str, fd: int, kept: bool) -> None:
        self.path = path
        self.fd = fd
        self._kept = kept
        self._home: Optional[str] = None  # where a part that has settled was kept
        self._gone = False  # whether the hidden name is no longer this part's
        self._open = True

    @classmethod
    def of(cls, path: str) -> "PartFile":
        """An empty part of the file that it is to become."""
        while True:
            hidden = _hidden(path, _random())
            try:
                return cls(hidden, os.open(hidden, _NEW, 0o666), False)
            except FileExistsError:
                pass  # another writer's, or left by one that was killed

    @classmethod
    def kept_at(cls, path: str, make: bool) -> "Optional[PartFile]":
        """A part that stays when it is closed. None if there is none, or the file system knows no locks. Raises PartInUse
        if another process has it; within this process, the caller sees to that."""
        if fcntl is None:
            return None
        there = os.path.lexists(path)
        if not (there and stat.S_ISREG(os.lstat(path).st_mode)) and (there or not make):
            return None
        try:
            before = _key(path) if there else None
            fd = os.open(path, _THERE if there else _NEW, 0o666)
        except (FileExistsError, FileNotFoundError) as cause:
            raise PartInUse(path) from cause
        taken = False
        try:
            now = before if there else _key(path)
            try:
                fcntl.lockf(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except (BlockingIOError, PermissionError) as cause:
                raise PartInUse(path) from cause
            except OSError:
                if not there:
                    os.unlink(path)  # nobody else has it: others cannot lock it either
                return None
            # Between opening and locking, another process may have finished it: then it is a file.
            if now != (_key(path) if os.path.lexists(path) else None):
                raise PartInUse(path)
            taken = True
            return cls(path, fd, True)
        finally:
            if not taken:
                os.close(fd)

    @property
    def size(self) -> int:
        return os.fstat(self.fd).st_size

    @property
    def is_kept(self) -> bool:
        """Whether it stays when it is closed."""
        return not self._gone and (self._kept or self._home is not None)

    def discard(self) -> None:
        """Removes a part that is kept or was, while it is locked."""
        if self.is_kept:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(self.path)
            self._gone, self._kept = True, False

    def settle(self) -> None:
        """Ends the keeping: it takes a hidden name of its own, while it is locked. So no other process goes on with what is
        about to be a file. If it does not become one, it goes back to where it was."""
        if not self._kept:
            return
        stem = self.path[: -len("00000000" + _SUFFIX)]
        own = f"{stem}{_random():08x}{_SUFFIX}"
        while os.path.lexists(own):
            own = f"{stem}{_random():08x}{_SUFFIX}"
        self._home = self.path
        os.rename(self.path, own)
        self.path, self._kept = own, False

    def close_channel(self) -> None:
        """Some file systems say only then that bytes were not written."""
        if self._open:
            self._open = False
            os.close(self.fd)

    def become_new(self, path: str) -> None:
        """Takes the name of a file that is not there; raises FileExistsError if it is, and may try another one then."""
        self.settle()
        self.close_channel()
        try:
            os.link(self.path, path)  # unlike a move, fails if there is one, even if that was made a moment ago
        except (FileExistsError, FileNotFoundError):
            raise
        except (OSError, AttributeError, NotImplementedError):
            self._become_new_without_links(path)
        self._gone = True
        with contextlib.suppress(OSError):
            os.unlink(self.path)

    def _become_new_without_links(self, path: str) -> None:
        """Claims the name with an empty file, where the file system knows no links."""
        os.close(os.open(path, _NEW, 0o666))
        try:
            os.replace(self.path, path)
        except OSError:
            os.unlink(path)
            raise

    def remove(self) -> None:
        """Removes it, unless it is kept; one that was kept goes back. Any thread."""
        if self._kept or self._gone:
            return
        if self._home is None:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(self.path)
            return
        self._go_back(self._home)
        self._gone = True

    def _go_back(self, home: str) -> None:
        """Never in place of what another process has begun there meanwhile."""
        try:
            os.link(self.path, home)
        except FileExistsError:
            pass  # that one is gone on with
        except FileNotFoundError:
            return  # somebody has removed it
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self.path)

    def close(self) -> None:
        """A part that has not become a file is removed if it is empty or was never kept."""
        try:
            if self._kept and self._open and self.size == 0:
                self.discard()
        finally:
            try:
                self.close_channel()
            finally:
                self.remove()


class KeptParts:
    """What is kept of files that did not come whole, each for one sender at a time. Any thread."""

    def __init__(self) -> None:
        self._claimed: Set[str] = set()
        self._lock = threading.Lock()

    def claim(self, path: str, make: bool) -> Optional[PartFile]:
        """Opens a part for one sender. Raises PartInUse if another sender has it."""
        with self._lock:
            if path in self._claimed:
                raise PartInUse(path)
            self._claimed.add(path)
        part = None
        try:
            part = PartFile.kept_at(path, make)
            return part
        finally:
            if part is None:
                with self._lock:
                    self._claimed.discard(path)

    def release(self, path: str, part: PartFile) -> None:
        """Closes a part, after which another sender may go on with it."""
        try:
            part.close()
        finally:
            with self._lock:
                self._claimed.discard(path)

    def discard(self, paths: Iterable[str]) -> None:
        """Removes parts of a file that has come whole, but for those that another sender has."""
        for path in paths:
            with contextlib.suppress(OSError, PartInUse):  # it stays under its hidden name
                part = self.claim(path, False)
                if part is not None:
                    try:
                        part.discard()
                    finally:
                        self.release(path, part)
