package io.arraywire.memory;

import io.arraywire.testkit.Cable;
import java.net.BindException;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** A cable without sockets, for {@link InMemoryTransport}. */
public final class MemoryCable implements Cable {
  private final MemoryAddress address = MemoryAddress.free();
  private final Consumer<MemorySocket> door = this::pass;

  // Guarded by this.
  private final List<MemorySocket> ends = new ArrayList<>();
  private MemoryAddress listener;
  private boolean plugged;

  public MemoryCable(SocketAddress listener) throws BindException {
    this.listener = (MemoryAddress) listener;
    MemoryNetwork.listen(address, door);
    plugged = true;
  }

  private void pass(MemorySocket end) {
    MemoryAddress to;
    boolean through;
    synchronized (this) {
      through = plugged;
      to = listener;
      ends.add(end);
    }
    if (!through || !MemoryNetwork.pass(end, to)) {
      end.reset();
    }
  }

  @Override
  public SocketAddress address() {
    return address;
  }

  @Override
  public void cut() {
    List<MemorySocket> all;
    synchronized (this) {
      all = new ArrayList<>(ends);
      ends.clear();
    }
    all.forEach(MemorySocket::reset);
  }

  @Override
  public void unplug() {
    synchronized (this) {
      plugged = false;
    }
    cut();
  }

  @Override
  public synchronized void plug() {
    plugged = true;
  }

  @Override
  public synchronized void leadTo(SocketAddress other) {
    listener = (MemoryAddress) other;
  }

  @Override
  public void close() {
    MemoryNetwork.leave(address, door);
    cut();
  }
}
