package io.arraywire.nio;

import io.arraywire.ArrayHandler;
import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.Listener;
import io.arraywire.OfferStatus;
import io.arraywire.ReceivedArray;
import io.arraywire.SendOptions;
import io.arraywire.TransportOptions;
import io.arraywire.chaos.process.AnsweringProcess;
import io.arraywire.security.AcceptLimits;
import io.arraywire.security.Tls;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Measures what peers that stall do to the others of a listener: one event loop in one JVM, the
 * peers that go on in another, those that stall in a third, and as many arrays as go over all of
 * them. Rounds in which nobody stalls take turns with rounds in which some do, so that what else
 * the machine does disturbs both alike.
 *
 * <p>What is compared is the rate of those that go on. The CPU time of those that stall falls to
 * them, so they may well get faster.
 */
final class StalledPeers {
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  /** Of an array that introduces a peer that will stall. */
  private static final long STALLING = 1;

  private static final int ELEMENTS = 4000;

  /** Where a side finds its certificates. */
  private static final String CERTIFICATES = "arraywire.stalled.certificates";

  private StalledPeers() {}

  /** What a peer stops doing. */
  enum Mode {
    /** The listener sends, and the process of some peers is stopped, so that nobody reads there. */
    READING,
    /** The peers send, and the listener's handler hangs for some of them. */
    PROCESSING
  }

  /**
   * Arrays per second of the peers that go on, round by round: before some stall, while buffers and
   * queues of those fill up, and then.
   */
  record Rates(
      Mode mode,
      int connections,
      int stalled,
      List<Double> before,
      List<Double> filling,
      List<Double> during) {

    /** How much of their rate the others keep: the medians of all rounds. */
    private double ratio(List<Double> rates) {
      return median(rates) / median(before);
    }

    /** The same of each round beside its own neighbour; of these the median. */
    private double ofNeighbours(List<Double> rates) {
      return median(
          IntStream.range(0, before.size())
              .mapToObj(round -> rates.get(round) / before.get(round))
              .toList());
    }

    /** The least of what the others keep, at any stage. */
    double least() {
      return Math.min(ofNeighbours(filling), ofNeighbours(during));
    }

    static double median(List<Double> rates) {
      return rates.stream().sorted().toList().get(rates.size() / 2);
    }

    @Override
    public String toString() {
      return String.format(
          "%s: %d of %d peers stalled, the others keep %.2f of their rate, and %.2f while buffers"
              + " fill up (medians of %d rounds; each beside its neighbour %.2f and %.2f;"
              + " arrays/s before %s, filling %s, stalled %s)",
          mode,
          stalled,
          connections,
          ratio(during),
          ratio(filling),
          before.size(),
          ofNeighbours(during),
          ofNeighbours(filling),
          rounded(before),
          rounded(filling),
          rounded(during));
    }

    private static List<Long> rounded(List<Double> rates) {
      return rates.stream().map(Math::round).toList();
    }
  }

  /**
   * Measures the rates.
   *
   * @param certificates where {@code ca.pem}, {@code own.pem} and {@code own.key} are, for all
   *     sides; null for a measurement without TLS
   */
  static Rates measure(
      Mode mode,
      int connections,
      int stalled,
      int rounds,
      Duration window,
      @Nullable Path certificates)
      throws Exception {
    List<String> flags =
        certificates == null
            ? List.of("-Xmx1g")
            : List.of("-Xmx1g", "-D" + CERTIFICATES + "=" + certificates);
    try (Side listener = new Side(flags, "listener", mode.name())) {
      String port = listener.line();
      try (Side others =
              new Side(flags, "peers", mode.name(), port, connections - stalled + "", "0");
          Side stalling =
              new Side(flags, "peers", mode.name(), port, stalled + "", STALLING + "")) {
        others.line();
        stalling.line();
        Side sending = mode == Mode.READING ? listener : stalling;
        Side counting = mode == Mode.READING ? others : listener;
        listener.until("introduced", connections);
        listener.ask("begin");
        others.ask("begin");
        stalling.ask("begin");
        List<Double> before = new ArrayList<>();
        List<Double> filling = new ArrayList<>();
        List<Double> during = new ArrayList<>();
        // The first round finds cold code.
        for (int round = 0; round <= rounds; round++) {
          sending.until("stalled", 0);
          Count free = counting.count();
          Thread.sleep(window.toMillis());
          double rateBefore = counting.rateSince(free);
          Count begins = counting.count();
          stall(mode, listener, stalling);
          sending.until("stalled", stalled);
          double rateFilling = counting.rateSince(begins);
          // From now on there is nothing of theirs that could still go.
          Count stands = counting.count();
          Thread.sleep(window.toMillis());
          double rateDuring = counting.rateSince(stands);
          goOn(mode, listener, stalling);
          if (round > 0) {
            before.add(rateBefore);
            filling.add(rateFilling);
            during.add(rateDuring);
          }
        }
        // Or the first to be closed would be missed.
        listener.ask("end");
        others.ask("end");
        stalling.ask("end");
        return new Rates(mode, connections, stalled, before, filling, during);
      }
    }
  }

  /** How many arrays had come at a time. */
  private record Count(long arrays, long nanos) {}

  private static void stall(Mode mode, Side listener, Side stalling) throws Exception {
    if (mode == Mode.READING) {
      stalling.stop();
    } else {
      listener.ask("hang");
    }
  }

  private static void goOn(Mode mode, Side listener, Side stalling) throws Exception {
    if (mode == Mode.READING) {
      stalling.goOn();
    } else {
      listener.ask("let go");
    }
  }

  /**
   * Plays one of the sides, for {@link #measure}.
   *
   * @param arguments the side, the mode; for peers the port, how many, the tag of what introduces
   *     them
   */
  public static void main(String[] arguments) throws Exception {
    Mode mode = Mode.valueOf(arguments[1]);
    Traffic traffic = new Traffic();
    try (SelectorTransport transport = transport(mode)) {
      if (arguments[0].equals("listener")) {
        Listener listener =
            transport.listen(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), traffic.handler());
        say(((InetSocketAddress) listener.address()).getPort() + "");
        traffic.answer(mode == Mode.READING);
      } else {
        traffic.connect(
            transport,
            new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[2])),
            Integer.parseInt(arguments[3]),
            Long.parseLong(arguments[4]));
        say("connected");
        traffic.answer(mode == Mode.PROCESSING);
      }
    }
  }

  private static SelectorTransport transport(Mode mode) {
    // Where nobody reads it is the kernel that takes no more, and not the credit that ends.
    int inbox = mode == Mode.READING ? 16 << 20 : 256 << 10;
    String certificates = System.getProperty(CERTIFICATES);
    return new SelectorTransport(
        TransportOptions.builder()
            .tls(certificates == null ? null : tls(Path.of(certificates)))
            .acceptLimits(AcceptLimits.none())
            .inboxBytes(inbox)
            .connectionInboxBytes(inbox)
            .sendQueueBytes(64 << 10)
            // A peer that is slow for longer would be parted with.
            .stallTimeout(PATIENCE)
            .heartbeatTimeout(PATIENCE)
            .build(),
        NioOptions.builder().eventLoops(1).build(),
        SocketIo::of);
  }

  private static Tls tls(Path certificates) {
    return Tls.server(certificates.resolve("own.pem"), certificates.resolve("own.key"))
        .trust(certificates.resolve("ca.pem"))
        .requireClientCertificate();
  }

  private static void say(String line) {
    System.out.println(line);
    System.out.flush();
  }

  /** What goes over the connections of one process, in one direction. */
  private static final class Traffic {
    private final List<Outlet> outlets = new CopyOnWriteArrayList<>();
    private final LongAdder counted = new LongAdder();
    private final Gate gate = new Gate();
    private volatile boolean over;

    /** Takes what introduces a peer, and then counts what comes of those that go on. */
    private ArrayHandler handler() {
      return new ArrayHandler() {
        @Override
        public void onArray(Connection from, ReceivedArray array) throws InterruptedException {
          if (array.count() == 0) {
            outlets.add(new Outlet(from, array.tag()));
          } else if (array.tag() == STALLING) {
            gate.pass();
          } else {
            counted.increment();
          }
        }
      };
    }

    private void connect(
        SelectorTransport transport, InetSocketAddress address, int count, long tag)
        throws ArraywireException, InterruptedException {
      for (int i = 0; i < count; i++) {
        Connection connection = transport.connect(address, handler());
        connection.send(ArraySlice.of(new float[0]), SendOptions.processed().tag(tag));
        outlets.add(new Outlet(connection, tag));
      }
    }

    /** Answers questions on the standard input until it ends. */
    private void answer(boolean sends) throws IOException {
      BufferedReader questions =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      for (String question = questions.readLine();
          question != null;
          question = questions.readLine()) {
        switch (question) {
          case "introduced" -> say(outlets.size() + "");
          case "begin" -> {
            if (sends) {
              begin();
            }
            say("begun");
          }
          case "count" -> say(counted.sum() + "");
          case "stalled" -> say(outlets.stream().filter(Outlet::isStalled).count() + "");
          case "end" -> {
            over = true;
            say("over");
          }
          case "hang" -> {
            gate.close();
            say("hanging");
          }
          case "let go" -> {
            gate.open();
            say("let go");
          }
          default -> throw new IllegalArgumentException(question);
        }
      }
    }

    private void begin() {
      Thread sender =
          new Thread(
              () -> {
                try {
                  sendOn();
                } catch (ArraywireException e) {
                  System.err.println("sender: " + e);
                }
              },
              "sender");
      sender.setDaemon(true);
      sender.start();
    }

    /** Offers arrays to all in turn. */
    private void sendOn() throws ArraywireException {
      ArraySlice array = ArraySlice.of(new float[ELEMENTS]);
      while (!over) {
        boolean any = false;
        for (Outlet outlet : outlets) {
          any |= !over && outlet.offer(array);
        }
        if (!any) {
          // Not for less: CPU time that is spent on being refused is taken from the others.
          LockSupport.parkNanos(1_000_000);
        }
      }
    }
  }

  /** A connection to send on. */
  private static final class Outlet {
    /** An event loop that merely has much to do comes by more often. */
    private static final Duration STALLED = Duration.ofMillis(500);

    private final Connection connection;
    private final long tag;
    private volatile long taken = System.nanoTime();

    Outlet(Connection connection, long tag) {
      this.connection = connection;
      this.tag = tag;
    }

    boolean offer(ArraySlice array) throws ArraywireException {
      OfferStatus status = connection.offer(array, SendOptions.handedOff().tag(tag));
      if (status == OfferStatus.CLOSED) {
        throw new IllegalStateException("a connection was lost: " + connection.describe());
      }
      boolean accepted = status == OfferStatus.ACCEPTED;
      if (accepted) {
        taken = System.nanoTime();
      }
      return accepted;
    }

    boolean isStalled() {
      return tag == STALLING && System.nanoTime() - taken >= STALLED.toNanos();
    }
  }

  /** Holds up handlers. */
  private static final class Gate {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition opened = lock.newCondition();
    private boolean closed;

    void pass() throws InterruptedException {
      lock.lock();
      try {
        while (closed) {
          opened.await();
        }
      } finally {
        lock.unlock();
      }
    }

    void close() {
      lock.lock();
      closed = true;
      lock.unlock();
    }

    void open() {
      lock.lock();
      closed = false;
      opened.signalAll();
      lock.unlock();
    }
  }

  /** One side, in a process of its own. */
  private static final class Side extends AnsweringProcess {

    Side(List<String> flags, String... arguments) throws IOException {
      super(StalledPeers.class, flags, PATIENCE, arguments);
    }

    /** Asks until the answer is a number. */
    void until(String question, long wanted) throws IOException {
      long start = System.nanoTime();
      while (Long.parseLong(ask(question)) != wanted) {
        if (System.nanoTime() - start > Duration.ofMinutes(3).toNanos()) {
          throw new IOException(
              "still not so (question="
                  + question
                  + ", wanted="
                  + wanted
                  + ", answer="
                  + ask(question)
                  + ")");
        }
        LockSupport.parkNanos(10_000_000);
      }
    }

    Count count() throws IOException {
      return new Count(Long.parseLong(ask("count")), System.nanoTime());
    }

    /** Arrays per second. */
    double rateSince(Count before) throws IOException {
      Count now = count();
      return (now.arrays - before.arrays) * 1e9 / (now.nanos - before.nanos);
    }
  }
}
