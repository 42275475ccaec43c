"""Calls a program's functions with what comes by one connection."""

from __future__ import annotations

import logging
import threading
from typing import TYPE_CHECKING, Any, Callable, NamedTuple, Optional

from .errors import MAX_FAULT_TEXT, ArraywireError, ErrorCode
from ._streams import Received
from .message import Message, Request

if TYPE_CHECKING:
    from .connection import Connection

Handler = Callable[[Message], Any]
Answer = Callable[[Request], Any]
log = logging.getLogger("arraywire")


class Refusal(Exception):
    """A handler refuses an array or a request, and these words are for the peer. It is no failure, so nothing is logged."""


class Hooks(NamedTuple):
    """What the command wants to know of the connections of a listener."""

    #: Called with each array whose first frame has come, under the link's lock: whether it has a sink now, or is refused.
    target: "Optional[Callable[[Connection, Received], bool]]" = None
    #: Called once with each connection that is over, also with one whose handshake failed, by the thread that served it.
    ended: "Optional[Callable[[Connection, Optional[ArraywireError]], None]]" = None


NO_HOOKS = Hooks()


def serve(connection: "Connection", handler: Optional[Handler], answer: Optional[Answer]) -> None:
    """Until the connection has ended. What a handler raises refuses its array; what an answer raises is the answer."""
    link, core = connection._link, connection._core
    while True:
        with link.lock:
            link.wait(lambda: core.ready or core.requests.inbox or core.stream_ended or link.closed)
            request: Optional[Received] = None
            array: Optional[Received] = None
            if core.requests.inbox and answer is not None:
                request = core.requests.take()
            elif core.ready:
                stream = core.ready.popleft()
                array = core.take(stream)
                if array is not None and handler is None:
                    core.refuse(array, ErrorCode.REJECTED, "this program answers requests and takes no other arrays")
                    array = None
            elif core.stream_ended or link.closed or core.error is not None:
                if core.error is not None and not link.closed:
                    connection._linger()
                link.close()
                return
        if request is not None and answer is not None:
            _answer(Request(connection, request), answer)
        elif array is not None and handler is not None:
            _handle(connection, array, handler)


def _handle(connection: "Connection", array: Received, handler: Handler) -> None:
    link, core = connection._link, connection._core
    try:
        handler(Message(connection, array))
    except Refusal as refusal:
        with link.lock:
            core.refuse(array, ErrorCode.REJECTED, str(refusal))
            link.write()
    except Exception as error:
        log.warning("a handler raised, the array is refused (logNumber=%d)", log_number(error), exc_info=error)
        with link.lock:
            core.refuse(array, ErrorCode.REJECTED, said("the handler raised", error))
            link.write()
    else:
        with link.lock:
            core.processed(array)
            link.write()
    if core.session is not None and core.error is not None and core.session.connection is not None:
        core.session.connection.answer_repeated()  # it may have come again over another link


def _answer(request: Request, answer: Answer) -> None:
    try:
        reply = answer(request)
        if reply is not None:
            request.reply(reply)
    except Refusal as refusal:
        request._by._fail(request._received, str(refusal), ErrorCode.REJECTED)
    except ArraywireError as error:
        if request.connection.open:
            log.warning("an answer could not be sent (logNumber=%d)", log_number(error), exc_info=error)
            request.fail(said("the answer could not be sent", error))
    except Exception as error:
        log.warning("the function that answers requests raised (logNumber=%d)", log_number(error), exc_info=error)
        request.fail(said("the handler raised", error))


_numbers: "dict[str, int]" = {}
_numbers_lock = threading.Lock()


def log_number(error: BaseException) -> int:
    """A number for the class of an error; the log line has the same number."""
    name = f"{type(error).__module__}.{type(error).__qualname__}"
    with _numbers_lock:
        return _numbers.setdefault(name, len(_numbers) + 1)


def said(what: str, error: BaseException) -> str:
    """The text of an error for the peer, which may be a stranger: no class names and no file names; see ADR 36."""
    if isinstance(error, OSError) and error.strerror:
        words = error.strerror
    else:
        words = str(error) or "an error without words"
    return f"{what}: {words[: MAX_FAULT_TEXT // 2]} (logNumber={log_number(error)})"
