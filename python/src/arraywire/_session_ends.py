"""What handshakes say of sessions, at either end."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Callable, Dict

from ._handshake import Offer
from ._session import Session
from .errors import ConnectionLostError, ErrorCode, HandshakeError

if TYPE_CHECKING:
    from ._core import Core

_MOST = 65_536


class SessionEnd:
    """One end: the connecting one answers a welcome, the listening one makes it."""

    def offer(self, offer: Offer) -> Offer:
        return offer

    def welcome(self, core: "Core", hello: Offer, welcome: Offer) -> Offer:
        """The welcome that answers a hello. Raises HandshakeError if the session cannot go on. With the lock of the link."""
        raise NotImplementedError

    def welcomed(self, core: "Core", welcome: Offer) -> None:
        """The peer has answered. With the lock of the link."""
        raise NotImplementedError


class Connecting(SessionEnd):
    """Asks for a session, or to go on with it."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def offer(self, offer: Offer) -> Offer:
        session = self._session
        return offer._replace(
            session_millis=max(1, int(session.seconds * 1000)), session=session.name, session_token=session.token
        )

    def welcomed(self, core: "Core", welcome: Offer) -> None:
        session = self._session
        if not welcome.session:
            if session.name:
                raise HandshakeError(ErrorCode.RESUME_REJECTED, "the peer keeps no sessions any more")
            return
        if session.name and welcome.session != session.name:
            raise HandshakeError(ErrorCode.RESUME_REJECTED, "the peer goes on with another session than was asked for")
        with session.lock:
            if not session.name:
                session.seconds = min(session.seconds, welcome.session_millis / 1000)
            session.name, session.token = welcome.session, welcome.session_token
        core.session = session


class Listening(SessionEnd):
    """The sessions of a listener, by name."""

    def __init__(
        self, seconds: float, supersede: Callable[[Session], None], made: Callable[[float], Session] = Session
    ) -> None:
        self._seconds = seconds
        self._made = made
        self._supersede = supersede
        self._lock = threading.Lock()
        self._sessions: Dict[bytes, Session] = {}

    def welcome(self, core: "Core", hello: Offer, welcome: Offer) -> Offer:
        if hello.session:
            session = self._resumed(hello)
        elif not hello.session_millis or not self._has_room():
            return welcome
        else:
            session = self._made(min(self._seconds, hello.session_millis / 1000))
        session.welcome()
        with self._lock:
            self._sessions[session.name] = session
        session.on_end = lambda: self._forget(session)
        core.session, core.turn = session, session.turn
        core.unconfirmed = True
        return welcome._replace(
            session_millis=max(1, int(self._seconds * 1000)), session=session.name, session_token=session.next_token
        )

    def _resumed(self, hello: Offer) -> Session:
        with self._lock:
            session = self._sessions.get(hello.session)
        if session is None or session.expire():
            raise HandshakeError(ErrorCode.RESUME_REJECTED, "the session is not known, or has ended")
        if not hello.session_millis or not session.accepts(hello.session_token):
            raise HandshakeError(ErrorCode.RESUME_REJECTED, "the token of the session is wrong, or was used")
        self._supersede(session)
        return session

    def _has_room(self) -> bool:
        with self._lock:
            sessions = list(self._sessions.values())
        if len(sessions) >= _MOST:
            sessions = [each for each in sessions if not each.expire()]
        return len(sessions) < _MOST

    def _forget(self, session: Session) -> None:
        with self._lock:
            self._sessions.pop(session.name, None)

    def close(self) -> None:
        """Those that no connection carries end now."""
        with self._lock:
            sessions = list(self._sessions.values())
        for session in sessions:
            if session.core is None:
                session.end(ConnectionLostError(ErrorCode.SESSION_EXPIRED, "the listener was closed while nobody was connected"))
