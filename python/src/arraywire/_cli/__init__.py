"""python -m arraywire send|receive: the options, lines and files of Java's ./arraywire.

One module for each thing: ``_parser`` reads the command line; ``_send`` and ``_receive`` run it. Below them are what travels
with a file (``_names``, ``_digest``, ``_question``), files that appear whole or not at all (``_part``, ``_places``,
``_store``), and words (``_words``, ``_console``, ``_complaints``).
"""

from ._main import main

__all__ = ["main"]
