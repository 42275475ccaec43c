package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ArrayHandler;
import io.arraywire.ArraySlice;
import io.arraywire.Connection;
import io.arraywire.Listener;
import io.arraywire.Receipt;
import io.arraywire.RemoteRejectedException;
import io.arraywire.SendOptions;
import io.arraywire.Transport;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** A program can wait until its listener is closed. */
interface ListenerTests {
  TransportStage stage();

  private static Running<Void> waiting(Running.Kind kind, Listener listener) {
    Running<Void> waiting =
        Running.start(
            kind,
            () -> {
              listener.awaitClosed();
              return null;
            });
    Thread thread = waiting.thread();
    Eventually.until(
        () -> "a thread waits: " + thread.getState(),
        () -> thread.getState() == Thread.State.WAITING || waiting.isDone());
    assertThat(waiting.isDone()).as("the listener is open").isFalse();
    return waiting;
  }

  @Test
  default void everyThreadThatWaitsForAListenerReturnsOnceItIsClosed() throws Exception {
    for (ArrayHandler handler : new ArrayHandler[] {null, (from, array) -> {}}) {
      Transport transport = stage().transport();
      Listener listener =
          handler == null
              ? transport.listen(stage().address())
              : transport.listen(stage().address(), handler);
      List<Running<Void>> waiting = new ArrayList<>();
      for (Running.Kind kind : Running.kinds()) {
        for (int i = 0; i < 3; i++) {
          waiting.add(waiting(kind, listener));
        }
      }
      listener.close();
      for (Running<Void> each : waiting) {
        each.get();
      }
      listener.awaitClosed();
    }
  }

  @Test
  default void aListenerIsClosedWhenItsHandlerHasHadEveryArrayAndNotBefore() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    Listener listener =
        stage()
            .transport()
            .listen(
                stage().address(),
                (from, array) -> {
                  begun.countDown();
                  goOn.await();
                });
    Connection connection = stage().transport().connect(listener.address());
    Running<Void> waiting = waiting(Running.Kind.PLATFORM, listener);
    CompletionStage<Receipt> sent =
        connection.sendAsync(ArraySlice.of(new int[3]), SendOptions.processed());
    Eventually.until("the handler has the array", begun);
    Running<Void> closing = Running.calling(listener::close);
    Eventually.until("the peer hears of it", () -> !connection.isOpen());
    assertThat(waiting.isDone()).isFalse();
    goOn.countDown();
    waiting.get();
    Eventually.get(sent);
    closing.get();
    connection.close();
  }

  @Test
  default void anInterruptedThreadNoLongerWaitsForAListenerWhichStaysOpen() throws Exception {
    Listener listener = stage().transport().listen(stage().address());
    for (Running.Kind kind : Running.kinds()) {
      Running<Void> waiting = waiting(kind, listener);
      waiting.interrupt();
      assertThat(waiting.failure()).isInstanceOf(InterruptedException.class);
    }
    Connection here = stage().transport().connect(listener.address());
    Connection there = listener.accept();
    there.send(new int[3]);
    assertThat(here.receive().count()).isEqualTo(3);
  }

  @Test
  default void aHandlerThatWaitsForItsOwnListenerIsToldSoAtOnce() throws Exception {
    CompletableFuture<Listener> own = new CompletableFuture<>();
    Listener listener =
        stage().transport().listen(stage().address(), (from, array) -> own.join().awaitClosed());
    own.complete(listener);
    Connection connection = stage().transport().connect(listener.address());
    assertThatThrownBy(() -> connection.send(ArraySlice.of(new int[3]), SendOptions.processed()))
        .isInstanceOf(RemoteRejectedException.class)
        .hasMessageContaining("a handler cannot wait until its own listener is closed");
  }

  @Test
  default void aListenerIsClosedWithItsTransport() throws Exception {
    for (ArrayHandler handler : new ArrayHandler[] {null, new ClosedWatch()}) {
      Transport transport = stage().transport();
      Listener listener =
          handler == null
              ? transport.listen(stage().address())
              : transport.listen(stage().address(), handler);
      Connection connection = stage().transport().connect(listener.address());
      Running<Void> waiting = waiting(Running.Kind.PLATFORM, listener);
      transport.close();
      waiting.get();
      connection.closeNow();
    }
  }

  @Test
  default void aListenerThatClosesOnShutdownClosesBeforeThatAsAnyOther() throws Exception {
    Transport transport = stage().transport();
    Listener listener = transport.listen(stage().address());
    assertThat(listener.closeOnShutdown()).isSameAs(listener);
    assertThat(listener.closeOnShutdown()).isSameAs(listener);
    Running<Void> waiting = waiting(Running.Kind.PLATFORM, listener);
    listener.close();
    waiting.get();
    assertThat(listener.closeOnShutdown()).isSameAs(listener);
  }
}
