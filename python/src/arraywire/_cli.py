"""python -m arraywire send|receive: the flags and lines of Java's ./arraywire, as far as they make sense here."""

from __future__ import annotations

import argparse
import json
import os
import ssl
import sys
import threading
import time
from typing import Any, List, Optional, Sequence, Tuple

from . import _npy, connect, listen, plain, tls
from ._memory import flat, swapped
from ._types import BY_NAME, NATIVE_LITTLE, TABLE, ElementType
from .errors import ArraywireError, ErrorCode

_JAVA_TYPES = [each.name for each in BY_NAME.values() if each.java]
_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Runs the command; the exit status is 0, 1 for what failed, 2 for a wrong command line."""
    options = _parser().parse_args(arguments)
    try:
        status: int = options.run(options)
        return status
    except _Usage as error:
        return _usage(str(error))
    except (ArraywireError, OSError, ValueError) as error:
        advice = _ADVICE.get(error.code) if isinstance(error, ArraywireError) and error.code else None
        return _complain(f"{error}; {advice}" if advice else str(error))
    except KeyboardInterrupt:
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m arraywire", description="Sends and receives arrays; the other end may be Java's ./arraywire."
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="send|receive")
    send = commands.add_parser("send", help="send .npy files", allow_abbrev=False)
    send.set_defaults(run=_send)
    send.add_argument("--to", required=True, metavar="HOST:PORT", help="Where the receiver listens. Also [::1]:PORT and unix:PATH.")
    send.add_argument("--max-bytes", type=size, default=16 << 30, metavar="SIZE", help="The largest array to send. Default: 16G.")
    send.add_argument("--repeat", type=int, default=1, metavar="N", help="Send each file N times. Default: 1.")
    send.add_argument("--raw", metavar="TYPE", choices=_JAVA_TYPES, help="The files hold nothing but elements of this type.")
    send.add_argument("--order", choices=["little", "big"], help="With --raw, the byte order. Default: little.")
    send.add_argument("--resume", action="store_true", help=argparse.SUPPRESS)
    send.add_argument("files", nargs="+", metavar="FILE", help="What to send.")
    receive = commands.add_parser("receive", help="receive arrays into .npy files", allow_abbrev=False)
    receive.set_defaults(run=_receive)
    receive.add_argument("--listen", required=True, metavar="HOST:PORT", help="Where to listen; port 0 takes a free one. Also unix:PATH.")
    receive.add_argument("--type", choices=_JAVA_TYPES, metavar="TYPE", help="With --plain, the element type.")
    receive.add_argument("--max-bytes", type=size, default=1 << 30, metavar="SIZE", help="The largest array to accept. Default: 1G.")
    receive.add_argument("--out", metavar="DIR|FILE", help="A directory for array-000001.npy and so on, or one .npy file. Default: this directory.")
    receive.add_argument("--discard", action="store_true", help="Write no files.")
    receive.add_argument("--count", type=int, metavar="N", help="End after N arrays.")
    receive.add_argument("--require-client-cert", action="store_true", help="Refuse peers without a certificate that --ca vouches for.")
    for each in (send, receive):
        each.add_argument("--plain", action="store_true", help="Speak to a DataOutputStream: a big-endian int count, then the elements.")
        each.add_argument("--json", action="store_true", help="Write JSON lines instead of text.")
        each.add_argument("--tls", action="store_true", help="Encrypt, and check who the peer is; both sides need it. See docs/tls.md.")
        each.add_argument("--cert", metavar="FILE", help="This side's certificate and those that issued it, as PEM. receive needs one; send, if the peer wants to see it.")
        each.add_argument("--key", metavar="FILE", help="The certificate's private key, as PEM (PKCS #8, not encrypted).")
        each.add_argument("--ca", metavar="FILE", help="Trust peers that these authorities vouch for, as PEM. Default: those of the system.")
        each.add_argument("--token-file", metavar="FILE", help="A file with the token that the listener demands.")
    return parser


def size(text: str) -> int:
    """A number of bytes such as 512M."""
    number, unit = (text[:-1], text[-1].upper()) if text[-1:].isalpha() else (text, "")
    if not number.isdigit() or unit not in _UNITS:
        raise argparse.ArgumentTypeError(f"a size is a number and K, M, G or T (size={text})")
    return int(number) * _UNITS[unit]


def _complain(text: str) -> int:
    print(f"arraywire: {' '.join(text.split())}", file=sys.stderr)
    return 1


def _usage(text: str) -> int:
    _complain(text)
    return 2


def _token(options: argparse.Namespace) -> Optional[bytes]:
    if options.token_file is None:
        return None
    with open(options.token_file, "rb") as file:
        return file.read().strip()


class _Usage(Exception):
    """The command line makes no sense."""


def _tls(options: argparse.Namespace) -> Optional[ssl.SSLContext]:
    cert, key, ca = options.cert, options.key, options.ca
    sends = options.command == "send"
    required = not sends and options.require_client_cert
    if required and not options.tls:
        raise _Usage(
            "--require-client-cert is for TLS; add --tls, --cert and --key, and --ca, which says whose certificates are accepted"
        )
    if not options.tls:
        if cert or key or ca:
            raise _Usage("--cert, --key and --ca go with --tls; add it")
        return None
    if not sends and (cert is None or key is None):
        raise _Usage("receive with --tls needs a certificate; give --cert and --key")
    if (cert is None) != (key is None):
        raise _Usage(f"--cert and --key go together (cert={cert or 'null'}, key={key or 'null'})")
    if required and ca is None:
        raise _Usage("--require-client-cert needs --ca, which says whose certificates are accepted")
    if sends:
        return tls.client(trust=ca, certificate=cert, key=key)
    return tls.server(cert, key, trust=ca, require_client_certificate=required)


#: What helps a command, which the failure cannot know.
_ADVICE = {
    ErrorCode.TOKEN_IN_CLEAR: "give --tls at both sides",
    ErrorCode.TLS_MISMATCH: "give --tls at both sides, with --cert and --key to receive and --ca to send, or at neither",
}

# --- Lines ---


def shown_shape(shape: Tuple[int, ...]) -> str:
    return repr(tuple(shape))


def significant(number: float) -> str:
    return f"{number:.2f}" if number < 9.995 else f"{number:.1f}" if number < 99.95 else f"{number:.0f}"


def shown_time(seconds: float) -> str:
    if seconds < 999.5e-6:
        return significant(seconds * 1e6) + " us"
    return significant(seconds * 1e3) + " ms" if seconds < 0.9995 else significant(seconds) + " s"


def _rate(count: int, seconds: float) -> float:
    return count / max(seconds, 1e-9) / 1e6


def _print(text: str, as_json: bool, **facts: Any) -> None:
    print(json.dumps(facts) if as_json else text, flush=True)


# --- Send ---


def _send(options: argparse.Namespace) -> int:
    if options.repeat < 1:
        return _usage(f"--repeat must be at least 1 (repeat={options.repeat})")
    if options.to.endswith(":0"):
        return _usage("port 0 is for listening only; give the port that 'arraywire receive' printed")
    if options.resume:
        return _usage("this command always sends all of a file; to send the rest, use ./arraywire send --resume")
    if options.order and not options.raw:
        return _usage("--order is for --raw only; a .npy file tells its byte order")
    context = _tls(options)
    arrays: List[Tuple[str, _npy.Npy]] = []
    for path in options.files:
        if options.raw:
            type = BY_NAME[options.raw]
            view = _npy.raw(path, type)
            loaded = _npy.Npy(type, (len(view) // type.size,), options.order == "big", view)
        else:
            loaded = _npy.load(path)
        if loaded.view.nbytes > options.max_bytes:
            raise ValueError(
                f"the array is larger than --max-bytes allows (file={path}, bytes={loaded.view.nbytes},"
                f" limit={options.max_bytes})"
            )
        arrays.append((path, loaded))
    if options.plain:
        types = {each.type.name for _, each in arrays}
        if len(types) > 1:
            raise ValueError(f"in plain mode all files have one element type (types={' '.join(sorted(types))})")
        with plain.connect(options.to, types.pop(), tls=context) as connection:
            for path, each in arrays:
                _send_one(options, path, each, lambda array, shape: connection.send(array, type=each.type.name))
        return 0
    with connect(options.to, token=_token(options), tls=context) as framed:
        for path, each in arrays:
            _send_one(
                options,
                path,
                each,
                lambda array, shape: framed.send(array, type=each.type.name, shape=shape, processed=True),
            )
    return 0


def _send_one(options: argparse.Namespace, path: str, loaded: _npy.Npy, send: Any) -> None:
    view: Any = loaded.view
    type = loaded.type
    if type.size > 1 and loaded.big == NATIVE_LITTLE:
        view = swapped(view, type.size)
    array = _typed(view, type)
    began = time.perf_counter()
    for _ in range(options.repeat):
        send(array, loaded.shape if len(loaded.shape) > 1 else None)
    seconds = time.perf_counter() - began
    count = loaded.view.nbytes
    rate = _rate(count * options.repeat, seconds)
    times = "" if options.repeat == 1 else f" x {options.repeat}"
    delivery = "handed to the kernel" if options.plain else "acknowledged"
    _print(
        f"sent {path} to {options.to}: {type.name} {shown_shape(loaded.shape)}, {count} bytes{times} in"
        f" {shown_time(seconds)}, {significant(rate)} MB/s until {delivery}",
        options.json,
        event="sent",
        file=path,
        to=options.to,
        type=type.name,
        elements=count // type.size,
        shape=list(loaded.shape),
        bytes=count,
        repeat=options.repeat,
        seconds=seconds,
        megabytesPerSecond=rate,
    )


def _typed(view: Any, type: ElementType) -> Any:
    """The elements as a buffer of their type, whose bits may not be Python's idea of one."""
    if len(view) == 0:
        return memoryview(bytes(type.size)).cast("B").cast(type.format)[:0]  # type: ignore[call-overload]
    return view.cast(type.format)


# --- Receive ---


class _Store:
    """Writes arrays into numbered files, one or as many as are wanted."""

    def __init__(self, options: argparse.Namespace) -> None:
        self._options = options
        self._lock = threading.Lock()
        self._number = 0
        self.done = threading.Event()
        self.last: Optional[threading.Thread] = None  # took the last array
        out = options.out or "."
        self._single = out if out.endswith(".npy") and not os.path.isdir(out) else None
        self._directory = out
        self._limit = 1 if self._single else options.count
        if self._single and os.path.exists(self._single):
            raise ValueError(f"the file exists already; remove it, or give another name (file={self._single})")
        if not self._single and not options.discard:
            os.makedirs(out, exist_ok=True)

    def take(self, peer: str, type: ElementType, shape: Tuple[int, ...], content: memoryview, seconds: float) -> None:
        with self._lock:
            if self.done.is_set():
                raise ValueError("the receiver has all arrays that it wanted")
            self._number += 1
            path = None if self._options.discard else self._written(type, shape, content)
            count = content.nbytes
            rate = _rate(count, seconds)
            _print(
                f"array {self._number} from {peer}: {type.name} {shown_shape(shape)}, {count} bytes in"
                f" {shown_time(seconds)}, {significant(rate)} MB/s" + (f" -> {path}" if path else ", discarded"),
                self._options.json,
                event="array",
                number=self._number,
                peer=peer,
                type=type.name,
                elements=count // type.size,
                shape=list(shape),
                bytes=count,
                seconds=seconds,
                megabytesPerSecond=rate,
                file=path,
            )
            if self._number == self._limit:
                self.last = threading.current_thread()
                self.done.set()

    def _written(self, type: ElementType, shape: Tuple[int, ...], content: memoryview) -> str:
        if self._single:
            _npy.save(self._single, type, shape, content)
            return self._single
        number = self._number
        while True:
            path = os.path.join(self._directory, f"array-{number:06d}.npy")
            if not os.path.exists(path):
                try:
                    _npy.save(path, type, shape, content)
                    return path
                except FileExistsError:
                    pass
            number += 1


def _bytes_of(array: Any) -> memoryview:
    view = flat(array)
    assert view is not None
    return view


def _receive(options: argparse.Namespace) -> int:
    if options.plain and not options.type:
        return _usage("plain mode does not tell the element type; add --type, for example --type float")
    if options.type and not options.plain:
        return _usage("--type is for --plain only; in framed mode each array tells its type")
    if options.discard and options.out:
        return _usage(f"--discard writes nothing, so there is no --out; leave one out (out={options.out})")
    if options.count is not None and options.count < 1:
        return _usage(f"--count must be at least 1 (count={options.count})")
    context = _tls(options)
    store = _Store(options)
    if options.plain:
        return _receive_plain(options, store, context)

    def handler(message: Any) -> None:
        received = message._received
        if received.encoding is TABLE:
            raise ValueError(
                "a .npy file holds one array, and this is a message of parts; send each by itself"
                f" (parts={' '.join(message.types)[:200]})"
            )
        seconds = time.monotonic() - received.began
        store.take(message.connection.peer_address, received.type, message.shape, _bytes_of(message.array), seconds)

    with listen(
        options.listen, handler, token=_token(options), max_array_bytes=options.max_bytes, tls=context
    ) as listener:
        _listening(options, listener.address)
        store.done.wait()
    return 0


def _listening(options: argparse.Namespace, address: str) -> None:
    host, _, port = address.rpartition(":")
    text = f"listening on {address}"
    _print(text, options.json, event="listening", message=text, host=host, port=int(port) if port.isdigit() else None)


def _receive_plain(options: argparse.Namespace, store: _Store, context: Optional[ssl.SSLContext]) -> int:
    type = BY_NAME[options.type]

    def serve(connection: plain.PlainConnection) -> None:
        peer = connection.peer_address
        try:
            with connection:
                while not store.done.is_set():
                    began = time.perf_counter()
                    array = connection.receive()
                    seconds = time.perf_counter() - began
                    store.take(peer, type, (len(array),), _bytes_of(array), seconds)
        except ArraywireError as error:
            if error.code is not ErrorCode.CONNECTION_CLOSED:
                _complain(f"{peer}: {error}")
        except (OSError, ValueError) as error:
            _complain(f"{peer}: {error}")

    with plain.listen(options.listen, options.type, max_array_bytes=options.max_bytes, tls=context) as listener:
        _listening(options, listener.address)

        def accept() -> None:
            for each in listener:
                threading.Thread(target=serve, args=(each,), daemon=True).start()

        acceptor = threading.Thread(target=accept, daemon=True)
        acceptor.start()
        store.done.wait()
        assert store.last is not None
        store.last.join(plain.CLOSE_SECONDS)  # the peer is to see the end of its connection, not a broken one
    return 0

