package io.arraywire;

import io.arraywire.spi.MessageText;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.InvalidPathException;

/** Addresses as people write them. */
final class Addresses {
  private static final String UNIX = "unix:";

  private Addresses() {}

  static SocketAddress parse(String text) {
    if (text.startsWith(UNIX)) {
      return unix(text, text.substring(UNIX.length()));
    }
    if (text.contains("://")) {
      throw wrong("leave out the scheme, which no transport has", text);
    }
    int colon = text.lastIndexOf(':');
    if (colon < 0 || text.endsWith("]")) {
      throw wrong("the port is missing", text);
    }
    int port = port(text, text.substring(colon + 1));
    String host = text.substring(0, colon);
    if (host.isEmpty()) {
      return new InetSocketAddress(port);
    }
    if (host.startsWith("[") && host.endsWith("]")) {
      host = host.substring(1, host.length() - 1);
    } else if (host.indexOf(':') >= 0) {
      throw wrong("an IPv6 address needs brackets", text);
    }
    return new InetSocketAddress(host, port);
  }

  private static SocketAddress unix(String text, String path) {
    if (path.isEmpty()) {
      throw wrong("the path is missing", text);
    }
    try {
      return UnixDomainSocketAddress.of(path);
    } catch (InvalidPathException e) {
      throw wrong("this system takes no such path", text);
    }
  }

  private static int port(String text, String digits) {
    if (digits.matches("[0-9]{1,5}") && Integer.parseInt(digits) <= 0xffff) {
      return Integer.parseInt(digits);
    }
    throw wrong("the port is not a number from 0 to 65535", text);
  }

  private static IllegalArgumentException wrong(String what, String text) {
    return new IllegalArgumentException(
        MessageText.brief(
            "not an address: " + what + "; write host:port, [::1]:port, :port or unix:/path",
            "address",
            text));
  }
}
