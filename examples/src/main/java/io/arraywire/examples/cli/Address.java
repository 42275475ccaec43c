package io.arraywire.examples.cli;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/**
 * An address as it is written on a command line: {@code HOST:PORT}, {@code [::1]:PORT} or {@code
 * unix:PATH}. To listen on all addresses of this host it is {@code :PORT}, as in the library.
 *
 * @param host the host without brackets, the path of a Unix domain socket, or empty for all
 *     addresses of this host
 * @param port 0 to 65535, or {@link #UNIX}
 */
record Address(String host, int port) {
  static final int UNIX = -1;

  private static final String UNIX_PREFIX = "unix:";

  /**
   * Reads an address.
   *
   * @param text the address
   * @return the address, its host not yet looked up
   * @throws IllegalArgumentException if it is none, with what is wrong
   */
  static Address parse(String text) {
    if (text.startsWith(UNIX_PREFIX)) {
      return unix(text);
    }
    int colon = text.lastIndexOf(':');
    if (colon < 0) {
      throw wrong("the port is missing", text);
    }
    String host = text.substring(0, colon);
    if (host.startsWith("[") && host.endsWith("]")) {
      host = host.substring(1, host.length() - 1);
      if (host.isEmpty()) {
        throw wrong("the host is missing", text);
      }
    } else if (host.indexOf(':') >= 0) {
      throw wrong("an IPv6 address needs brackets", text);
    }
    return new Address(host, port(text, text.substring(colon + 1)));
  }

  private static Address unix(String text) {
    String path = text.substring(UNIX_PREFIX.length());
    if (path.isEmpty()) {
      throw wrong("the path is missing", text);
    }
    try {
      return new Address(Path.of(path).toString(), UNIX);
    } catch (InvalidPathException e) {
      throw wrong("this system takes no such path: " + e.getReason(), text);
    }
  }

  private static int port(String text, String digits) {
    if (digits.matches("[0-9]{1,5}") && Integer.parseInt(digits) <= 65535) {
      return Integer.parseInt(digits);
    }
    throw wrong("the port is not a number from 0 to 65535", text);
  }

  private static IllegalArgumentException wrong(String what, String text) {
    return new IllegalArgumentException(
        what + " (address=" + text + ", forms=HOST:PORT [::1]:PORT unix:PATH, :PORT to listen)");
  }

  /**
   * The address that sockets take, its host looked up.
   *
   * @return the address
   * @throws UnknownHostException if the host has no address
   */
  SocketAddress resolve() throws UnknownHostException {
    return port == UNIX
        ? UnixDomainSocketAddress.of(host)
        : host.isEmpty()
            ? new InetSocketAddress(port)
            : new InetSocketAddress(InetAddress.getByName(host), port);
  }

  /**
   * This address with the port that a listener really has.
   *
   * @param real what the listener says
   * @return the same host with that port
   */
  Address bound(SocketAddress real) {
    return real instanceof InetSocketAddress inet ? new Address(host, inet.getPort()) : this;
  }

  /** The address in the form in which {@link #parse} takes it. */
  @Override
  public String toString() {
    if (port == UNIX) {
      return UNIX_PREFIX + host;
    }
    return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
  }

  /**
   * An address of a connection in words.
   *
   * @param address what a connection says
   * @return in the form in which {@link #parse} takes it
   */
  static String text(SocketAddress address) {
    if (address instanceof InetSocketAddress inet) {
      InetAddress host = inet.getAddress();
      return new Address(
              host == null ? inet.getHostString() : host.getHostAddress(), inet.getPort())
          .toString();
    }
    String path = address.toString();
    return path.isEmpty() ? "unix:(unnamed)" : UNIX_PREFIX + path;
  }
}
