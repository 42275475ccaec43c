"""What takes long and has Java at the other end: collected where ARRAYWIRE_SLOW is set."""

import mmap

import pytest

import arraywire
from test_java import DEFAULT, TRANSPORTS

numpy = pytest.importorskip("numpy")

SIZE = (1 << 31) + (3 << 20) + 3  # bytes: more than 31 bits count, and no whole number of any element
PIECE = 1 << 21  # numbers, of eight bytes each
PATIENCE = 280


@pytest.fixture()
def room(tmp_path):
    """So many bytes of a file, whose pages the system writes to the disk when it wants the memory."""
    path = tmp_path / "room"
    with open(path, "w+b") as file:
        file.truncate((SIZE + 7) // 8 * 8)
        mapped = mmap.mmap(file.fileno(), 0)
    yield numpy.frombuffer(mapped, "<i8")
    path.unlink()


def numbers(start, end):
    return numpy.arange(start, end, dtype="<i8")


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_an_array_of_more_than_two_gibibytes_to_java_and_back(java, transport, room):
    """Java checks each byte as it comes, and sends as many back, with every bit inverted, that it makes as they leave."""
    pieces = [(start, min(start + PIECE, len(room))) for start in range(0, len(room), PIECE)]
    for start, end in pieces:
        room[start:end] = numbers(start, end)
    array = room.view("i1")[:SIZE]
    peer = java("numbered", transport, DEFAULT[transport])
    with arraywire.connect(peer.address, max_array_bytes=1 << 33) as connection:
        connection.send(array, tag=SIZE, processed=True, timeout=PATIENCE)
        got = connection.receive_into(array, PATIENCE)
        assert got.shape == (SIZE,) and got.array.dtype == numpy.int8
    room[-1] ^= -1 << 8 * (SIZE % 8)  # what of the last number did not travel
    for start, end in pieces:
        assert numpy.array_equal(room[start:end], ~numbers(start, end)), start
