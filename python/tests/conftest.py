import contextlib
import os
import pathlib
import subprocess
import threading

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PATIENCE = 60.0
collect_ignore = [] if os.environ.get("ARRAYWIRE_SLOW") else ["test_slow.py"]


@pytest.fixture(scope="session")
def golden() -> pathlib.Path:
    """The files that an independent program wrote, and that the Java tests read, too."""
    directory = ROOT / "transport-testkit/src/main/resources/io/arraywire/testkit/golden"
    assert directory.is_dir(), f"the golden files of the Java tests are not where they were ({directory})"
    return directory


@pytest.fixture(autouse=True)
def nothing_is_left():
    """No test leaves a connection open."""
    yield
    from arraywire import _link
    from links import eventually

    eventually(lambda: all(each.closed for each in list(_link._links)))


class Program:
    """A process under test, and what it says."""

    def __init__(self, command, **environment):
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=dict(os.environ, **environment)
        )
        self.err = []
        threading.Thread(target=lambda: self.err.extend(self.process.stderr), daemon=True).start()

    def line(self, beginning):
        """The rest of the next line, which must begin so."""
        line = self.process.stdout.readline()
        assert line.startswith(beginning), f"{line!r} is not {beginning!r}...: {''.join(self.err)}"
        return line[len(beginning) :].rstrip("\n")

    def succeeds(self):
        status = self.process.wait(PATIENCE)
        assert status == 0, f"status {status}: {self.process.stdout.read()}{''.join(self.err)}"

    def stop(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()


def _command(variable):
    """A command, a word a line, as PythonPackageIT gives it."""
    words = os.environ.get(variable, "").split("\n")
    if words == [""]:
        if os.environ.get("CI") == "true":
            pytest.fail(f"{variable} is not set; mvn verify does it")
        pytest.skip(f"!!! NOT TESTED AGAINST JAVA: {variable} is not set; mvn verify does it !!!")
    return words


@pytest.fixture()
def java():
    """Starts PythonPeer, the Java end of these tests; a listening one says its address."""
    with contextlib.ExitStack() as stack:

        def start(*arguments):
            program = Program(_command("ARRAYWIRE_JAVA_PEER") + [str(each) for each in arguments])
            stack.callback(program.stop)
            if arguments[0] == "serve":
                program.address = "localhost:" + program.line("listening on ").rpartition(":")[2]
            return program

        yield start


@pytest.fixture()
def command():
    """Starts the command of Java, ./arraywire."""
    with contextlib.ExitStack() as stack:

        def start(*arguments):
            program = Program(_command("ARRAYWIRE_JAVA_COMMAND") + [str(each) for each in arguments])
            stack.callback(program.stop)
            return program

        yield start
