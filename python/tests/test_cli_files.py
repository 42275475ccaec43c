"""Where files of the command go: names that a peer chooses, files that are there, disks that are full."""

import errno
import os
import stat
import subprocess

import pytest

import arraywire
from arraywire import _cli, _npy
from arraywire._cli import _part, _straight
from arraywire._cli._errors import RefusedName
from arraywire._cli._inputs import in_c_order
from arraywire._cli._names import TravelName
from arraywire._cli._part import KeptParts, PartFile
from commands import Receiver, begun, hidden, refused
from links import eventually

numpy = pytest.importorskip("numpy")
SMALL = numpy.arange(5, dtype="f4")
LARGE = numpy.arange(1 << 19, dtype="f4")  # 2 MiB, which go straight into a file


@pytest.mark.parametrize("array", [SMALL, LARGE], ids=["small", "large"])
@pytest.mark.parametrize(
    "name, words",
    [
        ("../outside.npy", "leads out of the directory"),
        ("/tmp/outside.npy", "leads out of the directory"),
        ("a/../../outside.npy", "leads out of the directory"),
        (".hidden.npy", "leads out of the directory"),
        ("a\\b.npy", "leads out of the directory"),
        ("C:x.npy", "leads out of the directory"),
        ("a\x1b[2Jb.npy", "leads out of the directory"),
        ("a\u202eb.npy", "leads out of the directory"),
        ("a\u2028b.npy", "leads out of the directory"),
        ("a//b.npy", "leads out of the directory"),
        ("noend", "does not end in .npy"),
        ("x" * 241 + ".npy", "has more than 240 bytes"),
        ("a/" * 16 + "b.npy", "is too long"),
        ("a" * 252 + ".npy", "is too long"),
        ("link/x.npy", "is there, and is no directory"),
        ("file/x.npy", "is there, and is no directory"),
        ("taken.npy", "the receiver has a file of that name (name=taken.npy)"),
        ("dangling.npy", "the receiver has a file of that name (name=dangling.npy)"),
    ],
)
def test_a_peer_chooses_no_name_but_a_new_one_below_the_directory(array, name, words, tmp_path):
    out = tmp_path / "out"
    (out / "inner").mkdir(parents=True)
    (tmp_path / "elsewhere").mkdir()
    (out / "link").symlink_to(tmp_path / "elsewhere")
    (out / "file").write_bytes(b"mine")
    (out / "taken.npy").write_bytes(b"mine")
    (out / "dangling.npy").symlink_to(tmp_path / "elsewhere" / "made.npy")
    before = sorted(os.walk(tmp_path))
    with Receiver(out) as receiver:
        said = refused(receiver.address, array, file=name)
        assert words in said and len(said) < 400 and receiver.complaints and words in receiver.complaints[0]
        assert sorted(os.walk(tmp_path)) == before and (out / "taken.npy").read_bytes() == b"mine"
        assert refused(receiver.address, array, file="inner/new/fine.npy") is None
    assert numpy.array_equal(numpy.load(out / "inner" / "new" / "fine.npy"), array) and not hidden(tmp_path)


def test_names_that_travel():
    for text in ("a.npy", "a/b/c.npy", "ä/日本.npy", "a b.npy", "x" * 236 + ".npy"):
        assert str(TravelName.parse(text)) == text
    with pytest.raises(RefusedName, match="not valid Unicode"):
        TravelName.parse("\udcff.npy")


@pytest.mark.parametrize("array", [SMALL, LARGE], ids=["small", "large"])
def test_a_name_that_is_taken_while_an_array_comes_stays_what_it_is(array, tmp_path, monkeypatch):
    become_new = PartFile.become_new

    def later(self, path):
        with open(path, "xb") as file:
            file.write(b"theirs")
        become_new(self, path)

    with Receiver(tmp_path) as receiver:
        monkeypatch.setattr(PartFile, "become_new", later)
        assert "the receiver has a file of that name" in refused(receiver.address, array, file="x.npy")
    assert (tmp_path / "x.npy").read_bytes() == b"theirs" and os.listdir(tmp_path) == ["x.npy"]


def test_two_receivers_take_free_numbers_in_one_directory(tmp_path):
    with Receiver(tmp_path) as one, Receiver(tmp_path) as other:
        for receiver in (one, other, one, other, other):
            assert refused(receiver.address, LARGE) is None
    assert sorted(os.listdir(tmp_path)) == [f"array-00000{k}.npy" for k in range(1, 6)]


def test_numbers_go_on_after_the_highest(tmp_path):
    (tmp_path / "array-000041.npy").write_bytes(b"")
    with Receiver(tmp_path) as receiver:
        assert refused(receiver.address, SMALL) is None and refused(receiver.address, LARGE) is None
    assert sorted(os.listdir(tmp_path)) == ["array-000041.npy", "array-000042.npy", "array-000043.npy"]


def test_an_array_that_breaks_off_leaves_nothing(tmp_path):
    with Receiver(tmp_path) as receiver:
        connection = arraywire.connect(receiver.address)
        with begun(connection, LARGE, [0]):
            eventually(lambda: len(hidden(tmp_path)) == 1)
            connection.close_now()
        eventually(lambda: not hidden(tmp_path))
        eventually(lambda: receiver.complaints)
    assert not os.listdir(tmp_path)


def test_an_array_that_is_withdrawn_leaves_nothing(tmp_path):
    with Receiver(tmp_path) as receiver, arraywire.connect(receiver.address) as connection:
        with begun(connection, LARGE, [0]) as sending:
            eventually(lambda: len(hidden(tmp_path)) == 1)
            with connection._link.lock:
                connection._core.writer.withdraw(sending[0])
            eventually(lambda: not hidden(tmp_path))
        connection.send(LARGE, processed=True)
    assert receiver.files() == ["array-000001.npy"] and not receiver.hidden() and not receiver.complaints


def test_a_full_disk_is_told_before_an_array_comes(tmp_path, monkeypatch):
    with Receiver(tmp_path) as receiver:
        monkeypatch.setattr(_straight, "usable_bytes", lambda path: 1 << 20)
        said = refused(receiver.address, LARGE)
        assert said.startswith("the receiver's disk is full; nothing of the array was kept (bytes=2097152, usableBytes=1048576)")
        assert "make room, or give another place (file=" in receiver.complaints[0]
        monkeypatch.undo()
        assert refused(receiver.address, LARGE) is None  # it ends nothing for others
    assert os.listdir(tmp_path) == ["array-000001.npy"]


@pytest.fixture()
def small_disk(tmp_path):
    """One that is soon full: a tmpfs, which takes root and Linux."""
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", disk], stderr=subprocess.DEVNULL).returncode:
        words = "!!! A FULL DISK WAS NOT TESTED: mount -t tmpfs takes root and Linux !!!"
        pytest.fail(words) if os.environ.get("CI") == "true" else pytest.skip(words)
    yield disk
    subprocess.run(["umount", "-l", disk], check=True)


@pytest.mark.parametrize("array", [SMALL, LARGE], ids=["small", "large"])
def test_a_disk_that_fills_up_meanwhile(array, small_disk, monkeypatch):
    """What others write is not known before. Nothing of the array is left, and the next one is taken."""
    with Receiver(small_disk) as receiver:
        monkeypatch.setattr(_straight, "usable_bytes", lambda path: None)
        with open(small_disk / "other", "wb", buffering=0) as other:
            with pytest.raises(OSError) as full:
                while True:
                    other.write(bytes(4096))
            assert full.value.errno == errno.ENOSPC
        assert "the receiver's disk is full; nothing of the array was kept" in refused(receiver.address, array)
        assert os.listdir(small_disk) == ["other"] and len(receiver.complaints) == 1
        os.unlink(small_disk / "other")
        assert refused(receiver.address, array) is None
    assert len(os.listdir(small_disk)) == 1 and not hidden(small_disk)


def test_a_directory_that_is_gone_ends_the_command(tmp_path):
    out = tmp_path / "out"
    with Receiver(out) as receiver:
        os.rmdir(out)
        assert refused(receiver.address, SMALL) == (
            "the array was not written: no such file or directory; make the directory, or give another place (bytes=20)"
            " (sequence=1)"
        )
        with pytest.raises(Exception, match=rf"the array was not written: .* \(file={out}/array-000001.npy, bytes=20\)"):
            receiver.receiving.wait()


def test_so_many_arrays_and_no_more(tmp_path):
    with Receiver(tmp_path, limit=1) as receiver:
        assert refused(receiver.address, LARGE) is None
        assert "the receiver has all the arrays it was asked for (count=1)" in refused(receiver.address, LARGE)
        receiver.receiving.wait()


def test_a_connection_has_eight_places_for_large_arrays(tmp_path):
    """A peer that declares arrays and sends nothing of them leaves places for others. Further ones come into memory."""
    with Receiver(tmp_path) as receiver, arraywire.connect(receiver.address) as connection:
        with begun(connection, LARGE, range(10)):
            eventually(lambda: len(hidden(tmp_path)) == 8)
            assert refused(receiver.address, LARGE, file="other.npy") is None and len(hidden(tmp_path)) == 8
    assert receiver.files() == [f"array-{k:06d}.npy" for k in range(1, 12) if k != 1] + ["other.npy"]


@pytest.mark.parametrize(
    "codec, dtype",
    [
        *((codec, dtype) for codec in ("raw-le", "raw-be") for dtype in ("f4", "f8", "i2", "u1", "?", ">f8", ">i2")),
        *(("java-object", dtype) for dtype in ("f4", "i2", "?", ">f8")),
        *(("protobuf", dtype) for dtype in ("f4", ">f8")),
    ],
)
@pytest.mark.parametrize("checksums", [False, True])
def test_elements_that_go_straight_into_a_file(dtype, codec, checksums, tmp_path):
    """In every order in which they come, and cut anywhere."""
    made = (numpy.random.default_rng(1).integers(0, 2, 1_200_001) * 1).astype(dtype)
    type = "boolean" if dtype == "?" else None
    with Receiver(tmp_path, checksums=checksums) as receiver, arraywire.connect(receiver.address, checksums=checksums) as connection:
        connection.send(made[:120_001] if checksums else made, type=type, codec=codec, processed=True)
    found = numpy.load(tmp_path / "array-000001.npy")
    assert numpy.array_equal(found, made[:120_001] if checksums else made) and found.dtype == made.dtype.newbyteorder("<")


@pytest.mark.parametrize("codec", ["shuffle-zstd", "bf16", "fp16"])
def test_blocks_go_straight_into_a_file(codec, tmp_path):
    made = numpy.arange(1 << 19, dtype="f4") % 100
    with Receiver(tmp_path) as receiver, arraywire.connect(receiver.address) as connection:
        connection.send(made, codec=codec, processed=True)
    assert numpy.array_equal(numpy.load(tmp_path / "array-000001.npy"), made)


def test_what_is_discarded_may_be_a_message_of_parts(tmp_path):
    with Receiver(None) as receiver, arraywire.connect(receiver.address) as connection:
        connection.send({"ids": SMALL}, processed=True)
        assert receiver.receiving.arrays == 1 and receiver.receiving.bytes == 24


# --- Parts ---


def test_a_part_that_is_kept_is_for_one_at_a_time(tmp_path):
    path = _part.kept_path(str(tmp_path / "a.npy"), "a.npy")
    parts, others = KeptParts(), KeptParts()
    part = parts.claim(path, True)
    with pytest.raises(_part.PartInUse):
        parts.claim(path, False)
    held = subprocess.run(
        ["python3", "-c", f"import fcntl; fcntl.lockf(open({path!r}, 'r+'), fcntl.LOCK_EX | fcntl.LOCK_NB)"], stderr=subprocess.PIPE
    )
    assert held.returncode and b"BlockingIOError" in held.stderr  # for other processes, too
    os.write(part.fd, b"x")
    parts.release(path, part)
    part = others.claim(path, False)
    assert part.size == 1
    part.discard()
    others.release(path, part)
    assert not os.listdir(tmp_path) and parts.claim(path, False) is None


def test_a_part_is_no_link(tmp_path):
    (tmp_path / "mine").write_bytes(b"mine")
    path = _part.kept_path(str(tmp_path / "a.npy"), "a.npy")
    os.symlink(tmp_path / "mine", path)
    assert PartFile.kept_at(path, True) is None and (tmp_path / "mine").read_bytes() == b"mine"


def test_hidden_files_are_those_of_java():
    """CRC-32C of the name, whose value for these nine digits is known, without the first bit."""
    assert _part.kept_path("x/a.npy", "123456789") == f"x/.a.npy.{0xE3069283 & 0x7FFFFFFF:08x}.part"


def test_a_new_file_has_the_rights_that_every_new_file_has(tmp_path):
    with Receiver(tmp_path) as receiver:
        assert refused(receiver.address, LARGE) is None
    (tmp_path / "usual").write_bytes(b"")
    mode = stat.S_IMODE(os.stat(tmp_path / "array-000001.npy").st_mode)
    assert mode == stat.S_IMODE(os.stat(tmp_path / "usual").st_mode)


# --- What is sent ---


@pytest.mark.parametrize("shape", [(3, 4), (2, 3, 4), (1, 5, 1, 2), (7, 1), (2, 2, 2, 2, 3)])
@pytest.mark.parametrize("dtype", ["u1", "i2", "f4", "f8"])
def test_fortran_order_without_numpy(shape, dtype, monkeypatch):
    made = numpy.arange(numpy.prod(shape)).astype(dtype).reshape(shape)
    content = memoryview(numpy.asfortranarray(made).tobytes(order="A"))
    assert bytes(in_c_order(content, made.itemsize, shape)) == made.tobytes()
    monkeypatch.setattr("arraywire._memory.numpy", None)
    assert bytes(in_c_order(content, made.itemsize, shape)) == made.tobytes()


@pytest.mark.parametrize(
    "content, words",
    [
        (b"", "not a .npy file; make one with numpy.save"),
        (b"PK\x03\x04rest", "an archive, as .npz files are"),
        (b"\x93NUMPY", "the file ends too early"),
        (b"\x93NUMPY\x01\x00", "Errno|ends too early"),
        (b"\x93NUMPY\x04\x00\x00\x00", "a version of the .npy format that is not known"),
        (b"\x93NUMPY\x02\x00\xff\xff\xff\xff", "the header is too long"),
        (b"\x93NUMPY\x01\x00\xff\x00{", "the file ends too early"),
        ({"descr": "<f4", "fortran_order": False, "shape": (-1,)}, "not one that NumPy writes"),
        ({"descr": "<f4", "fortran_order": False, "shape": (True,)}, "not one that NumPy writes"),
        ({"descr": "<f4", "fortran_order": False, "shape": [1]}, "not one that NumPy writes"),
        ({"descr": "<f4", "fortran_order": 0, "shape": (1,)}, "not one that NumPy writes"),
        ({"descr": "<f4", "shape": (1,)}, "not one that NumPy writes"),
        ({"descr": 7, "fortran_order": False, "shape": (1,)}, "not one that NumPy writes"),
        ({"descr": "<f4", "fortran_order": False, "shape": (1 << 62, 1 << 62)}, "more elements than any file"),
        ({"descr": "<f4", "fortran_order": False, "shape": (3,)}, "the file ends too early"),
        ({"descr": "<f4", "fortran_order": False, "shape": ()}, "bytes after the last element"),
        ({"descr": "<f4", "fortran_order": False, "shape": (1,) * 65}, "too many dimensions"),
        ({"descr": [("x", "<f4")], "fortran_order": False, "shape": (1,)}, "holds records"),
        ({"descr": "|O", "fortran_order": False, "shape": (1,)}, "keeps the values if they are Python floats"),
        ({"descr": "<M8[ns]", "fortran_order": False, "shape": (1,)}, "keeps the ticks"),
        ({"descr": "|f4", "fortran_order": False, "shape": (1,)}, "no primitive array can hold"),
        ("__import__('os').abort()", "not one that NumPy writes"),
        ("(" * 5000, "not one that NumPy writes"),
    ],
)
def test_files_that_lie(content, words, tmp_path):
    path = tmp_path / "x.npy"
    if not isinstance(content, bytes):
        text = (content if isinstance(content, str) else repr(content)).encode() + b"\n"
        content = b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text + bytes(8)
    path.write_bytes(content)
    with pytest.raises(_npy.NpyError, match=words):
        _npy.layout(str(path))
    assert _cli.main(["send", "--to", "localhost:1", str(path)]) == 1
