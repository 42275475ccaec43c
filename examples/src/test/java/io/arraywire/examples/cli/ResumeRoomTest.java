package io.arraywire.examples.cli;

import static io.arraywire.examples.cli.Outcome.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.ErrorCode;
import io.arraywire.Handlers;
import io.arraywire.Listener;
import io.arraywire.ReceivedArray;
import io.arraywire.SendOptions;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.examples.file.ArrayFile;
import io.arraywire.message.Message;
import io.arraywire.nio.NioTransport;
import io.arraywire.security.Identity;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code send --resume} where the receiver has no room for a while. */
@Timeout(120)
class ResumeRoomTest {
  private static final int COUNT = 1 << 18;
  private static final Message NOTHING = Message.of(new long[1]).attribute("state", "nothing");

  @TempDir Path dir;

  private static Listener listen(Transport transport, Handlers handlers) throws Exception {
    return transport.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), handlers);
  }

  private Outcome send(Listener to) throws Exception {
    return run(
        "send",
        "--resume",
        "--to",
        "localhost:" + ((InetSocketAddress) to.address()).getPort(),
        file().toString());
  }

  private Path file() throws Exception {
    return FloatFiles.write(dir.resolve("a.npy"), COUNT, index -> index);
  }

  /** Its memory is taken by what a handler has in hand. */
  @Test
  void anArrayIsSentAgainWhenThereIsMemory() throws Exception {
    CountDownLatch inHand = new CountDownLatch(1);
    CountDownLatch letGo = new CountDownLatch(1);
    AtomicInteger asked = new AtomicInteger();
    List<ReceivedArray> came = new CopyOnWriteArrayList<>();
    Handlers handlers =
        Handlers.ofArrays(
                (from, array) -> {
                  if (array.tag() == 1) {
                    inHand.countDown();
                    letGo.await();
                  } else {
                    came.add(array);
                  }
                })
            .withRequests((from, request, reply) -> {
              asked.incrementAndGet();
              reply.send(NOTHING);
            });
    TransportOptions small = TransportOptions.builder().arrivalBytes(2 << 20).build();
    try (Transport transport = NioTransport.create(small);
        Listener listener = listen(transport, handlers);
        Transport client = NioTransport.create(TransportOptions.defaults());
        Connection other = client.connect(listener.address())) {
      var unused =
          other.sendAsync(ArraySlice.of(new float[300_000]), SendOptions.processed().tag(1));
      assertThat(inHand.await(60, TimeUnit.SECONDS)).isTrue();
      CompletableFuture<Outcome> sent = sending(listener);
      Awaitility.await().until(() -> asked.get() > 2);
      assertThat(sent).isNotDone();
      letGo.countDown();
      Outcome outcome = sent.get(60, TimeUnit.SECONDS);
      assertThat(outcome.status()).as(outcome.toString()).isZero();
      assertThat(outcome.err().lines().filter(line -> line.startsWith("arraywire send: ")))
          .singleElement()
          .asString()
          .startsWith("arraywire send: the receiver has no room for " + dir.resolve("a.npy"))
          .contains(" now and is asked again for up to 60 s (the far side refused the array: ");
      assertThat(came).singleElement().extracting(ReceivedArray::count).isEqualTo(COUNT);
    }
  }

  private CompletableFuture<Outcome> sending(Listener to) {
    return CompletableFuture.supplyAsync(() -> {
      try {
        return send(to);
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    });
  }

  /** The identity of the sender allows no request, for as long as it asks. */
  @Test
  void aQuestionIsRefusedForALimitedTime() throws Exception {
    TransportOptions none =
        TransportOptions.builder()
            .authenticator(peer -> Identity.of("sender").maxOpenRequests(0))
            .build();
    List<String> notes = new CopyOnWriteArrayList<>();
    try (Transport transport = NioTransport.create(none);
        Listener listener = listen(transport, Handlers.answering(request -> NOTHING));
        Transport client = NioTransport.create(TransportOptions.defaults());
        Connection connection = client.connect(listener.address())) {
      Outgoing outgoing =
          new Outgoing(ArrayFile.npy(file()), TravelName.parse("a.npy"), "a.npy", null);
      Resuming resuming = new Resuming(notes::add, Duration.ofMillis(1_500));
      long begin = System.nanoTime();
      assertThatThrownBy(() -> resuming.of(connection, outgoing))
          .isInstanceOf(ArraywireException.class)
          .matches(ErrorCode.TOO_MANY_REQUESTS::isOf);
      assertThat(System.nanoTime() - begin).isGreaterThan(1_000_000_000);
      assertThat(notes)
          .singleElement()
          .asString()
          .startsWith("the receiver has no room for the question about a.npy now and is asked");
    }
  }
}
