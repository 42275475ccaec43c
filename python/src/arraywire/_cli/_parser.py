"""Reads a command line. What is wrong with it is said in the words of ./arraywire."""

from __future__ import annotations

import argparse
import dataclasses
import sys
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

from .._address import Parsed
from .._types import BY_NAME
from ..errors import ConnectError
from . import _help
from ._errors import Usage
from ._words import size

#: What the encodings of --compress are called.
COMPRESSIONS = ("shuffle-zstd", "shuffle-lz4", "bf16", "fp16")
#: The codecs of Java by name, and the encoding that each writes. Python has one code for each encoding.
CODECS = {
    "direct": "raw-le" if sys.byteorder == "little" else "raw-be", "direct-be": "raw-be", "direct-le": "raw-le",
    "raw-le": "raw-le", "raw-be": "raw-be", "buffer-view": "raw-be", "buffer-view-le": "raw-le", "data-output": "raw-be",
    "data-output-buffered": "raw-be", "object-stream": "java-object", "protobuf": "protobuf",
}  # fmt: skip
TRANSPORTS = ("nio", "stream")
SEND_TECHNIQUES = ("stream", "heap", "direct", "mapped", "transfer", "array")
RECEIVE_TECHNIQUES = ("buffer", "mapped", "transfer")
_JAVAS = "only ./arraywire has that technique; leave out --technique, or name one of Python's"


@dataclasses.dataclass(frozen=True)
class Options:
    """What was given, with the defaults of what was not."""

    command: str
    # both
    transport: str = "nio"
    transport_chosen: bool = False
    codec: Optional[str] = None
    plain: bool = False
    tls: bool = False
    cert: Optional[str] = None
    key: Optional[str] = None
    ca: Optional[str] = None
    token_file: Optional[str] = None
    json: bool = False
    max_bytes: int = 0
    technique: Optional[str] = None
    # send
    compress: Optional[str] = None
    to: str = ""
    wait: Optional[int] = None
    repeat: int = 1
    raw: Optional[str] = None
    order: Optional[str] = None
    verify: bool = False
    skip_existing: bool = False
    resume: bool = False
    files: Tuple[str, ...] = ()
    # receive
    listen: str = ""
    type: Optional[str] = None
    out: Optional[str] = None
    into: Optional[str] = None
    discard: bool = False
    count: Optional[int] = None
    stats: bool = False
    stats_every: Optional[int] = None
    require_client_cert: bool = False

    @property
    def is_encoded(self) -> bool:
        """Whether an option says how elements are encoded."""
        return self.plain or self.codec is not None


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> Any:
        raise Usage(message)


def usage_of(command: str) -> argparse.ArgumentParser:
    """The parser of a command, for its help."""
    page = _help.PAGES[command]
    parser = _Parser(
        prog=f"python -m arraywire {command}",
        description=page.description,
        epilog=page.footer,
        allow_abbrev=False,
        add_help=False,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    for option in page.options:
        if option.metavar is None:
            parser.add_argument(option.name, action="store_true", help=option.text)
        elif option.name == "--compress":
            parser.add_argument(option.name, nargs="?", const=COMPRESSIONS[0], metavar=option.metavar, help=option.text)
        else:
            parser.add_argument(option.name, metavar=option.metavar, help=option.text)
    parser.add_argument("-h", "--help", action="store_true", help=_help.HELP)
    parser.add_argument("-V", "--version", action="store_true", help=_help.VERSION)
    if page.parameter is not None:
        parser.add_argument("files", nargs="*", metavar=page.parameter.name, help=page.parameter.text)
    return parser


def parse(command: str, words: Sequence[str]) -> Options:
    """Raises Usage for what makes no sense."""
    parser = usage_of(command)
    arguments = _attached(list(words))
    try:
        found, unknown = parser.parse_known_intermixed_args(arguments)
    except Usage as error:
        raise Usage(_misspelt(parser, arguments) or _value_missing(str(error))) from None
    given: Dict[str, Any] = {name: value for name, value in vars(found).items() if value is not None}
    wrong = _misspelt(parser, arguments)
    if unknown or wrong:
        raise Usage(wrong or f"one argument too many: '{unknown[0]}'")
    for name in ("help", "version", "verbose"):
        given.pop(name, None)
    _check_required(command, given)
    for name, convert in _CONVERTERS.items():
        if name in given:
            given[name] = convert("--" + name.replace("_", "-"), given[name])
    given.setdefault("max_bytes", 16 << 30 if command == "send" else 1 << 30)
    given["files"] = tuple(given.get("files", ()))
    given["transport_chosen"] = "transport" in given
    return _checked(Options(command, **given))


def _checked(options: Options) -> Options:
    for name in (options.raw, options.type):
        if name is not None and name not in BY_NAME:
            raise Usage(f"unknown element type (type={name}, known={' '.join(BY_NAME)})")
    if options.transport not in TRANSPORTS:
        raise Usage(f"unknown transport (transport={options.transport}, present=[{', '.join(TRANSPORTS)}])")
    if options.codec in COMPRESSIONS:
        raise Usage(
            "that encoding compresses; send with --compress=NAME, receive without an option"
            f" (codec={options.codec})"
        )
    if options.codec is not None and options.codec not in CODECS:
        raise Usage(f"unknown codec (codec={options.codec}, present=[{', '.join(CODECS)}])")
    if options.plain and options.codec is not None and CODECS[options.codec] != "raw-be":
        fitting = ", ".join(name for name, encoding in CODECS.items() if encoding == "raw-be")
        raise Usage(
            "plain mode is raw big-endian; choose a codec that writes that"
            f" (codec={options.codec}, encoding={CODECS[options.codec]}, codecs=[{fitting}])"
        )
    if options.compress is not None and options.compress not in COMPRESSIONS:
        raise Usage(f"unknown encoding (compress={options.compress}, known={' '.join(COMPRESSIONS)})")
    techniques, here = (
        (SEND_TECHNIQUES, "mapped array heap stream") if options.command == "send" else (RECEIVE_TECHNIQUES, "buffer")
    )
    if options.technique is not None and options.technique not in techniques:
        raise Usage(f"unknown technique (technique={options.technique}, known={' '.join(techniques)})")
    if options.technique is not None and options.technique not in here.split():
        raise Usage(f"{_JAVAS} (technique={options.technique}, here={here})")
    return options


def _attached(arguments: List[str]) -> List[str]:
    """The word behind --compress is the option's if it names an encoding, and a file otherwise."""
    made: List[str] = []
    following = iter(arguments)
    for word in following:
        if word == "--":
            return [*made, word, *following]
        if word == "--compress":
            behind = next(following, None)
            if behind in COMPRESSIONS:
                made.append(f"--compress={behind}")
                continue
            made.append(f"--compress={COMPRESSIONS[0]}")
            if behind is not None:
                made += _attached([behind, *following])
            return made
        made.append(word)
    return made


def _check_required(command: str, given: Dict[str, Any]) -> None:
    page = _help.PAGES[command]
    required = "to" if command == "send" else "listen"
    options = [] if required in given else [f"'--{required}=HOST:PORT'"]
    parameters = [f"'{page.parameter.name}'"] if page.parameter is not None and not given.get("files") else []
    if options and parameters:
        raise Usage(f"Missing required options and parameters: {', '.join(options + parameters)}")
    if options:
        raise Usage(f"Missing required option: {options[0]}")
    if parameters:
        raise Usage(f"Missing required parameter: {parameters[0]}")


# --- Values ---


def _size(option: str, text: str) -> int:
    try:
        return size(text)
    except ValueError as error:
        raise Usage(f"Invalid value for option '{option}': {error}") from None


def _number(option: str, text: str) -> int:
    try:
        return int(text)
    except ValueError:
        kind = "a long" if option == "--count" else "an int"
        raise Usage(f"Invalid value for option '{option}': '{text}' is not {kind}") from None


def _address(option: str, text: str) -> str:
    forms = f"(address={text}, forms=HOST:PORT [::1]:PORT unix:PATH, :PORT to listen)"
    host, colon, port = text.rpartition(":")
    wrong = None
    if text.startswith("unix:"):
        wrong = None if text[len("unix:") :] else "the path is missing"
    elif not colon:
        wrong = "the port is missing"
    elif host == "[]":
        wrong = "the host is missing"
    elif ":" in host and not (host.startswith("[") and host.endswith("]")):
        wrong = "an IPv6 address needs brackets"
    elif not (port.isascii() and port.isdigit()) or int(port) > 65535:
        wrong = "the port is not a number from 0 to 65535"
    if wrong is not None:
        raise Usage(f"Invalid value for option '{option}': {wrong} {forms}")
    try:
        Parsed(text)
    except ConnectError as error:
        raise Usage(f"Invalid value for option '{option}': {error}") from None
    return text


_CONVERTERS: Dict[str, Callable[[str, str], Any]] = {
    "max_bytes": _size, "wait": _number, "repeat": _number, "count": _number, "stats_every": _number, "to": _address,
    "listen": _address,
}  # fmt: skip


def _value_missing(message: str) -> str:
    """argparse: 'argument --to: expected one argument'."""
    name = message[len("argument ") :].partition(":")[0] if message.startswith("argument ") else ""
    return f"Missing required parameter for option '{name}'" if name else message


# --- Words that are nearly right ---


def _misspelt(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> Optional[str]:
    """Names the first unknown option, and the one that was probably meant."""
    known = [name for action in parser._actions for name in action.option_strings]
    for argument in arguments:
        if argument == "--":
            return None
        name = argument.partition("=")[0]
        if name.startswith("-") and name != "-" and name not in known:
            meant = nearest(name, [each for each in known if each.startswith("--")])
            return f"no such option: '{name}'" + (f"; did you mean '{meant}'?" if meant else "")
    return None


def nearest(name: str, known: Sequence[str]) -> Optional[str]:
    """The name that was probably meant: a third of the characters may be wrong, missing or too many."""
    best, least = None, len(name) // 3 + 1
    for each in known:
        count = _edits(name, each)
        if count < least:
            best, least = each, count
    return best


def _edits(one: str, other: str) -> int:
    """Characters to be inserted, removed, replaced, or exchanged with their neighbours."""
    before: List[int] = []
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        older, before, row = before, row, [i]
        for j, b in enumerate(other, 1):
            edits = min(before[j - 1] + (a != b), row[j - 1] + 1, before[j] + 1)
            if i > 1 and j > 1 and a == other[j - 2] and one[i - 2] == b:
                edits = min(edits, older[j - 2] + 1)
            row.append(edits)
    return row[-1]
