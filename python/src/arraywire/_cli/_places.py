"""The names that arriving files take. A file takes its name when it is whole, and never one that is taken."""

from __future__ import annotations

import os
import re
import tempfile
from typing import TYPE_CHECKING, List, Mapping, NamedTuple, Optional

from ._errors import TAKEN, CommandError, RefusedName, Unwritable, exists
from ._names import KEY, TravelName
from ._part import PartFile, kept_path

if TYPE_CHECKING:
    from ._store import Writing

_NUMBERED = re.compile(r"array-(\d{6,9})\.npy", re.ASCII)


class Place(NamedTuple):
    """Where an array goes."""

    asked: str
    near: str  # a file of that name in the nearest directory that is there, for its hidden file
    name: Optional[TravelName]  # if its sender has chosen it
    kept: List[str]  # where what has come of it may be kept, the nearest first


def is_one_file(out: str) -> bool:
    """Whether --out stands for one file."""
    return out.endswith(".npy") and not os.path.isdir(out)


class Places:
    """Those of one file, or below a directory. Any thread, but one at a time for ``take``."""

    def __init__(self, out: str) -> None:
        """Checks that it can be written to, before anybody sends."""
        self._file: Optional[str] = None
        self._directory = out
        self._first = 1
        self._shift = 0  # how many numbers others have taken since this process looked
        if is_one_file(out):
            self._file = out
            if os.path.lexists(out):
                raise exists(out)
            try:
                PartFile.of(out).close()
            except OSError as cause:
                raise Unwritable(out, cause) from cause
            return
        if os.path.exists(out) and not os.path.isdir(out):
            raise CommandError(f"exists already and is no directory (file={out})")
        try:
            os.makedirs(out, exist_ok=True)
            fd, tried = tempfile.mkstemp(".part", ".arraywire", out)
            os.close(fd)
            os.unlink(tried)
            numbers = [int(match[1]) for match in map(_NUMBERED.fullmatch, os.listdir(out)) if match]
        except OSError as cause:
            raise Unwritable(out, cause) from cause
        self._first = max(numbers, default=0) + 1

    def name_in(self, metadata: Mapping[str, str]) -> Optional[TravelName]:
        """The name that the sender of an array gives its file; None if it gives none, or names do not matter."""
        text = metadata.get(KEY)
        return None if self._file is not None or text is None else TravelName.parse(text)

    def place_of(self, name: TravelName) -> Place:
        """Where a file goes that has a name before it is whole. Makes nothing."""
        if self._file is not None:
            return Place(self._file, self._file, None, self.kept_paths(None))
        return Place(name.under(self._directory), name.near(self._directory), name, name.kept(self._directory))

    def place(self, number: int, name: Optional[TravelName]) -> Place:
        """Where an array goes; its number counts if it has no name."""
        if self._file is not None or name is None:
            asked = self._file or self._numbered(self._first + number - 1 + self._shift)
            return Place(asked, asked, None, [])
        place = self.place_of(name)
        if os.path.lexists(place.asked):
            raise _taken(name)
        return place

    def kept_paths(self, name: Optional[TravelName]) -> List[str]:
        """Where what has come of a file may be kept; nowhere, if it has no name before it is whole."""
        if self._file is not None:
            return [kept_path(self._file, os.path.basename(self._file))]
        return [] if name is None else name.kept(self._directory)

    def settle(self, writing: "Writing", sha256: Optional[str]) -> Optional[str]:
        """Has a whole part ready for its name: whatever may fail does so while the part is still kept. The file that its
        sender chose, whose directories are made."""
        part = writing.part
        try:
            if sha256 is not None:
                writing.verify(sha256)
            target = None
            if writing.name is not None and self._file is None:
                target = writing.name.made_under(self._directory)
            if part.is_kept:
                os.fsync(part.fd)
            part.settle()
            part.close_channel()
            return target
        except OSError as cause:
            raise writing.failed(cause) from cause

    def take(self, writing: "Writing", target: Optional[str], number: int) -> str:
        """Gives a part that has settled its name."""
        part = writing.part
        try:
            if target is None and self._file is None:
                return self._take_number(part, number)
            only = target or self._file
            assert only is not None
            part.become_new(only)
            return only
        except FileExistsError:
            part.discard()
            raise (_taken(writing.name) if writing.name is not None else exists(writing.asked)) from None
        except OSError as cause:
            raise writing.failed(cause) from cause

    def _take_number(self, part: PartFile, number: int) -> str:
        least = self._first + number - 1
        following = least + self._shift
        while True:
            target = self._numbered(following)
            try:
                part.become_new(target)
            except FileExistsError:
                following += 1  # another process writes to this directory
                continue
            self._shift = max(self._shift, following - least)
            return target

    def _numbered(self, number: int) -> str:
        return os.path.join(self._directory, f"array-{number:06d}.npy")


def _taken(name: TravelName) -> RefusedName:
    return RefusedName(TAKEN, name=name)
