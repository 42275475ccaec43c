"""HOST:PORT, [::1]:PORT, :PORT and unix:PATH."""

from __future__ import annotations

import os
import socket
from typing import Any, Tuple, Union

from .errors import ConnectError, ErrorCode

Address = Union[str, Tuple[str, int]]


class Parsed:
    """An address that was given, and what sockets call it."""

    __slots__ = ("family", "target", "text", "host")

    def __init__(self, address: Address) -> None:
        self.host = ""
        if isinstance(address, str) and address.startswith("unix:"):
            self.family: int = getattr(socket, "AF_UNIX", -1)
            if self.family < 0:
                raise ConnectError(
                    ErrorCode.CONNECT_FAILED, "this system has no Unix domain sockets; use HOST:PORT", address=address
                )
            self.target: Any = address[len("unix:") :]
            self.text = address
            return
        if isinstance(address, str):
            host, colon, port = address.rpartition(":")
            if not colon or not port.isdigit() or int(port) > 65535:
                raise ValueError(f"an address is HOST:PORT, [::1]:PORT or unix:PATH (address={address})")
            number = int(port)
        elif isinstance(address, (tuple, list)) and len(address) > 1:
            host, number = address[0], int(address[1])
        else:
            raise TypeError(f"an address is a string, HOST:PORT, [::1]:PORT or unix:PATH (address={address!r})")
        self.host = host.strip("[]")
        self.family = 0
        self.target = (self.host, number)
        self.text = shown(self.target)


def shown(name: Any) -> str:
    """A socket's name, as connect takes it."""
    if isinstance(name, tuple):
        host = f"[{name[0]}]" if ":" in str(name[0]) else name[0]
        return f"{host}:{name[1]}"
    return f"unix:{os.fsdecode(name)}"


def connected(address: Address, timeout: float) -> socket.socket:
    parsed = Parsed(address)
    try:
        if parsed.family:
            sock = socket.socket(parsed.family, socket.SOCK_STREAM)
            sock.settimeout(timeout)
            sock.connect(parsed.target)
        else:
            sock = socket.create_connection((parsed.host or "localhost", parsed.target[1]), timeout)
    except OSError as cause:
        raise ConnectError(
            ErrorCode.CONNECT_FAILED,
            "cannot connect; is the listener running, and is this its address?",
            address=parsed.text,
            cause=cause.strerror or str(cause) or type(cause).__name__,
        ) from cause
    return prepared(sock)


def listening(address: Address, backlog: int) -> socket.socket:
    parsed = Parsed(address)
    try:
        if parsed.family:
            sock = socket.socket(parsed.family, socket.SOCK_STREAM)
            sock.bind(parsed.target)
        else:
            found = socket.getaddrinfo(
                parsed.host or None, parsed.target[1], type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
            )
            # IPv4 first: everybody should be able to reach a listener at ":PORT".
            family, kind, protocol, _, name = sorted(found, key=lambda each: each[0] != socket.AF_INET)[0]
            sock = socket.socket(family, kind, protocol)
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            sock.bind(name)
        sock.listen(backlog)
    except OSError as cause:
        raise ConnectError(
            ErrorCode.BIND_FAILED,
            "cannot listen; is the address one of this host, and free?",
            address=parsed.text,
            cause=cause.strerror or str(cause),
        ) from cause
    return sock


def prepared(sock: socket.socket) -> socket.socket:
    """A connected socket as links use it."""
    sock.setblocking(False)
    if sock.family in (socket.AF_INET, socket.AF_INET6):
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return sock


def within_host(sock: Any) -> bool:
    """Whether both ends are on one host, where no network can damage a byte."""
    if sock.family not in (socket.AF_INET, socket.AF_INET6):
        return True
    try:
        return bool(sock.getsockname()[0] == sock.getpeername()[0])
    except OSError:
        return False


def peer_name(sock: Any) -> str:
    """Where the peer is. A peer of a Unix domain socket names its own end as it likes, so a name that could control a
    terminal or forge a line of a log is not said."""
    try:
        name = sock.getpeername()
        if not isinstance(name, tuple) and not os.fsdecode(name).isprintable():
            name = ""
        return shown(name or sock.getsockname())
    except OSError:
        return "unknown"
