"""Each way to make a checksum comes to the same result."""

import os
import random

import pytest

from arraywire import _crc32c
from conftest import EXTRAS


@pytest.fixture(params=["as installed", "in Python"])
def crc32c(request, monkeypatch):
    if request.param == "in Python":
        monkeypatch.setattr(_crc32c, "_extend", None)
    return _crc32c


def bit_by_bit(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def test_it_is_made_as_this_run_of_the_tests_wants_it():
    assert _crc32c.FAST is bool(os.environ.get(EXTRAS))


def test_known_values(crc32c):
    assert crc32c.crc32c(b"123456789") == 0xE3069283
    assert crc32c.crc32c(b"") == 0
    assert crc32c.crc32c(bytes(32)) == 0x8A9136AA  # RFC 3720, B.4
    assert crc32c.crc32c(b"\xff" * 32) == 0x62A8AB43


def test_in_pieces_and_of_views(crc32c):
    data = bytes(range(256)) * 3
    for cut in (0, 1, 7, 255, 768):
        assert crc32c.extend(crc32c.crc32c(data[:cut]), memoryview(bytearray(data))[cut:]) == bit_by_bit(data)


def test_headers(crc32c):
    chosen = random.Random(1)
    follows = crc32c.HeaderChecksum()
    header = bytearray(64)
    for _ in range(500):
        for _ in range(chosen.randrange(0, 9)):
            header[chosen.randrange(64)] = chosen.randrange(256)
        expected = bit_by_bit(header[:60])
        assert crc32c.of_header(header[:60]) == expected
        assert follows.of(header) == expected
        assert follows.of(memoryview(bytes(header))) == expected
