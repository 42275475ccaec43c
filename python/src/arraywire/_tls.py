"""TLS around a socket that does not block. It looks like a socket to a link; records are made and opened in memory, so
that a piece that the system has not taken whole is this class's, not the caller's, and one call moves several records.

Ends of one direction only are the reason for ``ssl.MemoryBIO``: an ``ssl.SSLSocket`` that says close_notify drops what the
peer has sent meanwhile.
"""

from __future__ import annotations

import socket
import ssl
from typing import Any, List, Optional, Sequence, Tuple

from . import _handshake
from ._address import peer_name
from ._attributes import Fault
from .errors import ArraywireError, ConnectionLostError, ErrorCode, HandshakeError, violation
from .tls import TlsInfo

_STAGING_BYTES = 1 << 17  # of what comes, encrypted
_RECORD = 1 << 14
_MOST = 16 * _RECORD  # that are encrypted before the system has them
#: The peer quotes this, so "this side" would be the wrong one.
_MISMATCH_FOR_PEER = "the listener speaks TLS and the connecting side does not; set tls at both sides or at neither"
_MISMATCH = "this side speaks TLS and the peer does not; set tls at both sides or at neither"


class TlsFailure(OSError):
    """Why the connection cannot go on; cut says that it ended without close_notify."""

    def __init__(self, error: ArraywireError, cut: bool = False) -> None:
        super().__init__(str(error))
        self.error = error
        self.cut = cut


class TlsSocket:
    """A connected socket and the TLS inside it. Links hold their lock when they call."""

    def __init__(self, sock: socket.socket, context: ssl.SSLContext, name: Optional[str]) -> None:
        self._sock = sock
        self.family = sock.family
        self.ready = False  # whether the handshake is over on this side
        self._name = name  # of the peer, if this side connects
        self._incoming, self._outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._ssl: Any = context.wrap_bio(
            self._incoming, self._outgoing, server_side=name is None, server_hostname=name
        )
        self._staging = memoryview(bytearray(_STAGING_BYTES))
        self._drained = False  # whether the system had no more when this side read last
        self._first = True
        self._unsent = memoryview(b"")
        self._early = memoryview(b"")  # what was opened before it was asked for
        self._ended = self._failed = False
        try:
            self._ssl.do_handshake()
        except ssl.SSLWantReadError:
            pass

    # --- What a socket has ---

    def fileno(self) -> int:
        return self._sock.fileno()

    def getsockname(self) -> Any:
        return self._sock.getsockname()

    def getpeername(self) -> Any:
        return self._sock.getpeername()

    def shutdown(self, how: int) -> None:
        self._sock.shutdown(how)

    def close(self) -> None:
        self._sock.close()

    def sendmsg(self, pieces: Sequence[Any]) -> int:
        """Takes bytes and encrypts them. Raises BlockingIOError as long as the system has not taken those before."""
        if not self.flush():
            raise BlockingIOError
        total = 0
        try:
            if sum(map(len, pieces)) <= _RECORD:
                total = self._ssl.write(b"".join(pieces))
            else:
                for piece in pieces:
                    view = memoryview(piece)
                    for start in range(0, min(len(view), _MOST - total), _RECORD):
                        total += self._ssl.write(view[start : start + _RECORD])
                    if total >= _MOST:
                        break
        except ssl.SSLError as cause:
            self._fail(cause)
        self.flush()
        return total

    def send(self, piece: Any) -> int:
        return self.sendmsg((piece,))

    def recvmsg_into(self, buffers: "List[memoryview]") -> Tuple[int]:
        """Opens what has come, into as many buffers as it fills; 0 once the peer has said close_notify."""
        total = 0
        for buffer in buffers:
            got = 0
            while got < len(buffer):
                count = self._opened(buffer[got:] if got else buffer)
                if count is None:
                    if total + got:
                        return (total + got,)
                    raise BlockingIOError
                if count == 0:
                    return (total + got,)
                got += count
            total += got
        return (total,)

    def recv_into(self, buffer: memoryview) -> int:
        return self.recvmsg_into([buffer])[0]

    # --- TLS ---

    def shake(self) -> bool:
        """Goes on with the handshake; whether something has come."""
        came = False
        while not self.ready:
            try:
                self._ssl.do_handshake()
                self.ready = True
            except ssl.SSLWantReadError:
                self.flush()
                if not self._fill():
                    return came
                came = True
            except ssl.SSLError as cause:
                self._fail(cause)
        self.flush()
        return True

    def flush(self) -> bool:
        """Gives the system what is encrypted; whether it has taken everything."""
        while len(self._unsent) or self._outgoing.pending:
            if not len(self._unsent):
                self._unsent = memoryview(self._outgoing.read())
            try:
                count = self._sock.send(self._unsent)
            except BlockingIOError:
                return False
            self._unsent = self._unsent[count:]
        return True

    def end(self) -> None:
        """Says close_notify, once; the peer may go on."""
        if self._ended or self._failed or not self.ready:
            return
        early = bytearray(self._early)
        piece = memoryview(bytearray(_RECORD))
        try:
            while True:
                count = self._ssl.read(len(piece), piece)
                if not count:
                    break
                early += piece[:count]
        except ssl.SSLError:
            pass  # nothing more is whole, or reading says what is wrong
        self._early = memoryview(bytes(early))
        self._ended = True
        try:
            self._ssl.unwrap()
        except ssl.SSLError:
            pass  # it was said; the peer has not said it yet

    def info(self) -> Optional[TlsInfo]:
        if not self.ready:
            return None
        cipher = self._ssl.cipher()
        peer: Any = self._ssl.getpeercert()
        return TlsInfo(self._ssl.version() or "", cipher[0] if cipher else "", peer or {})

    def _opened(self, buffer: memoryview) -> Optional[int]:
        """Of one record, 0 at the end, None if nothing is there."""
        if len(self._early):
            count = min(len(self._early), len(buffer))
            buffer[:count] = self._early[:count]
            self._early = self._early[count:]
            return count
        while True:
            try:
                opened: int = self._ssl.read(len(buffer), buffer)
                return opened
            except ssl.SSLWantReadError:
                if self._drained or not self._fill():
                    self._drained = False
                    return None
            except ssl.SSLZeroReturnError:
                return 0
            except ssl.SSLError as cause:
                self._fail(cause)

    def _fill(self) -> bool:
        """Takes what the system has; whether there was something."""
        try:
            count = self._sock.recv_into(self._staging)
        except BlockingIOError:
            return False
        if count == 0:
            raise self._cut()
        if self._first:
            self._first = False
            self._check_first(self._staging[0])
        self._drained = count < len(self._staging)
        self._incoming.write(self._staging[:count])
        return True

    def _check_first(self, byte: int) -> None:
        """Whether it can be a record of TLS: handshake or alert."""
        if byte in (0x15, 0x16):
            return
        error = HandshakeError(ErrorCode.TLS_MISMATCH, _MISMATCH, peer=peer_name(self))
        self._failed = True
        if self._name is None and byte == _handshake.PREAMBLE_MAGIC[0]:
            # In clear, since the peer reads nothing else.
            fault = Fault(int(ErrorCode.TLS_MISMATCH), _MISMATCH_FOR_PEER)
            self._unsent = memoryview(_handshake.preamble(_handshake.message(_handshake.REJECT, fault.encoded())))
            self._try_to_flush()
        raise TlsFailure(error)

    def _cut(self) -> TlsFailure:
        self._failed = True
        if not self.ready:
            return TlsFailure(
                HandshakeError(
                    ErrorCode.TLS_FAILED,
                    "the connection ended in the TLS handshake; the peer may not speak TLS, or refuses this side; its log says why",
                    peer=peer_name(self),
                )
            )
        return TlsFailure(
            ConnectionLostError(
                ErrorCode.CONNECTION_RESET,
                "the connection was cut: it ended without TLS's close_notify; the peer may have crashed, or closed at once",
            ),
            True,
        )

    def _fail(self, cause: ssl.SSLError) -> None:
        """Tells the peer, and raises."""
        self._failed = True
        self._try_to_flush()
        raise TlsFailure(self._error_of(cause)) from cause

    def _try_to_flush(self) -> None:
        try:
            self.flush()
        except OSError:
            pass  # it is gone

    def _error_of(self, cause: ssl.SSLError) -> ArraywireError:
        reason = (cause.reason or "").upper()
        peer = peer_name(self)
        if isinstance(cause, ssl.SSLCertVerificationError):
            return _refused(_OF_VERIFICATION.get(cause.verify_code, _NOT_VERIFIED), peer, cause.verify_message, self._name)
        if "PEER_DID_NOT_RETURN_A_CERTIFICATE" in reason:
            return _refused(
                "the peer has shown no certificate, and one is required; it needs one of a trusted authority", peer
            )
        if "ALERT" in reason and ("CERTIFICATE" in reason or "UNKNOWN_CA" in reason or "ACCESS_DENIED" in reason):
            missing = "REQUIRED" in reason or "HANDSHAKE_FAILURE" in reason
            return _refused(
                "the peer wants a certificate of this side, and tls has none; pass certificate= and key= to tls.client"
                if missing
                else "the peer refuses the certificate of this side",
                peer,
                reason.lower(),
            )
        if self.ready:
            return violation(
                ErrorCode.TLS_FAILED,
                "a TLS record was changed after the peer had encrypted it, or the peer gave up",
                cause=reason.lower() or cause,
                peer=peer,
            )
        return HandshakeError(
            ErrorCode.TLS_FAILED, "the TLS handshake failed", cause=reason.lower() or cause, peer=peer
        )


_NOT_VERIFIED = "the peer's certificate is refused"
_STRANGER = "no trusted authority vouches for the certificate; add its issuer to the trusted authorities"
_OTHER_NAME = "the certificate is not for the name that was dialled; dial one of its names, or pass server_name"
#: By the codes of OpenSSL's verification.
_OF_VERIFICATION = {
    2: _STRANGER, 18: _STRANGER, 19: _STRANGER, 20: _STRANGER, 21: _STRANGER,
    9: "the certificate is not valid yet; are the clocks right?",
    10: "the certificate has expired; renew it",
    62: _OTHER_NAME, 64: _OTHER_NAME,
}  # fmt: skip


def _refused(text: str, peer: str, cause: str = "", name: Optional[str] = None) -> HandshakeError:
    facts = {"cause": cause, "name": name, "peer": peer}
    return HandshakeError(
        ErrorCode.CERTIFICATE_REFUSED, text, **{key: value for key, value in facts.items() if value}
    )
