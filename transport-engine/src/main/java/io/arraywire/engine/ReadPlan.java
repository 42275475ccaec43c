package io.arraywire.engine;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Where the next bytes of a stream go. The reading thread has one object, has {@link WireEnd#plan}
 * fill it in before each read, and carries it out. It reads straight into an array if {@link
 * #arrayBytes()} is not 0, else into {@link #space()} if there is one. Else it reads into memory of
 * the transport's own, of which at most {@link #limit()} bytes should be filled.
 *
 * <p>Not safe for several threads.
 */
public final class ReadPlan {
  private int arrayBytes;
  private @Nullable ByteBuffer space;
  private int limit = Integer.MAX_VALUE;
  private long payloadRemaining;
  private boolean insideArray;
  private boolean ofStranger;

  /** Makes a plan: anything, into the transport's own memory. */
  public ReadPlan() {}

  /**
   * How many of the next bytes go unchanged into the memory of an array; see {@link
   * Link#leastArrayBytes()}. {@link WireEnd#inputArray} reads them.
   *
   * @return bytes; 0 if the next read goes elsewhere
   */
  public int arrayBytes() {
    return arrayBytes;
  }

  /**
   * Memory that the next bytes should be read into, so that they need not be copied.
   *
   * @return a buffer, to be filled from its position to its limit and then given to {@link
   *     WireEnd#filled}; null if there is none
   */
  public @Nullable ByteBuffer space() {
    return space;
  }

  /**
   * The most bytes that should be read into the transport's own memory. More is correct, but costs
   * copies that a codec or a lease would save.
   *
   * @return bytes, at least 1
   */
  public int limit() {
    return limit;
  }

  /**
   * What is left of the payload that is arriving, so that it can be read apart from the header that
   * follows it.
   *
   * @return bytes, 0 outside a payload and where that is not known
   */
  public long payloadRemaining() {
    return payloadRemaining;
  }

  /**
   * Whether an array has begun to arrive of which more is due, so that memory to read into is well
   * spent.
   *
   * @return true inside an array
   */
  public boolean isInsideArray() {
    return insideArray;
  }

  /**
   * Whether the peer has not been let in yet. What it sends ahead may have to wait until somebody
   * has decided, so no more memory than {@link #limit()} says should be spent on it.
   *
   * @return true before the handshake is over
   */
  public boolean isOfStranger() {
    return ofStranger;
  }

  /**
   * Plans a read from a peer that has not been let in yet. For ends.
   *
   * @param most bytes, at least 1
   */
  public void ofStranger(int most) {
    intoWindow(most, 0, false);
    ofStranger = true;
  }

  /**
   * Plans a read into the transport's own memory. For ends.
   *
   * @param most bytes, at least 1
   * @param payload what {@link #payloadRemaining()} is to say
   * @param inside what {@link #isInsideArray()} is to say
   */
  public void intoWindow(int most, long payload, boolean inside) {
    arrayBytes = 0;
    space = null;
    limit = most;
    payloadRemaining = payload;
    insideArray = inside;
    ofStranger = false;
  }

  /** Plans a read into a buffer, and of what follows into the transport's own memory. */
  void intoSpace(ByteBuffer buffer, int mostBehind, long payload) {
    intoWindow(mostBehind, payload, true);
    space = buffer;
  }

  /** Plans a read straight into an array. */
  void intoArray(int bytes) {
    intoWindow(Integer.MAX_VALUE, bytes, true);
    arrayBytes = bytes;
  }
}
