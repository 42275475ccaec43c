package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArraySlice;
import io.arraywire.Connection;
import io.arraywire.Listener;
import io.arraywire.ReceivedArray;
import io.arraywire.SendOptions;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a transport over sockets does in a process that has no file descriptor left. A test of a
 * transport extends it and says how the transport is made. Needs a shell with {@code ulimit}. One
 * test runs for each change and on every JDK, since it is cheap; the others are slow.
 */
public abstract class ScarceDescriptorTests {
  private static final int DESCRIPTORS = 120;

  /** Long enough for the pauses to have grown to their longest. */
  private static final Duration WITHOUT = Duration.ofSeconds(4);

  private static final Duration SOON = Duration.ofSeconds(1);

  private static final int MOST_AGAIN = 4;

  @TempDir Path directory;

  /** For subclasses. */
  protected ScarceDescriptorTests() {}

  /**
   * The class whose static method {@code create(TransportOptions)} makes the transport.
   *
   * @return the class
   */
  protected abstract Class<?> factory();

  /**
   * Makes the transport, for the side that has descriptors.
   *
   * @param options its options
   * @return the transport
   */
  protected abstract Transport create(TransportOptions options);

  private ScarceProcess process() throws Exception {
    return ScarceProcess.start(directory, factory(), DESCRIPTORS);
  }

  private String place(String kind) {
    return kind.equals("unix") ? directory.resolve("socket").toString() : "0";
  }

  /** Nothing was logged and nobody connected before: the first of both has no descriptor. */
  @Test
  @Tag("ci")
  void aListenerWithoutDescriptorsRestsSaysSoAndAcceptsOnceThereIsOne() throws Exception {
    listenWithout("tcp");
  }

  @Test
  @Tag("slow")
  void soDoesOneAtAUnixDomainSocket() throws Exception {
    listenWithout("unix");
  }

  private void listenWithout(String kind) throws Exception {
    try (ScarceProcess process = process();
        Transport transport = patient()) {
      process.ask("create");
      SocketAddress address = ScarceProgram.address(process.ask("listen " + place(kind)));
      Running<Connection> peer = connectInVain(process, transport, address, isLogged(process));
      assertAcceptsAgain(process, peer);
      assertThat(process.words())
          .contains("ulimit -n")
          .doesNotContain("NoClassDefFoundError", "survived a failure");
    }
  }

  /** What is short may be short for the logger, too, which then throws. */
  @Test
  @Tag("slow")
  void aListenerRestsThoughItsLoggerThrowsAndSaysSoOnceThatWorks() throws Exception {
    try (ScarceProcess process = process();
        Transport transport = patient()) {
      process.ask("mute");
      process.ask("create");
      SocketAddress address = ScarceProgram.address(process.ask("listen 0"));
      Running<Connection> peer =
          connectInVain(process, transport, address, () -> refused(process) > 1);
      assertThat(process.words()).doesNotContain("accept");
      process.ask("unmute");
      Eventually.until("it is logged", isLogged(process));
      assertAcceptsAgain(process, peer);
    }
  }

  private Transport patient() {
    return create(TransportOptions.builder().connectTimeout(Eventually.LONG).build());
  }

  /** Connects to a process that has no descriptor, and sees that it rests. */
  private static Running<Connection> connectInVain(
      ScarceProcess process, Transport transport, SocketAddress address, BooleanSupplier noticed)
      throws Exception {
    Running<Connection> peer = rest(process, transport, address, noticed);
    for (int again = 0; peer.isDone() && again < MOST_AGAIN; again++) {
      // The JVM itself gave a descriptor back, and has none now.
      peer.get().close();
      peer = rest(process, transport, address, noticed);
    }
    assertThat(peer.isDone()).isFalse();
    return peer;
  }

  private static Running<Connection> rest(
      ScarceProcess process, Transport transport, SocketAddress address, BooleanSupplier noticed)
      throws Exception {
    process.ask("exhaust");
    Running<Connection> peer = Running.start(() -> transport.connect(address));
    Eventually.until("an accept has failed", noticed);
    Duration before = process.cpuTime();
    TimeUnit.NANOSECONDS.sleep(WITHOUT.toNanos());
    Duration used = process.cpuTime().minus(before);
    // One that spins uses all of it; what is left is for a JVM that compiles on a busy machine.
    assertThat(used).as("CPU time in " + WITHOUT).isLessThan(WITHOUT.dividedBy(8));
    return peer;
  }

  private static void assertAcceptsAgain(ScarceProcess process, Running<Connection> peer)
      throws Exception {
    int sockets = process.sockets();
    process.ask("free 1");
    long freed = System.nanoTime();
    Eventually.until("it is accepted", () -> process.sockets() > sockets);
    assertThat(Duration.ofNanos(System.nanoTime() - freed)).isLessThan(SOON);
    // An accept needs one. What a JVM opens beside it in the handshake may need more.
    process.ask("free 9");
    try (Connection connection = peer.get()) {
      connection.send(ArraySlice.of(new int[100_000]), SendOptions.processed());
    }
  }

  private static BooleanSupplier isLogged(ScarceProcess process) {
    return () -> logged(process, "accept");
  }

  private static int refused(ScarceProcess process) {
    try {
      return Integer.parseInt(process.ask("refused"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean logged(ScarceProcess process, String word) {
    try {
      return process.words().contains(word);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Several times over, since what fails once in the JDK may fail for ever. */
  @Test
  @Tag("slow")
  void aConnectWithoutDescriptorsFailsAndTheNextOneWithThemDoesNot() throws Exception {
    connectWithout("tcp");
  }

  @Test
  @Tag("slow")
  void soDoesOneToAUnixDomainSocket() throws Exception {
    connectWithout("unix");
  }

  private void connectWithout(String kind) throws Exception {
    try (ScarceProcess process = process();
        Transport transport = create(TransportOptions.defaults());
        Listener listener = transport.listen(ScarceProgram.address(place(kind)))) {
      Running<String> accepting =
          Running.start(() -> {
            while (true) {
              try (Connection connection = listener.accept()) {
                ReceivedArray unused = connection.receive();
              }
            }
          });
      String to = kind.equals("unix") ? place(kind) : ScarceProgram.written(listener.address());
      process.ask("create");
      process.ask("exhaust");
      for (int i = 0; i < 3; i++) {
        assertThat(process.askInVain("connect " + to))
            .contains("ConnectFailedException", "ulimit -n");
      }
      process.ask("free 10");
      process.ask("connect " + to);
      assertThat(accepting.isDone()).isFalse();
    }
  }

  /**
   * What the JDK loads with its first socket, selector and log line needs descriptors of its own.
   */
  @Test
  @Tag("slow")
  void aTransportThatIsMadeWithoutDescriptorsFailsAndTheNextOneWithThemWorks() throws Exception {
    try (ScarceProcess process = process();
        Transport transport = create(TransportOptions.defaults())) {
      process.ask("exhaust");
      for (int left = 0; left < 4; left++) {
        String failure = process.askInVain("create");
        assertThat(failure).contains("descriptors").doesNotContain("Error:");
        process.ask("free 1");
      }
      process.ask("free 30");
      process.ask("create");
      SocketAddress address = ScarceProgram.address(process.ask("listen 0"));
      try (Connection connection = transport.connect(address)) {
        connection.send(ArraySlice.of(new int[100_000]), SendOptions.processed());
      }
    }
  }
}
