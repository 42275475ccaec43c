"""Arrays between Python and the JVM, at the speed of the socket.

    import arraywire
    import numpy as np

    with arraywire.connect("localhost:4711") as connection:
        connection.send(np.arange(12, dtype="f4").reshape(3, 4))
        answer = connection.call(np.zeros(3, dtype="f4")).array
"""

from __future__ import annotations

import importlib
import ssl
import time
from typing import TYPE_CHECKING, Optional, Sequence, Union

from . import _address, message, plain, tls as tls
from ._address import Address
from ._calls import closed_here, no_handshake
from ._link import Link
from ._options import Options
from ._serve import Answer, Handler
from ._session import Session
from ._session_connection import Reconnector, SessionConnection
from ._session_ends import Connecting
from .connection import Connection
from .errors import (
    ArraywireError, ConnectError, ConnectionClosedError, ConnectionLostError, DeliveryUnknownError, ErrorCode,
    HandshakeError, PeerError, ProtocolError, RejectedError, RequestFailedError, TargetMismatchError, TimeoutError,
    TooLargeError, UnsupportedArrayError,
)  # fmt: skip
from .listener import Listener
from .message import Message, Request
from .subscription import Subscription

if TYPE_CHECKING:
    from . import aio as aio
else:

    def __getattr__(name: str) -> object:
        # Imported by its first use, since it brings asyncio.
        if name == "aio":
            return importlib.import_module(".aio", __name__)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__version__ = "0.1.0.dev0"

CONNECT_SECONDS = 10.0


def connect(
    address: Address,
    *,
    timeout: float = CONNECT_SECONDS,
    token: Union[bytes, str, None] = None,
    checksums: Optional[bool] = None,
    max_array_bytes: int = 1 << 30,
    max_frame_bytes: int = 1 << 20,
    channels: int = 256,
    channel_credit: int = 1 << 20,
    connection_credit: int = 16 << 20,
    subscriptions: int = 64,
    session_timeout: Optional[float] = None,
    takes_requests: bool = False,
    tls: Union[bool, ssl.SSLContext, None] = None,
    server_name: Optional[str] = None,
    token_without_tls: bool = False,
    codecs: Optional[Sequence[str]] = None,
) -> Connection:
    """Connects to a listener at ``HOST:PORT``, ``[::1]:PORT`` or ``unix:PATH``.

    ``checksums`` are those of payloads: None leaves them to the peer and, if google-crc32c is installed and the peer is on
    another host, wants them. ``takes_requests`` keeps requests of the peer until the program takes them by ``requests()``;
    otherwise they are refused until it first does. With a ``session_timeout`` in seconds at both ends, sends with
    ``session=True`` and receives go on over another connection if this one breaks, for as long. The credits are how many bytes may come before the program takes them.

    ``tls`` is an ``ssl.SSLContext``, such as ``arraywire.tls.client(trust="ca.pem")``, or True for the authorities that this
    system trusts. The peer's certificate must be for the host that is dialled, or for ``server_name``. Without TLS a token is
    shown to another host only with ``token_without_tls``.

    ``codecs`` are those in blocks that the peer may send by. None stands for all that are fast here: 'bf16', 'fp16' and, with
    the package zstandard or Python 3.14, 'shuffle-zstd'. Name 'shuffle-lz4' to take it, too, at some MB/s.
    """
    options = Options(
        token, checksums, max_array_bytes, max_frame_bytes, channels, channel_credit, connection_credit, subscriptions,
        session_timeout, tls, server_name, token_without_tls, codecs,
    ).checked(True)  # fmt: skip
    if session_timeout is None:
        return _dialled(address, options, timeout, takes_requests, None)

    def dial(session: Session, seconds: float) -> Connection:
        return _dialled(address, options, seconds, takes_requests, Connecting(session))

    reconnector = Reconnector(dial)
    session = Session(session_timeout, reconnector.begin)
    first = dial(session, timeout)
    if first._core.session is None:
        return first  # the peer keeps no sessions
    reconnector.connection = connection = SessionConnection(session, first)
    if not connection.carried_by(first):
        raise first._core.error or closed_here()
    return connection


def _dialled(
    address: Address, options: Options, timeout: float, takes_requests: bool, sessions: Optional[Connecting]
) -> Connection:
    """A connection whose handshake is over."""
    deadline = time.monotonic() + timeout
    sock = options.secured(_address.connected(address, timeout), True, address)
    core = options.core(sock, connector=True, sessions=sessions)
    core.requests.answering = takes_requests
    link = Link(sock, core).start()
    with link.lock:
        in_time = link.wait(lambda: core.open, deadline)
        error = no_handshake(core, in_time, timeout)
        if error is not None:
            link.close()
            raise error
    return Connection(link)


def listen(
    address: Address,
    handler: Optional[Handler] = None,
    *,
    answer: Optional[Answer] = None,
    token: Union[bytes, str, None] = None,
    checksums: Optional[bool] = None,
    max_array_bytes: int = 1 << 30,
    max_frame_bytes: int = 1 << 20,
    channels: int = 256,
    channel_credit: int = 1 << 20,
    connection_credit: int = 16 << 20,
    subscriptions: int = 64,
    session_timeout: Optional[float] = None,
    takes_requests: bool = False,
    max_connections: int = 1024,
    tls: Optional[ssl.SSLContext] = None,
    codecs: Optional[Sequence[str]] = None,
) -> Listener:
    """Listens at an address; port 0 takes a free one.

    ``handler`` is called with each Message that comes, ``answer`` with each Request: what it returns is the reply (an
    array, or None if it replies later). Both are called by one thread for each connection. Without them take the
    connections with ``accept()`` or by iterating; ``takes_requests`` keeps requests for ``connection.requests()``. ``tls`` is an
    ``ssl.SSLContext``, such as ``arraywire.tls.server("server.pem", "server.key")``. ``codecs`` are as for ``connect``.
    """
    options = Options(
        token, checksums, max_array_bytes, max_frame_bytes, channels, channel_credit, connection_credit, subscriptions,
        session_timeout, tls, codecs=codecs,
    ).checked(False)  # fmt: skip
    return Listener(address, handler, answer, options, takes_requests, max_connections)


__all__ = [
    "ArraywireError", "ConnectError", "Connection", "ConnectionClosedError", "ConnectionLostError",
    "DeliveryUnknownError", "ErrorCode", "HandshakeError", "Listener", "Message", "PeerError", "ProtocolError",
    "RejectedError", "Request", "RequestFailedError", "Subscription", "TargetMismatchError", "TimeoutError",
    "TooLargeError", "UnsupportedArrayError", "aio", "connect", "listen", "message", "plain", "tls",
]  # fmt: skip
