package io.arraywire.engine;

import io.arraywire.ArraywireException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * What the protocol asks of the channel beneath a {@link WireEnd}. Every method may be called by
 * any thread, must not block and must not throw; after {@link #close()} the first three do nothing.
 */
public interface Link {

  /**
   * There is output: have the writing thread call {@link WireEnd#output()} soon. Calls may be
   * merged. May be called with the connection's lock held: take no lock under which the connection
   * is called.
   */
  void wakeWriter();

  /**
   * Like {@link #wakeWriter}, but not urgent: the writing thread will have other work soon. A
   * thread that polls every millisecond or two need not be woken for it.
   */
  default void wakeWriterSoon() {
    wakeWriter();
  }

  /**
   * Like {@link #wakeWriterSoon}, but nobody is likely to wait for it. It may ride along with the
   * next output, for a few milliseconds at most.
   */
  default void wakeWriterLate() {
    wakeWriterSoon();
  }

  /**
   * Has the calling thread, which reads, run a task as soon as it has nothing else in hand. The
   * task is mostly short, but may block: another thread reads and writes then. The connection's
   * lock may be held.
   *
   * @param task what calls a handler, or completes a stage
   * @param otherwise runs the task if that thread ends before it begins the task
   * @return whether it does; otherwise the executor has to
   */
  default boolean runsTask(Runnable task, Executor otherwise) {
    return false;
  }

  /**
   * How long the thread that reads may be busy with what one call of {@link WireEnd#input} brings,
   * because other connections wait for it. What is left then is refused, and reading {@linkplain
   * #resumeReading() resumed} at once. So the others have their turn in between.
   *
   * @return nanoseconds; {@link Long#MAX_VALUE} if the thread serves this connection alone
   */
  default long readingNanos() {
    return Long.MAX_VALUE;
  }

  /**
   * Input that was {@linkplain Intake#PAUSED refused} may be taken now. Have the reading thread
   * call {@link WireEnd#input} with what is left of it, and read on. If the end was refused, have
   * it call {@link WireEnd#inputEnded()}. Calls may be merged, and may come when nothing was
   * refused.
   */
  void resumeReading();

  /**
   * Close the channel now. Afterwards the thread that reads and the one that writes must each call
   * {@link WireEnd#disposed}, once and as its last call. Idempotent.
   */
  void close();

  /**
   * The calling thread is about to begin something whose result it will wait for. It may take over
   * from the threads that move bytes, so that no thread need be woken.
   *
   * @return whether it did, so that {@link #endHelp} must follow
   */
  default boolean beginHelp() {
    return false;
  }

  /**
   * The calling thread waits for a result: meanwhile it may move bytes in place of the threads that
   * do so otherwise. Ends when the result is there, when nothing has moved for a while, or when the
   * thread is interrupted. The thread then waits in its own way.
   *
   * @param result what it waits for
   */
  default void help(Future<?> result) {}

  /**
   * Closes the channel, as {@link #close} does, so that the peer sees a failure and no orderly end,
   * where the channel can do that.
   */
  default void reset() {
    close();
  }

  /**
   * Closes the channel of a peer that exceeds a limit, as {@link #close} does. A layer beneath the
   * connection, such as TLS, tells the peer in its own way.
   *
   * @param cause why this side refuses the peer
   */
  default void refuse(ArraywireException cause) {
    close();
  }

  /**
   * Ends what {@link #beginHelp} began, if it did.
   *
   * @param result what the thread waits for, and perhaps has to go on waiting for
   */
  default void endHelp(Future<?> result) {}

  /**
   * The smallest array for which it pays to move elements straight between the array's memory and
   * the channel. The reading or writing thread calls this for arrays that are not small.
   *
   * @return bytes, more than 0; {@link Integer#MAX_VALUE} if this channel cannot do that
   */
  default int leastArrayBytes() {
    return Integer.MAX_VALUE;
  }

  /**
   * The smallest array for which it pays that the channel takes elements straight from direct
   * memory or from a file, with {@link ArrayIo#write(ByteBuffer)} and {@link ArrayIo#transfer}.
   * Asked as above.
   *
   * @return bytes, more than 0; {@link Integer#MAX_VALUE} if this channel cannot do that
   */
  default int leastRegionBytes() {
    return Integer.MAX_VALUE;
  }

  /**
   * Memory of the channel that the next output may be encoded straight into, so that it need not be
   * copied there. Asked by the writing thread, when nothing is left of the output before. What was
   * put there is then written as {@link Output#isInPlace()}, perhaps nothing.
   *
   * @param least how many bytes it must have
   * @return a buffer from 0 to its capacity; null if the channel has no such memory or no room now
   */
  default @Nullable ByteBuffer space(int least) {
    return null;
  }

  /**
   * How large arrays move between their memory and the channel, for {@code describe()}: with the
   * reason if they are copied on the way.
   *
   * @return some words
   */
  default String arrayPath() {
    return "staged";
  }

  /**
   * The certificate with which the peer has proved who it is. The certificates of its issuers are
   * left out: the peer may send others than those by which TLS verified it. Known once the first
   * bytes of the peer have come.
   *
   * @return the certificate alone; empty if the channel is not one that checks certificates, or has
   *     none
   */
  default List<X509Certificate> peerCertificates() {
    return List.of();
  }

  /**
   * This end's address.
   *
   * @return the address
   */
  SocketAddress localAddress();

  /**
   * The peer's address.
   *
   * @return the address
   */
  SocketAddress remoteAddress();
}
