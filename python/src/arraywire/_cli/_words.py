"""Numbers, sizes, times and shapes in words, as ./arraywire has them."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Optional, Sequence

_LEAST_WITH_TWO_DIGITS = 0.0995
_SIZE = re.compile(r"(\d{1,15})\s*([KMG]?)(?:i?B)?", re.ASCII)
_SHIFTS = {"": 0, "K": 10, "M": 20, "G": 30}
_MOST = (1 << 63) - 1
#: A log line, a terminal and a person take in that many.
MOST_CHARACTERS = 299
_LEAST_OF_A_VALUE = 20


def size(text: str) -> int:
    """A number of bytes such as 512M. Raises ValueError if it is none."""
    match = _SIZE.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"not a size; write bytes or a number with K, M or G, such as 64M (size={text})")
    number = int(match[1]) << _SHIFTS[match[2]]
    if number > _MOST:
        raise ValueError(f"size too large (size={text})")
    return number


def significant(number: float) -> str:
    """Three digits that count, or two where it is less than 1."""
    if 0 < number < _LEAST_WITH_TWO_DIGITS:
        return f"{Decimal(f'{number:.1e}'):f}"
    return f"{number:.2f}" if number < 9.995 else f"{number:.1f}" if number < 99.95 else f"{number:.0f}"


def shown_time(seconds: float) -> str:
    if seconds < 999.5e-6:
        return significant(seconds * 1e6) + " us"
    return significant(seconds * 1e3) + " ms" if seconds < 0.9995 else significant(seconds) + " s"


def shown_bytes(count: int) -> str:
    """For example 64 MiB."""
    units = ("bytes", "KiB", "MiB", "GiB")
    unit = 0
    while unit < 3 and count >= 1 << 10 * (unit + 1):
        unit += 1
    number = count / (1 << 10 * unit)
    return f"{number:.0f} {units[unit]}" if number == round(number) else f"{number:.1f} {units[unit]}"


def shown_shape(shape: Sequence[int]) -> str:
    return repr(tuple(shape))


def megabytes_per_second(count: int, seconds: float) -> float:
    return count / max(seconds, 1e-9) / 1e6


def ratio(count: int, wire: Optional[int]) -> Optional[float]:
    """Bytes of elements for each that passed; None where that is not known, or nothing passed."""
    return count / wire if wire else None


def on_the_wire(of: Optional[float], wire: Optional[int]) -> str:
    return "" if of is None else f" ({wire} on the wire, ratio {significant(of)})"


def were_there(count: int) -> str:
    """How many bytes did not have to come."""
    return f" ({count} were there)" if count else ""


def unfit(character: str) -> bool:
    """Whether it could forge a line, or drive a terminal."""
    import unicodedata

    return unicodedata.category(character) in ("Cc", "Cf", "Zl", "Zp")


def brief(sentence: str, **facts: object) -> str:
    """A sentence and its facts, of at most 299 characters: the longest values give way first."""
    values = {name: "".join("?" if unfit(c) else c for c in str(value)) for name, value in facts.items()}

    def joined(most: int) -> str:
        cut = {name: each if len(each) <= most else each[: most - 3] + "..." for name, each in values.items()}
        said = ", ".join(f"{name}={value}" for name, value in cut.items())
        return f"{sentence} ({said})" if said else sentence

    most = MOST_CHARACTERS
    while len(joined(most)) > MOST_CHARACTERS and most > _LEAST_OF_A_VALUE:
        most -= 1
    text = joined(most)
    return text if len(text) <= MOST_CHARACTERS else text[: MOST_CHARACTERS - 3] + "..."
