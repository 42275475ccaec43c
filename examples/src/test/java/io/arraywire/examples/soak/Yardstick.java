package io.arraywire.examples.soak;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.zip.CRC32;

/**
 * How fast this machine is at the moment, for programs that talk over sockets: two threads exchange
 * bytes over a plain socket, and each looks at all of them. A burst takes a small part of a
 * processor. It runs beside the soak and not in its processes, so a soak that collects garbage for
 * long does not slow it down.
 */
final class Yardstick implements AutoCloseable {
  private static final int BYTES = 32 << 10;
  private static final long BURST_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final Socket asking;
  private final Socket answering;

  // Guarded by the monitor.
  private long exchanges;
  private long nanos;

  /** For those that ask before the next burst is over. */
  private double last;

  private volatile boolean over;

  Yardstick() throws IOException {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      asking = new Socket(server.getInetAddress(), server.getLocalPort());
      answering = server.accept();
    }
    asking.setTcpNoDelay(true);
    answering.setTcpNoDelay(true);
    begin(this::answer);
    burst(new byte[BYTES]);
    begin(this::ask);
  }

  private interface Work {
    void run() throws IOException;
  }

  private void begin(Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (IOException e) {
                if (!over) {
                  throw new IllegalStateException("the yardstick has no exchange any more", e);
                }
              }
            },
            "yardstick");
    thread.setDaemon(true);
    thread.start();
  }

  private void ask() throws IOException {
    byte[] bytes = new byte[BYTES];
    while (!over) {
      burst(bytes);
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  private void burst(byte[] bytes) throws IOException {
    long begun = System.nanoTime();
    long done = 0;
    long taken;
    do {
      exchange(asking, bytes);
      done++;
      taken = System.nanoTime() - begun;
    } while (taken < BURST_NANOS);
    add(done, taken);
  }

  private static void exchange(Socket socket, byte[] bytes) throws IOException {
    look(bytes);
    socket.getOutputStream().write(bytes);
    new DataInputStream(socket.getInputStream()).readFully(bytes);
  }

  private void answer() throws IOException {
    byte[] bytes = new byte[BYTES];
    InputStream in = answering.getInputStream();
    OutputStream out = answering.getOutputStream();
    while (in.readNBytes(bytes, 0, BYTES) == BYTES) {
      look(bytes);
      out.write(bytes);
    }
  }

  private static void look(byte[] bytes) {
    CRC32 checksum = new CRC32();
    checksum.update(bytes);
    bytes[0] = (byte) checksum.getValue();
  }

  private synchronized void add(long done, long taken) {
    exchanges += done;
    nanos += taken;
  }

  /** Exchanges a second, of the time that bursts have taken since the last call. */
  synchronized double perSecond() {
    if (nanos > 0) {
      last = exchanges * 1e9 / nanos;
      exchanges = 0;
      nanos = 0;
    }
    return last;
  }

  @Override
  public void close() throws IOException {
    over = true;
    asking.close();
    answering.close();
  }
}
