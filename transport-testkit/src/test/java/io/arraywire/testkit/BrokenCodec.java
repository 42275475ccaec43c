package io.arraywire.testkit;

import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.ProtocolException;
import io.arraywire.spi.BulkElements;
import io.arraywire.spi.Codec;
import io.arraywire.spi.CodecTraits;
import io.arraywire.spi.MemoryKind;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A codec with one fault, the check of {@link CodecContract} that must find it, and words of what
 * the check must say.
 */
record BrokenCodec(String fault, String check, String says, Codec codec) {
  private static final SimpleCodec RIGHT = SimpleCodec.of(Encoding.RAW_LITTLE_ENDIAN);
  private static final Encoding OF_OUR_OWN =
      Encoding.custom(130, "own", ByteOrder.BIG_ENDIAN, ElementType::bytes);
  private static final SimpleCodec RIGHT_OF_OUR_OWN = SimpleCodec.of(OF_OUR_OWN);

  /** An eight-bit value at which strict decoders stop. */
  private static final int FORBIDDEN = 0x80;

  @Override
  public String toString() {
    return check + ": " + fault;
  }

  static List<BrokenCodec> all() {
    List<BrokenCodec> all = new ArrayList<>();
    all.addAll(misdescribed());
    all.addAll(encodingWrong());
    all.addAll(decodingWrong());
    all.addAll(losingSpecialValues());
    all.addAll(rememberingSomething());
    all.addAll(mistakenAboutArbitraryBytes());
    all.addAll(wasteful());
    return all;
  }

  private static List<BrokenCodec> misdescribed() {
    AtomicInteger calls = new AtomicInteger();
    String check = "describesItself";
    return List.of(
        new BrokenCodec("name with a blank", check, "to match", RIGHT.named("my codec")),
        new BrokenCodec(
            "traits that change",
            check,
            "traits at every call",
            RIGHT.asking(
                () -> new CodecTraits(MemoryKind.HEAP, false, calls.incrementAndGet(), 1))),
        new BrokenCodec(
            "no element type",
            check,
            "types that the encoding supports",
            SimpleCodec.of(Encoding.custom(131, "none", ByteOrder.BIG_ENDIAN, type -> 0))));
  }

  private static List<BrokenCodec> encodingWrong() {
    String check = "encodesTheSameEverywhere";
    return List.of(
        new BrokenCodec(
            "the other byte order",
            check,
            "encoded bytes differ",
            SimpleCodec.of(Encoding.RAW_LITTLE_ENDIAN)
                .encodingWith(SimpleCodec.of(Encoding.RAW_BIG_ENDIAN).encoder())),
        new BrokenCodec(
            "the byte order that the buffer came with",
            check,
            "encoded bytes differ",
            RIGHT.encodingWith((type, array, index, count, target) ->
                BulkElements.put(type, array, index, count, target, target.order()))),
        new BrokenCodec(
            "always from the array's first element",
            check,
            "encoded bytes differ",
            RIGHT.encodingWith((type, array, index, count, target) ->
                RIGHT.encode(type, array, 0, count, target))),
        new BrokenCodec(
            "always to the buffer's first byte",
            check,
            // What it writes there can be what was there, and then only the right place is wrong.
            "(type=float, count=1, BufferPlacement[memory=HEAP, offset=1,",
            RIGHT.encodingWith((type, array, index, count, target) -> {
              int position = target.position();
              target.position(0);
              RIGHT.encode(type, array, index, count, target);
              target.position(position + target.position());
            })),
        new BrokenCodec(
            "one byte too many",
            check,
            "wrote outside its part of the buffer",
            RIGHT.encodingWith((type, array, index, count, target) -> {
              RIGHT.encode(type, array, index, count, target);
              if (target.hasRemaining()) {
                target.put(target.position(), (byte) 0);
              }
            })),
        new BrokenCodec(
            "eight bytes at a time, even at the end",
            check,
            "threw java.nio.BufferOverflowException",
            RIGHT.encodingWith((type, array, index, count, target) -> {
              RIGHT.encode(type, array, index, count - 1, target);
              int position = target.position();
              target.putLong(NaiveElements.bits(type, array, index + count - 1));
              target.position(position + type.bytes());
            })),
        new BrokenCodec(
            "arrayOffset() forgotten",
            check,
            "(type=float, count=1, BufferPlacement[memory=HEAP_SLICE",
            RIGHT.encodingWith((type, array, index, count, target) -> {
              if (target.hasArray()) {
                ByteBuffer own = ByteBuffer.wrap(target.array());
                own.position(target.position());
                RIGHT.encode(type, array, index, count, own);
                target.position(own.position());
              } else {
                RIGHT.encode(type, array, index, count, target);
              }
            })),
        new BrokenCodec(
            "heap memory only",
            check,
            "threw java.lang.UnsupportedOperationException",
            RIGHT.encodingWith((type, array, index, count, target) -> {
              target.array();
              RIGHT.encode(type, array, index, count, target);
            })),
        new BrokenCodec(
            "position not advanced",
            check,
            "left the buffer at a wrong position",
            RIGHT.encodingWith((type, array, index, count, target) ->
                RIGHT.encode(type, array, index, count, target.duplicate()))),
        new BrokenCodec(
            "limit moved",
            check,
            "moved the limit",
            RIGHT.encodingWith((type, array, index, count, target) -> {
              RIGHT.encode(type, array, index, count, target);
              target.limit(target.position());
            })),
        new BrokenCodec(
            "caller's array changed",
            check,
            "changed the array that it read",
            RIGHT.encodingWith((type, array, index, count, target) -> {
              RIGHT.encode(type, array, index, count, target);
              NaiveElements.setBits(
                  type, array, index, ~NaiveElements.bits(type, array, index) & 1);
            })),
        new BrokenCodec(
            "what is left after whole windows of 512 lost",
            check,
            "encoded bytes differ (type=float, count=513",
            RIGHT.encodingWith((type, array, index, count, target) -> {
              int whole = count <= 512 ? count : count / 512 * 512;
              RIGHT.encode(type, array, index, whole, target);
              target.position(target.position() + (count - whole) * type.bytes());
            })),
        new BrokenCodec(
            "the other byte order in golden files",
            "matchesTheGoldenFiles",
            "encoded raw-le float[1]",
            RIGHT.encodingWith(SimpleCodec.of(Encoding.RAW_BIG_ENDIAN).encoder())),
        new BrokenCodec(
            "the other byte order when reading golden files",
            "matchesTheGoldenFiles",
            "decoded raw-le float[1]",
            RIGHT.decodingWith(SimpleCodec.of(Encoding.RAW_BIG_ENDIAN).decoder())));
  }

  private static List<BrokenCodec> decodingWrong() {
    String check = "decodesTheSameEverywhere";
    return List.of(
        new BrokenCodec(
            "the byte order that the buffer came with",
            check,
            "element is another",
            RIGHT.decodingWith((type, source, array, index, count) ->
                BulkElements.get(type, source, array, index, count, source.order()))),
        new BrokenCodec(
            "the last element forgotten",
            check,
            "element is another",
            RIGHT.decodingWith((type, source, array, index, count) -> {
              RIGHT.decode(type, source, array, index, count - 1);
              source.position(source.position() + type.bytes());
            })),
        new BrokenCodec(
            "one element too many",
            check,
            "wrote outside its part of the array",
            RIGHT.decodingWith((type, source, array, index, count) -> {
              RIGHT.decode(type, source, array, index, count);
              int next = index + count;
              if (next < Array.getLength(array)) {
                NaiveElements.setBits(
                    type, array, next, ~NaiveElements.bits(type, array, next) & 1);
              }
            })),
        new BrokenCodec(
            "one element too early",
            check,
            "wrote outside its part of the array",
            RIGHT.decodingWith((type, source, array, index, count) -> {
              RIGHT.decode(type, source, array, index, count);
              if (index > 0) {
                long bits = NaiveElements.bits(type, array, index - 1);
                NaiveElements.setBits(type, array, index - 1, ~bits & 1);
              }
            })),
        new BrokenCodec(
            "everything in the buffer read",
            check,
            "left the buffer at a wrong position",
            RIGHT.decodingWith((type, source, array, index, count) -> {
              RIGHT.decode(type, source, array, index, count);
              source.position(source.limit());
            })),
        new BrokenCodec(
            "limit moved",
            check,
            "moved the limit",
            RIGHT.decodingWith((type, source, array, index, count) -> {
              RIGHT.decode(type, source, array, index, count);
              source.limit(source.position());
            })),
        new BrokenCodec(
            "buffer changed",
            check,
            "changed the buffer that it read",
            RIGHT.decodingWith((type, source, array, index, count) -> {
              int position = source.position();
              RIGHT.decode(type, source, array, index, count);
              source.put(position, (byte) ~source.get(position));
            })),
        new BrokenCodec(
            "valid bytes refused",
            check,
            "refused valid bytes",
            RIGHT.decodingWith((type, source, array, index, count) -> {
              throw new ProtocolException(ErrorCode.MALFORMED_PAYLOAD, "I do not like it");
            })),
        new BrokenCodec(
            "lossy, and no word of it",
            check,
            "element is another",
            RIGHT_OF_OUR_OWN.decodingWith((type, source, array, index, count) -> {
              RIGHT_OF_OUR_OWN.decode(type, source, array, index, count);
              for (int i = index; i < index + count; i++) {
                NaiveElements.setBits(type, array, i, NaiveElements.bits(type, array, i) & ~1L);
              }
            })),
        new BrokenCodec(
            "accessible arrays only",
            "decodesReadOnlyMemory",
            "of read-only memory threw java.nio.ReadOnlyBufferException",
            RIGHT.decodingWith((type, source, array, index, count) -> {
              if (!source.isDirect()) {
                source.array();
              }
              RIGHT.decode(type, source, array, index, count);
            })));
  }

  private static List<BrokenCodec> losingSpecialValues() {
    String check = "keepsSpecialValues";
    return List.of(
        new BrokenCodec(
            "all NaNs made one",
            check,
            "expectedBits=0xffffffffffc00000",
            RIGHT.encodingWith((type, array, index, count, target) -> {
              target.order(ByteOrder.LITTLE_ENDIAN);
              if (type == ElementType.FLOAT) {
                for (int i = index; i < index + count; i++) {
                  target.putInt(Float.floatToIntBits(((float[]) array)[i]));
                }
              } else {
                RIGHT.encode(type, array, index, count, target);
              }
            })),
        new BrokenCodec(
            "the sign of zero lost",
            check,
            "expected=-0.0, actual=0.0",
            RIGHT.decodingWith((type, source, array, index, count) -> {
              RIGHT.decode(type, source, array, index, count);
              if (array instanceof double[] doubles) {
                for (int i = index; i < index + count; i++) {
                  doubles[i] = doubles[i] == 0 ? 0 : doubles[i];
                }
              }
            })),
        new BrokenCodec(
            "denormals flushed to zero",
            check,
            "expected=1.4E-45, actual=0.0",
            RIGHT.decodingWith((type, source, array, index, count) -> {
              RIGHT.decode(type, source, array, index, count);
              if (array instanceof float[] floats) {
                for (int i = index; i < index + count; i++) {
                  boolean flushed = floats[i] > 0 && floats[i] < Float.MIN_NORMAL;
                  floats[i] = flushed ? 0 : floats[i];
                }
              }
            })),
        new BrokenCodec(
            "bit 15 of a char taken for a sign",
            check,
            "type=char",
            RIGHT.decodingWith((type, source, array, index, count) -> {
              RIGHT.decode(type, source, array, index, count);
              if (array instanceof char[] chars) {
                for (int i = index; i < index + count; i++) {
                  chars[i] = (char) (chars[i] & 0x7fff);
                }
              }
            })));
  }

  private static List<BrokenCodec> rememberingSomething() {
    AtomicInteger calls = new AtomicInteger();
    byte[] scratch = new byte[1024];
    return List.of(
        new BrokenCodec(
            "bytes that depend on where a piece begins",
            "isTheSameInAnyPieces",
            "another when encoded in pieces",
            RIGHT_OF_OUR_OWN
                .encodingWith((type, array, index, count, target) -> {
                  int position = target.position();
                  RIGHT_OF_OUR_OWN.encode(type, array, index, count, target);
                  flipFrom(target, position, target.position());
                })
                .decodingWith((type, source, array, index, count) -> {
                  byte[] bytes = new byte[count * type.bytes()];
                  source.get(bytes);
                  ByteBuffer copy = ByteBuffer.wrap(bytes);
                  flipFrom(copy, 0, bytes.length);
                  RIGHT_OF_OUR_OWN.decode(type, copy, array, index, count);
                })),
        new BrokenCodec(
            "first element of each piece lost",
            "isTheSameInAnyPieces",
            "decoded in pieces",
            RIGHT.decodingWith((type, source, array, index, count) -> {
              RIGHT.decode(type, source, array, index, count);
              if (index > 0) {
                NaiveElements.setBits(type, array, index, 0);
              }
            })),
        new BrokenCodec(
            "calls counted",
            "remembersNothing",
            "encoded after other elements",
            RIGHT_OF_OUR_OWN.encodingWith((type, array, index, count, target) -> {
              int position = target.position();
              RIGHT_OF_OUR_OWN.encode(type, array, index, count, target);
              target.put(position, (byte) (calls.getAndIncrement() & 1));
            })),
        new BrokenCodec(
            "calls counted when decoding",
            "remembersNothing",
            "decoded after other elements",
            RIGHT.decodingWith((type, source, array, index, count) -> {
              RIGHT.decode(type, source, array, index, count);
              NaiveElements.setBits(type, array, index, calls.getAndIncrement() & 1);
            })),
        new BrokenCodec(
            "scratch memory shared by all threads",
            "servesManyThreads",
            "another thread spoiled",
            RIGHT.encodingWith((type, array, index, count, target) -> {
              int window = scratch.length / type.bytes();
              for (int done = 0; done < count; done += window) {
                int elements = Math.min(window, count - done);
                RIGHT.encode(type, array, index + done, elements, ByteBuffer.wrap(scratch));
                Thread.yield();
                target.put(scratch, 0, elements * type.bytes());
              }
            })));
  }

  private static List<BrokenCodec> mistakenAboutArbitraryBytes() {
    String check = "decodesOrRefusesAnyBytes";
    return List.of(
        new BrokenCodec(
            "an exception of the wrong kind",
            check,
            "threw java.lang.IllegalArgumentException",
            RIGHT_OF_OUR_OWN.decodingWith((type, source, array, index, count) -> {
              if ((source.get(source.position()) & 0xff) == FORBIDDEN) {
                throw new IllegalArgumentException("forbidden byte");
              }
              RIGHT_OF_OUR_OWN.decode(type, source, array, index, count);
            })),
        new BrokenCodec(
            "elements written outside before bytes were refused",
            check,
            "wrote outside its part of the array",
            RIGHT_OF_OUR_OWN.decodingWith((type, source, array, index, count) -> {
              if ((source.get(source.position()) & 0xff) == FORBIDDEN) {
                for (int i = 0; i < Array.getLength(array); i++) {
                  NaiveElements.setBits(type, array, i, ~NaiveElements.bits(type, array, i) & 1);
                }
                throw new ProtocolException(ErrorCode.MALFORMED_PAYLOAD, "forbidden byte");
              }
              RIGHT_OF_OUR_OWN.decode(type, source, array, index, count);
            })),
        new BrokenCodec(
            "only 1 taken for true",
            check,
            "element is another",
            RIGHT.decodingWith((type, source, array, index, count) -> {
              if (array instanceof boolean[] booleans) {
                for (int i = index; i < index + count; i++) {
                  booleans[i] = source.get() == 1;
                }
              } else {
                RIGHT.decode(type, source, array, index, count);
              }
            })),
        new BrokenCodec(
            "NaNs refused",
            check,
            "refused elements of a standard encoding",
            RIGHT.decodingWith((type, source, array, index, count) -> {
              RIGHT.decode(type, source, array, index, count);
              if (array instanceof float[] floats && Float.isNaN(floats[index])) {
                throw new ProtocolException(ErrorCode.MALFORMED_PAYLOAD, "not a number");
              }
            })));
  }

  private static List<BrokenCodec> wasteful() {
    String check = "allocatesNothingPerElement";
    return List.of(
        new BrokenCodec(
            "a copy of the slice",
            check,
            "bytes allocated by encode",
            RIGHT.encodingWith((type, array, index, count, target) -> {
              Object copy = type.newArray(count);
              System.arraycopy(array, index, copy, 0, count);
              RIGHT.encode(type, copy, 0, count, target);
            })),
        new BrokenCodec(
            "boxed elements",
            check,
            "bytes allocated by decode",
            RIGHT.decodingWith((type, source, array, index, count) -> {
              RIGHT.decode(type, source, array, index, count);
              List<Object> boxed = new ArrayList<>();
              for (int i = index; i < index + count; i++) {
                boxed.add(Array.get(array, i));
              }
              for (int i = index; i < index + count; i++) {
                Array.set(array, i, boxed.get(i - index));
              }
            })));
  }

  /** Its own inverse, and another one for each place counted from the first byte. */
  private static void flipFrom(ByteBuffer buffer, int from, int to) {
    for (int i = from; i < to; i++) {
      buffer.put(i, (byte) (buffer.get(i) ^ (i - from)));
    }
  }
}
