package io.arraywire.engine;

import io.arraywire.BindFailedException;
import io.arraywire.ConnectFailedException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.PortUnreachableException;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Locale;

/**
 * Explains why an address cannot be had, in the same words for all transports. The JDK tells most
 * causes apart only by the system's own text. If that text is in another language, the failure has
 * nothing but the cause. Stateless; any thread.
 */
public final class ConnectErrors {
  private static final String NO_HOST =
      "the host is unknown; correct its name, or give an IP address";
  private static final String NO_ANSWER =
      "cannot connect: no answer in time; a firewall may drop what is sent there; else raise"
          + " connectTimeout";
  private static final String LONG_PATH =
      "the path of the socket file is too long; use a shorter one";

  private ConnectErrors() {}

  /**
   * A failure to connect.
   *
   * @param address where to
   * @param cause what the JDK said
   * @return the failure to throw
   */
  public static ConnectFailedException connect(SocketAddress address, Throwable cause) {
    ConnectFailedException failure =
        new ConnectFailedException(
            whyNotConnected(address, cause) + hint(cause), "address", address, "cause", cause);
    failure.because(cause);
    return failure;
  }

  /**
   * An attempt to connect whose time is over.
   *
   * @param address where to
   * @param connectTimeout how long it had
   * @return the failure to throw
   */
  public static ConnectFailedException connectTimeout(
      SocketAddress address, Duration connectTimeout) {
    return new ConnectFailedException(
        NO_ANSWER, "address", address, "connectTimeout", connectTimeout);
  }

  /**
   * A failure to listen.
   *
   * @param address where
   * @param cause what the JDK said
   * @return the failure to throw
   */
  public static BindFailedException bind(SocketAddress address, Throwable cause) {
    BindFailedException failure =
        new BindFailedException(
            whyNotBound(address, cause) + hint(cause), "address", address, "cause", cause);
    failure.because(cause);
    return failure;
  }

  /**
   * What an operator can do.
   *
   * @param cause what the JDK said
   * @return words to add to a text, or none
   */
  public static String hint(Throwable cause) {
    if (says(cause, "too many open files")) {
      return "; this process has used up its file descriptors, raise the limit (ulimit -n)";
    }
    if (says(cause, "no buffer space")) {
      return "; the system has no memory left for sockets, close some or raise what it gives them";
    }
    if (says(cause, "native thread")) {
      return "; the system lets this process have no more threads";
    }
    return "";
  }

  private static String whyNotConnected(SocketAddress address, Throwable cause) {
    if (cause instanceof UnknownHostException) {
      return "cannot connect: " + NO_HOST;
    }
    if (cause instanceof NoRouteToHostException
        || cause instanceof PortUnreachableException
        || says(cause, "unreachable")) {
      return "cannot connect: there is no route to the host; correct the address, or the network";
    }
    if (says(cause, "no such file")) {
      return "cannot connect: there is no such socket file; start the listener first, or correct the"
          + " path";
    }
    if (cause instanceof ConnectException && says(cause, "timed out")) {
      return NO_ANSWER;
    }
    if (says(cause, "refused")) {
      return address instanceof InetSocketAddress to && to.getPort() == 0
          ? "cannot connect: port 0 is for listening; take the one of listener.address()"
          : "cannot connect: nobody listens at the address; start the listener first, or correct"
              + " the address";
    }
    if (says(cause, "permission denied")) {
      return "cannot connect: it is not permitted";
    }
    if (address instanceof UnixDomainSocketAddress && says(cause, "too long")) {
      return "cannot connect: " + LONG_PATH;
    }
    return "cannot connect";
  }

  private static String whyNotBound(SocketAddress address, Throwable cause) {
    boolean unix = address instanceof UnixDomainSocketAddress;
    if (cause instanceof UnknownHostException) {
      return "cannot listen: " + NO_HOST;
    }
    if (says(cause, "already in use")) {
      if (!unix && !(address instanceof InetSocketAddress)) {
        return "cannot listen: somebody listens at the address; close that listener, or take another"
            + " address";
      }
      return unix
          ? "cannot listen: the file exists; remove it if no process listens there"
          : "cannot listen: the port is in use; end what listens there, or listen on port 0, which"
              + " takes a free one";
    }
    if (says(cause, "cannot assign")) {
      return "cannot listen: the address is not one of this host; listen on one that it has, or on"
          + " all of them (:port)";
    }
    if (says(cause, "permission denied")) {
      return "cannot listen: it is not permitted";
    }
    if (unix && says(cause, "too long")) {
      return "cannot listen: " + LONG_PATH;
    }
    if (unix && says(cause, "no such file")) {
      return "cannot listen: there is no such directory";
    }
    return "cannot listen";
  }

  private static boolean says(Throwable cause, String words) {
    String message = cause.getMessage();
    return message != null && message.toLowerCase(Locale.ROOT).contains(words);
  }
}
