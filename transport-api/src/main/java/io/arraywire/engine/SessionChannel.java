package io.arraywire.engine;

import io.arraywire.AllocationFailedException;
import io.arraywire.ArraySlice;
import io.arraywire.ArrayTooLargeException;
import io.arraywire.ArraywireException;
import io.arraywire.Channel;
import io.arraywire.Connection;
import io.arraywire.LeasedArray;
import io.arraywire.OfferStatus;
import io.arraywire.Receipt;
import io.arraywire.ReceivedArray;
import io.arraywire.RequestOptions;
import io.arraywire.SendOptions;
import java.util.ArrayDeque;
import java.util.concurrent.CompletionStage;

/** A channel of a session: what was accepted on it and is not done, and what has come of it. */
final class SessionChannel implements Channel {
  final int id;
  final SessionInbox inbox;
  private final SessionConnection session;

  // Guarded by the session's lock.

  /** Whether this program has asked for it, so that no subscription may take it. */
  boolean isAskedFor;

  final ArrayDeque<SessionSend> retained = new ArrayDeque<>(1);
  long retainedBytes;
  long lastSequence;

  SessionChannel(SessionConnection session, int id) {
    this.session = session;
    this.id = id;
    inbox = new SessionInbox(session, session.runtime());
  }

  @Override
  public int id() {
    return id;
  }

  @Override
  public Connection connection() {
    return session;
  }

  @Override
  public Receipt send(ArraySlice slice, SendOptions options)
      throws ArraywireException, InterruptedException {
    return session.send(this, slice, options);
  }

  @Override
  public CompletionStage<Receipt> sendAsync(ArraySlice slice, SendOptions options) {
    return session.sendAsync(this, slice, options);
  }

  @Override
  public CompletionStage<Receipt> sendAsync(ArraySlice slice) {
    return session.sendAsync(this, slice, SendOptions.processed());
  }

  @Override
  public OfferStatus offer(ArraySlice slice, SendOptions options)
      throws ArrayTooLargeException, AllocationFailedException {
    return session.offer(this, slice, options);
  }

  @Override
  public CompletionStage<ReceivedArray> request(ArraySlice slice, RequestOptions options) {
    return session.request(this, slice, options);
  }

  @Override
  public ReceivedArray receive() throws ArraywireException, InterruptedException {
    return session.receive(this, ChannelEnd::receive);
  }

  @Override
  public ReceivedArray receiveInto(ArraySlice target)
      throws ArraywireException, InterruptedException {
    return session.receive(this, end -> end.receiveInto(target));
  }

  @Override
  public LeasedArray receiveLeased() throws ArraywireException, InterruptedException {
    return session.receive(this, ChannelEnd::receiveLeased);
  }

  @Override
  public String toString() {
    return "channel " + id + " of " + session;
  }
}
