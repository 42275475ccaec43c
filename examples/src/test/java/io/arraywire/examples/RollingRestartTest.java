package io.arraywire.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ConnectionLostException;
import io.arraywire.DeliveryUnknownException;
import io.arraywire.ErrorCode;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.client.AddressChoice;
import io.arraywire.client.AddressStatus;
import io.arraywire.client.ArraywireClient;
import io.arraywire.nio.NioTransport;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three servers that restart one after the other, under a client that never does. */
@Tag("alone")
@Tag("ci")
@Tag("newest")
class RollingRestartTest {
  private static final int SERVERS = 3;
  private static final int SENDERS = 2;
  private static final int ASKERS = 2;

  /** What a client may take to be back, from the moment that a server listens. */
  private static final long BACK_MILLIS = 200;

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir Path folder;

  private final List<CliProcess> servers = new ArrayList<>();
  private final String[] addresses = new String[SERVERS];
  private final List<CliProcess> all = new ArrayList<>();

  /** From when a kill was begun until the process was gone, in milliseconds of the wall clock. */
  private record Kill(long from, long to) {
    /** Whether a call was in flight then. */
    boolean meets(ClientLoad.Failure failure) {
      return failure.began() <= to && failure.ended() >= from;
    }
  }

  @AfterEach
  void endAll() {
    all.forEach(CliProcess::close);
  }

  private Path delivered(int server) {
    return folder.resolve("delivered-" + server);
  }

  /** Starts a server, and returns when it began to listen. */
  private long start(int server) throws Exception {
    List<Object> command = new ArrayList<>(CliProcess.javaCommand("-cp", CliProcess.classPath()));
    command.add(RestartedServer.class.getName());
    command.add(addresses[server] == null ? "127.0.0.1:0" : addresses[server]);
    command.add(delivered(server));
    CliProcess process = CliProcess.start(Map.of(), command.toArray());
    all.add(process);
    if (server < servers.size()) {
      servers.set(server, process);
    } else {
      servers.add(process);
    }
    String[] said = process.awaitOut("listening ").split(" ");
    addresses[server] = said[1].substring(said[1].indexOf('/') + 1);
    return Long.parseLong(said[0]);
  }

  private Kill end(int server, String signal) throws Exception {
    long from = System.currentTimeMillis();
    servers.get(server).signal(signal);
    int status = servers.get(server).awaitExit(PATIENCE);
    assertThat(status).as("%s", servers.get(server)).isEqualTo(signal.equals("TERM") ? 143 : 137);
    return new Kill(from, System.currentTimeMillis());
  }

  /** When the client had a connection, in milliseconds of the wall clock. */
  private static long awaitReady(ArraywireClient client, int server) throws Exception {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      AddressStatus status = client.status().addresses().get(server);
      if (status.state() == AddressStatus.State.READY) {
        return System.currentTimeMillis() - status.since().toMillis();
      }
      assertThat(System.nanoTime()).as("%s", status).isLessThan(end);
      LockSupport.parkNanos(1_000_000);
    }
  }

  private static void awaitProgress(ClientLoad load, long calls) throws Exception {
    long wanted = load.done() + calls;
    CliProcess.awaitTrue("calls are done", () -> load.done() >= wanted);
  }

  private Set<Long> tagsDelivered() throws Exception {
    Set<Long> tags = new HashSet<>();
    for (int i = 0; i < SERVERS; i++) {
      ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(delivered(i)));
      while (bytes.remaining() >= Long.BYTES) {
        tags.add(bytes.getLong());
      }
    }
    return tags;
  }

  @Test
  void aRollingRestartLosesNothingThatWasAcknowledged() throws Exception {
    for (int i = 0; i < SERVERS; i++) {
      start(i);
    }
    List<Kill> kills = new ArrayList<>();
    List<Long> back = new ArrayList<>();
    try (Transport transport = NioTransport.create(TransportOptions.defaults());
        ArraywireClient client =
            ArraywireClient.over(transport, addresses).choice(AddressChoice.LEAST_LOADED).build()) {
      for (int i = 0; i < SERVERS; i++) {
        client.awaitReady(PATIENCE);
      }
      try (ClientLoad load = new ClientLoad(client, SENDERS, ASKERS)) {
        for (String signal : new String[] {"TERM", "KILL"}) {
          for (int i = 0; i < SERVERS; i++) {
            awaitReady(client, i);
            awaitProgress(load, 200);
            Kill kill = end(i, signal);
            // The others do the work meanwhile.
            awaitProgress(load, 200);
            assertThat(client.status().addresses().get(i).state())
                .as("the client knows that the server is gone")
                .isNotEqualTo(AddressStatus.State.READY);
            long deliveredBefore = delivered(i).toFile().length();
            if (signal.equals("KILL")) {
              kills.add(kill);
            } else {
              assertThat(load.failures).as("calls that failed under a SIGTERM").isEmpty();
            }
            long listening = start(i);
            back.add(awaitReady(client, i) - listening);
            int server = i;
            CliProcess.awaitTrue(
                "it gets arrays again",
                () -> delivered(server).toFile().length() > deliveredBefore);
          }
        }
        awaitProgress(load, 200);
        load.end();
        System.out.printf(
            "rolling restart: %d arrays acknowledged, %d requests answered, %d calls failed, back after %s ms%n",
            load.acknowledged.size(), load.answered.get(), load.failures.size(), back);
        assertThat(load.failures)
            .allSatisfy(failure -> {
              boolean broken =
                  failure.cause() instanceof DeliveryUnknownException
                      || failure.cause() instanceof ConnectionLostException
                      || ErrorCode.TRUNCATED.isOf(failure.cause());
              assertThat(broken).as("%s", failure).isTrue();
              assertThat(kills).anyMatch(kill -> kill.meets(failure));
            });
        // A thread has one call in flight.
        assertThat(load.failures).hasSizeLessThanOrEqualTo(kills.size() * (SENDERS + ASKERS));
        assertThat(tagsDelivered()).containsAll(load.acknowledged);
      }
    }
    assertThat(back).hasSize(2 * SERVERS).allMatch(millis -> millis <= BACK_MILLIS);
  }
}
