package io.arraywire.engine;

import io.arraywire.Agreement;
import io.arraywire.ArrayAttributes;
import io.arraywire.ArrayHandler;
import io.arraywire.ArraywireException;
import io.arraywire.Channel;
import io.arraywire.Connection;
import io.arraywire.ConnectionClosedException;
import io.arraywire.ConnectionLoad;
import io.arraywire.ErrorCode;
import io.arraywire.Handlers;
import io.arraywire.PublishReceipt;
import io.arraywire.SubscribeOptions;
import io.arraywire.Subscription;
import io.arraywire.TargetHandler;
import io.arraywire.TimedOutException;
import io.arraywire.source.ArraySource;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * A connection that outlives the channel beneath it: what users hold where a session was agreed on.
 *
 * <p>One {@link ConnectionCore} after the other carries it. The connecting side makes the next one.
 * Arrays of {@link io.arraywire.Delivery#SESSION} that were not acknowledged are sent again over
 * it, in their order. The receiving side knows by their numbers which of them it has handed out.
 * Everything else belongs to one connection and fails with it. Any thread.
 */
final class SessionConnection extends AbstractConnection {
  final Session session;
  private final EngineContext context;
  private final SessionState state;
  private final SessionChannel main;

  /**
   * Makes the face of a session.
   *
   * @param dialer makes its connections; null on the accepting side
   */
  SessionConnection(
      EngineContext context,
      Session.Keeper keeper,
      SessionIdentity identity,
      @Nullable Handlers handlers,
      @Nullable Dialer dialer) {
    this.context = context;
    session = new Session(context, keeper, identity, this, handlers, dialer);
    state = session.state;
    main = session.channel(0);
  }

  /** Connects; returns this, or the bare connection if the listener keeps no sessions. */
  Connection connect() throws ArraywireException, InterruptedException {
    return session.connect().userConnection();
  }

  // Channels.

  @Override
  Channel main() {
    return main;
  }

  @Override
  public Channel channel(int number) {
    return session.channel(state.latest().channel(number).id());
  }

  // A subscription belongs to one connection, and ends with it.

  @Override
  public Subscription subscribe(String subject, SubscribeOptions options)
      throws ArraywireException, InterruptedException {
    return state.present().face.subscribe(subject, options);
  }

  @Override
  public Subscription subscribe(
      String subject,
      SubscribeOptions options,
      ArrayHandler handler,
      @Nullable TargetHandler targets)
      throws ArraywireException, InterruptedException {
    return state.present().face.subscribe(subject, options, handler, targets);
  }

  @Override
  public PublishReceipt publish(String subject, ArraySource source, ArrayAttributes attributes)
      throws ArraywireException, InterruptedException {
    return state.present().face.publish(subject, source, attributes);
  }

  @Override
  public int subscribers(String subject) {
    return state.latest().face.subscribers(subject);
  }

  // The end.

  @Override
  public void close() throws ArraywireException {
    long start = context.runtime().nanoTime();
    long most = SystemDeadlines.nanos(context.options().closeTimeout());
    if (state.end() != null) {
      return;
    }
    ConnectionCore latest = state.last();
    if (latest != null && latest.isHandlerThread()) {
      // It must not wait for itself.
      session.beginClose();
      return;
    }
    LoopTurn.checkMayWait("close");
    state.closes();
    try {
      while (closes(start, most)) {
        // The connection broke before the peer had said goodbye, too.
      }
    } catch (InterruptedException e) {
      closeNow();
      Thread.currentThread().interrupt();
    }
  }

  /** Closes over the present connection; returns whether that has to be done again. */
  private boolean closes(long start, long most) throws ArraywireException, InterruptedException {
    long left = most - (context.runtime().nanoTime() - start);
    boolean drained = session.awaitDrained(left);
    ConnectionCore present = state.current();
    ArraywireException end = state.end();
    if (end != null && !(end instanceof ConnectionClosedException)) {
      // What it still retained was lost with it.
      throw end.forCaller();
    }
    if (!drained) {
      TimedOutException timedOut =
          new TimedOutException(
              ErrorCode.CLOSE_TIMEOUT,
              Failures.NOT_ACKNOWLEDGED,
              "closeTimeout",
              context.options().closeTimeout(),
              "peer",
              remoteAddress());
      timedOut.describing(describe());
      session.end(timedOut);
      throw timedOut.forCaller();
    }
    if (present == null) {
      if (end == null && left > 0) {
        // The connection broke at this very moment: the goodbye goes over the next one.
        return true;
      }
      // Nothing is lost; the peer will find out when the session's time is up.
      session.end(Failures.closedHere(remoteAddress()));
      return false;
    }
    try {
      Drain.closeWithin(present, most - (context.runtime().nanoTime() - start));
      // One that had broken before has said no goodbye: that goes over the next one.
      return session.goesOnAfter(present);
    } catch (TimedOutException e) {
      session.end(e);
      throw e;
    } catch (ArraywireException e) {
      Log.failed(this, e);
      return true;
    }
  }

  @Override
  public void closeNow() {
    state.closes();
    session.end(Failures.closedHere(remoteAddress()));
  }

  // State.

  @Override
  public SocketAddress localAddress() {
    return state.latest().localAddress();
  }

  @Override
  public SocketAddress remoteAddress() {
    return state.latest().remoteAddress();
  }

  @Override
  public Agreement agreement() {
    return state.latest().agreement();
  }

  @Override
  public boolean isOpen() {
    return state.isOpen();
  }

  @Override
  public ConnectionLoad load() {
    ConnectionCore present = state.current();
    return present == null ? session.retained() : present.face.load();
  }

  @Override
  public String describe() {
    return session.describe();
  }

  @Override
  public String toString() {
    return describe();
  }
}
