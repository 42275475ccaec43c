package io.arraywire.nio;

import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.Listener;
import io.arraywire.SendOptions;
import io.arraywire.TransportOptions;
import io.arraywire.chaos.process.AnsweringProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * Measures what a flood of connections does to a peer that is connected. The listener, the friend
 * and the flooder have a JVM each. The flood takes processors from the friend wherever it goes, so
 * it goes to a decoy and to the friend's listener in turns. Two rates of neighbouring turns are
 * compared. The listener has one event loop.
 */
final class FloodedListener {
  private static final Duration PATIENCE = Duration.ofMinutes(10);
  private static final Duration SETTLE = Duration.ofSeconds(1);
  private static final Duration ARRIVES = Duration.ofMillis(200);
  private static final Duration WARM_UP = Duration.ofSeconds(5);
  private static final int ELEMENTS = 4000;

  /** Connections that the flooder holds open. */
  private static final int HELD = 200;

  /** What the flood goes to in the turns that are compared with. */
  enum Decoy {
    /** Accepts each connection and closes it, which is the least that can be done. */
    PLAIN,
    /** A listener as that of the friend. */
    ALIKE
  }

  private FloodedListener() {}

  /** Arrays per second of the friend, round by round, and how much the flood is per second. */
  record Rates(double alone, List<Double> decoy, List<Double> own, double attempts) {
    /** How much of its rate the friend keeps: each round beside its neighbour, and the median. */
    double kept() {
      return StalledPeers.Rates.median(
          IntStream.range(0, own.size())
              .mapToObj(round -> own.get(round) / decoy.get(round))
              .toList());
    }

    @Override
    public String toString() {
      return String.format(
          "%.0f attempts to connect a second, the friend keeps %.2f of its rate (arrays/s without a"
              + " flood %.0f, beside a flood of the decoy %s, of its own listener %s)",
          attempts, kept(), alone, rounded(decoy), rounded(own));
    }

    private static List<Long> rounded(List<Double> rates) {
      return rates.stream().map(Math::round).toList();
    }
  }

  /**
   * Measures the rates.
   *
   * @param perSecond attempts to connect
   * @param rounds how often each of both listeners is flooded
   * @param window how long each time
   */
  static Rates measure(Decoy kind, int perSecond, int rounds, Duration window) throws Exception {
    List<String> flags = List.of("-Xmx512m");
    try (Side listener = new Side(flags, "listener");
        Side decoy = new Side(flags, kind == Decoy.PLAIN ? "decoy" : "listener")) {
      String port = listener.line();
      String other = decoy.line();
      try (Side friend = new Side(flags, "friend", port);
          Side flooder = new Side(flags, "flooder", perSecond + "")) {
        friend.line();
        flooder.line();
        // Cold code first.
        Thread.sleep(WARM_UP.toMillis());
        double alone = friend.rate(window);
        List<Double> ofDecoy = new ArrayList<>();
        List<Double> ofOwn = new ArrayList<>();
        double attempts = 0;
        // The first round finds cold code, too.
        for (int round = 0; round <= rounds; round++) {
          // By then no peer of the round before waits at the listener any more.
          flooder.ask("0");
          Thread.sleep(SETTLE.toMillis());
          boolean ownFirst = round % 2 == 1;
          double began = flooder.count();
          flooder.ask(ownFirst ? port : other);
          double first = friend.rate(window);
          flooder.ask(ownFirst ? other : port);
          double second = friend.rate(window);
          if (round > 0) {
            ofDecoy.add(ownFirst ? second : first);
            ofOwn.add(ownFirst ? first : second);
            attempts +=
                (flooder.count() - began) / (2.0 * window.plus(ARRIVES).toMillis() / 1000) / rounds;
          }
        }
        return new Rates(alone, ofDecoy, ofOwn, attempts);
      }
    }
  }

  /** One side. */
  public static void main(String[] arguments) throws Exception {
    switch (arguments[0]) {
      case "listener" -> listen();
      case "friend" -> sendTo(Integer.parseInt(arguments[1]));
      case "decoy" -> acceptAndClose();
      default -> flood(Integer.parseInt(arguments[1]));
    }
  }

  private static InetSocketAddress here(int port) {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  private static SelectorTransport transport() {
    return new SelectorTransport(
        TransportOptions.defaults(), NioOptions.builder().eventLoops(1).build(), SocketIo::of);
  }

  private static void listen() throws IOException {
    try (SelectorTransport transport = transport()) {
      Listener listener = transport.listen(here(0), (from, array) -> {});
      System.out.println(((InetSocketAddress) listener.address()).getPort());
      answer(question -> "");
    }
  }

  /** Those that wait to be accepted are not more than at the friend's listener. */
  private static void acceptAndClose() throws IOException {
    try (ServerSocketChannel server = ServerSocketChannel.open()) {
      server.bind(here(0), 1024);
      System.out.println(((InetSocketAddress) server.getLocalAddress()).getPort());
      begin(() -> {
        while (server.isOpen()) {
          try {
            server.accept().close();
          } catch (IOException e) {
            // The next one, or the end.
          }
        }
      });
      answer(question -> "");
    }
  }

  private static void sendTo(int port) throws Exception {
    AtomicLong sent = new AtomicLong();
    try (SelectorTransport transport = transport()) {
      Connection connection = transport.connect(here(port), (from, array) -> {});
      begin(() -> {
        ArraySlice array = ArraySlice.of(new float[ELEMENTS]);
        try {
          while (true) {
            connection.send(array, SendOptions.processed());
            sent.incrementAndGet();
          }
        } catch (ArraywireException | InterruptedException e) {
          System.err.println("friend: " + e);
        }
      });
      System.out.println("connected");
      answer(question -> sent.get() + "");
    }
  }

  /** Floods the port that was named last. */
  private static void flood(int perSecond) throws Exception {
    AtomicLong attempts = new AtomicLong();
    AtomicInteger port = new AtomicInteger();
    begin(() -> connect(perSecond, port, attempts));
    System.out.println("ready");
    answer(question -> {
      if (question.equals("count")) {
        return attempts.get() + "";
      }
      port.set(Integer.parseInt(question));
      return "flooding";
    });
  }

  /** Connects so often, and says little or nothing. */
  private static void connect(int perSecond, AtomicInteger port, AtomicLong attempts) {
    ArrayDeque<SocketChannel> held = new ArrayDeque<>();
    long began = System.nanoTime();
    for (long done = 0; ; ) {
      long due = (System.nanoTime() - began) * perSecond / 1_000_000_000;
      // What could not be done in time is not made up for.
      for (done = Math.max(done, due - perSecond / 20); done < due; done++) {
        if (port.get() != 0) {
          attempt(port.get(), held);
          attempts.incrementAndGet();
        }
      }
      LockSupport.parkNanos(5_000_000);
    }
  }

  private static void attempt(int port, ArrayDeque<SocketChannel> held) {
    try {
      SocketChannel channel = SocketChannel.open();
      held.add(channel);
      // A reset: no port waits until it may be used again.
      channel.setOption(StandardSocketOptions.SO_LINGER, 0);
      channel.configureBlocking(false);
      if (channel.connect(here(port))) {
        channel.write(ByteBuffer.allocate(1));
      }
      if (held.size() > HELD) {
        held.remove().close();
      }
    } catch (IOException e) {
      // Refused, as it should be.
    }
  }

  private static void begin(Runnable task) {
    Thread thread = new Thread(task);
    thread.setDaemon(true);
    thread.start();
  }

  private interface Answers {
    String to(String question);
  }

  private static void answer(Answers answers) throws IOException {
    BufferedReader questions =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = questions.readLine(); line != null; line = questions.readLine()) {
      System.out.println(answers.to(line));
    }
  }

  /** One side, in a process of its own. */
  private static final class Side extends AnsweringProcess {
    Side(List<String> flags, String... arguments) throws IOException {
      super(FloodedListener.class, flags, PATIENCE, arguments);
    }

    long count() throws IOException {
      return Long.parseLong(ask("count"));
    }

    /** Per second, once the flood has had a moment to arrive. */
    double rate(Duration window) throws IOException, InterruptedException {
      Thread.sleep(ARRIVES.toMillis());
      long before = count();
      long begin = System.nanoTime();
      Thread.sleep(window.toMillis());
      return (count() - before) * 1e9 / (System.nanoTime() - begin);
    }
  }
}
