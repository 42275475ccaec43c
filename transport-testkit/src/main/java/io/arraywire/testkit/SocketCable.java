package io.arraywire.testkit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A cable of TCP sockets: forwards bytes and ends between peers that connect to it and a listener.
 */
final class SocketCable implements Cable {
  private static final int BACKLOG = 1024;

  private final InetSocketAddress address;
  private volatile SocketAddress listener;

  @GuardedBy("this")
  private @Nullable Plug plug;

  @GuardedBy("this")
  private final Set<Strand> strands = new HashSet<>();

  SocketCable(SocketAddress listener) throws IOException {
    this.listener = listener;
    Plug first = new Plug(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    plug = first;
    address = (InetSocketAddress) first.server.getLocalSocketAddress();
  }

  @Override
  public SocketAddress address() {
    return address;
  }

  @Override
  public void leadTo(SocketAddress newListener) {
    listener = newListener;
  }

  @Override
  public void cut() {
    List<Strand> all;
    synchronized (this) {
      all = new ArrayList<>(strands);
    }
    all.forEach(Strand::reset);
  }

  @Override
  public void unplug() {
    Plug old;
    synchronized (this) {
      old = plug;
      plug = null;
    }
    if (old != null) {
      old.pull();
    }
    cut();
  }

  @Override
  public synchronized void plug() {
    if (plug == null) {
      try {
        plug = new Plug(address);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Override
  public void close() {
    unplug();
  }

  private static Thread start(String name, Runnable task) {
    Thread thread = new Thread(task, "cable-" + name);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  /** Accepts connections until it is pulled. */
  private final class Plug {
    final ServerSocket server;
    private final Thread thread;

    Plug(InetSocketAddress where) throws IOException {
      server = new ServerSocket();
      try {
        // Connections over the old plug may linger in the kernel.
        server.setReuseAddress(true);
        server.bind(where, BACKLOG);
      } catch (IOException e) {
        server.close();
        throw e;
      }
      thread = start("accept", this::acceptAll);
    }

    private void acceptAll() {
      while (!server.isClosed()) {
        try {
          Strand strand = new Strand(server.accept());
          synchronized (SocketCable.this) {
            strands.add(strand);
          }
          start("there", strand::connectAndForward);
        } catch (IOException e) {
          // Pulled; or the caller went before it was accepted.
        }
      }
    }

    /** When it returns, its port is free and every connection that it took can be cut. */
    void pull() {
      boolean interrupted = false;
      closeQuietly(server);
      while (thread.isAlive()) {
        try {
          thread.join();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** One connection. */
  private final class Strand {
    private final Socket here;
    private final Socket there = new Socket();

    @GuardedBy("this")
    private int open = 2;

    Strand(Socket here) {
      this.here = here;
    }

    void connectAndForward() {
      try {
        here.setTcpNoDelay(true);
        there.setTcpNoDelay(true);
        there.connect(listener);
      } catch (IOException e) {
        reset();
        return;
      }
      start("back", () -> forward(there, here));
      forward(here, there);
    }

    private void forward(Socket from, Socket to) {
      try {
        from.getInputStream().transferTo(to.getOutputStream());
        to.shutdownOutput();
      } catch (IOException e) {
        reset();
      }
      synchronized (this) {
        if (--open > 0) {
          return;
        }
      }
      close();
    }

    void reset() {
      for (Socket socket : List.of(here, there)) {
        try {
          socket.setSoLinger(true, 0);
        } catch (IOException e) {
          // It is closed already.
        }
      }
      close();
    }

    private void close() {
      closeQuietly(here);
      closeQuietly(there);
      synchronized (SocketCable.this) {
        strands.remove(this);
      }
    }
  }

  private static void closeQuietly(AutoCloseable socket) {
    try {
      socket.close();
    } catch (Exception e) {
      // Nobody is left to care.
    }
  }
}
