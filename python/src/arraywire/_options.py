"""What connect and listen take beside an address."""

from __future__ import annotations

import socket
import ssl
import time
from typing import TYPE_CHECKING, NamedTuple, Optional, Sequence, Union

from . import _address, _blocks, _crc32c
from ._address import Address
from ._core import Core
from ._handshake import OFFERED, Offer
from ._tls import TlsSocket
from ._transfer import Socket
from .errors import ErrorCode, HandshakeError
from .tls import checked

if TYPE_CHECKING:
    from ._session_ends import SessionEnd


class Options(NamedTuple):
    """Checked when they are used."""

    token: Union[bytes, str, None] = None
    checksums: Optional[bool] = None
    max_array_bytes: int = 1 << 30
    max_frame_bytes: int = 1 << 20
    channels: int = 256
    channel_credit: int = 1 << 20
    connection_credit: int = 16 << 20
    subscriptions: int = 64
    session_timeout: Optional[float] = None
    tls: Union[bool, ssl.SSLContext, None] = None
    server_name: Optional[str] = None
    token_without_tls: bool = False
    codecs: Optional[Sequence[str]] = None

    def checked(self, connector: bool) -> "Options":
        """Complains before anything is opened; the context of TLS is there then."""
        self.offer(True, connector)
        return self._replace(tls=checked(self.tls, connector) if self.tls else None)

    def secured(self, sock: socket.socket, connector: bool, address: Address = "") -> Socket:
        """A connected socket as a link uses it: with TLS inside, if that is wanted."""
        if connector and self.token and not self.tls and not self.token_without_tls and not _address.within_host(sock):
            sock.close()
            raise HandshakeError(
                ErrorCode.TOKEN_IN_CLEAR,
                "the token would cross the network in clear, so nothing was sent; set tls on both sides, or"
                " token_without_tls if the network is yours alone",
                address=address,
            )
        return secured(sock, self.tls, connector, address, self.server_name)

    def token_bytes(self) -> Optional[bytes]:
        return self.token.encode() if isinstance(self.token, str) else self.token

    def offer(self, within_host: bool, connector: bool) -> Offer:
        from . import __version__

        for name, least, most in (
            ("max_array_bytes", 0, (1 << 63) - 1),
            ("max_frame_bytes", 1024, (1 << 32) - 1),
            ("channels", 1, (1 << 31) - 1),
            ("channel_credit", 4096, (1 << 63) - 1),
            ("connection_credit", 4096, (1 << 63) - 1),
            ("subscriptions", 0, (1 << 31) - 1),
        ):
            value = getattr(self, name)
            if not least <= value <= most:
                raise ValueError(f"an option is out of its range ({name}={value}, least={least}, most={most})")
        if self.session_timeout is not None and not 0.001 <= self.session_timeout < 1e9:
            raise ValueError(f"an option is out of its range (session_timeout={self.session_timeout}, least=0.001)")
        blocks = _blocks.fast() if self.codecs is None else map(_blocks.readable, self.codecs)
        default = _crc32c.FAST and not within_host and not self.tls  # records of TLS have stronger ones
        wanted = default if self.checksums is None else self.checksums
        return Offer(
            encodings=(*OFFERED, *((each.code, each.name) for each in blocks)),
            checksums=bool(wanted),
            token=(self.token_bytes() or b"") if connector else b"",
            library_version=__version__,
            max_array_bytes=self.max_array_bytes,
            max_frame_bytes=self.max_frame_bytes,
            channels=self.channels,
            channel_credit=self.channel_credit,
            connection_credit=self.connection_credit,
            subscriptions=self.subscriptions,
        )

    def slow_checksums(self) -> bool:
        """Whether payloads may be checked at the speed of Python."""
        return _crc32c.FAST or bool(self.checksums)

    def core(self, sock: Socket, *, connector: bool, sessions: "Optional[SessionEnd]" = None) -> Core:
        """The protocol for a connected socket."""
        offer = self.offer(_address.within_host(sock), connector)
        return Core(
            offer if sessions is None else sessions.offer(offer),
            connector=connector,
            now=time.monotonic(),
            token=None if connector else self.token_bytes(),
            slow_checksums=self.slow_checksums(),
            sessions=sessions,
        )


def secured(
    sock: socket.socket, tls: object, connector: bool, address: Address = "", server_name: Optional[str] = None
) -> Socket:
    """A connected socket with TLS inside, if there is a context."""
    if not isinstance(tls, ssl.SSLContext):
        return sock
    name = server_name or _address.Parsed(address).host or "localhost" if connector else None
    return TlsSocket(sock, tls, name)
