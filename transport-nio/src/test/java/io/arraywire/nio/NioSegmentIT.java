package io.arraywire.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ArrayInfo;
import io.arraywire.ElementType;
import io.arraywire.Receipt;
import io.arraywire.SendOptions;
import io.arraywire.source.ArraySource;
import io.arraywire.testkit.TransportStage;
import io.arraywire.testkit.TransportStage.Ends;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/**
 * Memory segments, from the packaged jar, since only there the class of JDK 22 takes the place of
 * the other one. By reflection: this is compiled for JDK 17.
 */
@EnabledForJreRange(min = JRE.JAVA_22, disabledReason = "memory segments are of JDK 22")
class NioSegmentIT {
  private static final int COUNT = 1 << 20;

  private final TransportStage stage =
      TransportStage.of(
          NioTransport::create, () -> new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));

  @AfterEach
  void end() throws Exception {
    stage.close();
  }

  private static Object segment(String arena, long bytes) throws Exception {
    Class<?> arenas = Class.forName("java.lang.foreign.Arena");
    return arenas
        .getMethod("allocate", long.class, long.class)
        .invoke(arenas.getMethod(arena).invoke(null), bytes, 8L);
  }

  private static ByteBuffer view(Object segment) throws Exception {
    return (ByteBuffer)
        Class.forName("java.lang.foreign.MemorySegment").getMethod("asByteBuffer").invoke(segment);
  }

  private static Object ints(ByteOrder order) throws Exception {
    Object segment = segment("ofAuto", 4L * COUNT);
    ByteBuffer bytes = view(segment).order(order);
    for (int i = 0; i < COUNT; i++) {
      bytes.putInt(4 * i, i);
    }
    return segment;
  }

  private static long copied(Ends ends, ArraySource source) throws Exception {
    CompletionStage<Receipt> sent = ends.here().sendAsync(source, SendOptions.processed());
    int[] received = ends.there().receive().ints();
    assertThat(received).hasSize(COUNT);
    assertThat(received[COUNT - 1]).isEqualTo(COUNT - 1);
    return sent.toCompletableFuture().get(60, TimeUnit.SECONDS).copiedBytes();
  }

  @Test
  void segmentsAndTypedDirectBuffersGoPastTheHeap() throws Exception {
    Ends ends = stage.ends();
    Object little = ints(ByteOrder.LITTLE_ENDIAN);
    ArraySource source = ArraySource.segment(little, ElementType.INT, ByteOrder.LITTLE_ENDIAN);
    assertThat(copied(ends, source)).isZero();
    assertThat(source).hasToString("a segment of 1048576 elements (int, LITTLE_ENDIAN)");
    ByteBuffer direct = view(little).order(ByteOrder.LITTLE_ENDIAN);
    assertThat(copied(ends, ArraySource.of(direct.asIntBuffer()))).isZero();
    ArraySource big =
        ArraySource.segment(ints(ByteOrder.BIG_ENDIAN), ElementType.INT, ByteOrder.BIG_ENDIAN);
    assertThat(copied(ends, big)).isEqualTo(4L * COUNT);
  }

  /** Asked for before it comes, in both byte orders. */
  @Test
  void arraysAreReceivedIntoSegments() throws Exception {
    Ends ends = stage.ends();
    ArrayInfo info = new ArrayInfo();
    int[] sent = new int[COUNT];
    Arrays.setAll(sent, i -> i * 31);
    for (ByteOrder order : List.of(ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN)) {
      Object segment = segment("ofShared", 4L * COUNT + 8);
      CompletionStage<Receipt> sending = ends.here().sendAsync(sent, SendOptions.processed());
      ends.there().receiveInto(ArraySource.buffer(segment, ElementType.INT, order), info);
      sending.toCompletableFuture().get(60, TimeUnit.SECONDS);
      assertThat(info.count()).isEqualTo(COUNT);
      int[] came = new int[COUNT + 2];
      view(segment).order(order).asIntBuffer().get(came);
      assertThat(came).startsWith(sent).endsWith(0, 0);
    }
  }

  @Test
  void whatCannotBeReceivedIntoIsRefused() throws Exception {
    Object confined = segment("ofConfined", 8);
    assertThatThrownBy(() -> ArraySource.buffer(confined, ElementType.INT, ByteOrder.LITTLE_ENDIAN))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("confined to one thread");
    Object heap =
        Class.forName("java.lang.foreign.MemorySegment")
            .getMethod("ofArray", int[].class)
            .invoke(null, (Object) new int[2]);
    assertThatThrownBy(() -> ArraySource.buffer(heap, ElementType.INT, ByteOrder.LITTLE_ENDIAN))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("give the array", "bytes=8", "limit=2147483647", "native=false");
    assertThatThrownBy(() ->
            ArraySource.buffer(segment("ofAuto", 1), ElementType.BOOLEAN, ByteOrder.BIG_ENDIAN))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("boolean[]");
  }

  @Test
  void whatOtherThreadsCannotReadIsRefused() throws Exception {
    Object confined = segment("ofConfined", 8);
    assertThatThrownBy(() -> ArraySource.segment(confined, ElementType.INT))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("confined to one thread");
    Object seven = segment("ofAuto", 7);
    assertThatThrownBy(() -> ArraySource.segment(seven, ElementType.INT))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("bytes=7", "type=int");
    assertThatThrownBy(() -> ArraySource.segment("text", ElementType.INT))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("not a memory segment");
  }
}
