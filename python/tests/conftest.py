import pathlib

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def golden() -> pathlib.Path:
    """The files that an independent program wrote, and that the Java tests read, too."""
    directory = ROOT / "transport-testkit/src/main/resources/io/arraywire/testkit/golden"
    assert directory.is_dir(), f"the golden files of the Java tests are not where they were ({directory})"
    return directory
