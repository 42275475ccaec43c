"""The package itself: its version, what it exports, and that it can be built."""

import ast
import importlib.machinery
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile

import pytest

import arraywire
from conftest import EXTRAS, ROOT

PYTHON = ROOT / "python"


def test_the_version_is_that_of_the_pom():
    pom = re.search(r"<version>([^<]+)</version>", (ROOT / "pom.xml").read_text().split("<modelVersion>")[1]).group(1)
    expected = re.sub(r"-SNAPSHOT$", ".dev0", pom)
    assert arraywire.__version__ == expected
    assert f'version = "{expected}"' in (PYTHON / "pyproject.toml").read_text()


def test_only_the_standard_library_is_needed():
    allowed = {"numpy", "google_crc32c", "zstandard", "compression"}  # the last of Python 3.14
    known = getattr(sys, "stdlib_module_names", None)
    for file in (PYTHON / "src").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            names = []
            if isinstance(node, ast.Import):
                names = [each.name for each in node.names]
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                names = [node.module]
            for each in names:
                top = each.partition(".")[0]
                assert known is None or top in known or top in allowed, f"{file.name} imports {each}"


def test_no_file_is_long_and_none_uses_what_3_9_lacks():
    for file in (PYTHON / "src").rglob("*.py"):
        content = file.read_text()
        assert content.count("\n") <= 450, file.name
        ast.parse(content, feature_version=(3, 9))


def test_every_public_name_is_there_and_documented():
    for name in arraywire.__all__:
        assert getattr(arraywire, name).__doc__, name
    assert (pathlib.Path(arraywire.__file__).parent / "py.typed").exists()


def test_asyncio_comes_with_the_first_use_of_aio():
    program = (
        "import sys, arraywire; before = 'asyncio' in sys.modules; arraywire.aio.plain.connect;"
        " print(before, 'asyncio' in sys.modules, hasattr(arraywire, 'nothing'))"
    )
    environment = {**os.environ, "PYTHONPATH": str(PYTHON / "src")}
    ran = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True)
    assert (ran.stdout, ran.stderr) == ("False True False\n", "")


def test_wheel_and_sdist(tmp_path):
    if os.environ.get("CI") != "true":
        pytest.importorskip("setuptools", minversion="70.1")  # the first one that makes wheels by itself
    shutil.copytree(PYTHON, tmp_path / "python", ignore=shutil.ignore_patterns("build", "*.egg-info", "__pycache__"))
    made = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys; sys.argv = ['setup.py']; from setuptools import build_meta as b;"
            " b.build_sdist('..'); b.build_wheel('..')",
        ],
        cwd=tmp_path / "python",
        capture_output=True,
        text=True,
    )
    assert made.returncode == 0, made.stderr
    (wheel,) = tmp_path.glob("arraywire-*-py3-none-any.whl")
    names = zipfile.ZipFile(wheel).namelist()
    sources = {str(each.relative_to(PYTHON / "src")) for each in (PYTHON / "src").rglob("*.py")}
    assert sources | {"arraywire/py.typed"} <= set(names)
    (sdist,) = tmp_path.glob("arraywire-*.tar.gz")
    assert any(each.endswith("src/arraywire/_core.py") for each in tarfile.open(sdist).getnames())
    # What was built is what runs, without the source tree.
    ran = subprocess.run(
        [sys.executable, "-c", "import arraywire, arraywire.aio; print(arraywire.__version__, arraywire.__file__)"],
        cwd=tmp_path,
        env={"PYTHONPATH": str(wheel)},
        capture_output=True,
        text=True,
    )
    assert ran.stdout.startswith(f"{arraywire.__version__} {wheel}"), ran.stderr


def test_checksums_by_the_extra(tmp_path):
    """The tests of checksums once more, with google-crc32c, and against Java."""
    if importlib.machinery.PathFinder.find_spec("google_crc32c") is None:
        assert os.environ.get("CI") != "true", "pip install google-crc32c, without which the extra is not tested"
        pytest.skip("the extra crc32c is not installed")
    tests = PYTHON / "tests"
    against_java = ["test_java.py::test_many_arrays_in_flight_with_checksums_and_without[True-nio]"]
    chosen = ["test_crc32c.py", "test_golden.py", *(against_java if os.environ.get("ARRAYWIRE_JAVA_PEER") else [])]
    said = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", f"--rootdir={PYTHON}", *(str(tests / each) for each in chosen)],
        capture_output=True, text=True, timeout=120, cwd=PYTHON, env={**os.environ, EXTRAS: "1"},
    )  # fmt: skip
    assert said.returncode == 0, said.stdout
