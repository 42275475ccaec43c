package io.arraywire.client;

import io.arraywire.ArraywireException;
import io.arraywire.ConnectFailedException;
import io.arraywire.Connection;
import io.arraywire.Handlers;

/** Connects to one address. May block. */
@FunctionalInterface
interface Dialer {
  Connection connect(Handlers handlers) throws ArraywireException, InterruptedException;

  /** Connects, and fails with typed errors only. */
  static Connection connect(Dialer dialer, String name, Handlers handlers)
      throws ArraywireException {
    try {
      return dialer.connect(handlers);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw notConnected(name, e);
    } catch (RuntimeException | Error e) {
      throw notConnected(name, e);
    }
  }

  private static ConnectFailedException notConnected(String name, Throwable cause) {
    ConnectFailedException failure =
        new ConnectFailedException("cannot connect", "address", name, "cause", cause);
    failure.because(cause);
    return failure;
  }
}
