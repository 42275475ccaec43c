package io.arraywire.message;

import io.arraywire.Encoding;
import io.arraywire.spi.Codec;
import io.arraywire.spi.Codecs;
import java.lang.ref.SoftReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The codecs of encodings in blocks that are on the class path or module path. The service loader
 * is asked once for each context class loader in turn, and not for each message. Any thread.
 */
final class BlockCodecs {
  /** Codecs by the codes of their encodings, as the threads of one class loader see them. */
  private static final class Installed {
    private final @Nullable ClassLoader loader;
    private final @Nullable Codec[] byCode;

    Installed(@Nullable ClassLoader loader, @Nullable Codec[] byCode) {
      this.loader = loader;
      this.byCode = byCode;
    }
  }

  /** Soft, so that the classes of an application that has ended can go. */
  private static volatile SoftReference<Installed> last = new SoftReference<>(null);

  private BlockCodecs() {}

  /** Whether elements of an encoding lie side by side. */
  static boolean isRaw(int code) {
    return code == Encoding.RAW_LITTLE_ENDIAN.code() || code == Encoding.RAW_BIG_ENDIAN.code();
  }

  /** The codec of an encoding, or null if none is present. */
  static @Nullable Codec of(int code) {
    return installed().byCode[code];
  }

  /** The names of the encodings that array messages can have here. */
  static List<String> names() {
    List<String> names = new ArrayList<>();
    names.add(Encoding.RAW_LITTLE_ENDIAN.name());
    names.add(Encoding.RAW_BIG_ENDIAN.name());
    for (Codec codec : installed().byCode) {
      if (codec != null) {
        names.add(codec.encoding().name());
      }
    }
    return names;
  }

  /** The name of an encoding of this library, whose codec need not be present; else its code. */
  static String name(int code) {
    for (Encoding each :
        List.of(
            Encoding.JAVA_OBJECT,
            Encoding.PROTOBUF,
            Encoding.SHUFFLE_ZSTD,
            Encoding.SHUFFLE_LZ4,
            Encoding.FLOAT_BF16,
            Encoding.FLOAT_FP16)) {
      if (each.code() == code) {
        return each.name();
      }
    }
    return String.valueOf(code);
  }

  private static Installed installed() {
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    Installed known = last.get();
    if (known != null && Objects.equals(known.loader, loader)) {
      return known;
    }
    @Nullable Codec[] byCode = new Codec[256];
    for (Codec codec : Codecs.installed()) {
      Encoding encoding = codec.encoding();
      if (encoding.isInBlocks() && byCode[encoding.code()] == null) {
        byCode[encoding.code()] = codec;
      }
    }
    Installed found = new Installed(loader, byCode);
    last = new SoftReference<>(found);
    return found;
  }
}
