package io.arraywire.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ArrayHandler;
import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.ErrorCode;
import io.arraywire.Listener;
import io.arraywire.SendOptions;
import io.arraywire.TransportObserver;
import io.arraywire.TransportOptions;
import io.arraywire.codec.CompressionReason;
import io.arraywire.memory.InMemoryTransport;
import io.arraywire.memory.MemoryAddress;
import io.arraywire.spi.BackPressure;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class ArraywireMetricsTest {
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final ArraywireMetrics metrics = ArraywireMetrics.create(Tags.of("transport", "memory"));

  @Test
  void whatMovesIsCountedAndTimed() throws Exception {
    metrics.bindTo(registry);
    TransportOptions options = TransportOptions.builder().observer(metrics).build();
    try (InMemoryTransport transport = InMemoryTransport.create(options);
        Listener listener =
            transport.listen(MemoryAddress.free(), (ArrayHandler) (from, array) -> {})) {
      Connection connection = transport.connect(listener.address());
      for (int i = 0; i < 3; i++) {
        var unused = connection.send(ArraySlice.of(new int[10]), SendOptions.processed());
      }
      // Both ends have the same observer.
      Awaitility.await()
          .atMost(Duration.ofMinutes(1))
          .until(() -> metrics.counters().connections().size() == 2);
      assertThat(registry.get("arraywire.connections").gauge().value()).isEqualTo(2);
      connection.close();
      Awaitility.await()
          .atMost(Duration.ofMinutes(1))
          .until(() -> metrics.counters().connections().isEmpty());
    }
    assertThat(registry.get("arraywire.connections").gauge().value()).isZero();
    assertThat(registry.get("arraywire.connections.opened").functionCounter().count()).isEqualTo(2);
    for (String direction : new String[] {"sent", "received"}) {
      assertThat(
              registry
                  .get("arraywire.arrays")
                  .tag("direction", direction)
                  .functionCounter()
                  .count())
          .isEqualTo(3);
      assertThat(
              registry.get("arraywire.bytes").tag("direction", direction).functionCounter().count())
          .isEqualTo(120);
      // A header of 64 bytes for each.
      assertThat(
              registry
                  .get("arraywire.wire.bytes")
                  .tag("direction", direction)
                  .functionCounter()
                  .count())
          .isEqualTo(120 + 3 * 64);
      assertThat(registry.get("arraywire.array.size").tag("direction", direction).summary().max())
          .isEqualTo(40);
    }
    assertThat(registry.get("arraywire.acknowledgement").timer().count()).isEqualTo(3);
    assertThat(registry.get("arraywire.queued.bytes").gauge().value()).isZero();
    assertThat(registry.find("arraywire.errors").counter()).isNull();
    assertThat(registry.getMeters())
        .extracting(Meter::getId)
        .allMatch(id -> "memory".equals(id.getTag("transport")));
  }

  @Test
  void errorsAndBackPressureHaveTheirCause() throws Exception {
    metrics.bindTo(registry);
    try (InMemoryTransport transport = InMemoryTransport.create(TransportOptions.defaults());
        Listener listener = transport.listen(MemoryAddress.free())) {
      Connection connection = transport.connect(listener.address());
      BackPressure pressure = new BackPressure(3, BackPressure.Cause.CREDIT);
      metrics.backPressureBegan(connection, pressure);
      assertThat(registry.get("arraywire.backpressure.channels").gauge().value()).isEqualTo(1);
      metrics.backPressureEnded(connection, pressure, 5_000_000);
      assertThat(registry.get("arraywire.backpressure.channels").gauge().value()).isZero();
      assertThat(
              registry
                  .get("arraywire.backpressure")
                  .tag("cause", "credit")
                  .timer()
                  .totalTime(TimeUnit.MILLISECONDS))
          .isEqualTo(5);
      metrics.error(connection, new ArraywireException(ErrorCode.SLOW_PEER, "for the test"));
      assertThat(registry.get("arraywire.errors").tag("code", "slow_peer").counter().count())
          .isEqualTo(1);
      metrics.permissionDenied(
          connection, new ArraywireException(ErrorCode.NOT_PERMITTED, "for the test"));
      assertThat(registry.get("arraywire.permissions.denied").functionCounter().count())
          .isEqualTo(1);
    }
  }

  /** An event that is not passed on to the counters leaves its meter at 0, and nobody notices. */
  @Test
  void everyEventIsTakenNoteOf() {
    assertThat(ArraywireMetrics.class.getDeclaredMethods())
        .extracting(Method::getName)
        .containsAll(
            Stream.of(TransportObserver.class.getMethods())
                .filter(method -> !Modifier.isStatic(method.getModifiers()))
                .map(Method::getName)
                .toList());
  }

  /** One series for each reason there is, and no more. */
  @Test
  void whyArraysAreCompressedIsCounted() throws Exception {
    metrics.bindTo(registry);
    TransportOptions options = TransportOptions.builder().observer(metrics).build();
    try (InMemoryTransport transport = InMemoryTransport.create(options);
        Listener listener =
            transport.listen(MemoryAddress.free(), (ArrayHandler) (from, array) -> {})) {
      Connection connection = transport.connect(listener.address());
      String codec = connection.agreement().sendCodec();
      connection.send(new int[10], SendOptions.processed().codec(codec));
      connection.send(new int[10], SendOptions.processed());
      connection.close();
    }
    assertThat(registry.get("arraywire.compression").functionCounters())
        .hasSize(CompressionReason.values().length);
    assertThat(
            registry.get("arraywire.compression").tag("reason", "named").functionCounter().count())
        .isEqualTo(1);
    assertThat(
            registry.get("arraywire.compression").functionCounters().stream()
                .mapToDouble(FunctionCounter::count)
                .sum())
        .isEqualTo(1);
  }

  /** Users look for a meter in the table, not in the code. */
  @Test
  void theTableNamesEveryMeterAndNoOther() throws Exception {
    metrics.bindTo(registry);
    try (InMemoryTransport transport = InMemoryTransport.create(TransportOptions.defaults());
        Listener listener = transport.listen(MemoryAddress.free())) {
      Connection connection = transport.connect(listener.address());
      // Meters with a tag for a cause exist once there is one.
      metrics.backPressureEnded(
          connection, new BackPressure(3, BackPressure.Cause.CREDIT), 5_000_000);
      metrics.error(connection, new ArraywireException(ErrorCode.SLOW_PEER, "for the test"));
    }
    String source =
        Files.readString(Path.of("src/main/java/io/arraywire/micrometer/ArraywireMetrics.java"));
    String table = source.substring(source.indexOf("<table>"), source.indexOf("</table>"));
    assertThat(Pattern.compile("\\{@code (arraywire[a-z.]+)}").matcher(table).results())
        .extracting(each -> each.group(1))
        .containsExactlyInAnyOrderElementsOf(
            registry.getMeters().stream()
                .map(meter -> meter.getId().getName())
                .collect(Collectors.toSet()));
  }

  @Test
  void itHasOneRegistry() {
    metrics.bindTo(registry);
    assertThatThrownBy(() -> metrics.bindTo(registry))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("composite");
  }
}
