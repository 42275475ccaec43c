package io.arraywire.benchmarks.bench;

import java.io.IOException;
import java.lang.reflect.Field;
import org.apache.arrow.compression.CommonsCompressionFactory;
import org.apache.arrow.flight.FlightClient.ClientStreamListener;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.VectorUnloader;
import org.apache.arrow.vector.compression.CompressionUtil.CodecType;

/**
 * Has a stream of Arrow Flight compress its batches. Flight 19 for Java makes the {@link
 * VectorUnloader} of a stream itself, without a codec (apache/arrow-java issue 233 asks for an
 * option), so this puts one with a codec in its place, by reflection. All else is Flight's own.
 */
final class CompressedBatches {
  private static final String UNLOADER = "unloader";

  private CompressedBatches() {}

  /**
   * Batches that follow are compressed.
   *
   * @param stream which was started
   * @param root its batches
   */
  static void write(ClientStreamListener stream, VectorSchemaRoot root, CodecType compression)
      throws IOException {
    VectorUnloader unloader =
        new VectorUnloader(
            root, true, CommonsCompressionFactory.INSTANCE.createCodec(compression), true);
    try {
      Field field = stream.getClass().getSuperclass().getDeclaredField(UNLOADER);
      field.setAccessible(true);
      field.set(stream, unloader);
    } catch (ReflectiveOperationException e) {
      throw new IOException(
          "this version of Arrow Flight keeps its unloader elsewhere (field=" + UNLOADER + ")", e);
    }
  }
}
