"""The handshake of one connection: what is read, agreed on and answered."""

from __future__ import annotations

import hmac
from typing import TYPE_CHECKING, Optional

from . import _handshake
from . import _layout as wire
from ._attributes import Fault
from ._flood import Flood
from ._handshake import HandshakeReader, Offer
from .errors import ErrorCode, HandshakeError, ProtocolError

if TYPE_CHECKING:
    from ._core import Core
    from ._session_ends import SessionEnd


class Opening:
    """Until both sides have agreed, or not."""

    __slots__ = ("_core", "_reader", "_token", "_slow_checksums", "_sessions", "over")

    def __init__(
        self, core: "Core", token: Optional[bytes], slow_checksums: bool, sessions: "Optional[SessionEnd]"
    ) -> None:
        self._core = core
        self._reader = HandshakeReader(core.connector)
        self._token = token
        self._slow_checksums = slow_checksums
        self._sessions = sessions
        self.over = False
        if core.connector:
            hello = _handshake.message(_handshake.HELLO, core.offer.encoded())
            core.writer.raw(_handshake.preamble(hello))

    def read(self) -> None:
        """What has come so far."""
        core = self._core
        read = self._reader.read(core.reader.staged())
        if read is None:
            return
        kind, body, used = read
        self._reader.check_version()
        if kind == _handshake.REJECT:
            raise _handshake.rejected(body)
        peer = Offer.decode(body)
        if core.connector:
            _handshake.check_welcome(peer, core.offer)
        elif self._token is not None and not hmac.compare_digest(peer.token, self._token):
            raise HandshakeError(ErrorCode.AUTHENTICATION_FAILED, "the token is missing or wrong")
        agreement = _handshake.agree(core.offer, peer)
        if agreement.checksums and not self._slow_checksums:
            raise HandshakeError(
                ErrorCode.NEGOTIATION_FAILED,
                "the peer wants checksums of payloads, which are slow in Python alone: pip install 'arraywire[crc32c]',"
                " or pass checksums=True to make them at some 5 MB/s",
                peer=f"{peer.library} {peer.library_version}".strip(),
            )
        if not core.connector:
            welcome = core.offer._replace(wire_version=wire.VERSION, token=b"")
            if self._sessions is not None:
                welcome = self._sessions.welcome(core, peer, welcome)
            elif peer.session:
                raise HandshakeError(ErrorCode.RESUME_REJECTED, "this side keeps no sessions")
            core.writer.raw(_handshake.preamble(_handshake.message(_handshake.WELCOME, welcome.encoded())))
        elif self._sessions is not None:
            self._sessions.welcomed(core, peer)
        core.reader.consume(used)
        self.over = True
        core.peer = peer
        core.agreement = agreement
        core.allowed = peer.connection_credit
        core.half = min(peer.channel_credit, peer.connection_credit) // 2
        core.flood = Flood(core.alive.now, peer.heartbeat_millis, peer.connection_credit)

    def refuse(self, error: HandshakeError) -> None:
        """Nothing can be agreed on; an acceptor says why."""
        core = self._core
        if not core.connector:
            fault = Fault(int(error.code or ErrorCode.INTERNAL), error.text)
            core.writer.raw(_handshake.preamble(_handshake.message(_handshake.REJECT, fault.encoded())))
        core.ended(error, silent=True, keep=not core.connector)

    def wronged(self, error: ProtocolError) -> None:
        """The peer sent something that is no valid handshake."""
        core = self._core
        if core.connector or not _handshake.is_told(error):
            core.ended(error, silent=True)
        else:
            self.refuse(HandshakeError(error.code, error.text))
            core.error = error
