package io.arraywire.chaos.proxy;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A connection that came in, its counterpart that went out, and the two threads between them. */
final class ProxiedConnection {
  private static final int CONNECT_MILLIS = 10_000;

  private final FaultProxy proxy;
  private final int number;
  private final Socket client;
  private final List<Fault> faults;

  private volatile boolean cut;
  private volatile boolean dead;

  // Guarded by this.
  private @Nullable Socket target;
  private boolean reset;
  private final Set<Direction> open = EnumSet.allOf(Direction.class);

  ProxiedConnection(FaultProxy proxy, int number, Socket client, List<Fault> faults) {
    this.proxy = proxy;
    this.number = number;
    this.client = client;
    this.faults = faults;
  }

  void start() {
    proxy.startThread(name(Direction.TO_TARGET), this::connectAndForward);
  }

  private String name(Direction direction) {
    return "fault-proxy-" + number + "-" + direction;
  }

  private void connectAndForward() {
    Socket socket = new Socket();
    try {
      client.setTcpNoDelay(true);
      socket.setTcpNoDelay(true);
      if (!adopt(socket)) {
        return;
      }
      socket.connect(proxy.target(), CONNECT_MILLIS);
    } catch (IOException e) {
      // The client learns of it as of any other end.
      broke();
    }
    if (dead || cut) {
      close();
      ended(Direction.TO_CLIENT);
      ended(Direction.TO_TARGET);
      return;
    }
    Pump back = new Pump(proxy, this, Direction.TO_CLIENT, socket, client, faults);
    proxy.startThread(name(Direction.TO_CLIENT), back);
    new Pump(proxy, this, Direction.TO_TARGET, client, socket, faults).run();
  }

  private synchronized boolean adopt(Socket socket) throws IOException {
    target = socket;
    if (dead) {
      socket.close();
      proxy.forget(this);
    }
    return !dead;
  }

  boolean isCut() {
    return cut;
  }

  /** Whether nothing is to be forwarded any more. */
  boolean isOver() {
    return cut || dead;
  }

  void cut() {
    synchronized (this) {
      if (isOver()) {
        return;
      }
      cut = true;
      finish(client);
      finish(target);
    }
    proxy.wake();
  }

  void reset() {
    synchronized (this) {
      if (!dead) {
        reset = true;
        closeBoth();
      }
    }
    proxy.wake();
  }

  /** One end broke; if that was not a cut's doing, the other end breaks too. */
  void broke() {
    if (!isOver()) {
      reset();
    }
  }

  void close() {
    synchronized (this) {
      closeBoth();
    }
    proxy.wake();
  }

  /** A direction has ended; with the second one everything has. */
  void ended(Direction direction) {
    synchronized (this) {
      open.remove(direction);
      if (!open.isEmpty()) {
        return;
      }
      closeBoth();
    }
    proxy.forget(this);
  }

  private void closeBoth() {
    dead = true;
    close(client);
    close(target);
  }

  private void close(@Nullable Socket socket) {
    if (socket == null) {
      return;
    }
    try {
      if (reset) {
        socket.setSoLinger(true, 0);
      }
    } catch (SocketException e) {
      // It is closed already.
    }
    try {
      socket.close();
    } catch (IOException e) {
      // Nobody is left to care.
    }
  }

  private static void finish(@Nullable Socket socket) {
    if (socket == null) {
      return;
    }
    try {
      socket.shutdownOutput();
    } catch (IOException e) {
      // That end has gone already.
    }
  }
}
