"""A service that turns texts into embeddings, for programs in Java (EmbeddingsClient.java) and others.

    python python/examples/embeddings.py :4711                                  # a stand-in that knows no language
    python python/examples/embeddings.py :4711 --model minilm                   # all-MiniLM-L6-v2 in NumPy alone; see minilm.py
    python python/examples/embeddings.py :4711 --model all-mpnet-base-v2        # with pip install sentence-transformers

A request is the text in UTF-8, a ``byte[]`` in Java; the reply is a ``float[]`` of length 1.

Without a model each word gets numbers from its hash, and a text is the sum of its words: the same on every machine, and texts
that share words are similar. It stands in for a model where there is none, such as in tests; it understands nothing.
"""

from __future__ import annotations

import argparse
import hashlib
from typing import Any, Callable

import numpy as np

import arraywire

DIMENSIONS = 384


def stand_in(text: str) -> Any:
    """The same numbers for the same words, in whatever order."""
    total = np.zeros(DIMENSIONS)
    for word in text.lower().split():
        seed = int.from_bytes(hashlib.sha256(word.encode()).digest()[:8], "little")
        total += np.random.Generator(np.random.PCG64(seed)).standard_normal(DIMENSIONS)
    return total


def model(name: str) -> Callable[[str], Any]:
    if name == "minilm":
        import minilm

        return minilm.MiniLm(minilm.directory())
    from sentence_transformers import SentenceTransformer  # type: ignore[import-not-found]

    loaded = SentenceTransformer(name)
    return lambda text: loaded.encode(text)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("address", help="where to listen, such as :4711")
    parser.add_argument("--model", help="minilm, or a model of sentence-transformers")
    arguments = parser.parse_args()
    embed = model(arguments.model) if arguments.model else stand_in

    def answer(request: arraywire.Request) -> Any:
        if request.type != "byte" or len(request) == 0:
            raise ValueError(f"a request is a text in UTF-8 (type={request.type}, length={len(request)})")
        vector = np.asarray(embed(bytes(request.array).decode()), "f4")
        return vector / max(float(np.linalg.norm(vector)), 1e-12)

    with arraywire.listen(arguments.address, answer=answer) as server:
        print("listening on", server.address, flush=True)
        server.wait_closed()


if __name__ == "__main__":
    main()
