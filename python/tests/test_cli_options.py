"""Each option of the command: between two ends in Python, and with ./arraywire at either end."""

import contextlib
import io
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading

import pytest

import arraywire
from arraywire import _cli
from arraywire._cli import _parser, _progress, _stats
from commands import Receiver, hidden
from links import eventually

numpy = pytest.importorskip("numpy")
MADE = numpy.arange(300_000, dtype="f4").reshape(300, 1000) % 100  # 1.2 MB, which go straight into a file


@pytest.fixture()
def made(tmp_path):
    numpy.save(tmp_path / "made.npy", MADE)
    return str(tmp_path / "made.npy")


@pytest.fixture()
def tree(tmp_path):
    """A directory, with what is sent of it and what is not."""
    (tmp_path / "tree" / "inner" / ".git").mkdir(parents=True)
    numpy.save(tmp_path / "tree" / "a.npy", MADE)
    numpy.save(tmp_path / "tree" / "inner" / "b.npy", numpy.asfortranarray(MADE[:3]))
    numpy.savez(tmp_path / "tree" / "c.npz", one=MADE[:2], two=numpy.arange(4, dtype=">i8"))
    numpy.save(tmp_path / "tree" / ".hidden.npy", MADE)
    numpy.save(tmp_path / "tree" / "inner" / ".git" / "x.npy", MADE)
    (tmp_path / "tree" / "notes.txt").write_text("no array")
    (tmp_path / "tree" / "link.npy").symlink_to(tmp_path / "tree" / "a.npy")
    return tmp_path / "tree"


TREE = ["tree/a.npy", "tree/c/one.npy", "tree/c/two.npy", "tree/inner/b.npy"]


def check_tree(out):
    found = sorted(os.path.relpath(os.path.join(way, each), out) for way, _, files in os.walk(out) for each in files)
    assert found == TREE
    for name, wanted in zip(TREE, (MADE, MADE[:2], numpy.arange(4), MADE[:3])):
        loaded = numpy.load(out / name)
        assert numpy.array_equal(loaded, wanted) and loaded.flags.c_contiguous and loaded.dtype.byteorder in "=<|"


@contextlib.contextmanager
def encodings():
    """A listener that keeps arrays, and how they came."""
    found = []
    with arraywire.listen("localhost:0", lambda each: found.append((each._received.encoding.name, each))) as listener:
        yield listener.address, found


def send(*words):
    return _cli.main(["send", *map(str, words)])


BOTH = pytest.mark.parametrize("sender, receiver", [("python", "python"), ("java", "python"), ("python", "java")])


@pytest.fixture()
def ends(python, command):
    """Starts a command in Python or in Java."""
    return {"python": python, "java": command}


# --- What travels ---


@BOTH
def test_directories_archives_and_verify(ends, sender, receiver, tree, tmp_path):
    """Also what both ends say the SHA-256 of elements is."""
    receiving = ends[receiver]("receive", "--listen", "localhost:0", "--out", tmp_path / "out", "--count", 4)
    sending = ends[sender]("send", "--verify", "--to", receiving.line("listening on "), tree)
    sending.succeeds()
    receiving.succeeds()
    check_tree(tmp_path / "out")
    shown = [line.split(" to ")[0] for line in sending.lines()]
    assert shown == [f"sent {tree}/{each}" for each in ("a.npy", "c.npz/one.npy", "c.npz/two.npy", "inner/b.npy")]
    assert all(" MB/s, verified -> " in line for line in receiving.lines())


@BOTH
def test_skip_existing(ends, sender, receiver, tree, tmp_path):
    receiving = ends[receiver]("receive", "--listen", "localhost:0", "--out", tmp_path / "out")
    to = receiving.line("listening on ")
    (tmp_path / "out" / "tree" / "c").mkdir(parents=True)
    (tmp_path / "out" / "tree" / "c" / "one.npy").write_bytes(b"mine")
    stopped = ends[sender]("send", "--to", to, tree)
    stopped.fails(
        "the far side refused the array: the receiver has a file of that name (name=tree/c/one.npy); it was array 2 of 4,"
        f" {tree}/c.npz/one.npy: 1 sent, 2 not tried; --skip-existing leaves out what the receiver has"
    )
    going = ends[sender]("send", "--skip-existing", "--json", "--to", to, tree)
    going.succeeds()
    events = [json.loads(line) for line in going.lines()]
    assert [each["event"] for each in events] == ["skipped", "skipped", "sent", "sent"]
    assert events[0] == {"event": "skipped", "file": f"{tree}/a.npy", "to": to}
    assert (tmp_path / "out" / "tree" / "c" / "one.npy").read_bytes() == b"mine" and not hidden(tmp_path)


def test_a_reason_that_quotes_the_words_is_none(made, tree, capsys):
    """--skip-existing leaves out what the receiver has, and nothing else."""

    def refuse(message):
        raise ValueError("no: the receiver has a file of that name (name=x)")

    with arraywire.listen("localhost:0", refuse) as listener:
        assert send("--skip-existing", "--to", listener.address, tree) == 1
    assert "0 sent, 3 not tried" in capsys.readouterr().err


def test_verify_refuses_what_is_not_what_was_sent(tmp_path):
    with Receiver(tmp_path) as receiver, arraywire.connect(receiver.address) as connection:
        for array in (MADE, MADE[:1]):
            for sha256 in ("0" * 64, "no digest"):
                with pytest.raises(arraywire.RejectedError, match="the file that was written is not the one that was sent"):
                    connection.send(array, processed=True, metadata={"sha256": sha256, "file": "x.npy"})
    assert not os.listdir(tmp_path) and len(receiver.complaints) == 4


@BOTH
def test_pipes(ends, sender, receiver, made, tmp_path):
    """``send -`` reads standard input; ``receive --out -`` writes .npy files there, and its lines to standard error."""
    receiving = ends[receiver]("receive", "--listen", "localhost:0", "--out", "-", "--count", 2, "--json", text=False)
    came = []
    reader = threading.Thread(target=lambda: came.append(receiving.process.stdout.read()))
    reader.start()
    eventually(lambda: receiving.err)
    to = "localhost:%d" % json.loads(receiving.err[0])["port"]
    with open(made, "rb") as content:
        sending = ends[sender]("send", "--to", to, "-", stdin=content)
        sending.succeeds()
    assert sending.line(f"sent - to {to}: float (300, 1000), ")
    sending = ends[sender]("send", "--to", to, "--raw", "int", "-", stdin=subprocess.PIPE)
    sending.process.stdin.write("12341234")
    sending.process.stdin.close()
    sending.succeeds()
    receiving.succeeds()
    reader.join()
    stream = io.BytesIO(came[0])
    loaded, last = numpy.load(stream), numpy.load(stream)
    assert numpy.array_equal(loaded, MADE) and last.tobytes() == b"12341234" and last.dtype == "<i4" and not stream.read()
    events = [json.loads(each) for each in receiving.err]
    assert [each["event"] for each in events] == ["listening", "array", "array"] and events[1]["file"] is None


def test_what_is_sent_of_the_library_has_no_say_in_where_the_pipe_goes(python, tmp_path):
    """Names do not matter there."""
    receiver = python("receive", "--listen", "localhost:0", "--out", tmp_path / "one.npy")
    with arraywire.connect(receiver.line("listening on ")) as connection:
        connection.send(MADE, processed=True, metadata={"file": "../x.npy"})
    receiver.succeeds()
    assert numpy.array_equal(numpy.load(tmp_path / "one.npy"), MADE)


# --- How it travels ---


@pytest.mark.parametrize("codec", list(_parser.CODECS))
@pytest.mark.parametrize("dtype", ["<f4", ">f4"])
def test_codec(codec, dtype, tmp_path, capsys):
    numpy.save(tmp_path / "x.npy", MADE.astype(dtype))
    with encodings() as (to, found):
        assert send("--codec", codec, "--transport", "stream", "--to", to, tmp_path / "x.npy") == 0
        assert found[0][0] == _parser.CODECS[codec] and numpy.array_equal(found[0][1].array, MADE)


@pytest.mark.parametrize("dtype, encoding", [("<f8", "raw-le"), (">f8", "raw-be"), (">i1", "raw-le")])
def test_elements_travel_as_they_lie(dtype, encoding, tmp_path, capsys):
    numpy.save(tmp_path / "x.npy", numpy.arange(100).astype(dtype))
    with encodings() as (to, found):
        assert send("--to", to, tmp_path / "x.npy") == 0
        assert found[0][0] == encoding and numpy.array_equal(found[0][1].array, numpy.arange(100))


@pytest.mark.parametrize("sender, receiver", [("java", "python"), ("python", "java")])
def test_codec_with_java(ends, sender, receiver, made, tmp_path):
    codecs = ["direct-be", "object-stream", "protobuf", "data-output"]
    receiving = ends[receiver]("receive", "--listen", "localhost:0", "--out", tmp_path, "--codec", "direct-be", "--count", 4)
    to = receiving.line("listening on ")
    for each in codecs:
        ends[sender]("send", "--codec", each, "--transport", "stream", "--to", to, made).succeeds()
    receiving.succeeds()
    for number in range(1, len(codecs) + 1):
        assert numpy.array_equal(numpy.load(tmp_path / f"array-{number:06d}.npy"), MADE)


@pytest.mark.parametrize("words, encoding", [("", "shuffle-zstd"), ("shuffle-zstd", "shuffle-zstd"), ("bf16", "bf16"), ("fp16", "fp16")])
@pytest.mark.parametrize("dtype", ["<f4", ">f4"])
def test_compress(words, encoding, dtype, tmp_path, capsys):
    numpy.save(tmp_path / "x.npy", MADE.astype(dtype))
    with encodings() as (to, found):
        assert send("--to", to, *filter(None, ["--compress", words]), tmp_path / "x.npy") == 0
        assert found[0][0] == encoding and numpy.array_equal(found[0][1].array, MADE)
        wire = found[0][1]._received.wire
    line = capsys.readouterr().out
    assert re.search(rf" until acknowledged, {encoding} \({wire} on the wire, ratio [\d.]+\)\n$", line)


@pytest.mark.parametrize("sender, receiver", [("java", "python"), ("python", "java")])
def test_compress_with_java(ends, sender, receiver, made, tmp_path):
    names = ["shuffle-zstd", "fp16"]
    receiving = ends[receiver]("receive", "--listen", "localhost:0", "--out", tmp_path, "--count", len(names), "--json")
    to = "localhost:%d" % json.loads(receiving.line(""))["port"]
    for number, each in enumerate(names, 1):
        sending = ends[sender]("send", f"--compress={each}", "--json", "--to", to, made)
        sending.succeeds()
        sent, came = json.loads(sending.line("")), json.loads(receiving.line(""))
        assert sent["compression"] == each and sent["wireBytes"] == came["wireBytes"] < MADE.nbytes
        assert sent["ratio"] == came["ratio"] == MADE.nbytes / sent["wireBytes"]
        assert numpy.array_equal(numpy.load(tmp_path / f"array-{number:06d}.npy"), MADE)
    receiving.succeeds()


def test_what_the_peer_does_not_decode_is_not_sent(ends, made, tmp_path):
    receiving = ends["python"]("receive", "--listen", "localhost:0", "--into", tmp_path / "x.npy")
    to = receiving.line("listening on ")
    for end in ("python", "java"):
        sending = ends[end]("send", "--compress", "--to", to, made)
        sending.fails("the receiver cannot decode that; leave out --compress", "'arraywire receive --into' decodes nothing")
    assert not (tmp_path / "x.npy").exists()


def test_compress_without_a_module_for_zstd(made, monkeypatch, capsys):
    monkeypatch.setattr("arraywire._blocks.writable", lambda: ())
    assert send("--compress", "--to", "localhost:1", made) == 1
    assert "pip install 'arraywire[zstd]', or leave out --compress" in capsys.readouterr().err


@pytest.mark.parametrize("technique", ["mapped", "array", "heap", "stream"])
@pytest.mark.parametrize("dtype", ["<f4", ">f4", "?"])
def test_technique(technique, dtype, tmp_path, capsys):
    wanted = MADE.astype(dtype)
    numpy.save(tmp_path / "x.npy", wanted)
    status = 2 if dtype == "?" and technique != "array" else 0
    with encodings() as (to, found):
        for options in ([], ["--codec", "raw-be"], ["--codec", "raw-le"]):
            assert send("--technique", technique, *options, "--repeat", 3, "--to", to, tmp_path / "x.npy") == status
        assert len(found) == (0 if status else 9) and all(numpy.array_equal(each[1].array, wanted) for each in found)


@pytest.mark.parametrize("technique", ["mapped", "heap", "stream"])
def test_a_file_that_becomes_shorter_while_it_is_sent(technique, tmp_path, capsys, monkeypatch):
    """It is said, at once, and nothing of it arrives."""
    path = tmp_path / "x.npy"
    numpy.save(path, numpy.zeros(64 << 20, "u1"))
    from arraywire._cli import _files

    def shorter(self):
        check(self)
        os.truncate(path, 1 << 20)

    check = _files.ArrayFile.check
    with Receiver(tmp_path / "out") as receiver:
        monkeypatch.setattr("arraywire._cli._send_arrays._REMINDER_SECONDS", 0.2)
        with monkeypatch.context() as patch:
            patch.setattr(_files.ArrayFile, "check", shorter)
            status = send("--technique", technique, "--to", receiver.address, path)
        assert status == 1 and "the file became shorter while it was sent" in capsys.readouterr().err
        eventually(lambda: not receiver.hidden())
        assert receiver.files() == []


# --- Where it comes from and goes to ---


@BOTH
@pytest.mark.parametrize("name", ["x.npy", "x.bin"])
def test_into(ends, sender, receiver, name, tmp_path):
    numpy.save(tmp_path / "big.npy", MADE.astype(">f4"))
    receiving = ends[receiver]("receive", "--listen", "localhost:0", "--json", "--into", tmp_path / name)
    to = "localhost:%d" % json.loads(receiving.line(""))["port"]
    sending = ends[sender]("send", "--to", to, tmp_path / "big.npy")
    sending.succeeds()
    receiving.succeeds()
    event = json.loads(receiving.line(""))
    assert (event["dtype"], event["technique"], event["shape"], event["file"]) == (">f4", "buffer", [300, 1000], str(tmp_path / name))
    content = (tmp_path / name).read_bytes()
    assert content == ((tmp_path / "big.npy").read_bytes() if name == "x.npy" else MADE.astype(">f4").tobytes())
    assert not hidden(tmp_path)


def test_into_takes_the_first_that_is_whole(python, made, tmp_path):
    """A peer that breaks off, or asks, ends nothing for others; none of it is left."""
    receiver = python("receive", "--listen", "localhost:0", "--json", "--into", tmp_path / "x.npy")
    to = "localhost:%d" % json.loads(receiver.line(""))["port"]
    stranger = arraywire.connect(to)
    with pytest.raises(arraywire.RejectedError, match="the receiver has --into: it takes one sent array, no requests"):
        stranger.call(MADE)
    stranger.close()
    failed = json.loads(receiver.line(""))
    assert failed["event"] == "connectionFailed" and failed["message"].startswith("the peer sent no array")
    stranger = arraywire.connect(to)
    with pytest.raises(arraywire.RejectedError, match="this is a message of parts"):
        stranger.send({"a": MADE}, processed=True)
    stranger.close_now()
    assert "this is a message of parts" in json.loads(receiver.line(""))["message"]
    assert send("--to", to, made) == 0
    receiver.succeeds()
    assert json.loads(receiver.line(""))["event"] == "array"
    assert numpy.array_equal(numpy.load(tmp_path / "x.npy"), MADE) and not hidden(tmp_path)


@BOTH
def test_wait(ends, sender, receiver, made, tmp_path):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        to = "localhost:%d" % free.getsockname()[1]
    early = ends[sender]("send", "--to", to, made)
    early.fails("connect")
    sending = ends[sender]("send", "--wait", 60, "--to", to, made)
    receiving = ends[receiver]("receive", "--listen", to, "--out", tmp_path / "out", "--count", 1)
    receiving.line("listening on ")
    sending.succeeds()
    receiving.succeeds()


def test_token_file(ends, made, tmp_path):
    (tmp_path / "token").write_text("  secret\n")
    (tmp_path / "other").write_text("wrong")
    receiving = ends["python"](
        "receive", "--listen", "localhost:0", "--token-file", tmp_path / "token", "--out", tmp_path / "out", "--count", 1
    )
    to = receiving.line("listening on ")
    ends["python"]("send", "--token-file", tmp_path / "other", "--to", to, made).fails("give the same --token-file at both sides")
    ends["java"]("send", "--token-file", tmp_path / "token", "--to", to, made).succeeds()
    receiving.succeeds()


# --- What is said ---


@pytest.mark.parametrize("receiver", ["python", "java"])
def test_stats(ends, receiver, made):
    receiving = ends[receiver]("receive", "--listen", "localhost:0", "--discard", "--stats", "--stats-every", 60, "--count", 1)
    assert send("--to", receiving.line("listening on "), made) == 0
    receiving.succeeds()
    assert receiving.line("array 1 from 127.0.0.1:").endswith(", discarded")
    line = "".join(receiving.err)
    assert re.fullmatch(r"[\d.]+ arrays/s, [\d.]+ MB/s, 1 array, connections \d, waiting 0 \(0 bytes\)\n", line), line


def test_lines_of_stats_and_progress_are_those_of_java():
    """StatsLineTest and ProgressLineTest have the same lines."""
    before, now = _stats.Snapshot(0, 0, 0, 0, 0, 0, 0), _stats.Snapshot(1234, 5_000_000, 2, 3, 1 << 20, 4, 1)
    assert _stats.line_of(before, now, 2.0) == (
        "617 arrays/s, 2.50 MB/s, 1234 arrays, connections 2, waiting 3 (1 MiB), refused 4, failed 1"
    )
    line = _progress.line_of(512 << 20, 1 << 30, 256 << 20, 2.0)
    assert line == "sending [=====#####          ]  50 %  512 of 1024 MiB  128 MiB/s  0:04 left"
    assert len(_progress.line_of(5 << 40, 9 << 40, 0, 1e6)) <= 79


def test_a_connection_that_breaks_off_is_reported_and_ends_a_count(ends, tmp_path):
    for options, status in ([], None), (["--count", 1], 1):
        receiving = ends["python"]("receive", "--listen", "localhost:0", "--out", tmp_path / "out", *options)
        connection = arraywire.connect(receiving.line("listening on "))
        _begin(connection)
        eventually(lambda: hidden(tmp_path))
        connection.close_now()
        if status:
            receiving.fails("the connection ended inside an array")
        else:
            eventually(lambda: receiving.err)
            assert re.match(r"arraywire receive: connection from 127.0.0.1:\d+ failed: ", receiving.err[0])
            receiving.stop()
        assert not hidden(tmp_path)


def _begin(connection):
    """The first kilobyte of an array."""
    from commands import begun

    begun(connection, MADE, [0]).__enter__()


@pytest.mark.parametrize("number, status", [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_process_that_is_told_to_end_leaves_no_hidden_file(ends, number, status, tmp_path):
    # What a shell runs in the background ignores SIGINT, and so would the command that it starts.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        receiving = ends["python"]("receive", "--listen", "localhost:0", "--out", tmp_path)
    finally:
        signal.signal(signal.SIGINT, before)
    with contextlib.closing(arraywire.connect(receiving.line("listening on "))) as connection:
        _begin(connection)
        eventually(lambda: hidden(tmp_path))
        receiving.process.send_signal(number)
        assert receiving.process.wait(60) == status and not os.listdir(tmp_path)
        connection.close_now()


@pytest.mark.parametrize("words", ["send --to localhost:1 missing.npy", "send --to localhost:0 x.npy", "receive --listen localhost:0 --count 0"])
def test_a_failure_is_the_last_event(words, capsys, command):
    words = [*words.split(" "), "--json"]
    status = _cli.main(words)
    ours = json.loads(capsys.readouterr().out)
    program = command(*words, own=True)
    assert program.process.wait(60) == status
    theirs = json.loads(program.process.stdout.read())
    assert ours == theirs


def test_a_reader_that_has_gone_ends_nothing(tmp_path, made):
    """Lines go nowhere then, as in Java."""
    receiver = subprocess.Popen(
        [sys.executable, "-m", "arraywire", "receive", "--listen", "localhost:0", "--out", tmp_path / "out", "--count", "2"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=dict(os.environ, PYTHONPATH=os.path.dirname(os.path.dirname(arraywire.__file__))),
    )
    to = receiver.stdout.readline().rpartition(" ")[2].strip()
    receiver.stdout.close()
    assert send("--repeat", 2, "--to", to, made) == 0
    assert receiver.wait(60) == 0 and receiver.stderr.read() == ""
    receiver.stderr.close()


@pytest.mark.parametrize(
    "words",
    [
        "send --to localhost:1 --wait 0 FILE",
        "send --to localhost:1 --plain --verify FILE",
        "send --to localhost:1 --plain --resume FILE",
        "send --to localhost:1 --plain --skip-existing FILE",
        "send --to localhost:1 --plain --compress FILE",
        "send --to localhost:1 --codec direct --compress FILE",
        "send --to localhost:1 --compress=bf16 --verify FILE",
        "send --to localhost:1 --compress=fp16 --resume FILE",
        "send --to localhost:1 --compress=bf16 INTS",
        "send --to localhost:1 --compress=gzip FILE",
        "send --to localhost:1 --codec protobuf BYTES",
        "send --to localhost:1 --codec shuffle-zstd FILE",
        "send --to localhost:1 --codec direct --plain FILE",
        "send --to localhost:1 --transport carrier FILE",
        "send --to localhost:1 --technique pigeon FILE",
        "send --to localhost:1 --technique mapped BOOLEANS",
        "send --to localhost:1 --repeat 2 --resume FILE",
        "send --to localhost:1 --repeat 2 --skip-existing FILE",
        "send --to localhost:1 --resume -",
        "send --to localhost:1 --raw quaternion FILE",
        "send --to localhost:1 --raw int --order middle FILE",
        "send --to localhost:1 --raw float FILE",
        "send --to localhost:1 --raw int DIR",
        "send --to localhost:1 DIR",
        "send --to localhost:1 --plain FILE INTS",
        "send --to localhost FILE",
        "send --to ::1:4711 FILE",
        "send --to []:4711 FILE",
        "send --to :4711 FILE",
        "send --to :0 FILE",
        "send --to localhost:70000 FILE",
        "send --to localhost:1 --max-bytes much FILE",
        "send --to localhost:1 --repeat many FILE",
        "send --to localhost:1 --token-file FILE/x FILE",
        "send --to localhost:1 --verfy FILE",
        "send --to localhost:1",
        "send FILE",
        "send",
        "receive --listen localhost:0 --into x --out y",
        "receive --listen localhost:0 --into x --codec direct",
        "receive --listen localhost:0 --into FILE",
        "receive --listen localhost:0 --technique buffer",
        "receive --listen localhost:0 --stats-every 5",
        "receive --listen localhost:0 --stats --stats-every 0",
        "receive --listen localhost:0 --out one.npy --count 2",
        "receive --listen localhost:0 --out FILE/below",
        "receive --listen localhost:0 more",
        "receive --listne localhost:0",
    ],
)
def test_more_mistakes_are_told_in_the_words_of_java(java, words, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, array in (("FILE", MADE), ("INTS", MADE.astype("i4")), ("BYTES", MADE.astype("i1")), ("BOOLEANS", MADE > 50)):
        numpy.save(tmp_path / f"{name}.npy", array)
        words = words.replace(name, str(tmp_path / f"{name}.npy"))
    (tmp_path / "empty").mkdir()
    arguments = words.replace("DIR", str(tmp_path / "empty")).split(" ")
    status = _cli.main(arguments)
    said = capsys.readouterr().err.removeprefix(f"arraywire {arguments[0]}: ").partition(" (see '")[0].strip()
    theirs = java("command", *arguments).line(f"{status} arraywire {arguments[0]}: ").partition(" (see '")[0]
    assert _same(said) == _same(theirs)


def _same(text):
    """Lists of names of codecs differ: Java has those that are installed, in another order."""
    return re.sub(r"(codecs|present)=\[[^]]*\]|known=.*zstd.*\)", "names", text)


def test_options_stand_anywhere(tmp_path, made, capsys):
    with encodings() as (to, found):
        assert send(made, "--to", to, "--repeat", "2", made, "--json") == 0
        assert send("--compress", made, "--to", to) == 0
        assert len(found) == 5 and found[4][0] == "shuffle-zstd"


def test_version_and_help(capsys):
    assert _cli.main(["--version"]) == 0 and capsys.readouterr().out == f"arraywire {arraywire.__version__}\n"
    for words in (["--help"], ["help", "send"], ["receive", "-h"], ["send", "x", "--help"]):
        assert _cli.main(words) == 0
        assert "python -m arraywire" in capsys.readouterr().out
    assert _cli.main([]) == 2 and _cli.main(["sned"]) == 2
    assert "did you mean 'send'?" in capsys.readouterr().err


def test_it_runs_in_a_thread_that_is_not_the_main_one(made, capsys):
    with encodings() as (to, found):
        thread = threading.Thread(target=send, args=("--to", to, made))
        thread.start()
        thread.join()
        assert len(found) == 1
