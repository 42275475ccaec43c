package io.arraywire.micrometer;

import io.arraywire.ArrayHeader;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.ConnectionLoad;
import io.arraywire.Receipt;
import io.arraywire.TransportCounters;
import io.arraywire.TransportObserver;
import io.arraywire.codec.CompressionReason;
import io.arraywire.spi.BackPressure;
import io.arraywire.spi.Rejection;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Publishes what happens on the connections of transports as Micrometer meters. Give it to {@code
 * TransportOptions.builder().observer(...)}, of as many transports as are to be counted together,
 * and {@linkplain #bindTo bind} it to a registry. Arrays that move before it is bound are counted,
 * but have no times and sizes.
 *
 * <table>
 *   <caption>The meters; each also has the tags that the binder was made with</caption>
 *   <tr><th>Name</th><th>Kind</th><th>Tags</th></tr>
 *   <tr><td>{@code arraywire.connections}</td><td>gauge: open now</td><td></td></tr>
 *   <tr><td>{@code arraywire.connections.opened}</td><td>counter</td><td></td></tr>
 *   <tr><td>{@code arraywire.arrays}</td><td>counter</td><td>{@code direction}</td></tr>
 *   <tr><td>{@code arraywire.bytes}</td><td>counter: elements as in memory</td>
 *       <td>{@code direction}</td></tr>
 *   <tr><td>{@code arraywire.wire.bytes}</td><td>counter: as they passed</td>
 *       <td>{@code direction}</td></tr>
 *   <tr><td>{@code arraywire.compression}</td>
 *       <td>counter: arrays sent, by why they were compressed or not</td>
 *       <td>{@code reason}: a {@link CompressionReason}</td></tr>
 *   <tr><td>{@code arraywire.array.size}</td><td>summary: elements as in memory</td>
 *       <td>{@code direction}</td></tr>
 *   <tr><td>{@code arraywire.acknowledgement}</td><td>timer: accepted to acknowledged</td>
 *       <td></td></tr>
 *   <tr><td>{@code arraywire.rejections}</td><td>counter</td><td>{@code by}</td></tr>
 *   <tr><td>{@code arraywire.backpressure}</td><td>timer</td><td>{@code cause}</td></tr>
 *   <tr><td>{@code arraywire.backpressure.channels}</td><td>gauge: held up now</td><td></td></tr>
 *   <tr><td>{@code arraywire.sessions.broken}, {@code arraywire.sessions.resumed}</td>
 *       <td>counter</td><td></td></tr>
 *   <tr><td>{@code arraywire.permissions.denied}</td><td>counter</td><td></td></tr>
 *   <tr><td>{@code arraywire.errors}</td><td>counter</td><td>{@code code}</td></tr>
 *   <tr><td>{@code arraywire.queued.arrays}, {@code arraywire.queued.bytes}</td>
 *       <td>gauge: to be sent</td><td></td></tr>
 *   <tr><td>{@code arraywire.unacknowledged.arrays}</td><td>gauge</td><td></td></tr>
 *   <tr><td>{@code arraywire.waiting.arrays}, {@code arraywire.waiting.bytes}</td>
 *       <td>gauge: come and not taken</td><td></td></tr>
 *   <tr><td>{@code arraywire.requests.open}</td><td>gauge</td><td></td></tr>
 * </table>
 *
 * <p>No meter has a tag for each peer, whose number has no limit. Any thread.
 */
public final class ArraywireMetrics implements TransportObserver, MeterBinder {
  private static final String BYTES = "bytes";

  private final TransportCounters counters = TransportCounters.create();
  private final Tags tags;
  private volatile @Nullable Meters meters;

  /** The meters that are told of each event. */
  private record Meters(
      MeterRegistry registry,
      DistributionSummary sent,
      DistributionSummary received,
      Timer acknowledgement) {}

  private ArraywireMetrics(Iterable<Tag> tags) {
    this.tags = Tags.of(tags);
  }

  /**
   * Makes a binder.
   *
   * @return a new binder without tags of its own
   */
  public static ArraywireMetrics create() {
    return create(Tags.empty());
  }

  /**
   * Makes a binder.
   *
   * @param tags what every meter is to be tagged with, for example the transport's name
   * @return a new binder
   */
  public static ArraywireMetrics create(Iterable<Tag> tags) {
    return new ArraywireMetrics(Objects.requireNonNull(tags, "tags"));
  }

  /**
   * The counters behind the meters.
   *
   * @return the counters, always the same object
   */
  public TransportCounters counters() {
    return counters;
  }

  /**
   * Registers the meters. A binder has one registry: use a composite for several.
   *
   * @param registry where to
   * @throws IllegalStateException if it is bound already
   */
  @Override
  public synchronized void bindTo(MeterRegistry registry) {
    if (meters != null) {
      throw new IllegalStateException(
          "bound to a registry already; to publish to several, bind one composite registry of them");
    }
    Gauge.builder("arraywire.connections", counters, each -> each.connections().size())
        .description("Connections that are open")
        .tags(tags)
        .register(registry);
    counter(registry, "connections.opened", "", "", TransportCounters.Snapshot::connectionsOpened);
    counter(registry, "arrays", "direction", "sent", TransportCounters.Snapshot::arraysSent);
    counter(
        registry, "arrays", "direction", "received", TransportCounters.Snapshot::arraysReceived);
    counter(registry, BYTES, "direction", "sent", TransportCounters.Snapshot::bytesSent);
    counter(registry, BYTES, "direction", "received", TransportCounters.Snapshot::bytesReceived);
    wireBytes(registry, "sent", TransportCounters::wireBytesSent);
    wireBytes(registry, "received", TransportCounters::wireBytesReceived);
    for (CompressionReason reason : CompressionReason.values()) {
      FunctionCounter.builder(
              "arraywire.compression", counters, each -> (double) each.arraysSent(reason))
          .description("Arrays sent, by why they were compressed or not")
          .tags(tags.and("reason", reason.name().toLowerCase(Locale.ROOT)))
          .register(registry);
    }
    counter(registry, "rejections", "by", "here", TransportCounters.Snapshot::rejectedHere);
    counter(registry, "rejections", "by", "peer", TransportCounters.Snapshot::rejectedByPeers);
    counter(registry, "sessions.broken", "", "", TransportCounters.Snapshot::sessionsBroken);
    counter(registry, "sessions.resumed", "", "", TransportCounters.Snapshot::sessionsResumed);
    FunctionCounter.builder(
            "arraywire.permissions.denied", counters, each -> (double) each.permissionsDenied())
        .tags(tags)
        .register(registry);
    Gauge.builder(
            "arraywire.backpressure.channels",
            counters,
            each -> (double) each.counts().backPressuredNow())
        .description("Channels on which arrays to be sent are held up, once for each cause")
        .tags(tags)
        .register(registry);
    gauge(registry, "queued.arrays", null, ConnectionLoad::queuedArrays);
    gauge(registry, "queued.bytes", BYTES, ConnectionLoad::queuedBytes);
    gauge(registry, "unacknowledged.arrays", null, ConnectionLoad::unacknowledgedArrays);
    gauge(registry, "waiting.arrays", null, ConnectionLoad::waitingArrays);
    gauge(registry, "waiting.bytes", BYTES, ConnectionLoad::waitingBytes);
    gauge(registry, "requests.open", null, ConnectionLoad::openRequests);
    meters =
        new Meters(
            registry,
            size(registry, "sent"),
            size(registry, "received"),
            Timer.builder("arraywire.acknowledgement")
                .description("From an array's acceptance to its acknowledgement")
                .tags(tags)
                .register(registry));
  }

  private void counter(
      MeterRegistry registry,
      String name,
      String tag,
      String value,
      ToLongFunction<TransportCounters.Snapshot> count) {
    FunctionCounter.builder(
            "arraywire." + name, counters, each -> (double) count.applyAsLong(each.counts()))
        .baseUnit(name.equals(BYTES) ? BYTES : null)
        .tags(tag.isEmpty() ? tags : tags.and(tag, value))
        .register(registry);
  }

  private void wireBytes(
      MeterRegistry registry, String direction, ToLongFunction<TransportCounters> count) {
    FunctionCounter.builder(
            "arraywire.wire.bytes", counters, each -> (double) count.applyAsLong(each))
        .description("Bytes of arrays on the connections, compressed or not, headers included")
        .baseUnit(BYTES)
        .tags(tags.and("direction", direction))
        .register(registry);
  }

  private void gauge(
      MeterRegistry registry,
      String name,
      @Nullable String unit,
      ToLongFunction<ConnectionLoad> part) {
    Gauge.builder("arraywire." + name, counters, each -> (double) part.applyAsLong(each.load()))
        .baseUnit(unit)
        .tags(tags)
        .register(registry);
  }

  private DistributionSummary size(MeterRegistry registry, String direction) {
    return DistributionSummary.builder("arraywire.array.size")
        .description("Bytes of an array's elements, as they are in memory")
        .baseUnit(BYTES)
        .tags(tags.and("direction", direction))
        .register(registry);
  }

  private static double bytes(ArrayHeader header) {
    return (double) header.count() * header.type().bytes();
  }

  @Override
  public void connectionOpened(Connection connection) {
    counters.connectionOpened(connection);
  }

  @Override
  public void connectionClosed(Connection connection, @Nullable ArraywireException cause) {
    counters.connectionClosed(connection, cause);
  }

  @Override
  public void arraySent(Connection connection, ArrayHeader header, Receipt receipt) {
    counters.arraySent(connection, header, receipt);
    Meters bound = meters;
    if (bound != null) {
      bound.sent().record(bytes(header));
    }
  }

  @Override
  public void arrayReceived(Connection connection, ArrayHeader header, Receipt receipt) {
    counters.arrayReceived(connection, header, receipt);
    Meters bound = meters;
    if (bound != null) {
      bound.received().record(bytes(header));
    }
  }

  @Override
  public void arrayAcknowledged(Connection connection, ArrayHeader header, long nanos) {
    counters.arrayAcknowledged(connection, header, nanos);
    Meters bound = meters;
    if (bound != null) {
      bound.acknowledgement().record(nanos, TimeUnit.NANOSECONDS);
    }
  }

  @Override
  public void arrayRejected(Connection connection, Rejection rejection) {
    counters.arrayRejected(connection, rejection);
  }

  @Override
  public void backPressureBegan(Connection connection, BackPressure pressure) {
    counters.backPressureBegan(connection, pressure);
  }

  @Override
  public void backPressureEnded(Connection connection, BackPressure pressure, long nanos) {
    counters.backPressureEnded(connection, pressure, nanos);
    Meters bound = meters;
    if (bound != null) {
      Timer.builder("arraywire.backpressure")
          .description("How long arrays to be sent on a channel were held up")
          .tags(tags.and("cause", pressure.cause().name().toLowerCase(Locale.ROOT)))
          .register(bound.registry())
          .record(nanos, TimeUnit.NANOSECONDS);
    }
  }

  @Override
  public void sessionBroken(Connection connection, ArraywireException cause) {
    counters.sessionBroken(connection, cause);
  }

  @Override
  public void sessionResumed(Connection connection) {
    counters.sessionResumed(connection);
  }

  @Override
  public void permissionDenied(Connection connection, ArraywireException denial) {
    counters.permissionDenied(connection, denial);
  }

  @Override
  public void error(Connection connection, ArraywireException error) {
    counters.error(connection, error);
    Meters bound = meters;
    if (bound != null) {
      Counter.builder("arraywire.errors")
          .description("Connections that failed")
          .tags(tags.and("code", error.code().name().toLowerCase(Locale.ROOT)))
          .register(bound.registry())
          .increment();
    }
  }
}
