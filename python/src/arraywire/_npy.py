"""Files of NumPy's format .npy, version 1.0 to 3.0, read and written without NumPy.

The size of a file is compared with what its header declares before anything is taken for it, so a file that lies costs nothing.
"""

from __future__ import annotations

import ast
import os
import re
import stat
import struct
from typing import Any, BinaryIO, NamedTuple, Optional, Sequence, Tuple

from ._attributes import product
from ._types import BY_NAME, ElementType

MAGIC = b"\x93NUMPY"
MAX_DIMENSIONS = 64  # of NumPy
_MAX_HEADER = 1 << 16
_ZIP = b"PK\x03\x04"
_ALIGNMENT = 64
_PREFIX_BYTES = 10
_MOST = (1 << 63) - 1
_TYPES = {
    "f4": "float", "i4": "int", "f8": "double", "i8": "long", "i2": "short", "i1": "byte", "b1": "boolean", "f2": "fp16",
    "V2": "bf16", "u1": "uint8", "u2": "uint16", "u4": "uint32", "u8": "uint64",
}  # fmt: skip
_KINDS = {"char": "u2", **{name: kind for kind, name in _TYPES.items()}}
_DESCRIPTION = re.compile(r"([<>=|]?)([a-zA-Z]\d*)(?:\[.*])?", re.DOTALL)
_LONG = re.compile(r"(?<=\d)L(?=\s*[,)])")


class Layout(NamedTuple):
    """What a file says of its array, and where the elements lie."""

    type: ElementType
    shape: Tuple[int, ...]
    big: bool
    position: int
    fortran: bool


class NpyError(ValueError):
    """The file cannot be sent; the text says what is wrong with it and what to do."""


def description(type: ElementType, big: bool = False) -> str:
    """The type as NumPy writes it, for example ``<f4``."""
    return ("|" if type.size == 1 else ">" if big else "<") + _KINDS[type.name]


def header_bytes(type: ElementType, shape: Sequence[int], big: bool = False) -> bytes:
    """What comes before the elements, as ``numpy.save`` writes it."""
    shown = repr(tuple(shape))
    header = f"{{'descr': '{description(type, big)}', 'fortran_order': False, 'shape': {shown}, }}"
    padding = -(_PREFIX_BYTES + len(header) + 1) % _ALIGNMENT
    text = (header + " " * padding + "\n").encode("latin-1")
    return MAGIC + b"\1\0" + struct.pack("<H", len(text)) + text


def is_npy(path: str) -> bool:
    """Whether the first bytes are those of the format."""
    with open(path, "rb") as file:
        return file.read(len(MAGIC)) == MAGIC


def layout(path: str) -> Layout:
    """Raises NpyError with what is wrong with the file."""
    if not stat.S_ISREG(os.stat(path).st_mode):
        raise _error("not a regular file; write what the pipe gives into a .npy file, and give that", path)
    with open(path, "rb") as file:
        major = _version(file, path)
        length_of = "<H" if major == 1 else "<I"
        (length,) = struct.unpack(length_of, _exactly(file, path, struct.calcsize(length_of)))
        if length > _MAX_HEADER:
            raise _error(
                "the header is too long; the file is damaged or no .npy file", path, headerBytes=length, limit=_MAX_HEADER
            )
        content = _exactly(file, path, length)
        text = content.decode("utf-8" if major == 3 else "latin-1", "replace")
        descr, fortran, shape = _parsed(path, text)
        position = file.tell()
        type, big = _type(path, descr)
        _check_size(file, path, position, type, shape, description(type, big))
    # Of one dimension, or of one that counts, both orders are the same.
    matters = fortran and 0 not in shape and sum(each > 1 for each in shape) > 1
    return Layout(type, shape, big, position, matters)


def _version(file: BinaryIO, path: str) -> int:
    start = file.read(8)
    if start[:6] != MAGIC:
        first = start[:6]
        raise _error(
            "an archive, as .npz files are, which hold several arrays; save each of them alone,"
            " as np.save('x.npy', np.load(file)['x']) does"
            if first.startswith(_ZIP)
            else "not a .npy file; make one with numpy.save",
            path,
            bytes="0x" + first.hex() if first else "none",
            expected="0x" + MAGIC.hex(),
        )
    if len(start) < 8:
        raise _truncated(path, 10, len(start))
    if not 1 <= start[6] <= 3 or start[7]:
        raise _error(
            "a version of the .npy format that is not known; save the array with numpy.save",
            path,
            version=f"{start[6]}.{start[7]}",
            known="1.0 2.0 3.0",
        )
    return start[6]


def _exactly(file: BinaryIO, path: str, count: int) -> bytes:
    content = file.read(count)
    if len(content) < count:
        raise _truncated(path, file.tell() + count - len(content), os.fstat(file.fileno()).st_size)
    return content


def _parsed(path: str, text: str) -> Tuple[str, bool, Tuple[int, ...]]:
    """The dictionary of the header: these three keys and no others, as NumPy demands, too. Nothing in it is run."""
    try:
        header: Any = ast.literal_eval(_LONG.sub("", text).strip())
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        header = None
    if not isinstance(header, dict) or set(header) != {"descr", "fortran_order", "shape"}:
        raise _wrong(path, "one each of the keys descr, fortran_order and shape", text)
    descr, fortran, shape = header["descr"], header["fortran_order"], header["shape"]
    if isinstance(descr, list):
        raise _error(
            "the file holds records, which no primitive array can hold; save one field of them, for example"
            " np.save(file, a['name'])",
            path,
            descr=_excerpt(repr(descr)),
        )
    if not isinstance(descr, str):
        raise _wrong(path, "a quoted string", text)
    if not isinstance(fortran, bool):
        raise _wrong(path, "True or False", text)
    if not isinstance(shape, tuple) or any(each.__class__ is not int or not 0 <= each <= _MOST for each in shape):
        raise _wrong(path, "a dimension, which is a number that is not negative", text)
    if len(shape) > MAX_DIMENSIONS:
        raise _error("the array has too many dimensions; reshape it", path, limit=MAX_DIMENSIONS)
    return descr, fortran, shape


def _type(path: str, descr: str) -> Tuple[ElementType, bool]:
    name = _TYPES.get(descr[1:]) if len(descr) == 3 else None
    type = BY_NAME.get(name or "")
    order = descr[:1]
    # "No byte order": elements of one byte, and bf16, whose order NumPy does not know.
    if type is None or order not in ("<", ">", "|") or order == "|" and type.size > 1 and type.name != "bf16":
        raise _error(
            f"a type of element that no primitive array can hold; convert it first: {_advice(descr)}",
            path,
            dtype=_excerpt(descr),
            known="f2 f4 f8 i1 i2 i4 i8 u1 u2 u4 u8 b1 V2",
        )
    return type, order == ">" and type.size > 1


def _check_size(
    file: BinaryIO, path: str, position: int, type: ElementType, shape: Tuple[int, ...], dtype: str
) -> None:
    expected = position + product(shape) * type.size
    size = os.fstat(file.fileno()).st_size
    if expected > _MOST:
        raise _error(
            "the shape has more elements than any file; the file is damaged", path, shape=list(shape), fileBytes=size
        )
    if size < expected:
        raise _truncated(path, expected, size)
    if size > expected:
        raise _error(
            "bytes after the last element; save one array in each file",
            path,
            expectedBytes=expected,
            fileBytes=size,
            shape=list(shape),
            dtype=dtype,
        )


def check_raw(path: str, type: ElementType) -> int:
    """How many elements a file has that holds nothing else."""
    if not stat.S_ISREG(os.stat(path).st_mode):
        raise _error("not a regular file; write what the pipe gives into a file, and give that", path)
    if is_npy(path):
        raise _error("the file is a .npy file, and its header would be sent as elements; send it without --raw", path)
    size = os.stat(path).st_size
    if size % type.size:
        raise _error(
            "the file is not a whole number of elements; is it of another type, or cut off?",
            path,
            fileBytes=size,
            type=type.name,
            elementBytes=type.size,
        )
    return size // type.size


# --- What to do instead ---

_BYTES = "np.save(file, np.ascontiguousarray(a).view('u1'))"


def _advice(descr: str) -> str:
    """How to save an array of a type that no primitive array holds so that no value is lost."""
    parts = _DESCRIPTION.fullmatch(descr)
    if parts is None:
        return f"{_BYTES} keeps every byte"
    order = ">" if parts[1] == ">" else "<"
    kind = parts[2]
    if kind in ("f12", "f16"):
        return f"{_BYTES} keeps every byte, a.astype('<f8') rounds"
    if kind in ("c8", "c16"):
        real = "f4" if kind == "c8" else "f8"
        return f"np.save(file, np.ascontiguousarray(a).view('{order}{real}')) keeps real and imaginary parts, in turns"
    if kind in ("M8", "m8"):
        return f"np.save(file, a.view('{order}i8')) keeps the ticks; note the unit"
    if kind == "O":
        return "np.save(file, np.array(a.tolist(), '<f8')) keeps the values if they are Python floats"
    if kind.startswith("U"):
        return f"np.save(file, np.ascontiguousarray(a).view('{order}i4')) keeps the code points"
    return f"{_BYTES} keeps every byte"


def _excerpt(text: str) -> str:
    """Never lets a file write control characters, or pages of text, to somebody's terminal."""
    head = text if len(text) <= 120 else text[:120] + "..."
    return re.sub(r"[^\x20-\x7e]", "?", head.strip())


def _error(text: str, path: str, **facts: object) -> NpyError:
    said = "".join(f", {name}={value}" for name, value in facts.items())
    return NpyError(f"{text} (file={path}{said})")


def _wrong(path: str, expected: str, text: str) -> NpyError:
    return _error(
        "the header is not one that NumPy writes; the file is damaged or no .npy file",
        path,
        expected=expected,
        header=_excerpt(text),
    )


def _truncated(path: str, expected: int, have: Optional[int]) -> NpyError:
    return _error("the file ends too early; copy or save it again", path, expectedBytes=expected, fileBytes=have)
