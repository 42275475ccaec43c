package io.arraywire.engine;

import io.arraywire.Agreement;
import io.arraywire.AllocationFailedException;
import io.arraywire.ArrayHandler;
import io.arraywire.ArraySlice;
import io.arraywire.ArrayTooLargeException;
import io.arraywire.ArraywireException;
import io.arraywire.Channel;
import io.arraywire.CloseTimeoutException;
import io.arraywire.Connection;
import io.arraywire.ConnectionClosedException;
import io.arraywire.ConnectionLoad;
import io.arraywire.ConnectionResetException;
import io.arraywire.Delivery;
import io.arraywire.DeliveryUnknownException;
import io.arraywire.OfferStatus;
import io.arraywire.Receipt;
import io.arraywire.ReceivedArray;
import io.arraywire.RequestOptions;
import io.arraywire.ResumeRejectedException;
import io.arraywire.SendOptions;
import io.arraywire.SendQueueFullException;
import io.arraywire.SendTimeoutException;
import io.arraywire.SessionExpiredException;
import io.arraywire.SubscribeOptions;
import io.arraywire.Subscription;
import io.arraywire.wire.SessionOffer;
import java.net.SocketAddress;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A connection that outlives the channel beneath it: what users meet where a session was agreed on.
 *
 * <p>One {@link ProtocolConnection} after the other carries it. The connecting side makes the next
 * one; arrays of {@link Delivery#SESSION} that were not acknowledged are sent again over it, in
 * their order, and the receiving side knows by their numbers which of them it has handed out.
 * Everything else belongs to one connection and fails with it.
 *
 * <p>The session's lock is taken before a connection's; connections call it without theirs.
 */
final class SessionConnection extends AbstractConnection {
  /** Connections in a row that broke before they were of any use; then it is no outage. */
  private static final int MOST_USELESS = 10;

  /** A connection that lived so long was of use even if nothing was sent. */
  private static final long USEFUL_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final Engine engine;
  private final @Nullable Dialer dialer;
  private final @Nullable ArrayHandler handler;
  private final ReentrantLock lock = new ReentrantLock();

  /** A connection came or went, something was done, or the session ended. */
  private final Condition changed;

  private final Map<Integer, SessionChannel> channels = new ConcurrentHashMap<>(2);
  private final SessionChannel main;

  // Guarded by the lock.
  private byte[] id;
  private Duration timeout;

  /** What the next hello must show: this, or its successor, which the peer may not have yet. */
  private byte[] token = new byte[0];

  private byte[] nextToken = new byte[0];
  private volatile @Nullable ProtocolConnection current;
  private volatile @Nullable ProtocolConnection last;

  /** What broke the last connection. */
  private @Nullable ArraywireException brokenBy;

  /**
   * The latest reason why there is no connection: that, or what an attempt to connect failed with.
   */
  private @Nullable ArraywireException lastFailure;

  private @Nullable Redialing redialing;
  private @Nullable Runnable redialInterrupt;
  private Runnable expiry = () -> {};
  private final AttemptTime attemptTime;
  private int useless;
  private long attachedAt;
  private long resumes;
  private boolean closing;

  private @Nullable ArraywireException end;

  /** Connections whose handler tasks may still run. */
  private int handling;

  private boolean handlerTold;

  private SessionConnection(
      Engine engine,
      @Nullable Dialer dialer,
      @Nullable ArrayHandler handler,
      Duration timeout,
      byte[] id) {
    this.engine = engine;
    this.dialer = dialer;
    this.handler = handler;
    this.timeout = timeout;
    this.id = id;
    changed = engine.context().runtime().condition(lock);
    attemptTime = new AttemptTime(engine.context().options().connectTimeout());
    main = channelOf(0);
  }

  /** The listening side's end. */
  static SessionConnection accepted(
      Engine engine, @Nullable ArrayHandler handler, Duration timeout, byte[] id) {
    return new SessionConnection(engine, null, handler, timeout, id);
  }

  /** Connects, with a session if the listener keeps them. */
  static Connection connect(
      Engine engine, Dialer dialer, @Nullable ArrayHandler handler, Duration timeout)
      throws ArraywireException, InterruptedException {
    SessionConnection session =
        new SessionConnection(engine, dialer, handler, timeout, new byte[0]);
    long start = engine.context().runtime().nanoTime();
    ProtocolConnection first =
        dialer.dial(session::joins, engine.context().options().connectTimeout());
    session.measured(engine.context().runtime().nanoTime() - start);
    return first.userConnection();
  }

  EngineRuntime runtime() {
    return engine.context().runtime();
  }

  /** A connection to the listener was made in this time. */
  void measured(long nanos) {
    lock.lock();
    try {
      attemptTime.connected(nanos);
    } finally {
      lock.unlock();
    }
  }

  // What its connections ask and tell.

  /** A connection that is about to be started is to carry the session. */
  void joins(ProtocolConnection connection) {
    connection.join(this);
  }

  byte[] id() {
    lock.lock();
    try {
      return id.clone();
    } finally {
      lock.unlock();
    }
  }

  /** Whether a listener has made it. */
  boolean isNamed() {
    lock.lock();
    try {
      return id.length > 0;
    } finally {
      lock.unlock();
    }
  }

  /** What the connecting side's hello says. */
  SessionOffer hello() {
    lock.lock();
    try {
      return new SessionOffer(timeout.toMillis(), id, token);
    } finally {
      lock.unlock();
    }
  }

  /** What the listening side's welcome says; with a token that was never used. */
  SessionOffer welcome() {
    lock.lock();
    try {
      nextToken = engine.sessions().random(Sessions.TOKEN_BYTES);
      return new SessionOffer(timeout.toMillis(), id, nextToken);
    } finally {
      lock.unlock();
    }
  }

  /** The listener has made the session, or goes on with it. */
  void welcomed(SessionOffer offer) {
    boolean fresh;
    lock.lock();
    try {
      fresh = id.length == 0;
      id = offer.id();
      token = offer.token();
      timeout = shorter(timeout, offer.millis());
    } finally {
      lock.unlock();
    }
    if (fresh) {
      engine.sessions().add(this);
    }
  }

  static Duration shorter(Duration here, long peerMillis) {
    return here.toMillis() <= peerMillis ? here : Duration.ofMillis(peerMillis);
  }

  Duration timeout() {
    lock.lock();
    try {
      return timeout;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Checks, in constant time, that a peer that wants to go on may. A token is good until its
   * successor was used: the welcome that brought that may have been lost.
   */
  void checkToken(byte[] shown) throws ResumeRejectedException {
    lock.lock();
    try {
      boolean successor = nextToken.length > 0 && MessageDigest.isEqual(nextToken, shown);
      boolean same = token.length > 0 && MessageDigest.isEqual(token, shown);
      if (end != null || (!successor && !same)) {
        throw new ResumeRejectedException(
            end != null ? "the session has ended" : "the session's token is wrong or was used");
      }
      if (successor) {
        token = nextToken;
      }
    } finally {
      lock.unlock();
    }
  }

  /** The peer has read the welcome: what was good before no longer is. */
  void confirmed() {
    lock.lock();
    try {
      if (dialer == null && nextToken.length > 0) {
        token = nextToken;
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Whether a connection may hand out what it has: until another one carries the session, also when
   * it has broken, or has ended with the session. What it hands out and could not acknowledge is
   * known as such when it comes again; what is not a part of the session does not come again.
   */
  boolean mayHandOut(ConnectionScope connection) {
    return connection.equals(last);
  }

  /** A connection's handshake is over: it carries the session from here on. */
  void attach(ProtocolConnection connection) {
    ProtocolConnection before = current;
    if (before != null) {
      // From here on it hands out nothing more.
      before.termination().supersede();
    }
    ArraywireException over;
    lock.lock();
    try {
      over = end;
      if (over == null) {
        expiry.run();
        if (last != null) {
          resumes++;
          Log.resumed(this, resumes);
        }
        current = connection;
        last = connection;
        redialing = null;
        redialInterrupt = null;
        handling++;
        attachedAt = engine.context().runtime().nanoTime();
        for (SessionChannel channel : channels.values()) {
          if (channel.isAskedFor && channel.id < connection.agreement().channels()) {
            // From here on it is in use on this connection, too.
            var unused = connection.channel(channel.id);
          }
          for (SessionSend send : channel.retained) {
            submit(channel, send);
          }
        }
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
    tell();
    if (over != null) {
      connection.closeNow();
    }
  }

  /** A connection ended, in whatever way. */
  void detached(ProtocolConnection connection, ArraywireException cause) {
    ArraywireException over = null;
    lock.lock();
    try {
      if (!connection.equals(current) || end != null) {
        return;
      }
      current = null;
      brokenBy = cause;
      lastFailure = cause;
      useless = engine.context().runtime().nanoTime() - attachedAt > USEFUL_NANOS ? 0 : useless + 1;
      if (cause instanceof ConnectionClosedException) {
        over = cause;
      } else if (connection.hasPeerSaidGoodbye()) {
        // It has the acknowledgement of everything that it sent, and will not come back.
        over = retainsNothing() ? Failures.closedByPeer(remoteAddress()) : cause;
      } else if (useless > MOST_USELESS) {
        over = cause;
      } else {
        Log.broken(this, cause, timeout);
        connection.watch.broken(cause);
        if (dialer == null) {
          expiry = engine.context().deadlines().after(timeout, this::expire);
        } else {
          redial(dialer, cause);
        }
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    if (over != null) {
      end(over);
    }
  }

  private void redial(Dialer again, ArraywireException cause) {
    Redialing task =
        new Redialing(
            this,
            again,
            timeout,
            new ReconnectPauses(
                engine.context().options().longestReconnectPause(),
                engine.context().runtime()::below),
            attemptTime.get(),
            Math.max(0, useless - 1),
            cause);
    redialing = task;
    redialInterrupt =
        engine.context().runtime().start("arraywire-session " + remoteAddress(), task);
  }

  /** Waits before an attempt to connect; returns whether it is still wanted. */
  @SuppressWarnings("ReferenceEquality") // It is the very attempt that is meant.
  boolean awaitRedial(Redialing task, long nanos) throws InterruptedException {
    lock.lock();
    try {
      long left = nanos;
      while (left > 0 && redialing == task && end == null) {
        left = changed.awaitNanos(left);
      }
      return redialing == task && end == null;
    } finally {
      lock.unlock();
    }
  }

  /** An attempt to connect failed, and is not the last. */
  @SuppressWarnings("ReferenceEquality") // As above.
  void attemptFailed(Redialing task, ArraywireException failure) {
    boolean news;
    lock.lock();
    try {
      if (redialing != task || end != null) {
        return;
      }
      // One that fails like the one before is no news.
      news = !kind(failure).equals(kind(lastFailure));
      lastFailure = failure;
    } finally {
      lock.unlock();
    }
    if (news) {
      Log.notConnectedAgain(this, task.attempts(), failure);
    }
  }

  /** What a failure is, without its facts, of which some change each time. */
  private static String kind(@Nullable ArraywireException failure) {
    if (failure == null) {
      return "";
    }
    String text = String.valueOf(failure.getMessage());
    int facts = text.indexOf(" (");
    return failure.getClass().getName() + (facts < 0 ? text : text.substring(0, facts));
  }

  @SuppressWarnings("ReferenceEquality") // As above.
  void redialFailed(Redialing task, ArraywireException cause) {
    lock.lock();
    try {
      if (redialing != task) {
        return;
      }
    } finally {
      lock.unlock();
    }
    end(cause);
  }

  private void expire() {
    ArraywireException cause;
    lock.lock();
    try {
      if (current != null) {
        return;
      }
      cause =
          new SessionExpiredException(
              "the connection broke and the peer did not replace it in time",
              "sessionTimeout",
              timeout,
              "lastFailure",
              words(lastFailure));
      cause.because(lastFailure);
    } finally {
      lock.unlock();
    }
    end(cause);
  }

  /** Ends the session, once. */
  void end(ArraywireException reason) {
    ArraywireException cause = reason;
    List<SessionSend> lost = new ArrayList<>();
    Runnable interrupted;
    boolean tell;
    ProtocolConnection over;
    lock.lock();
    try {
      if (end != null) {
        return;
      }
      over = last;
      if (closing && retainsNothing()) {
        // However it came about, nothing is lost by it.
        cause = Failures.closedHere(remoteAddress());
      }
      end = cause;
      current = null;
      for (SessionChannel channel : channels.values()) {
        lost.addAll(channel.retained);
        channel.retained.clear();
        channel.retainedBytes = 0;
      }
      interrupted = redialInterrupt;
      redialInterrupt = null;
      redialing = null;
      expiry.run();
      tell = handling == 0;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    engine.sessions().forget(this);
    if (interrupted != null) {
      interrupted.run();
    }
    for (SessionSend send : lost) {
      OutboundArray transfer = send.transfer;
      if (transfer != null) {
        transfer.withdraw();
      }
      send.done.completeExceptionally(lost(send, cause));
    }
    if (!(cause instanceof ConnectionClosedException)) {
      Log.sessionEnded(this, cause);
    }
    if (over != null) {
      over.watch.ended(cause, true);
      over.watch.flush();
    }
    if (tell && handler != null) {
      try {
        engine.context().executor().execute(this::tellClosed);
      } catch (RuntimeException | Error e) {
        // It may be shut down, have no thread left, or fail in a way of its own.
        tellClosed();
      }
    }
  }

  private static ArraywireException lost(SessionSend send, ArraywireException cause) {
    if (!send.begun.isDone()) {
      return cause.forCaller();
    }
    return new DeliveryUnknownException(
            "the session ended before the far side acknowledged the array; it was delivered once or"
                + " not at all",
            "sessionSequence",
            send.sequence,
            "cause",
            String.valueOf(cause.getMessage()))
        .because(cause);
  }

  // The handler.

  /** One connection's handler tasks are over. */
  void handled() {
    boolean tell;
    lock.lock();
    try {
      handling--;
      tell = handling == 0 && end != null;
    } finally {
      lock.unlock();
    }
    if (tell) {
      tellClosed();
    }
  }

  private void tellClosed() {
    ArraywireException cause;
    lock.lock();
    try {
      if (handlerTold || handler == null) {
        return;
      }
      handlerTold = true;
      cause = end instanceof ConnectionClosedException ? null : end;
    } finally {
      lock.unlock();
    }
    try {
      handler.onClosed(this, cause);
    } catch (RuntimeException | Error thrown) {
      Log.handlerFailed(this, thrown);
    }
  }

  /** Something went well: the connection is of use. */
  void progressed() {
    lock.lock();
    try {
      useless = 0;
    } finally {
      lock.unlock();
    }
  }

  @Override
  Channel main() {
    return main;
  }

  SessionInbox inbox(int channel) {
    return channelOf(channel).inbox;
  }

  // Sending.

  private SessionChannel channelOf(int number) {
    return channels.computeIfAbsent(number, id -> new SessionChannel(this, id));
  }

  private boolean retainsNothing() {
    return channels.values().stream().allMatch(channel -> channel.retained.isEmpty());
  }

  private ProtocolConnection anyConnection() {
    ProtocolConnection any = last;
    if (any == null) {
      throw new IllegalStateException("the handshake is not over");
    }
    return any;
  }

  private void checkOpen() throws ArraywireException {
    if (end != null) {
      throw end.forCaller();
    }
    if (closing) {
      throw Failures.closedHere(remoteAddress());
    }
  }

  /** Accepts an array for the session. */
  private SessionSend accept(
      SessionChannel channel, ArraySlice slice, SendOptions options, boolean bounded)
      throws ArraywireException {
    lock.lock();
    try {
      anyConnection().sender.checkSendable(slice, options);
      checkOpen();
      SessionSend send = new SessionSend(slice, options, channel.lastSequence + 1);
      long limit = engine.context().options().sendQueueBytes();
      if (bounded && channel.retainedBytes > 0 && channel.retainedBytes + send.bytes() > limit) {
        throw new SendQueueFullException(
            "too much waits to be sent or acknowledged; wait for some of it, or use send, which waits",
            "bytes",
            slice.bytes(),
            "queuedBytes",
            channel.retainedBytes,
            "sendQueueBytes",
            limit,
            "channel",
            channel.id);
      }
      channel.lastSequence = send.sequence;
      channel.retained.add(send);
      channel.retainedBytes += send.bytes();
      submit(channel, send);
      return send;
    } finally {
      lock.unlock();
      tell();
    }
  }

  /** Tells observers what was noted under the lock. */
  private void tell() {
    ProtocolConnection over = current;
    if (over != null) {
      over.watch.flush();
    }
  }

  /** Sends an array over the present connection. Under the lock. */
  private void submit(SessionChannel channel, SessionSend send) {
    ProtocolConnection over = current;
    if (over == null) {
      return;
    }
    try {
      // Before, or the answer might be there first.
      send.submittedAt = engine.context().runtime().nanoTime();
      OutboundArray transfer =
          over.sender.submit(channel.id, send.slice, send.options.attributes(), send.sequence);
      send.transfer = transfer;
      send.over = over;
      var unusedBegun = transfer.begun().thenRun(() -> send.begun.complete(null));
      var unusedDone =
          transfer
              .done
              .stage()
              .whenComplete(
                  (receipt, thrown) -> completed(channel, send, transfer, receipt, thrown));
    } catch (ArraywireException e) {
      // The connection has just failed; the array goes over the next one.
      send.transfer = null;
    }
  }

  @SuppressWarnings("ReferenceEquality") // It is the very passage that is meant.
  private void completed(
      SessionChannel channel,
      SessionSend send,
      OutboundArray transfer,
      @Nullable Receipt receipt,
      @Nullable Throwable thrown) {
    lock.lock();
    try {
      ProtocolConnection over = send.over;
      if (send.transfer != transfer || over == null) {
        return;
      }
      send.transfer = null;
      if (thrown != null && over.failedWith(thrown)) {
        return;
      }
      useless = 0;
      if (receipt != null) {
        attemptTime.answered(engine.context().runtime().nanoTime() - send.submittedAt);
      }
      if (channel.retained.remove(send)) {
        channel.retainedBytes -= send.bytes();
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    if (receipt != null) {
      send.done.complete(receipt);
    } else if (thrown != null) {
      send.done.completeExceptionally(thrown);
    }
  }

  Receipt send(SessionChannel channel, ArraySlice slice, SendOptions options)
      throws ArraywireException, InterruptedException {
    if (options.delivery() != Delivery.SESSION) {
      return sendOnce(channel, slice, options);
    }
    long start = engine.context().runtime().nanoTime();
    SessionSend send = accept(channel, slice, options, false);
    Duration wanted = options.timeout();
    if (wanted == null) {
      awaitBegun(channel, send);
      awaitProgress(channel, send);
    } else {
      long nanos = SystemDeadlines.nanos(wanted) - (engine.context().runtime().nanoTime() - start);
      awaitWithin(channel, send, wanted, nanos);
    }
    return Interruptible.await(
        send.done, engine.context().runtime(), () -> takeBack(channel, send));
  }

  /** Sends over the present connection, or the next one, what does not outlive it. */
  private Receipt sendOnce(SessionChannel channel, ArraySlice slice, SendOptions options)
      throws ArraywireException, InterruptedException {
    Duration wanted = options.timeout();
    if (wanted == null || current != null) {
      return awaitConnection("sendTimeout", engine.context().options().sendTimeout())
          .channels
          .checked(channel.id)
          .send(slice, options);
    }
    long end = engine.context().runtime().nanoTime() + SystemDeadlines.nanos(wanted);
    ProtocolConnection next = awaitConnection("timeout", wanted);
    Duration left = Duration.ofNanos(Math.max(1, end - engine.context().runtime().nanoTime()));
    return next.channels.checked(channel.id).send(slice, options.timeout(left));
  }

  /** Waits for the outcome no longer than the caller wants to; then takes the array back. */
  private void awaitWithin(SessionChannel channel, SessionSend send, Duration wanted, long nanos)
      throws ArraywireException, InterruptedException {
    try {
      var unused = engine.context().runtime().await(send.done, nanos);
    } catch (TimeoutException e) {
      if (withdraw(channel, send)) {
        throw notBegun(channel, "timeout", wanted);
      }
      if (takeBack(channel, send)) {
        // Perhaps over a connection that broke, so how far it got over this one says nothing.
        throw Failures.notAcknowledged(wanted, channel.id, remoteAddress());
      }
    } catch (ExecutionException e) {
      throw Failures.of(e);
    } catch (InterruptedException e) {
      if (takeBack(channel, send)) {
        throw e;
      }
      Thread.currentThread().interrupt();
    }
  }

  /** Waits until the first byte is about to leave, for no longer than a send may wait for that. */
  private void awaitBegun(SessionChannel channel, SessionSend send)
      throws ArraywireException, InterruptedException {
    try {
      var unused =
          engine
              .context()
              .runtime()
              .await(
                  CompletableFuture.anyOf(send.begun, send.done),
                  SystemDeadlines.nanos(engine.context().options().sendTimeout()));
    } catch (TimeoutException e) {
      if (withdraw(channel, send)) {
        throw notBegun(channel, "sendTimeout", engine.context().options().sendTimeout());
      }
    } catch (ExecutionException e) {
      throw Failures.of(e);
    } catch (InterruptedException e) {
      if (takeBack(channel, send)) {
        throw e;
      }
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Waits until the array is done, for as long as something moves now and then. It may stand still
   * while the connection is replaced, and once it is whole on its way.
   */
  private void awaitProgress(SessionChannel channel, SessionSend send)
      throws ArraywireException, InterruptedException {
    Duration limit = engine.context().options().sendTimeout();
    long slice = SendProgress.sliceNanos(limit);
    long seen = -1;
    int still = 0;
    while (!send.done.isDone()) {
      try {
        var unused = engine.context().runtime().await(send.done, slice);
      } catch (TimeoutException e) {
        OutboundArray passage = passage(send);
        long progress = passage == null || passage.hasFramed() ? -1 : passage.progress();
        still = progress >= 0 && progress == seen ? still + 1 : 0;
        seen = progress;
        if (still >= SendProgress.SLICES && takeBack(channel, send)) {
          throw Failures.notAcknowledged(limit, channel.id, remoteAddress());
        }
      } catch (ExecutionException e) {
        throw Failures.of(e);
      } catch (InterruptedException e) {
        if (takeBack(channel, send)) {
          throw e;
        }
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  private @Nullable OutboundArray passage(SessionSend send) {
    lock.lock();
    try {
      return send.transfer;
    } finally {
      lock.unlock();
    }
  }

  private ArraywireException notBegun(SessionChannel channel, String limit, Duration wanted) {
    return new SendTimeoutException(
            "the array could not begin to leave in time: there is no connection, the peer takes nothing,"
                + " or others are before it",
            limit,
            wanted,
            "channel",
            channel.id,
            "peer",
            remoteAddress())
        .describing(describe());
  }

  /** Takes an array back of which nothing has left; returns whether it did. */
  private boolean withdraw(SessionChannel channel, SessionSend send) {
    lock.lock();
    try {
      OutboundArray transfer = send.transfer;
      ProtocolConnection over = send.over;
      if (send.begun.isDone()
          || send.done.isDone()
          || (transfer != null && over != null && !over.sender.withdrawUnlessBegun(transfer))) {
        return false;
      }
      forget(channel, send);
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Takes an array back for a caller that no longer waits; returns whether it was not done. */
  private boolean takeBack(SessionChannel channel, SessionSend send) {
    lock.lock();
    try {
      if (!channel.retained.contains(send)) {
        return false;
      }
      OutboundArray transfer = send.transfer;
      ProtocolConnection over = send.over;
      forget(channel, send);
      if (transfer != null && over != null) {
        var unused = over.sender.withdraw(transfer);
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  private void forget(SessionChannel channel, SessionSend send) {
    send.transfer = null;
    if (channel.retained.remove(send)) {
      channel.retainedBytes -= send.bytes();
    }
    changed.signalAll();
  }

  CompletionStage<Receipt> sendAsync(
      SessionChannel channel, ArraySlice slice, SendOptions options) {
    SendChecks.checkNoTimeout(options);
    CompletableFuture<Receipt> result = new CompletableFuture<>();
    try {
      if (options.delivery() != Delivery.SESSION) {
        return presentConnection().channels.checked(channel.id).sendAsync(slice, options);
      }
      SessionSend send = accept(channel, slice, options, true);
      var unused =
          send.done.whenComplete(
              (receipt, thrown) -> engine.context().completions().add(result, receipt, thrown));
    } catch (ArraywireException e) {
      result.completeExceptionally(e);
    }
    return result;
  }

  OfferStatus offer(SessionChannel channel, ArraySlice slice, SendOptions options)
      throws ArrayTooLargeException, AllocationFailedException {
    SendChecks.checkNoTimeout(options);
    ProtocolConnection over;
    lock.lock();
    try {
      if (end != null || closing) {
        return OfferStatus.CLOSED;
      }
      over = current;
    } finally {
      lock.unlock();
    }
    if (over == null) {
      return OfferStatus.BACK_PRESSURED;
    }
    OfferStatus status = over.channels.checked(channel.id).offer(slice, options);
    // The connection's end is not the session's.
    return status == OfferStatus.CLOSED && isOpen() ? OfferStatus.BACK_PRESSURED : status;
  }

  /** A request belongs to one connection: its reply would not find it over another. */
  CompletionStage<ReceivedArray> request(
      SessionChannel channel, ArraySlice slice, RequestOptions options) {
    try {
      return presentConnection().channels.checked(channel.id).request(slice, options);
    } catch (ArraywireException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  // A subscription belongs to one connection, and ends with it.

  @Override
  public Subscription subscribe(String subject, SubscribeOptions options)
      throws ArraywireException, InterruptedException {
    return presentConnection().subscribe(subject, options);
  }

  @Override
  public Subscription subscribe(String subject, SubscribeOptions options, ArrayHandler subscriber)
      throws ArraywireException, InterruptedException {
    return presentConnection().subscribe(subject, options, subscriber);
  }

  // Which connection.

  private ProtocolConnection presentConnection() throws ArraywireException {
    lock.lock();
    try {
      checkOpen();
      ProtocolConnection present = current;
      if (present == null) {
        throw new ConnectionResetException(
            "the connection broke and is not replaced yet; with Delivery.SESSION an array would wait"
                + " for that",
            "brokenBy",
            words(brokenBy),
            "lastFailure",
            words(lastFailure));
      }
      return present;
    } finally {
      lock.unlock();
    }
  }

  /** Waits for a connection, for no longer than a send may wait. */
  private ProtocolConnection awaitConnection(String option, Duration most)
      throws ArraywireException, InterruptedException {
    long left = SystemDeadlines.nanos(most);
    lock.lockInterruptibly();
    try {
      while (true) {
        checkOpen();
        ProtocolConnection present = current;
        if (present != null) {
          return present;
        }
        if (left <= 0) {
          throw new SendTimeoutException(
              "the array could not begin to leave in time: the connection broke and is not replaced yet",
              option,
              most,
              "brokenBy",
              words(brokenBy),
              "lastFailure",
              words(lastFailure));
        }
        left = changed.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }

  /** A way to receive on a channel of one connection. */
  interface Receiver<T> {
    T receive(ChannelEnd end) throws ArraywireException, InterruptedException;
  }

  /** Receives over whatever connection brings an array. */
  <T> T receive(SessionChannel channel, Receiver<T> receiver)
      throws ArraywireException, InterruptedException {
    ProtocolConnection failed = null;
    while (true) {
      ProtocolConnection over = null;
      lock.lockInterruptibly();
      try {
        while (over == null) {
          over = current;
          if (over == null && end != null) {
            // What came whole before an orderly end can still be had.
            over = end instanceof ConnectionClosedException && !closing ? last : null;
            if (over == null || over.equals(failed)) {
              throw end.forCaller();
            }
          } else if (over == null) {
            changed.await();
          }
        }
      } finally {
        lock.unlock();
      }
      try {
        return receiver.receive(over.channels.checked(channel.id));
      } catch (ArraywireException e) {
        boolean broken = over.failedWith(e) && !(e instanceof ConnectionClosedException);
        if (!broken) {
          throw e;
        }
        awaitDetached(over);
        failed = over;
      }
    }
  }

  private void awaitDetached(ProtocolConnection connection) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (connection.equals(current)) {
        changed.await();
      }
    } finally {
      lock.unlock();
    }
  }

  // The end.

  @Override
  public void close() throws ArraywireException {
    long start = engine.context().runtime().nanoTime();
    long most = SystemDeadlines.nanos(engine.context().options().closeTimeout());
    ProtocolConnection present;
    lock.lock();
    try {
      if (end != null) {
        return;
      }
      closing = true;
      changed.signalAll();
      present = current;
    } finally {
      lock.unlock();
    }
    if (present != null && present.isHandlerThread()) {
      present.beginClose();
      return;
    }
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
    awaitGoodbye(start, most);
    ProtocolConnection present;
    boolean drained;
    lock.lock();
    try {
      if (end != null && !(end instanceof ConnectionClosedException)) {
        // What it still retained was lost with it.
        throw end.forCaller();
      }
      present = current;
      drained = retainsNothing();
    } finally {
      lock.unlock();
    }
    if (!drained) {
      CloseTimeoutException timedOut =
          new CloseTimeoutException(
              Closing.NOT_ACKNOWLEDGED,
              "closeTimeout",
              engine.context().options().closeTimeout(),
              "peer",
              remoteAddress());
      timedOut.describing(describe());
      closeWith(timedOut);
      throw timedOut;
    }
    if (present == null) {
      // Nothing is lost; the peer will find out when the session's time is up.
      end(Failures.closedHere(remoteAddress()));
      return false;
    }
    try {
      Closing.closeWithin(present, most - (engine.context().runtime().nanoTime() - start));
      return false;
    } catch (CloseTimeoutException e) {
      throw e;
    } catch (ArraywireException e) {
      Log.failed(this, e);
      return true;
    }
  }

  /** Waits until everything is acknowledged and there is a connection to say goodbye on. */
  private void awaitGoodbye(long start, long most) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (end == null && (current == null || !retainsNothing())) {
        long left = most - (engine.context().runtime().nanoTime() - start);
        if (left <= 0) {
          return;
        }
        var unused = changed.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void closeNow() {
    closeWith(Failures.closedHere(remoteAddress()));
  }

  private void closeWith(ArraywireException cause) {
    ProtocolConnection present;
    lock.lock();
    try {
      closing = true;
      present = current;
    } finally {
      lock.unlock();
    }
    end(cause);
    if (present != null) {
      present.closeNow();
    }
  }

  // Looks.

  @Override
  public SocketAddress localAddress() {
    return lastConnection().localAddress();
  }

  @Override
  public SocketAddress remoteAddress() {
    return lastConnection().remoteAddress();
  }

  @Override
  public Agreement agreement() {
    return lastConnection().agreement();
  }

  private ProtocolConnection lastConnection() {
    lock.lock();
    try {
      return anyConnection();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean isOpen() {
    lock.lock();
    try {
      ProtocolConnection present = current;
      // One that has just failed, and has not said so here yet, is an outage like any other.
      return end == null && !closing && (present == null || !present.isBeingClosed());
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Channel channel(int number) {
    lock.lock();
    try {
      // Not only on the present connection: see attach.
      SessionChannel asked = channelOf(anyConnection().channel(number).id());
      asked.isAskedFor = true;
      return asked;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public ConnectionLoad load() {
    lock.lock();
    try {
      ProtocolConnection present = current;
      if (present != null) {
        return present.load();
      }
      return new ConnectionLoad(
          channels.values().stream().mapToLong(channel -> channel.retained.size()).sum(),
          channels.values().stream().mapToLong(channel -> channel.retainedBytes).sum(),
          0,
          0,
          0,
          0);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public String describe() {
    lock.lock();
    try {
      ArraywireException over = end;
      long retained =
          channels.values().stream().mapToLong(channel -> channel.retained.size()).sum();
      long bytes = channels.values().stream().mapToLong(channel -> channel.retainedBytes).sum();
      Redialing attempt = redialing;
      String state;
      if (over != null) {
        state = "ended: " + over.getMessage();
      } else if (current != null) {
        state = "connected";
      } else if (attempt != null) {
        state =
            "connecting again (attempts="
                + attempt.attempts()
                + ", brokenBy="
                + words(brokenBy)
                + ", lastFailure="
                + words(lastFailure)
                + ")";
      } else {
        state = "waiting for the peer to come back (lastFailure=" + words(lastFailure) + ")";
      }
      return "session "
          + state
          + ", sessionTimeout="
          + timeout
          + ", resumes="
          + resumes
          + ", unacknowledgedArrays="
          + retained
          + ", unacknowledgedBytes="
          + bytes
          + (last == null ? "" : ", over " + last.describe());
    } finally {
      lock.unlock();
    }
  }

  private static String words(@Nullable ArraywireException failure) {
    return failure == null ? "none" : String.valueOf(failure.getMessage());
  }

  @Override
  public String toString() {
    return describe();
  }
}
