"""Array messages: the golden files of the Java tests, and that no bytes but a message's become one."""

import array
import os
import pathlib
import random
import struct

import pytest

import arraywire
from arraywire import _blocks, _memory, _types, message
from arraywire._crc32c import crc32c
from arraywire.errors import ErrorCode, ProtocolError

SEED = int(os.environ.get("ARRAYWIRE_SEED", "0") or 0) or random.SystemRandom().randrange(1 << 32)
CARRIED = {"fp16": "f2", "bf16": "u2", "uint8": "u1", "uint16": "u2", "uint32": "u4", "uint64": "u8"}
PRIMITIVE = {
    "float": "f4", "int": "i4", "double": "f8", "long": "i8", "short": "i2", "char": "u2", "byte": "i1", "boolean": "?",
}  # fmt: skip
TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
HAS_CHECKSUM_AT, PAYLOAD_CHECKSUM_AT = 8, 52


@pytest.fixture()
def read(golden):
    return lambda name: (golden / "message-v2" / f"{name}.bin").read_bytes()


def sealed(data):
    """A message with right checksums again, after a test has changed it."""
    data = bytearray(data)
    if data[HAS_CHECKSUM_AT] & 1:
        data[PAYLOAD_CHECKSUM_AT : PAYLOAD_CHECKSUM_AT + 4] = struct.pack("<I", crc32c(bytes(data[64:])))
    data[60:64] = struct.pack("<I", crc32c(bytes(data[:60])))
    return bytes(data)


def code_of(data, **limits):
    with pytest.raises(ProtocolError) as caught:
        message.decode(data, **limits)
    assert len(str(caught.value)) <= 300
    return caught.value.code


# --- Golden files ---


def made():
    """What the golden files hold, by name, as a program would write it."""
    numpy = pytest.importorskip("numpy")
    ids, scores = numpy.array([7, 42, 5], "i4"), numpy.array([0.5, 0.25, -1], "f4")

    def of(name, obj, **options):
        return name, obj, options

    return [
        of("one", numpy.array([1, -2.5, 0.1], "f4")),
        of("one-shape", numpy.arange(6, dtype="f4").reshape(2, 3), tag=7, metadata={"unit": "K", "note": ""}),
        of("parts", {"ids": ids, "scores": scores}, tag=1, metadata={"traceparent": TRACE}),
        of("parts-big-endian", {"ids": ids, "scores": scores}, order="big", checksum=False),
        of("named", {"table": numpy.arange(1, 7, dtype="i2").reshape(3, 2)}),
        of("names", {"": b"\1", "größe": b"\2", "\U0001d6fc": b"", "12345678": b"\3"}),
        of("empty", numpy.zeros(0)),
        of("zero-dimension", array.array("q"), shape=(1 << 62, 0, 1 << 62)),
    ]


def test_every_golden_file_is_written_so(read):
    for name, obj, options in made():
        assert message.encode(obj, **options) == read(name), name


def test_every_golden_file_is_read_so(read):
    numpy = pytest.importorskip("numpy")
    for name, obj, options in made():
        got = message.decode(read(name))
        parts = obj if isinstance(obj, dict) else {"": obj}
        if name == "zero-dimension":
            assert got.shape == (1 << 62, 0, 1 << 62) and got.type == "long"
            continue
        assert list(got.parts) == list(parts)
        for part, sent in parts.items():
            sent = numpy.frombuffer(sent, "i1") if isinstance(sent, bytes) else sent
            assert numpy.array_equal(got[part], sent) and got[part].dtype == sent.dtype, (name, part)
            got[part][...] = 0  # it is the caller's own
        assert got.tag == options.get("tag", 0) and got.metadata == options.get("metadata", {})


@pytest.mark.parametrize("name, types", [("types", PRIMITIVE), ("types-carried", CARRIED)])
def test_every_type_keeps_its_bits(read, name, types):
    pytest.importorskip("numpy")
    got = message.decode(read(name))
    assert got.types == {each: each for each in types} and repr(got).startswith("<ArrayMessage ")
    for type, dtype in types.items():
        assert got[type].dtype == dtype and len(got[type]) == 5, type
    named = {each: each for each in types if each in ("char", "boolean", "bf16")}
    assert message.encode(got.parts, type=named, tag=got.tag) == read(name)
    big = message.encode(got.parts, type=named, tag=got.tag, order="big")
    back = message.decode(big)
    assert all(back[each].tobytes() == got[each].tobytes() for each in types)


def test_blocks_are_read(read, monkeypatch):
    numpy = pytest.importorskip("numpy")
    same = numpy.full(300, 1.5, "f4")
    three = numpy.array([1, -2.5, 0.1], "f4")
    got = message.decode(read("shuffle-lz4"))
    assert got.shape == (303, 1) and numpy.array_equal(got.array.ravel(), numpy.concatenate([three, same]))
    assert message.decode(read("bf16")).array.tolist() == [1, -2.5, 0.10009765625]
    assert message.decode(read("fp16")).array.tolist() == [1, -2.5, 0.0999755859375]
    monkeypatch.setattr(_blocks, "_zstd", lambda: rle)
    got = message.decode(read("shuffle-zstd"))
    assert numpy.array_equal(got.array, same) and got.tag == 7 and got.array.dtype == "f4"
    monkeypatch.setattr(_memory, "numpy", None)
    assert message.decode(read("shuffle-lz4")).array[3, 0] == 1.5


def test_parts_in_blocks_are_read(read, monkeypatch):
    monkeypatch.setattr(_blocks, "_zstd", lambda: rle)
    for without_numpy in (False, True):
        if without_numpy:
            monkeypatch.setattr(_memory, "numpy", None)
        got = message.decode(read("parts-blocks"))
        right = {"scores": [1, -2.5, 0.10009765625], "ids": [7, 42, 5], "none": [], "big": [1, -2]}
        assert {name: each.tolist() for name, each in got.parts.items()} == right and got.tag == 9
        got = message.decode(read("parts-compressed"))
        three = struct.pack("<3f", 1, -2.5, 0.1)
        assert got["weights"].tobytes() == three + 300 * struct.pack("<f", 1.5) and got["weights"].shape == (303, 1)
        assert got["same"].tolist() == 300 * [1.5] and got["mask"].tolist() == [1, 0, 1] and got["last"].tolist() == [7]


def test_every_layout_of_blocks_is_read(read):
    right = array.array("f", 500 * [1.5] + 100 * [0.1]).tobytes()
    assert message.decode(read("shuffle-lz4-layouts")).array.tobytes() == right
    if _blocks._zstd() is None:
        assert code_of(read("shuffle-zstd-layouts")) is ErrorCode.UNKNOWN_CODE
    else:
        assert message.decode(read("shuffle-zstd-layouts")).array.tobytes() == right


def layouts(read):
    """The two blocks of the golden message: as wholes, and of two values."""
    whole = read("shuffle-lz4-layouts")
    first = 72 + int.from_bytes(whole[64:68], "little")
    return bytearray(whole[72:first]), bytearray(whole[first + 8 :])


def changed(block, at, word):
    block[at : at + 4] = struct.pack("<I", word)
    return block


RAW, OTHER = 1 << 31, 1 << 30


@pytest.mark.parametrize(
    "which, change, words",
    [
        (0, lambda b: b[:4], "too short"),
        (0, lambda b: b + b"x", "malformed"),
        (0, lambda b: b[:-1], "malformed"),
        (0, lambda b: changed(b, 0, OTHER | RAW), "another length"),
        (0, lambda b: changed(b, 0, OTHER | 1), "too short|another length"),
        (1, lambda b: changed(b, 0, OTHER), "malformed"),
        (1, lambda b: changed(b, 0, OTHER | 1), "another length"),
        (1, lambda b: changed(b, 0, OTHER | 257), "another length"),
        (1, lambda b: changed(b, 0, OTHER | 4097), "more values"),
        (1, lambda b: changed(b, 0, OTHER | 1 << 29), "more values"),
        (1, lambda b: changed(b, 0, RAW | OTHER | 2), "another length"),
        (1, lambda b: changed(b, 4, 2), "another length"),
        (1, lambda b: changed(b, 4, RAW | 3), "another length"),
        (1, lambda b: changed(b, 20, 0), "another length"),
        (1, lambda b: changed(b, 20, RAW | 300), "another length"),
        (1, lambda b: b[:24], "too short"),
        (1, lambda b: b + b"x", "has bytes behind its last plane"),
        (1, lambda b: b[:-5] + bytes([1, 1, 1, 2, 1]), "beyond the list"),
        (1, lambda b: b[:-5] + bytes([1, 1, 255, 1, 1]), "beyond the list"),
    ],
)
def test_broken_layouts(read, which, change, words):
    block = change(layouts(read)[which])
    with pytest.raises(ProtocolError, match=words) as caught:
        payload = _blocks.HEAD.pack(len(block), 300) + block
        _blocks.decode(memoryview(payload), _types.SHUFFLE_LZ4, _types.FLOAT, memoryview(bytearray(1200)))
    assert caught.value.code is ErrorCode.MALFORMED_PAYLOAD


def test_indices_of_two_bytes():
    """Value i is i; the planes of 300 values and 1000 indices are raw."""
    indices = [i * 7 % 300 for i in range(1000)]
    words = struct.pack("<7I", OTHER | 300, *4 * [RAW | 300], *2 * [RAW | 1000])
    table = bytes(i & 255 for i in range(300)) + bytes(i >> 8 for i in range(300)) + bytes(600)

    def decoded(indices):
        block = words + table + bytes(i & 255 for i in indices) + bytes(i >> 8 for i in indices)
        target = bytearray(4000)
        payload = _blocks.HEAD.pack(len(block), 1000) + block
        _blocks.decode(memoryview(payload), _types.SHUFFLE_LZ4, _types.INT, memoryview(target))
        return list(struct.unpack("<1000i", target))

    assert decoded(indices) == indices
    for index in (300, 511, 4096, 65535):
        with pytest.raises(ProtocolError, match="beyond the list"):
            decoded([*indices[:500], index, *indices[501:]])


def test_elements_of_one_byte_are_in_planes(read):
    block = layouts(read)[0]
    with pytest.raises(ProtocolError, match="another length"):
        payload = _blocks.HEAD.pack(len(block), 1200) + block
        _blocks.decode(memoryview(payload), _types.SHUFFLE_LZ4, _types.BYTE, memoryview(bytearray(1200)))


def rle(plane, most):
    """What zstd makes of the only kind of frame that the golden file has."""
    if plane[:5].hex() != "28b52ffd60":
        return None
    count = int.from_bytes(plane[5:7], "little") + 256
    return plane[-1:] * count if count <= most else None


def test_zstd_by_a_module_where_there_is_one(read):
    if _blocks._zstd() is None:
        assert code_of(read("shuffle-zstd")) is ErrorCode.UNKNOWN_CODE
        with pytest.raises(ProtocolError, match="encoding='?shuffle-zstd"):
            message.decode(read("shuffle-zstd"))
    else:
        assert message.decode(read("shuffle-zstd")).array[299] == 1.5


def test_a_large_window_is_refused():
    decompress = _blocks._zstd()
    if decompress is None:
        pytest.skip("no module for zstd; install zstandard")
    for window, made in (("68", b"A"), ("70", None)):  # 8 MiB and 16 MiB
        assert decompress(bytes.fromhex("28b52ffd00" + window + "09000041"), 10) == made


@pytest.mark.parametrize("zstd", ["rle", "module"])
def test_hostile_blocks(read, monkeypatch, zstd):
    """Each prefix whose header agrees, each byte another one behind right checksums: an array or a typed failure."""
    if zstd == "rle":
        monkeypatch.setattr(_blocks, "_zstd", lambda: rle)
    elif _blocks._zstd() is None:
        pytest.skip("no module for zstd; install zstandard")
    rng = random.Random(SEED)
    refused = 0
    of_one = ("shuffle-zstd", "shuffle-zstd-layouts", "shuffle-lz4", "shuffle-lz4-layouts", "bf16", "fp16")
    for name in (*of_one, "parts-blocks", "parts-compressed"):
        whole = read(name)
        start = 64 + int.from_bytes(whole[10:12], "little")
        for length in range(start, len(whole)):
            cut = bytearray(whole[:length])
            cut[48:52] = (length - start).to_bytes(4, "little")
            assert code_of(sealed(cut)) in (ErrorCode.BAD_LENGTH, ErrorCode.COUNT_MISMATCH), (name, length)
        for at in range(len(whole)):
            changed = bytearray(whole)
            changed[at] ^= 1 + rng.randrange(255)
            try:
                message.decode(sealed(changed), max_bytes=1 << 20)
            except ProtocolError as e:
                refused += 1
                assert len(str(e)) <= 300
    assert refused > 250, SEED
    giant = bytearray(read("bf16"))
    giant[32:48] = struct.pack("<QQ", 1 << 20, 1 << 22)
    assert code_of(sealed(giant)) is ErrorCode.COUNT_MISMATCH
    giant[32:48] = struct.pack("<QQ", 1 << 40, 1 << 42)
    assert code_of(sealed(giant)) is ErrorCode.FRAME_TOO_LARGE
    ints = bytearray(read("bf16"))
    ints[7] = 2
    assert code_of(sealed(ints)) is ErrorCode.UNKNOWN_CODE


def test_no_golden_file_is_left_out(golden):
    source = pathlib.Path(__file__).read_text()
    for file in (golden / "message-v2").glob("*.bin"):
        assert f'"{file.stem}"' in source, file.name


def test_an_independent_reader_agrees(monkeypatch):
    """array_message.py was written from the page alone."""
    numpy = pytest.importorskip("numpy")
    from conftest import ROOT

    monkeypatch.syspath_prepend(str(ROOT / "examples/src/test/resources/io/arraywire/examples/python"))
    import array_message

    rng = numpy.random.default_rng(5)
    for _ in range(50):
        parts = {
            f"p{i}": rng.integers(0, 100, rng.integers(0, 5, rng.integers(1, 4))).astype(rng.choice(["f4", "i8", "i2", "u1"]))
            for i in range(rng.integers(1, 6))
        }
        tag = int(rng.integers(1 << 40))
        order = str(rng.choice(["little", "big"]))
        found_tag, strings, found = array_message.read(message.encode(parts, tag=tag, metadata={"k": "v"}, order=order))
        assert found_tag == tag and strings == {"k": "v"}
        back = message.decode(array_message.write(found, tag, strings))
        assert list(back.parts) == list(parts) and back.tag == tag and back.metadata == strings
        assert all(numpy.array_equal(back[each], parts[each]) for each in parts)


# --- Without NumPy ---


def test_without_numpy(read, monkeypatch):
    monkeypatch.setattr(_memory, "numpy", None)
    got = message.decode(read("one-shape"))
    assert got.array.tolist() == [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]] and got.shape == (2, 3)
    for name in ("parts", "parts-big-endian"):
        got = message.decode(read(name))
        assert got["ids"].tolist() == [7, 42, 5] and got["scores"].tolist() == [0.5, 0.25, -1.0]
    parts = {"ids": array.array("i", [7, 42, 5]), "scores": array.array("f", [0.5, 0.25, -1])}
    assert message.encode(parts, order="big", checksum=False) == read("parts-big-endian")
    assert message.decode(read("empty")).array.tolist() == []


# --- Several, limits, mistakes ---


def test_several_behind_each_other():
    records = b"".join(message.encode(array.array("d", range(i)), tag=i) for i in range(5))
    assert [(each.tag, len(each)) for each in message.decode_all(records)] == [(i, i) for i in range(5)]
    assert code_of(records) is ErrorCode.BAD_LENGTH
    with pytest.raises(ProtocolError) as caught:
        list(message.decode_all(records[:-1]))
    assert caught.value.code is ErrorCode.TRUNCATED


def test_limits():
    data = message.encode({"a": array.array("d", range(8)), "b": b"x"})
    assert message.decode(data, max_bytes=72, max_parts=2)["b"].tolist() == [120]
    assert code_of(data, max_bytes=71) is ErrorCode.FRAME_TOO_LARGE
    assert code_of(data, max_parts=1) is ErrorCode.FRAME_TOO_LARGE


@pytest.mark.parametrize(
    "obj, options, words",
    [
        (b"x", {"order": "network"}, "'little' or 'big'"),
        (b"x", {"tag": -1}, "tag=-1"),
        (b"x", {"type": {"a": "boolean"}}, "a dict of arrays"),
        ({"a": b"x"}, {"type": "boolean"}, "name types by a dict"),
        ({"a": b"x"}, {"type": {"b": "boolean"}}, "not there"),
        ({}, {}, "1 to 1024 parts"),
        ([1.0], {}, "buffer protocol"),
        (b"x", {"metadata": {str(i): "" for i in range(17)}}, "strings=17"),
    ],
)
def test_mistakes(obj, options, words):
    with pytest.raises((ValueError, TypeError), match=words):
        message.encode(obj, **options)
    with pytest.raises(ValueError, match="side by side"):
        message.decode(memoryview(bytes(200))[::2])


# --- Hostile bytes ---


@pytest.mark.parametrize("name", ["one", "one-shape", "parts", "names", "types", "zero-dimension", "parts-big-endian"])
def test_every_prefix_is_truncated_and_every_bit_counts(read, name):
    data = read(name)
    for length in range(len(data)):
        assert code_of(data[:length]) is ErrorCode.TRUNCATED, length
    assert code_of(data + b"\0") is ErrorCode.BAD_LENGTH
    if data[HAS_CHECKSUM_AT]:
        for at in range(len(data)):
            for bit in (1, 0x80):
                code_of(data[:at] + bytes([data[at] ^ bit]) + data[at + 1 :])


def at(position, format, value):
    return lambda data: data[:position] + struct.pack(format, value) + data[position + struct.calcsize(format) :]


@pytest.mark.parametrize(
    "name, change, code",
    [
        ("one", at(4, "B", 3), "UNSUPPORTED_VERSION"),
        ("one", at(5, "B", 2), "UNKNOWN_CODE"),
        ("one", at(8, "<H", 3), "UNKNOWN_CODE"),
        ("one", at(12, "<I", 1), "PROTOCOL_VIOLATION"),
        ("one", at(16, "<Q", 1), "PROTOCOL_VIOLATION"),
        ("one", at(56, "<I", 1), "PROTOCOL_VIOLATION"),
        ("parts-big-endian", at(52, "<I", 1), "PROTOCOL_VIOLATION"),
        ("one", at(6, "B", 3), "UNKNOWN_CODE"),  # java-object is for connections
        ("one", at(6, "B", 0), "UNKNOWN_CODE"),
        ("one", at(7, "B", 15), "UNKNOWN_CODE"),
        ("one", at(10, "<H", 65_535), "FRAME_TOO_LARGE"),
        ("one", at(40, "<Q", 1 << 40), "FRAME_TOO_LARGE"),
        ("one", at(32, "<Q", 1 << 63), "BAD_LENGTH"),
        ("one", at(32, "<Q", (1 << 62) + 3), "COUNT_MISMATCH"),
        ("one", at(32, "<Q", 2), "COUNT_MISMATCH"),
        ("one", at(48, "<I", 8), "BAD_LENGTH"),
        ("one", at(10, "<H", 4), "BAD_LENGTH"),
        ("one", at(10, "<H", 16), "TRUNCATED"),
        ("one-shape", at(64, "<H", 9), "UNKNOWN_CODE"),
        ("one-shape", at(64, "<H", 17), "UNKNOWN_CODE"),  # a request is for connections
        ("one-shape", at(72, "<Q", 3), "COUNT_MISMATCH"),
        ("one-shape", at(64 + 24 + 2, "<H", 17), "FRAME_TOO_LARGE"),
        ("parts", at(64 + 80 + 8 + 4, "<I", 1), "MALFORMED_PAYLOAD"),
        ("parts", at(64 + 80 + 8 + 1, "B", 3), "UNKNOWN_CODE"),
        ("parts", at(64 + 80 + 16, "<Q", 4), "COUNT_MISMATCH"),
        ("parts", at(231, "B", 1), "MALFORMED_PAYLOAD"),
        ("parts", at(48, "<I", 24), "BAD_LENGTH"),
        ("parts", at(48, "<I", 32 + 16 * 6), "TRUNCATED"),
        ("parts", at(48, "<I", 32 + 16 * 6 + 1), "BAD_LENGTH"),
        ("parts-blocks", at(64 + 8, "B", 2), "UNKNOWN_CODE"),  # no int in bf16
        ("parts-blocks", at(64 + 8 + 1, "B", 4), "UNKNOWN_CODE"),
        ("parts-blocks", at(168, "<I", 33), "BAD_LENGTH"),
        ("parts-blocks", at(168 + 4, "<I", 4), "BAD_LENGTH"),
        ("parts-blocks", at(168 + 4, "<I", 2), "BAD_LENGTH"),
        ("parts-blocks", at(168, "<I", 12), "COUNT_MISMATCH"),
        ("parts-blocks", at(168 + 15, "B", 1), "MALFORMED_PAYLOAD"),
        ("parts-blocks", at(168 + 28, "B", 1), "MALFORMED_PAYLOAD"),
        ("parts-blocks", at(168 + 39, "B", 1), "MALFORMED_PAYLOAD"),
        ("parts-blocks", lambda data: at(48, "<I", 48)(data) + bytes(8), "BAD_LENGTH"),
        ("parts-blocks", lambda data: at(48, "<I", 24)(data)[:-16], "BAD_LENGTH"),
    ],
)
def test_each_check(read, name, change, code):
    assert code_of(sealed(change(read(name)))) is ErrorCode[code]


def test_random_bytes_and_random_changes(read):
    print(f"ARRAYWIRE_SEED={SEED}")
    seed = random.Random(SEED)
    files = [read(name) for name in ("one", "one-shape", "parts", "named", "names", "types", "types-carried")]
    outcomes = {True: 0, False: 0}
    for _ in range(4000):
        data = bytearray(seed.choice(files))
        for _ in range(seed.randrange(1, 4)):
            data[seed.randrange(len(data))] = seed.choice((0, 1, 2, 8, 0x7F, 0x80, 0xFF, seed.randrange(256)))
        try:
            got = message.decode(sealed(data), max_bytes=1000)
            assert sum(len(memoryview(each).tobytes()) for each in got.parts.values()) <= 1000
            outcomes[True] += 1
        except ProtocolError as error:
            assert error.code is not None
            outcomes[False] += 1
    assert min(outcomes.values()) > 100, outcomes
    for _ in range(2000):
        with pytest.raises(ProtocolError):
            message.decode(seed.randbytes(seed.randrange(200)) if hasattr(seed, "randbytes") else os.urandom(99))


def test_over_a_connection_parts_have_types_of_their_own():
    numpy = pytest.importorskip("numpy")
    mask = numpy.array([True, False, True])
    with arraywire.listen("localhost:0") as listener:
        with arraywire.connect(listener.address) as left, listener.accept(10) as right:
            left.send({"mask": mask, "ids": numpy.arange(3)}, type={"mask": "boolean"})
            got = right.receive_message(10)
            assert got.types == {"mask": "boolean", "ids": "long"} and (got["mask"] == mask).all()
