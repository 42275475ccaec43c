"""What takes long, or much memory: collected where ARRAYWIRE_SLOW is set."""

import pytest

import arraywire
from test_connection import later

numpy = pytest.importorskip("numpy")


def test_an_array_of_more_than_two_gibibytes():
    """Beyond what 32 bits count, with and without a sign: the frames, the credit and the places in the array."""
    size = (1 << 31) + (3 << 20) + 3  # some frames more
    sent = numpy.zeros(size, "u1")  # pages that are not written take no memory
    marks = [0, 1, (1 << 20) - 1, (1 << 30) + 5, (1 << 31) - 1, 1 << 31, (1 << 31) + (2 << 20), size - 1]
    sent[marks] = range(1, len(marks) + 1)
    limit = 1 << 33
    with arraywire.listen("localhost:0", max_array_bytes=limit) as listener:
        with arraywire.connect(listener.address) as left, listener.accept(10) as right:
            sending = later(left.send, sent, processed=True, timeout=280)
            got = right.receive(280)
            sending()
            assert got.shape == (size,) and numpy.flatnonzero(got).tolist() == marks
            assert got[marks].tolist() == sent[marks].tolist()
            with pytest.raises(arraywire.TooLargeError, match="larger than the peer accepts"):
                right.send(sent)  # left takes 1 GiB, the default
