"""The same for asyncio, on the same protocol.

    async with await arraywire.aio.connect("localhost:4711") as connection:
        await connection.send(array)
        reply = await connection.call(query, timeout=1)

The event loop moves the bytes; every method is for that loop's thread. What a method takes and raises is said at its twin
in ``arraywire.Connection``.
"""

from __future__ import annotations

import asyncio
from typing import Any, Optional

from .. import _address
from .._address import Address
from .._calls import closed_here, no_handshake
from .._options import Options
from .._session_ends import Connecting
from . import plain
from ._link import Link
from ._session import AsyncSession, Reconnector, SessionConnection
from .connection import Connection, Request, Subscription
from .listener import Answer, Handler, Listener


async def connect(address: Address, *, timeout: float = 10.0, takes_requests: bool = False, **options: Any) -> Connection:
    """Connects; the options are those of ``arraywire.connect``."""
    chosen = Options(**options).checked(True)
    if chosen.session_timeout is None:
        return await _dialled(address, chosen, timeout, takes_requests, None)

    async def dial(session: AsyncSession, seconds: float) -> Connection:
        return await _dialled(address, chosen, seconds, takes_requests, Connecting(session))

    reconnector = Reconnector(dial)
    session = AsyncSession(chosen.session_timeout, reconnector.begin)
    first = await dial(session, timeout)
    if first._core.session is None:
        return first  # the peer keeps no sessions
    reconnector.connection = connection = SessionConnection(session, first)
    if not connection.carried_by(first):
        raise first._core.error or closed_here()
    return connection


async def _dialled(
    address: Address, options: Options, timeout: float, takes_requests: bool, sessions: Optional[Connecting]
) -> Connection:
    """A connection whose handshake is over."""
    loop = asyncio.get_running_loop()
    sock = options.secured(await loop.run_in_executor(None, _address.connected, address, timeout), True, address)
    core = options.core(sock, connector=True, sessions=sessions)
    core.requests.answering = takes_requests
    connection = Connection(Link(sock, core))
    try:
        in_time = await connection._link.wait(lambda: core.open, timeout)
    except BaseException:
        connection._link.close()
        raise
    error = no_handshake(core, in_time, timeout)
    if error is not None:
        connection._link.close()
        raise error
    return connection


async def listen(
    address: Address,
    handler: Optional[Handler] = None,
    *,
    answer: Optional[Answer] = None,
    takes_requests: bool = False,
    max_connections: int = 1024,
    **options: Any,
) -> Listener:
    """Listens; the options are those of ``arraywire.listen``."""
    chosen = Options(**options).checked(False)
    sock = _address.listening(address, min(max_connections, 1024))
    return Listener(sock, handler, answer, chosen, takes_requests, max_connections)


__all__ = ["Connection", "Listener", "Request", "Subscription", "connect", "listen", "plain"]
