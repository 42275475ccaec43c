"""Plain mode for asyncio: the twins of ``arraywire.plain``."""

from __future__ import annotations

import asyncio
import ssl
from typing import Any, AsyncIterator, Optional, Union

from .. import _address, _elements
from .._address import Address, peer_name, shown
from .._options import secured
from .._plain import PlainArray, PlainCore
from .._transfer import Socket
from ..errors import ConnectionClosedError, ErrorCode, TimeoutError
from ..plain import (
    CLOSE_SECONDS, agreed_type, checked_room, closed, core_of, not_closed, not_sent, nothing_came, target_of,
)  # fmt: skip
from ..tls import checked
from ._link import Link


class PlainConnection:
    """The twin of ``arraywire.plain.PlainConnection``."""

    def __init__(self, sock: Socket, core: PlainCore) -> None:
        self._core = core
        self.peer_address = peer_name(sock)
        self._link = Link(sock, core)

    async def send(self, obj: Any, *, type: Optional[str] = None, timeout: Optional[float] = None) -> None:
        core, link = self._core, self._link
        end = core.send(_elements.elements(obj, type or agreed_type(core)))

        def sent() -> bool:
            return core.written >= end and link.flushed

        try:
            in_time = await link.wait(lambda: sent() or core.stream_ended, timeout)
        except BaseException:
            self._break_off()
            raise
        if sent():
            return
        self._break_off()
        raise not_sent(core, in_time, timeout)

    def _break_off(self) -> None:
        self._core.own_pieces()
        self._core.ended(ConnectionClosedError(ErrorCode.CONNECTION_CLOSED, "a send was broken off inside an array"))
        self._link.close()

    async def receive(self, timeout: Optional[float] = None) -> Any:
        array = await self._next(timeout)
        self._core.take()
        self._link.resume()
        assert array.memory is not None
        return array.memory.presented(array.type, (array.count,))

    async def receive_into(self, buffer: Any, timeout: Optional[float] = None) -> int:
        core = self._core
        target = target_of(core, buffer)
        core.targets.append(target)
        try:
            array = await self._next(timeout)
            if array.into is not target:
                size = checked_room(array, target)
                target.view[:size] = array.view[:size]
            array.into = None
            core.take()
            self._link.resume()
            return array.count
        finally:
            core.redirect(target)

    async def _next(self, timeout: Optional[float]) -> PlainArray:
        core, link = self._core, self._link
        core.wanted += 1
        link.resume()
        try:
            in_time = await link.wait(lambda: core.inbox or core.stream_ended, timeout)
        finally:
            core.wanted -= 1
        if core.inbox:
            return core.inbox[0]
        raise nothing_came(core, link.closed, in_time, timeout)

    async def __aiter__(self) -> AsyncIterator[Any]:
        while True:
            try:
                array = await self.receive()
            except ConnectionClosedError:
                return
            yield array

    def end_output(self) -> None:
        self._core.begin_end()
        self._link.write()

    async def close(self, timeout: float = CLOSE_SECONDS) -> None:
        core, link = self._core, self._link
        if link.closed:
            return
        core.begin_end()
        core.wanted = 1 << 62  # reads on, whatever is here
        link.resume()
        in_time = await link.wait(lambda: core.stream_ended, timeout)
        link.close()
        if not in_time:
            raise not_closed(timeout)

    def close_now(self) -> None:
        self._core.ended(closed())
        self._link.close()

    async def __aenter__(self) -> "PlainConnection":
        return self

    async def __aexit__(self, kind: Any, error: Any, trace: Any) -> None:
        if kind is None:
            await self.close()
        else:
            self.close_now()


class PlainListener:
    """The twin of ``arraywire.plain.PlainListener``."""

    def __init__(self, address: Address, type: str, max_array_bytes: int, tls: Optional[ssl.SSLContext]) -> None:
        self._type, self._max_array_bytes = type, max_array_bytes
        self._tls = checked(tls, False) if tls else None
        core_of(type, max_array_bytes)
        self._sock = _address.listening(address, 128)
        self._sock.setblocking(False)
        self.address: str = shown(self._sock.getsockname())

    async def accept(self, timeout: Optional[float] = None) -> PlainConnection:
        accepting = asyncio.get_running_loop().sock_accept(self._sock)
        try:
            sock, _ = await asyncio.wait_for(accepting, timeout)
        except asyncio.TimeoutError:
            raise TimeoutError(None, "nobody connected in time", timeout=f"{timeout or 0:g} s") from None
        made = secured(_address.prepared(sock), self._tls, False)
        return PlainConnection(made, core_of(self._type, self._max_array_bytes))

    async def __aiter__(self) -> AsyncIterator[PlainConnection]:
        while True:
            try:
                connection = await self.accept()
            except OSError:
                return
            yield connection

    def close(self) -> None:
        if self._sock.fileno() >= 0:
            asyncio.get_running_loop().remove_reader(self._sock.fileno())
        self._sock.close()

    async def __aenter__(self) -> "PlainListener":
        return self

    async def __aexit__(self, kind: Any, error: Any, trace: Any) -> None:
        self.close()


async def connect(
    address: Address,
    type: str,
    *,
    timeout: float = 10.0,
    max_array_bytes: int = 1 << 30,
    tls: Union[bool, ssl.SSLContext, None] = None,
    server_name: Optional[str] = None,
) -> PlainConnection:
    """Connects to a listener in plain mode; see ``arraywire.plain.connect``."""
    core = core_of(type, max_array_bytes)
    context = checked(tls, True) if tls else None
    sock = await asyncio.get_running_loop().run_in_executor(None, _address.connected, address, timeout)
    return PlainConnection(secured(sock, context, True, address, server_name), core)


async def listen(
    address: Address, type: str, *, max_array_bytes: int = 1 << 30, tls: Optional[ssl.SSLContext] = None
) -> PlainListener:
    """Listens in plain mode."""
    return PlainListener(address, type, max_array_bytes, tls)
