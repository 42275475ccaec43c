package io.arraywire.engine;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The end of a connection that a transport drives: bytes of the channel go in, bytes for the
 * channel come out. A {@link WireLayer} is driven by the transport and drives the end above it in
 * the same way.
 *
 * <p><b>Threads.</b> One thread at a time reads. It asks for the {@link #plan}, carries it out and
 * reports with {@link #input}, {@link #filled} or {@link #inputArray}. It calls {@link #inputEnded}
 * at the end of the stream, and {@link #disposed} last. One thread at a time writes: it calls
 * {@link #output} when {@link Link#wakeWriter()} asked for it, reports each write with {@link
 * #wrote}, and calls {@link #disposed} last. It may be the same thread. No method blocks; none
 * throws, but for what the channel throws beneath {@link #inputArray}.
 */
public interface WireEnd {

  /** Begins the handshake. To be called once, when the channel is connected. Any thread. */
  void start();

  /**
   * Says where the next bytes of the stream go. The reading thread's, before each read.
   *
   * @param plan is filled in; an object of the reading thread's, used again and again
   */
  void plan(ReadPlan plan);

  /**
   * Takes bytes that were read into the transport's own memory.
   *
   * @param bytes the bytes, from position to limit; perhaps none
   * @param fresh whether one read operation brought them; false for what a call before has left,
   *     for nothing, and for more that the same operation brought
   * @return whether all were taken, and what to do next
   */
  Intake input(ByteBuffer bytes, boolean fresh);

  /**
   * One read operation put bytes into {@link ReadPlan#space()}.
   *
   * @param space that buffer, its position after the bytes
   * @param bytes how many
   */
  void filled(ByteBuffer space, int bytes);

  /**
   * Reads into the array that is arriving; to be called if {@link ReadPlan#arrayBytes()} is not 0.
   *
   * @param io reads
   * @param atMost how many bytes, at most what the plan says
   * @return what {@code io} returned
   * @throws IOException if {@code io} throws it
   */
  long inputArray(ArrayIo io, int atMost) throws IOException;

  /**
   * The channel's input has ended in an orderly way, as far as the channel can tell.
   *
   * @return true if that was taken; false if bytes from before are still held back: call it again
   *     when {@link Link#resumeReading()} says so
   */
  boolean inputEnded();

  /**
   * What is to be written next. The writing thread's.
   *
   * @return the bytes, in the same object until all are written; null if there is nothing to write
   *     until {@link Link#wakeWriter()} says so; {@link Output#END} if everything is written and
   *     the channel's output is to be shut down
   */
  @Nullable Output output();

  /**
   * One write operation wrote bytes of the output, whose positions the channel or the writer
   * advanced, or which came straight from an array.
   *
   * @param bytes how many, more than 0
   * @return true if nothing is left to write, so that {@link #output()} need not be asked before
   *     {@link Link#wakeWriter()} says so; false if it has to be asked
   */
  boolean wrote(long bytes);

  /**
   * A thread is done with the connection's memory; see {@link Link#close()}. The last call of the
   * thread that reads, and of the one that writes.
   *
   * @param direction which of them calls
   */
  void disposed(Direction direction);

  /**
   * The channel or the transport failed. Any thread.
   *
   * @param thrown what was thrown: an {@link IOException} of the channel, or what nobody foresaw
   */
  void failed(Throwable thrown);

  /** The two directions of a channel. */
  enum Direction {
    /** From the channel to the connection. */
    INPUT,
    /** From the connection to the channel. */
    OUTPUT
  }
}
