package io.arraywire.chaos.delivery;

import io.arraywire.ArrayOutput;
import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.Delivery;
import io.arraywire.ElementType;
import io.arraywire.SendOptions;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.spi.Transports;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Sends arrays of all element types and many sizes on several channels, waiting and not waiting,
 * and logs each send and its outcome. When the connection fails it connects again, with back-off,
 * and goes on with new arrays in a new session; it never sends an array again.
 *
 * <p>Where both sides have a session timeout, arrays are sent with {@link Delivery#SESSION}, and a
 * connection that breaks goes on by itself; else with {@link Delivery#PROCESSED}.
 *
 * <p>Only an exception that is documented to come before any byte was sent counts as failed; all
 * others leave the outcome unknown.
 *
 * <p>A program too: see {@link #main}. One thread may run it; outcomes are logged by Arraywire's
 * threads.
 */
public final class DeliverySender {
  private static final List<ElementType> TYPES = List.of(ElementType.values());
  private static final int GAVE_UP = 3;
  private static final int ONE_WAITS_IN = 8;
  private static final long FIRST_BACK_OFF_NANOS = 5_000_000;
  private static final long LAST_BACK_OFF_NANOS = 500_000_000;
  private static final long POLL_MILLIS = 50;

  private final Transport transport;
  private final SocketAddress address;
  private final DeliveryLog log;
  private final DeliveryLoad load;
  private final Random random;
  private final Semaphore free;

  private long start;
  private long sent;
  private int sessions;
  private @Nullable String lastFailure;

  private DeliverySender(
      Transport transport, SocketAddress address, DeliveryLog log, DeliveryLoad load) {
    this.transport = transport;
    this.address = address;
    this.log = log;
    this.load = load;
    random = new Random(load.seed());
    free = new Semaphore(load.inFlight());
  }

  /**
   * A sender.
   *
   * @param transport connects; stays the caller's
   * @param address where to
   * @param log what it does
   * @param load what it sends
   * @return the sender, to be run once
   */
  public static DeliverySender create(
      Transport transport, SocketAddress address, DeliveryLog log, DeliveryLoad load) {
    return new DeliverySender(transport, address, log, load);
  }

  /**
   * Sends as a program of its own. Arguments are {@code name=value}: {@code transport} (a name that
   * {@link Transports} knows), {@code address} ({@code host:port} or {@code unix:path}), {@code
   * log} (a file that does not exist) and {@code sender}. To change the defaults of {@link
   * DeliveryLoad#of}: {@code seed}, {@code arrays}, {@code millis}, {@code channels}, {@code
   * maxBytes}, {@code inFlight}, {@code patienceMillis}. Of {@link TransportOptions}: {@code
   * heartbeatMillis}, {@code heartbeatTimeoutMillis}, {@code sessionMillis}, {@code
   * sendTimeoutMillis}, {@code stallTimeoutMillis}, {@code closeTimeoutMillis}, {@code checksums},
   * {@code tls} (a folder with {@code own.pem}, {@code own.key} and {@code ca.pem}). Prints a line
   * when it has ended, and exits with 3 if it could not connect.
   *
   * @param args the arguments
   * @throws Exception if it fails
   */
  public static void main(String... args) throws Exception {
    Arguments arguments = new Arguments(args);
    String name = arguments.text("transport");
    SocketAddress address = arguments.address("address");
    Path file = Path.of(arguments.text("log"));
    DeliveryLoad usual =
        DeliveryLoad.of(
            Math.toIntExact(Long.parseLong(arguments.text("sender"))), arguments.number("seed", 1));
    DeliveryLoad load =
        new DeliveryLoad(
            usual.sender(),
            usual.seed(),
            arguments.number("arrays", usual.arrays()),
            arguments.millis("millis", usual.time()),
            Math.toIntExact(arguments.number("channels", usual.channels())),
            Math.toIntExact(arguments.number("maxBytes", usual.maxBytes())),
            Math.toIntExact(arguments.number("inFlight", usual.inFlight())),
            arguments.millis("patienceMillis", usual.patience()));
    TransportOptions options = arguments.options();
    arguments.end();
    boolean connected;
    try (FileDeliveryLog log = FileDeliveryLog.create(file);
        Transport transport = Transports.create(name, options)) {
      DeliverySender sender = create(transport, address, log, load);
      connected = sender.run();
      System.out.println(sender);
    }
    System.exit(connected ? 0 : GAVE_UP);
  }

  /**
   * Sends everything, and returns when each send has its outcome.
   *
   * @return false if it gave up, because it could not connect for too long
   * @throws InterruptedException if it is interrupted; sends that wait are logged as unknown
   * @throws IllegalStateException if sends have no outcome although their connection is closed
   */
  public boolean run() throws InterruptedException {
    start = System.nanoTime();
    while (!isDone()) {
      Connection connection = connect();
      if (connection == null) {
        return false;
      }
      sessions++;
      try {
        sendAll(connection);
        awaitOutcomes(connection);
        if (connection.isOpen()) {
          connection.close();
        }
      } catch (ArraywireException e) {
        lastFailure = e.toString();
      } finally {
        connection.closeNow();
      }
    }
    return true;
  }

  private boolean isDone() {
    return sent >= load.arrays() || System.nanoTime() - start >= load.time().toNanos();
  }

  private @Nullable Connection connect() throws InterruptedException {
    long began = System.nanoTime();
    long backOff = FIRST_BACK_OFF_NANOS;
    while (true) {
      try {
        return transport.connect(address);
      } catch (ArraywireException e) {
        lastFailure = e.toString();
      }
      if (System.nanoTime() - began > load.patience().toNanos()) {
        return null;
      }
      pause(backOff);
      backOff = Math.min(2 * backOff, LAST_BACK_OFF_NANOS);
    }
  }

  private static void pause(long nanos) throws InterruptedException {
    LockSupport.parkNanos(nanos);
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
  }

  private void sendAll(Connection connection) throws InterruptedException {
    int channels = Math.min(load.channels(), connection.agreement().channels());
    Delivery delivery =
        connection.agreement().sessionTimeout() == null ? Delivery.PROCESSED : Delivery.SESSION;
    while (!isDone() && connection.isOpen()) {
      if (free.tryAcquire(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
        DeliveryStream stream =
            new DeliveryStream(load.sender(), sessions, random.nextInt(channels));
        send(connection.channel(stream.channel()), stream, delivery);
      }
    }
  }

  private void send(ArrayOutput output, DeliveryStream stream, Delivery delivery)
      throws InterruptedException {
    long sequence = ++sent;
    ElementType type = TYPES.get(random.nextInt(TYPES.size()));
    DeliveryStamp stamp = new DeliveryStamp(stream, sequence, load.seed());
    ArraySlice array = stamp.array(type, bytes() / type.bytes());
    SendOptions options = stamp.options(delivery);
    log.invoke(stream, sequence, ArrayHash.of(array));
    if (random.nextInt(ONE_WAITS_IN) == 0) {
      sendAndWait(output, array, options, stamp);
      return;
    }
    try {
      var unused =
          output
              .sendAsync(array, options)
              .whenComplete((receipt, failure) -> ended(stamp, failure));
    } catch (RuntimeException e) {
      ended(stamp, e);
    }
  }

  private void sendAndWait(
      ArrayOutput output, ArraySlice array, SendOptions options, DeliveryStamp stamp)
      throws InterruptedException {
    Throwable failure = null;
    try {
      output.send(array, options);
    } catch (ArraywireException | RuntimeException e) {
      failure = e;
    } catch (InterruptedException e) {
      // Documented: it may arrive all the same.
      ended(stamp, e);
      throw e;
    }
    ended(stamp, failure);
  }

  /** From nothing to the most, each power of two as likely as the others. */
  private int bytes() {
    int magnitude = random.nextInt(33 - Integer.numberOfLeadingZeros(load.maxBytes()));
    return (int) Math.min(random.nextLong() >>> 1 & (1L << magnitude) - 1, load.maxBytes());
  }

  private void ended(DeliveryStamp stamp, @Nullable Throwable failure) {
    log.record(Outcomes.of(failure), stamp.stream(), stamp.sequence(), 0);
    free.release();
  }

  private void awaitOutcomes(Connection connection) throws InterruptedException {
    if (!outcomesWithin(load.patience())) {
      connection.closeNow();
      if (!outcomesWithin(load.patience())) {
        throw new IllegalStateException(
            "sends have no outcome although their connection is closed (sends="
                + (load.inFlight() - free.availablePermits())
                + ", connection="
                + connection.describe()
                + ")");
      }
    }
  }

  private boolean outcomesWithin(Duration time) throws InterruptedException {
    boolean all = free.tryAcquire(load.inFlight(), time.toNanos(), TimeUnit.NANOSECONDS);
    if (all) {
      free.release(load.inFlight());
    }
    return all;
  }

  @Override
  public String toString() {
    return "delivery sender (load="
        + load
        + ", sent="
        + sent
        + ", sessions="
        + sessions
        + ", lastFailure="
        + lastFailure
        + ")";
  }
}
