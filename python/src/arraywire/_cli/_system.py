"""Reads and writes at a place of a file, also where the system has no call for it."""

from __future__ import annotations

import os
from typing import Union

Bytes = Union[bytes, bytearray, memoryview]


def pread(fd: int, count: int, at: int) -> bytes:
    if hasattr(os, "pread"):
        return os.pread(fd, count, at)
    os.lseek(fd, at, os.SEEK_SET)
    return os.read(fd, count)


def pwrite(fd: int, content: Bytes, at: int) -> None:
    """All of it."""
    left = memoryview(content)
    if not hasattr(os, "pwrite"):
        os.lseek(fd, at, os.SEEK_SET)
    while len(left):
        count = os.pwrite(fd, left, at) if hasattr(os, "pwrite") else os.write(fd, left)
        left = left[count:]
        at += count
