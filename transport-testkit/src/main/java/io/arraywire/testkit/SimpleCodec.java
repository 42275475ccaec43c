package io.arraywire.testkit;

import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.ProtocolException;
import io.arraywire.spi.BulkElements;
import io.arraywire.spi.Codec;
import io.arraywire.spi.CodecTraits;
import java.nio.ByteBuffer;
import java.util.function.Supplier;

/** A codec made of two lambdas: right unless one of them is replaced. */
record SimpleCodec(
    String name, Encoding encoding, Encoder encoder, Decoder decoder, Supplier<CodecTraits> asks)
    implements Codec {

  interface Encoder {
    void encode(ElementType type, Object array, int index, int count, ByteBuffer target);
  }

  interface Decoder {
    void decode(ElementType type, ByteBuffer source, Object array, int index, int count)
        throws ProtocolException;
  }

  /**
   * A right codec of an encoding with plain elements, or of a custom one with elements like them.
   */
  static SimpleCodec of(Encoding encoding) {
    return new SimpleCodec(
        "simple",
        encoding,
        (type, array, index, count, target) ->
            BulkElements.put(type, array, index, count, target, encoding.order()),
        (type, source, array, index, count) ->
            BulkElements.get(type, source, array, index, count, encoding.order()),
        () -> CodecTraits.DIRECT);
  }

  SimpleCodec named(String other) {
    return new SimpleCodec(other, encoding, encoder, decoder, asks);
  }

  SimpleCodec encodingWith(Encoder other) {
    return new SimpleCodec(name, encoding, other, decoder, asks);
  }

  SimpleCodec decodingWith(Decoder other) {
    return new SimpleCodec(name, encoding, encoder, other, asks);
  }

  SimpleCodec asking(Supplier<CodecTraits> other) {
    return new SimpleCodec(name, encoding, encoder, decoder, other);
  }

  @Override
  public void encode(ElementType type, Object array, int index, int count, ByteBuffer target) {
    encoder.encode(type, array, index, count, target);
  }

  @Override
  public void decode(ElementType type, ByteBuffer source, Object array, int index, int count)
      throws ProtocolException {
    decoder.decode(type, source, array, index, count);
  }

  @Override
  public CodecTraits traits() {
    return asks.get();
  }
}
