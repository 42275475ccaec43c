"""The options about TLS and tokens."""

from __future__ import annotations

import ssl
from typing import Optional

from .. import tls
from ._errors import Usage
from ._parser import Options

_MOST_TOKEN_BYTES = 256
_MOST_FILE_BYTES = 4096


def chosen(options: Options) -> bool:
    return bool(options.tls or options.cert or options.key or options.ca)


def check_listens(options: Options) -> None:
    """Whether what was given of TLS will do for a side that listens."""
    if options.require_client_cert and not options.tls:
        raise Usage(
            "--require-client-cert is for TLS; add --tls, --cert and --key, and --ca, which says whose certificates are accepted"
        )
    if chosen(options) and not (options.cert and options.key):
        raise Usage("receive with --tls needs a certificate; give --cert and --key")


def server(options: Options) -> Optional[ssl.SSLContext]:
    if not options.tls:
        if chosen(options):
            raise Usage("--cert, --key and --ca go with --tls; add it")
        return None
    if options.require_client_cert and options.ca is None:
        raise Usage("--require-client-cert needs --ca, which says whose certificates are accepted")
    assert options.cert is not None and options.key is not None
    return tls.server(options.cert, options.key, trust=options.ca, require_client_certificate=options.require_client_cert)


def client(options: Options) -> Optional[ssl.SSLContext]:
    if not options.tls:
        if chosen(options):
            raise Usage("--cert, --key and --ca go with --tls; add it")
        return None
    if (options.cert is None) != (options.key is None):
        raise Usage(
            f"--cert and --key go together (cert={options.cert or 'null'}, key={options.key or 'null'})"
        )
    return tls.client(trust=options.ca, certificate=options.cert, key=options.key)


def token(options: Options) -> Optional[bytes]:
    path = options.token_file
    if path is None:
        return None
    try:
        with open(path, "rb") as file:
            content = file.read(_MOST_FILE_BYTES).strip(b" \t\n\x0b\f\r")
    except FileNotFoundError:
        raise Usage(f"no such file (token-file={path})") from None
    except OSError:
        raise Usage(f"the file cannot be read (token-file={path})") from None
    if not 0 < len(content) <= _MOST_TOKEN_BYTES:
        has = "more" if content else "none"
        raise Usage(f"a token has 1 to {_MOST_TOKEN_BYTES} bytes, and this file has {has} (token-file={path})")
    return content
