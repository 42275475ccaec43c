package io.arraywire.message;

import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.ProtocolException;
import io.arraywire.spi.Codec;
import io.arraywire.spi.Codecs;
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The codecs of encodings in blocks that are on the class path or module path. The service loader
 * is asked once for each context class loader, and not for each message. Any thread.
 */
final class BlockCodecs {
  /** So many class loaders are known at a time; the one that was asked first is forgotten. */
  private static final int MOST_LOADERS = 16;

  /**
   * Codecs by the codes of their encodings, as the threads of one class loader see them. Neither
   * keeps the loader: the classes of an application that has ended can go.
   */
  private static final class Installed {
    private final WeakReference<ClassLoader> loader;
    private final SoftReference<@Nullable Codec[]> byCode;

    Installed(ClassLoader loader, @Nullable Codec[] byCode) {
      this.loader = new WeakReference<>(loader);
      this.byCode = new SoftReference<>(byCode);
    }

    @SuppressWarnings("ReferenceEquality") // Loaders that are equal may see different classes.
    boolean isOf(ClassLoader asked) {
      return loader.get() == asked;
    }

    boolean isGone() {
      return loader.get() == null || byCode.get() == null;
    }
  }

  /** Never changed, but replaced. */
  private static volatile List<Installed> known = List.of();

  private BlockCodecs() {}

  /** Whether elements of an encoding lie side by side. */
  static boolean isRaw(int code) {
    return code == Encoding.RAW_LITTLE_ENDIAN.code() || code == Encoding.RAW_BIG_ENDIAN.code();
  }

  /** The codec of an encoding, or null if none is present. */
  static @Nullable Codec of(int code) {
    return installed()[code];
  }

  /** The codec of a name, or null if none is present. */
  static @Nullable Codec named(String name) {
    for (Codec codec : installed()) {
      if (codec != null && codec.name().equals(name)) {
        return codec;
      }
    }
    return null;
  }

  /** The codec of an encoding that has to be present. */
  static Codec present(int code) throws ProtocolException {
    Codec codec = of(code);
    if (codec == null) {
      Encoding known = standard(code);
      throw new ProtocolException(
          ErrorCode.UNKNOWN_CODE,
          known == null || known.isInBlocks()
              ? "the elements are in an encoding that no codec is present for; add the module that"
                  + " has it, such as arraywire-compression"
              : "the elements are in an encoding that only connections have; write the message in"
                  + " another one",
          "encoding",
          name(code),
          "present",
          present());
    }
    return codec;
  }

  /** An encoding whose codec is present and that has a type; see {@link BlockEncodings}. */
  static Encoding checked(int code, ElementType type) throws ProtocolException {
    Encoding encoding = present(code).encoding();
    if (!encoding.supports(type)) {
      throw new ProtocolException(
          ErrorCode.UNKNOWN_CODE,
          "an element type that the encoding does not have",
          "elementType",
          type.code(),
          "encoding",
          encoding.name());
    }
    return encoding;
  }

  /** The encodings that array messages can have here. */
  static List<Encoding> present() {
    List<Encoding> present = new ArrayList<>();
    present.add(Encoding.RAW_LITTLE_ENDIAN);
    present.add(Encoding.RAW_BIG_ENDIAN);
    for (Codec codec : installed()) {
      if (codec != null) {
        present.add(codec.encoding());
      }
    }
    return present;
  }

  /** An encoding of this library, whose codec need not be present; null for other codes. */
  static @Nullable Encoding standard(int code) {
    for (Encoding each : Encoding.standard()) {
      if (each.code() == code) {
        return each;
      }
    }
    return null;
  }

  /** The name of an encoding of this library, whose codec need not be present; else its code. */
  static String name(int code) {
    Encoding known = standard(code);
    return known == null ? String.valueOf(code) : known.name();
  }

  private static @Nullable Codec[] installed() {
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    ClassLoader loader = context == null ? ClassLoader.getSystemClassLoader() : context;
    for (Installed each : known) {
      @Nullable Codec[] byCode = each.isOf(loader) ? each.byCode.get() : null;
      if (byCode != null) {
        return byCode;
      }
    }
    @Nullable Codec[] found = new Codec[256];
    for (Codec codec : Codecs.installed()) {
      Encoding encoding = codec.encoding();
      if (encoding.isInBlocks() && found[encoding.code()] == null) {
        found[encoding.code()] = codec;
      }
    }
    keep(new Installed(loader, found));
    return found;
  }

  private static synchronized void keep(Installed found) {
    List<Installed> all = new ArrayList<>(known);
    all.removeIf(Installed::isGone);
    if (all.size() == MOST_LOADERS) {
      all.remove(0);
    }
    all.add(found);
    known = List.copyOf(all);
  }
}
