package io.arraywire;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The bytes that {@code ObjectOutputStream} writes before the elements of a primitive array.
 *
 * <pre>
 *  0  aced 0005             stream magic and version
 *  4  75                    TC_ARRAY
 *  5  72                    TC_CLASSDESC
 *  6  0002 5b xx            class name "[F", "[I" and so on
 * 10  8 bytes               serialVersionUID of the array class
 * 18  02                    SC_SERIALIZABLE
 * 19  0000                  no fields
 * 21  78                    TC_ENDBLOCKDATA
 * 22  70                    TC_NULL: no superclass
 * 23  int32                 element count, big-endian
 * </pre>
 *
 * <p>From the Java Object Serialization Specification, chapter 6; the serialVersionUIDs are what
 * every JDK writes, which a test compares against the running one.
 */
final class JavaObjectPrefix implements Prefix {
  private static final int BYTES = 27;

  @Override
  public int bytes(ElementType type, int count) {
    return BYTES;
  }

  @Override
  public void put(ElementType type, int count, ByteBuffer target) {
    target
        .order(ByteOrder.BIG_ENDIAN)
        .putInt(0xaced0005)
        .putShort((short) 0x7572)
        .putShort((short) 2)
        .put((byte) '[')
        .put((byte) letter(type))
        .putLong(serialVersionUid(type))
        .put((byte) 2)
        .putShort((short) 0)
        .putShort((short) 0x7870)
        .putInt(count);
  }

  private static char letter(ElementType type) {
    return switch (type) {
      case FLOAT -> 'F';
      case INT -> 'I';
      case DOUBLE -> 'D';
      case LONG -> 'J';
      case SHORT -> 'S';
      case CHAR -> 'C';
      case BYTE -> 'B';
      case BOOLEAN -> 'Z';
      default -> throw new IllegalStateException("no such class of arrays: " + type);
    };
  }

  private static long serialVersionUid(ElementType type) {
    return switch (type) {
      case FLOAT -> 0x0b9c818922e00c42L;
      case INT -> 0x4dba602676eab2a5L;
      case DOUBLE -> 0x3ea68c14ab635a1eL;
      case LONG -> 0x782004b512b17593L;
      case SHORT -> 0xef832e06e55db0faL;
      case CHAR -> 0xb02666b0e25d84acL;
      case BYTE -> 0xacf317f8060854e0L;
      case BOOLEAN -> 0x578f203914b85de2L;
      default -> throw new IllegalStateException("no such class of arrays: " + type);
    };
  }
}
