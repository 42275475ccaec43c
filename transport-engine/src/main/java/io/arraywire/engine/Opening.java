package io.arraywire.engine;

/** Makes the connection above a channel that has just been connected. Any thread. */
@FunctionalInterface
public interface Opening {

  /**
   * Makes the connection. The transport must then {@linkplain WireEnd#start() start} it, even if it
   * was closed meanwhile.
   *
   * @param link the channel; it may be closed before this returns, if its transport is closed
   * @return the connection
   */
  EngineConnection open(Link link);
}
