import contextlib
import os
import pathlib
import queue
import subprocess
import sys
import threading

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PATIENCE = 60.0
#: Where it is set, checksums are made by google-crc32c. Otherwise they are made in Python, as most users have it.
EXTRAS = "ARRAYWIRE_TEST_EXTRAS"
if not os.environ.get(EXTRAS):
    sys.modules["google_crc32c"] = None  # type: ignore[assignment]
collect_ignore = [] if os.environ.get("ARRAYWIRE_SLOW") else ["test_slow.py", "test_slow_java.py"]


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

    def __init__(self, command, stdin=None, text=True, **environment):
        self.process = subprocess.Popen(
            command,
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=text,
            env=dict(os.environ, **environment),
        )
        self.err = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self):
        for line in self.process.stderr:
            self.err.append(line if isinstance(line, str) else line.decode())

    def line(self, beginning):
        """The rest of the next line, which must begin so."""
        line = self.process.stdout.readline()
        assert line.startswith(beginning), f"{line!r} is not {beginning!r}...: {''.join(self.err)}"
        return line[len(beginning) :].rstrip("\n")

    def lines(self):
        """The lines that it still prints."""
        return list(self.process.stdout)

    def succeeds(self):
        status = self.process.wait(PATIENCE)
        assert status == 0, f"status {status}: {self.process.stdout.read()}{''.join(self.err)}"
        self._reader.join(PATIENCE)

    def fails(self, *words):
        """Says what went wrong in one line on standard error, and ends with status 1; its other lines."""
        status = self.process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        out = self.process.stdout.read()
        assert status == 1, f"status {status}: {out}{''.join(self.err)}"
        for each in words:
            assert each in self.err[-1], f"{each!r} is not in {self.err}"
        return out

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


class Job:
    """What one job of the Java process says."""

    def __init__(self, jobs, id):
        self._jobs, self._id = jobs, id
        self._lines = queue.Queue()

    def line(self, beginning):
        """The rest of the next line, which must begin so."""
        try:
            line = self._lines.get(timeout=PATIENCE)
        except queue.Empty:
            line = "nothing"
        assert line.startswith(beginning), f"{line!r} is not {beginning!r}...: {''.join(self._jobs.program.err)}"
        return line[len(beginning) :]

    def succeeds(self):
        assert self.line("ended") == ""

    def stop(self):
        self._jobs.write(self._id)


class Jobs:
    """One Java process for the tests of a session: starting a JVM takes longer than most of them."""

    def __init__(self):
        self.program = Program(_command("ARRAYWIRE_JAVA_PEER") + ["jobs"], stdin=subprocess.PIPE)
        self._jobs = {}
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.program.process.stdout:
            id, _, words = line.rstrip("\n").partition("\t")
            if id in self._jobs:
                self._jobs[id]._lines.put(words)
        for each in self._jobs.values():
            each._lines.put("the process has ended")

    def write(self, *words):
        self.program.process.stdin.write("\t".join(words) + "\n")
        self.program.process.stdin.flush()

    def start(self, arguments):
        id = str(len(self._jobs) + 1)
        job = self._jobs[id] = Job(self, id)
        self.write(id, *arguments)
        return job


@pytest.fixture(scope="session")
def jobs():
    made = Jobs()
    yield made
    made.program.stop()


@pytest.fixture()
def java(request):
    """Starts PythonPeer, the Java end of these tests; a listening one says its address. ``own=True`` makes it a process, which
    a test may kill."""
    with contextlib.ExitStack() as stack:

        def start(*arguments, own=False):
            words = [str(each) for each in arguments]
            if own:
                program = Program(_command("ARRAYWIRE_JAVA_PEER") + words)
            else:
                program = request.getfixturevalue("jobs").start(words)
            stack.callback(program.stop)
            if arguments[0] in ("serve", "numbered"):
                program.address = "localhost:" + program.line("listening on ").rpartition(":")[2]
            return program

        yield start


@pytest.fixture()
def python(monkeypatch):
    """Starts python -m arraywire."""
    import arraywire

    monkeypatch.setenv("PYTHONPATH", str(pathlib.Path(arraywire.__file__).parents[1]))
    with contextlib.ExitStack() as stack:

        def start(*arguments, **options):
            program = Program([sys.executable, "-m", "arraywire"] + [str(each) for each in arguments], **options)
            stack.callback(program.stop)
            return program

        yield start


class Sending:
    """``./arraywire send`` as a job of the Java process, which says at its end what it said: starting a JVM takes longer."""

    def __init__(self, job):
        self._job = job
        self._lines = None
        self.err = []

    def _end(self):
        if self._lines is None:
            self._lines = []
            kind, _, text = self._job.line("").partition(" ")
            while kind in ("out", "err"):
                (self._lines if kind == "out" else self.err).append(text + "\n")
                kind, _, text = self._job.line("").partition(" ")
            assert kind == "status", f"{kind} {text}"
            self._status = int(text)
            self._job.succeeds()
        return self._status

    def line(self, beginning):
        self._end()
        line = self._lines.pop(0) if self._lines else ""
        assert line.startswith(beginning), f"{line!r} is not {beginning!r}...: {''.join(self.err)}"
        return line[len(beginning) :].rstrip("\n")

    def lines(self):
        self._end()
        return self._lines

    def succeeds(self):
        assert self._end() == 0, f"status {self._status}: {''.join(self._lines + self.err)}"

    def fails(self, *words):
        assert self._end() == 1, f"status {self._status}: {''.join(self._lines + self.err)}"
        for each in words:
            assert each in self.err[-1], f"{each!r} is not in {self.err}"
        return "".join(self._lines)

    def stop(self):
        self._job.stop()


@pytest.fixture()
def command(request):
    """Starts the command of Java, ./arraywire. ``own=True`` makes ``send`` a process, as all other commands are."""
    with contextlib.ExitStack() as stack:

        def start(*arguments, own=False, **options):
            words = [str(each) for each in arguments]
            if words[0] == "send" and not own and not options:
                program = Sending(request.getfixturevalue("jobs").start(["program", *words]))
            else:
                program = Program(_command("ARRAYWIRE_JAVA_COMMAND") + words, **options)
            stack.callback(program.stop)
            return program

        yield start
