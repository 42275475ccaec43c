package io.arraywire.nio;

import java.io.IOException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.NetworkChannel;

/**
 * Has the system ask a peer that nothing was heard of whether it is there, and end the connection
 * if it is not: for peers that the protocol asks nothing of, as those in plain mode. With the
 * system's own times that takes two hours.
 */
final class KeepAlive {
  private static final int IDLE_SECONDS = 60;
  private static final int INTERVAL_SECONDS = 15;
  private static final int PROBES = 4;

  private KeepAlive() {}

  /** Sets it where the channel has it; its times where the JDK has them, too. */
  static void set(NetworkChannel channel) throws IOException {
    if (!channel.supportedOptions().contains(StandardSocketOptions.SO_KEEPALIVE)) {
      return;
    }
    channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
    for (SocketOption<?> option : channel.supportedOptions()) {
      // By name: the module jdk.net, which has them, need not be there.
      switch (option.name()) {
        case "TCP_KEEPIDLE" -> set(channel, option, IDLE_SECONDS);
        case "TCP_KEEPINTERVAL" -> set(channel, option, INTERVAL_SECONDS);
        case "TCP_KEEPCOUNT" -> set(channel, option, PROBES);
        default -> {}
      }
    }
  }

  @SuppressWarnings("unchecked") // All three are numbers.
  private static void set(NetworkChannel channel, SocketOption<?> option, int value)
      throws IOException {
    channel.setOption((SocketOption<Integer>) option, value);
  }
}
