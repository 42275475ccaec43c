package io.arraywire;

import java.util.Map;

/** Makes an exception once more, as {@link ArraywireException#forCaller} wants it. */
final class Reproduction {
  @FunctionalInterface
  private interface Maker {
    ArraywireException make(String text, Object... facts);
  }

  /** All classes whose code is always the same. {@code ErrorsTest} sees to it that none lacks. */
  private static final Map<Class<?>, Maker> MAKERS =
      Map.ofEntries(
          Map.entry(AllocationFailedException.class, AllocationFailedException::new),
          Map.entry(ArrayTooLargeException.class, ArrayTooLargeException::new),
          Map.entry(AuthenticationException.class, AuthenticationException::new),
          Map.entry(BadLengthException.class, BadLengthException::new),
          Map.entry(BadMagicException.class, BadMagicException::new),
          Map.entry(BindFailedException.class, BindFailedException::new),
          Map.entry(CloseTimeoutException.class, CloseTimeoutException::new),
          Map.entry(ConnectFailedException.class, ConnectFailedException::new),
          Map.entry(ConnectionClosedException.class, ConnectionClosedException::new),
          Map.entry(ConnectionResetException.class, ConnectionResetException::new),
          Map.entry(ControlFloodException.class, ControlFloodException::new),
          Map.entry(CountMismatchException.class, CountMismatchException::new),
          Map.entry(CreditExceededException.class, CreditExceededException::new),
          Map.entry(DeliveryUnknownException.class, DeliveryUnknownException::new),
          Map.entry(FrameTooLargeException.class, FrameTooLargeException::new),
          Map.entry(HandshakeTimeoutException.class, HandshakeTimeoutException::new),
          Map.entry(HeaderChecksumException.class, HeaderChecksumException::new),
          Map.entry(HeartbeatTimeoutException.class, HeartbeatTimeoutException::new),
          Map.entry(IdleTimeoutException.class, IdleTimeoutException::new),
          Map.entry(MalformedPayloadException.class, MalformedPayloadException::new),
          Map.entry(MemoryBudgetException.class, MemoryBudgetException::new),
          Map.entry(NegotiationException.class, NegotiationException::new),
          Map.entry(PayloadChecksumException.class, PayloadChecksumException::new),
          Map.entry(RemoteRejectedException.class, RemoteRejectedException::new),
          Map.entry(RequestFailedException.class, RequestFailedException::new),
          Map.entry(RequestTimeoutException.class, RequestTimeoutException::new),
          Map.entry(ResumeRejectedException.class, ResumeRejectedException::new),
          Map.entry(SendQueueFullException.class, SendQueueFullException::new),
          Map.entry(SendTimeoutException.class, SendTimeoutException::new),
          Map.entry(SequenceGapException.class, SequenceGapException::new),
          Map.entry(SessionExpiredException.class, SessionExpiredException::new),
          Map.entry(SlowFrameException.class, SlowFrameException::new),
          Map.entry(SlowPeerException.class, SlowPeerException::new),
          Map.entry(SlowSubscriberException.class, SlowSubscriberException::new),
          Map.entry(StalledArrayException.class, StalledArrayException::new),
          Map.entry(TargetMismatchException.class, TargetMismatchException::new),
          Map.entry(TooManyRequestsException.class, TooManyRequestsException::new),
          Map.entry(TooManySubscriptionsException.class, TooManySubscriptionsException::new),
          Map.entry(TruncatedException.class, TruncatedException::new),
          Map.entry(UnexpectedFrameException.class, UnexpectedFrameException::new),
          Map.entry(UnknownCodeException.class, UnknownCodeException::new),
          Map.entry(UnsupportedVersionException.class, UnsupportedVersionException::new));

  private Reproduction() {}

  static ArraywireException of(ArraywireException origin) {
    String text = origin.rawText();
    Object[] facts = origin.rawFacts();
    Maker maker = MAKERS.get(origin.getClass());
    if (maker != null) {
      return maker.make(text, facts);
    }
    if (origin instanceof RemoteErrorException remote) {
      return new RemoteErrorException(origin.code(), remote.reason(), facts);
    }
    if (origin instanceof HandshakeException) {
      return new HandshakeException(origin.code(), text, facts);
    }
    if (origin instanceof ProtocolException) {
      return new ProtocolException(origin.code(), text, facts);
    }
    return new ArraywireException(origin.code(), text, facts);
  }
}
