package io.arraywire.nio;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Keeps TCP from pacing what does not leave the host. BBR sends at the rate that it has measured,
 * by a timer, and keeps little in flight. So no queue builds up in a network. Between two processes
 * of one host there is no such queue, and large arrays take twice as long; see ADR 28.
 */
final class Pacing {
  /** What is written at once from here on is worth the search for the socket's descriptor. */
  static final int LEAST_BYTES = 64 << 10;

  /** Every kernel has it and, unless told otherwise, lets every user choose it. */
  private static final String UNPACED = "reno";

  private static final String SYSTEM = system();

  private Pacing() {}

  /** Whether both ends of a TCP connection are this host. */
  static boolean isWithinHost(SocketAddress local, SocketAddress remote) {
    if (local instanceof InetSocketAddress here && remote instanceof InetSocketAddress there) {
      InetAddress address = there.getAddress();
      return address.isLoopbackAddress() || address.equals(here.getAddress());
    }
    return false;
  }

  /**
   * Ends it for a socket whose congestion control paces.
   *
   * @return what was done, to be appended to other words; empty if there was nothing to do
   */
  static String end(CongestionControl socket) throws IOException {
    String before = socket.name();
    if (!paces(before)) {
      return "";
    }
    socket.change(UNPACED);
    return ", TCP " + socket.name() + " in place of " + before;
  }

  /** The same where nothing can be done: says so if the system's default paces. */
  static String goesOn(String obstacle) {
    return isSystems() ? ", paced by TCP " + SYSTEM + " (" + obstacle + ")" : "";
  }

  /** Whether it is what this system has its connections do. */
  static boolean isSystems() {
    return paces(SYSTEM);
  }

  /** Versions of BBR have names of their own. */
  static boolean paces(String congestionControl) {
    return congestionControl.startsWith("bbr");
  }

  private static String system() {
    try {
      return Files.readString(Path.of("/proc/sys/net/ipv4/tcp_congestion_control")).strip();
    } catch (IOException | RuntimeException e) {
      // Another system's, or hidden.
      return "";
    }
  }
}
