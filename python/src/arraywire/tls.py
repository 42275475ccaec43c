"""Contexts for TLS, as docs/tls.md has them: ``connect(..., tls=...)`` and ``listen(..., tls=...)`` take any ``ssl.SSLContext``.

    server = arraywire.listen(":4711", handler, tls=arraywire.tls.server("server.pem", "server.key"))
    client = arraywire.connect("db.example.org:4711", tls=arraywire.tls.client(trust="ca.pem"))
"""

from __future__ import annotations

import os
import ssl
from typing import NamedTuple, Optional, Union

Path = Union[str, "os.PathLike[str]"]
_SUITES = "ECDHE+AESGCM:ECDHE+CHACHA20"  # of TLS 1.2; 1.3 has no others


class TlsInfo(NamedTuple):
    """What both sides agreed on, ``connection.tls``."""

    version: str
    cipher_suite: str
    #: The peer's certificate, as ``ssl.SSLSocket.getpeercert`` has it; empty if it has shown none.
    peer_certificate: "dict[str, object]"


def client(
    *, trust: Optional[Path] = None, certificate: Optional[Path] = None, key: Optional[Path] = None
) -> ssl.SSLContext:
    """For ``connect``. The peer's certificate must be for the name that is dialled, and of an authority in the file
    ``trust`` (PEM), or of one that this system trusts. ``certificate`` (a chain) and ``key`` are this side's own, for peers
    that want them."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    if trust is None:
        context.load_default_certs(ssl.Purpose.SERVER_AUTH)
    return _completed(context, trust, certificate, key)


def server(
    certificate: Path, key: Path, *, trust: Optional[Path] = None, require_client_certificate: bool = False
) -> ssl.SSLContext:
    """For ``listen``. With ``require_client_certificate`` only clients get in that the authorities in ``trust`` vouch for."""
    if require_client_certificate and trust is None:
        raise ValueError(
            "to require certificates of clients, name the file with their authority: trust='ca.pem'; the authorities that this"
            " system trusts vouch for half of the Internet"
        )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    if trust is not None:
        context.verify_mode = ssl.CERT_REQUIRED if require_client_certificate else ssl.CERT_OPTIONAL
    return _completed(context, trust, certificate, key)


def _completed(
    context: ssl.SSLContext, trust: Optional[Path], certificate: Optional[Path], key: Optional[Path]
) -> ssl.SSLContext:
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.options |= ssl.OP_NO_RENEGOTIATION
    context.set_ciphers(_SUITES)
    if (certificate is None) != (key is None):
        raise ValueError("a certificate and its key belong together; give both files or none")
    try:
        if trust is not None:
            context.load_verify_locations(trust)
        if certificate is not None and key is not None:
            context.load_cert_chain(certificate, key, password=_no_password)
    except ssl.SSLError as cause:
        raise ValueError(
            "the files of TLS cannot be used; certificates and keys are PEM, and the key is that of the first certificate"
            f" (trust={trust}, certificate={certificate}, key={key}, cause={cause.reason or cause})"
        ) from cause
    return context


def _no_password() -> str:
    raise ValueError("the key has a password; openssl pkcs8 -topk8 -nocrypt makes one without")


def checked(context: object, connector: bool) -> ssl.SSLContext:
    """A context that a program gave."""
    if context is True and connector:
        return client()
    if not isinstance(context, ssl.SSLContext):
        raise ValueError(
            f"tls is an ssl.SSLContext, such as arraywire.tls.{'client()' if connector else 'server(certificate, key)'}"
            f" (tls={context!r})"
        )
    if connector and not (context.check_hostname and context.verify_mode == ssl.CERT_REQUIRED):
        raise ValueError(
            "a client checks the peer's certificate and the name in it; take arraywire.tls.client(trust=...), or set"
            " check_hostname and verify_mode of the context"
        )
    return context


__all__ = ["TlsInfo", "client", "server"]
