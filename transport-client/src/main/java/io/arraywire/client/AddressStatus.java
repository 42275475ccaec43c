package io.arraywire.client;

import io.arraywire.ArraywireException;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One address of a client at one moment. Immutable.
 *
 * @param address the address, as it was given to the client
 * @param state what can be done with it now
 * @param since how long it has been in that state
 * @param connections connections that take further calls
 * @param inFlight calls over connections of this address that are not over; those that drain count,
 *     too
 * @param failures how many attempts to connect have failed in a row, or connections ended at once;
 *     0 while a connection takes calls
 * @param lastFailure why an attempt or a connection failed last, for a log line; null if none has
 */
public record AddressStatus(
    String address,
    State state,
    Duration since,
    int connections,
    int inFlight,
    int failures,
    @Nullable ArraywireException lastFailure) {

  /** What can be done with an address. */
  public enum State {
    /**
     * Nothing is done about it until a call needs it. Nobody has needed it yet, or its last
     * connection has ended, or the pause after a failed attempt is over.
     */
    IDLE,
    /** An attempt to connect is being made. */
    CONNECTING,
    /** A connection is open and takes calls. */
    READY,
    /** The next attempt waits for its pause to end. */
    BACKING_OFF,
    /** The client is closed. */
    CLOSED
  }

  /** Checks its parts. */
  public AddressStatus {
    Objects.requireNonNull(address, "address");
    Objects.requireNonNull(state, "state");
    Objects.requireNonNull(since, "since");
  }
}
