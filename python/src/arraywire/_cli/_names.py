"""The name under which a file travels: ``weights/layer1/w.npy``, relative, with slashes."""

from __future__ import annotations

import os
import stat
from typing import List, Tuple

from ._errors import RefusedName
from ._part import kept_path
from ._words import unfit

#: The key of the metadata.
KEY = "file"
_MOST_PARTS = 16
_MOST_CHARACTERS = 255
_MOST_PART_BYTES = 240  # of a name most systems allow 255; a hidden file is called by 15 more
SUFFIX = ".npy"


def is_directory(path: str) -> bool:
    """Also not if it is a link to one."""
    try:
        return stat.S_ISDIR(os.lstat(path).st_mode)
    except OSError:
        return False


def is_file(path: str) -> bool:
    """Whether a regular file is there, and no link to one."""
    try:
        return stat.S_ISREG(os.lstat(path).st_mode)
    except OSError:
        return False


class TravelName:
    """A checked name. It leads to no other place than below the directory of its receiver."""

    __slots__ = ("parts",)

    def __init__(self, parts: Tuple[str, ...]) -> None:
        self.parts = parts

    @classmethod
    def parse(cls, text: str) -> "TravelName":
        """Raises RefusedName if it could be anything but a file below the directory."""
        parts = text.split("/")
        if len(text.encode("utf-16-le", "surrogatepass")) // 2 > _MOST_CHARACTERS or len(parts) > _MOST_PARTS:
            raise RefusedName("the name of the file is too long", name=text)
        if not text.endswith(SUFFIX):
            raise RefusedName("the name of the file does not end in .npy", name=text)
        for part in parts:
            # Empty: an absolute path. A point first: this directory, the one above, or a hidden file.
            if not part or part.startswith(".") or not _is_plain(part):
                raise RefusedName(
                    "the name of the file leads out of the directory, or is not a plain one", name=text
                )
            try:
                size = len(part.encode())
            except UnicodeEncodeError:
                raise RefusedName("the name of the file is not valid Unicode; rename the file", name=repr(text)) from None
            if size > _MOST_PART_BYTES:
                raise RefusedName(f"a part of the file's name has more than {_MOST_PART_BYTES} bytes", name=text)
        return cls(tuple(parts))

    def __str__(self) -> str:
        return "/".join(self.parts)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TravelName) and self.parts == other.parts

    def __hash__(self) -> int:
        return hash(self.parts)

    def under(self, directory: str) -> str:
        """The file of this name, which may be there. Makes nothing, and follows no link."""
        way = directory
        for part in self.parts[:-1]:
            way = self._joined(way, part)
            if os.path.lexists(way):
                self._check_directory(way)
        return self._joined(way, self.parts[-1])

    def near(self, directory: str) -> str:
        """A file of this name in the nearest directory on the way that is there: so it is on the same disk."""
        return self._joined(self._there(directory)[-1], self.parts[-1])

    def kept(self, directory: str) -> List[str]:
        """Where what has come of it may be kept, the nearest place first: directories may have been made since."""
        there = self._there(directory)
        return [kept_path(self._joined(way, self.parts[-1]), str(self)) for way in reversed(there)]

    def made_under(self, directory: str) -> str:
        """The file of this name, whose directories are made."""
        way = directory
        for part in self.parts[:-1]:
            way = self._joined(way, part)
            if not os.path.lexists(way):
                try:
                    os.mkdir(way)
                except FileExistsError:
                    pass  # another array's, made a moment ago; looked at below
            self._check_directory(way)
        return self._joined(way, self.parts[-1])

    def _there(self, directory: str) -> List[str]:
        """The directories on the way that are there, from the top."""
        there = [directory]
        for part in self.parts[:-1]:
            following = self._joined(there[-1], part)
            if not is_directory(following):
                break
            there.append(following)
        return there

    def _check_directory(self, way: str) -> None:
        if not is_directory(way):
            raise RefusedName("a part of the file's name is there, and is no directory", name=str(self))

    def _joined(self, way: str, part: str) -> str:
        try:
            os.fsencode(part)
        except UnicodeEncodeError:
            raise RefusedName(
                "the name has characters that the receiver's file system cannot store; rename the file", name=str(self)
            ) from None
        return os.path.join(way, part)


def _is_plain(part: str) -> bool:
    """No separator of another system, and nothing that a terminal would obey."""
    return not any(c in "\\:" or unfit(c) for c in part)
