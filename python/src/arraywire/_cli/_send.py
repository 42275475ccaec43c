"""``send``: the arrays of files, directories, archives and standard input."""

from __future__ import annotations

import contextlib
from typing import List, Optional

from .. import _blocks, connect, plain
from .._types import BOOLEAN, BY_NAME, HALVES_BF16, HALVES_FP16, SHUFFLE_LZ4, ElementType, Encoding
from .._elements import encoding_named
from ..connection import Connection
from . import _security
from ._console import Console
from ._errors import CommandError, Usage
from ._inputs import PIPE, Inputs, Outgoing
from ._parser import CODECS, Options
from ._pauses import connected
from ._progress import Progress
from ._send_arrays import SendArrays, send_plain
from ._send_report import SendReport

#: A receiver answers with at most so much, whatever it sends.
_MOST_ANSWER_BYTES = 1 << 16
_LOSSES = {
    HALVES_BF16.name: "relative error 2^-8, 0.4 %; absolute error 2^-134 below 2^-126; infinite beyond 3.39e38",
    HALVES_FP16.name: "relative error 2^-11, 0.05 %; absolute error 2^-25 below 2^-14; infinite from 65520 on",
}


def run(options: Options, console: Console) -> None:
    _check(options)
    compress = _compression(options)
    inputs = Inputs(_raw_type(options), _is_big(options), options.resume)
    with contextlib.closing(inputs):
        for each in options.files:
            inputs.add(each)
        arrays = [_checked(options, compress, each) for each in inputs.found]
        technique = _technique(options, arrays)
        report = SendReport(console, options.json, options.to)
        progress = Progress(console, sum(each.file.size for each in arrays) * options.repeat)
        try:
            if options.plain:
                _send_plain(options, arrays, technique, report, progress)
            else:
                _send_framed(options, arrays, technique, compress, report, progress, console)
        finally:
            progress.close()


def _check(options: Options) -> None:
    if options.repeat < 1:
        raise Usage(f"--repeat must be at least 1 (repeat={options.repeat})")
    if options.to.endswith(":0") and not options.to.startswith("unix:"):
        raise Usage("port 0 is for listening only; give the port that 'arraywire receive' printed")
    if options.to.startswith(":"):
        raise Usage(f"--to needs a host: ':PORT' is for listening only (address={options.to})")
    if options.wait is not None and options.wait < 1:
        raise Usage(f"--wait must be at least 1 (seconds={options.wait})")
    if options.verify and options.plain:
        raise Usage("plain mode has no acknowledgement that could tell; leave out --verify")
    if options.compress is not None:
        if options.is_encoded:
            raise Usage("--compress says how elements are encoded, and so do --plain and --codec; leave one out")
        if options.verify:
            _check_lossless(options, "--verify compares every bit")
    if options.resume:
        _check_resume(options)
    if options.skip_existing and options.plain:
        raise Usage("plain mode sends no names; leave out --skip-existing")
    if options.skip_existing and options.repeat > 1:
        raise Usage(
            "with --repeat the receiver has each file from the second time on; leave out --skip-existing"
            f" (repeat={options.repeat})"
        )


def _check_resume(options: Options) -> None:
    if options.plain:
        raise Usage("plain mode cannot ask what the receiver has; leave out --resume")
    if options.repeat > 1:
        raise Usage(
            "with --repeat the receiver has the file from the second time on; leave out --resume"
            f" (repeat={options.repeat})"
        )
    if PIPE in options.files:
        raise Usage("standard input has no name to find it again by; leave out --resume")
    _check_lossless(options, "--resume compares what is there bit by bit")


def _check_lossless(options: Options, why: str) -> None:
    if options.compress in _LOSSES:
        raise Usage(
            f"{why}, and the encoding loses some; leave one out (compress={options.compress},"
            f" loss={_LOSSES[options.compress]})"
        )


def _compression(options: Options) -> Optional[Encoding]:
    """The encoding that compresses; says what is missing if this Python cannot write it."""
    if options.compress is None:
        return None
    encoding = encoding_named(options.compress)
    if encoding is SHUFFLE_LZ4:
        raise Usage("only ./arraywire writes shuffle-lz4; take shuffle-zstd, or ./arraywire send (compress=shuffle-lz4)")
    if encoding not in _blocks.writable():
        raise CommandError(
            "shuffle-zstd needs the package zstandard, or Python 3.14; pip install 'arraywire[zstd]', or leave out --compress"
        )
    return encoding


def _raw_type(options: Options) -> Optional[ElementType]:
    if options.order is not None and options.raw is None:
        raise Usage("--order is for --raw only; a .npy file tells its byte order")
    return None if options.raw is None else BY_NAME[options.raw]


def _is_big(options: Options) -> bool:
    if options.order not in (None, "little", "big"):
        raise Usage(f"unknown byte order (order={options.order}, known=little big)")
    return options.order == "big"


def _checked(options: Options, compress: Optional[Encoding], each: Outgoing) -> Outgoing:
    """All files are checked before the first is sent."""
    type = each.file.type
    codec = None if options.codec is None else encoding_named(CODECS[options.codec])
    if codec is not None and not codec.has(type):
        raise Usage(
            "the codec does not know that element type; choose another"
            f" (codec={options.codec}, type={type.name}, file={each.shown})"
        )
    if compress is not None and not compress.has(type):
        raise Usage(
            "the encoding does not know that element type; choose another"
            f" (compress={compress.name}, type={type.name}, file={each.shown})"
        )
    if each.file.size > options.max_bytes:
        raise CommandError(
            "the array is larger than --max-bytes allows"
            f" (file={each.shown}, bytes={each.file.size}, limit={options.max_bytes})"
        )
    return each._replace(sha256=each.file.digest()) if options.verify else each


def _technique(options: Options, arrays: List[Outgoing]) -> str:
    booleans = any(each.file.type is BOOLEAN for each in arrays)
    if options.technique is None:
        return "array" if booleans else "mapped"
    if booleans and options.technique != "array":
        raise Usage(
            "a file of booleans may hold other bytes than 0 and 1, which must not be sent as they are; use --technique array"
            f" (technique={options.technique})"
        )
    return options.technique


def _plain_type(arrays: List[Outgoing]) -> ElementType:
    first = arrays[0]
    for other in arrays:
        if other.file.type is not first.file.type:
            raise Usage(
                "plain mode sends one element type only; send the files one by one"
                f" ({first.shown}={first.file.type.name}, {other.shown}={other.file.type.name})"
            )
    return first.file.type


def _send_plain(
    options: Options, arrays: List[Outgoing], technique: str, report: SendReport, progress: Progress
) -> None:
    type = _plain_type(arrays)
    if not type.java:
        raise Usage(f"plain mode has the types of Java only (type={type.name})")
    context = _security.client(options)
    _security.token(options)

    def dial() -> plain.PlainConnection:
        return plain.connect(options.to, type.name, tls=context)

    with connected(dial, options.wait or 0) as connection:
        for at, each in enumerate(arrays):
            send_plain(connection, each, options.repeat, technique, report, progress, at == len(arrays) - 1)


def _send_framed(
    options: Options,
    arrays: List[Outgoing],
    technique: str,
    compress: Optional[Encoding],
    report: SendReport,
    progress: Progress,
    console: Console,
) -> None:
    context = _security.client(options)
    shown = _security.token(options)

    def dial() -> Connection:
        return connect(options.to, token=shown, tls=context, max_array_bytes=_MOST_ANSWER_BYTES)

    def note(text: str) -> None:
        progress.wipe()
        console.complain(f"arraywire send: {text}")

    connection = connected(dial, options.wait or 0)
    codec = None if options.codec is None else encoding_named(CODECS[options.codec])
    SendArrays(connection, options, technique, codec, compress, report, progress, note).run(arrays)
