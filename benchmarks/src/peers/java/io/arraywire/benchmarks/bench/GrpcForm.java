package io.arraywire.benchmarks.bench;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.Message;
import com.google.protobuf.UnsafeByteOperations;
import io.arraywire.benchmarks.proto.ElementBytes;
import io.arraywire.benchmarks.proto.PackedElements;
import io.grpc.Detachable;
import io.grpc.HasByteBuffer;
import io.grpc.KnownLength;
import io.grpc.MethodDescriptor;
import io.grpc.protobuf.ProtoUtils;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;

/**
 * How elements become messages of generated code, and back. For use by one thread at each end.
 *
 * @param <M> the message
 */
interface GrpcForm<M extends Message> {
  /**
   * Elements in a message at most. Protobuf advises against messages above 1 MiB
   * (protobuf.dev/programming-guides/techniques), and G1 treats what is more than half a region as
   * humongous, which is 512 KiB with the heaps of these JVMs.
   */
  int MOST_ELEMENTS = 64 << 10;

  MethodDescriptor.Marshaller<M> marshaller();

  /** As many elements as a message has room for. */
  M take(Departures departures);

  /** Puts a message's elements, and returns how many arrays that completes. */
  int put(M message, Arrivals arrivals);

  /** {@code repeated float}, packed, which generated code has a method for each element of. */
  final class Packed implements GrpcForm<PackedElements> {
    private final float[] some = new float[MOST_ELEMENTS];

    @Override
    public MethodDescriptor.Marshaller<PackedElements> marshaller() {
      return ProtoUtils.marshaller(PackedElements.getDefaultInstance());
    }

    @Override
    public PackedElements take(Departures departures) {
      FloatBuffer elements = FloatBuffer.wrap(some);
      departures.take(elements);
      PackedElements.Builder message = PackedElements.newBuilder();
      for (int i = 0; i < elements.position(); i++) {
        message.addElements(some[i]);
      }
      return message.build();
    }

    @Override
    public int put(PackedElements message, Arrivals arrivals) {
      int count = message.getElementsCount();
      for (int i = 0; i < count; i++) {
        some[i] = message.getElements(i);
      }
      return arrivals.put(FloatBuffer.wrap(some, 0, count));
    }
  }

  /**
   * {@code bytes}. The sender fills one array again and again, which gRPC has copied when {@code
   * sendMessage} returns; {@link UnsafeByteOperations} makes it a field without a copy. The
   * receiver parses the transport's own buffers with aliasing, which {@link Detachable} is for, so
   * that there is one copy, into the target (grpc/grpc-java pull request 8102; Google's client for
   * its cloud storage does so: GoogleCloudDataproc/hadoop-connectors pull request 564).
   */
  final class Bytes implements GrpcForm<ElementBytes>, MethodDescriptor.Marshaller<ElementBytes> {
    private final MethodDescriptor.Marshaller<ElementBytes> usual =
        ProtoUtils.marshaller(ElementBytes.getDefaultInstance());
    private final byte[] some = new byte[MOST_ELEMENTS * Float.BYTES];
    private final FloatBuffer elements =
        ByteBuffer.wrap(some).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer();

    /** What the message's bytes are in. */
    private InputStream buffers = InputStream.nullInputStream();

    @Override
    public MethodDescriptor.Marshaller<ElementBytes> marshaller() {
      return this;
    }

    @Override
    public ElementBytes take(Departures departures) {
      departures.take(elements.clear());
      return ElementBytes.newBuilder()
          .setElements(UnsafeByteOperations.unsafeWrap(some, 0, elements.position() * Float.BYTES))
          .build();
    }

    @Override
    public int put(ElementBytes message, Arrivals arrivals) {
      int arrays = 0;
      for (ByteBuffer each : message.getElements().asReadOnlyByteBufferList()) {
        arrays += arrivals.put(each);
      }
      try {
        buffers.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return arrays;
    }

    @Override
    public InputStream stream(ElementBytes message) {
      return usual.stream(message);
    }

    @Override
    public ElementBytes parse(InputStream stream) {
      if (!(stream instanceof Detachable detachable
          && stream instanceof KnownLength
          && stream instanceof HasByteBuffer readable
          && readable.byteBufferSupported()
          && stream.markSupported())) {
        return usual.parse(stream);
      }
      try {
        int bytes = stream.available();
        InputStream detached = detachable.detach();
        buffers = detached;
        ByteString all = ByteString.EMPTY;
        detached.mark(bytes);
        while (detached.available() > 0) {
          ByteBuffer next = ((HasByteBuffer) detached).getByteBuffer();
          if (next == null) {
            throw new IOException("a stream that has bytes has no buffer");
          }
          all = all.concat(UnsafeByteOperations.unsafeWrap(next));
          detached.skipNBytes(next.remaining());
        }
        detached.reset();
        CodedInputStream in = all.newCodedInput();
        in.enableAliasing(true);
        in.setSizeLimit(Integer.MAX_VALUE);
        return ElementBytes.parser().parseFrom(in);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
