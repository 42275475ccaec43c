package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ArrayAttributes;
import io.arraywire.ArrayHandler;
import io.arraywire.ArrayHeader;
import io.arraywire.ArraySlice;
import io.arraywire.Checksums;
import io.arraywire.Connection;
import io.arraywire.Delivery;
import io.arraywire.ElementType;
import io.arraywire.Handlers;
import io.arraywire.LeasedArray;
import io.arraywire.Receipt;
import io.arraywire.ReceivedArray;
import io.arraywire.SendOptions;
import io.arraywire.TargetHandler;
import io.arraywire.TargetMismatchException;
import io.arraywire.TransportOptions;
import io.arraywire.message.Message;
import io.arraywire.spi.Codec;
import io.arraywire.spi.Codecs;
import io.arraywire.testkit.TransportStage.Ends;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Arrays go in here and come out there, every bit of them and nothing beside them. */
interface TransferTests {
  TransportStage stage();

  @Test
  default void helloWorld() throws Exception {
    Ends ends = stage().ends();
    ends.here().send(new float[] {1, 2, 3});
    assertThat(ends.there().receive().floats()).containsExactly(1, 2, 3);
    ends.there().send(new int[] {-1});
    assertThat(ends.here().receive().ints()).containsExactly(-1);
  }

  @Test
  default void everyTypeAndSizeArrivesBitByBitAndNothingBesideIt() {
    SeededArrays.check(arrays -> {
      Ends ends = stage().ends();
      // Where engine and transports change their minds: frames, batches, windows, budgets.
      int[] edges = {8 << 10, 16 << 10, 32 << 10, 64 << 10, 128 << 10, 256 << 10, 1 << 20};
      for (ElementType type : ElementType.values()) {
        sendAndReceive(ends, arrays, type, aroundEdges(type, edges));
      }
    });
  }

  @Test
  default void everyTypeAndSizeArrivesInSmallFrames() {
    SeededArrays.check(arrays -> {
      Ends ends =
          stage().ends(options -> options.chunkBytes(1 << 10).checksums(Checksums.UNWANTED));
      int[] edges = {1 << 10, 2 << 10, 63 << 10, 64 << 10, 65 << 10};
      for (ElementType type : ElementType.values()) {
        sendAndReceive(ends, arrays, type, aroundEdges(type, edges));
      }
    });
  }

  @Test
  default void everyInstalledCodecCarriesWhatItsEncodingSupports() {
    SeededArrays.check(arrays -> {
      for (Codec codec : Codecs.installed()) {
        if (codec.encoding().loss() != null) {
          continue; // Only sends that name it use it, and its own contract says what arrives.
        }
        Ends ends = stage().ends(options -> options.codecs(codec));
        assertThat(ends.here().agreement().sendCodec()).isEqualTo(codec.name());
        int[] edges =
            codec.traits().elementwise()
                ? new int[] {1 << 10}
                : new int[] {1 << 10, 64 << 10, 256 << 10};
        for (ElementType type : ElementType.values()) {
          if (codec.encoding().supports(type)) {
            sendAndReceive(ends, arrays, type, aroundEdges(type, edges));
          }
        }
        ends.here().close();
      }
    });
  }

  @Test
  default void everyArrayMayHaveACodecOfItsOwn() throws Exception {
    Ends ends = stage().ends();
    List<String> codecs = ends.here().agreement().codecs();
    assertThat(codecs).hasSizeGreaterThan(1);
    float[] source = {1, -2.5f, Float.intBitsToFloat(0x7fc12345)};
    for (String codec : codecs) {
      if (Codecs.installed().stream()
          .anyMatch(each -> each.name().equals(codec) && each.traits().elementwise())) {
        continue;
      }
      CompletionStage<Receipt> sent =
          ends.here().sendAsync(ArraySlice.of(source), SendOptions.processed().codec(codec));
      ReceivedArray received = ends.there().receive();
      Elements.assertSame(ElementType.FLOAT, source, 0, received.floats(), 0, 3);
      assertThat(Eventually.get(sent).elements()).isEqualTo(3);
    }
  }

  /** Their bits would fit, but say something else there. */
  @Test
  default void typesInTheSameJavaArrayAreNotMistakenForEachOther() throws Exception {
    Ends ends = stage().ends();
    for (ElementType type : ElementType.values()) {
      if (type.isPrimitive()) {
        continue;
      }
      Object array = type.newArray(3);
      CompletionStage<Receipt> sent =
          ends.here().sendAsync(ArraySlice.ofArray(array).as(type), SendOptions.processed());
      ArraySlice carrier = ArraySlice.ofArray(type.newArray(3));
      assertThatThrownBy(() -> ends.there().receiveInto(carrier))
          .isInstanceOf(TargetMismatchException.class)
          .hasMessageContaining("arrayType=" + type.typeName())
          .hasMessageContaining("targetType=" + type.carrier().typeName());
      ReceivedArray received = ends.there().receive();
      assertThat(received.type()).isEqualTo(type);
      assertThat(received.slice().type()).isEqualTo(type);
      assertThat(received.slice().array()).isEqualTo(array);
      assertThat(Eventually.get(sent).elements()).isEqualTo(3);
    }
  }

  /** Numbers of elements: none, one, and one less, as many and one more than fill some bytes. */
  private static List<Integer> aroundEdges(ElementType type, int[] edges) {
    List<Integer> counts = new ArrayList<>(List.of(0, 1));
    for (int bytes : edges) {
      int elements = bytes / type.bytes();
      counts.addAll(List.of(elements - 1, elements, elements + 1));
    }
    return counts;
  }

  private static void sendAndReceive(
      Ends ends, SeededArrays arrays, ElementType type, List<Integer> counts) throws Exception {
    int most = counts.stream().mapToInt(Integer::intValue).max().orElseThrow();
    Object source = arrays.array(type, most + 2 * Elements.MARGIN);
    Object target = arrays.array(type, most + 2 * Elements.MARGIN);
    for (int count : counts) {
      int from = arrays.between(0, Elements.MARGIN);
      int to = arrays.between(0, Elements.MARGIN);
      Object before = Elements.copy(type, target);
      CompletionStage<Receipt> sent =
          ends.here()
              .sendAsync(ArraySlice.ofArray(source, from, count).as(type), SendOptions.processed());
      ReceivedArray received =
          ends.there()
              .receiveInto(ArraySlice.ofArray(target, to, count + Elements.MARGIN).as(type));
      assertThat(received.type()).isEqualTo(type);
      assertThat(received.count()).isEqualTo(count);
      assertThat(received.slice().array()).isSameAs(target);
      assertThat(received.slice().offset()).isEqualTo(to);
      assertThat(received.slice().length()).isEqualTo(count);
      Elements.assertSame(type, source, from, target, to, count);
      Elements.assertSame(type, before, 0, target, 0, to);
      Elements.assertSame(
          type, before, to + count, target, to + count, most + 2 * Elements.MARGIN - to - count);
      assertThat(Eventually.get(sent).elements()).isEqualTo(count);
    }
  }

  // Every way to send with every way to receive.

  /** A way to send; returns when the send is done. */
  interface Sending {
    CompletionStage<Receipt> send(Connection connection, ArraySlice slice, SendOptions options)
        throws Exception;
  }

  @Test
  default void everyWayToSendMeetsEveryWayToReceive() {
    SeededArrays.check(arrays -> {
      List<Sending> sendings =
          List.of(
              (connection, slice, options) -> {
                Running<Receipt> send = Running.start(() -> connection.send(slice, options));
                return send.stage();
              },
              Connection::sendAsync);
      for (Sending sending : sendings) {
        for (Delivery delivery : Delivery.values()) {
          SendOptions options = new SendOptions(ArrayAttributes.NONE, delivery);
          receiveInEveryWay(
              arrays,
              sending,
              options,
              delivery == Delivery.SESSION
                  ? change -> change.sessionTimeout(Eventually.LONG)
                  : UnaryOperator.identity());
        }
      }
    });
  }

  private void receiveInEveryWay(
      SeededArrays arrays,
      Sending sending,
      SendOptions options,
      UnaryOperator<TransportOptions.Builder> change)
      throws Exception {
    Ends ends = stage().ends(change);
    Inbox handled = new Inbox();
    Connection toHandler = stage().connectionTo(change, handled);
    TargetingInbox targeted = new TargetingInbox();
    Connection toTargeting =
        stage().connectionTo(change, Handlers.ofArrays(targeted).withTargets(targeted));
    for (int count : new int[] {0, 1, 1000, 50_000}) {
      Object source = arrays.array(ElementType.LONG, count);
      ArraySlice slice = ArraySlice.ofArray(source);

      CompletionStage<Receipt> sent = sending.send(ends.here(), slice, options);
      assertReceived(ends.there().receive(), source, count, sent);

      sent = sending.send(ends.here(), slice, options);
      long[] target = new long[count];
      assertReceived(
          ends.there().receiveInto(ArraySlice.of(target, 0, count)), source, count, sent);

      sent = sending.send(ends.here(), slice, options);
      try (LeasedArray lease = ends.there().receiveLeased()) {
        Object copy = new long[count];
        lease.copyTo(ArraySlice.ofArray(copy));
        assertThat(lease.header().count()).isEqualTo(count);
        Elements.assertSame(ElementType.LONG, source, 0, copy, 0, count);
        assertThat(Eventually.get(sent).elements()).isEqualTo(count);
      }

      sent = sending.send(toHandler, slice, options);
      assertReceived(handled.next(), source, count, sent);

      sent = sending.send(toTargeting, slice, options);
      ReceivedArray inTarget = targeted.next();
      assertReceived(inTarget, source, count, sent);
      assertThat(inTarget.slice().offset()).isEqualTo(Elements.MARGIN);
    }
  }

  private static void assertReceived(
      ReceivedArray received, Object source, int count, CompletionStage<Receipt> sent)
      throws Exception {
    assertThat(received.count()).isEqualTo(count);
    Elements.assertSame(
        ElementType.LONG, source, 0, received.slice().array(), received.slice().offset(), count);
    assertThat(Eventually.get(sent).elements()).isEqualTo(count);
  }

  /** A handler that keeps what comes. */
  class Inbox implements ArrayHandler {
    private final BlockingQueue<ReceivedArray> arrays = new LinkedBlockingQueue<>();

    @Override
    public void onArray(Connection connection, ReceivedArray array) {
      arrays.add(array);
    }

    ReceivedArray next() throws InterruptedException {
      return Eventually.next("an array comes", arrays);
    }
  }

  /** The same, into memory of its own. */
  final class TargetingInbox extends Inbox implements TargetHandler {
    @Override
    public ArraySlice target(Connection connection, ArrayHeader header) {
      Object target = header.type().newArray(header.count() + Elements.MARGIN);
      return ArraySlice.ofArray(target, Elements.MARGIN, header.count()).as(header.type());
    }
  }

  // What goes with an array, and what does not fit.

  @Test
  default void attributesArriveAsTheyWereSent() throws Exception {
    Ends ends = stage().ends();
    // As large as it may be: a trace context has two such strings.
    SendOptions full = SendOptions.handedOff();
    for (int i = 0; i < 3; i++) {
      full = full.metadata("tracestate" + i, "v".repeat(Message.MAX_VALUE_BYTES));
    }
    SendOptions[] all = {
      SendOptions.handedOff(),
      SendOptions.handedOff().tag(-1),
      SendOptions.handedOff().shape(2, 3),
      full,
      SendOptions.handedOff()
          .tag(Long.MIN_VALUE)
          .shape(1, 6, 1)
          .metadata("größe", "\0")
          .metadata("b", ""),
      SendOptions.handedOff()
    };
    for (int i = 0; i < all.length; i++) {
      ends.here().send(ArraySlice.of(new double[6]), all[i]);
      ArrayHeader header = ends.there().receive().header();
      assertThat(header.attributes()).isEqualTo(all[i].attributes());
      assertThat(header.sequence()).isEqualTo(i + 1);
    }
  }

  @Test
  default void anArrayThatDoesNotFitIsNotLost() throws Exception {
    Ends ends = stage().ends();
    float[] large = (float[]) SeededArrays.withSeed(2).array(ElementType.FLOAT, 100_000);
    CompletionStage<Receipt> first =
        ends.here().sendAsync(ArraySlice.of(new int[] {1, 2, 3}), SendOptions.processed());
    CompletionStage<Receipt> second =
        ends.here().sendAsync(ArraySlice.of(large), SendOptions.processed());
    assertThatThrownBy(() -> ends.there().receiveInto(ArraySlice.of(new int[2], 0, 2)))
        .isInstanceOf(TargetMismatchException.class)
        .hasMessageContaining("give a larger target (count=3, room=2");
    assertThatThrownBy(() -> ends.there().receiveInto(ArraySlice.of(new float[3], 0, 3)))
        .isInstanceOf(TargetMismatchException.class)
        .hasMessageContaining("give a target of its type (arrayType=int, targetType=float");
    assertThat(ends.there().receive().ints()).containsExactly(1, 2, 3);
    assertThatThrownBy(() -> ends.there().receiveInto(ArraySlice.of(new float[large.length], 1, 7)))
        .isInstanceOf(TargetMismatchException.class);
    assertThat(first.toCompletableFuture()).isNotCancelled();
    Eventually.get(first);
    assertThat(second.toCompletableFuture()).isNotDone();
    assertThat(ends.there().receive().floats()).isEqualTo(large);
    Eventually.get(second);
  }
}
