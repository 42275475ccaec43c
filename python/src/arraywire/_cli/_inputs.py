"""What ``send`` is given: files, directories, archives of ``numpy.savez``, and ``-`` for standard input. What is no file by
itself, and what lies in Fortran order, is copied to one below a directory that ``close`` removes."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import zipfile
import zlib
from typing import Any, BinaryIO, List, NamedTuple, Optional, Tuple

from .. import _memory, _npy
from .._types import ElementType
from ._errors import CommandError
from ._files import ArrayFile
from ._names import SUFFIX, TravelName, is_file

PIPE = "-"
_ARCHIVE = ".npz"


class Outgoing(NamedTuple):
    """A file that is to be sent."""

    file: ArrayFile
    name: Optional[TravelName]  # that travels with it, or None where the receiver numbers it
    shown: str  # what it is called here: a path, a member of an archive, or -
    sha256: Optional[str] = None  # of its elements, if the receiver is to check it


class Inputs:
    """``raw`` is the type of files without a header; ``named`` says whether the name of a single file travels, too."""

    def __init__(self, raw: Optional[ElementType], big: bool, named: bool) -> None:
        self._raw = raw
        self._big = big
        self._named = named
        self._copies: Optional[str] = None
        self._copied = 0
        self.found: List[Outgoing] = []

    def add(self, argument: str) -> None:
        """What an argument stands for."""
        if argument == PIPE:
            self.found.append(Outgoing(self._array(self._copy(sys.stdin.buffer)), None, PIPE))
        elif os.path.isdir(argument):
            if self._raw is not None:
                raise CommandError(
                    "a directory is searched for .npy files, and --raw is for files without a header; name the files"
                    f" (directory={argument})"
                )
            self._add_directory(argument)
        elif self._raw is None and argument.endswith(_ARCHIVE) and os.path.exists(argument):
            stem = os.path.basename(os.path.abspath(argument))[: -len(_ARCHIVE)]
            self._add_archive(argument, stem)
        else:
            name = _name_of(argument) if self._named else None
            self.found.append(Outgoing(self._array(argument), name, argument))

    def _array(self, path: str) -> ArrayFile:
        if self._raw is not None:
            return ArrayFile.raw(path, self._raw, self._big)
        return self._in_c_order(path) if _npy.layout(path).fortran else ArrayFile.npy(path)

    def _in_c_order(self, path: str) -> ArrayFile:
        """A copy with the elements in the order in which they travel; made in memory."""
        found = _npy.layout(path)
        try:
            with open(path, "rb") as file:
                file.seek(found.position)
                content = bytearray(file.read())
            ordered = in_c_order(memoryview(content), found.type.size, found.shape)
        except MemoryError:
            raise CommandError(
                "not enough memory to put an array in Fortran order into C order; save it with np.save(file,"
                f" np.ascontiguousarray(a)) (file={path})"
            ) from None
        copy = self._new_copy()
        with open(copy, "xb") as file:
            file.write(_npy.header_bytes(found.type, found.shape, found.big))
            file.write(ordered)
        return ArrayFile.npy(copy)

    def _add_directory(self, directory: str) -> None:
        """Links are not followed: what lies outside of a directory is no part of it."""
        top = os.path.realpath(directory)
        found: List[str] = []
        for way, directories, files in os.walk(top):
            directories[:] = [each for each in directories if not each.startswith(".")]
            for each in files:
                path = os.path.join(way, each)
                if each.endswith((SUFFIX, _ARCHIVE)) and not each.startswith(".") and is_file(path):
                    found.append(os.path.relpath(path, top))
        if not found:
            raise CommandError(f"there is no .npy or .npz file below it (directory={directory})")
        for relative in sorted(found):
            path = os.path.join(directory, relative)  # as the user knows it, for the lines and messages about it
            travels = "/".join(filter(None, [os.path.basename(top), *relative.split(os.sep)]))
            if travels.endswith(_ARCHIVE):
                self._add_archive(path, travels[: -len(_ARCHIVE)])
            else:
                self.found.append(Outgoing(self._array(path), TravelName.parse(travels), path))

    def _add_archive(self, archive: str, directory: str) -> None:
        """Each member becomes a file of the directory that has the archive's name."""
        try:
            with zipfile.ZipFile(archive) as opened:
                members = [each for each in opened.infolist() if not each.is_dir()]
                if not members:
                    raise CommandError(f"the archive has no array (file={archive})")
                for each in members:
                    name = TravelName.parse(f"{directory}/{each.filename}")
                    with opened.open(each) as content:
                        copy = self._copy(content)
                    self.found.append(Outgoing(self._array(copy), name, f"{archive}/{each.filename}"))
        except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as cause:
            raise CommandError(
                f"not an archive of numpy.savez: it is damaged, or cut off (file={archive})"
            ) from cause

    def _copy(self, content: Any) -> str:
        copy = self._new_copy()
        source: BinaryIO = content
        with open(copy, "xb") as file:
            shutil.copyfileobj(source, file, 1 << 20)
        return copy

    def _new_copy(self) -> str:
        if self._copies is None:
            self._copies = tempfile.mkdtemp(prefix="arraywire-")
        self._copied += 1
        return os.path.join(self._copies, f"array-{self._copied}{SUFFIX}")

    def close(self) -> None:
        if self._copies is not None:
            shutil.rmtree(self._copies, ignore_errors=True)


def _name_of(path: str) -> TravelName:
    """The name of a single file, which is written as a .npy file in any case."""
    name = os.path.basename(os.path.abspath(path))
    return TravelName.parse(name if name.endswith(SUFFIX) else name + SUFFIX)


_WORDS = {1: "B", 2: "H", 4: "I", 8: "Q"}


def in_c_order(content: memoryview, size: int, shape: Tuple[int, ...]) -> memoryview:
    """Elements in Fortran order, put into C order."""
    if _memory.numpy is not None:
        array = _memory.numpy.frombuffer(content, f"u{size}").reshape(shape, order="F")
        return memoryview(array.tobytes())
    if len(content) == 0:
        return content
    typed: Any = content.cast(_WORDS[size])  # type: ignore[call-overload]
    return _reversed(typed, _WORDS[size], shape).cast("B")


def _reversed(typed: Any, letter: str, shape: Tuple[int, ...]) -> memoryview:
    """For each index of the last dimension, the elements before it lie together; in C order they lie apart."""
    if len(shape) < 2:
        return typed  # type: ignore[no-any-return]
    last = shape[-1]
    each = len(typed) // last
    made: Any = memoryview(bytearray(typed.nbytes)).cast(letter)  # type: ignore[call-overload]
    for k in range(last):
        made[k::last] = _reversed(typed[k * each : (k + 1) * each], letter, shape[:-1])
    return made  # type: ignore[no-any-return]
