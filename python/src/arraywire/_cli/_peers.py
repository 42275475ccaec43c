"""The connections of ``receive --into``, and how fast each sends. At most 64 are served. One more ends the slowest of those that
send no array, or send one at a trickle, so that they cannot keep others out. Any thread."""

from __future__ import annotations

import threading
import time
from typing import Callable, Dict, List, NamedTuple, Optional

from ..connection import Connection
from ..errors import ArraywireError, ConnectionLostError, ErrorCode

MOST = 64
#: Less is no progress.
LEAST_BYTES = 64 << 10
_LOOK_SECONDS = 0.25


class Patience(NamedTuple):
    """How long a peer is waited for, in seconds; the handshake has limits of its own."""

    idle: float = 30.0  # until it begins an array, and until it goes after its last one
    stall: float = 30.0  # until the next bytes of an array have come, as many as count
    crowded: float = 1.0  # how long these may take where every place is taken


class _Peer:
    def __init__(self, connection: Connection, now: float) -> None:
        self.connection = connection
        self.filling = False
        self.begun = False
        self.told = False
        self.idle_since = now
        self.moved = 0  # since the last bytes that count
        self.since = now
        self.last_took = 0.0

    def pace(self, now: float) -> float:
        """Seconds for the bytes that count; the age of a peer that sent none."""
        return max(self.last_took, now - self.since)


class Peers:
    """Watches them about four times a second."""

    def __init__(self, complain: Callable[[str, Exception], None], patience: Patience) -> None:
        self._complain = complain
        self._patience = patience
        self._lock = threading.Lock()
        self._known: Dict[Connection, _Peer] = {}
        self._served: List[_Peer] = []
        self._closed = threading.Event()

    def watch(self, connections: Callable[[], List[Connection]]) -> None:
        def run() -> None:
            while not self._closed.wait(min(_LOOK_SECONDS, self._patience.stall / 4)):
                self.look(connections())

        threading.Thread(target=run, name="arraywire-peers", daemon=True).start()

    def look(self, connections: List[Connection]) -> None:
        """Admits those that have come, and ends those that stall."""
        ended: List[Connection] = []
        with self._lock:
            now = time.monotonic()
            present = set(connections)
            self._served = [each for each in self._served if each.connection in present]
            for connection in connections:
                peer = self._of(connection)
                if peer not in self._served:
                    ended += self._admit(peer, now)
            for peer in list(self._served):
                waited = now - (peer.since if peer.filling else peer.idle_since)
                if waited > (self._patience.stall if peer.filling else self._patience.idle):
                    self._end(peer, self._overdue(peer))
                    ended.append(peer.connection)
        for connection in ended:
            connection.close_now()

    def _admit(self, peer: _Peer, now: float) -> List[Connection]:
        """Those that have to go for it, perhaps itself. Of those that are turned away nobody is told: they may be many."""
        if len(self._served) < MOST:
            self._served.append(peer)
            return []
        may_go = [each for each in self._served if not each.filling or each.pace(now) > self._patience.crowded]
        if not may_go:
            peer.told = True
            return [peer.connection]
        # The slowest goes first, idle or not: else peers that trickle would have those that come make room for each other.
        slowest = max(may_go, key=lambda each: each.pace(now))
        text = "the peer sent its array too slowly" if slowest.filling else "the peer sent nothing"
        code = ErrorCode.SLOW_PEER if slowest.filling else ErrorCode.CONNECTION_RESET
        self._end(slowest, ConnectionLostError(code, f"{text} and had to make room for others", connections=MOST))
        self._served.append(peer)
        return [slowest.connection]

    def _overdue(self, peer: _Peer) -> ArraywireError:
        if peer.filling:
            return ConnectionLostError(
                ErrorCode.SLOW_PEER,
                "the peer sent next to nothing of its array for too long",
                leastBytes=LEAST_BYTES,
                stallTimeout=f"{self._patience.stall:g} s",
            )
        return ConnectionLostError(
            ErrorCode.IDLE_TIMEOUT,
            "the peer sent no array for too long and did not go",
            idleTimeout=f"{self._patience.idle:g} s",
        )

    def _end(self, peer: _Peer, why: Exception) -> None:
        self._served.remove(peer)
        self._tell(peer, why)

    def _of(self, connection: Connection) -> _Peer:
        peer = self._known.get(connection)
        if peer is None:
            peer = self._known[connection] = _Peer(connection, time.monotonic())
        return peer

    def _tell(self, peer: _Peer, why: Exception) -> None:
        if not peer.told and not self._closed.is_set():
            self._complain(peer.connection.peer_address, why)
        peer.told = True

    # --- What an array does ---

    def begins(self, connection: Connection) -> None:
        with self._lock:
            peer = self._of(connection)
            peer.filling = peer.begun = True
            peer.since = time.monotonic()

    def moved(self, connection: Connection, count: int) -> None:
        with self._lock:
            peer = self._of(connection)
            peer.moved += count
            if peer.moved >= LEAST_BYTES:
                now = time.monotonic()
                peer.last_took, peer.since, peer.moved = now - peer.since, now, 0

    def ends(self, connection: Connection) -> None:
        with self._lock:
            peer = self._known.get(connection)
            if peer is not None and peer.filling:
                peer.filling, peer.idle_since = False, time.monotonic()

    def has_begun(self, connection: Connection) -> bool:
        with self._lock:
            peer = self._known.get(connection)
            return peer is not None and peer.begun

    def tell_once(self, connection: Connection, why: Exception) -> None:
        """Reports why a connection fails, unless something was reported of it before."""
        with self._lock:
            self._tell(self._of(connection), why)

    def ended(self, connection: Connection, why: Exception) -> None:
        with self._lock:
            peer: Optional[_Peer] = self._known.pop(connection, None)
            self._tell(peer or _Peer(connection, 0.0), why)

    def close(self) -> None:
        """Ends nobody any more, and tells nobody what becomes of connections."""
        self._closed.set()
