package io.arraywire.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ArrayAttributes;
import io.arraywire.ArrayHeader;
import io.arraywire.ArraySlice;
import io.arraywire.Connection;
import io.arraywire.ElementType;
import io.arraywire.Handlers;
import io.arraywire.Listener;
import io.arraywire.Receipt;
import io.arraywire.RemoteRejectedException;
import io.arraywire.SendOptions;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.examples.npy.NpyReader;
import io.arraywire.spi.Transports;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code receive} does with arrays, in this process, with the library as sender. */
@Timeout(60)
@Tag("newest")
class ReceivingHandlerTest {
  private static final int CHANNELS = 8;
  private static final int SHARE = 8;
  private static final long MEMORY = 128 << 20;

  @TempDir Path dir;

  private final ByteArrayOutputStream lines = new ByteArrayOutputStream();
  private final List<Throwable> complaints = Collections.synchronizedList(new ArrayList<>());

  private static Transport transport(String name) {
    return Transports.create(name, TransportOptions.builder().arrivalBytes(MEMORY).build());
  }

  private static InetSocketAddress anywhere() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  private static Handlers handlers(ReceivingHandler handler) {
    return Handlers.ofArrays(handler).withTargets(handler);
  }

  private ReceivingHandler handler(long limit) throws IOException {
    return handler(ArrayStore.at(dir.resolve("got")), limit);
  }

  private ReceivingHandler handler(ArrayStore store, long limit) {
    Console console =
        new Console(
            new PrintStream(lines, true, StandardCharsets.UTF_8),
            new PrintStream(lines, true, StandardCharsets.UTF_8),
            false);
    return new ReceivingHandler(
        MEMORY,
        Long.MAX_VALUE,
        store,
        new ReceiveReport(console, false, () -> {}),
        limit,
        (connection, cause) -> complaints.add(cause));
  }

  /** Elements that tell peer, channel and place. */
  private static int[] numbered(int peer, int channel, int count) {
    int[] elements = new int[count];
    for (int i = 0; i < count; i++) {
      elements[i] = peer << 28 | channel << 20 | i & 0xfffff;
    }
    return elements;
  }

  /** Every array whole, in a file of its own, however many channels and peers there are. */
  @ParameterizedTest
  @ValueSource(strings = {"nio", "stream"})
  void channelsAndPeersStayApart(String name) throws Exception {
    int peers = 2;
    int count = 1 << 20;
    try (Transport here = transport(name);
        Transport there = transport(name);
        Listener listener = there.listen(anywhere(), handlers(handler(Long.MAX_VALUE)))) {
      List<CompletionStage<Receipt>> sent = new ArrayList<>();
      for (int peer = 0; peer < peers; peer++) {
        Connection connection = here.connect(listener.address());
        for (int channel = 1; channel <= CHANNELS; channel++) {
          // Lengths differ, so memory that is lent twice shows as well.
          int[] elements = numbered(peer, channel, count - channel - CHANNELS * peer);
          sent.add(
              connection
                  .channel(channel)
                  .sendAsync(ArraySlice.of(elements), SendOptions.processed()));
        }
      }
      for (CompletionStage<Receipt> each : sent) {
        each.toCompletableFuture().get(60, TimeUnit.SECONDS);
      }
    }

    Set<Integer> seen = new HashSet<>();
    try (Stream<Path> files = Files.list(dir.resolve("got"))) {
      for (Path file : files.toList()) {
        int[] got = (int[]) NpyReader.read(file).elements().array();
        int peer = got[0] >>> 28;
        int channel = got[0] >>> 20 & 0xff;
        int[] expected = numbered(peer, channel, count - channel - CHANNELS * peer);
        assertThat(Arrays.mismatch(got, expected)).as("%s is whole", file).isEqualTo(-1);
        assertThat(seen.add(peer * CHANNELS + channel)).as("came once: %s", file).isTrue();
      }
    }
    assertThat(seen).hasSize(peers * CHANNELS);
    assertThat(complaints).isEmpty();
  }

  /**
   * What is declared and has not come takes no memory from others, only their places among those
   * that go straight into files.
   */
  @ParameterizedTest
  @ValueSource(strings = {"nio", "stream"})
  void memoryGrowsWithWhatHasCome(String name) throws Exception {
    List<Socket> strangers = new ArrayList<>();
    try (Transport here = transport(name);
        Transport there = transport(name);
        Listener listener = there.listen(anywhere(), handlers(handler(Long.MAX_VALUE)))) {
      for (int i = 0; i < StraightToFile.MOST; i++) {
        strangers.add(Strangers.declare(listener.address(), 80 << 20));
      }
      Awaitility.await().until(() -> parts() == StraightToFile.MOST);
      Connection connection = here.connect(listener.address());
      ArraySlice large = ArraySlice.of(numbered(0, 1, 20 << 20));
      ArraySlice larger = ArraySlice.of(new int[24 << 20]);
      connection.send(large, SendOptions.processed());
      assertThatThrownBy(() -> connection.send(larger, SendOptions.processed()))
          .isInstanceOf(RemoteRejectedException.class)
          .hasMessageContaining("arrayBytes=100663296, limitBytes=");
      connection.send(large, SendOptions.processed());
      for (Socket each : strangers) {
        each.close();
      }
      Awaitility.await().until(() -> complaints.size() == strangers.size() && parts() == 0);
      // Its file has room.
      connection.send(larger, SendOptions.processed());
      connection.close();
    }
    assertThat(dir.resolve("got/array-000003.npy")).hasSize((96 << 20) + 128);
  }

  /** A connection may have many channels, and a place for each of a few of them. */
  @Test
  void aConnectionHasAShareOfThePlaces() throws Exception {
    ReceivingHandler handler = handler(Long.MAX_VALUE);
    for (int i = 0; i < StraightToFile.MOST / SHARE; i++) {
      Connection connection = nobody();
      for (int channel = 0; channel < SHARE; channel++) {
        assertThat(handler.target(connection, floats(channel, 24 << 20))).isNotNull();
      }
      if (i == 0) {
        // It would fit the heap.
        assertThat(handler.target(connection, floats(SHARE, 1 << 20))).isNull();
        assertThatThrownBy(() -> handler.target(connection, floats(SHARE + 1, 24 << 20)))
            .hasMessageContaining("this connection fills all its places")
            .hasMessageContaining("arrayBytes=100663296, limitBytes=");
      }
    }
    assertThatThrownBy(() -> handler.target(nobody(), floats(0, 24 << 20)))
        .hasMessageContaining("all places for large arrays are taken");
    assertThatThrownBy(
            () -> handler(ArrayStore.discarding(), 1).target(nobody(), floats(0, 24 << 20)))
        .hasMessageContaining("-Xmx")
        .hasMessageNotContaining("place");
  }

  private static ArrayHeader floats(int channel, int count) {
    return new ArrayHeader(ElementType.FLOAT, count, 1, ArrayAttributes.NONE, channel, 0);
  }

  private static Connection nobody() {
    return (Connection)
        Proxy.newProxyInstance(
            Connection.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "equals" -> proxy == arguments[0];
                  case "hashCode" -> System.identityHashCode(proxy);
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  /** What unfinished files hold. */
  private long partBytes() throws IOException {
    try (Stream<Path> files = Files.list(dir.resolve("got"))) {
      return files.mapToLong(file -> file.toFile().length()).sum();
    }
  }

  private long parts() throws IOException {
    try (Stream<Path> files = Files.list(dir.resolve("got"))) {
      return files.filter(file -> file.toString().endsWith(".part")).count();
    }
  }

  /** A peer that sends nothing ends nothing, also where a number of arrays is waited for. */
  @ParameterizedTest
  @ValueSource(strings = {"nio", "stream"})
  void aStrangerThatLeavesEndsNothing(String name) throws Exception {
    ReceivingHandler handler = handler(1);
    try (Transport here = transport(name);
        Transport there = transport(name);
        Listener listener = there.listen(anywhere(), handlers(handler))) {
      for (int i = 0; i < 3; i++) {
        Strangers.shakeHandsAndReset(listener.address());
      }
      Awaitility.await().until(() -> complaints.size() == 3);
      here.connect(listener.address())
          .send(ArraySlice.of(numbered(0, 0, 9)), SendOptions.processed());
      handler.await();
    }
    assertThat(dir.resolve("got/array-000001.npy")).exists();
  }

  /** One that the disk has no room for is refused, reported, and forgotten. */
  @ParameterizedTest
  @ValueSource(strings = {"nio", "stream"})
  void aFullDiskEndsTheTransferOnly(String name) throws Exception {
    Path small = SmallDisk.mount(dir.resolve("small"), 1 << 20);
    try {
      ReceivingHandler handler = handler(ArrayStore.at(small), 1);
      try (Transport here = transport(name);
          Transport there = transport(name);
          Listener listener = there.listen(anywhere(), handlers(handler));
          Connection connection = here.connect(listener.address())) {
        assertThatThrownBy(
                () -> connection.send(ArraySlice.of(new int[1 << 20]), SendOptions.processed()))
            .isInstanceOf(RemoteRejectedException.class)
            .hasMessageContaining(
                "the far side refused the array: the receiver's disk is full; nothing of the"
                    + " array was"
                    + " kept (bytes=4194304, usableBytes=10")
            .hasMessageNotContaining("handler")
            .hasMessageNotContaining("logNumber")
            .hasMessageNotContaining(small.toString());
        assertThat(small).isEmptyDirectory();
        connection.send(ArraySlice.of(new int[9]), SendOptions.processed());
        handler.await();
      }
      assertThat(small.resolve("array-000001.npy")).exists();
      assertThat(complaints).hasSize(1);
      assertThat(complaints.get(0).getMessage())
          .startsWith(
              "the disk is full; nothing of the array was kept; make room, or give another place"
                  + " (file="
                  + small.resolve("array-000001.npy")
                  + ", disk="
                  + small
                  + " (tmpfs), bytes=4194304, usableBytes=10");
    } finally {
      SmallDisk.unmount(small);
    }
  }

  /** There was room when the array began. Of 512 pages half has yet to come, or more. */
  @ParameterizedTest
  @CsvSource({"nio, 0", "nio, 1", "nio, 255", "stream, 0", "stream, 1", "stream, 255"})
  void aDiskThatBecomesFullEndsTheTransferOnly(String name, int pagesLeft) throws Exception {
    Path small = SmallDisk.mount(dir.resolve("got"), 4 << 20);
    try {
      ReceivingHandler handler = handler(ArrayStore.at(small), 2);
      HalfSource source = new HalfSource(1 << 19);
      try (Transport here = transport(name);
          Transport there = transport(name);
          Listener listener = there.listen(anywhere(), handlers(handler));
          Connection connection = here.connect(listener.address())) {
        CompletableFuture<Receipt> sent =
            connection.sendAsync(source, SendOptions.processed()).toCompletableFuture();
        // The room is looked at before anything is written.
        Awaitility.await().until(() -> partBytes() > 0);
        Path other = SmallDisk.fill(small, pagesLeft);
        source.rest().countDown();
        assertThatThrownBy(() -> sent.get(30, TimeUnit.SECONDS))
            .hasCauseInstanceOf(RemoteRejectedException.class)
            .hasMessageContaining(
                "the receiver's disk is full; nothing of the array was kept (bytes=2097152, usableB")
            .hasMessageNotContaining(small.toString());
        assertThat(small).isDirectoryNotContaining(file -> !file.equals(other));
        Files.delete(other);
        connection.send(source, SendOptions.processed());
        connection.send(ArraySlice.of(new int[9]), SendOptions.processed());
        handler.await();
      }
      assertThat(small.resolve("array-000001.npy")).hasSize((2 << 20) + 128);
      assertThat(small.resolve("array-000002.npy")).exists();
      assertThat(complaints).hasSize(1);
      assertThat(complaints.get(0).getMessage())
          .contains("(file=" + small.resolve("array-000001.npy") + ", disk=" + small + " (tmpfs)")
          .endsWith(", cause=No space left on device)");
    } finally {
      SmallDisk.unmount(small);
    }
  }
}
