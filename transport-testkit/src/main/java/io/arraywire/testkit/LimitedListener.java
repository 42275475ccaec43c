package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.ErrorCode;
import io.arraywire.Listener;
import io.arraywire.NoRoomException;
import io.arraywire.RemoteErrorException;
import io.arraywire.SendOptions;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.security.AcceptLimits;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A listener with limits, and a friend that is connected to it and must notice nothing of them. For
 * one test, and its thread.
 */
final class LimitedListener {
  final Transport transport;
  final Listener listener;
  private final ClosedWatch watch = new ClosedWatch();
  private final Connection friend;

  private LimitedListener(Transport transport, TransportStage stage) throws Exception {
    this.transport = transport;
    listener = transport.listen(stage.address(), watch);
    friend = transport.connect(listener.address());
    friendIsServed();
  }

  static LimitedListener on(TransportStage stage, UnaryOperator<AcceptLimits> change)
      throws Exception {
    return with(stage, change, UnaryOperator.identity());
  }

  static LimitedListener with(
      TransportStage stage,
      UnaryOperator<AcceptLimits> limits,
      UnaryOperator<TransportOptions.Builder> change)
      throws Exception {
    AcceptLimits changed = limits.apply(AcceptLimits.none());
    return new LimitedListener(
        stage.transport(options -> change.apply(options.acceptLimits(changed))), stage);
  }

  /** Peers of a Unix domain socket have no address. */
  boolean hasAddresses() {
    return listener.address() instanceof InetSocketAddress;
  }

  Connection connect() throws Exception {
    return transport.connect(listener.address());
  }

  /** One more is refused, here and there, and the friend notices nothing. */
  void refuses(String limit) throws Exception {
    assertThatThrownBy(this::connect)
        .isInstanceOf(RemoteErrorException.class)
        .hasFieldOrPropertyWithValue("code", ErrorCode.TOO_MANY_CONNECTIONS)
        // Over TLS it is an alert, which has no words.
        .hasMessageContaining(
            transport.options().tls() == null ? "limit=" + limit : "acceptLimits");
    assertThat(nextFailure())
        .isInstanceOf(NoRoomException.class)
        .matches(ErrorCode.TOO_MANY_CONNECTIONS::isOf)
        .hasMessageContainingAll("limit=" + limit, "most=", "peer=", "raise acceptLimits");
    friendIsServed();
  }

  void friendIsServed() throws Exception {
    friend.send(ArraySlice.of(new int[1]), SendOptions.processed());
  }

  /** Why the next connection ended that did not end in order. */
  ArraywireException nextFailure() throws InterruptedException {
    ArraywireException next = null;
    while (next == null) {
      next = watch.next();
    }
    return next;
  }

  /** Connects as soon as there is room. */
  Connection connectsAgain() {
    AtomicReference<@Nullable Connection> made = new AtomicReference<>();
    Eventually.until(
        "there is room again",
        () -> {
          try {
            made.set(connect());
            return true;
          } catch (ArraywireException e) {
            return false;
          } catch (Exception e) {
            throw new AssertionError(e);
          }
        });
    Connection connection = made.get();
    if (connection == null) {
      throw new AssertionError("no connection");
    }
    return connection;
  }
}
