package io.arraywire.engine;

/** What became of bytes that were handed to {@link WireEnd#input}. */
public enum Intake {
  /** All were taken; they were of control frames that nobody waits for. */
  CONTROL,

  /** All were taken; they belong to an array or answer one, so that more is likely to come. */
  ARRAYS,

  /**
   * All were taken, and a layer holds bytes that it can give without the channel. Call {@link
   * WireEnd#input} again, with an empty buffer, before waiting for the channel or reading from it.
   */
  HELD,

  /**
   * Reading must stop. Keep what is left of the bytes until {@link Link#resumeReading()}, and then
   * call {@link WireEnd#input} with it, or with an empty buffer if nothing is left.
   */
  PAUSED
}
