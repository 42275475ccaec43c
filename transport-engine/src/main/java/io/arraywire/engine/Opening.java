package io.arraywire.engine;

/** Makes the connection above a channel that has just been connected. Any thread. */
@FunctionalInterface
public interface Opening {

  /**
   * Makes the connection, which the transport then has to {@linkplain WireEnd#start() start},
   * whatever has become of it since.
   *
   * @param link the channel; it may be closed before this returns, where its transport is closed
   * @return the connection
   */
  EngineConnection open(Link link);
}
