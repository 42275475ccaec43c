"""Every split, every prefix, random bytes and damaged streams: a typed error or nothing, and never a wrong array."""

import array
import os
import random

import pytest
from links import Pair, drain, feed

from arraywire import _protobuf, _targets
from arraywire._attributes import Attributes
from arraywire._core import Core
from arraywire._elements import elements
from arraywire._elements import target as target_of
from arraywire._handshake import Offer
from arraywire._streams import Target
from arraywire.errors import ArraywireError, ErrorCode, ProtocolError

#: Nightly takes three times as many rounds of what is slow and random.
THOROUGH = bool(os.environ.get("ARRAYWIRE_THOROUGH"))
SEED = int(os.environ.get("ARRAYWIRE_SEED", "0") or 0) or random.SystemRandom().randrange(1 << 32)


@pytest.fixture(autouse=True)
def seed(request):
    print(f"ARRAYWIRE_SEED={SEED}")  # shown if the test fails
    return random.Random(f"{SEED} {request.node.name}")


def acceptor(checksums=True):
    core = Core(Offer(checksums=checksums), connector=False, now=0)
    core.requests.answering = core.subscriptions.publishing = True
    return core


def delivered(core):
    return sorted((field, bytes(each.view)) for field, stream in core.inbounds.items() for each in stream.inbox)


def lonely(checksums=True):
    """A conversation in one direction: what the peer answers does not change it."""
    left, core = Core(Offer(checksums=checksums), connector=True, now=0), acceptor(checksums)
    out = bytearray(drain(left))
    feed(core, bytes(out))
    feed(left, drain(core))
    left.writer.chunk_bytes = 64
    sent = []
    for channel, values, attributes in (
        (0, array.array("f", range(50)), Attributes(shape=(5, 10), metadata={"m": ""})),
        (3, array.array("b", range(5)), Attributes()),
        (3, array.array("d"), Attributes()),
        (255, array.array("q", range(9)), Attributes()),
        (0, array.array("h", range(100)), Attributes(shape=(100,))),
    ):
        made = elements(values)
        left.queue(left.outbound(channel), made, 7, attributes)
        sent.append((channel, bytes(made.view)))
    left.requests.make(elements(array.array("f", range(20))), 1, b"", 1)
    left.subscriptions.make("prices", 2, 100_000)
    return bytes(out) + drain(left), sorted(sent)


@pytest.mark.parametrize("checksums", [True, False])
def test_every_split_in_two(checksums):
    data, sent = lonely(checksums)
    for cut in range(len(data)):
        core = acceptor(checksums)
        feed(core, data[:cut])
        feed(core, data[cut:])
        assert core.error is None and delivered(core) == sent, cut


def test_byte_by_byte_and_in_random_pieces(seed):
    data, sent = lonely()
    for most in [lambda: 1, lambda: 2, lambda: 63, lambda: 65] + [lambda: seed.randrange(1, 200)] * 50:
        core = acceptor()
        feed(core, data, most)
        assert core.error is None and delivered(core) == sent


def test_every_prefix_and_then_the_end():
    data, sent = lonely()
    for cut in range(len(data) + 1):
        core = acceptor()
        feed(core, data[:cut])
        core.end_of_stream()
        assert core.error is not None and core.error.code in (ErrorCode.TRUNCATED, ErrorCode.CONNECTION_RESET)
        assert set(delivered(core)) <= set(sent)


def test_random_bytes(seed):
    for _ in range(3000):
        core = acceptor()
        sent = seed.randbytes(seed.randrange(1, 400))
        feed(core, sent)
        # By chance they begin as a record of TLS does.
        like_tls = sent[0] in (0x15, 0x16) and sent[1:2] == b"\x03"
        expected = ErrorCode.TLS_MISMATCH if like_tls else ErrorCode.BAD_MAGIC
        assert core.error is None or core.error.code is expected


def test_every_damaged_byte(seed):
    data, sent = lonely()
    for at in range(len(data)):
        damaged = bytearray(data)
        damaged[at] ^= seed.randrange(1, 256)
        core = acceptor()
        feed(core, bytes(damaged), lambda: seed.randrange(1, 300))
        core.end_of_stream()
        assert isinstance(core.error, ArraywireError) and core.error.code is not None
        assert set(delivered(core)) <= set(sent), at


def test_frames_of_random_fields_with_right_checksums(seed):
    """Past the checksums: headers that are nearly right."""
    from test_checks import frame

    interesting = [0, 1, 2, 3, 4, 7, 8, 12, 63, 255, 256, 1023, 1024, 1025, 1 << 16, 1 << 20, (1 << 31) - 1, 1 << 31]
    large = interesting + [1 << 32, (1 << 62), (1 << 63) - 1, 1 << 63, (1 << 64) - 1]
    reached = set()
    for _ in range(6000 if THOROUGH else 2000):
        core = acceptor(False)
        left = Core(Offer(), connector=True, now=0)
        feed(core, drain(left))
        drain(core)
        for _ in range(seed.randrange(1, 6)):
            fields = dict(type=seed.randrange(0, 17))
            if seed.random() < 0.8:
                count = seed.choice([0, 1, 3, 300])
                fields.update(encoding=1, element=seed.randrange(1, 9), count=count, sequence=seed.randrange(0, 3))
                size = {1: 4, 2: 4, 3: 8, 4: 8, 5: 2, 6: 2}.get(fields["element"], 1)
                fields.update(array_bytes=count * size, payload_bytes=count * size)
            if seed.random() < 0.7:
                name, most = seed.choice(
                    [("encoding", 8), ("element", 8), ("flags", 16), ("attribute_bytes", 16), ("channel", 32),
                     ("sequence", 64), ("tag", 64), ("count", 64), ("array_bytes", 64), ("payload_bytes", 32),
                     ("acknowledged", 32)]
                )  # fmt: skip
                fields[name] = seed.choice(large) & (1 << most) - 1
            feed(core, frame(behind=seed.randbytes(min(fields.get("payload_bytes", 0), 3000)), **fields))
            assert len(drain(core)) < 1 << 20
        assert core.error is None or isinstance(core.error, ArraywireError)
        if core.error is not None:
            reached.add(core.error.code)
    assert len(reached) >= 8, reached


def test_random_protobuf(seed):
    for _ in range(5000):
        content = seed.randbytes(seed.randrange(0, 60))
        for decode in (Offer.decode, _protobuf.Message):
            try:
                decode(content)
            except ProtocolError as error:
                assert error.code is ErrorCode.MALFORMED_PAYLOAD


def test_random_sections(seed):
    """Of attributes: any bytes, and sections that are right but for some bytes."""
    right = Attributes(shape=(3,), metadata={"unit": "K"}, request=1).encoded()
    for _ in range(5000):
        content = bytearray(right) if seed.random() < 0.7 else bytearray(seed.randbytes(8 * seed.randrange(0, 9)))
        for _ in range(seed.randrange(0, 4)):
            if content:
                content[seed.randrange(len(content))] = seed.choice((0, 1, 8, 16, 255, seed.randrange(256)))
        try:
            read = Attributes.decode(bytes(content))
        except ProtocolError as error:
            assert error.code in (
                ErrorCode.MALFORMED_PAYLOAD, ErrorCode.BAD_LENGTH, ErrorCode.FRAME_TOO_LARGE, ErrorCode.UNKNOWN_CODE,
                ErrorCode.COUNT_MISMATCH,
            )  # fmt: skip
        else:
            assert Attributes.decode(read.encoded()) == read


def test_memory_that_is_taken_back_is_not_touched_again(seed):
    """A receive whose time is over inside an array: what has come goes on into other memory."""
    sent = array.array("i", range(10_000))
    for checksums in (True, False):
        for _ in range(20):
            joined = Pair(Offer(checksums=checksums)).run()
            room = array.array("i", [-1]) * 10_000
            stream = joined.right.inbound(0)
            target = Target(*target_of(room))
            _targets.aim(stream, target)
            joined.right.ask(stream)
            joined.left.writer.chunk_bytes = 999
            joined.left.queue(joined.left.outbound(0), elements(sent), 0, Attributes())
            data = drain(joined.left)
            cut = seed.randrange(len(data))
            feed(joined.right, data[:cut], lambda: seed.randrange(1, 5000))
            _targets.redirect(stream, target)
            joined.right.unask(stream)
            before = bytes(room)
            assert cut < 100 or array.array("i", before)[: (cut - 100) // 5] == sent[: (cut - 100) // 5]
            feed(joined.right, data[cut:])
            assert bytes(room) == before
            assert bytes(joined.right.take(stream).view) == sent.tobytes() and joined.right.held == 0


def test_a_conversation_in_random_pieces(seed):
    for _ in range(20):
        joined = Pair(Offer(checksums=seed.random() < 0.5), cut=lambda: seed.randrange(1, 300)).run()
        values = [array.array("d", range(seed.randrange(0, 3000))) for _ in range(20)]
        for each in values:
            made = elements(each)
            joined.left.queue(joined.left.outbound(seed.randrange(0, 2)), made, 0, Attributes())
        joined.run()
        got = sorted(bytes(each.view) for stream in joined.right.inbounds.values() for each in stream.inbox)
        assert got == sorted(each.tobytes() for each in values)
        for stream in joined.right.inbounds.values():
            while stream.inbox:
                joined.right.processed(joined.right.take(stream))
        joined.left.begin_end()
        joined.run()
        assert joined.left.error is None is joined.right.error
        assert joined.left.end_output and joined.right.end_output
        assert joined.right.held == 0
