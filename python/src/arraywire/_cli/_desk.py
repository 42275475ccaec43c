"""Answers what a store has of a file, and holds that for the connection that asked until it sends the rest, asks again, or
ends. So nobody else changes what was answered. Any thread."""

from __future__ import annotations

import os
import threading
from typing import Any, Callable, Dict, NamedTuple, Optional

from .._serve import Refusal
from .._types import ElementType
from ..connection import Connection
from ..message import Request
from ._errors import CommandError, PartInUse, RefusedName
from ._files import Unwanted
from ._names import TravelName, is_file
from ._part import PartFile
from ._places import Place
from ._question import BUSY, NOTHING, OTHER_PART, OTHER_WHOLE, PART, WHOLE, Answer, Head, Question
from ._store import ArrayStore

#: So many files are read at a time to compare them.
MOST = 8
NO_FILES = "the receiver writes no files"


class Kept(NamedTuple):
    """A part that one connection may write to."""

    question: Question
    path: str
    part: PartFile
    same: int  # how many of its elements are those of the sender's file, as a comparison has shown


class Desk:
    """``max_bytes`` is the largest array that is taken, and so the largest file in pieces."""

    def __init__(self, store: ArrayStore, max_bytes: int) -> None:
        self._store = store
        self._max_bytes = max_bytes
        self._readers = threading.Semaphore(MOST)
        self._lock = threading.Lock()
        self._offers: Dict[Connection, Kept] = {}

    def __call__(self, request: Request) -> None:
        """What a listener calls with each request."""
        try:
            answer = self._answer(request.connection, Question.parse(request), _is_left(request))
        except Unwanted:
            return
        except RefusedName as refused:
            raise Refusal(refused.for_peer) from refused
        except (OSError, CommandError) as cause:
            # Its text names files here.
            raise Refusal("the receiver cannot read what it has of the file") from cause
        request.reply(answer.content(), metadata=answer.metadata())

    def _answer(self, connection: Connection, question: Question, unwanted: Callable[[], bool]) -> Answer:
        if not self._store.has_files:
            raise Refusal(NO_FILES)
        place = self._store.places.place_of(question.name)
        held = self._take(connection, question)
        if os.path.lexists(place.asked):
            if held is not None:
                self._release(held)
            return self._whole(question, place.asked, unwanted)
        try:
            kept = held or self._claim(question, place)
        except PartInUse:
            return Answer(BUSY)
        return Answer(NOTHING) if kept is None else self._part(connection, question, kept, unwanted)

    def _whole(self, question: Question, path: str, unwanted: Callable[[], bool]) -> Answer:
        if not is_file(path):
            return Answer(OTHER_WHOLE)
        fd = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0))
        try:
            head = question.head
            if (
                os.fstat(fd).st_size != question.first + question.size
                or not question.is_begun_in(fd)
                or head is not None
                and head.elements != question.elements
            ):
                return Answer(OTHER_WHOLE)
            if head is None:
                return Answer(WHOLE, question.elements)
            return self._compared(question, head, fd, unwanted, WHOLE, OTHER_WHOLE)
        finally:
            os.close(fd)

    def _claim(self, question: Question, place: Place) -> Optional[Kept]:
        """What is kept of a file; None if nothing is, or nothing that this receiver may write to."""
        path = _kept_of(place)
        if path is None or question.size > self._max_bytes:
            return None
        try:
            part = self._store.kept_parts.claim(path, False)
        except PermissionError:
            return None  # another user's
        return None if part is None else Kept(question, path, part, 0)

    def _part(self, connection: Connection, question: Question, kept: Kept, unwanted: Callable[[], bool]) -> Answer:
        offered = False
        try:
            answer = self._part_answer(question, kept.part, unwanted)
            same = answer.elements if question.head is not None and answer.state == PART else 0
            self._offer(connection, Kept(question, kept.path, kept.part, same))
            offered = True
            return answer
        finally:
            if not offered:
                self._release(kept)

    def _part_answer(self, question: Question, part: PartFile, unwanted: Callable[[], bool]) -> Answer:
        if not question.is_begun_in(part.fd):
            return Answer(OTHER_PART)
        elements = question.elements_in(part)
        if not elements:
            return Answer(NOTHING)
        head = question.head
        if head is None:
            return Answer(PART, elements)
        if not 0 < head.elements <= elements:
            return Answer(OTHER_PART)
        return self._compared(question, head, part.fd, unwanted, PART, OTHER_PART)

    def _compared(
        self, question: Question, head: Head, fd: int, unwanted: Callable[[], bool], same: str, other: str
    ) -> Answer:
        if not self._readers.acquire(blocking=False):
            return Answer(BUSY)
        try:
            return Answer(same, head.elements) if question.agrees(fd, head, unwanted) else Answer(other)
        finally:
            self._readers.release()

    def _offer(self, connection: Connection, kept: Kept) -> None:
        with self._lock:
            other = self._offers.get(connection)
            self._offers[connection] = kept
        if other is not None:
            self._release(other)
        if not connection.open:
            self.drop(connection)

    def _take(self, connection: Connection, question: Question) -> Optional[Kept]:
        """What a connection holds of a file; what it holds of another one, it loses."""
        with self._lock:
            offer = self._offers.pop(connection, None)
        if offer is None or offer.question.is_about_that_of(question):
            return offer
        self._release(offer)
        return None

    def rest(self, connection: Connection, name: TravelName, type: ElementType, before: int, count: int) -> Kept:
        """The part that the rest of a file goes to. Raises RefusedName if the connection has not shown that its file
        begins so."""
        with self._lock:
            offer = self._offers.pop(connection, None)
        if offer is not None:
            asked = offer.question
            if asked.name == name and asked.type is type and before <= offer.same and count == asked.elements - before:
                return offer
            self._release(offer)
        raise RefusedName(
            "the receiver does not hold the elements before these; ask again what it has of the file", name=name
        )

    def anew(self, connection: Connection, question: Question) -> Optional[Kept]:
        """The part that all of a file goes to. What is kept goes then, so its sender must have been told of it. None if this
        sender's cannot be kept: another one has the part, or has left something in it, or no part can be made."""
        offer = self._take(connection, question)
        if offer is not None:
            return offer
        place = self._store.places.place_of(question.name)
        path = _kept_of(place) or place.kept[0]
        try:
            part = self._store.kept_parts.claim(path, True)
            if part is None:
                return None
            kept = Kept(question, path, part, 0)
            if not part.size:
                return kept
            self._release(kept)
            return None
        except (OSError, PartInUse):
            return None  # the file comes all the same, into a hidden file of its own; if that fails, it is said

    def drop(self, connection: Connection) -> None:
        """Gives back what a connection was told of, and has not begun to write."""
        with self._lock:
            offer = self._offers.pop(connection, None)
        if offer is not None:
            self._release(offer)

    def _release(self, kept: Kept) -> None:
        try:
            self._store.kept_parts.release(kept.path, kept.part)
        except OSError:
            pass  # it stays as it is, under its hidden name


def _kept_of(place: Place) -> Optional[str]:
    return next((each for each in place.kept if is_file(each)), None)


def _is_left(request: Request) -> Callable[[], bool]:
    """Whether nobody waits for the answer any more."""
    core: Any = request._by._core
    link: Any = request._by._link
    return lambda: bool(link.closed or core.over or not core.requests.is_open(request._received))
