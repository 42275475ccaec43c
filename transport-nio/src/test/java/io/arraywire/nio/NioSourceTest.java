package io.arraywire.nio;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.Checksums;
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
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What lies outside of the heap goes past it, and is the caller's again when it is taken back. */
class NioSourceTest {
  private static final int COUNT = 1 << 20;

  private final TransportStage stage =
      TransportStage.of(
          NioTransport::create, () -> new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));

  @AfterEach
  void end() throws Exception {
    stage.close();
  }

  private static ByteBuffer direct(ByteOrder order) {
    ByteBuffer bytes = ByteBuffer.allocateDirect(4 * COUNT).order(order);
    for (int i = 0; i < COUNT; i++) {
      bytes.putInt(4 * i, i);
    }
    return bytes;
  }

  private static long copied(Ends ends, ArraySource source) throws Exception {
    CompletionStage<Receipt> sent = ends.here().sendAsync(source, SendOptions.processed());
    int[] received = ends.there().receive().ints();
    assertThat(received).hasSize(COUNT);
    assertThat(received[COUNT - 1]).isEqualTo(COUNT - 1);
    return sent.toCompletableFuture().get(60, TimeUnit.SECONDS).copiedBytes();
  }

  @Test
  void nothingIsCopiedWhereElementsTravelAsTheyLie(@TempDir Path directory) throws Exception {
    Ends ends = stage.ends();
    ByteBuffer little = direct(ByteOrder.LITTLE_ENDIAN);
    assertThat(copied(ends, ArraySource.of(little, ElementType.INT))).isZero();
    assertThat(copied(ends, ArraySource.of(direct(ByteOrder.BIG_ENDIAN), ElementType.INT)))
        .isEqualTo(4L * COUNT);
    byte[] bytes = new byte[4 * COUNT];
    little.get(0, bytes);
    Path file = Files.write(directory.resolve("ints"), bytes);
    assertThat(copied(ends, ArraySource.file(file, ElementType.INT))).isZero();
    Ends checked = stage.ends(options -> options.checksums(Checksums.WANTED));
    assertThat(copied(checked, ArraySource.of(little, ElementType.INT))).isEqualTo(4L * COUNT);
    assertThat(copied(checked, ArraySource.file(file, ElementType.INT))).isPositive();
  }

  /** With the header of its frame: 64 KiB fit the socket whole. */
  @Test
  void directMemoryTakesOneOperation() throws Exception {
    Ends ends = stage.ends();
    ByteBuffer little = ByteBuffer.allocateDirect(64 << 10).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < 3; i++) {
      CompletionStage<Receipt> sent =
          ends.here().sendAsync(ArraySource.of(little, ElementType.INT), SendOptions.processed());
      assertThat(ends.there().receive().ints()).hasSize(16 << 10);
      Receipt receipt = sent.toCompletableFuture().get(60, TimeUnit.SECONDS);
      assertThat(receipt.channelOperations()).isEqualTo(1);
      assertThat(receipt.copiedBytes()).isZero();
    }
  }

  /** A part of it is in the kernel, a part is promised in a header, and the peer does not read. */
  @Test
  void memoryThatIsTakenBackIsNotReadAnyMore() throws Exception {
    Ends ends = stage.ends(options -> options.sendTimeout(Duration.ofMillis(300)));
    ByteBuffer little = ByteBuffer.allocateDirect(64 << 20).order(ByteOrder.LITTLE_ENDIAN);
    CompletionStage<Receipt> sent =
        ends.here().sendAsync(ArraySource.of(little, ElementType.INT), SendOptions.processed());
    assertThat(
            sent.toCompletableFuture()
                .handle((receipt, thrown) -> thrown)
                .get(60, TimeUnit.SECONDS))
        .isNotNull();
    for (int i = 0; i < little.capacity(); i += 4) {
      little.putInt(i, -1);
    }
    CompletionStage<Receipt> next = ends.here().sendAsync(new int[] {5}, SendOptions.processed());
    assertThat(ends.there().receive().ints()).containsExactly(5);
    assertThat(next.toCompletableFuture().get(60, TimeUnit.SECONDS).elements()).isEqualTo(1);
  }
}
