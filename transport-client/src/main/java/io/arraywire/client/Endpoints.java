package io.arraywire.client;

import io.arraywire.ArraywireException;
import io.arraywire.ConnectionClosedException;
import io.arraywire.ErrorCode;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** The addresses of a client, and the calls that wait for one of them. Any thread. */
final class Endpoints {
  private final ClientRuntime runtime;
  private final Set<ConnectionWait> waits = ConcurrentHashMap.newKeySet();
  private volatile List<Endpoint> all = List.of();
  private volatile boolean closed;

  Endpoints(ClientRuntime runtime) {
    this.runtime = runtime;
  }

  /** Once, before the first call. */
  void are(List<Endpoint> endpoints) {
    all = List.copyOf(endpoints);
  }

  List<Endpoint> all() {
    return all;
  }

  ClientRuntime runtime() {
    return runtime;
  }

  /**
   * A connection for a call, which is in flight over it from now on; null if there is none now.
   * Begins to connect where that is of use to the call.
   */
  @Nullable ChosenConnection pick(AddressOrder order) {
    List<Endpoint> preferred = order.of(all);
    for (int i = 0; i < preferred.size(); i++) {
      Endpoint endpoint = preferred.get(i);
      OpenConnection open = endpoint.available();
      if (open == null && order.insists()) {
        endpoint.want();
        if (endpoint.isPromising()) {
          return null;
        }
        // It may have come meanwhile.
        open = endpoint.available();
      }
      if (open != null) {
        open.begin();
        endpoint.wantMore(open);
        wantMissing(order.spreads() ? preferred : preferred.subList(0, i));
        return new ChosenConnection(endpoint, open);
      }
    }
    for (Endpoint endpoint : preferred) {
      endpoint.want();
      // The attempt may have ended well meanwhile; the call looks again.
      if (!order.spreads() && (endpoint.isPromising() || endpoint.available() != null)) {
        break;
      }
    }
    return null;
  }

  private static void wantMissing(List<Endpoint> endpoints) {
    for (Endpoint endpoint : endpoints) {
      if (endpoint.available() == null) {
        endpoint.want();
      }
    }
  }

  /**
   * A connection for a call, as soon as there is one.
   *
   * @param deadline when the call gives up, by the runtime's clock
   * @param late the code of its failure then
   * @param mayBeDone whether a server may have done what the call asks for
   * @return fails with an {@link ArraywireException}; cancelling it ends the wait
   */
  CompletableFuture<ChosenConnection> acquire(
      AddressOrder order, long deadline, ErrorCode late, boolean mayBeDone) {
    ConnectionWait wait = new ConnectionWait(this, order, late, mayBeDone);
    look(wait);
    if (!wait.isDone()) {
      long begin = runtime.nanoTime();
      wait.until(deadline - begin);
      waits.add(wait);
      CompletableFuture<ChosenConnection> unused =
          wait.whenComplete((connection, thrown) -> waits.remove(wait));
      // It may have come, or the client been closed, before the wait was known.
      look(wait);
    }
    return wait;
  }

  /** Waits for a connection on the caller's thread. */
  ChosenConnection await(AddressOrder order, long deadline, ErrorCode late, boolean mayBeDone)
      throws ArraywireException, InterruptedException {
    ChosenConnection now = closed ? null : pick(order);
    if (now != null) {
      return now;
    }
    CompletableFuture<ChosenConnection> wait = acquire(order, deadline, late, mayBeDone);
    try {
      return wait.get();
    } catch (InterruptedException e) {
      if (!wait.cancel(true) && !wait.isCompletedExceptionally()) {
        wait.join().end(false);
      }
      throw e;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof ArraywireException typed) {
        throw typed.forCaller();
      }
      throw new IllegalStateException(
          "a wait for a connection failed with something that is no ArraywireException; this is a defect",
          e);
    }
  }

  /** Something has changed at an address. */
  void changed() {
    waits.forEach(this::look);
  }

  /** Ends a wait if there is a connection now, or never will be. */
  private void look(ConnectionWait wait) {
    if (wait.isDone()) {
      return;
    }
    if (closed) {
      wait.completeExceptionally(closedHere());
      return;
    }
    ChosenConnection found = pick(wait.order);
    if (found != null) {
      if (!wait.complete(found)) {
        found.end(false);
      }
      return;
    }
    ArraywireException refusal = refusal();
    if (refusal != null) {
      wait.completeExceptionally(refusal.forCaller());
    }
  }

  /** Why nothing can be had, if every address refuses this client for good. */
  private @Nullable ArraywireException refusal() {
    ArraywireException last = null;
    for (Endpoint endpoint : all) {
      last = endpoint.refusal();
      if (last == null) {
        return null;
      }
    }
    return last;
  }

  /** The last failure of an address, the first that has one; null if none has. */
  @Nullable ArraywireException lastFailure() {
    for (Endpoint endpoint : all) {
      ArraywireException failure = endpoint.status().lastFailure();
      if (failure != null) {
        return failure;
      }
    }
    return null;
  }

  boolean isClosed() {
    return closed;
  }

  void checkOpen() throws ConnectionClosedException {
    if (closed) {
      throw closedHere();
    }
  }

  ConnectionClosedException closedHere() {
    return new ConnectionClosedException("the client is closed", "addresses", names());
  }

  List<String> names() {
    return all.stream().map(endpoint -> endpoint.name).toList();
  }

  /** Takes no further calls and connects no more; returns whether it did before. */
  boolean close() {
    boolean first = !closed;
    closed = true;
    all.forEach(Endpoint::close);
    changed();
    return first;
  }
}
