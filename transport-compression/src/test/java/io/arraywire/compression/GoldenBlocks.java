package io.arraywire.compression;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.spi.Codec;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Blocks that another program made. */
final class GoldenBlocks {
  private static final int HEADER_BYTES = 64;

  private GoldenBlocks() {}

  /** The blocks of a frame in this encoding, each of so many elements and none raw. */
  static List<byte[]> of(String name, Codec codec, int count) throws IOException {
    String file = "/io/arraywire/testkit/golden/wire-v2/" + name + ".bin";
    try (InputStream in =
        Objects.requireNonNull(GoldenBlocks.class.getResourceAsStream(file), file)) {
      ByteBuffer bytes = ByteBuffer.wrap(in.readAllBytes()).order(ByteOrder.LITTLE_ENDIAN);
      assertThat(bytes.get(6)).isEqualTo((byte) codec.encoding().code());
      bytes.position(HEADER_BYTES);
      List<byte[]> blocks = new ArrayList<>();
      while (bytes.hasRemaining()) {
        byte[] block = new byte[bytes.getInt()];
        assertThat(bytes.getInt()).isEqualTo(count);
        bytes.get(block);
        blocks.add(block);
      }
      return blocks;
    }
  }
}
