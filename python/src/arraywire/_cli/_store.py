"""Where received arrays go: nowhere, a pipe, one file, or files in a directory. No file is ever overwritten. Any thread."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from typing import BinaryIO, List, Mapping, NamedTuple, Optional, Set, Tuple

from .. import _npy
from .._types import ElementType
from ._errors import CommandError, FullDisk, RefusedName, Unwritable, is_full, usable_bytes
from ._files import digest
from ._names import TravelName
from ._part import KeptParts, PartFile
from ._places import Place, Places
from ._system import pread, pwrite


class Writing(NamedTuple):
    """An array that is being written to its hidden file."""

    asked: str  # the file that it is to become; with another number, if that is taken meanwhile
    name: Optional[TravelName]
    part: PartFile
    size: int  # bytes of its elements, those that were there before included
    usable: Optional[int]  # the room that the disk had for it
    kept: Optional[str]  # where it stays if it does not come whole

    def failed(self, cause: OSError) -> Exception:
        """A failure to write it, as one that says what to do."""
        return write_failed(self.asked, self.size, self.usable, cause, self.part.is_kept)

    def verify(self, sha256: str) -> None:
        """Reads what was written, as a reader of the file will."""
        part = self.part
        found = digest(lambda at, count: pread(part.fd, count, at), part.size - self.size, self.size)
        if found != sha256:
            part.discard()
            raise RefusedName(
                "the file that was written is not the one that was sent; nothing of it was kept",
                name=os.path.basename(self.asked),
            )


def write_failed(asked: str, size: int, usable: Optional[int], cause: OSError, kept: bool) -> Exception:
    return FullDisk(asked, size, usable, kept, cause) if is_full(cause) else Unwritable(asked, cause, size)


class ArrayStore:
    """``places`` is None where arrays do not become files; ``pipe`` takes them then, or nothing does."""

    def __init__(self, places: Optional[Places] = None, pipe: Optional[BinaryIO] = None) -> None:
        self._places = places
        self._pipe = pipe
        self.kept_parts = KeptParts()
        self._changed = threading.Condition()
        self._unfinished: Set[PartFile] = set()
        self._closed = False
        self._removed = False  # whether unfinished files were removed: the process may end at any moment

    @property
    def without_file(self) -> str:
        """Where an array that has no file of its own goes, in words."""
        return "discarded" if self._pipe is None else "written to standard output"

    @property
    def has_files(self) -> bool:
        return self._places is not None

    @property
    def writes(self) -> bool:
        """Whether arrays become .npy files, or a pipe's bytes."""
        return self._places is not None or self._pipe is not None

    @property
    def places(self) -> Places:
        assert self._places is not None
        return self._places

    def name_in(self, metadata: Mapping[str, str]) -> Optional[TravelName]:
        return None if self._places is None else self._places.name_in(metadata)

    def write(
        self,
        number: int,
        metadata: Mapping[str, str],
        sha256: Optional[str],
        type: ElementType,
        shape: Tuple[int, ...],
        content: memoryview,
    ) -> Optional[str]:
        """Writes an array; when this returns, its file is whole. The file, or None if none is kept."""
        if self._pipe is not None:
            self._write_to_pipe(self._pipe, _npy.header_bytes(type, shape), content)
            return None
        if self._places is None:
            return None
        writing = self.begin(number, self._places.name_in(metadata), content.nbytes)
        try:
            try:
                header = _npy.header_bytes(type, shape)
                pwrite(writing.part.fd, header, 0)
                pwrite(writing.part.fd, content, len(header))
            except OSError as cause:
                raise writing.failed(cause) from cause
            return self.finish(writing, number, sha256)
        finally:
            self.end(writing)

    def begin(
        self, number: int, name: Optional[TravelName], size: int, kept: "Optional[Tuple[str, PartFile]]" = None
    ) -> Writing:
        """Begins a file, to be given to ``end``; goes on with a part that is kept, which is released if this fails. Makes no
        directories: the array may never come."""
        path, part = kept or (None, None)
        begun = False
        try:
            place = self.places.place(number, name)
            part = self._part(place, size, part)
            writing = Writing(place.asked, place.name, part, size, usable_bytes(part.path), path)
            begun = True
            return writing
        finally:
            if not begun and part is not None:
                self._end(part, path)

    def finish(self, writing: Writing, number: int, sha256: Optional[str]) -> str:
        """Gives a whole file its name. What was kept of it stays if that fails, but for a name that is taken."""
        self._check_goes_on()
        try:
            target = self.places.settle(writing, sha256)
            others: List[str] = self.places.kept_paths(writing.name)
            with self._changed:  # not once unfinished files were removed, and one at a time
                if self._removed:
                    raise _stopping()
                written = self.places.take(writing, target, number)
            self.kept_parts.discard(others)
            return written
        except RefusedName:
            writing.part.discard()
            raise

    def end(self, writing: Writing) -> None:
        """Ends what was begun, and removes it if it is neither finished nor kept."""
        self._end(writing.part, writing.kept)

    def _end(self, part: PartFile, kept: Optional[str]) -> None:
        try:
            with contextlib.suppress(OSError):  # it stays under its hidden name, which cannot be taken for an array
                if kept is None:
                    part.close()
                else:
                    self.kept_parts.release(kept, part)
        finally:
            with self._changed:
                self._unfinished.discard(part)
                self._changed.notify_all()

    def _part(self, place: Place, size: int, kept: Optional[PartFile]) -> PartFile:
        with self._changed:
            if self._closed:
                raise _stopping()
            try:
                part = kept or PartFile.of(place.near)
            except OSError as cause:
                raise write_failed(place.asked, size, None, cause, False) from cause
            self._unfinished.add(part)
            return part

    def _check_goes_on(self) -> None:
        with self._changed:
            if self._removed:
                raise _stopping()

    def _write_to_pipe(self, pipe: BinaryIO, header: bytes, content: memoryview) -> None:
        """Arrays of several connections come at the same time; each is whole before the next."""
        with self._changed:
            try:
                pipe.write(header)
                pipe.write(content)
                pipe.flush()
            except (OSError, ValueError) as cause:
                raise CommandError("the pipe behind standard output was closed") from cause

    def close(self, seconds: float) -> None:
        """Refuses further arrays, waits a while for those that are being written, and removes what is then unfinished."""
        end = time.monotonic() + seconds
        with self._changed:
            self._closed = True
            while self._unfinished and time.monotonic() < end:
                self._changed.wait(end - time.monotonic())
            self._removed = True
            for part in self._unfinished:
                with contextlib.suppress(OSError):
                    part.remove()


def _stopping() -> CommandError:
    return CommandError("the receiver is stopping; the array was not written")
