"""Asks a receiver what it has of a file, and has it compare that with the file: ``send --resume``."""

from __future__ import annotations

from typing import Callable, NamedTuple, Optional

from ..connection import Connection
from ..errors import ArraywireError, ErrorCode, RejectedError
from ._complaints import said_by_peer
from ._errors import TAKEN, CommandError
from ._files import ArrayFile, Stamp
from ._inputs import Outgoing
from ._desk import NO_FILES
from ._into import KEEPS_NOTHING
from ._pauses import Pauses, RoomWait
from ._question import BUSY, NOTHING, OTHER_PART, PART, WHOLE, Answer, Head, Question

#: A connection that broke may not be known as broken over there for as long as this.
PATIENCE = 60.0
#: What a receiver reads in a second at least, to know when it will never answer.
_SLOWEST_BYTES_PER_SECOND = 20_000_000
#: How receivers that keep nothing refuse the question; the last two are programs that take arrays only, in Java and here.
_KEEPS_NOTHING = (NO_FILES, KEEPS_NOTHING, "there is no request handler", "this program answers no requests")


class Remainder(NamedTuple):
    """What a receiver has not of a file."""

    file: ArrayFile  # the elements to send; all of them, if the receiver has the whole file
    already: int = 0  # how many elements of the file the receiver has before these
    is_there: bool = False  # whether the receiver has the whole file, so that nothing is to be sent
    stamp: Optional[Stamp] = None  # of the file before it was compared

    @property
    def already_bytes(self) -> int:
        return self.already * self.file.type.size


class Resuming:
    """``note`` is told, in a line, why a file of which something is there is sent as a whole."""

    def __init__(self, connection: Connection, note: Callable[[str], None], patience: float = PATIENCE) -> None:
        self._connection = connection
        self._note = note
        self._patience = patience
        self.goes_on = False  # whether the receiver keeps what it has got, so that the same command goes on with it

    def of(self, outgoing: Outgoing) -> Remainder:
        """Raises RejectedError or CommandError if the receiver has another file of that name, keeps nothing, refuses to say
        what it has, or is busy with it."""
        name, file = outgoing.name, outgoing.file
        assert name is not None
        stamp = Stamp.of(file.path)
        try:
            answer = self._compared(Question(name, file.type, file.shape), outgoing)
        except RejectedError as error:
            why = next((each for each in _KEEPS_NOTHING if said_by_peer(error).startswith(each)), None)
            if why is None:
                error.of_request = True  # type: ignore[attr-defined]
                raise
            raise CommandError(
                "the receiver keeps nothing of a transfer that breaks off; start 'arraywire receive --out DIR' or '--out"
                f" FILE.npy' there, or leave out --resume (file={outgoing.shown}, receiver={why})"
            ) from error
        self.goes_on = True
        if answer.state == NOTHING:
            return Remainder(file)
        if answer.state == PART:
            # At least one is sent, since its acknowledgement says that the file has its name.
            already = min(answer.elements, file.elements - 1)
            return Remainder(file.after(already), already, False, stamp) if already else Remainder(file)
        if answer.state == OTHER_PART:
            self._note(f"all of {outgoing.shown} is sent: what the receiver has is not its beginning")
            return Remainder(file)
        if answer.state == WHOLE:
            return Remainder(file, file.elements, True, stamp)
        if answer.state == BUSY:
            raise CommandError(
                "the receiver takes a file of that name from another sender, or is busy with comparing files; send it again"
                f" later (name={name}, waitedSeconds={self._patience:g})"
            )
        # As the receiver refuses an array of that name.
        raise RejectedError(ErrorCode.REJECTED, f"{TAKEN} (name={name})")

    def _compared(self, question: Question, outgoing: Outgoing) -> Answer:
        """Asks how much there is, and then whether that is the beginning of the file."""
        answer = self._ask(question, outgoing)
        if answer.state not in (PART, WHOLE):
            return answer
        head = Head(answer.elements, outgoing.file.digest(answer.elements))
        return self._ask(question._replace(head=head), outgoing)

    def _ask(self, question: Question, outgoing: Outgoing) -> Answer:
        """Asks until the receiver can say."""
        timeout = 30 + question.size // _SLOWEST_BYTES_PER_SECOND
        pauses = Pauses(self._patience)
        room = self.wait_for_room()
        while True:
            try:
                reply = self._connection.call(question.content(), timeout, metadata=question.metadata())
                answer = Answer.parse(reply, question)
                if answer.state != BUSY or not pauses.pause():
                    return answer
            except ArraywireError as error:
                if not room.is_worth_another(self._connection, f"the question about {outgoing.shown}", error):
                    raise

    def wait_for_room(self) -> RoomWait:
        return RoomWait(self._patience, self._note)
