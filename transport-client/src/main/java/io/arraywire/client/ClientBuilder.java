package io.arraywire.client;

import io.arraywire.ArraywireException;
import io.arraywire.Handlers;
import io.arraywire.Transport;
import io.arraywire.spi.MessageText;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

/** Makes a {@link ArraywireClient}. Obtained from {@link ArraywireClient#over}. For one thread. */
public final class ClientBuilder {
  static final int MOST_CONNECTIONS = 64;

  private static final Handlers REFUSING =
      Handlers.ofArrays((connection, array) -> {
        throw ArraywireException.refusal(
            "this client takes no arrays; give ClientBuilder.handlers some that do");
      });

  private static final Duration FIRST_PAUSE = Duration.ofMillis(10);

  private final Transport transport;
  private final Map<String, Supplier<SocketAddress>> addresses = new LinkedHashMap<>();
  private AddressChoice choice = AddressChoice.FAILOVER;
  private int connectionsPerAddress = 1;
  private Handlers handlers = REFUSING;
  private Duration probePause = Duration.ofMillis(100);
  private Duration probeTime = Duration.ofMinutes(1);
  private Duration longestPause = Duration.ofSeconds(5);

  ClientBuilder(Transport transport) {
    this.transport = Objects.requireNonNull(transport, "transport");
  }

  /**
   * Adds an address, which is looked up anew for each attempt to connect: a name may stand for
   * another host after a deployment.
   *
   * @param text as {@link Transport#address(String)} takes it
   * @return this
   * @throws IllegalArgumentException if it is no address, or is there already
   */
  public ClientBuilder address(String text) {
    SocketAddress unused = Transport.address(text);
    return add(text, () -> Transport.address(text));
  }

  /**
   * Adds an address. {@link AddressStatus#address()} and {@link ClientOutput#byKey} know it by what
   * {@link Transport#address(String)} takes: the host's name, or its IP address if none was given,
   * and the port. So all clients agree on the address of a key, whatever the name stands for.
   *
   * @param address where a server listens
   * @return this
   * @throws IllegalArgumentException if it is there already
   */
  public ClientBuilder address(SocketAddress address) {
    return add(name(Objects.requireNonNull(address, "address")), () -> address);
  }

  private static String name(SocketAddress address) {
    if (address instanceof InetSocketAddress inet) {
      String host = inet.getHostString();
      return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + inet.getPort();
    }
    return address instanceof UnixDomainSocketAddress unix
        ? "unix:" + unix.getPath()
        : address.toString();
  }

  private ClientBuilder add(String name, Supplier<SocketAddress> address) {
    if (addresses.putIfAbsent(name, address) != null) {
      throw new IllegalArgumentException(
          MessageText.brief(
              "the client has this address already; give each address once", "address", name));
    }
    return this;
  }

  /**
   * Which address a call goes to. Default: {@link AddressChoice#FAILOVER}.
   *
   * @param value the choice
   * @return this
   */
  public ClientBuilder choice(AddressChoice value) {
    choice = Objects.requireNonNull(value, "choice");
    return this;
  }

  /**
   * How many connections to one address the client has at most; it opens a further one when all of
   * those it has carry calls. Those that drain are not counted. Default: 1, since one connection
   * carries many calls at a time.
   *
   * @param most 1 to 64
   * @return this
   * @throws IllegalArgumentException if it is out of range
   */
  public ClientBuilder connectionsPerAddress(int most) {
    if (most < 1 || most > MOST_CONNECTIONS) {
      throw new IllegalArgumentException(
          "connectionsPerAddress is out of range (connectionsPerAddress="
              + most
              + ", least=1, most="
              + MOST_CONNECTIONS
              + ")");
    }
    connectionsPerAddress = most;
    return this;
  }

  /**
   * The handlers of arrays and requests that servers send over the client's connections. Default:
   * they are refused. Do not call {@code close}, {@code call}, {@code send}, {@code subscribe} or
   * {@code join} in the client's own handlers: these calls may wait until the handler has returned.
   *
   * @param value the handlers of every connection
   * @return this
   */
  public ClientBuilder handlers(Handlers value) {
    handlers = Objects.requireNonNull(value, "handlers");
    return this;
  }

  /**
   * The longest pause between attempts to connect to an address that was good less than {@link
   * #probeTime} ago. Each pause is a random time below a limit that begins with 10 ms and doubles.
   * There is no pause before the first attempt after a goodbye, if a call needs the address while
   * the server drains. Default: 100 ms.
   *
   * @param value at least 10 ms
   * @return this
   * @throws IllegalArgumentException if it is less
   */
  public ClientBuilder probePause(Duration value) {
    probePause = atLeast("probePause", value, FIRST_PAUSE);
    return this;
  }

  /**
   * How long an address that was good is probed at pauses of at most {@link #probePause}. Later the
   * pauses grow. Default: 1 min.
   *
   * @param value zero or more
   * @return this
   * @throws IllegalArgumentException if it is negative
   */
  public ClientBuilder probeTime(Duration value) {
    probeTime = atLeast("probeTime", value, Duration.ZERO);
    return this;
  }

  /**
   * The longest pause between attempts to connect to any other address, one that was not good for
   * {@link #probeTime}. Default: 5 s.
   *
   * @param value at least 10 ms
   * @return this
   * @throws IllegalArgumentException if it is less
   */
  public ClientBuilder longestPause(Duration value) {
    longestPause = atLeast("longestPause", value, FIRST_PAUSE);
    return this;
  }

  private static Duration atLeast(String name, Duration value, Duration least) {
    if (value.compareTo(least) < 0) {
      throw new IllegalArgumentException(
          name + " is too small (" + name + "=" + value + ", least=" + least + ")");
    }
    return value;
  }

  /**
   * Makes the client, which connects with the first call or with {@link
   * ArraywireClient#awaitReady}.
   *
   * @return the client, to be closed by the caller; the transport stays the caller's, too
   * @throws IllegalArgumentException if it has no address
   */
  public ArraywireClient build() {
    return build(SystemRuntime.INSTANCE);
  }

  ArraywireClient build(ClientRuntime runtime) {
    if (addresses.isEmpty()) {
      throw new IllegalArgumentException("a client needs an address; give over(...) at least one");
    }
    Endpoints endpoints = new Endpoints(runtime);
    BackOff backOff =
        new BackOff(
            Deadline.nanos(FIRST_PAUSE),
            Deadline.nanos(probePause),
            Deadline.nanos(probeTime),
            Deadline.nanos(longestPause));
    List<Endpoint> all =
        addresses.entrySet().stream()
            .map(each -> {
              Supplier<SocketAddress> address = each.getValue();
              Dialer dialer = watched -> transport.connect(address.get(), watched);
              return new Endpoint(
                  each.getKey(),
                  dialer,
                  handlers,
                  connectionsPerAddress,
                  backOff,
                  runtime,
                  endpoints::changed);
            })
            .toList();
    endpoints.are(all);
    return new ArraywireClient(endpoints, transport.options(), choice.order(), backOff);
  }
}
