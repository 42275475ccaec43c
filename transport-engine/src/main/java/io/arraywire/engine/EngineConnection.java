package io.arraywire.engine;

import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * A connection as its transport holds it: the end that the transport drives, the connection that
 * users meet, and how both begin and end. Made by {@link Engine#connection}. Any thread.
 */
public abstract class EngineConnection {
  EngineConnection() {}

  /**
   * What the transport drives.
   *
   * @return the end, perhaps a layer's
   */
  public abstract WireEnd wire();

  /**
   * What users meet.
   *
   * @return the connection, or the session that it carries
   */
  public abstract Connection userConnection();

  /**
   * Completes when arrays can be sent and received, or exceptionally with a typed failure.
   *
   * @return the stage; it completes on the reading thread
   */
  public abstract CompletionStage<Void> opened();

  /**
   * Waits for {@link #opened()}.
   *
   * @throws ArraywireException if the handshake fails
   * @throws InterruptedException if the caller is interrupted; the connection is closed
   */
  public abstract void awaitOpened() throws ArraywireException, InterruptedException;

  /**
   * Whether it goes on with a session that users have met before.
   *
   * @return true if nobody is to be told of it
   */
  public abstract boolean isResumed();

  /**
   * Logs for a listener that a peer's handshake failed: the listener's caller never hears of it.
   *
   * @param listener the listener's address
   * @param failure what {@link #opened()} failed with
   * @param before how many such lines were not logged before this one
   */
  abstract void logNotAccepted(SocketAddress listener, Throwable failure, long before);

  /** Begins to close in order, without waiting. Idempotent. */
  public abstract void beginClose();

  /** Closes at once, as {@link Connection#closeNow()} does. Idempotent. */
  public abstract void closeNow();

  /**
   * Completes when the connection has ended, its channel is closed and its memory given back.
   *
   * @return the stage, which never fails
   */
  public abstract CompletionStage<Void> ended();

  /**
   * The peer is one too many, and is refused. Before its start.
   *
   * @param tells whether it is told why, when it is started
   */
  abstract void refuse(ArraywireException cause, boolean tells);

  /**
   * Whether the peer was one too many, and is not counted.
   *
   * @return true from its refusal on
   */
  public abstract boolean isRefused();

  /** Has the peer subscribe to what a listener publishes. Before its start. */
  abstract void publishes(Subscribers published);

  abstract boolean isInHandshake();

  /** Whether a handler of the connection's runs on this thread. */
  abstract boolean isHandlerThread();

  /** Whether the peer has subscribed to something. */
  abstract boolean hasSubscribers();

  /**
   * Closes at once connections whose handshake is not over: a peer that has not said who it is has
   * nothing that could be drained.
   *
   * @param connections what a listener has accepted
   * @return the others
   */
  public static List<EngineConnection> closeUnopened(Collection<EngineConnection> connections) {
    List<EngineConnection> others = new ArrayList<>();
    for (EngineConnection connection : connections) {
      if (connection.isInHandshake()) {
        connection.closeNow();
      } else {
        others.add(connection);
      }
    }
    return others;
  }
}
