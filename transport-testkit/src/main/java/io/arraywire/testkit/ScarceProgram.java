package io.arraywire.testkit;

import io.arraywire.ArrayHandler;
import io.arraywire.ArraySlice;
import io.arraywire.Connection;
import io.arraywire.Listener;
import io.arraywire.ReceivedArray;
import io.arraywire.SendOptions;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A process that uses up its own file descriptors when it is told to. Reads a command a line and
 * answers each with a line that begins with {@code ok} or {@code failed}. One thread.
 *
 * <p>Arguments: the name of a class whose static method {@code create} makes the transport.
 */
public final class ScarceProgram {
  private static final int QUIET_LOOKS = 20;
  private static final int LOOK_MILLIS = 25;

  private static final Log LOG = new Log(System.err);

  private final Class<?> factory;
  private final Deque<FileInputStream> taken = new ArrayDeque<>();
  private @Nullable Transport transport;

  private ScarceProgram(Class<?> factory) {
    this.factory = factory;
  }

  /**
   * Runs it.
   *
   * @param arguments see the class
   * @throws Exception what ends the process
   */
  public static void main(String[] arguments) throws Exception {
    System.setErr(new PrintStream(LOG, true, StandardCharsets.UTF_8));
    // Loaded, and so its archive open, as the classes of a program that starts are. Not used yet.
    ScarceProgram program = new ScarceProgram(Class.forName(arguments[0]));
    BufferedReader commands =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    System.out.println("ok began");
    for (String line = commands.readLine(); line != null; line = commands.readLine()) {
      String[] words = line.split(" ", 2);
      String answer;
      try {
        answer = "ok " + program.run(words[0], words.length > 1 ? words[1] : "");
      } catch (Throwable e) { // The test is told, whatever it is.
        answer = "failed " + e.getClass().getName() + ": " + e.getMessage();
      }
      System.out.println(answer.replace('\n', ' '));
    }
  }

  private String run(String command, String argument) throws Exception {
    return switch (command) {
      case "exhaust" -> exhaust();
      case "free" -> free(Integer.parseInt(argument));
      case "create" -> create();
      case "listen" -> listen(argument);
      case "connect" -> connect(argument);
      case "mute" -> "refuses " + (LOG.refuses = true);
      case "unmute" -> "refuses " + (LOG.refuses = false);
      case "refused" -> String.valueOf(LOG.refused.get());
      default -> throw new IllegalArgumentException(command);
    };
  }

  /** Until none has come free for a while: what the JVM opens for a moment comes back. */
  private String exhaust() throws IOException, InterruptedException {
    for (int quiet = 0; quiet < QUIET_LOOKS; quiet++) {
      if (takeAll()) {
        quiet = 0;
      }
      Thread.sleep(LOOK_MILLIS);
    }
    return "none left, holds " + taken.size();
  }

  private boolean takeAll() throws IOException {
    boolean any = false;
    while (true) {
      try {
        taken.push(new FileInputStream("/dev/null"));
        any = true;
      } catch (FileNotFoundException e) {
        return any;
      }
    }
  }

  private String free(int descriptors) throws IOException {
    for (int i = 0; i < descriptors && !taken.isEmpty(); i++) {
      taken.pop().close();
    }
    return "holds " + taken.size();
  }

  private String create() throws Exception {
    try {
      transport =
          (Transport)
              factory
                  .getMethod("create", TransportOptions.class)
                  .invoke(null, TransportOptions.defaults());
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof Exception cause) {
        throw cause;
      }
      throw e;
    }
    return "created";
  }

  private Transport transport() {
    if (transport == null) {
      throw new IllegalStateException("no transport was created");
    }
    return transport;
  }

  private String listen(String at) throws Exception {
    Listener listener = transport().listen(address(at), new Dropping());
    return written(listener.address());
  }

  private String connect(String to) throws Exception {
    try (Connection connection = transport().connect(address(to))) {
      connection.send(ArraySlice.of(new int[1000]), SendOptions.processed());
    }
    return "sent";
  }

  /** An address as it is written to and by this program. */
  static String written(SocketAddress address) {
    return address instanceof InetSocketAddress inet
        ? String.valueOf(inet.getPort())
        : "" + address;
  }

  /** A port of this host, or the path of a Unix domain socket. */
  static SocketAddress address(String written) {
    return written.startsWith("/")
        ? UnixDomainSocketAddress.of(written)
        : new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(written));
  }

  private static final class Dropping implements ArrayHandler {
    @Override
    public void onArray(Connection from, ReceivedArray array) {}
  }

  /** Where the JDK logs to. While it refuses that, an error comes out of the logger. Any thread. */
  private static final class Log extends OutputStream {
    private final OutputStream out;
    private final AtomicInteger refused = new AtomicInteger();
    private volatile boolean refuses;

    Log(OutputStream out) {
      this.out = out;
    }

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int count) throws IOException {
      if (refuses) {
        refused.incrementAndGet();
        throw new Error("there is no log, by the test"); // The JDK's handler swallows exceptions.
      }
      out.write(bytes, from, count);
    }
  }
}
