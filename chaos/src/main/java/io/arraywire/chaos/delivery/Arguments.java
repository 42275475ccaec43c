package io.arraywire.chaos.delivery;

import io.arraywire.Checksums;
import io.arraywire.TransportOptions;
import io.arraywire.security.AcceptLimits;
import io.arraywire.security.Tls;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Arguments of a program, each {@code name=value}. Whatever nobody asked for is an error. */
final class Arguments {
  private static final String UNIX = "unix:";

  private final Map<String, String> left = new LinkedHashMap<>();

  Arguments(String... args) {
    for (String arg : args) {
      int equals = arg.indexOf('=');
      if (equals < 1) {
        throw new IllegalArgumentException("not name=value (argument=" + arg + ")");
      }
      left.put(arg.substring(0, equals), arg.substring(equals + 1));
    }
  }

  String text(String name) {
    String value = left.remove(name);
    if (value == null) {
      throw new IllegalArgumentException("an argument is missing (name=" + name + ")");
    }
    return value;
  }

  private <T> @Nullable T optional(String name, Function<String, T> parse) {
    String value = left.remove(name);
    return value == null ? null : parse.apply(value);
  }

  long number(String name, long otherwise) {
    Long value = optional(name, Long::valueOf);
    return value == null ? otherwise : value;
  }

  Duration millis(String name, Duration otherwise) {
    return Duration.ofMillis(number(name, otherwise.toMillis()));
  }

  /** Either {@code unix:} and a path, or host, colon and port. */
  SocketAddress address(String name) {
    String value = text(name);
    if (value.startsWith(UNIX)) {
      return UnixDomainSocketAddress.of(value.substring(UNIX.length()));
    }
    int colon = value.lastIndexOf(':');
    return new InetSocketAddress(
        value.substring(0, colon), Integer.parseInt(value.substring(colon + 1)));
  }

  static String text(SocketAddress address) {
    return address instanceof InetSocketAddress inet
        ? inet.getAddress().getHostAddress() + ":" + inet.getPort()
        : UNIX + address;
  }

  TransportOptions options() {
    // Handshakes that the proxy cuts are nobody's guesses.
    TransportOptions.Builder options = TransportOptions.builder().acceptLimits(AcceptLimits.none());
    time("heartbeatMillis", options::heartbeatInterval);
    time("heartbeatTimeoutMillis", options::heartbeatTimeout);
    time("sendTimeoutMillis", options::sendTimeout);
    time("stallTimeoutMillis", options::stallTimeout);
    time("closeTimeoutMillis", options::closeTimeout);
    time("sessionMillis", options::sessionTimeout);
    Path folder = optional("tls", Path::of);
    if (folder != null) {
      options.tls(
          Tls.server(folder.resolve("own.pem"), folder.resolve("own.key"))
              .trust(folder.resolve("ca.pem"))
              .requireClientCertificate());
    }
    Boolean checksums = optional("checksums", Boolean::valueOf);
    if (checksums != null) {
      options.checksums(Checksums.of(checksums));
    }
    return options.build();
  }

  private void time(String name, Consumer<Duration> use) {
    Long millis = optional(name, Long::valueOf);
    if (millis != null) {
      use.accept(Duration.ofMillis(millis));
    }
  }

  void end() {
    if (!left.isEmpty()) {
      throw new IllegalArgumentException("unknown arguments (arguments=" + left + ")");
    }
  }
}
