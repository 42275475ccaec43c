"""Subscriptions that this side made, and subscribers that it has."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Deque, Dict, Mapping, Optional

from . import _layout as wire
from . import _protobuf
from ._attributes import Attributes, Fault
from ._elements import Elements
from ._layout import Header
from ._streams import QUEUED, Inbound, Outbound, Outgoing
from .errors import ArraywireError, ConnectionClosedError, ErrorCode, RejectedError, printable, violation

if TYPE_CHECKING:
    from ._core import Core

BLOCK, DROP_OLDEST, DROP_NEWEST, DISCONNECT = range(1, 5)
_MOST = (1 << 63) - 1


class Subscription:
    """One that this side made."""

    __slots__ = ("number", "stream", "begun", "given_up", "error", "ended")

    def __init__(self, number: int, stream: Inbound) -> None:
        self.number = number
        self.stream = stream
        self.begun = False
        self.given_up = False  # UNSUBSCRIBE was sent
        self.ended = False  # UNSUBSCRIBED came, or the connection ended
        self.error: Optional[ArraywireError] = None


class Subscriber:
    """One that the peer made."""

    __slots__ = ("subject", "policy", "queue_bytes", "stream", "publication", "given_up", "slow")

    def __init__(self, subject: str, policy: int, queue_bytes: int, stream: Outbound) -> None:
        self.subject = subject
        self.policy = policy
        self.queue_bytes = queue_bytes
        self.stream = stream
        self.publication = 0
        self.given_up = False
        self.slow = False


class Subscriptions:
    """Those of one connection, both ways."""

    __slots__ = ("_core", "_mine", "_theirs", "publishing")

    def __init__(self, core: "Core") -> None:
        self._core = core
        self._mine: Dict[int, Subscription] = {}
        self._theirs: Dict[int, Subscriber] = {}
        self.publishing = False  # whether the program publishes

    # --- Made here ---

    def make(self, subject: str, policy: int, queue_bytes: int) -> Subscription:
        content = subject.encode()
        if not 1 <= len(content) <= 255 or not subject.isprintable():
            raise ValueError(f"a subject is 1 to 255 bytes of printable text (bytes={len(content)})")
        if not 0 < queue_bytes <= _MOST:
            raise ValueError(f"queue_bytes must be positive (queue_bytes={queue_bytes})")
        core = self._core
        number = next((each for each in range(core.agreement.subscriptions) if each not in self._mine), -1)
        if number < 0:
            raise RejectedError(
                ErrorCode.TOO_MANY_SUBSCRIPTIONS,
                "there are as many subscriptions as both sides allow",
                limit=core.agreement.subscriptions,
            )
        field = number | wire.SUBSCRIPTION
        stream = core.inbound(field)
        stream.publication = 0
        self._mine[number] = made = Subscription(number, stream)
        body = _protobuf.data(1, content) + _protobuf.number(2, policy) + _protobuf.number(3, queue_bytes)
        core.writer.control(wire.SUBSCRIBE, body, channel=field)
        return made

    def give_up(self, subscription: Subscription) -> None:
        if subscription.given_up or subscription.ended or self._core.over:
            return
        subscription.given_up = True
        self._core.writer.control(wire.UNSUBSCRIBE, channel=subscription.number | wire.SUBSCRIPTION)
        self._drop(subscription)

    def _drop(self, subscription: Subscription) -> None:
        inbox = subscription.stream.inbox
        while inbox:
            array = inbox.popleft()
            self._core.release(array)
            self._core.processed(array)

    def of(self, field: int) -> Optional[Subscription]:
        return self._mine.get(field ^ wire.SUBSCRIPTION)

    def check_publication(self, stream: Inbound, number: int) -> None:
        subscription = self.of(stream.field)
        if subscription is None or not subscription.begun or number <= stream.publication:
            raise violation(
                ErrorCode.PROTOCOL_VIOLATION,
                "an array of no subscription came, or one with a number that is not higher than the last one",
                subscription=stream.field ^ wire.SUBSCRIPTION,
                publication=number,
                before=stream.publication,
            )
        stream.publication = number

    def take_subscribed(self, frame: Header, body: bytes) -> None:
        subscription = self._mine_of(frame)
        if subscription.begun:
            raise violation(
                ErrorCode.PROTOCOL_VIOLATION, "a subscription began twice", subscription=subscription.number
            )
        if subscription.given_up:
            self._core.flood.eighth()
        subscription.begun = True

    def take_unsubscribed(self, frame: Header, body: bytes) -> None:
        subscription = self._mine_of(frame)
        if subscription.stream.arriving is not None or not body and not subscription.given_up:
            raise violation(
                ErrorCode.PROTOCOL_VIOLATION,
                "a subscription was ended inside an array, or without a reason",
                subscription=subscription.number,
            )
        if body:
            fault = Fault.decode(body)
            subscription.error = RejectedError(
                fault.code, printable(fault.text) or "the publisher ended the subscription", subscription=subscription.number
            )
        if not subscription.given_up:
            subscription.given_up = True
            self._core.writer.control(wire.UNSUBSCRIBE, channel=frame.channel)
        subscription.ended = True
        del self._mine[subscription.number]

    def _mine_of(self, frame: Header) -> Subscription:
        subscription = self.of(frame.channel) if frame.channel & wire.SUBSCRIPTION else None
        if subscription is None:
            raise violation(
                ErrorCode.PROTOCOL_VIOLATION, "a frame came of no subscription", type=frame.type, channel=frame.channel
            )
        return subscription

    # --- The peer's ---

    def take_subscribe(self, frame: Header, body: bytes) -> None:
        number = frame.channel ^ wire.SUBSCRIPTION
        if not frame.channel & wire.SUBSCRIPTION or number in self._theirs:
            raise violation(
                ErrorCode.PROTOCOL_VIOLATION,
                "a subscription was asked for on a channel, or with a number that is in use",
                channel=frame.channel,
            )
        message = _protobuf.Message(body)
        subject, policy, queue_bytes = message.text(1), message.number(2), message.number(3)
        if not 1 <= len(message.data(1)) <= 255 or any(ord(c) < 32 or 127 <= ord(c) < 160 for c in subject):
            raise violation(
                ErrorCode.MALFORMED_PAYLOAD,
                "a subject must be 1 to 255 bytes without control characters",
                bytes=len(message.data(1)),
            )
        if not BLOCK <= policy <= DISCONNECT:
            raise violation(ErrorCode.UNKNOWN_CODE, "a subscription has a policy that is not known", policy=policy)
        if not 0 < queue_bytes <= _MOST:
            raise violation(
                ErrorCode.MALFORMED_PAYLOAD, "a subscription's queue_bytes is out of its range", queue_bytes=queue_bytes
            )
        subscriber = Subscriber(subject, policy, queue_bytes, self._core.outbound(frame.channel))
        self._theirs[number] = subscriber
        if self._core.ending:
            self._end(number, Fault(ErrorCode.CONNECTION_CLOSED, "this side closes"))
            self._core.flood.eighth()
        elif not self.publishing:
            self._end(number, Fault(ErrorCode.REJECTED, "this program publishes nothing"))
            self._core.flood.eighth()
        else:
            self._core.writer.control(wire.SUBSCRIBED, channel=frame.channel)

    def take_unsubscribe(self, frame: Header, body: bytes) -> None:
        number = frame.channel ^ wire.SUBSCRIPTION
        subscriber = self._theirs.get(number) if frame.channel & wire.SUBSCRIPTION else None
        if subscriber is None or subscriber.given_up:
            raise violation(
                ErrorCode.PROTOCOL_VIOLATION, "the peer ended a subscription that is not open", channel=frame.channel
            )
        if not subscriber.publication:
            self._core.flood.eighth()
        subscriber.given_up = True
        if not subscriber.slow:
            self._clear(subscriber)
            self._core.writer.control(wire.UNSUBSCRIBED, channel=frame.channel)
        del self._theirs[number]

    def _end(self, number: int, fault: Fault) -> None:
        subscriber = self._theirs[number]
        subscriber.slow = True  # UNSUBSCRIBED was sent; it is over with the answer
        self._clear(subscriber)
        self._core.writer.control(wire.UNSUBSCRIBED, fault.encoded(), channel=number | wire.SUBSCRIPTION)

    def _clear(self, subscriber: Subscriber) -> None:
        for outgoing in list(subscriber.stream.queue):
            self._core.writer.withdraw(outgoing)

    def subscribers(self, subject: str) -> "list[Subscriber]":
        return [each for each in self._theirs.values() if each.subject == subject and not each.slow]

    def subjects(self) -> "list[str]":
        return [each.subject for each in self._theirs.values() if not each.slow]

    def has_room(self, subscriber: Subscriber, elements: Elements) -> bool:
        waits = subscriber.stream.queued_bytes
        return not waits or waits + elements.view.nbytes <= subscriber.queue_bytes

    def publish(
        self, subscriber: Subscriber, elements: Elements, tag: int, metadata: Mapping[str, str]
    ) -> Optional[Outgoing]:
        """For one subscriber, by its policy; the elements must not change any more. None if it is dropped."""
        subscriber.publication += 1
        if not self.has_room(subscriber, elements):
            if subscriber.policy == DISCONNECT:
                number = subscriber.stream.field ^ wire.SUBSCRIPTION
                self._end(
                    number,
                    Fault(
                        ErrorCode.SLOW_SUBSCRIBER,
                        f"the subscriber took too little (queueBytes={subscriber.queue_bytes})",
                    ),
                )
                return None
            if subscriber.policy == DROP_NEWEST:
                return None
            queue: Deque[Outgoing] = deque(each for each in subscriber.stream.queue if each.state == QUEUED)
            while queue and not self.has_room(subscriber, elements):
                self._core.writer.withdraw(queue.popleft())
        attributes = Attributes(
            shape=elements.shape, metadata=metadata, publication=subscriber.publication, parts=elements.parts
        )
        return self._core.queue(subscriber.stream, elements, tag, attributes)

    def peer_goodbye(self) -> None:
        for subscriber in self._theirs.values():
            self._clear(subscriber)
        self._theirs.clear()
        self.ended(ConnectionClosedError(ErrorCode.CONNECTION_CLOSED, "the publisher closed the connection"))

    def ended(self, error: ArraywireError) -> None:
        for subscription in self._mine.values():
            subscription.ended = True
            subscription.error = error
        self._mine.clear()
