package io.arraywire.testkit.simulation;

import io.arraywire.Channel;
import io.arraywire.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One end of a connection as a user has it, over however many channels it goes. */
final class End {
  final int number;
  final Host host;
  final Connection connection;

  /** Whether it outlives its connection. */
  final boolean session;

  final boolean hasHandler;
  final Map<Integer, Long> sequences = new TreeMap<>();
  final List<Channel> used = new ArrayList<>();

  /** The other end, once something has come from there. */
  @Nullable End peer;

  boolean closing;

  /** Whether the call that closes it has returned. */
  boolean closed;

  boolean closedByHandler;
  boolean toldClosed;

  End(int number, Host host, Connection connection, boolean hasHandler) {
    this.number = number;
    this.host = host;
    this.connection = connection;
    this.hasHandler = hasHandler;
    session = connection.agreement().sessionTimeout() != null;
    for (int channel = 0; channel < channels(); channel++) {
      used.add(connection.channel(channel));
    }
  }

  /** Arrays are sent on these. */
  final int channels() {
    return Math.min(3, connection.agreement().channels());
  }

  @Override
  public String toString() {
    return host.name + "#" + number + (session ? " (session)" : "");
  }
}
