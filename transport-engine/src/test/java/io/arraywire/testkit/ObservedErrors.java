package io.arraywire.testkit;

import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.ErrorCode;
import io.arraywire.TransportObserver;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Notes with what kinds of error connections fail. Any thread. */
final class ObservedErrors implements TransportObserver {
  private final Set<ErrorCode> codes = ConcurrentHashMap.newKeySet();

  @Override
  public void error(Connection connection, ArraywireException error) {
    codes.add(error.code());
  }

  Set<ErrorCode> codes() {
    return codes;
  }
}
