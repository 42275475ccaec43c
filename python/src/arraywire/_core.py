"""The protocol of one connection without sockets: bytes go in and come out, arrays come out and go in.

A link (of sockets, of asyncio, of a test) puts what it reads into ``receive_buffers()`` and says so by ``bytes_received``
or ``end_of_stream``; it writes ``pieces()`` and says so by ``bytes_written``; it calls ``tick`` about once a second. The
link holds its lock meanwhile, since nothing here is safe for several threads at a time. Nothing here waits.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Callable, Deque, Dict, List, Optional

from . import _layout as wire, _targets
from ._alive import Alive
from ._attributes import Attributes, Fault, checked_length
from ._controls import Controls
from ._credit import allow_more
from ._elements import Elements
from ._flood import Flood
from ._handshake import Agreement, Offer, decodable
from ._memory import swapped
from ._opening import Opening
from ._reader import Reader
from ._requests import Requests
from ._streams import ACKNOWLEDGED, FAILED, Inbound, Outbound, Outgoing, Received
from ._subscriptions import Subscriptions
from ._writer import Piece, Write, Writer, later
from .errors import (
    ArraywireError, ConnectionClosedError, ConnectionLostError, ErrorCode, HandshakeError, ProtocolError,
    TooLargeError, violation,
)  # fmt: skip

if TYPE_CHECKING:
    from ._session import Session
    from ._session_ends import SessionEnd

_NOTHING_AGREED = Agreement((), (), 0, 1024, False, 1, 0)


class Core:
    """One connection."""

    full = False  # ever: credit keeps the peer from sending too much, and the rest must come through

    def __init__(
        self,
        offer: Offer,
        *,
        connector: bool,
        now: float,
        token: Optional[bytes] = None,
        slow_checksums: bool = True,
        sessions: "Optional[SessionEnd]" = None,
    ) -> None:
        self.offer = offer
        self.peer: Optional[Offer] = None
        self.agreement = _NOTHING_AGREED
        self.connector = connector
        self.error: Optional[ArraywireError] = None  # why it ended, if not in order
        self.deaf = False  # what still comes is dropped
        self.end_output = False  # the link ends its output once everything is written
        self.peer_goodbye = False
        self.ending = False  # no more arrays are taken from the program
        self.ending_said = False  # GOODBYE was sent
        self.stream_ended = False
        self.inbounds: Dict[int, Inbound] = {}
        self.outbounds: Dict[int, Outbound] = {}
        self.allowed = self.charged = 0  # on all channels
        self.half = 0
        self.serving = False  # a handler asks for every array as soon as the one before it is taken
        self.serves = False  # a thread of this package takes what comes
        self.ready: Deque[Inbound] = deque()  # where arrays are, in the order in which they came, if serving
        self.chooser: Optional[Callable[[Received], bool]] = None  # finds a sink for an array, or refuses it
        self.came = 0  # bytes of all kinds
        self.held = self.received = 0  # in credit
        self.told = offer.connection_credit
        self.enough = self.told - self.told // 2
        self.flood = Flood(now, 0, 0)
        self.writer = Writer(self)
        self.requests = Requests(self)
        self.subscriptions = Subscriptions(self)
        self.controls = Controls(self)
        self.reader = Reader(self)
        self.alive = Alive(self, now)
        self.receive_buffers: Callable[[], List[memoryview]] = self.reader.buffers
        self.pieces: Callable[[], List[Piece]] = self.writer.pieces
        self.bytes_written: Callable[[int], None] = self.writer.wrote
        #: What may come, by code: the encodings of arrays, and those of them that are in blocks.
        self.decodes = decodable(offer)
        self.in_blocks = {code: each for code, each in self.decodes.items() if each.in_blocks}
        self.session: "Optional[Session]" = None  # that it carries
        self.turn = 0  # which of the session's connections it is, at the listening end
        self.unconfirmed = False  # whether the peer may not have read the welcome
        self._opening = Opening(self, token, slow_checksums, sessions)

    # --- What the link does ---

    @property
    def open(self) -> bool:
        return self.peer is not None

    @property
    def over(self) -> bool:
        """Whether nothing more goes in either direction, whatever for."""
        return self.error is not None or self.deaf or self.stream_ended

    def bytes_received(self, count: int) -> None:
        """So many bytes were put into the buffers. What the peer did wrong ends the connection, not the caller."""
        self.came += count
        try:
            if self.deaf:
                return
            elif self._opening.over:
                self.reader.received(count)
                if self.unconfirmed and self.session is not None:
                    self.unconfirmed = False
                    self.session.confirmed()
            else:
                self.reader.stage(count)
                self._opening.read()
                if self._opening.over:
                    self.reader.parse()
        except ProtocolError as error:
            self._wronged(error)
        except HandshakeError as error:
            self._opening.refuse(error)
        except MemoryError:
            self._wronged(violation(ErrorCode.ALLOCATION_FAILED, "there is no memory for an array"))
        if self.ending:
            self.maybe_finish()

    def end_of_stream(self) -> None:
        """The peer ended its output, or the stream broke."""
        self.stream_ended = True
        if self.error is not None or self.deaf:
            return
        if not self._opening.over:
            self.ended(
                HandshakeError(
                    ErrorCode.TRUNCATED,
                    "the peer closed the connection during the handshake; is it in plain mode, or full?",
                ),
                silent=True,
            )
        elif self.reader.inside_frame or any(each.arriving for each in self.inbounds.values()):
            self.ended(
                ConnectionLostError(ErrorCode.TRUNCATED, "the connection ended inside an array or frame"), silent=True
            )
        elif not self.peer_goodbye or self._unsettled():
            self.ended(
                ConnectionLostError(
                    ErrorCode.CONNECTION_RESET,
                    "the peer ended the connection without a goodbye: it closed at once, or its process ended",
                ),
                silent=True,
            )
        else:
            self.end_output = True
            self._close_requests()
            if self.session is not None:
                self.session.end(ConnectionClosedError(ErrorCode.CONNECTION_CLOSED, "the session is closed"))

    def tick(self, now: float) -> None:
        """About once a second: is the peer still there?"""
        self.flood.at(now)
        if not self.over:
            self.alive.look(now)

    def _wronged(self, error: ProtocolError) -> None:
        if self._opening.over:
            self.ended(error)
        else:
            self._opening.wronged(error)

    # --- The end ---

    def ended(self, error: ArraywireError, *, silent: bool = False, keep: bool = False) -> None:
        """The connection has ended, not in order. Unless silent the peer is told; keep what was made for it."""
        if self.error is not None:
            return
        self.error = error
        self.deaf = True
        self.reader.drop()
        if not silent:
            self.writer.last(wire.ERROR, Fault(int(error.code or ErrorCode.INTERNAL), error.text).encoded())
        elif not keep:
            self.writer.stop()
        self.end_output = True
        if self.session is not None:
            self.session.broken(self, error)
        self._fail_all(error)

    def _fail_all(self, error: ArraywireError) -> None:
        for stream in self.outbounds.values():
            for outgoing in [*stream.waiting, *stream.queue]:
                if outgoing.state != ACKNOWLEDGED:
                    outgoing.error = error
                    outgoing.state = FAILED
            stream.waiting.clear()
            stream.queue.clear()
        self.requests.ended(error)
        self.subscriptions.ended(error)

    def _close_requests(self) -> None:
        closed = ConnectionClosedError(ErrorCode.CONNECTION_CLOSED, "the connection is closed")
        self.requests.ended(closed)
        self.subscriptions.ended(closed)

    def take_goodbye(self) -> None:
        self.peer_goodbye = True
        self.ending = True
        self.requests.peer_goodbye()
        self.subscriptions.peer_goodbye()

    def begin_end(self) -> None:
        """Takes no more arrays from the program; what it has not taken by then is refused."""
        self.ending = True
        for stream in self.inbounds.values():
            while stream.inbox:
                array = stream.inbox.popleft()
                self.refuse(array, ErrorCode.CONNECTION_CLOSED, "this side closes and nobody takes the array any more")
        self.maybe_finish()

    def _unsettled(self) -> bool:
        return not self.writer.idle or any(stream.waiting or stream.queue for stream in self.outbounds.values())

    @property
    def said_all(self) -> bool:
        """Whether both sides have said goodbye and nothing is left to be done: an end of the stream is no loss then."""
        return self.peer_goodbye and self.ending_said and not self._unsettled()

    def _owes(self) -> bool:
        return any(stream.open or stream.acked > stream.told_acked for stream in self.inbounds.values())

    def maybe_finish(self) -> None:
        """Says goodbye, and ends the output, once nothing is left to be done before."""
        if not self.ending or self.over or not self._opening.over:
            return
        if not self.ending_said and not self._unsettled() and (self.peer_goodbye or self.requests.idle):
            self.ending_said = True
            self.writer.control(wire.GOODBYE)
        if self.ending_said and self.peer_goodbye and not self._owes():
            self.end_output = True

    # --- Streams ---

    def inbound(self, field: int) -> Inbound:
        stream = self.inbounds.get(field)
        if stream is None:
            stream = self.inbounds[field] = Inbound(field, self.offer.channel_credit)
            if self.serving and not stream.is_subscription:
                stream.wanted = 1
        return stream

    def outbound(self, field: int) -> Outbound:
        stream = self.outbounds.get(field)
        if stream is None:
            assert self.peer is not None
            stream = self.outbounds[field] = Outbound(field, self.peer.channel_credit)
        return stream

    def channel(self, number: int) -> int:
        if not 0 <= number < self.agreement.channels:
            raise ValueError(
                "there is no such channel; the first is 0, and both ends say how many there are"
                f" (channel={number}, channels={self.agreement.channels})"
            )
        return number

    # --- Sending ---

    def send(
        self, stream: Outbound, elements: Elements, tag: int, attributes: bytes, write: Write = later, is_reply: bool = False
    ) -> Outgoing:
        """An array is to be sent, as the next thing if that is possible; then write is called. Attributes are encoded."""
        if (outgoing := self.writer.at_once(stream, elements, tag, attributes, write)) is None:
            outgoing = self._queue(stream, elements, tag, attributes, is_reply)
            write()
        return outgoing

    def queue(self, stream: Outbound, elements: Elements, tag: int, attributes: Attributes) -> Outgoing:
        """An array is to be sent in its turn, and may be withdrawn until then."""
        return self._queue(stream, elements, tag, attributes.encoded(), bool(attributes.reply))

    def _queue(self, stream: Outbound, elements: Elements, tag: int, attributes: bytes, is_reply: bool) -> Outgoing:
        if self.error is not None:
            raise self.error
        if self.ending and not is_reply or self.ending_said or self.stream_ended:
            raise ConnectionClosedError(ErrorCode.CONNECTION_CLOSED, "the connection is closed, or closing")
        encoding = self.agreement.encoding_for(elements)
        outgoing = Outgoing(stream, elements, encoding, tag, attributes)
        checked_length(attributes, self.half)
        if outgoing.array_bytes > self.agreement.max_array_bytes:
            raise TooLargeError(
                ErrorCode.ARRAY_TOO_LARGE,
                "the array is larger than the peer accepts; raise max_array_bytes there (maxArrayBytes in Java), or send less"
                " at a time",
                bytes=outgoing.array_bytes,
                limit=self.agreement.max_array_bytes,
            )
        if encoding.little != elements.little and elements.type.size > 1:
            outgoing.elements = elements._replace(view=swapped(elements.view, elements.type.size))
        self.writer.array(outgoing)
        return outgoing

    def sent_whole(self, outgoing: Outgoing) -> None:
        if outgoing.pending is not None:
            self.requests.sent_whole()

    def settled(self, outgoing: Outgoing) -> None:
        """Acknowledged or rejected."""
        if outgoing.error is not None and outgoing.pending is not None:
            self.requests.refused(outgoing.pending, outgoing.error)

    # --- Receiving ---

    def charge(self, stream: Inbound, cost: int) -> None:
        left = min(stream.told - stream.received, self.told - self.received)
        if cost > left:
            raise violation(
                ErrorCode.CREDIT_EXCEEDED, "the peer sent more than its credit allows", cost=cost, left=left, channel=stream.field
            )
        stream.received += cost
        self.received += cost

    def begins(self, array: Received, cost: int) -> None:
        """Finds the place for an array whose first frame was checked."""
        stream, size = array.stream, array.count * array.type.size
        attributes = array.attributes
        if attributes.reply:
            pending = self.requests.waits_for(attributes.reply)
            array.asked = True
            _targets.place(array, size, pending is not None, None)
        elif attributes.publication:
            subscription = self.subscriptions.of(stream.field)
            wanted = subscription is not None and not subscription.given_up
            array.asked = not wanted or len(stream.inbox) < stream.wanted
            _targets.place(array, size, wanted, None)
        elif attributes.request:
            array.asked = True
            _targets.place(array, size, True, None)
        elif attributes.session_sequence and self._is_repeated(array):
            array.asked = True
            _targets.place(array, size, False, None)
        else:
            array.asked = len(stream.inbox) < stream.wanted
            into = stream.targets[0] if stream.targets and not stream.inbox else None
            if self.chooser is None or not self.chooser(array):
                _targets.place(array, size, True, into)
        if not array.asked:
            array.held += cost
            stream.held += cost
            self.held += cost

    def _is_repeated(self, array: Received) -> bool:
        """Whether the program has had it, by an earlier connection of the session."""
        assert self.session is not None
        return self.session.is_repeated(array.stream.field, array.attributes.session_sequence)

    def arrived(self, array: Received) -> None:
        """An array is whole."""
        stream = array.stream
        stream.open.append(array)
        if array.attributes.reply:
            self.requests.replied(array)
            self.processed(array)
        elif array.attributes.request:
            fault = self.requests.came(array)
            if fault is not None:
                self.refuse(array, fault.number, fault.text)
        elif array.refusal is not None:
            self.refuse(array, ErrorCode.REJECTED, array.refusal)
        elif array.view is None and array.sink is None:
            if array.attributes.session_sequence and self.session is not None:
                self.session.repeats(self, array)
            else:
                self.processed(array)
        elif self.ending and not self.peer_goodbye:
            self.refuse(array, ErrorCode.CONNECTION_CLOSED, "this side closes and nobody takes the array any more")
        else:
            stream.inbox.append(array)
            if self.serves and not stream.is_subscription:
                self.ready.append(stream)
        allow_more(self, stream)

    def withdrawn(self, array: Received) -> None:
        """The peer took back an array that was arriving."""
        stream = array.stream
        self.reader.forget(array)
        stream.arriving = None
        self.release(array)
        array.done = True
        stream.open.append(array)
        stream.settle()
        array.end_targets()

    def ask(self, stream: Inbound) -> None:
        """One receive more waits for an array of the channel."""
        stream.wanted += 1
        self._look_again(stream)

    def _look_again(self, stream: Inbound) -> None:
        """An array that is arriving may be the next one that somebody waits for, though it was not when it began."""
        if (arriving := stream.newly_asked()) is not None:
            self.release(arriving)
        allow_more(self, stream)

    def unask(self, stream: Inbound) -> None:
        stream.wanted -= 1

    def take(self, stream: Inbound) -> Optional[Received]:
        """The next array that is whole; its credit is given back, its acknowledgement is not sent yet."""
        if not stream.inbox:
            return None
        array = stream.inbox.popleft()
        self.release(array)
        if self.serving:
            self._look_again(stream)
        if array.attributes.session_sequence and self.session is not None:
            self.session.given(stream.field, array.attributes.session_sequence)
        return array

    def release(self, array: Received) -> None:
        held, array.held = array.held, 0
        if held:
            array.stream.held -= held
            self.held -= held
            allow_more(self, array.stream)

    def processed(self, array: Received) -> None:
        """The program has the array, or its handler is done: it is acknowledged, with all before it."""
        array.done = True
        stream = array.stream
        stream.settle()
        if array.attributes.session_sequence and self.session is not None:
            self.session.done(stream.field, array.attributes.session_sequence)
        if not self.over:
            self.writer.acknowledge(stream)
            if self.ending:
                self.maybe_finish()

    def refuse(self, array: Received, code: int, text: str) -> None:
        """The program does not take the array."""
        if array.attributes.session_sequence and self.session is not None:
            self.session.refused(array.stream.field, array.attributes.session_sequence, Fault(int(code), text))
        if not self.over:
            body = Fault(int(code), text).encoded()
            self.writer.control(wire.REJECTED, body, channel=array.stream.field, sequence=array.sequence)
        self.release(array)
        self.processed(array)
