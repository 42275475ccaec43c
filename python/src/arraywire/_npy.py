"""Files of NumPy's format .npy, version 1.0 to 3.0, C order, with and without NumPy."""

from __future__ import annotations

import ast
import mmap
import os
import struct
from typing import Any, BinaryIO, NamedTuple, Tuple

from ._attributes import product
from ._types import BY_NAME, ElementType

_MAGIC = b"\x93NUMPY"
_DESCRIPTIONS = {
    "f4": "float", "i4": "int", "f8": "double", "i8": "long", "i2": "short", "i1": "byte", "b1": "boolean", "f2": "fp16",
    "u1": "uint8", "u2": "uint16", "u4": "uint32", "u8": "uint64",
}  # fmt: skip
_OF_TYPE = {"char": "<u2", "bf16": "<u2", "boolean": "|b1", "byte": "|i1", "uint8": "|u1"}
for _key, _name in _DESCRIPTIONS.items():
    _OF_TYPE.setdefault(_name, "<" + _key)


class Npy(NamedTuple):
    """The array of a file, mapped."""

    type: ElementType
    shape: Tuple[int, ...]
    big: bool
    view: memoryview


def load(path: str) -> Npy:
    """Raises ValueError with what is wrong with the file."""
    with open(path, "rb") as file:
        start = file.read(10)
        if start[:6] != _MAGIC:
            raise ValueError(f"not a .npy file (file={path})")
        wide = start[6] > 1
        if wide:
            start += file.read(2)
        (size,) = struct.unpack_from("<I" if wide else "<H", start, 8)
        try:
            header = ast.literal_eval(file.read(size).decode("utf-8" if start[6] == 3 else "latin-1"))
            description, fortran, shape = header["descr"], header["fortran_order"], tuple(header["shape"])
        except (ValueError, SyntaxError, KeyError, TypeError) as cause:
            raise ValueError(f"the header of the .npy file cannot be read (file={path})") from cause
        kind = description[1:] if isinstance(description, str) else ""
        if kind not in _DESCRIPTIONS:
            raise ValueError(
                f"the elements have no type of the wire; convert them with astype (file={path}, dtype={description})"
            )
        if fortran and len(shape) > 1:
            raise ValueError(f"the array is in Fortran order; save numpy.ascontiguousarray(x) (file={path})")
        type = BY_NAME[_DESCRIPTIONS[kind]]
        offset = len(start) + size
        return Npy(type, shape, description[0] == ">", _mapped(file, path, offset, type.size, shape))


def _mapped(file: BinaryIO, path: str, offset: int, size: int, shape: Tuple[int, ...]) -> memoryview:
    count = product(shape)
    have = os.fstat(file.fileno()).st_size - offset
    if have != count * size:
        raise ValueError(f"the .npy file is shorter or longer than its header says (file={path}, bytes={have})")
    if count == 0:
        return memoryview(b"")
    return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))[offset:]


def raw(path: str, type: ElementType) -> memoryview:
    """A file of elements and nothing else."""
    with open(path, "rb") as file:
        size = os.fstat(file.fileno()).st_size
        if file.read(6) == _MAGIC:
            raise ValueError(f"this is a .npy file; send it without --raw (file={path})")
        if size % type.size:
            raise ValueError(f"the file ends inside an element (file={path}, bytes={size}, type={type.name})")
        return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)) if size else memoryview(b"")


def save(path: str, type: ElementType, shape: Tuple[int, ...], content: Any) -> None:
    """A new file, there when it is whole: never in place of another, and nothing of it after a failure."""
    shown = repr(tuple(shape))
    header = f"{{'descr': '{_OF_TYPE[type.name]}', 'fortran_order': False, 'shape': {shown}, }}"
    padding = -(10 + len(header) + 1) % 64
    text = (header + " " * padding + "\n").encode("latin-1")
    part = os.path.join(os.path.dirname(path), f".{os.path.basename(path)}.{os.getpid():08x}.part")
    try:
        with open(part, "xb") as file:
            file.write(_MAGIC + b"\1\0" + struct.pack("<H", len(text)) + text)
            file.write(content)
        os.link(part, path)
    finally:
        if os.path.exists(part):
            os.unlink(part)
