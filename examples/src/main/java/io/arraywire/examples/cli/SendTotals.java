package io.arraywire.examples.cli;

import io.arraywire.Encoding;
import io.arraywire.Receipt;
import io.arraywire.spi.Codec;
import io.arraywire.spi.Codecs;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What one file cost; a counter that one of its receipts does not know is not known. */
final class SendTotals {
  /** Names of the encodings in blocks; looked up once, since that asks for all providers. */
  private static final Set<String> IN_BLOCKS =
      Codecs.installed().stream()
          .map(Codec::encoding)
          .filter(Encoding::isInBlocks)
          .map(Encoding::name)
          .collect(Collectors.toUnmodifiableSet());

  private long wireBytes;
  private long copiedBytes;
  private long channelOperations;
  private @Nullable String compression;

  /**
   * Adds an array.
   *
   * @param copiedBefore bytes that were copied before those that the receipt counts
   */
  void add(Receipt receipt, long copiedBefore) {
    wireBytes = sum(wireBytes, receipt.wireBytes());
    copiedBytes = sum(sum(copiedBytes, receipt.copiedBytes()), copiedBefore);
    channelOperations = sum(channelOperations, receipt.channelOperations());
    String encoding = receipt.encoding();
    if (encoding != null && IN_BLOCKS.contains(encoding)) {
      compression = encoding;
    }
  }

  /**
   * The encoding in blocks that the connection chose by itself.
   *
   * @param bytes of the elements
   * @return null if it chose none, or all blocks were raw: then more passed than the elements
   */
  @Nullable String compression(long bytes) {
    return wireBytes == Receipt.UNKNOWN || wireBytes < bytes ? compression : null;
  }

  private static long sum(long total, long more) {
    return total == Receipt.UNKNOWN || more == Receipt.UNKNOWN ? Receipt.UNKNOWN : total + more;
  }

  long wireBytes() {
    return wireBytes;
  }

  long copiedBytes() {
    return copiedBytes;
  }

  long channelOperations() {
    return channelOperations;
  }
}
