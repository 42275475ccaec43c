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
from .._calls import no_handshake
from .._options import Options
from ._link import Link
from .connection import Connection, Request, Subscription
from .listener import Answer, Handler, Listener


async def connect(address: Address, *, timeout: float = 10.0, takes_requests: bool = False, **options: Any) -> Connection:
    """Connects; the options are those of ``arraywire.connect``."""
    chosen = Options(**options)
    chosen.offer(True, True)
    loop = asyncio.get_running_loop()
    sock = await loop.run_in_executor(None, _address.connected, address, timeout)
    core = chosen.core(sock, connector=True)
    core.requests.answering = takes_requests
    connection = Connection(Link(sock, core))
    in_time = await connection._link.wait(lambda: core.open, timeout)
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
    max_connections: int = 1024,
    **options: Any,
) -> Listener:
    """Listens; the options are those of ``arraywire.listen``."""
    chosen = Options(**options)
    chosen.offer(True, False)
    return Listener(_address.listening(address, min(max_connections, 1024)), handler, answer, chosen, max_connections)


__all__ = ["Connection", "Listener", "Request", "Subscription", "connect", "listen"]
