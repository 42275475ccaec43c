"""That the benchmarks run and bring back what they were given; not how fast."""

import subprocess
import sys

import pytest

from conftest import ROOT

pytest.importorskip("numpy")


def output_of(script, *arguments):
    ran = subprocess.run(
        [sys.executable, str(ROOT / "python/benchmarks" / script), *arguments], capture_output=True, text=True, timeout=120
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.splitlines()


def test_loopback():
    small, large = output_of("loopback.py", "--rounds", "1")
    assert small.startswith("request of 64 bytes: ") and "times as long" in small
    assert large.startswith("64 MiB there and back: ") and "a bare socket" in large


def test_peers():
    lines = output_of("peers.py", "--rounds", "1", "--only", "socket,arraywire")
    assert [line.split("|")[1].strip() for line in lines] == ["", "---", "socket", "arraywire"]
    assert all(float(cell) > 0 for line in lines[2:] for cell in line.split("|")[2:5])
