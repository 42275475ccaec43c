"""python -m arraywire: what it prints and writes, and that it and Java's command understand each other."""

import json
import os
import re

import pytest

import arraywire
import certificates
from arraywire import _cli, _npy

numpy = pytest.importorskip("numpy")
@pytest.mark.parametrize("mode", [[], ["--plain"]])
def test_send_and_receive(python, tmp_path, mode):
    sent = numpy.arange(6, dtype="f4")
    numpy.save(tmp_path / "sent.npy", sent if mode else sent.reshape(2, 3))
    type = ["--type", "float"] if mode else []
    receiver = python("receive", "--listen", "localhost:0", "--out", tmp_path / "out", "--count", 2, *mode, *type)
    address = receiver.line("listening on ")
    sender = python("send", "--to", address, "--repeat", 2, tmp_path / "sent.npy", *mode)
    shape = r"\(6,\)" if mode else r"\(2, 3\)"
    end = "handed to the kernel" if mode else "acknowledged"
    assert re.fullmatch(
        rf"{re.escape(str(tmp_path))}/sent.npy to {address}: float {shape}, 24 bytes x 2 in \S+ (us|ms|s), \S+ MB/s until {end}",
        sender.line("sent "),
    )
    sender.succeeds()
    for number in (1, 2):
        line = receiver.line(f"array {number} from 127.0.0.1:")
        assert re.fullmatch(rf"\d+: float {shape}, 24 bytes in .* -> .*/out/array-00000{number}.npy", line)
        assert numpy.array_equal(numpy.load(tmp_path / "out" / f"array-00000{number}.npy").ravel(), sent)
    receiver.succeeds()
    assert not sender.err and not receiver.err and len(os.listdir(tmp_path / "out")) == 2


def test_json_raw_and_one_file(python, tmp_path):
    (tmp_path / "raw.bin").write_bytes(numpy.arange(5, dtype=">i4").tobytes())
    receiver = python("receive", "--listen", "localhost:0", "--json", "--out", tmp_path / "one.npy")
    listening = json.loads(receiver.line(""))
    assert listening["event"] == "listening" and listening["message"] == f"listening on localhost:{listening['port']}"
    to = f"localhost:{listening['port']}"
    sender = python("send", "--json", "--raw", "int", "--order", "big", "--to", to, tmp_path / "raw.bin")
    assert json.loads(sender.line(""))["elements"] == 5
    sender.succeeds()
    assert json.loads(receiver.line(""))["file"] == str(tmp_path / "one.npy")
    receiver.succeeds()
    assert numpy.load(tmp_path / "one.npy").tolist() == [0, 1, 2, 3, 4]


def test_a_message_of_parts_is_no_file(python, tmp_path):
    receiver = python("receive", "--listen", "localhost:0", "--out", tmp_path / "out", "--count", 1)
    with arraywire.connect(receiver.line("listening on ")) as connection:
        with pytest.raises(arraywire.RejectedError, match="this is a message of parts; send each by itself"):
            connection.send({"ids": numpy.arange(3, dtype="i4")}, processed=True)
        connection.send(numpy.arange(2, dtype="f4"), processed=True)
    receiver.succeeds()
    assert [each.name for each in (tmp_path / "out").iterdir()] == ["array-000001.npy"]


@pytest.mark.parametrize(
    "arguments, status, words",
    [
        (["send", "--to", "localhost:0", "x.npy"], 2, "port 0 is for listening only"),
        (["send", "--to", "localhost:1", "missing.npy"], 1, "no such file or directory (file=missing.npy)"),
        (["send", "--to", "localhost:1", "--order", "big", "x.npy"], 2, "--order is for --raw only"),
        (["send", "--to", "localhost:1", "text.npy"], 1, "not a .npy file"),
        (["send", "--to", "localhost:1", "complex.npy"], 1, "keeps real and imaginary parts"),
        (["send", "--to", "localhost:1", "--raw", "float", "fortran.npy"], 1, "without --raw"),
        (["send", "--to", "localhost:1", "--raw", "float", "text.npy"], 1, "not a whole number of elements"),
        (["send", "--to", "localhost:1", "--max-bytes", "1", "fine.npy"], 1, "limit=1"),
        (["send", "--to", "localhost:1", "fine.npy"], 1, "is the listener running"),
        (["receive", "--listen", "localhost:0", "--plain"], 2, "add --type"),
        (["receive", "--listen", "localhost:0", "--type", "int"], 2, "--type is for --plain only"),
        (["receive", "--listen", "localhost:0", "--discard", "--out", "x"], 2, "leave one out (out=x)"),
        (["receive", "--listen", "localhost:0", "--out", "fine.npy"], 1, "exists already"),
        (["receive", "--listen", "192.0.2.1:0"], 1, "cannot listen"),
        (["receive", "--listen", "localhost:0", "--tls"], 2, "give --cert and --key"),
        (["receive", "--listen", "localhost:0", "--cert", "c", "--key", "k"], 2, "go with --tls; add it"),
        (["send", "--to", "localhost:1", "--tls", "--key", "k", "fine.npy"], 2, "--cert and --key go together"),
        (["receive", "--listen", "localhost:0", "--tls", "--cert", "c", "--key", "k", "--require-client-cert"], 2, "needs --ca"),
        (["send", "--to", "localhost:1", "--tls", "--ca", "missing.pem", "fine.npy"], 1, "no such file"),
    ],
)
def test_mistakes(arguments, status, words, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "text.npy").write_bytes(b"hello")
    numpy.save("complex.npy", numpy.zeros(3, complex))
    numpy.save("fortran.npy", numpy.asfortranarray(numpy.zeros((2, 3), "f4")))
    numpy.save("fine.npy", numpy.zeros(3))
    assert _cli.main(arguments) == status
    said = capsys.readouterr()
    assert words in said.err and said.err.startswith(f"arraywire {arguments[0]}: ") and said.err.count("\n") == 1 and not said.out


@pytest.mark.parametrize(
    "words",
    [
        "send --to localhost:0 FILE",
        "send --to localhost:1 --order big FILE",
        "send --to localhost:1 --repeat 0 FILE",
        "send --to localhost:1 --tls --key k FILE",
        "send --to localhost:1 --ca c FILE",
        "receive --listen localhost:0 --plain",
        "receive --listen localhost:0 --type float",
        "receive --listen localhost:0 --discard --out x",
        "receive --listen localhost:0 --count 0",
        "receive --listen localhost:0 --out FILE",
        "receive --listen localhost:0 --tls",
        "receive --listen localhost:0 --tls --cert c",
        "receive --listen localhost:0 --cert c --key k",
        "receive --listen localhost:0 --require-client-cert",
        "receive --listen localhost:0 --tls --cert c --key k --require-client-cert",
    ],
)
def test_mistakes_are_told_in_the_words_of_java(java, words, tmp_path, capsys):
    """But for the command's name before them, and Java's hint to --help behind them."""
    file = tmp_path / "fine.npy"
    numpy.save(file, numpy.zeros(3, "f4"))
    arguments = words.replace("FILE", str(file)).split(" ")
    status = _cli.main(arguments)
    said = capsys.readouterr().err.removeprefix(f"arraywire {arguments[0]}: ").partition(" (see ")[0].strip()
    program = java("command", *arguments)
    theirs = program.line(f"{status} arraywire")
    assert re.fullmatch(rf"( \w+)?: {re.escape(said)}( \(see .*\))?", theirs), (said, theirs)


#: What differs between two runs, or two ends, of the same.
VARIES = [(r"(127\.0\.0\.1|localhost):\d+", "ADDRESS"), (r"[\d.]+ (us|ms|s), [\d.]+ MB/s", "TIME"), (r"\S+/(java|python|sent)\b", "PATH")]


def same_words(one, other):
    for pattern, word in VARIES:
        one, other = re.sub(pattern, word, one), re.sub(pattern, word, other)
    assert one == other and "TIME" in one


def same_facts(one, other):
    """The events have the same members. Python does not count copies and system calls, and cuts frames in its own way."""
    one, other = json.loads(one), json.loads(other)
    varies = {"seconds", "megabytesPerSecond", "peer", "to", "file", "wireBytes", "ratio"}
    unknown = {name for name, value in one.items() if value is None}
    assert one.keys() == other.keys() and unknown == {"copiedBytes", "channelOperations"} | {"compression"} & one.keys()
    for name in one.keys() - {"copiedBytes", "channelOperations"}:
        assert type(one[name]) is type(other[name]) and (name in varies or one[name] == other[name]), name


@pytest.mark.parametrize("dtype", ["f4", "i4", "f8", "i8", "i2", "i1", "?", "f2", "u1", "u2", "u4", "u8"])
@pytest.mark.parametrize("shape", [(0,), (1,), (3, 5), (2, 0, 3), (1, 2, 3, 4), ()])
def test_npy_files_are_those_of_numpy(dtype, shape, tmp_path):
    made = (numpy.random.default_rng(1).integers(0, 2, shape) * 1).astype(dtype)
    numpy.save(tmp_path / "theirs.npy", made)
    found = _npy.layout(str(tmp_path / "theirs.npy"))
    content = (tmp_path / "theirs.npy").read_bytes()[found.position :]
    assert found.shape == shape and content == made.tobytes() and not found.big and not found.fortran
    assert _npy.header_bytes(found.type, shape) == (tmp_path / "theirs.npy").read_bytes()[: found.position]
    (tmp_path / "ours.npy").write_bytes(_npy.header_bytes(found.type, shape) + content)
    ours = numpy.load(tmp_path / "ours.npy")
    assert ours.dtype == made.dtype and numpy.array_equal(ours, made) and ours.shape == shape


@pytest.mark.parametrize("transport, options, same", [("nio", [], same_words), ("stream", ["--json"], same_facts)])
def test_with_the_command_of_java(python, command, transport, options, same, tmp_path):
    """Each at either end, and in the same words."""
    sent = numpy.arange(60_000, dtype="i8").reshape(200, 300)
    numpy.save(tmp_path / "sent.npy", sent)

    def address_of(receiver):
        line = receiver.line("" if options else "listening on ")
        return f"localhost:{json.loads(line)['port']}" if options else line

    receiver = command(
        "receive", "--transport", transport, "--listen", "localhost:0", "--out", tmp_path / "java", "--count", 1, *options
    )
    sender = python("send", "--to", address_of(receiver), tmp_path / "sent.npy", *options)
    lines = [sender.line("")]
    sender.succeeds()
    lines.append(receiver.line(""))
    receiver.succeeds()
    assert numpy.array_equal(numpy.load(tmp_path / "java" / "array-000001.npy"), sent)
    receiver = python("receive", "--listen", "localhost:0", "--out", tmp_path / "python", "--count", 1, *options)
    sender = command("send", "--transport", transport, "--to", address_of(receiver), tmp_path / "sent.npy", *options)
    others = [sender.line("")]
    sender.succeeds()
    others.append(receiver.line(""))
    receiver.succeeds()
    same(lines[0], others[0])
    same(others[1], lines[1])
    assert numpy.array_equal(numpy.load(tmp_path / "python" / "array-000001.npy"), sent)


@pytest.mark.parametrize("mode", [[], ["--plain"]])
def test_tls_with_the_command_of_java(python, command, mode, tmp_path):
    certificates.make(tmp_path)
    sent = numpy.arange(60_000, dtype="i8")
    numpy.save(tmp_path / "sent.npy", sent)
    there = ["--tls", "--cert", tmp_path / "server.pem", "--key", tmp_path / "server.key", "--ca", tmp_path / "ca.pem",
             "--require-client-cert", "--count", 1, *mode, *(["--type", "long"] if mode else [])]  # fmt: skip
    here = ["--tls", "--ca", tmp_path / "ca.pem", "--cert", tmp_path / "client.pem", "--key", tmp_path / "client.key", *mode]
    for receives, sends, out in ((command, python, "java"), (python, command, "python")):
        receiver = receives("receive", "--listen", "localhost:0", "--out", tmp_path / out, *there)
        sender = sends("send", "--to", receiver.line("listening on "), *here, tmp_path / "sent.npy")
        sender.succeeds()
        receiver.succeeds()
        assert numpy.array_equal(numpy.load(tmp_path / out / "array-000001.npy"), sent)
