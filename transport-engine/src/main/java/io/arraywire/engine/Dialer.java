package io.arraywire.engine;

import io.arraywire.ArraywireException;
import java.time.Duration;
import java.util.function.Consumer;

/** Connects to one address, as often as it is asked to. A transport's part of a session. */
@FunctionalInterface
public interface Dialer {

  /**
   * Connects and waits until the handshake is over.
   *
   * @param unstarted is to be called with the connection before it is {@linkplain WireEnd#start()
   *     started}
   * @param connectTimeout how long connecting may take
   * @return the connection
   * @throws ArraywireException if there is none
   * @throws InterruptedException if the caller is interrupted; nothing stays open
   */
  EngineConnection dial(Consumer<EngineConnection> unstarted, Duration connectTimeout)
      throws ArraywireException, InterruptedException;
}
