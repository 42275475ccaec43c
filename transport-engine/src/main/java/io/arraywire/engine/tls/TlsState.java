package io.arraywire.engine.tls;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.arraywire.ArraywireException;
import io.arraywire.engine.Link;
import io.arraywire.engine.Role;
import io.arraywire.engine.WireEnd;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * What both directions of one connection share: the engine, how far the handshake is, and how the
 * connection ends. Any thread.
 */
final class TlsState {
  /** How long a failed end waits for the peer to read why, as connections without TLS do. */
  private static final Duration LINGER = Duration.ofSeconds(2);

  /** The same for a peer that is one too many. */
  private static final Duration BRIEF_LINGER = Duration.ofMillis(500);

  /** How long a channel has to take a last record. */
  private static final Duration LAST_WRITE = Duration.ofSeconds(1);

  final TlsShared shared;
  final Link below;
  final SSLEngine engine;
  final Role role;

  /** Whether the end above speaks plain mode, in which TLS alone says that a direction ends. */
  final boolean plain;

  private final AtomicReference<@Nullable WireEnd> above = new AtomicReference<>();
  private final AtomicBoolean established = new AtomicBoolean();
  private final AtomicBoolean closeAsked = new AtomicBoolean();
  private final AtomicReference<@Nullable ArraywireException> failure = new AtomicReference<>();

  /**
   * Each direction has the engine in turn. JSSE's own lock lets a thread that has just given it up
   * take it again. A busy direction would keep the other one out for seconds.
   */
  private final ReentrantLock turn = new ReentrantLock(true);

  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by the lock.

  @GuardedBy("lock")
  private boolean tasksRun;

  @GuardedBy("lock")
  private Runnable deadline = () -> {};

  private volatile boolean channelFailed;

  /** Whether there is a record that the channel has not taken whole. */
  volatile boolean writing;

  /** Whether the reading thread waits until the writing thread has wrapped something. */
  volatile boolean readerWaits;

  /** Whether nothing comes from above any more. */
  volatile boolean outputEnded;

  /** Whether a record has come. */
  volatile boolean peerSpeaksTls;

  private volatile boolean inputOver;
  private volatile boolean saidLast;

  /** Said in plain text to a peer that speaks no TLS, or is one too many; null for none. */
  volatile byte @Nullable [] plainWords;

  private volatile boolean tls12;

  TlsState(TlsShared shared, Link below, SSLEngine engine, Role role) {
    this.shared = shared;
    this.below = below;
    this.engine = engine;
    this.role = role;
    plain = shared.options().plainType() != null;
  }

  /** To be said once, before anything moves. */
  void above(WireEnd end) {
    above.set(end);
  }

  private WireEnd above() {
    WireEnd end = above.get();
    if (end == null) {
      throw new IllegalStateException("nothing is above TLS yet");
    }
    return end;
  }

  SocketAddress peer() {
    return below.remoteAddress();
  }

  // The engine, for both directions in turn.

  SSLEngineResult unwrap(ByteBuffer record, ByteBuffer[] targets, int first, int count)
      throws SSLException {
    turn.lock();
    try {
      return engine.unwrap(record, targets, first, count);
    } finally {
      turn.unlock();
    }
  }

  SSLEngineResult wrap(ByteBuffer[] sources, int first, int count, ByteBuffer into)
      throws SSLException {
    turn.lock();
    try {
      return engine.wrap(sources, first, count, into);
    } finally {
      turn.unlock();
    }
  }

  HandshakeStatus status() {
    turn.lock();
    try {
      return engine.getHandshakeStatus();
    } finally {
      turn.unlock();
    }
  }

  // The handshake.

  /** Begins to count the time that the handshake may take. */
  void startDeadline() {
    Runnable cancel = shared.deadlines().after(shared.options().connectTimeout(), this::timedOut);
    boolean late;
    lock.lock();
    try {
      late = established.get() || hasFailed() || isClosing();
      deadline = late ? () -> {} : cancel;
    } finally {
      lock.unlock();
    }
    if (late) {
      cancel.run();
    }
  }

  private void timedOut() {
    if (!established.get()) {
      fail(TlsErrors.timedOut(shared.options().connectTimeout(), peer()));
    }
  }

  private void cancelDeadline() {
    Runnable cancel;
    lock.lock();
    try {
      cancel = deadline;
      deadline = () -> {};
    } finally {
      lock.unlock();
    }
    cancel.run();
  }

  boolean isEstablished() {
    return established.get();
  }

  /** The handshake is over. The thread that reads, or the one that writes. */
  void established() {
    if (!established.compareAndSet(false, true)) {
      return;
    }
    cancelDeadline();
    SSLSession session = engine.getSession();
    tls12 = session.getProtocol().equals("TLSv1.2");
    CertificateException expired = SessionCertificates.expired(session, role);
    if (expired != null) {
      // The next handshake is a whole one.
      session.invalidate();
      fail(TlsErrors.expired(expired, peer()));
    }
    if (plain && !hasFailed()) {
      above().start();
    }
    below.wakeWriter();
    below.resumeReading();
  }

  boolean isTls12() {
    return tls12;
  }

  /**
   * Has the engine's tasks run, on other threads.
   *
   * @return whether they run, so that both directions are woken when they are done
   */
  boolean runsTasks() {
    Runnable first;
    lock.lock();
    try {
      if (tasksRun) {
        return true;
      }
      first = engine.getDelegatedTask();
      if (first == null) {
        return false;
      }
      tasksRun = true;
    } finally {
      lock.unlock();
    }
    try {
      shared.tasks().execute(() -> runTasks(first));
    } catch (RejectedExecutionException e) {
      fail(TlsErrors.tooMany(peer()));
    }
    return true;
  }

  private void runTasks(Runnable first) {
    try {
      for (Runnable task = first; task != null; task = engine.getDelegatedTask()) {
        task.run();
      }
    } catch (RuntimeException | Error e) {
      fail(TlsErrors.of(e, isEstablished(), peer()));
    } finally {
      lock.lock();
      try {
        tasksRun = false;
      } finally {
        lock.unlock();
      }
      below.resumeReading();
      below.wakeWriter();
    }
  }

  // The end.

  /** Ends the connection, and tells the peer if the engine has something to tell. */
  void fail(ArraywireException cause) {
    if (failure.compareAndSet(null, cause)) {
      cancelDeadline();
      above().failed(cause);
    }
  }

  /** Tells a peer that is one too many so, without a handshake. */
  void refuse(ArraywireException cause) {
    plainWords = TlsRecords.refusal();
    failure.compareAndSet(null, cause);
    close(BRIEF_LINGER);
  }

  boolean hasFailed() {
    return failure.get() != null;
  }

  /** The channel or the transport failed. */
  void failedBelow(Throwable thrown) {
    channelFailed = true;
    cancelDeadline();
    if (closeAsked.get()) {
      below.close();
    }
    if (isEstablished() || failure.get() != null) {
      above().failed(thrown);
    } else {
      fail(TlsErrors.endedInHandshake(thrown, peer()));
    }
  }

  /** Whether nothing goes up any more, and nothing comes down but last words. */
  boolean isClosing() {
    return closeAsked.get();
  }

  /**
   * The end above wants the channel closed. First goes what TLS has to say: an alert, or that this
   * is the end. If the channel is still busy with a record, that cannot be said any more.
   */
  void close() {
    close(LINGER);
  }

  private void close(Duration linger) {
    if (!closeAsked.compareAndSet(false, true)) {
      return;
    }
    cancelDeadline();
    boolean failed = hasFailed();
    boolean speaks = failed || (isEstablished() && (!writing || outputEnded));
    if (channelFailed || !speaks || (saidLast && (!failed || inputOver))) {
      below.close();
      return;
    }
    Runnable unused = shared.deadlines().after(failed ? linger : LAST_WRITE, below::close);
    below.wakeWriter();
    below.resumeReading();
  }

  /** Nothing more comes. The reading thread's. */
  void inputOver() {
    inputOver = true;
    if (saidLast && isClosing()) {
      below.close();
    }
  }

  /**
   * What TLS has to say at the end is written. The channel is closed, unless the peer is to read
   * why it failed. A channel that is closed with bytes unread takes back what it was given last, so
   * those are read first. The writing thread's.
   */
  void saidLast() {
    saidLast = true;
    if (isClosing() && (inputOver || !hasFailed())) {
      below.close();
    }
  }

  /** The certificate of the peer that the handshake has verified; empty before it is over. */
  List<X509Certificate> peerCertificates() {
    return isEstablished() ? SessionCertificates.ofPeer(engine.getSession()) : List.of();
  }

  /** How it is protected, in words. */
  String describe() {
    if (!isEstablished()) {
      return "TLS";
    }
    SSLSession session = engine.getSession();
    return session.getProtocol()
        + " "
        + session.getCipherSuite()
        + ", "
        + SessionCertificates.peerInWords(session);
  }
}
