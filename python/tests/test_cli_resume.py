"""``send --resume``: what breaks off goes on, between the commands of Python and of Java, and whatever a peer says."""

import array
import hashlib
import os
import re

import pytest

import arraywire
from arraywire import _cli, _npy
from arraywire._cli import _desk, _part, _resuming
from arraywire._types import BY_NAME
from arraywire.errors import ErrorCode
from commands import CutWire, Receiver, hidden
from links import eventually

numpy = pytest.importorskip("numpy")
MADE = numpy.random.default_rng(7).random((1000, 1000), "f4")  # 4 MB
OTHER = numpy.random.default_rng(8).random((1000, 1000), "f4")


@pytest.fixture()
def ends(python, command):
    return {"python": python, "java": command}


@pytest.fixture()
def big(tmp_path):
    numpy.save(tmp_path / "big.npy", MADE)
    return str(tmp_path / "big.npy")


def send(*words):
    return _cli.main(["send", "--resume", *map(str, words)])


@pytest.mark.parametrize(
    "sender, first, second",
    [("python", "python", "python"), ("java", "python", "java"), ("python", "java", "python"), ("java", "java", "python")],
)
def test_what_broke_off_goes_on(ends, sender, first, second, big, tmp_path):
    """One command goes on with what the other has kept, after the receiver was killed."""
    out = tmp_path / "out"
    receiving = ends[first]("receive", "--listen", "localhost:0", "--out", out)
    with CutWire(receiving.line("listening on "), 2_500_000) as wire:
        sending = ends[sender]("send", "--resume", "--to", wire.address, big)
        sending.fails("; the same command sends the rest")
    eventually(lambda: receiving.err)
    (kept,) = hidden(out)
    assert os.path.basename(kept) == os.path.basename(_part.kept_path("big.npy", "big.npy"))
    assert 2_000_000 < os.path.getsize(kept) < 2_500_000
    says = f"{os.path.getsize(kept) - 128} of 4000000 bytes of big.npy are kept; the same 'arraywire send --resume' sends the rest"
    assert receiving.err[0].endswith(f"; {says} (part={kept})\n")
    receiving.stop()
    receiving = ends[second]("receive", "--listen", "localhost:0", "--out", out)
    to = receiving.line("listening on ")
    sending = ends[sender]("send", "--resume", "--verify", "--to", to, big)
    sending.succeeds()
    there = (os.path.getsize(out / "big.npy") - os.path.getsize(big)) or int(
        sending.line(f"sent {big} to {to}: float (1000, 1000), 4000000 bytes (").partition(" ")[0]
    )
    assert 2_000_000 < there < 2_500_000 and f" bytes ({there} were there) in " in receiving.line("array 1 from 127.0.0.1:")
    assert (out / "big.npy").read_bytes() == open(big, "rb").read() and not hidden(out)
    for each in {"python", sender}:
        again = ends[each]("send", "--resume", "--to", to, big)
        again.succeeds()
        assert again.line("") == f"skipped {big}: the receiver has it, bit for bit"
    numpy.save(big, OTHER)
    for each in {"python", sender}:
        other = ends[each]("send", "--resume", "--to", to, big)
        other.fails("the far side refused the array: the receiver has a file of that name (name=big.npy)")


@pytest.fixture()
def receiver(tmp_path):
    with Receiver(tmp_path / "out") as made:
        yield made


def cut(receiver, path, most=2_500_000):
    """Sends some of a file, which is kept."""
    with CutWire(receiver.address, most) as wire:
        assert send("--to", wire.address, path) == 1
    eventually(lambda: receiver.complaints and not receiver.receiving.straight._open)
    receiver.complaints.clear()
    return hidden(receiver.out)


def test_a_directory_goes_on_with_the_file_that_broke_off(receiver, tmp_path, capsys):
    (tmp_path / "tree").mkdir()
    for k in range(3):
        numpy.save(tmp_path / "tree" / f"{k}.npy", MADE + k)
    cut(receiver, tmp_path / "tree", 6_500_000)
    assert "it was array 2 of 3" in capsys.readouterr().err and receiver.files() == ["tree/0.npy"]
    assert send("--to", receiver.address, tmp_path / "tree") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("skipped") and "were there" in lines[1] and "were there" not in lines[2]
    assert receiver.files() == [f"tree/{k}.npy" for k in range(3)] and not receiver.hidden()
    for k in range(3):
        assert numpy.array_equal(numpy.load(tmp_path / "out" / "tree" / f"{k}.npy"), MADE + k)


@pytest.mark.parametrize("dtype", [">f4", "?", ">i8"])
def test_the_rest_of_a_file_in_another_order(dtype, receiver, tmp_path, capsys):
    made = (MADE > 0.5) if dtype == "?" else (MADE * 1000).astype(dtype)
    made = numpy.concatenate([made] * 4).astype(dtype)
    numpy.save(tmp_path / "x.npy", made)
    cut(receiver, tmp_path / "x.npy")
    assert send("--to", receiver.address, tmp_path / "x.npy") == 0
    assert "were there" in capsys.readouterr().out
    found = numpy.load(tmp_path / "out" / "x.npy")
    assert numpy.array_equal(found, made) and found.dtype.byteorder in "=|"


def test_a_file_that_changed_since_is_sent_as_a_whole(receiver, big, capsys):
    cut(receiver, big)
    numpy.save(big, OTHER)
    assert send("--to", receiver.address, big) == 0
    assert f"arraywire send: all of {big} is sent: what the receiver has is not its beginning" in capsys.readouterr().err
    assert (open(big, "rb").read() == open(receiver.out + "/big.npy", "rb").read()) and not receiver.hidden()


def test_a_part_that_was_tampered_with_is_no_beginning(receiver, big, capsys):
    (kept,) = cut(receiver, big)
    with open(kept, "r+b") as file:
        file.seek(1_000_000)
        file.write(b"!")
    assert send("--to", receiver.address, big) == 0
    assert "is not its beginning" in capsys.readouterr().err
    assert open(big, "rb").read() == open(receiver.out + "/big.npy", "rb").read()


def test_a_file_that_changes_while_it_is_compared_is_not_sent(receiver, big, capsys, monkeypatch):
    from arraywire._cli._files import ArrayFile

    cut(receiver, big)
    digest = ArrayFile.digest

    def changing(self, elements=None):
        made = digest(self, elements)
        os.utime(big, ns=(1, 1))
        return made

    monkeypatch.setattr(ArrayFile, "digest", changing)
    assert send("--to", receiver.address, big) == 1
    assert "the file changed while its beginning was compared" in capsys.readouterr().err
    assert receiver.files() == [] and len(receiver.hidden()) == 1


def test_a_target_that_appeared_meanwhile_stays_what_it_is(receiver, big, capsys):
    cut(receiver, big)
    with open(receiver.out + "/big.npy", "wb") as file:
        file.write(b"theirs")
    assert send("--to", receiver.address, big) == 1
    assert "the receiver has a file of that name (name=big.npy)" in capsys.readouterr().err
    assert open(receiver.out + "/big.npy", "rb").read() == b"theirs"


def test_a_receiver_that_keeps_nothing_is_named(big, tmp_path, capsys, ends):
    with Receiver(None) as nowhere, arraywire.listen("localhost:0", lambda each: None) as program:
        for address, why in ((nowhere.address, _desk.NO_FILES), (program.address, "this program answers no requests")):
            assert send("--to", address, big) == 1
            assert f"start 'arraywire receive --out DIR' or '--out FILE.npy' there, or leave out --resume (file={big}, receiver={why})" in (
                capsys.readouterr().err
            )
    for end in ("python", "java"):
        into = ends[end]("receive", "--listen", "localhost:0", "--into", tmp_path / f"{end}.npy")
        assert send("--to", into.line("listening on "), big) == 1
        assert "receiver=the receiver has --into: it takes one sent array" in capsys.readouterr().err


# --- What a stranger asks ---


def ask(connection, name="big.npy", type="float", shape=(1000, 1000), **metadata):
    reply = connection.call(array.array("q", shape), 10, metadata={"file": name, "type": type, **metadata})
    return reply.metadata["state"], int(reply.array[0])


@pytest.mark.parametrize(
    "question, words",
    [
        ({"name": "../big.npy"}, "leads out of the directory"),
        ({"name": "/big.npy"}, "leads out of the directory"),
        ({"name": "link/x.npy"}, "is there, and is no directory"),
        ({"type": "complex"}, "is not understood"),
        ({"shape": (-1,)}, "is not understood"),
        ({"shape": (1,) * 65}, "is not understood"),
        ({"shape": (1 << 62, 1 << 62)}, "is not understood"),
        ({"elements": "5"}, "is not understood"),
        ({"sha256": "0" * 64}, "is not understood"),
        ({"elements": "-5", "sha256": "0" * 64}, "is not understood"),
        ({"elements": "5", "sha256": "0" * 63}, "is not understood"),
        ({"elements": "1000001", "sha256": "0" * 64}, "is not understood"),
    ],
)
def test_questions_that_are_none(receiver, question, words, tmp_path):
    os.symlink(tmp_path, receiver.out + "/link")
    with arraywire.connect(receiver.address) as connection:
        with pytest.raises(arraywire.RejectedError, match=words):
            ask(connection, **question)
        with pytest.raises(arraywire.RejectedError, match="which takes arrays and answers no requests"):
            connection.call(MADE)
        with pytest.raises(arraywire.RejectedError, match="is not understood"):
            connection.call(MADE, metadata={"file": "x.npy", "type": "float"})
        assert ask(connection) == ("nothing", 0)


def test_what_a_stranger_learns_of_a_file(receiver, tmp_path):
    """How much there is of a file whose name, type and shape it knows. What is in it, only if it knows that."""
    numpy.save(receiver.out + "/big.npy", MADE)
    right = hashlib.sha256(MADE.tobytes()).hexdigest()
    with arraywire.connect(receiver.address) as connection:
        assert ask(connection) == ("whole", 1_000_000)
        assert ask(connection, shape=(1_000_000,)) == ("other-whole", 0)
        assert ask(connection, type="int") == ("other-whole", 0)
        assert ask(connection, elements="1000000", sha256=right) == ("whole", 1_000_000)
        assert ask(connection, elements="1000000", sha256="0" * 64) == ("other-whole", 0)
        assert ask(connection, elements="5", sha256="0" * 64) == ("other-whole", 0)
        os.symlink(receiver.out + "/big.npy", receiver.out + "/link.npy")
        assert ask(connection, name="link.npy") == ("other-whole", 0)


def test_nobody_goes_on_behind_what_it_has_not_shown(receiver, big):
    cut(receiver, big)
    before = open(hidden(receiver.out)[0], "rb").read()
    rest = MADE.ravel()[100:]
    with arraywire.connect(receiver.address) as connection:

        def refused(**metadata):
            with pytest.raises(arraywire.RejectedError) as error:
                connection.send(rest, processed=True, metadata={"file": "big.npy", "resume-from": "100", **metadata})
            return error.value.text

        assert "the receiver does not hold the elements before these" in refused()
        ask(connection)
        assert "the receiver does not hold the elements before these" in refused()
        assert ask(connection, elements="100", sha256="0" * 64) == ("other-part", 0)
        assert "the receiver does not hold the elements before these" in refused()
        for wrong in ("-1", "1e3", "x", ""):
            assert "must carry the file's name and the number of elements before it" in refused(**{"resume-from": wrong})
        right = hashlib.sha256(MADE.tobytes()[:400]).hexdigest()
        assert ask(connection, elements="100", sha256=right) == ("part", 100)
        assert "the receiver does not hold the elements before these" in refused(**{"resume-from": "101"})
        assert open(hidden(receiver.out)[0], "rb").read() == before
        assert ask(connection, elements="100", sha256=right) == ("part", 100)
        connection.send(rest, processed=True, metadata={"file": "big.npy", "resume-from": "100"})
    assert open(receiver.out + "/big.npy", "rb").read() == open(big, "rb").read() and not receiver.hidden()


def test_one_sender_at_a_time_goes_on(receiver, big):
    (kept,) = cut(receiver, big)
    with arraywire.connect(receiver.address) as one, arraywire.connect(receiver.address) as other:
        state, count = ask(one)
        assert state == "part" and count > 500_000 and ask(other) == ("busy", 0)
        # A sender without the question gets a hidden file of its own, and the first one to be whole has the name.
        other.send(OTHER, processed=True, metadata={"file": "big.npy"})
        assert numpy.array_equal(numpy.load(receiver.out + "/big.npy"), OTHER)
        one.close()
        eventually(lambda: not receiver.receiving.desk._offers)
        assert ask(other) == ("whole", 1_000_000) and os.path.exists(kept)


def test_a_connection_that_ends_gives_back_what_it_asked_for(receiver, big):
    cut(receiver, big)
    one = arraywire.connect(receiver.address)
    assert ask(one)[0] == "part"
    one.close_now()
    with arraywire.connect(receiver.address) as other:
        eventually(lambda: ask(other)[0] == "part")


# --- What a receiver answers ---


@pytest.mark.parametrize(
    "state, content, words",
    [
        ("bogus", array.array("q", [0]), "is not understood"),
        (None, array.array("q", [0]), "is not understood"),
        ("part", array.array("q", [0]), "cannot have so many elements"),
        ("part", array.array("q", [-5]), "cannot have so many elements"),
        ("part", array.array("q", [1_000_001]), "cannot have so many elements"),
        ("whole", array.array("q", [5]), "cannot have so many elements"),
        ("nothing", array.array("q", [5]), "cannot have so many elements"),
        ("part", array.array("q", [1, 2]), "is not understood"),
        ("part", array.array("q", []), "is not understood"),
        ("part", array.array("d", [1.0]), "is not understood"),
        ("part", MADE, "larger than the peer accepts|could not be sent"),
    ],
)
def test_answers_that_are_none(state, content, words, big, capsys):
    """Nothing is sent then, however much of the file the receiver pretends to have."""
    came = []

    def answer(request):
        request.reply(content, metadata={} if state is None else {"state": state})

    with arraywire.listen("localhost:0", came.append, answer=answer) as listener:
        assert send("--to", listener.address, big) == 1
    said = capsys.readouterr().err.splitlines()[-1]
    assert re.search(words, said) and not came


def test_a_receiver_that_changes_its_mind(big, capsys):
    """It has said how much it has, and then that it has less: it must have what it was asked about."""
    answers = iter([("part", 500_000), ("part", 400_000)])

    def answer(request):
        state, count = next(answers)
        request.reply(array.array("q", [count]), metadata={"state": state})

    with arraywire.listen("localhost:0", lambda each: None, answer=answer) as listener:
        assert send("--to", listener.address, big) == 1
    assert "the receiver cannot have so many elements of the file; leave out --resume" in capsys.readouterr().err


def test_a_receiver_that_has_no_room_is_asked_again(big, capsys):
    asked = []

    def answer(request):
        asked.append(request)
        if len(asked) < 3:
            request._by._fail(request._received, "no memory now", ErrorCode.MEMORY_BUDGET)
        else:
            request.reply(array.array("q", [0]), metadata={"state": "nothing"})

    with arraywire.listen("localhost:0", lambda each: None, answer=answer) as listener:
        assert send("--to", listener.address, big) == 0
    assert "the receiver has no room for the question about" in capsys.readouterr().err and len(asked) == 3


def test_a_busy_receiver_is_given_up_after_a_while(big, capsys, monkeypatch):
    monkeypatch.setattr(_resuming.Resuming.__init__, "__defaults__", (0.2,))

    def answer(request):
        request.reply(array.array("q", [0]), metadata={"state": "busy"})

    with arraywire.listen("localhost:0", lambda each: None, answer=answer) as listener:
        assert send("--to", listener.address, big) == 1
    assert "the receiver takes a file of that name from another sender" in capsys.readouterr().err


def test_many_that_compare_are_asked_to_wait(receiver):
    """Eight files are read at a time; each takes a thread and the disk."""
    numpy.save(receiver.out + "/big.npy", MADE)
    for _ in range(_desk.MOST):
        assert receiver.receiving.desk._readers.acquire(blocking=False)
    with arraywire.connect(receiver.address) as connection:
        right = hashlib.sha256(MADE.tobytes()).hexdigest()
        assert ask(connection, elements="1000000", sha256=right) == ("busy", 0)
        receiver.receiving.desk._readers.release()
        assert ask(connection, elements="1000000", sha256=right) == ("whole", 1_000_000)


def test_two_files_of_one_name_keep_their_own_parts(receiver, tmp_path):
    """Directories are made when a file is whole, so both parts are in the same one."""
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        numpy.save(tmp_path / name / "x.npy", MADE if name == "a" else OTHER)
        cut(receiver, tmp_path / name)
    assert len(receiver.hidden()) == 2 and {os.path.dirname(each) for each in receiver.hidden()} == {receiver.out}
    for name in ("a", "b"):
        assert send("--to", receiver.address, tmp_path / name) == 0
    assert receiver.files() == ["a/x.npy", "b/x.npy"] and not receiver.hidden()
    assert numpy.array_equal(numpy.load(receiver.out + "/b/x.npy"), OTHER)


def test_headers_are_compared_byte_by_byte():
    """So both commands write the same ones, of every type and shape."""
    for type in BY_NAME.values():
        assert len(_npy.header_bytes(type, (3, 4))) % 64 == 0
    assert _npy.header_bytes(BY_NAME["bf16"], (5,)).startswith(b"\x93NUMPY\x01\x00v\x00{'descr': '<V2', 'fortran_order': False, 'shape': (5,), }")
